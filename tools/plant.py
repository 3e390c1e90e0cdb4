"""Plant small faults, one after the other, and record in ``benchmarks`` what finds them.

``python tools/plant.py`` plants every fault of ``tools/faults.toml``, makes the calls of the
net up to the first that differs, and takes the fault out. ``--suite`` then asks the quick suite
of what the net did not find, the tests of the fault's file and room first. ``--only PATTERN``
plants those of some files or kinds, ``--missed`` those that nothing found so far, and
``--missed net`` those that the net did not; ``--check`` plants none, and says which texts are
gone. ``--jobs`` are planted at a time, each in a copy of its own. With two of them the net takes
some 45 minutes, and the suite as long.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
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
    copies: SimpleQueue[Path] = SimpleQueue()
    kinds = ["net", "suite"] if suite else ["net"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for number in range(jobs):
            copies.put(shutil.copytree(ROOT, Path(folder) / str(number), ignore=_LEFT))
        for by in kinds:
            for fault, found in zip(
                faults, pool.map(lambda f, by=by: _planted(f, copies, by), faults), strict=True
            ):
                known = record.setdefault(_name(fault), {"kind": fault["kind"], "by": ""})
                if found or not known["by"]:
                    known |= {"by": by if found else "", "what": found}
                print(f"{by if found else 'nobody'}: {_name(fault)} {found}", flush=True)
                RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            faults = [fault for fault in faults if record[_name(fault)]["by"] != by]
    counts = Counter(fault["by"] or "nobody" for fault in record.values())
    print(f"{len(record)} planted: " + ", ".join(f"{by} {n}" for by, n in counts.items()))


def _name(fault: Fault) -> str:
    return f"{fault['file']}: {fault['text']}"


def _text(fault: Fault) -> str:
    path = ROOT / fault["file"]
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _planted(fault: Fault, copies: "SimpleQueue[Path]", by: str) -> str:
    """Return what found a fault; nothing if nothing did."""
    copy = copies.get()
    path = copy / fault["file"]
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(fault["text"], fault["instead"]), encoding="utf-8")
    try:
        if by == "net":
            return _found(copy, "-m", "tools.net", "--first")
        quick = ["-m", "pytest", "-x", "-q", "-n", "0", "-m", "not long and not lint"]
        near = _near(fault["file"], copy)
        return _found(copy, *quick, *near) or _found(
            copy, *quick, *(f"--ignore={path}" for path in near), "tests", "skstat"
        )
    finally:
        path.write_text(before, encoding="utf-8")
        copies.put(copy)


def _near(name: str, copy: Path) -> list[str]:
    """Return the examples of a file, the tests with its name, and those of its room."""
    room, stem = name.split("/")[1].strip("_"), Path(name).stem.strip("_")
    own = {*copy.glob(f"tests/**/test_{stem}.py"), *copy.glob(f"tests/test_{room}*.py")}
    of_room = copy / "tests" / room
    tests = [*sorted(own), *([of_room] if of_room.is_dir() else [])]
    return [name, *(str(path.relative_to(copy)) for path in tests)]


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
    if done.returncode == 0:
        return ""
    said = re.search(r"^(?:== |(?:FAILED|ERROR) )(.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return said[1] if said else (done.stderr.splitlines() or ["it fails"])[-1]


if __name__ == "__main__":
    sys.exit(main())
