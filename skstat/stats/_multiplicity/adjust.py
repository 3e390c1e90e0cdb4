"""Adjustment of p-values for several comparisons."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skstat._spelling import what_to_use
from skstat.stats._common import Reference, read_numbers
from skstat.stats._literature import (
    BENJAMINI_HOCHBERG_1995,
    BENJAMINI_YEKUTIELI_2001,
    BERGMANN_HOMMEL_1988,
    DUNN_1961,
    HOCHBERG_1988,
    HOLM_1979,
    HOMMEL_1988,
    SHAFFER_1986,
    SIDAK_1967,
    WESTFALL_YOUNG_1993,
)
from skstat.stats._multiplicity.logical_restrictions import bergmann_hommel, shaffer_multipliers

Adjustment = Literal[
    "bonferroni",
    "sidak",
    "holm",
    "hochberg",
    "hommel",
    "shaffer",
    "bergmann-hommel",
    "fdr_bh",
    "fdr_by",
]

_POSITIVE = "the p-values are independent or positively dependent"
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
    references : tuple of Reference
        The works that describe it.
    """

    assumes: str | None = None
    logical: bool = False
    false_discoveries: bool = False
    references: tuple[Reference, ...] = ()


ADJUSTMENTS: dict[str, AdjustmentFacts] = {
    "bonferroni": AdjustmentFacts(references=(DUNN_1961,)),
    "sidak": AdjustmentFacts(assumes=_POSITIVE, references=(SIDAK_1967,)),
    "holm": AdjustmentFacts(references=(HOLM_1979,)),
    "hochberg": AdjustmentFacts(assumes=_POSITIVE, references=(HOCHBERG_1988,)),
    "hommel": AdjustmentFacts(assumes=_POSITIVE, references=(HOMMEL_1988,)),
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
        adjusted[order] = _adjust_sorted(p[order], method)
    adjusted = np.clip(adjusted, p, 1)  # no rounding error below the raw p
    adjusted[missing] = np.nan
    return adjusted


def _adjust_sorted(p: np.ndarray, method: Adjustment) -> np.ndarray:
    m = len(p)
    j = np.arange(1, m + 1)
    match method:
        case "bonferroni":
            return m * p
        case "sidak":
            return -special.expm1(special.xlog1py(m, -p))  # accurate where p is tiny
        case "holm":
            return _step_down((m - j + 1) * p)
        case "shaffer":
            return _step_down(shaffer_multipliers(m) * p)
        case "hochberg":
            return _step_up((m - j + 1) * p)
        case "fdr_bh":
            return _step_up(m / j * p)
        case "fdr_by":
            return _step_up(np.sum(1 / j) * m / j * p)
        case _:  # "hommel"
            return _hommel(p)


def _step_down(steps: np.ndarray) -> np.ndarray:
    return np.maximum.accumulate(steps)


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
