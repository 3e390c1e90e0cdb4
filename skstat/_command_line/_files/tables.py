"""Tables of text, by the kind of their file: CSV, TSV, JSON, JSON lines."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from skstat._command_line._errors import CommandError

_MOST_SHOWN = 20


@dataclass(frozen=True)
class Table:
    """Names of columns, how to get one, and the lines of a text file.

    A column of lists (probabilities of classes, say) is several columns of texts. A file
    that holds values without names has the one column None.
    """

    names: list[str]
    columns: Callable[[str | None], list[list[str]]]
    lines: list[int] | None = None
    place: str = "row"
    named: bool = True

    @property
    def known(self) -> str:
        """The names, in words."""
        names = ", ".join(self.names[:_MOST_SHOWN])
        more = len(self.names) - _MOST_SHOWN
        return f"it has {names}" + (f" and {more} more" if more > 0 else "")


def read_separated(content: str, path: str) -> Table:
    """Read comma or tab separated values, with a head."""
    delimiter = "\t" if path.lower().endswith(".tsv") else ","
    reader = csv.reader(StringIO(content, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        head = next(reader, [])
        line = reader.line_num + 1
        for row in reader:
            rows.append(row)
            lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise CommandError(f"{path}, line {reader.line_num}: {error}.") from error
    if not head:
        raise CommandError(f"{path} is empty: its first line must name the columns.")
    if len(head) == 1:  # an empty line is an empty item
        rows = [row or [""] for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    for line, row in zip(lines, rows, strict=False):
        if len(row) != len(head):
            raise CommandError(
                f"{path}, line {line} has {len(row)} fields, and the head has {len(head)}."
            )
    places = {name: place for place, name in reversed(list(enumerate(head)))}

    def column(name: str | None) -> list[list[str]]:
        place = places[str(name)]
        return [[row[place] for row in rows]]

    return Table(head, column, lines, "line")


def read_json_lines(content: str, path: str) -> Table:
    """Read one JSON value per line: objects with the same keys, or bare values."""
    values, lines = [], []
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            values.append(_parsed(line, f"{path}, line {number}"))
            lines.append(number)
    return _of_records(values, path, lines, "line")


def read_json(content: str, path: str) -> Table:
    """Read a list of objects or of bare values, or one object of columns."""
    found = _parsed(content, path)
    if isinstance(found, list):
        return _of_records(found, path, list(range(1, len(found) + 1)), "row")
    if not isinstance(found, dict) or not all(isinstance(v, list) for v in found.values()):
        raise CommandError(
            f"{path} holds {_kind(found)}; skstat reads a list of objects (one per row), an "
            "object of columns (name to list), or a list of values."
        )
    lengths = {name: len(column) for name, column in found.items()}
    if len(set(lengths.values())) > 1:
        raise CommandError(f"{path} has columns of unequal length: {lengths}.")
    return Table(list(found), lambda name: texts_of(found[str(name)], f"{path}:{name}", "row"))


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{where} is not JSON: {error}.") from error


def _of_records(values: list[Any], path: str, numbers: list[int], place: str) -> Table:
    """Objects with keys, or values without names; not both."""
    if not values:
        raise CommandError(f"{path} is empty.")
    objects = [isinstance(value, dict) for value in values]
    if not any(objects):
        named = ("", lambda _: texts_of(values, path, place, numbers))
        return Table([], named[1], numbers, place, named=False)
    if not all(objects):
        odd = objects.index(False)
        raise CommandError(
            f"{path}, {place} {numbers[odd]} holds {_kind(values[odd])}, and others an object "
            "with keys."
        )
    names = list(dict.fromkeys(name for value in values for name in value))

    def column(name: str | None) -> list[list[str]]:
        return texts_of([v.get(name) for v in values], f"{path}:{name}", place, numbers)

    return Table(names, column, numbers, place)


def texts_of(
    values: Sequence[Any], source: str, place: str, numbers: Sequence[int] | None = None
) -> list[list[str]]:
    """Return values as texts; lists of one length as several columns of them."""

    def at(row: int) -> str:
        return f"{source}, {place} {row + 1 if numbers is None else numbers[row]}"

    for row, value in enumerate(values):
        if value is None:
            raise CommandError(f"{at(row)} is missing.")
        if isinstance(value, Mapping):
            raise CommandError(f"{at(row)} holds {_kind(value)}; one label or number is read.")
    lists = [isinstance(value, list) for value in values]
    if not any(lists):
        return [[str(value) for value in values]]
    for row, value in enumerate(values):
        if not lists[row] or len(value) != len(values[0]) or not value:
            raise CommandError(
                f"{at(row)} holds {_kind(value)}: where one row holds a list, all need lists "
                "of one length."
            )
        if any(isinstance(entry, list | Mapping) or entry is None for entry in value):
            raise CommandError(f"{at(row)} holds {value!r}; a list of numbers is read.")
    return [[str(entry) for entry in column] for column in zip(*values, strict=True)]


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, Mapping) else repr(value)
