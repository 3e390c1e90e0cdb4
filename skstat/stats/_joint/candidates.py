"""What the outcomes of "which systems may be the best?" have in common."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Stored
from skstat.stats._outcomes import check_alpha


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidates(Stored):
    """Which of k systems may be the best.

    Attributes
    ----------
    test : str
        Name of the procedure.
    estimand : str
        The quantities that are compared, in words.
    null_hypothesis : str
        What a small p-value of a system contradicts, in words.
    names : tuple of str
        The systems.
    estimates : ndarray of shape (n_systems,)
        Their scores; higher is better.
    pvalues : ndarray of shape (n_systems,)
        p-value of every system: it may be the best at every level up to this one. nan where
        there is no variance to test its differences against.
    n_units : int
        Units that the systems were scored on.
    assumptions : tuple of str
        What must hold for the p-values to mean what they say.
    df : float or None
        Degrees of freedom of a multivariate t; None for a bootstrap.
    n_resamples, seed : int
        Number and seed of the draws.
    smallest_pvalue : float
        Smallest p-value that this many draws, and units, can give.
    skewness : float or None
        Largest absolute skewness of the difference of two systems over the root of the
        number of units; None where the scores are not means.
    """

    test: str
    estimand: str
    null_hypothesis: str
    names: tuple[str, ...]
    estimates: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    n_units: int
    assumptions: tuple[str, ...] = ()
    df: float | None = None
    n_resamples: int
    seed: int
    smallest_pvalue: float
    skewness: float | None = None

    @property
    def monte_carlo_errors(self) -> NDArray[np.float64]:
        """Standard errors of the p-values from drawing."""
        return np.sqrt(self.pvalues * (1 - self.pvalues) / self.n_resamples)

    def may_be_best(self, alpha: float = 0.05) -> tuple[str, ...]:
        """Name the systems that may be the best.

        Parameters
        ----------
        alpha : float, default=0.05
            Chance that the best system is not among them.

        Returns
        -------
        tuple of str
            Systems whose p-value is at least `alpha`, or nan: what cannot be judged is
            not ruled out. In the order of `names`.
        """
        kept = self._kept(alpha).tolist()
        return tuple(name for name, keep in zip(self.names, kept, strict=True) if keep)

    def best(self, alpha: float = 0.05) -> str | None:
        """Name the best system, if only one may be it.

        Parameters
        ----------
        alpha : float, default=0.05
            Chance to name a wrong one.

        Returns
        -------
        str or None
            The only system that may be the best.
        """
        kept = self.may_be_best(alpha)
        return kept[0] if len(kept) == 1 else None

    def _kept(self, alpha: float) -> NDArray[np.bool_]:
        check_alpha(alpha)
        return np.asarray(~(self.pvalues < alpha))


def share_as_large(drawn: NDArray[np.float64], observed: float) -> float:
    """(1 + #{drawn >= observed}) / (1 + B), not counting float noise as a difference."""
    if math.isnan(observed):
        return math.nan
    tolerance = 1e-10 * max(1.0, abs(observed))
    return float((1 + np.sum(drawn >= observed - tolerance)) / (1 + len(drawn)))
