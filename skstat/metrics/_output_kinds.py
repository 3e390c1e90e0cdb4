"""Checks that predictions are of the kind that a metric needs: labels, scores or numbers."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats import Predictions
from skstat.stats._read import LARGEST_EXACT, aligned, nested, rows_of, weights_of

Kind = Literal["labels", "numbers", "probabilities", "scores", "anything"]


def check_kind(predictions: Predictions, kind: Kind, metric: str) -> None:
    """Raise ValueError for outputs that are not of the kind a metric needs."""
    if kind == "anything":
        return
    y, once = predictions.y_true, predictions.cache.once
    once("entries", partial(_check_entries, y, "y_true", metric), y)
    for name, output in predictions.outputs.items():
        check = partial(check_output, y, output, f"predictions[{name!r}]", metric, kind)
        once(("kind", kind), check, y, output)


def check_output(
    y: NDArray[Any], output: NDArray[Any], what: str, metric: str, kind: Kind
) -> None:
    """Raise ValueError for an output, named `what`, that is not of a kind."""
    _check_entries(output, what, metric)
    if kind == "labels":
        _check_labels(y, output, what, metric)
        return
    for name, values in {what: output, **({"y_true": y} if kind == "numbers" else {})}.items():
        if values.dtype.kind not in "biuf":
            raise ValueError(f"{metric} needs {kind}, and {name} holds {values.flat[0]!r}.")
        if not np.isfinite(values).all():
            raise ValueError(f"{name} holds infinite values.")
    if kind == "probabilities":
        if output.min() < 0 or output.max() > 1:
            raise ValueError(
                f"{metric} needs probabilities, and {what} ranges from {output.min():.4g} to "
                f"{output.max():.4g}. Pass predict_proba's output."
            )
        sums = output.sum(axis=1) if output.ndim == 2 and output.shape[1] > 1 else np.ones(1)
        row = int(np.abs(sums - 1).argmax())
        if abs(sums[row] - 1) > 1e-3:
            raise ValueError(f"{what}: the probabilities of row {row} sum to {sums[row]:.4g}.")
    if kind != "numbers" and output.ndim == 1 and output.dtype.kind in "biu":
        raise ValueError(
            f"{metric} needs scores or probabilities, and {what} holds whole numbers, which "
            "look like predicted labels. Pass predict_proba or decision_function, as floats."
        )
    if output.shape != y.shape and (kind == "numbers" or (kind == "scores" and y.ndim > 1)):
        raise ValueError(f"{what} has shape {output.shape}, and y_true {y.shape}.")


def check_labels(labels: Any) -> list[Any]:
    """Return `labels` as a list; raise ValueError unless they are distinct single classes."""
    listed = not isinstance(labels, str | bytes | Mapping) and hasattr(labels, "__len__")
    names = np.asarray(labels, dtype=object) if listed else np.empty((0, 0))
    if names.ndim != 1 or len(names) == 0:
        raise ValueError(f"labels={labels!r} must be a list of classes, such as labels=[0, 1].")
    classes = [name.item() if isinstance(name, np.generic) else name for name in names.tolist()]
    try:
        repeated = len(set(classes)) < len(classes)
    except TypeError as error:
        raise ValueError(f"labels={labels!r} must name single classes: {error}.") from error
    if repeated:
        raise ValueError(f"labels={classes} names a class twice; name each once.")
    return classes


def check_pos_label(pos_label: Any) -> None:
    """Raise ValueError for several classes as `pos_label`."""
    if not isinstance(pos_label, str | bytes) and hasattr(pos_label, "__len__"):
        raise ValueError(f"pos_label={pos_label!r} must be one class, not a list of them.")


def binary_truth(y_true: NDArray[Any], pos_label: Any, metric: str) -> NDArray[np.bool_]:
    """Return whether each row is of the positive class."""
    check_pos_label(pos_label)
    classes = sorted_labels(y_true)
    if len(classes) < 2:
        raise ValueError(f"y_true holds one class only, {classes[0]!r}: {metric} is undefined.")
    if len(classes) > 2:
        raise ValueError(
            f"y_true holds {len(classes)} classes, and {metric} needs two; use a metric for "
            "several classes (roc_auc_ovr, neg_log_loss with a matrix of probabilities)."
        )
    if pos_label is None:
        if classes not in ([0, 1], [-1, 1]):
            raise ValueError(
                f"y_true holds {classes}: which class is the positive one? Pass pos_label="
                f"{classes[1]!r} or pos_label={classes[0]!r}."
            )
        pos_label = classes[1]
    elif pos_label not in classes:
        raise ValueError(f"pos_label={pos_label!r} is not in y_true, which holds {classes}.")
    return np.asarray(y_true == pos_label, dtype=bool)


def aligned_rows(
    y_true: Any, output: Any, sample_weight: Any, what: str
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None]:
    """Return truth, outputs (named `what`) and weights as arrays with aligned rows."""
    columns = aligned({"y_true": y_true, what: output, "sample_weight": sample_weight})
    truth, weight = rows_of("y_true", columns["y_true"]), columns["sample_weight"]
    if weight is not None:
        weight = weights_of(rows_of("sample_weight", weight, len(truth)))
    return truth, rows_of(what, columns[what], len(truth)), weight


def binary_scores_of(
    truth: NDArray[Any], output: NDArray[Any], pos_label: Any, metric: str, what: str
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return 0/1 truth and scores of two classes, checked as for a metric of scores."""
    positive = binary_truth(truth, pos_label, metric)
    check_output(truth, output, what, metric, "scores")
    return positive, positive_column(output, what, truth, pos_label).astype(np.float64)


def positive_column(output: NDArray[Any], what: str, truth: Any, pos_label: Any) -> Any:
    """Return the scores of the positive class: a vector, or its column of two."""
    if output.ndim == 1:
        return output
    if output.ndim == 2 and output.shape[1] <= 2:  # of two, in the order of predict_proba
        classes = sorted_labels(truth)
        column = -1 if pos_label is None or output.shape[1] == 1 else classes.index(pos_label)
        return output[:, column]
    raise ValueError(f"{what} has shape {output.shape}; give one score per row or two columns.")


def sorted_labels(labels: NDArray[Any]) -> list[Any]:
    """Return the distinct labels in ascending order, as plain values."""
    if labels.ndim > 1:
        raise ValueError(f"y_true has shape {labels.shape}; one label per row is needed.")
    if labels.dtype.kind in "biuf":
        return list(np.unique(labels).tolist())
    try:
        return sorted(set(labels.tolist()))
    except TypeError as error:
        raise ValueError(f"y_true mixes labels that have no order: {error}") from error


def _check_entries(values: NDArray[Any], what: str, metric: str) -> None:
    """Raise ValueError for entries that no metric of scikit-learn can compare."""
    if nested(values):
        entry = next(value for value in values.ravel() if hasattr(value, "__len__"))
        raise ValueError(
            f"{metric} needs one value per row, and {what} holds a {type(entry).__name__} of "
            f"{len(entry)} in a row (tokens, boxes?). Give every value a row of its own and "
            "pass groups=, or pass a function (y_true, y_pred) of such rows as metric."
        )
    if values.dtype.kind == "O":
        wrong = next((value for value in values.ravel() if isinstance(value, bytes)), None)
        if wrong is not None:
            raise ValueError(f"{what} holds bytes such as {wrong!r}; decode them.")
    elif values.dtype.kind not in "biufmMUT":
        raise ValueError(f"{what} holds {values.dtype} values, which {metric} cannot compare.")


def _check_labels(y_true: NDArray[Any], output: NDArray[Any], what: str, metric: str) -> None:
    if y_true.ndim != output.ndim or y_true.shape[1:] != output.shape[1:]:
        raise ValueError(
            f"{what} has shape {output.shape} and y_true {y_true.shape}; {metric} needs one "
            "predicted label per true label. For probabilities use neg_log_loss, for scores "
            "roc_auc; skstat does not threshold. For the predictions of several seeds pass "
            "seeds= and a list of predictions per system."
        )
    numeric = [labels.dtype.kind in "biuf" for labels in (y_true, output)]
    as_floats = all(numeric) and np.result_type(y_true, output).kind == "f"
    for name, labels in (("y_true", y_true), (what, output)):
        # Labels that floats have rounded, or will, would count as equal to others.
        if as_floats and (largest := np.abs(labels).max(initial=0)) >= LARGEST_EXACT:
            raise ValueError(
                f"{metric} needs labels, and {name} holds {largest:.0f}: labels are finite, "
                "and beyond 2**53 floats leave out whole numbers, so that different labels "
                "would count as equal. Read them as integers of one type, or as text."
            )
        if labels.dtype.kind == "f" and not (whole := labels == np.floor(labels)).all():
            raise ValueError(
                f"{metric} needs labels, and {name} holds numbers such as "
                f"{labels[~whole].flat[0]:.4g}. Are they probabilities or scores? Pass "
                "predict()'s labels, or a metric of scores (roc_auc, neg_log_loss): skstat "
                "does not threshold."
            )
    if numeric[0] != numeric[1]:
        raise ValueError(
            f"y_true holds labels such as {y_true.flat[0]!s} ({y_true.dtype}) and {what} such "
            f"as {output.flat[0]!s} ({output.dtype}): no prediction can be right. Use the "
            f"same kind of labels."
        )


def why_failed(metric: Any, y_true: Any, y_pred: Any) -> str:
    """Say why a metric failed on predictions; empty if that is not known.

    Parameters
    ----------
    metric : ScoreMetric
        The metric that failed.
    y_true, y_pred : ndarray
        Its arguments.
    """
    if not metric.known or np.ndim(y_true) != 1:
        return ""
    given, name = metric.options.get("labels"), metric.known.removesuffix("_score")
    if np.ndim(y_pred) == 2:
        classes = sorted_labels(y_true) if given is None else list(given)
        columns, where = np.shape(y_pred)[1], "y_true" if given is None else "labels"
        if columns != len(classes):
            return (
                f"{metric.name}: the predictions have {columns} columns, and there are "
                f"{len(classes)} classes in {where}. Give one column for each class, in "
                "ascending order; if y_true lacks a class, name all in labels=."
            )
        if name == "roc_auc":
            return (
                f"y_true holds {len(classes)} classes, and {metric.name} is for two; use "
                "roc_auc_ovr or roc_auc_ovo."
            )
    elif metric.kind == "labels" and metric.averages_one_class:
        n_classes = len(sorted_labels(np.concatenate([y_true, y_pred])))
        if n_classes > 2:
            return (
                f"{metric.name} is the score of one class of two, and there are {n_classes}. "
                f"Use '{name}_macro', '{name}_weighted' or '{name}_micro', or "
                f"partial({metric.known}, average=...)."
            )
    return ""
