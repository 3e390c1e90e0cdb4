"""How a dataclass is read from its plain values: by the types of its fields."""

import math
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Self, Union, get_args, get_origin

import numpy as np

from skstat.stats._common.restoring import check_fields, hints_of, names_of_fields, restoring
from skstat.stats._common.written import Written

Reader = Callable[[Any], Any]
Readers = Mapping[str, Reader]
PartReader = Callable[[Any, dict[Any, Any]], Any]  # it also gets what was read before


class Stored(Written):
    """A dataclass that is written as plain values, and read back from them.

    The types of its fields say how they are read. What they do not say, a class declares:

    - `_readers`: how single fields are read.
    - `_newer`: fields that earlier versions did not write, or that are never written.
    - `_by_name`: whether what is written beside the fields is passed over; otherwise the class
      must know all that is there, and fields with a default may be missing.
    - `_fields_of`: the plain values of the fields, where they are written in another way.
    - `_kind_of`: the class that is written under a name.
    """

    _readers: ClassVar[Readers] = {}
    _newer: ClassVar[frozenset[str]] = frozenset()
    _by_name: ClassVar[bool] = False
    _family: ClassVar[type["Stored"]]  # the class that the others of its kind derive from

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if Stored in cls.__bases__:
            cls._family = cls

    @classmethod
    @restoring
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore it from its ``to_dict()``, which may have been written to JSON and read.

        Parameters
        ----------
        state : mapping
            What ``to_dict()`` returned.

        Returns
        -------
        same type
            An equal object; of an abstract class one of the class that was written.

        Raises
        ------
        ValueError
            If `state` is not what ``to_dict()`` can have written.
        """
        return cls._read(state, {})

    @classmethod
    def _read(cls, state: Mapping[str, Any], last: dict[Any, Any]) -> Self:
        """Restore a record; what is the same object as in one before it is read once.

        Parameters
        ----------
        state : mapping
            The plain values.
        last : dict
            What was read of records before this one.
        """
        given = dict(state)
        kind: Any = cls
        if not (cls._by_name or cls._written):
            name = given.pop("type")
            if name not in last:
                last[name] = cls._kind_of(name)
            kind = last[name]
        given = kind._fields_of(given)
        names = names_of_fields(kind)
        if kind._by_name:
            needed = [name for name in names if name in given or name not in kind._newer]
            given = {name: given[name] for name in needed}
        for name, read in _readers_of(kind).items():
            of_all = name in names_of_fields(kind._family) and name not in kind._newer
            if name in given or of_all:
                value, before = given[name], last.setdefault((kind, name), _Before())
                if before.value is not value:
                    before.value, before.found = value, read(value, before.parts)
                given[name] = before.found
        found: Self = kind(**given)
        check_fields(found, last.setdefault(kind, {}))
        return found

    @classmethod
    def _kind_of(cls, name: Any) -> Any:
        """Return the class that is written under a name."""
        for kind in (cls, *subclasses_of(cls)):
            if kind.__name__ == name:
                return kind
        article = "an" if cls.__name__[0] in "AEIOU" else "a"
        raise ValueError(f"the state is not that of {article} {cls.__name__}.")

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        """Return the plain values of the fields, of what was written."""
        return state


def subclasses_of(cls: type) -> list[type]:
    """Return all subclasses, those of subclasses too."""
    direct: list[type] = cls.__subclasses__()
    return direct + [deeper for child in direct for deeper in subclasses_of(child)]


def from_plain(number: float | None, absent: float = math.nan) -> float:
    """Turn None, which :func:`to_plain` writes for what is not finite, into a number."""
    return absent if number is None else number


def numbers_of(values: Iterable[Any]) -> tuple[float, ...]:
    """Turn None into nan in a row of numbers."""
    return tuple(map(from_plain, values))


def numbers_by_name(values: Mapping[str, Any]) -> dict[str, float]:
    """Turn None into nan in a mapping of numbers."""
    return {name: from_plain(value) for name, value in values.items()}


def tuple_of_list(values: Any) -> Any:
    """Turn a list into a tuple; what is none is left to the check of the types."""
    return tuple(values) if isinstance(values, list) else values


class _Before:
    """What was read of a field before: of which value, and what was made of its parts."""

    def __init__(self) -> None:
        self.value: Any = self  # no value is the same
        self.found: Any = None
        self.parts: dict[Any, Any] = {}


@cache
def _readers_of(kind: Any) -> dict[str, PartReader]:
    """Return how the fields of a class are read whose values are not plain."""
    hints = hints_of(kind)
    found = {
        name: _alone(kind._readers[name]) if name in kind._readers else _reader(hints[name])
        for name in names_of_fields(kind)
    }
    return {name: read for name, read in found.items() if read is not None}


def _alone(read: Reader) -> PartReader:
    return lambda value, last: read(value)


def _reader(hint: Any) -> PartReader | None:
    """Return how a plain value becomes one of a type; None where it is one.

    What belongs to no such type raises an error here, or is left as it is: the types of all
    fields are checked in the end.
    """
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in (Union, types.UnionType):
        return _reader_of_either(inner)
    if not isinstance(origin, type):
        return None
    if issubclass(origin, Stored):
        return origin._read
    if issubclass(origin, np.ndarray):
        return _alone(lambda values: np.array([*map(from_plain, values)], dtype=float))
    if origin is tuple or origin is Sequence:
        each = _reader(inner[0])
        if each is None:
            return _alone(tuple)
        return lambda values, last: tuple(each(value, last) for value in values)
    return None


def _reader_of_either(hints: Sequence[Any]) -> PartReader | None:
    for hint in hints:
        if get_origin(hint) is tuple:
            return _alone(tuple_of_list)
        if (read := _reader(hint)) is not None:
            return lambda value, last: read(value, last) if value else None
    return None
