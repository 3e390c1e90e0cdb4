"""Counts of instances on which systems are right: what tests of shares are computed from."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._read import shown
from skstat.stats._scores import PairedScores, Scores
from skstat.stats._stored import Written


class _Instances(Written):
    """Counts of instances: one unit, without splits and without an order."""

    unit: Literal["instance"] = "instance"
    n_repeats = None
    ordered = False


@dataclass(frozen=True)
class AgreementTable(_Instances):
    """How often two systems are right and wrong on the same instances.

    Parameters
    ----------
    both : int
        Instances on which A and B are right.
    only_a, only_b : int
        Instances on which only A, and only B, is right.
    neither : int
        Instances on which both are wrong.

    Raises
    ------
    ValueError
        If a count is not a whole number of at least 0, or all of them are 0.

    Examples
    --------
    >>> from skstat.stats import AgreementTable
    >>> table = AgreementTable(54, 18, 6, 22)
    >>> table.n_units, table.accuracies, table.agreement
    (100, (0.72, 0.6), 0.76)
    """

    made_by: ClassVar[str] = "AgreementTable(both, only_a, only_b, neither)"

    both: int
    only_a: int
    only_b: int
    neither: int

    def __post_init__(self) -> None:
        for name in ("both", "only_a", "only_b", "neither"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        if self.n_units == 0:
            raise ValueError("the table is empty: all four counts are 0.")

    @classmethod
    def from_scores(cls, sample: PairedScores) -> Self:
        """Count instances that are scored 1 (right) or 0 (wrong).

        Parameters
        ----------
        sample : PairedScores
            Scores 0 and 1 of both systems, one instance each.

        Returns
        -------
        AgreementTable
            The four counts.
        """
        _check_instances(sample, "an agreement table")
        wrong = 2 * ~zero_one("a", sample.a) + ~zero_one("b", sample.b)
        return cls(*np.bincount(wrong, minlength=4).tolist())

    @classmethod
    def from_array(cls, counts: Any) -> Self:
        """Read ``[[both, only_a], [only_b, neither]]``.

        Parameters
        ----------
        counts : array-like of shape (2, 2)
            Rows: A right, A wrong; columns: B right, B wrong. A DataFrame whose labels
            are True (right) and False (wrong) may hold them in any order.

        Returns
        -------
        AgreementTable
            The four counts.
        """
        if hasattr(counts, "reindex") and hasattr(counts, "columns"):
            labelled = [set(axis) == {True, False} for axis in (counts.index, counts.columns)]
            if all(labelled):  # pandas.crosstab sorts False first
                counts = counts.reindex(index=[True, False], columns=[True, False])
        cells = np.asarray(counts)
        if cells.shape != (2, 2):
            raise ValueError(f"counts must have the shape (2, 2), got {cells.shape}.")
        return cls(*cells.ravel().tolist())

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def accuracies(self) -> tuple[float, float]:
        """Share of instances on which A is right, and B."""
        right_a, right_b = self.both + self.only_a, self.both + self.only_b
        return right_a / self.n_units, right_b / self.n_units

    @property
    def agreement(self) -> float:
        """Share of instances on which both are right or both are wrong."""
        return (self.both + self.neither) / self.n_units

    @property
    def identical(self) -> bool:
        """Whether A and B are right on the same instances."""
        return self.only_a == self.only_b == 0

    def summaries(self) -> list[dict[str, float | None]]:
        """Accuracy of A, and of B."""
        return [_summary(accuracy) for accuracy in self.accuracies]


@dataclass(frozen=True)
class Successes(_Instances):
    """On how many instances one system is right.

    Parameters
    ----------
    successes : int
        Instances on which it is right.
    n : int
        All instances.

    Raises
    ------
    ValueError
        If a count is not a whole number, `n` is 0 or less than `successes`.

    Examples
    --------
    >>> from skstat.stats import Successes
    >>> Successes(72, 100).accuracy
    0.72
    """

    made_by: ClassVar[str] = "Successes(successes, n)"
    identical: ClassVar[bool] = False  # there is no second system

    successes: int
    n: int

    def __post_init__(self) -> None:
        for name in ("successes", "n"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        if self.n == 0 or self.successes > self.n:
            raise ValueError(f"successes={self.successes} of n={self.n}: n is too small.")

    @classmethod
    def from_scores(cls, sample: Scores) -> Self:
        """Count instances that are scored 1 (right) or 0 (wrong).

        Parameters
        ----------
        sample : Scores
            Scores 0 and 1 of one system, one instance each.

        Returns
        -------
        Successes
            The two counts.
        """
        _check_instances(sample, "a count of successes")
        return cls(int(zero_one("values", sample.values).sum()), sample.n_units)

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return self.n

    @property
    def accuracy(self) -> float:
        """Share of instances on which the system is right."""
        return self.successes / self.n

    def summaries(self) -> list[dict[str, float | None]]:
        """Accuracy of the system."""
        return [_summary(self.accuracy)]


def zero_one(name: str, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which scores are 1; refuse any other than 0 and 1."""
    bad = np.flatnonzero((scores != 0) & (scores != 1))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] is {scores[bad[0]]:g}, not 1 (right) or 0 (wrong).")
    return scores == 1


def _check_instances(sample: PairedScores | Scores, what: str) -> None:
    if sample.unit != "instance":
        raise ValueError(f"{what} counts instances, but unit={sample.unit!r}: use other tests.")


def _count(name: str, value: Any) -> int:
    number = isinstance(value, Real | np.bool_)
    whole = number and math.isfinite(value) and value % 1 == 0
    if not whole or value < 0:
        raise ValueError(f"{name}={shown(value)} must be a whole number of at least 0.")
    return int(value)


def _summary(share: float) -> dict[str, float | None]:
    return {"mean": share, "sd": None}  # the share itself says how much answers vary
