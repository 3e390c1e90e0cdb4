"""The table of a paper: systems by metrics, each score with its own interval."""

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from skstat._names import clip, no_command, one_line, shown_name
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
from skstat.report._paper.results import bracketed, has_limits
from skstat.report._paper.summary import MetricSummary, SystemSummary
from skstat.report._words import decimals_for, fixed, pvalue_cell

_WIDTH = 88
_NAME = 40  # letters of a name in text
_GAP = "  "
_REFERENCE = "reference"
_BOLD = ("Bold: the best score.",)


class _Cell(NamedTuple):
    """A system by a metric: its score and interval, and its difference to the reference."""

    score: str = ""
    interval: str = ""
    difference: str = ""
    pvalue: str = ""
    stars: str = ""
    is_best: bool = False


class _Form(NamedTuple):
    """How the parts of a cell are written."""

    escape: Callable[[str], str]
    bold: Callable[[str], str]
    raised: Callable[[str], str]  # stars

    def score(self, cell: _Cell) -> str:
        score = self.escape(cell.score)
        bold = self.bold(score) if cell.is_best else score
        return " ".join(filter(None, [bold, self.escape(cell.interval)]))

    def difference(self, cell: _Cell) -> str:
        return self.escape(cell.difference)

    def pvalue(self, cell: _Cell) -> str:
        return self.escape(cell.pvalue) + (self.raised(cell.stars) if cell.stars else "")


def _as_it_is(text: str) -> str:
    return text


_TEXT = _Form(one_line, _as_it_is, _as_it_is)
_LATEX = _Form(escape_latex, lambda text: rf"\textbf{{{text}}}", lambda text: f"$^{{{text}}}$")
_MARKDOWN = _Form(escape_markdown, lambda text: f"**{text}**", escape_markdown)
_HTML = _Form(escape_html, lambda text: f"<strong>{text}</strong>", _as_it_is)


class _Line(NamedTuple):
    """A row of the table: a system with its scores, or what belongs to the system above."""

    label: str
    names_system: bool
    cells: list[str]


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
    metrics : tuple of MetricSummary
        The systems by one metric each.
    columns : str
        What the metrics are called, as p-values are not adjusted for their number; empty if
        they are.

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

    metrics: tuple[MetricSummary, ...]
    columns: str = "metrics"

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order of the first metric."""
        every = (system.name for metric in self.metrics for system in metric.systems)
        return tuple(dict.fromkeys(every))

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said of the numbers, as sentences; what all metrics share comes once."""
        every = [metric.notes for metric in self.metrics]
        shared = [note for note in every[0] if all(note in notes for notes in every[1:])]
        titles: dict[str, list[str]] = {}
        for metric in self.metrics:
            for note in (note for note in metric.notes if note not in shared):
                titles.setdefault(note, []).append(one_line(metric.title))
        own: dict[str, list[str]] = {}
        for note, of in titles.items():
            own.setdefault("; ".join(of), []).append(note)
        of_some = [f"{of}: {' '.join(notes)}" for of, notes in own.items()]
        tested = any(s.test for metric in self.metrics for s in metric.systems)
        several = tested and len(self.metrics) > 1 and bool(self.columns)
        unadjusted = f"p-values are not adjusted for the number of {self.columns}."
        return (*shared, *of_some, *([unadjusted] if several else []))

    @property
    def _bold(self) -> tuple[str, ...]:
        """What bold numbers are, where there are any."""
        best = any(system.is_best for metric in self.metrics for system in metric.systems)
        return _BOLD * best

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

    def _layout(self, form: _Form) -> tuple[list[str], list[_Line]]:
        """Return header and lines: one metric beside its differences, several above them."""
        columns = [_cells(metric, self.names) for metric in self.metrics]
        every = [cell for column in columns for cell in column]
        systems = [system for metric in self.metrics for system in metric.systems]
        adjusted = any(system.adjusted_pvalue is not None for system in systems)
        parts = []
        if any(cell.difference for cell in every):
            parts.append(("difference", form.difference))
        if any(cell.pvalue for cell in every):
            parts.append(("adjusted p" if adjusted else "p", form.pvalue))
        titles = [form.escape(metric.title) for metric in self.metrics]
        lines = []
        if len(columns) == 1:
            for name, cell in zip(self.names, columns[0], strict=True):
                cells = [form.score(cell), *(write(cell) for _, write in parts)]
                lines.append(_Line(name, True, cells))
            return [*titles, *(label for label, _ in parts)], lines
        for name, *own in zip(self.names, *columns, strict=True):
            lines.append(_Line(name, True, list(map(form.score, own))))
            if any(cell.difference not in ("", _REFERENCE) for cell in own):
                lines += [_Line(label, False, list(map(write, own))) for label, write in parts]
        return titles, lines

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
        note = escape_latex(" ".join([*self.notes, *self._bold]))
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
        note = escape_markdown(" ".join([*self.notes, *self._bold]))
        return no_command("\n".join([*table, "", note])) + "\n"

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
        note = escape_html(" ".join([*self.notes, *self._bold]))
        return (
            f'<div class="skstat-report">{STYLE}<div class="skstat-frame" tabindex="0" '
            'role="region" aria-label="Systems by metrics" style="overflow-x:auto">'
            f'<table class="skstat-table skstat-grid"><thead><tr><th></th>{titles}</tr></thead>'
            f'<tbody>{body}</tbody></table></div><p class="skstat-quiet">{note}</p></div>'
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
        records = (
            _record(metric, system) for metric in self.metrics for system in metric.systems
        )
        return frame_of(records, "read `metrics`")


def _record(metric: MetricSummary, system: SystemSummary) -> dict[str, Any]:
    return {
        "system": system.name,
        "metric": metric.title,
        "direction": "lower" if metric.is_loss else "higher",
        "score": _number(system.score),
        "low": _number(system.low),
        "high": _number(system.high),
        "confidence_level": metric.confidence_level,
        "method": metric.own_method,
        "reference": metric.reference,
        "difference": _number(system.difference),
        "difference_low": _number(system.difference_low),
        "difference_high": _number(system.difference_high),
        "pvalue": _number(system.pvalue),
        "adjusted_pvalue": _number(system.adjusted_pvalue),
        "stars": metric.stars(system),
        "better": system.better,
        "n": system.n,
        "unit": metric.unit,
        "test": system.test,
    }


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _cells(metric: MetricSummary, names: Sequence[str]) -> list[_Cell]:
    """Write the cells of a metric, with as many decimals as its numbers need."""
    decimals = max(
        3, decimals_for(end for s in metric.systems for end in (s.score, s.low, s.high))
    )
    differences = [
        end
        for s in metric.systems
        for end in (s.difference, s.difference_low, s.difference_high)
        if end is not None
    ]
    # As many for differences, and more only where a limit beside 0 would look like 0.
    most = decimals_for(differences)
    apart = min(decimals, most)
    while apart < most and any(end and not round(end, apart) for end in differences):
        apart += 1
    known = {s.name: _cell(metric, s, decimals, apart) for s in metric.systems}
    return [known.get(name, _Cell()) for name in names]


def _cell(metric: MetricSummary, system: SystemSummary, of_score: int, apart: int) -> _Cell:
    own = {"low": system.low, "high": system.high}
    cell = _Cell(
        score="unknown" if system.score is None else fixed(system.score, of_score),
        interval=bracketed(own, of_score) if has_limits(own) else "",
        difference=_REFERENCE if system.name == metric.reference else "",
        is_best=system.is_best,
    )
    if system.difference is None and system.pvalue is None:
        return cell
    limits = {"low": system.difference_low, "high": system.difference_high}
    interval = f" {bracketed(limits, apart)}" if has_limits(limits) else ""
    return cell._replace(
        difference=fixed(system.difference, apart, sign=True) + interval,
        pvalue=pvalue_cell(system.decisive) if system.test else "",
        stars=metric.stars(system),
    )


def _html_row(line: _Line) -> str:
    """Write a row; what belongs to a system follows it without a line between."""
    name, look, style = line.label, "font-weight:400;padding-left:1em;border-top:none", ""
    if line.names_system:
        name, look = escape_html(shown_name(line.label)), "font-weight:600"
    else:
        style = ";border-top:none"
    cells = "".join(
        f'<td align="left" style="white-space:nowrap{style}">{cell}</td>' for cell in line.cells
    )
    return (
        f'<tr><th scope="row" class="skstat-name" align="left" style="{look}">{name}</th>'
        f"{cells}</tr>"
    )


def _padded(column: Sequence[str]) -> list[str]:
    width = max(map(len, column))
    return [text.ljust(width) for text in column]


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(len(column[0]) for column in columns) + len(_GAP) * (len(columns) - 1)
