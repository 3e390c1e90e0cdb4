"""The conclusion on several metrics, slices or seeds: where systems differ, what varies."""

from collections.abc import Callable, Sequence
from math import isfinite, isnan

from skstat._names import shown_name
from skstat.report._model import InSlices, Report, ReportGrid
from skstat.report._words.metric import (
    good,
    good_best,
    is_plain,
    is_turned,
    of_metric,
)
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text, short
from skstat.report._words.say_pair import conclude_pair
from skstat.report._words.say_performance import performances, what_is_estimated
from skstat.report._words.terms import join_items, join_names

_TOLD = 3  # slices of which a sentence of its own is written
# "higher" and "lower" where nobody knows which is good.
_UP, _DOWN = ("better", "higher"), ("worse", "lower")

Conclude = Callable[[Report | ReportGrid], list[str]]


def conclude_grid(grid: ReportGrid, conclude: Conclude) -> list[str]:
    """Write what was found by every metric, in slices, or with every seed.

    Parameters
    ----------
    grid : ReportGrid
        The reports.
    conclude : callable
        Gives the sentences on a part of it.

    Returns
    -------
    list of str
        The sentences; the first says what was found of all, but for metrics.
    """
    if grid.by == "metric":
        return _by_metric(grid, conclude)
    if grid.by == "seed":
        each = (" ".join(conclude(report)) for report in grid.reports.values())
        return [of_seeds(grid), *each]
    assert grid.overall is not None
    return [f"Over all rows: {' '.join(conclude(grid.overall))}", *of_slices(grid)]


# --- metrics and seeds ---------------------------------------------------------------------


def _by_metric(grid: ReportGrid, conclude: Conclude) -> list[str]:
    parts = list(grid.reports.values())
    if are_performances(grid):
        each = [" ".join(performances(part)) for _, part in grid.each()]
        return [*each, *meanings(grid), "Each interval holds for its metric alone."]
    return [*(" ".join(conclude(part)) for part in parts), NOT_ADJUSTED]


NOT_ADJUSTED = "The p-values are not adjusted for the number of metrics."


def are_performances(grid: ReportGrid) -> bool:
    """Whether the reports estimate how good learners are, and test nothing."""
    return grid.first.is_performance


def meanings(grid: ReportGrid) -> list[str]:
    """Say what is estimated, once of all metrics that it is the same of."""
    found: dict[str, list[Report]] = {}
    for _, part in grid.each():
        found.setdefault(what_is_estimated(part, "score"), []).append(part)
    return [
        what_is_estimated(parts[0], join_names(part.metric for part in parts))
        for parts in found.values()
    ]


def of_seeds(grid: ReportGrid) -> str:
    """Say with how many seeds which of two systems is better."""
    first = grid.first
    a, b = map(shown_name, grid.systems)
    pairs = [part.pairs[0] for _, part in grid.each()]
    n_up, n_down = (sum(pair.verdict in way for pair in pairs) for way in (_UP, _DOWN))
    untested = sum(isnan(pair.pvalue) for pair in pairs)
    without = f" With {untested} no test was possible." if untested else ""
    return (
        f"{a} is significantly {good(first)} than {b}{of_metric(first)} with {n_up} of "
        f"{len(pairs)} seeds, and significantly {good(first, up=False)} with {n_down}."
        f"{without} This describes how much depends on the seed; it is not a test, because all "
        "seeds share the test set."
    )


# --- slices --------------------------------------------------------------------------------


def of_slices(grid: ReportGrid) -> list[str]:
    """Write what was found in slices, beside what all rows say."""
    assert grid.overall is not None
    if grid.overall.is_pair:
        (pair,) = grid.pairs_in_slices
        found = [*variation(grid), *_lead(grid, pair), *_told(grid, pair), *_margin(grid, pair)]
    else:
        found = [*variation(grid), *_lead_of_pairs(grid), *_best(grid), *_margin_of_pairs(grid)]
    return [*found, *_not_compared(grid)]


def _not_compared(grid: ReportGrid) -> list[str]:
    left = [f"{shown_name(name)} ({why})" for name, why in grid.left_out.items()]
    return [f"Not compared: {join_items(left, 5)}."] if left else []


def variation(grid: ReportGrid) -> list[str]:
    """Say whether differences vary between slices, if that is known."""
    assert grid.overall is not None
    if not grid.between:
        return []
    if grid.overall.is_pair:
        (one,) = grid.between
        numbers = (
            f"Cochran's {one.test['statistic_name']} = {short(one.test['statistic'])}, "
            f"{'adjusted ' * one.is_adjusted}{pvalue_text(one.pvalue)}"
        )
        if one.pvalue < grid.overall.alpha:
            return [f"The difference varies significantly between slices ({numbers})."]
        found = "No significant variation of the difference between slices was found"
        return [f"{found} ({numbers})."]
    least = pvalue_text(min(one.pvalue for one in grid.between))
    numbers = f"Cochran's Q, smallest adjusted {least}"
    pairs = [
        " and ".join(map(shown_name, one[:2]))
        for one in grid.between
        if one.pvalue < grid.overall.alpha
    ]
    if not pairs:
        return [
            f"No significant variation of differences between slices was found ({numbers})."
        ]
    which = join_items(pairs, _TOLD)
    return [f"Between slices the difference varies significantly for {which} ({numbers})."]


def _varies(of: InSlices, alpha: float) -> bool | None:
    """Whether a difference varies significantly; None if nobody can tell."""
    return None if of.between is None else of.between.pvalue < alpha


def _telling(of: InSlices, way: Sequence[str], alpha: float) -> list[str]:
    """Return slices of a verdict that say more than all rows do, or than other slices.

    Where the difference was not found to vary, those that are as all rows say nothing more.
    """
    if of.overall.verdict in way and _varies(of, alpha) is False:
        return []
    return [
        name
        for name, pair in of.parts.items()
        if pair.verdict in way and name not in of.explained_by
    ]


def _lead(grid: ReportGrid, of: InSlices) -> list[str]:
    overall, n = grid.first, len(grid.reports)
    a, b = map(shown_name, of.overall[:2])
    bits = [
        f"significantly {good(overall, up)} than {b} in {len(names)} of {n} slices "
        f"({join_names(names)})"
        for up, way in ((False, _DOWN), (True, _UP))
        if (names := _telling(of, way, overall.alpha))
    ]
    if bits:
        return [f"{a} is {' and '.join(bits)}.", *_explained(of)]
    if n == 1:
        return [f"One slice was compared, {shown_name(next(iter(grid.reports)))}."]
    verdicts = [pair.verdict for pair in of.parts.values()]
    n_same = verdicts.count("equivalent")
    if n_same == n:
        return [f"{a} and {b} are equivalent in each of the {n} slices."]
    if {*_UP, *_DOWN}.intersection(verdicts):  # as over all rows
        return [f"In {n_same} they are equivalent."] if n_same else []
    if n_same:
        return [
            f"{a} and {b} are equivalent in {n_same} of {n} slices; in the others no "
            "significant difference was found."
        ]
    return [f"In none of the {n} slices was a significant difference found."]


def _explained(of: InSlices) -> list[str]:
    """Write which slices differ through the rows that they share with others."""
    if not of.explained_by:
        return []
    by = dict.fromkeys(name for each in of.explained_by.values() for name in each)
    return [
        f"Without the rows of {join_names(by)} no significant difference was found in "
        f"{join_items([*map(shown_name, of.explained_by)], 5)}."
    ]


def _told(grid: ReportGrid, of: InSlices) -> list[str]:
    """Write what was found in the slices that differ, the surest first."""
    alpha = grid.first.alpha
    decided = [*_telling(of, _DOWN, alpha), *_telling(of, _UP, alpha)]
    told = sorted(decided, key=lambda name: of.parts[name].p)[:_TOLD]
    reports = dict(grid.each())
    return [
        f"In {shown_name(name)}: {conclude_pair(reports[name], of.parts[name])}"
        for name in told
    ]


def _margin(grid: ReportGrid, of: InSlices) -> list[str]:
    """Write whether the first system is shown not to be worse by the margin in any slice."""
    if of.not_worse is None:
        return []
    a, b = map(shown_name, of.overall[:2])
    alpha, margin = grid.first.alpha, short(grid.first.margin)
    claim = f"{a} is not {good(grid.first, up=False)} than {b} by {margin} in any slice"
    pvalue = of.not_worse.pvalue
    if pvalue < alpha:
        adjusted = "adjusted " * of.not_worse.is_adjusted
        return [
            f"It was shown that {claim} (largest one-sided {adjusted}{pvalue_text(pvalue)})."
        ]
    open_ = [name for name, part in grid.each() if not _is_not_worse(part)]
    where = [f"in {join_names(open_)}"] if open_ else []
    if left := [*map(shown_name, grid.left_out)]:
        which = f"which {'was' if len(left) == 1 else 'were'} not compared"
        where.append(f"in {join_items(left, 5)}, {which}")
    return [f"It was not shown that {claim}: it is open {', and '.join(where)}."]


def _is_not_worse(part: Report) -> bool:
    """Whether a slice alone shows it: to show all of them nothing is adjusted."""
    assert part.equivalence is not None
    pvalue = part.equivalence["upper_pvalue" if is_turned(part) else "lower_pvalue"]
    return bool(pvalue < part.alpha)


def _lead_of_pairs(grid: ReportGrid) -> list[str]:
    """Write which pairs differ in slices, and how many comparisons are significant."""
    overall, bits = grid.first, []
    verdicts = [pair.verdict for of in grid.pairs_in_slices for pair in of.parts.values()]
    n_found = sum(verdict in (*_UP, *_DOWN) for verdict in verdicts)
    for of in grid.pairs_in_slices:
        a, b = map(shown_name, of.overall[:2])
        for way, first, second in ((_UP, a, b), (_DOWN, b, a)):
            if names := _telling(of, way, overall.alpha):
                says = f"{first} is {good(overall)} than {second} in {join_names(names)}"
                bits.append((len(names), says))
    if not bits:
        if n_found:  # as over all rows
            return []
        return [
            f"In none of the {len(grid.reports)} slices was a significant difference between "
            f"any two of the {len(grid.systems)} systems found."
        ]
    told = [bit for _, bit in sorted(bits, key=lambda one: -one[0])[:_TOLD]]
    left = len(bits) - len(told)
    more = f"; and {left} more pair{'s' * (left > 1)}" if left else ""
    of_all = f"{n_found} of {grid.n_comparisons} comparisons, of pairs in slices,"
    are = "is" if n_found == 1 else "are"
    return [f"{of_all} {are} significant: {'; '.join(told)}{more}."]


def may_be_best(grid: ReportGrid) -> dict[str, tuple[str, ...]]:
    """Return the systems that may be the best in every slice; empty if that was not asked."""
    return {
        name: part.may_be_best for name, part in grid.each() if "may_be_best" in part.systems
    }


def _best(grid: ReportGrid) -> list[str]:
    """Write which systems may be the best everywhere, and where one alone may be."""
    kept, best = may_be_best(grid), good_best(grid.first)
    if not kept:
        return []
    everywhere = tuple(
        name for name in grid.first.names if all(name in each for each in kept.values())
    )
    if len(everywhere) == len(grid.systems):
        return [f"Each system may be the {best} in every slice."]
    found = [f"No system may be the {best} in every slice."]
    if everywhere:
        alone = " alone" * (len(everywhere) == 1)
        found = [f"{join_names(everywhere)}{alone} may be the {best} in every slice."]
    alone_in: dict[str, list[str]] = {}
    for name, each in kept.items():
        if len(each) == 1 and each != everywhere:
            alone_in.setdefault(each[0], []).append(name)
    bits = [f"{shown_name(one)} in {join_names(names)}" for one, names in alone_in.items()]
    if bits:
        found.append(f"One alone may be the {best}: {join_items(bits, _TOLD)}.")
    return found


def _margin_of_pairs(grid: ReportGrid) -> list[str]:
    """Write of which pairs it is shown that the first is not worse anywhere."""
    if not grid.not_worse:
        return []
    margin, worse = short(grid.first.margin), good(grid.first, up=False)
    shown = [
        " than ".join(map(shown_name, one[:2]))
        for one in grid.not_worse
        if one.pvalue < grid.first.alpha
    ]
    if not shown:
        return [
            f"Of no pair was it shown that the first is not {worse} by {margin} in any slice."
        ]
    return [f"Shown not to be {worse} by {margin} in any slice: {join_items(shown, _TOLD)}."]


# --- two systems in slices, by several metrics ----------------------------------------------


def slices_by_metric(grid: ReportGrid) -> list[str]:
    """Write what was found in slices by several metrics, each thing once.

    Empty if the parts need more words than that: if they are other than slices of two systems
    whose scores differ by so much, with p-values, and without a margin or probabilities.
    """
    parts = [part for part in grid.reports.values() if isinstance(part, ReportGrid)]
    if len(parts) < len(grid.reports) or not all(map(_is_plain, parts)):
        return []
    own = {part.metric: _beside_sizes(part) for part in parts}
    sentences = dict.fromkeys(sentence for said in own.values() for sentence in said)
    shared = []
    for sentence in sentences:
        by = [metric for metric, said in own.items() if sentence in said]
        shared.append(sentence if len(by) == len(own) else f"By {join_names(by)}: {sentence}")
    return [_over_all_rows(parts), *_variation_by_metric(parts), *shared, NOT_ADJUSTED]


def _is_plain(grid: ReportGrid) -> bool:
    r = grid.overall
    if r is None or not r.is_pair:
        return False
    pair = r.pairs[0]
    is_told = not (r.invalid or r.direction_assumed or r.preface or r.identical)
    is_tested = r.smallest_pvalue < r.alpha and r.alternative == "two-sided"
    is_sure = isfinite(pair.low + pair.high + pair.p) and (pair.p < r.alpha) == (
        pair.better is not None
    )
    return (
        is_told and is_tested and is_sure and is_plain(r) and not (r.margin or r.probabilities)
    )


def _over_all_rows(grids: Sequence[ReportGrid]) -> str:
    """Say which of two systems is better over all rows, by which metrics."""
    found: dict[str | None, list[str]] = {}
    for grid in grids:
        r, pair = grid.first, grid.first.pairs[0]
        places = decimals_for((pair.estimate, pair.low, pair.high))
        size, low, high = (
            fixed(value, places, sign=True) for value in (pair.estimate, pair.low, pair.high)
        )
        level = "" if found else f"{percent(r.confidence_level)} interval "
        numbers = f"{r.metric} ({size}, {level}{low} to {high}; {pvalue_text(pair.p)})"
        found.setdefault(pair.better, []).append(numbers)
    pair = grids[0].first.pairs[0]
    a, b = map(shown_name, pair[:2])
    bits = []
    for winner, metrics in found.items():
        if winner is None:
            said = f"no significant difference between {a} and {b} was found"
        else:
            loser = shown_name(pair.other(winner))
            said = f"{shown_name(winner)} is significantly better than {loser}"
        bits.append(f"{said} in {_listed(metrics)}")
    return f"Over all rows ({a} \N{MINUS SIGN} {b}): {'; '.join(bits)}."


def _variation_by_metric(grids: Sequence[ReportGrid]) -> list[str]:
    """Say by which metrics the difference varies between slices."""
    varying: dict[bool, list[str]] = {}
    for grid in grids:
        for one in grid.between:
            q = f"{one.test['statistic_name']} = {short(one.test['statistic'])}"
            varies = one.pvalue < grid.first.alpha
            numbers = f"{grid.metric} ({q}, {pvalue_text(one.pvalue)})"
            varying.setdefault(varies, []).append(numbers)
    said = {
        True: "The difference varies significantly between slices, by Cochran's Q, in",
        False: "No significant variation between slices was found, by Cochran's Q, in",
    }
    return [f"{said[varies]} {_listed(metrics)}." for varies, metrics in varying.items()]


def _listed(bits: Sequence[str]) -> str:
    return f"{', '.join(bits[:-1])} and {bits[-1]}" if len(bits) > 1 else bits[0]


def _beside_sizes(grid: ReportGrid) -> list[str]:
    """Return the sentences whose numbers are in the table of slices."""
    (of,) = grid.pairs_in_slices
    return [*_lead(grid, of), *_not_compared(grid)]
