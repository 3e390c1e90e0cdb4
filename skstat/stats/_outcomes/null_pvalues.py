"""Which p-values a test gives, and how often, where its null hypothesis is true."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class NullPvalues(NamedTuple):
    """The distribution of a p-value under the null hypothesis.

    Attributes
    ----------
    values : ndarray
        p-values that are possible, the smallest first; empty where all from `least` are.
    chances : ndarray
        Chance of each of them or a smaller one.
    least : float
        Smallest p-value, from which all are possible; a p-value of so much or less has the
        chance `least`.
    """

    values: NDArray[np.float64]
    chances: NDArray[np.float64]
    least: float = 0.0

    @classmethod
    def from_least(cls, least: float) -> "NullPvalues":
        """Return the law of a p-value that exceeds no level, from the smallest possible one."""
        none = np.empty(0)
        return cls(none, none, least)

    @classmethod
    def of_counts(cls, pvalues: Any, chances: Any) -> "NullPvalues":
        """Return the law of a p-value of counts, from what each of them gives, and its chance.

        Parameters
        ----------
        pvalues : array-like of shape (n_counts,)
            p-value of every count.
        chances : array-like of shape (n_counts,)
            Chance of every count.
        """
        values, place = np.unique(np.asarray(pvalues, dtype=float), return_inverse=True)
        cumulated = np.cumsum(np.bincount(place, np.asarray(chances, dtype=float))).astype(
            float
        )
        cumulated[-1] = 1.0
        return cls(values, cumulated)

    def of(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the p-values at some cumulative chances: those of uniform draws are draws."""
        if not self.values.size:
            return np.maximum(chances, self.least)
        return self.values[np.searchsorted(self.chances, chances, side="left")]
