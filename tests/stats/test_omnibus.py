"""What holds for all tests of several systems at once: order, scale, ties, words, refusals."""

import math
from functools import partial

import numpy as np
import pytest

from skstat.stats import (
    ScoreTable,
    cochran_q,
    friedman,
    largest_t,
    repeated_measures_anova,
    skillings_mack,
)
from tests.cases import in_one_test

RNG = np.random.default_rng(8)
SCORES = RNG.normal(0.8, 0.05, (9, 4)) + np.arange(4) / 50
OF_SCORES = (
    friedman,
    partial(friedman, ranking="aligned"),
    partial(friedman, ranking="quade"),
    skillings_mack,
    repeated_measures_anova,
    largest_t,
)
ALL = (*OF_SCORES, cochran_q)


def asked(test, scores, unit="dataset", **more):
    rng = {"rng": 0} if test in (largest_t, cochran_q) else {}
    return test(ScoreTable(np.asarray(scores), unit=unit, **more), **rng)


def scores_for(test):
    return SCORES if test is not cochran_q else (SCORES > 0.83).astype(float)


@in_one_test("test", ALL)
def test_neither_order_nor_sign_of_errors_matters(test):
    scores = scores_for(test)
    found = asked(test, scores)
    changed = [(scores[RNG.permutation(9)], {}), (scores[:, ::-1], {})]
    if test is not cochran_q:
        changed += [(1000 * scores + 7, {}), (-scores, {"higher_is_better": False})]
    for other, more in changed:
        again = asked(test, other, **more)
        assert again.statistic == pytest.approx(found.statistic, rel=1e-9)
        # Sign flips and permutations are drawn, for other units than before.
        assert again.pvalue == pytest.approx(found.pvalue, rel=1e-6, abs=0.02)


@in_one_test("test", ALL)
def test_systems_that_are_the_same_show_nothing(test):
    found = asked(test, np.tile(scores_for(test)[:, :1], 3))
    assert (found.statistic, found.pvalue) == (0, 1)
    assert all(math.isnan(size) or abs(size) < 1e-9 for size in found.effect_sizes.values())


@in_one_test("test", ALL)
def test_words_name_units_and_systems(test):
    found = asked(test, scores_for(test), unit="instance" if test is cochran_q else "dataset")
    unit = "instance" if test is cochran_q else "data set"
    assert unit in found.estimand and unit in found.assumptions[0]
    assert found.names == tuple(f"system {i}" for i in range(1, 5)) and found.n_units == 9
    assert found.null_hypothesis and found.test and found.statistic_name


@in_one_test("test", ALL)
def test_splits_gaps_and_single_units_are_refused(test):
    scores = scores_for(test).copy()
    with pytest.raises(ValueError, match="independent"):
        asked(test, scores, unit="split", n_repeats=1)
    if test is not cochran_q:
        with pytest.raises(ValueError, match="at least 2"):
            asked(test, scores[:1])
    scores[2, 1] = np.nan
    if test is not skillings_mack:
        with pytest.raises(ValueError):
            asked(test, scores)
