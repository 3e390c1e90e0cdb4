"""Advice fits the call that it is given on: it names what can be passed, or what was."""

import inspect
import re

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import skstat
from tests.cases import explained

RNG = np.random.default_rng(0)
X, Y = make_classification(90, n_features=4, random_state=0)
FLAT = np.linspace(0, 1, 90)
LR, NB = LogisticRegression(), GaussianNB()
NEAR = KNeighborsClassifier(1)
GROUPS = np.arange(90) % 30
RARE = (np.arange(90) < 12).astype(int)
A, B = (np.where(RNG.random(90) < p, 1 - Y, Y) for p in (0.1, 0.3))
SPLITS = {"a": RNG.normal(1, 1, 10), "b": RNG.normal(size=10)}
WALK = np.cumsum(RNG.normal(size=90)) / 5
SMOOTH = {"a": WALK, "b": np.zeros(90)}


def own_auc(y_true, y_score):
    return roc_auc_score(y_true, y_score)


LEAVE_OUT = object()
OWN = make_scorer(own_auc, response_method="predict_proba")


def of(code, door, *given, remedy=None, **options):
    """A call that raises a doubt, and what is passed in place of it by its advice."""
    return pytest.param(code, door, given, options, remedy, id=f"{code}-{door.__name__}")


def asked(door, given, options):
    options = {name: value for name, value in options.items() if value is not LEAVE_OUT}
    if "random_state" in inspect.signature(door).parameters:
        options.setdefault("random_state", 0)
    return door(*given, **options)


DOORS = [f for name in skstat.__all__ if inspect.isfunction(f := getattr(skstat, name))]
EVERYWHERE = {name for door in DOORS for name in inspect.signature(door).parameters}
OTHER_DOOR = re.compile("compare_|paired permutation test")  # an action that goes there

SIMPLE = {"lr": LR, "nb": NB}
UNSTABLE = {"near": NEAR, "nb": NB}
pair, several = skstat.compare_predictions, skstat.compare_scores
BLIND = list(KFold(5, shuffle=True, random_state=0).split(X))  # looks at no groups
FOLDS = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)

SITUATIONS = [
    of("SKS101", skstat.compare_estimators, SIMPLE, X, Y, test="paired_t", cv=FOLDS,
       remedy={"test": LEAVE_OUT, "cv": LEAVE_OUT}),
    of("SKS101", several, SPLITS, unit="split", n_train=80, n_test=10, test="wilcoxon",
       remedy={"test": LEAVE_OUT}),
    of("SKS102", skstat.compare_estimators, SIMPLE, X, Y, cv=5, scoring=OWN,
       remedy={"cv": LEAVE_OUT}),
    of("SKS103", skstat.compare_estimators, UNSTABLE, X, Y, scoring=OWN,
       cv=ShuffleSplit(20, test_size=0.1, random_state=0), remedy={"cv": LEAVE_OUT}),
    of("SKS104", skstat.compare_estimators, SIMPLE, X, Y, cv=TimeSeriesSplit(5)),
    of("SKS105", skstat.compare_estimators, SIMPLE, X, Y, groups=GROUPS, cv=BLIND,
       remedy={"cv": LEAVE_OUT}),
    of("SKS107", pair, Y[:15], {"a": A[:15], "b": B[:15]}, metric="f1",
       test="paired_bootstrap", remedy={"test": "paired_permutation"}),
    of("SKS128", pair, RARE, {"a": FLAT, "b": FLAT[::-1] + RARE}, metric="roc_auc",
       test="delong", remedy={"test": "paired_permutation", "strata": RARE}),
    of("SKS130", skstat.compare_estimators, {"a": Ridge(1e5), "b": Ridge(2e5)}, X,
       X @ [1, 2, 3, 4], test="corrected_t", scoring="neg_mean_squared_error",
       cv=RepeatedKFold(n_splits=5, n_repeats=6, random_state=0),
       remedy={"test": LEAVE_OUT, "cv": LEAVE_OUT}),
    of("SKS102", skstat.paired_cv_ttest, LR, NB, X, Y, correction="projection",
       cv=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0),
       remedy={"cv": LEAVE_OUT}),
    of("SKS303", skstat.compare_to_baseline, LR, X, RARE, scoring="f1",
       strategy="most_frequent", remedy={"strategy": LEAVE_OUT}),
    of("SKS115", pair, np.zeros(90), SMOOTH, metric="neg_mean_squared_error",
       order=np.arange(90), horizon=1),
]  # fmt: skip


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("code, door, given, options, remedy", SITUATIONS)
def test_advice_fits_the_call(code, door, given, options, remedy):
    doubts = asked(door, given, options).doubts
    own = {doubt.advice for doubt in doubts if doubt.code == code}
    assert own, doubts
    known = inspect.signature(door).parameters
    for action in (doubt.action for doubt in doubts):
        elsewhere = OTHER_DOOR.search(action)
        assert set(re.findall(r"(\w+)=", action)) <= set(EVERYWHERE if elsewhere else known)
        assert set(re.findall(r"leave (\w+)= out", action)) <= set(options), action
    if remedy is not None:
        cured = asked(door, given, options | remedy).doubts
        assert own.isdisjoint(doubt.advice for doubt in cured)


def test_what_advice_names_can_be_passed_somewhere():
    """Arguments named by an action are arguments of a front door; so are tests by name."""
    for code in re.findall(r"SKS\d{3}", explained()):
        for action in re.findall(r"To do: (.*?)\. ", explained(code)):
            for argument, value in re.findall(r"(\w+)='?([\w.-]+)?", action):
                assert argument in EVERYWHERE, action
                if argument in ("test", "post_hoc") and value:
                    names = {*skstat.stats.__all__, "holm"}
                    assert {value, f"pairwise_{value}"} & names, action
