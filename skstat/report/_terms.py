"""Text for numbers, names, metrics and designs, the same in every form of a report."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, get_args

import numpy as np

from skstat._directions import is_amount, is_negated_loss
from skstat._names import shown_name
from skstat.stats._words import unit_word

Weight = Literal["invalid", "weak", "note"]  # of a doubt
WEIGHTS: tuple[Weight, ...] = get_args(Weight)  # the heaviest first
NAMED = 6  # systems listed by name; of more the rest is counted
_MOST_ITEMS = 10
MINUS = "\N{MINUS SIGN}"
_EITHER = re.compile(r"\b([AB])\b")

_COSTS = ("cost", "cost_sensitive_error")
# Beyond these numbers are written with an exponent.
_MOST_DECIMALS = 7
_LARGEST = 1e7
_CLOCK = (  # upper limit in seconds, unit, and the seconds of one unit
    (0.995e-3, "\N{MICRO SIGN}s", 1e-6),
    (0.995, "ms", 1e-3),
    (99.5, "s", 1.0),
    (5970.0, "min", 60.0),
    (math.inf, "h", 3600.0),
)
_SHARES = {1 / 3: "a third", 1 / 2: "half", 2 / 3: "two thirds"}
_MOST_NOTES = 2  # notes that follow the kind of design
_ALIKE = 0.02  # share of the rows by which sizes may differ and are still called equal


def decimals_for(values: Iterable[float | None]) -> int:
    """Return the decimals that give the largest of `values` three significant digits."""
    sizes = (abs(value) for value in values if value is not None and math.isfinite(value))
    largest = max(sizes, default=0.0)
    return max(0, 2 - math.floor(math.log10(largest))) if largest else 3


def decimals_of_pairs(*pairs: Any) -> int:
    """Return the decimals of the differences of pairs, and of their limits."""
    return decimals_for(chain.from_iterable((p.estimate, p.low, p.high) for p in pairs))


def half_width(low: Any, high: Any, estimate: Any) -> Any:
    """Return half the width of intervals, or the distance to the only limit, or inf or nan."""
    is_both = np.isfinite(low) & np.isfinite(high)
    return np.where(is_both, (high - low) / 2, np.fmin(estimate - low, high - estimate))


def fixed(value: float | None, decimals: int, *, sign: bool = False) -> str:
    """Write a score or a difference, or "no limit" or "undefined"."""
    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "no limit"
    plus = "+" if sign else ""
    if decimals > _MOST_DECIMALS or abs(value) >= _LARGEST:
        return f"{value:{plus}.2e}".replace("-", MINUS)
    text = f"{value:{plus}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", MINUS)


def span(low: float, high: float, decimals: int, *, sign: bool = True) -> str:
    """Write the limits of an interval, of which either may be infinite."""
    if math.isnan(low):
        return "none exists"
    if math.isinf(low) and math.isinf(high):
        return "no limit"
    below, above = fixed(low, decimals, sign=sign), fixed(high, decimals, sign=sign)
    if math.isinf(high):
        return f"at least {below}"
    return f"at most {above}" if math.isinf(low) else f"{below} to {above}"


def pvalue_text(pvalue: float | None) -> str:
    """Write ``p = 0.0312`` or ``p < 0.001``, never 0.000."""
    if pvalue is None or math.isnan(pvalue):
        return "no p-value"
    if pvalue < 0.001:
        return "p < 0.001"
    if pvalue > 0.9995:
        return "p = 1"
    return f"p = {pvalue:.4f}" if pvalue < 0.1 else f"p = {pvalue:.3f}"


def pvalue_cell(pvalue: float | None) -> str:
    """Write a p-value without "p =", for a column of a table."""
    return pvalue_text(pvalue).removeprefix("p = ").removeprefix("p ")


def probability_text(
    probability: float | None, n_drawn: int = 0, error: float | None = None
) -> str:
    """Write ``0.905``, or ``< 0.001``, never 0 or 1, with as many digits as the draws support.

    Parameters
    ----------
    probability : float or None
        The probability.
    n_drawn : int, default=0
        Number of draws that it is a share of, 0 if it was computed exactly. If no draw had the
        event, its probability may still be 3 / n_drawn.
    error : float, optional
        Its Monte Carlo error, default that of such a share. One unit of the last digit is at
        least as large.
    """
    if probability is None or math.isnan(probability):
        return "undefined"
    if error is None and n_drawn:
        error = math.sqrt(probability * (1 - probability) / n_drawn)
    decimals = 3 if not error else min(3, max(1, math.floor(-math.log10(error))))
    smallest = 10.0**-decimals
    if n_drawn and probability in (0, 1):
        smallest = max(smallest, 3 / n_drawn)
    if probability < smallest:
        return f"< {smallest:.{decimals}g}"
    if probability > 1 - smallest:
        return f"> {1 - smallest:.{decimals}g}"
    return f"{probability:.{decimals}f}"


def probability_texts(facts: Mapping[str, Any]) -> dict[str, str]:
    """Write each of the three probabilities of `Report.probabilities`."""
    n, errors = facts["n_drawn"], facts["monte_carlo_errors"] or {}
    sides = ("better", "same", "worse")
    return {side: probability_text(facts[side], n, errors.get(side)) for side in sides}


def about(count: int) -> str:
    """Write an estimated count with two significant digits."""
    return str(round(count, min(0, 2 - len(str(count)))))


def percent(level: float) -> str:
    """Write a confidence level."""
    return f"{100 * level:g}%"


def short(value: object) -> str:
    """Write a number with four significant digits, or all digits if it is whole."""
    if isinstance(value, list | tuple):
        return " and ".join(map(short, value))
    if value is None or value != value:
        return "undefined"
    if not isinstance(value, int | float):
        return str(value)
    whole = abs(value) < _LARGEST and value == int(value)
    text = f"{value:{'.0f' if whole else '.4g'}}"
    return text.replace("-", MINUS).replace("inf", "\N{INFINITY}")


def time_text(seconds: float | None) -> str:
    """Write a time with two significant digits, in a suitable unit."""
    if seconds is None or not math.isfinite(seconds):
        return "unknown"
    unit, size = next((unit, size) for limit, unit, size in _CLOCK if seconds < limit)
    value = float(f"{seconds / size:.2g}")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def units_behind(r: Any) -> str:
    """Write the units of a report: those of its standard error, and those of its scores."""
    scored = units(r.n_units, r.unit)
    if r.sampled is None:
        return scored
    return f"{units(r.sampled['n'], r.sampled['unit'])}, tested in {scored}"


def units(n: int, unit: str) -> str:
    """Write a number of units: ``1 split``, ``5 data sets``."""
    word = unit_word(unit)
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def ranks_text(low: float, high: float) -> str:
    """Write the ranks that a system may have."""
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def share_text(share: float) -> str:
    """Write a share of resamples in percent, never rounded to 0% or 100%."""
    if 0.9995 <= share < 1:
        return "> 99.9%"
    return "< 0.1%" if 0 < share < 0.0005 else percent(round(share, 3))


# --- names and tests ---


def effect_name(name: str) -> str:
    """Write the name of an effect size, in which a hyphen between blanks is a minus."""
    return name.replace(" - ", f" {MINUS} ")


def omnibus_text(omnibus: Mapping[str, Any]) -> str:
    """Write the test of all systems at once: statistic, df, its first effect size, p."""
    bits = [f"{omnibus['statistic_name']} = {short(omnibus['statistic'])}"]
    if omnibus["df"] is not None:
        bits.append(f"df = {short(omnibus['df'])}")
    sizes = list(omnibus["effect_sizes"].items())[:1]
    bits += [f"{name} = {short(size)}" for name, size in sizes]
    return f"{omnibus['test']}: {', '.join(bits)}, {pvalue_text(omnibus['pvalue'])}"


def adjustment_name(method: str) -> str:
    """Return the name of a method of adjustment."""
    people = {
        "bergmann-hommel": "Bergmann and Hommel's method",
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
    """Write names of systems in a sentence; of many only the first."""
    names = [shown_name(name) for name in names]
    if len(names) > NAMED:
        names = [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def join_items(items: Sequence[str], most: int = _MOST_ITEMS) -> str:
    """Write a list of items, and count those beyond `most`."""
    more = [f"{len(items) - most} more"] * (len(items) > most)
    return "; ".join([*items[:most], *more])


def holders_of(items_of: Iterable[tuple[str, Iterable[Any]]]) -> dict[Any, list[str]]:
    """Return the names that have each item, in the order in which the items come."""
    holders: dict[Any, list[str]] = {}
    for name, items in items_of:
        for item in items:
            holders.setdefault(item, []).append(name)
    return holders


def in_names(text: str, a: str, b: str) -> str:
    """Replace A and B in a text of ``skstat.stats`` by the names of two systems.

    Procedures do not know the names. In their texts A and B, as words, always stand for the
    first and the second system.

    Parameters
    ----------
    text : str
        A text of an outcome.
    a, b : str
        Names as they are shown.

    Returns
    -------
    str
        The text; letters A and B within a name are not replaced.

    Examples
    --------
    >>> in_names("mean of score(A) - score(B)", "B", "A")
    'mean of score(B) - score(A)'
    """
    names, parts = {"A": a, "B": b}, _EITHER.split(text)
    return "".join(map(names.get, parts, parts))


# --- metrics ---


class Words:
    """Words of a report for its values, and for a system that is better than another.

    Parameters
    ----------
    r : mapping
        The facts of the report.

    Attributes
    ----------
    score, best : str
        Word for a value of the metric, and "highest" or "lowest" for the best one.
    above, below : str
        "higher" and "lower", or the reverse, for the better and the worse of two values.
    good, bad, top : str
        "better", "worse" and "best"; "higher", "lower" and "highest" where it is not known
        whether higher is better.
    direction : str
        Which values are better.
    what : str
        The quantity in which systems differ.
    claim : str
        In what way the better of two is better, where it is not by the mean score.
    of_metric : str
        " in" and the metric, for a claim whose verb does not name it; or `claim`.
    by_rank : bool
        Whether pairs are compared by mean ranks.
    """

    def __init__(self, r: Mapping[str, Any]) -> None:
        metric, self.by_rank = r["metric"], r["scale"] != "score"
        self.score, self.best, self.above, self.below = "score", "highest", "higher", "lower"
        if r["lower"]:
            self.best, self.above, self.below = "lowest", "lower", "higher"
            self.score = "value" if metric.endswith("s") else metric
            if metric.endswith(_COSTS):
                self.score = "cost"
            elif not is_amount(metric):
                self.score = "error"
        self.good, self.bad, self.top = "better", "worse", "best"
        self.direction = f"{self.above} is better"
        if r["direction_assumed"]:
            self.good, self.bad, self.top = "higher", "lower", "highest"
            self.direction = "no direction is known"
        quantity, unit = r["quantity"], unit_word(r["unit"])
        self.what = f"{r['scale']} by {metric}" if self.by_rank else metric
        if quantity.of_units:
            self.what = f"the {metric} of single {unit}s"
        self.claim = f" {quantity.claim.format(unit=unit)}" if quantity.claim else ""
        in_verb = metric == self.score != "score" and not self.by_rank
        self.of_metric = self.claim or f" in {metric}" * (not in_verb)

    def verb(self, up: bool, plural: bool = False) -> str:
        """Return the verb for being better, or worse, such as "scores higher"."""
        side, s = self.above if up else self.below, "" if plural else "s"
        if self.by_rank:
            return f"rank{s} {self.good if up else self.bad}"
        if self.above == "lower":
            return f"{'have' if plural else 'has'} a {side} {self.score}"
        return f"score{s} {side}"


@dataclass(frozen=True)
class ShownMetric:
    """A metric as it is shown: a loss under its own name, with its own sign.

    Internally higher is better: the score of a loss is its negative, and the effect is
    score(A) - score(B). Reports show the loss itself, and differences of losses.

    Attributes
    ----------
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    """

    metric: str
    is_loss: bool = False

    @property
    def name(self) -> str:
        """Name of the metric, without ``neg_`` if it is a negated loss."""
        negated = self.is_loss and is_negated_loss(self.metric)
        return self.metric.removeprefix("neg_") if negated else self.metric

    @property
    def better(self) -> str:
        """Whether the better of two values is the "higher" or the "lower" one."""
        return "lower" if self.is_loss else "higher"

    @property
    def best(self) -> str:
        """Whether the best value is the "highest" or the "lowest" one."""
        return f"{self.better.removesuffix('er')}est"

    def value(self, score: Any) -> Any:
        """Return a score, or a difference of scores, in the shown sign; arrays work too."""
        return 0.0 - score if self.is_loss else score  # not -0.0

    def interval(self, low: Any, high: Any) -> tuple[Any, Any]:
        """Return the limits of an interval in the shown sign, low first; arrays work too."""
        return (0.0 - high, 0.0 - low) if self.is_loss else (low, high)


# --- designs ---


def design_line(design: Mapping[str, Any]) -> str:
    """Write the number of fits, the size of training sets and the kind of design.

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
    # Notes without a kind are only about a seed.
    texts = [design["kind"], *map(str, design.get("notes", ()))] if "kind" in design else []
    texts = texts[: 1 + _MOST_NOTES]
    if {"kind", "n_splits", "n_samples", "train_size"} <= set(design):
        halves, n = design.get("halves"), design["n_splits"]
        groups = ", groups kept together" if "train_groups" in design else ""
        trained = f"trained on {_part(design['train_size'], design['n_samples'])}{groups}"
        texts = [f"{units(n, 'fit')} each, {trained} ({design['kind']})"]
        if halves is not None:
            k, fits = halves["n_splits"], f"{n} {trained} ({design['kind']})"
            texts = [f"{n + k} fits each: {fits}, and {k} on halves for the variance"]
    return "; ".join([*texts, *design.get("read", ())])


def more_of_design(design: Mapping[str, Any]) -> str:
    """Write all facts of a design; empty if `design_line` has them all."""
    bits = [str(design["kind"])] if "kind" in design else []
    for part, what in (("size", "rows"), ("groups", "groups")):
        if f"train_{part}" in design:
            train, test = (span_of(design[f"{use}_{part}"]) for use in ("train", "test"))
            bits.append(f"trained on {train} {what}, tested on {test}")
    if "splitter" in design:
        bits.append(str(design["splitter"]))
    if halves := design.get("halves"):
        trained = f"trained on {span_of(halves['train_size'])} rows"
        bits.append(f"variance from {halves['kind']}, {trained}; {halves['splitter']}")
    text = "; ".join([*bits, *map(str, design.get("notes", ())), *design.get("read", ())])
    return "" if text == design_line(design) else text


def _part(size: int | list[int], n: int) -> str:
    """Write training rows as a part of all rows."""
    low, high = size if isinstance(size, list) else (size, size)
    if high - low > _ALIKE * n:
        return f"{low} to {high} of {n} rows"
    return f"{share_of_rows((low + high) / 2 / n)} of {n} rows"


def share_of_rows(share: float) -> str:
    """Write a share of the rows as a word such as "half", or in percent."""
    named = (name for exact, name in _SHARES.items() if abs(share - exact) < _ALIKE / 4)
    return next(named, f"{100 * share:.0f}%")


def span_of(size: int | list[int]) -> str:
    """Write a number of rows, or the smallest and the largest one."""
    return f"{size[0]} to {size[1]}" if isinstance(size, list) else str(size)


# --- how firm a verdict is ---


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


def stability_text(stability: Any) -> str:
    """Write the result of other partitions, a `Stability`, in one line."""
    words = [f"{stability.n_same} of {len(stability.seeds)} gave the same verdict"]
    columns = (stability.estimates, stability.pvalues)
    estimates, pvalues = ([v for v in values if not math.isnan(v)] for values in columns)
    if estimates:
        decimals = decimals_for(estimates)
        low, high = (fixed(end(estimates), decimals, sign=True) for end in (min, max))
        words.append(f"estimates from {low} to {high}")
    if pvalues:
        words.append(f"p from {pvalue_cell(min(pvalues))} to {pvalue_cell(max(pvalues))}")
    return "; ".join(words)


def pairs_stability_text(by_pair: Mapping[tuple[str, str], Any]) -> str:
    """Write how often other partitions agreed on every pair, the least stable first."""
    ordered = sorted(by_pair.items(), key=lambda one: one[1].n_same)
    texts = [
        f"{' and '.join(map(shown_name, pair))} ({one.n_same} of {len(one.seeds)})"
        for pair, one in ordered
    ]
    return f"same verdict in: {join_items(texts, NAMED)}" if texts else ""


def sturdiness_text(facts: Any, favoured: str) -> str:
    """Write how few units change a verdict, a `Sturdiness`, in one line.

    Parameters
    ----------
    facts : Sturdiness
        How many units may be left out.
    favoured : str
        Name of the system that the estimate favours.
    """
    k, k_reverse, n = facts.n_to_undecide, facts.n_to_reverse, units(facts.n_units, facts.unit)
    if k is None:
        text = f"significant without any of the {n} that were tried"
    else:
        text = f"without {k} of {n} ({_share(k, facts)})"
        if facts.too_few_left:
            text += ", too few that differ are left for any result to be significant"
        else:
            text += f" that favour {favoured} most, the difference would not be significant"
            enough = "are not enough" if facts.is_exact else "may be enough"
            text += f"; fewer {enough}" * (k > 1)
    if k_reverse not in (None, k):
        share = _share(k_reverse, facts)
        text += f"; without {k_reverse} ({share}) it would not favour {favoured}"
    return text


def _share(k: int, result: Any) -> str:
    return percent(float(f"{k / result.n_units:.2g}"))
