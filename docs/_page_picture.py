"""The picture that a page opens with: that of a result of the page's own examples.

``.. page-picture:: report.plot()`` runs the examples of the page until there is a `report`, and
draws it for light and dark pages. So a picture cannot tell anything but what the page does.
The content of the directive is its caption.
"""

import contextlib
import doctest
import io
import warnings
from pathlib import Path

from _front_page import STYLES
from docutils import nodes
from sphinx.util.docutils import SphinxDirective


def names_of(page: Path, name: str) -> dict:
    """Run the examples of a page until one makes `name`, and return all that are known then."""
    known: dict = {}
    parsed = doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"), page.name)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for example in parsed:
            if example.exc_msg is None:
                exec(compile(example.source, page.name, "single"), known)
            if name in known:
                return known
    raise ValueError(f"{page.name}: no example makes {name!r}")


def draw(expression: str, known: dict, path: Path, style: str) -> None:
    """Draw a result into a file."""
    import matplotlib.pyplot as plt

    with plt.style.context(style):
        eval(expression, known)
        plt.gcf().savefig(path, transparent=True, bbox_inches="tight")
        plt.close("all")


class PagePicture(SphinxDirective):
    """``.. page-picture:: report.plot()``."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Draw the picture, and show the one for the ground of the page."""
        expression = self.arguments[0]
        name = expression.split(".")[0]
        known = names_of(Path(self.env.doc2path(self.env.docname)), name)
        folder = Path(self.env.srcdir) / "_static" / "pictures"
        folder.mkdir(exist_ok=True)
        # No figure: the theme hides the caption of one that has a picture for dark pages.
        figure = nodes.container(classes=["page-picture"])
        for ground, style in STYLES.items():
            file = f"{self.env.docname.replace('/', '-')}-{ground}.svg"
            draw(expression, known, folder / file, style)
            figure += nodes.image(
                uri=f"/_static/pictures/{file}",
                alt=known[name].conclusion,
                classes=[f"only-{ground}"],
            )
        text, messages = self.parse_inline(" ".join(self.content), lineno=self.lineno)
        figure += nodes.paragraph("", "", *text)
        return [figure, *messages]


def setup(app):
    """Name the directive."""
    app.add_directive("page-picture", PagePicture)
    return {"parallel_read_safe": True}
