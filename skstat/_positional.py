"""Calls that other packages have taught, brought to the one form that a function takes.

``f(a, b, X, y)`` for ``f([a, b], X, y)``, and the other way round. Estimators have ``fit``,
arrays have a length; what is neither, such as a metric's name, is left to the function to
refuse.
"""

import functools
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
Call = tuple[tuple[Any, ...], dict[str, Any]]
Reader = Callable[[str, tuple[Any, ...], dict[str, Any]], Call]


def reads(*readers: Reader) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function be called in the ways that readers know."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            given: Call = (args, dict(kwargs))
            for reader in readers:
                given = reader(function.__name__, *given)
            return function(*given[0], **given[1])

        return call

    return decorate


def estimators_one_by_one(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Put leading estimators, where they are two or more, into one list."""
    count = next((i for i, arg in enumerate(args) if not _is_estimator(arg)), len(args))
    return (args if count < 2 else ([*args[:count]], *args[count:])), kwargs


def estimators_together(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Take the two estimators out of one mapping or list."""
    if not args or not _holds_estimators(args[0]):
        return args, kwargs
    found = list(args[0].items()) if isinstance(args[0], Mapping) else list(args[0])
    if len(found) != 2:
        raise ValueError(
            f"{name} compares two estimators, got {len(found)}. compare_estimators takes any "
            "number."
        )
    return (*found, *args[1:]), kwargs


def predictions_one_by_one(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Put predictions after the truth, arrays or (name, array), into one mapping."""
    if len(args) == 2 and _holds_pairs(args[1]):
        return (args[0], _named(args[1])), kwargs
    if len(args) > 2 and all(map(_is_series, args[1:])):
        return (args[0], _named(args[1:])), kwargs
    return args, kwargs


def predictions_together(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Take the predictions of two systems out of one mapping, frame or list of pairs."""
    if len(args) != 2:
        return args, kwargs
    given = args[1]
    if isinstance(given, Mapping):
        found = list(given.items())
    elif hasattr(given, "columns"):
        found = [(column, given[column]) for column in given.columns]
    elif _holds_pairs(given):
        found = list(given)
    else:
        return args, kwargs
    if len(found) != 2:
        raise ValueError(
            f"{name} compares two systems, got {len(found)}. compare_predictions takes any "
            "number."
        )
    return (args[0], *((str(label), values) for label, values in found)), kwargs


def systems_after_two(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Put predictions into one mapping, where they are more than two."""
    return predictions_one_by_one(name, args, kwargs) if len(args) > 3 else (args, kwargs)


def table_alone(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Take an only argument for the table of counts."""
    if len(args) == 1 and not {"y_true", "a", "b", "table"} & set(kwargs):
        return (), {**kwargs, "table": args[0]}
    return args, kwargs


def counts_alone(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Take two whole numbers for successes and rows, and a third number for the constant."""
    numbers = [_is_number(arg, Integral) for arg in args[:2]] + [
        _is_number(arg, Real) for arg in args[2:]
    ]
    if len(args) in (2, 3) and all(numbers):
        named = dict(zip(("successes", "n", "constant"), args, strict=False))
        if not set(named) & set(kwargs):
            return (), {**kwargs, **named}
    return args, kwargs


def scores_one_by_one(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Put scores of several systems, arrays or (name, array), into one mapping."""
    if len(args) == 1 and _holds_pairs(args[0]):
        return (_named(args[0]),), kwargs
    if len(args) < 2 or not all(map(_is_series, args)):
        return args, kwargs
    names = kwargs.get("names")
    if names is None:
        return (_named(args),), kwargs
    if isinstance(names, str) or len(names) != len(args):
        raise ValueError(f"names={names!r} must be {len(args)} labels, one for each system.")
    named = [(str(label), values) for label, values in zip(names, args, strict=True)]
    return (_named(named),), {key: value for key, value in kwargs.items() if key != "names"}


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "fit") or (_is_pair(value) and hasattr(value[1], "fit"))


def _is_pair(value: Any) -> bool:
    """Whether something is a name, and what is called so."""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and isinstance(value[0], str)
        and not isinstance(value[1], str)
    )


def _holds_estimators(value: Any) -> bool:
    if hasattr(value, "fit") or _is_pair(value):
        return False
    if isinstance(value, Mapping):
        return all(hasattr(estimator, "fit") for estimator in value.values())
    return isinstance(value, list | tuple) and all(map(_is_estimator, value))


def _holds_pairs(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(map(_is_pair, value))


def _is_series(value: Any) -> bool:
    """Whether something holds one value per row, or a name and such values."""
    if _is_pair(value):
        value = value[1]
    if isinstance(value, str | bytes | Mapping) or hasattr(value, "columns"):
        return False
    return hasattr(value, "__len__") or hasattr(value, "__array__")


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _named(values: Any) -> dict[str, Any]:
    """Return values by their names, or by letters in their order where they have none."""
    found: dict[str, Any] = {}
    for place, value in enumerate(values):
        label = chr(ord("A") + place) if place < 26 else f"system {place}"
        label, series = value if _is_pair(value) else (label, value)
        if label in found:
            raise ValueError(f"the name {label!r} is there twice; rename one.")
        found[label] = series
    return found
