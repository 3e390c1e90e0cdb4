"""Which column of a frame says what, and the call that says so where it is not clear."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from skstat._columns import (
    HIGHER_IS_BETTER,
    METRIC,
    REPEATS,
    SCORES,
    UNIT,
    VALUES,
    in_order,
    is_no_score,
    is_system,
    kind_of,
    names_rows,
    plain,
    size_of,
    unit_of,
    why_no_system,
)
from skstat.comparison._score_readers.description import Description
from skstat.stats import Unit
from skstat.stats._common import read_numbers, refuse_masked
from skstat.stats._samples import cell_names

_NUMBERS = "biuf"


class Columns:
    """Columns of a frame or mapping, by name."""

    def __init__(self, frame: Any) -> None:
        self.is_frame = not isinstance(frame, Mapping)
        self._frame = frame
        self._given = {str(name): name for name in (frame.columns if self.is_frame else frame)}
        self.names = list(self._given)
        self._read: dict[str, NDArray[Any]] = {}
        self._cells: dict[str, list[str]] = {}

    def __contains__(self, name: Any) -> bool:
        return str(name) in self._given

    def of(self, name: str) -> NDArray[Any]:
        """Values of a column as an array."""
        if name not in self._read:
            refuse_masked(f"column {name!r}", self._frame[self._given[name]])
            self._read[name] = np.asarray(self._frame[self._given[name]])
        return self._read[name]

    def labels(self, name: str) -> NDArray[Any]:
        """Values of a column as names."""
        names = cell_names(f"column {name!r}", self.of(name).tolist())
        return np.array(names, dtype=object)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Values of a column as numbers; nan where there is none."""
        return read_numbers(f"column {name!r}", self._frame[self._given[name]])

    def check_lengths(self, names: Iterable[str], n_rows: int) -> None:
        """Refuse columns that have no value for every row, or several."""
        for name in names:
            if self.of(name).shape != (n_rows,):
                raise ValueError(
                    f"column {name!r} has shape {self.of(name).shape}, and there are {n_rows} "
                    "rows."
                )

    def facts(self, names: Iterable[str], n_rows: int) -> dict[str, NDArray[Any]]:
        """Return the columns that hold one value per row."""
        return {name: self.of(name) for name in names if self.of(name).shape == (n_rows,)}

    def are_numbers(self, name: str) -> bool:
        """Whether a column holds numbers, and no names."""
        return self.of(name).dtype.kind in _NUMBERS

    def vary(self, name: str) -> bool:
        """Whether a column differs between rows, as one that names units does."""
        return self.of(name).ndim == 1 and len(set(map(str, self.of(name).tolist()))) > 1

    def check(self, argument: str, name: Any) -> str:
        """Refuse a column that is not there."""
        if name not in self:
            raise ValueError(
                f"{argument}={name!r} is not a column; there are {', '.join(self.names)}."
            )
        return str(name)

    def given(self, name: str) -> Any:
        """Return the name of a column as the frame has it."""
        return self._given[name]

    def cells(self, name: str) -> list[str]:
        """Values of a column as texts, one of which may be missing."""
        if name not in self._cells:
            values = self.of(name).tolist()
            try:
                self._cells[name] = cell_names(name, values)
            except ValueError:
                self._cells[name] = [str(value) for value in values]
        return self._cells[name]

    @cached_property
    def systems(self) -> list[str]:
        """Columns of names that are called as those of systems mostly are."""
        found = [name for name in self.names if is_system(name)]
        return [name for name in found if not self.are_numbers(name)]


def refuse_no_systems(columns: Mapping[str, Any]) -> None:
    """Refuse columns of numbers that are not those of a system: one might win against all."""
    for name in columns:
        why = why_no_system(name, columns)
        if why:
            item = (
                f" say that it is what a row is on by item={name!r},"
                if names_rows(name)
                else ""
            )
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop it,"
                f"{item} or name the systems by systems=."
            )


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a frame say.

    Attributes
    ----------
    system : str or None
        Whose score a row is; None where every system has a column.
    item : tuple of str
        What it is on; several columns name it together.
    unit : str
        What that is.
    scores : tuple of str
        The scores, or the systems.
    repeat : str or None
        Which of several scores of a system on the item it is.
    metric : str or None
        Which metric it is by, where scores of several stand below each other.
    """

    system: str | None
    item: tuple[str, ...]
    unit: Unit
    scores: tuple[str, ...]
    repeat: str | None = None
    metric: str | None = None

    @property
    def columns(self) -> list[str]:
        """All of these columns."""
        named = (self.system, *self.item, self.repeat, self.metric, *self.scores)
        return [name for name in named if name is not None]


def _listed(names: Any) -> list[Any]:
    return list(names) if isinstance(names, list | tuple) else [names]


def has_labels(columns: Columns, described: Description) -> bool:
    """Whether a column beside those of the systems says what a row is on."""
    return bool(_label_columns(columns, described))


def _label_columns(columns: Columns, described: Description) -> list[str]:
    """Columns with the usual names of what a row is on, that cannot be a system's scores.

    Numbers may be scores of a system of that name, unless the caller says the unit.
    """
    unit = described.said_unit
    found = [name for name in columns.names if kind_of(name) is not None]
    if unit is not None:
        found = [name for name in found if kind_of(name) == unit]
    by_name = unit is not None and columns.is_frame
    return [name for name in found if by_name or not columns.are_numbers(name)]


def roles_of(columns: Columns, described: Description) -> Roles:
    """Find what every column says: what the caller names, else by its usual name.

    Parameters
    ----------
    columns : Columns
        The columns.
    described : Description
        What the caller says.

    Raises
    ------
    ValueError
        If a role is not clear; it says what to write.
    """
    system = _system(columns, described)
    named = [
        columns.check(role, getattr(described, role))
        for role in ("group", "repeat", "task")
        if getattr(described, role) is not None
    ]
    named += [columns.check("by", name) for name in described.by or ()]
    if system is not None:
        named.append(system)
    item, unit = _item(columns, described, system, named)
    found = Roles(
        system=system,
        item=item,
        unit=unit,
        scores=(),
        repeat=None if described.repeat is None else str(described.repeat),
    )
    taken = {*named, *item}
    if system is None:
        return replace(found, scores=_systems(columns, described, found, taken))
    metric = _metric(columns, described, taken)
    if metric is not None:
        one = described if described.score in columns else replace(described, score=None)
        scored = _scores(columns, replace(one, scoring=None), taken | {metric})
        return replace(found, scores=scored, metric=metric)
    return replace(found, scores=_scores(columns, described, taken))


def _metric(columns: Columns, described: Description, taken: set[str]) -> str | None:
    """Return the column that says by which metric the one score of a row is."""
    values = [name for name in columns.names if plain(name) in VALUES]
    if described.score in columns:
        values = [str(described.score)]
    named = described.repeat
    if named is not None and plain(named) in METRIC and columns.vary(str(named)):
        raise ValueError(
            f"repeat={named!r} says by which metric a score is, and scores of several metrics "
            f"have no mean: leave it out, and choose one, as in score="
            f"{columns.cells(str(named))[0]!r}."
        )
    found = [name for name in columns.names if plain(name) in METRIC and name not in taken]
    found = [name for name in found if not columns.are_numbers(name)]
    if not found or found[0] in values:
        return None
    if columns.vary(found[0]) and described.scoring in columns.cells(found[0]):
        return found[0]
    if len(values) != 1:
        return None
    return found[0] if values != [described.score] or columns.vary(found[0]) else None


def metrics_chosen(known: Sequence[str], described: Description, scored: str) -> list[str]:
    """Return the metrics that are asked for, of those that a column names; all by default."""
    of_column = described.score is None or str(described.score) == scored
    asked = _listed(described.scoring if of_column else described.score)
    if asked == [None]:
        return list(known)
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise ValueError(
            f"{unknown[0]!r} is not a metric of the scores; they have {', '.join(known)}."
        )
    return asked


def _system(columns: Columns, described: Description) -> str | None:
    if described.system is not None:
        return columns.check("system", described.system)
    if len(columns.systems) > 1:
        call = described.call(system=columns.given(columns.systems[0]))
        raise ValueError(
            f"{_all(columns.systems)} may each say whose score a row is. Write which: {call}."
        )
    if columns.systems:
        return columns.systems[0]
    if described.score is not None:
        raise ValueError(
            f"score={described.score!r} names a column of scores, and no column says whose "
            "they are: name it by system=. In a frame with a column for each system the "
            f"metric is scoring={described.score!r}."
        )
    return None


def _item(
    columns: Columns, described: Description, system: str | None, taken: Sequence[str]
) -> tuple[tuple[str, ...], Unit]:
    """Return the columns that name what a score is on, and the unit."""
    if described.item is not None:
        whole = described.item in columns
        named = [described.item] if whole else _listed(described.item)
        item = tuple(columns.check("item", name) for name in named)
        unit = described.said_unit or unit_of(item)
        if unit == "split":  # a repeat and a fold are a split together
            item += tuple(
                n
                for n in columns.names
                if n not in item
                and n not in taken
                and kind_of(n) == "split"
                and columns.vary(n)
            )
        return tuple(in_order(item)), unit
    scored = [] if described.score is None else list(map(str, _listed(described.score)))
    free = [name for name in columns.names if name not in taken and name not in scored]
    free = [name for name in free if kind_of(name) is None or columns.vary(name)]
    by_unit = {unit: [name for name in free if kind_of(name) == unit] for unit in UNIT}
    by_unit = {unit: names for unit, names in by_unit.items() if names}
    if not described.names_columns and not columns.systems:
        labels = _label_columns(columns, described)
        by_unit = {unit: names for unit, names in by_unit.items() if set(names) & set(labels)}
    unit = described.said_unit
    if unit is None and len(by_unit) == 1:
        unit = cast(Unit, next(iter(by_unit)))
    elif unit is None and described.names_columns and "instance" in by_unit:
        unit = "instance"
    if unit is None and len(by_unit) > 1:
        first = next(iter(by_unit))
        repeat = _repeat_beside(columns, described, taken, by_unit[first])
        raise ValueError(
            f"{_all(names[0] for names in by_unit.values())} may each be the unit of the "
            f"comparison. Write which: {described.call(unit=first, **repeat)}, or "
            f"{' or '.join(f'unit={other!r}' for other in list(by_unit)[1:])}."
        )
    found = by_unit.get(str(unit), [])
    if not found:
        _refuse_without_item(columns, described, system, free)
    if len(found) > 1 and unit != "split" and described.names_columns:
        raise ValueError(
            f"{_all(found)} may each say what a score is on. Write which: "
            f"{described.call(item=columns.given(found[0]))}."
        )
    return tuple(in_order(found)), cast(Unit, unit)


def _refuse_without_item(
    columns: Columns, described: Description, system: str | None, free: Sequence[str]
) -> None:
    """Say which column may name what a score is on: one that no system has twice."""
    whose = [] if system is None else [system]
    write = "Name it by item=, or all that do together by item=['repeat', 'fold']"
    for name in free:
        if columns.of(name).dtype.kind == "f" or plain(name) in REPEATS:
            continue
        repeat = _repeat_beside(columns, described, whose, [name])
        if repeat or _twice(columns, [*whose, name]) is None:
            unit = {} if described.unit else {"unit": "instance"}
            call = described.call(item=columns.given(name), **unit, **repeat)
            write = f"If {name!r} does, write {call}{', or another unit' if unit else ''}"
            break
    raise ValueError(
        f"no column is called like what a score is on, such as a question, a fold or a data "
        f"set. {write}. There are {', '.join(columns.names)}."
    )


def _scores(columns: Columns, described: Description, taken: set[str]) -> tuple[str, ...]:
    """Return the columns of scores: those named, the usual one, or the only one left."""
    asked = described.score
    if asked is None and isinstance(described.scoring, list | tuple):
        asked = described.scoring
    if asked is not None:
        scored = tuple(columns.check("score", name) for name in _listed(asked))
        if not scored:
            raise ValueError("score=[] names no scores: there is nothing to compare.")
        double = next((name for name in scored if name in taken), None)
        if double is not None:
            raise ValueError(f"column {double!r} cannot hold scores and labels.")
        return scored
    left = [name for name in columns.names if name not in taken]
    of_metric = [name for name in left if plain(name) == plain(described.scoring)]
    usual = [name for name in left if plain(name) in SCORES]
    numbers = [name for name in left if columns.are_numbers(name) and not _counts(name)]
    numbers = [n for n in numbers if not is_no_score(n, columns.of(n).tolist())]
    for found in (of_metric, usual, numbers):
        if len(found) == 1:
            return tuple(found)
        if found:
            calls = described.call(score=columns.given(found[0]))
            raise ValueError(
                f"{_all(found)} may each be the score. Write which: {calls}; or several, as "
                f"score={[columns.given(name) for name in found[:2]]!r}."
            )
    texts = [name for name in left if not _counts(name) and not columns.are_numbers(name)]
    why = (
        f": {texts[-1]!r} holds {columns.cells(texts[-1])[0]!r}, which is a text. Convert it, "
        "or name the scores by score=."
        if texts
        else f"; there are {', '.join(columns.names)}."
    )
    raise ValueError(f"no column of numbers is left for the scores{why}")


def _counts(name: str) -> bool:
    """Whether a column is called like what counts or names rows."""
    return names_rows(name) or size_of(name) is not None


def _systems(
    columns: Columns, described: Description, roles: Roles, taken: set[str]
) -> tuple[str, ...]:
    """Return the columns of the systems, of a frame in which each has one."""
    if described.systems is not None:
        return tuple(columns.check("systems", name) for name in described.systems)
    rest = [name for name in columns.names if name not in taken]
    _refuse_rows_twice(columns, described, roles, rest)
    systems = [name for name in rest if columns.are_numbers(name)]
    for name in systems:
        if is_system(name):
            raise ValueError(
                f"column {name!r} looks like whose score a row is: say system="
                f"{columns.given(name)!r}, and score= with the columns of scores."
            )
        if names_rows(name):
            raise ValueError(
                f"column {name!r} looks like labels, and no other one says whose score a row "
                f"is, so that columns are systems: drop it, say what it is (repeat={name!r}, "
                f"group={name!r}), or name the systems by systems=."
            )
    refuse_no_systems({name: columns.of(name) for name in systems})
    for name in rest:
        if name in systems:
            continue
        cells = columns.of(name).tolist()
        if any(_is_number(cell) for cell in cells):
            columns.numbers(name)  # which says the cell that is none
            systems.append(name)
        elif _write_decimals(cells):
            raise ValueError(
                f"column {name!r} holds numbers that are texts, such as {cells[0]!r}: convert "
                "it to numbers if it is a system, or drop it."
            )
    if not systems:
        raise ValueError(
            f"no column of numbers is left for a system; there are {', '.join(columns.names)}."
        )
    return tuple(name for name in rest if name in systems)


def _is_number(cell: Any) -> bool:
    """Whether a cell is a number: who has such a column may be a system."""
    return isinstance(cell, int | float | np.number) and cell == cell


def _write_decimals(cells: Sequence[Any]) -> bool:
    """Whether all cells are texts of numbers, some with a point: labels have none."""
    if not cells or not all(isinstance(cell, str) for cell in cells):
        return False
    try:
        list(map(float, cells))
    except ValueError:
        return False
    return any("." in cell for cell in cells)


def _refuse_rows_twice(
    columns: Columns, described: Description, roles: Roles, rest: Sequence[str]
) -> None:
    """Refuse a frame with a row per score in which nothing says whose."""
    keys = [*roles.item, *([] if roles.repeat is None else [roles.repeat])]
    if _twice(columns, keys) is None:
        return
    may = [name for name in rest if columns.of(name).dtype.kind in "OU"]
    if not may:
        return
    system = {"system": columns.given(may[0])}
    repeat = _repeat_beside(columns, described, [may[0]], roles.item)
    raise ValueError(
        f"{_all(roles.item)} names several rows alike, and no column is called like a system. "
        f"If {may[0]!r} says whose score a row is, write {described.call(**system, **repeat)}."
    )


def refuse_twice(columns: Columns, described: Description, roles: Roles) -> None:
    """Refuse two scores of one system on one unit, and say which column separates them."""
    names = (roles.system, *roles.item, roles.repeat, roles.metric)
    known = [name for name in names if name is not None]
    twice = _twice(columns, known)
    if twice is None:
        return
    label = dict(zip(known, twice, strict=True))
    whose = "" if roles.system is None else f"{label[roles.system]!r} has "
    where = " and ".join(f"{name!r} {label[name]}" for name in roles.item)
    found = (
        f"{whose}several scores on {where}" if whose else f"there are several rows of {where}"
    )
    if roles.metric is not None:
        found += f" by {label[roles.metric]}"
    if roles.repeat is not None:
        raise ValueError(f"{found}, {roles.repeat!r} {label[roles.repeat]}: keep one of them.")
    apart = _separating(columns, known, roles.scores)
    if apart is None:
        raise ValueError(f"{found}: keep one of them.")
    repeat = described.call(repeat=columns.given(apart))
    if plain(apart) in REPEATS and roles.unit != "split":
        raise ValueError(f"{found}. If {apart!r} counts them, write {repeat}: the mean counts.")
    one = columns.cells(apart)[0]
    raise ValueError(
        f"{found}, which differ in {apart!r}. Take the rows of one, such as {one}; or, if it "
        f"counts repeats of which the mean is compared, write {repeat}."
    )


def _separating(columns: Columns, known: Sequence[str], scores: Sequence[str]) -> str | None:
    """Return the column of labels that separates rows which others name alike."""
    may = [
        name
        for name in columns.names
        if name not in known
        and name not in scores
        and columns.of(name).dtype.kind != "f"
        and _twice(columns, [*known, name]) is None
    ]
    usual = [name for name in may if plain(name) in REPEATS]
    return next(iter((*usual, *may)), None)


def _repeat_beside(
    columns: Columns, described: Description, known: Sequence[str], item: Sequence[str]
) -> dict[str, Any]:
    """Return the column that counts scores of a system on one item, if there are several."""
    keys = [*dict.fromkeys((*known, *item))]
    if described.repeat is not None or _twice(columns, keys) is None:
        return {}
    apart = _separating(columns, keys, ())
    if apart is None or plain(apart) not in REPEATS:
        return {}
    return {"repeat": columns.given(apart)}


def _twice(columns: Columns, names: Sequence[str]) -> tuple[Any, ...] | None:
    """Return the first cells of these columns that two rows share; None if none do."""
    if any(columns.of(name).ndim != 1 for name in names):
        return None
    rows = Counter(zip(*(columns.cells(name) for name in names), strict=False))
    return next((cells for cells, n in rows.items() if n > 1), None)


def _all(names: Iterable[str]) -> str:
    return " and ".join(map(repr, names))


def metric_of(column: str, described: Description) -> str:
    """Name the metric of the one column of scores."""
    if isinstance(described.scoring, str):
        return described.scoring
    if described.score is None and plain(column) in HIGHER_IS_BETTER:
        return "score"
    return column
