"""Bootstrap replicates of several metrics that are functions of the same sums."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._resampling.kernels import Kernel, SumKernel
from skstat.stats._resampling.plans import ResamplingPlan
from skstat.stats._resampling.replicates import Replicates, Workers, bootstrap

# Sums of all resamples that are kept: 128 MB.
_MOST_NUMBERS = 1 << 24
_SCORED_AT_ONCE = 512


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of a kernel, in the place of its scores."""

    kernel: SumKernel

    @property
    def plan(self) -> ResamplingPlan:
        return self.kernel.plan

    @property
    def block_size(self) -> int:
        return self.kernel.block_size

    @property
    def resampled(self) -> "_Sums":
        return _Sums(self.kernel.resampled)

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        return self.kernel.sums(weights)


def bootstrap_of_metrics(
    kernel: Kernel,
    n_resamples: int,
    seed: int,
    kept: dict[tuple[int, int], tuple[tuple[Any, ...], Any]],
    workers: Workers = map,
) -> Replicates:
    """Bootstrap a metric of a test set, whose sums other metrics of it may have drawn before.

    Precision and recall of classes, and what is made of them, are functions of how often each
    class is true, predicted and both. The replicates are those of `bootstrap`.

    Parameters
    ----------
    kernel : Kernel
        The metric.
    n_resamples, seed : int
        Resamples to draw, and the seed of the draws.
    kept : dict
        Where the sums are kept for the next metric, by the number of resamples and the seed.
    workers : map-like callable, default=map
        Calls a function on every block.
    """
    key = n_resamples, seed
    if not isinstance(kernel, SumKernel) or n_resamples * kernel.n_sums > _MOST_NUMBERS:
        return bootstrap([kernel], n_resamples, seed, workers=workers)
    terms = (kernel.common, *kernel.own)
    known, sums = kept.get(key, ((), None))
    same = len(known) == len(terms) and all(a is b for a, b in zip(known, terms, strict=True))
    if not same:
        sums = bootstrap([_Sums(kernel)], n_resamples, seed, workers=workers).scores[0]
        kept[key] = (terms, sums)
    scores = np.concatenate(
        [
            kernel.of_sums(sums[start : start + _SCORED_AT_ONCE])
            for start in range(0, n_resamples, _SCORED_AT_ONCE)
        ]
    )
    if not np.isfinite(scores).all():  # such resamples are drawn anew
        return bootstrap([kernel], n_resamples, seed, workers=workers)
    return Replicates(scores=(scores,), sums=np.empty((n_resamples, 0)), n_redrawn=0, seed=seed)
