"""Compute the facts and tables of a report from the evidence, with losses in their own sign.

This is the only module of the room that negates values.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, combinations
from string import ascii_letters
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._names import shown_name
from skstat.report import _evidence as ev
from skstat.report._doubts import CATALOGUE
from skstat.report._model import DEFAULTS, FACTS, InSlices, Pair, System, Table, nan
from skstat.report._say_pair import probabilities_of
from skstat.report._terms import ShownMetric, Words, holders_of, in_names, ranks_text
from skstat.stats._family import OutcomeFamily
from skstat.stats._leaderboard import can_be_resampled, ranks_of
from skstat.stats._ordering import with_all_digits
from skstat.stats._predictions import PredictionsSummary
from skstat.stats._stored import names_of_fields
from skstat.stats._t_tests import Projection
from skstat.stats._words import number, sampled_by, unit_word

Numbers = NDArray[np.float64]

_ROUNDING = 1e-12  # relative to the largest score, a difference that rounding may make
_NO_TEST = "nothing varies to test it against"
_OF_OUTCOME = ("alternative", "simultaneous", "scale", "n_resamples")
_OF_OMNIBUS = ("statistic", "pvalue", "df", "effect_sizes")
_OF_EQUIVALENCE = ("pvalue", "lower_pvalue", "upper_pvalue", "adjusted_pvalue", "adjustment")
_OF_MARGIN = (
    "inner_low", "inner_high", "noninferior_p", "noninferior_p_second", "equivalence_p",
)  # fmt: skip


def facts_of(evidence: Any) -> dict[str, Any]:
    """Compute the facts of a report, by the names of `Report`, from its evidence."""
    facts, part = dict(DEFAULTS), evidence
    if isinstance(evidence, ev.SliceEvidence):
        part = next(iter(evidence.parts.values()))
    for name in {*names_of_fields(part.__class__)} & {*FACTS} - {"choice"}:
        facts[name] = getattr(part, name)
    facts |= {
        "metric": part.shown_metric.name,
        "lower": part.is_loss,
        "unit": str(part.sample.unit),
        "n_units": int(part.sample.n_units),
        "doubts": tuple(part.doubts),
    }
    codes = {code for code, kind in CATALOGUE.items() if kind.beside_equivalent}
    doubts = (doubt for doubt in facts["doubts"] if doubt.weight != "note")
    titles = (f"{doubt.title} ({doubt.code})" for doubt in doubts if doubt.code in codes)
    facts["beside_equivalent"] = next(titles, "")
    if isinstance(evidence, ev.PerformanceEvidence):
        facts |= _of_performance(evidence)
    else:
        facts |= _of_slice(evidence) if part is not evidence else _compared(evidence)
    systems, is_performance = facts["systems"], "method" in facts["systems"]
    return facts | {
        "is_performance": is_performance,
        "is_pair": len(facts["pairs"]) == 1 and not facts["ranked"] and not is_performance,
        "is_leaderboard": "rank_low" in systems,
        "over_datasets": "mean_rank" in systems,
        "is_turned": facts["lower"] and facts["scale"] == "score",
        "words": Words(facts),
    }


def _of_outcomes(
    evidence: ev.ComparisonEvidence,
    family: OutcomeFamily,
    pairs: Sequence[tuple[str, str]],
    pvalues: Any,
) -> dict[str, Any]:
    """Return facts of the outcomes of pairs, with names in place of A and B in texts."""
    outcome, several = family[0], len(pairs) > 1
    a, b = ("the first", "the second") if several else map(shown_name, pairs[0])
    named = partial(in_names, a=a, b=b)
    why: dict[str, list[tuple[str, str]]] = {}
    for index in np.flatnonzero(np.isnan(pvalues)).tolist():
        reason = family[index].why_no_pvalue(unit_word(evidence.sample.unit)) or _NO_TEST
        why.setdefault(reason, []).append(pairs[index])
    estimand, metric = named("; ".join(family.distinct("estimand"))), evidence.shown_metric.name
    if outcome.scale == "score":
        estimand = estimand.replace("score(", f"{metric}(")
    names, nulls = map(family.distinct, ("statistic_name", "null_hypothesis"))
    assumed = dict.fromkeys(chain.from_iterable(family.distinct("assumptions")))
    if outcome.alternative == "two-sided" or not evidence.is_loss:  # whose score has its sign
        nulls = tuple(n.replace("expected score", f"expected {metric}") for n in nulls)
    return {name: getattr(outcome, name) for name in _OF_OUTCOME} | {
        "in_ranks": "" if outcome.scale == "score" else outcome.law.compared,
        "quantity": outcome.law.quantity,
        "sampled": sampled_by(outcome),
        "tests": tuple(family.distinct("test")),
        "statistic_name": names[0] if len(names) == 1 else "",
        "why_no_pvalue": why,
        "estimand": f"of every pair, {estimand}" if several else estimand,
        "null_hypotheses": (*map(named, nulls),),
        "assumptions": (*map(named, assumed),),
    }


def _compared(evidence: ev.ComparisonEvidence) -> dict[str, Any]:
    """Return the facts of a comparison of two or more systems, on one data set or many."""
    pairwise, family, view = evidence.pairwise, evidence.outcomes, evidence.shown_metric
    is_pair, diff = evidence.kind == "pair", evidence.shown_difference
    means, sds = evidence.summaries
    columns = {"name": evidence.names, "mean": view.value(means).tolist(), "sd": sds.tolist()}
    if evidence.times:
        for what in ("fit", "predict"):
            times = map(evidence.times.get, evidence.names)
            columns[what] = [getattr(one, what, nan) for one in times]
    if not is_pair:
        order = [evidence.names.index(name) for name in evidence.scores]
        if evidence.kind == "datasets":
            ranks = evidence.sample.mean_ranks.tolist()
            order = sorted(range(len(ranks)), key=ranks.__getitem__)
        unordered = columns | _of_systems(evidence, order)
        columns = {name: [column[n] for n in order] for name, column in unordered.items()}
    systems = Table(System, columns)
    facts = _of_outcomes(evidence, family, pairwise.pairs, pairwise.adjusted_pvalues)
    if evidence.omnibus is not None:
        every = dict.fromkeys((*evidence.omnibus.assumptions, *facts["assumptions"]))
        facts["assumptions"] = (*every,)
        why = evidence.omnibus.why_no_pvalue(unit_word(evidence.sample.unit))
        values = {name: getattr(evidence.omnibus, name) for name in _OF_OMNIBUS}
        facts["omnibus"] = evidence.omnibus.to_dict() | values | {"why_no_pvalue": why}
    over = "seeds" if isinstance(evidence.sample, stats.SeedScores | PredictionsSummary) else ""
    if isinstance(evidence.sample, stats.SeedScores) and evidence.sample.runs is None:
        over = "instances, of means over seeds" * evidence.sample.of_instances
    return {
        **facts,
        "systems": systems,
        "pairs": Table(Pair, _pairs_of(evidence, diff)),
        "ranked": not is_pair,
        "n_family": pairwise.n_family or len(pairwise.pairs),
        "identical": all(evidence.identical_pairs()),
        "test": pairwise.test,
        "adjustment": pairwise.adjustment,
        "smallest_pvalue": pairwise.smallest_pvalue,
        "constants": tuple(evidence.constants),
        "sd_over": over * ("sd" in systems),
        "stability": evidence.stability or {},
        **(_of_pair(evidence, diff) if is_pair else _of_several(evidence, systems)),
    }


def _of_pair(evidence: ev.ComparisonEvidence, diff: ShownMetric) -> dict[str, Any]:
    """Return the facts of a report of one pair that its row does not hold."""
    view, outcome, margin = evidence.shown_metric, evidence.outcomes[0], evidence.equivalence
    law, probabilities = outcome.law, None
    if evidence.posteriors is not None:
        probabilities = probabilities_of(evidence.posteriors[0], evidence.confidence_level)
        if probabilities["interval"] is not None:
            probabilities["interval"] = view.interval(*probabilities["interval"])
    equivalence = None
    if margin is not None:
        margin = margin.turned() if diff.is_loss else margin
        equivalence = {name: getattr(margin, name) for name in _OF_EQUIVALENCE}
        equivalence["adjusted_pvalue"] = number(margin.adjusted_pvalue)
    change, tail = None, (1 - evidence.confidence_level) / 2
    by_half = isinstance(law, Projection) and law.half is not None and law.change is not None
    if by_half and (law.change.estimate or not evidence.compared.identical):
        change = {
            "half": diff.value(law.half.estimate),
            "half_interval": diff.interval(*law.half.limits(tail)),
            "change": diff.value(law.change.estimate),
            "interval": diff.interval(*law.change.limits(tail)),
        }
    return {
        "monte_carlo_error": outcome.monte_carlo_error,
        "equivalence": equivalence,
        "probabilities": probabilities,
        "constant": next(map(view.value, evidence.constants.values()), None),
        "change": change,
    }


def _of_several(evidence: ev.ComparisonEvidence, systems: Table[System]) -> dict[str, Any]:
    """Return the facts of several systems that the tables do not hold."""
    table, names, scores = evidence.sample, systems.column("name"), evidence.summaries[0]
    scores = table.scores if isinstance(table, stats.ScoreTable) else scores
    facts: dict[str, Any] = {
        "control": evidence.pairwise.control,
        "asks_best": bool(evidence.best_pvalues),
        "all_pairs": evidence.all_pairs,
        "noise": _ROUNDING * float(np.nanmax(np.abs(scores))),
        "best_draws": 0 if evidence.best_posterior is None else evidence.best_posterior.n_draws,
    }
    if evidence.all_pairs and evidence.kind == "leaderboard":
        letters = dict(zip(names, systems.column("letters"), strict=True))
        facts["tie_groups"] = _by_letter(letters)
    if evidence.kind == "datasets":
        n = evidence.n_units_of_pairs
        if evidence.all_pairs:
            order = [evidence.names.index(name) for name in names]
            differs = evidence.pairwise.differs(evidence.alpha)[np.ix_(order, order)]
            facts |= _runs_of(names, differs)
        facts["critical_difference"] = evidence.pairwise.critical_difference(evidence.alpha)
        facts["missing"] = ranks_text(n.min(), n.max()) * bool(table.missing.any())
    if evidence.posteriors is not None:
        facts["probabilities"] = probabilities_of(evidence.posteriors[0])
    return facts


def _by_letter(letters: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems that share each of the letters of `compact_letters`."""
    systems = holders_of((name, re.findall("[a-zA-Z]'*", of)) for name, of in letters.items())
    order = sorted(systems, key=lambda letter: (len(letter), ascii_letters.index(letter[0])))
    return [tuple(systems[letter]) for letter in order]


def _runs_of(order: Sequence[str], differs: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the largest runs of systems, in the order of mean rank, in which no two differ.

    Pairs that do not differ but are in no common run are "undrawn".
    """
    k = len(order)
    later = (((j, differs[i:j, j].any()) for j in range(i + 1, k)) for i in range(k))
    ends = [next((j for j, differ in row if differ), k) for row in later]
    starts = [i for i, end in enumerate(ends) if end - i > 1 and (i == 0 or ends[i - 1] < end)]
    equal = ((i, j) for i, j in combinations(range(k), 2) if not differs[i, j])
    return {
        "groups": [tuple(order[i : ends[i]]) for i in starts],
        "undrawn": [(order[i], order[j]) for i, j in equal if j >= ends[i]],
    }


def _of_systems(evidence: ev.ComparisonEvidence, order: Sequence[int]) -> dict[str, Any]:
    """Return the columns of the table of systems but for scores, in the order of the input."""
    columns: dict[str, Any] = {}
    view, names, best = evidence.shown_metric, evidence.names, evidence.best_posterior
    if evidence.all_pairs:
        differs = evidence.pairwise.differs(evidence.alpha)[np.ix_(order, order)]
        letters = stats.compact_letters([names[n] for n in order], differs)
        columns["letters"] = [letters[name] for name in names]
    if evidence.best_pvalues and not evidence.direction_assumed:
        columns["best_pvalue"] = [evidence.best_pvalues[name] for name in names]
        columns["may_be_best"] = [name in evidence.may_be_best for name in names]
    if evidence.all_pairs and all(evidence.pairwise.outcomes.distinct("simultaneous")):
        limits = view.interval(*_from_best(evidence))
        columns["best_low"], columns["best_high"] = (end.tolist() for end in limits)
    if best is not None:
        columns["probability_best"], columns["probability_near_best"] = best.best, best.near
    if evidence.kind == "datasets":
        wins, ties = evidence.sample.wins(), evidence.sample.ties()
        columns |= {
            "mean_rank": evidence.sample.mean_ranks.tolist(),
            "wins": wins.sum(axis=1, dtype=float).tolist(),
            "ties": (ties.sum(axis=1) - np.diag(ties)).astype(float).tolist(),
            "losses": wins.sum(axis=0, dtype=float).tolist(),
        }
    if evidence.kind == "leaderboard":
        columns["rank"] = _ranks(evidence)
        intervals = {"rank": stats.rank_intervals(evidence.pairwise, evidence.confidence_level)}
        stability = evidence.rank_stability
        if stability is not None:
            intervals["resampled"] = stability.resampled(evidence.confidence_level)
            intervals |= {"without": stability.without_one} if stability.parts else {}
            columns["first_share"] = [stability.first[name] for name in names]
        for column, ranks in intervals.items():
            columns[f"{column}_low"] = [float(ranks[name][0]) for name in names]
            columns[f"{column}_high"] = [float(ranks[name][1]) for name in names]
        if can_be_resampled(evidence.sample) and not isinstance(evidence.own, str):
            low, high = np.array([evidence.own[name][:2] for name in names]).T
            limits = view.interval(low, high)
            columns["low"], columns["high"] = (end.tolist() for end in limits)
    return columns


def _from_best(evidence: ev.ComparisonEvidence) -> tuple[Numbers, Numbers]:
    """Return the limits of each score minus the highest of the others.

    They follow from the simultaneous intervals of all pairs, and hold simultaneously: if the
    upper limit is below 0, another system is better.
    """
    first, second = evidence.pairwise.ends
    low, high = evidence.pairwise.outcomes.limits(evidence.confidence_level)
    lows, highs = (np.full(len(evidence.names), math.inf) for _ in range(2))
    for system, below, above in ((first, low, high), (second, -high, -low)):
        # A pair without limits gives no lower limit.
        np.minimum.at(lows, system, np.where(np.isnan(below), -math.inf, below))
        np.fmin.at(highs, system, above)
    return lows, highs


def _ranks(evidence: ev.ComparisonEvidence) -> list[float]:
    """Rank systems by their scores; equal scores share a rank."""
    means = np.array([evidence.scores[name] for name in evidence.names])
    if type(evidence.sample) is stats.ScoreTable and not evidence.sample.missing.any():
        # Without their common part, in which rounding would hide small differences.
        means = with_all_digits(evidence.sample.scores).mean(axis=0)
    return ranks_of(means[np.newaxis])[0].astype(float).tolist()


def _pairs_of(evidence: ev.ComparisonEvidence, diff: ShownMetric) -> dict[str, Sequence[Any]]:
    """Return the columns of the table of pairs."""
    pairwise, family, tests = evidence.pairwise, evidence.outcomes, evidence.equivalence
    first, second = zip(*pairwise.pairs, strict=True)
    low, high = diff.interval(*family.limits(evidence.levels))
    columns: dict[str, Any] = {
        "first": first,
        "second": second,
        "n": evidence.n_units_of_pairs,
        "low": low,
        "high": high,
        "level": evidence.levels,
        "pvalue": pairwise.pvalues,
        "verdict": evidence.verdicts,
        "toward": evidence.directions.astype(int),
    }
    if pairwise.adjustment or evidence.kind != "pair":
        columns["adjusted"] = pairwise.adjusted_pvalues
    if evidence.stability:
        shares = {pair: one.share for pair, one in evidence.stability.items()}
        columns["same_verdict"] = [shares.get(pair, nan) for pair in pairwise.pairs]
    if tests is not None:
        of_margin = *diff.interval(*tests.interval(evidence.alpha)), *tests.judged_pvalues
        columns |= zip(_OF_MARGIN, map(np.atleast_1d, of_margin), strict=True)
    if evidence.posteriors is not None:
        chances = np.array([one.probabilities for one in evidence.posteriors], dtype=float).T
        columns |= zip(("p_better", "p_same", "p_worse"), chances, strict=True)
    if isinstance(family.comparisons, stats.Comparison):
        numbers = _numbers(family.comparisons, diff)
        columns |= {name: _by_pair(values, len(family)) for name, values in numbers.items()}
    else:
        rows = [*map(partial(_numbers, diff=diff), family)]
        columns |= zip(rows[0], zip(*map(dict.values, rows), strict=True), strict=True)
    arrays = {name: array for name, array in columns.items() if isinstance(array, np.ndarray)}
    return columns | {name: array.tolist() for name, array in arrays.items()}


def _by_pair(value: Any, n: int) -> list[Any]:
    """Return a value for each of `n` pairs: an array has one each, all else is repeated."""
    if isinstance(value, Mapping):
        columns = {name: _by_pair(values, n) for name, values in value.items()}
        return [{name: values[i] for name, values in columns.items()} for i in range(n)]
    return value.tolist() if np.ndim(value) else [value] * n


def _numbers(outcome: Any, diff: ShownMetric) -> dict[str, Any]:
    """Return the numbers of the outcome of one pair, or of all at once, in the shown sign."""
    statistic, effects = number(outcome.statistic), outcome.effect_sizes
    if diff.is_loss:
        turned = outcome.turned()  # some change in another way than their sign, as win counts
        statistic = _negated_like(turned.statistic, statistic)
        sizes = turned.effect_sizes
        effects = {name: _negated_like(sizes[name], size) for name, size in effects.items()}
    return {
        "estimate": diff.value(number(outcome.estimate)),
        "standard_error": number(outcome.standard_error),
        "statistic": statistic,
        "df": outcome.df,
        "test": outcome.test,
        "effects": effects,
    }


def _negated_like(turned: Any, value: Any) -> Any:
    """Negate the values that swapping the systems negates; an array stays an array."""
    return number(np.where(np.equal(turned, np.negative(value)), 0.0 - value, value))


def _of_performance(evidence: ev.PerformanceEvidence) -> dict[str, Any]:
    """Return the facts of estimated performances, and of their difference."""
    view, first = evidence.shown_metric, evidence.sample

    def of(estimate: stats.Estimate) -> dict[str, Any]:
        low, high = view.interval(*estimate.confidence_interval(evidence.confidence_level))
        return {
            "low": low,
            "high": high,
            "standard_error": number(estimate.standard_error),
            "estimand": estimate.estimand.replace(evidence.metric, view.name),
        }

    systems = [
        System(
            name=row.name,
            mean=view.value(row.estimate.estimate),
            training_score=view.value(number(row.training_score)),
            method=row.estimate.method,
            **of(row.estimate),
        )
        for row in evidence.rows
    ]
    pairs = []
    if evidence.difference is not None:
        one, (a, b) = evidence.difference.estimate, evidence.names
        facts = of(one)
        facts["estimand"] = in_names(facts["estimand"], shown_name(a), shown_name(b))
        pairs = [Pair(a, b, first.n_units, view.value(one.estimate), test=one.method, **facts)]
    return {
        "systems": Table.of(systems, System),
        "pairs": Table.of(pairs, Pair),
        "ranked": False,
        "tests": tuple(dict.fromkeys(row.estimate.method for row in evidence.rows)),
        "estimand": systems[0].estimand,
        "assumptions": tuple(first.assumptions),
        "ignored_variance": tuple(first.ignored_variance),
    }


def _of_slice(evidence: ev.SliceEvidence) -> dict[str, Any]:
    """Return the facts of several systems in one slice, with all of its pairs."""
    overall, comparisons = evidence.whole.overall, [*evidence.parts.values()]
    parts = [_compared(part) for part in comparisons]
    pairs = [part["pairs"][0] for part in parts]
    asked = overall.all_pairs and not overall.direction_assumed
    beaten = {pair.other(pair.better) for pair in pairs if pair.better is not None}
    rows = {one.name: one for part in parts for one in part["systems"]}
    systems = [
        row._replace(may_be_best=name not in beaten if asked else None, fit=nan, predict=nan)
        for name, row in rows.items()
    ]
    systems.sort(key=lambda row: row.mean if overall.is_loss else -row.mean)
    pvalues = [part.pairwise.adjusted_pvalues.item() for part in comparisons]
    facts: dict[str, Any] = {
        "systems": Table.of(systems, System),
        "pairs": Table.of(pairs, Pair),
        "control": overall.pairwise.control,
        "asks_best": overall.all_pairs,
        "all_pairs": overall.all_pairs,
        "identical": all(part["identical"] for part in parts),
        "n_family": evidence.whole.n_comparisons,
        "adjustment": evidence.whole.adjustment,
        "smallest_pvalue": parts[0]["smallest_pvalue"],
        "constants": tuple(overall.constants),
        "stability": {},
        "doubts": tuple(dict.fromkeys(doubt for part in comparisons for doubt in part.doubts)),
    }
    return _of_outcomes(comparisons[0], evidence.outcomes, [*evidence.parts], pvalues) | facts


def in_slices(evidence: ev.SlicesEvidence) -> Table[InSlices]:
    """Return the tests of all slices at once, for every pair of systems."""
    view, rows = evidence.overall.shown_metric, []
    for pair in evidence.pairs:
        adjusted, between = pair.adjusted_between, pair.between
        shrunken = () if pair.shrunken is None else zip(pair.parts, pair.shrunken, strict=True)
        rows.append(
            InSlices(
                *pair.names,
                between=None if between is None else between.to_dict(),
                between_p=number(between and between.pvalue if adjusted is None else adjusted),
                not_worse_p=number(pair.noninferior_pvalue),
                is_adjusted=(adjusted, pair.adjusted_noninferior) != (None, None),
                shrunken={name: view.value(value) for name, value in shrunken},
                explained_by=pair.explained_by,
            )
        )
    return Table.of(rows, InSlices)
