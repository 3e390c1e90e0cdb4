"""Other partitions of the same rows, drawn by the same design with other seeds."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from skstat.evaluation._fold import FoldRecord, FoldTask
from skstat.evaluation._plan import RunPlan
from skstat.evaluation._random_state import draw_seed

_NO_SEED = object()


class Partition(NamedTuple):
    """A way to cut the rows: a splitter, or a seed for the default splits.

    `halves` makes the halves on which the variance is found, where `cv` makes folds that do
    not tell it.
    """

    cv: Any
    random_state: Any = None
    halves: Any = None


def partitions_of(
    cv: Any, random_state: Any, stability: int, halves: Any = None
) -> list[Partition]:
    """Return the caller's own partition, and `stability` others of the same design.

    The seeds of the others are derived from the first one, so that a report's seed
    repeats all of them.
    """
    if isinstance(stability, bool) or not isinstance(stability, int | np.integer):
        raise ValueError(f"stability={stability!r} must be a whole number of partitions, or 0.")
    if stability < 0:
        raise ValueError(f"stability={stability} must not be negative.")
    if stability == 0:
        return [Partition(cv, random_state, halves)]
    if cv is None:
        seed = draw_seed(random_state)
        return [Partition(None, s) for s in (seed, *_other_seeds(seed, stability))]
    own = getattr(cv, "random_state", _NO_SEED)
    if own is _NO_SEED or not hasattr(cv, "split") or not getattr(cv, "shuffle", True):
        raise ValueError(
            f"stability={stability} repeats the splits with other seeds, and cv="
            f"{_short(cv)} depends on none. Leave cv out, or pass a splitter that shuffles: "
            "StratifiedShuffleSplit(30, test_size=1/3), KFold(10, shuffle=True)."
        )
    seed = draw_seed(own if isinstance(own, int | np.integer) else random_state)
    others = []
    for other in _other_seeds(seed, stability):
        others.append(Partition(_with_seed(cv, other), other, _with_seed(halves, other)))
    return [Partition(cv, random_state, halves), *others]


def _with_seed(splitter: Any, seed: int) -> Any:
    """Return a copy of a splitter that draws by another seed."""
    if splitter is None:
        return None
    splitter = copy(splitter)
    splitter.random_state = seed
    return splitter


def _short(cv: Any) -> str:
    known = hasattr(cv, "split") or isinstance(cv, int | np.integer)
    return repr(cv) if known else f"a {type(cv).__name__} of splits"


def _other_seeds(seed: int, n: int) -> list[int]:
    found: list[int] = np.random.SeedSequence(seed).generate_state(n).tolist()
    return found


def numbered(plans: Sequence[RunPlan]) -> list[FoldTask]:
    """Return the tasks of all plans, their splits numbered on from plan to plan."""
    tasks, offset = [], 0
    for plan in plans:
        tasks += [replace(task, split=task.split + offset) for task in plan.tasks]
        offset += plan.design.n_splits
    return tasks


def by_partition(
    records: Sequence[FoldRecord], plans: Sequence[RunPlan]
) -> list[list[FoldRecord]]:
    """Sort records of numbered tasks back into their plans."""
    ends = np.cumsum([plan.design.n_splits for plan in plans])
    found: list[list[FoldRecord]] = [[] for _ in plans]
    for record in records:
        place = int(np.searchsorted(ends, record.split, side="right"))
        offset = int(ends[place - 1]) if place else 0
        found[place].append(replace(record, split=record.split - offset))
    return found
