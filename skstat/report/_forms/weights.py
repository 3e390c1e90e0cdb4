"""Doubts as the forms list them: the heaviest first."""

from collections.abc import Iterable, Sequence
from typing import Any

from skstat.report._doubts import WEIGHTS

ABOUT_ALL = "What is the same of all"

_Doubt = dict[str, Any]


def by_weight(doubts: Iterable[_Doubt]) -> dict[str, list[_Doubt]]:
    """Return the doubts of every weight, the heaviest weight first."""
    found: dict[str, list[_Doubt]] = {weight: [] for weight in WEIGHTS}
    for doubt in doubts:
        found[doubt["weight"]].append(doubt)
    return found


def notes_title(notes: Sequence[_Doubt]) -> str:
    """Say how many notes can be unfolded."""
    return f"{len(notes)} note{'s' * (len(notes) != 1)}"
