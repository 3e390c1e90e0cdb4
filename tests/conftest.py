"""Fixtures that several test modules share."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer


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
def fits(tmp_path):
    """Return a function that counts the fits that were kept since it was called last."""
    seen = set()

    def count():
        kept = [path for path in tmp_path.rglob("skstat/??/*") if path.is_file()]
        new = {(path, path.stat().st_ino, path.stat().st_mtime_ns) for path in kept} - seen
        seen.update(new)
        return len(new)

    return count
