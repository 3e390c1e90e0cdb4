"""Restoring from ``to_dict()``; errors name what a dictionary should have been."""

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache, wraps
from numbers import Integral, Real
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

# More than anybody draws: a number in a file must not fill the memory.
_MOST_DRAWN = 100_000_000


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
            check_fields(found, {})
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


def check_fields(found: Any, last: dict[str, Any]) -> None:
    """Refuse a dataclass whose fields are of other types than it declares.

    Parameters
    ----------
    found : object
        What is checked.
    last : dict
        Values of a record before this one, by field: what is the same is not checked again.
    """
    if not dataclasses.is_dataclass(found) or isinstance(found, type):
        return
    kind = type(found)
    for name, hint, kinds in _types_of(kind):
        value = getattr(found, name)
        if type(value) in kinds or last.get(name, last) is value:
            continue
        last[name] = value
        if not _matches(value, hint):
            raise NotRestoredError(
                f"state is not a valid {kind.__name__}: {name} is a {type(value).__name__}, or "
                "holds what does not belong there."
            )
    drawn = getattr(found, "n_resamples", None)
    if drawn is not None and drawn > _MOST_DRAWN:
        raise NotRestoredError(
            f"state is not a valid {kind.__name__}: n_resamples={drawn} is more than "
            f"{_MOST_DRAWN}."
        )


@cache
def _types_of(kind: Any) -> list[tuple[str, Any, frozenset[type]]]:
    """Return the type of every field, and the classes of which all values are of it."""
    hints = hints_of(kind)
    return [(name, hints[name], _kinds_of(hints[name])) for name in names_of_fields(kind)]


@cache
def _kinds_of(hint: Any) -> frozenset[type]:
    """Return classes of which all values are of a type: of most values a look is enough."""
    if hint in (bool, int, float, str, type(None)):
        return frozenset({hint, int} if hint is float else {hint})
    if get_origin(hint) in (Union, types.UnionType):
        return frozenset().union(*map(_kinds_of, get_args(hint)))
    return frozenset({np.ndarray} if get_origin(hint) is np.ndarray else ())


@cache  # of very many pairs, each asks again
def names_of_fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(item.name for item in dataclasses.fields(kind))


def with_nan(kind: type, state: Mapping[str, Any]) -> dict[str, Any]:
    """Turn None back into nan where a number is declared: JSON has no nan."""
    numbers = _numbers_of(kind)
    return {
        name: math.nan if value is None and name in numbers else value
        for name, value in state.items()
    }


@cache
def _numbers_of(kind: type) -> frozenset[str]:
    """Return the names of the fields that are numbers, and never None."""
    hints = hints_of(kind).items()
    return frozenset(
        name for name, hint in hints if _matches(math.nan, hint) and not _matches(None, hint)
    )


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    return typing.get_type_hints(kind)


@cache
def _taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


def _matches(value: Any, hint: Any) -> bool:
    """Whether a value is of a type, as far as annotations of this package go."""
    if hint is Any or type(value) in _kinds_of(hint):
        return True
    if hint is None or hint is type(None):
        return value is None
    origin, inner = _taken_apart(hint)
    if origin in (Union, types.UnionType):
        return any(_matches(value, part) for part in inner)
    if origin is Literal:
        return isinstance(value, str | int | None) and value in inner
    if hint is float:
        return isinstance(value, Real) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if origin is tuple:
        if not isinstance(value, tuple | list):  # JSON has no tuples
            return False
        if inner[-1:] == (...,):
            return all(_matches(part, inner[0]) for part in value)
        return len(value) == len(inner) and all(map(_matches, value, inner))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(
            _matches(key, inner[0]) and _matches(part, inner[1]) for key, part in value.items()
        )
    kind = origin or hint
    if not isinstance(kind, type):
        return True
    if not isinstance(value, kind):
        return False
    if not hasattr(kind, "from_dict"):  # or else it was checked when it was read
        check_fields(value, {})
    return True
