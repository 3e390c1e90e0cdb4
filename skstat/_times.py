"""Mean times to fit a system, and to predict."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NamedTuple, Self


class Times(NamedTuple):
    """Mean seconds of one system.

    Attributes
    ----------
    fit : float
        Seconds per fit.
    predict : float
        Seconds to predict and score the test rows of one split.
    """

    fit: float
    predict: float

    @classmethod
    def of(
        cls, names: Iterable[str], fit: Iterable[float], predict: Iterable[float]
    ) -> dict[str, Self] | None:
        """Return the mean times of several systems by name; None if one is not finite."""
        rows = zip(names, fit, predict, strict=True)
        times = {name: cls(float(fitting), float(testing)) for name, fitting, testing in rows}
        return times if all(isfinite(time) for row in times.values() for time in row) else None


def select_times(
    times: Mapping[str, Times] | None, names: Iterable[str]
) -> dict[str, Times] | None:
    """Return the times of some systems; None if some are not known."""
    by_name, chosen = times or {}, list(names)
    return {name: by_name[name] for name in chosen} if by_name.keys() >= {*chosen} else None
