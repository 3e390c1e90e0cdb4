"""Whether a verdict depends on the partition: the verdicts of all partitions, compared."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skstat.evaluation import CrossValidationRun
from skstat.evaluation._design import Design
from skstat.evaluation._evaluate import evaluate
from skstat.evaluation._fits import Fits
from skstat.evaluation._partitions import Partition
from skstat.report import ComparisonReport, MetricsReport, Stability
from skstat.report._doubts import Facts, by_code, find_doubts, merged
from skstat.stats._common import from_plain


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
    if isinstance(report, MetricsReport):
        return replace(
            report,
            reports={
                metric: with_stability(part, [other[metric] for other in others], seeds)
                for metric, part in report.reports.items()
            },
        )
    if isinstance(report, ComparisonReport):
        adjusted = report.adjusted_pvalue is not None
        stability = Stability(
            verdict=report.verdict,
            seeds=tuple(seeds),
            estimates=tuple(other.estimate for other in others),
            pvalues=tuple(o.adjusted_pvalue if adjusted else o.pvalue for o in others),
            verdicts=tuple(other.verdict for other in others),
        )
        doubts = by_code(report.doubts, find_doubts(Facts(stability=stability)))
        return replace(report, stability=stability, doubts=doubts)
    found = stability_of_pairs(report, others, seeds)
    disagree = [
        (pair, doubt)
        for pair, stability in found.items()
        for doubt in find_doubts(Facts(stability=stability))
    ]
    doubts = by_code(report.doubts, merged(disagree, len(found)))
    return replace(report, stability=found, doubts=doubts)


def stability_of_pairs(
    report: Any, others: Sequence[Any], seeds: Sequence[int]
) -> dict[tuple[str, str], Stability]:
    """What other partitions said of every pair of several systems, by their names."""
    rows = [_pairs(each) for each in (report, *others)]
    return {
        pair: Stability(
            verdict=row["verdict"],
            seeds=tuple(seeds),
            estimates=tuple(from_plain(other[pair]["estimate"]) for other in rows[1:]),
            pvalues=tuple(from_plain(other[pair][_decisive(row)]) for other in rows[1:]),
            verdicts=tuple(other[pair]["verdict"] for other in rows[1:]),
        )
        for pair, row in rows[0].items()
    }


def _pairs(report: Any) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["first"], row["second"]): row for row in report.to_dict()["pairs"]}


def _decisive(row: dict[str, Any]) -> str:
    return "adjusted_pvalue" if "adjusted_pvalue" in row else "pvalue"
