"""t tests of all pairs at once, against the test of each pair alone."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from skstat.stats import MeanOutcome, ScoreTable, corrected_t, paired_t, pairwise
from skstat.stats._common import family_by
from skstat.stats._outcomes import OutcomeFamily
from skstat.stats._paired.paired_t import TFamily

RNG = np.random.default_rng(2)
SMOOTH = RNG.normal(0.8, 0.05, (12, 5))
ODD = SMOOTH.round(1)
ODD[:, 1], ODD[:, 2] = ODD[:, 0], ODD[:, 0] + 0.1


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", [paired_t, corrected_t])
@pytest.mark.parametrize("scores", [SMOOTH, ODD, SMOOTH[:3]], ids=["smooth", "odd", "three"])
def test_the_numbers_and_words_of_every_pair_to_the_last_bit(scores, test, alternative):
    units = {"unit": "seed"} if test is paired_t else {"n_train": 90, "n_test": 10}
    table = ScoreTable(scores, **units)

    def ask(pair):
        return test(table.pair(*pair), alternative=alternative)

    pairs = list(combinations(table.names, 2))
    found = family_by(test)(table, pairs, alternative, ask)
    alone = list(map(ask, pairs))
    for name, of_one in {
        "estimates": "estimate",
        "standard_errors": "standard_error",
        "statistics": "statistic",
        "pvalues": "pvalue",
        "directions": "direction",
        "smallest_pvalues": "smallest_pvalue",
    }.items():
        expected = [getattr(outcome, of_one) for outcome in alone]
        np.testing.assert_array_equal(getattr(found, name), expected, err_msg=name)
    for level in (0.6, 0.95):
        np.testing.assert_array_equal(found.limits(level), OutcomeFamily.limits(found, level))
    levels = RNG.choice([0.5, 0.8, 0.95, 0.99, 1], len(alone))
    expected = OutcomeFamily.beside_zero(found, levels)
    np.testing.assert_array_equal(found.beside_zero(levels), expected)
    for side in ("less", "greater"):
        expected = OutcomeFamily.pvalues_beyond(found, 0.01, side)
        np.testing.assert_array_equal(found.pvalues_beyond(0.01, side), expected)
    every = np.arange(len(alone))
    expected = OutcomeFamily.without_interval(found, 0.9, every)
    np.testing.assert_array_equal(found.without_interval(0.9, every), expected)
    assert [outcome.to_dict() for outcome in found] == [one.to_dict() for one in alone]


def test_pairs_of_a_table_are_such_a_family():
    table = ScoreTable(SMOOTH, unit="dataset")
    assert isinstance(pairwise(table, paired_t).outcomes, TFamily)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_an_outcome_of_arrays_answers_as_scipy_does_over_an_axis(alternative):
    differences = SMOOTH[:, 1:] - SMOOTH[:, :1]
    expected = ttest_1samp(differences, 0, axis=0, alternative=alternative)
    found = MeanOutcome(
        test="t test",
        estimand="mean difference",
        null_hypothesis="the mean difference is 0",
        alternative=alternative,
        estimate=differences.mean(axis=0),
        standard_error=differences.std(axis=0, ddof=1) / np.sqrt(len(differences)),
        df=len(differences) - 1,
    )
    np.testing.assert_allclose(found.statistic, expected.statistic)
    np.testing.assert_allclose(found.pvalue, expected.pvalue)
    for ours, theirs in zip(
        found.confidence_interval(0.9), expected.confidence_interval(0.9), strict=True
    ):
        np.testing.assert_allclose(np.broadcast_to(ours, 4), theirs)
