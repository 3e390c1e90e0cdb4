"""Details: every number behind the headline, what was asked, how, and what must hold."""

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite, isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._sections.drawing import inner_level
from skstat.report._sections.pairs import about_differences
from skstat.report._sections.tables import MINUS, decimals_of, has_few_units, span
from skstat.report._sturdiness import sturdiness
from skstat.report._words import (
    adjustment_name,
    best_chances,
    bounds_text,
    choice_text,
    decimals_for,
    draws_text,
    estimand_in_names,
    fixed,
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
from skstat.report._would_take import would_take
from skstat.stats import BradleyTerryPosterior
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import unit_word

Rows = Iterator[tuple[str, str]]


def detail_rows(r: Report) -> Rows:
    """Return every number and word that is read on request only; some may be empty."""
    yield from _of_pair(r, r.pairs[0]) if r.is_pair else _of_systems(r)
    yield from _how(r)
    yield from _sturdy(r)
    if takes := would_take(r):
        yield "Would take", takes * has_few_units(r)
        yield "Planned", _planned(r)


def _of_pair(r: Report, pair: Pair) -> Rows:
    a, b = map(shown_name, pair[:2])
    decimals = decimals_of(pair)
    yield "Difference", f"{fixed(pair.estimate, decimals, sign=True)} {r.metric}"
    yield f"{percent(r.confidence_level)} interval", span(pair.low, pair.high, decimals)
    yield "These numbers", " ".join(about_differences(r, [pair], a, b))
    first, second = (s.mean for s in r.systems)
    if not (r.quantity.is_difference or isnan(first - second)):
        size = fixed(first - second, max(decimals, 3), sign=True)
        text = f"{size} {r.metric} ({a} {MINUS} {b}), which the test does not estimate"
        yield "Difference of means", text
    if "sd" in r.systems:
        yield "sd", f"standard deviation over the {unit_word(r.unit)}s"
    yield "Statistic", _statistic(r, pair)
    if r.equivalence is not None:
        yield "Equivalence", _equivalence(r, r.equivalence, pair, decimals)
    if r.probabilities is not None:
        yield "Probabilities", _probabilities(r, r.probabilities, pair)


def _of_systems(r: Report) -> Rows:
    """Return what is known of all systems together."""
    if r.is_performance:
        yield "Of the difference", "; ".join({p.test for p in r.pairs}.difference(r.tests))
        yield "Why this method", r.reason
        return
    if r.omnibus is not None:
        yield "All at once", omnibus_text(dict(r.omnibus), effects=False)
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
    if r.probabilities is not None:
        rope = r.probabilities["rope"]
        region = f"differences up to {short(rope)} {r.metric} are practically none"
        region = region if rope else "without a region"
        yield "Probabilities", f"{r.probabilities['model']}; {region}; not adjusted"
    if r.strengths is not None:
        yield "Strengths", _strengths(r, r.strengths)
    yield "Other partitions", pairs_stability_text(r.stability)
    yield "Left out", join_items(r.left_out)


def _how(r: Report) -> Rows:
    """Say what was estimated and tested, on what, and what must hold."""
    a, b = "the first", "the second"
    effects: Mapping[str, float] = {} if r.omnibus is None else r.omnibus["effect_sizes"]
    if r.is_pair:
        (a, b), effects = map(shown_name, r.pairs[0][:2]), r.pairs[0].effects
    elif r.is_performance:
        a, b = "A", "B"

    def named(texts: Iterable[str]) -> str:
        return "; ".join(in_names(text, a, b) for text in texts)

    yield "Effect sizes", named(f"{name} {short(value)}" for name, value in effects.items())
    yield "Choice of test", choice_text(r.choice)
    yield "Estimand", estimand_in_names(r.estimand, a, b, r.metric, r.scale)
    if r.omnibus is not None:
        yield "Null, all at once", r.omnibus["null_hypothesis"]
    yield "Null hypothesis" if r.is_pair else "Null, in pairs", named(r.null_hypotheses)
    yield "Unit", units_behind(r)
    yield "Assumptions", named(r.assumptions)
    yield "Not covered", "; ".join(r.ignored_variance)
    yield "All of the design", more_of_design(r.design)
    yield "Larger training sets", larger_text(r.design)
    yield "Fits", str(r.n_fits or "")
    if r.is_pair and r.lower:
        yield (
            "Sign",
            f"lower {r.metric} is better. Where an assumption or a hypothesis speaks of a "
            f"score, it is {MINUS}{r.metric}",
        )


def _sturdy(r: Report) -> Rows:
    """Say how few units the verdict on two systems rests on; this takes time."""
    found = sturdiness(r)
    if found is not None:
        said = sturdiness_text(found, shown_name(r.pairs[0].better or ""))
        yield f"Leaving out {unit_word(found.unit)}s", said


def _planned(r: Report) -> str:
    """Say what the number of units is for, that would decide an open comparison."""
    limit = "from an upper limit of what varied; report.plan"
    if r.margin is not None:
        return f"{limit}(margin=...) is for other margins"
    half = "for a difference of half of the interval's width"
    return f"{half}, {limit}(difference=...) is for the one that matters to you"


# --- two systems ---------------------------------------------------------------------------


def _statistic(r: Report, pair: Pair) -> str:
    name = in_names(r.statistic_name, *map(shown_name, pair[:2]))
    size = short(pair.statistic) if isfinite(pair.statistic) else "undefined"
    df = "" if pair.df is None else f", df = {short(pair.df)}"
    own, adjusted, error = pvalue_text(pair.pvalue), "", r.monte_carlo_error
    if r.n_family > 1:
        adjusted = f", adjusted {pvalue_text(pair.adjusted)}"
    drawn = f" (Monte Carlo error {short(float(f'{error:.1g}'))})" if error else ""
    # Of a family with one law the adjusted p-value is drawn, else the own one.
    pvalues = own + adjusted + drawn if r.simultaneous else own + drawn + adjusted
    return f"{name} = {size}{df}, {pvalues}"


def _equivalence(r: Report, found: Mapping[str, Any], pair: Pair, decimals: int) -> str:
    limits = span(pair.inner_low, pair.inner_high, decimals)
    minus, margin = f" {MINUS} ".join(map(shown_name, pair[:2])), short(r.margin)
    own = (
        f"{pvalue_text(found['pvalue'])} (two one-sided tests; against {minus} "
        f"\N{LESS-THAN OR EQUAL TO} {MINUS}{margin}: {pvalue_text(found['lower_pvalue'])}, "
        f"against {minus} \N{GREATER-THAN OR EQUAL TO} {margin}: "
        f"{pvalue_text(found['upper_pvalue'])})"
    )
    if found["adjustment"]:
        limits += " (not adjusted)"
        own = f"{pvalue_text(found['adjusted_pvalue'])} {found['adjustment']}, unadjusted {own}"
    return f"margin {margin} {r.metric}; {inner_level(r)} interval {limits}; {own}"


def _probabilities(r: Report, found: Mapping[str, Any], pair: Pair) -> str:
    """Write the probabilities, the credible interval, and what they rest on."""
    credible = ""
    if found["interval"] is not None:
        low, high = (float("nan") if end is None else end for end in found["interval"])
        level = percent(found["confidence_level"])
        limits = span(low, high, decimals_for((low, high)))
        credible = f"{level} credible interval of {found['subject']} {limits}"
    bits = [
        credible,
        bounds_text(r, pair),
        draws_text(found),
        "not adjusted for other comparisons" * bool(r.adjustment),
    ]
    return f"{'; '.join(filter(None, bits))}. Model: {found['model']}"


def _strengths(r: Report, found: BradleyTerryPosterior) -> str:
    """Write what the probabilities to be the best rest on, and how well they fit."""
    word, k, n_pairs, model = unit_word(r.unit), len(found.names), len(found.wins), found.model
    ties, weight = "a tie is half a win for either", f"{found.weight:.2f}"
    if found.shares is not None:
        same = (
            f"differences up to {short(found.rope)} {r.metric}"
            if found.rope
            else "equal scores"
        )
        ties = f"{same} are ties, half a win for either"
        by_size = f"3 / (k + 1), with k systems on a {word},"
        exact = abs(found.weight - 3 / (k + 1)) < 1e-9
        weight = f"{short(found.weight)} = 3 / ({k} + 1)" if exact else by_size
    bits = [
        "one strength for each system",
        ties,
        f"every comparison counts as {weight} of an independent one, as those on one {word} "
        "depend on each other",
        f"{model.n_draws} draws, worth {model.effective_size:.0f}",
        f"check of the model: the wins of {round(found.inside * n_pairs)} of {n_pairs} pairs "
        "are within the limits that it predicts with a probability of 90%",
    ]
    if found.shares is not None:
        shares = found.shares
        chances = best_chances(r, shares.best_probabilities, shares.effective_size)
        bits.append(f"by shares of wins, without a model: {chances}")
    return "; ".join(bits)
