"""Metrics without a formula are called, on any objects; formulas are shared by pairs."""

import numpy as np
from sklearn import metrics as sk
from sklearn.metrics import r2_score

from skstat.metrics import as_metric, row_scores
from skstat.stats import Predictions
from tests.cases import in_one_test
from tests.metrics.specs import CALLED, SPECS, resamples, rows_for


class Called:
    """Metrics of any objects, for the kernel that calls them."""

    @staticmethod
    def equal(y, p):
        return float(np.mean([truth == output for truth, output in zip(y, p, strict=True)]))

    @staticmethod
    def overlap(y, p):
        pairs = [(set(truth), set(output)) for truth, output in zip(y, p, strict=True)]
        return float(np.mean([len(t & o) / len(t | o) for t, o in pairs]))

    @staticmethod
    def distance(y, p):
        return -float(np.abs(np.asarray(y, float) - np.asarray(p, float)).max())


TEXTS = ["a b", "b", "c d e", "a", "d", "e f"]


OBJECTS = {
    "strings": (Called.equal, TEXTS, TEXTS[::-1], ["a b", "x", "c d e", "longer", "d", "e"]),
    "arrays of strings": (
        Called.equal, np.array(TEXTS), np.array(TEXTS[::-1]), np.array(["much longer"] * 6),
    ),
    "lists": (
        Called.overlap, [text.split() for text in TEXTS],
        [text.split() for text in TEXTS[::-1]],
        [["a"], ["b"], ["c", "d"], ["a", "z"], ["d"], ["q"]],
    ),
    "lists of one length": (
        Called.overlap, [["a", "b"]] * 6, [["a", "c"]] * 6, [["a", "b"], ["x", "y"]] * 3,
    ),
    "a matrix of strings": (
        Called.overlap, np.array([["a", "b"]] * 6), np.array([["a", "c"]] * 6),
        np.array([["a", "b"], ["xx", "y"]] * 3),
    ),
    "arrays of different lengths": (
        Called.overlap, [np.arange(k + 1) for k in range(6)],
        [np.arange(k + 2) for k in range(6)], [np.arange(6 - k) for k in range(6)],
    ),
    "two columns": (
        Called.distance, np.zeros((6, 2)), np.arange(12.0).reshape(6, 2), np.ones((6, 2)),
    ),
    "whole and other numbers": (Called.distance, np.zeros(6), np.arange(6), np.arange(6) / 4),
    "flags and numbers": (Called.distance, np.zeros(6), np.arange(6) > 2, np.linspace(0, 9, 6)),
}  # fmt: skip


@in_one_test("metric, y, a, b", OBJECTS.values(), ids=OBJECTS)
def test_any_objects_can_be_resampled_and_swapped(metric, y, a, b):
    predictions = Predictions(y, {"a": a, "b": b}, metric)
    kernel = predictions.kernel
    assert kernel.how == CALLED
    rng = np.random.default_rng(27)
    as_list = [list(column) for column in (y, a, b)]
    truth, first, second = as_list
    for counts, flips in zip(resamples(rng, 20, 6), rng.integers(0, 2, (20, 6)), strict=True):
        rows = np.repeat(np.arange(6), counts)
        expected = [
            metric([truth[i] for i in rows], [out[i] for i in rows]) for out in (first, second)
        ]
        assert kernel.weighted(counts[None])[0].tolist() == expected
        mixed = [
            [(u, v)[flip] for u, v, flip in zip(one, other, flips, strict=True)]
            for one, other in ((first, second), (second, first))
        ]
        assert kernel.swapped(flips[None])[0].tolist() == [metric(truth, out) for out in mixed]
    same = [np.array_equal(u, v) for u, v in zip(first, second, strict=True)]
    assert kernel.differing.tolist() == [not equal for equal in same]


def test_a_called_metric_gets_whole_groups():
    y = np.arange(12.0)
    outputs = {"a": y + 1, "b": y * 2}
    groups = np.arange(12) % 6
    seen = []

    def metric(truth, predicted):
        seen.append((truth.copy(), predicted.copy()))
        return float(np.mean(predicted - truth))

    kernel = Predictions(y, outputs, metric, groups=groups).kernel
    kernel.weighted(np.array([[2, 0, 1, 0, 0, 3]]))
    truth, predicted = seen[-2]
    assert sorted(truth) == sorted([0, 6] * 2 + [2, 8] + [5, 11] * 3)
    np.testing.assert_array_equal(predicted, truth + 1)
    kernel.swapped(np.array([[1, 0, 0, 0, 0, 0]]))
    truth, predicted = seen[-2]
    np.testing.assert_array_equal(truth, y)
    np.testing.assert_array_equal(predicted, np.where(groups == 0, 2 * y, y + 1))
    kernel.swapped(np.zeros((1, 6), dtype=int))
    np.testing.assert_array_equal(seen[-1][1], 2 * y)
    assert kernel.left_out[:, 0].tolist() == [1.0] * 6
    assert len(kernel.differing) == 6


def test_the_influence_of_a_function_is_that_of_leaving_rows_out():
    # A callable has no weights: a mean is exact, anything else is near.
    y, p = np.random.default_rng(0).normal(size=(2, 50))
    outputs = {"a": p, "b": y + 0.1 * p}
    kernel = Predictions(y, outputs, lambda y, p: np.mean((y - p) ** 2)).kernel
    losses = np.column_stack([(y - out) ** 2 for out in outputs.values()])
    np.testing.assert_allclose(kernel.influence(), losses - losses.mean(axis=0), atol=1e-9)
    called = Predictions(y, outputs, lambda y, p: r2_score(y, p)).kernel.influence()
    known = Predictions(y, outputs, as_metric("r2")).kernel.influence()
    assert np.corrcoef(known[:, 1], called[:, 1])[0, 1] > 0.99


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
