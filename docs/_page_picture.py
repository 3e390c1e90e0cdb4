"""The picture that a page opens with: that of a result of the page's own examples.

``.. page-picture:: report.plot()`` runs the examples of the page until the first name is
known, and draws the expression, for light and dark pages. So a picture cannot tell anything
but what the page does. The content of the directive is its caption.
"""

import contextlib
import doctest
import io
import warnings
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

# By ground: the style the picture is drawn in.
STYLES = {"light": "default", "dark": "dark_background"}


def result_of(page: Path, name: str, given: int = 1):
    """Return what a page's examples call so, at the first time or a later one.

    Parameters
    ----------
    page : Path
        The page.
    name : str
        Name of the result.
    given : int, default=1
        At which assignment of the name to stop.

    Returns
    -------
    dict
        All names that are known then.
    """
    known: dict = {}
    seen = 0
    parsed = doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"), page.name)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for example in parsed:
            if example.exc_msg is None:
                exec(compile(example.source, page.name, "single"), known)
            seen += example.source.startswith(f"{name} = ")
            if seen == given:
                return known
    raise ValueError(f"{page.name}: no example makes {name!r} {given} times")


def draw(expression: str, known: dict, path: Path, style: str) -> str:
    """Draw a result into a file, and return its conclusion, or nothing."""
    import matplotlib.pyplot as plt

    with plt.style.context(style):
        shown = eval(expression, known)
        figure = shown.figure_ if hasattr(shown, "figure_") else plt.gcf()
        figure.savefig(path, transparent=True, bbox_inches="tight")
        plt.close("all")
    return str(getattr(known[expression.split(".")[0]], "conclusion", ""))


class PagePicture(SphinxDirective):
    """``.. page-picture:: report.plot()``."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"given": int}

    def run(self) -> list[nodes.Node]:
        """Draw the picture, and show the one for the ground of the page."""
        expression = self.arguments[0]
        page = Path(self.env.doc2path(self.env.docname))
        known = result_of(page, expression.split(".")[0], self.options.get("given", 1))
        folder = Path(self.env.srcdir) / "_static" / "pictures"
        folder.mkdir(exist_ok=True)
        # No figure: the theme hides the caption of one that has a picture for dark pages.
        figure = nodes.container(classes=["page-picture"])
        for ground, style in STYLES.items():
            name = f"{self.env.docname.replace('/', '-')}-{ground}.svg"
            told = draw(expression, known, folder / name, style)
            figure += nodes.image(
                uri=f"/_static/pictures/{name}",
                alt=told or "Picture of the result",
                classes=[f"only-{ground}"],
            )
        if self.content:
            text, messages = self.parse_inline(" ".join(self.content), lineno=self.lineno)
            figure += nodes.paragraph("", "", *text)
            return [figure, *messages]
        return [figure]


def setup(app):
    """Name the directive."""
    app.add_directive("page-picture", PagePicture)
    return {"parallel_read_safe": True}
