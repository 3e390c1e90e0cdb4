"""Scores that were read are asked: metric by metric, and in slices of their units."""

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
    given: readers.Given, question: Question, random_state: Any
) -> evidence.ComparisonEvidence | evidence.ByMetric:
    """Ask what was read, metric by metric; a run's own seed serves if the caller gives none."""
    run = given.run
    over_datasets = isinstance(run, DatasetsRun)
    if run is not None and random_state is None:
        random_state = (run if over_datasets else run.design).random_state
    question = replace(question, seed=draw_seed(random_state))
    tests = partial(engine.TableTests.of_one, question, len(given.names))
    if over_datasets:
        return engine.ask_datasets_run(run, tests(), question.about(given.metrics))
    if run is not None:
        return engine.compare_run(run, question.about(given.metrics), names=given.names)
    question, reports = question.about(given.scored), {}
    for metric, scored in given.scored.items():
        if isinstance(scored.sample, ScoreTable) and scored.sample.unit == "dataset":
            reports[metric] = engine.ask_table(scored, tests(), question)
        else:
            reports[metric] = engine.compare(scored, question)
    return evidence.one_or_per_metric(reports)


def columns_named(scores: Any, by: Any) -> tuple[str, ...] | None:
    """Return the columns of the scores that `by` names; None of one value per row."""
    has: Any = getattr(scores, "columns", scores if isinstance(scores, Mapping) else ())
    own = scores.scores if isinstance(scores, Results) else ()
    return _slices.names_in(by, map(str, [*has, *own]))


def ask_slices_of_scores(
    given: readers.Given, scores: Any, by: Any, question: Question, ask_all: Any = None
) -> evidence.SlicesEvidence | evidence.ByMetric:
    """Compare in the slices that a column of items, or the caller's rows, makes.

    `ask_all` compares all items in place of the usual test.
    """
    if given.run is not None:
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question = question.about(given.scored)

    def ask(scored: engine.Scored) -> evidence.SlicesEvidence:
        _check_sliced(scored.sample, question)
        overall = None if ask_all is None else ask_all(scored)
        slices = _slices_by(given, scored, scores, by)
        return engine.compare_in_slices(scored, slices, question, overall)

    return evidence.one_or_per_metric({name: ask(own) for name, own in given.scored.items()})


def _check_sliced(sample: Any, question: Question) -> None:
    """Refuse scores that are not of independent instances of two systems or more."""
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
    given: readers.Given, scored: engine.Scored, scores: Any, by: Any
) -> _slices.Slices:
    items = given.items.get(scored.metric)
    if items is not None and items.slices:
        return _slices.cut(None, items.slices)
    by = by(scores) if callable(by) else by
    if items is not None:
        return _slices_of_items(items.labels, given.row_items, scores, by)
    arrays = {"scores": scores}
    if isinstance(scores, Mapping):
        named = {str(name): own for name, own in scores.items()}
        arrays = {f"scores[{name!r}]": named[name] for name in given.names}
    labelled = {name: own for name, own in arrays.items() if labels_of(own) is not None}
    table = scored.table
    n_rows = len(scored.sample.a if table is None else table.instances)
    return _slices.slices_of(by, n_rows, labelled)


def _slices_of_items(
    items: Sequence[str], row_items: Sequence[str], scores: Any, by: Any
) -> _slices.Slices:
    """Cut items by values that are labelled by item, or of which every row handed in has one.

    Items are in the order in which they come first, which is not that of anybody's array.
    """
    if isinstance(by, _slices.Slices):
        if list(items) == list(row_items):
            return _slices.slices_of(by, len(items), {})
        raise ValueError(
            "by has slices of rows by their numbers, and the items of these scores have "
            "several rows or another order: name a column of the scores, by='topic', or give a "
            "Series whose index is the item."
        )
    found = {}
    of_rows: Any = labels_of(scores) if hasattr(scores, "iloc") else None
    for name, column in _slices.columns_of(by).items():
        called = f"by[{name!r}]" if name else "by"
        labels = labels_of(column)
        has_both = labels is not None and of_rows is not None
        if has_both and set(labels) == set(of_rows):
            column, labels = aligned({"scores": scores, called: column})[called], None
        values = [*column.values()] if isinstance(column, Mapping) else column
        values = _slices.one_dimensional(called, values)
        texts = row_items
        if labels is not None:
            texts = [", ".join(map(str, x)) if isinstance(x, tuple) else str(x) for x in labels]
        if len(values) != len(texts):
            raise ValueError(
                f"{called} has {len(values)} values without labels, for {len(items)} items in "
                f"{len(row_items)} rows of scores: name a column of the scores, by='topic', or "
                "give a Series whose index is the item."
            )
        found[name] = readers.values_of_items(items, texts, values, called)
    return _slices.cut(by, found)
