"""The kind of predictions that a metric needs: checked, never made by a threshold."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats import Predictions
from skstat.stats._read import LARGEST_EXACT, aligned, nested, rows_of, weights_of

Kind = Literal["labels", "numbers", "probabilities", "scores", "anything"]

_MOST_SHOWN = 10


def check_kind(predictions: Predictions, kind: Kind, metric: str) -> None:
    """Refuse outputs that are not of the kind a metric needs."""
    if kind == "anything":
        return
    y, once = predictions.y_true, predictions.known.once
    once("entries", partial(_check_entries, y, "y_true", metric), y)
    for name, output in predictions.outputs.items():
        check = partial(_check_output, y, output, f"predictions[{name!r}]", metric, kind)
        once(("kind", kind), check, y, output)


def _check_output(
    y: NDArray[Any], output: NDArray[Any], what: str, metric: str, kind: Kind
) -> None:
    _check_entries(output, what, metric)
    if kind == "labels":
        _check_labels(y, output, what, metric)
        return
    _check_numbers(output, what, metric, kind)
    if kind == "probabilities":
        if output.min() < 0 or output.max() > 1:
            raise ValueError(
                f"{metric} needs probabilities, and {what} ranges from {output.min():.4g} to "
                f"{output.max():.4g}. Pass predict_proba's output."
            )
        sums = output.sum(axis=1) if output.ndim == 2 and output.shape[1] > 1 else np.ones(1)
        if np.abs(sums - 1).max() > 1e-3:
            row = int(np.abs(sums - 1).argmax())
            raise ValueError(f"{what}: the probabilities of row {row} sum to {sums[row]:.4g}.")
    if kind == "numbers":
        _check_numbers(y, "y_true", metric, kind)
    elif output.ndim == 1 and output.dtype.kind in "biu":
        raise ValueError(
            f"{metric} needs scores or probabilities, and {what} holds whole numbers, which "
            "look like predicted labels. Pass predict_proba or decision_function; if they "
            "are scores, pass them as floats."
        )
    if output.shape != y.shape and (kind == "numbers" or (kind == "scores" and y.ndim > 1)):
        raise ValueError(
            f"{what} has shape {output.shape} and y_true {y.shape}; {metric} needs one "
            "prediction for each value of y_true."
        )


def check_labels(labels: Any) -> list[Any]:
    """Return classes that the caller named, each once."""
    listed = not isinstance(labels, str | bytes | Mapping) and hasattr(labels, "__len__")
    names = np.asarray(labels, dtype=object) if listed else np.empty((0, 0))
    if names.ndim != 1 or len(names) == 0:
        raise ValueError(
            f"labels={labels!r} must be a list of classes, with at least one, such as "
            "labels=[0, 1]."
        )
    found = [name.item() if isinstance(name, np.generic) else name for name in names.tolist()]
    try:
        repeated = len(set(found)) < len(found)
    except TypeError as error:
        raise ValueError(f"labels={labels!r} must name single classes: {error}.") from error
    if repeated:
        raise ValueError(f"labels={found} names a class twice; name each once.")
    return found


def check_pos_label(pos_label: Any) -> None:
    """Refuse several classes where one is the positive one."""
    if not isinstance(pos_label, str | bytes) and hasattr(pos_label, "__len__"):
        raise ValueError(f"pos_label={pos_label!r} must be one class, not a list of them.")


def binary_truth(y_true: NDArray[Any], pos_label: Any, metric: str) -> NDArray[np.bool_]:
    """Whether each row is of the positive class."""
    check_pos_label(pos_label)
    classes = sorted_labels(y_true)
    if len(classes) < 2:
        raise ValueError(
            f"y_true holds one class only ({classes[0]!r}): {metric} is undefined."
        )
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
    """Truth, outputs (called `what`) and weights as arrays of one order of rows."""
    given = aligned({"y_true": y_true, what: output, "sample_weight": sample_weight})
    truth, weight = rows_of("y_true", given["y_true"]), given["sample_weight"]
    if weight is not None:
        weight = weights_of(rows_of("sample_weight", weight, len(truth)))
    return truth, rows_of(what, given[what], len(truth)), weight


def binary_scores_of(
    y_true: Any, y_score: Any, pos_label: Any, metric: str, what: str = "y_score"
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Truth and scores of two classes, checked as predictions for a metric of scores are."""
    truth = rows_of("y_true", y_true)
    output = rows_of(what, y_score, len(truth))
    positive = binary_truth(truth, pos_label, metric)
    _check_output(truth, output, what, metric, "scores")
    return positive, positive_column(output, what, truth, pos_label).astype(np.float64)


def positive_column(output: NDArray[Any], what: str, truth: Any, pos_label: Any) -> Any:
    """Scores of the positive class: a vector, or its column of two."""
    if output.ndim == 1:
        return output
    if output.ndim == 2 and output.shape[1] == 1:
        return output[:, 0]
    if output.ndim == 2 and output.shape[1] == 2:  # in the order of predict_proba
        classes = sorted_labels(truth)
        column = 1 if pos_label is None else classes.index(pos_label)
        return output[:, column]
    raise ValueError(
        f"{what} has shape {output.shape}; give one score per row, or the two columns of "
        "predict_proba."
    )


def sorted_labels(labels: NDArray[Any]) -> list[Any]:
    """Different labels in ascending order, as plain values."""
    if labels.ndim > 1:
        raise ValueError(
            f"y_true has shape {labels.shape}; this metric needs one label per row."
        )
    if labels.dtype.kind in "biuf":
        return list(np.unique(labels).tolist())
    try:
        return sorted(set(labels.tolist()))
    except TypeError as error:
        raise ValueError(f"y_true mixes labels that have no order: {error}") from error


def _check_entries(values: NDArray[Any], what: str, metric: str) -> None:
    """Refuse entries that no metric of scikit-learn can compare."""
    if nested(values):
        entry = next(value for value in values.ravel() if hasattr(value, "__len__"))
        raise ValueError(
            f"{metric} needs one value per row, and {what} holds a {type(entry).__name__} of "
            f"{len(entry)} in a row (tokens, boxes?). Give every value a row of its own and "
            "pass groups=, or pass a function (y_true, y_pred) of such rows as metric."
        )
    if values.dtype.kind == "O":
        found = next((value for value in values.ravel() if isinstance(value, bytes)), None)
        if found is not None:
            raise ValueError(
                f"{what} holds bytes such as {found!r}, which are not text; decode them: "
                "[label.decode() for label in labels]."
            )
    elif values.dtype.kind not in "biufmMUT":
        raise ValueError(f"{what} holds {values.dtype} values, which {metric} cannot compare.")


def _check_exact(y_true: NDArray[Any], values: NDArray[Any], what: str, metric: str) -> None:
    """Refuse labels that floats have rounded, or will: others would count as equal."""
    number = all(labels.dtype.kind in "biuf" for labels in (y_true, values))
    if number and np.result_type(y_true, values).kind == "f":
        largest = np.abs(values).max(initial=0)
        if largest >= LARGEST_EXACT:
            raise ValueError(
                f"{metric} needs labels, and {what} holds {largest:.0f}: labels are finite, "
                "and beyond 2**53 floats leave out whole numbers, so that different labels "
                "would count as equal. Read them as integers of one type, or as text."
            )


def _check_labels(y_true: NDArray[Any], output: NDArray[Any], what: str, metric: str) -> None:
    if y_true.ndim != output.ndim or y_true.shape[1:] != output.shape[1:]:
        raise ValueError(
            f"{what} has shape {output.shape} and y_true {y_true.shape}; {metric} needs one "
            "predicted label per true label. For probabilities use neg_log_loss, for scores "
            "roc_auc; skstat does not threshold. For the predictions of several seeds pass "
            "seeds= and a list of predictions per system."
        )
    for name, labels in (("y_true", y_true), (what, output)):
        _check_exact(y_true, labels, name, metric)
        if labels.dtype.kind == "f":
            whole = labels == np.floor(labels)
            if not whole.all():
                value = labels[~whole].flat[0]
                raise ValueError(
                    f"{metric} needs labels, and {name} holds numbers such as {value:.4g}. "
                    "Are they probabilities or scores? Pass predict()'s labels, or a metric "
                    "of scores (roc_auc, neg_log_loss): skstat does not threshold."
                )
    if (y_true.dtype.kind in "biuf") != (output.dtype.kind in "biuf"):
        raise ValueError(
            f"y_true holds labels such as {y_true.flat[0]!s} ({y_true.dtype}) and {what} such "
            f"as {output.flat[0]!s} ({output.dtype}): no prediction can be right. Use the "
            f"same kind of labels."
        )


def _check_numbers(values: NDArray[Any], what: str, metric: str, kind: str) -> None:
    if values.dtype.kind not in "biuf":
        raise ValueError(
            f"{metric} needs {kind}, and {what} holds values such as {values.flat[0]!r}."
        )
    if not np.isfinite(values).all():
        raise ValueError(f"{what} holds infinite values.")


def why_failed(metric: Any, y_true: Any, y_pred: Any) -> str:
    """Say what the predictions lack for a metric; nothing if that is not known.

    Parameters
    ----------
    metric : ScoreMetric
        The metric that failed.
    y_true, y_pred : ndarray
        What it was called with.
    """
    if not metric.known or np.ndim(y_true) != 1:
        return ""
    given = metric.options.get("labels")
    classes = sorted_labels(np.asarray(y_true)) if given is None else list(given)
    columns = np.shape(y_pred)[1] if np.ndim(y_pred) == 2 else None
    if columns is not None and columns != len(classes):
        where = "y_true" if given is None else "labels"
        return (
            f"{metric.name}: the predictions have {columns} columns, and there are "
            f"{len(classes)} classes in {where} ({_shown(classes)}). Give one column "
            "for each class, in ascending order; if y_true lacks a class, name all in labels=."
        )
    if columns is not None and metric.known == "roc_auc_score":
        return (
            f"y_true holds {len(classes)} classes, and {metric.name} is for two; use "
            "roc_auc_ovr or roc_auc_ovo."
        )
    if columns is None:
        classes = sorted_labels(np.concatenate([np.asarray(y_true), np.asarray(y_pred)]))
    one_class = metric.kind == "labels" and metric.averages_one_class
    if one_class and len(classes) > 2:
        name = metric.known.removesuffix("_score")
        return (
            f"{metric.name} is the score of one class of two, and there are {len(classes)} "
            f"({_shown(classes)}). Use '{name}_macro', '{name}_weighted' or '{name}_micro', or "
            f"partial({metric.known}, average=...)."
        )
    return ""


def _shown(classes: list[Any]) -> str:
    shown = ", ".join(map(repr, classes[:_MOST_SHOWN]))
    return shown + (", ..." if len(classes) > _MOST_SHOWN else "")
