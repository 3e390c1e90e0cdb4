"""The conclusion: what is said first of a report, and of several by metric, slice or seed."""

from collections import Counter
from collections.abc import Iterable
from math import isnan

from skstat._names import shown_name
from skstat.report._model import Pair, Report, ReportGrid, System
from skstat.report._words.say_pair import (
    conclude_pair,
    interval_text,
    probable_best,
    probable_pairs,
)
from skstat.report._words.say_systems import DOWN, UP, conclude_systems
from skstat.report._words.terms import (
    MINUS,
    decimals_for,
    fixed,
    good,
    good_best,
    is_turned,
    join_items,
    join_names,
    of_metric,
    percent,
    pvalue_text,
    short,
)

NOT_ADJUSTED = "The p-values are not adjusted for the number of metrics."

_TOLD = 3  # pairs of which it is said where they differ


def conclude(r: Report | ReportGrid, *, brief: bool = False) -> list[str]:
    """Write what was found; the first sentence leads.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    brief : bool, default=False
        Whether other such sentences stand beside those on two systems.

    Returns
    -------
    list of str
        Sentences, or short paragraphs.
    """
    if isinstance(r, ReportGrid):
        return {"metric": _by_metric, "seed": _by_seed, "slice": _by_slice}[r.by](r)
    if r.is_performance:
        return [*_performances(r), _what_is_estimated(r, r.metric)]
    said = [conclude_pair(r, r.pairs[0], brief)] if r.is_pair else _of_systems(r)
    if r.direction_assumed:
        said[0] = f"{asks_for_direction(r.metric, r.direction_assumed)} {said[0]}"
    return said


def _of_systems(r: Report) -> list[str]:
    first, *rest = conclude_systems(r)
    if r.beside_equivalent and "equivalent" in r.verdicts:
        rest = [f"The systems are {r.beside_equivalent}.", *rest]
    if r.next_step:
        rest = [r.next_step, *rest]
    if r.probabilities is not None and r.strengths is None:
        rest.append(probable_pairs(r))
    if r.strengths is not None or r.best_draws:
        rest.append(probable_best(r))
    doubtful = any(p < 1 for p in r.pairs.columns["adjusted"])  # or else nothing is claimed
    if r.invalid and doubtful:
        first = f"The p-values are not valid: {r.invalid}. {first}"
    return [first, *rest]


def asks_for_direction(metric: str, say: str) -> str:
    """Say that the direction of a metric is not known, and what to pass."""
    return f"Nothing says whether high or low {metric} is good: pass {say}."


# --- metrics and seeds ---------------------------------------------------------------------


def _by_metric(grid: ReportGrid) -> list[str]:
    if not grid.first.is_performance:
        return [*(" ".join(conclude(part)) for part in grid.reports.values()), NOT_ADJUSTED]
    meant: dict[str, list[Report]] = {}  # once of all metrics that it is the same of
    for _, part in grid.each():
        meant.setdefault(_what_is_estimated(part, "score"), []).append(part)
    shared = [(parts[0], join_names(part.metric for part in parts)) for parts in meant.values()]
    return [
        *(" ".join(_performances(part)) for _, part in grid.each()),
        *(_what_is_estimated(*each) for each in shared),
        "Each interval holds for its metric alone.",
    ]


def _by_seed(grid: ReportGrid) -> list[str]:
    """Say with how many seeds which of two systems is better."""
    r, pairs = grid.first, [part.pairs[0] for _, part in grid.each()]
    a, b = map(shown_name, grid.systems)
    n_up, n_down = (sum(pair.verdict in way for pair in pairs) for way in (UP, DOWN))
    untested = sum(isnan(pair.pvalue) for pair in pairs)
    without = f" With {untested} no test was possible." if untested else ""
    return [
        f"{a} is significantly {good(r)} than {b}{of_metric(r)} with {n_up} of {len(pairs)} "
        f"seeds, and significantly {good(r, up=False)} with {n_down}.{without} This describes "
        "how much depends on the seed; it is not a test, because all seeds share the test set."
    ]


# --- slices --------------------------------------------------------------------------------


def _by_slice(grid: ReportGrid) -> list[str]:
    assert grid.overall is not None
    found = [f"Over all rows: {' '.join(conclude(grid.overall))}", *variation(grid)]
    return [*found, *_where(grid), *_best(grid), *_not_worse(grid), *_not_compared(grid)]


def slices_by_metric(grid: ReportGrid) -> list[str]:
    """Write what was found of two systems in slices by several metrics, each thing once.

    Empty if the parts are other reports than these.
    """
    parts = [part for part in grid.reports.values() if isinstance(part, ReportGrid)]
    of_pairs = all(part.by == "slice" and part.first.is_pair for part in parts)
    if len(parts) < len(grid.reports) or not of_pairs:
        return []
    overall = [" ".join(conclude(part.first, brief=True)) for part in parts]
    said: dict[str, list[str]] = {}
    for part in parts:
        for sentence in [*_where(part), *_not_worse(part), *_not_compared(part)]:
            said.setdefault(sentence, []).append(part.metric)
    shared = [
        sentence if len(by) == len(parts) else f"By {join_names(by)}: {sentence}"
        for sentence, by in said.items()
    ]
    over = f"Over all rows: {overall[0]}"
    return [over, *overall[1:], *variation(*parts), *shared, NOT_ADJUSTED]


def variation(*grids: ReportGrid) -> list[str]:
    """Say whether differences vary between slices, by one metric or several."""
    found = [(grid, one) for grid in grids for one in grid.pairs if one.between]
    if not found:
        return []
    least = min((one for _, one in found), key=lambda one: one.between_p)
    smallest = f"{'smallest ' * (len(found) > 1)}{'adjusted ' * least.is_adjusted}"
    test = least.between
    numbers = f"Cochran's {test['statistic_name']} = {short(test['statistic'])}"
    numbers += f", {smallest}{pvalue_text(least.between_p)}"
    varying = [(grid, one) for grid, one in found if one.between_p < grid.first.alpha]
    if not varying:
        none = "No significant variation of the difference between slices was found"
        return [f"{none} ({numbers})."]
    whose = [
        grid.metric if len(grids) > 1 else " and ".join(map(shown_name, one[:2]))
        for grid, one in varying
    ]
    which = f" for {join_items(whose, _TOLD)}" if len(found) > 1 else ""
    return [f"The difference varies significantly between slices{which} ({numbers})."]


def _where(grid: ReportGrid) -> list[str]:
    """Write which system is better than which other one in which slices.

    Where the difference was not found to vary, slices that are as all rows say nothing more.
    """
    r, n = grid.first, len(grid.reports)
    claims: list[tuple[int, str]] = []
    verdicts: Counter[str] = Counter()
    overall = {pair[:2]: pair.verdict for pair in r.pairs}
    for one in grid.pairs:
        parts, of_all_rows = grid.parts[one[:2]], overall[one[:2]]
        own = {name: p.verdict for name, p in parts.items() if name not in one.explained_by}
        verdicts.update(own.values())
        a, b = map(shown_name, one[:2])
        varies = not one.between or one.between_p < r.alpha
        for way, first, second in ((DOWN, b, a), (UP, a, b)):
            names = [name for name, verdict in own.items() if verdict in way]
            if names and (varies or of_all_rows not in way):
                text = f"{first} is {good(r)} than {second} in {join_names(names)}"
                claims.append((len(names), text))
    n_found = sum(verdicts[verdict] for verdict in (*UP, *DOWN))
    n_same = verdicts["equivalent"] if r.is_pair else 0
    if claims:
        of_all = f"{n} slices"
        if not r.is_pair:
            of_all = f"{grid.n_comparisons} pairs in slices"
            claims.sort(key=lambda one: -one[0])
        said = join_items([text for _, text in claims], _TOLD)
        return [f"The difference is significant in {n_found} of {of_all}: {said}."]
    if n_found:  # as over all rows
        return []
    if n_same:
        rest = f"{n_same} of {n} slices; no significant difference was found in the others"
        where = "every slice" if n_same == n else rest
        return [f"{' and '.join(map(shown_name, grid.systems))} are equivalent in {where}."]
    between = "" if r.is_pair else " between any two systems"
    return [f"No significant difference{between} was found in any slice."]


def _best(grid: ReportGrid) -> list[str]:
    """Write which systems may be the best everywhere."""
    if not grid.may_be_best:
        return []
    names = grid.may_be_best_everywhere
    who = join_names(names) if names else "No system"
    return [f"{who} may be the {good_best(grid.first)} in every slice."]


def _not_worse(grid: ReportGrid) -> list[str]:
    """Write of which pairs it is shown that the first is not worse by the margin anywhere."""
    r, shown = grid.first, []
    if r.margin is None:
        return []
    worse, margin = good(r, up=False), f"by {short(r.margin)}"
    for one in grid.pairs:
        claim = f"that {f' is not {worse} than '.join(map(shown_name, one[:2]))} {margin}"
        if one.not_worse_p < r.alpha:
            pvalue = f"{'adjusted ' * one.is_adjusted}{pvalue_text(one.not_worse_p)}"
            shown.append(f"{claim} (largest one-sided {pvalue})")
    if shown:
        return [f"It was shown for every slice {join_items(shown, _TOLD)}."]
    if not r.is_pair:
        return [
            f"For no pair was it shown for every slice that the first is not {worse} {margin}."
        ]
    # Each slice must show it alone: to show all of them nothing is adjusted.
    side = "upper_pvalue" if is_turned(r) else "lower_pvalue"
    parts = {name: part.equivalence or {} for name, part in grid.each()}
    open_ = [name for name, found in parts.items() if not found[side] < r.alpha]
    where = join_names([*open_, *grid.left_out])
    return [f"It was not shown for every slice {claim}: it is open in {where}."]


def _not_compared(grid: ReportGrid) -> list[str]:
    left = [f"{shown_name(name)} ({why})" for name, why in grid.left_out.items()]
    return [f"Not compared: {join_items(left, 5)}."] if left else []


# --- how good learners are ------------------------------------------------------------------


def _performances(r: Report) -> list[str]:
    """Write a sentence per learner, and one on the difference of two."""
    said = []
    for one in r.systems:
        score = _estimated(r, f"{shown_name(one.name)}: {r.metric}", one.mean, one)
        trained = fixed(one.training_score, decimals_of([one]))
        is_known = not isnan(one.training_score)
        said.append(f"{score}.{f' Training score (optimistic): {trained}.' * is_known}")
    for p in r.pairs:
        a, b = map(shown_name, p[:2])
        called = f"Difference in {r.metric}, {a} {MINUS} {b}:"
        zero = ", which includes 0" if p.low <= 0 <= p.high else ""
        said.append(f"{_estimated(r, called, p.estimate, p, sign=True)}{zero}.")
    return said


def _estimated(
    r: Report, called: str, value: float, row: System | Pair, sign: bool = False
) -> str:
    decimals = decimals_of([row])
    text = f"{called} {fixed(value, decimals, sign=sign)}"
    if isnan(row.low):
        return f"{text}, without an interval: the {r.unit}s do not vary"
    return f"{text}, {interval_text(r, row.low, row.high, decimals, sign=sign)}"


def _what_is_estimated(r: Report, metrics: str) -> str:
    """Say what the estimates are of, by one metric or several."""
    meant = f"This estimates the {r.estimand.replace(r.metric, metrics)}"
    if r.training_share is None:
        return f"{meant}."
    unit = "groups" if "train_groups" in r.design else "rows"
    part = f"{percent(round(r.training_share, 2))} of the {unit}"
    return f"{meant}, {part}; it is usually pessimistic for a model trained on all {unit}."


def decimals_of(rows: Iterable[System | Pair]) -> int:
    """Decimals that show two digits of every interval's half."""
    rows = list(rows)
    halves = [(row.high - row.low) / 2 for row in rows if row.high > row.low]
    if halves:
        return max(0, decimals_for([min(halves)]) - 1)
    return max(3, decimals_for(row.mean for row in rows if isinstance(row, System)))
