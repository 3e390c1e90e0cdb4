"""Files that nobody vouches for: what they hold, as text and JSON, within bounded memory."""

import gzip
import io
import json
import stat
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skstat.io._join import ResultsError

# A file is read at once.
FILE_LIMIT = 1 << 31
_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"
# Values of what comes out of an archive: an empty list takes 3 bytes there and 60 in memory.
VALUES_LIMIT = 20_000_000


def content_of(path: str | Path) -> bytes:
    """Return what a file holds, unpacked: no more than may be read at once."""
    mode = Path(path).stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ResultsError(f"{path} is a device, not a file that can be read to its end.")
    with open(path, "rb") as file:  # once: it may be a pipe
        content = up_to(file, FILE_LIMIT)
    if content.startswith(_GZIP):
        try:
            with gzip.open(io.BytesIO(content)) as unpacked:
                content = up_to(unpacked, FILE_LIMIT)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ResultsError(f"{path} is damaged: {error}.") from error
    if len(content) > FILE_LIMIT:
        raise ResultsError(f"{path} holds more than {FILE_LIMIT:,} bytes.")
    return content


def up_to(file: Any, limit: int) -> bytes:
    """Read no more than a byte beyond a limit: room is made for as much as is asked at once."""
    parts, left = [], limit + 1
    while left > 0 and (part := file.read(min(left, _PIECE))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def decoded(content: bytes, name: str) -> str:
    """Return the text of a file, or say in which line it is none."""
    odd = content.find(b"\0")
    if odd >= 0:
        line = 1 + content.count(b"\n", 0, odd)
        raise ResultsError(f"{name} is not text: it has a NUL byte in line {line}.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise ResultsError(
            f"{name} is not UTF-8: byte 0x{content[error.start]:02x} in line {line}. Save it "
            "as UTF-8."
        ) from error


def lines_of(content: bytes, path: str | Path) -> Iterator[tuple[str, int]]:
    """Yield the lines of a text that hold something, with their numbers."""
    lines = enumerate(io.StringIO(decoded(content, str(path)), newline=""), start=1)
    return ((line, number) for number, line in lines if not line.isspace())


def parsed(text: str | bytes, where: str, *, unique: bool = False) -> Any:
    """Read JSON.

    Parameters
    ----------
    text : str or bytes
        The text.
    where : str
        What it is, for the error.
    unique : bool, default=False
        Whether to refuse an object that has a key twice; of logs the last one counts.

    Returns
    -------
    object
        What it says.
    """
    with reading(f"{where} (JSON)"):
        return json.loads(text, object_pairs_hook=_unique if unique else None)


def check_size(text: bytes, where: str, limit: int = VALUES_LIMIT) -> None:
    """Refuse a text of many values. What stands between them is counted, of texts too."""
    refuse_many(sum(map(text.count, (b",", b"[", b"{"))), where, limit)


def refuse_many(n_values: int, where: str, limit: int) -> None:
    """Refuse more values than may be read."""
    if n_values > limit:
        raise ResultsError(
            f"{where} holds more than {limit:,} values: leave out what is not needed."
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
        raise ValueError(f"an object has the key {twice!r} twice.")
    return found


def read_json(path: Path) -> Any:
    """Read a file of JSON."""
    return parsed(content_of(path), str(path))


@contextmanager
def reading(where: Any) -> Iterator[None]:
    """Say of what a reader cannot read that it is in this file, folder or object."""
    try:
        yield
    except ResultsError:
        raise
    except RecursionError as error:
        raise ResultsError(f"{where} is nested too deeply.") from error
    except OSError as error:
        raise ResultsError(f"{where} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ResultsError(f"{where}: {error}") from error
