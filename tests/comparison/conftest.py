"""What several test modules of comparisons share."""

import numpy as np
import pytest


@pytest.fixture
def rng():
    """Random numbers that do not depend on the order of the tests."""
    return np.random.default_rng(5)
