"""Compact JSON of very many pairs: long tables are stored by column, and long lists once.

A list of at least a hundred dictionaries with the same keys is ``{"$rows": n, "columns": {key:
column}}``, one of lists of the same length ``{"$rows": n, "columns": [column, ...]}``, and one
that repeats a value ``{"$rows": n, "value": value}``. A list of few different values is
``{"$rows": n, "values": [...], "at": [...]}``, with the index of each. A list of values that is
repeated is ``{"$same": k}``, where k counts from 0 the long lists that are written before. A
key of the dictionary itself that starts with a dollar gets another one in front. If anything
is written in this way, the whole has ``"$by_column": true``.
"""

from array import array
from collections.abc import Mapping
from typing import Any

MANY = 100  # rows from which a list is long
FEW = 10  # rows per distinct value from which a column is written by its distinct values
_MOST = 10**7  # largest number of rows that is read, to limit memory
_LEAVES = (str, int, float, type(None))


def by_column(state: dict[str, Any]) -> dict[str, Any]:
    """Return a dictionary of plain values with long tables by column.

    Parameters
    ----------
    state : dict
        What ``to_dict()`` returned.

    Returns
    -------
    dict
        The dictionary itself if nothing is long.
    """
    writer = _Writer()
    short = dict(writer.value(state))
    return {"$by_column": True, **short} if writer.is_shorter else state


def by_row(state: Mapping[str, Any]) -> dict[str, Any]:
    """Reverse `by_column`; other dictionaries are returned unchanged."""
    short = dict(state)
    return dict(_Reader().value(short)) if short.pop("$by_column", False) else short


class _Writer:
    def __init__(self) -> None:
        self.lists: dict[Any, int] = {}  # the number of every long list, by its content
        self.is_shorter = False

    def value(self, value: Any) -> Any:
        if isinstance(value, dict):
            keys = ("$" * key.startswith("$") + key for key in value)
            return dict(zip(keys, map(self.value, value.values()), strict=True))
        if not isinstance(value, list):
            return value
        short = self.long(value) if len(value) >= MANY else None
        if short is None:
            return [self.value(item) for item in value]
        self.is_shorter |= short is not value
        return short

    def long(self, value: list[Any]) -> Any:
        """Return the compact form of a long list; None if it must be written item by item."""
        n, columns = len(value), _columns_of(value)
        if columns is not None:
            return {"$rows": n, "columns": self.value(columns)}
        if {*map(type, value)} == {float} and len({*value}) > n / FEW:  # fast, for draws
            return self.once(array("d", value).tobytes(), value)
        is_one = len({*map(id, value)}) == 1
        texts = [repr(value[0])] * n if is_one else [*map(repr, value)]  # 1 is not 1.0 nor True
        different = dict(zip(texts, value, strict=True))
        if len(different) == 1:
            return {"$rows": n, "value": self.value(value[0])}
        if not all(isinstance(item, _LEAVES) for item in different.values()):
            return None
        short = self.once(", ".join(texts), value)
        if short is not value or len(different) > n / FEW:
            return short
        index = {text: k for k, text in enumerate(different)}
        at = [index[text] for text in texts]
        return {"$rows": n, "values": [*different.values()], "at": at}

    def once(self, key: Any, value: list[Any]) -> Any:
        """Return a list, or a reference to it if it was written before."""
        number = len(self.lists)
        first = self.lists.setdefault(key, number)
        return value if first == number else {"$same": first}


def _columns_of(rows: list[Any]) -> Any:
    """Return the columns of rows with the same keys or length; None for other lists."""
    kinds, first = {*map(type, rows)}, rows[0]
    if kinds == {dict} and first and all(list(row) == list(first) for row in rows):
        return {key: [row[key] for row in rows] for key in first}
    if kinds == {list} and {*map(len, rows)} == {len(first)} and 0 < len(first) < MANY:
        return [[*column] for column in zip(*rows, strict=True)]
    return None


class _Reader:
    def __init__(self) -> None:
        self.lists: list[list[Any]] = []

    def value(self, value: Any) -> Any:
        if isinstance(value, dict):
            if "$same" in value:
                return self.lists[value["$same"]]
            if "$rows" in value:
                return self.rows(value)
            return {key.removeprefix("$"): self.value(item) for key, item in value.items()}
        if not isinstance(value, list):
            return value
        if len(value) >= MANY and all(isinstance(item, _LEAVES) for item in value):
            self.lists.append(value)
            return value
        return [self.value(item) for item in value]

    def rows(self, state: dict[str, Any]) -> list[Any]:
        n = state["$rows"]
        if not 0 <= n <= _MOST:
            raise ValueError(f"a table cannot have {n} rows.")
        if "value" in state:
            return [self.value(state["value"])] * n
        if "at" in state:
            values = dict(enumerate(state["values"]))
            self.lists.append([values[k] for k in state["at"]])
            return self.lists[-1]
        columns = self.value(state["columns"])
        if isinstance(columns, list):
            return [[*row] for row in zip(*columns, strict=True)]
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]
