"""What several test modules of metrics share."""

import warnings

import pytest


@pytest.fixture
def quick():
    """Let scikit-learn warn: it does so of many of the resamples that it scores here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
