"""How a metric is spoken of: who scores higher, whose error is lower, who ranks better."""

from typing import Any, Protocol

from skstat._directions import is_amount
from skstat.stats import Quantity
from skstat.stats._outcomes import unit_word

_COSTS = ("cost", "cost_sensitive_error")


class OfMetric(Protocol):
    """A report, as far as it says what is compared."""

    @property
    def metric(self) -> str: ...
    @property
    def lower(self) -> bool: ...
    @property
    def direction_assumed(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def scale(self) -> str: ...
    @property
    def in_ranks(self) -> str: ...
    @property
    def quantity(self) -> Quantity: ...


def word(r: OfMetric) -> str:
    """Call a value of the metric: score, error, cost."""
    if not r.lower:
        return "score"
    if r.metric.endswith(_COSTS):
        return "cost"
    if not is_amount(r.metric):
        return "error"
    return "value" if r.metric.endswith("s") else r.metric


def side(r: OfMetric, up: bool) -> str:
    """Say how the value of the better system lies to the other, or that of the worse one."""
    return "lower" if up == r.lower else "higher"


def best(r: OfMetric) -> str:
    """Say how the best value lies to all others."""
    return "lowest" if r.lower else "highest"


def good(r: OfMetric, up: bool = True) -> str:
    """Call a system better or worse; higher or lower where nobody knows which is good."""
    if r.direction_assumed:
        return "higher" if up else "lower"
    return "better" if up else "worse"


def good_best(r: OfMetric) -> str:
    """Call a system the best; the highest where nobody knows which end is good."""
    return "highest" if r.direction_assumed else "best"


def than(r: OfMetric, up: bool, plural: bool = False) -> str:
    """Say that a system is better than others, or worse, in the terms of the metric."""
    s = "" if plural else "s"
    if r.scale != "score":
        return f"rank{s} {good(r, up)} than"
    if r.lower:
        return f"{'have' if plural else 'has'} a {side(r, up)} {word(r)} than"
    return f"score{s} {side(r, up)} than"


def claim(r: OfMetric) -> str:
    """Say how the better of a pair is better, where it is not in the scores as a whole."""
    return f" {r.quantity.claim.format(unit=unit_word(r.unit))}" if r.quantity.claim else ""


def of_metric(r: OfMetric) -> str:
    """Name the score that a claim is about, unless its verb does."""
    if r.quantity.claim:
        return claim(r)
    named = r.lower and r.metric == word(r) and r.scale == "score"
    return "" if named else f" in {r.metric}"


def what(r: OfMetric) -> str:
    """Name what the systems differ in."""
    if r.quantity.of_units:
        return f"the {r.metric} of single {unit_word(r.unit)}s"
    return r.metric if r.scale == "score" else f"{r.scale} by {r.metric}"


def is_plain(r: OfMetric) -> bool:
    """Whether the estimates are differences of the scores."""
    return r.scale == "score" and r.quantity.is_difference


def is_turned(r: OfMetric) -> bool:
    """Whether a positive estimate speaks against the first system: one of losses does."""
    return r.lower and r.scale == "score"


def direction(r: Any) -> str:
    """Say which way the values are better."""
    if r.direction_assumed:
        return "no direction is known"
    return f"{'lower' if r.lower else 'higher'} is better"
