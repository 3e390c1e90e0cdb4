"""What a report found, as sentences for the results section of a paper."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

from skstat._names import one_line, shown_name
from skstat.report._model import Pair, Report, ReportGrid, System
from skstat.report._words import (
    conclude,
    decimals_for,
    df_text,
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
    below = fixed(low, decimals) if math.isfinite(low) else f"{_MINUS}\N{INFINITY}"
    above = fixed(high, decimals) if math.isfinite(high) else "\N{INFINITY}"
    return f"[{below}, {above}]"


def _plain(r: Report) -> list[str]:
    if r.is_performance:
        return conclude(r)
    said = [_scores(r, r.systems, "plain"), *conclude(r)]
    if not r.is_pair:
        return said
    pair = r.pairs[0]
    name, value = in_names(r.statistic_name, *_ends(pair)), short(_known(pair.statistic))
    degrees = "" if pair.df is None else f", df = {df_text(pair.df)}"
    effects = [
        f"{in_names(name, *_ends(pair))} {short(size)}"
        for name, size in _effects(r, pair.effects).items()
    ]
    said.append(f"Statistic: {name} = {value}{degrees}.")
    return [*said, f"Effect sizes: {'; '.join(effects)}."] if effects else said


def _apa(r: Report) -> Iterator[str]:
    if found := not_valid(r):
        yield f"Not valid: {found}."
    if r.is_performance:
        yield from _estimates(r)
        return
    yield _scores(r, r.systems[:1] if r.constant is not None else r.systems, "apa")
    omnibus = r.omnibus
    if omnibus is not None and omnibus["df"] is not None:
        what = "mean ranks" if omnibus["scale"] == "rank" else "systems"
        statistic = _statistic(omnibus["statistic_name"], omnibus["df"], omnibus["statistic"])
        bits = [statistic, _p(omnibus["pvalue"]), *_effect(omnibus["effect_sizes"])]
        yield f"Test of all {what}: {', '.join(bits)}."
    places = list(range(len(r.pairs)))
    if len(places) > _MOST_PAIRS:
        ends = zip(*(r.pairs.columns[end] for end in ("first", "second")), strict=True)
        leader = r.control or r.names[0]
        places = [place for place, pair in enumerate(ends) if leader in pair]
    for place in places:
        yield f"{_found(r, r.pairs[place])}: {', '.join(_numbers(r, r.pairs[place]))}."
    if len(places) < len(r.pairs):
        n = sum(p < r.alpha for p in r.pairs.columns["adjusted"])
        yield f"Of all {len(r.pairs)} pairs {n} differed significantly."
    if r.is_pair and r.probabilities is not None:
        yield probability_sentence(r, r.pairs[0])


def _estimates(r: Report) -> Iterator[str]:
    """Say how good systems are, and by how much two of them differ."""
    rows: list[tuple[str, float, float, float]] = [
        (one.name, one.mean, one.low, one.high) for one in r.systems
    ]
    for pair in r.pairs:
        called = f"difference {pair.first} {_MINUS} {pair.second}"
        rows.append((called, pair.estimate, pair.low, pair.high))
    for called, estimate, low, high in rows:
        decimals = max(3, decimals_for([estimate, low, high]))
        interval = bracketed(low, high, decimals)
        level = f", {percent(r.confidence_level)} CI {interval}" if interval else ""
        yield f"{shown_name(called)}: {r.metric} = {fixed(estimate, decimals)}{level}."


def _scores(r: Report, systems: Iterable[System], style: Style) -> str:
    """Say the mean score of every system, and its standard deviation over the units."""
    systems = [one for one in systems if math.isfinite(one.mean)]
    decimals = max(3, decimals_for(one.mean for one in systems))
    said = []
    for one in systems:
        bits = [f"{'M = ' if style == 'apa' else ''}{fixed(one.mean, decimals)}"]
        if math.isfinite(one.sd):
            bits.append(f"SD = {fixed(one.sd, decimals)}")
        if not math.isnan(one.mean_rank):
            bits.append(f"mean rank {fixed(one.mean_rank, 2)}")
        said.append(f"{one_line(shown_name(one.name))} ({', '.join(bits)})")
    of_units = any(math.isfinite(one.sd) for one in systems)
    what = f"Mean {r.metric}" if of_units else r.metric
    over = f"; SD over {r.sd_over}" if of_units and r.sd_over else ""
    n = f"{r.n_units} {unit_word(r.unit)}s"
    return f"{one_line(what)} over {n} ({direction(r)}{over}): {'; '.join(said)}."


def _found(r: Report, pair: Pair) -> str:
    """Say which of two systems is better, or that none was shown to be."""
    a, b = _ends(pair)
    if pair.verdict in ("better", "worse"):
        ahead, behind = (a, b) if pair.verdict == "better" else (b, a)
        return f"{ahead} was significantly better than {behind}"
    if pair.verdict in ("higher", "lower"):
        return f"{a} was significantly {pair.verdict} than {b}"
    if pair.verdict == "equivalent":
        also = ", but differed significantly" if pair.p < r.alpha else ""
        return f"{a} and {b} were equivalent within the margin of {short(r.margin)}{also}"
    if pair.p < r.alpha:
        return f"{a} and {b} differed significantly, but in no common direction or size"
    if math.isnan(pair.pvalue):
        return f"No test of {a} against {b} was possible"
    undecided = f"the difference between {a} and {b} was not significant"
    if r.alternative != "two-sided":
        undecided = (
            f"it was not shown that {a} was {good(r, r.alternative == 'greater')} than {b}"
        )
    if pair.verdict == "not inferior":
        least = f"at most {short(r.margin)} {good(r, up=False)}"
        return f"{a} was {least} than {b}, and {undecided}"
    return undecided[0].upper() + undecided[1:]


def _numbers(r: Report, pair: Pair) -> list[str]:
    """Write the difference with its interval, the statistic, the p-value and an effect size."""
    a, b = _ends(pair)
    minus = f"rank of {b} {_MINUS} rank of {a}" if r.by_rank else f"{a} {_MINUS} {b}"
    decimals = decimals_for([pair.estimate, pair.low, pair.high])
    bits = [f"{r.quantity.name} ({minus}) = {fixed(_known(pair.estimate), decimals)}"]
    sided = "" if r.alternative == "two-sided" else "one-sided "
    is_adjusted = not math.isnan(pair.adjusted)
    if interval := bracketed(pair.low, pair.high, decimals):
        kind = "simultaneous " if r.simultaneous else "adjusted " if is_adjusted else ""
        bits.append(f"{sided}{kind}{percent(r.confidence_level)} CI {interval}")
    if math.isnan(pair.pvalue):
        return [*bits, "no p-value", *_margin(r, pair)]
    if pair.df is not None and r.statistic_name:
        bits.append(_statistic(in_names(r.statistic_name, a, b), pair.df, pair.statistic))
    bits.append(f"{sided}{_p(pair.pvalue)}")
    if is_adjusted:
        bits.append(f"adjusted {_p(pair.adjusted)}")
    effects = _effects(r, pair.effects)
    effects.pop(r.quantity.name, None)  # it was said already
    if "rank-biserial" in effects and r.quantity.name != "difference":
        effects = {"rank-biserial": effects["rank-biserial"]}
    return [*bits, *_margin(r, pair), *(in_names(one, a, b) for one in _effect(effects))]


def _margin(r: Report, pair: Pair) -> list[str]:
    """Write the p-values of the margin, where one was given."""
    if r.margin is None:
        return []
    alone = r.equivalence is not None and not r.equivalence["adjustment"]
    both = f"{'' if alone else 'adjusted '}equivalence {_p(pair.equivalence_p)}"
    if not alone or pair.verdict != "not inferior":
        return [both]
    return [f"non-inferiority {_p(pair.noninferior_p)}", both]


def _statistic(name: str, df: Any, value: float | None) -> str:
    """Write ``t(15) = 2.74``."""
    degrees = ", ".join(map(df_text, df)) if isinstance(df, list | tuple) else df_text(df)
    if value is None or not math.isfinite(value):
        below = _MINUS if value is not None and value < 0 else ""
        return f"{name}({degrees}) = {below}\N{INFINITY}"
    return f"{name}({degrees}) = {fixed(value, 2)}"


def _p(pvalue: float) -> str:
    """Write ``p = .015``: a probability needs no 0 before its point."""
    if math.isnan(pvalue):
        return "no p-value"
    if pvalue < 0.001:
        return "p < .001"
    text = f"{pvalue:.3f}"
    return "p > .999" if text == "1.000" else f"p = {text.lstrip('0')}"


def _effects(r: Report, effects: Mapping[str, float]) -> dict[str, float]:
    """Standardised effects; over splits, which share rows, they would be inflated by design."""
    if r.unit == "split":
        return {}
    return {name: size for name, size in effects.items() if math.isfinite(size)}


def _effect(effects: Mapping[str, float | None]) -> list[str]:
    """Write the first of the effects that are known."""
    known = ((name, size) for name, size in effects.items() if size is not None)
    return [f"{name} = {fixed(size, 2)}" for name, size in known][:1]


def _ends(pair: Pair) -> tuple[str, str]:
    return one_line(shown_name(pair.first)), one_line(shown_name(pair.second))


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
