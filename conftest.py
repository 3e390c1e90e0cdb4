"""What tests and doctests share: figures are closed, and optional packages may be missing."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

# Worker processes import the classes of tests from here, whichever folder a test that
# started them had gone to.
_ROOT = str(Path(__file__).parent)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [_ROOT, os.environ.get("PYTHONPATH")]))

collect_ignore_glob = (
    []
    if find_spec("matplotlib")
    else ["skstat/comparison/*_display.py", "skstat/display/*", "skstat/testing.py"]
)


@pytest.fixture(autouse=True)
def close_figures():
    """Close every figure that a test opened."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
