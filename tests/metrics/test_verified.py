"""The metric of scikit-learn is called once per system, and its formula is shared by pairs."""

import numpy as np
from sklearn import metrics as sk

from skstat.metrics import as_metric, row_scores
from skstat.stats import Predictions
from tests.cases import in_one_test
from tests.metrics.specs import CALLED, SPECS, rows_for

N = 300


def rows(name, seed=0):
    drawn = rows_for(SPECS[name], np.random.default_rng(seed), N)
    return drawn.y, drawn.outputs


def test_a_formula_that_disagrees_with_one_system_is_used_of_none(monkeypatch):
    # Another release of scikit-learn may define a metric otherwise.
    y, outputs = rows("mean_absolute_error")

    def mean_absolute_error(y_true, y_pred, sample_weight=None):
        wrong = np.array_equal(y_pred, outputs["c"])
        return np.average(np.abs(y_true - y_pred), weights=sample_weight) + wrong

    monkeypatch.setattr(sk, "mean_absolute_error", mean_absolute_error)
    everything = Predictions(y, outputs, as_metric("mean_absolute_error"))
    assert everything.kernel.how == everything.pair("a", "c").kernel.how == CALLED
    assert everything.pair("a", "b").kernel.how != CALLED


@in_one_test(
    "name",
    [
        "accuracy", "f1 macro", "MCC", "log loss", "AUC", "average precision", "r2_score",
        "mean_absolute_error",
    ],
)  # fmt: skip
@in_one_test("beside", ["", "groups", "sample_weight", "strata"])
def test_a_pair_taken_from_all_systems_is_the_pair_alone(name, beside):
    rng, (y, outputs) = np.random.default_rng(4), rows(name)
    of_rows = {
        "groups": np.arange(N) % 40,
        "sample_weight": rng.integers(1, 4, N).astype(float),
        "strata": rng.integers(0, 3, N),
    }
    options = {beside: of_rows[beside]} if beside else {}
    metric = SPECS[name].metric
    everything = Predictions(y, outputs, metric, **options)
    everything.scores  # noqa: B018
    row_scores(everything)
    taken = everything.pair("c", "b")
    alone = Predictions(y, {k: outputs[k] for k in ("c", "b")}, metric, **options)
    ours, theirs = taken.kernel, alone.kernel
    np.testing.assert_array_equal(ours.scores, theirs.scores)
    np.testing.assert_array_equal(ours.differing, theirs.differing)
    assert (ours.how, ours.class_sizes) == (theirs.how, theirs.class_sizes)
    np.testing.assert_array_equal(ours.plan.multiplicity, theirs.plan.multiplicity)
    rng, again = np.random.default_rng(5), np.random.default_rng(5)
    weights = ours.plan.weights(rng, 20)
    np.testing.assert_array_equal(weights, theirs.plan.weights(again, 20))
    np.testing.assert_allclose(ours.weighted(weights), theirs.weighted(weights), rtol=1e-12)
    swaps = ours.plan.swaps(rng, 20)
    np.testing.assert_allclose(ours.swapped(swaps), theirs.swapped(swaps), rtol=1e-12)
    mine, other = row_scores(taken), row_scores(alone)
    assert (mine is None) == (other is None)
    if mine is not None:
        np.testing.assert_array_equal(mine, other)
