"""Columns of pairs that follow from a report's table of scores, to the last bit."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples import ranked


def derived_rows(state: Mapping[str, Any]) -> dict[str, Callable[[], NDArray[np.float64]]]:
    """Return what follows from the scores for every pair of a report; nothing of another.

    Parameters
    ----------
    state : mapping
        A report on several systems as plain values, or what of it has been read.

    Returns
    -------
    dict of str to callable
        Functions without arguments, which return a row per pair: ``"differences"`` of the
        scores of every unit, and ``"ranks"`` of their sizes.
    """
    pairs, sample = state.get("pairs"), state.get("sample")
    if not isinstance(pairs, list) or not isinstance(sample, Mapping):
        return {}
    systems, scores = sample.get("systems"), sample.get("scores")
    if not isinstance(systems, list) or not isinstance(scores, list):
        return {}
    if not {pair[end] for pair in pairs for end in ("first", "second")} <= set(systems):
        return {}  # as pairs of one estimator and constants, which no table holds

    @cache
    def differences() -> Any:
        table = np.array(scores, dtype=float)  # None is nan
        place = {name: number for number, name in enumerate(systems)}
        first, second = (
            table.T[[place[pair[end]] for pair in pairs]] for end in ("first", "second")
        )
        return first - second

    return {
        "differences": differences,
        "ranks": cache(lambda: ranked(np.abs(differences()))),
    }
