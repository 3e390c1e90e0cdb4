"""A comparison read as probabilities: its law, its limits, and what it refuses."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from skstat.stats import (
    Comparison,
    PairedScores,
    Posterior,
    SeedScores,
    Student,
    corrected_t,
    crossed_t,
    diebold_mariano,
    equivalence,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    posterior,
    projection_t,
    sign_flip,
)

# Ten folds against 0.70 (900 rows to train, 100 to test), and eight random splits (200, 100).
TEN = (0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74)
EIGHT = (0.812, 0.805, 0.821, 0.809, 0.815, 0.818, 0.803, 0.811)
OTHER_EIGHT = (0.810, 0.808, 0.819, 0.811, 0.812, 0.817, 0.806, 0.809)


def ten_folds():
    return PairedScores(TEN, [0.7] * 10, n_train=900, n_test=100)


def eight_splits():
    return PairedScores(EIGHT, OTHER_EIGHT, n_train=200, n_test=100)


def fold_scores(seed=0):
    rng = np.random.default_rng(seed)
    folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    right_a, right_b = rng.random((15, 60)) < 0.8, rng.random((15, 60)) < 0.7
    return PairedScores.from_row_scores(right_a, right_b, folds)


def five_by_two():
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.8, 0.03, size=(2, 10))
    return PairedScores(a, b, n_repeats=5)


OUTCOMES = {
    "corrected_t": lambda: corrected_t(ten_folds()),
    "corrected_t, random splits": lambda: corrected_t(eight_splits()),
    "projection_t": lambda: projection_t(fold_scores()),
    "paired_t": lambda: paired_t(PairedScores(EIGHT, OTHER_EIGHT, unit="instance")),
    "five_by_two_t": lambda: five_by_two_t(five_by_two()),
    "diebold_mariano": lambda: diebold_mariano(
        PairedScores(TEN, TEN[::-1], unit="instance", ordered=True)
    ),
    "seed_means_t": lambda: crossed_t(
        SeedScores({"a": EIGHT, "b": OTHER_EIGHT[:5]}), random="seeds"
    ),
}


class TestNumbers:
    def test_ten_folds_by_hand(self):
        # mean .005, sd .0359784, scale sd sqrt(1/10 + 1/9) = .0165309, 9 degrees of freedom.
        found = posterior(corrected_t(ten_folds()), rope=0.01)
        assert_allclose(found.spread, 0.0165309, atol=5e-8)
        assert_allclose(found.probabilities, (0.384586, 0.421489, 0.193925), atol=1e-6)
        assert_allclose(found.credible_interval(), (-0.032396, 0.042396), atol=1e-6)

    def test_the_posterior_of_a_flat_prior_by_quadrature(self):
        # The model itself, without the formula: the likelihood of correlated normal differences
        # times 1/sigma, integrated over sigma numerically for every mu.
        d = ten_folds().differences
        n, rho = len(d), 0.1
        inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho)

        def unnormalised(mu):
            square = (d - mu) @ inverse @ (d - mu)
            log = np.linspace(-7, 1, 4001)  # of sigma; d sigma / sigma is d log sigma
            heights = np.exp(-n * log - square / 2 * np.exp(-2 * log) - 28 * n / 10)
            return np.trapezoid(heights, log)

        at = np.linspace(-0.5, 0.5, 8001)
        heights = np.array([unnormalised(mu) for mu in at])
        heights /= np.trapezoid(heights, at)
        rope = 0.01
        above, below = at >= rope, at <= -rope
        expected = [np.trapezoid(heights[side], at[side]) for side in (above, below)]
        better, same, worse = posterior(corrected_t(ten_folds()), rope=rope).probabilities
        assert_allclose([better, worse], expected, atol=2e-4)
        assert_allclose(better + same + worse, 1, atol=1e-12)

    def test_far_out_no_digits_are_lost(self):
        law = Student(estimate=40.0, standard_error=1.0, df=30)
        found = posterior(replace(corrected_t(eight_splits()), law=law), rope=1.0)
        expected = scipy_stats.t(30).sf(41)  # about 3e-28, of which 1 - cdf leaves nothing
        assert_allclose(found.probabilities.worse, expected, rtol=1e-8)
        assert found.probabilities.same >= 0


@pytest.mark.parametrize("make", OUTCOMES.values(), ids=OUTCOMES)
class TestIsTheTestReadOtherwise:
    def test_interval(self, make):
        outcome = make()
        for level in (0.5, 0.9, 0.95, 0.999):
            credible = posterior(outcome).credible_interval(level)
            assert_allclose(credible, outcome.confidence_interval(level), rtol=1e-12)

    def test_one_sided_pvalue(self, make):
        outcome = make()
        found = posterior(outcome).probabilities
        for side, probability in (("greater", found.worse), ("less", found.better)):
            assert_allclose(replace(outcome, alternative=side).pvalue, probability, rtol=1e-12)

    def test_two_one_sided_tests(self, make):
        outcome = make()
        spread = outcome.standard_error
        for rope in (0.3 * spread, 2 * spread, 5 * spread):
            found, tested = posterior(outcome, rope).probabilities, equivalence(outcome, rope)
            assert_allclose(found.worse, tested.lower_pvalue, rtol=1e-9)
            assert_allclose(found.better, tested.upper_pvalue, rtol=1e-9)


class TestDecision:
    def test_only_what_is_probable_enough(self):
        found = posterior(corrected_t(eight_splits()), rope=0.01)
        assert found.decision() == "same"
        assert posterior(corrected_t(eight_splits()), rope=0.002).decision() == "undecided"
        assert posterior(corrected_t(eight_splits()), rope=0.002).decision(0.6) == "same"
        better = PairedScores([2.0, 3.1, 4.0, 3.0], [0.0, 1.0, 2.0, 1.1], unit="seed")
        assert posterior(paired_t(better), 0.1).decision() == "better"
        assert posterior(
            paired_t(PairedScores(better.b, better.a, unit="seed"))
        ).decision() == ("worse")


class TestWithoutVariance:
    @pytest.mark.parametrize("rope, expected", [(0, (0.5, 0, 0.5)), (0.01, (0, 1, 0))])
    def test_identical_scores(self, rope, expected):
        found = posterior(corrected_t(PairedScores(TEN, TEN, n_repeats=1)), rope=rope)
        assert found.probabilities == expected
        assert found.credible_interval() == (0, 0)

    def test_a_constant_difference_is_not_certain(self):
        b = [score - 0.1 for score in TEN]  # equal up to float noise
        found = posterior(corrected_t(PairedScores(TEN, b, n_repeats=1)), rope=0.01)
        assert all(map(math.isnan, found.probabilities))
        assert all(map(math.isnan, found.credible_interval()))
        assert math.isnan(found.probability_above(0))
        assert found.decision() == "undecided"
        assert all(map(math.isnan, Posterior.from_dict(found.to_dict()).probabilities))


class TestRefused:
    @pytest.mark.parametrize("rope", [-0.1, math.nan, math.inf, "0.1", None, True, 1j])
    def test_a_region_that_is_none(self, rope):
        with pytest.raises(ValueError, match="rope="):
            posterior(corrected_t(ten_folds()), rope)

    def test_outcomes_without_a_law(self):
        flips = sign_flip(PairedScores(EIGHT, OTHER_EIGHT, unit="instance"))
        for outcome in (flips, five_by_two_f(five_by_two())):
            assert isinstance(outcome, Comparison)
            with pytest.raises(ValueError, match="has no posterior"):
                posterior(outcome)
