"""What tests and doctests share: processors, examples, figures, and what runs where."""

import gc
import os
import re
import sys
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_info

# Worker processes import the classes of tests from here, whichever folder a test that
# started them had gone to.
_ROOT = str(Path(__file__).parent)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [_ROOT, os.environ.get("PYTHONPATH")]))

# Workers of pytest share the cores: threads of theirs would only wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(_name, "1")

# A busy machine is slow, which is no error.
settings.register_profile("usual", max_examples=10, deadline=None)
settings.register_profile("floors", max_examples=5, deadline=None)
settings.load_profile("usual")

# What asks other packages for their numbers runs where these are.
collect_ignore_glob = ["tests/reference/packages/*"]
if not find_spec("matplotlib"):
    collect_ignore_glob += [
        "skstat/comparison/*_display.py", "skstat/display/*"
    ]  # fmt: skip


# What of scikit-learn fits nothing; and how files name the rest of it, or run other files.
_NO_FIT = r"\.(?:datasets|exceptions|metrics|utils)\b| import (?:config_context|metrics)\b"
_CAN_FIT = re.compile(rf"(?:from|import) sklearn\b(?!{_NO_FIT})|\brunpy\b")


def pytest_addoption(parser):
    """Let another run repeat only what other kernels can change; name what must be there."""
    parser.addoption(
        "--fits",
        action="store_true",
        help="only files whose tests or docstrings can fit an estimator: the last digits of "
        "a fit are the processor's",
    )
    parser.addoption(
        "--installed",
        choices=["usual", "ecosystem"],
        help="a test that is skipped because a package is missing fails, unless it is marked "
        "as ecosystem and only the usual packages are installed",
    )


def pytest_report_header(config):
    """Say what the last digits of a fit come from, where a run is about them."""
    if not config.getoption("--fits"):
        return None
    # Only now: whoever loads a BLAS settles its kernel and its threads.
    import numpy as np
    import scipy.linalg  # noqa: F401  (has a BLAS of its own, which scikit-learn shares)

    kernels = {library.get("architecture") for library in threadpool_info()} - {None}
    simd = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    return f"BLAS kernels: {sorted(kernels)}; NumPy dispatches on: {simd}"


def pytest_ignore_collect(collection_path, config):
    """Leave out files that `--fits` need not repeat."""
    if not config.getoption("--fits") or collection_path.suffix != ".py":
        return None
    # None leaves the answer to pytest's own rules.
    return None if _CAN_FIT.search(collection_path.read_text(encoding="utf-8")) else True


def pytest_collection_finish(session):
    """Keep the garbage collector from going through thousands of collected tests again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before `-m` looks at the marks
def pytest_collection_modifyitems(items):
    """Of a test that is marked as ``long(keep=n)``, let n cases be short, evenly spread."""
    cases = defaultdict(list)
    for item in items:
        if any("keep" in mark.kwargs for mark in item.iter_markers("long")):
            cases[item.parent.nodeid, item.originalname].append(item)
    for found in cases.values():
        keep = found[0].get_closest_marker("long").kwargs["keep"]
        for number in range(keep):
            own = found[number * len(found) // keep].own_markers
            own[:] = [mark for mark in own if "keep" not in mark.kwargs]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let a test that no environment runs fail where its package should be installed."""
    report = yield
    installed = item.config.getoption("--installed")
    expected = installed == "ecosystem" or not item.get_closest_marker("ecosystem")
    if report.skipped and installed and expected and "could not import" in str(call.excinfo):
        report.outcome = "failed"
    return report


@pytest.fixture(autouse=True)
def no_site(monkeypatch):
    """Let outputs be those without links, in a published copy too, whose reports have some."""
    monkeypatch.setattr("skstat._site.SITE", None)


@pytest.fixture(autouse=True)
def close_figures():
    """Close every figure that a test opened."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
