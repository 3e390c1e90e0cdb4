"""The joint distribution of the scores of k systems, for questions about all at once."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats._auc import BinaryScores
from skstat.stats._kernels import Draws, plan_of_rows, resampled_sums
from skstat.stats._max_t import MaxT
from skstat.stats._noise import RELATIVE_RESOLUTION, resolution_of_table, without_levels
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import check_choice
from skstat.stats._resampling import UnitPlan, block_length_of, draw_seed, stream
from skstat.stats._row_contributions import check_rows
from skstat.stats._score_table import ScoreTable, check_complete
from skstat.stats._scores import check_count, check_enough_units
from skstat.stats._words import TOWARDS, unit_word

Numbers = NDArray[np.float64]
Turn = Callable[..., Any]

# Numbers of a block of draws: it stays in the processor's cache, or nearly.
_NUMBERS_AT_ONCE = 1 << 18
# Variance of a difference, relative to those of its scores, that is rounding.
_ROUNDING = 1e-12
# Part of the squares of two systems below which those of their difference are computed apart.
_NEAR = 1e-5


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of scores, and the covariance that a sample with each of them would have shown.

    Where that is redrawn every pair has a standard error of its own, which varies from sample
    to sample. Dividing all of them by one factor, as the multivariate t does, rejects too often
    where there are few units: among 10 equal systems on 10 units it found a difference in 13 %
    of 600 simulated families at a nominal 0.05, and in 7 % this way.

    Attributes
    ----------
    values : ndarray of shape (n_resamples, k)
        Errors of the scores.
    root : ndarray of shape (r, k)
        Root of the covariance matrix.
    factors : ndarray of shape (n_resamples, r, r), optional
        What `root` is multiplied by from the left in each draw; None where all errors were
        divided already, and there is one covariance.
    """

    values: Numbers
    root: Numbers
    factors: NDArray[np.floating] | None = None

    @classmethod
    def drawn(cls, root: Numbers, df: float | None, n_resamples: int, seed: int) -> Self:
        """Draw from the multivariate t with a root of its covariance; None for the normal."""
        rng = stream(np.random.SeedSequence(seed))
        values = rng.standard_normal((n_resamples, len(root))) @ root
        if df is not None:
            values /= np.sqrt(rng.chisquare(df, (n_resamples, 1)) / df)
        return cls(values, root)

    @classmethod
    def redrawn(cls, root: Numbers, df: float, n_resamples: int, seed: int) -> Self:
        """Draw normal errors from the covariance ``root.T @ root`` of the scores.

        The factors are Bartlett's decomposition of Wishart matrices.
        """
        rng = stream(np.random.SeedSequence(seed))
        # Systems that are the same leave rows of the root empty, anywhere among the others.
        _, sizes, directions = np.linalg.svd(root, full_matrices=False)
        rank = max(1, min(int(df), int(np.sum(sizes > 1e-12 * sizes.max(initial=0.0)))))
        largest = np.abs(directions).argmax(axis=1)
        signs = np.sign(directions[np.arange(len(directions)), largest])
        root = (signs * sizes)[:rank, None] * directions[:rank]
        errors = rng.standard_normal((n_resamples, rank)) @ root
        factors = np.empty((n_resamples, rank, rank), dtype=np.float32)
        below, diagonal = np.tri(rank, k=-1), np.arange(rank)
        size = max(1, (1 << 16) // rank**2)
        for start in range(0, n_resamples, size):
            part = factors[start : start + size]
            part[:] = (rng.standard_normal(part.shape) * below).transpose(0, 2, 1)
        factors[:, diagonal, diagonal] = np.sqrt(
            rng.chisquare(df - diagonal, (n_resamples, rank))
        )
        return cls(errors, root / math.sqrt(df), factors)

    @classmethod
    def resampled(cls, values: Numbers, seed: int, n_units: int | None = None) -> Self:
        """Take errors of resamples, with the variance and the tails of t if units are given.

        A bootstrap of n units has the variance of n - 1 of them, and treats it as known.
        """
        root = root_of(values) / math.sqrt(max(1, len(values) - 1))
        if n_units is None:
            return cls(values, root)
        df = max(1, n_units - 1)
        rng = stream(np.random.SeedSequence(seed).spawn(1)[0])
        tails = np.sqrt(df / rng.chisquare(df, (len(values), 1)))
        wider = math.sqrt((df + 1) / df)
        return cls(values * (wider * tails), root * wider)

    def largest(
        self, first: Any, second: Any, standard_errors: Numbers, turned: Turn, starts: Any
    ) -> Numbers:
        """Draw the largest of the studentised errors of some pairs, after `turned`.

        `standard_errors` are those of the pairs where no others are drawn. There is one for
        the pairs from each place of `starts` to the next.
        """
        systems, places = np.unique([first, second], return_inverse=True)
        a, b = places.reshape(2, -1)
        firsts, at = np.unique(a, return_inverse=True)
        found = np.empty((len(self.values), len(starts)))
        for draws, errors, roots in self._blocks(systems, len(a)):
            scale: Any = standard_errors
            if roots is not None:
                own = np.einsum("nrp,nrp->np", roots, roots)
                crossed = roots[:, :, firsts].transpose(0, 2, 1) @ roots
                sums = own[:, a] + own[:, b]
                squares = sums - 2 * crossed[:, at, b]
                # Of systems that are nearly alike a difference of squares has no digits.
                near = (squares < _NEAR * sums).any(axis=0)
                apart = roots[:, :, a[near]] - roots[:, :, b[near]]
                squares[:, near] = np.einsum("nrp,nrp->np", apart, apart)
                scale = np.sqrt(squares)
            t = turned((errors[:, a] - errors[:, b]) / scale)
            found[draws] = np.maximum.reduceat(t, starts, axis=1)
        return found

    def deficits(self, left: NDArray[np.int64], standard_errors: Numbers) -> Numbers:
        """Studentise the errors by which some systems are behind their mean."""
        found = np.empty((len(self.values), len(left)))
        for draws, errors, roots in self._blocks(left, len(left)):
            scale: Any = standard_errors
            if roots is not None:
                scale = np.linalg.norm(roots.mean(axis=2, keepdims=True) - roots, axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                found[draws] = (errors.mean(axis=1, keepdims=True) - errors) / scale
        return found

    def _blocks(
        self, systems: Any, of_each: int
    ) -> Iterator[tuple[slice, Numbers, Numbers | None]]:
        """Some draws at a time: errors of some systems, and the roots of each draw."""
        root = self.root[:, systems]
        of_each = max(of_each, 1 if self.factors is None else root.size)
        size = max(1, _NUMBERS_AT_ONCE // of_each)
        for start in range(0, len(self.values), size):
            draws, roots = slice(start, start + size), None
            if self.factors is not None:
                # One product of two matrices instead of one for each draw.
                factors = self.factors[draws].astype(float)
                product = factors.reshape(-1, len(root)) @ root
                roots = product.reshape(len(factors), -1, len(systems))
            yield draws, self.values[draws][:, systems], roots


@dataclass(frozen=True, kw_only=True, eq=False)
class JointLaw:
    """Estimates of the scores of k systems, and draws of their errors.

    Attributes
    ----------
    estimates : ndarray of shape (k,)
        Scores of the systems; higher is better.
    errors : tuple of Errors
        Draws from the joint distribution of estimate minus true score. Where there are several
        laws of it the most careful one counts, quantile by quantile.
    root : ndarray of shape (r, k)
        Root of the covariance matrix of the estimates, ``root.T @ root``. A standard
        error is a norm of it: subtracting variances would leave noise where systems
        are alike.
    resolution : float, or ndarray of shape (k,)
        Differences and standard errors up to this are float noise; where scores are of unlike
        sizes, those from each system.
    how : str
        Name of the law.
    df : float or None
        Degrees of freedom of a multivariate t.
    seed : int
        Seed of the draws.
    block_length : int or None
        Length of the blocks that ordered units were drawn in.
    """

    estimates: Numbers
    errors: tuple[Errors, ...]
    root: Numbers
    resolution: Any
    how: str
    df: float | None = None
    seed: int
    block_length: int | None = None

    @property
    def n_resamples(self) -> int:
        """Number of draws."""
        return len(self.errors[0].values)

    def largest(self, first: Any, second: Any, turned: Turn, *, each: bool = False) -> Numbers:
        """Draw the largest of the studentised errors of the differences of some systems.

        `turned` is applied to them first, :func:`numpy.abs` for two directions. Pairs
        without a standard error are left out; of none the largest is minus infinity. With
        `each` there is one for every first system, in the order of pairs sorted by it.
        """
        judged = self.standard_errors[first, second] > 0
        first, second = first[judged], second[judged]
        errors = self.standard_errors[first, second]
        starts = np.unique(first, return_index=True)[1] if each else [0]
        found = self._careful(
            errors, lambda law: law.largest(first, second, errors, turned, starts)
        )
        return found if each else found[:, 0]

    def largest_deficit(self, left: NDArray[np.int64], scale: Numbers) -> Numbers:
        """Draw the largest studentised error of being behind the mean of some systems.

        `scale` are the standard errors; systems without one are left out.
        """
        judged = scale > 0
        return self._careful(
            scale[judged], lambda law: law.deficits(left, scale)[:, judged].max(axis=1)
        )

    def _careful(self, judged: Numbers, draw: Callable[[Errors], Numbers]) -> Numbers:
        """Take the largest quantiles of a statistic under all laws of the errors.

        The p-value that the result gives is the largest of those of the laws.
        """
        if not judged.size:
            return np.full((self.n_resamples, 1), -math.inf)
        first, *others = map(draw, self.errors)
        if not others:
            return first
        sorted_draws = [np.sort(each, axis=0) for each in (first, *others)]
        return np.asarray(np.maximum.reduce(sorted_draws))

    def max_t(
        self,
        pairs: Sequence[tuple[int, int]],
        alternative: str = "two-sided",
        *,
        family: Sequence[tuple[int, int]] | None = None,
    ) -> MaxT:
        """Judge differences between systems by the largest t of the family.

        The errors of every difference, divided by their standard error, give the joint
        distribution of the statistics when no system differs (single step; for the bootstrap
        Romano & Wolf, 2005, section 4.2).

        Parameters
        ----------
        pairs : sequence of tuple of int
            The comparisons.
        alternative : {"two-sided", "less", "greater"}
            Direction of every comparison.
        family : sequence of tuple of int, optional
            All comparisons of the family, where they are more than `pairs`.
        """
        first, second = np.array(pairs).T
        errors, estimates = self.standard_errors[first, second], self.differences[first, second]
        judged, turned = np.array(pairs if family is None else family).T, TOWARDS[alternative]
        maxima = self.largest(judged[0], judged[1], turned)
        if not np.all(self.standard_errors[tuple(judged)] > 0):
            maxima = np.maximum(maxima, 0.0)  # the same on all units: no error, and a t of 0
        t = np.divide(estimates, errors, out=np.zeros(len(pairs)), where=errors > 0)
        drawn = {"how": f"the {self.how}", "n_resamples": len(maxima), "seed": self.seed}
        return MaxT.of(turned(t), estimates, errors, maxima, **drawn)

    @cached_property
    def differences(self) -> Numbers:
        """Estimate of every system (row) minus that of every other (column)."""
        found = self.estimates[:, None] - self.estimates
        return np.where(np.abs(found) <= self._noise_of_pairs, 0.0, found)

    @cached_property
    def standard_errors(self) -> Numbers:
        """Standard errors of the `differences`.

        0 for systems that are the same on all units; nan where a constant difference
        leaves nothing to test it against.
        """
        apart = (self.root - column[:, None] for column in self.root.T)
        errors = np.stack([np.linalg.norm(columns, axis=0) for columns in apart])
        errors = np.where(errors <= self._noise_of_pairs, 0.0, errors)
        unjudged = (errors == 0) & (self.differences != 0)
        return np.where(unjudged, math.nan, errors)

    @property
    def _noise_of_pairs(self) -> Any:
        """Size below which the difference of two systems is float noise."""
        own = self.resolution
        return np.maximum.outer(own, own) if np.ndim(own) else own

    def without_noise(self, values: Numbers) -> Numbers:
        """Set float noise to zero."""
        return np.where(np.abs(values) <= np.max(self.resolution), 0.0, values)


def law_of_replicates(sample: Predictions, drawn: Draws) -> JointLaw:
    """Take the law of any metric of several systems from bootstrap replicates of all of them.

    The errors are those that Student's t would have with as many units: a bootstrap of few of
    them is too narrow.
    """
    errors = drawn.scores - sample.scores
    widened = Errors.resampled(errors - errors.mean(axis=0), drawn.seed, sample.n_units)
    return JointLaw(
        estimates=sample.scores,
        errors=(widened,),
        root=widened.root,
        resolution=RELATIVE_RESOLUTION * float(np.abs(drawn.scores).max()),
        how="bootstrap",
        seed=drawn.seed,
    )


def root_of(centred: Numbers) -> Numbers:
    """Triangular root of the cross products, the same for every order of the rows."""
    root = np.linalg.qr(centred, mode="r")
    return np.asarray(root * np.where(np.diagonal(root) < 0, -1.0, 1.0)[:, None])


def ordered_root(centred: Numbers, estimates: Numbers) -> Numbers:
    """Root whose draws do not depend on the order of the columns, but on that of the scores."""
    order = np.argsort(-estimates, kind="stable")
    root = np.empty((min(centred.shape), centred.shape[1]))
    root[:, order] = root_of(centred[:, order])
    return root


def skewness_left(table: ScoreTable) -> float | None:
    """Largest absolute skewness of the difference of two systems over the root of n.

    None of splits and of ordered units, whose mean has another law.
    """
    if table.unit == "split" or table.ordered:
        return None
    x, n = without_levels(table.scores), table.n_units
    x = x - x.mean(axis=0)
    covariance, crossed = x.T @ x / n, (x * x).T @ x / n
    own = np.diag(covariance)[:, None] + np.diag(covariance)
    variance = own - 2 * covariance
    cubes = np.diag(crossed)[:, None] - np.diag(crossed)
    third = np.abs(cubes - 3 * (crossed - crossed.T))
    noise = resolution_of_table(table.scores) ** 2
    varies = variance > np.maximum(noise, _ROUNDING * own)
    spread = np.sqrt(np.where(varies, variance, 1.0))
    return float(np.max(third / spread**3, where=varies, initial=0.0)) / math.sqrt(n)


def spread_of_means(table: ScoreTable) -> tuple[Numbers, int, float]:
    """Return scores, how many units they are, and what their deviations mean for the means.

    The covariance of the means is that of the scores, divided by the units less one, times the
    square of the last number.
    """
    if table.n_blocks is not None:
        # The jackknife's squares are added up, not averaged over n - 1.
        return table.left_out_means, table.n_blocks, math.sqrt(table.n_blocks - 1)
    ratio = table.test_train_ratio if table.unit == "split" else 0.0
    assert ratio is not None  # else refused
    return table.scores, table.n_units, math.sqrt(1 / table.n_units + ratio)


Law = Literal["auto", "t", "bootstrap", "studentized"]
# Units below which resamples tell too little of the law, and t is drawn with standard
# errors of its own.
_FEWEST_RESAMPLED, _FEW = 10, 30
# Skewness over the root of the number of units that changes no rate by more than 0.006.
_NEGLIGIBLE_SKEWNESS = 0.05


def law_of_means(
    table: ScoreTable,
    procedure: str,
    method: Law = "auto",
    block_length: int | None = None,
    *,
    n_resamples: int,
    rng: int | np.random.Generator | None,
    for_few: bool = False,
) -> JointLaw:
    """Draw from the joint distribution of the mean scores of a table.

    ``"t"`` is the multivariate t with the sample covariance of the scores and J - 1
    degrees of freedom; for splits the covariance is multiplied as Nadeau & Bengio's
    variance is, and for pairs of blocks it is that of the block jackknife, with K - 1 degrees
    of freedom. Where the rows of splits are known it is projected on these.
    ``"bootstrap"`` draws units, or moving blocks of ordered ones;
    ``"studentized"`` units, with a covariance of every resample. ``"auto"`` is the more
    careful of t and the latter for independent units. With `for_few` the law allows for few
    units: every draw of the first has a covariance of its own, and the second has the tails
    of Student's t.
    """
    split, estimates = table.unit == "split", table.scores.mean(axis=0)
    if method == "auto" and (split or table.ordered):
        method = "t" if split else "bootstrap"
    check_table(table, procedure, method, n_resamples)
    block_length = _block_length(table, method, block_length)
    seed, errors = draw_seed(rng), dict[str, Errors]()
    scores, n, spread = spread_of_means(table)
    if table.rows is None:
        resolution = resolution_of_table(scores) * spread
        root = ordered_root(scores - estimates, estimates) * (spread / math.sqrt(n - 1))
        df, few = float(n - 1), for_few or (method == "auto" and n < _FEW)
    else:
        check_rows(table, procedure)
        resolution = resolution_of_table(scores)
        root = ordered_root(table.parts.root(), estimates)
        df, few = table.df, for_few and table.n_systems - 1 <= table.df
    if method in ("auto", "t"):
        draw = Errors.redrawn if few else Errors.drawn
        errors["multivariate t"] = draw(root, df, n_resamples, seed)
    skewed = (skewness_left(table) or 0.0) > _NEGLIGIBLE_SKEWNESS and n >= _FEWEST_RESAMPLED
    if method == "bootstrap":
        plan = UnitPlan(n, block_length=block_length)
        sums = resampled_sums(plan, scores - estimates, n_resamples, seed)
        values = np.concatenate([*sums]) / n
        if block_length is not None:
            # Moving blocks seldom hold the first and last units: their mean is another.
            values -= values.mean(axis=0)
        of_t = n // (block_length or 1) if for_few else None
        errors[method] = Errors.resampled(values, seed, of_t)
        root = errors[method].root
    elif method == "studentized" or (method == "auto" and skewed):
        errors["studentized bootstrap"] = _studentized(scores, n_resamples, seed)
    return JointLaw(
        estimates=estimates,
        errors=tuple(errors.values()),
        root=root,
        resolution=resolution,
        how=" and ".join(errors) + ", the more careful one" * (len(errors) > 1),
        df=df if method in ("auto", "t") else None,
        seed=seed,
        block_length=block_length,
    )


def _studentized(scores: Numbers, n_resamples: int, seed: int) -> Errors:
    """Resample units, and take the covariance of the means of every resample.

    Only differences are used, so that what all systems have in common is left out.
    """
    n, k = scores.shape
    centred = scores - scores.mean(axis=1, keepdims=True)
    centred = centred - centred.mean(axis=0)
    plan, centred = plan_of_rows(centred)
    a, b = np.triu_indices(k)
    terms = np.column_stack([centred, centred[:, a] * centred[:, b]])
    sums = np.concatenate([*resampled_sums(plan, terms, n_resamples, seed)]) / n
    errors = sums[:, :k]
    covariances = np.empty((n_resamples, k, k))
    covariances[:, a, b] = covariances[:, b, a] = sums[:, k:] - errors[:, a] * errors[:, b]
    # A resample without any spread is as far off as can be, and must not fail.
    covariances += 1e-12 * (float(np.mean(centred**2)) or 1.0) * np.eye(k)
    roots = np.linalg.cholesky(covariances / (n - 1)).transpose(0, 2, 1)
    return Errors(errors, np.eye(k), roots)


def check_table(table: ScoreTable, procedure: str, method: str, n_resamples: int) -> None:
    """Refuse scores, or units, that a joint distribution of means cannot be drawn from."""
    check_complete(table, procedure)
    split = table.unit == "split"
    check_enough_units(table, 3 if split else 2, procedure)
    check_choice("method", method, get_args(Law))
    check_count("n_resamples", n_resamples)
    if split and method in ("bootstrap", "studentized"):
        raise ValueError(
            "splits share training rows, so that a bootstrap cannot draw them as units; use "
            "method='t', which corrects for it."
        )
    if split and table.test_train_ratio is None:
        raise ValueError(
            f"{procedure} needs the sizes of the splits: give n_train and n_test (or "
            "n_repeats for complete partitions)."
        )


def _block_length(table: ScoreTable, method: str, length: int | None) -> int | None:
    """Length of the blocks that ordered units are drawn in; None for other units."""
    n, unit = table.n_units, unit_word(table.unit)
    ordered = table.ordered and table.unit != "split"
    if ordered and method in ("t", "studentized"):
        raise ValueError(
            f"the {unit}s are ordered, and neighbours may be similar: use method='bootstrap', "
            f"which draws blocks of them."
        )
    if not ordered:
        if length is not None:
            raise ValueError("block_length needs order: only ordered units form blocks.")
        return None
    return block_length_of(length, n, unit)


def law_of_areas(areas: BinaryScores, *, n_resamples: int, seed: int) -> JointLaw:
    """Draw from the normal law with DeLong's covariance of the areas."""
    variances, covariance = np.array(areas.difference_variances), areas.covariance_to_first
    roots, vectors = np.linalg.eigh(covariance)
    root = np.sqrt(np.maximum(roots, 0.0))[:, None] * vectors.T
    return JointLaw(
        estimates=np.array(areas.aucs, dtype=float),
        errors=(Errors.drawn(root, None, n_resamples, seed),),
        root=root,
        # The root of a variance that is float noise.
        resolution=float(np.sqrt(RELATIVE_RESOLUTION * variances.max(initial=0.0))) * 1e-3,
        how="normal law",
        seed=seed,
    )
