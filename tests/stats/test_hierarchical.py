"""The hierarchical model and its chains: published numbers, arviz, a quadrature, edge cases."""

import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special
from scipy.stats import rankdata

from skstat.stats import DatasetSplits, PairedScores, hierarchical_posterior
from tests.cases import refusals

# Of what needs no more draws.
FEWER = {"n_chains": 8, "n_draws": 400}
PACKAGES = Path(__file__).parents[1] / "reference" / "packages"


with np.load(PACKAGES / "baycomp.npz") as held:
    DATASETS = [f"{i} {name}" for i, name in enumerate(held["datasets"])]  # two are "credit"
    ACCURACIES = dict(zip(map(str, held["classifiers"]), held["A"], strict=True))


def splits_of(a, b):
    pairs = map(partial(PairedScores, n_repeats=10), ACCURACIES[a], ACCURACIES[b])
    return DatasetSplits(dict(zip(DATASETS, pairs, strict=True)))


def simulated(q=8, seed=0, n=10, shift=0.02, spread=0.03, noise=0.05, **sizes):
    """Data sets whose differences vary, and splits with a part in common."""
    rng = np.random.default_rng(seed)
    found = {}
    for i in range(q):
        own = shift + spread * rng.standard_t(4)
        d = own + noise * (0.3 * rng.normal() + rng.normal(size=n))
        found[f"data {i}"] = PairedScores(0.8 + d, np.full(n, 0.8), **sizes or {"n_repeats": 1})
    return DatasetSplits(found)


def by_quadrature(sample, rope, shape=(40, 50, 40), n_nodes=300):
    """Predictive probabilities and posterior means without any chain.

    The standard deviation on a data set integrates out: the likelihood of its difference is a
    Student t density with n - 2 degrees of freedom about the mean. The difference of every
    data set is put on the midpoint quantiles of that, and the posterior of location, scale and
    degrees of freedom is a sum over a grid.
    """
    every = [own.differences for own in sample.samples.values()]
    size = np.mean([own.std() for own in every])
    means = np.array([own.mean() for own in every]) / size
    squares = np.array([own.var() * len(own) for own in every]) / size**2
    n = np.array([len(own) for own in every])
    ratios = np.array([own.test_train_ratio for own in sample.samples.values()])
    rho, largest = ratios / (1 + ratios), np.abs(every).max() / size
    factors = (1 + (n - 1) * rho) / n
    scales = np.sqrt(squares * factors / ((1 - rho) * (n - 2)))
    quantiles = (np.arange(n_nodes) + 0.5) / n_nodes
    effects = means[:, None] + scales[:, None] * special.stdtrit(n[:, None] - 2, quantiles)
    width = means.std()
    locations = np.linspace(-1, 1, shape[0]) * min(largest, 6 * width / math.sqrt(len(means)))
    locations = locations + means.mean() * (largest > abs(means.mean()))
    log_scales = np.linspace(math.log(width / 60), math.log(width * 6), shape[1])
    log_z = np.linspace(math.log(0.01), math.log(1500), shape[2])
    z = np.exp(log_z)
    # A mixture of gamma laws, whose shape and rate are uniform themselves.
    shapes, rates = np.linspace(1.0125, 1.9875, 40), np.linspace(0.010625, 0.099375, 72)
    chances = special.gammainc(shapes[:, None], rates * z[:, None, None]).mean(axis=(1, 2))
    prior_of_z = np.gradient(chances, log_z)
    weights = np.empty(shape)
    for k, nu in enumerate(1 + z):
        constant = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2)
        constant -= math.log(nu * math.pi) / 2
        for j, log_scale in enumerate(log_scales):
            scale = math.exp(log_scale)
            distance = (effects[None] - locations[:, None, None]) / scale
            heights = (1 + distance**2 / nu) ** (-(nu + 1) / 2)
            logs = np.log(np.maximum(heights.mean(axis=2), 1e-300)).sum(axis=1)
            logs += len(means) * (constant - log_scale)
            # The prior of the scale is uniform, the grid is one of its logarithm.
            weights[:, j, k] = logs + log_scale + math.log(max(prior_of_z[k], 1e-300))
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    at, scale = locations[:, None, None], np.exp(log_scales)[None, :, None]
    nu = (1 + z)[None, None, :]
    better = special.stdtr(nu, (at - rope / size) / scale)
    worse = special.stdtr(nu, (-rope / size - at) / scale)
    probabilities = [(weights * each).sum() for each in (better, 1 - better - worse, worse)]
    return probabilities, (weights * at).sum() * size, (weights * scale).sum() * size


# In the order (A better, same, B better) of A - B; Stan and NUTS agree with these.
@pytest.mark.long(keep=1)
@pytest.mark.parametrize("pair, predictive, largest, location, limits, spread", [
    (("aode", "j48"), (0.3699, 0.3950, 0.2351), (0.454, 0.517, 0.029), 0.442, (-0.21, 1.28),
     1.61),
    (("hnb", "j48"), (0.4842, 0.2511, 0.2646), (0.911, 0.059, 0.030), 0.960, (-0.11, 2.29),
     2.87),
])  # fmt: skip
def test_published_accuracies(pair, predictive, largest, location, limits, spread):
    found = hierarchical_posterior(splits_of(*pair), rope=1, rng=0)
    assert_allclose(found.probabilities, predictive, atol=0.006)
    assert_allclose(found.expected, largest, atol=0.025)
    assert_allclose(found.location, location, atol=0.03)
    assert_allclose(found.credible_interval(), limits, atol=0.06)
    assert_allclose(found.spread, spread, atol=0.08)
    assert found.rhat <= 1.01 and min(found.bulk_size, found.tail_size) >= 3000
    assert found.n_drawn == 24_000
    assert max(found.monte_carlo_errors) < 0.002
    if pair == ("aode", "j48"):
        # Differences are drawn towards the others, the more the less is known of them.
        places = [0, 1, 2, 8]
        assert_allclose(found.raw[places], (-0.758, -5.565, 5.675, -4.127), atol=1e-3)
        assert_allclose(found.shrunken[places], (-0.618, -1.98, 3.53, -2.13), atol=0.1)
        assert_allclose(found.deviations[places], (0.49, 2.5, 2.1, 1.9), atol=0.1)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("about", [
    {"q": 12, "seed": 1},
    {"q": 12, "seed": 2, "shift": -0.05, "n_train": 70, "n_test": 30},
    {"q": 30, "seed": 3, "n": 20, "spread": 0.01},
], ids=["ten folds", "random splits", "alike"])  # fmt: skip
def test_by_a_quadrature_without_chains(about):
    sample = simulated(**about)
    expected, location, spread = by_quadrature(sample, 0.01)
    found = hierarchical_posterior(sample, rope=0.01, rng=0)
    assert_allclose(found.probabilities, expected, atol=0.008)
    assert_allclose(found.location, location, atol=0.001)
    assert_allclose(found.spread, spread, rtol=0.04)


class TestWithoutVariance:
    def with_constant(self, values, q=8):
        samples = dict(simulated(q).samples)
        for name, value in values.items():
            samples[name] = PairedScores([0.8 + value] * 10, [0.8] * 10, n_repeats=1)
        return DatasetSplits(samples)

    def test_they_are_named_and_keep_their_mean(self):
        sample = self.with_constant({"data 2": 0.04, "data 5": 0.0})
        found = hierarchical_posterior(sample, rope=0.01, rng=0, **FEWER)
        assert found.without_spread == ("data 2", "data 5")
        assert_allclose(found.raw[[2, 5]], (0.04, 0), atol=1e-12)
        again = hierarchical_posterior(sample, rope=0.01, rng=0, **FEWER)
        assert again.to_dict() == found.to_dict()  # nothing random stands in for a variance

    @pytest.mark.parametrize("rope", [0.01, 0.0])
    def test_the_variance_in_their_place(self, rope):
        # That of uniform differences within the region, or else the least of the others: the
        # law of the mean is a t law of 8 degrees of freedom, if it is hardly shrunken.
        sample = simulated(8, spread=0.3)
        others = min(np.var(s.differences, ddof=1) for s in sample.samples.values())
        constant = {"data 2": PairedScores([0.9] * 10, [0.8] * 10, n_repeats=1)}
        sample = DatasetSplits(dict(sample.samples) | constant)
        found = hierarchical_posterior(sample, rope=rope, rng=0, **FEWER)
        variance, rho = rope**2 / 3 or others, 0.1
        scale = math.sqrt(variance * (1 + 9 * rho) / ((1 - rho) * 8))
        assert_allclose(found.deviations[2], scale * math.sqrt(8 / 6), rtol=0.1)

    def test_identical_systems(self):
        nothing = self.with_constant({f"data {i}": 0.0 for i in range(8)})
        with pytest.raises(ValueError, match="on 8 of 8 data sets"):
            hierarchical_posterior(nothing, rope=0.01)


def of_three(**about):
    return DatasetSplits({"x": PairedScores([1, 2, 3], [2, 1, 3], **about)})


test_what_is_refused = refusals([
    *((partial(hierarchical_posterior, simulated(q), rope=0.01),
       "needs 4 data sets or more") for q in (1, 2, 3)),
    (lambda: DatasetSplits({"x": PairedScores([1, 2], [2, 1], n_train=9, n_test=1)}),
     r"samples\['x'\] must be .* 3 splits or more"),
    (lambda: of_three(unit="split"), "with n_train and n_test"),
    *((partial(of_three, unit=unit), "must be PairedScores of 3 splits")
      for unit in ("dataset", "seed", "instance")),
    (lambda: hierarchical_posterior(simulated(5), rope=0.01, n_draws=4, n_warmup=1, rng=0),
     r"after 16 draws.*R-hat is \d"),  # chains that disagree
])  # fmt: skip


def effective_size(halves):
    """Geyer's initial monotone sequence by plain sums; it agrees with ArviZ to seven digits."""
    n = halves.shape[1]
    apart = halves - halves.mean(axis=1, keepdims=True)
    found = [np.sum(apart[:, : n - t] * apart[:, t:], axis=1).mean() / n for t in range(n)]
    whole = found[0] + halves.mean(axis=1).var(ddof=1)
    rho = 1 - (found[0] * n / (n - 1) - np.array(found)) / whole
    rho[0] = 1
    pairs = rho[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    end = int(np.argmax(pairs < 0))
    time = 2 * np.minimum.accumulate(pairs[:end]).sum() - 1 + max(0, rho[2 * end])
    return halves.size / max(time, 1 / math.log10(halves.size))


def test_chains_are_judged_as_vehtari_et_al_do():
    found = hierarchical_posterior(simulated(), rope=0.01, rng=0, n_chains=8, n_draws=401)

    def halves(draws):
        half = draws.shape[1] // 2
        return np.concatenate([draws[:, :half], draws[:, -half:]])

    def scores(draws):
        ranks = rankdata(draws).reshape(draws.shape)
        return special.ndtri((ranks - 0.375) / (draws.size + 0.25))

    def rhat(draws):
        n, within = draws.shape[1], draws.var(axis=1, ddof=1).mean()
        return math.sqrt((n - 1) / n + draws.mean(axis=1).var(ddof=1) / within)

    location, spread, degrees = found.location_draws, found.spread_draws, found.degrees_draws
    parameters = [location, np.log(spread), np.log(degrees - 1)]
    folded = [abs(halves(draws) - np.median(halves(draws))) for draws in parameters]
    worst = max(rhat(scores(x)) for x in [*map(halves, parameters), *folded])
    assert_allclose(found.rhat, worst, rtol=1e-4)  # ties about the median are rounded
    bulk = min(effective_size(scores(halves(draws))) for draws in parameters)
    assert_allclose(found.bulk_size, bulk, rtol=1e-6)
    tails = [
        halves(1.0 * (draws <= end))
        for draws in parameters
        for end in np.quantile(draws, (0.05, 0.95))
    ]
    assert_allclose(found.tail_size, min(map(effective_size, tails)), rtol=1e-6)
    for share, error in zip(found.chances(), found.probability_errors, strict=True):
        expected = share.std() / math.sqrt(effective_size(halves(share)))
        assert_allclose(error, expected, rtol=1e-6)
