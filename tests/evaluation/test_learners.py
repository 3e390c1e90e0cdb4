"""What is known of learners: whose fits a second run repeats."""

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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
