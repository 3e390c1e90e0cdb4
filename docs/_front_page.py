"""What the front page shows: what its example prints and draws, and the questions.

All are made when the documentation is built, so that they are what skstat shows today.
"""

import contextlib
import io
import runpy
from pathlib import Path

from _gallery import ByQuestion

_HEAD = ".. What docs/front_example.py prints.\n\n"
# By ground: the style the picture is drawn in.
STYLES = {"light": "default", "dark": "dark_background"}


def write_front_page(page: Path, pictures: Path) -> None:
    """Run the example; write the report that it prints, and its picture for both grounds."""
    report, printed = run_example(page.parent / "front_example.py")
    lines = [f"   {line}".rstrip() for line in printed.splitlines()]
    page.write_text(
        "\n".join([_HEAD + ".. code-block:: text", "", *lines, ""]), encoding="utf-8"
    )
    import matplotlib.pyplot as plt

    for ground, style in STYLES.items():
        with plt.style.context(style):
            figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
            report.plot(ax=ax)
            figure.savefig(pictures / f"front_{ground}.svg", transparent=True)
            plt.close(figure)


def write_questions(page: Path, docs: Path) -> None:
    """Write a link to every question, in the order of the gallery."""
    order = ByQuestion(docs)
    names = sorted((path.name for path in (docs / "questions").glob("*.py")), key=order)
    links = (f"- :doc:`gallery/questions/{Path(name).stem}`" for name in names)
    page.write_text("\n".join([*links, ""]), encoding="utf-8")


def run_example(script: Path):
    """Return the report of the example, and what it prints."""
    import matplotlib.pyplot as plt

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        left = runpy.run_path(str(script))
    plt.close("all")
    return left["report"], printed.getvalue()
