"""Kernels of metrics of numbers and probabilities: precision, clipping, constant truths."""

import numpy as np
import pytest
from sklearn import metrics as sk

from skstat.metrics import as_metric
from skstat.metrics._rank_kernel import RankKernel
from skstat.stats import PairedPredictions, SumKernel
from tests.metrics.kernel_specs import SPECS, Rows, Spec, agree, called, resamples, rows_for

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(
    "spec",
    [
        spec
        for spec in SPECS.values()
        if spec.kind in ("numbers", "probabilities", "scores") and spec.n_outputs == 1
    ],
    ids=lambda spec: spec.function.__name__,
)
def test_single_precision_has_a_kernel_too(spec, dtype):
    rng = np.random.default_rng(23)
    rows = rows_for(spec, rng, 30)
    rows.outputs = {name: out.astype(dtype) for name, out in rows.outputs.items()}
    if spec.kind == "numbers":
        rows.y = rows.y.astype(dtype)
    kernel = rows.predictions(spec).kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    in_double = Rows(
        rows.y.astype(float) if spec.kind == "numbers" else rows.y,
        {name: out.astype(float) for name, out in rows.outputs.items()},
    )
    weights = resamples(rng, 20, 30)
    # The log loss clips at the precision of the probabilities it is given.
    expected = called(spec, rows if spec.function is sk.log_loss else in_double, weights)
    agree(kernel.weighted(weights), expected, 1e-11)


def test_probabilities_of_0_and_1_are_clipped_as_in_scikit_learn():
    y = np.array([0, 1, 1, 0])
    for dtype in (np.float64, np.float32):
        p = np.array([0, 1, 0, 1], dtype=dtype)
        for outputs in (p, np.column_stack([1 - p, p])):
            both = {"a": outputs, "b": np.full_like(outputs, 0.5)}
            predictions = PairedPredictions(y, both, as_metric("neg_log_loss"))
            assert isinstance(predictions.kernel, SumKernel)
            direct = -sk.log_loss(y, p)
            error = 1e-12 if dtype == np.float64 else 1e-6
            assert predictions.kernel.scores[0] == pytest.approx(direct, rel=error)


def test_one_hot_probabilities_may_be_whole_numbers():
    y = [0, 1, 2, 1]
    outputs = {"a": np.eye(3, dtype=int)[y], "b": np.full((4, 3), 1 / 3)}
    a, b = PairedPredictions(y, outputs, as_metric("neg_log_loss")).kernel.scores
    assert a == pytest.approx(0, abs=1e-15)
    assert b == pytest.approx(-np.log(3))


def test_constant_truth_in_a_resample():
    # Undefined, and no float noise: .1 has no exact mean, and no variance.
    y = np.array([0.1, 0.1, 0.1, 0.7])
    outputs = {"a": np.array([0.1, 0.1, 0.1, 0.2]), "b": np.array([0.3, 0.2, 0.1, 0.7])}
    for metric in ("r2", "explained_variance"):
        kernel = PairedPredictions(y, outputs, as_metric(metric)).kernel
        found = kernel.weighted(np.array([[1, 2, 1, 0], [0, 0, 0, 4], [3, 3, 3, 0]]))
        assert np.isnan(found).all()


@pytest.mark.parametrize("shift", [0, 1e6, -1e6])
def test_variance_shares_survive_a_large_mean(shift):
    rng = np.random.default_rng(24)
    y = rng.integers(0, 80, 30) / 8 + shift
    outputs = {name: y + rng.integers(-8, 9, 30) / 8 for name in "ab"}
    outputs["b"] += shift  # an error that is large, and constant but for a little
    for function in (sk.r2_score, sk.explained_variance_score):
        kernel = PairedPredictions(y, outputs, as_metric(function)).kernel
        weights = resamples(rng, 20, 30)
        weights = weights[(weights > 0).sum(axis=1) > 3]
        spec = Spec(function, "numbers")
        agree(kernel.weighted(weights), called(spec, Rows(y, outputs), weights, "ab"), 1e-11)
