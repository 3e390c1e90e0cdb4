"""A call through a public door, by a name that says what it is about."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

# What nobody asks about, and what no second run would repeat without it.
_SETTLED = {"random_state": 0, "n_jobs": 1, "verbose": False}


@dataclass(frozen=True)
class Case:
    """A call, the packages that it needs, and what is looked at besides the usual."""

    name: str
    ask: Callable[[], Any]
    needs: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """Return the packages that are not there."""
        return [package for package in self.needs if find_spec(package) is None]


def case(name: str, door: Callable, *args: Any, needs: str = "", **options: Any) -> Case:
    """Make a case of a door and its arguments; draws have a seed, and one process does it."""
    try:
        taken = inspect.signature(door).parameters
    except ValueError:
        taken = {}
    settled = {key: value for key, value in _SETTLED.items() if key in taken}
    return Case(name, partial(door, *args, **settled | options), tuple(needs.split()))
