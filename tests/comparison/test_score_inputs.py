"""Scores as their holders have them: results of cross_validate, and frames."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores

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
    with pytest.raises(ValueError, match=r"the results have the metrics accuracy"):
        compare_scores(several, scoring="recall_macro")


def test_results_of_other_splits_are_no_pairs():
    mixed = {
        "bayes": results()["bayes"],
        "stump": results(ShuffleSplit(10, test_size=0.3, random_state=1))["stump"],
    }
    with pytest.raises(ValueError, match="'bayes' and 'stump' were not fitted on the same"):
        compare_scores(mixed)
    fewer = {"bayes": results()["bayes"], "stump": results(KFold(5))["stump"]}
    with pytest.raises(ValueError, match="were not fitted on the same splits"):
        compare_scores(fewer)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"unit": "dataset"}, "results of cross_validate are scores of splits"),
        ({"n_train": 105}, "n_train is known"),
    ],
)
def test_what_contradicts_the_results_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        compare_scores(results(), **options)


def test_one_result_alone_and_mixed_ones():
    with pytest.raises(ValueError, match="a comparison needs two"):
        compare_scores(results()["bayes"])
    with pytest.raises(ValueError, match=r"scores\['b'\] is not a result of cross_validate"):
        compare_scores({"a": results()["bayes"], "b": [0.5] * 10})


LONG = {
    "model": ["a", "b", "b", "a", "a", "b", "b", "a", "a", "b"],
    "question": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    "score": [0.9, 0.7, 0.7, 0.8, 0.6, 0.7, 0.8, 0.9, 0.85, 0.6],
}
WIDE = {"a": [0.9, 0.8, 0.6, 0.9, 0.85], "b": [0.7, 0.7, 0.7, 0.8, 0.6]}


@pytest.mark.parametrize(
    "change, options, message",
    [
        (
            {"question": None, "dataset": LONG["question"], "seed": LONG["question"]},
            {},
            r"'dataset' and 'seed' may each say.*\(frame, unit='dataset'\)",
        ),
        ({"method": ["x", "y"] * 5}, {}, r"may each say whose score.*system='model'\)"),
        ({"score": None, "bleu": ["high"] * 10}, {}, "'bleu' looks like the score.*'high'"),
        ({"question": None}, {}, "no column is called like what a score is on"),
        ({"question": [1, 1, 2, 2, 3, 3, 4, 4, 5, 6]}, {}, "has no score on instance"),
        ({}, {"system": "who"}, "system='who' is not a column; there are"),
        ({}, {"unit": "split"}, "no column is called like what a score is on"),
        ({}, {"unit": "question"}, "unit='question' is unknown; write unit='instance'"),
    ],
)
def test_what_is_not_clear_is_refused_with_what_to_write(change, options, message):
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame(LONG | change).dropna(axis=1)
    with pytest.raises(ValueError, match=message):
        compare_scores(frame, **options)


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


def test_a_column_of_a_system_with_a_text_in_it_is_not_passed_over():
    frames = pytest.importorskip("pandas")
    wide = frames.DataFrame(
        {"dataset": list("vwxyz")} | WIDE | {"c": [0.5, 0.4, "-", 0.2, 0.1]}
    )
    with pytest.raises(ValueError, match="column 'c'"):
        compare_scores(wide, unit="dataset")


def test_a_metric_that_is_given_as_a_column_of_scores_is_named_by_scoring():
    with pytest.raises(ValueError, match=r"the metric is scoring='accuracy'"):
        compare_scores({"a": [0.8, 0.9], "b": [0.7, 0.8]}, unit="dataset", score="accuracy")


def test_numbers_that_are_texts_are_not_passed_over():
    wide = {"question": [1, 2, 3], "a": [0.8, 0.7, 0.9], "b": [0.7, 0.75, 0.8]}
    text = wide | {"c": ["0.800", "0.700", "1"]}
    with pytest.raises(ValueError, match="column 'c' holds numbers that are texts, such as"):
        compare_scores(text, item="question")
    assert compare_scores(wide | {"note": ["1", "2", "3"]}, item="question").names == ("a", "b")
