"""Samples of scores and runs, and the tests that suit them, of all items and in slices."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._directions import SAY_OTHERWISE
from skstat._times import select_times
from skstat.comparison import _engine as engine
from skstat.comparison import _guide as guide
from skstat.comparison._procedures import Procedure, sample_taken, sample_types
from skstat.comparison._question import Question
from skstat.comparison._score_readers import (
    Given,
    GivenDatasetsRun,
    GivenRun,
    GivenSamples,
    Sample,
    values_of_items,
)
from skstat.evaluation._random_state import draw_seed
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
from skstat.report._doubts import Facts
from skstat.report._evidence import (
    ByMetric,
    PairEvidence,
    SlicesEvidence,
    SystemsEvidence,
    one_or_per_metric,
)
from skstat.stats._common import aligned, labels_of
from skstat.stats._post_hoc import pairs_of

AnyReport = TypeVar("AnyReport", bound=PairEvidence | SystemsEvidence)


@dataclass(frozen=True, kw_only=True)
class Request:
    """Which tests are asked for, and how those of several systems are treated."""

    test: Any  # of a pair; over data sets also of all systems at once
    constant: float | None


def ask_scores(
    given: Given, question: Question, request: Request, random_state: Any
) -> PairEvidence | SystemsEvidence | ByMetric:
    """Ask what was read, metric by metric."""
    if random_state is None and isinstance(given, GivenRun):
        random_state = given.run.design.random_state
    if random_state is None and isinstance(given, GivenDatasetsRun):
        random_state = given.run.random_state
    question = replace(question, seed=draw_seed(random_state))
    if isinstance(given, GivenDatasetsRun):
        found: PairEvidence | ByMetric = engine.ask_datasets_run(
            given.run,
            *engine.tests_over_datasets(
                request.test, question.adjustment, len(given.run.names)
            ),
            question,
            metrics=given.metrics,
        )
        return found
    if isinstance(given, GivenRun):
        return _ask_run(given, question, request)
    question.check_metrics(given.samples)
    return one_or_per_metric(
        {metric: ask_metric_of(given, metric, question, request) for metric in given.samples}
    )


def ask_metric_of(
    given: GivenSamples, metric: str, question: Question, request: Request
) -> PairEvidence | SystemsEvidence:
    """Ask one metric of what was read."""
    report = _ask_sample(given.samples[metric], given, metric, question, request)
    report = _with_design(report, given.designs.get(metric))
    return replace(
        report,
        times=select_times(given.times, report.names),
        direction_assumed=SAY_OTHERWISE if given.directions[metric].is_assumed else "",
    )


def _with_design(report: AnyReport, known: Mapping[str, Any] | None) -> AnyReport:
    """Add what is known of the design to a report that says another thing, or nothing."""
    said = report.design.get("notes", ())
    notes = [note for note in (known or {}).get("notes", ()) if note not in said]
    if known is None or not (notes or "read" in known):
        return report
    return replace(report, design={**known, **report.design, "notes": [*said, *notes]})


def _ask_run(
    given: GivenRun, question: Question, request: Request
) -> PairEvidence | SystemsEvidence | ByMetric:
    if request.constant is not None:
        return _ask_run_constant(given, question, request, request.constant)
    run, test, names, metrics = given.run, request.test, given.names, given.metrics
    labels = pairs_of(names, question.control)[0]
    if len(names) > 2:
        return engine.ask_systems_run(run, test, question, names=names, metrics=metrics)
    stable = None if run.unstable & set(labels) else True
    sample = run.sample(*labels, metric=metrics[0])
    procedure, choice = guide.choose(test, sample, question, stable=stable)
    return engine.ask_run(
        run, procedure, question, names=labels, metrics=metrics, choice=choice
    )


def _ask_run_constant(
    given: GivenRun, question: Question, request: Request, constant: float
) -> PairEvidence | ByMetric:
    _check_one_sample(request.test)
    run, metrics = given.run, given.metrics
    facts = Facts(n_metrics=len(metrics))
    choice = None
    if request.test == "auto":
        choice = guide.recommend(guide.Situation.of_run(run, n_systems=1, constant=constant))
    reports = {
        metric: engine.ask_constant(
            run,
            question,
            constant,
            name=given.names[0],
            metric=metric,
            facts=facts,
            choice=choice,
        )
        for metric in metrics
    }
    return one_or_per_metric(reports)


def _ask_sample(
    sample: Sample, given: GivenSamples, metric: str, question: Question, request: Request
) -> PairEvidence | SystemsEvidence:
    """Ask one metric's sample."""
    about: dict[str, Any] = {
        "metric": metric,
        "is_loss": given.directions[metric].is_loss,
        "facts": facts_beside(sample, given, metric),
    }
    if isinstance(sample, stats.ScoreTable) and sample.unit == "dataset":
        return _ask_datasets(sample, question, request, **about)
    if isinstance(sample, stats.SeedScoreTable):
        return engine.ask_seed_scores(sample, request.test, question, **about)
    about["design"] = given.designs.get(metric, given.design)
    if isinstance(sample, stats.ScoreTable):
        return _ask_table(sample, question, request, **about)
    if isinstance(sample, stats.Scores):
        assert request.constant is not None  # else one system is no sample
        # A loss was turned into a score, and so is what it is compared with.
        constant = (1.0 if given.directions[metric].higher else -1.0) * request.constant
        about["names"] = (given.names[0], f"constant {request.constant:g}")
        return _ask_constant(sample, question, request.test, constant, **about)
    return _ask_pair(sample, given.names, question, request, **about)


def facts_beside(sample: Sample, given: GivenSamples, metric: str) -> Facts:
    """Say what the doubts go by beside the sample."""
    n_effective = None
    if isinstance(sample, stats.ClusteredScores | stats.ClusteredScoreTable):
        n_effective = sample.n_effective
    of_rows = n_effective is not None
    return replace(
        given.facts.get(metric, Facts()),
        n_metrics=len(given.samples),
        is_mean=of_rows,
        n_weighed=n_effective,
    )


def _ask_datasets(
    table: stats.ScoreTable, question: Question, request: Request, **about: Any
) -> PairEvidence | SystemsEvidence:
    """Compare systems by a table of data sets."""
    test, pairs = engine.tests_over_datasets(
        request.test, question.adjustment, len(table.names)
    )
    test = guide.test_beside_model(test, table.names)
    if engine.is_two_system_question(table.names, test, pairs):
        return engine.ask_two_over_datasets(table, test, question, **about)
    return engine.ask_table(table, test, pairs, question, **about)


def _ask_table(
    table: stats.ScoreTable, question: Question, request: Request, **about: Any
) -> PairEvidence | SystemsEvidence:
    """Compare systems by a table of one data set's splits, instances or seeds."""
    test, control = request.test, question.control
    pairs = pairs_of(table.names, control)
    if len(table.names) == 2:
        return _ask_pair(table.pair(*pairs[0]), pairs[0], question, request, **about)
    procedure, choice = guide.choose(
        test, table, question, control=control is not None, adjustment=question.adjustment
    )
    return engine.ask_systems(table, procedure, question, choice=choice, **about)


def _ask_pair(
    sample: stats.PairedScores | stats.ClusteredScores,
    names: tuple[str, ...],
    question: Question,
    request: Request,
    **about: Any,
) -> PairEvidence:
    """Compare A with B; a control can only be B."""
    a, b = names
    if pairs_of((a, b), question.control)[0] != (a, b):
        raise ValueError(
            f"control={question.control!r} is the first system of this "
            f"{type(sample).__name__}, and a control must be the second: pass "
            f"{type(sample).__name__}(b, a)."
        )
    procedure, choice = guide.choose(request.test, sample, question)
    return engine.ask_sample(
        procedure,
        sample_taken(procedure, sample),
        question,
        names=(a, b),
        choice=choice,
        **about,
    )


def ask_in_slice(
    pair: stats.PairedScores | stats.ClusteredScores,
    names: tuple[str, str],
    given: GivenSamples,
    metric: str,
    question: Question,
    request: Request,
) -> PairEvidence:
    """Compare two systems on the instances of one of several slices."""
    procedure, choice = guide.choose(request.test, pair, question)
    # What is known of results and design is of all items.
    facts = facts_beside(pair, replace(given, facts={}), metric)
    report = engine.ask_sample(
        procedure,
        sample_taken(procedure, pair),
        question,
        names=names,
        metric=metric,
        is_loss=given.directions[metric].is_loss,
        facts=facts,
        choice=choice,
        of_family=True,
    )
    assumed = given.directions[metric].is_assumed
    return replace(report, direction_assumed=SAY_OTHERWISE if assumed else "")


def _ask_constant(
    sample: stats.Scores,
    question: Question,
    test: str | Procedure,
    constant: float,
    **about: Any,
) -> PairEvidence:
    _check_one_sample(test)
    if test == "auto":
        about["choice"] = choice = guide.recommend(
            guide.Situation.of_scores(sample, constant=constant)
        )
        if stats.Successes in sample_types(guide.procedure_of(choice)):
            values = np.asarray(sample.values)
            counted = stats.Successes(int(values.sum()), len(values))
            return engine.ask_sample(
                stats.binomial, counted, question, constant=constant, **about
            )
        if sample.unit == "dataset":
            return engine.ask_sample(
                stats.wilcoxon, sample.against(constant), question, **about
            )
        if isinstance(sample, stats.FoldScores):
            procedure = guide.procedure_of(choice)
            return engine.ask_sample(procedure, sample, question, constant=constant, **about)
    return engine.ask_sample(stats.one_sample_t, sample, question, constant=constant, **about)


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
            overall = ask_metric_of(given, metric, engine.on_all_rows(question), request)
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
    assert isinstance(
        sample,
        stats.PairedScores
        | stats.ScoreTable
        | stats.ClusteredScores
        | stats.ClusteredScoreTable,
    )

    def ask(rows: NDArray[np.int64], names: tuple[str, str]) -> engine.AskedSlice:
        pair: Any = sample
        if isinstance(sample, stats.ScoreTable | stats.ClusteredScoreTable):
            pair = sample.pair(*names)
        part, values = _part(pair, rows)
        report = ask_in_slice(part, names, given, metric, question, request)
        return engine.AskedSlice(report=report, values=values, times=np.ones(len(values)))

    groups = getattr(sample, "groups", None)
    if isinstance(sample, stats.ClusteredScoreTable):
        n_rows = len(sample.instances)
    else:
        n_rows = len(sample.scores if isinstance(sample, stats.ScoreTable) else sample.a)
    return engine.ask_slices(
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
