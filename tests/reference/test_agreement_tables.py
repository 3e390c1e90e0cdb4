"""Numbers of agreement_tables.R."""

import pytest

from skstat.stats import AgreementTable, ScoreTable, cochran_q, mcnemar

RATINGS = AgreementTable(794, 150, 86, 570)
FEW = AgreementTable(20, 11, 3, 6)
RIGHT = [
    *([1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 0]),
    *([1, 1, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]),
]


@pytest.mark.parametrize(
    "table, method, statistic, pvalue",
    [
        (RATINGS, "chi2", 17.3559322033898, 3.09929344104522e-05),
        (RATINGS, "edwards", 16.8177966101695, 4.11456228134594e-05),
        (FEW, "chi2", 4.57142857142857, 0.0325094446457196),
        (FEW, "edwards", 3.5, 0.0613688291394019),
    ],
)
def test_chi_squared(table, method, statistic, pvalue):
    outcome = mcnemar(table, method=method)
    assert outcome.statistic == pytest.approx(statistic, rel=1e-13)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-12)


@pytest.mark.parametrize(
    "method, alternative, pvalue",
    [
        ("exact", "two-sided", 0.057373046875),
        ("midp", "two-sided", 0.03515625),
        ("exact", "greater", 0.0286865234375),
    ],
)
def test_counted(method, alternative, pvalue):
    outcome = mcnemar(FEW, method=method, alternative=alternative)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-13)


def test_odds_ratio():
    outcome = mcnemar(FEW, method="exact")
    assert outcome.effect_sizes["odds ratio b/c"] == pytest.approx(3.66666666666667)


def test_cochran():
    table = ScoreTable(RIGHT, unit="instance")
    outcome = cochran_q(table, method="chi2")
    assert outcome.statistic == pytest.approx(9.75, rel=1e-13)
    assert outcome.pvalue == pytest.approx(0.00763509421885999, rel=1e-12)
    exact = cochran_q(table, method="permutation")
    assert exact.pvalue == pytest.approx(0.00823045267489712, rel=1e-12)
