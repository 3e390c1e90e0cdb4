"""The sentences of a report on performance, from its dictionary with losses as losses."""

from collections.abc import Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import decimals_for, fixed, percent


def conclude_performance(state: dict[str, Any]) -> list[str]:
    """One sentence per estimator, one on the difference, one on what is estimated."""
    sentences = [_of_one(state, row) for row in state["rows"]]
    if state["difference"] is not None:
        sentences.append(_of_two(state, state["difference"]))
    sentences.append(_meaning(state))
    return sentences


def _of_one(state: dict[str, Any], row: dict[str, Any]) -> str:
    name, metric = shown_name(row["name"]), state["metric"]
    decimals = decimals_of([row])
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
    return f"{text} Training score (optimistic): {seen}."


def _of_two(state: dict[str, Any], row: dict[str, Any]) -> str:
    a, b = map(shown_name, state["names"])
    decimals = decimals_of([row])
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
    meant = f"This estimates the {state['estimand']}"
    share = state.get("training_share")
    if share is None:
        return f"{meant}."
    unit = "groups" if "train_groups" in state["design"] else "rows"
    part = f"{percent(round(share, 2))} of the {unit}"
    return f"{meant}, {part}; it is usually pessimistic for a model trained on all {unit}."


def decimals_of(rows: Sequence[dict[str, Any]]) -> int:
    """Decimals that show two digits of every interval's half."""
    halves = [(row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None]
    halves = [half for half in halves if half > 0]
    if not halves:
        return max(3, decimals_for(row["estimate"] for row in rows))
    return max(0, decimals_for([min(halves)]) - 1)
