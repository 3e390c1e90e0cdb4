"""Many data sets: reports on tables of scores against autorank and scikit-posthocs."""

import contextlib
import io
import itertools
import time
import warnings
from collections.abc import Iterator

import autorank
import numpy as np
import pandas as pd
import scikit_posthocs

from benchmarks._race import race
from skstat import compare_scores
from skstat.stats import ScoreTable, adjust_pvalues, nemenyi


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    warnings.simplefilter("ignore")  # of the other packages
    yield from _reports()
    yield from _posthocs()
    yield from _adjustments()


def _scores(n_datasets: int, n_systems: int) -> pd.DataFrame:
    # Not normal, so that autorank takes its Friedman and Nemenyi tests: on normal scores
    # its analysis of variance takes seconds.
    rng = np.random.default_rng(0)
    noise = 0.01 * rng.standard_t(3, (n_datasets, n_systems))
    scores = 0.7 + np.linspace(0, 0.01, n_systems) + noise
    return pd.DataFrame(scores, columns=[f"system {i}" for i in range(n_systems)])


def _reports() -> Iterator[str]:
    for n_datasets, n_systems in ((1000, 10), (100, 5)):
        frame = _scores(n_datasets, n_systems)
        result = race(
            lambda frame=frame: compare_scores(frame, unit="dataset"),
            lambda frame=frame: _autorank(frame),
            rounds=15,
        )
        yield f"report on {n_datasets} x {n_systems} against autorank: {result}"
        result = race(
            lambda frame=frame: compare_scores(frame, unit="dataset").to_dict(),
            lambda frame=frame: _autorank(frame),
            rounds=15,
        )
        yield f"its to_dict() on {n_datasets} x {n_systems} against autorank: {result}"


def _autorank(frame: pd.DataFrame) -> object:
    with contextlib.redirect_stdout(io.StringIO()):
        return autorank.autorank(frame, alpha=0.05, verbose=False)


def _posthocs() -> Iterator[str]:
    frame = _scores(200, 20)
    table = ScoreTable(frame, unit="dataset")
    result = race(
        lambda: nemenyi(table),
        lambda: scikit_posthocs.posthoc_nemenyi_friedman(frame.to_numpy()),
        rounds=15,
    )
    yield f"Nemenyi on 200 x 20 against scikit-posthocs: {result}"


def _adjustments() -> Iterator[str]:
    rng = np.random.default_rng(0)
    for k in (7, 9, 11):
        pvalues = rng.beta(0.5, 2, k * (k - 1) // 2)
        start = time.perf_counter()
        adjusted = adjust_pvalues(pvalues, "bergmann-hommel")
        seconds = time.perf_counter() - start
        line = f"Bergmann-Hommel, k = {k}: {seconds:.4f} s"
        if k < 9:
            start = time.perf_counter()
            listed = _over_partitions(pvalues, k)
            ratio = seconds / (time.perf_counter() - start)
            assert np.allclose(adjusted, listed)
            line += f", {ratio:.4f} of listing all partitions"
        yield line


def _over_partitions(pvalues: np.ndarray, k: int) -> np.ndarray:
    """Adjusted p-values by their definition: all sets of true hypotheses there can be."""
    pairs = list(itertools.combinations(range(k), 2))
    adjusted = np.zeros(len(pairs))
    # Restricted growth strings: each names the block that a system is in.
    strings = [(0,)]
    for _ in range(k - 1):
        strings = [(*s, block) for s in strings for block in range(max(s) + 2)]
    for string in strings:
        inside = [i for i, (a, b) in enumerate(pairs) if string[a] == string[b]]
        if inside:
            value = len(inside) * pvalues[inside].min()
            adjusted[inside] = np.maximum(adjusted[inside], value)
    return np.minimum(adjusted, 1)
