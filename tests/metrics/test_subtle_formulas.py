"""What is subtle in a formula: classes that come and go, noise of floats, clipping, ties."""

import numpy as np
import pytest
from sklearn import metrics as sk

from skstat.metrics import as_metric
from skstat.stats import Predictions
from tests.metrics.specs import CALLED, SPECS, Rows, Spec, agree, called, resamples, swapped

pytestmark = pytest.mark.usefixtures("quick")


def test_present_classes_are_those_of_truth_or_of_the_systems_own_predictions():
    # Class 2 is only in b's predictions: it lowers b's macro F1 and leaves a's alone.
    outputs = {"a": [0, 1, 1, 0], "b": [0, 1, 2, 0]}
    predictions = Predictions([0, 1, 1, 0], outputs, as_metric("f1_macro"))
    a, b = predictions.kernel.scores
    assert a == 1
    assert b == pytest.approx((1 + 2 / 3 + 0) / 3)
    fixed = predictions.with_(metric=as_metric("f1_macro", labels=[0, 1, 2]))
    assert fixed.kernel.scores[0] == pytest.approx(2 / 3)


def test_a_class_of_rows_without_weight_is_left_to_scikit_learn():
    # It counts in a macro average although no sum shows it: here in a resample, where the
    # other row of class 2 is missing.
    y, weight = np.array([0, 1, 1, 2, 2]), np.array([1.0, 1.0, 2.0, 0.0, 1.0])
    outputs = {"a": np.array([0, 1, 0, 1, 2]), "b": np.array([0, 1, 1, 1, 2])}
    for name in ("f1_macro", "precision_weighted", "f1_micro", "balanced_accuracy"):
        metric = as_metric(name)
        predictions = Predictions(y, outputs, metric, sample_weight=weight)
        assert (predictions.kernel.how == CALLED) == (name == "f1_macro")
        if predictions.kernel.how == CALLED:
            drawn = np.array([0, 1, 1, 2, 3])
            found = predictions.kernel.weighted(np.array([[1, 2, 1, 1, 0]]))[0]
            direct = [metric(y[drawn], out[drawn], weight[drawn]) for out in outputs.values()]
            assert found.tolist() == direct
        direct = [metric(y, out, weight) for out in outputs.values()]
        assert predictions.kernel.scores.tolist() == direct


@pytest.mark.parametrize("name", ["matthews_corrcoef", "kappa"])
def test_constant_labels_under_weights(name):
    # Truth and predictions of one class in a resample: 0 and undefined, not float noise.
    metric = as_metric(sk.cohen_kappa_score if name == "kappa" else name)
    y = np.array([0] * 9 + [1])
    outputs = {"a": np.array([0] * 10), "b": np.array([0] * 8 + [1, 1])}
    rng = np.random.default_rng(21)
    predictions = Predictions(y, outputs, metric, sample_weight=rng.random(10))
    weights = np.zeros((50, 10), dtype=int)
    weights[:, :8] = rng.multinomial(10, np.full(8, 1 / 8), 50)
    scores = predictions.kernel.weighted(weights)
    expected = 0.0 if name == "matthews_corrcoef" else np.nan
    np.testing.assert_array_equal(scores, np.full((50, 2), expected))


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("kinds", ["few", "many"])
def test_classes_that_all_swap_away_are_gone(kinds):
    # What is left of float weights when a class is no more predicted is no prediction of it.
    rng = np.random.default_rng(0)
    n = 1000  # the order in which a product adds up depends on its size
    weight = rng.random(n) if kinds == "many" else rng.choice([0.1, 0.7, 1.3], n)
    y, a, b = rng.integers(0, 2, (3, n))
    a[rng.random(n) < 0.3] = 2  # of which b knows nothing
    rows = Rows(y, {"a": a, "b": b})
    spec = SPECS["f1 macro"]
    predictions = rows.predictions(spec, "ab", sample_weight=weight)
    flips = np.where(a == 2, 1, rng.integers(0, 2, (200, n)))
    found = predictions.kernel.swapped(flips)
    agree(found, swapped(spec, rows, flips, weight), 1e-12)


def test_probabilities_of_0_and_1_are_clipped_as_in_scikit_learn():
    y = np.array([0, 1, 1, 0])
    for dtype in (np.float64, np.float32):
        p = np.array([0, 1, 0, 1], dtype=dtype)
        for outputs in (p, np.column_stack([1 - p, p])):
            both = {"a": outputs, "b": np.full_like(outputs, 0.5)}
            predictions = Predictions(y, both, as_metric("neg_log_loss"))
            assert predictions.kernel.how != CALLED
            direct = -sk.log_loss(y, p)
            error = 1e-12 if dtype == np.float64 else 1e-6
            assert predictions.kernel.scores[0] == pytest.approx(direct, rel=error)


@pytest.mark.parametrize("shift", [0, 1e6, -1e6])
def test_variance_shares_survive_a_large_mean(shift):
    rng = np.random.default_rng(24)
    y = rng.integers(0, 80, 30) / 8 + shift
    outputs = {name: y + rng.integers(-8, 9, 30) / 8 for name in "ab"}
    outputs["b"] += shift  # an error that is large, and constant but for a little
    for function in (sk.r2_score, sk.explained_variance_score):
        kernel = Predictions(y, outputs, as_metric(function)).kernel
        weights = resamples(rng, 20, 30)
        weights = weights[(weights > 0).sum(axis=1) > 3]
        spec = Spec(function, "numbers")
        agree(kernel.weighted(weights), called(spec, Rows(y, outputs), weights, "ab"), 1e-11)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_rank_metrics_are_undefined_without_a_class(metric):
    y = np.array([0, 0, 1, 1])
    outputs = {"a": np.array([0.1, 0.4, 0.3, 0.4]), "b": np.array([0.2, 0.2, 0.2, 0.9])}
    kernel = Predictions(y, outputs, as_metric(metric)).kernel
    scores = kernel.weighted(np.array([[2, 2, 0, 0], [0, 0, 1, 3], [0, 0, 0, 0]]))
    assert np.isnan(scores[[0, 2]]).all()
    assert np.isnan(scores[1]).all() == (metric == "roc_auc")
    ovr = as_metric("roc_auc_ovr_weighted")
    P = np.eye(3)[[0, 1, 2, 0]] * 0.5 + 1 / 6
    three = Predictions([0, 1, 2, 0], {"a": P, "b": P[::-1]}, ovr).kernel
    # As in scikit-learn a class that is not there weighs nothing in the weighted mean,
    # and a class alone has no AUC; in the plain mean every class counts.
    weights = np.array([[2, 2, 0, 0], [2, 0, 0, 2], [0, 0, 0, 0]])
    found = three.weighted(weights)
    drawn = np.array([0, 0, 1, 1])
    by_hand = [
        np.mean([sk.roc_auc_score(drawn == label, out[drawn, label]) for label in (0, 1)])
        for out in (P, P[::-1])
    ]
    np.testing.assert_allclose(found[0], by_hand)
    assert np.isnan(found[1:]).all()
    plain = Predictions([0, 1, 2, 0], {"a": P, "b": P[::-1]}, as_metric("roc_auc_ovr")).kernel
    assert np.isnan(plain.weighted(weights)).all()


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_many_rows_are_drawn_to_first_order(metric):
    # Blocks of units stand for 66,000 of them, unless one of the classes is small.
    n, rng = 66_000, np.random.default_rng(8)
    for n_positive in (n // 3, 4_000):
        truth = rng.permutation((np.arange(n) < n_positive).astype(int))
        outputs = {name: truth + rng.normal(size=n).round(2) for name in "ab"}
        kernel = Predictions(truth, outputs, as_metric(metric)).kernel
        few = kernel.resampled
        if n_positive == 4_000:
            assert few is kernel
            continue
        assert few.plan.n_units < 20_000
        np.testing.assert_allclose(few.scores, kernel.scores, rtol=1e-9)
        # A standard error of 1,000 replicates has a relative error of 2.2 %.
        drawn = few.weighted(few.plan.weights(rng, 1_000))
        own = np.sqrt((kernel.influence() ** 2).sum(axis=0)) / n
        np.testing.assert_allclose(drawn.std(axis=0), own, rtol=0.1)
