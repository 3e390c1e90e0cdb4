"""The conclusion on several systems: who leads, who is not ruled out, and who is."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isnan

from skstat._names import shown_name
from skstat.report import _terms as say
from skstat.report._model import Pair, Report
from skstat.report._say_pair import beside_margin, chances, interval_kind, interval_text
from skstat.stats._ordering import RELATIVE_RESOLUTION

Pairs = Mapping[str, Pair]  # pairs with one system, seen from it, by the other one

AT_MOST = "\N{LESS-THAN OR EQUAL TO}"
# Verdicts; "higher" and "lower" where nobody knows which is good.
UP, DOWN, OPEN = ("better", "higher"), ("worse", "lower"), ("undecided", "not inferior")
_FEW = 8  # systems, of which all are named
_FEW_NAMED = 3  # of more systems


def conclude_systems(r: Report) -> Iterator[str]:
    """Write which system to take, and what the test of all at once found."""
    ranked_by = "mean rank" if r.over_datasets else r.metric
    top = next(iter(r.systems))
    value = say.fixed(top.mean, max(3, say.decimals_for(r.systems.column("mean"))))
    if r.over_datasets:
        value = f"{top.mean_rank:.2f}"
    first = _first_of_all(r)
    place = f"the {r.words.top if r.over_datasets else r.words.best} {ranked_by} ({value})"
    lead = f"{say.join_names(first)} {'has' if len(first) == 1 else 'share'} {place}"
    if len(first) == len(r.names):
        lead = f"All systems have the same {ranked_by} ({value})"
    center, last = r.control if r.control in first else first[0], ""
    texts = [f"{lead}."]
    if r.smallest_pvalue >= r.alpha and not r.identical:
        few, count = say.units(r.n_units, r.unit), say.units(len(r.pairs), "pair")
        least = f"the smallest adjusted p of {count} that this test can give"
        none = f"no rejection is possible with {few}: {least} is {r.smallest_pvalue:.3g}"
        texts = [f"{lead}, but {none}."]
    elif r.control is not None and not (r.asks_best and center == r.control):
        center, last = r.control, f"{lead}."
        texts = [*_against(r, center)]
    elif r.direction_assumed and r.asks_best:
        texts += _against(r, center)
    elif not r.asks_best:
        texts.append(_in_one_direction(r))
    else:
        texts = _which_to_take(r, center, first, lead)
    invalid = f"The p-values are not valid: {r.invalid}. " if r.invalid else ""
    yield f"{invalid}{' '.join([*texts, *_equivalent(r, center)])}"
    if r.next_step:
        yield r.next_step
    if r.beside_equivalent and "equivalent" in r.verdicts:
        yield f"The systems are {r.beside_equivalent}."
    yield from _ranks(r)
    yield from _margin(r, center)
    if last:
        yield last
    apart = {o: p for o, p in r.against(center).items() if p.verdict in OPEN and p.p < r.alpha}
    if apart:
        differ = f"{say.join_names(apart)} differ{'s' * (len(apart) == 1)} from"
        none = "but the test shows no direction or size"
        yield f"{differ} {shown_name(center)}, {none} ({_pvalues(r, apart)})."
    for why, pairs in r.why_no_pvalue.items():
        named = say.join_items([" and ".join(map(shown_name, pair)) for pair in pairs])
        yield f"There is no p-value of {named}{': ' * bool(why)}{why}."
    yield from _all_at_once(r)
    left = "Only data sets with every score are compared; left out"
    if r.missing:
        left, both = "Missing", "compared on the data sets that both have scores on"
        yield f"Scores are missing: every pair is {both}, {r.missing} of {r.n_units}."
    if r.left_out:
        yield f"{left}: {say.join_items(r.left_out, say.NAMED)}."
    yield from chances(r)


def _first_of_all(r: Report) -> list[str]:
    """Return the systems that share the first place."""
    values = r.systems.column("mean_rank" if r.over_datasets else "mean")
    noise = 1e-9 if r.over_datasets else RELATIVE_RESOLUTION * max(map(abs, values))
    known = zip(r.names, values, strict=True)
    alike = [name for name, value in known if abs(value - values[0]) <= noise]
    if len(alike) > 1 and not r.over_datasets:  # a test may see what floats hide in a mean
        others = r.against(r.names[0])
        alike = [name for name in alike if name not in others or others[name].estimate == 0]
    return alike or [r.names[0]]


# --- all pairs, in both directions: who may be the best ---


def _which_to_take(r: Report, leader: str, first: Sequence[str], lead: str) -> list[str]:
    """Write who leads, who is not ruled out, and who is and by whom."""
    kept, k, pairs = r.may_be_best, len(r.names), r.against(leader)
    alike = {o: p for o, p in _of(r, pairs, OPEN).items() if o in kept and leader in kept}
    if len(alike) == k - 1:
        joint = "and" if len(first) == k else "but"
        none = f"{joint} no significant difference was found: any of them may be the best"
        return [f"{lead}, {none} ({evidence(r, alike, 'open')})."]
    texts = [f"{lead}."]
    if alike := {o: p for o, p in alike.items() if o not in first}:
        texts.append(f"{_are(r, alike)} not ruled out ({evidence(r, alike, 'open')}).")
    by: dict[str, dict[str, Pair]] = {}
    for name in r.names:
        p = pairs.get(name)
        if name in kept:
            continue
        if p is None or not (p.p < r.alpha and p.toward > 0):  # the leader, or by another one
            differ = [p for p in r.against(name).values() if p.p < r.alpha]
            p = min(differ, key=lambda p: (p.toward >= 0, p.verdict == "equivalent", p.p))
            p = p.seen_from(p.second, r)
        if not (p.first == leader and p.verdict == "equivalent"):
            by.setdefault(p.first, {})[name] = p
    texts += [_ruled_out(r, winner, losers, leader) for winner, losers in by.items()]
    if kept and leader not in kept:
        texts.append(f"{say.join_names(kept)} may be the best.")
    return texts


def _ruled_out(r: Report, winner: str, losers: Pairs, leader: str) -> str:
    """Write who is ruled out by the leader, or by another one."""
    text, rest = f"{_are(r, losers)} ruled out", ""
    if winner != leader:
        text += f" by {shown_name(winner)}"
        rest = f", not by {shown_name(leader)}" * (leader not in losers)
    if r.words.claim and any(gain(r, p) <= 0 for p in losers.values()):
        # The distances alone do not show it.
        text += f": {_claim(r, losers, False, [winner])}"
    return f"{text} ({evidence(r, losers)}){rest}."


def _of(r: Report, pairs: Pairs, verdicts: Collection[str]) -> dict[str, Pair]:
    """Return the pairs of which one of these was found; open ones are not significant."""
    chosen = {other: p for other, p in pairs.items() if p.verdict in verdicts}
    return {o: p for o, p in chosen.items() if p.p >= r.alpha or p.verdict not in OPEN}


def _are(r: Report, names: Collection[str]) -> str:
    """Name systems, or count them where there are many: the ranking names them."""
    many = len(r.names) > _FEW and len(names) > _FEW_NAMED
    who = f"{len(names)} others" if many else say.join_names(names)
    return f"{who} {'is' if len(names) == 1 else 'are'}"


def against_leader(r: Report, name: str, leader: str) -> str:
    """Say how a system that may be the best stands to the first of the ranking."""
    pairs = {name: r.against(leader)[name]}
    if pairs[name].verdict == "equivalent":
        within = f"within the margin of {say.short(r.margin)}"
        numbers = evidence(r, pairs, "equivalent")
        return f"is equivalent to {shown_name(leader)} {within} ({numbers})"
    return f"is not ruled out ({evidence(r, pairs, 'open')})"


# --- one system and all others ---


def _claim(
    r: Report, who: Collection[str], up: bool, whom: Collection[str], any_of: str = ""
) -> str:
    """Say that systems are better, or worse, than others; `any_of` stands before the many."""
    a, b = (f"{any_of * (len(names) > 1)}{say.join_names(names)}" for names in (who, whom))
    return f"{a} {r.words.verb(up, len(who) > 1 and not any_of)} than {b}{r.words.claim}"


def _against(r: Report, name: str) -> Iterator[str]:
    """Write what was found of every other system and one: the control, or the highest.

    The first systems of pairs are those in question, and speak of them: the others, or the
    one.
    """
    pairs, columns = r.against(name), r.pairs.columns
    own = r.control is None or name not in columns["second"]
    if own:  # seen from the others: their distances are its own
        pairs = {other: p.seen_from(other, r) for other, p in pairs.items()}
    for up, verdicts in ((True, DOWN), (False, UP)):
        if those := _of(r, pairs, verdicts):
            who, whom = ([name], those) if own else (those, [name])
            yield f"{_claim(r, who, up, whom)} ({evidence(r, those)})."
    if those := _of(r, pairs, OPEN):
        others = f"{'any of ' * (len(those) > 1)}{say.join_names(those)}"
        text = f"No significant difference from {shown_name(name)} was found for {others}"
        if r.alternative != "two-sided":
            who, whom = ([name], those) if own else (those, [name])
            claim = _claim(r, who, r.alternative == "greater", whom, "any of ")
            text = f"It was not shown that {claim}"
        yield f"{text} ({evidence(r, those, 'open')})."


def _in_one_direction(r: Report) -> str:
    """Write of which systems it was shown to be better than which others."""
    verb = r.words.verb(r.alternative == "greater")
    claim = f"the first {verb} than the second{r.words.claim}"
    claims, n = [], 0
    for name in r.names:
        pairs = {other: p.seen_from(other, r) for other, p in r.against(name).items()}
        if lost := _of(r, pairs, DOWN):
            n += len(lost)
            claims.append(f"{_claim(r, [name], True, lost)} ({evidence(r, lost)})")
    least = r.pairs[r.by_pvalue[0]].p
    details = f": {'; '.join(claims)}"
    if not claims:
        details = "" if isnan(least) else f" (adjusted {say.pvalue_text(least)} or more)"
    shown = f"that was shown for {n} of {say.units(len(r.pairs), 'pair')}"
    return f"Of every pair it was asked whether {claim}; {shown}{details}."


# --- the margin ---


def _equivalent(r: Report, name: str) -> Iterator[str]:
    """Write who is equivalent to a system, and of whom a small difference is real."""
    same = _of(r, r.against(name), ["equivalent"])
    for real in (False, True):
        if those := {other: p for other, p in same.items() if (p.p < r.alpha) == real}:
            numbers = evidence(r, those, "equivalent")
            if real:
                numbers = f"{evidence(r, those)}; {_pvalues(r, those, 'equivalence_p')}"
            are = f"{say.join_names(those)} {'is' if len(those) == 1 else 'are'} equivalent to"
            within = f"{shown_name(name)} within the margin of {say.short(r.margin)}"
            yield f"{are} {within}{', though significantly different' * real} ({numbers})."


def _margin(r: Report, name: str) -> Iterator[str]:
    """Say of all pairs with a system that are not equivalent how they stand to the margin."""
    if r.margin is None:
        return
    margin, me = f"the margin of {say.short(r.margin)}", shown_name(name)
    stand: dict[str, dict[str, Pair]] = {}
    for other, p in r.against(name).items():
        if p.verdict != "equivalent":
            stand.setdefault(beside_margin(r, p), {})[other] = p
    differs = f"Different from {me} by more than {margin}"
    kinds = {
        "beyond": f"{differs} ({interval_kind(r)}{say.percent(r.confidence_level)} interval)",
        "beyond, unasked": f"{differs}, in the direction that was not asked",
        "open": f"Not shown to be equivalent to {me} within {margin}",
        "unjudged": f"Not to be judged against {me} by {margin}",
    }
    for kind, text in kinds.items():
        if kind in stand:
            yield f"{text}: {say.join_names(stand[kind])}."
    undecided = _of(r, stand.get("open", {}), OPEN)
    for column in ("noninferior_p", "noninferior_p_second"):
        if those := {o: p for o, p in undecided.items() if getattr(p, column) < r.alpha}:
            ends = [[name], [*those]]
            who, whom = ends if column == "noninferior_p" else reversed(ends)
            than = f"{_are(r, who)} not {r.words.bad} than {say.join_names(whom)}"
            yield f"{than} by the margin ({_pvalues(r, those, column)})."


# --- how far, and how certain that is ---


def gain(r: Report, p: Pair) -> float:
    """Return by how much the first system is better; 0 where floats alone may make it."""
    value = 0.0 if abs(p.estimate) <= r.noise else p.estimate
    return 0.0 - value if r.is_turned else value


def evidence(r: Report, pairs: Pairs, kind: str = "shown") -> str:
    """Write how far others lie from the system that pairs are seen from, and p-values.

    Parameters
    ----------
    r : Report
        The report.
    pairs : mapping of str to Pair
        The pairs.
    kind : {"shown", "open", "equivalent"}
        What was found of them. Of what was shown no p-value is larger, else none is smaller.
        A single difference has its interval, but that interval does not decide about a margin.
    """
    column = "equivalence_p" if kind == "equivalent" else "p"
    gains, pvalues = [gain(r, p) for p in pairs.values()], _pvalues(r, pairs, column, kind)
    if len(gains) > 1 or kind == "equivalent":
        return f"{_distance(r, gains, say.decimals_for(gains))}; {pvalues}"
    (p,) = pairs.values()
    low, high = (p.low, p.high) if p.estimate >= 0 else (0.0 - p.high, 0.0 - p.low)
    decimals = say.decimals_for([p.estimate, low, high])
    interval = interval_text(r, low, high, decimals, sign=False)
    return f"{_distance(r, gains, decimals)}, {interval}; {pvalues}"


def _distance(r: Report, behind: Sequence[float], decimals: int) -> str:
    """Write how far others lie from a system that is better than they are by so much."""
    better, worse, tail, named = r.words.above, r.words.below, "", ""
    if r.words.by_rank:
        better, worse, tail = r.words.good, r.words.bad, f" in {r.in_ranks}"
    elif not r.quantity.is_difference:
        named = f"{r.quantity.name}{'s' * (len(behind) > 1)} "
    low, high = min(behind), max(behind)
    if low == high == 0:
        return f"{named}0" if named else "no difference"
    near, far = (say.fixed(value, decimals) for value in sorted((abs(low), abs(high))))
    sizes = [say.fixed(abs(value), decimals) if value else "0" for value in behind]
    text = " and ".join(dict.fromkeys(sizes))
    if low < 0 < high:
        text = f"{say.fixed(-low, decimals)} {better} to {say.fixed(high, decimals)}"
    elif len(behind) > 2 and near != far:
        text = f"between {near} and {far}"
    return f"{named}{text} {worse if high > 0 else better}{tail}"


def _pvalues(r: Report, pairs: Pairs, column: str = "p", kind: str = "shown") -> str:
    """Write the largest p-value of what was shown, or the least of what is open."""
    values = sorted(getattr(p, column) for p in pairs.values())
    if isnan(values[0]):
        return "no p-value"
    words = "adjusted " * (r.n_family > 1) + "equivalence " * (column == "equivalence_p")
    least, most = say.pvalue_text(values[0]), say.pvalue_text(values[-1])
    if len(values) == 1:
        return f"{words}{least}"
    if kind != "open":
        return f"each {words}{most.replace('p = ', f'p {AT_MOST} ')}"
    return f"each {words}{least}" if least == most else f"{words}{least} or more"


# --- all at once, and on which data sets ---


def _all_at_once(r: Report) -> Iterator[str]:
    """Write what the test of all at once found; of one data set where pairs say otherwise."""
    test, several = r.omnibus, f"{len(r.names)} systems"
    if test is None:
        return
    differ = test["pvalue"] < r.alpha
    tested = r.control is None and r.alternative == "two-sided" and r.smallest_pvalue < r.alpha
    apart = tested and any(p < r.alpha for p in r.pairs.column("adjusted")) != differ
    where = f" over {say.units(test['n_units'], r.unit)}" if r.over_datasets else ""
    if not (apart or r.over_datasets):
        return
    if isnan(test["pvalue"]):
        why = test["why_no_pvalue"]
        yield f"No test of all {several} at once is possible{where}: {why}."
        return
    what = r.metric if test["scale"] == "score" else f"{test['scale']} by {r.metric}"
    do = "differ" if differ else "do not differ significantly"
    yield f"Taken together, the {several} {do} in {what}{where} ({say.omnibus_text(test)})."
    if apart:
        yield "That is another question: whether any systems differ. The pairs say which."


def _ranks(r: Report) -> Iterator[str]:
    """Write which ranks are certain."""
    if not r.is_leaderboard:
        return
    top, level = next(iter(r.systems)), say.percent(r.confidence_level)
    may = "ranks" if top.rank_low == top.rank_high else "may rank"
    ranks = f"{may} {say.ranks_text(top.rank_low, top.rank_high)}"
    together = f"{level} confidence in the ranks of all systems together"
    yield f"{shown_name(top.name)} {ranks} ({together})."
    if len(r.names) > 2:
        n = sum(p < r.alpha for p in r.pairs.column("adjusted"))
        certain = sum(one.rank_low == one.rank_high for one in r.systems)
        ranks = f"{certain} of {len(r.names)} ranks are certain"
        yield f"{n} of {len(r.pairs)} pairs differ significantly; {ranks}."
