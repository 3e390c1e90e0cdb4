"""What a format declares; files that nobody vouches for, and rows of logs, as results.

Of files text and JSON is read within bounded memory.
"""

import gzip
import io
import json
import math
import re
import stat
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

from skstat.io._results import Results, ResultsError, Source
from skstat.io._table import number_of
from skstat.stats._scores import Unit

# A file is read at once.
FILE_LIMIT = 1 << 31
_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"
# Values of what comes out of an archive: an empty list takes 3 bytes there and 60 in memory.
VALUES_LIMIT = 20_000_000
# Enough of a file to know its format by.
_HEAD = 4096
# Reports begin with their schema; those of gates once began with the gate.
REPORT = re.compile(
    r'\s*\{\s*(?:"\$by_column":\s*true,\s*)?"(?:schema":\s*"skstat\.|gate":\s*\{\s*"result":)'
)
# Texts that are longer are no topic, and no group.
_SHORT = 100


@dataclass(eq=False)
class Given:
    """What the caller wants read, a file, a folder or an object, and what is said of it.

    Attributes
    ----------
    what : object
        A path, or the object.
    format : str
        The format that it is read as.
    system : str or None
        Name of the one system, where the caller gives it.
    allow : tuple of str
        What may be incomplete or differ, see :func:`skstat.io.read_results`.
    columns : dict of str to str
        Columns of a table by role (system, item, repeat, score), where a format has them.
    alone : bool
        Whether nothing else is compared, so that one system would have nobody beside it.
    path : Path or None
        The file or folder; None of an object in memory.
    where : str
        What it is, for errors.
    """

    what: Any
    format: str = ""
    system: str | None = None
    allow: tuple[str, ...] = ()
    columns: dict[str, Any] = field(default_factory=dict)
    alone: bool = False
    path: Path | None = field(init=False)
    where: str = field(init=False)

    def __post_init__(self) -> None:
        self.path = Path(self.what) if isinstance(self.what, str | Path) else None
        self.where = str(self.path or f"a {type(self.what).__name__}")

    @cached_property
    def head(self) -> str:
        """The first letters of a file; nothing of a folder or object."""
        if self.path is None or not self.path.is_file():
            return ""
        with self.path.open("rb") as file:
            return file.read(_HEAD).decode(errors="replace")

    def refuse_unfinished(self, why: str) -> None:
        """Refuse what is not whole, for a reason, unless the caller allows it."""
        if why and "unfinished" not in self.allow:
            raise ValueError(f"{why}. To read what there is, pass allow='unfinished'.")

    def source(self, system: str, **facts: Any) -> Source:
        """Say where the results of a system came from."""
        path = "" if self.path is None else str(self.what)
        return Source(system=system, format=self.format, path=path, **facts)


@dataclass(frozen=True)
class Format:
    """One format.

    Attributes
    ----------
    name : str
        How the caller names it.
    of : str
        What writes it, in words.
    looks : re.Pattern, optional
        How a file looks, by its name and, from the next line on, its first letters.
    read : callable
        Make results of it, of each system or of several, or raise a ResultsError that says
        what is wrong. They are joined, and renamed, by who calls it. Its docstring lists what
        of the format becomes what, for the page on formats.
    inside : callable, optional
        The files or folders of this format in a folder.
    is_object : callable, optional
        Whether an object in memory is of this format.
    """

    name: str
    of: str
    read: Callable[[Given], Sequence[Results]]
    looks: re.Pattern[str] | None = None
    inside: Callable[[Path], Sequence[Path]] = lambda folder: ()
    is_object: Callable[[Any], bool] = lambda given: False

    def knows(self, given: Given) -> bool:
        """Whether something given looks like this format."""
        if given.path is None:
            return self.is_object(given.what)
        if given.path.is_dir():
            return len(self.inside(given.path)) > 0
        # A report of skstat tells of results, and holds none.
        look = "" if REPORT.match(given.head) else f"{given.path.name}\n{given.head}"
        return self.looks is not None and self.looks.match(look) is not None


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
            f"{name} is not UTF-8: byte 0x{content[error.start]:02x} in line {line}."
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
        raise ResultsError(f"{where} holds more than {limit:,} values.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
        raise ValueError(f"an object has the key {twice!r} twice.")
    return result


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


class Entry(dict[str, Any]):
    """An object of a log: what it lacks is empty, and what is of another kind is refused."""

    @classmethod
    def of(cls, value: Any, name: str) -> Self:
        """Take an object with keys, which is empty where there is none."""
        if value is not None and not isinstance(value, dict):
            raise ValueError(f"{name} is not an object with keys.")
        return cls(value or {})

    def part(self, name: str) -> Self:
        """Return an object that stands in this one."""
        return self.of(self.get(name), name)

    def listed(self, name: str) -> Sequence[Any]:
        """Return a list that stands in it."""
        value = self.get(name)
        if value is not None and not isinstance(value, list):
            raise ValueError(f"{name} is not a list.")
        return value or []

    def parts(self, name: str) -> list[Self]:
        """Return a list of objects that stands in it."""
        return [self.of(each, f"an entry of {name}") for each in self.listed(name)]

    def text(self, name: str) -> str:
        """Return a fact in words."""
        return text_of(self.get(name))

    def word(self, name: str, default: Any = None) -> str:
        """Return a name, which is a text or whole number, or refuse anything else."""
        return word(self.get(name, default), name)

    def count(self, name: str) -> int | None:
        """Return a whole number; None of anything else."""
        value = self.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def word(value: Any, name: str) -> str:
    """Return a name, which is a text or whole number, or refuse anything else."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise ValueError(f"{name} is not a text or whole number.")


def text_of(value: Any) -> str:
    """Return a fact in words: nothing where it is not known, JSON where it has parts."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def as_number(value: Any) -> float | None:
    """Return a number, nan where there is none; None of what is not a number."""
    return None if isinstance(value, str) else number_of(value)


def digest(*parts: Any) -> str:
    """Return a short digest of what an item is."""
    text = json.dumps(parts, sort_keys=True, default=str)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Row:
    """One result, as a log has it.

    Attributes
    ----------
    item : str
        What it is on.
    scores : mapping of str to object
        By metric; None where there is none.
    repeat : str
        Which of several of the system on the item.
    facts : mapping of str to object
        What else is known of it, of which short texts and numbers become columns.
    content : str or None
        Digest of what the item is.
    """

    item: str
    scores: dict[str, Any]
    repeat: str = "1"
    facts: Mapping[str, Any] = field(default_factory=dict)
    content: str | None = None


@dataclass(frozen=True, kw_only=True)
class Log:
    """The results of one system on one task, and what is known of them, as of a ``Source``.

    Attributes
    ----------
    system, task : str
        Whose results they are, and on what.
    rows : sequence of Row
        The results.
    version, created, run, n_expected, score_left_out : object
        See :class:`skstat.io.Source`.
    settings : mapping of str to object
        How the task was asked.
    prompts : object
        What all systems are asked, of which a digest becomes one of the settings.
    """

    system: str
    rows: Sequence[Row]
    task: str = ""
    version: Any = None
    created: str = ""
    run: str = ""
    n_expected: int | None = None
    score_left_out: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    prompts: Any = None


def results_by_system(logs: Iterable[Log], given: Given, **how: Any) -> list[Results]:
    """Make results of every system by its logs, see :func:`results_of`."""
    by_system: dict[str, dict[str, Log]] = {}
    for log in logs:
        if by_system.setdefault(log.system, {}).setdefault(log.task, log) is not log:
            raise ResultsError(f"{given.where} has two runs of {log.system!r} on {log.task!r}.")
    return [results_of([*by_task.values()], given, **how) for by_task in by_system.values()]


def results_of(
    logs: Sequence[Log],
    given: Given,
    *,
    by_task: bool = False,
    task: str = "",
    prefix: str = "",
    number: Callable[[Any], float | None] = as_number,
    metrics: Iterable[str] | None = None,
    left_out: Mapping[str, str] | None = None,
    higher_is_better: Mapping[str, bool] | None = None,
    unit: Unit = "instance",
) -> Results:
    """Make results of logs.

    Parameters
    ----------
    logs : sequence of Log
        The logs.
    given : Given
        Where they came from.
    by_task : bool, default=False
        Whether items are named by their tasks, too, which become a column.
    task : str, default=""
        What all tasks together are called.
    prefix : str, default=""
        What comes before the names of facts that other columns have.
    number : callable, optional
        Reads a score: to a number, nan where there is none, None of what is not a number.
    metrics : iterable of str, optional
        Those to be read; by default all.
    left_out : mapping of str to str, optional
        Metrics that the log has and that are not read, each with the reason.
    higher_is_better : mapping of str to bool, optional
        Directions of metrics, where they are known.
    unit : str, default="instance"
        What an item is.
    """
    rows = [(log, row) for log in logs for row in log.rows]
    if not rows:
        raise ValueError("there are no results.")
    tasks = [log.task for log, _ in rows]
    why: dict[str, str] = {}
    scores: dict[str, list[float]] = {}
    for name in metrics or dict.fromkeys(name for _, row in rows for name in row.scores):
        values = [number(row.scores.get(name)) for _, row in rows]
        # What once is not a number is not a score of its task.
        odd = [row_number for row_number, own in enumerate(values) if own is None]
        if odd:
            why[name] = f"gave {str(rows[odd[0]][1].scores[name])[:40]!r}"
        refused = {tasks[row_number] for row_number in odd}
        of_rows = zip(tasks, values, strict=True)
        numbers = [math.nan if own is None or task in refused else own for task, own in of_rows]
        if not all(map(math.isnan, numbers)):  # a metric without any value says nothing
            scores[name] = numbers
    why |= left_out or {}
    if not scores:
        reasons = "; ".join(f"{name} {reason}" for name, reason in why.items())
        raise ValueError(f"no score of an item is a number ({reasons or 'there is none'}).")
    columns: dict[str, list[Any]] = {"task": tasks} if by_task else {}
    reserved = {"system", "item", "repeat", "content", *columns, *scores}
    for name in dict.fromkeys(name for _, row in rows for name in row.facts):
        values = [row.facts.get(name) for _, row in rows]
        if all(map(is_small, values)) and any(value is not None for value in values):
            columns[f"{prefix}{name}" if name in reserved else name] = values
    repeats, contents = [row.repeat for _, row in rows], [row.content for _, row in rows]
    systems = dict.fromkeys(log.system for log in logs)
    sources = [_source([x for x in logs if x.system == n], given, task) for n in systems]
    return Results(
        system=[log.system for log, _ in rows],
        item=[f"{log.task}/{row.item}" if by_task else row.item for log, row in rows],
        scores=scores,
        repeat=repeats if len(set(repeats)) > 1 else None,
        columns=columns,
        content=None if None in contents else contents,
        higher_is_better={n: up for n, up in (higher_is_better or {}).items() if n in scores},
        unit=unit,
        sources=tuple(sources),
        left_out=tuple(why),
    )


def _source(logs: Sequence[Log], given: Given, task: str) -> Source:
    """Say where the results of a system on all of its tasks came from."""
    names = dict.fromkeys(name for log in logs for name in log.settings)
    settings = {n: _one_or_each({log.task: log.settings.get(n) for log in logs}) for n in names}
    prompts = [(log.task, log.prompts) for log in logs if log.prompts is not None]
    settings["prompts"] = digest(*sorted(prompts)) if prompts else ""
    sizes = [log.n_expected for log in logs]
    return given.source(
        logs[0].system,
        task=task or ", ".join(sorted(log.task for log in logs)),
        version=_one_or_each({log.task: log.version for log in logs}),
        created=max(log.created for log in logs),
        run=", ".join(filter(None, dict.fromkeys(log.run for log in logs))),
        n_expected=None if None in sizes else sum(size or 0 for size in sizes),
        score_left_out=logs[0].score_left_out,
        settings={name: fact for name, fact in settings.items() if fact},
    )


def _one_or_each(by_task: Mapping[str, Any]) -> str:
    """Say what is known of tasks: once where it is the same of all, else of each."""
    words = {task: text_of(fact) for task, fact in sorted(by_task.items())}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{task}: {fact}" for task, fact in words.items() if fact)


def is_small(value: Any) -> bool:
    """Tell whether a value may stand in a column: a short text, a number, or nothing."""
    if isinstance(value, str):
        return len(value) <= _SHORT
    return value is None or isinstance(value, bool | int | float)
