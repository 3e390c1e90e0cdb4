"""The projection t test by the front doors: from estimators to the numbers of skstat.stats."""

import json
import math
from functools import partial

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    paired_cross_validate,
    paired_cv_ttest,
    report_from_dict,
    stats,
)
from skstat.evaluation import RepeatedGroupKFold, RepeatedHalves
from tests.cases import Untouched, in_one_test
from tests.contract import check_report

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
    assert type(sample) is stats.PairedFoldScores
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


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("adjustment", ["holm", "max-t"])
def test_several_systems_have_the_standard_errors_of_their_pairs(adjustment):
    options = {"scoring": "neg_log_loss", "cv": HALVES, "random_state": 0}
    report = compare_estimators(THREE, X, y, adjustment=adjustment, **options)
    run = paired_cross_validate(THREE, X, y, scoring="neg_log_loss", cv=HALVES)
    best = stats.compare_with_best(run.table(), rng=0)
    for pair in report.pairs:
        outcome = stats.projection_t(run.table().pair(*pair[:2]))
        assert pair.estimate == pytest.approx(-outcome.estimate)
        if adjustment == "holm":
            assert pair.pvalue == pytest.approx(outcome.pvalue)
        error = report[pair[:2]].standard_error
        assert error == pytest.approx(outcome.standard_error)
        a, b = (run.names.index(name) for name in pair[:2])
        assert best.standard_errors[a, b] == pytest.approx(outcome.standard_error)
    # Whom a comparison with the best alone rules out, pairs may not: they ask more.
    assert set(report.may_be_best) >= set(best.may_be_best())
    check_report(report)


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
    assert_is(known, stats.one_sample_projection_t(scores, constant))
    assert_is(compare_scores(scores, constant=constant), known.evidence.outcome)


def test_a_random_baseline_has_no_rows_and_gets_the_corrected_test():
    report = compare_to_baseline(LR, X, y, strategy="uniform", cv=HALVES)
    assert "corrected" in report.test
    assert "corrected" in compare_to_baseline(LR, X, y, strategy="uniform", random_state=0).test


# Which splits


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "cv",
    [
        5,
        ShuffleSplit(10, random_state=0),
        RepeatedKFold(n_splits=4, n_repeats=2, random_state=0),
    ],
    ids=str,
)
def test_other_splits_get_the_corrected_test(cv):
    options = {"scoring": "accuracy", "cv": cv}
    for report in (
        compare_estimators(TWO, X, y, **options),
        paired_cv_ttest(LR, NB, X, y, **options),
        compare_scores(paired_cross_validate(TWO, X, y, **options)),
        compare_to_baseline(LR, X, y, **options),
    ):
        assert "corrected" in report.test
    three = compare_estimators(THREE, X, y, random_state=0, **options)
    assert "corrected" in three.test


@pytest.mark.parametrize("cv", [5, ShuffleSplit(10, random_state=0)])
def test_the_test_is_refused_of_splits_that_do_not_suit_before_anything_is_fitted(cv):
    two = {"a": Untouched(), "b": NB}
    for ask in (
        lambda: compare_estimators(two, X, y, scoring="accuracy", cv=cv, test="projection_t"),
        lambda: paired_cv_ttest(
            Untouched(), NB, X, y, scoring="accuracy", cv=cv, correction="projection"
        ),
    ):
        with pytest.raises(ValueError, match="does not suit the test.*Leave cv out, or pass"):
            ask()


def own(estimator, X, y):
    return float(np.mean(estimator.predict(X) == y))


SQUARE = make_scorer(lambda y, p: float(np.mean(y == p)) ** 2)


@in_one_test("scoring", [own, SQUARE, ["accuracy", "top_k_accuracy"]])
def test_the_test_is_refused_of_unknown_metrics_before_anything_is_fitted(scoring):
    two = {"a": Untouched(), "b": NB}
    refused = pytest.raises(ValueError, match=r"not known for scoring=.*Leave test out")
    with refused:
        compare_estimators(two, X, y, scoring=scoring, test="projection_t")
    with refused:
        paired_cv_ttest(Untouched(), NB, X, y, scoring=scoring, correction="projection")


def test_unknown_metrics_are_judged_by_scores_alone():
    assert "block jackknife" in paired_cv_ttest(LR, NB, X, y, scoring=own, random_state=0).test
    assert "block jackknife" in compare_estimators(TWO, X, y, scoring=own, random_state=0).test
    assert "corrected" in compare_estimators(TWO, X, y, scoring=own, cv=HALVES).test


class Disguised:
    """It says that it is a scorer of scikit-learn, and cuts probabilities at 0.8."""

    def __call__(self, estimator, X, y):
        return accuracy_score(y, (estimator.predict_proba(X)[:, 1] > 0.8).astype(int))

    def __repr__(self):
        return "make_scorer(accuracy_score)"


@pytest.mark.long
def test_rows_that_turn_out_to_be_unknown_cost_no_run():
    """The scores are there: they are judged by what else suits their splits."""
    scoring = Disguised()
    for report in (
        compare_estimators(TWO, X, y, scoring=scoring, random_state=0),
        compare_estimators(TWO, X, y, scoring=scoring, cv=HALVES),
        paired_cv_ttest(LR, NB, X, y, scoring=scoring, random_state=0),
        compare_to_baseline(LR, X, y, scoring=scoring, strategy="prior", random_state=0),
        compare_to_baseline(LR, X, y, scoring=scoring, strategy=0.5, random_state=0),
    ):
        assert "corrected" in report.test
        assert math.isfinite(report.estimate)
    with pytest.raises(ValueError, match="projection_t needs what every row contributed"):
        compare_estimators(TWO, X, y, scoring=scoring, test="projection_t")


# Small and unbalanced data


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("scoring", ["accuracy", "f1", "roc_auc", "average_precision"])
def test_a_class_of_two_rows(scoring):
    X, y = data(n=40, share=0.05)
    assert y.sum() == 2
    report = compare_estimators(TWO, X, y, scoring=scoring, random_state=0)
    assert "projection" in report.test
    check_report(report)


def test_a_class_of_one_row_is_refused():
    X, y = data(n=40, share=0.025)
    with pytest.raises(ValueError, match="y holds class 1 once only"):
        compare_estimators(TWO, X, y, random_state=0)


@pytest.mark.long
def test_few_groups():
    y = np.random.default_rng(0).permutation(data()[1])
    for n_groups in (5, 8):
        report = compare_estimators(
            TWO, X, y, scoring="accuracy", groups=np.arange(60) % n_groups, random_state=0
        )
        assert "projection" in report.test
        assert "groups" in report.estimand
        check_report(report)
    with pytest.raises(ValueError, match="groups holds 4 groups"):
        compare_estimators(TWO, X, y, groups=np.arange(60) % 4, random_state=0)
    folds = RepeatedGroupKFold(n_splits=3, n_repeats=4, random_state=0)
    groups = np.arange(60) // 5
    report = compare_estimators(TWO, X, y, groups=groups, cv=folds, scoring="roc_auc")
    run = paired_cross_validate(TWO, X, y, groups=groups, cv=folds, scoring="roc_auc")
    assert_is(report, stats.projection_t(run.sample()))
    assert run.rows().n_units == 12


# Reports


@pytest.mark.parametrize("estimators", [TWO, THREE])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_unit_is_what_the_standard_error_is_about(estimators, grouped):
    groups = np.arange(60) // 3 if grouped else None
    cv = RepeatedHalves(4, random_state=0)
    report = compare_estimators(estimators, X, y, groups=groups, cv=cv, test="projection_t")
    state = json.loads(report.to_json())
    n, word = (20, "group") if grouped else (60, "row")
    assert state["sampled"] == {"unit": word, "n": n}
    assert state["ignored_variance"] == [*report.ignored_variance]
    assert report.ignored_variance[0] == "data from another population"
    for known in (report, report_from_dict(state)):
        for text in (known.details, known.to_html()):
            assert f"{n} {word}s, tested in 8 splits" in text
            assert "choice of the data set" not in text
        assert f"were {n} {word}s, tested in 8 splits" in known.methods_text()
    of_splits = compare_estimators(estimators, X, y, groups=groups, cv=cv, test="corrected_t")
    assert "choice of the data set" in of_splits.ignored_variance[0]
    assert of_splits.sampled is None


def test_string_labels_with_a_positive_one():
    names = np.array(["no", "yes"])[y]
    scorer = make_scorer(f1_score, pos_label="yes")
    report = compare_estimators(TWO, X, names, scoring=scorer, cv=HALVES)
    assert_is(report, compare_estimators(TWO, X, y, scoring="f1", cv=HALVES).evidence.outcome)
