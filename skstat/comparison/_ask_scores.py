"""Samples of scores and runs, and the tests that suit them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from skstat import stats
from skstat._directions import SAY_OTHERWISE
from skstat._times import select_times
from skstat.comparison._engine import (
    ask_constant,
    ask_datasets_run,
    ask_run,
    ask_sample,
    ask_seed_scores,
    ask_systems,
    ask_systems_run,
    ask_table,
    ask_two_over_datasets,
    is_two_system_question,
    tests_over_datasets,
)
from skstat.comparison._guide import (
    Situation,
    choose,
    procedure_of,
    recommend,
    test_beside_model,
)
from skstat.comparison._procedures import Procedure, sample_taken, sample_types
from skstat.comparison._question import Question
from skstat.comparison._score_readers import (
    Given,
    GivenDatasetsRun,
    GivenRun,
    GivenSamples,
    Sample,
)
from skstat.evaluation._random_state import draw_seed
from skstat.report._doubts import Facts
from skstat.report._evidence import ByMetric, PairEvidence, SystemsEvidence, one_or_per_metric
from skstat.stats import (
    ClusteredScores,
    ClusteredScoreTable,
    FoldScores,
    PairedScores,
    Scores,
    ScoreTable,
    SeedScoreTable,
    Successes,
)
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
        found: PairEvidence | ByMetric = ask_datasets_run(
            given.run,
            *tests_over_datasets(request.test, question.adjustment, len(given.run.names)),
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
        return ask_systems_run(run, test, question, names=names, metrics=metrics)
    stable = None if run.unstable & set(labels) else True
    sample = run.sample(*labels, metric=metrics[0])
    procedure, choice = choose(test, sample, question, stable=stable)
    return ask_run(run, procedure, question, names=labels, metrics=metrics, choice=choice)


def _ask_run_constant(
    given: GivenRun, question: Question, request: Request, constant: float
) -> PairEvidence | ByMetric:
    _check_one_sample(request.test)
    run, metrics = given.run, given.metrics
    facts = Facts(n_metrics=len(metrics))
    choice = None
    if request.test == "auto":
        choice = recommend(Situation.of_run(run, n_systems=1, constant=constant))
    reports = {
        metric: ask_constant(
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
    if isinstance(sample, ScoreTable) and sample.unit == "dataset":
        return _ask_datasets(sample, question, request, **about)
    if isinstance(sample, SeedScoreTable):
        return ask_seed_scores(sample, request.test, question, **about)
    about["design"] = given.designs.get(metric, given.design)
    if isinstance(sample, ScoreTable):
        return _ask_table(sample, question, request, **about)
    if isinstance(sample, Scores):
        assert request.constant is not None  # else one system is no sample
        # A loss was turned into a score, and so is what it is compared with.
        constant = (1.0 if given.directions[metric].higher else -1.0) * request.constant
        about["names"] = (given.names[0], f"constant {request.constant:g}")
        return _ask_constant(sample, question, request.test, constant, **about)
    return _ask_pair(sample, given.names, question, request, **about)


def facts_beside(sample: Sample, given: GivenSamples, metric: str) -> Facts:
    """Say what the doubts go by beside the sample."""
    n_effective = None
    if isinstance(sample, ClusteredScores | ClusteredScoreTable):
        n_effective = sample.n_effective
    of_rows = n_effective is not None
    return replace(
        given.facts.get(metric, Facts()),
        n_metrics=len(given.samples),
        is_mean=of_rows,
        n_weighed=n_effective,
    )


def _ask_datasets(
    table: ScoreTable, question: Question, request: Request, **about: Any
) -> PairEvidence | SystemsEvidence:
    """Compare systems by a table of data sets."""
    test, pairs = tests_over_datasets(request.test, question.adjustment, len(table.names))
    test = test_beside_model(test, table.names)
    if is_two_system_question(table.names, test, pairs):
        return ask_two_over_datasets(table, test, question, **about)
    return ask_table(table, test, pairs, question, **about)


def _ask_table(
    table: ScoreTable, question: Question, request: Request, **about: Any
) -> PairEvidence | SystemsEvidence:
    """Compare systems by a table of one data set's splits, instances or seeds."""
    test, control = request.test, question.control
    pairs = pairs_of(table.names, control)
    if len(table.names) == 2:
        return _ask_pair(table.pair(*pairs[0]), pairs[0], question, request, **about)
    procedure, choice = choose(
        test, table, question, control=control is not None, adjustment=question.adjustment
    )
    return ask_systems(table, procedure, question, choice=choice, **about)


def _ask_pair(
    sample: PairedScores | ClusteredScores,
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
    procedure, choice = choose(request.test, sample, question)
    return ask_sample(
        procedure,
        sample_taken(procedure, sample),
        question,
        names=(a, b),
        choice=choice,
        **about,
    )


def ask_in_slice(
    pair: PairedScores | ClusteredScores,
    names: tuple[str, str],
    given: GivenSamples,
    metric: str,
    question: Question,
    request: Request,
) -> PairEvidence:
    """Compare two systems on the instances of one of several slices."""
    procedure, choice = choose(request.test, pair, question)
    # What is known of results and design is of all items.
    facts = facts_beside(pair, replace(given, facts={}), metric)
    report = ask_sample(
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
    sample: Scores,
    question: Question,
    test: str | Procedure,
    constant: float,
    **about: Any,
) -> PairEvidence:
    _check_one_sample(test)
    if test == "auto":
        about["choice"] = choice = recommend(Situation.of_scores(sample, constant=constant))
        if Successes in sample_types(procedure_of(choice)):
            values = np.asarray(sample.values)
            counted = Successes(int(values.sum()), len(values))
            return ask_sample(stats.binomial, counted, question, constant=constant, **about)
        if sample.unit == "dataset":
            return ask_sample(stats.wilcoxon, sample.against(constant), question, **about)
        if isinstance(sample, FoldScores):
            procedure = procedure_of(choice)
            return ask_sample(procedure, sample, question, constant=constant, **about)
    return ask_sample(stats.one_sample_t, sample, question, constant=constant, **about)


def _check_one_sample(test: str | Procedure) -> None:
    if test not in ("auto", "one_sample_t"):
        raise ValueError(
            f"test={test!r}: scores are compared with a constant by one_sample_t; use "
            "test='auto'."
        )
