"""Results that are objects in memory: searches, studies and reports."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_scores
from skstat.io import ResultsError, read_results

X, y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def search():
    grid = {"max_depth": [1, 2, 3], "random_state": [0]}
    found = GridSearchCV(
        DecisionTreeClassifier(),
        grid,
        cv=StratifiedKFold(4, shuffle=True, random_state=0),
        scoring=["accuracy", "neg_log_loss"],
        refit=False,
    )
    return found.fit(X, y)


def test_candidates_are_named_by_what_varies(search):
    for given in (search, search.cv_results_):
        results = read_results(given)
        assert results.names == ("max_depth=1", "max_depth=2", "max_depth=3")
        assert results.unit == "split" and results.items == ("0", "1", "2", "3")
        assert results.metrics == ("accuracy", "neg_log_loss")
        for place, name in enumerate(results.names):
            own = results.take(systems=[name]).scores["accuracy"]
            assert own.mean() == pytest.approx(search.cv_results_["mean_test_accuracy"][place])


def test_sizes_of_its_splits_are_the_callers_to_say(search):
    results = read_results(search).take(metrics=["accuracy"])
    report = compare_scores(results, n_train=112, n_test=38, n_repeats=1)
    assert report.unit == "split" and len(report.names) == 3


def test_candidates_of_one_name_are_refused(search):
    with pytest.raises(ResultsError, match="several candidates are called 'random_state=0'"):
        read_results(search, columns={"system": "random_state"})
    with pytest.raises(ResultsError, match="'depth', which is not a parameter"):
        read_results(search, columns={"system": "depth"})


def trial(number, depth, values, state="COMPLETE"):
    return SimpleNamespace(
        number=number,
        params={"depth": depth},
        intermediate_values=dict(enumerate(values)),
        state=SimpleNamespace(name=state),
    )


def study(*trials, direction="MINIMIZE"):
    directions = [SimpleNamespace(name=direction)]
    return SimpleNamespace(trials=list(trials), directions=directions, study_name="trees")


def test_trials_that_were_completed_are_systems():
    results = read_results(
        study(
            trial(0, 1, [0.5, 0.4]),
            trial(1, 2, [0.3, 0.2]),
            trial(2, 3, [0.9], "PRUNED"),
            trial(3, 2, [0.35, 0.25]),
        )
    )
    assert results.names == ("depth=1", "depth=2 (trial 1)", "depth=2 (trial 3)")
    assert results.higher_is_better == {"value": False}
    assert results.scores["value"].tolist() == [0.5, 0.4, 0.3, 0.2, 0.35, 0.25]
    assert results.sources[0].details["left_out"] == "1 pruned"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (study(trial(0, 1, [])), "trial 0 has one value, and none for each fold"),
        (study(trial(0, 1, [1], "FAIL")), "no completed trial"),
        (
            SimpleNamespace(trials=[], directions=[1, 2], study_name="two"),
            "several objectives",
        ),
    ],
)
def test_studies_without_folds_are_refused(given, message):
    with pytest.raises(ResultsError, match=message):
        read_results(given)


@pytest.mark.ecosystem
def test_a_real_study():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    real = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.GridSampler({"x": [0, 1]})
    )

    def objective(trial):
        x = trial.suggest_int("x", 0, 1)
        for fold in range(3):
            trial.report(x + fold / 10, fold)
        return x + 0.1

    real.optimize(objective, n_trials=2)
    results = read_results(real)
    assert sorted(results.names) == ["x=0", "x=1"]
    assert results.take(systems=["x=1"]).scores["value"].tolist() == [1.0, 1.1, 1.2]
    assert results.higher_is_better == {"value": True}


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
    other = skore.CrossValidationReport(
        DecisionTreeClassifier(max_depth=2), X, y, splitter=StratifiedKFold(4)
    )
    with pytest.raises(ResultsError, match="different content"):
        read_results({"one": reports["depth 1"], "other": other})


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
