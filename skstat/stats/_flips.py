"""The paired permutation (sign-flip) test of a mean difference."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._family import Comparison, each_of, effect_sizes, family_of
from skstat.stats._flipped_sums import (
    FlippedSum,
    all_flips,
    atoms,
    countable,
    drawn_flips,
    law_of_flips,
    root_of_rising,
)
from skstat.stats._law import Law
from skstat.stats._literature import FISHER_1935, ROBINSON_1982
from skstat.stats._noise import RELATIVE_RESOLUTION
from skstat.stats._procedure import procedure
from skstat.stats._resampling import DEFAULT_RESAMPLES, draw_seed
from skstat.stats._score_table import ScorePairs
from skstat.stats._scores import PairedScores, check_count, warn_if_dependent
from skstat.stats._words import (
    NOISE,
    TOWARDS,
    estimand,
    null_hypothesis,
    number,
    smallest_of_signs,
    unit_word,
)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Flips(Law):
    """Flips of the signs of all differences; draws can be repeated from the seed.

    The limits contain all shifts that the test does not reject. Without resamples
    (`n_resamples` is 0) everything is by saddlepoint.
    """

    statistic_name = "mean difference"
    _signed = (*Law._signed, "differences")

    flip_pvalue: Any
    differences: Any

    @property
    def statistic(self) -> Any:
        return self.estimate

    @property
    def method(self) -> str:
        """How patterns were counted: ``"exact"``, ``"saddlepoint"`` or ``"monte-carlo"``."""
        if self.n_resamples == 0:
            return "saddlepoint"
        return "exact" if self.seed is None else "monte-carlo"

    def pvalue(self, alternative: str) -> Any:
        return self.flip_pvalue

    def smallest_pvalue(self, alternative: str) -> Any:
        if isinstance(self.differences, ScorePairs):
            untied: Any = self.differences.n_units - self.differences.n_equal
        else:
            untied = int(np.count_nonzero(self.differences))
        drawn = 0.0 if self.seed is None else 1 / (1 + (self.n_resamples or 0))
        return number(np.maximum(drawn, smallest_of_signs(alternative, untied)))

    def limits(self, tail: float) -> tuple[Any, Any]:
        return each_of(self, Flips._limits, tail)

    def tails(self, bound: float) -> tuple[Any, Any]:
        return each_of(self, Flips._tails, bound)

    def _limits(self, tail: float) -> tuple[float, float]:
        # A shift is rejected from below exactly when too few subsets of the units have a mean
        # difference below it, so that the limits are order statistics of subset means
        # (Hartigan, 1969, typical values). Where the units are too many to count all subsets,
        # subsets are drawn, for an exact p-value (of equal sizes, or of few untied units) from
        # a fixed seed.
        if not self.differences.any():
            return 0.0, 0.0
        if self.method == "saddlepoint":
            return self._smooth_limit(-special.ndtri(tail)), self._smooth_limit(
                special.ndtri(tail)
            )
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
        if self.method == "saddlepoint":
            score = self._smooth_score(bound)
            return float(special.ndtr(score)), float(special.ndtr(-score))
        means, total = self._subsets
        noise = NOISE * max(abs(bound), float(np.abs(self.differences).max()))
        # As in the limits: the pattern without a flip, and the subsets up to the bound.
        below, above = (1 + int(np.sum(side * (means - bound) <= noise)) for side in (-1, 1))
        return below / total, above / total

    def _smooth_score(self, bound: float) -> float:
        """Normal score of the mean of the differences less a bound."""
        values, counts = atoms(self.differences)
        return FlippedSum(values - bound, counts).score

    def _smooth_limit(self, score: float) -> float:
        """Bound of a normal score, which falls as the bound grows."""
        mean, error = (float(np.mean(self.differences)), float(np.std(self.differences)))
        error /= math.sqrt(len(self.differences))
        return mean + error * root_of_rising(
            lambda errors: score - self._smooth_score(mean + errors * error), -score
        )

    @property
    def _subsets(self) -> tuple[Numbers, int]:
        """Mean differences of subsets of the units, and the number of all patterns."""
        seed, n_resamples = self.seed, self.n_resamples or 0
        if seed is None and not countable(len(self.differences), n_resamples):
            seed = 0
        if seed is None:
            flipped, counts = all_flips(self.differences)
        else:
            flipped, counts = drawn_flips(self.differences, n_resamples, seed, count=True)
        proper = counts > 0
        return flipped[proper] / counts[proper], len(counts) + (0 if seed is None else 1)


@procedure(
    title="the paired permutation test",
    when="few rows, groups or data sets: their mean",
    independent_units=True,
    references=(FISHER_1935,),
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
    check_count("n_resamples", DEFAULT_RESAMPLES if n_resamples is None else n_resamples)
    warn_if_dependent(sample, "sign_flip")
    seed = draw_seed(rng)
    several = isinstance(sample, ScorePairs)
    pairs: Any = [sample]
    if isinstance(sample, ScorePairs):
        pairs = [sample.table.pair(*pair) for pair in sample.pairs]
    found = [_flip_pvalue(pair, n_resamples, seed, alternative) for pair in pairs]
    if several and len({one[1:] for one in found}) == 1:
        pvalues, (n_counted, *_), (drawn_by, *_) = zip(*found, strict=True)
        return flipped_outcome(sample, np.array(pvalues), n_counted, drawn_by, alternative)
    each = zip(pairs, found, strict=True)
    outcomes = [flipped_outcome(pair, *own, alternative) for pair, own in each]
    answer: Any = family_of(outcomes) if several else outcomes[0]
    return answer


def flipped_outcome(
    sample: PairedScores | ScorePairs,
    pvalue: float | Numbers,
    n_resamples: int,
    seed: int | None,
    alternative: str,
) -> Comparison:
    """Write the outcome whose p-value was found, maybe with patterns of signs of many pairs.

    Without a seed all patterns were counted, or none where `n_resamples` is 0.
    """
    how = "exact" if seed is None else "drawn"
    if n_resamples == 0:
        how = "saddlepoint approximation"
    return Comparison(
        test=f"paired sign-flip permutation test ({how})",
        estimand=estimand(sample),
        null_hypothesis=(
            "A and B are exchangeable on every unit: the differences are symmetric about 0"
        ),
        alternative=alternative,
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other",),
        effect_sizes=effect_sizes(sample),
        references=(FISHER_1935,) if n_resamples else (FISHER_1935, ROBINSON_1982),
        law=Flips(
            estimate=sample.mean,
            flip_pvalue=pvalue,
            differences=sample.differences,
            n_resamples=n_resamples,
            seed=seed,
        ),
    )


def _flip_pvalue(
    sample: PairedScores, n_resamples: int | None, seed: int, alternative: str
) -> tuple[float, int, int | None]:
    """p-value, the patterns that were asked for, and the seed of those that were drawn."""
    d, asked = sample.differences, DEFAULT_RESAMPLES if n_resamples is None else n_resamples
    law, pvalue = law_of_flips(
        d,
        np.ones(len(d), dtype=np.int64),
        noise=sample.resolution * np.count_nonzero(d),
        alike=sample.resolution,
        n_resamples=asked,
        seed=seed,
        may_be_smooth=n_resamples is None,
        alternative=alternative,
    )
    return pvalue, 0 if law.smooth else asked, seed if law.drawn else None


def count_extreme(
    values: np.ndarray, observed: float, alternative: str, tolerance: float
) -> int:
    """Count the values at least as extreme as the observed one, ties included."""
    turned = TOWARDS[alternative]
    return int(np.sum(turned(values) >= turned(observed) - tolerance))


@procedure(
    title="the studentised permutation test of the cost differences",
    when="errors that cost unequally",
    because="this test holds its level with few costly rows",
    independent_units=True,
    references=(FISHER_1935,),
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
        raise ValueError(
            f"cost compares the costs of instances or groups, but unit={sample.unit!r}."
        )
    hypothesis = null_hypothesis(sample, alternative) + "; a score is minus a cost"
    # Among the sign patterns sum(d^2) = S is fixed, so that the studentised mean
    # t = m sqrt(n (n - 1) / (S - n m^2)) grows with the mean m: both count the same
    # patterns as extreme, for the p-value and for every shift of the interval.
    outcome = sign_flip(sample, n_resamples=n_resamples, rng=rng, alternative=alternative)
    how = "exact" if outcome.seed is None else "drawn"
    name = f"studentised sign-flip test of costs ({how})"
    return replace(
        outcome,
        test=name,
        null_hypothesis=hypothesis,
        assumptions=(
            *outcome.assumptions,
            f"the {sample.unit}s are many, or under the null hypothesis the "
            "differences are symmetric about 0",
        ),
    )
