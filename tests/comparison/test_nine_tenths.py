"""Learners trained on nine tenths of the rows, by every door: folds, and halves beside them."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, median_absolute_error
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    estimate_performance,
    paired_cross_validate,
    paired_cv_ttest,
    stats,
)
from skstat.evaluation import RepeatedGroupKFold, RepeatedHalves
from tests.cases import in_one_test, refusals
from tests.comparison.by_hand import accuracy, by_hand
from tests.contract import check_report

LR, NB = LogisticRegression(C=0.01), GaussianNB()
TWO = {"lr": LR, "nb": NB}
RIDGES = {"strong": Ridge(1000.0), "weak": Ridge(1.0)}
ask = partial(compare_estimators, random_state=0, train_size=0.9)
close = partial(pytest.approx, rel=1e-7)  # a second fit may have other last digits


def data(n=60, share=0.5, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < round(share * n)).astype(int)
    return rng.normal(size=(n, 3)) + 0.6 * y[:, None], y


X, y = data()


def numbers(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X.sum(axis=1) + rng.normal(size=n)


def sample_by_hand(estimators, X, y, folds, halves):
    def of(cv):
        found = [by_hand(model, X, y, cv, accuracy)[1:] for model in estimators]
        (a, tested), (b, _) = found
        return stats.PairedScores.from_row_scores(a[..., 0], b[..., 0], tested)

    on_folds, on_halves = of(folds), of(halves)
    return stats.PairedScores(
        on_folds.a, on_folds.b, rows=replace(on_folds.rows, halves=on_halves.rows),
        n_repeats=2, unit="split", n_train=on_folds.n_train, n_test=on_folds.n_test,
    )  # fmt: skip


@pytest.fixture(scope="module")
def at_nine_tenths():
    return ask(TWO, X, y)


# The numbers


def test_the_door_gives_what_fits_by_hand_give(at_nine_tenths):
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    halves = RepeatedHalves(15, stratify=False, balanced=True, random_state=0)
    expected = stats.projection_t(sample_by_hand([LR, NB], X, y, folds, halves))
    assert at_nine_tenths.pvalue == close(expected.pvalue)
    assert at_nine_tenths.confidence_interval() == close(expected.confidence_interval())
    own, by_hand = at_nine_tenths.evidence.outcome.law, expected.law
    assert own.half.estimate == close(by_hand.half.estimate)
    assert own.change.standard_error == close(by_hand.change.standard_error)
    means = [cross_val_score(model, X, y, cv=folds).mean() for model in (LR, NB)]
    assert at_nine_tenths.estimate == close(means[0] - means[1])
    check_report(at_nine_tenths)


# Beside the default


@in_one_test(
    "why, options",
    [
        ("other splits", {"cv": RepeatedKFold(n_splits=2, n_repeats=15, random_state=0)}),
        ("another test", {"cv": RepeatedHalves(15), "test": "corrected_t"}),
        ("folds of six rows, and no mean", {"scoring": "f1"}),
        ("rows that are not known", {"scoring": make_scorer(median_absolute_error)}),
        ("nine groups", {"groups": np.arange(60) % 9}),
        ("a class that folds cannot share out", {"y": data(share=0.15)[1]}),
    ],
)
def test_it_is_not_said_where_it_would_not_do(why, options):
    report = compare_estimators(TWO, X, **{"y": y, "random_state": 0, **options})
    assert "train_size" not in str(report) and "larger" not in report.design, why


# Every door


def test_the_score_of_one_estimator(at_nine_tenths):
    report = estimate_performance(("lr", LR), X, y, train_size=0.9, random_state=0)
    run = paired_cross_validate({"lr": LR}, X, y, train_size=0.9, random_state=0)
    expected = stats.t_estimate(run.scores_of("lr")).within(0, 1)
    assert report.estimate == close(expected.estimate)
    assert report.confidence_interval() == close(expected.confidence_interval())
    assert report.n_fits == 50
    assert "90%\nof the rows" in str(report) or "90% of the rows" in str(report)
    both = estimate_performance(TWO, X, y, train_size=0.9, random_state=0)
    assert both.pairs[0].estimate == close(at_nine_tenths.estimate)


# Rows of every kind


def test_groups_are_kept_together():
    X, y = numbers(80)
    groups = np.arange(80) // 4
    report = ask(RIDGES, X, y, groups=groups)
    assert report.df == 15 and report.design["train_groups"] == 18
    run = paired_cross_validate(RIDGES, X, y, groups=groups, train_size=0.9, random_state=0)
    for part in (run, run.halves):
        for train, test in part.design.splits:
            assert np.intersect1d(groups[train], groups[test]).size == 0
    assert "RepeatedGroupKFold" in run.design.splitter
    given = paired_cross_validate(
        RIDGES, X, y, groups=groups, cv=RepeatedGroupKFold(10, 2, random_state=0)
    )
    assert report.estimate == close(compare_scores(given, test="corrected_t").estimate)


# The fits


def test_a_budget_pays_for_folds_first():
    report = ask(TWO, X, y, budget=44)
    assert report.df == 12 and report.design["halves"]["n_splits"] == 24
    performance = estimate_performance(LR, X, y, train_size=0.9, budget=44, random_state=0)
    assert performance.n_fits == 44


# Refusals

LISTED = list(RepeatedKFold(n_splits=10, n_repeats=2, random_state=0).split(np.zeros(60)))


MEDIAN = make_scorer(median_absolute_error, greater_is_better=False)
UNKNOWN = {"scoring": MEDIAN, "train_size": 0.9}
plain = partial(ask, TWO, X, y)
test_what_does_not_fit_is_refused = refusals([
    (partial(plain, train_size=0.7), "train_size=0.7 must be 0.5"),
    (partial(plain, train_size=True), "train_size=True must be 0.5"),
    (partial(plain, cv=5, train_size=0.5), "train_size=0.5 chooses the splits, and cv= gives"),
    (partial(plain, cv=10), "one repetition does not tell how much of what a row contributes"),
    (partial(plain, cv=RepeatedKFold(n_splits=5, n_repeats=2)),
     "no valid test is known for 2x5-fold"),
    (partial(plain, cv=LISTED, groups=np.arange(60) // 2), "the folds split groups"),
    (partial(plain, budget=39), "budget=39: train_size=0.9 needs 40 fits at least"),
    (partial(plain, test="corrected_t"), "train_size=0.9 is for test='projection_t'"),
    (partial(ask, TWO, *data(share=0.15)), "rows of class 1 for 10 folds, and there are 9"),
    (partial(plain, groups=np.arange(60) // 10), "needs 10 groups for 10 folds, and there are"),
    # By other doors too
    (partial(compare_estimators, RIDGES, *numbers(), **UNKNOWN), "what every row contributes"),
    (partial(compare_to_baseline, Ridge(), *numbers(), **UNKNOWN), "what every row contrib"),
    (partial(estimate_performance, Ridge(), *numbers(), **UNKNOWN), "contribution"),
    (partial(paired_cv_ttest, LR, NB, X, y, correction="bouckaert", train_size=0.9),
     "is for correction='projection'"),
    (partial(estimate_performance, LR, X, y, method="corrected_t", train_size=0.9),
     "is for method='projection'"),
])  # fmt: skip
