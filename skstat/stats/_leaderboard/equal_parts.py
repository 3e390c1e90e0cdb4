"""The mean of the means of parts, where every part counts the same."""

import math

import numpy as np
from numpy.typing import ArrayLike

from skstat.stats._leaderboard.rank_stability import numbered_parts
from skstat.stats._samples import ScoreTable


def equal_parts(table: ScoreTable, parts: ArrayLike) -> ScoreTable:
    """Return scores whose mean is that of the means of the parts.

    The score of unit i in part g is ``mean + c_g (x_i - mean_g)``, with the mean of the means
    of the G parts. ``c_g`` is n / (G n_g), times a factor near 1 for which the sample variance
    over n is that of the mean of means of fixed parts, ``sum_g s_g^2 / (G^2 n_g)``.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same n units.
    parts : array-like of shape (n_units,)
        The part that every unit belongs to.

    Returns
    -------
    ScoreTable
        As many rows, in the same order.

    Raises
    ------
    ValueError
        If a part has one unit only: nothing shows how much another one would differ.
    """
    labels, member = numbered_parts(parts, table.n_units)
    sizes = np.bincount(member)
    if (sizes < 2).any():
        alone = labels[int(np.argmax(sizes < 2))]
        raise ValueError(
            f"{alone!r} has one unit only, which does not show how much its mean varies: leave "
            "it out, or let every unit count the same."
        )
    n, scores = table.n_units, table.scores
    sums = np.stack([np.bincount(member, column) for column in scores.T], axis=1)
    means = sums / sizes[:, None]
    weights = n / (len(sizes) * sizes) * np.sqrt(sizes / (sizes - 1)) * math.sqrt((n - 1) / n)
    values = means.mean(axis=0) + weights[member, None] * (scores - means[member])
    sign = 1.0 if table.higher_is_better else -1.0
    return ScoreTable(
        sign * values,
        systems=table.systems,
        unit=table.unit,
        higher_is_better=table.higher_is_better,
    )
