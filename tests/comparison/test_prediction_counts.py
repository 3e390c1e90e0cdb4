"""Comparisons from counts of rows say what comparisons of the rows say."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score, mean_absolute_error, zero_one_loss

from skstat import compare_predictions
from skstat.metrics import as_metric, cost_sensitive_scorer
from skstat.stats import PredictionCounts, Predictions
from skstat.stats._samples import counted_predictions

N = 1_200
# Labels and numbers, means and others, balanced over classes or not.
METRICS = (
    "accuracy",
    "f1_macro",
    "f1_weighted",
    "balanced_accuracy",
    "matthews_corrcoef",
    "neg_mean_absolute_error",
    "neg_root_mean_squared_error",
    "r2",
)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = rng.choice(4, N, p=[0.5, 0.3, 0.15, 0.05])
    outputs = {
        name: np.where(rng.random(N) < accuracy, y, rng.integers(0, 4, N))
        for name, accuracy in (("a", 0.8), ("b", 0.7), ("c", 0.78))
    }
    return y, outputs


@pytest.fixture(scope="module")
def counts(rows):
    return PredictionCounts.from_rows(*rows)


def pair_of(rows):
    y, outputs = rows
    return y, {name: outputs[name] for name in ("a", "b")}


@pytest.mark.parametrize("metric", METRICS)
def test_scores_and_influence_are_those_of_the_rows(rows, counts, metric):
    metric = as_metric(metric)
    plain = Predictions(*rows, metric, draw="rows")
    counted = counted_predictions(counts, metric, joint=True)
    assert counted.n_rows == N
    # An R2 near 0 is what is left of 1, with the rounding of 1.
    np.testing.assert_allclose(counted.scores, plain.scores, rtol=1e-12, atol=1e-13)
    # One value for each kind of row, to be found again for each of the rows.
    of_kind = {
        kind: counted.kernel.jackknife()[number]
        for number, kind in enumerate(zip(counts.y_true, *counts.outputs.values(), strict=True))
    }
    of_row = [of_kind[kind] for kind in zip(rows[0], *rows[1].values(), strict=True)]
    np.testing.assert_allclose(of_row, plain.kernel.jackknife(), rtol=1e-10)


def test_mcnemar_is_the_same_to_the_last_bit(rows, counts):
    by_rows = compare_predictions(*pair_of(rows), metric="accuracy")
    by_counts = compare_predictions(counts.of("a", "b"), metric="accuracy")
    assert by_counts.test == by_rows.test
    assert by_counts.pvalue == by_rows.pvalue
    assert by_counts.confidence_interval() == by_rows.confidence_interval()
    assert by_counts.evidence.outcome.to_dict() == by_rows.evidence.outcome.to_dict()


@pytest.mark.parametrize("metric", ["f1_macro", "neg_mean_absolute_error"])
@pytest.mark.parametrize("test", ["paired_permutation", "paired_bootstrap"])
def test_draws_follow_the_law_of_the_rows(rows, counts, metric, test):
    options = {"metric": metric, "test": test, "random_state": 0, "n_resamples": 4_999}
    by_rows = compare_predictions(*pair_of(rows), **options)
    by_counts = compare_predictions(counts.of("a", "b"), **options)
    np.testing.assert_allclose(
        by_counts.evidence.outcome.estimate, by_rows.evidence.outcome.estimate, rtol=1e-12
    )
    np.testing.assert_allclose(
        by_counts.evidence.outcome.standard_error,
        by_rows.evidence.outcome.standard_error,
        rtol=0.06,
    )
    width = np.ptp(by_rows.confidence_interval())
    np.testing.assert_allclose(
        by_counts.confidence_interval(), by_rows.confidence_interval(), atol=0.05 * width
    )


def test_facts_of_the_report_count_rows_and_not_kinds(rows, counts):
    options = {"metric": "f1_macro", "random_state": 0, "n_resamples": 999}
    by_rows = compare_predictions(*pair_of(rows), **options)
    by_counts = compare_predictions(counts.of("a", "b"), **options)
    assert by_counts.design["notes"][0] == by_rows.design["notes"][0] == f"{N} rows"
    assert [doubt.code for doubt in by_counts.doubts] == [d.code for d in by_rows.doubts]
    few = np.arange(N) % 40 == 0  # a class of one or two rows, about which there is a doubt
    y, outputs = pair_of(rows)
    few_rows = y[few], {name: output[few] for name, output in outputs.items()}
    counted = PredictionCounts.from_rows(*few_rows)
    by_rows = compare_predictions(*few_rows, **options)
    by_counts = compare_predictions(counted, **options)
    assert by_rows.doubts
    assert [str(doubt) for doubt in by_counts.doubts] == [str(d) for d in by_rows.doubts]


def test_a_mean_is_drawn_by_the_kinds_that_it_tells_apart(counts):
    metric = as_metric("accuracy")
    alone = counted_predictions(counts.of("a", "b"), metric)
    joint = counted_predictions(counts.of("a", "b"), metric, joint=True)
    assert alone.kernel.plan.n_atoms == 4 < joint.kernel.plan.n_atoms
    assert alone.kernel.plan.n_units == joint.kernel.plan.n_units == N
    np.testing.assert_array_equal(alone.scores, joint.scores)


def test_costs_are_a_mean_too(rows, counts):
    cost = cost_sensitive_scorer(1 - np.eye(4))
    by_rows = compare_predictions(*pair_of(rows), metric=cost, random_state=0)
    by_counts = compare_predictions(
        counts.of("a", "b"), metric=cost, random_state=0, test="paired_permutation"
    )
    np.testing.assert_allclose(
        by_counts.evidence.outcome.estimate, by_rows.evidence.outcome.estimate, rtol=1e-12
    )


def test_several_systems_have_the_scores_and_pairs_of_the_rows(rows, counts):
    options = {"metric": "accuracy", "random_state": 0}
    by_rows, by_counts = (
        compare_predictions(*rows, **options),
        compare_predictions(counts, **options),
    )
    assert by_counts.may_be_best == by_rows.may_be_best
    for ours, theirs in zip(by_counts.pairs, by_rows.pairs, strict=True):
        assert (ours[:2], ours.estimate) == (theirs[:2], theirs.estimate)
        assert ours.adjusted == pytest.approx(theirs.adjusted, abs=0.03)
    holm = compare_predictions(counts, adjustment="holm", **options)
    same = compare_predictions(*rows, adjustment="holm", **options)
    assert holm.pairs.column("pvalue") == same.pairs.column("pvalue")


def test_the_same_for_any_n_jobs_and_order_of_the_parts(rows):
    y, outputs = pair_of(rows)
    parts = [
        PredictionCounts.from_rows(y[i::3], {name: out[i::3] for name, out in outputs.items()})
        for i in range(3)
    ]
    options = {"metric": ["f1_macro", "accuracy"], "random_state": 0, "n_resamples": 499}
    one = compare_predictions(sum(parts), n_jobs=1, **options)
    other = compare_predictions(sum(pickle.loads(pickle.dumps(parts[::-1]))), **options)
    assert one.to_dict() == other.to_dict()


@pytest.mark.long
def test_means_of_a_billion_rows_need_no_array_of_them(rows):
    y, outputs = pair_of(rows)
    counts = PredictionCounts(y, outputs, np.full(N, 1_000_000))
    options = {"test": "paired_permutation", "random_state": 0, "n_resamples": 199}
    tracemalloc.start()
    reports = [
        compare_predictions(counts, metric=metric, **options)
        for metric in ("accuracy", "neg_mean_absolute_error")
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
    for report, error in zip(reports, (zero_one_loss, mean_absolute_error), strict=True):
        expected = error(y, outputs["b"]) - error(y, outputs["a"])
        assert report.evidence.outcome.estimate == pytest.approx(expected, rel=1e-12)
    # Signs of so many units are normal: with a correction for whole numbers.
    near = PredictionCounts([1, 1], {"a": [1, 0], "b": [0, 1]}, [50_005_000, 49_995_000])
    close = compare_predictions(near, metric="accuracy", test="paired_permutation")
    assert close.pvalue == pytest.approx(2 * stats.norm.sf(9_999 / 10_000), rel=1e-6)


def test_a_billion_rows(rows):
    y, outputs = pair_of(rows)
    counts = PredictionCounts(y, outputs, np.full(N, 1_000_000))
    assert counts.n_rows == 1_200_000_000
    report = compare_predictions(counts, metric="f1_macro", random_state=0, n_resamples=199)
    expected = [f1_score(y, outputs[name], average="macro") for name in ("a", "b")]
    assert report.evidence.outcome.estimate == pytest.approx(
        expected[0] - expected[1], rel=1e-12
    )
    assert report.evidence.outcome.standard_error < 1e-4


@pytest.mark.parametrize(
    "argument", ["predictions", "groups", "sample_weight", "strata", "order"]
)
def test_what_belongs_to_rows_is_refused(rows, counts, argument):
    with pytest.raises(ValueError, match=f"{argument}= belongs to single rows.*pass the rows"):
        compare_predictions(counts, metric="accuracy", **{argument: rows[0]})


def test_seeds_are_refused(counts):
    with pytest.raises(ValueError, match="seeds= belongs to single rows"):
        compare_predictions(counts, metric="accuracy", seeds="crossed")


@pytest.mark.parametrize("test", ["paired_t", "sign_flip", "clustered_t", "diebold_mariano"])
def test_tests_of_rows_are_refused(counts, test):
    with pytest.raises(ValueError, match="needs the rows themselves.*paired_permutation"):
        compare_predictions(counts.of("a", "b"), metric="accuracy", test=test)


def test_metrics_that_are_no_sums_are_refused(counts):
    def share(y_true, y_pred):
        return float(np.mean(y_true == y_pred))

    with pytest.raises(ValueError, match="not a function of sums over rows.*pass the rows"):
        compare_predictions(counts, metric=share)
    scores = PredictionCounts(
        [0, 1, 1], {"a": [0.1, 0.9, 0.4], "b": [0.2, 0.7, 0.8]}, [5, 5, 5]
    )
    with pytest.raises(ValueError, match="metric='roc_auc' is not a function of sums"):
        compare_predictions(scores, metric="roc_auc")


def test_one_system_is_not_compared(counts):
    with pytest.raises(ValueError, match="at least 2 are compared"):
        compare_predictions(counts.of("a"), metric="accuracy")
