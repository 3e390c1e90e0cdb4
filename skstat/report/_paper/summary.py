"""The table of a paper: systems by metrics, each score with its own interval."""

import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from skstat._names import clip, no_command, one_line, shown_name
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import (
    STYLE,
    Table,
    TableStyle,
    escape_html,
    escape_latex,
    escape_markdown,
    frame_of,
    written,
)
from skstat.report._model import Report, ReportGrid
from skstat.report._own_scores import OwnScores, shown_own_scores
from skstat.report._paper.results import bracketed, not_valid
from skstat.report._words import (
    adjustment_name,
    decimals_for,
    fixed,
    good,
    join_names,
    percent,
    pvalue_cell,
    units_behind,
    variation,
)

nan = math.nan
_SHARES_OF_ALPHA = (1, 5, 50)  # of 5 %: 0.05, 0.01 and 0.001
_WIDTH = 88
_NAME = 40  # letters of a name in text
_GAP = "  "
_OVERLAP = "Intervals of single scores may overlap although two systems differ significantly."
_UNADJUSTED = {"metric": "metrics", "seed": "seeds"}  # p-values are adjusted for slices


class SummaryRow(NamedTuple):
    """One system by one metric; of a loss all values are losses, and missing ones are nan."""

    system: str
    metric: str  # which heads the column
    direction: str  # "higher" or "lower" is better; empty where nobody knows
    score: float
    low: float  # of its own interval
    high: float
    confidence_level: float
    method: str  # of its own interval
    reference: str | None  # the system that it is compared with
    difference: float = nan
    difference_low: float = nan
    difference_high: float = nan
    pvalue: float = nan
    adjusted_pvalue: float = nan
    stars: str = ""
    better: str | None = None
    n: int = 0
    unit: str = ""
    test: str = ""


class _Form(NamedTuple):
    """How the parts of a cell are written."""

    escape: Callable[[str], str]
    bold: Callable[[str], str]
    raised: Callable[[str], str]  # stars


def _as_it_is(text: str) -> str:
    return text


_TEXT = _Form(one_line, _as_it_is, _as_it_is)
_LATEX = _Form(escape_latex, lambda text: rf"\textbf{{{text}}}", lambda text: f"$^{{{text}}}$")
_MARKDOWN = _Form(escape_markdown, lambda text: f"**{text}**", escape_markdown)
_HTML = _Form(escape_html, lambda text: f"<strong>{text}</strong>", _as_it_is)


# A row of the table: a label, whether it names a system or belongs to the one above, and cells.
_Line = tuple[str, bool, list[str]]


@dataclass(frozen=True, eq=False, repr=False)
class SummaryTable:
    r"""Systems by metrics: scores with intervals of their own, differences and p-values.

    It is made by ``report.summary_table()``. ``print`` shows it, a notebook too, and
    :meth:`to_latex`, :meth:`to_markdown`, :meth:`to_html` and :meth:`to_frame` write it. Every
    system has its score with a confidence interval of its own, its difference to the reference
    with the interval of the report, and the (adjusted) p-value, which stand below the score if
    there are several metrics. Stars mark what the report calls significant: one at its level,
    two and three at a fifth and a fiftieth of it, which are 0.05, 0.01 and 0.001 as a rule. The
    note below says how all of it was computed. What is not valid has no stars, and no intervals
    of single scores.

    Attributes
    ----------
    rows : tuple of SummaryRow
        The systems by one metric each: what :meth:`to_frame` has.
    notes : tuple of str
        What must be said of the numbers, as sentences.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> table = compare_scores(scores, n_train=60, n_test=30).summary_table()
    >>> print(*str(table).splitlines()[:3], sep="\n")
         score                 difference              p
    new  0.800 [0.575, 1.025]  +0.075 [−0.063, 0.213]  0.182
    old  0.725 [0.378, 1.072]  reference
    """

    rows: tuple[SummaryRow, ...]
    notes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order of the first metric."""
        return tuple(dict.fromkeys(row.system for row in self.rows))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, each of them with the slice or the seed."""
        return tuple(dict.fromkeys(row.metric for row in self.rows))

    def to_text(self) -> str:
        """Return the table as plain text, as ``print`` shows it.

        Returns
        -------
        str
            Lines of at most 88 letters, where names and numbers let them be so short.
        """
        header, lines = self._layout(_TEXT)
        rows = [
            [clip(label, _NAME) if names_system else _GAP + label, *cells]
            for label, names_system, cells in lines
        ]
        labels, *columns = map(_padded, zip(["", *header], *rows, strict=True))
        blocks = []
        while columns:
            taken = [labels, columns.pop(0)]
            while columns and _width([*taken, columns[0]]) <= _WIDTH:
                taken.append(columns.pop(0))
            found = [_GAP.join(cells).rstrip() for cells in zip(*taken, strict=True)]
            blocks.append("\n".join(found))
        blocks.append(textwrap.fill(" ".join(self.notes), _WIDTH))
        return no_command("\n\n".join(blocks))

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
    ) -> str:
        r"""Return the table for LaTeX, with its note below.

        Parameters
        ----------
        caption : str, optional
            Caption of the table, in LaTeX. With a caption or a label the whole ``table``
            environment is written, otherwise the ``tabular`` and the note alone.
        label : str, optional
            Label of the table, for ``\ref{...}``.
        booktabs : bool, default=True
            Use the rules of the booktabs package, which needs ``\usepackage{booktabs}``.
            Otherwise use ``\hline``, which needs no package.

        Returns
        -------
        str
            The table.
        """
        header, lines = self._layout(_LATEX)
        rows = [
            [escape_latex(shown_name(text)) if names_system else rf"\quad {text}", *cells]
            for text, names_system, cells in lines
        ]
        note = escape_latex(self._note)
        table = Table("l" * (1 + len(header)), rows, ["", *header], note=note)
        return written([], table, TableStyle(caption, label, booktabs))

    def to_markdown(self) -> str:
        """Return the table in Markdown, with its note below.

        Returns
        -------
        str
            The table.
        """
        header, lines = self._layout(_MARKDOWN)
        rows = [["", *header], ["---"] * (1 + len(header))]
        for label, names_system, cells in lines:
            name = escape_markdown(shown_name(label)) if names_system else f"&emsp;{label}"
            rows.append([name, *cells])
        table = [f"| {' | '.join(row)} |" for row in rows]
        return no_command("\n".join([*table, "", escape_markdown(self._note)])) + "\n"

    def to_html(self) -> str:
        """Return the table as an HTML fragment, with its note below.

        Returns
        -------
        str
            The fragment with its own style sheet: no script, every name escaped, light or
            dark as the page it stands on.
        """
        header, lines = self._layout(_HTML)
        titles = "".join(f'<th scope="col" align="left">{title}</th>' for title in header)
        body = "".join(map(_html_row, lines))
        return (
            f'<div class="skstat-report">{STYLE}<div class="skstat-frame" tabindex="0" '
            'role="region" aria-label="Systems by metrics" style="overflow-x:auto">'
            f'<table class="skstat-table skstat-grid"><thead><tr><th></th>{titles}</tr></thead>'
            f'<tbody>{body}</tbody></table></div><p class="skstat-quiet">'
            f"{escape_html(self._note)}</p></div>"
        )

    def to_frame(self) -> Any:
        """Return the table as a pandas DataFrame, a row per system and metric.

        Returns
        -------
        pandas.DataFrame
            ``system``, ``metric``, ``direction`` (which value is better), ``score``, ``low``,
            ``high`` (its own interval), ``confidence_level``, ``method`` (of that interval),
            ``reference``, ``difference`` (system minus reference), ``difference_low``,
            ``difference_high``, ``pvalue``, ``adjusted_pvalue``, ``stars``, ``better`` (a name
            or None), ``n``, ``unit`` and ``test``. Missing numbers are nan. Of losses all
            values are losses.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return frame_of((row._asdict() for row in self.rows), "read `rows`")

    @property
    def _note(self) -> str:
        """What is said below the table where the best scores are bold."""
        bold = any(_best(self._of(metric)) for metric in self.metrics)
        return " ".join([*self.notes, *["Bold: the best score."] * bold])

    def _of(self, metric: str) -> list[SummaryRow]:
        return [row for row in self.rows if row.metric == metric]

    def _layout(self, form: _Form) -> tuple[list[str], list[_Line]]:
        """Return header and lines: one metric beside its differences, several above them."""
        header = [form.escape(metric) for metric in self.metrics]
        columns = [_cells(self._of(metric), form) for metric in self.metrics]
        adjusted = any(not math.isnan(row.adjusted_pvalue) for row in self.rows)
        labels = ("difference", "adjusted p" if adjusted else "p")
        cells = [cell for column in columns for cell in column.values()]
        parts = [place for place in (1, 2) if any(cell[place] for cell in cells)]
        lines: list[_Line] = []
        for name in self.names:
            own = [column.get(name, ("", "", "")) for column in columns]
            if len(columns) == 1:
                lines.append((name, True, [own[0][place] for place in (0, *parts)]))
                continue
            lines.append((name, True, [cell[0] for cell in own]))
            if any(cell[1] not in ("", "reference") for cell in own):
                lines += [
                    (labels[place - 1], False, [cell[place] for cell in own]) for place in parts
                ]
        if len(columns) == 1:
            header += [labels[place - 1] for place in parts]
        return header, lines


def _best(rows: Sequence[SummaryRow]) -> list[str]:
    """Name the systems with the best score; none where nobody knows which is good."""
    known = [row.score for row in rows if not math.isnan(row.score)]
    if not known or not rows[0].direction:
        return []
    best = (min if rows[0].direction == "lower" else max)(known)
    return [row.system for row in rows if math.isclose(row.score, best, rel_tol=1e-10)]


def _cells(rows: Sequence[SummaryRow], form: _Form) -> dict[str, tuple[str, str, str]]:
    """Write score, difference and p of every system, with the decimals that they need."""
    decimals = max(3, decimals_for(end for row in rows for end in row[3:6]))
    ends = [end for row in rows for end in row[9:12] if math.isfinite(end)]
    # As many for differences, and more only where a limit beside 0 would look like 0.
    most = decimals_for(ends)
    apart = min(decimals, most)
    while apart < most and any(end and not round(end, apart) for end in ends):
        apart += 1
    best, found = _best(rows), {}
    for row in rows:
        score = "unknown" if math.isnan(row.score) else fixed(row.score, decimals)
        score = form.bold(form.escape(score)) if row.system in best else form.escape(score)
        interval = form.escape(bracketed(row.low, row.high, decimals))
        difference, p = "reference" if row.system == row.reference else "", ""
        if row.test or not math.isnan(row.difference):
            limits = bracketed(row.difference_low, row.difference_high, apart)
            difference = f"{fixed(row.difference, apart, sign=True)} {limits}".strip()
        if row.test:
            decides = row.pvalue if math.isnan(row.adjusted_pvalue) else row.adjusted_pvalue
            p = form.escape(pvalue_cell(decides))
            p += form.raised(row.stars) if row.stars else ""
        found[row.system] = (f"{score} {interval}".strip(), form.escape(difference), p)
    return found


def _html_row(line: _Line) -> str:
    """Write a row; what belongs to a system follows it without a line between."""
    label, names_system, cells = line
    look, style = "font-weight:600", ""
    if names_system:
        label = escape_html(shown_name(label))
    else:
        style = ";border-top:none"
        look = f"font-weight:400;padding-left:1em{style}"
    body = "".join(
        f'<td align="left" style="white-space:nowrap{style}">{cell}</td>' for cell in cells
    )
    head = f'<th scope="row" class="skstat-name" align="left" style="{look}">{label}</th>'
    return f"<tr>{head}{body}</tr>"


def _padded(column: Sequence[str]) -> list[str]:
    width = max(map(len, column))
    return [text.ljust(width) for text in column]


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(len(column[0]) for column in columns) + len(_GAP) * (len(columns) - 1)


def summary_table(r: Report | ReportGrid, control: str | None = None) -> SummaryTable:
    """Return the table of systems by metrics.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    control : str, optional
        The system that the others are compared with.
    """
    columns = list(_columns(r, control))
    rows = tuple(row for column in columns for row in column.rows)
    # What all metrics share comes once.
    shared = [note for note in columns[0].notes if all(note in one.notes for one in columns)]
    titles: dict[str, list[str]] = {}
    for one in columns:
        for note in one.notes:
            if note not in shared:
                titles.setdefault(note, []).append(one_line(one.title))
    own: dict[str, list[str]] = {}
    for note, of in titles.items():
        own.setdefault("; ".join(of), []).append(note)
    notes = [*shared, *(f"{of}: {' '.join(said)}" for of, said in own.items())]
    several = _UNADJUSTED.get(r.by) if isinstance(r, ReportGrid) else None
    if several and len(columns) > 1 and any(row.test for row in rows):
        notes.append(f"p-values are not adjusted for the number of {several}.")
    return SummaryTable(rows, tuple(notes))


class _Column(NamedTuple):
    """All systems by one metric."""

    title: str
    rows: Sequence[SummaryRow]
    notes: Sequence[str]


def _columns(r: Report | ReportGrid, control: str | None) -> Iterator[_Column]:
    if isinstance(r, Report):
        yield _column(r, r.metric, control)
        return
    if r.overall is not None:
        whole = _column(r.overall, f"{r.overall.metric}, all rows", control)
        yield whole._replace(notes=[*whole.notes, *variation(r)])
    for name, part in r.reports.items():
        if isinstance(part, ReportGrid):
            yield from _columns(part, control)
        elif r.by == "metric":
            yield _column(part, part.metric, control)
        elif r.by == "seed":
            called = dict(zip(part.names, r.systems, strict=True))
            yield _column(part, f"{part.metric}, {name}", control, called)
        else:
            there = control if control in part.names else None
            found = _column(part, f"{part.metric}, {name}", there)
            order = {row.system: place for place, row in enumerate(whole.rows)}
            yield found._replace(rows=sorted(found.rows, key=lambda row: order[row.system]))


def _column(
    r: Report, title: str, control: str | None, called: Mapping[str, str] | None = None
) -> _Column:
    """Read all systems by one metric, maybe under other names."""
    called = called or {name: name for name in r.names}
    reference = _reference(r, control, called)
    invalid, own = not_valid(r), shown_own_scores(r)
    if invalid:
        own = OwnScores(confidence_level=r.confidence_level, why_none=invalid)
    direction = "" if r.direction_assumed else "lower" if r.lower else "higher"
    against = {} if reference is None else r.against(reference)
    rows = []
    for one in r.systems:
        score, low, high = own.scores.get(one.name, (nan, nan, nan))
        if not low < high:
            low = high = nan
        row = SummaryRow(
            system=called[one.name],
            metric=title,
            direction=direction,
            score=score if math.isnan(one.mean) else one.mean,
            low=_finite(low),
            high=_finite(high),
            confidence_level=r.confidence_level,
            method=own.methods.get(one.name, ""),
            reference=None if reference is None else called[reference],
            n=r.n_units,
            unit=r.unit,
        )
        if one.name in against:
            pair = against[one.name].seen_from(one.name, r.alpha)
            p = pair.p if not invalid else nan
            row = row._replace(
                difference=_finite(pair.estimate),
                difference_low=_finite(pair.low),
                difference_high=_finite(pair.high),
                pvalue=pair.pvalue,
                adjusted_pvalue=pair.adjusted,
                stars="*" * sum(p < level for level in _star_levels(r)),
                better=None if pair.better is None else called[pair.better],
                n=pair.n,
                test="" if r.is_performance else pair.test,
            )
        rows.append(row)
    reference = None if reference is None else called[reference]
    return _Column(title, rows, list(_notes(r, rows, own, reference)))


def _reference(r: Report, control: str | None, called: Mapping[str, str]) -> str | None:
    """Return the system that the others are compared with: the wanted one, or a natural one."""
    names = list(called.values())
    if control is None:
        if r.is_pair or r.is_performance:
            return r.pairs[0].second if len(r.pairs) else None
        return r.control if r.control in r.names else r.names[0]
    if control not in names:
        raise ValueError(f"control={control!r} is not one of the systems {names}.")
    if not len(r.pairs):
        raise ValueError(
            f"control={control!r}: this report estimates scores and compares no systems; ask "
            "compare_estimators for differences."
        )
    if r.control not in (None, control):
        raise ValueError(
            f"control={control!r}: the report compares with {r.control!r} only. Compare all "
            f"pairs, or with control={control!r}."
        )
    return list(called)[names.index(control)]


def _star_levels(r: Report) -> list[float]:
    """Levels of one star, two and three: the first is that of the verdicts."""
    return [float(f"{r.alpha / share:.12g}") for share in _SHARES_OF_ALPHA]


def _finite(value: float) -> float:
    return value if math.isfinite(value) else nan


def _notes(
    r: Report, rows: Sequence[SummaryRow], own: OwnScores, reference: str | None
) -> Iterator[str]:
    """Say what the numbers of a metric are, as sentences."""
    level, tested = percent(r.confidence_level), bool(len(r.pairs)) and not r.is_performance
    invalid = not_valid(r)
    if invalid:
        yield f"Not valid: {invalid}."
    way = "Lower" if r.lower else "Higher"
    yield (
        "Which values are good is not known."
        if r.direction_assumed
        else f"{way} values are better."
    )
    if r.constants:
        yield f"{join_names(r.constants)}: known in advance."
    if own.why_none:
        yield f"No intervals of single scores: {own.why_none}."
    else:
        yield f"In brackets: {level} interval of each score alone ({own.method})."
        bare = [row.system for row in rows if math.isnan(row.low) and math.isnan(row.high)]
        if bare := [name for name in bare if name not in r.constants]:
            yield f"No interval where scores do not vary: {join_names(bare)}."
    if reference is not None:
        adjusted = "adjusted " if r.adjustment else ""
        kind = "simultaneous " if r.simultaneous else adjusted
        name = one_line(shown_name(reference))
        yield f"Difference to {name}, with its {kind}{level} interval."
        if not r.quantity.is_difference:
            yield f"The difference is a {r.quantity.name}."
        if r.by_rank:
            better = "" if r.direction_assumed else "better, "
            yield f"It is above 0 where the system has the {better}lower mean rank."
    if tested:
        if own.scores:
            yield _OVERLAP
        yield _tests(r)
        if r.adjustment and r.is_pair:
            yield f"p-values are {r.adjustment}."
        elif r.adjustment:
            pairs = "pairs in slices" if isinstance(r.evidence, SliceEvidence) else "pairs"
            how = adjustment_name(r.adjustment)
            yield f"p-values are adjusted by {how} for {r.n_family} {pairs}."
        if r.alternative != "two-sided":
            asked = f"the first of two systems is {good(r, r.alternative == 'greater')}"
            yield f"p-values are one-sided: each asks whether {asked}."
    yield f"n = {units_behind(r)}."
    if tested and not invalid:
        marks = [f"{'*' * n} p < {share:g}" for n, share in enumerate(_star_levels(r), start=1)]
        yield f"{', '.join(marks)}."


def _tests(r: Report) -> str:
    """Name the tests; of several how many pairs each is of."""
    if len(r.tests) == 1:
        return f"Test: {one_line(r.tests[0])}."
    counts = Counter(r.pairs.columns["test"])
    each = (f"{one_line(test)} ({n} pair{'s' * (n > 1)})" for test, n in counts.items())
    return f"Tests: {'; '.join(each)}."
