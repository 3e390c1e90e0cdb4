"""The guide: every row of it, the same table behind behaviour and recommendations."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import f1_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import (
    _site,
    cochran_q_test,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    compare_to_baseline,
    mcnemar_test,
    paired_cross_validate,
    paired_cv_ttest,
    recommend_test,
    report_from_dict,
    stats,
)
from skstat.comparison._guide import Situation, recommend
from skstat.evaluation import FiveByTwo, LeaveTwoBlocksOut
from skstat.report import Recommendation
from skstat.stats import PairedBlockScores, PairedPredictions, PairedScores, Scores, ScoreTable
from skstat.testing import HOSTILE
from tests.cases import in_one_test
from tests.test_examples import charted

NB, TREE = GaussianNB(), DecisionTreeClassifier(random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
TWO, THREE = {"nb": NB, "tree": TREE}, {"nb": NB, "tree": TREE, "stump": STUMP}
rng = np.random.default_rng(0)
A, B, C = rng.random((3, 36)) + np.array([[0.1], [0.0], [0.0]])
N = 90
Y = rng.integers(0, 2, N)
LABELS = {name: np.where(rng.random(N) < p, Y, 1 - Y) for name, p in (("a", 0.9), ("b", 0.7))}
NUMBERS = {name: Y + sd * rng.normal(size=N) for name, sd in (("a", 0.4), ("b", 0.9))}
THIRD = {**LABELS, "c": rng.integers(0, 2, N)}
WITH_GAP = ScoreTable(
    np.where(np.eye(12, 3) > 0, np.nan, rng.normal(size=(12, 3))), unit="dataset"
)
SEEDED = {
    name: [np.where(rng.random(N) < p, Y, 1 - Y) for _ in range(3)]
    for name, p in (("a", 0.9), ("b", 0.8), ("c", 0.7))
}
TWO_SEEDED = {name: SEEDED[name] for name in "ab"}
TIME = np.arange(N)


def own_score(estimator, X, y):
    """A metric that skstat knows nothing of."""
    return float(np.mean(estimator.predict(X) == y))


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:150], y[:150]


@pytest.fixture(scope="module")
def datasets():
    noise = np.random.default_rng(1)
    sets = {}
    for number in range(6):
        y = np.arange(40) % 2
        sets[f"set {number}"] = (noise.normal(size=(40, 3)) + y[:, np.newaxis], y)
    return sets


def some(datasets, n):
    return dict(list(datasets.items())[:n])


# What is described, the situation it is, what is run; and how to make it happen, if it is
# one that a front door answers. Rows of the guide in its order.
ROWS = {
    "one against a constant, hold-out": [
        (("predictions", {"n_systems": 1, "metric": "accuracy"}),
         "constant-accuracy", "binomial", None),
        (("predictions", {"n_systems": 1, "metric": "accuracy", "n_groups": 40}),
         "constant-groups", "clustered_t", None),
        (("predictions", {"n_systems": 1, "metric": "neg_log_loss"}),
         "constant-mean", "one_sample_t", None),
        (("predictions", {"n_systems": 1, "metric": "accuracy", "ordered": True}),
         "constant-time-order", "diebold_mariano", None),
        (("predictions", {"n_systems": 1, "metric": "f1"}),
         "constant-other", "paired_permutation", None),
        (("scores", {"n_systems": 1, "unit": "instance", "metric": "accuracy",
                     "constant": 0.5}),
         "constant-right-or-wrong", "binomial",
         lambda c, d: compare_scores(np.tile([1, 1, 0], 9), unit="instance", constant=0.5)),
        (("scores", {"n_systems": 1, "unit": "instance"}),
         "constant-units", "one_sample_t",
         lambda c, d: compare_scores(A, unit="instance", constant=0.5)),
    ],
    "one against a constant, cross-validation": [
        (("estimators", {"n_systems": 1, "constant": 0.8}),
         "constant-rows", "one_sample_projection_t",
         lambda c, d: compare_to_baseline(NB, *c, strategy=0.8, random_state=0)),
        (("scores", {"n_systems": 1, "unit": "split"}),
         "constant-splits", "one_sample_t",
         lambda c, d: compare_scores(A, n_train=60, n_test=30, constant=0.5)),
        (("estimators", {"n_systems": 1}),
         "baseline-rows", "projection_t",
         lambda c, d: compare_to_baseline(NB, *c, random_state=0)),
        (("estimators", {"n_systems": 1, "cv": 5}),
         "baseline-splits", "corrected_t",
         lambda c, d: compare_to_baseline(NB, *c, cv=5)),
    ],
    "one against a constant, many data sets": [
        (("scores", {"n_systems": 1, "unit": "dataset", "n": 36}),
         "constant-datasets", "wilcoxon",
         lambda c, d: compare_scores(A, unit="dataset", constant=0.5)),
    ],
    "two, hold-out, right or wrong": [
        (("predictions", {"metric": "accuracy"}), "hold-out-accuracy", "mcnemar",
         lambda c, d: compare_predictions(Y, LABELS, metric="accuracy")),
        (("predictions", {"metric": "cost"}), "hold-out-costs", "cost", None),
    ],
    "two, hold-out, any metric": [
        (("predictions", {"metric": "neg_mean_squared_error"}),
         "hold-out-mean", "paired_permutation",
         lambda c, d: compare_predictions(
             Y, NUMBERS, metric="neg_mean_squared_error", n_resamples=199)),
        (("predictions", {"metric": "f1_macro"}), "hold-out-other", "paired_permutation",
         lambda c, d: compare_predictions(Y, LABELS, metric="f1_macro", n_resamples=199)),
        (("predictions", {"metric": f1_score}), "hold-out-other", "paired_permutation",
         lambda c, d: compare_predictions(Y, LABELS, metric=f1_score, n_resamples=199)),
        (("predictions", {}), "hold-out-other", "paired_permutation", None),
        (("predictions", {"metric": "accuracy", "weighted": True}),
         "hold-out-weighted", "paired_permutation",
         lambda c, d: compare_predictions(
             Y, LABELS, metric="accuracy", sample_weight=np.ones(N), n_resamples=199)),
        (("scores", {"unit": "instance"}), "instance-scores", "sign_flip",
         lambda c, d: compare_scores({"a": A, "b": B}, unit="instance")),
    ],
    "two, hold-out, area under the curve": [
        (("predictions", {"metric": "roc_auc"}), "hold-out-auc", "delong",
         lambda c, d: compare_predictions(Y, NUMBERS, metric="roc_auc")),
        (("predictions", {"metric": "roc_auc", "smallest_class": 14}),
         "hold-out-auc-few", "paired_permutation",
         lambda c, d: compare_predictions(
             np.arange(N) < 14, NUMBERS, metric="roc_auc", n_resamples=199)),
    ],
    "two, hold-out, clusters": [
        (("predictions", {"metric": "accuracy", "n_groups": 30}), "groups-mean", "clustered_t",
         lambda c, d: compare_predictions(
             Y, LABELS, metric="accuracy", groups=np.arange(N) // 3)),
        (("predictions", {"metric": "accuracy", "groups": np.arange(N) // 9}),
         "groups-other", "paired_permutation",
         lambda c, d: compare_predictions(
             Y, LABELS, metric="accuracy", groups=np.arange(N) // 9, n_resamples=199)),
        (("scores", {"unit": "instance", "n_groups": 40}), "item-scores-in-groups",
         "clustered_t",
         lambda c, d: compare_scores(
             {"a": A, "b": B}, unit="instance", groups=np.r_[np.arange(33), np.arange(3)]
         )),
        (("scores", {"unit": "instance", "n_groups": 12}), "item-scores-in-few-groups",
         "sign_flip",
         lambda c, d: compare_scores(
             {"a": A, "b": B}, unit="instance", groups=np.arange(36) // 3)),
        (("scores", {"unit": "instance", "n_groups": 8, "n_systems": 3}),
         "several-systems-few-groups-of-items", "clustered_t",
         lambda c, d: compare_scores(
             {"a": A, "b": B, "c": C}, unit="instance", groups=np.arange(36) // 5)),
        (("scores", {"unit": "instance", "n_groups": 12, "n_systems": 3}),
         "several-systems-items-in-groups", "sign_flip",
         lambda c, d: compare_scores(
             {"a": A, "b": B, "c": C}, unit="instance", groups=np.arange(36) // 3)),
        (("scores", {"unit": "group"}), "group-scores", "sign_flip",
         lambda c, d: compare_scores(PairedScores(A, B, unit="group"))),
    ],
    "two, cross-validation, 30 to 100 fits": [
        (("estimators", {}), "two-estimators-30-fits", "projection_t",
         lambda c, d: compare_estimators(TWO, *c, random_state=0)),
        (("estimators", {"budget": 31}), "two-estimators-budget", "projection_t",
         lambda c, d: compare_estimators(TWO, *c, budget=31, random_state=0)),
        (("estimators", {"budget": 500}), "two-estimators-budget", "projection_t", None),
        (("estimators", {"metric": lambda y, p: 0.0}),
         "two-estimators-any-metric", "block_jackknife_t",
         lambda c, d: compare_estimators(TWO, *c, scoring=own_score, random_state=0)),
        (("estimators", {"cv": ShuffleSplit(20, test_size=0.3)}),
         "splits-random", "corrected_t",
         lambda c, d: compare_estimators(
             TWO, *c, cv=ShuffleSplit(20, test_size=0.3, random_state=0))),
        (("scores", {"n_splits": 36, "test_fraction": 1 / 3}), "splits-random", "corrected_t",
         lambda c, d: compare_scores({"a": A, "b": B}, n_train=60, n_test=30)),
    ],
    "two, cross-validation, nine tenths": [
        (("estimators", {"train_size": 0.9}), "two-estimators-nine-tenths", "projection_t",
         lambda c, d: compare_estimators(TWO, *c, train_size=0.9, random_state=0)),
        (("estimators", {"train_size": 0.9, "budget": 44}),
         "two-estimators-nine-tenths", "projection_t",
         lambda c, d: compare_estimators(
             TWO, *c, train_size=0.9, budget=44, random_state=0)),
    ],
    "two, cross-validation, repeated folds": [
        (("estimators", {"cv": RepeatedStratifiedKFold(n_splits=3, n_repeats=3)}),
         "splits-with-rows", "projection_t",
         lambda c, d: compare_estimators(
             TWO, *c, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0))),
        (("estimators", {"cv": RepeatedStratifiedKFold(n_splits=3, n_repeats=2)}),
         "splits-repeated-k-fold", "corrected_t",
         lambda c, d: compare_estimators(
             TWO, *c, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))),
    ],
    "two, cross-validation, 10 to 30 fits": [
        (("estimators", {"budget": 15}), "two-estimators-budget", "projection_t",
         lambda c, d: compare_estimators(
             {"nb": NB, "stump": STUMP}, *c, budget=15, random_state=0)),
        (("estimators", {"budget": 10, "alternative": "less"}),
         "two-estimators-budget", "projection_t",
         lambda c, d: compare_estimators(
             TWO, *c, budget=10, alternative="less", random_state=0)),
        (("scores", {"cv": FiveByTwo(stratify=False, random_state=0)}),
         "splits-5x2", "five_by_two_f",
         lambda c, d: compare_scores({"a": A[:10], "b": B[:10]}, n_repeats=5)),
        (("scores", {"cv": RepeatedKFold(n_splits=2, n_repeats=5), "alternative": "greater"}),
         "splits-5x2-one-sided", "corrected_t",
         lambda c, d: compare_scores(
             {"a": A[:10], "b": B[:10]}, n_repeats=5, alternative="greater")),
    ],
    "two, cross-validation, one fit": [
        (("estimators", {"budget": 1}), "estimators-few-fits", "compare_predictions", None),
        (("estimators", {"budget": 9, "n_systems": 4}),
         "estimators-few-fits", "compare_predictions", None),
    ],
    "two, a single K-fold that was run": [
        (("estimators", {"cv": 10, "stable": True}), "splits-k-fold-stable", "corrected_t",
         lambda c, d: compare_estimators(TWO, *c, cv=5)),
        (("estimators", {"cv": StratifiedKFold(5)}), "splits-k-fold", "corrected_t",
         lambda c, d: compare_estimators(
             {"nb": NB, "stump": STUMP}, *c, cv=StratifiedKFold(5))),
        (("scores", {"cv": LeaveOneOut()}), "splits-k-fold", "corrected_t", None),
    ],
    "two, many data sets": [
        (("estimators", {"n_datasets": 6}), "two-systems-datasets", "wilcoxon",
         lambda c, d: compare_over_datasets(TWO, d, cv=2, random_state=0)),
        (("scores", {"unit": "dataset"}), "two-systems-datasets", "wilcoxon",
         lambda c, d: compare_scores({"a": A, "b": B}, unit="dataset")),
    ],
    "two, 2 to 5 data sets": [
        (("estimators", {"n_datasets": 5}), "two-systems-few-datasets", "wilcoxon",
         lambda c, d: compare_over_datasets(TWO, some(d, 5), cv=2, random_state=0)),
        (("scores", {"unit": "dataset", "n": 3}), "two-systems-few-datasets", "wilcoxon",
         lambda c, d: compare_scores({"a": A[:3], "b": B[:3]}, unit="dataset")),
    ],
    "several, hold-out": [
        (("predictions", {"n_systems": 3, "metric": "accuracy"}),
         "several-systems-accuracy", "cochran_q",
         lambda c, d: compare_predictions(Y, THIRD, metric="accuracy")),
        (("predictions", {"n_systems": 3, "metric": "roc_auc"}),
         "several-systems-auc", "delong_wald",
         lambda c, d: compare_predictions(
             Y, NUMBERS | {"c": NUMBERS["a"] + NUMBERS["b"]}, metric="roc_auc")),
        (("predictions", {"n_systems": 3, "metric": "f1_macro", "control": "c"}),
         "several-systems-any-metric", "paired_bootstrap",
         lambda c, d: compare_predictions(
             Y, THIRD, metric="f1_macro", control="c", n_resamples=199)),
        (("predictions",
          {"n_systems": 3, "metric": "f1_macro", "control": "c", "adjustment": "holm"}),
         "several-systems-hold-out", "paired_permutation",
         lambda c, d: compare_predictions(
             Y, THIRD, metric="f1_macro", control="c", n_resamples=199, adjustment="holm")),
        (("predictions", {"n_systems": 3, "metric": "neg_log_loss"}),
         "several-systems-mean", "sign_flip",
         lambda c, d: compare_predictions(
             Y, {n: np.clip(p, 0.1, 0.9) for n, p in THIRD.items()}, metric="neg_log_loss")),
        (("predictions", {"n_systems": 3, "metric": "accuracy", "n_groups": 12}),
         "several-systems-mean", "sign_flip",
         lambda c, d: compare_predictions(Y, THIRD, metric="accuracy", groups=TIME % 12)),
        (("predictions", {"n_systems": 3, "metric": "accuracy", "n_groups": 7}),
         "several-systems-few-groups-of-rows", "clustered_t",
         lambda c, d: compare_predictions(Y, THIRD, metric="accuracy", groups=TIME % 7)),
        (("scores", {"n_systems": 3, "unit": "group", "n": 7}),
         "several-systems-few-groups", "paired_t",
         lambda c, d: compare_scores(
             ScoreTable({"a": A[:7], "b": B[:7], "c": C[:7]}, unit="group"))),
        (("scores", {"n_systems": 3, "unit": "seed"}),
         "several-systems-seed-scores", "seed_means_t",
         lambda c, d: compare_scores({"a": A, "b": B, "c": C}, unit="seed")),
        (("scores", {"n_systems": 3, "unit": "seed", "paired_seeds": True}),
         "several-systems-units", "paired_t",
         lambda c, d: compare_scores(
             {"a": A, "b": B, "c": C}, unit="seed", paired_seeds=True)),
    ],
    "several, cross-validation": [
        (("estimators", {"n_systems": 3}), "several-systems-splits", "projection_t",
         lambda c, d: compare_estimators(THREE, *c, random_state=0)),
        (("estimators", {"n_systems": 3, "control": True, "budget": 12}),
         "several-systems-splits", "projection_t",
         lambda c, d: compare_estimators(THREE, *c, control="nb", budget=12, random_state=0)),
        (("scores", {"n_systems": 3, "cv": RepeatedKFold(n_splits=2, n_repeats=5)}),
         "several-systems-5x2", "corrected_t",
         lambda c, d: compare_scores(
             {"a": A[:10], "b": B[:10], "c": C[:10]}, n_repeats=5)),
        (("scores", {"n_systems": 3, "unit": "split"}),
         "several-systems-splits", "corrected_t",
         lambda c, d: compare_scores({"a": A, "b": B, "c": C}, n_train=60, n_test=30)),
    ],
    "several, many data sets, each other": [
        ((WITH_GAP, {}), "several-systems-gaps", "skillings_mack",
         lambda c, d: compare_scores(WITH_GAP)),
        (("estimators", {"n_systems": 3, "n_datasets": 6}),
         "several-systems-datasets", "friedman",
         lambda c, d: compare_over_datasets(THREE, d, cv=2, random_state=0)),
    ],
    "several, many data sets, control": [
        (("scores", {"n_systems": 3, "unit": "dataset", "control": "c"}),
         "control-datasets", "friedman",
         lambda c, d: compare_scores(
             {"a": A, "b": B, "c": C}, unit="dataset", control="c")),
    ],
    "the same?": [
        (("predictions", {"metric": "accuracy", "margin": 0.02}), "same", "mcnemar",
         lambda c, d: compare_predictions(Y, LABELS, metric="accuracy", margin=0.02)),
        (("scores", {"unit": "dataset", "margin": 0.02}), "same", "wilcoxon",
         lambda c, d: compare_scores({"a": A, "b": B}, unit="dataset", margin=0.02)),
        (("estimators", {"margin": 0.02}), "same", "projection_t",
         lambda c, d: compare_estimators(TWO, *c, margin=0.02, random_state=0)),
    ],
    "how probable?": [
        (("scores", {"unit": "split", "test_fraction": 0.1, "rope": 0.02}), "probable",
         "corrected_t", lambda c, d: compare_scores(
             {"a": A, "b": B}, n_train=90, n_test=10, rope=0.02)),
        (("predictions", {"metric": "accuracy", "rope": 0.02}), "probable", "mcnemar",
         lambda c, d: compare_predictions(Y, LABELS, metric="accuracy", rope=0.02)),
        (("scores", {"unit": "seed", "paired_seeds": True, "rope": 0.0}),
         "probable", "paired_t",
         lambda c, d: compare_scores(
             {"a": A, "b": B}, unit="seed", paired_seeds=True, rope=0)),
        (("scores", {"unit": "dataset", "rope": 0.02}), "probable", "wilcoxon",
         lambda c, d: compare_scores({"a": A, "b": B}, unit="dataset", rope=0.02)),
        (("estimators", {"rope": 0.02}), "probable", "projection_t",
         lambda c, d: compare_estimators(TWO, *c, rope=0.02, random_state=0)),
    ],
    "rows in time order": [
        (("predictions", {"metric": "accuracy", "ordered": True}),
         "time-order-mean", "diebold_mariano",
         lambda c, d: compare_predictions(Y, LABELS, metric="accuracy", order=TIME)),
        (("predictions", {"metric": "f1", "ordered": True}),
         "time-order-other", "paired_bootstrap",
         lambda c, d: compare_predictions(
             Y, LABELS, metric="f1", order=TIME, n_resamples=199)),
        (("scores", {"unit": "instance", "ordered": True}),
         "instances-time-order", "diebold_mariano",
         lambda c, d: compare_scores(PairedScores(A, B, unit="instance", ordered=True))),
        (("estimators", {"ordered": True}), "estimators-time-order", "diebold_mariano", None),
        (("estimators", {"cv": TimeSeriesSplit(4)}), "splits-row-order", "corrected_t",
         lambda c, d: compare_estimators(TWO, *c, cv=TimeSeriesSplit(4))),
    ],
    "two, cross-validation, pairs of blocks": [
        (("estimators", {"cv": LeaveTwoBlocksOut(5)}),
         "splits-pairs-of-blocks", "block_jackknife_t",
         lambda c, d: compare_estimators(TWO, *c, cv=LeaveTwoBlocksOut(5, random_state=0))),
        (("scores", {"cv": LeaveTwoBlocksOut(5)}),
         "splits-pairs-of-blocks", "block_jackknife_t",
         lambda c, d: compare_scores(PairedBlockScores(A[:30], B[:30]))),
    ],
    "several seeds": [
        (("predictions", {"metric": "accuracy", "n_seeds": 3}), "seeds-crossed", "crossed_t",
         lambda c, d: compare_predictions(
             Y, TWO_SEEDED, metric="accuracy", seeds="crossed")),
        (("predictions", {"metric": "accuracy", "n_seeds": 3, "n_groups": 10}),
         "seeds-crossed-groups", "seeded_bootstrap",
         lambda c, d: compare_predictions(
             Y, TWO_SEEDED, metric="accuracy", seeds="crossed", groups=np.arange(N) // 9,
             n_resamples=199)),
        (("predictions", {"metric": "accuracy", "n_seeds": 3, "seeds": "average"}),
         "seeds-average", "seed_average_t",
         lambda c, d: compare_predictions(
             Y, TWO_SEEDED, metric="accuracy", seeds="average")),
        (("predictions", {"metric": "f1", "n_seeds": 3, "seeds": "average"}),
         "seeds-average-other", "seeded_bootstrap",
         lambda c, d: compare_predictions(
             Y, TWO_SEEDED, metric="f1", seeds="average", n_resamples=199)),
        (("predictions", {"metric": "accuracy", "n_seeds": 3, "seeds": "means"}),
         "seeds-means", "seed_means_t",
         lambda c, d: compare_predictions(Y, TWO_SEEDED, metric="accuracy", seeds="means")),
        (("predictions", {"metric": "f1", "n_seeds": 3, "seeds": "means"}),
         "seeds-means-other", "paired_t",
         lambda c, d: compare_predictions(
             Y, TWO_SEEDED, metric="f1", seeds="means", paired_seeds=True)),
        (("predictions", {"metric": "accuracy", "n_seeds": 3, "n_systems": 3}),
         "several-systems-seeds", "crossed_t",
         lambda c, d: compare_predictions(Y, SEEDED, metric="accuracy", seeds="crossed")),
        (("scores", {"unit": "seed"}), "seed-scores", "seed_means_t",
         lambda c, d: compare_scores({"a": A, "b": B}, unit="seed")),
        (("scores", {"unit": "seed", "paired_seeds": True}), "seed-scores-paired", "paired_t",
         lambda c, d: compare_scores({"a": A, "b": B}, unit="seed", paired_seeds=True)),
    ],
}  # fmt: skip
CASES = [
    pytest.param(*case, id=f"{row}: {case[1]}") for row, cases in ROWS.items() for case in cases
]
# Words of the name that a procedure gives itself.
NAMED = {
    "block_jackknife_t": "block jackknife t test",
    "binomial": "binomial",
    "clustered_t": "clustered t test",
    "cochran_q": "Cochran Q",
    "corrected_t": "corrected",
    "crossed_t": "crossed",
    "delong": "DeLong test",
    "delong_wald": "Wald",
    "diebold_mariano": "Diebold-Mariano",
    "five_by_two_f": "5x2cv F",
    "friedman": "Friedman",
    "mcnemar": "McNemar",
    "one_sample_t": "one-sample",
    "paired_bootstrap": "paired bootstrap",
    "paired_permutation": "paired permutation",
    "one_sample_projection_t": "one-sample projection t test",
    "paired_t": "paired t test",
    "projection_t": "projection t test",
    "seed_average_t": "averag",
    "seed_means_t": "seed",
    "seeded_bootstrap": "bootstrap",
    "sign_flip": "sign-flip",
    "skillings_mack": "Skillings-Mack",
    "wilcoxon": "Wilcoxon",
}


@in_one_test("asked, situation, name, door", CASES)
def test_every_row_is_recommended(asked, situation, name, door):
    holds, description = asked
    recommended = recommend_test(holds, **description)
    assert (recommended.situation, recommended.name) == (situation, name)


@pytest.mark.long(keep=6)
@pytest.mark.parametrize(
    "asked, situation, name, door", [case for case in CASES if case.values[-1] is not None]
)
def test_every_row_is_what_its_door_does(asked, situation, name, door, cancer, datasets):
    report = door(cancer, datasets)
    parts = [report]
    assert (report.choice.situation, report.choice.name) == (situation, name)
    of_all = getattr(report, "omnibus", None)
    tests = [part.test for part in parts] + ([] if of_all is None else [of_all["test"]])
    assert any(NAMED[name] in test for test in tests), tests
    restored = report_from_dict(json.loads(report.to_json()))
    assert restored.to_dict() == report.to_dict()
    words = "".join(f"because{parts[0].choice.reason}".split())  # lines break at hyphens
    for text in (report.details, report.to_markdown().replace("\\", ""), report.to_html()):
        assert "Choice of test" in text
    assert words in "".join(report.details.split())


def test_every_rule_is_reached_by_a_row():
    reached = {case[1] for cases in ROWS.values() for case in cases}
    # One that no description leads to, because only scores can tell.
    rules = [rule.id for _, _, rule in charted()]
    assert sorted(reached | {"splits-no-variance"}) == sorted(rules)


def test_a_difference_without_variance_goes_to_the_rows():
    X = np.arange(90.0)[:, np.newaxis] % 2
    y = (np.arange(90) % 2).astype(int)
    report = paired_cv_ttest(
        TREE, DummyClassifier(), X, y, correction="nadeau-bengio", random_state=0
    )
    assert report.choice.situation == "splits-no-variance"
    assert report.choice.name == "sign_flip" and "sign-flip" in report.test


def exists(name):
    return hasattr(stats, name) or hasattr(skstat, name)


situations = st.builds(
    Situation,
    holds=st.sampled_from(["estimators", "predictions", "scores"]),
    n_systems=st.integers(1, 4),
    n_datasets=st.sampled_from([1, 1, 3, 9]),
    unit=st.sampled_from(["split", "instance", "group", "seed", "dataset"]),
    splits=st.sampled_from([None, "random", "k-fold", "repeated k-fold", "5x2", "row order"]),
    metric=st.sampled_from(["accuracy", "auc", "cost", "mean", "other"]),
    n=st.none() | st.integers(1, 50),
    n_groups=st.none() | st.integers(1, 50),
    smallest_class=st.none() | st.integers(0, 50),
    grouped=st.booleans(),
    ordered=st.booleans(),
    weighted=st.booleans(),
    varies=st.booleans(),
    by_rows=st.booleans(),
    n_seeds=st.integers(1, 6),
    seeds=st.sampled_from(["crossed", "average", "means"]),
    stable=st.sampled_from([None, True, False]),
    budget=st.none() | st.integers(1, 200),
    control=st.booleans(),
    one_sided=st.booleans(),
    constant=st.none() | st.just(0.5),
    margin=st.none() | st.just(0.01),
)


@settings(max_examples=6 * settings.default.max_examples)
@given(situations)
def test_every_situation_has_a_rule_and_a_short_answer(situation):
    found = recommend(situation)
    assert all(map(exists, (found.name, *(other.name for other in found.alternatives))))
    assert all(other.when for other in found.alternatives)
    assert Recommendation.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert found.title and found.reason and found.ask
    # The direction of a question that is two-sided only is never recommended.
    if situation.one_sided:
        assert found.name != "five_by_two_f"
    if situation.budget is not None and found.design is not None:
        assert found.design["n_splits"] <= max(situation.budget, 30)


def test_the_guide_plans_half_as_many_halvings_as_there_are_fits():
    def planned(**facts):
        return recommend_test("estimators", **facts).design

    assert planned()["n_halvings"] == 15
    for budget, n in ((10, 5), (11, 5), (20, 10), (45, 22), (46, 23), (500, 23)):
        for stable in (True, STUMP, None):
            assert planned(budget=budget, stable=stable)["n_halvings"] == n
    assert "46 of the 500 fits" in recommend_test("estimators", budget=500).cautions[0]
    # A metric of which nothing is known needs blocks: K (K - 1) / 2 fits.
    for budget, n in ((None, 8), (28, 8), (27, 7), (10, 5)):
        assert planned(budget=budget, metric=own_score)["n_blocks"] == n


def test_what_would_be_needed_is_said():
    few = recommend_test("estimators", budget=12)
    assert few.needs == ("30 fits per estimator for the default design",)
    assert re.search(r"^Would need +30 fits per estimator", str(few), re.MULTILINE)
    (larger,) = recommend_test("estimators", budget=30).needs
    assert "(train_size=0.9)" in larger
    (larger,) = recommend_test("estimators").needs
    assert larger.startswith("50 fits per estimator for learners trained on nine tenths")
    assert recommend_test("estimators", train_size=0.9).needs == ()
    single = recommend_test("estimators", cv=10, stable=True)
    assert any("cross_validation" in need for need in single.needs)
    few = recommend_test("scores", unit="dataset", n=4)
    assert "no claim about data sets in general" in few.reason
    assert {"replicability", "compare_estimators"} <= {o.name for o in few.alternatives}
    assert recommend_test("predictions", metric="accuracy", n_groups=4).cautions


def test_of_objects_the_facts_are_read(cancer):
    run = paired_cross_validate(TWO, *cancer, cv=RepeatedKFold(n_splits=3, n_repeats=2))
    assert recommend_test(run).situation == compare_scores(run).choice.situation
    assert recommend_test(run).cautions == ()
    shaky = paired_cross_validate({"nb": NB, "stump": STUMP}, *cancer, cv=run.design.splits)
    assert "with a decision stump" in recommend_test(shaky).cautions[0]
    assert recommend_test(shaky) == compare_scores(shaky).choice
    pair = PairedPredictions(Y, LABELS, skstat.metrics.as_metric("accuracy"))
    assert recommend_test(pair).name == "mcnemar"
    assert recommend_test(pair, margin=0.1).situation == "same"
    assert recommend_test(PairedScores(A, B, unit="seed")).name == "paired_t"
    assert recommend_test(Scores(A, unit="seed")).name == "one_sample_t"
    table = ScoreTable({"a": A, "b": B, "c": C}, unit="dataset")
    assert recommend_test(table, control="a").situation == "control-datasets"


@in_one_test(
    "holds, description, message",
    [
        ("models", {}, "holds='models' must be"),
        ("scores", {}, "unit is missing"),
        ("scores", {"unit": "fold"}, "unit='fold' is unknown"),
        ("estimators", {"unit": "split"}, "unit= is for scores"),
        ("estimators", {"budget": 2.5}, "budget=2.5 must be a whole number"),
        ("estimators", {"budget": 20, "cv": 5}, "budget= chooses the splits, and cv"),
        ("estimators", {"budget": 20, "n_splits": 5}, "budget= chooses the splits"),
        (
            "estimators",
            {"train_size": 0.9, "budget": 39},
            "needs 40 fits at least",
        ),
        ("estimators", {"train_size": 0.9, "cv": 10}, "leave it out, or cv and n_splits"),
        (
            "estimators",
            {"train_size": 0.9, "n_splits": 9},
            "still to be fitted on one data",
        ),
        ("predictions", {"train_size": 0.9}, "train_size= is for estimators that are still"),
        (
            "predictions",
            {"metric": "accuracy", "budget": 20},
            "you hold predictions; leave it out",
        ),
        ("estimators", {"adjustment": "x"}, "adjustment='x' is unknown; use one of 'auto', "),
        ("scores", {"unit": "seed", "control": "a", "adjustment": "shaffer"}, "use 'holm'"),
        ("estimators", {"constant": "x"}, "constant='x' must be a finite score"),
        ("estimators", {"constant": np.nan}, "constant=nan must be a finite score"),
        ("estimators", {"constant": 0.8, "n_systems": 2}, "constant= is what one system"),
        (PairedScores(A, B, unit="seed"), {"constant": 0.8}, "this PairedScores holds 2"),
        ("scores", {"unit": "split", "n_datasets": 5}, "unit='split' is of one data set"),
        ("predictions", {"cv": 5}, "not for predictions"),
        ("predictions", {"n_systems": 0}, "n_systems=0 must be a whole number"),
        ("predictions", {"metric": "acuracy"}, "Did you mean 'accuracy'"),
        ("predictions", {"n_groups": 9, "ordered": True}, "cannot be combined"),
        ("predictions", {"n_groups": 9, "groups": [1, 2]}, "not both"),
        ("predictions", {"margin": 0}, "margin=0 must be a number above 0"),
        ("predictions", {"seeds": "best"}, "seeds='best' is unknown"),
        ("scores", {"unit": "seed", "n_seeds": 3}, "n_seeds= is for predictions"),
        ("scores", {"unit": "seed", "cv": 3}, "describe splits"),
        ("estimators", {"cv": 1}, "at least two folds"),
        ("estimators", {"cv": "five"}, "must be a number of folds"),
        ("estimators", {"cv": 5, "n_splits": 9}, "not both"),
        ("estimators", {"test_fraction": 1.5}, "must lie between 0 and 1"),
        ("estimators", {"stable": "yes"}, "stable='yes' must be"),
        ("estimators", {"alternative": "more"}, "alternative='more' is unknown"),
        (PairedScores(A, B, unit="seed"), {"n": 3}, "a PairedScores already says it"),
    ],
)
def test_what_makes_no_sense_is_named(holds, description, message):
    with pytest.raises(ValueError, match=message):
        recommend_test(holds, **description)


def test_with_a_constant_there_is_one_system():
    for holds in ("estimators", "predictions"):
        asked = {"constant": 0.8} | ({"metric": "accuracy"} if holds == "predictions" else {})
        assert recommend_test(holds, **asked) == recommend_test(holds, n_systems=1, **asked)
    of_two = recommend_test("estimators", n_systems=2, control=True)
    assert of_two == recommend_test("estimators")


def test_splitters_are_read_without_data():
    def splits(cv):
        return recommend_test("estimators", cv=cv).situation

    assert splits(GroupKFold(4)) == splits(KFold(3)) == "splits-k-fold"
    assert splits(StratifiedShuffleSplit(9, test_size=5)) == "splits-random"


class TestBudget:
    def ask(self, cancer, estimators=TWO, **options):
        return compare_estimators(estimators, *cancer, random_state=0, **options)

    @pytest.mark.long
    def test_the_splits_are_those_that_are_recommended(self, cancer):
        few = self.ask(cancer, {"nb": NB, "stump": STUMP}, budget=17)
        assert few.n_units == 16 and few.design["test_size"] == 75
        assert few.design["splitter"].startswith("RepeatedHalves(n_repeats=8, stratify=False")
        most = self.ask(cancer, {"nb": NB, "near": KNeighborsClassifier(1)}, budget=101)
        assert most.n_units == most.choice.design["n_splits"] == 46
        default = self.ask(cancer)
        again = self.ask(cancer, budget=30)
        assert default.pvalue == again.pvalue

    @pytest.mark.long
    def test_groups_and_numbers(self, cancer):
        groups = np.arange(150) // 5
        by_group = self.ask(cancer, budget=100, groups=groups)
        assert by_group.n_units == 46 and by_group.design["test_groups"] == 15
        halves = self.ask(cancer, budget=10, groups=groups)
        assert halves.test == "projection t test on 5 x 2 folds"
        X, y = load_diabetes(return_X_y=True)
        numbers = {"weak": Ridge(10), "strong": Ridge(0.1)}
        report = compare_estimators(numbers, X, y, budget=100, random_state=0)
        assert "stratify=False, balanced=True" in report.design["splitter"]

    def test_rare_classes_are_halved_too(self):
        X = np.random.default_rng(0).normal(size=(60, 2))
        y = np.r_[np.zeros(9, int), np.ones(51, int)]
        report = compare_estimators(TWO, X, y, budget=100, random_state=0)
        assert report.choice.situation == "two-estimators-budget"

    def test_a_metric_of_ones_own_gets_blocks(self, cancer):
        report = self.ask(cancer, budget=15, scoring=own_score)
        assert "block jackknife" in report.test and report.df == 5

    def test_too_few_fits_are_refused_before_any(self, cancer):
        with pytest.raises(ValueError, match=r"budget=9: .* compare_predictions\(y_test"):
            self.ask(cancer, budget=9)
        with pytest.raises(ValueError, match="budget=True must be a whole number"):
            self.ask(cancer, budget=True)

    @pytest.mark.parametrize("budget", [5, 30])
    def test_beside_splits_it_is_refused_before_any_fit(self, cancer, budget):
        for named in (TWO, THREE, {"a": Unfittable(), "b": Unfittable()}):
            with pytest.raises(ValueError, match=f"budget={budget} chooses .* cv= gives"):
                compare_estimators(named, *cancer, budget=budget, cv=5)

    def test_a_test_by_name_takes_the_splits(self, cancer):
        report = self.ask(cancer, budget=12, test="corrected_t")
        assert report.choice is None and report.n_units == 12
        halves = self.ask(cancer, budget=12, test="projection_t")
        assert halves.choice is None and halves.n_units == 12 and halves.df == 6
        with pytest.raises(ValueError, match="does not suit the test"):
            self.ask(cancer, budget=40, test="five_by_two_f")


class Unfittable(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("a fit was wasted")


@pytest.mark.parametrize("control", [3, "3"])
def test_a_control_may_be_any_label(cancer, control):
    three = {1: NB, 2: TREE, 3: STUMP}
    report = compare_estimators(three, *cancer, control=control, cv=5, random_state=0)
    assert [pair[:2] for pair in report.pairs] == [("1", "3"), ("2", "3")]
    assert (report[1, 3].names, report[3, 1].names) == (("1", "3"), ("3", "1"))
    assert report["1"].names == ("1", "3")  # with the control
    for missing in (0, "3", (1, 2), (1,)):
        with pytest.raises(KeyError, match="no comparison .* a pair of names is one"):
            report[missing]
    pd = pytest.importorskip("pandas")
    columns = pd.DataFrame(dict(zip((1, 2, 3), THIRD.values(), strict=True)))
    of_predictions = compare_predictions(Y, columns, metric="accuracy", control=control)
    for found in (of_predictions, cochran_q_test(Y, columns, control=control)):
        assert [pair[:2] for pair in found.pairs] == [("1", "3"), ("2", "3")]
    family = compare_predictions(
        Y, dict(zip((1, 2, 3), SEEDED.values(), strict=True)), metric="accuracy",
        seeds="crossed", control=control,
    )  # fmt: skip
    assert family[1, 3].names == ("1", "3")
    with pytest.raises(KeyError, match="no comparison 0"):
        family[0]
    listed = compare_estimators([(0, NB), (1, TREE)], *cancer, control=0, random_state=0)
    assert listed.names == ("1", "0")


class TestRecommendation:
    def test_several_systems_name_their_adjustment(self):
        def asked(**how):
            return recommend_test("predictions", n_systems=3, metric="f1", **how)

        assert "of every pair, adjusted by the max-T method" in asked().title
        assert "adjusted by Holm's method" in asked(adjustment="holm").title
        assert "every system with the control" in asked(control="a").title
        assert "control=name" in asked(control=True).ask
        assert "control" not in asked(control=False).ask
        assert asked(adjustment="max-t") == asked()
        assert "adjustment='holm'" in str(asked().alternatives)
        assert "adjustment='holm'" not in str(asked(adjustment="holm").alternatives)
        margin = asked(margin=0.1)
        assert margin.ask.endswith("margin=0.1)") and margin.situation == "same"

    def test_a_margin_and_a_region_add_to_the_reason(self):
        plain = recommend_test("estimators")
        found = recommend_test("estimators", margin=0.02, rope=0.01)
        assert (found.name, found.title) == (plain.name, plain.title)
        assert found.ask.endswith("margin=0.02, rope=0.01)") and found.situation == "probable"
        assert found.reason.startswith(f"{plain.reason}; with the margin, ")
        assert found.reason.endswith(
            "; with rope, it is read as probabilities too (differences within ±0.01 are "
            "practically none)"
        )
        asked = {"margin": 0.02, "rope": 0.01, "confidence_level": 0.99}
        report = compare_scores({"a": A, "b": B}, n_train=9, n_test=1, **asked)
        assert report.choice.ask.endswith("margin=0.02, rope=0.01)")
        assert "(the 98% interval must lie" in " ".join(report.details.split())

    @pytest.mark.long
    def test_a_margin_adds_to_the_reason_of_several(self, cancer, datasets):
        several = compare_estimators(
            THREE, *cancer, margin=0.02, confidence_level=0.9, random_state=0
        )
        over = compare_over_datasets(THREE, datasets, margin=0.02, confidence_level=0.9)
        for report in (several, over):
            assert "with the margin, two one-sided tests (the 80%" in report.choice.reason
        assert several.choice.reason.startswith(
            "one joint distribution of all differences gives"
        )

    def test_what_is_advised_fits_what_is_held(self):
        def others(report):
            return [other.name for other in report.choice.alternatives]

        scores = {"a": A, "b": B, "c": C}
        sizes = {"n_train": 60, "n_test": 30}
        held = compare_scores(scores, **sizes)
        assert others(held)[0] == "compare_scores"
        assert "adjustment='holm'" in held.choice.alternatives[0].when
        by_holm = compare_scores(scores, **sizes, adjustment="holm")
        assert "compare_scores" not in others(by_holm)
        planned = recommend_test("estimators", n_systems=3)
        assert planned.alternatives[0].name == "compare_estimators"
        folds = compare_scores({"a": A[:10], "b": B[:10]}, n_repeats=1).choice
        assert folds.needs == ("scores on 30 random splits with one third for testing",)
        assert "fits" not in str(folds)

    def test_forms(self):
        found = recommend_test("predictions", metric="accuracy")
        assert repr(found) == found.details
        assert found.to_text().startswith(
            "Test          McNemar's mid-p test\nBecause       the score is"
        )
        assert found.url is None and "Situation" not in found.to_text()
        assert found == recommend_test("predictions", metric="accuracy")
        assert len({recommend_test("estimators"), recommend_test("estimators")}) == 1

    def test_it_links_to_its_row_once_there_is_a_site(self, monkeypatch):
        found = recommend_test("predictions", metric="accuracy")
        monkeypatch.setattr(_site, "SITE", "https://skstat.example/stable")
        assert found.url == "https://skstat.example/stable/choosing.html#hold-out-accuracy"
        assert found.to_text().endswith(f"Situation     {found.url}")
        assert f'href="{found.url}"' in found.to_html()

    def test_names_are_escaped(self):
        found = replace(recommend_test("estimators"), ask=HOSTILE, reason="<script>")
        html = found._repr_html_()
        assert "<script" not in html and HOSTILE not in html

    def test_a_choice_of_the_caller_is_none(self, cancer):
        report = compare_estimators(TWO, *cancer, test="corrected_t", random_state=0)
        assert report.choice is None and report.to_dict()["choice"] is None
        assert "Choice of test" not in report.details
        assert mcnemar_test(Y, *LABELS.values()).choice is None


@pytest.mark.parametrize(
    "facts", [{}, {"control": True}, {"missing": True}], ids=["all pairs", "control", "gaps"]
)
def test_the_adjustment_over_data_sets_is_named(facts):
    scores = np.random.default_rng(0).random((12, 3))
    if facts.pop("missing", False):
        scores[0, 0] = np.nan
    table = ScoreTable(scores, unit="dataset")
    facts |= {"control": table.names[0]} if facts else {}
    for adjustment, words in (
        ("auto", "Holm's method"),
        ("holm", "Holm's method"),
        ("hommel", "Hommel's method"),
    ):
        found = recommend_test(table, adjustment=adjustment, **facts)
        assert f"adjusted by {words}," in found.title
