"""How far systems lie from one of them, and how certain that is, in words."""

from collections.abc import Iterable, Mapping
from math import isinf, isnan

from skstat.report._model import Pair, Report
from skstat.report._words.metric import good, is_turned, side
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text
from skstat.stats._outcomes import unit_word

Pairs = Mapping[str, Pair]  # pairs with one system, seen from it, by the other one
_Gain = tuple[float, float, float]

AT_MOST = "\N{LESS-THAN OR EQUAL TO}"


def gain(r: Report, p: Pair) -> _Gain:
    """Return by how much the first system is better, and the limits of that."""
    value, low, high = p.estimate, p.low, p.high
    if is_turned(r):
        value, low, high = 0.0 - value, 0.0 - high, 0.0 - low
    # An estimate that floats alone may make is 0; its limits stay.
    return (0.0 if abs(value) <= r.noise else value), low, high


def distance(
    r: Report, found: Pairs, *, claimed: bool | None = None, of: str = "", limits: bool = True
) -> str:
    """Write how far others lie from the system that pairs are seen from.

    Parameters
    ----------
    r : Report
        The report.
    found : mapping of str to Pair
        The pairs.
    claimed : bool, optional
        Whether the sentence has said that they are better, or that they are worse: numbers
        that agree need no such word again.
    of : str, default=""
        More words on what the distance is from.
    limits : bool, default=True
        Whether a single distance has its interval.
    """
    gains = [gain(r, p) for p in found.values()]
    behind = [value for value, *_ in gains]
    low, high = min(behind), max(behind)
    one = len(behind) == 1
    decimals = decimals_for(gains[0] if one and limits else behind)
    better, worse = side(r, True), side(r, False)
    named = tail = ""
    if r.by_rank:
        better, worse, tail = good(r), good(r, up=False), f" in {r.in_ranks}"
    elif not r.quantity.is_difference:
        named = f"{r.quantity.name}{'s' * (not one)} "
    word = worse if high > 0 else better
    sizes = [_size(value, decimals) for value in behind]
    agrees = claimed is not None and (high < 0 if claimed else low > 0)
    if low < 0 < high:
        text = f"{_size(low, decimals)} {better} to {_size(high, decimals)} {worse}{tail}{of}"
    elif low == high == 0:
        text = "0" if named else "no difference"
    else:
        each = "each " if not one and len(set(sizes)) == 1 else ""
        text = sizes[0] if one or each else " and ".join(sizes)
        if len(sizes) > 2 and not each:
            near, far = sorted((low, high), key=abs)
            text = f"between {_size(near, decimals)} and {_size(far, decimals)}"
        by = "by " if agrees and not named else ""
        text = f"{each}{by}{text}{'' if agrees else ' ' + word}{tail}{of}"
    return f"{named}{text}{_interval(r, gains[0]) if one and limits else ''}"


def _size(value: float, decimals: int) -> str:
    text = fixed(abs(value), decimals)
    if value and not text.strip("0."):
        return fixed(abs(value), decimals_for([value]))
    return text if value else "0"


def _interval(r: Report, lead: _Gain) -> str:
    """Write the interval of a distance behind it."""
    value, low, high = lead
    if value < 0:
        low, high = 0.0 - high, 0.0 - low
    if isnan(low) or (isinf(low) and isinf(high)) or low == high == 0:
        return ""
    return f", {interval_text(r, low, high, decimals_for(lead), sign=False)}"


def interval_text(
    r: Report,
    low: float,
    high: float,
    decimals: int,
    *,
    sign: bool = True,
    level: float | None = None,
) -> str:
    """Write an interval with its level, of whatever kind it is; one of another `level`."""
    kind = interval_kind(r) if level is None else ""
    text = f"{percent(level or r.confidence_level)} interval"
    low_text, high_text = (fixed(end, decimals, sign=sign) for end in (low, high))
    if isnan(low) or isnan(high):
        return f"{kind}{text}: none exists"
    if isinf(low) and isinf(high):
        return f"{kind}{text}: too few {unit_word(r.unit)}s for a limit"
    if isinf(high):
        return f"{kind}one-sided {text}: at least {low_text}"
    if isinf(low):
        return f"{kind}one-sided {text}: at most {high_text}"
    return f"{kind}{text} {low_text} to {high_text}"


def interval_kind(r: Report) -> str:
    """Say for what intervals are adjusted; empty if for nothing."""
    if r.simultaneous:
        return "simultaneous "
    adjusted = bool(r.adjustment) if r.is_pair else r.n_family > 1
    return "adjusted " if adjusted else ""


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


def shown(r: Report, found: Pairs, claimed: bool | None = None, of: str = "") -> str:
    """Write the evidence of a claim on several pairs: how far, and that no p is larger."""
    pvalues = at_most(p.p for p in found.values())
    return f"{distance(r, found, claimed=claimed, of=of)}; {pvalues}"


def not_shown(r: Report, found: Pairs, of: str = "") -> str:
    """Write the evidence where nothing was shown: how far, and that no p is smaller."""
    return f"{distance(r, found, of=of)}; {at_least(p.p for p in found.values())}"
