"""HTML pages of one or several reports."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from skstat.report._forms.escape import escape_html

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


def render_page(title: str, fragments: Iterable[str]) -> str:
    """Put fragments on a page that a browser can open."""
    return _PAGE.format(title=escape_html(title), body="\n<hr>\n".join(fragments))


def write_page(path: str | Path, *reports: Any, title: str | None = None) -> None:
    """Write reports, one below the other, as a page that a browser can open.

    Parameters
    ----------
    path : str or path-like
        Where to write the page.
    *reports : ComparisonReport, SystemsReport, TestCheck, Recommendation, ...
        The reports, and what else a notebook would show.
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
    page = render_page(title, [report._repr_html_() for report in reports])
    Path(path).write_text(page, encoding="utf-8")
