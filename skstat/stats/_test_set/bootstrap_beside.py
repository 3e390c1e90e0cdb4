"""Bootstrap replicates beside a permutation test, drawn when somebody asks for them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from skstat.stats._outcomes import Later, smallest_of_signs
from skstat.stats._resampling import SumKernel
from skstat.stats._samples import PairedPredictions
from skstat.stats._test_set.bootstrap import Drawn, compared_fields, independence, no_shorter
from skstat.stats._test_set.smooth_means import resampled_mean, smooth_fields

_SMALLEST_LEVEL = 1e-4  # that of one of 500 comparisons
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
    jackknife_error : float or None
        Standard error that is known without them. They are then drawn for an interval alone,
        where so few units differ that it needs them.
    """

    draw: Callable[[], Drawn]
    n_resamples: int
    seed: int
    jackknife_error: float | None = None

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

    @property
    def is_check(self) -> bool:
        """Whether they check the test, and so are looked at whatever it finds."""
        return self.jackknife_error is None

    def read(self, name: str) -> Any:
        """Read one thing about them."""
        if name in self._without_draws:
            return self._without_draws[name]
        return getattr(self.as_check, name)

    @cached_property
    def _without_draws(self) -> dict[str, Any]:
        return {} if self.is_check else {"standard_error": self.jackknife_error, "n_redrawn": 0}


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
    compared = compared_fields(sample, alternative)
    kept = "interval: the differences that the test does not reject, if all units shift alike"
    kept += no_shorter(compared["spread"])
    assumed = (independence(sample), kept)

    def assumptions() -> tuple[str, str]:
        if not beside.is_check or sample.identical or beside.as_check.replicates.size:
            return assumed
        without = (
            "; no bootstrap interval as a check, because the metric is undefined on too many "
            "resamples (strata=y_true keeps every class in them)"
        )
        return assumed[0], kept + without

    never_undefined = sample.kernel.mean_differences is not None
    later = {name: Later(partial(beside.read, name)) for name in _LATER}
    fields = {
        **compared,
        **later,
        "assumptions": assumed if never_undefined else Later(assumptions),
        "n_resamples": beside.n_resamples,
        "seed": beside.seed,
    }
    if not beside.is_check:
        # Where no permutation is rare enough at a level that somebody may ask for, the
        # interval takes them.
        of_signs = smallest_of_signs(alternative, fields["n_differing"])
        if max(of_signs, 1 / (1 + beside.n_resamples)) <= _SMALLEST_LEVEL:
            fields["replicates"] = np.empty(0)
        return fields
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
