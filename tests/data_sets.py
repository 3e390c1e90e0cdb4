"""Data sets, and what several modules ask of runs over them."""

from types import FunctionType

import pytest
from sklearn.datasets import make_classification

# Where loky ends its workers early, its own thread may stumble over what it just let go.
aborts = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def classes(seed, n_samples=60, **options):
    """Rows of two classes."""
    return make_classification(n_samples, 5, random_state=seed, **options)


def loader(seed, **options):
    """Return a function that loads such rows."""
    return lambda: classes(seed, **options)


def sent_whole(kind):
    """Have workers get a class itself, since they cannot import a test module."""
    functions = [value for value in vars(kind).values() if isinstance(value, FunctionType)]
    for value in (kind, *functions):
        value.__module__ = "__main__"
    return kind


def assert_monotone(calls):
    """Progress grows up to its end."""
    done, totals = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert all(d <= total for d, total in calls)
    assert done[-1] == totals[-1] > 0
