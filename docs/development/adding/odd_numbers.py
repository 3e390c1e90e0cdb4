"""Doubts about the number of units."""

from collections.abc import Iterator

from skstat.report._doubts.facts import Facts
from skstat.report._doubts.kind import Found, Kind


@Kind("SKS299", "an odd number").rule("note", "score one unit more")
def odd_number(facts: Facts) -> Iterator[Found]:
    """The number of units is odd.

    With an even number no unit is left over.
    """
    if facts.outcome is not None and facts.n_units % 2:
        yield Found(f"{facts.n_units} is an odd number of units.")
