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


@pytest.mark.long
def test_margins_and_other_partitions_go_with_their_metrics():
    margin = {"own": 0.1, "log": 0.02}
    together = compare(scoring=ALL, margin=margin, stability=1)
    assert {metric: part.margin for metric, part in together.reports.items()} == {
        "own": 0.1, "average_precision": None, "log": 0.02,
    }  # fmt: skip
    assert all(len(part.evidence.stability.seeds) == 1 for part in together.reports.values())
    with pytest.raises(ValueError, match="margin names 'f2'"):
        compare(scoring=ALL, margin={"f2": 0.1})


@pytest.mark.long
def test_splits_that_are_given_are_those_of_all_metrics():
    together = compare(scoring=ALL, cv=skstat.evaluation.RepeatedHalves(5, random_state=0))
    assert len({part.design["n_splits"] for part in together.reports.values()}) == 1


@pytest.mark.long
def test_a_mean_of_ones_own_is_tested_as_the_one_it_equals():
    own = compare(scoring=make_scorer(lambda y, p: float(np.mean(y == p))))
    known = compare(scoring="accuracy")
    assert own.pvalue == pytest.approx(known.pvalue, rel=1e-12)
    assert own.confidence_interval() == pytest.approx(known.confidence_interval())
    total = compare(scoring=make_scorer(lambda y, p: float(np.sum(y == p))))
    assert total.pvalue == pytest.approx(known.pvalue, rel=1e-9)
    weight = RNG.random(120) + 0.5
    weighted = compare(
        scoring=make_scorer(
            lambda y, p, sample_weight=None: np.average(y == p, weights=sample_weight)
        ),
        sample_weight=weight,
    )
    assert weighted.pvalue == pytest.approx(
        compare(scoring="accuracy", sample_weight=weight).pvalue, rel=1e-9
    )


@pytest.mark.long
def test_what_the_jackknife_costs_is_said():
    codes = [doubt.code for doubt in compare(scoring=OWN_F1).doubts]
    assert "SKS130" in codes
    assert "SKS130" not in [
        d.code for d in compare(scoring="f1", test="block_jackknife_t").doubts
    ]
