"""What differs between what was told and what is told, and by how much it may.

Numbers agree to nine digits. What was drawn may differ by four Monte Carlo errors of the
difference of two runs. Words agree exactly, but for numbers in them, which may differ by one in
their last digit, and for the lengths of lines that are drawn.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

RELATIVE = 1e-9
_TINY = 1e-13  # differences of numbers of the size of scores that are rounded away
_ERRORS = 4 * math.sqrt(2)
_NUMBER = re.compile(r"[−+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
_DRAWN_LINE = re.compile(r"[─·╌━═]+")


@dataclass(frozen=True)
class Difference:
    """One field that differs; `excused` if it is drawn and within its error."""

    field: str
    before: Any
    now: Any
    excused: bool = False


def differences(
    before: Any, now: Any, field: str = "", draws: int = 0, width: float = 0.0
) -> Iterator[Difference]:
    """Yield what differs, field by field.

    Parameters
    ----------
    before, now : object
        What was told and what is told, as plain data.
    field : str
        Where it stands.
    draws : int
        How many draws these numbers rest on; 0 if nothing was drawn.
    width : float
        Length of the interval that limits belong to.
    """
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        draws = before.get("draws") or draws
        for key in [*before, *(key for key in now if key not in before)]:
            place = f"{field}.{key}" if field else str(key)
            if key not in before or key not in now:
                yield Difference(place, before.get(key, "(nothing)"), now.get(key, "(nothing)"))
            else:
                width = _width(before, str(key)) or width
                yield from differences(before[key], now[key], place, draws, width)
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield Difference(f"length of {field}", len(before), len(now))
        for place, (one, other) in enumerate(zip(before, now, strict=False)):
            yield from differences(one, other, f"{field}[{_name(one, place)}]", draws, width)
    elif isinstance(before, str) and isinstance(now, str):
        if before != now:
            yield from _of_words(before, now, field, draws)
    elif _is_number(before) and _is_number(now):
        if not math.isclose(before, now, rel_tol=RELATIVE, abs_tol=_least(field)):
            yield Difference(field, before, now, _within(before, now, field, draws, width))
    elif before != now:
        yield Difference(field, before, now)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _name(row: Any, place: int) -> str:
    """Name a row of a table by what it is about."""
    if isinstance(row, Mapping):
        said = [str(row[key]) for key in ("name", "first", "second") if key in row]
        return " ".join(said) or str(place)
    return str(place)


def _width(row: Mapping[str, Any], key: str) -> float:
    """Return the length of the interval that a limit, by its name, is an end of."""
    both = [re.sub("(low|high)$", end, key) for end in ("low", "high")]
    low, high = (row.get(end) for end in both)
    return abs(high - low) if key in both and _is_number(low) and _is_number(high) else 0.0


def _is_chance(field: str) -> bool:
    last = _last(field)
    return last in ("p", "pvalue") or last.endswith(("_p", "_pvalue")) or "probability" in last


def _last(field: str) -> str:
    """Return the last part of a field, or of a name that a tracker is given."""
    return re.sub(r"\[[^]]*\]$", "", re.split(r"[./]", field)[-1])


def _least(field: str) -> float:
    return 1e-300 if _is_chance(field) else _TINY


def _within(before: float, now: float, field: str, draws: int, width: float) -> bool:
    """Whether numbers of two runs of as many draws may differ so much."""
    if not draws:
        return False
    difference = abs(before - now)
    if _is_chance(field):
        middle = min(max((before + now) / 2, 1 / draws), 1 - 1 / draws)
        return difference <= _ERRORS * math.sqrt(middle * (1 - middle) / draws) + 2 / draws
    last = _last(field)
    if last.endswith(("low", "high")):  # the error of a quantile in the tails, of its width
        return difference <= _ERRORS * 1.4 / math.sqrt(draws) * (width or abs(before))
    if last == "standard_error":
        return difference <= _ERRORS / math.sqrt(2 * draws) * abs(before)
    return False


def _of_words(before: str, now: str, field: str, draws: int) -> Iterator[Difference]:
    old, new = _lines(before), _lines(now)
    if _same("\n".join(old), "\n".join(new), 0):
        return
    if _same(_in_a_row(old, draws), _in_a_row(new, draws), draws):
        yield Difference(field, before, now, excused=bool(draws))
        return
    kept = set(old) & set(new)
    only_old = [line for line in old if line not in kept]
    only_new = [line for line in new if line not in kept]
    yield Difference(field, "\n".join(only_old) or before, "\n".join(only_new) or now)


def _lines(text: str) -> list[str]:
    drawn = (_DRAWN_LINE.sub("", line) for line in text.splitlines())
    return [re.sub(" +", " ", line).rstrip() for line in drawn]


def _in_a_row(lines: list[str], draws: int) -> str:
    """Return words as one line; of what is drawn without the signs of small p-values."""
    text = " ".join(" ".join(lines).split())
    return re.sub(r"[=<≤] (?=0\.0)", "", text) if draws else text


def _same(before: str, now: str, draws: int) -> bool:
    """Whether words are equal, and numbers to one in their last digit, or by their draws."""
    if _NUMBER.sub("0", before) != _NUMBER.sub("0", now):
        return False
    pairs = zip(_NUMBER.findall(before), _NUMBER.findall(now), strict=True)
    return all(one == other or _close(one, other, draws) for one, other in pairs)


def _close(one: str, other: str, draws: int) -> bool:
    a, b = (float(text.replace("−", "-").replace(",", "")) for text in (one, other))
    decimals = [len(t.partition(".")[2].partition("e")[0]) for t in (one, other)]
    if "." not in one + other and not draws:
        return False
    last = 10.0 ** -min(decimals) if "e" not in one else abs(a) * 10.0 ** -min(decimals)
    drawn = _ERRORS * 1.4 / math.sqrt(draws) * max(abs(a), abs(b), 0.1) if draws else 0.0
    return abs(a - b) <= 1.001 * last + drawn
