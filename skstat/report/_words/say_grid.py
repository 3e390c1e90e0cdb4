"""The conclusion: what is said first of a report, and of several by metric, slice or seed."""

from collections.abc import Iterable, Sequence
from math import isnan

from skstat._names import shown_name
from skstat.report._model import InSlices, Pair, Report, ReportGrid, System
from skstat.report._words.metric import good, good_best, is_turned, of_metric
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text, short
from skstat.report._words.probabilities import probable_best, probable_pairs
from skstat.report._words.say_pair import conclude_pair
from skstat.report._words.say_sizes import interval_text
from skstat.report._words.say_systems import conclude_leaderboard, conclude_systems
from skstat.report._words.terms import join_items, join_names

NOT_ADJUSTED = "The p-values are not adjusted for the number of metrics."

_TOLD = 3  # pairs of which it is said where they differ
# "higher" and "lower" where nobody knows which is good.
_UP, _DOWN = ("better", "higher"), ("worse", "lower")


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
    first, *rest = (conclude_leaderboard if r.is_leaderboard else conclude_systems)(r)
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
    return [
        *(" ".join(_performances(part)) for _, part in grid.each()),
        *(
            _what_is_estimated(parts[0], join_names(part.metric for part in parts))
            for parts in meant.values()
        ),
        "Each interval holds for its metric alone.",
    ]


def _by_seed(grid: ReportGrid) -> list[str]:
    """Say with how many seeds which of two systems is better."""
    first, pairs = grid.first, [part.pairs[0] for _, part in grid.each()]
    a, b = map(shown_name, grid.systems)
    n_up, n_down = (sum(pair.verdict in way for pair in pairs) for way in (_UP, _DOWN))
    untested = sum(isnan(pair.pvalue) for pair in pairs)
    without = f" With {untested} no test was possible." if untested else ""
    return [
        f"{a} is significantly {good(first)} than {b}{of_metric(first)} with {n_up} of "
        f"{len(pairs)} seeds, and significantly {good(first, up=False)} with {n_down}."
        f"{without} This describes how much depends on the seed; it is not a test, because all "
        "seeds share the test set."
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
    found = [(grid, one) for grid in grids for one in grid.between]
    if not found:
        return []
    least = min((one for _, one in found), key=lambda one: one.pvalue)
    pvalue = f"{'adjusted ' * least.is_adjusted}{pvalue_text(least.pvalue)}"
    numbers = f"Cochran's Q, smallest {pvalue}"
    if len(found) == 1:
        test = least.test
        numbers = f"Cochran's {test['statistic_name']} = {short(test['statistic'])}, {pvalue}"
    varying = [(grid, one) for grid, one in found if one.pvalue < grid.first.alpha]
    if not varying:
        what = "the difference" if len(found) == 1 else "differences"
        return [f"No significant variation of {what} between slices was found ({numbers})."]
    which = ""
    if len(grids) > 1:
        which = f" in {join_names(grid.metric for grid, _ in varying)}"
    elif len(found) > 1:
        pairs = [" and ".join(map(shown_name, one[:2])) for _, one in varying]
        which = f" for {join_items(pairs, _TOLD)}"
    return [f"The difference varies significantly between slices{which} ({numbers})."]


def _telling(of: InSlices, way: Sequence[str], alpha: float) -> list[str]:
    """Return slices of a verdict that say more than all rows do, or than other slices.

    Where the difference was not found to vary, those that are as all rows say nothing more.
    """
    varies = of.between is None or of.between.pvalue < alpha
    if of.overall.verdict in way and not varies:
        return []
    return [
        name
        for name, pair in of.parts.items()
        if pair.verdict in way and name not in of.explained_by
    ]


def _where(grid: ReportGrid) -> list[str]:
    """Write which system is better than which other one in which slices."""
    overall, n, claims = grid.first, len(grid.reports), []
    verdicts: list[str] = []
    for of in grid.pairs_in_slices:
        own = {name: p.verdict for name, p in of.parts.items() if name not in of.explained_by}
        verdicts += own.values()
        a, b = map(shown_name, of.overall[:2])
        for way, first, second in ((_DOWN, b, a), (_UP, a, b)):
            if names := _telling(of, way, overall.alpha):
                says = f"{first} is {good(overall)} than {second} in {join_names(names)}"
                claims.append((len(names), says))
    n_found = sum(verdict in (*_UP, *_DOWN) for verdict in verdicts)
    if claims:
        lead = f"The difference is significant in {n_found} of {n} slices"
        if not overall.is_pair:
            are = "is" if n_found == 1 else "are"
            of_all = f"{n_found} of {grid.n_comparisons} comparisons, of pairs in slices,"
            lead = f"{of_all} {are} significant"
            claims.sort(key=lambda one: -one[0])
        more = len(claims) - _TOLD
        rest = f"; and {more} more pair{'s' * (more > 1)}" if more > 0 else ""
        return [f"{lead}: {'; '.join(says for _, says in claims[:_TOLD])}{rest}."]
    if n_found:  # as over all rows
        return []
    where = f"any of the {n} slices" if n > 1 else f"the only slice, {join_names(grid.reports)}"
    same = verdicts.count("equivalent")
    if overall.is_pair and same == n:
        a, b = map(shown_name, grid.systems)
        return [f"{a} and {b} are equivalent in {where.replace('any', 'each', 1)}."]
    between = "" if overall.is_pair else f" between any two of the {len(grid.systems)} systems"
    rest = f"; in {same} they are equivalent" if overall.is_pair and same else ""
    return [f"No significant difference{between} was found in {where}{rest}."]


def may_be_best(grid: ReportGrid) -> dict[str, tuple[str, ...]]:
    """Return the systems that may be the best in every slice; empty if that was not asked."""
    return {
        name: part.may_be_best for name, part in grid.each() if "may_be_best" in part.systems
    }


def _best(grid: ReportGrid) -> list[str]:
    """Write which systems may be the best everywhere."""
    kept = may_be_best(grid)
    if not kept:
        return []
    names = [name for name in grid.first.names if all(name in each for each in kept.values())]
    who = f"{join_names(names)}{' alone' * (len(names) == 1)}" if names else "No system"
    who = "Each system" if len(names) == len(grid.systems) else who
    return [f"{who} may be the {good_best(grid.first)} in every slice."]


def _not_worse(grid: ReportGrid) -> list[str]:
    """Write of which pairs it is shown that the first is not worse by the margin anywhere."""
    if not grid.not_worse:
        return []
    r = grid.first
    worse, margin, shown = good(r, up=False), f"by {short(r.margin)}", []
    for one in grid.not_worse:
        claim = f"that {f' is not {worse} than '.join(map(shown_name, one[:2]))} {margin}"
        if one.pvalue < r.alpha:
            pvalue = f"{'adjusted ' * one.is_adjusted}{pvalue_text(one.pvalue)}"
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
    return [*(_of_one(r, one) for one in r.systems), *(_of_two(r, pair) for pair in r.pairs)]


def _of_one(r: Report, one: System) -> str:
    decimals = decimals_of([one])
    text = f"{shown_name(one.name)}: {r.metric} {fixed(one.mean, decimals)}"
    if isnan(one.low):
        text += f", without an interval: the {r.unit}s do not vary."
    else:
        text += f", {interval_text(r, one.low, one.high, decimals, sign=False)}."
    if isnan(one.training_score):
        return text
    return f"{text} Training score (optimistic): {fixed(one.training_score, decimals)}."


def _of_two(r: Report, pair: Pair) -> str:
    a, b = map(shown_name, pair[:2])
    decimals = decimals_of([pair])
    size = fixed(pair.estimate, decimals, sign=True)
    text = f"Difference in {r.metric}, {a} \N{MINUS SIGN} {b}: {size}"
    if isnan(pair.low):
        return f"{text}, without an interval."
    zero = ", which includes 0" if pair.low <= 0 <= pair.high else ""
    return f"{text}, {interval_text(r, pair.low, pair.high, decimals)}{zero}."


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
    return max(
        3,
        decimals_for(row.mean if isinstance(row, System) else row.estimate for row in rows),
    )
