"""What a splitter draws: rows or whole groups, all together or class by class."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, indexable
from sklearn.utils.multiclass import type_of_target

Rows = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """Rows to draw from, coded: the class and the group of each, where they matter."""

    n_rows: int
    classes: Rows | None = None
    labels: NDArray[Any] | None = None
    groups: Rows | None = None

    @classmethod
    def of(cls, X: Any, y: Any, groups: Any, *, stratify: bool) -> Self:
        """Read what was given to ``split``; y counts only if it is to be stratified by."""
        X, y, groups = indexable(X, y, groups)
        n_rows = int(X.shape[0]) if hasattr(X, "shape") else len(X)
        labels, classes = _classes(y) if stratify else (None, None)
        coded = None if groups is None else _groups(groups)
        return cls(n_rows=n_rows, classes=classes, labels=labels, groups=coded)

    @property
    def word(self) -> str:
        """What is drawn, for messages."""
        return "row" if self.groups is None else "group"

    @cached_property
    def n(self) -> int:
        """How many units there are to draw."""
        return self.n_rows if self.groups is None else int(self.groups.max()) + 1

    @cached_property
    def strata(self) -> list[Rows]:
        """Units of each class, or all of them where there are no classes."""
        if self.classes is None or self.labels is None:
            return [np.arange(self.n)]
        if self.groups is not None:
            raise ValueError(
                "stratify=True cannot be combined with groups here: a group is drawn whole, "
                "whatever classes its rows have. Use stratify=False, or a splitter that "
                "deals groups out by their classes: RepeatedGroupKFold(stratify=True)."
            )
        return [np.flatnonzero(self.classes == code) for code in range(len(self.labels))]

    def named(self, stratum: int) -> str:
        """Name a stratum in messages."""
        return "" if self.labels is None else f" of class {self.labels.tolist()[stratum]!r}"

    def rows(self, units: Rows) -> Rows:
        """Rows of the units in ascending order, as often as each of them comes."""
        if self.groups is None:
            return np.sort(units)
        times = np.bincount(units, minlength=self.n)
        return np.repeat(np.arange(self.n_rows), times[self.groups])

    def for_folds(self) -> tuple[Any, Rows | None, Rows | None]:
        """X, y and groups for the ``split`` of a splitter of scikit-learn."""
        return np.zeros((self.n_rows, 1)), self.classes, self.groups


def _classes(y: Any) -> tuple[NDArray[Any], Rows]:
    if y is None:
        raise ValueError("stratify=True needs y: its classes are what is kept in proportion.")
    target = type_of_target(y, input_name="y")
    if target not in ("binary", "multiclass"):
        raise ValueError(
            f"stratify=True needs one class per row, and y is {target}: use stratify=False."
        )
    try:
        return np.unique(np.asarray(y).ravel(), return_inverse=True)
    except TypeError as error:
        raise ValueError(f"y mixes types that have no order: {error}") from error


def _groups(groups: Any) -> Rows:
    labels = check_array(groups, ensure_2d=False, dtype=None, input_name="groups")
    if labels.ndim > 1 and labels.size != len(labels):
        raise ValueError(f"groups has shape {labels.shape}; give one group per row.")
    try:
        return np.unique(labels.ravel(), return_inverse=True)[1]
    except TypeError as error:
        raise ValueError(
            f"groups mixes types that have no order ({error}): is one of them missing? "
            "Every row needs a group."
        ) from error
