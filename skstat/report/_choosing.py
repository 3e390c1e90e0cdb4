"""The cheapest system that was shown to be as good as the best."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, get_args

from skstat._names import listed, shown_name
from skstat.report._model import Pair, Report
from skstat.report._words import against_leader, asks_for_direction, is_turned, short, time_text
from skstat.stats._paired import check_margin

Rule = Literal["margin", "one-standard-error"]
Cost = str | Mapping[str, float] | Callable[[str], float]

_TIMES = {"fit_time": "fit", "predict_time": "predict"}  # columns of the table of systems
_WHAT = (
    "'fit_time' or 'predict_time' where skstat made the fits, a parameter of a search, a "
    "mapping of name to number, or a function of a name"
)


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


def choose(
    self: Report, cost: Cost = "fit_time", *, margin: float | None = None, rule: Rule = "margin"
) -> ChosenSystem:
    """Return the cheapest system that was shown to be as good as the best, or the best.

    With few data no test rules a cheaper system out, and it may be far worse. It is
    chosen only if it was shown to lose less than the margin against every other one, by
    one-sided tests that are adjusted for all pairs. Otherwise the best one is.

    Parameters
    ----------
    cost : {"fit_time", "predict_time"}, str, mapping or callable, default="fit_time"
        What is to be saved: the time of a fit, that of predicting and scoring the test
        rows of a split, a parameter of a search by its name (``"svc__C"``), a number for
        each system by its name, or a function from a name to a number. Where costs are
        equal, the better score decides.
    margin : float, optional
        The largest loss that does not matter, in the unit of the score; default that of
        the report. Without one only a system that was shown to lose nothing is as good.
    rule : {"margin", "one-standard-error"}, default="margin"
        ``"one-standard-error"``: the cheapest system whose score is within one standard
        error of the best one, a rule of thumb [1]_. It shows nothing, and forgets that
        the scores of systems move together.

    Returns
    -------
    ChosenSystem
        Its ``name``, a ``sentence`` why, and the ``costs``.

    Raises
    ------
    ValueError
        If the comparison does not say which may be the best (with a control or a constant,
        or one-sided), a cost is not known, or the rule does not fit.

    References
    ----------
    .. [1] Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984).
       Classification and regression trees. Wadsworth, section 3.4.3.

    Examples
    --------
    >>> import numpy as np
    >>> import skstat
    >>> rng = np.random.default_rng(0)
    >>> right = {name: rng.permutation(400) < 400 * share for name, share in
    ...          {"large": 0.9, "middle": 0.88, "small": 0.6}.items()}
    >>> report = skstat.compare_scores(right, unit="instance", random_state=0)
    >>> prices = {"large": 70, "middle": 8, "small": 1}
    >>> report.choose(prices).name, report.choose(prices, margin=0.1).name
    ('large', 'middle')
    """
    r = _checked(self, margin, rule)
    kept = r.candidates()
    if not kept:
        raise ValueError("no system may be the best: each is significantly worse than another.")
    best, as_good, what = kept[0], _as_good(r), "was shown to be as good as the best"
    if r.margin is not None:
        what += f" within the margin of {short(r.margin)}"
    if rule != "margin":
        as_good = _within_one_error(r, best)
        what = "is within one standard error of the best score, which shows nothing"
    costs = _costs(r, cost, [*kept, *sorted(as_good.difference(kept))])
    least = next(iter(costs))
    name = next(name for name in costs if name == best or name in as_good)
    if costs[name] == costs[best]:
        name = best
    lead = f"{shown_name(best)} leads"
    if len(costs) == 1:
        why = f"{shown_name(best)} alone may be the best; its cost does not decide."
    elif name != best:
        paid, stands = _paid(cost, costs, name, best), _stands(r, name, best)
        why = f"{shown_name(name)} is the cheapest that {what} ({paid}). "
        why += f"{lead}; {shown_name(name)} {stands}."
    elif costs[least] >= costs[best]:
        why = f"{lead} ({_paid(cost, costs, best)}), and none that may be the best is cheaper."
    else:
        why = f"{lead} ({_paid(cost, costs, best)}), and no cheaper one {what}. "
        why += f"{shown_name(least)} ({_paid(cost, costs, least)}) {_stands(r, least, best)}."
        if r.margin is None and rule == "margin":
            why += " Say with margin= which loss does not matter."
    if r.invalid:
        why += f" The p-values are not valid: {r.invalid}."
    return ChosenSystem(name=name, sentence=why, costs=costs)


def _checked(r: Report, margin: float | None, rule: str) -> Report:
    """Return the report, with another margin if there is one; refuse what cannot be chosen."""
    if rule not in get_args(Rule):
        raise ValueError(f"rule={rule!r} is unknown; use 'margin' or 'one-standard-error'.")
    if margin is not None and rule != "margin":
        raise ValueError(f"margin={margin!r} belongs to rule='margin'; leave one of them out.")
    if r.direction_assumed:
        asked = asks_for_direction(r.metric, r.direction_assumed)
        raise ValueError(f"{asked} Else there is nothing to choose by.")
    if r.constant is not None:
        raise ValueError(f"there is nothing to choose: {r.names[1]} is not a system.")
    one_sided = r.is_pair and r.alternative != "two-sided"
    if one_sided or not r.asks_best or r.is_performance:
        raise ValueError(
            "the comparison does not say which may be the best: it is with a control, or "
            "one-sided. Compare all pairs, two-sided, to choose."
        )
    if margin is None:
        return r
    from skstat.report._build import report_of

    of_pair = {"adjusted_equivalence": None} if r.is_pair else {}
    found: Report = report_of(replace(r.evidence, margin=check_margin(margin), **of_pair))
    return found


def _as_good(r: Report) -> frozenset[str]:
    """Return the systems that were shown to lose less than the margin against every other.

    Without a margin those that were shown to lose nothing.
    """
    if r.margin is None and not (r.is_pair or r.simultaneous):
        return frozenset()

    def loses_less(pair: Pair) -> bool:
        if r.margin is None:
            return pair.high <= 0 if is_turned(r) else pair.low >= 0
        return pair.noninferior_p < r.alpha and not math.isnan(pair.inner_low)

    of = {name: r.against(name).values() for name in r.names}
    return frozenset(name for name, pairs in of.items() if all(map(loses_less, pairs)))


def _within_one_error(r: Report, best: str) -> frozenset[str]:
    """Return the systems whose mean score is within one standard error of the best one's."""
    mean, spread = r.systems[best].mean, r.systems[best].sd
    if math.isnan(mean + spread):
        raise ValueError(
            "rule='one-standard-error' needs scores of single units, whose standard "
            "deviation is known; use margin=."
        )
    reach, sign = spread / math.sqrt(r.n_units), -1 if r.lower else 1
    return frozenset(one.name for one in r.systems if sign * (mean - one.mean) <= reach)


def _stands(r: Report, name: str, best: str) -> str:
    """Say how a system stands to the best one."""
    if r.against(best)[name].better == best:
        return "is significantly worse"
    return against_leader(r, name, best)


def _costs(r: Report, cost: Cost, names: Sequence[str]) -> dict[str, float]:
    """Return what systems cost, the cheapest first; in the order given where it is equal."""
    if not isinstance(cost, str | Mapping) and not callable(cost):
        raise TypeError(f"cost={cost!r} must be {_WHAT}.")
    found = {name: _cost(r, cost, name) for name in names}
    for name, value in found.items():
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ValueError(
                f"cost of {name!r} is {value!r}; it must be a finite number. Pass {_WHAT}."
            )
    return {name: float(found[name]) for name in sorted(names, key=found.__getitem__)}


def _cost(r: Report, cost: Cost, name: str) -> Any:
    if not isinstance(cost, str | Mapping):
        return cost(name)
    known: Any = cost
    wanted = name
    if isinstance(cost, str):
        parameters = (getattr(r.evidence, "parameters", None) or {}).get(name, {})
        times = {kind: getattr(r.systems[name], column) for kind, column in _TIMES.items()}
        known, wanted = {**times, **parameters}, cost
    if wanted not in known:
        raise ValueError(f"cost= has nothing for {wanted!r}; it has {listed(map(str, known))}.")
    return known[wanted]


def _paid(cost: Cost, costs: Mapping[str, float], name: str, *others: str) -> str:
    """Write what some systems cost, of the first one what kind of cost it is."""
    kind = cost if isinstance(cost, str) else "cost"
    write = time_text if kind in _TIMES else short
    rest = (f"{shown_name(other)} {write(costs[other])}" for other in others)
    return "; ".join([f"{kind} {write(costs[name])}", *rest])
