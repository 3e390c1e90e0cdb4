"""Samples of scores and runs, and the tests that suit them, of all items and in slices."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skstat import stats
from skstat.comparison import _engine as engine
from skstat.comparison import _score_readers as readers
from skstat.comparison._question import Question
from skstat.evaluation import _slices
from skstat.evaluation._data import draw_seed
from skstat.io import Results
from skstat.report import _evidence as evidence
from skstat.report._doubts import Facts
from skstat.stats._read import aligned, labels_of


def ask_scores(
    given: readers.Given, question: Question, random_state: Any
) -> evidence.ComparisonEvidence | evidence.ByMetric:
    """Ask what was read, metric by metric."""
    if random_state is None:
        random_state = given.random_state
    question = replace(question, seed=draw_seed(random_state))
    if isinstance(given, readers.GivenDatasetsRun):
        run = given.run
        tests = engine.TableTests.of_one(question.test, question.adjustment, len(run.names))
        found: evidence.ByMetric = engine.ask_datasets_run(
            run, tests, question, metrics=given.metrics
        )
        return found
    if isinstance(given, readers.GivenRun):
        return engine.compare_run(given.run, question, given.names, given.metrics)
    question = question.about(given.samples)
    return evidence.one_or_per_metric(
        {metric: _ask(scored_of(given, metric, question), question) for metric in given.samples}
    )


def scored_of(given: readers.GivenSamples, metric: str, question: Question) -> engine.Scored:
    """Return the scores of a metric with all that was read of them."""
    sample, direction = given.samples[metric], given.directions[metric]
    design, names, constant = given.designs.get(metric, {}), given.names, question.constant
    if isinstance(sample, stats.SeedScores):
        *counts, last = map(str, sample.n_seeds)
        unpaired = f"{', '.join(counts)} and {last} seeds, not paired"
        notes = [unpaired, *design.get("notes", ())]
        design = {**design, "kind": "one score per seed", "notes": notes}
    if constant is not None:
        names = (names[0], f"constant {constant:g}")
        # A loss was turned into a score, and so is what it is compared with.
        constant = constant if direction.higher else -constant
    return engine.Scored(
        sample=sample,
        names=names,
        metric=metric,
        is_loss=direction.is_loss,
        design=design,
        facts=given.facts.get(metric, Facts()),
        constant=constant,
        told={"times": given.times, "direction_assumed": direction.assumed},
    )


def _ask(scored: engine.Scored, question: Question) -> evidence.ComparisonEvidence:
    table = scored.sample
    if not isinstance(table, stats.ScoreTable) or table.unit != "dataset":
        return engine.compare(scored, question)
    tests = engine.TableTests.of_one(question.test, question.adjustment, len(table.names))
    return engine.ask_over_datasets(scored, tests, question)


def columns_named(scores: Any, by: Any) -> tuple[str, ...] | None:
    """Return the columns of the scores that `by` names; None of one value per row."""
    has: Any = getattr(scores, "columns", scores if isinstance(scores, Mapping) else ())
    own = scores.scores if isinstance(scores, Results) else ()
    return _slices.names_in(by, map(str, [*has, *own]))


def ask_slices_of_scores(
    given: readers.Given,
    scores: Any,
    by: Any,
    question: Question,
    ask_all: Callable[[str], Any] | None = None,
) -> evidence.SlicesEvidence | evidence.ByMetric:
    """Compare in the slices that a column of items, or the caller's rows, makes.

    `ask_all` compares all items in place of the usual test, by the name of the metric.
    """
    if not isinstance(given, readers.GivenSamples):
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question = question.about(given.samples)

    def ask_metric(metric: str, sample: Any) -> evidence.SlicesEvidence:
        _check_sliced(sample, question)
        every = sample.instances if isinstance(sample, stats.ScoreTable) else sample.a
        overall = None if ask_all is None else ask_all(metric)
        slices = _slices_by(given, metric, scores, by, len(every))
        scored = scored_of(given, metric, question)
        return engine.compare_in_slices(scored, slices, question, overall)

    return evidence.one_or_per_metric(
        {name: ask_metric(name, own) for name, own in given.samples.items()}
    )


def _check_sliced(sample: readers.Sample, question: Question) -> None:
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
    given: readers.GivenSamples, metric: str, scores: Any, by: Any, n_rows: int
) -> _slices.Slices:
    if columns := given.slices.get(metric):
        return _slices.cut(None, columns)
    by = by(scores) if callable(by) else by
    if metric in given.items:
        return _slices_of_items(given, metric, scores, by)
    beside = {"scores": scores}
    if isinstance(scores, Mapping):
        own = {str(name): values for name, values in scores.items()}
        beside = {f"scores[{name!r}]": own[name] for name in given.names}
    labelled = {name: own for name, own in beside.items() if labels_of(own) is not None}
    return _slices.slices_of(by, n_rows, labelled)


def _slices_of_items(
    given: readers.GivenSamples, metric: str, scores: Any, by: Any
) -> _slices.Slices:
    """Cut items by values that are labelled by item, or of which every row handed in has one.

    Items are in the order in which they come first, which is not that of anybody's array.
    """
    items, row_items = given.items[metric], given.row_items
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
        texts = row_items if labels is None else [*map(_text, labels)]
        if len(values) != len(texts):
            raise ValueError(
                f"{called} has {len(values)} values without labels, for {len(items)} items in "
                f"{len(row_items)} rows of scores: name a column of the scores, by='topic', or "
                "give a Series whose index is the item."
            )
        found[name] = readers.values_of_items(items, texts, values, called)
    return _slices.cut(by, found)


def _text(label: Any) -> str:
    return ", ".join(map(str, label)) if isinstance(label, tuple) else str(label)
