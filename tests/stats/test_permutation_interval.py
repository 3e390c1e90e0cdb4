"""The interval of the permutation test: it inverts the test, and what it covers."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skstat.metrics import as_metric
from skstat.stats import Predictions, paired_permutation
from tests.predicted import close

ALTERNATIVES = ["two-sided", "less", "greater"]
LABELS = ("accuracy", "f1_macro", "balanced_accuracy", "matthews_corrcoef")
NUMBERS = ("neg_mean_absolute_error", "r2", "a median")
RANKS = ("roc_auc", "average_precision")


@st.composite
def samples(draw):
    """Two systems on few rows, or on few groups of unequal size."""
    name = draw(st.sampled_from(LABELS + NUMBERS + RANKS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(8, 40))
    better = draw(st.sampled_from([0.0, 0.3, 0.8]))
    if name in NUMBERS:
        y = rng.normal(size=n)
        outputs = {"a": y + rng.normal(size=n), "b": y + (1 - better) * rng.gamma(1, 1, n)}
    else:
        y = np.r_[0, 0, 1, 1, rng.integers(0, 2, n - 4)]
        scores = {"a": y + rng.normal(size=n), "b": (1 + 3 * better) * y + rng.normal(size=n)}
        outputs = scores if name in RANKS else {k: 1 * (v > 0.5) for k, v in scores.items()}
    groups = None
    if draw(st.booleans()):
        groups = np.r_[np.arange(6), rng.integers(0, draw(st.integers(6, 12)), n - 6)]
    metric = close if name == "a median" else as_metric(name)
    strata = y if name in RANKS and groups is None else None
    return Predictions(y, outputs, metric, groups=groups, strata=strata)


options = st.fixed_dictionaries(
    {
        "alternative": st.sampled_from(ALTERNATIVES),
        "studentize": st.booleans(),
        "n_resamples": st.sampled_from([99, 300]),
        "rng": st.integers(0, 9),
    }
)


def asked(sample, **more):
    """Ask, unless a class is missing from too many resamples."""
    try:
        return paired_permutation(sample, **more)
    except ValueError as error:
        assume("undefined" not in str(error))
        raise


@given(samples(), options, st.sampled_from([0.6, 0.9, 0.95, 0.99]))
def test_the_interval_excludes_0_exactly_when_the_test_rejects(sample, how, level):
    outcome = asked(sample, **how)
    assume(abs(outcome.pvalue - (1 - level)) > 1e-9)
    low, high = outcome.confidence_interval(level)
    assert low <= high
    assert (not low <= 0 <= high) == (outcome.pvalue < 1 - level)


def kept(deltas, u, w, alpha):
    """Which shifts are kept, with all signs of the terms written out."""
    signs = np.array(list(product([1, -1], repeat=len(u))))
    values = np.abs(signs @ u)
    shares = np.array([np.mean(values >= value - 1e-12) for value in values])
    reach = values[shares >= alpha].max()
    spread = np.array([np.sqrt(np.sum((u - w * delta) ** 2)) for delta in deltas])
    return np.abs(u.sum() - deltas) * math.sqrt(u @ u) <= reach * spread


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_limits_of_a_mean_by_all_signs(grouped, level):
    rng = np.random.default_rng(1)
    y = np.zeros(9 if not grouped else 30)
    groups = np.r_[np.arange(8), rng.integers(0, 4, 22)] if grouped else np.arange(9)
    outputs = {"a": rng.gamma(1, 1, len(y)), "b": rng.gamma(1, 2, len(y))}
    d = outputs["b"] - outputs["a"]
    u = np.bincount(groups, d) / len(y)
    w = np.bincount(groups) / len(y)
    sample = Predictions(
        y, outputs, as_metric("neg_mean_absolute_error"), groups=groups if grouped else None
    )
    low, high = paired_permutation(sample, rng=0).confidence_interval(level)
    deltas = np.linspace(d.mean() - 4, d.mean() + 4, 40_001)
    expected = deltas[kept(deltas, u, w, 1 - level)]
    assert (low, high) == pytest.approx((expected.min(), expected.max()), abs=3e-4)


@pytest.mark.long
def test_few_groups_of_unequal_size_are_covered_where_percentiles_are_too_narrow():
    rng = np.random.default_rng(3)
    inside = np.zeros(2)
    sizes = np.array([1, 2, 3, 4, 6, 8, 10, 12])
    groups = np.repeat(np.arange(8), sizes)
    for _ in range(400):
        d = 1 + rng.normal(size=8)[groups] + rng.normal(size=len(groups))
        outputs = {"a": np.full(len(d), 50.0), "b": 50 + d}
        sample = Predictions(
            np.zeros(len(d)), outputs, as_metric("neg_mean_absolute_error"), groups=groups
        )
        outcome = paired_permutation(sample, n_resamples=499, rng=int(rng.integers(2**31)))
        for i, law in enumerate((outcome.law, outcome.law.by_replicates)):
            low, high = law.limits(0.025)
            inside[i] += low <= 1 <= high
    covered, by_percentiles = inside / 400
    assert 0.925 < covered < 0.98
    assert by_percentiles < 0.92


def test_where_no_rejection_is_possible_limits_are_finite_and_hold_0():
    y = np.ones(200, dtype=int)
    y[:80] = 0
    outputs = {"a": y.copy(), "b": y.copy()}
    outputs["b"][[3, 5, 100]] = 1 - y[[3, 5, 100]]
    sample = Predictions(y, outputs, as_metric("f1_macro"))
    outcome = paired_permutation(sample, rng=0)
    assert outcome.smallest_pvalue == 0.25
    low, high = outcome.confidence_interval()
    drawn_low, drawn_high = outcome.law.by_replicates.limits(0.025)
    assert -0.05 < low <= min(0, drawn_low) and drawn_high <= high < 0.05
