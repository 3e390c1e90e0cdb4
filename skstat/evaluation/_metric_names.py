"""Names of metrics: the same on every split, and known when they are asked for."""

from collections.abc import Iterable, Mapping
from typing import Any

from skstat._spelling import meant_by
from skstat.evaluation._fold import FoldRecord


def unknown_metric(metric: Any, known: Iterable[str]) -> ValueError:
    """Return the error for a metric that a run does not have."""
    names = list(known)
    if metric is None:
        return ValueError(f"scoring is missing: this run has {names}; name one.")
    close = meant_by(str(metric), names, n=3)
    meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return ValueError(f"scoring={metric!r} is not in this run; it has {names}.{meant}")


class SameNames:
    """The names of the scores that a function returns, which must not change.

    Parameters
    ----------
    metric : str or None
        Name of the function; None where scorers are named by the caller.
    """

    def __init__(self, metric: str | None) -> None:
        self.metric = metric
        self._first: tuple[tuple[str, ...], str] | None = None

    @property
    def found(self) -> tuple[str, ...] | None:
        """Names of the scores; None as long as no function returned any."""
        return None if self._first is None else self._first[0]

    def check(self, record: FoldRecord, names: list[str], dataset: str = "") -> None:
        """Refuse a record whose scores have other names than those of the first one."""
        if self.metric is None or record.failure is not None:
            return
        of_data = f" of data set {dataset!r}" if dataset else ""
        where = f"{names[record.estimator_index]} on split {record.split}{of_data}"
        several = isinstance(record.scores, Mapping)
        own = tuple(record.scores) if several else (self.metric,)
        if self._first is None:
            self._first = own, where
        first, at = self._first
        if set(own) != set(first):
            raise ValueError(
                f"scoring={self.metric} returned the scores {list(own)} for {where}, and "
                f"{list(first)} for {at}: a function must name the same scores every time. "
                "Return a number for each of them, whatever the split."
            )
