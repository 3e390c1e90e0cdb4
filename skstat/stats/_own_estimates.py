"""How good every system of a sample is by itself: which estimate suits which sample."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._auc import BinaryScores
from skstat.stats._estimates import Estimate, MeanEstimate, corrected_t_estimate
from skstat.stats._holdout import counted_estimate, holdout_bootstrap_estimate, holdout_estimate
from skstat.stats._kernels import SumKernel
from skstat.stats._samples import (
    AgreementTable,
    Predictions,
    PredictionsSummary,
    Resampled,
    Scores,
    SeededPredictions,
    SeedScores,
    Successes,
    units_of,
)
from skstat.stats._splits import FEWEST_REPEATS, block_jackknife_estimate, projection_estimate
from skstat.stats._words import unit_word

Numbers = NDArray[np.float64]
Bounds = tuple[float | None, float | None]

_SHARES = ((0.0, (0.0, 1.0)), (-1.0, (-1.0, 0.0)))  # of hits, and of misses below 0


class Draws(NamedTuple):
    """How a bootstrap is drawn, where an estimate needs one."""

    n_resamples: int = 9_999
    seed: int = 0


class NoOwnEstimateError(ValueError):
    """Why the systems of a sample have no estimates of their own, as the end of a sentence."""


def own_estimate(
    sample: Any, place: int, *, bounds: Bounds = (None, None), draws: Draws | None = None
) -> Estimate:
    """Estimate how good one system of a sample is by itself.

    The procedure is that for the system alone: :func:`projection_estimate` where it is known
    what every row contributed to the scores of splits, :func:`corrected_t_estimate` for other
    splits, :func:`block_jackknife_estimate` for pairs of blocks, :func:`holdout_estimate` for
    scores of rows or groups, :func:`holdout_bootstrap_estimate` for other metrics of a test
    set, DeLong's variance for areas under ROC curves, and Student's t over data sets and
    seeds.

    Parameters
    ----------
    sample : PairedScores, ScoreTable, AgreementTable, Predictions, ...
        The scores or predictions.
    place : int
        Place of the system in the sample.
    bounds : tuple of float or None, default=(None, None)
        Lowest and highest score that there can be.
    draws : Draws, optional
        How a bootstrap is drawn; default 9999 resamples with the seed 0.

    Returns
    -------
    Estimate
        The estimate, with its interval.

    Raises
    ------
    NoOwnEstimateError
        If there is no procedure for one system of such a sample; it says why.
    """
    found = _estimate(sample, place, bounds, draws or Draws())
    return found if bounds == (None, None) else found.within(*bounds)


def _estimate(sample: Any, place: int, bounds: Bounds, draws: Draws) -> Estimate:
    match sample:
        case PredictionsSummary():
            raise NoOwnEstimateError("they need the rows, which a stored report does not hold")
        case Predictions():
            return _of_predictions(sample, place, draws)
        case Resampled() if sample.rows is not None:
            return _of_folds(sample, place, bounds)
        case Resampled() if sample.n_blocks is not None:
            return _of_blocks(sample, place)
        case Resampled() if sample.groups is not None:
            return _of_rows(sample.columns[place], sample.groups)
        case AgreementTable():
            right = sample.both + (sample.only_a, sample.only_b)[place]
            return counted_estimate(right, sample.n_units)
        case Successes():
            return counted_estimate(sample.successes, sample.n)
        case SeedScores() if not sample.of_instances:
            return _student_t(sample.scores[sample.names[place]], "seed")
        case BinaryScores():
            return _of_areas(sample, place)
        case Resampled():
            return _of_units(sample.columns[place], sample)
    raise NoOwnEstimateError("there is no procedure for one system of such scores alone")


def needs_draws(sample: Any) -> bool:
    """Whether the estimates of a sample are drawn, which takes time."""
    if not isinstance(sample, Predictions):
        return False
    name = next(iter(sample.outputs))
    return _kernel_of_rows(sample, name) is None


def needs_rows(sample: Any) -> bool:
    """Whether what is stored of a sample is too little for its estimates."""
    drawn = isinstance(sample, Predictions | SeededPredictions)
    return drawn or getattr(sample, "rows", None) is not None


def _of_folds(sample: Any, place: int, bounds: Bounds) -> Estimate:
    of_variance = sample if sample.halves is None else sample.halves
    alone = _alone_on_folds(sample, place)
    few = of_variance.rows.n_repeats < FEWEST_REPEATS
    found = _of_units(alone.values, sample) if few else projection_estimate(alone)
    if found.standard_error or not _all_right_or_wrong(alone, bounds):
        return found
    # Nothing varies where all rows are right, or all are wrong: each is counted once.
    value, n = float(np.mean(alone.values)), alone.rows.n_units
    counted = holdout_estimate(np.full(n, value))
    return replace(counted, estimand=found.estimand, method=f"{found.method}; {counted.method}")


def _of_blocks(sample: Any, place: int) -> Estimate:
    k = sample.n_blocks
    matrix = np.full((k, k), np.nan)
    matrix[~np.eye(k, dtype=bool)] = sample.columns[place]
    return block_jackknife_estimate(matrix, size_unit=sample.size_unit)


def _of_areas(areas: BinaryScores, place: int) -> Estimate:
    unit = str(areas.unit)
    return MeanEstimate(
        method="area under the ROC curve, DeLong's variance",
        estimand=f"area under the ROC curve of this fitted model on new {unit}s",
        unit=unit,
        n_units=areas.n_units,
        estimate=areas.aucs[place],
        standard_error=areas.standard_errors[place],
        assumptions=(f"the {unit}s are independent of each other",),
        ignored_variance=("training rows",),
        by_logit=True,
        bounds=(0.0, 1.0),
    )


def _of_predictions(sample: Predictions, place: int, draws: Draws) -> Estimate:
    name = sample.names[place]
    kernel = _kernel_of_rows(sample, name)
    if kernel is not None:
        values = _column_of(kernel.own[0]) / _column_of(kernel.common)
        return _of_rows(values, sample.groups, kernel.plan.multiplicity)
    try:
        return holdout_bootstrap_estimate(
            sample.alone(name), n_resamples=draws.n_resamples, rng=draws.seed
        )
    except ValueError as error:  # undefined on too many resamples
        raise NoOwnEstimateError(
            "the metric is undefined on too many bootstrap resamples"
        ) from error


def _alone_on_folds(sample: Any, place: int) -> Scores:
    """Return one system on repeated partitions, with what its rows contributed."""
    return Scores(
        sample.columns[place],
        rows=sample.rows.of([place]),
        halves=None if sample.halves is None else _alone_on_folds(sample.halves, place),
        **units_of(sample),
    )


def _of_units(values: Any, sample: Any) -> Estimate:
    """Estimate from a score for every unit."""
    scores = np.asarray(values, dtype=float)
    if sample.ordered:
        raise NoOwnEstimateError(
            "the scores follow each other in time, and are not independent"
        )
    if not np.isfinite(scores).all():
        raise NoOwnEstimateError("some scores are missing")
    if sample.unit == "split":
        return _of_splits(scores, sample)
    if sample.unit == "instance":
        return _of_rows(scores)
    return _student_t(scores, str(sample.unit))


def _of_splits(scores: Numbers, sample: Any) -> Estimate:
    if sample.test_train_ratio is None:
        raise NoOwnEstimateError("the sizes of the splits are not known")
    if len(scores) < 3:
        raise NoOwnEstimateError("there are fewer than three splits")
    return corrected_t_estimate(Scores(scores, **units_of(sample)))


def _of_rows(values: Any, groups: Any = None, times: Any = 1) -> Estimate:
    """Estimate from the scores of rows, which come so many times each."""
    rows = np.asarray(values, dtype=float)
    counts = np.broadcast_to(times, rows.shape)
    if counts.sum() < 2:
        raise NoOwnEstimateError("there is one row only")
    if groups is not None:
        try:
            return holdout_estimate(rows, groups=groups)
        except ValueError as error:
            raise NoOwnEstimateError("there are too few groups") from error
    for offset, both in _SHARES:
        if np.isin(rows, both).all():
            right = int(counts @ (rows - offset))
            return counted_estimate(right, int(counts.sum()), offset=offset)
    return holdout_estimate(np.repeat(rows, counts), interval="t")


def _student_t(scores: Numbers, unit: str) -> Estimate:
    """Estimate the mean over independent data sets, seeds or groups."""
    if len(scores) < 2:
        raise NoOwnEstimateError(f"there is one {unit_word(unit)} only")
    words = f"{unit_word(unit)}s"
    return replace(
        holdout_estimate(scores, interval="t"),
        method=f"Student's t over {len(scores)} {words}",
        estimand=f"mean score over the population that the {words} come from",
        unit=unit,
        assumptions=(f"the {words} are independent of each other",),
        ignored_variance=(),
    )


def _all_right_or_wrong(sample: Scores, bounds: Bounds) -> bool:
    """Whether every row is right, or every row wrong, by a share of right rows."""
    values = np.asarray(sample.values)
    shares = sample.rows.of_mean and bounds == (0.0, 1.0) and sample.size_unit == "row"
    shares = shares and sample.rows.n_effective is None
    return bool(shares and values[0] in bounds and np.all(values == values[0]))


def _kernel_of_rows(sample: Predictions, name: str) -> SumKernel | None:
    """A kernel with an atom for every row, or kind of row; None unless the score is a mean."""
    if sample.sample_weight is not None or sample.strata is not None or sample.ordered:
        return None
    alone = sample.alone(name)
    if alone.counts is None:
        alone = alone.on_rows(slice(None)).with_rows()
    kernel = alone.kernel
    if not isinstance(kernel, SumKernel) or not kernel.is_mean:
        return None
    return None if np.ptp(_column_of(kernel.common)) else kernel


def _column_of(terms: Any) -> Numbers:
    dense = terms.toarray() if hasattr(terms, "toarray") else np.asarray(terms)
    return np.asarray(dense[:, 0], dtype=float)
