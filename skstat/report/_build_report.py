"""From evidence on one question to its report: names of losses, signs, tables by column.

Nothing else turns a sign. It goes when the engine builds the report itself.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._names import shown_name
from skstat.report import _evidence as rests
from skstat.report._doubts import beside_equivalent
from skstat.report._model import Pair, System, Table, nan
from skstat.report._report import Report
from skstat.report._say_pair import probabilities_of
from skstat.report._terms import ShownMetric, in_names, ranks_text
from skstat.stats._family import OutcomeFamily, family_of
from skstat.stats._leaderboard import interval_of_mean, places_of
from skstat.stats._multiplicity import contiguous_groups, groups_by_letter, undrawn_pairs
from skstat.stats._noise import with_all_digits
from skstat.stats._predictions import PredictionsSummary
from skstat.stats._stored import names_of_fields
from skstat.stats._t_tests import Projection
from skstat.stats._words import number, sampled_by, unit_word

Numbers = NDArray[np.float64]

_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make
_NO_TEST = "nothing varies to test it against"
_OF_MARGIN = (
    "inner_low", "inner_high", "noninferior_p", "noninferior_p_second", "equivalence_p",
)  # fmt: skip


def _sd_over(sample: Any) -> str:
    """Return what standard deviations are over, where it is not the units."""
    if isinstance(sample, stats.SeedScores) and sample.runs is None:
        return "instances, of means over seeds" if sample.of_instances else ""
    return "seeds" if isinstance(sample, stats.SeedScores | PredictionsSummary) else ""


def _facts(found: Any) -> dict[str, Any]:
    """Return what evidence and its report have under one name, and how its metric is shown."""
    kind: Any = type(found)
    same = {*names_of_fields(kind)} & {*names_of_fields(Report)}
    return {name: getattr(found, name) for name in same} | {
        "metric": found.shown_metric.name,
        "lower": found.is_loss,
        "unit": found.unit,
        "n_units": found.n_units,
        "doubts": tuple(found.doubts),
        "beside_equivalent": beside_equivalent(found.doubts),
        "rests_on": found,
    }


def _asked(
    found: rests.ComparisonEvidence,
    family: OutcomeFamily,
    pairs: Sequence[tuple[str, str]],
    pvalues: Any,
) -> dict[str, Any]:
    """Return what the outcomes of pairs say; texts on A and B have the names of one pair."""
    outcome, several = family[0], len(pairs) > 1
    a, b = ("the first", "the second") if several else map(shown_name, pairs[0])

    def said(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(in_names(text, a, b) for text in dict.fromkeys(texts))

    why: dict[str, list[tuple[str, str]]] = {}
    for place in np.flatnonzero(np.isnan(pvalues)).tolist():
        reason = family[place].why_no_pvalue(unit_word(found.unit)) or _NO_TEST
        why.setdefault(reason, []).append(pairs[place])
    estimand = "; ".join(said(family.distinct("estimand")))
    if outcome.scale == "score":
        estimand = estimand.replace("score(", f"{found.shown_metric.name}(")
    statistic_names, expected = family.distinct("statistic_name"), "expected score"
    if outcome.alternative == "two-sided" or not found.is_loss:  # whose score has its sign
        expected = f"expected {found.shown_metric.name}"
    nulls = (
        text.replace("expected score", expected) for text in family.distinct("null_hypothesis")
    )
    return {
        "alternative": outcome.alternative,
        "simultaneous": outcome.simultaneous,
        "scale": outcome.scale,
        "in_ranks": "" if outcome.scale == "score" else outcome.law.compared,
        "quantity": outcome.law.quantity,
        "n_resamples": outcome.n_resamples,
        "sampled": sampled_by(outcome),
        "tests": tuple(family.distinct("test")),
        "statistic_name": statistic_names[0] if len(statistic_names) == 1 else "",
        "why_no_pvalue": why,
        "estimand": f"of every pair, {estimand}" if several else estimand,
        "null_hypotheses": said(nulls),
        "assumptions": said(chain.from_iterable(family.distinct("assumptions"))),
    }


def _equivalence(tests: stats.EquivalenceOutcome, turn: ShownMetric) -> Mapping[str, Any]:
    tests = tests.turned() if turn.is_loss else tests
    return {
        "pvalue": tests.pvalue,
        "lower_pvalue": tests.lower_pvalue,
        "upper_pvalue": tests.upper_pvalue,
        "adjusted_pvalue": number_of(tests.adjusted_pvalue),
        "adjustment": tests.adjustment,
    }


def _change(found: rests.ComparisonEvidence, turn: ShownMetric) -> Mapping[str, Any] | None:
    """What more training rows change in the only difference, where that is known."""
    law = found.outcome.law
    if not isinstance(law, Projection) or law.half is None or law.change is None:
        return None
    if found.compared.identical and not law.change.estimate:
        return None
    tail = (1 - found.confidence_level) / 2
    return {
        "half": turn.value(law.half.estimate),
        "half_interval": turn.interval(*law.half.limits(tail)),
        "change": turn.value(law.change.estimate),
        "interval": turn.interval(*law.change.limits(tail)),
    }


def report_of_comparison(found: rests.ComparisonEvidence) -> Report:
    """Return the comparison of two systems, or of several, on one data set or many."""
    pairwise, family, is_pair = found.pairwise, found.pairwise.outcomes, found.kind == "pair"
    names = [*found.names] if is_pair else _ranked(found)
    systems = _systems_table(found, {} if is_pair else _of_systems(found, names), names)
    asked = _asked(found, family, pairwise.pairs, pairwise.adjusted_pvalues)
    if found.omnibus is not None:
        every = dict.fromkeys((*found.omnibus.assumptions, *asked["assumptions"]))
        asked |= {"omnibus": _omnibus(found.omnibus, found.unit), "assumptions": (*every,)}
    known = {
        "ranked": not is_pair,
        "n_family": pairwise.n_family or len(pairwise.pairs),
        "identical": all(one.identical for one in found.compared_pairs()),
        "test": pairwise.test,
        "adjustment": pairwise.adjustment,
        "smallest_pvalue": pairwise.smallest_pvalue,
        "constants": tuple(found.constants),
        "sd_over": _sd_over(found.sample) if "sd" in systems else "",
        "stability": found.stability or {},
        **(_of_pair(found) if is_pair else _of_several(found, systems)),
    }
    pairs = _pairs_table(found)
    return Report(systems=systems, pairs=pairs, **_facts(found) | asked | known)


def _of_pair(found: rests.ComparisonEvidence) -> dict[str, Any]:
    """Return what is known of one pair beside its row."""
    view, turn, probabilities = found.shown_metric, found.shown_difference, None
    if found.posterior is not None:
        probabilities = probabilities_of(found.posterior, found.confidence_level)
        if probabilities["interval"] is not None:
            probabilities["interval"] = view.interval(*probabilities["interval"])
    return {
        "monte_carlo_error": found.outcome.monte_carlo_error,
        "equivalence": found.equivalence and _equivalence(found.equivalence, turn),
        "probabilities": probabilities,
        "constant": next(map(view.value, found.constants.values()), None),
        "change": _change(found, turn),
    }


def _of_several(found: rests.ComparisonEvidence, systems: Table[System]) -> dict[str, Any]:
    """Return what is known of several systems beside their tables."""
    table, scores, names = found.sample, [*found.scores.values()], systems.column("name")
    if isinstance(table, stats.ScoreTable):
        scores = table.scores
    known: dict[str, Any] = {
        "control": found.control,
        "asks_best": bool(found.best_pvalues),
        "all_pairs": found.all_pairs,
        "noise": _NOTHING * float(np.nanmax(np.abs(scores))),
        "best_draws": 0 if found.best_posterior is None else found.best_posterior.n_draws,
    }
    if found.all_pairs and found.kind == "leaderboard":
        letters = dict(zip(names, systems.column("letters"), strict=True))
        known["tie_groups"] = groups_by_letter(letters)
    if found.by_rank:
        n = found.n_units_of_pairs
        if found.all_pairs:
            differs = _differs(found, names)
            known["groups"] = contiguous_groups(names, differs)
            known["undrawn"] = undrawn_pairs(names, differs)
        known |= {
            "critical_difference": found.pairwise.critical_difference(found.alpha),
            "missing": ranks_text(n.min(), n.max()) if table.missing.any() else "",
        }
    if found.posteriors is not None:
        known["probabilities"] = probabilities_of(found.posteriors[0])
    return known


def _ranked(found: rests.ComparisonEvidence) -> list[str]:
    """Return the systems, the best first: by mean score, or by mean rank over data sets."""
    names = list(found.scores)
    if not found.by_rank:
        return names
    ranks = dict(zip(found.names, found.sample.mean_ranks.tolist(), strict=True))
    return sorted(names, key=lambda name: (ranks[name], found.names.index(name)))


def _differs(found: rests.ComparisonEvidence, names: Sequence[str]) -> NDArray[np.bool_]:
    """Tell which systems differ, in the order of the names."""
    places = [found.names.index(name) for name in names]
    return found.pairwise.differs(found.alpha)[np.ix_(places, places)]


def _omnibus(test: stats.OmnibusOutcome, unit: str) -> dict[str, Any]:
    return test.to_dict() | {
        "statistic": test.statistic,
        "pvalue": test.pvalue,
        "df": test.df,
        "effect_sizes": test.effect_sizes,
        "why_no_pvalue": test.why_no_pvalue(unit_word(unit)) if math.isnan(test.pvalue) else "",
    }


def _systems_table(
    found: rests.ComparisonEvidence,
    more: Mapping[str, Any],
    names: Sequence[str],
) -> Table[System]:
    """Make the table of systems of more columns, in the order of the names."""
    times, view, means = found.times or {}, found.shown_metric, found.summaries
    columns: dict[str, Any] = {
        "name": found.names,
        "mean": [view.value(number_of(one["mean"])) for one in means],
        "sd": [number_of(one["sd"]) for one in means],
        **{
            what: [getattr(times.get(name), what, nan) for name in found.names]
            for what in ("fit", "predict")
        },
        **more,
    }
    table = Table(System, columns)
    return Table.of([table[name] for name in names], System)


def _of_systems(found: rests.ComparisonEvidence, ranked: Sequence[str]) -> dict[str, Any]:
    """Return what is known of systems beside their scores, by column, as they were given."""
    columns: dict[str, Any] = {}
    view, names, best = found.shown_metric, found.names, found.best_posterior
    if found.all_pairs:
        letters = stats.compact_letters(ranked, _differs(found, ranked))
        columns["letters"] = [letters[name] for name in names]
    if found.best_pvalues and not found.direction_assumed:
        columns["best_pvalue"] = [found.best_pvalues[name] for name in names]
        columns["may_be_best"] = [name in found.may_be_best for name in names]
    if found.all_pairs and all(found.pairwise.outcomes.distinct("simultaneous")):
        limits = view.interval(*_from_best(found))
        columns["best_low"], columns["best_high"] = (end.tolist() for end in limits)
    if best is not None:
        columns["probability_best"], columns["probability_near_best"] = best.best, best.near
    if found.by_rank:
        wins, ties = found.sample.wins(), found.sample.ties()
        columns |= {
            "mean_rank": found.sample.mean_ranks.tolist(),
            "wins": wins.sum(axis=1, dtype=float).tolist(),
            "ties": (ties.sum(axis=1) - np.diag(ties)).astype(float).tolist(),
            "losses": wins.sum(axis=0, dtype=float).tolist(),
        }
    if found.kind == "leaderboard":
        columns["rank"] = _ranks(found)
        intervals = {"rank": stats.rank_intervals(found.pairwise, found.confidence_level)}
        stability = found.rank_stability
        if stability is not None:
            intervals["resampled"] = stability.resampled(found.confidence_level)
            intervals |= {"without": stability.without_one} if stability.parts else {}
            columns["first_share"] = [stability.first[name] for name in names]
        for column, of in intervals.items():
            columns[f"{column}_low"] = [float(of[name][0]) for name in names]
            columns[f"{column}_high"] = [float(of[name][1]) for name in names]
        own = interval_of_mean(found.sample, found.confidence_level)
        if own is not None:
            columns["low"], columns["high"] = (end.tolist() for end in view.interval(*own))
    return columns


def _from_best(found: rests.ComparisonEvidence) -> tuple[Numbers, Numbers]:
    """Return the limits of each score minus the highest of the others.

    They follow from the simultaneous intervals of all pairs, and are simultaneous with them:
    one below 0 tells that another system is better.
    """
    first, second = found.pairwise.ends
    low, high = found.pairwise.outcomes.limits(found.confidence_level)
    lows, highs = (np.full(len(found.names), math.inf) for _ in range(2))
    for system, below, above in ((first, low, high), (second, -high, -low)):
        # A pair that cannot be judged sets no limit.
        np.minimum.at(lows, system, np.where(np.isnan(below), -math.inf, below))
        np.fmin.at(highs, system, above)
    return lows, highs


def _ranks(found: rests.ComparisonEvidence) -> list[float]:
    """Rank systems by their scores; equal scores share a rank."""
    means = np.array([found.scores[name] for name in found.names])
    if type(found.sample) is stats.ScoreTable and not found.sample.missing.any():
        # Less what they have in common, where that would hide differences.
        means = with_all_digits(found.sample.scores).mean(axis=0)
    return places_of(means[np.newaxis])[0].astype(float).tolist()


def _pairs_table(found: rests.ComparisonEvidence) -> Table[Pair]:
    pairwise, family, tests = found.pairwise, found.pairwise.outcomes, found.equivalence
    is_pair, (first, second) = found.kind == "pair", zip(*pairwise.pairs, strict=True)
    alone = is_pair and not pairwise.adjustment
    turn = ShownMetric(found.metric, found.is_loss and family[0].scale == "score")
    low, high = turn.interval(*family.limits(found.levels))
    arrays = {"low": low, "high": high}
    columns: dict[str, Sequence[Any]] = {
        "first": first,
        "second": second,
        "n": found.n_units_of_pairs.tolist(),
        "level": found.levels.tolist(),
        "pvalue": pairwise.pvalues.tolist(),
        "adjusted": [nan] if alone else pairwise.adjusted_pvalues.tolist(),
        "verdict": found.verdicts,
        "toward": found.directions.astype(int).tolist(),
    }
    if found.stability:
        shares = {pair: one.share for pair, one in found.stability.items()}
        columns["same_verdict"] = [shares.get(pair, nan) for pair in pairwise.pairs]
    if tests is not None:
        inner = turn.interval(*tests.interval(found.alpha))
        arrays |= zip(_OF_MARGIN, (*inner, *tests.judged_pvalues), strict=True)
    columns |= {name: np.atleast_1d(own).tolist() for name, own in arrays.items()}
    if found.posteriors is not None:
        chances = np.array([one.probabilities for one in found.posteriors], dtype=float).T
        columns |= zip(("p_better", "p_same", "p_worse"), chances.tolist(), strict=True)
    if isinstance(family.found, stats.Comparison):
        told = _numbers(family.found, turn)
        known = {name: _each(own, len(family)) for name, own in told.items()}
    else:
        rows = [_numbers(outcome, turn) for outcome in family]
        known = {name: [row[name] for row in rows] for name in rows[0]}
    table = Table(Pair, known | columns)
    # What is not known of the only one has no column.
    return Table.of(table, Pair) if is_pair else table


def _each(value: Any, n: int) -> list[Any]:
    """Return what is said of each of `n` pairs: arrays by place, all else the same of all."""
    if isinstance(value, Mapping):
        columns = {name: _each(own, n) for name, own in value.items()}
        return [{name: own[place] for name, own in columns.items()} for place in range(n)]
    return value.tolist() if np.ndim(value) else [value] * n


def _numbers(outcome: Any, turn: ShownMetric) -> dict[str, Any]:
    """Return what the outcome of a pair says, or of all at once, with the sign of readers."""
    statistic, effects = number_of(outcome.statistic), outcome.effect_sizes
    if turn.is_loss:
        turned = outcome.turned()  # what counts wins, as of A, changes by another law than sign
        statistic = _negated_like(turned.statistic, statistic)
        effects = {
            name: _negated_like(turned.effect_sizes[name], size)
            for name, size in effects.items()
        }
    return {
        "estimate": turn.value(number_of(outcome.estimate)),
        "standard_error": number_of(outcome.standard_error),
        "statistic": statistic,
        "df": outcome.df,
        "test": outcome.test,
        "effects": effects,
    }


def _negated_like(turned: Any, value: Any) -> Any:
    """Negate what turning the systems round negates; the numbers of all stay an array."""
    return number(np.where(np.equal(turned, np.negative(value)), 0.0 - value, value))


def report_of_performance(found: rests.PerformanceEvidence) -> Report:
    """Return the estimates of performance: of systems, and of their difference."""
    view, first = found.shown_metric, found.sample

    def of(estimate: stats.Estimate) -> dict[str, Any]:
        low, high = view.interval(*estimate.confidence_interval(found.confidence_level))
        return {
            "low": low,
            "high": high,
            "standard_error": number_of(estimate.standard_error),
            "estimand": estimate.estimand.replace(found.metric, view.name),
        }

    systems = [
        System(
            name=row.name,
            mean=view.value(row.estimate.estimate),
            training_score=view.value(number_of(row.training_score)),
            method=row.estimate.method,
            **of(row.estimate),
        )
        for row in found.rows
    ]
    pairs = []
    if found.difference is not None:
        one, (a, b) = found.difference.estimate, found.names
        told = of(one)
        told["estimand"] = in_names(told["estimand"], shown_name(a), shown_name(b))
        pairs = [Pair(a, b, found.n_units, view.value(one.estimate), test=one.method, **told)]
    known = {
        "ranked": False,
        "tests": tuple(dict.fromkeys(row.estimate.method for row in found.rows)),
        "estimand": systems[0].estimand,
        "assumptions": tuple(first.assumptions),
        "ignored_variance": tuple(first.ignored_variance),
    }
    return Report(
        systems=Table.of(systems, System),
        pairs=Table.of(pairs, Pair),
        **_facts(found) | known,
    )


def report_of_slice(found: rests.SliceEvidence, overall: Report) -> Report:
    """Return several systems in one slice, with all of its pairs."""
    evidence = [*found.parts.values()]
    parts = [report_of_comparison(part) for part in evidence]
    pairs = [part.pairs[0] for part in parts]
    asked = overall.all_pairs and not overall.direction_assumed
    beaten = {pair.other(pair.better) for pair in pairs if pair.better is not None}
    rows = {one.name: one for part in parts for one in part.systems}
    systems = [
        row._replace(may_be_best=name not in beaten if asked else None, fit=nan, predict=nan)
        for name, row in rows.items()
    ]
    systems.sort(key=lambda row: row.mean if overall.lower else -row.mean)
    outcomes = family_of([part.outcome for part in evidence])
    pvalues = [part.decisive_pvalue for part in evidence]
    known: dict[str, Any] = {
        "control": overall.control,
        "asks_best": overall.all_pairs,
        "all_pairs": overall.all_pairs,
        "identical": all(part.identical for part in parts),
        "n_family": found.whole.n_comparisons,
        "adjustment": found.whole.adjustment,
        "smallest_pvalue": parts[0].smallest_pvalue,
        "constants": overall.constants,
        "choice": None,
        "stability": {},
        "doubts": tuple(dict.fromkeys(doubt for part in parts for doubt in part.doubts)),
        "rests_on": found,
    }
    told = _asked(evidence[0], outcomes, [*found.parts], pvalues)
    return Report(
        systems=Table.of(systems, System),
        pairs=Table.of(pairs, Pair),
        **_facts(evidence[0]) | told | known,
    )


def number_of(value: Any) -> float:
    """Turn a missing number into nan; the numbers of all pairs stay an array."""
    return nan if value is None else number(value)
