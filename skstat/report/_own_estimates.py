"""Estimate the performance of a single system from the sample that it was compared on."""

from dataclasses import replace
from typing import Any

import numpy as np

from skstat import stats
from skstat.stats._estimates import Bounds, counted_estimate, holdout_facts
from skstat.stats._family import Student
from skstat.stats._predictions import PredictionsSummary
from skstat.stats._scores import Resampled, units_of
from skstat.stats._words import unit_word

_SHARES = ((0.0, (0.0, 1.0)), (-1.0, (-1.0, 0.0)))  # hits as 1, or misses as -1


class NoOwnEstimateError(ValueError):
    """Raised if a system of a sample has no estimate; the message is the end of a sentence."""


def own_estimate(
    sample: Any,
    index: int,
    *,
    bounds: Bounds = (None, None),
    n_resamples: int = 9999,
    rng: int = 0,
) -> stats.Estimate:
    """Estimate the performance of one system of a sample.

    The procedure is that for the system alone: `t_estimate` for scores of splits,
    `holdout_estimate` for scores of rows or groups, and its bootstrap for other metrics of a
    test set, DeLong's variance for areas under ROC curves, and Student's t over data sets and
    seeds.

    Parameters
    ----------
    sample : PairedScores, ScoreTable, AgreementTable, Predictions, ...
        The scores or predictions.
    index : int
        Index of the system in the sample.
    bounds : tuple of float or None, default=(None, None)
        Lowest and highest possible score.
    n_resamples, rng : int
        Number of resamples and seed of a bootstrap, where one is needed.

    Returns
    -------
    Estimate
        The estimate, with its interval.

    Raises
    ------
    NoOwnEstimateError
        If there is no procedure for one system of such a sample; it says why.
    """
    match sample:
        case PredictionsSummary():
            raise NoOwnEstimateError("they need the rows, which a stored report does not hold")
        case stats.Predictions():
            result = _of_predictions(sample, index, n_resamples, rng)
        case stats.AgreementTable():
            right = sample.both + (sample.only_a, sample.only_b)[index]
            result = counted_estimate(right, sample.n_units)
        case stats.Successes():
            result = counted_estimate(sample.successes, sample.n)
        case stats.SeedScores() if not sample.of_instances and sample.runs is None:
            result = _by_t(stats.Scores(sample.scores[sample.names[index]], unit="seed"))
        case stats.BinaryScores():
            result = _of_areas(sample, index)
        case Resampled():
            result = _of_units(sample, index, bounds)
        case _:
            raise NoOwnEstimateError("there is no procedure for one system of such scores")
    return result if bounds == (None, None) else result.within(*bounds)


def needs_draws(sample: Any) -> bool:
    """Tell whether the estimates of a sample need a bootstrap, which takes time."""
    of_rows = isinstance(sample, stats.Predictions)
    return of_rows and _scores_of_rows(sample, next(iter(sample.outputs))) is None


def needs_rows(sample: Any) -> bool:
    """Tell whether the estimates need rows, which are not stored with a report."""
    rows = isinstance(sample, stats.Predictions) or getattr(sample, "rows", None) is not None
    return rows or getattr(sample, "runs", None) is not None


def _of_areas(areas: stats.BinaryScores, index: int) -> stats.Estimate:
    area, error = float(areas.aucs[index]), float(areas.standard_errors[index])
    return stats.Estimate(
        method="area under the ROC curve, DeLong's variance",
        n_units=areas.n_units,
        law=Student(estimate=area, standard_error=error),
        by_logit=True,
        bounds=(0.0, 1.0),
        **holdout_facts("area under the ROC curve", str(areas.unit)),
    )


def _of_predictions(
    sample: stats.Predictions, index: int, n_resamples: int, rng: int
) -> stats.Estimate:
    name = sample.names[index]
    if (rows := _scores_of_rows(sample, name)) is not None:
        if sample.groups is not None:
            return _by_t(stats.Scores(rows[0], groups=sample.groups))
        return _of_rows(*rows)
    try:
        return stats.holdout_estimate(sample.alone(name), n_resamples=n_resamples, rng=rng)
    except ValueError as error:
        why = "the metric is undefined on too many bootstrap resamples"
        raise NoOwnEstimateError(why) from error


def _of_units(sample: Any, index: int, bounds: Bounds) -> stats.Estimate:
    """Estimate from a score for every unit, and its rows or blocks where they are known."""
    values = np.asarray(sample.columns[index])
    if not sample.projects and sample.n_blocks is None:
        if sample.ordered:
            why = "the scores follow each other in time, and are not independent"
            raise NoOwnEstimateError(why)
        if not np.isfinite(values).all():
            raise NoOwnEstimateError("some scores are missing")
        if sample.unit == "split" and sample.test_train_ratio is None:
            raise NoOwnEstimateError("the sizes of the splits are not known")
        if sample.unit == "instance":
            return _of_rows(values)
    rows: Any = None if sample.rows is None else sample.rows.of([index])
    estimate = _by_t(stats.Scores(values, rows=rows, groups=sample.groups, **units_of(sample)))
    # If all rows are right, or all are wrong, nothing varies: use the interval of a proportion.
    shares = rows is not None and rows.of_mean and rows.n_effective is None
    if not (shares and bounds == (0.0, 1.0) and sample.size_unit == "row"):
        return estimate
    if estimate.standard_error or values[0] not in bounds or np.ptp(values):
        return estimate
    counted = stats.holdout_estimate(np.full(rows.n_units, values[0]))
    method = f"{estimate.method}; {counted.method}"
    return replace(counted, estimand=estimate.estimand, method=method)


def _of_rows(values: Any, times: Any = 1) -> stats.Estimate:
    """Estimate from the values of rows and their multiplicities; proportions by counts."""
    rows = np.asarray(values, dtype=float)
    counts = np.broadcast_to(times, rows.shape)
    n = int(counts.sum())
    for offset, levels in _SHARES:
        if n > 1 and np.isin(rows, levels).all():
            return counted_estimate(int(counts @ (rows - offset)), n, offset=offset)
    return _by_t(stats.Scores(np.repeat(rows, counts), unit="instance"))


def _by_t(sample: stats.Scores) -> stats.Estimate:
    try:
        return stats.t_estimate(sample)
    except ValueError as error:
        words = f"{unit_word(sample.unit)}s"
        raise NoOwnEstimateError(f"there are too few {words}") from error


def _scores_of_rows(sample: stats.Predictions, name: str) -> tuple[Any, Any] | None:
    """Return row scores and their multiplicities, if the metric is a mean over rows."""
    if sample.sample_weight is not None or sample.strata is not None or sample.ordered:
        return None
    single = sample.alone(name)
    if single.counts is None:
        single = single.on_rows(slice(None)).with_rows()
    kernel = single.kernel
    if not isinstance(kernel, stats.SumKernel) or not kernel.is_mean:
        return None
    terms: Any = (kernel.own[0], kernel.common)
    dense = (term.toarray() if hasattr(term, "toarray") else term for term in terms)
    sums, weights = (np.asarray(term, dtype=float)[:, 0] for term in dense)
    return None if np.ptp(weights) else (sums / weights, kernel.plan.multiplicity)
