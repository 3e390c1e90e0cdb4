"""Many systems on splits: reports and searches against the formula for all pairs at once."""

import warnings
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy.special import stdtr
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV

from benchmarks._race import cpu_seconds, race
from skstat import compare_scores, compare_search_candidates
from skstat.comparison._engine.joint import Joint
from skstat.comparison._question import Question
from skstat.stats import ScoreTable

_FOLDS = 5


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    warnings.simplefilter("ignore")
    for k in (20, 50, 100):
        scores = _scores(50, k)
        found = race(
            lambda scores=scores: str(_report(scores)),
            lambda scores=scores: _corrected_t(scores, 1 / 9),
            rounds=2,
        )
        yield f"report on 50 splits of {k} systems, against the formula alone: {found}"
    asked = {k: _scores(30, k) for k in (50, 100, 200)}
    seconds = {k: cpu_seconds(lambda s=s: _report(s, n_repeats=None)) for k, s in asked.items()}
    for k, s in asked.items():
        formula = cpu_seconds(lambda s=s: _corrected_t(s, 1 / 9))
        drawn = cpu_seconds(lambda s=s: _joint(s))
        n_pairs = k * (k - 1) // 2
        yield (
            f"comparison of {k} systems on 30 random splits: CPU {seconds[k]:.2f} s, "
            f"{drawn:.2f} s of it for the joint draws; the rest is "
            f"{1e6 * (seconds[k] - drawn - formula) / n_pairs:.0f} us a pair over the formula"
        )
    numbers = (20, 100, 250, 500)
    searches = {k: _search(k) for k in numbers}
    spent = {
        k: cpu_seconds(lambda search=search: str(compare_search_candidates(search)))
        for k, search in searches.items()
    }
    for few, many in pairwise(numbers):
        yield (
            f"search with {many} candidates against {few}: CPU {spent[many]:.2f} / "
            f"{spent[few]:.2f} s = {spent[many] / spent[few]:.1f}"
        )


def _report(scores: dict[str, np.ndarray], n_repeats: int | None = 5) -> Any:
    return compare_scores(scores, n_train=900, n_test=100, n_repeats=n_repeats, random_state=0)


def _joint(scores: dict[str, np.ndarray]) -> Any:
    """Joint p-values of all pairs, and nothing else."""
    table = ScoreTable(scores, unit="split", n_train=900, n_test=100)
    pairs = list(combinations(table.names, 2))
    return Joint.of_table(table, pairs, Question.of("two-sided", 0.95, seed=0))


def _scores(n_splits: int, k: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shared = rng.normal(0.8, 0.03, (n_splits, 1))
    table = shared + rng.normal(0, 0.01, (n_splits, k)) + np.linspace(0, 0.03, k)
    return {f"system {i}": column for i, column in enumerate(table.T)}


def _corrected_t(scores: dict[str, np.ndarray], ratio: float) -> np.ndarray:
    """p-values of all pairs, and nothing else."""
    table = np.column_stack([*scores.values()])
    n, k = table.shape
    a, b = np.triu_indices(k, 1)
    differences = table[:, a] - table[:, b]
    error = differences.std(axis=0, ddof=1) * np.sqrt(1 / n + ratio)
    return np.asarray(2 * stdtr(n - 1, -np.abs(differences.mean(axis=0)) / error))


def _search(n_candidates: int) -> GridSearchCV:
    """Fit a search whose candidates guess, each by its own seed."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    grid = {"random_state": list(range(n_candidates))}
    return GridSearchCV(DummyClassifier(strategy="stratified"), grid, cv=_FOLDS).fit(X, y)
