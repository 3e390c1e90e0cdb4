"""Costs as a metric, cost curves, and metrics of ranks and of confusion matrices."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_predictions
from skstat.metrics import (
    as_metric,
    cost_curve,
    cost_sensitive_error,
    cost_sensitive_scorer,
    precision_recall_break_even,
    probability_cost,
    rank_loss,
    scores_of_confusion_matrices,
)
from skstat.stats import Predictions
from tests.cases import refusals
from tests.metrics.specs import CALLED

RNG = np.random.default_rng(0)
COSTS = [[0, 1, 4], [2, 0, 1], [10, 3, -0.5]]
LABELS = ["ham", "news", "spam"]
TRUTH = RNG.choice(LABELS, 90, p=[0.5, 0.3, 0.2])
PREDICTED = {
    name: np.where(RNG.random(90) < share, TRUTH, RNG.choice(LABELS, 90))
    for name, share in {"a": 0.95, "b": 0.4}.items()
}
WEIGHTS = RNG.random(90)


def by_hand(y, p, weights=None):
    number = {label: i for i, label in enumerate(LABELS)}
    costs = [COSTS[number[t]][number[g]] for t, g in zip(y, p, strict=True)]
    return np.average(costs, weights=weights)


def test_error_is_the_mean_of_the_matrix_of_confusions():
    found = cost_sensitive_error(TRUTH, PREDICTED["a"], COSTS)
    table = sk.confusion_matrix(TRUTH, PREDICTED["a"], labels=LABELS)
    assert found == pytest.approx((table * COSTS).sum() / 90)
    ones = 1 - np.eye(3)
    assert cost_sensitive_error(
        TRUTH, PREDICTED["a"], ones, sample_weight=WEIGHTS
    ) == pytest.approx(sk.zero_one_loss(TRUTH, PREDICTED["a"], sample_weight=WEIGHTS))
    turned = np.array(COSTS)[::-1, ::-1]
    backwards = cost_sensitive_error(
        list(TRUTH), list(PREDICTED["a"]), turned, labels=LABELS[::-1]
    )
    assert backwards == pytest.approx(found)


EVEN = [[0, 1], [1, 0]]
test_what_does_not_fit_is_named = refusals([
    (lambda: cost_sensitive_error([0, 1], [0, 1], COSTS), "labels="),
    (lambda: cost_sensitive_error([0, 1], [0, 1], [[0, np.nan], [1, 0]]), "finite"),
    (lambda: cost_sensitive_error([0, 1], ["0", "1"], EVEN), "same kind"),
    (lambda: cost_sensitive_error([0, 1], [0, 2], EVEN, labels=[0, 1]), "lacks 2"),
    (lambda: cost_sensitive_error([0, 1], [0, 1], EVEN, labels=[0, 0]), "twice"),
    (lambda: cost_sensitive_error([0, 1], [0], EVEN), "rows"),
    (lambda: cost_sensitive_error([0, 1], [0, 1], EVEN, sample_weight=[0, 0]), "sample_weight"),
    (lambda: cost_sensitive_scorer([[0, 1]]), "one finite cost"),
    (lambda: cost_sensitive_scorer([[0, np.inf], [1, 0]]), "finite"),
    (lambda: cost_sensitive_scorer(EVEN, labels=["a", "a"]), "each once"),
    (lambda: probability_cost(0.5, [[1, 1], [3, 0]]), "no more than the right answer"),
    (lambda: probability_cost(1.2), "between 0 and 1"),
    (lambda: probability_cost(0.2, COSTS), "shape"),
    (lambda: cost_curve([1, 1, 1], [0.1, 0.2, 0.3]), "one class only"),
    (lambda: cost_curve(["n", "p"], [0.1, 0.2]), "pos_label"),
    (lambda: cost_curve([0, 1, 2], [0.1, 0.2, 0.3]), "3 classes"),
    (lambda: cost_curve([0, 1], [0.1, np.nan]), "missing"),
    (lambda: cost_curve([0, 1], [3, 7]), "pass scores as floats"),
    (lambda: cost_curve([0, 1], [0.1]), "rows"),
    (lambda: scores_of_confusion_matrices([[1, 2], [3, 4]]), "shape"),
    (lambda: scores_of_confusion_matrices([[[1, -2], [3, 4]]]), "counts"),
    (lambda: scores_of_confusion_matrices(np.ones((1, 3, 3))), "pos_label"),
    (lambda: scores_of_confusion_matrices(np.ones((1, 2, 2)), pos_label=7),
     "not one of the classes"),
    (lambda: scores_of_confusion_matrices(np.ones((1, 2, 2)), labels=[1, 1]), "each once"),
])  # fmt: skip


def test_scorer_is_a_scorer_everywhere(cancer):
    X, y = cancer
    scorer = cost_sensitive_scorer(np.array([[0, 10], [1, 0]]), labels=np.array([0, 1]))
    again = pickle.loads(pickle.dumps(scorer))
    assert repr(again) == repr(scorer) == repr(clone(again, safe=False))
    assert as_metric(again).options["labels"] == (0, 1)
    for labels in (["b)", "c"], ["a=b, c=(d", "e"], ["it's [", 'so"']):
        odd = cost_sensitive_scorer([[0, 1], [5, 0]], labels=labels)
        assert list(as_metric(odd).options["labels"]) == labels
    fitted = GaussianNB().fit(X, y)
    expected = -cost_sensitive_error(y, fitted.predict(X), [[0, 10], [1, 0]])
    assert again(fitted, X, y) == expected
    assert cross_validate(GaussianNB(), X, y, scoring=scorer)["test_score"].max() <= 0
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3)
    search.set_params(scoring=scorer).fit(X, y)
    assert search.best_score_ <= 0


def test_costs_that_a_repr_does_not_tell_are_called_anew():
    scorer = sk.make_scorer(
        cost_sensitive_error, greater_is_better=False, cost_matrix=np.array(COSTS)
    )
    pair = Predictions(TRUTH, PREDICTED, as_metric(scorer))
    assert pair.kernel.how == CALLED
    np.testing.assert_allclose(pair.scores, [-by_hand(TRUTH, p) for p in PREDICTED.values()])


def test_several_systems_and_metrics():
    third = {**PREDICTED, "c": np.roll(PREDICTED["b"], 1)}
    report = compare_predictions(
        TRUTH,
        third,
        metric=[cost_sensitive_scorer(COSTS), "accuracy"],
        adjustment="max-t",
        n_resamples=500,
        random_state=0,
    )
    costs = report["neg_cost_sensitive_error"]
    assert costs.names[0] == "a" and costs.lower
    assert costs.systems["c"].mean == pytest.approx(by_hand(TRUTH, third["c"]))


def scored(y, values):
    return np.asarray(y), np.asarray(values, dtype=float)


labelled = st.lists(
    st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=40
).filter(lambda rows: len({positive for positive, _ in rows}) == 2)


@settings(max_examples=settings.default.max_examples)
@given(labelled)
def test_cost_curve_is_the_lowest_of_all_thresholds(rows):
    y, s = scored(*zip(*rows, strict=True))
    curve = cost_curve(y.astype(int), s)
    grid = np.linspace(0, 1, 41)
    lines = []
    for threshold in [np.inf, *np.unique(s)]:
        predicted = s >= threshold
        lines.append((~predicted[y]).mean() * grid + predicted[~y].mean() * (1 - grid))
    np.testing.assert_allclose(curve.at(grid), np.min(lines, axis=0), atol=1e-12)
    assert np.all(curve.at(grid) <= np.minimum(grid, 1 - grid) + 1e-12)
    fine = np.union1d(np.linspace(0, 1, 2001), curve.probability_cost)
    assert curve.area == pytest.approx(np.trapezoid(curve.at(fine), fine), abs=1e-12)
    # The threshold of a piece has the costs of that piece.
    for low, high, threshold in zip(
        curve.probability_cost[:-1], curve.probability_cost[1:], curve.thresholds, strict=True
    ):
        labels = (s >= threshold).astype(int)
        line = cost_curve(y.astype(int), labels)
        middle = (low + high) / 2
        assert line.at(middle) == pytest.approx(curve.at(middle), abs=1e-12)


def test_cost_curve_by_hand():
    # Thresholds of (FPR, FNR): (0, 1), (0, .5), (.5, 0), (1, 0).
    curve = cost_curve(["n", "n", "p", "p"], [0.1, 0.4, 0.35, 0.8], pos_label="p")
    np.testing.assert_allclose(curve.probability_cost, [0, 0.5, 1])
    np.testing.assert_allclose(curve.cost, [0, 0.25, 0])
    assert curve.area == 0.125 and list(curve.thresholds) == [0.8, 0.35]
    perfect = cost_curve([0, 1, 1], [0.1, 0.2, 0.3])
    assert perfect.area == 0 and list(perfect.thresholds) == [0.2]
    constant = cost_curve([0, 1, 1], [0.5, 0.5, 0.5])
    assert constant.area == 0.25 and constant.thresholds[0] == np.inf
    # FPR .25 and FNR .5: a straight line, above the constant classifiers at its ends.
    line = cost_curve([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0])
    assert line.area == pytest.approx(0.375) and line.at(0) == 0.25 and line.at(1) == 0.5
    weighted = cost_curve([0, 0, 1], [0, 1, 1], sample_weight=[3, 1, 1])
    assert weighted.at(0) == pytest.approx(0.25)


def test_probability_cost_subtracts_what_right_answers_cost():
    assert probability_cost(0.2) == pytest.approx(0.2)
    assert probability_cost(0.25, [[0, 1], [3, 0]]) == pytest.approx(0.5)
    # Elkan (2001): a constant added to the costs of one true class changes nothing.
    assert probability_cost(0.25, [[7, 8], [5, 2]]) == pytest.approx(0.5)
    np.testing.assert_allclose(probability_cost([0, 1], [[0, 1], [3, 0]]), [0, 1])
    # Classes ascend in the matrix, whichever of them is positive.
    costs = [[0, 1], [3, 0]]
    y, s = [0, 1, 1, 1], [0.9, 0.2, 0.3, 0.4]
    assert cost_curve(y, s, cost_matrix=costs).operating_point == pytest.approx(0.9)
    flipped = cost_curve(y, s, cost_matrix=costs, pos_label=0)
    assert flipped.operating_point == pytest.approx(0.1)


@settings(max_examples=settings.default.max_examples // 2)
@given(labelled)
def test_rank_metrics_agree_with_their_definitions(rows):
    y, s = scored(*zip(*rows, strict=True))
    assert rank_loss(y, s) == pytest.approx(1 - sk.roc_auc_score(y, s))
    found = precision_recall_break_even(y, s)
    # The expected share of positives among the first P, over all orders of tied rows.
    order = np.argsort(-s, kind="stable")
    last = np.sort(s)[::-1][y.sum() - 1]
    above, tied = s > last, s == last
    hits = y[above].sum() + (y.sum() - above.sum()) * y[tied].mean()
    assert found == pytest.approx(hits / y.sum())
    precision, recall, _ = sk.precision_recall_curve(y, s)
    for p in precision[
        (precision == recall) & (recall > 0)
    ]:  # thresholds at the break-even point
        assert p == pytest.approx(found)
    if above.sum() + tied.sum() == y.sum():
        predicted = np.isin(np.arange(len(y)), order[: y.sum()])
        assert found == pytest.approx(sk.precision_score(y, predicted))


def test_macro_and_micro_differ_and_undefined_scores_are_named():
    matrices = np.array([[[8, 2], [1, 9]], [[9, 1], [5, 5]], [[10, 0], [3, 0]]])
    found = scores_of_confusion_matrices(matrices)
    assert np.isnan(found.macro["precision"]) and found.undefined == ((2, "precision"),)
    # tp 14, fp 3, fn 9 of the sum; recalls .9, .5 and 0.
    assert found.micro == pytest.approx(
        {"precision": 14 / 17, "recall": 14 / 23, "f": 2 * 14 / (2 * 14 + 3 + 9)}
    )
    assert found.macro["recall"] == pytest.approx(1.4 / 3)
    two = scores_of_confusion_matrices(matrices[:2], labels=["n", "p"], pos_label="n")
    assert two.each["f"] == pytest.approx((16 / 19, 18 / 24)) and two.undefined == ()
    assert two.macro["f"] == pytest.approx((16 / 19 + 18 / 24) / 2)
    p, r = two.macro["precision"], two.macro["recall"]
    assert two.f_of_means == pytest.approx(2 * p * r / (p + r))
    twice = scores_of_confusion_matrices(matrices[:2], labels=["n", "p"], pos_label="n", beta=2)
    assert twice.f_of_means == pytest.approx(5 * p * r / (4 * p + r))
    three = scores_of_confusion_matrices(
        [sk.confusion_matrix(TRUTH, PREDICTED["a"])], labels=LABELS, pos_label="spam", beta=2
    )
    assert three.macro == pytest.approx(three.micro)
    nothing = scores_of_confusion_matrices([[[4, 0], [0, 0]]])
    assert {name for _, name in nothing.undefined} == {"precision", "recall", "f"}
