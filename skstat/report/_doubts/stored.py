"""Doubts back from their plain values."""

from collections.abc import Iterable, Mapping
from typing import Any

from skstat.report._doubts.catalogue import CATALOGUE
from skstat.report._doubts.kind import Doubt


def doubts_from_dicts(states: Iterable[Mapping[str, Any]]) -> tuple[Doubt, ...]:
    """Rebuild doubts from their plain values.

    Reports that an earlier version wrote have neither weight nor action nor advice. They are
    those of the kind then, if there still is one of that code.
    """
    return tuple(_doubt(state) for state in states)


def _doubt(state: Mapping[str, Any]) -> Doubt:
    kind = CATALOGUE.get(state["code"])
    weight = "note" if kind is None else kind.weight
    action, advice = ("", "") if kind is None else (kind.action, kind.plain_advice)
    return Doubt(
        code=state["code"],
        title=state["title"],
        text=state["text"],
        weight=state.get("weight", weight),
        action=state.get("action", action),
        advice=state.get("advice", advice),
    )
