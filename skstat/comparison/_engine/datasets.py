"""Two systems or more over many data sets: of a table, or for each metric of a run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat import stats
from skstat.comparison._engine.ask import (
    ask,
    facts_of_pairs,
    posteriors_of,
    with_notes,
    with_seed,
)
from skstat.comparison._engine.facts import beside_largest_classes, beside_run
from skstat.comparison._engine.scored import Scored
from skstat.comparison._engine.table_tests import DEFAULT_POST_HOC, TableTests
from skstat.comparison._guide import (
    Situation,
    choose,
    recommend,
    takes_splits_of_datasets,
    with_question,
)
from skstat.comparison._procedures import procedure_name
from skstat.comparison._question import Question
from skstat.evaluation import DatasetsRun, FailedFit
from skstat.report import _doubts as doubts
from skstat.report._evidence import ComparisonEvidence, one_or_per_metric
from skstat.stats._hierarchical import FEWEST_DATASETS
from skstat.stats._pairwise import pairs_of
from skstat.stats._procedure import declared, resamples_option, rng_option
from skstat.stats._score_table import ScorePairs
from skstat.stats._words import IGNORED_VARIANCE

_MOST_STRENGTHS = 100  # more take many seconds


def ask_datasets_run(
    run: DatasetsRun, tests: TableTests, question: Question, *, metrics: Any = None
) -> Any:
    """Ask a run over many data sets, metric by metric.

    Tests that draw do so by the seed of the run, if they have none of their own.
    """
    if question.seed is None:
        question = replace(question, seed=run.random_state)
    metrics = run.metrics if metrics is None else metrics
    question = question.about(metrics)
    return one_or_per_metric(
        {metric: _ask_metric(run, metric, tests, question) for metric in metrics}
    )


def _ask_metric(
    run: DatasetsRun, metric: str, tests: TableTests, question: Question
) -> ComparisonEvidence:
    table, modelled = run.table(metric), None
    if takes_splits_of_datasets(tests.test):
        modelled = _modelled(run, table, tests.test, question, metric)
        tests = replace(tests, test="auto")
    fixed = [name for name in run.names if name in run.fixed_seeds]
    compared = Scored(
        sample=table,
        names=table.names,
        metric=metric,
        is_loss=metric in run.losses,
        design=_design(run),
        facts=doubts.Facts(unseeded=run.unseeded),
        ignored=tuple(f"the random_state of {name}, held fixed" for name in fixed),
        known_posterior=modelled,
        told={"run": run},
    )
    report = ask_over_datasets(compared, tests, question, _by_dataset(run))
    return beside_run(beside_largest_classes(report, run, metric), run)


def ask_over_datasets(
    compared: Scored, tests: TableTests, question: Question, failures: tuple[str, ...] = ()
) -> ComparisonEvidence:
    """Compare two systems over data sets by one test; more by one of all, and of pairs."""
    table = compared.sample
    tests = tests.beside_model(table.names)
    if not tests.compare_two(table.names):
        return compared.finished(_ask_table(compared, tests, question, failures), question)
    ((a, b),) = pairs_of(table.names, question.control)
    complete = table.complete()
    left_out = failures or gaps(table, complete)
    own = compared.design
    notes = [f"left out: {'; '.join(left_out)}"] if left_out else []
    notes += own.get("notes", ())  # of many notes the first are shown
    two = replace(
        compared,
        sample=complete.pair(a, b),
        names=(a, b),
        design={**own, "notes": notes} if notes else own,
        facts=replace(compared.facts, left_out=left_out),
    )
    return ask(two, choose(tests.test, two.sample, question), question)


def _ask_table(
    compared: Scored, tests: TableTests, question: Question, failures: tuple[str, ...]
) -> ComparisonEvidence:
    """Ask all systems at once, then in pairs, and write the report with its doubts."""
    table, metric, control = compared.sample, compared.metric, question.control
    seed, margin = question.drawn_by, question.margin_of(metric)
    # To leave out every data set with a gap would cost most of them where gaps are scattered.
    for_gaps = tests.takes_gaps and table.missing.any() and not _apart(table, control)
    omnibus = tests.omnibus(gaps=for_gaps)
    with_gaps = declared(omnibus).missing_scores
    pairwise = tests.of_pairs(question, gaps=with_gaps)
    left_out = failures
    if not with_gaps:
        complete = _complete(table, failures)
        left_out = failures or gaps(table, complete)
        table = complete
    elif tests.name is not None and table.missing.any() and not tests.takes_gaps:
        raise ValueError(
            f"test={tests.test!r} allows missing scores, but {tests.argument}={tests.name!r} "
            f"ranks all systems and needs every score; use {DEFAULT_POST_HOC!r}, which "
            "compares a pair on the data sets that both have scores on, or another test, for "
            "complete data sets only."
        )
    drawing = resamples_option(omnibus, question.n_resamples) | rng_option(omnibus, seed)
    found = omnibus(table, **drawing)
    if with_gaps:
        _check_connected(table, control)
    handed = rng_option(pairwise, seed)
    pairs = pairwise(table, **handed)
    for value, kind in ((found, stats.OmnibusOutcome), (pairs, stats.PairwiseOutcome)):
        if not isinstance(value, kind):
            raise TypeError(f"a test returned {type(value).__name__}, not {kind.__name__}.")
    check_margin(margin, pairs)
    posteriors = posteriors_of(pairs.outcomes, question, metric)
    strengths, notes = _strengths(table, question, metric)
    choice = None
    if tests.by_default:
        situation = Situation.of_scores(table, control=control is not None)
        choice = with_question(recommend(situation), question, metric)
    report = ComparisonEvidence(
        kind="datasets",
        sample=table,
        omnibus=found,
        pairwise=pairs,
        metric=metric,
        is_loss=compared.is_loss,
        confidence_level=question.confidence_level,
        design=with_notes(compared.design, *notes),
        ignored_variance=IGNORED_VARIANCE[str(table.unit)] + compared.ignored,
        choice=choice,
        left_out=left_out,
        margin=margin,
        posteriors=posteriors,
        strengths=strengths,
    )
    facts = facts_of_pairs(
        report,
        replace(compared.facts, n_metrics=question.n_metrics),
        scored=_looked_at(table, pairs),
        names=table.names,
        table=table,
        strengths=strengths,
        left_out=left_out,
    )
    report = replace(report, doubts=doubts.find_doubts(facts))
    # The test of two systems that a comparison in pairs asks, or else the comparison.
    asked = getattr(pairwise, "keywords", {}).get("test", pairwise)
    return with_seed(report, seed, asked if handed else None)


def _looked_at(
    table: stats.ScoreTable, pairs: stats.PairwiseOutcome
) -> doubts.Scored | ScorePairs:
    """Tell what the scores of pairs say on every data set."""
    if table.n_units > 1 and not table.missing.any():
        return ScorePairs(table=table, pairs=pairs.pairs)
    return doubts.Scored.of_samples([table.pair(*pair) for pair in pairs.pairs])


def _strengths(
    table: stats.ScoreTable, question: Question, metric: str
) -> tuple[stats.BradleyTerryPosterior | None, tuple[str, ...]]:
    """Ask which system is the best, if probabilities are asked; or say why not."""
    rope = question.rope_of(metric)
    if rope is None or table.n_systems < 3:
        return None, ()
    if table.n_systems > _MOST_STRENGTHS:
        return None, (
            f"strengths of more than {_MOST_STRENGTHS} systems are left to "
            "skstat.stats.bradley_terry",
        )
    try:
        return stats.bradley_terry(table, rope, rng=question.drawn_by), ()
    except stats.PoorDrawsError as error:
        return None, (f"no strengths: {error}",)


def check_margin(margin: Any, pairs: stats.PairwiseOutcome) -> None:
    """Refuse a margin, which is in the unit of the score, where ranks are compared."""
    if margin is not None and pairs.outcomes[0].scale != "score":
        raise ValueError(
            f"margin={margin!r} is in the unit of the score, and the {pairs.test} compares "
            f"mean ranks; compare pairs by {DEFAULT_POST_HOC!r}, or another test of single "
            "pairs."
        )


def _complete(table: stats.ScoreTable, failures: tuple[str, ...]) -> stats.ScoreTable:
    """Leave out data sets with missing scores, unless hardly any is left."""
    whole = int((~table.missing.any(axis=1)).sum())
    if whole >= min(2, table.n_units):
        return table.complete()
    missing = table.missing.sum(axis=0)
    worst = int(missing.argmax())
    first = f" The first failure: {failures[0]}" if failures else ""
    raise ValueError(
        f"{whole} of {table.n_units} data sets have the scores of all systems; "
        f"{table.names[worst]} lacks {missing[worst]} of them. Leave it out, or ask "
        f"test='skillings_mack', which uses the scores that are there.{first}"
    )


def _check_connected(table: stats.ScoreTable, control: str | None) -> None:
    for a, b in _apart(table, control):
        raise ValueError(
            f"{a!r} and {b!r} have scores on no common data set, so that they cannot be "
            "compared as a pair; leave one of them out, or name a control= that has data "
            "sets in common with every other system."
        )


def _apart(table: stats.ScoreTable, control: str | None) -> list[tuple[str, str]]:
    """Pairs that have scores on no common data set."""
    there = (~table.missing).astype(np.int64)
    shared = there.T @ there
    place = {name: number for number, name in enumerate(table.names)}
    pairs = pairs_of(table.names, control)
    return [(a, b) for a, b in pairs if not shared[place[a], place[b]]]


def gaps(table: stats.ScoreTable, complete: stats.ScoreTable) -> tuple[str, ...]:
    """Say which data sets are not compared, and which scores they lack."""
    if complete is table:
        return ()
    reasons = []
    for dataset, row in zip(table.datasets or (), table.missing, strict=True):
        without = [system for system, gap in zip(table.names, row, strict=True) if gap]
        if without:
            reasons.append(f"data set {dataset} (no score of {', '.join(without)})")
    return tuple(reasons)


def check_model(test: Any, names: Sequence[str], n_datasets: int, question: Question) -> None:
    """Refuse what a model of all splits cannot be asked, before any fit."""
    named, wrong = f"test={procedure_name(test)!r}", ""
    if len(names) != 2:
        wrong = f"is a model of two systems, and there are {len(names)}: compare two at a time"
    elif question.rope is None:
        wrong = (
            "has no p-value; say with rope= which difference is practically none: rope=0.01, "
            "or rope=0 for no such region"
        )
    elif n_datasets < FEWEST_DATASETS:
        wrong = f"needs {FEWEST_DATASETS} data sets or more, got {n_datasets}"
    if wrong:
        raise ValueError(f"{named} {wrong}.")


def _modelled(
    run: DatasetsRun, table: stats.ScoreTable, test: Any, question: Question, metric: str
) -> stats.Posterior:
    """Ask a model of the scores on all splits of the data sets that have every score."""
    ((a, b),) = pairs_of(table.names, question.control)
    names = [str(name) for name in table.complete().datasets or ()]
    check_model(test, table.names, len(names), question)
    each = {name: run.sample(name, a, b, metric=metric) for name in names}
    drawn_by, splits = rng_option(test, question.seed), stats.DatasetSplits(each)
    found: stats.Posterior = test(splits, question.rope_of(metric), **drawn_by)
    return found


def _by_dataset(run: DatasetsRun) -> tuple[str, ...]:
    """Say for every data set what failed first, and whose fits failed there too."""
    found: dict[str, list[FailedFit]] = {}
    for failure in run.failures:
        found.setdefault(failure.dataset, []).append(failure)
    reasons = []
    for first, *others in found.values():
        names = ", ".join(str(other.estimator) for other in others)
        reasons.append(f"{first} ({names} failed there too)" if names else str(first))
    return tuple(reasons)


def _design(run: DatasetsRun) -> dict[str, Any]:
    designs = [part.design for part in run.datasets.values()]
    kinds = dict.fromkeys(str(design["kind"]) for design in designs)
    splitters = dict.fromkeys(str(design["splitter"]) for design in designs)
    rows = [int(design["n_samples"]) for design in designs]
    span = str(rows[0]) if len(set(rows)) == 1 else f"{min(rows)} to {max(rows)}"
    found: dict[str, Any] = {
        "kind": f"{len(designs)} data sets of {span} rows, {' or '.join(kinds)} on each",
        "fits_each": sum(int(design["n_splits"]) for design in designs),
    }
    if len(splitters) == 1:
        found["splitter"] = next(iter(splitters))
        if "random_state" in designs[0]:
            found["random_state"] = designs[0]["random_state"]
    notes = [] if len(splitters) == 1 else [f"random_state={run.random_state}"]
    notes += dict.fromkeys(note for design in designs for note in design.get("notes", ()))
    return found | ({"notes": notes} if notes else {})
