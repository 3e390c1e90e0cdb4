"""Variance of a repeated cross-validation, from its first-order (Hájek) projection."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples.row_contributions import RowContributions
from skstat.stats._samples.scores import RELATIVE_RESOLUTION

Floats = NDArray[np.float64]

_NOISE = 1e-14  # share of all variances up to which a variance is float noise


@dataclass(frozen=True, kw_only=True, eq=False)
class ProjectionVariance:
    """Covariance matrix of the mean scores of repeated K-fold cross-validation, in two parts.

    It is for differences of systems: what is common to all of them is left out.

    Attributes
    ----------
    sampling : ndarray of shape (n_systems, n_systems)
        Part of the rows: which data set it is, to first order.
    instability : ndarray of shape (n_systems, n_systems)
        Part of the learner: what is left when every row has been tested once.
    n_repeats, n_folds : int
        Number of repetitions, and folds of each.
    """

    sampling: Floats
    instability: Floats
    n_repeats: int
    n_folds: int

    @property
    def total(self) -> Floats:
        """Sum of both parts."""
        return self.sampling + self.instability

    def of(self, contrast: Floats) -> Self:
        """Return the variance of one contrast of the systems."""
        noise = _NOISE * (contrast**2 @ np.diagonal(self.total))

        def variance(matrix: Floats) -> Floats:
            found = contrast @ matrix @ contrast
            return np.full((1, 1), found if found > noise else 0.0)

        return type(self)(
            sampling=variance(self.sampling),
            instability=variance(self.instability),
            n_repeats=self.n_repeats,
            n_folds=self.n_folds,
        )

    def root(self) -> Floats:
        """Return a root of the total about the mean of all systems, free of float noise.

        The norm of the difference of two columns is the standard error of two systems.
        """
        scale = np.sqrt(np.diagonal(self.total))
        unit = np.where(scale > 0, scale, 1.0)
        sizes, directions = np.linalg.eigh(self.total / np.outer(unit, unit))
        sizes = np.where(sizes > _NOISE * len(sizes), sizes, 0.0)
        root = np.sqrt(sizes)[:, None] * directions.T * scale
        return np.asarray(root - root.mean(axis=1, keepdims=True))


def joint_variance(scores: Floats, rows: RowContributions) -> ProjectionVariance:
    """Estimate the covariance of the mean scores of systems, as far as they differ.

    The covariance is that of the differences from the system in the middle, each measured
    in its own spread: of noisy estimates a positive semidefinite matrix is made, and the
    noise of a system that varies a thousand times as much as the others must not be dealt
    out to them.

    Parameters
    ----------
    scores : ndarray of shape (n_repeats * n_folds, n_systems)
        Scores of the folds, repetition by repetition.
    rows : RowContributions
        What every row contributed to them.

    Returns
    -------
    ProjectionVariance
        Both parts, of shape (n_systems, n_systems); 0 for the system in the middle.
    """
    alpha = rows.values.mean(axis=0)
    spread = np.sqrt(_square_spreads(alpha) / rows.n_units + _square_spreads(scores))
    middle = int(spread.sum(axis=1).argmin())
    others = np.delete(np.arange(len(spread)), middle)
    noise = RELATIVE_RESOLUTION * np.abs(scores).max(axis=0)
    constant = spread[middle] <= np.maximum(noise, noise[middle])
    unit = np.where(constant, 1.0, spread[middle])
    found = projection_variance(
        ((scores - scores[:, [middle]]) / unit)[:, others],
        replace(rows, values=(rows.values - rows.values[:, :, [middle]]) / unit).of(others),
    )

    def of_all(part: Floats) -> Floats:
        whole = np.zeros_like(spread)
        whole[np.ix_(others, others)] = part * np.outer(unit[others], unit[others])
        return whole

    return replace(
        found, sampling=of_all(found.sampling), instability=of_all(found.instability)
    )


def _square_spreads(values: Floats) -> Floats:
    """Variance of the difference of every two columns."""
    return np.stack([(values - column[:, None]).var(axis=0) for column in values.T])


def projection_variance(scores: Floats, rows: RowContributions) -> ProjectionVariance:
    """Estimate the covariance of mean scores by the projection on single rows.

    Parameters
    ----------
    scores : ndarray of shape (n_repeats * n_folds, n_systems)
        Scores of the folds, repetition by repetition: differences, of which several are
        estimated together.
    rows : RowContributions
        What every row contributed to them.

    Returns
    -------
    ProjectionVariance
        Both parts; each is positive semidefinite.

    Notes
    -----
    Let a row act on the difference T of a split by alpha as a test row and by beta as a
    training row, to first order: ``T = theta + mean(alpha over test rows) + mean(beta over
    training rows)``. The mean of many splits then varies over data sets by the variance of
    ``mean(alpha + beta)``. Splits of one data set show another combination, in which a row
    that leaves the test set enters the training set: ``gamma = alpha / n_test - beta /
    n_train``. With a share p = 1/K of the rows for testing,

    - the variance of T over splits is ``p (1 - p) sum(gamma^2)``,
    - its covariance with the mean of alpha over the test rows is
      ``p (1 - p) sum(alpha gamma) / n_test``,

    so that with beta = n_train (alpha / n_test - gamma)

        sum((alpha + beta)^2) / n^2
            = sum(alpha^2) / (n p)^2 - 2 (1 - p) sum(alpha gamma) / (n p)
              + (1 - p)^2 sum(gamma^2)
            = v_alpha / (n p^2) - 2 c / p + (1 - p) v_1 / p

    where v_1 is the first-order variance of T over splits, and c its covariance with the mean
    of alpha. Sums over the K folds of a repetition are divided by K - 1, which is right for
    instability. First-order parts of these folds add up to zero, so that K would be right for
    them: the factor 1 - p makes up for it. The learner's instability is taken off: the mean
    over the folds of one repetition has no first-order part, so that its variance over
    repetitions is instability alone.
    """
    n_repeats, n_folds = rows.n_repeats, rows.n_folds
    n, p = rows.n_units, 1 / n_folds
    down = n_repeats * (n_folds - 1)
    by_fold = scores.reshape(n_repeats, n_folds, -1)
    repetition = by_fold.mean(axis=1, keepdims=True)
    residual = by_fold - repetition
    instability = n_folds * _covariance(repetition[:, 0])
    within = np.einsum("rks,rkt->st", residual, residual) / down
    split = _nonnegative(within - instability) * (1 - p)

    alpha = rows.values.mean(axis=0)
    between, v_alpha = _row_covariances(rows, alpha)
    # A row's mean without the repetition in question: errors must not be common to both.
    others = (n_repeats * alpha - rows.values) / (n_repeats - 1)
    means = rows.fold_means(others)
    means -= means.mean(axis=1, keepdims=True)
    cross = np.einsum("rks,rkt->st", residual, means) / down * (1 - p)
    cross = (cross + cross.T) / 2

    least = v_alpha / n
    first_order = v_alpha / (n * p**2) - 2 * cross / p + (1 - p) / p * split
    sampling = between / n + least + _nonnegative(first_order - least)
    if rows.n_effective is not None:  # a variance of so few is too small by m / (m - 1)
        sampling = sampling * (rows.n_effective / max(rows.n_effective - 1, 0.5))
    correlation = rows.instability_correlation
    return ProjectionVariance(
        sampling=sampling,
        instability=instability * (correlation + 1 / (n_repeats * n_folds)),
        n_repeats=n_repeats,
        n_folds=n_folds,
    )


def _row_covariances(rows: RowContributions, alpha: Floats) -> tuple[Floats, Floats]:
    """Covariance of the rows' mean contributions, between strata and within them.

    What the mean of a row owes to the finite number of repetitions is taken off. Folds with
    the same share of every class do not show what the shares do: that part is added as it
    is, for test rows alone.
    """
    deviations = rows.values - alpha
    noise = np.einsum("rns,rnt->st", deviations, deviations)
    noise /= rows.n_units * rows.n_repeats * (rows.n_repeats - 1)
    between = np.zeros_like(noise)
    if rows.strata is not None:
        _, number, counts = np.unique(rows.strata, return_inverse=True, return_counts=True)
        sums = np.zeros((len(counts), alpha.shape[1]))
        np.add.at(sums, number, alpha)
        apart = sums / counts[:, None] - alpha.mean(axis=0)
        between = (apart.T * counts) @ apart / (rows.n_units - 1)
    return between, _nonnegative(_covariance(alpha) - noise - between)


def _covariance(values: Floats) -> Floats:
    return np.atleast_2d(np.cov(values, rowvar=False, ddof=1))


def _nonnegative(matrix: Floats) -> Floats:
    """Make a noisy estimate of a covariance matrix positive semidefinite, keeping its trace.

    Setting negative eigenvalues to zero alone would add up the noise of all systems: with
    more systems every pair would seem more variable. A single variance is cut off at zero.
    """
    if matrix.shape == (1, 1):
        return np.maximum(matrix, 0.0)
    sizes, directions = np.linalg.eigh(matrix)
    kept = np.maximum(sizes, 0.0)
    if sizes.sum() <= 0:
        return np.zeros_like(matrix)
    return np.asarray((directions * (kept * (sizes.sum() / kept.sum()))) @ directions.T)
