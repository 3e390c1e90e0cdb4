"""A sample that units can be left out of, and what every unit speaks for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._resampling import SumKernel
from skstat.stats._samples import AgreementTable, PairedPredictions, PairedScores

Places = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The units of a sample.

    Attributes
    ----------
    values : ndarray of shape (n,)
        What every unit adds to the estimate, for A if positive. Of counts the units that
        differ stand for all.
    n_units : int
        Number of all units.
    without : callable
        Makes the sample without the units at these places of `values`.
    are_alike : bool
        Whether units with the same value are the same, so that none is a better choice.
    is_costly : bool
        Whether asking a test again of most of them takes long: too long to try many sets.
    """

    values: NDArray[np.float64]
    n_units: int
    without: Callable[[Places], Any]
    are_alike: bool = False
    is_costly: bool = False


def parts_of(sample: Any) -> Parts | None:
    """Return the units of a sample; None where none can be left out honestly."""
    make = how_to_part(sample)
    return None if make is None else make(sample)


def how_to_part(sample: Any) -> Callable[[Any], Parts] | None:
    """Return what tells the units of a sample; None where none can be left out honestly.

    Splits of one data set share their rows, and a series in time has no gaps.
    """
    if isinstance(sample, AgreementTable):
        return _of_counts
    if type(sample) is PairedScores and sample.unit != "split" and not sample.ordered:
        return _of_scores
    if type(sample) is PairedPredictions and _are_plain_rows(sample):
        return _of_predictions
    return None


def _are_plain_rows(pair: PairedPredictions) -> bool:
    """Whether rows are units of equal weight, and the metric a function of sums over them."""
    beside = (pair.groups, pair.sample_weight, pair.strata, pair.order)
    return all(each is None for each in beside) and isinstance(pair.kernel, SumKernel)


def _of_predictions(pair: PairedPredictions) -> Parts:
    kernel = pair.with_rows().kernel
    score_a, score_b = pair.scores
    influence = kernel.influence()

    def without(places: Places) -> PairedPredictions:
        kept = np.delete(np.arange(pair.n_rows), places)
        return pair.on_rows(kept).pair(*pair.names)

    return Parts(
        values=np.asarray(score_a - score_b + influence[:, 0] - influence[:, 1]),
        n_units=pair.n_rows,
        without=without,
        is_costly=True,
    )


def _of_counts(table: AgreementTable) -> Parts:
    values = np.repeat([1.0, -1.0], [table.only_a, table.only_b])

    def without(places: Places) -> AgreementTable:
        of_a = int(np.count_nonzero(places < table.only_a))
        of_b = len(places) - of_a
        return replace(table, only_a=table.only_a - of_a, only_b=table.only_b - of_b)

    return Parts(values=values, n_units=table.n_units, without=without, are_alike=True)


def _of_scores(sample: PairedScores) -> Parts:
    def without(places: Places) -> PairedScores:
        kept = np.ones(sample.n_units, dtype=bool)
        kept[places] = False
        return PairedScores(sample.a[kept], sample.b[kept], unit=sample.unit)

    return Parts(values=sample.differences, n_units=sample.n_units, without=without)
