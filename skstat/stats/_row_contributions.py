"""Contributions of rows to the scores of repeated K-fold cross-validation."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._ordering import RELATIVE_RESOLUTION
from skstat.stats._read import of_usable_size, read_numbers, weights_of

Floats = NDArray[np.float64]

_NOISE = 1e-12  # relative spread of numbers up to which they are equal
# Assumed correlation of the instabilities of two splits; chosen by simulation.
_FOR_MEANS, _FOR_OTHERS = 1 / 7, 1 / 4
# With fewer rows of a class some half of the default splits may have hardly any of them. With
# 20, all halves of fifteen halvings have two or more in all but one of 1500 data sets.
FEW_OF_CLASS = 20
# On fewer rows, a metric that is not a mean over rows estimates another quantity than on many.
FEW_IN_FOLD = 10


_FLOAT_NOISE = 1e-14  # share of all variances up to which a variance is float noise
# The models of K folds share most of their rows, so that the instability of their mean is
# larger than that of K unrelated splits: this share of that of one split, chosen by simulation
# for 10 folds.
_FOR_FOLDS = 1 / 5


def usual_correlation(*, of_mean: bool) -> float:
    """Return the correlation that is assumed between the instabilities of two splits."""
    return _FOR_MEANS if of_mean else _FOR_OTHERS


@dataclass(frozen=True, eq=False)
class RowContributions:
    """What every row contributes to the score of the fold that tests it.

    Parameters
    ----------
    values : array-like of shape (n_repeats, n_units, n_systems)
        For a mean over rows, the row's own score. For any other metric the score of the
        fold plus the row's influence on it: the derivative of the score in the row's weight,
        times the number of rows of the fold (the infinitesimal jackknife). Either way the
        mean over the rows of a fold is the score of the fold.
    folds : array-like of int of shape (n_repeats, n_units)
        Fold that tests the unit, numbered from 0 in every repetition.
    strata : array-like of int of shape (n_units,), optional
        Classes of which every fold holds the same share, where folds are stratified.
    of_mean : bool, default=True
        Whether the score of a fold is the mean of the units' own scores.
    n_effective : float, optional
        Effective number of units, where units differ in weight: (sum of the weights)^2 / (sum
        of their squares). The size of a group is its weight.
    halves : RowContributions, optional
        Contributions of the same rows to the same systems on repeated halves. The variance is
        then estimated from these, and carried over to the larger training sets.

    Raises
    ------
    ValueError
        If shapes do not fit, a value is not finite, or a fold is empty; or the effective
        number of units is not between 1 and their number, or halves are of others.
    """

    values: Any
    folds: Any
    strata: Any = None
    of_mean: bool = True
    n_effective: float | None = None
    halves: "RowContributions | None" = None

    def __post_init__(self) -> None:
        (values,) = of_usable_size("values", read_numbers("values", self.values))
        folds, n_units = np.asarray(self.folds), values.shape[1] if values.ndim == 3 else 0
        if folds.shape != values.shape[:2] or not n_units or folds.dtype.kind not in "iu":
            raise ValueError(
                f"values has shape {values.shape}, and folds has shape {folds.shape} and type "
                f"{folds.dtype}: they need (n_repeats, n_units, n_systems), and a whole number "
                "for each unit of every repetition."
            )
        if not np.isfinite(values).all():
            raise ValueError("values must be finite: every row is tested in every repetition.")
        numbers = np.arange(int(folds.max()) + 1)
        present = all(np.isin(numbers, row).all() for row in folds)
        if folds.min() < 0 or len(numbers) < 2 or not present:
            raise ValueError("each repetition numbers at least two folds from 0, none empty.")
        strata = None if self.strata is None else np.asarray(self.strata)
        if strata is not None and strata.shape != (n_units,):
            raise ValueError(f"strata has shape {strata.shape}; it needs {n_units} values.")
        effective = self.n_effective
        if effective is not None and not 1 <= effective <= n_units * (1 + 1e-9):
            raise ValueError(f"n_effective={effective!r} must be from 1 to {n_units} units.")
        halves = self.halves
        compatible = isinstance(halves, RowContributions) and halves.halves is None
        if halves and not (compatible and halves.values.shape[1:] == values.shape[1:]):
            raise ValueError("halves must be RowContributions of the same rows and systems.")
        vars(self).update(values=values, folds=folds, strata=strata)

    @classmethod
    def of_means(
        cls, scores: Floats, folds: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Floats, Self]:
        """Return the (weighted) mean scores of folds, and the contributions of the rows.

        Parameters
        ----------
        scores : ndarray of shape (n_repeats, n_rows, n_systems)
            Score of every row in every repetition, higher is better.
        folds : array-like of int of shape (n_repeats, n_rows)
            Fold that tests the row.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        fold_scores : ndarray of shape (n_repeats * n_folds, n_systems)
            Scores of the folds, repetition by repetition.
        contributions : RowContributions
            A row of weight w contributes ``T + w / mean(w) * (score - T)``, T the fold's score
            and mean(w) that of the fold's rows.
        """
        rows = cls(scores, folds)
        if sample_weight is None:
            return np.concatenate(rows.fold_means(rows.values)), rows
        weight = weights_of(np.asarray(sample_weight))
        if len(weight) != rows.n_units:
            raise ValueError(f"sample_weight has {len(weight)} values for {rows.n_units} rows.")
        repeats = np.arange(rows.n_repeats)[:, None]
        mean_weights = rows.fold_means(np.broadcast_to(weight, rows.folds.shape))
        if not mean_weights.all():
            raise ValueError("sample_weight is 0 on all rows of some fold.")
        means = rows.fold_means(rows.values * weight[:, None]) / mean_weights[:, :, None]
        fold_scores = means[repeats, rows.folds]
        share = (weight / mean_weights[repeats, rows.folds])[:, :, None]
        values = fold_scores + share * (rows.values - fold_scores)
        effective = effective_number(weight) if np.ptp(weight) else None
        return np.concatenate(means), replace(rows, values=values, n_effective=effective)

    @property
    def n_repeats(self) -> int:
        """Number of repetitions."""
        return len(self.values)

    @property
    def n_folds(self) -> int:
        """Folds of each repetition."""
        return int(self.folds.max()) + 1

    @property
    def n_units(self) -> int:
        """Number of rows, or of groups of rows."""
        return int(self.values.shape[1])

    @property
    def df(self) -> float:
        """Degrees of freedom of a variance that is projected on the units.

        As many as repetitions; for units that differ in weight at most their effective number
        less one.
        """
        m = self.n_effective
        return self.n_repeats if m is None else min(self.n_repeats, max(m - 1, 1.0))

    @property
    def measured(self) -> "RowContributions":
        """Contributions that the variance is estimated from."""
        return self if self.halves is None else self.halves

    @property
    def partitions(self) -> str:
        """The partitions that the variance is estimated from, in words."""
        folds = f"{self.n_repeats} x {self.n_folds} folds"
        if self.halves is None:
            return folds
        return f"{folds}, with the variance of {self.halves.n_repeats} halvings"

    @cached_property
    def variance(self) -> "ProjectionVariance":
        """Variance of the mean score, or covariance of the mean scores of several systems.

        The covariance is that of the differences from the most central system, each scaled by
        its spread: noisy estimates are made positive semidefinite, and the noise of a system
        that varies a thousand times as much as the others must not spread to them.
        """
        if self.values.shape[2] == 1:
            return _projection_variance(self)
        alpha = self.measured.values.mean(axis=0)
        scores = np.concatenate(self.measured.fold_means(self.measured.values))
        spread = np.sqrt(_square_spreads(alpha) / self.n_units + _square_spreads(scores))
        middle = int(spread.sum(axis=1).argmin())
        others = np.delete(np.arange(len(spread)), middle)
        noise = RELATIVE_RESOLUTION * np.abs(scores).max(axis=0)
        constant = spread[middle] <= np.maximum(noise, noise[middle])
        unit = np.where(constant, 1.0, spread[middle])

        def embed(block: Floats) -> Floats:
            matrix = np.zeros_like(spread)
            matrix[np.ix_(others, others)] = block * np.outer(unit[others], unit[others])
            return matrix

        parts = self.each(lambda values: ((values - values[..., [middle]]) / unit)[..., others])
        return _projection_variance(parts).each(embed)

    @property
    def instability_correlation(self) -> float:
        """Correlation that is assumed between the instabilities of two splits.

        Joint effects of training rows make splits alike: 1/7 for means over rows, and 1/4 for
        other metrics.
        """
        return usual_correlation(of_mean=self.of_mean)

    @cached_property
    def skewness_left(self) -> float:
        """Skewness of the units' contributions, over the square root of their number.

        For one system, or the difference of the first two: the skewness of the mean. 0 where
        nothing varies.
        """
        mean = self.values.mean(axis=0)
        values = mean[:, 0] if mean.shape[1] == 1 else mean[:, 0] - mean[:, 1]
        centred = values - values.mean()
        spread = math.sqrt(float(np.mean(centred**2)))
        if spread <= _NOISE * float(np.abs(values).max()):
            return 0.0
        return float(np.mean((centred / spread) ** 3)) / math.sqrt(self.n_units)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Units of every fold, shape (n_repeats, n_folds)."""
        n_folds = self.n_folds
        return np.stack([np.bincount(row, minlength=n_folds) for row in self.folds])

    def fold_means(self, values: Floats) -> Floats:
        """Average one value per unit within every fold.

        Parameters
        ----------
        values : ndarray of shape (n_repeats, n_units, ...)
            The values.

        Returns
        -------
        ndarray of shape (n_repeats, n_folds, ...)
            Their means.
        """
        n_folds = self.n_folds
        in_fold = (self.folds[:, None, :] == np.arange(n_folds)[:, None]).astype(float)
        sums = np.einsum("rkn,rn...->rk...", in_fold, values)
        return np.asarray(sums / self.sizes.reshape(*self.sizes.shape, *[1] * (sums.ndim - 2)))

    def each(self, function: Callable[[Floats], Floats]) -> Self:
        """Return the same rows with a function applied to their values."""
        halves = None if self.halves is None else self.halves.each(function)
        return replace(self, values=function(self.values), halves=halves)

    def of(self, systems: Any) -> Self:
        """Return the contributions to the scores of some systems, by index."""
        return self.each(lambda values: values[:, :, systems])

    def by_group(self, groups: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Add up the rows of every group, which are then the units.

        The influence of a group is the sum of those of its rows, times the number of groups
        of the fold over that of its rows.

        Parameters
        ----------
        groups : array-like of shape (n_units,)
            Group of every row; all its rows are in one fold.
        sample_weight : array-like of shape (n_units,), optional
            Weights of the rows, where contributions are of weighted scores.

        Raises
        ------
        ValueError
            If a group is split over folds.
        """
        _, first, codes = np.unique(np.asarray(groups), return_index=True, return_inverse=True)
        folds = self.folds[:, first]
        if not np.array_equal(folds[:, codes], self.folds):
            raise ValueError("groups: some group is split over folds; keep groups together.")
        means = self.fold_means(self.values)
        repeats = np.arange(self.n_repeats)[:, None]
        influence = self.values - means[repeats, self.folds]
        sums = np.zeros((self.n_repeats, len(first), self.values.shape[2]))
        np.add.at(sums, (repeats, codes[None, :]), influence)
        n_groups = np.stack([np.bincount(row, minlength=self.n_folds) for row in folds])
        scale = (n_groups / self.sizes)[repeats, folds]
        values, effective = means[repeats, folds] + scale[:, :, None] * sums, self.n_effective
        if len(first) < self.n_units:  # otherwise every group is one row
            effective = effective_number(np.bincount(codes, weights=sample_weight))
        return replace(self, values=values, folds=folds, strata=None, n_effective=effective)


def effective_number(weights: ArrayLike) -> float:
    """Return the effective number of units: ``(sum w)^2 / sum w^2``.

    Parameters
    ----------
    weights : array-like of shape (n_units,)
        Weights, none of them negative.
    """
    w = np.asarray(weights, dtype=float)
    if np.ptp(w) == 0:  # exact, as the number is compared with others
        return float(len(w))
    w = w / w.max()
    return float(np.sum(w) ** 2 / np.sum(w**2))


@dataclass(frozen=True, eq=False)
class ProjectionVariance:
    """Covariance matrix of the mean scores of repeated K-fold cross-validation, in two parts.

    It is for differences of systems: effects common to all of them are left out.

    Attributes
    ----------
    sampling : ndarray of shape (n_systems, n_systems)
        Part of the rows: the choice of the data set, to first order.
    instability : ndarray of shape (n_systems, n_systems)
        Part of the learner: the variance that is left when every row has been tested once.
    halves : ProjectionVariance or None
        That of repeated halves, where it was estimated on these and carried over.
    change : ndarray of shape (n_systems, n_systems) or None
        Covariance of the change of the mean scores from the halves to the larger training sets.
    """

    sampling: Floats
    instability: Floats
    halves: "ProjectionVariance | None" = None
    change: Floats | None = None

    @property
    def total(self) -> Floats:
        """Sum of both parts."""
        return self.sampling + self.instability

    def errors(self, *scores: Any) -> tuple[float, ...]:
        """Return the standard error of one contrast, and its parts; 0 if it is float noise."""
        parts = self.total, self.sampling, self.instability
        total, *rest = (math.sqrt(float(part[0, 0])) for part in parts)
        noise = RELATIVE_RESOLUTION * np.abs(scores).max()
        return (total, *rest) if total > noise else (0.0, 0.0, 0.0)

    def each(self, f: Callable[[Floats], Floats]) -> "ProjectionVariance":
        """Return the variance with a function applied to every part."""
        halves = None if self.halves is None else self.halves.each(f)
        change = None if self.change is None else f(self.change)
        return ProjectionVariance(f(self.sampling), f(self.instability), halves, change)

    def of(self, contrast: Floats) -> "ProjectionVariance":
        """Return the variance of one contrast of the systems."""
        noise = _FLOAT_NOISE * (contrast**2 @ np.diagonal(self.total))

        def variance(matrix: Floats) -> Floats:
            variance = contrast @ matrix @ contrast
            return np.full((1, 1), variance if variance > noise else 0.0)

        return self.each(variance)

    def root(self) -> Floats:
        """Return a root of the total about the mean of all systems, free of float noise.

        The norm of the difference of two columns is the standard error of two systems.
        """
        scale = np.sqrt(np.diagonal(self.total))
        unit = np.where(scale > 0, scale, 1.0)
        values, vectors = np.linalg.eigh(self.total / np.outer(unit, unit))
        values = np.where(values > _FLOAT_NOISE * len(values), values, 0.0)
        root = np.sqrt(values)[:, None] * vectors.T * scale
        return np.asarray(root - root.mean(axis=1, keepdims=True))


def _square_spreads(values: Floats) -> Floats:
    """Return the variance of the difference of every two columns."""
    return np.stack([(values - column[:, None]).var(axis=0) for column in values.T])


def _projection_variance(contributions: RowContributions) -> ProjectionVariance:
    """Estimate the covariance of mean scores by the projection on single rows.

    Several differences of systems are estimated together. With halves, the variance is that
    of the mean score of the folds, whose training sets are larger.

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

    Folds with larger training sets are alike, and their splits do not tell alpha from beta.
    But they tell alpha. Where a learner shrinks, alpha and beta both grow with the training
    set; where it has converged, neither does. So the first-order variance of halves
    is multiplied by the ratio of the variances of alpha, unless this is below 1. The change of
    the mean from halves to folds has the variance of the change of alpha, multiplied by how
    much more than alpha the first-order part of halves has, and the instability of both. What
    the mean score moves between the few repetitions of the folds is added: where learners
    jump, the instability of halves is not enough for a change.
    """
    rows = contributions.measured
    n_repeats, n_folds = rows.n_repeats, rows.n_folds
    n, p = rows.n_units, 1 / n_folds
    divisor = n_repeats * (n_folds - 1)
    by_fold = rows.fold_means(rows.values)
    repetition = by_fold.mean(axis=1, keepdims=True)
    residual = by_fold - repetition
    instability = n_folds * _covariance(repetition[:, 0])
    within = np.einsum("rks,rkt->st", residual, residual) / divisor
    split = _nonnegative(within - instability) * (1 - p)

    alpha = rows.values.mean(axis=0)
    between, v_alpha = _row_covariances(rows, alpha)
    # A row's mean without the repetition in question: errors must not be common to both.
    others = (n_repeats * alpha - rows.values) / (n_repeats - 1)
    means = rows.fold_means(others)
    means -= means.mean(axis=1, keepdims=True)
    cross = np.einsum("rks,rkt->st", residual, means) / divisor * (1 - p)
    cross = (cross + cross.T) / 2

    first_order = v_alpha / (n * p**2) - 2 * cross / p + (1 - p) / p * split
    per_fold = 1 / (n_repeats * n_folds)
    # A variance of few effective units is too small by m / (m - 1).
    m = rows.n_effective
    correction = 1.0 if m is None else m / max(m - 1, 0.5)
    correlation = rows.instability_correlation
    sampling = (_with_floor(first_order, v_alpha / n) + between / n) * correction
    result = ProjectionVariance(sampling, instability * (correlation + per_fold))
    if contributions is rows:
        return result
    # Class shares are treated as fixed if they are in the halves.
    larger = replace(contributions, strata=rows.strata)
    alpha_of_larger = larger.values.mean(axis=0)
    between, v_larger = _row_covariances(larger, alpha_of_larger)
    first_order_of_larger = first_order * _growth(v_larger, v_alpha)
    sampling = (_with_floor(first_order_of_larger, v_larger / n) + between / n) * correction
    share = correlation + _FOR_FOLDS / larger.n_repeats
    shift = _covariance(alpha_of_larger - alpha)
    shift = shift - _noise(larger, alpha_of_larger) - _noise(rows, alpha)
    change = _nonnegative(shift) / n * _growth(first_order, v_alpha / n) * correction
    spread = _covariance(larger.fold_means(larger.values).mean(axis=1)) / larger.n_repeats
    change = change + instability * (share + per_fold) + spread
    return ProjectionVariance(sampling, instability * share, result, change)


def _with_floor(matrix: Floats, floor: Floats) -> Floats:
    """Return a covariance matrix that is no smaller than another one."""
    return floor + _nonnegative(matrix - floor)


def _growth(matrix: Floats, reference: Floats) -> Floats:
    """Return factors by which variances grow from `reference` to `matrix`, none below 1."""
    old = np.diagonal(reference)
    ratios = np.diagonal(matrix) / np.where(old > 0, old, np.inf)
    roots = np.sqrt(np.maximum(ratios, 1.0))
    return np.outer(roots, roots)


def _row_covariances(rows: RowContributions, alpha: Floats) -> tuple[Floats, Floats]:
    """Return the covariance of the rows' mean contributions, between and within strata.

    The noise due to the finite number of repetitions is subtracted. Folds with the same share
    of every class do not show the effect of the shares: that part is added as it is, for test
    rows alone.
    """
    noise = _noise(rows, alpha)
    between = np.zeros_like(noise)
    if rows.strata is not None:
        _, number, counts = np.unique(rows.strata, return_inverse=True, return_counts=True)
        sums = np.zeros((len(counts), alpha.shape[1]))
        np.add.at(sums, number, alpha)
        deviations = sums / counts[:, None] - alpha.mean(axis=0)
        between = (deviations.T * counts) @ deviations / (rows.n_units - 1)
    return between, _nonnegative(_covariance(alpha) - noise - between)


def _noise(rows: RowContributions, alpha: Floats) -> Floats:
    """Return the covariance of the rows' means due to the finite number of repetitions."""
    deviations = rows.values - alpha
    noise = np.einsum("rns,rnt->st", deviations, deviations)
    return np.asarray(noise / (rows.n_units * rows.n_repeats * (rows.n_repeats - 1)))


def _covariance(values: Floats) -> Floats:
    return np.atleast_2d(np.cov(values, rowvar=False, ddof=1))


def _nonnegative(matrix: Floats) -> Floats:
    """Make a noisy estimate of a covariance matrix positive semidefinite, keeping its trace.

    Only setting negative eigenvalues to zero would accumulate the noise of all systems: with
    more systems every pair would seem more variable. A single variance is cut off at zero.
    """
    values, vectors = np.linalg.eigh(matrix)
    positive = np.maximum(values, 0.0)
    if values.sum() <= 0:
        return np.zeros_like(matrix)
    return np.asarray((vectors * (positive * (values.sum() / positive.sum()))) @ vectors.T)
