"""The paired permutation (sign-flip) test of a mean difference."""

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _chance as tails
from skstat.stats import _words as words
from skstat.stats._family import Comparison, Law, compared, family_of, map_each, pvalue_of_tails
from skstat.stats._ordering import RELATIVE_RESOLUTION
from skstat.stats._procedure import procedure, works
from skstat.stats._score_table import ScorePairs
from skstat.stats._scores import PairedScores, check_count, warn_if_dependent
from skstat.stats._stored import Number, Numbers, Stored

EXHAUSTIVE_UP_TO = 20  # 2^20 patterns take milliseconds and 16 MB
# Tables of 64 bytes of signs fill 128 kB: they and what is read from them stay in
# cache. Both numbers are constants, so that results never depend on the machine.
_BYTES_AT_ONCE = 64
_PATTERNS_AT_ONCE = 1024
FEWEST_UNITS = 500
# Sum of the fourth powers over the squared sum of squares: one over the number of units that
# matter, were these alike.
_LARGEST_KURTOSIS = 0.05
# Steps this small, relative to the spread of the sum, move a p-value of 0.05 by a 500th.
_FINE = 1e-3
_ATOMS = 4096
_SUBSAMPLE = 2000
# Logarithm of the largest characteristic function at a lattice frequency that counts as smooth.
_SMOOTH = -7.0
_NEAR_CENTRE = 0.02
_NO_CHANCE = 1e-20
_ALIKE = 20  # units per term, from which counts of flips are drawn
_ROUNDING = 1e-12


def countable(n: int, n_resamples: int) -> bool:
    """Whether all sign patterns of n differences are few enough to be counted."""
    return n <= EXHAUSTIVE_UP_TO or 2**n <= n_resamples


def subset_sums(values: Numbers) -> Numbers:
    """Return the sums of all subsets of numbers along the last axis, the empty one first."""
    sums = np.zeros((*values.shape[:-1], 1))
    for column in np.moveaxis(values, -1, 0):
        sums = np.concatenate([sums, sums + column[..., None]], axis=-1)
    return sums


def drawn_subset_sums(values: Numbers, n_resamples: int, seed: int) -> Numbers:
    """Return sums of drawn subsets of the numbers of every row, (n_rows, n_resamples).

    Eight signs come as one byte, and a table gives the sum of the eight numbers for every byte
    (the method of the four Russians; Arlazarov et al., 1970).
    """
    rng, n = tails.stream(np.random.SeedSequence(seed)), 8 * _BYTES_AT_ONCE
    sums = np.zeros((len(values), n_resamples))
    for start in range(0, values.shape[1], n):
        part = values[:, start : start + n]
        octets = np.pad(part, ((0, 0), (0, -part.shape[1] % 8))).reshape(len(values), -1, 8)
        tables = subset_sums(octets[..., ::-1])  # the first number is the highest bit
        offsets = np.arange(0, 256 * tables.shape[1], 256)[:, None]
        for first in range(0, n_resamples, _PATTERNS_AT_ONCE):
            block = sums[:, first : first + _PATTERNS_AT_ONCE]
            # One column is one pattern: bytes that share a table lie side by side.
            indices = offsets + tails.fair_bits(rng, len(offsets), 8 * block.shape[1])
            for row, table in zip(block, tables, strict=True):
                row += table.take(indices).sum(axis=0)
    return sums


@dataclass(frozen=True, eq=False)
class FlippedSum(Stored):
    """Law of a sum whose parts have random signs, by saddlepoint approximation.

    The tail of a sum follows from its cumulant generating function K: where ``K'(t) = x``,
    ``w = sign(t) sqrt(2 (t x - K(t)))`` and ``u = t sqrt(K''(t))``, the chance of x or more is
    that of a standard normal above ``r = w + log(u / w) / w`` (Robinson, 1982; r as
    Barndorff-Nielsen writes it). The error is relative to the tail, however small that is.

    Parameters
    ----------
    values : ndarray
        The parts.
    counts : ndarray
        How many parts each value stands for.
    """

    values: Numbers
    counts: Numbers

    @cached_property
    def scale(self) -> float:
        """Standard deviation of the sum."""
        largest = float(np.abs(self.values).max())
        return largest * math.sqrt(self.counts @ (self.values / largest) ** 2)

    def normal(self, x: float) -> float:
        """Return the normal score of `x`: the normal quantile at its cumulative chance."""
        target = x / self.scale
        if not abs(target) < float(self.counts @ self._parts) * (1 - _ROUNDING):
            return math.copysign(math.inf, target)
        # Newton's steps never pass the root, as K' flattens away from 0; most sums need four.
        t = target
        for _ in range(100):
            _, slope, curve = self._cumulants(t)
            t += (step := (target - slope) / curve)
            if abs(step) <= _ROUNDING * abs(t):
                break
        return self._root(t)

    def quantile(self, score: float) -> float:
        """Return the value whose normal score is `score`."""
        t = tails.root_of_rising(lambda t: self._root(t) - score, score)
        return self.scale * self._cumulants(t)[1]

    @cached_property
    def _parts(self) -> Numbers:
        return np.abs(self.values) / self.scale

    def _cumulants(self, t: float) -> tuple[float, float, float]:
        """Cumulant generating function of the standardised sum, and two derivatives."""
        size = abs(t) * self._parts
        shrunk = np.exp(-2 * size)
        tangent = -np.expm1(-2 * size) / (1 + shrunk)
        log_cosh = size + np.log1p(shrunk) - math.log(2)
        slope = float(self.counts @ (self._parts * tangent))
        curve = self.counts @ (self._parts**2 * (4 * shrunk / (1 + shrunk) ** 2))
        return float(self.counts @ log_cosh), math.copysign(slope, t), float(curve)

    def _root(self, t: float) -> float:
        k, slope, curve = self._cumulants(t)
        deviance = max(0.0, 2 * (t * slope - k))
        w = math.copysign(math.sqrt(deviance), t)
        if abs(w) < _NEAR_CENTRE:  # where the quotient of two small numbers has few digits
            return w - w * float(self.counts @ self._parts**4) / 4
        return w + math.log(t * math.sqrt(curve) / w) / w


def atoms(values: Numbers) -> tuple[Numbers, Numbers]:
    """Replace many values by few, and return how many each stands for.

    The values of a narrow bin become two, with their mean and their variance. What is lost is
    of the third order in the width of a bin, which is small against the sum of them all.
    """
    if len(values) <= 2 * _ATOMS:
        return values, np.ones(len(values))
    width = float(np.ptp(values)) / _ATOMS
    bins = np.minimum(((values - values.min()) / width).astype(np.int64), _ATOMS - 1)
    counts = np.bincount(bins, minlength=_ATOMS)
    n, filled = np.maximum(counts, 1), counts > 0
    mean = np.bincount(bins, values, _ATOMS) / n
    spread = np.sqrt(np.bincount(bins, (values - mean[bins]) ** 2, _ATOMS) / n)
    points = np.concatenate([(mean - spread)[filled], (mean + spread)[filled]])
    return points, np.tile(counts[filled] / 2, 2)


def flips_are_smooth(values: Numbers) -> bool:
    """Whether the sum of values, none of them 0, under flips of their signs has a smooth law.

    There are many of them, none of which counts for many others, and they do not stand on a
    lattice, as differences of ranks or of counts do: the law of these has steps.
    """
    if len(values) < FEWEST_UNITS:
        return False
    parts = np.abs(values)
    squares = (parts / parts.max()) ** 2
    few = float(squares @ squares) > _LARGEST_KURTOSIS * float(squares.sum()) ** 2
    return not few and _off_lattice(parts)


def _off_lattice(parts: Numbers) -> bool:
    """Whether the characteristic function of the sum shows no step of a lattice."""
    n = len(parts)
    subsample = parts[:: max(1, n // _SUBSAMPLE)]
    sizes = np.sort(subsample)
    noise = 1e-9 * float(sizes[-1])
    repeated = sizes[1:][np.diff(sizes) <= noise]
    if not len(repeated):
        return True
    spread = math.sqrt(n * float(np.mean(subsample**2)))
    steps = np.array([_common_step(repeated, noise), repeated[0], np.median(repeated)])
    steps = steps[steps > _FINE * spread, None]
    with np.errstate(divide="ignore"):
        waves = np.log(np.abs(np.cos(math.pi * subsample / steps)))
    return not (n * waves.mean(axis=1) > _SMOOTH).any()


def _common_step(sizes: Numbers, noise: float) -> float:
    """Largest number of which all sizes are multiples, by Euclid's algorithm."""
    step = float(sizes[0])
    for size in sizes.tolist():
        other = size
        while other > 4 * noise:
            step, other = other, step % other
            if step - other <= 4 * noise:  # a whole multiple, but for noise
                other = 0.0
    return step


@dataclass(frozen=True, kw_only=True, eq=False)
class Permuted(Stored, words.Swappable):
    """Law of a statistic under swaps.

    Attributes
    ----------
    smooth : FlippedSum or None
        The saddlepoint approximation, where nothing is counted.
    terms : ndarray or None
        Differences of units whose sum is the statistic, and of whose signs all patterns are
        counted.
    values : ndarray or None
        Instead of terms: the statistic on every permutation.
    chances : ndarray or None
        Chance of every value; None where each is a drawn permutation, so that the one
        observed is counted beside them.
    noise : float
        Values that differ by no more are tied.
    n_differing : int
        Units that a swap can change. Their signs bound what the p-value can show.
    """

    _signed = ("terms", "values")

    smooth: FlippedSum | None = None
    terms: Numbers | None = None
    values: Numbers | None = None
    chances: Numbers | None = None
    noise: float
    n_differing: int

    @property
    def drawn(self) -> bool:
        """Whether the permutations were drawn."""
        return self.values is not None and self.chances is None

    def pvalue(self, observed: float, alternative: str) -> float:
        """Chance of a value at least as extreme as the observed one."""
        threshold = float(words.TOWARDS[alternative](observed))
        floor = words.smallest_of_signs(alternative, self.n_differing)
        if self.smooth is not None:
            chance = float(special.ndtr(-self.smooth.normal(threshold)))
            chance *= 1 + (alternative == "two-sided")
        else:
            extreme = words.TOWARDS[alternative](self._values) >= threshold - self.noise
            chance = float(self._chance_of(self._weights[extreme].sum()))
        return words.above_zero(min(1.0, max(floor, chance)))

    def largest_accepted(self, alpha: float, alternative: str) -> float:
        """Largest value whose p-value is not below `alpha`; infinite if none is."""
        floor = words.smallest_of_signs(alternative, self.n_differing)
        if self.smooth is not None:
            tail = alpha / 2 if alternative == "two-sided" else alpha
            score = -float(special.ndtri(tail))
            return math.inf if floor >= alpha else self.smooth.quantile(score)
        values = words.TOWARDS[alternative](self._values)
        falling = np.argsort(-values, kind="stable")
        ordered = values[falling[::-1]]
        above = self._chance_of(np.append(0.0, np.cumsum(self._weights[falling])))[::-1]
        level = alpha * (1 - _ROUNDING)
        accepted = above[np.searchsorted(ordered, ordered - self.noise)] >= level
        if max(floor, above[-1]) >= level or not accepted.any():
            return math.inf
        return float(ordered[np.flatnonzero(accepted)[-1]])

    def largest(self, alternative: str) -> float:
        """Return the largest value that the statistic can have."""
        if self.smooth is not None:
            return float(self.smooth.counts @ np.abs(self.smooth.values))
        return float(words.TOWARDS[alternative](self._values).max())

    @cached_property
    def _values(self) -> Numbers:
        if self.terms is None:
            return np.asarray(self.values)
        return float(self.terms.sum()) - 2 * subset_sums(self.terms)

    @property
    def _weights(self) -> Numbers:
        return np.ones(len(self._values)) if self.chances is None else self.chances

    def _chance_of(self, weights: Any) -> Any:
        """Return the chance of values of a total weight; with draws the observed one counts."""
        total = 1 if self.chances is not None else len(self._values) + self.drawn
        return (weights + self.drawn) / total


def law_of_flips(
    terms: Numbers,
    counts: NDArray[np.int64],
    *,
    noise: float,
    alike: float,
    n_resamples: int,
    seed: int,
    may_be_smooth: bool,
    alternative: str,
) -> tuple[Permuted, float]:
    """Return the law of a sum of terms with random signs, and the p-value of the observed sum.

    Parameters
    ----------
    terms, counts : ndarray of shape (n_terms,)
        The terms, and how many units each stands for.
    noise : float
        Sums that differ by no more are tied.
    alike : float
        Sizes of terms that differ by no more are the same.
    n_resamples, seed : int
        Patterns to draw where they are too many to count, and their seed.
    may_be_smooth : bool
        Whether a saddlepoint approximation may be used.
    alternative : {"two-sided", "less", "greater"}
        Direction of the test.
    """
    moves = terms != 0  # flipping a zero changes nothing
    active, times = terms[moves], counts[moves]
    n, sizes, observed = int(times.sum()), np.abs(active), float(times @ active)
    law_of = partial(Permuted, noise=noise, n_differing=n)
    if n and np.ptp(sizes) <= alike:
        # Twenty standard deviations from the middle the chance is below exp(-200).
        reach = 10 * math.isqrt(n) + 10
        near = np.arange(max(0, n // 2 - reach), min(n, n // 2 + reach) + 1)
        chances = tails.laws().binom.pmf(near, n, 0.5)
        likely = chances > _NO_CHANCE  # of a million counts, some thousands
        values = float(sizes.mean()) * (2.0 * near[likely] - n)
        # Of signs alone the p-value has a formula with more digits.
        pvalue = pvalue_of_tails(*tails.binom_tails(times[active > 0].sum(), n), alternative)
        return law_of(values=values, chances=chances[likely]), pvalue
    if n > _ALIKE * len(active):  # many units of few kinds: draw how many of each flip
        rng = np.random.default_rng(seed)
        flipped = rng.binomial(times, 0.5, (n_resamples, len(active))) @ active
        law = law_of(values=observed - 2 * flipped)
    elif countable(n, n_resamples):
        law = law_of(terms=np.repeat(active, times))
    else:
        units = np.repeat(active, times)
        if may_be_smooth and flips_are_smooth(units):
            law = law_of(smooth=FlippedSum(*atoms(np.repeat(terms, counts))))
        else:
            law = law_of(
                values=observed - 2 * drawn_subset_sums(units[None], n_resamples, seed)[0]
            )
    return law, law.pvalue(observed, alternative)


@dataclass(frozen=True, kw_only=True, eq=False)
class Flips(Law):
    """Flips of the signs of all differences; draws can be repeated from the seed.

    The limits contain all shifts that the test does not reject. Without resamples
    (`n_resamples` is 0) everything is by saddlepoint.
    """

    statistic_name = "mean difference"
    _signed = (*Law._signed, "differences")

    flip_pvalue: Number
    differences: Number
    n_untied: Number

    def pvalue(self, alternative: str) -> Any:
        return self.flip_pvalue

    def smallest_pvalue(self, alternative: str) -> Any:
        of_draws = 0.0 if self.seed is None else 1 / (1 + (self.n_resamples or 0))
        of_signs = words.smallest_of_signs(alternative, self.n_untied)
        return words.number(np.maximum(of_draws, of_signs))

    def limits(self, tail: float) -> tuple[Any, Any]:
        return map_each(self, Flips._limits, tail)

    def tails(self, bound: float) -> tuple[Any, Any]:
        return map_each(self, Flips._tails, bound)

    def _limits(self, tail: float) -> tuple[float, float]:
        # A shift is rejected from below exactly when too few subsets of the units have a mean
        # difference below it, so that the limits are order statistics of subset means
        # (Hartigan, 1969, typical values). Where the units are too many to count all subsets,
        # subsets are drawn, for an exact p-value (of equal sizes, or of few untied units) from
        # a fixed seed.
        if not self.differences.any():
            return 0.0, 0.0
        if self.n_resamples == 0:  # by saddlepoint
            z = special.ndtri(tail)
            return self._smooth_limit(-z), self._smooth_limit(z)
        means, total = self._subsets
        means = np.sort(means)
        # A limit of 0 must not fall on one side of 0 by float noise.
        means[np.abs(means) <= RELATIVE_RESOLUTION * np.abs(self.differences).max()] = 0.0
        # p of the shift means[k] is (k + 2) / total: the pattern without a flip
        # and the k + 1 subsets up to it. The first with p > tail is the limit.
        cut = max(0, math.floor(tail * total * (1 + 1e-12)) - 1)
        if 1 / total > tail or cut >= len(means):
            return -math.inf, math.inf
        return float(means[cut]), float(means[len(means) - 1 - cut])

    def _tails(self, bound: float) -> tuple[float, float]:
        if self.n_resamples == 0:  # by saddlepoint
            score = self._smooth_score(bound)
            return float(special.ndtr(score)), float(special.ndtr(-score))
        means, total = self._subsets
        noise = words.NOISE * max(abs(bound), float(np.abs(self.differences).max()))
        # As in the limits: the pattern without a flip, and the subsets up to the bound.
        below, above = (1 + int(np.sum(side * (means - bound) <= noise)) for side in (-1, 1))
        return below / total, above / total

    def _smooth_score(self, bound: float) -> float:
        """Normal score of the mean of the differences less a bound."""
        values, counts = atoms(self.differences)
        shifted = values - bound
        return FlippedSum(shifted, counts).normal(float(counts @ shifted))

    def _smooth_limit(self, score: float) -> float:
        """Return the bound that has a normal score, which falls as the bound grows."""
        d = self.differences
        mean, error = float(np.mean(d)), float(np.std(d)) / math.sqrt(len(d))
        root = tails.root_of_rising(
            lambda e: score - self._smooth_score(mean + e * error), -score
        )
        return mean + error * root

    @property
    def _subsets(self) -> tuple[Numbers, int]:
        """Mean differences of subsets of the units, and the number of all patterns."""
        n, seed, m = len(self.differences), self.seed, self.n_resamples or 0
        rows = np.stack([self.differences, np.ones(n)])
        full = seed is None and countable(n, m)
        sums, counts = subset_sums(rows) if full else drawn_subset_sums(rows, m, seed or 0)
        proper = counts > 0
        return sums[proper] / counts[proper], len(counts) + (not full)


@procedure(
    title="the paired permutation test",
    when="few rows, groups or data sets: their mean",
    independent_units=True,
    references=(works.FISHER_1935,),
)
def sign_flip(
    sample: PairedScores | ScorePairs,
    *,
    n_resamples: int | None = None,
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
) -> Comparison:
    """Paired permutation test of the mean difference by flipping signs.

    Under the null hypothesis A and B are exchangeable on every unit: swapping them flips the
    sign of its difference ([1]_, section 21). The p-value is the share of sign patterns whose
    mean is at least as extreme as the observed one, ties counted within float noise. All 2^n
    patterns are counted for up to 20 units or when they are no more than `n_resamples`; equal
    sizes of all non-zero differences give the exact binomial. For 500 units and more the share
    follows by saddlepoint ([2]_; [3]_, section 9.5), without drawing anything, to about a part
    in a thousand of itself, however small it is. Otherwise (fewer units, differences on a
    lattice, a few that outweigh all others, or `n_resamples` given) patterns are drawn and
    ``p = (1 + count) / (1 + n_resamples)``.

    Parameters
    ----------
    sample : PairedScores or ScorePairs
        Scores of A and B on the same units, or pairs of a table.
    n_resamples : int or None, default=None
        Patterns to draw when they are too many to count. None draws 9999, and none at all
        where a saddlepoint approximation answers.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers; the estimate and the statistic are the mean difference.

    Raises
    ------
    ValueError
        If `n_resamples` is less than 1.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    References
    ----------
    .. [1] Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.
    .. [2] Robinson, J. (1982). Saddlepoint approximations for permutation tests and confidence
       intervals. Journal of the Royal Statistical Society, Series B, 44(1), 91-101.
    .. [3] Davison, A. C. & Hinkley, D. V. (1997). Bootstrap Methods and their Application.
       Cambridge University Press.

    Examples
    --------
    >>> from skstat.stats import PairedScores, sign_flip
    >>> a, b = [5.1, 4.8, 6.0, 5.5, 5.9], [4.7, 4.9, 5.2, 5.0, 5.1]
    >>> outcome = sign_flip(PairedScores(a, b, unit="seed"))
    >>> round(outcome.estimate, 2), outcome.pvalue
    (0.48, 0.125)
    """
    n_draws = tails.DEFAULT_RESAMPLES if n_resamples is None else n_resamples
    check_count("n_resamples", n_draws)
    warn_if_dependent(sample, "sign_flip")
    seed = tails.draw_seed(rng)

    def counted(pair: PairedScores) -> tuple[float, int, int | None]:
        """Return the p-value, the number of patterns, and the seed if any were drawn."""
        d = pair.differences
        law, pvalue = law_of_flips(
            d,
            np.ones(len(d), dtype=np.int64),
            noise=pair.resolution * np.count_nonzero(d),
            alike=pair.resolution,
            n_resamples=n_draws,
            seed=seed,
            may_be_smooth=n_resamples is None,
            alternative=alternative,
        )
        return pvalue, n_draws if law.smooth is None else 0, seed if law.drawn else None

    if not isinstance(sample, ScorePairs):
        return flipped_outcome(sample, *counted(sample), alternative)
    pairs = [sample.table.pair(*pair) for pair in sample.pairs]
    results = [counted(pair) for pair in pairs]
    if len({result[1:] for result in results}) > 1:
        both = zip(pairs, results, strict=True)
        return cast(Any, family_of([flipped_outcome(p, *r, alternative) for p, r in both]))
    pvalues, n_patterns, seeds = zip(*results, strict=True)
    return flipped_outcome(sample, np.array(pvalues), n_patterns[0], seeds[0], alternative)


def flipped_outcome(
    sample: PairedScores | ScorePairs,
    pvalue: float | Numbers,
    n_resamples: int,
    seed: int | None,
    alternative: str,
) -> Comparison:
    """Return the outcome of a sign-flip test whose p-value was computed.

    Without a seed all patterns were counted, or none where `n_resamples` is 0.
    """
    how = "exact" if seed is None else "drawn"
    if n_resamples == 0:
        how = "saddlepoint approximation"
    return compared(
        sample,
        alternative,
        Flips(
            estimate=sample.mean,
            flip_pvalue=pvalue,
            differences=sample.differences,
            n_untied=sample.n_instances - sample.n_equal,
            n_resamples=n_resamples,
            seed=seed,
        ),
        test=f"paired sign-flip permutation test ({how})",
        null_hypothesis=(
            "A and B are exchangeable on every unit: the differences are symmetric about 0"
        ),
        assumptions=(f"the {words.unit_word(sample.unit)}s are independent of each other",),
        references=(works.FISHER_1935, *[works.ROBINSON_1982] * (n_resamples == 0)),
    )


@procedure(
    title="the studentised permutation test of the cost differences",
    when="errors that cost unequally",
    because="this test holds its level with few costly rows",
    independent_units=True,
    references=(works.FISHER_1935,),
)
def cost(
    sample: PairedScores,
    *,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
) -> Comparison:
    """Test equal expected cost of two classifiers on the same instances.

    The scores are minus the cost of every instance, so that positive differences say
    that A is cheaper. With costs of 0 and 1 this is McNemar's question: the sign-flip
    p-value is that of the exact McNemar test.

    The signs of the differences are flipped [1]_. That their mean is studentised leaves the
    p-value of :func:`sign_flip` as it is, because a flip does not change the sum of squares.

    Parameters
    ----------
    sample : PairedScores
        Minus the costs of A and B, by instance or by group of instances.
    n_resamples : int, default=9999
        Sign patterns to draw when they are too many to count.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A is cheaper.

    Returns
    -------
    Comparison
        Its estimate is the mean of cost(B) - cost(A).

    Raises
    ------
    ValueError
        If the units are neither instances nor groups.

    See Also
    --------
    mcnemar : The same for costs of 0 and 1.

    References
    ----------
    .. [1] Fisher, R. A. (1935). The Design of Experiments. Oliver and Boyd.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, cost
    >>> cost_a = np.array([0, 0, 1, 0, 5, 0, 0, 1, 0, 0])
    >>> cost_b = np.array([0, 5, 1, 5, 0, 1, 5, 0, 5, 1])
    >>> outcome = cost(PairedScores(-cost_a, -cost_b, unit="instance"))
    >>> outcome.estimate, outcome.pvalue
    (1.6, 0.21875)
    """
    if sample.unit not in ("instance", "group"):
        raise ValueError(f"cost is for instances or groups, not unit={sample.unit!r}.")
    hypothesis = words.null_hypothesis(sample, alternative) + "; a score is minus a cost"
    # Among the sign patterns sum(d^2) = S is fixed, so that the studentised mean
    # t = m sqrt(n (n - 1) / (S - n m^2)) grows with the mean m: both count the same
    # patterns as extreme, for the p-value and for every shift of the interval.
    outcome = sign_flip(sample, n_resamples=n_resamples, rng=rng, alternative=alternative)
    how = "exact" if outcome.seed is None else "drawn"
    return replace(
        outcome,
        test=f"studentised sign-flip test of costs ({how})",
        null_hypothesis=hypothesis,
        assumptions=(
            *outcome.assumptions,
            f"the {sample.unit}s are many, or under the null hypothesis the "
            "differences are symmetric about 0",
        ),
    )
