"""The projection t test by the front doors: from estimators to the numbers of skstat.stats."""

from functools import partial

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    paired_cross_validate,
    paired_cv_ttest,
    stats,
)
from skstat.evaluation import RepeatedHalves

LR, NB = LogisticRegression(C=0.01), GaussianNB()
TWO = {"lr": LR, "nb": NB}
HALVES = RepeatedHalves(6, stratify=True, random_state=0)


y = np.repeat([1, 0], 30)
X = np.random.default_rng(0).normal(size=(60, 3)) + 0.6 * y[:, None]


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
    for report in (
        compare_estimators(TWO, X, y, **options),
        compare_estimators(TWO, X, y, test="projection_t", **options),
        paired_cv_ttest(LR, NB, X, y, correction="projection", **options),
        compare_scores(run, test="projection_t"),
        compare_scores(sample),
    ):
        assert_is(report, outcome)
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
    of_run = {"scores": run, "systems": ("lr",), "constant": constant}
    for asked in ({"scores": scores, "constant": constant}, of_run):
        assert_is(compare_scores(**asked), known.evidence.outcome)
    by_name = compare_scores(**of_run, test="corrected_t")
    assert by_name.test.startswith("corrected one-sample t test")
