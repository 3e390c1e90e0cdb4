"""Which doubts apply to a comparison, to several, after an adjustment, and in a headline."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Protocol, TypeAlias

import numpy as np

from skstat.report._doubts.case import (
    Case,
    DatasetsOfLargestClass,
    LargestClassCase,
    NamedRowsCase,
    PerformanceCase,
    PreferencesCase,
    SystemsCase,
)
from skstat.report._doubts.catalogue import CATALOGUE
from skstat.report._doubts.context import Context, MetricFacts
from skstat.report._doubts.family import FamilyCase
from skstat.report._doubts.kind import WEIGHTS, Doubt, DoubtKind
from skstat.report._doubts.table_case import TableCase, TablePairCase, TablePairVerdict
from skstat.report._partition_stability import Stability
from skstat.report._words import PairLike

AnyCase: TypeAlias = (
    Case
    | TableCase
    | SystemsCase
    | LargestClassCase
    | DatasetsOfLargestClass
    | NamedRowsCase
    | PerformanceCase
    | PreferencesCase
    | Stability
)


def find_doubts(
    case: AnyCase,
    *,
    about_verdict: bool = True,
) -> tuple[Doubt, ...]:
    """Return the doubts that apply to a case, in the order of their codes.

    Parameters
    ----------
    case : AnyCase
        What is asked about. Only the doubts that are asked of such a case are looked for.
        The pairs of a table are looked at as well.
    about_verdict : bool, default=True
        Whether to look for those that depend on the p-value that decides. Of one pair of
        several :func:`doubts_of_pairs` does, with the adjusted one.

    Returns
    -------
    tuple of Doubt
        Those that were found.

    Examples
    --------
    Two systems:

    >>> from skstat.report._doubts import Case, find_doubts
    >>> from skstat.stats import PairedScores, paired_t
    >>> sample = PairedScores([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], unit="seed")
    >>> case = Case(sample=sample, outcome=paired_t(sample), confidence_level=0.95)
    >>> [doubt.code for doubt in find_doubts(case)]
    ['SKS107', 'SKS201']

    Several systems over data sets:

    >>> from skstat.report._doubts import TableCase
    >>> from skstat.stats import ScoreTable, friedman, nemenyi
    >>> scores = [[9, 8, 7], [9, 7, 7], [9, 8, 7], [9, 8, 7]]
    >>> table = ScoreTable(scores, unit="dataset")
    >>> case = TableCase(
    ...     table=table, omnibus=friedman(table), pairwise=nemenyi(table), confidence_level=0.95
    ... )
    >>> [doubt.code for doubt in find_doubts(case)]
    ['SKS107', 'SKS119']

    An estimate:

    >>> from skstat.report import PerformanceRow
    >>> from skstat.report._doubts import PerformanceCase
    >>> from skstat.stats import holdout_estimate
    >>> row = PerformanceRow(name="tree", estimate=holdout_estimate([1, 1, 0, 1]))
    >>> case = PerformanceCase(row=row)
    >>> [doubt.code for doubt in find_doubts(case)]
    ['SKS601']
    """
    kinds = (kind for kind in CATALOGUE.values() if about_verdict or not kind.about_verdict)
    found = [doubt for kind in kinds if (doubt := kind.find(case)) is not None]
    return by_code(found, _of_pairs(case) if isinstance(case, TableCase) else ())


def _of_pairs(case: TableCase) -> list[Doubt]:
    """Doubts about single pairs, each kind once, with the pairs that it is about."""
    doubts = []
    for kind in CATALOGUE.values():
        found: list[tuple[tuple[str, str], Doubt]] = []
        for single in (TablePairVerdict, TablePairCase):
            if single in kind.rules:
                found += _found_in_table(kind, case, single)
        if found:
            doubts.append(merged_over_pairs(found))
    return doubts


def _found_in_table(
    kind: DoubtKind, case: TableCase, single: type[Case]
) -> Iterator[tuple[tuple[str, str], Doubt]]:
    """Walk the pairs of a table that a doubt is about, with what is said of each.

    Where arrays tell which pairs these are, it is the same of all but for the names: one is
    asked.
    """
    screen = kind.screens.get(single)
    known = None if screen is None else screen(case)
    asked = np.ones(len(case.pairwise.pairs), dtype=bool)
    if screen is not None and single is TablePairCase:
        asked = case.suspicious  # there may be thousands of pairs, and few are doubtful
    if known is not None:
        asked = asked & known
    doubt: Doubt | None = None
    for place in np.flatnonzero(asked).tolist():
        if known is None or doubt is None:
            doubt = kind.find(case.of_pair(single, place))
        if doubt is not None:
            yield case.pairwise.pairs[place], doubt


def by_code(*found: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Put doubts of several kinds in the order of their codes."""
    return tuple(sorted(chain(*found), key=lambda doubt: doubt.code))


class Compared(PairLike, Protocol):
    """A report on two systems, as far as the doubts look at it."""

    @property
    def unit(self) -> str:
        """What one observation is."""

    @property
    def confidence_level(self) -> float:
        """Level of the interval."""

    @property
    def metric(self) -> str:
        """Name of the metric."""

    @property
    def is_loss(self) -> bool:
        """Whether smaller is better."""

    @property
    def margin(self) -> float | None:
        """Largest difference that does not matter."""

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts that were found without adjustment."""


def after_adjustment(report: Compared, adjusted_pvalue: float) -> tuple[Doubt, ...]:
    """Look again for the doubts that an adjusted p-value may raise or end; keep the others."""
    case = Case(
        sample=report.compared,
        outcome=report.outcome,
        names=report.names,
        confidence_level=report.confidence_level,
        context=Context(
            metric=MetricFacts(name=report.metric, is_loss=report.is_loss, margin=report.margin)
        ),
        adjusted_pvalue=adjusted_pvalue,
    )
    again = {kind.code: kind for kind in CATALOGUE.values() if kind.about_verdict}
    kept = [doubt for doubt in report.doubts if doubt.code not in again]
    found = [doubt for kind in again.values() if (doubt := kind.find(case)) is not None]
    return by_code(kept, found)


def doubts_of_pairs(
    reports: Sequence[Compared], adjusted_pvalues: Iterable[float]
) -> tuple[Doubt, ...]:
    """Gather the doubts of several comparisons, each kind once, by its code.

    Pairs that were compared on other units may have it for another reason. Doubts about the
    verdict are looked for again with the adjusted p-values.
    """
    found: dict[tuple[str, str], list[tuple[tuple[str, str], Doubt]]] = {}
    for report, adjusted in zip(reports, adjusted_pvalues, strict=True):
        for doubt in after_adjustment(report, adjusted):
            kind = (doubt.code, report.unit)
            found.setdefault(kind, []).append((report.names, doubt))
    return by_code(merged_over_pairs(each, len(reports)) for each in found.values())


def merged_over_pairs(
    found: Sequence[tuple[tuple[str, str], Doubt]], n_pairs: int | None = None
) -> Doubt:
    """Say of which pairs a doubt is raised, unless it is the same of all `n_pairs`."""
    named = [(" and ".join(pair), doubt) for pair, doubt in found]
    return _merged(named, n_pairs, "pair")


def merged_over_slices(names: Sequence[str], reports: Sequence[Compared]) -> list[Doubt]:
    """Gather the doubts about comparisons in slices, and say of which they are raised."""
    found: dict[str, list[tuple[str, Doubt]]] = {}
    for name, report in zip(names, reports, strict=True):
        for doubt in report.doubts:
            if not CATALOGUE[doubt.code].of_all_rows:
                found.setdefault(doubt.code, []).append((name, doubt))
    return [_merged(each, len(names), "slice") for each in found.values()]


def _merged(found: Sequence[tuple[str, Doubt]], n: int | None, noun: str) -> Doubt:
    """Say of what a doubt is raised, unless it is the same of all `n`.

    It weighs as much as the heaviest of them, which is the one that is told.
    """
    name, doubt = min(found, key=lambda each: WEIGHTS.index(each[1].weight))
    if len(found) == n and all(other.text == doubt.text for _, other in found):
        return doubt
    return _told_of(name, doubt, len(found) - 1, noun)


def _told_of(name: str, doubt: Doubt, n: int, noun: str) -> Doubt:
    """Say of which pair or slice a doubt is raised, and of how many others."""
    more = f" The same holds for {n} more {noun}{'s' * (n > 1)}." if n else ""
    return replace(doubt, text=f"{name}: {doubt.text}{more}")


def doubts_of_family(
    report_of: Callable[[int], Compared], family: FamilyCase
) -> tuple[Doubt, ...]:
    """Gather the doubts of pairs that are judged together, as :func:`doubts_of_pairs` does.

    Only a few pairs are reported on. A doubt that looks at the scores or the verdict of a pair
    says of which pairs it is raised: arrays tell, or every pair is asked. What the others say
    of one pair they say of all: they look at the design, and at whether there is any
    difference.
    """

    @cache
    def found_of(place: int) -> tuple[tuple[str, str], dict[str, Doubt]]:
        report = report_of(place)
        found = after_adjustment(report, float(family.adjusted[place]))
        return report.names, {doubt.code: doubt for doubt in found}

    identical = family.pairs.identical
    doubts: list[Doubt] = []
    for code, kind in CATALOGUE.items():
        if Case not in kind.rules:
            continue
        if kind.looks_at_pairs and not kind.among:
            walk = map(found_of, range(len(identical)))
            every = [(names, found[code]) for names, found in walk if code in found]
            doubts += [merged_over_pairs(every, len(identical))] if every else []
            continue
        masks = [where(family) for where in kind.among] or [~identical, identical]
        raised = []  # the first pair, the doubt, and the pairs like it
        for mask in masks:
            if mask.any():
                pair, found = found_of(int(mask.argmax()))
                if code in found:
                    raised.append((pair, found[code], mask))
        if not raised:
            continue
        pair, doubt, _ = min(raised, key=lambda each: WEIGHTS.index(each[1].weight))
        n = sum(int(mask.sum()) for *_, mask in raised)
        others: Iterable[Doubt] = (other for _, other, _ in raised)
        if n == len(identical) and kind.among:  # sentences of many pairs seldom are the same
            others = (found_of(place)[1][code] for place in range(n))
        if n == len(identical) and all(other.text == doubt.text for other in others):
            doubts.append(doubt)
        else:
            doubts.append(_told_of(" and ".join(pair), doubt, n - 1, "pair"))
    return by_code(doubts)


def invalid_for(doubts: Iterable[Doubt]) -> str:
    """Return why a p-value is not valid, for the headline; empty if it is."""
    return _first(doubt for doubt in doubts if doubt.weight == "invalid")


def beside_equivalent(doubts: Iterable[Doubt]) -> str:
    """Return what takes its worth from an equivalence; empty if nothing does."""
    return _first(
        doubt
        for doubt in doubts
        if doubt.weight != "note"
        and doubt.code in CATALOGUE
        and CATALOGUE[doubt.code].beside_equivalent
    )


def _first(doubts: Iterable[Doubt]) -> str:
    return next((f"{doubt.title} ({doubt.code})" for doubt in doubts), "")
