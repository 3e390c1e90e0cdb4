"""What tests and doctests share: figures are closed, and optional packages may be missing."""

import sys
from importlib.util import find_spec

import pytest

collect_ignore_glob = (
    [] if find_spec("matplotlib") else ["skstat/display/*", "skstat/testing.py"]
)


@pytest.fixture(autouse=True)
def close_figures():
    """Close every figure that a test opened."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
