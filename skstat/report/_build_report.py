"""From evidence on one question to its report: names of losses, signs, tables by column.

Nothing else turns a sign. It goes when the engine builds the report itself.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from skstat.report._doubts import beside_equivalent
from skstat.report._evidence import PairEvidence, PerformanceEvidence, SystemsEvidence
from skstat.report._model import Column, Pair, System, Table
from skstat.report._report import Report
from skstat.report._words import ShownMetric, probabilities_of
from skstat.stats import CrossedScores, Estimate, Outcome, ScoreTable, SeededPredictions
from skstat.stats._outcomes import sampled_by, unit_word
from skstat.stats._samples import PredictionsSummary

_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make
_SD_OVER = {
    CrossedScores: "instances, of means over seeds",
    SeededPredictions: "seeds",
    PredictionsSummary: "seeds",
}
_NO_TEST = "nothing varies to test it against"


def report_of_pair(found: PairEvidence) -> Report:
    """Return the comparison of two systems."""
    view, outcome = found.shown_metric, found.outcome
    turn, shown = found.shown_difference, signed(outcome, found.shown_difference)
    low, high = turn.interval(*found.interval)
    a, b = found.names
    known: dict[str, Any] = {}
    if found.equivalence is not None:
        inner = turn.interval(*found.equivalence.interval(found.alpha))
        first, second, both = found.equivalence._pvalues
        known |= {
            "inner_low": inner[0],
            "inner_high": inner[1],
            "equivalence_p": both,
            "noninferior_p": first,
            "noninferior_p_second": second,
        }
    probabilities = None
    if found.posterior is not None:
        probabilities = probabilities_of(found.posterior, found.confidence_level)
        if probabilities["interval"] is not None:
            probabilities["interval"] = view.interval(*probabilities["interval"])
        chances = found.posterior.probabilities._asdict()
        known |= {f"p_{name}": number_of(share) for name, share in chances.items()}
    if found.stability is not None:
        known["same_verdict"] = found.stability.share
    pair = Pair(
        first=a,
        second=b,
        n=found.n_units,
        estimate=float(turn.value(outcome.estimate)),
        low=low,
        high=high,
        level=found.level,
        standard_error=number_of(outcome.standard_error),
        statistic=number_of(shown.statistic),
        df=outcome.df,
        pvalue=outcome.pvalue,
        adjusted=number_of(found.adjusted_pvalue),
        verdict=found.verdict,
        toward=found.direction,
        test=outcome.test,
        effects=shown.effects,
        **known,
    )
    rows = [
        System(name=name, mean=view.value(number_of(one["mean"])), sd=number_of(one["sd"]))
        for name, one in zip(found.names, found.summaries, strict=True)
    ]
    systems = Table.of(_with_times(rows, found.times), System)
    why = {}
    if math.isnan(found.decisive_pvalue):
        why = {outcome.why_no_pvalue(unit_word(found.unit)) or _NO_TEST: [(a, b)]}
    change = found.size_change
    return Report(
        systems=systems,
        pairs=Table.of([pair], Pair),
        ranked=False,
        n_family=1 if found.adjusted_pvalue is None else 2,
        identical=bool(found.compared.identical),
        tests=(outcome.test,),
        test=outcome.test,
        statistic_name=outcome.statistic_name,
        adjustment=found.adjustment or "",
        smallest_pvalue=outcome.smallest_pvalue,
        monte_carlo_error=getattr(outcome, "monte_carlo_error", None),
        why_no_pvalue=why,
        equivalence=_equivalence(found, turn),
        probabilities=probabilities,
        constant=None if found.constant is None else view.value(found.constant),
        constants=() if found.constant is None else (b,),
        sd_over=_SD_OVER.get(type(found.sample), "") if "sd" in systems else "",
        estimand=outcome.estimand,
        null_hypotheses=(outcome.null_hypothesis,),
        assumptions=tuple(outcome.assumptions),
        preface=found.preface or "",
        change=None if change is None else _change(change, turn),
        stability={} if found.stability is None else {(a, b): found.stability},
        **_common(found, outcome),
    )


def _common(found: PairEvidence | SystemsEvidence, outcome: Outcome) -> dict[str, Any]:
    return {
        "alternative": outcome.alternative,
        "simultaneous": outcome.simultaneous,
        "scale": outcome.scale,
        "in_ranks": "" if outcome.scale == "score" else outcome.compared,
        "quantity": outcome.quantity,
        "n_resamples": getattr(outcome, "n_resamples", None),
        "sampled": sampled_by(outcome),
        "metric": found.shown_metric.name,
        "lower": found.is_loss,
        "direction_assumed": found.direction_assumed,
        "unit": found.unit,
        "n_units": found.n_units,
        "confidence_level": found.confidence_level,
        "margin": found.margin,
        "ignored_variance": tuple(found.ignored_variance),
        "choice": found.choice,
        "design": found.design,
        "doubts": tuple(found.doubts),
        "beside_equivalent": beside_equivalent(found.doubts),
        "evidence": found,
    }


def _equivalence(found: PairEvidence, turn: ShownMetric) -> Mapping[str, Any] | None:
    tests = found.equivalence
    if tests is None:
        return None
    sides = (tests.lower_pvalue, tests.upper_pvalue)
    lower, upper = sides[::-1] if turn.is_loss else sides
    return {
        "pvalue": tests.pvalue,
        "lower_pvalue": lower,
        "upper_pvalue": upper,
        "adjusted_pvalue": tests.adjusted_pvalue,
        "adjustment": tests.adjustment,
    }


def _change(change: Any, turn: ShownMetric) -> dict[str, Any]:
    return {
        "half": turn.value(change.half),
        "half_interval": turn.interval(*change.half_interval),
        "change": turn.value(change.change),
        "interval": turn.interval(*change.interval),
    }


def report_of_systems(found: SystemsEvidence) -> Report:
    """Return the comparison of several systems, on one data set or many."""
    pairwise, outcome = found.pairwise, found.pairwise.outcomes[0]
    view, family = found.shown_metric, found.pairwise.family
    best = found.best_posterior
    known: dict[str, Any] = {}
    if found.by_rank:
        known = {
            "critical_difference": pairwise.critical_difference(found.alpha),
            "groups": found.groups,
            "undrawn": found.undrawn,
            "left_out": found.left_out,
            "missing": _span_of_pairs(found),
            "scores": _scores_of(found, view),
        }
    if found.kind == "leaderboard":
        known = {
            "tie_groups": found.tie_groups,
            "rank_stability": found.rank_stability,
            "part_word": found.part_word,
        }
    is_table = isinstance(found.sample, ScoreTable)
    scores = found.sample.scores if is_table else list(found.scores.values())
    why: dict[str, list[tuple[str, str]]] = {}
    for names in found.untested:
        why.setdefault(pairwise[names].why_no_pvalue(unit_word(found.unit)), []).append(names)
    probabilities = None
    if found.posteriors is not None:
        probabilities = probabilities_of(found.posteriors[0])
    return Report(
        systems=_systems_table(found, view),
        pairs=_pairs_table(found, view),
        control=found.control,
        asks_best=bool(found.best_pvalues),
        all_pairs=found.all_pairs,
        n_family=pairwise.n_family or len(pairwise.pairs),
        identical=all(found[pair].compared.identical for pair in pairwise.pairs),
        noise=_NOTHING * float(np.nanmax(np.abs(scores))),
        tests=tuple(family.distinct("test")),
        test=pairwise.test,
        statistic_name=_only(family.distinct("statistic_name")),
        constants=tuple(found.constants),
        adjustment=pairwise.adjustment,
        smallest_pvalue=pairwise.smallest_pvalue,
        why_no_pvalue=why,
        probabilities=probabilities,
        best_draws=0 if best is None else best.n_draws,
        strengths=found.strengths,
        omnibus=_omnibus(found),
        estimand=found.estimand,
        null_hypotheses=tuple(family.distinct("null_hypothesis")),
        assumptions=found.assumptions,
        next_step=found.next_step or "",
        stability=found.stability or {},
        **known,
        **_common(found, outcome),
    )


def _only(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ""


def _omnibus(found: SystemsEvidence) -> dict[str, Any] | None:
    test = found.omnibus
    if test is None:
        return None
    why = test.why_no_pvalue(unit_word(found.unit)) if math.isnan(test.pvalue) else ""
    return test.to_dict() | {
        "pvalue": test.pvalue,
        "df": test.df,
        "effect_sizes": test.effect_sizes,
        "why_no_pvalue": why,
    }


def _span_of_pairs(found: SystemsEvidence) -> str:
    if not found.sample.missing.any():
        return ""
    n = found.n_units_of_pairs
    few, many = int(n.min()), int(n.max())
    return str(few) if few == many else f"{few} to {many}"


def _scores_of(found: SystemsEvidence, view: ShownMetric) -> dict[str, Any]:
    table = found.sample
    return {
        "names": tuple(table.names),
        "units": tuple(table.datasets or ()),
        "rows": [[view.value(one) for one in row] for row in table.scores],
    }


def _systems_table(found: SystemsEvidence, view: ShownMetric) -> Table[System]:
    summaries = dict(zip(found.names, found.sample.summaries(), strict=True))
    kept, columns = found.may_be_best, _more_of_systems(found)
    asked = {} if found.direction_assumed else found.best_pvalues
    rows = []
    for name in found.order:
        known = {column: values[name] for column, values in columns.items() if name in values}
        if name in asked:
            known |= {"best_pvalue": asked[name], "may_be_best": name in kept}
        if name in found.from_best:
            known["best_low"], known["best_high"] = view.interval(*found.from_best[name])
        if found.kind == "leaderboard" and name in found.score_intervals:
            known["low"], known["high"] = view.interval(*found.score_intervals[name])
        rows.append(
            System(
                name=name,
                mean=view.value(found.scores[name]),
                sd=number_of(summaries[name]["sd"]),
                letters=found.letters.get(name, ""),
                **known,
            )
        )
    return Table.of(_with_times(rows, found.times), System)


def _more_of_systems(found: SystemsEvidence) -> dict[str, Mapping[str, Any]]:
    """Return what is known of systems where it was asked, by column and name."""
    columns: dict[str, Mapping[str, Any]] = {}
    best = found.best_posterior
    if best is not None:
        columns["probability_best"] = dict(zip(best.names, best.best, strict=True))
        columns["probability_near_best"] = dict(zip(best.names, best.near, strict=True))
    if found.by_rank:
        wins, ties = found.sample.wins(), found.sample.ties()
        counts = {
            "wins": wins.sum(axis=1),
            "ties": ties.sum(axis=1) - np.diag(ties),
            "losses": wins.sum(axis=0),
        }
        columns["mean_rank"] = found.mean_ranks
        columns |= {
            column: dict(zip(found.names, map(float, values), strict=True))
            for column, values in counts.items()
        }
    if found.kind == "leaderboard":
        columns["rank"] = {name: float(rank) for name, rank in found.ranks.items()}
        intervals = {"rank": found.rank_intervals}
        stability = found.rank_stability
        if stability is not None:
            intervals["resampled"] = stability.resampled(found.confidence_level)
            intervals["without"] = stability.without_one
            columns["first_share"] = stability.first
        for column, of in intervals.items():
            columns[f"{column}_low"] = {name: float(low) for name, (low, _) in of.items()}
            columns[f"{column}_high"] = {name: float(high) for name, (_, high) in of.items()}
    return columns


def _pairs_table(found: SystemsEvidence, view: ShownMetric) -> Table[Pair]:
    pairwise, posteriors, n = found.pairwise, found.posteriors, len(found.pairwise.pairs)
    outcomes, family = pairwise.outcomes, pairwise.family
    turn = ShownMetric(view.metric, view.is_loss and outcomes[0].scale == "score")
    interval_at = family.intervals_at(found.levels)
    ends = Column(n, lambda place: turn.interval(*interval_at(place)))
    shown = Column(n, lambda place: signed(outcomes[place], turn))
    first, second = zip(*pairwise.pairs, strict=True)
    columns: dict[str, Sequence[Any]] = {
        "first": first,
        "second": second,
        "n": found.n_units_of_pairs.tolist(),
        "estimate": Column(n, lambda place: turn.value(float(outcomes[place].estimate))),
        "low": Column(n, lambda place: ends[place][0]),
        "high": Column(n, lambda place: ends[place][1]),
        "level": found.levels.tolist(),
        "statistic": Column(n, lambda place: number_of(shown[place].statistic)),
        "df": Column(n, lambda place: outcomes[place].df),
        "pvalue": pairwise.pvalues.tolist(),
        "adjusted": pairwise.adjusted_pvalues.tolist(),
        "verdict": found.verdicts,
        "toward": found.directions.astype(int).tolist(),
        "effects": Column(n, lambda place: shown[place].effects),
    }
    one_test = len(family.distinct("test")) == 1
    of_pair = Column(n, lambda place: outcomes[place].test)
    columns["test"] = [pairwise.test] * n if one_test else of_pair
    if found.equivalences is not None:
        tests, alpha = found.equivalences, found.alpha
        inner = Column(n, lambda place: turn.interval(*tests[place].interval(alpha)))
        columns |= {
            "inner_low": Column(n, lambda place: inner[place][0]),
            "inner_high": Column(n, lambda place: inner[place][1]),
            "noninferior_p": Column(n, lambda place: tests[place]._pvalues[0]),
            "noninferior_p_second": Column(n, lambda place: tests[place]._pvalues[1]),
            "equivalence_p": Column(n, lambda place: number_of(tests[place].adjusted_pvalue)),
        }
    if posteriors is not None:
        for name in ("better", "same", "worse"):
            columns[f"p_{name}"] = Column(n, partial(_chance, posteriors, name))
    if found.stability:
        of = found.stability
        columns["same_verdict"] = [
            of[pair].share if pair in of else math.nan for pair in pairwise.pairs
        ]
    return Table(Pair, columns)


def _chance(posteriors: Any, name: str, place: int) -> float:
    return number_of(getattr(posteriors[place].probabilities, name))


def _with_times(rows: list[System], times: Any) -> list[System]:
    if times is None:
        return rows
    return [
        row._replace(fit=times[row.name].fit, predict=times[row.name].predict)
        if row.name in times
        else row
        for row in rows
    ]


def report_of_performance(found: PerformanceEvidence) -> Report:
    """Return the estimates of performance: of systems, and of their difference."""
    view = found.shown_metric

    def of(estimate: Estimate) -> dict[str, Any]:
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
    pairs = Table(Pair, {"first": (), "second": ()})
    first = found.first
    if found.difference is not None:
        estimate = found.difference.estimate
        a, b = found.names
        pair = Pair(
            first=a,
            second=b,
            n=first.n_units,
            estimate=view.value(estimate.estimate),
            test=estimate.method,
            **of(estimate),
        )
        pairs = Table.of([pair], Pair)
    return Report(
        systems=Table.of(systems, System),
        pairs=pairs,
        ranked=False,
        metric=view.name,
        lower=found.is_loss,
        unit=first.unit,
        n_units=first.n_units,
        confidence_level=found.confidence_level,
        tests=tuple(dict.fromkeys(row.estimate.method for row in found.rows)),
        estimand=systems[0].estimand,
        assumptions=tuple(first.assumptions),
        ignored_variance=tuple(first.ignored_variance),
        design=found.design,
        training_share=found.training_share,
        reason=found.reason,
        n_fits=found.n_fits,
        doubts=tuple(found.doubts),
        evidence=found,
    )


# --- signs ---


class Signed(NamedTuple):
    """Statistic and effect sizes: those that have a sign have that of the difference."""

    statistic: float
    effects: Mapping[str, float]


def signed(outcome: Any, turn: ShownMetric) -> Signed:
    """Return what may have a sign of an outcome, as it is shown."""
    own = Signed(outcome.statistic, outcome.effect_sizes)
    if not turn.is_loss:
        return own
    turned = outcome.turned()  # what counts wins, as of A, changes by another law than sign
    effects = {
        name: 0.0 - size if turned.effect_sizes[name] == -size else size
        for name, size in own.effects.items()
    }
    odd = turned.statistic == -own.statistic
    return Signed(0.0 - own.statistic if odd else own.statistic, effects)


def number_of(value: Any) -> float:
    """Turn a missing number into nan."""
    return math.nan if value is None else float(value)
