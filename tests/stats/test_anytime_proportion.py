"""Intervals of a share that hold at all times: against an e-process, integrals and draws."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import beta, roots_jacobi

from skstat.stats import proportion_interval
from tests.cases import in_one_test

anytime = partial(proportion_interval, method="anytime")
counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@in_one_test(
    "b, c, evidence",
    [
        (18, 6, 3.7134),
        (20, 5, 19.4853),
        (10, 0, 180.426),
        (5, 5, 0.24609),
        (30, 10, 23.444),
        (60, 30, 13.7119),
    ],
)
def test_a_fair_coin_is_left_out_when_the_evidence_of_a_betting_game_says_so(b, c, evidence):
    """E = 2^n B(b + 1/2, c + 1/2) / B(1/2, 1/2): the game against a share of one half."""
    n = b + c
    assert 2**n * beta(b + 0.5, c + 0.5) / math.pi == pytest.approx(evidence, rel=1e-4)
    for level in (1 - 0.99 / evidence, 1 - 1.01 / evidence):
        if 0 < level < 1:
            low, high = anytime(b, n, level)
            assert (low < 0.5 < high) == (1 / (1 - level) > evidence)


@given(counts, st.sampled_from([0.05, 0.3]), st.sampled_from([2.0, 10.0]))
@example((37, 38), 0.05, 10.0)
@example((8, 9), 0.05, 10.0)
def test_limits_are_where_the_mean_likelihood_is_twenty_times_the_one_there(
    given_counts, expected, weight
):
    x, n = given_counts
    a = weight * expected
    # The likelihood is a polynomial of degree n: so many points integrate it exactly.
    nodes, weights = roots_jacobi(n // 2 + 1, weight - a - 1, a - 1)
    points = (1 + nodes) / 2
    mixed = np.sum(weights * points**x * (1 - points) ** (n - x)) / np.sum(weights)
    low, high = anytime(x, n, expected=expected, weight=weight)
    assert (low == 0) == (x == 0) and (high == 1) == (x == n)
    for limit in (low, high):
        if 0 < limit < 1:
            # A limit has 16 digits, of which few are left of 1 - limit close to 1.
            rounding = n * np.finfo(float).eps / min(limit, 1 - limit)
            assert mixed / (limit**x * (1 - limit) ** (n - x)) == pytest.approx(
                20, rel=1e-6 + rounding
            )


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_looking_after_every_instance_misses_the_share_in_one_of_twenty_at_most(share):
    rng = np.random.default_rng(0)
    found = rng.random((400, 200)) < share
    sums = found.cumsum(axis=1)
    limits = {}

    def misses(x, n):
        if (x, n) not in limits:
            limits[x, n] = anytime(x, n, expected=0.05, weight=10.0)
        low, high = limits[x, n]
        return not low <= share <= high

    missed = [any(misses(int(x), n) for n, x in enumerate(row, 1)) for row in sums]
    assert np.mean(missed) < 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)
    assert sum(missed) > 0
    usual = [
        any(
            not lo <= share <= hi
            for lo, hi in (proportion_interval(int(x), n) for n, x in looks)
        )
        for looks in ([*enumerate(row, 1)][9::10] for row in sums[:100])
    ]
    assert np.mean(usual) > 0.15


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"expected=1 must be a share"):
        anytime(1, 2, expected=1)
    with pytest.raises(ValueError, match=r"weight=0 must be a number of instances above 0"):
        anytime(1, 2, weight=0)
    with pytest.raises(ValueError, match="successes"):
        anytime(3, 2)
