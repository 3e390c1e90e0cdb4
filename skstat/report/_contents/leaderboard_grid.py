"""A leaderboard: scores, the ranks that are certain, drawn too, and how they move."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from skstat._names import clip_all, one_line, shown_name
from skstat.report._contents.contents import Contents
from skstat.report._contents.drawing import Dot, Drawing, Label, Line, Shape
from skstat.report._contents.drawings import AXIS, LETTER, height_of, scale_of, y_of
from skstat.report._contents.grid import Grid
from skstat.report._contents.losses_as_losses import metric_of
from skstat.report._contents.records import direction_of_values, doubt_codes, number
from skstat.report._contents.strengths_grid import best_columns, best_note
from skstat.report._contents.systems_grids import systems_contents
from skstat.report._contents.tone import system_tones
from skstat.report._contents.when_read import WhenRead
from skstat.report._words import (
    decimals_for,
    direction_text,
    fixed,
    percent,
    ranks_text,
    share_text,
)
from skstat.stats._outcomes import unit_word

_Report = dict[str, Any]
_Columns = list[tuple[str, list[str]]]

_FEW = 12  # systems, which are all shown at first sight
_TOP = 8  # of more systems
_MOST_ROWS = 200  # of a screen
_MOST_DRAWN = 60  # systems
_LONGEST = 42  # letters of a name that is drawn


def leaderboard_contents(report: _Report) -> Contents:
    """Return what is shown of a leaderboard."""
    found = systems_contents(report)
    (plain,) = found.sections

    def short() -> list[Grid]:
        known = plain.short_grids
        own = [leaderboard_grid(report), *stability_grids(report)]
        return [*map(_shortened, own), *known[1:]] if known else []

    def whole() -> list[Grid]:
        return [leaderboard_grid(report), *stability_grids(report), *plain.grids[1:]]

    section = replace(
        plain,
        drawing=_drawing(report),
        grids=WhenRead(whole),
        short_grids=WhenRead(short),
        first_grids=[brief_leaderboard(report)],
        comparisons=(),
        paper=paper_leaderboard(report),
        records=WhenRead(lambda: _records(report)),
    )
    return replace(found, sections=[section])


def leaderboard_grid(report: _Report) -> Grid:
    """Return scores, ranks and groups of every system, the best first."""
    columns, notes = _columns(report)
    letters = ("group", [row["letters"] for row in report["ranking"]])
    notes = [*notes, "Systems that share a letter do not differ significantly."]
    return _grid(report, [*columns, letters], notes)


def stability_grids(report: _Report) -> list[Grid]:
    """Return how the ranks move in resamples, and without one part; nothing if not asked."""
    found, ranking = report["rank_stability"], report["ranking"]
    if found is None:
        return []
    unit, level = unit_word(found["unit"]), percent(report["confidence_level"])
    columns: _Columns = [
        ("", [shown_name(row["name"]) for row in ranking]),
        ("rank", [str(row["rank"]) for row in ranking]),
        ("first in", [_share(row["first_share"]) for row in ranking]),
        (f"middle {level}", [_ranks(row, "resampled") for row in ranking]),
    ]
    part = report["part_word"]
    if found["parts"]:
        columns.append((f"without one {part}", [_ranks(row, "without_one") for row in ranking]))
    return [
        Grid(
            f"Ranks in {found['n_resamples']} resamples of the {unit}s",
            [title for title, _ in columns],
            [list(row) for row in zip(*(cells for _, cells in columns), strict=True)],
            note="They say how firmly these scores fix the order. A share of resamples is not "
            "the chance to be the best.",
            is_detail=True,
        )
    ]


def brief_leaderboard(report: _Report) -> Grid:
    """Return the top of the table."""
    columns, notes = _columns(report)
    letters = ("group", [row["letters"] for row in report["ranking"]])
    grid = _grid(report, [*columns, letters], notes)
    n = len(grid.rows)
    if n <= _FEW:
        return grid
    note = f"{n - _TOP} more in print(report.details). {grid.note}"
    return grid._replace(rows=grid.rows[:_TOP], note=note)


def paper_leaderboard(report: _Report) -> Grid:
    """Return the table of a paper."""
    columns, notes = _columns(report)
    letters = ("Group", [row["letters"] for row in report["ranking"]])
    return _grid(report, [*columns, letters], notes)


def _grid(report: _Report, columns: _Columns, notes: Iterable[str]) -> Grid:
    return Grid(
        f"Ranking by {one_line(report['metric'])}, {direction_text(report)}",
        [title for title, _ in columns],
        [list(row) for row in zip(*(cells for _, cells in columns), strict=True)],
        words=len(columns) - 1,
        note=" ".join(notes),
    )


def _shortened(grid: Grid) -> Grid:
    left = len(grid.rows) - _MOST_ROWS
    if left <= 0:
        return grid
    note = f"{left} more in to_frame(). {grid.note}"
    return grid._replace(rows=grid.rows[:_MOST_ROWS], note=note)


def _columns(report: _Report) -> tuple[_Columns, list[str]]:
    """Return scores and ranks, and what is to be said of them."""
    ranking, level = report["ranking"], percent(report["confidence_level"])
    decimals = max(3, decimals_for(row["mean"] for row in ranking))
    columns: _Columns = [
        ("", [shown_name(row["name"]) for row in ranking]),
        (_score_title(report), [fixed(row["mean"], decimals) for row in ranking]),
    ]
    notes = []
    if "score_low" in ranking[0]:
        columns.append((f"{level} interval", [_interval(row, decimals) for row in ranking]))
        notes.append("Intervals: of each score by itself.")
    columns += [
        ("rank", [str(row["rank"]) for row in ranking]),
        ("may rank", [_ranks(row, "rank") for row in ranking]),
    ]
    notes.append(f"May rank: {level} confidence in all of them together.")
    columns += best_columns(report)
    return columns, [*notes, *best_note(report)]


def _score_title(report: _Report) -> str:
    return metric_of(report).word


def _interval(row: _Report, decimals: int) -> str:
    return f"{fixed(row['score_low'], decimals)} to {fixed(row['score_high'], decimals)}"


def _share(share: float) -> str:
    """Write a share of resamples in little room."""
    text = share_text(share)
    return text.replace("less than ", "< ").replace("more than ", "> ")


def _ranks(row: _Report, key: str) -> str:
    return ranks_text((row[f"{key}_low"], row[f"{key}_high"]))


def _records(report: _Report) -> list[_Report]:
    """Return the systems as rows of plain numbers."""
    codes = doubt_codes(report["doubts"])
    return [
        {
            "name": row["name"],
            "metric": report["metric"],
            "direction": direction_of_values(report),
            "estimate": number(row["mean"]),
            "low": number(row.get("score_low")),
            "high": number(row.get("score_high")),
            "confidence_level": report["confidence_level"],
            "rank": row["rank"],
            "rank_low": row["rank_low"],
            "rank_high": row["rank_high"],
            "group": row["letters"],
            "may_be_best": row["may_be_best"],
            "best_pvalue": number(row["best_pvalue"]),
            "first_share": number(row.get("first_share")),
            "resampled_low": number(row.get("resampled_low")),
            "resampled_high": number(row.get("resampled_high")),
            "without_one_low": number(row.get("without_one_low")),
            "without_one_high": number(row.get("without_one_high")),
            "n": report["n_units"],
            "unit": report["unit"],
            "doubts": codes,
        }
        for row in report["ranking"]
    ]


def _drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw the ranks that every system may have as a line, and its rank as a dot."""
    ranking = report["ranking"]
    if len(ranking) > _MOST_DRAWN:
        return None
    names = clip_all((row["name"] for row in ranking), _LONGEST)
    tones = system_tones(report)
    left = LETTER * max(11, *map(len, names)) + 10
    right, k = left + AXIS, len(ranking)
    x = scale_of(1, k, left + 12, AXIS - 24)
    shapes: list[Shape] = [
        Label(left - 6, 13, "rank", "end", opacity=0.7),
        Line(left, 22, right, 22),
    ]
    for rank in range(1, k + 1, math.ceil(k / 10)):
        shapes += [Label(x(rank), 13, str(rank), "middle"), Line(x(rank), 18, x(rank), 22)]
    for place, (row, name) in enumerate(zip(ranking, names, strict=True)):
        y, tone = y_of(place), tones.get(row["name"], "")
        low, high = x(row["rank_low"]), x(row["rank_high"])
        shapes += [
            Label(left - 6, y + 4, name, "end"),
            Line(left, y, right, y, opacity=0.15),
            Line(low, y, high, y, width=3, is_round=True, tone=tone),
            Dot(x(row["rank"]), y, tone=tone),
        ]
    says = "; ".join(
        f"{name} {ranks_text((row['rank_low'], row['rank_high']))}"
        for name, row in zip(names, ranking, strict=True)
    )
    return Drawing(right + 8, height_of(ranking), f"ranks that are possible: {says}", shapes)
