"""Rows of a log, from the frame to the report, against pandas and SciPy by hand."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats as scipy_stats

from benchmarks._race import race
from skstat import compare_scores
from skstat.stats import adjust_pvalues


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    frame = _log(n_systems=41, n_items=1136, n_samples=1)
    items: dict[str, Any] = {
        "system": "model",
        "item": "question",
        "score": "correct",
        "random_state": 0,
    }
    yield (
        "41 models x 1136 questions, one joint law, against a t test of each pair by hand: "
        + race(lambda: compare_scores(frame, **items), lambda: _pairs_by_hand(frame))
    )
    yield (
        "the same, topics the units, against clustered errors of each pair by hand: "
        + race(
            lambda: compare_scores(frame, **items, group="topic"),
            lambda: _clusters_by_hand(frame, "topic"),
            rounds=2,
        )
    )
    samples = _log(n_systems=2, n_items=5_000, n_samples=5)
    yield (
        "2 models x 5000 questions x 5 samples in topics, against the same by hand: "
        + race(
            lambda: compare_scores(samples, **items, repeat="sample", group="topic"),
            lambda: _clusters_by_hand(samples, "topic"),
        )
    )


def _log(n_systems: int, n_items: int, n_samples: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    system, item, sample = (
        part.ravel()
        for part in np.meshgrid(
            np.arange(n_systems), np.arange(n_items), np.arange(n_samples), indexing="ij"
        )
    )
    chance = 0.3 + 0.3 * rng.random(n_items)[item] + 0.3 * system / n_systems
    return pd.DataFrame(
        {
            "model": np.array([f"model {i}" for i in range(n_systems)])[system],
            "question": np.array([f"q{i}" for i in range(n_items)])[item],
            "topic": np.array([f"t{i}" for i in range(n_items // 30 + 1)])[item // 30],
            "sample": sample,
            "correct": (rng.random(len(system)) < chance).astype(float),
        }
    )


def _pairs_by_hand(frame: pd.DataFrame) -> object:
    table = frame.pivot_table(index="question", columns="model", values="correct")
    pvalues = [
        scipy_stats.ttest_rel(table[a], table[b]).pvalue
        for a, b in itertools.combinations(table.columns, 2)
    ]
    return adjust_pvalues(pvalues, "holm")


def _clusters_by_hand(frame: pd.DataFrame, group: str) -> object:
    """Sum residuals by group, as the papers on error bars of evaluations write it."""
    table = frame.pivot_table(index=["question", group], columns="model", values="correct")
    pvalues = []
    for a, b in itertools.combinations(table.columns, 2):
        d = table[a] - table[b]
        sums = (d - d.mean()).groupby(level=group).sum()
        n = len(sums)
        error = np.sqrt(n / (n - 1) * (sums**2).sum()) / len(d)
        pvalues.append(2 * scipy_stats.t.sf(abs(d.mean() / error), n - 1))
    return adjust_pvalues(pvalues, "holm")
