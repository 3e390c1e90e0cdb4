"""Doubts that the headline of a report tells of."""

from collections.abc import Iterable

from skstat.report._doubts.catalogue import CATALOGUE
from skstat.report._doubts.kind import Doubt


def invalid_for(doubts: Iterable[Doubt]) -> str:
    """Return why a p-value is not valid, for the headline; empty if it is."""
    return _first(doubt for doubt in doubts if doubt.weight == "invalid")


def beside_equivalent(doubts: Iterable[Doubt]) -> str:
    """Return what takes its worth from an equivalence; empty if nothing does."""
    return _first(
        doubt
        for doubt in doubts
        if doubt.weight != "note"
        and doubt.code in CATALOGUE
        and CATALOGUE[doubt.code].beside_equivalent
    )


def _first(doubts: Iterable[Doubt]) -> str:
    return next((f"{doubt.title} ({doubt.code})" for doubt in doubts), "")
