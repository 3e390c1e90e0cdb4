"""How good one system of a sample is: the estimate is that of the system alone."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as reference
from sklearn.metrics import roc_auc_score

from skstat import stats
from skstat.metrics import as_metric
from skstat.stats._own_estimates import NoOwnEstimateError, needs_rows, own_estimate

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 120)
LABELS = {
    name: np.where(RNG.random(120) < share, TRUTH, 1 - TRUTH)
    for name, share in (("a", 0.9), ("b", 0.7), ("c", 0.6))
}
VALUES = {name: TRUTH + RNG.normal(size=120) * size for name, size in (("a", 0.5), ("b", 1.0))}
GROUPS = np.repeat(np.arange(30), 4)
NUMBERS = RNG.normal(size=(12, 3))


def limits(estimate, level=0.95):
    return [estimate.estimate, *estimate.confidence_interval(level)]


def t_of(values, level=0.95):
    """Student's t interval of a mean, by SciPy."""
    return [np.mean(values), *reference.ttest_1samp(values, 0).confidence_interval(level)]


def wilson(right, n):
    found = reference.binomtest(int(right), n).proportion_ci(method="wilson")
    return [right / n, *found]


@pytest.mark.parametrize("unit", ["instance", "dataset", "seed"])
def test_independent_units_have_students_t(unit):
    table = stats.ScoreTable(NUMBERS, unit=unit)
    pair = stats.PairedScores(NUMBERS[:, 1], NUMBERS[:, 2], unit=unit)
    for place in range(3):
        found = own_estimate(table, place)
        assert limits(found, 0.9) == pytest.approx(t_of(NUMBERS[:, place], 0.9))
        assert found.unit == unit and found.n_units == 12
    assert limits(own_estimate(pair, 1)) == pytest.approx(t_of(NUMBERS[:, 2]))
    alone = stats.Scores(NUMBERS[:, 0], unit=unit)
    assert limits(own_estimate(alone, 0)) == pytest.approx(t_of(NUMBERS[:, 0]))


def test_right_and_wrong_rows_have_wilsons_interval():
    right = {name: labels == TRUTH for name, labels in LABELS.items()}
    pair = stats.PairedScores(right["a"], right["b"], unit="instance")
    expected = [wilson(rows.sum(), 120) for rows in right.values()]
    counted = stats.AgreementTable.from_scores(pair)
    for sample in (pair, counted, stats.Predictions(TRUTH, LABELS, as_metric("accuracy"))):
        for place in (0, 1):
            assert limits(own_estimate(sample, place)) == pytest.approx(expected[place])
    wrong = own_estimate(stats.Predictions(
        TRUTH, {name: LABELS[name] for name in "ab"}, as_metric("zero_one_loss")
    ), 1)  # fmt: skip
    share, low, high = expected[1]
    assert limits(wrong) == pytest.approx([share - 1, low - 1, high - 1])
    successes = stats.Successes(int(right["c"].sum()), 120)
    assert limits(own_estimate(successes, 0)) == pytest.approx(expected[2])


def test_groups_have_a_variance_of_sums():
    right = [(LABELS[name] == TRUTH).astype(float) for name in "ab"]
    clustered = stats.PairedScores(*right, groups=GROUPS)
    table = stats.ScoreTable(np.column_stack(right), groups=GROUPS)
    rows = stats.Predictions(
        TRUTH, {name: LABELS[name] for name in "ab"}, as_metric("accuracy"), groups=GROUPS
    )
    for place in (0, 1):
        # Of groups of one size it is the t interval of their means.
        expected = t_of(right[place].reshape(30, 4).mean(axis=1))
        for sample in (clustered, table, rows):
            assert limits(own_estimate(sample, place)) == pytest.approx(expected)


def test_too_few_groups_are_said():
    few = stats.PairedScores([1, 1, 0, 1], [1, 0, 0, 0], groups=[0, 0, 1, 2])
    with pytest.raises(NoOwnEstimateError, match="too few groups"):
        own_estimate(few, 0)


def delong_error(truth, scores):
    """Standard error of an area, by its placements as DeLong et al. define them."""
    positive, negative = scores[truth == 1], scores[truth == 0]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    return math.sqrt(
        wins.mean(axis=1).var(ddof=1) / len(positive)
        + wins.mean(axis=0).var(ddof=1) / len(negative)
    )


def test_areas_have_delongs_variance_on_the_scale_of_the_logit():
    sample = stats.BinaryScores.from_scores(TRUTH, VALUES)
    for place, values in enumerate(VALUES.values()):
        area, error = roc_auc_score(TRUTH, values), delong_error(TRUTH, values)
        logit, reach = math.log(area / (1 - area)), 1.959964 * error / (area * (1 - area))
        ends = [1 / (1 + math.exp(-(logit + side * reach))) for side in (-1, 1)]
        assert limits(own_estimate(sample, place)) == pytest.approx([area, *ends])
        assert limits(own_estimate(sample, place)) == pytest.approx([area, *ends])


def fold_table(n_repeats=6, n_folds=2, **halves):
    rng = np.random.default_rng(n_folds)
    folds = np.array([rng.permutation(40) % n_folds for _ in range(n_repeats)])
    values = (rng.random((n_repeats, 40, 3)) < 0.8).astype(float)
    rows = stats.RowContributions(values, folds)
    means = rows.fold_means(values).reshape(-1, 3)
    return stats.ScoreTable(means, rows=rows, n_repeats=n_repeats, unit="split", **halves)


def test_folds_with_rows_have_the_projection_of_the_system_alone():
    table = fold_table()
    pair = table.pair("system 2", "system 3")
    for place in (1, 2):
        alone = stats.Scores(table.scores[:, place], rows=table.rows.of([place]), n_repeats=6)
        expected = limits(stats.projection_estimate(alone).within(0, 1))
        assert limits(own_estimate(table, place, bounds=(0.0, 1.0))) == expected
        assert limits(own_estimate(pair, place - 1, bounds=(0.0, 1.0))) == expected
    # What was stored of them has no rows.
    assert needs_rows(table) and needs_rows(pair) and not needs_rows(replace(table, rows=None))


@pytest.mark.parametrize("n_repeats", [1, 5])
def test_rows_that_are_all_right_are_counted_once(n_repeats):
    folds = np.array([np.arange(40) % 4] * n_repeats)
    rows = stats.RowContributions(np.ones((n_repeats, 40, 1)), folds)
    sizes = {"n_repeats": n_repeats, "n_train": 30, "n_test": 10}
    sample = stats.Scores(np.ones(4 * n_repeats), rows=rows, **sizes)
    found = own_estimate(sample, 0, bounds=(0.0, 1.0))
    assert limits(found) == pytest.approx(wilson(40, 40))
    # Of a metric that is not known to be a share nothing is.
    assert np.isnan(own_estimate(sample, 0).confidence_interval().low)


def test_seeds_of_single_systems_have_students_t():
    seeds = stats.SeedScores({"a": [0.1, 0.3, 0.2], "b": [0.5, 0.4]})
    assert limits(own_estimate(seeds, 0)) == pytest.approx(t_of([0.1, 0.3, 0.2]))
    assert limits(own_estimate(seeds.pair("a", "b"), 1)) == pytest.approx(t_of([0.5, 0.4]))


@pytest.mark.parametrize(
    ("sample", "why"),
    [
        (
            stats.PairedScores([1.0, 2, 3], [2.0, 1, 2], unit="instance", ordered=True),
            "in time",
        ),
        (stats.PairedScores([1.0, 2, 3], [2.0, 1, 2], unit="split"), "sizes of the splits"),
        (
            stats.PairedScores([1.0, 2], [2.0, 1], n_train=2, n_test=1),
            "fewer than three splits",
        ),
        (
            stats.ScoreTable([[1.0, None], [2, 3], [1, 2]], unit="dataset"),
            "some scores are missing",
        ),
        (stats.SeedScores({"a": NUMBERS.T, "b": NUMBERS.T}), "no procedure for one system"),
    ],
)
def test_where_there_is_none_the_reason_is_told(sample, why):
    with pytest.raises(NoOwnEstimateError, match=why):
        own_estimate(sample, 1)
