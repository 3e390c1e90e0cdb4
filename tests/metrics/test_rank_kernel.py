"""The kernel of metrics of rankings: pairs, ties, and classes that are missing."""

import numpy as np
import pytest
from sklearn import metrics as sk

from skstat.metrics import _rank_kernel, as_metric
from skstat.metrics._rank_kernel import RankedRows
from skstat.stats import PairedPredictions
from skstat.stats._common import Ordering
from skstat.stats._resampling import bootstrap, unit_blocks
from tests.cases import in_one_test

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_rank_metrics_are_undefined_without_a_class(metric):
    y = np.array([0, 0, 1, 1])
    outputs = {"a": np.array([0.1, 0.4, 0.3, 0.4]), "b": np.array([0.2, 0.2, 0.2, 0.9])}
    kernel = PairedPredictions(y, outputs, as_metric(metric)).kernel
    scores = kernel.weighted(np.array([[2, 2, 0, 0], [0, 0, 1, 3], [0, 0, 0, 0]]))
    assert np.isnan(scores[[0, 2]]).all()
    assert np.isnan(scores[1]).all() == (metric == "roc_auc")
    ovr = as_metric("roc_auc_ovr_weighted")
    P = np.eye(3)[[0, 1, 2, 0]] * 0.5 + 1 / 6
    three = PairedPredictions([0, 1, 2, 0], {"a": P, "b": P[::-1]}, ovr).kernel
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
    plain = PairedPredictions(
        [0, 1, 2, 0], {"a": P, "b": P[::-1]}, as_metric("roc_auc_ovr")
    ).kernel
    assert np.isnan(plain.weighted(weights)).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_ranking_counts_pairs(weighted):
    # AUC is the share of pairs of a positive and a negative that are in order, ties half.
    rng = np.random.default_rng(22)
    for _ in range(20):
        n = rng.integers(4, 30)
        positive = rng.random(n) < 0.4
        positive[:2] = True, False
        scores = rng.integers(0, 6, n).astype(float)
        weights = rng.random((5, n)) if weighted else rng.integers(0, 4, (5, n))
        found = RankedRows(positive, Ordering(scores)).auc(weights)
        difference = scores[positive][:, None] - scores[~positive]
        wins = (difference > 0) + 0.5 * (difference == 0)
        for w, auc in zip(weights, found, strict=True):
            above, below = w[positive], w[~positive]
            total = above.sum() * below.sum()
            expected = above @ wins @ below / total if total else np.nan
            np.testing.assert_allclose(auc, expected, rtol=1e-13)


def test_scores_far_apart_keep_their_order():
    # Ranks must tell neighbouring floats apart, and take any real number.
    y = np.array([0, 1, 0, 1, 0, 1])
    a = np.array([0.5, np.nextafter(0.5, 1), 0.5, -1e300, -5.0, 1e300])
    outputs = {"a": a, "b": -a}
    predictions = PairedPredictions(y, outputs, as_metric("roc_auc"))
    expected = [sk.roc_auc_score(y, out) for out in outputs.values()]
    assert predictions.kernel.scores == pytest.approx(expected, abs=1e-15)


@in_one_test("share", [0.2, 0.8])
@in_one_test("decimals", [0, 1, 9])
def test_orders_are_those_of_a_sort_and_a_search(share, decimals):
    # To the last bit: sums of weights run over the rows in this order.
    rng = np.random.default_rng(11)
    scores = rng.normal(size=200).round(decimals)
    positive = rng.random(200) < share
    rows = RankedRows(positive, Ordering(scores))
    few, rising = (positive, scores) if share < 0.5 else (~positive, -scores)
    expected = [np.flatnonzero(of_class) for of_class in (~few, few)]
    expected = [places[np.argsort(rising[places], kind="stable")] for places in expected]
    many, others = expected
    expected += [
        np.searchsorted(rising[many], rising[others], side=side) for side in ("left", "right")
    ]
    for found, wanted in zip(rows._auc_order, expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    order = np.argsort(-scores, kind="stable")
    where = np.flatnonzero(positive[order])
    last = np.searchsorted(-scores[order], -scores[order][where], side="right") - 1
    last_positive = np.searchsorted(where, last, side="right") - 1
    wanted = (order, order[where], last, last_positive)
    for found, place in zip(rows._precision_order, wanted, strict=True):
        np.testing.assert_array_equal(found, place)
    assert rows.plain_auc == rows.auc(np.ones((1, 200), dtype=np.int64))[0]


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_many_rows_are_drawn_to_first_order(monkeypatch, metric):
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, 4_000)
    good = truth + rng.normal(size=4_000)
    outputs = {"a": good, "b": good + rng.normal(size=4_000)}

    def drawn():
        kernel = PairedPredictions(truth, outputs, as_metric(metric)).kernel
        return kernel, bootstrap([kernel], 1_000, 0).scores[0]

    whole, by_row = drawn()
    assert whole.resampled is whole
    monkeypatch.setattr(unit_blocks, "MANY_UNITS", 3_000)
    monkeypatch.setattr(unit_blocks, "N_BLOCKS", 1_009)
    assert drawn()[0].resampled.plan.n_units == 4_000  # the classes are small
    monkeypatch.setattr(_rank_kernel, "_MANY_OF_A_CLASS", 1_000)
    many, in_blocks = drawn()
    np.testing.assert_allclose(many.resampled.scores, whole.scores, rtol=1e-9)
    # A standard error of 1,000 replicates has a relative error of 2.2 %.
    for one, other in ((by_row, in_blocks), (np.diff(by_row), np.diff(in_blocks))):
        np.testing.assert_allclose(other.std(axis=0), one.std(axis=0), rtol=0.1)
        np.testing.assert_allclose(other.mean(axis=0), one.mean(axis=0), atol=1e-3)
