"""Tests that see one source of variance: over instances, over seeds, or seed by seed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._literature import STUDENT_1908, WELCH_1947
from skstat.stats._outcomes import check_alpha
from skstat.stats._paired import paired_t
from skstat.stats._samples import (
    CrossedScores,
    PairedScores,
    SeedScores,
    check_alternative,
    paired_differences,
)
from skstat.stats._seeds.crossed_t import (
    TRAINING_DATA,
    CrossedOutcome,
    check_seeds,
    crossed_outcome,
    mean_variance,
)


@procedure(title="the t test of averages over seeds", references=(STUDENT_1908,))
def seed_average_t(sample: CrossedScores, *, alternative: str = "two-sided") -> CrossedOutcome:
    """Average over the seeds, then test over instances by the paired t test.

    The t test [1]_ sees one mean score per instance. The answer holds for the averages of
    just these seeds' systems: how scores vary with the seed is ignored.

    Parameters
    ----------
    sample : CrossedScores
        Scores of A and B for seeds and instances.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    CrossedOutcome
        The test's numbers.

    See Also
    --------
    crossed_t : Counts both sources of variance.

    References
    ----------
    .. [1] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import CrossedScores, seed_average_t
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = seed_average_t(CrossedScores(a, b))
    >>> round(outcome.standard_error, 3), outcome.df, outcome.ignored_variance[0]
    (0.04, 3.0, 'the seeds: the answer is about the average of these seeds')
    """
    check_alternative(alternative)
    pairs = sample.per_instance()
    return crossed_outcome(
        sample,
        test="paired t test over instances of averages over seeds",
        over="instances, for the averages of these fitted systems over their seeds",
        alternative=alternative,
        assumptions=(
            "the instances are independent of each other",
            "the differences are close to normal, with equal variances",
        ),
        variance_parts={"instances": mean_variance(pairs.differences, pairs.resolution)},
        df=float(sample.n_units - 1),
        ignored_variance=(
            "the seeds: the answer is about the average of these seeds",
            TRAINING_DATA,
        ),
    )


@procedure(
    title="Welch's t test",
    when="a claim about seeds only",
    references=(WELCH_1947,),
)
def seed_means_t(
    sample: CrossedScores | SeedScores, *, alternative: str = "two-sided"
) -> CrossedOutcome:
    """Average over the instances, then test over seeds by a t test.

    The paired t test of the seeds' mean scores, or Welch's t test [1]_ when the seeds
    are not paired. The answer holds for just this test set: how scores vary with the
    instances is ignored.

    Parameters
    ----------
    sample : CrossedScores or SeedScores
        Scores of A and B for two or more seeds each: of every instance, or one per seed.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    CrossedOutcome
        The test's numbers.

    Raises
    ------
    ValueError
        If a system has one seed only.

    See Also
    --------
    crossed_t : Counts both sources of variance.

    References
    ----------
    .. [1] Welch, B. L. (1947). The generalization of 'Student's' problem when several
       different population variances are involved. Biometrika, 34(1-2), 28-35.
       :doi:`10.1093/biomet/34.1-2.28`

    Examples
    --------
    >>> from skstat.stats import CrossedScores, seed_means_t
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = seed_means_t(CrossedScores(a, b))
    >>> round(outcome.standard_error, 3), round(outcome.df, 2), outcome.ignored_variance[0]
    (0.017, 3.2, 'the choice of the test set')

    One score per seed, as Welch's test takes them; the order of the seeds does not matter.

    >>> from skstat.stats import SeedScores
    >>> sample = SeedScores([0.81, 0.83, 0.80, 0.84], [0.79, 0.80, 0.78])
    >>> round(seed_means_t(sample).pvalue, 4)
    0.0413
    """
    check_alternative(alternative)
    check_seeds(sample, "seed_means_t", both=True)
    resolution = sample.resolution
    test = "Welch t test over seeds"
    if isinstance(sample, SeedScores):
        means = [sample.a, sample.b]
    elif sample.paired_seeds:
        test = "paired t test over seeds"
        means = [paired_differences(sample).mean(axis=1)]
    else:
        means = [sample.a.mean(axis=1), sample.b.mean(axis=1)]
    terms = [(mean_variance(x, resolution), len(x) - 1) for x in means]
    variance = sum(term for term, _ in terms)
    df = variance**2 / sum(term**2 / df for term, df in terms) if variance else terms[0][1]
    return crossed_outcome(
        sample,
        test=test,
        over="seeds, for this training set and this test set",
        alternative=alternative,
        assumptions=(
            "the seeds are independent of each other",
            "the mean scores of the seeds are close to normal",
        ),
        variance_parts={"seeds": variance},
        df=float(df),
        ignored_variance=("the choice of the test set", TRAINING_DATA),
        references=(STUDENT_1908,) if len(means) == 1 else (WELCH_1947,),
    )


@dataclass(frozen=True, eq=False)
class PerSeed:
    """What one seed at a time would have said.

    Attributes
    ----------
    differences, pvalues : ndarray of float
        Mean difference and p-value of the paired t test over instances: of every
        paired seed, or of every seed of A (rows) with every seed of B (columns).
    alpha : float
        Level below which a p-value counts as significant.
    """

    differences: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    alpha: float

    @property
    def share_a(self) -> float:
        """Share of the seeds on which A is significantly better."""
        return float(np.mean((self.pvalues <= self.alpha) & (self.differences > 0)))

    @property
    def share_b(self) -> float:
        """Share of the seeds on which B is significantly better."""
        return float(np.mean((self.pvalues <= self.alpha) & (self.differences < 0)))


@procedure()
def per_seed(sample: CrossedScores, *, alpha: float = 0.05) -> PerSeed:
    """Test every seed on its own, to show how much the answer depends on the seed.

    This is a description, not a test: the seeds share their test set, so that their
    verdicts are not independent evidence.

    Parameters
    ----------
    sample : CrossedScores
        Scores of A and B for seeds and instances.
    alpha : float, default=0.05
        Level of the paired t test over instances of every seed.

    Returns
    -------
    PerSeed
        Mean difference and two-sided p-value of every seed (of every seed of A with
        every seed of B when they are not paired), and the shares that are significant.

    Examples
    --------
    >>> from skstat.stats import CrossedScores, per_seed
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.6, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> found = per_seed(CrossedScores(a, b, paired_seeds=True))
    >>> found.pvalues.round(3).tolist(), round(found.share_a, 2)
    ([0.014, 0.08, 0.353], 0.33)
    """
    check_alpha(alpha)
    if sample.paired_seeds:
        rows = list(zip(sample.a, sample.b, strict=True))
        shape: tuple[int, ...] = (len(rows),)
    else:
        rows = [(a, b) for a in sample.a for b in sample.b]
        shape = sample.n_seeds
    outcomes = [paired_t(PairedScores(a, b, unit="instance")) for a, b in rows]
    return PerSeed(
        differences=np.array([outcome.estimate for outcome in outcomes]).reshape(shape),
        pvalues=np.array([outcome.pvalue for outcome in outcomes]).reshape(shape),
        alpha=alpha,
    )
