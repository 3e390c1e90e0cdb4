"""The range of a metric's values, beyond which an interval makes no sense."""

from typing import Any

from skstat.metrics._metric import ScoreMetric


def bounds_of(metric: Any) -> tuple[float | None, float | None]:
    """Return the lowest and the highest score; None where there is none, or it is not known.

    Parameters
    ----------
    metric : ScoreMetric or str
        The metric; of a name alone nothing is known.
    """
    if not isinstance(metric, ScoreMetric):
        return None, None
    low, high = metric.facts.bounds_for(metric.options)
    if not metric.is_loss:
        return low, high
    return (None if high is None else 0.0 - high), (None if low is None else 0.0 - low)
