"""Seeds crossed with instances: every seed's system scored on the same test set."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import Written, aligned, of_usable_size, read_numbers
from skstat.stats._samples.scores import PairedScores


@dataclass(frozen=True, eq=False)
class CrossedScores(Written):
    """Scores of two systems, trained with several seeds each, on the same instances.

    Parameters
    ----------
    a, b : array-like of shape (n_seeds, n_instances)
        Scores of A and of B: a row for every seed, a column for every instance, in
        the same order of instances; higher is better. Without paired seeds the
        numbers of seeds may differ.
    paired_seeds : bool, default=False
        Whether row s of `a` and row s of `b` share what the seed controls (the
        order of the data, the split). Two programs that merely use the same number as a seed
        are not paired.

    Raises
    ------
    ValueError
        If the shapes do not fit, a score is not finite, or there is one instance only.

    Examples
    --------
    >>> from skstat.stats import CrossedScores
    >>> sample = CrossedScores([[1, 1, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    >>> sample.unit, sample.n_units, sample.n_seeds
    ('instance', 3, (2, 2))
    """

    a: Any
    b: Any
    paired_seeds: bool = field(default=False, kw_only=True)

    made_by: ClassVar[str] = "CrossedScores(a, b)"
    unit: ClassVar[str] = "instance"

    def __post_init__(self) -> None:
        given = _instances_alike(self.a, self.b)
        a, b = of_usable_size("scores", *(_table(*item) for item in given.items()))
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)
        object.__setattr__(self, "paired_seeds", bool(self.paired_seeds))
        seeds, n = self.n_seeds, self.n_units
        if self.b.shape[1] != n:
            raise ValueError(
                f"a has {n} instances and b has {self.b.shape[1]}: every seed's system "
                "must be scored on the same instances."
            )
        if n < 2:
            raise ValueError("a single instance says nothing about others; give more.")
        if self.paired_seeds and seeds[0] != seeds[1]:
            raise ValueError(
                f"a has {seeds[0]} seeds and b has {seeds[1]}: paired seeds need the same "
                "seeds for both. Use paired_seeds=False."
            )

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return int(self.a.shape[1])

    @property
    def n_seeds(self) -> tuple[int, int]:
        """Number of seeds of A and of B."""
        return len(self.a), len(self.b)

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """score(A) - score(B) of every instance, averaged over the seeds of each."""
        return self.per_instance().differences

    @property
    def resolution(self) -> float:
        """Size below which numbers made of the scores are float noise."""
        return self.per_instance().resolution

    @property
    def identical(self) -> bool:
        """Whether A and B score the same on every instance with every seed."""
        if self.n_seeds[0] != self.n_seeds[1]:
            return False
        pairs = PairedScores(self.a.ravel(), self.b.ravel(), unit="instance")
        return pairs.identical

    def per_instance(self) -> PairedScores:
        """Average every instance's scores over the seeds.

        Returns
        -------
        PairedScores
            Scores of A and B with the instance as unit.
        """
        return PairedScores(self.a.mean(axis=0), self.b.mean(axis=0), unit="instance")

    def per_seed(self) -> PairedScores:
        """Average every paired seed's scores over the instances.

        Returns
        -------
        PairedScores
            Scores of A and B with the seed as unit.

        Raises
        ------
        ValueError
            If the seeds are not paired.
        """
        if not self.paired_seeds:
            raise ValueError(
                "the seeds of A and B are not paired, so that no difference belongs to a "
                "seed. Say paired_seeds=True if row s of a and of b share a seed."
            )
        return PairedScores(self.a.mean(axis=1), self.b.mean(axis=1), unit="seed")

    @property
    def difference(self) -> float:
        """Mean difference over seeds and instances; float noise is zero."""
        difference = float(np.mean(self.differences))
        return 0.0 if abs(difference) <= self.resolution else difference

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the instances, of A and of B."""
        return self.per_instance().summaries()


def paired_differences(sample: CrossedScores) -> NDArray[np.float64]:
    """score(A) - score(B) of every paired seed and instance; float noise is zero."""
    pairs = PairedScores(sample.a.ravel(), sample.b.ravel(), unit="instance")
    return pairs.differences.reshape(sample.a.shape)


def _instances_alike(a: Any, b: Any) -> dict[str, Any]:
    """Bring the columns of two DataFrames into one order; they are the instances."""
    frames = {"a": a, "b": b}
    if not all(hasattr(frame, "iloc") and hasattr(frame, "T") for frame in frames.values()):
        return frames
    columns = aligned({name: frame.T for name, frame in frames.items()}, unit="column")
    return {name: frame.T for name, frame in columns.items()}


def _table(name: str, values: ArrayLike) -> NDArray[np.float64]:
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked scores: every seed needs every instance.")
    table = read_numbers(name, values)
    if table.ndim != 2 or table.size == 0:
        raise ValueError(
            f"{name} must have a row for every seed and a column for every instance, got "
            f"shape {table.shape}."
        )
    bad = np.argwhere(~np.isfinite(table))
    if len(bad):
        s, i = bad[0]
        raise ValueError(
            f"{name}[{s}, {i}] is {table[s, i]}: every score must be finite. Find out why "
            "it is undefined."
        )
    table.setflags(write=False)
    return table
