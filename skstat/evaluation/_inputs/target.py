"""What y is, and whether the estimators can learn it."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import get_tags
from sklearn.utils.multiclass import type_of_target

from skstat.evaluation._baselines import BaselineMixin
from skstat.stats._common import is_missing


def raveled(y: Any) -> Any:
    """Take a column (a frame, an array, a list of lists of one) for its values."""
    if isinstance(y, list | tuple):
        alone = all(isinstance(row, list | tuple) and len(row) == 1 for row in y)
        return [row[0] for row in y] if alone else y
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) != 2 or shape[1] != 1:
        return y
    if hasattr(y, "iloc"):
        return y.iloc[:, 0]
    if hasattr(y, "to_series"):  # polars
        return y.to_series()
    return y if hasattr(y, "toarray") else np.asarray(y).ravel()


def target_of(y: Any, estimators: Iterable[Any]) -> str | None:
    """Return scikit-learn's name of the type of y; refuse what estimators cannot learn."""
    estimators = list(estimators)
    if y is None:
        _refuse_missing(estimators)
        return None
    shape = getattr(y, "shape", ())
    if len(shape) > 2:
        raise ValueError(f"y has shape {shape}; give a target, or several columns, per row.")
    if not hasattr(y, "toarray"):
        _refuse_undefined(y)
    try:
        _refuse_bytes(y)
        target = str(type_of_target(y, input_name="y"))
    except (TypeError, ValueError) as error:
        # The next lines may be pages of numbers.
        reason = str(error).partition("\n")[0]
        raise ValueError(f"y cannot be read as a target: {reason}") from error
    if target == "unknown":
        raise ValueError(
            f"y holds values of type {np.asarray(y).dtype} that are neither classes nor "
            "numbers; do they mix types? Convert them to one."
        )
    if target.startswith("continuous"):
        _refuse_numbers(y, estimators)
    return target


def _refuse_undefined(y: Any) -> None:
    """Refuse rows without a target, of nullable integers too, which NumPy casts anyhow."""
    try:
        values = np.asarray(y)
    except ValueError:  # rows of several lengths
        return
    if values.dtype.kind == "f":
        wrong = ~np.isfinite(values)
    elif values.dtype.kind == "O":
        cells = map(is_missing, values.ravel())
        wrong = np.fromiter(cells, bool, values.size).reshape(values.shape)
    else:
        return
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0])
        raise ValueError(
            f"y of row {place[0]} is {values[place]}: leave out rows without a finite target."
        )


def _refuse_bytes(y: Any) -> None:
    """Refuse labels that older versions of scikit-learn take, with a warning."""
    first = None if hasattr(y, "toarray") else np.asarray(y).ravel()[:1]
    if first is not None and first.size and isinstance(first[0], bytes):
        raise ValueError(
            f"labels such as {first[0]!r} are bytes, which are not text; decode them: "
            "[label.decode() for label in y]."
        )


def _refuse_missing(estimators: list[Any]) -> None:
    for estimator in estimators:
        if get_tags(estimator).target_tags.required:
            raise ValueError(
                f"y is missing, and {type(estimator).__name__} learns from targets: pass X, y."
            )


def _refuse_numbers(y: Any, estimators: list[Any]) -> None:
    """Refuse classifiers for numbers that are not classes."""
    kinds = dict.fromkeys(type(e) for e in estimators if is_classifier(e))
    names = [kind.__name__ for kind in kinds if not issubclass(kind, BaselineMixin)]
    if kinds:
        values, who = np.unique(np.asarray(y)), " and ".join(names) or "a classifier"
        raise ValueError(
            f"y holds numbers that are not classes ({len(values)} different values, such as "
            f"{values[0]:.6g} and {values[-1]:.6g}), and {who} "
            "can only learn classes. Use a regressor, or make classes of y: y > threshold, or "
            "numpy.digitize(y, bins)."
        )
