"""The Bayesian sign test: how often A is better on units like these, by a Dirichlet law."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._literature import BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017
from skstat.stats._outcomes import CHAINS, Probabilities, Reread, check_rope
from skstat.stats._paired.region_posterior import (
    Prior,
    RegionPosterior,
    chance_of_largest,
    check_strength,
    noise_of,
    prior_weights,
)
from skstat.stats._samples import PairedScores, warn_if_dependent

STRENGTH = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class SignPosterior(RegionPosterior):
    """Dirichlet law of how often A is better, both are practically the same, or B is better.

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
        Ends of `largest`, whichever of the three the prior is put on.
    n_units : int
        Units that were seen.
    strength : float
        Units that the prior stands for.
    weights : Probabilities
        Parameters of the law: units of each kind, with those of the prior.
    references : tuple of Reference
        The works that describe it.
    """

    _ordered: ClassVar[tuple[str, ...]] = (*RegionPosterior._ordered, "weights")
    subject = "how often each comes on units like these"
    lead = "By the Bayesian sign test"
    caveat = "of the same scores as the p-value"
    model = (
        "every unit is one of three kinds, with unknown chances that have a Dirichlet prior of "
        "the strength of one unit"
    )
    done = (
        "Probabilities of what comes most often were computed{for_pairs} by the Bayesian sign "
        "test{works}"
    )
    another = "on another {unit} they are expected with {values}"

    weights: Probabilities

    def _chances(self, differences: Any, n_draws: int) -> NDArray[np.float64] | None:
        return self._drawn(n_draws)

    def _priors(self, differences: Any) -> dict[str, Reread]:
        def read(prior: Prior) -> Reread:
            return lambda rope: (
                of_signs(differences, rope, strength=self.strength, prior=prior).largest
            )

        size = f"{self.strength:g} unit{'s' * (self.strength != 1)} for"
        return {
            f"{size} neither": read("same"),
            f"{size} A": read("better"),
            f"{size} B": read("worse"),
        }

    def _draws(self) -> dict[str, NDArray[np.float64]]:
        drawn = self._drawn(CHAINS)
        return dict(zip(Probabilities._fields, np.moveaxis(drawn, -1, 0), strict=True))

    def _drawn(self, size: int | tuple[int, ...]) -> NDArray[np.float64]:
        """Draw chances of the three; a kind that has no weight has none."""
        size = (size,) if isinstance(size, int) else size
        gamma = np.random.default_rng(0).standard_gamma(self.weights, (*size, 3))
        return np.asarray(gamma / gamma.sum(axis=-1, keepdims=True))


@procedure(independent_units=True, references=(BENAVOLI_ET_AL_2014,))
def sign_posterior(
    sample: PairedScores,
    rope: float = 0.0,
    *,
    strength: float = STRENGTH,
    prior: Prior = "same",
) -> SignPosterior:
    """Bayesian sign test: what comes most often on units like these.

    On another unit A is better by more than `rope`, or B is, or neither, with unknown chances.
    With a Dirichlet prior these have a Dirichlet law after the scores, whose parameters are the
    counts of the three kinds, and the prior's [1]_ [2]_. Given is the probability that the
    chance of each is the largest. It is computed without drawing.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units, such as data sets.
    rope : float, default=0.0
        Differences from -rope to rope are practically none, in the unit of the score.
    strength : float, default=1.0
        Units that the prior stands for.
    prior : {"same", "better", "worse"}, default="same"
        The kind that these are. Without a region, ``"same"`` is one half of ``"better"`` and
        one half of ``"worse"``.

    Returns
    -------
    SignPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A) and ``shares``.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, `strength` is not above 0, or `prior` is unknown.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    See Also
    --------
    signed_rank_posterior : Looks at the sizes of the differences too.
    sign : The test with a p-value.

    Notes
    -----
    With ``rope=0`` a difference of 0 counts one half for either system. The probabilities are
    not adjusted where several comparisons are made.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Mangili, F., Zaffalon, M. & Ruggeri, F. (2014). A Bayesian
       Wilcoxon signed-rank test based on the Dirichlet process. ICML, 1026-1034.
    .. [2] Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis. Journal of Machine
       Learning Research, 18(77), 1-36.

    Examples
    --------
    >>> from skstat.stats import PairedScores, sign_posterior
    >>> a = [0.85, 0.72, 0.91, 0.64, 0.77, 0.80, 0.93, 0.69]
    >>> b = [0.80, 0.70, 0.85, 0.65, 0.70, 0.75, 0.92, 0.61]
    >>> found = sign_posterior(PairedScores(a, b, unit="dataset"), rope=0.01)
    >>> found.weights
    Probabilities(better=6.0, same=3.0, worse=0.0)
    >>> [round(probability, 3) for probability in found.probabilities]
    [0.855, 0.145, 0.0]
    """
    warn_if_dependent(sample, "sign_posterior")
    return of_signs(sample.differences, check_rope(rope), strength=strength, prior=prior)


def of_signs(
    differences: NDArray[np.float64],
    rope: float,
    *,
    strength: float = STRENGTH,
    prior: Prior = "same",
) -> SignPosterior:
    """Return the posterior from the differences."""
    strength = check_strength(strength)
    noise = noise_of(differences, rope)
    better = int(np.sum(differences > rope + noise))
    worse = int(np.sum(differences < -rope - noise))
    same = len(differences) - better - worse
    counts = np.array([better, same, worse], dtype=float)
    if rope == 0:
        counts = np.array([better + same / 2, 0.0, worse + same / 2])
    kinds: tuple[Prior, ...] = ("same", "better", "worse") if rope > 0 else ("better", "worse")
    weights = counts + prior_weights(prior, strength, rope)
    largest = chance_of_largest(weights)
    every = [
        chance_of_largest(counts + prior_weights(other, strength, rope))
        for other in kinds
        if other != prior
    ]
    return SignPosterior(
        rope=rope,
        largest=Probabilities(*largest.tolist()),
        shares=Probabilities(*(weights / weights.sum()).tolist()),
        n_units=len(differences),
        strength=strength,
        weights=Probabilities(*weights.tolist()),
        lowest=Probabilities(*np.min([largest, *every], axis=0).tolist()),
        highest=Probabilities(*np.max([largest, *every], axis=0).tolist()),
        references=(BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017),
    )
