"""The conclusion on several systems: who leads, who is not ruled out, and who is."""

from collections.abc import Sequence
from math import isnan

from skstat._names import shown_name
from skstat.report._model import Pair, Report, System
from skstat.report._words.metric import best, claim, good, good_best, verb
from skstat.report._words.numbers import (
    decimals_for,
    fixed,
    percent,
    pvalue_text,
    ranks_text,
    short,
    units,
)
from skstat.report._words.say_pair import beside_margin
from skstat.report._words.say_sizes import (
    Pairs,
    at_least,
    at_most,
    distance,
    gain,
    interval_kind,
    not_shown,
    shown,
)
from skstat.report._words.terms import NAMED, join_items, join_names, omnibus_text
from skstat.stats._samples import RELATIVE_RESOLUTION

_FEW = 8  # systems, of which all are named
_FEW_NAMED = 3  # of more systems
_GROUPS = {
    "better": "better", "higher": "better", "worse": "worse", "lower": "worse",
    "equivalent": "equivalent",
}  # fmt: skip


def conclude_systems(r: Report) -> list[str]:
    """Write which system to take, and what the test of all at once found.

    Parameters
    ----------
    r : Report
        The report, on one data set or many.

    Returns
    -------
    list of str
        Sentences.
    """
    if r.identical:
        return [_nothing_differs(r), *_compared_on(r)]
    first = _first_of_all(r)
    if r.control in first:  # it may share the first place
        first = sorted(first, key=lambda name: name != r.control)
    leader, lead, last = first[0], _lead(r, first), []
    if r.smallest_pvalue >= r.alpha:
        found = [
            f"{lead}, but no rejection is possible with {units(r.n_units, r.unit)} where "
            f"systems are compared in pairs: of {_comparisons(len(r.pairs))}, the smallest "
            f"adjusted p-value that the {r.test} can give is {r.smallest_pvalue:.3g}.",
            *_equivalent(r, leader, grouped(r.against(leader))["equivalent"]),
        ]
    elif r.control is not None and not (r.asks_best and leader == r.control):
        leader, last = r.control, [f"{lead}."]
        found = _against(r, leader)
    elif r.direction_assumed and r.asks_best:
        found = [f"{lead}.", *_against(r, leader)]
    elif not r.asks_best:
        found = [f"{lead}.", _in_one_direction(r)]
    else:
        found = [" ".join(_which_to_take(r, first, lead))]
    found += [*_margin(r, leader), *last]
    for why, pairs in r.why_no_pvalue.items():
        named = join_items([" and ".join(map(shown_name, pair)) for pair in pairs], NAMED)
        found.append(f"There is no p-value of {named}{': ' * bool(why)}{why}.")
    return [*found, *_all_at_once(r), *_compared_on(r)]


def _first_of_all(r: Report) -> list[str]:
    """Return the systems that share the first place."""
    if r.over_datasets:
        ranks = r.systems.columns["mean_rank"]
        return [one.name for one in r.systems if one.mean_rank <= min(ranks) + 1e-9]
    means = r.systems.columns["mean"]
    noise = RELATIVE_RESOLUTION * max(map(abs, means))
    alike = [
        name for name, mean in zip(r.names, means, strict=True) if abs(mean - means[0]) <= noise
    ]
    if len(alike) <= 1:
        return [r.names[0]]
    others = r.against(r.names[0])
    return [n for n in alike if n not in others or others[n].estimate == 0]


def _lead(r: Report, first: Sequence[str]) -> str:
    """Say what is best about the first, with its value."""
    value = _value(r, next(iter(r.systems)))
    if len(first) == len(r.names):
        return f"All systems have the same {_ranked_by(r)} ({value})"
    if len(first) > 1:
        return f"{join_names(first)} share {_first_place(r)} ({value})"
    return f"{shown_name(first[0])} {leads(r)} ({value})"


def leads(r: Report) -> str:
    """Say what is best about the first of the ranking: "has the highest accuracy"."""
    return f"has {_first_place(r)}"


def _first_place(r: Report) -> str:
    return f"the {good_best(r) if r.over_datasets else best(r)} {_ranked_by(r)}"


def _ranked_by(r: Report) -> str:
    return "mean rank" if r.over_datasets else r.metric


def _value(r: Report, system: System) -> str:
    if r.over_datasets:
        return f"{system.mean_rank:.2f}"
    return fixed(system.mean, max(3, decimals_for(r.systems.columns["mean"])))


def _nothing_differs(r: Report) -> str:
    first = next(iter(r.systems))
    each = f"each has the mean rank {_value(r, first)}" if r.over_datasets else _value(r, first)
    pvalue = min(r.pairs.columns["adjusted"]) if r.omnibus is None else r.omnibus["pvalue"]
    return (
        f"No difference was found: all {len(r.names)} systems have the same {r.metric} on all "
        f"{units(r.n_units, r.unit)} ({each}; {pvalue_text(pvalue)})."
    )


def grouped(pairs: Pairs) -> dict[str, dict[str, Pair]]:
    """Return pairs with one system by what was found of it, and the other systems of them."""
    groups: dict[str, dict[str, Pair]] = {
        kind: {} for kind in ("better", "worse", "equivalent", "open", "untested")
    }
    for other, p in pairs.items():
        neither = "untested" if isnan(p.p) else "open"
        groups[_GROUPS.get(p.verdict, neither)][other] = p
    return groups


# --- all pairs, in both directions: who may be the best ---


def _which_to_take(r: Report, first: Sequence[str], lead: str) -> list[str]:
    """Write who leads, who is not ruled out, who is and by whom, and who is equivalent."""
    leader, kept, k = first[0], r.may_be_best, len(r.names)
    pairs = r.against(leader)
    groups = grouped(pairs)
    beyond = f" than {shown_name(leader)}" if len(first) > 1 else ""
    alike = {o: p for o, p in groups["open"].items() if o in kept}
    if leader not in kept:
        ahead = {o: p for o, p in pairs.items() if p.p < r.alpha and p.toward < 0}
        why = ""
        if ahead:  # or else they differ in no common direction
            evidence = shown(r, _turned(r, ahead), claimed=False)
            why = f": it {_better(r, False, ahead)} ({evidence})"
        said = [f"{lead}, but is ruled out{why}."]
        if kept != (*ahead,):
            said.append(f"{join_names(kept)} may be the best.")
    elif len(alike) == k - 1:
        evidence, joint = not_shown(r, alike, beyond), "but"
        if len(first) == k:  # nobody is behind
            evidence, joint = at_least(p.p for p in alike.values()), "and"
        them = "either" if k == 2 else f"any of the {k}"
        said = [
            f"{lead}, {joint} no significant difference was found: {them} may be the best "
            f"({evidence})."
        ]
    else:
        said = [f"{lead}."]
        if alike := {o: p for o, p in alike.items() if o not in first}:
            evidence = not_shown(r, alike, beyond)
            said.append(f"{_group(r, alike)} {_be(alike)} not ruled out ({evidence}).")
    said += _ruled_out(r, leader, beyond)
    said += _equivalent(r, leader, groups["equivalent"])
    if untested := [name for name in groups["untested"] if name in kept]:
        said.append(
            f"{join_names(untested)} could not be compared with {shown_name(leader)} (no test "
            "is possible)."
        )
    return said


def _ruled_out(r: Report, leader: str, beyond: str) -> list[str]:
    """Write who is ruled out: by the leader, or by others."""
    kept, pairs = r.may_be_best, r.against(leader)
    by: dict[str, dict[str, Pair]] = {leader: {}}
    for name in r.names:
        if name in kept or name == leader:
            continue
        if pairs[name].better == leader:
            by[leader][name] = pairs[name]
        elif not (pairs[name].verdict == "equivalent" and pairs[name].p < r.alpha):
            p = _surest_winner(r, name)
            by.setdefault(p.first, {})[name] = p
    said = []
    for winner, losers in by.items():
        if not losers:
            continue
        of, text = beyond, f"{_group(r, losers)} {_be(losers)} ruled out"
        if winner != leader:
            of, text = "", f"{text} by {shown_name(winner)}"
        if claim(r) and any(gain(r, p)[0] <= 0 for p in losers.values()):
            they = "it" if len(losers) == 1 else "they"  # the distances alone do not show it
            down = verb(r, False, plural=len(losers) > 1)
            text += f": {they} {down} than {shown_name(winner)}{claim(r)}"
        rest = "" if winner == leader else f", not by {shown_name(leader)}"
        said.append(f"{text} ({shown(r, losers, of=of)}){rest}.")
    return said


def _surest_winner(r: Report, name: str) -> Pair:
    """Return the pair with the system that rules another one out, of several the surest."""
    pairs = r.against(name)
    ahead = [p for other, p in pairs.items() if p.better == other]
    ahead = ahead or [p for p in pairs.values() if p.p < r.alpha]  # though equivalent
    surest = min(ahead, key=lambda p: p.p)
    return surest.seen_from(surest.second, r)


def _group(r: Report, found: Pairs) -> str:
    """Name systems, or count them where there are many: the ranking names them."""
    if len(r.names) > _FEW and len(found) > _FEW_NAMED:
        return f"{len(found)} others"
    return join_names(found)


def _be(found: Pairs) -> str:
    return "is" if len(found) == 1 else "are"


def against_leader(r: Report, name: str, leader: str) -> str:
    """Say how a system that may be the best stands to the first of the ranking."""
    found = {name: r.against(leader)[name]}
    p = found[name]
    if isnan(p.p):
        return f"could not be compared with {shown_name(leader)} (no test is possible)"
    if p.verdict == "equivalent":
        what = "adjusted equivalence" if r.n_family > 1 else "equivalence"
        pvalue = at_most([p.equivalence_p], what)
        within = f"within the margin of {short(r.margin)}"
        evidence = f"{distance(r, found, limits=False)}; {pvalue}"
        return f"is equivalent to {shown_name(leader)} {within} ({evidence})"
    within = "" if r.margin is None else f"; the margin is {short(r.margin)}"
    return f"is not ruled out ({distance(r, found)}{within})"


# --- one system and all others ---


def _against(r: Report, name: str) -> list[str]:
    """Write what was found of every other system and one: the control, or the highest.

    The first systems of pairs are those in question, and speak of them: the others, or the
    one.
    """
    groups, me = grouped(r.against(name)), shown_name(name)
    start = f"Against the control {me}, "
    if is_first := name in r.pairs.columns["first"] and name not in r.pairs.columns["second"]:
        start = ""
    if r.control is None:
        is_first, start = True, ""
    bits: list[str] = []
    for up in (True, False):
        found = groups["better" if up == is_first else "worse"]
        if found and is_first:
            who = me if not bits else "it"
            evidence = shown(r, _turned(r, found), up)
            bits.append(f"{who} {_better(r, up, found)} ({evidence})")
        elif found:
            who = f"{join_names(found)} {verb(r, up, plural=len(found) > 1)}{claim(r)}"
            bits.append(f"{who} ({shown(r, found, up)})")
    named = bool(bits or start)
    if found := groups["open"]:
        bits.append(_not_shown(r, me, found, is_first))
    if untested := groups["untested"]:
        bits.append(f"no test is possible between {me} and {join_names(untested)}")
    text = "; ".join(bits)
    said = [f"{start}{text if named else _capital(text)}."] if bits else []
    return [*said, *_equivalent(r, name, groups["equivalent"])]


def _not_shown(r: Report, me: str, found: Pairs, is_first: bool) -> str:
    """Write which systems were not shown to differ from one, in the direction asked."""
    others = f"{ {1: '', 2: 'either of '}.get(len(found), 'any of ') }{join_names(found)}"
    if r.alternative == "two-sided":
        return f"no significant difference was found for {others} ({not_shown(r, found)})"
    asked, told = verb(r, r.alternative == "greater"), found
    claimed = f"{others} {asked}{claim(r)}"
    if is_first:
        claimed, told = f"{me} {asked} than {others}{claim(r)}", _turned(r, found)
    return f"it was not shown that {claimed} ({not_shown(r, told)})"


def _turned(r: Report, found: Pairs) -> Pairs:
    """Return pairs with one system, seen from the others: their distances are its own."""
    return {other: p.seen_from(other, r) for other, p in found.items()}


def _better(r: Report, up: bool, found: Pairs) -> str:
    return f"{verb(r, up)} than {join_names(found)}{claim(r)}"


def _in_one_direction(r: Report) -> str:
    """Write of which systems it was shown to be better than which others."""
    question = f"whether the first {verb(r, r.alternative == 'greater')} than the second"
    claims, n = [], 0
    for name in r.names:
        if won := grouped(r.against(name))["better"]:
            n += len(won)
            evidence = shown(r, _turned(r, won), True)
            claims.append(
                f"{shown_name(name)} {verb(r, True)} than {join_names(won)} ({evidence})"
            )
    answer = f"that was shown for {n} of {_comparisons(len(r.pairs))}: {'; '.join(claims)}."
    if not n:
        tested = [p for p in r.pairs.columns["adjusted"] if not isnan(p)]
        answer = f"for none was that shown{f' ({at_least(tested)})' if tested else ''}."
    if n_same := list(r.verdicts).count("equivalent"):
        answer += f" {n_same} of {_comparisons(len(r.pairs))} showed equivalence."
    return f"Of every pair it was asked {question}{claim(r)}; {answer}"


# --- the margin ---


def _equivalent(r: Report, name: str, same: Pairs) -> list[str]:
    """Write who is equivalent to a system; that a difference is real but small comes first."""
    ways: dict[int | None, dict[str, Pair]] = {}
    for other, p in same.items():
        ways.setdefault(-p.toward if p.p < r.alpha else None, {})[other] = p
    margin, me, said = f"the margin of {short(r.margin)}", shown_name(name), []
    for way, found in ways.items():
        pvalue = at_most((p.equivalence_p for p in found.values()), "adjusted equivalence")
        who, plural = join_names(found), len(found) > 1
        if way is None:
            evidence = f"{distance(r, found, limits=False)}; {pvalue}"
            said.append(f"{who} {_be(found)} equivalent to {me} within {margin} ({evidence}).")
            continue
        differs = f"{'differ' if plural else 'differs'} from {me}"
        if way:  # or else in no common direction
            differs = f"{verb(r, way > 0, plural)} than {me}{claim(r)}"
        said.append(
            f"{who} {differs}, but by less than {margin}: {'they are' if plural else 'it is'} "
            f"equivalent ({shown(r, found)}; {pvalue})."
        )
    return said


def _margin(r: Report, name: str) -> list[str]:
    """Say of all pairs with a system that are not equivalent how they stand to the margin."""
    if r.margin is None:
        return []
    margin, me = f"the margin of {short(r.margin)}", shown_name(name)
    stand: dict[str, dict[str, Pair]] = {}
    for other, p in r.against(name).items():
        if p.verdict != "equivalent":
            stand.setdefault(beside_margin(r, p), {})[other] = p
    beyond = {
        "beyond": f"({interval_kind(r)}{percent(r.confidence_level)} interval)",
        "beyond, unasked": "in the direction that was not asked",
    }
    bits = [
        f"{me} differs from {join_names(stand[kind])} by more than {margin} {said}"
        for kind, said in beyond.items()
        if kind in stand
    ]
    if unshown := stand.get("open", {}):
        within = f" within {margin}" if not bits else ""
        were = "was" if len(unshown) == 1 else "were"
        bits.append(f"{join_names(unshown)} {were} not shown to be equivalent to {me}{within}")
    worse, undecided = f"at most the margin {good(r, up=False)} than", grouped(unshown)["open"]
    if mine := {o: p for o, p in undecided.items() if p.noninferior_p < r.alpha}:
        pvalue = at_most(p.noninferior_p for p in mine.values())
        bits.append(f"{me} is {worse} {join_names(mine)} ({pvalue})")
    if theirs := {o: p for o, p in undecided.items() if p.noninferior_p_second < r.alpha}:
        pvalue = at_most(p.noninferior_p_second for p in theirs.values())
        bits.append(f"{join_names(theirs)} {_be(theirs)} {worse} {me} ({pvalue})")
    said = [f"{'; '.join(bits)}."] if bits else []
    if unjudged := stand.get("unjudged"):
        said.append(
            f"{_capital(margin)} cannot be judged between {me} and {join_names(unjudged)}."
        )
    return said


# --- all at once, and on which data sets ---


def _all_at_once(r: Report) -> list[str]:
    """Write what the test of all at once found; of one data set where pairs say otherwise."""
    found, k = r.omnibus, len(r.names)
    if found is None:
        return []
    where = ""
    if r.over_datasets:
        where = f" over {units(found['n_units'], r.unit)}"
    if isnan(found["pvalue"]):
        why = found["why_no_pvalue"]
        text = f"No test of all {k} systems at once is possible{where}: {why}."
        return [text] if r.over_datasets else []
    differ = found["pvalue"] < r.alpha
    asked = r.control is None and r.alternative == "two-sided" and r.smallest_pvalue < r.alpha
    apart = asked and any(p < r.alpha for p in r.pairs.columns["adjusted"]) != differ
    if not (apart or r.over_datasets):
        return []
    what = r.metric if found["scale"] == "score" else f"{found['scale']} by {r.metric}"
    said = f"Taken together, the {k} systems differ in {what}{where}"
    if not differ:
        said = f"No significant difference in {what} between the {k} systems was found{where}"
    other = "That is another question, whether any systems differ at all; the pairs say which."
    return [f"{said} ({omnibus_text(found)}).", *[other] * apart]


def _compared_on(r: Report) -> list[str]:
    """Say which data sets were compared, if not all of them with all scores."""
    said, what = [], "Only data sets with every score are compared; left out"
    if r.missing:
        what = "Missing"
        said.append(
            "Scores are missing: every pair is compared on the data sets that both have scores "
            f"on, {r.missing} of {r.n_units}."
        )
    if r.left_out:
        said.append(f"{what}: {join_items(r.left_out, NAMED)}.")
    return said


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# --- ranks ---


def conclude_leaderboard(r: Report) -> list[str]:
    """Write which system to take, then which ranks are certain.

    Parameters
    ----------
    r : Report
        A report that knows the ranks.

    Returns
    -------
    list of str
        Sentences.
    """
    first, *rest = conclude_systems(r)
    top, k = next(iter(r.systems)), len(r.names)
    ranks = ranks_text(top.rank_low, top.rank_high)
    which = "is rank 1" if ranks == "1" else f"may rank {ranks}"
    together = f"{percent(r.confidence_level)} confidence in the ranks of all systems together"
    said = [f"{shown_name(top.name)} {which} ({together})."]
    if k > 2:
        n = sum(p < r.alpha for p in r.pairs.columns["adjusted"])
        certain = sum(one.rank_low == one.rank_high for one in r.systems)
        of = f"the rank of {certain} of the {k} systems"
        if certain in (0, k):
            of = "every rank" if certain else "no rank"
        said.append(f"{n} of {len(r.pairs)} pairs differ significantly; {of} is certain.")
    return [first, *said, *rest]
