"""Doubts about the number of units."""

from skstat.report._doubts.case import Case
from skstat.report._doubts.kind import doubt


@doubt(
    "SKS299",
    "an odd number",
    weight="note",
    when="The number of units is odd.",
    action="score one unit more",
    advice="With an even number no unit is left over.",
)
def odd_number(case: Case) -> str | None:
    n = case.n_units
    return f"{n} is an odd number of units." if n % 2 else None
