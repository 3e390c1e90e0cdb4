"""Metrics of one call that are functions of the same sums share their draws."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from skstat.metrics import as_metric
from skstat.stats import Predictions
from skstat.stats._resampling import bootstrap, bootstrap_of_metrics
from skstat.stats._resampling.plans import CellPlan, UnitPlan

METRICS = ("f1_macro", "matthews_corrcoef", "precision_macro", "accuracy", "balanced_accuracy")


def systems(n, classes, k=4):
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, n)
    outputs = {
        f"s{i}": np.where(rng.random(n) < 0.7, y, rng.integers(0, classes, n)) for i in range(k)
    }
    return y, outputs


@pytest.mark.parametrize(
    ("n", "classes", "plan"), [(3_000, 2, CellPlan), (300, 3, UnitPlan), (60, 40, UnitPlan)]
)
def test_replicates_are_those_of_every_metric_alone(n, classes, plan):
    y, outputs = systems(n, classes)
    everything = Predictions(y, outputs, as_metric("f1_macro"), draw="joint")
    kept: dict = {}
    for name in METRICS:
        kernel = everything.with_metric(as_metric(name)).kernel
        assert isinstance(kernel.plan, plan)
        found = bootstrap_of_metrics(kernel, 700, 3, kept)
        expected = bootstrap([kernel], 700, 3)
        np.testing.assert_array_equal(found.scores[0], expected.scores[0])
        assert (found.n_redrawn, found.seed) == (expected.n_redrawn, expected.seed)


def test_the_sums_are_drawn_once_for_metrics_of_the_same_terms(monkeypatch):
    y, outputs = systems(300, 3)
    everything = Predictions(y, outputs, as_metric("f1_macro"))
    drawn = []
    draw = UnitPlan.weights
    monkeypatch.setattr(
        UnitPlan, "weights", lambda self, rng, size: drawn.append(size) or draw(self, rng, size)
    )
    kept: dict = {}
    for name in ("f1_macro", "matthews_corrcoef", "recall_macro"):
        bootstrap_of_metrics(everything.with_metric(as_metric(name)).kernel, 600, 3, kept)
        assert sum(drawn) == 600
    bootstrap_of_metrics(everything.kernel, 600, 4, kept)
    assert sum(drawn) == 1_200


def test_undefined_resamples_are_drawn_anew():
    # Kappa is undefined where all rows are of one class, as in a few of 2,000 resamples.
    y = np.array([1] * 6 + [0] * 54)
    outputs = {"a": np.zeros(60, dtype=int), "b": np.zeros(60, dtype=int), "c": y}
    outputs["a"][0], outputs["b"][1] = 1, 1
    kappa = as_metric(cohen_kappa_score)
    kernel = Predictions(y, outputs, kappa).kernel
    expected = bootstrap([kernel], 2_000, 1)
    assert expected.n_redrawn > 0
    found = bootstrap_of_metrics(kernel, 2_000, 1, {})
    np.testing.assert_array_equal(found.scores[0], expected.scores[0])
    assert found.n_redrawn == expected.n_redrawn


def test_a_metric_without_sums_is_drawn_alone():
    y, outputs = systems(100, 2)
    scores = {name: output + np.linspace(0, 0.5, 100) for name, output in outputs.items()}
    kernel = Predictions(y, scores, as_metric("roc_auc")).kernel
    kept: dict = {}
    found = bootstrap_of_metrics(kernel, 200, 3, kept)
    np.testing.assert_array_equal(found.scores[0], bootstrap([kernel], 200, 3).scores[0])
    assert not kept
