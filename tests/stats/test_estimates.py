"""Estimates of performance, of systems in a sample too: SciPy, brute force, enumeration."""

import json
import math
from functools import partial
from itertools import product

import numpy as np
import pytest
import scipy.stats as sps
from scipy import stats as reference
from sklearn.dummy import DummyClassifier
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_estimators, compare_predictions, compare_scores, stats
from tests.cases import in_one_test, refusals

RNG = np.random.default_rng(0)
RIGHT = (RNG.random(60) < 0.8).astype(float)
LOSSES = RNG.gamma(2, size=60)


@in_one_test("method, scipys", [("wilson", "wilson"), ("clopper-pearson", "exact")])
@in_one_test("right", [0, 7, 30])
def test_shares_have_the_intervals_of_scipy(right, method, scipys):
    scores = np.arange(30) < right
    found = stats.holdout_estimate(scores, interval=method)
    expected = sps.binomtest(right, 30).proportion_ci(0.9, method=scipys)
    assert found.confidence_interval(0.9) == pytest.approx(tuple(expected))
    assert found.estimate == right / 30


def test_other_means_have_the_t_interval_of_scipy():
    found = stats.holdout_estimate(LOSSES)
    expected = sps.ttest_1samp(LOSSES, 0).confidence_interval(0.95)
    assert found.confidence_interval() == pytest.approx(tuple(expected))


def test_groups_have_the_variance_of_their_sums():
    groups = np.repeat(np.arange(12), 5)
    found = stats.holdout_estimate(LOSSES, groups=groups)
    totals = [sum(LOSSES[groups == g] - LOSSES.mean()) for g in range(12)]
    error = math.sqrt(sum(t**2 for t in totals)) / 60 * math.sqrt(12 / 11)
    assert (found.standard_error, found.df) == (pytest.approx(error), 11)
    # Of groups of equal size the mean is a mean of independent means.
    means = LOSSES.reshape(12, 5).mean(axis=1)
    assert found.standard_error == pytest.approx(sps.sem(means))


def test_corrected_t_adds_the_ratio_of_sizes():
    values = RNG.normal(0.8, 0.03, 25)
    sample = stats.Scores(values, n_train=90, n_test=10)
    found = stats.t_estimate(sample)
    error = values.std(ddof=1) * math.sqrt(1 / 25 + 1 / 9)
    expected = sps.t.interval(0.95, 24, values.mean(), error)
    assert found.confidence_interval() == pytest.approx(expected)
    with pytest.raises(ValueError, match="needs the sizes of splits"):
        stats.t_estimate(stats.Scores(values, unit="split"))
    seeds = stats.t_estimate(stats.Scores(values, unit="seed"))
    assert seeds.standard_error == pytest.approx(sps.sem(values)) and seeds.df == 24


def test_cross_validation_has_the_two_variances_of_bayle():
    folds = np.arange(60) % 6
    every = stats.cross_validation_estimate(LOSSES, folds)
    within = stats.cross_validation_estimate(LOSSES, folds, variance="within-fold")
    ours = math.sqrt(np.mean((LOSSES - LOSSES.mean()) ** 2) / 60)
    inside = math.sqrt(np.mean([LOSSES[folds == k].var(ddof=1) for k in range(6)]) / 60)
    assert every.standard_error == pytest.approx(ours)
    assert within.standard_error == pytest.approx(inside)
    assert every.confidence_interval() == pytest.approx(
        sps.norm.interval(0.95, LOSSES.mean(), ours)
    )


def nested(n_folds=4, size=6):
    drawn = np.random.default_rng(0)
    sizes = size, size * (n_folds - 1)
    return [drawn.normal(0, 1, (3, n_folds, each)).tolist() for each in sizes]


def every_bootstrap_sample(n):
    """Counts of all n^n samples, which are equally likely."""
    return np.array([np.bincount(rows, minlength=n) for rows in product(range(n), repeat=n)])


def test_the_influence_of_a_row_is_the_derivative_in_its_weight():
    # All 256 samples of four rows. Scores depend on the sample: a mean of the rows drawn,
    # against the row. With other weights of the rows the samples have other probabilities.
    n = 4
    x = np.array([0.3, 1.1, -0.4, 2.0])
    counts = every_bootstrap_sample(n)
    scores = -(((counts @ x / n)[:, None] - x) ** 2)

    def leave_one_out(weights):
        chance = np.prod(weights**counts, axis=1)
        out = counts == 0
        by_row = (chance[:, None] * out * scores).sum(axis=0) / (chance @ out)
        return weights @ by_row

    found = stats.out_of_bag_estimate(scores, counts, kind="oob")
    even, step = np.full(n, 1 / n), 1e-6
    assert found.estimate == pytest.approx(leave_one_out(even))
    slopes = [
        (leave_one_out(even + step * towards) - leave_one_out(even - step * towards)) / step / 2
        for towards in np.eye(n) - even
    ]
    # The variance is the sum of their squares, less the noise of the samples.
    assert 0 < found.noise < 1
    whole = found.standard_error**2 / (1 - found.noise)
    assert whole == pytest.approx(np.sum(np.square(slopes)) / n**2, rel=1e-6)


def bootstrapped(n_samples=300, seed=0):
    drawn, n = np.random.default_rng(seed), 40
    x = drawn.normal(size=n)
    rows = drawn.integers(n, size=(n_samples, n))
    counts = np.array([np.bincount(own, minlength=n) for own in rows])
    return x, counts, -(((counts @ x / n)[:, None] - x) ** 2)


within = partial(stats.cross_validation_estimate, variance="within-fold")
test_what_does_not_fit_is_refused = refusals([
    (lambda: stats.holdout_estimate([1.0]), "at least 2 instances"),
    (lambda: stats.holdout_estimate([1, 0, 1], interval="wald"), "wald"),
    (lambda: stats.holdout_estimate(LOSSES, groups=np.arange(60) % 4), "6 groups"),
    (lambda: stats.cross_validation_estimate(LOSSES, np.zeros(60)), "one fold"),
    (lambda: stats.cross_validation_estimate(LOSSES, np.zeros(5)), "shapes of folds"),
    (lambda: within(LOSSES, np.arange(60)), "two rows in every fold"),
    (lambda: stats.nested_cv_estimate(*nested(n_folds=2)), "3 folds or more"),
    (lambda: stats.nested_cv_estimate(nested()[0], nested(size=7)[1]), "inner scores"),
    (lambda: stats.out_of_bag_estimate([[1.0, 1.0]], [[1, 1]]), "was never tested"),
    (lambda: stats.out_of_bag_estimate([[1.0]], [[0]], kind="623"), "623"),
    (lambda: stats.out_of_bag_estimate([[1.0]], [[0]]), "training_scores"),
])  # fmt: skip


def estimates():
    _, counts, scores = bootstrapped()
    pair = stats.PairedScores(RIGHT, 1 - RIGHT, unit="instance")
    yield stats.holdout_estimate(RIGHT)
    yield stats.holdout_estimate(LOSSES).within(0.0, None)
    yield stats.nested_cv_estimate(*nested())
    yield stats.out_of_bag_estimate(scores, counts, kind="oob")
    sample = stats.Predictions(LOSSES, {"a": LOSSES + 1}, lambda y, p: np.median(y - p))
    yield stats.holdout_estimate(sample, n_resamples=50, rng=0)
    outcome = stats.mcnemar(stats.AgreementTable.from_scores(pair))
    yield stats.Estimate(method="m", estimand="e", unit="instance", n_units=60, law=outcome.law)


@in_one_test("estimate", list(estimates()), ids=lambda found: found.method)
def test_estimates_keep_their_contract(estimate):
    written = json.dumps(estimate.to_dict(), allow_nan=False)
    restored = stats.Estimate.from_dict(json.loads(written))
    for level in (0.5, 0.8, 0.95):
        low, high = estimate.confidence_interval(level)
        assert restored.confidence_interval(level) == pytest.approx((low, high), nan_ok=True)
        assert math.isnan(low) or low <= estimate.estimate <= high or estimate.method == "m"
    narrow, wide = estimate.confidence_interval(0.8), estimate.confidence_interval(0.99)
    assert math.isnan(wide.low) or wide.low <= narrow.low <= narrow.high <= wide.high
    assert estimate.estimand and estimate.method and estimate.n_units


def test_without_variance_there_is_no_interval_and_bounds_are_kept():
    still = stats.holdout_estimate(np.full(40, 0.5))
    assert all(map(math.isnan, still.confidence_interval()))
    barely = stats.holdout_estimate(LOSSES - LOSSES.mean() + 0.01).within(0.0, None)
    assert barely.confidence_interval().low == 0.0


def test_the_training_scores_have_their_weight_in_the_variance_of_632():
    """By the parallelogram: V(2t) + V(-2t) - V(t) - V(-t) = 6 (0.368 / n)^2 sum (t - mean t)^2.

    The variance is a sum of squares of 0.368 (t_i - mean t) + 0.632 u_i over n^2, less noise
    that no training score changes; in V(t) + V(-t) the products with u_i cancel.
    """
    rng = np.random.default_rng(0)
    n = 40
    drawn = rng.integers(n, size=(2000, n))
    counts = np.array([np.bincount(rows, minlength=n) for rows in drawn])
    scores = np.tile(rng.normal(0.8, 0.3, n), (2000, 1))
    training = rng.normal(0.0, 3.0, n)

    def variance(training):
        found = stats.out_of_bag_estimate(scores, counts, kind="632", training_scores=training)
        assert found.noise < 1  # else it is a bound and no estimate
        return found.standard_error**2

    once, twice = (variance(k * training) + variance(-k * training) for k in (1, 2))
    squares = np.sum((training - training.mean()) ** 2)
    assert twice - once == pytest.approx(6 * (0.368 / n) ** 2 * squares, rel=1e-9)


def test_the_out_of_bag_scores_have_their_weight_in_the_variance_of_632():
    """Training scores that are all alike only shift it: the error is 0.632 of that without."""
    _, counts, scores = bootstrapped(n_samples=400, seed=0)
    apart = stats.out_of_bag_estimate(scores, counts, kind="oob")
    alike = np.full(scores.shape[1], -0.1)
    found = stats.out_of_bag_estimate(scores, counts, kind="632", training_scores=alike)
    assert 0.01 < apart.noise < 0.9  # noise is taken off, and the error is no bound
    assert found.noise == pytest.approx(apart.noise, rel=1e-9)
    assert found.standard_error == pytest.approx(0.632 * apart.standard_error, rel=1e-9)


TRUTH = RNG.integers(0, 2, 120)
LABELS = {
    name: np.where(RNG.random(120) < share, TRUTH, 1 - TRUTH)
    for name, share in (("a", 0.9), ("b", 0.7), ("c", 0.6))
}
VALUES = {name: TRUTH + RNG.normal(size=120) * size for name, size in (("a", 0.5), ("b", 1.0))}
GROUPS = np.repeat(np.arange(30), 4)
NUMBERS = RNG.normal(size=(12, 3))


def limits(report):
    """Score and interval of every system by itself."""
    rows = report.summary_table().rows
    return {row["system"]: [row[key] for key in ("score", "low", "high")] for row in rows}


def t_of(values, level=0.95):
    """Student's t interval of a mean, by SciPy."""
    return [np.mean(values), *reference.ttest_1samp(values, 0).confidence_interval(level)]


def wilson(right, n):
    found = reference.binomtest(int(right), n).proportion_ci(method="wilson")
    return [right / n, *found]


@in_one_test("unit", ["instance", "dataset", "seed"])
def test_independent_units_have_students_t(unit):
    table = compare_scores(stats.ScoreTable(NUMBERS, unit=unit), confidence_level=0.9)
    for place, found in limits(table).items():
        assert found == pytest.approx(t_of(NUMBERS[:, int(place[-1]) - 1], 0.9))
    pair = compare_scores(stats.PairedScores(NUMBERS[:, 1], NUMBERS[:, 2], unit=unit))
    assert limits(pair)["B"] == pytest.approx(t_of(NUMBERS[:, 2]))


def test_right_and_wrong_rows_have_wilsons_interval():
    right = {name: labels == TRUTH for name, labels in LABELS.items()}
    found = limits(compare_predictions(TRUTH, LABELS, metric="accuracy"))
    wrong = limits(compare_predictions(TRUTH, LABELS, metric="zero_one_loss"))
    scored = limits(compare_scores(stats.ScoreTable(right, unit="instance")))
    for name, rows in right.items():
        share, low, high = wilson(rows.sum(), 120)
        assert found[name] == scored[name] == pytest.approx([share, low, high])
        assert wrong[name] == pytest.approx([1 - share, 1 - high, 1 - low])


def test_groups_have_a_variance_of_sums():
    right = {name: (LABELS[name] == TRUTH).astype(float) for name in "ab"}
    labels = {name: LABELS[name] for name in "ab"}
    for report in (
        compare_scores(stats.PairedScores(*right.values(), groups=GROUPS)),
        compare_scores(stats.ScoreTable(right, groups=GROUPS)),
        compare_predictions(TRUTH, labels, metric="accuracy", groups=GROUPS),
    ):
        for rows, found in zip(right.values(), limits(report).values(), strict=True):
            # Of groups of one size it is the t interval of their means.
            assert found == pytest.approx(t_of(rows.reshape(30, 4).mean(axis=1)))


def delong_error(truth, scores):
    """Standard error of an area, by its placements as DeLong et al. define them."""
    positive, negative = scores[truth == 1], scores[truth == 0]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    return math.sqrt(
        wins.mean(axis=1).var(ddof=1) / len(positive)
        + wins.mean(axis=0).var(ddof=1) / len(negative)
    )


def test_areas_have_delongs_variance_on_the_scale_of_the_logit():
    found = limits(compare_predictions(TRUTH, VALUES, metric="roc_auc"))
    for name, values in VALUES.items():
        area, error = roc_auc_score(TRUTH, values), delong_error(TRUTH, values)
        logit, reach = math.log(area / (1 - area)), 1.959964 * error / (area * (1 - area))
        ends = [1 / (1 + math.exp(-(logit + side * reach))) for side in (-1, 1)]
        assert found[name] == pytest.approx([area, *ends])


def test_folds_with_rows_have_the_projection_of_the_system_alone():
    rng = np.random.default_rng(2)
    folds = np.array([rng.permutation(40) % 2 for _ in range(6)])
    values = rng.normal(size=(6, 40, 3))
    rows = stats.RowContributions(values, folds)
    means = rows.fold_means(values).reshape(-1, 3)
    table = stats.ScoreTable(means, rows=rows, n_repeats=6, systems=list("abc"))
    found = limits(compare_scores(table))
    pair = limits(compare_scores(table.pair("b", "c")))
    for place, name in enumerate("abc"):
        alone = stats.Scores(means[:, place], rows=rows.of([place]), n_repeats=6)
        estimate = stats.t_estimate(alone)
        expected = [estimate.estimate, *estimate.confidence_interval()]
        assert found[name] == pair.get(name, expected) == pytest.approx(expected)


def test_seeds_of_single_systems_have_students_t():
    seeds = {"a": [0.1, 0.3, 0.2], "b": [0.5, 0.4], "c": [0.7, 0.5, 0.5]}
    sample = stats.SeedScores(seeds)
    for asked in (sample, sample.pair("a", "b")):
        for name, found in limits(compare_scores(asked)).items():
            assert found == pytest.approx(t_of(seeds[name]))


def test_rows_that_are_all_right_are_counted_once():
    X = np.arange(80)[:, None] // 40
    systems = {"tree": DecisionTreeClassifier(), "most": DummyClassifier()}
    found = limits(compare_estimators(systems, X, X[:, 0], random_state=0))
    assert found["tree"] == pytest.approx(wilson(80, 80))


@in_one_test("sample, why", [
    (stats.PairedScores([1.0, 2, 3], [2.0, 1, 2], unit="instance", ordered=True), "in time"),
    (stats.ScoreTable([[1.0, None, 2], [2, 3, 1], [1, 2, 4]], unit="dataset"), "are missing"),
])  # fmt: skip
def test_where_there_is_none_the_reason_is_told(sample, why):
    found = compare_scores(sample)
    assert all(np.isnan(ends).all() for _, *ends in limits(found).values())
    assert why in " ".join(found.summary_table().to_text().split())
