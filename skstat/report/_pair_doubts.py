"""Doubts about many pairs, told once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from skstat.report._case import Case, Context, Doubt
from skstat.report._comparison import ComparisonReport
from skstat.report._doubts import after_adjustment

_OF_A_AND_B = ("SKS203",)  # these speak of A and B


def doubts_of_pairs(
    reports: Sequence[ComparisonReport], adjusted_pvalues: Iterable[float]
) -> tuple[Doubt, ...]:
    """Gather the doubts of several comparisons, each kind once, by its code.

    Those about the verdict are looked for again with the adjusted p-values.
    """
    found: dict[str, list[tuple[tuple[str, str], Doubt]]] = {}
    for report, adjusted in zip(reports, adjusted_pvalues, strict=True):
        case = Case(
            sample=report.compared,
            outcome=report.outcome,
            confidence_level=report.confidence_level,
            context=Context(
                metric=report.metric,
                is_loss=report.is_loss,
                margin=getattr(report, "margin", None),
            ),
            adjusted_pvalue=adjusted,
        )
        for doubt in after_adjustment(report.doubts, case):
            found.setdefault(doubt.code, []).append((report.names, doubt))
    return tuple(told_once(found[code], len(reports)) for code in sorted(found))


def by_code(*found: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Put doubts of several kinds in the order of their codes."""
    return tuple(sorted(chain(*found), key=lambda doubt: doubt.code))


def told_once(
    found: Sequence[tuple[tuple[str, str], Doubt]], n_pairs: int | None = None
) -> Doubt:
    """Say of which pairs a doubt is raised, unless it is the same of all `n_pairs`."""
    ((a, b), doubt), *others = found
    speaks_of_all = doubt.code not in _OF_A_AND_B and len(found) == n_pairs
    if speaks_of_all and all(other.text == doubt.text for _, other in others):
        return doubt
    n = len(others)
    more = f" The same holds for {n} more pair{'s' * (n > 1)}." if others else ""
    who = f"A = {a}, B = {b}" if doubt.code in _OF_A_AND_B else f"{a} and {b}"
    return replace(doubt, text=f"{who}: {doubt.text}{more}")
