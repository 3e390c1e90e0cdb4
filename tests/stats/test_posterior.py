"""Comparisons as probabilities, by signs and ranks too: published numbers, brute force."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate
from scipy import stats as scipy_stats

from skstat.stats import (
    PairedScores,
    Posterior,
    Student,
    corrected_t,
    equivalence,
    paired_t,
    posterior,
    sign,
    sign_posterior,
    signed_rank_posterior,
    wilcoxon,
)
from tests.cases import in_one_test, refusals
from tests.stats.asked import PROCEDURES

# Ten folds against 0.70 (900 rows to train, 100 to test), and eight random splits (200, 100).
TEN = (0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74)
EIGHT = (0.812, 0.805, 0.821, 0.809, 0.815, 0.818, 0.803, 0.811)
OTHER_EIGHT = (0.810, 0.808, 0.819, 0.811, 0.812, 0.817, 0.806, 0.809)


TEN_FOLDS = corrected_t(PairedScores(TEN, [0.7] * 10, n_train=900, n_test=100))
EIGHT_SPLITS = corrected_t(PairedScores(EIGHT, OTHER_EIGHT, n_train=200, n_test=100))
# Of a Student law, which is that of the posterior.
OUTCOMES = [
    "paired t", "corrected t", "one-sample t", "5x2 t", "diebold-mariano", "clustered t",
    "seed means", "projection t",
]  # fmt: skip


class TestNumbers:
    def test_ten_folds_by_hand(self):
        # mean .005, sd .0359784, scale sd sqrt(1/10 + 1/9) = .0165309, 9 degrees of freedom.
        found = posterior(TEN_FOLDS, rope=0.01)
        assert_allclose(found.spread, 0.0165309, atol=5e-8)
        assert_allclose(found.probabilities, (0.384586, 0.421489, 0.193925), atol=1e-6)
        assert_allclose(found.credible_interval(), (-0.032396, 0.042396), atol=1e-6)

    def test_the_posterior_of_a_flat_prior_by_quadrature(self):
        # The model itself, without the formula: the likelihood of correlated normal differences
        # times 1/sigma, integrated over sigma numerically for every mu.
        d = np.array(TEN) - 0.7
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
        better, same, worse = posterior(TEN_FOLDS, rope=rope).probabilities
        assert_allclose([better, worse], expected, atol=2e-4)
        assert_allclose(better + same + worse, 1, atol=1e-12)

    def test_far_out_no_digits_are_lost(self):
        law = Student(estimate=40.0, standard_error=1.0, df=30)
        found = posterior(replace(EIGHT_SPLITS, law=law), rope=1.0)
        expected = scipy_stats.t(30).sf(41)  # about 3e-28, of which 1 - cdf leaves nothing
        assert_allclose(found.probabilities.worse, expected, rtol=1e-8)
        assert found.probabilities.same >= 0


@pytest.mark.parametrize("name", OUTCOMES)
def test_it_is_the_test_read_otherwise(name):
    outcome = PROCEDURES[name]()
    for level in (0.5, 0.9, 0.95, 0.999):
        credible = posterior(outcome).credible_interval(level)
        assert_allclose(credible, outcome.confidence_interval(level), rtol=1e-12)
    found = posterior(outcome).probabilities
    for side, probability in (("greater", found.worse), ("less", found.better)):
        assert_allclose(replace(outcome, alternative=side).pvalue, probability, rtol=1e-12)
    for errors in (0.3, 2, 5):
        rope = errors * outcome.standard_error
        found, tested = posterior(outcome, rope).probabilities, equivalence(outcome, rope)
        assert_allclose(found.worse, tested.lower_pvalue, rtol=1e-9)
        assert_allclose(found.better, tested.upper_pvalue, rtol=1e-9)


def test_only_what_is_probable_enough_is_decided():
    assert posterior(EIGHT_SPLITS, rope=0.01).decision() == "same"
    assert posterior(EIGHT_SPLITS, rope=0.002).decision() == "undecided"
    assert posterior(EIGHT_SPLITS, rope=0.002).decision(0.6) == "same"
    a, b = [2.0, 3.1, 4.0, 3.0], [0.0, 1.0, 2.0, 1.1]
    assert posterior(paired_t(PairedScores(a, b, unit="seed")), 0.1).decision() == "better"
    assert posterior(paired_t(PairedScores(b, a, unit="seed"))).decision() == "worse"


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


test_regions_that_are_none_and_outcomes_without_a_law_are_refused = refusals([
    *(((TEN_FOLDS, wrong), "rope=")
      for wrong in (-0.1, math.nan, math.inf, "0.1", None, True, 1j)),
    *(((PROCEDURES[name](),), "has no posterior") for name in ("sign flip, counted", "5x2 F")),
], posterior)  # fmt: skip


PACKAGES = Path(__file__).parents[1] / "reference" / "packages"

# Of naive Bayes (A) against aode, 10 x 10 folds, in per cent, with a region of 1: mean
# difference, scale, probabilities (better, same, worse) of A as baycomp.two_on_single gives
# them in the order (worse, same, better), and the 95 % interval.
EXPECTED = {
    "anneal": (-1.93882, 0.550797, (3.0e-7, 0.045714, 0.954286), (-3.03172, -0.84592)),
    "cmc": (-0.71924, 0.747766, (0.011798, 0.634143, 0.354059), (-2.20297, 0.76449)),
    "german-credit": (-1.01448, 0.736321, (0.003687, 0.488488, 0.507825), (-2.47550, 0.44654)),
    "grub-damage": (4.36249, 2.551771, (0.904679, 0.076252, 0.019069), (-0.70078, 9.42576)),
    "contact-lenses": (2.00001, 4.305867, (0.591586, 0.164611, 0.243803), (-6.54376, 10.54378)),
}


with np.load(PACKAGES / "benavoli_2017.npz") as held:
    ACCURACIES = dict(zip(map(str, held["classifiers"]), held["A"], strict=True))
    DATASETS = list(map(str, held["datasets"]))


def folds_of(dataset):
    scores = (ACCURACIES[name][DATASETS.index(dataset)] for name in ("nbc", "aode"))
    return PairedScores(*scores, n_repeats=10)


def means_of(*pair):
    return PairedScores(*(ACCURACIES[name].mean(axis=1) for name in pair), unit="dataset")


@pytest.mark.parametrize("dataset", EXPECTED)
def test_the_published_accuracies_as_baycomp_has_them(dataset):
    mean, scale, probabilities, limits = EXPECTED[dataset]
    found = posterior(corrected_t(folds_of(dataset)), rope=1)
    assert_allclose([found.estimate, found.spread], [mean, scale], atol=1e-6)
    assert_allclose(found.probabilities, probabilities, atol=1e-6)
    assert_allclose(found.credible_interval(), limits, atol=1e-5)


@pytest.mark.parametrize("rope", [0.0, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("dataset", EXPECTED)
def test_the_law_written_out(dataset, rope):
    # Corani & Benavoli (2015): t with J - 1 degrees of freedom, scale sd sqrt(1/J + 1/(K - 1)).
    sample = folds_of(dataset)
    differences = sample.a - sample.b
    scale = differences.std(ddof=1) * np.sqrt(1 / 100 + 1 / 9)
    law = scipy_stats.t(99, differences.mean(), scale)
    better, same, worse = posterior(corrected_t(sample), rope=rope).probabilities
    assert_allclose([better, worse], [law.sf(rope), law.cdf(-rope)], rtol=1e-10)
    assert_allclose(same, law.cdf(rope) - law.cdf(-rope), atol=1e-12)


X = np.array([0.8, -0.3, 0.5, 1.2, 0.1, -0.6, 0.9, 0.4, -0.2, 0.7])


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
    def test_published_accuracies(self, pair, counts, expected):
        found = sign_posterior(means_of(*pair), 1)
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
    def test_published_accuracies(self, pair, rope, expected, shares, bounds):
        found = signed_rank_posterior(means_of(*pair), rope, rng=0)
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
