"""Saddlepoint laws against all patterns, exact convolutions, and many draws."""

import json

import numpy as np
import pytest
from scipy import stats

from skstat.stats import Outcome, PairedScores, equivalence, sign_flip
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
