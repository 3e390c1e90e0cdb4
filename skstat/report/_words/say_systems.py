"""The conclusion on several systems: who leads, who is not ruled out, and who is."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from skstat._names import shown_name
from skstat.report._model import Pair, Report, System
from skstat.report._words.metric import best, claim, good, side, than
from skstat.report._words.numbers import decimals_for, fixed, pvalue_text, short, units
from skstat.report._words.say_sizes import (
    Pairs,
    at_least,
    at_most,
    behind,
    between_text,
    claimed,
    estimated,
    interval_kind,
    is_clear,
    named_pair,
)
from skstat.report._words.terms import NAMED, join_items, join_names, omnibus_text
from skstat.stats._samples import RELATIVE_RESOLUTION

_FEW = 8  # systems, of which all are named
_FEW_NAMED = 3  # of more systems


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
    first = first_of_all(r)
    if r.control in first:  # it may share the first place
        first = sorted(first, key=lambda name: name != r.control)
    leader, lead = first[0], f"{_lead(r, first)}"
    if r.smallest_pvalue >= r.alpha:
        found = _without_rejection(r, leader, lead)
    elif r.control is not None and not (r.asks_best and leader == r.control):
        found = [*_against_control(r, r.control), f"{lead}."]
    elif r.direction_assumed and r.asks_best:
        found = _higher_and_lower(r, leader, lead)
    elif not r.asks_best:
        found = _in_one_direction(r, leader, lead)
    else:
        found = _which_to_take(r, first, lead)
    found += [
        f"There is no p-value of {join_items([*map(named_pair, pairs)], NAMED)}"
        f"{': ' * bool(why)}{why}."
        for why, pairs in r.why_no_pvalue.items()
    ]
    return [*found, *_all_at_once(r), *_compared_on(r)]


def first_of_all(r: Report) -> list[str]:
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
    what = "mean rank" if r.over_datasets else r.metric
    value = _value(r, next(iter(r.systems)))
    if len(first) == len(r.names):
        return f"All systems have the same {what} ({value})"
    if len(first) > 1:
        return f"{join_names(first)} share the {_best(r)} {what} ({value})"
    return f"{shown_name(first[0])} {leads(r)} ({value})"


def leads(r: Report) -> str:
    """Say what is best about the first of the ranking: "has the highest accuracy"."""
    return f"has the {_best(r)} {'mean rank' if r.over_datasets else r.metric}"


def _best(r: Report) -> str:
    if not r.over_datasets:
        return best(r)
    return "highest" if r.direction_assumed else "best"


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


# --- all pairs, in both directions: who may be the best ---


def _which_to_take(r: Report, first: Sequence[str], lead: str) -> list[str]:
    """Write who leads, who is not ruled out, and who is and by how much; then the margin."""
    leader, kept = first[0], set(r.may_be_best)
    pairs = r.against(leader)
    out = [name for name in r.names if name not in kept and name != leader]
    beyond = f" than {shown_name(leader)}" if len(first) > 1 else ""
    if leader in kept:
        said = _leader_stays(r, first, lead, {o: p for o, p in pairs.items() if o not in out})
    else:
        said = _leader_goes(r, leader, lead, pairs)
    said += _ruled_out(r, leader, out, pairs, beyond)
    return [" ".join(said), *_against_margin(r, leader)]


def _leader_stays(r: Report, first: Sequence[str], lead: str, there: Pairs) -> list[str]:
    """Write which systems are not ruled out beside the leader, which may be the best."""
    leader, k = first[0], len(r.names)
    sides = _sides(there)
    beyond = f" than {shown_name(leader)}" if len(first) > 1 else ""
    alike = {o: p for o, p in there.items() if o not in sides.same and o not in sides.untested}
    if len(alike) == k - 1:
        evidence, joint = [behind(r, alike, beyond), _least(alike)], "but"
        if len(first) == k:  # nobody is behind
            evidence, joint = evidence[1:], "and"
        them = "either" if k == 2 else f"any of the {k}"
        said = [
            f"{lead}, {joint} no significant difference was found: {them} may be the best "
            f"({'; '.join(evidence)})."
        ]
    else:
        said = [f"{lead}."]
        alike = {other: p for other, p in alike.items() if other not in first}
        if alike:
            evidence = [behind(r, alike, beyond), _least(alike)]
            said.append(
                f"{_group(r, alike)} {_be(alike)} not ruled out ({'; '.join(evidence)})."
            )
    if sides.same:
        said.append(f"{shown_name(leader)} {_equivalent(r, sides.same)}.")
    if sides.untested:
        said.append(
            f"{join_names(sides.untested)} could not be compared with {shown_name(leader)} (no "
            "test is possible)."
        )
    return said


def _leader_goes(r: Report, leader: str, lead: str, pairs: Pairs) -> list[str]:
    """Write which system is better than the leader: ranks and means may point elsewhere."""
    ahead = {other: p for other, p in pairs.items() if p.better == other}
    if ahead:
        evidence = claimed(r, ahead, better=False)
        why = f"it {than(r, False)} {join_names(ahead)}{claim(r)} ({evidence})"
    else:  # what is better is equivalent as well
        why = f"it {_equivalent(r, _sides(pairs).same)}"
    said = [f"{lead}, but is ruled out: {why}."]
    kept = r.may_be_best
    if kept != (*ahead,):
        said.append(f"{join_names(kept)} may be the best.")
    return said


def _ruled_out(
    r: Report, leader: str, out: Sequence[str], pairs: Pairs, beyond: str
) -> list[str]:
    """Write who is ruled out: by the leader, although equivalent to it, or by others."""
    by_leader = {other: pairs[other] for other in out if pairs[other].better == leader}
    same = {other: pairs[other] for other in out if pairs[other].verdict == "equivalent"}
    said = []
    if by_leader:
        evidence = f"{behind(r, by_leader, beyond)}; {_most(by_leader)}"
        said.append(f"{_are_out(r, by_leader, leader)} ({evidence}).")
    if same:
        said.append(
            f"{shown_name(leader)} {_equivalent(r, same)}. {join_names(same)} {_be(same)} "
            "worse, but by less than the margin."
        )
    by_others: dict[str, dict[str, Pair]] = {}
    for name in out:
        if name not in by_leader and name not in same:
            p = _surest_winner(r, name)
            by_others.setdefault(p.first, {})[name] = p
    for winner, losers in by_others.items():
        evidence = f"{behind(r, losers)}; {_most(losers)}"
        said.append(
            f"{_are_out(r, losers, winner, by=True)} ({evidence}), not by {shown_name(leader)}."
        )
    return said


def _surest_winner(r: Report, name: str) -> Pair:
    """Return the pair with the system that rules another one out, of several the surest."""
    pairs = r.against(name)
    ahead = [p for other, p in pairs.items() if p.better == other]
    ahead = ahead or [p for p in pairs.values() if p.p < r.alpha]  # though equivalent
    surest = min(ahead, key=lambda p: p.p)
    return surest.seen_from(surest.second, r.alpha)


def _are_out(r: Report, found: Pairs, winner: str, *, by: bool = False) -> str:
    """Say that systems are ruled out; how they are worse where means do not tell it."""
    text = f"{_group(r, found)} {_be(found)} ruled out"
    if by:
        text += f" by {shown_name(winner)}"
    if not claim(r) or is_clear(r, found):
        return text
    they = "it" if len(found) == 1 else "they"
    down = than(r, False, plural=len(found) > 1)
    return f"{text}: {they} {down} {shown_name(winner)}{claim(r)}"


def _group(r: Report, found: Pairs) -> str:
    """Name systems, or count them where there are many: the ranking names them."""
    if len(r.names) > _FEW and len(found) > _FEW_NAMED:
        return f"{len(found)} others"
    return join_names(found)


def _be(found: Pairs) -> str:
    return "is" if len(found) == 1 else "are"


def against_leader(r: Report, name: str, leader: str) -> str:
    """Say how a system that may be the best stands to the first of the ranking."""
    p = r.against(leader)[name]
    if isnan(p.p):
        return f"could not be compared with {shown_name(leader)} (no test is possible)"
    if p.verdict == "equivalent":
        return _equivalent(r, {leader: p.seen_from(name, r.alpha)})
    within = "" if r.margin is None else f"; the margin is {short(r.margin)}"
    return f"is not ruled out ({behind(r, {name: p})}{within})"


# --- other questions ---


class _Sides(NamedTuple):
    """Pairs with one system, by what was found of it, and the other systems of them."""

    better: dict[str, Pair]
    alike: dict[str, Pair]
    worse: dict[str, Pair]
    untested: dict[str, Pair]
    same: dict[str, Pair]


def _sides(pairs: Pairs) -> _Sides:
    sides = _Sides({}, {}, {}, {}, {})
    by_verdict = {"equivalent": sides.same, "better": sides.better, "worse": sides.worse}
    by_verdict |= {"higher": sides.better, "lower": sides.worse}  # if no direction is known
    for other, p in pairs.items():
        neither = sides.untested if isnan(p.p) else sides.alike
        by_verdict.get(p.verdict, neither)[other] = p
    return sides


def _against_control(r: Report, control: str) -> list[str]:
    """Write what was found of every other system and the control."""
    sides = _sides(r.against(control))
    bits: list[str] = []

    def add(words: str) -> None:
        bits.append(words if bits else _capital(words))  # a name stays as it is

    if set(r.pairs.columns["first"]) == {control}:  # it is the one in question
        said = _claims_of(r, sides)
        if said:
            bits.append(f"{shown_name(control)} {'; it '.join(said)}")
    else:
        said = []
        for found, better in ((sides.worse, True), (sides.better, False)):
            if found:
                verb = than(r, better, plural=len(found) > 1).removesuffix(" than")
                evidence = claimed(r, found, better=not better)
                said.append(f"{join_names(found)} {verb}{claim(r)} ({evidence})")
        if said:
            add(f"against the control {shown_name(control)}, {'; '.join(said)}")
    if sides.alike:
        add(_not_shown(r, control, sides.alike))
    if sides.same:
        bits.append(f"{shown_name(control)} {_equivalent(r, sides.same)}")
    if sides.untested:
        others = join_names(sides.untested)
        add(f"no test is possible between {shown_name(control)} and {others}")
    return [f"{'; '.join(bits)}.", *_against_margin(r, control)]


def _higher_and_lower(r: Report, leader: str, lead: str) -> list[str]:
    """Write how others lie to the highest, where nobody knows whether high ones are good."""
    sides = _sides(r.against(leader))
    claims = _claims_of(r, sides)
    if sides.same:
        claims.append(_equivalent(r, sides.same))
    said = [f"{lead}."]
    if claims:
        said.append(f"{shown_name(leader)} {'; it '.join(claims)}.")
    if sides.alike:
        said.append(f"{_capital(_not_shown(r, leader, sides.alike))}.")
    if sides.untested:
        others = join_names(sides.untested)
        said.append(f"No test is possible between {shown_name(leader)} and {others}.")
    return [*said, *_against_margin(r, leader)]


def _claims_of(r: Report, sides: _Sides) -> list[str]:
    """Write whom a system is better than, and whom it is worse than."""
    return [
        f"{than(r, better)} {join_names(found)}{claim(r)} ({claimed(r, found, better=better)})"
        for found, better in (
            (_with(sides, ("better", "higher")), True),
            (_with(sides, ("worse", "lower")), False),
        )
        if found
    ]


def _with(sides: _Sides, verdicts: tuple[str, ...]) -> dict[str, Pair]:
    return {other: p for found in sides for other, p in found.items() if p.verdict in verdicts}


def _not_shown(r: Report, name: str, found: Pairs) -> str:
    """Write from which systems one was not shown to differ, in the direction asked."""
    others = join_names(found)
    any_of = {1: "", 2: "either of "}.get(len(found), "any of ")
    of = f" for {shown_name(name)}"
    if r.alternative == "two-sided":
        return (
            f"no significant difference was found between {shown_name(name)} and {any_of}"
            f"{others} ({estimated(r, found, of=of)}; {_least(found)})"
        )
    up, one = r.alternative == "greater", len(found) == 1
    if name in r.pairs.columns["first"]:
        asked = f"{shown_name(name)} {than(r, up)} {any_of}{others}"
        evidence = estimated(r, found, of="" if one else of)
    else:
        asked = f"{others} {than(r, up, plural=not one)} {shown_name(name)}"
        if one:  # it is the one that the sentence speaks of
            ((other, p),) = found.items()
            found = {name: p.seen_from(other, r.alpha)}
        evidence = estimated(r, found, of="" if one else of)
    return f"it was not shown that {asked}{claim(r)} ({evidence}; {_least(found)})"


def _in_one_direction(r: Report, leader: str, lead: str) -> list[str]:
    """Write who leads, and of whom it was shown to be better than which others."""
    question = f"whether the first {than(r, r.alternative == 'greater')} the second{claim(r)}"
    wins = {
        name: {o: p for o, p in r.against(name).items() if p.better == name} for name in r.names
    }
    shown = {name: found for name, found in wins.items() if found}
    if shown:
        claims = [
            f"{shown_name(name)} {than(r, True)} {join_names(found)} "
            f"({claimed(r, found, better=True)})"
            for name, found in shown.items()
        ]
        n = sum(map(len, shown.values()))
        of = f"{n} of {_comparisons(len(r.pairs))}"
        answer = f"that was shown for {of}: {'; '.join(claims)}."
    else:
        tested = [p for p in r.pairs.columns["adjusted"] if not isnan(p)]
        answer = f"for none was that shown{f' ({at_least(tested)})' if tested else ''}."
    answer = f"Of every pair it was asked {question}; {answer}"
    if n_same := list(r.verdicts).count("equivalent"):
        answer += f" {n_same} of {_comparisons(len(r.pairs))} showed equivalence."
    return [f"{lead}.", answer, *_against_margin(r, leader)]


def _without_rejection(r: Report, leader: str, lead: str) -> list[str]:
    """Write who leads, that so few units cannot reject anything, and what a margin shows."""
    said = [
        f"{lead}, but no rejection is possible with {units(r.n_units, r.unit)} where systems "
        f"are compared in pairs: of {_comparisons(len(r.pairs))}, the smallest adjusted "
        f"p-value that the {r.test} can give is {r.smallest_pvalue:.3g}."
    ]
    if same := _sides(r.against(leader)).same:
        said.append(f"{shown_name(leader)} {_equivalent(r, same)}.")
    return [*said, *_against_margin(r, leader)]


# --- the margin ---


def _equivalent(r: Report, same: Pairs) -> str:
    """Write whom a system is equivalent to; differences that are real are called so."""
    groups: dict[str, dict[str, Pair]] = {}
    for other, p in same.items():
        way = ""
        if p.p < r.alpha:  # maybe in no common direction
            way = side(r, p.toward > 0) if p.toward else "real"
        groups.setdefault(way, {})[other] = p
    bits: list[str] = []
    for way, found in sorted(groups.items()):
        evidence = estimated(r, found, interval=False)
        if way:
            sizes = between_text([abs(p.estimate) for p in found.values()])
            size = "" if way == "real" else f": {way} by {sizes}"
            evidence = f"real but smaller{size}; {_most(found)}"
        margin = "" if bits else f" within the margin of {short(r.margin)}"
        what = "adjusted equivalence" if r.n_family > 1 else "equivalence"
        pvalue = at_most((p.equivalence_p for p in found.values()), what)
        bits.append(f"{join_names(found)}{margin} ({evidence}; {pvalue})")
    return f"is equivalent to {' and to '.join(bits)}"


def _against_margin(r: Report, name: str) -> list[str]:
    """Say of all pairs with a system that are not equivalent how they stand to the margin."""
    if r.margin is None:
        return []
    margin, me = f"the margin of {short(r.margin)}", shown_name(name)
    found = {o: p for o, p in r.against(name).items() if p.verdict != "equivalent"}
    more, unasked, unshown, unjudged = [], [], {}, []
    for other, p in found.items():
        if isnan(p.equivalence_p):
            unjudged.append(other)
        elif p.p < r.alpha and max(p.low, -p.high) > r.margin:
            more.append(other)
        elif (
            r.alternative != "two-sided"
            and not p.p < r.alpha
            and max(p.inner_low, -p.inner_high) > r.margin
        ):
            unasked.append(other)
        else:
            unshown[other] = p
    bits = []
    if more:
        kind = f"{interval_kind(r)} interval{'s' * (len(more) > 1)}"
        bits.append(f"{me} differs from {join_names(more)} by more than {margin} ({kind})")
    if unasked:
        bits.append(
            f"{me} differs from {join_names(unasked)} by more than {margin} in the direction "
            "that was not asked"
        )
    if unshown:
        within = f" within {margin}" if not bits else ""
        were = "was" if len(unshown) == 1 else "were"
        bits.append(f"{join_names(unshown)} {were} not shown to be equivalent to {me}{within}")
    bits += _not_worse(r, name, {o: p for o, p in unshown.items() if not p.p < r.alpha})
    if unjudged:
        which = f"cannot be judged between {me} and {join_names(unjudged)}"
        bits.append(f"the margin {which}" if bits else f"{_capital(margin)} {which}")
    return [f"{'; '.join(bits)}."] if bits else []


def _not_worse(r: Report, name: str, pairs: Pairs) -> list[str]:
    """Write who was shown not to be worse, of those neither different nor equivalent."""
    worse = f"at most the margin {good(r, up=False)} than"
    mine = {o: p.noninferior_p for o, p in pairs.items() if p.noninferior_p < r.alpha}
    theirs = {
        o: p.noninferior_p_second for o, p in pairs.items() if p.noninferior_p_second < r.alpha
    }
    bits = []
    if mine:
        pvalue = at_most(mine.values())
        bits.append(f"{shown_name(name)} is {worse} {join_names(mine)} ({pvalue})")
    if theirs:
        are = "is" if len(theirs) == 1 else "are"
        pvalue = at_most(theirs.values())
        bits.append(f"{join_names(theirs)} {are} {worse} {shown_name(name)} ({pvalue})")
    return bits


# --- all at once, and on which data sets ---


def _all_at_once(r: Report) -> list[str]:
    """Write what the test of all at once found; of one data set where pairs say otherwise."""
    found, k = r.omnibus, len(r.names)
    if found is None:
        return []
    where = ""
    if r.over_datasets:
        where = f" over {units(found['n_units'], r.unit)}"
        if found["n_units"] < r.n_units and r.missing:
            where = (
                f" over {found['n_units']} of {units(r.n_units, r.unit)}, those with two "
                "scores or more"
            )
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
    said = []
    if r.missing:
        said.append(
            "Scores are missing: every pair is compared on the data sets that both have scores "
            f"on, {r.missing} of {r.n_units}."
        )
    if r.left_out:
        what = "Missing"
        if not r.missing:
            what = "Only data sets with every score are compared; left out"
        said.append(f"{what}: {join_items(r.left_out, NAMED)}.")
    return said


def _least(found: Pairs) -> str:
    return at_least(p.p for p in found.values())


def _most(found: Pairs) -> str:
    return at_most(p.p for p in found.values())


def _comparisons(n: int) -> str:
    return "1 comparison" if n == 1 else f"{n} comparisons"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
