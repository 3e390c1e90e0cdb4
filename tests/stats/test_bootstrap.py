"""The paired bootstrap and its intervals: all resamples, SciPy, slow formulas, refusals."""

import json
import math
import pickle
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from skstat.metrics import as_metric
from skstat.stats import Comparison, Predictions, paired_bootstrap
from tests.cases import refusals
from tests.predicted import SAMPLES, close, fits, label_sample, macro_f1, right, within

ALTERNATIVES = ["two-sided", "less", "greater"]
INTERVALS = ["percentile", "basic", "bca"]


Y6 = np.array([0, 1, 2, 1, 0, 1])
A6 = np.array([0, 1, 2, 0, 0, 1])
B6 = np.array([0, 2, 1, 1, 1, 1])
NUMBERS = np.array([0.3, 1.7, 2.2, 0.9, 3.1, 1.4])
SHIFTS = np.array([0.1, -0.4, 0, 0.2, -0.1, 0.3])

OF_A, OF_B = NUMBERS + SHIFTS, NUMBERS - SHIFTS[[0, 3, 4, 5, 2, 1]] * 1.7
CASES = {
    "accuracy": (as_metric("accuracy"), Y6, A6, B6, right),
    "accuracy, called": (right, Y6, A6, B6, right),
    "macro F1": (as_metric("f1_macro"), Y6, A6, B6, macro_f1),
    "a median": (close, NUMBERS, OF_A, OF_B, close),
    "RMSE": (
        as_metric("neg_root_mean_squared_error"), NUMBERS, OF_A, OF_B,
        lambda y, p: -sk.root_mean_squared_error(y, p),
    ),
}  # fmt: skip


def compositions(n):
    """All ways to draw n of n units, as counts, with their probabilities."""
    law = Counter()
    for draw in product(range(n), repeat=n):
        law[tuple(np.bincount(draw, minlength=n).tolist())] += n**-n
    return law


DRAWS = {n: compositions(n) for n in (3, 6)}


def law_of_difference(metric, y, a, b, resamples):
    """Values of the difference over all resamples, with their probabilities."""
    law = defaultdict(float)
    for counts, probability in resamples.items():
        rows = np.repeat(np.arange(len(y)), counts)
        value = metric(y[rows], a[rows]) - metric(y[rows], b[rows])
        law[round(value, 10) + 0.0] += probability
    return law


def follows(replicates, law):
    """Whether replicates follow a law; no value is foreign to it."""
    seen = Counter(round(value, 10) + 0.0 for value in replicates)
    assert set(seen) <= set(law)
    return fits([seen[value] for value in law], list(law.values()))


def drawn(case, resamples, **units):
    """An outcome, whose replicates follow the law of all resamples."""
    metric, y, a, b, direct = case
    sample = Predictions(y, {"a": a, "b": b}, metric, **units)
    outcome = paired_bootstrap(sample, n_resamples=4000, rng=2)
    assert follows(outcome.law.replicates, law_of_difference(direct, y, a, b, resamples))
    return outcome


def exact_pvalue(law, estimate, alternative):
    extreme = {
        "two-sided": lambda value: abs(value - estimate) >= abs(estimate) - 1e-9,
        "greater": lambda value: value - estimate >= estimate - 1e-9,
        "less": lambda value: value - estimate <= estimate + 1e-9,
    }[alternative]
    return sum(probability for value, probability in law.items() if extreme(value))


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("metric, y, a, b, direct", CASES.values(), ids=CASES)
def test_all_resamples_of_six_rows(metric, y, a, b, direct):
    law = law_of_difference(direct, y, a, b, DRAWS[6])
    sample = Predictions(y, {"a": a, "b": b}, metric)
    for alternative in ALTERNATIVES:
        outcome = paired_bootstrap(sample, n_resamples=4000, rng=1, alternative=alternative)
        estimate = direct(y, a) - direct(y, b)
        assert outcome.estimate == pytest.approx(estimate, abs=1e-12)
        exact = exact_pvalue(law, estimate, alternative)
        floor = 2.0 ** -(outcome.law.n_differing - (alternative == "two-sided"))
        assert within(outcome.pvalue, max(exact, floor), 4000)
    assert follows(outcome.law.replicates, law)
    # Quantiles: as many of the law lie below a limit as should.
    both_sides = paired_bootstrap(sample, n_resamples=4000, rng=1)
    limits = both_sides.confidence_interval(0.8)
    if sample.kernel.class_sizes:  # few rows of a class: at least as long
        limits = np.quantile(both_sides.law.replicates, (0.1, 0.9))
    for limit, share in zip(limits, (0.1, 0.9), strict=True):
        below = sum(p for value, p in law.items() if value < limit - 1e-9)
        not_above = sum(p for value, p in law.items() if value <= limit + 1e-9)
        assert below - 0.025 <= share <= not_above + 0.025


@pytest.mark.parametrize("name", ["accuracy", "macro F1"])
def test_all_resamples_within_strata(name):
    strata = np.array([0, 1, 1, 0, 1, 0])
    resamples = {}
    for (first, p), (second, q) in product(DRAWS[3].items(), DRAWS[3].items()):
        counts = np.zeros(6, dtype=int)
        counts[strata == 0], counts[strata == 1] = first, second
        resamples[tuple(counts.tolist())] = p * q
    outcome = drawn(CASES[name], resamples, strata=strata)
    assert any("within strata whose sizes are fixed" in said for said in outcome.assumptions)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", CASES)
def test_all_resamples_of_six_groups(name):
    metric, *columns, direct = CASES[name]
    groups = np.array([4, 1, 0, 5, 3, 2, 4, 1, 4])  # of three rows, two and one
    columns = [np.concatenate([column, column[[2, 0, 5]]]) for column in columns]
    resamples = {tuple(np.array(counts)[groups]): p for counts, p in DRAWS[6].items()}
    outcome = drawn((metric, *columns, direct), resamples, groups=groups)
    assert outcome.test == "paired bootstrap test, groups resampled"
    assert "population of groups" in outcome.estimand


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", ["accuracy", "a median", "macro F1"])
def test_all_moving_blocks(name):
    when = np.array([2, 0, 5, 1, 4, 3])
    order = np.argsort(when)
    resamples = Counter()
    for starts in product(range(5), repeat=3):
        rows = order[[start + step for start in starts for step in (0, 1)]]
        resamples[tuple(np.bincount(rows, minlength=6).tolist())] += 1 / 125
    outcome = drawn(CASES[name], resamples, order=when, block_length=2)
    said = " ".join(outcome.assumptions)
    assert "does not reach beyond blocks of 2 rows" in said
    assert "in blocks of 2 rows in time order" in said
    assert outcome.test == "paired bootstrap test, blocks of 2 rows resampled"


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", ["accuracy", "macro F1", "a median"])
def test_directions_of_the_data(name, sign):
    metric, y, a, b, direct = CASES[name]
    if sign < 0:
        a, b = b, a
    law = law_of_difference(direct, y, a, b, DRAWS[6])
    sample = Predictions(y, {"a": a, "b": b}, metric)
    d = direct(y, a) - direct(y, b)
    side = math.copysign(1, d)
    shares = {
        "berg-kirkpatrick": sum(p for v, p in law.items() if side * v >= 2 * abs(d) - 1e-9),
        "sign-reversal": sum(p for v, p in law.items() if side * v <= 1e-9),
    }
    for method, exact in shares.items():
        outcome = paired_bootstrap(sample, n_resamples=4000, rng=6, pvalue=method)
        assert within(outcome.pvalue, max(exact, 2.0**-outcome.law.n_differing), 4000)
        assert outcome.alternative == ("greater" if d > 0 else "less")
        assert outcome.pvalue >= outcome.smallest_pvalue


# Which system is A, which rows come first, how blocks are computed.

ORDER_FREE = SAMPLES | {"macro F1 in strata": label_sample(strata=np.arange(60) % 4)}


@pytest.mark.parametrize("name", ORDER_FREE)
def test_the_order_of_rows_is_no_matter(name):
    sample = ORDER_FREE[name]
    order = np.random.default_rng(8).permutation(60)

    def shuffled(values):
        return None if values is None else np.asarray(values)[order]

    other = Predictions(
        shuffled(sample.y_true), {k: out[order] for k, out in sample.outputs.items()},
        sample.metric, groups=shuffled(sample.groups), strata=shuffled(sample.strata),
        sample_weight=shuffled(sample.sample_weight),
    )  # fmt: skip
    n_resamples = 400 if "called" in name else 4000
    here, there = (
        paired_bootstrap(which, n_resamples=n_resamples, rng=9) for which in (sample, other)
    )
    assert there.estimate == pytest.approx(here.estimate, abs=1e-14)
    assert stats.ks_2samp(here.law.replicates, there.law.replicates).pvalue > 1e-4


# Degenerate predictions.


@pytest.mark.parametrize("interval", INTERVALS)
def test_as_many_wins_as_losses(interval):
    y = np.ones(20)
    outputs = {"a": np.repeat([1, 0, 1], [6, 6, 8]), "b": np.repeat([0, 1, 1], [6, 6, 8])}
    sample = Predictions(y, outputs, as_metric("accuracy"))
    outcome = paired_bootstrap(sample, n_resamples=999, interval=interval, rng=0)
    assert (outcome.estimate, outcome.pvalue, outcome.direction) == (0, 1, 0)
    low, high = outcome.confidence_interval()
    assert low < 0 < high
    for method in ("berg-kirkpatrick", "sign-reversal"):
        undirected = paired_bootstrap(sample, n_resamples=99, rng=0, pvalue=method)
        assert undirected.pvalue == 1
        assert undirected.alternative == "two-sided"


# Metrics that are undefined on some resamples.


def test_resamples_without_a_class_are_drawn_anew():
    rng, y = np.random.default_rng(30), np.arange(150) < 6
    outputs = {name: rng.random(150) + 0.5 * y for name in "ab"}
    sample = Predictions(y.astype(int), outputs, as_metric("roc_auc"))
    outcome = paired_bootstrap(sample, n_resamples=8000, rng=1)
    missing = (1 - 6 / 150) ** 150
    expected = 8000 * missing
    assert abs(outcome.law.n_redrawn - expected) < 4 * math.sqrt(expected)
    assert np.isfinite(outcome.law.replicates).all()
    assert len(outcome.law.replicates) == 8000
    assert outcome.to_dict()["law"]["n_redrawn"] == outcome.law.n_redrawn > 0


def test_one_class_is_refused_before_anything_is_drawn():
    def undefined(y, p):
        return float("nan") if p[0] > 0.5 else 1.0

    sample = Predictions([1, 0], {"a": [0.1, 0.2], "b": [0.9, 0.2]}, undefined)
    with pytest.raises(ValueError, match=r"undefined .*predictions\['b'\]"):
        paired_bootstrap(sample, n_resamples=10**9)


# Outcomes.


test_what_is_refused = refusals([
    ({"interval": "normal"}, "interval='normal' is unknown; use one of 'percentile'"),
    ({"interval": "studentized"}, "interval='studentized' is unknown; use 'bca'"),
    ({"pvalue": "two"}, "pvalue='two' is unknown; use 'shift'"),
    ({"alternative": "less", "pvalue": "sign-reversal"},
     "has the data's direction; leave alternative out"),
], partial(paired_bootstrap, SAMPLES["accuracy"]))  # fmt: skip


def test_nothing_that_is_passed_switches_checks_off():
    ask = (Y6, {"a": Y6, "b": 1 - Y6[:4]}, macro_f1)
    with pytest.raises(ValueError, match=r"'b'\] has 4 rows"):
        Predictions(*ask)
    with pytest.raises(TypeError, match="'work'"):
        Predictions(*ask, work=None)
    with pytest.raises(ValueError, match="draw='checked' is unknown; use 'cells', 'jo"):
        Predictions(*ask, draw="checked")
    sample = Predictions(Y6, {"a": Y6, "b": 2 - Y6}, as_metric("f1_macro"), draw="joint")
    with pytest.raises(TypeError, match="work"):
        replace(sample, work=None)
    kernel = sample.kernel
    # What was found out about these rows is not true of others.
    other = replace(sample, outputs={"a": 2 - Y6, "b": Y6})
    assert other.draw == "joint" and other.kernel is not kernel
    np.testing.assert_allclose(other.scores, sample.scores[::-1])
    with pytest.raises(ValueError, match="got 'a' twice"):
        sample.pair("a", "a")
    copied = pickle.loads(pickle.dumps(sample))
    assert copied.draw == "joint" and copied.plan.n_units == sample.plan.n_units
    back = pickle.loads(pickle.dumps(sample.pair("a", "b").with_(metric=as_metric("accuracy"))))
    assert back.scores.tolist() == [1.0, np.mean(Y6 == 2 - Y6)]


def error(y, p):
    return -float(np.mean(np.abs(y - p)))


def losses(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    a = y + rng.gamma(2, 0.5, n)
    return y, a, y + 0.7 * (a - y) * rng.lognormal(0, 0.6, n)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", INTERVALS)
def test_intervals_are_scipys(method, alternative):
    y, a, b = losses(30)
    sample = Predictions(y, {"a": a, "b": b}, as_metric("neg_mean_absolute_error"))
    outcome = paired_bootstrap(
        sample, n_resamples=20_000, interval=method, rng=7, alternative=alternative
    )
    expected = stats.bootstrap(
        (np.abs(y - a), np.abs(y - b)),
        lambda first, second, axis: np.mean(second, axis=axis) - np.mean(first, axis=axis),
        paired=True, vectorized=True, n_resamples=20_000, confidence_level=0.9,
        method={"bca": "BCa"}.get(method, method), alternative=alternative,
        rng=np.random.default_rng(8),
    )  # fmt: skip
    # A quantile at .05 of 20 000 draws has an error of .015 standard errors.
    tolerance = 0.1 * expected.standard_error
    found = outcome.confidence_interval(0.9)
    assert found == pytest.approx(
        tuple(map(float, expected.confidence_interval)), abs=tolerance
    )
    assert outcome.standard_error == pytest.approx(expected.standard_error, rel=0.04)


@pytest.mark.parametrize("metric", ["neg_mean_absolute_error", error])
def test_acceleration_of_a_mean(metric):
    # Of a mean it is the skewness of its terms over 6 sqrt(n).
    y, a, b = losses(40, seed=9)
    metric = as_metric(metric) if isinstance(metric, str) else metric
    sample = Predictions(y, {"a": a, "b": b}, metric)
    outcome = paired_bootstrap(sample, n_resamples=50, interval="bca", rng=0)
    d = np.abs(y - b) - np.abs(y - a)
    expected = stats.skew(d) / (6 * math.sqrt(40))
    assert outcome.law.acceleration == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ["f1_macro", "accuracy", "balanced_accuracy"])
def test_cells_are_accelerated_as_rows(name):
    rng = np.random.default_rng(10)
    y = rng.integers(0, 3, 100)
    outputs = {k: np.where(rng.random(100) < 0.7, y, rng.integers(0, 3, 100)) for k in "ab"}
    metric = as_metric(name)
    cells, rows = (
        paired_bootstrap(
            Predictions(y, outputs, metric, draw=draw),
            n_resamples=20, interval="bca", rng=0,
        ).law.acceleration
        for draw in ("cells", "rows")
    )  # fmt: skip
    assert cells == pytest.approx(rows, rel=1e-9)


def test_bca_limits_by_the_formula():
    y, a, b = losses(25, seed=11)
    sample = Predictions(y, {"a": a, "b": b}, close)
    outcome = paired_bootstrap(sample, n_resamples=999, interval="bca", rng=1)
    d = np.asarray(outcome.law.replicates)
    # The median ties with itself on many resamples: ties count half for the bias.
    share = (np.sum(d < outcome.estimate) + np.sum(d == outcome.estimate) / 2) / 999
    assert np.sum(d == outcome.estimate) > 0
    z0 = stats.norm.ppf(share)
    left_out = np.array(
        [close(np.delete(y, i), np.delete(a, i)) - close(np.delete(y, i), np.delete(b, i))
         for i in range(25)]
    )  # fmt: skip
    u = left_out.mean() - left_out
    acc = np.sum(u**3) / (6 * np.sum(u**2) ** 1.5)
    limits = []
    for z in stats.norm.ppf([0.05, 0.95]):
        level = stats.norm.cdf(z0 + (z0 + z) / (1 - acc * (z0 + z)))
        place = 1000 * level  # order statistics number (B + 1) * level, interpolated
        below = np.sort(d)[[math.floor(place) - 1, math.floor(place)]]
        limits.append(below[0] + (place % 1) * (below[1] - below[0]))
    assert outcome.confidence_interval(0.9) == pytest.approx(limits, abs=1e-12)


def test_percentiles_are_order_statistics():
    y, a, b = losses(20, seed=12)
    sample = Predictions(y, {"a": a, "b": b}, as_metric("neg_mean_absolute_error"))
    outcome = paired_bootstrap(sample, n_resamples=999, rng=2)
    ordered = np.sort(outcome.law.replicates)
    assert outcome.confidence_interval(0.95) == pytest.approx((ordered[24], ordered[974]))
    assert outcome.confidence_interval(0.9) == pytest.approx((ordered[49], ordered[949]))
    basic = paired_bootstrap(sample, n_resamples=999, rng=2, interval="basic")
    expected = 2 * outcome.estimate - ordered[[974, 24]]
    assert basic.confidence_interval(0.95) == pytest.approx(tuple(expected))
    # More than B replicates can tell.
    assert outcome.confidence_interval(0.9999) == (-math.inf, math.inf)
    greater = paired_bootstrap(sample, n_resamples=999, rng=2, alternative="greater")
    assert greater.confidence_interval(0.95) == (pytest.approx(ordered[49]), math.inf)
    less = paired_bootstrap(sample, n_resamples=999, rng=2, alternative="less")
    assert less.confidence_interval(0.95) == (-math.inf, pytest.approx(ordered[949]))


def test_bca_needs_every_row_to_be_spared():
    def of_twelve(y, p):
        return float(np.mean(p)) if len(y) == 12 else float("nan")

    outputs = {"a": np.linspace(1, 0, 12) ** 2, "b": np.linspace(0, 1, 12)}
    sample = Predictions(np.zeros(12), outputs, of_twelve)
    # Without one of them the metric is undefined: it says that it takes percentiles.
    outcome = paired_bootstrap(sample, interval="bca", n_resamples=50, rng=0)
    percentile = paired_bootstrap(sample, n_resamples=50, rng=0)
    assert outcome.law.acceleration is None
    assert outcome.confidence_interval() == percentile.confidence_interval()
    assert any("percentile (bca is undefined here)" in said for said in outcome.assumptions)


@pytest.mark.parametrize("turned", [False, True])
def test_of_several_pairs_what_limits_need_is_kept(turned):
    y, a, b = losses(30)
    several = Predictions(y, {"a": a, "b": b, "c": a + 0.1}, close)
    alone = Predictions(y, {"a": a, "b": b}, close)
    whole, short = (
        paired_bootstrap(sample, n_resamples=4_999, rng=0)
        for sample in (alone, several.pair("a", "b"))
    )
    if turned:
        whole, short = whole.turned(), short.turned()
    for level in (0.9, 0.95, 0.99):
        assert short.confidence_interval(level) == whole.confidence_interval(level)
    state = json.loads(json.dumps(short.to_dict()))
    assert len(state["law"]["kept"]) < 1_000
    back = Comparison.from_dict(state)
    assert np.array_equal(np.sort(back.law.replicates), np.sort(short.law.replicates))
    assert back.to_dict() == short.to_dict()
    for n in (10**12, 5_999):
        state["law"]["n_resamples"] = n
        with pytest.raises(ValueError):
            Comparison.from_dict(state)
