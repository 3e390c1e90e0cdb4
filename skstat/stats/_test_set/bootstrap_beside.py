"""Bootstrap replicates beside a permutation test, drawn when somebody asks for them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from skstat.stats._outcomes import Later
from skstat.stats._resampling import SumKernel
from skstat.stats._samples import PairedPredictions
from skstat.stats._test_set.bootstrap import Drawn, compared_fields, independence
from skstat.stats._test_set.smooth_means import resampled_mean, smooth_fields

_LATER = ("replicates", "standard_error", "n_redrawn")


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnBeside:
    """How to draw bootstrap replicates of the difference of one pair.

    Parameters
    ----------
    draw : callable
        Draws them.
    n_resamples : int
        How many.
    seed : int
        Seed of the draws, and of the permutations.
    """

    draw: Callable[[], Drawn]
    n_resamples: int
    seed: int

    @cached_property
    def as_check(self) -> Drawn:
        """The replicates; none if the metric is undefined on too many resamples.

        A metric that is undefined on the test set itself is refused by the swaps.
        """
        try:
            return self.draw()
        except ValueError:
            return Drawn(
                replicates=np.empty(0),
                interval="percentile",
                standard_error=math.nan,
                n_resamples=self.n_resamples,
                seed=self.seed,
            )

    def read(self, name: str) -> Any:
        """Read one thing about them."""
        return getattr(self.as_check, name)


def replicates_for(interval: str) -> str:
    """Kind of bootstrap replicates to draw beside a permutation test."""
    return "percentile" if interval == "permutation" else interval


def checked_fields(
    sample: PairedPredictions, beside: DrawnBeside, alternative: str
) -> dict[str, Any]:
    """Fields of an outcome whose interval inverts its test.

    The bootstrap is only a check, which takes longer than the test: it waits until it is
    asked for. A metric without a formula is resampled at once, where all processes are.
    """
    kept = "interval: the differences that the test does not reject, if all units shift alike"
    assumed = (independence(sample), kept)

    def assumptions() -> tuple[str, str]:
        if beside.as_check.replicates.size or sample.identical:
            return assumed
        without = (
            "; no bootstrap interval as a check, because the metric is undefined on too many "
            "resamples (strata=y_true keeps every class in them)"
        )
        return assumed[0], kept + without

    never_undefined = sample.kernel.mean_differences is not None
    later = {name: Later(partial(beside.read, name)) for name in _LATER}
    fields = {
        **compared_fields(sample, alternative),
        **later,
        "assumptions": assumed if never_undefined else Later(assumptions),
        "n_resamples": beside.n_resamples,
        "seed": beside.seed,
    }
    if isinstance(sample.kernel, SumKernel):
        return fields
    return {
        name: value.compute() if isinstance(value, Later) else value
        for name, value in fields.items()
    }


def smooth_check(sample: PairedPredictions, beside: DrawnBeside) -> dict[str, Any]:
    """Fields of a check that needs no draws, where it can do without: found when asked for."""

    @cache
    def found() -> dict[str, Any]:
        law = resampled_mean(sample)
        if law is not None:
            return smooth_fields(law)
        return {"resampled_law": None} | {name: beside.read(name) for name in _LATER}

    def read(name: str) -> Any:
        value = found()[name]
        return value.compute() if isinstance(value, Later) else value

    return {name: Later(partial(read, name)) for name in (*_LATER, "resampled_law")}


def counted_with(n_redrawn: Any, more: int) -> Any:
    """Add to a number that may not be known yet."""
    if isinstance(n_redrawn, Later):
        return Later(lambda: n_redrawn.compute() + more)
    return n_redrawn + more
