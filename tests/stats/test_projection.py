"""The projection t test, of systems, of folds by halves: definitions by loops, refusals."""

import itertools
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.stats import (
    PairedScores,
    RowContributions,
    Scores,
    ScoreTable,
    compare_with_best,
    projection_t,
    t_estimate,
)
from tests.cases import in_one_test, refusals
from tests.stats.projection_by_hand import (
    OF_MEANS,
    a_and_b,
    by_definition,
    components,
    fold_means,
    mean,
    partitions,
    row_scores,
    variance,
)


@pytest.fixture
def sample():
    rng = np.random.default_rng(3)
    folds = partitions(rng, 6, 20, 2)
    return PairedScores.from_row_scores(*a_and_b(row_scores(rng, folds)), folds)


# The definition


@in_one_test("K", [2, 3, 4])
@in_one_test("seed", range(4))
def test_it_is_the_definition(K, seed):
    rng = np.random.default_rng(seed)
    n, R = 17 + seed, 3 + seed
    folds = partitions(rng, R, n, K)
    scores = row_scores(rng, folds, train=seed / 4)
    sample = PairedScores.from_row_scores(*a_and_b(scores), folds)
    outcome = projection_t(sample)
    C = (scores[:, :, 0] - scores[:, :, 1]).tolist()
    T = fold_means(C, folds, K)
    sampling, instability = by_definition(T, C, folds)
    assert outcome.law.sampling_error**2 == pytest.approx(sampling)
    assert outcome.law.instability_error**2 == pytest.approx(instability)
    assert outcome.standard_error**2 == pytest.approx(sampling + instability)
    estimate = mean(mean(row) for row in T)
    assert outcome.estimate == pytest.approx(estimate)
    assert outcome.df == R
    t = estimate / math.sqrt(sampling + instability)
    assert outcome.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), R))


def test_both_sides_of_the_largest_of_two_variances_are_reached():
    """Whether the formula exceeds that of test rows alone depends on the training rows."""
    larger = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        folds = partitions(rng, 5, 24, 2)
        scores = row_scores(rng, folds, train=rng.choice([-0.4, 0.4]))
        sample = PairedScores.from_row_scores(*a_and_b(scores), folds)
        C = scores[:, :, 0] - scores[:, :, 1]
        sampling, _ = by_definition(fold_means(C, folds, 2), C, folds)
        assert projection_t(sample).law.sampling_error ** 2 == pytest.approx(sampling)
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
    sample = PairedScores.from_row_scores(*a_and_b(scores), folds, groups=names)
    D = scores[:, :, 0] - scores[:, :, 1]
    T = fold_means(D, folds, K)
    C = np.empty((R, 11))
    for r, g in itertools.product(range(R), range(11)):
        k = by_group[r, g]
        n_rows, n_groups = np.sum(folds[r] == k), np.sum(by_group[r] == k)
        apart = sum(D[r, i] - T[r][k] for i in range(n) if groups[i] == g)
        C[r, g] = T[r][k] + n_groups / n_rows * apart
    sizes = np.bincount(groups)
    sampling, instability = by_definition(T, C.tolist(), by_group, weights=sizes.tolist())
    outcome = projection_t(sample)
    m = sizes.sum() ** 2 / (sizes**2).sum()
    assert outcome.df == pytest.approx(min(R, m - 1))
    assert any("at most 1/7" in said for said in outcome.assumptions)
    assert outcome.law.sampling_error**2 == pytest.approx(sampling)
    assert outcome.law.instability_error**2 == pytest.approx(instability)
    assert sample.rows.n_units == 11
    assert sample.n_test.tolist() == [np.sum(row == k) for row in by_group for k in range(K)]
    assert "groups" in outcome.estimand
    assert any("groups are independent" in said for said in outcome.assumptions)


@pytest.mark.parametrize("K", [2, 3])
def test_weights_of_rows(K):
    rng = np.random.default_rng(K)
    R, n = 5, 16
    folds, weight = partitions(rng, R, n, K), rng.uniform(0.2, 3, n)
    scores = row_scores(rng, folds)
    sample = PairedScores.from_row_scores(*a_and_b(scores), folds, sample_weight=weight)
    D = scores[:, :, 0] - scores[:, :, 1]
    T = fold_means(D, folds, K, weight)
    C = np.empty((R, n))
    for r, i in itertools.product(range(R), range(n)):
        k = folds[r, i]
        heavy = mean(weight[j] for j in range(n) if folds[r, j] == k)
        C[r, i] = T[r][k] + weight[i] / heavy * (D[r, i] - T[r][k])
    sampling, instability = by_definition(T, C.tolist(), folds, weights=weight.tolist())
    outcome = projection_t(sample)
    assert outcome.estimate == pytest.approx(mean(mean(row) for row in T))
    assert outcome.law.sampling_error**2 == pytest.approx(sampling)
    assert outcome.law.instability_error**2 == pytest.approx(instability)


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
    outcome = projection_t(PairedScores(scores, np.zeros_like(scores), rows=rows, n_repeats=R))
    sampling, instability = by_definition(T, D.tolist(), folds, strata.tolist())
    assert outcome.law.sampling_error**2 == pytest.approx(sampling)
    assert outcome.law.instability_error**2 == pytest.approx(instability)
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
    sample = PairedScores(scores[:, 0], scores[:, 1], rows=rows, n_repeats=4)
    again = PairedScores.from_row_scores(*a_and_b(values), folds)
    assert projection_t(sample).standard_error == projection_t(again).standard_error
    assert "training sets of the size used here" in projection_t(sample).estimand
    assert "training sets of 7 rows" in projection_t(again).estimand


# One system


def test_one_system_against_a_constant_is_a_pair_with_it():
    rng = np.random.default_rng(7)
    folds = partitions(rng, 5, 18, 3)
    values = 0.7 + 0.1 * row_scores(rng, folds, 1)
    rows = RowContributions(values, folds)
    scores = Scores(rows.fold_means(values).ravel(), rows=rows, n_repeats=5)
    for alternative in ("two-sided", "less", "greater"):
        one = projection_t(scores.against(0.6), alternative=alternative)
        assert one.estimate == pytest.approx(scores.values.mean() - 0.6)
    sampling, instability = by_definition(
        fold_means(values[:, :, 0], folds, 3), values[:, :, 0], folds
    )
    assert one.standard_error**2 == pytest.approx(sampling + instability)
    assert "the constant 0.6" in one.null_hypothesis
    estimate = t_estimate(scores, quantity="accuracy")
    half = scipy_stats.t.ppf(0.95, 5) * one.standard_error
    centre = scores.values.mean()
    assert estimate.confidence_interval(0.9) == pytest.approx((centre - half, centre + half))
    assert "expected accuracy" in estimate.estimand
    with pytest.raises(ValueError, match="constant=nan"):
        scores.against(math.nan)


# What is refused


def rows_of(R=3, n=8, K=2, k=2):
    folds = partitions(np.random.default_rng(0), R, n, K)
    return RowContributions(np.zeros((R, n, k)), folds)


def no_contributions():
    ones, folds = np.zeros((3, 4, 2)), np.zeros((3, 4), int)
    yield (np.zeros((3, 4)), folds), r"values has shape \(3, 4\)"
    yield (ones, np.zeros((3, 5), int)), r"folds has shape \(3, 5\)"
    yield (ones, np.zeros((3, 4))), "float64: they need .* a whole number"
    yield (np.full((3, 4, 2), np.nan), [[0, 1, 0, 1]] * 3), "values must be finite"
    yield (ones, folds), "at least two folds"
    yield (ones, [[0, 1, 2, 1]] * 2 + [[0, 1, 0, 1]]), "none empty"
    yield (ones, [[0, 1, -1, 1]] * 3), "from 0, none empty"
    yield (ones, [[0, 1, 0, 1]] * 3, [1, 2]), r"strata has shape \(2,\)"


test_what_are_no_contributions = refusals(no_contributions(), RowContributions)


SIX = np.zeros(6)
pair_of = partial(PairedScores, SIX, SIX)
test_what_is_no_sample_of_folds = refusals([
    (lambda: pair_of(rows=np.zeros((3, 8, 2)), n_repeats=3),
     "rows must be RowContributions, got ndarray"),
    (lambda: pair_of(rows=rows_of(), n_train=4, n_test=4), r"of \(None, None, 2\)"),
    (lambda: pair_of(rows=rows_of(R=4), n_repeats=3),
     r"of \(4, 2, 2\) .*of \(3, 2, 2\)"),
    (lambda: pair_of(rows=rows_of(k=3), n_repeats=3),
     r"of \(3, 2, 3\) .*of \(3, 2, 2\)"),
    (lambda: Scores(SIX, rows=rows_of(), n_repeats=3),
     r"of \(3, 2, 2\) .*of \(3, 2, 1\)"),
    (lambda: ScoreTable(np.zeros((6, 2)), rows=rows_of(), n_repeats=3, higher_is_better=False),
     "higher_is_better must be True"),
], error=(ValueError, TypeError))  # fmt: skip


FOUR = np.zeros((3, 4))
test_groups_and_weights_that_do_not_fit = refusals([
    ({"groups": [1, 1, 2, 3]}, "some group is split over folds"),
    ({"sample_weight": [1, 1]}, "sample_weight has 2"),
    ({"sample_weight": [1, 1, 1, -1]}, "sample_weight must hold"),
    ({"sample_weight": [1, 1, 1, np.nan]}, "sample_weight must hold"),
    ({"sample_weight": [1, 0, 1, 0]}, "sample_weight is 0 on all rows of some fold"),
], partial(PairedScores.from_row_scores, FOUR, FOUR, [[0, 1, 0, 1]] * 3))  # fmt: skip


def test_few_repetitions_are_refused():
    rng = np.random.default_rng(0)
    for R in (1, 2):
        folds = partitions(rng, R, 12, 3)
        scores = row_scores(rng, folds, 3)
        rows = RowContributions(scores, folds)
        sample = PairedScores.from_row_scores(*a_and_b(scores), folds)
        with pytest.raises(ValueError, match="needs 3 repetitions"):
            projection_t(sample)
        table = ScoreTable(rows.fold_means(scores).reshape(-1, 3), rows=rows, n_repeats=R)
        with pytest.raises(ValueError, match="compare_with_best needs 3 repetitions"):
            compare_with_best(table, rng=0)


def of_metric(sample, **facts):
    rows = replace(sample.rows, **facts)
    return PairedScores(sample.a, sample.b, rows=rows, n_repeats=sample.n_repeats)


def test_metrics_that_are_no_means_have_more_alike_instabilities(sample):
    """1/4 in place of 1/7 for the correlation of the instabilities of two splits."""
    means, others = projection_t(sample), projection_t(of_metric(sample, of_mean=False))
    splits = sample.rows.n_repeats * sample.rows.n_folds
    ratio = (1 / 4 + 1 / splits) / (1 / 7 + 1 / splits)
    assert others.law.instability_error**2 == pytest.approx(
        ratio * means.law.instability_error**2
    )
    assert others.law.sampling_error == means.law.sampling_error and others.df == means.df
    assert any("at most 1/7" in said for said in means.assumptions)
    assert any("at most 1/4" in said for said in others.assumptions)
    # Whatever the units are, and however few rows a class has.
    n = sample.rows.n_units
    few = replace(sample.rows, strata=np.arange(n) >= 5, of_mean=False)
    assert few.instability_correlation == replace(few, strata=None).instability_correlation
    grouped = sample.rows.by_group(np.arange(n))
    assert grouped.instability_correlation == 1 / 7


def test_few_effective_units_limit_the_degrees_of_freedom(sample):
    n = sample.rows.n_units
    for m, df in ((n, sample.rows.n_repeats), (3.5, 2.5), (1.2, 1.0)):
        found = projection_t(of_metric(sample, n_effective=m))
        assert found.df == pytest.approx(min(df, sample.rows.n_repeats))
    for m in (0.5, n + 1, np.nan):
        with pytest.raises(ValueError, match="n_effective"):
            of_metric(sample, n_effective=m)


def table_of(k, seed=0, R=6, n=30, K=2, strata=None, gap=0.0):
    rng = np.random.default_rng(seed)
    folds = partitions(rng, R, n, K)
    values = row_scores(rng, folds, k) + gap * np.arange(k)
    rows = RowContributions(values, folds, strata)
    scores = rows.fold_means(values).reshape(-1, k)
    return ScoreTable(scores, rows=rows, n_repeats=R, systems=list("pqrstuv")[:k])


@in_one_test("k", [2, 3, 4, 7])
@in_one_test("seed", range(3))
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


def test_more_systems_make_no_pair_more_variable():
    """Cutting off negative variances moves variance among pairs, and adds none."""
    alone, together = [], []
    for seed in range(40):
        table = table_of(6, seed, R=15)
        alone.append(projection_t(table.take(["p", "q"]).pair("p", "q")).standard_error ** 2)
        together.append(projection_t(table.pair("p", "q")).standard_error ** 2)
    assert np.mean(together) == pytest.approx(np.mean(alone), rel=0.05)


@pytest.mark.long(keep=1)
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
        wide = ScoreTable(scores, rows=rows, n_repeats=15, systems=list("pqr"))
        found = projection_t(wide.pair("p", "q"))
        assert law(wide).standard_errors[0, 1] == pytest.approx(found.standard_error)
        ratios.append(found.standard_error / alone.standard_error)
    assert 0.9 < np.median(ratios) < 1.05
    assert 0.5 < min(ratios) <= max(ratios) < 1.5


def law(table):
    return compare_with_best(table, rng=0, n_resamples=99)


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_joint_law_has_the_standard_errors_of_the_pairs(k):
    table = table_of(k, seed=k)
    best = law(table)
    assert best.df == 6
    assert table.rows.n_repeats == 6
    for i, j in itertools.permutations(range(k), 2):
        pair = table.pair(table.names[i], table.names[j])
        outcome = projection_t(pair)
        assert best.standard_errors[i, j] == pytest.approx(outcome.standard_error)
        assert best.estimates[i] - best.estimates[j] == pytest.approx(outcome.estimate)
        assert pair.rows is not None
        scores = table.scores
        assert pair.a.tolist() == scores[:, i].tolist()


R_HALVES, R_FOLDS, K = 6, 2, 5
OF_FOLDS = 1 / 5  # of one split's instability, in the mean of a repetition of folds


def made(seed=0, larger=0.3, n=40):
    """Row scores on halves and on folds; `larger` scales what training rows of folds do."""
    rng = np.random.default_rng(seed)
    halves, folds = partitions(rng, R_HALVES, n, 2), partitions(rng, R_FOLDS, n, K)
    state = rng.bit_generator.state
    of_halves = row_scores(rng, halves)
    rng.bit_generator.state = state  # the same rows
    of_folds = row_scores(rng, folds, train=larger)
    return (of_halves, halves), (of_folds, folds)


def paired(halves, folds):
    on_halves = PairedScores.from_row_scores(*a_and_b(halves[0]), halves[1])
    on_folds = PairedScores.from_row_scores(*a_and_b(folds[0]), folds[1])
    return replace(on_folds, rows=replace(on_folds.rows, halves=on_halves.rows))


def on_halves(sample):
    rows = sample.rows.halves
    a, b = rows.fold_means(rows.values).reshape(-1, 2).T
    return PairedScores(a, b, rows=rows, n_repeats=rows.n_repeats)


def components_of(sample):
    rows = sample.rows
    T = np.asarray(sample.differences).reshape(rows.n_repeats, -1).tolist()
    C = (rows.values[:, :, 0] - rows.values[:, :, 1]).tolist()
    return components(T, C, rows.folds)


def carried_by_definition(sample):
    """Sampling and instability parts, and the variance of the change, by loops."""
    halves, folds = components_of(on_halves(sample)), components_of(sample)
    n = sample.rows.n_units
    ratio = max(1.0, folds["v_alpha"] / halves["v_alpha"])
    sampling = max(halves["F"] * ratio, folds["v_alpha"] / n)
    of_folds = OF_FOLDS / sample.rows.n_repeats
    moved = variance(b - a for a, b in zip(halves["alpha"], folds["alpha"], strict=True))
    moved = max(moved - halves["noise"] - folds["noise"], 0.0)
    beyond = max(1.0, halves["F"] / (halves["v_alpha"] / n))
    own = 1 / (2 * sample.rows.halves.n_repeats)
    change = moved / n * beyond + halves["v_e"] * (OF_MEANS + of_folds + own)
    repeats = np.asarray(sample.differences).reshape(sample.rows.n_repeats, -1)
    change += variance(mean(folds) for folds in repeats.tolist()) / len(repeats)
    return sampling, halves["v_e"] * (OF_MEANS + of_folds), change


@pytest.mark.parametrize("larger", [0.0, 0.3, 1.2])
@pytest.mark.parametrize("seed", range(4))
def test_carried_to_folds_it_is_the_definition(seed, larger):
    sample = paired(*made(seed, larger=larger))
    outcome = projection_t(sample)
    sampling, instability, change = carried_by_definition(sample)
    assert outcome.law.sampling_error**2 == pytest.approx(sampling)
    assert outcome.law.instability_error**2 == pytest.approx(instability)
    assert outcome.estimate == pytest.approx(mean(sample.differences))
    assert outcome.df == R_HALVES
    t = outcome.estimate / outcome.standard_error
    assert outcome.pvalue == pytest.approx(2 * scipy_stats.t.sf(abs(t), R_HALVES))
    assert "variance of 6 halvings" in outcome.test
    found, half = outcome.law.change, outcome.law.half
    assert half.estimate == pytest.approx(mean(on_halves(sample).differences))
    assert found.estimate == pytest.approx(outcome.estimate - half.estimate)
    width = scipy_stats.t.ppf(0.95, R_HALVES) * np.sqrt(change)
    low, high = found.estimate - width, found.estimate + width
    assert found.limits(0.05) == pytest.approx((low, high))
    alone = projection_t(on_halves(sample))
    assert half.limits(0.05) == pytest.approx(alone.confidence_interval(0.9))


def test_the_change_is_known_of_scores_that_are_the_same_quantity_at_both_sizes():
    """Not of R2, say, of folds with eight rows beside that of halves."""
    sample = paired(*made(3))
    as_other = replace(sample.rows, of_mean=False)
    for rows, unit, known in (
        (sample.rows, "row", True),
        (as_other, "row", False),
        (as_other, "group", True),  # eight groups may have many rows
    ):
        found = replace(sample, rows=rows, size_unit=unit)
        assert (projection_t(found).law.change is not None) is known


# Several systems, one system


def test_carried_to_folds_of_one_system():
    (halves, first), (folds, second) = made(7)
    rows = RowContributions(folds, second, halves=RowContributions(halves, first)).of([0])
    scores = rows.fold_means(rows.values).ravel()
    one = Scores(scores, rows=rows, n_repeats=R_FOLDS, unit="split")
    nothing = np.zeros_like(halves)[:, :, :1], np.zeros_like(folds)[:, :, :1]
    beside = paired(
        (np.concatenate([halves[:, :, :1], nothing[0]], 2), first),
        (np.concatenate([folds[:, :, :1], nothing[1]], 2), second),
    )
    pair, constant = projection_t(beside), projection_t(one.against(0.0))
    assert constant.standard_error == pytest.approx(pair.standard_error)
    assert constant.pvalue == pytest.approx(pair.pvalue)
    estimate = t_estimate(one)
    assert estimate.standard_error == pytest.approx(pair.standard_error)
    assert (estimate.df, constant.df) == (R_HALVES, R_HALVES)
    assert "variance of 6 halvings" in estimate.method


# Refusals


def test_halves_must_fit():
    sample, few = paired(*made(0)), paired(*made(0, n=30)).rows.halves
    for other in (3, few, sample.rows):
        with pytest.raises(
            ValueError, match="halves must be RowContributions of the same rows"
        ):
            replace(sample.rows, halves=other)


def test_too_few_repetitions_are_refused():
    (halves, first), (folds, second) = made(0)
    with pytest.raises(ValueError, match="needs 3 repetitions"):
        projection_t(paired((halves[:2], first[:2]), (folds, second)))
    with pytest.raises(ValueError, match="needs two repetitions of folds"):
        projection_t(paired((halves, first), (folds[:1], second[:1])))
