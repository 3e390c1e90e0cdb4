"""Facts about the rows of a test set, from which doubts in the report are derived."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._times import select_times
from skstat.comparison._question import Procedure, sample_types
from skstat.evaluation import CrossValidationRun, DatasetsRun
from skstat.evaluation._scoring import scorer_of_loss
from skstat.metrics import row_scores
from skstat.metrics._metric import counts_right_rows, is_of_labels
from skstat.metrics._sums import label_codes, right_rows
from skstat.report._doubts import Doubts, Facts, no_better_than_guessing
from skstat.report._evidence import ComparisonEvidence
from skstat.stats import BinaryScores, PairedScores, Predictions
from skstat.stats._kernels import largest_share
from skstat.stats._predictions import rows_where
from skstat.stats._read import numbered, rows_differ
from skstat.stats._scores import effective_groups
from skstat.stats._t_tests import first_autocorrelation

# Correlation of rows, in standard errors, above which it counts as real: for rows in any order,
# and for rows in time order.
_ERRORS_ANY_ORDER = 4.0
_ERRORS_TIME_ORDER = 3.0
_FEWEST_NEIGHBOURS = 50


def row_facts(facts: Facts, pair: Predictions, procedure: Procedure, options: dict) -> Facts:
    """Add facts about the rows of a pair, such as correlations and rare classes."""
    # Rows that are only counted have no order.
    counted, types = pair.counts is not None, sample_types(procedure)
    shuffled_correlation = autocorrelation = neighbours = share = None
    if pair.ordered:
        horizon = options.get("horizon", pair.block_length)
        if horizon is not None or "horizon" not in options:  # else the test chooses it
            autocorrelation = _correlation(pair, horizon or 1)
        if rows := any_row_scores(pair):
            neighbours = first_autocorrelation(rows[0] - rows[1])
    elif not counted:
        shuffled_correlation = _correlation(pair, 1)
    rarest, label = None, ""
    if Predictions in types:
        (rarest, label), share = _rarest(pair), largest_share(pair.kernel)
    if BinaryScores in types:
        positives = int(pair.metric.prepared(pair).y_true.sum())
        rarest = min(positives, pair.n_rows - positives)
    equal = compute_once(pair.family or pair, equal_to_truth)
    return replace(
        facts,
        is_mean=pair.metric.is_mean,
        neighbours_alike=shuffled_correlation,
        autocorrelation=autocorrelation,
        block_length=pair.block_length,
        neighbours=neighbours,
        horizon=options.get("horizon"),
        smallest_stratum=None if pair.strata is None else int(np.bincount(pair.strata).min()),
        aucs=tuple(map(float, pair.scores)) if pair.metric.is_whole_auc else (),
        scores=None if counted else _scored_rows(pair),
        n_differing=compute_once(pair, _n_differing),
        rarest_class=rarest,
        rarest_label=label,
        largest_share=share,
        n_weighed=None if pair.groups is None else effective_groups(pair.groups),
        equal_to_truth=tuple(name for name in pair.names if name in equal),
    )


def compute_once(predictions: Predictions, compute: Callable[..., Any], *arguments: Any) -> Any:
    """Compute what all metrics share only once, and keep it with the predictions."""
    facts, key = predictions.work.facts, (compute, *arguments)
    if key not in facts:
        facts[key] = compute(predictions, *arguments)
    return facts[key]


def equal_to_truth(predictions: Predictions) -> tuple[str, ...]:
    """Return the names of the systems whose predictions equal the truth."""
    outputs, y_true = predictions.outputs, predictions.y_true
    return tuple(name for name in outputs if not rows_differ(outputs[name], y_true).any())


def _rarest(pair: Predictions) -> tuple[int | None, str]:
    """Return the number of rows of the rarest class, and its label.

    The number is None if the metric has no classes. The label is empty if rows have several
    labels, or if the metric does not count the rarest class.
    """
    sizes = pair.kernel.class_sizes
    if not sizes or pair.y_true.ndim > 1:
        return (min(sizes) if sizes else None), ""
    labels, codes = compute_once(pair.family or pair, true_classes)
    counts = np.bincount(codes, weights=(pair.family or pair).counts)
    return min(sizes), str(labels[counts.argmin()]) if counts.min() == min(sizes) else ""


def true_classes(predictions: Predictions) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the labels of the truth in ascending order, and the code of every row."""
    classes, (codes,) = numbered([predictions.y_true])
    return classes, codes


def _n_differing(pair: Predictions) -> int:
    """Return the number of rows, or of groups, on which the outputs differ."""
    outputs: Iterable[NDArray[Any]] = pair.outputs.values()
    if _has_labels(pair) and any(out.dtype.kind == "O" for out in outputs):
        outputs = label_codes(pair).outputs
    differ = rows_differ(*outputs)
    if pair.groups is None:
        return rows_where(pair, differ)
    return len(np.unique(pair.groups[differ]))


def _has_labels(predictions: Predictions) -> bool:
    """Whether outputs are one label per row."""
    return predictions.metric.kind == "labels" and predictions.y_true.ndim == 1


def _scored_rows(pair: Predictions) -> PairedScores | None:
    """Return the paired scores of rows, if the metric is their unweighted mean, else None.

    Rows that are only right or wrong have None too: counts say all about them.
    """
    if pair.metric.facts.counts:
        return None
    scores = None if pair.sample_weight is not None else row_scores(pair)
    return None if scores is None else PairedScores(scores[0], scores[1], unit="instance")


def any_row_scores(pair: Predictions) -> list[NDArray[np.float64]] | None:
    """Return scores of rows: by the metric, or else negative squared errors, or hits."""
    rows = row_scores(pair)
    if rows is None and pair.metric.kind == "numbers" and pair.y_true.ndim == 1:
        y = pair.y_true.astype(float)
        outputs = pair.outputs.values()
        if all(out.ndim == 1 for out in outputs):
            return [-((y - out) ** 2) for out in outputs]
    if rows is None and _has_labels(pair):
        return [right.astype(float) for right in right_rows(pair)]
    return rows


def _correlation(pair: Predictions, lag: int) -> float | None:
    """Return the correlation of differences `lag` rows apart; None if it may be chance.

    Rows that are sorted by class have similar differences on neighbours if systems are better
    at different classes. Without a time order, differences are therefore centred by class.
    """
    if pair.groups is not None or pair.n_rows < max(_FEWEST_NEIGHBOURS, 2 * lag):
        return None
    rows = any_row_scores(pair)
    if rows is None:
        return None
    d = rows[0] - rows[1]
    d -= d.mean()
    if not pair.ordered and pair.metric.kind != "numbers" and pair.y_true.ndim == 1:
        _, classes = compute_once(pair.family or pair, true_classes)
        d -= (np.bincount(classes, weights=d) / np.bincount(classes))[classes]
    squares = float(d @ d)
    if squares <= 0:
        return None
    correlation = float(d[lag:] @ d[:-lag]) / squares
    errors = _ERRORS_TIME_ORDER if pair.ordered else _ERRORS_ANY_ORDER
    return correlation if correlation * math.sqrt(len(d)) > errors else None


def with_run(
    report: ComparisonEvidence, run: CrossValidationRun | DatasetsRun
) -> ComparisonEvidence:
    """Add the times of a run to the report, and bounds and assumed direction of the metric."""
    return replace(
        report,
        times=select_times(run.times, report.names),
        direction_assumed=scorer_of_loss(report.metric, run.losses),
        bounds=run.bounds.get(report.metric, (None, None)),
    )


def with_guessing_doubts(report: ComparisonEvidence, class_sizes: Any) -> ComparisonEvidence:
    """Add a doubt for accuracies close to those of always predicting the largest class.

    Parameters
    ----------
    report : ComparisonEvidence
        On systems whose scores are shares of rows that are right, or wrong.
    class_sizes : array-like of shape (n_classes,), None, or callable
        Number of rows of every class, or a function that returns it; None where it is not
        known, or the metric is no such share. There is no doubt then.
    """

    def facts() -> Facts:
        sizes = class_sizes() if callable(class_sizes) else class_sizes
        if sizes is None:
            return Facts()
        share, n_rows = _largest(np.asarray(sizes))
        names = report.names if report.kind == "pair" else report.scores  # as they are shown
        shown = {name: report.shown_metric.value(report.scores[name]) for name in names}
        right = {name: 1 - score if report.is_loss else score for name, score in shown.items()}
        return Facts(accuracies=right, largest_class=share, n_rows=n_rows)

    return with_doubts(report, facts)


def with_label_doubts(
    report: ComparisonEvidence, run: CrossValidationRun, names: Sequence[str]
) -> ComparisonEvidence:
    """Add doubts for learners that predict a class hardly ever, or on some splits only.

    Parameters
    ----------
    report : ComparisonEvidence
        A test over the splits of the run, by a metric of labels; others are returned unchanged.
    run : CrossValidationRun
        The run.
    names : sequence of str
        Learners to check.
    """
    identical = report.kind == "pair" and report.compared.identical
    if report.sample.unit != "split" or identical or not is_of_labels(report.metric):
        return report
    return with_doubts(report, partial(label_facts, run, names))


def label_facts(run: CrossValidationRun, names: Sequence[str]) -> Facts:
    """Return the number of rows of each class, and on how many learners predict it.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    names : sequence of str
        Learners to check.
    """
    held, predicted = run.tested_classes
    named = {name: predicted[name] for name in names if name in predicted}
    labels = np.unique(np.asarray(run.y)).astype(str).tolist() if named else []
    return Facts(labels=labels, n_predicted=named, n_true=held)


def with_guessed_datasets(
    report: ComparisonEvidence, run: DatasetsRun, metric: str
) -> ComparisonEvidence:
    """Add a doubt for accuracies no better than guessing on some of many data sets."""
    if metric not in run.hits:
        return report
    table = run.table(metric)
    at_guess, n_known = [], 0
    for name, scores in zip(table.datasets, table.scores, strict=True):
        part = run.datasets.get(name)  # None where the data set could not be used
        if part is None or part.class_sizes is None or not np.isfinite(scores).all():
            continue
        n_known += 1
        right = dict(zip(table.names, scores, strict=True))
        if len(no_better_than_guessing(right, *_largest(part.class_sizes))) == len(right):
            at_guess.append(name)
    return with_doubts(report, Facts(at_guess=tuple(at_guess), n_datasets=n_known))


def class_sizes(predictions: Predictions) -> NDArray[Any] | None:
    """Return the rows of every class; None if the metric does not count right rows."""
    if predictions.y_true.ndim > 1 or predictions.sample_weight is not None:
        return None
    if not counts_right_rows(predictions.metric):
        return None
    _, codes = compute_once(predictions.family or predictions, true_classes)
    return np.bincount(codes, weights=(predictions.family or predictions).counts)


def _largest(class_sizes: NDArray[Any]) -> tuple[float, int]:
    """Return the share of rows of the largest class, and the number of all rows."""
    n_rows = float(class_sizes.sum())
    return float(class_sizes.max()) / n_rows, int(n_rows)


def with_doubts(report: ComparisonEvidence, facts: Facts | Callable) -> ComparisonEvidence:
    """Add the doubts that follow from facts; they are computed when first read."""
    return replace(report, doubts=Doubts(report.doubts, facts))
