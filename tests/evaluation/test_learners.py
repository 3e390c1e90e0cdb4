"""What is known of learners: whose fits a second run repeats."""

import re
from pathlib import Path
from textwrap import dedent

import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skstat import compare_estimators
from skstat.evaluation._learners import has_fixed_seed, is_unseeded


def imitated(package, seed=None):
    """A learner as a package has it: a parameter random_state, and a module of its own."""

    class Boosted(GaussianNB):
        def __init__(self, random_state=None):
            super().__init__()
            self.random_state = random_state

    Boosted.__module__ = f"{package}.sklearn"
    return Boosted(seed)


@pytest.mark.parametrize("package", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("seed", [None, 0])
def test_packages_that_take_a_fixed_seed_of_their_own(package, seed):
    learner = imitated(package, seed)
    within = make_pipeline(StandardScaler(), learner)

    class Tuned(type(learner)):
        pass

    for estimator in (learner, within, Tuned(seed)):
        assert not is_unseeded(estimator)
        assert has_fixed_seed(estimator)


def test_others_draw_anew():
    for learner in (imitated("lightgbmlike"), imitated("mine"), RandomForestClassifier()):
        assert is_unseeded(learner)
        assert not has_fixed_seed(learner)


@pytest.mark.ecosystem
@pytest.mark.parametrize(
    ("package", "name"), [("lightgbm", "LGBMClassifier"), ("xgboost", "XGBClassifier")]
)
def test_the_packages_themselves(package, name):
    """They are no dependency: this runs where they happen to be installed."""
    learner = getattr(pytest.importorskip(package), name)()
    assert learner.get_params()["random_state"] is None
    assert has_fixed_seed(learner) and not is_unseeded(learner)


PAGE = Path(__file__).parents[2] / "docs" / "questions" / "networks_and_boosting.py"


@pytest.mark.ecosystem
def test_the_class_that_stops_early_is_an_estimator():
    """As the page has it: it keeps rows back from those that it is fitted on."""
    lightgbm = pytest.importorskip("lightgbm")
    text = PAGE.read_text(encoding="utf-8")
    block = re.search(r"#    class StoppedBooster.*?\n#\n", text, re.DOTALL)
    known = {"lightgbm": lightgbm, "train_test_split": train_test_split}
    exec(dedent(block[0].replace("#    ", "").replace("\n#\n", "\n")), known)
    X, y = load_iris(return_X_y=True, as_frame=True)
    stopped = known["StoppedBooster"](n_estimators=200, verbose=-1, random_state=0)
    assert stopped.fit(X, y).best_iteration_ < 200
    report = compare_estimators({"stopped": stopped, "nb": GaussianNB()}, X, y, cv=3)
    assert 0 <= report.pvalue <= 1
