"""The joint distribution of the scores of k systems, for questions about all at once."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._joint.redrawn import Redrawn
from skstat.stats._outcomes import population, smallest_of_signs, unit_word
from skstat.stats._resampling import (
    CellPlan,
    ResamplingPlan,
    UnitPlan,
    draw_seed,
    stream,
    weighted_sums,
)
from skstat.stats._samples import (
    RELATIVE_RESOLUTION,
    BinaryScores,
    BlockScoreTable,
    FoldScoreTable,
    ScoreTable,
    check_complete,
    check_count,
    independent_blocks,
    resolution_of_table,
)
from skstat.stats._splits import assumptions_about, check_rows
from skstat.stats._test_set import delong_wald


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
    df: float | None = None
    seed: int
    n_independent: int | None = None
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


@procedure()
def skewness_left(table: ScoreTable) -> float | None:
    """Largest absolute skewness of the difference of two systems over the root of n.

    None of splits and of ordered units, whose mean has another law.
    """
    if table.unit == "split" or table.ordered:
        return None
    return _skewness(table.scores) / math.sqrt(table.n_units)


def _skewness(scores: NDArray[np.float64]) -> float:
    """Largest absolute skewness of the difference of two systems."""
    if np.all((scores == 0) | (scores == 1)):
        return _skewness_of_right_and_wrong(scores)
    noise = resolution_of_table(scores)
    largest = 0.0
    for a in range(scores.shape[1] - 1):
        differences = scores[:, a + 1 :] - scores[:, [a]]
        centred = differences - differences.mean(axis=0)
        squares = centred * centred
        spread = np.sqrt(np.mean(squares, axis=0))
        # The power of 3 is a call for every number; a product is not.
        third = np.abs(np.mean(squares * centred, axis=0))[spread > noise]
        largest = max(largest, np.max(third / spread[spread > noise] ** 3, initial=0.0))
    return float(largest)


def _skewness_of_right_and_wrong(scores: NDArray[np.float64]) -> float:
    """The same of scores 0 and 1, by how often one is right and the other wrong."""
    both = scores.T @ scores
    alone = (np.diag(both)[:, None] - both) / len(scores)  # in the row only
    differ, mean = alone + alone.T, alone - alone.T
    variance = differ - mean**2
    third = mean * (1 - 3 * differ + 2 * mean**2)
    defined = variance > 0
    spread = np.sqrt(np.where(defined, variance, 1.0))
    return float(np.max(np.abs(third) / spread**3, where=defined, initial=0.0))


Law = Literal["auto", "t", "bootstrap", "studentized"]
# Units below which resamples tell too little of the law, and t is drawn with standard
# errors of its own.
_FEWEST_RESAMPLED, _FEW = 10, 30
# Skewness over the root of the number of units that changes no rate by more than 0.006.
_NEGLIGIBLE_SKEWNESS = 0.05


def law_of_means(
    table: ScoreTable,
    procedure: str,
    *,
    method: Law,
    block_length: int | None,
    n_resamples: int,
    rng: int | np.random.Generator | None,
    for_few: bool = False,
) -> JointLaw:
    """Draw from the joint distribution of the mean scores of a table.

    ``"t"`` is the multivariate t with the sample covariance of the scores and J - 1
    degrees of freedom; for splits the covariance is multiplied as Nadeau & Bengio's
    variance is, and for pairs of blocks it is that of the block jackknife, with K - 1 degrees
    of freedom. ``"bootstrap"`` draws units, or moving blocks of ordered ones;
    ``"studentized"`` units, with a covariance of every resample. ``"auto"`` is the more
    careful of t and the latter for independent units. With `for_few` the law allows for few
    units: every draw of the first has a covariance of its own, and the second has the tails
    of Student's t.
    """
    if method == "auto" and (table.unit == "split" or table.ordered):
        method = "t" if table.unit == "split" else "bootstrap"
    check_table(table, procedure, method, n_resamples)
    if isinstance(table, FoldScoreTable):
        return _law_of_rows(table, procedure, n_resamples, draw_seed(rng), for_few=for_few)
    block_length = _block_length(table, method, block_length)
    n, unit = table.n_units, unit_word(table.unit)
    ratio = table.test_train_ratio if table.unit == "split" else 0.0
    assert ratio is not None  # else refused
    seed = draw_seed(rng)
    scores = table.scores
    estimates = scores.mean(axis=0)
    spread = math.sqrt(1 / n + ratio)
    redrawn: list[Redrawn] = []
    skewness = skewness_left(table)
    resampled = method == "studentized" or (
        method == "auto"
        and n >= _FEWEST_RESAMPLED
        and skewness is not None
        and skewness > _NEGLIGIBLE_SKEWNESS
    )
    if isinstance(table, BlockScoreTable):
        # The jackknife's squares are added up, not averaged over n - 1.
        scores, n = table.left_out_means, table.n_blocks
        spread = math.sqrt(n - 1)
        dependence = independent_blocks(n)
    elif table.unit == "split":
        dependence = splits_correlate(table)
    elif block_length is None:
        dependence = f"the {unit}s are independent of each other"
    else:
        dependence = f"{unit}s further apart than {block_length} are independent of each other"
    if method != "bootstrap":
        # Drawn in the order of the scores, the law does not depend on that of the columns.
        order = np.argsort(-estimates, kind="stable")
        root = np.empty((min(scores.shape), table.n_systems))
        root[:, order] = root_of((scores - estimates)[:, order]) * (spread / math.sqrt(n - 1))
        errors = _multivariate_t(root, n - 1, n_resamples, seed)
        if for_few or (method == "auto" and n < _FEW):
            redrawn = [Redrawn.of(root, n - 1, n_resamples, seed)]
        elif method == "auto" and resampled:
            redrawn = [Redrawn.fixed(errors, root)]
        law = "the differences are close to normal, with equal variances"
        if resampled:
            redrawn = [
                *(redrawn if method == "auto" else ()),
                _studentized(scores, n_resamples, seed),
            ]
            law = f"there are enough {unit}s for the studentized bootstrap"
    else:
        plan = UnitPlan(n, block_length=block_length)
        errors = _draw(plan, scores - estimates, n_resamples, seed) / plan.n
        if block_length is not None:
            # Moving blocks seldom hold the first and last units: their mean is another.
            errors -= errors.mean(axis=0)
        root = root_of(errors) / math.sqrt(max(1, n_resamples - 1))
        if for_few:
            errors, root = widen(errors, root, n // (block_length or 1), seed)
        law = f"there are enough {unit}s for the bootstrap"
    split = table.unit == "split"
    return JointLaw(
        names=table.names,
        estimates=estimates,
        errors=errors,
        root=root,
        resolution=resolution_of_table(scores) * spread,
        n_units=n,
        quantity="expected score" if split else "mean score",
        where=table.training if split else f"over {population(table.unit, table.n_systems)}",
        how=_how(method, resampled),
        assumptions=(dependence, law),
        df=n - 1 if method in ("auto", "t") else None,
        seed=seed,
        n_independent=n // (block_length or 1) if method == "bootstrap" else None,
        redrawn=tuple(redrawn),
        skewness=skewness,
    )


def _law_of_rows(
    table: FoldScoreTable, procedure: str, n_resamples: int, seed: int, *, for_few: bool
) -> JointLaw:
    """Multivariate t with the covariance that is projected on the rows."""
    check_rows(table, procedure)
    estimates = table.scores.mean(axis=0)
    # Drawn in the order of the scores, the law does not depend on that of the columns.
    order = np.argsort(-estimates, kind="stable")
    root = np.empty((table.n_systems, table.n_systems))
    root[:, order] = root_of(table.parts.root()[:, order])
    df = table.df
    few = for_few and table.n_systems - 1 <= df
    return JointLaw(
        names=table.names,
        estimates=estimates,
        errors=_multivariate_t(root, df, n_resamples, seed),
        root=root,
        resolution=resolution_of_table(table.scores),
        n_units=table.n_units,
        quantity="expected score",
        where=table.training,
        how="multivariate t",
        assumptions=assumptions_about(table),
        df=df,
        seed=seed,
        redrawn=(Redrawn.of(root, df, n_resamples, seed),) if few else (),
    )


def _how(method: str, resampled: bool) -> str:
    if method == "bootstrap":
        return "bootstrap"
    if not resampled:
        return "multivariate t"
    if method == "studentized":
        return "studentized bootstrap"
    return "multivariate t and studentized bootstrap, the more careful one"


def _studentized(scores: NDArray[np.float64], n_resamples: int, seed: int) -> Redrawn:
    """Resample units, and take the covariance of the means of every resample.

    Only differences are used, so that what all systems have in common is left out.
    """
    n, k = scores.shape
    centred = scores - scores.mean(axis=1, keepdims=True)
    centred = centred - centred.mean(axis=0)
    cells, counts = np.unique(centred, axis=0, return_counts=True)
    plan: ResamplingPlan = UnitPlan(n)
    if 2 * len(cells) <= n:  # right and wrong answers: few kinds of rows
        centred, plan = cells, CellPlan(counts)
    a, b = np.triu_indices(k)
    terms = np.column_stack([centred, centred[:, a] * centred[:, b]])
    sums = _draw(plan, terms, n_resamples, seed) / n
    errors = sums[:, :k]
    covariances = np.empty((n_resamples, k, k))
    covariances[:, a, b] = covariances[:, b, a] = sums[:, k:] - errors[:, a] * errors[:, b]
    # A resample without any spread is as far off as can be, and must not fail.
    covariances += 1e-12 * (float(np.mean(centred**2)) or 1.0) * np.eye(k)
    roots = np.linalg.cholesky(covariances / (n - 1)).transpose(0, 2, 1)
    return Redrawn(errors, roots)


def splits_correlate(table: ScoreTable) -> str:
    """Say how the differences of splits are taken to depend on each other."""
    ratio = table.test_train_ratio or 0.0
    return (
        "the differences of two splits have the correlation "
        f"n_test/(n_train + n_test) = {ratio / (1 + ratio):.3f}"
    )


def check_table(table: ScoreTable, procedure: str, method: str, n_resamples: int) -> None:
    """Refuse scores, or units, that a joint distribution of means cannot be drawn from."""
    check_complete(table, procedure)
    split, unit = table.unit == "split", unit_word(table.unit)
    least = 3 if split else 2
    if table.n_units < least:
        raise ValueError(
            f"{procedure} needs at least {least} {unit}s, but has {table.n_units}."
        )
    if method not in get_args(Law):
        known = ", ".join(map(repr, get_args(Law)))
        raise ValueError(f"method={method!r} is unknown; use one of {known}.")
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
    if length is None:
        return min(math.ceil(round(n ** (1 / 3), 9)), n // 2)
    if not 1 <= length <= n // 2 or length % 1:
        raise ValueError(
            f"block_length={length!r} must be a whole number from 1 to half the {unit}s "
            f"({n // 2})."
        )
    return int(length)


def _multivariate_t(
    root: NDArray[np.float64], df: float, n_resamples: int, seed: int
) -> NDArray[np.float64]:
    rng = stream(np.random.SeedSequence(seed))
    normal = rng.standard_normal((n_resamples, len(root))) @ root
    return np.asarray(normal / np.sqrt(rng.chisquare(df, (n_resamples, 1)) / df))


def _draw(
    plan: ResamplingPlan, terms: NDArray[np.float64], n_resamples: int, seed: int
) -> NDArray[np.float64]:
    """Sums of the terms over resamples."""
    sums = np.empty((n_resamples, terms.shape[1]))
    starts = range(0, n_resamples, plan.block_size)
    for start, child in zip(
        starts, np.random.SeedSequence(seed).spawn(len(starts)), strict=True
    ):
        block = sums[start : start + plan.block_size]
        block[:] = weighted_sums(plan.weights(stream(child), len(block)), terms)
    return sums


def law_of_areas(areas: BinaryScores, *, n_resamples: int, seed: int) -> JointLaw:
    """Draw from the normal law with DeLong's covariance of the areas."""
    assumptions = delong_wald(areas).assumptions  # refuses too few groups
    variances = np.array(areas.difference_variances)
    # Questions are about differences alone: those to the first system have all of it, and
    # polarisation gives zero, not float noise, for two systems that are one.
    to_first = variances[0]
    covariance = (to_first[:, None] + to_first - variances) / 2
    roots, vectors = np.linalg.eigh(covariance)
    root = np.sqrt(np.maximum(roots, 0.0))[:, None] * vectors.T
    drawn = stream(np.random.SeedSequence(seed)).standard_normal((n_resamples, len(root)))
    return JointLaw(
        names=tuple(areas.names),
        estimates=np.array(areas.aucs, dtype=float),
        errors=drawn @ root,
        root=root,
        # The root of a variance that is float noise.
        resolution=float(np.sqrt(RELATIVE_RESOLUTION * variances.max(initial=0.0))) * 1e-3,
        n_units=areas.n_units,
        quantity="area under the ROC curve",
        where=f"over instances, for these {len(areas.names)} fitted systems",
        how="normal law",
        assumptions=assumptions,
        seed=seed,
    )
