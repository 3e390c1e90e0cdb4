"""Which tables a report shows, for every renderer alike."""

from typing import Any

from skstat.report._grid import Grid
from skstat.report._performance_words import performance_about, performance_grid
from skstat.report._table_rows import about_rows, pairs_grid, ranking_grid


def grids_of(part: dict[str, Any], *, whole: bool = False) -> list[Grid]:
    """Return the tables of a report, to be shown one below the other.

    Unless they are wanted whole, what is too long for a screen is cut.
    """
    if part["kind"] == "performance":
        return [performance_grid(part)]
    if whole:
        return [ranking_grid(part, most=None), pairs_grid(part, most=None)]
    return [ranking_grid(part), pairs_grid(part)]


def about_of(part: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was asked, how, and under which assumptions."""
    return performance_about(part) if part["kind"] == "performance" else about_rows(part)
