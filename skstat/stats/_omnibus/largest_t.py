"""The largest t of all pairs: do several systems differ in their mean scores at all?"""

import math
from itertools import combinations

import numpy as np

from skstat.stats._common import procedure
from skstat.stats._joint import JointFlips, MaxT
from skstat.stats._literature import WESTFALL_YOUNG_1993
from skstat.stats._outcomes import OmnibusOutcome, population, unit_word
from skstat.stats._resampling import draw_seed
from skstat.stats._samples import ScoreTable, check_complete, check_count, check_independent


@procedure(references=(WESTFALL_YOUNG_1993,))
def largest_t(
    table: ScoreTable,
    *,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
) -> OmnibusOutcome:
    """Max-T sign-flip test of equal mean scores of k systems on the same units.

    The statistic is the largest absolute t of all pairs. If no two systems differed,
    the differences of a unit could change their signs, all of them together, which
    keeps their correlation ([1]_, section 4). For scores that are 1 (right) or 0 (wrong)
    :func:`cochran_q` is the classical test.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    n_resamples : int, default=9999
        Patterns of signs to draw.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.

    Returns
    -------
    OmnibusOutcome
        The test's numbers; ``p = (1 + count) / (1 + n_resamples)``.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set or ordered, or there
        are fewer than two of them.

    See Also
    --------
    friedman : A test of ranks, for scores that mean different things on every unit.

    References
    ----------
    .. [1] Westfall, P. H. & Young, S. S. (1993). Resampling-Based Multiple Testing.
       Wiley.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, largest_t
    >>> a, b = [3.1, 2.9, 4.0, 3.4, 3.6, 3.8], [3.0, 3.1, 3.8, 3.3, 3.9, 3.5]
    >>> table = ScoreTable({"a": a, "b": b, "c": [2.0, 2.2, 3.1, 2.3, 2.4, 2.9]}, unit="seed")
    >>> outcome = largest_t(table, rng=0)
    >>> round(outcome.statistic, 2), outcome.pvalue < 0.05
    (13.13, True)
    """
    check_complete(table, "largest_t")
    check_independent(table, "largest_t")
    if table.ordered:
        raise ValueError("largest_t treats units as independent, but these are ordered.")
    if table.n_units < 2:
        raise ValueError("largest_t needs at least 2 units, but has 1.")
    check_count("n_resamples", n_resamples)
    seed = draw_seed(rng)
    pairs = list(combinations(range(table.n_systems), 2))
    found = JointFlips(*table.flipped).max_t(pairs, n_resamples, seed)
    drawn = len(found.maxima)  # fewer than asked for where there are no more patterns
    return largest_of(
        found,
        table,
        "sign flips",
        n_resamples=drawn,
        seed=None if drawn < n_resamples else seed,
    )


def largest_of(
    found: MaxT, table: ScoreTable, how: str, *, n_resamples: int, seed: int | None
) -> OmnibusOutcome:
    """Take the test of all systems at once from the joint distribution of all pairs.

    No pair has a smaller adjusted p-value, and one has the same.
    """
    unit = unit_word(table.unit)
    where = f"over {population(table.unit, table.n_systems)}"
    means, tested = table.scores.mean(axis=0), found.pvalues[~np.isnan(found.pvalues)]
    return OmnibusOutcome(
        test=f"max-T test of all pairs ({how})",
        estimand=f"the mean scores {where}",
        null_hypothesis=f"all mean scores are equal, {where}",
        statistic=float(np.max(found.t)),
        pvalue=float(np.min(tested, initial=1.0)) if tested.size else math.nan,
        names=table.names,
        n_units=table.n_units,
        compares_sizes="strongly",
        statistic_name="max |t|",
        assumptions=(
            f"the {unit}s are independent of each other",
            f"under the null hypothesis the systems are exchangeable on every {unit}",
        ),
        effect_sizes={"range of means": float(np.ptp(means))},
        n_resamples=n_resamples,
        seed=seed,
    )
