"""Outputs that change places between two systems: every kernel against the metric itself."""

import numpy as np
import pytest
from sklearn import metrics as sk

from skstat import metrics as ours
from skstat.metrics import as_metric
from skstat.stats import PairedPredictions, Predictions
from tests.cases import in_one_test
from tests.metrics.kernel_specs import (
    AVERAGED,
    FLOAT,
    Rows,
    agree,
    every,
    every_at_once,
    plan_weights,
    rows_for,
    swap_rows,
)

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.long(keep=12)
@every
@pytest.mark.parametrize("n", [5, 33])
def test_swaps_are_outputs_that_changed_places(spec, n):
    rng = np.random.default_rng(n)
    rows = rows_for(spec, rng, n)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    flips = np.concatenate([np.eye(n, dtype=int)[:2], rng.integers(0, 2, (4, n))])
    flips = np.concatenate([np.zeros((1, n), int), np.ones((1, n), int), flips])
    found = kernel.swapped(plan_weights(kernel, predictions, flips))
    agree(found, swap_rows(spec, rows, flips), max(spec.error, FLOAT))
    agree(found[0], kernel.scores, FLOAT)
    agree(found[1], kernel.scores[::-1], FLOAT)


@pytest.mark.long(keep=11)
@every
def test_swaps_of_weighted_rows_leave_no_noise(spec):
    # A class that is nowhere predicted once its rows have swapped has a share of
    # exactly 0, whatever the weights sum up to.
    if spec.options.get("multi_class"):
        pytest.skip("mid-ranks of several classes have no weighted call here")
    rng = np.random.default_rng(11)
    rows = rows_for(spec, rng, 12)
    for weight in (rng.random(12), rng.choice([0.1, 0.7, 1.3], 12)):
        predictions = rows.predictions(spec, "ab", sample_weight=weight)
        kernel = predictions.kernel
        flips = np.concatenate([rng.integers(0, 2, (4, 12)), np.ones((1, 12), int)])
        found = kernel.swapped(plan_weights(kernel, predictions, flips))
        agree(found, swap_rows(spec, rows, flips, weight), 1e-11)


@every_at_once
def test_swaps_of_groups(spec):
    rng = np.random.default_rng(12)
    rows = rows_for(spec, rng, 24)
    groups = rng.permutation(24) % 6
    kernel = rows.predictions(spec, "ab", groups=groups).kernel
    flips = rng.integers(0, 2, (4, 6))
    codes = Predictions(rows.y, rows.outputs, spec.metric, groups=groups).groups
    agree(kernel.swapped(flips), swap_rows(spec, rows, flips[:, codes]), 1e-11)


@every_at_once
def test_terms_of_swaps_add_up_to_swapped_differences(spec):
    rows = rows_for(spec, np.random.default_rng(13), 400)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    m = kernel.plan.multiplicity
    swaps = kernel.plan.swaps(np.random.default_rng(0), 200)
    differences = np.subtract(*kernel.swapped(swaps).T)
    sums = (m - 2 * swaps) @ kernel.swap_terms()
    if kernel.mean_differences is not None:
        agree(sums, differences, 1e-9)
    assert np.corrcoef(sums, differences)[0, 1] > 0.95
    assert 0.9 < sums.std() / differences.std() < 1.1


MEANS = {
    sk.accuracy_score, sk.zero_one_loss, sk.hamming_loss, sk.mean_squared_error,
    sk.mean_absolute_error, sk.mean_absolute_percentage_error, sk.mean_squared_log_error,
    sk.mean_pinball_loss, sk.mean_poisson_deviance, sk.mean_gamma_deviance, sk.log_loss,
    sk.brier_score_loss, ours.cost_sensitive_error,
}  # fmt: skip


@every_at_once
@in_one_test("weighted", [False, True])
def test_differences_of_means_add_up(spec, weighted):
    rng = np.random.default_rng(29)
    rows = rows_for(spec, rng, 20)
    weight = rng.random(20) if weighted else None
    predictions = rows.predictions(spec, "ab", sample_weight=weight)
    kernel = predictions.kernel
    terms = kernel.mean_differences
    assert (terms is not None) == (spec.function in MEANS)
    assert rows.predictions(spec, sample_weight=weight).kernel.mean_differences is None
    if terms is None:
        return
    a, b = kernel.scores
    assert kernel.plan.multiplicity @ terms == pytest.approx(a - b, abs=1e-14)
    flips = rng.integers(0, 2, (5, kernel.plan.n_atoms))
    swapped = kernel.swapped(flips)
    found = a - b - 2 * flips @ terms
    np.testing.assert_allclose(swapped[:, 0] - swapped[:, 1], found, atol=1e-12)


@every_at_once
def test_atoms_that_differ(spec):
    rows = rows_for(spec, np.random.default_rng(14), 20)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    one_each = np.eye(kernel.plan.n_atoms, dtype=int)
    unchanged = np.isclose(kernel.swapped(one_each), kernel.scores, rtol=1e-12).all(axis=1)
    assert kernel.differing[~unchanged].all()
    same = PairedPredictions(
        rows.y, {"a": rows.outputs["a"], "b": rows.outputs["a"]}, spec.metric
    )
    assert same.identical
    assert not predictions.identical


def test_rmse_of_all_losses_swapped_is_zero_and_defined():
    # Sums that lose all their terms must not be left with noise, below 0 or above it.
    rng = np.random.default_rng(25)
    for n in (9, 997):
        errors = rng.random(n)
        outputs = {"a": np.zeros(n), "b": errors}
        metric = as_metric("neg_root_mean_squared_error")
        kernel = PairedPredictions(np.zeros(n), outputs, metric).kernel
        found = kernel.swapped(np.ones((50, n), dtype=np.uint8))
        assert (found[:, 1] == 0).all()
        np.testing.assert_allclose(found[:, 0], -np.sqrt(np.mean(errors**2)))


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
    spec = AVERAGED["f1 macro"]
    predictions = rows.predictions(spec, "ab", sample_weight=weight)
    flips = np.where(a == 2, 1, rng.integers(0, 2, (200, n)))
    found = predictions.kernel.swapped(plan_weights(predictions.kernel, predictions, flips))
    agree(found, swap_rows(spec, rows, flips, weight), 1e-12)
