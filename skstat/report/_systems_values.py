"""What a report on several systems knows of each system and each pair, as plain values."""

import math
from typing import Any

from skstat.report._words import SystemsLike, better_of, interval_of, level_of, verdict_of
from skstat.stats import EquivalenceOutcome, Outcome
from skstat.stats._outcomes import to_plain


def ranking_rows(report: SystemsLike) -> list[dict[str, Any]]:
    """One row per system, the best first: its score, and how far it may be from the best."""
    summaries = dict(zip(report.names, report.sample.summaries(), strict=True))
    kept, from_best = report.may_be_best, report.from_best
    rows = []
    for name in report.order:
        row: dict[str, Any] = {
            "name": name,
            "mean": to_plain(report.scores[name]),
            "sd": to_plain(summaries[name]["sd"]),
            "letters": report.letters.get(name, ""),
        }
        if name in report.best_pvalues:
            row |= {
                "best_pvalue": to_plain(report.best_pvalues[name]),
                "may_be_best": name in kept,
            }
        if name in from_best:
            low, high = from_best[name]
            row |= {"from_best_low": to_plain(low), "from_best_high": to_plain(high)}
        rows.append(row)
    return rows


def pair_rows(report: SystemsLike) -> list[dict[str, Any]]:
    """One row per pair: difference, interval, p-values and verdict."""
    pairwise = report.pairwise
    equivalences = report.equivalences or (None,) * len(report)
    tests = [outcome.test for outcome in pairwise.outcomes]
    if len(set(tests)) == 1:
        tests = [report.test] * len(tests)
    return [
        _pair(report, *found)
        for found in zip(
            pairwise.pairs,
            pairwise.outcomes,
            tests,
            pairwise.adjusted_pvalues.tolist(),
            equivalences,
            strict=True,
        )
    ]


def _pair(
    report: SystemsLike,
    pair: tuple[str, str],
    outcome: Outcome,
    test: str,
    adjusted: float,
    same: EquivalenceOutcome | None,
) -> dict[str, Any]:
    low, high = interval_of(outcome, report.confidence_level, adjusted)
    # Without a direction there is no better one, whatever the p-value.
    side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction)
    side = side if adjusted < report.alpha and not math.isnan(low) else 0
    verdict = verdict_of(side, same, report.alpha)
    row = {
        "first": pair[0],
        "second": pair[1],
        "metric": report.metric,
        "scale": outcome.scale,
        "quantity": outcome.quantity.name,
        "n_units": report._n_units_of(pair),
        "estimate": to_plain(outcome.estimate),
        "low": to_plain(low),
        "high": to_plain(high),
        "simultaneous": outcome.simultaneous,
        "confidence_level": report.confidence_level,
        "interval_level": level_of(outcome, report.confidence_level, adjusted),
        "statistic": to_plain(outcome.statistic),
        "df": to_plain(outcome.df),
        "pvalue": to_plain(outcome.pvalue),
        "adjusted_pvalue": to_plain(adjusted),
        "verdict": verdict,
        "better": better_of(verdict, *pair),
        "test": test,
        "effect_sizes": to_plain(outcome.effect_sizes),
    }
    if same is not None:
        row |= {
            "margin": report.margin,
            "equivalence_pvalue": to_plain(same.adjusted_pvalue),
        }
    return row
