"""Estimators over many data sets, from fits to the report."""

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import compare_over_datasets, compare_scores, friedman_nemenyi
from tests.cases import Untouched, refusals
from tests.contract import check_report

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
FOUR = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "tree": TREE, "stump": STUMP}
QUICK = {"cv": 3, "random_state": 0, "verbose": False}


@pytest.fixture(scope="module")
def datasets(cancer):
    """Ten small data sets: parts of the cancer data."""
    parts = [slice(start, start + 54) for start in range(0, 200, 20)]
    return {str(part): tuple(values[part] for values in cancer) for part in parts}


@pytest.fixture(scope="module")
def report(datasets):
    return compare_over_datasets(FOUR, datasets, **QUICK)


def test_a_run_answers_other_questions_without_a_fit(report):
    assert compare_scores(report.evidence.run).to_dict() == report.to_dict()
    nemenyi = compare_scores(report.evidence.run, test="nemenyi")
    assert nemenyi.systems.column("mean_rank") == report.systems.column("mean_rank")
    assert nemenyi.critical_difference == pytest.approx(2.569 * np.sqrt(20 / 60), rel=1e-3)
    control = compare_scores(report.evidence.run, control="stump", alternative="greater")
    assert {*control.pairs.column("second")} == {"stump"}
    with pytest.raises(ValueError, match="take run.table"):
        compare_scores(report.evidence.run, systems=("bayes", "tree"))


def test_a_control_is_compared_by_bonferroni_and_dunn(datasets):
    report = friedman_nemenyi(FOUR, datasets, control="stump", confidence_level=0.9, **QUICK)
    assert report.test == "Bonferroni-Dunn test" and report.control == "stump"
    assert report.critical_difference == pytest.approx(2.128 * np.sqrt(20 / 60), rel=1e-3)
    assert report.confidence_level == 0.9


def test_the_classical_question(tmp_path):
    X, y = load_wine(return_X_y=True)
    estimators = {
        "nb": GaussianNB(),
        "rf": RandomForestClassifier(5, random_state=0),
        # Newton's method converges on unscaled wine, whatever the processor.
        "lr": LogisticRegression(solver="newton-cholesky"),
    }
    two = {"iris": load_iris, "wine": (X, y)}
    ask = partial(friedman_nemenyi, estimators, two, n_jobs=-1, memory=tmp_path, **QUICK)
    report = ask()
    check_report(report)
    assert report.test == "Nemenyi test" and report.evidence.names == ("nb", "rf", "lr")
    assert report.critical_difference == pytest.approx(2.3437 * np.sqrt(12 / 12), rel=1e-3)
    assert "no rejection is possible with 2 data sets" in report.conclusion
    assert any(tmp_path.iterdir())
    again = ask()  # from the memory, which is no part of the answer
    assert again.to_dict() == report.to_dict()


def test_fits_are_not_lost_when_the_scores_suit_no_test(datasets):
    class Failing(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("out of memory")

    estimators = {"nb": GaussianNB(), "ridge": RidgeClassifier(), "big": Failing()}
    with pytest.raises(ValueError, match="big lacks 10 of them.*out of memory") as caught:
        compare_over_datasets(estimators, datasets, cv=3, error_score="collect")
    assert "attribute `run`" in caught.value.__notes__[0]
    table = caught.value.run.table()
    assert compare_scores(table.pair("nb", "ridge")).n_units == len(datasets)


NEVER = {name: Untouched() for name in "abc"}
test_wrong_questions_are_refused_before_the_first_fit = refusals([
    ({"test": "friedmann"}, "'auto', a function of a ScoreTable, or one of .*friedman, "),
    ({"test": "wilcoxon"}, "not a test of several systems"),
    ({"post_hoc": "corrected_t"}, "corrected_t corrects for overlapping splits"),
    ({"post_hoc": "conover", "margin": 0.1}, "margin=0.1 is in the unit of the score"),
    ({"alternative": "less", "post_hoc": "nemenyi"}, "two-sided only"),
    ({"estimators": [Untouched()]}, "estimators holds 1, and a comparison needs two"),
], partial(compare_over_datasets, estimators=NEVER,
           datasets=dict.fromkeys("uvwxyz", load_iris)))  # fmt: skip
