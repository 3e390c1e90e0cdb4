"""The conclusion on the performance of learners: how good they are, and how sure that is."""

from collections.abc import Iterable
from math import isnan

from skstat._names import shown_name
from skstat.report._model import Pair, Report, System
from skstat.report._words.numbers import decimals_for, fixed, percent
from skstat.report._words.say_pair import interval_text


def performances(r: Report) -> list[str]:
    """Write a sentence per learner, and one on the difference of two."""
    return [*(_of_one(r, one) for one in r.systems), *(_of_two(r, pair) for pair in r.pairs)]


def _of_one(r: Report, one: System) -> str:
    decimals = decimals_of([one])
    text = f"{shown_name(one.name)}: {r.metric} {fixed(one.mean, decimals)}"
    if isnan(one.low):
        text += f", without an interval: the {r.unit}s do not vary."
    else:
        text += f", {interval_text(r, one.low, one.high, decimals, sign=False)}."
    if isnan(one.training_score):
        return text
    return f"{text} Training score (optimistic): {fixed(one.training_score, decimals)}."


def _of_two(r: Report, pair: Pair) -> str:
    a, b = map(shown_name, pair[:2])
    decimals = decimals_of([pair])
    size = fixed(pair.estimate, decimals, sign=True)
    text = f"Difference in {r.metric}, {a} \N{MINUS SIGN} {b}: {size}"
    if isnan(pair.low):
        return f"{text}, without an interval."
    zero = ", which includes 0" if pair.low <= 0 <= pair.high else ""
    return f"{text}, {interval_text(r, pair.low, pair.high, decimals)}{zero}."


def what_is_estimated(r: Report, metrics: str) -> str:
    """Say what the estimates are of, by one metric or several."""
    meant = f"This estimates the {r.estimand.replace(r.metric, metrics)}"
    if r.training_share is None:
        return f"{meant}."
    unit = "groups" if "train_groups" in r.design else "rows"
    part = f"{percent(round(r.training_share, 2))} of the {unit}"
    return f"{meant}, {part}; it is usually pessimistic for a model trained on all {unit}."


def decimals_of(rows: Iterable[System | Pair]) -> int:
    """Decimals that show two digits of every interval's half."""
    rows = list(rows)
    halves = [(row.high - row.low) / 2 for row in rows if row.high > row.low]
    if halves:
        return max(0, decimals_for([min(halves)]) - 1)
    return max(
        3,
        decimals_for(row.mean if isinstance(row, System) else row.estimate for row in rows),
    )
