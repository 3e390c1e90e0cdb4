"""What was found out about the rows of a test set: kept, since metrics and pairs ask again."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Known
from skstat.stats._resampling import CellPlan, ResamplingPlan, UnitPlan

if TYPE_CHECKING:
    from skstat.stats._samples.predictions import Predictions


@dataclass(frozen=True, eq=False)
class LabelCodes:
    """Truth and predicted labels as numbers of classes in ascending order."""

    classes: NDArray[Any]
    y_true: NDArray[np.int64]
    outputs: tuple[NDArray[np.int64], ...]

    @cached_property
    def used(self) -> tuple[NDArray[np.bool_], ...]:
        """Which classes come in the truth, and in each of the outputs."""
        columns = (self.y_true, *self.outputs)
        return tuple(np.bincount(c, minlength=len(self.classes)) > 0 for c in columns)


@dataclass(frozen=True, eq=False)
class Cells:
    """Kinds of rows, numbered in the order in which they come first.

    Attributes
    ----------
    plan : CellPlan
        How many rows of each kind there are, and how they are drawn.
    first : ndarray of int of shape (n_cells,)
        A row of each kind.
    of_finer : ndarray of int
        Cell of each of the `finer` cells; of every row, where there are none.
    finer : Cells or None
        Cells of more systems, which were counted before.
    """

    plan: CellPlan
    first: NDArray[np.int64]
    of_finer: NDArray[np.int64]
    finer: "Cells | None" = None

    @property
    def of_row(self) -> NDArray[np.int64]:
        """Cell of every row."""
        return self.of_finer if self.finer is None else self.of_finer[self.finer.of_row]


@dataclass(kw_only=True, eq=False)
class Work:
    """What was found out about the rows of one test set.

    Only what is found of checked rows is put here, by whoever finds it first. None, and an
    entry that is missing, say that nobody asked yet.

    Attributes
    ----------
    plan : UnitPlan or None
        Draws rows or groups one by one.
    known : Known
        What was made of single arrays, such as their order.
    family : Predictions or None
        The systems that these two were taken from.
    pairs : dict of (str, str) to Work
        What was found out about pairs of the systems.
    checked : set of str
        Kinds of metrics whose outputs these are.
    agreed : dict of (metric, str) to bool
        Whether the formula of a metric scores a system as the metric does.
    codes : LabelCodes or None
        The labels as numbers.
    right : list of ndarray of bool, or None
        On which rows each system is right.
    cells : dict of str to Cells or None
        Rows that are alike, by what they are alike in; None where they are too many kinds.
    margins : tuple or None
        The plan, and which classes are true and predicted in a unit of every atom.
    prepared : dict to Predictions or None
        The rows as metrics take them, by what these need; None where it is as they are.
    row_scores : tuple or None
        The metric that rows were scored by last, and the scores of each system.
    sums : dict of (int, int) to tuple
        Sums on the resamples that metrics share, by their number and seed: what was summed,
        and the sums.
    facts : dict
        What is known beside the numbers, by what finds it.
    """

    plan: UnitPlan | None = None
    known: Known = field(default_factory=Known)
    family: "Predictions | None" = None
    pairs: dict[tuple[str, str], "Work"] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    agreed: dict[tuple[Hashable, str], bool] = field(default_factory=dict)
    codes: LabelCodes | None = None
    right: list[NDArray[np.bool_]] | None = None
    cells: dict[str, Cells | None] = field(default_factory=dict)
    margins: tuple[ResamplingPlan, Any, tuple[Any, ...]] | None = None
    prepared: dict[Hashable, "Predictions | None"] = field(default_factory=dict)
    row_scores: tuple[Any, list[NDArray[np.float64]] | None] | None = None
    sums: dict[tuple[int, int], tuple[tuple[Any, ...], Any]] = field(default_factory=dict)
    facts: dict[Hashable, Any] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        # Another process is asked about some systems alone: it takes how rows are drawn.
        return {**vars(Work()), "plan": self.plan}
