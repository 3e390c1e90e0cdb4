"""What every row contributes to the scores of repeated K-fold cross-validation."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import of_usable_size, read_numbers

Floats = NDArray[np.float64]

_NOISE = 1e-12  # spread of numbers of size 1 up to which they are alike
# Assumed correlation of the instabilities of two splits; chosen by simulation.
_OF_MEANS, _OF_OTHERS = 1 / 7, 1 / 4
# With fewer rows of a class some half of the default may have hardly any of them. With 20 all
# halves of fifteen halvings have two or more, but once in 1500 data sets.
FEW_OF_CLASS = 20
# Of fewer rows a metric that is no mean over them is another quantity than of many.
FEW_IN_FOLD = 10


def usual_correlation(*, of_mean: bool) -> float:
    """Correlation that is assumed between the instabilities of two splits, of like rows."""
    return _OF_MEANS if of_mean else _OF_OTHERS


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
        Units of one weight that would tell as much, where units differ in weight:
        (sum of the weights)^2 / (sum of their squares). The size of a group is its weight.

    Raises
    ------
    ValueError
        If shapes do not fit, a value is not finite, or a fold is empty; or the effective
        number of units is not between 1 and their number.
    """

    values: Any
    folds: Any
    strata: Any = None
    of_mean: bool = True
    n_effective: float | None = None

    def __post_init__(self) -> None:
        values = read_numbers("values", self.values)
        folds = np.asarray(self.folds)
        if values.ndim != 3:
            raise ValueError(
                f"values has shape {values.shape}; it needs (n_repeats, n_units, n_systems)."
            )
        if folds.shape != values.shape[:2] or folds.dtype.kind not in "iu":
            raise ValueError(
                f"folds has shape {folds.shape} and type {folds.dtype}; it needs one whole "
                f"number for each of {values.shape[0]} x {values.shape[1]} values."
            )
        if not np.isfinite(values).all():
            raise ValueError("values must be finite: every row is tested in every repetition.")
        (values,) = of_usable_size("values", values)
        n_folds = int(folds.max()) + 1
        present = [np.isin(np.arange(n_folds), row).all() for row in folds]
        if folds.min() < 0 or n_folds < 2 or not all(present):
            raise ValueError(
                "folds must number at least two folds from 0 in every repetition, and each "
                "needs a unit."
            )
        strata = None if self.strata is None else np.asarray(self.strata)
        if strata is not None and strata.shape != values.shape[1:2]:
            raise ValueError(
                f"strata has shape {strata.shape}; it needs one for each of "
                f"{values.shape[1]} units."
            )
        effective = self.n_effective
        if effective is not None and not 1 <= effective <= len(values[0]) * (1 + 1e-9):
            raise ValueError(
                f"n_effective={effective!r} must be between 1 and {len(values[0])}, the number "
                "of units."
            )
        for name, array in (("values", values), ("folds", folds), ("strata", strata)):
            object.__setattr__(self, name, array)

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

        As many as repetitions; of units that differ in weight at most their effective number
        less one.
        """
        if self.n_effective is None:
            return self.n_repeats
        return min(self.n_repeats, max(self.n_effective - 1, 1.0))

    @property
    def instability_correlation(self) -> float:
        """Correlation that is assumed between the instabilities of two splits.

        What rows do together in training makes splits alike: 1/7 for means over rows, and 1/4
        for other metrics.
        """
        return usual_correlation(of_mean=self.of_mean)

    @cached_property
    def skewness_left(self) -> float:
        """Skewness of what the units contribute over the root of their number.

        Of one system, or of the difference of the first two: as skewed as their mean. 0 where
        nothing varies.
        """
        mean = self.values.mean(axis=0)
        own = mean[:, 0] if mean.shape[1] == 1 else mean[:, 0] - mean[:, 1]
        centred = own - own.mean()
        spread = math.sqrt(float(np.mean(centred**2)))
        if spread <= _NOISE * float(np.abs(own).max()):
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
        inside = (self.folds[:, None, :] == np.arange(n_folds)[:, None]).astype(float)
        sums = np.einsum("rkn,rn...->rk...", inside, values)
        return np.asarray(sums / self.sizes.reshape(*self.sizes.shape, *[1] * (sums.ndim - 2)))

    def of(self, systems: Any) -> Self:
        """Take some systems, by their numbers."""
        return replace(self, values=self.values[:, :, systems])

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
        _, first, number = np.unique(np.asarray(groups), return_index=True, return_inverse=True)
        folds = self.folds[:, first]
        if not np.array_equal(folds[:, number], self.folds):
            raise ValueError("groups: some group is split over folds; keep groups together.")
        means = self.fold_means(self.values)
        repeats = np.arange(self.n_repeats)[:, None]
        influence = self.values - means[repeats, self.folds]
        sums = np.zeros((self.n_repeats, len(first), self.values.shape[2]))
        np.add.at(sums, (repeats, number[None, :]), influence)
        n_groups = np.stack([np.bincount(row, minlength=self.n_folds) for row in folds])
        scale = (n_groups / self.sizes)[repeats, folds]
        return replace(
            self,
            values=means[repeats, folds] + scale[:, :, None] * sums,
            folds=folds,
            strata=None,
            n_effective=self.n_effective
            if len(first) == self.n_units  # groups of one row each are the rows
            else effective_number(np.bincount(number, weights=sample_weight)),
        )


def effective_number(weights: ArrayLike) -> float:
    """Units of one weight that would tell as much: ``(sum w)^2 / sum w^2``.

    Parameters
    ----------
    weights : array-like of shape (n_units,)
        Weights, none of them negative.
    """
    sizes = np.asarray(weights, dtype=float)
    if np.ptp(sizes) == 0:  # no float noise in a number that is compared with others
        return float(len(sizes))
    sizes = sizes / sizes.max()
    return float(np.sum(sizes) ** 2 / np.sum(sizes**2))


def contributions_of_means(
    scores: Floats, folds: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[Floats, RowContributions]:
    """Score folds by the (weighted) mean over their rows, and say what each row contributes.

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
    plain = RowContributions(scores, folds)
    repeats = np.arange(plain.n_repeats)[:, None]
    if sample_weight is None:
        means = plain.fold_means(plain.values)
        contributions = plain
    else:
        weight = read_numbers("sample_weight", sample_weight)
        fits = weight.shape == (plain.n_units,) and np.isfinite(weight).all()
        if not fits or weight.min() < 0:
            raise ValueError(
                f"sample_weight needs one finite weight of at least 0 for each of "
                f"{plain.n_units} rows."
            )
        every = np.broadcast_to(weight, plain.folds.shape)
        heavy = plain.fold_means(every)
        if not heavy.all():
            raise ValueError("sample_weight is 0 on all rows of some fold.")
        means = plain.fold_means(plain.values * weight[:, None]) / heavy[:, :, None]
        own = means[repeats, plain.folds]
        share = (every / heavy[repeats, plain.folds])[:, :, None]
        contributions = RowContributions(
            own + share * (plain.values - own),
            plain.folds,
            n_effective=effective_number(weight) if np.ptp(weight) else None,
        )
    return means.reshape(-1, means.shape[2]), contributions
