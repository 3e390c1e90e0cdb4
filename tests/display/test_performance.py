"""Estimates of performance with intervals."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import PerformanceDisplay
from skstat.testing import HOSTILE, check_display


def performance(n=3, **changes):
    facts = {
        "labels": [HOSTILE, "x" * 300, "", *"abcdefgh"][:n],
        "estimates": [0.8 + 0.01 * i for i in range(n)],
        "intervals": [(0.75, 0.85), (np.nan, np.nan), *[(0.7, 0.9)] * 9][:n],
        "training_scores": [0.95, None, *[1.0] * 9][:n],
        "confidence_level": 0.9,
        "metrics": [HOSTILE] * n,
    }
    return PerformanceDisplay(**(facts | changes))


@pytest.mark.long
def test_performance_shows_estimates_intervals_and_training_scores():
    display = performance()
    check_display(display)
    lines = display.ax_.get_lines()
    (low, high), estimates, seen = (
        lines[0].get_xdata(), lines[-2].get_xdata(), lines[-1].get_xdata(),
    )  # fmt: skip
    assert (low, high) == (0.75, 0.85) and list(seen) == [0.95, 1.0]
    assert list(estimates) == display.estimates and len(lines) == 4
    assert display.ax_.get_xlabel().endswith("90% interval; hollow: training score")
    metrics = ["a", "b", "a", "c"]
    several = performance(4, metrics=metrics).plot()
    several.figure_.canvas.draw()
    assert [len(ax.get_yticks()) for ax in several.ax_.child_axes] == [2, 1, 1]
