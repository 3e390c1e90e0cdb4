"""Scores as their holders have them: results of cross_validate, and frames."""

import re
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores
from tests.cases import refusals

X, y = load_iris(return_X_y=True)
SYSTEMS = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
CV = ShuffleSplit(10, test_size=0.3, random_state=0)


def results(cv=CV, systems=SYSTEMS, **options):
    options = {"return_indices": True} | options
    return {name: cross_validate(s, X, y, cv=cv, **options) for name, s in systems.items()}


def test_several_metrics():
    several = results(scoring=["accuracy", "f1_macro"])
    found = compare_scores(several)
    assert found.by == "metric" and list(found) == ["accuracy", "f1_macro"]
    assert "not adjusted for the number of metrics" in found.conclusion
    one = compare_scores(several, scoring="f1_macro")
    assert one.metric == "f1_macro" and one.estimate == found["f1_macro"].estimate
    margins = compare_scores(several, margin={"accuracy": 0.1})
    assert margins["accuracy"].margin == 0.1 and margins["f1_macro"].margin is None
    loss = compare_scores(results(scoring=["neg_log_loss"]))
    assert loss.lower


LONG = {
    "model": ["a", "b", "b", "a", "a", "b", "b", "a", "a", "b"],
    "question": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    "score": [0.9, 0.7, 0.7, 0.8, 0.6, 0.7, 0.8, 0.9, 0.85, 0.6],
}


FOLDS = {
    "dataset": np.repeat(list("vwxyz"), 6),
    "model": np.tile(np.repeat(["a", "b"], 3), 5),
    "fold": np.tile([0, 1, 2], 10),
    "acc": np.linspace(0.5, 0.9, 30) ** 2,
}


@pytest.mark.parametrize(
    ("change", "options"),
    [
        ({}, {}),
        ({}, {"unit": "dataset"}),
        ({"dataset": "task", "model": "clf"}, {"unit": "dataset"}),
        ({"dataset": "task", "model": "clf", "fold": "run"}, {"unit": "dataset"}),
        ({"dataset": "problem"}, {"unit": "dataset", "system": "model"}),
        ({"model": "system", "fold": "estimator"}, {"unit": "dataset"}),
    ],
)
def test_the_call_that_an_error_writes_works(change, options):
    """What is said one error after the other ends in a comparison of the means."""
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame(FOLDS).rename(columns=change)
    if "estimator" in frame:
        frame["estimator"] = frame["estimator"].astype(str)
    calls = []
    report = None
    while report is None and len(calls) < 4:
        try:
            report = (
                eval(calls[-1], {"compare_scores": compare_scores, "frame": frame})
                if calls
                else compare_scores(frame, **options)
            )
        except ValueError as error:
            calls.append(re.search(r"compare_scores\(frame, [^)]*\)", str(error))[0])
    means = frames.DataFrame(FOLDS).pivot_table(index="dataset", columns="model", values="acc")
    assert report.pvalue == compare_scores(means, unit="dataset").pvalue
    assert report.unit == "dataset" and report.metric == "acc"


WIDE = {"question": [1, 2, 3], "a": [0.8, 0.7, 0.9], "b": [0.7, 0.75, 0.8]}


def test_texts_that_are_numbers_may_be_notes():
    assert compare_scores(WIDE | {"note": ["1", "2", "3"]}, item="question").names == ("a", "b")


def long(change):
    """A frame whose columns are others, or not there."""
    columns = LONG | change
    return {name: values for name, values in columns.items() if values is not None}


RESULTS, NUMBERS = results(), LONG["question"]
OTHER = results(ShuffleSplit(10, test_size=0.3, random_state=1))
SCORES = {"a": [0.8, 0.9], "b": [0.7, 0.8]}
test_what_is_not_clear_is_refused_with_what_to_write = refusals([
    (partial(compare_scores, {"bayes": RESULTS["bayes"], "stump": OTHER["stump"]}),
     "'bayes' and 'stump' were not fitted on the same"),
    (partial(compare_scores, {"bayes": RESULTS["bayes"], "stump": results(KFold(5))["stump"]}),
     "were not fitted on the same splits"),
    (partial(compare_scores, results(scoring=["r2"]), scoring="recall"), "the metrics r2"),
    (partial(compare_scores, RESULTS, unit="dataset"), "cross_validate are scores of splits"),
    (partial(compare_scores, RESULTS, n_train=105), "n_train is known"),
    (partial(compare_scores, RESULTS["bayes"]), "a comparison needs two"),
    (partial(compare_scores, {"a": RESULTS["bayes"], "b": [0.5] * 10}),
     r"scores\['b'\] is not a result of cross_validate"),
    *(
        (partial(compare_scores, long(change), **options), words)
        for change, options, words in (
            ({"question": None, "dataset": NUMBERS, "seed": NUMBERS}, {},
             r"'dataset' and 'seed' may each say.*\(frame, unit='dataset'\)"),
            ({"method": ["x", "y"] * 5}, {}, r"may each say whose score.*system='model'\)"),
            ({"score": None, "bleu": ["high"] * 10}, {}, "'bleu' looks like the score.*'high'"),
            ({"question": None}, {}, "no column is called like what a score is on"),
            ({"question": [*NUMBERS[:-1], 6]}, {}, "has no score on instance"),
            ({}, {"system": "who"}, "system='who' is not a column; there are"),
            ({}, {"unit": "split"}, "no column is called like what a score is on"),
            ({}, {"unit": "question"}, "unit='question' is unknown; write unit='instance'"),
        )
    ),
    (partial(compare_scores, SCORES | {"dataset": ["v", "w"], "c": [0.5, "-"]}, unit="dataset"),
     "column 'c'"),
    (partial(compare_scores, SCORES, unit="dataset", score="accuracy"),
     "the metric is scoring='accuracy'"),
    (partial(compare_scores, WIDE | {"c": ["0.800", "0.700", "1"]}, item="question"),
     "column 'c' holds numbers that are texts, such as"),
])  # fmt: skip
