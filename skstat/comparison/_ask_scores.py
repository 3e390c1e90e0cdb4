"""Samples of scores and runs, and the tests that suit them, of all items and in slices."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._times import select_times
from skstat.comparison import _engine as engine
from skstat.comparison import _guide as guide
from skstat.comparison import _score_readers as readers
from skstat.comparison._procedures import Procedure, sample_taken, sample_types
from skstat.comparison._question import Question
from skstat.evaluation import _slices
from skstat.evaluation._random_state import draw_seed
from skstat.io import Results
from skstat.report import _evidence as evidence
from skstat.report._doubts import Facts
from skstat.stats._common import aligned, labels_of
from skstat.stats._pairwise import pairs_of


def ask_scores(
    given: readers.Given, question: Question, random_state: Any
) -> evidence.ComparisonEvidence | evidence.ByMetric:
    """Ask what was read, metric by metric."""
    if random_state is None:
        random_state = given.random_state
    question = replace(question, seed=draw_seed(random_state))
    if isinstance(given, readers.GivenDatasetsRun):
        run = given.run
        tests = engine.tests_over_datasets(question.test, question.adjustment, len(run.names))
        found: evidence.ByMetric = engine.ask_datasets_run(
            run, *tests, question, metrics=given.metrics
        )
        return found
    if isinstance(given, readers.GivenRun):
        return _ask_run(given, question)
    question = question.about(given.samples)
    return evidence.one_or_per_metric(
        {metric: ask_metric_of(given, metric, question) for metric in given.samples}
    )


def ask_metric_of(
    given: readers.GivenSamples, metric: str, question: Question
) -> evidence.ComparisonEvidence:
    """Ask one metric of what was read."""
    report = _ask_sample(given.samples[metric], given, metric, question)
    report = _with_design(report, given.designs.get(metric))
    assumed = given.directions[metric].assumed
    return replace(
        report, times=select_times(given.times, report.names), direction_assumed=assumed
    )


def _with_design(
    report: evidence.ComparisonEvidence, known: Mapping[str, Any] | None
) -> evidence.ComparisonEvidence:
    """Add what is known of the design to a report that says another thing, or nothing."""
    said = report.design.get("notes", ())
    notes = [note for note in (known or {}).get("notes", ()) if note not in said]
    if known is None or not (notes or "read" in known):
        return report
    return replace(report, design={**known, **report.design, "notes": [*said, *notes]})


def _ask_run(
    given: readers.GivenRun, question: Question
) -> evidence.ComparisonEvidence | evidence.ByMetric:
    run, test, names, metrics = given.run, question.test, given.names, given.metrics
    constant = question.constant
    if constant is not None:
        _check_one_sample(test)
        question, choice = question.about(metrics), None
        if test == "auto":
            situation = guide.Situation.of_run(run, n_systems=1, constant=constant)
            choice = guide.recommend(situation)
        ask = partial(engine.ask_constant, run, question, constant, name=names[0])
        return evidence.one_or_per_metric(
            {metric: ask(metric=metric, choice=choice) for metric in metrics}
        )
    return engine.ask_run(run, test, question, names=names, metrics=metrics)


def _ask_sample(
    sample: readers.Sample, given: readers.GivenSamples, metric: str, question: Question
) -> evidence.ComparisonEvidence:
    """Ask one metric's sample."""
    test, control, names = question.test, question.control, given.names
    about = _about(sample, given, metric)
    if isinstance(sample, stats.SeedScores):
        return engine.ask_seed_scores(sample, test, question, **about)
    if isinstance(sample, stats.ScoreTable) and sample.unit == "dataset":
        test, pairs = engine.tests_over_datasets(test, question.adjustment, len(sample.names))
        test = guide.test_beside_model(test, sample.names)
        if engine.is_two_system_question(sample.names, test, pairs):
            return engine.ask_two_over_datasets(sample, test, question, **about)
        return engine.ask_table(sample, test, pairs, question, **about)
    about["design"] = given.designs.get(metric, {})
    if isinstance(sample, stats.Scores):
        assert question.constant is not None  # else one system is no sample
        # A loss was turned into a score, and so is what it is compared with.
        constant = (1.0 if given.directions[metric].higher else -1.0) * question.constant
        about["names"] = (names[0], f"constant {question.constant:g}")
        return _ask_constant(sample, question, constant, **about)
    if isinstance(sample, stats.ScoreTable) and len(sample.names) > 2:
        procedure, choice = guide.choose(test, sample, question)
        return engine.ask_systems(sample, procedure, question, choice=choice, **about)
    if isinstance(sample, stats.ScoreTable):
        ((a, b),) = pairs_of(sample.names, control)
        return _ask_pair(sample.pair(a, b), (a, b), question, **about)
    a, b = names
    if pairs_of((a, b), control) != [(a, b)]:
        raise ValueError(
            f"control={control!r} is the first system of this {type(sample).__name__}, and a "
            f"control must be the second: pass {type(sample).__name__}(b, a)."
        )
    return _ask_pair(sample, (a, b), question, **about)


def _about(sample: readers.Sample, given: readers.GivenSamples, metric: str) -> dict[str, Any]:
    """Say what a report needs to know of a metric beside its sample."""
    return {
        "metric": metric,
        "is_loss": given.directions[metric].is_loss,
        "facts": facts_beside(sample, given, metric),
    }


def facts_beside(sample: Any, given: readers.GivenSamples, metric: str) -> Facts:
    """Say what the doubts go by beside the sample."""
    facts = given.facts.get(metric, Facts())
    if getattr(sample, "groups", None) is None:
        return facts
    return replace(facts, is_mean=True, n_weighed=sample.n_effective)


def _ask_pair(
    sample: stats.PairedScores | stats.ClusteredScores,
    names: tuple[str, str],
    question: Question,
    **about: Any,
) -> evidence.ComparisonEvidence:
    procedure, about["choice"] = guide.choose(question.test, sample, question)
    taken = sample_taken(procedure, sample)
    return engine.ask_sample(procedure, taken, question, names=names, **about)


def _ask_constant(
    sample: stats.Scores, question: Question, constant: float, **about: Any
) -> evidence.ComparisonEvidence:
    _check_one_sample(question.test)
    procedure: Procedure = stats.one_sample_t
    compared: Any = sample
    if question.test == "auto":
        situation = guide.Situation.of_scores(sample, constant=constant)
        about["choice"] = choice = guide.recommend(situation)
        if sample.unit == "dataset":
            against = sample.against(constant)
            return engine.ask_sample(stats.wilcoxon, against, question, **about)
        if stats.Successes in sample_types(guide.procedure_of(choice)):
            values = np.asarray(sample.values)
            procedure = stats.binomial
            compared = stats.Successes(int(values.sum()), len(values))
        elif sample.rows is not None:
            procedure = guide.procedure_of(choice)
    return engine.ask_sample(procedure, compared, question, constant=constant, **about)


def _check_one_sample(test: str | Procedure) -> None:
    if test not in ("auto", "one_sample_t"):
        raise ValueError(
            f"test={test!r}: scores are compared with a constant by one_sample_t; use "
            "test='auto'."
        )


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
    ask_all : callable, optional
        From a metric to the report on all items; by default as without slices.
    """
    if not isinstance(given, readers.GivenSamples):
        raise ValueError(
            "by= cuts the instances that scores are of, and a run has scores of splits. "
            "Compare predictions: compare_predictions(y_true, predictions, by=...)."
        )
    question = question.about(given.samples)
    if ask_all is None:
        ask_all = partial(ask_metric_of, given, question=engine.on_all_rows(question))

    def ask_metric(metric: str, sample: Any) -> evidence.SlicesEvidence:
        _check_sliced(sample, question)
        several = isinstance(sample, stats.ScoreTable)

        def ask(rows: NDArray[np.int64], names: tuple[str, str]) -> engine.AskedSlice:
            part, values = _part(sample.pair(*names) if several else sample, rows)
            # What is known of results and design is of all items.
            about = _about(part, replace(given, facts={}), metric)
            found = _ask_pair(part, names, question, of_family=True, **about)
            found = replace(found, direction_assumed=given.directions[metric].assumed)
            return engine.AskedSlice(report=found, values=values, times=np.ones(len(values)))

        every = sample.instances if several else sample.a
        overall = ask_all(metric)
        slices = _slices_by(given, metric, scores, by, len(every))
        groups = getattr(sample, "groups", None)
        return engine.ask_slices(
            overall, slices, lambda rows, _: rows, ask, question, unit_of_row=groups
        )

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


def _part(
    pair: stats.PairedScores | stats.ClusteredScores, rows: NDArray[np.int64]
) -> tuple[stats.PairedScores | stats.ClusteredScores, NDArray[np.float64]]:
    """Return two systems on some instances, and what units contribute to their difference.

    Their groups, if they have any, are the units.
    """
    a, b = pair.a[rows], pair.b[rows]
    d = a - b
    if not isinstance(pair, stats.ClusteredScores):
        return stats.PairedScores(a, b, unit="instance"), d - d.mean()
    part = stats.ClusteredScores(a, b, groups=pair.groups[rows])
    sizes = np.bincount(part.groups)
    # The mean without a group changes by that much; of equal groups by its deviation.
    changes = np.bincount(part.groups, d - d.mean()) / np.maximum(len(rows) - sizes, 1)
    return part, (part.n_units - 1) * (changes - changes.mean())
