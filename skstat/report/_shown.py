"""What a report and a grid of reports share: forms, texts for a paper, plans, pictures."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from skstat._names import inert, no_command
from skstat.report import _model
from skstat.report._blocks import Block
from skstat.report._comparison_plan import plan
from skstat.report._evidence import evidence_to_dict
from skstat.report._forms import SCHEMA_VERSION, ReportForms, escape_latex, render_latex
from skstat.report._paper import (
    Methods,
    Style,
    SummaryTable,
    paper_table,
    results,
    summary_table,
)
from skstat.report._plots import display_of
from skstat.report._records import flat_metrics, records
from skstat.report._sections import document
from skstat.report._words import conclude
from skstat.stats import Quantity
from skstat.stats._common import names_of_fields, to_plain


def readable(r: Any) -> dict[str, Any]:
    """Return what a reader sees of a report, or of a grid of them, as plain values."""
    said = {"conclusion": r.conclusion, "sentences": r.sentences}
    found: dict[str, Any] = {"title": r.title, **said}
    kind: Any = type(r)
    for name in names_of_fields(kind):
        if name not in r.of_evidence:
            found[name] = _plain(getattr(r, name))
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Shown):
        return readable(value)
    if isinstance(value, _model.Table):
        columns = value.columns.items()
        return {name: to_plain(list(column)) for name, column in columns}
    if isinstance(value, Quantity):
        return asdict(value)
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    return to_plain(value)


def _key(key: Any) -> str:
    return " against ".join(key) if isinstance(key, tuple) else str(key)


class Shown(ReportForms):
    """What a report and a grid of reports share: forms, plans and pictures."""

    evidence: Any
    plan = plan

    def __reduce__(self) -> Any:
        # Columns may be computed when they are read: copies and other processes get what they
        # are computed from.
        from skstat.report._build import report_of

        return report_of, (self.evidence,)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is known as plain values.

        Returns
        -------
        dict
            Numbers, strings, lists and dictionaries only; undefined and infinite numbers are
            None. What a reader sees stands under the names of the attributes, tables by
            column. ``"evidence"`` is what it rests on, from which
            :func:`skstat.report_from_dict` restores the report.
        """
        head = {"schema": "skstat.report", "schema_version": SCHEMA_VERSION}
        return head | readable(self) | {"evidence": evidence_to_dict(self.evidence)}

    def to_latex(
        self: Any,
        table: str = "",
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
        stars: bool = False,
    ) -> str:
        r"""Return the report as a LaTeX table.

        Parameters
        ----------
        table : {"scores", "ranks", "pairs"}, optional
            ``"pairs"``: the comparisons, the default of two systems and of grids. Of several
            systems ``"scores"``, their scores, the best in bold; over data sets on each of
            these, with mean ranks, where systems that do not differ significantly from the
            best are underlined; ``"ranks"`` of a leaderboard is the same.
        caption : str, optional
            Caption of the table, in LaTeX. With a caption or a label the whole ``table``
            environment is written, otherwise the ``tabular`` alone.
        label : str, optional
            Label of the table, for ``\ref{...}``.
        booktabs : bool, default=True
            Use the rules of the booktabs package, which needs ``\usepackage{booktabs}``.
            Otherwise use ``\hline``, which needs no package.
        stars : bool, default=False
            Mark the systems that differ significantly from the best, or from the control, by
            stars; one at the level of the report, two and three at a fifth and a fiftieth of
            it: of adjusted p-values .05, .01 and .001.

        Returns
        -------
        str
            The table, with a note below it; conclusion and doubts are comments.

        Raises
        ------
        ValueError
            If stars are wanted for p-values that are not valid, or of a table of pairs.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> table = report.to_latex(caption="New against old", label="tab:new")
        >>> lines = [line for line in table.splitlines() if not line.startswith("%")]
        >>> print(*lines[:4], sep="\n")
        \begin{table}
        \centering
        \caption{New against old}
        \label{tab:new}
        """
        blocks = self._document(True)
        shown = paper_table(self, blocks, table, stars=stars)
        return render_latex(blocks, shown, caption=caption, label=label, booktabs=booktabs)

    @cached_property
    def sentences(self: Any) -> list[str]:
        """What was found, in a few plain sentences."""
        return conclude(self)

    @property
    def conclusion(self) -> str:
        """What was found, in a few plain sentences."""
        return " ".join(self.sentences)

    def methods_text(self: Any, *, latex: bool = False) -> str:
        r"""Return the paragraph on this comparison for the methods section of a paper.

        Test, design, unit of observation, number of fits, adjustment, level, margin, and
        software, with the works that they go back to. :meth:`to_bibtex` has their entries.

        Parameters
        ----------
        latex : bool, default=False
            Write LaTeX, in which works are cited as ``\citep{key}`` (natbib, biblatex) with
            the keys of :meth:`to_bibtex`. Otherwise they are cited by author and year.

        Returns
        -------
        str
            One paragraph. The versions of the software are those that are running now.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> print(report.methods_text().split(", two-sided")[0])
        new and old were compared by score. The design was 4 splits of one data set (trained on
        60 rows, tested on 30). The units of observation were 4 splits. The difference
        was tested with the corrected resampled t test (Nadeau & Bengio, 2003)
        """
        return no_command(inert(Methods(self).text(latex=latex)))

    def results_text(self: Any, *, style: Style = "plain", latex: bool = False) -> str:
        r"""Return the paragraph on what was found for the results section of a paper.

        Mean scores with their standard deviations, the difference with its interval, the
        statistic, the p-value (adjusted where there are several comparisons) and an effect
        size. What makes a p-value invalid stands first.

        Parameters
        ----------
        style : {"plain", "apa"}, default="plain"
            ``"plain"``: the conclusion in words, with the numbers behind it. ``"apa"``: the
            numbers as in ``t(11) = 2.31, p = .041``, as the American Psychological
            Association writes them. Of more than six pairs those with the leader are told, or
            with the control.
        latex : bool, default=False
            Escape what LaTeX would take for commands.

        Returns
        -------
        str
            One paragraph; of several metrics or seeds a line for each.

        Raises
        ------
        ValueError
            If `style` is unknown.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> print(report.results_text(style="apa"))
        Mean score over 4 splits (higher is better): new (M = 0.800, SD = 0.082); old (M =
        0.725, SD = 0.126). The difference between new and old was not significant: difference
        (new − old) = 0.075, 95% CI [−0.063, 0.213], t(3) = 1.73, p = .182.
        """
        said = map(no_command, results(self, style))
        return "\n".join(map(escape_latex, said) if latex else said)

    def summary_table(self: Any, control: str | None = None) -> SummaryTable:
        """Return a table of all systems by all metrics, for the results section of a paper.

        Every score has a confidence interval of its own, computed as for the system alone
        (:func:`skstat.estimate_performance`, :mod:`skstat.stats`), and its difference to a
        reference with interval and (adjusted) p-value, as the report has them.

        Parameters
        ----------
        control : str, optional
            The system that the others are compared with. Default the control of the report;
            of two systems the second, as in all differences of the report; of several the
            best of each metric. Adjusted p-values hold for all pairs, also for those with the
            best.

        Returns
        -------
        SummaryTable
            With ``to_latex()``, ``to_markdown()``, ``to_html()`` and ``to_frame()``.

        Raises
        ------
        ValueError
            If `control` is not one of the systems, or the report compares with another one.

        Notes
        -----
        A bootstrap of a test set is drawn when the table is made, and kept with the report
        from then on. A report that is stored before (:meth:`to_json`) has no rows to draw from
        when it is restored; the note of its table says so.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> frame = report.summary_table(control="old").to_frame()
        >>> frame[["system", "score", "low", "high", "difference"]].round(3)
          system  score    low   high  difference
        0    new  0.800  0.575  1.025       0.075
        1    old  0.725  0.378  1.072         NaN
        """
        return summary_table(self, control)

    def to_bibtex(self: Any, path: str | Path | None = None) -> str:
        """Return the works that :meth:`methods_text` cites as BibTeX.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the text.

        Returns
        -------
        str
            One entry per work, in the order of their citation.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> print(report.to_bibtex()[:170])
        @article{nadeau2003inference,
          author = {Nadeau, C. and Bengio, Y.},
          title = {Inference for the generalization error},
          journal = {Machine Learning},
          year = {2003},
        """
        entries = [work.to_bibtex() for work in Methods(self).works]
        text = "\n\n".join(entries) + "\n"
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def metrics(self: Any) -> dict[str, float]:
        """Return the numbers of the report by name, for a logger such as MLflow's.

        Returns
        -------
        dict of str to float
            ``"accuracy/linear"`` is the mean accuracy of ``linear``. Of two systems there are
            also ``"accuracy/difference"``, ``"accuracy/low"``, ``"accuracy/high"``,
            ``"accuracy/pvalue"`` and ``"accuracy/adjusted_pvalue"``; of several systems
            ``"accuracy/linear-forest/difference"`` and so on. These are of all rows; in the
            slice ``seg=E`` the first of them is ``"accuracy/seg=E/linear"``. Only finite
            numbers. Characters that loggers refuse are replaced by ``_`` in the keys; asked by
            the names as they are written, the dictionary gives the same numbers.

        Examples
        --------
        >>> from skstat import compare_scores
        >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
        >>> report = compare_scores(scores, n_train=60, n_test=30)
        >>> logged = report.metrics()
        >>> round(logged["score/new"], 3), round(logged["score/difference"], 3)
        (0.8, 0.075)
        """
        return flat_metrics(self)

    def _document(self: Any, full: bool, *, screen: bool = False) -> list[Block]:
        return document(self, full, screen=screen)

    def _records(self: Any) -> Iterator[dict[str, Any]]:
        return records(self)

    def plot(
        self: Any,
        ax: Any = None,
        *,
        kind: str | None = None,
        width: float | str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the report.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : str, optional
            Which picture; another one is refused with those that there are.

            - Of two systems: ``"differences"``, what the comparison rests on with estimate and
              interval (the default); ``"intervals"``; after ``rope=`` ``"law"``, the law of the
              difference, cut at the ends of the region; over data sets ``"simplex"``, draws of
              the chances that one system is better, both are the same, the other is, and
              ``"shrinkage"``, the difference on every data set as it was seen and drawn
              towards the others; after ``train_size=0.9`` ``"training sizes"``.
            - Of several: ``"best"``, how far every system may be from the best other one;
              ``"intervals"``, all pairs against zero; ``"pvalues"``, adjusted p of every pair.
            - Over data sets also ``"cd"``, mean ranks on a line, joined where there is no
              significant difference (critical difference diagram, the default), ``"wins"`` and
              ``"scores"``. Of rankings ``"leaderboard"``.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.
        **options
            For ``"cd"``: ``best="left"``, ``colors=`` and ``families=`` of
            :class:`~skstat.display.CriticalDifferenceDisplay`; for ``"scores"``:
            ``color_by=`` of :class:`~skstat.display.HeatmapDisplay`.

        Returns
        -------
        display
            With ``ax_`` and ``figure_``.
        """
        if isinstance(ax, str):  # plot("cd")
            ax, kind = None, ax
        return display_of(self, kind, **options).plot(ax=ax, width=width)
