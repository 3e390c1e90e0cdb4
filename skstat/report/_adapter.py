"""Today's reports as the one model: names of losses, signs, and tables by column.

It goes when the engine builds the model itself.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np

from skstat.report._doubts import beside_equivalent
from skstat.report._model import (
    Column,
    Pair,
    Report,
    System,
    Table,
)
from skstat.report._own_scores import OwnScores
from skstat.report._words import ShownMetric
from skstat.stats import CrossedScores, ScoreTable, SeededPredictions
from skstat.stats._outcomes import sampled_by, unit_word
from skstat.stats._samples import PredictionsSummary

T = TypeVar("T")

_NOTHING = 1e-12  # a difference, by the largest score, that floats alone may make
_SD_OVER = {
    CrossedScores: "instances, of means over seeds",
    SeededPredictions: "seeds",
    PredictionsSummary: "seeds",
}
_NO_TEST = "nothing varies to test it against"


def of_model(function: Callable[..., T]) -> Callable[..., T]:
    """Make a method of today's reports of one of the model."""

    @wraps(function)
    def method(self: Any, *args: Any, **options: Any) -> T:
        return function(self._model, *args, **options)

    return method


def model_of_pair(report: Any) -> Report:
    """Return the comparison of two systems."""
    view, outcome = report._shown_metric, report.outcome
    turn = report._shown_difference
    low, high = report.confidence_interval()
    pvalue = report.pvalue if report.adjusted_pvalue is None else report.adjusted_pvalue
    a, b = report.names
    known: dict[str, Any] = {}
    if report.equivalence is not None:
        inner = turn.interval(*report.equivalence.interval(report._alpha))
        first, second, both = report.equivalence._pvalues
        known |= {
            "inner_low": inner[0],
            "inner_high": inner[1],
            "equivalence_p": both,
            "noninferior_p": first,
            "noninferior_p_second": second,
        }
    if report.posterior is not None:
        chances = report.posterior.probabilities._asdict()
        known |= {f"p_{name}": number_of(share) for name, share in chances.items()}
    if report.stability is not None:
        known["same_verdict"] = report.stability.share
    pair = Pair(
        first=a,
        second=b,
        n=int(report.n_units),
        estimate=report.estimate,
        low=low,
        high=high,
        level=report._level,
        standard_error=number_of(report.standard_error),
        statistic=number_of(report.statistic),
        df=report.df,
        pvalue=report.pvalue,
        adjusted=number_of(report.adjusted_pvalue),
        verdict=report.verdict,
        toward=report._direction,
        test=report.test,
        effects=report.effect_sizes,
        **known,
    )
    systems = [
        System(name=name, mean=view.value(number_of(one["mean"])), sd=number_of(one["sd"]))
        for name, one in zip(report.names, report._summaries, strict=True)
    ]
    why = {}
    if math.isnan(pvalue):
        why = {outcome.why_no_pvalue(unit_word(report.unit)) or _NO_TEST: [(a, b)]}
    change = report._size_change
    return Report(
        systems=Table.of(_with_times(systems, report.times), System),
        pairs=Table.of([pair], Pair),
        ranked=False,
        n_family=1 if report.adjusted_pvalue is None else 2,
        identical=bool(report.compared.identical),
        alternative=report.alternative,
        tests=(report.test,),
        statistic_name=outcome.statistic_name,
        adjustment=report.adjustment or "",
        simultaneous=outcome.simultaneous,
        scale=outcome.scale,
        in_ranks="" if outcome.scale == "score" else outcome.compared,
        quantity=outcome.quantity,
        smallest_pvalue=outcome.smallest_pvalue,
        n_resamples=getattr(outcome, "n_resamples", None),
        monte_carlo_error=getattr(outcome, "monte_carlo_error", None),
        why_no_pvalue=why,
        equivalence=_equivalence(report, turn),
        probabilities=_probabilities(report._probabilities, view),
        constant=None if report.constant is None else view.value(report.constant),
        constants=() if report.constant is None else (b,),
        sd_over=_SD_OVER.get(type(report.sample), ""),
        null_hypotheses=(outcome.null_hypothesis,),
        preface=report.preface or "",
        change=None if change is None else _change(change, turn),
        stability={} if report.stability is None else {(a, b): report.stability},
        sampled=sampled_by(outcome),
        **_common(report),
    )


def _common(report: Any) -> dict[str, Any]:
    choice = report.choice
    return {
        "metric": report._shown_metric.name,
        "lower": report.is_loss,
        "direction_assumed": report.direction_assumed,
        "unit": report.unit,
        "n_units": report.n_units,
        "confidence_level": report.confidence_level,
        "margin": report.margin,
        "estimand": report.estimand,
        "assumptions": tuple(report.assumptions),
        "ignored_variance": tuple(report.ignored_variance),
        "choice": None if choice is None else choice.to_dict(),
        "design": report.design,
        "doubts": tuple(report.doubts),
        "beside_equivalent": beside_equivalent(report.doubts),
        "evidence": report,
    }


def _equivalence(report: Any, turn: ShownMetric) -> Mapping[str, Any] | None:
    found = report.equivalence
    if found is None:
        return None
    sides = (found.lower_pvalue, found.upper_pvalue)
    lower, upper = sides[::-1] if turn.is_loss else sides
    return {
        "pvalue": found.pvalue,
        "lower_pvalue": lower,
        "upper_pvalue": upper,
        "adjusted_pvalue": found.adjusted_pvalue,
        "adjustment": found.adjustment,
    }


def _probabilities(found: Mapping[str, Any] | None, view: ShownMetric) -> Any:
    if found is None or found["interval"] is None:
        return found
    return {**found, "interval": view.interval(*found["interval"])}


def _change(change: Any, turn: ShownMetric) -> dict[str, Any]:
    return {
        "half": turn.value(change.half),
        "half_interval": turn.interval(*change.half_interval),
        "change": turn.value(change.change),
        "interval": turn.interval(*change.interval),
    }


def model_of_systems(report: Any) -> Report:
    """Return the comparison of several systems, on one data set or many."""
    pairwise, outcome = report.pairwise, report.pairwise.outcomes[0]
    view = ShownMetric(report.metric, report.is_loss)
    posterior = None if report.posteriors is None else report.posteriors[0]
    best = report.best_posterior
    known: dict[str, Any] = {}
    if hasattr(report, "critical_difference"):
        known = {
            "critical_difference": report.critical_difference,
            "groups": report.groups,
            "undrawn": report.undrawn,
            "left_out": report.left_out,
            "missing": _span_of_pairs(report),
            "scores": _scores_of(report, view),
        }
    if hasattr(report, "rank_intervals"):
        known = {
            "tie_groups": report.tie_groups,
            "rank_stability": report.rank_stability,
            "part_word": report.part_word,
        }
    is_table = isinstance(report.sample, ScoreTable)
    scores = report.sample.scores if is_table else list(report.scores.values())
    why: dict[str, list[tuple[str, str]]] = {}
    for names in report._untested:
        why.setdefault(pairwise[names].why_no_pvalue(unit_word(report.unit)), []).append(names)
    family = pairwise.family
    probabilities = None
    if posterior is not None:
        names = ("rope", "where", "lead", "caveat", "model", "n_drawn")
        probabilities = {name: getattr(posterior, name) for name in names}
    return Report(
        systems=_systems_table(report, view),
        pairs=_pairs_table(report, view),
        control=report.control,
        asks_best=bool(report.best_pvalues),
        all_pairs=report._all_pairs,
        n_family=pairwise.n_family or len(report),
        identical=all(part.compared.identical for part in report),
        noise=_NOTHING * float(np.nanmax(np.abs(scores))),
        alternative=report.alternative,
        tests=tuple(family.distinct("test")),
        test=report.test,
        statistic_name=_only(family.distinct("statistic_name")),
        constants=tuple(report.constants),
        adjustment=pairwise.adjustment,
        simultaneous=outcome.simultaneous,
        scale=outcome.scale,
        in_ranks="" if outcome.scale == "score" else outcome.compared,
        quantity=outcome.quantity,
        smallest_pvalue=pairwise.smallest_pvalue,
        n_resamples=getattr(outcome, "n_resamples", None),
        why_no_pvalue=why,
        probabilities=probabilities,
        best_draws=0 if best is None else best.n_draws,
        strengths=report.strengths,
        omnibus=_omnibus(report),
        null_hypotheses=tuple(family.distinct("null_hypothesis")),
        next_step=report.next_step or "",
        stability=report.stability or {},
        sampled=sampled_by(outcome),
        **known,
        **_common(report),
    )


def _only(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ""


def _omnibus(report: Any) -> dict[str, Any] | None:
    found = report.omnibus
    if found is None:
        return None
    why = found.why_no_pvalue(unit_word(report.unit)) if math.isnan(found.pvalue) else ""
    return found.to_dict() | {"pvalue": found.pvalue, "why_no_pvalue": why}


def _span_of_pairs(report: Any) -> str:
    if not report.table.missing.any():
        return ""
    n = report._rows.n_units
    few, many = int(n.min()), int(n.max())
    return str(few) if few == many else f"{few} to {many}"


def _scores_of(report: Any, view: ShownMetric) -> dict[str, Any]:
    table = report.table
    return {
        "names": tuple(table.names),
        "units": tuple(table.datasets or ()),
        "rows": [[view.value(one) for one in row] for row in table.scores],
    }


_OF_SYSTEM = {
    "sd": "sd",
    "best_low": "from_best_low",
    "best_high": "from_best_high",
    "best_pvalue": "best_pvalue",
    "low": "score_low",
    "high": "score_high",
    "without_low": "without_one_low",
    "without_high": "without_one_high",
}
_SAME = (
    *("mean_rank", "wins", "ties", "losses", "rank", "rank_low", "rank_high"),
    *("resampled_low", "resampled_high", "first_share"),
    *("probability_best", "probability_near_best"),
)


def _systems_table(report: Any, view: ShownMetric) -> Table[System]:
    turn = view.value if report._sign > 0 else _itself
    rows = []
    for row in report._ranking():
        known: dict[str, Any] = {
            name: number_of(row[of]) for name, of in _OF_SYSTEM.items() if of in row
        }
        known |= {name: number_of(row[name]) for name in _SAME if name in row}
        for low, high, way in (("best_low", "best_high", view.value), ("low", "high", turn)):
            if low in known:
                ends = way(known[low]), way(known[high])
                known |= dict(zip((low, high), sorted(ends), strict=True))
        if "from_best_low" in row and math.isnan(known["best_low"] + known["best_high"]):
            low, high = report.from_best[row["name"]]
            known |= dict(zip(("best_low", "best_high"), view.interval(low, high), strict=True))
        rows.append(
            System(
                name=row["name"],
                mean=turn(number_of(row["mean"])),
                letters=row["letters"],
                may_be_best=row.get("may_be_best"),
                **known,
            )
        )
    return Table.of(_with_times(rows, report.times), System)


def _itself(value: float) -> float:
    return value


def _pairs_table(report: Any, view: ShownMetric) -> Table[Pair]:
    pairwise, rows = report.pairwise, report._rows
    outcomes, family, n = pairwise.outcomes, pairwise.family, len(report.pairwise.pairs)
    turn = ShownMetric(report.metric, report.is_loss and outcomes[0].scale == "score")
    ends = Column(n, lambda place: turn.interval(*rows._interval_at(place)))
    first, second = zip(*pairwise.pairs, strict=True)
    columns: dict[str, Sequence[Any]] = {
        "first": first,
        "second": second,
        "n": rows.n_units.tolist(),
        "estimate": Column(n, lambda place: turn.value(float(outcomes[place].estimate))),
        "low": Column(n, lambda place: ends[place][0]),
        "high": Column(n, lambda place: ends[place][1]),
        "level": rows._levels.tolist(),
        "statistic": Column(n, lambda p: number_of(signed(outcomes[p], turn).statistic)),
        "df": Column(n, lambda place: outcomes[place].df),
        "pvalue": pairwise.pvalues.tolist(),
        "adjusted": pairwise.adjusted_pvalues.tolist(),
        "verdict": report._rows.told().verdicts,
        "toward": rows.toward.astype(int).tolist(),
        "effects": Column(n, lambda place: signed(outcomes[place], turn).effects),
    }
    one_test = len(family.distinct("test")) == 1
    columns["test"] = [report.test] * n if one_test else Column(n, lambda p: outcomes[p].test)
    if report.margin is not None:
        tests, alpha = report.equivalences, report.alpha
        inner = Column(n, lambda place: turn.interval(*tests[place].interval(alpha)))
        columns |= {
            "inner_low": Column(n, lambda place: inner[place][0]),
            "inner_high": Column(n, lambda place: inner[place][1]),
            "noninferior_p": Column(n, lambda place: tests[place]._pvalues[0]),
            "noninferior_p_second": Column(n, lambda place: tests[place]._pvalues[1]),
            "equivalence_p": Column(n, lambda place: number_of(tests[place].adjusted_pvalue)),
        }
    if report.posteriors is not None:
        for name in ("better", "same", "worse"):
            value = partial(_chance, report.posteriors, name)
            columns[f"p_{name}"] = Column(n, value)
    if report.stability:
        of = report.stability
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


def model_of_performance(report: Any) -> Report:
    """Return the estimates of performance: of systems, and of their difference."""
    view = report._shown_metric

    def of(row: Any) -> dict[str, Any]:
        low, high = view.interval(*row.estimate.confidence_interval(report.confidence_level))
        return {
            "low": low,
            "high": high,
            "standard_error": number_of(row.estimate.standard_error),
        }

    def words(row: Any) -> dict[str, Any]:
        estimand = row.estimate.estimand.replace(report.metric, view.name)
        return {"method": row.estimate.method, "estimand": estimand}

    systems = [
        System(
            name=row.name,
            mean=view.value(row.estimate.estimate),
            training_score=view.value(number_of(row.training_score)),
            **of(row),
            **words(row),
        )
        for row in report.rows
    ]
    pairs = []
    if report.difference is not None:
        row = report.difference
        pairs = [
            Pair(
                first=report.names[0],
                second=report.names[1],
                n=report.n_units,
                estimate=view.value(row.estimate.estimate),
                test=row.estimate.method,
                estimand=words(row)["estimand"],
                **of(row),
            )
        ]
    return Report(
        systems=Table.of(systems, System),
        pairs=Table.of(pairs, Pair) if pairs else Table(Pair, {"first": (), "second": ()}),
        ranked=False,
        metric=view.name,
        lower=report.is_loss,
        unit=report.unit,
        n_units=report.n_units,
        confidence_level=report.confidence_level,
        tests=tuple(dict.fromkeys(row.estimate.method for row in report.rows)),
        estimand=report.estimand.replace(report.metric, view.name),
        assumptions=tuple(report.assumptions),
        ignored_variance=tuple(report.ignored_variance),
        design=report.design,
        training_share=report.training_share,
        reason=report.reason,
        n_fits=report.n_fits,
        doubts=tuple(report.doubts),
        evidence=report,
    )


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


def own_scores(r: Report) -> OwnScores:
    """Return the interval of every score by itself, which takes time: nothing else needs it."""
    parts = r.evidence if isinstance(r.evidence, tuple) else (r.evidence,)
    view, found = ShownMetric(r.metric, r.lower), [part._own for part in parts]
    each = [(name, own) for one in found for name, own in one.scores.items()]
    return replace(
        found[0],
        scores={n: (view.value(score), *view.interval(*ends)) for n, (score, *ends) in each},
        methods={name: method for one in found for name, method in one.methods.items()},
    )


def number_of(value: Any) -> float:
    """Turn a missing number into nan."""
    return math.nan if value is None else float(value)
