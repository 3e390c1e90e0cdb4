"""Scores of systems that were trained with several seeds each, which are not paired."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import Written, aligned, of_usable_size, read_numbers, rows_differ
from skstat.stats._samples.predictions import Predictions, PredictionsSummary
from skstat.stats._samples.scores import (
    PairedScores,
    numbers,
    places_of,
    resolution_of,
    summary_of,
)


@dataclass(frozen=True, eq=False)
class SeedScores(Written):
    """Scores of two systems, each trained with seeds of its own.

    The seeds are not paired: their order has no meaning, and their numbers may differ. Where
    seed i of A and seed i of B share what the seed controls (the order of the data, the
    split), take ``PairedScores(a, b, unit="seed")``.

    Parameters
    ----------
    a : array-like of shape (n_seeds_a,)
        Score of every seed of A; higher is better.
    b : array-like of shape (n_seeds_b,)
        Score of every seed of B.

    Raises
    ------
    ValueError
        If a score is not finite, or there is none.

    Examples
    --------
    >>> from skstat.stats import SeedScores
    >>> sample = SeedScores([0.81, 0.83, 0.80], [0.79, 0.80])
    >>> sample.n_seeds, round(sample.difference, 4)
    ((3, 2), 0.0183)
    """

    a: Any
    b: Any

    made_by: ClassVar[str] = "SeedScores(a, b)"
    unit: ClassVar[str] = "seed"
    ordered: ClassVar[bool] = False
    paired_seeds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        a, b = of_usable_size("scores", numbers("a", self.a), numbers("b", self.b))
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)

    @property
    def n_seeds(self) -> tuple[int, int]:
        """Number of seeds of A and of B."""
        return len(self.a), len(self.b)

    @property
    def n_units(self) -> int:
        """Number of seeds of the system that has fewer."""
        return min(self.n_seeds)

    @cached_property
    def resolution(self) -> float:
        """Size below which numbers made of the scores are float noise."""
        return resolution_of(self.a, self.b)

    @property
    def difference(self) -> float:
        """Mean score of A minus that of B; float noise is zero."""
        difference = float(np.mean(self.a) - np.mean(self.b))
        return 0.0 if abs(difference) <= self.resolution else difference

    @property
    def identical(self) -> bool:
        """Whether every seed of A and of B has the same score."""
        return float(np.ptp(np.concatenate([self.a, self.b]))) <= self.resolution

    def effect_sizes(self) -> dict[str, float]:
        """Standardised difference of the means, and how often A scores higher.

        Returns
        -------
        dict of str to float
            ``d`` (difference over the pooled standard deviation) and ``Hedges g`` (the same
            times 1 - 3 / (4 df - 1)); ``rank-biserial`` and ``common-language``, the share
            of the pairs of one seed of A and one of B in which A scores higher, ties
            counted half.
        """
        n_a, n_b = self.n_seeds
        df = n_a + n_b - 2
        squares = sum(float(np.sum((x - x.mean()) ** 2)) for x in (self.a, self.b))
        sd = np.sqrt(squares / df) if df else 0.0
        d = self.difference / sd if sd > self.resolution else np.nan
        d = 0.0 if self.difference == 0 else float(d)
        above = np.subtract.outer(self.a, self.b)
        above = np.sign(np.where(np.abs(above) <= self.resolution, 0.0, above))
        return {
            "d over seeds (pooled standard deviation)": d,
            "Hedges g over seeds (pooled standard deviation)": d * (1 - 3 / (4 * df - 1))
            if df
            else d,
            "rank-biserial": float(above.mean()),
            "common-language": float((above.mean() + 1) / 2),
        }

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the seeds of A, and of B."""
        return [summary_of(self.a), summary_of(self.b)]


@dataclass(frozen=True, eq=False, repr=False)
class SeedScoreTable(Written):
    """Scores of two systems or more, each trained with seeds of its own.

    Parameters
    ----------
    scores : mapping of str to array-like
        Scores of every system, one per seed; higher is better. The numbers of seeds may
        differ, and the order of the seeds has no meaning.

    Raises
    ------
    ValueError
        If there are fewer than two systems, or a score is not finite.

    See Also
    --------
    ScoreTable : Where the rows belong together.

    Examples
    --------
    >>> from skstat.stats import SeedScoreTable
    >>> table = SeedScoreTable({"a": [0.81, 0.83], "b": [0.79, 0.80, 0.78], "c": [0.7, 0.8]})
    >>> table.names, table.n_seeds, table.pair("a", "b").n_seeds
    (('a', 'b', 'c'), (2, 3, 2), (2, 3))
    """

    scores: Mapping[str, Any]

    made_by: ClassVar[str] = "SeedScoreTable({'a': scores_a, 'b': scores_b})"
    unit: ClassVar[str] = "seed"
    ordered: ClassVar[bool] = False
    paired_seeds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.scores, Mapping) or len(self.scores) < 2:
            raise ValueError(
                "scores must be a mapping of name to the scores of its seeds, of two systems "
                "or more."
            )
        read = {str(name): numbers(str(name), column) for name, column in self.scores.items()}
        if len(read) < len(self.scores):
            raise ValueError("scores names a system twice; rename one.")
        object.__setattr__(self, "scores", read)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.scores)

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.scores)

    @property
    def n_seeds(self) -> tuple[int, ...]:
        """Number of seeds of every system."""
        return tuple(len(column) for column in self.scores.values())

    @property
    def n_units(self) -> int:
        """Number of seeds of the system that has the fewest."""
        return min(self.n_seeds)

    def pair(self, a: str, b: str) -> SeedScores:
        """Take two systems out of the table.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        SeedScores
            Their scores.
        """
        places_of(self.names, (a, b))
        return SeedScores(self.scores[a], self.scores[b])

    def take(self, names: Sequence[str]) -> "SeedScoreTable":
        """Return the table of some systems, in the order they are named.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Returns
        -------
        SeedScoreTable
            Their scores.
        """
        return SeedScoreTable({name: self.scores[name] for name in names})

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the seeds of every system."""
        return [summary_of(column) for column in self.scores.values()]

    def __repr__(self) -> str:
        return f"<SeedScoreTable of {self.n_systems} systems, {self.n_units} seeds or more>"


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


@dataclass(frozen=True, eq=False)
class SeededPredictions(Written):
    """Predictions of two systems, each trained with several seeds, for one test set.

    Parameters
    ----------
    runs : Predictions
        Outputs of every seed of A, then of every seed of B, with the metric.
    n_seeds : tuple of int
        Number of seeds of A and of B.
    paired_seeds : bool, default=False
        Whether seed number s of A and of B belong together.

    Raises
    ------
    ValueError
        If the numbers do not fit the runs, or paired seeds differ in number.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import Predictions, SeededPredictions
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a 1": [1, 0, 1], "a 2": [1, 1, 1], "b 1": [0, 0, 1], "b 2": [0, 0, 0]}
    >>> runs = Predictions([1, 1, 1], outputs, accuracy)
    >>> round(SeededPredictions(runs, (2, 2)).difference, 3)
    0.667
    """

    made_by: ClassVar[str] = "SeededPredictions(runs, n_seeds)"

    runs: Predictions
    n_seeds: tuple[int, int]
    paired_seeds: bool = False

    ordered: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.runs, Predictions):
            raise TypeError(
                f"runs is {type(self.runs).__name__}; give Predictions with every seed of A, "
                "then every seed of B."
            )
        listed = isinstance(self.n_seeds, tuple | list) and len(self.n_seeds) == 2
        if not listed or not all(isinstance(n, int | np.integer) for n in self.n_seeds):
            raise ValueError(
                f"n_seeds={self.n_seeds!r} must be two numbers: of seeds of A, and of B."
            )
        a, b = self.n_seeds
        if a < 1 or b < 1 or a + b != len(self.runs.names):
            raise ValueError(
                f"n_seeds={self.n_seeds!r} does not fit {len(self.runs.names)} runs."
            )
        if self.paired_seeds and a != b:
            raise ValueError(f"paired seeds need as many of A as of B, got {a} and {b}.")

    @property
    def unit(self) -> str:
        """What is resampled beside the seeds."""
        return self.runs.unit

    @property
    def n_units(self) -> int:
        """Number of rows, or of groups."""
        return self.runs.n_units

    @cached_property
    def scores(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Score of every seed of A, and of B."""
        scores = self.runs.scores
        return scores[: self.n_seeds[0]], scores[self.n_seeds[0] :]

    @property
    def difference(self) -> float:
        """Mean score of A minus mean score of B; float noise is set to zero."""
        a, b = self.scores
        difference = float(a.mean() - b.mean())
        return 0.0 if abs(difference) <= self.noise else difference

    @property
    def noise(self) -> float:
        """Difference below which two scores count as equal."""
        return float(1e-10 * np.abs(self.runs.scores).max())

    @property
    def identical(self) -> bool:
        """Whether all runs predict alike."""
        first, *others = self.runs.outputs.values()
        return not any(rows_differ(first, other).any() for other in others)

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of the scores over the seeds, of A and of B."""
        return [
            {"mean": float(s.mean()), "sd": float(s.std(ddof=1)) if len(s) > 1 else None}
            for s in self.scores
        ]

    def _plain(self) -> dict[str, Any]:
        a, b = self.summaries()
        summary = PredictionsSummary(
            unit=self.unit,
            n_units=self.n_units,
            n_rows=self.runs.n_rows,
            ordered=False,
            identical=self.identical,
            scores=(a["mean"], b["mean"]),  # type: ignore[arg-type]
            sds=(a["sd"], b["sd"]),
        )
        return summary._plain()
