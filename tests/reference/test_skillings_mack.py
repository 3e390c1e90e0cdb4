"""Numbers of skillings_mack.R."""

import pytest

from skstat.stats import ScoreTable, skillings_mack

NA = None
TIMES = [
    [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, NA], [NA, 4.2, 3.4, NA], [4.3, 4.6, 4.4, 4.9],
    [3.5, NA, 3.7, 3.9],
]  # fmt: skip


def test_table_with_gaps():
    outcome = skillings_mack(ScoreTable(TIMES, unit="dataset", higher_is_better=False))
    assert outcome.statistic == pytest.approx(15.4930487975293, rel=1e-12)
    assert outcome.df == 3
    assert outcome.pvalue == pytest.approx(0.00144029630249085, rel=1e-10)
