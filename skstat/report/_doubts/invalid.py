"""Whether a doubt says that a p-value does not mean what it says."""

from collections.abc import Iterable

from skstat.report._doubts.kind import Doubt


def invalid_for(doubts: Iterable[Doubt]) -> str:
    """Return why a p-value is not valid, for the headline; empty if it is."""
    found = [doubt for doubt in doubts if doubt.weight == "invalid"]
    return f"{found[0].title} ({found[0].code})" if found else ""
