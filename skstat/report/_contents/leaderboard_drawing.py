"""The drawing of a leaderboard: the ranks that every system may have."""

import math
from typing import Any

from skstat._names import clip_all
from skstat.report._contents.drawing import Dot, Drawing, Label, Line, Shape
from skstat.report._contents.drawings import AXIS, LETTER, height_of, scale_of, y_of
from skstat.report._contents.tone import system_tones
from skstat.report._words import ranks_text

_MOST = 60  # systems
_LONGEST = 42  # letters of a name


def leaderboard_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw the ranks that every system may have as a line, and its rank as a dot."""
    ranking = report["ranking"]
    if len(ranking) > _MOST:
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
