"""The dictionary of a report with losses as losses, as readers see them.

``to_dict()`` keeps the sign of scores, as the attributes of a report do. The sign is changed
here, once, so that no renderer has to know about signs.
"""

from collections.abc import Callable
from typing import Any

from skstat.report._words import ShownMetric

_State = dict[str, Any]


def shown_comparison(report: _State) -> _State:
    """Return the dictionary of a comparison with a loss under its own name and sign.

    Differences are those of the losses, A - B: below 0 where A is better. Mean ranks,
    statistics, effect sizes and p-values stay what they are.
    """
    return _shown(report, _comparison)


def shown_systems(report: _State) -> _State:
    """Return the dictionary of several systems with a loss under its own name and sign."""
    return _shown(report, _systems)


def shown_datasets(report: _State) -> _State:
    """Return the dictionary of many data sets with a loss under its own name and sign."""
    return _shown(report, lambda state: _systems(state) | {"sample": _table(state["sample"])})


def shown_leaderboard(report: _State) -> _State:
    """Return the dictionary of a leaderboard with a loss under its own name and sign."""
    return _shown(report, _leaderboard)


def _shown(report: _State, turned: Callable[[_State], _State]) -> _State:
    if not report["is_loss"]:
        return report
    return {**report, **turned(report), "metric": metric_of(report).name}


def metric_of(report: _State) -> ShownMetric:
    """Return how the values of a report, or of one part of it, are shown."""
    return ShownMetric(report["metric"], report["is_loss"])


def _comparison(report: _State) -> _State:
    found: _State = {
        "scores": [_one(score, "mean") for score in report["scores"]],
        "constant": _turned(report["constant"]),
        "quantity": _one(report["quantity"], "difference"),
        "equivalence": _equivalence(report["equivalence"]),
        "probabilities": _probabilities(report["probabilities"]),
    }
    if report["scale"] != "score":
        return found
    if "change" in report:
        change = report["change"]
        found["change"] = {
            "half": _turned(change["half"]),
            "half_interval": _mirrored(*change["half_interval"]),
            "change": _turned(change["change"]),
            "interval": _mirrored(*change["interval"]),
        }
    sides = {"at least": "at most", "at most": "at least"}
    kind = report["interval_kind"]
    return found | {
        "estimate": _turned(report["estimate"]),
        "interval": _mirrored(*report["interval"]),
        "interval_kind": sides.get(kind, kind),
    }


def _equivalence(found: _State | None) -> _State | None:
    """Turn the interval; who is not worse than whom stays what it is."""
    if found is None:
        return None
    return {
        **found,
        "interval": _mirrored(*found["interval"]),
        "lower_pvalue": found["upper_pvalue"],
        "upper_pvalue": found["lower_pvalue"],
    }


def _probabilities(found: _State | None) -> _State | None:
    """Turn the interval; how probable it is that A is better stays what it is."""
    if found is None or found["interval"] is None:
        return found
    return {**found, "interval": _mirrored(*found["interval"])}


def _systems(report: _State) -> _State:
    metric = metric_of(report).name
    ranking = report["ranking"]
    if report["higher_is_better"]:  # or else they are shown as they were given
        ranking = [_one(row, "mean") for row in ranking]

    def turned(pair: _State) -> _State:
        return (_row(pair) if pair["scale"] == "score" else pair) | {"metric": metric}

    return {
        "ranking": [_row(row, "from_best_low", "from_best_high") for row in ranking],
        "pairs": report["pairs"].turned(turned),
        "higher_is_better": False,
    }


def _leaderboard(report: _State) -> _State:
    found = _systems(report)
    if report["higher_is_better"]:
        found["ranking"] = [_row(row, "score_low", "score_high") for row in found["ranking"]]
    return found


def _table(sample: _State) -> _State:
    """Turn scores of a table, unless they are losses as they were given."""
    if not sample["higher_is_better"]:
        return sample
    rows = [[_turned(score) for score in row] for row in sample["scores"]]
    return {**sample, "scores": rows, "higher_is_better": False}


def _row(row: _State, low: str = "low", high: str = "high") -> _State:
    """Turn the estimate of a row, if it has one, and its interval."""
    if low not in row:
        return row
    found = _one(row, "estimate") if "estimate" in row else row
    return {**found, **dict(zip((low, high), _mirrored(row[low], row[high]), strict=True))}


def _one(row: _State, key: str) -> _State:
    return {**row, key: _turned(row[key])}


def _mirrored(low: float | None, high: float | None) -> list[float | None]:
    return [_turned(high), _turned(low)]


def _turned(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
