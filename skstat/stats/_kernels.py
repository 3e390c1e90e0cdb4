"""Kernels: the scores of several systems as functions of the weights of the units."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _chance as units
from skstat.stats._chance import ResamplingPlan, in_parts, plan_of_units, stream
from skstat.stats._read import rows_differ

_STEP = 1e-4  # of a unit's weight, in derivatives
_CALLS_AT_ONCE = 32  # of a slow metric: enough blocks for every core and for a progress bar
# Copies of a unit of weight 1, where a metric is called on rows that have weights.
COPIES = 4
# Units from which there is no jackknife of a metric: it costs as much as so many resamples.
MANY_UNITS = 2_000
# Weights become floats in blocks that stay in cache. Products this small are computed by
# one thread: OpenBLAS would start threads for larger ones, which wait for each other.
_ROWS_AT_ONCE = 256
_PRODUCT_OF_ONE_THREAD = 1 << 18


KernelOfSome = TypeVar("KernelOfSome", bound="Kernel")

# A metric that is undefined on a larger share of resamples is refused: the result would depend
# on which resamples it is defined on.
_UNDEFINED_AT_MOST = 0.01

# A stream of random numbers, and how many resamples are drawn from it.
Block = tuple[np.random.SeedSequence, int]
Workers = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


class Kernel(ABC):
    """Scores of several systems on one test set, ready to be resampled.

    A kernel holds one metric and one test set, and computes the scores for given weights of
    the units, or after swapping the outputs of two systems on some units. Bootstrap,
    permutation test and jackknife need nothing else.

    Attributes
    ----------
    plan : Plan
        Units, and how they are drawn.
    how : str
        How a replicate is computed, for reports.
    what_swaps : str
        What changes places in a permutation, for reports.
    class_sizes : sequence of int or None
        Rows of every class, for metrics in which the rows of a class weigh the more the
        fewer they are: averages over classes, correlations, areas under curves.
    """

    plan: ResamplingPlan
    how: str
    what_swaps: str = "outputs"
    class_sizes: Sequence[int] | None = None

    @property
    def block_size(self) -> int:
        """Resamples scored at a time, from one stream of random numbers."""
        return self.plan.block_size

    @property
    def resampled(self) -> "Kernel":
        """The kernel that a bootstrap uses: this one, or one of blocks of its units."""
        return self

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """Scores on the test set as it is, shape (n_systems,)."""
        return self.weighted(self.plan.multiplicity[None, :])[0]

    @cached_property
    def left_out(self) -> NDArray[np.float64]:
        """Scores without one unit, for a unit of each atom: (n_atoms, n_systems)."""
        return self._of_single_units(-1)

    def jackknife(self, a: int = 0, b: int = 1) -> NDArray[np.float64]:
        """Return the mean leave-one-out difference of two systems minus that of each atom."""
        with np.errstate(invalid="ignore"):
            left_out = self.left_out[:, a] - self.left_out[:, b]
            return np.asarray(np.average(left_out, weights=self.plan.multiplicity) - left_out)

    @abstractmethod
    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Scores of resamples.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_atoms)
            How often each atom comes.

        Returns
        -------
        ndarray of shape (n_resamples, n_systems)
            The scores; nan where the metric is undefined.
        """

    @abstractmethod
    def swapped(self, swaps: NDArray[Any]) -> NDArray[np.float64]:
        """Scores of two systems whose outputs changed places on some units.

        Parameters
        ----------
        swaps : ndarray of shape (n_permutations, n_atoms)
            How many units of each atom swap.

        Returns
        -------
        ndarray of shape (n_permutations, 2)
            The scores; nan where the metric is undefined.
        """

    def of_systems(self, indices: Sequence[int]) -> "Kernel | None":
        """Return the kernel of some systems, by index; None if it has to be computed anew."""
        return None

    def _with_scores(self, kernel: KernelOfSome, indices: Sequence[int]) -> KernelOfSome:
        """Copy the cached scores of some systems to their kernel, if there are any."""
        if "scores" in self.__dict__:
            kernel.__dict__["scores"] = self.scores[list(indices)]
        return kernel

    def influence(self) -> NDArray[np.float64]:
        """Return the influence of one unit of each atom on the scores: (n_atoms, n_systems).

        The derivative of a score in the weight of the unit, times the number of units (the
        infinitesimal jackknife; Jaeckel, 1972). It is the unit's deviation from the mean
        where the score is a mean, and adds up to zero for every metric that does not change
        when all weights are multiplied. Unlike the jackknife it needs no second unit of a
        class.
        """
        change = self._of_single_units(_STEP) - self._of_single_units(-_STEP)
        return change * (self.plan.n_units / (2 * _STEP))

    def _of_single_units(self, step: float) -> NDArray[np.float64]:
        """Return scores with the weight of one unit changed by a step, for each atom."""
        m = self.plan.multiplicity
        return self._one_at_a_time(lambda ones: self.weighted(m + step * ones))

    def to_first_order(self) -> "SumKernel":
        """Return the kernel of a mean of terms: each is the score plus the unit's influence.

        The mean of the terms of a resample is the score of the resample, but for an error that
        vanishes faster than its standard error (the infinitesimal jackknife; Jaeckel, 1972).
        """
        how = "scores to first order, by influences"
        return kernel_of_means(self.scores + self.influence(), how).resampled

    def swap_terms(self) -> NDArray[np.float64]:
        """Return what one unit of each atom adds to score(A) - score(B) under random swaps.

        The difference of two systems whose outputs are swapped at random is about the sum
        of these terms, each with the sign of its unit's swap. They are taken at one random
        half of the units swapped, so that both systems are mixtures of A and B.
        """
        base = self.plan.swaps(stream(np.random.SeedSequence(0)), 1).astype(np.int64)
        step = np.where(base[0] < self.plan.multiplicity, 1, -1)
        before = self.swapped(base)
        after = self._one_at_a_time(lambda ones: self.swapped(base + step * ones))
        change = (before[:, 0] - before[:, 1]) - (after[:, 0] - after[:, 1])
        return np.asarray(step * change / 2)

    @property
    def differing(self) -> NDArray[np.bool_]:
        """Atoms on which the systems' outputs differ, so that a swap may matter."""
        return np.ones(self.plan.n_atoms, dtype=bool)

    @property
    def n_differing(self) -> int:
        """Number of units on which they differ."""
        return int(self.plan.multiplicity[self.differing].sum())

    @property
    def mean_differences(self) -> NDArray[np.float64] | None:
        """Per-atom terms d with score(A) - score(B) = sum(multiplicity * d).

        None unless the metric is such a sum and a swap flips the sign of a term.
        """
        return None

    def _one_at_a_time(self, scores: Callable[[Any], Any]) -> NDArray[np.float64]:
        n, size = self.plan.n_atoms, max(1, self.block_size // 4)
        ones = (np.eye(min(size, n - i), n, i, dtype=np.int64) for i in range(0, n, size))
        return np.concatenate([*map(scores, ones)])


@dataclass(frozen=True, eq=False)
class SumKernel(Kernel):
    """A metric that is a function of sums over the units.

    Parameters
    ----------
    plan : Plan
        Units, and how they are drawn.
    common : array or sparse matrix of shape (n_atoms, n_common)
        Terms of the sums that do not depend on the system, of one unit of each atom.
    own : sequence of n_systems arrays or sparse matrices of shape (n_atoms, n_own)
        Terms of the sums of each system.
    formula : callable
        From sums of shapes (..., 1, n_common) and (..., n_systems, n_own) to scores of
        shape (..., n_systems).
    is_mean : bool
        Whether the score is ``own / common`` with one column each: a weighted mean.
    how : str
        How a replicate is computed, for reports.
    class_sizes : tuple of int, optional
        Rows of every class, where the score is an average over classes or the like.
    """

    plan: ResamplingPlan
    common: Any
    own: tuple[Any, ...]
    formula: Callable[[Any, Any], NDArray[np.float64]]
    is_mean: bool
    how: str
    class_sizes: tuple[int, ...] | None = None

    def of_systems(self, indices: Sequence[int]) -> "SumKernel":
        kernel = replace(self, own=tuple(self.own[index] for index in indices))
        return self._with_scores(kernel, indices)

    @cached_property
    def resampled(self) -> "SumKernel":
        if not (self.plan.has_many_units and self._is_dense):
            return self
        common, *own = map(units.sums_of_blocks, self._terms)
        return replace(self, plan=plan_of_units(len(common)), common=common, own=tuple(own))

    @cached_property
    def mean_differences(self) -> NDArray[np.float64] | None:
        if not self.is_mean or len(self.own) != 2:
            return None
        total = float(self.plan.multiplicity @ _dense(self.common)[:, 0])
        return (_dense(self.own[0])[:, 0] - _dense(self.own[1])[:, 0]) / total

    @property
    def differing(self) -> NDArray[np.bool_]:
        gaps = abs(self.own[0] - self.own[1]).sum(axis=1)
        return np.asarray(gaps).ravel() > 0

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        sums = np.hstack([weighted_sums(weights, part) for part in self._stacked])
        n_common = self.common.shape[1]
        own = sums[:, n_common:].reshape(len(sums), len(self.own), -1)
        return self._scores(sums[:, :n_common], own)

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        # System by system: the index of one among the others must not change a bit.
        common, *own = self._sums()
        return self._scores(common, np.stack(own, axis=1))[0]

    @cached_property
    def _stacked(self) -> Sequence[Any]:
        """All terms, side by side so that weights are read once, unless they are sparse."""
        return [np.hstack(self._terms)] if self._is_dense else self._terms

    @property
    def _terms(self) -> tuple[Any, ...]:
        return (self.common, *self.own)

    @property
    def _is_dense(self) -> bool:
        return all(isinstance(part, np.ndarray) for part in self._terms)

    def swapped(self, swaps: NDArray[Any]) -> NDArray[np.float64]:
        m = self.plan.multiplicity[None, :]
        common = weighted_sums(m, self.common)
        first, second = self.own
        if self._are_integers:
            a, b = weighted_sums(m, first), weighted_sums(m, second)
            moved = weighted_sums(swaps, second - first)
            return self._scores(common, np.stack([a + moved, b - moved], axis=1))
        # Terms are only added: where all terms of a sum are swapped away it must be 0, not
        # float noise that a ratio or a root would turn into a score.
        stayed = m - swaps
        a = weighted_sums(stayed, first) + weighted_sums(swaps, second)
        b = weighted_sums(stayed, second) + weighted_sums(swaps, first)
        return self._scores(common, np.stack([a, b], axis=1))

    @cached_property
    def _are_integers(self) -> bool:
        """Whether the systems' terms are whole numbers, whose sums have no float noise."""
        parts = (part if isinstance(part, np.ndarray) else part.data for part in self.own)
        return all(np.array_equal(part, np.rint(part)) for part in parts)

    def _of_single_units(self, step: float) -> NDArray[np.float64]:
        return self._of_changed_sums(self._sums(), self._terms, step)

    def influence(self) -> NDArray[np.float64]:
        if not self.is_mean:
            return super().influence()
        weight = _dense(self.common)
        own = np.column_stack([_dense(part)[:, 0] for part in self.own])
        mean_weight = (self.plan.multiplicity @ weight) / self.plan.n_units
        return np.asarray((own - weight * self.scores) / mean_weight)

    def swap_terms(self) -> NDArray[np.float64]:
        # Sums can be swapped by exactly half: both systems are then the same mixture.
        moved, (common, a, b) = self.own[0] - self.own[1], self._sums()
        half = (a + b) / 2
        terms = [0 * self.common, moved, -moved]
        scores = self._of_changed_sums([common, half, half], terms, 0.5)
        return np.asarray(scores[:, 0] - scores[:, 1])

    def _sums(self) -> list[NDArray[np.float64]]:
        m = self.plan.multiplicity[None, :]
        return [weighted_sums(m, part) for part in self._terms]

    def _of_changed_sums(
        self, sums: Sequence[NDArray[np.float64]], terms: Sequence[Any], step: float
    ) -> NDArray[np.float64]:
        """Return scores with `step` times the terms of one unit added to the sums, by atom."""
        parts = []
        for rows in in_parts(self.plan.n_atoms, sum(part.shape[1] for part in sums), 1 << 21):
            pairs = zip(sums, terms, strict=True)
            common, *own = (total + step * _dense(part[rows]) for total, part in pairs)
            parts.append(self._scores(common, np.stack(own, axis=1)))
        return np.concatenate(parts)

    @staticmethod
    def mean_of_sums(common: Any, own: Any) -> Any:
        """Return a mean from the sums of its terms and of their weights."""
        return own[..., 0] / common[..., 0]

    def _scores(self, common: Any, own: Any) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.formula(common[:, None, :], own)


def kernel_of_means(scores: NDArray[np.float64], how: str = "weighted means") -> SumKernel:
    """Return the means of columns as functions of the weights of their rows."""
    plan, ones = plan_of_units(len(scores)), np.ones((len(scores), 1))
    own = tuple(scores.T[:, :, None])
    return SumKernel(plan, ones, own, SumKernel.mean_of_sums, is_mean=True, how=how)


@dataclass(frozen=True, eq=False)
class CallableKernel(Kernel):
    """Any metric, computed anew on the rows of every resample.

    Parameters
    ----------
    plan : ResamplingPlan
        Units, and how they are drawn.
    metric : callable
        From the row numbers of a resample and the outputs of one system to a score.
    outputs : tuple of arrays
        Outputs of each system, one row per row of the test set.
    rows_of : list of ndarray, optional
        Rows of every unit; by default a unit is a row.
    """

    plan: ResamplingPlan
    metric: Callable[[NDArray[np.int64], Any], float]
    outputs: tuple[Any, ...]
    rows_of: list[NDArray[np.int64]] | None = None
    how: str = "the metric called anew on every resample"

    @property
    def block_size(self) -> int:
        return min(_CALLS_AT_ONCE, self.plan.block_size)

    @property
    def differing(self) -> NDArray[np.bool_]:
        differ = rows_differ(*self.outputs[:2])
        if self.rows_of is None:
            return differ
        return np.array([differ[rows].any() for rows in self.rows_of])

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        scores = np.empty((len(weights), len(self.outputs)))
        if weights.dtype.kind == "f":
            # Rounding the cumulative sum keeps the total number of copies. It adds at most 1/96
            # to the variance of a weight.
            ends = np.rint(COPIES * np.cumsum(weights, axis=1)).astype(np.int64)
            weights = np.diff(ends, axis=1, prepend=0)
        for i, counts in enumerate(weights):
            rows = self._rows(np.repeat(np.arange(self.plan.n_atoms), counts))
            for system, output in enumerate(self.outputs):
                scores[i, system] = self.metric(rows, output[rows])
        return scores

    def swapped(self, swaps: NDArray[Any]) -> NDArray[np.float64]:
        a, b = self.outputs
        all_rows, scores = np.arange(len(a)), np.empty((len(swaps), 2))
        for i, flips in enumerate(swaps):
            rows = self._rows(np.flatnonzero(flips))
            first, second = a.copy(), b.copy()
            first[rows], second[rows] = b[rows], a[rows]
            scores[i] = self.metric(all_rows, first), self.metric(all_rows, second)
        return scores

    def influence(self) -> NDArray[np.float64]:
        # The jackknife: a function that is called has no weights to differentiate.
        without = self.left_out
        return (self.plan.n_units - 1) * (without.mean(axis=0) - without)

    def _rows(self, units: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.rows_of is None or not len(units):
            return units
        return np.concatenate([self.rows_of[unit] for unit in units])


def weighted_sums(weights: NDArray[Any], terms: Any) -> NDArray[np.float64]:
    """Return ``weights @ terms``, the weighted sums of rows, in blocks that stay in cache."""
    if not isinstance(terms, np.ndarray):  # sparse
        return np.asarray((terms.T @ weights.T.astype(np.float64)).T)
    width = max(64, _PRODUCT_OF_ONE_THREAD // (_ROWS_AT_ONCE * max(1, terms.shape[1])))
    sums = np.zeros((len(weights), terms.shape[1]))
    for top in range(0, len(weights), _ROWS_AT_ONCE):
        rows = slice(top, top + _ROWS_AT_ONCE)
        for left in range(0, len(terms), width):
            columns = slice(left, left + width)
            sums[rows] += weights[rows, columns].astype(np.float64) @ terms[columns]
    return sums


def plan_of_rows(rows: NDArray[np.float64]) -> tuple[ResamplingPlan, NDArray[np.float64]]:
    """Plan resamples of rows, or of the distinct rows where these are few.

    Returns the plan, and the row of each of its atoms.
    """
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    if 2 * len(kinds) <= len(rows):  # as of right and wrong answers
        return ResamplingPlan(counts), kinds
    return plan_of_units(len(rows)), rows


def resampled_sums(
    plan: ResamplingPlan, terms: NDArray[np.float64], n_resamples: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """Yield sums of the terms of atoms over resamples, a block of resamples at a time."""
    size = plan.block_size
    for seed_of_block, n in islice(_blocks(seed, n_resamples, size), -(-n_resamples // size)):
        yield weighted_sums(plan.weights(stream(seed_of_block), n), terms)


def _dense(terms: Any) -> NDArray[np.float64]:
    return terms if isinstance(terms, np.ndarray) else terms.toarray()


def largest_share(kernel: Kernel, a: int = 0, b: int = 1) -> float | None:
    """Return the largest share of a unit in the variance of the difference of two systems.

    By the jackknife; None where the metric would be called for every unit.
    """
    if isinstance(kernel, CallableKernel) or kernel.plan.n_units > MANY_UNITS:
        return None
    squares = kernel.jackknife(a, b) ** 2
    total = float(kernel.plan.multiplicity @ squares)
    return float(squares.max()) / total if 0 < total < np.inf else None


class Draws(NamedTuple):
    """Scores of resamples, shape (n_resamples, n_systems)."""

    scores: NDArray[np.float64]
    n_redrawn: int
    seed: int


def bootstrap(
    kernel: Any, n_resamples: int, seed: int, *, workers: Workers = map, smooth: bool = False
) -> Draws:
    """Score bootstrap resamples.

    Parameters
    ----------
    kernel : Kernel, or an object with `resampled`
        A metric of a test set.
    n_resamples : int
        Resamples to draw.
    seed : int
        Seed of the draws.
    workers : map-like callable, default=map
        Calls a function on every block, anywhere, and returns the results in order.
    smooth : bool, default=False
        Whether units have weights of the Bayesian bootstrap in place of counts.

    Returns
    -------
    Draws
        Scores; undefined resamples are drawn anew and counted.

    Notes
    -----
    Of metrics that are functions of sums, more than 65,536 units are drawn in 16,381 blocks of
    units that stand far apart, so that the cost does not depend on their number. Of
    independent units every block is as good as any other group of them; the blocks are so many
    that a replicate has the law that it has where units are drawn one by one.
    """
    how = "smooth_weights" if smooth else "weights"
    return draw(kernel.resampled, how, n_resamples, seed, workers)


def _scores_of_block(kernel: Any, how: str, terms: Any, block: Block) -> NDArray[np.float64]:
    """Score a block of resamples; `how` is the method of the plan that draws them."""
    seed, size = block
    drawn = getattr(kernel.plan, how)(stream(seed), size)
    scores = kernel.swapped(drawn) if how == "swaps" else kernel.weighted(drawn)
    return scores if terms is None else np.hstack([scores, weighted_sums(drawn, terms)])


def draw(
    kernel: Any, how: str, n_resamples: int, seed: int, workers: Workers, terms: Any = None
) -> Draws:
    """Score what a plan draws: `how` is ``"weights"``, or ``"swaps"`` of two systems.

    The sums of `terms`, of shape (n_atoms, n_terms), over the drawn units are appended to the
    scores as further columns.
    """
    score = partial(_scores_of_block, kernel, how, terms)
    size = kernel.block_size
    blocks = _blocks(seed, n_resamples, size)
    scores = np.concatenate([*workers(score, [*islice(blocks, -(-n_resamples // size))])])
    n_redrawn = 0
    while (bad := np.flatnonzero(~np.isfinite(scores).all(axis=1))).size:
        n_redrawn += bad.size
        if n_redrawn > max(1.0, _UNDEFINED_AT_MOST * n_resamples):
            raise ValueError(
                f"the metric is undefined on {n_redrawn} of {n_resamples} resamples. Pass "
                "strata=y_true, fix labels=, or use a metric that needs no rare class."
            )
        fresh = score(next(blocks))
        scores[bad[: len(fresh)]] = fresh[: bad.size]
    return Draws(scores, n_redrawn, seed)


def _blocks(seed: int, n_resamples: int, size: int) -> Iterator[Block]:
    """Yield blocks, each with its own stream; those after the last needed serve to redraw."""
    root, left = np.random.SeedSequence(seed), n_resamples
    while True:
        yield root.spawn(1)[0], min(size, left) if left > 0 else min(64, size)
        left -= size
