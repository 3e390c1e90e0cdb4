"""A run as seen on a slice of the rows: what the same fits scored there."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from skstat.evaluation._run import CrossValidationRun

# Rows of a slice in every test set, from which on its scores are compared.
_FEWEST_TESTED = 5


def run_in_slice(run: CrossValidationRun, rows: NDArray[np.int64]) -> CrossValidationRun:
    """Return the scores of a run on some of the rows, as a run of its own.

    Every model is the one that was fitted to all of its training rows. A score on a slice is a
    weighted mean over the test rows, with the weight 0 outside; what a row contributes follows
    from that.

    Parameters
    ----------
    run : CrossValidationRun
        A run of which the contributions of rows are known.
    rows : ndarray of int
        Numbers of the rows of the slice.

    Raises
    ------
    ValueError
        If some test set has too few rows of the slice.
    """
    n_rows = run.design.n_samples
    inside = np.zeros(n_rows, dtype=bool)
    inside[rows] = True
    tests = [test for _, test in run.design.splits]
    tested = np.array([int(inside[test].sum()) for test in tests])
    if tested.min() < _FEWEST_TESTED:
        raise ValueError(f"a test set has {tested.min()} of them, fewer than {_FEWEST_TESTED}")
    scores: dict[str, np.ndarray] = {}
    contributions: dict[str, dict[str, list[np.ndarray]]] = {}
    for metric in run.metrics:
        known = run.contributions[metric]
        found = np.empty((len(tests), len(run.names)))
        contributions[metric] = {name: [] for name in run.names}
        for place, name in enumerate(run.names):
            for split, (test, own) in enumerate(zip(tests, known[name], strict=True)):
                part = inside[test]
                mean = float(own[part].mean())
                found[split, place] = mean
                weight = len(test) / tested[split]
                contributions[metric][name].append(
                    np.where(part, mean + weight * (own - mean), mean)
                )
        scores[metric] = found
    return replace(
        run,
        scores=scores,
        contributions=contributions,
        weighted=run.weighted | set(run.metrics),
        sample_weight=inside.astype(float),
        y=None,  # class shares within a slice were not held
        predictions={},
        part_scores={},
        halves=None if run.halves is None else run_in_slice(run.halves, rows),
    )
