"""What the columns of a table say of its rows: of frames, mappings and files alike.

What the caller names comes first, then the usual names of columns. Where these leave several
answers of which some are other comparisons, the caller is asked which.
"""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self, cast

import numpy as np

from skstat import _columns as usual
from skstat._directions import direction_of
from skstat._names import listed
from skstat.io._results import Results
from skstat.io._table import Column, Table, read_number
from skstat.stats._scores import Unit

Columns = Sequence[Column]


def names_of(named: Any) -> tuple[Any, ...]:
    """Return columns that somebody names: none, one or several."""
    if named is None:
        return ()
    return tuple(named) if isinstance(named, list | tuple) else (named,)


@dataclass(frozen=True, kw_only=True)
class UserRoles:
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
    user : UserRoles
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

    def __init__(self, table: Table, user: UserRoles) -> None:
        self.table, self.user, self.of_file = table, user, table.path is not None
        self.notes: tuple[str, ...] = ()
        self.system = None if user.system is None else table.named_as("system", user.system)
        repeat = None if user.repeat is None else table.named_as("repeat", user.repeat)
        item = [table.named_as("item", name) for name in user.item if name is not None]
        systems = [column for column in table.values() if column.hints.is_system]
        metrics = [column for column in table.values() if column.hints.is_metric]
        if self.system is None and systems:
            self.system = self._usual_system(systems)
        counts = None if repeat is None else table[repeat]
        if counts is not None and counts.hints.is_metric and counts.varies:
            raise ValueError(
                f"repeat={repeat!r} says by which metric a score is: leave it out, and choose "
                f"one, as in score={str(counts.cells[0])!r}."
            )
        taken = {*item, *user.others, self.system, repeat}
        self.metric = self._usual_metric(metrics, taken) if metrics else None
        taken |= {*map(str, user.score), self.metric}
        if item:
            self.unit = user.unit or usual.unit_of(item)
        else:
            item, self.unit = self._usual_item(table.without(taken))
        others = table.without({*taken, *item})
        if self.unit == "split":  # a repeat and a fold are a split together
            item += [own.name for own in others if own.hints.unit == "split" and own.varies]
            if counts is not None and counts.hints.unit == "split":
                item, repeat = [*item, counts.name], None
        elif repeat is None and (self.system is not None or self.of_file):
            named: dict[str, str] = {}
            for own in others:
                named.setdefault(own.hints.usual, own.name)
            repeat = next(filter(None, map(named.get, usual.REPEATED)), None)
            if repeat is not None and self.unit != "instance":  # of items reports always tell
                self.notes += (f"read as repeats: {repeat}",)
        self.item, self.repeat = tuple(usual.in_order(item) if len(item) > 1 else item), repeat

    @property
    def columns(self) -> list[str]:
        """All of these columns."""
        return list(filter(None, (self.system, *self.item, self.repeat, self.metric)))

    def _unclear(self, names: Iterable[str], may: str, **proposed: str) -> ValueError:
        every = " and ".join(map(repr, names))
        return ValueError(f"{every} may each {may}. Write which: {self.user.call(**proposed)}.")

    def _usual_system(self, columns: Columns) -> str | None:
        """Return the column that says whose a score is, of those called so; refuse several.

        Numbers may be the scores of a system of that name; of a file only decimals are.
        """
        may = [c for c in columns if c.numbers is None or (self.of_file and not c.has_decimals)]
        if len(may) > 1:
            may = [own for own in may if own.varies] or may[:1]
        if len(may) > 1:
            which = [own.name for own in may]
            raise self._unclear(which, "say whose score a row is", system=which[0])
        return may[0].name if may else None

    def _usual_metric(self, columns: Columns, taken: Iterable[str | None]) -> str | None:
        """Return the column that says by which metric a score is, of those called so."""
        table, user = self.table, self.user
        for column in columns:
            if column.name in {*taken, *map(str, user.score)} or column.numbers is not None:
                continue
            values = [str(name) for name in user.score if name in table]
            if not values:
                values = [own.name for own in table.values() if own.hints.usual in usual.VALUES]
            varies, name = column.varies, column.name
            of_rows = len(values) == 1 and (varies or self.of_file or not user.score)
            if of_rows or (varies and any(word in column.cells for word in user.scoring)):
                return name
            if varies:
                raise ValueError(
                    f"{name!r} says by which metric a score is, and no column is called value "
                    f"or score. Say which holds them: {user.call(score='value')}."
                )
        return None

    def _usual_item(self, free: Columns) -> tuple[list[str], Unit]:
        """Return the columns that are called as what a score is on, and what that is."""
        table, user = self.table, self.user
        of_unit: dict[str, list[str]] = {}
        ordered = sorted(free, key=lambda column: column.hints.rank)
        alone = user.unit is not None or self.system is None or not table[self.system].varies
        for unit in usual.UNIT if user.unit is None else [user.unit]:
            for column in ordered:
                name = column.name
                if column.hints.unit != unit or name in user.no_items:
                    continue
                names_items = column.varies
                # Of ids some are those of two systems, or none is paired.
                if unit == "instance":
                    names_items = alone or table.n_keys(*self._keys(name)) > table.n_keys(name)
                if names_items:
                    of_unit.setdefault(unit, []).append(name)
        if len(of_unit) > 1:
            of_unit.pop("group", None)
        if len(of_unit) > 1 and "instance" in of_unit:
            ids = of_unit.pop("instance")
            firsts = [names[0] for names in of_unit.values()]
            if others := [n for n in firsts if table[n].hints.usual not in usual.REPEATED]:
                self.notes += (f"read as items: {ids[0]}, and not {listed(others)}",)
            of_unit = {"instance": ids}
        if not of_unit:
            raise ValueError(self._without_item(free))
        kind, names = next(iter(of_unit.items()))
        on = "say what a score is on"
        if len(of_unit) > 1:
            which = {"item": names[0]} if self.of_file else {"unit": kind}
            which |= self._repeat_beside(names[0])
            raise self._unclear([own[0] for own in of_unit.values()], on, **which)
        if kind != "split" and len(names) > 1:
            if table.n_keys(names[0]) < table.n_keys(*names):
                raise self._unclear(names, on, item=names[0])
            names = names[:1]
        return names, cast(Unit, kind)

    def _without_item(self, free: Columns) -> str:
        """Say which column may name what a score is on: one that no system has twice."""
        table, user = self.table, self.user
        write = f"Say which, as in {user.call(item='question')}"
        for column in free:
            if column.hints.usual in usual.REPEATS or column.has_decimals:
                continue
            repeat = self._repeat_beside(column.name)
            if repeat or table.first_twice(self._keys(column.name)) is None:
                unit = {} if user.unit or self.of_file else {"unit": "instance"}
                call = user.call(item=column.name, **unit, **repeat)
                other = ", or another unit" if unit else ""
                write = f"If {column.name!r} does, write {call}{other}"
                break
        return (
            "no column is called like what a score is on, such as a question, a fold or a "
            f"data set. {write}. There are {listed(table)}."
        )

    def _keys(self, *items: str) -> list[str]:
        return [*filter(None, [self.system]), *items]

    def _repeat_beside(self, *items: str) -> dict[str, str]:
        """Return the column that counts scores of a system on one item, if it has several."""
        keys = self._keys(*items)
        if self.user.repeat is not None or self.table.first_twice(keys) is None:
            return {}
        apart = self._separating(keys)
        return {} if apart is None or not _counts_repeats(apart) else {"repeat": apart}

    def _separating(self, keys: Sequence[str]) -> str | None:
        """Return the column of labels that separates rows which others name alike."""
        free = [column.name for column in self.table.without(keys) if not column.has_decimals]
        may = [name for name in free if self.table.first_twice([*keys, name]) is None]
        return next(iter(sorted(may, key=_counts_repeats, reverse=True)), None)

    def scores(self) -> tuple[list[str], list[str]]:
        """Return the columns of scores, and those of numbers that were taken for none.

        They are those that the caller names, else those that look like it. A frame has one
        metric where a column has its name, or that of a score.

        Raises
        ------
        ValueError
            If there is none, or one that looks like the score and cannot be read.
        """
        table, user = self.table, self.user
        own_columns = [str(name) for name in user.score if name in table]
        # A score that a file has no column of may be what its systems beside each other have.
        of_rows = self.metric is None and not (self.of_file and not own_columns)
        if named := list(map(str, user.score)) if of_rows else own_columns:
            self.check_scores(named)
            return named, []
        free = table.without({*self.columns, *user.others})
        numbers = [col for col in free if col.numbers is not None]
        texts = [col for col in free if col.numbers is None]
        refused = [col for col in texts if col.why and not col.hints.is_metric]
        # Those called as the metric come first, then those called as a score; of files all.
        called: list[Any] = []
        if not self.of_file:
            called = [[usual.read_name(str(name)).usual for name in user.scoring], usual.SCORES]
        scores: list[Column] = []
        for words in called if self.metric is None else [usual.VALUES]:
            scores = scores or [col for col in numbers if col.hints.usual in words]
        if not scores:
            scores = [col for col in numbers if not usual.is_no_score(col.name, col.numbers)]
            if not scores or (refused and not any(col.hints.is_score for col in scores)):
                raise ValueError(self._without_score(scores, numbers, refused))
        names = [col.name for col in numbers if col in scores]
        rest = [col for col in numbers if col not in scores]
        # Sizes are no scores of splits.
        left = [col.name for col in rest if self.unit != "split" or not col.hints.size]
        if self.metric is not None and len(names) > 1:
            may = f"hold the scores that {self.metric!r} names"
            raise self._unclear(names, may, score=names[0])
        return names, left

    def check_scores(self, names: Iterable[str]) -> None:
        """Refuse columns that somebody says are scores, and are not."""
        table = self.table
        for name in names:
            if name in {*self.columns, *self.user.others}:
                raise ValueError(f"column {name!r} cannot hold scores and labels.")
            none = f"there is no column of numbers called {name!r}"
            if name not in table:
                raise ValueError(f"{none}; there are {listed(table)}.")
            values, why = table[name].scores()
            if values is None:
                raise ValueError(f"{none}: {why}.")

    def _without_score(self, left: Columns, numbers: Columns, refused: Columns) -> str:
        """Say that no score is left, or one only that may not be meant."""
        none = "there is no score: no column of numbers, or of words such as true and false."
        words = [] if left else [none]
        for column in refused[:1]:
            words.append(f"{column.name!r} looks like the score, but {column.why}.")
        names = listed(column.name for column in left or numbers)
        if left:
            words.append(f"What is left is {names}. If that is to be compared, say so:")
        elif numbers:
            words.append(f"Not taken for scores: {names}. If one is a score, say so:")
        words += [f"{self.user.call(score=column.name)}." for column in [*left, *numbers][:1]]
        return " ".join(words)

    def systems_beside(self) -> list[str]:
        """Return the columns of numbers of a frame without one that says whose a score is.

        Raises
        ------
        ValueError
            If one looks like something else: it might win against all systems.
        """
        table, user = self.table, self.user
        free = table.without({*self.columns, *user.others})
        # Whole numbers that are called as the item is name it too.
        rest = [col for col in free if col.hints.unit != self.unit or col.has_decimals]
        texts = [column.name for column in rest if column.numbers is None]
        systems = [column.name for column in rest if column.numbers is not None]
        if texts and table.first_twice(self.columns) is not None:
            repeat = self._repeat_beside(texts[0], *self.item)
            raise ValueError(
                f"{' and '.join(map(repr, self.item))} names several rows alike, and no column "
                f"is called like a system. If {texts[0]!r} says whose score a row is, write "
                f"{user.call(system=texts[0], **repeat)}."
            )
        for name in systems:
            if table[name].hints.is_system:
                call = user.call(system=name, score="...")
                raise ValueError(f"{name!r} looks like whose score a row is: write {call}.")
        refuse_no_systems({name: table[name].given for name in systems})
        for name in texts:
            cells = table[name].cells
            if any(isinstance(cell, Real) and cell == cell for cell in cells):
                table[name].scores()  # which says the cell that is none
            texts_only = {str} == {*map(type, cells)} and None not in map(read_number, cells)
            if texts_only and "." in "".join(cells):
                raise ValueError(
                    f"column {name!r} holds numbers that are texts, such as {cells[0]!r}: "
                    "convert it to numbers if it is a system, or drop it."
                )
        if not systems:
            raise ValueError(f"no column of numbers is left; there are {listed(table)}.")
        return systems

    def refuse_twice(self, scores: Iterable[str]) -> None:
        """Refuse two scores of one system on one unit, and say which column separates them."""
        table, label = self.table, self.table.first_twice(self.columns)
        if label is None:
            return
        where = " and ".join(f"{name!r} {label[name]}" for name in self.item)
        problem = f"there are several rows of {where}"
        if self.system is not None:
            problem = f"{label[self.system]!r} has several scores on {where}"
        if self.metric is not None:
            problem += f" by {label[self.metric]}"
        apart = self._separating([*self.columns, *scores])
        if self.repeat is not None:
            problem, apart = f"{problem}, {self.repeat!r} {label[self.repeat]}", None
        if apart is None or table.first_twice([*self.columns, apart]) is not None:
            raise ValueError(f"{problem}: keep one of them.")
        repeat = self.user.call(repeat=apart)
        if _counts_repeats(apart) and self.unit != "split":
            raise ValueError(f"{problem}. If {apart!r} counts repeats, write: {repeat}.")
        raise ValueError(
            f"{problem}, which differ in {apart!r}. Take the rows of one, such as "
            f"{table[apart].cells[0]}; or, to compare the mean of them, write: {repeat}."
        )

    def on(self, melted: Table, *notes: str) -> Self:
        """Return the same roles of a row for every cell of the columns that are systems."""
        roles = copy.copy(self)
        roles.table, roles.system = melted, "system"
        roles.notes += notes
        return roles

    def items(self) -> tuple[list[str], Any]:
        """Return what every row is on, and an order in which the folds of a repeat follow."""
        labels = [self.table[name].labels for name in self.item]
        if len(labels) == 1:
            return labels[0], np.arange(len(labels[0]))
        keys = list(zip(*labels, strict=True))
        order = np.lexsort([usual.coded(keys)[1], usual.coded(labels[0])[1]])
        return list(map(", ".join, keys)), order

    def results(self, scores: Mapping[str, str], *, name: str = "", **known: Any) -> Results:
        """Make results of the rows.

        Parameters
        ----------
        scores : mapping of str to str
            Columns of scores by what they are called, where no column says it.
        name : str
            The system, where no column says it.
        **known
            What else :class:`Results` take.
        """
        table, user = self.table, self.user
        items, order = self.items()
        systems = [name] * len(items) if self.system is None else table[self.system].labels
        repeats = None if self.repeat is None else table[self.repeat].labels
        by_name = {}
        for called, column in scores.items():
            values = table[column].numbers
            by_name[called] = table[column].scores()[0] if values is None else values
        # Of several columns that name an item each may group the items.
        item = self.item if self.unit != "split" and len(self.item) == 1 else ()
        labels = {self.system, self.repeat, self.metric, *by_name, *item} - {*user.others}
        if self.metric is not None:
            cells = list(zip(systems, items, repeats or [""] * len(items), strict=True))
            metrics = table[self.metric].labels
            order, by_name = _pivoted(cells, metrics, *by_name.popitem(), order)
            wanted = [str(each) for each in user.score if each not in table]
            wanted = wanted or list(user.scoring or by_name)
            if unknown := [each for each in wanted if each not in by_name]:
                have = ", ".join(by_name)
                raise ValueError(
                    f"{unknown[0]!r} is not a metric of the scores; they have {have}."
                )
            by_name = {each: by_name[each] for each in wanted}
        else:
            for each, own in by_name.items():
                by_name[each] = own[order]
        facts = {}
        for other in table.without(labels):
            if (fact := other.fact()) is not None:
                facts[other.name] = fact[order]
        return Results(
            system=np.array(systems, dtype=object)[order],
            item=np.array(items, dtype=object)[order],
            repeat=None if repeats is None else np.array(repeats, dtype=object)[order],
            scores=by_name,
            columns=facts,
            unit=self.unit,
            notes=self.notes,
            **known,
        )


def _counts_repeats(name: str) -> bool:
    return usual.read_name(name).usual in usual.REPEATS


def _pivoted(
    cells: Sequence[Any], metrics: Sequence[str], column: str, values: Any, order: Any
) -> tuple[Any, dict[str, Any]]:
    """Put the scores of several metrics, a row for each, beside each other.

    An error of an AUC is no AUC: where the name of the column says that lower is better and
    that of a metric does not, the metric is called by both.
    """
    keys, codes = usual.coded([cells[row] for row in order])
    if direction_of(column) is False:
        metrics = [m if direction_of(m) is False else f"{m}_{column}" for m in metrics]
    names, of_metric = usual.coded(metrics)
    table = np.full((len(names), len(keys)), np.nan)
    table[of_metric[order], codes] = values[order]
    first = order[np.unique(codes, return_index=True)[1]]
    return first, dict(zip(names, table, strict=True))


def refuse_no_systems(columns: Mapping[str, Any]) -> None:
    """Refuse columns of numbers that are not those of a system: one might win against all."""
    for name, why in usual.no_systems(columns).items():
        item = f" say what it is (item={name!r}, repeat={name!r} or group={name!r}),"
        raise ValueError(
            f"column {name!r} looks like {why}, not like the scores of a system: drop it,"
            f"{item if usual.read_name(name).is_label else ''} or name the systems by systems=."
        )
