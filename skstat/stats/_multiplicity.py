"""Multiple testing: adjusted p-values, compact letter displays, replicability."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, isqrt
from string import ascii_letters
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.special import chdtrc

from skstat._spelling import what_to_use
from skstat.stats._procedure import Reference, check_choice, works
from skstat.stats._read import read_numbers
from skstat.stats._stored import Written
from skstat.stats._words import above_zero, check_alpha

MAX_SYSTEMS = 16  # the time triples with every system: a second or two for 16

_OfAny = Literal["bonferroni", "sidak", "holm", "hochberg", "hommel"]
_OfAllPairs = Literal["shaffer", "bergmann-hommel"]
Adjustment = Literal[_OfAny, _OfAllPairs, "fdr_bh", "fdr_by"]

_POSITIVE = "the p-values are independent or positively dependent"
_LOGICAL = "equality is transitive: two systems that both equal a third equal each other"

_MAX_GROUPS = 200  # largest sets, which can be exponentially many


# Adjustments for logically related hypotheses: those of all pairs of systems.
#
# If A equals B and B equals C, then A equals C. So not every subset of the pairs can be the
# set of all true hypotheses, only an exhaustive one: the pairs within the blocks of a
# partition of the systems.


def shaffer_multipliers(m: int) -> np.ndarray:
    """Largest numbers of true hypotheses while 0, 1, ... of the m are rejected."""
    k = _n_systems(m, "shaffer")
    # Bit s of possible[n]: some partition of n systems has s pairs within its blocks.
    possible = [1]
    for n in range(1, k + 1):
        bits = 0
        for block in range(1, n + 1):
            bits |= possible[n - block] << comb(block, 2)
        possible.append(bits)
    counts = [s if possible[k] >> s & 1 else 0 for s in range(m + 1)]
    return np.maximum.accumulate(counts)[:0:-1]


def bergmann_hommel(p: np.ndarray) -> np.ndarray:
    """Largest size times smallest p of the exhaustive sets that each pair is in."""
    k = _n_systems(len(p), "bergmann-hommel")
    if k > MAX_SYSTEMS:
        raise ValueError(
            f"method='bergmann-hommel' is for {MAX_SYSTEMS} systems at most; use 'shaffer'."
        )
    # There are too many partitions to list, but for a given smallest p only the largest
    # partition matters, and that is made of one block and the largest partition of the rest.
    # A set of systems is an index of 0 and 1; axis i says whether system i is in it.
    levels = np.unique(p)
    size = np.indices((2,) * k, dtype=np.int16).sum(axis=0, dtype=np.int16)
    n_pairs = size * (size - 1) // 2
    smallest = np.full((2,) * k, np.inf)
    for pair, pvalue in zip(combinations(range(k), 2), p, strict=True):
        containing = smallest[_sets_with(pair, k)]
        np.minimum(containing, pvalue, out=containing)
    n_levels = np.searchsorted(levels, smallest, side="right")
    # n_true[systems][i]: pairs in the largest partition without a p below levels[i].
    n_true = np.zeros((2,) * k + (len(levels),), dtype=np.int16)
    for block in product((0, 1), repeat=k):
        if not any(block):
            continue
        # The block holds the first system of the set, so that the rest is done already.
        start = block.index(1) + 1
        within = (slice(n_levels[block]),)
        later = block[start:]
        rest = (0,) * start + tuple(0 if i else slice(None) for i in later) + within
        joined = block[:start] + tuple(1 if i else slice(None) for i in later) + within
        np.maximum(n_true[joined], n_true[rest] + n_pairs[block], out=n_true[joined])
    # Reversed axes: all systems but those of the block.
    largest = n_pairs[..., None] + n_true[(slice(None, None, -1),) * k]
    products = np.where(levels <= smallest[..., None], levels * largest, 0).max(axis=-1)
    return np.array([products[_sets_with(pair, k)].max() for pair in combinations(range(k), 2)])


def _sets_with(pair: tuple[int, int], k: int) -> tuple:
    return (*(1 if i in pair else slice(None) for i in range(k)), ...)


def _n_systems(m: int, method: str) -> int:
    k = (1 + isqrt(1 + 8 * m)) // 2
    if comb(k, 2) != m:
        raise ValueError(f"method={method!r} needs all pairs, as 1, 3 or 6 p-values, not {m}.")
    return k


class AdjustmentFacts(NamedTuple):
    """Properties of an adjustment for multiple comparisons.

    Attributes
    ----------
    references : tuple of Reference
        The works that describe it.
    assumes : str or None
        What must hold for the error to be controlled; None: nothing but valid p-values.
    logical : bool
        Whether it uses that A = C follows from A = B and B = C. It then needs the p-values
        of all pairs, and what it assumes holds by arithmetic where means are compared.
    fdr : bool
        Whether it controls the false discovery rate, instead of the family-wise error.
    """

    references: tuple[Reference, ...] = ()
    assumes: str | None = None
    logical: bool = False
    fdr: bool = False


ADJUSTMENTS = {
    "bonferroni": AdjustmentFacts((works.DUNN_1961,)),
    "sidak": AdjustmentFacts((works.SIDAK_1967,), _POSITIVE),
    "holm": AdjustmentFacts((works.HOLM_1979,)),
    "hochberg": AdjustmentFacts((works.HOCHBERG_1988,), _POSITIVE),
    "hommel": AdjustmentFacts((works.HOMMEL_1988,), _POSITIVE),
    "shaffer": AdjustmentFacts((works.SHAFFER_1986,), _LOGICAL, logical=True),
    "bergmann-hommel": AdjustmentFacts((works.BERGMANN_HOMMEL_1988,), _LOGICAL, logical=True),
    "fdr_bh": AdjustmentFacts((works.BENJAMINI_HOCHBERG_1995,), _POSITIVE, fdr=True),
    "fdr_by": AdjustmentFacts((works.BENJAMINI_YEKUTIELI_2001,), fdr=True),
}

# These use the joint distribution of all comparisons, not their p-values alone.
_JOINT = {
    "max-t": AdjustmentFacts((works.WESTFALL_YOUNG_1993,)),
    "min-p": AdjustmentFacts((works.WESTFALL_YOUNG_1993,)),
}


def adjustment_facts(adjustment: str) -> AdjustmentFacts:
    """Return the properties of an adjustment; empty ones for a user's own adjustment."""
    return {**ADJUSTMENTS, **_JOINT}.get(adjustment, AdjustmentFacts())


def adjust_pvalues(pvalues: ArrayLike, method: Adjustment = "holm") -> NDArray[np.float64]:
    """Adjust p-values for the number of comparisons.

    A comparison whose adjusted p is below the level is significant, and the error of
    the whole family stays within that level: the probability of at least one false
    rejection (family-wise error), or with ``"fdr_bh"`` and ``"fdr_by"`` the expected
    share of false ones among the rejections (false discovery rate).

    Parameters
    ----------
    pvalues : array-like of shape (n_comparisons,)
        Raw p-values. A nan (no valid test) stays nan, and counts as a comparison with a
        p-value of 1. ``"shaffer"`` and ``"bergmann-hommel"`` need those of all pairs of k
        systems, ordered as by :func:`itertools.combinations`: (0, 1), (0, 2), ...,
        (0, k - 1), (1, 2), ...
    method : str, default="holm"
        Procedure; see Notes.

    Returns
    -------
    ndarray of shape (n_comparisons,)
        Adjusted p-values, in the order given.

    Raises
    ------
    ValueError
        If a p-value lies outside [0, 1] or `method` is unknown; if ``"shaffer"`` or
        ``"bergmann-hommel"`` is given anything but all pairs, or the latter more than 16
        systems.

    Notes
    -----
    The adjusted p-values, at most 1, for p sorted ascending and i, j = 1, ..., m:

    ===================== ========================================================
    ``"bonferroni"``      ``m p_i``
    ``"sidak"``           ``1 - (1 - p_i)^m`` [1]_
    ``"holm"``            ``max_{j<=i} (m - j + 1) p_j`` [2]_
    ``"hochberg"``        ``min_{j>=i} (m - j + 1) p_j`` [3]_
    ``"hommel"``          closed test with Simes' test of every intersection [4]_
    ``"shaffer"``         ``max_{j<=i} t_j p_j``, where t_j is the largest number up to
                          m - j + 1 of hypotheses that can be true together [5]_
    ``"bergmann-hommel"`` ``max |I| min_{j in I} p_j`` over the exhaustive sets I with i:
                          those that can be all true hypotheses there are [6]_
    ``"fdr_bh"``          ``min_{j>=i} (m / j) p_j`` [7]_
    ``"fdr_by"``          ``(1 + 1/2 + ... + 1/m)`` times that of ``"fdr_bh"`` [8]_
    ===================== ========================================================

    Bonferroni, Holm and ``"fdr_by"`` assume nothing about the dependence of the tests.
    Hochberg, Hommel and ``"fdr_bh"`` need independent tests, or positively dependent
    ones for which Simes' inequality holds. Šidák needs independence or positive orthant
    dependence.

    Shaffer and Bergmann-Hommel also work with any dependence. They use that A = C if A = B and
    B = C, which holds for equal means, but not for medians of differences. Bergmann-Hommel
    rejects all that Shaffer does, and often more; its adjusted p-values need not be in the
    order of the raw ones.

    References
    ----------
    .. [1] Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate
       normal distributions. Journal of the American Statistical Association, 62(318),
       626-633.
    .. [2] Holm, S. (1979). A simple sequentially rejective multiple test procedure.
       Scandinavian Journal of Statistics, 6(2), 65-70.
    .. [3] Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of
       significance. Biometrika, 75(4), 800-802.
    .. [4] Hommel, G. (1988). A stagewise rejective multiple test procedure based on a
       modified Bonferroni test. Biometrika, 75(2), 383-386.
    .. [5] Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures.
       Journal of the American Statistical Association, 81(395), 826-831.
    .. [6] Bergmann, B. & Hommel, G. (1988). Improvements of general multiple test
       procedures for redundant systems of hypotheses. In Multiple Hypotheses Testing,
       100-115. Springer.
    .. [7] Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate: a
       practical and powerful approach to multiple testing. Journal of the Royal
       Statistical Society B, 57(1), 289-300.
    .. [8] Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate
       in multiple testing under dependency. The Annals of Statistics, 29(4), 1165-1188.

    Examples
    --------
    >>> from skstat.stats import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]

    All pairs of three systems. If any two differ, at most one pair can be equal:

    >>> adjust_pvalues([0.01, 0.04, 0.03], method="shaffer").round(3).tolist()
    [0.03, 0.04, 0.03]
    """
    p = read_numbers("pvalues", pvalues)
    if p.ndim != 1 or np.any((p < 0) | (p > 1)):
        raise ValueError("pvalues must be one-dimensional, with values from 0 to 1.")
    if method not in ADJUSTMENTS:
        raise ValueError(f"method={method!r} is unknown; {what_to_use(method, ADJUSTMENTS)}.")
    if not len(p):
        return p
    missing = np.isnan(p)
    p[missing] = 1
    if method == "bergmann-hommel":  # which pair has which p matters
        adjusted = bergmann_hommel(p)
    else:
        order = np.argsort(p)
        adjusted = np.empty(len(p))
        adjusted[order] = _ADJUST[method](p[order], len(p), np.arange(1, len(p) + 1))
    adjusted = np.clip(adjusted, p, 1)  # no rounding error below the raw p
    adjusted[missing] = np.nan
    return adjusted


def _step_up(steps: np.ndarray) -> np.ndarray:
    return np.minimum.accumulate(steps[::-1])[::-1]


def _hommel(p: np.ndarray) -> np.ndarray:
    """Largest Simes p of the intersections that each hypothesis is in."""
    # Of its intersections of one size, that with the largest others counts. Where it is
    # among those itself, the value below is at most the Simes p of a smaller intersection.
    m = len(p)
    adjusted = p
    for size in range(2, m + 1):
        others = np.min(size * p[m - size + 1 :] / np.arange(2, size + 1))
        adjusted = np.maximum(adjusted, np.minimum(size * p, others))
    return adjusted


# Adjusted p-values from m sorted ones, with their positions j = 1, ..., m.
_ADJUST: dict[str, Callable[[Any, int, Any], Any]] = {
    "bonferroni": lambda p, m, j: m * p,
    # Accurate where p is tiny.
    "sidak": lambda p, m, j: -special.expm1(special.xlog1py(m, -p)),
    "holm": lambda p, m, j: np.maximum.accumulate((m - j + 1) * p),
    "shaffer": lambda p, m, j: np.maximum.accumulate(shaffer_multipliers(m) * p),
    "hochberg": lambda p, m, j: _step_up((m - j + 1) * p),
    "hommel": lambda p, m, j: _hommel(p),
    "fdr_bh": lambda p, m, j: _step_up(m / j * p),
    "fdr_by": lambda p, m, j: _step_up(np.sum(1 / j) * m / j * p),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplicabilityOutcome(Written):
    """On how many data sets an effect is there.

    Attributes
    ----------
    method : {"fisher", "bonferroni"}
        How p-values were combined.
    datasets : tuple of str
        Names of the data sets.
    pvalues : ndarray of shape (n_datasets,)
        Their p-values.
    partial_conjunction : ndarray of shape (n_datasets,)
        Element u - 1 is the p-value of "the effect is there on fewer than u data sets",
        made monotone in u.
    alpha : float
        Level of the count and the names together.
    rejected : tuple of str
        Data sets on which the effect is there, by the closed test behind the count: the
        count and the names are right together with probability 1 - `alpha`.
    assumptions : tuple of str
        What must hold for the count to mean what it says.
    """

    method: str
    datasets: tuple[str, ...]
    pvalues: NDArray[np.float64]
    partial_conjunction: NDArray[np.float64]
    alpha: float
    rejected: tuple[str, ...]
    assumptions: tuple[str, ...]

    @property
    def count(self) -> int:
        """Number of data sets with the effect, too large with probability at most `alpha`."""
        return int(np.sum(_at_most(self.partial_conjunction, self.alpha)))

    def _plain(self) -> dict[str, Any]:
        return super()._plain() | {"count": self.count}


def replicability(
    pvalues: ArrayLike,
    *,
    datasets: Sequence[str] | None = None,
    method: Literal["fisher", "bonferroni"] = "fisher",
    alpha: float = 0.05,
) -> ReplicabilityOutcome:
    """Count the data sets on which one system is better than another.

    Every data set has a p-value of its own. To count those up to `alpha` counts errors
    too. The p-value of "better on fewer than u of N data sets" combines all but the u -
    1 smallest ones [1]_, and the count is the largest u up to which all of them are at
    most `alpha` [2]_: it is too large with probability at most `alpha`.

    A data set is named if every set of data sets that it is in has a combined p-value of
    at most `alpha` [3]_. As the count rests on the same combined p-values it is never
    below the number of names, and the chance that either is wrong is at most `alpha`.

    Parameters
    ----------
    pvalues : array-like of shape (n_datasets,)
        One p-value per data set. Take one-sided ones: two-sided ones count the data
        sets on which either system is better.
    datasets : sequence of str, optional
        Names of the data sets; default ``"1"`` and so on.
    method : {"fisher", "bonferroni"}, default="fisher"
        ``"fisher"``: ``-2 sum_{i >= u} log p_(i)`` is chi-squared with 2 (N - u + 1)
        degrees of freedom if the data sets are independent samples, which those of a
        benchmark are as a rule. ``"bonferroni"``: ``(N - u + 1) p_(u)``, whatever their
        dependence, such as one test set scored by two metrics; its names are those of
        Holm's procedure, and its count is their number. Fisher's counts more where many
        p-values are moderately small, and less where all but one are large.
    alpha : float, default=0.05
        Level; p-values equal to it are small enough, as in [2]_.

    Returns
    -------
    ReplicabilityOutcome
        The count, the p-values behind it, and the data sets that can be named.

    Raises
    ------
    ValueError
        If a p-value is missing or lies outside [0, 1], or an argument is unknown.

    See Also
    --------
    adjust_pvalues : On which data sets, instead of how many.

    References
    ----------
    .. [1] Benjamini, Y. & Heller, R. (2008). Screening for partial conjunction
       hypotheses. Biometrics, 64(4), 1215-1222.
    .. [2] Dror, R., Baumer, G., Bogomolov, M. & Reichart, R. (2017). Replicability
       analysis for natural language processing: testing significance with multiple
       datasets. Transactions of the ACL, 5, 471-486.
    .. [3] Goeman, J. J. & Solari, A. (2011). Multiple testing for exploratory research.
       Statistical Science, 26(4), 584-597.

    Examples
    --------
    >>> from skstat.stats import replicability
    >>> outcome = replicability([0.168, 0.297, 0.357, 0.019, 0.218, 0.001])
    >>> outcome.count, outcome.rejected
    (2, ('6',))
    >>> outcome.partial_conjunction.round(3).tolist()
    [0.001, 0.04, 0.196, 0.274, 0.344, 0.357]
    """
    check_alpha(alpha)
    check_choice("method", method, ("fisher", "bonferroni"))
    p = read_numbers("pvalues", pvalues)
    if p.ndim != 1 or not p.size:
        raise ValueError("pvalues must be one-dimensional and not empty.")
    n = len(p)
    names = tuple(str(i + 1) for i in range(n)) if datasets is None else tuple(datasets)
    if len(names) != n or len(set(names)) < n:
        raise ValueError(f"datasets must hold {n} different names, one for each p-value.")
    bad = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if bad.size:
        raise ValueError(f"the p-value of {names[bad[0]]!r} is {p[bad[0]]}, not in 0 to 1.")
    u = np.arange(1, n + 1)
    if method == "fisher":
        logs = np.log(above_zero(p))  # p = 0 claims more certainty than a float has
        combined = chdtrc(2 * (n - u + 1), -2 * np.cumsum(np.sort(logs)[::-1])[::-1])
        adjusted = _largest_combined(logs)
        independent = "the data sets are independent samples"
    else:
        combined = (n - u + 1) * np.sort(p)
        adjusted = adjust_pvalues(p, "holm")
        independent = "the data sets may depend on each other in any way"
    combined = above_zero(np.minimum(1.0, combined))
    rejected = _at_most(adjusted, alpha).tolist()
    return ReplicabilityOutcome(
        method=method,
        datasets=names,
        pvalues=p,
        partial_conjunction=np.maximum.accumulate(combined),
        alpha=alpha,
        rejected=tuple(name for name, small in zip(names, rejected, strict=True) if small),
        assumptions=(independent, "each p-value is valid for its own data set"),
    )


def _at_most(pvalues: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    # Taking logarithms and back changes p = alpha by rounding.
    return np.asarray(pvalues <= alpha * (1 + 1e-12))


def _largest_combined(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each data set the largest of Fisher's p-values of the sets that it is in.

    Among the sets of one size it belongs to the one with the largest other p-values.
    """
    order = np.argsort(-logs, kind="stable")
    pvalues = np.empty(len(logs))
    for position, dataset in enumerate(order.tolist()):
        others = np.delete(logs[order], position)
        sums = logs[dataset] + np.concatenate([[0.0], np.cumsum(others)])
        pvalues[dataset] = np.max(chdtrc(2 * np.arange(1, len(logs) + 1), -2 * sums))
    return pvalues


def compact_letters(names: Sequence[str], differs: ArrayLike) -> dict[str, str]:
    """Give letters to systems, so that two share one if and only if they do not differ.

    Insert-and-absorb [1]_: begin with one letter for all; for every pair that differs
    split each letter that both have in two, and drop letters whose systems all share
    another one. That gives a letter to every largest set of systems that do not differ.
    Where there are more than 200 of them, as verdicts without any order can give, some
    are left out: those that are not needed for two systems to share a letter.

    Parameters
    ----------
    names : sequence of str
        The systems, the best first: it gets ``"a"``.
    differs : array-like of bool, of shape (n_systems, n_systems)
        Symmetric; which systems differ, in the order of `names`.

    Returns
    -------
    dict of str to str
        Letters of every system: a to z, A to Z, then ``a'`` and so on.

    Raises
    ------
    ValueError
        If `differs` is not symmetric, not boolean, or does not fit `names`.

    See Also
    --------
    PairwiseOutcome.differs : Such a matrix, in the order of the table's columns.

    References
    ----------
    .. [1] Piepho, H.-P. (2004). An algorithm for a letter-based representation of
       all-pairwise comparisons. Journal of Computational and Graphical Statistics,
       13(2), 456-466.

    Examples
    --------
    >>> from skstat.stats import compact_letters
    >>> differs = [[False, False, True], [False, False, False], [True, False, False]]
    >>> compact_letters(["A", "B", "C"], differs)
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    matrix = _check_matrix(names, differs)
    sharing = {frozenset(range(len(names)))}
    for pair in np.argwhere(np.triu(matrix)).tolist():
        for group in [group for group in sharing if group.issuperset(pair)]:
            sharing.remove(group)
            for member in pair:
                part = group - {member}
                if not any(part <= other for other in sharing):
                    sharing.add(part)
        if len(sharing) > _MAX_GROUPS:
            sharing = _cover(matrix)
            break
    letters = dict.fromkeys(names, "")
    for number, systems in enumerate(sorted(sorted(group) for group in sharing)):
        letter = ascii_letters[number % 52] + "'" * (number // 52)
        for system in systems:
            letters[names[system]] += letter
    return letters


def _cover(differs: NDArray[np.bool_]) -> set[frozenset[int]]:
    """Return largest sets without a difference, at most one for every pair that shares one."""
    k = len(differs)
    joined = np.zeros((k, k), dtype=bool)
    groups = set()
    for i, j in combinations_with_replacement(range(k), 2):
        if differs[i, j] or joined[i, j] or (i == j and differs[i].sum() < k - 1):
            continue
        group = [i] if i == j else [i, j]
        open_to: NDArray[np.bool_] = ~np.any(differs[group], axis=0)
        open_to[group] = False
        gains = 1 + np.sum(~joined[group], axis=0)
        while open_to.any():
            # Add the system that joins most pairs which share no letter yet.
            new = int(np.argmax(np.where(open_to, gains, 0)))
            gains += ~joined[new]
            group.append(new)
            open_to &= ~differs[new]
            open_to[new] = False
        joined[np.ix_(group, group)] = True
        groups.add(frozenset(group))
    return groups


def _check_matrix(names: Sequence[str], differs: ArrayLike) -> NDArray[np.bool_]:
    matrix = np.asarray(differs)
    if matrix.dtype != bool:
        raise ValueError("differs must hold True and False: compare p-values with alpha first.")
    k = len(names)
    if matrix.shape != (k, k) or np.any(matrix != matrix.T) or matrix.diagonal().any():
        raise ValueError(f"differs must be symmetric ({k}, {k}), and False on the diagonal.")
    if len(set(names)) < k:
        raise ValueError(f"names repeat: {list(names)}.")
    return matrix
