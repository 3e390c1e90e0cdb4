"""The projection t test: its definition by loops, its derivation, and several systems."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from skstat.evaluation import RepeatedHalves
from skstat.stats import (
    FoldScores,
    FoldScoreTable,
    Outcome,
    PairedFoldScores,
    PairedScores,
    RowContributions,
    compare_with_best,
    corrected_t,
    equivalence,
    model_confidence_set,
    one_sample_projection_t,
    projection_estimate,
    projection_t,
)
from skstat.stats._joint.law_of_means import law_of_means
from skstat.stats._samples.projection_variance import projection_variance

CORRELATION = 1 / 30


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def variance(values):
    values = list(values)
    centre = mean(values)
    return math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1)


def by_definition(T, C, folds, strata=None):
    """Sampling and instability parts of the squared standard error, by loops.

    T[r][k] is the difference on fold k of repetition r, C[r][i] what unit i contributed in
    repetition r, and folds[r][i] the fold that tested it there.
    """
    R, K, n = len(T), len(T[0]), len(C[0])
    p = 1 / K
    theta = [mean(row) for row in T]
    v_e = K * variance(theta)
    v_d = sum((T[r][k] - theta[r]) ** 2 for r in range(R) for k in range(K)) / (R * (K - 1))
    v_1 = max(v_d - v_e, 0) * (K - 1) / K
    alpha = [mean(C[r][i] for r in range(R)) for i in range(n)]
    noise = mean(variance(C[r][i] for r in range(R)) / R for i in range(n))
    between = 0.0
    if strata is not None:
        for stratum in set(strata):
            inside = [alpha[i] for i in range(n) if strata[i] == stratum]
            between += len(inside) * (mean(inside) - mean(alpha)) ** 2 / (n - 1)
    v_alpha = max(variance(alpha) - noise - between, 0)
    c = 0.0
    for r in range(R):
        others = [
            mean(
                mean(C[q][i] for q in range(R) if q != r) for i in range(n) if folds[r][i] == k
            )
            for k in range(K)
        ]
        for k in range(K):
            c += (T[r][k] - theta[r]) * (others[k] - mean(others)) / (R * (K - 1))
    c *= (K - 1) / K
    F = v_alpha / (n * p**2) - 2 * c / p + (1 - p) / p * v_1
    return between / n + max(F, v_alpha / n), v_e * (CORRELATION + 1 / (R * K))


def fold_means(values, folds, K, weight=None):
    """Weighted mean of the values in every fold, by loops."""
    R, n = len(values), len(values[0])
    weight = [1.0] * n if weight is None else weight
    return [
        [
            sum(weight[i] * values[r][i] for i in range(n) if folds[r][i] == k)
            / sum(weight[i] for i in range(n) if folds[r][i] == k)
            for k in range(K)
        ]
        for r in range(R)
    ]


def partitions(rng, R, n, K):
    """Folds of nearly equal size, shuffled anew in every repetition."""
    return np.array([rng.permutation(n) % K for _ in range(R)])


def row_scores(rng, folds, n_systems=2, train=0.3):
    """Scores of rows that depend on the row, on what trained it, and on luck."""
    R, n = folds.shape
    alpha, beta = rng.normal(size=(2, n, n_systems))
    found = alpha + rng.normal(0, 0.3, (R, n, n_systems))
    for r in range(R):
        for k in range(folds.max() + 1):
            inside = folds[r] == k
            found[r, inside] += train * math.sqrt(n) * beta[~inside].mean(axis=0)
    return found


def a_and_b(scores):
    return scores[:, :, 0], scores[:, :, 1]


@pytest.fixture
def sample():
    rng = np.random.default_rng(3)
    folds = partitions(rng, 6, 20, 2)
    return PairedFoldScores.from_row_scores(*a_and_b(row_scores(rng, folds)), folds)


# The definition


@pytest.mark.parametrize("K", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_definition(K, seed):
    rng = np.random.default_rng(seed)
    n, R = 17 + seed, 3 + seed
    folds = partitions(rng, R, n, K)
    scores = row_scores(rng, folds, train=seed / 4)
    sample = PairedFoldScores.from_row_scores(*a_and_b(scores), folds)
    outcome = projection_t(sample)
    C = (scores[:, :, 0] - scores[:, :, 1]).tolist()
    T = fold_means(C, folds, K)
    sampling, instability = by_definition(T, C, folds)
    assert outcome.sampling_error**2 == pytest.approx(sampling)
    assert outcome.instability_error**2 == pytest.approx(instability)
    assert outcome.standard_error**2 == pytest.approx(sampling + instability)
    estimate = mean(mean(row) for row in T)
    assert outcome.estimate == pytest.approx(estimate)
    assert outcome.df == R
    t = estimate / math.sqrt(sampling + instability)
    assert outcome.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), R))
    less = projection_t(sample, alternative="less")
    assert less.pvalue == pytest.approx(scipy_stats.t.cdf(t, R))
    greater = projection_t(sample, alternative="greater")
    assert greater.pvalue == pytest.approx(scipy_stats.t.sf(t, R))


def test_both_sides_of_the_largest_of_two_variances_are_reached():
    """Whether the formula exceeds that of test rows alone depends on the training rows."""
    larger = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        folds = partitions(rng, 5, 24, 2)
        scores = row_scores(rng, folds, train=rng.choice([-0.4, 0.4]))
        sample = PairedFoldScores.from_row_scores(*a_and_b(scores), folds)
        C = scores[:, :, 0] - scores[:, :, 1]
        sampling, _ = by_definition(fold_means(C, folds, 2), C, folds)
        assert projection_t(sample).sampling_error ** 2 == pytest.approx(sampling)
        alpha = C.mean(axis=0)
        noise = C.var(axis=0, ddof=1).mean() / 5
        larger.append(sampling > 1.0001 * (alpha.var(ddof=1) - noise) / 24)
    assert any(larger)
    assert not all(larger)


@pytest.mark.parametrize("K", [2, 3])
def test_groups_are_units_whose_rows_add_up(K):
    rng = np.random.default_rng(K)
    groups = np.repeat(np.arange(11), rng.integers(1, 5, 11))
    R, n = 5, len(groups)
    by_group = partitions(rng, R, 11, K)
    folds = by_group[:, groups]
    scores = row_scores(rng, folds)
    names = np.array(list("kjihgfedcba"))[groups]  # in another order than they come
    sample = PairedFoldScores.from_row_scores(*a_and_b(scores), folds, groups=names)
    D = scores[:, :, 0] - scores[:, :, 1]
    T = fold_means(D, folds, K)
    C = np.empty((R, 11))
    for r, g in itertools.product(range(R), range(11)):
        k = by_group[r, g]
        n_rows, n_groups = np.sum(folds[r] == k), np.sum(by_group[r] == k)
        apart = sum(D[r, i] - T[r][k] for i in range(n) if groups[i] == g)
        C[r, g] = T[r][k] + n_groups / n_rows * apart
    sampling, instability = by_definition(T, C.tolist(), by_group)
    outcome = projection_t(sample)
    assert outcome.sampling_error**2 == pytest.approx(sampling)
    assert outcome.instability_error**2 == pytest.approx(instability)
    assert sample.rows.n_units == 11
    assert sample.n_test.tolist() == [np.sum(row == k) for row in by_group for k in range(K)]
    assert "groups" in outcome.estimand
    assert any("groups are independent" in said for said in outcome.assumptions)


def test_a_group_of_one_row_each_is_the_row():
    rng = np.random.default_rng(0)
    folds = partitions(rng, 4, 12, 3)
    scores = a_and_b(row_scores(rng, folds))
    rows = projection_t(PairedFoldScores.from_row_scores(*scores, folds))
    groups = projection_t(
        PairedFoldScores.from_row_scores(*scores, folds, groups=rng.permutation(12))
    )
    assert groups.standard_error == pytest.approx(rows.standard_error)


@pytest.mark.parametrize("K", [2, 3])
def test_weights_of_rows(K):
    rng = np.random.default_rng(K)
    R, n = 5, 16
    folds, weight = partitions(rng, R, n, K), rng.uniform(0.2, 3, n)
    scores = row_scores(rng, folds)
    sample = PairedFoldScores.from_row_scores(*a_and_b(scores), folds, sample_weight=weight)
    D = scores[:, :, 0] - scores[:, :, 1]
    T = fold_means(D, folds, K, weight)
    C = np.empty((R, n))
    for r, i in itertools.product(range(R), range(n)):
        k = folds[r, i]
        heavy = mean(weight[j] for j in range(n) if folds[r, j] == k)
        C[r, i] = T[r][k] + weight[i] / heavy * (D[r, i] - T[r][k])
    sampling, instability = by_definition(T, C.tolist(), folds)
    outcome = projection_t(sample)
    assert outcome.estimate == pytest.approx(mean(mean(row) for row in T))
    assert outcome.sampling_error**2 == pytest.approx(sampling)
    assert outcome.instability_error**2 == pytest.approx(instability)


def test_equal_weights_are_no_weights(sample):
    a, b = a_and_b(sample.rows.values)
    weighted = PairedFoldScores.from_row_scores(
        a, b, sample.rows.folds, sample_weight=np.full(20, 3.0)
    )
    assert projection_t(weighted).standard_error == pytest.approx(
        projection_t(sample).standard_error
    )


@pytest.mark.parametrize("K", [2, 3])
def test_strata_that_every_fold_shares(K):
    rng = np.random.default_rng(K)
    R, n = 6, 18
    strata = np.array(list("aab") * 6)
    folds = np.empty((R, n), dtype=int)
    for r, stratum in itertools.product(range(R), "ab"):
        inside = np.flatnonzero(strata == stratum)
        folds[r, inside] = rng.permutation(len(inside)) % K
    D = row_scores(rng, folds, 1)[:, :, 0] + 2.0 * (strata == "b")
    T = fold_means(D, folds, K)
    values = np.stack([D, np.zeros_like(D)], axis=-1)
    rows = RowContributions(values, folds, strata)
    scores = np.ravel(T)
    outcome = projection_t(
        PairedFoldScores(scores, np.zeros_like(scores), rows=rows, n_repeats=R)
    )
    sampling, instability = by_definition(T, D.tolist(), folds, strata.tolist())
    assert outcome.sampling_error**2 == pytest.approx(sampling)
    assert outcome.instability_error**2 == pytest.approx(instability)
    # Without knowing the classes, the difference between them is taken for one that the
    # splits do not show, as if training rows made up for it.
    unknown, _ = by_definition(T, D.tolist(), folds)
    assert unknown > 1.2 * sampling


def test_the_score_need_not_be_the_mean_over_rows():
    """Any metric: the scores of folds are given beside what the rows contributed."""
    rng = np.random.default_rng(1)
    folds = partitions(rng, 4, 14, 2)
    values = row_scores(rng, folds)
    rows = RowContributions(values, folds)
    scores = rows.fold_means(values).reshape(-1, 2)
    sample = PairedFoldScores(scores[:, 0], scores[:, 1], rows=rows, n_repeats=4)
    again = PairedFoldScores.from_row_scores(*a_and_b(values), folds)
    assert projection_t(sample).to_dict().items() >= {
        ("standard_error", projection_t(again).standard_error)
    }
    assert "training sets of the size used here" in projection_t(sample).estimand
    assert "training sets of 7 rows" in projection_t(again).estimand


# Margins and intervals


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_ends_where_the_test_would_not_reject(sample, level):
    a, b = a_and_b(sample.rows.values)
    outcome = projection_t(sample)
    for limit in outcome.confidence_interval(level):
        shifted = PairedFoldScores.from_row_scores(a - limit, b, sample.rows.folds)
        assert projection_t(shifted).pvalue == pytest.approx(1 - level)
    for side, index in (("greater", 0), ("less", 1)):
        interval = projection_t(sample, alternative=side).confidence_interval(level)
        shifted = PairedFoldScores.from_row_scores(a - interval[index], b, sample.rows.folds)
        assert projection_t(shifted, alternative=side).pvalue == pytest.approx(1 - level)
        assert math.isinf(interval[1 - index])


def test_a_margin_is_judged_by_the_same_standard_error(sample):
    outcome = projection_t(sample)
    margin = abs(outcome.estimate) + 1.5 * outcome.standard_error
    low = (outcome.estimate + margin) / outcome.standard_error
    high = (outcome.estimate - margin) / outcome.standard_error
    expected = max(scipy_stats.t.sf(low, 6), scipy_stats.t.cdf(high, 6))
    assert 0.01 < expected < 0.2
    assert equivalence(outcome, margin).pvalue == pytest.approx(expected)


def test_an_outcome_comes_back_from_its_dictionary(sample):
    outcome = projection_t(sample, alternative="less")
    again = Outcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert type(again) is type(outcome)
    assert again.to_dict() == outcome.to_dict()
    assert again.confidence_interval(0.9) == outcome.confidence_interval(0.9)
    squares = again.sampling_error**2 + again.instability_error**2
    assert squares == pytest.approx(again.standard_error**2)


# Degenerate samples


def test_the_same_system_twice(sample):
    a, _ = a_and_b(sample.rows.values)
    for noise in (0.0, 1e-15):
        outcome = projection_t(
            PairedFoldScores.from_row_scores(a, a + noise, sample.rows.folds)
        )
        assert (outcome.estimate, outcome.statistic, outcome.pvalue) == (0, 0, 1)
        assert outcome.confidence_interval() == (0, 0)


def test_a_constant_difference_has_no_variance_to_be_judged_by(sample):
    a, _ = a_and_b(sample.rows.values)
    outcome = projection_t(PairedFoldScores.from_row_scores(a, a - 0.1, sample.rows.folds))
    assert (outcome.standard_error, outcome.sampling_error) == (0, 0)
    assert outcome.estimate == pytest.approx(0.1)
    assert math.isnan(outcome.pvalue)
    assert outcome.statistic == math.inf
    assert all(map(math.isnan, outcome.confidence_interval()))


# Invariances


@st.composite
def asked(draw):
    """Row scores of two systems in thousandths, their folds, and more to permute by."""
    K = draw(st.integers(2, 4))
    n, R = draw(st.integers(2 * K, 10)), draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    levels = draw(st.sampled_from([1, 10, 1000]))
    folds = partitions(rng, R, n, K)
    return rng.integers(0, levels, (2, R, n), endpoint=True) / levels, folds, rng


def ask(a, b, folds, **options):
    return projection_t(PairedFoldScores.from_row_scores(a, b, folds), **options)


def same_test(one, other, scale=1.0):
    assert other.estimate == pytest.approx(scale * one.estimate, rel=1e-9, abs=1e-12 * scale)
    for error in ("standard_error", "sampling_error", "instability_error"):
        assert getattr(other, error) == pytest.approx(
            scale * getattr(one, error), rel=1e-6, abs=1e-8 * scale
        )


@given(asked())
def test_swapping_mirrors(drawn):
    (a, b), folds, _ = drawn
    one, other = ask(a, b, folds), ask(b, a, folds)
    assert other.estimate == -one.estimate
    assert other.pvalue == one.pvalue or math.isnan(one.pvalue)
    low, high = one.confidence_interval()
    np.testing.assert_array_equal(other.confidence_interval(), (-high, -low))


@given(asked(), st.sampled_from([1e-6, 0.1, 7.0, 1e9]), st.sampled_from([-1.0, 0.0, 1 / 3]))
def test_unit_and_origin_of_the_score_do_not_matter(drawn, factor, shift):
    (a, b), folds, _ = drawn
    other = ask(factor * (a + shift), factor * (b + shift), folds)
    same_test(ask(a, b, folds), other, scale=factor)


@given(asked())
def test_the_order_of_rows_repetitions_and_folds_does_not_matter(drawn):
    (a, b), folds, rng = drawn
    one = ask(a, b, folds)
    rows, repeats = rng.permutation(a.shape[1]), rng.permutation(len(a))
    same_test(one, ask(a[:, rows], b[:, rows], folds[:, rows]))
    same_test(one, ask(a[repeats], b[repeats], folds[repeats]))
    relabelled = np.array([rng.permutation(folds.max() + 1)[row] for row in folds])
    same_test(one, ask(a, b, relabelled))


@given(asked())
def test_the_parts_of_the_variance_are_never_negative(drawn):
    (a, b), folds, _ = drawn
    outcome = ask(a, b, folds)
    assert outcome.sampling_error >= 0
    assert outcome.instability_error >= 0
    assert outcome.standard_error == pytest.approx(
        math.hypot(outcome.sampling_error, outcome.instability_error)
    )


# The derivation: T = theta + mean of alpha over test rows + mean of beta over training rows


def exact_scores(alpha, beta, folds):
    """Contributions of rows under the first-order model, without any instability."""
    R, n = folds.shape
    values = np.empty((R, n))
    for r in range(R):
        for k in range(folds[r].max() + 1):
            inside = folds[r] == k
            values[r, inside] = alpha[inside] + beta[~inside].mean()
    return values


def variance_parts(values, folds):
    rows = RowContributions(values[:, :, None], folds)
    found = projection_variance(rows.fold_means(rows.values).reshape(-1, 1), rows)
    return found.sampling.item(), found.instability.item()


def all_partitions(n, K):
    """Every way to cut n rows into K folds of the same size."""
    found = set()
    for labels in itertools.permutations(np.repeat(np.arange(K), n // K)):
        number = {}
        found.add(tuple(number.setdefault(label, len(number)) for label in labels))
    return np.array(sorted(found))


@pytest.mark.parametrize("n, K, count", [(6, 2, 10), (8, 2, 35), (6, 3, 15)])
def test_over_all_partitions_test_rows_alone_have_their_variance_exactly(n, K, count):
    """With beta = 0, F is the variance of a mean, s^2 / n, whatever K is."""
    folds = all_partitions(n, K)
    assert len(folds) == count
    alpha = np.random.default_rng(n * K).normal(size=n)
    sampling, instability = variance_parts(exact_scores(alpha, np.zeros(n), folds), folds)
    assert sampling == pytest.approx(alpha.var(ddof=1) / n)
    assert instability == pytest.approx(0, abs=1e-15)


def test_rows_that_train_as_they_test_double_the_standard_error():
    """With alpha = beta the halves of one data set all score the same, which hides half."""
    n = 40
    alpha = np.random.default_rng(0).normal(size=n)
    folds = balanced_halves(n, seed=0)
    values = exact_scores(alpha, alpha, folds)
    T = RowContributions(values[:, :, None], folds).fold_means(values[:, :, None])
    assert np.ptp(T) < 1e-12
    a = projection_t(PairedFoldScores.from_row_scores(values, np.zeros_like(values), folds))
    naive = alpha.std(ddof=1) / math.sqrt(n)
    # A row never trains where it is tested: 1/(n - 1) of it is missing from the training.
    assert a.standard_error == pytest.approx(2 * naive * (1 - 1 / (n - 1)), rel=0.01)
    assert a.instability_error < 1e-12


def balanced_halves(n, seed, n_repeats=15):
    folds = np.empty((n_repeats, n), dtype=int)
    cv = RepeatedHalves(n_repeats, balanced=True, random_state=seed)
    for split, (_, test) in enumerate(cv.split(np.zeros((n, 1)))):
        folds[split // 2, test] = split % 2
    return folds


def shuffled(K):
    def draw(n, seed):
        return partitions(np.random.default_rng(seed), 10, n, K)

    return draw


DESIGNS = {"15 x 2": balanced_halves, "10 x 3": shuffled(3), "10 x 4": shuffled(4)}
# Standard deviations of alpha and beta, and their correlation.
ROWS = {
    "test rows": (1.0, 0.0, 0.0),
    "both, unrelated": (1.0, 1.0, 0.0),
    "both, alike": (1.0, 1.0, 1.0),
    "both, related": (1.0, 0.5, 0.6),
}


def first_order(values, folds):
    """F before it is compared with the variance of test rows alone."""
    (R, n), p = folds.shape, 1 / (folds.max() + 1)
    rows = RowContributions(values[:, :, None], folds)
    T = rows.fold_means(values[:, :, None])[:, :, 0]
    residual = T - T.mean(axis=1, keepdims=True)
    others = (values.sum(axis=0) - values) / (R - 1)
    means = rows.fold_means(others[:, :, None])[:, :, 0]
    v_1 = np.sum(residual**2) / R * p
    c = np.sum(residual * (means - means.mean(axis=1, keepdims=True))) / R * p
    v_alpha = values.mean(axis=0).var(ddof=1) - values.var(axis=0, ddof=1).mean() / R
    return v_alpha / (n * p**2) - 2 * c / p + (1 - p) / p * v_1, v_alpha / n


@pytest.mark.any_versions
@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("sd_alpha, sd_beta, correlation", ROWS.values(), ids=ROWS)
def test_f_estimates_the_variance_over_data_sets(design, sd_alpha, sd_beta, correlation):
    """The mean score varies over data sets by the variance of mean(alpha + beta)."""
    n, n_sets = 48, 200
    rng = np.random.default_rng(5)
    estimates, found = [], []
    for seed in range(n_sets):
        first, second = rng.normal(size=(2, n))
        alpha = sd_alpha * first
        beta = sd_beta * (correlation * first + math.sqrt(1 - correlation**2) * second)
        folds = design(n, seed)
        values = exact_scores(alpha, beta, folds)
        F, of_test_rows = first_order(values, folds)
        sampling, instability = variance_parts(values, folds)
        assert sampling == pytest.approx(max(F, of_test_rows))
        assert instability < 1e-12
        estimates.append(values.mean())
        found.append(F)
    covariance = correlation * sd_alpha * sd_beta
    expected = (sd_alpha**2 + sd_beta**2 + 2 * covariance) / n
    # Both within four of their Monte Carlo errors; F also within a term of order 1/n: a row
    # never trains where it is tested.
    error = math.sqrt(2 / n_sets) * expected
    assert np.var(estimates, ddof=1) == pytest.approx(expected, abs=4 * error)
    error = np.std(found) / math.sqrt(n_sets)
    assert np.mean(found) == pytest.approx(expected, abs=4 * error + 3 / n * expected)


def test_rows_that_make_up_in_training_what_they_do_in_testing_are_counted_as_test_rows():
    """F would be zero; the test does not go below the variance of the test rows."""
    n = 48
    rng = np.random.default_rng(0)
    for seed in range(5):
        alpha = rng.normal(size=n)
        folds = balanced_halves(n, seed)
        sampling, _ = variance_parts(exact_scores(alpha, -alpha, folds), folds)
        assert sampling == pytest.approx(alpha.var(ddof=1) / n, rel=0.1)


@pytest.mark.parametrize("K", [2, 3])
def test_noise_of_the_fits_is_instability(K):
    n, R, n_sets = 24, 400, 40
    rng = np.random.default_rng(K)
    parts = []
    for _ in range(n_sets):
        folds = partitions(rng, R, n, K)
        noise = rng.normal(size=(R, K))
        parts.append(variance_parts(noise[np.arange(R)[:, None], folds], folds))
    sampling, instability = np.mean(parts, axis=0)
    error = np.std([part for _, part in parts]) / math.sqrt(n_sets)
    assert instability == pytest.approx(CORRELATION + 1 / (R * K), abs=4 * error)
    # What chance leaves to the rows falls with the number of repetitions. It is never cut
    # below zero, so that few of them make the test careful with learners of mere luck.
    few = partitions(rng, 15, n, K)
    of_few = [
        variance_parts(rng.normal(size=(15, K))[np.arange(15)[:, None], few], few)[0]
        for _ in range(n_sets)
    ]
    assert 0 < sampling < 0.4 * np.mean(of_few)


# One system


def test_one_system_against_a_constant_is_a_pair_with_it():
    rng = np.random.default_rng(7)
    folds = partitions(rng, 5, 18, 3)
    values = 0.7 + 0.1 * row_scores(rng, folds, 1)
    rows = RowContributions(values, folds)
    scores = FoldScores(rows.fold_means(values).ravel(), rows=rows, n_repeats=5)
    for alternative in ("two-sided", "less", "greater"):
        one = one_sample_projection_t(scores, 0.6, alternative=alternative)
        pair = projection_t(scores.against(0.6), alternative=alternative)
        assert one.standard_error == pytest.approx(pair.standard_error)
        assert one.pvalue == pytest.approx(pair.pvalue)
        assert one.estimate == pytest.approx(scores.values.mean() - 0.6)
    sampling, instability = by_definition(
        fold_means(values[:, :, 0], folds, 3), values[:, :, 0], folds
    )
    assert one.standard_error**2 == pytest.approx(sampling + instability)
    assert "the constant 0.6" in one.null_hypothesis
    estimate = projection_estimate(scores, quantity="accuracy")
    half = scipy_stats.t.ppf(0.95, 5) * one.standard_error
    centre = scores.values.mean()
    assert estimate.confidence_interval(0.9) == pytest.approx((centre - half, centre + half))
    assert "expected accuracy" in estimate.estimand
    with pytest.raises(ValueError, match="constant=nan"):
        one_sample_projection_t(scores, math.nan)


def test_the_estimate_of_a_difference_has_the_interval_of_the_test(sample):
    estimate, outcome = projection_estimate(sample), projection_t(sample)
    assert estimate.estimate == outcome.estimate
    assert estimate.confidence_interval() == pytest.approx(outcome.confidence_interval())


# Several systems


def table_of(k, seed=0, R=6, n=30, K=2, strata=None, gap=0.0):
    rng = np.random.default_rng(seed)
    folds = partitions(rng, R, n, K)
    values = row_scores(rng, folds, k) + gap * np.arange(k)
    rows = RowContributions(values, folds, strata)
    scores = rows.fold_means(values).reshape(-1, k)
    return FoldScoreTable(scores, rows=rows, n_repeats=R, systems=list("pqrstuv")[:k])


@pytest.mark.parametrize("k", [2, 3, 4, 7])
@pytest.mark.parametrize("seed", range(3))
def test_covariances_are_positive_semidefinite(k, seed):
    strata = np.arange(30) % 3 if seed == 2 else None
    parts = table_of(k, seed, R=3 + seed, K=2 + seed, strata=strata).parts
    for matrix in (parts.sampling, parts.instability, parts.total):
        assert matrix.shape == (k, k)
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
        sizes = np.linalg.eigvalsh(matrix)
        assert sizes.min() > -1e-12 * sizes.max()
    errors = np.linalg.norm(parts.root()[:, :, None] - parts.root()[:, None, :], axis=0)
    variances = np.diagonal(parts.total)
    expected = variances[:, None] + variances - 2 * parts.total
    np.testing.assert_allclose(errors**2, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_two_systems_of_a_table_are_a_pair(seed):
    table = table_of(2, seed)
    pair = table.pair("q", "p")
    alone = PairedFoldScores.from_row_scores(
        table.rows.values[:, :, 1], table.rows.values[:, :, 0], table.rows.folds
    )
    same_test(projection_t(alone), projection_t(pair))
    # So does the joint covariance, whose positive part is taken as a matrix.
    joint = table.parts.of(np.array([-1.0, 1.0])).total.item()
    assert math.sqrt(joint) == pytest.approx(projection_t(alone).standard_error)


def test_more_systems_make_no_pair_more_variable():
    """Cutting off negative variances moves variance among pairs, and adds none."""
    alone, together = [], []
    for seed in range(40):
        table = table_of(6, seed, R=15)
        alone.append(projection_t(table.take(["p", "q"]).pair("p", "q")).standard_error ** 2)
        together.append(projection_t(table.pair("p", "q")).standard_error ** 2)
    assert np.mean(together) == pytest.approx(np.mean(alone), rel=0.05)


@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e3, 1e6])
def test_a_third_system_hardly_matters_however_much_it_varies(factor):
    ratios = []
    for seed in range(20):
        table = table_of(3, seed, R=15)
        alone = projection_t(table.take(["p", "q"]).pair("p", "q"))
        values = table.rows.values * np.array([1, 1, factor])
        # Another learner, whose fits are mostly luck.
        luck = np.random.default_rng(seed).normal(size=(15, 2)) * factor
        values[:, :, 2] += luck[np.arange(15)[:, None], table.rows.folds]
        rows = RowContributions(values, table.rows.folds)
        scores = rows.fold_means(values).reshape(-1, 3)
        wide = FoldScoreTable(scores, rows=rows, n_repeats=15, systems=list("pqr"))
        found = projection_t(wide.pair("p", "q"))
        assert law(wide).standard_errors[0, 1] == pytest.approx(found.standard_error)
        ratios.append(found.standard_error / alone.standard_error)
    assert 0.9 < np.median(ratios) < 1.05
    assert 0.5 < min(ratios) <= max(ratios) < 1.5


@pytest.mark.parametrize("k", [3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_systems_does_not_matter(k, seed):
    table = table_of(k, seed)
    order = np.random.default_rng(seed).permutation(k)
    other = table.take([table.names[i] for i in order])
    assert other.names == tuple(table.names[i] for i in order)
    np.testing.assert_allclose(
        other.parts.total, table.parts.total[np.ix_(order, order)], atol=1e-9
    )
    one, permuted = compare_with_best(table, rng=0), compare_with_best(other, rng=0)
    np.testing.assert_allclose(permuted.pvalues, one.pvalues[order], atol=1e-9)


def law(table):
    return law_of_means(table, "a test", method="t", block_length=None, n_resamples=99, rng=0)


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_joint_law_has_the_standard_errors_of_the_pairs(k):
    table = table_of(k, seed=k)
    errors = law(table).standard_errors
    best = compare_with_best(table, rng=0, n_resamples=99)
    assert law(table).df == best.df == 6
    assert table.parts.n_repeats == 6
    for i, j in itertools.permutations(range(k), 2):
        pair = table.pair(table.names[i], table.names[j])
        outcome = projection_t(pair)
        assert errors[i, j] == pytest.approx(outcome.standard_error)
        assert best.standard_errors[i, j] == pytest.approx(outcome.standard_error)
        assert law(table).differences[i, j] == pytest.approx(outcome.estimate)
        assert type(pair) is PairedFoldScores
        scores = table.scores
        assert pair.a.tolist() == scores[:, i].tolist()


def test_two_systems_are_told_apart_jointly_as_by_the_test():
    table = table_of(2, seed=4, gap=1.5)
    alone = projection_t(table.pair("q", "p"))
    assert 0.001 < alone.pvalue < 0.5
    joint = model_confidence_set(table, rng=0, n_resamples=40_000, statistic="range")
    worse = dict(zip(joint.names, joint.pvalues, strict=True))["p"]
    assert worse == pytest.approx(alone.pvalue, abs=0.015)
    best = compare_with_best(table, rng=0, n_resamples=40_000)
    less = projection_t(table.pair("p", "q"), alternative="less")
    assert best.pvalues[0] == pytest.approx(less.pvalue, abs=0.01)


def test_the_best_of_clearly_different_systems_is_found():
    table = table_of(3, gap=9.0)
    assert compare_with_best(table, rng=0).may_be_best() == ("r",)
    assert model_confidence_set(table, rng=0).may_be_best() == ("r",)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_systems_that_are_the_same_or_differ_by_a_constant_have_no_variance(k):
    """Float noise of the others' covariances must not become a tiny standard error."""
    rng = np.random.default_rng(k)
    folds = partitions(rng, 15, 40, 2)
    others = row_scores(rng, folds, k)
    for shift in (0.0, 0.1):
        values = others.copy()
        values[:, :, 1] = values[:, :, 0] - shift
        rows = RowContributions(values, folds)
        scores = rows.fold_means(values).reshape(-1, k)
        table = FoldScoreTable(scores, rows=rows, n_repeats=15, systems=list("pqrs")[:k])
        outcome = projection_t(table.pair("p", "q"))
        assert outcome.standard_error == 0
        assert outcome.pvalue == 1 if shift == 0 else math.isnan(outcome.pvalue)
        joint = compare_with_best(table, rng=0).standard_errors[0, 1]
        assert joint == 0 if shift == 0 else math.isnan(joint)


def test_a_table_without_rows_is_judged_by_its_splits():
    table = table_of(3)
    plain = table.without_rows()
    assert type(plain.pair("p", "q")) is PairedScores
    expected = corrected_t(plain.pair("p", "q")).standard_error
    assert compare_with_best(plain, rng=0).standard_errors[0, 1] == pytest.approx(expected)


# What is refused


def rows_of(R=3, n=8, K=2, k=2):
    folds = partitions(np.random.default_rng(0), R, n, K)
    return RowContributions(np.zeros((R, n, k)), folds)


@pytest.mark.parametrize(
    "values, folds, strata, message",
    [
        (np.zeros((3, 4)), np.zeros((3, 4), int), None, r"values has shape \(3, 4\)"),
        (np.zeros((3, 4, 2)), np.zeros((3, 5), int), None, r"folds has shape \(3, 5\)"),
        (np.zeros((3, 4, 2)), np.zeros((3, 4)), None, "float64; it needs one whole number"),
        (np.full((3, 4, 2), np.nan), [[0, 1, 0, 1]] * 3, None, "values must be finite"),
        (np.zeros((3, 4, 2)), np.zeros((3, 4), int), None, "at least two folds"),
        (np.zeros((3, 4, 2)), [[0, 1, 2, 1]] * 2 + [[0, 1, 0, 1]], None, "needs a unit"),
        (np.zeros((3, 4, 2)), [[0, 1, -1, 1]] * 3, None, "from 0 in every repetition"),
        (np.zeros((3, 4, 2)), [[0, 1, 0, 1]] * 3, [1, 2], r"strata has shape \(2,\)"),
    ],
)
def test_what_are_no_contributions(values, folds, strata, message):
    with pytest.raises(ValueError, match=message):
        RowContributions(values, folds, strata)


def test_what_is_no_sample_of_folds():
    a = np.zeros(6)
    with pytest.raises(TypeError, match="rows must be RowContributions, got ndarray"):
        PairedFoldScores(a, a, rows=np.zeros((3, 8, 2)), n_repeats=3)
    with pytest.raises(ValueError, match="n_repeats must say how many"):
        PairedFoldScores(a, a, rows=rows_of(), n_train=4, n_test=4)
    with pytest.raises(ValueError, match="of 4 repetitions, 2 folds and 2 systems.*of 3, 2"):
        PairedFoldScores(a, a, rows=rows_of(R=4), n_repeats=3)
    with pytest.raises(ValueError, match="and 3 systems, and the scores of 3, 2 and 2"):
        PairedFoldScores(a, a, rows=rows_of(k=3), n_repeats=3)
    with pytest.raises(ValueError, match="2 folds and 2 systems, and the scores of 3, 2 and 1"):
        FoldScores(a, rows=rows_of(), n_repeats=3)
    with pytest.raises(ValueError, match="higher_is_better must be True"):
        FoldScoreTable(np.zeros((6, 2)), rows=rows_of(), n_repeats=3, higher_is_better=False)


def test_groups_and_weights_that_do_not_fit():
    scores = np.zeros((3, 4))
    folds = [[0, 1, 0, 1]] * 3
    make = PairedFoldScores.from_row_scores
    with pytest.raises(ValueError, match="some group is split over folds"):
        make(scores, scores, folds, groups=[1, 1, 2, 3])
    for weight in ([1, 1], [1, 1, 1, -1], [1, 1, 1, np.nan]):
        with pytest.raises(ValueError, match="sample_weight needs one finite weight"):
            make(scores, scores, folds, sample_weight=weight)
    with pytest.raises(ValueError, match="sample_weight is 0 on all rows of some fold"):
        make(scores, scores, folds, sample_weight=[1, 0, 1, 0])


@pytest.mark.parametrize("procedure", [projection_t, projection_estimate])
def test_scores_of_splits_alone_are_refused(procedure, sample):
    plain = PairedScores(sample.a, sample.b, n_repeats=6)
    with pytest.raises(ValueError, match=f"{procedure.__name__} needs what every row"):
        procedure(plain)


def test_few_repetitions_are_refused():
    rng = np.random.default_rng(0)
    for R in (1, 2):
        folds = partitions(rng, R, 12, 3)
        scores = row_scores(rng, folds, 3)
        rows = RowContributions(scores, folds)
        sample = PairedFoldScores.from_row_scores(*a_and_b(scores), folds)
        with pytest.raises(ValueError, match=f"at least 3 repeated partitions.*got {R}"):
            projection_t(sample)
        table = FoldScoreTable(rows.fold_means(scores).reshape(-1, 3), rows=rows, n_repeats=R)
        with pytest.raises(ValueError, match=f"compare_with_best needs at least 3.*got {R}"):
            compare_with_best(table, rng=0)


def test_an_unknown_direction_is_refused(sample):
    with pytest.raises(ValueError, match="alternative='bigger'"):
        projection_t(sample, alternative="bigger")
