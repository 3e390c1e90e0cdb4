"""What is known of learners: whose fits a second run repeats."""

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skstat import paired_cross_validate


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
        run = paired_cross_validate({"it": estimator}, *load_iris(return_X_y=True), cv=2)
        assert not run.unseeded and run.fixed_seeds == {"it"}
