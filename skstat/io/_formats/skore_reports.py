"""Reports of skore: cross-validations, hold-outs, and comparisons of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import digest
from skstat.io._join import ResultsError, join_results
from skstat.io._results import Results
from skstat.io._source import Source


def read_skore(given: Given, asked: Asked) -> Results:
    """Read one report, or those of a comparison."""
    reports = getattr(given.what, "reports_", None)
    if isinstance(reports, Mapping):
        if asked.system is not None:
            raise ResultsError("a comparison names its systems: pass it without a name.")
        return join_results(
            [_read(report, str(name)) for name, report in reports.items()], allow=asked.allow
        )
    return _read(given.what, asked.system or str(given.what.estimator_name_))


def _read(report: Any, system: str) -> Results:
    if hasattr(report, "split_indices"):
        return _of_splits(report, system)
    return _of_rows(report, system)


def _of_splits(report: Any, system: str) -> Results:
    """Scores of every split, whose rows say whether two reports have the same ones."""
    splits = [(np.asarray(train), np.asarray(test)) for train, test in report.split_indices]
    columns: dict[str, list[float]] = {}
    for place, part in enumerate(report.reports_):
        for name, value in part.metrics.summarize().frame().squeeze().items():
            # One score of an estimator stands there under two names.
            if name != "default_score":
                column = columns.setdefault(str(name), [float("nan")] * len(splits))
                column[place] = float(value)
    return Results(
        system=[system] * len(splits),
        item=[str(place) for place in range(len(splits))],
        scores=columns,
        columns={
            "n_train": [len(train) for train, _ in splits],
            "n_test": [len(test) for _, test in splits],
        },
        content=[digest(train.tolist(), test.tolist()) for train, test in splits],
        unit="split",
        sources=(Source(system=system, format=SKORE.name),),
    )


def _of_rows(report: Any, system: str) -> Results:
    """Score every row of a test set: right or wrong, or its squared error."""
    truth = np.asarray(report.y_test)
    predicted = np.asarray(report.get_predictions(data_source="test"))
    if truth.ndim != 1 or predicted.shape != truth.shape:
        raise ResultsError(
            "the report has several outputs for every row: pass the predictions to "
            "compare_predictions."
        )
    classes = "classification" in str(getattr(report, "ml_task", ""))
    name = "correct" if classes else "squared_error"
    scores = predicted == truth if classes else (predicted - truth) ** 2
    return Results(
        system=[system] * len(truth),
        item=[str(row) for row in range(len(truth))],
        scores={name: np.asarray(scores, dtype=float)},
        content=[digest(value) for value in truth.tolist()],
        higher_is_better={name: classes},
        sources=(Source(system=system, format=SKORE.name),),
    )


def _looks_like(given: Given) -> bool:
    what: Any = given.what
    return given.path is None and all(
        hasattr(what, name) for name in ("get_predictions", "metrics", "id")
    )


SKORE = Format(
    name="skore",
    of="reports of skore",
    recognises=_looks_like,
    read=read_skore,
    reads={
        "system": "The name in a ComparisonReport; else that of the estimator.",
        "item": "The split of a CrossValidationReport, with its sizes and rows; the row of an "
        "EstimatorReport's test set.",
        "scores": "The metrics of every split; of rows whether they are right, or the squared "
        "error.",
    },
)
