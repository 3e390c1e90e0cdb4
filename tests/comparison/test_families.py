"""Several systems: a pair says what it says alone, and all numbers of a report agree."""

import math
import pickle
from typing import get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_t
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import stats
from tests.cases import codes
from tests.contract import changed, check_best, check_report

LEVELS = (0.8, 0.9, 0.95, 0.99)
ADJUSTMENTS = (*get_args(get_type_hints(stats.adjust_pvalues)["method"]), "max-t")


def assert_coherent(report):
    """Compare p-value, interval, verdict, letters and candidates at several levels."""
    for level in LEVELS:
        found = changed(report, confidence_level=level)
        beaten = set()
        for pair in found.pairs:
            a, b = pair[:2]
            low, high = (-pair.high, -pair.low) if found.lower else (pair.low, pair.high)
            apart = low > 0 or high < 0
            assert (pair.adjusted < found.alpha) == apart, (a, b, level, pair)
            side = ("undecided", "better", "worse")[int(np.sign(low + high)) if apart else 0]
            assert pair.verdict == side or math.isinf(low + high)
            alone = found[a, b]
            assert alone.verdict == pair.verdict
            assert str(alone.confidence_interval()[:]) == str((pair.low, pair.high))
            assert "was found" not in alone.conclusion or not apart
            if "letters" in found.systems:
                letters = (set(found.systems[name].letters) for name in (a, b))
                assert next(letters).isdisjoint(next(letters)) == apart
            if apart:
                beaten.add(b if low > 0 else a)
        if "best_pvalue" in found.systems:
            assert found.may_be_best
            check_best(found, beaten)


@st.composite
def tables(draw):
    """Scores with ties, systems that are the same, and constant differences."""
    k, n = draw(st.integers(3, 5)), draw(st.integers(5, 22))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, 1)) + rng.normal(0, draw(st.sampled_from([0.1, 1])), (n, k))
    scores += draw(st.sampled_from([0, 0.3, 3])) * rng.normal(size=k)
    decimals = draw(st.sampled_from([0, 1, 12]))
    scores = np.round(scores, decimals)
    special = draw(st.sampled_from(["none", "twin", "shifted", "right or wrong"]))
    if special == "twin":
        scores[:, -1] = scores[:, 0]
    elif special == "shifted":
        scores[:, -1] = scores[:, 0] + 1
    elif special == "right or wrong":
        scores = (scores > np.median(scores)).astype(float)
    return scores


UNITS = {
    "split": {"unit": "split", "n_train": 40, "n_test": 20},
    "instance": {"unit": "instance"},
    "group": {"unit": "group"},
    "seed": {"unit": "seed"},
    "ordered": {"unit": "instance", "ordered": True},
}
HEALTH = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
QUICK = settings(max_examples=5, derandomize=True, **HEALTH)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("unit", UNITS)
@QUICK
@given(scores=tables(), control=st.booleans())
def test_by_default_nothing_contradicts_anything(unit, scores, control):
    table = stats.ScoreTable(scores, systems="abcde"[: scores.shape[1]], **UNITS[unit])
    report = skstat.compare_scores(table, control="a" if control else None, random_state=0)
    assert report.adjustment == "max-t"
    assert_coherent(report)
    assert skstat.report_from_dict(report.to_dict()).to_dict() == report.to_dict()


@settings(QUICK, max_examples=12)
@given(
    scores=tables(),
    unit=st.sampled_from(["split", "seed", "instance"]),
    adjustment=st.sampled_from(ADJUSTMENTS),
)
def test_every_adjustment_adjusts_intervals_too(scores, unit, adjustment):
    table = stats.ScoreTable(scores[:16], systems="abcde"[: scores.shape[1]], **UNITS[unit])
    assert_coherent(skstat.compare_scores(table, adjustment=adjustment, random_state=0))


@settings(QUICK, max_examples=2)
@given(seed=st.integers(0, 1000))
@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", "neg_mean_squared_error"])
@pytest.mark.parametrize("n_groups", [None, 7, 12])
def test_predictions(metric, n_groups, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 60)
    right = {name: rng.random(60) < p for name, p in (("a", 0.95), ("b", 0.9), ("c", 0.6))}
    outputs = {name: np.where(r, y, 1 - y) for name, r in right.items()}
    groups = None if n_groups is None else np.arange(60) % n_groups
    report = skstat.compare_predictions(
        y, outputs, metric=metric, groups=groups, n_resamples=199, random_state=0
    )
    assert report.adjustment == "max-t"
    assert_coherent(report)


def test_draws_are_as_many_as_the_adjustment_needs():
    scores = np.random.default_rng(0).normal(size=(40, 3)) + np.array([0, 1, 2])
    # 9999 draws could not reach 3 p below the level.
    asked = {"unit": "instance", "test": "sign_flip", "adjustment": "holm", "random_state": 0}
    report = skstat.compare_scores(scores, confidence_level=0.9998, **asked)
    assert report.n_resamples == 30_000
    assert report.smallest_pvalue < 0.0002
    assert report["A", "C"].verdict == "worse"
    assert "SKS217" not in codes(report)


RNG = np.random.default_rng(5)
SMOOTH = 0.8 + 0.03 * RNG.standard_normal((30, 1)) + 0.02 * RNG.standard_normal((30, 5))
BETTER = SMOOTH + np.linspace(0, 0.2, 5)
COARSE = RNG.integers(5, 8, (30, 4)) / 10
SKEWED = SMOOTH[:, :1] + np.arange(5) / 100
SKEWED[3, 4] -= 0.5
# A copy, a constant difference, a constant; and rows that differ by these for a while only.
ODD = np.column_stack([COARSE[:, :2], COARSE[:, 0], COARSE[:, 0] + 0.25, np.full(30, 0.7)])
ROWS = ODD + np.r_[np.zeros((20, 5)), 0.1 * RNG.standard_normal((10, 5))]
# Ranked with their zeros some pairs differ; by the interval, which knows no zeros, they do not.
ZEROS = np.zeros((20, 4))
ZEROS[:9, 1], ZEROS[:8, 2], ZEROS[11:, 3] = RNG.random(9), RNG.random(8), -RNG.random(9)
RIGHT = (RNG.random((60, 4)) < 0.7).astype(float)
EVEN, UNEVEN = np.arange(30) // 3, np.sort(RNG.integers(0, 9, 30))

SPLITS = {"n_train": 90, "n_test": 10, "test": "corrected_t"}
FOLDS = {"n_repeats": 1, "test": "corrected_t"}
SEEDS = {"unit": "seed", "paired_seeds": True, "test": "paired_t"}
ITEMS = {"unit": "instance", "test": "sign_flip"}
SETS = {"unit": "dataset"}
LESS, GREATER = {"alternative": "less"}, {"alternative": "greater"}
CASES = {
    "smooth": (SMOOTH, {**SPLITS, "margin": 0.01}, {"SKS103"}),
    "greater": (SMOOTH[:10], FOLDS | GREATER, {"SKS102"}),
    "skewed": (SKEWED, SPLITS, {"SKS203"}),
    "control": (SKEWED, {**SPLITS, "control": "s1", "confidence_level": 0.8}, set()),
    "odd": (ODD, SPLITS, {"SKS201", "SKS202"}),
    "odd, margin": (ODD, {**FOLDS, "margin": 0.2} | LESS, {"SKS202"}),
    "same": (np.full((10, 3), 0.7), FOLDS, {"SKS201"}),
    "seeds": (BETTER, SEEDS, set()),
    "rows": (ROWS, {**ITEMS, "margin": 0.1}, set()),
    "few rows": (ODD[:7], ITEMS | GREATER, {"SKS201"}),
    "right and wrong": (RIGHT, {**ITEMS, "control": "s1"}, set()),
    "groups": (SKEWED, {**ITEMS, "unit": "group"} | LESS, set()),
    "rows in groups": (
        SMOOTH, {"unit": "instance", "group": EVEN, "test": "clustered_t"}, set(),
    ),
    "rows in odd groups": (
        SKEWED, {"unit": "instance", "group": UNEVEN, "margin": 0.1, "test": "clustered_t"},
        {"SKS107"},
    ),
    "data sets": (BETTER, SETS, set()),
    "data sets, less": (SKEWED, SETS | LESS, {"SKS203"}),
    "data sets, odd": (ODD[:14], {**SETS, "margin": 0.02}, {"SKS201"}),
    "data sets, zeros": (ZEROS, {**SETS, "adjustment": "bonferroni"}, {"SKS206"}),
    "data sets, signs": (ZEROS, {**SETS, "test": "sign"}, set()),
    "data sets, means": (SKEWED, {**SETS, "test": "paired_t"} | GREATER, {"SKS203"}),
    "data sets, few": (BETTER[:4], SETS, {"SKS217"}),
}  # fmt: skip
OF_FAMILIES = ("control", "adjustment")


def named(scores, names=None):
    named = {f"s{number}": column for number, column in enumerate(scores.T)}
    return named if names is None else {name: named[name] for name in names}


@pytest.mark.long(keep=11)
@pytest.mark.parametrize("scores, options, raised", CASES.values(), ids=CASES)
def test_in_company_a_pair_has_the_numbers_that_it_has_alone(scores, options, raised):
    report = skstat.compare_scores(named(scores), random_state=0, **options)
    check_report(report)
    assert pickle.loads(pickle.dumps(report)).to_json() == report.to_json()
    assert raised <= codes(report)
    of_one = {key: value for key, value in options.items() if key not in OF_FAMILIES}
    for pair in report.pairs:
        alone = skstat.compare_scores(named(scores, pair[:2]), random_state=0, **of_one)
        (found,) = alone.pairs
        assert (pair.estimate, pair.n) == (pytest.approx(found.estimate), found.n)
        # Of few rows all sign patterns are counted, of a family's some are drawn.
        drawn = 0.02 if options.get("test") == "sign_flip" else 1e-12
        assert pair.pvalue == pytest.approx(found.pvalue, abs=drawn, nan_ok=True), pair[:2]


# Estimators on one data set: pairs, the best, and the joint law

X, Y = load_breast_cancer(return_X_y=True)
ESTIMATORS = {
    "NB": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "ridge": RidgeClassifier(),
}


@pytest.fixture(scope="module")
def run():
    return skstat.paired_cross_validate(ESTIMATORS, X, Y, random_state=0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_joint_law_is_the_multivariate_t(run, alternative):
    """Against SciPy's distribution function, for two comparisons with a control."""
    asked = {"control": "NB", "adjustment": "max-t", "test": "corrected_t"}
    found = skstat.compare_scores(run, alternative=alternative, **asked, random_state=1)
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


SHIFTS = np.array([0, 0.0005, 0.01, 0.05])
CLOSE = RNG.normal(0.8, 0.01, (30, 1)) + RNG.normal(0, 0.003, (30, 4)) + SHIFTS


@pytest.mark.parametrize("control", [None, "A"])
@pytest.mark.parametrize("adjustment", ["holm", "shaffer", "max-t"])
def test_a_margin_is_judged_for_every_pair(adjustment, control):
    if adjustment == "shaffer" and control:
        pytest.skip("for all pairs")
    sizes = {"n_train": 200, "n_test": 100}
    asked = {"margin": 0.02, "adjustment": adjustment, "control": control}
    found = skstat.compare_scores(CLOSE, random_state=0, **asked, **sizes)
    check_report(found)
    tests = []
    for pair in found.pairs:
        a, b = (CLOSE[:, "ABCD".index(name)] for name in pair[:2])
        outcome = stats.corrected_t(stats.PairedScores(a, b, **sizes))
        tests.append(stats.equivalence(outcome, 0.02))
    holm = stats.adjust_pvalues([test.pvalue for test in tests])
    each = zip(found.pairs, tests, holm, found.evidence.equivalence, strict=True)
    for pair, test, adjusted, own in each:
        assert own.interval(0.05) == pytest.approx(test.interval(0.05))
        assert found[pair[:2]].equivalence["pvalue"] == pytest.approx(test.pvalue)
        assert pair.equivalence_p == pytest.approx(adjusted)
        assert pair.verdict == ("equivalent" if "D" not in pair[:2] else pair.verdict)
        assert pair.verdict != "undecided"
    text = found.details
    assert "equivalence p" in text and "within the margin of 0.02" in text.replace("\n", " ")
    assert "the margin of 0.02" in found.conclusion
    pytest.importorskip("pandas")
    assert found.to_frame()["equivalence_pvalue"].notna().all()
