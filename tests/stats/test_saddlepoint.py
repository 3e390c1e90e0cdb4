"""Sign flips by saddlepoint against their exact law and many draws."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import PairedScores, Predictions, equivalence, paired_permutation, sign_flip

ALTERNATIVES = ["two-sided", "less", "greater"]


def flipped(differences, **asked):
    sample = PairedScores(differences, np.zeros(len(differences)), unit="instance")
    return sign_flip(sample, **asked)


def chance_above(bound, sizes):
    """Chance of a sum with random signs, by inversion of its characteristic function."""
    spread = np.sqrt(np.sum(sizes**2))
    t = (np.arange(2_000) + 0.5) * (12 / spread / 2_000)
    waves = np.prod(np.cos(np.multiply.outer(t, sizes)), axis=1)
    return 0.5 - np.sum(np.sin(t * bound) * waves / t) * (t[1] - t[0]) / np.pi


@pytest.mark.parametrize("n", [500, 9000])
def test_the_law_is_exact_to_a_thousandth(n):
    sizes = np.random.default_rng(n).gamma(2, 1, n)
    signs = np.ones(n)
    for errors in (0.01, 0.5, 2, 4, 5):
        wanted = errors * np.sqrt(np.sum(sizes**2))
        moved = int(np.argmin(np.abs(np.cumsum(sizes) - (sizes.sum() - wanted) / 2)))
        signs[: moved + 1], signs[moved + 1 :] = -1, 1
        expected = chance_above(float(signs @ sizes), sizes)
        found = flipped(signs * sizes, alternative="greater")
        assert "saddlepoint" in found.test
        assert found.pvalue == pytest.approx(expected, rel=1e-3, abs=1e-11)


def test_laws_with_steps_are_recognised():
    normal = np.random.default_rng(5).normal(size=700)
    for smooth in (normal, np.append(np.ones(500), normal[:100]), np.round(normal, 4)):
        assert "saddlepoint" in flipped(smooth).test
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
        assert "saddlepoint" not in flipped(steps, rng=0).test


def drawn_beside(differences, alternative):
    smooth = flipped(differences, alternative=alternative)
    drawn = flipped(differences, n_resamples=40_000, rng=1, alternative=alternative)
    assert "(saddlepoint approximation)" in smooth.test and "(drawn)" in drawn.test
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


def test_what_no_draws_could_show():
    differences = np.random.default_rng(7).normal(1, 1, 2000)
    # Beyond every number of draws; Student's t has the same order, for normal differences.
    assert np.log10(flipped(differences).pvalue) == pytest.approx(
        np.log10(stats.ttest_1samp(differences, 0).pvalue), rel=0.03
    )
    assert flipped(np.abs(differences)).pvalue <= np.finfo(float).tiny
    half = flipped(np.abs(differences[:600]))
    assert half.pvalue == 2.0**-599
    low, high = half.confidence_interval()
    assert 0 < low < half.estimate < high


def predictions(n=700, seed=8, gap=0.08, **more):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    outputs = {"a": y + rng.normal(size=n), "b": y + (1 + gap) * rng.normal(size=n)}
    return Predictions(y, outputs, as_metric("neg_mean_squared_error"), **more)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swaps_are_sign_flips_of_the_rows(alternative):
    sample = predictions()
    a, b = ((sample.y_true - output) ** 2 for output in sample.outputs.values())
    outcome = paired_permutation(sample, rng=1, alternative=alternative)
    flips = flipped(b - a, alternative=alternative)
    assert "saddlepoint" in outcome.test and not outcome.law.exact
    assert (outcome.n_resamples, outcome.seed, outcome.monte_carlo_error) == (0, None, 0)
    assert outcome.pvalue == pytest.approx(flips.pvalue, rel=1e-9)
    assert outcome.standard_error == pytest.approx(np.std(b - a, ddof=1) / np.sqrt(700))
    drawn = paired_permutation(sample, n_resamples=20_000, rng=0, alternative=alternative)
    assert outcome.pvalue == pytest.approx(drawn.pvalue, abs=4 * drawn.monte_carlo_error)
    checked, expected = (replace(each, law=each.law.by_replicates) for each in (outcome, drawn))
    for each, like in ((outcome, drawn), (checked, expected)):
        limits = pytest.approx(like.confidence_interval(), abs=0.1 * outcome.standard_error)
        assert each.confidence_interval() == limits
    for factor, excluded in ((1 - 1e-6, False), (1 + 1e-6, True)):
        low, high = outcome.confidence_interval(1 - outcome.pvalue * factor)
        assert (low > 0 or high < 0) is excluded
