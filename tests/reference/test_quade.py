"""Numbers of quade.R."""

import pytest

from skstat.stats import ScoreTable, friedman

SOLD = [
    [5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4],
    [10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7],
]  # fmt: skip


def test_hand_lotion():
    outcome = friedman(ScoreTable(SOLD, unit="dataset"), ranking="quade")
    assert outcome.statistic == pytest.approx(3.82925158417537, rel=1e-13)
    assert outcome.df == (4, 24)
    assert outcome.pvalue == pytest.approx(0.0151890200732746, rel=1e-12)


def test_ties(rounding_times):
    outcome = friedman(rounding_times, ranking="quade")
    assert outcome.statistic == pytest.approx(6.37041374989786, rel=1e-13)
    assert outcome.df == (2, 42)
    assert outcome.pvalue == pytest.approx(0.00383439258213509, rel=1e-12)
