"""How skewed the differences of systems are, and how much of it is left in their means."""

import math

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._samples import ScoreTable, resolution_of_table


@procedure()
def skewness_left(table: ScoreTable) -> float | None:
    """Largest absolute skewness of the difference of two systems over the root of n.

    None of splits and of ordered units, whose mean has another law.
    """
    if table.unit == "split" or table.ordered:
        return None
    return _skewness(table.scores) / math.sqrt(table.n_units)


def _skewness(scores: NDArray[np.float64]) -> float:
    """Largest absolute skewness of the difference of two systems."""
    if np.all((scores == 0) | (scores == 1)):
        return _skewness_of_right_and_wrong(scores)
    noise = resolution_of_table(scores)
    largest = 0.0
    for a in range(scores.shape[1] - 1):
        differences = scores[:, a + 1 :] - scores[:, [a]]
        centred = differences - differences.mean(axis=0)
        squares = centred * centred
        spread = np.sqrt(np.mean(squares, axis=0))
        # The power of 3 is a call for every number; a product is not.
        third = np.abs(np.mean(squares * centred, axis=0))[spread > noise]
        largest = max(largest, np.max(third / spread[spread > noise] ** 3, initial=0.0))
    return float(largest)


def _skewness_of_right_and_wrong(scores: NDArray[np.float64]) -> float:
    """The same of scores 0 and 1, by how often one is right and the other wrong."""
    both = scores.T @ scores
    alone = (np.diag(both)[:, None] - both) / len(scores)  # in the row only
    differ, mean = alone + alone.T, alone - alone.T
    variance = differ - mean**2
    third = mean * (1 - 3 * differ + 2 * mean**2)
    defined = variance > 0
    spread = np.sqrt(np.where(defined, variance, 1.0))
    return float(np.max(np.abs(third) / spread**3, where=defined, initial=0.0))
