"""From predictions and the options of a metric to its kernel, if it has one for them.

Which metric has which is in ``_known.py``. A builder gets the predictions, the options that
the user named, and whether the metric is a loss; it returns None where it has no formula.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.metrics import _label_kernels as labels
from skstat.metrics import _loss_kernels as losses
from skstat.metrics._cells import label_codes
from skstat.metrics._costs import row_costs
from skstat.metrics._output_kinds import sorted_labels
from skstat.metrics._rank_kernel import RankedRows, RankKernel
from skstat.stats import Kernel, Predictions
from skstat.stats._common import ordering_of

Builder = Callable[[Predictions, Mapping[str, Any], bool], Kernel | None]


def of_margins(formula: labels.Formula, *allowed: str, **fixed: Any) -> Builder:
    """A metric of class counts, if its options are among those the formula knows."""

    def build(
        predictions: Predictions, options: Mapping[str, Any], is_loss: bool
    ) -> Kernel | None:
        several_numbers = options.get("average", "") is None
        options = {key: value for key, value in options.items() if value is not None}
        if is_loss or predictions.y_true.ndim > 1 or not set(options) <= set(allowed):
            return None
        if several_numbers or options.get("zero_division", "warn") not in ("warn", 0):
            return None
        settings = {**fixed, **options}
        chosen = _chosen(predictions, settings)
        average = settings.get("average", "binary")
        if average not in ("binary", "micro", "macro", "weighted"):
            return None
        weight = predictions.sample_weight
        of_present = "average" in allowed and average == "macro" and chosen is None
        if of_present and weight is not None and not weight.all():
            return None  # a class of rows without weight counts, and sums do not show it
        return labels.margins_kernel(
            predictions,
            formula,
            labels.Classes(
                by_class=average in ("binary", "macro"),
                chosen=chosen,
                average="macro" if average == "binary" else average,
                beta=settings.get("beta", 1.0),
                adjusted=settings.get("adjusted", False),
            ),
        )

    return build


def _chosen(predictions: Predictions, settings: Mapping[str, Any]) -> Any:
    """Numbers of the classes an average runs over; None for those that are present."""
    classes = label_codes(predictions).classes.tolist()
    if settings.get("average", "binary") == "binary" and "average" in settings:
        wanted = [settings.get("pos_label", 1)]
    elif "labels" in settings:
        wanted = list(settings["labels"])
    else:
        return None
    missing = [label for label in wanted if label not in classes]
    if missing and settings.get("average") == "binary" and "pos_label" not in settings:
        raise ValueError(
            f"the labels are {classes}: which is the positive one? Pass pos_label, or a metric "
            "that averages over classes (f1_macro)."
        )
    if missing:
        raise ValueError(
            f"{missing[0]!r} is in neither y_true nor the predictions, which hold {classes}: "
            "pass pos_label or labels among them."
        )
    return np.array([classes.index(label) for label in wanted])


def hits(predictions: Predictions, options: Mapping[str, Any], is_loss: bool) -> Any:
    """Share of rows that are right."""
    if options or is_loss:
        return None
    right = labels.right_rows(predictions)
    return labels.hits_kernel(predictions, [hit.astype(np.float64) for hit in right])


def misses(predictions: Predictions, options: Mapping[str, Any], is_loss: bool) -> Any:
    """Share of rows that are wrong."""
    if options:
        return None
    sign = -1.0 if is_loss else 1.0
    right = labels.right_rows(predictions)
    return labels.hits_kernel(predictions, [sign * (1.0 - hit.astype(float)) for hit in right])


def costs(predictions: Predictions, options: Mapping[str, Any], is_loss: bool) -> Any:
    """Mean of the costs of the rows, with classes that no resample changes."""
    of_rows = row_costs(predictions.y_true, predictions.outputs, **options)
    codes = label_codes(predictions)
    sign = -1.0 if is_loss else 1.0
    kinds = [codes.y_true, *codes.outputs]
    return labels.mean_kernel(predictions, [sign * cost for cost in of_rows], kinds, "labels")


def mean_loss(rows: Callable[..., Any], *allowed: str, root: bool = False) -> Builder:
    """The mean of a loss of numbers, or its root."""

    def build(
        predictions: Predictions, options: Mapping[str, Any], is_loss: bool
    ) -> Kernel | None:
        if not set(options) <= set(allowed):
            return None
        if root and (not is_loss or predictions.y_true.ndim > 1):
            return None  # of several outputs, the mean of their roots
        y = predictions.y_true.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = [rows(y, p.astype(np.float64), **options) for p in _outputs(predictions)]
        if not all(np.isfinite(term).all() and term.ndim == 1 for term in terms):
            return None
        if root:
            return losses.root_kernel(predictions, terms)
        return losses.loss_kernel(predictions, terms, -1.0 if is_loss else 1.0)

    return build


def of_probabilities(rows: Callable[..., Any]) -> Builder:
    """The mean of a loss of probabilities."""

    def build(
        predictions: Predictions, options: Mapping[str, Any], is_loss: bool
    ) -> Kernel | None:
        if set(options) - {"labels"}:
            return None
        known = options.get("labels")
        classes = sorted(known) if known is not None else sorted_labels(predictions.y_true)
        for label in sorted_labels(predictions.y_true):
            if label not in classes:
                raise ValueError(f"y_true holds {label!r}, which is not in labels={classes}.")
        outputs = _outputs(predictions)
        for p in outputs:
            if (p.ndim == 1 and classes != [0, 1]) or (
                p.ndim == 2 and p.shape[1] != len(classes)
            ):
                return None
        codes = np.searchsorted(np.asarray(classes), predictions.y_true)
        terms = [rows(codes, p) for p in outputs]
        return _of_classes(predictions, codes, terms, is_loss)

    return build


def brier(predictions: Predictions, options: Mapping[str, Any], is_loss: bool) -> Any:
    if options or any(p.ndim > 1 for p in _outputs(predictions)):
        return None
    terms = [losses.brier(predictions.y_true, p) for p in _outputs(predictions)]
    return _of_classes(predictions, predictions.y_true, terms, is_loss)


def _of_classes(
    predictions: Predictions, codes: Any, terms: list[NDArray[np.float64]], is_loss: bool
) -> Kernel:
    """The mean of a loss of probabilities, which is large on the rows of a rare class."""
    kernel = losses.loss_kernel(predictions, terms, -1.0 if is_loss else 1.0)
    rows = np.unique(codes, return_counts=True)[1]
    return replace(kernel, class_sizes=tuple(rows.tolist()))


def variance_share(kernel: Callable[..., Kernel]) -> Builder:
    def build(
        predictions: Predictions, options: Mapping[str, Any], is_loss: bool
    ) -> Kernel | None:
        if options or is_loss or predictions.y_true.ndim > 1:
            return None
        y = predictions.y_true.astype(np.float64)
        outputs = [p.astype(np.float64) for p in _outputs(predictions)]
        return kernel(predictions, y, outputs)

    return build


def of_ranks(
    metric: Any, predictions: Predictions, options: Mapping[str, Any], is_loss: bool
) -> Kernel | None:
    if is_loss:
        return None
    outputs = _outputs(predictions)
    several = [p.ndim == 2 for p in outputs]
    options = dict(options)
    classes: list[Any]
    columns: list[int | None]
    if not any(several) and options.pop("multi_class", "ovr") == "ovr":
        options.pop("average", None)
        if options:
            return None
        classes, columns = [1], [None]
        by_prevalence = False
    elif all(several) and options.get("multi_class") == "ovr" and metric == "auc":
        classes = list(options.get("labels") or sorted_labels(predictions.y_true))
        average = options.get("average", "macro")
        if average not in ("macro", "weighted") or any(
            p.shape[1] != len(classes) for p in outputs
        ):
            return None
        columns = list(range(len(classes)))
        by_prevalence = average == "weighted"
    else:
        return None
    tasks = list(zip(classes, columns, strict=True))
    return RankKernel(
        plan=predictions.plan,
        rankings=tuple(
            tuple(_ranked(predictions, p, *task) for task in tasks) for p in outputs
        ),
        metric=metric,
        by_prevalence=by_prevalence,
        groups=predictions.groups,
        sample_weight=predictions.sample_weight,
    )


def _ranked(
    predictions: Predictions, scores: NDArray[Any], label: Any, column: int | None
) -> RankedRows:
    """One score of one system against one class, sorted once for all who ask."""
    known, y = predictions.known, predictions.y_true
    positive = known.once(("positive", label), lambda: y == label, y)
    ordering = ordering_of(known, scores, column)
    ranked = ("ranked", column)
    return known.once(ranked, lambda: RankedRows(positive, ordering), scores, positive)


def rank_loss(predictions: Predictions, options: Mapping[str, Any], is_loss: bool) -> Any:
    """Minus the pairs of a positive and a negative row that are in the wrong order."""
    kernel = of_ranks("auc", predictions, options, False) if is_loss else None
    return None if kernel is None else replace(kernel, metric="minus_rank_loss")  # type: ignore[type-var]


def _outputs(predictions: Predictions) -> list[Any]:
    return list(predictions.outputs.values())
