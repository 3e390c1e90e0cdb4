"""What `as_metric` makes of names, functions, partials and scorers, and what it refuses."""

import warnings
from functools import partial

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from skstat.metrics import as_metric
from skstat.stats import Predictions
from tests.cases import in_one_test, refusals
from tests.metrics.specs import CALLED

RNG = np.random.default_rng(0)
Y = np.array([0, 1, 1, 0, 1, 0, 0, 1] * 4)
LABELS = {"a": np.where(RNG.random(32) < 0.8, Y, 1 - Y), "b": RNG.integers(0, 2, 32)}
SCORES = {"a": np.clip(Y * 0.3 + RNG.random(32) * 0.7, 0, 1), "b": RNG.random(32)}
NUMBERS = {"a": RNG.random(32) * 3 + 0.1, "b": RNG.random(32) * 3 + 0.1}
TRUTH = RNG.random(32) * 3 + 0.1
THREE = np.array([0, 1, 2, 1] * 8)
MATRICES = {name: RNG.dirichlet([1, 1, 1], 32) for name in "ab"}
STRINGS = np.array(["ham", "spam"])[Y]
NAMED = {name: np.array(["ham", "spam"])[out] for name, out in LABELS.items()}
COLUMNS = {name: np.column_stack([1 - p, p]) for name, p in SCORES.items()}


def reshaped(outputs, *shape):
    return {name: out.reshape(shape) for name, out in outputs.items()}


class Stub(ClassifierMixin, BaseEstimator):
    """A fitted classifier that answers with what it was given."""

    def __init__(self, output=None, classes=(0, 1)):
        self.output = output
        self.classes = classes

    @property
    def classes_(self):
        return np.asarray(self.classes)

    def __sklearn_is_fitted__(self):
        return True

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.output

    def decision_function(self, X):
        return self.output

    def predict_proba(self, X):
        p = self.output
        return np.column_stack([1 - p, p]) if p.ndim == 1 else p


def data_for(metric, name):
    """Truth and outputs of the kind that a metric needs."""
    if name.startswith("roc_auc_ov") or name == "d2_brier_score":
        return THREE, MATRICES
    if metric.kind == "labels":
        return Y, LABELS
    if metric.kind in ("scores", "probabilities") or name == "top_k_accuracy":
        return Y, SCORES
    if metric.kind == "numbers":
        return TRUTH, NUMBERS
    return Y, LABELS


@in_one_test("name", get_scorer_names())
def test_every_scorer_by_name(name):
    # The score is what the scorer gives an estimator with these outputs.
    metric = as_metric(name)
    assert metric.name == name
    assert metric.is_loss == name.startswith("neg_")
    y, outputs = data_for(metric, name)
    if name.endswith("_samples"):
        rng = np.random.default_rng(1)
        y = rng.integers(0, 2, (32, 3))
        outputs = {system: np.where(rng.random((32, 3)) < 0.7, y, 1 - y) for system in "ab"}
    classes = np.unique(y) if y.ndim == 1 else (0, 1)
    predictions = Predictions(y, outputs, metric)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            get_scorer(name)(Stub(output, classes), output, y) for output in outputs.values()
        ]
    np.testing.assert_allclose(predictions.scores, expected, rtol=1e-9, atol=1e-12)


test_unknown_names = refusals([
    (("acuracy",), "metric='acuracy' is unknown. Did you mean 'accuracy'.* Use a"),
    *(((name,), "is unknown")
      for name in ("make_scorer", "get_scorer", "confusion", "RocCurveDisplay", "")),
], as_metric)  # fmt: skip


def test_functions_by_name_and_by_themselves():
    loss = as_metric("zero_one_loss")
    assert (loss.name, loss.kind) == ("neg_zero_one_loss", "labels")
    assert loss(Y, LABELS["a"]) == -sk.zero_one_loss(Y, LABELS["a"])
    ready = as_metric("f1")
    assert as_metric(ready) is ready


@in_one_test("name", [n for n in sk.__all__ if n.endswith(("_error", "_loss", "_score"))])
def test_losses_are_negated_and_named_so(name):
    function = getattr(sk, name)
    metric, is_loss = as_metric(function), not name.endswith("_score")
    assert (metric.is_loss, metric.name) == (is_loss, "neg_" * is_loss + name)
    assert as_metric(function, name="cost").name == "cost"
    other = as_metric(function, higher_is_better=is_loss)
    assert (other.is_loss, other.name) == (not is_loss, "neg_" * (not is_loss) + name)


def my_loss(y_true, y_pred):
    return float(np.mean(y_true != y_pred))


def accuracy_score(y_true, y_pred):
    """A function of the user's that only shares its name."""
    return float(np.mean(y_true == y_pred)) ** 2


def test_functions_of_the_user_are_taken_as_they_are():
    metric = as_metric(my_loss)
    assert (metric.name, metric.is_loss, metric.known) == ("my_loss", False, "")
    assert Predictions(Y, LABELS, metric).kernel.how == CALLED
    with pytest.raises(TypeError, match="takes no greater_is_better=. Use higher_is_better="):
        as_metric(my_loss, greater_is_better=False)
    loss = as_metric(my_loss, higher_is_better=False)
    assert (loss.name, loss.is_loss) == ("neg_my_loss", True)
    assert loss(Y, LABELS["a"]) == -my_loss(Y, LABELS["a"])
    same_name = as_metric(accuracy_score)
    assert same_name.known == ""
    expected = [accuracy_score(Y, out) for out in LABELS.values()]
    assert Predictions(Y, LABELS, same_name).scores.tolist() == expected


class Threshold:
    def __init__(self, at):
        self.at = at

    def __call__(self, y_true, y_pred):
        return float(np.mean(y_true == (y_pred > self.at)))


def above_a_third(y_true, y_pred):
    return float(np.mean(y_true == (y_pred > 1 / 3)))


def at_threshold(threshold, y_true, y_pred, *, power=1):
    return float(np.mean(y_true == (y_pred > threshold))) ** power


def test_callable_objects_and_partials_of_own_functions():
    metric = as_metric(Threshold(0.5))
    assert metric.name == "Threshold"
    expected = [Threshold(0.5)(Y, out) for out in SCORES.values()]
    assert Predictions(Y, SCORES, metric).scores.tolist() == expected
    # Arguments by position come before y_true, and must not get lost.
    by_position = as_metric(partial(at_threshold, 0.5, power=2))
    assert by_position.name == "at_threshold"
    squared = [score**2 for score in expected]
    assert Predictions(Y, SCORES, by_position).scores.tolist() == squared


loss_of = partial(make_scorer, greater_is_better=False)
of_probabilities = partial(make_scorer, response_method="predict_proba")
of_scores = partial(make_scorer, response_method="decision_function")
BOTH = ("decision_function", "predict_proba")
SCORERS = {
    "labels": (make_scorer(sk.f1_score, average="macro"), LABELS, False),
    "an option and a loss": (loss_of(sk.fbeta_score, beta=0.5), LABELS, True),
    "a loss of labels": (loss_of(sk.zero_one_loss), LABELS, False),
    "a loss with the sign of a score": (make_scorer(sk.hamming_loss), LABELS, False),
    "a list": (make_scorer(sk.f1_score, average="micro", labels=[1, 0]), LABELS, False),
    "probabilities": (of_probabilities(sk.log_loss, greater_is_better=False), SCORES, False),
    "scores": (make_scorer(sk.roc_auc_score, response_method=BOTH), SCORES, False),
    "an array": (
        make_scorer(sk.f1_score, average="macro", labels=np.array([1, 0])),
        LABELS,
        True,
    ),
    "of the user": (make_scorer(my_loss), LABELS, True),
    "of the user, a loss": (loss_of(my_loss), LABELS, True),
    "of the user, with a known name": (make_scorer(accuracy_score), LABELS, True),
    "of the user, of probabilities": (of_probabilities(above_a_third), SCORES, True),
    "of the user, of scores": (of_scores(above_a_third), SCORES, True),
}


@pytest.mark.usefixtures("checks_of_scikit_learns_arguments")
@in_one_test("scorer, outputs, is_called", SCORERS.values(), ids=SCORERS)
def test_scorer_objects(scorer, outputs, is_called):
    metric = as_metric(scorer)
    predictions = Predictions(Y, outputs, metric)
    assert (predictions.kernel.how == CALLED) == is_called
    expected = [scorer(Stub(output), output, Y) for output in outputs.values()]
    np.testing.assert_allclose(predictions.scores, expected, rtol=1e-12)
    assert metric.is_loss == metric.name.startswith("neg_")
    assert metric.is_loss == ("greater_is_better=False" in repr(scorer))


def test_scorers_know_the_classes_of_the_whole_test_set():
    # The column of the positive class is that of predict_proba, in a resample of one class
    # as well.
    scorer = of_probabilities(above_a_third)
    kernel = Predictions(Y, SCORES, as_metric(scorer)).kernel
    negatives = (Y == 0).astype(int)
    p = SCORES["a"][Y == 0]
    assert kernel.weighted(negatives[None])[0, 0] == np.mean(p <= 1 / 3)


@in_one_test("systems", [2, 3])
@in_one_test("function", [sk.accuracy_score, sk.zero_one_loss, sk.hamming_loss])
@in_one_test("greater", [True, False])
def test_half_right_is_no_excuse_for_the_wrong_sign(function, greater, systems):
    # Where all systems have an accuracy of 1/2 a share of hits and one of misses agree.
    outputs = {"a": [1, 1, 0, 0], "b": [0, 0, 1, 1], "c": [1, 0, 1, 0]}
    outputs = {name: outputs[name] for name in "abc"[:systems]}
    metric = as_metric(function, higher_is_better=greater)
    kernel = Predictions([1, 1, 1, 1], outputs, metric, draw="rows").kernel
    found = kernel.weighted(np.array([[2, 2, 0, 0]]))[0]
    y = np.ones(4, dtype=int)
    expected = [metric(y, np.repeat(out[:2], 2)) for out in outputs.values()]
    assert found.tolist() == expected
    assert found[0] != found[1]


FALLBACKS = {
    "zero_division=1": (partial(sk.f1_score, average="macro", zero_division=1), Y, LABELS),
    "zero_division=nan": (partial(sk.recall_score, zero_division=np.nan), Y, LABELS),
    "counts, not shares": (partial(sk.accuracy_score, normalize=False), Y, LABELS),
    "counts of misses": (partial(sk.zero_one_loss, normalize=False), Y, LABELS),
    "quadratic kappa": (partial(sk.cohen_kappa_score, weights="quadratic"), THREE, {
        "a": THREE, "b": THREE[::-1]}),
    "partial AUC": (partial(sk.roc_auc_score, max_fpr=0.5), Y, SCORES),
    "sum of log losses": (partial(sk.log_loss, normalize=False), Y, SCORES),
    "r2 of two outputs": (sk.r2_score, TRUTH.reshape(16, 2), reshaped(NUMBERS, 16, 2)),
    "rmse of two outputs": (
        sk.root_mean_squared_error, TRUTH.reshape(16, 2), reshaped(NUMBERS, 16, 2)),
    "weights of outputs": (
        partial(sk.mean_squared_error, multioutput=[0.9, 0.1]), TRUTH.reshape(16, 2),
        reshaped(NUMBERS, 16, 2)),
    "hamming loss of label sets": (sk.hamming_loss, Y.reshape(8, 4), reshaped(LABELS, 8, 4)),
    "f1 of label sets": (
        partial(sk.f1_score, average="samples"), Y.reshape(8, 4), reshaped(LABELS, 8, 4)),
    "one-vs-one AUC": (partial(sk.roc_auc_score, multi_class="ovo"), THREE, MATRICES),
    "median": (sk.median_absolute_error, TRUTH, NUMBERS),
    "r2 as a loss": (sk.r2_score, TRUTH, NUMBERS, False),
}  # fmt: skip


@in_one_test("case", FALLBACKS.values(), ids=FALLBACKS)
def test_what_no_formula_knows_is_called(case):
    metric, y, outputs, *greater = case
    ready = as_metric(metric, higher_is_better=greater[0] if greater else None)
    predictions = Predictions(y, outputs, ready)
    kernel = predictions.kernel
    assert kernel.how == CALLED
    rows = np.tile(np.arange(len(y)), 2)
    twice = kernel.weighted(np.full((1, len(y)), 2))[0]
    expected = [ready(y[rows], out[rows]) for out in outputs.values()]
    np.testing.assert_allclose(twice, expected, rtol=1e-12)


def test_labels_and_pos_label_go_where_they_fit():
    f1 = as_metric("f1", pos_label="spam")
    expected = [sk.f1_score(STRINGS, out, pos_label="spam") for out in NAMED.values()]
    assert Predictions(STRINGS, NAMED, f1).scores == pytest.approx(expected)
    macro = as_metric("f1_macro", labels=np.array([1]))
    expected = [sk.f1_score(Y, out, labels=[1], average="macro") for out in LABELS.values()]
    assert Predictions(Y, LABELS, macro).scores == pytest.approx(expected)
    for metric in ("roc_auc", "average_precision", "neg_brier_score", "neg_log_loss"):
        # Scores are those of pos_label.
        ham = as_metric(metric, pos_label="ham")
        plain = as_metric(metric)
        expected = Predictions(1 - Y, SCORES, plain).scores
        assert Predictions(STRINGS, SCORES, ham).scores == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["accuracy", "average_precision", "r2", my_loss])
def test_arguments_that_do_not_fit(metric):
    with pytest.raises(ValueError, match="labels does not fit metric"):
        as_metric(metric, labels=[0, 1])
    if metric != "average_precision":
        with pytest.raises(ValueError, match="pos_label does not fit metric .* takes none"):
            as_metric(metric, pos_label=1)


def test_log_loss_takes_the_classes_of_its_columns():
    y = np.where(THREE == 2, 1, THREE)  # the third class is missing from the truth
    metric = as_metric("neg_log_loss", labels=[0, 1, 2])
    predictions = Predictions(y, MATRICES, metric)
    assert predictions.kernel.how != CALLED
    expected = [-sk.log_loss(y, out, labels=[0, 1, 2]) for out in MATRICES.values()]
    assert predictions.scores == pytest.approx(expected, rel=1e-12)
    named = as_metric("neg_log_loss", labels=["ham", "spam"], pos_label="spam")
    predictions = Predictions(STRINGS, SCORES, named)
    assert predictions.kernel.how != CALLED
    expected = [-sk.log_loss(Y, out) for out in SCORES.values()]
    assert predictions.scores == pytest.approx(expected, rel=1e-12)
    # A resample of one class is defined, since the classes are known.
    assert np.isfinite(predictions.kernel.weighted(Y[None])).all()


def test_the_two_columns_of_predict_proba():
    for metric in ("roc_auc", "neg_log_loss", "neg_brier_score", "average_precision"):
        expected = Predictions(Y, SCORES, as_metric(metric)).scores
        assert Predictions(Y, COLUMNS, as_metric(metric)).scores == pytest.approx(expected)
        spam = as_metric(metric, pos_label="spam")
        assert Predictions(STRINGS, COLUMNS, spam).scores == pytest.approx(expected)
        ham = as_metric(metric, pos_label="ham")
        first = {name: 1 - p for name, p in SCORES.items()}
        expected = Predictions(1 - Y, first, as_metric(metric)).scores
        assert Predictions(STRINGS, COLUMNS, ham).scores == pytest.approx(expected)
    single = {name: p[:, None] for name, p in SCORES.items()}
    auc = as_metric("roc_auc")
    assert (Predictions(Y, single, auc).scores == Predictions(Y, SCORES, auc).scores).all()


def scores_of(metric, y, outputs):
    return Predictions(y, outputs, as_metric(metric)).scores


TEXTS = {"a": ["x"] * 32, "b": ["y"] * 32}
MIXED = np.array([0, "x"] * 16, dtype=object)
test_predictions_of_the_wrong_kind = refusals([
    (("accuracy", Y, SCORES),
     r"accuracy needs labels, and predictions\['a'\] holds numbers such as .*predict\(\)"),
    (("f1", Y, COLUMNS),
     r"predictions\['a'\] has shape \(32, 2\) and y_true \(32,\); f1 needs one predicted"),
    (("accuracy", TRUTH, LABELS), "y_true holds numbers such as"),
    (("accuracy", STRINGS, LABELS), "no prediction can be right"),
    (("roc_auc", Y, LABELS),
     r"roc_auc needs scores or probabilities, and predictions\['a'\] holds whole numbers"),
    (("average_precision", Y, {name: out > 0 for name, out in LABELS.items()}),
     "which look like predicted labels. Pass predict_proba or decision_function"),
    (("neg_log_loss", Y, LABELS), "look like predicted labels"),
    (("neg_mean_squared_error", TRUTH, TEXTS),
     r"needs numbers, and predictions\['a'\] holds 'x'"),
    (("r2", STRINGS, NUMBERS), "needs numbers, and y_true holds"),
    (("roc_auc", Y, TEXTS), "needs scores"),
    (("r2", TRUTH, {"a": TRUTH, "b": np.where(TRUTH > 1, np.inf, TRUTH)}),
     r"predictions\['b'\] holds infinite values"),
    (("roc_auc", Y, {"a": SCORES["a"], "b": np.full(32, -np.inf)}), "infinite values"),
    (("neg_log_loss", Y, {"a": SCORES["a"], "b": 4 * SCORES["b"] - 2}),
     r"needs probabilities, and predictions\['b'\] ranges from -.* to .*predict_proba"),
    (("neg_log_loss", THREE, {"a": MATRICES["a"], "b": MATRICES["b"] * 0.9}),
     r"predictions\['b'\]: the probabilities of row \d+ sum to 0.9"),
    (("roc_auc", STRINGS, SCORES),
     "which class is the positive one. Pass pos_label='spam' or pos_label='ham'"),
    (("roc_auc", Y + 1, SCORES), r"Pass pos_label=2 or pos_label=1"),
    (("roc_auc", THREE, SCORES),
     "y_true holds 3 classes, and roc_auc needs two; use a metric for several classes"),
    (("average_precision", THREE, SCORES), "holds 3 classes"),
    (("neg_brier_score", THREE, SCORES), "holds 3 classes"),
    (("roc_auc", np.ones(32), SCORES), "y_true holds one class only"),
    (("f1", THREE, {"a": THREE, "b": THREE[::-1]}), r"or partial\(f1_score, average="),
    (("roc_auc", Y, {"a": SCORES["a"], "b": MATRICES["b"]}), "shape"),
    ((partial(sk.f1_score, average=None), Y, LABELS),
     "f1_score gives 2 numbers, not one; .*average='macro'"),
    ((partial(sk.mean_squared_error, multioutput="raw_values"), TRUTH.reshape(16, 2),
      reshaped(NUMBERS, 16, 2)), "gives 2 numbers"),
    (("f1_macro", MIXED, {"a": MIXED, "b": MIXED}), "no order"),
    ((as_metric("f1_macro", labels=[0, 7]), Y, LABELS), "7 is in neither y_true nor the pred"),
    ((as_metric("f1", pos_label=7), Y, LABELS), "7 is in neither y_true nor the predictions"),
    (("f1", STRINGS, NAMED), "which is the positive one. Pass pos_label"),
    ((as_metric("roc_auc", pos_label="eggs"), STRINGS, SCORES), "pos_label='eggs' is not in"),
    ((as_metric("neg_log_loss", labels=[0, 1, 3]), THREE, MATRICES),
     r"y_true holds 2, which is not in labels=\[0, 1, 3\]"),
], scores_of)  # fmt: skip


def test_weights_need_a_metric_that_takes_them():
    weight = np.linspace(1, 2, 32)

    def weighted(y_true, y_pred, sample_weight):
        return float(np.average(y_true == y_pred, weights=sample_weight))

    found = Predictions(Y, LABELS, as_metric(weighted), sample_weight=weight).scores
    expected = Predictions(Y, LABELS, as_metric("accuracy"), sample_weight=weight).scores
    assert found == pytest.approx(expected)
    with pytest.raises(TypeError, match="sample_weight"):
        Predictions(Y, LABELS, as_metric(my_loss), sample_weight=weight).scores  # noqa: B018


OF_SPREAD = [
    "r2", "explained_variance", sk.d2_absolute_error_score, sk.d2_pinball_score,
    sk.d2_tweedie_score, sk.make_scorer(sk.r2_score), partial(sk.r2_score),
]  # fmt: skip


@in_one_test("metric", OF_SPREAD)
def test_nothing_is_explained_of_a_constant_truth(metric):
    """Scikit-learn gives 0, or 1 without errors, so that a search can go on."""
    rng = np.random.default_rng(0)
    truth, noise = np.full(30, 2.5), rng.normal(size=30)
    scored = as_metric(metric)
    for output in (truth, truth + noise):
        assert np.isnan(scored(truth, output))
        constant = Predictions(truth, {"a": output, "b": output}, scored)
        assert np.isnan(constant.kernel.scores).all()
        with pytest.raises(ValueError, match=r"undefined \(nan\).*one value"):
            _ = constant.scores
    # Rows without weight do not count.
    truth[0] = 9.0
    assert np.isnan(scored(truth, truth + noise, sample_weight=np.arange(30)))
    assert np.isfinite(scored(truth, truth + noise))
