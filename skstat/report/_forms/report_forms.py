"""Base classes with the output formats of results: text, HTML, JSON, Markdown, LaTeX."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from skstat._names import LOGGING_COMMAND
from skstat.display._svg import escape_html
from skstat.report._blocks import Block
from skstat.report._forms.columns import by_column, by_row
from skstat.report._forms.html import render_html
from skstat.report._forms.latex import render_latex
from skstat.report._forms.markdown import render_markdown
from skstat.report._forms.text import MORE, render_text
from skstat.stats._stored import SuggestsNames, Written, check_version, plain_fields, to_plain

_SURROGATE = re.compile("[\ud800-\udfff]")
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font-family: system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
padding: 0 1rem; line-height: 1.45; }}
@media print {{ body {{ margin: 0; max-width: none; font-size: 10pt; }} }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def json_text(state: Mapping[str, Any], **layout: Any) -> str:
    """Write plain values as valid JSON, in which no logging command of a build server remains.

    Parameters
    ----------
    state : mapping
        Plain values; numbers that are not finite become null.
    **layout : object
        Options of ``json.dumps``.

    Returns
    -------
    str
        The text, which can be encoded as UTF-8.
    """
    layout |= {"allow_nan": False, "ensure_ascii": False}
    try:
        text = json.dumps(state, **layout)
    except ValueError:
        text = json.dumps(to_plain(state), **layout)
    # Lone surrogates and commands occur only within strings, where they can be escaped.
    text = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return LOGGING_COMMAND.sub(r"#\\u0023", text) if "##" in text else text


def write_page(path: str | Path, *reports: Any, title: str | None = None) -> None:
    """Write reports, one below the other, as a page that a browser can open.

    Parameters
    ----------
    path : str or path-like
        Where to write the page.
    *reports : Report, ReportGrid, TestCheck, Recommendation, ...
        The reports, or other results with an HTML form.
    title : str, optional
        Title of the page; default that of the first report.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from skstat import compare_scores
    >>> from skstat.report import write_page
    >>> report = compare_scores({"a": [3.0, 1, 2], "b": [1.0, 1, 1]}, unit="seed")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(Path(folder) / "report.html", report)
    """
    if title is None:
        title = reports[0].to_dict()["title"] if reports else "skstat"
    body = "\n<hr>\n".join(report._repr_html_() for report in reports)
    page = _PAGE.format(title=escape_html(title), body=body)
    Path(path).write_text(page, encoding="utf-8")


class ReportForms(Written, SuggestsNames):
    """Text, HTML, JSON, Markdown, LaTeX and table forms of a result.

    Subclasses define ``_plain()`` with a ``title``, ``_document()``, which returns the blocks
    to show, and ``_records()``, which returns the rows of a table.
    """

    # The call that shows the rest, for the end of a text.
    _more: ClassVar[str] = MORE

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        """Return the blocks: all of them, or the main results.

        Parameters
        ----------
        full : bool
            Whether to add the details, as folds.
        screen : bool, default=False
            Whether long tables of the details are cut for a terminal.
        """
        raise NotImplementedError

    def _records(self) -> Iterable[Mapping[str, Any]]:
        """Iterate over the records of ``to_frame()``."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self, *, full: bool = False) -> str:
        """Return the report as plain text, as ``print`` shows it.

        Parameters
        ----------
        full : bool, default=False
            Whether to write everything that the report knows, as ``details`` has it.

        Returns
        -------
        str
            Lines of at most 88 letters.
        """
        return self._text(full, self._more)

    def _text(self, full: bool, more: str) -> str:
        """Return the report as plain text that says how to see the rest."""
        return render_text(self._document(full, screen=True), full=full, more=more)

    @property
    def details(self) -> str:
        """Everything that the report knows as plain text; ``print`` shows the first level."""
        return self.to_text(full=True)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report as an HTML fragment; write a whole page to `path`.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write a page that a browser can open.

        Returns
        -------
        str
            The fragment with its own style sheet: no script, every name escaped, light or
            dark as the page it stands on.
        """
        fragment = render_html(self._document(True))
        if path is not None:
            write_page(path, self)
        return fragment

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the report as JSON; write it to `path` too if given.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the text.

        Returns
        -------
        str
            ``to_dict()`` as text; undefined numbers are null. Long lists, as of
            the pairs of 15 systems, are written once. :func:`skstat.report_from_dict` reads
            both.
        """
        state = self.to_dict()
        short = by_column(state)
        # Long columns of numbers are written without line breaks.
        layout = {"indent": 1} if short is state else {"separators": (",", ":")}
        text = json_text(short, **layout)
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    def to_markdown(self) -> str:
        """Return the report as a Markdown table with its conclusion and doubts."""
        return render_markdown(self._document(True))

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
    ) -> str:
        r"""Return it as a LaTeX table.

        Parameters
        ----------
        caption : str, optional
            Caption of the table, in LaTeX. With a caption or a label the whole ``table``
            environment is written, otherwise the ``tabular`` alone.
        label : str, optional
            Label of the table, for ``\ref{...}``.
        booktabs : bool, default=True
            Use the rules of the booktabs package, which needs ``\usepackage{booktabs}``.
            Otherwise use ``\hline``, which needs no package.

        Returns
        -------
        str
            The table; conclusion and doubts are comments.
        """
        blocks = self._document(True)
        return render_latex(blocks, caption=caption, label=label, booktabs=booktabs)

    def to_frame(self) -> Any:
        """Return the comparison as a pandas DataFrame, one row per comparison.

        Returns
        -------
        pandas.DataFrame
            The same columns in every report of comparisons: ``first``, ``second``, ``metric``,
            ``first_mean``, ``second_mean``, ``difference`` (first minus second), ``low``,
            ``high``, ``confidence_level``, ``pvalue``, ``adjusted_pvalue``, ``better`` (a name
            or None), ``verdict``, ``n`` and ``unit``, ``quantity`` (what the difference is),
            ``test``, ``statistic``, ``df`` and, of an F statistic, ``df_denominator``,
            ``standard_error``, ``estimand``, ``margin``, ``equivalence_pvalue``, ``rope``,
            ``p_better`` (the probability that the first is), ``p_same``, ``p_worse``,
            ``same_verdict`` (the share of other partitions) and ``doubts`` (codes with blanks
            between). Missing numbers are nan.
            For a loss the differences are those of the loss, below 0 where the first is
            better. A report on performance and a leaderboard have a row per system, with the
            same columns in both: ``name`` and ``estimate`` instead of two names and a
            difference, training scores (optimistic), and the ranks that are known.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            needs = "to_frame() needs pandas: pip install 'skstat[pandas]', or use to_dict()."
            raise ImportError(needs) from error
        return pd.DataFrame(list(self._records()))


class Result(ReportForms):
    """Base class of results such as reports, plans and checks of tests.

    They are stored as their fields, and restored from them; ``kind`` is their name.
    """

    kind: ClassVar[str]
    _schema_version: ClassVar[int] = 1

    def _plain(self: Any) -> dict[str, Any]:
        return {
            "schema": f"skstat.{self.kind}",
            "schema_version": self._schema_version,
            "kind": self.kind,
            "title": self.title,
            "conclusion": self.conclusion,
        } | plain_fields(self)

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        if state.get("schema") != f"skstat.{cls.kind}":
            raise ValueError(f"state lacks schema 'skstat.{cls.kind}'.")
        check_version(state, cls._schema_version)
        return by_row(state)
