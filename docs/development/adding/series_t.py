"""A t test of means of neighbouring units."""

import math

import numpy as np

from skstat.stats import Student
from skstat.stats._family import Comparison, effect_sizes
from skstat.stats._procedure import procedure, works
from skstat.stats._scores import PairedScores
from skstat.stats._words import estimand, null_hypothesis

_BATCHES = 5


@procedure(ordered_units=True, references=(works.STUDENT_1908,))
def series_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Student's t test of the means of five batches of neighbouring units.

    Neighbours may be alike; means of long batches hardly are, and suit the t test [1]_.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on units in time order, at least ten.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If the units do not stand in time order, or are fewer than ten.

    References
    ----------
    .. [1] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import PairedScores, series_t
    >>> a, b = [5, 5, 6, 6, 4, 4, 7, 7, 3, 3], [4, 4, 4, 4, 4, 4, 4, 4, 2, 2]
    >>> sample = PairedScores(a, b, unit="instance", ordered=True)
    >>> outcome = series_t(sample)
    >>> outcome.estimate, outcome.df, round(outcome.pvalue, 3)
    (1.4, 4, 0.052)
    """
    if not sample.ordered or sample.n_units < 2 * _BATCHES:
        raise ValueError(f"series_t needs {2 * _BATCHES} units or more in time order.")
    size = sample.n_units // _BATCHES
    means = sample.differences[-size * _BATCHES :].reshape(_BATCHES, size).mean(axis=1)
    sd = float(np.std(means, ddof=1))
    return Comparison(
        test="t test of batch means",
        estimand=estimand(sample),
        null_hypothesis=null_hypothesis(sample, alternative),
        alternative=alternative,
        assumptions=("the batches are long enough to be independent of each other",),
        effect_sizes=effect_sizes(sample),
        law=Student(
            estimate=float(np.mean(means)),
            standard_error=sd / math.sqrt(_BATCHES) if sd > sample.resolution else 0.0,
            df=_BATCHES - 1,
        ),
    )
