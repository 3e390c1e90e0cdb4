"""Fixtures that several test modules share."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from skstat.evaluation._running import schedule as _schedule


@pytest.fixture(scope="session")
def cancer():
    """Breast cancer data, scaled, with a small random part for speed."""
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rows = np.random.default_rng(0).permutation(len(y))[:240]
    return X[rows], y[rows]


@pytest.fixture
def fits(monkeypatch):
    """Note the split of every fit that is made in this process."""
    made, run_fold = [], _schedule.run_fold

    def noting(X, y, task, *fitted):
        made.append(task.split)
        return run_fold(X, y, task, *fitted)

    monkeypatch.setattr(_schedule, "run_fold", noting)
    return made
