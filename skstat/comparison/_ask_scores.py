"""Comparison of scores that were read: metric by metric, and in slices of their units."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from skstat.comparison import _engine as engine
from skstat.comparison import _score_readers as readers
from skstat.comparison._question import Question
from skstat.evaluation import DatasetsRun, _slices
from skstat.evaluation._data import draw_seed
from skstat.io import Results
from skstat.report import _evidence as evidence
from skstat.stats import ScoreTable
from skstat.stats._read import aligned, labels_of


def ask_scores(
    loaded: readers.ReadScores, question: Question, random_state: Any
) -> evidence.ComparisonEvidence | evidence.ByMetric:
    """Compare scores metric by metric; the seed defaults to that of a run."""
    run = loaded.run
    many = isinstance(run, DatasetsRun)
    if run is not None and random_state is None:
        random_state = (run if many else run.design).random_state
    question = replace(question, seed=draw_seed(random_state))
    tests = partial(engine.TableTests.of_one, question, len(loaded.names))
    if many:
        return engine.ask_datasets_run(run, tests(), question.about(loaded.metrics))
    if run is not None:
        return engine.compare_run(run, question.about(loaded.metrics), names=loaded.names)
    question, reports = question.about(loaded.scored), {}
    for metric, scored in loaded.scored.items():
        if isinstance(scored.sample, ScoreTable) and scored.sample.unit == "dataset":
            reports[metric] = engine.ask_table(scored, tests(), question)
        else:
            reports[metric] = engine.compare(scored, question)
    return evidence.one_or_per_metric(reports)


def columns_named(scores: Any, by: Any) -> tuple[str, ...] | None:
    """Return the columns of the scores that `by` names; None if it holds values of rows."""
    columns: Any = getattr(scores, "columns", scores if isinstance(scores, Mapping) else ())
    metrics = scores.scores if isinstance(scores, Results) else ()
    return _slices.names_in(by, map(str, [*columns, *metrics]))


def ask_slices_of_scores(
    loaded: readers.ReadScores, scores: Any, by: Any, question: Question, ask_all: Any = None
) -> evidence.SlicesEvidence | evidence.ByMetric:
    """Compare in slices, which are made by columns of items, or by values of the caller's rows.

    `ask_all` compares on all items, in place of the usual test.
    """
    if loaded.run is not None:
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question = question.about(loaded.scored)

    def ask(scored: engine.Scored) -> evidence.SlicesEvidence:
        _check_sliced(scored.sample, question)
        overall = None if ask_all is None else ask_all(scored)
        slices = _slices_by(loaded, scored, scores, by)
        return engine.compare_in_slices(scored, slices, question, overall)

    return evidence.one_or_per_metric({name: ask(one) for name, one in loaded.scored.items()})


def _check_sliced(sample: Any, question: Question) -> None:
    """Refuse scores that are not of two systems or more on independent instances."""
    if sample.unit not in ("instance", "group"):
        raise ValueError(
            f"by= cuts instances into slices, and the unit of these scores is {sample.unit!r}."
        )
    if question.constant is not None:
        raise ValueError("by= and constant= cannot be combined: leave one of them out.")
    if getattr(sample, "ordered", False):
        raise ValueError(
            "by= compares instances as independent, and these are ordered. Compare the "
            "instances of one slice by themselves."
        )


def _slices_by(
    loaded: readers.ReadScores, scored: engine.Scored, scores: Any, by: Any
) -> _slices.Slices:
    """Return the slices of the units of one metric."""
    items = loaded.items.get(scored.metric)
    if items is not None and items.slices:
        return _slices.cut(None, items.slices)
    by = by(scores) if callable(by) else by
    if items is not None:
        return _slices_of_items(items.labels, loaded.row_items, scores, by)
    arrays = {"scores": scores}
    if isinstance(scores, Mapping):
        by_name = {str(name): values for name, values in scores.items()}
        arrays = {f"scores[{name!r}]": by_name[name] for name in loaded.names}
    labelled = {name: array for name, array in arrays.items() if labels_of(array) is not None}
    table = scored.table
    n_rows = len(scored.sample.a if table is None else table.instances)
    return _slices.slices_of(by, n_rows, labelled)


def _slices_of_items(
    items: Sequence[str], row_items: Sequence[str], scores: Any, by: Any
) -> _slices.Slices:
    """Return slices of items by values with item labels, or by one value per row of scores.

    Items are in order of first appearance, so that values without labels cannot be per item.
    """
    if isinstance(by, _slices.Slices):
        if list(items) == list(row_items):
            return _slices.slices_of(by, len(items), {})
        raise ValueError(
            "by has slices of rows by their numbers, and the items of these scores have "
            "several rows or another order: name a column of the scores, by='topic', or give a "
            "Series whose index is the item."
        )
    columns = {}
    row_labels: Any = labels_of(scores) if hasattr(scores, "iloc") else None
    for name, column in _slices.columns_of(by).items():
        label = f"by[{name!r}]" if name else "by"
        labels = labels_of(column)
        both_labelled = labels is not None and row_labels is not None
        if both_labelled and set(labels) == set(row_labels):
            column, labels = aligned({"scores": scores, label: column})[label], None
        values = [*column.values()] if isinstance(column, Mapping) else column
        values = _slices.one_dimensional(label, values)
        keys = row_items
        if labels is not None:
            keys = [", ".join(map(str, x)) if isinstance(x, tuple) else str(x) for x in labels]
        if len(values) != len(keys):
            raise ValueError(
                f"{label} has {len(values)} values without labels, for {len(items)} items in "
                f"{len(row_items)} rows of scores: name a column of the scores, by='topic', or "
                "give a Series whose index is the item."
            )
        columns[name] = readers.values_of_items(items, keys, values, label)
    return _slices.cut(by, columns)
