"""Every kernel against the metric itself, called on the rows of many tiny resamples."""

import numpy as np
import pytest
from sklearn.metrics import get_scorer_names

from skstat.metrics import as_metric
from skstat.metrics._rank_kernel import RankKernel
from skstat.stats import PairedPredictions, Predictions, SumKernel
from skstat.stats._resampling.kernels import weighted_sums
from skstat.stats._resampling.plans import CellPlan
from tests.cases import in_one_test
from tests.metrics.kernel_specs import (
    FLOAT,
    KERNELS,
    RESAMPLES,
    SPECS,
    Spec,
    agree,
    atoms_of,
    called,
    every,
    plan_weights,
    resamples,
    rows_for,
)

pytestmark = pytest.mark.usefixtures("quick")


def test_every_kernel_is_tried():
    assert {spec.function.__name__ for spec in SPECS.values()} == KERNELS


@pytest.mark.long(keep=5)
@every
@pytest.mark.parametrize("n", [3, 20])
def test_resamples_score_as_scikit_learn_scores_them(spec, n):
    rng = np.random.default_rng(n)
    rows = rows_for(spec, rng, n)
    predictions = rows.predictions(spec)
    kernel = predictions.kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    weights = resamples(rng, RESAMPLES, n)
    found = kernel.weighted(plan_weights(kernel, predictions, weights))
    agree(found, called(spec, rows, weights), spec.error)


@pytest.mark.long(keep=7)
@every
def test_two_rows(spec):
    if spec.kind == "matrix":
        pytest.skip("three classes need three rows")
    if 2 in spec.as_asked.get("labels", []):
        pytest.skip("its labels need three rows")
    rng = np.random.default_rng(1)
    for _ in range(2):
        rows = rows_for(spec, rng, 2)
        predictions = rows.predictions(spec)
        weights = np.array([[1, 1], [2, 0], [0, 2]])
        found = predictions.kernel.weighted(
            plan_weights(predictions.kernel, predictions, weights)
        )
        agree(found, called(spec, rows, weights), spec.error)


@pytest.mark.long(keep=8)
@every
@pytest.mark.parametrize("kinds", ["few", "many"])
def test_weights_of_rows(spec, kinds):
    rng = np.random.default_rng(4)
    rows = rows_for(spec, rng, 30)
    weight = rng.choice([0.5, 2.0], rows.n) if kinds == "few" else rng.random(rows.n) + 0.1
    predictions = rows.predictions(spec, sample_weight=weight)
    kernel = predictions.kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    weights = resamples(rng, RESAMPLES // 2, rows.n)
    found = kernel.weighted(plan_weights(kernel, predictions, weights))
    agree(found, called(spec, rows, weights, sample_weight=weight), 1e-11)


@pytest.mark.long(keep=11)
@every
@pytest.mark.parametrize("weighted", [False, True])
def test_groups_count_as_all_of_their_rows(spec, weighted):
    rng = np.random.default_rng(6)
    rows = rows_for(spec, rng, 36)
    groups = np.concatenate([np.arange(8), rng.integers(0, 8, 28)])
    weight = rng.random(rows.n) + 0.1 if weighted else None
    predictions = rows.predictions(spec, groups=groups, sample_weight=weight)
    kernel = predictions.kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    assert kernel.plan.n_units == predictions.n_units == 8
    weights = resamples(rng, 4, 8)
    expected = called(spec, rows, weights[:, groups], "ab", sample_weight=weight)
    agree(kernel.weighted(weights)[:, :2], expected, 1e-11)


@pytest.mark.long(keep=6)
@every
def test_jackknife_leaves_a_row_out(spec):
    rng = np.random.default_rng(8)
    rows = rows_for(spec, rng, 9)
    predictions = rows.predictions(spec)
    kernel = predictions.kernel
    expected = called(spec, rows, 1 - np.eye(rows.n, dtype=int), "ac")
    found = kernel.jackknife()[:, [0, 2]]
    if isinstance(kernel.plan, CellPlan):
        assert len(found) == kernel.plan.n_atoms
        found = found[atoms_of(predictions)]
    agree(found, expected, max(spec.error, FLOAT))


@pytest.mark.long(keep=6)
@every
def test_jackknife_leaves_a_group_out(spec):
    rng = np.random.default_rng(9)
    rows = rows_for(spec, rng, 24)
    groups = np.arange(24) % 7
    kernel = rows.predictions(spec, groups=groups).kernel
    without = (groups[None, :] != np.arange(7)[:, None]).astype(int)
    agree(kernel.jackknife(), called(spec, rows, without), 1e-11)


def test_large_counts_do_not_overflow():
    # Weights come as bytes; their products and sums must not stay bytes.
    n = 3000
    y = np.arange(n) % 2
    outputs = {"a": np.linspace(0, 1, n), "b": np.linspace(1, 0, n) ** 2}
    for metric in ("roc_auc", "average_precision", "neg_brier_score"):
        kernel = PairedPredictions(y, outputs, as_metric(metric)).kernel
        hundred = kernel.weighted(np.full((2, n), 100, dtype=np.uint8))
        np.testing.assert_allclose(hundred, [kernel.scores] * 2, rtol=1e-12)
    accuracy = PairedPredictions(y, {"a": y, "b": 1 - y}, as_metric("accuracy"), draw="rows")
    bytes_ = np.full((2, n), 200, dtype=np.uint8)
    assert accuracy.kernel.weighted(bytes_).tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("sparse", [False, True])
def test_weighted_sums(sparse):
    from scipy.sparse import csr_array

    rng = np.random.default_rng(26)
    terms = rng.integers(0, 3, (700, 4)).astype(float)
    for size, dtype in ((1, np.int64), (3000, np.uint8)):  # the second in several steps
        weights = rng.integers(0, 200, (size, 700)).astype(dtype)
        found = weighted_sums(weights, csr_array(terms) if sparse else terms)
        np.testing.assert_array_equal(found, weights.astype(float) @ terms)


@in_one_test(
    "name",
    [
        name
        for name in get_scorer_names()
        if name not in ("roc_auc_ovo", "roc_auc_ovo_weighted")
    ],
)
def test_scorers_with_a_kernel_have_it_by_name(name):
    # Which names have a kernel is a promise of speed.
    metric = as_metric(name)
    if metric.facts.kernel is None or "samples" in name:
        return
    spec = next(spec for spec in SPECS.values() if spec.function is metric.function)
    kind = "two labels" if metric.kind == "labels" else spec.kind
    kind = "matrix" if metric.options.get("multi_class") else kind
    rows = rows_for(Spec(spec.function, kind), np.random.default_rng(28), 30)
    predictions = Predictions(rows.y, rows.outputs, metric)
    assert isinstance(predictions.kernel, SumKernel | RankKernel)
    direct = [metric(rows.y, output) for output in rows.outputs.values()]
    agree(predictions.kernel.scores, direct, 1e-12)
