"""Counting rows where they are stored: by polars or DuckDB, which load no table for it.

Neither is imported: whoever hands in a scan has done so.
"""

from collections.abc import Callable
from typing import Any

Columns = list[tuple[str, Any]]
Choose = Callable[[list[str]], list[str]]


def counted_by_scan(scan: Any, choose: Choose) -> Columns:
    """Count the rows of a scan that are alike in the chosen columns.

    Parameters
    ----------
    scan : LazyFrame or DuckDBPyRelation
        Where the rows are.
    choose : callable
        From the names of all columns to those that are counted.

    Returns
    -------
    list of (str, list)
        The chosen columns, by name, with one entry for each kind of row, and their counts.
    """
    if hasattr(scan, "collect_schema"):
        return _by_polars(scan, choose)
    if hasattr(scan, "aggregate") and hasattr(scan, "columns"):
        return _by_duckdb(scan, choose)
    raise TypeError(
        f"scan is {type(scan).__name__}; give a polars LazyFrame (polars.scan_parquet(paths)) "
        "or a DuckDB relation (duckdb.read_parquet(paths)). A table of counts is read by "
        "PredictionCounts.from_frame, rows in memory are counted by PredictionCounts.from_rows."
    )


def columns_of(frame: Any, argument: str) -> list[str]:
    """Names of the columns of a frame or mapping."""
    if hasattr(frame, "columns"):
        return [str(column) for column in frame.columns]
    if hasattr(frame, "keys") and hasattr(frame, "__getitem__"):
        return [str(column) for column in frame.keys()]  # noqa: SIM118  mapping-like
    raise TypeError(
        f"{argument} must be a DataFrame or a mapping of columns, got {type(frame).__name__}."
    )


def _by_polars(scan: Any, choose: Choose) -> Columns:
    wanted = choose(list(scan.collect_schema().names()))
    name = _free_name(wanted)
    table = _in_batches(scan.group_by(wanted).len(name))
    return [(column, table[column].to_list()) for column in (*wanted, name)]


def _in_batches(lazy: Any) -> Any:
    """Collect without holding the rows; the first releases of polars 1 call it otherwise."""
    try:
        return lazy.collect(engine="streaming")
    except TypeError:
        return lazy.collect(streaming=True)


def _by_duckdb(scan: Any, choose: Choose) -> Columns:
    wanted = choose(list(scan.columns))
    name = _free_name(wanted)
    quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in wanted)
    rows = scan.aggregate(f'{quoted}, count(*) AS "{name}"', quoted).fetchall()
    if not rows:
        raise ValueError("scan holds no rows.")
    return list(zip((*wanted, name), map(list, zip(*rows, strict=True)), strict=True))


def _free_name(taken: list[str]) -> str:
    """A name for the counts that no column has."""
    name = "count"
    while name in taken:
        name += "_"
    return name
