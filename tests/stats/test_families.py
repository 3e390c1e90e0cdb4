"""All pairs of a table at once, against the test of each pair alone."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from skstat.stats import (
    Comparison,
    ScoreTable,
    Student,
    paired_t,
    pairwise,
    sign,
    sign_flip,
    wilcoxon,
)
from tests.cases import in_one_test

RNG = np.random.default_rng(1)


def tables():
    smooth, many = RNG.normal(0.8, 0.05, (30, 5)), RNG.normal(0.8, 0.05, (250, 4))
    odd = smooth[:9].copy()
    odd[:, 1], odd[:, 2] = odd[:, 0], odd[:, 0] + 0.1
    # Of near sizes the noise of the larger score decides, whichever is the smaller size.
    level = np.tile([1e4, 0.3], 5)[:, None]
    return {
        "smooth": smooth,
        "ties": smooth.round(2),
        "normal, ties": many.round(2),
        # Between exact and normal, by how many scores are equal.
        "between": RNG.normal(0.8, 0.05, (205, 4)).round(2),
        "odd": odd,
        "three": smooth[:3],
        "other sizes": smooth[:12] * 10.0 ** RNG.integers(-4, 4, (12, 1)),
        "uneven": level + np.arange(4) * 0.1 * (1 + 1e-7 * RNG.integers(0, 3, (10, 4))),
    }


@in_one_test("test", [paired_t, sign, wilcoxon, sign_flip])
@in_one_test("alternative", ["two-sided", "less", "greater"])
@in_one_test("scores", list(tables().values()))
def test_the_numbers_and_words_of_every_pair_to_the_last_bit(scores, alternative, test):
    table = ScoreTable(scores, unit="dataset")
    found = pairwise(table, test, alternative=alternative, rng=3)
    options = {"alternative": alternative, **({"rng": 3} if test is sign_flip else {})}
    alone = [test(table.pair(*pair), **options) for pair in found.pairs]
    assert found.pairs == tuple(combinations(table.names, 2))
    for name in ("pvalue", "direction", "estimate"):
        expected = [getattr(one, name) for one in alone]
        np.testing.assert_array_equal(found.outcomes.numbers(name), expected, err_msg=name)
    expected = [one.confidence_interval(0.9) for one in alone]
    np.testing.assert_array_equal(np.column_stack(found.outcomes.limits(0.9)), expected)
    # At levels of their own, as adjustments step down.
    levels = np.linspace(0.5, 0.95, len(alone))
    asked = zip(alone, levels.tolist(), strict=True)
    expected = [one.confidence_interval(level) for one, level in asked]
    np.testing.assert_array_equal(np.transpose(found.outcomes.limits(levels)), expected)
    assert [one.to_dict() for one in found.outcomes] == [one.to_dict() for one in alone]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_an_outcome_of_arrays_answers_as_scipy_does_over_an_axis(alternative):
    scores = tables()["smooth"]
    differences = scores[:, 1:] - scores[:, :1]
    expected = ttest_1samp(differences, 0, axis=0, alternative=alternative)
    found = Comparison(
        test="t test",
        estimand="mean difference",
        null_hypothesis="the mean difference is 0",
        alternative=alternative,
        law=Student(
            estimate=differences.mean(axis=0),
            standard_error=differences.std(axis=0, ddof=1) / np.sqrt(len(differences)),
            df=len(differences) - 1,
        ),
    )
    np.testing.assert_allclose(found.statistic, expected.statistic)
    np.testing.assert_allclose(found.pvalue, expected.pvalue)
    limits = zip(found.confidence_interval(0.9), expected.confidence_interval(0.9), strict=True)
    for ours, theirs in limits:
        np.testing.assert_allclose(np.broadcast_to(ours, 4), theirs)
