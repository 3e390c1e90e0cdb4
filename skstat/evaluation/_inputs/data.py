"""Arguments that the user gave: data and targets, checked."""

import reprlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import indexable

from skstat.evaluation._inputs.copies import count_copies
from skstat.evaluation._inputs.target import raveled, target_of
from skstat.stats._common import aligned, is_missing, labels_of


@dataclass(frozen=True, eq=False)
class Data:
    """Rows to resample, and what kind of target they carry."""

    X: Any
    y: Any
    groups: Any
    n_samples: int
    target: str | None
    class_counts: Mapping[Any, int] | None
    class_codes: np.ndarray | None

    @property
    def stratifiable(self) -> bool:
        return self.class_codes is not None

    @cached_property
    def n_copies(self) -> int:
        """Rows that repeat another row, in X and in y, and are in another group."""
        return count_copies(self.X, self.y, self.groups)


def check_data(X: Any, y: Any, groups: Any, estimators: Iterable[Any]) -> Data:
    """Check that X, y and groups fit together, and find out what y is.

    Rows are matched by the labels of pandas objects, where there are any.
    """
    estimators = list(estimators)
    if isinstance(X, Mapping):
        raise TypeError(
            f"X is a {type(X).__name__}; pass a table with one row per sample: a DataFrame, an "
            "array or a list of rows."
        )
    X, y, groups = aligned({"X": X, "y": y, "groups": groups}).values()
    n_samples = _length("X", X)
    if n_samples == 0:
        raise ValueError("X has no rows.")
    for name, values in (("y", y), ("groups", groups)):
        if values is not None and _length(name, values) != n_samples:
            raise ValueError(
                f"{name} has {_length(name, values)} rows but X has {n_samples}: every "
                f"row of X needs one entry in {name}."
            )
    X, y, groups = indexable(X, raveled(y), _check_groups(groups))
    target = target_of(y, estimators)
    counts = codes = None
    if target in ("binary", "multiclass") and any(map(is_classifier, estimators)):
        try:
            classes, codes, numbers = np.unique(
                np.asarray(y).ravel(), return_inverse=True, return_counts=True
            )
        except TypeError as error:
            raise ValueError(f"y mixes types that have no order: {error}") from error
        counts = dict(zip(classes.tolist(), numbers.tolist(), strict=True))
        if len(counts) < 2:
            raise ValueError(
                f"y holds one class only ({next(iter(counts))!r}): there is nothing to "
                f"classify. Check how y was made."
            )
    return Data(X, y, groups, n_samples, target, counts, codes)


def _check_groups(groups: Any) -> Any:
    """Return one group per row; refuse rows without."""
    if groups is None:
        return None
    groups = raveled(groups)
    shape = getattr(groups, "shape", (len(groups),))
    if len(shape) != 1:
        raise ValueError(f"groups has shape {shape}; give one group per row.")
    missing = [row for row, group in enumerate(groups) if is_missing(group)]
    if missing:
        raise ValueError(
            f"groups is missing for {len(missing)} rows (row {missing[0]} is one): every row "
            "needs a group. Give rows that belong to no group a group of their own."
        )
    return groups


def named_params(params: Any) -> dict[str, Any]:
    """Return parameters by name; None stands for none."""
    if params is None:
        return {}
    if not isinstance(params, Mapping):
        raise TypeError(
            f"params must be a mapping of name to value, got {type(params).__name__}."
        )
    wrong = next((name for name in params if not isinstance(name, str)), None)
    if wrong is not None:
        raise TypeError(f"params has the name {wrong!r}; names must be strings.")
    return dict(params)


def check_params(data: Data, params: Mapping[str, Any]) -> dict[str, Any]:
    """Bring parameters with labelled rows into the order of the data; leave the others.

    Parameters
    ----------
    data : Data
        What :func:`check_data` gave.
    params : mapping
        Parameters of ``fit`` and ``score`` by name.
    """

    def has_rows(value: Any) -> bool:
        series = not isinstance(value, Mapping) and labels_of(value) is not None
        return series and len(value) == data.n_samples

    per_row = {f"params[{name!r}]": name for name, v in params.items() if has_rows(v)}
    found = align_to(data, {called: params[name] for called, name in per_row.items()})
    return {**params, **{name: found[called] for called, name in per_row.items()}}


def align_to(data: Data, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Bring what belongs to the rows of the data into their order, by its labels.

    Parameters
    ----------
    data : Data
        What :func:`check_data` gave.
    arguments : mapping
        Values with one entry per row, by the name of their argument.
    """
    found = aligned({"X": data.X, "y": data.y, "groups": data.groups, **arguments})
    return {name: found[name] for name in arguments}


def name_estimators(estimators: Any, argument: str = "estimators") -> dict[str, Any]:
    """Return estimators by label, from a mapping, (name, estimator) pairs or a list."""
    if isinstance(estimators, Mapping):
        pairs = list(estimators.items())
    elif _is_no_list(estimators):
        raise TypeError(
            f"{argument} must be a mapping of name to estimator or a list of estimators, "
            f"got {type(estimators).__name__}.{_hint(estimators)}"
        )
    else:
        items = [_pair(item, argument) for item in estimators]
        labels = default_labels(estimator for _, estimator in items)
        pairs = [
            (label if name is None or name == "" else name, e)
            for (name, e), label in zip(items, labels, strict=True)
        ]
    for label, estimator in pairs:
        check_estimator(estimator, f"{argument}[{label!r}]")
    labels = [str(label) for label, _ in pairs]
    repeated = [label for label, count in Counter(labels).items() if count > 1]
    if repeated:
        raise ValueError(f"{argument} holds the name {repeated[0]!r} twice; rename one.")
    return dict(zip(labels, (estimator for _, estimator in pairs), strict=True))


def named_arguments(**arguments: Any) -> dict[str, Any]:
    """Return estimators by label, from arguments that hold one or a (name, estimator)."""
    pairs = []
    for argument, value in arguments.items():
        is_pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)
        if isinstance(value, Mapping | list):
            raise TypeError(
                f"{argument} is a {type(value).__name__}; pass one estimator, or a pair of "
                "name and estimator. compare_estimators takes lists and mappings."
            )
        check_estimator(value[1] if is_pair else value, argument)
        pairs.append(value if is_pair else (None, value))
    return name_estimators(pairs)


def one_or_more(estimator: Any) -> dict[str, Any]:
    """Return estimators by label, from one, a (name, estimator), a mapping or a list."""
    one = hasattr(estimator, "fit") or isinstance(estimator, type)
    pair = isinstance(estimator, tuple) and len(estimator) == 2
    if one or (pair and isinstance(estimator[0], str)):
        return named_arguments(estimator=estimator)
    named = name_estimators(estimator, "estimator")
    if not named:
        raise ValueError("estimator is empty; pass at least one.")
    return named


def _is_no_list(estimators: Any) -> bool:
    """Whether something is one estimator, text, data, or anything but a list."""
    unordered = isinstance(estimators, set | frozenset)  # who is A would be chance
    if unordered or isinstance(estimators, str | bytes) or hasattr(estimators, "shape"):
        return True
    return hasattr(estimators, "fit") or not isinstance(estimators, Iterable)


def _hint(estimators: Any) -> str:
    if hasattr(estimators, "fit"):
        return " Put the estimators into one list: [A, B]."
    return " Data come after the estimators." if hasattr(estimators, "shape") else ""


def _pair(item: Any, argument: str) -> tuple[Any, Any]:
    if not isinstance(item, tuple):
        return None, item
    if len(item) != 2:
        raise TypeError(
            f"{argument} holds a tuple of {len(item)}; a pair is (name, estimator)."
        )
    return item


def default_labels(estimators: Iterable[Any]) -> list[str]:
    """Label estimators by their class names, numbering duplicates."""
    names = [type(estimator).__name__ for estimator in estimators]
    counts, seen = Counter(names), Counter[str]()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if counts[name] == 1 else f"{name} {seen[name]}")
    return labels


def check_estimator(estimator: Any, argument: str) -> None:
    """Refuse what cannot be cloned and fitted."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{argument} is the class {estimator.__name__}; pass an instance: "
            f"{estimator.__name__}()."
        )
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        shown = f"an {type(estimator).__name__}" if hasattr(estimator, "shape") else ""
        raise TypeError(
            f"{argument} is {shown or reprlib.repr(estimator)}, which is not a scikit-learn "
            f"estimator: it needs fit and get_params."
        )


def _length(name: str, values: Any) -> int:
    if isinstance(values, str | bytes):
        raise TypeError(f"{name} is the text {values!r:.40}; pass the values themselves.")
    if isinstance(values, set | frozenset):
        raise TypeError(f"{name} is a set, whose order says nothing; pass a list or an array.")
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} is a masked array, and estimators ignore masks: leave the masked rows "
            f"out, or fill them ({name}.filled)."
        )
    shape = getattr(values, "shape", None)
    if shape is not None and len(shape) > 0:
        return int(shape[0])
    try:
        return len(values)
    except TypeError:
        raise TypeError(
            f"{name} must be a sequence of rows (array, DataFrame, list), got "
            f"{type(values).__name__}."
        ) from None
