"""The examples of the guide run, and show the rules that name them."""

import re
import runpy
from functools import cache
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
FILES = sorted(path.name for path in EXAMPLES.glob("guide_*.py"))


@cache
def chart():
    """Return what draws the chart of the guide."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(ROOT / "docs"))
        return runpy.run_path(str(ROOT / "docs" / "_choosing.py"))


def charted():
    """Return its situations: what is held, how many systems, and the rule."""
    return [*chart()["cases"]()]


def shown_by():
    """Return the situations that every example shows."""
    files = {}
    for case in charted():
        files.setdefault(chart()["example_of"](*case), set()).add(case[-1].id)
    return files


@pytest.fixture
def pyplot(monkeypatch, tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)
    before = pyplot.get_backend()
    pyplot.switch_backend("agg")
    yield pyplot
    pyplot.close("all")
    pyplot.switch_backend(before)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("file", FILES)
def test_every_rule_is_shown_where_it_says(file, pyplot, capsys):
    with threadpool_limits(1):  # workers of pytest share the cores
        runpy.run_path(str(EXAMPLES / file))
    printed = capsys.readouterr().out
    shown = set(re.findall(r"[\w-]+", " ".join(re.findall(r"^Rule: (.+)$", printed, re.M))))
    assert shown_by()[file] <= shown
    assert pyplot.get_fignums()


def test_no_example_of_the_guide_is_without_a_rule():
    assert sorted(shown_by()) == FILES
