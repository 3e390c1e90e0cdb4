"""Scores by several seeds, and samples of any kind from their dictionaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._counts import AgreementTable
from skstat.stats._noise import resolution_of
from skstat.stats._predictions import Predictions, PredictionsSummary
from skstat.stats._read import aligned, of_usable_size, rows_differ
from skstat.stats._scores import PairedScores, check_count, numbers, places_of, summary_of
from skstat.stats._stored import Written


@dataclass(frozen=True, eq=False, repr=False)
class SeedScores(Written):
    """Scores of two systems or more, each trained with several seeds.

    Where seed i of every system is one unit (the order of the data, the split), and there is
    one score for it, take ``PairedScores(a, b, unit="seed")`` or a :class:`ScoreTable`.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_seeds,) or (n_seeds, n_instances)
        Scores of every system, higher is better: one for every seed, or, on the same
        instances, a row for every seed and a column for every instance, in the same order of
        instances. The numbers of seeds may differ, and their order has no meaning.
    paired_seeds : bool, default=False
        Whether row s of every system shares what the seed controls (the order of the data,
        the split). Two programs that merely use the same number as a seed are not paired.
    runs : Predictions, optional
        The predictions that were scored, of every seed of every system one after another, where
        there is one score for every seed: those whom :meth:`of_runs` reads have them.

    Raises
    ------
    ValueError
        If there are fewer than two systems, the shapes do not fit, a score is not finite, or
        there is one instance only.

    Examples
    --------
    >>> from skstat.stats import SeedScores
    >>> sample = SeedScores({"a": [0.81, 0.83, 0.80], "b": [0.79, 0.80]})
    >>> sample.unit, sample.n_seeds, round(sample.difference, 4)
    ('seed', (3, 2), 0.0183)

    Scores of three instances, by two seeds of each system:

    >>> sample = SeedScores({"a": [[1, 1, 0], [1, 0, 0]], "b": [[1, 0, 0], [0, 0, 0]]})
    >>> sample.unit, sample.n_units, sample.n_seeds
    ('instance', 3, (2, 2))
    """

    scores: Mapping[str, Any]
    paired_seeds: bool = field(default=False, kw_only=True)
    runs: Predictions | None = field(default=None, kw_only=True)

    _not_written = ("runs",)
    made_by: ClassVar[str] = "SeedScores({'a': a, 'b': b})"
    ordered: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.scores, Mapping) or len(self.scores) < 2:
            raise ValueError(
                "scores must be a mapping of name to the scores of its seeds, of two systems "
                "or more."
            )
        named = {str(name): own for name, own in self.scores.items()}
        if len(named) < len(self.scores):
            raise ValueError("scores names a system twice; rename one.")
        if all(hasattr(own, "iloc") and own.ndim == 2 for own in named.values()):
            # Columns of DataFrames are the instances, which are brought into one order.
            named = aligned({name: own.T for name, own in named.items()}, unit="column")
            named = {name: own.T for name, own in named.items()}
        read = [numbers(name, own, (1, 2)) for name, own in named.items()]
        scores = dict(zip(named, of_usable_size("scores", *read), strict=True))
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "paired_seeds", bool(self.paired_seeds))
        (a, first), *others = scores.items()
        for b, own in others:
            if own.shape[1:] != first.shape[1:]:
                raise ValueError(
                    f"{a} has scores of shape {first.shape} and {b} of {own.shape}: every "
                    "seed's system must be scored on the same instances."
                )
            if self.paired_seeds and len(own) != len(first):
                raise ValueError(
                    f"{a} has {len(first)} seeds and {b} has {len(own)}: paired seeds need the "
                    "same seeds for both. Use paired_seeds=False."
                )
        if self.paired_seeds and first.ndim == 1 and self.runs is None:
            raise ValueError(
                "with one score for each seed, paired seeds are units: use "
                "PairedScores(a, b, unit='seed')."
            )
        if self.runs is not None:
            every, own = np.concatenate([*scores.values()]), self.runs.scores
            if every.shape != own.shape or not np.allclose(every, own):
                raise ValueError("scores are not those of runs: use SeedScores.of_runs.")
        if first.shape[1:] == (1,):
            raise ValueError("a single instance says nothing about others; give more.")

    @classmethod
    def of_runs(
        cls, runs: Predictions, n_seeds: Mapping[str, int], *, paired_seeds: bool = False
    ) -> Self:
        """Score the predictions of every seed of some systems for one test set.

        Parameters
        ----------
        runs : Predictions
            Outputs of every seed of the first system, then of the next, with the metric.
        n_seeds : mapping of str to int
            Number of seeds of every system.
        paired_seeds : bool, default=False
            Whether seed number s of all systems belong together.

        Returns
        -------
        SeedScores
            One score for every seed, which knows the predictions.

        Raises
        ------
        TypeError
            If `n_seeds` is not a mapping.
        ValueError
            If the numbers are not those of the runs, or one is not a whole number above 0.

        Examples
        --------
        >>> import numpy as np
        >>> from skstat.stats import Predictions, SeedScores
        >>> def accuracy(y_true, y_pred):
        ...     return np.mean(y_true == y_pred)
        >>> outputs = {"a 1": [1, 0, 1], "a 2": [1, 1, 1], "b 1": [0, 0, 1], "b 2": [0, 0, 0]}
        >>> runs = Predictions([1, 1, 1], outputs, accuracy)
        >>> round(SeedScores.of_runs(runs, {"a": 2, "b": 2}).difference, 3)
        0.667
        """
        if not isinstance(n_seeds, Mapping):
            raise TypeError(f"n_seeds={n_seeds!r} must map systems to numbers, {{'a': 3}}.")
        counts = [check_count(f"n_seeds[{name!r}]", n) for name, n in n_seeds.items()]
        if sum(counts) != len(runs.names):
            raise ValueError(f"n_seeds={n_seeds} must make up {len(runs.names)} runs.")
        parts = np.split(runs.scores, np.cumsum(counts)[:-1])
        scores = dict(zip(n_seeds, parts, strict=True))
        return cls(scores, paired_seeds=paired_seeds, runs=runs)

    @property
    def of_instances(self) -> bool:
        """Whether every seed has a score of every instance."""
        return bool(self.a.ndim == 2)

    @property
    def unit(self) -> str:
        """What has a score."""
        if self.runs is not None:
            return self.runs.unit
        return "instance" if self.of_instances else "seed"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.scores)

    @property
    def a(self) -> NDArray[np.float64]:
        """Scores of the first system."""
        return next(iter(self.scores.values()))

    @property
    def b(self) -> NDArray[np.float64]:
        """Scores of the second system."""
        return self.scores[self.names[1]]

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.scores)

    @property
    def n_seeds(self) -> tuple[int, ...]:
        """Number of seeds of every system."""
        return tuple(map(len, self.scores.values()))

    @property
    def n_units(self) -> int:
        """Number of instances, or of the seeds of the system that has the fewest."""
        if self.runs is not None:
            return self.runs.n_units
        return self.a.shape[1] if self.of_instances else min(self.n_seeds)

    def pair(self, a: str, b: str) -> "SeedScores":
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
        return self.take((a, b))

    def take(self, names: Sequence[str]) -> "SeedScores":
        """Return the scores of some systems, in the order they are named.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Returns
        -------
        SeedScores
            Their scores.
        """
        places_of(self.names, names)
        taken, runs = {name: self.scores[name] for name in names}, self.runs
        if runs is not None:
            each = np.split(np.array(runs.names), np.cumsum(self.n_seeds)[:-1])
            own = dict(zip(self.names, each, strict=True))
            outputs = {run: runs.outputs[run] for name in names for run in own[name].tolist()}
            runs = replace(runs, outputs=outputs)
        return SeedScores(taken, paired_seeds=self.paired_seeds, runs=runs)

    @property
    def differences(self) -> Any:
        """score(A) - score(B) of every instance, averaged over seeds; None of seeds alone."""
        return self.per_instance().differences if self.of_instances else None

    @cached_property
    def resolution(self) -> float:
        """Size below which numbers made of the scores of two systems are float noise."""
        if self.of_instances:
            return self.per_instance().resolution
        return resolution_of(self.a, self.b)

    @property
    def difference(self) -> float:
        """Mean score of the first system minus that of the second; float noise is zero."""
        if self.of_instances:
            difference = self.per_instance().mean
        else:
            difference = float(np.mean(self.a) - np.mean(self.b))
        return 0.0 if abs(difference) <= self.resolution else difference

    @property
    def identical(self) -> bool:
        """Whether two systems score the same, on every instance, with every seed."""
        if self.runs is not None:
            first, *others = self.runs.outputs.values()
            return not any(rows_differ(first, other).any() for other in others)
        if self.of_instances:
            same = self.n_seeds[0] == self.n_seeds[1]
            return same and not self.paired_differences().any()
        return float(np.ptp(np.concatenate([self.a, self.b]))) <= self.resolution

    def per_instance(self) -> PairedScores:
        """Average every instance's scores over the seeds.

        Returns
        -------
        PairedScores
            Scores of two systems with the instance as unit.
        """
        return PairedScores(self.a.mean(axis=0), self.b.mean(axis=0), unit="instance")

    def per_seed(self) -> PairedScores:
        """Average every paired seed's scores over the instances.

        Returns
        -------
        PairedScores
            Scores of two systems with the seed as unit.

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
        a, b = (own.reshape(len(own), -1).mean(axis=1) for own in (self.a, self.b))
        return PairedScores(a, b, unit="seed")

    def paired_differences(self) -> NDArray[np.float64]:
        """Return score(A) - score(B) of every seed and instance; float noise is zero."""
        pairs = PairedScores(self.a.ravel(), self.b.ravel(), unit="instance")
        return pairs.differences.reshape(self.a.shape)

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the seeds, or the instances, of every system."""
        each = self.scores.values()
        return [summary_of(own.mean(axis=0) if self.of_instances else own) for own in each]

    def _plain(self) -> dict[str, Any]:
        if self.runs is None:
            return super()._plain()
        scores, sds = zip(*(one.values() for one in self.summaries()), strict=True)
        return PredictionsSummary(
            unit=self.unit,
            n_units=self.n_units,
            n_rows=self.runs.n_rows,
            ordered=False,
            identical=self.identical,
            scores=scores,
            sds=sds,
        )._plain()

    def __repr__(self) -> str:
        return f"<SeedScores of {self.n_systems} systems, {min(self.n_seeds)} seeds or more>"


def turned(sample: Any) -> Any:
    """Return a sample of A and B as one of B and A.

    Parameters
    ----------
    sample : object
        Any sample of two systems.
    """
    if isinstance(sample, PredictionsSummary):
        return sample.turned()
    if isinstance(sample, AgreementTable):
        return replace(sample, only_a=sample.only_b, only_b=sample.only_a)
    if hasattr(sample, "pair"):  # of systems by name
        return sample.pair(*sample.names[::-1])
    known = {"a": sample.b, "b": sample.a}
    if getattr(sample, "rows", None) is not None:
        halves = None if sample.halves is None else turned(sample.halves)
        known |= {"rows": sample.rows.of([1, 0]), "halves": halves}
    return replace(sample, **known)
