"""DeLong's test beside sorting the scores and no more, and the size of large reports."""

import json
import time
from collections.abc import Callable, Iterator

import numpy as np

from skstat import compare_scores, delong_test, report_from_dict


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    yield from _delong()
    yield from _forms()


def _delong() -> Iterator[str]:
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


def _forms() -> Iterator[str]:
    for k in (100, 200):
        scores = 0.7 + 0.02 * np.random.default_rng(0).standard_normal((30, k))
        report = compare_scores({f"system {j}": scores[:, j] for j in range(k)}, unit="dataset")
        html, text = len(report.to_html()), report.to_json()
        plain = len(json.dumps(report.to_dict()))
        writing, _ = _seconds(report.to_json, rounds=1)
        start = time.process_time()
        assert report_from_dict(json.loads(text)).pairwise.pvalues.size == k * (k - 1) // 2
        reading = time.process_time() - start
        yield (
            f"report on {k} systems: HTML {html / 1e6:.2f} MB, JSON {len(text) / 1e6:.2f} MB = "
            f"{len(text) / plain:.3f} of the dictionary by row; CPU {writing:.2f} s to write, "
            f"{reading:.2f} s to read"
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
