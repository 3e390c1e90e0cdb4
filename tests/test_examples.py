"""The examples of the guide run, and show the rules that name them."""

import re
import runpy
from functools import cache

import pytest
from threadpoolctl import threadpool_limits

from tests.docs_tools import ROOT, tool

EXAMPLES = ROOT / "examples"
FILES = sorted(path.name for path in EXAMPLES.glob("guide_*.py"))


@cache
def chart():
    """Return what draws the chart of the guide."""
    with pytest.MonkeyPatch.context() as patched:
        return tool("_choosing", patched)


def shown_by():
    """Return the rules that every example shows."""
    files = {}
    for case in chart()["cases"]():  # what is held, how many systems, and the rule
        files.setdefault(chart()["example_of"](*case), set()).add(case[-1].id)
    return files


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("file", FILES)
def test_every_rule_is_shown_where_it_says(file, monkeypatch, tmp_path, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    monkeypatch.chdir(tmp_path)
    with threadpool_limits(1):  # workers of pytest share the cores
        runpy.run_path(str(EXAMPLES / file))
    printed = capsys.readouterr().out
    shown = set(re.findall(r"[\w-]+", " ".join(re.findall(r"^Rule: (.+)$", printed, re.M))))
    assert shown_by()[file] <= shown
    assert pyplot.get_fignums()


def test_no_example_of_the_guide_is_without_a_rule():
    assert sorted(shown_by()) == FILES
