"""What a report, or another result, shows: the same contents for every form."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from skstat.report._contents.drawing import Drawing
from skstat.report._contents.grid import Grid
from skstat.report._contents.interval import ShownInterval
from skstat.report._contents.tone import Badge
from skstat.report._words import WEIGHTS

Rows = Sequence[tuple[str, str]]


class Link(NamedTuple):
    """Where more is to be read."""

    label: str
    text: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Section:
    """What is shown of one question: of two systems, of several, or of a learner.

    Attributes
    ----------
    title : str
        Its name among several sections.
    badges : sequence of Badge
        The verdicts, each in a few words.
    says : str
        What was found beside the sentence that leads, if it is one of several sections.
    rows : sequence of (label, text)
        What everybody should read.
    interval : ShownInterval or None
        The interval of its only difference.
    drawing : Drawing or None
        Its picture, if it has one.
    grids : sequence of Grid
        Its tables, to be shown one below the other; those that are details on request.
    short_grids : sequence of Grid
        The same, cut for a screen, if they are too long for one.
    first_grids : sequence of Grid
        What a text shows of them at first sight; default those that are not details.
    about : sequence of (label, text)
        Details: all numbers, what was asked, how, and under which assumptions.
    about_title : str
        What `about` tells, where it can be unfolded.
    comparisons : sequence of dict
        Pairs as rows of plain values, for the table of a paper.
    paper : Grid or None
        That table, of what compares no pairs; default the grids.
    records : sequence of dict
        Rows of plain values, for a DataFrame.
    link : Link or None
        Where more is to be read.
    is_open : bool
        Whether it is shown at first sight among however many sections.
    """

    title: str
    badges: Sequence[Badge] = ()
    says: str = ""
    rows: Rows = ()
    interval: ShownInterval | None = None
    drawing: Drawing | None = None
    grids: Sequence[Grid] = ()
    short_grids: Sequence[Grid] = ()
    first_grids: Sequence[Grid] = ()
    about: Rows = ()
    about_title: str = "What was tested, and how"
    comparisons: Sequence[dict[str, Any]] = ()
    paper: Grid | None = None
    records: Sequence[dict[str, Any]] = ()
    link: Link | None = None
    is_open: bool = False


@dataclass(frozen=True, kw_only=True)
class Contents:
    """All that the forms show of one result, and in which order.

    Attributes
    ----------
    conclusion : str
        What was found; maybe empty.
    sections : sequence of Section
        The questions that it answers.
    sentences : sequence of (lead, rest)
        The conclusion as a list, each sentence cut in what leads and what follows; empty
        where it is one paragraph.
    doubts : sequence of dict
        Code, title, text, weight, action, advice and url of each.
    is_titled : bool
        Whether the sections are shown with their titles.
    shared : sequence of (label, text)
        Rows that all sections have, to be read once.
    shared_about : sequence of (label, text)
        Details that all sections have.
    overview : Grid or None
        A table that stands for all sections at first sight, with the first sentence.
    subject, metric : str
        What was compared, and by which metrics; maybe empty.
    """

    conclusion: str
    sections: Sequence[Section]
    sentences: Sequence[tuple[str, str]] = ()
    doubts: Sequence[dict[str, Any]] = ()
    is_titled: bool = False
    shared: Rows = ()
    shared_about: Rows = ()
    overview: Grid | None = None
    subject: str = ""
    metric: str = ""

    @property
    def has_details(self) -> bool:
        """Whether there is more than the first level shows."""
        return bool(self.shared_about) or any(
            section.about or any(grid.is_detail for grid in section.grids)
            for section in self.sections
        )

    def of_all(self) -> list[tuple[str, str]]:
        """Return the sentences, without those that a section says itself."""
        said = {section.says for section in self.sections}
        return [pair for pair in self.sentences if pair[0] or pair[1] not in said]

    def titles(self) -> list[str]:
        """Return the titles of the sections, with their numbers where some are alike."""
        found = [section.title for section in self.sections]
        return [
            f"{number}. {title}" if found.count(title) > 1 else title
            for number, title in enumerate(found, start=1)
        ]

    def doubts_by_code(self) -> list[dict[str, Any]]:
        """Return each doubt once, in the order of their codes."""
        seen: dict[tuple[str, str], dict[str, Any]] = {}
        for doubt in self.doubts:
            seen.setdefault((doubt["code"], doubt["text"]), doubt)
        return sorted(seen.values(), key=lambda doubt: doubt["code"])

    def doubts_by_weight(self) -> list[dict[str, Any]]:
        """Return each doubt once, the heaviest first."""
        found = self.doubts_by_code()
        return sorted(found, key=lambda doubt: WEIGHTS.index(doubt["weight"]))

    def records(self) -> Iterator[dict[str, Any]]:
        """Walk the rows of plain values of all sections."""
        for section in self.sections:
            yield from section.records
