"""Details: every number behind the headline, what was asked, how, and what must hold."""

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite, isinf, isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._blocks import Rows
from skstat.report._model import Pair, Report
from skstat.report._sections.drawing import inner_level
from skstat.report._sections.systems import span
from skstat.report._sturdiness import sturdiness
from skstat.report._words import (
    adjustment_name,
    best_chances,
    bounds_text,
    choice_text,
    decimals_for,
    df_text,
    draws_text,
    estimand_in_names,
    fixed,
    good,
    in_names,
    join_items,
    larger_text,
    more_of_design,
    omnibus_text,
    pairs_stability_text,
    percent,
    pvalue_text,
    short,
    sturdiness_text,
    units_behind,
)
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import unit_word

_OF_EVERY_PAIR = ("the first", "the second")
_MINUS, _UP_TO, _FROM = (
    "\N{MINUS SIGN}",
    "\N{LESS-THAN OR EQUAL TO}",
    "\N{GREATER-THAN OR EQUAL TO}",
)
_FOR_HALF = (
    "for a difference of half of the interval's width, from an upper limit of what varied; "
    "report.plan(difference=...) is for the one that matters to you"
)
_FOR_MARGIN = "from an upper limit of what varied; report.plan(margin=...) is for other margins"


def detail_rows(r: Report) -> Rows:
    """Return every number and word that is read on request only."""
    rows = _of_pair(r, r.pairs[0]) if r.is_pair else _of_systems(r)
    return [(label, text) for label, text in rows if text]


def _of_pair(r: Report, pair: Pair) -> Iterator[tuple[str, str]]:
    a, b = shown_name(pair.first), shown_name(pair.second)
    decimals = decimals_of(pair)
    yield "Difference", _difference(r, pair, decimals)
    yield f"{percent(r.confidence_level)} interval", interval_text(r, pair, decimals)
    means = [s.mean for s in r.systems]
    if not r.quantity.is_difference and not isnan(means[0] - means[1]):
        size = fixed(means[0] - means[1], max(decimals, 3), sign=True)
        text = f"{size} {r.metric} ({a} {_MINUS} {b}), which the test does not estimate"
        yield "Difference of means", text
    if "sd" in r.systems:
        yield "sd", f"standard deviation over the {unit_word(r.unit)}s"
    yield "Statistic", _statistic(r, pair)
    if r.equivalence is not None:
        yield "Margin", _margin(r, pair)
        yield "Equivalence", _equivalence(r, r.equivalence, pair, decimals)
    if r.probabilities is not None:
        yield "Probabilities", _probabilities(r, r.probabilities, pair)
    yield from _how(r, (a, b), pair.effects)
    if r.lower:
        yield (
            "Sign",
            f"lower {r.metric} is better. Where an assumption or a hypothesis speaks of a "
            f"score, it is {_MINUS}{r.metric}",
        )


def _of_systems(r: Report) -> Iterator[tuple[str, str]]:
    omnibus = r.omnibus
    effects = {} if omnibus is None else omnibus["effect_sizes"]
    yield "Choice of tests", choice_text(r.choice)
    yield "All at once", "" if omnibus is None else omnibus_text(dict(omnibus), effects=False)
    if r.critical_difference is not None:
        yield "Critical difference", f"{fixed(r.critical_difference, 3)} in mean rank"
    undrawn = [f"{shown_name(a)} and {shown_name(b)}" for a, b in r.undrawn]
    yield "Not joined by a bar", join_items(undrawn)
    if r.margin is not None:
        method = r.adjustment
        if method == "max-t" or adjustment_facts(method).logical:
            method = "holm"  # as `equivalence_tests` has it
        yield (
            "Margin",
            f"{short(r.margin)} {r.metric}: two one-sided tests of every pair (the "
            f"{inner_level(r)} interval inside the margin), p-values adjusted by "
            f"{adjustment_name(method)}",
        )
    found = r.probabilities
    if found is not None:
        rope = found["rope"]
        region = f"differences up to {short(rope)} {r.metric} are practically none"
        region = region if rope else "without a region"
        yield "Probabilities", f"{found['model']}; {region}; not adjusted"
    yield "Strengths", _strengths(r)
    yield from _how(r, _OF_EVERY_PAIR, effects)
    pairs = [
        {"first": shown_name(a), "second": shown_name(b), **found.to_dict()}
        for (a, b), found in r.stability.items()
    ]
    yield "Other partitions", pairs_stability_text(pairs)
    yield "Left out", join_items(r.left_out)


def _how(
    r: Report, names: tuple[str, str], effects: Mapping[str, float]
) -> Iterator[tuple[str, str]]:
    """Say what was estimated and tested, on what, and what must hold."""

    def named(texts: Iterable[str]) -> str:
        return "; ".join(in_names(text, *names) for text in texts)

    sizes = [f"{name} {short(value)}" for name, value in effects.items()]
    if r.is_pair:
        yield "Effect sizes", named(sizes)
        yield "Choice of test", choice_text(r.choice)
    yield "Estimand", estimand_in_names(r.estimand, *names, r.metric, r.scale)
    if r.omnibus is not None:
        yield "Null, all at once", r.omnibus["null_hypothesis"]
    yield "Null hypothesis" if r.is_pair else "Null, in pairs", named(r.null_hypotheses)
    yield "Unit", units_behind(r)
    yield "Assumptions", named(r.assumptions)
    yield "Not covered", "; ".join(r.ignored_variance)
    if not r.is_pair:
        yield "Effect sizes", "; ".join(sizes)
    yield "All of the design", more_of_design(r.design)
    yield "Larger training sets", larger_text(r.design)


def sturdy_rows(r: Report) -> Rows:
    """Say how few units the verdict on two systems rests on; this takes time."""
    found = sturdiness(r)
    if found is None:
        return []
    said = sturdiness_text(found.to_dict(), shown_name(r.pairs[0].better or ""))
    return [(f"Leaving out {unit_word(found.unit)}s", said)]


def planned_rows(r: Report) -> Rows:
    """Say what the number of units is for, that would decide an open comparison."""
    return [("Planned", _FOR_HALF if r.margin is None else _FOR_MARGIN)]


def decimals_of(pair: Pair) -> int:
    """Return the decimals of the numbers of a pair."""
    return decimals_for([pair.estimate, pair.low, pair.high])


def _difference(r: Report, pair: Pair, decimals: int) -> str:
    estimate = fixed(pair.estimate, decimals, sign=True)
    a, b = shown_name(pair.first), shown_name(pair.second)
    if r.by_rank:
        return f"{estimate} in mean rank (rank of {b} {_MINUS} rank of {a}), by {r.metric}"
    which = f"({a} {_MINUS} {b}{'; lower is better' * r.lower})"
    if r.quantity.is_difference:
        return f"{estimate} {r.metric} {which}"
    of = f" of single {unit_word(r.unit)}s" if r.quantity.of_units else ""
    return f"{estimate}: {r.quantity.name} in {r.metric}{of} {which}"


def interval_text(r: Report, pair: Pair, decimals: int) -> str:
    """Write the limits of the difference, and for what they hold."""
    low, high = pair.low, pair.high
    if isnan(low):
        return "none exists"
    if isinf(low) and isinf(high):
        return f"no limit with so few {unit_word(r.unit)}s"
    text = span(low, high, decimals)
    if isinf(low) or isinf(high):
        return f"{text} (one-sided)"
    if r.simultaneous:
        return f"{text} (simultaneous)"
    return text + " (adjusted like the p-value)" * bool(r.adjustment)


def _statistic(r: Report, pair: Pair) -> str:
    name = in_names(r.statistic_name, shown_name(pair.first), shown_name(pair.second))
    bits = [f"{name} = {short(pair.statistic) if isfinite(pair.statistic) else 'undefined'}"]
    if pair.df is not None:
        bits.append(f"df = {df_text(pair.df)}")
    error = r.monte_carlo_error
    drawn = f" (Monte Carlo error {short(float(f'{error:.1g}'))})" if error else ""
    own, is_adjusted = pvalue_text(pair.pvalue), r.n_family > 1
    if not is_adjusted:
        return ", ".join([*bits, own + drawn])
    # Of a family with one law the adjusted p-value is drawn, else the own one.
    adjusted = f"adjusted {pvalue_text(pair.adjusted)}"
    if r.simultaneous:
        return ", ".join([*bits, own, adjusted + drawn])
    return ", ".join([*bits, own + drawn, adjusted])


def _margin(r: Report, pair: Pair) -> str:
    verdict = pair.verdict
    if pair.better is not None:
        verdict = f"{shown_name(pair.better)} is better"
    elif verdict in ("undecided", "not inferior"):
        sides = {pair.first: pair.noninferior_p, pair.second: pair.noninferior_p_second}
        verdict = "undecided" + "".join(
            f", {shown_name(name)} is not worse by as much"
            for name, pvalue in sides.items()
            if pvalue < r.alpha
        )
    return f"{short(r.margin)} {r.metric}; verdict: {verdict}"


def inner_limits(pair: Pair, decimals: int) -> str:
    """Write the limits of the interval that decides about the margin."""
    low, high = pair.inner_low, pair.inner_high
    if isnan(low) or (isinf(low) and isinf(high)):
        return "none exists" if isnan(pair.equivalence_p) else "without a limit"
    return " to ".join(fixed(end, decimals, sign=True) for end in (low, high))


def _equivalence(r: Report, found: Mapping[str, Any], pair: Pair, decimals: int) -> str:
    limits = inner_limits(pair, decimals)
    minus = f"{shown_name(pair.first)} {_MINUS} {shown_name(pair.second)}"
    margin = short(r.margin)
    sides = (
        f"against {minus} {_UP_TO} {_MINUS}{margin}: {pvalue_text(found['lower_pvalue'])}, "
        f"against {minus} {_FROM} {margin}: {pvalue_text(found['upper_pvalue'])}"
    )
    own = f"{pvalue_text(found['pvalue'])} (two one-sided tests; {sides})"
    if found["adjustment"]:
        limits += " (not adjusted)"
        own = f"{pvalue_text(found['adjusted_pvalue'])} {found['adjustment']}, unadjusted {own}"
    return f"{inner_level(r)} interval {limits}; {own}"


def _probabilities(r: Report, found: Mapping[str, Any], pair: Pair) -> str:
    """Write the probabilities, the credible interval, and what they rest on."""
    names = shown_name(pair.first), shown_name(pair.second)
    credible = ""
    if found["interval"] is not None:
        ends = found["interval"]
        known = not any(end is None or isnan(end) for end in ends)
        decimals = decimals_for(ends)
        limits = " to ".join(fixed(end, decimals, sign=True) for end in ends)
        credible = (
            f"{percent(found['confidence_level'])} credible interval of {found['subject']} "
            f"{limits if known else 'none exists'}"
        )
    bits = [
        credible,
        bounds_text(found, *names, good(r)),
        draws_text(found),
        "not adjusted for other comparisons" * bool(r.adjustment),
    ]
    return f"{'; '.join(filter(None, bits))}. Model: {found['model']}"


def _strengths(r: Report) -> str:
    """Write what the probabilities to be the best rest on, and how well they fit."""
    found = r.strengths
    if found is None:
        return ""
    word, k = unit_word(r.unit), len(found.names)
    n_pairs = len(found.wins)
    n_inside = round(found.inside * n_pairs)
    model = found.model
    drawn = (
        f"{model.n_draws} draws, worth {model.effective_size:.0f}; check of the model: the "
        f"wins of {n_inside} of {n_pairs} pairs are within the limits that it predicts with a "
        "probability of 90%"
    )
    if found.shares is None:
        return (
            "one strength for each system; a tie is half a win for either; every comparison "
            f"counts as {found.weight:.2f} of an independent one, as those on one {word} "
            f"depend on each other; {drawn}"
        )
    ties = f"differences up to {short(found.rope)} {r.metric} are ties"
    weight = f"{short(found.weight)} = 3 / ({k} + 1) of an independent one"
    if abs(found.weight - 3 / (k + 1)) > 1e-9:
        weight = f"3 / (k + 1) of an independent one on a {word} with k systems"
    return (
        f"one strength for each system; {ties if found.rope else 'equal scores are ties'}, "
        f"half a win for either; the wins on one {word} come from one ranking and depend on "
        f"each other, so that each counts as {weight}; {drawn}; by shares of wins, without a "
        f"model: {best_chances(r, found.shares)}"
    )
