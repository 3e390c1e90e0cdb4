"""Samples of scores: what a procedure is computed from."""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self, TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import (
    LARGEST_EXACT,
    Written,
    aligned,
    check_choice,
    of_usable_size,
    read_numbers,
)

Unit = Literal["split", "instance", "group", "seed", "dataset"]
UNITS: tuple[str, ...] = get_args(Unit)
# What samples write of their units, after the scores.
FACTS_OF_UNITS = ("unit", "n_train", "n_test", "n_repeats", "size_unit", "ordered")

# Scores that differ by less than this share of their own scale are the same number written
# twice: float noise breaks ties and hides zero variance. One score of a million rows that was
# computed in several ways (in another order, by fold, with equal weights) differed by up to
# 3e-12 in metrics of scikit-learn; what differs by less than the whole digits of exact scores
# is told by `are_exact`.
RELATIVE_RESOLUTION = 1e-10
# The share that sums and means of scores may be rounded by.
ROUNDING = 2.0**-46
# Whole multiples of this, such as counts and halves, are held by floats without any noise.
_EXACT_STEP = 2.0**-10
_LOOKED_AT = 64  # scores, of which some are hardly ever exact if not all are


class AlternativeError(ValueError):
    """A test was given an `alternative` that is unknown, or that it has no form for."""


class DependenceWarning(UserWarning):
    """A test that needs independent units was given overlapping splits."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Resampled(Written):
    """What is known about the units that scores were computed on."""

    # The one procedure that scores of splits of a special kind are for.
    only_test: ClassVar[str] = ""

    unit: Unit | None = None
    n_train: Any = None
    n_test: Any = None
    n_repeats: int | None = None
    size_unit: Literal["row", "group"] = "row"
    ordered: bool = False

    @property
    def n_units(self) -> int:
        """Number of units that were scored, such as splits or instances."""
        raise NotImplementedError

    def _check_units(self) -> None:
        sizes = (self.n_train, self.n_test, self.n_repeats)
        unit = self.unit
        if unit is None:
            if all(size is None for size in sizes):
                raise ValueError(
                    "unit is missing: a table of folds and a table of data sets look "
                    f"alike and need different tests. Say which: unit={_choices()}."
                )
            object.__setattr__(self, "unit", "split")
        elif not isinstance(unit, str) or unit not in UNITS:
            raise ValueError(f"unit={unit!r} is unknown; use {_choices()}.")
        elif unit != "split" and any(size is not None for size in sizes):
            raise ValueError(
                f"n_train, n_test and n_repeats describe splits, but unit={unit!r}; "
                "drop them or use unit='split'."
            )
        check_choice("size_unit", self.size_unit, ("row", "group"))
        if self.ordered not in (True, False):
            raise ValueError(f"ordered={shown(self.ordered)} must be True or False.")
        if (self.n_train is None) != (self.n_test is None):
            raise ValueError("n_train and n_test go together; one of them is missing.")
        for name in ("n_train", "n_test"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _sizes(name, value, self.n_units))
        if self.n_repeats is not None:
            self._check_repeats(self.n_repeats)

    def _check_repeats(self, n_repeats: int) -> None:
        number = isinstance(n_repeats, Real) and not isinstance(n_repeats, bool)
        whole = number and n_repeats >= 1 and n_repeats % 1 == 0
        if not whole or self.n_units % n_repeats or self.n_units < 2 * n_repeats:
            raise ValueError(
                f"n_repeats={shown(n_repeats)} does not divide {self.n_units} scores into "
                "repeats of K >= 2 folds. It counts complete partitions of the data "
                "(10x10 cross-validation has n_repeats=10); leave it out for random "
                "splits."
            )
        object.__setattr__(self, "n_repeats", int(n_repeats))

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
        return None

    @property
    def training_size(self) -> float | None:
        """Mean training size, counted in `size_unit`; None when unknown."""
        return None if self.n_train is None else float(np.mean(self.n_train))

    @property
    def training(self) -> str:
        """The training sets that the scores hold for, in words."""
        if self.training_size is None:
            return "for training sets of the size used here"
        size = f"{self.training_size:.0f} {self.size_unit}s"
        if getattr(self, "halves", None) is not None:
            of = self.training_size + float(np.mean(self.n_test))
            size += f" ({100 * self.training_size / of:.0f}% of {of:.0f})"
        if self.same_class_shares:
            return f"for training sets of {size} with these class shares"
        return f"for training sets of {size} from the same population"

    @property
    def same_class_shares(self) -> bool:
        """Whether all splits are known to hold the same share of every class."""
        rows = getattr(self, "rows", None)
        return rows is not None and rows.strata is not None


@dataclass(frozen=True, eq=False)
class PairedScores(Resampled):
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
    """

    made_by: ClassVar[str] = "PairedScores(a, b, unit='instance')"
    _written: ClassVar[tuple[str, ...]] = ("type", "a", "b", *FACTS_OF_UNITS)

    a: Any
    b: Any

    def __post_init__(self) -> None:
        given = aligned({"a": self.a, "b": self.b}, unit="score")
        a, b = (numbers(name, scores) for name, scores in given.items())
        for name, scores in zip("ab", of_usable_size("scores", a, b), strict=True):
            object.__setattr__(self, name, _read_only(scores))
        if len(self.a) != len(self.b):
            raise ValueError(
                f"a has {len(self.a)} scores and b has {len(self.b)}: a paired sample "
                "needs both systems scored on the same units."
            )
        self._check_units()

    @property
    def n_units(self) -> int:
        return len(self.a)

    @property
    def noise(self) -> NDArray[np.float64]:
        """Difference of every unit below which its two scores count as equal."""
        if are_exact(self.a, self.b):  # however large they are
            return np.zeros(len(self.a))
        # It is not kept: of many rows, arrays that two other properties ask for once are dear.
        return noise_by_unit(self.a, self.b)

    @cached_property
    def resolution(self) -> float:
        """Size below which numbers made of the differences are float noise.

        The largest `noise` of the units on which the scores differ; of exact scores what
        computing with their differences leaves.
        """
        if are_exact(self.a, self.b):
            return RELATIVE_RESOLUTION * float(np.abs(self.differences).max())
        return float(np.max(self.noise, where=self.differences != 0, initial=0.0))

    @cached_property
    def differences(self) -> NDArray[np.float64]:
        """score(A) - score(B) of every unit; float noise is set to zero."""
        return _read_only(without_noise(np.subtract(self.a, self.b), self.noise))

    @cached_property
    def mean(self) -> float:
        """Mean difference."""
        return float(np.mean(self.differences))

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the differences; 0 where they vary by float noise alone."""
        spread = float(np.std(self.differences, ddof=1)) if self.n_units > 1 else 0.0
        return spread if spread > self.resolution else 0.0

    @property
    def share_won(self) -> float:
        """Share of units on which A scores higher, equal scores counted half."""
        return float(np.mean((np.sign(self.differences) + 1) / 2))

    @property
    def signed_ranks(self) -> NDArray[np.float64]:
        """Mid-ranks of the sizes of the differences, as :func:`signed_ranks` gives them."""
        return signed_ranks(self.differences, self.noise)

    @cached_property
    def rank_biserial(self) -> float:
        """(R+ - R-)/(R+ + R-) of the signed ranks, ties counted half; 0 without a difference.

        D. S. Kerby (2014), The simple difference formula.
        """
        return float(rank_biserial(self.signed_ranks))

    @property
    def identical(self) -> bool:
        """Whether A and B score the same on every unit."""
        return not self.differences.any()

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of the scores of A, and of B."""
        return [summary_of(self.a), summary_of(self.b)]


@dataclass(frozen=True, eq=False)
class Scores(Resampled):
    """Scores of one system, to be compared with a constant known in advance.

    Parameters
    ----------
    values : array-like of shape (n_units,)
        The scores; higher is better.
    unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`PairedScores`.

    Examples
    --------
    >>> from skstat.stats import Scores
    >>> Scores([0.72, 0.64, 0.68, 0.7, 0.72], n_repeats=1).test_train_ratio
    0.25
    """

    made_by: ClassVar[str] = "Scores(values, unit='instance')"
    _written = ("type", "values", *FACTS_OF_UNITS)

    values: Any

    def __post_init__(self) -> None:
        (values,) = of_usable_size("values", numbers("values", self.values))
        object.__setattr__(self, "values", _read_only(values))
        self._check_units()

    @property
    def n_units(self) -> int:
        return len(self.values)

    def against(self, constant: float) -> PairedScores:
        """Pair every score with the same constant."""
        constant = check_constant(constant)
        against = np.full(self.n_units, float(constant))
        return PairedScores(self.values, against, **units_of(self))


def units_of(sample: Resampled) -> Mapping[str, Any]:
    """Return what a sample knows of its units, as arguments of another one."""
    return {item.name: getattr(sample, item.name) for item in fields(Resampled)}


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
    """Refuse scores of splits that are laid out for another procedure."""
    if sample.only_test:
        raise ValueError(
            f"{procedure} cannot test {type(sample).__name__}, whose scores share fits and "
            f"test rows in their own way; use {sample.only_test}, which is made for them."
        )


def check_alternative(alternative: Any) -> None:
    """Refuse an unknown `alternative`."""
    known = ("two-sided", "less", "greater")
    if not isinstance(alternative, str) or alternative not in known:
        raise AlternativeError(
            f"alternative={shown(alternative)} is unknown; use 'two-sided', 'less' (A scores "
            "lower than B) or 'greater' (A scores higher)."
        )


def check_count(name: str, value: Any, *, least: int = 1) -> int:
    """Refuse anything but a whole number of at least `least`; return it as an int."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or int(value) < least:
        raise ValueError(f"{name}={shown(value)} must be a whole number of at least {least}.")
    return int(value)


def places_of(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return the places of some systems among all, and refuse unknown ones."""
    for name in wanted:
        if name not in names:
            raise ValueError(f"{name!r} is not one of the systems {list(names)}.")
    return [names.index(name) for name in wanted]


def check_constant(constant: Any) -> float:
    """Return a score known in advance; refuse anything but a finite number."""
    number = isinstance(constant, Real) and not isinstance(constant, bool)
    if not number or not np.isfinite(float(constant)):
        raise ValueError(
            f"constant={shown(constant)} must be a finite score: a number such as 0.5."
        )
    return float(constant)


def shown(value: Any) -> str:
    """Write a value that was handed in, or its type where that would be pages."""
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"


def check_number(
    name: str,
    value: Any,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
    what: str = "a finite number",
) -> float:
    """Return a finite number within limits; refuse anything else by its name."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    found = float(value) if number else math.nan
    if not (math.isfinite(found) and found > above and least <= found <= most):
        raise ValueError(f"{name}={shown(value)} must be {what}.")
    return found


def check_enough_units(sample: Resampled, minimum: int, procedure: str) -> None:
    """Refuse a sample with fewer than `minimum` units."""
    if sample.n_units < minimum:
        unit = "data set" if sample.unit == "dataset" else sample.unit
        raise ValueError(f"{procedure} needs at least {minimum} {unit}s, got {sample.n_units}.")


def summary_of(scores: NDArray[np.float64]) -> dict[str, float | None]:
    """Mean and standard deviation of scores."""
    sd = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
    return {"mean": float(np.mean(scores)), "sd": sd}


def _choices() -> str:
    return " | ".join(repr(unit) for unit in UNITS)


def numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Read a list of scores; an error names the first that is not a number."""
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} has masked scores: leaving a unit out would break the pairing. Take "
            "complete units of both systems."
        )
    scores = values if _is_frozen(values) else read_numbers(name, values)
    if scores.ndim != 1 or scores.size == 0:
        raise ValueError(
            f"{name} must be one-dimensional and not empty, got shape {scores.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        raise ValueError(
            f"{name}[{bad[0]}] is {scores[bad[0]]}: every score must be finite, and "
            "leaving a unit out would break the pairing. Find out why it is undefined."
        )
    return _read_only(scores)


def are_exact(*scores: NDArray[np.float64]) -> bool:
    """Whether floats hold all scores exactly, and so their differences: there is no noise.

    They do whole numbers, and halves and the like. Any other score that a float holds may be
    one that was rounded.
    """
    return all(_is_exact(part[:_LOOKED_AT]) and _is_exact(part) for part in scores)


def _is_exact(scores: NDArray[np.float64]) -> bool:
    largest = float(np.abs(scores).max(initial=0.0))
    step = _EXACT_STEP if largest <= LARGEST_EXACT * _EXACT_STEP else 1.0
    multiples = scores / step
    return largest <= LARGEST_EXACT and bool((np.rint(multiples) == multiples).all())


def noise_by_unit(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences below which two scores of a unit are equal; units along the last axis."""
    # By unit: mean squared errors of two data sets may lie ten decades apart. Noise about a
    # score of 0 has the size of the numbers that cancelled, so that the other units must give
    # the scale there.
    scales = np.maximum(np.abs(a), np.abs(b))
    middle = np.median(scales, axis=-1, keepdims=True)
    return np.asarray(RELATIVE_RESOLUTION * np.maximum(scales, 1e-3 * middle))


def without_noise(
    differences: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Set differences that are float noise to zero."""
    return np.where(np.abs(differences) <= noise, 0.0, differences)


def signed_ranks(
    differences: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mid-ranks of the sizes of differences along the last axis, with their signs.

    They rise with the sizes, and are 0 of equal scores. Sizes that differ by float noise only
    are tied: noise breaks ties, and so changes every rank statistic. Rounding to a grid would
    be wrong: it tears sizes apart that lie on both sides of a border.
    """
    sizes, n = np.abs(differences), differences.shape[-1]
    order = np.argsort(sizes, axis=-1)
    noise = np.take_along_axis(np.where(differences == 0, 0.0, noise), order, axis=-1)
    gaps = np.diff(np.take_along_axis(sizes, order, axis=-1), prepend=0.0, append=np.inf)
    before, after = (
        np.pad(noise, [(0, 0)] * (noise.ndim - 1) + [side]) for side in ((1, 0), (0, 1))
    )
    apart = gaps > np.maximum(before, after)
    # A mid-rank is the mean of the first and the last place of those that are tied.
    places = np.arange(n)
    first = np.maximum.accumulate(np.where(apart[..., :-1], places, 0), axis=-1)
    last = np.where(apart[..., 1:], places, n)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    ranks = (first + last) / 2 + 1 - np.sum(sizes == 0, axis=-1, keepdims=True)
    found: NDArray[np.float64] = (
        np.sign(np.take_along_axis(differences, order, axis=-1)) * ranks
    )
    return found


def rank_biserial(signed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank-biserial correlations of rows of signed ranks; 0 without a difference."""
    total = np.abs(signed).sum(axis=-1)
    return np.asarray(signed.sum(axis=-1) / np.where(total > 0, total, 1.0))


def resolution_of(*scores: NDArray[np.float64]) -> float:
    """Size below which numbers made of differences of scores are float noise.

    Of exact scores it is what computing with their differences leaves.
    """
    values = np.concatenate(scores)
    return _resolution(values, values - values[0] if are_exact(values) else values)


def _resolution(scores: NDArray[np.float64], contrasts: NDArray[np.float64]) -> float:
    """Noise of contrasts, and what rounding leaves where scores themselves are added up."""
    rounding = ROUNDING * float(np.abs(scores).max())
    return max(rounding, RELATIVE_RESOLUTION * float(np.abs(contrasts).max()))


def _is_frozen(values: Any) -> TypeGuard[NDArray[np.float64]]:
    """Whether nobody can write to an array of floats, so that samples may share it."""
    if type(values) is not np.ndarray or values.dtype != np.float64:
        return False
    return values.base is None and not values.flags.writeable


def _read_only(values: NDArray[np.float64]) -> NDArray[np.float64]:
    values.setflags(write=False)
    return values


def _sizes(name: str, value: ArrayLike, n_units: int) -> NDArray[np.int64]:
    sizes = np.array(value)
    if sizes.ndim > 1 or (sizes.ndim == 1 and len(sizes) != n_units):
        raise ValueError(
            f"{name} has shape {sizes.shape}; give one size, or one for each of the "
            f"{n_units} splits."
        )
    if sizes.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold whole numbers of at least 1, got {value!r}.")
    if not np.all(np.isfinite(sizes)) or np.any(sizes < 1) or np.any(sizes % 1):
        raise ValueError(f"{name} must hold whole numbers of at least 1.")
    sizes = np.broadcast_to(sizes.astype(np.int64), (n_units,)).copy()
    sizes.setflags(write=False)
    return sizes


class _Instances(Written):
    """Counts of instances: one unit, without splits and without an order."""

    unit: Literal["instance"] = "instance"
    n_repeats = None
    ordered = False


@dataclass(frozen=True)
class AgreementTable(_Instances):
    """How often two systems are right and wrong on the same instances.

    Parameters
    ----------
    both : int
        Instances on which A and B are right.
    only_a, only_b : int
        Instances on which only A, and only B, is right.
    neither : int
        Instances on which both are wrong.

    Raises
    ------
    ValueError
        If a count is not a whole number of at least 0, or all of them are 0.

    Examples
    --------
    >>> from skstat.stats import AgreementTable
    >>> table = AgreementTable(54, 18, 6, 22)
    >>> table.n_units, table.accuracies, table.agreement
    (100, (0.72, 0.6), 0.76)
    """

    made_by: ClassVar[str] = "AgreementTable(both, only_a, only_b, neither)"

    both: int
    only_a: int
    only_b: int
    neither: int

    def __post_init__(self) -> None:
        for name in ("both", "only_a", "only_b", "neither"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        if self.n_units == 0:
            raise ValueError("the table is empty: all four counts are 0.")

    @classmethod
    def from_scores(cls, sample: PairedScores) -> Self:
        """Count instances that are scored 1 (right) or 0 (wrong).

        Parameters
        ----------
        sample : PairedScores
            Scores 0 and 1 of both systems, one instance each.

        Returns
        -------
        AgreementTable
            The four counts.
        """
        _check_instances(sample, "an agreement table")
        a, b = zero_one("a", sample.a), zero_one("b", sample.b)
        return cls(
            both=int(np.sum(a & b)),
            only_a=int(np.sum(a & ~b)),
            only_b=int(np.sum(b & ~a)),
            neither=int(np.sum(~a & ~b)),
        )

    @classmethod
    def from_array(cls, counts: Any) -> Self:
        """Read ``[[both, only_a], [only_b, neither]]``.

        Parameters
        ----------
        counts : array-like of shape (2, 2)
            Rows: A right, A wrong; columns: B right, B wrong. A DataFrame whose labels
            are True (right) and False (wrong) may hold them in any order.

        Returns
        -------
        AgreementTable
            The four counts.
        """
        if hasattr(counts, "reindex") and hasattr(counts, "columns"):
            labelled = [set(axis) == {True, False} for axis in (counts.index, counts.columns)]
            if all(labelled):  # pandas.crosstab sorts False first
                counts = counts.reindex(index=[True, False], columns=[True, False])
        cells = np.asarray(counts)
        if cells.shape != (2, 2):
            raise ValueError(f"counts must have the shape (2, 2), got {cells.shape}.")
        return cls(*cells.ravel().tolist())

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def n_discordant(self) -> int:
        """Instances on which exactly one of both is right."""
        return self.only_a + self.only_b

    @property
    def accuracies(self) -> tuple[float, float]:
        """Share of instances on which A is right, and B."""
        right_a, right_b = self.both + self.only_a, self.both + self.only_b
        return right_a / self.n_units, right_b / self.n_units

    @property
    def agreement(self) -> float:
        """Share of instances on which both are right or both are wrong."""
        return (self.both + self.neither) / self.n_units

    @property
    def identical(self) -> bool:
        """Whether A and B are right on the same instances."""
        return self.n_discordant == 0

    def summaries(self) -> list[dict[str, float | None]]:
        """Accuracy of A, and of B."""
        return [_summary(accuracy) for accuracy in self.accuracies]


@dataclass(frozen=True)
class Successes(_Instances):
    """On how many instances one system is right.

    Parameters
    ----------
    successes : int
        Instances on which it is right.
    n : int
        All instances.

    Raises
    ------
    ValueError
        If a count is not a whole number, `n` is 0 or less than `successes`.

    Examples
    --------
    >>> from skstat.stats import Successes
    >>> Successes(72, 100).accuracy
    0.72
    """

    made_by: ClassVar[str] = "Successes(successes, n)"

    successes: int
    n: int

    def __post_init__(self) -> None:
        for name in ("successes", "n"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        if self.n == 0 or self.successes > self.n:
            raise ValueError(
                f"successes={self.successes} of n={self.n}: n must be at least 1 and no "
                "less than successes."
            )

    @classmethod
    def from_scores(cls, sample: Scores) -> Self:
        """Count instances that are scored 1 (right) or 0 (wrong).

        Parameters
        ----------
        sample : Scores
            Scores 0 and 1 of one system, one instance each.

        Returns
        -------
        Successes
            The two counts.
        """
        _check_instances(sample, "a count of successes")
        return cls(int(zero_one("values", sample.values).sum()), sample.n_units)

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return self.n

    @property
    def accuracy(self) -> float:
        """Share of instances on which the system is right."""
        return self.successes / self.n

    def summaries(self) -> list[dict[str, float | None]]:
        """Accuracy of the system."""
        return [_summary(self.accuracy)]

    @property
    def identical(self) -> bool:
        """Always False, because there is no second system."""
        return False


def zero_one(name: str, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which scores are 1; refuse any other than 0 and 1."""
    bad = np.flatnonzero((scores != 0) & (scores != 1))
    if bad.size:
        raise ValueError(
            f"{name}[{bad[0]}] is {scores[bad[0]]:g}, but every score must be 1 (right) or "
            "0 (wrong)."
        )
    return scores == 1


def _check_instances(sample: PairedScores | Scores, what: str) -> None:
    if sample.unit != "instance":
        raise ValueError(
            f"{what} counts instances, but unit={sample.unit!r}; scores of {sample.unit}s "
            "need another test."
        )


def _count(name: str, value: Any) -> int:
    number = isinstance(value, Real | np.bool_)
    whole = number and math.isfinite(value) and value % 1 == 0
    if not whole or value < 0:
        raise ValueError(f"{name}={shown(value)} must be a whole number of at least 0.")
    return int(value)


def _summary(share: float) -> dict[str, float | None]:
    return {"mean": share, "sd": None}  # the share itself says how much answers vary
