"""Variation of a difference between slices: Cochran's Q, and shrunken estimates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats import OmnibusOutcome
from skstat.stats._bootstrap import UnitSpread
from skstat.stats._chance import root_between, stream
from skstat.stats._procedure import works

Numbers = NDArray[np.float64]

_N_DRAWN = 9_999
_NOISE = 1e-9
# Weight, in units, of the variance pooled over slices in that of each slice, which may be 0 in
# a small slice on which systems hardly differ.
_PRIOR_UNITS = 10
# Number of contributing units above which the sum of flipped contributions is drawn as normal.
_FEWEST_NORMAL = 500


@dataclass(frozen=True, kw_only=True, eq=False)
class Contributions:
    """Centred contributions of units to the differences within slices.

    Attributes
    ----------
    values : sequence of ndarray of shape (n_atoms,)
        For every slice, jackknife contributions of units to the difference of two scores: for
        means the difference of the unit minus the mean difference.
    times : sequence of ndarray of shape (n_atoms,)
        Number of units that share each contribution.
    units : sequence of ndarray of int of shape (n_atoms,), or None
        Where slices share units: the numbers of the units, in ascending order and without
        duplicates within a slice.
    """

    test = "Cochran's Q over slices, by flips of the signs of contributions"
    assumption = "units are independent of each other"

    values: Sequence[Numbers]
    times: Sequence[Numbers]
    units: Sequence[NDArray[np.int64]] | None = None

    def take(self, slices: Sequence[int]) -> "Contributions":
        """Return the contributions to some of the slices."""
        return Contributions(
            values=[self.values[i] for i in slices],
            times=[self.times[i] for i in slices],
            units=None if self.units is None else [self.units[i] for i in slices],
        )

    @cached_property
    def sizes(self) -> Numbers:
        """Number of units of every slice."""
        return np.array([times.sum() for times in self.times], dtype=float)

    def _sums(self, power: int) -> Numbers:
        """Return sums of powers of the contributions, by slice."""
        each = zip(self.values, self.times, strict=True)
        return np.array([times @ values**power for values, times in each], dtype=float)

    @cached_property
    def _squares(self) -> Numbers:
        return self._sums(2)

    @cached_property
    def spreads(self) -> list[UnitSpread]:
        """Standard error, skewness and degrees of freedom, by slice."""
        n, square = self.sizes, self._squares
        varies = np.where(square > 0, square, 1.0)
        kurtosis = np.where(square > 0, n * self._sums(4) / varies**2, 1.0)
        df = np.divide(2 * n, kurtosis - 1, out=n.copy(), where=kurtosis > 1)
        error = np.sqrt(square / (n * np.maximum(1.0, n - 1)))
        skewness = np.where(square > 0, self._sums(3) / varies**1.5, 0.0)
        each = np.column_stack([error, skewness, np.maximum(1.0, np.minimum(df, n - 1))])
        return [UnitSpread(error=e, skewness=s, df=d) for e, s, d in each.tolist()]

    @cached_property
    def by_unit(self) -> Any:
        """Sparse array of contributions (n_units, n_slices); None if slices share no units."""
        if self.units is None:
            return None
        from scipy import sparse

        ends = np.cumsum([0, *map(len, self.units)])
        shape = 1 + max(int(units[-1]) for units in self.units), len(self.units)
        entries = np.concatenate(self.values), np.concatenate(self.units), ends
        return sparse.csc_array(entries, shape=shape)

    @cached_property
    def correlation(self) -> Numbers | None:
        """Correlation of the differences within slices; None where they are independent."""
        if self.units is None:
            return None
        crossed = (self.by_unit.T @ self.by_unit).toarray()
        spread = np.sqrt(np.diagonal(crossed))
        safe = np.where(spread > 0, spread, 1.0)
        correlation = crossed / np.outer(safe, safe)
        np.fill_diagonal(correlation, 1.0)
        return np.asarray(correlation)

    def variances(self, means: Numbers) -> Numbers:
        """Return variances of the differences about `means`, shrunken to the pooled variance.

        Parameters
        ----------
        means : ndarray of shape (..., n_slices)
            Means of the contributions, with flipped signs or without.
        """
        n = self.sizes
        within = np.maximum(self._squares - n * means**2, 0.0) / (n - 1)
        pooled = (within @ (n - 1))[..., None] / (n - 1).sum()
        return np.asarray((n * within + _PRIOR_UNITS * pooled) / (n + _PRIOR_UNITS) / n)

    @property
    def observed_variances(self) -> Numbers:
        """Variances of the observed differences."""
        return self.variances(np.zeros(len(self.values)))

    @property
    def n_units(self) -> int:
        """Number of units in all slices together."""
        return int(self.sizes.sum()) if self.by_unit is None else self.by_unit.shape[0]

    def drawn(self, n_resamples: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Return means of contributions with flipped signs, and their variances, by slice.

        The sign of a unit is the same in all slices.
        """
        if self.units is not None:
            shared = self.by_unit[np.unique(self.by_unit.indices)].toarray()
            sums = _flipped_sums(rng, n_resamples, shared, np.ones(len(shared)))
        else:
            each = zip(self.values, self.times, strict=True)
            sums = np.hstack([_flipped_sums(rng, n_resamples, v[:, None], t) for v, t in each])
        means = sums / self.sizes
        return means, self.variances(means)


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownErrors:
    """Standard errors of the differences within slices that share no rows.

    They are used where contributions are not known. Differences are drawn from a normal
    distribution, and their variances as in a t test. Errors of slices that share fitted models
    correlate, which only makes Q smaller.

    Attributes
    ----------
    observed_variances, dfs : ndarray of shape (n_slices,)
        Squared standard errors, and the degrees of freedom of each.
    n_units : int
        Number of rows of all slices.
    """

    test = "Cochran's Q over slices, with variances of t tests"
    assumption = "errors of slices are normal, and independent or positively correlated"

    observed_variances: Numbers
    dfs: Numbers
    n_units: int

    def drawn(self, n_resamples: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Return draws of differences under the null hypothesis, and variances, by slice."""
        shape, variances = (n_resamples, len(self.dfs)), self.observed_variances
        differences = rng.standard_normal(shape) * np.sqrt(variances)
        return differences, variances * rng.chisquare(self.dfs, shape) / self.dfs


def _flipped_sums(
    rng: np.random.Generator, n_resamples: int, values: Numbers, times: Numbers
) -> Numbers:
    """Return sums of values (n_resamples, n_slices) whose signs are flipped by row."""
    nonzero = values.any(axis=1)
    values, times = values[nonzero], times[nonzero]
    if times.sum() > _FEWEST_NORMAL:
        root = np.linalg.qr(np.sqrt(times)[:, None] * values, mode="r")
        return np.asarray(rng.standard_normal((n_resamples, len(root))) @ root)
    flips = rng.binomial(times.astype(int), 0.5, (n_resamples, len(times)))
    return np.asarray((2 * flips - times) @ values)


SliceLaw = Contributions | KnownErrors


def heterogeneity(
    names: Sequence[str], estimates: Numbers, law: SliceLaw, *, where: str, seed: int
) -> OmnibusOutcome:
    """Test by Cochran's Q whether the difference of two systems is the same in all slices.

    ``Q = sum((d_s - d)**2 / v_s)`` over slices, where d is the mean of the differences with
    the weights 1 / v_s (Cochran, 1954). Its null distribution is drawn by flipping the signs of
    contributions, which is valid for small slices and for slices that share units; or, if only
    standard errors are known, as for t tests. tau is the standard deviation of the true
    differences between slices (Paule & Mandel, 1982).

    Parameters
    ----------
    names : sequence of str
        The slices.
    estimates : ndarray of shape (n_slices,)
        Differences within the slices.
    law : Contributions or KnownErrors
        Contributions of the units, or standard errors.
    where : str
        The difference in words, for the report.
    seed : int
        Seed of the draws.
    """
    variances, rng = law.observed_variances, stream(np.random.SeedSequence(seed))
    observed, drawn = float(_q(estimates, variances)), _q(*law.drawn(_N_DRAWN, rng))
    tolerance = _NOISE * max(1.0, observed)
    return OmnibusOutcome(
        test=law.test,
        estimand=f"{where}, slice by slice",
        null_hypothesis=f"{where} is the same in all slices",
        statistic=observed,
        statistic_name="Q",
        pvalue=float((1 + np.sum(drawn >= observed - tolerance)) / (1 + _N_DRAWN)),
        names=tuple(names),
        n_units=law.n_units,
        assumptions=(law.assumption,),
        effect_sizes={
            "I\N{SUPERSCRIPT TWO}": max(0.0, observed - len(estimates) + 1) / (observed or 1.0),
            "tau": spread_between(estimates, variances),
        },
        n_resamples=_N_DRAWN,
        seed=seed,
        references=(works.COCHRAN_1954, works.PAULE_MANDEL_1982),
    )


def _q(differences: Numbers, variances: Numbers) -> Numbers:
    """Return Cochran's Q of differences (..., n_slices); 0 where nothing varies."""
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = 1 / variances
        mean = (weights * differences).sum(axis=-1) / weights.sum(axis=-1)
        q = (weights * (differences - mean[..., None]) ** 2).sum(axis=-1)
    return np.where(np.isfinite(q), q, 0.0)


def spread_between(estimates: Numbers, variances: Numbers) -> float:
    """Return the standard deviation of true differences for which Q equals its df.

    Parameters
    ----------
    estimates, variances : ndarray of shape (n_slices,)
        Differences within slices, and their variances.
    """
    df = len(estimates) - 1
    if not variances.any():
        return float(np.std(estimates, ddof=1))

    def excess(square: float) -> float:
        return float(_q(estimates, variances + square)) - df

    if excess(0.0) <= 0:
        return 0.0
    upper = float(np.var(estimates, ddof=1)) * (df + 1)
    return float(np.sqrt(root_between(excess, 0.0, upper, xtol=1e-12 * upper)))


def shrunken(estimates: Numbers, variances: Numbers) -> Numbers:
    """Return the differences within slices, shrunken towards their common mean.

    They are posterior means under a normal distribution of the true differences, whose standard
    deviation is `spread_between` (empirical Bayes).

    Parameters
    ----------
    estimates, variances : ndarray of shape (n_slices,)
        Differences within slices, and their variances.
    """
    between = spread_between(estimates, variances) ** 2
    total = variances + between
    if not total.all():
        return np.array(estimates, dtype=float)
    weights = 1 / total
    common = float(weights @ estimates / weights.sum())
    return np.asarray(common + between / total * (estimates - common))
