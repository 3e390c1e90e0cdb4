"""Strengths of several systems, shares of wins, and preferences: seconds and memory."""

import tracemalloc
from collections.abc import Iterator

import numpy as np

from benchmarks._race import cpu_seconds
from skstat import compare_preferences
from skstat.stats import Preferences, ScoreTable, bradley_terry, win_shares


def run() -> Iterator[str]:
    """Yield one line per size."""
    for k, n in ((5, 30), (20, 100), (100, 100)):
        rng = np.random.default_rng(0)
        scores = np.linspace(1, 0, k) + rng.normal(size=(n, k))
        table = ScoreTable(scores, unit="dataset")
        whole = cpu_seconds(lambda table=table: bradley_terry(table, 0.1, rng=0))
        shares = cpu_seconds(lambda table=table: win_shares(table, 0.1, rng=0))
        tracemalloc.start()
        found = bradley_terry(table, 0.1, rng=0)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        yield (
            f"{k} systems on {n} data sets: CPU {whole - shares:.2f} s for strengths and "
            f"{shares:.2f} s for shares of wins, {peak / 1e6:.0f} MB; of "
            f"{found.model.n_draws} draws {found.model.effective_size:.0f} count"
        )
    for k, n in ((5, 1000), (20, 20_000)):
        sample = _preferences(k, n)
        spent = cpu_seconds(
            lambda sample=sample: str(compare_preferences(sample, item=None, random_state=0))
        )
        yield f"{n} preferences of {k} systems, with text: CPU {spent:.2f} s"


def _preferences(k: int, n: int) -> Preferences:
    rng = np.random.default_rng(0)
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    strengths = np.linspace(1, -1, k)
    won = rng.random(n) < 1 / (1 + np.exp(strengths[second] - strengths[first]))
    names = np.array([f"system {place}" for place in range(k)])
    items = rng.integers(0, n // 4, n)
    return Preferences(names[first], names[second], won.astype(float), items=items)
