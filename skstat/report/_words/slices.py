"""The conclusion of a comparison in slices: where the systems differ, and whether it varies."""

from collections.abc import Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import pvalue_text, short
from skstat.report._words.terms import join_items, join_names
from skstat.stats._outcomes import alpha_of

_TOLD = 3  # slices of which a sentence of its own is written

_DECIDED = frozenset({"better", "worse", "higher", "lower"})


def conclude_slices(state: dict[str, Any]) -> list[str]:
    """Write the sentences: all rows first, whether slices differ, and then the slices.

    Parameters
    ----------
    state : dict
        The plain values of the report.
    """
    return [
        f"Over all rows: {state['overall']['conclusion']}",
        *variation(state),
        *_lead(state),
        *_told(state),
        *_margin(state),
        *_left_out(state),
    ]


def _of_verdict(state: dict[str, Any], verdict: str) -> list[str]:
    """Return slices of a verdict that say more than all rows do, or than other slices.

    Where the difference was not found to vary, those that are as all rows say nothing more.
    """
    # "higher" and "lower" where nobody knows which is good.
    alike = (verdict, {"better": "higher", "worse": "lower"}.get(verdict))
    if state["overall"]["verdict"] in alike and _varies(state) is False:
        return []
    each = zip(state["slices"], state["verdicts"], strict=True)
    explained = state["explained_by"]
    return [name for name, found in each if found in alike and name not in explained]


def _varies(state: dict[str, Any]) -> bool | None:
    """Whether the difference varies significantly between slices; None if nobody can tell."""
    if state["between"] is None:
        return None
    pvalue = state["adjusted_between"]
    pvalue = state["between"]["pvalue"] if pvalue is None else pvalue
    return bool(pvalue < alpha_of(state["confidence_level"]))


def _lead(state: dict[str, Any]) -> list[str]:
    a, b = map(shown_name, state["names"])
    n = len(state["slices"])
    bits = [
        f"significantly {verdict} than {b} in {len(names)} of {n} slices ({join_names(names)})"
        for verdict in ("worse", "better")
        if (names := _of_verdict(state, verdict))
    ]
    if bits:
        return [f"{a} is {' and '.join(bits)}.", *_explained(state)]
    if n == 1:
        return [f"One slice was compared, {shown_name(state['slices'][0])}."]
    if len(same := _of_verdict(state, "equivalent")) == n:
        return [f"{a} and {b} are equivalent in each of the {n} slices."]
    also = f" In {len(same)} they are equivalent." if same else ""
    if _DECIDED.intersection(state["verdicts"]):  # as over all rows
        return [also.strip()] if also else []
    return [f"In none of the {n} slices was a significant difference found.{also}"]


def _explained(state: dict[str, Any]) -> list[str]:
    """Write which slices differ through the rows that they share with others."""
    explained = state["explained_by"]
    if not explained:
        return []
    by = dict.fromkeys(name for each in explained.values() for name in each)
    return [
        f"Without the rows of {join_names(by)} no significant difference was found in "
        f"{join_items([*map(shown_name, explained)], 5)}."
    ]


def _told(state: dict[str, Any]) -> list[str]:
    """Write what was found in slices that differ; of none, and no margin, in the surest."""
    parts = dict(zip(state["slices"], state["reports"], strict=True))
    decided = [*_of_verdict(state, "worse"), *_of_verdict(state, "better")]
    told = sorted(decided, key=lambda name: _pvalue(parts[name]))[:_TOLD]
    if not told and state["margin"] is None and _varies(state) is not False:
        told = [min(parts, key=lambda name: _pvalue(parts[name]))]
    return [f"In {shown_name(name)}: {parts[name]['conclusion']}" for name in told]


def _pvalue(part: dict[str, Any]) -> float:
    pvalue = part["pvalue"] if part["adjusted_pvalue"] is None else part["adjusted_pvalue"]
    return 2.0 if pvalue is None else float(pvalue)


def variation(state: dict[str, Any]) -> list[str]:
    """Say whether the difference of two systems varies between slices, if that is known."""
    between, varies = state["between"], _varies(state)
    if varies is None:
        return []
    q = f"Cochran's {between['statistic_name']} = {short(between['statistic'])}"
    adjusted = state["adjusted_between"]
    pvalue = between["pvalue"] if adjusted is None else adjusted
    numbers = f"{q}, {'' if adjusted is None else 'adjusted '}{pvalue_text(pvalue)}"
    if varies:
        return [f"The difference varies significantly between slices ({numbers})."]
    return [f"No significant variation of the difference between slices was found ({numbers})."]


def _margin(state: dict[str, Any]) -> list[str]:
    """Write whether the first system is shown not to be worse by the margin in any slice."""
    pvalue = state["noninferior_pvalue"]
    if state["margin"] is None:
        return []
    a, b = map(shown_name, state["names"])
    claim = f"{a} is not worse than {b} by {short(state['margin'])} in any slice"
    alpha = alpha_of(state["confidence_level"])
    if pvalue is not None and pvalue < alpha:
        adjusted = "" if state["adjusted_noninferior"] is None else "adjusted "
        largest = f"largest one-sided {adjusted}{pvalue_text(pvalue)}"
        return [f"It was shown that {claim} ({largest})."]
    each = zip(state["slices"], state["reports"], strict=True)
    open_ = [name for name, part in each if not _not_worse(part, alpha)]
    where = [f"in {join_names(open_)}"] if open_ else []
    if left := [*map(shown_name, state["left_out"])]:
        which = f"which {'was' if len(left) == 1 else 'were'} not compared"
        where.append(f"in {join_items(left, 5)}, {which}")
    return [f"It was not shown that {claim}: it is open {', and '.join(where)}."]


def _not_worse(part: dict[str, Any], alpha: float) -> bool:
    lower = part["equivalence"]["lower_pvalue"]
    return lower is not None and lower < alpha


def conclude_slices_of_systems(state: dict[str, Any]) -> list[str]:
    """Write what was found of several systems: all rows, whether slices differ, the slices.

    Parameters
    ----------
    state : dict
        The plain values of the report.
    """
    return [
        f"Over all rows: {state['overall']['conclusion']}",
        *variation_of_pairs(state),
        *_lead_of_pairs(state),
        *_best(state),
        *_margin_of_pairs(state),
        *_left_out_of_pairs(state),
    ]


def _lead_of_pairs(state: dict[str, Any]) -> list[str]:
    n, k = len(state["n_rows"]), len(state["names"])
    bits = []
    verdicts = [verdict for part in state["reports"] for verdict in part["verdicts"]]
    n_found = sum(verdict in _DECIDED for verdict in verdicts)
    for part in state["reports"]:
        a, b = map(shown_name, part["names"])
        for verdict, better, worse in (("better", a, b), ("worse", b, a)):
            if names := _of_verdict(part, verdict):
                says = f"{better} is better than {worse} in {join_names(names)}"
                bits.append((len(names), says))
    if not bits:
        if n_found:  # as over all rows
            return []
        return [
            f"In none of the {n} slices was a significant difference between any two of the "
            f"{k} systems found."
        ]
    told = [bit for _, bit in sorted(bits, key=lambda one: -one[0])[:_TOLD]]
    left = len(bits) - len(told)
    more = f"; and {left} more pair{'s' * (left > 1)}" if left else ""
    of = f"{n_found} of {state['n_comparisons']} comparisons, of pairs in slices,"
    are = "is" if n_found == 1 else "are"
    return [f"{of} {are} significant: {'; '.join(told)}{more}."]


def _best(state: dict[str, Any]) -> list[str]:
    """Write which systems may be the best everywhere, and where one alone may be."""
    if not state["may_be_best"]:
        return []
    everywhere, k = state["may_be_best_everywhere"], len(state["names"])
    if len(everywhere) == k:
        return ["Each system may be the best in every slice."]
    found = ["No system may be the best in every slice."]
    if everywhere:
        alone = " alone" * (len(everywhere) == 1)
        found = [f"{join_names(everywhere)}{alone} may be the best in every slice."]
    alone_in: dict[str, list[str]] = {}
    for name, best in state["may_be_best"].items():
        if len(best) == 1 and list(best) != list(everywhere):
            alone_in.setdefault(best[0], []).append(name)
    bits = [f"{shown_name(one)} in {join_names(names)}" for one, names in alone_in.items()]
    if bits:
        found.append(f"One alone may be the best: {join_items(bits, _TOLD)}.")
    return found


def variation_of_pairs(state: dict[str, Any]) -> list[str]:
    """Say of which pairs the difference varies between slices, if that is known."""
    parts = [part for part in state["reports"] if part["adjusted_between"] is not None]
    if not parts:
        return []
    alpha = alpha_of(state["confidence_level"])
    least = min(float(part["adjusted_between"]) for part in parts)
    varying = [part for part in parts if part["adjusted_between"] < alpha]
    if not varying:
        return [
            "No significant variation of differences between slices was found (Cochran's Q, "
            f"smallest adjusted {pvalue_text(least)})."
        ]
    pairs = [" and ".join(map(shown_name, part["names"])) for part in varying]
    return [
        f"Between slices the difference varies significantly for {join_items(pairs, _TOLD)} "
        f"(Cochran's Q, smallest adjusted {pvalue_text(least)})."
    ]


def _margin_of_pairs(state: dict[str, Any]) -> list[str]:
    """Write of which pairs it is shown that the first is not worse anywhere."""
    if state["margin"] is None:
        return []
    alpha, margin = alpha_of(state["confidence_level"]), short(state["margin"])
    shown = [
        " than ".join(map(shown_name, part["names"]))
        for part in state["reports"]
        if part["noninferior_pvalue"] is not None and part["noninferior_pvalue"] < alpha
    ]
    if not shown:
        claim = f"the first is not worse by {margin} in any slice"
        return [f"Of no pair was it shown that {claim}."]
    return [f"Shown not to be worse by {margin} in any slice: {join_items(shown, _TOLD)}."]


def _left_out_of_pairs(state: dict[str, Any]) -> list[str]:
    left: dict[str, str] = {}
    for part in state["reports"]:
        left |= {name: why for name, why in part["left_out"].items() if name not in left}
    everywhere = {name: why for name, why in left.items() if name not in state["n_rows"]}
    return _left_out({"left_out": everywhere})


def _left_out(state: dict[str, Any]) -> list[str]:
    left: Sequence[tuple[str, str]] = list(state["left_out"].items())
    if not left:
        return []
    reasons = join_items([f"{shown_name(name)} ({why})" for name, why in left], 5)
    return [f"Not compared: {reasons}."]
