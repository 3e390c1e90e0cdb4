"""Records as flat numbers by name, as loggers take them."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from skstat._names import shown_name

# What is a fact of the single system stands under its name, everything else under the pair.
_OF_SYSTEMS = {"first_mean": "first", "second_mean": "second"}
_OF_PAIRS = (
    "difference",
    "low",
    "high",
    "pvalue",
    "adjusted_pvalue",
    "equivalence_pvalue",
    "statistic",
)
_OF_ONE = ("low", "high", "training_score", "gap")


def flat_metrics(records: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the finite numbers of records, each under metric, system or pair, and name."""
    rows = list(records)
    of_pairs = [row for row in rows if "second" in row]
    pairs_by_metric: dict[str, int] = {}
    for row in of_pairs:
        pairs_by_metric[row["metric"]] = pairs_by_metric.get(row["metric"], 0) + 1
    found: dict[str, float] = {}
    for row in rows:
        metric = _allowed(row["metric"])
        if "second" not in row:
            name = f"{metric}/{_allowed(row['name'])}"
            _add(found, name, row["estimate"])
            for key in _OF_ONE:
                _add(found, f"{name}/{key}", row[key])
            continue
        for key, end in _OF_SYSTEMS.items():
            _add(found, f"{metric}/{_allowed(row[end])}", row[key])
        pair = ""
        if pairs_by_metric[row["metric"]] > 1:
            pair = f"{_allowed(row['first'])}-{_allowed(row['second'])}/"
        for key in _OF_PAIRS:
            _add(found, f"{metric}/{pair}{key}", row[key])
    return found


def _add(found: dict[str, float], name: str, value: float | None) -> None:
    if value is not None and not isinstance(value, tuple) and math.isfinite(value):
        found[name] = float(value)


def _allowed(name: str) -> str:
    """Keep to what MLflow allows in a part of a name, and to what no path misreads."""
    text = re.sub(r"[^\w\-. ]", "_", shown_name(name), flags=re.ASCII).strip()
    return text if text.strip(".") else "_" * max(1, len(text))
