"""Timing two ways to the same answer, turn by turn."""

import time
from collections.abc import Callable


def race(ours: Callable[[], object], theirs: Callable[[], object], *, rounds: int = 5) -> str:
    """Best times of both after a warm-up, taken in turns, and their ratio.

    CPU time is that of this process: where a machine is busy, its ratio is the surer one.
    """
    ours(), theirs()
    clocks = (time.perf_counter, time.process_time)
    best = [[float("inf")] * len(clocks) for _ in range(2)]
    for _ in range(rounds):
        for way, times in zip((ours, theirs), best, strict=True):
            start = [clock() for clock in clocks]
            way()
            spent = [clock() - begun for clock, begun in zip(clocks, start, strict=True)]
            times[:] = map(min, times, spent)
    (wall, cpu), (other_wall, other_cpu) = best
    return (
        f"skstat {wall:7.3f} s   other {other_wall:7.3f} s   "
        f"skstat/other {wall / other_wall:.2f} (CPU {cpu / max(other_cpu, 1e-9):.2f})"
    )


def cpu_seconds(way: Callable[[], object], *, rounds: int = 2) -> float:
    """Least CPU time of this process, after a warm-up."""
    way()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        way()
        times.append(time.process_time() - start)
    return min(times)
