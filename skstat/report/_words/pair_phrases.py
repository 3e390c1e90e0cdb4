"""How much two systems differ, and how certain that is, in words: seen from one of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text
from skstat.report._words.systems_like import PairRowsLike, SystemsLike
from skstat.report._words.terms import join_names
from skstat.stats import Quantity, ScoreTable
from skstat.stats._outcomes import unit_word

RowsByOther = Mapping[str, dict[str, Any]]  # rows of pairs with one system, by the other one

_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make
AT_MOST = "\N{LESS-THAN OR EQUAL TO}"


def rows_with(
    report: SystemsLike, rows: PairRowsLike, name: str, better: str | None = None
) -> dict[str, dict[str, Any]]:
    """Return the pairs with one system by the other one, the best first.

    With `better` those in which that system is the better one.
    """
    found = rows.with_system(name, better)
    return {other: found[other] for other in report.order if other in found}


def verbs(report: SystemsLike, *, plural: bool = False) -> tuple[str, str]:
    """Say that a system is better than others, and worse; or that several are."""
    s = "" if plural else "s"
    if by_rank(report):
        return f"rank{s} better than", f"rank{s} worse than"
    shown = report._shown_metric
    if shown.is_loss:
        have = "have" if plural else "has"
        return (
            f"{have} a {shown.better} {shown.word} than",
            f"{have} a {shown.worse} {shown.word} than",
        )
    return f"score{s} {shown.better} than", f"score{s} {shown.worse} than"


def how(report: SystemsLike) -> str:
    """Say how the better of a pair is better, where it is not in the scores as a whole."""
    claim = _quantity(report).claim.format(unit=unit_word(report.unit))
    return f" {claim}" if claim else ""


def _quantity(report: SystemsLike) -> Quantity:
    found: Quantity = report.pairwise.outcomes[0].quantity
    return found


def _is_difference(report: SystemsLike) -> bool:
    """Whether pairs are described by their difference in the scores, or in ranks."""
    return by_rank(report) or _quantity(report).is_difference


def _estimate(report: SystemsLike) -> str:
    return "estimate" if _is_difference(report) else _quantity(report).name


def by_rank(report: SystemsLike) -> bool:
    return bool(report.pairwise.outcomes[0].scale == "mean rank")


def claimed(report: SystemsLike, name: str, found: RowsByOther, *, better: bool) -> str:
    """Write by how much a system is better than others, or worse; then the p-value."""
    sides = {other: _seen_from(name if better else other, row) for other, row in found.items()}
    noise = _noise(report)
    nothing = [other for other, side in sides.items() if abs(side[0]) <= noise]
    sizes = [side[0] for other, side in sides.items() if other not in nothing]
    by = []
    if sizes:
        decimals = decimals_for(sizes)
        if len(found) == 1:
            decimals = decimals_for(next(iter(sides.values())))
        size = _between(sizes, decimals)
        named = "by"
        if not _is_difference(report):
            named = _quantity(report).name + "s" * (len(sizes) > 1)
        by.append(f"{named} {size}{_of_ranks(report)}")
    if nothing:  # the test may count who wins, and most differences be 0
        of_whom = f" from {join_names(nothing)}" if sizes else ""
        by.append(f"{_quantity(report).name}{of_whom} 0")
    text = "; ".join(by)
    if len(found) == 1:
        (other,) = found
        text += interval_of_pair(report, found[other], *sides[other])
    return f"{text}; {at_most(found, 'adjusted_pvalue', 'adjusted')}"


def estimated(
    report: SystemsLike, name: str, found: RowsByOther, *, interval: bool = True, of: str = ""
) -> str:
    """Write the estimates of a system minus others where none is claimed to be a fact."""
    sides = {other: _seen_from(name, row) for other, row in found.items()}
    noise = _noise(report)
    values = [0.0 if abs(side[0]) <= noise else side[0] for side in sides.values()]
    shown = report._shown_metric
    up, down = ("better", "worse") if by_rank(report) else (shown.better, shown.worse)
    ranks = _of_ranks(report)
    if len(values) > 1:
        low, high = min(values), max(values)
        decimals = decimals_for(values)
        if low == high == 0:
            return f"each {_estimate(report)} 0"
        if low >= 0 or high <= 0:
            word = up if low >= 0 else down
            sizes = [abs(value) for value in values]
            return f"{_estimate(report)}s {_between(sizes, decimals)} {word}{ranks}{of}"
        low_text, high_text = (fixed(abs(end), decimals) for end in (low, high))
        return f"{_estimate(report)}s between {low_text} {down} and {high_text} {up}{ranks}{of}"
    ((other, row),) = found.items()
    (value,) = values
    side = sides[other] if value >= 0 else _turned(*sides[other])
    text = f"{_estimate(report)} 0"
    if value:
        size = fixed(abs(value), decimals_for(side if interval else [value]))
        text = f"{_estimate(report)} {size} {up if value > 0 else down}{ranks}{of}"
    return text + interval_of_pair(report, row, *side) if interval else text


def behind(report: SystemsLike, name: str, found: RowsByOther, than: str = "") -> str:
    """Write how far others lie behind a system, each of two, else from the least to the most.

    The interval of a single one is that of the distance.
    """
    sides = {other: _seen_from(name, row) for other, row in found.items()}
    noise = _noise(report)
    values = [0.0 if abs(side[0]) <= noise else side[0] for side in sides.values()]
    shown = report._shown_metric
    up, down = ("better", "worse") if by_rank(report) else (shown.better, shown.worse)
    named = ""
    if not _is_difference(report):
        named = _quantity(report).name + "s" * (len(values) > 1) + " "
    ranks = _of_ranks(report) + than
    if len(values) == 1:
        ((other, row),) = found.items()
        side = sides[other] if values[0] >= 0 else _turned(*sides[other])
        size = "0" if not values[0] else fixed(abs(values[0]), decimals_for(side))
        word = "" if not values[0] else f" {down if values[0] > 0 else up}"
        return f"{named}{size}{word}{ranks}{interval_of_pair(report, row, *side)}"
    low, high = min(values), max(values)
    decimals = decimals_for(values)
    if low == high == 0:
        return f"{named}0"
    if low < 0 < high:
        least, most = (fixed(abs(end), decimals) for end in (low, high))
        return f"{named}{least} {up} to {most} {down}{ranks}"
    word = down if high > 0 else up
    sizes = [fixed(abs(value), decimals) if value else "0" for value in values]
    if len(set(sizes)) == 1:
        return f"{named}each {sizes[0]} {word}{ranks}"
    if len(sizes) == 2:
        return f"{named}{sizes[0]} and {sizes[1]} {word}{ranks}"
    span = _between([abs(value) for value in values], decimals)
    return f"{named}{span} {word}{ranks}"


def is_clear(report: SystemsLike, name: str, found: RowsByOther) -> bool:
    """Whether the estimates alone show a system ahead of others: none is 0 or on their side."""
    noise = _noise(report)
    return all(_seen_from(name, row)[0] > noise for row in found.values())


def interval_of_pair(
    report: SystemsLike,
    row: dict[str, Any],
    estimate: float,
    low: float | None,
    high: float | None,
) -> str:
    """Write the interval of one pair behind its estimate, and whether it is adjusted."""
    if (low is None and high is None) or low == high == 0:
        return ""
    decimals = decimals_for([estimate, low, high])
    level = f"{interval_kind(report, row)} interval"
    if high is None:
        return f", one-sided {level} at least {fixed(low, decimals)}"
    if low is None:
        return f", one-sided {level} at most {fixed(high, decimals)}"
    return f", {level} {fixed(low, decimals)} to {fixed(high, decimals)}"


def interval_kind(report: SystemsLike, row: dict[str, Any]) -> str:
    level = percent(report.confidence_level)
    if row["simultaneous"]:
        return f"simultaneous {level}"
    alone = (report.pairwise.n_family or len(report)) == 1
    return level if alone else f"adjusted {level}"


def at_most(found: RowsByOther, key: str, words: str) -> str:
    """Write the largest p-value of what was shown."""
    text = pvalue_text(max(row[key] for row in found.values()))
    if len(found) == 1:
        return f"{words} {text}"
    return f"each {words} {text.replace('p = ', f'p {AT_MOST} ')}"


def at_least(pvalues: list[float]) -> str:
    """Write the smallest p-value of what was not shown."""
    texts = list(dict.fromkeys(pvalue_text(pvalue) for pvalue in sorted(pvalues)))
    if len(texts) > 1:
        return f"adjusted {texts[0]} or more"
    return f"adjusted {texts[0]}" if len(pvalues) == 1 else f"each adjusted {texts[0]}"


def _between(sizes: list[float], decimals: int) -> str:
    low, high = min(sizes), max(sizes)
    text, most = fixed(low, decimals), fixed(high, decimals)
    if low > 0 and not text.strip("0."):
        text = fixed(low, decimals_for([low]))
    return text if text == most else f"between {text} and {most}"


def _of_ranks(report: SystemsLike) -> str:
    if not by_rank(report):
        return ""
    # Of another ranking, maybe: that of aligned scores.
    return f" in {report.pairwise.outcomes[0].compared}"


def _seen_from(name: str, row: dict[str, Any]) -> tuple[float, float | None, float | None]:
    """Estimate and limits of a system minus the other one; positive where it is better."""
    side = (row["estimate"], row["low"], row["high"])
    return side if row["first"] == name else _turned(*side)


def _turned(
    estimate: float, low: float | None, high: float | None
) -> tuple[float, float | None, float | None]:
    return -estimate, None if high is None else -high, None if low is None else -low


def _noise(report: SystemsLike) -> float:
    table = report.sample
    scores = table.scores if isinstance(table, ScoreTable) else list(report.scores.values())
    return _NOTHING * float(np.nanmax(np.abs(scores)))
