"""What a report on performance says and shows, from its dictionary."""

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
    name, metric = said(row["name"]), plain_metric(state)
    decimals = _decimals([row])
    estimate, low, high = _signed(state, row["estimate"], row["low"], row["high"])
    text = f"{name}: {metric} {fixed(estimate, decimals)}"
    if low is None:
        text += f", without an interval: the {state['unit']}s do not vary."
    else:
        level = percent(state["confidence_level"])
        text += f", {level} interval {fixed(low, decimals)} to {fixed(high, decimals)}."
    if row["training_score"] is None:
        return text
    (seen,) = _signed(state, row["training_score"])
    return (
        f"{text} On the rows it was fitted to: {fixed(seen, decimals)}, which is no estimate."
    )


def _of_two(state: dict[str, Any], row: dict[str, Any]) -> str:
    a, b = map(said, state["names"])
    decimals = _decimals([row])
    level, metric = percent(state["confidence_level"]), plain_metric(state)
    estimate, low, high = _signed(state, row["estimate"], row["low"], row["high"])
    size = fixed(estimate, decimals, sign=True)
    text = f"Difference in {metric}, {a} \N{MINUS SIGN} {b}: {size}"
    if low is None or high is None:
        return f"{text}, without an interval."
    limits = f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"
    zero = "" if low > 0 or high < 0 else ", which includes 0"
    return f"{text}, {level} interval {limits}{zero}."


def _meaning(state: dict[str, Any]) -> str:
    meant = f"Estimated is the {_estimand(state)}."
    share = state.get("training_share")
    if share is None:
        return meant
    unit = "groups" if "train_groups" in state["design"] else "rows"
    part = f"{percent(round(share, 2))} of the {unit}"
    return f"{meant} That is {part}: for a model of all {unit} it is usually pessimistic."


def _estimand(state: dict[str, Any]) -> str:
    """The estimand in the words of the loss, where it is one."""
    return str(state["estimand"]).replace(state["metric"], plain_metric(state))


def plain_metric(state: dict[str, Any]) -> str:
    """Name of the metric as it is shown: of a negated loss the loss."""
    metric = str(state["metric"])
    return metric.removeprefix("neg_") if state["is_loss"] else metric


def performance_grid(state: dict[str, Any]) -> Grid:
    """Return the estimates, one row per estimator and one for the difference."""
    rows = state["rows"]
    decimals = _decimals(rows)
    level = percent(state["confidence_level"])
    header = ["", plain_metric(state), f"{level} interval", "in training", "gap"]
    table = [_cells(state, row, said(row["name"]), decimals) for row in rows]
    if state["difference"] is not None:
        a, b = map(said, state["names"])
        name = f"{a} \N{MINUS SIGN} {b}"
        table.append(_cells(state, state["difference"], name, decimals, sign=True))
    note = (
        "In training: the mean score on the rows that a model was fitted to, no estimate. "
        "Gap: by how much it is better there."
    )
    return Grid("Performance", header, table, note=note)


def _cells(
    state: dict[str, Any], row: dict[str, Any], name: str, decimals: int, *, sign: bool = False
) -> list[str]:
    estimate, low, high = _signed(state, row["estimate"], row["low"], row["high"])
    limits = "none exists"
    if low is not None:
        limits = f"{fixed(low, decimals, sign=sign)} to {fixed(high, decimals, sign=sign)}"
    cells = [name, fixed(estimate, decimals, sign=sign), limits]
    if row["training_score"] is None:
        return [*cells, "", ""]
    (seen,) = _signed(state, row["training_score"])
    return [*cells, fixed(seen, decimals), fixed(row["gap"], decimals, sign=True)]


def performance_about(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was estimated, how, and under which assumptions."""
    methods = dict.fromkeys(row["method"] for row in state["rows"])
    difference = state["difference"]
    own = "" if difference is None or difference["method"] in methods else difference["method"]
    rows = [
        ("Method", "; ".join(methods)),
        ("Of the difference", own),
        ("Why this method", state["reason"]),
        ("Estimand", _estimand(state)),
        ("Unit", units(state["n_units"], state["unit"])),
        ("Assumptions", "; ".join(state["assumptions"])),
        ("Not covered", "; ".join(state["ignored_variance"])),
        ("Design", design_text(state["design"])),
        ("Fits", str(state["n_fits"])),
    ]
    return [(label, text) for label, text in rows if text]


def _signed(state: dict[str, Any], *values: float | None) -> Sequence[float | None]:
    """Values as they are shown: those of losses with their own sign, low before high."""
    if not state["is_loss"]:
        return values
    turned = [None if value is None else -value for value in values]
    return [turned[0], *reversed(turned[1:])]


def _decimals(rows: Sequence[dict[str, Any]]) -> int:
    """Decimals that show two digits of the widest interval's half."""
    halves = [(row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None]
    if not halves:
        return max(3, decimals_for(row["estimate"] for row in rows))
    return max(0, decimals_for([max(halves)]) - 1)
