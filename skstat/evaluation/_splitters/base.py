"""What the splitters have in common: arguments, seeds, groups, and how they are shown."""

from collections.abc import Iterator
from inspect import signature
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats import Reference


class Splitter(BaseCrossValidator):  # type: ignore[misc]
    """A splitter that draws from a seed, with classes and groups where they are given."""

    # With metadata routing groups come here without being asked for, as with the group
    # splitters of scikit-learn.
    __metadata_request__split: ClassVar = {"groups": True}

    # The works that describe how the splits are made.
    references: ClassVar[tuple[Reference, ...]] = ()

    # The method of estimate_performance that splits of several kinds in one list are for.
    _read_by: ClassVar[str] = ""

    stratify: bool
    random_state: Any

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the training and test rows of every split.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            The data; only its number of rows matters.
        y : array-like of shape (n_samples,), optional
            The targets, whose classes count if ``stratify=True``.
        groups : array-like of shape (n_samples,), optional
            Group of every row; rows of one group stay together.

        Yields
        ------
        train : ndarray of int
            Numbers of the training rows, ascending.
        test : ndarray of int
            Numbers of the test rows.
        """
        units = Units.of(X, y, groups, stratify=self.stratify)
        yield from self._draw(units, draw_seed(self.random_state))

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        raise NotImplementedError

    def _works(self) -> tuple[Reference, ...]:
        """Name the works that describe the splits as they are asked for."""
        return self.references

    def _how_drawn(self) -> str:
        """Say how splits were drawn, as far as the rows do not show it."""
        return ""

    def __repr__(self) -> str:
        names = signature(type(self)).parameters
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({values})"


def works_on(splitter: Any) -> tuple[Reference, ...]:
    """Name the works that describe how a splitter of this package makes its splits."""
    return splitter._works() if isinstance(splitter, Splitter) else ()


def how_drawn(splitter: Any) -> str:
    """Say how splits were drawn, as far as a splitter of this package says more than rows."""
    return splitter._how_drawn() if isinstance(splitter, Splitter) else ""


def read_by(splitter: Any) -> str:
    """Name the method of estimate_performance that splits of several kinds are for."""
    return splitter._read_by if isinstance(splitter, Splitter) else ""


def check_switch(name: str, value: Any) -> bool:
    """Refuse what is neither True nor False, such as y itself."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(
            f"{name} must be True or False, got {type(value).__name__}; y and groups are "
            "given to split."
        )
    return bool(value)
