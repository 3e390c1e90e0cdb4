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


SAID = {
    "two": "were compared by log_loss (lower is better). | The design for 150 rows was | ; "
    "trained on 75 rows, tested on 75; | The number of fits was 60, 30 of each system on the "
    "same splits. | random_state=0) | level was 0.05, | smaller than 0.05 in log_loss | "
    "(Schuirmann, 1987) | (Wang et al., 2014; Wang et al., 2017) | (Pedregosa et al., 2011)",
    "stable": "(the alternative is that GaussianNB is better than DecisionTreeClassifier)",
    "metrics": "were compared by accuracy and by log_loss | for the number of metrics (2).",
    "several": "fair, good and poor were compared by f1. | (Westfall & Young, 1993) | 95%, for "
    "all pairs at once.",
    "control": "Every other system was tested against poor | for 2 pairs (Benjamini & "
    "Hochberg, 1995), which controls the false discovery rate.",
    "datasets": "with the Friedman test | (Friedman, 1937; Iman & Davenport, 1980) | for 3 "
    "pairs (Holm, 1979), which controls the family-wise error. | were 7 data sets.",
    "seeds": "good and poor were compared by accuracy. | for the number of seeds (3).",
    "performance": "The performance of NB and stump was measured by accuracy. | (Nadeau & "
    "Bengio, 2003) | The number of fits was 50, 25 of each system",
}


SEEDED = {"unit": "seed", "paired_seeds": True}


def apa(report):
    return report.results_text(style="apa")


@in_one_test("kind", SAID)
def test_methods_say_what_was_done_with_an_entry_for_every_work(reports, kind, tmp_path):
    report, path = reports[kind], tmp_path / "used.bib"
    text, entries = report.methods_text(), report.to_bibtex()
    for said in SAID[kind].split(" | "):
        assert said in text, said
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


def test_results_have_the_numbers_of_the_report(reports):
    two = reports["two"]
    text = apa(two)
    means = [abs(float(side.mean())) for side in (two.evidence.sample.a, two.evidence.sample.b)]
    assert all(f"(M = {mean:.3f}, SD = " in text for mean in means)
    far, near = sorted(map(abs, two.confidence_interval()), reverse=True)
    minus, size = "\N{MINUS SIGN}", abs(two.estimate)
    assert f"= {minus}{size:.3f}, 95% CI [{minus}{far:.3f}, {minus}{near:.3f}]" in text
    # Of a loss too the statistic has the sign of the difference.
    assert f"t({two.df}) = {minus}{abs(two.statistic):.2f}, p = " in text
    assert f"p = {two.pvalue:.3f}".replace("0.", ".") in text
    assert "lower is better" in text and "GaussianNB was significantly better" in text
    plain = two.results_text()
    assert two.conclusion in plain and f"t({two.df}) = {minus}" in plain
    table = apa(reports["datasets"])
    assert re.search(r"F\(2, 12\) = [\d.]+, p = \.\d{3}, Kendall's W = 0\.\d\d", table)


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
