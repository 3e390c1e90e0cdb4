"""Scores of systems that were trained with several seeds each, which are not paired."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from skstat.stats._common import Written, of_usable_size
from skstat.stats._samples.scores import numbers, resolution_of, summary_of


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
        for name in (a, b):
            if name not in self.scores:
                raise ValueError(f"{name!r} is unknown; the table has {', '.join(self.names)}.")
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
