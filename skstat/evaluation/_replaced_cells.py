"""Data sets made of the caller's rows, with cells replaced by those of other rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import get_tags

from skstat.evaluation._inputs import Data, own_rows, rows_of

FEWEST_OF_CLASS = 4  # two in each half
_MOST_DRAWS = 200


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """A small data set: some rows, and what belongs to them.

    Attributes
    ----------
    rows : ndarray of shape (n_drawn,)
        Numbers of the rows.
    y, groups, sample_weight : array-like or None
        Those of the rows.
    params : mapping of str to object
        Parameters, those with a value per row for these rows.
    """

    rows: np.ndarray
    y: Any
    groups: Any
    sample_weight: Any
    params: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Population:
    """The caller's rows, as a population to draw small data sets from.

    Attributes
    ----------
    data : Data
        The rows.
    n_units : int
        How many rows, or groups, are drawn for a data set.
    sample_weight : array-like or None
        Weights of the rows.
    params : mapping of str to object
        Parameters for ``fit`` and ``score``.
    """

    data: Data
    n_units: int
    sample_weight: Any = None
    params: Mapping[str, Any] | None = None

    def draw(self, rng: np.random.Generator) -> DrawnRows:
        """Draw rows without replacement, or whole groups, with all classes among them.

        A row that came twice could stand in training and in testing.
        """
        codes = self.data.class_codes
        for _ in range(_MOST_DRAWS):
            rows = self._rows(rng)
            if codes is None:
                break
            if np.bincount(codes[rows], minlength=codes.max() + 1).min() >= FEWEST_OF_CLASS:
                break
        else:
            counts = self.data.class_counts or {}
            rarest = min(counts, key=counts.__getitem__)
            raise ValueError(
                f"y holds class {rarest!r} {counts[rarest]} times: data sets of {self.n_units} "
                f"hardly ever have {FEWEST_OF_CLASS} rows of it. Use a larger fraction, or "
                "leave the class out."
            )
        y, groups, weight = (
            None if values is None else own_rows(values, rows)
            for values in (self.data.y, self.data.groups, self.sample_weight)
        )
        params = rows_of(self.params or {}, self.data.X, rows)
        return DrawnRows(rows, y, groups, weight, params)

    def _rows(self, rng: np.random.Generator) -> np.ndarray:
        if self.data.groups is None:
            return np.sort(rng.choice(self.data.n_samples, self.n_units, replace=False))
        codes = np.unique(np.asarray(self.data.groups), return_inverse=True)[1]
        drawn = rng.choice(codes.max() + 1, self.n_units, replace=False)
        return np.flatnonzero(np.isin(codes, drawn))


def check_replaceable(X: Any, named: Mapping[str, Any]) -> Any:
    """Return a table whose cells can be replaced; refuse one of distances.

    Parameters
    ----------
    X : array-like, sparse matrix or DataFrame
        The rows; lists become arrays.
    named : mapping of str to estimator
        What is to be fitted.
    """
    for name, estimator in named.items():
        if get_tags(estimator).input_tags.pairwise:
            raise ValueError(
                f"{name} takes distances or a kernel of all rows, in which no cell can be "
                "replaced: pass features, and an estimator that takes them."
            )
    if issparse(X):
        return X.tocsr()
    if hasattr(X, "shape"):
        return X
    return list(X) if isinstance(X[0], str | bytes) else np.asarray(X)


def with_replaced_cells(
    X: Any, rows: np.ndarray, share: float, rng: np.random.Generator
) -> Any:
    """Take rows, and replace cells by the value of the same column in a random row.

    Parameters
    ----------
    X : ndarray, sparse matrix, DataFrame or list of str
        All rows. A list of texts, or an array of one dimension, has a cell per row.
    rows : ndarray of shape (n_drawn,)
        Rows to be taken.
    share : float
        Probability with which a cell is replaced.
    rng : numpy.random.Generator
        The source of randomness; equal ones replace the same cells, and more of them for a
        larger share.

    Returns
    -------
    object
        A table of the same kind, with `n_drawn` rows.
    """
    n, n_samples = len(rows), X.shape[0] if hasattr(X, "shape") else len(X)
    if issparse(X):
        # One other row for all cells of a row: a table of sources would not be sparse.
        others = rng.integers(n_samples, size=n)
        replaced = rng.random((n, X.shape[1]), dtype=np.float32) < share
        return type(X)(X[rows].multiply(~replaced) + X[others].multiply(replaced))
    n_columns = X.shape[1] if getattr(X, "ndim", len(getattr(X, "shape", "1"))) > 1 else 1
    others = rng.integers(n_samples, size=(n, n_columns))
    sources = np.where(rng.random((n, n_columns)) < share, others, rows[:, None])
    if hasattr(X, "isetitem"):  # a pandas frame
        taken = X.iloc[rows]  # a copy, with the labels that y may have too
        for place in range(n_columns):
            taken.isetitem(place, X.iloc[:, place].array.take(sources[:, place]))
        return taken
    if hasattr(X, "columns"):
        columns = (X[:, place] for place in range(n_columns))
        return type(X)([column[sources[:, j]] for j, column in enumerate(columns)])
    if n_columns == 1 and getattr(X, "ndim", 1) == 1:
        return own_rows(X, sources[:, 0])
    return X[sources, np.arange(n_columns)]
