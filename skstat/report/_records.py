"""Rows of plain values for a DataFrame, alike in every report, and numbers for a logger."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Any

from skstat._names import shown_name
from skstat.report._evidence import SliceEvidence
from skstat.report._model import Pair, Report, ReportGrid, System

Record = dict[str, Any]
Place = tuple[str | tuple[str, str], ...]

# Columns of a frame that have another name than in the tables of a report, and fields of those
# tables that no frame has.
_CALLED = {
    "estimate": "difference",
    "adjusted": "adjusted_pvalue",
    "equivalence_p": "equivalence_pvalue",
    "mean": "estimate",
}
_LEFT_OUT = {
    *("level", "toward", "effects", "inner_low", "inner_high"),
    *("noninferior_p", "noninferior_p_second"),
}
# What a logger takes of a row, beside the scores.
_LOGGED = (
    *("difference", "low", "high", "pvalue", "adjusted_pvalue", "equivalence_pvalue"),
    *("statistic", "training_score", "gap", "rank", "rank_low", "rank_high"),
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
        parts = (_in_slices(r),) if r.by == "slice" else map(records, r.reports.values())
        yield from chain.from_iterable(parts)
    elif r.is_performance or r.is_leaderboard:
        yield from _of_systems(r)
    else:
        yield from _of_pairs(r)


def parts_of(
    r: Report | ReportGrid, grid: ReportGrid | None = None, *inside: str
) -> Iterator[tuple[tuple[str, ...], Report, ReportGrid | None]]:
    """Walk single reports, that on all rows before those of slices.

    With each come its metric, and its slice or seed; and the grid of slices or of seeds.
    """
    if isinstance(r, Report):
        yield (r.metric, *inside), r, grid
        return
    if r.overall is not None:
        yield (r.metric,), r.overall, r
    for name, part in r.reports.items():
        yield from parts_of(part) if r.by == "metric" else parts_of(part, r, name)


def finite(value: Any) -> Any:
    """Turn what is missing, and a limit without an end, into nan."""
    missing = value is None or (isinstance(value, float) and not math.isfinite(value))
    return math.nan if missing else value


def _read(row: Pair | System) -> Record:
    """Read a row of a table, under the names that a frame has."""
    known = {name: value for name, value in row._asdict().items() if name not in _LEFT_OUT}
    return {_CALLED.get(name, name): finite(value) for name, value in known.items()}


def shared_of(r: Report) -> Record:
    """Return what a report says of all its rows."""
    return {
        "metric": r.metric,
        "direction": "" if r.direction_assumed else "lower" if r.lower else "higher",
        "confidence_level": r.confidence_level,
        "unit": r.unit,
        "doubts": _codes(r.doubts),
    }


def _codes(doubts: Sequence[Any]) -> str:
    """Write the codes of doubts, each once, with blanks between; empty without any."""
    return " ".join(sorted({doubt.code for doubt in doubts}))


def _of_pairs(r: Report) -> Iterator[Record]:
    """Walk the comparisons of two systems each."""
    means = {one.name: finite(one.mean) for one in r.systems}
    shared = shared_of(r) | {
        "quantity": r.quantity.name,
        "margin": finite(r.margin),
        "rope": finite((r.probabilities or {}).get("rope")),
    }
    for pair in r.pairs:
        df = pair.df if isinstance(pair.df, list | tuple) else (pair.df, None)
        row = _read(pair) | {
            "df": float(finite(df[0])),
            "df_denominator": float(finite(df[1])),
            "better": pair.better,
            "first_mean": means[pair.first],
            "second_mean": means[pair.second],
            **shared,
        }
        if isinstance(r.evidence, SliceEvidence):
            row["doubts"] = _codes(r.evidence[pair[:2]].doubts)
        yield row


def _in_slices(grid: ReportGrid) -> Iterator[Record]:
    """Walk the comparisons, slice by slice."""
    known = {one[:2]: one for one in grid.pairs}
    for name, part in grid.reports.items():
        for row in records(part):
            pair = row["first"], row["second"]
            place = {"slice": name, "n_rows": grid.n_rows[name]}
            facts = {
                "shrunken": known[pair].shrunken.get(name, math.nan),
                "explained_by": ", ".join(known[pair].explained_by.get(name, ())),
            }
            yield place | row | facts


def _of_systems(r: Report) -> Iterator[Record]:
    """Walk the systems; the difference of two estimates is one more, and named so."""
    rows = list(r.systems)
    if r.is_performance:
        for pair in r.pairs:
            shared = ("low", "high", "standard_error", "estimand")
            facts = {name: getattr(pair, name) for name in shared}
            name = f"{pair.first} - {pair.second}"
            rows.append(System(name, pair.estimate, method=pair.test, **facts))
    for one in rows:
        # By how much training is better.
        gap = (one.mean - one.training_score) * (1 if r.lower else -1)
        yield _read(one) | {"gap": finite(gap), "n": r.n_units} | shared_of(r)


def metrics(self: Report | ReportGrid) -> dict[str, float]:
    """Return the numbers of the report by name, for a logger such as MLflow's.

    Returns
    -------
    dict of str to float
        ``"accuracy/linear"`` is the mean accuracy of ``linear``. Of two systems there are
        also ``"accuracy/difference"``, ``"accuracy/low"``, ``"accuracy/high"``,
        ``"accuracy/pvalue"`` and ``"accuracy/adjusted_pvalue"``; of several systems
        ``"accuracy/linear-forest/difference"`` and so on. These are of all rows; in the
        slice ``seg=E`` the first of them is ``"accuracy/seg=E/linear"``. Only finite
        numbers. Characters that loggers refuse are replaced by ``_`` in the keys; asked by
        the names as they are written, the dictionary gives the same numbers.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> logged = report.metrics()
    >>> round(logged["score/new"], 3), round(logged["score/difference"], 3)
    (0.8, 0.075)
    """
    numbers = _Logged()
    for place, part, _ in parts_of(self):
        for one in part.systems:
            numbers.add((*place, one.name), one.mean)
        for row in records(part):
            under: Place = place
            if "name" in row:
                under = (*place, row["name"])
                numbers.add(under, row["estimate"])
            elif len(part.pairs) > 1:
                under = (*place, (row["first"], row["second"]))
            for key in _LOGGED:
                numbers.add((*under, key), row.get(key, math.nan))
    return numbers


class _Logged(dict[str, float]):
    """Numbers by names that loggers take, found by names as they are written too."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}
        self._written: dict[str, str] = {}

    def add(self, parts: Place, value: float) -> None:
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
            plain = text if text.strip(".") else "_" * max(1, len(text))
            numbered = (f"{plain} {n}" if n > 1 else plain for n in count(1))
            taken = self._labels.values()
            self._labels[name] = next(label for label in numbered if label not in taken)
        return self._labels[name]
