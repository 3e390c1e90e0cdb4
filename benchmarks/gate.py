"""The command line: help against bare Python, a gate against the imports that it needs."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

_EVALUATION = Path(__file__).parents[1] / "examples" / "ci" / "evaluate.py"
_GATE = ("old.csv", "new.csv", "--metric", "correct", "--margin", "0.02", "--fail-if", "worse")
_RACES = {
    "--help": (("-m", "skstat", "--help"), ("-c", "pass")),
    "compare --help": (("-m", "skstat", "compare", "--help"), ("-c", "pass")),
    "recommend --help": (("-m", "skstat", "recommend", "--help"), ("-c", "pass")),
    "compare, 60 invoices": (
        ("-m", "skstat", "compare", *_GATE, "--group", "invoice"),
        ("-c", "from skstat import compare_scores; import skstat.io"),
    ),
}


def run() -> Iterator[str]:
    """Yield one line per command."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("old.csv", "new.csv"):
            subprocess.run([sys.executable, _EVALUATION, Path(folder, name)], check=True)
        for command, ways in _RACES.items():
            (ours, our_cpu), (other, other_cpu) = _best(ways, folder)
            yield (
                f"skstat {command}: {ours:.3f} s (CPU {our_cpu:.3f})   against python "
                f"{ways[1][1]!r}: {other:.3f} s (CPU {other_cpu:.3f}), CPU above it "
                f"{our_cpu - other_cpu:.3f} s"
            )


def _best(ways: Sequence[Sequence[str]], folder: str) -> list[tuple[float, float]]:
    """Best wall and CPU time of processes, taken in turns, after a warm-up of each."""
    # What is compiled is kept, as it is where a program is installed.
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    best = [(float("inf"), float("inf"))] * len(ways)
    for round_number in range(6):
        for place, arguments in enumerate(ways):
            wall, cpu = time.perf_counter(), _cpu_of_children()
            subprocess.run(
                [sys.executable, *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                check=False,
            )
            spent = (time.perf_counter() - wall, _cpu_of_children() - cpu)
            if round_number:
                best[place] = tuple(map(min, best[place], spent))
    return best


def _cpu_of_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
