"""A test rejects exactly from its critical value on."""

import itertools

import numpy as np
import pytest

from skstat.stats import PairedScores, sign, wilcoxon
from tests.cases import in_one_test

ALTERNATIVES = ["two-sided", "greater", "less"]
SIZES = np.array([0.01, 0.02, 0.02, 0.05, 0.07, 0.07, 0.11, 0.13])


def sample(differences, unit="seed"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


@pytest.mark.long(keep=3)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("procedure", [sign, wilcoxon])
def test_every_sign_pattern_agrees_with_its_pvalue(procedure, alternative):
    critical = procedure(sample(SIZES), alternative=alternative).critical_value(0.05)
    seen = set()
    for signs in itertools.product([1, -1], repeat=len(SIZES)):
        outcome = procedure(sample(SIZES * signs), alternative=alternative)
        value = outcome.statistic
        rejects = outcome.pvalue <= 0.05
        seen.add(rejects)
        if alternative == "less":
            assert (value <= critical + 1e-12) == rejects
        elif alternative == "greater":
            assert (value >= critical - 1e-12) == rejects
        elif value >= critical:
            assert rejects
    assert seen == {True, False}


@pytest.mark.parametrize("procedure", [sign, wilcoxon])
def test_too_few_units_have_no_critical_value(procedure):
    assert procedure(sample(SIZES[:5])).critical_value(0.05) == np.inf
    less = procedure(sample(SIZES[:4]), alternative="less")
    assert less.critical_value(0.05) == -np.inf


@in_one_test("n, lower", [(6, 0), (8, 3), (10, 8), (15, 25), (20, 52), (25, 89)])
def test_wilcoxon_against_the_table(n, lower):
    # Wilcoxon's table of the largest lower rank sum, two-sided .05 (Conover, 1999, A12).
    outcome = wilcoxon(sample(np.arange(1, n + 1)))
    assert outcome.critical_value(0.05) == n * (n + 1) / 2 - lower


def test_normal_approximation_and_split_zeros():
    outcome = wilcoxon(sample(np.arange(1.0, 301.0)))
    mean, sd = 300 * 301 / 4, np.sqrt(300 * 301 * 601 / 24)
    assert outcome.critical_value(0.1) == pytest.approx(mean + 1.6448536 * sd)
    zeros = np.r_[np.zeros(2), SIZES]
    pratt, split = (wilcoxon(sample(zeros), zero_method=name) for name in ("pratt", "zsplit"))
    # The two zeros have the ranks 1 and 2, half of which go to each side.
    assert split.critical_value(0.1) == pratt.critical_value(0.1) + 1.5
