"""How long a system takes to be fitted, and to predict: what runs measure and reports show."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NamedTuple, Self


class Times(NamedTuple):
    """Mean seconds of one system.

    Attributes
    ----------
    fit : float
        Per fit.
    predict : float
        To predict and score the test rows of one split.
    """

    fit: float
    predict: float

    @classmethod
    def of(
        cls, names: Iterable[str], fit: Iterable[float], predict: Iterable[float]
    ) -> dict[str, Self] | None:
        """Name the mean times of several systems; None where one is not a time."""
        rows = zip(names, fit, predict, strict=True)
        times = {name: cls(float(once), float(then)) for name, once, then in rows}
        return times if all(isfinite(time) for row in times.values() for time in row) else None


def select_times(
    times: Mapping[str, Times] | None, names: Iterable[str]
) -> dict[str, Times] | None:
    """Return the times of some systems, if those of all of them are known."""
    known, wanted = times or {}, list(names)
    return {name: known[name] for name in wanted} if known.keys() >= {*wanted} else None
