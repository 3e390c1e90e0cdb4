"""Long tables of a dictionary by column, and back: what all rows share is written once.

A list of many dictionaries with the same keys is ``{"$rows": n, "fields": {key: column}}``,
a list of many pairs ``{"$rows": n, "items": [column, column]}``. A column is

- a list with the value of every row,
- ``{"$all": value}`` where all rows have the same,
- ``{"$values": [...], "$places": [...]}`` where few values come often: the place of every row's
  value in the list of values,
- ``{"$ref": pointer}``, the same as the column at that JSON pointer,
- ``{"$fields": {key: column}}`` where every row has a dictionary,
- ``{"$derived": name, "$except": {row: value}}``, which ``derived.py`` computes.

A long list of numbers is such a list, or ``{"$rows": n, "column": column}``. A key of the
dictionary itself that starts with a dollar has one more in front of it.
"""

from collections.abc import Callable, Mapping
from itertools import repeat
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.report._forms.derived import derived_rows

MANY = 100  # rows; fewer stay as they are
_MOST = 10**7

# Where a column can come from that need not be written: its name, and how to compute it.
Numbers = NDArray[np.float64]
_Derived = Mapping[str, Callable[[], Numbers]]


def by_column(state: dict[str, Any]) -> dict[str, Any]:
    """Return a dictionary of plain values with its long tables by column.

    Parameters
    ----------
    state : dict
        What ``to_dict()`` returned.

    Returns
    -------
    dict
        The dictionary itself where it has no long table.
    """
    return dict(_Writer().mapping(state, "", {})) if _has_table(state) else state


def by_row(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the dictionary that `by_column` was given; any other as it is."""
    if not (isinstance(state, Mapping) and state.get("$by_column")):
        return state
    return _Reader(state).mapping(state)


def _has_table(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_table, value.values()))
    return isinstance(value, list) and (_is_table(value) or any(map(_has_table, value[:MANY])))


def _is_table(value: list[Any]) -> bool:
    """Whether these are many dictionaries with the same keys in the same order."""
    if len(value) < MANY or not (isinstance(value[0], dict) and value[0]):
        return False
    keys = list(value[0])
    return all(isinstance(row, dict) and list(row) == keys for row in value)


def _is_pairs(value: list[Any]) -> bool:
    return len(value) >= MANY and all(
        isinstance(row, list) and len(row) == 2 and all(isinstance(end, str) for end in row)
        for row in value
    )


def _is_flat(value: list[Any]) -> bool:
    return len(value) >= MANY and not any(isinstance(item, dict | list) for item in value)


class _Writer:
    def __init__(self) -> None:
        self.pointers: dict[str, str] = {}  # where a column with this text stands
        self.places: dict[tuple[int, ...], str] = {}  # and one of these objects

    def mapping(
        self, state: Mapping[str, Any], pointer: str, derived: _Derived
    ) -> dict[str, Any]:
        derived = derived_rows(state) or derived
        marked = {} if pointer else {"$by_column": True}
        return marked | {
            _escaped(key): self.value(value, f"{pointer}/{_token(_escaped(key))}", derived)
            for key, value in state.items()
        }

    def value(self, value: Any, pointer: str, derived: _Derived) -> Any:
        if isinstance(value, dict):
            return self.mapping(value, pointer, derived)
        if not isinstance(value, list):
            return value
        if _is_table(value):
            fields = self.fields(value, f"{pointer}/fields", derived)
            return {"$rows": len(value), "fields": fields}
        if _is_pairs(value):
            ends = [
                self.column([row[end] for row in value], f"{pointer}/items/{end}", {})
                for end in (0, 1)
            ]
            return {"$rows": len(value), "items": ends}
        if _is_flat(value):
            column = self.column(value, pointer, {}, inside="/column")
            return column if column is value else {"$rows": len(value), "column": column}
        return [self.value(item, f"{pointer}/{i}", derived) for i, item in enumerate(value)]

    def fields(
        self, rows: list[dict[str, Any]], pointer: str, derived: _Derived
    ) -> dict[str, Any]:
        return {
            key: self.column([row[key] for row in rows], f"{pointer}/{_token(key)}", derived)
            for key in rows[0]
        }

    def column(
        self, values: list[Any], pointer: str, derived: _Derived, *, inside: str = ""
    ) -> Any:
        if all(map(is_, values, repeat(values[0]))):
            return {"$all": values[0]}
        if _is_table(values):
            fields = self.fields(values, f"{pointer}/$fields", derived)
            alike = all(isinstance(each, dict) and "$all" in each for each in fields.values())
            return {"$all": values[0]} if alike else {"$fields": fields}
        objects = tuple(map(id, values))  # which the dictionary keeps
        if objects in self.places:
            return {"$ref": self.places[objects]}
        if isinstance(values[0], list) and any(value != values[0] for value in values):
            for name, make in derived.items():
                other = _exceptions(values, make())
                if other is not None and 10 * len(other) < len(values):
                    return {"$derived": name, "$except": other}
        texts = list(map(repr, values))  # tells 1 from 1.0, and 0.0 from -0.0
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        if len(places) == 1:
            return {"$all": values[0]}
        whole = "\n".join(texts)
        if whole in self.pointers:
            return {"$ref": self.pointers[whole]}
        coded = sum(map(len, places)) + len(values) * len(str(len(places)))
        is_coded = coded < sum(map(len, texts))
        self.pointers[whole] = self.places[objects] = pointer + inside * is_coded
        if is_coded:
            first = dict(zip(texts[::-1], values[::-1], strict=True))
            return {
                "$values": [first[text] for text in places],
                "$places": [places[text] for text in texts],
            }
        return values


def _exceptions(values: list[Any], known: Numbers) -> dict[str, Any] | None:
    """Return the lists that are not those computed, to the last bit; None of another number."""
    if len(known) != len(values):
        return None
    bits = known.view(np.int64)

    def is_known(row: int, value: Any) -> bool:
        same = isinstance(value, list) and len(value) == known.shape[1]
        if not same or not all(type(number) is float for number in value):
            return False
        return bool((np.array(value).view(np.int64) == bits[row]).all())

    return {str(row): value for row, value in enumerate(values) if not is_known(row, value)}


class _Reader:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root

    def mapping(
        self, state: Mapping[str, Any], derived: Mapping[str, Any] | None = None
    ) -> Any:
        if "$rows" in state:
            return self.table(state, derived or {})
        found: dict[str, Any] = {}
        # Tables may be derived from what stands beside them, in whatever order it is read.
        last = ["pairwise"] if "pairwise" in state else []
        for key in [key for key in state if key not in last] + last:
            if key == "$by_column":
                continue
            if key in last:
                derived = derived_rows(found) or derived
            found[_plain(key)] = self.value(state[key], derived)
        return {_plain(key): found[_plain(key)] for key in state if key != "$by_column"}

    def value(self, value: Any, derived: Mapping[str, Any] | None) -> Any:
        if isinstance(value, Mapping):
            return self.mapping(value, derived)
        if isinstance(value, list):
            return [self.value(item, derived) for item in value]
        return value

    def table(self, state: Mapping[str, Any], derived: Mapping[str, Any]) -> list[Any]:
        n = state["$rows"]
        if not 0 <= n <= _MOST:  # a column that is the same in all rows would fill the memory
            raise ValueError(f"a table cannot have {n} rows.")
        if "column" in state:
            return self.column(state["column"], n, derived)
        if "items" in state:
            first, second = (self.column(end, n, derived) for end in state["items"])
            return [[a, b] for a, b in zip(first, second, strict=True)]
        return self.rows(state["fields"], n, derived)

    def rows(self, fields: Mapping[str, Any], n: int, derived: Mapping[str, Any]) -> list[Any]:
        columns = {key: self.column(column, n, derived) for key, column in fields.items()}
        keys = list(columns)
        return [
            dict(zip(keys, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]

    def column(self, column: Any, n: int, derived: Mapping[str, Any]) -> list[Any]:
        if isinstance(column, list):
            return column
        if "$all" in column:
            return [column["$all"]] * n
        if "$fields" in column:
            return self.rows(column["$fields"], n, derived)
        if "$ref" in column:
            found = _at(self.root, column["$ref"])
            if "$ref" in found:
                raise ValueError(f"{column['$ref']!r} does not hold a column.")
            return self.column(found, n, derived)
        if "$derived" in column:
            found = derived[column["$derived"]]().tolist()
            for row, value in column["$except"].items():
                found[int(row)] = value
            return found
        values = column["$values"]
        return [values[place] for place in column["$places"]]


def _at(root: Any, pointer: str) -> Any:
    """Follow a JSON pointer."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        root = root[int(key)] if isinstance(root, list) else root[key]
    return root


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _escaped(key: str) -> str:
    return f"${key}" if key.startswith("$") else key


def _plain(key: str) -> str:
    return key[1:] if key.startswith("$") else key
