"""Fields of an outcome that are computed when they are asked for."""

from collections.abc import Callable
from typing import Any


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
