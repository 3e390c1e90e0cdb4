"""Mean ranks as a small drawing: a row per system, a bar beside those not told apart."""

import math
from typing import Any

from skstat.display._names import clip
from skstat.report._escape import escape

_LONGEST = 28  # letters
_MOST = 25  # systems; a page of dots says less than the table of ranks
_LETTER, _AXIS, _LANE = 7, 230, 9  # widths in pixels
_ROW, _HEAD = 18, 24  # heights


def rank_svg(report: dict[str, Any]) -> str:
    """Draw the mean ranks of a table's dictionary, and its groups."""
    ranking = report["ranking"]
    ranks = [row["mean_rank"] for row in ranking]
    if len(ranks) > _MOST or any(rank is None for rank in ranks):
        return ""
    names = [clip(row["name"], _LONGEST) for row in ranking]
    left = _LETTER * max(11, *map(len, names)) + 6
    low, high = 1, len(ranks)
    if high > 10:
        low, high = math.floor(ranks[0]), max(math.ceil(ranks[-1]), math.floor(ranks[0]) + 1)

    def x(rank: float) -> float:
        return round(left + 12 + (rank - low) / (high - low) * (_AXIS - 24), 1)

    def y(row: int) -> float:
        return _HEAD + _ROW * (row + 0.5)

    lanes = _lanes(report["groups"], [row["name"] for row in ranking])
    right = left + _AXIS
    width = right + _LANE * (1 + max((lane for *_, lane in lanes), default=-1)) + 8
    height = _HEAD + _ROW * len(ranks) + 4
    step = math.ceil((high - low) / 10)
    numbers = "".join(
        f'<text x="{x(rank)}" y="13" text-anchor="middle">{rank}</text>'
        for rank in range(low, high + 1, step)
    )
    ticks = "".join(
        f'<line x1="{x(rank)}" y1="18" x2="{x(rank)}" y2="22"/>'
        for rank in range(low, high + 1, step)
    )
    labels = "".join(
        f'<text x="{left - 6}" y="{y(row) + 4}" text-anchor="end"{_weight(report, row)}>'
        f"{escape(name)}</text>"
        for row, name in enumerate(names)
    )
    guides = "".join(
        f'<line x1="{left}" y1="{y(row)}" x2="{right}" y2="{y(row)}"/>'
        for row in range(len(ranks))
    )
    dots = "".join(
        f'<circle cx="{x(rank)}" cy="{y(row)}" r="4"/>' for row, rank in enumerate(ranks)
    )
    bars = "".join(
        f'<line x1="{right + 6 + _LANE * lane}" y1="{y(first) - 5}" '
        f'x2="{right + 6 + _LANE * lane}" y2="{y(last) + 5}"/>'
        for first, last, lane in lanes
    )
    spoken = "; ".join(f"{name} {rank:.2f}" for name, rank in zip(names, ranks, strict=True))
    label = escape(f"mean ranks, 1 is best: {spoken}", quote=True)
    return (
        f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto" '
        f'stroke="currentColor" fill="currentColor">'
        f'<g stroke="none" font-size="12" font-family="system-ui, sans-serif">'
        f'<text x="{left - 6}" y="13" text-anchor="end" opacity="0.7">mean rank</text>'
        f"{numbers}{labels}</g>"
        f'<g stroke-opacity="0.15">{guides}</g><line x1="{left}" y1="22" x2="{right}" '
        f'y2="22"/>{ticks}<g stroke="none">{dots}</g>'
        f'<g stroke-width="3" stroke-linecap="round">{bars}</g></svg>'
    )


def best_svg(report: dict[str, Any]) -> str:
    """Draw how far every system may be from the best other one, against zero."""
    ranking = report["ranking"]
    ends = [(row.get("from_best_low"), row.get("from_best_high")) for row in ranking]
    known = [end for pair in ends for end in pair if end is not None]
    if len(ranking) > _MOST or not known or len(known) < 2 * len(ends):
        return ""
    names = [clip(row["name"], _LONGEST) for row in ranking]
    left = _LETTER * max(20, *map(len, names)) + 6
    low, high = min(0.0, *known), max(0.0, *known)
    reach = (high - low) or 1.0
    right, height = left + _AXIS, _HEAD + _ROW * len(ranking) + 4

    def x(value: float) -> float:
        return round(left + 12 + (value - low) / reach * (_AXIS - 24), 1)

    def y(row: int) -> float:
        return _HEAD + _ROW * (row + 0.5)

    labels = "".join(
        f'<text x="{left - 6}" y="{y(row) + 4}" text-anchor="end"{_weight(report, row)}>'
        f"{escape(name)}</text>"
        for row, name in enumerate(names)
    )
    bars = "".join(
        f'<line x1="{x(begin)}" y1="{y(row)}" x2="{x(end)}" y2="{y(row)}"/>'
        f'<line x1="{x(begin)}" y1="{y(row) - 4}" x2="{x(begin)}" y2="{y(row) + 4}"/>'
        f'<line x1="{x(end)}" y1="{y(row) - 4}" x2="{x(end)}" y2="{y(row) + 4}"/>'
        for row, (begin, end) in enumerate(ends)
        if begin is not None and end is not None
    )
    zero = x(0.0)
    spoken = "; ".join(
        f"{name} {begin:+.3g} to {end:+.3g}"
        for name, (begin, end) in zip(names, ends, strict=True)
    )
    label = escape(f"intervals of each score minus the best other: {spoken}", quote=True)
    return (
        f'<svg role="img" aria-label="{label}" width="{right + 8}" height="{height}" '
        f'viewBox="0 0 {right + 8} {height}" style="max-width:100%;height:auto" '
        f'stroke="currentColor" fill="currentColor">'
        f'<g stroke="none" font-size="12" font-family="system-ui, sans-serif">'
        f'<text x="{left - 6}" y="13" text-anchor="end" opacity="0.7">from the best other'
        f'</text><text x="{zero}" y="13" text-anchor="middle">0</text>{labels}</g>'
        f'<line x1="{zero}" y1="18" x2="{zero}" y2="{height}" stroke-dasharray="3 3"/>'
        f'<g stroke-width="2">{bars}</g></svg>'
    )


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


def _weight(report: dict[str, Any], row: int) -> str:
    is_control = report["ranking"][row]["name"] == report["control"]
    return ' font-weight="bold"' if is_control else ""
