"""What is said beside a verdict: which test was chosen, and how firmly the verdict stands."""

from collections.abc import Iterable, Mapping
from typing import Any

from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_cell, units

_MOST_SHOWN = 6


def choice_text(choice: Mapping[str, Any] | None) -> str:
    """Write a recommendation's dictionary in one line; nothing if there is none."""
    if choice is None:
        return ""
    others = ", ".join(f"{other['name']} ({other['when']})" for other in choice["alternatives"])
    bits = [f"used {choice['title']} because {choice['reason']}"]
    bits += [f"alternatives: {others}"] * bool(others)
    bits += [f"would need {', '.join(choice['needs'])}"] * bool(choice["needs"])
    return "; ".join(bits)


def design_in_words(design: Mapping[str, Any] | None) -> str:
    """Write the splits of a recommended design."""
    if design is None:
        return ""
    if "test_size" not in design:
        return str(design["kind"])
    share = design["test_size"]
    known = {1 / 3: "one third", 1 / 10: "one tenth", 1 / 2: "half"}
    tested = known.get(share, f"{100 * share:.0f} %")
    return f"{design['n_splits']} {design['kind']}, {tested} of the rows for testing"


def stability_text(state: Mapping[str, Any]) -> str:
    """Write what other partitions said, from ``Stability.to_dict()``, in one line."""
    words = [f"{state['n_same']} of {len(state['seeds'])} gave the same verdict"]
    if estimates := _known(state["estimates"]):
        decimals = decimals_for([min(estimates), max(estimates)])
        ends = (fixed(end(estimates), decimals, sign=True) for end in (min, max))
        words.append(_span("estimate", "estimates", *ends))
    if pvalues := _known(state["pvalues"]):
        words.append(_span("p", "p", pvalue_cell(min(pvalues)), pvalue_cell(max(pvalues))))
    return "; ".join(words)


def pairs_stability_text(pairs: Iterable[Mapping[str, Any]]) -> str:
    """Write how often other partitions agreed on every pair, the least steady first."""
    ordered = sorted(pairs, key=lambda pair: pair["n_same"])
    if not ordered:
        return ""
    shown = [
        f"{pair['first']} and {pair['second']} ({pair['n_same']} of {len(pair['seeds'])})"
        for pair in ordered[:_MOST_SHOWN]
    ]
    if more := len(ordered) - len(shown):
        shown.append(f"{more} more pair{'s' * (more > 1)} at least as often")
    return f"same verdict in: {'; '.join(shown)}"


def sturdiness_text(state: Mapping[str, Any], favoured: str) -> str:
    """Write what a verdict rests on, from ``Sturdiness.to_dict()``, in one line.

    Parameters
    ----------
    state : mapping
        The plain values.
    favoured : str
        Name of the system that the estimate favours.
    """
    n, k, more = state["n_units"], state["n_to_undecide"], state["n_to_reverse"]
    counted = units(n, state["unit"])
    if k is None:
        said = f"significant without any of the {counted} that were tried"
    elif state["too_few_left"]:
        said = (
            f"without {k} of {counted} ({_share(k, n)}), too few that differ are left for any "
            "result to be significant"
        )
    else:
        which, favour = ("the one", "favours") if k == 1 else (f"the {k}", "favour")
        fewer = "" if k == 1 else "; fewer are not enough"
        said = (
            f"without {which} of {counted} ({_share(k, n)}) that {favour} {favoured} most, the "
            "difference would not be significant"
            f"{fewer if state['is_exact'] else '; fewer may be enough'}"
        )
    if more not in (None, k):
        said += f"; without {more} ({_share(more, n)}) it would not favour {favoured}"
    return said


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _span(one: str, several: str, low: str, high: str) -> str:
    return f"{one} {low}" if low == high else f"{several} from {low} to {high}"


def _share(k: int, n: int) -> str:
    return percent(float(f"{k / n:.2g}"))
