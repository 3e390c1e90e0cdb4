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
            check_fields(found)
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


def check_fields(found: Any) -> None:
    """Refuse a dataclass whose fields are of other types than it declares."""
    if not dataclasses.is_dataclass(found) or isinstance(found, type):
        return
    hints = hints_of(type(found))
    for item in dataclasses.fields(found):
        value = getattr(found, item.name)
        if not _matches(value, hints[item.name]):
            raise NotRestoredError(
                f"state is not a valid {type(found).__name__}: {item.name} is a "
                f"{type(value).__name__}, or holds what does not belong there."
            )
        if item.name == "n_resamples" and value is not None and value > _MOST_DRAWN:
            raise NotRestoredError(
                f"state is not a valid {type(found).__name__}: n_resamples={value} is more "
                f"than "
                f"{_MOST_DRAWN}."
            )


@cache  # of very many pairs, each asks again
def names_of_fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(item.name for item in dataclasses.fields(kind))


def with_nan(kind: type, state: Mapping[str, Any]) -> dict[str, Any]:
    """Turn None back into nan where a number is declared: JSON has no nan."""
    hints = hints_of(kind)
    return {
        name: math.nan
        if value is None and name in hints and not _matches(None, hints[name])
        and _matches(math.nan, hints[name])
        else value
        for name, value in state.items()
    }  # fmt: skip


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    return typing.get_type_hints(kind)


@cache
def _taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


# Of most values of a large report the first look says enough.
_PLAIN = frozenset({bool, float, int, str})


def _matches(value: Any, hint: Any) -> bool:
    """Whether a value is of a type, as far as annotations of this package go."""
    if hint is Any or (hint is type(value) and hint in _PLAIN):
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
    if isinstance(value, kind):
        check_fields(value)
        return True
    return False
