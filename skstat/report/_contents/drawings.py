"""Drawings of a report: intervals and mean ranks, with a row for each system."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from skstat._names import clip
from skstat.report._contents.drawing import Dot, Drawing, Label, Line
from skstat.report._words import decimals_for, fixed, short

_MOST = 25  # systems; a page of dots says less than the table
_LETTER = 7  # width in pixels
_AXIS, _LANE, _ROW, _HEAD = 230, 9, 18, 24  # of the systems of one report


def interval_drawing(part: dict[str, Any]) -> Drawing | None:
    """Draw the interval against zero; an open side runs off the edge."""
    low, high = part["interval"]
    estimate = part["estimate"]
    if low is None and high is None:
        return None
    margin = part.get("margin")
    known = [value for value in (low, high, estimate, margin) if value is not None]
    reach = 1.25 * max(abs(value) for value in known) or 1.0
    width, y = 420, 15
    x = _scale(-reach, reach, 10, width - 20)
    left = 0 if low is None else x(low)
    right = width if high is None else x(high)
    shapes: list[Line | Dot | Label] = [
        Line(width / 2, 0, width / 2, 30, dash="3 3"),
        Line(left, y, right, y, width=2),
        *(Line(x(end), y - 5, x(end), y + 5) for end in (low, high) if end is not None),
    ]
    if margin is not None:
        shapes += [
            Line(x(end), 0, x(end), 30, width=0.7, dash="1 3") for end in (-margin, margin)
        ]
        shapes.append(Label(x(margin) + 3, 8, f"\N{PLUS-MINUS SIGN}{short(margin)}", size=9))
    worse, better = (clip(name, 20) for name in _verdict_sides(part))
    shapes += [
        Dot(x(estimate), y),
        Label(0, 43, f"\N{LEFTWARDS ARROW} {worse} better", size=11),
        Label(width / 2, 43, "0", "middle", size=11),
        Label(width, 43, f"{better} better \N{RIGHTWARDS ARROW}", "end", size=11),
    ]
    says = f"interval of the difference against zero: {part['conclusion']}"
    return Drawing(width, 46, says, shapes)


def _verdict_sides(part: dict[str, Any]) -> tuple[str, str]:
    """Who is better on the left of 0, and on the right of it."""
    a, b = part["names"]
    return (a, b) if part["is_loss"] and part["scale"] == "score" else (b, a)


def rank_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw the mean ranks, and a bar beside those that were not told apart."""
    ranking = report["ranking"]
    ranks = [row["mean_rank"] for row in ranking]
    if len(ranks) > _MOST or any(rank is None for rank in ranks):
        return None
    names = [clip(row["name"], 28) for row in ranking]
    left = _LETTER * max(11, *map(len, names)) + 6
    low, high = 1, len(ranks)
    if high > 10:
        low, high = math.floor(ranks[0]), max(math.ceil(ranks[-1]), math.floor(ranks[0]) + 1)
    x = _scale(low, high, left + 12, _AXIS - 24)
    lanes = _lanes(report["groups"], [row["name"] for row in ranking])
    right = left + _AXIS
    shapes: list[Line | Dot | Label] = [
        Label(left - 6, 13, "mean rank", "end", opacity=0.7),
        Line(left, 22, right, 22),
        *_names_of_rows(report, names, left),
    ]
    for rank in range(low, high + 1, math.ceil((high - low) / 10)):
        shapes += [Label(x(rank), 13, str(rank), "middle"), Line(x(rank), 18, x(rank), 22)]
    for row, rank in enumerate(ranks):
        shapes += [Line(left, _y(row), right, _y(row), opacity=0.15), Dot(x(rank), _y(row))]
    for first, last, lane in lanes:
        beside = right + 6 + _LANE * lane
        shapes.append(Line(beside, _y(first) - 5, beside, _y(last) + 5, width=3, is_round=True))
    width = right + _LANE * (1 + max((lane for *_, lane in lanes), default=-1)) + 8
    values = "; ".join(f"{name} {rank:.2f}" for name, rank in zip(names, ranks, strict=True))
    return Drawing(width, _height(ranks), f"mean ranks, 1 is best: {values}", shapes)


def best_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw how far every system may be from the best other one, against zero."""
    ranking = report["ranking"]
    ends = [(row.get("from_best_low"), row.get("from_best_high")) for row in ranking]
    known = [end for pair in ends for end in pair if end is not None]
    if len(ranking) > _MOST or not known or len(known) < 2 * len(ends):
        return None
    names = [clip(row["name"], 28) for row in ranking]
    left = _LETTER * max(20, *map(len, names)) + 6
    x = _scale(min(0.0, *known), max(0.0, *known), left + 12, _AXIS - 24)
    zero, height = x(0.0), _height(ranking)
    shapes: list[Line | Dot | Label] = [
        Label(left - 6, 13, "from the best other", "end", opacity=0.7),
        Label(zero, 13, "0", "middle"),
        Line(zero, 18, zero, height, dash="3 3"),
        *_names_of_rows(report, names, left),
    ]
    for row, pair in enumerate(ends):
        low, high = map(x, pair)
        shapes.append(Line(low, _y(row), high, _y(row), width=2))
        shapes += [Line(end, _y(row) - 4, end, _y(row) + 4, width=2) for end in (low, high)]
    values = "; ".join(
        f"{name} {low:+.3g} to {high:+.3g}"
        for name, (low, high) in zip(names, ends, strict=True)
    )
    says = f"intervals of each score minus the best other: {values}"
    return Drawing(left + _AXIS + 8, height, says, shapes)


def performance_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw estimates with intervals, with open circles for the scores in training."""
    rows = [row for row in report["rows"] if row["low"] is not None]
    if not rows or len(rows) > _MOST:
        return None
    keys = ("low", "high", "estimate", "training_score")
    values = [row[key] for row in rows for key in keys if row[key] is not None]
    least, most = min(values), max(values)
    axis, step = 300, 22
    names = [clip(row["name"], 24) for row in rows]
    left = _LETTER * max(map(len, names)) + 16
    height = step * len(rows) + 20
    x = _scale(least, most, left + 8, axis - 16)
    shapes: list[Line | Dot | Label] = []
    for number, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = step * (number + 0.5)
        shapes += [
            Line(x(row["low"]), y, x(row["high"]), y, width=2),
            Dot(x(row["estimate"]), y),
            Label(left - 8, y + 4, name, "end", size=11),
        ]
        if row["training_score"] is not None:
            shapes.append(Dot(x(row["training_score"]), y, is_filled=False))
    decimals = max(0, decimals_for([(most - least) or abs(most) or 1.0]) - 1)
    for place, end in ((left + 8, least), (left + axis - 8, most)):
        shapes.append(Label(place, height - 5, fixed(end, decimals), "middle", size=11))
    says = "intervals of the estimates; open circles: in training"
    return Drawing(left + axis + 24, height, says, shapes)


def _scale(low: float, high: float, begin: float, length: float) -> Callable[[float], float]:
    """Return the place of a value on an axis, in pixels."""
    span = (high - low) or 1.0
    return lambda value: round(begin + (value - low) / span * length, 1)


def _y(row: int) -> float:
    return _HEAD + _ROW * (row + 0.5)


def _height(rows: Sequence[Any]) -> int:
    return _HEAD + _ROW * len(rows) + 4


def _names_of_rows(report: dict[str, Any], names: Sequence[str], left: int) -> list[Label]:
    """Write the names on the left of their rows, that of the control in bold."""
    return [
        Label(left - 6, _y(row) + 4, name, "end", is_bold=known["name"] == report["control"])
        for row, (name, known) in enumerate(zip(names, report["ranking"], strict=True))
    ]


def _lanes(groups: list[list[str]], names: list[str]) -> list[tuple[int, int, int]]:
    """Rows that each group begins and ends at, and a lane that is free there."""
    place = {name: row for row, name in enumerate(names)}
    ends: list[int] = []  # of the last bar in every lane
    found = []
    for group in groups:
        if len(group) < 2:
            continue
        first, last = place[group[0]], place[group[-1]]
        lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[lane : lane + 1] = [last]
        found.append((first, last, lane))
    return found
