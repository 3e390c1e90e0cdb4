"""Plain tables: CSV, TSV and JSON lines, one row per result."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_LINES = (".jsonl", ".ndjson")
_SYSTEM = ("system", "model", "algorithm", "method", "framework")
_ITEM = ("item", "item_id", "question", "question_id", "id", "doc_id", "instance")
_REPEAT = ("repeat", "sample", "epoch", "seed", "attempt")


def read_table(given: Given, asked: Asked) -> Results:
    """Read a table with one row per result; columns of numbers are its scores."""
    assert given.path is not None
    columns = _columns_of(given.path)
    roles = {
        role: _role(columns, role, asked, names)
        for role, names in (("system", _SYSTEM), ("item", _ITEM), ("repeat", _REPEAT))
    }
    item, system = roles["item"], roles["system"]
    if item is None:
        raise ResultsError(
            f"{given.path} has no column that names the item ({', '.join(columns)}): say "
            "which, as in columns={'item': 'question'}."
        )
    name = asked.system or given.path.stem
    of_rows = [name] * len(columns[item]) if system is None or asked.system else columns[system]
    wanted = asked.columns.get("score")
    scored = [wanted] if isinstance(wanted, str) else wanted
    rest = [column for column in columns if column not in roles.values()]
    if scored is None:
        scored = [column for column in rest if _numbers(columns[column]) is not None]
    scores: dict[str, list[float]] = {}
    for column in scored:
        found = _numbers(columns[column]) if column in columns else None
        if found is None:
            raise ResultsError(f"{given.path} has no column of numbers called {column!r}.")
        scores[column] = found
    if not scores:
        raise ResultsError(f"{given.path} has no column of numbers: there is no score.")
    return Results(
        system=of_rows,
        item=columns[item],
        repeat=None if roles["repeat"] is None else columns[roles["repeat"]],
        scores=scores,
        columns={column: columns[column] for column in rest if column not in scores},
        sources=tuple(
            Source(system=str(name), format=TABLE.name, path=str(given.what))
            for name in dict.fromkeys(of_rows)
        ),
    )


def _columns_of(path: Path) -> dict[str, list[Any]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix.lower() in _LINES:
            rows: list[Mapping[str, Any]] = []
            for number, line in enumerate(file, start=1):
                if line.strip():
                    rows.append(_record(line, f"{path}, line {number}"))
        else:
            reader = csv.DictReader(
                file, delimiter=_DELIMITERS[path.suffix.lower()], strict=True
            )
            try:
                rows = list(reader)
            except csv.Error as error:
                raise ResultsError(f"{path}, line {reader.line_num}: {error}.") from error
            if any(None in row for row in rows):
                raise ResultsError(f"{path} has rows with more cells than the header.")
    if not rows:
        raise ResultsError(f"{path} holds no rows.")
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}


def _record(line: str, where: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{where} is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise ResultsError(f"{where} is not an object with keys.")
    return found


def _role(
    columns: Mapping[str, Any], role: str, asked: Asked, usual: tuple[str, ...]
) -> str | None:
    named = asked.columns.get(role)
    if named is not None:
        if named not in columns:
            raise ResultsError(
                f"columns[{role!r}]={named!r} is not a column; there are {', '.join(columns)}."
            )
        return str(named)
    return next((name for name in usual if name in columns), None)


def _numbers(column: list[Any]) -> list[float] | None:
    """Numbers of a column, nan where a cell is empty; None where it holds something else."""
    found = []
    for cell in column:
        if cell is None or cell == "":
            found.append(float("nan"))
            continue
        try:
            found.append(float(cell))
        except (TypeError, ValueError):
            return None
    return None if all(cell != cell for cell in found) else found


TABLE = Format(
    name="table",
    of="tables with a row per result (CSV, TSV, JSON lines)",
    recognises=lambda given: given.suffix in (*_DELIMITERS, *_LINES) and bool(given.head),
    read=read_table,
    reads={
        "system": f"A column called {', '.join(_SYSTEM)}; else the name of the file.",
        "item": f"A column called {', '.join(_ITEM)}.",
        "repeat": f"A column called {', '.join(_REPEAT)}.",
        "scores": "Columns of numbers; empty cells are missing.",
        "columns": "All other columns. ``columns={'item': 'question'}`` names what has another "
        "name.",
    },
)
