"""How many rows of a test set are alike: all that many metrics need to know of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import LARGEST_EXACT, rows_together
from skstat.stats._samples.predictions import Draw, Predictions, added_up
from skstat.stats._samples.scores import places_of


@dataclass(frozen=True, eq=False)
class PredictionCounts:
    """How often each combination of the truth and all predictions comes in a test set.

    Metrics that are made of sums over rows need no more than this, however many rows there
    are. The counts of several files or workers add up: ``first + second``, ``sum(counts)``.
    :func:`skstat.compare_predictions` takes them in place of rows.

    Parameters
    ----------
    y_true : array-like of shape (n_kinds,)
        The truth of each kind of row: a label or a number.
    outputs : mapping of str to array-like of shape (n_kinds,)
        What each system predicted for it.
    counts : array-like of shape (n_kinds,)
        How many rows are of this kind: whole numbers.

    Attributes
    ----------
    y_true, outputs, counts
        The same, with kinds that are alike added up, those of no row left out, and the rest
        in ascending order. So the counts of a test set are the same however it was split.

    Raises
    ------
    ValueError
        If lengths differ, a value is missing, or a count is not a whole number of at least 0.

    See Also
    --------
    skstat.compare_predictions : Compare systems by such counts, or by rows.
    AgreementTable : Counts of right and wrong answers only.

    Examples
    --------
    >>> from skstat.stats import PredictionCounts
    >>> monday = PredictionCounts([0, 0, 1], {"a": [0, 1, 1], "b": [0, 0, 1]}, [50, 4, 30])
    >>> tuesday = PredictionCounts.from_rows([0, 1, 1], {"a": [0, 1, 0], "b": [0, 1, 1]})
    >>> counts = monday + tuesday
    >>> counts.n_rows, counts.n_kinds
    (87, 4)
    >>> counts.counts.tolist()
    [51, 4, 1, 31]
    """

    y_true: Any
    outputs: Mapping[str, Any]
    counts: Any

    def __post_init__(self) -> None:
        if not hasattr(self.outputs, "items"):
            raise TypeError(
                "outputs must be a mapping of name to predictions, got "
                f"{type(self.outputs).__name__}."
            )
        given = dict(self.outputs.items())
        if not given:
            raise ValueError("outputs is empty; name at least one system.")
        rows = rows_together(self.y_true, given, {"counts": self.counts})
        named = {f"outputs[{name!r}]": values for name, values in rows.outputs.items()}
        for name, values in {"y_true": rows.y_true, **named}.items():
            if values.ndim > 1:
                raise ValueError(
                    f"{name} has shape {values.shape}: rows are counted by one label or number "
                    "each. Pass the rows to compare_predictions(y_true, predictions)."
                )
        counts = _whole(rows.beside["counts"])
        kept = counts > 0
        columns = [column[kept] for column in (rows.y_true, *rows.outputs.values())]
        columns, counts = added_up(columns, counts[kept])
        put = object.__setattr__
        put(self, "y_true", columns[0])
        put(self, "outputs", dict(zip(rows.outputs, columns[1:], strict=True)))
        put(self, "counts", counts)

    @classmethod
    def from_rows(cls, y_true: Any, predictions: Mapping[str, Any]) -> Self:
        """Count rows that are alike.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            The truth.
        predictions : mapping of str to array-like of shape (n_rows,)
            Predictions of the systems, by name.

        Returns
        -------
        PredictionCounts
            Their counts, to be added to those of other rows.
        """
        return cls(y_true, predictions, np.ones(len(y_true), dtype=np.int64))

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the systems."""
        return tuple(self.outputs)

    @property
    def n_rows(self) -> int:
        """Number of rows of the test set."""
        return int(self.counts.sum())

    @property
    def n_kinds(self) -> int:
        """Number of kinds of rows: those that differ in the truth or in a prediction."""
        return len(self.counts)

    def of(self, *names: str) -> "PredictionCounts":
        """Return the counts of some of the systems.

        Parameters
        ----------
        *names : str
            Their labels.
        """
        places_of(self.names, names)
        if names == self.names:
            return self
        chosen = {name: self.outputs[name] for name in names}
        return PredictionCounts(self.y_true, chosen, self.counts)

    def __add__(self, other: Any) -> "PredictionCounts":
        if not isinstance(other, PredictionCounts):
            return NotImplemented
        if set(other.names) != set(self.names):
            raise ValueError(
                f"counts of the systems {list(self.names)} cannot be added to those of "
                f"{list(other.names)}: name the same systems in both."
            )
        outputs = {
            name: _joined(output, other.outputs[name]) for name, output in self.outputs.items()
        }
        truth = _joined(self.y_true, other.y_true)
        return PredictionCounts(truth, outputs, np.concatenate([self.counts, other.counts]))

    def __radd__(self, other: Any) -> "PredictionCounts":
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __repr__(self) -> str:
        return (
            f"PredictionCounts({self.n_rows} rows of {self.n_kinds} kinds, systems "
            f"{', '.join(self.names)})"
        )


def _whole(values: Any) -> NDArray[np.int64]:
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise ValueError("counts must hold one whole number for each kind of row.")
    whole = (values >= 0) & (values < LARGEST_EXACT) & (values == np.floor(values))
    bad = np.flatnonzero(~whole)
    if bad.size:
        raise ValueError(
            f"counts[{bad[0]}] is {values[bad[0]]}, but a count is a whole number of at least "
            "0. Sums of weights are not counts: for weights pass the rows, and sample_weight=."
        )
    if not values.any():
        raise ValueError("counts are 0 everywhere: there are no rows.")
    return np.asarray(values, dtype=np.int64)


def _joined(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Put two columns below each other; text does not become numbers, nor numbers text."""
    if (first.dtype.kind == "O") == (second.dtype.kind == "O"):
        return np.concatenate([first, second])
    return np.concatenate([first.astype(object), second.astype(object)])


def counted_predictions(
    counts: PredictionCounts, metric: Any, *, joint: bool = False
) -> Predictions:
    """Return counts as predictions to be scored by a metric, or `joint` by several."""
    draw: Draw = "joint" if joint else "cells"
    return Predictions._of_checked(
        counts.y_true, counts.outputs, metric=metric, counts=counts.counts, draw=draw
    )
