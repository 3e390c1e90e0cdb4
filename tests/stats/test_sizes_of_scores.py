"""Fourth powers of scores are computed with: sizes that have none are refused, or are 0."""

import re

import numpy as np
import pytest

from skstat import compare_scores, stats
from skstat.stats import PairedScores

rng = np.random.default_rng(0)
A, B = rng.normal(size=(2, 24)) + np.array([[0.9], [0.2]])
FOLDS = np.array([rng.permutation(12) % 2 for _ in range(4)])
GROUPS = np.repeat(range(8), 3)
# Everything that scores are handed to, of scores in some unit.
TAKING = {
    "PairedScores": lambda x: PairedScores(A * x, B * x, unit="seed").summaries(),
    "Scores": lambda x: stats.one_sample_t(stats.Scores(A * x, unit="seed"), 0.0),
    "ScoreTable": lambda x: stats.friedman(
        stats.ScoreTable(np.stack([A, B, A * B], axis=1) * x, unit="instance")
    ),
    "ClusteredScores": lambda x: stats.clustered_t(
        stats.ClusteredScores(A * x, B * x, groups=GROUPS)
    ),
    "ClusteredScoreTable": lambda x: stats.ClusteredScoreTable(
        np.stack([A, B], axis=1) * x, groups=GROUPS
    ).summaries(),
    "SeedScores": lambda x: stats.seed_means_t(stats.SeedScores(A * x, B[:7] * x)),
    "CrossedScores": lambda x: stats.crossed_t(
        stats.CrossedScores(A.reshape(3, 8) * x, B.reshape(3, 8) * x)
    ),
    "PairedFoldScores": lambda x: stats.projection_t(
        stats.PairedFoldScores.from_row_scores(
            np.tile(A[:12], (4, 1)) * x, np.tile(B[:12], (4, 1)) * x, FOLDS
        )
    ),
    "holdout_estimate": lambda x: stats.holdout_estimate(A * x),
    "cross_validation_estimate": lambda x: stats.cross_validation_estimate(
        A * x, np.arange(24) % 4
    ),
    "block_jackknife_estimate": lambda x: stats.block_jackknife_estimate(
        A[:16].reshape(4, 4) * x
    ),
    "intraclass_correlation": lambda x: stats.intraclass_correlation(A * x, GROUPS),
    "compare_scores": lambda x: compare_scores(
        {"a": A * x, "b": B * x, "c": A * B * x}, unit="dataset", random_state=0
    ),
}
every_taking = pytest.mark.parametrize("take", TAKING.values(), ids=TAKING)


@every_taking
def test_scores_too_large_to_compute_with_are_refused_by_name(take):
    said = r"^(scores|values): \S+ is beyond 1e\+60; .* give the scores in another unit\.$"
    with pytest.raises(ValueError, match=said):
        take(1e150)
    take(1e50)


@every_taking
def test_scores_all_too_small_count_as_0_and_it_is_said(take):
    with pytest.warns(UserWarning, match=re.escape("1e-60 in size, so that all count as 0")):
        take(1e-150)
    take(1e-50)


def test_small_scores_beside_larger_ones_stay_what_they_are():
    scores = np.array([1.0, 2e-150, 1e-150, -3e-300, 0.0])
    sample = PairedScores(scores, scores / 2, unit="instance")
    assert sample.a.tolist() == scores.tolist()


def test_missing_scores_stay_missing_and_no_zero_is_negative():
    scores = [[1e-150, -1e-150], [np.nan, 0.0]]
    with pytest.warns(UserWarning, match="count as 0"):
        table = stats.ScoreTable(scores, unit="dataset")
    assert table.missing.tolist() == [[False, False], [True, False]]
    assert not np.signbit(table.scores[~table.missing]).any() and not np.nansum(table.scores)


@pytest.mark.parametrize("x", [1e-50, 1e50])
def test_answers_near_the_borders_are_those_in_another_unit(x):
    here = compare_scores({"a": A, "b": B}, unit="seed", random_state=0)
    there = compare_scores({"a": A * x, "b": B * x}, unit="seed", random_state=0)
    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-12)
    assert there.estimate == pytest.approx(here.estimate * x, rel=1e-12)
    assert there.systems["a"].sd == pytest.approx(np.std(A, ddof=1) * x, rel=1e-12)
