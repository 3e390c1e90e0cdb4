"""The examples in the guide's pages are true, and so is the README's output of an example."""

import doctest
import inspect
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

import skstat
from tests.cases import in_one_test
from tests.docs_tools import DOCS, ROOT, read, tool
from tests.timeless import masked

# Beside the documentation's own tools its numbers were made with the newest versions.
pytest.importorskip("numpydoc")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that lets a script beside the pages write, and returns the text."""

    def text_of(script, function, *more):
        page = tmp_path / "written.inc"
        tool(script, monkeypatch)[function](page, *more)
        return page.read_text(encoding="utf-8")

    return text_of


def run_page(page):
    """Run the examples of a page; return what happened, the names they left, and the text."""
    text, path = read(f"docs/{page}.rst"), DOCS / f"{page}.rst"
    examples = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    found = doctest.DocTestRunner(optionflags=FLAGS).run(examples, clear_globs=False)
    return found, examples.globs, text


RUN = (
    *("block_jackknife", "any_metric", "baselines", "equivalence", "planning", "scores"),
    *("probabilities", "resampled_tests", "post_hoc_tests", "several", "metrics", "costs"),
    *("long_runs", "reading_pvalues", "resampling", "performance", "logs", "retrieval"),
    "recipes",
)
SHOWING = (
    *("fairness", "survival", "detection", "benchmark_tables", "language_models"),
    *("leaderboards", "predictions", "slices"),
)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("page", RUN)
def test_examples(page):
    found, _, _ = run_page(page)
    assert found.attempted > 6 and found.failed == 0


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("page", SHOWING)
def test_pages_show_the_report_that_they_print(page):
    found, left, text = run_page(page)
    assert found.attempted > 10 and found.failed == 0
    (shown,) = re.findall(
        r"^``print\(report\)`` gives:\n\n\.\. code-block:: text\n\n((?:   .*\n|\n)+)",
        text,
        re.M,
    )
    assert shown.split() == str(left["report"]).split()


@pytest.mark.long
def test_examples_over_datasets():
    found, left, text = run_page("datasets")
    assert found.attempted > 10 and found.failed == 0
    shown = text.split("``print(report)`` gives:")[1].split("The report is")[0]
    assert masked(shown).split()[3:] == masked(str(left["report"])).split()


def test_the_chart_of_choices_is_made_of_the_rules(tmp_path, monkeypatch, written):
    found, _, text = run_page("choosing")
    assert found.attempted >= 2 and found.failed == 0
    assert ".. include:: choosing_table.inc" in text
    choosing = tool("_choosing", monkeypatch)
    examples, cases = tmp_path / "examples", [*choosing["cases"]()]
    examples.mkdir()
    tree = written("_choosing", "write_guide", examples)
    assert all(tree.count(f".. _{rule.id}:") == 1 for *_, rule in cases)
    assert ":doc:" not in tree
    places = {}
    for *branch, rule in cases:  # the first that fits decides
        places.setdefault(tuple(branch), []).append(tree.index(f"_{rule.id}:"))
    assert all(own == sorted(own) for own in places.values())
    for case in cases:
        (examples / choosing["example_of"](*case)).touch()
    tree = written("_choosing", "write_guide", examples)
    assert tree.count(":doc:`gallery/guide_") == len(cases)
    assert tree.count('<details class="leaf">') == len(cases)
    assert tree.count("<details") == tree.count("</details>")
    for name in {rule.tests[0] for *_, rule in cases if rule.tests}:
        assert re.search(rf"<skstat(\.stats)?\.{name}>`", tree)
    branches = re.findall(r'<details class="branch" id="([\w-]+)" open>', tree)
    assert len(branches) == len(places)
    assert re.findall(r'<a href="#([\w-]+)">', tree) == branches


def questions():
    return [name for name in skstat.__all__ if inspect.isfunction(getattr(skstat, name))]


@in_one_test("name", questions())
def test_every_question_is_on_the_front_page(name):
    assert f":func:`~skstat.{name}`" in read("docs/index.rst")


def test_the_front_page_shows_what_its_example_prints(tmp_path, monkeypatch, written):
    pytest.importorskip("matplotlib").use("agg")
    shutil.copy(DOCS / "front_example.py", tmp_path)
    shown = written("_front_page", "write_front_page", tmp_path).split("text\n")[1]
    front = tool("_front_page", monkeypatch)
    report, _ = front["run_example"](tmp_path / "front_example.py")
    assert masked(shown).split() == masked(str(report)).split()
    for ground in ("light", "dark"):
        assert "<svg" in (tmp_path / f"front_{ground}.svg").read_text(encoding="utf-8")
        shown = f".. image:: _static/front_{ground}.svg\n         :class: only-{ground}"
        assert shown in read("docs/index.rst")


def test_every_answer_is_on_the_front_page(written):
    shown = written("_front_page", "write_questions", DOCS).split()
    answers = {path.stem for path in (DOCS / "questions").glob("*.py")}
    assert len(answers) > 5 and len(shown) == 2 * len(answers)
    assert set(shown) == {"-"} | {f":doc:`gallery/questions/{name}`" for name in answers}
    assert ".. include:: front_questions.inc" in read("docs/index.rst")


def test_every_page_of_the_guide_is_in_one_group():
    guide = read("docs/guide.rst")
    trees = re.findall(r"\.\. toctree::\n((?:   .*\n|\n)+)", guide)
    listed = [name for tree in trees for name in re.findall(r"^   ([\w/]+)$", tree, re.M)]
    described = re.findall(r"^:doc:`([\w/]+)`$", guide, re.M)
    assert trees and sorted(listed) == sorted(set(listed)) == sorted(described)
    elsewhere = {"index", "guide", "api", "examples_header", "doubts"}
    pages = {page.stem for page in DOCS.glob("*.rst")} - elsewhere
    assert pages == {name for name in listed if "/" not in name} - {"doubts"}


def test_works_and_evidence_come_from_their_sources(monkeypatch, written):
    lines = written("_generate", "write_references").splitlines()
    assert len(lines) == len(vars(tool("_generate", monkeypatch)["literature"]))
    (holm,) = (line for line in lines if "Holm, S. (1979)" in line)
    assert "A simple sequentially rejective multiple test procedure." in holm
    (nadeau,) = (line for line in lines if "Nadeau, C." in line)
    assert ":func:`~skstat.stats.corrected_t`" in nadeau
    scripts = ROOT / "tests" / "reference"
    text = written("_generate", "write_evidence", scripts / "README.md")
    held = {path.stem for path in scripts.glob("*.R")} - {"rounding_times"}
    assert held == set(re.findall(r"``(\w+)\.R``", text))
    tests = read(scripts / "test_r.py")
    assert [script for script in held if f"def test_{script}_" not in tests] == []
    named = re.findall(r":obj:`~skstat\.stats\.(\w+)", text)
    assert len(named) > 15 and set(named) <= set(skstat.stats.__all__)


def test_every_format_says_what_it_reads(written):
    page = written("_generate", "write_formats")
    titles, *told = re.split(r"^``(\w+)``\n~+\n", page, flags=re.M)
    assert titles == "" and len(set(told[::2])) == len(told[::2]) == 9
    for name, text in zip(told[::2], told[1::2], strict=True):
        facts = dict(re.findall(r"^:(\w+): (.+)$", text, re.M))
        assert {"system", "item", "scores"} <= set(facts), name
        assert all(said.endswith((".", "``.")) for said in facts.values()), name


@pytest.mark.ecosystem
def test_examples_about_reports_of_skore():
    pytest.importorskip("skore")
    found, left, _ = run_page("skore")
    assert found.attempted > 20 and found.failed == 0
    # The page says what skore does not show; where it does, the page has to change.
    skore, crossed = left["skore"], left["crossed"]

    class OfAll(left["AgainstBaseline"]):
        code, report_types = "SKSTAT-ALL", ["comparison-cross-validation"]

        def check_function(self, report):
            return "The comparison was asked."

    assert isinstance(OfAll(None), skore.Check)
    crossed.checks.add([OfAll(None)])
    summary = crossed.checks.summarize(fast_mode=True).frame().set_index("code")
    assert summary.loc["SKSTAT-ALL", "section"] == "not_applicable"


def test_the_order_of_the_gallery_names_examples(monkeypatch):
    gallery = tool("_gallery", monkeypatch)
    folders = (ROOT / "examples", ROOT / "docs" / "questions")
    shown = {script.name: folder for folder in folders for script in folder.glob("*.py")}
    assert set(gallery["_FIRST"]) <= set(shown)
    order = gallery["ByQuestion"](str(ROOT / "examples"))
    assert sorted(shown, key=order)[: len(gallery["_FIRST"])] == list(gallery["_FIRST"])


def test_every_option_is_on_the_page_of_the_command_line(monkeypatch, written):
    options = written("_command_line", "write_options")
    commands = tool("_command_line", monkeypatch)["commands"]()
    assert {"compare", "metrics", "explain"} <= set(commands)
    sections = re.split(r"^``skstat (\w+)``\n~~~+$", options, flags=re.M)[1:]
    assert sections[::2] == list(commands)
    for parser, section in zip(commands.values(), sections[1::2], strict=True):
        for flag in re.findall(r"^  (--[\w-]+)", parser.format_help(), re.M):
            assert len(re.findall(rf"^``{flag}[ `]", section, re.M)) == 1
    page = read("docs/command_line.rst")
    assert "usage:" not in page and ".. include:: command_line_options.inc" in page


def test_examples_of_the_command_line_are_run(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    command_line, here = tool("_command_line", monkeypatch), Path.cwd()
    command_line["write_examples"](tmp_path)
    assert Path.cwd() == here
    pages = read("docs/command_line.rst") + read("docs/prompt_change.rst")
    # What the pages say of them.
    ends = {"gate": "FAIL", "one_answer": "UNDECIDED", "ten_answers": "PASS"}
    assert set(ends) < set(command_line["_EXAMPLES"])
    for name in command_line["_EXAMPLES"]:
        assert f".. include:: command_line_{name}.inc" in pages
        shown = (tmp_path / f"command_line_{name}.inc").read_text(encoding="utf-8")
        assert "   $ skstat " in shown and "Traceback" not in shown
        assert ("skstat: error:" in shown) == (name == "error")
        assert name not in ends or f"   skstat: {ends[name]}: " in shown


def fenced(title, language):
    """Return the blocks of a language below a heading of the README."""
    sections = re.split(r"^##? ", read("README.md"), flags=re.M)
    (section,) = (section for section in sections if section.startswith(title))
    return re.findall(rf"```{language}\n(.*?)\n```", section, flags=re.DOTALL)


def test_readme_shows_the_example(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "many_datasets.py", tmp_path)
    left = runpy.run_path("many_datasets.py")
    (shown,) = fenced("You hold many", "text")
    assert str(left["report"]).startswith(shown.removesuffix("\n..."))


def test_readme_shows_one_model_and_several():
    pytest.importorskip("matplotlib").use("agg")
    X, y = load_breast_cancer(return_X_y=True)
    linear = make_pipeline(StandardScaler(), LogisticRegression())
    known = {"X": X, "y": y, "linear": linear, "forest": RandomForestClassifier(random_state=0)}
    for title in ("skstat", "You hold one model", "You hold three models"):
        (code,), (shown,) = (fenced(title, language) for language in ("python", "text"))
        exec(code, known)
        told, start = masked(str(known["report"])), masked(shown.removesuffix("\n..."))
        assert told == start if title == "skstat" else told.startswith(start)
    examples = "\n\n".join(fenced("Which test, and is", "python"))
    parsed = doctest.DocTestParser().get_doctest(examples, known, "README", "README.md", 0)
    found = doctest.DocTestRunner(optionflags=FLAGS).run(parsed)
    assert found.attempted >= 4 and found.failed == 0


def test_the_file_for_programs_names_every_function_and_page(written):
    text = written("_llms", "write_llms", DOCS)
    assert text.startswith("# skstat\n\n> ")
    doors = [name for name in skstat.comparison.__all__ if name[0].islower()]
    listed = re.findall(r"^- \[(\w+)\]\(api/skstat(?:\.comparison)?\.\1\.html\): ", text, re.M)
    assert len(doors) > 20 and set(doors) <= set(listed)
    listed = re.findall(r"^:doc:`([^`<]+)`$", read("docs/guide.rst"), re.MULTILINE)
    assert len(listed) > 40 and all(f"]({name}.html): " in text for name in listed)
    assert "`" not in "".join(re.findall(r"\]\([^)]*\): (.*)", text)).replace("``", "")
