"""Every metric keeps its test and its splits, whatever else is asked in the same call."""

from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from tests.contract import check_report

RNG = np.random.default_rng(1)
Y = RNG.integers(0, 2, 120)
X = RNG.normal(size=(120, 3)) + 0.7 * Y[:, None]
LR, NB = LogisticRegression(), GaussianNB()
TWO = {"lr": LR, "nb": NB}
OWN_F1 = make_scorer(lambda y, p: f1_score(y, p))
KEPT = {"average_precision": "average_precision", "log": "neg_log_loss"}
ALL = {"own": OWN_F1, **KEPT}
ASK = {"random_state": 0, "verbose": False}


THREE = {**TWO, "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
compare = partial(skstat.compare_estimators, TWO, X, Y, **ASK)
performance = partial(skstat.estimate_performance, NB, X, Y, **ASK)
DOORS = {
    "two": compare,
    "three": partial(skstat.compare_estimators, THREE, X, Y, **ASK),
    "by cv": partial(skstat.paired_cv_ttest, LR, NB, X, Y, **ASK),
    "baseline": partial(skstat.compare_to_baseline, NB, X, Y, **ASK),
    "performance": performance,
}


def numbers(report):
    state = report.to_dict()
    kept = ("outcome", "pairwise", "design", "sample", "choice", "rows", "method", "reason")
    return {key: state.get(key) for key in kept}


@pytest.mark.long
@pytest.mark.parametrize("door", [*DOORS, "two, 12 fits", "performance, 12 fits"])
def test_of_each_metric_the_report_is_the_same_as_alone(door):
    name, _, limited = door.partition(", ")
    ask = partial(DOORS[name], **({"budget": 12} if limited else {}))
    together = ask(scoring=ALL)
    assert list(together) == list(ALL)
    for metric, source in ALL.items():
        assert numbers(together[metric]) == numbers(ask(scoring={metric: source}))
        assert not limited or together[metric].design["n_splits"] <= 12
    assert limited or together["own"].design["kind"] != together["log"].design["kind"]
    if name != "performance":  # which asks no question
        check_report(together)
        assert "not adjusted for the number of metrics" in together.conclusion
