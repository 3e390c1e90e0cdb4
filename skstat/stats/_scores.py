"""Samples of scores, which procedures take: of one system, and of two."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._ordering import are_exact, noise_by_unit, resolution_of_rows, signed_ranks
from skstat.stats._procedure import check_choice
from skstat.stats._read import aligned, group_codes, of_usable_size, read_numbers, shown
from skstat.stats._row_contributions import (
    ProjectionVariance,
    RowContributions,
    effective_number,
)
from skstat.stats._stored import Numbers, Written

Unit = Literal["split", "instance", "group", "seed", "dataset"]
Compute = Callable[[Numbers, Numbers], tuple[Any, ...]]
UNITS: tuple[str, ...] = get_args(Unit)
_CHOICES = " | ".join(map(repr, UNITS))
# Facts about the units that samples store, after the scores.
FACTS_OF_UNITS = (
    *("unit", "n_train", "n_test", "n_repeats", "size_unit", "ordered"),
    *("n_blocks", "n_items"),
)

FEWEST_BLOCKS = 3
FEWEST_REPEATS = 3
# With fewer groups neither the t law of the clustered variance nor the 2^G sign patterns can
# support a verdict at 5 %. Their number counts, whatever their sizes are: unequal sizes lower
# the degrees of freedom, and raise a doubt.
MIN_GROUPS = 6
# Facts about scores that only one procedure can use, and its name.
_ONLY_TEST = {"n_blocks": "block_jackknife_t", "n_items": "strength_t", "groups": "clustered_t"}


class DependenceWarning(UserWarning):
    """A test that needs independent units was given overlapping splits."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Resampled(Written):
    """Base of samples: facts about the units that scores were computed on."""

    unit: Unit | None = None
    n_train: Any = None
    n_test: Any = None
    n_repeats: int | None = None
    size_unit: Literal["row", "group"] = "row"
    ordered: bool = False
    n_blocks: Any = None
    n_items: int | None = None
    groups: Any = field(default=None, repr=False)
    rows: Any = field(default=None, repr=False)
    # Each system has a score per unit, or per instance in groups, which are then the units.
    n_systems: int = field(init=False, repr=False)
    n_instances: int = field(init=False, repr=False)
    n_units: int = field(init=False, repr=False)

    @property
    def columns(self) -> Sequence[Numbers] | Numbers:
        """Scores of every system as given, but higher is better."""
        raise NotImplementedError

    @property
    def n_effective(self) -> float:
        """Effective number of groups: that of equally large groups of the same weight."""
        return effective_groups(self.groups)

    @property
    def only_test(self) -> str:
        """Name of the only procedure that can use such scores; empty for ordinary ones."""
        only = [test for fact, test in _ONLY_TEST.items() if getattr(self, fact) is not None]
        return only[0] if only else ""

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of the scores of every system."""
        result = list(map(summary_of, self.columns))
        # The contributions of single items to a strength have no meaningful spread.
        return result if self.n_items is None else [each | {"sd": None} for each in result]

    def _check_units(self) -> None:
        put, columns = object.__setattr__, self.columns
        n = len(columns[0])
        has_sizes = not (self.n_train is self.n_test is self.n_repeats is None)
        vars(self).update(n_systems=len(columns), n_instances=n, n_units=n)
        if self.groups is not None:
            if self.unit not in (None, "group") or self.ordered:
                what = "ordered=True" if self.ordered else f"unit={self.unit!r}"
                raise ValueError(f"the units are the groups of instances; {what} does not fit.")
            codes = group_codes(self.groups, n)
            vars(self).update(unit="group", groups=codes, n_units=int(codes.max()) + 1)
        if self.unit is None:
            if self.n_blocks is None and not has_sizes:
                raise ValueError(
                    "unit is missing: a table of folds and a table of data sets look "
                    f"alike and need different tests. Say which: unit={_CHOICES}."
                )
            put(self, "unit", "split")
        check_choice("unit", self.unit, UNITS)
        check_choice("size_unit", self.size_unit, ("row", "group"))
        check_choice("ordered", self.ordered, (True, False))
        if self.unit != "split" and has_sizes:
            raise ValueError(f"n_train, n_test, n_repeats are of splits, not of {self.unit}s.")
        if (self.n_train is None) != (self.n_test is None):
            raise ValueError("n_train and n_test go together; one of them is missing.")
        for name in ("n_blocks", "n_items", "n_repeats", "n_train", "n_test"):
            if (given := getattr(self, name)) is not None:
                sizes = name in ("n_train", "n_test")
                put(self, name, _sizes(name, given, n) if sizes else check_count(name, given))
        if self.n_items is not None and self.groups is None:
            put(self, "n_units", self.n_items)
        repeats = self.n_repeats
        if repeats is not None and (n % repeats or n < 2 * repeats):
            raise ValueError(
                f"n_repeats={repeats} does not divide {n} scores into repeats of K >= 2 folds. "
                "It counts full partitions; leave it out for random splits."
            )
        plain_splits = self.unit == "split" and self.n_repeats is None and not self.ordered
        k = self.n_blocks
        if k and not (plain_splits and k >= FEWEST_BLOCKS and k * (k - 1) == self.n_units):
            raise ValueError(
                f"n_blocks={k} does not fit {self.n_units} scores: K blocks have K (K - 1), "
                "in no order and without repeats. PairedScores.from_matrices makes it."
            )
        if (rows := self.rows) is not None:
            if not isinstance(rows, RowContributions):
                raise TypeError(f"rows must be RowContributions, got {type(rows).__name__}.")
            shape = (rows.n_repeats, rows.n_folds, rows.values.shape[2])
            expected = (self.n_repeats, self.n_folds, self.n_systems)
            if shape != expected:
                raise ValueError(
                    f"rows are of {shape} repeats, folds and systems, scores of {expected}."
                )

    @property
    def projects(self) -> bool:
        """Whether there are contributions of rows in enough repeated partitions."""
        return self.rows is not None and self.rows.measured.n_repeats >= FEWEST_REPEATS

    @property
    def parts(self) -> ProjectionVariance:
        """Variance of the mean, or of the mean difference, in two parts; needs `rows`."""
        return cast(ProjectionVariance, self.rows.variance)

    @property
    def df(self) -> float:
        """Degrees of freedom of the rows that the variance is estimated from."""
        return self.rows.measured.df

    @property
    def n_folds(self) -> int | None:
        """Folds of each partition; None when the splits are not partitions."""
        return None if self.n_repeats is None else self.n_units // self.n_repeats

    @property
    def test_train_ratio(self) -> float | None:
        """Total test size over total training size of the splits, if known."""
        if self.n_train is not None and self.n_test is not None:
            return float(np.sum(self.n_test) / np.sum(self.n_train))
        if self.n_folds is not None:
            return 1 / (self.n_folds - 1)
        return None if self.n_blocks is None else 1 / (self.n_blocks - 2)

    @property
    def training_size(self) -> float | None:
        """Mean training size, counted in `size_unit`; None when unknown."""
        return None if self.n_train is None else float(np.mean(self.n_train))

    @property
    def training(self) -> str:
        """The training sets that the scores hold for, in words."""
        mean = self.training_size
        size = "the size used here" if mean is None else f"{mean:.0f} {self.size_unit}s"
        if self.n_blocks is not None:
            blocks = f"{self.n_blocks - 2} of {self.n_blocks} blocks"
            size = f"{blocks} of the rows" if mean is None else f"{size} ({blocks})"
        elif mean is None:
            return f"for training sets of {size}"
        elif self.rows is not None and self.rows.halves is not None:
            total = mean + float(np.mean(self.n_test))
            size += f" ({100 * mean / total:.0f}% of {total:.0f})"
        shares = "with these class shares" if self.same_class_shares else ""
        return f"for training sets of {size} {shares or 'from the same population'}"

    @property
    def same_class_shares(self) -> bool:
        """Whether all splits are known to hold the same share of every class."""
        return self.rows is not None and self.rows.strata is not None


class _Lazy:
    """Descriptor of a statistic of differences; the first access computes all of them."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, sample: Any, owner: type) -> Any:
        if sample is None:
            return self
        vars(sample).update(zip(_FACTS, sample.each(_facts_of), strict=True))
        return vars(sample)[self.name]


_FACTS = ("mean", "spread", "share_won", "rank_biserial", "n_equal", "identical")


class Compared(Resampled):
    """Base of samples of differences, of two systems or, with arrays, of many pairs.

    Attributes
    ----------
    mean : float or ndarray
        Mean difference.
    spread : float or ndarray
        Standard deviation of the differences; 0 where they vary by float noise alone.
    share_won : float or ndarray
        Share of units on which A scores higher, equal scores counted half.
    rank_biserial : float or ndarray
        (R+ - R-)/(R+ + R-) of the signed ranks, ties counted half; 0 without a difference.
        D. S. Kerby (2014), The simple difference formula.
    n_equal : int or ndarray
        Number of units with equal scores.
    identical : bool or ndarray
        Whether A and B score the same on every unit.
    """

    mean, spread, share_won = _Lazy(), _Lazy(), _Lazy()
    rank_biserial, n_equal, identical = _Lazy(), _Lazy(), _Lazy()

    def each(self, compute: Compute) -> tuple[Any, ...]:
        """Apply a function of differences and their noise, a row per pair, to every pair."""
        raise NotImplementedError


def _facts_of(differences: Numbers, noise: Numbers) -> tuple[Any, ...]:
    n_pairs, n = differences.shape
    spread = np.std(differences, axis=1, ddof=1) if n > 1 else np.zeros(n_pairs)
    ranks = signed_ranks(differences, noise)
    total = np.abs(ranks).sum(axis=1)
    return (
        np.mean(differences, axis=1),
        np.where(spread > resolution_of_rows(differences, noise), spread, 0.0),
        np.mean((np.sign(differences) + 1) / 2, axis=1),
        ranks.sum(axis=1) / np.where(total > 0, total, 1.0),
        np.count_nonzero(differences == 0, axis=1),
        ~differences.any(axis=1),
    )


@dataclass(frozen=True, eq=False)
class PairedScores(Compared):
    """Scores of two systems A and B on the same units.

    Parameters
    ----------
    a, b : array-like of shape (n_units,)
        Scores of A and of B, in the same order of units, or with the same labels in a
        pandas index or as keys of a mapping; higher is better.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one row is; a group is a cluster of instances (a document, a user).
        Required unless the sizes below imply ``"split"``.
    n_train, n_test : int or array-like of shape (n_units,), optional
        Training and test size of every split, in `size_unit`.
    n_repeats : int, optional
        Number of complete partitions of the data that the splits form, stored
        one after the other: 1 for a K-fold cross-validation, 10 for 10x10. None
        for random splits.
    size_unit : {"row", "group"}, default="row"
        What `n_train` and `n_test` count.
    ordered : bool, default=False
        Whether time orders the units: every training set lies before its test set,
        or the instances stand in time order.
    n_blocks : int, optional
        Number K of the blocks of rows that were left out in pairs, as :meth:`from_matrices`
        explains.
    rows : RowContributions, optional
        What every row contributed to the scores of repeated partitions, of A and of B: see
        :meth:`from_row_scores`.
    n_items : int, optional
        Number of items behind strengths that are a summary of them: see :func:`strength_table`.
    groups : array-like of shape (n_units,), optional
        Label of the group of every score: any hashable values. The scores are then those of
        instances, and the units are the groups.
    variance : ProjectionVariance, optional
        Variance of the mean difference, where it was estimated together with other systems; by
        default it is estimated from these two.
    constant : float, optional
        The score known in advance that stands for B: see :meth:`Scores.against`.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite or beyond 1e60, or `unit` is missing.

    Warns
    -----
    UserWarning
        If no score is as large as 1e-60 in size: all count as 0.

    Examples
    --------
    >>> from skstat.stats import PairedScores
    >>> sample = PairedScores([0.8, 0.7, 0.9], [0.7, 0.7, 0.8], n_train=60, n_test=30)
    >>> sample.unit, sample.n_units, sample.test_train_ratio
    ('split', 3, 0.5)

    Instances that come in groups:

    >>> sample = PairedScores([1, 1, 0, 1], [1, 0, 0, 0], groups=["x", "x", "y", "z"])
    >>> sample.unit, sample.n_units, sample.n_instances
    ('group', 3, 4)
    >>> sample.per_group().differences.tolist()
    [0.75, 0.0, 0.75]
    """

    example: ClassVar[str] = "PairedScores(a, b, unit='instance')"
    _written: ClassVar[tuple[str, ...]] = ("a", "b", *FACTS_OF_UNITS, "groups")

    a: Any
    b: Any
    variance: Any = field(default=None, kw_only=True, repr=False)
    constant: float | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        columns = aligned({"a": self.a, "b": self.b, "groups": self.groups}, unit="score")
        a, b = of_usable_size("scores", numbers("a", columns["a"]), numbers("b", columns["b"]))
        if len(a) != len(b):
            raise ValueError(f"a has {len(a)} scores, b {len(b)}; both need the same units.")
        vars(self).update(a=a, b=b, groups=columns["groups"])
        self._check_units()

    @classmethod
    def from_row_scores(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        folds: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Make the sample from scores of single rows, of which a fold's score is the mean.

        Parameters
        ----------
        a, b : array-like of shape (n_repeats, n_rows)
            Score of every row as a test row of every repetition: 1 and 0 for right and
            wrong, or minus its loss. Higher is better.
        folds : array-like of int of shape (n_repeats, n_rows)
            Fold that tested the row, numbered from 0 in every repetition.
        groups : array-like of shape (n_rows,), optional
            Group of every row, kept together in folds. Groups are then the units.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        PairedScores
            The scores of the folds, with `rows`.

        Examples
        --------
        >>> import numpy as np
        >>> from skstat.stats import PairedScores
        >>> rng = np.random.default_rng(0)
        >>> folds = np.array([rng.permutation(20) % 2 for _ in range(5)])
        >>> right_a, right_b = rng.random((2, 5, 20)) < 0.7
        >>> sample = PairedScores.from_row_scores(right_a, right_b, folds)
        >>> sample.n_units, sample.n_repeats, sample.rows.n_units
        (10, 5, 20)
        """
        both = read_numbers("a", a), read_numbers("b", b)
        if both[0].shape != both[1].shape:
            raise ValueError(f"shapes of a and b differ: {both[0].shape} and {both[1].shape}.")
        scores = np.stack(both, axis=-1)
        means, rows = RowContributions.of_means(scores, folds, sample_weight)
        if groups is not None:
            rows = rows.by_group(groups, sample_weight)
        n_test, unit = rows.sizes.ravel(), "row" if groups is None else "group"
        sizes: Any = {"n_train": rows.n_units - n_test, "n_test": n_test, "size_unit": unit}
        return cls(*means.T, rows=rows, n_repeats=rows.n_repeats, **sizes)

    @classmethod
    def from_matrices(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        *,
        n_train: Any = None,
        n_test: Any = None,
        size_unit: Literal["row", "group"] = "row",
    ) -> Self:
        """Make the sample of two systems that were fitted without every pair of blocks.

        The rows are cut into K blocks. For every pair of blocks g and h both systems are fitted
        to the rows of the other K - 2 blocks, and scored on the rows of g and of h apart from
        each other: ``K (K - 1) / 2`` fits and ``K (K - 1)`` scores of each system, which are
        stored row by row: the first K - 1 of them are a cross-validation that has never seen
        block 0, the next K - 1 one that has never seen block 1, and so on.

        Parameters
        ----------
        a, b : array-like of shape (n_blocks, n_blocks)
            Scores of A and of B: in row g and column h that of the model without blocks g
            and h on block h. The diagonal is ignored, and may be nan.
        n_train, n_test : int or array-like of shape (n_blocks, n_blocks), optional
            Training and test size behind every score; the diagonal is ignored.
        size_unit : {"row", "group"}, default="row"
            What `n_train` and `n_test` count.

        Returns
        -------
        PairedScores
            The sample, with `n_blocks`.

        Raises
        ------
        ValueError
            If a matrix is not square, or the class refuses its scores.

        See Also
        --------
        block_jackknife_t : The test of these scores.
        skstat.evaluation.LeaveTwoBlocksOut : The splits that make them.

        Examples
        --------
        >>> from skstat.stats import PairedScores
        >>> a = [[None, 0.7, 0.8], [0.9, None, 0.8], [0.9, 0.7, None]]
        >>> b = [[None, 0.6, 0.8], [0.8, None, 0.7], [0.8, 0.7, None]]
        >>> sample = PairedScores.from_matrices(a, b)
        >>> sample.n_blocks, sample.b.tolist()
        (3, [0.6, 0.8, 0.8, 0.7, 0.8, 0.7])
        >>> sample.left_out_means.round(2).tolist()
        [0.05, 0.1, 0.05]
        """
        facts: dict[str, Any] = {"n_blocks": len(np.asarray(a)), "size_unit": size_unit}
        for name, value in {"n_train": n_train, "n_test": n_test}.items():
            facts[name] = off_diagonal(name, value) if np.ndim(value) else value
        return cls(off_diagonal("a", a), off_diagonal("b", b), unit="split", **facts)

    @property
    def columns(self) -> Sequence[Numbers]:
        return self.a, self.b

    @property
    def left_out_means(self) -> Numbers:
        """Mean difference of the cross-validation that has never seen a block, by block."""
        return self.differences.reshape(self.n_blocks, -1).mean(axis=1)

    @cached_property
    def parts(self) -> ProjectionVariance:
        """Variance of the mean difference, in two parts; needs `rows`."""
        if self.variance is not None:
            return cast(ProjectionVariance, self.variance)
        return self.rows.each(lambda values: values[:, :, :1] - values[:, :, 1:]).variance

    def per_group(self) -> "PairedScores":
        """Make every group one unit, so that procedures on independent units apply.

        Returns
        -------
        PairedScores
            The sums of the scores in every group times n_groups / n_instances: their
            mean over the groups is the mean over the instances. The same, without groups.
        """
        if self.groups is None:
            return self
        scale = self.n_units / self.n_instances
        a, b = (np.bincount(self.groups, scores) * scale for scores in self.columns)
        return PairedScores(a, b, unit="group")

    @property
    def noise(self) -> Numbers:
        """Difference of every unit below which its two scores count as equal."""
        if are_exact(self.a, self.b):  # however large they are
            return np.zeros(len(self.a))
        # Not cached, to save memory: two other properties use it once.
        return noise_by_unit(self.a, self.b)

    @cached_property
    def resolution(self) -> float:
        """Size below which sums of the differences are float noise.

        The largest `noise` of the units on which the scores differ; for exact scores the
        rounding error of computing with their differences.
        """
        return float(resolution_of_rows(self.differences, self.noise))

    @cached_property
    def differences(self) -> Numbers:
        """score(A) - score(B) of every unit; float noise is set to zero."""
        differences: Numbers = np.subtract(self.a, self.b)
        differences[np.abs(differences) <= self.noise] = 0.0
        differences.setflags(write=False)
        return differences

    @property
    def identical(self) -> bool:
        """Whether both systems have the same score on every unit."""
        return not self.differences.any()

    def each(self, compute: Compute) -> tuple[Any, ...]:
        """Apply a function to the differences of the only pair."""
        return tuple(map(np.ndarray.item, compute(self.differences[None], self.noise[None])))


@dataclass(frozen=True, eq=False)
class Scores(Resampled):
    """Scores of one system, to be compared with a constant known in advance.

    Parameters
    ----------
    values : array-like of shape (n_units,)
        The scores; higher is better.
    unit, n_train, n_test, n_repeats, size_unit, ordered, groups, rows
        As in :class:`PairedScores`.

    Examples
    --------
    >>> from skstat.stats import Scores
    >>> Scores([0.72, 0.64, 0.68, 0.7, 0.72], n_repeats=1).test_train_ratio
    0.25
    """

    example: ClassVar[str] = "Scores(values, unit='instance')"
    _written = ("values", *FACTS_OF_UNITS, "groups")

    values: Any

    def __post_init__(self) -> None:
        columns = aligned({"values": self.values, "groups": self.groups}, unit="value")
        (values,) = of_usable_size("values", numbers("values", columns["values"]))
        vars(self).update(values=values, groups=columns["groups"])
        self._check_units()

    @property
    def columns(self) -> Sequence[Numbers]:
        return (self.values,)

    def against(self, constant: float) -> PairedScores:
        """Pair every score with the same constant."""
        constant = check_constant(constant)

        def append(values: Numbers) -> Numbers:
            return np.concatenate([values, np.full_like(values, constant)], 2)

        rows = None if self.rows is None else self.rows.each(append)
        facts = dict(units_of(self), groups=self.groups, rows=rows, constant=constant)
        return PairedScores(self.values, np.full_like(self.values, constant), **facts)


def units_of(sample: Resampled) -> Mapping[str, Any]:
    """Return the facts about the units of a sample, as arguments of another one."""
    return {name: getattr(sample, name) for name in FACTS_OF_UNITS}


def warn_if_dependent(sample: Resampled, procedure: str) -> None:
    """Warn that `procedure` treats the splits of `sample` as independent."""
    check_plain_splits(sample, procedure)
    if sample.unit == "split":
        warnings.warn(
            f"{procedure} treats its units as independent, but splits of one data set "
            "share training rows: with 30 or more splits it rejected 50 to 89 % of true null "
            "hypotheses in simulations, at a nominal 0.05. Use corrected_t.",
            DependenceWarning,
            stacklevel=4,  # past the decorator of the procedure
        )


def check_plain_splits(sample: Resampled, procedure: str) -> None:
    """Raise ValueError for scores that only another procedure can use."""
    if sample.only_test:
        raise ValueError(f"{procedure} cannot test these scores; use {sample.only_test}.")


def check_rows(sample: Resampled, procedure: str) -> None:
    """Raise ValueError for too few repetitions."""
    if not sample.projects:
        raise ValueError(f"{procedure} needs {FEWEST_REPEATS} repetitions, as 15 of 2 folds.")
    if sample.rows.n_repeats < 2:
        raise ValueError(f"{procedure} needs two repetitions of folds beside halves, got 1.")


def check_count(name: str, value: Any, *, least: int = 1, floats: bool = False) -> int:
    """Return a whole number as an int; raise ValueError unless it is at least `least`.

    With `floats` it may be a float, as counts in frames are.
    """
    is_number = isinstance(value, Real if floats else Integral) and not isinstance(value, bool)
    if not (is_number and math.isfinite(value) and value % 1 == 0 and value >= least):
        raise ValueError(f"{name}={shown(value)} must be a whole number of at least {least}.")
    return int(value)


def effective_groups(groups: NDArray[np.int64]) -> float:
    """Return the effective number of groups: ``(sum n_g)^2 / sum n_g^2``."""
    return effective_number(np.bincount(groups))


def indices_of(names: Sequence[str], selected: Sequence[str]) -> list[int]:
    """Return the indices of some systems; raise ValueError for unknown ones."""
    for name in selected:
        if name not in names:
            raise ValueError(f"{name!r} is not one of the systems {list(names)}.")
    return list(map(names.index, selected))


def check_number(
    name: str,
    value: Any,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    what: str = "a finite number",
) -> float:
    """Return a finite number within limits; raise ValueError for anything else."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    result = float(value) if is_number else math.nan
    if not (math.isfinite(result) and result > above and least <= result <= most):
        raise ValueError(f"{name}={shown(value)} must be {what}.")
    return result


def check_constant(constant: Any) -> float:
    """Return a score known in advance; raise ValueError unless it is a finite number."""
    return check_number("constant", constant, what="a finite score: a number such as 0.5")


def check_enough_units(sample: Resampled, minimum: int, procedure: str) -> None:
    """Raise ValueError for a sample with fewer than `minimum` units."""
    if sample.n_units < minimum:
        unit = "data set" if sample.unit == "dataset" else sample.unit
        raise ValueError(f"{procedure} needs at least {minimum} {unit}s, got {sample.n_units}.")


def summary_of(scores: Numbers) -> dict[str, float | None]:
    """Return mean and standard deviation of scores, ignoring missing ones."""
    present = scores[~np.isnan(scores)]
    mean = float(np.mean(present)) if len(present) else None
    return {"mean": mean, "sd": float(np.std(present, ddof=1)) if len(present) > 1 else None}


def off_diagonal(name: str, matrix: ArrayLike) -> Numbers:
    """Return the entries of a square matrix row by row, without the diagonal."""
    values = read_numbers(name, matrix)  # None becomes nan
    if values.ndim != 2 or len(values) != values.shape[1] or len(values) < FEWEST_BLOCKS:
        raise ValueError(
            f"{name} has shape {values.shape}; it needs (K, K) for K blocks, at least "
            f"{FEWEST_BLOCKS}: in row g and column h the score on block h without g and h."
        )
    return values[~np.eye(len(values), dtype=bool)]


def numbers(name: str, values: Any, ndims: tuple[int, ...] = (1,)) -> Numbers:
    """Return scores as an array; an error names the first that is not a finite number."""
    scores = read_numbers(name, values)
    if scores.ndim not in ndims or scores.size == 0:
        shape = "one-dimensional" if ndims == (1,) else "of one or two dimensions"
        raise ValueError(f"{name} must be {shape} and not empty, got shape {scores.shape}.")
    bad = np.argwhere(~np.isfinite(scores))
    if len(bad):
        index = tuple(bad[0].tolist())
        raise ValueError(
            f"{name}[{', '.join(map(str, index))}] is {scores[index]}; scores must be finite."
        )
    return scores


def _sizes(name: str, value: ArrayLike, n_units: int) -> NDArray[np.int64]:
    sizes = np.array(value)
    if sizes.shape not in ((), (n_units,)):
        raise ValueError(f"{name} has shape {sizes.shape}; give one size, or one per split.")
    finite = sizes.dtype.kind in "iuf" and np.isfinite(sizes).all()
    if not finite or np.any(sizes < 1) or np.any(sizes % 1):
        raise ValueError(f"{name} must hold whole numbers of at least 1, got {value!r}.")
    return np.broadcast_to(sizes.astype(np.int64), (n_units,))  # which is read-only


def intraclass_correlation(values: ArrayLike, groups: Any) -> float:
    """Return the intraclass correlation: how alike the values within one group are.

    One-way analysis of variance estimator for groups of unequal sizes [1]_:
    ``(MSB - MSW) / (MSB + (n0 - 1) * MSW)`` with the mean squares between and within
    the G groups and ``n0 = (n - sum(n_g^2) / n) / (G - 1)``. It may be negative.

    Parameters
    ----------
    values : array-like of shape (n,)
        One number for every instance.
    groups : array-like of shape (n,)
        Label of every instance's group.

    Returns
    -------
    float
        The correlation; nan when there is one group only, no group has two instances,
        or the values do not vary.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite, or a label is missing.

    References
    ----------
    .. [1] Donner, A. (1986). A review of inference procedures for the intraclass
       correlation coefficient in the one-way random effects model. International
       Statistical Review, 54(1), 67-82. :doi:`10.2307/1403259`

    Examples
    --------
    >>> from skstat.stats import intraclass_correlation
    >>> round(intraclass_correlation([1, 2, 5, 6, 9], ["x", "x", "y", "y", "z"]), 3)
    0.961
    """
    # Against zero, values have the float resolution of scores.
    sample = Scores(values, groups=groups).against(0.0)
    x, codes = sample.differences, sample.groups
    sizes = np.bincount(codes)
    n, n_groups = len(x), len(sizes)
    if n_groups == 1 or n_groups == n or float(np.std(x)) <= sample.resolution:
        return math.nan
    means = np.bincount(codes, x) / sizes
    between = float(np.sum(sizes * (means - x.mean()) ** 2)) / (n_groups - 1)
    within = float(np.sum((x - means[codes]) ** 2)) / (n - n_groups)
    n0 = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
    return (between - within) / (between + (n0 - 1) * within)
