"""What the hierarchical model says: another data set, and each of those that were seen."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import Readers
from skstat.stats._hierarchical.chains import effective_size
from skstat.stats._outcomes import (
    CredibleInterval,
    DifferencePosterior,
    Probabilities,
    Reread,
    between_quantiles,
    read_three,
)

Numbers = NDArray[np.float64]

_FEW = 10  # data sets; with fewer the middle is not known better than one of them
_FAR_APART = 100  # spreads of splits whose data sets hardly have a unit in common


class ShrunkenEstimate(NamedTuple):
    """The difference on one data set.

    Attributes
    ----------
    raw : float
        Mean over the splits.
    shrunken : float
        What it is expected to be, given the other data sets too.
    deviation : float
        Standard deviation of that.
    """

    raw: float
    shrunken: float
    deviation: float


@dataclass(frozen=True, kw_only=True, eq=False)
class HierarchicalPosterior(DifferencePosterior):
    """What is probable on another data set, by a model of all data sets and their splits.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    predictive : Probabilities
        Probabilities of the three on another data set.
    largest : Probabilities
        Probability of each of the three that it comes more often than the other two.
    predictive_errors, largest_errors : Probabilities
        Their Monte Carlo errors.
    location : float
        Expected difference of the middle of the data sets.
    location_quantiles : ndarray of shape (999,)
        Quantiles of that.
    spread, degrees : float
        Expected scale and degrees of freedom of Student's t law of the data sets.
    datasets : tuple of str
        The data sets.
    raw, shrunken, deviations : ndarray of shape (n_datasets,)
        Mean difference on every data set; what it is expected to be, given the others too; and
        the standard deviation of that.
    split_spreads : ndarray of shape (n_datasets,)
        Standard deviation over the splits of every data set.
    without_variance : tuple of str
        Data sets on which all splits have the same difference.
    rhat : float
        Largest rank-normalised split R-hat of the parameters.
    bulk_size, tail_size : float
        Smallest effective sizes.
    n_chains, n_draws, seed : int
        Chains, draws of each that count, and the seed of all.
    location_draws, spread_draws, degrees_draws : ndarray of shape (n_chains, n_draws) or None
        The draws. They are not stored: a restored posterior has none.
    references : tuple of Reference
        The works that describe it.
    """

    _newer: ClassVar[frozenset[str]] = frozenset(
        {"location_draws", "spread_draws", "degrees_draws"}
    )
    _readers: ClassVar[Readers] = dict.fromkeys(
        ("predictive", "largest", "predictive_errors", "largest_errors"), read_three
    )
    subject = "the middle of the data sets"
    lead = "By a hierarchical model of all data sets and their splits"
    caveat = "of the same scores as the p-value, and those of the splits"
    said, where = " on another data set", "on another data set"
    model = (
        "the differences on the data sets follow Student's t law; those on the splits of a "
        "data set are normal about its own, with the correlation of their sizes; priors that "
        "say little"
    )
    done = (
        "Probabilities of the difference on another data set were computed{for_pairs} by a "
        "hierarchical model of all data sets and their splits{works}, with Markov chains"
    )
    another = "each has the probability {values} of coming most often on data sets like these"

    _signed = ("location", "raw", "shrunken", "location_draws")
    _ordered = ("predictive", "largest", "predictive_errors", "largest_errors")
    _rising = ("location_quantiles",)

    predictive: Probabilities
    largest: Probabilities
    predictive_errors: Probabilities
    largest_errors: Probabilities
    location: float
    location_quantiles: np.ndarray
    spread: float
    degrees: float
    datasets: tuple[str, ...]
    raw: np.ndarray
    shrunken: np.ndarray
    deviations: np.ndarray
    split_spreads: np.ndarray
    without_variance: tuple[str, ...] = ()
    rhat: float
    bulk_size: float
    tail_size: float
    n_chains: int
    n_draws: int
    seed: int
    location_draws: np.ndarray | None = None
    spread_draws: np.ndarray | None = None
    degrees_draws: np.ndarray | None = None

    @property
    def probabilities(self) -> Probabilities:
        return self.predictive

    @property
    def expected(self) -> Probabilities | None:
        return self.largest

    @property
    def monte_carlo_errors(self) -> Probabilities | None:
        return self.predictive_errors

    @property
    def n_drawn(self) -> int:
        return self.n_chains * self.n_draws

    @property
    def n_seen(self) -> int | None:
        return len(self.datasets)

    @property
    def fewest(self) -> int:
        return _FEW

    @property
    def how_drawn(self) -> str:
        return (
            f" of {self.n_chains} chains (R-hat {self.rhat:.3f}, effective sizes "
            f"{self.bulk_size:.0f} and {self.tail_size:.0f})"
        )

    @property
    def without_spread(self) -> tuple[str, ...]:
        return self.without_variance

    @property
    def unequal_scales(self) -> bool:
        known = self.split_spreads[self.split_spreads > 0]
        small, large = np.quantile(known, [0.1, 0.9])
        return bool(large > _FAR_APART * small)

    @property
    def estimates(self) -> dict[str, "ShrunkenEstimate"]:
        """Difference on every data set: as it was, and given the others too."""
        columns = (self.raw.tolist(), self.shrunken.tolist(), self.deviations.tolist())
        rows = zip(self.datasets, *columns, strict=True)
        return {name: ShrunkenEstimate(*row) for name, *row in rows}

    def _between(self, confidence_level: float) -> CredibleInterval:
        return between_quantiles(self.location_quantiles, confidence_level)

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        found = super()._plain(last)
        return {name: value for name, value in found.items() if name not in self._newer}

    def chances(self, rope: float | None = None) -> NDArray[np.float64]:
        """Draws of the chances of the three on another data set.

        Parameters
        ----------
        rope : float, optional
            Half width of the region; default that of the posterior.

        Returns
        -------
        ndarray of shape (3, n_chains, n_draws)
            Chances that A is better, both are practically the same, and B is better.

        Raises
        ------
        ValueError
            If the posterior was restored, and has no draws.
        """
        draws = (self.location_draws, self.spread_draws, self.degrees_draws)
        location, spread, degrees = (each for each in draws)
        if location is None or spread is None or degrees is None:
            raise ValueError(
                "a restored posterior has no draws of its chains, which are not stored: ask "
                f"hierarchical_posterior again, with rng={self.seed}."
            )
        return shares_of(location, spread, degrees, self.rope if rope is None else rope)

    def _chances(self, differences: Any, n_draws: int) -> NDArray[np.float64] | None:
        every = self.chances().reshape(3, -1).T
        return every[:: max(1, len(every) // n_draws)]

    def _priors(self, differences: Any) -> dict[str, Reread]:
        def read(rope: float) -> Probabilities:
            return self.predictive if rope == self.rope else means_of(self.chances(rope))

        return {"that of the model": read}

    def _draws(self) -> dict[str, NDArray[np.float64]]:
        better, same, worse = self.chances()
        return {
            "location": np.asarray(self.location_draws),
            "spread": np.asarray(self.spread_draws),
            "degrees": np.asarray(self.degrees_draws),
            "better": better,
            "same": same,
            "worse": worse,
        }


def shares_of(location: Numbers, spread: Numbers, degrees: Numbers, rope: float) -> Numbers:
    """Return the chances of the three on another data set, of every draw."""
    better = special.stdtr(degrees, (location - rope) / spread)
    worse = special.stdtr(degrees, (-rope - location) / spread)
    same = np.maximum(1 - better - worse, 0) if rope > 0 else np.zeros_like(better)
    return np.stack([better, same, worse])


def means_of(shares: Numbers) -> Probabilities:
    """Return the means over all draws."""
    return Probabilities(*shares.mean(axis=(1, 2)).tolist())


def errors_of(shares: Numbers) -> Probabilities:
    """Return Monte Carlo errors: the deviation over the root of the effective size."""
    found = (float(each.std()) / math.sqrt(effective_size(each, of="mean")) for each in shares)
    return Probabilities(*found)
