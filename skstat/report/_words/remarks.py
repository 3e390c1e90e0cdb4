"""What stands beside a verdict: how the scores came about, and how firmly it stands."""

from collections.abc import Mapping
from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._words.terms import (
    decimals_for,
    fixed,
    join_items,
    percent,
    pvalue_cell,
    units,
)

_MOST_SHOWN = 6  # pairs
_SHARES = {
    1 / 10: "a tenth", 1 / 3: "a third", 1 / 2: "half", 2 / 3: "two thirds",
    9 / 10: "nine tenths",
}  # fmt: skip
_MOST_NOTES = 2  # of those that follow the kind; the first tell how many there are
_ALIKE = 0.02  # training sets whose sizes differ by less than this share are called alike


def design_line(design: Mapping[str, Any]) -> str:
    """Write what a reader needs: how many fits, of what, trained on how much.

    Parameters
    ----------
    design : mapping
        Facts of a report's design.

    Returns
    -------
    str
        One line; empty where nothing is known.

    Examples
    --------
    >>> facts = {"kind": "15x2-fold cross-validation", "n_splits": 30, "n_samples": 569}
    >>> design_line(facts | {"train_size": [284, 285], "test_size": [284, 285]})
    '30 fits each, trained on half of 569 rows (15x2-fold cross-validation)'
    """
    # Notes without a kind are the seed of what was drawn: no design.
    said = [design["kind"], *map(str, design.get("notes", ()))] if "kind" in design else []
    said = said[: 1 + _MOST_NOTES]
    if {"kind", "n_splits", "n_samples", "train_size"} <= set(design):
        halves, n = design.get("halves"), design["n_splits"]
        groups = ", groups kept together" if "train_groups" in design else ""
        trained = f"trained on {_part(design['train_size'], design['n_samples'])}{groups}"
        said = [f"{units(n, 'fit')} each, {trained} ({design['kind']})"]
        if halves is not None:
            said = [
                f"{n + halves['n_splits']} fits each: {n} {trained} ({design['kind']}), and "
                f"{halves['n_splits']} on halves for the variance"
            ]
    return "; ".join([*said, *design.get("read", ())])


def larger_text(design: Mapping[str, Any]) -> str:
    """Write how to ask the same of larger training sets; empty where that is not possible."""
    found = design.get("larger")
    if found is None:
        return ""
    share, n = found["train_size"], found["n_fits"]
    return f"train_size={share} trains on {share_of_rows(share)} of the rows, by {n} fits"


def more_of_design(design: Mapping[str, Any]) -> str:
    """Write all facts of a design; nothing where one line has them."""
    bits = [str(design["kind"])] if "kind" in design else []
    for part, what in (("size", "rows"), ("groups", "groups")):
        if f"train_{part}" in design:
            train, test = (span_of(design[f"{use}_{part}"]) for use in ("train", "test"))
            bits.append(f"trained on {train} {what}, tested on {test}")
    if "splitter" in design:
        bits.append(str(design["splitter"]))
    if halves := design.get("halves"):
        bits.append(
            f"variance from {halves['kind']}, trained on {span_of(halves['train_size'])} rows; "
            f"{halves['splitter']}"
        )
    text = "; ".join([*bits, *map(str, design.get("notes", ())), *design.get("read", ())])
    return "" if text == design_line(design) else text


def _part(size: int | list[int], of: int) -> str:
    """Write training rows as a part of all rows."""
    low, high = size if isinstance(size, list) else (size, size)
    if high - low > _ALIKE * of:
        return f"{low} to {high} of {of} rows"
    return f"{share_of_rows((low + high) / 2 / of)} of {of} rows"


def share_of_rows(share: float) -> str:
    """Write a share of the rows by its name, or in percent."""
    named = (name for exact, name in _SHARES.items() if abs(share - exact) < _ALIKE / 4)
    return next(named, f"{100 * share:.0f}%")


def span_of(size: int | list[int]) -> str:
    """Write a number of rows, or the least and the most."""
    return f"{size[0]} to {size[1]}" if isinstance(size, list) else str(size)


# --- how firmly a verdict stands ---


def choice_text(choice: Any) -> str:
    """Write a recommendation in one line; nothing if there is none."""
    if choice is None:
        return ""
    bits = [f"used {choice.title} because {choice.reason}"]
    if choice.alternatives:
        bits.append(f"alternatives: {', '.join(map(str, choice.alternatives))}")
    if choice.needs:
        bits.append(f"would need {', '.join(choice.needs)}")
    return "; ".join(bits)


def stability_text(found: Any) -> str:
    """Write what other partitions said, of a `Stability`, in one line."""
    words = [f"{found.n_same} of {len(found.seeds)} gave the same verdict"]
    estimates, pvalues = (
        [value for value in values if not isnan(value)]
        for values in (found.estimates, found.pvalues)
    )
    if estimates:
        decimals = decimals_for(estimates)
        low, high = (fixed(end(estimates), decimals, sign=True) for end in (min, max))
        words.append(f"estimates from {low} to {high}")
    if pvalues:
        words.append(f"p from {pvalue_cell(min(pvalues))} to {pvalue_cell(max(pvalues))}")
    return "; ".join(words)


def pairs_stability_text(found: Mapping[tuple[str, str], Any]) -> str:
    """Write how often other partitions agreed on every pair, the least steady first."""
    ordered = sorted(found.items(), key=lambda one: one[1].n_same)
    said = [
        f"{' and '.join(map(shown_name, pair))} ({one.n_same} of {len(one.seeds)})"
        for pair, one in ordered
    ]
    return f"same verdict in: {join_items(said, _MOST_SHOWN)}" if said else ""


def sturdiness_text(found: Any, favoured: str) -> str:
    """Write what a verdict rests on, of a `Sturdiness`, in one line.

    Parameters
    ----------
    found : Sturdiness
        How many units may be left out.
    favoured : str
        Name of the system that the estimate favours.
    """
    k, more, counted = found.n_to_undecide, found.n_to_reverse, units(found.n_units, found.unit)
    if k is None:
        said = f"significant without any of the {counted} that were tried"
    else:
        said = f"without {k} of {counted} ({_share(k, found)})"
        if found.too_few_left:
            said += ", too few that differ are left for any result to be significant"
        else:
            said += f" that favour {favoured} most, the difference would not be significant"
            enough = "are not enough" if found.is_exact else "may be enough"
            said += f"; fewer {enough}" * (k > 1)
    if more not in (None, k):
        said += f"; without {more} ({_share(more, found)}) it would not favour {favoured}"
    return said


def _share(k: int, found: Any) -> str:
    return percent(float(f"{k / found.n_units:.2g}"))
