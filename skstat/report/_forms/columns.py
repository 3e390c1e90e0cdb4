"""Long tables of a dictionary by column, and long lists once: JSON of very many pairs.

A list of at least a hundred dictionaries with the same keys is ``{"$rows": n, "fields": {key:
column}}``, one of lists of the same length ``{"$rows": n, "items": [column, ...]}``, and one
that repeats a value ``{"$rows": n, "value": value}``. A list of few different values is
``{"$rows": n, "values": [...], "at": [...]}``, with the place of each. Where a list of values
comes again it is ``{"$same": k}``, counting from 0 the long lists that are written before. A
key of the dictionary itself that starts with a dollar has one more in front of it. Where
anything is written so, the whole has ``"$by_column": true``.
"""

from collections.abc import Mapping
from typing import Any

MANY = 100  # rows; fewer stay as they are
FEW = 10  # a column with fewer different values than a tenth of its rows is written by them
_MOST = 10**7  # a value that repeats must not fill the memory
_LEAVES = (str, int, float, type(None))


def by_column(state: dict[str, Any]) -> dict[str, Any]:
    """Return a dictionary of plain values with its long tables by column.

    Parameters
    ----------
    state : dict
        What ``to_dict()`` returned.

    Returns
    -------
    dict
        The dictionary itself where nothing is long.
    """
    writer = _Writer()
    short = dict(writer.value(state))
    return {"$by_column": True, **short} if writer.is_shorter else state


def by_row(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dictionary that `by_column` was given; any other as it is."""
    short = dict(state)
    return dict(_Reader().value(short)) if short.pop("$by_column", False) else short


class _Writer:
    def __init__(self) -> None:
        self.lists: dict[str, int] = {}  # the number of every long list, by its text
        self.is_shorter = False

    def value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {_escaped(key): self.value(item) for key, item in value.items()}
        if not isinstance(value, list):
            return value
        first, n = value[0] if value else None, len(value)
        if n < MANY:
            return [self.value(item) for item in value]
        if isinstance(first, dict) and _are_rows(value, first):
            columns = {key: [row[key] for row in value] for key in first}
            return self.shorter({"$rows": n, "fields": self.value(columns)})
        if isinstance(first, list) and _are_tuples(value, len(first)):
            items = [self.value([*column]) for column in zip(*value, strict=True)]
            return self.shorter({"$rows": n, "items": items})
        is_one = len({*map(id, value)}) == 1
        texts = [repr(first)] * n if is_one else [*map(repr, value)]  # 1 is not 1.0 nor True
        different = dict(zip(texts, value, strict=True))
        if len(different) == 1:
            return self.shorter({"$rows": n, "value": self.value(first)})
        if not all(isinstance(item, _LEAVES) for item in different.values()):
            return [self.value(item) for item in value]
        number = len(self.lists)
        place = self.lists.setdefault(", ".join(texts), number)
        if place != number:
            return self.shorter({"$same": place})
        if len(different) > n / FEW:
            return value
        places = {text: k for k, text in enumerate(different)}
        at = [places[text] for text in texts]
        return self.shorter({"$rows": n, "values": [*different.values()], "at": at})

    def shorter(self, written: dict[str, Any]) -> dict[str, Any]:
        self.is_shorter = True
        return written


def _are_rows(value: list[Any], first: dict[str, Any]) -> bool:
    keys = list(first)
    return bool(keys) and all(type(row) is dict and list(row) == keys for row in value)


def _are_tuples(value: list[Any], length: int) -> bool:
    return 0 < length < MANY and all(
        type(row) is list and len(row) == length and all(isinstance(i, _LEAVES) for i in row)
        for row in value
    )


class _Reader:
    def __init__(self) -> None:
        self.lists: list[list[Any]] = []

    def value(self, value: Any) -> Any:
        if isinstance(value, dict):
            if "$same" in value:
                return self.lists[value["$same"]]
            if "$rows" in value:
                return self.rows(value)
            return {_plain(key): self.value(item) for key, item in value.items()}
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
        if "items" in state:
            columns = [self.value(column) for column in state["items"]]
            return [list(row) for row in zip(*columns, strict=True)]
        if "at" in state:
            known = dict(enumerate(state["values"]))
            self.lists.append([known[k] for k in state["at"]])
            return self.lists[-1]
        fields = {_plain(key): self.value(own) for key, own in state["fields"].items()}
        rows = zip(*fields.values(), strict=True)
        return [dict(zip(fields, row, strict=True)) for row in rows]


def _escaped(key: str) -> str:
    return f"${key}" if key.startswith("$") else key


def _plain(key: str) -> str:
    return key[1:] if key.startswith("$") else key
