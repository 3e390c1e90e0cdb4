"""Wilcoxon's signed-rank test, exact with ties and zeros."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import Quantity, check_choice, procedure
from skstat.stats._literature import (
    BENAVOLI_ET_AL_2014,
    BENAVOLI_ET_AL_2017,
    PRATT_1959,
    WILCOXON_1945,
)
from skstat.stats._outcomes import (
    NOISE,
    Comparison,
    Law,
    Posterior,
    Probabilities,
    Reread,
    by_rows,
    check_rope,
    effect_sizes,
    estimand,
    limit,
    number,
    pvalue_of_tails,
    smallest_of_signs,
    unit_word,
)
from skstat.stats._paired.sign import RegionPosterior, check_strength, noise_of
from skstat.stats._paired.signed_ranks import (
    EXACT_UP_TO,
    RankSums,
    chances_of_sums_up_to,
    hodges_lehmann,
    largest_sums_below,
    rank_sum_law,
    ranks_of,
    walsh_averages,
)
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._samples import (
    PairedScores,
    ScorePairs,
    check_alternative,
    check_count,
    warn_if_dependent,
)

Numbers = NDArray[np.float64]

STRENGTH = 0.5
_MANY_UNITS = 200
_FEW_DRAWS = 50_000  # of a region beside that which was asked
_BLOCK = 1 << 17  # numbers of one block of draws, which the cache of a processor holds
_TIED = 1e-12  # chances that differ by less are the same
_FEWEST_WITH_TIES = 12

_PSEUDO_MEDIAN = Quantity(
    name="pseudo-median difference",
    is_difference=False,
    of_units=True,
    transitive=False,
    compares_sizes="weakly",
    claim="by the signed ranks of single {unit}s",
)


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
    def fewest(self) -> int:
        return _FEWEST_WITH_TIES + self.n_equal if self.has_ties else super().fewest

    @property
    def n_drawn(self) -> int:
        return self.n_draws

    @property
    def monte_carlo_errors(self) -> Probabilities | None:
        return Probabilities(*(math.sqrt(p * (1 - p) / self.n_draws) for p in self.largest))

    def _chances(self, differences: Any, n_draws: int) -> Numbers | None:
        return chances_drawn(
            differences, self.rope, self.strength, n_draws=n_draws, seed=self.seed
        )

    def _priors(self, differences: Any) -> dict[str, Reread]:
        size = f"{self.strength:g} unit{'s' * (self.strength != 1)}"
        names = (f"{size} for neither", f"{size} far for A", f"{size} far for B")
        every = cache(partial(self._by_prior, tuple(differences.tolist())))
        return {
            name: lambda rope, place=place: every(rope)[place]  # type: ignore[misc]
            for place, name in enumerate(names)
        }

    def _by_prior(self, differences: tuple[float, ...], rope: float) -> list[Probabilities]:
        pairs = _Pairs.of(np.array(differences), rope)
        n_draws = min(self.n_draws, _FEW_DRAWS) if rope != self.rope else self.n_draws
        found = _most_often(pairs, len(differences), self.strength, n_draws, self.seed)
        return [Probabilities(*row) for row in found.tolist()]

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
    strength: float = STRENGTH,
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
    strength: float = STRENGTH,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> SignedRankPosterior:
    """Return the posterior from the differences."""
    strength, n = check_strength(strength), len(differences)
    if n_draws is None:
        n_draws = 200_000 if n <= _MANY_UNITS else 50_000
    check_count("n_draws", n_draws)
    seed, pairs = draw_seed(rng), _Pairs.of(differences, rope)
    chances = _most_often(pairs, n, strength, n_draws, seed)
    sizes, noise = np.sort(np.abs(differences)), noise_of(differences, rope)
    n_equal = int(np.count_nonzero(sizes <= noise))
    return SignedRankPosterior(
        rope=rope,
        largest=Probabilities(*chances[0].tolist()),
        shares=pairs.expected(strength),
        n_units=n,
        strength=strength,
        n_draws=n_draws,
        seed=seed,
        n_equal=n_equal,
        has_ties=n_equal > 0 or bool(np.any(np.diff(sizes) <= noise)),
        lowest=Probabilities(*chances.min(axis=0).tolist()),
        highest=Probabilities(*chances.max(axis=0).tolist()),
        references=(BENAVOLI_ET_AL_2014, BENAVOLI_ET_AL_2017),
    )


def _most_often(pairs: "_Pairs", n: int, strength: float, n_draws: int, seed: int) -> Numbers:
    """Share of draws in which each of the three comes most often.

    Rows: with the prior on no difference, on an infinitely large one, on an infinitely small.
    """
    wins = np.zeros((3, 3))
    for units, prior in _weights(n, strength, n_draws, seed):
        for found, (above, below) in zip(wins, pairs.chances(units, prior), strict=True):
            found += _largest(above, below, pairs.rope)
    return wins / n_draws


def chances_drawn(
    differences: Numbers, rope: float, strength: float, *, n_draws: int, seed: int
) -> Numbers:
    """Draw the chances that the mean difference of two units is in each of the three."""
    pairs, found = _Pairs.of(differences, rope), []
    for units, prior in _weights(len(differences), strength, n_draws, seed):
        above, below = pairs.chances(units, prior)[0]
        same = np.zeros_like(above) if rope == 0 else np.maximum(0, 1 - above - below)
        found.append(np.stack([above, same, below], axis=1))
    return np.concatenate(found)


def _weights(
    n: int, strength: float, n_draws: int, seed: int
) -> Iterator[tuple[Numbers, Numbers]]:
    """Draw the weights of the units and that of the prior, in blocks, without their sum.

    The units are exchangeable: the weights are those of the sorted differences.
    """
    rng = stream(np.random.SeedSequence(seed))
    size = max(1, _BLOCK // n)
    for start in range(0, n_draws, size):
        columns = min(size, n_draws - start)
        yield rng.standard_exponential((n, columns)), rng.standard_gamma(strength, columns)


class _Ends(NamedTuple):
    """How many of the sorted differences make a mean with another that is up to a border.

    Attributes
    ----------
    inside, up_to : ndarray of shape (n_units,)
        Of every difference, without those on the border, and with them.
    alone : tuple of int
        Of a difference of 0, the prior's.
    """

    inside: NDArray[np.intp]
    up_to: NDArray[np.intp]
    alone: tuple[int, int]

    @classmethod
    def of(cls, ordered: Numbers, border: float, noise: float) -> "_Ends":
        lower, upper = border - 2 * noise, border + 2 * noise
        return cls(
            np.searchsorted(ordered, lower - ordered),
            np.searchsorted(ordered, upper - ordered, side="right"),
            (
                int(np.searchsorted(ordered, lower)),
                int(np.searchsorted(ordered, upper, side="right")),
            ),
        )

    def pairs(self, units: Numbers, sums: Numbers) -> Numbers:
        """Return the weight of all pairs of units up to the border; half of those on it."""
        found = np.einsum("ij,ij->j", units, sums[self.inside])
        if (self.inside == self.up_to).all():
            return found
        return (found + np.einsum("ij,ij->j", units, sums[self.up_to])) / 2

    def with_prior(self, sums: Numbers) -> Numbers:
        """Return the weight of the units whose mean with a difference of 0 is up to it."""
        inside, up_to = self.alone
        return np.asarray((sums[inside] + sums[up_to]) / 2)


class _Pairs(NamedTuple):
    """Which pairs of sorted differences have a mean beyond the region, and below it.

    Attributes
    ----------
    above, below : _Ends
        At the upper border, and at the lower one; the same without a region.
    rope : float
        Half width of the region.
    """

    above: _Ends
    below: _Ends
    rope: float

    @classmethod
    def of(cls, differences: Numbers, rope: float) -> "_Pairs":
        ordered, noise = np.sort(differences), noise_of(differences, rope)
        upper = _Ends.of(ordered, 2 * rope, noise)
        lower = upper if rope == 0 else _Ends.of(ordered, -2 * rope, noise)
        return cls(upper, lower, rope)

    def chances(self, units: Numbers, prior: Numbers) -> list[tuple[Numbers, Numbers]]:
        """Return the chances above and below the region, of each draw of weights.

        They are those with the prior on no difference, on an infinitely large one, and on an
        infinitely small one.
        """
        sums = np.zeros((len(units) + 1, units.shape[1]))
        np.cumsum(units, axis=0, out=sums[1:])
        all_units = sums[-1]
        below = self.below.pairs(units, sums)
        above = all_units**2 - (below if self.rope == 0 else self.above.pairs(units, sums))
        square = (all_units + prior) ** 2
        itself = prior**2 / 2 if self.rope == 0 else 0.0  # on the border
        over = 2 * prior * (all_units - self.above.with_prior(sums)) + itself
        under = 2 * prior * self.below.with_prior(sums) + itself
        far = 2 * prior * all_units + prior**2
        return [
            ((above + over) / square, (below + under) / square),
            ((above + far) / square, below / square),
            (above / square, (below + far) / square),
        ]

    def expected(self, strength: float) -> Probabilities:
        """Return the expected chances: E[w_i w_j] = a_i (a_j + [i = j]) / (a (a + 1))."""
        n = len(self.above.inside)
        ones, sums = np.ones((n, 1)), np.arange(n + 1.0)[:, None]
        place, total = np.arange(n), n + strength

        def up_to(ends: _Ends) -> float:
            twice = sum(float(np.sum(place < end)) for end in (ends.inside, ends.up_to)) / 2
            return float(ends.pairs(ones, sums)[0]) + twice

        itself = strength * (strength + 1) / 2 if self.rope == 0 else 0.0
        over = 2 * strength * (n - float(self.above.with_prior(sums)[0])) + itself
        under = 2 * strength * float(self.below.with_prior(sums)[0]) + itself
        square = total * (total + 1)
        better = (n * (n + 1) - up_to(self.above) + over) / square
        worse = (up_to(self.below) + under) / square
        same = 0.0 if self.rope == 0 else max(0.0, 1 - better - worse)
        return Probabilities(better, same, worse)


def _largest(above: Numbers, below: Numbers, rope: float) -> Numbers:
    """Count the draws in which each of the three chances is the largest; ties are shared."""
    three = np.stack([above, 1 - above - below, below])
    if rope == 0:
        three[1] = -1.0  # there is no region, and what is left of 1 is rounding
    first = three >= three.max(axis=0) - _TIED
    return np.asarray((first / first.sum(axis=0)).sum(axis=1))


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRanks(Law):
    """Signed ranks of the differences: the sum R+ of the ranks of those above 0.

    The interval for the pseudo-median is made of the ordered Walsh averages (Tukey); its
    coverage is at least the level. Critical values are for these ranks with their ties.
    """

    statistic_name = "R+"
    quantity = _PSEUDO_MEDIAN
    _signed = (*Law._signed, "differences")
    _swapped = ("below", "above")

    rank_sum: Any
    total: Any
    below: Any
    above: Any
    n_untied: Any
    zeros: Any
    exact: Any
    differences: Any

    @property
    def statistic(self) -> Any:
        return self.rank_sum

    @property
    def direction(self) -> Any:
        return number(np.sign(2 * self.rank_sum - self.total))

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {"rank_sum": lambda own: self.total - own}

    def pvalue(self, alternative: str) -> Any:
        return pvalue_of_tails(self.below, self.above, alternative)

    def smallest_pvalue(self, alternative: str) -> Any:
        least = smallest_of_signs(alternative, self.n_untied)
        return number(np.where(self.exact, least, 0.0))

    def limits(self, tail: Any) -> tuple[Any, Any]:
        def ends(differences: Numbers, tails: Numbers) -> tuple[Any, Any]:
            n = differences.shape[1]
            last = n * (n + 1) // 2 - 1
            found = [
                (-math.inf, math.inf) if cut < 0 else walsh_averages(own, [cut, last - cut])
                for own, cut in zip(
                    differences, largest_sums_below(tails, n).tolist(), strict=True
                )
            ]
            low, high = np.transpose(found)
            return low, high

        low, high = by_rows(self.differences, ends, tail)
        return low, high

    def tails(self, bound: float) -> tuple[Any, Any]:
        def chances(differences: Numbers, _: Numbers) -> tuple[Numbers, ...]:
            sides = (side * (differences - bound) for side in (-1, 1))
            return tuple(_not_beyond(own, abs(bound)) for own in sides)

        below, above = by_rows(self.differences, chances)
        return below, above

    def posterior(self, rope: float, *, n_draws: int | None, rng: Any) -> Posterior | None:
        return of_signed_ranks(self.differences, rope, n_draws=n_draws, rng=rng)

    def critical_value(self, alternative: str, alpha: float) -> float:
        side = "less" if alternative == "less" else "greater"
        tail = alpha / 2 if alternative == "two-sided" else alpha
        ranks = ranks_of(np.asarray(self.differences, dtype=float), int(self.zeros))
        offset = (self.total - float(ranks.sum())) / 2  # half of the ranks of zeros
        if not self.exact:
            mean, sd = float(ranks.sum()) / 2, math.sqrt(float(np.sum(ranks**2)) / 4)
            quantile = float(-special.ndtri(tail)) * (-1 if side == "less" else 1)
            return mean + quantile * sd + offset
        law, scale = rank_sum_law(ranks)
        sums = np.flatnonzero(law)
        below = np.cumsum(law)[sums]  # the law is symmetric: so is what lies above
        total = len(law) - 1
        rejecting = sums[below <= tail * (1 + 1e-12)]
        if side == "greater":
            rejecting = total - rejecting
        return limit(rejecting / scale + offset, side)


def _not_beyond(differences: Numbers, bound: float) -> Numbers:
    """Chances of so few Walsh averages beyond a bound, which is subtracted already."""
    ordered, n = np.sort(differences, axis=1), differences.shape[1]
    noise = NOISE * np.maximum(bound, np.abs(differences).max(axis=1))
    rank_sums = [
        np.maximum(np.searchsorted(own, 2 * least - own, side="right") - np.arange(n), 0).sum()
        for own, least in zip(ordered, noise.tolist(), strict=True)
    ]
    return chances_of_sums_up_to(np.array(rank_sums), n)


@procedure(
    title="Wilcoxon's signed-rank test",
    when="outliers",
    because="this test ranks the sizes of differences, so that no single one decides",
    independent_units=True,
    references=(WILCOXON_1945, PRATT_1959),
    read_as=("signed_rank_posterior", "bayesian_signed_rank", "bayesian_wilcoxon"),
)
def wilcoxon(
    sample: PairedScores | ScorePairs,
    *,
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "pratt",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    alternative: str = "two-sided",
) -> Comparison:
    """Wilcoxon signed-rank test (Wilcoxon, 1945), exact with ties and zeros.

    The statistic [2]_ is R+, the sum of the mid-ranks of abs(d) over the units with
    d > 0. Its exact null distribution, every sign pattern equally likely, is
    computed from the ranks as they are, ties included. Differences are rounded to
    the resolution of the scores before ranking.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    zero_method : {"pratt", "wilcox", "zsplit"}, default="pratt"
        ``"wilcox"`` drops zeros; ``"pratt"`` ranks them, then drops their ranks
        [1]_; ``"zsplit"`` gives half of their ranks to each side (the same exact
        p-value as ``"pratt"``, another statistic).
    method : {"auto", "exact", "asymptotic"}, default="auto"
        ``"auto"`` is exact up to 200 units, then normal with the tie-corrected
        variance.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is the pseudo-median (Hodges-Lehmann).

    Raises
    ------
    ValueError
        If an option is unknown.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    Notes
    -----
    The null hypothesis is symmetry of the differences about 0, not a zero mean.

    References
    ----------
    .. [1] Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed
       rank procedures. Journal of the American Statistical Association, 54, 655-667.
       :doi:`10.1080/01621459.1959.10501526`
    .. [2] Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics
       Bulletin, 1(6), 80-83. :doi:`10.2307/3001968`

    Examples
    --------
    >>> from skstat.stats import PairedScores, wilcoxon
    >>> a = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> sample = PairedScores(a, b, unit="instance")
    >>> outcome = wilcoxon(sample, alternative="greater")
    >>> outcome.statistic, round(outcome.pvalue, 5)
    (40.0, 0.01953)
    """
    check_choice("zero_method", zero_method, ("pratt", "wilcox", "zsplit"))
    check_choice("method", method, ("auto", "exact", "asymptotic"))
    check_alternative(alternative)
    warn_if_dependent(sample, "wilcoxon")
    many = isinstance(sample, ScorePairs)
    sums = (RankSums.of_pairs if many else RankSums.of)(sample, zero_method)  # type: ignore[arg-type]
    exact = sums.n_untied <= EXACT_UP_TO if method == "auto" else method == "exact"
    below, above = sums.tails(exact)
    differences = sample if many else sample.differences
    (middle,) = by_rows(differences, lambda rows, _: (list(map(hodges_lehmann, rows)),))
    kind = np.where(exact, "exact", "normal approximation")
    named: Any = np.char.add(np.char.add("Wilcoxon signed-rank test (", kind), ")")
    return Comparison(
        test=named if many and len(np.unique(named)) > 1 else str(named.flat[0]),
        estimand=estimand(sample, "pseudo-median"),
        null_hypothesis="the differences score(A) - score(B) are symmetric about 0",
        alternative=alternative,
        assumptions=(
            f"the {unit_word(sample.unit)}s are independent of each other",
            "the differences are symmetric about their centre",
        ),
        effect_sizes=effect_sizes(sample),
        references=(WILCOXON_1945, PRATT_1959) if zero_method == "pratt" else (WILCOXON_1945,),
        law=SignedRanks(
            estimate=middle,
            rank_sum=sums.found + sums.offset,
            total=sums.total + 2 * sums.offset,
            below=below,
            above=above,
            n_untied=sums.n_untied,
            exact=exact,
            zeros=sums.zeros,
            differences=differences,
        ),
    )
