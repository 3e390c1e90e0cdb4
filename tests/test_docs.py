"""The examples in the guide's pages are true, and so is the README's output of an example."""

import doctest
import re
import runpy
import shutil
from pathlib import Path

import pytest

# Beside the documentation's own tools its numbers were made with the newest versions.
pytest.importorskip("numpydoc")
ROOT = Path(__file__).parents[1]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS


def run_page(page):
    """Run the examples of a page; return their results and what they leave."""
    path = ROOT / "docs" / f"{page}.rst"
    text = path.read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    found = doctest.DocTestRunner(optionflags=FLAGS).run(examples, clear_globs=False)
    return found, examples.globs, text


@pytest.mark.parametrize("page", ["predictions", "metrics", "long_runs"])
def test_examples(page):
    found, _, _ = run_page(page)
    assert found.attempted > 10 and found.failed == 0


def test_examples_over_datasets():
    found, left, text = run_page("datasets")
    assert found.attempted > 10 and found.failed == 0
    shown = text.split("``print(report)`` gives:")[1].split("The report is")[0]
    assert shown.split()[3:] == str(left["report"]).split()


def test_readme_shows_the_example(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "many_datasets.py", tmp_path)
    left = runpy.run_path("many_datasets.py")
    pytest.importorskip("matplotlib.pyplot").close("all")
    capsys.readouterr()
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## You hold many")[1]
    (shown,) = re.findall(r"```text\n(.*?)\n\.\.\.\n```", section, flags=re.DOTALL)
    assert str(left["report"]).startswith(shown)
