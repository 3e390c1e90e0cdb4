"""Diagnostics of Markov chains: numbers of arviz, and the formulas written out plainly."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from numpy.testing import assert_allclose

from skstat.stats._chains import Diagnostics, diagnose, effective_size, split_rhat


def numbers(n, seed):
    """Normal numbers by a linear congruence, the same on every machine."""
    found, state = [], seed
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
        found.append(NormalDist().inv_cdf((state + 0.5) / 2**31))
    return found


def chains(correlation, n_chains=4, n=400, shifts=(), scales=()):
    """Autoregressive chains, of which some are shifted or spread more."""
    rows = []
    for chain in range(n_chains):
        value, row = 0.0, []
        for shock in numbers(n, 7 + 1000 * chain):
            value = correlation * value + math.sqrt(1 - correlation**2) * shock
            row.append(value)
        rows.append(row)
    found = np.array(rows)
    for chain, shift in dict(shifts).items():
        found[chain] += shift
    for chain, scale in dict(scales).items():
        found[chain] *= scale
    return found


CASES = {
    "independent": chains(0.0),
    "sticky": chains(0.9),
    "stuck": chains(0.99),
    "alternating": chains(-0.7),
    "one is elsewhere": chains(0.5, shifts={3: 0.5}),
    "one is wider": chains(0.3, scales={3: 2.0}),
    "odd": chains(0.6, n_chains=3, n=401),
    "heavy tails": chains(0.2) ** 3,
    "few values": (chains(0.5) > 0).astype(float),
}
# arviz 0.23.4: rhat(x), ess(x, method="bulk"), "tail" and "mean".
ARVIZ = {
    "independent": (1.000868, 1534.8306, 1450.7631, 1535.1885),
    "sticky": (1.068482, 116.9570, 152.6897, 115.3417),
    "stuck": (1.584796, 6.9158, 12.0590, 6.7729),
    "alternating": (1.003990, 5126.5920, 1511.8308, 5126.5920),
    "one is elsewhere": (1.050578, 89.0116, 918.3362, 89.5357),
    "one is wider": (1.068567, 873.2711, 104.8930, 875.9180),
    "odd": (1.006151, 341.7604, 570.7316, 341.5248),
    "heavy tails": (1.002747, 1046.9162, 1193.0003, 1112.7456),
    "few values": (1.007401, 789.7464, 789.7464, 789.7464),
}


@pytest.mark.parametrize("case", CASES)
def test_numbers_of_arviz(case):
    draws, (rhat, bulk, tail, mean) = CASES[case], ARVIZ[case]
    assert_allclose(split_rhat(draws), rhat, atol=5e-5)
    found = [effective_size(draws, of=of) for of in ("bulk", "tail", "mean")]
    assert_allclose(found, (bulk, tail, mean), rtol=1e-4)


def test_what_agrees():
    assert diagnose(CASES["independent"], CASES["heavy tails"]).agree
    for case in ("stuck", "one is elsewhere", "one is wider"):
        found = diagnose(CASES["independent"], CASES[case])
        assert not found.agree
        assert found.rhat == split_rhat(CASES[case])
    assert not Diagnostics(1.0, 399, 1000).agree
    assert not Diagnostics(1.0, 1000, 399).agree
    assert not Diagnostics(1.011, 1000, 1000).agree
    assert not Diagnostics(math.nan, 1000, 1000).agree
