"""What every row contributes to a score: the derivative of the metric in the row's weight."""

import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.metrics import get_scorer, make_scorer

from skstat import metrics as ours
from skstat.metrics import as_metric
from skstat.metrics._known import KNOWN
from skstat.metrics._rank_kernel import RankKernel
from skstat.metrics._row_metric import RowMetric
from skstat.stats import Predictions, SumKernel
from skstat.stats._resampling.kernels import CallableKernel
from tests.cases import in_one_test

STEP = 1e-4
COSTS = [[0.0, 1, 4], [2, 0, 1], [9, 3, -0.5]]


@dataclass
class Metric:
    """A function of scikit-learn, the outputs it is for, and its sign."""

    function: Any
    kind: str
    options: dict[str, Any] = field(default_factory=dict)
    as_asked: dict[str, Any] = field(default_factory=dict)  # by the call, not the function

    def score(self, rows, weight):
        """Score by scikit-learn itself."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes that nobody predicts
            score = self.function(
                rows.y, rows.output, sample_weight=weight, **self.options, **self.as_asked
            )
        return -score if self.known.is_loss else score

    @property
    def known(self):
        return as_metric(partial(self.function, **self.options), **self.as_asked)

    @property
    def row_metric(self):
        return RowMetric(metric=self.known, response="", is_mean=self.known.is_mean)

    def slopes(self, rows, weight):
        """Derivative in the weight of each row, that weight being 1, by two calls."""
        found = []
        for row in range(len(rows.y)):
            change = np.zeros(len(rows.y))
            change[row] = STEP * weight[row]
            up, down = (self.score(rows, weight + sign * change) for sign in (1, -1))
            found.append((up - down) / (2 * STEP))
        return np.array(found)


@dataclass
class Rows:
    """Truth and outputs of one system."""

    y: Any
    output: Any


def labels(function, kind="three labels", **options):
    return Metric(function, kind, options)


def numbers(function, **options):
    return Metric(function, "numbers", options)


AVERAGED = {
    f"{name} {average}": labels(function, average=average)
    for name, function in {
        "f1": sk.f1_score,
        "precision": sk.precision_score,
        "recall": sk.recall_score,
        "jaccard": sk.jaccard_score,
    }.items()
    for average in ("micro", "macro", "weighted")
}
BINARY = {
    f"{function.__name__} binary": labels(function, "two labels")
    for function in (sk.f1_score, sk.precision_score, sk.recall_score, sk.jaccard_score)
}
METRICS = {
    "accuracy": labels(sk.accuracy_score),
    "zero-one loss": labels(sk.zero_one_loss),
    "Hamming loss": labels(sk.hamming_loss),
    "balanced accuracy": labels(sk.balanced_accuracy_score),
    "balanced accuracy, adjusted": labels(sk.balanced_accuracy_score, adjusted=True),
    "MCC": labels(sk.matthews_corrcoef),
    "MCC, two classes": labels(sk.matthews_corrcoef, "two labels"),
    "kappa": labels(sk.cohen_kappa_score),
    "kappa, two classes": labels(sk.cohen_kappa_score, "two labels"),
    "F2, two classes": labels(sk.fbeta_score, "two labels", beta=2.0),
    "F.5 macro": labels(sk.fbeta_score, beta=0.5, average="macro"),
    "F1 of two of three": Metric(
        sk.f1_score, "three labels", {"average": "macro"}, {"labels": [0, 2]}
    ),
    "costs": Metric(
        ours.cost_sensitive_error,
        "three labels",
        {"cost_matrix": COSTS},
        {"labels": [0, 1, 2]},
    ),
    **AVERAGED,
    **BINARY,
    "squared error": numbers(sk.mean_squared_error),
    "absolute error": numbers(sk.mean_absolute_error),
    "absolute percentage error": numbers(sk.mean_absolute_percentage_error),
    "squared log error": numbers(sk.mean_squared_log_error),
    "root squared error": numbers(sk.root_mean_squared_error),
    "root squared log error": numbers(sk.root_mean_squared_log_error),
    "pinball": numbers(sk.mean_pinball_loss, alpha=0.9),
    "Poisson deviance": numbers(sk.mean_poisson_deviance),
    "gamma deviance": numbers(sk.mean_gamma_deviance),
    "R2": numbers(sk.r2_score),
    "explained variance": numbers(sk.explained_variance_score),
    "log loss": Metric(sk.log_loss, "probabilities"),
    "log loss, three classes": Metric(sk.log_loss, "matrix", {}, {"labels": [0, 1, 2]}),
    "Brier": Metric(sk.brier_score_loss, "probabilities"),
    "AUC": Metric(sk.roc_auc_score, "scores"),
    "AUC, one against the rest": Metric(
        sk.roc_auc_score, "matrix", {"multi_class": "ovr"}, {"labels": [0, 1, 2]}
    ),
    "AUC, by prevalence": Metric(
        sk.roc_auc_score,
        "matrix",
        {"multi_class": "ovr", "average": "weighted"},
        {"labels": [0, 1, 2]},
    ),
    "average precision": Metric(sk.average_precision_score, "scores"),
    "rank loss": Metric(ours.rank_loss, "scores"),
    "break-even": Metric(ours.precision_recall_break_even, "scores"),
}
every = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
every_at_once = in_one_test("metric", METRICS.values(), ids=METRICS)


def rows_for(kind, n=10, seed=0, single=False):
    """Draw rows, some of them wrong: scores tie, and one class may have a single row."""
    rng = np.random.default_rng(seed)
    n_classes = 3 if kind in ("three labels", "matrix") else 2
    y = rng.permutation(np.arange(n) % n_classes)
    if single:
        y = np.where(y == 1, 0, y)
        y[4] = 1
    said = np.where(np.arange(n) % 3 == 2, (y + 1) % n_classes, y)
    said[4:6] = 1, 1
    if kind in ("two labels", "three labels"):
        return Rows(y, said)
    if kind == "numbers":
        y = rng.gamma(2.0, 1.0, n)
        return Rows(y, y * rng.gamma(9.0, 1 / 9, n))
    if kind == "matrix":
        counts = rng.integers(1, 5, (n, 3)) + 2 * (said[:, None] == np.arange(3))
        return Rows(y, counts / counts.sum(axis=1, keepdims=True))
    tied = np.clip(rng.integers(1, 8, n) / 9 + 0.2 * (y - 0.5), 0, 1)
    tied[4] = 0.5
    return Rows(y, tied)


def test_every_formula_is_tried():
    assert {metric.function.__name__ for metric in METRICS.values()} == {
        name for name, known in KNOWN.items() if known.kernel is not None
    }


# Of a single positive row nothing is a share: its weight does not matter.
ALL_OR_NOTHING = {sk.recall_score, ours.precision_recall_break_even}


@pytest.mark.long(keep=6)
@every
@pytest.mark.parametrize("single", [False, True], ids=["", "one row of a class"])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
def test_the_influence_is_the_derivative_in_the_weight_of_a_row(metric, weighted, single):
    rows = rows_for(metric.kind, single=single, seed=3 + weighted)
    n = len(rows.y)
    weight = np.random.default_rng(9).uniform(0.3, 3, n) if weighted else None
    expected = n * metric.slopes(rows, np.ones(n) if weight is None else weight)
    score, contributed = metric.row_metric.contributions(rows.y, rows.output, weight)
    assert score == pytest.approx(metric.score(rows, weight))
    np.testing.assert_allclose(contributed - score, expected, rtol=1e-5, atol=1e-5)
    # The score does not change when all weights are multiplied; break-even has kinks.
    kinks = metric.function is ours.precision_recall_break_even
    assert contributed.mean() == pytest.approx(score, abs=1e-4 if kinks else 1e-7)
    assert np.ptp(expected) > 0.01 or (single and metric.function in ALL_OR_NOTHING)


def test_a_mean_over_rows_is_made_up_of_the_scores_of_the_rows():
    tried = 0
    for metric in METRICS.values():
        if not metric.known.is_mean or metric.kind == "matrix":
            continue
        rows = rows_for(metric.kind)
        weight = np.random.default_rng(0).uniform(0.3, 3, len(rows.y))
        alone = []
        for row in range(len(rows.y)):
            one = Rows(rows.y[[row, row]], rows.output[[row, row]])
            if metric.kind == "probabilities":  # which need both classes
                one = Rows(np.array([0, 1]), rows.output[[row, row]])
                value = metric.score(one, np.eye(2)[rows.y[row]])
            else:
                value = metric.score(one, None)
            alone.append(value)
        score, contributed = metric.row_metric.contributions(rows.y, rows.output)
        np.testing.assert_allclose(contributed, alone, rtol=1e-12, atol=1e-12)
        score, contributed = metric.row_metric.contributions(rows.y, rows.output, weight)
        expected = score + weight / weight.mean() * (np.array(alone) - score)
        np.testing.assert_allclose(contributed, expected, rtol=1e-12, atol=1e-12)
        tried += 1
    assert tried == sum(known.is_mean for known in KNOWN.values())


def placements(positive, scores):
    """Share of the other class that every row is ranked on the right side of, by counting."""
    found = []
    for own, mine in zip(positive, scores, strict=True):
        sign = 1 if own else -1
        others = sign * (mine - scores[positive != own])
        found.append(np.mean((others > 0) + 0.5 * (others == 0)))
    return np.array(found)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=12))
def test_the_influence_on_the_auc_is_delongs_placement(drawn):
    positive = np.array([*(own for own, _ in drawn), False, True])
    scores = np.array([*(mine for _, mine in drawn), 2, 2]) / 4
    score, contributed = METRICS["AUC"].row_metric.contributions(positive.astype(int), scores)
    assert score == pytest.approx(sk.roc_auc_score(positive, scores))
    n, own = len(positive), np.where(positive, positive.sum(), (~positive).sum())
    expected = score + n / own * (placements(positive, scores) - score)
    np.testing.assert_allclose(contributed, expected, rtol=1e-9, atol=1e-9)
    _, of_loss = METRICS["rank loss"].row_metric.contributions(positive.astype(int), scores)
    np.testing.assert_allclose(of_loss, contributed - 1, rtol=1e-9, atol=1e-9)


# The formulas of ranks without weights are other code than those with weights, and may be
# wrong where few rows tie: many small cases.


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=9),
    st.sampled_from(["AUC", "average precision", "rank loss"]),
)
def test_formulas_of_ranks_are_the_derivative_for_any_ties(drawn, name):
    y = np.array([*(own for own, _ in drawn), False, True]).astype(int)
    rows = Rows(y, np.array([*(mine for _, mine in drawn), 1, 2]) / 4)
    score, contributed = METRICS[name].row_metric.contributions(rows.y, rows.output)
    expected = len(y) * METRICS[name].slopes(rows, np.ones(len(y)))
    np.testing.assert_allclose(contributed - score, expected, rtol=1e-5, atol=1e-5)


@every_at_once
def test_cells_of_rows_that_are_alike_have_the_influence_of_their_rows(metric):
    """Resampling counts rows that are alike; each of them has the same influence."""
    rows = rows_for(metric.kind, n=60)
    outputs = {"a": rows.output, "b": rows.output[::-1]}
    kernel = Predictions(rows.y, outputs, metric.known).kernel
    assert isinstance(kernel, SumKernel | RankKernel)
    _, contributed = metric.row_metric.contributions(rows.y, rows.output)
    found = np.repeat(kernel.influence()[:, 0], kernel.plan.multiplicity)
    expected = contributed - contributed.mean()
    np.testing.assert_allclose(np.sort(found), np.sort(expected), rtol=1e-5, atol=1e-4)


@every_at_once
def test_groups_have_the_influence_of_all_their_rows(metric):
    rows = rows_for(metric.kind, n=24)
    groups = np.arange(24) % 7
    outputs = {"a": rows.output, "b": rows.output[::-1]}
    kernel = Predictions(rows.y, outputs, metric.known, groups=groups).kernel
    _, contributed = metric.row_metric.contributions(rows.y, rows.output)
    expected = np.bincount(groups, contributed - contributed.mean()) * 7 / 24
    np.testing.assert_allclose(kernel.influence()[:, 0], expected, rtol=1e-4, atol=1e-4)


def test_the_influence_of_a_function_is_that_of_leaving_rows_out():
    """A callable has no weights: a mean is exact, anything else is near."""
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=(2, 50))
    outputs = {"a": p, "b": y + 0.1 * p}

    def mse(y_true, y_pred):
        return np.mean((y_true - y_pred) ** 2)

    kernel = Predictions(y, outputs, mse).kernel
    assert isinstance(kernel, CallableKernel)
    losses = np.column_stack([(y - out) ** 2 for out in outputs.values()])
    np.testing.assert_allclose(kernel.influence(), losses - losses.mean(axis=0), atol=1e-9)

    def r2(y_true, y_pred):
        return sk.r2_score(y_true, y_pred)

    called = Predictions(y, outputs, r2).kernel
    known = Predictions(y, outputs, as_metric("r2")).kernel
    assert isinstance(called, CallableKernel)
    assert isinstance(known, SumKernel)
    by_formula, by_leaving_out = known.influence(), called.influence()
    assert np.corrcoef(by_formula[:, 1], by_leaving_out[:, 1])[0, 1] > 0.99


# Scorers, as a run finds them


def test_string_labels_and_columns_of_probabilities():
    rng = np.random.default_rng(1)
    y = np.array(["no", "yes"])[(rng.random(30) < 0.4).astype(int)]
    p = rng.random(30)
    both = np.column_stack([1 - p, p])
    for name, direct in (
        ("roc_auc", sk.roc_auc_score(y == "yes", p)),
        ("average_precision", sk.average_precision_score(y == "yes", p)),
        ("neg_log_loss", -sk.log_loss(y == "yes", p)),
        ("neg_brier_score", -sk.brier_score_loss(y == "yes", p)),
    ):
        metric = RowMetric.of(name, y)
        for output in (both, p):
            score, rows = metric.contributions(y, output)
            assert score == pytest.approx(direct)
            assert rows.shape == (30,)
            assert rows.mean() == pytest.approx(direct)
    f1 = RowMetric.of(make_scorer(sk.f1_score, pos_label="no"), y)
    score, rows = f1.contributions(y, np.where(p > 0.5, "yes", "no"))
    assert score == pytest.approx(
        sk.f1_score(y, np.where(p > 0.5, "yes", "no"), pos_label="no")
    )


def test_a_fold_may_lack_a_class_that_other_folds_have():
    y = np.array([0, 1, 2] * 5)
    p = np.random.default_rng(0).dirichlet(np.ones(3), 6)
    metric = RowMetric.of("neg_log_loss", y)
    part = np.array([0, 1, 0, 1, 1, 0])
    score, rows = metric.contributions(part, p)
    assert rows.tolist() == pytest.approx(np.log(p[np.arange(6), part]).tolist())
    assert score == pytest.approx(-sk.log_loss(part, p, labels=[0, 1, 2]))


PARTIAL_AUC = make_scorer(sk.roc_auc_score, response_method="predict_proba", max_fpr=0.1)


@in_one_test(
    "name, y",
    [
        ("roc_auc_ovo", [0, 1, 2] * 4),
        ("average_precision", [0, 1, 2] * 4),
        ("neg_brier_score", [0, 1, 2] * 4),
        ("top_k_accuracy", [0, 1, 2] * 4),
        ("neg_median_absolute_error", np.arange(12.0)),
        ("d2_log_loss_score", [0, 1, 1] * 4),
        ("r2", np.arange(24.0).reshape(12, 2)),
        (
            make_scorer(sk.roc_auc_score, response_method="predict_proba", max_fpr=0.1),
            [0, 1] * 6,
        ),
        (make_scorer(lambda y, p: 0.0), [0, 1] * 6),
    ],
    ids=str,
)
def test_it_is_known_beforehand_where_there_is_no_formula(name, y):
    metric = RowMetric.of(name, np.array(y))
    assert metric is None or not metric.has_formula(np.array(y))


@in_one_test(
    "name, y",
    [
        ("accuracy", [0, 1, 2] * 4),
        ("accuracy", [[0, 1], [1, 1], [1, 0]] * 4),
        ("f1", [0, 1] * 6),
        ("f1_macro", list("abc") * 4),
        ("matthews_corrcoef", [0, 1, 2] * 4),
        ("roc_auc", list("ab") * 6),
        ("roc_auc_ovr", [0, 1, 2] * 4),
        ("roc_auc_ovr_weighted", list("abc") * 4),
        ("average_precision", [0, 1] * 6),
        ("neg_log_loss", [0, 1, 2] * 4),
        ("neg_brier_score", [0, 1] * 6),
        ("r2", np.arange(12.0)),
        ("neg_mean_squared_error", np.arange(24.0).reshape(12, 2)),
        ("neg_root_mean_squared_error", np.arange(12.0)[:, None]),
        ("neg_mean_poisson_deviance", [0, 1, 2] * 4),
        ("neg_mean_gamma_deviance", [1, 2, 3] * 4),
    ],
    ids=str,
)
def test_it_is_known_beforehand_where_there_is_a_formula(name, y):
    assert get_scorer(name) is not None
    assert RowMetric.of(name, np.array(y)).has_formula(np.array(y))


def test_what_is_undefined_contributes_nothing():
    y = np.array([0, 1] * 6)
    assert METRICS["R2"].row_metric.contributions(np.arange(1.0), np.ones(1)) is None
    with pytest.raises(ValueError, match="one class only"):
        RowMetric.of("roc_auc", y).contributions(np.zeros(4, dtype=int), np.linspace(0, 1, 4))


def test_one_column_is_a_vector():
    y, p = np.random.default_rng(0).normal(size=(2, 9))
    metric = RowMetric.of("neg_mean_squared_error", y)
    assert metric.has_formula(y[:, None])
    score, rows = metric.contributions(y[:, None], p[:, None])
    assert score == pytest.approx(-np.mean((y - p) ** 2))
    assert rows.tolist() == pytest.approx((-((y - p) ** 2)).tolist())
