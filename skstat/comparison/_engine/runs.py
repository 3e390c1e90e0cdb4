"""Runs to compare: designs that suit a test, own splits of metrics, and other partitions."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat import stats
from skstat.comparison._procedures import Procedure, procedure_name, reads_rows
from skstat.comparison._question import Question
from skstat.evaluation import CrossValidationRun
from skstat.evaluation._design import Design
from skstat.evaluation._evaluate import Partition, evaluate
from skstat.evaluation._plan import Fits, formulas_of
from skstat.evaluation._scoring import metric_sources
from skstat.report import Stability
from skstat.report._doubts import Doubts, Facts, merged
from skstat.stats._procedure import AlternativeError, declared


def ask_partitions(
    fits: Fits,
    partitions: Sequence[Partition],
    ask: Callable[[CrossValidationRun], Any],
    *,
    scoring: Any,
    accept: Callable[[Design], None],
) -> Any:
    """Run estimators on all partitions; ask the first run, and the others whether they agree.

    Any report will do: one comparison, one per metric, or several systems. `accept` may refuse
    the design before the first fit.
    """
    runs = evaluate(fits, scoring=scoring, partitions=partitions, accept=accept)
    report, *others = [ask(run) for run in runs]
    if not others:
        return report
    return with_stability(report, others, [int(p.random_state) for p in partitions[1:]])


def with_stability(report: Any, others: Sequence[Any], seeds: Sequence[int]) -> Any:
    """Add to a report what other partitions said, and the doubt if they disagree."""
    if isinstance(report, Mapping):
        return {
            metric: with_stability(part, [other[metric] for other in others], seeds)
            for metric, part in report.items()
        }
    found, disagree = {}, []
    for pair in report.pairwise.pairs:
        again = [other[pair] for other in others]
        found[pair] = Stability(
            verdict=report[pair].verdict,
            seeds=tuple(seeds),
            estimates=tuple(one.shown_difference.value(one.outcome.estimate) for one in again),
            pvalues=tuple(one.pairwise.adjusted_pvalues.item() for one in again),
            verdicts=tuple(one.verdict for one in again),
        )
        disagree += [(pair, own) for own in Doubts(Facts(stability=found[pair]))]
    doubts = Doubts(report.doubts, merged(disagree, len(found)))
    return replace(report, stability=found, doubts=doubts)


def on_own_splits(
    named: Mapping[str, Any],
    scoring: Any,
    y: Any,
    ask: Callable[[Any, tuple[str, ...]], Any],
    *,
    apart: bool,
) -> Any:
    """Ask by metrics of which the rows' contributions are known, and by the others apart.

    The two need other splits. Of one metric the report is the same as if it were asked alone,
    but for what is said of several metrics.

    Parameters
    ----------
    named : mapping of str to estimator
        The estimators.
    scoring : str, callable, list, tuple or dict
        The metrics.
    y : array-like of shape (n_rows,) or None
        Truth of all rows.
    ask : callable
        From metrics, and the names of all of them where these are only a part, to the report.
    apart : bool
        Whether they may have other splits: the caller named neither splits nor test.
    """
    sources, parts = metric_sources(named, scoring), (dict[str, Any](), dict[str, Any]())
    for metric, formula in formulas_of(named, scoring, y).items() if apart else ():
        parts[formula is None][metric] = sources[metric]
    if not all(parts):
        return ask(scoring, ())
    found: dict[str, Any] = {}
    for part in parts:
        report = ask(part, tuple(sources))
        found |= report if isinstance(report, Mapping) else {next(iter(part)): report}
    return {metric: found[metric] for metric in sources}


def check_posterior(outcome: stats.Comparison, question: Question) -> None:
    """Refuse a comparison that has no probabilities, if the question asks for them."""
    if question.rope is not None:
        stats.posterior(outcome, n_draws=1)


def check_design(
    design: Design, procedure: Procedure, question: Question, *, adjustment: str = "auto"
) -> None:
    """Refuse a design that does not suit a procedure, before any fit.

    It must suit the adjustment of several systems, too, where there are several.
    """
    facts = declared(procedure)
    if facts.side_effects:
        design.units()  # refuses splits of several kinds
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)
        try:
            with_rows = reads_rows(procedure)
            if with_rows and design.folds is None:
                raise ValueError(
                    f"{procedure_name(procedure)} needs repeated partitions of the rows, in "
                    "which each row is tested once per repetition and else trained on."
                )
            sample = design.null_table(with_rows=with_rows).pair("A", "B")
            outcome = procedure(sample, alternative=question.alternative)
            check_posterior(outcome, question)
        except AlternativeError:
            raise
        except ValueError as error:
            said = " ".join(filter(None, (str(error), facts.suited_splits)))
            raise ValueError(f"cv={design.splitter} does not suit the test: {said}") from None
        if adjustment == "max-t" and not with_rows:
            # A sample whose mean differs from its ranks and its signs.
            scores = np.random.default_rng(0).exponential(size=(2, *design.n_scored.shape))
            sample = design.table(np.moveaxis(scores**2, 0, -1), ("A", "B")).pair("A", "B")
            outcome = procedure(sample, alternative=question.alternative)
            if not math.isclose(outcome.estimate, sample.differences.mean()):
                raise ValueError(
                    "adjustment='max-t' compares mean differences, and the "
                    f"{outcome.test} estimates something else; use adjustment='holm'."
                )
