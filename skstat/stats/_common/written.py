"""How values are written: as what JSON can hold, a dataclass by its fields."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np

from skstat.stats._common.restoring import names_of_fields

_PLAIN = frozenset({str, int, bool, type(None)})


class Written:
    """A dataclass that is written as plain values: the name of its class, then its fields.

    A class that is written otherwise names in `_written` what is written of it, in that order:
    fields or properties. ``"type"``, which comes first where it is named, stands for the name
    of the class that says so: a subclass that holds more is written as that class.
    """

    _written: ClassVar[tuple[str, ...]] = ()

    def __getstate__(self) -> dict[str, Any]:
        # Copies and other processes get the fields, computed where they were promised, and what
        # was found beside them if it can be written. All else is found again: what it holds
        # need not be fit to be sent.
        kind: Any = type(self)
        beside = {name: own for name, own in vars(self).items() if isinstance(own, Written)}
        return beside | {name: getattr(self, name) for name in names_of_fields(kind)}

    def to_dict(self) -> dict[str, Any]:
        """Return what is stored as plain values; nan and infinity become None."""
        return self._plain({})

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        """Return the plain values, with those that a record before this one had."""
        return plain_fields(self, last)


def to_plain(value: Any) -> Any:
    """Turn numbers, arrays and containers into what JSON can hold."""
    kind = type(value)  # most of what there is can be told by it, which is quick
    if kind is float:
        return value if math.isfinite(value) else None
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _PLAIN else to_plain(item) for item in value]
    if kind is dict:
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and np.isfinite(value).all():
            return value.tolist()  # draws are many: not one by one
        return to_plain(value.tolist())
    if isinstance(value, Written):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


def plain_values(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dictionary whose values are plain ones."""
    return {name: to_plain(value) for name, value in state.items()}


def plain_fields(record: Any, last: dict[Any, Any]) -> dict[str, Any]:
    """Return what is written of a dataclass as plain values.

    Parameters
    ----------
    record : Written
        Whose fields are wanted.
    last : dict
        Of every field the value that a record before this one had, and what was made of it:
        it is taken again where both hold the same object, and kept here. Outcomes of a family
        share their words.
    """
    head, names = _layout(record.__class__)
    state: dict[str, Any] = dict(head)
    for name in names:
        value = getattr(record, name)
        kind = type(value)
        if kind in _PLAIN:
            state[name] = value
        elif kind is float:
            state[name] = value if math.isfinite(value) else None
        elif name in last and last[name][0] is value:
            state[name] = last[name][1]
        elif kind is not dict and isinstance(value, Written):
            state[name] = value._plain(last.setdefault((name, kind), {}))
        else:
            state[name] = to_plain(value)
            last[name] = value, state[name]
    return state


@cache  # of very many pairs, each asks again
def _layout(kind: Any) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return how the values of a class begin, and the names of the others."""
    if not kind._written:
        return {"type": kind.__name__}, names_of_fields(kind)
    if kind._written[0] != "type":
        return {}, kind._written
    declaring = next(each for each in kind.__mro__ if "_written" in vars(each))
    return {"type": declaring.__name__}, kind._written[1:]
