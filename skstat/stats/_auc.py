"""Areas under ROC curves of systems that scored the same instances, and DeLong's test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _chance as tails
from skstat.stats._family import Comparison, Student
from skstat.stats._ordering import RELATIVE_RESOLUTION, Ordering
from skstat.stats._pairwise import OmnibusOutcome, omnibus_pvalue
from skstat.stats._procedure import procedure, works
from skstat.stats._read import codes_of, rows_together
from skstat.stats._scores import indices_of, numbers
from skstat.stats._stored import Numbers, Written
from skstat.stats._t_tests import check_enough_groups
from skstat.stats._words import ConfidenceInterval, by_logit, check_level, null_relation

_TESTS = {
    "instance": ("DeLong test", (works.DELONG_ET_AL_1988, works.SUN_XU_2014)),
    "group": (
        "DeLong test with Obuchowski's clustered variance",
        (works.DELONG_ET_AL_1988, works.OBUCHOWSKI_1997),
    ),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class BinaryScores(Written):
    """Areas under the ROC curves of systems that scored instances of two classes.

    :meth:`from_scores` makes them; the instances are not kept.

    Attributes
    ----------
    names : tuple of str
        The k systems.
    aucs, standard_errors : ndarray of shape (k,)
        Area under every system's ROC curve, and its standard error.
    difference_variances : ndarray of shape (k, k)
        Variance of the difference of two areas. The covariance of two
        differences follows from three of them.
    unit : str
        What is independent of each other: ``"instance"``, or ``"group"``.
    n_units : int
        Number of instances, or of groups.
    sizes : tuple of int
        Units with positive instances, and with negative ones.

    Examples
    --------
    >>> from skstat.stats import BinaryScores
    >>> scores = {"tree": [1, 2, 2, 4], "svm": [1, 3, 2, 4]}
    >>> sample = BinaryScores.from_scores([0, 0, 1, 1], scores)
    >>> sample.names, sample.aucs
    (('tree', 'svm'), array([0.875, 0.75 ]))
    """

    example: ClassVar[str] = "BinaryScores.from_scores(y_true, {'a': scores_a, 'b': scores_b})"

    names: tuple[str, ...]
    aucs: Numbers
    standard_errors: Numbers
    difference_variances: Numbers
    unit: str
    n_units: int
    sizes: tuple[int, int]

    @classmethod
    def from_scores(cls, y_true: Any, scores: Any, *, groups: Any = None) -> Self:
        """Compute the areas of two or more systems from their scores.

        Only the order of the scores counts, as it comes: probabilities, margins or
        ranks. Scores that differ by float noise are not tied.

        Parameters
        ----------
        y_true : array-like of shape (n_instances,)
            Whether every instance is positive: booleans or 0 and 1.
        scores : mapping or DataFrame of str to array-like
            Scores of every system, higher for instances that are positive by its
            judgement.
        groups : array-like of shape (n_instances,), optional
            Label of every instance's group, when instances come in groups.

        Returns
        -------
        BinaryScores
            The areas, their variances and those of all differences of two areas.

        Raises
        ------
        ValueError
            If a class has fewer than two instances (or lies in one group), a score is
            not finite, or the lengths differ.
        """
        if not hasattr(scores, "items") or len(scores.keys()) < 2:
            raise ValueError("scores must map names of two or more systems to their scores.")
        truth, outputs, others = rows_together(y_true, dict(scores.items()), {"groups": groups})
        y = _positives(truth)
        arrays = [numbers(f"scores of {name}", values) for name, values in outputs.items()]
        placements = [_placements(y, array) for array in arrays]
        classes = np.flatnonzero(y), np.flatnonzero(~y)
        n_units, sizes, codes = len(y), [*map(len, classes)], None
        if others["groups"] is not None:
            group_codes = codes_of(others["groups"], "groups")
            codes = [group_codes[rows] for rows in classes]
            n_units, *sizes = (len(np.unique(part)) for part in (group_codes, *codes))
            if min(sizes) < 2:
                label = "positive" if sizes[0] < 2 else "negative"
                raise ValueError(f"all {label} instances are in one group; give two or more.")
            check_enough_groups(n_units, "DeLong's test")
        by_class = [np.array([counts[rows] for counts in placements]) for rows in classes]
        variances = partial(_variances, codes=codes, n_units=n_units, sizes=sizes)
        pair_variances = np.zeros((len(placements), len(placements)))
        for j in range(1, len(placements)):
            pair_variances[j, :j] = variances([counts[:j] - counts[j] for counts in by_class])
        pair_variances += pair_variances.T
        return cls(
            names=tuple(outputs),
            aucs=by_class[0].sum(axis=1) / (2 * len(classes[0]) * len(classes[1])),
            standard_errors=np.sqrt(variances(by_class)),
            difference_variances=pair_variances,
            unit="instance" if codes is None else "group",
            n_units=n_units,
            sizes=(sizes[0], sizes[1]),
        )

    @property
    def identical(self) -> bool:
        """Whether all areas are the same, and their differences have no variance."""
        return not (np.ptp(self.aucs) or self.difference_variances.any())

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for the variances."""
        positives, negatives = self.sizes
        independent = "the instances are independent of each other"
        counts = f"{positives} positive and {negatives} negative instances"
        if self.unit == "group":
            independent = (
                "the groups are independent of each other; instances within a group may "
                "depend on each other in any way"
            )
            counts = f"{positives} groups with positives and {negatives} with negatives"
        areas = f"the areas over {counts} are close to normal"
        return independent, "no system was trained on these instances", areas

    @property
    def covariance_to_first(self) -> Numbers:
        """Covariances of the differences of all areas to the first.

        By polarisation: it gives zero, not float noise, for two systems that are one.
        """
        variances = self.difference_variances
        return np.asarray((variances[0][:, None] + variances[0] - variances) / 2)

    def pair(self, a: str, b: str) -> Self:
        """Take two of the systems.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        BinaryScores
            The sample of A and B.
        """
        indices = [*indices_of(self.names, (a, b))]
        if a == b:
            raise ValueError(f"{a!r} cannot be compared with itself.")
        return replace(
            self,
            names=(a, b),
            aucs=self.aucs[indices],
            standard_errors=self.standard_errors[indices],
            difference_variances=self.difference_variances[np.ix_(indices, indices)],
        )

    def summaries(self) -> list[dict[str, float | None]]:
        """Area of every system; an area has no standard deviation over instances."""
        return [{"mean": auc, "sd": None} for auc in self.aucs.tolist()]


def _placements(y: NDArray[np.bool_], scores: Numbers) -> Numbers:
    """Return twice the number of instances of the other class that each one beats.

    For a positive instance these are the negative ones that score lower, for a negative
    instance the positive ones that score higher; ties count half, hence the doubling. Divided
    by 2n and 2m these are the V10 and V01 of DeLong et al.; as whole numbers, equal
    placements stay equal and their sums are exact.
    """
    order, counts = Ordering(scores), np.empty(len(y))
    positive, sizes = y[order.rising], order.sizes
    # One sort is enough: only the numbers of both classes in each run of ties matter.
    positives = np.add.reduceat(positive, np.cumsum(sizes) - sizes, dtype=np.intp)
    below = 2 * np.cumsum(sizes - positives) - (sizes - positives)
    above = 2 * (y.sum() - np.cumsum(positives)) + positives
    counts[order.rising] = np.where(positive, np.repeat(below, sizes), np.repeat(above, sizes))
    return counts


def _variances(
    placements: Sequence[Numbers],
    codes: Sequence[NDArray[np.int64]] | None,
    n_units: int,
    sizes: Sequence[int],
) -> Numbers:
    """Return variances of areas, or of differences of areas (Obuchowski's of groups).

    `placements` are those of the positive and of the negative instances, a row for each
    area, and `codes` their groups.
    """
    n_pairs = placements[0].shape[1] * placements[1].shape[1]
    if codes is None:
        total = sum(v.shape[1] * v.var(axis=1, ddof=1) for v in placements)
        return np.asarray(total) / (2 * n_pairs) ** 2
    sums = []
    for v, group_codes in zip(placements, codes, strict=True):
        parts = v - v.mean(axis=1, keepdims=True)
        parts = np.array([np.bincount(group_codes, row, n_units) for row in parts])
        # Terms that cancel within every group must leave zero, not float noise.
        parts[np.abs(parts) <= RELATIVE_RESOLUTION * np.abs(v).max(axis=1, keepdims=True)] = 0
        sums.append(parts / (2 * n_pairs))
    x, z = sums
    squares = [np.einsum("ij,ij->i", *both) for both in ((x, x), (z, z), (x, z))]
    unbiased = [n / (n - 1) for n in (*sizes, n_units)]
    return unbiased[0] * squares[0] + unbiased[1] * squares[1] + 2 * unbiased[2] * squares[2]


def _positives(labels: NDArray[Any]) -> NDArray[np.bool_]:
    if labels.ndim != 1:
        raise ValueError(f"y_true must be one-dimensional, got shape {labels.shape}.")
    positive = np.asarray(labels == 1, dtype=bool)
    strange = np.flatnonzero(~positive & (labels != 0))
    if strange.size:
        raise ValueError(f"y_true[{strange[0]}] is not 0 or 1; give y_true == positive_label.")
    for name, n in (("positive", positive.sum()), ("negative", (~positive).sum())):
        if n < 2:
            raise ValueError(f"DeLong's test needs two {name} instances, and y_true has {n}.")
    return positive


@dataclass(frozen=True, kw_only=True, eq=False)
class Areas(Student):
    """The normal law of a difference of two areas, and both of them.

    `sizes` are the numbers of independent positive and negative units.
    """

    _ordered = ("aucs", "auc_errors")

    aucs: tuple[float, ...]
    auc_errors: tuple[float, ...]
    sizes: tuple[int, int]

    def without_variance(self, unit: str) -> str:
        return (
            "both order the rows by their class alone, rightly, wrongly or not at all, so that "
            "no area varies"
        )

    def auc_intervals(
        self, confidence_level: float = 0.95
    ) -> tuple[ConfidenceInterval, ConfidenceInterval]:
        """Return two-sided intervals for the areas of A and of B, inside [0, 1].

        Symmetric on the logit scale [1]_. An area without variance
        (every positive above every negative instance) has no such interval; it gets
        the score interval of [2]_, method 5, from the numbers of instances or groups.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.

        Returns
        -------
        tuple of ConfidenceInterval
            The interval of A and that of B.

        References
        ----------
        .. [1] Pepe, M. S. (2003). The Statistical Evaluation of Medical Tests for
           Classification and Prediction. Oxford University Press.
        .. [2] Newcombe, R. G. (2006). Confidence intervals for an effect size measure
           based on the Mann-Whitney statistic. Part 2. Statistics in Medicine, 25(4),
           559-573. :doi:`10.1002/sim.2324`
        """
        check_level(confidence_level)
        z = float(tails.normal_isf((1 - confidence_level) / 2))
        a, b = (
            ConfidenceInterval(*by_logit(auc, z * error, 0.0, 1.0))
            if error
            else _score_interval(auc, self.sizes, z)
            for auc, error in zip(self.aucs, self.auc_errors, strict=True)
        )
        return a, b


@procedure(title="DeLong's test", when="ROC AUC", references=_TESTS["instance"][1])
def delong(sample: BinaryScores, *, alternative: str = "two-sided") -> Comparison:
    """Compare two areas under ROC curves on the same instances (DeLong et al., 1988).

    The variance of the difference of the areas is that of a U statistic [1]_:
    ``s10^2 / m + s01^2 / n`` with the variances, over the m positive and the n
    negative instances, of the difference of their placements; ties count one half.
    The placements come from mid-ranks in O(n log n) [2]_. In groups, placements are
    summed by group, with the covariance of the sums over positive and negative
    instances of one group [3]_.

    Parameters
    ----------
    sample : BinaryScores
        Scores of two systems for instances of two classes.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A has the larger area.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is AUC(A) - AUC(B). Without variance, as
        between one perfect and one perfectly wrong system, there is neither a p-value nor
        an interval (nan), however clear the difference: nan is neither below nor above any
        level. :func:`paired_permutation` has a p-value in this case.

    Raises
    ------
    ValueError
        If there are more than two systems, or fewer than six groups.

    See Also
    --------
    delong_wald : Several systems at once.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the
       areas under two or more correlated receiver operating characteristic curves: a
       nonparametric approach. Biometrics, 44(3), 837-845. :doi:`10.2307/2531595`
    .. [2] Sun, X. & Xu, W. (2014). Fast implementation of DeLong's algorithm for
       comparing the areas under correlated receiver operating characteristic curves.
       IEEE Signal Processing Letters, 21(11), 1389-1393.
       :doi:`10.1109/LSP.2014.2337313`
    .. [3] Obuchowski, N. A. (1997). Nonparametric analysis of clustered ROC curve data.
       Biometrics, 53(2), 567-578. :doi:`10.2307/2533958`

    Examples
    --------
    >>> from skstat.stats import BinaryScores, delong
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.4, 0.5, 0.7, 0.8, 0.9, 0.6]
    >>> b = [0.3, 0.2, 0.8, 0.6, 0.1, 0.5, 0.4, 0.8, 0.9, 0.7]
    >>> outcome = delong(BinaryScores.from_scores(y, {"a": a, "b": b}))
    >>> outcome.law.aucs, round(outcome.statistic, 3), round(outcome.pvalue, 3)
    ((0.94, 0.78), 1.05, 0.294)
    """
    if len(sample.names) != 2:
        raise ValueError("delong compares two systems; take sample.pair(a, b), or delong_wald.")
    a, b = aucs = tuple(sample.aucs.tolist())
    test, references = _TESTS[sample.unit]
    where = "over instances, for these two fitted systems"
    inside = min(a, b) > 0 and max(a, b) < 1
    normal = math.sqrt(2) * float(special.ndtri(a) - special.ndtri(b)) if inside else math.nan
    return Comparison(
        test=test,
        estimand=f"AUC(A) - AUC(B) {where}",
        null_hypothesis="the area under the ROC curve of A "
        f"{null_relation(alternative)} that of B, {where}",
        alternative=alternative,
        assumptions=sample.assumptions,
        effect_sizes={
            "Gini coefficient A - B": 2 * (a - b),
            "binormal d' A - B": 0.0 if a == b else normal,
        },
        law=Areas(
            estimate=a - b,
            standard_error=math.sqrt(sample.difference_variances[0, 1]),
            aucs=aucs,
            auc_errors=tuple(sample.standard_errors.tolist()),
            sizes=sample.sizes,
        ),
        references=references,
    )


@procedure(title="the Wald test of all areas", references=(works.DELONG_ET_AL_1988,))
def delong_wald(sample: BinaryScores) -> OmnibusOutcome:
    """Compare the areas under the ROC curves of several systems at once.

    Wald's statistic of all differences of areas, chi-squared with as many degrees of
    freedom as their covariance matrix has rank [1]_: systems that order
    all instances alike count once. For two systems it is the square of the statistic
    of :func:`delong`.

    Parameters
    ----------
    sample : BinaryScores
        Scores of two or more systems for instances of two classes.

    Returns
    -------
    OmnibusOutcome
        The test's numbers. The p-value is nan if areas differ that have no variance.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the
       areas under two or more correlated receiver operating characteristic curves: a
       nonparametric approach. Biometrics, 44(3), 837-845. :doi:`10.2307/2531595`

    Examples
    --------
    >>> from skstat.stats import BinaryScores, delong_wald
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.4, 0.5, 0.7, 0.8, 0.9, 0.6]
    >>> b = [0.3, 0.2, 0.8, 0.6, 0.1, 0.5, 0.4, 0.8, 0.9, 0.7]
    >>> c = [0.1, 0.5, 0.4, 0.7, 0.2, 0.3, 0.6, 0.9, 0.8, 0.4]
    >>> outcome = delong_wald(BinaryScores.from_scores(y, {"a": a, "b": b, "c": c}))
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 3)
    (2.974, 2, 0.226)
    """
    k, covariance = len(sample.names), sample.covariance_to_first[1:, 1:]
    scale = np.sqrt(np.where(np.diag(covariance) > 0, np.diag(covariance), 1.0))
    eigenvalues, eigenvectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    along = eigenvectors.T @ ((sample.aucs[1:] - sample.aucs[0]) / scale)
    kept = eigenvalues > RELATIVE_RESOLUTION * k
    rank, statistic = int(kept.sum()), float(np.sum(along[kept] ** 2 / eigenvalues[kept]))
    pvalue = omnibus_pvalue(statistic, rank) if rank else 1.0
    if np.any(np.abs(along[~kept]) > RELATIVE_RESOLUTION):  # areas differ without a variance
        statistic, pvalue = math.inf, math.nan
    where = f"over instances, for these {k} fitted systems"
    return OmnibusOutcome(
        test=f"{_TESTS[sample.unit][0]}, all systems at once (Wald)",
        estimand=f"the areas under the ROC curves, {where}",
        null_hypothesis=f"all areas under the ROC curves are equal, {where}",
        statistic=statistic,
        pvalue=pvalue,
        names=sample.names,
        n_units=sample.n_units,
        statistic_name="chi2",
        df=rank,
        assumptions=sample.assumptions,
        effect_sizes={"range of areas": float(np.ptp(sample.aucs))},
    )


def _score_interval(auc: float, sizes: tuple[int, int], z: float) -> ConfidenceInterval:
    """Return the areas t with abs(auc - t) <= z sqrt(V(t)), V as of exponential scores."""
    m, n = sizes
    n_others = (m + n) / 2 - 1

    def excess(t: float) -> float:
        spread = 1 + n_others * ((1 - t) / (2 - t) + t / (1 + t))
        return (auc - t) ** 2 - z**2 * t * (1 - t) * spread / (m * n)

    step = 1e-12  # an area of 0 or 1 is itself a root; the limit is the other one
    low = tails.root_between(excess, 0.0, auc - step) if auc > 0 else 0.0
    high = tails.root_between(excess, auc + step, 1.0) if auc < 1 else 1.0
    return ConfidenceInterval(low, high)
