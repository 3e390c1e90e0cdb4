"""Data that several scripts here share."""

import pytest

from skstat.stats import ScoreTable

TIMES = [
    *([5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40]),
    *([5.90, 5.85, 5.70], [5.45, 5.55, 5.60], [5.40, 5.40, 5.35], [5.45, 5.50, 5.35]),
    *([5.25, 5.15, 5.00], [5.85, 5.80, 5.70], [5.25, 5.20, 5.10], [5.65, 5.55, 5.45]),
    *([5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40], [5.45, 5.55, 5.50]),
    *([5.55, 5.55, 5.35], [5.45, 5.50, 5.55], [5.50, 5.45, 5.25], [5.65, 5.60, 5.40]),
    *([5.70, 5.65, 5.55], [6.30, 6.30, 6.25]),
]


@pytest.fixture
def rounding_times():
    """Times to round first base by three methods, as in rounding_times.R."""
    columns = zip(*TIMES, strict=True)
    scores = dict(zip(["out", "narrow", "wide"], columns, strict=True))
    return ScoreTable(scores, unit="dataset", higher_is_better=False)
