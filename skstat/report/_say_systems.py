"""Sentences of the conclusion on several systems: which lead, and which are ruled out."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isnan

from skstat._names import shown_name
from skstat.report import _terms as say
from skstat.report._model import Pair, Report
from skstat.report._say_pair import chances, interval_kind, interval_text, margin_result
from skstat.stats._ordering import RELATIVE_RESOLUTION

Pairs = Mapping[str, Pair]  # pairs with one system first, by the name of the other

AT_MOST = "\N{LESS-THAN OR EQUAL TO}"
# Verdicts; "higher" and "lower" where it is not known whether higher is better.
UP, DOWN, OPEN = ("better", "higher"), ("worse", "lower"), ("undecided", "not inferior")
_FEW = 8  # systems, of which all are named
_FEW_NAMED = 3  # of more systems


def conclude_systems(r: Report) -> Iterator[str]:
    """Write which systems may be the best, and the result of the test of all at once."""
    ranked_by = "mean rank" if r.over_datasets else r.metric
    top = next(iter(r.systems))
    value = say.fixed(top.mean, max(3, say.decimals_for(r.systems.column("mean"))))
    if r.over_datasets:
        value = f"{top.mean_rank:.2f}"
    first = _first_of_all(r)
    what = f"the {r.words.top if r.over_datasets else r.words.best} {ranked_by} ({value})"
    lead = f"{say.join_names(first)} {'has' if len(first) == 1 else 'share'} {what}"
    if len(first) == len(r.names):
        lead = f"All systems have the same {ranked_by} ({value})"
    anchor, last = r.control if r.control in first else first[0], ""
    texts = [f"{lead}."]
    if r.smallest_pvalue >= r.alpha and not r.identical:
        few, count = say.units(r.n_units, r.unit), say.units(len(r.pairs), "pair")
        smallest = f"the smallest adjusted p of {count} that this test can give"
        none = f"no rejection is possible with {few}: {smallest} is {r.smallest_pvalue:.3g}"
        texts = [f"{lead}, but {none}."]
    elif r.control is not None and not (r.asks_best and anchor == r.control):
        anchor, last = r.control, f"{lead}."
        texts = [*_against(r, anchor)]
    elif r.direction_assumed and r.asks_best:
        texts += _against(r, anchor)
    elif not r.asks_best:
        texts.append(_in_one_direction(r))
    else:
        texts = _which_to_take(r, anchor, first, lead)
    invalid = f"The p-values are not valid: {r.invalid}. " if r.invalid else ""
    yield f"{invalid}{' '.join([*texts, *_equivalent(r, anchor)])}"
    if r.next_step:
        yield r.next_step
    if r.beside_equivalent and "equivalent" in r.verdicts:
        yield f"The systems are {r.beside_equivalent}."
    yield from _ranks(r)
    yield from _margin(r, anchor)
    if last:
        yield last
    vague = {o: p for o, p in r.against(anchor).items() if p.verdict in OPEN and p.p < r.alpha}
    if vague:
        differ = f"{say.join_names(vague)} differ{'s' * (len(vague) == 1)} from"
        none = "but the test shows no direction or size"
        yield f"{differ} {shown_name(anchor)}, {none} ({_pvalues(r, vague)})."
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
    values_of = zip(r.names, values, strict=True)
    tied = [name for name, value in values_of if abs(value - values[0]) <= noise]
    if len(tied) > 1 and not r.over_datasets:  # rounding may hide a difference of means
        others = r.against(r.names[0])
        tied = [name for name in tied if name not in others or others[name].estimate == 0]
    return tied or [r.names[0]]


# --- all pairs, in both directions: which systems may be the best ---


def _which_to_take(r: Report, leader: str, first: Sequence[str], lead: str) -> list[str]:
    """Write which systems lead, which may be the best, and which are ruled out by which."""
    best, k, pairs = r.may_be_best, len(r.names), r.against(leader)
    open_ = {o: p for o, p in _having(r, pairs, OPEN).items() if o in best and leader in best}
    if len(open_) == k - 1:
        joint = "and" if len(first) == k else "but"
        none = f"{joint} no significant difference was found: any of them may be the best"
        return [f"{lead}, {none} ({evidence(r, open_, 'open')})."]
    texts = [f"{lead}."]
    if open_ := {o: p for o, p in open_.items() if o not in first}:
        texts.append(f"{_are(r, open_)} not ruled out ({evidence(r, open_, 'open')}).")
    losers_of: dict[str, dict[str, Pair]] = {}
    for name in r.names:
        p = pairs.get(name)
        if name in best:
            continue
        if p is None or not (p.p < r.alpha and p.toward > 0):  # itself the leader
            differ = [p for p in r.against(name).values() if p.p < r.alpha]
            p = min(differ, key=lambda p: (p.toward >= 0, p.verdict == "equivalent", p.p))
            p = p.seen_from(p.second, r)
        if not (p.first == leader and p.verdict == "equivalent"):
            losers_of.setdefault(p.first, {})[name] = p
    texts += [_ruled_out(r, winner, losers, leader) for winner, losers in losers_of.items()]
    if best and leader not in best:
        texts.append(f"{say.join_names(best)} may be the best.")
    return texts


def _ruled_out(r: Report, winner: str, losers: Pairs, leader: str) -> str:
    """Write which systems are ruled out by the leader, or by another system."""
    text, unless = f"{_are(r, losers)} ruled out", ""
    if winner != leader:
        text += f" by {shown_name(winner)}"
        unless = f", not by {shown_name(leader)}" * (leader not in losers)
    if r.words.claim and any(gain(r, p) <= 0 for p in losers.values()):
        # The differences of scores do not show in which sense the winner is better.
        text += f": {_claim(r, losers, False, [winner])}"
    return f"{text} ({evidence(r, losers)}){unless}."


def _having(r: Report, pairs: Pairs, verdicts: Collection[str]) -> dict[str, Pair]:
    """Return the pairs with one of these verdicts; undecided ones only if not significant."""
    chosen = {other: p for other, p in pairs.items() if p.verdict in verdicts}
    return {o: p for o, p in chosen.items() if p.p >= r.alpha or p.verdict not in OPEN}


def _are(r: Report, names: Collection[str]) -> str:
    """Write the names of systems, or their number if there are many, and "is" or "are"."""
    many = len(r.names) > _FEW and len(names) > _FEW_NAMED
    who = f"{len(names)} others" if many else say.join_names(names)
    return f"{who} {'is' if len(names) == 1 else 'are'}"


def against_leader(r: Report, name: str, leader: str) -> str:
    """Write the evidence on a system that may be the best against the leader."""
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
    """Write that systems are better, or worse, than others; `any_of` precedes several names."""
    a, b = (f"{any_of * (len(names) > 1)}{say.join_names(names)}" for names in (who, whom))
    return f"{a} {r.words.verb(up, len(who) > 1 and not any_of)} than {b}{r.words.claim}"


def _against(r: Report, name: str) -> Iterator[str]:
    """Write the verdicts on all systems against one: the control, or the highest.

    The subject of each sentence is the system that is first in its pairs.
    """
    pairs, columns = r.against(name), r.pairs.columns
    reverse = r.control is None or name not in columns["second"]
    if reverse:  # the named system is first in its pairs: write of it, not of the others
        pairs = {other: p.seen_from(other, r) for other, p in pairs.items()}
    for up, verdicts in ((True, DOWN), (False, UP)):
        if group := _having(r, pairs, verdicts):
            who, whom = ([name], group) if reverse else (group, [name])
            yield f"{_claim(r, who, up, whom)} ({evidence(r, group)})."
    if group := _having(r, pairs, OPEN):
        others = f"{'any of ' * (len(group) > 1)}{say.join_names(group)}"
        text = f"No significant difference from {shown_name(name)} was found for {others}"
        if r.alternative != "two-sided":
            who, whom = ([name], group) if reverse else (group, [name])
            claim = _claim(r, who, r.alternative == "greater", whom, "any of ")
            text = f"It was not shown that {claim}"
        yield f"{text} ({evidence(r, group, 'open')})."


def _in_one_direction(r: Report) -> str:
    """Write which systems were shown to be better than which others."""
    verb = r.words.verb(r.alternative == "greater")
    claim = f"the first {verb} than the second{r.words.claim}"
    claims, n = [], 0
    for name in r.names:
        pairs = {other: p.seen_from(other, r) for other, p in r.against(name).items()}
        if lost := _having(r, pairs, DOWN):
            n += len(lost)
            claims.append(f"{_claim(r, [name], True, lost)} ({evidence(r, lost)})")
    smallest = r.pairs[r.by_pvalue[0]].p
    details = f": {'; '.join(claims)}"
    if not claims:
        details = "" if isnan(smallest) else f" (adjusted {say.pvalue_text(smallest)} or more)"
    shown = f"that was shown for {n} of {say.units(len(r.pairs), 'pair')}"
    return f"Of every pair it was asked whether {claim}; {shown}{details}."


# --- the margin ---


def _equivalent(r: Report, name: str) -> Iterator[str]:
    """Write which systems are equivalent to one, and of these which differ significantly."""
    same = _having(r, r.against(name), ["equivalent"])
    for real in (False, True):
        if group := {other: p for other, p in same.items() if (p.p < r.alpha) == real}:
            numbers = evidence(r, group, "equivalent")
            if real:
                numbers = f"{evidence(r, group)}; {_pvalues(r, group, 'equivalence_p')}"
            are = f"{say.join_names(group)} {'is' if len(group) == 1 else 'are'} equivalent to"
            within = f"{shown_name(name)} within the margin of {say.short(r.margin)}"
            yield f"{are} {within}{', though significantly different' * real} ({numbers})."


def _margin(r: Report, name: str) -> Iterator[str]:
    """Write the result about the margin for all pairs with a system that are not equivalent."""
    if r.margin is None:
        return
    margin, system = f"the margin of {say.short(r.margin)}", shown_name(name)
    by_result: dict[str, dict[str, Pair]] = {}
    for other, p in r.against(name).items():
        if p.verdict != "equivalent":
            by_result.setdefault(margin_result(r, p), {})[other] = p
    differs = f"Different from {system} by more than {margin}"
    kinds = {
        "beyond": f"{differs} ({interval_kind(r)}{say.percent(r.confidence_level)} interval)",
        "beyond, unasked": f"{differs}, in the direction that was not asked",
        "open": f"Not shown to be equivalent to {system} within {margin}",
        "unjudged": f"Not to be judged against {system} by {margin}",
    }
    for kind, text in kinds.items():
        if kind in by_result:
            yield f"{text}: {say.join_names(by_result[kind])}."
    undecided = _having(r, by_result.get("open", {}), OPEN)
    for column in ("noninferior_p", "noninferior_p_second"):
        if group := {o: p for o, p in undecided.items() if getattr(p, column) < r.alpha}:
            ends = [[name], [*group]]
            who, whom = ends if column == "noninferior_p" else reversed(ends)
            than = f"{_are(r, who)} not {r.words.bad} than {say.join_names(whom)}"
            yield f"{than} by the margin ({_pvalues(r, group, column)})."


# --- how far, and how certain that is ---


def gain(r: Report, p: Pair) -> float:
    """Return by how much the first system is better; 0 within rounding errors."""
    value = 0.0 if abs(p.estimate) <= r.noise else p.estimate
    return 0.0 - value if r.is_turned else value


def evidence(r: Report, pairs: Pairs, kind: str = "shown") -> str:
    """Write how far the other systems are from the first one of their pairs, and p-values.

    Parameters
    ----------
    r : Report
        The report.
    pairs : mapping of str to Pair
        The pairs.
    kind : {"shown", "open", "equivalent"}
        Their verdict. For "open" the smallest p-value is given, else the largest. A single
        difference is given with its interval, unless the verdict is about the margin.
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
    """Write the range of the gains of one system over several others."""
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
    """Write the largest p-value of significant pairs, or the smallest of undecided ones."""
    values = sorted(getattr(p, column) for p in pairs.values())
    if isnan(values[0]):
        return "no p-value"
    words = "adjusted " * (r.n_family > 1) + "equivalence " * (column == "equivalence_p")
    smallest, largest = say.pvalue_text(values[0]), say.pvalue_text(values[-1])
    if len(values) == 1:
        return f"{words}{smallest}"
    if kind != "open":
        return f"each {words}{largest.replace('p = ', f'p {AT_MOST} ')}"
    return f"each {words}{smallest}" if smallest == largest else f"{words}{smallest} or more"


# --- all at once, and on which data sets ---


def _all_at_once(r: Report) -> Iterator[str]:
    """Write the result of the test of all at once; on one data set only if pairs disagree."""
    test, several = r.omnibus, f"{len(r.names)} systems"
    if test is None:
        return
    differ = test["pvalue"] < r.alpha
    tested = r.control is None and r.alternative == "two-sided" and r.smallest_pvalue < r.alpha
    disagree = tested and any(p < r.alpha for p in r.pairs.column("adjusted")) != differ
    where = f" over {say.units(test['n_units'], r.unit)}" if r.over_datasets else ""
    if not (disagree or r.over_datasets):
        return
    if isnan(test["pvalue"]):
        why = test["why_no_pvalue"]
        yield f"No test of all {several} at once is possible{where}: {why}."
        return
    what = r.metric if test["scale"] == "score" else f"{test['scale']} by {r.metric}"
    do = "differ" if differ else "do not differ significantly"
    yield f"Taken together, the {several} {do} in {what}{where} ({say.omnibus_text(test)})."
    if disagree:
        yield "That is another question: whether any systems differ. The pairs say which."


def _ranks(r: Report) -> Iterator[str]:
    """Write the possible ranks of the leader, and how many ranks are certain."""
    if not r.is_leaderboard:
        return
    top, level = next(iter(r.systems)), say.percent(r.confidence_level)
    may = "ranks" if top.rank_low == top.rank_high else "may rank"
    ranks = f"{may} {say.ranks_text(top.rank_low, top.rank_high)}"
    together = f"{level} confidence in the ranks of all systems together"
    yield f"{shown_name(top.name)} {ranks} ({together})."
    if len(r.names) > 2:
        n = sum(p < r.alpha for p in r.pairs.column("adjusted"))
        certain = sum(system.rank_low == system.rank_high for system in r.systems)
        ranks = f"{certain} of {len(r.names)} ranks are certain"
        yield f"{n} of {len(r.pairs)} pairs differ significantly; {ranks}."
