"""From evidence on one question to what its report holds: names of losses, signs, tables.

Nothing else turns a sign.
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
from skstat.report import _evidence as rests
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

_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make
_NO_TEST = "nothing varies to test it against"
_OF_OUTCOME = ("alternative", "simultaneous", "scale", "n_resamples")
_OF_OMNIBUS = ("statistic", "pvalue", "df", "effect_sizes")
_OF_EQUIVALENCE = ("pvalue", "lower_pvalue", "upper_pvalue", "adjusted_pvalue", "adjustment")
_OF_MARGIN = (
    "inner_low", "inner_high", "noninferior_p", "noninferior_p_second", "equivalence_p",
)  # fmt: skip


def facts_of(evidence: Any) -> dict[str, Any]:
    """Return what is found of evidence on one question, by the names of `Report`."""
    facts, one = dict(DEFAULTS), evidence
    if isinstance(evidence, rests.SliceEvidence):
        one = next(iter(evidence.parts.values()))
    for name in {*names_of_fields(one.__class__)} & {*FACTS} - {"choice"}:
        facts[name] = getattr(one, name)
    facts |= {
        "metric": one.shown_metric.name,
        "lower": one.is_loss,
        "unit": str(one.sample.unit),
        "n_units": int(one.sample.n_units),
        "doubts": tuple(one.doubts),
    }
    hollow = {code for code, kind in CATALOGUE.items() if kind.beside_equivalent}
    heavy = (doubt for doubt in facts["doubts"] if doubt.weight != "note")
    titles = (f"{doubt.title} ({doubt.code})" for doubt in heavy if doubt.code in hollow)
    facts["beside_equivalent"] = next(titles, "")
    if isinstance(evidence, rests.PerformanceEvidence):
        facts |= _of_performance(evidence)
    else:
        facts |= _of_slice(evidence) if one is not evidence else _compared(evidence)
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
    evidence: rests.ComparisonEvidence,
    family: OutcomeFamily,
    pairs: Sequence[tuple[str, str]],
    pvalues: Any,
) -> dict[str, Any]:
    """Return what the outcomes of pairs say; texts on A and B have the names of one pair."""
    outcome, several = family[0], len(pairs) > 1
    a, b = ("the first", "the second") if several else map(shown_name, pairs[0])
    named = partial(in_names, a=a, b=b)
    why: dict[str, list[tuple[str, str]]] = {}
    for place in np.flatnonzero(np.isnan(pvalues)).tolist():
        reason = family[place].why_no_pvalue(unit_word(evidence.sample.unit)) or _NO_TEST
        why.setdefault(reason, []).append(pairs[place])
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


def _compared(found: rests.ComparisonEvidence) -> dict[str, Any]:
    """Return what is found of two systems, or of several, on one data set or many."""
    pairwise, family, view = found.pairwise, found.pairwise.outcomes, found.shown_metric
    is_pair, turn = found.kind == "pair", found.shown_difference
    means, sds = found.summaries
    columns = {"name": found.names, "mean": view.value(means).tolist(), "sd": sds.tolist()}
    if found.times:
        for what in ("fit", "predict"):
            columns[what] = [getattr(found.times.get(name), what, nan) for name in found.names]
    if not is_pair:
        places = [found.names.index(name) for name in found.scores]
        if found.kind == "datasets":
            ranks = found.sample.mean_ranks.tolist()
            places = sorted(range(len(ranks)), key=ranks.__getitem__)
        known = columns | _of_systems(found, places)
        columns = {name: [column[n] for n in places] for name, column in known.items()}
    systems = Table(System, columns)
    facts = _of_outcomes(found, family, pairwise.pairs, pairwise.adjusted_pvalues)
    if found.omnibus is not None:
        every = dict.fromkeys((*found.omnibus.assumptions, *facts["assumptions"]))
        facts["assumptions"] = (*every,)
        why = found.omnibus.why_no_pvalue(unit_word(found.sample.unit))
        own = {name: getattr(found.omnibus, name) for name in _OF_OMNIBUS}
        facts["omnibus"] = found.omnibus.to_dict() | own | {"why_no_pvalue": why}
    over = "seeds" if isinstance(found.sample, stats.SeedScores | PredictionsSummary) else ""
    if isinstance(found.sample, stats.SeedScores) and found.sample.runs is None:
        over = "instances, of means over seeds" * found.sample.of_instances
    return {
        **facts,
        "systems": systems,
        "pairs": Table(Pair, _pairs_of(found, turn)),
        "ranked": not is_pair,
        "n_family": pairwise.n_family or len(pairwise.pairs),
        "identical": found.compared.identical if is_pair else all(found.identical_pairs()),
        "test": pairwise.test,
        "adjustment": pairwise.adjustment,
        "smallest_pvalue": pairwise.smallest_pvalue,
        "constants": tuple(found.constants),
        "sd_over": over * ("sd" in systems),
        "stability": found.stability or {},
        **(_of_pair(found, turn) if is_pair else _of_several(found, systems)),
    }


def _of_pair(found: rests.ComparisonEvidence, turn: ShownMetric) -> dict[str, Any]:
    """Return what is known of one pair beside its row."""
    view, outcome, margin = found.shown_metric, found.pairwise.outcomes[0], found.equivalence
    law, probabilities = outcome.law, None
    if found.posteriors is not None:
        probabilities = probabilities_of(found.posteriors[0], found.confidence_level)
        if probabilities["interval"] is not None:
            probabilities["interval"] = view.interval(*probabilities["interval"])
    equivalence = None
    if margin is not None:
        margin = margin.turned() if turn.is_loss else margin
        equivalence = {name: getattr(margin, name) for name in _OF_EQUIVALENCE}
        equivalence["adjusted_pvalue"] = number(margin.adjusted_pvalue)
    change, tail = None, (1 - found.confidence_level) / 2
    known = isinstance(law, Projection) and law.half is not None and law.change is not None
    if known and (law.change.estimate or not found.compared.identical):  # by more rows
        change = {
            "half": turn.value(law.half.estimate),
            "half_interval": turn.interval(*law.half.limits(tail)),
            "change": turn.value(law.change.estimate),
            "interval": turn.interval(*law.change.limits(tail)),
        }
    return {
        "monte_carlo_error": outcome.monte_carlo_error,
        "equivalence": equivalence,
        "probabilities": probabilities,
        "constant": next(map(view.value, found.constants.values()), None),
        "change": change,
    }


def _of_several(found: rests.ComparisonEvidence, systems: Table[System]) -> dict[str, Any]:
    """Return what is known of several systems beside their tables."""
    table, names = found.sample, systems.column("name")
    scores = table.scores if isinstance(table, stats.ScoreTable) else [*found.scores.values()]
    known: dict[str, Any] = {
        "control": found.pairwise.control,
        "asks_best": bool(found.best_pvalues),
        "all_pairs": found.all_pairs,
        "noise": _NOTHING * float(np.nanmax(np.abs(scores))),
        "best_draws": 0 if found.best_posterior is None else found.best_posterior.n_draws,
    }
    if found.all_pairs and found.kind == "leaderboard":
        letters = dict(zip(names, systems.column("letters"), strict=True))
        known["tie_groups"] = _by_letter(letters)
    if found.kind == "datasets":
        n = found.n_units_of_pairs
        if found.all_pairs:
            places = [found.names.index(name) for name in names]
            differs = found.pairwise.differs(found.alpha)[np.ix_(places, places)]
            known |= _runs_of(names, differs)
        known["critical_difference"] = found.pairwise.critical_difference(found.alpha)
        known["missing"] = ranks_text(n.min(), n.max()) * bool(table.missing.any())
    if found.posteriors is not None:
        known["probabilities"] = probabilities_of(found.posteriors[0])
    return known


def _by_letter(letters: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the systems that share each of the letters of `compact_letters`."""
    systems = holders_of((name, re.findall("[a-zA-Z]'*", of)) for name, of in letters.items())
    order = sorted(systems, key=lambda letter: (len(letter), ascii_letters.index(letter[0])))
    return [tuple(systems[letter]) for letter in order]


def _runs_of(order: Sequence[str], differs: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the largest runs of systems, in the order of mean rank, in which no two differ.

    And the pairs that do not differ, though no run has both.
    """
    k = len(order)
    later = (((j, differs[i:j, j].any()) for j in range(i + 1, k)) for i in range(k))
    ends = [next((j for j, differ in own if differ), k) for own in later]
    starts = [i for i, end in enumerate(ends) if end - i > 1 and (i == 0 or ends[i - 1] < end)]
    equal = ((i, j) for i, j in combinations(range(k), 2) if not differs[i, j])
    return {
        "groups": [tuple(order[i : ends[i]]) for i in starts],
        "undrawn": [(order[i], order[j]) for i, j in equal if j >= ends[i]],
    }


def _of_systems(evidence: rests.ComparisonEvidence, places: Sequence[int]) -> dict[str, Any]:
    """Return what is known of systems beside their scores, by column, as they were given."""
    columns: dict[str, Any] = {}
    view, names, best = evidence.shown_metric, evidence.names, evidence.best_posterior
    if evidence.all_pairs:
        differs = evidence.pairwise.differs(evidence.alpha)[np.ix_(places, places)]
        letters = stats.compact_letters([names[n] for n in places], differs)
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
        for column, of in intervals.items():
            columns[f"{column}_low"] = [float(of[name][0]) for name in names]
            columns[f"{column}_high"] = [float(of[name][1]) for name in names]
        if can_be_resampled(evidence.sample) and not isinstance(evidence.own, str):
            low, high = np.array([evidence.own[name][:2] for name in names]).T
            limits = view.interval(low, high)
            columns["low"], columns["high"] = (end.tolist() for end in limits)
    return columns


def _from_best(evidence: rests.ComparisonEvidence) -> tuple[Numbers, Numbers]:
    """Return the limits of each score minus the highest of the others.

    They follow from the simultaneous intervals of all pairs, and are simultaneous with them:
    one below 0 tells that another system is better.
    """
    first, second = evidence.pairwise.ends
    low, high = evidence.pairwise.outcomes.limits(evidence.confidence_level)
    lows, highs = (np.full(len(evidence.names), math.inf) for _ in range(2))
    for system, below, above in ((first, low, high), (second, -high, -low)):
        # A pair that cannot be judged sets no limit.
        np.minimum.at(lows, system, np.where(np.isnan(below), -math.inf, below))
        np.fmin.at(highs, system, above)
    return lows, highs


def _ranks(evidence: rests.ComparisonEvidence) -> list[float]:
    """Rank systems by their scores; equal scores share a rank."""
    means = np.array([evidence.scores[name] for name in evidence.names])
    if type(evidence.sample) is stats.ScoreTable and not evidence.sample.missing.any():
        # Less what they have in common, where that would hide differences.
        means = with_all_digits(evidence.sample.scores).mean(axis=0)
    return ranks_of(means[np.newaxis])[0].astype(float).tolist()


def _pairs_of(found: rests.ComparisonEvidence, turn: ShownMetric) -> dict[str, Sequence[Any]]:
    """Return what is known of pairs, by column."""
    pairwise, family, tests = found.pairwise, found.pairwise.outcomes, found.equivalence
    first, second = zip(*pairwise.pairs, strict=True)
    low, high = turn.interval(*family.limits(found.levels))
    columns: dict[str, Any] = {
        "first": first,
        "second": second,
        "n": found.n_units_of_pairs,
        "low": low,
        "high": high,
        "level": found.levels,
        "pvalue": pairwise.pvalues,
        "verdict": found.verdicts,
        "toward": found.directions.astype(int),
    }
    if pairwise.adjustment or found.kind != "pair":
        columns["adjusted"] = pairwise.adjusted_pvalues
    if found.stability:
        shares = {pair: one.share for pair, one in found.stability.items()}
        columns["same_verdict"] = [shares.get(pair, nan) for pair in pairwise.pairs]
    if tests is not None:
        of_margin = *turn.interval(*tests.interval(found.alpha)), *tests.judged_pvalues
        columns |= zip(_OF_MARGIN, map(np.atleast_1d, of_margin), strict=True)
    if found.posteriors is not None:
        chances = np.array([one.probabilities for one in found.posteriors], dtype=float).T
        columns |= zip(("p_better", "p_same", "p_worse"), chances, strict=True)
    if isinstance(family.comparisons, stats.Comparison):
        numbers = _numbers(family.comparisons, turn)
        columns |= {name: _each(own, len(family)) for name, own in numbers.items()}
    else:
        rows = [*map(partial(_numbers, turn=turn), family)]
        columns |= zip(rows[0], zip(*map(dict.values, rows), strict=True), strict=True)
    arrays = {name: own for name, own in columns.items() if isinstance(own, np.ndarray)}
    return columns | {name: own.tolist() for name, own in arrays.items()}


def _each(value: Any, n: int) -> list[Any]:
    """Return what is said of each of `n` pairs: arrays by place, all else the same of all."""
    if isinstance(value, Mapping):
        columns = {name: _each(own, n) for name, own in value.items()}
        return [{name: own[place] for name, own in columns.items()} for place in range(n)]
    return value.tolist() if np.ndim(value) else [value] * n


def _numbers(outcome: Any, turn: ShownMetric) -> dict[str, Any]:
    """Return what the outcome of a pair says, or of all at once, with the sign of readers."""
    statistic, effects = number(outcome.statistic), outcome.effect_sizes
    if turn.is_loss:
        turned = outcome.turned()  # what counts wins, as of A, changes by another law than sign
        statistic = _negated_like(turned.statistic, statistic)
        sizes = turned.effect_sizes
        effects = {name: _negated_like(sizes[name], size) for name, size in effects.items()}
    return {
        "estimate": turn.value(number(outcome.estimate)),
        "standard_error": number(outcome.standard_error),
        "statistic": statistic,
        "df": outcome.df,
        "test": outcome.test,
        "effects": effects,
    }


def _negated_like(turned: Any, value: Any) -> Any:
    """Negate what turning the systems round negates; the numbers of all stay an array."""
    return number(np.where(np.equal(turned, np.negative(value)), 0.0 - value, value))


def _of_performance(evidence: rests.PerformanceEvidence) -> dict[str, Any]:
    """Return the estimates of performance: of systems, and of their difference."""
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


def _of_slice(evidence: rests.SliceEvidence) -> dict[str, Any]:
    """Return what is found of several systems in one slice, with all of its pairs."""
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
    known: dict[str, Any] = {
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
    return _of_outcomes(comparisons[0], evidence.outcomes, [*evidence.parts], pvalues) | known


def in_slices(evidence: rests.SlicesEvidence) -> Table[InSlices]:
    """Return what was asked of all slices at once, of every pair of systems."""
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
