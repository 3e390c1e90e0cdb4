"""How a dataclass is read from its plain values: by the types of its fields."""

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, wraps
from numbers import Integral, Real
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

import numpy as np

from skstat._spelling import meant_by

F = TypeVar("F", bound=Callable[..., Any])

# More than anybody draws: a number in a file must not fill the memory.
_MOST_DRAWN = 100_000_000

_PLAIN = frozenset({str, int, bool, type(None)})

Reader = Callable[[Any], Any]
Readers = Mapping[str, Reader]


class NotRestoredError(ValueError):
    """A dictionary is not what ``to_dict()`` wrote."""


def restoring(function: F) -> F:
    """Make a function of a dictionary refuse what ``to_dict()`` cannot have written.

    Whatever goes wrong inside is a ValueError that says what the dictionary is not, and
    why. The fields of what is restored have the types that its class declares.
    """
    named = function.__qualname__.removesuffix("_from_dict")

    @wraps(function)
    def asked(*args: Any, **kwargs: Any) -> Any:
        state = kwargs["state"] if "state" in kwargs else args[-1]
        owner: Any = args[0] if args and isinstance(args[0], type) else None
        what = named if owner is None else owner._family.__name__
        if not isinstance(state, Mapping):
            raise NotRestoredError(
                f"state is not a valid {what}: it must be the dictionary that to_dict() "
                f"returned, got "
                f"{type(state).__name__}."
            )
        try:
            if newest := getattr(owner, "_schema_version", None):
                check_version(state, newest)
            found = function(*args, **kwargs)
        except NotRestoredError:
            raise
        except KeyError as error:
            raise NotRestoredError(
                f"state is not a valid {what}: {error} is missing."
            ) from error
        except RecursionError as error:
            raise NotRestoredError(
                f"state is not a valid {what}: it is nested too deeply."
            ) from error
        except _WRONG as error:
            raise NotRestoredError(
                f"state is not a {what} as written by to_dict(): {error}"
            ) from error
        return found

    return asked  # type: ignore[return-value]


def check_version(state: Mapping[str, Any], newest: int) -> None:
    """Refuse what another version of the schema than those that are known has written."""
    version = state["schema_version"]
    if type(version) is not int or version < 1:
        raise NotRestoredError(
            f"schema_version is {version!r}; it must be a whole number from 1 to {newest}."
        )
    if version > newest:
        raise NotRestoredError(
            f"this report has schema version {version}, newer than {newest}; update skstat to "
            "read it."
        )


_WRONG = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    StopIteration,
    TypeError,
    ValueError,
)


@cache  # of very many pairs, each asks again
def names_of_fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(item.name for item in dataclasses.fields(kind))


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    return typing.get_type_hints(kind)


class _MisplacedError(Exception):
    """A value is of another type than its field."""


def read_plain(value: Any, hint: Any) -> Any:
    """Turn a plain value into one of a type, as far as annotations of this package go.

    What is of the type already stays. None is nan where a number is declared: JSON has no nan.
    """
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return _read_either(value, inner)
    if kind is float and value is None:
        return math.nan
    if isinstance(value, list | tuple):  # JSON has no tuples
        if kind is tuple and inner[-1:] == (...,):
            return tuple(read_plain(part, inner[0]) for part in value)
        if kind is tuple or hasattr(kind, "_fields"):
            each = inner if kind is tuple else hints_of(kind).values()
            parts = [read_plain(*pair) for pair in zip(value, each, strict=True)]
            return tuple(parts) if kind is tuple else kind(*parts)
    if isinstance(value, list):
        if kind is Sequence:
            return tuple(read_plain(part, inner[0]) for part in value)
        if kind is np.ndarray:
            return np.array(value, dtype=float)
    if isinstance(value, Mapping) and isinstance(kind, type):
        if issubclass(kind, Stored):
            return kind._read(value)
        if inner and issubclass(kind, Mapping):
            names, parts = inner
            return {read_plain(k, names): read_plain(v, parts) for k, v in value.items()}
    if not _matches(value, kind, inner):
        raise _MisplacedError
    return value


def _read_either(value: Any, hints: Sequence[Any]) -> Any:
    if value is None and type(None) in hints:
        return None
    for hint in hints:
        with suppress(_MisplacedError):
            return read_plain(value, hint)
    raise _MisplacedError


def _matches(value: Any, kind: Any, inner: Sequence[Any]) -> bool:
    """Whether a value that needs no reading is of a type."""
    if kind is Literal:
        return isinstance(value, str | int | None) and value in inner
    if kind in (float, int):
        numbers = Real if kind is float else Integral
        return isinstance(value, numbers) and not isinstance(value, bool)
    if kind is bool:
        return isinstance(value, bool | np.bool_)
    return kind is Any or not isinstance(kind, type) or isinstance(value, kind)


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
        return self._plain()

    def _plain(self) -> dict[str, Any]:
        return plain_fields(self)


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


def plain_fields(record: Any) -> dict[str, Any]:
    """Return what is written of a dataclass as plain values."""
    head, names = _layout(record.__class__)
    return head | {name: to_plain(getattr(record, name)) for name in names}


@cache  # of very many pairs, each asks again
def _layout(kind: Any) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return how the values of a class begin, and the names of the others."""
    if not kind._written:
        return {"type": kind.__name__}, names_of_fields(kind)
    if kind._written[0] != "type":
        return {}, kind._written
    declaring = next(each for each in kind.__mro__ if "_written" in vars(each))
    return {"type": declaring.__name__}, kind._written[1:]


class Stored(Written):
    """A dataclass that is written as plain values, and read back from them.

    The types of its fields say how they are read; those with a default may be missing. What
    types do not say, a class declares:

    - `_readers`: what is done to the plain values of single fields first.
    - `_by_name`: whether what is written beside the fields is passed over; otherwise the class
      must know all that is there.
    - `_fields_of`: the plain values of the fields, where they are written in another way.
    - `_kind_of`: the class that is written under a name.
    """

    _readers: ClassVar[Readers] = {}
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
        return cls._read(state)

    @classmethod
    def _read(cls, state: Mapping[str, Any]) -> Self:
        given = dict(state)
        kind: Any = cls
        if not (cls._by_name or cls._written):
            kind = cls._kind_of(given.pop("type"))
        found: Self = restored(kind, kind._fields_of(given))
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


def restored(kind: Any, given: Mapping[str, Any]) -> Any:
    """Make a dataclass of the plain values of its fields."""
    readers, by_name = getattr(kind, "_readers", {}), getattr(kind, "_by_name", False)
    found = {} if by_name else dict(given)
    for item in dataclasses.fields(kind):
        name = item.name
        if name not in given:
            if item.init and item.default is item.default_factory is MISSING:
                raise KeyError(name)
            continue
        value = readers[name](given[name]) if name in readers else given[name]
        try:
            found[name] = read_plain(value, hints_of(kind)[name])
        except _MisplacedError:
            raise NotRestoredError(
                f"state is not a valid {kind.__name__}: {name} is a {type(value).__name__}, or "
                "holds what does not belong there."
            ) from None
    drawn = found.get("n_resamples")
    if drawn is not None and drawn > _MOST_DRAWN:
        raise NotRestoredError(
            f"state is not a valid {kind.__name__}: n_resamples={drawn} is more than "
            f"{_MOST_DRAWN}."
        )
    return kind(**found)


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


class MeansNames:
    """Has an AttributeError say which name is meant, or which part of it has the name."""

    def _part(self) -> tuple[str, Any] | None:
        """How one part of it is asked for, and the part, where it has any."""
        return None

    if not TYPE_CHECKING:  # a type checker would take any name for granted

        def __getattr__(self, name: str) -> Any:
            # Protocols ask for names with underscores, also before there are any fields;
            # what the class has raised an error of its own.
            if name.startswith("_") or any(name in vars(kind) for kind in type(self).__mro__):
                return object.__getattribute__(self, name)
            raise NoSuchAttributeError(name=name, obj=self)


class NoSuchAttributeError(AttributeError):
    """Says which name is meant once it is read: `hasattr` and `getattr` never read it."""

    obj: "MeansNames"

    def __str__(self) -> str:
        kind = type(self.obj).__name__
        hint = _hint(self.obj, str(self.name))
        if not hint:
            return f"{kind!r} object has no attribute {self.name!r}"
        article = "an" if kind[0] in "AEIOU" else "a"
        return f"{article} {kind} has no {self.name!r}; use {hint}."

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


def _hint(asked: MeansNames, name: str) -> str:
    """Name what is meant: of the object itself, else of a part of it; empty if nothing is."""
    own = meant_by(name, _public(asked), n=2)
    part = asked._part()
    if part is not None:
        how, other = part
        there = _public(other)
        meant = name if name in there else next(iter(meant_by(name, there, n=1)), None)
        if meant == name or (meant is not None and not own):
            return f"{how}.{_called(other, meant)}"
    return " or ".join(_called(asked, near) for near in own)


def _public(value: Any) -> set[str]:
    stored = {item.name for item in fields(value)} if is_dataclass(value) else set()
    return {name for name in {*dir(type(value)), *stored} if not name.startswith("_")}


def _called(value: Any, name: str) -> str:
    return f"{name}()" if callable(getattr(type(value), name, None)) else name
