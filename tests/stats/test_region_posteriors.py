"""Bayesian sign and signed-rank tests: published numbers, brute force, and exact identities."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate
from scipy import stats as scipy_stats

from skstat.stats import (
    PairedScores,
    posterior,
    sign,
    sign_posterior,
    signed_rank_posterior,
    wilcoxon,
)
from tests.cases import in_one_test

PACKAGES = Path(__file__).parents[1] / "reference" / "packages"
X = np.array([0.8, -0.3, 0.5, 1.2, 0.1, -0.6, 0.9, 0.4, -0.2, 0.7])


@pytest.fixture(scope="module")
def means():
    with np.load(PACKAGES / "benavoli_2017.npz") as held:
        return dict(zip(map(str, held["classifiers"]), held["A"].mean(axis=2), strict=True))


def of_differences(differences, unit="dataset"):
    differences = np.asarray(differences, dtype=float)
    return PairedScores(differences, np.zeros_like(differences), unit=unit)


def chance_of_largest(better, same, worse):
    """Probabilities of so many data sets of either kind, of which one is the prior's."""
    differences = np.repeat([1.0, 0.0, -1.0], (better, same - 1, worse))
    return sign_posterior(of_differences(differences), 0.5).probabilities


@in_one_test(
    "weights, expected",
    [
        ((10, 5, 3), (0.89792116, 0.08712347, 0.01495537)),
        ((18, 1, 6), (0.994685820, 3.372915e-6, 0.005310808)),
        ((0, 54, 1), (0, 1, 5.6e-17)),
        ((3, 1, 0), (0.875, 0.125, 0)),
        ((500, 480, 510), (0.33743711, 0.09323284, 0.56933005)),
    ],
)
def test_the_largest_of_a_dirichlet_law_is_known(weights, expected):
    assert_allclose(chance_of_largest(*weights), expected, rtol=2e-6, atol=2e-9)


# Of shapes from 20 to 144, shape - 12 * sqrt(shape) is below 0, where a logarithm has no
# value: the lower end of the integral is another there.
@in_one_test("scale", [1, 20, 50, 144, 190, 201, 1000])
def test_the_largest_by_adaptive_quadrature(scale):
    weights = np.round(np.array([1.0, 1.07, 0.98]) * scale).astype(int)
    for place, shape in enumerate(weights):
        others = np.delete(weights, place)

        def height(t, shape=shape, others=others):
            below = scipy_stats.gamma.cdf(t, others)
            return scipy_stats.gamma.pdf(t, shape) * below.prod()

        width = 15 * math.sqrt(shape)
        ends = max(0.0, shape - width), shape + width + 50
        expected = integrate.quad(height, *ends, points=[shape], epsabs=1e-13, limit=400)[0]
        assert_allclose(chance_of_largest(*weights)[place], expected, atol=1e-12)


class TestSign:
    @pytest.mark.parametrize(
        "pair, counts, expected",
        [
            (("nbc", "hnb"), (11, 14, 29), (0.00147888, 0.01563929, 0.98288183)),
            (("aode", "j48"), (23, 20, 11), (0.61655673, 0.37810292, 0.00534035)),
            (("hnb", "j48"), (25, 17, 12), (0.85329006, 0.13771048, 0.00899947)),
        ],
    )
    def test_published_accuracies(self, pair, counts, expected, means):
        found = sign_posterior(PairedScores(*(means[name] for name in pair), unit="dataset"), 1)
        assert found.weights == (counts[0], counts[1] + 1, counts[2])
        assert_allclose(found.probabilities, expected, atol=1e-8)
        assert_allclose(found.expected, np.array(found.weights) / 55)

    def test_differences_on_the_border_are_inside(self):
        # 0.9 - 0.8 is a little less than 0.1 in floats, 1.1 - 1.0 a little more.
        sample = PairedScores([0.9, 1.1, 0.8, 0.5], [0.8, 1.0, 0.9, 0.1], unit="dataset")
        assert sign_posterior(sample, 0.1).weights == (1, 4, 0)

    def test_without_a_region_a_tie_is_shared(self):
        found = sign_posterior(of_differences([1, 2, 0, -1]))
        assert found.weights == (3, 0, 2) and found.probabilities.same == 0
        assert_allclose(found.probabilities.better, scipy_stats.beta.sf(0.5, 3, 2))
        nothing = sign_posterior(of_differences(np.zeros(5)))
        assert_allclose(nothing.probabilities, (0.5, 0, 0.5))

    def test_the_prior_is_where_it_is_put(self):
        sample = of_differences(X)
        assert sign_posterior(sample, 0.25, prior="better").weights == (7, 2, 2)
        assert sign_posterior(sample, 0.25, prior="worse", strength=3).weights == (6, 2, 5)
        with pytest.raises(ValueError, match="strength=0 must be"):
            sign_posterior(sample, 0.25, strength=0)
        found = sign_posterior(sample, 0.25)
        every = [sign_posterior(sample, 0.25, prior=p) for p in ("same", "better", "worse")]
        for part in range(3):
            ends = [each.probabilities[part] for each in every]
            assert (found.lowest[part], found.highest[part]) == (min(ends), max(ends))


class TestSignedRank:
    @pytest.mark.parametrize(
        "pair, rope, expected, shares, bounds",
        [
            (("aode", "j48"), 1, (0.9037, 0.0345, 0.0619), (0.4668, 0.2776, 0.2556),
             (0.888, 0.926)),
            (("aode", "j48"), 0, (0.9635, 0, 0.0365), (0.6388, 0, 0.3612), (0.950, 0.970)),
            (("hnb", "j48"), 1, (0.9613, 0.0196, 0.0190), (0.5045, 0.2733, 0.2222),
             (0.955, 0.972)),
            (("nbc", "hnb"), 1, (0.0002, 0.0013, 0.9985), (0.1273, 0.2578, 0.6149),
             (0.0001, 0.0004)),
        ],
    )  # fmt: skip
    def test_published_accuracies(self, pair, rope, expected, shares, bounds, means):
        sample = PairedScores(*(means[name] for name in pair), unit="dataset")
        found = signed_rank_posterior(sample, rope, rng=0)
        assert found.n_drawn == 200_000
        assert_allclose(found.probabilities, expected, atol=0.004)
        # These were means of draws; that the exact ones are right is tested below.
        assert_allclose(found.expected, shares, atol=5e-4)
        assert_allclose((found.lowest.better, found.highest.better), bounds, atol=0.004)
        assert_allclose(sum(found.probabilities), 1)

    @pytest.mark.parametrize("rope", [0.0, 0.25, 0.3])
    @pytest.mark.parametrize("strength", [0.5, 2.0])
    def test_expected_shares_by_all_pairs(self, rope, strength):
        # E[w_i w_j] = a_i (a_j + [i = j]) / (a (a + 1)) of a Dirichlet law.
        differences = np.array([0.3, 0.3, -0.3, 0.9, -0.1, 0.0, 0.6, 0.2, -0.5])
        values, a = np.append(differences, 0.0), np.append(np.ones(9), strength)
        moments = (np.outer(a, a) + np.diag(a)) / (a.sum() * (a.sum() + 1))
        sums = np.add.outer(values, values)
        on = np.isclose(sums, 2 * rope, rtol=0, atol=1e-9)
        better = moments[(sums > 2 * rope) & ~on].sum() + moments[on].sum() / 2
        found = signed_rank_posterior(
            of_differences(differences), rope, strength=strength, n_draws=1, rng=0
        )
        assert_allclose(found.expected.better, better, atol=1e-12)
        assert_allclose(sum(found.expected), 1, atol=1e-12)


def test_outcomes_are_read_by_them():
    sample = of_differences(X)
    assert posterior(sign(sample), 0.25).to_dict() == sign_posterior(sample, 0.25).to_dict()
    found = posterior(wilcoxon(sample), 0.25, n_draws=5000, rng=7)
    expected = signed_rank_posterior(sample, 0.25, n_draws=5000, rng=7)
    assert found.to_dict() == expected.to_dict()
