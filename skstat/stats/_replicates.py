"""The law of bootstrap replicates of a difference."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Stored, tails
from skstat.stats._law import Law, tails_by_limits
from skstat.stats._words import NOISE, ConfidenceInterval, Turns, above_zero, smallest_of_signs

# Share of the standard error by which an interval that excludes 0 stays away from it.
_APART = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitSpread(Stored, Turns):
    """How much the contributions of units to an estimate vary.

    Attributes
    ----------
    error : float
        Standard error of the estimate, by the jackknife.
    skewness : float
        Skewness of the contributions over the root of their number.
    df : float
        Degrees of freedom of their variance: 2 n / (kurtosis - 1), which is n where they are
        normal, and less where few units decide (Satterthwaite, 1946, equation 5).
    largest : float or None
        Largest difference that the metric can have.
    """

    _signed = ("skewness",)

    error: float
    skewness: float
    df: float
    largest: float | None = None

    def reach(self, tail: float) -> tuple[float, float]:
        """How far an interval reaches below the estimate and above it.

        The quantile q of Student's t is moved by skewness * (2 q^2 + 1) / 6 (Hall, 1992,
        section 2.6), outwards on the side of the longer tail.
        """
        q = float(tails.t_isf(tail, self.df))
        moved = abs(self.skewness) * (2 * q * q + 1) / 6
        below, above = (moved, 0.0) if self.skewness < 0 else (0.0, moved)
        return self.error * max(0.0, q + below), self.error * max(0.0, q + above)

    def lengthen(
        self, found: ConfidenceInterval, estimate: float, tail: float
    ) -> ConfidenceInterval:
        """Make an interval at least as long, but never so long that it reaches 0 anew.

        Parameters
        ----------
        found : ConfidenceInterval
            The interval; a side that is infinite stays so.
        estimate : float
            The estimate that it is about.
        tail : float
            Share of samples in which it may miss the truth on one side.

        Returns
        -------
        ConfidenceInterval
            The longer one. Where `found` excludes 0 it ends short of 0, so that it says of 0
            what the test says.
        """
        if math.isnan(found.low):
            return found
        below, above = self.reach(tail)
        largest = math.inf if self.largest is None else self.largest
        low = min(found.low, max(-largest, estimate - below))
        high = max(found.high, min(largest, estimate + above))
        apart = _APART * self.error
        if found.low > 0:
            low = max(low, min(found.low, apart))
        if found.high < 0:
            high = min(high, max(found.high, -apart))
        return ConfidenceInterval(low, high)


Interval = Literal["percentile", "basic", "bca"]
_SHOWN = 999
# Of a law in short: draws that are kept at either end, and at most so many between. A number
# in a file must not fill the memory.
_KEPT_AT_END, _KEPT_BETWEEN = 300, 400
_MOST_IN_SHORT = 10_000_000
INTERVALS = ("percentile", "basic", "bca")


@dataclass(frozen=True, kw_only=True, eq=False)
class Replicates(Law):
    """Bootstrap replicates of an estimate, and the p-value that was made of them.

    The limits are those of the bootstrap, of the kind `limits_by`. The statistic is the
    difference.

    Attributes
    ----------
    replicates : ndarray of shape (n_resamples,)
        The difference on every resample; empty for identical systems. As :func:`in_short`
        gives them in a family of pairs.
    limits_by : {"percentile", "basic", "bca"}
        How limits are made of them.
    acceleration : float or None
        Efron's acceleration, for ``"bca"``.
    n_redrawn : int
        Resamples drawn anew because the metric was undefined on them.
    n_differing : int or None
        Units on which the systems' outputs differ, whose signs bound the p-value; None where
        nothing does.
    n_units : int or None
        Units that were drawn from.
    own_pvalue : float
        The p-value, in the direction asked; how it was computed is in the name of the test.
    spread : UnitSpread or None
        Of a metric of classes with few rows of one, the jackknife's error with as many degrees
        of freedom as these rows less one. The interval is at least as long as that of
        Student's t, but never so long that it contains 0 where it would not.
    how : str
        How a replicate was computed.
    """

    statistic_name = "difference"
    _signed = (*Law._signed, "replicates", "acceleration")

    replicates: Any
    limits_by: str = "percentile"
    acceleration: float | None = None
    n_redrawn: int = 0
    n_differing: int | None = None
    n_units: int | None = None
    own_pvalue: float
    how: str = ""
    spread: UnitSpread | None = None

    def _plain(self) -> dict[str, Any]:
        state = super()._plain()
        # What is in short already is stored so, and restored exactly.
        ordered = np.sort(np.asarray(self.replicates, dtype=float))
        if _SHOWN < (n := len(ordered)) <= _MOST_IN_SHORT:
            kept = ordered[_kept_places(n)]
            if np.array_equal(_between(kept, n), ordered):
                state["replicates"] = {"of": n, "kept": kept.tolist()}
        return state

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        state = super()._fields_of(state)
        if isinstance(law := state.get("replicates"), Mapping):
            if not _SHOWN < law["of"] <= _MOST_IN_SHORT:
                raise ValueError(f"no {law['of']} replicates are stored in short")
            state["replicates"] = _between(np.array(law["kept"], dtype=float), law["of"])
        return state

    @property
    def inverts_test(self) -> bool:
        """Whether the interval contains what the test does not reject, and nothing else."""
        return False

    @property
    def statistic(self) -> float:
        return cast(float, self.estimate)

    def pvalue(self, alternative: str) -> float:
        return self.own_pvalue

    def smallest_pvalue(self, alternative: str) -> float:
        if self.n_differing == 0:
            return 1.0
        of_draws = 1 / (1 + self.n_resamples) if self.n_resamples else 0.0
        if self.n_differing is None:
            return of_draws
        return max(of_draws, smallest_of_signs(alternative, self.n_differing))

    def tails(self, bound: float) -> tuple[float, float]:
        # Replicates need not be there to tell whether units differ in how much they differ.
        if not (self.standard_error or 0.0) > NOISE * abs(self.estimate):
            return math.nan, math.nan
        of_draws = 1 / (1 + self.n_resamples) if self.n_resamples else 0.0
        of_signs = 0.0 if self.n_units is None else 2.0 ** -min(self.n_units, 1000)
        return tails_by_limits(self, bound, max(of_draws, of_signs))

    def limits(self, tail: float) -> tuple[float, float]:
        return self.no_shorter(*self.limits_of_replicates(tail), tail)

    def no_shorter(self, low: float, high: float, tail: float) -> tuple[float, float]:
        """Make an interval no shorter than few rows of a class allow."""
        if self.spread is None:
            return low, high
        return self.spread.lengthen(ConfidenceInterval(low, high), self.estimate, tail)

    def limits_of_replicates(self, tail: float) -> tuple[float, float]:
        """Return what the replicates alone say; nan where there are none."""
        replicates = np.asarray(self.replicates, dtype=float)
        if not replicates.size:
            found = float(self.estimate) if self.n_differing == 0 else math.nan
            return found, found
        if self.limits_by == "bca" and self.acceleration is not None:
            return _bca(self.estimate, replicates, self.acceleration, tail)
        low, high = quantiles(replicates, tail)
        if self.limits_by == "basic":
            return 2 * self.estimate - high, 2 * self.estimate - low
        return low, high


def in_short(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return as many replicates in order, of which at most about 1,000 say where all are.

    The farthest 300 on either side stay what they are, and so does every 25th of 9,999: limits
    at levels of 90 %, 95 % and 99 % are exact. The others lie on lines between these, so that
    the share of them beyond a number changes by much less than its error from drawing.
    """
    n = len(replicates)
    if not (_SHOWN < n <= _MOST_IN_SHORT and np.isfinite(replicates).all()):
        return replicates
    return _between(np.sort(replicates)[_kept_places(n)], n)


def _kept_places(n: int) -> NDArray[np.intp]:
    """Places of the replicates that are kept, as many on one side as on the other."""
    places = np.arange(n)
    rank = np.minimum(places + 1, n - places)
    gap = math.ceil((n + 1) / _KEPT_BETWEEN)
    return np.flatnonzero((rank <= _KEPT_AT_END) | (rank % gap == 0) | (rank == rank.max()))


def _between(kept: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Fill the places between; the same, but for the sign, where all signs change."""
    every, places = np.arange(n), _kept_places(n)
    upward = np.interp(every, places, kept)
    downward = -np.interp(every, places, -kept[::-1])[::-1]
    before = np.searchsorted(places, every, side="right") - 1
    after = np.searchsorted(places, every)
    return np.clip((upward + downward) / 2, kept[before], kept[after])


def quantiles(replicates: NDArray[np.float64], tail: float) -> tuple[float, float]:
    """Order statistics number (B + 1) * tail from both ends, interpolated."""
    low, high = _order_statistics(replicates, [tail, 1 - tail])
    return low, high


def _order_statistics(values: NDArray[np.float64], levels: Any) -> list[float]:
    """Quantiles as ``np.quantile(method="weibull")``, which has no answer among infinities."""
    ordered = np.sort(values)
    limits = []
    for place in (len(ordered) + 1) * np.asarray(levels) - 1:
        if not -1e-9 <= place <= len(ordered) - 1 + 1e-9:  # too few resamples for the level
            limits.append(math.copysign(math.inf, place))
            continue
        place = min(max(place, 0.0), len(ordered) - 1.0)
        below = math.floor(place)
        share = place - below
        low, high = ordered[[below, min(below + 1, len(ordered) - 1)]]
        between = share > 0 and low != high
        limits.append(float((1 - share) * low + share * high if between else low))
    return limits


def _bca(
    estimate: float, replicates: NDArray[np.float64], acceleration: float, tail: float
) -> tuple[float, float]:
    """Efron (1987), eq. 2.3: percentiles moved for bias and skewness."""
    z0 = bias_correction(replicates, estimate)
    if not math.isfinite(z0):
        return quantiles(replicates, tail)
    z = z0 + tails.normal_ppf([tail, 1 - tail])
    scale = 1 - acceleration * z
    if np.any(scale <= 0):
        return quantiles(replicates, tail)
    levels = tails.normal_cdf(z0 + z / scale)
    low, high = _order_statistics(replicates, levels)
    return low, high


def bias_correction(replicates: NDArray[np.float64], estimate: float) -> float:
    """Normal quantile of the share of replicates below the estimate, ties half."""
    below = np.mean(replicates < estimate) + 0.5 * np.mean(replicates == estimate)
    return float(tails.normal_ppf(below))


def acceleration(u: NDArray[np.float64], multiplicity: NDArray[Any]) -> float | None:
    """Efron's acceleration from the jackknife; None where the estimate never moves.

    ``a = sum(U^3) / (6 sum(U^2)^1.5)`` with U the mean of the estimates without one
    unit minus each of them (Efron, 1987, eq. 7.3).
    """
    squares = float(multiplicity @ u**2)
    if not np.isfinite(squares) or squares <= 0:
        return None
    return float(multiplicity @ u**3) / (6 * squares**1.5)


def counted_share(count: int, n_resamples: int, alternative: str, n_differing: int) -> float:
    """(1 + count) / (1 + B), but no less than that many units can show by their signs.

    Where every unit favours the same system, no resample is on the other side, however
    few the units are; the signs alone already bound what they can show.
    """
    share = (1 + count) / (1 + n_resamples)
    return above_zero(min(1.0, max(share, smallest_of_signs(alternative, n_differing))))


def score_effects(scores: NDArray[np.float64]) -> Mapping[str, float]:
    """Effect sizes of a difference of any metric: there is only the ratio of the scores."""
    a, b = float(scores[0]), float(scores[1])
    return {"relative difference (A - B) / |B|": (a - b) / abs(b) if b else math.nan}
