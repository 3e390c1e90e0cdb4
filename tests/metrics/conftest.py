"""What several test modules of metrics share."""

import warnings

import pytest
from sklearn import config_context


@pytest.fixture
def quick():
    """Spare scikit-learn the checks of arguments, and the user its warnings."""
    with config_context(skip_parameter_validation=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
