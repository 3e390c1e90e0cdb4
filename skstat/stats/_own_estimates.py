"""How good every system of a sample is by itself: which estimate suits which sample."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats._auc import BinaryScores
from skstat.stats._counts import AgreementTable, Successes
from skstat.stats._estimates import (
    Bounds,
    Estimate,
    block_jackknife_estimate,
    corrected_t_estimate,
    counted_estimate,
    holdout_bootstrap_estimate,
    holdout_estimate,
    projection_estimate,
)
from skstat.stats._kernels import SumKernel
from skstat.stats._law import Student
from skstat.stats._predictions import Predictions, PredictionsSummary
from skstat.stats._row_contributions import FEWEST_REPEATS
from skstat.stats._scores import Resampled, Scores, units_of
from skstat.stats._seed_scores import SeedScores
from skstat.stats._words import unit_word

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
        case Resampled() if sample.groups is not None:
            return _of_rows(sample.columns[place], sample.groups)
        case AgreementTable():
            right = sample.both + (sample.only_a, sample.only_b)[place]
            return counted_estimate(right, sample.n_units)
        case Successes():
            return counted_estimate(sample.successes, sample.n)
        case SeedScores() if not sample.of_instances and sample.runs is None:
            return _student_t(sample.scores[sample.names[place]], "seed")
        case BinaryScores():
            return _of_areas(sample, place)
        case Resampled():
            return _of_units(sample, place, bounds)
    raise NoOwnEstimateError("there is no procedure for one system of such scores alone")


def needs_draws(sample: Any) -> bool:
    """Whether the estimates of a sample are drawn, which takes time."""
    if not isinstance(sample, Predictions):
        return False
    return _kernel_of_rows(sample, next(iter(sample.outputs))) is None


def needs_rows(sample: Any) -> bool:
    """Whether what is stored of a sample is too little for its estimates."""
    rows = isinstance(sample, Predictions) or getattr(sample, "rows", None) is not None
    return rows or getattr(sample, "runs", None) is not None


def _of_areas(areas: BinaryScores, place: int) -> Estimate:
    unit = str(areas.unit)
    return Estimate(
        method="area under the ROC curve, DeLong's variance",
        estimand=f"area under the ROC curve of this fitted model on new {unit}s",
        unit=unit,
        n_units=areas.n_units,
        law=Student(
            estimate=float(areas.aucs[place]),
            standard_error=float(areas.standard_errors[place]),
        ),
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


def _of_units(sample: Any, place: int, bounds: Bounds) -> Estimate:
    """Estimate from a score for every unit, and what is known of its rows or blocks."""
    values = np.asarray(sample.columns[place])
    projects = sample.rows is not None and (
        (sample.halves or sample).rows.n_repeats >= FEWEST_REPEATS
    )
    if not projects and sample.n_blocks is None:
        if sample.ordered:
            why = "the scores follow each other in time, and are not independent"
            raise NoOwnEstimateError(why)
        if not np.isfinite(values).all():
            raise NoOwnEstimateError("some scores are missing")
        if sample.unit == "instance":
            return _of_rows(values)
        if sample.unit != "split":
            return _student_t(values, str(sample.unit))
        if sample.test_train_ratio is None:
            raise NoOwnEstimateError("the sizes of the splits are not known")
        if len(values) < 3:
            raise NoOwnEstimateError("there are fewer than three splits")
    alone = _alone(sample, place)
    if sample.n_blocks is not None:
        return block_jackknife_estimate(alone)
    found = projection_estimate(alone) if projects else corrected_t_estimate(alone)
    # Nothing varies where all rows are right, or all are wrong: each is counted once.
    rows, value = sample.rows, float(values[0])
    shares = rows is not None and rows.of_mean and rows.n_effective is None
    if not (shares and bounds == (0.0, 1.0) and sample.size_unit == "row"):
        return found
    if found.standard_error or value not in bounds or np.ptp(values):
        return found
    counted = holdout_estimate(np.full(rows.n_units, value))
    return replace(counted, estimand=found.estimand, method=f"{found.method}; {counted.method}")


def _alone(sample: Any, place: int) -> Scores:
    """Return one system of a pair or a table, with what its rows contributed."""
    return Scores(
        sample.columns[place],
        rows=None if sample.rows is None else sample.rows.of([place]),
        halves=None if sample.halves is None else _alone(sample.halves, place),
        **units_of(sample),
    )


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


def _student_t(scores: Any, unit: str) -> Estimate:
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


def _column_of(terms: Any) -> NDArray[np.float64]:
    dense = terms.toarray() if hasattr(terms, "toarray") else np.asarray(terms)
    return np.asarray(dense[:, 0], dtype=float)
