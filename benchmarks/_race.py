"""Timing two ways to the same answer, turn by turn."""

import time
from collections.abc import Callable


def race(ours: Callable[[], object], theirs: Callable[[], object], *, rounds: int = 5) -> str:
    """Best times of both after a warm-up, taken in turns, and their ratio."""
    ours(), theirs()
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for way, times in zip((ours, theirs), seconds, strict=True):
            start = time.perf_counter()
            way()
            times.append(time.perf_counter() - start)
    best, other = (min(times) for times in seconds)
    return f"skstat {best:7.3f} s   other {other:7.3f} s   skstat/other {best / other:.2f}"
