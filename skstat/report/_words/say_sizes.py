"""How much one system differs from others, and how certain that is, in words."""

from collections.abc import Iterable, Mapping
from math import isinf, isnan

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._words.metric import good, is_turned, side
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text
from skstat.report._words.terms import join_names

Pairs = Mapping[str, Pair]  # pairs with one system, seen from it, by the other one
_Gain = tuple[float, float, float]

AT_MOST = "\N{LESS-THAN OR EQUAL TO}"


def gain(r: Report, p: Pair) -> _Gain:
    """Return by how much the first system is better, and the limits of that."""
    if is_turned(r):
        return 0.0 - p.estimate, 0.0 - p.high, 0.0 - p.low
    return p.estimate, p.low, p.high


def claimed(r: Report, found: Pairs, *, better: bool) -> str:
    """Write by how much a system is better than others, or worse; then the p-value."""
    sides = {o: gain(r, p if better else p.seen_from(o, r.alpha)) for o, p in found.items()}
    nothing = [other for other, (size, *_) in sides.items() if abs(size) <= r.noise]
    sizes = [size for other, (size, *_) in sides.items() if other not in nothing]
    said = []
    if sizes:
        decimals = decimals_for(next(iter(sides.values())) if len(found) == 1 else sizes)
        named = _named(r, len(sizes)).strip() or "by"
        said.append(f"{named} {_between(sizes, decimals)}{_of_ranks(r)}")
    if nothing:  # the test may count who wins, and most differences be 0
        of_whom = f" from {join_names(nothing)}" if sizes else ""
        said.append(f"{r.quantity.name}{of_whom} 0")
    text = "; ".join(said)
    if len(found) == 1:
        (lead,) = sides.values()
        text += _interval(r, lead)
    return f"{text}; {at_most(p.p for p in found.values())}"


def estimated(r: Report, found: Pairs, *, interval: bool = True, of: str = "") -> str:
    """Write the estimates of a system minus others where none is claimed to be a fact."""
    sides = [_without_noise(r, gain(r, p)) for p in found.values()]
    values = [value for value, *_ in sides]
    named = _named(r, len(values)).strip() or "estimate" + "s" * (len(values) > 1)
    up, down = _ways(r)
    tail = f"{_of_ranks(r)}{of}"
    if len(values) == 1:
        value = values[0]
        lead = sides[0] if value >= 0 else _turned(sides[0])
        limits = _interval(r, lead) if interval else ""
        if not value:
            return f"{named} 0{limits}"
        size = fixed(abs(value), decimals_for(lead if interval else [value]))
        return f"{named} {size} {up if value > 0 else down}{tail}{limits}"
    low, high = min(values), max(values)
    decimals = decimals_for(values)
    if low == high == 0:
        return f"each {named.removesuffix('s')} 0"
    if low >= 0 or high <= 0:
        sizes = _between([abs(value) for value in values], decimals)
        return f"{named} {sizes} {up if low >= 0 else down}{tail}"
    least, most = (fixed(abs(end), decimals) for end in (low, high))
    return f"{named} between {least} {down} and {most} {up}{tail}"


def behind(r: Report, found: Pairs, than: str = "") -> str:
    """Write how far others lie behind a system, each of two, else from the least to the most.

    The interval of a single one is that of the distance.
    """
    sides = [_without_noise(r, gain(r, p)) for p in found.values()]
    values = [value for value, *_ in sides]
    named = _named(r, len(values))
    up, down = _ways(r)
    tail = f"{_of_ranks(r)}{than}"
    if len(values) == 1:
        value = values[0]
        lead = sides[0] if value >= 0 else _turned(sides[0])
        size = fixed(abs(value), decimals_for(lead)) if value else "0"
        word = f" {down if value > 0 else up}" if value else ""
        return f"{named}{size}{word}{tail}{_interval(r, lead)}"
    low, high = min(values), max(values)
    decimals = decimals_for(values)
    if low == high == 0:
        return f"{named}0"
    if low < 0 < high:
        least, most = (fixed(abs(end), decimals) for end in (low, high))
        return f"{named}{least} {up} to {most} {down}{tail}"
    word = down if high > 0 else up
    sizes = [fixed(abs(value), decimals) if value else "0" for value in values]
    if len(set(sizes)) == 1:
        return f"{named}each {sizes[0]} {word}{tail}"
    if len(sizes) == 2:
        return f"{named}{sizes[0]} and {sizes[1]} {word}{tail}"
    return f"{named}{_between([abs(value) for value in values], decimals)} {word}{tail}"


def is_clear(r: Report, found: Pairs) -> bool:
    """Whether the estimates alone show a system ahead of others: none is 0 or on their side."""
    return all(gain(r, p)[0] > r.noise for p in found.values())


def interval_kind(r: Report) -> str:
    """Write the level of an interval, and what it is adjusted for."""
    level = percent(r.confidence_level)
    if r.simultaneous:
        return f"simultaneous {level}"
    return level if r.n_family == 1 else f"adjusted {level}"


def at_most(pvalues: Iterable[float], words: str = "adjusted") -> str:
    """Write the largest p-value of what was shown."""
    values = list(pvalues)
    text = pvalue_text(max(values))
    if len(values) == 1:
        return f"{words} {text}"
    return f"each {words} {text.replace('p = ', f'p {AT_MOST} ')}"


def at_least(pvalues: Iterable[float]) -> str:
    """Write the smallest p-value of what was not shown."""
    values = sorted(pvalues)
    texts = list(dict.fromkeys(map(pvalue_text, values)))
    if len(texts) > 1:
        return f"adjusted {texts[0]} or more"
    return f"adjusted {texts[0]}" if len(values) == 1 else f"each adjusted {texts[0]}"


def between_text(sizes: list[float]) -> str:
    """Write one size, or the least and the largest."""
    return _between(sizes, decimals_for(sizes))


def _between(sizes: list[float], decimals: int) -> str:
    low, high = min(sizes), max(sizes)
    text, most = fixed(low, decimals), fixed(high, decimals)
    if low > 0 and not text.strip("0."):
        text = fixed(low, decimals_for([low]))
    return text if text == most else f"between {text} and {most}"


def _interval(r: Report, lead: _Gain) -> str:
    """Write the interval of one pair behind its estimate, and whether it is adjusted."""
    _, low, high = lead
    if isnan(low) or (isinf(low) and isinf(high)) or low == high == 0:
        return ""
    decimals = decimals_for(lead)
    level = f"{interval_kind(r)} interval"
    if isinf(high):
        return f", one-sided {level} at least {fixed(low, decimals)}"
    if isinf(low):
        return f", one-sided {level} at most {fixed(high, decimals)}"
    return f", {level} {fixed(low, decimals)} to {fixed(high, decimals)}"


def _without_noise(r: Report, lead: _Gain) -> _Gain:
    """Return an estimate that floats alone may make as 0; its limits stay."""
    value, low, high = lead
    return (0.0 if abs(value) <= r.noise else value), low, high


def _turned(lead: _Gain) -> _Gain:
    value, low, high = lead
    return 0.0 - value, 0.0 - high, 0.0 - low


def _ways(r: Report) -> tuple[str, str]:
    """Say how a value is better than another, and worse."""
    if r.by_rank:
        return good(r), good(r, up=False)
    return side(r, True), side(r, False)


def _named(r: Report, n: int) -> str:
    """Name estimates of another quantity than differences of the scores; else empty."""
    if r.by_rank or r.quantity.is_difference:
        return ""
    return r.quantity.name + "s" * (n > 1) + " "


def _of_ranks(r: Report) -> str:
    return f" in {r.in_ranks}" if r.by_rank else ""


def named_pair(names: Iterable[str]) -> str:
    """Name two systems."""
    return " and ".join(map(shown_name, names))
