"""Plain tables: one row per result, or one column per system."""

from collections.abc import Mapping, Sequence
from typing import Any

from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.table_files import columns_of, is_table
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_SYSTEM = ("system", "model", "algorithm", "method", "framework")
_ITEM = ("item", "item_id", "question", "question_id", "id", "doc_id", "instance")
_REPEAT = ("repeat", "sample", "epoch", "seed", "attempt")


def read_table(given: Given, asked: Asked) -> Results:
    """Read a table with one row per result; columns of numbers are its scores."""
    assert given.path is not None
    columns = columns_of(given)
    if "systems" in asked.columns:
        columns = _melted(columns, asked.columns["systems"], given)
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


def _melted(columns: Mapping[str, Sequence[Any]], systems: Any, given: Given) -> Any:
    """Make a row of every cell of the columns that are systems."""
    if isinstance(systems, str) or not isinstance(systems, Sequence):
        raise ResultsError(f"columns['systems']={systems!r} must be a list of columns.")
    unknown = [name for name in systems if name not in columns]
    if unknown:
        raise ResultsError(
            f"columns['systems'] names {unknown[0]!r}, which is not a column; there are "
            f"{', '.join(columns)}."
        )
    beside = {name: cells for name, cells in columns.items() if name not in systems}
    if "score" in beside or "system" in beside:
        raise ResultsError(
            f"{given.path} has a column called system or score beside those of systems."
        )
    n = len(next(iter(columns.values())))
    found: dict[str, list[Any]] = {
        name: list(cells) * len(systems) for name, cells in beside.items()
    }
    found["system"] = [name for name in systems for _ in range(n)]
    found["score"] = [cell for name in systems for cell in columns[name]]
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


def _numbers(column: Sequence[Any]) -> list[float] | None:
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
    of="tables with a row per result (CSV, TSV, JSON, JSON lines, parquet)",
    recognises=is_table,
    read=read_table,
    reads={
        "system": f"A column called {', '.join(_SYSTEM)}; else the name of the file.",
        "item": f"A column called {', '.join(_ITEM)}.",
        "repeat": f"A column called {', '.join(_REPEAT)}.",
        "scores": "Columns of numbers; empty cells are missing. Lower is better in those that "
        "are called error, loss, time or the like.",
        "columns": "All other columns. ``columns={'item': 'question'}`` names what has another "
        "name, and ``columns={'systems': ['a', 'b']}`` the columns of systems.",
    },
)
