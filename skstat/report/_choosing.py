"""The cheapest system that was shown to be as good as the best."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, get_args

from skstat._names import shown_name
from skstat._times import Times
from skstat.report._words import asks_for_direction, short, time_text

Rule = Literal["margin", "one-standard-error"]
Cost = str | Mapping[str, float] | Callable[[str], float]

_WHAT = {"fit_time": "per fit", "predict_time": "to predict"}


@dataclass(frozen=True, kw_only=True)
class ChosenSystem:
    """The cheapest system that was shown to be as good as the best, or the best.

    Attributes
    ----------
    name : str
        The system.
    sentence : str
        Why it was chosen, and how it stands to the best.
    costs : mapping of str to float
        Cost of every system that may be the best or was shown to be as good, the cheapest
        first.
    """

    name: str
    sentence: str
    costs: Mapping[str, float]

    def __str__(self) -> str:
        return self.sentence


def costs_of(
    cost: Cost,
    names: Iterable[str],
    times: Mapping[str, Times] | None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, float]:
    """Return what systems cost, the cheapest first; in the order given where costs are equal.

    Parameters
    ----------
    cost : str, mapping or callable
        As in :meth:`SystemsReport.choose`.
    names : iterable of str
        The systems, the best first.
    times : mapping of str to Times, or None
        How long they took.
    parameters : mapping of str to mapping, or None
        Parameters of the candidates of a search.

    Returns
    -------
    dict of str to float
        Cost by system.
    """
    found = {name: _number(name, _cost(cost, name, times, parameters)) for name in names}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _cost(
    cost: Cost,
    name: str,
    times: Mapping[str, Times] | None,
    parameters: Mapping[str, Mapping[str, Any]] | None,
) -> object:
    if isinstance(cost, str):
        known = (parameters or {}).get(name, {})
        if cost in known:
            return known[cost]
        if cost not in _WHAT:
            of_search = f"a parameter of the search ({', '.join(known)}), " if known else ""
            raise ValueError(
                f"cost={cost!r} is unknown; use 'fit_time', 'predict_time', {of_search}a "
                "mapping of name to number, or a function of a name."
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


def check_choice(report: Any, margin: float | None, rule: str) -> None:
    """Refuse an unknown rule, a margin that it would not use, and values without direction."""
    if rule not in get_args(Rule):
        raise ValueError(f"rule={rule!r} is unknown; use 'margin' or 'one-standard-error'.")
    if margin is not None and rule != "margin":
        raise ValueError(f"margin={margin!r} belongs to rule='margin'; leave one of them out.")
    if report.direction_assumed:
        asked = asks_for_direction(report.metric, report.direction_assumed)
        raise ValueError(f"{asked} Else there is nothing to choose by.")


def _number(name: str, value: object) -> float:
    if not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"cost of {name!r} is {value!r}; it must be a finite number.")
    return float(value)


@dataclass(frozen=True, kw_only=True)
class Contenders:
    """Systems among which a cost decides.

    Attributes
    ----------
    best : str
        The one with the best score of those that may be the best.
    lead, alone : str
        What is best about it: "large has the highest accuracy", and what is said where no
        other one is left: "large alone may be the best".
    kept : tuple of str
        Those that no comparison rules out, the best first.
    as_good : frozenset of str
        Those that were shown to be as good as all others, within the margin.
    margin : float or None
        The loss that does not matter.
    rule : str
        By which rule they are as good.
    found : callable
        How a system stands to the best one, in words.
    """

    best: str
    lead: str
    alone: str
    kept: Sequence[str]
    as_good: frozenset[str]
    margin: float | None
    rule: Rule
    found: Callable[[str], str]

    @property
    def asked(self) -> list[str]:
        """Systems whose cost matters, the best first."""
        others = [name for name in self.as_good if name not in self.kept]
        return [*self.kept, *sorted(others)]


def chosen(contenders: Contenders, costs: Mapping[str, float], cost: Cost) -> ChosenSystem:
    """Choose the cheapest system of those that were shown to be as good, or else the best."""
    best, as_good = contenders.best, contenders.as_good
    name = next(name for name in costs if name == best or name in as_good)
    if costs[name] == costs[best]:
        name = best
    within = (
        "" if contenders.margin is None else f" within the margin of {short(contenders.margin)}"
    )
    if len(costs) == 1:
        why = f"{contenders.alone}; its cost does not decide."
    elif name != best:
        paid = _paid(cost, costs, [name, best])
        shown = f"was shown to be as good as the best{within}"
        if contenders.rule != "margin":
            shown = "is within one standard error of the best score, which shows nothing"
        cheapest = "the cheapest that " if len(as_good - {best}) > 1 else ""
        why = (
            f"{shown_name(name)} {f'is {cheapest}' if cheapest else ''}{shown} ({paid}). "
            f"{contenders.lead}; {shown_name(name)} {contenders.found(name)}."
        )
    else:
        cheaper = [other for other in costs if costs[other] < costs[best]]
        why = f"{contenders.lead} ({_paid(cost, costs, [best])})"
        if not cheaper:
            why += ", and none that may be the best is cheaper."
        elif contenders.rule != "margin":
            why += ", and no cheaper one is within one standard error of it."
        else:
            least = cheaper[0]
            why += f", and no cheaper one was shown to be as good{within}. "
            paid = _paid(cost, costs, [least])
            why += f"{shown_name(least)} ({paid}) {contenders.found(least)}."
            if contenders.margin is None:
                why += " Say with margin= which loss does not matter."
    return ChosenSystem(name=name, sentence=why, costs=costs)


def _paid(cost: Cost, costs: Mapping[str, float], names: Sequence[str]) -> str:
    """Write what some systems cost, of the first one what kind of cost it is."""
    bits: list[str] = []
    for name in names:
        is_time = isinstance(cost, str) and cost in _WHAT
        size = time_text(costs[name]) if is_time else short(costs[name])
        if bits:
            bits.append(f"{shown_name(name)} {size}")
        elif isinstance(cost, str):
            bits.append(f"{size} {_WHAT[cost]}" if is_time else f"{cost} {size}")
        else:
            bits.append(f"cost {size}")
    return "; ".join(bits)
