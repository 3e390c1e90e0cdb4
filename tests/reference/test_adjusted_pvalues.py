"""Numbers of adjusted_pvalues.R."""

import pytest

from skstat.stats import adjust_pvalues
from tests.cases import in_one_test

PVALUES = [0.021, 0.0004, 0.31, 0.009, 0.021, 0.047, 0.76, 0.0125, 0.002, 0.31]


@in_one_test(
    "method, expected",
    [
        ("holm", [0.126, 0.004, 0.93, 0.072, 0.126, 0.188, 0.93, 0.0875, 0.018, 0.93]),
        ("hochberg", [0.105, 0.004, 0.62, 0.072, 0.105, 0.188, 0.76, 0.0875, 0.018, 0.62]),
        ("hommel", [0.105, 0.004, 0.62, 0.054, 0.105, 0.188, 0.76, 0.063, 0.018, 0.62]),
        ("sidak", [1 - (1 - p) ** 10 for p in PVALUES]),
        ("bonferroni", [0.21, 0.004, 1, 0.09, 0.21, 0.47, 1, 0.125, 0.02, 1]),
        (
            "fdr_bh",
            [
                *(0.035, 0.004, 0.344444444444444, 0.03, 0.035, 0.0671428571428571),
                *(0.76, 0.03125, 0.01, 0.344444444444444),
            ],
        ),
        (
            "fdr_by",
            [
                *(0.102513888888889, 0.011715873015873, 1, 0.0878690476190476),
                *(0.102513888888889, 0.196659297052154, 1, 0.0915302579365079),
                *(0.0292896825396825, 1),
            ],
        ),
    ],
)
def test_every_method_of_p_adjust(method, expected):
    assert adjust_pvalues(PVALUES, method) == pytest.approx(expected, rel=1e-12)
