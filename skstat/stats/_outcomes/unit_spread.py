"""How much units vary in what they contribute, and the shortest interval that goes with it."""

import math
from dataclasses import dataclass

from skstat.stats._common import Stored, tails
from skstat.stats._outcomes.outcome import ConfidenceInterval
from skstat.stats._outcomes.turned import Turns

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
