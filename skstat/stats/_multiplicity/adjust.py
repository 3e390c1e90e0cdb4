"""Adjustment of p-values for several comparisons."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat.stats._common import Reference, read_numbers
from skstat.stats._literature import (
    BENJAMINI_HOCHBERG_1995,
    BENJAMINI_YEKUTIELI_2001,
    BERGMANN_HOMMEL_1988,
    DUNN_1961,
    FINNER_1993,
    HOCHBERG_1988,
    HOLLAND_COPENHAVER_1987,
    HOLM_1979,
    HOMMEL_1988,
    LI_2008,
    ROM_1990,
    SHAFFER_1986,
    SIDAK_1967,
    WESTFALL_YOUNG_1993,
)
from skstat.stats._multiplicity.logical_restrictions import bergmann_hommel, shaffer_multipliers
from skstat.stats._outcomes import check_alpha

Adjustment = Literal[
    "bonferroni",
    "sidak",
    "holm",
    "holland",
    "finner",
    "hochberg",
    "hommel",
    "rom",
    "li",
    "shaffer",
    "bergmann-hommel",
    "fdr_bh",
    "fdr_by",
]

_POSITIVE = "the p-values are independent or positively dependent"
_NONE_DIFFER = (
    "all null hypotheses are true; where some are false, it rejects too many of the others, "
    "even with independent p-values"
)
_TRANSITIVE = "equality is transitive: two systems that both equal a third equal each other"


@dataclass(frozen=True, kw_only=True)
class AdjustmentFacts:
    """What must be known of an adjustment by those who ask for it or report it.

    Attributes
    ----------
    assumes : str or None
        What must hold for the error to be controlled; None: nothing but valid p-values.
    logical : bool
        Whether it uses that A = C follows from A = B and B = C. It then needs the p-values
        of all pairs, and what it assumes holds by arithmetic where means are compared.
    false_discoveries : bool
        Whether it controls the false discovery rate, instead of the family-wise error.
    one_level : bool
        Whether adjusted p-values are made for one level, and may be compared to no other.
    references : tuple of Reference
        The works that describe it.
    """

    assumes: str | None = None
    logical: bool = False
    false_discoveries: bool = False
    one_level: bool = False
    references: tuple[Reference, ...] = ()


ADJUSTMENTS: dict[str, AdjustmentFacts] = {
    "bonferroni": AdjustmentFacts(references=(DUNN_1961,)),
    "sidak": AdjustmentFacts(assumes=_POSITIVE, references=(SIDAK_1967,)),
    "holm": AdjustmentFacts(references=(HOLM_1979,)),
    "holland": AdjustmentFacts(assumes=_POSITIVE, references=(HOLLAND_COPENHAVER_1987,)),
    "finner": AdjustmentFacts(assumes=_NONE_DIFFER, references=(FINNER_1993,)),
    "hochberg": AdjustmentFacts(assumes=_POSITIVE, references=(HOCHBERG_1988,)),
    "hommel": AdjustmentFacts(assumes=_POSITIVE, references=(HOMMEL_1988,)),
    "rom": AdjustmentFacts(assumes=_POSITIVE, one_level=True, references=(ROM_1990,)),
    "li": AdjustmentFacts(assumes="the p-values are independent", references=(LI_2008,)),
    "shaffer": AdjustmentFacts(assumes=_TRANSITIVE, logical=True, references=(SHAFFER_1986,)),
    "bergmann-hommel": AdjustmentFacts(
        assumes=_TRANSITIVE, logical=True, references=(BERGMANN_HOMMEL_1988,)
    ),
    "fdr_bh": AdjustmentFacts(
        assumes=_POSITIVE, false_discoveries=True, references=(BENJAMINI_HOCHBERG_1995,)
    ),
    "fdr_by": AdjustmentFacts(false_discoveries=True, references=(BENJAMINI_YEKUTIELI_2001,)),
}

# By the joint distribution of all comparisons: made where that law is known, and not from
# p-values.
_JOINT = {
    "max-t": AdjustmentFacts(references=(WESTFALL_YOUNG_1993,)),
    "min-p": AdjustmentFacts(references=(WESTFALL_YOUNG_1993,)),
}


def adjustment_facts(adjustment: str) -> AdjustmentFacts:
    """Return what is known about an adjustment; nothing is about one of the user's own."""
    return {**ADJUSTMENTS, **_JOINT}.get(adjustment, AdjustmentFacts())


def adjust_pvalues(
    pvalues: ArrayLike, method: Adjustment = "holm", *, alpha: float = 0.05
) -> NDArray[np.float64]:
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
    alpha : float, default=0.05
        Level. Only the adjusted p-values of ``"rom"`` depend on it: compare them to this
        level and to no other.

    Returns
    -------
    ndarray of shape (n_comparisons,)
        Adjusted p-values, in the order given.

    Raises
    ------
    ValueError
        If a p-value lies outside [0, 1], `method` is unknown or `alpha` not between 0 and
        1; if ``"shaffer"`` or ``"bergmann-hommel"`` is given anything but all pairs, or
        the latter more than 16 systems.

    Notes
    -----
    The adjusted p-values, at most 1, for p sorted ascending and i, j = 1, ..., m:

    ===================== ========================================================
    ``"bonferroni"``      ``m p_i``
    ``"sidak"``           ``1 - (1 - p_i)^m`` [1]_
    ``"holm"``            ``max_{j<=i} (m - j + 1) p_j`` [2]_
    ``"holland"``         ``max_{j<=i} 1 - (1 - p_j)^(m - j + 1)`` [3]_ (Holm-Šidák)
    ``"finner"``          ``max_{j<=i} 1 - (1 - p_j)^(m / j)`` [4]_
    ``"hochberg"``        ``min_{j>=i} (m - j + 1) p_j`` [5]_
    ``"hommel"``          closed test with Simes' test of every intersection [6]_
    ``"rom"``             ``min_{j>=i} (alpha / c_{m-j+1}) p_j`` with Rom's levels c [7]_
    ``"li"``              ``p_i / (p_i + 1 - p_m)`` [8]_
    ``"shaffer"``         ``max_{j<=i} t_j p_j``, where t_j is the largest number up to
                          m - j + 1 of hypotheses that can be true together [9]_
    ``"bergmann-hommel"`` ``max |I| min_{j in I} p_j`` over the exhaustive sets I with i:
                          those that can be all true hypotheses there are [10]_
    ``"fdr_bh"``          ``min_{j>=i} (m / j) p_j`` [11]_
    ``"fdr_by"``          ``(1 + 1/2 + ... + 1/m)`` times that of ``"fdr_bh"`` [12]_
    ===================== ========================================================

    Bonferroni, Holm and ``"fdr_by"`` assume nothing about the dependence of the tests.
    Hochberg, Hommel and ``"fdr_bh"`` need independent tests, or positively dependent
    ones for which Simes' inequality holds; so does Rom, whose levels are exact for
    independent tests. Šidák and Holland need independence or positive orthant
    dependence.

    Finner's method is discouraged. It controls the family-wise error only where all null
    hypotheses are true. Once m - t false ones are rejected it tests the t true ones at the
    level ``1 - (1 - alpha)^((m - t + 1) / m)`` each, so that independent p-values give an
    error of ``1 - (1 - alpha)^(t (m - t + 1) / m)``: 0.07 for 2 true of 3, and 0.20 for 8 true
    of 15.

    Shaffer and Bergmann-Hommel also work with any dependence. They use that A = C if A = B and
    B = C, which holds for equal means, but not for medians of differences. Bergmann-Hommel
    rejects all that Shaffer does, and often more; its adjusted p-values need not be in the
    order of the raw ones.

    Li's method is discouraged: it leaves the largest p as it is and controls the family-wise
    error for independent tests only. One large p-value takes all its power.

    References
    ----------
    .. [1] Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate
       normal distributions. Journal of the American Statistical Association, 62(318),
       626-633.
    .. [2] Holm, S. (1979). A simple sequentially rejective multiple test procedure.
       Scandinavian Journal of Statistics, 6(2), 65-70.
    .. [3] Holland, B. S. & Copenhaver, M. D. (1987). An improved sequentially rejective
       Bonferroni test procedure. Biometrics, 43(2), 417-423.
    .. [4] Finner, H. (1993). On a monotonicity problem in step-down multiple test
       procedures. Journal of the American Statistical Association, 88(423), 920-923.
    .. [5] Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of
       significance. Biometrika, 75(4), 800-802.
    .. [6] Hommel, G. (1988). A stagewise rejective multiple test procedure based on a
       modified Bonferroni test. Biometrika, 75(2), 383-386.
    .. [7] Rom, D. M. (1990). A sequentially rejective test procedure based on a modified
       Bonferroni inequality. Biometrika, 77(3), 663-665.
    .. [8] Li, J. (2008). A two-step rejection procedure for testing multiple hypotheses.
       Journal of Statistical Planning and Inference, 138(6), 1521-1527.
    .. [9] Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures.
       Journal of the American Statistical Association, 81(395), 826-831.
    .. [10] Bergmann, B. & Hommel, G. (1988). Improvements of general multiple test
       procedures for redundant systems of hypotheses. In Multiple Hypotheses Testing,
       100-115. Springer.
    .. [11] Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate: a
       practical and powerful approach to multiple testing. Journal of the Royal
       Statistical Society B, 57(1), 289-300.
    .. [12] Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate
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
        known = ", ".join(map(repr, ADJUSTMENTS))
        raise ValueError(f"method={method!r} is unknown; use one of {known}.")
    check_alpha(alpha)
    if not len(p):
        return p
    missing = np.isnan(p)
    p[missing] = 1
    if method == "bergmann-hommel":  # which pair has which p matters
        adjusted = bergmann_hommel(p)
    else:
        order = np.argsort(p)
        adjusted = np.empty(len(p))
        adjusted[order] = _adjust_sorted(p[order], method, alpha)
    adjusted = np.clip(adjusted, p, 1)  # no rounding error below the raw p
    adjusted[missing] = np.nan
    return adjusted


def _adjust_sorted(p: np.ndarray, method: Adjustment, alpha: float) -> np.ndarray:
    m = len(p)
    j = np.arange(1, m + 1)
    match method:
        case "bonferroni":
            return m * p
        case "sidak":
            return _any_of(m, p)
        case "holm":
            return _step_down((m - j + 1) * p)
        case "holland":
            return _step_down(_any_of(m - j + 1, p))
        case "finner":
            return _step_down(_any_of(m / j, p))
        case "shaffer":
            return _step_down(shaffer_multipliers(m) * p)
        case "hochberg":
            return _step_up((m - j + 1) * p)
        case "rom":
            return _step_up(alpha / _rom_levels(m, alpha)[::-1] * p)
        case "fdr_bh":
            return _step_up(m / j * p)
        case "fdr_by":
            return _step_up(np.sum(1 / j) * m / j * p)
        case "hommel":
            return _hommel(p)
        case _:  # "li"
            return _li(p)


def _any_of(n: np.ndarray | int, p: np.ndarray) -> np.ndarray:
    """Probability that any of n independent p-values is at most p."""
    return -special.expm1(special.xlog1py(n, -p))  # accurate where p is tiny


def _step_down(steps: np.ndarray) -> np.ndarray:
    return np.maximum.accumulate(steps)


def _step_up(steps: np.ndarray) -> np.ndarray:
    return np.minimum.accumulate(steps[::-1])[::-1]


def _rom_levels(m: int, alpha: float) -> np.ndarray:
    """Levels for the largest, second largest, ... p: exact if they are independent."""
    levels = np.full(m, alpha)
    for i in range(2, m + 1):
        powers = np.sum(alpha ** np.arange(1, i))
        j = np.arange(1, i - 1)
        # By logarithms, because the binomial coefficients may be too large for a float.
        log_choices = -special.betaln(j + 1, i - j + 1) - np.log(i + 1)
        terms = np.exp(log_choices + (i - j) * np.log(levels[1 : i - 1]))
        levels[i - 1] = (powers - np.sum(terms)) / i
    return levels


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


def _li(p: np.ndarray) -> np.ndarray:
    beside = p + (1 - p[-1])  # 0 where p is 0 and the largest 1
    return np.divide(p, beside, out=np.zeros_like(p), where=beside > 0)
