"""The examples of the guide run, and show the rules that name them."""

import re
import runpy
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from skstat.comparison._guide.rules import RULES

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = sorted({rule.example for rule in RULES})


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
    assert {rule.id for rule in RULES if rule.example == file} <= shown
    assert pyplot.get_fignums()


def test_no_example_of_the_guide_is_without_a_rule():
    assert sorted(path.name for path in EXAMPLES.glob("guide_*.py")) == FILES
