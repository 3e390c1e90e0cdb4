"""The default interval of one estimator: what it reads, when it is chosen, what is doubted."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold, RepeatedKFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import estimate_performance, stats
from skstat.evaluation import NestedKFold, RepeatedHalves
from skstat.stats import PairedScores, RowContributions, Scores
from tests.cases import Untouched, codes, in_one_test
from tests.comparison.by_hand import accuracy, by_hand

RNG = np.random.default_rng(4)
Y = np.arange(120) % 2
X = RNG.normal(size=(120, 3)) + 0.8 * Y[:, None]
YR = X @ [1.0, 2.0, 0.5] + RNG.normal(size=120)
GROUPS = np.repeat(np.arange(30), 4)
THREE_BY_TWO = RepeatedHalves(3, random_state=0)


def ask(estimator=None, X=X, y=Y, **options):
    options = {"verbose": False, "random_state": 0} | options
    return estimate_performance(
        GaussianNB() if estimator is None else estimator, X, y, **options
    )


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
@pytest.mark.parametrize(
    "scoring, score, estimator, y",
    [
        ("accuracy", accuracy, DecisionTreeClassifier(random_state=0), Y),
        ("neg_log_loss", log_loss, LogisticRegression(C=0.01), Y),
        ("roc_auc", area, GaussianNB(), Y),
        ("r2", explained, Ridge(100), YR),
    ],
)
@pytest.mark.parametrize("grouped", [False, True])
def test_the_interval_is_that_of_the_rows_predictions(scoring, score, estimator, y, grouped):
    cv = RepeatedHalves(15, balanced=True, random_state=0)
    groups = GROUPS if grouped else None
    scores, values, folds = by_hand(estimator, X, y, cv, score, groups)
    rows = RowContributions(values, folds, of_mean=scoring in ("accuracy", "neg_log_loss"))
    if grouped:
        rows = rows.by_group(GROUPS)
    expected = stats.t_estimate(Scores(scores, rows=rows, n_repeats=15))
    report = ask(estimator, y=y, scoring=scoring, groups=groups)
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
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
    found = [by_hand(estimator, X, Y, cv, squares) for estimator in pair.values()]
    (a, values_a, folds), (b, values_b, _) = found
    rows = RowContributions(np.concatenate([values_a, values_b], axis=2), folds, Y)
    expected = stats.t_estimate(PairedScores(a, b, rows=rows, n_repeats=3))
    report = ask(pair, cv=cv, scoring="neg_brier_score", method="projection")
    estimate = report.evidence.difference.estimate
    assert estimate.estimate == pytest.approx(np.mean(a - b))
    assert estimate.standard_error == pytest.approx(expected.standard_error)
    assert estimate.df == 3


def own_scorer(estimator, X, y):
    return float(np.mean(estimator.predict(X) == y))


@in_one_test(
    "options, message",
    [
        ({"cv": RepeatedKFold(n_splits=3, n_repeats=2)}, "3 repeats of a K-fold or more"),
        ({"cv": ShuffleSplit(9)}, "gives 9 random splits"),
        ({"cv": NestedKFold(4)}, "nested 4-fold"),
        ({"scoring": "adjusted_rand_score"}, "contribution of every row.*Use 'corrected_t'"),
        ({"scoring": own_scorer}, "contribution of every row.*metric of scikit"),
        ({"budget": 9}, "needs 10 fits"),
        ({"groups": np.arange(120) % 4}, "groups holds 4 groups"),
    ],
)
def test_what_it_cannot_read_is_refused_before_any_fit(options, message):
    with pytest.raises(ValueError, match=message):
        ask(Untouched(), method="projection", **({"scoring": "accuracy"} | options))


def test_learners_that_may_select_are_not_doubted():
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    assert codes(ask(stump)) == set()
    assert codes(ask(stump, cv=THREE_BY_TWO)) == set()
    assert "SKS103" in codes(ask(stump, cv=KFold(9)))


def test_the_size_of_the_training_sets_stands_beside_the_estimate():
    report = ask()
    assert report.training_share == 0.5
    assert report.estimand == "expected accuracy of the learner over training sets of 60 rows"
    told = "50% of the rows; it is usually pessimistic for a model trained on all rows."
    for text in (report.conclusion, report.to_text().replace("\n", " "), report.to_html()):
        assert told in text
    grouped = ask(groups=GROUPS)
    assert "training sets of 15 groups, 50% of the groups" in grouped.conclusion
    two_thirds = ask(cv=ShuffleSplit(9, test_size=1 / 3, random_state=0))
    assert "67% of the rows" in two_thirds.conclusion
    for method in ("holdout", "cross_validation"):  # these are about models
        fitted = ask(method=method)
        assert fitted.training_share is None and "That is" not in fitted.conclusion
    state = report.to_dict()
    assert skstat.report_from_dict(state).to_dict() == state


def test_a_rare_class_has_a_coverage_of_its_own():
    y = (np.arange(120) < 12).astype(int)
    reason = ask(y=y, scoring="accuracy").reason
    assert (
        "on a dozen rows of a class, its 95 % interval contained the truth in 83 to" in reason
    )
