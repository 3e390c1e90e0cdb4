"""What the page on adding things says, done in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "development" / "adding.rst"
BLOCK = re.compile(
    r"^\.\. (literalinclude|code-block):: (\S+)\n   :caption: (\S+)\n((?:\n|   .*\n)*)", re.M
)
COPIED = ("skstat", "docs/api.rst", "docs/_generate.py", "calibration/results/false_alarms")
COPIED += (
    "pyproject.toml",
    "conftest.py",
    "tests/cases.py",
    "tests/contract.py",
    "tests/docs_tools.py",
    "tests/shell.py",
)
CHECKS = (
    "tests/adding/added.py",
    "tests/test_common.py",
    "tests/test_rooms.py",
    "tests/metrics/test_known.py",
)


def add_lines(text, block):
    """Put every line with a plus behind the line above it, from where that comes next."""
    lines, at = text.splitlines(), -1
    for line in block.strip("\n").splitlines():
        mark, line = line[3], line[4:]
        if mark == "+":
            at += 1
            lines.insert(at, line)
        elif mark == "-":
            at = lines.index(line, at + 1) - 1
            del lines[at + 1]
        else:
            at = lines.index(line, at + 1)
    return "\n".join(lines) + "\n"


def installed(folder):
    """Do what the page says; return the files that are new, and those that changed."""
    new, changed = [], []
    for kind, source, target, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "literalinclude":
            assert not (folder / target).exists()
            shutil.copy(PAGE.parent / source, folder / target)
            new.append(target)
        else:
            text = (folder / target).read_text(encoding="utf-8")
            (folder / target).write_text(add_lines(text, block), encoding="utf-8")
            changed.append(target)
    return new, changed


@pytest.mark.long
def test_what_the_page_adds_is_found_everywhere(tmp_path):
    for name in (*COPIED, *CHECKS):
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    new, changed = installed(tmp_path)
    assert len(new) == 7
    faces = {"__init__.py", "api.rst", "_known.py", "report_forms.py"}
    others = {"options.py", "known.py", "pyproject.toml"}
    assert {Path(name).name for name in changed} == faces | others
    names = [Path(name).stem.strip("_").removeprefix("pairwise_") for name in new]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]
    found = subprocess.run(
        [*command, *CHECKS, *new, "-k", " or ".join(["added", "rooms", *names])],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-5000:] + found.stderr[-2000:]


def test_lines_are_added_where_the_page_says():
    assert add_lines("a\nb\n", "    a\n   +x\n   +y\n    b\n   +  z\n") == "a\nx\ny\nb\n  z\n"
    with pytest.raises(ValueError, match="'c' is not in list"):
        add_lines("a\n", "    c\n   +x\n")
    assert add_lines("a\nb\n", "   -b\n   +x\n") == "a\nx\n"
    assert add_lines("a\nb\na\n", "    b\n    a\n   +x\n") == "a\nb\na\nx\n"
