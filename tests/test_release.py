"""What is published: addresses in one place, texts that a package index shows, and settings."""

import ast
import re
import tomllib
from pathlib import Path
from runpy import run_path

import pytest

import skstat

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
RELEASE = run_path(str(ROOT / "tools" / "release.py"))
REPOSITORY, DOCS = "https://example.org/team/project", "https://example.org/pages/stable"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = sorted(ROOT.glob("*.md"))
# In a copy that tools/release.py wrote there is nothing left to write.
_SITE = run_path(str(ROOT / "skstat" / "_site.py"))
ADDRESSES = [_SITE["SITE"], _SITE["REPOSITORY"]]
PUBLISHED = ADDRESSES[0] is not None
written_once = pytest.mark.skipif(PUBLISHED, reason="this copy names its addresses")


def read(name, root=ROOT):
    return (root / name).read_text(encoding="utf-8")


def yaml_of(name):
    return pytest.importorskip("yaml").safe_load(read(name))


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A copy of the project with addresses, without its largest folders."""
    root = tmp_path_factory.mktemp("checkout")
    names = ["skstat/__init__.py", "skstat/_site.py", "docs/index.rst", "pyproject.toml"]
    for name in [*names, "CITATION.cff", *(path.name for path in PAGES)]:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(read(name), encoding="utf-8")
    return RELEASE["release"](REPOSITORY, DOCS, root / "copy", "2030-01-31", root)


def test_addresses_are_all_there_or_none_is():
    assert [each is not None for each in ADDRESSES] == [PUBLISHED] * 2
    assert ("urls" in PROJECT["project"]) == PUBLISHED


@written_once
def test_addresses_reach_the_package(published):
    told = run_path(str(published / "skstat" / "_site.py"))
    assert (told["SITE"], told["REPOSITORY"]) == (DOCS, REPOSITORY)
    assert told["page_url"]("doubts", "sks102") == f"{DOCS}/doubts.html#sks102"
    urls = tomllib.loads(read("pyproject.toml", published))["project"]["urls"]
    assert urls == {
        "Documentation": DOCS,
        "Source": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
        "Changelog": f"{REPOSITORY}/blob/v{skstat.__version__}/CHANGELOG.md",
    }


@written_once
def test_the_readme_of_a_package_index_links_to_the_web_only(published):
    text = read("README.md", published)
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 8
    assert [each for each in targets if not each.startswith("https://")] == []
    assert f"]({DOCS}/_static/readme.png)" in text
    assert f"]({DOCS}/any_metric.html)" in text
    assert f"]({REPOSITORY}/blob/v{skstat.__version__}/SECURITY.md)" in text


@written_once
def test_other_files_name_the_addresses(published):
    assert REPOSITORY in read("SECURITY.md", published)
    assert "no public address" not in read("SECURITY.md", published)
    assert f"## {skstat.__version__} (2030-01-31)\n" in read("CHANGELOG.md", published)
    assert "pip install skstat " in read("docs/index.rst", published)
    assert 'pip install "skstat[all]"' in read("docs/index.rst", published)
    citation = pytest.importorskip("yaml").safe_load(read("CITATION.cff", published))
    assert citation["repository-code"] == REPOSITORY
    assert citation["url"] == DOCS
    assert citation["date-released"] == "2030-01-31"


def test_wrong_addresses_and_folders_are_refused(tmp_path, capsys):
    run = RELEASE["main"]
    for wrong in ("http://example.org/x", "example.org", 'https://example.org/"', "https://"):
        with pytest.raises(SystemExit):
            run([wrong, DOCS, str(tmp_path / "new")])
        assert "https" in capsys.readouterr().err or wrong.endswith('"')
    for folder in (tmp_path, ROOT / "build" / "copy"):
        with pytest.raises(SystemExit):
            run([REPOSITORY, DOCS, str(folder)])
        assert re.search("exists|inside the checkout", capsys.readouterr().err)


@written_once
def test_pages_link_to_files_that_exist():
    quoted = re.compile(r"`((?:docs|examples|tests|tools|\.ci)/[\w./]+)`")
    for named, least in ((RELEASE["RELATIVE"], 9), (quoted, 6)):
        found = [(page.name, name) for page in PAGES for name in named.findall(read(page.name))]
        assert len(found) >= least
        assert [each for each in found if not (ROOT / each[1]).exists()] == []


def test_the_version_is_the_same_everywhere():
    versions = re.findall(r"^## (\d\S*)", read("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == skstat.__version__
    assert yaml_of("CITATION.cff")["version"] == skstat.__version__
    assert PROJECT["project"]["dynamic"] == ["version"]


def test_the_changelog_tells_of_published_versions_only():
    text = read("CHANGELOG.md")
    assert re.findall(r"^## (\S+)", text, re.MULTILINE) == ["Unreleased", "0.1.0"]
    first = text.split("## 0.1.0")[1]
    assert re.findall(r"\b[Bb]efore,|\bno longer\b|\bis gone\b|\bwas renamed\b", first) == []


def test_classifiers_name_the_versions_of_python():
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    named = [int(minor) for minor in re.findall(r"Python :: 3\.(\d+)$", classifiers, re.M)]
    floor = int(PROJECT["project"]["requires-python"].removeprefix(">=3."))
    assert named == list(range(floor, floor + len(named)))
    (tried,) = [job["strategy"] for job in jobs() if "strategy" in job]
    assert tried["matrix"]["python"] == [f"3.{minor}" for minor in named]


def test_floors_are_tried_as_they_are_declared():
    floors = re.search(r"^FLOORS = (.+)$", read("Makefile"), re.MULTILINE)[1].split()
    tried = dict(each.split("==") for each in floors)
    for name, version in (need.split(">=") for need in PROJECT["project"]["dependencies"]):
        assert name == "threadpoolctl" or tried[name] == f"{version}.0"


WORKFLOW = ".github/workflows/tests.yml"
SETTINGS = [WORKFLOW, ".readthedocs.yaml", ".pre-commit-config.yaml"]


def jobs():
    return yaml_of(WORKFLOW)["jobs"].values()


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_run_commands_that_exist(name):
    yaml_of(name)
    text = read(name)
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE))
    called = set(re.findall(r"\bmake (?:--\S+ )*([a-z]+)", text))
    assert called <= targets
    assert set(re.findall(r"--group (\w+)", text)) <= PROJECT["dependency-groups"].keys()


def test_other_machines_do_what_is_done_here():
    steps = [step for job in jobs() for step in job["steps"]]
    called = set(re.findall(r"\bmake (\w+)", "\n".join(step.get("run", "") for step in steps)))
    here = set(re.findall(r"^\s*(?:\{ )?make (\w+)", read(".ci/run"), re.MULTILINE))
    here |= set(re.findall(r"&& make (\w+)", read(".ci/run")))
    # The matrix runs the tests without make, which is not everywhere.
    assert here - called == {"test"}
    (wanted,) = re.findall(r'^test:.*\n\t\$\(PYTEST\) (-m ".+")$', read("Makefile"), re.M)
    assert any(f"pytest {wanted}" in step.get("run", "") for step in steps)
    assert wanted in read("CONTRIBUTING.md")


def test_an_archive_has_what_tests_read():
    """Top-level names that tests speak of are among those that the archive takes."""
    taken = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    always = {"pyproject.toml", ".gitignore"}
    names = {
        node.value
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    there = {path.name for path in ROOT.iterdir() if path.name in names} - always
    left = {name for name in there if f"/{name}" not in taken and not name.endswith(".md")}
    made_here = {".git", ".venv", ".hypothesis", ".pytest_cache", "__pycache__"}
    made_here |= {"build", "dist", "report.html"}
    assert left <= made_here
