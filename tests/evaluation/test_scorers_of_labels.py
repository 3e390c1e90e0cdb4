"""Scorers that give a metric what it is not made for: refused by every door over estimators."""

import re

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB

import skstat
from skstat.metrics import rank_loss
from tests.cases import Untouched

X, y = make_classification(120, random_state=0)
WORDS = np.where(y == 1, "yes", "no")
PAIR = {"lr": LogisticRegression(), "nb": GaussianNB()}
OF_LABELS = {
    "roc_auc_score": make_scorer(sk.roc_auc_score),
    "roc_auc_score, ": make_scorer(sk.roc_auc_score, max_fpr=0.2),
    "average_precision_score": make_scorer(sk.average_precision_score),
    "log_loss": make_scorer(sk.log_loss, greater_is_better=False),
    "log_loss ": make_scorer(sk.log_loss),
    "brier_score_loss": make_scorer(sk.brier_score_loss, greater_is_better=False),
    "d2_log_loss_score": make_scorer(sk.d2_log_loss_score),
    "rank_loss": make_scorer(rank_loss, greater_is_better=False),
}


@pytest.mark.parametrize("metric", OF_LABELS)
def test_a_probability_metric_of_labels_is_refused_with_the_line_to_pass(metric):
    never = {"a": Untouched(), "b": Untouched()}
    for scoring in (OF_LABELS[metric], {"mine": OF_LABELS[metric]}, [OF_LABELS[metric]]):
        with pytest.raises(ValueError, match="labels of predict") as caught:
            skstat.compare_estimators(never, X, y, scoring=scoring)
    line = re.search(r"scoring=(make_scorer\(.*\)), with", str(caught.value))[1]
    names = {**vars(sk), "rank_loss": rank_loss, "make_scorer": make_scorer}
    scorer = eval(line, names)  # the line itself is what is tested
    report = skstat.compare_estimators(PAIR, X, y, scoring=scorer, cv=3, random_state=0)
    losses = metric.strip() in ("log_loss", "brier_score_loss", "rank_loss")
    assert report.lower is losses
    # The value is that of scikit-learn's own scorer of probabilities.
    known = {"roc_auc_score": "roc_auc", "log_loss": "neg_log_loss"}.get(metric)
    if known is not None:
        own = skstat.compare_estimators(PAIR, X, y, scoring=known, cv=3, random_state=0)
        assert report.estimate == pytest.approx(own.estimate)


ONE_CLASS = {
    "f1": "f1_score",
    "precision": "precision_score",
    "recall": "recall_score",
    "jaccard": "jaccard_score",
    "average_precision": "average_precision_score",
    "neg_brier_score": "brier_score_loss",
}


@pytest.mark.parametrize("metric", ONE_CLASS)
def test_labels_in_words_are_refused_with_the_line_to_pass(metric):
    function = getattr(sk, ONE_CLASS[metric])
    probabilities = metric in ("average_precision", "neg_brier_score")
    how = {"response_method": "predict_proba"} if probabilities else {}
    if metric == "neg_brier_score":
        how["greater_is_better"] = False
    for scoring in (metric, make_scorer(function, **how)):
        with pytest.raises(ValueError, match="positive class") as caught:
            skstat.compare_estimators(PAIR, X, WORDS, scoring=scoring)
    line = re.search(r"scoring=(make_scorer\(.*?\)), or 'no'", str(caught.value))[1]
    scorer = eval(line, {**vars(sk), "make_scorer": make_scorer})  # the line is what is tested
    words, numbers = (
        skstat.compare_estimators(PAIR, X, targets, scoring=used, cv=3, random_state=0)
        for targets, used in ((WORDS, scorer), (y, metric))
    )
    assert words.estimate == pytest.approx(numbers.estimate)


def test_an_average_over_classes_has_no_positive_one():
    scorer = make_scorer(sk.f1_score, average="macro")  # which scikit-learn refuses too
    with pytest.raises(ValueError, match="average='macro', pos_label=None"):
        skstat.compare_estimators(PAIR, X, WORDS, scoring=scorer)


def test_what_is_right_goes_on():
    fine = [
        make_scorer(sk.roc_auc_score, response_method="predict_proba"),
        make_scorer(sk.accuracy_score),
        make_scorer(sk.f1_score, pos_label="yes"),
        make_scorer(sk.f1_score, average="macro", pos_label=None),
        "roc_auc",
        "f1_macro",
        None,
    ]
    for scoring in fine:
        skstat.compare_estimators(PAIR, X, WORDS, scoring=scoring, cv=3, random_state=0)
    # What a regressor predicts is a score.
    pair = {"ols": LinearRegression(), "ridge": Ridge()}
    scorer = make_scorer(sk.roc_auc_score)
    report = skstat.compare_estimators(pair, X, y, scoring=scorer, cv=3, random_state=0)
    assert report.unit == "split"
