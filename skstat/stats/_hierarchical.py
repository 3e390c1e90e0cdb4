"""The hierarchical model: differences on many data sets, known by their splits, shrunken."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _chains as markov
from skstat.stats import _posterior as base
from skstat.stats._literature import CORANI_ET_AL_2017, VEHTARI_ET_AL_2021
from skstat.stats._noise import RELATIVE_RESOLUTION
from skstat.stats._procedure import procedure
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._score_table import DatasetSplits
from skstat.stats._scores import check_count

Numbers = NDArray[np.float64]

_FEW = 10  # data sets; with fewer the middle is not known better than one of them
_FAR_APART = 100  # spreads of splits whose data sets hardly have a unit in common


FEWEST_DATASETS = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class HierarchicalPosterior(base.DifferencePosterior):
    """What is probable on another data set, by a model of all data sets and their splits.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    probabilities : Probabilities
        Probabilities of the three on another data set.
    expected : Probabilities
        Probability of each of the three that it comes more often than the other two.
    probability_errors, expected_errors : Probabilities
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
    without_spread : tuple of str
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

    _not_written = ("location_draws", "spread_draws", "degrees_draws")
    subject = "the middle of the data sets"
    what, begins = "the difference on another data set", "By"
    by = "a hierarchical model of all data sets and their splits"
    also = ", with Markov chains"
    caveat = "of the same scores as the p-value, and those of the splits"
    said, where = " on another data set", "on another data set"
    model = (
        "the differences on the data sets follow Student's t law; those on the splits of a "
        "data set are normal about its own, with the correlation of their sizes; priors that "
        "say little"
    )
    another = "each has the probability {values} of coming most often on data sets like these"

    _signed = ("location", "raw", "shrunken", "location_draws")
    _ordered = (*base.DifferencePosterior._ordered, "probability_errors", "expected_errors")
    _rising = ("location_quantiles",)

    probability_errors: base.Probabilities
    expected_errors: base.Probabilities
    location: float
    location_quantiles: np.ndarray
    spread: float
    degrees: float
    datasets: tuple[str, ...]
    raw: np.ndarray
    shrunken: np.ndarray
    deviations: np.ndarray
    split_spreads: np.ndarray
    without_spread: tuple[str, ...] = ()  # type: ignore[misc]
    rhat: float
    bulk_size: float
    tail_size: float
    n_chains: int
    n_draws: int
    location_draws: Any = None
    spread_draws: Any = None
    degrees_draws: Any = None

    @property
    def monte_carlo_errors(self) -> base.Probabilities | None:
        return self.probability_errors

    @property
    def how_drawn(self) -> str:  # type: ignore[override]
        """What is known of the draws, behind their number."""
        return (
            f" of {self.n_chains} chains (R-hat {self.rhat:.3f}, effective sizes "
            f"{self.bulk_size:.0f} and {self.tail_size:.0f})"
        )

    @property
    def unequal_scales(self) -> bool:  # type: ignore[override]
        """Whether differences are drawn towards others that are on another scale."""
        known = self.split_spreads[self.split_spreads > 0]
        small, large = np.quantile(known, [0.1, 0.9])
        return bool(large > _FAR_APART * small)

    def _quantile(self, share: Any) -> Any:
        return base.from_quantiles(self.location_quantiles, share)

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
        if self.location_draws is None:
            raise ValueError(
                "a restored posterior has no draws of its chains, which are not stored: ask "
                f"hierarchical_posterior again, with rng={self.seed}."
            )
        draws = self.location_draws, self.spread_draws, self.degrees_draws
        return shares_of(*draws, self.rope if rope is None else rope)

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        own = self.probabilities if rope == self.rope else means_of(self.chances(rope))
        return {"that of the model": own}

    def _draws(self, differences: Any = None) -> dict[str, NDArray[np.float64]]:
        draws = (self.location_draws, self.spread_draws, self.degrees_draws, *self.chances())
        names = ("location", "spread", "degrees", "better", "same", "worse")
        return dict(zip(names, draws, strict=True))


def shares_of(location: Numbers, spread: Numbers, degrees: Numbers, rope: float) -> Numbers:
    """Return the chances of the three on another data set, of every draw."""
    better = special.stdtr(degrees, (location - rope) / spread)
    worse = special.stdtr(degrees, (-rope - location) / spread)
    same = np.maximum(1 - better - worse, 0) if rope > 0 else np.zeros_like(better)
    return np.stack([better, same, worse])


def means_of(shares: Numbers) -> base.Probabilities:
    """Return the means over all draws."""
    return base.Probabilities(*shares.mean(axis=(1, 2)).tolist())


def errors_of(shares: Numbers) -> base.Probabilities:
    """Return Monte Carlo errors: the deviation over the root of the effective size."""
    sizes = (math.sqrt(markov.effective_size(each, of="mean")) for each in shares)
    errors = (float(each.std()) / size for each, size in zip(shares, sizes, strict=True))
    return base.Probabilities(*errors)


@procedure(
    references=(CORANI_ET_AL_2017, VEHTARI_ET_AL_2021),
)
def hierarchical_posterior(
    sample: DatasetSplits,
    rope: float = 0.0,
    *,
    n_chains: int = 16,
    n_warmup: int = 200,
    n_draws: int = 1500,
    rng: int | np.random.Generator | None = None,
) -> HierarchicalPosterior:
    """Hierarchical model of the differences on many data sets, known by their splits.

    On data set i the differences of n_i splits are normal about its own expected difference,
    with the correlation ``rho_i = n_test / (n_train + n_test)``. The expected differences
    follow Student's t law over data sets, whose location, scale and degrees of freedom are
    unknown [1]_. So data sets whose splits vary much count less, and the difference on each is
    drawn towards the others, the more the less is known of it.

    Parameters
    ----------
    sample : DatasetSplits
        Scores of A and B on the splits of four data sets or more.
    rope : float, default=0.0
        Differences from -rope to rope are practically none, in the unit of the score.
    n_chains : int, default=16
        Markov chains, two or more.
    n_warmup : int, default=200
        Moves of each that do not count.
    n_draws : int, default=1500
        Moves of each that count; twice, or four times as many where the chains do not agree.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    HierarchicalPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A) are those of another
        data set; ``expected`` tells how probable it is that each comes most often.

    Raises
    ------
    ValueError
        If there are fewer than four data sets, most of them show no variance, or the means of
        all are equal; if `rope` is negative or not finite.
    ChainsDisagreeError
        If the chains do not agree (R-hat above 1.01, or an effective size below 400). It is a
        ValueError.

    See Also
    --------
    signed_rank_posterior : Takes the mean of every data set as exact.

    Notes
    -----
    Differences are divided by the mean of their standard deviations over splits, D. The priors
    are those of [1]_: the standard deviation on a data set is uniform up to 1000 D, the
    location uniform up to the largest difference of any split, the scale uniform up to 1000
    standard deviations of the means, and ``nu - 1`` has a gamma law, whose shape is uniform
    from 1 to 2, and whose rate from 0.01 to 0.1.

    The chains are those of a Gibbs sampler in which what has a formula is integrated out. They
    are compared by rank-normalised split R-hat and effective sizes [2]_ of the location and the
    logarithms of the scale and of nu - 1.

    A data set on which all splits have the same difference has the variance ``rope ** 2 / 3``
    of one that is uniform in the region, or without a region the smallest variance of the
    others. `without_spread` names it.

    References
    ----------
    .. [1] Corani, G., Benavoli, A., Demšar, J., Mangili, F. & Zaffalon, M. (2017). Statistical
       comparison of classifiers through Bayesian hierarchical modelling. Machine Learning, 106,
       1817-1837. :doi:`10.1007/s10994-017-5641-9`
    .. [2] Vehtari, A., Gelman, A., Simpson, D., Carpenter, B. & Bürkner, P.-C. (2021).
       Rank-normalization, folding, and localization: an improved R-hat for assessing
       convergence of MCMC. Bayesian Analysis, 16(2), 667-718. :doi:`10.1214/20-BA1221`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import DatasetSplits, PairedScores, hierarchical_posterior
    >>> rng = np.random.default_rng(0)
    >>> samples = {
    ...     f"data {i}": PairedScores(
    ...         0.8 + rng.normal(0.03, 0.02, 10), 0.8 + rng.normal(0, 0.02, 10), n_repeats=1
    ...     )
    ...     for i in range(10)
    ... }
    >>> found = hierarchical_posterior(DatasetSplits(samples), rope=0.01, rng=0)
    >>> found.probabilities.better > 0.9, found.rhat < 1.01
    (True, True)
    """
    rope = base.check_rope(rope)
    check_count("n_warmup", n_warmup)
    check_count("n_chains", n_chains, least=2)
    check_count("n_draws", n_draws, least=4)
    summaries, spreads, without = _summaries(sample, rope)
    size, seed = float(spreads.mean()), draw_seed(rng)
    chains = markov.Chains(summaries, stream(np.random.SeedSequence(seed)), n_chains)
    for _ in range(n_warmup):
        chains.move()
    for more in (n_draws, n_draws, 2 * n_draws):  # until they agree
        location, spread, degrees = chains.run(more)
        found = markov.diagnose(location, np.log(spread), np.log(degrees - 1))
        if found.agree:
            break
    else:
        raise markov.ChainsDisagreeError(
            f"the chains do not agree after {location.shape[1]} draws of each of {n_chains}: "
            f"R-hat is {found.rhat:.3f} (at most {markov.MOST_RHAT}), the effective sizes are "
            f"{found.bulk:.0f} in the middle and {found.tail:.0f} in the tails (at least "
            f"{markov.LEAST_SIZE}). Try more draws (n_draws=), or signed_rank_posterior."
        )
    shares = shares_of(location, spread, degrees, rope / size)
    first = np.stack([each == shares.max(axis=0) for each in shares]).astype(float)
    first /= first.sum(axis=0)
    effects, deviations = chains.effect_moments
    return HierarchicalPosterior(
        rope=rope,
        probabilities=means_of(shares),
        expected=means_of(first),
        n_seen=len(sample.names),
        fewest=_FEW,
        n_drawn=location.size,
        probability_errors=errors_of(shares),
        expected_errors=errors_of(first),
        location=float(location.mean()) * size,
        location_quantiles=base.quantiles_of(location) * size,
        spread=float(spread.mean()) * size,
        degrees=float(degrees.mean()),
        datasets=sample.names,
        raw=summaries.means * size,
        shrunken=effects * size,
        deviations=deviations * size,
        split_spreads=spreads,
        without_spread=without,
        rhat=found.rhat,
        bulk_size=found.bulk,
        tail_size=found.tail,
        n_chains=n_chains,
        n_draws=location.shape[1],
        seed=seed,
        location_draws=location * size,
        spread_draws=spread * size,
        degrees_draws=degrees,
    )


def _summaries(sample: DatasetSplits, rope: float) -> tuple[Any, Numbers, tuple[str, ...]]:
    """Return what the model needs, in units of the mean spread; the spreads; who has none."""
    parts = list(sample.samples.values())
    if len(parts) < FEWEST_DATASETS:
        raise ValueError(
            f"hierarchical_posterior needs {FEWEST_DATASETS} data sets or more, got "
            f"{len(parts)}: with fewer the prior of the scale decides. Compare on each of them."
        )
    spreads = np.array([float(np.std(part.differences)) for part in parts])
    spreads = np.where(spreads > [part.resolution for part in parts], spreads, 0.0)
    without = tuple(name for name, own in zip(sample.names, spreads, strict=True) if not own)
    if 2 * len(without) > len(parts):
        raise ValueError(
            f"on {len(without)} of {len(parts)} data sets all splits have the same difference. "
            "Use signed_rank_posterior, which needs the means alone."
        )
    size = float(spreads.mean())
    n_splits = np.array([part.n_units for part in parts], dtype=float)
    means = np.array([float(part.differences.mean()) for part in parts]) / size
    largest = max(float(np.abs(part.differences).max()) for part in parts) / size
    if np.ptp(means) <= RELATIVE_RESOLUTION * largest:
        what = "the mean difference is the same on all data sets"
        raise ValueError(f"{what}: use signed_rank_posterior.")
    squares = n_splits * (spreads / size) ** 2
    known = spreads > 0
    variance = (rope / size) ** 2 / 3
    if rope == 0:
        variance = float((squares[known] / (n_splits[known] - 1)).min())
    squares = np.where(known, squares, n_splits * variance)
    ratios = np.array([float(part.test_train_ratio or 0) for part in parts])
    correlations = ratios / (1 + ratios)
    return markov.Summaries(means, squares, n_splits, correlations, largest), spreads, without
