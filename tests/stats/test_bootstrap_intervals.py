"""Intervals of the paired bootstrap against SciPy and slow formulas."""

import json
import math

import numpy as np
import pytest
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import Comparison, Predictions, paired_bootstrap
from tests.predicted import close

ALTERNATIVES = ["two-sided", "less", "greater"]


def error(y, p):
    return -float(np.mean(np.abs(y - p)))


def losses(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    a = y + rng.gamma(2, 0.5, n)
    return y, a, y + 0.7 * (a - y) * rng.lognormal(0, 0.6, n)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
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
    assert len(state["law"]["replicates"]["kept"]) < 1_000
    back = Comparison.from_dict(state)
    assert np.array_equal(np.sort(back.law.replicates), np.sort(short.law.replicates))
    assert back.to_dict() == short.to_dict()
    for n in (10**12, 5_999):
        state["law"]["replicates"]["of"] = n
        with pytest.raises(ValueError):
            Comparison.from_dict(state)
