"""What a format declares."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from skstat.io._results import Results, Source

# Enough of a file to know its format by.
_HEAD = 4096
# Reports begin with their schema; those of gates once began with the gate.
_REPORT = re.compile(
    rb'\s*\{\s*(?:"\$by_column":\s*true,\s*)?"(?:schema":\s*"skstat\.|gate":\s*\{\s*"result":)'
)


@dataclass(frozen=True, eq=False)
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
    """

    what: Any
    format: str = ""
    system: str | None = None
    allow: tuple[str, ...] = ()
    columns: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def path(self) -> Path | None:
        """The file or folder; None of an object in memory."""
        return Path(self.what) if isinstance(self.what, str | Path) else None

    @cached_property
    def head(self) -> bytes:
        """The first bytes of a file; nothing of a folder or object."""
        if self.path is None or not self.path.is_file():
            return b""
        with self.path.open("rb") as file:
            return file.read(_HEAD)

    @property
    def is_report(self) -> bool:
        """Whether a file is a report that skstat wrote: it tells of results, and holds none."""
        return _REPORT.match(self.head) is not None

    @property
    def suffix(self) -> str:
        """The end of a file's name, in small letters."""
        return "" if self.path is None else self.path.suffix.lower()

    @property
    def where(self) -> str:
        """What it is, for errors."""
        return f"a {type(self.what).__name__}" if self.path is None else str(self.path)

    def source(self, system: str, **facts: Any) -> Source:
        """Say where the results of a system came from."""
        path = "" if self.path is None else str(self.what)
        return Source(system=system, format=self.format, path=path, **facts)


@dataclass(frozen=True, kw_only=True)
class Format:
    """One format.

    Attributes
    ----------
    name : str
        How the caller names it.
    of : str
        What writes it, in words.
    recognises : callable
        Whether a file looks like this format; cheap, reads no more than the head.
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
    recognises: Callable[[Given], bool]
    read: Callable[[Given], Sequence[Results]]
    inside: Callable[[Path], Sequence[Path]] = lambda folder: ()
    is_object: Callable[[Any], bool] = lambda given: False

    def knows(self, given: Given) -> bool:
        """Whether something given looks like this format."""
        if given.path is None:
            return self.is_object(given.what)
        if given.path.is_dir():
            return len(self.inside(given.path)) > 0
        return self.recognises(given)
