"""Names with a slip in them get an error that says the right one."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import stats
from tests.cases import in_one_test

A, B, C = [0.9, 0.8, 0.9, 0.7], [0.7, 0.7, 0.6, 0.5], [0.4, 0.6, 0.5, 0.5]
TRUTH = np.array([0, 1] * 20)


def answers(n_wrong):
    return np.where(np.arange(40) < n_wrong, 1 - TRUTH, TRUTH)


TWO = skstat.compare_scores({"new": A, "old": B}, unit="seed")
SYSTEMS = skstat.compare_scores({"new": A, "old": B, "none": C}, unit="dataset")
METRICS = skstat.compare_predictions(
    TRUTH, {"new": answers(3), "old": answers(9)}, metric=["accuracy", "f1"], random_state=0
)
SEEDS = skstat.compare_predictions(
    TRUTH,
    {"new": [answers(3), answers(4)], "old": [answers(9), answers(8)]},
    metric="accuracy",
    seeds="per-seed",
)
REPORTS = {"two": TWO, "systems": SYSTEMS, "metrics": METRICS, "seeds": SEEDS}


@in_one_test(
    ("typed", "meant"),
    [
        ("p_value", "pvalue"),
        ("pval", "pvalue"),
        ("effect_size", "effect_sizes"),
        ("dof", "df"),
        ("verdct", "verdict"),
        ("adjusted_p", "adjusted_pvalue"),
        ("confidence_intervals", "confidence_interval()"),
    ],
)
def test_of_a_report(typed, meant):
    with pytest.raises(AttributeError) as error:
        getattr(TWO, typed)
    assert str(error.value) == f"a Report has no {typed!r}; use {meant}."
    assert not hasattr(TWO, typed)
    assert getattr(TWO, typed, "default") == "default"


def test_of_what_stands_in_a_part_of_the_report():
    for report, how in (
        (SYSTEMS, "the report of one pair, report['new', 'old'].estimate"),
        (METRICS, "the report of one metric, report['accuracy'].estimate"),
        (SEEDS, "the report of one seed, report['seed 1'].estimate"),
    ):
        with pytest.raises(AttributeError) as error:
            report.estimate  # noqa: B018
        assert str(error.value).endswith(f"has no 'estimate'; use {how}.")
    with pytest.raises(AttributeError, match="use what it rests on, report.evidence.outcome"):
        TWO.outcome  # noqa: B018
    with pytest.raises(AttributeError, match="use .*may_be_best"):
        SYSTEMS.best  # noqa: B018
    with pytest.raises(AttributeError, match=r"\['accuracy'\].pvalue"):
        METRICS.p_value  # noqa: B018


def test_of_outcomes():
    outcome = stats.paired_t(stats.PairedScores(A, B, unit="seed"))
    with pytest.raises(AttributeError, match="a MeanOutcome has no 'p_value'; use pvalue"):
        outcome.p_value  # noqa: B018
    with pytest.raises(AttributeError, match=r"use confidence_interval\(\)"):
        outcome.confidence_intervall  # noqa: B018
    table = stats.ScoreTable({"a": A, "b": B, "c": C}, unit="dataset")
    with pytest.raises(AttributeError, match="an OmnibusOutcome has no 'pval'; use pvalue"):
        stats.friedman(table).pval  # noqa: B018
    pairs = stats.pairwise_wilcoxon(table)
    with pytest.raises(AttributeError, match="use pvalues"):
        pairs.p_values  # noqa: B018
    with pytest.raises(AttributeError, match="of one pair.*estimate"):
        pairs.estimate  # noqa: B018


def test_what_nobody_knows_has_the_usual_words():
    with pytest.raises(AttributeError, match="object has no attribute 'xyzzy'"):
        TWO.xyzzy  # noqa: B018


def every_kind():
    """Reports of every kind, on three systems or more where there can be so many."""
    answered = {"new": answers(3), "old": answers(9), "none": answers(14)}
    named = {"new": A * 3, "old": B * 3, "none": C * 3}
    usual = {"metric": "f1", "random_state": 0}
    weighed = skstat.compare_predictions(TRUTH, answered, rope=0.05, **usual)
    by = {"metric": "accuracy", "by": np.arange(80) // 40, "random_state": 0}
    twice = {name: np.tile(given, 2) for name, given in answered.items()}
    two, both = {name: twice[name] for name in ("new", "old")}, np.tile(TRUTH, 2)
    X, y = np.arange(160.0).reshape(40, 4) % 7, TRUTH
    tree = DecisionTreeClassifier(random_state=0)
    trees = {f"depth {n}": clone(tree).set_params(max_depth=n) for n in (1, 2, 3)}
    fitted = skstat.compare_estimators(trees, X, y, margin=0.1, random_state=0)
    yield from REPORTS.values()
    yield from (weighed, fitted, fitted["depth 2", "depth 1"])
    yield skstat.compare_predictions(TRUTH, answered, metric=["accuracy", "f1"], random_state=0)
    yield skstat.compare_predictions(both, twice, margin=0.2, **by)
    yield skstat.compare_predictions(both, two, **by)
    yield skstat.compare_scores(named, unit="instance", rope=0.05)
    yield skstat.compare_scores(named, unit="dataset", rope=0.05)
    yield skstat.compare_scores(named, n_train=90, n_test=10, control="old", rope=0.05)
    yield skstat.rank_systems(named, unit="instance", random_state=0)
    yield skstat.compare_to_baseline(trees["depth 2"], X, y, random_state=0)
    yield skstat.estimate_performance(trees["depth 2"], X, y, random_state=0)
    yield from (TWO.plan(difference=0.1), TWO.choice or weighed.choice)


USES = ("__str__", "_repr_html_", "plot", "to_json", "methods_text", "results_text")


def test_copies_and_pickles():
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    for number, report in enumerate(every_kind()):
        for use in (*USES, "summary_table"):
            if hasattr(report, use):
                getattr(report, use)()
        state = report.to_dict()
        for copied in (copy.copy, copy.deepcopy, lambda own: pickle.loads(pickle.dumps(own))):
            other = copied(report)
            assert other.to_dict() == state and str(other) == str(report), number
            assert getattr(other, "details", "") == getattr(report, "details", "")
        bare = object.__new__(type(report))  # as copies begin: without any field
        with pytest.raises(AttributeError):
            bare.estimate  # noqa: B018
        assert not hasattr(report, "_repr_svg_") and not hasattr(report, "__array__")


def test_an_error_inside_a_property_is_not_hidden():
    class Odd(stats.MeanOutcome):
        @property
        def broken(self):
            return self.no_such_thing

    outcome = Odd(
        test="t", estimand="e", null_hypothesis="n", estimate=1.0, standard_error=1.0, df=3
    )
    with pytest.raises(AttributeError, match="no_such_thing"):
        outcome.broken  # noqa: B018


def test_it_costs_nothing_where_the_name_exists():
    # A name that a class has never comes to the explanation.
    for report in REPORTS.values():
        for name in dir(type(report)):
            if not name.startswith("_"):
                getattr(report, name)
