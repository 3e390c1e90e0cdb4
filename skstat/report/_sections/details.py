"""Details: every number behind the headline, what was asked, how, and what must hold."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import isfinite, isnan, nan
from typing import Any

from skstat._names import shown_name
from skstat.report import _words as say
from skstat.report._blocks import Cells, Column, column, table
from skstat.report._model import Pair, Report
from skstat.report._sections.drawing import inner_level
from skstat.report._sections.pairs import about_differences
from skstat.report._sturdiness import sturdiness
from skstat.report._would_take import would_take
from skstat.stats import BradleyTerryPosterior
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import unit_word

HOW = "What was tested, and how"
_FEW_UNITS = 10  # of fewer, nobody should plan by what varied
_MOST_CHANCES = 30  # pairs

Rows = Iterator[tuple[str, str]]


def has_few_units(r: Report) -> bool:
    """Whether so little is known of what varied that nobody should plan by it at once."""
    return (r.n_units if r.sampled is None else r.sampled["n"]) < _FEW_UNITS


def detail_rows(r: Report) -> Rows:
    """Return every number and word that is read on request only; some may be empty."""
    yield from _of_pair(r, r.pairs[0]) if r.is_pair else _of_systems(r)
    yield from _how(r)
    found = sturdiness(r)  # this takes time
    if found is not None:
        said = say.sturdiness_text(found, shown_name(r.pairs[0].better or ""))
        yield f"Leaving out {unit_word(found.unit)}s", said
    if takes := would_take(r):
        yield "Would take", takes * has_few_units(r)
        limit = "from an upper limit of what varied; report.plan"
        plan = (
            f"for a difference of half of the interval's width, {limit}(difference=...) is for "
            "the one that matters to you"
        )
        yield (
            "Planned",
            plan if r.margin is None else f"{limit}(margin=...) is for other margins",
        )


def _of_pair(r: Report, pair: Pair) -> Rows:
    a, b = map(shown_name, pair[:2])
    decimals, level = say.decimals_of_pairs(pair), say.percent(r.confidence_level)
    size = f"{say.fixed(pair.estimate, decimals, sign=True)} {r.metric}"
    limits, said = say.span(pair.low, pair.high, decimals), about_differences(r, [pair], a, b)
    yield "Difference", f"{size}, {level} interval {limits}. {' '.join(said)}"
    first, second = (s.mean for s in r.systems)
    if not (r.quantity.is_difference or isnan(first - second)):
        size = say.fixed(first - second, max(decimals, 3), sign=True)
        text = f"{size} {r.metric} ({a} {say.MINUS} {b}), which the test does not estimate"
        yield "Difference of means", text
    if "sd" in r.systems:
        yield "sd", f"standard deviation over the {unit_word(r.unit)}s"
    yield "Statistic", _statistic(r, pair)
    if r.equivalence is not None:
        yield "Equivalence", _equivalence(r, r.equivalence, pair)
    if r.probabilities is not None:
        yield "Probabilities", _probabilities(r, r.probabilities, pair)


def _statistic(r: Report, pair: Pair) -> str:
    name = say.in_names(r.statistic_name, *map(shown_name, pair[:2]))
    size = say.short(pair.statistic) if isfinite(pair.statistic) else "undefined"
    df = "" if pair.df is None else f", df = {say.short(pair.df)}"
    own, adjusted, error = say.pvalue_text(pair.pvalue), "", r.monte_carlo_error
    if r.n_family > 1:
        adjusted = f", adjusted {say.pvalue_text(pair.adjusted)}"
    drawn = f" (Monte Carlo error {say.short(float(f'{error:.1g}'))})" if error else ""
    # Of a family with one law the adjusted p-value is drawn, else the own one.
    pvalues = own + adjusted + drawn if r.simultaneous else own + drawn + adjusted
    return f"{name} = {size}{df}, {pvalues}"


def _equivalence(r: Report, found: Mapping[str, Any], pair: Pair) -> str:
    decimals, margin = say.decimals_of_pairs(pair), say.short(r.margin)
    limits = say.span(pair.inner_low, pair.inner_high, decimals)
    minus = f" {say.MINUS} ".join(map(shown_name, pair[:2]))
    own, below, above = (
        say.pvalue_text(found[name]) for name in ("pvalue", "lower_pvalue", "upper_pvalue")
    )
    own = (
        f"{own} (two one-sided tests; against {minus} \N{LESS-THAN OR EQUAL TO} {say.MINUS}"
        f"{margin}: {below}, against {minus} \N{GREATER-THAN OR EQUAL TO} {margin}: {above})"
    )
    if found["adjustment"]:
        limits += " (not adjusted)"
        adjusted = say.pvalue_text(found["adjusted_pvalue"])
        own = f"{adjusted} {found['adjustment']}, unadjusted {own}"
    return f"margin {margin} {r.metric}; {inner_level(r)} interval {limits}; {own}"


def _probabilities(r: Report, found: Mapping[str, Any], pair: Pair) -> str:
    """Write the credible interval, and what the probabilities rest on."""
    bits = [
        *say.behind_probabilities(r, pair),
        "not adjusted for other comparisons" * bool(r.adjustment),
    ]
    if found["interval"] is not None:
        low, high = (nan if end is None else end for end in found["interval"])
        limits = say.span(low, high, say.decimals_for([low, high]))
        level = say.percent(found["confidence_level"])
        bits.insert(0, f"{level} credible interval of {found['subject']} {limits}")
    return f"{'; '.join(filter(None, bits))}. Model: {found['model']}"


def _of_systems(r: Report) -> Rows:
    """Return what is known of all systems together."""
    if r.is_performance:
        yield "Of the difference", "; ".join({p.test for p in r.pairs}.difference(r.tests))
        yield "Why this method", r.reason
        return
    if r.omnibus is not None:
        yield "All at once", say.omnibus_text(r.omnibus)
    if r.critical_difference is not None:
        yield "Critical difference", f"{say.fixed(r.critical_difference, 3)} in mean rank"
    undrawn = [f"{shown_name(a)} and {shown_name(b)}" for a, b in r.undrawn]
    yield "Not joined by a bar", say.join_items(undrawn)
    if r.margin is not None:
        method = r.adjustment
        if method == "max-t" or adjustment_facts(method).logical:
            method = "holm"  # as `equivalence_tests` has it
        yield (
            "Margin",
            f"{say.short(r.margin)} {r.metric}: two one-sided tests of every pair (the "
            f"{inner_level(r)} interval inside the margin), p-values adjusted by "
            f"{say.adjustment_name(method)}",
        )
    if r.probabilities is not None:
        rope = r.probabilities["rope"]
        region = f"differences up to {say.short(rope)} {r.metric} are practically none"
        region = region if rope else "without a region"
        yield "Probabilities", f"{r.probabilities['model']}; {region}; not adjusted"
    if r.strengths is not None:
        yield "Strengths", _strengths(r, r.strengths)
    yield "Other partitions", say.pairs_stability_text(r.stability)
    yield "Left out", say.join_items(r.left_out)


def _how(r: Report) -> Rows:
    """Say what was estimated and tested, on what, and what must hold."""
    a, b = "the first", "the second"
    effects: Mapping[str, float] = {} if r.omnibus is None else r.omnibus["effect_sizes"]
    if r.is_pair:
        (a, b), effects = map(shown_name, r.pairs[0][:2]), r.pairs[0].effects
    elif r.is_performance:
        a, b = "A", "B"

    def named(texts: Iterable[str]) -> str:
        return "; ".join(say.in_names(text, a, b) for text in texts)

    yield "Effect sizes", named(f"{name} {say.short(size)}" for name, size in effects.items())
    yield "Choice of test", say.choice_text(r.choice)
    shown = r.estimand.replace("score(", f"{r.metric}(") if r.scale == "score" else r.estimand
    yield "Estimand", say.in_names(shown, a, b)
    if r.omnibus is not None:
        yield "Null, all at once", r.omnibus["null_hypothesis"]
    yield "Null hypothesis" if r.is_pair else "Null, in pairs", named(r.null_hypotheses)
    yield "Unit", say.units_behind(r)
    yield "Assumptions", named(r.assumptions)
    yield "Not covered", "; ".join(r.ignored_variance)
    yield "All of the design", say.more_of_design(r.design)
    yield "Larger training sets", say.larger_text(r.design)
    yield "Fits", str(r.n_fits or "")
    if r.is_pair and r.lower:
        yield (
            "Sign",
            f"lower {r.metric} is better. Where an assumption or a hypothesis speaks of a "
            f"score, it is {say.MINUS}{r.metric}",
        )


def _strengths(r: Report, found: BradleyTerryPosterior) -> str:
    """Write what the probabilities to be the best rest on, and how well they fit."""
    unit, n_pairs, model = unit_word(r.unit), len(found.wins), found.model
    ties, weight, those = "a tie is", f"{found.weight:.2f}", "those"
    if found.shares is not None:
        alike = f"differences up to {say.short(found.rope)} {r.metric}"
        ties = f"{alike if found.rope else 'equal scores'} are ties,"
        weight, those = "3 / (k + 1)", "those of k systems"
    bits = [
        "one strength for each system",
        f"{ties} half a win for either",
        f"every comparison counts as {weight} of an independent one, as {those} on one {unit} "
        "depend on each other",
        f"{model.n_draws} draws, worth {model.effective_size:.0f}",
        f"check of the model: the wins of {round(found.inside * n_pairs)} of {n_pairs} pairs "
        "are within the limits that it predicts with a probability of 90%",
    ]
    if found.shares is not None:
        shares = found.shares
        chances = say.best_chances(r, shares.best_probabilities, shares.effective_size)
        bits.append(f"by shares of wins, without a model: {chances}")
    return "; ".join(bits)


# --- tables ----------------------------------------------------------------------------------


def ranks_table(r: Report) -> Cells | None:
    """Return how the ranks move in resamples, and without one part; None if not asked."""
    found, systems = r.rank_stability, list(r.systems)
    if found is None:
        return None
    middle = [say.ranks_text(s.resampled_low, s.resampled_high) for s in systems]
    without = [say.ranks_text(s.without_low, s.without_high) for s in systems if found.parts]
    return table(
        f"Ranks in {found.n_resamples} resamples of the {unit_word(found.unit)}s",
        [
            Column("", [shown_name(s.name) for s in systems], "name"),
            column("rank", [s.rank for s in systems], "{:g}".format),
            column("first in", [s.first_share for s in systems], say.share_text),
            Column(f"middle {say.percent(r.confidence_level)}", middle),
            Column(f"without one {r.evidence.part_word}", without),
        ],
        [
            "They say how firmly these scores fix the order. A share of resamples is not the "
            "chance to be the best. A first place that systems share counts for each of them."
        ],
    )


def strengths_table(r: Report) -> Cells | None:
    """Return how often each system wins against each other; None where that was not asked."""
    found = r.strengths
    if found is None:
        return None
    pairs, unit, rows = list(combinations(found.order, 2)), unit_word(r.unit), []
    for a, b in pairs[:_MOST_CHANCES]:
        place = found.pairs.index((a, b) if (a, b) in found.pairs else (b, a))
        wins = [found.wins[place], found.met[place] - found.wins[place]]
        chance = found.model.pair(a, b)
        kinds = [("even", chance.even), (shown_name(a), chance.better)]
        kinds += [(shown_name(b), 1 - chance.better), ("undecided", 1.0)]
        won = " : ".join(f"{won:g}" for won in (wins if (a, b) in found.pairs else wins[::-1]))
        limits = "\N{EN DASH}".join(f"{end:.2f}" for end in chance.interval)
        above = say.probability_text(chance.better, int(found.model.effective_size))
        stronger = next(who for who, share in kinds if share >= say.PROBABLE)
        names = shown_name(a), shown_name(b)
        rows.append([*names, won, f"{chance.mean:.2f}", limits, above, stronger])
    left = len(pairs) - len(rows)
    return Cells(
        f"Chances to win on another {unit}",
        ["first", "second", "wins", "model", "90%", "P", "stronger"],
        rows,
        n_names=2,
        words=6,
        note=f"{left} more in report.strengths. "
        * bool(left)
        + "Wins: of the first and the second, ties counted half. Model: chance that the first "
        f"wins on another {unit}, by strengths, and limits that it is between with a "
        "probability of 90%. P: that the chance is above one half. Stronger: P "
        f"{say.PROBABLE:g} or more; even: the chance is 0.45 to 0.55 with as much. Not "
        "adjusted for the number of pairs.",
    )
