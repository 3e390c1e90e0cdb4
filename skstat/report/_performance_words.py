"""What a report on performance says and shows, from its dictionary as it is shown."""

from collections.abc import Sequence
from typing import Any

from skstat.display._names import said
from skstat.report._grid import Grid
from skstat.report._numbers import decimals_for, fixed, percent, units
from skstat.report._rows import design_text


def conclude_performance(state: dict[str, Any]) -> list[str]:
    """One sentence per estimator, one on the difference, one on what is estimated."""
    sentences = [_of_one(state, row) for row in state["rows"]]
    if state["difference"] is not None:
        sentences.append(_of_two(state, state["difference"]))
    sentences.append(_meaning(state))
    return sentences


def _of_one(state: dict[str, Any], row: dict[str, Any]) -> str:
    name, metric = said(row["name"]), state["metric"]
    decimals = _decimals([row])
    low, high = row["low"], row["high"]
    text = f"{name}: {metric} {fixed(row['estimate'], decimals)}"
    if low is None:
        text += f", without an interval: the {state['unit']}s do not vary."
    else:
        level = percent(state["confidence_level"])
        text += f", {level} interval {fixed(low, decimals)} to {fixed(high, decimals)}."
    if row["training_score"] is None:
        return text
    seen = fixed(row["training_score"], decimals)
    return f"{text} On the rows it was fitted to: {seen}, which is no estimate."


def _of_two(state: dict[str, Any], row: dict[str, Any]) -> str:
    a, b = map(said, state["names"])
    decimals = _decimals([row])
    level, metric = percent(state["confidence_level"]), state["metric"]
    low, high = row["low"], row["high"]
    size = fixed(row["estimate"], decimals, sign=True)
    text = f"Difference in {metric}, {a} \N{MINUS SIGN} {b}: {size}"
    if low is None or high is None:
        return f"{text}, without an interval."
    limits = f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"
    zero = "" if low > 0 or high < 0 else ", which includes 0"
    return f"{text}, {level} interval {limits}{zero}."


def _meaning(state: dict[str, Any]) -> str:
    meant = f"Estimated is the {state['estimand']}."
    share = state.get("training_share")
    if share is None:
        return meant
    unit = "groups" if "train_groups" in state["design"] else "rows"
    part = f"{percent(round(share, 2))} of the {unit}"
    return f"{meant} That is {part}: for a model of all {unit} it is usually pessimistic."


def performance_grid(state: dict[str, Any]) -> Grid:
    """Return the estimates, one row per estimator and one for the difference."""
    rows = state["rows"]
    decimals = _decimals(rows)
    level = percent(state["confidence_level"])
    header = ["", state["metric"], f"{level} interval", "in training", "gap"]
    table = [_cells(row, said(row["name"]), decimals) for row in rows]
    if state["difference"] is not None:
        a, b = map(said, state["names"])
        name = f"{a} \N{MINUS SIGN} {b}"
        table.append(_cells(state["difference"], name, decimals, sign=True))
    note = (
        "In training: the mean score on the rows that a model was fitted to, no estimate. "
        "Gap: by how much it is better there."
    )
    return Grid("Performance", header, table, note=note)


def _cells(row: dict[str, Any], name: str, decimals: int, *, sign: bool = False) -> list[str]:
    low, high = row["low"], row["high"]
    limits = "none exists"
    if low is not None:
        limits = f"{fixed(low, decimals, sign=sign)} to {fixed(high, decimals, sign=sign)}"
    cells = [name, fixed(row["estimate"], decimals, sign=sign), limits]
    if row["training_score"] is None:
        return [*cells, "", ""]
    seen = fixed(row["training_score"], decimals)
    return [*cells, seen, fixed(row["gap"], decimals, sign=True)]


def performance_about(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was estimated, how, and under which assumptions."""
    methods = dict.fromkeys(row["method"] for row in state["rows"])
    difference = state["difference"]
    own = "" if difference is None or difference["method"] in methods else difference["method"]
    rows = [
        ("Method", "; ".join(methods)),
        ("Of the difference", own),
        ("Why this method", state["reason"]),
        ("Estimand", state["estimand"]),
        ("Unit", units(state["n_units"], state["unit"])),
        ("Assumptions", "; ".join(state["assumptions"])),
        ("Not covered", "; ".join(state["ignored_variance"])),
        ("Design", design_text(state["design"])),
        ("Fits", str(state["n_fits"])),
    ]
    return [(label, text) for label, text in rows if text]


def _decimals(rows: Sequence[dict[str, Any]]) -> int:
    """Decimals that show two digits of the widest interval's half."""
    halves = [(row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None]
    if not halves:
        return max(3, decimals_for(row["estimate"] for row in rows))
    return max(0, decimals_for([max(halves)]) - 1)
