"""Numbers that are none, whole numbers that wrap, arrays for one value, names that command."""

import json

import numpy as np
import pytest

import skstat
from skstat.io import read_results
from tests.cases import in_one_test

G = np.linspace(0, 1, 40)
PAIR = {"a": G, "b": G**2}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400, "9" * 5000])
def test_numbers_beyond_all_limits_are_refused_by_name(number, tmp_path):
    rows = [{"model": m, "item": f"q{i}", "score": 0.5} for m in "ab" for i in range(4)]
    lines = [json.dumps(row) for row in rows]
    lines[2] = lines[2].replace("0.5", number)
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    trec = tmp_path / "trec.txt"
    trec.write_text(f"map\t1\t0.5\nmap\t2\t{number}\n", encoding="utf-8")
    for each in (path, trec):
        with pytest.raises(ValueError, match="finite|number|score|digits"):
            skstat.compare_scores(read_results(each), random_state=0)


ERRORS = ("median_absolute_error", "max_error", "mean_absolute_error", "mean_squared_error")


@in_one_test("dtype", ["uint8", "uint64", "int8"])
@in_one_test("metric", [*(f"neg_{error}" for error in ERRORS), "r2"])
def test_short_and_unsigned_whole_numbers_do_not_wrap(metric, dtype):
    rng = np.random.default_rng(0)
    y = rng.integers(1, 120, 30)
    outputs = {"a": rng.integers(1, 120, 30), "b": np.abs(y - 4)}

    def estimate(kind):
        return skstat.compare_predictions(
            y.astype(kind),
            {name: own.astype(kind) for name, own in outputs.items()},
            metric=metric,
            random_state=0,
            n_resamples=99,
        )

    short, double = estimate(dtype), estimate("float64")
    assert short.estimate == pytest.approx(double.estimate)
    assert short.pvalue == double.pvalue
    if metric == "neg_max_error":
        worst = [np.max(np.abs(y - own)) for own in outputs.values()]
        assert short.estimate == worst[0] - worst[1]


@pytest.mark.parametrize("argument", ["test", "adjustment", "alternative", "aggregate"])
@pytest.mark.parametrize("value", [np.array([0.9, 0.8]), np.array([])])
def test_an_array_for_one_word_is_refused_by_name(argument, value):
    with pytest.raises(ValueError, match=f"{argument} must be one value"):
        skstat.compare_scores(PAIR, unit="instance", **{argument: value})


HOSTILE = ["::error::x", "a\x1b[31mb", "##vso[task]x", "c\n::d", "\u202eabc", "::warning f=a::"]


@pytest.mark.parametrize("first", HOSTILE)
def test_no_text_commands_a_build_server(first):
    named = {first: G, "plain": G**2, "::third::": G**3}
    asked = {"unit": "instance", "scoring": f"::m{first}", "higher_is_better": True}
    for systems in (named, {name: named[name] for name in list(named)[:2]}):
        report = skstat.compare_scores(systems, random_state=0, **asked)
        table = report.summary_table()
        for text in (
            *(str(report), report.details, report.to_markdown(), report.to_latex()),
            *(report.methods_text(), report.methods_text(latex=True)),
            *(report.results_text(), report.results_text(latex=True)),
            report.results_text(style="apa"),
            *(table.to_markdown(), table.to_latex(), table.to_latex(caption="c", label="l")),
        ):
            assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
            assert "##vso[" not in text and "\u202e" not in text
            assert all(ord(letter) >= 32 or letter == "\n" for letter in text)
        assert "\n" not in report.results_text()
