"""Drawings of a report: intervals and mean ranks, with a row for each system."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from skstat._names import clip, clip_all
from skstat.report._contents.drawing import Area, Band, Dot, Drawing, Label, Line, Shape
from skstat.report._contents.interval import inner_interval, inner_words
from skstat.report._contents.tone import Tone, pair_tone, system_tones, tone_of
from skstat.report._words import decimals_for, fixed, short

_MOST = 25  # systems; a page of dots says less than the table
LETTER = 7  # width in pixels
AXIS, _LANE, _ROW, _HEAD = 250, 9, 18, 24  # of the systems of one report
_CURVE = 52  # pixels of a density above an interval
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)  # steps of an axis


def interval_drawing(part: dict[str, Any]) -> Drawing | None:
    """Draw the interval against zero and the margin; a side without a limit is an arrow."""
    low, high = part["interval"]
    estimate = part["estimate"]
    if low is None and high is None:
        return None
    margin, tone = part.get("margin"), tone_of(part["verdict"])
    law = part.get("law") if margin is None else None
    rope = part["probabilities"]["rope"] if law else None
    known = [value for value in (low, high, estimate, margin, rope) if value is not None]
    reach = 1.25 * max(abs(value) for value in known) or 1.0
    higher = _CURVE if law else 0
    width, top, y, axis = 420, 18, 38 + higher, 58 + higher
    x = scale_of(-reach, reach, 24, width - 48)
    left = 0 if low is None else x(low)
    right = width if high is None else x(high)
    size = fixed(estimate, decimals_for(known), sign=True)
    half = LETTER * len(size) / 2
    beside = min(max(x(estimate), half), width - half)
    is_clear = abs(beside - x(0.0)) > half + 3  # the estimate is not written over zero
    shapes: list[Shape] = [Line(x(0.0), top if is_clear else y - 6, x(0.0), axis, dash="3 3")]
    if margin is not None:
        shapes += _margin(x, margin, top, axis, width)
    if law:
        shapes += _law(part, law, x, (-reach, reach), (top + 6, y - 24))
        if rope:
            shapes += _margin(x, rope, top, axis, width, word="region")
    inner = inner_interval(part)
    if inner is not None:
        shapes += [
            Line(x(inner[0]), y, x(inner[1]), y, width=7, tone=tone),
            Label(width / 2, axis + 36, f"thick: {inner_words(part)}", "middle", size=10),
        ]
    shapes += [
        Line(left, y, right, y, width=3, tone=tone),
        *_end(left, y, 6, tone, is_open=low is None),
        *_end(right, y, -6, tone, is_open=high is None),
        Dot(x(estimate), y, tone=tone),
    ]
    worse, better = (clip(name, 20) for name in _verdict_sides(part))
    # In the order in which they are read out, or left where a page drops the drawing.
    shapes += [
        Label(0, 12, f"\N{LEFTWARDS ARROW} {worse} better"),
        *_axis(x, (-reach, reach), axis, most=5),
        Label(width, 12, f"{better} better \N{RIGHTWARDS ARROW}", "end"),
        Label(beside, y - 8, size, "middle", is_bold=True),
    ]
    says = f"interval of the difference against zero: {part['conclusion']}"
    return Drawing(width, axis + (22 if inner is None else 42), says, shapes)


def _law(
    part: dict[str, Any],
    law: Sequence[Sequence[float]],
    x: Callable[[float], float],
    ends: tuple[float, float],
    room: tuple[float, float],
) -> list[Shape]:
    """Draw what is probable: the density of the difference, cut at the ends of the region."""
    rope = part["probabilities"]["rope"]
    top, bottom = room
    seen = [(at, height) for at, height in law if ends[0] <= at <= ends[1]]
    tallest = max((height for _, height in seen), default=0.0)
    if not tallest:
        return []
    sides: list[Tone] = ["worse", "better"]
    if part["is_loss"] and part["scale"] == "score":
        sides.reverse()
    cuts = [(ends[0], -rope, sides[0]), (rope, ends[1], sides[1])]
    if rope:
        cuts.append((-rope, rope, "equivalent"))
    found: list[Shape] = []
    for low, high, tone in cuts:
        inside = [(at, height) for at, height in seen if low < at < high]
        corners = [(end, _between(seen, end)) for end in (low, high)]
        points = [corners[0], *inside, corners[1]]
        edge = [
            (x(at), round(bottom - (bottom - top) * height / tallest, 1))
            for at, height in points
        ]
        found.append(Area([(x(low), bottom), *edge, (x(high), bottom)], tone=tone))
    return found


def _between(law: Sequence[tuple[float, float]], at: float) -> float:
    """Height of a density between its points; 0 beyond them."""
    for (left, low), (right, high) in pairwise(law):
        if left <= at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return 0.0


def _margin(
    x: Callable[[float], float],
    margin: float,
    top: float,
    bottom: float,
    width: float,
    word: str = "margin",
) -> list[Shape]:
    """Draw the differences that do not matter as a band, and write how large they may be."""
    left, right = x(-margin), x(margin)
    text = f"{word} \N{PLUS-MINUS SIGN}{short(margin)}"
    is_beside = right + 3 + LETTER * len(text) < width
    return [
        Band(left, top, right - left, bottom - top),
        *(Line(end, top, end, bottom, width=0.7, dash="1 3") for end in (left, right)),
        Label(
            right + 3 if is_beside else right - 3,
            bottom - 4,
            text,
            "start" if is_beside else "end",
            size=10,
        ),
    ]


def _end(x: float, y: float, inwards: float, tone: Tone, *, is_open: bool) -> list[Shape]:
    """Draw an end of an interval: a limit as a bar, a side without one as an arrow."""
    size = abs(inwards)
    if is_open:
        ends = (y - size, y + size)
        return [Line(x, y, x + inwards, end, width=2, tone=tone) for end in ends]
    return [Line(x, y - size, x, y + size, width=2, tone=tone)]


def _axis(
    x: Callable[[float], float], ends: tuple[float, float], y: float, most: int
) -> list[Shape]:
    """Draw an axis with round values below it."""
    low, high = ends
    shapes: list[Shape] = [Line(x(low), y, x(high), y, opacity=0.6)]
    for value, text in round_ticks(low, high, most):
        shapes += [
            Line(x(value), y, x(value), y + 4, opacity=0.6),
            Label(x(value), y + 16, text, "middle", size=11),
        ]
    return shapes


def _verdict_sides(part: dict[str, Any]) -> tuple[str, str]:
    """Who is better on the left of 0, and on the right of it."""
    a, b = part["names"]
    return (a, b) if part["is_loss"] and part["scale"] == "score" else (b, a)


def rank_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw the mean ranks, and a bar beside those that do not differ significantly."""
    ranking = report["ranking"]
    ranks = [row["mean_rank"] for row in ranking]
    if len(ranks) > _MOST or any(rank is None for rank in ranks):
        return None
    names, tones = clip_all((row["name"] for row in ranking), 28), system_tones(report)
    left = LETTER * max(11, *map(len, names)) + 6
    low, high = 1, len(ranks)
    if high > 10:
        low, high = math.floor(ranks[0]), max(math.ceil(ranks[-1]), math.floor(ranks[0]) + 1)
    x = scale_of(low, high, left + 12, AXIS - 24)
    lanes = _lanes(report["groups"], [row["name"] for row in ranking])
    right = left + AXIS
    shapes: list[Shape] = [
        Label(left - 6, 13, "mean rank", "end", opacity=0.7),
        Line(left, 22, right, 22),
        *_names_of_rows(report, names, left),
    ]
    for rank in range(low, high + 1, math.ceil((high - low) / 10)):
        shapes += [Label(x(rank), 13, str(rank), "middle"), Line(x(rank), 18, x(rank), 22)]
    for row, rank in enumerate(ranks):
        tone = tones.get(ranking[row]["name"], "")
        shapes += [
            Line(left, y_of(row), right, y_of(row), opacity=0.15),
            Dot(x(rank), y_of(row), tone=tone),
        ]
    for first, last, lane in lanes:
        beside = right + 6 + _LANE * lane
        shapes.append(
            Line(beside, y_of(first) - 5, beside, y_of(last) + 5, width=3, is_round=True)
        )
    width = right + _LANE * (1 + max((lane for *_, lane in lanes), default=-1)) + 8
    values = "; ".join(f"{name} {rank:.2f}" for name, rank in zip(names, ranks, strict=True))
    return Drawing(width, height_of(ranks), f"mean ranks, 1 is best: {values}", shapes)


def systems_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw how far every system may be from the best other one; else the differences."""
    return best_drawing(report) or pairs_drawing(report)


def best_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw how far every system may be from the best other one, against zero."""
    ranking, tones = report["ranking"], system_tones(report)
    ends = [(row.get("from_best_low"), row.get("from_best_high")) for row in ranking]
    known = [end for pair in ends for end in pair if end is not None]
    if len(ranking) > _MOST or not known or len(known) < 2 * len(ends):
        return None
    rows = [
        _Row(row["name"], low, high, None, tones.get(row["name"], ""))
        for row, (low, high) in zip(ranking, ends, strict=True)
    ]
    says = "intervals of each score minus the best other"
    return _rows_drawing(rows, "from the best other", says, _toward(report, "better"))


def pairs_drawing(report: dict[str, Any]) -> Drawing | None:
    """Draw the differences in pairs against zero; with a control, those from it."""
    pairs, control = report["pairs"], report["control"]
    if len(pairs) > _MOST or all(pair["low"] is pair["high"] is None for pair in pairs):
        return None
    tones, rows = system_tones(report), []
    everyone = list(dict.fromkeys(pair[end] for pair in pairs for end in ("first", "second")))
    short = dict(zip(everyone, clip_all(everyone, 14), strict=True))
    for pair in pairs:
        ends = first, second = pair["first"], pair["second"]
        if control in ends:
            name = second if first == control else first
            tone = tones[name]
        else:
            name = f"{short[first]} \N{MINUS SIGN} {short[second]}"
            tone = pair_tone(pair)
        rows.append(_Row(name, pair["low"], pair["high"], pair["estimate"], tone))
    rows.sort(key=lambda row: -(row.estimate or 0.0))
    title, who = "difference", "first better"
    if control is not None:
        of_control = pairs[0]["first"] == control
        short_name = clip(control, 20)
        title = f"{short_name} minus" if of_control else f"minus {short_name}"
        who = f"{short_name} better" if of_control else "better"
    toward = _toward(report, who)
    return _rows_drawing(rows, title, f"intervals: {title}", toward, report["margin"])


def _toward(report: dict[str, Any], who: str) -> tuple[str, bool]:
    """Say on which side of zero somebody is better, and whether it is the right one."""
    is_right = not report["is_loss"]
    arrow = "\N{RIGHTWARDS ARROW}" if is_right else "\N{LEFTWARDS ARROW}"
    return (f"{who} {arrow}" if is_right else f"{arrow} {who}"), is_right


class _Row(NamedTuple):
    """An interval of one system, or of one pair; a side without a limit is None."""

    name: str
    low: float | None
    high: float | None
    estimate: float | None
    tone: Tone


def _rows_drawing(
    rows: Sequence[_Row],
    title: str,
    says: str,
    toward: tuple[str, bool],
    margin: float | None = None,
) -> Drawing:
    """Draw intervals below each other, against zero."""
    names = clip_all((row.name for row in rows), 31)
    known = [v for row in rows for v in row[1:4] if v is not None]
    reach = () if margin is None else (-margin, margin)
    low, high = min(0.0, *known, *reach), max(0.0, *known, *reach)
    room = (high - low) / 20 or 1.0
    ends = low - room, high + room
    left = LETTER * max(len(title), *map(len, names)) + 10
    right, (side, is_right) = left + AXIS, toward
    x = scale_of(*ends, left + 12, AXIS - 24)
    bottom = _HEAD + _ROW * len(rows) + 4
    shapes: list[Shape] = [
        Label(left - 6, 13, title, "end", size=11, opacity=0.7),
        Label(right if is_right else left, 13, side, "end" if is_right else "start", size=11),
        Line(x(0.0), _HEAD - 6, x(0.0), bottom, dash="3 3"),
    ]
    if margin is not None:
        width = x(margin) - x(-margin)
        shapes.append(Band(x(-margin), _HEAD - 6, width, bottom - _HEAD + 6))
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = y_of(place)
        begin = left if row.low is None else x(row.low)
        end = right if row.high is None else x(row.high)
        shapes.append(Label(left - 6, y + 4, name, "end"))
        if (row.low, row.high) != (None, None):
            shapes.append(Line(begin, y, end, y, width=3, tone=row.tone))
            shapes += _end(begin, y, 5, row.tone, is_open=row.low is None)
            shapes += _end(end, y, -5, row.tone, is_open=row.high is None)
        if row.estimate is not None:
            shapes.append(Dot(x(row.estimate), y, tone=row.tone))
    shapes += _axis(x, ends, bottom, most=4)
    values = "; ".join(f"{name} {_limits(row)}" for row, name in zip(rows, names, strict=True))
    return Drawing(right + 8, bottom + 22, f"{says}: {values}", shapes)


def _limits(row: _Row) -> str:
    low, high = ("no limit" if end is None else f"{end:+.3g}" for end in row[1:3])
    return f"{low} to {high}"


def scale_of(low: float, high: float, begin: float, length: float) -> Callable[[float], float]:
    """Return the place of a value on an axis, in pixels."""
    span = (high - low) or 1.0
    return lambda value: round(begin + (value - low) / span * length, 1)


def y_of(row: int) -> float:
    return _HEAD + _ROW * (row + 0.5)


def height_of(rows: Sequence[Any]) -> int:
    return _HEAD + _ROW * len(rows) + 4


def _names_of_rows(report: dict[str, Any], names: Sequence[str], left: int) -> list[Label]:
    """Write the names on the left of their rows, that of the control in bold."""
    return [
        Label(left - 6, y_of(row) + 4, name, "end", is_bold=known["name"] == report["control"])
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


def round_ticks(low: float, high: float, most: int = 6) -> list[tuple[float, str]]:
    """Choose round values on an axis, and write them.

    Parameters
    ----------
    low, high : float
        Ends of the axis.
    most : int, default=6
        How many values there is room for, two or more.

    Returns
    -------
    list of (float, str)
        Values from `low` to `high`, all as far from the next, with as many decimals as
        tell them from each other; zero is ``"0"``.

    Examples
    --------
    >>> round_ticks(-0.043, 0.043, most=5)
    [(-0.04, '−0.04'), (-0.02, '−0.02'), (0.0, '0'), (0.02, '0.02'), (0.04, '0.04')]
    >>> round_ticks(93.2, 97.9, most=3)
    [(94.0, '94'), (96.0, '96')]
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return []
    power = math.floor(math.log10((high - low) / most))
    for factor in (*_ROUND, 20.0):  # the last leaves few enough, whatever was rounded
        step = factor * 10.0**power
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < most:
            break
    decimals = max(0, -power + (factor == 2.5) - (factor >= 10))
    values = [round(number * step, decimals) for number in range(first, last + 1)]
    texts = [fixed(value, decimals) for value in values]
    if len(set(texts)) < len(texts):  # far from zero, where three digits are too few
        texts = [f"{value:.12g}".replace("-", "\N{MINUS SIGN}") for value in values]
    return [
        (value, "0" if value == 0 else text) for value, text in zip(values, texts, strict=True)
    ]
