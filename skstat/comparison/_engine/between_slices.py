"""How much a difference varies between slices: Cochran's Q, and estimates drawn together."""

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
# Units by which the variance within a slice leans on that within all of them: of few units
# on which systems hardly differ it may be 0.
_BORROWED = 10
# Of so many units that contribute the sum of flipped contributions is normal.
_NORMAL = 500


@dataclass(frozen=True, kw_only=True, eq=False)
class Contributions:
    """What units contribute to the differences within slices, each about its own difference.

    Attributes
    ----------
    values : sequence of ndarray of shape (n_atoms,)
        By slice, what a unit changes in the difference of two scores, by leaving it out
        (jackknife): for means its own difference minus the mean one.
    times : sequence of ndarray of shape (n_atoms,)
        How many units are alike in it.
    units : sequence of ndarray of int of shape (n_atoms,), or None
        Numbers of the units, each of which comes once, in ascending order, where slices share
        units.
    """

    test = "Cochran's Q over slices, by flips of the signs of contributions"
    assumption = "units are independent of each other"

    values: Sequence[Numbers]
    times: Sequence[Numbers]
    units: Sequence[NDArray[np.int64]] | None = None

    def take(self, places: Sequence[int]) -> "Contributions":
        """Return those to some of the slices."""
        return Contributions(
            values=[self.values[place] for place in places],
            times=[self.times[place] for place in places],
            units=None if self.units is None else [self.units[place] for place in places],
        )

    @cached_property
    def sizes(self) -> Numbers:
        """Units of every slice."""
        return np.array([times.sum() for times in self.times], dtype=float)

    def _sums(self, power: int) -> Numbers:
        """Sums of powers of the contributions, by slice."""
        each = zip(self.values, self.times, strict=True)
        return np.array([times @ values**power for values, times in each], dtype=float)

    @cached_property
    def _squares(self) -> Numbers:
        return self._sums(2)

    @cached_property
    def spreads(self) -> list[UnitSpread]:
        """How much they vary, by slice."""
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
        """Sparse contributions of every unit to every slice; None where none is shared."""
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
        found = crossed / np.outer(safe, safe)
        np.fill_diagonal(found, 1.0)
        return np.asarray(found)

    def variances(self, means: Numbers) -> Numbers:
        """Variances of differences about `means`, steadied by that within all slices.

        Parameters
        ----------
        means : ndarray of shape (..., n_slices)
            Means of the contributions, or of those whose signs were flipped.
        """
        n = self.sizes
        within = np.maximum(self._squares - n * means**2, 0.0) / (n - 1)
        pooled = (within @ (n - 1))[..., None] / (n - 1).sum()
        return np.asarray((n * within + _BORROWED * pooled) / (n + _BORROWED) / n)

    @property
    def own_variances(self) -> Numbers:
        """Variances of the differences."""
        return self.variances(np.zeros(len(self.values)))

    @property
    def n_units(self) -> int:
        """Units of all slices."""
        return int(self.sizes.sum()) if self.by_unit is None else self.by_unit.shape[0]

    def drawn(self, n_resamples: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Means of contributions whose signs were flipped, and their variances, by slice.

        A unit is flipped in all slices together.
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
    """Standard errors, where they are all that is known of slices that share no rows.

    Differences are drawn as normal, and each of their variances as that of a t test with its
    degrees of freedom. What slices share, as the models that were fitted to all rows, lets
    their errors correlate, which lessens Q.

    Attributes
    ----------
    own_variances, dfs : ndarray of shape (n_slices,)
        Squared standard errors, and the degrees of freedom of each.
    n_units : int
        Rows of all slices.
    """

    test = "Cochran's Q over slices, with variances of t tests"
    assumption = "errors of slices are normal, and independent or positively correlated"

    own_variances: Numbers
    dfs: Numbers
    n_units: int

    def drawn(self, n_resamples: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Differences that are none but for their errors, and their variances, by slice."""
        shape = (n_resamples, len(self.dfs))
        drawn = rng.standard_normal(shape) * np.sqrt(self.own_variances)
        return drawn, self.own_variances * rng.chisquare(self.dfs, shape) / self.dfs


def _flipped_sums(
    rng: np.random.Generator, n_resamples: int, values: Numbers, times: Numbers
) -> Numbers:
    """Sums of rows of values, so many times each, whose signs are flipped."""
    moves = values.any(axis=1)
    values, times = values[moves], times[moves]
    if times.sum() > _NORMAL:
        root = np.linalg.qr(np.sqrt(times)[:, None] * values, mode="r")
        return np.asarray(rng.standard_normal((n_resamples, len(root))) @ root)
    flips = rng.binomial(times.astype(int), 0.5, (n_resamples, len(times)))
    return np.asarray((2 * flips - times) @ values)


Known = Contributions | KnownErrors


def heterogeneity(
    names: Sequence[str], estimates: Numbers, known: Known, *, where: str, seed: int
) -> OmnibusOutcome:
    """Cochran's Q: is the difference of two systems the same in all slices?

    ``Q = sum((d_s - d)**2 / v_s)`` over slices, d the mean of the differences with the weights
    1 / v_s (Cochran, 1954). Its distribution is that of contributions whose signs are flipped,
    with the variance of every draw: it needs no large slices, and slices may share units. Where
    standard errors are all that is known it is that of t tests. tau is the standard deviation
    of the true differences between slices (Paule & Mandel, 1982).

    Parameters
    ----------
    names : sequence of str
        The slices.
    estimates : ndarray of shape (n_slices,)
        Differences within them.
    known : Contributions or KnownErrors
        What the units contribute to these, or how much they err.
    where : str
        What the difference is of, in words.
    seed : int
        Seed of the draws.
    """
    variances, rng = known.own_variances, stream(np.random.SeedSequence(seed))
    observed, reached = float(_q(estimates, variances)), _q(*known.drawn(_N_DRAWN, rng))
    tolerance = _NOISE * max(1.0, observed)
    return OmnibusOutcome(
        test=known.test,
        estimand=f"{where}, slice by slice",
        null_hypothesis=f"{where} is the same in all slices",
        statistic=observed,
        statistic_name="Q",
        pvalue=float((1 + np.sum(reached >= observed - tolerance)) / (1 + _N_DRAWN)),
        names=tuple(names),
        n_units=known.n_units,
        assumptions=(known.assumption,),
        effect_sizes={
            "I\N{SUPERSCRIPT TWO}": max(0.0, observed - len(estimates) + 1) / (observed or 1.0),
            "tau": spread_between(estimates, variances),
        },
        n_resamples=_N_DRAWN,
        seed=seed,
        references=(works.COCHRAN_1954, works.PAULE_MANDEL_1982),
    )


def _q(differences: Numbers, variances: Numbers) -> Numbers:
    """Cochran's Q of differences (..., n_slices); 0 where nothing varies."""
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = 1 / variances
        mean = (weights * differences).sum(axis=-1) / weights.sum(axis=-1)
        found = (weights * (differences - mean[..., None]) ** 2).sum(axis=-1)
    return np.where(np.isfinite(found), found, 0.0)


def spread_between(estimates: Numbers, variances: Numbers) -> float:
    """Standard deviation of true differences, by which Q is its degrees of freedom.

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
    most = float(np.var(estimates, ddof=1)) * (df + 1)
    return float(np.sqrt(root_between(excess, 0.0, most, xtol=1e-12 * most)))


def shrunken(estimates: Numbers, variances: Numbers) -> Numbers:
    """Differences within slices, drawn towards their common mean as far as they are noise.

    The posterior means of differences that are normal about a common mean, with the standard
    deviation `spread_between` (empirical Bayes).

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
