"""The splits that are made where cv is left out: balanced halves, or random test sets."""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from sklearn.model_selection import (
    GroupShuffleSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
)

from skstat.evaluation._balanced_halves import MOST_COLUMNS, fewest_units
from skstat.evaluation._inputs import Data
from skstat.evaluation._splitters import RepeatedGroupKFold, RepeatedHalves, shuffled_folds
from skstat.stats._samples import FEW_OF_CLASS

DEFAULT_HALVINGS = 15
DEFAULT_SPLITS = 30
DEFAULT_TEST_SIZE = 1 / 3
DEFAULT_FOLDS = 10
_FEWEST_GROUPS = 5


# Fits of the folds that train on nine tenths of the rows, 2 x 10.
FITS_OF_FOLDS = 2 * DEFAULT_FOLDS
# Halvings beside the folds; fewer were not measured.
FEWEST_BESIDE_FOLDS = 10


def affordable_halvings(budget: int | None, *, beside_folds: bool = False) -> int:
    """Return how many halvings are made of the affordable fits, two for each.

    Balanced overlaps are known for so many; more would hardly narrow an interval. Folds that
    train on nine tenths of the rows come first.
    """
    if budget is None:
        return DEFAULT_HALVINGS
    return min((budget - FITS_OF_FOLDS * beside_folds) // 2, MOST_COLUMNS)


def check_train_size(train_size: Any, *, cv: Any = None) -> bool:
    """Refuse a share of the rows that was not measured; say whether it is nine tenths.

    For nine tenths `cv` may give the folds, which :func:`check_folds` looks at.
    """
    if train_size is None:
        return False
    if isinstance(train_size, bool) or train_size not in (0.5, 0.9):
        raise ValueError(
            f"train_size={train_size!r} must be 0.5, for training on half of the rows (the "
            "default), or 0.9, for nine tenths: for other shares no valid test is known."
        )
    nine_tenths = train_size == 0.9
    if cv is not None and not nine_tenths:
        raise ValueError(
            f"train_size={train_size} chooses the splits, and cv= gives them: leave one of the "
            "two out."
        )
    return nine_tenths


def repeated_halves(
    data: Data, seed: int, *, n_repeats: int = DEFAULT_HALVINGS
) -> RepeatedHalves:
    """Make the default splitter: halves of the rows, each of which trains and tests once.

    By group, or of rows whatever their classes: class shares are another part of what data sets
    differ in, and halves that all have the same shares would not show what they do in training.
    Only a class of fewer than `FEW_OF_CLASS` rows is dealt out evenly, with all others.
    Overlaps are balanced if there are enough rows or groups for that.
    """
    stratify = False
    n_largest = data.n_samples
    if data.groups is not None:
        n_largest = _check_groups(data)
    elif data.class_counts is not None:
        largest = _check_classes(data.class_counts)
        stratify = min(data.class_counts.values()) < FEW_OF_CLASS
        n_largest = largest if stratify else n_largest
    return RepeatedHalves(
        n_repeats,
        stratify=stratify,
        balanced=n_repeats <= MOST_COLUMNS and n_largest >= fewest_units(n_repeats),
        random_state=seed,
    )


def repeated_folds(
    data: Data, seed: int, *, n_folds: int = DEFAULT_FOLDS, n_repeats: int = 2
) -> Any:
    """Make folds that train on nine tenths of the rows: by group, or stratified by class."""
    if lacking := lacks_for_folds(data, n_folds):
        raise ValueError(f"train_size=0.9 needs {lacking}")
    kind: Any = RepeatedKFold if data.class_counts is None else RepeatedStratifiedKFold
    kind = kind if data.groups is None else RepeatedGroupKFold
    return kind(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)


def folds_within(seed: int) -> Callable[[Data], Any]:
    """Return the default splitter of one of many data sets as a function of the data.

    Ten shuffled folds, stratified for classes, by group where there are groups; fewer
    where classes or groups are too few. The folds only make the data set's own score
    less noisy: the units of the test are data sets.
    """

    def splitter(data: Data) -> Any:
        grouped, counts = data.groups is not None, data.class_counts
        n_splits = min(
            DEFAULT_FOLDS,
            data.n_groups if grouped else data.n_samples,
            min(counts.values()) if counts else data.n_samples,
        )
        if n_splits < 2:
            raise ValueError(
                "there is only one group, or one row of a class: no folds can be made. "
                "Collect more, or give cv yourself."
            )
        return shuffled_folds(n_splits, seed, by_class=data.stratifiable, by_group=grouped)

    return splitter


def lacks_for_folds(data: Data, n_folds: int = DEFAULT_FOLDS) -> str:
    """Say what folds would need that the data do not have; nothing if they have all."""
    if data.groups is not None:
        if data.n_groups < n_folds:
            return (
                f"{n_folds} groups for {n_folds} folds, and groups holds {data.n_groups}. "
                "Leave train_size out, for training on half of the groups."
            )
    elif data.class_counts is not None:
        rarest, n = min(data.class_counts.items(), key=itemgetter(1))
        if n < n_folds:
            return (
                f"a row of every class in each of {n_folds} folds, and y holds class "
                f"{rarest!r} {n} times. Leave train_size out, for training on half of the "
                "rows, or collect more rows of it."
            )
    return ""


def _check_groups(data: Data) -> int:
    n_groups = data.n_groups
    if n_groups < _FEWEST_GROUPS:
        raise ValueError(
            f"groups holds {n_groups} group{'' if n_groups == 1 else 's'}: random splits "
            f"of fewer than {_FEWEST_GROUPS} repeat each other. Collect more groups, or "
            "give cv yourself (LeaveOneGroupOut) and read the doubts."
        )
    return n_groups


def _check_classes(counts: Mapping[Any, int]) -> int:
    rarest, n = min(counts.items(), key=itemgetter(1))
    if n < 2:
        raise ValueError(
            f"y holds class {rarest!r} once only: it cannot be in both training and "
            "test rows. Collect more rows of it, or leave the class out."
        )
    return max(counts.values())


def random_splits(
    data: Data,
    seed: int,
    *,
    n_splits: int = DEFAULT_SPLITS,
    test_size: float = DEFAULT_TEST_SIZE,
) -> Any:
    """Make random splits: by group, stratified where y has classes, or plain."""
    kind: Any = ShuffleSplit
    if data.groups is not None:
        _check_groups(data)
        kind = GroupShuffleSplit
    elif data.class_counts is not None:
        _check_classes(data.class_counts)
        kind = StratifiedShuffleSplit
    return kind(n_splits=n_splits, test_size=test_size, random_state=seed)
