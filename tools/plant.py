"""Plant small faults, one after the other, and count which are found.

``python tools/plant.py`` plants every fault of ``tools/faults.toml``, makes the calls of the
net, takes the fault out, and says whether anything differed. ``--suite`` asks the quick suite
as well, of what the net does not find; ``--only PATTERN`` and ``--every N`` plant some;
``--check`` plants none, and says which texts are gone. It takes hours, and works in a copy.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_COPIED = ("skstat", "tools", "tests", "docs", "examples", "benchmarks", "calibration")
_LONGEST = 1800  # seconds; a fault that makes a call endless is found


def main() -> int:
    """Return 1 if a text is gone that a fault would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="PATTERN", default="", help="faults of these files")
    parser.add_argument("--every", metavar="N", type=int, default=1, help="each Nth of them")
    parser.add_argument("--suite", action="store_true", help="ask the quick suite too")
    parser.add_argument("--check", action="store_true", help="plant nothing")
    options = parser.parse_args()
    faults = [f for f in _faults() if options.only in f["file"] or options.only in f["kind"]]
    faults = faults[:: options.every]
    gone = [fault for fault in faults if _text(fault).count(fault["text"]) != 1]
    for fault in gone:
        print(f"gone, or there twice: {fault['file']}: {fault['text']}")
    if options.check:
        print(f"{len(faults)} faults, {len(gone)} cannot be planted")
        return int(bool(gone))
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(Path(folder))
        for fault in (fault for fault in faults if fault not in gone):
            by = next(_found_by(fault, copy, options.suite), "nobody")
            found[by] += 1
            print(f"{by:8} {fault['kind']}: {fault['file']}: {fault['text']}", flush=True)
    print(f"{found.total()} planted: " + ", ".join(f"{by} {n}" for by, n in found.items()))
    return int(bool(gone))


def _faults() -> list[dict[str, str]]:
    path = Path(__file__).with_name("faults.toml")
    return list(tomllib.loads(path.read_text(encoding="utf-8"))["fault"])


def _text(fault: dict[str, str]) -> str:
    path = ROOT / fault["file"]
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _copied(folder: Path) -> Path:
    for name in _COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("_build"))
    for path in [
        *ROOT.glob("*.py"),
        *ROOT.glob("*.toml"),
        *ROOT.glob("*.md"),
        ROOT / "Makefile",
    ]:
        shutil.copy(path, folder)
    return folder


def _found_by(fault: dict[str, str], copy: Path, suite: bool) -> Iterator[str]:
    path = copy / fault["file"]
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(fault["text"], fault["instead"]), encoding="utf-8")
    try:
        if _fails(copy, "-m", "tools.net", "--first"):
            yield "net"
        if suite and _fails(copy, "-m", "pytest", "-x", "-q", "-m", "not long and not lint"):
            yield "suite"
    finally:
        path.write_text(before, encoding="utf-8")


def _fails(copy: Path, *words: str) -> bool:
    # An installed skstat must not stand before the copy, nor may what was compiled before.
    own = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg"}
    try:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=copy,
            env={**os.environ, **own},
            capture_output=True,
            timeout=_LONGEST,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
