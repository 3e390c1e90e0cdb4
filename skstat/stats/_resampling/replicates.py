"""Bootstrap replicates and permuted scores of kernels, drawn in blocks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skstat.stats._resampling.kernels import Kernel, weighted_sums
from skstat.stats._resampling.plans import ResamplingPlan, stream

DEFAULT_RESAMPLES = 9_999
# A metric that is undefined more often than this is another question: which resamples
# it is defined on would decide the answer.
_UNDEFINED_AT_MOST = 0.01

Workers = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


class Weighted(Protocol):
    """The part of a kernel that a bootstrap needs: scores for weights, in any number."""

    @property
    def plan(self) -> ResamplingPlan:
        """Units, and how they are drawn."""
        ...

    @property
    def block_size(self) -> int:
        """Resamples scored at a time."""
        ...

    @property
    def resampled(self) -> "Weighted":
        """What a bootstrap draws from in its place."""
        ...

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Scores of resamples, one row for each."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Replicates:
    """Scores of resamples, shape (n_resamples, n_systems) for each kernel."""

    scores: tuple[NDArray[np.float64], ...]
    sums: NDArray[np.float64]
    n_redrawn: int
    seed: int


def draw_seed(rng: int | np.random.Generator | None) -> int:
    """Draw one number that repeats everything."""
    try:
        if isinstance(rng, bool | np.bool_):  # NumPy takes it for 0 or 1
            raise TypeError
        return int(np.random.default_rng(rng).integers(2**32))
    except (TypeError, ValueError):
        raise ValueError(f"rng={rng!r} must be a whole number, a Generator or None.") from None


def bootstrap(
    kernels: Sequence[Weighted],
    n_resamples: int,
    seed: int,
    *,
    workers: Workers = map,
    smooth: bool = False,
) -> Replicates:
    """Score bootstrap resamples by kernels that share a plan, and so their draws.

    Parameters
    ----------
    kernels : sequence of Kernel, or of what bootstraps alone
        Metrics of the same test set with one plan.
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
    Replicates
        Scores; undefined resamples are drawn anew and counted.

    Notes
    -----
    Of metrics that are functions of sums, more than 65,536 units are drawn in 16,381 blocks of
    units that stand far apart, so that the cost does not depend on their number. Of
    independent units every block is as good as any other group of them; the blocks are so many
    that a replicate has the law that it has where units are drawn one by one.
    """
    drawn = tuple(kernel.resampled for kernel in kernels)
    if any(kernel.plan.n_atoms != drawn[0].plan.n_atoms for kernel in drawn):
        drawn = tuple(kernels)
    return _draw(_Bootstrap(drawn, smooth), n_resamples, seed, workers)


def permutations(
    kernel: Kernel,
    n_resamples: int,
    seed: int,
    *,
    terms: NDArray[np.float64] | None = None,
    workers: Workers = map,
) -> Replicates:
    """Score two systems whose outputs changed places on random units."""
    return _draw(_Permutation((kernel,), terms), n_resamples, seed, workers)


@dataclass(frozen=True, eq=False)
class _Bootstrap:
    kernels: tuple[Weighted, ...]
    smooth: bool = False

    def __call__(self, block: tuple[np.random.SeedSequence, int]) -> list[NDArray[np.float64]]:
        seed, size = block
        plan = self.kernels[0].plan
        draw = plan.smooth_weights if self.smooth else plan.weights
        weights = draw(stream(seed), size)
        scores = [kernel.weighted(weights) for kernel in self.kernels]
        return [*scores, _sums(weights, None)]


@dataclass(frozen=True, eq=False)
class _Permutation:
    kernels: tuple[Kernel, ...]
    terms: Any

    def __call__(self, block: tuple[np.random.SeedSequence, int]) -> list[NDArray[np.float64]]:
        seed, size = block
        kernel = self.kernels[0]
        swaps = kernel.plan.swaps(stream(seed), size)
        return [kernel.swapped(swaps), _sums(swaps, self.terms)]


def _sums(counts: NDArray[Any], terms: Any) -> NDArray[np.float64]:
    if terms is None:
        return np.empty((len(counts), 0))
    return weighted_sums(counts, terms)


def _draw(
    score: _Bootstrap | _Permutation, n_resamples: int, seed: int, workers: Workers
) -> Replicates:
    size = min(kernel.block_size for kernel in score.kernels)
    blocks = _blocks(seed, n_resamples, size)
    parts = list(workers(score, list(islice(blocks, -(-n_resamples // size)))))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    n_redrawn = 0
    while (bad := _undefined(columns)).size:
        n_redrawn += bad.size
        if n_redrawn > max(1.0, _UNDEFINED_AT_MOST * n_resamples):
            raise ValueError(
                f"the metric is undefined on {n_redrawn} of the first {n_resamples} "
                "resamples (a class that is rare in y_true is missing from them, for "
                "instance). Pass strata=y_true, fix labels=, or use a metric that is "
                "defined without that class."
            )
        fresh = score(next(blocks))
        for column, new in zip(columns, fresh, strict=True):
            column[bad[: len(new)]] = new[: bad.size]
    return Replicates(
        scores=tuple(columns[:-1]), sums=columns[-1], n_redrawn=n_redrawn, seed=seed
    )


def _undefined(columns: list[NDArray[np.float64]]) -> NDArray[np.int64]:
    bad = np.zeros(len(columns[0]), dtype=bool)
    for scores in columns[:-1]:
        bad |= ~np.isfinite(scores).all(axis=1)
    return np.flatnonzero(bad)


def _blocks(
    seed: int, n_resamples: int, size: int
) -> Iterator[tuple[np.random.SeedSequence, int]]:
    """Blocks with streams of their own; those after the last are there to redraw."""
    root = np.random.SeedSequence(seed)
    left = n_resamples
    while True:
        yield root.spawn(1)[0], min(size, left) if left > 0 else min(64, size)
        left -= size
