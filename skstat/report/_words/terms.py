"""Terms that several sentences and tables share."""

from collections.abc import Sequence
from typing import Any

from skstat.report._words.numbers import df_text, pvalue_text, short

_MOST_NAMED = 10


def omnibus_text(omnibus: dict[str, Any], *, effects: bool = True) -> str:
    """Write the test of all systems at once: statistic, df, its first effect size, p."""
    statistic = "\N{INFINITY}" if omnibus["statistic"] is None else short(omnibus["statistic"])
    bits = [f"{omnibus['statistic_name']} = {statistic}"]
    if omnibus["df"] is not None:
        bits.append(f"df = {df_text(omnibus['df'])}")
    sizes = list(omnibus["effect_sizes"].items())[:1] if effects else []
    bits += [f"{name} = {short(size)}" for name, size in sizes]
    return f"{omnibus['test']}: {', '.join(bits)}, {pvalue_text(omnibus['pvalue'])}"


def adjustment_name(method: str) -> str:
    """Name how p-values were adjusted."""
    people = {
        "bergmann-hommel": "Bergmann and Hommel's method",
        "bonferroni": "Bonferroni's method",
        "auto": "their joint law (max-T)",
        "max-t": "their joint law (max-T)",
        "fdr_bh": "Benjamini and Hochberg's method (false discovery rate)",
        "fdr_by": "Benjamini and Yekutieli's method (false discovery rate)",
        "sidak": "\u0160id\xe1k's method",
        "studentized range": "the studentized range",
    }
    return people.get(method, f"{method.title()}'s method")


def some(items: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Join items, and count those beyond `most`."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} more")
    return "; ".join(shown)
