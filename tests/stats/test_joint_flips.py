"""Flips of whole units: against a list of all patterns, and of scores against differences."""

from itertools import product

import numpy as np
import pytest

from skstat.stats import _resampling as plans
from skstat.stats._max_t import JointFlips, critical_maximum
from tests.cases import in_one_test

PAIRS = [(0, 1), (0, 2), (1, 2)]


def listed(scores, pairs, sizes, alternative):
    """All patterns, and means with cluster-robust standard errors by their definition."""
    n = len(scores)
    m = np.ones(n) if sizes is None else sizes
    found = []
    for signs in product([1, -1], repeat=n):
        row = []
        for a, b in pairs:
            d = np.array(signs) * (scores[:, a] - scores[:, b])
            mean = d.sum() / m.sum()
            error = np.sqrt(n / (n - 1) * ((d - m * mean) ** 2).sum()) / m.sum()
            row.append(mean / error)
        found.append(row)
    t = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative](found)
    maxima = t.max(axis=1)
    joint = [np.mean(maxima >= value - 1e-9) for value in t[0]]
    return joint, (t >= t[0] - 1e-9).mean(axis=0), t[0], t


def by_listing(*args):
    return listed(*args)[:3]


@in_one_test("alternative", ["two-sided", "greater", "less"])
@in_one_test("sizes", [None, np.array([1, 5, 2, 2, 3, 1, 4.0])])
def test_by_listing_all_patterns(sizes, alternative):
    rng = np.random.default_rng(0)
    scores = np.round(rng.normal(size=(7, 3)) + np.array([0, 0.4, 1.5]), 1)
    found = JointFlips(scores, sizes).max_t(PAIRS, 9_999, 0, alternative)
    joint, alone, t = by_listing(scores, PAIRS, sizes, alternative)
    assert found.pvalues == pytest.approx(joint)
    assert found.alone == pytest.approx(alone)
    assert found.t == pytest.approx(t)
    assert len(found.maxima) == 2**7 - 1
    assert found.estimates / found.standard_errors == pytest.approx(
        t if alternative != "less" else -t
    ) or alternative == "two-sided"  # fmt: skip


@pytest.mark.parametrize("n", [1, 19, 99, 1000])
def test_the_critical_value_is_that_of_the_p_values(n):
    rng = np.random.default_rng(n)
    maxima = np.sort(np.round(rng.normal(size=n) ** 2, 2))
    for alpha in (0.01, 0.05, 0.1, 0.5):
        critical = critical_maximum(maxima, alpha)
        for t in np.r_[np.linspace(0, 9, 400), maxima]:
            p = (1 + np.sum(maxima >= t - 1e-5 * max(1, t))) / (1 + n)
            assert (p < alpha) == (t > critical)


def test_units_of_few_kinds_are_drawn_kind_by_kind():
    # The same law as that of the flips of single units, which a number that differs makes.
    rng = np.random.default_rng(11)
    n = 2_500
    right = rng.random((n, 3)) < np.array([0.70, 0.71, 0.74])
    alike = JointFlips(right.astype(float))
    apart = right + 1e-7 * rng.normal(size=right.shape)
    single = JointFlips(apart)
    few, many = alike.max_t(PAIRS, 4_000, 0), single.max_t(PAIRS, 4_000, 1)
    assert few.t == pytest.approx(many.t, rel=1e-4)
    assert few.standard_errors == pytest.approx(many.standard_errors, rel=1e-4)
    error = np.sqrt(0.25 / 4_000)
    assert few.pvalues == pytest.approx(many.pvalues, abs=4 * error)
    assert few.alone == pytest.approx(many.alone, abs=4 * error)
    quantiles = np.linspace(0.05, 0.95, 10)
    assert np.quantile(few.maxima, quantiles) == pytest.approx(
        np.quantile(many.maxima, quantiles), abs=0.08
    )


def in_blocks(monkeypatch, n_blocks):
    monkeypatch.setattr(plans, "MANY_UNITS", 3 * n_blocks)
    monkeypatch.setattr(plans, "N_BLOCKS", n_blocks)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_blocks_of_many_units_by_listing_all_patterns(monkeypatch, alternative):
    scores = np.random.default_rng(5).normal(size=(40, 3)) + np.array([0, 0.2, 0.4])
    units = JointFlips(scores).max_t(PAIRS, 99, 0, alternative)
    in_blocks(monkeypatch, 7)
    found = JointFlips(scores).max_t(PAIRS, 9_999, 0, alternative)
    # What is observed is that of the units, and the patterns are those of the blocks.
    for name in ("t", "estimates", "standard_errors"):
        assert getattr(found, name) == pytest.approx(getattr(units, name))
    assert len(found.maxima) == 2**7 - 1
    sums = np.stack([scores[block::7].sum(axis=0) for block in range(7)])
    sizes = np.array([len(scores[block::7]) for block in range(7)], dtype=float)
    _, _, _, patterns = listed(sums, PAIRS, sizes, alternative)
    assert np.sort(found.maxima) == pytest.approx(np.sort(patterns.max(axis=1)[1:]), abs=1e-5)
