"""What the columns of a table say of its rows: of frames, mappings and files alike.

What the caller names comes first, then the usual names of columns. Where these leave several
answers of which some are other comparisons, the caller is asked which.
"""

import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from skstat import _columns as usual
from skstat._columns import is_score, kind_of, plain
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io._results import Results
from skstat.io._table import Table, read_number
from skstat.stats import Unit


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
    scoring : tuple of str
        What the caller calls the metric, or metrics.
    """

    call: Callable[..., str]
    system: Any = None
    item: tuple[Any, ...] = ()
    repeat: Any = None
    score: tuple[Any, ...] = ()
    others: tuple[str, ...] = ()
    no_items: frozenset[str] = frozenset()
    unit: Unit | None = None
    scoring: tuple[str, ...] = ()


class Roles:
    """What every column of a table says: what the caller names, else by its usual name.

    All scores of a file are read, and it may be the file that says whose they are. Of a frame
    without a column of systems every column of numbers is a system.

    Parameters
    ----------
    table : Table
        The columns.
    said : Said
        What the caller says of them.

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

    Raises
    ------
    ValueError
        If a role is not clear; it says what to write.
    """

    def __init__(self, table: Table, said: Said) -> None:
        self.table, self.said, self.of_file = table, said, table.path is not None

        def named(role: str, names: Iterable[Any]) -> list[str]:
            called = f"columns[{role!r}]" if self.of_file else role
            return [table.named_as(called, name) for name in names if name is not None]

        system, item = named("system", [said.system]), named("item", said.item)
        repeat = next(iter(named("repeat", [said.repeat])), None)
        self.notes: tuple[str, ...] = ()
        self.system = system[0] if system else self._usual_system()
        if repeat is not None and plain(repeat) in usual.METRIC and table.vary(repeat):
            raise ValueError(
                f"repeat={repeat!r} says by which metric a score is: leave it out, and choose "
                f"one, as in score={str(table.cells(repeat)[0])!r}."
            )
        taken = {*item, *said.others, self.system, repeat}
        self.metric = self._usual_metric(taken)
        taken |= {*map(str, said.score), self.metric}
        self.unit = said.unit or usual.unit_of(item)
        if not item:
            item, self.unit = self._usual_item([n for n in table.names if n not in taken])
        beside = [name for name in table.names if name not in {*taken, *item}]
        if self.unit == "split":  # a repeat and a fold are a split together
            item += [n for n in beside if kind_of(n) == "split" and table.vary(n)]
            if repeat is not None and kind_of(repeat) == "split":
                item, repeat = [*item, repeat], None
        elif repeat is None and (self.system is not None or self.of_file):
            called = {plain(name): name for name in beside}
            repeat = next((called[word] for word in usual.REPEATED if word in called), None)
            if repeat is not None and self.unit != "instance":  # of items reports always tell
                self.notes += (f"read as repeats: {repeat}",)
        self.item, self.repeat = tuple(usual.in_order(item)), repeat

    @property
    def columns(self) -> list[str]:
        """All of these columns."""
        named = (self.system, *self.item, self.repeat, self.metric)
        return [name for name in named if name is not None]

    def _unclear(self, names: Iterable[str], may: str, **proposed: str) -> ValueError:
        every = " and ".join(map(repr, names))
        return ValueError(f"{every} may each {may}. Write which: {self.said.call(**proposed)}.")

    def _usual_system(self) -> str | None:
        """Return the column that is called as one of systems; refuse several that say it.

        Numbers may be the scores of a system of that name; of a file only decimals are.
        """
        table = self.table
        found = [
            name
            for name in filter(usual.is_system, table.names)
            if table.numbers(name) is None or (self.of_file and not table.holds_decimals(name))
        ]
        varying = [name for name in found if table.vary(name)] or found[:1]
        if len(varying) > 1:
            raise self._unclear(varying, "say whose score a row is", system=varying[0])
        return next(iter(varying), None)

    def _usual_metric(self, taken: Iterable[str | None]) -> str | None:
        """Return the column that says by which metric the one score of a row is."""
        table, said = self.table, self.said
        values = [str(name) for name in said.score if name in table]
        values = values or [name for name in table.names if plain(name) in usual.VALUES]
        free = [name for name in table.names if name not in {*taken, *values}]
        may = [name for name in free if plain(name) in usual.METRIC]
        for name in may:
            if table.numbers(name) is not None:
                continue
            varies = table.vary(name)
            of_rows = len(values) == 1 and (varies or self.of_file or not said.score)
            if of_rows or (varies and any(each in table.cells(name) for each in said.scoring)):
                return name
            if varies:
                raise ValueError(
                    f"{name!r} says by which metric a score is, and no column is called value "
                    f"or score. Say which holds them: {said.call(score='value')}."
                )
        return None

    def _usual_item(self, free: Sequence[str]) -> tuple[list[str], Unit]:
        """Return the columns that are called as what a score is on, and what that is."""
        table, unit = self.table, self.said.unit
        named = [name for name in free if name not in self.said.no_items]
        named = [name for name in named if kind_of(name) == "instance" or table.vary(name)]
        named.sort(key=lambda name: (*usual.ITEM_NAMES, plain(name)).index(plain(name)))
        of_unit = {
            each: [name for name in named if kind_of(name) == each]
            for each in (usual.UNIT if unit is None else [unit])
        }
        if unit is None:
            of_unit["instance"] = list(filter(self._recurs, of_unit["instance"]))
        of_unit = {unit: names for unit, names in of_unit.items() if names}
        if len(of_unit) > 1:
            of_unit.pop("group", None)
        if len(of_unit) > 1 and "instance" in of_unit:
            ids = of_unit.pop("instance")
            firsts = [names[0] for names in of_unit.values()]
            if others := [name for name in firsts if plain(name) not in usual.REPEATED]:
                self.notes += (f"read as items: {ids[0]}, and not {listed(others)}",)
            of_unit = {"instance": ids}
        if not of_unit:
            raise ValueError(self._without_item(free))
        found, names = next(iter(of_unit.items()))
        first, on = names[0], "say what a score is on"
        if len(of_unit) > 1:
            which = {"item": first} if self.of_file else {"unit": found}
            which |= self._repeat_beside(first)
            raise self._unclear([own[0] for own in of_unit.values()], on, **which)
        if found != "split" and table.n_labels(first) < table.n_labels(*names):
            raise self._unclear(names, on, item=first)
        return names if found == "split" else [first], cast(Unit, found)

    def _recurs(self, name: str) -> bool:
        """Whether two systems have some label, or there is one system: else none is paired."""
        table, system = self.table, self.system
        if system is None or not table.vary(system):
            return True
        return table.n_labels(name, system) > table.n_labels(name)

    def _without_item(self, free: Sequence[str]) -> str:
        """Say which column may name what a score is on: one that no system has twice."""
        table, said = self.table, self.said
        write = f"Say which, as in {said.call(item='question')}"
        may = [n for n in free if plain(n) not in usual.REPEATS and not table.holds_decimals(n)]
        for name in may:
            repeat = self._repeat_beside(name)
            if repeat or table.first_twice(self._keys(name)) is None:
                unit = {} if said.unit or self.of_file else {"unit": "instance"}
                call = said.call(item=name, **unit, **repeat)
                write = f"If {name!r} does, write {call}{', or another unit' if unit else ''}"
                break
        return (
            "no column is called like what a score is on, such as a question, a fold or a "
            f"data set. {write}. There are {listed(table.names)}."
        )

    def _keys(self, *items: str) -> list[str]:
        return [*filter(None, [self.system]), *items]

    def _repeat_beside(self, *items: str) -> dict[str, str]:
        """Return the column that counts scores of a system on one item, if it has several."""
        keys = self._keys(*items)
        if self.said.repeat is not None or self.table.first_twice(keys) is None:
            return {}
        apart = self._separating(keys)
        return {} if apart is None or plain(apart) not in usual.REPEATS else {"repeat": apart}

    def _separating(self, keys: Sequence[str]) -> str | None:
        """Return the column of labels that separates rows which others name alike."""
        table = self.table
        free = [n for n in table.names if n not in keys and not table.holds_decimals(n)]
        may = [name for name in free if table.first_twice([*keys, name]) is None]
        return next((n for n in may if plain(n) in usual.REPEATS), next(iter(may), None))

    def scores(self) -> tuple[list[str], list[str]]:
        """Return the columns of scores, and those of numbers that were taken for none.

        They are those that the caller names, else those that look like it. A frame has one
        metric where a column has its name, or that of a score.

        Raises
        ------
        ValueError
            If there is none, or one that looks like the score and cannot be read.
        """
        table, said = self.table, self.said
        known = [str(name) for name in said.score if name in table]
        # A score that a file has no column of may be what its systems beside each other have.
        of_rows = self.metric is None and not (self.of_file and not known)
        if named := list(map(str, said.score)) if of_rows else known:
            self.check_scores(named)
            return named, []
        labels = {*self.columns, *said.others}
        read = {name: table.read_numbers(name) for name in table.names if name not in labels}
        numbers = [name for name, own in read.items() if own.values is not None]
        found = self._called_scores(numbers)
        refused = [n for n, own in read.items() if own.why and plain(n) not in usual.METRIC]
        if not found:
            found = [n for n in numbers if not usual.is_no_score(n, list(read[n].values))]
            if not found or (refused and not any(map(is_score, found))):
                raise ValueError(self._without_score(found, numbers, refused))
        if self.metric is not None and len(found) > 1:
            may = f"hold the scores that {self.metric!r} names"
            raise self._unclear(found, may, score=found[0])
        left = [name for name in numbers if name not in found]
        return found, [n for n in left if self.unit != "split" or not usual.size_of(n)]

    def _called_scores(self, numbers: Sequence[str]) -> list[str]:
        """Return columns that are called as the metric, or as a score: of a file all count."""
        if self.metric is not None:
            return [name for name in numbers if plain(name) in usual.VALUES]
        if self.of_file:
            return []
        scoring = set(map(plain, self.said.scoring))
        of_metric = [name for name in numbers if plain(name) in scoring]
        return of_metric or [name for name in numbers if plain(name) in usual.SCORES]

    def check_scores(self, names: Iterable[str]) -> None:
        """Refuse columns that somebody says are scores, and are not."""
        table = self.table
        for name in names:
            if name in {*self.columns, *self.said.others}:
                raise ValueError(f"column {name!r} cannot hold scores and labels.")
            none = f"there is no column of numbers called {name!r}"
            if name not in table:
                raise ValueError(f"{none}; there are {listed(table.names)}.")
            found = table.read_numbers(name, True)
            if found.values is None:
                raise ValueError(f"{none}: {found.why}.")

    def _without_score(
        self, found: Sequence[str], numbers: Sequence[str], refused: Sequence[str]
    ) -> str:
        """Say that no score is left, or one only that may not be meant."""
        none = "there is no score: no column of numbers, or of words such as true and false."
        words = [] if found else [none]
        for name in refused[:1]:
            why = self.table.read_numbers(name).why
            words.append(f"{name!r} looks like the score, but {why}.")
        if found:
            words.append(f"What is left is {listed(found)}. If that is to be compared, say so:")
        elif numbers:
            words.append(f"Not taken for scores: {listed(numbers)}. If one is a score, say so:")
        words += [f"{self.said.call(score=name)}." for name in [*found, *numbers][:1]]
        return " ".join(words)

    def systems_beside(self) -> list[str]:
        """Return the columns of numbers of a frame without one that says whose a score is.

        Raises
        ------
        ValueError
            If one looks like something else: it might win against all systems.
        """
        table, said = self.table, self.said
        rest = [name for name in table.names if name not in {*self.columns, *said.others}]
        # Whole numbers that are called as the item is name it too.
        rest = [n for n in rest if kind_of(n) != self.unit or table.holds_decimals(n)]
        texts = [name for name in rest if table.numbers(name) is None]
        found = [name for name in rest if name not in texts]
        if texts and table.first_twice(self.columns) is not None:
            repeat = self._repeat_beside(texts[0], *self.item)
            raise ValueError(
                f"{' and '.join(map(repr, self.item))} names several rows alike, and no column "
                f"is called like a system. If {texts[0]!r} says whose score a row is, write "
                f"{said.call(system=texts[0], **repeat)}."
            )
        for name in filter(usual.is_system, found):
            call = said.call(system=name, score="...")
            raise ValueError(f"column {name!r} looks like whose score a row is: write {call}.")
        refuse_no_systems({name: table.of(name) for name in found})
        for name in texts:
            cells = table.cells(name)
            if any(isinstance(cell, Real) and cell == cell for cell in cells):
                table.read_numbers(name, True)  # which says the cell that is none
            values = [read_number(cell) if isinstance(cell, str) else None for cell in cells]
            if cells and None not in values and any("." in cell for cell in cells):
                raise ValueError(
                    f"column {name!r} holds numbers that are texts, such as {cells[0]!r}: "
                    "convert it to numbers if it is a system, or drop it."
                )
        if not found:
            raise ValueError(
                f"no column of numbers is left for a system; there are {listed(table.names)}."
            )
        return found

    def refuse_twice(self, scores: Iterable[str]) -> None:
        """Refuse two scores of one system on one unit, and say which column separates them."""
        table, label = self.table, self.table.first_twice(self.columns)
        if label is None:
            return
        where = " and ".join(f"{name!r} {label[name]}" for name in self.item)
        found = f"there are several rows of {where}"
        if self.system is not None:
            found = f"{label[self.system]!r} has several scores on {where}"
        if self.metric is not None:
            found += f" by {label[self.metric]}"
        apart = self._separating([*self.columns, *scores])
        if self.repeat is not None:
            found, apart = f"{found}, {self.repeat!r} {label[self.repeat]}", None
        if apart is None or table.first_twice([*self.columns, apart]) is not None:
            raise ValueError(f"{found}: keep one of them.")
        repeat = self.said.call(repeat=apart)
        if plain(apart) in usual.REPEATS and self.unit != "split":
            raise ValueError(f"{found}. If {apart!r} counts repeats, write: {repeat}.")
        raise ValueError(
            f"{found}, which differ in {apart!r}. Take the rows of one, such as "
            f"{table.cells(apart)[0]}; or, to compare the mean of them, write: {repeat}."
        )

    def on(self, table: Table, **roles: Any) -> Self:
        """Return the same roles of a table with other rows, of which more is known."""
        found = copy.copy(self)
        vars(found).update(roles, table=table)
        return found

    def items(self) -> tuple[list[str], list[int]]:
        """Return what every row is on, and an order in which the folds of a repeat follow."""
        return usual.joined([self.table.labels(name) for name in self.item])

    def results(
        self,
        scores: Mapping[str, str],
        left_out: Sequence[str],
        *,
        name: str = "",
        **known: Any,
    ) -> Results:
        """Make results of the rows.

        Parameters
        ----------
        scores : mapping of str to str
            Columns of scores by what they are called, where no column says it.
        left_out : sequence of str
            Columns of numbers that were taken for no scores.
        name : str
            The system, where no column says it.
        **known
            What else :class:`Results` take.
        """
        table, said = self.table, self.said
        items, order = self.items()
        systems = [name] * len(items) if self.system is None else table.labels(self.system)
        repeats = None if self.repeat is None else table.labels(self.repeat)
        values = {
            called: table.read_numbers(column, column in said.score or not self.of_file).values
            for called, column in scores.items()
        }
        if self.metric is None:
            found = {each: np.asarray(own)[order] for each, own in values.items()}
        else:
            cells = list(zip(systems, items, repeats or [""] * len(items), strict=True))
            order, found = _pivoted(cells, table.labels(self.metric), values, order)
            asked = [str(each) for each in said.score if each not in table]
            asked = asked or list(said.scoring or found)
            if unknown := [each for each in asked if each not in found]:
                have = ", ".join(found)
                raise ValueError(
                    f"{unknown[0]!r} is not a metric of the scores; they have {have}."
                )
            found = {each: found[each] for each in asked}
        # Of several columns that name an item each may group the items.
        item = self.item if self.unit != "split" and len(self.item) == 1 else ()
        named = {self.system, self.repeat, self.metric, *values, *item} - {*said.others}
        facts = {each: self._fact(each, order) for each in table.names if each not in named}
        return Results(
            system=[systems[row] for row in order],
            item=[items[row] for row in order],
            repeat=None if repeats is None else [repeats[row] for row in order],
            scores=found,
            columns={each: own for each, own in facts.items() if own is not None},
            unit=self.unit,
            notes=self.notes,
            left_out=tuple(left_out),
            **known,
        )

    def _fact(self, name: str, order: Sequence[int]) -> NDArray[Any] | None:
        """Return what is known of rows; texts one by one: arrays have room for the longest."""
        table, cells = self.table, self.table.cells(name)
        if len(cells) != table.n_rows or any(isinstance(cell, list | dict) for cell in cells):
            return None
        if usual.size_of(name) is not None and table.numbers(name) is not None:
            return np.asarray(table.numbers(name))[order]
        of_text = str in map(type, cells)
        return np.array(table.of(name), dtype=object if of_text else None)[order]


def _pivoted(
    cells: Sequence[Any], metrics: Sequence[str], scores: Mapping[str, Any], order: list[int]
) -> tuple[list[int], dict[str, Any]]:
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


def refuse_no_systems(columns: Mapping[str, Any]) -> None:
    """Refuse columns of numbers that are not those of a system: one might win against all."""
    for name in columns:
        if why := usual.why_no_system(name, columns):
            item = f" say what it is (item={name!r}, repeat={name!r} or group={name!r}),"
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop it,"
                f"{item if usual.names_rows(name) else ''} or name the systems by systems=."
            )
