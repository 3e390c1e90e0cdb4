"""Files of tables as columns: CSV, TSV, JSON, JSON lines and parquet."""

import csv
import gzip
import io
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skstat.io._formats.format import Given
from skstat.io._formats.records import DECODER, FILE_LIMIT, check_size, mapping, parsed
from skstat.io._join import ResultsError

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_LINES = (".jsonl", ".ndjson")
_GZIP = b"\x1f\x8b"
# Cells of a table. All of them are in memory at once.
CELLS_LIMIT = 50_000_000
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
    lines = io.StringIO(given.head.decode("utf-8-sig", "replace"), newline="")
    try:
        return next(csv.reader(lines, delimiter=delimiter), [])
    except csv.Error:  # whoever reads the file will say so
        return []


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
    read = _READERS.get(suffix_of(given))
    if path is None or read is None:
        what = path or f"a {type(given.what).__name__}"
        raise ResultsError(
            f"{what} is not a table: its name ends in none of {', '.join(_READERS)}."
        )
    columns = read(path)
    if not columns or not len(next(iter(columns.values()))):
        raise ResultsError(f"{path} holds no rows.")
    return columns


def _content(path: Path) -> bytes:
    """Return what a file holds, unpacked: no more than may be read at once."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    with gzip.open(path, "rb") if packed else path.open("rb") as file:
        try:
            content = file.read(FILE_LIMIT + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ResultsError(f"{path} is damaged: {error}.") from error
    if len(content) > FILE_LIMIT:
        raise ResultsError(f"{path} holds more than {FILE_LIMIT:,} bytes.")
    return content


def _text(path: Path) -> str:
    content = _content(path)
    odd = content.find(b"\0")
    if odd >= 0:
        line = 1 + content.count(b"\n", 0, odd)
        raise ResultsError(f"{path} is not text: it has a NUL byte in line {line}.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise ResultsError(
            f"{path} is not UTF-8: byte 0x{content[error.start]:02x} in line {line}. Save it "
            "as UTF-8."
        ) from error


def _refuse_many(n_rows: int, n_columns: int, path: Path) -> None:
    if n_rows * n_columns > CELLS_LIMIT:
        raise ResultsError(
            f"{path} holds more than {CELLS_LIMIT:,} values ({n_rows:,} rows or more of "
            f"{n_columns:,} columns): leave out rows or columns that are not needed."
        )


def _separated(path: Path) -> Columns:
    suffix = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
    text = io.StringIO(_text(path), newline="")
    reader = csv.reader(text, delimiter=_DELIMITERS[suffix.lower()], strict=True)
    rows: list[list[str]] = []
    try:
        names = [name.strip() for name in next(filter(None, reader), [])]
        if len(names) == 1 and ";" in names[0]:
            raise ResultsError(
                f"{path} has one column, {names[0]!r}: its cells seem to be parted by "
                "semicolons. Save it with commas, or as .tsv with tabs."
            )
        for row in filter(None, reader):
            if len(row) != len(names):
                raise ResultsError(
                    f"{path}, line {reader.line_num} has {len(row)} cells, and the header has "
                    f"{len(names)}."
                )
            rows.append(row)
            _refuse_many(len(rows), len(names), path)
    except csv.Error as error:
        raise ResultsError(
            f"{path}, line {reader.line_num}: {error}. Long texts and odd quotes are safe in "
            "JSON lines (.jsonl)."
        ) from error
    if not rows:
        return {}
    # Lines that end with a delimiter make a column without a name and without content.
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return _by_name([(name, cells) for name, cells in columns if name or any(cells)], path)


def _by_name(columns: Sequence[tuple[str, Sequence[Any]]], path: Path) -> Columns:
    twice = next((n for n, count in Counter(n for n, _ in columns).items() if count > 1), None)
    if twice is not None:
        raise ResultsError(f"{path} has the column {twice!r} twice.")
    return dict(columns)


def _lines(path: Path) -> Columns:
    text = _text(path)
    check_size(text, str(path), CELLS_LIMIT)
    rows = []
    for number, line in enumerate(io.StringIO(text, newline=""), start=1):
        if line.isspace():
            continue
        try:
            row = DECODER.decode(line)
        except (ValueError, RecursionError):
            row = None  # why, is said below
        if not isinstance(row, dict):
            where = f"{path}, line {number}"
            row = mapping(parsed(line, where, unique=True), where)
        rows.append(row)
    return _of_records(rows, path)


def _of_records(rows: Sequence[Mapping[str, Any]], path: Path) -> Columns:
    names = dict.fromkeys(name for row in rows for name in row)
    _refuse_many(len(rows), len(names), path)
    return {name: [row.get(name) for row in rows] for name in names}


def _json(path: Path) -> Columns:
    found = parsed(_text(path), str(path), n_values=CELLS_LIMIT, unique=True)
    if isinstance(found, list):
        rows = (
            mapping(row, f"{path}, row {number}") for number, row in enumerate(found, start=1)
        )
        return _of_records(list(rows), path)
    columns = mapping(found, str(path))
    lengths = {len(c) if isinstance(c, list) else -1 for c in columns.values()}
    if len(lengths) != 1 or -1 in lengths:
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
        return _parquet_by_pyarrow(path)
    with _errors_of_parquet(path, polars.exceptions.PanicException):
        frame = polars.read_parquet(path)
        _refuse_many(frame.height, frame.width, path)
        return frame.to_dict(as_series=False)


def _parquet_by_pyarrow(path: Path) -> Columns:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise ResultsError(
            f"{path} is a parquet file, which polars or pyarrow reads: pip install polars."
        ) from error
    with _errors_of_parquet(path):
        table = parquet.read_table(path)
        _refuse_many(table.num_rows, table.num_columns, path)
        cells = (column.to_pylist() for column in table.columns)
        return _by_name(list(zip(table.column_names, cells, strict=True)), path)


@contextmanager
def _errors_of_parquet(path: Path, *more: type[BaseException]) -> Iterator[None]:
    kinds: tuple[type[BaseException], ...] = (Exception, *more)
    try:  # each package has errors of its own
        yield
    except ResultsError:
        raise
    except kinds as error:
        raise ResultsError(f"{path} is not a parquet file: {error}.") from error


_READERS: dict[str, Callable[[Path], Columns]] = {
    **dict.fromkeys(_DELIMITERS, _separated),
    **dict.fromkeys(_LINES, _lines),
    ".json": _json,
    ".parquet": _parquet,
}
