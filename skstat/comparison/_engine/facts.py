"""What is known about the rows of a test set beside the numbers, for doubts and the report."""

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

# Correlation of rows, in standard errors, that no luck explains: of rows in any order, and
# of rows that are known to follow each other.
_ALIKE = 4.0
_BEYOND = 3.0
_FEWEST_NEIGHBOURS = 50


def row_facts(facts: Facts, pair: Predictions, procedure: Procedure, options: dict) -> Facts:
    """Add what is known about the rows beside the numbers."""
    # What is one row after another is not known where rows are only counted.
    counted, types = pair.counts is not None, sample_types(procedure)
    alike = beyond = neighbours = share = None
    if pair.ordered:
        reach = options.get("horizon", pair.block_length)
        if reach is not None or "horizon" not in options:  # else the test looks how far
            beyond = _correlation(pair, reach or 1)
        if rows := any_row_scores(pair):
            neighbours = first_autocorrelation(rows[0] - rows[1])
    elif not counted:
        alike = _correlation(pair, 1)
    rarest, label = None, ""
    if Predictions in types:
        (rarest, label), share = _rarest(pair), largest_share(pair.kernel)
    if BinaryScores in types:
        positives = int(pair.metric.prepared(pair).y_true.sum())
        rarest = min(positives, pair.n_rows - positives)
    right = once(pair.family or pair, equal_to_truth)
    return replace(
        facts,
        is_mean=pair.metric.is_mean,
        neighbours_alike=alike,
        autocorrelation=beyond,
        block_length=pair.block_length,
        neighbours=neighbours,
        horizon=options.get("horizon"),
        smallest_stratum=None if pair.strata is None else int(np.bincount(pair.strata).min()),
        aucs=tuple(map(float, pair.scores)) if pair.metric.is_whole_auc else (),
        scores=None if counted else _scored_rows(pair),
        n_differing=once(pair, _n_differing),
        rarest_class=rarest,
        rarest_label=label,
        largest_share=share,
        n_weighed=None if pair.groups is None else effective_groups(pair.groups),
        equal_to_truth=tuple(name for name in pair.names if name in right),
    )


def once(predictions: Predictions, find: Callable[..., Any], *known: Any) -> Any:
    """Find out what is the same for all metrics once; of a family, for all of its pairs."""
    facts, key = predictions.work.facts, (find, *known)
    if key not in facts:
        facts[key] = find(predictions, *known)
    return facts[key]


def equal_to_truth(predictions: Predictions) -> tuple[str, ...]:
    """Name the systems whose predictions are the truth itself."""
    outputs, y_true = predictions.outputs, predictions.y_true
    return tuple(name for name in outputs if not rows_differ(outputs[name], y_true).any())


def _rarest(pair: Predictions) -> tuple[int | None, str]:
    """Count the rows of the rarest class, if the metric is one of classes; say its label.

    It has one if rows have one each and the metric counts that class.
    """
    sizes = pair.kernel.class_sizes
    if not sizes or pair.y_true.ndim > 1:
        return (min(sizes) if sizes else None), ""
    labels, codes = once(pair.family or pair, true_classes)
    counts = np.bincount(codes, weights=(pair.family or pair).counts)
    return min(sizes), str(labels[counts.argmin()]) if counts.min() == min(sizes) else ""


def true_classes(predictions: Predictions) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Labels of the truth in ascending order, and the number of that of every row."""
    classes, (codes,) = numbered([predictions.y_true])
    return classes, codes


def _n_differing(pair: Predictions) -> int:
    """Count the rows, or groups, on which the outputs differ."""
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
    """Pair the scores of every row, if the metric is their plain mean.

    Not of rows that are right or wrong: how often is all that there is to know of them.
    """
    if pair.metric.facts.counts:
        return None
    rows = None if pair.sample_weight is not None else row_scores(pair)
    return None if rows is None else PairedScores(rows[0], rows[1], unit="instance")


def any_row_scores(pair: Predictions) -> list[NDArray[np.float64]] | None:
    """Per-row scores of the metric, or else whether a row is right, or its squared error."""
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
    """Correlation of differences `lag` rows apart, if no luck explains it.

    Rows without a time that stand class by class are not groups: systems that are better at
    different classes have similar differences on neighbours there. Within the classes they do
    not.
    """
    if pair.groups is not None or pair.n_rows < max(_FEWEST_NEIGHBOURS, 2 * lag):
        return None
    rows = any_row_scores(pair)
    if rows is None:
        return None
    d = rows[0] - rows[1]
    d -= d.mean()
    if not pair.ordered and pair.metric.kind != "numbers" and pair.y_true.ndim == 1:
        _, classes = once(pair.family or pair, true_classes)
        d -= (np.bincount(classes, weights=d) / np.bincount(classes))[classes]
    squares = float(d @ d)
    if squares <= 0:
        return None
    correlation = float(d[lag:] @ d[:-lag]) / squares
    errors = _BEYOND if pair.ordered else _ALIKE
    return correlation if correlation * math.sqrt(len(d)) > errors else None


def beside_run(
    report: ComparisonEvidence, run: CrossValidationRun | DatasetsRun
) -> ComparisonEvidence:
    """Add what a run knows of times and of the metric: its bounds, an assumed direction."""
    return replace(
        report,
        times=select_times(run.times, report.names),
        direction_assumed=scorer_of_loss(report.metric, run.losses),
        bounds=run.bounds.get(report.metric, (None, None)),
    )


def beside_largest_class(report: ComparisonEvidence, class_sizes: Any) -> ComparisonEvidence:
    """Doubt accuracies that are about those of always naming the largest class.

    Parameters
    ----------
    report : ComparisonEvidence
        Of systems whose scores are shares of rows that are right, or wrong.
    class_sizes : array-like of shape (n_classes,), None, or callable
        Rows of every class, or what counts them; None where they are not known, or the metric
        is another. No doubt is raised then.
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


def beside_named_rows(
    report: ComparisonEvidence, run: CrossValidationRun, names: Sequence[str]
) -> ComparisonEvidence:
    """Doubt learners that name a class hardly ever or by turns, for metrics of labels.

    Parameters
    ----------
    report : ComparisonEvidence
        A test over the splits of the run; others are returned as they are.
    run : CrossValidationRun
        The run.
    names : sequence of str
        Learners that are looked at.
    """
    alike = report.kind == "pair" and report.compared.identical
    if report.sample.unit != "split" or alike or not is_of_labels(report.metric):
        return report
    return with_doubts(report, partial(named_rows, run, names))


def named_rows(run: CrossValidationRun, names: Sequence[str]) -> Facts:
    """Count the rows that learners name each class on.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    names : sequence of str
        Learners that are looked at.
    """
    held, every = run.tested_classes
    named = {name: every[name] for name in names if name in every}
    labels = np.unique(np.asarray(run.y)).astype(str).tolist() if named else []
    return Facts(labels=labels, n_predicted=named, n_true=held)


def beside_largest_classes(
    report: ComparisonEvidence, run: DatasetsRun, metric: str
) -> ComparisonEvidence:
    """Doubt accuracies that are so on some of many data sets."""
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
    """Rows of every class of a test set; None where the metric does not count right rows."""
    if predictions.y_true.ndim > 1 or predictions.sample_weight is not None:
        return None
    if not counts_right_rows(predictions.metric):
        return None
    _, codes = once(predictions.family or predictions, true_classes)
    return np.bincount(codes, weights=(predictions.family or predictions).counts)


def _largest(class_sizes: NDArray[Any]) -> tuple[float, int]:
    """Return the share of rows that are of the largest class, and the number of all rows."""
    n_rows = float(class_sizes.sum())
    return float(class_sizes.max()) / n_rows, int(n_rows)


def with_doubts(report: ComparisonEvidence, facts: Facts | Callable) -> ComparisonEvidence:
    """Add the doubts that go by facts, which are found when somebody looks at them."""
    return replace(report, doubts=Doubts(report.doubts, facts))
