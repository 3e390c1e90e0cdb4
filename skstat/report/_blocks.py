"""Blocks: the content of a result in reading order, independent of the text format."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from math import nan
from typing import Any, Literal, NamedTuple, TypeAlias

from skstat.report._terms import WEIGHTS

Tone: TypeAlias = Literal["", "better", "worse", "equivalent", "undecided", "invalid"]
Rows: TypeAlias = Sequence[tuple[str, str]]
# Tones of verdicts on the first system, as a candidate against the second; the worst first.
TONES: dict[str, Tone] = {
    "worse": "worse",
    "lower": "",
    "undecided": "undecided",
    "not inferior": "equivalent",
    "equivalent": "equivalent",
    "higher": "",
    "better": "better",
}


class Badge(NamedTuple):
    """A verdict in a few words, with its tone."""

    text: str
    tone: Tone = ""


def badges_of(verdicts: Iterable[str], prefix: str = "") -> list[Badge]:
    """Return a badge with the count of each verdict, the worst first."""
    n = Counter(verdicts)
    return [Badge(f"{prefix}{n[kind]} {kind}", TONES[kind]) for kind in TONES if kind in n]


class Summary(NamedTuple):
    """The conclusion, of which the first sentence is emphasised.

    Attributes
    ----------
    sentences : sequence of str
        Each is a paragraph in plain text; HTML and Markdown list those after the first.
    badges : sequence of Badge
        The verdicts in a few words.
    heading : str
        What was compared, by which metric.
    follows : sequence of str
        If all sentences are emphasised, because each is about another part: the rest of the
        paragraph of each.
    """

    sentences: Sequence[str]
    badges: Sequence[Badge] = ()
    heading: str = ""
    follows: Sequence[str] = ()

    def paragraphs(self) -> list[tuple[str, str]]:
        """Return the emphasised and the other part of every paragraph."""
        if self.follows:
            return list(zip(self.sentences, self.follows, strict=True))
        first, *rest = self.sentences
        return [(first, ""), *zip([""] * len(rest), rest, strict=True)]


class Heading(NamedTuple):
    """Heading of the blocks up to the next heading; empty for blocks about the whole."""

    text: str
    badges: Sequence[Badge] = ()


class Facts(NamedTuple):
    """Labels and texts."""

    rows: Rows


def nonempty(rows: Iterable[tuple[str, str]]) -> Facts:
    """Return the rows whose text is not empty."""
    return Facts([row for row in rows if row[1]])


class Cells(NamedTuple):
    """A table of words and numbers, with a title and a note on what it leaves out.

    Attributes
    ----------
    title, header, rows : str, sequence of str, sequence of sequence of str
        The texts of the table.
    n_names : int, default=1
        Number of columns of names, which precede those of numbers.
    words : int or None
        Index of the column of words after them, if there is one.
    brief : sequence of str
        Short forms of the column of words, if they are needed.
    note : str
        Text below the table.
    tones : sequence of Tone
        Tones of the last cells of the rows, which are verdicts.
    spare : sequence of int
        Indices of columns that are all left out if the table is too wide: sd, times.
    bold : collection of (int, int)
        Rows and columns of bold cells, for formats that have these: the best of a column.
    underlined : collection of (int, int)
        Cells that do not differ significantly from the best, for formats that show it.
    n_totals : int, default=0
        Number of rows at the end that sum up those above them.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_names: int = 1
    words: int | None = None
    brief: Sequence[str] = ()
    note: str = ""
    tones: Sequence[Tone] = ()
    spare: Sequence[int] = ()
    bold: Collection[tuple[int, int]] = ()
    underlined: Collection[tuple[int, int]] = ()
    n_totals: int = 0

    def is_text(self, column: int) -> bool:
        """Whether a column has words, which are aligned to the left."""
        return column < self.n_names or column == self.words


class Column(NamedTuple):
    """A column of a table, with its note below the table.

    A spare column may be left out if the table is too wide.
    """

    title: str
    cells: Sequence[str]
    kind: Literal["name", "number", "spare", "words"] = "number"
    note: str = ""
    brief: Sequence[str] = ()


def column(
    title: str,
    values: Iterable[Any],
    write: Callable[[Any], str],
    kind: Literal["number", "spare"] = "number",
    note: str = "",
) -> Column:
    """Return a column of values as text; cells of None and nan are empty."""
    # Only nan does not equal itself.
    cells = ["" if value is None or value != value else write(value) for value in values]
    return Column(title, cells, kind, note)


def table(
    title: str,
    columns: Iterable[Column],
    notes: Iterable[str] = (),
    *,
    n_left: int = 0,
    where: str = "to_frame()",
    tones: Sequence[Tone] = (),
) -> Cells:
    """Return a table of the columns that are not empty.

    Parameters
    ----------
    title : str
        What the rows are.
    columns : iterable of Column
        The columns, those of names first.
    notes : iterable of str
        Further notes below the table; empty ones are left out.
    n_left : int, default=0
        How many rows are not shown.
    where : str, optional
        Where these can be seen.
    tones : sequence of Tone
        Tones of the last cells of the rows.
    """
    shown = [column for column in columns if any(column.cells)]
    kinds = [column.kind for column in shown]
    more = f"{n_left} more in {where}." if n_left else ""
    return Cells(
        title,
        [column.title for column in shown],
        [list(row) for row in zip(*(column.cells for column in shown), strict=True)],
        n_names=kinds.count("name"),
        words=kinds.index("words") if "words" in kinds else None,
        brief=next((column.brief for column in shown if column.brief), ()),
        note=" ".join(filter(None, [more, *(column.note for column in shown), *notes])),
        tones=tones,
        spare=[index for index, kind in enumerate(kinds) if kind == "spare"],
    )


class Bar(NamedTuple):
    """An interval with its estimate; nan is not drawn, and infinite limits are open ends.

    `inner` is a thick interval within it, such as the one that decides about a margin. `mark`
    is a second value, drawn as an open circle: the training score.
    """

    name: str
    low: float = nan
    estimate: float = nan
    high: float = nan
    tone: Tone = ""
    inner: Sequence[float] = ()
    mark: float = nan


class Bars(NamedTuple):
    """Intervals on one axis: against zero, from the best other one, of scores or ranks.

    Attributes
    ----------
    rows : sequence of Bar
        The intervals; that of a single pair has no name.
    left, right : str
        The system that is better on either side of zero.
    title : str
        What the rows are: "difference", "from the best other".
    margin : float or None
        The smallest difference that matters, or the end of the region of those that do not.
    law : sequence of tuple of float
        Points of a density drawn above the axis, with the limits of the region among them.
    sides : tuple of Tone
        Tones of that density below the region and above it.
    zero : bool, default=True
        Whether the axis shows zero.
    ends : tuple of float, or None
        Ends of the axis; default those of what is drawn.
    groups : sequence of sequence of str
        Names that are joined, because they do not differ significantly.
    note : str
        Text below the plot, on thick, joined or open marks.
    says : str
        Description of the plot for those who cannot see it.
    """

    rows: Sequence[Bar]
    left: str = ""
    right: str = ""
    title: str = ""
    margin: float | None = None
    law: Sequence[tuple[float, float]] = ()
    sides: tuple[Tone, Tone] = ("worse", "better")
    zero: bool = True
    ends: tuple[float, float] | None = None
    groups: Sequence[Sequence[str]] = ()
    note: str = ""
    says: str = ""


class Doubts(NamedTuple):
    """Reasons to trust the conclusion less, the most serious first."""

    doubts: Sequence[Any]


class Fold(NamedTuple):
    """Blocks that are folded until they are opened."""

    title: str
    blocks: Sequence["Block"]


Block: TypeAlias = Summary | Heading | Facts | Cells | Bars | Doubts | Fold


def doubts_of(blocks: Iterable[Block]) -> list[Any]:
    """Return the distinct doubts in blocks, the most serious first, then by code."""
    doubts = (one for block in blocks if isinstance(block, Doubts) for one in block.doubts)
    return sorted(dict.fromkeys(doubts), key=lambda one: (WEIGHTS.index(one.weight), one.code))


def arranged(blocks: Sequence[Block]) -> list[Block]:
    """Move doubts that make p-values invalid after the conclusion, and notes into a fold."""
    shown: list[Block] = []
    doubts = doubts_of(blocks)
    invalid, weak, notes = ([d for d in doubts if d.weight == weight] for weight in WEIGHTS)
    for block in blocks:
        match block:
            case Summary():
                badges = [*block.badges, *[Badge("not valid", "invalid")] * bool(invalid)]
                shown += [block._replace(badges=badges), Doubts(invalid)]
            case Doubts():
                summary = f"{len(notes)} note{'s' * (len(notes) != 1)}"
                shown += [Doubts(weak), Fold(summary, [Doubts(notes)])]
            case _:
                shown.append(block)
    return shown


def parts_of(blocks: Iterable[Block]) -> list[tuple[Heading, list[Block]]]:
    """Return the headings with the blocks of each; that of the first blocks may be empty."""
    parts: list[tuple[Heading, list[Block]]] = [(Heading(""), [])]
    for block in blocks:
        if isinstance(block, Heading):
            parts.append((block, []))
        else:
            parts[-1][1].append(block)
    return parts
