"""The t test of a mean over instances in groups, by a cluster-robust variance."""

import math

import numpy as np

from skstat.stats._family import Comparison, effect_sizes
from skstat.stats._law import Student
from skstat.stats._literature import BELL_MCCAFFREY_2002, LIANG_ZEGER_1986
from skstat.stats._procedure import procedure
from skstat.stats._scores import MIN_GROUPS, PairedScores
from skstat.stats._words import null_relation


@procedure(
    title="the cluster-robust t test",
    when="a score per row, and 30 groups or more",
    needs="groups",
    references=(LIANG_ZEGER_1986, BELL_MCCAFFREY_2002),
)
def clustered_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Compare the mean over instances by a t test with a cluster-robust variance.

    The variance of the mean difference is
    ``sum_g (sum_{i in g} (d_i - mean(d)))^2 / (1 - h_g) / n^2`` over the groups, where
    h_g is the share of the instances that are in group g. It allows any dependence
    within a group [1]_ [2]_; the factors 1/(1 - h_g) are the correction CR2 of Bell &
    McCaffrey [3]_, which makes the variance unbiased where the instances are
    independent. Student's t has their degrees of freedom (Satterthwaite's, under
    independent instances): ``1 / (sum h_g^2 + (sum q_g)^2 - sum q_g^2)`` with
    ``q_g = h_g^2 / (1 - h_g)``. For G groups of one size the factor is G/(G - 1) and the
    degrees of freedom are G - 1. Where a few groups hold most of the instances they are
    far fewer: with G - 1 instead, tests on 40 groups of lognormal sizes rejected 7 to 14 % of
    true null hypotheses in simulations at a nominal 0.05, and 4 to 7 % with these.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same instances, with their groups.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers; the estimate is the mean difference over the instances.

    Raises
    ------
    ValueError
        If there are fewer than six groups.

    See Also
    --------
    sign_flip : On ``sample.per_group()``, for few groups.

    References
    ----------
    .. [1] Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using
       generalized linear models. Biometrika, 73(1), 13-22.
       :doi:`10.1093/biomet/73.1.13`
    .. [2] Miller, E. (2024). Adding error bars to evals: A statistical approach to
       language model evaluations. arXiv:2411.00640.
    .. [3] Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for
       linear regression with multi-stage samples. Survey Methodology, 28(2), 169-181.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, clustered_t
    >>> d = [0.2, 0.1, 0.3, 0.0, -0.1, 0.1, 0.2, 0.3, 0.1, 0.0, 0.4, 0.2]
    >>> sample = PairedScores(d, np.zeros(12), groups=np.repeat(range(6), 2))
    >>> outcome = clustered_t(sample)
    >>> outcome.df, round(outcome.statistic, 3), round(outcome.pvalue, 3)
    (5, 3.223, 0.023)
    """
    check_enough_groups(sample.n_units, "clustered_t")
    n_groups, n = sample.n_units, sample.n_instances
    differences, resolution = sample.differences, sample.resolution
    estimate = float(np.mean(differences))
    sums = np.bincount(sample.groups, differences - estimate)
    variance, df = clustered_variance(sums, np.bincount(sample.groups))
    # Sums of what cancels within every group are float noise, and so is their mean.
    varies = bool(np.any(np.abs(sums) > resolution * np.bincount(sample.groups)))
    if not varies and abs(estimate) <= resolution:
        estimate = 0.0
    null = f"the expected score of A {null_relation(alternative)} that of B"
    return Comparison(
        test="clustered t test (cluster-robust variance, CR2)",
        estimand="mean of score(A) - score(B) over instances, for these two fitted systems",
        null_hypothesis=f"{null}, over instances of new groups, for these two fitted systems",
        alternative=alternative,
        assumptions=(
            "the groups are independent of each other; instances within a group may "
            "depend on each other in any way",
            f"the mean over {n_groups} groups of {n} instances is close to normal",
        ),
        effect_sizes=effect_sizes(PairedScores(sample.a, sample.b, unit="instance")),
        law=Student(
            estimate=estimate, standard_error=math.sqrt(variance) if varies else 0.0, df=df
        ),
    )


def clustered_variance(sums: np.ndarray, sizes: np.ndarray) -> tuple[float, float]:
    """Variance of a mean over instances in groups, and its degrees of freedom.

    CR2 and the degrees of freedom of Bell & McCaffrey (2002), see `clustered_t`.

    Parameters
    ----------
    sums : ndarray of shape (n_groups,)
        Sum over each group of the deviations from the mean.
    sizes : ndarray of shape (n_groups,)
        Instances in each group.
    """
    n, n_groups = int(sizes.sum()), len(sizes)
    shares = sizes / n
    variance = float(np.sum(sums**2 / (1 - shares))) / n**2
    if np.ptp(sizes) == 0:
        return variance, n_groups - 1
    q = shares**2 / (1 - shares)
    inverse = np.sum(shares**2) + np.sum(q) ** 2 - np.sum(q**2)
    return variance, float(1 / inverse)


def check_enough_groups(n_groups: int, procedure: str) -> None:
    """Refuse fewer groups than a variance between groups can be estimated from."""
    if n_groups < MIN_GROUPS:
        raise ValueError(
            f"{procedure} needs at least {MIN_GROUPS} groups, got {n_groups}: the groups "
            "are the independent units, however many instances they hold. Test on more "
            "groups, or restrict the claim to these groups and treat the instances as "
            "independent, by name (paired_t with unit='instance')."
        )
