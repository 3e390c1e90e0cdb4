"""The tutorials and the pages of questions run, and explain what they have printed above."""

import io
import re
from contextlib import redirect_stdout

import pytest
from threadpoolctl import threadpool_limits

from tests.docs_tools import DOCS

TUTORIALS = [DOCS / f"tutorials/{name}.py" for name in ("getting_started", "reading_a_report")]
PAGES = [*TUTORIALS, DOCS / "tutorials/paper.py", *sorted((DOCS / "questions").glob("*.py"))]


def blocks(script):
    """Part a script of the gallery into its texts, each with the code behind it."""
    for part in re.split(r"^# %%.*\n", script, flags=re.M)[1:]:
        lines = part.splitlines(keepends=True)
        n = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
        text = "".join(line.removeprefix("#").removeprefix(" ") for line in lines[:n])
        yield text, "".join(lines[n:])


@pytest.fixture
def steps(monkeypatch, tmp_path):
    """Return a function that runs a page: its texts, and what the code behind each prints."""
    monkeypatch.chdir(tmp_path)

    def run(page):
        names = {}
        with threadpool_limits(1):
            for text, code in blocks(page.read_text(encoding="utf-8")):
                with redirect_stdout(io.StringIO()) as out:
                    exec(compile(code, page.name, "exec"), names)
                yield text, out.getvalue()

    return run


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_term_in_bold_stands_in_the_output_above_it(page, steps):
    pytest.importorskip("matplotlib.pyplot").switch_backend("agg")
    printed, terms = "", []
    for text, out in steps(page):
        for term in re.findall(r"\*\*([^*]+)\*\*", text):
            terms.append(term)
            assert term in printed, f"{term!r} was not printed above"
        printed += out
    assert printed
    assert len(terms) > 5 or page not in TUTORIALS


@pytest.mark.long
def test_every_card_raises_its_doubt_and_ends_it(steps):
    cards = 0
    for text, out in steps(DOCS / "tutorials" / "doubts_and_cures.py"):
        if doubt := re.match(r"(SKS\d+): ", text):
            raised, ended = out.splitlines()
            assert raised.startswith("raised:") and doubt[1] in raised, doubt[1]
            assert ended.startswith("ended:") and doubt[1] not in ended, doubt[1]
            cards += 1
    assert cards == 11
