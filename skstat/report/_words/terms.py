"""Terms that several sentences and tables share."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import df_text, pvalue_text, short

NAMED = 6  # systems listed by name before the rest is counted
_MOST_ITEMS = 10
_EITHER = re.compile(r"\b[AB]\b")


def omnibus_text(omnibus: Mapping[str, Any], *, effects: bool = True) -> str:
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
        "auto": "the max-T method",
        "max-t": "the max-T method",
        "min-p": "the min-P method",
        "fdr_bh": "Benjamini and Hochberg's method (false discovery rate)",
        "fdr_by": "Benjamini and Yekutieli's method (false discovery rate)",
        "sidak": "\u0160id\xe1k's method",
        "studentized range": "the studentized range",
    }
    return people.get(method, f"{method.title()}'s method")


def join_names(names: Iterable[str]) -> str:
    """Name systems in a sentence; of many the first."""
    names = [shown_name(name) for name in names]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def join_items(items: Sequence[str], most: int = _MOST_ITEMS) -> str:
    """List items behind each other, and count those beyond `most`."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} more")
    return "; ".join(shown)


def in_names(text: str, a: str, b: str) -> str:
    """Put the names of two systems where a text of ``skstat.stats`` has A and B.

    A procedure does not know who is compared. In what it says of itself, the letters A and B,
    alone, stand for the first and the second system and for nothing else.

    Parameters
    ----------
    text : str
        What an outcome says.
    a, b : str
        Names as they are shown.

    Returns
    -------
    str
        The text; letters within a name stay.

    Examples
    --------
    >>> in_names("mean of score(A) - score(B)", "B", "A")
    'mean of score(B) - score(A)'
    """
    names = {"A": a, "B": b}
    return _EITHER.sub(lambda found: names[found[0]], text)


def estimand_in_names(estimand: str, a: str, b: str, metric: str, scale: str) -> str:
    """Put the names of two systems and of the metric in what is estimated.

    Parameters
    ----------
    estimand : str
        What an outcome says that it estimates, the difference of two scores.
    a, b : str
        Names as they are shown.
    metric : str
        Name of the metric as it is shown: a loss by its own name, as its differences are.
    scale : str
        What the estimate is measured in; only scores have the name of the metric.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> estimand_in_names("mean of score(A) - score(B)", "new", "old", "accuracy", "score")
    'mean of accuracy(new) - accuracy(old)'
    """
    text = estimand.replace("score(", f"{metric}(") if scale == "score" else estimand
    return in_names(text, a, b)
