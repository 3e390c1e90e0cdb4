"""What was found of A against B, as of B against A."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np


class Later:
    """A value that `compute` gives when somebody reads it."""

    def __init__(self, compute: Callable[[], Any]) -> None:
        self.compute = compute


class WhenAsked:
    """A field of a dataclass that may hold a :class:`Later`, and is read as its value.

    What is computed takes the place of the promise, so that it is computed once.

    Parameters
    ----------
    default : object, optional
        Default of the field; without one it must be given.
    """

    def __init__(self, *default: Any) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:  # a dataclass asks for the default
            if not self._default:
                raise AttributeError(self._name)
            return self._default[0]
        value = instance.__dict__[self._name]
        if isinstance(value, Later):
            value = instance.__dict__[self._name] = value.compute()
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self._name] = value


OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def negated(value: Any) -> Any:
    """Change the sign of a number or an array; None stays."""
    if value is None:
        return None
    return 0.0 - (np.asarray(value, dtype=float) if np.ndim(value) else value)


def _reversed(value: Any) -> Any:
    kind = type(value)
    return kind(*value[::-1]) if hasattr(value, "_fields") else value[::-1]


class Turns:
    """A dataclass about A and B, of which the fields that know which is which say so.

    A field that holds such a dataclass is turned with it.

    Attributes
    ----------
    _signed : tuple of str
        Fields whose numbers change sign.
    _ordered : tuple of str
        Fields that hold something of A, then the same of B; between these, of neither.
    _rising : tuple of str
        Fields of numbers in ascending order that change sign.
    _swapped : tuple of str
        Two fields that trade their values.
    """

    _signed: ClassVar[tuple[str, ...]] = ()
    _ordered: ClassVar[tuple[str, ...]] = ()
    _rising: ClassVar[tuple[str, ...]] = ()
    _swapped: ClassVar[tuple[str, ...]] = ()

    def turned(self) -> Self:
        """Return the same of B against A.

        Returns
        -------
        same type
            A copy, which is turned back by the same call.
        """
        changes = self._changes()
        found = {}
        for item in fields(self):  # type: ignore[arg-type]
            name, change = item.name, changes.get(item.name)
            held = vars(self)[name]
            if change is None:
                found[name] = held.turned() if isinstance(held, Turns) else held
            elif isinstance(held, Later):
                found[name] = Later(lambda name=name, do=change: do(getattr(self, name)))  # type: ignore[misc]
            else:
                found[name] = change(held)
        return type(self)(**found)

    def _changes(self) -> dict[str, Callable[[Any], Any]]:
        """What is done with the fields that change, by their names."""
        trades = zip(self._swapped, self._swapped[::-1], strict=True)
        return {
            **dict.fromkeys(self._signed, negated),
            **dict.fromkeys(self._ordered, _reversed),
            **dict.fromkeys(self._rising, lambda value: negated(value)[::-1]),
            **{name: lambda _, other=other: getattr(self, other) for name, other in trades},  # type: ignore[misc]
        }
