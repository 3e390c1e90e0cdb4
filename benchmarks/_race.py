"""Timing ways to the same answer, turn by turn.

CPU time is that of this process: where a machine is busy, its ratio is the surer one.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

Way = Callable[[], object]


class Spent(NamedTuple):
    """Least seconds that a way took."""

    cpu: float
    wall: float

    def against(self, other: "Spent") -> str:
        """Both clocks beside those of another way, and their ratios."""
        return ", ".join(
            f"{clock} {mine:.4f} / {its:.4f} s = {mine / max(its, 1e-9):.2f}"
            for clock, mine, its in zip(("CPU", "wall"), self, other, strict=True)
        )


def spent(*ways: Way, rounds: int = 3, warm: bool = True) -> list[Spent]:
    """Least times of each way, taken in turns, after a warm-up unless first calls count."""
    for way in ways if warm else ():
        way()
    turns = [[_once(way) for way in ways] for _ in range(rounds)]
    return [Spent(*map(min, *times, times[0])) for times in zip(*turns, strict=True)]


def _once(way: Way) -> Spent:
    cpu, wall = time.process_time(), time.perf_counter()
    way()
    return Spent(time.process_time() - cpu, time.perf_counter() - wall)


def race(ours: Way, theirs: Way, *, rounds: int = 5) -> str:
    """Least times of both and their ratios, in a line."""
    mine, its = spent(ours, theirs, rounds=rounds)
    return (
        f"skstat {mine.wall:7.3f} s   other {its.wall:7.3f} s   "
        f"skstat/other {mine.wall / its.wall:.2f} (CPU {mine.cpu / max(its.cpu, 1e-9):.2f})"
    )


def cpu_seconds(way: Way, *, rounds: int = 2) -> float:
    """Least CPU time of one way."""
    return spent(way, rounds=rounds)[0].cpu
