"""The workflow in ``examples/ci`` runs, step by step, as GitHub would run it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from xml.etree import ElementTree

import pytest

import skstat
from tests.shell import main

FOLDER = Path(__file__).parents[1] / "examples" / "ci"
WORKFLOW = (FOLDER / "compare_with_main.yml").read_text(encoding="utf-8")
RUN = re.compile(r"^( +)run: (?:\|\n((?:\1  .*\n)+)|(.+)\n)", re.M)
STEPS = [dedent(several) or one for _, several, one in RUN.findall(WORKFLOW)]

pytestmark = [
    pytest.mark.skipif(
        os.name != "posix" or not (shutil.which("bash") and shutil.which("git")),
        reason="needs bash and git",
    ),
    pytest.mark.long,
]

BETTER = r"(?<!No. )\b\d[\d,]*(?:\.\d+)?"
WORSE = r"\d+(?:\.\d+)?"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with the main branch, and programs that need no network."""
    root = tmp_path / "pull_request"
    root.mkdir()
    shutil.copy(FOLDER / "evaluate.py", root)
    programs = tmp_path / "bin"
    programs.mkdir()
    package = Path(skstat.__file__).parents[1]
    python = f'PYTHONPATH="{package}" exec "{sys.executable}"'
    for name, call in {"python": python, "skstat": f"{python} -m skstat", "pip": ":"}.items():
        (programs / name).write_text(f'#!/bin/sh\n{call} "$@"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for line in ("init -q", "add .", "commit -qm main", "update-ref refs/remotes/origin/main"):
        last = ["HEAD"] if "update-ref" in line else []
        subprocess.run([*git, *line.split(), *last], cwd=root, check=True)
    return root


def change(root, pattern):
    """Change the pull request, and run the steps before the last, which is the gate."""
    program = root / "evaluate.py"
    line = re.compile(r"^AMOUNT = .*$", re.M)
    text = program.read_text(encoding="utf-8")
    program.write_text(line.sub(lambda _: f'AMOUNT = r"{pattern}"', text), encoding="utf-8")
    for step in STEPS[:-1]:
        subprocess.run(["bash", "-e", "-c", step], cwd=root, check=True)


def check(root, word, out, err):
    annotation, failures = {"PASS": ("notice", "0"), "FAIL": ("error", "1")}[word]
    assert out.startswith(f"::{annotation} title=skstat")
    assert err.startswith(f"skstat: {word}: pull_request is ")
    summary = (root.parent / "summary.md").read_text(encoding="utf-8")
    assert f"**{word}**: pull\\_request is " in summary.splitlines()[0]
    assert ElementTree.parse(root / "compare.xml").getroot().get("failures") == failures
    assert (root / "compare.html").exists()


def test_the_workflow_stops_a_pull_request_that_is_worse(checkout):
    assert [step.split()[0] for step in STEPS] == ["pip", "git", "skstat"]
    change(checkout, WORSE)
    done = subprocess.run(
        ["bash", "-e", "-c", STEPS[-1]],
        cwd=checkout,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    check(checkout, "FAIL", done.stdout, done.stderr)


def test_the_workflow_lets_a_better_one_through(checkout, monkeypatch, capfd):
    change(checkout, BETTER)
    monkeypatch.chdir(checkout)
    capfd.readouterr()
    _, *arguments = shlex.split(STEPS[-1].replace("\\\n", " "))
    assert main(arguments) == 0
    check(checkout, "PASS", *capfd.readouterr())
