"""How good one system of a sample is: the estimate is that of the system alone."""

import math

import numpy as np
import pytest
from scipy import stats as reference
from sklearn.dummy import DummyClassifier
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_estimators, compare_predictions, compare_scores, stats
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
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


@in_one_test(
    "report, why",
    [
        (
            lambda: compare_scores(
                stats.PairedScores([1.0, 2, 3], [2.0, 1, 2], unit="instance", ordered=True)
            ),
            "in time",
        ),
        (
            lambda: compare_scores(
                stats.ScoreTable([[1.0, None, 2], [2, 3, 1], [1, 2, 4]], unit="dataset")
            ),
            "scores are missing",
        ),
    ],
)
def test_where_there_is_none_the_reason_is_told(report, why):
    found = report()
    assert all(np.isnan(ends).all() for _, *ends in limits(found).values())
    assert why in " ".join(found.summary_table().to_text().split())
