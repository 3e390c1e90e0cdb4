"""What several test modules of comparisons share."""

import numpy as np
import pytest
from sklearn import config_context


@pytest.fixture
def quick():
    """Spare scikit-learn the checks of arguments, of which a run makes hundreds."""
    with config_context(skip_parameter_validation=True):
        yield


@pytest.fixture
def rng():
    """Random numbers that do not depend on the order of the tests."""
    return np.random.default_rng(5)
