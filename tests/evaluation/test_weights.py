"""`sample_weight=` at every door that fits: who gets it, and what is said of it."""

from functools import partial

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, make_scorer, max_error, r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skstat
from tests.cases import Untouched, in_one_test
from tests.fitting import DOORS

X, y = load_iris(return_X_y=True)
X, y = X[40:140, :2], y[40:140]
y[y == 0] = 2
RNG = np.random.default_rng(0)
WEIGHTS = RNG.uniform(0.2, 3, len(y))
NB, TREE = GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)
CV = StratifiedKFold(4, shuffle=True, random_state=0)
PLAIN = {"cv": CV, "verbose": False}
weighted_run = partial(skstat.paired_cross_validate, sample_weight=WEIGHTS)


class NoWeights(Untouched):
    """It takes no weights, and must not be fitted."""

    def fit(self, X, y):
        raise AssertionError("fitted although the question is refused")


def by_hand(estimator, metric, weights=WEIGHTS, fit=None):
    found = []
    for train, test in CV.split(X, y):
        name = fit or "sample_weight"
        model = clone(estimator).fit(X[train], y[train], **{name: weights[train]})
        found.append(metric(y[test], model.predict(X[test]), sample_weight=weights[test]))
    return found


def test_fits_and_scores_are_weighted():
    pipe = make_pipeline(StandardScaler(), TREE)
    estimators = {"nb": NB, "pipe": pipe, "vote": VotingClassifier([("a", NB), ("b", TREE)])}
    run = weighted_run(estimators, X, y, sample_weight=WEIGHTS.tolist(), **PLAIN)
    for name, estimator in estimators.items():
        step = "decisiontreeclassifier__sample_weight" if name == "pipe" else None
        expected = by_hand(estimator, accuracy_score, fit=step)
        np.testing.assert_allclose(run.column(name), expected)
    assert run.weighted == {"accuracy"}
    assert run.design.describe()["notes"] == ["sample_weight: weighted fits, weighted scores"]
    plain = skstat.paired_cross_validate(estimators, X, y, **PLAIN)
    assert not np.allclose(plain.column("nb"), run.column("nb"))
    assert "notes" not in plain.design.describe()


def test_rows_that_weigh_nothing_are_as_good_as_left_out():
    keep = np.ones(len(y))
    keep[::3] = 0
    halves = [(np.arange(0, 100, 2), np.arange(1, 100, 2))]
    rest = [tuple(rows[keep[rows] > 0] for rows in halves[0])]
    scoring = ["accuracy", "f1_macro", "neg_log_loss", "roc_auc"]
    found = [
        skstat.paired_cross_validate([NB], X, y, cv=cv, scoring=scoring, sample_weight=weights)
        for cv, weights in ((halves, keep), (rest, None))
    ]
    for metric in scoring:
        weighted, without = (run.column("GaussianNB", metric) for run in found)
        np.testing.assert_allclose(weighted, without, rtol=1e-6)


def test_a_metric_that_takes_no_weights_is_not_weighted_and_that_is_said():
    def worst(y_true, y_pred):
        return float(np.max(np.abs(y_true - y_pred)))

    scoring = {"r2": "r2", "worst": make_scorer(worst, greater_is_better=False)}
    target = X[:, 1] + RNG.normal(size=len(y))
    run = weighted_run([Ridge()], X, target, scoring=scoring, cv=KFold(3))
    for split, (train, test) in enumerate(KFold(3).split(X)):
        predicted = Ridge().fit(X[train], target[train], WEIGHTS[train]).predict(X[test])
        r2 = r2_score(target[test], predicted, sample_weight=WEIGHTS[test])
        assert run.scores["r2"][split, 0] == pytest.approx(r2)
        assert run.scores["worst"][split, 0] == pytest.approx(-worst(target[test], predicted))
    assert run.weighted == {"r2"}
    (note,) = run.design.describe()["notes"]
    assert note == "sample_weight: weighted fits, weighted scores of r2, not of worst"
    # Alone it is called without weights.
    alone = weighted_run([Ridge()], X, target, scoring=make_scorer(max_error), cv=KFold(3))
    (note,) = alone.design.describe()["notes"]
    assert alone.weighted == set() and note.endswith(": weighted fits, scores not weighted")


def test_a_function_of_the_estimator_takes_weights_if_it_names_them():
    def weighted(estimator, X, y, sample_weight=None):
        return accuracy_score(y, estimator.predict(X), sample_weight=sample_weight)

    def plain(estimator, X, y):
        return accuracy_score(y, estimator.predict(X))

    for function, is_weighted in ((weighted, True), (plain, False)):
        run = weighted_run([NB], X, y, scoring=function, **PLAIN)
        expected = by_hand(NB, accuracy_score)
        assert np.allclose(run.column("GaussianNB"), expected) is is_weighted
        assert bool(run.weighted) is is_weighted


@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "roc_auc", "neg_log_loss"])
def test_what_rows_contribute_is_weighted(scoring):
    """As where metadata is routed, which is held against derivatives elsewhere."""
    run = weighted_run([NB], X, y, scoring=scoring, **PLAIN)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = sklearn.metrics.get_scorer(scoring).set_score_request(sample_weight=True)
        asking = GaussianNB().set_fit_request(sample_weight=True)
        routed = weighted_run({"GaussianNB": asking}, X, y, scoring=scorer, **PLAIN)
    metric = routed.metrics[0]
    np.testing.assert_allclose(run.column("GaussianNB"), routed.column("GaussianNB"))
    assert routed.weighted == {metric}
    plain = skstat.paired_cross_validate([NB], X, y, scoring=scoring, **PLAIN)
    ours, theirs, unweighted = (
        one.contributions[one.metrics[0]]["GaussianNB"] for one in (run, routed, plain)
    )
    for own, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(own, other)
    assert not np.allclose(ours[0], unweighted[0])


@pytest.mark.parametrize("door", DOORS)
def test_who_takes_no_weights_is_named_before_anything_is_fitted(door):
    last = make_pipeline(StandardScaler(), KNeighborsClassifier())
    for who, kind in ((NoWeights(), "NoWeights"), (last, "Pipeline")):
        words = rf"sample_weight .* fit of who takes none \({kind}\)"
        with pytest.raises(ValueError, match=words):
            DOORS[door]([("who", who), ("nb", NB)], X, y, sample_weight=WEIGHTS)


@in_one_test("door", DOORS)
@in_one_test(("weights", "words"), [
    (WEIGHTS[:7], r"sample_weight has shape \(7,\) for 100 rows"),
    (-WEIGHTS, "sample_weight of row 0 is -"),
    (np.where(np.arange(100) == 3, np.nan, 1), "sample_weight of row 3 is nan"),
    (["heavy"] * 100, "sample_weight must hold numbers"),
    (np.zeros(100), "sample_weight is 0 for all training rows of split 0"),
])  # fmt: skip
def test_weights_that_cannot_be_used(door, weights, words):
    with pytest.raises(ValueError, match=words):
        DOORS[door]([NB, TREE], X, y, sample_weight=weights)


def test_given_twice():
    twice = {"sample_weight": WEIGHTS, "params": {"sample_weight": y}}
    with pytest.raises(ValueError, match="params holds 'sample_weight' too"):
        skstat.compare_estimators([NB, TREE], X, y, **twice)


def test_methods_that_read_rows_are_refused():
    with pytest.raises(ValueError, match="method='holdout' needs the scores of single rows"):
        skstat.estimate_performance(NB, X, y, sample_weight=WEIGHTS, method="holdout")
    report = skstat.estimate_performance(NB, X, y, sample_weight=WEIGHTS, random_state=0)
    assert report.evidence.method == "projection"
    assert report.design["notes"] == ["sample_weight: weighted fits, weighted scores"]


def test_over_datasets():
    other = np.linspace(1, 2, len(y))
    datasets = {
        "own": skstat.Dataset(X, y, sample_weight=other),
        "without": (X, y),
        "bunch": {"data": X, "target": y, "sample_weight": WEIGHTS},
    }
    run = skstat.cross_validate_over_datasets([NB, TREE], datasets, cv=CV, verbose=False)
    weights = {"own": other, "without": np.ones(len(y)), "bunch": WEIGHTS}
    for name, own in weights.items():
        found = run.datasets[name].scores["accuracy"][:, 0]
        np.testing.assert_allclose(found, by_hand(NB, accuracy_score, own))
    weighted = skstat.Dataset(X, y, sample_weight=WEIGHTS)
    report = skstat.compare_over_datasets([NB, TREE], {"a": weighted, "b": (X, y)}, cv=CV)
    assert "sample_weight: weighted fits, weighted scores" in str(report.design["notes"])


def test_weights_with_labels_are_matched_by_them():
    pd = pytest.importorskip("pandas")
    frame, target = pd.DataFrame(X), pd.Series(y)
    shuffled = pd.Series(WEIGHTS).sample(frac=1, random_state=0)
    how = {"random_state": 0}
    expected = weighted_run([NB], X, y, **PLAIN, **how)
    found = weighted_run([NB], frame, target, sample_weight=shuffled, **PLAIN, **how)
    np.testing.assert_allclose(found.scores["accuracy"], expected.scores["accuracy"])
    reports = [
        skstat.compare_to_baseline(NB, *data, sample_weight=weights, **how)
        for data, weights in (((X, y), WEIGHTS), ((frame, target), shuffled))
    ]
    assert reports[0].estimate == pytest.approx(reports[1].estimate)
    assert reports[0].names == reports[1].names
    shifted = pd.Series(WEIGHTS, index=range(1, 101))
    with pytest.raises(ValueError, match="sample_weight"):
        skstat.paired_cross_validate([NB], frame, target, sample_weight=shifted, **PLAIN)


def of_words(y, p):
    return "".join(p).count("a")  # a TypeError for numbers


def of_words_weighted(y, p, sample_weight=None):
    return "".join(p).count("a")


def plain_brier(y, p):
    return np.mean((p - y) ** 2)


def picky(y, p, sample_weight=None):
    if len(y) < 5:
        raise ValueError("not of these rows")
    return 0.0


def one_name(y, p, weight=None):
    return 0.0


@pytest.mark.parametrize("scorer, takes", [
    (make_scorer(of_words), False),
    (make_scorer(of_words_weighted), True),
    (make_scorer(plain_brier, response_method="predict_proba"), False),
    (make_scorer(picky), True),
    (make_scorer(one_name), False),
    pytest.param(
        make_scorer(partial(one_name, weight=1)),
        False,
        marks=pytest.mark.skipif(
            sklearn.__version__.startswith("1.6."), reason="such a scorer has no repr there"
        ),
    ),
    (make_scorer(max_error), False),
    ("accuracy", True),
])  # fmt: skip
def test_whether_a_scorer_takes_weights_is_found_without_its_messages(scorer, takes):
    target = np.where(y == y[0], "yes", "nay") if "of_words" in repr(scorer) else y
    run = weighted_run([NB], X, target, scoring=scorer, **PLAIN)
    assert bool(run.weighted) is takes
