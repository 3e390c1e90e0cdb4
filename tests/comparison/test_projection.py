"""The projection t test and interval by the front doors, against fits by hand."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t
from sklearn import model_selection as ms
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, median_absolute_error, r2_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import estimate_performance, stats
from skstat.evaluation import NestedKFold, RepeatedGroupKFold, RepeatedHalves
from skstat.stats import PairedScores, RowContributions, Scores
from tests.cases import Untouched, codes, in_one_test, refusals
from tests.contract import check_report

LR, NB = LogisticRegression(C=0.01), GaussianNB()
TWO = {"lr": LR, "nb": NB}
HALVES = RepeatedHalves(6, stratify=True, random_state=0)
close = partial(pytest.approx, rel=1e-7)  # a second fit may have other last digits


def data(n=60, share=0.5, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < round(share * n)).astype(int)
    return rng.normal(size=(n, 3)) + 0.6 * y[:, None], y


X, y = data()


def accuracy(y, estimator, X):
    right = (estimator.predict(X) == y).astype(float)
    return right.mean(), right


def by_hand(estimator, X, y, cv, score, groups=None):
    """Return scores of the folds, contributions of the rows, and the fold of every row."""
    splits = list(cv.split(X, y if y.dtype == int else None, groups))
    n_repeats = sum(0 in test for _, test in splits)
    values = np.empty((n_repeats, len(y), 1))
    folds = np.empty((n_repeats, len(y)), dtype=int)
    scores = []
    for number, (train, test) in enumerate(splits):
        repeat, fold = divmod(number, len(splits) // n_repeats)
        found, rows = score(y[test], estimator.fit(X[train], y[train]), X[test])
        scores.append(found)
        values[repeat, test, 0], folds[repeat, test] = rows, fold
    return np.array(scores), values, folds


def assert_is(report, outcome):
    assert report.evidence.outcome.test == outcome.test
    assert report.evidence.outcome.estimate == close(outcome.estimate)
    assert report.evidence.outcome.confidence_interval() == close(outcome.confidence_interval())
    assert (report.pvalue, report.df) == close((outcome.pvalue, outcome.df))


# All doors lead to the same test


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("scoring, cv", [
    *((name, HALVES) for name in ("accuracy", "neg_log_loss", "roc_auc", "f1_macro")),
    ("f1_macro", ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0)),
])  # fmt: skip
def test_every_door_asks_projection_t_of_the_run(scoring, cv):
    run = skstat.paired_cross_validate(TWO, X, y, scoring=scoring, cv=cv)
    sample = run.sample()
    assert sample.rows is not None
    outcome = stats.projection_t(sample)
    assert 0 < outcome.pvalue < 1
    options = {"scoring": scoring, "cv": cv}
    for report in (
        skstat.compare_estimators(TWO, X, y, **options),
        skstat.compare_estimators(TWO, X, y, test="projection_t", **options),
        skstat.paired_cv_ttest(LR, NB, X, y, correction="projection", **options),
        skstat.compare_scores(run, test="projection_t"),
        skstat.compare_scores(sample),
    ):
        assert_is(report, outcome)
    one_sided = skstat.compare_estimators(TWO, X, y, alternative="less", **options)
    assert_is(one_sided, stats.projection_t(sample, alternative="less"))


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_a_baseline_is_a_pair(scoring):
    asked = {"scoring": scoring, "cv": HALVES}
    ask = partial(skstat.compare_to_baseline, LR, X, y, alternative="two-sided", **asked)
    report = ask(strategy="prior")
    pair = {"lr": LR, "prior": DummyClassifier(strategy="prior")}
    run = skstat.paired_cross_validate(pair, X, y, **asked)
    assert_is(report, stats.projection_t(run.sample()))
    constant = -0.7 if scoring == "neg_log_loss" else 0.5
    known = ask(strategy=constant)
    scores = run.scores_of("lr")
    assert_is(known, stats.projection_t(scores.against(constant)))
    of_run = {"scores": run, "systems": ("lr",), "constant": constant}
    for asked in ({"scores": scores, "constant": constant}, of_run):
        found = skstat.compare_scores(**asked)
        assert_is(found, known.evidence.outcome)
    assert found.names == ("lr", f"constant {constant:g}")
    by_name = skstat.compare_scores(**of_run, test="corrected_t")
    assert by_name.test.startswith("corrected one-sample t test")


# Learners trained on nine tenths of the rows: folds, and halves beside them

RIDGES = {"strong": Ridge(1000.0), "weak": Ridge(1.0)}
NINE = {"train_size": 0.9, "random_state": 0}
ask = partial(skstat.compare_estimators, **NINE)


def numbers(n=60):
    rng = np.random.default_rng(0)
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
    folds = ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    halves = RepeatedHalves(15, stratify=False, balanced=True, random_state=0)
    expected = stats.projection_t(sample_by_hand([LR, NB], X, y, folds, halves))
    assert at_nine_tenths.pvalue == close(expected.pvalue)
    assert at_nine_tenths.confidence_interval() == close(expected.confidence_interval())
    own, wanted = at_nine_tenths.evidence.outcome.law, expected.law
    assert own.half.estimate == close(wanted.half.estimate)
    assert own.change.standard_error == close(wanted.change.standard_error)
    means = [ms.cross_val_score(model, X, y, cv=folds).mean() for model in (LR, NB)]
    assert at_nine_tenths.estimate == close(means[0] - means[1])
    check_report(at_nine_tenths)


# Beside the default


@in_one_test("why, options", [
    ("other splits", {"cv": ms.RepeatedKFold(n_splits=2, n_repeats=15, random_state=0)}),
    ("another test", {"cv": RepeatedHalves(15), "test": "corrected_t"}),
    ("folds of six rows, and no mean", {"scoring": "f1"}),
    ("rows that are not known", {"scoring": make_scorer(median_absolute_error)}),
    ("nine groups", {"groups": np.arange(60) % 9}),
    ("a class that folds cannot share out", {"y": data(share=0.15)[1]}),
])  # fmt: skip
def test_it_is_not_said_where_it_would_not_do(why, options):
    report = skstat.compare_estimators(TWO, X, **{"y": y, "random_state": 0, **options})
    assert "train_size" not in str(report) and "larger" not in report.design, why


# Every door


def test_the_score_of_one_estimator(at_nine_tenths):
    report = skstat.estimate_performance(("lr", LR), X, y, **NINE)
    run = skstat.paired_cross_validate({"lr": LR}, X, y, **NINE)
    expected = stats.t_estimate(run.scores_of("lr")).within(0, 1)
    assert report.estimate == close(expected.estimate)
    assert report.confidence_interval() == close(expected.confidence_interval())
    assert report.n_fits == 50
    assert "90%\nof the rows" in str(report) or "90% of the rows" in str(report)
    both = skstat.estimate_performance(TWO, X, y, **NINE)
    assert both.pairs[0].estimate == close(at_nine_tenths.estimate)


# Rows of every kind


def test_groups_are_kept_together():
    X, y = numbers(80)
    groups = np.arange(80) // 4
    report = ask(RIDGES, X, y, groups=groups)
    assert report.df == 15 and report.design["train_groups"] == 18
    run = skstat.paired_cross_validate(RIDGES, X, y, groups=groups, **NINE)
    for part in (run, run.halves):
        for train, test in part.design.splits:
            assert np.intersect1d(groups[train], groups[test]).size == 0
    assert "RepeatedGroupKFold" in run.design.splitter
    cv = RepeatedGroupKFold(10, 2, random_state=0)
    given = skstat.paired_cross_validate(RIDGES, X, y, groups=groups, cv=cv)
    assert report.estimate == close(skstat.compare_scores(given, test="corrected_t").estimate)


# The fits


def test_a_budget_pays_for_folds_first():
    report = ask(TWO, X, y, budget=44)
    assert report.df == 12 and report.design["halves"]["n_splits"] == 24
    assert skstat.estimate_performance(LR, X, y, budget=44, **NINE).n_fits == 44


# Refusals

LISTED = list(ms.RepeatedKFold(n_splits=10, n_repeats=2, random_state=0).split(np.zeros(60)))


MEDIAN = make_scorer(median_absolute_error, greater_is_better=False)
UNKNOWN = {"scoring": MEDIAN, "train_size": 0.9}
plain = partial(ask, TWO, X, y)
test_what_does_not_fit_is_refused = refusals([
    (partial(plain, train_size=0.7), "train_size=0.7 must be 0.5"),
    (partial(plain, train_size=True), "train_size=True must be 0.5"),
    (partial(plain, cv=5, train_size=0.5), "train_size=0.5 and cv= both give splits"),
    (partial(plain, cv=10), "one repetition does not tell how much of what a row contributes"),
    (partial(plain, cv=ms.RepeatedKFold(n_splits=5, n_repeats=2)),
     "no valid test is known for 2x5-fold"),
    (partial(plain, cv=LISTED, groups=np.arange(60) // 2), "the folds split groups"),
    (partial(plain, budget=39), "budget=39: train_size=0.9 needs 40 fits at least"),
    (partial(plain, test="corrected_t"), "train_size=0.9 is for test='projection_t'"),
    (partial(ask, TWO, *data(share=0.15)), "rows of class 1 for 10 folds, and there are 9"),
    (partial(plain, groups=np.arange(60) // 10), "needs 10 groups for 10 folds, and there are"),
    # By other doors too
    (partial(skstat.compare_estimators, RIDGES, *numbers(), **UNKNOWN), "what every row con"),
    (partial(skstat.compare_to_baseline, Ridge(), *numbers(), **UNKNOWN), "what every row co"),
    (partial(skstat.estimate_performance, Ridge(), *numbers(), **UNKNOWN), "contribution"),
    (partial(skstat.paired_cv_ttest, LR, NB, X, y, correction="bouckaert", train_size=0.9),
     "is for correction='projection'"),
    (partial(skstat.estimate_performance, LR, X, y, method="corrected_t", train_size=0.9),
     "is for method='projection'"),
])  # fmt: skip


# The default interval of one estimator: what it reads, when it is chosen

RNG = np.random.default_rng(4)
Y = np.arange(120) % 2
X_120 = RNG.normal(size=(120, 3)) + 0.8 * Y[:, None]
YR = X_120 @ [1.0, 2.0, 0.5] + RNG.normal(size=120)
GROUPS = np.repeat(np.arange(30), 4)


def performance(estimator=NB, y=Y, **options):
    return estimate_performance(estimator, X_120, y, verbose=False, random_state=0, **options)


def log_loss(y, estimator, X):
    rows = -np.log(estimator.predict_proba(X)[np.arange(len(y)), y])
    return rows.mean(), rows


def area(y, estimator, X):
    """Area under the ROC curve; a row's influence by its placement among the other class."""
    p = estimator.predict_proba(X)[:, 1]
    score = roc_auc_score(y, p)
    ranked = (p[:, None] > p[None, :]) + 0.5 * (p[:, None] == p[None, :])
    positive = y == 1
    placements = np.empty(len(y))
    placements[positive] = ranked[positive][:, ~positive].mean(axis=1)
    placements[~positive] = ranked[positive][:, ~positive].mean(axis=0)
    n_class = np.where(positive, positive.sum(), (~positive).sum())
    return score, score + len(y) / n_class * (placements - score)


def explained(y, estimator, X):
    """R2; the derivative of 1 - A/B in a row's weight, A and B means of squares."""
    p = estimator.predict(X)
    score = r2_score(y, p)
    residual, total = (y - p) ** 2, (y - y.mean()) ** 2
    influence = -(residual / total.mean() - (1 - score) * total / total.mean())
    return score, score + influence


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("scoring, score, estimator, y", [
    ("accuracy", accuracy, DecisionTreeClassifier(random_state=0), Y),
    ("neg_log_loss", log_loss, LogisticRegression(C=0.01), Y),
    ("roc_auc", area, GaussianNB(), Y),
    ("r2", explained, Ridge(100), YR),
])  # fmt: skip
@pytest.mark.parametrize("grouped", [False, True])
def test_the_interval_is_that_of_the_rows_predictions(scoring, score, estimator, y, grouped):
    cv = RepeatedHalves(15, balanced=True, random_state=0)
    groups = GROUPS if grouped else None
    scores, values, folds = by_hand(estimator, X_120, y, cv, score, groups)
    rows = RowContributions(values, folds, of_mean=scoring in ("accuracy", "neg_log_loss"))
    if grouped:
        rows = rows.by_group(GROUPS)
    expected = stats.t_estimate(Scores(scores, rows=rows, n_repeats=15))
    report = performance(estimator, y=y, scoring=scoring, groups=groups)
    assert report.evidence.method == "projection" and report.n_fits == 30
    assert report.estimate == pytest.approx(scores.mean())
    assert report.standard_error == pytest.approx(expected.standard_error, rel=1e-6)
    assert report.evidence.rows[0].estimate.df == 15
    half_width = t.isf(0.025, 15) * expected.standard_error
    ends = expected.estimate + half_width * np.array([-1, 1])
    if scoring in ("accuracy", "roc_auc"):  # by the delta method on the scale of the logit
        share = expected.estimate
        ends = expit(logit(share) + half_width / (share * (1 - share)) * np.array([-1, 1]))
    assert report.confidence_interval() == pytest.approx(tuple(ends), rel=1e-6)
    assert (report.unit, report.n_units) == (("group", 30) if grouped else ("row", 120))


def squares(y, estimator, X):
    rows = -((estimator.predict_proba(X)[:, 1] - y) ** 2)
    return rows.mean(), rows


def test_the_difference_of_two_is_that_of_their_rows():
    pair = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    cv = ms.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
    found = [by_hand(estimator, X_120, Y, cv, squares) for estimator in pair.values()]
    (a, values_a, folds), (b, values_b, _) = found
    rows = RowContributions(np.concatenate([values_a, values_b], axis=2), folds, Y)
    expected = stats.t_estimate(PairedScores(a, b, rows=rows, n_repeats=3))
    report = performance(pair, cv=cv, scoring="neg_brier_score", method="projection")
    estimate = report.evidence.difference.estimate
    assert estimate.estimate == pytest.approx(np.mean(a - b))
    assert estimate.standard_error == pytest.approx(expected.standard_error)
    assert estimate.df == 3


def own_scorer(estimator, X, y):
    return float(np.mean(estimator.predict(X) == y))


@in_one_test("options, message", [
    ({"cv": ms.RepeatedKFold(n_splits=3, n_repeats=2)}, "3 repeats of a K-fold or more"),
    ({"cv": ms.ShuffleSplit(9)}, "gives 9 random splits"),
    ({"cv": NestedKFold(4)}, "nested 4-fold"),
    ({"scoring": "adjusted_rand_score"}, "contribution of every row.*Use 'corrected_t'"),
    ({"scoring": own_scorer}, "contribution of every row.*metric of scikit"),
    ({"budget": 9}, "needs 10 fits"),
    ({"groups": np.arange(120) % 4}, "groups holds 4 groups"),
])  # fmt: skip
def test_what_it_cannot_read_is_refused_before_any_fit(options, message):
    with pytest.raises(ValueError, match=message):
        performance(Untouched(), method="projection", **({"scoring": "accuracy"} | options))


def test_learners_that_may_select_are_not_doubted():
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    assert codes(performance(stump)) == set()
    assert codes(performance(stump, cv=RepeatedHalves(3, random_state=0))) == set()
    assert "SKS103" in codes(performance(stump, cv=ms.KFold(9)))


def test_the_size_of_the_training_sets_stands_beside_the_estimate():
    report = performance()
    assert report.training_share == 0.5
    assert report.estimand == "expected accuracy of the learner over training sets of 60 rows"
    told = "50% of the rows; it is usually pessimistic for a model trained on all rows."
    for text in (report.conclusion, report.to_text().replace("\n", " "), report.to_html()):
        assert told in text
    grouped = performance(groups=GROUPS)
    assert "training sets of 15 groups, 50% of the groups" in grouped.conclusion
    two_thirds = performance(cv=ms.ShuffleSplit(9, test_size=1 / 3, random_state=0))
    assert "67% of the rows" in two_thirds.conclusion
    for method in ("holdout", "cross_validation"):  # these are about models
        fitted = performance(method=method)
        assert fitted.training_share is None and "That is" not in fitted.conclusion
    state = report.to_dict()
    assert skstat.report_from_dict(state).to_dict() == state


def test_a_rare_class_has_a_coverage_of_its_own():
    y = (np.arange(120) < 12).astype(int)
    reason = performance(y=y, scoring="accuracy").reason
    said = "on a dozen rows of a class, its 95 % interval contained the truth in 83 to"
    assert said in reason
