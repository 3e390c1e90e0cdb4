"""Files of tables as columns: CSV, TSV, JSON, JSON lines and parquet."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from skstat.io._formats.format import Given
from skstat.io._formats.records import FILE_LIMIT, mapping, read_json
from skstat.io._join import ResultsError

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_LINES = (".jsonl", ".ndjson")
_GZIP = b"\x1f\x8b"
Columns = Mapping[str, Sequence[Any]]


def is_table(given: Given) -> bool:
    """Whether a file's name says that it is a table."""
    return suffix_of(given) in _READERS and bool(given.head)


def suffix_of(given: Given) -> str:
    """Return the end of a file's name, without that of packing."""
    if given.path is not None and given.suffix == ".gz":
        return Path(given.path.stem).suffix.lower()
    return given.suffix


def header_of(given: Given) -> list[str]:
    """Return the names of a table's columns by the head of the file; none of other files."""
    delimiter = _DELIMITERS.get(suffix_of(given))
    if delimiter is None or given.head.startswith(_GZIP):
        return []
    line = given.head.decode("utf-8-sig", "replace").split("\n", 1)[0]
    return next(csv.reader([line.rstrip("\r")], delimiter=delimiter), [])


def columns_of(given: Given) -> Columns:
    """Return the columns of a table.

    Parameters
    ----------
    given : Given
        A file.

    Returns
    -------
    dict of str to sequence
        Cells by column, in the order of the file: texts of CSV and TSV, values of others.
    """
    path = given.path
    assert path is not None
    read = _READERS.get(suffix_of(given))
    if read is None:
        raise ResultsError(
            f"{path} is not a table: its name ends in none of {', '.join(_READERS)}."
        )
    columns = read(path)
    if not columns or not len(next(iter(columns.values()))):
        raise ResultsError(f"{path} holds no rows.")
    return columns


def _text(path: Path) -> io.StringIO:
    """Return the text of a file, unpacked: no more than may be read at once."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    with gzip.open(path, "rb") if packed else path.open("rb") as file:
        try:
            content = file.read(FILE_LIMIT + 1)
        except (EOFError, gzip.BadGzipFile) as error:
            raise ResultsError(f"{path} is damaged: {error}.") from error
    if len(content) > FILE_LIMIT:
        raise ResultsError(f"{path} holds more than {FILE_LIMIT:,} bytes.")
    return io.StringIO(content.decode("utf-8-sig"), newline="")


def _separated(path: Path) -> Columns:
    suffix = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
    reader = csv.reader(_text(path), delimiter=_DELIMITERS[suffix.lower()], strict=True)
    try:
        names = next(reader, [])
        rows = [row for row in reader if row]
    except csv.Error as error:
        raise ResultsError(f"{path}, line {reader.line_num}: {error}.") from error
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ResultsError(f"{path} has the column {twice!r} twice.")
    for number, row in enumerate(rows, start=2):
        if len(row) > len(names):
            raise ResultsError(
                f"{path} has rows with more cells than the header (row {number})."
            )
        row += [""] * (len(names) - len(row))
    return dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}


def _lines(path: Path) -> Columns:
    rows = []
    for number, line in enumerate(_text(path), start=1):
        if line.strip():
            rows.append(_record(line, f"{path}, line {number}"))
    return _of_records(rows)


def _record(line: str, where: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{where} is not JSON: {error}.") from error
    return mapping(found, where)


def _of_records(rows: Sequence[Mapping[str, Any]]) -> Columns:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _json(path: Path) -> Columns:
    found = read_json(path)
    if isinstance(found, list):
        return _of_records(
            [mapping(row, f"{path}, row {number}") for number, row in enumerate(found, start=1)]
        )
    columns = mapping(found, str(path))
    lengths = {name: len(c) if isinstance(c, list) else -1 for name, c in columns.items()}
    if len(set(lengths.values())) != 1 or -1 in lengths.values():
        raise ResultsError(
            f"{path} holds neither a list of objects (one per row) nor an object of lists of "
            "one length (one per column)."
        )
    return dict(columns)


def _parquet(path: Path) -> Columns:
    """Read by what is installed."""
    try:
        import polars
    except ImportError:
        pass
    else:
        try:
            return polars.read_parquet(path).to_dict(as_series=False)
        except polars.exceptions.PolarsError as error:
            raise ResultsError(f"{path} is not a parquet file: {error}.") from error
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise ResultsError(
            f"{path} is a parquet file, which polars or pyarrow reads: pip install polars."
        ) from error
    try:
        table: Columns = parquet.read_table(path).to_pydict()
    except ArrowException as error:
        raise ResultsError(f"{path} is not a parquet file: {error}.") from error
    return table


_READERS: dict[str, Callable[[Path], Columns]] = {
    **dict.fromkeys(_DELIMITERS, _separated),
    **dict.fromkeys(_LINES, _lines),
    ".json": _json,
    ".parquet": _parquet,
}
