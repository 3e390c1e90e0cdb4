"""Records as flat numbers by name, as loggers take them."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    """Return the finite numbers of records, each under metric, slice, system or pair, and name.

    The names are those that loggers take. Asked by a name as the report writes it
    (``"accuracy/seg=E/new"``) the dictionary gives the number too.
    """
    rows = list(records)
    places = [(row["metric"], *([row["slice"]] if "slice" in row else [])) for row in rows]
    n_pairs = Counter(place for place, row in zip(places, rows, strict=True) if "second" in row)
    found = _Logged()
    for place, row in zip(places, rows, strict=True):
        if "second" not in row:
            name = (*place, row["name"])
            found.add(name, row["estimate"])
            for key in (key for key in _OF_ONE if key in row):
                found.add((*name, key), row[key])
            continue
        first, second = row["first"], row["second"]
        found.add((*place, first), row["first_mean"])
        found.add((*place, second), row["second_mean"])
        for key in _OF_PAIRS:
            pair = [(first, second)] if n_pairs[place] > 1 else []
            found.add((*place, *pair, key), row[key])
    return found


class _Logged(dict[str, float]):
    """Numbers by names that loggers take, found by names as they are written too."""

    def __init__(self) -> None:
        self._labels = _Labels()
        self._written: dict[str, str] = {}

    def add(self, parts: Sequence[str | tuple[str, str]], value: float) -> None:
        """Take a finite number by the parts of its name, of which a pair is one."""
        if math.isfinite(value):
            pairs = [(part,) if isinstance(part, str) else part for part in parts]
            name = "/".join("-".join(self._labels[one] for one in pair) for pair in pairs)
            self._written["/".join(map("-".join, pairs))] = name
            self[name] = value

    def __missing__(self, name: str) -> float:
        return self[self._written[name]]


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


def _allowed(name: str) -> str:
    """Keep to what MLflow allows in a part of a name, and to what no path misreads."""
    text = re.sub(r"[^\w\-. ]", "_", shown_name(name), flags=re.ASCII).strip()
    return text if text.strip(".") else "_" * max(1, len(text))
