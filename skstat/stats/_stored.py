"""Conversion of dataclasses to plain JSON values, and back by the types of their fields."""

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

# Larger numbers of draws are not restored: a number in a file must not fill the memory.
_MAX_DRAWN = 100_000_000
_PLAIN = frozenset({str, int, bool, type(None)})
_INFINITE = ("inf", "-inf")
_KINDS: dict[Any, Any] = {}  # classes that can be restored, by their names


@contextmanager
def restoring(what: str, state: Any) -> Iterator[None]:
    """Turn any error of restoring a `state` into a ValueError."""
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
    """Raise ValueError unless the version of the schema is known."""
    version = state["schema_version"]
    if type(version) is not int or not 1 <= version <= newest:
        raise ValueError(f"schema_version is {version!r}, not 1 to {newest}; update skstat.")


@cache  # called for each of very many pairs
def names_of_fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(item.name for item in fields(kind))


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    return typing.get_type_hints(kind)


# --- written ---


def to_plain(value: Any) -> Any:
    """Convert values to what JSON can hold: nan to None, infinity to ``"inf"``."""
    kind = type(value)  # enough for most values
    if kind in _PLAIN:
        return value
    if isinstance(value, float):
        finite = float(value) if math.isfinite(value) else repr(float(value))
        return None if finite == "nan" else finite
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isfinite(value).all():
        return value.tolist()  # fast, for arrays of draws
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
    """Return the stored fields of a dataclass as plain values, the name of its class first."""
    name, names = _layout(record.__class__)
    return {"type": name} | {name: to_plain(getattr(record, name)) for name in names}


@cache  # called for each of very many pairs
def _layout(kind: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name that a class is stored under, and the names of what is stored."""
    for base in kind.__mro__:
        if "_written" in vars(base):
            return base.__name__, base._written
    names = names_of_fields(kind)
    if not issubclass(kind, Written):
        return kind.__name__, names
    return kind.__name__, (*kind._extra, *(n for n in names if n not in kind._not_written))


class Written:
    """A dataclass that is stored as plain values: the name of its class, then its fields.

    `_not_written` names fields that are left out, and `_extra` properties that are stored too;
    or `_written` names all that is stored of a class and its subclasses, fields or properties.
    Of a class with `_written_as`, the value of that attribute is stored in place of the object.
    The types of the fields say how they are restored: those with a default may be missing, and
    other entries are ignored. `_fields_of` converts the stored state to plain values of the
    fields, where the two differ.
    """

    _not_written: ClassVar[tuple[str, ...]] = ()
    _extra: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        _KINDS[cls.__name__] = cls

    def __getstate__(self) -> dict[str, Any]:
        # Copies and other processes get the fields, lazy ones computed, and cached attributes
        # that can be stored. Other cached attributes are computed again: they may hold objects
        # that cannot be pickled.
        kind: Any = type(self)
        extra = {key: value for key, value in vars(self).items() if isinstance(value, Written)}
        return extra | {name: getattr(self, name) for name in names_of_fields(kind)}

    def to_dict(self) -> dict[str, Any]:
        """Return the stored fields as plain values; nan becomes None, infinity ``"inf"``."""
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
    def of_checked(cls, **values: Any) -> Self:
        """Create an instance from values that were checked already."""
        record = object.__new__(cls)
        vars(record).update(values)
        return record

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        """Return the plain values of the fields, from the stored state."""
        return state


class Stored(Written):
    """A dataclass that is stored as plain values, and that users restore from them."""

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore an object from its ``to_dict()``, also after a round trip through JSON.

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
# Numbers of one comparison, arrays of them for many, or objects that hold them.
if TYPE_CHECKING:
    Number = Any
    NumberOrNone = Any
else:
    Number = float | bool | np.ndarray | Written
    NumberOrNone = Number | None


# --- read ---


class _MisplacedError(ValueError):
    """The type of a value is not that of its field."""


def restored(kind: Any, state: Mapping[str, Any]) -> Any:
    """Create a dataclass from the plain values of its fields."""
    values = {}
    for name in [name for name in names_of_fields(kind) if name in state]:
        try:
            values[name] = read_plain(state[name], hints_of(kind)[name])
        except _MisplacedError:
            got = type(state[name]).__name__
            raise ValueError(f"{name} of {kind.__name__} cannot be this {got}.") from None
    n_drawn = values.get("n_resamples")
    if n_drawn is not None and n_drawn > _MAX_DRAWN:
        raise ValueError(f"n_resamples={n_drawn} is more than {_MAX_DRAWN}.")
    return kind(**values)


def read_plain(value: Any, hint: Any = Any) -> Any:
    """Convert a plain value to a type, for the annotations that this package uses.

    Values of that type are returned as they are. Without a type (``Any``), a mapping with the
    name of a class is restored as that class.
    """
    kind, inner = get_origin(hint) or hint, get_args(hint)
    kind = get_origin(getattr(kind, "__value__", None)) or kind  # of an alias, as NDArray
    if kind in (typing.Union, types.UnionType):
        if value is None and type(None) in inner:
            return None
        for option in inner:
            with suppress(_MisplacedError):
                return read_plain(value, option)
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
    """Convert a list to an array, a tuple or a mapping, by the type of its field."""
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
        hints = inner if kind is tuple else hints_of(kind).values()
        parts = [read_plain(*pair) for pair in zip(value, hints, strict=True)]
        return tuple(parts) if kind is tuple else kind(*parts)
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return dict(read_plain(part, tuple[inner]) for part in value)  # type: ignore[valid-type]
    raise _MisplacedError


def _matches(value: Any, kind: Any, inner: Sequence[Any]) -> bool:
    """Whether a value that needs no conversion is of a type."""
    if kind is Literal:
        return isinstance(value, str | int | None) and value in inner
    if kind in (float, int):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    return kind is Any or not isinstance(kind, type) or isinstance(value, kind)


class SuggestsNames:
    """Mixin whose AttributeError suggests similar names, its own or those of one part."""

    def _part(self) -> tuple[str, Any] | None:
        """Return name and value of an attribute whose attributes are suggested too, or None."""
        return None

    if not TYPE_CHECKING:  # a type checker would take any name for granted

        def __getattr__(self, name: str) -> Any:
            # Protocols look up names with underscores, also before there are any fields. A
            # property of the class that failed raises its own error again.
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)
            raise NoSuchAttributeError(name=name, obj=self)


class NoSuchAttributeError(AttributeError):
    """Error that computes its suggestion when it is shown, as `hasattr` does not need one."""

    obj: "SuggestsNames"

    def __str__(self) -> str:
        owner, kind, name = self.obj, type(self.obj).__name__, str(self.name)
        matches, (how, part) = meant_by(name, _public(owner), n=2), owner._part() or ("", None)
        in_part = meant_by(name, _public(part), n=1)
        if in_part and (in_part == [name] or not matches):
            hint = f"{how}.{_spelled(part, in_part[0])}"
        elif matches:
            hint = " or ".join(_spelled(owner, near) for near in matches)
        else:
            return f"{kind!r} object has no attribute {name!r}"
        article = "an" if kind[0] in "AEIOU" else "a"
        return f"{article} {kind} has no {name!r}; use {hint}."

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


def _public(value: Any) -> set[str]:
    stored = {item.name for item in fields(value)} if is_dataclass(value) else set()
    return {name for name in {*dir(type(value)), *stored} if not name.startswith("_")}


def _spelled(value: Any, name: str) -> str:
    return f"{name}()" if callable(getattr(type(value), name, None)) else name
