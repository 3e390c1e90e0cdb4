"""A comparison read as probabilities, and the Bayesian sign and signed-rank tests."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import check_choice, procedure
from skstat.stats._family import Comparison
from skstat.stats._literature import BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017
from skstat.stats._posterior import (
    CHAINS,
    Posterior,
    Probabilities,
    Reread,
    StudentPosterior,
    check_rope,
)
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._samples import PairedScores, check_count, check_number, warn_if_dependent
from skstat.stats._words import NOISE

Numbers = NDArray[np.float64]

# The probability that most people ask for.
_PROBABLE = 0.95
# Where the prior lies.
Prior = Literal["same", "better", "worse"]
_MANY_UNITS = 200
_FEW_DRAWS = 50_000  # of a region beside that which was asked
_BLOCK = 1 << 17  # numbers of one block of draws, which the cache of a processor holds
_TIED = 1e-12  # chances that differ by less are the same
_FEWEST_WITH_TIES = 12
# What to ask instead of a test that has no posterior.
OTHERS = (
    "Use a Student t test: for splits corrected_t or projection_t, for independent units "
    "paired_t; or wilcoxon or sign. Independent rows or groups of a test set have that of "
    "bootstrap_posterior."
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
    return posterior_or(outcome, check_rope(rope), n_draws=n_draws, rng=rng)


def posterior_or(
    outcome: Comparison,
    rope: float,
    otherwise: Callable[[float], Posterior] | None = None,
    *,
    n_draws: int | None = None,
    rng: Any = None,
) -> Posterior:
    """Read a comparison as probabilities, `otherwise` where no law of its estimate is known."""
    if outcome.scale != "score":
        raise ValueError(
            f"{outcome.test} compares {outcome.scale}s, and rope={rope!r} is in the unit of "
            "the score; use a test of the scores themselves."
        )
    found = outcome.law.posterior(rope, n_draws=n_draws, rng=rng)
    if found is None and otherwise is not None:
        return otherwise(rope)
    if found is None:
        raise ValueError(
            f"{outcome.test} has no posterior: the law of its estimate is not known. {OTHERS}"
        )
    if isinstance(found, StudentPosterior) and found.df < 2:
        raise ValueError(
            f"{outcome.test} has {found.df:g} degree of freedom, which is too few for a "
            "posterior; give three units or more."
        )
    return found


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
    def n_seen(self) -> int | None:  # type: ignore[override]
        """Units behind the chances on other units."""
        return self.n_units

    @property
    def bounds(self) -> tuple[Probabilities, Probabilities]:  # type: ignore[override]
        """Lowest and highest probabilities, wherever the prior lies."""
        return self.lowest, self.highest

    @property
    def prior_decides(self) -> bool:  # type: ignore[override]
        """Whether what has a probability of 0.95 depends on where the prior lies."""
        return any(np.less(self.lowest, _PROBABLE) & np.greater_equal(self.highest, _PROBABLE))

    @property
    def expected(self) -> Probabilities | None:  # type: ignore[override]
        """Probabilities of the same three on another unit."""
        return self.shares


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

    def _chances(self, differences: Any, n_draws: int) -> Numbers | None:
        return self._drawn((n_draws,))

    def _priors(self, differences: Any) -> dict[str, Reread]:
        def read(prior: Prior, rope: float) -> Probabilities:
            return of_signs(differences, rope, strength=self.strength, prior=prior).largest

        size = f"{self.strength:g} unit{'s' * (self.strength != 1)} for"
        return {
            f"{size} neither": partial(read, "same"),
            f"{size} A": partial(read, "better"),
            f"{size} B": partial(read, "worse"),
        }

    def _draws(self) -> dict[str, Numbers]:
        drawn = self._drawn(CHAINS)
        return dict(zip(Probabilities._fields, np.moveaxis(drawn, -1, 0), strict=True))

    def _drawn(self, size: tuple[int, ...]) -> Numbers:
        """Draw chances of the three; a kind that has no weight has none."""
        gamma = np.random.default_rng(0).standard_gamma(self.weights, (*size, 3))
        return np.asarray(gamma / gamma.sum(axis=-1, keepdims=True))


@procedure(independent_units=True, references=(BENAVOLI_ET_AL_2014,))
def sign_posterior(
    sample: PairedScores,
    rope: float = 0.0,
    *,
    strength: float = 1.0,
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
    differences: Numbers, rope: float, *, strength: float = 1.0, prior: Prior = "same"
) -> SignPosterior:
    """Return the posterior from the differences."""
    strength = _check_strength(strength)
    check_choice("prior", prior, ("same", "better", "worse"))
    noise = _noise_of(differences, rope)
    better = int(np.sum(differences > rope + noise))
    worse = int(np.sum(differences < -rope - noise))
    counts = np.array([better, len(differences) - better - worse, worse], dtype=float)
    weights = {
        kind: counts + strength * np.eye(3)[place]
        for place, kind in enumerate(Probabilities._fields)
    }
    if rope == 0:  # what is the same counts one half for either
        weights = {
            kind: own @ [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]] for kind, own in weights.items()
        }
    chances = {
        kind: chance_of_largest(own)
        for kind, own in weights.items()
        if rope > 0 or kind in (prior, "better", "worse")
    }
    every = list(chances.values())
    return SignPosterior(
        rope=rope,
        largest=Probabilities(*chances[prior].tolist()),
        shares=Probabilities(*(weights[prior] / weights[prior].sum()).tolist()),
        n_units=len(differences),
        strength=strength,
        weights=Probabilities(*weights[prior].tolist()),
        lowest=Probabilities(*np.min(every, axis=0).tolist()),
        highest=Probabilities(*np.max(every, axis=0).tolist()),
        references=(BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017),
    )


def _check_strength(strength: Any) -> float:
    what = "a number above 0: the units that the prior stands for"
    return check_number("strength", strength, above=0, what=what)


def _noise_of(differences: Numbers, rope: float) -> float:
    """Return the size up to which two numbers made of differences are the same."""
    return NOISE * max(rope, float(np.abs(differences).max(initial=0.0)))


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankPosterior(RegionPosterior):
    """Probabilities of the mean difference of two units, by a Dirichlet process.

    Attributes
    ----------
    rope : float
        The region of practical equivalence reaches from -rope to rope, in the unit of the
        score. 0 for no region.
    largest : Probabilities
        Probability of each of the three that it comes more often than the other two; shares of
        the draws.
    shares : Probabilities
        How often each is expected of the mean difference of two other units.
    lowest, highest : Probabilities
        Ends of `largest`, whether the prior is put on no difference, on one that is
        infinitely large, or on one that is infinitely small.
    n_units : int
        Units that were seen.
    strength : float
        Units that the prior stands for.
    n_draws, seed : int
        Number and seed of the draws.
    n_equal : int
        Units without a difference.
    has_ties : bool
        Whether there are such units, or differences of one size.
    references : tuple of Reference
        The works that describe it.
    """

    subject = "how often each comes, of the mean difference of two units like these"
    lead = "By the Bayesian signed-rank test"
    caveat = "of the same scores as the p-value"
    model = (
        "a Dirichlet process, with a prior of the strength of half a unit on no difference; "
        "the mean difference of two units is in one of three regions"
    )
    done = (
        "Probabilities of which system is better most often were computed{for_pairs} by the "
        "Bayesian signed-rank test{works}, for the mean of two {unit}s, by random draws"
    )
    another = "for the mean of two new {unit}s their probabilities are {values}"

    n_draws: int
    seed: int
    n_equal: int = 0
    has_ties: bool = False

    @property
    def fewest(self) -> int:  # type: ignore[override]
        """Units from which chances on other units rest on more than the prior."""
        return _FEWEST_WITH_TIES + self.n_equal if self.has_ties else super().fewest

    @property
    def n_drawn(self) -> int:  # type: ignore[override]
        """Number of random draws that the probabilities rest on."""
        return self.n_draws

    @property
    def monte_carlo_errors(self) -> Probabilities | None:  # type: ignore[override]
        """Standard errors of the probabilities from drawing."""
        return Probabilities(*(math.sqrt(p * (1 - p) / self.n_draws) for p in self.largest))

    def _chances(self, differences: Any, n_draws: int) -> Numbers | None:
        drawn = _chances_drawn(differences, self.rope, self.strength, n_draws, self.seed)
        return np.concatenate([at_0.T for at_0, *_ in drawn])

    def _priors(self, differences: Any) -> dict[str, Reread]:
        @cache
        def every(rope: float) -> list[Probabilities]:
            n_draws = min(self.n_draws, _FEW_DRAWS) if rope != self.rope else self.n_draws
            return _most_often(differences, rope, self.strength, n_draws, self.seed)

        size = f"{self.strength:g} unit{'s' * (self.strength != 1)}"
        names = (f"{size} for neither", f"{size} far for A", f"{size} far for B")
        return {
            name: lambda rope, place=place: every(rope)[place]  # type: ignore[misc]
            for place, name in enumerate(names)
        }

    def _draws(self) -> dict[str, Numbers]:
        raise ValueError(
            "the draws of a signed-rank posterior are made from the differences, which it does "
            "not hold; a hierarchical posterior keeps its chains, and sign_posterior its law."
        )


@procedure(independent_units=True, references=(BENAVOLI_ET_AL_2014,))
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
    >>> found = signed_rank_posterior(PairedScores(a, b, unit="dataset"), rope=0.01, rng=0)
    >>> round(found.probabilities.better, 2), round(found.shares.better, 4)
    (1.0, 0.8731)
    """
    warn_if_dependent(sample, "signed_rank_posterior")
    return of_signed_ranks(
        sample.differences, check_rope(rope), strength=strength, n_draws=n_draws, rng=rng
    )


def of_signed_ranks(
    differences: Numbers,
    rope: float,
    *,
    strength: float = 0.5,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> SignedRankPosterior:
    """Return the posterior from the differences."""
    strength, n = _check_strength(strength), len(differences)
    if n_draws is None:
        n_draws = 200_000 if n <= _MANY_UNITS else 50_000
    check_count("n_draws", n_draws)
    seed = draw_seed(rng)
    chances = _most_often(differences, rope, strength, n_draws, seed)
    sizes, noise = np.sort(np.abs(differences)), _noise_of(differences, rope)
    n_equal = int(np.count_nonzero(sizes <= noise))
    return SignedRankPosterior(
        rope=rope,
        largest=chances[0],
        shares=_expected(differences, rope, strength),
        n_units=n,
        strength=strength,
        n_draws=n_draws,
        seed=seed,
        n_equal=n_equal,
        has_ties=n_equal > 0 or bool(np.any(np.diff(sizes) <= noise)),
        lowest=Probabilities(*np.min(chances, axis=0).tolist()),
        highest=Probabilities(*np.max(chances, axis=0).tolist()),
        references=(BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017),
    )


def _most_often(
    differences: Numbers, rope: float, strength: float, n_draws: int, seed: int
) -> list[Probabilities]:
    """Share of draws in which each of the three comes most often; ties are shared.

    With the prior on no difference, on an infinitely large one, and on an infinitely small one.
    """
    wins = np.zeros((3, 3))
    for chances in _chances_drawn(differences, rope, strength, n_draws, seed):
        for found, three in zip(wins, chances, strict=True):
            first = three >= three.max(axis=0) - _TIED
            found += (first / first.sum(axis=0)).sum(axis=1)
    return [Probabilities(*row) for row in (wins / n_draws).tolist()]


def _chances_drawn(
    differences: Numbers, rope: float, strength: float, n_draws: int, seed: int
) -> Iterator[tuple[Numbers, ...]]:
    """Draw the chances that the mean difference of two units is in each of the three.

    In blocks of draws, with the prior on each of the three places. The units are exchangeable:
    the weights are those of the sorted differences.
    """
    rng, noise = stream(np.random.SeedSequence(seed)), _noise_of(differences, rope)
    values, n = np.sort(differences), len(differences)
    size = max(1, _BLOCK // n)
    for start in range(0, n_draws, size):
        columns = min(size, n_draws - start)
        units = rng.standard_exponential((n, columns))
        prior = rng.standard_gamma(strength, columns)
        weights = np.concatenate([units, prior[None]]) / (units.sum(axis=0) + prior)
        yield tuple(
            shares_of_pairs(np.append(values, at), weights, rope, noise)
            for at in (0.0, math.inf, -math.inf)
        )


def shares_of_pairs(values: Numbers, weights: Numbers, rope: float, noise: float) -> Numbers:
    """Weights of pairs of values with a mean above, in, and below the region; (3, n_draws).

    A mean on a border counts one half on either side.
    """
    order = np.argsort(values)
    values, weights = values[order], weights[order]
    sums = np.zeros((len(weights) + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=sums[1:])

    def up_to(border: float) -> Any:
        low, high = border - 2 * noise, border + 2 * noise
        inside = np.searchsorted(values, low - values)
        within = np.searchsorted(values, high - values, side="right")
        found = np.einsum("ij,ij->j", weights, sums[within])
        if (inside == within).all():
            return found
        return (found + np.einsum("ij,ij->j", weights, sums[inside])) / 2

    below = up_to(-2 * rope)
    above = sums[-1] ** 2 - (below if rope == 0 else up_to(2 * rope))
    same = np.zeros_like(above) if rope == 0 else np.maximum(0, 1 - above - below)
    return np.stack([above, same, below])


def _expected(differences: Numbers, rope: float, strength: float) -> Probabilities:
    """Return the expected chances: E[w_i w_j] = a_i (a_j + [i = j]) / (a (a + 1))."""
    values, a = np.append(differences, 0.0), np.append(np.ones(len(differences)), strength)
    noise, total = _noise_of(differences, rope), a.sum()
    pairs = total**2 * shares_of_pairs(values, a[:, None] / total, rope, noise)[:, 0]
    better, worse = (side * values - rope for side in (1, -1))
    itself = [a @ ((own > noise) / 2 + (own >= -noise) / 2) for own in (better, worse)]
    found = (pairs[[0, 2]] + itself) / (total * (total + 1))
    same = 0.0 if rope == 0 else max(0.0, 1 - float(found.sum()))
    return Probabilities(float(found[0]), same, float(found[1]))
