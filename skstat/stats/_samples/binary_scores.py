"""Scores of instances of two classes, and the areas under their ROC curves."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import Known, Ordering, Written, aligned, group_codes, ordering_of
from skstat.stats._samples.noise import RELATIVE_RESOLUTION
from skstat.stats._samples.scores import Scores, places_of


@dataclass(frozen=True, eq=False, kw_only=True)
class BinaryScores(Written):
    """Areas under the ROC curves of systems that scored instances of two classes.

    :meth:`from_scores` makes them; the instances are not kept.

    Attributes
    ----------
    names : tuple of str
        The k systems.
    aucs, standard_errors : tuple of float
        Area under every system's ROC curve, and its standard error.
    difference_variances : tuple of tuple of float
        Variance of the difference of two areas, k times k. The covariance of two
        differences follows from three of them.
    n_positive, n_negative : int
        Number of instances of each class.
    n_groups : tuple of int or None
        Number of groups, of groups with a positive, of groups with a negative
        instance; None when the instances are independent.
    identical : bool
        Whether all systems order every positive and negative instance alike.

    Examples
    --------
    >>> from skstat.stats import BinaryScores
    >>> scores = {"tree": [1, 2, 2, 4], "svm": [1, 3, 2, 4]}
    >>> sample = BinaryScores.from_scores([0, 0, 1, 1], scores)
    >>> sample.names, sample.aucs
    (('tree', 'svm'), (0.875, 0.75))
    """

    made_by: ClassVar[str] = "BinaryScores.from_scores(y_true, {'a': scores_a, 'b': scores_b})"

    names: tuple[str, ...]
    aucs: tuple[float, ...]
    standard_errors: tuple[float, ...]
    difference_variances: tuple[tuple[float, ...], ...]
    n_positive: int
    n_negative: int
    n_groups: tuple[int, int, int] | None
    identical: bool

    @classmethod
    def from_scores(
        cls, y_true: Any, scores: Any, *, groups: Any = None, known: Known | None = None
    ) -> Self:
        """Look at the scores of two or more systems.

        Only the order of the scores counts, as it comes: probabilities, margins or
        ranks. Scores that differ by float noise are not tied.

        Parameters
        ----------
        y_true : array-like of shape (n_instances,)
            Whether every instance is positive: booleans or 0 and 1.
        scores : mapping or DataFrame of str to array-like, or array-like
            Scores of every system, higher for instances that are positive by its
            judgement. The columns of an array, of shape (n_instances, n_systems), are named
            A, B, C, ...
        groups : array-like of shape (n_instances,), optional
            Label of every instance's group, when instances come in groups.
        known : Known, optional
            What was found out about single systems for other samples; leave it out.

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
        columns, known = _columns(scores), known or Known()
        handed_in = {f"scores[{name!r}]": values for name, values in columns.items()}
        given = aligned({"y_true": y_true, **handed_in, "groups": groups})
        y = _positives(given["y_true"])
        placements = []
        for name, column in columns.items():
            own = _checked(name, given[f"scores[{name!r}]"])
            if len(own) != len(y):
                raise ValueError(
                    f"{name} has {len(own)} scores for {len(y)} instances in y_true."
                )
            # What is made of arrays that came is known to other samples with them.
            came = column if isinstance(column, np.ndarray) else own
            place = partial(_placements, y, known, came, own)
            placements.append(known.once("placements", place, column, y_true))
        classes = np.flatnonzero(y), np.flatnonzero(~y)
        codes = n_groups = None
        if groups is not None:
            codes = group_codes(given["groups"], len(y))
            of_positive, of_negative = (_n_labels(codes[of_class]) for of_class in classes)
            n_groups = _n_labels(codes), of_positive, of_negative
            if min(of_positive, of_negative) < 2:
                label = "positive" if of_positive < 2 else "negative"
                raise ValueError(
                    f"all {label} instances lie in one group: nothing shows how their scores "
                    "would vary with the group."
                )
        k, (m, n) = len(placements), map(len, classes)
        variances = np.zeros((k, k))
        for i, j in combinations(range(k), 2):
            apart = _variance(placements[i] - placements[j], classes, codes)
            variances[i, j] = variances[j, i] = apart
        return cls(
            names=tuple(columns),
            aucs=tuple(int(x.sum(where=y)) / (2 * m * n) for x in placements),
            standard_errors=tuple(math.sqrt(_variance(x, classes, codes)) for x in placements),
            difference_variances=tuple(tuple(row) for row in variances.tolist()),
            n_positive=m,
            n_negative=n,
            n_groups=n_groups,
            identical=all(np.array_equal(placements[0], x) for x in placements[1:]),
        )

    @property
    def unit(self) -> str:
        """What is independent of each other: instances, or groups of them."""
        return "instance" if self.n_groups is None else "group"

    @property
    def n_units(self) -> int:
        """Number of instances, or of groups."""
        return self.n_positive + self.n_negative if self.n_groups is None else self.n_groups[0]

    @property
    def sizes(self) -> tuple[int, int]:
        """Units with positive instances, and with negative ones."""
        if self.n_groups is None:
            return self.n_positive, self.n_negative
        return self.n_groups[1], self.n_groups[2]

    @property
    def covariance_to_first(self) -> NDArray[np.float64]:
        """Covariances of the differences of all areas to the first.

        By polarisation: it gives zero, not float noise, for two systems that are one.
        """
        variances = np.array(self.difference_variances)
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
        i, j = places_of(self.names, (a, b))
        if a == b:
            raise ValueError(f"{a!r} cannot be compared with itself.")
        apart = self.difference_variances[i][j]
        aucs = self.aucs[i], self.aucs[j]
        return replace(
            self,
            names=(a, b),
            aucs=aucs,
            standard_errors=(self.standard_errors[i], self.standard_errors[j]),
            difference_variances=((0.0, apart), (apart, 0.0)),
            identical=self.identical or (apart == 0 and aucs[0] == aucs[1]),
        )

    def summaries(self) -> list[dict[str, float | None]]:
        """Area of every system; an area has no standard deviation over instances."""
        return [{"mean": auc, "sd": None} for auc in self.aucs]


def _placements(
    y: NDArray[np.bool_], known: Known, came: Any, scores: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Count, twice, the instances of the other class on the right side of each one.

    Of a positive instance the negative ones that score lower, of a negative instance
    the positive ones that score higher; ties count half, hence the doubling. Divided
    by 2n and 2m these are the V10 and V01 of DeLong et al.; as whole numbers, equal
    placements stay equal and their sums are exact.
    """
    ranks, found = ordering_of(known, came).mid_ranks, np.empty(len(y), dtype=np.int64)
    for of_class in (y, ~y):  # of the mid-ranks those among the other class are left
        found[of_class] = 2 * (ranks[of_class] - Ordering(scores[of_class]).mid_ranks)
    found[~y] = 2 * int(y.sum()) - found[~y]
    return found


def _variance(
    placements: NDArray[np.int64],
    classes: tuple[NDArray[np.intp], NDArray[np.intp]],
    groups: NDArray[np.int64] | None,
) -> float:
    """Variance of an area, or of a difference of areas, from doubled placements.

    `classes` are the places of the positive and of the negative instances.
    """
    m, n = map(len, classes)
    sums = []
    for of_class, others in zip(classes, (n, m), strict=True):
        own = placements[of_class]
        residuals = own - own.mean()
        if groups is not None:
            codes = groups[of_class]
            residuals = np.bincount(codes, residuals, minlength=int(groups.max()) + 1)
        # What cancels within all groups must leave zero, not float noise.
        noise = RELATIVE_RESOLUTION * max(own.max(initial=0), -own.min(initial=0))
        residuals[np.abs(residuals) <= noise] = 0.0
        residuals /= 2 * others
        sums.append(residuals)
    if groups is None:
        (s10, s01) = (float(x @ x) for x in sums)
        return s10 / (m * (m - 1)) + s01 / (n * (n - 1))
    x, z = sums[0] / m, sums[1] / n
    return float(
        _unbiased(_n_labels(groups[classes[0]])) * (x @ x)
        + _unbiased(_n_labels(groups[classes[1]])) * (z @ z)
        + 2 * _unbiased(len(x)) * (x @ z)
    )


def _n_labels(codes: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(np.bincount(codes)))


def _unbiased(n: int) -> float:
    return n / (n - 1)


def _positives(y_true: ArrayLike) -> NDArray[np.bool_]:
    if np.ma.is_masked(y_true):
        raise ValueError("y_true has masked labels; every instance needs its class.")
    labels = np.asarray(y_true)
    if labels.ndim != 1:
        raise ValueError(f"y_true must be one-dimensional, got shape {labels.shape}.")
    ones, zeros = labels == 1, labels == 0
    strange = np.flatnonzero(~(ones | zeros))
    if strange.size:
        raise ValueError(
            f"y_true[{strange[0]}] is {labels[strange[0]]!r}: y_true says whether an "
            "instance is positive, by booleans or 0 and 1. Give y_true == positive_label."
        )
    positive = np.array(ones, dtype=bool)
    counts = {"positive": int(positive.sum()), "negative": int((~positive).sum())}
    for name, count in counts.items():
        if count == 0:
            raise ValueError(f"y_true has no {name} instance: an ROC curve needs both classes.")
        if count == 1:
            raise ValueError(
                f"y_true has a single {name} instance: DeLong's variance needs two or "
                "more of each class."
            )
    positive.setflags(write=False)
    return positive


def _columns(scores: Any) -> dict[str, Any]:
    if isinstance(scores, Mapping):
        columns = dict(scores)
    elif hasattr(scores, "columns"):
        columns = {name: scores[name] for name in scores.columns}
    else:
        table = np.asarray(scores)
        if table.ndim != 2 or table.shape[1] > 26:
            raise ValueError(
                "scores must map names to scores, or have one column for each of at most "
                f"26 systems; got shape {table.shape}."
            )
        columns = {chr(ord("A") + j): column for j, column in enumerate(table.T)}
    if len(columns) < 2:
        raise ValueError(f"scores needs two or more systems, got {len(columns)}.")
    return {str(name): values for name, values in columns.items()}


def _checked(name: str, values: ArrayLike) -> NDArray[np.float64]:
    try:
        return Scores(values, unit="instance").values
    except ValueError as error:
        raise ValueError(f"scores of {name}: {error}") from error
