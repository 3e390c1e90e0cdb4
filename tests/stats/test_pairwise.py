"""Comparisons in pairs, each by its own scores."""

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from skstat.stats import (
    ScoreTable,
    adjust_pvalues,
    nemenyi,
    paired_t,
    pairwise,
    pairwise_mean_ranks,
    sign,
    wilcoxon,
)
from tests.cases import in_one_test

SCORES = np.random.default_rng(3).normal([0, 0.5, 1, 1], size=(12, 4))


def table(scores=SCORES, unit="dataset", **options):
    return ScoreTable(scores, unit=unit, **options)


def scipys_wilcoxon(a, b, alternative):
    return stats.wilcoxon(a, b, alternative=alternative, method="exact").pvalue


def scipys_sign(a, b, alternative):
    return stats.binomtest(int(np.sum(a > b)), len(a), alternative=alternative).pvalue


def scipys_t(a, b, alternative):
    return stats.ttest_rel(a, b, alternative=alternative).pvalue


def pairwise_t(sample, **options):
    return pairwise(sample, paired_t, **options)


PROCEDURES = {
    "wilcoxon": (partial(pairwise, test=wilcoxon), scipys_wilcoxon),
    "sign": (partial(pairwise, test=sign), scipys_sign),
    "t": (pairwise_t, scipys_t),
}
# All comparisons in pairs, by the function that says what it refuses.
POST_HOCS = {
    "pairwise, wilcoxon": partial(pairwise, test=wilcoxon),
    "pairwise, sign": partial(pairwise, test=sign),
    "nemenyi": nemenyi,
    "nemenyi, control": partial(nemenyi, control="system 1"),
    **{
        f"pairwise_mean_ranks, {method}, {ranking}": partial(
            pairwise_mean_ranks, method=method, ranking=ranking
        )
        for method, rankings in (
            ("normal", ("friedman", "aligned", "quade")),
            ("t", ("friedman", "quade")),
        )
        for ranking in rankings
    },
}


@pytest.fixture(params=PROCEDURES.values(), ids=PROCEDURES)
def procedure(request):
    return request.param


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_all_pairs(procedure, alternative):
    function, expected = procedure
    outcome = function(table(), alternative=alternative)
    pairs = list(combinations(range(4), 2))
    assert outcome.pairs == tuple((f"system {i + 1}", f"system {j + 1}") for i, j in pairs)
    assert outcome.pvalues == pytest.approx(
        [expected(SCORES[:, i], SCORES[:, j], alternative) for i, j in pairs]
    )
    assert outcome.adjusted_pvalues == pytest.approx(adjust_pvalues(outcome.pvalues))
    assert {found.alternative for found in outcome.outcomes} == {alternative}
    assert (outcome.adjustment, outcome.control) == ("holm", None)
    assert not outcome.pool_dependent and outcome.critical_difference() is None


def test_a_control_is_b(procedure):
    function, expected = procedure
    outcome = function(
        table(), control="system 2", alternative="greater", adjustment="bonferroni"
    )
    assert outcome.control == "system 2"
    assert outcome.pairs == tuple((f"system {i}", "system 2") for i in (1, 3, 4))
    pvalues = [expected(SCORES[:, i], SCORES[:, 1], "greater") for i in (0, 2, 3)]
    assert outcome.pvalues == pytest.approx(pvalues)
    assert outcome.adjusted_pvalues == pytest.approx(np.minimum(1, 3 * np.array(pvalues)))


def test_a_comparison_without_pvalue_counts_and_stays_nan():
    a = np.array([1.0, 2.0, 4.0, 3.0])
    sample = table({"a": a, "b": a - 1, "c": [0.5, 1.0, 2.0, 2.5]}, unit="seed")
    outcome = pairwise_t(sample)
    assert np.isnan(outcome.pvalues).tolist() == [True, False, False]
    assert np.isnan(outcome.adjusted_pvalues).tolist() == [True, False, False]
    assert outcome.adjusted_pvalues[1:].min() == pytest.approx(3 * outcome.pvalues[1:].min())
    assert not outcome.differs(0.99)[0, 1]


@in_one_test("name", POST_HOCS)
def test_splits_missing_scores_and_unknown_controls_are_refused(name):
    function, asked = POST_HOCS[name], name.partition(",")[0]
    with pytest.raises(ValueError, match=f"{asked} needs independent units"):
        function(table(unit="split"))
    with pytest.raises(ValueError, match=f"{asked} needs every score"):
        function(table([[1, 2, math.nan], [1, 2, 3]]))
    with pytest.raises(ValueError, match="control='nobody' is not one of the systems"):
        function(table(), control="nobody")
