"""One score per seed: nothing pairs the seeds of two systems, unless it is said."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from skstat import compare_scores, recommend_test, report_from_dict, stats
from skstat.stats import PairedScores, SeedScores, SeedScoreTable
from tests.cases import codes, in_one_test
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


def test_paired_seeds_are_said():
    found = compare_scores({"a": A[:4], "b": B}, unit="seed", paired_seeds=True)
    assert found.pvalue == stats.paired_t(PairedScores(A[:4], B, unit="seed")).pvalue
    assert found.choice.situation == "seed-scores-paired"
    # A sample of pairs says so by its type.
    assert compare_scores(PairedScores(A[:4], B, unit="seed")).pvalue == found.pvalue
    table = stats.ScoreTable({"a": A[:4], "b": B, "c": C[:4]}, unit="seed")
    assert compare_scores(table, random_state=0).pairs[0].pvalue == found.pvalue


def test_several_systems_are_compared_in_pairs_each_by_its_seeds():
    found = compare_scores(SEEDS, unit="seed")
    check_report(found)
    assert found.evidence.names == ("a", "b", "c") and found.n_units == 4
    raw = [ttest_ind(SEEDS[a], SEEDS[b], equal_var=False).pvalue for a, b, *_ in found.pairs]
    assert found.pairs.column("pvalue") == pytest.approx(raw)
    assert found.pairs.column("adjusted") == pytest.approx(stats.adjust_pvalues(raw, "holm"))
    assert {*found.may_be_best} == {"a", "b"} and found.systems["c"].letters == "b"
    assert "adjusted by Holm's method because" in " ".join(found.details.split())
    assert found.choice.situation == "several-systems-seed-scores"
    assert report_from_dict(found.to_dict()).to_dict() == found.to_dict()
    against = compare_scores(SEEDS, unit="seed", control="b", systems=("c", "b", "a"))
    assert [pair[:2] for pair in against.pairs] == [("c", "b"), ("a", "b")]


def test_the_samples_are_asked_as_they_are():
    pair, table = SeedScores(A, B), SeedScoreTable(SEEDS)
    bare = compare_scores({"A": A, "B": B}, unit="seed")
    assert compare_scores(pair).to_dict() == bare.to_dict()
    assert compare_scores(table, systems=("a", "b")).pvalue == bare.pvalue
    assert recommend_test(pair).name == recommend_test("scores", unit="seed").name
    assert recommend_test(table).situation == "several-systems-seed-scores"
    frame = np.column_stack([A, A[::-1]])
    assert compare_scores(frame, unit="seed").evidence.sample.n_seeds == (6, 6)


@in_one_test(
    "scores, options, message",
    [
        (SEEDS, {"test": "paired_t"}, "'paired_t' compares pairs.*paired_seeds=True"),
        (SEEDS, {"test": stats.wilcoxon}, "'wilcoxon' compares pairs"),
        (SEEDS, {"adjustment": "max-t"}, "unpaired.*adjustment='holm'"),
        ({"a": A, "b": [0.1]}, {}, "needs two or more seeds of both systems, got 6 and 1"),
        ({"a": A}, {}, "a comparison needs two"),
        ({"a": A, "b": [0.1, np.nan]}, {}, r"b\[1\] is nan"),
        (SEEDS, {"paired_seeds": "yes"}, "paired_seeds='yes' must be True or False"),
        (SEEDS, {"unit": "instance", "paired_seeds": True}, "say unit='seed'"),
        (SeedScores(A, B), {"unit": "seed"}, "knows its units"),
    ],
)
def test_what_makes_no_sense_is_named(scores, options, message):
    unit = {} if isinstance(scores, SeedScores) else {"unit": "seed"}
    with pytest.raises(ValueError, match=message):
        compare_scores(scores, **unit | options)


def test_without_variance():
    same = compare_scores({"a": [0.5, 0.5, 0.5], "b": [0.5, 0.5]}, unit="seed")
    assert same.pvalue == 1 and "No difference was found" in same.conclusion
    apart = compare_scores({"a": [0.6, 0.6, 0.6], "b": [0.5, 0.5]}, unit="seed")
    assert np.isnan(apart.pvalue) and "No test is possible" in apart.conclusion
    assert "SKS202" in codes(apart)
