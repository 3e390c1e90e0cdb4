"""A sample that units can be left out of, and what every unit speaks for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples import AgreementTable, PairedScores

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
    """

    values: NDArray[np.float64]
    n_units: int
    without: Callable[[Places], Any]
    are_alike: bool = False


def parts_of(sample: Any) -> Parts | None:
    """Return the units of a sample; None where none can be left out honestly.

    Splits of one data set share their rows, and a series in time has no gaps.
    """
    if isinstance(sample, AgreementTable):
        return _of_counts(sample)
    if type(sample) is PairedScores and sample.unit != "split" and not sample.ordered:
        return _of_scores(sample)
    return None


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
