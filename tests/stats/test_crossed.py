"""Seeds crossed with instances: mean squares by hand, brute force and simulation."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import Predictions, SeedScores, crossed_t, paired_t, seeded_bootstrap
from tests.cases import refusals

seed_average_t = partial(crossed_t, random="instances")
seed_means_t = partial(crossed_t, random="seeds")

several = settings(max_examples=settings.default.max_examples)
both_designs = pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])


def effects(rng, seeds, n, sd_seed, sd_instance, sd_residual):
    """Scores of one system under the two-way random model."""
    return (
        sd_seed * rng.normal(size=(seeds, 1))
        + sd_instance * rng.normal(size=n)
        + sd_residual * rng.normal(size=(seeds, n))
    )


def some(paired=False, seeds=(4, 4), n=12, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    a, b = (effects(rng, s, n, 0.5, 1, 0.5) for s in seeds)
    return SeedScores({"a": a + shift, "b": b}, paired_seeds=paired)


@st.composite
def asked(draw):
    """Scores with three decimals, which tie and carry float noise, for either design."""
    paired = draw(st.booleans())
    seeds = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    n = draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    most = draw(st.sampled_from([1, 1000]))
    a = rng.integers(0, most, (seeds[0], n), endpoint=True) / 1000
    b = rng.integers(0, most, (seeds[0 if paired else 1], n), endpoint=True) / 1000
    return a, b, paired


def mean_squares(table):
    """Two-way mean squares of a table, entry by entry."""
    s, n = table.shape
    grand = sum(table[i, j] for i in range(s) for j in range(n)) / (s * n)
    rows = [sum(table[i]) / n for i in range(s)]
    columns = [sum(table[:, j]) / s for j in range(n)]
    seed = n * sum((row - grand) ** 2 for row in rows) / (s - 1)
    instance = s * sum((column - grand) ** 2 for column in columns) / (n - 1)
    residual = sum(
        (table[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(s) for j in range(n)
    )
    return seed, instance, residual / ((s - 1) * (n - 1))


def test_paired_by_hand():
    # d = (1, 2, 3), (3, 4, 8): seed means 2 and 5, instance means 2, 3, 5.5. MS_seed =
    # 3 * 4.5 = 13.5, MS_instance = 2 * 6.5 / 2 = 6.5, MS_residual = 3 / 2: variance
    # (13.5 + 6.5 - 1.5) / 6, df 18.5^2 / (13.5^2/1 + 6.5^2/2 + 1.5^2/2).
    sample = SeedScores({"a": [[1, 2, 3], [3, 4, 8]], "b": np.zeros((2, 3))}, paired_seeds=True)
    outcome = crossed_t(sample)
    assert outcome.estimate == 3.5
    assert outcome.standard_error == pytest.approx(math.sqrt(18.5 / 6))
    assert outcome.df == pytest.approx(18.5**2 / (13.5**2 + 6.5**2 / 2 + 1.5**2 / 2))
    assert outcome.pvalue == pytest.approx(
        2 * stats.t.sf(3.5 / math.sqrt(18.5 / 6), 18.5**2 / 204.5)
    )
    # Seeds (13.5 - 1.5) / 6, instances (6.5 - 1.5) / 6, residual 1.5 / 6.
    assert outcome.law.variance_parts == pytest.approx(
        {"seeds": 2, "instances": 5 / 6, "residual": 1 / 4}
    )
    # Against seeds that change nothing, pairing them or not is the same.
    unpaired = crossed_t(SeedScores({"a": sample.a, "b": sample.b}))
    assert unpaired.standard_error == pytest.approx(outcome.standard_error)
    assert unpaired.df == pytest.approx(outcome.df)


@several
@given(case=asked())
def test_variance_by_brute_force(case):
    a, b, paired = case
    n = a.shape[1]
    tables = [a - b] if paired else [a, b]
    seeds, terms, residual = 0.0, [], 0.0
    for table in tables:
        ms_seed, _, ms_residual = mean_squares(table)
        ms_seed = max(ms_seed, ms_residual)
        size, df = table.size, len(table) - 1
        seeds += (ms_seed - ms_residual) / size
        residual += ms_residual / size
        terms += [(ms_seed / size, df), (ms_residual / size, df * (n - 1))]
    d = a.mean(axis=0) - b.mean(axis=0)
    instance = max(np.var(d, ddof=1) / n, residual)
    terms.append((instance, n - 1))
    outcome = crossed_t(SeedScores({"a": a, "b": b}, paired_seeds=paired))
    assert outcome.estimate == pytest.approx(a.mean() - b.mean(), abs=1e-12)
    variance = instance + seeds
    assert outcome.standard_error**2 == pytest.approx(variance, rel=1e-9, abs=1e-18)
    if variance > 1e-12:
        df = variance**2 / sum(term**2 / freedom for term, freedom in terms)
        assert outcome.df == pytest.approx(df)


def drawn(sample, alternative="two-sided"):
    return seeded_bootstrap(sample, n_resamples=199, rng=0, alternative=alternative)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_averages_over_seeds_are_tested_by_the_paired_t_test(alternative):
    sample = some()
    outcome = seed_average_t(sample, alternative=alternative)
    expected = stats.ttest_rel(
        sample.a.mean(axis=0), sample.b.mean(axis=0), alternative=alternative
    )
    assert outcome.statistic == pytest.approx(expected.statistic)
    assert outcome.pvalue == pytest.approx(expected.pvalue)
    assert outcome.df == expected.df


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_means_of_seeds_are_tested_by_welchs_or_the_paired_t_test(alternative):
    for sample in (some(seeds=(5, 3)), some(paired=True)):
        a, b = sample.a.mean(axis=1), sample.b.mean(axis=1)
        outcome = seed_means_t(sample, alternative=alternative)
        if sample.paired_seeds:
            expected = stats.ttest_rel(a, b, alternative=alternative)
            per = paired_t(sample.per_seed(), alternative=alternative)
            assert outcome.pvalue == pytest.approx(per.pvalue)
        else:
            expected = stats.ttest_ind(a, b, equal_var=False, alternative=alternative)
        assert outcome.statistic == pytest.approx(expected.statistic)
        assert outcome.pvalue == pytest.approx(expected.pvalue)
        assert outcome.df == pytest.approx(expected.df)
        low, high = expected.confidence_interval(0.9)
        assert outcome.confidence_interval(0.9) == pytest.approx((low, high))


def test_a_system_with_one_seed_adds_no_seed_variance():
    sample = some(seeds=(4, 1))
    table, n = sample.a, sample.n_units
    ms_seed, _, ms_residual = mean_squares(table)
    d = table.mean(axis=0) - sample.b[0]
    variance = np.var(d, ddof=1) / n + max(ms_seed - ms_residual, 0) / table.size
    assert crossed_t(sample).standard_error ** 2 == pytest.approx(variance)
    with pytest.raises(ValueError, match="two or more seeds of both systems, got 4 and 1"):
        seed_means_t(sample)


@pytest.mark.parametrize("procedure", [crossed_t, seed_means_t, drawn])
@both_designs
def test_one_seed_each_is_refused(procedure, paired):
    sample = some(paired, seeds=(1, 1))
    with pytest.raises(ValueError, match="two or more seeds.*got 1 and 1.*instances"):
        procedure(sample)
    assert seed_average_t(sample).pvalue == pytest.approx(
        stats.ttest_rel(sample.a[0], sample.b[0]).pvalue
    )


@both_designs
def test_bootstrap_has_the_variance_of_the_pigeonhole(paired):
    # Drawing rows and columns independently: the variance of the replicates, given the
    # table, follows by arithmetic from its row, column and residual sums of squares. What
    # differs between seeds is enlarged by S / (S - 1).
    sample = some(paired, seeds=(6, 6), n=30)
    expected, columns = 0.0, 0.0
    tables = [sample.a - sample.b] if paired else [sample.a, -sample.b]
    for table in tables:
        s, n = table.shape
        rows = table.mean(axis=1)
        rest = table - rows[:, None] - table.mean(axis=0) + table.mean()
        expected += (np.var(rows) / s + np.sum(rest**2) / (s * n) ** 2) * s / (s - 1)
        columns = columns + table.mean(axis=0)
    expected += np.var(columns) / n
    outcome = seeded_bootstrap(sample, n_resamples=20_000, rng=1)
    assert outcome.standard_error**2 == pytest.approx(expected, rel=0.04)
    assert np.mean(outcome.law.replicates) == pytest.approx(
        outcome.estimate, abs=4 * math.sqrt(expected / 20_000)
    )


def sample_of(a, b, paired=False):
    return SeedScores({"a": a, "b": b}, paired_seeds=paired)


test_bad_scores_are_refused = refusals([
    (([1, 2], [[1, 2]]), r"a has scores of shape \(2,\) and b of \(1, 2\)"),
    (([[1, 2]], [[1, 2, 3]]), "needs the same instances"),
    (([[[1]]], [[1, 2]]), r"a must be of one or two dimensions.*got shape \(1, 1, 1\)"),
    (([1, 2], [1, 2], True), "paired seeds are units"),
    (([[1], [2]], [[1], [2]]), "a single instance says nothing"),
    (([[1, 2], [3, 4]], [[1, 2]], True), "a has 2 seeds, b has 1: say"),
], sample_of)  # fmt: skip


def test_the_sample():
    sample = some(seeds=(4, 3))
    assert (sample.unit, sample.n_units, sample.n_seeds) == ("instance", 12, (4, 3))
    assert not sample.identical
    assert sample.summaries()[1]["mean"] == pytest.approx(sample.b.mean())
    with pytest.raises(ValueError, match="the seeds are not paired"):
        sample.per_seed()
    with pytest.raises(ValueError, match="read-only"):
        sample.a[0, 0] = 1


def test_a_difference_without_any_variance_has_no_p():
    sample = SeedScores({"a": np.ones((3, 30)), "b": np.zeros((3, 30))}, paired_seeds=True)
    outcome = seeded_bootstrap(sample, n_resamples=99, rng=0)
    assert outcome.estimate == 1
    assert np.isnan([outcome.pvalue, *outcome.confidence_interval()]).all()


def test_paired_seeds_of_predictions_are_paired():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    outputs = {f"run {n}": np.where(rng.random(60) < 0.8, y, 1 - y) for n in range(6)}
    runs = Predictions(y, outputs, lambda y_true, y_pred: np.mean(y_true == y_pred))
    sample = SeedScores.of_runs(runs, {"a": 3, "b": 3}, paired_seeds=True)
    expected = stats.ttest_rel(sample.a, sample.b).pvalue
    assert seed_means_t(sample).pvalue == pytest.approx(expected)
    assert sample.per_seed().a.tolist() == sample.a.tolist()


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_bootstrap_counts_shifted_replicates(alternative):
    outcome = seeded_bootstrap(some(shift=0.4), n_resamples=999, rng=0, alternative=alternative)
    d, shifts = outcome.estimate, outcome.law.replicates - outcome.estimate
    extreme = {
        "two-sided": np.abs(shifts) >= abs(d),
        "greater": shifts >= d,
        "less": shifts <= d,
    }[alternative]
    assert outcome.pvalue == (1 + extreme.sum()) / 1000
    assert 0 < outcome.pvalue < 1
    assert outcome.monte_carlo_error == pytest.approx(
        math.sqrt(outcome.pvalue * (1 - outcome.pvalue) / 999)
    )
    # 999 replicates: the 50th and 950th in order bound 90 %, one-sided the 100th.
    low, high = outcome.confidence_interval(0.9)
    k = 50 if alternative == "two-sided" else 100
    lowest, highest = np.sort(outcome.law.replicates)[[k - 1, 999 - k]]
    assert low == pytest.approx(-math.inf if alternative == "less" else lowest)
    assert high == pytest.approx(math.inf if alternative == "greater" else highest)
