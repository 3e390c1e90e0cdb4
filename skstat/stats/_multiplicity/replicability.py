"""On how many data sets is one system better? Replicability analysis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc

from skstat.stats._common import Written, read_numbers
from skstat.stats._multiplicity.adjust import adjust_pvalues
from skstat.stats._outcomes import above_zero, check_alpha


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

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        return super()._plain(last) | {"count": self.count}


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
    p = read_numbers("pvalues", pvalues)
    if p.ndim != 1 or not p.size:
        raise ValueError("pvalues must be one-dimensional and not empty.")
    n = len(p)
    names = tuple(str(i + 1) for i in range(n)) if datasets is None else tuple(datasets)
    if len(names) != n or len(set(names)) < n:
        raise ValueError(f"datasets must hold {n} different names, one for each p-value.")
    bad = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if bad.size:
        raise ValueError(
            f"the p-value of data set {names[bad[0]]!r} is {p[bad[0]]}: each must lie between "
            "0 and 1, and leaving a data set out would select among the results."
        )
    u = np.arange(1, n + 1)
    if method == "fisher":
        # p = 0 claims more certainty than a float has.
        logs = np.log([above_zero(value) for value in p.tolist()])
        combined = chdtrc(2 * (n - u + 1), -2 * np.cumsum(np.sort(logs)[::-1])[::-1])
        named = _largest_combined(logs)
        independent = "the data sets are independent samples"
    elif method == "bonferroni":
        combined = (n - u + 1) * np.sort(p)
        named = adjust_pvalues(p, "holm")
        independent = "the data sets may depend on each other in any way"
    else:
        raise ValueError(f"method={method!r} is unknown; use 'fisher' or 'bonferroni'.")
    combined = np.array([above_zero(min(1.0, value)) for value in combined.tolist()])
    rejected = _at_most(named, alpha).tolist()
    return ReplicabilityOutcome(
        method=method,
        datasets=names,
        pvalues=p,
        partial_conjunction=np.maximum.accumulate(combined),
        alpha=alpha,
        rejected=tuple(name for name, there in zip(names, rejected, strict=True) if there),
        assumptions=(independent, "each p-value is valid for its own data set"),
    )


def _at_most(pvalues: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    # Logarithms and back again do not leave p = alpha as it was.
    return np.asarray(pvalues <= alpha * (1 + 1e-12))


def _largest_combined(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each data set the largest of Fisher's p-values of the sets that it is in.

    Of the sets of one size that with the largest others has it.
    """
    order = np.argsort(-logs, kind="stable")
    found = np.empty(len(logs))
    for place, which in enumerate(order.tolist()):
        others = np.delete(logs[order], place)
        sums = logs[which] + np.concatenate([[0.0], np.cumsum(others)])
        found[which] = np.max(chdtrc(2 * np.arange(1, len(logs) + 1), -2 * sums))
    return found
