"""The projection for larger training sets: estimate from folds, variance from halves."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.stats import (
    PairedScores,
    RowContributions,
    Scores,
    ScoreTable,
    projection_t,
    t_estimate,
)
from tests.stats.projection_by_hand import (
    OF_MEANS,
    a_and_b,
    components,
    few_factor,
    mean,
    partitions,
    row_scores,
    variance,
)

R_HALVES, R_FOLDS, K, N = 6, 2, 5, 40
OF_FOLDS = 1 / 5  # of one split's instability, in the mean of a repetition of folds


def made(seed=0, train=0.3, larger=0.3, n_systems=2, groups=None):
    """Row scores on halves and on folds; `train` and `larger` scale what training rows do."""
    rng = np.random.default_rng(seed)
    n = N if groups is None else len(np.unique(groups))
    halves, folds = partitions(rng, R_HALVES, n, 2), partitions(rng, R_FOLDS, n, K)
    if groups is not None:
        halves, folds = halves[:, groups], folds[:, groups]
    state = rng.bit_generator.state
    of_halves = row_scores(rng, halves, n_systems, train)
    rng.bit_generator.state = state  # the same rows
    of_folds = row_scores(rng, folds, n_systems, larger)
    return (of_halves, halves), (of_folds, folds)


def paired(halves, folds, **options):
    on_halves = PairedScores.from_row_scores(*a_and_b(halves[0]), halves[1], **options)
    on_folds = PairedScores.from_row_scores(*a_and_b(folds[0]), folds[1], **options)
    return replace(on_folds, rows=replace(on_folds.rows, halves=on_halves.rows))


def table(halves, folds):
    scores, numbers = folds
    rows = RowContributions(scores, numbers, halves=RowContributions(*halves))
    means = rows.fold_means(scores).reshape(-1, scores.shape[2])
    return ScoreTable(means, rows=rows, n_repeats=len(numbers), unit="split")


def on_halves(sample):
    rows = sample.rows.halves
    a, b = rows.fold_means(rows.values).reshape(-1, 2).T
    return PairedScores(a, b, rows=rows, n_repeats=rows.n_repeats)


def components_of(sample, strata=None):
    rows = sample.rows
    T = np.asarray(sample.differences).reshape(rows.n_repeats, -1).tolist()
    C = (rows.values[:, :, 0] - rows.values[:, :, 1]).tolist()
    return components(T, C, rows.folds, strata)


def by_definition(sample, strata=None, weights=None):
    """Sampling and instability parts, and the variance of the change, by loops."""
    halves, folds = components_of(on_halves(sample), strata), components_of(sample, strata)
    n, few = sample.rows.n_units, few_factor(weights)
    ratio = max(1.0, folds["v_alpha"] / halves["v_alpha"])
    sampling = folds["between"] / n + max(halves["F"] * ratio, folds["v_alpha"] / n)
    of_folds = OF_FOLDS / sample.rows.n_repeats
    moved = variance(b - a for a, b in zip(halves["alpha"], folds["alpha"], strict=True))
    moved = max(moved - halves["noise"] - folds["noise"], 0.0)
    beyond = max(1.0, halves["F"] / (halves["v_alpha"] / n))
    own = 1 / (2 * sample.rows.halves.n_repeats)
    change = few * moved / n * beyond + halves["v_e"] * (OF_MEANS + of_folds + own)
    repeats = np.asarray(sample.differences).reshape(sample.rows.n_repeats, -1)
    change += variance(mean(folds) for folds in repeats.tolist()) / len(repeats)
    return few * sampling, halves["v_e"] * (OF_MEANS + of_folds), change


@pytest.mark.parametrize("larger", [0.0, 0.3, 1.2])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_definition(seed, larger):
    sample = paired(*made(seed, larger=larger))
    outcome = projection_t(sample)
    sampling, instability, change = by_definition(sample)
    assert outcome.law.sampling_error**2 == pytest.approx(sampling)
    assert outcome.law.instability_error**2 == pytest.approx(instability)
    assert outcome.estimate == pytest.approx(mean(sample.differences))
    assert outcome.df == R_HALVES
    t = outcome.estimate / outcome.standard_error
    assert outcome.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), R_HALVES))
    assert "variance of 6 halvings" in outcome.test
    found, half = outcome.law.change, outcome.law.half
    assert half.estimate == pytest.approx(mean(on_halves(sample).differences))
    assert found.estimate == pytest.approx(outcome.estimate - half.estimate)
    width = scipy_stats.t.ppf(0.95, R_HALVES) * np.sqrt(change)
    low, high = found.estimate - width, found.estimate + width
    assert found.limits(0.05) == pytest.approx((low, high))
    alone = projection_t(on_halves(sample))
    assert half.limits(0.05) == pytest.approx(alone.confidence_interval(0.9))


def test_the_change_is_known_of_scores_that_are_the_same_quantity_at_both_sizes():
    """Not of R2, say, of folds with eight rows beside that of halves."""
    sample = paired(*made(3))
    as_other = replace(sample.rows, of_mean=False)
    for of_mean, of_groups, known in (
        (True, False, True),
        (False, False, False),
        (False, True, True),  # eight groups may have many rows
    ):
        rows = sample.rows if of_mean else as_other
        found = replace(sample, rows=rows, size_unit="group" if of_groups else "row")
        assert (projection_t(found).law.change is not None) is known


# Several systems, one system


def test_one_system_and_a_constant():
    (halves, first), (folds, second) = made(7)
    whole = table((halves, first), (folds, second))

    rows = whole.rows.of([0])
    one = Scores(whole.scores[:, 0], rows=rows, n_repeats=rows.n_repeats, unit="split")
    nothing = np.zeros_like(halves)[:, :, :1], np.zeros_like(folds)[:, :, :1]
    beside = paired(
        (np.concatenate([halves[:, :, :1], nothing[0]], 2), first),
        (np.concatenate([folds[:, :, :1], nothing[1]], 2), second),
    )
    pair, constant = projection_t(beside), projection_t(one.against(0.0))
    assert constant.standard_error == pytest.approx(pair.standard_error)
    assert constant.pvalue == pytest.approx(pair.pvalue)
    estimate = t_estimate(one)
    assert estimate.standard_error == pytest.approx(pair.standard_error)
    assert (estimate.df, constant.df) == (R_HALVES, R_HALVES)
    assert "variance of 6 halvings" in estimate.method


# Refusals


def test_halves_must_fit():
    sample = paired(*made(0))
    with pytest.raises(ValueError, match="halves must be RowContributions"):
        replace(sample.rows, halves=3)
    few = paired(*made(0, groups=np.arange(30))).rows.halves
    for other in (few, sample.rows):
        with pytest.raises(ValueError, match="halves must be .* of the same rows"):
            replace(sample.rows, halves=other)


def test_too_few_repetitions_are_refused():
    (halves, first), (folds, second) = made(0)
    with pytest.raises(ValueError, match="needs 3 repetitions"):
        projection_t(paired((halves[:2], first[:2]), (folds, second)))
    with pytest.raises(ValueError, match="needs two repetitions of folds"):
        projection_t(paired((halves, first), (folds[:1], second[:1])))
