"""Values of logs that nobody vouches for: JSON of bounded depth, and what it should hold."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from skstat.io._join import ResultsError

# A file is read at once.
FILE_LIMIT = 1 << 31
# Values of what comes out of an archive: an empty list takes 3 bytes there and 60 in memory.
VALUES_LIMIT = 20_000_000
# Texts that are longer are no topic, and no group.
_SHORT = 100
_RESERVED = ("system", "item", "repeat", "content")


def parsed(
    text: str | bytes, where: str, *, n_values: int | None = None, unique: bool = False
) -> Any:
    """Read JSON.

    Parameters
    ----------
    text : str or bytes
        The text.
    where : str
        What it is, for the error.
    n_values : int, optional
        How many values it may hold.
    unique : bool, default=False
        Whether to refuse an object that has a key twice; of logs the last one counts.

    Returns
    -------
    object
        What it says.
    """
    if n_values is not None:
        check_size(text, where, n_values)
    try:
        if unique and isinstance(text, str):  # lines are many: one decoder for all
            return DECODER.decode(text)
        return json.loads(text)
    except RecursionError as error:
        raise ResultsError(f"{where} is nested too deeply.") from error
    except ResultsError as error:
        raise ResultsError(f"{where}: {error}") from error
    except ValueError as error:
        raise ResultsError(f"{where} is not JSON: {error}.") from error


def check_size(text: str | bytes, where: str, n_values: int) -> None:
    """Refuse JSON of many values. Commas and brackets are counted, of texts too."""
    signs: Any = (b",", b"[", b"{") if isinstance(text, bytes) else (",", "[", "{")
    if sum(map(text.count, signs)) > n_values:
        raise ResultsError(
            f"{where} holds more than {n_values:,} values: leave out what is not needed."
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
        raise ResultsError(f"an object has the key {twice!r} twice.")
    return found


# Refuses an object that has a key twice.
DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def read_json(path: Path) -> Any:
    """Read a file of JSON."""
    if path.stat().st_size > FILE_LIMIT:
        raise ResultsError(f"{path} is larger than {FILE_LIMIT:,} bytes.")
    return parsed(path.read_bytes(), str(path))


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """Return an object with keys, or refuse anything else."""
    if not isinstance(value, dict):
        raise ResultsError(f"{where} is not an object with keys.")
    return value


def optional_mapping(value: Any, where: str) -> Mapping[str, Any]:
    """Return an object with keys; an empty one where there is none."""
    return {} if value is None else mapping(value, where)


def sequence(value: Any, where: str) -> Sequence[Any]:
    """Return a list, or refuse anything else."""
    if not isinstance(value, list):
        raise ResultsError(f"{where} is not a list.")
    return value


def word(value: Any, where: str) -> str:
    """Return a name, which is a text or whole number, or refuse anything else."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise ResultsError(f"{where} is not a text or whole number.")


def text_of(value: Any) -> str:
    """Return a fact in words: nothing where it is not known, JSON where it has parts."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def facts(**known: Any) -> dict[str, str]:
    """Return those facts that are known, in words."""
    return {
        name: text_of(value) for name, value in known.items() if value not in (None, "", {}, [])
    }


def whole_number(value: Any) -> int | None:
    """Return a count; None of anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number(value: Any) -> float | None:
    """Return a number, nan where there is none; None of what is not a number."""
    if value is None:
        return math.nan
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return None
    return None


def read_number(text: str) -> float | None:
    """Return the number that a text is; None of others, which Python reads as numbers too.

    Examples
    --------
    >>> read_number("1e3"), read_number("1_000"), read_number("\N{ARABIC-INDIC DIGIT TWO}")
    (1000.0, None, None)
    """
    if "_" in text or not text.isascii():
        return None
    try:
        return float(text)
    except ValueError:
        return None


def digest(*parts: Any) -> str:
    """Return a short digest of what an item is."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def small_columns(
    rows: Sequence[Mapping[str, Any]], *, taken: Iterable[str] = (), prefix: str
) -> dict[str, list[Any]]:
    """Return those facts of rows that may group them.

    Parameters
    ----------
    rows : sequence of mappings
        Facts of each row.
    taken : iterable of str, default=()
        Names that other columns have.
    prefix : str
        What comes before a name that is taken.

    Returns
    -------
    dict of str to list
        Facts that are short texts, numbers or nothing in all rows.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    used = {*_RESERVED, *taken}
    found: dict[str, list[Any]] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        if all(is_small(value) for value in values) and any(v is not None for v in values):
            found[f"{prefix}{name}" if name in used else name] = values
    return found


def is_small(value: Any) -> bool:
    """Tell whether a value may stand in a column: a short text, a number, or nothing."""
    if isinstance(value, str):
        return len(value) <= _SHORT
    return value is None or isinstance(value, bool | int | float)
