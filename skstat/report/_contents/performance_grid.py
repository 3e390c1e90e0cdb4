"""The table of a report on performance, from its dictionary with losses as losses."""

from typing import Any

from skstat._names import shown_name
from skstat.report._contents.contents import Contents, Section
from skstat.report._contents.drawings import performance_drawing
from skstat.report._contents.grid import Grid
from skstat.report._contents.records import direction_of_values, doubt_codes, number
from skstat.report._contents.rows import lead_first
from skstat.report._words import decimals_of, design_line, fixed, more_of_design, percent, units


def performance_contents(state: dict[str, Any]) -> Contents:
    """Return what is shown of estimates of performance."""
    grid = _grid(state)
    metric, level = grid.header[1:3]
    paper = Grid(
        grid.title,
        ["", "Metric", "Estimate", level, "Training score"],
        [[row[0], metric, *row[1:4]] for row in grid.rows],
        n_names=2,
    )
    section = Section(
        title=state["metric"],
        drawing=performance_drawing(state),
        grids=[grid],
        rows=_rows(state),
        about=_about(state),
        about_title="What was estimated, and how",
        paper=paper,
        records=_records(state),
    )
    return Contents(
        conclusion=state["conclusion"],
        sections=[section],
        sentences=lead_first(state["sentences"]),
        doubts=state["doubts"],
        subject=state["title"],
        metric=state["metric"],
    )


def _records(state: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the estimates as rows of plain numbers; that of a difference is named so."""
    numbers = ("estimate", "low", "high", "standard_error", "training_score", "gap")
    return [
        {
            "name": row["name"],
            "metric": state["metric"],
            "direction": direction_of_values(state),
            **{name: number(row[name]) for name in numbers},
            "confidence_level": state["confidence_level"],
            "n": state["n_units"],
            "unit": state["unit"],
            "method": row["method"],
            "estimand": row["estimand"],
            "doubts": doubt_codes(state["doubts"]),
        }
        for row in (*state["rows"], *filter(None, [state["difference"]]))
    ]


def _grid(state: dict[str, Any]) -> Grid:
    """Return the estimates, one row per estimator and one for the difference."""
    rows = state["rows"]
    decimals = decimals_of(rows)
    level = percent(state["confidence_level"])
    header = ["", state["metric"], f"{level} interval", "training score", "gap"]
    table = [_cells(row, shown_name(row["name"]), decimals) for row in rows]
    if state["difference"] is not None:
        a, b = map(shown_name, state["names"])
        name = f"{a} \N{MINUS SIGN} {b}"
        table.append(_cells(state["difference"], name, decimals, sign=True))
    note = (
        "Training score: the mean score on the rows that a model was fitted to (optimistic). "
        "Gap: by how much it is better."
    )
    title = f"Performance, {direction_of_values(state)} is better"
    return Grid(title, header, table, note=note)


def _cells(row: dict[str, Any], name: str, decimals: int, *, sign: bool = False) -> list[str]:
    low, high = row["low"], row["high"]
    limits = "none exists"
    if low is not None:
        limits = f"{fixed(low, decimals, sign=sign)} to {fixed(high, decimals, sign=sign)}"
    cells = [name, fixed(row["estimate"], decimals, sign=sign), limits]
    if row["training_score"] is None:
        return [*cells, "", ""]
    seen = fixed(row["training_score"], decimals)
    return [*cells, seen, fixed(row["gap"], decimals, sign=True)]


def _rows(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Return how it was estimated, for everybody."""
    methods = dict.fromkeys(row["method"] for row in state["rows"])
    rows = [("Method", "; ".join(methods)), ("Design", design_line(state["design"]))]
    return [(label, text) for label, text in rows if text]


def _about(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was estimated, and under which assumptions."""
    methods = [row["method"] for row in state["rows"]]
    difference = state["difference"]
    own = "" if difference is None or difference["method"] in methods else difference["method"]
    rows = [
        ("Of the difference", own),
        ("Why this method", state["reason"]),
        ("Estimand", state["estimand"]),
        ("Unit", units(state["n_units"], state["unit"])),
        ("Assumptions", "; ".join(state["assumptions"])),
        ("Not covered", "; ".join(state["ignored_variance"])),
        ("All of the design", more_of_design(state["design"])),
        ("Fits", str(state["n_fits"])),
    ]
    return [(label, text) for label, text in rows if text]
