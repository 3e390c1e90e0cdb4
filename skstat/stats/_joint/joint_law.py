"""The joint distribution of the scores of k systems, for questions about all at once."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._joint.redrawn import Redrawn
from skstat.stats._outcomes import smallest_of_signs
from skstat.stats._resampling import stream
from skstat.stats._samples import RELATIVE_RESOLUTION


@dataclass(frozen=True, kw_only=True, eq=False)
class JointLaw:
    """Estimates of the scores of k systems, and draws of their errors.

    Attributes
    ----------
    names : tuple of str
        The systems.
    estimates : ndarray of shape (k,)
        Their scores; higher is better.
    errors : ndarray of shape (n_resamples, k)
        Draws from the joint distribution of estimate minus true score.
    root : ndarray of shape (r, k)
        Root of the covariance matrix of the estimates, ``root.T @ root``. A standard
        error is a norm of it: subtracting variances would leave noise where systems
        are alike.
    resolution : float
        Differences and standard errors up to this are float noise.
    resolutions : ndarray of shape (k,), or None
        The same for differences from each system, where scores are of unlike sizes.
    n_units : int
        Units behind the estimates.
    quantity, where : str
        What is estimated, and over or for what, in words.
    how : str
        Name of the law.
    assumptions : tuple of str
        What must hold for the law to be right.
    df : float or None
        Degrees of freedom of a multivariate t.
    seed : int
        Seed of the draws.
    n_independent : int or None
        Units that a bootstrap draws independently of each other; None for another law.
    redrawn : tuple of Redrawn
        Errors with standard errors of their own, where these are estimated as well. Where
        there are several such laws the most careful one counts, quantile by quantile.
    skewness : float or None
        Largest absolute skewness of the difference of two systems over the root of the
        number of units: what is left of it in a mean. None where scores are not means.
    """

    names: tuple[str, ...]
    estimates: NDArray[np.float64]
    errors: NDArray[np.float64]
    root: NDArray[np.float64]
    resolution: float
    n_units: int
    quantity: str
    where: str
    how: str
    assumptions: tuple[str, ...]
    df: float | None
    seed: int
    n_independent: int | None
    redrawn: tuple[Redrawn, ...] = ()
    skewness: float | None = None
    resolutions: NDArray[np.float64] | None = None

    def largest(
        self, pairs: Iterable[tuple[int, int]], turned: Callable[..., Any] = np.positive
    ) -> NDArray[np.float64]:
        """Draw the largest of the studentised errors of some differences.

        `turned` is applied to them first, :func:`numpy.abs` for two directions. Pairs
        without a standard error are left out; of none the largest is minus infinity.
        """
        judged = [(a, b) for a, b in pairs if self.standard_errors[a, b] > 0]
        if not judged:
            return np.full(len(self.errors), -math.inf)
        first, second = np.array(judged).T
        laws = self.redrawn or (Redrawn.fixed(self.errors, self.root),)
        errors = self.standard_errors[first, second]
        return _largest_quantiles([law.largest(first, second, errors, turned) for law in laws])

    def largest_deficit(
        self, left: NDArray[np.int64], scale: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Draw the largest studentised error of being behind the mean of some systems.

        `scale` are the standard errors; systems without one are left out.
        """
        judged = scale > 0
        if not judged.any():
            return np.full(len(self.errors), -math.inf)
        if self.redrawn:
            return _largest_quantiles(
                [law.deficits(left)[:, judged].max(axis=1) for law in self.redrawn]
            )
        errors = self.errors[:, left]
        behind = (errors.mean(axis=1, keepdims=True) - errors)[:, judged]
        return np.asarray((behind / scale[judged]).max(axis=1))

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """Estimate of every system (row) minus that of every other (column)."""
        found = self.estimates[:, None] - self.estimates
        return np.where(np.abs(found) <= self._noise_of_pairs, 0.0, found)

    @cached_property
    def standard_errors(self) -> NDArray[np.float64]:
        """Standard errors of the `differences`.

        0 for systems that are the same on all units; nan where a constant difference
        leaves nothing to test it against.
        """
        apart = (self.root - column[:, None] for column in self.root.T)
        errors = np.stack([np.linalg.norm(columns, axis=0) for columns in apart])
        errors = np.where(errors <= self._noise_of_pairs, 0.0, errors)
        unjudged = (errors == 0) & (self.differences != 0)
        return np.where(unjudged, math.nan, errors)

    @cached_property
    def _noise_of_pairs(self) -> Any:
        """Size below which the difference of two systems is float noise."""
        own = self.resolutions
        return self.resolution if own is None else np.maximum.outer(own, own)

    def norms(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Standard errors of contrasts, from the columns ``root @ contrasts``."""
        return self.without_noise(np.linalg.norm(columns, axis=0))

    def without_noise(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Set float noise to zero."""
        return np.where(np.abs(values) <= self.resolution, 0.0, values)

    def fields(self, alternative: str) -> dict[str, Any]:
        """Fields that every outcome takes over; `alternative` is that of two systems."""
        kept = ("names", "estimates", "n_units", "assumptions", "df", "seed")
        smallest = 1 / (1 + len(self.errors))
        if self.n_independent is not None:
            # Where every unit favours one system no resample does the other, however few
            # the units are; their signs alone bound what they can show.
            smallest = max(smallest, smallest_of_signs(alternative, self.n_independent))
        return {
            **{name: getattr(self, name) for name in kept},
            "n_resamples": len(self.errors),
            "smallest_pvalue": smallest,
            "skewness": self.skewness,
        }


def law_of_replicates(
    names: Sequence[str],
    estimates: NDArray[np.float64],
    replicates: NDArray[np.float64],
    *,
    n_units: int,
    where: str,
    seed: int,
    quantity: str = "score",
    assumptions: tuple[str, ...] = (),
    widened: bool = False,
) -> JointLaw:
    """Take the law of any metric from joint bootstrap replicates, (n_resamples, k).

    With `widened` the errors are those that Student's t would have with as many units: a
    bootstrap of few of them is too narrow.
    """
    errors = replicates - estimates
    centred = errors - errors.mean(axis=0)
    root = root_of(centred) / math.sqrt(max(1, len(errors) - 1))
    if widened:
        errors, root = widen(centred, root, n_units, seed)
    return JointLaw(
        names=tuple(names),
        estimates=np.asarray(estimates, dtype=float),
        errors=errors,
        root=root,
        resolution=RELATIVE_RESOLUTION * float(np.abs(replicates).max()),
        n_units=n_units,
        quantity=quantity,
        where=where,
        how="bootstrap",
        assumptions=assumptions,
        df=None,
        seed=seed,
        n_independent=n_units,
    )


def _largest_quantiles(drawn: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Take the largest quantiles of several laws of one statistic.

    The p-value that the result gives is the largest of those of the laws.
    """
    if len(drawn) == 1:
        return drawn[0]
    return np.asarray(np.maximum.reduce([np.sort(draws) for draws in drawn]))


def widen(
    errors: NDArray[np.float64], root: NDArray[np.float64], n_units: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give bootstrap errors of few units the variance and the tails of Student's t.

    A bootstrap of n units has the variance of n - 1 of them, and treats it as known.
    """
    df = max(1, n_units - 1)
    wider = math.sqrt((df + 1) / df)
    rng = stream(np.random.SeedSequence(seed).spawn(1)[0])
    tails = np.sqrt(df / rng.chisquare(df, (len(errors), 1)))
    return errors * (wider * tails), root * wider


def root_of(centred: NDArray[np.float64]) -> NDArray[np.float64]:
    """Triangular root of the cross products, the same for every order of the rows."""
    root = np.linalg.qr(centred, mode="r")
    return np.asarray(root * np.where(np.diagonal(root) < 0, -1.0, 1.0)[:, None])
