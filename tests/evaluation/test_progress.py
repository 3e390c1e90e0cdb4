"""Progress on long work."""

import sys

import pytest

from skstat.evaluation import _progress
from skstat.evaluation._progress import Progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(_progress, "time", clock)
    return clock


def test_long_work_is_announced_once_with_a_cheaper_design(clock, capsys):
    with Progress(60, hint="Cheaper: fewer.") as progress:
        for fit in range(3):
            clock.now += 10
            progress.advance(1, 590 - 10 * fit)
    err = capsys.readouterr().err
    assert err == "skstat: 60 fits, about 10 minutes in all. Cheaper: fewer.\n"


def test_one_line_without_rich(monkeypatch, clock, capsys):
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    with Progress(4, True) as progress:
        progress.advance(1, 2)
        clock.now += 0.5
        progress.advance(1, 1)  # too soon for another line
        clock.now += 0.6
        progress.advance(1, 1)
        progress.advance(1, 0)
    lines = [line.rstrip(" ") for line in capsys.readouterr().err.split("\r")]
    left = [
        "skstat: 0 of 4 fits",
        "skstat: 3 of 4 fits, about 1 seconds left",
    ]
    assert lines == ["", *left, f"{'skstat: 4 of 4 fits':<60}\n"]


def test_a_watcher_gets_a_bar_on_long_work_only(monkeypatch, clock, capsys):
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress(100) as progress:
        clock.now += 2  # starting workers is no sign of long fits
        progress.advance(1, 1)
        assert progress._bar is None and not capsys.readouterr().err
        progress.advance(1, 98)
        (task,) = progress._bar.tasks
        assert (task.completed, task.total, task.description) == (2, 100, "fits")


@pytest.mark.parametrize(
    "seconds, text", [(80, "80 seconds"), (600, "10 minutes"), (7200, "2.0 hours")]
)
def test_durations(seconds, text):
    assert _progress._duration(seconds) == text


def test_the_run_names_cheaper_designs():
    from skstat.evaluation._evaluate import _cheaper

    class Design:
        n_splits, halves = 30, None

    assert "compare_estimators(budget=10) needs 20 fits" in _cheaper(Design, 2, comparable=True)
    assert "five_by_two" not in _cheaper(Design, 3, comparable=False)
    Design.n_splits = 10
    assert _cheaper(Design, 2, comparable=True) == ""
