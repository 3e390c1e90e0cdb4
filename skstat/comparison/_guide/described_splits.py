"""Splits that a caller describes, before there are any data."""

import math
from numbers import Integral
from typing import Any

from sklearn.model_selection import BaseShuffleSplit, TimeSeriesSplit

from skstat.comparison._guide.situation import Splits
from skstat.evaluation import BootstrapOutOfBag, LeaveTwoBlocksOut, NestedKFold
from skstat.stats._splits import FEWEST_REPEATS


def described_splits(cv: Any, n_splits: int | None, fraction: float | None) -> dict[str, Any]:
    """Describe splits that are drawn without looking at data."""
    if cv is None:
        if n_splits is None and fraction is None:
            return {}
        ratio = (
            None if fraction is None else fraction / (1 - fraction) if fraction < 1 else None
        )
        if fraction is not None and ratio is None:
            raise ValueError(f"test_fraction={fraction!r} must lie between 0 and 1.")
        return {"splits": "random", "n_splits": n_splits, "ratio": ratio}
    if n_splits is not None or fraction is not None:
        raise ValueError("give cv, or n_splits and test_fraction, not both.")
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if cv < 2:
            raise ValueError(f"cv={cv!r}: at least two folds are needed to leave one out.")
        return _folds(int(cv), 1)
    if isinstance(cv, str) or not hasattr(cv, "split"):
        raise ValueError(f"cv={cv!r} must be a number of folds or a scikit-learn splitter.")
    try:
        total: int | None = cv.get_n_splits()
    except (AttributeError, TypeError, ValueError):  # it depends on the data
        total = None
    if isinstance(cv, TimeSeriesSplit):
        return {"splits": "row order", "n_splits": total}
    if isinstance(cv, BaseShuffleSplit):
        fraction = cv.test_size if isinstance(cv.test_size, float) else None
        ratio = None if fraction is None else fraction / (1 - fraction)
        return {"splits": "random", "n_splits": total, "ratio": ratio}
    if isinstance(cv, BootstrapOutOfBag):
        drawn = 1 - math.exp(-1)
        return {"splits": "random", "n_splits": total, "ratio": (1 - drawn) / drawn}
    if isinstance(cv, LeaveTwoBlocksOut):
        return {"splits": "pairs of blocks", "n_splits": total}
    if isinstance(cv, NestedKFold):
        raise ValueError(
            f"cv={cv!r} makes splits of several kinds, which no comparison takes; they are "
            "for skstat.estimate_performance."
        )
    n_repeats = getattr(cv, "n_repeats", 1)
    return _folds(None if total is None else total // n_repeats, n_repeats)


def _folds(n_folds: int | None, n_repeats: int) -> dict[str, Any]:
    kind: Splits = "k-fold" if n_repeats == 1 else "repeated k-fold"
    if (n_folds, n_repeats) == (2, 5):
        kind = "5x2"
    known: dict[str, Any] = {"splits": kind}
    if n_repeats < FEWEST_REPEATS:
        known["by_rows"] = False
    if n_folds is None:
        return known
    return {**known, "n_splits": n_folds * n_repeats, "ratio": 1 / (n_folds - 1)}
