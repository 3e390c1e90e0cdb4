"""Levels of a pandas index, which are columns like any other: items, groups, systems."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skstat._columns import is_system
from skstat.comparison._score_readers.description import Description


def with_levels_as_columns(scores: Any, described: Description) -> tuple[Any, Description]:
    """Make columns of the named levels of a MultiIndex.

    A Series becomes a long frame. Of a frame with a column for each system, and of a mapping
    of Series, whose rows are items, all levels together name the item, so that rows are paired
    by them. A level may be the group, or is looked at as a column of groups that is not used.
    """
    index = _levels(scores)
    if index is not None and not hasattr(scores, "columns"):
        return _of_series(scores, described)
    if isinstance(scores, Mapping):
        if not scores or any(_levels(values) is None for values in scores.values()):
            return scores, described
        _check_levels(scores)
        first, *others = (values.rename(str(name)) for name, values in scores.items())
        scores = first.to_frame().join(others, how="outer")
        index = scores.index
    if index is None or described.item is not None or described.system is not None:
        return scores, described
    if described.unit != "instance" and not described.names_columns:
        return scores, described
    if described.systems is None:
        systems = tuple(str(name) for name in scores.columns if str(name) != described.group)
        described = replace(described, systems=systems)
    return _with_item(scores.reset_index(), index.names, described)


def _of_series(scores: Any, described: Description) -> tuple[Any, Description]:
    """Make a long frame of a Series, one of whose levels may say whose a score is."""
    name = scores.name or "score"
    frame = scores.rename(name).reset_index()
    system = [level for level in scores.index.names if is_system(level)]
    others = [level for level in scores.index.names if level not in system]
    given = (described.item, described.system, described.score)
    known = described.unit in (None, "instance") and len(system) == 1 and len(others) > 1
    if not known or any(one is not None for one in given):
        return frame, described
    return _with_item(frame, others, replace(described, system=system[0], score=name))


def _with_item(
    frame: Any, levels: list[Any], described: Description
) -> tuple[Any, Description]:
    """Add a column that names the item by all of these."""
    item = "item"
    while item in map(str, frame.columns):
        item += "_"
    keys = zip(*(frame[level] for level in levels), strict=True)
    labels = [" / ".join(map(str, key)) for key in keys]
    return frame.assign(**{item: labels}), replace(described, item=item)


def _check_levels(scores: Mapping[Any, Any]) -> None:
    """Refuse Series whose rows cannot be matched one by one."""
    (name, first), *_ = scores.items()
    for other, values in scores.items():
        if list(values.index.names) != list(first.index.names):
            raise ValueError(
                f"scores[{other!r}] has the levels {list(values.index.names)}, and "
                f"scores[{name!r}] has {list(first.index.names)}: rows are matched by them. "
                "Give both the same, in one order (reorder_levels)."
            )
        if not values.index.is_unique:
            twice = values.index[values.index.duplicated()][0]
            raise ValueError(
                f"scores[{other!r}] has two values at {twice!r}: which belongs to which of the "
                "other system is not known. Make a frame, and name the repeats (repeat=)."
            )


def _levels(values: Any) -> Any:
    """Return an index of several named levels; None of anything else."""
    index = getattr(values, "index", None)
    if index is None or getattr(index, "nlevels", 1) < 2:
        return None
    return None if any(name is None for name in index.names) else index
