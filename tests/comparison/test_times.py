"""Reports on estimators know how long each took, and nothing else of them depends on it."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat.report import Times

X, Y = load_breast_cancer(return_X_y=True)
LEARNERS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
}
TWO = {name: LEARNERS[name] for name in ("bayes", "tree")}
CV = KFold(3, shuffle=True, random_state=0)


def test_results_of_cross_validate_bring_their_times():
    results = {
        name: cross_validate(learner, X, Y, cv=CV, return_indices=True)
        for name, learner in LEARNERS.items()
    }
    report = skstat.compare_scores(results)
    for name, found in results.items():
        means = (found[f"{what}_time"].mean() for what in ("fit", "score"))
        assert report.evidence.times[name] == Times(*means)
    two = skstat.compare_scores(results, systems=("tree", "bayes"))
    assert set(two.evidence.times) == {"tree", "bayes"}
    del results["tree"]["score_time"]
    assert skstat.compare_scores(results).evidence.times is None


def test_a_search_measured_its_candidates():
    search = GridSearchCV(LEARNERS["tree"], {"max_depth": [1, 2, 4]}, cv=CV).fit(X, Y)
    found = skstat.compare_search_candidates(search, random_state=0).evidence.times
    of_search = search.cv_results_["mean_fit_time"].tolist()
    assert [times.fit for times in found.values()] == of_search
    assert list(found) == ["max_depth=1", "max_depth=2", "max_depth=4"]
    search.cv_results_ = {k: v for k, v in search.cv_results_.items() if "time" not in k}
    assert skstat.compare_search_candidates(search, random_state=0).evidence.times is None


class FailsOnFew(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        if len(X) < 40:
            raise ValueError("too few")
        return super().fit(X, y, sample_weight)


def test_over_data_sets_failures_do_not_make_a_system_fast():
    sets = {f"n{n}": (X[:n, :3], Y[:n]) for n in (50, 200, 250, 300, 350, 400, 450)}
    named = {"bayes": GaussianNB(), "fails": FailsOnFew(), "tree": LEARNERS["tree"]}
    report = skstat.compare_over_datasets(
        named, sets, scoring="accuracy", cv=CV, error_score="collect", random_state=0
    )
    run = report.evidence.run
    whole = [part for name, part in run.datasets.items() if name != "n50"]
    assert np.isnan(run.datasets["n50"].fit_times).any()
    expected = np.mean([part.fit_times.mean(axis=0) for part in whole], axis=0)
    assert [times.fit for times in report.evidence.times.values()] == pytest.approx(expected)
    assert skstat.report_from_dict(report.to_dict()).evidence.times == report.evidence.times
    two = skstat.compare_over_datasets(TWO, sets, scoring="accuracy", cv=CV, random_state=0)
    assert set(two.evidence.times) == set(TWO)
