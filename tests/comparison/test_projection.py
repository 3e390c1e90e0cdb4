"""The projection t test by the front doors: from estimators to the numbers of skstat.stats."""

from functools import partial

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    paired_cross_validate,
    paired_cv_ttest,
    stats,
)
from skstat.evaluation import RepeatedHalves

LR, NB, KNN = LogisticRegression(C=0.01), GaussianNB(), KNeighborsClassifier(3)
TWO, THREE = {"lr": LR, "nb": NB}, {"lr": LR, "nb": NB, "knn": KNN}
HALVES = RepeatedHalves(6, stratify=True, random_state=0)


def data(n=60, share=0.5, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < round(share * n)).astype(int)
    return rng.normal(size=(n, 3)) + 0.6 * y[:, None], y


X, y = data()


def assert_is(report, outcome):
    assert report.evidence.outcome.test == outcome.test
    # Every door fits anew, and a second fit may have other last digits.
    same = partial(pytest.approx, rel=1e-7)
    assert (report.evidence.outcome.estimate, report.pvalue) == same(
        (outcome.estimate, outcome.pvalue)
    )
    assert report.evidence.outcome.confidence_interval() == same(outcome.confidence_interval())
    assert report.df == same(outcome.df)


# All doors lead to the same test


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "scoring, cv",
    [
        *((name, HALVES) for name in ("accuracy", "neg_log_loss", "roc_auc", "f1_macro")),
        ("f1_macro", RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0)),
    ],
)
def test_every_door_asks_projection_t_of_the_run(scoring, cv):
    run = paired_cross_validate(TWO, X, y, scoring=scoring, cv=cv)
    sample = run.sample()
    assert sample.rows is not None
    outcome = stats.projection_t(sample)
    assert 0 < outcome.pvalue < 1
    options = {"scoring": scoring, "cv": cv}
    assert_is(compare_estimators(TWO, X, y, **options), outcome)
    assert_is(compare_estimators(TWO, X, y, test="projection_t", **options), outcome)
    assert_is(paired_cv_ttest(LR, NB, X, y, **options), outcome)
    assert_is(paired_cv_ttest(LR, NB, X, y, correction="projection", **options), outcome)
    assert_is(compare_scores(run), outcome)
    assert_is(compare_scores(run, test="projection_t"), outcome)
    assert_is(compare_scores(sample), outcome)
    one_sided = compare_estimators(TWO, X, y, alternative="less", **options)
    assert_is(one_sided, stats.projection_t(sample, alternative="less"))


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_a_baseline_is_a_pair(scoring):
    report = compare_to_baseline(
        LR, X, y, strategy="prior", scoring=scoring, cv=HALVES, alternative="two-sided"
    )
    run = paired_cross_validate(
        {"lr": LR, "prior": DummyClassifier(strategy="prior")},
        X, y, scoring=scoring, cv=HALVES,
    )  # fmt: skip
    assert_is(report, stats.projection_t(run.sample()))
    constant = -0.7 if scoring == "neg_log_loss" else 0.5
    known = compare_to_baseline(
        LR, X, y, strategy=constant, scoring=scoring, cv=HALVES, alternative="two-sided"
    )
    scores = run.scores_of("lr")
    assert_is(known, stats.projection_t(scores.against(constant)))
    assert_is(compare_scores(scores, constant=constant), known.evidence.outcome)


# Which splits


# Small and unbalanced data


def test_a_class_of_one_row_is_refused():
    X, y = data(n=40, share=0.025)
    with pytest.raises(ValueError, match="the number of rows of class 1 is 1, and both"):
        compare_estimators(TWO, X, y, random_state=0)


# Reports


def test_string_labels_with_a_positive_one():
    names = np.array(["no", "yes"])[y]
    scorer = make_scorer(f1_score, pos_label="yes")
    report = compare_estimators(TWO, X, names, scoring=scorer, cv=HALVES)
    assert_is(report, compare_estimators(TWO, X, y, scoring="f1", cv=HALVES).evidence.outcome)
