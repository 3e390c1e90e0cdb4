"""Results that are objects in memory: reports of skore."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores
from skstat.io import read_results
from tests.io.written import refused

X, y = load_iris(return_X_y=True)


# A tree of depth 1 names two of three classes.
@pytest.mark.filterwarnings("ignore:Precision is ill-defined")
@pytest.mark.ecosystem
def test_reports_of_skore():
    skore = pytest.importorskip("skore")
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    reports = {
        f"depth {depth}": skore.CrossValidationReport(
            DecisionTreeClassifier(max_depth=depth, random_state=0), X, y, splitter=cv
        )
        for depth in (1, 3)
    }
    results = read_results(skore.compare(reports))
    assert results.names == ("depth 1", "depth 3") and results.unit == "split"
    # A split by hand.
    train, test = next(iter(cv.split(X, y)))
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[train], y[train])
    own = results.take(systems=["depth 3"])
    assert own.scores["accuracy"][0] == pytest.approx(tree.score(X[test], y[test]))
    assert own.columns["n_test"].tolist() == [38, 38, 37, 37]
    assert results.higher_is_better["log_loss"] is False
    report = compare_scores(results, scoring="accuracy")
    assert "resampled" in report.test
    tree = DecisionTreeClassifier(max_depth=2)
    other = skore.CrossValidationReport(tree, X, y, splitter=StratifiedKFold(4))
    refused({"one": reports["depth 1"], "other": other}, "different content")


@pytest.mark.ecosystem
def test_rows_of_a_hold_out_of_skore():
    skore = pytest.importorskip("skore")
    half = np.arange(len(y)) % 2 == 0
    reports = {
        f"depth {depth}": skore.EstimatorReport(
            DecisionTreeClassifier(max_depth=depth, random_state=0),
            X_train=X[half], y_train=y[half], X_test=X[~half], y_test=y[~half],
        )
        for depth in (1, 3)
    }  # fmt: skip
    results = read_results(reports)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[half], y[half])
    own = results.take(systems=["depth 3"]).scores["correct"]
    assert own.tolist() == (tree.predict(X[~half]) == y[~half]).tolist()
    assert compare_scores(results).n_units == 75
