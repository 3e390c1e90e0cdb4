"""Files and names that pages, comments and docstrings speak of exist."""

import ast
import io
import re
import tokenize
from fnmatch import fnmatch
from importlib import import_module

import pytest

from tests.docs_tools import ROOT, read

pytestmark = pytest.mark.lint

FOLDERS = ("benchmarks", "calibration", "docs", "examples", "skstat", "tests", "tools")
BUILT = ("docs/_build/", "docs/api/", "docs/gallery/")
INSIDE = (path for name in FOLDERS for path in (ROOT / name).rglob("*.*"))


def name_of(path):
    return path.relative_to(ROOT).as_posix()


FILES = [path for path in [*ROOT.glob("*.*"), *INSIDE] if not name_of(path).startswith(BUILT)]
SOURCES = [f"/{name_of(path)}" for path in FILES if path.suffix == ".py"]
READ = [path for path in FILES if path.suffix in (".py", ".rst") or path.name == "README.md"]
PAGES = sorted((ROOT / "docs" / "development").glob("*.rst"))
NAME = re.compile(r"[\w./*-]*[\w*]\.py\b")
# The files of the page on adding things stand in a copy of the package.
_CAPTION = r"literalinclude:: \S+\n   :caption: (\S+)"
ADDED = set(re.findall(_CAPTION, read("docs/development/adding.rst")))


def prose(path):
    """What a file says: a page all, a program in its comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py" or not NAME.search(text):
        return text
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    said = (node for node in ast.walk(ast.parse(text)) if isinstance(node, documented))
    return "\n".join([*comments, *(ast.get_docstring(node) or "" for node in said)])


def missing(text):
    """Names of Python files that there are none of."""
    return [
        name
        for name in NAME.findall(text)
        if name not in ADDED
        and not any(fnmatch(source, f"*/{name.lstrip('./')}") for source in SOURCES)
    ]


def test_named_files_exist_and_one_that_is_gone_is_found():
    assert len(READ) > 400
    gone = {name_of(path): missing(prose(path)) for path in READ}
    assert {path: names for path, names in gone.items() if names} == {}
    lost = "skstat/stats/_plan_of_nothing.py"
    assert missing(f"``{lost}``, _known.py and test_*.py") == [lost]


def test_what_benchmarks_examples_and_pages_import_exists():
    wanted = [
        (node.module, alias.name, name_of(path))
        for path in FILES
        if path.suffix == ".py"
        and name_of(path).startswith(("benchmarks/", "docs/", "examples/"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "skstat"
        for alias in node.names
    ]
    assert len(wanted) > 50
    assert [line for line in wanted if not hasattr(import_module(line[0]), line[1])] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_has_the_names_that_pages_on_it_name(page):
    code = [path.read_text(encoding="utf-8") for path in FILES if path.suffix == ".py"]
    code.append(read("Makefile"))
    text = page.read_text(encoding="utf-8")
    known = set(re.findall(r"\w+", "\n".join([*code, *SOURCES])))
    named = re.findall(r"(?<!:)``([A-Za-z_]\w*(?:\.\w+)*)``", text)
    assert {part for name in named for part in name.split(".")} - known == set()
    folders = re.findall(r"``((?:skstat|docs|tests|benchmarks|calibration)/[\w/]+)``", text)
    gone = [name for name in folders if not (ROOT / name).exists()]
    assert [name for name in gone if not name.startswith(BUILT)] == []
