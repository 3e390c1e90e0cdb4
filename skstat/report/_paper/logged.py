"""Records as flat numbers by name, as loggers take them."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from skstat._names import shown_name

_OF_PAIRS = (
    "difference",
    "low",
    "high",
    "pvalue",
    "adjusted_pvalue",
    "equivalence_pvalue",
    "statistic",
)
_OF_ONE = (
    "low",
    "high",
    "training_score",
    "gap",
    "rank",
    "rank_low",
    "rank_high",
    "first_share",
    "best_pvalue",
)


def flat_metrics(records: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the finite numbers of records, each under metric, system or pair, and name."""
    rows = list(records)
    metrics, systems = _Labels(), _Labels()
    n_pairs = Counter(row["metric"] for row in rows if "second" in row)
    found: dict[str, float] = {}
    for row in rows:
        metric = metrics[row["metric"]]
        if "second" not in row:
            name = f"{metric}/{systems[row['name']]}"
            _add(found, name, row["estimate"])
            for key in (key for key in _OF_ONE if key in row):
                _add(found, f"{name}/{key}", row[key])
            continue
        first, second = systems[row["first"]], systems[row["second"]]
        _add(found, f"{metric}/{first}", row["first_mean"])
        _add(found, f"{metric}/{second}", row["second_mean"])
        pair = f"{first}-{second}/" if n_pairs[row["metric"]] > 1 else ""
        for key in _OF_PAIRS:
            _add(found, f"{metric}/{pair}{key}", row[key])
    return found


class _Labels(dict[str, str]):
    """Names as loggers take them; two that become the same are numbered."""

    def __missing__(self, name: str) -> str:
        label = plain = _allowed(name)
        number = 1
        while label in self.values():
            number += 1
            label = f"{plain} {number}"
        self[name] = label
        return label


def _add(found: dict[str, float], name: str, value: float) -> None:
    if math.isfinite(value):
        found[name] = value


def _allowed(name: str) -> str:
    """Keep to what MLflow allows in a part of a name, and to what no path misreads."""
    text = re.sub(r"[^\w\-. ]", "_", shown_name(name), flags=re.ASCII).strip()
    return text if text.strip(".") else "_" * max(1, len(text))
