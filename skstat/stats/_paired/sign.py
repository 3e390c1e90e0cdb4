"""The sign test."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import LazySequence, Quantity, check_choice, procedure
from skstat.stats._literature import BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017, CONOVER_1999
from skstat.stats._outcomes import (
    CHAINS,
    NOISE,
    Comparison,
    Law,
    Posterior,
    Probabilities,
    Reread,
    StudentPosterior,
    by_rows,
    check_rope,
    effect_sizes,
    estimand,
    number,
    pvalue_of_tails,
    smallest_of_signs,
    unit_word,
)
from skstat.stats._samples import (
    PairedScores,
    ScorePairs,
    check_alternative,
    check_number,
    warn_if_dependent,
)

# The probability that most people ask for.
_PROBABLE = 0.95
# Where the prior lies.
Prior = Literal["same", "better", "worse"]

STRENGTH = 1.0

Numbers = NDArray[np.float64]

_MEDIAN = Quantity(
    name="median difference",
    is_difference=False,
    of_units=True,
    transitive=False,
    compares_sizes="no",
    claim="on more {unit}s than the reverse",
)


@procedure(when="of an outcome that you have", references=(BENAVOLI_ET_AL_2017,))
def posterior(
    outcome: Comparison,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> Posterior:
    """Read a comparison as probabilities: A is better, both are the same, B is better.

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
        estimate is not known, or there are fewer than three units.

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
    >>> found = posterior(paired_t(sample), rope=0.1)
    >>> [round(probability, 3) for probability in found.probabilities]
    [0.896, 0.066, 0.038]
    >>> [round(limit, 2) for limit in found.credible_interval(0.9)]
    [-0.04, 0.84]
    """
    rope = check_rope(rope)
    found = own_posterior(outcome, rope, n_draws=n_draws, rng=rng)
    if found is None:
        raise ValueError(
            f"{outcome.test} has no posterior: the law of its estimate is not known. {OTHERS}"
        )
    return found


def own_posterior(
    outcome: Comparison,
    rope: float,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> Posterior | None:
    """Read a comparison as probabilities; None if the law of its estimate is not known."""
    if outcome.scale != "score":
        raise ValueError(
            f"{outcome.test} compares {outcome.scale}s, and rope={rope!r} is in the unit of "
            "the score; use a test of the scores themselves."
        )
    found = outcome._posterior(rope, n_draws=n_draws, rng=rng)
    if isinstance(found, StudentPosterior) and found.df < 2:
        raise ValueError(
            f"{outcome.test} has {found.df:g} degree of freedom, which is too few for a "
            "posterior; give three units or more."
        )
    return found


class PosteriorFamily(LazySequence[Posterior]):
    """Posteriors of a family of comparisons, each built when it is asked for.

    Parameters
    ----------
    outcomes : sequence of Comparison
        The comparisons.
    rope : float
        Differences up to so much are practically none.
    seed : int, optional
        Seed of those that are drawn; the same for all, whose draws are common.
    otherwise : callable, optional
        From the place of a comparison to its posterior, where the law of its estimate is not
        known.
    """

    def __init__(
        self,
        outcomes: Sequence[Comparison],
        rope: float,
        seed: int | None = None,
        otherwise: Callable[[int], Posterior] | None = None,
    ) -> None:
        self._outcomes, self.rope, self._seed = outcomes, rope, seed
        self._otherwise = otherwise
        self._n_draws = _FEW_DRAWS if len(outcomes) > _MANY_PAIRS else None

    def __len__(self) -> int:
        return len(self._outcomes)

    def _built(self, place: int) -> Posterior:
        asked: dict[str, Any] = {"n_draws": self._n_draws, "rng": self._seed}
        if self._otherwise is not None:
            own = own_posterior(self._outcomes[place], self.rope, **asked)
            return self._otherwise(place) if own is None else own
        return posterior(self._outcomes[place], self.rope, **asked)


# What to ask instead of a test that has no posterior.
OTHERS = (
    "Use a Student t test: for splits corrected_t or projection_t, for independent units "
    "paired_t; or wilcoxon or sign. Independent rows or groups of a test set have that of "
    "bootstrap_posterior."
)
# Of more pairs than so many fewer draws are made for each.
_MANY_PAIRS, _FEW_DRAWS = 30, 20_000


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
    check_choice("prior", prior, ("same", "better", "worse"))
    weights = np.zeros(3)
    if prior == "same" and rope == 0:
        weights[[0, 2]] = strength / 2
    else:
        weights[Probabilities._fields.index(prior)] = strength
    return weights


def check_strength(strength: Any) -> float:
    """Return the strength of a prior as a float."""
    what = "a number above 0: the units that the prior stands for"
    return check_number("strength", strength, above=0, what=what)


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
        "Probabilities of which system is better most often were computed{for_pairs} by the "
        "Bayesian sign test{works}"
    )
    another = "on one new {unit} their probabilities are {values}"

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Signs(Law):
    """Signs of the differences: how often A and B scored higher.

    The statistic is the number of wins of A. The limits for the median difference are order
    statistics; their coverage is at least the level.
    """

    statistic_name = "wins of A"
    quantity = _MEDIAN
    _signed = (*Law._signed, "differences")
    _swapped = ("wins", "losses")

    wins: Any
    losses: Any
    differences: Any

    @property
    def statistic(self) -> Any:
        return self.wins

    @property
    def direction(self) -> Any:
        return number(np.sign(np.subtract(self.wins, self.losses)))

    def pvalue(self, alternative: str) -> Any:
        return sign_pvalue(self.wins, self.wins + self.losses, alternative)

    def smallest_pvalue(self, alternative: str) -> Any:
        return smallest_of_signs(alternative, self.wins + self.losses)

    def limits(self, tail: Any) -> tuple[Any, Any]:
        def ends(differences: Numbers, tails: Numbers) -> tuple[Numbers, Numbers]:
            ordered, n = np.sort(differences, axis=1), differences.shape[1]
            cut = _largest_below(tails, n)
            rows, last = np.arange(len(ordered)), n - 1 - cut
            low = np.where(cut < 0, -math.inf, ordered[rows, np.maximum(cut, 0)])
            return low, np.where(cut < 0, math.inf, ordered[rows, np.minimum(last, n - 1)])

        low, high = by_rows(self.differences, ends, tail)
        return low, high

    def tails(self, bound: float) -> tuple[Any, Any]:
        def chances(differences: Numbers, _: Numbers) -> tuple[Numbers, Numbers]:
            noise = NOISE * np.maximum(abs(bound), np.abs(differences).max(axis=1))[:, None]
            below, above = (
                np.sum(side * (differences - bound) <= noise, axis=1) for side in (-1, 1)
            )
            n = differences.shape[1]
            return special.bdtr(below, n, 0.5), special.bdtr(above, n, 0.5)

        below, above = by_rows(self.differences, chances)
        return below, above

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        return of_signs(self.differences, rope)

    def critical_value(self, alternative: str, alpha: float) -> float:
        untied = int(self.wins + self.losses)
        tail = alpha / 2 if alternative == "two-sided" else alpha
        cut = float(_largest_below(tail, untied))
        if cut < 0:
            return -math.inf if alternative == "less" else math.inf
        return cut if alternative == "less" else untied - cut


def _largest_below(tails: Any, n: int) -> Any:
    """Largest number that n fair coins reach at most with a chance of the tail; or -1."""
    chances = special.bdtr(np.arange(n + 1), n, 0.5)
    return np.searchsorted(chances, np.multiply(tails, 1 + 1e-12), side="right") - 1


def sign_pvalue(wins: Any, untied: Any, alternative: str) -> Any:
    """Exact binomial p-value; swapping A and B changes no bit of it."""
    wins, untied = np.asarray(wins, dtype=np.int64), np.asarray(untied, dtype=np.int64)
    below, above = (special.bdtr(side, untied, 0.5) for side in (wins, untied - wins))
    return pvalue_of_tails(below, above, alternative)


@procedure(
    when="scores on no common scale",
    independent_units=True,
    references=(CONOVER_1999,),
    read_as=("sign_posterior", "bayesian_sign"),
)
def sign(sample: PairedScores | ScorePairs, *, alternative: str = "two-sided") -> Comparison:
    """Exact sign test on the untied units.

    The number of units on which A scores higher is Binomial(untied, 1/2) under the
    null hypothesis (Arbuthnott, 1710; [1]_, section 3.4).

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher more often.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is the median difference.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    References
    ----------
    .. [1] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed. Wiley.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, sign
    >>> heads = np.array([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    >>> outcome = sign(PairedScores(heads, 1 - heads, unit="instance"))
    >>> outcome.statistic, round(outcome.pvalue, 4)
    (2, 0.1094)
    """
    check_alternative(alternative)
    warn_if_dependent(sample, "sign")
    relation = {
        "two-sided": "as often as",
        "greater": "no more often than",
        "less": "no less often than",
    }[alternative]
    differences, wins, losses = _won_and_lost(sample)
    (median,) = by_rows(differences, lambda rows, _: (np.median(rows, axis=1),))
    return Comparison(
        test="sign test",
        estimand=estimand(sample, "median"),
        null_hypothesis=f"A scores higher {relation} B does",
        alternative=alternative,
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other",),
        effect_sizes=effect_sizes(sample),
        law=Signs(estimate=median, wins=wins, losses=losses, differences=differences),
    )


def _won_and_lost(sample: PairedScores | ScorePairs) -> tuple[Any, Any, Any]:
    """Differences, and how often A and B scored higher."""
    if isinstance(sample, ScorePairs):
        return sample, sample.differences.n_won, sample.differences.n_lost
    found = sample.differences
    return found, int(np.sum(found > 0)), int(np.sum(found < 0))
