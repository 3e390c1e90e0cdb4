"""Runs: estimators that were scored on splits of one data set, or of many."""

from typing import Any

from skstat.comparison._score_readers.description import Description
from skstat.comparison._score_readers.given import GivenDatasetsRun, GivenRun
from skstat.evaluation import CrossValidationRun, DatasetsRun


def read_run(scores: Any, described: Description) -> GivenRun | None:
    """Take estimators and metrics of a run on one data set."""
    if not isinstance(scores, CrossValidationRun):
        return None
    described.refuse_units(scores)
    metrics = described.metrics_of(scores)
    if len(scores.names) < 2 and not described.one_system:
        raise ValueError(
            f"this run holds {list(scores.names)} only; there is nothing to compare."
        )
    return GivenRun(run=scores, names=described.chosen(scores.names), metrics=metrics)


def read_datasets_run(scores: Any, described: Description) -> GivenDatasetsRun | None:
    """Take metrics of a run over many data sets."""
    if not isinstance(scores, DatasetsRun):
        return None
    described.refuse_units(scores)
    if described.one_system or described.systems is not None:
        raise ValueError(
            "constant= and systems= are for one table of scores; of a run over data sets take "
            "run.table(metric), or choose a control."
        )
    return GivenDatasetsRun(run=scores, metrics=described.metrics_of(scores))
