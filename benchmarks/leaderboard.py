"""A leaderboard of 41 systems on 1,136 items, against the work that cannot be avoided."""

import warnings
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks._race import cpu_seconds, race
from skstat import compare_scores, rank_systems
from skstat.stats import ScoreTable, rank_stability

_SYSTEMS, _ITEMS, _TASKS = 41, 1136, 18


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    warnings.simplefilter("ignore")
    scores, tasks = _scores()
    report = rank_systems(scores, unit="instance", task=tasks, random_state=0)
    n = sum(pvalue < 0.05 for pvalue in report.pairs.column("adjusted"))
    spent = cpu_seconds(lambda: str(_ranked(scores, tasks)))
    yield (
        f"leaderboard of {_SYSTEMS} systems on {_ITEMS} items, with text: CPU {spent:.2f} s; "
        f"{n} of {len(report.pairs)} pairs differ significantly"
    )
    found = race(lambda: _ranked(scores, tasks), lambda: _compared(scores), rounds=2)
    yield f"against the comparison of all pairs, without ranks: {found}"
    table = ScoreTable(scores, unit="instance")
    found = race(
        lambda: rank_stability(table, n_resamples=2000, rng=0),
        lambda: _ranks_of_drawn_rows(table.scores, 2000),
        rounds=2,
    )
    yield f"ranks in 2,000 resamples, against drawing rows: {found}"
    found = race(
        lambda: _ranked(scores, tasks), lambda: _pairs_one_by_one(table.scores), rounds=2
    )
    yield f"leaderboard, against 999 sign flips of every pair by itself: {found}"


def _ranked(scores: dict[str, np.ndarray], tasks: np.ndarray) -> Any:
    return rank_systems(scores, unit="instance", task=tasks, random_state=0)


def _compared(scores: dict[str, np.ndarray]) -> Any:
    return compare_scores(scores, unit="instance", random_state=0)


def _ranks_of_drawn_rows(scores: np.ndarray, n_resamples: int) -> np.ndarray:
    """Draw rows, average them and rank the means, one resample after the other."""
    rng = np.random.default_rng(0)
    n, k = scores.shape
    counts = np.zeros((k, k), dtype=int)
    for _ in range(n_resamples):
        means = scores[rng.integers(0, n, n)].mean(axis=0)
        order = np.argsort(-means)
        counts[order, np.arange(k)] += 1
    return counts


def _pairs_one_by_one(scores: np.ndarray) -> list[float]:
    """Flip the signs of the differences of every pair, for the p-value of its mean."""
    rng = np.random.default_rng(0)
    found = []
    for a, b in combinations(range(scores.shape[1]), 2):
        differences = scores[:, a] - scores[:, b]
        signs = np.where(rng.random((999, len(differences))) < 0.5, -1.0, 1.0)
        reached = np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9
        found.append((1 + reached.sum()) / 1000)
    return found


def _scores() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Right answers, and scores between 0 and 1, of systems from good to poor."""
    rng = np.random.default_rng(0)
    ease = rng.normal(0, 1.5, _ITEMS)
    skill = np.linspace(0.5, -1.6, _SYSTEMS)
    chance = 1 / (1 + np.exp(-(ease[:, None] + skill)))
    right = (rng.random((_ITEMS, _SYSTEMS)) < chance).astype(float)
    partly = rng.random(_ITEMS) < 0.4
    right[partly] = np.clip(chance[partly] + rng.normal(0, 0.2, right[partly].shape), 0, 1)
    names = [f"model {number}" for number in range(1, _SYSTEMS + 1)]
    return dict(zip(names, right.T, strict=True)), rng.integers(0, _TASKS, _ITEMS).astype(str)
