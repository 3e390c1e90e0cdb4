"""The works of ``references.bib``, each by its key: ``_literature.HOLM_1979``."""

import re
from pathlib import Path

from skstat.stats._procedure import VENUE, Reference

_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


def _read(file: Path) -> dict[str, Reference]:
    """Read a file that has one field in a line, and no LaTeX."""
    works = {}
    for kind, key, body in _ENTRY.findall(file.read_text(encoding="utf-8")):
        fields = dict(_FIELD.findall(body))
        authors = tuple(fields.pop("author").split(" and "))
        year, venue = int(fields.pop("year")), fields.pop(VENUE[kind])
        works[key] = Reference(authors=authors, year=year, venue=venue, kind=kind, **fields)
    return works


WORKS = _read(Path(__file__).with_name("references.bib"))


def __getattr__(name: str) -> Reference:
    try:
        return WORKS[name]
    except KeyError:
        raise AttributeError(f"references.bib has no entry {name}.") from None
