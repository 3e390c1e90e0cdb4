"""Fixtures that several test modules share."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer

from skstat.evaluation import _jobs


@pytest.fixture(scope="module", autouse=True)
def no_checks_of_scikit_learns_arguments():
    """Spare scikit-learn the checks of its own arguments, of which a run makes hundreds.

    Pages, examples, docstrings and other processes do without this.
    """
    with config_context(skip_parameter_validation=True):
        yield


@pytest.fixture
def checks_of_scikit_learns_arguments():
    """Let scikit-learn check its own arguments, as it does for a user."""
    with config_context(skip_parameter_validation=False):
        yield


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
    made, run_fold = [], _jobs.run_fold

    def noting(X, y, task, *fitted):
        made.append(task.cell[0])
        return run_fold(X, y, task, *fitted)

    monkeypatch.setattr(_jobs, "run_fold", noting)
    return made
