"""The cheapest system that may be the best."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal

from skstat._names import shown_name
from skstat._times import Times
from skstat.report._words import SystemsLike, against_leader, leads, short, time_text

Cost = Literal["fit_time", "predict_time"] | Mapping[str, float] | Callable[[str], float]

_WHAT = {"fit_time": "per fit", "predict_time": "to predict"}


@dataclass(frozen=True, kw_only=True)
class ChosenSystem:
    """The cheapest system that may be the best.

    Attributes
    ----------
    name : str
        The system.
    sentence : str
        Why it was chosen, and how much worse than the best it may be.
    costs : mapping of str to float
        Cost of every system that may be the best, the cheapest first.
    """

    name: str
    sentence: str
    costs: Mapping[str, float]

    def __str__(self) -> str:
        return self.sentence


def costs_of(
    cost: Cost, names: Iterable[str], times: Mapping[str, Times] | None
) -> dict[str, float]:
    """Return what systems cost, the cheapest first; in the order given where costs are equal.

    Parameters
    ----------
    cost : {"fit_time", "predict_time"}, mapping or callable
        As in :meth:`SystemsReport.choose`.
    names : iterable of str
        The systems, the best first.
    times : mapping of str to Times, or None
        How long they took.

    Returns
    -------
    dict of str to float
        Cost by system.
    """
    found = {name: _number(name, _cost(cost, name, times)) for name in names}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _cost(cost: Cost, name: str, times: Mapping[str, Times] | None) -> object:
    if isinstance(cost, str):
        if cost not in _WHAT:
            raise ValueError(
                f"cost={cost!r} is unknown; use 'fit_time', 'predict_time', a mapping of name "
                "to number, or a function of a name."
            )
        if times is None:
            raise ValueError(
                f"cost={cost!r}: this report knows no times, because its scores were computed "
                "elsewhere. Pass cost= a mapping of name to number, or a function of a name."
            )
        return times[name].fit if cost == "fit_time" else times[name].predict
    if isinstance(cost, Mapping):
        if name not in cost:
            raise ValueError(f"cost= has no number for {name!r}; it has {list(cost)}.")
        return cost[name]
    if callable(cost):
        return cost(name)
    raise TypeError(
        f"cost={cost!r} must be 'fit_time', 'predict_time', a mapping of name to number, or a "
        "function of a name."
    )


def _number(name: str, value: object) -> float:
    if not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"cost of {name!r} is {value!r}; it must be a finite number.")
    return float(value)


def chosen_of_two(
    names: Sequence[str],
    costs: Mapping[str, float],
    cost: Cost,
    *,
    conclusion: str,
) -> ChosenSystem:
    """Choose the cheaper one of two systems, or the only one that may be the best.

    `names` are those that may be the best, of which `costs` are, and the conclusion says what
    the comparison found.
    """
    name, *others = costs
    if len(names) == 1:
        why = f"{shown_name(name)} is better; its cost does not decide."
    else:
        paid = _paid(cost, costs, [name, *others])
        why = f"{shown_name(name)} is the cheaper of two that may be the best ({paid})."
    return ChosenSystem(name=name, sentence=f"{why} {conclusion}", costs=costs)


def chosen_of_several(
    report: SystemsLike, names: Sequence[str], costs: Mapping[str, float], cost: Cost
) -> ChosenSystem:
    """Choose the cheapest one of several systems that may be the best.

    `names` are those that may be the best, the best first, of which `costs` are.
    """
    name, *others = costs
    first = names[0]
    if len(names) == 1:
        why = f"{shown_name(name)} alone may be the best; its cost does not decide."
        return ChosenSystem(name=name, sentence=why, costs=costs)
    paid = _paid(cost, costs, [name, first if first != name else others[0]])
    cheapest = "cheaper of two" if len(names) == 2 else f"cheapest of {len(names)}"
    why = f"{shown_name(name)} is the {cheapest} that may be the best ({paid})."
    if name == first:
        why += f" It {leads(report)}, too."
    else:
        found = against_leader(report, name, first)
        why += f" {shown_name(first)} {leads(report)}; {shown_name(name)} {found}."
    return ChosenSystem(name=name, sentence=why, costs=costs)


def _paid(cost: Cost, costs: Mapping[str, float], names: Sequence[str]) -> str:
    """Write what some systems cost, of the first one what kind of cost it is."""
    bits: list[str] = []
    for name in names:
        size = time_text(costs[name]) if isinstance(cost, str) else short(costs[name])
        if bits:
            bits.append(f"{shown_name(name)} {size}")
        else:
            bits.append(f"{size} {_WHAT[cost]}" if isinstance(cost, str) else f"cost {size}")
    return "; ".join(bits)
