"""How good is it: every method through the front door, against scikit-learn and brute force."""

import math
from functools import partial

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, Ridge, RidgeCV
from sklearn.metrics import make_scorer, roc_auc_score, zero_one_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import estimate_performance, stats
from skstat.evaluation import BootstrapOutOfBag, NestedKFold
from tests.cases import Column, Untouched, codes, refusals

X, Y = make_classification(120, 6, n_informative=3, class_sep=0.8, flip_y=0.1, random_state=1)
XR, YR = make_regression(90, 4, noise=20, random_state=2)
GROUPS = np.repeat(np.arange(30), 4)
NB, TREE = GaussianNB(), DecisionTreeClassifier(random_state=0)


def ask(estimator=NB, X=X, y=Y, **options):
    return estimate_performance(estimator, X, y, verbose=False, random_state=0, **options)


class Counted(ClassifierMixin, BaseEstimator):
    """Predicts the more frequent class, and counts its fits."""

    fits = calls = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_, counts = np.unique(y, return_counts=True)
        self.best_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        type(self).calls += 1
        return np.full(len(X), self.best_)


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("options, fits", [
    ({"method": "holdout"}, 1),
    ({}, 30),
    ({"method": "corrected_t"}, 25),
    ({"method": "nested_cv", "budget": 55}, 55),
    ({"cv": NestedKFold(5, 3, random_state=0)}, 45),
    ({"method": "cross_validation"}, 10),
    ({"method": "bootstrap"}, 200),
    ({"method": "bootstrap632+"}, 201),
    ({"budget": 9}, 1),
    ({"budget": 25}, 24),
    ({"budget": 480}, 46),
    ({"budget": 51, "method": "bootstrap632"}, 51),
])  # fmt: skip
def test_nothing_is_fitted_twice(options, fits):
    Counted.fits = 0
    report = ask(Counted(), scoring="accuracy", **options)
    assert Counted.fits == report.n_fits == fits


def test_scores_are_those_of_cross_validate():
    cv = ms.StratifiedShuffleSplit(12, test_size=0.2, random_state=5)
    asked = {"cv": cv, "scoring": ["accuracy", "neg_log_loss"]}
    report = ask(**asked)
    expected = ms.cross_validate(NB, X, Y, return_train_score=True, **asked)
    for metric in asked["scoring"]:
        scores, found = expected[f"test_{metric}"], report[metric].systems[0]
        sign = -1 if report[metric].lower else 1
        assert sign * found.mean == pytest.approx(scores.mean())
        seen = expected[f"train_{metric}"].mean()
        assert sign * found.training_score == pytest.approx(seen)
        error = scores.std(ddof=1) * math.sqrt(1 / 12 + 24 / 96)
        assert found.standard_error == pytest.approx(error)


def least_squares(train, test):
    A = np.column_stack([np.ones(len(XR)), XR])
    coefficients = np.linalg.lstsq(A[train], YR[train], rcond=None)[0]
    return (YR[test] - A[test] @ coefficients) ** 2


def test_nested_cv_fits_pairs_once_and_finds_what_the_algorithm_finds():
    # The algorithm as printed fits each pair of folds twice, here by NumPy's least squares.
    cv = NestedKFold(4, 2, random_state=3)
    report = ask(LinearRegression(), XR, YR, scoring="neg_mean_squared_error", cv=cv)
    splits = list(cv.split(XR))
    outer, inner = [], []
    for first in (0, 10):
        folds = [test for _, test in splits[first : first + 4]]
        for k, held_out in enumerate(folds):
            rest = np.setdiff1d(np.arange(90), held_out)
            outer.append(least_squares(rest, held_out))
            others = [fold for j, fold in enumerate(folds) if j != k]
            errors = [least_squares(np.setdiff1d(rest, fold), fold) for fold in others]
            inner.append(np.concatenate(errors))
    a = [(i.mean() - o.mean()) ** 2 for o, i in zip(outer, inner, strict=True)]
    b = [o.var(ddof=1) / len(o) for o in outer]
    every, e_cv = np.concatenate(inner), np.concatenate(outer).mean()
    sd = every.std(ddof=1)
    inflation = math.sqrt(max(0, np.mean(a) - np.mean(b))) / (sd / math.sqrt(90 * 3 / 4))
    inflation = min(max(inflation, 1), 2)
    centre = every.mean() - 1.5 * (every.mean() - e_cv)
    assert report.estimate == pytest.approx(centre)
    assert report.standard_error == pytest.approx(inflation * sd / math.sqrt(90))


def test_bayle_by_hand():
    cv = ms.KFold(5, shuffle=True, random_state=1)
    asked = {"scoring": "neg_mean_squared_error", "method": "cross_validation"}
    report = ask(LinearRegression(), XR, YR, cv=cv, **asked)
    rows = np.concatenate([least_squares(a, b) for a, b in cv.split(XR)])
    assert report.estimate == pytest.approx(rows.mean())
    assert report.standard_error == pytest.approx(rows.std() / math.sqrt(90))


def test_influences_stand_for_rows_of_other_metrics():
    # Their standard deviation is the jackknife's: score and n - 1 times what a row adds.
    cv = ms.KFold(4, shuffle=True, random_state=1)
    report = ask(scoring="roc_auc", cv=cv, method="cross_validation")
    rows, scores = [], []
    for train, test in cv.split(X):
        y, p = Y[test], GaussianNB().fit(X[train], Y[train]).predict_proba(X[test])[:, 1]
        left = [roc_auc_score(np.delete(y, i), np.delete(p, i)) for i in range(len(y))]
        scores.append(roc_auc_score(y, p))
        rows.extend(scores[-1] + (len(y) - 1) * (np.mean(left) - left))
    assert report.estimate == pytest.approx(np.mean(scores))
    assert report.standard_error == pytest.approx(np.std(rows) / math.sqrt(len(Y)))


def test_without_information_numbers_are_paired_with_every_other():
    cv = BootstrapOutOfBag(60, random_state=2)
    how = {"cv": cv, "scoring": "neg_mean_squared_error"}
    report = ask(LinearRegression(), XR, YR, method="bootstrap632+", **how)
    plain = ask(LinearRegression(), XR, YR, method="bootstrap632", **how)
    p = LinearRegression().fit(XR, YR).predict(XR)
    seen, nothing = np.mean((YR - p) ** 2), np.mean((YR[:, None] - p) ** 2)
    out = (plain.estimate - 0.368 * seen) / 0.632
    assert report.estimate == pytest.approx(weighed_632_plus(seen, out, nothing))


def weighed_632_plus(seen, out, nothing):
    weight = 0.632 / (1 - 0.368 * (out - seen) / (nothing - seen))
    return (1 - weight) * seen + weight * out


def test_632_plus_by_brute_force():
    cv = BootstrapOutOfBag(60, random_state=2)
    report = ask(GaussianNB(), cv=cv, scoring="accuracy", method="bootstrap632+")
    wrong = np.full((60, len(Y)), np.nan)
    for b, (train, test) in enumerate(cv.split(X)):
        wrong[b, test] = GaussianNB().fit(X[train], Y[train]).predict(X[test]) != Y[test]
    out = np.nanmean(wrong, axis=0).mean()
    predicted = GaussianNB().fit(X, Y).predict(X)
    seen = np.mean(predicted != Y)
    nothing = sum(np.mean(c == Y) * np.mean(predicted != c) for c in (0, 1))
    assert 1 - report.estimate == pytest.approx(weighed_632_plus(seen, out, nothing))
    assert 1 - report.systems[0].training_score == pytest.approx(seen)


def test_a_holdout_difference_has_the_interval_of_mcnemar():
    cv = ms.ShuffleSplit(1, test_size=0.5, random_state=0)
    pair = [GaussianNB(), NearestCentroid()]
    report = ask(pair, cv=cv, scoring="accuracy")
    ((train, test),) = cv.split(X)
    outputs = {type(e).__name__: e.fit(X[train], Y[train]).predict(X[test]) for e in pair}
    expected = skstat.mcnemar_test(Y[test], *outputs.values())
    assert report.evidence.method == "holdout"
    (found,) = report.pairs
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval()))


def test_groups_are_kept_together_or_refused():
    report = ask(groups=GROUPS, scoring="accuracy", method="corrected_t")
    assert report.design["train_groups"] == 27 and "groups" in report.estimand
    report = ask(groups=GROUPS, scoring="accuracy", method="holdout")
    cv = ms.GroupShuffleSplit(1, test_size=1 / 3, random_state=0)
    ((train, test),) = cv.split(X, Y, GROUPS)
    right = GaussianNB().fit(X[train], Y[train]).predict(X[test]) == Y[test]
    found = stats.holdout_estimate(right, groups=GROUPS[test])
    assert report.confidence_interval() == found.within(0.0, 1.0).confidence_interval()
    assert report.unit == "group"


def test_a_search_is_estimated_as_it_stands():
    search = ms.GridSearchCV(TREE, {"max_depth": [1, 3]}, cv=3).fit(X, Y)
    cv = ms.ShuffleSplit(5, random_state=0)
    report = ask(make_pipeline(StandardScaler(), search), cv=cv)
    notes = " ".join(report.design["notes"])
    assert "repeats its search in every training set" in notes
    assert f"best_score_ of Pipeline, {search.best_score_:.4g}, is not an estimate" in notes
    expected = ms.cross_validate(search, X, Y, cv=cv)["test_score"]
    assert report.estimate == pytest.approx(expected.mean())


def test_targets_of_several_columns_are_averaged():
    how = {"method": "nested_cv", "scoring": "neg_mean_squared_error", "budget": 6}
    several, one = (ask(LinearRegression(), XR, y, **how) for y in (np.c_[YR, YR], YR))
    assert several.estimate == pytest.approx(one.estimate)


def test_a_rare_class_is_tested():
    y = np.r_[np.zeros(96), np.ones(4)].astype(int)
    guess = DummyClassifier()
    report = ask(guess, np.zeros((100, 1)), y, scoring="accuracy", method="corrected_t")
    assert 0.9 < report.estimate < 0.98 and report.design["test_size"] == 25
    cv = ms.StratifiedShuffleSplit(25, test_size=0.1, random_state=0)
    assert "SKS128" in codes(ask(guess, np.zeros((100, 1)), y, scoring="accuracy", cv=cv))


def test_zeros_and_ones_are_counted_only_where_they_are_right_and_wrong():
    known = np.column_stack([Y, X])
    wrong = make_scorer(zero_one_loss, greater_is_better=False)
    report = ask(Column(), known, scoring=wrong, method="holdout")
    few = stats.proportion_interval(40, 40)
    assert report.confidence_interval() == pytest.approx((0.0, 1 - few.low))
    distances = ask(Column(), known, scoring="neg_mean_absolute_error", method="holdout")
    assert math.isnan(distances.confidence_interval().low) and "SKS202" in codes(distances)
    pair = {"a": GaussianNB(), "b": NearestCentroid()}
    losses, hits = (ask(pair, scoring=s, method="holdout") for s in (wrong, "accuracy"))
    (lost,), (hit,) = losses.pairs, hits.pairs
    assert (lost.low, lost.high) == pytest.approx((-hit.high, -hit.low))
    assert "McNemar" in hits.details and "McNemar" not in hits["a"].method


def test_a_scoring_of_fit_is_not_that_of_score():
    early = HistGradientBoostingClassifier(max_iter=1)
    assert ask(early, cv=ms.ShuffleSplit(3, random_state=0)).metric == "accuracy"
    tuned = RidgeCV(scoring="neg_mean_squared_error")
    report = ask(tuned, XR, YR, cv=ms.ShuffleSplit(3, random_state=0))
    assert report.metric == "r2" and not report.lower


def test_estimates_keep_to_the_range_of_the_metric():
    for seed in range(6):
        y = np.arange(40) % 2
        data = np.random.default_rng(seed).normal(size=(40, 3)) + 2.2 * y[:, None]
        cv = NestedKFold(4, stratify=True, random_state=seed)
        report = ask(X=data, y=y, scoring="accuracy", cv=cv)
        for level in (0.01, 0.5, 0.95):
            low, high = report.confidence_interval(level)
            assert low <= high <= 1.0 and report.estimate <= 1.0


def test_small_data_get_splits_that_they_can_bear():
    rng = np.random.default_rng(0)
    options = {"X": rng.normal(size=(20, 3)), "y": np.arange(20) % 3, "scoring": "accuracy"}
    assert ask(method="corrected_t", **options).design["test_size"] == 4
    assert ask(**options).design["test_size"] == 10
    assert ask(Ridge(), XR[:10], YR[:10], method="corrected_t").design["test_size"] == 2
    few = ask(X=X[:15], y=Y[:15], method="nested_cv", scoring="accuracy", budget=60)
    assert few.design["splitter"].startswith("NestedKFold(n_splits=6, n_repeats=2")
    report = ask(Ridge(), XR, YR, scoring="neg_median_absolute_error", budget=500)
    assert report.evidence.method == "corrected_t"


def test_targets_of_other_shapes():
    options = {"scoring": "r2", "method": "nested_cv", "budget": 10}
    one, column = (ask(Ridge(), XR, y, **options) for y in (YR, YR[:, None]))
    assert column.estimate == pytest.approx(one.estimate)
    labels = np.column_stack([Y, 1 - Y])
    cv = ms.ShuffleSplit(3, random_state=0)
    assert ask(TREE, y=labels, scoring="accuracy", cv=cv).estimate > 0


class OnlyPart(Untouched):
    """Cannot be fitted to all rows: those of the first are copied in a bootstrap sample."""

    def fit(self, X, y, sample_weight=None):
        if len(np.unique(X[:, 0])) == 120:
            raise RuntimeError("too much")
        return GaussianNB.fit(self, X, y, sample_weight)


BOOTSTRAP = BootstrapOutOfBag(20, random_state=0)
never = partial(ask, Untouched(), scoring="accuracy")
test_what_makes_no_sense_is_refused = refusals([
    (partial(never, method="boot"), "method='boot' is unknown; use one of 'holdout', 'proj"),
    (partial(never, method="conservative_z"), "use 'corrected_t', or leave method out"),
    (partial(never, cv=5, budget=30), "drop one"),
    (partial(never, budget=20, method="bootstrap632"), "needs 51 fits"),
    (partial(ask, interval="wald"), "interval='wald'"),
    (partial(never, method="bootstrap632+", scoring="roc_auc"), "roc_auc is not one"),
    (partial(ask, GaussianNB), "estimator"),
    (partial(ask, []), "empty"),
    (partial(ask, OnlyPart(), method="bootstrap632", cv=BOOTSTRAP), "all rows"),
    (partial(ask, make_pipeline(StandardScaler(), FrozenEstimator(NB.fit(X, Y)))), "frozen"),
    # Metrics that a method has no formula for
    (partial(ask, Ridge(), XR, YR, method="nested_cv", scoring="neg_median_absolute_error"),
     "no formula for neg_median_absolute_error"),
    (partial(ask, LinearRegression(), XR, np.c_[YR, YR], method="cross_validation",
             scoring="r2"), "no formula"),
    (partial(ask, DecisionTreeClassifier(), y=np.c_[Y, 1 - Y], scoring="roc_auc",
             method="holdout"), "scores of single rows"),
    # Splits that a method does not read
    *(
        (partial(never, method=method, cv=cv), words)
        for method, cv, words in (
            ("bootstrap", ms.KFold(5), "BootstrapOutOfBag"),
            ("bootstrap632", ms.ShuffleSplit(9), "BootstrapOutOfBag"),
            ("bootstrap", BootstrapOutOfBag(2, random_state=0), "so many that every row"),
            ("cross_validation", ms.ShuffleSplit(5), "one partition"),
            ("nested_cv", ms.KFold(5), "reads the splits of NestedKFold"),
            ("holdout", ms.KFold(5), "reads one split"),
            ("corrected_t", NestedKFold(4), "nested_cv"),
            ("corrected_t", 2, "three splits at least"),
            ("auto", 1, "setting n_splits=2 or more"),
        )
    ),
    *(
        (partial(never, groups=GROUPS, method=method), f"method='{method}'.*independent")
        for method in ("nested_cv", "cross_validation", "bootstrap632")
    ),
], error=(ValueError, TypeError, skstat.EvaluationError))  # fmt: skip
