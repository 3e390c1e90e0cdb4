"""The paragraph for a paper, and the works behind it."""

import platform
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris

import skstat
from skstat.report import report_from_dict
from tests.cases import in_one_test
from tests.report.built import KINDS, NB, STUMP, report_on

X, y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def reports():
    options = {"random_state": 0, "cv": 5, "correction": None, "alternative": "greater"}
    stable = skstat.paired_cv_ttest(NB, STUMP, X, y, **options)
    return {"stable": stable, **{kind: report_on(kind) for kind in KINDS}}


SEEDED = {"unit": "seed", "paired_seeds": True}


def apa(report):
    return report.results_text(style="apa")


@in_one_test("kind", ["stable", *KINDS])
def test_methods_say_what_was_done_with_an_entry_for_every_work(reports, kind, tmp_path):
    report, path = reports[kind], tmp_path / "used.bib"
    text, entries = report.methods_text(), report.to_bibtex()
    assert ("Pedregosa" in text) == (kind in ("two", "stable", "metrics", "performance"))
    assert not re.search(r"\bNone\b|[{}\[\]\n]|\(\)|\.\.|\s[,.;]|  | or the ", text)
    assert text.endswith(f" in Python {platform.python_version()}.")
    assert f"skstat {skstat.__version__}" in text
    first = re.findall(r"^  author = \{\{?(.*?)(?:,| and |\}).*\}?,$", entries, re.M)
    years = re.findall(r"^  year = \{(\d+)\},$", entries, re.M)
    for name, year in zip(first, years, strict=True):
        assert re.search(rf"[(; ]{re.escape(name)}[^;]*, {year}[);]", text), (name, year)
    restored = report_from_dict(report.to_dict())
    assert restored.methods_text() == text and restored.to_bibtex(path) == entries
    assert path.read_text(encoding="utf-8") == entries


def test_names_cannot_break_the_paragraph():
    scores = {"50 % \\ of_it\nnow": [0.8, 0.7, 0.9, 0.8], "b\0&\0b": [0.6, 0.7, 0.5, 0.6]}
    report = skstat.compare_scores(scores, unit="seed")
    assert report.methods_text().startswith("50 % \\ of_it now and b&b were compared")
    latex = report.methods_text(latex=True)
    assert latex.startswith(r"50 \% \textbackslash{} of\_it now and b\&b were compared")


@pytest.mark.parametrize("style", ["plain", "apa"])
def test_results_of_every_kind(reports, style):
    for report in reports.values():
        text = report.results_text(style=style)
        assert text and not re.search(r"None|nan|constant 0\.5 \(", text)
        assert report_from_dict(report.to_dict()).results_text(style=style) == text
        assert text.count("\n") == report.results_text(style=style, latex=True).count("\n")
        # Over splits, which share rows, effect sizes would be inflated by design.
        assert "over splits" not in text
    assert "Not valid: overlapping" in apa(reports["stable"])
    with pytest.raises(ValueError, match="style='mla' is unknown; use 'plain' or 'apa'"):
        reports["two"].results_text(style="mla")


FIVE = np.array([0.8, 0.81, 0.8, 0.82, 0.8])
# Twenty small wins and five large losses, as 5 x 2 cross-validation would have them.
MIXED = np.array([0.1, 0.101, -0.1, -0.101, 0.1, 0.1, -0.1, -0.1, 0.01, 0.01])


@pytest.mark.parametrize(
    ("a", "b", "options", "said"),
    [
        ([0.8, 0.7, 0.9], [0.7, 0.6, 0.8], {}, "No test of a against b was possible: "
         "difference (a \N{MINUS SIGN} b) = 0.100, no p-value."),
        (0.8 + MIXED, np.full(10, 0.8), {"n_repeats": 5}, "a and b differed significantly, but "
         "in no common direction or size: "),
        (FIVE, FIVE - 0.01 + 1e-4 * np.arange(5), {"margin": 0.05}, "equivalent within the "
         "margin of 0.05, but differed significantly: "),
        (FIVE, [0.81, 0.8, 0.8, 0.81, 0.81], {"margin": 0.05}, "a and b were equivalent within "
         "the margin of 0.05: "),
    ],
)  # fmt: skip
def test_results_of_differences_without_a_winner(a, b, options, said):
    options = options if "n_repeats" in options else SEEDED | options
    assert said in apa(skstat.compare_scores({"a": a, "b": b}, **options))


@pytest.mark.parametrize("scoring", ["accuracy", "rmse"])
def test_results_say_by_which_p_value_a_system_is_not_inferior(scoring):
    better = np.array([0.80, 0.82, 0.81, 0.83, 0.80, 0.82])
    scores = {"a": better, "b": np.array([0.80, 0.805, 0.81, 0.815, 0.80, 0.81])}
    if scoring == "rmse":
        scores = {name: 1 - values for name, values in scores.items()}
    report = skstat.compare_scores(scores, **SEEDED, margin=0.006, scoring=scoring)
    assert report.verdict == "not inferior"
    text = apa(report)
    found = f"non-inferiority p = {report.pairs[0].noninferior_p:.3f}".replace("0.", ".")
    assert found in text and "and the difference between a and b was not significant" in text
    assert ("t(5) = \N{MINUS SIGN}" in text) == (scoring == "rmse")
