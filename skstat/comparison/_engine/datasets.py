"""Two systems or more over many data sets: one report for each metric of a run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from skstat import stats
from skstat.comparison._engine.ask import ask, with_notes
from skstat.comparison._engine.facts import beside_largest_classes, beside_run
from skstat.comparison._engine.post_hoc import PairwiseRequest
from skstat.comparison._engine.scored import Scored
from skstat.comparison._engine.tables import ask_table, gaps, omnibus_tests
from skstat.comparison._guide import choose, takes_splits_of_datasets, test_beside_model
from skstat.comparison._procedures import procedure_name, sample_types
from skstat.comparison._question import Question
from skstat.evaluation import DatasetsRun, FailedFit
from skstat.report._doubts import Facts
from skstat.report._evidence import ComparisonEvidence, one_or_per_metric
from skstat.stats._hierarchical import FEWEST_DATASETS
from skstat.stats._pairwise import pairs_of
from skstat.stats._procedure import rng_option


def ask_datasets_run(
    run: DatasetsRun,
    test: Any,
    post_hoc: PairwiseRequest,
    question: Question,
    *,
    metrics: Any = None,
) -> Any:
    """Ask a run over many data sets, metric by metric.

    Tests that draw do so by the seed of the run, if they have none of their own.
    """
    if question.seed is None:
        question = replace(question, seed=run.random_state)
    metrics = run.metrics if metrics is None else metrics
    question = question.about(metrics)
    reports = {metric: _ask_metric(run, metric, test, post_hoc, question) for metric in metrics}
    return one_or_per_metric(reports)


def _ask_metric(
    run: DatasetsRun,
    metric: str,
    test: Any,
    post_hoc: PairwiseRequest,
    question: Question,
) -> ComparisonEvidence:
    table = run.table(metric)
    common: dict[str, Any] = {
        "metric": metric,
        "is_loss": metric in run.losses,
        "design": _design(run),
        "ignored": tuple(
            f"the random_state of {name}, held fixed"
            for name in run.names
            if name in run.fixed_seeds
        ),
    }
    facts = Facts(unseeded=run.unseeded)
    failures = _by_dataset(run)
    if takes_splits_of_datasets(test):
        common["posterior"] = _modelled(run, table, test, question, metric)
        test = "auto"
    report = ask_over_datasets(
        table, test, post_hoc, question, facts=facts, failures=failures, run=run, **common
    )
    return beside_run(beside_largest_classes(report, run, metric), run)


def check_model(test: Any, names: Sequence[str], n_datasets: int, question: Question) -> None:
    """Refuse what a model of all splits cannot be asked, before any fit."""
    if len(names) != 2:
        raise ValueError(
            f"test={procedure_name(test)!r} is a model of two systems, and there are "
            f"{len(names)}: compare two at a time."
        )
    if question.rope is None:
        raise ValueError(
            f"test={procedure_name(test)!r} has no p-value; say with rope= which difference is "
            "practically none: rope=0.01, or rope=0 for no such region."
        )
    if n_datasets < FEWEST_DATASETS:
        raise ValueError(
            f"test={procedure_name(test)!r} needs {FEWEST_DATASETS} data sets or more, got "
            f"{n_datasets}."
        )


def _modelled(
    run: DatasetsRun,
    table: stats.ScoreTable,
    test: Any,
    question: Question,
    metric: str,
) -> stats.Posterior:
    """Ask a model of the scores on all splits of the data sets that have every score."""
    ((a, b),) = pairs_of(table.names, question.control)
    names = [str(name) for name in table.complete().datasets or ()]
    check_model(test, table.names, len(names), question)
    splits = stats.DatasetSplits(
        {name: run.sample(name, a, b, metric=metric) for name in names}
    )
    rope = question.rope_of(metric)
    found: stats.Posterior = test(splits, rope, **rng_option(test, question.seed))
    return found


def is_two_system_question(names: Sequence[str], test: Any, post_hoc: PairwiseRequest) -> bool:
    """Whether two systems are compared by a test of two, and not as a table."""
    if len(names) != 2 or not post_hoc.is_default:
        return False
    if not callable(test):
        return not isinstance(test, str) or test not in omnibus_tests()
    return stats.ScoreTable not in sample_types(test)


def ask_over_datasets(
    table: stats.ScoreTable,
    test: Any,
    post_hoc: PairwiseRequest,
    question: Question,
    *,
    facts: Facts,
    design: dict[str, Any] | None = None,
    failures: tuple[str, ...] = (),
    posterior: stats.Posterior | None = None,
    run: DatasetsRun | None = None,
    **about: Any,
) -> ComparisonEvidence:
    """Compare two systems over data sets by one test; more by one of all, and of pairs."""
    test = test_beside_model(test, table.names)
    if not is_two_system_question(table.names, test, post_hoc):
        return ask_table(
            table, test, post_hoc, question, facts=facts, design=design, failures=failures,
            run=run, **about,
        )  # fmt: skip
    ((a, b),) = pairs_of(table.names, question.control)
    complete = table.complete()
    left_out = failures or gaps(table, complete)
    notes = [f"left out: {'; '.join(left_out)}"] if left_out else []
    two = Scored(
        sample=complete.pair(a, b),
        names=(a, b),
        design=with_notes(design, *notes),
        facts=replace(facts, left_out=left_out),
        known_posterior=posterior,
        **about,
    )
    return ask(two, choose(test, two.sample, question), question)


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
