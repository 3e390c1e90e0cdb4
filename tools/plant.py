"""Plant small faults, one after the other, and record in ``benchmarks`` what finds them.

``python tools/plant.py`` plants every fault of ``tools/faults.toml``, makes those calls of the
net that enter its function, up to the first that differs, and takes the fault out. ``--suite``
then asks the quick suite of what the net did not find, the tests of the fault's file and room
first. ``--only PATTERN`` plants those of some files or of a kind, ``--missed`` those that
nothing found so far, and ``--missed net`` those that the net did not; ``--check`` plants none,
and says which texts are gone. ``--jobs`` are planted at a time, each in a copy of its own: the
checkout stays as it is, but for the record.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "benchmarks" / "faults.json"
_LONGEST = 2400  # seconds; a fault that makes a call endless is found
_LEFT = shutil.ignore_patterns(".git", ".venv*", "*_cache", "__pycache__", "_build", "dist")

Fault = dict[str, str]


def main() -> int:
    """Return 1 if a text is gone that a fault would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="PATTERN", default="", help="faults of files, a kind")
    parser.add_argument("--missed", nargs="?", const="all", choices=["all", "net"])
    parser.add_argument("--suite", action="store_true", help="ask the quick suite too")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--check", action="store_true", help="plant nothing")
    options = parser.parse_args()
    every = tomllib.loads((ROOT / "tools" / "faults.toml").read_text(encoding="utf-8"))["fault"]
    gone = [fault for fault in every if _text(fault).count(fault["text"]) != 1]
    for fault in gone:
        print(f"gone, or there twice: {fault['file']}: {fault['text']}")
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    names = {_name(fault) for fault in every}
    for name in record.keys() - names:
        print(f"recorded, and no longer in the list: {name}")
    record = {name: fault for name, fault in record.items() if name in names}
    missed = {None: ("net", "suite", ""), "net": ("suite", ""), "all": ("",)}[options.missed]
    faults = [
        fault
        for fault in every
        if fault not in gone
        and (options.only in fault["file"] or options.only in fault["kind"])
        and record.get(_name(fault), {}).get("by", "") in missed
    ]
    print(f"{len(faults)} faults to plant, {len(gone)} cannot be planted")
    if not options.check:
        _plant_all(faults, options.jobs, options.suite, record)
    return int(bool(gone))


def _plant_all(faults: list[Fault], jobs: int, suite: bool, record: dict[str, Fault]) -> None:
    free: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies = [
            shutil.copytree(ROOT, Path(folder) / str(number), ignore=_LEFT)
            for number in range(jobs)
        ]
        walks = _walks(copies, pool)
        for copy in copies:
            free.put(copy)
        for by in ["net", "suite"] if suite else ["net"]:
            asked = {pool.submit(_planted, fault, free, by, walks): fault for fault in faults}
            for done in as_completed(asked):
                fault, found = asked[done], done.result()
                known = record.setdefault(_name(fault), {"kind": fault["kind"], "by": ""})
                if found or known["by"] in ("", by):
                    known |= {"by": by if found else "", "what": found}
                print(f"{by if found else 'nobody'}: {_name(fault)} {found}", flush=True)
                RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            faults = [fault for fault in faults if record[_name(fault)]["by"] != by]
    counts = Counter(fault["by"] or "nobody" for fault in record.values())
    print(f"{len(record)} planted: " + ", ".join(f"{by} {n}" for by, n in counts.items()))


def _walks(copies: list[Path], pool: ThreadPoolExecutor) -> dict[str, list[str]]:
    """Return the functions that every case of the net enters; without faults it is green."""

    def walked(part: int) -> dict[str, list[str]]:
        path = copies[part] / "walks.json"
        parts = ["--part", str(part), str(len(copies))]
        if found := _found(copies[part], "-m", "tools.net", *parts, "--walks", str(path)):
            sys.exit(f"the net is red before any fault is planted: {found}")
        return json.loads(path.read_text(encoding="utf-8"))

    found: dict[str, list[str]] = {}
    for part in pool.map(walked, range(len(copies))):
        found |= part
    return found


def _cases(fault: Fault, walks: dict[str, list[str]]) -> list[str]:
    """Return the cases that enter the function of a fault, or, of one outside, all cases.

    Those that enter the file come first then.
    """
    text = _text(fault)
    row = text[: text.index(fault["text"])].count("\n") + 1
    around = {
        f"{fault['file']}:{min([node.lineno, *(d.lineno for d in node.decorator_list)])}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and node.body[0].lineno <= row <= node.end_lineno
    }
    if around:
        return [name for name, functions in walks.items() if around & set(functions)]
    near = {name: any(f.startswith(fault["file"]) for f in own) for name, own in walks.items()}
    return sorted(walks, key=lambda name: not near[name])


def _name(fault: Fault) -> str:
    return f"{fault['file']}: {fault['text']}"


def _text(fault: Fault) -> str:
    path = ROOT / fault["file"]
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _planted(
    fault: Fault, free: "SimpleQueue[Path]", by: str, walks: dict[str, list[str]]
) -> str:
    """Return what found a fault; nothing if nothing did."""
    copy = free.get()
    path = copy / fault["file"]
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(fault["text"], fault["instead"]), encoding="utf-8")
    try:
        if by == "net":
            chosen = copy / "cases.json"
            chosen.write_text(json.dumps(_cases(fault, walks)), encoding="utf-8")
            return _found(copy, "-m", "tools.net", "--first", "--cases", str(chosen))
        quick = ["-m", "pytest", "-x", "-q", "-n", "0", "-m", "not long and not lint"]
        steps = (_found(copy, *quick, *tests) for tests in _tests(fault["file"], copy))
        return next(filter(None, steps), "")
    finally:
        path.write_text(before, encoding="utf-8")
        free.put(copy)


def _tests(name: str, copy: Path) -> Iterator[list[str]]:
    """Yield the tests of a file by their names, those of its room, and all others."""
    room, stem = name.split("/")[1], Path(name).stem.strip("_")
    patterns = (f"tests/{room}/", f"tests/test_{room.strip('_')}*.py", f"skstat/{room}/")
    own, of_room = (
        sorted(str(path.relative_to(copy)) for pattern in some for path in copy.glob(pattern))
        for some in ((f"tests/**/test_{stem}*.py",), patterns)
    )
    yield from filter(None, (own, of_room))
    yield [*(f"--ignore={path}" for path in of_room), "tests", "skstat"]


def _found(copy: Path, *words: str) -> str:
    # An installed skstat must not stand before the copy, nor may what was compiled before.
    own = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg"}
    try:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=copy,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **own},
            capture_output=True,
            encoding="utf-8",
            timeout=_LONGEST,
        )
    except subprocess.TimeoutExpired:
        return "it does not end"
    if done.returncode in (0, 5):  # 5 of pytest: none of these tests is a quick one
        return ""
    said = re.search(r"^(?:== |(?:FAILED|ERROR) )(.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return said[1] if said else (done.stderr.splitlines() or ["it fails"])[-1]


if __name__ == "__main__":
    sys.exit(main())
