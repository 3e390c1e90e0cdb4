"""Progress on long work."""

import sys
import time

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from skstat import compare_estimators, paired_cross_validate
from tests.cases import in_one_test

X, Y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2


class Slow(GaussianNB):
    """A fit of it takes seconds, by a clock that nothing else moves."""

    now = 0.0
    seconds = (10.0,)
    n_fits = 0

    def fit(self, X, y):
        Slow.now += Slow.seconds[Slow.n_fits % len(Slow.seconds)]
        Slow.n_fits += 1
        return super().fit(X, y)


@pytest.fixture
def told(monkeypatch, capsys):
    """Return what stands in the terminal after fits of so many seconds each."""
    monkeypatch.setattr(time, "monotonic", lambda: Slow.now)

    def err(*seconds, ask=paired_cross_validate, n_systems=2, **options):
        Slow.seconds, Slow.n_fits = seconds, 0
        ask([Slow(var_smoothing=9.0**-place) for place in range(n_systems)], X, Y, **options)
        return capsys.readouterr().err

    return err


@in_one_test(
    "seconds, text", [(1.25, "75 seconds"), (10, "10 minutes"), (120, "2.0 hours"), (0.5, None)]
)
def test_long_work_is_announced_once(told, seconds, text):
    assert told(seconds) == (
        (text and f"skstat: 60 fits, about {text} in all." + CHEAPER) or ""
    )


CHEAPER = " Cheaper and still valid: compare_estimators(budget=10) needs 20 fits.\n"


def test_the_run_names_cheaper_designs(told):
    assert told(10.0, ask=compare_estimators).endswith(CHEAPER)
    few = told(10.0, ask=compare_estimators, budget=10)
    assert few == "skstat: 20 fits, about 3 minutes in all.\n"


def test_one_line_without_rich(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    err = told(0.0, 0.5, 2.6, 0.0, cv=2, verbose=True)  # 0.5 is too soon for another line
    lines = [line.rstrip(" ") for line in err.split("\r")]
    left = ["skstat: 0 of 4 fits", "skstat: 3 of 4 fits, about 1 seconds left"]
    assert lines == ["", *left, f"{'skstat: 4 of 4 fits':<60}\n"]


def test_a_watcher_gets_a_bar_on_long_work_only(told, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert told(0.01) == ""
    assert "fits" in told(0.5)
