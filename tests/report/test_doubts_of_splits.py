"""Doubts about tests over splits, raised and not raised."""

from functools import partial

import numpy as np
import pytest
import scipy.stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skstat import (
    compare_estimators,
    compare_scores,
    compare_to_baseline,
    estimate_performance,
    paired_cross_validate,
    paired_cv_ttest,
)
from skstat.stats import PairedScores, corrected_t
from tests.cases import doubts_about

NB, NEAR = GaussianNB(), KNeighborsClassifier()


def codes(report):
    return {doubt.code for doubt in report.doubts}


def weight_of(report, code):
    return next(doubt.weight for doubt in report.doubts if doubt.code == code)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:200], y[:200]


class TestSplitsThatAreTooAlike:
    """Two ridges that shrink strongly: what a row does cancels between the splits."""

    ridges = (Ridge(1000.0), Ridge(300.0))

    def ask(self, **options):
        X, y = load_diabetes(return_X_y=True)
        return paired_cv_ttest(
            *self.ridges, X, y, scoring="neg_mean_squared_error", random_state=0, **options
        )

    def test_the_corrected_t_is_doubted_and_the_default_is_not(self):
        old = self.ask(correction="nadeau-bengio")
        assert weight_of(old, "SKS130") == "invalid"
        assert "the standard error is too small" in " ".join(map(str, old.doubts))
        assert "SKS130" not in codes(self.ask())

    def test_the_ratio_is_that_of_the_splits_and_their_rows(self):
        X, y = load_diabetes(return_X_y=True)
        names = ("strong", "weak")
        run = paired_cross_validate(
            dict(zip(names, self.ridges, strict=True)), X, y,
            scoring="neg_mean_squared_error", random_state=0, return_predictions=True,
        )  # fmt: skip
        differences, by_rows = [], []
        for split, (_, test) in enumerate(run.design.splits):
            losses = [(run.predictions[name][split] - y[test]) ** 2 for name in names]
            rows = losses[1] - losses[0]
            differences.append(rows.mean())
            by_rows.append(rows.var(ddof=1) / len(test))
        # Halves: rows drawn without replacement vary by 1 - 1/2 of that.
        expected = np.var(differences, ddof=1) / (0.5 * np.mean(by_rows))
        assert run.split_spread(*names) == pytest.approx(expected, rel=1e-9)
        assert expected < 0.9

    def test_few_splits_show_nothing(self):
        found = " ".join(str(doubt) for doubt in self.ask(cv=5).doubts)
        assert "the variance between splits" not in found

    @pytest.mark.parametrize(
        "metric, n, ratio, weight",
        [
            ("neg_log_loss", 30, 0.89, "invalid"),
            ("neg_log_loss", 30, 0.91, None),
            ("neg_log_loss", 29, 0.89, "weak"),
            ("roc_auc", 30, 0.59, "weak"),
            ("roc_auc", 30, 0.61, None),
            ("accuracy", 30, 0.3, None),
        ],
    )
    def test_it_weighs_what_was_measured(self, metric, n, ratio, weight):
        rng = np.random.default_rng(0)
        sample = PairedScores(*rng.normal(0.8, 0.02, (2, n)), n_train=200, n_test=100)
        known = {"metric": metric, "of_labels": metric == "accuracy", "split_spread": ratio}
        doubts = doubts_about(sample, corrected_t(sample), **known)
        found = {doubt.code: doubt.weight for doubt in doubts}
        assert found.get("SKS130") == weight


def test_bare_scores_of_a_metric_that_is_not_of_labels_are_doubted():
    rng = np.random.default_rng(0)
    scores = {"a": rng.normal(0.7, 0.02, 30), "b": rng.normal(0.7, 0.02, 30)}
    sizes = {"n_train": 200, "n_test": 100}
    for metric in ("roc_auc", "neg_log_loss", "r2", "neg_mean_absolute_error"):
        found = compare_scores(scores, scoring=metric, **sizes)
        assert weight_of(found, "SKS130") == ("note" if metric == "roc_auc" else "weak")
    for metric in ("accuracy", "f1_macro", "balanced_accuracy", "my own", None):
        found = compare_scores(scores, scoring=metric, **sizes)
        assert "SKS130" not in codes(found), metric
    assert "SKS130" not in codes(compare_scores(scores, scoring="roc_auc", unit="seed"))


@pytest.mark.long
def test_a_run_knows_its_rows_and_needs_no_such_doubt(cancer):
    report = paired_cv_ttest(
        NB, NEAR, *cancer, scoring="roc_auc", correction="nadeau-bengio", random_state=0
    )
    assert "SKS130" not in codes(report)
    own = paired_cv_ttest(
        NB, NEAR, *cancer, scoring=lambda e, X, y: e.score(X, y), random_state=0
    )
    assert codes(own).isdisjoint({"SKS130"})


def test_many_folds_are_doubted_for_the_projection_only(cancer):
    folds = {
        k: RepeatedStratifiedKFold(n_splits=k, n_repeats=3, random_state=0) for k in (4, 5)
    }
    assert "SKS102" in codes(paired_cv_ttest(NB, NEAR, *cancer, cv=folds[5]))
    assert "SKS102" not in codes(paired_cv_ttest(NB, NEAR, *cancer, cv=folds[4]))
    old = paired_cv_ttest(NB, NEAR, *cancer, cv=folds[5], correction="nadeau-bengio")
    assert "SKS102" not in codes(old)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "scoring, n_rare, doubted",
    [
        ("roc_auc", 15, True),
        ("f1_macro", 15, True),
        ("accuracy", 15, False),
        ("neg_log_loss", 15, False),
        ("roc_auc", 25, False),
    ],
)
def test_few_rows_of_a_class(cancer, scoring, n_rare, doubted):
    X, y = cancer
    rows = np.r_[np.flatnonzero(y == 1)[:n_rare], np.flatnonzero(y == 0)[:90]]
    report = paired_cv_ttest(NB, NEAR, X[rows], y[rows], scoring=scoring, random_state=0)
    assert ("SKS128" in codes(report)) is doubted
    if doubted:
        (action,) = (doubt.action for doubt in report.doubts if doubt.code == "SKS128")
        assert action == "add rows of class 1, or use the block jackknife t test"


SHUFFLED = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "options, weight",
    [
        ({"scoring": "f1_macro", "cv": SHUFFLED}, "weak"),
        ({"scoring": "accuracy", "cv": SHUFFLED}, "note"),
        ({"scoring": "neg_log_loss", "cv": SHUFFLED}, None),
        ({"scoring": "f1_macro"}, None),
    ],
)
def test_splits_that_hold_class_shares_fixed(cancer, options, weight):
    """What shares do in training does not show in them, for metrics of predicted labels."""
    report = paired_cv_ttest(NB, NEAR, *cancer, random_state=0, **options)
    found = {doubt.code: doubt.weight for doubt in report.doubts}
    assert found.get("SKS140") == weight
    held = "cv" in options
    assert ("with these class shares" in report.estimand) is held
    assert ("from the same population" in report.estimand) is not held
    assert ("data sets with other class shares" in report.ignored_variance) is held
    three = {"nb": NB, "near": NEAR, "one": KNeighborsClassifier(1)}
    several = compare_estimators(three, *cancer, random_state=0, **options)
    assert ("SKS140" in codes(several)) is (weight is not None)


@pytest.mark.long
def test_a_stump_names_two_of_three_classes():
    X, y = load_wine(return_X_y=True)
    three = {"nb": NB, "near": NEAR, "stump": DecisionTreeClassifier(max_depth=1)}
    several = compare_estimators(three, X, y, scoring="accuracy", random_state=0)
    assert "stump predicts class" in str([d.text for d in several.doubts if d.code == "SKS141"])
    assert len([d for d in several.doubts if d.code == "SKS141"]) == 1
    lone = compare_to_baseline(three["stump"], X, y, scoring="accuracy", random_state=0)
    assert "SKS141" in codes(lone)


@pytest.mark.long
def test_stratified_blocks_are_doubted_as_stratified_folds(cancer):
    X, y = cancer
    rows = np.r_[np.flatnonzero(y == 1)[:40], np.flatnonzero(y == 0)[:90]]
    ask = {"test": "block_jackknife_t", "scoring": "f1_macro", "random_state": 0}
    pair = {"nb": NB, "near": NEAR}
    few = compare_estimators(pair, X[rows], y[rows], **ask)
    assert "stratify=True" in few.design["splitter"] and "SKS140" in codes(few)
    enough = compare_estimators(pair, *load_breast_cancer(return_X_y=True), **ask)
    assert "stratify=False" in enough.design["splitter"] and "SKS140" not in codes(enough)


@pytest.mark.long
def test_rare_classes_are_dealt_out_evenly_and_others_are_not(cancer):
    X, y = cancer
    rows = np.r_[np.flatnonzero(y == 1)[:19], np.flatnonzero(y == 0)[:60]]
    ask = partial(paired_cv_ttest, NB, NEAR, random_state=0, scoring="f1_macro")
    few, enough = ask(X[rows], y[rows]), ask(X[:100], y[:100])
    assert "stratify=True" in few.design["splitter"]
    assert "stratify=False" in enough.design["splitter"]
    assert "SKS128" in codes(few) and "SKS140" not in codes(few)


@pytest.mark.long
def test_few_effective_groups_and_weights(cancer):
    X, y = cancer
    sizes = np.r_[np.full(18, 5), 110]  # 19 groups, of which one holds half of the rows
    for groups, doubted in ((np.arange(200) % 25, False), (np.repeat(range(19), sizes), True)):
        report = paired_cv_ttest(NB, NEAR, X, y, groups=groups, random_state=0)
        assert ("SKS107" in codes(report)) is doubted
    assert report.df == pytest.approx(200**2 / (sizes**2).sum() - 1)
    assert "which weigh as 3.2 of one size" in next(
        doubt.text for doubt in report.doubts if doubt.code == "SKS107"
    )
    weights = np.where(np.arange(200) < 10, 100.0, 1.0)
    lr = LogisticRegression(max_iter=5000), LogisticRegression(C=0.01, max_iter=5000)
    report = paired_cv_ttest(*lr, X[:, :2], y, sample_weight=weights, random_state=0)
    assert report.df == pytest.approx(weights.sum() ** 2 / (weights**2).sum() - 1)
    assert "SKS107" in codes(report)


class Chooses(ClassifierMixin, BaseEstimator):
    """Name class 1 on so many rows of a test set that trained on more of one row or less."""

    def __init__(self, few=0, many=50):
        self.few, self.many = few, many

    def fit(self, X, y):
        self.classes_, self.first_ = np.unique(y), 0 in X[:, 0]
        return self

    def predict(self, X):
        n = self.many if self.first_ else self.few
        return (np.arange(len(X)) < n).astype(int)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "few, many, doubted",
    [(0, 50, True), (12, 50, True), (30, 50, False), (20, 20, False), (3, 3, True)],
)
def test_a_class_that_is_hardly_named_or_by_turns(few, many, doubted):
    """60 of 200 rows are of class 1, about 30 of each half."""
    y = (np.arange(200) % 10 < 3).astype(int)
    X = np.c_[np.arange(200), y + np.random.default_rng(0).normal(0, 0.1, 200)]
    ask = partial(paired_cv_ttest, ("chooses", Chooses(few, many)), NB, X, y, random_state=0)
    for scoring in ("f1", "accuracy"):
        found = {doubt.code: doubt.text for doubt in ask(scoring=scoring).doubts}
        assert ("SKS141" in found) is doubted
    if doubted:
        often = f"{few} to {many} rows" if few < many else f"{few} rows"
        assert f"chooses predicts class 1 for {often} of a test set" in found["SKS141"]
        against_guess = compare_to_baseline(
            GaussianNB(), X, y, strategy="most_frequent", random_state=0
        )
        assert "SKS141" not in codes(against_guess)


def skewed_data(n=150, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.exp(spread * rng.normal(size=n)) * (X[:, 0] > 0) + X[:, 1]


MSE, MAE = "neg_mean_squared_error", "neg_mean_absolute_error"
RIDGES = [("free", Ridge(1.0)), ("shrunk", Ridge(1000.0))]


@pytest.mark.long
def test_single_rows_that_decide():
    X, y = skewed_data(spread=0.8)
    ask = {"random_state": 0, "verbose": False}
    for scoring, doubted in ((MSE, True), (MAE, False)):
        estimate = estimate_performance(RIDGES[0], X, y, scoring=scoring, **ask)
        assert ("SKS129" in codes(estimate)) is doubted
    y[X[:, 0].argmax()] += 30
    report = compare_estimators(RIDGES, X, y, scoring=MSE, **ask)
    own = report.evidence.sample.rows.values.mean(axis=0)
    expected = scipy.stats.skew(own[:, 0] - own[:, 1]) / np.sqrt(len(y))
    assert report.evidence.sample.rows.skewness_left == pytest.approx(expected)
    assert abs(expected) > 0.4 and "SKS129" in codes(report)
    assert "SKS129" not in codes(compare_estimators(RIDGES, X, y, scoring=MAE, **ask))


@pytest.mark.long
def test_one_tail_is_doubted_before_two():
    X, y = skewed_data()
    ask = {"scoring": MSE, "random_state": 0, "verbose": False}
    report = compare_estimators(RIDGES, X, y, **ask)
    assert 0.2 < abs(report.evidence.sample.rows.skewness_left) < 0.4 and "SKS129" not in codes(
        report
    )
    assert "SKS129" in codes(compare_estimators(RIDGES, X, y, **ask, alternative="greater"))
    assert "SKS129" in codes(compare_estimators(RIDGES, X, y, **ask, margin=0.1))


def test_losses_of_a_probability_of_zero():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 2)) + y[:, None]
    near, ask = ("near", KNeighborsClassifier(1)), {"random_state": 0, "verbose": False}
    two = [near, ("line", LogisticRegression())]
    report = compare_estimators(two, X, y, scoring="neg_log_loss", **ask)
    wrong = (report.evidence.sample.rows.values[:, :, 0] < -36).any(axis=0).sum()
    found = {doubt.code: doubt.text for doubt in report.doubts}
    said = f"near gave the true class a probability of 0 on {wrong} of 60 rows: the loss is"
    assert found["SKS144"].startswith(said)
    for order in (two, two[::-1]):
        estimates = estimate_performance(dict(order), X, y, scoring="neg_log_loss", **ask)
        texts = [doubt.text for doubt in estimates.doubts if doubt.code == "SKS144"]
        assert len(texts) == 1 and texts[0].startswith("near gave")
    tree = [two[1], ("tree", DecisionTreeClassifier(random_state=0))]
    for weight, doubted in ((None, True), (rng.random(60) + 0.5, False)):
        by = {"sample_weight": weight, "scoring": "neg_log_loss"} | ask
        assert ("SKS144" in codes(compare_estimators(tree, X, y, **by))) is doubted
    brier = compare_estimators(two, X, y, scoring="neg_brier_score", **ask)
    assert "SKS144" not in codes(brier)
    smooth = [("line", LogisticRegression()), ("free", LogisticRegression(C=100.0))]
    smooth = compare_estimators(smooth, X, y, scoring="neg_log_loss", **ask)
    assert "SKS144" not in codes(smooth)


def test_shares_have_intervals_of_their_own_and_no_such_doubt(cancer):
    X, y = cancer
    ask = {"random_state": 0, "verbose": False}
    rare = np.flatnonzero(y == 1)[:200].tolist() + np.flatnonzero(y == 0)[:40].tolist()
    for scoring in ("accuracy", "roc_auc"):
        report = estimate_performance(GaussianNB(), X[rare], y[rare], scoring=scoring, **ask)
        assert "SKS129" not in codes(report)


@pytest.mark.parametrize("left", [0.2, 0.4])
def test_what_skewness_does_to_one_tail(left):
    """The figures of the advice: a sum of n squares of normal numbers, of skewness sqrt(8)."""
    n, z = round(8 / left**2), 1.6448536
    by_expansion = left * (2 * z**2 + 1) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) / 6
    assert 0.05 + by_expansion == pytest.approx({0.2: 0.072, 0.4: 0.094}[left], abs=5e-4)
    x = np.random.default_rng(0).normal(size=(20_000, n)) ** 2
    t = (x.mean(axis=1) - 1) / (x.std(axis=1, ddof=1) / np.sqrt(n))
    critical = scipy.stats.t.isf(0.05, n - 1)
    low, high = np.mean(t < -critical), np.mean(t > critical)
    assert low == pytest.approx(0.05 + by_expansion, abs=0.02)
    assert high == pytest.approx(0.05 - by_expansion, abs=0.02)


def test_effective_groups_of_an_estimate():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(24), [60] + [4] * 23)
    y = np.arange(len(groups)) % 2
    X = rng.normal(size=(len(groups), 3)) + y[:, None]
    report = estimate_performance(
        GaussianNB(), X, y, groups=groups, scoring="accuracy", random_state=0, verbose=False
    )
    assert "SKS107" in codes(report)
    even = np.repeat(np.arange(38), 4)
    report = estimate_performance(
        GaussianNB(), X, y, groups=even, scoring="accuracy", random_state=0, verbose=False
    )
    assert "SKS107" not in codes(report)
