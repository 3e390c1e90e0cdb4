"""Effect sizes against SciPy and their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from skstat.stats import PairedScores, effect_sizes

small_integers = st.lists(st.integers(-5, 5), min_size=2, max_size=15)


def paired(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def test_by_hand():
    # d = 1, 2, -3, 0, 5: mean 1, S^2 = (0 + 1 + 16 + 1 + 16) / 4 = 17/2.
    found = effect_sizes(paired([1, 2, -3, 0, 5]))
    d_z = 1 / math.sqrt(8.5)
    assert found["d_z over instances"] == pytest.approx(d_z)
    assert found["Hedges g over instances"] == pytest.approx(d_z * (1 - 3 / 15))
    # Ranks of 1, 2, 3 and 5 without the zero: (1 + 2 + 4 - 3) / 10.
    assert found["rank-biserial"] == pytest.approx(0.4)
    # Three wins and half a tie in five.
    assert found["common-language"] == pytest.approx(0.7)


@pytest.mark.parametrize("n", [4, 10, 30, 100])
def test_hedges_factor_is_close_to_the_exact_one(n):
    # Hedges (1981): J(m) = gamma(m/2) / (sqrt(m/2) gamma((m-1)/2)), m = n - 1.
    m = n - 1
    exact = math.exp(special.gammaln(m / 2) - special.gammaln((m - 1) / 2)) / math.sqrt(m / 2)
    found = effect_sizes(paired(np.random.default_rng(n).normal(1, 1, n)))
    ratio = found["Hedges g over instances"] / found["d_z over instances"]
    assert ratio == pytest.approx(exact, abs=0.007 if n == 4 else 5e-4)


@given(small_integers)
def test_rank_biserial_is_scipys_rank_sums(differences):
    found = effect_sizes(paired(differences))["rank-biserial"]
    untied = [d for d in differences if d != 0]
    if not untied:
        assert found == 0
        return
    total = len(untied) * (len(untied) + 1) / 2
    greater = stats.wilcoxon(untied, alternative="greater", method="asymptotic").statistic
    assert found == pytest.approx((greater - (total - greater)) / total)


@given(small_integers)
def test_common_language_is_a_share_of_units(differences):
    found = effect_sizes(paired(differences))["common-language"]
    wins = sum(d > 0 for d in differences) + sum(d == 0 for d in differences) / 2
    assert found == pytest.approx(wins / len(differences))


@pytest.mark.parametrize(
    "b", [np.full(6, 0.7), np.array([0.1 * 3, 0.7, 0.55, 0.2, 0.61, 0.34])]
)
def test_constant_difference_cannot_be_standardised(b):
    found = effect_sizes(PairedScores(b + 0.05, b, unit="seed"))
    assert math.isnan(found["d_z over seeds"])
    assert math.isnan(found["Hedges g over seeds"])
    assert found["rank-biserial"] == 1
    assert found["common-language"] == 1
