"""A report on several systems as plain values, and back."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from skstat._times import times_to_dict
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._partition_stability import Stability
from skstat.report._words import adjustment_name, model_of
from skstat.stats._outcomes import sampled_by


def systems_state(report: Any) -> dict[str, Any]:
    """Return everything that a report on several systems knows; of pairs what is given."""
    return {
        "schema": "skstat.report",
        "schema_version": SCHEMA_VERSION,
        "kind": report.kind,
        "title": report._title(),
        "conclusion": report.conclusion,
        "sentences": report._sentences,
        "names": report.names,
        "metric": report.metric,
        "is_loss": report.is_loss,
        "direction_assumed": report.direction_assumed,
        "higher_is_better": report._sign > 0,
        "confidence_level": report.confidence_level,
        "margin": report.margin,
        "rope": report.rope,
        "probability_model": None
        if report.posteriors is None
        else model_of(report.posteriors[0]),
        "strengths": report.strengths,
        "best_posterior": report.best_posterior,
        "unit": report.unit,
        "n_units": report.n_units,
        "sampled": sampled_by(report.pairwise.outcomes[0]),
        "ranking": report._ranking(),
        "omnibus": report.omnibus,
        "test": report.test,
        "adjustment": report.pairwise.adjustment,
        "adjustment_name": adjustment_name(report.pairwise.adjustment),
        "control": report.control,
        "quantity": asdict(report.pairwise.outcomes[0].quantity),
        "pairs": report._rows.told(),
        "may_be_best": report.may_be_best,
        "smallest_adjusted_pvalue": report.pairwise.smallest_pvalue,
        "effect_sizes": report.effect_sizes,
        "estimand": report.estimand,
        "null_hypothesis": report.null_hypothesis,
        "assumptions": report.assumptions,
        "ignored_variance": report.ignored_variance,
        "choice": report.choice,
        "design": report.design,
        "doubts": report.doubts,
        "constants": report.constants,
        "stability": report.stability
        and [
            {"first": a, "second": b, **stability.to_dict()}
            for (a, b), stability in report.stability.items()
        ],
        "times": times_to_dict(report.times),
        "next_step": report.next_step,
        "bounds": report.bounds,
        "pairwise": report.pairwise,
    }


def stability_of_pairs(
    rows: Iterable[Mapping[str, Any]] | None,
) -> dict[tuple[str, str], Stability] | None:
    """Read what other partitions said of every pair; None where that was not asked."""
    return {_pair_of(row): Stability.from_dict(row) for row in rows or ()} or None


def _pair_of(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of a pair; schema version 1 calls them a and b."""
    return (row["first"], row["second"]) if "first" in row else (row["a"], row["b"])
