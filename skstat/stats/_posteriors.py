"""Bayesian sign and signed-rank tests, and the posterior of right and wrong answers."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats import _posterior as base
from skstat.stats._chance import draw_seed, in_parts, root_between, stream
from skstat.stats._counts import AgreementTable
from skstat.stats._family import Comparison
from skstat.stats._procedure import check_choice, procedure, works
from skstat.stats._scores import PairedScores, check_count, check_number, warn_if_dependent
from skstat.stats._words import NOISE

Numbers = NDArray[np.float64]

# The kind of units that the prior stands for.
Prior = Literal["same", "better", "worse"]
_MANY_UNITS = 200
_FEW_DRAWS = 50_000  # for regions other than the `rope` of the posterior
_BLOCK = 1 << 17  # numbers in one block of draws, so few that they stay in the cache
_TIED = 1e-12  # chances that differ by less are the same
_FEWEST_WITH_TIES = 12
# Rows that the prior of right answers stands for: half a row of each kind (Jeffreys).
STRENGTH = 2.0
# Nodes of the double exponential rule; the integral beyond its ends is below 1e-18.
_NODES = np.linspace(-3.4, 3.4, 273)
_LEFT_OUT = 1e-18
_RANK_TESTS = (works.BENAVOLI_ET_AL_2014, works.BENAVOLI_ET_AL_2017)
# What to use instead of a test that has no posterior.
OTHERS = (
    "Use a Student t test: for splits corrected_t or projection_t, for independent units "
    "paired_t; or wilcoxon or sign. Independent rows or groups of a test set have that of "
    "bootstrap_posterior."
)


@procedure(when="of an outcome that you have", references=(works.BENAVOLI_ET_AL_2017,))
def posterior(
    outcome: Comparison,
    rope: float = 0.0,
    *,
    default: Callable[[float], base.Posterior] | None = None,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> base.Posterior:
    """Return the probabilities that A is better, both are the same, and B is better.

    The outcome of a Student t procedure is read by its own law, Student's t about the estimate
    with the standard error and the degrees of freedom of the test [1]_. That is the posterior
    of the expected difference with a flat prior: ``p(mu, sigma) = 1 / sigma`` for the paired
    and the corrected t test. The sign test and Wilcoxon's test are read by
    :func:`sign_posterior` and :func:`signed_rank_posterior`, McNemar's test by
    :func:`agreement_posterior`.

    Parameters
    ----------
    outcome : Comparison
        A comparison of two systems in the unit of their score, of either direction.
    rope : float, default=0.0
        Differences from -rope to rope are practically none (the region of practical
        equivalence), in the unit of the score. It is a matter of what the systems are for, to
        be fixed before the scores are seen. 0 is for no region: two probabilities are left.
    default : callable, optional
        Makes the posterior, given `rope`, where the law of the estimate is not known.
    n_draws : int or None, default=None
        Number of draws, where the posterior is drawn; None leaves it to the posterior.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    Posterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A); that of a Student t
        procedure has a ``credible_interval()`` too.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, or the comparison has no posterior: the law of its
        estimate is not known, nor is there another; or there are fewer than three units.

    See Also
    --------
    bootstrap_posterior : That of any metric on a test set, whatever the test.
    equivalence : Tests of the same region, with a p-value.

    Notes
    -----
    Of a Student t test it is not more evidence than the test has, but the same, said
    otherwise. The credible interval is the confidence interval. The probability that A is
    better is 1 minus the one-sided p-value, and those beyond a region on either side are the
    two p-values of :func:`equivalence`. So "the same with a probability of 0.95" asks for more
    than equivalence at the level 0.05 does, and for less than at 0.025.

    The probabilities rest on all that the test rests on, the correlation that is assumed
    between splits among it: of :func:`corrected_t` it is the posterior of [2]_, and of
    :func:`projection_t`, which estimates the variance instead, the one that the doors give by
    default. They are not adjusted where several comparisons are made.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis. Journal of Machine
       Learning Research, 18(77), 1-36.
    .. [2] Corani, G. & Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
       algorithms on multiple data sets. Machine Learning, 100, 285-304.
       :doi:`10.1007/s10994-015-5486-z`

    Examples
    --------
    >>> from skstat.stats import PairedScores, paired_t, posterior
    >>> sample = PairedScores([5.1, 4.8, 6.0, 5.5], [4.7, 4.9, 5.2, 5.0], unit="seed")
    >>> result = posterior(paired_t(sample), rope=0.1)
    >>> [round(probability, 3) for probability in result.probabilities]
    [0.896, 0.066, 0.038]
    >>> [round(limit, 2) for limit in result.credible_interval(0.9)]
    [-0.04, 0.84]
    """
    rope = base.check_rope(rope)
    if outcome.scale != "score":
        raise ValueError(
            f"{outcome.test} compares {outcome.scale}s, and rope={rope!r} is in the unit of "
            "the score; use a test of the scores themselves."
        )
    result = outcome.law.posterior(rope, n_draws=n_draws, rng=rng)
    if result is None and default is not None:
        return default(rope)
    if result is None:
        raise ValueError(f"{outcome.test} has no posterior: its law is not known. {OTHERS}")
    if isinstance(result, base.StudentPosterior) and result.df < 2:
        raise ValueError(f"the posterior of {outcome.test} needs three units or more.")
    return result


@dataclass(frozen=True, kw_only=True, eq=False)
class RegionPosterior(base.Posterior):
    """Probabilities that A is better most often, both are the same most often, or B is better.

    Attributes
    ----------
    strength : float
        Units that the prior stands for.
    rope, probabilities, lowest, highest, expected, n_seen, references
        As in :class:`Posterior`; `probabilities` are those of each of the three to come more
        often than the other two, and `expected` how often each is expected on another unit.
    """

    what = "which system is better most often"
    said, where = " most often", "what is most common on {unit}s like these"
    caveat = "of the same scores as the p-value"

    strength: float

    @property
    def _size(self) -> str:
        return f"{self.strength:g} unit{'s' * (self.strength != 1)}"


def chance_of_largest(weights: ArrayLike) -> NDArray[np.float64]:
    """Return the probability of every part of a Dirichlet law that it is the largest.

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
    positive = np.flatnonzero(a > 0)
    chances = np.zeros(len(a))
    for i in positive:
        shape = a[i]
        # Below its lower end the gamma law has a mass of 1e-20 at most, or 12 deviations.
        low = (math.log(1e-20) + special.gammaln(shape + 1)) / shape
        if shape > 200:
            low = max(low, math.log(shape - 12 * math.sqrt(shape)))
        high = math.log(shape + 12 * math.sqrt(shape) + 50)
        y = np.linspace(low, high, 801)
        heights = np.exp(shape * y - np.exp(y) - special.gammaln(shape))
        for other in positive[positive != i]:
            heights *= special.gammainc(a[other], np.exp(y))
        chances[i] = heights.sum() * (y[1] - y[0])
    return np.minimum(chances, 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignPosterior(RegionPosterior):
    """Dirichlet law of how often A is better, both are practically the same, or B is better.

    Attributes
    ----------
    weights : Probabilities
        Parameters of the law: units of each kind, with those of the prior.
    strength : float
        Units that the prior stands for.
    rope, probabilities, lowest, highest, expected, n_seen, references
        As in :class:`Posterior`; `probabilities` are those of each of the three to come more
        often than the other two, and `expected` how often each is expected on another unit.
    """

    subject = "how often each comes on units like these"
    by = "the Bayesian sign test"
    model = (
        "every unit is one of three kinds, with unknown chances that have a Dirichlet prior of "
        "the strength of one unit"
    )
    another = "on one new {unit} their probabilities are {values}"

    _ordered: ClassVar[tuple[str, ...]] = (*base.Posterior._ordered, "weights")

    weights: base.Probabilities

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        results = _signs_by_prior(differences, rope, self.strength)
        labels = {"same": "neither", "better": "A", "worse": "B"}
        return {f"{self._size} for {label}": results[kind][1] for kind, label in labels.items()}

    def _draws(self, differences: Any = None) -> dict[str, Numbers]:
        weights = np.maximum(self.weights, 1e-300)
        drawn = np.random.default_rng(0).dirichlet(weights, base.CHAINS)
        return dict(zip(base.Probabilities._fields, np.moveaxis(drawn, -1, 0), strict=True))


@procedure(independent_units=True, references=_RANK_TESTS)
def sign_posterior(
    sample: PairedScores, rope: float = 0.0, *, strength: float = 1.0, prior: Prior = "same"
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
    >>> result = sign_posterior(PairedScores(a, b, unit="dataset"), rope=0.01)
    >>> result.weights
    Probabilities(better=6.0, same=3.0, worse=0.0)
    >>> [round(probability, 3) for probability in result.probabilities]
    [0.855, 0.145, 0.0]
    """
    warn_if_dependent(sample, "sign_posterior")
    rope, strength = base.check_rope(rope), _check_strength(strength)
    check_choice("prior", prior, base.Probabilities._fields)
    results = _signs_by_prior(sample.differences, rope, strength)
    weights, probabilities = results[prior]
    return SignPosterior(
        rope=rope,
        **base.range_over_priors([probabilities, *(p for _, p in results.values())]),
        expected=base.Probabilities(*(weights / weights.sum()).tolist()),
        n_seen=sample.n_units,
        weights=base.Probabilities(*weights.tolist()),
        strength=strength,
    )


def _signs_by_prior(
    differences: Numbers, rope: float, strength: float
) -> dict[str, tuple[Numbers, base.Probabilities]]:
    """Return weights of the Dirichlet law and probabilities, by kind of the prior."""
    noise = _noise_of(differences, rope)
    better, worse = (int(np.sum(side * differences > rope + noise)) for side in (1, -1))
    counts = np.array([better, len(differences) - better - worse, worse], dtype=float)
    # Without a region equal scores count one half for either system.
    shared = np.eye(3) if rope else np.array([[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]])
    result = {}
    for kind, one in zip(base.Probabilities._fields, np.eye(3), strict=True):
        weights = (counts + strength * one) @ shared
        result[kind] = weights, base.Probabilities(*chance_of_largest(weights).tolist())
    return result


def _check_strength(strength: Any) -> float:
    what = "a number above 0: the units that the prior stands for"
    return check_number("strength", strength, above=0, what=what)


def _noise_of(differences: Numbers, rope: float) -> float:
    """Return the size up to which sums of differences are equal up to float noise."""
    return NOISE * max(rope, float(np.abs(differences).max(initial=0.0)))


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankPosterior(RegionPosterior):
    """Probabilities of the mean difference of two units, by a Dirichlet process.

    Attributes
    ----------
    strength : float
        Units that the prior stands for.
    rope, probabilities, lowest, highest, expected, n_seen, n_drawn, seed, references
        As in :class:`Posterior`; `probabilities` are those of each of the three to come more
        often than the other two, and `expected` how often each is expected of the mean of two
        other units.
    """

    subject = "how often each comes, of the mean difference of two units like these"
    by = "the Bayesian signed-rank test"
    also = ", for the mean of two {unit}s, by random draws"
    model = (
        "a Dirichlet process, with a prior of the strength of half a unit on no difference; "
        "the mean difference of two units is in one of three regions"
    )
    another = "for the mean of two new {unit}s their probabilities are {values}"

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        n_draws = min(self.n_drawn, _FEW_DRAWS) if rope != self.rope else self.n_drawn
        results = _most_often(differences, rope, self.strength, n_draws, self.seed or 0)
        labels = (f"{self._size} {end}" for end in ("for neither", "far for A", "far for B"))
        return dict(zip(labels, results, strict=True))

    def _draws(self, differences: Any = None) -> dict[str, Numbers]:
        if differences is None:
            raise ValueError(
                "a signed-rank posterior does not hold the differences to draw from; "
                "sign_posterior and hierarchical_posterior hold what they need."
            )
        n_draws, seed = math.prod(base.CHAINS), self.seed or 0
        drawn = _chances_drawn(differences, self.rope, self.strength, n_draws, seed)
        chances = np.hstack([central for central, *_ in drawn]).reshape(3, *base.CHAINS)
        return dict(zip(base.Probabilities._fields, chances, strict=True))


@procedure(independent_units=True, references=_RANK_TESTS)
def signed_rank_posterior(
    sample: PairedScores,
    rope: float = 0.0,
    *,
    strength: float = 0.5,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> SignedRankPosterior:
    """Bayesian signed-rank test: where the mean difference of two units is most often.

    The law of the differences is unknown, and has a Dirichlet process as prior, of some
    strength, on a difference of 0. After the scores, the differences have weights that follow
    a Dirichlet law. The chance that the mean difference of two units exceeds `rope` is a sum
    over all pairs of differences [1]_; given is the probability that this, the chance of the
    same below -rope, or that of the region is the largest of the three.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units, such as data sets.
    rope : float, default=0.0
        Differences from -rope to rope are practically none, in the unit of the score.
    strength : float, default=0.5
        Units that the prior stands for.
    n_draws : int or None, default=None
        Number of draws; by default 200 000 for up to 200 units, else 50 000.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    SignedRankPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A), ``shares``, the
        errors of drawing, and the bounds ``lowest`` and ``highest``.

    Raises
    ------
    ValueError
        If `rope` is negative or not finite, `strength` is not above 0, or `n_draws` is less
        than 1.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    See Also
    --------
    sign_posterior : Looks at the signs of the differences alone.
    wilcoxon : The test with a p-value, which answers another question.

    Notes
    -----
    The sum over all pairs needs the sorted differences and the cumulative sums of their
    weights: as many steps in each draw as there are units. A mean difference that is exactly
    on the border of the region counts one half on either side. `lowest` and `highest` are the
    imprecise probabilities of [1]_: the same draws with the prior at the ends of the line.
    The probabilities are not adjusted where several comparisons are made.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Mangili, F., Zaffalon, M. & Ruggeri, F. (2014). A Bayesian
       Wilcoxon signed-rank test based on the Dirichlet process. ICML, 1026-1034.
    .. [2] Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis. Journal of Machine
       Learning Research, 18(77), 1-36.

    Examples
    --------
    >>> from skstat.stats import PairedScores, signed_rank_posterior
    >>> a = [0.85, 0.72, 0.91, 0.64, 0.77, 0.80, 0.93, 0.69]
    >>> b = [0.80, 0.70, 0.85, 0.65, 0.70, 0.75, 0.92, 0.61]
    >>> result = signed_rank_posterior(PairedScores(a, b, unit="dataset"), rope=0.01, rng=0)
    >>> round(result.probabilities.better, 2), round(result.expected.better, 4)
    (1.0, 0.8731)
    """
    warn_if_dependent(sample, "signed_rank_posterior")
    rope, strength = base.check_rope(rope), _check_strength(strength)
    differences, n = sample.differences, sample.n_units
    if n_draws is None:
        n_draws = 200_000 if n <= _MANY_UNITS else 50_000
    check_count("n_draws", n_draws)
    seed = draw_seed(rng)
    chances = _most_often(differences, rope, strength, n_draws, seed)
    sizes, noise = np.sort(np.abs(differences)), _noise_of(differences, rope)
    n_equal = int(np.count_nonzero(sizes <= noise))
    tied = n_equal > 0 or bool(np.any(np.diff(sizes) <= noise))
    return SignedRankPosterior(
        rope=rope,
        **base.range_over_priors(chances),
        expected=_expected(differences, rope, strength),
        n_seen=n,
        fewest=_FEWEST_WITH_TIES + n_equal if tied else 6,
        strength=strength,
        n_drawn=n_draws,
        seed=seed,
    )


def _most_often(
    differences: Numbers, rope: float, strength: float, n_draws: int, seed: int
) -> list[base.Probabilities]:
    """Return the shares of draws in which each of the three is most common; ties are shared.

    For priors on a difference of 0, on plus infinity and on minus infinity.
    """
    wins = np.zeros((3, 3))
    for chances in _chances_drawn(differences, rope, strength, n_draws, seed):
        first = chances >= chances.max(axis=1, keepdims=True) - _TIED
        wins += (first / first.sum(axis=1, keepdims=True)).sum(axis=2)
    return [base.Probabilities(*row) for row in (wins / n_draws).tolist()]


def _chances_drawn(
    differences: Numbers, rope: float, strength: float, n_draws: int, seed: int
) -> Iterator[Numbers]:
    """Yield draws of the chances that the mean difference of two units is in each region.

    In blocks of shape (3 priors, 3 regions, n_draws). The units are exchangeable: the weights
    are those of the sorted differences.
    """
    rng, noise = stream(np.random.SeedSequence(seed)), _noise_of(differences, rope)
    values, n = np.sort(differences), len(differences)
    for part in in_parts(n_draws, n, _BLOCK):
        columns = part.stop - part.start
        units = rng.standard_exponential((n, columns))
        prior = rng.standard_gamma(strength, columns)
        weights = np.concatenate([units, prior[None]]) / (units.sum(axis=0) + prior)
        samples = (np.append(values, location) for location in (0.0, math.inf, -math.inf))
        yield np.stack([shares_of_pairs(sample, weights, rope, noise) for sample in samples])


def shares_of_pairs(values: Numbers, weights: Numbers, rope: float, noise: float) -> Numbers:
    """Return the weights of pairs with a mean above, in and below the region, (3, n_draws).

    A mean on a border counts one half on either side.
    """
    order = np.argsort(values)
    values, weights = values[order], weights[order]
    sums = np.zeros((len(weights) + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=sums[1:])

    def up_to(border: float) -> Any:
        low, high = border - 2 * noise, border + 2 * noise
        below_border = np.searchsorted(values, low - values)
        up_to_border = np.searchsorted(values, high - values, side="right")
        share = np.einsum("ij,ij->j", weights, sums[up_to_border])
        if (below_border == up_to_border).all():
            return share
        return (share + np.einsum("ij,ij->j", weights, sums[below_border])) / 2

    below = up_to(-2 * rope)
    above = sums[-1] ** 2 - (below if rope == 0 else up_to(2 * rope))
    same = np.zeros_like(above) if rope == 0 else np.maximum(0, 1 - above - below)
    return np.stack([above, same, below])


def _expected(differences: Numbers, rope: float, strength: float) -> base.Probabilities:
    """Return the expected chances: E[w_i w_j] = a_i (a_j + [i = j]) / (a (a + 1))."""
    values, a = np.append(differences, 0.0), np.append(np.ones(len(differences)), strength)
    noise, total = _noise_of(differences, rope), a.sum()
    pairs = total**2 * shares_of_pairs(values, a[:, None] / total, rope, noise)[:, 0]
    better, worse = (side * values - rope for side in (1, -1))
    itself = [a @ ((bounds > noise) / 2 + (bounds >= -noise) / 2) for bounds in (better, worse)]
    chances = (pairs[[0, 2]] + itself) / (total * (total + 1))
    return base.Probabilities.beyond(float(chances[0]), float(chances[1]), rope)


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreementPosterior(base.DifferencePosterior):
    """Dirichlet law of how often both, only A, only B or neither is right.

    Attributes
    ----------
    only_a, only_b, n : int
        Rows on which only A, and only B, is right, and all rows.
    rope, probabilities, lowest, highest, references
        As in :class:`Posterior`.
    """

    example: ClassVar[str] = "agreement_posterior(sample)"
    subject = "the expected difference"
    by = "a Dirichlet law of right and wrong answers"
    also = ", with the prior of Jeffreys"
    caveat = "of the same rows as the p-value"
    model = (
        "a row is of one of four kinds (both, only one, only the other, or neither is right), "
        "with unknown chances that have a Dirichlet prior of half a row each"
    )

    _swapped = ("only_a", "only_b")

    only_a: int
    only_b: int
    n: int

    @property
    def weights(self) -> tuple[float, ...]:
        """Parameters of the law: rows of only A, of only B, and of both or neither right."""
        return _weights(self.only_a, self.only_b, self.n)["Jeffreys"]

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

    def _quantile(self, share: Any) -> Any:
        above = self.probability_above
        return root_between(lambda d: above(d) - (1 - share), -1.0, 1.0, xtol=1e-9)

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
        points = np.asarray(differences, dtype=float)
        above = np.array([self.probability_above(point) for point in points.tolist()])
        return np.asarray(np.maximum(0.0, -np.gradient(above, points)))

    def _law(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        points = np.linspace(*self.credible_interval(0.999), 161)
        return points, self.density(points)

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        by_prior = _weights(self.only_a, self.only_b, self.n)
        chances = {name: _probabilities_of(weights, rope) for name, weights in by_prior.items()}
        return chances | self._sceptical(rope)

    def _draws(self, differences: Any = None) -> dict[str, Numbers]:
        drawn = np.random.default_rng(0).dirichlet(self.weights, base.CHAINS)
        only_a, only_b, _ = np.moveaxis(drawn, -1, 0)
        return {"only_a": only_a, "only_b": only_b, "difference": only_a - only_b}


@procedure(
    when="of counts of right and wrong answers",
    units=("instance",),
    references=(works.ALTHAM_1971,),
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
    >>> result = agreement_posterior(table, rope=0.02)
    >>> [round(probability, 3) for probability in result.probabilities]
    [0.981, 0.017, 0.002]
    >>> [round(limit, 3) for limit in result.credible_interval()]
    [0.026, 0.212]
    """
    rope = base.check_rope(rope)
    table = sample if isinstance(sample, AgreementTable) else AgreementTable.from_scores(sample)
    a, b, n = table.only_a, table.only_b, table.n_units
    results = [_probabilities_of(weights, rope) for weights in _weights(a, b, n).values()]
    facts = base.range_over_priors(results)
    return AgreementPosterior(rope=rope, only_a=a, only_b=b, n=n, **facts)


def _weights(only_a: int, only_b: int, n: int) -> dict[str, tuple[float, ...]]:
    """Return Dirichlet parameters with the prior of Jeffreys, and with other priors."""
    counts = np.array([only_a, only_b, n - only_a - only_b], dtype=float)
    prior = np.vstack([[0.25, 0.25, 0.5], np.eye(3)])
    names = ("Jeffreys", *(f"two rows for {kind}" for kind in ("A", "B", "neither")))
    weights = (counts + STRENGTH * prior).tolist()
    return {name: tuple(parameters) for name, parameters in zip(names, weights, strict=True)}


def _probabilities_of(weights: Sequence[float], rope: float) -> base.Probabilities:
    a, b, rest = weights
    if rope == a == b == 0:  # both unknown chances are the same
        return base.Probabilities(0.5, 0.0, 0.5)
    return base.Probabilities.beyond(_above(a, b, rest, rope), _above(b, a, rest, rope), rope)


@lru_cache(maxsize=1 << 12)
def _above(a: float, b: float, same: float, bound: float) -> float:
    """Return P(p - q > bound) for bound >= 0, where (p, q, rest) is Dir(a, b, same)."""
    if bound >= 1 or a == 0:
        return 0.0
    if b == 0:
        return float(special.betaincc(a, same, bound)) if same else 1.0
    if 0 in (bound, same):
        return float(special.betaincc(a, b, (1 + bound) / 2))
    total = a + b
    low = max(bound, float(special.betaincinv(total, same, _LEFT_OUT)))
    high = float(special.betainccinv(total, same, _LEFT_OUT))
    if not low < high:
        return 0.0
    # s = low + (high - low) / (1 + exp(-pi sinh t)): the ends are approached without
    # subtracting, since the integrand may be infinitely steep there.
    exponent = math.pi * np.sinh(_NODES)
    from_low, from_high = (high - low) * special.expit(exponent), special.expit(-exponent)
    s = low + from_low
    rest = (1 - high) + (high - low) * from_high
    log_density = (total - 1) * np.log(s) + (same - 1) * np.log(rest)
    log_density -= special.betaln(total, same)
    # P(u > (1 + bound / s) / 2), by 1 minus that argument, computed without cancelling.
    short = ((low - bound) + from_low) / (2 * s)
    chance = special.betainc(b, a, short)
    slope = from_low * from_high * math.pi * np.cosh(_NODES)
    heights = np.exp(log_density) * chance * slope
    return float(min(1.0, heights.sum() * (_NODES[1] - _NODES[0])))
