"""What a whole report says beside its scores: times, the largest class, who names which."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat._times import select_times
from skstat.comparison._engine.row_facts import once_for_all, true_classes
from skstat.evaluation import CrossValidationRun, DatasetsRun
from skstat.evaluation._scoring import scorer_of_loss
from skstat.metrics._guesses import counts_right_rows
from skstat.metrics._metric import is_of_labels
from skstat.report._doubts import Facts, by_code, find_doubts, no_better_than_guessing
from skstat.report._evidence import ComparisonEvidence
from skstat.stats import Predictions


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


def beside_largest_class(
    report: ComparisonEvidence, class_sizes: ArrayLike | None
) -> ComparisonEvidence:
    """Doubt accuracies that are about those of always naming the largest class.

    Parameters
    ----------
    report : ComparisonEvidence
        Of systems whose scores are shares of rows that are right, or wrong.
    class_sizes : array-like of shape (n_classes,) or None
        Rows of every class; None where they are not known, or the metric is another. The
        report is returned as it is then.
    """
    if class_sizes is None:
        return report
    share, n_rows = _largest(np.asarray(class_sizes))
    return _with(report, Facts(right=_right(report), largest_class=share, n_rows=n_rows))


def beside_classes(
    report: ComparisonEvidence, run: CrossValidationRun, names: Sequence[str]
) -> ComparisonEvidence:
    """Doubt what a run says of the classes that its learners name."""
    report = beside_largest_class(report, run.class_sizes_for(report.metric))
    return beside_named_rows(report, run, names)


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
    if report.unit != "split" or alike or not is_of_labels(report.metric):
        return report
    return _with(report, named_rows(run, names))


def named_rows(run: CrossValidationRun, names: Sequence[str]) -> Facts:
    """Count the rows that learners name each class on.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    names : sequence of str
        Learners that are looked at.
    """
    named = {name: run.named_rows[name] for name in names if name in run.named_rows}
    labels = np.unique(np.asarray(run.y)).astype(str).tolist() if named else []
    return Facts(labels=labels, named=named, held=run.held_rows)


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
    return _with(report, Facts(at_guess=tuple(at_guess), n_datasets=n_known))


def class_sizes_of(predictions: Predictions) -> NDArray[Any] | None:
    """Rows of every class of a test set; None where the metric does not count right rows."""
    if predictions.y_true.ndim > 1 or predictions.sample_weight is not None:
        return None
    if not counts_right_rows(predictions.metric):
        return None
    _, codes = once_for_all(predictions, true_classes)
    return np.bincount(codes, weights=predictions.counts)


def _largest(class_sizes: NDArray[Any]) -> tuple[float, int]:
    """Return the share of rows that are of the largest class, and the number of all rows."""
    n_rows = float(class_sizes.sum())
    return float(class_sizes.max()) / n_rows, int(n_rows)


def _right(report: ComparisonEvidence) -> dict[str, float]:
    """Shares of rows on which systems are right, by what the report shows."""
    names = report.names if report.kind == "pair" else report.scores  # as they are shown
    shown = {name: report.shown_metric.value(report.scores[name]) for name in names}
    return {name: 1 - score if report.is_loss else score for name, score in shown.items()}


def _with(report: ComparisonEvidence, facts: Facts) -> ComparisonEvidence:
    return replace(report, doubts=by_code(report.doubts, find_doubts(facts)))
