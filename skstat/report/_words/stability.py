"""The verdicts from other partitions, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from skstat.report._words.numbers import decimals_for, fixed, pvalue_text

_MOST_SHOWN = 6


def stability_text(state: Mapping[str, Any]) -> str:
    """Write what other partitions said, from ``Stability.to_dict()``, in one line."""
    words = [f"{state['n_same']} of {len(state['seeds'])} gave the same verdict"]
    estimates = _ends(state["estimates"])
    if estimates:
        decimals = decimals_for(estimates)
        low, high = (fixed(end, decimals, sign=True) for end in estimates)
        words.append(f"estimates from {low} to {high}" if low != high else f"estimate {low}")
    pvalues = _ends(state["pvalues"])
    if pvalues:
        low, high = map(pvalue_text, pvalues)
        span = f"p from {low.removeprefix('p = ').removeprefix('p ')} to "
        words.append(span + high.removeprefix("p = ") if low != high else low)
    return "; ".join(words)


def pairs_stability_text(pairs: Iterable[Mapping[str, Any]]) -> str:
    """Write how often other partitions agreed on every pair, the least steady first."""
    ordered = sorted(pairs, key=lambda pair: pair["n_same"])
    if not ordered:
        return ""
    n = len(ordered[0]["seeds"])
    shown = [
        f"{pair['first']} and {pair['second']} ({pair['n_same']} of {n})"
        for pair in ordered[:_MOST_SHOWN]
    ]
    more = len(ordered) - len(shown)
    if more:
        shown.append(f"{more} more pair{'s' * (more > 1)} at least as often")
    return f"same verdict in: {'; '.join(shown)}"


def _ends(values: Iterable[float | None]) -> list[float]:
    """Least and largest of those that are defined."""
    known = [value for value in values if value is not None]
    return [min(known), max(known)] if known else []
