"""Scores of systems in slices of the items that they were scored on."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._ask_scores import Request, ask_in_slice, ask_metric_of
from skstat.comparison._engine import AskedSlice, ask_slices, on_all_rows
from skstat.comparison._question import Question
from skstat.comparison._score_readers import Given, GivenSamples, Sample, values_of_items
from skstat.evaluation._slices import (
    Slices,
    columns_of,
    cut,
    masks_of,
    names_in,
    one_dimensional,
    slices_of,
)
from skstat.io import Results
from skstat.report._evidence import ByMetric, SlicesEvidence, one_or_per_metric
from skstat.stats import ClusteredScores, ClusteredScoreTable, PairedScores, ScoreTable
from skstat.stats._common import aligned, labels_of


def columns_named(scores: Any, by: Any) -> tuple[str, ...] | None:
    """Return the columns of the scores that `by` names; None of one value per row."""
    has: Any = getattr(scores, "columns", scores if isinstance(scores, Mapping) else ())
    own = scores.scores if isinstance(scores, Results) else ()
    return names_in(by, map(str, [*has, *own]))


def ask_slices_of_scores(
    given: Given,
    scores: Any,
    by: Any,
    question: Question,
    request: Request,
    ask_all: Callable[[str], Any] | None = None,
) -> SlicesEvidence | ByMetric:
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
        Direction, level and margin; its adjustment is that of slices.
    request : Request
        Which test.
    ask_all : callable, optional
        From a metric to the report on all items; by default as without slices.
    """
    if not isinstance(given, GivenSamples):
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question.check_metrics(given.samples)
    reports = {}
    for metric, sample in given.samples.items():
        _check_sliced(sample, request)
        if ask_all is None:
            overall = ask_metric_of(given, metric, on_all_rows(question), request)
        else:
            overall = ask_all(metric)
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
) -> SlicesEvidence:
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
    by = by(scores) if callable(by) else by
    if metric in given.items:
        return _slices_of_items(given, metric, scores, by)
    beside = {"scores": scores}
    if isinstance(scores, Mapping):
        own = {str(name): values for name, values in scores.items()}
        beside = {f"scores[{name!r}]": own[name] for name in given.names}
    labelled = {name: own for name, own in beside.items() if labels_of(own) is not None}
    return slices_of(by, n_rows, labelled)


def _slices_of_items(given: GivenSamples, metric: str, scores: Any, by: Any) -> Slices:
    """Cut items by values that are labelled by item, or of which every row handed in has one.

    Items are in the order in which they come first, which is not that of anybody's array.
    """
    items, row_items = given.items[metric], given.row_items
    if isinstance(by, Slices):
        if list(items) == list(row_items):
            return slices_of(by, len(items), {})
        raise ValueError(
            "by has slices of rows by their numbers, and the items of these scores have "
            "several rows or another order: name a column of the scores, by='topic', or give a "
            "Series whose index is the item."
        )
    found = {}
    of_rows: Any = labels_of(scores) if hasattr(scores, "iloc") else None
    for name, column in columns_of(by).items():
        called = f"by[{name!r}]" if name else "by"
        labels = labels_of(column)
        has_both = labels is not None and of_rows is not None
        if has_both and set(labels) == set(of_rows):
            column, labels = aligned({"scores": scores, called: column})[called], None
        values = [*column.values()] if isinstance(column, Mapping) else column
        values = one_dimensional(called, values)
        texts = row_items if labels is None else [*map(_text, labels)]
        if len(values) != len(texts):
            raise ValueError(
                f"{called} has {len(values)} values without labels, for {len(items)} items in "
                f"{len(row_items)} rows of scores: name a column of the scores, by='topic', or "
                "give a Series whose index is the item."
            )
        found[name] = values_of_items(items, texts, values, called)
    return cut(found, masks_of(by, found))


def _text(label: Any) -> str:
    return ", ".join(map(str, label)) if isinstance(label, tuple) else str(label)


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
