"""The conclusion of a comparison in slices: where the systems differ, and whether it varies."""

from collections.abc import Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import pvalue_text, short
from skstat.report._words.terms import join_items, join_names
from skstat.stats._outcomes import alpha_of

_TOLD = 3  # slices of which a sentence of its own is written


def conclude_slices(state: dict[str, Any]) -> list[str]:
    """Write the sentences.

    Parameters
    ----------
    state : dict
        The plain values of the report.
    """
    found = [_lead(state), *_told(state), *_between(state), *_margin(state)]
    return [*found, f"Over all rows: {state['overall']['conclusion']}", *_left_out(state)]


def _of_verdict(state: dict[str, Any], verdict: str) -> list[str]:
    each = zip(state["slices"], state["verdicts"], strict=True)
    return [name for name, found in each if found == verdict]


def _lead(state: dict[str, Any]) -> str:
    a, b = map(shown_name, state["names"])
    n = len(state["slices"])
    bits = [
        f"significantly {verdict} than {b} in {len(names)} of {n} slices ({join_names(names)})"
        for verdict in ("worse", "better")
        if (names := _of_verdict(state, verdict))
    ]
    if bits:
        return f"{a} is {' and '.join(bits)}."
    if n == 1:
        return f"One slice was compared, {shown_name(state['slices'][0])}."
    if len(same := _of_verdict(state, "equivalent")) == n:
        return f"{a} and {b} are equivalent in each of the {n} slices."
    also = f" In {len(same)} they are equivalent." if same else ""
    return f"In none of the {n} slices was a significant difference found.{also}"


def _told(state: dict[str, Any]) -> list[str]:
    """Write what was found in slices that differ; of none, and no margin, in the surest."""
    parts = dict(zip(state["slices"], state["reports"], strict=True))
    decided = [*_of_verdict(state, "worse"), *_of_verdict(state, "better")]
    told = sorted(decided, key=lambda name: _pvalue(parts[name]))[:_TOLD]
    if not told and state["margin"] is None:
        told = [min(parts, key=lambda name: _pvalue(parts[name]))]
    return [f"In {shown_name(name)}: {parts[name]['conclusion']}" for name in told]


def _pvalue(part: dict[str, Any]) -> float:
    pvalue = part["pvalue"] if part["adjusted_pvalue"] is None else part["adjusted_pvalue"]
    return 2.0 if pvalue is None else float(pvalue)


def _between(state: dict[str, Any]) -> list[str]:
    between = state["between"]
    if between is None:
        return []
    q = f"Cochran's {between['statistic_name']} = {short(between['statistic'])}"
    numbers = f"{q}, {pvalue_text(between['pvalue'])}"
    if between["pvalue"] < alpha_of(state["confidence_level"]):
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
        return [f"It was shown that {claim} (largest one-sided {pvalue_text(pvalue)})."]
    each = zip(state["slices"], state["reports"], strict=True)
    open_ = [name for name, part in each if not _not_worse(part, alpha)]
    return [f"It was not shown that {claim}: it is open in {join_names(open_)}."]


def _not_worse(part: dict[str, Any], alpha: float) -> bool:
    lower = part["equivalence"]["lower_pvalue"]
    return lower is not None and lower < alpha


def _left_out(state: dict[str, Any]) -> list[str]:
    left: Sequence[tuple[str, str]] = list(state["left_out"].items())
    if not left:
        return []
    reasons = join_items([f"{shown_name(name)} ({why})" for name, why in left], 5)
    return [f"Not compared: {reasons}."]
