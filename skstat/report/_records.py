"""The rows of a report as records for a DataFrame, and its numbers for a logger."""

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

# New names of fields of the tables of a report, and fields that become no column.
_NEW_NAMES = {
    "estimate": "difference",
    "adjusted": "adjusted_pvalue",
    "equivalence_p": "equivalence_pvalue",
    "mean": "estimate",
}
_LEFT_OUT = {
    *("level", "toward", "effects", "inner_low", "inner_high"),
    *("noninferior_p", "noninferior_p_second"),
}
# Fields of a row that are logged, beside the scores.
_LOGGED = (
    *("difference", "low", "high", "pvalue", "adjusted_pvalue", "equivalence_pvalue"),
    *("statistic", "training_score", "gap", "rank", "rank_low", "rank_high"),
    *("first_share", "best_pvalue"),
)


def records(r: Report | ReportGrid) -> Iterator[Record]:
    """Iterate over records: of comparisons, or of systems for performance and leaderboards.

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
    """Iterate over single reports, the one on all rows before those of slices.

    Each is given as a tuple of its metric, and slice or seed, the report, and the grid of
    slices or seeds that holds it.
    """
    if isinstance(r, Report):
        yield (r.metric, *inside), r, grid
        return
    if r.overall is not None:
        yield (r.metric,), r.overall, r
    for name, part in r.reports.items():
        yield from parts_of(part) if r.by == "metric" else parts_of(part, r, name)


def finite(value: Any) -> Any:
    """Replace None and infinite values by nan."""
    missing = value is None or (isinstance(value, float) and not math.isfinite(value))
    return math.nan if missing else value


def _read(row: Pair | System) -> Record:
    """Return a row of a table as a record, with the names of columns of a frame."""
    fields = {name: value for name, value in row._asdict().items() if name not in _LEFT_OUT}
    return {_NEW_NAMES.get(name, name): finite(value) for name, value in fields.items()}


def shared_of(r: Report) -> Record:
    """Return the values that are the same in all records of a report."""
    return {
        "metric": r.metric,
        "direction": "" if r.direction_assumed else "lower" if r.lower else "higher",
        "confidence_level": r.confidence_level,
        "unit": r.unit,
        "doubts": _codes(r.doubts),
    }


def _codes(doubts: Sequence[Any]) -> str:
    """Return the distinct codes of doubts, separated by blanks."""
    return " ".join(sorted({doubt.code for doubt in doubts}))


def _of_pairs(r: Report) -> Iterator[Record]:
    """Iterate over records of pairs."""
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
    """Iterate over records of pairs, slice by slice."""
    pairs = {one[:2]: one for one in grid.pairs}
    for name, part in grid.reports.items():
        for row in records(part):
            pair = row["first"], row["second"]
            slice_ = {"slice": name, "n_rows": grid.n_rows[name]}
            facts = {
                "shrunken": pairs[pair].shrunken.get(name, math.nan),
                "explained_by": ", ".join(pairs[pair].explained_by.get(name, ())),
            }
            yield slice_ | row | facts


def _of_systems(r: Report) -> Iterator[Record]:
    """Iterate over records of systems; the difference of two estimates is one more."""
    rows = list(r.systems)
    if r.is_performance:
        for pair in r.pairs:
            shared = ("low", "high", "standard_error", "estimand")
            facts = {name: getattr(pair, name) for name in shared}
            name = f"{pair.first} - {pair.second}"
            rows.append(System(name, pair.estimate, method=pair.test, **facts))
    for row in rows:
        # By how much the training score is better.
        gap = (row.mean - row.training_score) * (1 if r.lower else -1)
        yield _read(row) | {"gap": finite(gap), "n": r.n_units} | shared_of(r)


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
        numbers. Characters that loggers refuse are replaced by ``_`` in the keys; the original
        names work as keys too.

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
    for parts, part, _ in parts_of(self):
        for system in part.systems:
            numbers.add((*parts, system.name), system.mean)
        for row in records(part):
            prefix: Place = parts
            if "name" in row:
                prefix = (*parts, row["name"])
                numbers.add(prefix, row["estimate"])
            elif len(part.pairs) > 1:
                prefix = (*parts, (row["first"], row["second"]))
            for key in _LOGGED:
                numbers.add((*prefix, key), row.get(key, math.nan))
    return numbers


class _Logged(dict[str, float]):
    """Numbers by names that loggers accept; the original names work as keys too."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}
        self._keys: dict[str, str] = {}

    def add(self, parts: Place, value: float) -> None:
        """Add a number, if it is finite, under a name given in parts; a part may be a pair."""
        if math.isfinite(value):
            pairs = [(part,) if isinstance(part, str) else part for part in parts]
            name = "/".join("-".join(map(self._label, pair)) for pair in pairs)
            self._keys["/".join(map("-".join, pairs))] = name
            self[name] = value

    def __missing__(self, name: str) -> float:
        return self[self._keys[name]]

    def _label(self, name: str) -> str:
        """Return a part of a name with the characters that MLflow and file paths allow.

        If two names become the same, the second gets a number.
        """
        if name not in self._labels:
            text = re.sub(r"[^\w\-. ]", "_", shown_name(name), flags=re.ASCII).strip()
            plain = text if text.strip(".") else "_" * max(1, len(text))
            numbered = (f"{plain} {n}" if n > 1 else plain for n in count(1))
            used = self._labels.values()
            self._labels[name] = next(label for label in numbered if label not in used)
        return self._labels[name]
