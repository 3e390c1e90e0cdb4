"""How long a system takes to be fitted, and to predict: what runs measure and reports show."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self


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
    ) -> dict[str, Self]:
        """Name the mean times of several systems."""
        rows = zip(names, fit, predict, strict=True)
        return {
            name: cls(float(fitting), float(predicting)) for name, fitting, predicting in rows
        }


def select_times(
    times: Mapping[str, Times] | None, names: Iterable[str]
) -> dict[str, Times] | None:
    """Return the times of some systems, if those of all of them are known."""
    wanted = list(names)
    if times is None or not set(wanted) <= set(times):
        return None
    return {name: times[name] for name in wanted}


def times_to_dict(times: Mapping[str, Times] | None) -> dict[str, Any] | None:
    """Write times as plain values."""
    return None if times is None else {name: found._asdict() for name, found in times.items()}


def times_from_dict(state: Mapping[str, Any] | None) -> dict[str, Times] | None:
    """Read times that were written as plain values; reports of old have none."""
    return None if state is None else {name: Times(**row) for name, row in state.items()}
