"""What the columns of a table say of its rows: of frames, mappings and files alike.

What the caller names comes first, then the usual names of columns. Where these leave several
answers of which some are other comparisons, the caller is asked which.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from skstat._columns import (
    ITEM_NAMES,
    METRIC,
    REPEATED,
    REPEATS,
    SCORES,
    UNIT,
    VALUES,
    in_order,
    is_no_score,
    is_score,
    is_system,
    joined,
    kind_of,
    plain,
    size_of,
    unit_of,
)
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io._results import Results
from skstat.stats import Unit
from skstat.stats._common import is_missing, refuse_masked

# Texts that are longer stand one by one.
_SHORT = 100


class Numbers(NamedTuple):
    """The numbers of a column, or why it has none.

    Attributes
    ----------
    values : sequence of float or None
        nan where a cell is empty.
    why : str
        What is wrong, of a column without numbers that looks like scores; else empty.
    """

    values: Any
    why: str = ""


class Columns:
    """Columns of a table by name.

    Parameters
    ----------
    given : mapping or frame
        The columns.
    read : callable
        From the name of a column, its cells, where rows stand, and whether somebody says that
        they are scores, to its numbers.
    row : callable
        Where a row stands, in words, from its number.
    """

    def __init__(
        self,
        given: Any,
        read: Callable[[str, Any, Callable[[int], str], bool], Numbers],
        row: Callable[[int], str],
    ) -> None:
        self.table, self.read, self.row = given, read, row
        names = given if isinstance(given, Mapping) else given.columns
        self.given = {str(name): name for name in names}
        self.names = list(self.given)
        self._cells: dict[str, Sequence[Any]] = {}
        self._numbers: dict[tuple[str, bool], Numbers] = {}

    def __contains__(self, name: Any) -> bool:
        return str(name) in self.given

    def __len__(self) -> int:
        return max(len(self.cells(name)) for name in self.names)

    def of(self, name: str) -> Any:
        """Return a column as the table has it."""
        return self.table[self.given[name]]

    def cells(self, name: str) -> Sequence[Any]:
        """Cells of a column."""
        if name not in self._cells:
            refuse_masked(f"column {name!r}", self.of(name))
            own = self.of(name)
            self._cells[name] = own if isinstance(own, list) else np.atleast_1d(own).tolist()
        return self._cells[name]

    def numbers(self, name: str) -> Any:
        """Values of a column of numbers, nan where one is missing; None of another."""
        return self.read_numbers(name).values

    def read_numbers(self, name: str, named: bool = False) -> Numbers:
        """Values of a column of numbers, or why it has none."""
        if (name, named) not in self._numbers:
            self.cells(name)
            self._numbers[name, named] = self.read(name, self.of(name), self.row, named)
        return self._numbers[name, named]

    def holds_decimals(self, name: str) -> bool:
        """Whether a column holds numbers with decimals, which name nothing."""
        values = self.numbers(name)
        return values is not None and any(math.isfinite(v) and v != int(v) for v in values)

    def labels(self, name: str) -> list[str]:
        """Cells of a column as names; refuse those that name nothing."""
        cells = self.cells(name)
        kinds = set(map(type, cells))
        if kinds == {str} and "" not in cells:  # most of what there is
            return list(cells)
        for row, cell in enumerate(cells if not kinds <= {int, bool} else ()):
            if is_missing(cell) or (isinstance(cell, str) and not cell):
                raise ValueError(f"{name!r} is empty in {self.row(row)}.")
            if isinstance(cell, list | dict):
                held = f"a list of {len(cell)}" if isinstance(cell, list) else "an object"
                raise ValueError(
                    f"{name!r} holds {held} in {self.row(row)}, and not a text or number."
                )
        whole = kinds == {float} and all(map(float.is_integer, cells))
        return [str(int(cell) if whole else cell) for cell in cells]

    def vary(self, name: str) -> bool:
        """Whether a column differs between rows, as one that names units does."""
        first, *others = map(str, self.cells(name)[:1000])
        rest = self.cells(name)[1000:]
        return any(o != first for o in others) or any(str(o) != first for o in rest)

    def check(self, argument: str, name: Any) -> str:
        """Refuse a column that is not there."""
        if not isinstance(name, list | dict) and name in self:
            return str(name)
        raise ValueError(
            f"{argument}={name!r} is not a column; there are {listed(self.names)}."
        )

    def n_labels(self, names: Sequence[str]) -> int:
        """Return how many rows these columns name apart."""
        return len(set(zip(*(map(str, self.cells(name)) for name in names), strict=False)))

    def first_twice(self, names: Sequence[str]) -> dict[str, str] | None:
        """Return the cells of the first row that another one shares in these columns."""
        rows = Counter(zip(*(map(str, self.cells(name)) for name in names), strict=False))
        twice = next((cells for cells, n in rows.items() if n > 1), None)
        return None if twice is None else dict(zip(names, twice, strict=True))


def names_of(named: Any) -> tuple[Any, ...]:
    """Return columns that somebody names: none, one or several."""
    if named is None:
        return ()
    return tuple(named) if isinstance(named, list | tuple) else (named,)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the caller says of the columns of a table.

    Attributes
    ----------
    call : callable
        Writes the call again, with what is proposed.
    system, repeat : str or None
        Columns that the caller names.
    item, score : tuple of str
        Columns that the caller names; a score may be a metric that a column names.
    others : tuple of str
        Columns that the caller names for something else, such as groups.
    no_items : set of str
        Columns that may be systems, and so name no items unless the caller says so.
    unit : str or None
        The unit that the caller says.
    scoring : str or None
        What the caller calls the metric.
    of_file : bool
        Whether the table is a file: all its scores are read, and a row may say of no system.
    """

    call: Callable[..., str]
    system: Any = None
    item: tuple[Any, ...] = ()
    repeat: Any = None
    score: tuple[Any, ...] = ()
    others: tuple[str, ...] = ()
    no_items: frozenset[str] = frozenset()
    unit: Unit | None = None
    scoring: str | None = None
    of_file: bool = False


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a table say.

    Attributes
    ----------
    system : str or None
        Whose score a row is; None where no column says it.
    item : tuple of str
        What it is on; several columns name it together.
    unit : str
        What that is.
    repeat : str or None
        Which of several scores of a system on the item it is.
    metric : str or None
        Which metric it is by, where scores of several stand below each other.
    notes : tuple of str
        What was taken for something, where a column of another name might be it too.
    """

    system: str | None
    item: tuple[str, ...]
    unit: Unit
    repeat: str | None = None
    metric: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """All of these columns."""
        named = (self.system, *self.item, self.repeat, self.metric)
        return [name for name in named if name is not None]


def roles_of(columns: Columns, said: Said) -> Roles:
    """Find what every column says: what the caller names, else by its usual name.

    Raises
    ------
    ValueError
        If a role is not clear; it says what to write.
    """
    written = "columns['{}']" if said.of_file else "{}"
    named = {"system": said.system, "repeat": said.repeat}
    for role, name in [*named.items(), *(("item", name) for name in said.item)]:
        if name is not None:
            columns.check(written.format(role), name)
    item = tuple(map(str, said.item))
    repeat = None if said.repeat is None else str(said.repeat)
    system = _usual_system(columns, said) if said.system is None else str(said.system)
    if repeat is not None and plain(repeat) in METRIC and columns.vary(repeat):
        raise ValueError(
            f"repeat={repeat!r} says by which metric a score is, and scores of several metrics "
            "have no mean: leave it out, and choose one, as in "
            f"score={str(columns.cells(repeat)[0])!r}."
        )
    taken = {*item, *said.others, *(name for name in (system, repeat) if name is not None)}
    metric = _metric(columns, said, taken)
    taken |= {*map(str, said.score), *([metric] if metric else [])}
    notes: tuple[str, ...] = ()
    unit = said.unit or unit_of(item)
    if not item:
        item, unit, notes = _usual_item(columns, said, system, taken)
    beside = [name for name in columns.names if name not in {*taken, *item}]
    if unit == "split":  # a repeat and a fold are a split together
        item += tuple(n for n in beside if kind_of(n) == "split" and columns.vary(n))
        if repeat is not None and kind_of(repeat) == "split":
            item, repeat = (*item, repeat), None
    elif repeat is None and (system is not None or said.of_file):
        usual = {plain(name): name for name in beside if plain(name) in REPEATED}
        repeat = next((usual[word] for word in REPEATED if word in usual), None)
        if repeat is not None and unit != "instance":  # of items reports always tell
            notes = (*notes, f"read as repeats: {repeat}")
    return Roles(
        system=system,
        item=tuple(in_order(item)),
        unit=unit,
        repeat=repeat,
        metric=metric,
        notes=notes,
    )


def _usual_system(columns: Columns, said: Said) -> str | None:
    """Return the column that is called as one of systems; refuse several that say it.

    Numbers may be the scores of a system of that name; of a file only decimals are.
    """
    found = [name for name in columns.names if is_system(name)]
    if said.of_file:
        found = [name for name in found if not columns.holds_decimals(name)]
    else:
        found = [name for name in found if columns.numbers(name) is None]
    varying = [name for name in found if columns.vary(name)] or found[:1]
    if len(varying) > 1:
        raise ValueError(
            f"{_all(varying)} may each say whose score a row is. Write which: "
            f"{said.call(system=varying[0])}."
        )
    return varying[0] if varying else None


def _metric(columns: Columns, said: Said, taken: Iterable[str]) -> str | None:
    """Return the column that says by which metric the one score of a row is."""
    values = [str(name) for name in said.score if name in columns]
    values = values or [name for name in columns.names if plain(name) in VALUES]
    for name in columns.names:
        if plain(name) not in METRIC or name in {*taken, *values}:
            continue
        if columns.numbers(name) is not None:
            continue
        varies = columns.vary(name)
        if varies and said.scoring is not None and said.scoring in columns.cells(name):
            return name
        if len(values) == 1 and (varies or said.of_file or not said.score):
            return name
        if varies:
            raise ValueError(
                f"{name!r} says by which metric a score is, and no column is called value or "
                f"score. Say which holds them: {said.call(score='value')}."
            )
    return None


def _usual_item(
    columns: Columns, said: Said, system: str | None, taken: Iterable[str]
) -> tuple[tuple[str, ...], Unit, tuple[str, ...]]:
    """Return the columns that are called as what a score is on, what that is, and notes."""
    free = [name for name in columns.names if name not in taken]
    named = [name for name in free if name not in said.no_items]
    named = [name for name in named if kind_of(name) == "instance" or columns.vary(name)]
    named.sort(key=lambda name: (*ITEM_NAMES, plain(name)).index(plain(name)))
    units = UNIT if said.unit is None else [said.unit]
    of_unit = {unit: [name for name in named if kind_of(name) == unit] for unit in units}
    if said.unit is None and system is not None:
        ids = of_unit["instance"]
        of_unit["instance"] = [name for name in ids if _recurs(columns, name, system)]
    of_unit = {unit: names for unit, names in of_unit.items() if names}
    if len(of_unit) > 1:
        of_unit.pop("group", None)
    notes: tuple[str, ...] = ()
    if len(of_unit) > 1 and "instance" in of_unit:
        ids = of_unit.pop("instance")
        others = [names[0] for names in of_unit.values() if plain(names[0]) not in REPEATED]
        notes = (f"read as items: {ids[0]}, and not {listed(others)}",) if others else ()
        of_unit = {"instance": ids}
    if len(of_unit) > 1:
        (unit, names), *_ = of_unit.items()
        repeat = repeat_beside(columns, said, [*([system] if system else []), names[0]])
        which = {"item": names[0]} if said.of_file else {"unit": unit}
        raise ValueError(
            f"{_all(names[0] for names in of_unit.values())} may each say what a score is on. "
            f"Write which: {said.call(**which, **repeat)}."
        )
    if not of_unit:
        raise ValueError(_without_item(columns, said, system, free))
    ((unit, names),) = of_unit.items()
    first = names[0]
    if unit != "split" and columns.n_labels([first]) < columns.n_labels(names):
        raise ValueError(
            f"{_all(names)} may each say what a score is on. Write which: "
            f"{said.call(item=first)}."
        )
    return tuple(names) if unit == "split" else (first,), cast(Unit, unit), notes


def _recurs(columns: Columns, name: str, system: str) -> bool:
    """Whether some label is one of two systems, or there is one system: else none is paired."""
    pairs = columns.n_labels([name, system])
    return not columns.vary(system) or pairs > columns.n_labels([name])


def _without_item(columns: Columns, said: Said, system: str | None, free: Sequence[str]) -> str:
    """Say which column may name what a score is on: one that no system has twice."""
    whose = [] if system is None else [system]
    write = f"Say which, as in {said.call(item='question')}"
    for name in free:
        if columns.holds_decimals(name) or plain(name) in REPEATS:
            continue
        repeat = repeat_beside(columns, said, [*whose, name])
        if repeat or columns.first_twice([*whose, name]) is None:
            unit = {} if said.unit or said.of_file else {"unit": "instance"}
            call = said.call(item=name, **unit, **repeat)
            write = f"If {name!r} does, write {call}{', or another unit' if unit else ''}"
            break
    return (
        "no column is called like what a score is on, such as a question, a fold or a data "
        f"set. {write}. There are {listed(columns.names)}."
    )


def repeat_beside(columns: Columns, said: Said, keys: Sequence[str]) -> dict[str, str]:
    """Return the column that counts scores of a system on one item, if there are several."""
    if said.repeat is not None or columns.first_twice(keys) is None:
        return {}
    apart = _separating(columns, keys)
    return {} if apart is None or plain(apart) not in REPEATS else {"repeat": apart}


def _separating(columns: Columns, keys: Sequence[str]) -> str | None:
    """Return the column of labels that separates rows which others name alike."""
    may = [
        name
        for name in columns.names
        if name not in keys
        and not columns.holds_decimals(name)
        and columns.first_twice([*keys, name]) is None
    ]
    return next((name for name in may if plain(name) in REPEATS), next(iter(may), None))


def scores_of(columns: Columns, roles: Roles, said: Said) -> tuple[list[str], list[str]]:
    """Return the columns of scores, and those of numbers that were taken for none.

    They are those that the caller names, else those that look like it. A frame has one metric
    where a column has its name, or that of a score.

    Raises
    ------
    ValueError
        If there is none, or one that looks like the score and cannot be read.
    """
    labels = {*roles.columns, *said.others}
    rest = [name for name in columns.names if name not in labels]
    known = [str(name) for name in said.score if name in columns]
    # A score that a file has no column of may be what its systems beside each other have.
    of_rows = roles.metric is None and not (said.of_file and not known)
    named = [str(name) for name in said.score] if of_rows else known
    if named:
        for name in named:
            check_score(columns, name, labels)
        return named, []
    read = {name: columns.read_numbers(name) for name in rest}
    numbers = {name: found.values for name, found in read.items() if found.values is not None}
    found = _called_score(numbers, said, roles)
    refused = [name for name, own in read.items() if own.why and plain(name) not in METRIC]
    if not found:
        found = [n for n, own in numbers.items() if not is_no_score(n, list(own))]
        if not found or (refused and not any(map(is_score, found))):
            raise ValueError(_without_score(columns, said, found, list(numbers), refused))
    if roles.metric is not None and len(found) > 1:
        raise ValueError(
            f"{_all(found)} may each hold the scores that {roles.metric!r} names. Write which: "
            f"{said.call(score=found[0])}."
        )
    sizes = roles.unit == "split"
    left = [name for name in numbers if name not in found]
    return found, [name for name in left if not (sizes and size_of(name))]


def _called_score(numbers: Iterable[str], said: Said, roles: Roles) -> list[str]:
    """Return the column that is called as the metric, or as a score: of a file all count."""
    if roles.metric is not None:
        return [name for name in numbers if plain(name) in VALUES]
    if said.of_file:
        return []
    of_metric = [name for name in numbers if plain(name) == plain(said.scoring)]
    return of_metric or [name for name in numbers if plain(name) in SCORES]


def check_score(columns: Columns, name: str, labels: Iterable[str]) -> None:
    """Refuse a column that somebody says is the score, and is not."""
    if name in labels:
        raise ValueError(f"column {name!r} cannot hold scores and labels.")
    found = columns.read_numbers(name, True) if name in columns else None
    if found is None or found.values is None:
        why = f"; there are {listed(columns.names)}" if found is None else f": {found.why}"
        raise ValueError(f"there is no column of numbers called {name!r}{why}.")


def _without_score(
    columns: Columns,
    said: Said,
    found: Sequence[str],
    numbers: Sequence[str],
    refused: Sequence[str],
) -> str:
    """Say that no score is left, or one only that may not be meant."""
    none = "there is no score: no column of numbers, or of words such as true and false."
    words = [] if found else [none]
    for name in refused[:1]:
        words.append(f"{name!r} looks like the score, but {columns.read_numbers(name).why}.")
    if found:
        words.append(f"What is left is {listed(found)}. If that is to be compared, say so:")
    elif numbers:
        words.append(f"Not taken for scores: {listed(numbers)}. If one is a score, say so:")
    words += [f"{said.call(score=name)}." for name in [*found, *numbers][:1]]
    return " ".join(words)


def refuse_twice(columns: Columns, roles: Roles, said: Said, scores: Iterable[str]) -> None:
    """Refuse two scores of one system on one unit, and say which column separates them."""
    label = columns.first_twice(roles.columns)
    if label is None:
        return
    where = " and ".join(f"{name!r} {label[name]}" for name in roles.item)
    found = f"there are several rows of {where}"
    if roles.system is not None:
        found = f"{label[roles.system]!r} has several scores on {where}"
    if roles.metric is not None:
        found += f" by {label[roles.metric]}"
    if roles.repeat is not None:
        raise ValueError(f"{found}, {roles.repeat!r} {label[roles.repeat]}: keep one of them.")
    apart = _separating(columns, [*roles.columns, *scores])
    if apart is None or columns.first_twice([*roles.columns, apart]) is not None:
        raise ValueError(f"{found}: keep one of them.")
    repeat = said.call(repeat=apart)
    if plain(apart) in REPEATS and roles.unit != "split":
        raise ValueError(f"{found}. If {apart!r} counts them, the mean counts: {repeat}.")
    raise ValueError(
        f"{found}, which differ in {apart!r}. Take the rows of one, such as "
        f"{columns.cells(apart)[0]}; or, if it counts repeats of which the mean is compared, "
        f"write {repeat}."
    )


def beside_each_other(columns: Columns, systems: Sequence[str], metric: str) -> Columns:
    """Return a row for every cell of the columns that are systems, whose name is there too."""
    n, k = len(columns), len(systems)
    others = {name: columns.of(name) for name in columns.names if name not in systems}
    found: dict[str, Any] = {
        name: own * k if isinstance(own, list) else np.tile(np.asarray(own), k)
        for name, own in others.items()
    }
    found["system"] = [name for name in systems for _ in range(n)]
    found[metric] = [cell for name in systems for cell in columns.cells(name)]
    return Columns(found, columns.read, lambda row: columns.row(row % n))


def joined_items(columns: Columns, roles: Roles) -> tuple[list[str], list[int]]:
    """Return what every row is on, and an order in which folds of one repeat come together."""
    return joined([columns.labels(name) for name in roles.item])


def results_of_rows(
    columns: Columns,
    roles: Roles,
    scores: Mapping[str, Any],
    *,
    name: str = "",
    metrics: Callable[[Sequence[str]], Sequence[str]] = list,
    kept: Iterable[str] = (),
    **known: Any,
) -> Results:
    """Make results of the rows of a table.

    Parameters
    ----------
    columns : Columns
        The columns.
    roles : Roles
        What they say.
    scores : mapping of str to sequence of float
        Numbers of the rows by metric; of one column where another one says the metric.
    name : str
        The system, where no column says it.
    metrics : callable, optional
        Chooses of the metrics that a column names; all by default.
    kept : iterable of str, default=()
        Columns that groups and slices need, whatever else they say.
    **known
        What else :class:`Results` take.
    """
    items, order = joined_items(columns, roles)
    named: set[str | None] = {roles.system, roles.repeat, roles.metric, *scores}
    named |= {*roles.item} if roles.unit != "split" else set()
    systems = [name] * len(items) if roles.system is None else columns.labels(roles.system)
    repeats = None if roles.repeat is None else columns.labels(roles.repeat)
    if roles.metric is not None:
        cells = list(zip(systems, items, repeats or [""] * len(items), strict=True))
        order, by_metric = _pivoted(cells, columns.labels(roles.metric), scores, order)
        scores = {each: by_metric[each] for each in metrics(list(by_metric))}
    else:
        scores = {each: np.asarray(values)[order] for each, values in scores.items()}

    def taken(cells: Sequence[Any]) -> list[Any]:
        return [cells[row] for row in order]

    rest = [n for n in columns.names if n not in named or n in kept]
    facts = {name: _fact(columns, name, order) for name in rest}
    return Results(
        system=taken(systems),
        item=taken(items),
        repeat=None if repeats is None else taken(repeats),
        scores=scores,
        columns={n: own for n, own in facts.items() if own is not None},
        unit=roles.unit,
        **known,
    )


def _pivoted(
    cells: Sequence[Any], metrics: Sequence[str], scores: Mapping[str, Any], order: list[int]
) -> tuple[list[int], dict[str, list[float]]]:
    """Put the scores of several metrics, a row for each, beside each other.

    An error of an AUC is no AUC: where the name of the column says that lower is better and
    that of a metric does not, the metric is called by both.
    """
    ((column, values),) = scores.items()
    first: dict[Any, int] = {}
    for row in order:
        first.setdefault(cells[row], row)
    place = {cell: number for number, cell in enumerate(first)}
    if direction_of(column) is False:
        metrics = [m if direction_of(m) is False else f"{m}_{column}" for m in metrics]
    found = {name: [math.nan] * len(first) for name in dict.fromkeys(metrics)}
    for cell, metric, value in zip(cells, metrics, values, strict=True):
        found[metric][place[cell]] = value
    return list(first.values()), found


def _fact(columns: Columns, name: str, order: Sequence[int]) -> NDArray[Any] | None:
    """Return what is known of rows; long texts one by one, since arrays have room for all."""
    cells = columns.cells(name)
    if len(cells) != len(columns) or any(isinstance(cell, list | dict) for cell in cells):
        return None
    if size_of(name) is not None and columns.numbers(name) is not None:
        return np.asarray(columns.numbers(name))[order]
    long = any(isinstance(cell, str) and len(cell) > _SHORT for cell in cells)
    return np.array(columns.of(name), dtype=object if long else None)[order]


def _all(names: Iterable[str]) -> str:
    return " and ".join(map(repr, names))
