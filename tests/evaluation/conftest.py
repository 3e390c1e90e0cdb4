"""What tests of runs share."""

import pytest

from skstat.evaluation._running import schedule as _schedule


@pytest.fixture
def workers(monkeypatch):
    """Send every fit to workers, however quick it is."""
    monkeypatch.setattr(_schedule, "start_cost", lambda workers: -1.0)
