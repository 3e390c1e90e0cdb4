"""A run keeps what every row contributed: found again by hand from its predictions."""

import numpy as np
import pytest
import sklearn
from sklearn import metrics as sk
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skstat import compare_to_baseline, paired_cross_validate, stats
from skstat.evaluation import RepeatedGroupKFold, RepeatedHalves

STEP = 1e-4
LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression(C=0.1))
TWO = {"lr": LOGISTIC, "nb": GaussianNB()}
HALVES = RepeatedHalves(2, stratify=True, random_state=0)
CVS = {
    "halves": HALVES,
    "balanced halves": RepeatedHalves(3, stratify=True, balanced=True, random_state=1),
    "2 x 3 stratified": ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=2),
    "2 x 4": ms.RepeatedKFold(n_splits=4, n_repeats=2, random_state=3),
}


N = 27  # halves are not of one size


def data(n_classes=2, n=N, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    return rng.normal(size=(n, 3)) + 0.7 * y[:, None], y


def responses(estimator, response, X):
    if response == "scores":
        decides = hasattr(estimator, "decision_function")
        response = "decision_function" if decides else "predict_proba"
    return getattr(estimator, response)(X)


def derivative(function, y, output, weight=None):
    """Score and its derivative in the weight of every row, by calls of scikit-learn."""
    n = len(y)
    weight = np.ones(n) if weight is None else weight
    slopes = []
    for row in range(n):
        change = STEP * weight * (np.arange(n) == row)
        up, down = (function(y, output, weight + sign * change) for sign in (1, -1))
        slopes.append((up - down) / (2 * STEP))
    return function(y, output, weight), n * np.array(slopes)


def by_hand(estimator, X, y, splits, response, function, weight=None):
    """Contributions of rows, repetition by repetition, in the order of the rows."""
    found = np.full((len(splits), len(y)), np.nan)
    n_folds = 0
    for number, (train, test) in enumerate(splits):
        fitted = clone(estimator).fit(X[train], y[train])
        output = responses(fitted, response, X[test])
        own = None if weight is None else weight[test]
        score, slopes = derivative(function, y[test], output, own)
        found[number, test] = score + slopes
        n_folds += np.isfinite(found[: number + 1]).sum() <= len(y)
    return np.stack(
        [np.nansum(found[i : i + n_folds], 0) for i in range(0, len(found), n_folds)]
    )


def positive(output):
    return output if output.ndim == 1 else output[:, 1]


def of(response, function, sign=1, **how):
    return response, lambda y, p, w: sign * function(y, p, sample_weight=w, **how)


def of_one(response, function, sign=1):
    return response, lambda y, p, w: sign * function(y, positive(p), sample_weight=w)


def log_loss(y, p, sample_weight):
    return sk.log_loss(y, p, sample_weight=sample_weight, labels=range(p.shape[1]))


METRICS = {
    "accuracy": of("predict", sk.accuracy_score),
    "f1": of("predict", sk.f1_score),
    "f1_macro": of("predict", sk.f1_score, average="macro"),
    "balanced_accuracy": of("predict", sk.balanced_accuracy_score),
    "matthews_corrcoef": of("predict", sk.matthews_corrcoef),
    "roc_auc": of_one("scores", sk.roc_auc_score),
    "average_precision": of_one("scores", sk.average_precision_score),
    "neg_log_loss": of("predict_proba", log_loss, -1),
    "neg_brier_score": of_one("predict_proba", sk.brier_score_loss, -1),
}


@pytest.mark.long
@pytest.mark.parametrize("design", CVS)
def test_contributions_are_those_computed_by_hand(design):
    X, y = data()
    cv = CVS[design]
    tried = METRICS if design == "halves" else {m: METRICS[m] for m in ("f1_macro", "roc_auc")}
    run = paired_cross_validate(TWO, X, y, scoring=list(tried), cv=cv)
    assert run.rows_known
    splits = list(cv.split(X, y))
    for metric, (response, function) in tried.items():
        rows = run.rows(metric=metric)
        assert rows.values.shape == (run.design.n_repeats, N, 2)
        for column, (name, estimator) in enumerate(TWO.items()):
            expected = by_hand(estimator, X, y, splits, response, function)
            np.testing.assert_allclose(
                rows.values[:, :, column], expected, rtol=1e-4, atol=1e-5, err_msg=metric
            )
            means = rows.fold_means(rows.values)[:, :, column].ravel()
            np.testing.assert_allclose(means, run.column(name, metric), atol=1e-6)
        for number, (_, test) in enumerate(splits):
            n_folds = len(splits) // run.design.n_repeats
            assert set(rows.folds[number // n_folds, test]) == {number % n_folds}


SCORING = ["accuracy", "neg_log_loss", "roc_auc"]


def test_rows_come_back_from_memory(tmp_path):
    X, y = data()
    first = paired_cross_validate(TWO, X, y, scoring=SCORING, cv=HALVES, memory=tmp_path)
    stored = [path for path in tmp_path.rglob("*") if path.is_file()]
    again = paired_cross_validate(TWO, X, y, scoring=SCORING, cv=HALVES, memory=tmp_path)
    assert stored == [path for path in tmp_path.rglob("*") if path.is_file()]
    np.testing.assert_array_equal(first.fit_times, again.fit_times)  # nothing was fitted
    assert first.rows_known
    for metric in SCORING:
        ours, theirs = (run.rows(metric=metric) for run in (first, again))
        np.testing.assert_allclose(ours.values, theirs.values, rtol=1e-9)
        np.testing.assert_array_equal(ours.folds, theirs.folds)


@pytest.mark.long
def test_groups_are_the_units():
    X, y = data(n=44)
    groups = np.repeat(np.arange(11), 4)[::-1]
    cv = RepeatedGroupKFold(n_splits=2, n_repeats=4, random_state=0)
    scoring = ["accuracy", "roc_auc"]
    run = paired_cross_validate(TWO, X, y, scoring=scoring, cv=cv, groups=groups)
    splits = list(cv.split(X, y, groups))
    for metric in scoring:
        rows = run.rows(metric=metric)
        assert (rows.n_units, rows.strata) == (11, None)
        response, function = METRICS[metric]
        single = by_hand(LOGISTIC, X, y, splits, response, function)
        for number, (_, test) in enumerate(splits):
            score = run.column("lr", metric)[number]
            n_groups = len(np.unique(groups[test]))
            for group in np.unique(groups[test]):
                inside = test[groups[test] == group]
                apart = np.sum(single[number // 2, inside] - score)
                expected = score + n_groups / len(test) * apart
                found = rows.values[number // 2, group, 0]
                assert found == pytest.approx(expected, abs=1e-4)
    sample = run.sample(metric="accuracy")
    assert sample.rows is not None
    assert (sample.size_unit, sample.n_test.sum()) == ("group", 4 * 11)
    assert stats.projection_t(sample).df == 4


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("several", [False, True])
def test_weights_by_metadata_routing(several):
    X, y = data()
    weight = np.random.default_rng(0).uniform(0.2, 3, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        two = {
            "lr": LogisticRegression().set_fit_request(sample_weight=False),
            "nb": GaussianNB().set_fit_request(sample_weight=False),
        }
        scoring = {
            "hits": make_scorer(sk.accuracy_score).set_score_request(sample_weight=True),
            "plain": make_scorer(sk.f1_score).set_score_request(sample_weight=False),
            "auc": make_scorer(
                sk.roc_auc_score, response_method=("decision_function", "predict_proba")
            ).set_score_request(sample_weight=True),
        }
        asked = scoring if several else scoring["hits"]
        run = paired_cross_validate(
            two, X, y, scoring=asked, cv=HALVES, params={"sample_weight": weight}
        )
    assert run.rows_known
    splits = list(HALVES.split(X, y))
    known = {"hits": "accuracy", "plain": "f1", "auc": "roc_auc"}
    known = known if several else {"accuracy_score": "accuracy"}
    for metric, name in known.items():
        response, function = METRICS[name]
        own = None if metric == "plain" else weight
        expected = by_hand(LogisticRegression(), X, y, splits, response, function, own)
        found = run.rows(metric=metric).values[:, :, 0]
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=metric)


# Where rows are not known


def assert_without_rows(run):
    assert run.rows() is None
    assert type(run.sample()) is stats.PairedScores
    assert type(run.table()) is stats.ScoreTable
    assert type(run.scores_of("lr")) is stats.Scores


class Disguised:
    """It says that it is a scorer of scikit-learn, and cuts probabilities at 0.8."""

    def __call__(self, estimator, X, y):
        return sk.accuracy_score(y, (estimator.predict_proba(X)[:, 1] > 0.8).astype(int))

    def __repr__(self):
        return "make_scorer(accuracy_score)"


def test_a_scorer_that_is_no_metric_of_scikit_learn_has_no_rows():
    X, y = data()
    for scoring in (
        lambda estimator, X, y: float(np.mean(estimator.predict(X) == y)),
        make_scorer(lambda y, p: float(np.mean(y == p)) ** 2),
        "neg_max_error",
        Disguised(),  # rows must add up to the score that the scorer gave
    ):
        run = paired_cross_validate(TWO, X, y, scoring=scoring, cv=HALVES)
        assert not run.rows_known and run.contributions == {}
        assert_without_rows(run)


def test_splits_that_are_no_repeated_partitions_have_no_rows():
    X, y = data()
    n = len(y)
    two = (ms.KFold(2, shuffle=True, random_state=seed) for seed in (0, 1))
    twice = [split for cv in two for split in cv.split(X)]
    for cv in (
        ms.ShuffleSplit(6, test_size=0.5, random_state=0),
        ms.KFold(5),
        ms.TimeSeriesSplit(3),
        # Each row is tested once per repetition, but not trained on else.
        [(train[1:], test) for train, test in twice],
        # Folds of which one is tested twice.
        [twice[0], twice[0], *twice[2:]],
    ):
        run = paired_cross_validate(TWO, X, y, scoring="accuracy", cv=cv)
        assert run.design.folds is None or run.design.n_repeats == 1
        assert_without_rows(run)
    given = paired_cross_validate(TWO, X, y, scoring="accuracy", cv=twice)
    assert given.rows().values.shape == (2, n, 2)


@pytest.mark.parametrize("strategy, known", [("most_frequent", True), ("uniform", False)])
def test_guessing_at_random_has_no_rows(strategy, known):
    report = compare_to_baseline(
        GaussianNB(), *data(), strategy=strategy, cv=CVS["balanced halves"], scoring="accuracy"
    )
    assert (report.evidence.sample.rows is not None) is known
