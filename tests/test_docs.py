"""The examples in the guide's pages are true, and so is the README's output of an example."""

import doctest
import re
import runpy
import shutil
from pathlib import Path

import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.timeless import masked

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


@pytest.mark.parametrize(
    "page",
    [
        "equivalence",
        "predictions",
        "several",
        "metrics",
        "costs",
        "long_runs",
        "reading_pvalues",
        "resampling",
        "performance",
        "scores",
    ],
)
def test_examples(page):
    found, _, _ = run_page(page)
    assert found.attempted > 10 and found.failed == 0


def test_examples_of_the_block_jackknife():
    found, _, _ = run_page("block_jackknife")
    assert found.attempted > 8 and found.failed == 0


def test_examples_of_any_metric():
    found, _, _ = run_page("any_metric")
    assert found.attempted > 6 and found.failed == 0


def test_examples_about_guessing():
    found, _, _ = run_page("baselines")
    assert found.attempted > 10 and found.failed == 0


def test_examples_over_datasets():
    found, left, text = run_page("datasets")
    assert found.attempted > 10 and found.failed == 0
    shown = text.split("``print(report)`` gives:")[1].split("The report is")[0]
    assert masked(shown).split()[3:] == masked(str(left["report"])).split()


def test_the_table_of_the_guide_is_made_of_its_rules(tmp_path):
    found, _, text = run_page("choosing")
    assert found.attempted >= 2 and found.failed == 0
    assert ".. include:: choosing_table.inc" in text
    generate = runpy.run_path(str(ROOT / "docs" / "_generate.py"))
    page, examples = tmp_path / "table.inc", tmp_path / "examples"
    examples.mkdir()
    generate["write_guide"](page, examples)
    table = page.read_text(encoding="utf-8")
    assert all(table.count(f".. _{rule.id}:") == 1 for rule in generate["RULES"])
    assert ":doc:" not in table
    for rule in generate["RULES"]:
        (examples / rule.example).touch()
    generate["write_guide"](page, examples)
    table = page.read_text(encoding="utf-8")
    assert table.count(":doc:`gallery/guide_") == len(generate["RULES"])
    assert table.count("\n   * - .. _") == len(generate["RULES"])


def test_readme_shows_the_example(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "many_datasets.py", tmp_path)
    left = runpy.run_path("many_datasets.py")
    pytest.importorskip("matplotlib.pyplot").close("all")
    capsys.readouterr()
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## You hold many")[1]
    section = section.split("\n## ")[0]
    (shown,) = re.findall(r"```text\n(.*?)\n\.\.\.\n```", section, flags=re.DOTALL)
    assert str(left["report"]).startswith(shown)


def test_readme_shows_one_model_and_several():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    X, y = load_breast_cancer(return_X_y=True)
    known = {
        "X": X,
        "y": y,
        "linear": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(random_state=0),
    }
    for title in ("## You hold one model", "## You hold three models"):
        section = readme.split(title)[1].split("\n## ")[0]
        (code,) = re.findall(r"```python\n(.*?)\n```", section, flags=re.DOTALL)
        (shown,) = re.findall(r"```text\n(.*?)\n\.\.\.\n```", section, flags=re.DOTALL)
        exec(code, known)
        assert masked(str(known["report"])).startswith(masked(shown))
    section = readme.split("## Which test, and is")[1].split("\n## ")[0]
    examples = "\n\n".join(re.findall(r"```python\n(.*?)\n```", section, flags=re.DOTALL))
    parsed = doctest.DocTestParser().get_doctest(examples, known, "README", "README.md", 0)
    found = doctest.DocTestRunner(optionflags=FLAGS).run(parsed)
    assert found.attempted >= 4 and found.failed == 0
