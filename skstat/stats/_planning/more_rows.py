"""What the data say about more rows: does a plan by the root of their number hold?

A plan of more rows for learners assumes that the difference, and what one row varies by, stay
what they are when training sets grow. Where both were measured at two sizes it can be seen
whether they did.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._outcomes import Outcome
from skstat.stats._samples import RowContributions
from skstat.stats._splits import ProjectionOutcome

_MOST = 1.2  # factor by which the standard deviation of a row may change
_SURE = 2.0  # standard errors by which it must have

_NOT_KNOWN = (
    "that the difference, and what one {unit} varies by, stay as they are with more {unit}s is "
    "assumed; nothing here supports it"
)
_HOLDS = (
    "from half of the {unit}s to nine tenths no change was found in the difference or in what "
    "one {unit} varies by; with more {unit}s this is assumed"
)


def about_more_rows(
    outcome: Outcome, sample: Any, unit: str, *, alpha: float
) -> tuple[str, ...]:
    """Say whether training sizes that were tried speak against a plan of more rows.

    `unit` is what there is to be more of, rows or groups. The sizes do if the interval of the
    change of the difference excludes zero, or if the standard deviation of a row's difference
    changed by more than a fifth.
    """
    change = outcome.change(1 - alpha) if isinstance(outcome, ProjectionOutcome) else None
    if change is None:
        return (_NOT_KNOWN.format(unit=unit),)
    found = []
    if not change.interval.low <= 0 <= change.interval.high:
        found.append(
            f"the difference was {change.half:+.4g} on half of the {unit}s and "
            f"{change.half + change.change:+.4g} on nine tenths, and will be another one with "
            "more: plan for what you expect then"
        )
    factor = spread_factor(sample)
    if factor is not None and not 1 / _MOST <= factor <= _MOST:
        much = f"too few {unit}s" if factor > 1 else f"more {unit}s than it takes"
        found.append(
            f"from half of the {unit}s to nine tenths the standard deviation of one {unit}'s "
            f"difference changed by a factor of {factor:.2f}; if that goes on, the plan says "
            f"{much}"
        )
    return tuple(found) or (_HOLDS.format(unit=unit),)


def spread_factor(sample: Any) -> float | None:
    """Factor by which the standard deviation of one row changed from halves to more.

    None where that is not known, or where it may be chance.
    """
    small = getattr(getattr(sample, "halves", None), "rows", None)
    large = getattr(sample, "rows", None)
    if not isinstance(small, RowContributions) or not isinstance(large, RowContributions):
        return None
    before, after = _squares(small), _squares(large)
    means = before.mean(), after.mean()
    if min(means) <= 0:
        return None
    log = math.log(means[1] / means[0]) / 2
    apart = after / means[1] - before / means[0]
    error = float(np.std(apart, ddof=1)) / (2 * math.sqrt(len(apart)))
    return math.exp(log) if abs(log) > _SURE * error else None


def _squares(rows: RowContributions) -> NDArray[np.float64]:
    """Return of every row a number whose mean is the variance of one row's difference.

    That of learners that were fitted once: models that share most of their training rows err
    alike, so that the variance of a row's mean over repetitions depends on their size.
    """
    values = rows.values[:, :, 0] - rows.values[:, :, 1]
    return np.asarray(np.square(values - values.mean()).mean(axis=0))
