"""What a report on several systems knows of each system, as plain values."""

from typing import Any

from skstat.stats._common import to_plain


def ranking_rows(report: Any) -> list[dict[str, Any]]:
    """One row per system, the best first: its score, and how far it may be from the best."""
    summaries = dict(zip(report.names, report.sample.summaries(), strict=True))
    kept, from_best = report.may_be_best, report.from_best
    found = report.best_posterior
    rows = []
    for name in report.order:
        row: dict[str, Any] = {
            "name": name,
            "mean": to_plain(report.scores[name]),
            "sd": to_plain(summaries[name]["sd"]),
            "letters": report.letters.get(name, ""),
        }
        if name in report.best_pvalues and not report.direction_assumed:
            row |= {
                "best_pvalue": to_plain(report.best_pvalues[name]),
                "may_be_best": name in kept,
            }
        if name in from_best:
            low, high = from_best[name]
            row |= {"from_best_low": to_plain(low), "from_best_high": to_plain(high)}
        if found is not None:
            place = found.names.index(name)
            row |= {
                "probability_best": to_plain(found.best[place]),
                "probability_near_best": to_plain(found.near[place]),
            }
        rows.append(row)
    return rows
