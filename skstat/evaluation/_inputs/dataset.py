"""Data sets as users hold them: pairs, bunches, functions that load one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from skstat.evaluation._inputs.data import Data

_FOLDS = 10
_EXTRA = ("groups", "sample_weight", "params", "cv")  # of a Bunch, if it has them


@dataclass(frozen=True, eq=False)
class Dataset:
    """One data set, with what belongs to it alone.

    Parameters
    ----------
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; rows of one group stay on one side of a split.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for ``fit`` and for the metrics that take them.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers.
    cv : int, splitter or iterable, optional
        Splits of this data set, instead of those of all.
    name : str, default=""
        Its name, filled in by the comparison; functions that make an estimator for a
        data set may look at it.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat import Dataset
    >>> patients = np.repeat(np.arange(10), 3)
    >>> dataset = Dataset(np.zeros((30, 2)), patients % 2, groups=patients)
    """

    X: Any
    y: Any = None
    groups: Any = field(default=None, kw_only=True)
    sample_weight: Any = field(default=None, kw_only=True)
    params: Mapping[str, Any] | None = field(default=None, kw_only=True)
    cv: Any = field(default=None, kw_only=True)
    name: str = field(default="", kw_only=True)


def named_datasets(datasets: Any) -> dict[str, Any]:
    """Check that data sets are given by name, and that each could be one."""
    if not isinstance(datasets, Mapping) or _is_bunch(datasets):
        raise TypeError(
            "datasets must be a mapping of name to data set, each (X, y), a Bunch, a Dataset "
            f"or a function that loads one; got {type(datasets).__name__}."
        )
    named = {str(name): value for name, value in datasets.items()}
    if len(named) < len(datasets):
        raise ValueError(f"datasets holds a name twice: {list(datasets)}.")
    if not named:
        raise ValueError("datasets is empty; pass at least one.")
    for name, value in named.items():
        if not callable(value):
            read_dataset(name, value)
    return named


def read_dataset(name: str, value: Any) -> Dataset:
    """Read one data set; a function is called to load it."""
    loaded = value() if _is_loader(value) else value
    if isinstance(loaded, Dataset):
        return replace(loaded, name=name)
    if isinstance(loaded, Mapping) and _is_bunch(loaded):
        first, second = ("data", "target") if "data" in loaded else ("X", "y")
        extra = {key: loaded[key] for key in _EXTRA if key in loaded}
        return Dataset(loaded[first], loaded.get(second), name=name, **extra)
    if isinstance(loaded, tuple) and len(loaded) == 2:
        return Dataset(*loaded, name=name)
    what = "the function returned" if _is_loader(value) else "got"
    raise TypeError(
        f"datasets[{name!r}] must be (X, y), a Bunch with data and target, a Dataset, or a "
        f"function that loads one of these; {what} {type(loaded).__name__}."
    )


def estimators_for(estimators: Mapping[str, Any], dataset: Dataset) -> dict[str, Any]:
    """Return the estimators, asking those that are functions for one for this data set."""
    made = {}
    for name, value in estimators.items():
        try:
            made[name] = value(dataset) if is_factory(value) else value
        except Exception as error:
            raise ValueError(
                f"no {name!r} could be made by its function, which gets the Dataset: "
                f"{type(error).__name__}: {error}"
            ) from error
    return made


def is_factory(value: Any) -> bool:
    """Whether a value is a function that makes an estimator for a data set."""
    return callable(value) and not isinstance(value, type) and not hasattr(value, "fit")


def folds(seed: int) -> Callable[[Data], Any]:
    """Return the default splitter of a data set as a function of the data.

    Ten shuffled folds, stratified for classes, by group where there are groups; fewer
    where classes or groups are too few. The folds only make the data set's own score
    less noisy: the units of the test are data sets.
    """

    def splitter(data: Data) -> Any:
        groups = None if data.groups is None else len(np.unique(np.asarray(data.groups)))
        rarest = None if data.class_counts is None else min(data.class_counts.values())
        n_splits = min(n for n in (_FOLDS, groups, rarest, data.n_samples) if n is not None)
        if n_splits < 2:
            raise ValueError(
                "there is only one group, or one row of a class: no folds can be made. "
                "Collect more, or give cv yourself."
            )
        stratified = data.stratifiable
        if groups is not None:
            kind = StratifiedGroupKFold if stratified else GroupKFold
        else:
            kind = StratifiedKFold if stratified else KFold
        return kind(n_splits, shuffle=True, random_state=seed)

    return splitter


def _is_loader(value: Any) -> bool:
    return callable(value) and not isinstance(value, Dataset | Mapping)


def _is_bunch(value: Mapping[Any, Any]) -> bool:
    return ("data" in value and "target" in value) or ("X" in value and "y" in value)
