"""Rows of plain values for a DataFrame, alike in every report, and numbers for a logger."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from skstat._names import shown_name
from skstat.report._evidence import SliceEvidence
from skstat.report._model import Report, ReportGrid

Record = dict[str, Any]

_LOGGED_OF_PAIRS = (
    *("difference", "low", "high", "pvalue", "adjusted_pvalue", "equivalence_pvalue"),
    "statistic",
)
_LOGGED_OF_ONE = (
    *("low", "high", "training_score", "gap", "rank", "rank_low", "rank_high"),
    *("first_share", "best_pvalue"),
)


def records(r: Report | ReportGrid) -> Iterator[Record]:
    """Walk the rows: a comparison each, or a system each where that is what is reported.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    """
    if isinstance(r, ReportGrid):
        if r.by == "slice":
            yield from _of_slices(r)
            return
        for part in r.reports.values():
            yield from records(part)
    elif r.is_performance:
        yield from _of_performance(r)
    elif r.is_leaderboard:
        yield from _of_leaderboard(r)
    else:
        yield from _of_pairs(r)


def _of_pairs(r: Report) -> Iterator[Record]:
    """Walk the comparisons of two systems each."""
    means = {one.name: one.mean for one in r.systems}
    rope = r.probabilities["rope"] if r.probabilities is not None else None
    for pair in r.pairs:
        df = pair.df if isinstance(pair.df, list | tuple) else (pair.df, None)
        in_slice = isinstance(r.evidence, SliceEvidence)
        doubts = r.evidence[pair[:2]].doubts if in_slice else r.doubts
        yield {
            "first": pair.first,
            "second": pair.second,
            "metric": r.metric,
            "direction": _direction(r),
            "better": pair.better,
            "verdict": pair.verdict,
            **_numbers(first_mean=means[pair.first], second_mean=means[pair.second]),
            **_numbers(difference=pair.estimate, low=pair.low, high=pair.high),
            "confidence_level": r.confidence_level,
            **_numbers(pvalue=pair.pvalue, adjusted_pvalue=pair.adjusted),
            "n": pair.n,
            "unit": r.unit,
            "quantity": r.quantity.name,
            "test": pair.test,
            **_numbers(statistic=pair.statistic, df=df[0], df_denominator=df[1]),
            **_numbers(margin=r.margin, equivalence_pvalue=pair.equivalence_p, rope=rope),
            **_numbers(probability_better=pair.p_better, probability_same=pair.p_same),
            **_numbers(probability_worse=pair.p_worse, same_verdict=pair.same_verdict),
            "doubts": _codes(doubts),
        }


def _of_slices(grid: ReportGrid) -> Iterator[Record]:
    """Walk the comparisons in every slice, pair by pair."""
    rows: dict[tuple[str, str], list[Record]] = {}
    for name, part in grid.reports.items():
        for row in records(part):
            pair = row["first"], row["second"]
            shrunken = grid.shrunken.get(pair, {}).get(name, math.nan)
            explained = grid.explained_by.get(pair, {}).get(name, ())
            rows.setdefault(pair, []).append(
                {
                    "slice": name,
                    "n_rows": grid.n_rows[name],
                    **row,
                    "shrunken": shrunken,
                    "explained_by": ", ".join(explained),
                }
            )
    for each in rows.values():
        yield from each


def _of_leaderboard(r: Report) -> Iterator[Record]:
    """Walk the systems with their ranks, the best first."""
    for one in r.systems:
        yield {
            "name": one.name,
            "metric": r.metric,
            "direction": _direction(r),
            **_numbers(estimate=one.mean, low=one.low, high=one.high),
            "confidence_level": r.confidence_level,
            "rank": int(one.rank),
            "rank_low": int(one.rank_low),
            "rank_high": int(one.rank_high),
            "group": one.letters,
            "may_be_best": one.may_be_best,
            **_numbers(best_pvalue=one.best_pvalue, first_share=one.first_share),
            **_numbers(resampled_low=one.resampled_low, resampled_high=one.resampled_high),
            **_numbers(without_one_low=one.without_low, without_one_high=one.without_high),
            "n": r.n_units,
            "unit": r.unit,
            "doubts": _codes(r.doubts),
        }


def _of_performance(r: Report) -> Iterator[Record]:
    """Walk the estimates; that of a difference is named so."""
    for one in (*r.systems, *r.pairs):
        is_difference = hasattr(one, "second")
        name = f"{one.first} - {one.second}" if is_difference else one.name
        estimate = one.estimate if is_difference else one.mean
        training = math.nan if is_difference else one.training_score
        yield {
            "name": name,
            "metric": r.metric,
            "direction": _direction(r),
            **_numbers(estimate=estimate, low=one.low, high=one.high),
            **_numbers(standard_error=one.standard_error, training_score=training),
            # By how much training is better.
            "gap": estimate - training if r.lower else training - estimate,
            "confidence_level": r.confidence_level,
            "n": r.n_units,
            "unit": r.unit,
            "method": one.test if is_difference else one.method,
            "estimand": one.estimand,
            "doubts": _codes(r.doubts),
        }


def _direction(r: Report) -> str:
    """Say which of two values is the better one; empty if nobody knows."""
    if r.direction_assumed:
        return ""
    return "lower" if r.lower else "higher"


def _numbers(**values: float | None) -> dict[str, float]:
    """Turn missing numbers, and limits without an end, into nan: a column is of numbers."""
    return {
        name: float(value) if value is not None and math.isfinite(value) else math.nan
        for name, value in values.items()
    }


def _codes(doubts: Sequence[Any]) -> str:
    """Write the codes of doubts, each once, with blanks between; empty without any."""
    return " ".join(sorted({doubt.code for doubt in doubts}))


def flat_metrics(r: Report | ReportGrid) -> dict[str, float]:
    """Return the finite numbers, each under metric, slice, system or pair, and name.

    The names are those that loggers take. Asked by a name as the report writes it
    (``"accuracy/seg=E/new"``) the dictionary gives the number too.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    """
    rows = list(_logged(r))
    places = [(row["metric"], *([row["slice"]] if "slice" in row else [])) for row in rows]
    n_pairs = Counter(place for place, row in zip(places, rows, strict=True) if "second" in row)
    found = _Logged()
    for place, row in zip(places, rows, strict=True):
        if "second" not in row:
            name = (*place, row["name"])
            found.add(name, row["estimate"])
            for key in (key for key in _LOGGED_OF_ONE if key in row):
                found.add((*name, key), row[key])
            continue
        first, second = row["first"], row["second"]
        found.add((*place, first), row["first_mean"])
        found.add((*place, second), row["second_mean"])
        for key in _LOGGED_OF_PAIRS:
            pair = [(first, second)] if n_pairs[place] > 1 else []
            found.add((*place, *pair, key), row[key])
    return found


def _logged(r: Report | ReportGrid) -> Iterator[Record]:
    """Walk the rows, before those of slices that of all rows."""
    if isinstance(r, ReportGrid) and r.overall is not None:
        yield from records(r.overall)
    if isinstance(r, ReportGrid) and r.by == "metric":
        for part in r.reports.values():
            yield from _logged(part)
    else:
        yield from records(r)


class _Logged(dict[str, float]):
    """Numbers by names that loggers take, found by names as they are written too."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}
        self._written: dict[str, str] = {}

    def add(self, parts: Sequence[str | tuple[str, str]], value: float) -> None:
        """Take a finite number by the parts of its name, of which a pair is one."""
        if math.isfinite(value):
            pairs = [(part,) if isinstance(part, str) else part for part in parts]
            name = "/".join("-".join(map(self._label, pair)) for pair in pairs)
            self._written["/".join(map("-".join, pairs))] = name
            self[name] = value

    def __missing__(self, name: str) -> float:
        return self[self._written[name]]

    def _label(self, name: str) -> str:
        """Keep to what MLflow allows in a part of a name, and to what no path misreads.

        Of two names that become the same the second is numbered.
        """
        if name not in self._labels:
            text = re.sub(r"[^\w\-. ]", "_", shown_name(name), flags=re.ASCII).strip()
            label = plain = text if text.strip(".") else "_" * max(1, len(text))
            number = 1
            while label in self._labels.values():
                number += 1
                label = f"{plain} {number}"
            self._labels[name] = label
        return self._labels[name]
