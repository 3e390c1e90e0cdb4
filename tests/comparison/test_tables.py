"""Tables of scores through the front door: worked numbers, names of tests, and gaps."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from skstat import compare_scores, stats
from skstat.stats import ScoreTable
from tests.cases import in_one_test, refusals
from tests.contract import check_report

# Ranks of three systems on four data sets, as scores.
WORKED = {"A": [9, 9, 9, 9], "B": [8, 7, 8, 8], "C": [7, 7, 7, 7]}


def random_table(n, k, *, gap=0.02, seed=0, **options):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.6, 0.9, (n, 1)) - gap * np.arange(k) + rng.normal(0, 0.02, (n, k))
    return ScoreTable(scores, unit="dataset", **options)


def apart(report):
    return {frozenset(pair[:2]) for pair in report.pairs if pair.verdict != "undecided"}


@pytest.fixture
def worked():
    return ScoreTable(WORKED, unit="dataset")


def test_worked_numbers(worked):
    assert worked.ranks.tolist() == [[1, 2, 3], [1, 2.5, 2.5], [1, 2, 3], [1, 2, 3]]
    report = compare_scores(worked, test="nemenyi")
    assert report.systems.column("mean_rank") == [1.0, 2.125, 2.875]
    assert report.critical_difference == pytest.approx(1.657, abs=5e-4)
    assert apart(report) == {frozenset("AC")}
    assert report.groups == [("A", "B"), ("B", "C")]
    assert report.systems.column("letters") == ["a", "ab", "b"]


@pytest.mark.parametrize("post_hoc", ["wilcoxon", "sign", "nemenyi", "quade"])
@pytest.mark.parametrize("n", [7, 30, 49])
def test_float_noise_changes_nothing(n, post_hoc):
    right = np.random.default_rng(n).binomial(n, [0.7, 0.75, 0.8, 0.9], size=(12, 4))
    given = compare_scores(right, unit="dataset", test=post_hoc)
    for scores in (right / n, 1 - (n - right) / n, right / n + 0.1 - 0.1):
        report = compare_scores(scores, unit="dataset", test=post_hoc)
        ranks = (one.evidence.sample.ranks.tolist() for one in (report, given))
        assert next(ranks) == next(ranks) and report.pvalue == given.pvalue
        assert report.pairs.column("adjusted") == given.pairs.column("adjusted")
        assert report.verdicts == given.verdicts


def test_functions_take_the_place_of_names():
    table = random_table(12, 3)
    assert compare_scores(table, test=partial(stats.friedman, statistic="chi2")).df == 2
    quade = partial(stats.friedman, ranking="quade")
    for test, of_pairs in ((quade, "Wilcoxon"), ("quade", "weighted mean rank")):
        report = compare_scores(table, test=test)
        assert "Quade" in report.omnibus["test"] and of_pairs in report.test
    pairs = partial(stats.pairwise, test=stats.paired_t, adjustment="hochberg")
    report = compare_scores(table, test=pairs)
    assert report.adjustment == "hochberg" and "Friedman" in report.omnibus["test"]
    check_report(report)
    with pytest.raises(TypeError, match="returned float, not PairwiseOutcome"):
        compare_scores(table, test=lambda table: 0.5)


class TestGaps:
    def test_a_pair_without_a_common_data_set(self):
        scores = random_table(12, 3).scores.copy()
        scores[:6, 2] = scores[6:, 1] = np.nan
        table = ScoreTable(scores, unit="dataset")
        with pytest.raises(ValueError, match="'system 2' and 'system 3' have scores on no"):
            compare_scores(table, test="skillings_mack")
        report = compare_scores(table, test="skillings_mack", control="system 1")
        assert report.pairs.column("n") == [6, 6]
        check_report(report)


@in_one_test(
    "options", [{"control": "system 1"}, {"alternative": "less"}, {"adjustment": "holm"}]
)
def test_a_function_decides_itself(options):
    table = random_table(12, 3)
    with pytest.raises(ValueError, match="a function of yours decides these itself"):
        compare_scores(table, test=partial(stats.pairwise, test=stats.wilcoxon), **options)
    report = compare_scores(
        table, test=partial(stats.pairwise, test=stats.wilcoxon, control="system 1")
    )
    assert report.control == "system 1"


def test_every_pair_keeps_the_direction_that_a_function_asked_it_in():
    def ask(table):
        found = stats.pairwise(table, stats.paired_t)
        first = stats.paired_t(table.pair(*found.pairs[0]), alternative="greater")
        return replace(found, outcomes=[first, *found.outcomes[1:]])

    report = compare_scores(random_table(8, 3, gap=-0.1), test=ask)  # the last is the best
    assert report.pairs.column("toward") == [1, -1, -1]


test_wrong_questions_are_refused_by_name = refusals(
    [
        ({"test": "friedmann"}, "unknown; .* of all systems such as 'friedman'"),
        ({"test": "holm"}, "adjusted is asked by adjustment=: bonferroni, sidak, holm"),
        ({"test": "wilcoxonn"}, "such as 'wilcoxon'.* Did you mean 'wilcoxon'"),
        ({"test": "pairwise"}, "test='pairwise' is unknown"),
        ({"test": "nemenyi", "adjustment": "holm"}, "an adjustment of its own; leave"),
        ({"adjustment": "max-t"}, "not available over data sets; use one of 'auto', "),
        ({"test": "corrected_t"}, "corrected_t corrects for overlapping splits"),
        ({"test": "nemenyi", "control": "system 1"}, "use 'bonferroni_dunn'"),
        ({"test": "bonferroni_dunn"}, "compares with a control; name it"),
        ({"test": "nemenyi", "alternative": "greater"}, "two-sided only"),
        ({"adjustment": "shaffer", "control": "system 1"}, "needs all pairs"),
    ],
    partial(compare_scores, random_table(6, 3)),
)
