"""The Bayesian bootstrap: the difference of any metric on a test set, as probabilities."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._bootstrap import scores_drawn
from skstat.stats._common import procedure, root_between
from skstat.stats._kernels import (
    COPIES,
    CallableKernel,
    Kernel,
    Workers,
    bootstrap,
    kernel_of_means,
    largest_share,
)
from skstat.stats._literature import ALTHAM_1971, RUBIN_1981
from skstat.stats._posterior import (
    CHAINS,
    BestOfDraws,
    BestPosterior,
    CredibleInterval,
    DifferencePosterior,
    Probabilities,
    Reread,
    between_quantiles,
    check_rope,
    density_of_quantiles,
    from_quantiles,
    quantiles_of,
    sceptical,
)
from skstat.stats._resampling import DEFAULT_RESAMPLES, draw_seed, stream
from skstat.stats._samples import (
    AgreementTable,
    PairedPredictions,
    PairedScores,
    Predictions,
    check_count,
    resolution_of,
)
from skstat.stats._words import smallest_of_signs

# Rows that the prior stands for: half a row of each kind (Jeffreys).
STRENGTH = 2.0
_PROBABLE = 0.95
_AT_ONCE = 1 << 20  # numbers of a block of draws
# Nodes of the double exponential rule; what is left out beyond its ends is below 1e-18.
_NODES = np.linspace(-3.4, 3.4, 273)
_LEFT_OUT = 1e-18

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreementPosterior(DifferencePosterior):
    """Dirichlet law of how often both, only A, only B or neither is right.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, as a share of the rows.
        0 for no region.
    only_a, only_b, n : int
        Rows on which only A, and only B, is right, and all rows.
    references : tuple of Reference
        The works that describe it.
    """

    made_by: ClassVar[str] = "agreement_posterior(sample)"
    subject = "the expected difference"
    lead = "Read as probabilities, by a Dirichlet law of right and wrong answers"
    caveat = "of the same rows as the p-value"
    done = (
        "Probabilities of the difference were computed{for_pairs} by a Dirichlet law of right "
        "and wrong answers{works}, with the prior of Jeffreys"
    )
    model = (
        "a row is of one of four kinds (both, only one, only the other, or neither is right), "
        "with unknown chances that have a Dirichlet prior of half a row each"
    )

    _swapped = ("only_a", "only_b")

    only_a: int
    only_b: int
    n: int

    @property
    def weights(self) -> tuple[float, float, float]:
        """Parameters of the law: rows of only A, of only B, and of both or neither right."""
        half = STRENGTH / 4
        return (
            self.only_a + half,
            self.only_b + half,
            self.n - self.only_a - self.only_b + 2 * half,
        )

    @property
    def probabilities(self) -> Probabilities:
        return _three(self.weights, self.rope)

    @property
    def _placed(self) -> dict[str, list[float]]:
        """Weights with the prior of Jeffreys, and with all of it on one kind of row."""
        same = self.n - self.only_a - self.only_b
        counts = np.array([self.only_a, self.only_b, same], dtype=float)
        kinds = ("A", "B", "neither")
        return {"Jeffreys": list(self.weights)} | {
            f"two rows for {kind}": (counts + STRENGTH * np.eye(3)[place]).tolist()
            for place, kind in enumerate(kinds)
        }

    @property
    def bounds(self) -> tuple[Probabilities, Probabilities]:  # type: ignore[override]
        """Lowest and highest probabilities, wherever the prior lies."""
        every = np.array([_three(weights, self.rope) for weights in self._placed.values()])
        low, high = every.min(axis=0).tolist(), every.max(axis=0).tolist()
        return Probabilities(*low), Probabilities(*high)

    @property
    def prior_decides(self) -> bool:  # type: ignore[override]
        """Whether what has a probability of 0.95 depends on where the prior lies."""
        low, high = self.bounds or ((), ())
        return any(a < _PROBABLE <= b for a, b in zip(low, high, strict=True))

    def probability_above(self, bound: float) -> float:
        """Probability that A is better than B by more than a bound.

        Parameters
        ----------
        bound : float
            The bound, a share of the rows; below 0, that B is not better by so much.

        Returns
        -------
        float
            A probability.
        """
        a, b, same = self.weights
        return _above(a, b, same, bound) if bound >= 0 else 1 - _above(b, a, same, -bound)

    def _between(self, confidence_level: float) -> CredibleInterval:
        tail = (1 - confidence_level) / 2
        return CredibleInterval(self._quantile(tail), self._quantile(1 - tail))

    def _quantile(self, share: float) -> float:
        def excess(difference: float) -> float:
            return self.probability_above(difference) - (1 - share)

        return root_between(excess, -1.0, 1.0, xtol=1e-9)

    def density(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """Density of the law, to be drawn.

        Parameters
        ----------
        differences : ndarray
            Where, in rising order.

        Returns
        -------
        ndarray
            The density about every difference; it integrates to 1.
        """
        at = np.asarray(differences, dtype=float)
        middles = (at[1:] + at[:-1]) / 2
        edges = np.concatenate([[2 * at[0] - middles[0]], middles, [2 * at[-1] - middles[-1]]])
        above = np.array([self.probability_above(edge) for edge in edges.tolist()])
        return np.asarray(np.maximum(0.0, -np.diff(above) / np.diff(edges)))

    def _law(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        at = np.linspace(*self.credible_interval(0.999), 161)
        return at, self.density(at)

    def _priors(self, differences: Any) -> dict[str, Reread]:
        return {
            name: lambda rope, own=own: _three(own, rope) for name, own in self._placed.items()
        } | sceptical(self)

    def _draws(self) -> dict[str, NDArray[np.float64]]:
        drawn = np.random.default_rng(0).dirichlet(self.weights, CHAINS)
        only_a, only_b = drawn[..., 0], drawn[..., 1]
        return {"only_a": only_a, "only_b": only_b, "difference": only_a - only_b}


@procedure(
    when="of counts of right and wrong answers", units=("instance",), references=(ALTHAM_1971,)
)
def agreement_posterior(
    sample: AgreementTable | PairedScores, rope: float = 0.0
) -> AgreementPosterior:
    """Posterior of the difference in accuracy of two systems on the same rows.

    On a row both are right, only A, only B, or neither is, with unknown chances. With a
    Dirichlet prior these have a Dirichlet law after the rows, whose parameters are the counts
    of the four kinds, and the prior's [1]_: half a row of each kind, the prior of Jeffreys. The
    difference in accuracy is the chance of "only A" minus that of "only B". Its law is
    computed without drawing, for few rows as for many.

    Parameters
    ----------
    sample : AgreementTable or PairedScores
        The counts, or scores 1 (right) and 0 (wrong) of every instance.
    rope : float, default=0.0
        Differences in accuracy from -rope to rope are practically none.

    Returns
    -------
    AgreementPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A), and
        ``credible_interval()``.

    Raises
    ------
    ValueError
        If a score is neither 0 nor 1, a unit is not an instance, or `rope` is negative or not
        finite.

    See Also
    --------
    mcnemar : The test with a p-value.
    bootstrap_posterior : The same of any metric.

    Notes
    -----
    Let (a, b, c) be the counts of only A, of only B, and of the other rows, with the prior's
    share. The chance s that exactly one is right follows Beta(a + b, c), and the chance u that
    it is A then, Beta(a, b), independent of s. Without a region the probability that A is
    better is that of u above one half; with one it is
    ``integral_{rope}^{1} P(u > (1 + rope / s) / 2) dBeta(s)``, by a double exponential rule on
    273 nodes.

    Identical systems are not certain to be the same: 30 rows without a difference leave room
    for one that 3000 rows would show.

    References
    ----------
    .. [1] Altham, P. M. E. (1971). The analysis of matched proportions. Biometrika, 58(3),
       561-576. :doi:`10.1093/biomet/58.3.561`

    Examples
    --------
    >>> from skstat.stats import AgreementTable, agreement_posterior
    >>> table = AgreementTable(both=54, only_a=18, only_b=6, neither=22)
    >>> found = agreement_posterior(table, rope=0.02)
    >>> [round(probability, 3) for probability in found.probabilities]
    [0.981, 0.017, 0.002]
    >>> [round(limit, 3) for limit in found.credible_interval()]
    [0.026, 0.212]
    """
    rope = check_rope(rope)
    table = sample if isinstance(sample, AgreementTable) else AgreementTable.from_scores(sample)
    return of_agreement(table.only_a, table.only_b, table.n_units, rope)


def of_agreement(only_a: int, only_b: int, n: int, rope: float) -> AgreementPosterior:
    """Return the posterior from the counts."""
    return AgreementPosterior(
        rope=rope, only_a=only_a, only_b=only_b, n=n, references=(ALTHAM_1971,)
    )


def _three(weights: Sequence[float], rope: float) -> Probabilities:
    a, b, same = weights
    better, worse = _above(a, b, same, rope), _above(b, a, same, rope)
    if rope == 0:  # both unknown chances are the same with a chance of 0, unless both are 0
        return Probabilities(0.5, 0.0, 0.5) if a == b == 0 else Probabilities(better, 0, worse)
    return Probabilities(better, max(0.0, 1 - better - worse), worse)


@lru_cache(maxsize=1 << 12)
def _above(a: float, b: float, same: float, bound: float) -> float:
    """Probability that p - q exceeds a bound from 0, where (p, q, rest) is Dir(a, b, same)."""
    if bound >= 1 or a == 0:
        return 0.0
    if b == 0:
        return float(special.betaincc(a, same, bound)) if same else 1.0
    if bound == 0:
        return float(special.betaincc(a, b, 0.5))
    if same == 0:
        return float(special.betaincc(a, b, (1 + bound) / 2))
    both = a + b
    low = max(bound, float(special.betaincinv(both, same, _LEFT_OUT)))
    high = float(special.betainccinv(both, same, _LEFT_OUT))
    if not low < high:
        return 0.0
    # s = low + (high - low) / (1 + exp(-pi sinh t)): the ends are approached without
    # subtracting, since the integrand may be infinitely steep there.
    bend = math.pi * np.sinh(_NODES)
    from_low, from_high = (high - low) * special.expit(bend), special.expit(-bend)
    s = low + from_low
    rest = (1 - high) + (high - low) * from_high
    log_density = (
        (both - 1) * np.log(s) + (same - 1) * np.log(rest) - special.betaln(both, same)
    )
    # P(u > (1 + bound / s) / 2), and what that is short of 1 without cancelling.
    short = ((low - bound) + from_low) / (2 * s)
    chance = special.betainc(b, a, short)
    slope = from_low * from_high * math.pi * np.cosh(_NODES)
    heights = np.exp(log_density) * chance * slope
    return float(min(1.0, heights.sum() * (_NODES[1] - _NODES[0])))


def best_by_right_rows(
    names: Sequence[str],
    right: NDArray[np.bool_],
    counts: NDArray[np.int64],
    rope: float,
    *,
    n_draws: int,
    seed: int,
) -> BestPosterior:
    """Return who has the highest accuracy, by a Dirichlet law of the patterns of right answers.

    The prior of two rows lies on patterns from a Hadamard matrix: any two systems are both,
    one or none right in a quarter of them each, so that the law of every pair is the one that
    it has by itself.

    Parameters
    ----------
    names : sequence of str
        The systems.
    right : ndarray of bool of shape (n_kinds, n_systems)
        Who is right on the rows of every kind.
    counts : ndarray of int of shape (n_kinds,)
        Rows of every kind.
    rope : float
        Differences up to so much are practically none.
    n_draws, seed : int
        Number and seed of the draws.
    """
    kinds, of_row = np.unique(right, axis=0, return_inverse=True)
    rows = np.bincount(of_row.ravel(), counts, len(kinds))
    prior = _balanced(right.shape[1])
    patterns = np.concatenate([kinds, prior]).astype(float)
    weights = np.concatenate([rows, np.full(len(prior), STRENGTH / len(prior))])
    rng = stream(np.random.SeedSequence(seed))
    counted, size = BestOfDraws(names, rope), max(1, _AT_ONCE // len(weights))
    for start in range(0, n_draws, size):
        drawn = rng.standard_gamma(weights, (min(size, n_draws - start), len(weights)))
        counted.add(drawn @ patterns / drawn.sum(axis=1, keepdims=True))
    return counted.found(seed)


def _balanced(n_systems: int) -> NDArray[np.bool_]:
    """Patterns in which each two systems are right and wrong in all four ways alike often."""
    matrix = np.ones((1, 1), dtype=np.int64)
    while len(matrix) <= n_systems:  # the first column is constant
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return np.asarray(matrix[:, 1 : n_systems + 1] > 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class BootstrapPosterior(DifferencePosterior):
    """Probabilities of the difference of any metric, by the Bayesian bootstrap.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    shares : Probabilities
        Shares of the draws in which A is better, both are practically the same, and B is
        better; none leaves a side less than the signs of so many units can show.
    estimate : float
        The difference of the scores.
    quantiles : ndarray of shape (999,)
        Quantiles of the difference.
    n_units, n_differing : int
        Units that were weighed, and those on which the outputs of A and B differ.
    n_draws, seed : int
        Number and seed of the draws.
    smallest_class : int or None
        Rows of the rarest class, where the metric is one of classes.
    largest_share : float or None
        Largest share of a unit in the variance of the difference, where it is known.
    references : tuple of Reference
        The works that describe it.
    """

    made_by: ClassVar[str] = "bootstrap_posterior(sample)"
    subject = "the difference"
    lead = "Read as probabilities, by the Bayesian bootstrap"
    caveat = "of the same rows as the p-value"
    done = (
        "Probabilities of the difference were computed{for_pairs} by the Bayesian "
        "bootstrap{works}"
    )
    model = (
        "units like those seen come in unknown shares, which have a Dirichlet law; units of "
        "another kind do not exist"
    )

    _signed = ("estimate",)
    _ordered = ("shares",)
    _rising = ("quantiles",)

    shares: Probabilities
    estimate: float
    quantiles: np.ndarray
    n_units: int
    n_differing: int
    n_draws: int
    seed: int
    smallest_class: int | None = None
    largest_share: float | None = None

    @property
    def probabilities(self) -> Probabilities:
        return self.shares

    @property
    def n_drawn(self) -> int:  # type: ignore[override]
        """Number of random draws that the probabilities rest on."""
        return self.n_draws

    @property
    def monte_carlo_errors(self) -> Probabilities | None:  # type: ignore[override]
        """Standard errors of the probabilities from drawing."""
        return Probabilities(*(math.sqrt(p * (1 - p) / self.n_draws) for p in self.shares))

    @property
    def n_telling(self) -> int | None:  # type: ignore[override]
        """Units on which the systems differ, where no prior knows of others."""
        return self.n_differing

    def _between(self, confidence_level: float) -> CredibleInterval:
        return between_quantiles(self.quantiles, confidence_level)

    def _law(self) -> tuple[Numbers, Numbers] | None:
        return density_of_quantiles(self.quantiles)

    def _priors(self, differences: Any) -> dict[str, Reread]:
        return {"none": self._at} | sceptical(self)

    def _at(self, rope: float) -> Probabilities:
        """Probabilities with another region, from the quantiles that are kept."""
        return self.shares if rope == self.rope else _shares(self.quantiles, rope)

    def _draws(self) -> dict[str, Numbers]:
        levels = np.random.default_rng(0).random(CHAINS)
        return {"difference": from_quantiles(self.quantiles, levels)}


@procedure(when="of a test set, by any metric", references=(RUBIN_1981,))
def bootstrap_posterior(
    sample: PairedPredictions | PairedScores,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    workers: Workers = map,
) -> BootstrapPosterior:
    """Posterior of the difference of any metric on a test set, by the Bayesian bootstrap.

    The units (rows, or groups of rows) that were seen are all kinds of units that there are.
    In which shares these come is unknown, and has after the data a Dirichlet law with one unit
    for each [1]_. In every draw the metric of both systems is computed with such shares as
    weights.

    Parameters
    ----------
    sample : PairedPredictions or PairedScores
        Outputs of A and B on one test set, with the metric; or a score of either for every
        instance or group, of which the mean is compared.
    rope : float, default=0.0
        Differences from -rope to rope are practically none, in the unit of the score.
    n_draws : int or None, default=None
        Number of draws; by default 9999.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    workers : map-like callable, default=map
        Computes blocks of resamples, anywhere, in order; for slow metrics.

    Returns
    -------
    BootstrapPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A), the errors of drawing,
        and ``credible_interval()``.

    Raises
    ------
    ValueError
        If the units are splits, or rows in time order; if the metric is a function of your own
        that changes when all rows come four times; if `rope` is negative or not finite.

    See Also
    --------
    agreement_posterior : The same of right and wrong answers, without drawing, with a prior.
    paired_bootstrap : The test with a p-value; its resamples have whole counts.

    Notes
    -----
    The weights of n units are exponential, over their mean. Rows that are alike for the metric
    are weighed together, with the gamma law of their sum; nothing is approximated. A function
    that takes no weights is called on whole copies of the rows, four of a row of weight 1,
    which adds up to 1 % to the variance.

    The bootstrap knows no unit of a kind that was not seen. Where all of k units that differ
    favour one system, every draw does, however small k is. So no probability of a side exceeds
    ``1 - 2 ** -(k + 1)``, what their signs can show at most. Over many units it approaches the
    percentile interval of :func:`paired_bootstrap`.

    References
    ----------
    .. [1] Rubin, D. B. (1981). The Bayesian bootstrap. The Annals of Statistics, 9(1),
       130-134. :doi:`10.1214/aos/1176345338`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, bootstrap_posterior
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.8, 0.1, size=200), rng.normal(0.77, 0.1, size=200)
    >>> found = bootstrap_posterior(PairedScores(a, b, unit="instance"), rope=0.01, rng=0)
    >>> found.probabilities.better > 0.9, found.n_draws
    (True, 9999)
    """
    rope = check_rope(rope)
    n_draws = DEFAULT_RESAMPLES if n_draws is None else n_draws
    check_count("n_draws", n_draws)
    _check_weighable(sample)
    seed = draw_seed(rng)
    if isinstance(sample, PairedScores):
        kernel = kernel_of_means(np.column_stack([sample.a, sample.b]))
        of_means = WeightedScores.of(kernel, n_draws, seed, workers)
        return of_means.posterior(0, 1, rope, kernel.n_differing)
    drawn, (a, b) = WeightedScores.of_predictions(sample, n_draws, seed, workers)
    return drawn.posterior(a, b, rope, sample.kernel.n_differing)


def can_be_weighed(sample: Any) -> bool:
    """Whether the Bayesian bootstrap is for a sample: independent rows or groups."""
    if isinstance(sample, PairedScores):
        known = sample.unit in ("instance", "group") and sample.groups is None
    else:
        known = isinstance(sample, PairedPredictions)
    return known and not sample.ordered


def is_right_or_wrong(sample: Any) -> bool:
    """Whether the scores of instances are all 0 or 1."""
    if not (isinstance(sample, PairedScores) and sample.unit == "instance"):
        return False
    return bool(np.isin([sample.a, sample.b], (0, 1)).all())


def _check_weighable(sample: PairedPredictions | PairedScores) -> None:
    """Refuse a sample that the Bayesian bootstrap is not for."""
    if sample.ordered:
        raise ValueError(
            "bootstrap_posterior weighs independent units, and these stand in time order. A "
            "mean over such rows has probabilities by the test of Diebold and Mariano: "
            "test='diebold_mariano', or posterior(diebold_mariano(sample), rope)."
        )
    if not can_be_weighed(sample):
        raise ValueError(
            f"bootstrap_posterior is for instances or sample.per_group(), and "
            f"unit={sample.unit!r}; use posterior, or signed_rank_posterior."
        )


def _check_copies(kernel: CallableKernel) -> None:
    """Refuse a function whose value depends on how often all rows come."""
    copied = kernel.weighted(np.full((1, kernel.plan.n), COPIES, dtype=np.int64))[0]
    if not np.allclose(copied, kernel.scores, rtol=1e-6, atol=0, equal_nan=True):
        raise ValueError(
            f"the metric is not the same when all rows come {COPIES} times "
            f"({copied[0]:.6g}, and {kernel.scores[0]:.6g} on the rows themselves), so that it "
            "has no value for weighted rows: a sum, for instance, where a mean is meant. Leave "
            "rope= out, or pass a metric that does not depend on the number of rows."
        )


def _shares(
    differences: Numbers, rope: float, noise: float = 0.0, most: float = 1.0
) -> Probabilities:
    """Shares of draws beyond the region and in it; without one ties are halved.

    No side has more than `most`, and without a region none has less than what is left of 1.
    """
    ties = float(np.mean(differences == 0)) / 2 if rope == 0 else 0.0
    better, worse = (
        min(most, float(np.mean(side * differences > rope + noise)) + ties) for side in (1, -1)
    )
    if rope == 0:
        return Probabilities(max(better, 1 - most), 0.0, max(worse, 1 - most))
    return Probabilities(better, max(0.0, 1 - better - worse), worse)


class WeightedScores(NamedTuple):
    """Draws of the scores of several systems, from which every pair is read.

    Attributes
    ----------
    drawn : ndarray of shape (n_draws, n_systems)
        Their scores with weights of the units.
    scores : ndarray of shape (n_systems,)
        Scores on the units as they are.
    kernel : Kernel
        What scores the systems.
    seed : int
        Seed of the draws.
    """

    drawn: Numbers
    kernel: Kernel
    seed: int

    @classmethod
    def of(
        cls, kernel: Kernel, n_draws: int, seed: int, workers: Workers = map
    ) -> "WeightedScores":
        """Draw scores of all systems with weights of the units."""
        drawn = bootstrap(kernel, n_draws, seed, workers=workers, smooth=True).scores
        return cls(drawn, kernel, seed)

    @classmethod
    def of_predictions(
        cls, sample: Predictions, n_draws: int, seed: int, workers: Workers = map
    ) -> tuple["WeightedScores", list[int]]:
        """Draw them for all systems of a family, of which some are at the places returned."""
        kernel = (sample.family or sample).kernel
        if isinstance(kernel, CallableKernel):
            _check_copies(kernel)
        drawn, kernel, places = scores_drawn(sample, n_draws, seed, workers, smooth=True)
        return cls(drawn.scores, kernel, seed), places

    def best(self, names: Sequence[str], rope: float) -> BestPosterior:
        """Read who is the best of all."""
        counted = BestOfDraws(names, rope)
        counted.add(self.drawn)
        return counted.found(self.seed)

    def posterior(self, a: int, b: int, rope: float, n_differing: int) -> BootstrapPosterior:
        """Read the posterior of two systems, which differ on so many units."""
        kernel = self.kernel
        scores = kernel.scores[[a, b]]
        noise = resolution_of(scores)
        differences = self.drawn[:, a] - self.drawn[:, b]
        differences = np.where(np.abs(differences) <= noise, 0.0, differences)
        # What the signs of so many units can show at most.
        most = 1 - smallest_of_signs("greater", n_differing) / 2
        estimate = float(scores[0] - scores[1])
        return BootstrapPosterior(
            rope=rope,
            shares=_shares(differences, rope, noise, most),
            estimate=0.0 if abs(estimate) <= noise else estimate,
            quantiles=quantiles_of(differences),
            n_units=kernel.plan.n_units,
            n_differing=n_differing,
            n_draws=len(differences),
            seed=self.seed,
            smallest_class=min((n for n in kernel.class_sizes or () if n), default=None),
            largest_share=largest_share(kernel, a, b),
            references=(RUBIN_1981,),
        )
