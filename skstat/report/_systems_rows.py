"""What a report on several systems knows of each system and each pair, as plain values."""

import math
from typing import Any

from skstat.stats._outcomes import plain


def ranking_rows(report: Any) -> list[dict[str, Any]]:
    """One row per system, the best first: its score, and how far it may be from the best."""
    summaries = dict(zip(report.names, report.sample.summaries(), strict=True))
    best = report.best
    intervals = None if best is None else best.intervals(report.confidence_level)
    rows = []
    for name in report.order:
        row: dict[str, Any] = {
            "name": name,
            "mean": plain(report.scores[name]),
            "sd": plain(summaries[name]["sd"]),
            "letters": report.letters.get(name, ""),
        }
        if best is not None and intervals is not None:
            place = best.names.index(name)
            low, high = intervals[place].tolist()
            row |= {
                "from_best_low": plain(low),
                "from_best_high": plain(high),
                "best_pvalue": plain(float(best.pvalues[place])),
                "may_be_best": name in report.may_be_best,
            }
        rows.append(row)
    return rows


def pair_rows(report: Any) -> list[dict[str, Any]]:
    """One row per pair: difference, interval, p-values and verdict."""
    pairwise = report.pairwise
    equivalences = report.equivalences or [None] * len(report)
    return [
        _pair(report, *found)
        for found in zip(
            pairwise.pairs,
            pairwise.outcomes,
            pairwise.adjusted_pvalues.tolist(),
            equivalences,
            strict=True,
        )
    ]


def _pair(
    report: Any, pair: tuple[str, str], outcome: Any, adjusted: float, same: Any
) -> dict[str, Any]:
    low, high = outcome.confidence_interval(report.confidence_level)
    # Without a direction there is no better one, whatever the p-value.
    side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction)
    side = side if adjusted < report.alpha and not math.isnan(low) else 0
    row = {
        "a": pair[0],
        "b": pair[1],
        "metric": report.metric,
        "scale": outcome.scale,
        "quantity": outcome.quantity.name,
        "estimate": plain(outcome.estimate),
        "low": plain(low),
        "high": plain(high),
        "simultaneous": outcome.simultaneous,
        "confidence_level": report.confidence_level,
        "statistic": plain(outcome.statistic),
        "df": plain(outcome.df),
        "pvalue": plain(outcome.pvalue),
        "adjusted_pvalue": plain(adjusted),
        "verdict": {1: "A", -1: "B"}.get(side, "undecided"),
        "effect_sizes": plain(outcome.effect_sizes),
    }
    if same is not None:
        row |= {
            "margin": report.margin,
            "equivalence_pvalue": plain(same.adjusted_pvalue),
        }
        if same.equivalent(report.alpha):
            row["verdict"] = "equivalent"
    return row
