"""Three systems or more on one data set: pairs, the best, and the joint law."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import multivariate_t
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores, paired_cross_validate, stats
from skstat.stats import PairedScores
from tests.cases import refusals
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


ONES = partial(compare_scores, np.ones((9, 3)), unit="split")
test_wrong_arguments = refusals(
    [
        (ONES, "needs the sizes"),
        (partial(ONES, test="paired_t", adjustment="max-t"), "needs the joint"),
    ]
)
