"""How ranks move when units are resampled, or parts of the benchmark are left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats import _tails as tails
from skstat.stats._family import alpha_of
from skstat.stats._joint import Errors, JointLaw, ordered_root
from skstat.stats._kernels import plan_of_rows, resampled_sums
from skstat.stats._literature import EFRON_TIBSHIRANI_1993, MOGSTAD_ET_AL_2024
from skstat.stats._mcnemar import proportion_interval
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._noise import RELATIVE_RESOLUTION, levels, with_all_digits
from skstat.stats._pairwise import PairwiseOutcome
from skstat.stats._procedure import procedure
from skstat.stats._resampling import DEFAULT_RESAMPLES, UnitPlan, draw_seed
from skstat.stats._score_table import ScoreTable, check_complete, check_independent
from skstat.stats._scores import check_count, check_enough_units
from skstat.stats._stored import Stored
from skstat.stats._words import check_level, unit_word

Numbers = NDArray[np.float64]

_FEWEST = 2  # units, and parts


class RankInterval(NamedTuple):
    """Ranks that a system may have; 1 is the best."""

    low: int
    high: int


@procedure(references=(MOGSTAD_ET_AL_2024,))
def rank_intervals(
    pairwise: PairwiseOutcome, confidence_level: float = 0.95
) -> dict[str, RankInterval]:
    """Find the ranks that every system may have, from comparisons of all pairs.

    A system ranks below all that are significantly better, and above all that are
    significantly worse [1]_. Where the adjusted p-values control the family-wise error, all
    these intervals are simultaneous at the confidence level: no verdict is wrong with that
    chance, and then no rank is outside its interval. The rank of a system is one more than
    the number of systems that are truly better, so that equal systems share the best rank
    of their group.

    Parameters
    ----------
    pairwise : PairwiseOutcome
        Two-sided comparisons of all pairs, with p-values adjusted by a method that controls
        the family-wise error.
    confidence_level : float, default=0.95
        Level at which the intervals hold for all systems at once.

    Returns
    -------
    dict of str to RankInterval
        The lowest and the highest rank of every system, in the order of ``pairwise.names``. A
        pair that could not be tested says nothing.

    Raises
    ------
    ValueError
        If the systems were compared with a control only, or in one direction, or the
        adjustment controls the false discovery rate only.

    See Also
    --------
    compact_letters : Groups without a significant difference, from the same comparisons.
    rank_stability : How the ranks move when units are resampled or left out.

    References
    ----------
    .. [1] Mogstad, M., Romano, J. P., Shaikh, A. M. & Wilhelm, D. (2024). Inference for
       ranks with applications to mobility across neighbourhoods and academic achievement
       across countries. Review of Economic Studies, 91(1), 476-518.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, paired_t, pairwise, rank_intervals
    >>> scores = {"a": [3.0, 2.9, 3.2, 3.1], "b": [3.1, 2.8, 3.0, 3.2], "c": [1.0, 1.1, 0.9, 1]}
    >>> found = rank_intervals(pairwise(ScoreTable(scores, unit="seed"), paired_t))
    >>> found["a"], found["c"]
    (RankInterval(low=1, high=2), RankInterval(low=3, high=3))
    """
    check_level(confidence_level)
    if pairwise.control is not None:
        raise ValueError(f"ranks need all pairs, without control={pairwise.control!r}.")
    if set(pairwise.outcomes.distinct("alternative")) != {"two-sided"}:
        raise ValueError("ranks need two-sided comparisons: which is the better one is open.")
    if adjustment_facts(pairwise.adjustment).false_discoveries:
        what = f"adjustment={pairwise.adjustment!r} controls the false discovery rate"
        raise ValueError(f"{what}; ranks need the family-wise error, as by 'holm'.")
    first, second = pairwise.ends
    significant = pairwise.adjusted_pvalues < alpha_of(confidence_level)  # nan is not
    ahead = np.where(significant, pairwise.outcomes.numbers("direction"), 0.0)
    k = len(pairwise.names)
    behind = np.append(second[ahead > 0], first[ahead < 0])
    before = np.append(first[ahead > 0], second[ahead < 0])
    n_better, n_worse = (np.bincount(each, minlength=k) for each in (behind, before))
    return _intervals(pairwise.names, 1 + n_better, k - n_worse)


def _intervals(names: Sequence[str], low: Any, high: Any) -> dict[str, RankInterval]:
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return {name: RankInterval(*each) for name, each in zip(names, ends, strict=True)}


@dataclass(frozen=True, kw_only=True, eq=False)
class RankStability(Stored):
    """How the ranks of systems move under resampling, and without parts of the units.

    Attributes
    ----------
    names : tuple of str
        The systems.
    unit : str
        What was resampled.
    counts : ndarray of int, of shape (n_systems, n_systems)
        How many resamples gave a system (row) the rank 1, 2, ... (column). Systems with the
        same score share the best rank of them.
    n_resamples, seed : int
        Number and seed of the resamples.
    parts : tuple of str
        Parts of the units, such as tasks, each of which was left out once; maybe none.
    without : ndarray of int, of shape (n_parts, n_systems)
        Ranks without each part.
    """

    names: tuple[str, ...]
    unit: str
    counts: NDArray[np.int64]
    n_resamples: int
    seed: int
    parts: tuple[str, ...] = ()
    without: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name in ("counts", "without"):  # read from JSON they are lists of floats
            table = np.asarray(getattr(self, name), dtype=np.int64)
            object.__setattr__(self, name, table.reshape(-1, len(self.names)))

    @cached_property
    def first(self) -> dict[str, float]:
        """Share of the resamples in which a system was first, maybe together with others."""
        shares = self.counts[:, 0] / self.n_resamples
        return dict(zip(self.names, shares.tolist(), strict=True))

    def resampled(self, share: float = 0.95) -> dict[str, RankInterval]:
        """Return the ranks that the middle resamples gave.

        They say how firmly these scores fix the order, and are no confidence intervals: where
        scores are close the ranks of resamples follow the order that was observed.

        Parameters
        ----------
        share : float, default=0.95
            Share of the resamples, as many being left out on both sides.

        Returns
        -------
        dict of str to RankInterval
            The lowest and the highest of these ranks.
        """
        check_level(share)
        below = np.cumsum(self.counts, axis=1)
        cut = self.n_resamples * (1 - share) / 2
        low = 1 + np.argmax(below > cut, axis=1)
        high = 1 + np.argmax(below >= self.n_resamples - cut, axis=1)
        return _intervals(self.names, low, high)

    @cached_property
    def without_one(self) -> dict[str, RankInterval]:
        """Lowest and highest rank of every system without any one part; empty without parts."""
        if not self.parts:
            return {}
        return _intervals(self.names, self.without.min(axis=0), self.without.max(axis=0))

    def __repr__(self) -> str:
        parts = f", without each of {len(self.parts)} parts" if self.parts else ""
        return (
            f"<RankStability of {len(self.names)} systems in {self.n_resamples} resamples of "
            f"the {unit_word(self.unit)}s{parts}>"
        )


@procedure(references=(EFRON_TIBSHIRANI_1993,))
def rank_stability(
    table: ScoreTable,
    *,
    parts: ArrayLike | None = None,
    equal_parts: bool = False,
    n_resamples: int = DEFAULT_RESAMPLES,
    rng: int | np.random.Generator | None = None,
) -> RankStability:
    """Resample the units of a table, leave parts of them out, and rank the systems each time.

    All systems are scored on the same bootstrap resample [1]_, so that what makes a unit hard
    for all of them moves no rank.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units, which are independent of each other.
    parts : array-like of shape (n_units,), optional
        The part that every unit belongs to, such as the task of a question; of a
        table with `groups` that of every instance. The ranks are found again without
        each part.
    equal_parts : bool, default=False
        Whether a system's score is the mean of its means of the parts, so that every part
        counts the same, instead of every unit. Resamples then keep the sizes of the parts.
    n_resamples : int, default=9999
        Bootstrap resamples.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    RankStability
        Counts of the ranks in the resamples, and the ranks without each part.

    Raises
    ------
    ValueError
        If the units are splits of one data set or stand in time order, scores are missing,
        there are fewer than two units, or `parts` does not fit to them.

    See Also
    --------
    rank_intervals : Ranks that every system may have, at a confidence level.

    References
    ----------
    .. [1] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap.
       Chapman & Hall.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import ScoreTable, rank_stability
    >>> rng = np.random.default_rng(0)
    >>> right = rng.random((400, 3)) < [0.8, 0.78, 0.5]
    >>> table = ScoreTable(right.astype(float), systems=["a", "b", "c"], unit="instance")
    >>> found = rank_stability(table, parts=["x", "y"] * 200, rng=0)
    >>> found.resampled()["c"], found.without_one["c"]
    (RankInterval(low=3, high=3), RankInterval(low=3, high=3))
    """
    check_independent(table, "rank_stability")
    check_complete(table, "rank_stability")
    check_count("n_resamples", n_resamples)
    if table.ordered:
        raise ValueError("units stand in time order: resamples would tear neighbours apart.")
    check_enough_units(table, _FEWEST, "rank_stability")
    if equal_parts and parts is None:
        raise ValueError("equal_parts=True needs parts: the part of every unit.")
    if equal_parts and table.groups is not None:
        raise ValueError("equal_parts=True is not for groups of instances.")
    seed, k = draw_seed(rng), table.n_systems
    plan, terms = plan_of_rows(with_all_digits(table.scores))
    # A part is one of instances, also where the units that are drawn are groups of them.
    instances = with_all_digits(table.instances)
    labels: tuple[str, ...] = ()
    without = np.empty((0, k), dtype=np.int64)
    if parts is not None:
        labels, member = numbered_parts(parts, len(instances))
        if equal_parts:
            instances = instances / np.bincount(member)[member, None]
            plan, terms = UnitPlan(len(instances), strata=member), instances
        left = [instances[member != part].mean(axis=0) for part in range(len(labels))]
        without = places_of(np.array(left))
    counts, system = np.zeros(k * k, dtype=np.int64), k * np.arange(k)
    for sums in resampled_sums(plan, terms, n_resamples, seed):
        counts += np.bincount((system + places_of(sums) - 1).ravel(), minlength=k * k)
    return RankStability(
        names=table.names,
        unit=str(table.unit),
        counts=counts,
        n_resamples=int(n_resamples),
        seed=seed,
        parts=labels,
        without=without,
    )


def can_be_resampled(sample: Any) -> bool:
    """Whether the rows of a sample are complete, and independent of each other."""
    if not isinstance(sample, ScoreTable) or sample.n_blocks is not None:
        return False
    independent = sample.unit != "split" and not sample.ordered
    return independent and sample.n_units >= _FEWEST and not sample.missing.any()


def places_of(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank the systems of every row: one more than how many score higher.

    Scores that differ by float noise only share a rank.
    """
    return tails.laws().rankdata(-levels(scores), method="min", axis=1).astype(np.int64)


def numbered_parts(parts: ArrayLike, n_units: int) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Name the parts, and give every unit the number of its part."""
    given = np.asarray(parts, dtype=object)
    if given.shape != (n_units,):
        raise ValueError(f"parts has shape {given.shape}, and there are {n_units} units.")
    values = [*map(str, given.tolist())]
    labels = tuple(dict.fromkeys(values))
    if len(labels) < _FEWEST:
        raise ValueError(f"all units belong to one part, {labels[0]!r}: none can be left out.")
    place = {label: number for number, label in enumerate(labels)}
    return labels, np.array([place[value] for value in values], dtype=np.intp)


def interval_of_mean(sample: Any, confidence_level: float) -> tuple[Numbers, Numbers] | None:
    """Return intervals of the mean scores of a table.

    Shares of right answers have Wilson's interval, which stays between 0 and 1 and has a width
    where all answers are right; other means have Student's t.

    Parameters
    ----------
    sample : ScoreTable or another sample
        The scores.
    confidence_level : float
        Level of each interval.

    Returns
    -------
    tuple of ndarray, or None
        Lower and upper limits; None of units that are not independent of each other, of
        scores that are missing, and of anything but a table.
    """
    if not can_be_resampled(sample):
        return None
    n = sample.n_units
    # Errors are wrong answers, counted below 0.
    for right in (1.0, -1.0) if sample.higher_is_better else (-1.0, 1.0):
        if sample.unit == "instance" and np.isin(sample.scores, (0.0, right)).all():
            counts = np.abs(sample.scores).sum(axis=0).astype(int).tolist()
            found = [proportion_interval(count, n, confidence_level) for count in counts]
            low, high = np.array(found).T
            return (low, high) if right > 0 else (-high, -low)
    mean, sd = sample.scores.mean(axis=0), sample.scores.std(axis=0, ddof=1)
    half = tails.t_isf(alpha_of(confidence_level) / 2, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half


def with_equal_parts(
    table: ScoreTable, parts: ArrayLike, n_resamples: int, seed: int
) -> tuple[ScoreTable, JointLaw]:
    """Return scores whose mean is that of the means of the parts, and the law of that mean.

    The score of unit i in part g is ``mean + c_g (x_i - mean_g)``, with the mean of the means
    of the G parts. ``c_g`` is n / (G n_g), times a factor near 1 for which the sample variance
    over n is that of the mean of means of fixed parts, ``sum_g s_g^2 / (G^2 n_g)``.

    The law is a multivariate t. A small part counts as much as a large one, so that its few
    units decide how well variances are known: the degrees of freedom are those of Welch and
    Satterthwaite, of the pair of systems that has the fewest.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same n units, which are independent of each other.
    parts : array-like of shape (n_units,)
        The part that every unit belongs to.
    n_resamples : int
        Draws from the law.
    seed : int
        Their seed.

    Returns
    -------
    scores : ScoreTable
        As many rows, in the same order.
    law : JointLaw
        The law; its standard errors are those of these scores.

    Raises
    ------
    ValueError
        If a part has one unit only: nothing shows how much another one would differ.
    """
    labels, member = numbered_parts(parts, table.n_units)
    sizes, n, scores = np.bincount(member), table.n_units, table.scores
    if (sizes < 2).any():
        alone = labels[int(np.argmax(sizes < 2))]
        instead = "leave it out, or let every unit count the same"
        raise ValueError(f"{alone!r} has one unit only, so that nothing varies: {instead}.")
    own = [scores[member == part] for part in range(len(sizes))]
    means = np.array([each.mean(axis=0) for each in own])
    weights = n / (len(sizes) * sizes) * np.sqrt(sizes / (sizes - 1)) * math.sqrt((n - 1) / n)
    values = means.mean(axis=0) + weights[member, None] * (scores - means[member])
    estimates, df = values.mean(axis=0), _degrees_of_freedom(own, sizes)
    root = ordered_root(values - estimates, estimates) / np.sqrt(n * (n - 1))
    law = JointLaw(
        estimates=estimates,
        errors=(Errors.drawn(root, df, n_resamples, seed),),
        root=root,
        resolution=RELATIVE_RESOLUTION * float(np.abs(values).max()) / np.sqrt(n),
        how="multivariate t",
        df=df,
        seed=seed,
    )
    given = values if table.higher_is_better else -values
    how: Any = {"unit": table.unit, "higher_is_better": table.higher_is_better}
    return ScoreTable(given, systems=table.systems, **how), law


def _degrees_of_freedom(scores: Sequence[Numbers], sizes: NDArray[np.int64]) -> float:
    """Return the least degrees of freedom of the differences of two systems, by part."""
    variances = []
    for own, size in zip(scores, sizes.tolist(), strict=True):
        covariance = np.cov(own, rowvar=False) / size
        alone = np.diag(covariance)
        variances.append(np.maximum(alone[:, None] + alone - 2 * covariance, 0.0))
    total = np.sum(variances, axis=0)
    unsure = np.sum(np.square(variances) / (sizes - 1)[:, None, None], axis=0)
    known = total > RELATIVE_RESOLUTION * max(1.0, float(total.max()))
    found = total[known] ** 2 / unsure[known]
    return float(found.min()) if found.size else float(sizes.sum() - len(sizes))
