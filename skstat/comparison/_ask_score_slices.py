"""Scores of systems in slices of the items that they were scored on."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._ask_scores import Request, ask_in_slice, ask_metric_of
from skstat.comparison._engine import AskedSlice, ask_slices, on_all_rows
from skstat.comparison._question import Question
from skstat.comparison._score_readers import Given, GivenSamples, Sample
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._slices import Slices, cut, slices_of
from skstat.io import Results
from skstat.report import MetricsReport, SlicesReport, SystemsSlicesReport
from skstat.report._metrics_report import one_or_per_metric
from skstat.stats import ClusteredScores, ClusteredScoreTable, PairedScores, ScoreTable
from skstat.stats._common import labels_of


def columns_named(scores: Any, by: Any) -> tuple[str, ...] | None:
    """Return the columns of the scores that `by` names; None of one value per row."""
    names = [by] if isinstance(by, str) else by
    if not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        return None
    has: Any = getattr(scores, "columns", scores if isinstance(scores, Mapping) else ())
    known = set(map(str, has)) | ({*scores.scores} if isinstance(scores, Results) else set())
    if isinstance(by, str) or set(names) <= known:
        return tuple(names)
    return None


def ask_slices_of_scores(
    given: Given,
    scores: Any,
    by: Any,
    question: Question,
    request: Request,
    ask_all: Callable[[str, Any], Any] | None = None,
) -> SlicesReport | SystemsSlicesReport | MetricsReport:
    """Ask what was read of all items and in every slice, metric by metric.

    Parameters
    ----------
    given : Given
        What was read.
    scores : object
        What the caller handed in, by whose labels columns are matched.
    by : object
        What says which slice an item is in.
    question : Question
        Direction, level and margin.
    request : Request
        Which test; its adjustment is that of slices.
    ask_all : callable, optional
        From a metric and the seed to the report on all items; by default as without slices.
    """
    if not isinstance(given, GivenSamples):
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question.check_metrics(given.samples)
    request = replace(request, random_state=draw_seed(request.random_state))
    whole = replace(request, adjustment=on_all_rows(request.adjustment))
    reports = {}
    for metric, sample in given.samples.items():
        _check_sliced(sample, request)
        if ask_all is None:
            overall = ask_metric_of(given, metric, question, whole)
        else:
            overall = ask_all(metric, request.random_state)
        reports[metric] = _ask_metric(given, metric, scores, by, question, request, overall)
    return one_or_per_metric(reports)


def _ask_metric(
    given: GivenSamples,
    metric: str,
    scores: Any,
    by: Any,
    question: Question,
    request: Request,
    overall: Any,
) -> SlicesReport | SystemsSlicesReport:
    sample = given.samples[metric]
    assert isinstance(sample, PairedScores | ScoreTable | ClusteredScores | ClusteredScoreTable)

    def ask(rows: NDArray[np.int64], names: tuple[str, str]) -> AskedSlice:
        pair: Any = sample
        if isinstance(sample, ScoreTable | ClusteredScoreTable):
            pair = sample.pair(*names)
        part, values = _part(pair, rows)
        report = ask_in_slice(part, names, given, metric, question, request)
        return AskedSlice(report=report, values=values, times=np.ones(len(values)))

    groups = getattr(sample, "groups", None)
    if isinstance(sample, ClusteredScoreTable):
        n_rows = len(sample.instances)
    else:
        n_rows = len(sample.scores if isinstance(sample, ScoreTable) else sample.a)
    return ask_slices(
        overall,
        _slices(given, metric, scores, by, n_rows),
        lambda rows, _: rows,
        ask,
        question,
        unit_of_row=groups,
        adjustment=request.adjustment,
        seed=request.random_state,
    )


def _check_sliced(sample: Sample, request: Request) -> None:
    """Refuse scores that are not of independent instances of two systems or more."""
    if sample.unit not in ("instance", "group"):
        raise ValueError(
            f"by= cuts instances into slices, and the unit of these scores is {sample.unit!r}."
        )
    if request.constant is not None:
        raise ValueError("by= and constant= cannot be combined: leave one of them out.")
    if getattr(sample, "ordered", False):
        raise ValueError(
            "by= compares instances as independent, and these are ordered. Compare the "
            "instances of one slice by themselves."
        )


def _slices(given: GivenSamples, metric: str, scores: Any, by: Any, n_rows: int) -> Slices:
    if columns := given.slices.get(metric):
        return cut(columns, frozenset())
    beside = {"scores": scores}
    if isinstance(scores, Mapping):
        own = {str(name): values for name, values in scores.items()}
        beside = {f"scores[{name!r}]": own[name] for name in given.names}
    labelled = {name: own for name, own in beside.items() if labels_of(own) is not None}
    return slices_of(by(scores) if callable(by) else by, n_rows, labelled)


def _part(
    pair: PairedScores | ClusteredScores, rows: NDArray[np.int64]
) -> tuple[PairedScores | ClusteredScores, NDArray[np.float64]]:
    """Return two systems on some instances, and what units contribute to their difference.

    Their groups, if they have any, are the units.
    """
    a, b = pair.a[rows], pair.b[rows]
    d = a - b
    if not isinstance(pair, ClusteredScores):
        return PairedScores(a, b, unit="instance"), d - d.mean()
    part = ClusteredScores(a, b, groups=pair.groups[rows])
    sizes = np.bincount(part.groups)
    # The mean without a group changes by that much; of equal groups by its deviation.
    changes = np.bincount(part.groups, d - d.mean()) / np.maximum(len(rows) - sizes, 1)
    return part, (part.n_units - 1) * (changes - changes.mean())
