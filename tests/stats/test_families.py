"""All pairs of a table at once, against the test of each pair alone, and what they refuse."""

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from skstat.stats import (
    Comparison,
    ScoreTable,
    Student,
    adjust_pvalues,
    nemenyi,
    paired_t,
    pairwise,
    pairwise_mean_ranks,
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
    assert (found.adjustment, found.control) == ("holm", None)
    assert not found.pool_dependent and found.critical_difference() is None
    np.testing.assert_array_equal(found.adjusted_pvalues, adjust_pvalues(found.pvalues))
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


SCORES = np.random.default_rng(3).normal([0, 0.5, 1, 1], size=(12, 4))


@in_one_test("test", [paired_t, sign, wilcoxon])
def test_a_control_is_b(test):
    table = ScoreTable(SCORES, unit="dataset")
    how = {"alternative": "greater", "control": "system 1", "adjustment": "bonferroni"}
    outcome = pairwise(table, test, **how)
    assert outcome.control == "system 1"
    assert outcome.pairs == tuple((f"system {i}", "system 1") for i in (2, 3, 4))
    expected = [test(table.pair(*pair), alternative="greater").pvalue for pair in outcome.pairs]
    assert outcome.pvalues.tolist() == expected
    assert outcome.adjusted_pvalues == pytest.approx(np.minimum(1, 3 * np.array(expected)))


def test_a_comparison_without_pvalue_counts_and_stays_nan():
    a = np.array([1.0, 2.0, 4.0, 3.0])
    scores = {"a": a, "b": a - 1, "c": [0.5, 1.0, 2.0, 2.5]}
    outcome = pairwise(ScoreTable(scores, unit="seed"), paired_t)
    assert np.isnan(outcome.pvalues).tolist() == [True, False, False]
    assert np.isnan(outcome.adjusted_pvalues).tolist() == [True, False, False]
    assert outcome.adjusted_pvalues[1:].min() == pytest.approx(3 * outcome.pvalues[1:].min())
    assert not outcome.differs(0.99)[0, 1]


def post_hocs():
    """Yield all comparisons in pairs."""
    yield from (partial(pairwise, test=test) for test in (wilcoxon, sign))
    yield from (nemenyi, partial(nemenyi, control="system 1"))
    for ranking in ("friedman", "aligned", "quade"):
        for method in ("normal", "t")[: 1 if ranking == "aligned" else 2]:
            yield partial(pairwise_mean_ranks, method=method, ranking=ranking)


@in_one_test("ask", list(post_hocs()))
def test_splits_missing_scores_and_unknown_controls_are_refused(ask):
    name = getattr(ask, "func", ask).__name__
    with pytest.raises(ValueError, match=f"{name} needs independent units"):
        ask(ScoreTable(SCORES, unit="split"))
    with pytest.raises(ValueError, match=f"{name} needs every score"):
        ask(ScoreTable([[1, 2, math.nan], [1, 2, 3]], unit="dataset"))
    with pytest.raises(ValueError, match="control='nobody' is not one of the systems"):
        ask(ScoreTable(SCORES, unit="dataset"), control="nobody")
