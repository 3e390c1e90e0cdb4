"""The hierarchical model of differences on many data sets, each estimated from splits."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from skstat.stats import _chance as tails
from skstat.stats import _posterior as base
from skstat.stats._ordering import RELATIVE_RESOLUTION
from skstat.stats._procedure import procedure, works
from skstat.stats._score_table import DatasetSplits
from skstat.stats._scores import check_count
from skstat.stats._stored import Numbers

_FEW = 10  # data sets; with fewer the middle is not known better than one of them
_FAR_APART = 100  # ratio of the spreads of splits from which scales are called unequal


FEWEST_DATASETS = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class HierarchicalPosterior(base.DrawnPosterior):
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
    quantiles : ndarray of shape (999,)
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

    probability_errors: base.Probabilities
    expected_errors: base.Probabilities
    location: float
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
        """Whether the data sets are on scales too different to be shrunken to each other."""
        spreads = self.split_spreads[self.split_spreads > 0]
        small, large = np.quantile(spreads, [0.1, 0.9])
        return bool(large > _FAR_APART * small)

    def chances(self, rope: float | None = None) -> Numbers:
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
            raise ValueError(f"a restored posterior has no chains; ask with rng={self.seed}.")
        draws = self.location_draws, self.spread_draws, self.degrees_draws
        return shares_of(*draws, self.rope if rope is None else rope)

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        result = self.probabilities if rope == self.rope else means_of(self.chances(rope))
        return {"that of the model": result}

    def _draws(self, differences: Any = None) -> dict[str, Numbers]:
        draws = (self.location_draws, self.spread_draws, self.degrees_draws, *self.chances())
        names = ("location", "spread", "degrees", "better", "same", "worse")
        return dict(zip(names, draws, strict=True))


def shares_of(location: Numbers, spread: Numbers, degrees: Numbers, rope: float) -> Numbers:
    """Return the chances of better, same and worse on another data set, for every draw."""
    better = special.stdtr(degrees, (location - rope) / spread)
    worse = special.stdtr(degrees, (-rope - location) / spread)
    same = np.maximum(1 - better - worse, 0) if rope > 0 else np.zeros_like(better)
    return np.stack([better, same, worse])


def means_of(shares: Numbers) -> base.Probabilities:
    """Return the mean chances over all draws."""
    return base.Probabilities(*shares.mean(axis=(1, 2)).tolist())


def errors_of(shares: Numbers) -> base.Probabilities:
    """Return Monte Carlo errors: the deviation over the root of the effective size."""
    errors = (float(draws.std()) / math.sqrt(effective_size(draws, "mean")) for draws in shares)
    return base.Probabilities(*errors)


@procedure(references=(works.CORANI_ET_AL_2017, works.VEHTARI_ET_AL_2021))
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
    ValueError
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
    >>> result = hierarchical_posterior(DatasetSplits(samples), rope=0.01, rng=0)
    >>> result.probabilities.better > 0.9, result.rhat < 1.01
    (True, True)
    """
    rope = base.check_rope(rope)
    check_count("n_warmup", n_warmup)
    check_count("n_chains", n_chains, least=2)
    check_count("n_draws", n_draws, least=4)
    summaries, spreads, without = _summaries(sample, rope)
    size, seed = float(spreads.mean()), tails.draw_seed(rng)
    chains = Chains(summaries, tails.stream(np.random.SeedSequence(seed)), n_chains)
    for _ in range(n_warmup):
        chains.move()
    for n_more in (n_draws, n_draws, 2 * n_draws):  # until they agree
        location, spread, degrees = chains.run(n_more)
        parameters = location, np.log(spread), np.log(degrees - 1)
        rhat = max(map(split_rhat, parameters))
        bulk, tail = (min(effective_size(p, by) for p in parameters) for by in ("bulk", "tail"))
        if rhat <= MAX_RHAT and min(bulk, tail) >= MIN_SIZE:
            break
    else:
        raise ValueError(
            f"the chains do not agree after {location.shape[1]} draws of each of {n_chains}: "
            f"R-hat is {rhat:.3f} (at most {MAX_RHAT}), the effective sizes are "
            f"{bulk:.0f} in the middle and {tail:.0f} in the tails (at least "
            f"{MIN_SIZE}). Try more draws (n_draws=), or signed_rank_posterior."
        )
    shares = shares_of(location, spread, degrees, rope / size)
    first = np.stack([share == shares.max(axis=0) for share in shares]).astype(float)
    first /= first.sum(axis=0)
    effects = np.concatenate(chains.effect_draws) * size
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
        quantiles=base.quantiles_of(location) * size,
        spread=float(spread.mean()) * size,
        degrees=float(degrees.mean()),
        datasets=sample.names,
        raw=summaries.means * size,
        shrunken=effects.mean(axis=0),
        deviations=effects.std(axis=0),
        split_spreads=spreads,
        without_spread=without,
        rhat=rhat,
        bulk_size=bulk,
        tail_size=tail,
        n_chains=n_chains,
        n_draws=location.shape[1],
        seed=seed,
        location_draws=location * size,
        spread_draws=spread * size,
        degrees_draws=degrees,
    )


def _summaries(sample: DatasetSplits, rope: float) -> tuple[Any, Numbers, tuple[str, ...]]:
    """Return sufficient statistics in units of the mean spread, spreads, and names without."""
    parts = list(sample.samples.values())
    if len(parts) < FEWEST_DATASETS:
        raise ValueError(f"hierarchical_posterior needs {FEWEST_DATASETS} data sets or more.")
    spreads = np.array([float(np.std(part.differences)) for part in parts])
    spreads = np.where(spreads > [part.resolution for part in parts], spreads, 0.0)
    flat = tuple(name for name, size in zip(sample.names, spreads, strict=True) if not size)
    if 2 * len(flat) > len(parts):
        raise ValueError(
            f"on {len(flat)} of {len(parts)} data sets all splits have the same difference. "
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
    varying = spreads > 0
    variance = (rope / size) ** 2 / 3
    if rope == 0:
        variance = float((squares[varying] / (n_splits[varying] - 1)).min())
    squares = np.where(varying, squares, n_splits * variance)
    ratios = np.array([float(part.test_train_ratio or 0) for part in parts])
    correlations = ratios / (1 + ratios)
    factors = (1 + (n_splits - 1) * correlations) / n_splits
    data = Summaries(means, squares / (1 - correlations), n_splits, factors, largest)
    return data, spreads, flat


# --- the sampler: chains move together; they are rows of states, and data sets columns ---

MAX_RHAT, MIN_SIZE = 1.01, 400

LogDensity = Callable[[Numbers], Numbers]


def split_rhat(draws: Numbers) -> float:
    """Return the rank-normalised split R-hat, for the location and the spread of chains.

    Every chain is cut into halves; the draws are replaced by normal scores of their ranks, and
    so are their distances from the median. It is the larger of both ``sqrt(((n - 1) / n W + B
    / n) / W)``, with the variances W within and B between the halves.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws)
        Draws of one parameter.

    Returns
    -------
    float
        1 where the chains agree; nan where nothing varies.
    """
    halves = _halves(draws)
    folded = np.abs(halves - np.median(halves))
    return max(_rhat(_normal_scores(scores)) for scores in (halves, folded))


def effective_size(draws: Numbers, kind: str = "bulk") -> float:
    """Return the effective sample size: the equivalent number of independent draws.

    By Geyer's initial monotone sequence of autocorrelations, pooled over the halves of all
    chains.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws)
        Draws of one parameter.
    kind : {"bulk", "tail", "mean"}, default="bulk"
        ``"bulk"``: of normal scores of the ranks. ``"tail"``: of being below the quantile 0.05,
        or below 0.95, whichever is less. ``"mean"``: of the draws as they are.

    Returns
    -------
    float
        The effective size; the number of draws where nothing varies.
    """
    if kind == "tail":
        ends = np.quantile(draws, (0.05, 0.95))
        return min(_size(_halves((draws <= end).astype(float))) for end in ends)
    halves = _halves(draws)
    return _size(_normal_scores(halves) if kind == "bulk" else halves)


def _halves(draws: Numbers) -> Numbers:
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws: Numbers) -> Numbers:
    ranks = tails.laws().rankdata(draws, axis=None).reshape(draws.shape)
    return np.asarray(special.ndtri((ranks - 0.375) / (draws.size + 0.25)))


def _rhat(draws: Numbers) -> float:
    n = draws.shape[1]
    within = float(draws.var(axis=1, ddof=1).mean())
    between = float(draws.mean(axis=1).var(ddof=1))  # B / n
    if within == 0:
        return math.nan if between == 0 else math.inf
    return math.sqrt(((n - 1) / n * within + between) / within)


def _size(draws: Numbers) -> float:
    n = draws.shape[1]
    if np.ptp(draws) == 0:
        return float(draws.size)
    # Autocovariances, the mean of those of every chain, by Fourier transforms.
    length = 1 << (2 * n - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(draws - draws.mean(axis=1, keepdims=True), length)) ** 2
    covariances = np.fft.irfft(spectrum, length)[:, :n].mean(axis=0) / n
    within = covariances[0] * n / (n - 1)
    total = covariances[0] + draws.mean(axis=1).var(ddof=1)
    rho = 1 - (within - covariances) / total
    rho[0] = 1.0
    # Sums of neighbours are positive and decrease, as those of a reversible chain do.
    pairs = rho[: 2 * ((n - 1) // 2)].reshape(-1, 2).sum(axis=1)
    last = int(np.argmax(pairs < 0)) if (pairs < 0).any() else len(pairs) - 1
    decreasing = np.minimum.accumulate(pairs[:last])
    # Add the first of the next pair, if it is positive.
    time = -1 + 2 * float(decreasing.sum()) + max(0.0, float(rho[2 * last]))
    time = max(time, 1 / math.log10(draws.size))  # bound for antithetic chains
    return draws.size / time


class Summaries(NamedTuple):
    """Sufficient statistics of the data sets.

    Attributes
    ----------
    means : ndarray of shape (n_datasets,)
        Mean difference over the splits.
    squares : ndarray of shape (n_datasets,)
        Sum of squared deviations from it, over 1 less the correlation of two splits.
    n_splits : ndarray of shape (n_datasets,)
        Number of splits.
    factors : ndarray of shape (n_datasets,)
        Variance of the mean, of which the variance of a split is one.
    largest : float
        Size of the largest difference of any split.
    """

    means: Numbers
    squares: Numbers
    n_splits: Numbers
    factors: Numbers
    largest: float


@cache
def _prior() -> tuple[Numbers, Numbers, Numbers]:
    """Tabulate the prior of nu - 1: a gamma law whose shape and rate have uniform priors.

    ``nu - 1 ~ Gamma(shape, rate)``, ``shape ~ U(1, 2)``, ``rate ~ U(0.01, 0.1)``. Shape and
    rate are integrated out. Returns cumulative chances, log(nu - 1), and the quartiles of t.
    """
    nodes, weights = np.polynomial.legendre.leggauss(24)
    shapes, rates = np.meshgrid(1.5 + nodes / 2, 0.055 + 0.045 * nodes, indexing="ij")
    logs = np.linspace(math.log(1e-4), math.log(5e3), 4001)
    below = special.gammainc(shapes.reshape(-1, 1), np.outer(rates, np.exp(logs)))
    chances = np.outer(weights, weights).ravel() / 4 @ below
    # Interpolation needs an increasing function, and the upper end is 1 to the last bit.
    rising = np.r_[True, np.diff(np.maximum.accumulate(chances)) > 0]
    logs = logs[rising]
    return chances[rising], logs, special.stdtrit(1 + np.exp(logs), 0.75)


def _degrees(u: Numbers) -> Numbers:
    """Return the degrees of freedom nu at quantiles of their prior."""
    chances, logs, _ = _prior()
    return np.asarray(1 + np.exp(np.interp(u, chances, logs)))


def _quartile(u: Numbers) -> Numbers:
    """Return the upper quartile of Student's t with these degrees of freedom."""
    chances, _, quartiles = _prior()
    return np.interp(u, chances, quartiles)


class Chains:
    """States of several chains, and their draws.

    The differences of every data set are in units of the mean spread over splits.
    """

    def __init__(self, data: Summaries, rng: np.random.Generator, n_chains: int) -> None:
        self.data, self.rng, means = data, rng, data.means
        self.width = float(means.std())
        self.limit = 1000 * self.width
        error = 2 * self.width / math.sqrt(len(means))
        start = np.median(means) + error * rng.standard_normal(n_chains)
        self.location = np.clip(start, -data.largest, data.largest)
        self.spread = self.width * np.exp(rng.standard_normal(n_chains))
        self.u = rng.uniform(0.05, 0.95, n_chains)
        self.effects = np.tile(means, (n_chains, 1))
        self.weights = np.ones_like(self.effects)
        self.draws: list[tuple[Numbers, Numbers, Numbers]] = []
        self.effect_draws: list[Numbers] = []

    def run(self, n_draws: int) -> Numbers:
        """Move all chains, and return all states so far.

        These are location, spread and degrees of freedom, each of shape (n_chains, n_draws).
        """
        for _ in range(n_draws):
            self.move()
            self.draws.append((self.location, self.spread, _degrees(self.u)))
            self.effect_draws.append(self.effects)
        return np.array(self.draws).transpose(1, 2, 0)

    def move(self) -> None:
        """Move all chains by one step."""
        data, rng = self.data, self.rng
        # The variances on the data sets, given the effects.
        squares = data.squares + (data.means - self.effects) ** 2 / data.factors
        drawn = rng.standard_gamma(np.broadcast_to((data.n_splits - 1) / 2, squares.shape))
        self._move_together(data.factors * squares / 2 / drawn)
        apart = self.effects - self.location[:, None]
        squares = apart**2

        def log_t(spread: Numbers, u: Numbers) -> Numbers:
            """Log density of the effects, with the weights integrated out."""
            degrees = _degrees(u)
            each = special.gammaln((degrees + 1) / 2) - special.gammaln(degrees / 2)
            each = each - np.log(degrees * math.pi) / 2 - np.log(spread)
            tail = np.log1p(squares / (degrees * spread**2)[:, None]).sum(axis=1)
            return np.asarray(squares.shape[1] * each - (degrees + 1) / 2 * tail)

        def along(u: Numbers) -> Numbers:
            """Log density of the degrees of freedom, with the upper quartile of t fixed."""
            spread = fixed / _quartile(u)
            return np.where(spread < self.limit, log_t(spread, u) + np.log(spread), -np.inf)

        self.u = _slice(rng, self.u, lambda u: log_t(self.spread, u))
        self._slice_spread(lambda spread: log_t(spread, self.u))
        fixed = self.spread * _quartile(self.u)
        self.u = _slice(rng, self.u, along)
        self.spread = fixed / _quartile(self.u)
        self._slice_spread(lambda spread: log_t(spread, self.u))
        degrees = _degrees(self.u)[:, None]
        drawn = rng.standard_gamma(np.broadcast_to((degrees + 1) / 2, apart.shape))
        self.weights = 2 * drawn / (degrees + (apart / self.spread[:, None]) ** 2)

    def _move_together(self, variances: Numbers) -> None:
        """Move the spread, the location and the effects, each given the ones before."""
        means, largest = self.data.means, self.data.largest

        def conditional(spread: Numbers) -> tuple[Numbers, Numbers, Numbers]:
            precisions = 1 / (variances + spread[:, None] ** 2 / self.weights)
            total = precisions.sum(axis=1)
            return precisions, total, (precisions @ means) / total

        def log_density(spread: Numbers) -> Numbers:
            precisions, total, mean = conditional(spread)
            quadratic = precisions @ means**2 - total * mean**2
            # The mean lies between the ends, so that low and high do not both round to 1.
            ends = (np.sqrt(total) * (end - mean) for end in (-largest, largest))
            low, high = map(special.ndtr, ends)
            log_p = (np.log(precisions).sum(axis=1) - np.log(total) - quadratic) / 2
            return np.asarray(log_p + np.log(high - low))

        self._slice_spread(log_density)
        _, total, mean = conditional(self.spread)
        self.location = _truncated_normal(self.rng, mean, 1 / np.sqrt(total), largest)
        between = self.spread[:, None] ** 2 / self.weights
        center = (means * between + self.location[:, None] * variances) / (variances + between)
        deviation = np.sqrt(variances * between / (variances + between))
        self.effects = center + deviation * self.rng.standard_normal(center.shape)

    def _slice_spread(self, log_density: LogDensity) -> None:
        """Draw the next spread of every chain by ``v = spread / (spread + width)``, below 1."""
        width, upper = self.width, self.limit

        def of_share(v: Numbers) -> Numbers:
            return log_density(width * v / (1 - v)) - 2 * np.log1p(-v)

        v = self.spread / (self.spread + width)
        v = _slice(self.rng, v, of_share, upper / (upper + width))
        self.spread = width * v / (1 - v)


def _truncated_normal(
    rng: np.random.Generator, mean: Numbers, deviation: Numbers, largest: float
) -> Numbers:
    """Draw normal numbers between -largest and largest, by the inverse of their law."""
    sign = np.where(mean < 0, -1.0, 1.0)  # the tail that is cut off is the upper one
    mean = sign * mean
    low = special.ndtr((-largest - mean) / deviation)
    high = special.ndtr((largest - mean) / deviation)
    drawn = special.ndtri(low + (high - low) * rng.random(mean.shape))
    values = np.clip(mean + deviation * drawn, -largest, largest)
    return np.asarray(sign * values)


def _slice(
    rng: np.random.Generator, state: Numbers, log_density: LogDensity, upper: float = 1.0
) -> Numbers:
    """Draw the next state of every chain, from 0 to `most`, from a slice of its density.

    The interval shrinks to the state until a draw is in the slice (Neal, 2003).
    """
    level = log_density(state) - rng.standard_exponential(state.shape)
    left, right = np.zeros_like(state), np.full_like(state, upper)
    result = state.copy()
    open_ = np.ones(state.shape, dtype=bool)
    while open_.any():
        drawn = left + (right - left) * rng.random(state.shape)
        accepted = open_ & (log_density(drawn) >= level)
        result = np.where(accepted, drawn, result)
        open_ &= ~accepted
        left = np.where(open_ & (drawn < state), drawn, left)
        right = np.where(open_ & (drawn >= state), drawn, right)
        # The state itself is in the slice: an interval that has shrunk to it ends there.
        open_ &= right - left > 1e-14 * (np.abs(state) + 1e-300)
    return result
