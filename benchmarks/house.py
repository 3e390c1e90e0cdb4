"""How much code there is, and how much of it a call goes through.

Code lines are those with code on them: no docstrings, comments and blank lines. A walk counts
what one warm call enters of the package: functions, files, calls from file to file, depth. Both
stand beside what they are to be.
"""

import ast
import io
import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

import skstat
import skstat.__main__
from tools.code_lines import ROOT, lines_of_files, lines_of_rooms, rows_of_code, tokens_of_code

_PACKAGE = Path(skstat.__file__).parent
_MOST_FILES = 260
# What a walk is to be: functions, files and depth.
_GOALS = {
    "compare_scores, rows, three systems": (250, 45, 18),
    "paired_cv_ttest, two trees, 150 rows": (330, 55, 20),
    "compare_predictions, two systems": (200, 40, 16),
    "skstat compare old.csv new.csv --fail-if worse": (350, 65, 18),
    "print a report of four systems": (140, 12, None),
    "JSON and back, four systems": (60, 8, None),
    "choose a test": (15, None, None),
}


def run() -> Iterator[str]:
    """Yield the size of the package and of its tests, and the walks of seven calls."""
    yield _size("skstat", _PACKAGE)
    yield _size("tests", _PACKAGE.parent / "tests")
    yield from _rooms()
    for name, call in _calls():
        call()  # what is imported, looked up and kept the first time is no part of a walk
        yield f"{name}: {_walk(call)}{_goal(name)}"


def _size(name: str, folder: Path) -> str:
    files = sorted(folder.rglob("*.py"))
    lines = tokens = imports = 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        found = tokens_of_code(text, tree)
        code = rows_of_code(found)
        lines, tokens = lines + len(code), tokens + len(found)
        imports += sum(len(_rows(node) & code) for node in ast.walk(tree) if _imports(node))
    rooms = sum(file.name == "__init__.py" for file in files)
    return (
        f"{name}: {len(files)} files in {rooms} packages, {lines:,} code lines, "
        f"{tokens:,} tokens, {100 * imports / lines:.1f} % of the lines import"
    )


def _imports(node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _rows(node: ast.AST) -> set[int]:
    return set(range(node.lineno, node.end_lineno + 1))


def _rooms() -> Iterator[str]:
    """Every room beside its goal."""
    house = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "house"
    ]
    package = lines_of_files("skstat")
    found = dict(lines_of_rooms(package)) | {"tests": sum(lines_of_files("tests").values())}
    for room, goal in house["goals"].items():
        ceiling = house["code-lines"][room]
        yield f"{room}: {found[room]:,} code lines (ceiling {ceiling:,}, goal {goal:,})"
    yield f"files of the package: {len(package)} (ceiling {house['files']}, goal {_MOST_FILES})"


def _walk(call: Callable[[], object]) -> str:
    inside, stack, deepest, crossings = str(_PACKAGE) + os.sep, [], 0, 0
    functions: set[tuple[str, int, str]] = set()

    def note(frame, event, _):
        nonlocal deepest, crossings
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(inside):
            return
        if event == "return":
            if stack:
                stack.pop()
            return
        functions.add((code.co_filename, code.co_firstlineno, code.co_name))
        crossings += bool(stack) and stack[-1] != code.co_filename
        stack.append(code.co_filename)
        deepest = max(deepest, len(stack))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    files = {file for file, *_ in functions}
    looped = sum(name.endswith(("comp>", "genexpr>")) for *_, name in functions)
    return (
        f"{len(functions)} functions ({looped} of them comprehensions) in {len(files)} files, "
        f"{crossings:,} calls between files, depth {deepest}"
    )


def _goal(name: str) -> str:
    words = ("functions", "files", "deep")
    goals = zip(_GOALS.get(name, ()), words, strict=False)
    told = [f"{most} {word}" for most, word in goals if most is not None]
    return f" (goal {', '.join(told)})" if told else ""


def _calls() -> Iterator[tuple[str, Callable[[], object]]]:
    rng = np.random.default_rng(0)
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:150], y[:150]
    trees = {f"depth {d}": DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 3)}

    def ask() -> skstat.Report:
        return skstat.paired_cv_ttest(*trees.items(), X, y, random_state=0)

    yield "paired_cv_ttest, two trees, 150 rows", ask
    kept = ask().to_json()
    yield "restore its report and print it", lambda: str(_restored(kept))
    truth = rng.integers(0, 2, 400)
    labels = {name: np.where(rng.random(400) < s, truth, 1 - truth) for name, s in _SHARES}
    yield (
        "compare_predictions, two systems",
        lambda: skstat.compare_predictions(truth, labels, metric="accuracy", random_state=0),
    )
    rows = {name: (right == truth).astype(int) for name, right in labels.items()}
    rows["third"] = rng.integers(0, 2, 400)
    yield "compare_scores, rows, three systems", lambda: _of_rows(rows)
    table = pd.DataFrame(rng.normal(0.8, 0.05, (12, 4)), columns=list("abcd"))
    yield "compare_scores, 4 systems x 12 data sets", lambda: _of_datasets(table)
    four = _of_datasets(table)
    several = four.to_json()
    yield "print a report of four systems", lambda: str(four)
    yield "JSON and back, four systems", lambda: _restored(four.to_json())
    yield "restore it and write HTML", lambda: _restored(several).to_html()
    yield "choose a test", lambda: skstat.recommend_test("scores", unit="instance")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, right in labels.items():
            files.append(f"{folder}/{name}.csv")
            scores = (right == truth).astype(int)
            pd.DataFrame({"id": range(400), "score": scores}).to_csv(files[-1], index=False)
        yield "read two CSV files, compare_scores", lambda: _of_files(files)
        words = ["compare", *files, "--fail-if", "worse", "--higher-is-better"]
        yield "skstat compare old.csv new.csv --fail-if worse", lambda: _command(words)


_SHARES = (("old", 0.8), ("new", 0.85))


def _restored(kept: str) -> Any:
    return skstat.report_from_dict(json.loads(kept))


def _of_datasets(table: pd.DataFrame) -> skstat.Report:
    return skstat.compare_scores(table, unit="dataset")


def _of_rows(rows: dict[str, Any]) -> skstat.Report:
    return skstat.compare_scores(rows, unit="instance", random_state=0)


def _of_files(files: list[str]) -> object:
    return skstat.compare_scores(skstat.io.read_results(files))


def _command(words: list[str]) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        skstat.__main__.main(words)
