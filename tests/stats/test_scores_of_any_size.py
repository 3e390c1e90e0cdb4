"""Squares of scores overflow or vanish long before the scores do; no answer may show it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat import compare_scores, stats
from skstat.stats import (
    ClusteredScores,
    CrossedScores,
    FoldScores,
    PairedScores,
    Scores,
    ScoreTable,
    SeedScores,
)

POWERS = st.sampled_from([-900, -520, -300, 300, 520, 900])
rng = np.random.default_rng(0)
A, B = rng.normal(size=(2, 24)) + np.array([[0.9], [0.2]])
FOLDS = np.array([rng.permutation(12) % 2 for _ in range(4)])
ROWS = stats.PairedFoldScores.from_row_scores(
    np.tile(A[:12], (4, 1)), np.tile(B[:12], (4, 1)), FOLDS
)


def of_folds(x):
    found = ROWS.times(0)
    rows = found.rows.of([0])
    values = rows.values * x
    return FoldScores(found.a * x, rows=type(rows)(values, rows.folds), n_repeats=4)


PROCEDURES = {
    "one_sample_t": lambda x: stats.one_sample_t(Scores(A * x, unit="seed"), 0.4 * x),
    "one_sample_projection_t": lambda x: stats.one_sample_projection_t(of_folds(x), 0.4 * x),
    "clustered_t": lambda x: stats.clustered_t(
        ClusteredScores(A * x, B * x, groups=np.repeat(range(8), 3))
    ),
    "crossed_t": lambda x: stats.crossed_t(
        CrossedScores(A.reshape(3, 8) * x, B.reshape(3, 8) * x)
    ),
    "crossed_t, paired": lambda x: stats.crossed_t(
        CrossedScores(A.reshape(3, 8) * x, B.reshape(3, 8) * x, paired_seeds=True)
    ),
    "crossed_bootstrap": lambda x: stats.crossed_bootstrap(
        CrossedScores(A.reshape(3, 8) * x, B.reshape(3, 8) * x), n_resamples=99, rng=0
    ),
    "seed_average_t": lambda x: stats.seed_average_t(
        CrossedScores(A.reshape(3, 8) * x, B.reshape(3, 8) * x)
    ),
    "seed_means_t": lambda x: stats.seed_means_t(
        CrossedScores(A.reshape(3, 8) * x, B.reshape(3, 8) * x)
    ),
    "seed_means_t, scores": lambda x: stats.seed_means_t(SeedScores(A * x, B[:7] * x)),
    "diebold_mariano": lambda x: stats.diebold_mariano(
        PairedScores(A * x, B * x, unit="instance", ordered=True)
    ),
}
ESTIMATES = {
    "corrected_t_estimate": lambda x: stats.corrected_t_estimate(
        Scores(A * x, n_train=60, n_test=30)
    ),
    "projection_estimate": lambda x: stats.projection_estimate(of_folds(x)),
    "holdout_estimate": lambda x: stats.holdout_estimate(A * x),
    "cross_validation_estimate": lambda x: stats.cross_validation_estimate(
        A * x, np.arange(24) % 4
    ),
}  # fmt: skip
OMNIBUS = {
    "repeated_measures_anova": stats.repeated_measures_anova,
    "largest_t": lambda table: stats.largest_t(table, rng=0),
    "friedman_aligned": stats.friedman_aligned,
    "quade": stats.quade,
}


@pytest.mark.parametrize("procedure", PROCEDURES.values(), ids=PROCEDURES)
@given(power=POWERS)
def test_procedures(procedure, power):
    here, there = procedure(1.0), procedure(2.0**power)
    assert 0 < here.pvalue < 0.9
    assert there.pvalue == here.pvalue and there.df == here.df
    assert there.estimate == np.ldexp(here.estimate, power)
    limits = np.ldexp(here.confidence_interval(), power)  # that of cost is searched for
    np.testing.assert_allclose(there.confidence_interval(), limits, rtol=1e-9)
    assert dict(there.effect_sizes) == dict(here.effect_sizes)


@pytest.mark.parametrize("method", ESTIMATES.values(), ids=ESTIMATES)
@given(power=POWERS)
def test_estimates(method, power):
    here, there = method(1.0), method(2.0**power)
    assert there.estimate == np.ldexp(here.estimate, power)
    limits = np.ldexp(here.confidence_interval(), power)
    np.testing.assert_array_equal(there.confidence_interval(), limits)


@pytest.mark.parametrize("test", OMNIBUS.values(), ids=OMNIBUS)
@given(power=POWERS)
def test_tests_of_all_systems(test, power):
    scores = np.stack([A, B, A * B], axis=1)
    here, there = (
        test(ScoreTable(scores * factor, unit="instance")) for factor in (1.0, 2.0**power)
    )
    assert (there.statistic, there.pvalue) == (here.statistic, here.pvalue)


@given(power=POWERS)
def test_a_margin_and_an_intraclass_correlation_scale_too(power):
    x = 2.0**power
    for units in ({"unit": "seed"}, {"n_repeats": 5}):
        test = stats.five_by_two_f if "n_repeats" in units else stats.paired_t
        here = stats.equivalence(test(PairedScores(A[:10], B[:10], **units)), 0.5)
        sample = PairedScores(A[:10] * x, B[:10] * x, **units)
        there = stats.equivalence(test(sample), 0.5 * x)
        assert there.pvalue == here.pvalue
    groups = np.repeat(range(8), 3)
    found = stats.intraclass_correlation(A * x, groups)
    assert found == stats.intraclass_correlation(A, groups)


@pytest.mark.parametrize("unit", ["seed", "instance", "dataset", "split"])
@given(power=POWERS)
def test_a_report_speaks_of_them(unit, power):
    units = {"n_train": 60, "n_test": 30} if unit == "split" else {"unit": unit}
    here = compare_scores({"a": A, "b": B}, **units, random_state=0)
    there = compare_scores({"a": A * 2.0**power, "b": B * 2.0**power}, **units, random_state=0)
    assert there.pvalue == here.pvalue and there.verdict == here.verdict
    summary = there.to_dict()["scores"][0]
    assert summary["mean"] == pytest.approx(np.ldexp(A.mean(), power))
    assert summary["sd"] == pytest.approx(np.ldexp(A.std(ddof=1), power))
    assert len(str(there)) < 4_000
