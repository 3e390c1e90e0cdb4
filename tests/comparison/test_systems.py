"""Three systems or more on one data set: pairs, the best, and the joint law."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import multivariate_t
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_estimators, compare_scores, paired_cross_validate, stats
from skstat.stats import PairedScores
from tests.cases import in_one_test
from tests.contract import check_report

X, Y = load_breast_cancer(return_X_y=True)
ESTIMATORS = {
    "NB": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "ridge": RidgeClassifier(),
}


@pytest.fixture(scope="module")
def run():
    return paired_cross_validate(ESTIMATORS, X, Y, random_state=0)


@pytest.fixture(scope="module")
def report():
    return compare_estimators(ESTIMATORS, X, Y, random_state=0)


def numbers(found):
    """All numbers of a report, without where they came from."""
    state = found.to_dict()
    for name in ("sd", "fit", "predict"):  # predictions have no spread of rows, and no times
        state["systems"].pop(name, None)
    return {key: state[key] for key in ("systems", "pairs", "omnibus", "conclusion")}


def test_pairs_are_projection_t_tests_of_the_shared_splits(report, run):
    check_report(report)
    assert report.omnibus is None and report.unit == "split" and report.n_units == 30
    raw = []
    by_holm = compare_scores(run, adjustment="holm")
    check_report(by_holm)
    for a, b in combinations(ESTIMATORS, 2):
        alone = stats.projection_t(run.table().pair(a, b))
        assert report[a, b].pvalue == by_holm[a, b].pvalue == alone.pvalue
        assert report[a, b].adjusted_pvalue >= alone.pvalue
        assert report[a, b].evidence.outcome.by_itself.pvalue == alone.pvalue
        wide, narrow = report[a, b].confidence_interval(), alone.confidence_interval()
        assert wide.low < narrow.low < narrow.high < wide.high
        raw.append(alone.pvalue)
    assert report.adjustment == "max-t"
    assert report.pvalue == min(report.pairs.column("adjusted"))
    assert report.names == ("ridge", "NB", "stump")
    assert report.may_be_best == ("ridge", "NB")
    assert report.systems["ridge"].best_pvalue == 1
    assert report.systems["stump"].best_pvalue == min(
        report[pair].adjusted_pvalue for pair in (("NB", "stump"), ("stump", "ridge"))
    )
    adjusted = by_holm.pairs.column("adjusted")
    assert adjusted == pytest.approx(stats.adjust_pvalues(raw, "holm"))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_joint_law_is_the_multivariate_t(run, alternative):
    """Against SciPy's distribution function, for two comparisons with a control."""
    found = compare_scores(
        run, control="NB", adjustment="max-t", alternative=alternative, random_state=1,
        test="corrected_t",
    )  # fmt: skip
    samples = [run.sample(*pair[:2]) for pair in found.pairs]
    correlation = np.corrcoef([sample.differences for sample in samples])
    law = multivariate_t(shape=correlation, df=29, seed=0)
    for sample, pair in zip(samples, found.pairs, strict=True):
        t = stats.corrected_t(sample).statistic
        assert pair.statistic == pytest.approx(t)
        t = {"two-sided": abs(t), "greater": t, "less": -t}[alternative]
        low = -t if alternative == "two-sided" else -np.inf
        expected = 1 - law.cdf([t, t], lower_limit=[low, low])
        assert pair.adjusted == pytest.approx(expected, abs=0.02)
        if alternative == "two-sided":
            inside = found[pair[:2]].evidence.outcome.critical_value(0.05)
            outside = 1 - law.cdf([inside] * 2, lower_limit=[-inside] * 2)
            assert outside == pytest.approx(0.05, abs=0.01)
            single = stats.corrected_t(sample).confidence_interval()
            assert pair.high - pair.low > np.diff(single)


ONES = partial(compare_scores, np.ones((9, 3)))


@in_one_test(
    "ask, words",
    [
        (partial(ONES, unit="split"), "needs the sizes"),
        (partial(ONES, unit="split", test="paired_t", adjustment="max-t"), "needs the joint"),
    ],
)
def test_wrong_arguments(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()


def close_systems():
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.01, (30, 1))
    shifts = np.array([0, 0.0005, 0.01, 0.05])
    return base + rng.normal(0, 0.003, (30, 4)) + shifts


@pytest.mark.parametrize("control", [None, "A"])
@pytest.mark.parametrize("adjustment", ["holm", "shaffer", "max-t"])
def test_a_margin_is_judged_for_every_pair(adjustment, control):
    if adjustment == "shaffer" and control:
        pytest.skip("for all pairs")
    sizes = {"n_train": 200, "n_test": 100}
    asked = {"margin": 0.02, "adjustment": adjustment, "control": control}
    found = compare_scores(close_systems(), random_state=0, **asked, **sizes)
    check_report(found)
    tests = []
    for pair in found.pairs:
        a, b = (close_systems()[:, "ABCD".index(name)] for name in pair[:2])
        outcome = stats.corrected_t(PairedScores(a, b, **sizes))
        tests.append(stats.equivalence(outcome, 0.02))
    holm = stats.adjust_pvalues([test.pvalue for test in tests])
    for pair, test, adjusted in zip(found.pairs, tests, holm, strict=True):
        if adjustment != "max-t":
            assert found[pair[:2]].equivalence["pvalue"] == pytest.approx(test.pvalue)
            assert pair.equivalence_p == pytest.approx(adjusted)
        assert pair.verdict == ("equivalent" if "D" not in pair[:2] else pair.verdict)
        assert pair.verdict != "undecided"
    text = found.details
    assert "equivalence p" in text and "within the margin of 0.02" in text.replace("\n", " ")
    assert "the margin of 0.02" in found.conclusion
    pytest.importorskip("pandas")
    assert found.to_frame()["equivalence_pvalue"].notna().all()
