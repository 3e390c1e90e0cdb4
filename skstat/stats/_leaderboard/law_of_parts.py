"""The joint distribution of means of part means: the parts are fixed, their units are drawn."""

import math

import numpy as np
from numpy.typing import ArrayLike

from skstat.stats._joint import JointLaw, root_of
from skstat.stats._leaderboard.rank_stability import numbered_parts
from skstat.stats._outcomes import population, unit_word
from skstat.stats._resampling import stream
from skstat.stats._samples import RELATIVE_RESOLUTION, ScoreTable


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


def law_of_parts(table: ScoreTable, parts: ArrayLike, n_resamples: int, seed: int) -> JointLaw:
    """Draw from the multivariate t of the means of the means of parts.

    A small part counts as much as a large one, so that its few units decide how well variances
    are known. The degrees of freedom are those of Welch and Satterthwaite, of the pair of
    systems that has the fewest.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on units that are independent of each other.
    parts : array-like of shape (n_units,)
        The part that every unit belongs to.
    n_resamples : int
        Draws.
    seed : int
        Their seed.

    Returns
    -------
    JointLaw
        The law; its standard errors are those of ``equal_parts(table, parts)``.
    """
    even = equal_parts(table, parts)
    n, unit = even.n_units, unit_word(even.unit)
    estimates = even.scores.mean(axis=0)
    df = _degrees_of_freedom(table, parts)
    # Drawn in the order of the scores, the law does not depend on that of the columns.
    order = np.argsort(-estimates, kind="stable")
    root = np.empty((min(even.scores.shape), even.n_systems))
    root[:, order] = root_of((even.scores - estimates)[:, order]) / np.sqrt(n * (n - 1))
    rng = stream(np.random.SeedSequence(seed))
    normal = rng.standard_normal((n_resamples, len(root))) @ root
    errors = normal / np.sqrt(rng.chisquare(df, (n_resamples, 1)) / df)
    return JointLaw(
        names=even.names,
        estimates=estimates,
        errors=errors,
        root=root,
        resolution=RELATIVE_RESOLUTION * float(np.abs(even.scores).max()) / np.sqrt(n),
        n_units=n,
        quantity="mean score",
        where=f"over {population(even.unit, even.n_systems)}",
        how="multivariate t",
        assumptions=(
            f"the {unit}s are independent of each other",
            "the means of the parts are close to normal",
        ),
        df=df,
        seed=seed,
        n_independent=None,
    )


def _degrees_of_freedom(table: ScoreTable, parts: ArrayLike) -> float:
    """Return the least degrees of freedom of the differences of two systems."""
    labels, member = numbered_parts(parts, table.n_units)
    sizes = np.bincount(member)
    variances = []
    for part, size in enumerate(sizes.tolist()):
        covariance = np.cov(table.scores[member == part], rowvar=False)
        own = np.diag(covariance)
        variances.append(np.maximum(own[:, None] + own - 2 * covariance, 0.0) / size)
    of_parts = np.stack(variances)
    total = of_parts.sum(axis=0)
    unsure = (of_parts**2 / (sizes - 1)[:, None, None]).sum(axis=0)
    known = total > RELATIVE_RESOLUTION * max(1.0, float(total.max()))
    found = total[known] ** 2 / unsure[known]
    return float(found.min()) if found.size else float(table.n_units - len(labels))
