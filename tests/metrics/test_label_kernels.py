"""Kernels of metrics of labels: cells, strata, classes, and which of them are there."""

from functools import partial

import numpy as np
import pytest
from sklearn import metrics as sk

from skstat.metrics import as_metric
from skstat.stats import PairedPredictions, Predictions
from skstat.stats._resampling.kernels import CallableKernel
from skstat.stats._resampling.plans import CellPlan, UnitPlan
from tests.metrics.kernel_specs import (
    BINARY,
    EXACT,
    FLOAT,
    LABEL_SPECS,
    Rows,
    Spec,
    agree,
    atoms_of,
    by_atom,
    called,
    every_label,
    every_label_at_once,
    plan_weights,
    resamples,
    rows_for,
    swap_rows,
)

pytestmark = pytest.mark.usefixtures("quick")


@every_label_at_once
def test_paths_agree(spec):
    # Rows, cells, cells shared with other metrics, and groups of one row each.
    rng = np.random.default_rng(15)
    rows = rows_for(spec, rng, 30)
    if spec.kind == "labels":  # few kinds of rows
        rows.outputs = {
            name: np.where(output == 3, 0, output) for name, output in rows.outputs.items()
        }
        rows.y = np.where(rows.y == 3, 0, rows.y)
    weights = resamples(rng, 30, 30)
    flips = rng.integers(0, 2, (30, 30))
    cells = rows.predictions(spec, "ab")
    joint = rows.predictions(spec, "ab", draw="joint")
    single = rows.predictions(spec, "ab", draw="rows")
    grouped = rows.predictions(spec, "ab", groups=np.arange(30))
    assert isinstance(cells.kernel.plan, CellPlan)
    assert isinstance(joint.kernel.plan, CellPlan)
    assert joint.kernel.plan.n_atoms >= cells.kernel.plan.n_atoms
    assert isinstance(single.kernel.plan, UnitPlan)
    expected = single.kernel.weighted(weights), single.kernel.swapped(flips)
    for predictions in (cells, joint, grouped):
        kernel = predictions.kernel
        found = (
            kernel.weighted(plan_weights(kernel, predictions, weights)),
            kernel.swapped(plan_weights(kernel, predictions, flips)),
        )
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])
    for predictions in (cells, joint):
        plan, atom = predictions.kernel.plan, atoms_of(predictions)
        assert plan.n_units == 30
        np.testing.assert_array_equal(plan.multiplicity, np.bincount(atom))
        np.testing.assert_allclose(
            predictions.kernel.jackknife()[atom], single.kernel.jackknife(), rtol=1e-14
        )


def test_metrics_of_one_call_share_their_draws():
    spec = LABEL_SPECS["accuracy"]
    rows = rows_for(spec, np.random.default_rng(16), 200)
    shared = rows.predictions(spec, "ab", draw="joint")
    f1 = shared.with_metric(as_metric("f1_macro"))
    assert shared.kernel.plan is f1.kernel.plan
    alone = rows.predictions(spec, "ab")
    assert (
        alone.kernel.plan.n_atoms < alone.with_metric(as_metric("f1_macro")).kernel.plan.n_atoms
    )
    both = rows.predictions(spec, "ab", draw="rows")
    assert both.kernel.plan is both.with_metric(as_metric("f1_macro")).kernel.plan
    assert both.kernel.plan is both.plan


@pytest.mark.long(keep=5)
@every_label
def test_strata_are_part_of_the_cells(spec):
    rng = np.random.default_rng(17)
    n = 400
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    outputs = {name: np.where(rng.random(n) < 0.6, y, 1 - y) for name in "ab"}
    if "labels" in spec.as_asked and "cost_matrix" not in spec.options:
        spec = Spec(spec.function, spec.kind, spec.options, as_asked={"labels": [1, 0]})
    strata = np.where(rng.random(n) < 0.3, "few", "many")
    predictions = PairedPredictions(y, outputs, spec.metric, strata=strata)
    plan = predictions.kernel.plan
    assert isinstance(plan, CellPlan)
    atom = atoms_of(predictions)
    for cell in range(plan.n_atoms):
        assert len(set(strata[atom == cell])) == 1
    drawn = plan.weights(np.random.default_rng(0), 50)
    for code, name in enumerate(dict.fromkeys(strata.tolist())):
        assert (drawn[:, plan.strata == code].sum(axis=1) == np.sum(strata == name)).all()
    weights = resamples(rng, 10, n)
    expected = called(spec, Rows(y, outputs), weights, "ab")
    agree(predictions.kernel.weighted(by_atom(weights, atom)), expected, 1e-12)


@pytest.mark.long(keep=3)
@every_label
def test_many_classes(spec):
    # One class per row or two: sums of sparse terms.
    if spec.kind == "two labels" or "cost_matrix" in spec.options:
        pytest.skip("a few classes only")
    rng = np.random.default_rng(18)
    n = 90
    y = np.concatenate([np.arange(40), rng.integers(0, 40, n - 40)])
    outputs = {name: np.where(rng.random(n) < 0.5, y, rng.integers(0, 45, n)) for name in "ab"}
    rows = Rows(y, outputs)
    predictions = rows.predictions(spec, "ab")
    kernel = predictions.kernel
    if spec.function not in (sk.accuracy_score, sk.zero_one_loss, sk.hamming_loss):
        assert isinstance(kernel.plan, UnitPlan)
        assert not isinstance(kernel.common, np.ndarray)
    weights = resamples(rng, 8, n)
    flips = rng.integers(0, 2, (6, n))
    error = max(spec.error, FLOAT)
    found = kernel.weighted(plan_weights(kernel, predictions, weights))
    agree(found, called(spec, rows, weights, "ab"), error)
    found = kernel.swapped(plan_weights(kernel, predictions, flips))
    agree(found, swap_rows(spec, rows, flips), error)
    left_out = kernel.jackknife()
    if isinstance(kernel.plan, CellPlan):
        left_out = left_out[atoms_of(predictions)]
    agree(left_out[:5], called(spec, rows, 1 - np.eye(n, dtype=int)[:5], "ab"), error)
    groups = rng.permutation(n) % 60
    grouped = rows.predictions(spec, "ab", groups=groups)
    weights = resamples(rng, 5, 60)
    expected = called(spec, rows, weights[:, grouped.groups], "ab")
    agree(grouped.kernel.weighted(weights), expected, error)
    weight = rng.random(n)
    weighted = rows.predictions(spec, "ab", sample_weight=weight).kernel
    found = weighted.swapped(flips)
    agree(found, swap_rows(spec, rows, flips, weight), 1e-11)


@every_label_at_once
def test_labels_may_be_strings(spec):
    rng = np.random.default_rng(19)
    rows = rows_for(spec, rng, 30)
    names = np.array(["ant", "bee", "cicada", "dragonfly"])
    as_asked = dict(spec.as_asked)
    if "labels" in as_asked:
        as_asked["labels"] = names[as_asked["labels"]].tolist()
    if spec.kind == "two labels":
        as_asked["pos_label"] = "bee"
    metric = as_metric(partial(spec.function, **spec.options), **as_asked)
    outputs = {name: names[output] for name, output in rows.outputs.items()}
    numbered = rows.predictions(spec)
    named = Predictions(names[rows.y].tolist(), outputs, metric)
    weights = resamples(rng, 20, 30)
    np.testing.assert_array_equal(
        named.kernel.weighted(plan_weights(named.kernel, named, weights)),
        numbered.kernel.weighted(plan_weights(numbered.kernel, numbered, weights)),
    )
    direct = [metric(named.y_true, output) for output in named.outputs.values()]
    agree(named.kernel.scores, direct, 1e-14)


@pytest.mark.parametrize("function", [sk.f1_score, sk.precision_score, sk.recall_score])
def test_the_other_class_may_be_the_positive_one(function):
    rng = np.random.default_rng(20)
    rows = rows_for(BINARY["f1_score binary"], rng, 25)
    spec = Spec(function, "two labels", {"pos_label": 0}, EXACT)
    predictions = rows.predictions(spec)
    weights = resamples(rng, 30, 25)
    found = predictions.kernel.weighted(by_atom(weights, atoms_of(predictions)))
    np.testing.assert_array_equal(found, called(spec, rows, weights))


def test_present_classes_are_those_of_truth_or_of_the_systems_own_predictions():
    # Class 2 is only in b's predictions: it lowers b's macro F1 and leaves a's alone.
    outputs = {"a": [0, 1, 1, 0], "b": [0, 1, 2, 0]}
    predictions = PairedPredictions([0, 1, 1, 0], outputs, as_metric("f1_macro"))
    a, b = predictions.kernel.scores
    assert a == 1
    assert b == pytest.approx((1 + 2 / 3 + 0) / 3)
    fixed = predictions.with_metric(as_metric("f1_macro", labels=[0, 1, 2]))
    assert fixed.kernel.scores[0] == pytest.approx(2 / 3)


def test_a_class_of_rows_without_weight_is_left_to_scikit_learn():
    # It counts in a macro average although no sum shows it: here in a resample, where the
    # other row of class 2 is missing.
    y, weight = np.array([0, 1, 1, 2, 2]), np.array([1.0, 1.0, 2.0, 0.0, 1.0])
    outputs = {"a": np.array([0, 1, 0, 1, 2]), "b": np.array([0, 1, 1, 1, 2])}
    for name in ("f1_macro", "precision_weighted", "f1_micro", "balanced_accuracy"):
        metric = as_metric(name)
        predictions = PairedPredictions(y, outputs, metric, sample_weight=weight)
        assert isinstance(predictions.kernel, CallableKernel) == (name == "f1_macro")
        if isinstance(predictions.kernel, CallableKernel):
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
    predictions = PairedPredictions(y, outputs, metric, sample_weight=rng.random(10))
    weights = np.zeros((50, 10), dtype=int)
    weights[:, :8] = rng.multinomial(10, np.full(8, 1 / 8), 50)
    scores = predictions.kernel.weighted(weights)
    expected = 0.0 if name == "matthews_corrcoef" else np.nan
    np.testing.assert_array_equal(scores, np.full((50, 2), expected))
