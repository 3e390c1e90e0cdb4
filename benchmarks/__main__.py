"""Run all benchmarks, or those named: ``python -m benchmarks cross_validation``.

How often tests err is measured apart, because it takes an hour or so:
``python -m calibration``.
"""

import argparse
import subprocess
import sys
from importlib import import_module

BENCHMARKS = (
    "imports",
    "cross_validation",
    "over_datasets",
    "predictions",
    "tables",
    "memory",
    "ranks",
    "families",
    "large_tables",
    "tiny_fits",
    "families_of_predictions",
    "million_rows",
    "resampling",
    "counts",
    "gate",
    "longdoor",
    "leaderboard",
    "strengths",
    "house",
    "faults",
)

parser = argparse.ArgumentParser(prog="python -m benchmarks")
parser.add_argument("names", nargs="*", metavar="name", help=f"one of: {', '.join(BENCHMARKS)}")
names = parser.parse_args().names or BENCHMARKS
if unknown := set(names) - set(BENCHMARKS):
    parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
if len(names) == 1:
    print(f"-- {names[0]}")
    for line in import_module(f"benchmarks.{names[0]}").run():
        print(line, flush=True)
else:
    # Each in a process of its own: memory and workers of one would count in the next.
    for name in names:
        subprocess.run([sys.executable, "-m", "benchmarks", name], check=True)
