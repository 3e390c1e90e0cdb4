"""Reports of skore: cross-validations, hold-outs, and comparisons of them."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from skstat.io._formats.records import Format, Given, Log, Row, digest, results_of
from skstat.io._results import Results
from skstat.stats._scores import Unit

_UP = {"correct": True, "squared_error": False}


def read_skore(given: Given) -> list[Results]:
    """Read one report, or those of a comparison.

    :system: The name in a ComparisonReport; else that of the estimator.
    :item: The split of a CrossValidationReport, with its sizes and rows; the row of an
        EstimatorReport's test set.
    :scores: The metrics of every split; of rows whether they are right, or the squared error.
    """
    reports = getattr(given.what, "reports_", None)
    if not isinstance(reports, Mapping):
        reports = {str(given.what.estimator_name_): given.what}
    results = []
    for system, report in reports.items():
        of_splits = hasattr(report, "split_indices")
        log = Log(system=str(system), rows=[*(_of_splits if of_splits else _of_rows)(report)])
        unit: Unit = "split" if of_splits else "instance"
        results.append(results_of([log], given, higher_is_better=_UP, unit=unit))
    return results


def _of_splits(report: Any) -> Iterator[Row]:
    """Scores of every split, whose rows say whether two reports have the same ones."""
    each = zip(report.split_indices, report.reports_, strict=True)
    for index, (split, part) in enumerate(each):
        train, test = map(np.asarray, split)
        scores = part.metrics.summarize().frame().squeeze()
        yield Row(
            item=str(index),
            # One score of an estimator stands there under two names.
            scores={str(n): float(x) for n, x in scores.items() if n != "default_score"},
            facts={"n_train": len(train), "n_test": len(test)},
            content=digest(train.tolist(), test.tolist()),
        )


def _of_rows(report: Any) -> Iterator[Row]:
    """Score every row of a test set: right or wrong, or its squared error."""
    truth = np.asarray(report.y_test)
    predicted = np.asarray(report.get_predictions(data_source="test"))
    if truth.ndim != 1 or predicted.shape != truth.shape:
        raise ValueError("it has several outputs for every row: use compare_predictions.")
    classes = "classification" in str(getattr(report, "ml_task", ""))
    scores = predicted == truth if classes else (predicted - truth) ** 2
    name = "correct" if classes else "squared_error"
    for row, (score, value) in enumerate(zip(scores.tolist(), truth.tolist(), strict=True)):
        yield Row(item=str(row), scores={name: score}, content=digest(value))


SKORE = Format(
    name="skore",
    of="reports of skore",
    is_object=lambda given: {"get_predictions", "metrics", "id"} <= {*dir(given)},
    read=read_skore,
)
