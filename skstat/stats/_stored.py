"""Dataclasses to plain JSON values, and back by the types of their fields."""

import math
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from skstat._spelling import meant_by

# More than anybody draws: a number in a file must not fill the memory.
_MOST_DRAWN = 100_000_000
_PLAIN = frozenset({str, int, bool, type(None)})
_INFINITE = ("inf", "-inf")
_KINDS: dict[Any, Any] = {}  # what can be read, by the name that it is written under


@contextmanager
def restoring(what: str, state: Any) -> Iterator[None]:
    """Refuse what ``to_dict()`` cannot have written: whatever goes wrong is a ValueError."""
    try:
        if not isinstance(state, Mapping):
            got = type(state).__name__
            raise TypeError(f"it must be the dictionary that to_dict() returned, got {got}.")
        yield
    except (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError,
            RuntimeError, TypeError, ValueError) as error:  # fmt: skip
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise ValueError(f"state is not a valid {what}: {why}") from error


def check_version(state: Mapping[str, Any], newest: int) -> None:
    """Refuse what another version of the schema than those that are known has written."""
    version = state["schema_version"]
    if type(version) is not int or not 1 <= version <= newest:
        raise ValueError(f"schema_version is {version!r}, not 1 to {newest}; update skstat.")


@cache  # of very many pairs, each asks again
def names_of_fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(item.name for item in fields(kind))


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    return typing.get_type_hints(kind)


# --- written ---


def to_plain(value: Any) -> Any:
    """Turn values into what JSON can hold: nan is None, what is infinite ``"inf"``."""
    kind = type(value)  # decides most values, and quickly
    if kind in _PLAIN:
        return value
    if isinstance(value, float):
        finite = float(value) if math.isfinite(value) else repr(float(value))
        return None if finite == "nan" else finite
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isfinite(value).all():
        return value.tolist()  # draws are many: not one by one
    if isinstance(value, np.ndarray | np.generic):
        return to_plain(value.tolist())
    if kind is tuple or kind is list:
        return [item if type(item) in _PLAIN else to_plain(item) for item in value]
    if isinstance(value, Mapping):
        if tuple in map(type, value):  # names of pairs
            return [[to_plain(key), to_plain(item)] for key, item in value.items()]
        return {str(key): to_plain(item) for key, item in value.items()}
    if name := getattr(kind, "_written_as", ""):
        return to_plain(getattr(value, name))
    if hasattr(kind, "_plain"):
        return value._plain()
    if is_dataclass(value):
        return plain_fields(value)
    return [*map(to_plain, value)] if isinstance(value, tuple) else value


def plain_fields(record: Any) -> dict[str, Any]:
    """Return what is written of a dataclass as plain values: the name of its class first."""
    name, names = _layout(record.__class__)
    return {"type": name} | {name: to_plain(getattr(record, name)) for name in names}


@cache  # of very many pairs, each asks again
def _layout(kind: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name that a class is written under, and the names of what is written of it."""
    for each in kind.__mro__:
        if "_written" in vars(each):
            return each.__name__, each._written
    names = names_of_fields(kind)
    if not issubclass(kind, Written):
        return kind.__name__, names
    return kind.__name__, (*kind._extra, *(n for n in names if n not in kind._not_written))


class Written:
    """A dataclass that is written as plain values: the name of its class, then its fields.

    A class names in `_not_written` fields that are left out, and in `_extra` properties that
    are written too; or in `_written` all that is written of it, fields or properties, and of
    its subclasses. Of a class with `_written_as`, the value of that attribute is written in
    place of the object. The types of the fields say how they are read: those with a default
    may be missing, and other entries are ignored. `_fields_of` returns the plain values of
    the fields, where these are written in another way.
    """

    _not_written: ClassVar[tuple[str, ...]] = ()
    _extra: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        _KINDS[cls.__name__] = cls

    def __getstate__(self) -> dict[str, Any]:
        # Copies and other processes get the fields, lazy ones computed, and cached attributes
        # that can be written. Other cached attributes are computed again: they may hold what
        # cannot be pickled.
        kind: Any = type(self)
        extra = {name: own for name, own in vars(self).items() if isinstance(own, Written)}
        return extra | {name: getattr(self, name) for name in names_of_fields(kind)}

    def to_dict(self) -> dict[str, Any]:
        """Return what is stored as plain values; nan becomes None, infinity ``"inf"``."""
        return dict(to_plain(self))

    def _plain(self) -> dict[str, Any]:
        return plain_fields(self)

    @classmethod
    def _read(cls, state: Mapping[str, Any]) -> Any:
        kind = _KINDS.get(name := state["type"])
        if kind is None:
            raise ValueError(f"{name!r} is unknown; import the module that defines it.")
        if not issubclass(kind, cls):
            raise _MisplacedError(f"{name!r} is not a {cls.__name__}.")
        return restored(kind, kind._fields_of(dict(state)))

    @classmethod
    def of_checked(cls, **given: Any) -> Self:
        """Make one of parts that were checked: nothing is looked at again."""
        record = object.__new__(cls)
        vars(record).update(given)
        return record

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        """Return the plain values of the fields, of what was written."""
        return state


class Stored(Written):
    """A dataclass that is written as plain values, and that users read back from them."""

    @classmethod
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
        with restoring(cls.__name__, state):
            result: Self = cls._read(state)
        return result


Numbers = NDArray[np.float64]
# Numbers of one comparison, of many by their arrays, or what has them.
if TYPE_CHECKING:
    Number = Any
    NumberOrNone = Any
else:
    Number = float | bool | np.ndarray | Written
    NumberOrNone = Number | None


# --- read ---


class _MisplacedError(ValueError):
    """A value is of another type than its field."""


def restored(kind: Any, given: Mapping[str, Any]) -> Any:
    """Make a dataclass of the plain values of its fields."""
    values = {}
    for name in filter(given.__contains__, names_of_fields(kind)):
        try:
            values[name] = read_plain(given[name], hints_of(kind)[name])
        except _MisplacedError:
            got = type(given[name]).__name__
            raise ValueError(f"{name} of {kind.__name__} cannot be this {got}.") from None
    drawn = values.get("n_resamples")
    if drawn is not None and drawn > _MOST_DRAWN:
        raise ValueError(f"n_resamples={drawn} is more than {_MOST_DRAWN}.")
    return kind(**values)


def read_plain(value: Any, hint: Any = Any) -> Any:
    """Turn a plain value into one of a type, as far as annotations of this package go.

    What is of the type already stays. Where no type is declared, what was written of a class
    says its name.
    """
    kind, inner = get_origin(hint) or hint, get_args(hint)
    kind = get_origin(getattr(kind, "__value__", None)) or kind  # of an alias, as NDArray
    if kind in (typing.Union, types.UnionType):
        if value is None and type(None) in inner:
            return None
        for each in inner:
            with suppress(_MisplacedError):
                return read_plain(value, each)
        raise _MisplacedError
    if kind is float and value is None:
        return math.nan
    if kind is float and isinstance(value, str) and value in _INFINITE:
        return float(value)
    if isinstance(value, list | tuple):  # JSON has no tuples
        return _read_row(value, kind, inner)
    if isinstance(value, Mapping):
        if kind is Any:
            if isinstance(value.get("type"), str):
                return Written._read(value)
            return {name: read_plain(part) for name, part in value.items()}
        if hasattr(kind, "_read"):
            return kind._read(value, *inner)
        if inner and issubclass(kind, Mapping):
            names, parts = inner
            return {read_plain(k, names): read_plain(v, parts) for k, v in value.items()}
    if not _matches(value, kind, inner):
        raise _MisplacedError
    return value


def _read_row(value: Sequence[Any], kind: Any, inner: Sequence[Any]) -> Any:
    """Read a list, as what stands in its place: an array, a tuple, or a mapping of tuples."""
    if kind is Any:
        of_classes = value and isinstance(value[0], Mapping)
        return tuple(map(read_plain, value)) if of_classes else value
    if kind is np.ndarray:
        array = np.array(value)  # of infinities and of what is missing as texts, or None
        return array.astype(float) if array.dtype.kind in "OU" else array
    if kind is Sequence or (kind is tuple and inner[-1:] == (...,)):
        if {*map(type, value)} == {inner[0]}:  # columns are long
            return tuple(value)
        return tuple(read_plain(part, inner[0]) for part in value)
    if kind is tuple or hasattr(kind, "_fields"):
        each = inner if kind is tuple else hints_of(kind).values()
        parts = [read_plain(*pair) for pair in zip(value, each, strict=True)]
        return tuple(parts) if kind is tuple else kind(*parts)
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return dict(read_plain(part, tuple[inner]) for part in value)  # type: ignore[valid-type]
    raise _MisplacedError


def _matches(value: Any, kind: Any, inner: Sequence[Any]) -> bool:
    """Whether a value that needs no reading is of a type."""
    if kind is Literal:
        return isinstance(value, str | int | None) and value in inner
    if kind in (float, int):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    return kind is Any or not isinstance(kind, type) or isinstance(value, kind)


class SuggestsNames:
    """Mixin whose AttributeError suggests a similar name, or the part that has the name."""

    def _part(self) -> tuple[str, Any] | None:
        """Name and value of an attribute whose own attributes are suggested too, or None."""
        return None

    if not TYPE_CHECKING:  # a type checker would take any name for granted

        def __getattr__(self, name: str) -> Any:
            # Protocols ask for names with underscores, also before there are any fields;
            # what the class has raised an error of its own.
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)
            raise NoSuchAttributeError(name=name, obj=self)


class NoSuchAttributeError(AttributeError):
    """Computes its suggestion when it is shown: `hasattr` and `getattr` never need it."""

    obj: "SuggestsNames"

    def __str__(self) -> str:
        owner, kind, name = self.obj, type(self.obj).__name__, str(self.name)
        own, (how, part) = meant_by(name, _public(owner), n=2), owner._part() or ("", None)
        there = meant_by(name, _public(part), n=1)
        if there and (there == [name] or not own):
            hint = f"{how}.{_called(part, there[0])}"
        elif own:
            hint = " or ".join(_called(owner, near) for near in own)
        else:
            return f"{kind!r} object has no attribute {name!r}"
        article = "an" if kind[0] in "AEIOU" else "a"
        return f"{article} {kind} has no {name!r}; use {hint}."

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


def _public(value: Any) -> set[str]:
    stored = {item.name for item in fields(value)} if is_dataclass(value) else set()
    return {name for name in {*dir(type(value)), *stored} if not name.startswith("_")}


def _called(value: Any, name: str) -> str:
    return f"{name}()" if callable(getattr(type(value), name, None)) else name
