"""Saddlepoint laws against all patterns, exact convolutions, and many draws."""

import json

import numpy as np
import pytest
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import (
    Outcome,
    PairedPredictions,
    PairedScores,
    equivalence,
    paired_bootstrap,
    paired_permutation,
    sign_flip,
)
from skstat.stats._resampling import (
    FlippedSum,
    ResampledMean,
    all_flips,
    draws_are_smooth,
    flips_are_smooth,
)

ALTERNATIVES = ["two-sided", "less", "greater"]


def ones(values):
    return np.ones(len(values))


def convolved(parts):
    """Chances of 0, 1, ... of a sum of independent whole numbers, by plain convolution."""
    law = np.ones(1)
    for part in parts:
        law = np.convolve(law, part)
    return law


def test_all_patterns_of_a_few():
    values = np.random.default_rng(0).normal(size=16)
    law = FlippedSum(np.abs(values), ones(values))
    flipped, _ = all_flips(np.abs(values))
    sums = np.sort(np.abs(values).sum() - 2 * flipped)
    for tail in (0.4, 0.1, 0.01):
        bound = sums[-int(tail * len(sums))]
        assert law.above(bound) == pytest.approx(np.mean(sums >= bound), rel=0.02)
        assert law.below(-bound) == pytest.approx(law.above(bound), rel=1e-12)
    assert law.above(0.0) == pytest.approx(0.5)
    assert law.above(sums[-1]) == 0  # all alike: what signs can show is left to the caller


def test_flips_of_whole_numbers():
    sizes = np.random.default_rng(1).integers(1, 41, 500)
    parts = []
    for size in sizes:
        part = np.zeros(size + 1)
        part[[0, -1]] = 0.5
        parts.append(part)
    chances = convolved(parts)  # of the sum of those that are not flipped
    above = np.cumsum(chances[::-1])[::-1]
    law = FlippedSum(sizes.astype(float), ones(sizes))
    for kept in np.linspace(0.5, 0.9, 9) * sizes.sum():
        kept = int(kept)
        # Half a step before the sum, which stands for the whole step around it.
        found = law.above(2 * (kept - 0.5) - sizes.sum())
        assert found == pytest.approx(above[kept], rel=5e-4)
    assert above[kept] < 1e-50


def test_means_of_whole_numbers_drawn():
    values = np.random.default_rng(2).poisson(3, 400).astype(float)
    law = ResampledMean(values, ones(values))
    one = np.bincount(values.astype(int)) / 400
    chances = np.ones(1)
    for bit in bin(400)[2:]:  # the 400th power, of positive terms alone
        chances = np.convolve(chances, chances)
        chances = np.convolve(chances, one) if bit == "1" else chances
    below, above = np.cumsum(chances), np.cumsum(chances[::-1])[::-1]
    for errors in (-8, -4, -2, -0.5, 0, 0.01, 1, 3, 8):
        total = round(values.sum() + errors * np.sqrt(400) * values.std())
        assert law.below((total + 0.5) / 400) == pytest.approx(below[total], rel=1e-3)
        assert law.above((total - 0.5) / 400) == pytest.approx(above[total], rel=1e-3)
    for tail in (1e-6, 0.025, 0.5, 0.999):
        score = stats.norm.ppf(tail)
        assert law.below(law.quantile(score)) == pytest.approx(tail, rel=1e-9)


@pytest.mark.parametrize("law", [FlippedSum, ResampledMean])
def test_bins_lose_nothing(law):
    values = np.random.default_rng(3).gamma(2, 1, 20_000) - 1.9
    plain = law(np.abs(values) if law is FlippedSum else values, ones(values))
    binned = law.of(values)
    assert len(binned.values) <= 8192
    assert (binned.centre, binned.scale) == pytest.approx((plain.centre, plain.scale))
    for score in (-20, -3, -0.001, 0, 1, 8):
        errors = (binned.quantile(score) - plain.quantile(score)) / plain.scale
        assert errors == pytest.approx(0, abs=1e-10)
        bound = plain.quantile(score)
        assert binned.normal(bound) == pytest.approx(plain.normal(bound), rel=1e-9, abs=1e-10)


def test_no_step_at_the_centre():
    law = ResampledMean.of(np.random.default_rng(4).exponential(size=600))
    places = law.centre + law.scale * np.linspace(-0.06, 0.06, 241)
    steps = np.diff([law.normal(place) for place in places])
    assert np.diff(steps) == pytest.approx(0, abs=1e-4 * steps.mean())


def test_laws_with_steps_are_recognised():
    rng = np.random.default_rng(5)
    normal = rng.normal(size=700)
    assert flips_are_smooth(normal) and draws_are_smooth(normal)
    assert flips_are_smooth(np.append(np.ones(500), normal[:100]))
    assert draws_are_smooth(np.append(np.zeros(500), normal))
    assert flips_are_smooth(np.round(normal, 4)) and draws_are_smooth(np.round(normal, 4))
    for steps in (
        np.sign(normal),
        np.round(normal),
        np.tile([2.0, 3.0, -2.0], 300),
        np.append(np.ones(600), normal[:2]),
        np.append(np.ones(600), 1e-6 * normal),
        normal[:499],
        np.append(normal, 300.0),  # one outweighs all others
        np.zeros(600),
    ):
        assert not draws_are_smooth(steps) and not flips_are_smooth(steps)
    assert not draws_are_smooth(np.round(normal) / 7 + 0.3)


def drawn_beside(differences, alternative):
    sample = PairedScores(differences, np.zeros(len(differences)), unit="instance")
    smooth = sign_flip(sample, alternative=alternative)
    drawn = sign_flip(sample, n_resamples=40_000, rng=1, alternative=alternative)
    assert (smooth.method, drawn.method) == ("saddlepoint", "monte-carlo")
    return smooth, drawn


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_flips_as_many_draws_have_them(alternative):
    rng = np.random.default_rng(6)
    differences = rng.exponential(size=800) * rng.choice([-1, 1], 800, p=[0.47, 0.53])
    differences[::9] = 0
    smooth, drawn = drawn_beside(differences, alternative)
    assert smooth.pvalue == pytest.approx(drawn.pvalue, abs=4 * drawn.monte_carlo_error)
    assert (smooth.monte_carlo_error, smooth.n_resamples, smooth.seed) == (0, 0, None)
    error = differences.std() / np.sqrt(800)
    found, expected = smooth.confidence_interval(), drawn.confidence_interval()
    assert found == pytest.approx(expected, abs=0.06 * error)
    assert smooth.critical_value() == pytest.approx(drawn.critical_value(), abs=0.06 * error)
    margin = abs(smooth.estimate) + 2 * error
    within = [equivalence(outcome, margin).pvalue for outcome in (smooth, drawn)]
    assert within[0] == pytest.approx(within[1], abs=0.004)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [600, 9000])
def test_the_interval_inverts_the_test(alternative, n):
    differences = np.random.default_rng(n).gamma(2, 1, n) - 2 + 0.02
    smooth, _ = drawn_beside(differences, alternative)
    for factor, excluded in ((1 - 1e-6, False), (1 + 1e-6, True)):
        low, high = smooth.confidence_interval(1 - smooth.pvalue * factor)
        assert (low > 0 or high < 0) is excluded
    critical = smooth.critical_value(smooth.pvalue)
    assert abs(critical) == pytest.approx(abs(smooth.estimate), rel=1e-6)
    restored = Outcome.from_dict(json.loads(json.dumps(smooth.to_dict())))
    assert restored.confidence_interval() == smooth.confidence_interval()
    assert restored.method == "saddlepoint"


def test_what_no_draws_could_show():
    differences = np.random.default_rng(7).normal(1, 1, 2000)
    sample = PairedScores(differences, np.zeros(2000), unit="instance")
    outcome = sign_flip(sample)
    # Beyond every number of draws; Student's t has the same order, for normal differences.
    assert np.log10(outcome.pvalue) == pytest.approx(
        np.log10(stats.ttest_1samp(differences, 0).pvalue), rel=0.03
    )
    one_side = PairedScores(np.abs(differences), np.zeros(2000), unit="instance")
    assert sign_flip(one_side).pvalue <= np.finfo(float).tiny
    half = PairedScores(np.abs(differences[:600]), np.zeros(600), unit="instance")
    assert sign_flip(half).pvalue == 2.0**-599
    low, high = sign_flip(half).confidence_interval()
    assert 0 < low < half.differences.mean() < high


def predictions(n=700, seed=8, gap=0.08, **more):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    outputs = {"a": y + rng.normal(size=n), "b": y + (1 + gap) * rng.normal(size=n)}
    return PairedPredictions(y, outputs, as_metric("neg_mean_squared_error"), **more)


def squared_errors(sample):
    return [(sample.y_true - output) ** 2 for output in sample.outputs.values()]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swaps_are_sign_flips_of_the_rows(alternative):
    sample = predictions()
    a, b = squared_errors(sample)
    outcome = paired_permutation(sample, alternative=alternative)
    flipped = sign_flip(PairedScores(-a, -b, unit="instance"), alternative=alternative)
    assert "saddlepoint" in outcome.test and not outcome.exact
    assert outcome.pvalue == pytest.approx(flipped.pvalue, rel=1e-9)
    assert outcome.critical_value() == pytest.approx(flipped.critical_value(), rel=1e-9)
    drawn = paired_permutation(sample, n_resamples=20_000, rng=0, alternative=alternative)
    assert outcome.pvalue == pytest.approx(drawn.pvalue, abs=4 * drawn.monte_carlo_error)
    error = outcome.standard_error
    for kind in ("confidence_interval", "bootstrap_interval"):
        found, expected = getattr(outcome, kind)(), getattr(drawn, kind)()
        assert found == pytest.approx(expected, abs=0.1 * error)
    for factor, excluded in ((1 - 1e-6, False), (1 + 1e-6, True)):
        low, high = outcome.confidence_interval(1 - outcome.pvalue * factor)
        assert (low > 0 or high < 0) is excluded


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_bootstrap_of_a_mean_as_many_draws_have_it(alternative, interval):
    sample = predictions(seed=9)
    asked = {"alternative": alternative, "interval": interval}
    kinds = ["shift"]
    if interval == "percentile":  # the p-value does not depend on it
        kinds += ["berg-kirkpatrick", *["sign-reversal"] * (alternative == "two-sided")]
    for kind in kinds:
        smooth = paired_bootstrap(sample, pvalue=kind, **asked)
        drawn = paired_bootstrap(sample, pvalue=kind, n_resamples=9_000, rng=0, **asked)
        assert smooth.pvalue == pytest.approx(drawn.pvalue, abs=4 * drawn.monte_carlo_error)
        assert smooth.monte_carlo_error == 0
        error = smooth.standard_error
        assert error == pytest.approx(drawn.standard_error, rel=0.03)
        found, expected = smooth.confidence_interval(), drawn.confidence_interval()
        assert found == pytest.approx(expected, abs=0.12 * error)
        found, expected = smooth.critical_value(), drawn.critical_value()
        assert found == pytest.approx(expected, abs=0.12 * error)


def test_two_tails_of_the_shifted_law_have_the_level():
    outcome = paired_bootstrap(predictions(seed=10))
    law = ResampledMean(*outcome.resampled_law)
    critical = outcome.critical_value(0.01)
    tails = law.above(outcome.estimate + critical), law.below(outcome.estimate - critical)
    assert sum(tails) == pytest.approx(0.01, rel=1e-9)
    low, high = outcome.confidence_interval(0.9)
    assert (law.below(low), law.above(high)) == pytest.approx((0.05, 0.05), rel=1e-9)


@pytest.mark.parametrize("procedure", [paired_permutation, paired_bootstrap])
def test_outcomes_without_draws_are_restored(procedure):
    outcome = procedure(predictions(seed=11))
    assert (outcome.n_resamples, outcome.seed) == (0, None)
    restored = Outcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    for question in ("confidence_interval", "critical_value"):
        assert getattr(restored, question)() == getattr(outcome, question)()
    margin = abs(outcome.estimate) + 1.5 * outcome.standard_error
    assert equivalence(restored, margin).pvalue == equivalence(outcome, margin).pvalue
    # To be drawn in a picture: as spread as the replicates would be.
    spread = np.std(restored.replicates)
    assert spread == pytest.approx(outcome.standard_error, rel=0.01)


@pytest.mark.parametrize(
    "sample",
    [
        predictions(strata=np.arange(700) % 2),
        predictions(sample_weight=np.linspace(1, 2, 700)),
        predictions(groups=np.arange(700) // 2),
        predictions(order=np.arange(700)),
        predictions(n=499),
        predictions().with_metric(as_metric("r2")),
    ],
    ids=["strata", "weights", "groups", "order", "few", "a ratio"],
)
def test_what_is_not_a_plain_mean_of_many_is_drawn(sample):
    assert paired_bootstrap(sample, rng=0).n_resamples == 9999
    if not sample.ordered and sample.strata is None and sample.sample_weight is None:
        assert paired_permutation(sample, rng=0).n_resamples == 9999


def test_whole_errors_are_drawn():
    # Absolute errors of whole numbers stand on a lattice, and their sums have steps.
    rng = np.random.default_rng(12)
    y = rng.poisson(5, 800).astype(float)
    outputs = {"a": y + rng.integers(-2, 3, 800), "b": y + rng.integers(-2, 3, 800)}
    sample = PairedPredictions(y, outputs, as_metric("neg_mean_absolute_error"))
    for procedure in (paired_permutation, paired_bootstrap):
        assert procedure(sample, rng=0).n_resamples == 9999


def test_numbers_of_resamples_are_kept():
    sample = predictions(seed=13)
    for procedure in (paired_permutation, paired_bootstrap):
        drawn = procedure(sample, n_resamples=9999, rng=0)
        assert (drawn.n_resamples, len(drawn.replicates)) == (9999, 9999)
        with pytest.raises(ValueError, match="n_resamples"):
            procedure(sample, n_resamples=0)
    assert paired_permutation(sample, interval="bca", rng=0).n_resamples == 9999
