"""Names with a slip in them get an error that says the right one."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import stats
from tests.cases import in_one_test

A, B, C = [0.9, 0.8, 0.9, 0.7], [0.7, 0.7, 0.6, 0.5], [0.4, 0.6, 0.5, 0.5]
TRUTH = np.array([0, 1] * 20)
BOTH = {"metric": ["accuracy", "f1"], "random_state": 0}


def answers(n_wrong):
    return np.where(np.arange(40) < n_wrong, 1 - TRUTH, TRUTH)


ANSWERED = {"new": answers(3), "old": answers(9), "none": answers(14)}
PAIR = {name: ANSWERED[name] for name in ("new", "old")}
TWO = skstat.compare_scores({"new": A, "old": B}, unit="seed")
SYSTEMS = skstat.compare_scores({"new": A, "old": B, "none": C}, unit="dataset")
METRICS = skstat.compare_predictions(TRUTH, PAIR, **BOTH)
SEEDS = skstat.compare_predictions(
    TRUTH,
    {"new": [answers(3), answers(4)], "old": [answers(9), answers(8)]},
    metric="accuracy",
    seeds="per-seed",
)
OUTCOME = stats.paired_t(stats.PairedScores(A, B, unit="seed"))
TABLE = stats.ScoreTable({"a": A, "b": B, "c": C}, unit="dataset")


@in_one_test(
    "found, typed, hint",
    [
        (TWO, "p_value", "use pvalue."),
        (TWO, "pval", "use pvalue."),
        (TWO, "effect_size", "use effect_sizes."),
        (TWO, "dof", "use df."),
        (TWO, "verdct", "use verdict"),
        (TWO, "adjusted_p", "use adjusted_pvalue."),
        (TWO, "confidence_intervals", "use confidence_interval()."),
        (TWO, "xyzzy", "object has no attribute 'xyzzy'"),
        (SYSTEMS, "maybe_best", "may_be_best"),
        (SYSTEMS, "estimate", "the report of one pair, report['new', 'old'].estimate."),
        (METRICS, "estimate", "the report of one metric, report['accuracy'].estimate."),
        (METRICS, "p_value", "report['accuracy'].pvalue."),
        (SEEDS, "estimate", "the report of one seed, report['seed 1'].estimate."),
        (OUTCOME, "p_value", "a MeanOutcome has no 'p_value'; use pvalue"),
        (OUTCOME, "confidence_intervall", "use confidence_interval()"),
        (stats.friedman(TABLE), "pval", "an OmnibusOutcome has no 'pval'; use pvalue"),
        (stats.pairwise_wilcoxon(TABLE), "p_values", "use pvalues"),
        (stats.pairwise_wilcoxon(TABLE), "estimate", "of one pair"),
    ],
)
def test_the_error_says_what_is_meant(found, typed, hint):
    with pytest.raises(AttributeError) as error:
        getattr(found, typed)
    assert hint in str(error.value)
    assert not hasattr(found, typed) and getattr(found, typed, "default") == "default"


def every_kind():
    """Reports of every kind, on three systems or more where there can be so many."""
    named = {"new": A * 3, "old": B * 3, "none": C * 3}
    usual = {"metric": "f1", "random_state": 0}
    by = {"metric": "accuracy", "by": np.arange(80) // 40, "random_state": 0}
    twice = {name: np.tile(own, 2) for name, own in ANSWERED.items()}
    two, truth = {name: twice[name] for name in PAIR}, np.tile(TRUTH, 2)
    X = np.arange(160.0).reshape(40, 4) % 7
    trees = {f"depth {n}": DecisionTreeClassifier(max_depth=n) for n in (1, 2, 3)}
    fitted = skstat.compare_estimators(trees, X, TRUTH, margin=0.1, random_state=0)
    weighed = skstat.compare_predictions(TRUTH, ANSWERED, rope=0.05, **usual)
    yield from (TWO, SYSTEMS, METRICS, SEEDS, weighed, fitted, fitted["depth 2", "depth 1"])
    yield skstat.compare_predictions(TRUTH, ANSWERED, **BOTH)
    yield skstat.compare_predictions(truth, twice, margin=0.2, **by)
    yield skstat.compare_predictions(truth, two, **by)
    yield skstat.compare_scores(named, unit="instance", rope=0.05)
    yield skstat.compare_scores(named, unit="dataset", rope=0.05)
    yield skstat.compare_scores(named, n_train=90, n_test=10, control="old", rope=0.05)
    yield skstat.rank_systems(named, unit="instance", random_state=0)
    yield skstat.compare_to_baseline(trees["depth 2"], X, TRUTH, random_state=0)
    yield skstat.estimate_performance(trees["depth 2"], X, TRUTH, random_state=0)
    yield from (TWO.plan(difference=0.1), weighed.choice)


USES = ("__str__", "_repr_html_", "plot", "to_json", "methods_text", "results_text")


def test_copies_and_pickles(close_figures):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    for number, report in enumerate(every_kind()):
        for use in (*USES, "summary_table"):
            if hasattr(report, use):
                getattr(report, use)()
        state, details = report.to_dict(), getattr(report, "details", "")
        for copied in (copy.copy, copy.deepcopy, lambda own: pickle.loads(pickle.dumps(own))):
            other = copied(report)
            assert other.to_dict() == state and str(other) == str(report), number
            assert getattr(other, "details", "") == details
        for name in dir(type(report)):  # whatever a class has can be read, or is of a pair
            assert name.startswith("_") or getattr(report, name, report) is not ...
        bare = object.__new__(type(report))  # as copies begin: without any field
        with pytest.raises(AttributeError):
            bare.estimate  # noqa: B018
        assert not hasattr(report, "_repr_svg_") and not hasattr(report, "__array__")


def test_an_error_inside_a_property_is_not_hidden():
    class Odd(stats.MeanOutcome):
        @property
        def broken(self):
            return self.no_such_thing

    known = {"test": "t", "estimand": "e", "null_hypothesis": "n"}
    outcome = Odd(**known, estimate=1.0, standard_error=1.0, df=3)
    with pytest.raises(AttributeError, match="no_such_thing"):
        outcome.broken  # noqa: B018
