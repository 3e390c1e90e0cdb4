"""Adjustment of p-values for several comparisons."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray


def adjust_pvalues(
    pvalues: ArrayLike, method: Literal["holm", "bonferroni"] = "holm"
) -> NDArray[np.float64]:
    """Adjust p-values so that the family-wise error is controlled.

    With p sorted ascending, Holm's adjusted p is ``max_{j<=i} (m - j + 1) p_j``
    [1]_ and Bonferroni's ``m p``, both at most 1. Neither assumes anything about
    the dependence of the tests.

    Parameters
    ----------
    pvalues : array-like of shape (n_comparisons,)
        Raw p-values. A nan (no valid test) counts as a comparison and stays nan.
    method : {"holm", "bonferroni"}, default="holm"
        Procedure.

    Returns
    -------
    ndarray of shape (n_comparisons,)
        Adjusted p-values, in the order given.

    Raises
    ------
    ValueError
        If a p-value lies outside [0, 1] or `method` is unknown.

    References
    ----------
    .. [1] Holm, S. (1979). A simple sequentially rejective multiple test procedure.
       Scandinavian Journal of Statistics, 6(2), 65-70.

    Examples
    --------
    >>> from skstat.stats import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.array(pvalues, dtype=float)
    if p.ndim != 1 or np.any((p < 0) | (p > 1)):
        raise ValueError("pvalues must be one-dimensional, with values from 0 to 1.")
    m = len(p)
    if method == "bonferroni":
        return np.minimum(1.0, m * p)
    if method != "holm":
        raise ValueError(f"method={method!r} is unknown; use 'holm' or 'bonferroni'.")
    order = np.argsort(p)  # nan sorts last
    steps = (m - np.arange(m)) * p[order]
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1.0, np.fmax.accumulate(steps)) if m else steps
    adjusted[np.isnan(p)] = np.nan
    return adjusted
