"""Numbers of friedman.R."""

import pytest

from skstat.stats import friedman


def test_both_laws(rounding_times):
    squared = friedman(rounding_times, statistic="chi2")
    assert squared.statistic == pytest.approx(11.1428571428571, rel=1e-13)
    assert squared.pvalue == pytest.approx(0.00380504077551136, rel=1e-12)
    assert squared.effect_sizes["Kendall's W"] == pytest.approx(0.253246753246753, rel=1e-13)
    ratio = friedman(rounding_times)
    assert ratio.statistic == pytest.approx(7.12173913043478, rel=1e-13)
    assert ratio.pvalue == pytest.approx(0.00217129838760752, rel=1e-12)
