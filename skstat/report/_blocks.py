"""What is shown of a result, whatever the form: blocks, in the order in which they are read."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from math import nan
from typing import Any, Literal, NamedTuple, TypeAlias

from skstat.report._terms import WEIGHTS

Tone: TypeAlias = Literal["", "better", "worse", "equivalent", "undecided", "invalid"]
Rows: TypeAlias = Sequence[tuple[str, str]]
# Of a verdict on the first system, as a candidate against the second; the worst first.
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


def badges_of(verdicts: Iterable[str], who: str = "") -> list[Badge]:
    """Count verdicts, the worst first."""
    found = Counter(verdicts)
    return [Badge(f"{who}{found[kind]} {kind}", TONES[kind]) for kind in TONES if kind in found]


class Says(NamedTuple):
    """The conclusion: the first sentence leads.

    Attributes
    ----------
    sentences : sequence of str
        Each a paragraph of a text; HTML and Markdown make a list of those behind the first.
    badges : sequence of Badge
        What was found in a few words.
    heading : str
        What was compared, by which metric.
    follows : sequence of str
        Where all sentences lead, each about a part of the whole: what follows each of them in
        the same paragraph, and does not lead.
    """

    sentences: Sequence[str]
    badges: Sequence[Badge] = ()
    heading: str = ""
    follows: Sequence[str] = ()

    def paragraphs(self) -> list[tuple[str, str]]:
        """Return what leads of every sentence, and what does not."""
        if self.follows:
            return list(zip(self.sentences, self.follows, strict=True))
        first, *rest = self.sentences
        return [(first, ""), *zip([""] * len(rest), rest, strict=True)]


class Heading(NamedTuple):
    """What the blocks behind it are about, up to the next heading; empty: about all of it."""

    text: str
    badges: Sequence[Badge] = ()


class Facts(NamedTuple):
    """Labels and texts."""

    rows: Rows


def known(rows: Iterable[tuple[str, str]]) -> Facts:
    """Return the rows of which something is known."""
    return Facts([row for row in rows if row[1]])


class Cells(NamedTuple):
    """A table of words and numbers, with a title and a note on what it leaves out.

    Attributes
    ----------
    title, header, rows : str, sequence of str, sequence of sequence of str
        What the table says.
    n_names : int, default=1
        Columns of names, which stand before those of numbers.
    words : int or None
        The column of words behind them, if there is one.
    brief : sequence of str
        The same in a few characters, where the name of one of the systems stands in it.
    note : str
        What is said below it.
    tones : sequence of Tone
        Of the last cell of every row, which is a verdict.
    spare : sequence of int
        Columns to leave out, all of them, where a line has no room for the table: sd, times.
    bold : collection of (int, int)
        Rows and columns of cells that are bold where a form can do it: the best of a column.
    underlined : collection of (int, int)
        Cells that do not differ significantly from the best, where a form can show it.
    n_totals : int, default=0
        Rows at the end that sum up those above them.
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
        """Whether the cells of a column are words, which begin at the left."""
        return column < self.n_names or column == self.words


class Column(NamedTuple):
    """A column of a table, and what is said of it below the table.

    Of a spare one a text may do without, where it has no room.
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
    """Write values below each other; of what is not known nothing is written."""
    # A value that is not itself is nan.
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
    """Return a table of the columns in which a cell says something.

    Parameters
    ----------
    title : str
        What the rows are.
    columns : iterable of Column
        Those of names first.
    notes : iterable of str
        What else is said below the table; empty ones are left out.
    n_left : int, default=0
        How many rows are not shown.
    where : str, optional
        Where these can be seen.
    tones : sequence of Tone
        Of the last cell of every row.
    """
    shown = [column for column in columns if any(column.cells)]
    kinds = [column.kind for column in shown]
    left = f"{n_left} more in {where}." if n_left else ""
    return Cells(
        title,
        [column.title for column in shown],
        [list(row) for row in zip(*(column.cells for column in shown), strict=True)],
        n_names=kinds.count("name"),
        words=kinds.index("words") if "words" in kinds else None,
        brief=next((column.brief for column in shown if column.brief), ()),
        note=" ".join(filter(None, [left, *(column.note for column in shown), *notes])),
        tones=tones,
        spare=[place for place, kind in enumerate(kinds) if kind == "spare"],
    )


class Bar(NamedTuple):
    """An interval with its estimate, nan where that is not drawn; an infinite end is none.

    A thick interval within it may be the one that decides about a margin; an open circle
    marks a second value, of training rows.
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
        The intervals; one of a pair has no name.
    left, right : str
        Who is better on either side of zero; both of a pair.
    title : str
        What the rows are: "difference", "from the best other".
    margin : float or None
        The smallest difference that matters, or the end of the region of those that do not.
    law : sequence of tuple of float
        Points of a density to be drawn above the axis, cut at the ends of the region.
    sides : tuple of Tone
        Tones of that density below the region and above it.
    zero : bool, default=True
        Whether the axis shows zero.
    ends : tuple of float, or None
        Ends of the axis; default those of what is drawn.
    groups : sequence of sequence of str
        Names that are joined: no significant difference was found.
    note : str
        What is said below the picture: what is thick, joined or open.
    says : str
        What is drawn, for those who cannot see it.
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
    """Reasons to trust the conclusion less, the heaviest first."""

    found: Sequence[Any]


class Fold(NamedTuple):
    """What is read on request."""

    title: str
    blocks: Sequence["Block"]


Block: TypeAlias = Says | Heading | Facts | Cells | Bars | Doubts | Fold


def doubts_of(blocks: Iterable[Block]) -> list[Any]:
    """Return each doubt in blocks once, the heaviest first, those of one weight by code."""
    doubts = (one for block in blocks if isinstance(block, Doubts) for one in block.found)
    return sorted(dict.fromkeys(doubts), key=lambda one: (WEIGHTS.index(one.weight), one.code))


def arranged(blocks: Sequence[Block]) -> list[Block]:
    """Put what is invalid behind the conclusion, which says so, and notes into a fold."""
    shown: list[Block] = []
    doubts = doubts_of(blocks)
    invalid, weak, notes = ([d for d in doubts if d.weight == weight] for weight in WEIGHTS)
    for block in blocks:
        match block:
            case Says():
                badges = [*block.badges, *[Badge("not valid", "invalid")] * bool(invalid)]
                shown += [block._replace(badges=badges), Doubts(invalid)]
            case Doubts():
                summary = f"{len(notes)} note{'s' * (len(notes) != 1)}"
                shown += [Doubts(weak), Fold(summary, [Doubts(notes)])]
            case _:
                shown.append(block)
    return shown


def parts_of(blocks: Iterable[Block]) -> list[tuple[Heading, list[Block]]]:
    """Return the headings with what stands behind each; before the first there is none."""
    parts: list[tuple[Heading, list[Block]]] = [(Heading(""), [])]
    for block in blocks:
        if isinstance(block, Heading):
            parts.append((block, []))
        else:
            parts[-1][1].append(block)
    return parts
