"""Comparisons from counts of rows say what comparisons of the rows say."""

import pickle
import tracemalloc
from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score, mean_absolute_error, zero_one_loss

from skstat import compare_predictions
from skstat.metrics import cost_sensitive_scorer
from skstat.stats import Predictions
from tests.cases import in_one_test, refusals

N = 1_200
# Labels and numbers, means and others, balanced over classes or not.
METRICS = (
    *("accuracy", "f1_macro", "f1_weighted", "balanced_accuracy", "matthews_corrcoef"),
    *("neg_mean_absolute_error", "neg_root_mean_squared_error", "r2"),
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
    return Predictions(*rows, counts=np.ones(N, dtype=int))


def pair_of(rows):
    y, outputs = rows
    return y, {name: outputs[name] for name in ("a", "b")}


@in_one_test("metric", [*METRICS, cost_sensitive_scorer(1 - np.eye(4))])
def test_scores_and_their_errors_are_those_of_the_rows(rows, counts, metric):
    options = {"metric": metric, "random_state": 0, "n_resamples": 999}
    plain, counted = (
        compare_predictions(*given, test="paired_permutation", **options)
        for given in (pair_of(rows), (counts.pair("a", "b"),))
    )
    means = (report.systems.column("mean") for report in (counted, plain))
    # An R2 near 0 is what is left of 1, with the rounding of 1.
    np.testing.assert_allclose(*means, rtol=1e-12, atol=1e-13)
    assert counted.standard_error == pytest.approx(plain.standard_error, rel=0.1)
    assert (counted.n_units, counted.unit) == (plain.n_units, plain.unit) == (N, "instance")


def test_the_same_for_any_n_jobs_and_order_of_the_parts(rows):
    y, outputs = pair_of(rows)
    parts = [(y[i::3], *(out[i::3] for out in outputs.values())) for i in range(3)]
    options = {"metric": ["f1_macro", "accuracy"], "random_state": 0, "n_resamples": 499}
    ones = np.ones(N, dtype=int)
    one, other = (
        Predictions(y, {"a": a, "b": b}, counts=ones)
        for y, a, b in (np.hstack(parts), np.hstack(parts[::-1]))
    )
    one = compare_predictions(one, n_jobs=1, **options)
    other = compare_predictions(pickle.loads(pickle.dumps(other)), **options)
    assert one.to_dict() == other.to_dict()


@in_one_test("metric", ["accuracy", "f1_macro", "matthews_corrcoef"])
def test_three_systems_have_the_estimates_of_their_rows(rows, metric):
    truth, *outputs = (np.array(["w", "x", "y", "z"])[y] for y in (rows[0], *rows[1].values()))
    given = truth, dict(zip(rows[1], outputs, strict=True))
    counts = Predictions(*given, counts=np.ones(N, dtype=int))
    how = {"metric": metric, "random_state": 0, "n_resamples": 499}
    ours, theirs = (compare_predictions(*each, **how).pairs for each in ((counts,), given))
    assert ours.column("estimate") == pytest.approx(theirs.column("estimate"), abs=1e-12)


def test_a_billion_rows_need_no_array_of_them(rows):
    y, outputs = pair_of(rows)
    counts = Predictions(y, outputs, counts=np.full(N, 1_000_000))
    assert counts.n_rows == 1_200_000_000
    options = {"test": "paired_permutation", "random_state": 0, "n_resamples": 99}
    tracemalloc.start()
    for metric, error in (
        ("accuracy", zero_one_loss),
        ("neg_mean_absolute_error", mean_absolute_error),
        ("f1_macro", lambda y, p: 1 - f1_score(y, p, average="macro")),
    ):
        report = compare_predictions(counts, metric=metric, **options)
        expected = error(y, outputs["b"]) - error(y, outputs["a"])
        assert report.evidence.outcome.estimate == pytest.approx(expected, rel=1e-12)
        assert report.evidence.outcome.standard_error < 1e-4
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    # Signs of so many units are normal: with a correction for whole numbers.
    near = Predictions([1, 1], {"a": [1, 0], "b": [0, 1]}, counts=[50_005_000, 49_995_000])
    close = compare_predictions(near, metric="accuracy", test="paired_permutation")
    assert close.pvalue == pytest.approx(2 * stats.norm.sf(9_999 / 10_000), rel=1e-6)


def share(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


COUNTS = Predictions([0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 1]}, counts=[5, 5, 5])
SCORED = Predictions([0, 1, 1], {"a": [0.1, 0.9, 0.4], "b": [0.2, 0.7, 0.8]}, counts=[5, 5, 5])
ask = partial(compare_predictions, COUNTS, metric="accuracy")
test_what_belongs_to_rows_is_refused = refusals([
    *(
        (partial(ask, **{argument: "crossed" if argument == "seeds" else [0, 1, 1]}),
         f"{argument}= belongs to single rows")
        for argument in ("predictions", "groups", "sample_weight", "strata", "order", "seeds")
    ),
    *(
        (partial(ask, test=test), "needs the rows themselves.*paired_permutation")
        for test in ("paired_t", "sign_flip", "clustered_t", "diebold_mariano")
    ),
    (partial(compare_predictions, COUNTS, metric=share),
     "not a function of sums over rows.*pass the rows"),
    (partial(compare_predictions, SCORED, metric="roc_auc"),
     "metric='roc_auc' is not a function of sums"),
    (partial(compare_predictions, COUNTS.alone("a"), metric="accuracy"),
     "at least 2 are compared"),
])  # fmt: skip
