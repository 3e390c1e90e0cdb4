"""A report on several systems as plain values, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from skstat._times import times_from_dict, times_to_dict
from skstat.report._doubts import doubts_from_dicts, doubts_to_dicts
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._partition_stability import Stability
from skstat.report._recommendation import Recommendation
from skstat.report._words import adjustment_name
from skstat.stats import OmnibusOutcome, PairwiseOutcome
from skstat.stats._common import to_plain
from skstat.stats._outcomes import sampled_by
from skstat.stats._samples import sample_from_dict


def systems_state(
    report: Any, pairs: Sequence[dict[str, Any]], pairwise: dict[str, Any]
) -> dict[str, Any]:
    """Return everything that a report on several systems knows, and what is given of pairs."""
    return {
        "schema": "skstat.report",
        "schema_version": SCHEMA_VERSION,
        "kind": report.kind,
        "title": report._title(),
        "conclusion": report.conclusion,
        "sentences": list(report._sentences),
        "names": list(report.names),
        "metric": report.metric,
        "is_loss": report.is_loss,
        "direction_assumed": report.direction_assumed,
        "higher_is_better": report._sign > 0,
        "confidence_level": report.confidence_level,
        "margin": report.margin,
        "unit": report.unit,
        "n_units": report.n_units,
        "sampled": sampled_by(report.pairwise.outcomes[0]),
        "ranking": report._ranking(),
        "omnibus": None if report.omnibus is None else report.omnibus.to_dict(),
        "test": report.test,
        "adjustment": report.pairwise.adjustment,
        "adjustment_name": adjustment_name(report.pairwise.adjustment),
        "control": report.control,
        "quantity": asdict(report.pairwise.outcomes[0].quantity),
        "pairs": pairs,
        "may_be_best": list(report.may_be_best),
        "smallest_adjusted_pvalue": to_plain(report.pairwise.smallest_pvalue),
        "effect_sizes": to_plain(report.effect_sizes),
        "estimand": report.estimand,
        "null_hypothesis": report.null_hypothesis,
        "assumptions": list(report.assumptions),
        "ignored_variance": list(report.ignored_variance),
        "choice": None if report.choice is None else report.choice.to_dict(),
        "design": to_plain(report.design),
        "doubts": doubts_to_dicts(report.doubts),
        "sample": report.sample.to_dict(),
        "constants": dict(report.constants),
        "stability": report.stability
        and [
            {"first": a, "second": b, **stability.to_dict()}
            for (a, b), stability in report.stability.items()
        ],
        "times": times_to_dict(report.times),
        "next_step": report.next_step,
        "pairwise": pairwise,
    }


def words_of_pairs(pairwise: PairwiseOutcome) -> dict[str, Any]:
    """Return what comparisons in pairs say in words, once for all of them."""
    family = pairwise.family
    return {
        "tests": family.distinct("test"),
        "null_hypotheses": family.distinct("null_hypothesis"),
        "alternatives": family.distinct("alternative"),
        "statistic_names": family.distinct("statistic_name"),
    }


def systems_fields(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the report whose plain values these are."""
    restored: dict[str, Any] = {
        "omnibus": OmnibusOutcome,
        "choice": Recommendation,
    }
    return {
        "sample": sample_from_dict(state["sample"]),
        "pairwise": PairwiseOutcome.from_dict(state["pairwise"]),
        **{key: kind.from_dict(state[key]) for key, kind in restored.items() if state[key]},
        "metric": state["metric"],
        "is_loss": state["is_loss"],
        "direction_assumed": state.get("direction_assumed", ""),
        "confidence_level": state["confidence_level"],
        "design": dict(state["design"]),
        "ignored_variance": tuple(state["ignored_variance"]),
        "doubts": doubts_from_dicts(state["doubts"]),
        "margin": state.get("margin"),
        "samples": state["samples"] and tuple(map(sample_from_dict, state["samples"])),
        "constants": dict(state.get("constants") or {}),
        "times": times_from_dict(state.get("times")),
        "next_step": state.get("next_step"),
        "stability": {
            _pair_of(row): Stability.from_dict(row) for row in state.get("stability") or ()
        }
        or None,
    }


def _pair_of(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of a pair; schema version 1 calls them a and b."""
    return (row["first"], row["second"]) if "first" in row else (row["a"], row["b"])
