"""A published work, as it is cited in a text and in BibTeX."""

import re
import unicodedata
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from skstat.stats._common.restoring import NotRestoredError
from skstat.stats._common.stored import Stored

Kind = Literal["article", "book", "incollection", "inproceedings", "misc", "phdthesis"]

# What BibTeX calls the place where a work of each kind was published.
VENUE: dict[str, str] = {
    "article": "journal",
    "book": "publisher",
    "incollection": "booktitle",
    "inproceedings": "booktitle",
    "misc": "howpublished",
    "phdthesis": "school",
}
_SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_"}
_SMALL = {"a", "an", "the", "on", "of", "in", "for", "to"}


@dataclass(frozen=True, kw_only=True)
class Reference(Stored):
    """A work that a procedure, an adjustment or a splitter goes back to.

    Attributes
    ----------
    authors : tuple of str
        Each as ``"Nadeau, C."``.
    year : int
        When it was published.
    title : str
        Its title.
    venue : str
        Journal, proceedings, publisher or school, as its kind has one.
    kind : {"article", "book", "incollection", "inproceedings", "misc", "phdthesis"}
        Type of its BibTeX entry.
    volume, number, pages, publisher, doi : str
        The rest of the entry, where there is any.

    Examples
    --------
    >>> from skstat.stats import Reference
    >>> work = Reference(
    ...     authors=("Holm, S.",),
    ...     year=1979,
    ...     title="A simple sequentially rejective multiple test procedure",
    ...     venue="Scandinavian Journal of Statistics",
    ...     volume="6",
    ...     number="2",
    ...     pages="65-70",
    ... )
    >>> work.cited, work.key
    ('Holm, 1979', 'holm1979simple')
    >>> print(work.to_bibtex())
    @article{holm1979simple,
      author = {Holm, S.},
      title = {A simple sequentially rejective multiple test procedure},
      journal = {Scandinavian Journal of Statistics},
      year = {1979},
      volume = {6},
      number = {2},
      pages = {65--70},
    }
    """

    _written = (
        *("authors", "year", "title", "venue", "kind"),
        *("volume", "number", "pages", "publisher", "doi"),
    )

    authors: tuple[str, ...]
    year: int
    title: str
    venue: str
    kind: Kind = "article"
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = ""
    doi: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(
                f"kind={self.kind!r} is unknown; use one of {', '.join(get_args(Kind))}."
            )
        if not (self.authors and self.title and self.venue):
            raise ValueError("a reference has at least one author, a title and a venue.")

    @property
    def _surnames(self) -> list[str]:
        return [author.partition(",")[0] for author in self.authors]

    @property
    def cited(self) -> str:
        """Author and year, as a text cites the work in parentheses."""
        names = self._surnames
        who = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
        return f"{who}, {self.year}"

    @property
    def key(self) -> str:
        """Key of the BibTeX entry: first author, year, first word of the title."""
        words = re.findall(r"[a-z0-9]+", _ascii(self.title).lower())
        word = next((word for word in words if word not in _SMALL), "")
        who = re.sub(r"[^a-z]", "", _ascii(self._surnames[0]).lower())
        return f"{who}{self.year}{word}"

    def to_bibtex(self) -> str:
        """Return the entry of the work for a BibTeX file."""
        entry = {
            "author": " and ".join(map(_author, self.authors)),
            "title": self.title,
            VENUE[self.kind]: self.venue,
            "year": str(self.year),
            "volume": self.volume,
            "number": self.number,
            "pages": self.pages.replace("-", "--"),
            "publisher": self.publisher or (self.venue if self.kind == "book" else ""),
            "doi": self.doi,
        }
        lines = [
            # A DOI is printed as it is; the capitals of a title are kept by its braces.
            f"  {name} = {{{value if name == 'doi' else _escaped(value, name)}}},"
            for name, value in entry.items()
            if value
        ]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        found = super()._plain(last)
        return {name: value for name, value in found.items() if value or name == "authors"}

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        unknown = set(state).difference(item.name for item in fields(cls))
        if unknown:
            raise NotRestoredError(f"a reference has no {', '.join(sorted(unknown))}.")
        return state


def _author(name: str) -> str:
    """Keep a name without a first name in one piece."""
    return name if "," in name else f"{{{name}}}"


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _escaped(text: str, name: str) -> str:
    """Escape what LaTeX reads; in titles keep the capitals of names and abbreviations."""
    text = "".join(_SPECIAL.get(character, character) for character in text)
    if name != "title":
        return text
    first, *rest = text.split(" ")
    kept = [f"{{{word}}}" if re.search(r"[A-Z]", word) else word for word in rest]
    return " ".join([f"{{{first}}}" if re.search(r"[A-Z]", first[1:]) else first, *kept])
