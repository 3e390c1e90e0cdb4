"""Which of three regions a difference is most often in, on units like those seen."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import Readers
from skstat.stats._outcomes import NOISE, Posterior, Probabilities, read_three

# The probability that most people ask for.
_PROBABLE = 0.95
# Where the prior lies.
Prior = Literal["same", "better", "worse"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RegionPosterior(Posterior):
    """Probabilities that A is better most often, both are the same most often, or B is better.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    largest : Probabilities
        Probability of each of the three that it comes more often than the other two.
    shares : Probabilities
        How often each is expected on another unit.
    lowest, highest : Probabilities
        Ends of `largest`, wherever the prior is put.
    n_units : int
        Units that were seen.
    strength : float
        Units that the prior stands for.
    references : tuple of Reference
        The works that describe it.
    """

    _readers: ClassVar[Readers] = dict.fromkeys(
        ("largest", "shares", "lowest", "highest", "weights"), read_three
    )
    said, where = " most often", "what is most common on {unit}s like these"

    _ordered: ClassVar[tuple[str, ...]] = ("largest", "shares", "lowest", "highest")

    largest: Probabilities
    shares: Probabilities
    lowest: Probabilities
    highest: Probabilities
    n_units: int
    strength: float

    @property
    def probabilities(self) -> Probabilities:
        return self.largest

    @property
    def n_seen(self) -> int | None:
        return self.n_units

    @property
    def bounds(self) -> tuple[Probabilities, Probabilities] | None:
        return self.lowest, self.highest

    @property
    def prior_decides(self) -> bool:
        ends = zip(self.lowest, self.highest, strict=True)
        return any(low < _PROBABLE <= high for low, high in ends)

    @property
    def expected(self) -> Probabilities | None:
        return self.shares


def prior_weights(prior: str, strength: float, rope: float) -> NDArray[np.float64]:
    """Return what the prior adds to the counts of (better, same, worse)."""
    if prior not in ("same", "better", "worse"):
        raise ValueError(f"prior={prior!r} is unknown; use 'same', 'better' or 'worse'.")
    weights = np.zeros(3)
    if prior == "same" and rope == 0:
        weights[[0, 2]] = strength / 2
    else:
        weights[Probabilities._fields.index(prior)] = strength
    return weights


def check_strength(strength: Any) -> float:
    """Return the strength of a prior as a float."""
    number = isinstance(strength, Real) and not isinstance(strength, bool | np.bool_)
    if not (number and math.isfinite(float(strength)) and float(strength) > 0):
        raise ValueError(
            f"strength={strength!r} must be a number above 0: the units that the prior stands "
            "for."
        )
    return float(strength)


def noise_of(differences: NDArray[np.float64], rope: float) -> float:
    """Return the size up to which two numbers made of differences are the same."""
    return NOISE * max(rope, float(np.abs(differences).max(initial=0.0)))


def chance_of_largest(weights: ArrayLike) -> NDArray[np.float64]:
    """Probability of every part of a Dirichlet law that it is the largest.

    The parts are those of independent gamma variables, so that it is ``integral g(t; a_i)
    prod_{j != i} G(t; a_j) dt`` with their densities g and distribution functions G. In ``y =
    log(t)`` the trapezoid rule on 801 points gives 12 digits up to some thousand units.

    Parameters
    ----------
    weights : array-like of shape (n_parts,)
        Parameters of the law; a part whose parameter is 0 is 0.

    Returns
    -------
    ndarray of shape (n_parts,)
        Probabilities; they add up to 1.
    """
    a = np.asarray(weights, dtype=float)
    there = np.flatnonzero(a > 0)
    found = np.zeros(len(a))
    if len(there) == 1:
        found[there] = 1.0
        return found
    if len(there) == 2:
        first, second = there
        found[first] = special.betaincc(a[first], a[second], 0.5)
        found[second] = special.betainc(a[first], a[second], 0.5)
        return found
    for place in there:
        shape = a[place]
        # Below its lower end the gamma law has a mass of 1e-20 at most, or 12 deviations.
        low = (math.log(1e-20) + special.gammaln(shape + 1)) / shape
        if shape > 200:
            low = max(low, math.log(shape - 12 * math.sqrt(shape)))
        high = math.log(shape + 12 * math.sqrt(shape) + 50)
        y = np.linspace(low, high, 801)
        heights = np.exp(shape * y - np.exp(y) - special.gammaln(shape))
        for other in there[there != place]:
            heights *= special.gammainc(a[other], np.exp(y))
        found[place] = heights.sum() * (y[1] - y[0])
    return np.minimum(found, 1.0)
