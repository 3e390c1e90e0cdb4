"""Splits that a caller describes before there are any data, and splits to draw."""

import math
from numbers import Integral
from typing import Any

from sklearn.model_selection import BaseShuffleSplit, TimeSeriesSplit

from skstat.comparison._guide.situation import Situation, Splits
from skstat.evaluation import BootstrapOutOfBag, LeaveTwoBlocksOut, NestedKFold
from skstat.evaluation._default_splits import (
    DEFAULT_FOLDS,
    FEWEST_BESIDE_FOLDS,
    FITS_OF_FOLDS,
    affordable_halvings,
)
from skstat.stats._splits import FEWEST_REPEATS

FEWEST_AT_NINE_TENTHS = FITS_OF_FOLDS + 2 * FEWEST_BESIDE_FOLDS
_MOST_BLOCKS = 8


def halvings(s: Situation) -> dict[str, Any]:
    """Describe halves of the rows, with balanced overlaps."""
    n = affordable_halvings(s.budget)
    return {"kind": f"{n} x 2 halves", "n_splits": 2 * n, "n_halvings": n}


def _folds_and_halvings(s: Situation) -> dict[str, Any]:
    """Describe folds that train on nine tenths of the rows, and halves for their variance."""
    n = affordable_halvings(s.budget, beside_folds=True)
    kind = f"2 x {DEFAULT_FOLDS} folds, and {n} x 2 halves for their variance"
    size = {"n_splits": FITS_OF_FOLDS + 2 * n, "n_halvings": n, "n_folds": DEFAULT_FOLDS}
    return {"kind": kind} | size


def design_for(s: Situation, test: str) -> dict[str, Any] | None:
    """Describe the splits to draw for a test of estimators; None if there are none to draw."""
    if s.data != "estimators" or test in ("compare_predictions", "diebold_mariano"):
        return None
    if test == "block_jackknife_t":
        n = _MOST_BLOCKS
        while s.budget is not None and n * (n - 1) // 2 > s.budget:
            n -= 1
        kind = f"{n} blocks, each pair left out"
        return {"kind": kind, "n_splits": n * (n - 1) // 2, "n_blocks": n}
    return _folds_and_halvings(s) if s.nine_tenths and s.n_systems > 1 else halvings(s)


def more_fits(s: Situation) -> str:
    """Say what the default takes, or training on nine tenths of the rows in place of half."""
    if s.budget is not None and s.budget < 30:
        return "30 fits per estimator for the default design"
    n = max(_folds_and_halvings(s)["n_splits"], FEWEST_AT_NINE_TENTHS)
    on_folds = FITS_OF_FOLDS * (1 - 1 / DEFAULT_FOLDS)
    times = (on_folds + (n - FITS_OF_FOLDS) / 2) / (halvings(s)["n_splits"] / 2)
    return (
        f"{n} fits per estimator for learners trained on nine tenths of the rows "
        f"(train_size=0.9): {times:.1f} times as many training rows in all"
    )


def fits_left(s: Situation) -> str:
    """Say that fewer fits are made than can be afforded."""
    n = affordable_halvings(s.budget)
    if s.budget is None or s.budget < 2 * n + 2:
        return ""
    return (
        f"{2 * n} of the {s.budget} fits are made: balanced overlaps are known for {n} "
        "halvings, and more would hardly narrow the interval."
    )


def described_splits(cv: Any, n: int | None = None) -> dict[str, Any]:
    """Describe splits that are drawn without looking at data; a share is of `n` random ones."""
    if cv is None:
        return {}
    if isinstance(cv, float):
        if not 0 < cv < 1:
            raise ValueError(f"cv={cv!r}: the share of rows for testing lies between 0 and 1.")
        return {"splits": "random", "n_splits": n, "ratio": cv / (1 - cv)}
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if cv < 2:
            raise ValueError(f"cv={cv!r}: at least two folds are needed to leave one out.")
        return _folds(int(cv), 1)
    if isinstance(cv, str) or not hasattr(cv, "split"):
        raise ValueError(
            f"cv={cv!r} must be a number of folds, a share of rows for testing, or a "
            "scikit-learn splitter."
        )
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
