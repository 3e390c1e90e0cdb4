"""Sentences of the conclusion of a report, and of grids by metric, slice or seed."""

from collections import Counter
from collections.abc import Iterable
from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report import _terms as say
from skstat.report._model import Pair, Report, ReportGrid, System
from skstat.report._say_pair import conclude_pair, interval_text
from skstat.report._say_systems import DOWN, UP, conclude_systems

NOT_ADJUSTED = "The p-values are not adjusted for the number of metrics."

_MOST_PAIRS = 3  # that are listed with the slices in which they differ


def conclude(r: Report | ReportGrid) -> list[str]:
    """Write the conclusion as sentences or short paragraphs, the main one first."""
    if isinstance(r, ReportGrid):
        return {"metric": _by_metric, "seed": _by_seed, "slice": _by_slice}[r.by](r)
    if r.is_performance:
        return [*_performances(r), _what_is_estimated(r, r.metric)]
    texts = [conclude_pair(r, r.pairs[0])] if r.is_pair else [*conclude_systems(r)]
    if r.direction_assumed:
        texts[0] = f"{asks_for_direction(r.metric, r.direction_assumed)} {texts[0]}"
    return texts


def asks_for_direction(metric: str, argument: str) -> str:
    """Write that the direction of a metric is not known, and which argument gives it."""
    return f"Nothing says whether high or low {metric} is good: pass {argument}."


# --- metrics and seeds ---------------------------------------------------------------------


def _by_metric(grid: ReportGrid) -> list[str]:
    if not grid.first.is_performance:
        return [*(" ".join(conclude(part)) for part in grid.reports.values()), NOT_ADJUSTED]
    return [
        *(" ".join(_performances(part)) for _, part in grid.each()),
        *dict.fromkeys(_what_is_estimated(part, "score") for _, part in grid.each()),
        "Each interval holds for its metric alone.",
    ]


def _by_seed(grid: ReportGrid) -> list[str]:
    """Write with how many seeds each of two systems is better."""
    r, pairs = grid.first, [part.pairs[0] for _, part in grid.each()]
    a, b = map(shown_name, grid.systems)
    n_up, n_down = (sum(pair.verdict in way for pair in pairs) for way in (UP, DOWN))
    untested = sum(isnan(pair.pvalue) for pair in pairs)
    without = f" With {untested} no test was possible." if untested else ""
    better = f"{a} is significantly {r.words.good} than {b}{r.words.of_metric} with {n_up} of"
    counted = f"{better} {len(pairs)} seeds, and significantly {r.words.bad} with {n_down}."
    no_test = "it is not a test, because all seeds share the test set."
    return [f"{counted}{without} This describes how much depends on the seed; {no_test}"]


# --- slices --------------------------------------------------------------------------------


def _by_slice(grid: ReportGrid) -> list[str]:
    first = f"Over all rows: {' '.join(conclude(grid.first))}"
    texts = [first, *variation(grid), *_where(grid), *_best(grid)]
    return [*texts, *_not_worse(grid), *_not_compared(grid)]


def slices_by_metric(grid: ReportGrid) -> list[str]:
    """Write the results for two systems in slices by several metrics, without repetitions.

    Empty if the grid does not hold such reports.
    """
    parts = [p for p in grid.reports.values() if isinstance(p, ReportGrid) and p.by == "slice"]
    if not (parts and grid.first.is_pair):
        return []
    texts = [(p.metric, [*_where(p), *_not_worse(p), *_not_compared(p)]) for p in parts]
    shared = [
        sentence if len(by) == len(parts) else f"By {say.join_names(by)}: {sentence}"
        for sentence, by in say.holders_of(texts).items()
    ]
    first, *rest = [" ".join(conclude(part.first)) for part in parts]
    return [f"Over all rows: {first}", *rest, *variation(*parts), *shared, NOT_ADJUSTED]


def variation(*grids: ReportGrid) -> list[str]:
    """Write whether differences vary between slices, for one metric or several."""
    pairs = [(grid, row) for grid in grids for row in grid.pairs if row.between]
    if not pairs:
        return []
    several = len(pairs) > 1
    strongest = min((row for _, row in pairs), key=lambda row: row.between_p)
    pvalue = f"{'smallest ' * several}{'adjusted ' * strongest.is_adjusted}"
    pvalue += say.pvalue_text(strongest.between_p)
    test: Any = strongest.between
    statistic = f"{test['statistic_name']} = {say.short(test['statistic'])}"
    varied = [(grid, row) for grid, row in pairs if row.between_p < grid.first.alpha]
    varying = [" and ".join(map(shown_name, row[:2])) for _, row in varied]
    if len(grids) > 1:
        varying = [grid.metric for grid, _ in varied]
    text = "No significant variation of the difference between slices was found"
    if varying:
        which = f" for {say.join_items(varying, _MOST_PAIRS)}" * (len(varying) < len(pairs))
        text = f"The difference varies significantly between slices{which}"
    return [f"{text} (Cochran's {statistic}, {pvalue})."]


def _where(grid: ReportGrid) -> list[str]:
    """Write which system is better than which other one in which slices.

    If the difference does not vary significantly, slices with the verdict of all rows are
    omitted.
    """
    r, n = grid.first, len(grid.reports)
    claims: list[tuple[int, str]] = []
    verdicts = Counter[str]()
    overall = {pair[:2]: pair.verdict for pair in r.pairs}
    for row in grid.pairs:
        parts, of_all_rows = grid.parts[row[:2]], overall[row[:2]]
        by_part = {name: p.verdict for name, p in parts.items() if name not in row.explained_by}
        verdicts.update(by_part.values())
        a, b = map(shown_name, row[:2])
        varies = not row.between or row.between_p < r.alpha
        for way, first, second in ((DOWN, b, a), (UP, a, b)):
            names = [name for name, verdict in by_part.items() if verdict in way]
            if names and (varies or of_all_rows not in way):
                text = f"{first} is {r.words.good} than {second} in {say.join_names(names)}"
                claims.append((len(names), text))
    n_found = sum(verdicts[verdict] for verdict in (*UP, *DOWN))
    if claims:
        of_all = f"{n} slices"
        if not r.is_pair:
            of_all = f"{grid.n_comparisons} pairs in slices"
            claims.sort(key=lambda row: -row[0])
        listed = say.join_items([text for _, text in claims], _MOST_PAIRS)
        return [f"The difference is significant in {n_found} of {of_all}: {listed}."]
    if n_found:  # all with the verdict of all rows
        return []
    if r.is_pair and verdicts["equivalent"] == n:
        return [f"{' and '.join(map(shown_name, grid.systems))} are equivalent in every slice."]
    return ["No significant difference was found in any slice."]


def _best(grid: ReportGrid) -> list[str]:
    """Write which systems may be the best in every slice."""
    if not grid.may_be_best:
        return []
    names = grid.may_be_best_everywhere
    who = say.join_names(names) if names else "No system"
    return [f"{who} may be the {grid.first.words.top} in every slice."]


def _not_worse(grid: ReportGrid) -> list[str]:
    """Write for which pairs the first was shown not to be worse by the margin in any slice."""
    r = grid.first
    if r.margin is None:
        return []
    by, than = f"by {say.short(r.margin)}", f" is not {r.words.bad} than "
    shown = [
        f"that {than.join(map(shown_name, row[:2]))} {by} (largest one-sided "
        f"{'adjusted ' * row.is_adjusted}{say.pvalue_text(row.not_worse_p)})"
        for row in grid.pairs
        if row.not_worse_p < r.alpha
    ]
    if shown:
        return [f"It was shown for every slice {say.join_items(shown, _MOST_PAIRS)}."]
    if not r.is_pair:
        return [f"For no pair was it shown for every slice that the first{than}the other {by}."]
    # An intersection-union test: every slice must reject, at p-values that are not adjusted.
    side = "upper_pvalue" if r.is_turned else "lower_pvalue"
    parts = {name: part.equivalence or {} for name, part in grid.each()}
    unmet = [name for name, tests in parts.items() if not tests[side] < r.alpha]
    claim, where = than.join(map(shown_name, r.names)), say.join_names([*unmet, *grid.left_out])
    return [f"It was not shown for every slice that {claim} {by}: it is open in {where}."]


def _not_compared(grid: ReportGrid) -> list[str]:
    left = [f"{shown_name(name)} ({why})" for name, why in grid.left_out.items()]
    return [f"Not compared: {say.join_items(left, 5)}."] if left else []


# --- performance ----------------------------------------------------------------------------


def _performances(r: Report) -> list[str]:
    """Write a sentence per learner, and one on the difference of two."""
    texts = [f"{_estimated(r, f'{shown_name(s.name)}: {r.metric}', s)}." for s in r.systems]
    for p in r.pairs:
        a, b = map(shown_name, p[:2])
        label = f"Difference in {r.metric}, {a} {say.MINUS} {b}:"
        zero = ", which includes 0" if p.low <= 0 <= p.high else ""
        texts.append(f"{_estimated(r, label, p)}{zero}.")
    return texts


def _estimated(r: Report, label: str, row: System | Pair) -> str:
    value, sign = (row.estimate, True) if isinstance(row, Pair) else (row.mean, False)
    decimals = decimals_of([row])
    text = f"{label} {say.fixed(value, decimals, sign=sign)}"
    if isnan(row.low):
        return f"{text}, without an interval: the {r.unit}s do not vary"
    return f"{text}, {interval_text(r, row.low, row.high, decimals, sign=sign)}"


def _what_is_estimated(r: Report, metrics: str) -> str:
    """Write which quantity is estimated, by one metric or several."""
    text = f"This estimates the {r.estimand.replace(r.metric, metrics)}"
    if r.training_share is None:
        return f"{text}."
    unit = "groups" if "train_groups" in r.design else "rows"
    part = f"{say.percent(round(r.training_share, 2))} of the {unit}"
    return f"{text}, {part}; it is usually pessimistic for a model trained on all {unit}."


def decimals_of(rows: Iterable[System | Pair]) -> int:
    """Return the decimals that show two digits of half the width of every interval."""
    rows = list(rows)
    halves = [(row.high - row.low) / 2 for row in rows if row.high > row.low]
    if halves:
        return max(0, say.decimals_for([min(halves)]) - 1)
    return max(3, say.decimals_for(row.mean for row in rows if isinstance(row, System)))
