"""What a report found, as sentences for the results section of a paper."""

import math
from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args

from skstat._names import one_line, shown_name
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._words import (
    conclude,
    decimals_for,
    direction,
    fixed,
    good,
    in_names,
    percent,
    probability_sentence,
    short,
    variation,
)
from skstat.stats._outcomes import unit_word

Style = Literal["plain", "apa"]

# More pairs than these are those with the leader, and a count of the others.
_MOST_PAIRS = 6
_MINUS = "\N{MINUS SIGN}"


def results(r: Report | ReportGrid, style: Style) -> Iterator[str]:
    """Walk the paragraphs: one of a report, of several reports one each.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    style : {"plain", "apa"}
        The conclusion in words with the numbers behind it, or the numbers alone.
    """
    if style not in get_args(Style):
        raise ValueError(f"style={style!r} is unknown; use 'plain' or 'apa'.")
    if isinstance(r, Report):
        yield one_line(" ".join(_plain(r) if style == "plain" else _apa(r)))
        return
    if r.overall is not None:
        yield from (f"All rows: {text}" for text in results(r.overall, style))
        yield from (f"Between slices: {text}" for text in variation(r))
    for name, part in r.reports.items():
        lead = f"{name}: " if r.by == "slice" else ""
        yield from (f"{lead}{text}" for text in results(part, style))


def not_valid(r: Report) -> str:
    """Name all doubts for which no p-value means what it says; empty without any."""
    found = (one for one in r.doubts if one.weight == "invalid")
    return "; ".join(dict.fromkeys(f"{one.title} ({one.code})" for one in found))


def bracketed(low: float, high: float, decimals: int) -> str:
    """Write an interval, of which a missing limit is infinite; empty if there is none."""
    if not (math.isfinite(low) or math.isfinite(high)):
        return ""
    return f"[{_number(low, decimals)}, {_number(high, decimals)}]"


def _number(value: float | None, decimals: int) -> str:
    """Write a limit or a statistic, which may be infinite."""
    if value is not None and math.isfinite(value):
        return fixed(value, decimals)
    return f"{_MINUS if value is not None and value < 0 else ''}\N{INFINITY}"


def _plain(r: Report) -> list[str]:
    if r.is_performance:
        return conclude(r)
    said = [_scores(r, "plain"), *conclude(r)]
    if r.is_pair:
        pair = r.pairs[0]
        degrees = "" if pair.df is None else f", df = {short(pair.df)}"
        statistic = f"Statistic: {r.statistic_name} = {short(pair.statistic)}{degrees}."
        effects = "; ".join(f"{name} {short(size)}" for name, size in _effects(r, pair))
        numbers = [statistic] * math.isfinite(pair.statistic)
        numbers += [f"Effect sizes: {effects}."] * bool(effects)
        said += [_in_names(text, pair) for text in numbers]
    return said


def _apa(r: Report) -> Iterator[str]:
    if found := not_valid(r):
        yield f"Not valid: {found}."
    if r.is_performance:
        yield from _estimates(r)
        return
    yield _scores(r, "apa")
    omnibus = r.omnibus
    if omnibus is not None and omnibus["df"] is not None:
        what = "mean ranks" if omnibus["scale"] == "rank" else "systems"
        bits = [_statistic(omnibus["statistic_name"], omnibus["df"], omnibus["statistic"])]
        bits += [_p(omnibus["pvalue"]), *_first(omnibus["effect_sizes"].items())]
        yield f"Test of all {what}: {', '.join(bits)}."
    pairs: Iterable[Pair] = r.pairs
    if len(r.pairs) > _MOST_PAIRS:
        ends = zip(*(r.pairs.columns[end] for end in ("first", "second")), strict=True)
        leader = r.control or r.names[0]
        pairs = (r.pairs[place] for place, names in enumerate(ends) if leader in names)
    for pair in pairs:
        yield _in_names(f"{_found(r, pair)}: {', '.join(_numbers(r, pair))}.", pair)
    if len(r.pairs) > _MOST_PAIRS and r.control is None:
        n = sum(p < r.alpha for p in r.pairs.columns["adjusted"])
        yield f"Of all {len(r.pairs)} pairs {n} differed significantly."
    if r.is_pair and r.probabilities is not None:
        yield probability_sentence(r, r.pairs[0])


def _estimates(r: Report) -> Iterator[str]:
    """Say how good systems are, and by how much two of them differ."""
    rows = [(one.name, one.mean, one.low, one.high) for one in r.systems]
    for pair in r.pairs:
        called = f"difference {pair.first} {_MINUS} {pair.second}"
        rows.append((called, pair.estimate, pair.low, pair.high))
    for called, estimate, low, high in rows:
        decimals = max(3, decimals_for([estimate, low, high]))
        interval = bracketed(low, high, decimals)
        level = f", {percent(r.confidence_level)} CI {interval}" if interval else ""
        yield f"{shown_name(called)}: {r.metric} = {fixed(estimate, decimals)}{level}."


def _scores(r: Report, style: Style) -> str:
    """Say the mean score of every system, and its standard deviation over the units."""
    known = [one for one in r.systems if one.name not in r.constants]
    known = [one for one in known if math.isfinite(one.mean)]
    decimals = max(3, decimals_for(one.mean for one in known))
    said = []
    for one in known:
        bits = [f"{'M = ' * (style == 'apa')}{fixed(one.mean, decimals)}"]
        bits += [f"SD = {fixed(one.sd, decimals)}"] * math.isfinite(one.sd)
        bits += [f"mean rank {fixed(one.mean_rank, 2)}"] * math.isfinite(one.mean_rank)
        said.append(f"{one_line(shown_name(one.name))} ({', '.join(bits)})")
    of_units = any(math.isfinite(one.sd) for one in known)
    what = f"Mean {r.metric}" if of_units else r.metric
    over = f"; SD over {r.sd_over}" if of_units and r.sd_over else ""
    n = f"{r.n_units} {unit_word(r.unit)}s"
    return f"{one_line(what)} over {n} ({direction(r)}{over}): {'; '.join(said)}."


def _found(r: Report, pair: Pair) -> str:
    """Say which of A and B is better, or that none was shown to be."""
    match pair.verdict:
        case "better":
            return "A was significantly better than B"
        case "worse":
            return "B was significantly better than A"
        case "higher" | "lower":
            return f"A was significantly {pair.verdict} than B"
        case "equivalent":
            also = ", but differed significantly" * (pair.p < r.alpha)
            return f"A and B were equivalent within the margin of {short(r.margin)}{also}"
    if pair.p < r.alpha:
        return "A and B differed significantly, but in no common direction or size"
    if math.isnan(pair.pvalue):
        return "No test of A against B was possible"
    undecided = "the difference between A and B was not significant"
    if r.alternative != "two-sided":
        undecided = f"it was not shown that A was {good(r, r.alternative == 'greater')} than B"
    if pair.verdict == "not inferior":
        return f"A was at most {short(r.margin)} {good(r, up=False)} than B, and {undecided}"
    return undecided[0].upper() + undecided[1:]


def _numbers(r: Report, pair: Pair) -> list[str]:
    """Write the difference with its interval, the statistic, the p-value and an effect size."""
    minus = f"rank of B {_MINUS} rank of A" if r.by_rank else f"A {_MINUS} B"
    decimals = decimals_for([pair.estimate, pair.low, pair.high])
    bits = [f"{r.quantity.name} ({minus}) = {fixed(pair.estimate, decimals)}"]
    sided = "" if r.alternative == "two-sided" else "one-sided "
    is_adjusted = not math.isnan(pair.adjusted)
    if interval := bracketed(pair.low, pair.high, decimals):
        kind = "simultaneous " if r.simultaneous else "adjusted " * is_adjusted
        bits.append(f"{sided}{kind}{percent(r.confidence_level)} CI {interval}")
    tested = not math.isnan(pair.pvalue)
    if tested and pair.df is not None and r.statistic_name:
        bits.append(_statistic(r.statistic_name, pair.df, pair.statistic))
    bits.append(f"{sided * tested}{_p(pair.pvalue)}")
    bits += [f"adjusted {_p(pair.adjusted)}"] * is_adjusted
    if r.margin is not None:
        alone = r.equivalence is not None and not r.equivalence["adjustment"]
        if alone and tested and pair.verdict == "not inferior":
            bits.append(f"non-inferiority {_p(pair.noninferior_p)}")
        bits.append(f"{'' if alone else 'adjusted '}equivalence {_p(pair.equivalence_p)}")
    effects = [one for one in _effects(r, pair) if one[0] != r.quantity.name]  # said already
    if r.quantity.name != "difference":
        effects.sort(key=lambda one: one[0] != "rank-biserial")
    return bits + _first(effects) * tested


def _statistic(name: str, df: Any, value: float | None) -> str:
    """Write ``t(15) = 2.74``."""
    degrees = ", ".join(map(short, df if isinstance(df, list | tuple) else [df]))
    return f"{name}({degrees}) = {_number(value, 2)}"


def _p(pvalue: float) -> str:
    """Write ``p = .015``: a probability needs no 0 before its point."""
    if math.isnan(pvalue):
        return "no p-value"
    if 0.001 <= pvalue < 0.9995:
        return f"p = {pvalue:.3f}".replace("0.", ".")
    return "p < .001" if pvalue < 0.001 else "p > .999"


def _effects(r: Report, pair: Pair) -> list[tuple[str, float]]:
    """Standardised effects; over splits, which share rows, they would be inflated by design."""
    if r.unit == "split":
        return []
    return [(name, size) for name, size in pair.effects.items() if math.isfinite(size)]


def _first(effects: Iterable[tuple[str, float | None]]) -> list[str]:
    """Write the first of the effects that are known."""
    return [f"{name} = {fixed(size, 2)}" for name, size in effects if size is not None][:1]


def _in_names(text: str, pair: Pair) -> str:
    """Put the names of both systems where a text says A and B."""
    return in_names(text, *(one_line(shown_name(name)) for name in pair[:2]))
