"""The paragraph for a paper, and the works behind it."""

import platform
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.report import report_from_dict
from tests.cases import in_one_test

X, y = load_iris(return_X_y=True)
NB, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 120)
ANSWERS = {
    name: np.where(RNG.random(120) < share, TRUTH, 1 - TRUTH)
    for name, share in (("good", 0.9), ("fair", 0.8), ("poor", 0.6))
}
SEEDS = {
    name: np.stack([np.where(RNG.random(120) < share, TRUTH, 1 - TRUTH) for _ in range(3)])
    for name, share in (("good", 0.9), ("poor", 0.6))
}
TABLE = {"a": [3, 5, 4, 6, 7, 5, 6], "b": [2, 3, 1, 4, 3, 2, 4], "c": [1, 2, 5, 3, 1, 1, 2]}
SCORES = {name: [score / 10 for score in scores] for name, scores in TABLE.items()}


@pytest.fixture(scope="module")
def reports():
    return {
        "two": skstat.paired_cv_ttest(
            NB, STUMP, X, y, random_state=0, margin=0.05, scoring="neg_log_loss"
        ),
        "stable": skstat.paired_cv_ttest(
            NB, STUMP, X, y, random_state=0, cv=5, correction=None, alternative="greater"
        ),
        "metrics": skstat.five_by_two_cv_test(
            NB, STUMP, X, y, random_state=0, scoring=["accuracy", "f1_macro"]
        ),
        "several": skstat.compare_predictions(TRUTH, ANSWERS, metric="f1", random_state=0),
        "control": skstat.compare_predictions(
            TRUTH, ANSWERS, metric="accuracy", control="poor", adjustment="fdr_bh"
        ),
        "mcnemar": skstat.mcnemar_test(TRUTH, ANSWERS["good"], ANSWERS["poor"]),
        "constant": skstat.binomial_test(TRUTH, ANSWERS["good"], constant=0.5),
        "datasets": skstat.compare_scores(SCORES, unit="dataset"),
        "seeds": skstat.compare_predictions(TRUTH, SEEDS, metric="accuracy", seeds="per-seed"),
        "performance": skstat.estimate_performance(
            {"NB": NB, "stump": STUMP}, X, y, method="corrected_t", random_state=0
        ),
    }


KINDS = (
    "two", "stable", "metrics", "several", "control", "mcnemar", "constant", "datasets",
    "seeds", "performance",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_work_that_is_cited_has_an_entry_and_no_other(reports, kind):
    report = reports[kind]
    text, entries = report.methods_text(), report.to_bibtex()
    keys = re.findall(r"^@\w+\{(\w+),$", entries, re.M)
    assert keys and len(set(keys)) == len(keys)
    first = re.findall(r"^  author = \{\{?(.*?)(?:,| and |\}).*\}?,$", entries, re.M)
    years = re.findall(r"^  year = \{(\d+)\},$", entries, re.M)
    assert len(first) == len(years) == len(keys)
    for name, year in zip(first, years, strict=True):
        assert re.search(rf"[(; ]{re.escape(name)}[^;]*, {year}[);]", text), (name, year)
    cited = re.findall(r"~\\citep\{(.*?)\}", report.methods_text(latex=True))
    assert list(dict.fromkeys(",".join(cited).split(","))) == keys


@in_one_test("kind", KINDS)
def test_the_paragraph_is_plain_and_says_what_it_was_made_with(reports, kind):
    text = reports[kind].methods_text()
    assert "\n" not in text and "  " not in text and text.endswith(".")
    assert not re.search(r"\bNone\b|[{}\[\]]|\(\)|\.\.|\s[,.;]", text)
    assert f"skstat {skstat.__version__}" in text
    assert f"Python {platform.python_version()}" in text
    assert "95%" in text


@in_one_test("kind", KINDS)
def test_a_restored_report_tells_the_same(reports, kind):
    report = reports[kind]
    restored = report_from_dict(report.to_dict())
    assert restored.methods_text() == report.methods_text()
    assert restored.to_bibtex() == report.to_bibtex()


def test_two_estimators(reports):
    text = reports["two"].methods_text()
    assert text.startswith(
        "GaussianNB and DecisionTreeClassifier were compared by log_loss (lower is better)."
    )
    assert "each of the 2 systems was fitted 30 times" in text and "(60 fits)" in text
    assert "75 rows for training and 75 for testing" in text
    assert "random seed 0" in text and "significance level of 0.05" in text
    assert "smaller than 0.05 in log_loss" in text and "(Schuirmann, 1987)" in text
    assert "(Wang et al., 2014; Wang et al., 2017)" in text
    assert "scikit-learn" in text and "Pedregosa" in text


def test_one_direction_is_told_by_name(reports):
    text = reports["stable"].methods_text()
    better = "GaussianNB is better than DecisionTreeClassifier"
    assert f"one-sided (the alternative is that {better})" in text


def test_several_systems_tell_of_the_family(reports):
    joint, control = (reports[kind].methods_text() for kind in ("several", "control"))
    assert "The 3 systems good, fair and poor were compared by f1" in joint
    assert "(Westfall & Young, 1993)" in joint and "hold for all pairs at once" in joint
    assert "Every other system was tested against poor" in control
    assert "2 pairs were adjusted" in control and "false discovery rate" in control
    assert "(Benjamini & Hochberg, 1995)" in control


def test_what_fits_nothing_cites_no_library_for_fits(reports):
    assert "Pedregosa" not in reports["mcnemar"].methods_text()


def test_several_metrics_say_once_what_they_share(reports):
    text = reports["metrics"].methods_text()
    assert "were compared by accuracy and by f1_macro." in text
    assert text.count("5x2cv F test") == 1 and text.count("The design was") == 1
    assert "not adjusted for the number of metrics" in text


def test_seeds_are_no_family(reports):
    text = reports["seeds"].methods_text()
    assert text.startswith("good and poor were compared by accuracy.")
    assert "once for each of 3 seeds" in text


def test_many_data_sets(reports):
    text = reports["datasets"].methods_text()
    assert "Friedman test" in text and "(Friedman, 1937; Iman & Davenport, 1980)" in text
    assert "Holm's method (Holm, 1979)" in text and "the data set (n = 7)" in text


def test_fits_on_many_data_sets_are_counted():
    datasets = {f"d{start}": (X[start::3], y[start::3]) for start in range(3)}
    report = skstat.compare_over_datasets(
        {"nb": NB, "stump": STUMP, "deep": DecisionTreeClassifier(random_state=0)},
        datasets,
        cv=2,
        random_state=0,
    )
    text = report.methods_text()
    assert "Each of the 3 systems was fitted 6 times (18 fits)." in text
    assert "Pedregosa et al., 2011" in text


def test_performance(reports):
    text = reports["performance"].methods_text()
    assert text.startswith("The performance of NB and stump was measured by accuracy.")
    assert "(Nadeau & Bengio, 2003)" in text and "The number of fits was 50." in text


def test_stability_is_told():
    report = skstat.paired_cv_ttest(
        NB, STUMP, X, y, random_state=0, correction="nadeau-bengio", stability=1
    )
    assert "repeated once on other random partitions" in report.methods_text()


def test_names_cannot_break_the_paragraph():
    scores = {"50 % \\ of_it\nnow": [0.8, 0.7, 0.9, 0.8], "b&b": [0.6, 0.7, 0.5, 0.6]}
    report = skstat.compare_scores(scores, unit="seed")
    assert report.methods_text().startswith("50 % \\ of_it now and b&b were compared")
    latex = report.methods_text(latex=True)
    assert latex.startswith(r"50 \% \textbackslash{} of\_it now and b\&b were compared")


def test_bibtex_can_be_written(tmp_path, reports):
    path = tmp_path / "used.bib"
    text = reports["mcnemar"].to_bibtex(path)
    assert path.read_text(encoding="utf-8") == text
    assert text.startswith("@article{mcnemar1947note,\n  author = {McNemar, Q.},")


@pytest.mark.parametrize(("n", "drawn"), [(12, False), (40, True)])
def test_draws_are_told_where_there_were_any(n, drawn):
    differences = np.random.default_rng(0).normal(0.1, 1, n)
    report = skstat.compare_scores(
        {"a": differences, "b": np.zeros(n)},
        unit="instance",
        test="sign_flip",
        n_resamples=4999,
    )
    assert ("(exact)" in report.test) != drawn
    assert ("4999 random draws" in report.methods_text()) == drawn
    assert report.evidence.outcome.n_drawn == 4999 * drawn
    # The bootstrap interval beside an exact permutation test is drawn, its p-value is not.
    labels = {"a": np.arange(n) % 2, "b": np.arange(n) % 3 > 0}
    rows = skstat.compare_predictions(np.ones(n, int), labels, metric="f1", random_state=0)
    assert rows.outcome.exact and "random draws" not in rows.methods_text()


def test_results_have_the_numbers_of_the_report(reports):
    two = reports["two"]
    text = two.results_text(style="apa")
    means = [abs(float(side.mean())) for side in (two.sample.a, two.sample.b)]
    assert all(f"(M = {mean:.3f}, SD = " in text for mean in means)
    far, near = sorted(map(abs, two.confidence_interval()), reverse=True)
    minus, size = "\N{MINUS SIGN}", abs(two.estimate)
    assert f"= {minus}{size:.3f}, 95% CI [{minus}{far:.3f}, {minus}{near:.3f}]" in text
    # Of a loss too the statistic has the sign of the difference.
    assert f"t({two.df}) = {minus}{abs(two.statistic):.2f}, p = " in text
    assert f"p = {two.pvalue:.3f}".replace("0.", ".") in text
    assert "lower is better" in text and "GaussianNB was significantly better" in text
    assert "over splits" not in text  # inflated by design
    plain = two.results_text()
    assert two.conclusion in plain and f"df = {two.df}" in plain
    joint = reports["several"].results_text(style="apa")
    assert joint.count("adjusted p") == 3 and "was not significant" in joint
    table = reports["datasets"].results_text(style="apa")
    assert re.search(r"F\(2, 12\) = [\d.]+, p = \.\d{3}, Kendall's W = 0\.\d\d", table)
    assert "rank-biserial = " in table
    assert reports["mcnemar"].results_text().count("only A right = ") == 1


@pytest.mark.parametrize("style", ["plain", "apa"])
def test_results_of_every_kind(reports, style):
    for report in reports.values():
        text = report.results_text(style=style)
        assert text and "None" not in text and "nan" not in text
        restored = report_from_dict(report.to_dict())
        assert restored.results_text(style=style) == text
        assert text.count("\n") == report.results_text(style=style, latex=True).count("\n")
    assert "Not valid: overlapping" in reports["stable"].results_text(style="apa")
    with pytest.raises(ValueError, match="style='mla' is unknown; use 'plain' or 'apa'"):
        reports["two"].results_text(style="mla")


def test_results_of_many_pairs_and_of_margins():
    rng = np.random.default_rng(0)
    scores = {f"s{i}": rng.normal(0.8 - 0.02 * i, 0.02, 12) for i in range(5)}
    text = skstat.compare_scores(scores, unit="dataset").results_text(style="apa")
    assert text.count("pseudo-median difference") == 4
    assert re.search(r"Of all 10 pairs \d+ differed significantly\.", text)
    same = {"a": [0.8, 0.81, 0.8, 0.82, 0.8], "b": [0.81, 0.8, 0.8, 0.81, 0.81]}
    text = skstat.compare_scores(
        same, unit="seed", paired_seeds=True, margin=0.05
    ).results_text(style="apa")
    assert (
        "were equivalent within the margin of 0.05" in text and "equivalence p < .001" in text
    )


def _three(margin=None, **options):
    rng = np.random.default_rng(0)
    scores = {"a": 0.9, "b": 0.92, "c": 0.8}
    table = {name: rng.normal(mean, 0.02, 12) for name, mean in scores.items()}
    options = {"unit": "dataset", "margin": margin} | options
    return skstat.compare_scores(table, **options)


def test_results_of_mean_ranks_say_what_is_subtracted():
    report = _three(post_hoc="nemenyi")
    text = report.results_text(style="apa")
    ranks = {row["name"]: row["mean_rank"] for row in report.to_dict()["ranking"]}
    apart = f"(rank of c \N{MINUS SIGN} rank of a) = {ranks['c'] - ranks['a']:.2f}, "
    assert f"a was significantly better than c: difference in mean rank {apart}" in text
    assert "simultaneous 95% CI" in text and text.count("difference in mean rank") == 3


@pytest.mark.parametrize(("alternative", "side"), [("less", "worse"), ("greater", "better")])
def test_results_of_one_sided_questions_say_so(alternative, side):
    scores = {"a": [0.8, 0.7, 0.9, 0.85, 0.8, 0.7], "b": [0.81, 0.7, 0.88, 0.85, 0.79, 0.7]}
    report = skstat.compare_scores(scores, unit="instance", alternative=alternative)
    text = report.results_text(style="apa")
    assert f"It was not shown that a was {side} than b: " in text
    assert "one-sided 95% CI" in text and "one-sided p = " in text
    of_all = _three(alternative=alternative).results_text(style="apa")
    assert of_all.count("one-sided p ") == of_all.count(" adjusted p ") == 3


def test_results_name_the_kind_of_interval_and_the_statistic():
    adjusted = _three(post_hoc="paired_t").results_text(style="apa")
    assert adjusted.count(", adjusted 95% CI [") == adjusted.count(", t(11) = ") == 3
    one = skstat.compare_scores(
        {"a": [0.8, 0.7, 0.9, 0.6], "b": [0.7, 0.7, 0.8, 0.6]}, unit="seed", paired_seeds=True
    )
    assert ", 95% CI [" in one.results_text(style="apa")


def test_results_of_differences_without_a_winner():
    flat = {"a": [0.8, 0.7, 0.9], "b": [0.7, 0.6, 0.8]}
    text = skstat.compare_scores(flat, unit="seed", paired_seeds=True).results_text(style="apa")
    assert text.endswith("No test of a against b was possible: difference (a \N{MINUS SIGN} b) "
                         "= 0.100, no p-value.")  # fmt: skip
    # Twenty small wins and five large losses, as 5 x 2 cross-validation would have them.
    d = np.array([0.1, 0.101, -0.1, -0.101, 0.1, 0.1, -0.1, -0.1, 0.01, 0.01])
    report = skstat.compare_scores({"a": 0.8 + d, "b": np.full(10, 0.8)}, n_repeats=5)
    text = report.results_text(style="apa")
    assert "a and b differed significantly, but in no common direction or size: " in text
    a = np.array([0.8, 0.81, 0.8, 0.82, 0.8])
    near = {"a": a, "b": a - 0.01 + 1e-4 * np.arange(5)}
    options = {"unit": "seed", "paired_seeds": True}
    text = skstat.compare_scores(near, **options, margin=0.05).results_text(style="apa")
    assert "equivalent within the margin of 0.05, but differed significantly: " in text


@pytest.mark.parametrize("scoring", ["accuracy", "rmse"])
def test_results_say_by_which_p_value_a_system_is_not_inferior(scoring):
    better = np.array([0.80, 0.82, 0.81, 0.83, 0.80, 0.82])
    scores = {"a": better, "b": np.array([0.80, 0.805, 0.81, 0.815, 0.80, 0.81])}
    if scoring == "rmse":
        scores = {name: 1 - values for name, values in scores.items()}
    report = skstat.compare_scores(
        scores, unit="seed", paired_seeds=True, margin=0.006, scoring=scoring
    )
    assert report.verdict == "not inferior"
    text = report.results_text(style="apa")
    found = report.equivalence
    assert f"non-inferiority p = {found.lower_pvalue:.3f}".replace("0.", ".") in text
    assert "and the difference between a and b was not significant" in text
    assert ("t(5) = \N{MINUS SIGN}" in text) == (scoring == "rmse")


def test_results_count_pairs_that_differ_and_are_equivalent():
    rng = np.random.default_rng(0)
    rows = rng.normal(0.8, 0.05, 40)
    scores = {f"s{i}": rows + 0.01 * i + rng.normal(0, 0.002, 40) for i in range(5)}
    report = skstat.compare_scores(scores, unit="instance", margin=0.1, random_state=0)
    text = report.results_text(style="apa")
    assert "Of all 10 pairs 10 differed significantly." in text
    assert {row["verdict"] for row in report.to_dict()["pairs"]} == {"equivalent"}


def test_seeds_of_data_sets_are_named():
    models = {"nb": NB, "stump": STUMP, "most": DummyClassifier()}
    sets = {f"set {k}": (X[k::6], y[k::6]) for k in range(6)}
    report = skstat.compare_over_datasets(models, sets, cv=2, random_state=3, verbose=False)
    text = report.methods_text()
    assert ("random seed 3" in text) == ("random_state=3" in report.design["splitter"])
    usual = skstat.compare_over_datasets(models, sets, random_state=3, verbose=False)
    assert "The splits were drawn with the random seed 3." in usual.methods_text()


def test_several_tests_are_named_each_with_its_number_of_pairs():
    asked = skstat.compare_to_baseline(
        NB, X, y, strategy=["most_frequent", "stratified"], random_state=0, verbose=False
    )
    text, note = asked.methods_text(), " ".join(asked.summary_table().notes)
    assert len(asked.pairwise.family.distinct("test")) == 2
    assert " or the " not in text and text.count(" for 1 pair") == 2
    assert note.count("(1 pair)") == 2 and "Tests: " in note


def test_the_spread_of_crossed_seeds_says_over_what():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    runs = {
        name: np.stack([np.where(rng.random(60) < share, truth, 1 - truth) for _ in range(3)])
        for name, share in (("good", 0.9), ("poor", 0.6))
    }
    report = skstat.compare_predictions(
        truth, runs, metric="accuracy", seeds="crossed", random_state=0
    )
    right = (runs["good"] == truth).mean(axis=0)  # of every row, over seeds
    text = report.results_text(style="apa")
    assert "(higher is better; SD over instances, of means over seeds)" in text
    assert f"good (M = {right.mean():.3f}, SD = {right.std(ddof=1):.3f})" in text
