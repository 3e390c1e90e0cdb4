"""Bootstrap and permutation of a mean over many rows by saddlepoint."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._outcomes import Later, above_zero, smallest_of_signs, spread_quantiles
from skstat.stats._resampling import (
    FlippedSum,
    ResampledMean,
    SumKernel,
    UnitPlan,
    draws_are_smooth,
)
from skstat.stats._samples import PairedPredictions


def resampled_mean(sample: PairedPredictions) -> ResampledMean | None:
    """Law of the difference under the bootstrap; None where it must be drawn.

    It is known where the metric is a plain mean over independent rows, whose differences do
    not stand on a lattice.
    """
    kernel = sample.kernel
    plan, terms = kernel.plan, kernel.mean_differences
    if terms is None or not isinstance(kernel, SumKernel) or not isinstance(plan, UnitPlan):
        return None
    weights = np.asarray(kernel.common)
    plain = plan.strata is None and plan.block_length is None and np.ptp(weights) == 0
    if not plain:
        return None
    differences = terms * plan.n
    return ResampledMean.of(differences) if draws_are_smooth(differences) else None


def smooth_fields(law: ResampledMean) -> dict[str, Any]:
    """Fields of an outcome whose bootstrap is not drawn."""
    return {
        "replicates": Later(lambda: spread_quantiles(law)),
        "resampled_law": np.stack([law.values, law.counts]),
        "standard_error": law.scale,
        "n_redrawn": 0,
        "how": "",
        "n_resamples": 0,
        "seed": None,
    }


def smooth_pvalue(
    law: ResampledMean, estimate: float, method: str, alternative: str, n_differing: int
) -> float:
    """p-value of the bootstrap, of one of its kinds."""
    if method == "shift" and alternative == "two-sided":
        reach = abs(estimate)
        p = law.above(estimate + reach) + law.below(estimate - reach)
    elif alternative == "two-sided":  # the direction is that of the data
        if estimate == 0:
            return 1.0
        return smooth_pvalue(
            law, estimate, method, "greater" if estimate > 0 else "less", n_differing
        )
    else:
        up = alternative == "greater"
        bound, beyond = 2 * estimate, up
        if method == "sign-reversal":
            bound, beyond = 0.0, not up
        p = law.above(bound) if beyond else law.below(bound)
    return above_zero(min(1.0, max(p, smallest_of_signs(alternative, n_differing))))


@dataclass(frozen=True, eq=False)
class SmoothPermutationLaw:
    """Law of a difference under swaps, by saddlepoint, as a ``PermutationLaw`` answers.

    Parameters
    ----------
    law : FlippedSum
        Law of the difference.
    noise : float
        What is less apart is tied.
    n_differing : int
        Units that a swap can change.
    """

    law: FlippedSum
    noise: float
    n_differing: int

    def pvalue(self, observed: float, alternative: str) -> float:
        """Chance of a value at least as extreme as the observed one."""
        if alternative == "two-sided":
            chance = 2 * self.law.above(abs(observed))
        else:
            chance = self.law.above(observed if alternative == "greater" else -observed)
        least = smallest_of_signs(alternative, self.n_differing)
        return above_zero(min(1.0, max(least, chance)))

    def largest_kept(self, alpha: float, alternative: str) -> float:
        """Value whose p-value is `alpha`; infinite if there is none."""
        if smallest_of_signs(alternative, self.n_differing) >= alpha:
            return math.inf
        tail = alpha / 2 if alternative == "two-sided" else alpha
        return self.law.quantile(-float(special.ndtri(tail)))

    def smallest_rejected(self, alpha: float, alternative: str) -> float:
        """Value whose p-value is `alpha`; infinite if there is none."""
        return self.largest_kept(alpha, alternative)

    def largest(self, alternative: str) -> float:
        """Largest value of all."""
        return self.law.scale * self.law.reach[1]

    @property
    def stored(self) -> NDArray[np.float64]:
        """The parts of the sum and their counts, as an outcome keeps them."""
        return np.stack([self.law.values, self.law.counts])
