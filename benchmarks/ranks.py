"""DeLong's test, which sorts every system once, against sorting the scores and no more."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from skstat import delong_test


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    for n, k in ((10**5, 2), (10**6, 2), (10**6, 5)):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, n)
        systems = {f"system {i}": y + rng.normal(size=n) for i in range(k)}
        ours = _seconds(lambda y=y, systems=systems: delong_test(y, systems))
        theirs = _seconds(lambda systems=systems: [np.argsort(s) for s in systems.values()])
        yield f"delong_test, n = {n}, k = {k}, against {k} argsorts: " + " ".join(
            f"{clock} {a:.3f} / {b:.3f} s = {a / b:.2f}"
            for clock, a, b in zip(("CPU", "wall"), ours, theirs, strict=True)
        )


def _seconds(way: Callable[[], object], rounds: int = 3) -> tuple[float, float]:
    """Best CPU time and best wall time."""
    way()
    best = (np.inf, np.inf)
    for _ in range(rounds):
        cpu, wall = time.process_time(), time.perf_counter()
        way()
        spent = (time.process_time() - cpu, time.perf_counter() - wall)
        best = (min(best[0], spent[0]), min(best[1], spent[1]))
    return best
