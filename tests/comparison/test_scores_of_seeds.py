"""One score per seed: nothing pairs the seeds of two systems, unless it is said."""

from functools import partial

import pytest
from scipy.stats import ttest_ind

from skstat import compare_scores, stats
from tests.cases import refusals
from tests.contract import check_report

A = [0.81, 0.83, 0.80, 0.84, 0.82, 0.79]
B = [0.79, 0.80, 0.78, 0.81]
C = [0.70, 0.72, 0.69, 0.71, 0.70]
SEEDS = {"a": A, "b": B, "c": C}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_it_is_the_test_of_welch(alternative):
    found = compare_scores({"a": A, "b": B}, unit="seed", alternative=alternative)
    expected = ttest_ind(A, B, equal_var=False, alternative=alternative)
    assert found.pvalue == pytest.approx(expected.pvalue)
    assert found.df == pytest.approx(expected.df)
    limits = expected.confidence_interval(0.95)
    assert found.confidence_interval() == pytest.approx((limits.low, limits.high))
    assert "6 and 4 seeds, not paired" in found.details
    check_report(found)


test_what_makes_no_sense_is_named = refusals(
    [
        ({"test": "paired_t"}, "'paired_t' compares pairs.*paired_seeds=True"),
        ({"test": stats.wilcoxon}, "'wilcoxon' compares pairs"),
        ({"adjustment": "max-t"}, "unpaired.*adjustment='holm'"),
        ({"paired_seeds": "yes"}, "paired_seeds='yes' must be True or False"),
        ({"unit": "instance", "paired_seeds": True}, "say unit='seed'"),
    ],
    partial(compare_scores, SEEDS, unit="seed"),
)
