"""Run all benchmarks, or those named: ``python -m benchmarks cross_validation``."""

import sys
from importlib import import_module

BENCHMARKS = ("imports", "cross_validation", "memory")

for name in sys.argv[1:] or BENCHMARKS:
    print(f"-- {name}")
    for line in import_module(f"benchmarks.{name}").run():
        print(line, flush=True)
