"""Analysis of variance: do mean scores of several systems differ, and what by do items vary?"""

import math
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _literature as works
from skstat.stats._family import MaxT
from skstat.stats._friedman import check_units, omnibus
from skstat.stats._joint import JointFlips
from skstat.stats._noise import resolution_of_table
from skstat.stats._pairwise import OmnibusOutcome, omnibus_pvalue
from skstat.stats._procedure import check_choice, procedure
from skstat.stats._resampling import draw_seed
from skstat.stats._score_table import ScoreTable
from skstat.stats._scores import check_count
from skstat.stats._words import unit_word


@procedure(
    when="all at once", references=(works.GREENHOUSE_GEISSER_1959, works.HUYNH_FELDT_1976)
)
def repeated_measures_anova(
    table: ScoreTable,
    *,
    correction: Literal["greenhouse-geisser", "huynh-feldt"] | None = "greenhouse-geisser",
) -> OmnibusOutcome:
    """Analysis of variance of k systems scored on the same N units.

    ``F = MS_systems / MS_residual``. Without sphericity, which is equal variances of
    all differences between two systems, F has fewer degrees of freedom than k - 1 and
    (k - 1)(N - 1): both are multiplied by an estimate of epsilon, which lies between
    1 / (k - 1) and 1. With C the covariance matrix of the systems, centred by rows and
    columns, that of Greenhouse and Geisser is ``tr(C)^2 / ((k - 1) sum(C^2))`` [1]_; that
    of Huynh and Feldt makes up for its bias near 1, ``(N (k - 1) eps - 2) / ((k - 1)
    (N - 1 - (k - 1) eps))`` and at most 1 [2]_.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    correction : {"greenhouse-geisser", "huynh-feldt"} or None, \
default="greenhouse-geisser"
        Estimate of epsilon that multiplies the degrees of freedom; None assumes
        sphericity.

    Returns
    -------
    OmnibusOutcome
        The test's numbers; the p-value is nan when the systems differ by the same
        amounts on all units, which leaves nothing to test them against. Effect sizes: partial
        eta squared, and both epsilons.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, the correction is
        unknown, there is only one unit, or two for that of Huynh and Feldt.

    See Also
    --------
    friedman : Assumes neither normality nor commensurable scores.
    paired_t : The test of two systems.

    Notes
    -----
    Over data sets, scores are seldom commensurable or normal: prefer :func:`friedman`
    there [3]_.

    References
    ----------
    .. [1] Greenhouse, S. W. & Geisser, S. (1959). On methods in the analysis of profile
       data. Psychometrika, 24(2), 95-112. :doi:`10.1007/BF02289823`
    .. [2] Huynh, H. & Feldt, L. S. (1976). Estimation of the Box correction for degrees
       of freedom from sample data in randomized block and split-plot designs. Journal
       of Educational Statistics, 1(1), 69-82. :doi:`10.3102/10769986001001069`
    .. [3] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30, section 3.2.1.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, repeated_measures_anova
    >>> a, b = [2.2, 3.1, 4.3, 4.1, 7.2], [1.1, 2.5, 4.1, 5.2, 6.4]
    >>> table = ScoreTable({"A": a, "B": b, "C": [8.2, 4.5, 3.4, 6.2, 7.2]}, unit="seed")
    >>> outcome = repeated_measures_anova(table)
    >>> round(outcome.statistic, 3), round(outcome.pvalue, 3)
    (2.154, 0.212)
    >>> round(outcome.effect_sizes["Greenhouse-Geisser epsilon"], 3)
    0.559
    """
    check_choice("correction", correction, ("greenhouse-geisser", "huynh-feldt", None))
    check_units(table, "repeated_measures_anova", 2)
    (n, k), unit = table.scores.shape, unit_word(table.unit)
    if correction == "huynh-feldt" and n < 3:
        raise ValueError(
            f"the Huynh-Feldt correction needs at least 3 {unit}s, but there are {n}; use "
            "'greenhouse-geisser'."
        )
    x = table.scores
    noise = resolution_of_table(x)
    within = x - x.mean(axis=1, keepdims=True)  # what the systems differ by on each unit
    effects = _without_noise(within.mean(axis=0), noise)
    residuals = _without_noise(within - within.mean(axis=0), noise)
    between, rest = n * np.sum(effects**2), np.sum(residuals**2)
    gg, hf = _epsilons(residuals)
    how, epsilon = {
        "greenhouse-geisser": ("Greenhouse-Geisser", gg),
        "huynh-feldt": ("Huynh-Feldt", hf),
        None: ("sphericity assumed", 1.0),
    }[correction]
    epsilon = 1.0 if math.isnan(epsilon) else epsilon
    df = (epsilon * (k - 1), epsilon * (k - 1) * (n - 1))
    statistic = (n - 1) * between / rest if rest else math.inf if between else 0.0
    assuming = [f"differences of scores are commensurable between {unit}s, and close to normal"]
    if correction is None and k > 2:
        assuming.append("differences of any two systems have the same variance (sphericity)")
    return omnibus(
        table,
        f"repeated-measures ANOVA ({how})",
        "mean scores",
        assuming=assuming,
        statistic=float(statistic),
        # Without variance there is nothing to judge a difference by: p = 0 would claim
        # certainty from a handful of equal numbers.
        pvalue=math.nan if math.isinf(statistic) else omnibus_pvalue(statistic, df),
        compares_sizes="strongly",
        statistic_name="F",
        df=df,
        effect_sizes={
            "partial eta squared": float(between / (between + rest)) if between else 0.0,
            "Greenhouse-Geisser epsilon": gg,
            "Huynh-Feldt epsilon": hf,
        },
    )


def _without_noise(values: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    return np.where(np.abs(values).max() <= noise, 0.0, values)


def _epsilons(residuals: NDArray[np.float64]) -> tuple[float, float]:
    """Greenhouse and Geisser's epsilon, and Huynh and Feldt's; nan if undefined."""
    n, k = residuals.shape
    if not residuals.any():
        return math.nan, math.nan
    if k == 2:
        return 1.0, 1.0
    residuals = residuals / np.abs(residuals).max()  # squares of squares underflow
    covariance = np.einsum("ij,ik->jk", residuals, residuals)
    trace = np.trace(covariance)
    gg = float(trace**2 / ((k - 1) * np.sum(covariance**2)))
    if n == 2:
        return gg, math.nan  # 0 / 0
    spare = (k - 1) * (n - 1 - (k - 1) * gg)
    wanted = n * (k - 1) * gg - 2
    # Nothing is spare when the residuals fill all n - 1 dimensions evenly.
    return gg, wanted / spare if spare > wanted else 1.0


def variance_shares(
    means: NDArray[np.float64],
    variances: NDArray[np.float64],
    counts: NDArray[Any],
    groups: NDArray[np.int64] | None = None,
) -> dict[str, float] | None:
    """Estimate the parts of the variance of an item's difference between two systems.

    By mean squares of the nested analysis of variance: of several systems they are the
    averages of all pairs.

    Parameters
    ----------
    means, variances, counts : ndarray of shape (n_items, n_systems)
        Mean of the samples of every item, their variance, and how many there are.
    groups : ndarray of shape (n_items,), optional
        Code of every item's group, from 0.

    Returns
    -------
    dict or None
        The parts ``"groups"``, ``"items"`` and ``"samples"`` as far as they are known, the
        ``"standard_error"`` of a difference of means, and what it would be with twice as many
        samples of each item and with any number. None of a single item or group.
    """
    n, k = means.shape
    n_groups = n if groups is None else int(groups.max()) + 1
    if n < 2 or n_groups < 2:
        return None
    # The sum over pairs of squared differences is k times that of deviations from their mean.
    z = means - means.mean(axis=1, keepdims=True)
    z = z - z.mean(axis=0)
    of_pairs = 2 / (k - 1)
    total, parts = of_pairs * float(np.sum(z**2)), dict[str, float]()
    within = total / (n - 1)
    square = within / n
    if groups is not None:
        sizes = np.bincount(groups)
        sums = np.column_stack([np.bincount(groups, column) for column in z.T])
        if n > n_groups:  # else they are of one item each
            of_groups = of_pairs * float(np.sum(sums**2 / sizes[:, None]))
            within = (total - of_groups) / (n - n_groups)
            size = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
            parts["groups"] = max(0.0, (of_groups / (n_groups - 1) - within) / size)
        square = n_groups / (n_groups - 1) * of_pairs * float(np.sum(sums**2)) / n**2
    several = counts > 1
    if not several.any(axis=0).all():
        return parts | {"items": within, "standard_error": math.sqrt(square)}
    # An item with one sample is taken to have the variance of the others.
    usual = np.mean(variances, axis=0, where=several)
    samples = 2 * float(np.mean(np.where(several, variances, usual) / counts))

    def error_with(factor: float) -> float:
        less = samples * (1 - 1 / factor) / n
        return math.sqrt(max(square / factor, square - less))

    return parts | {
        "items": max(0.0, within - samples),
        "samples": samples,
        "standard_error": error_with(1),
        "standard_error_with_twice_the_samples": error_with(2),
        "standard_error_with_any_number": error_with(math.inf),
        "n_samples": float(np.mean(counts)),
    }


@procedure(references=(works.WESTFALL_YOUNG_1993,))
def largest_t(
    table: ScoreTable, *, n_resamples: int = 9_999, rng: int | np.random.Generator | None = None
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
    check_units(table, "largest_t", 2)
    if table.ordered:
        raise ValueError("largest_t treats units as independent, but these are ordered.")
    check_count("n_resamples", n_resamples)
    seed = draw_seed(rng)
    pairs = list(combinations(range(table.n_systems), 2))
    flips = JointFlips(*table.flipped, n_resamples=n_resamples, seed=seed)
    return largest_of(flips.max_t(pairs), table)


def largest_of(found: MaxT, table: ScoreTable) -> OmnibusOutcome:
    """Take the test of all systems at once from the joint distribution of all pairs.

    No pair has a smaller adjusted p-value, and one has the same.
    """
    how = "sign flips" if found.alone is not None else found.how.removeprefix("the ")
    t = np.abs(found.estimates[found.errors > 0]) / found.errors[found.errors > 0]
    means, tested = table.scores.mean(axis=0), found.pvalue[~np.isnan(found.pvalue)]
    exchangeable = "under the null hypothesis the systems are exchangeable on every"
    return omnibus(
        table,
        f"max-T test of all pairs ({how})",
        "mean scores",
        assuming=(f"{exchangeable} {unit_word(table.unit)}",),
        statistic=float(np.max(t, initial=0.0)),
        pvalue=float(np.min(tested, initial=1.0)) if tested.size else math.nan,
        compares_sizes="strongly",
        statistic_name="max |t|",
        effect_sizes={"range of means": float(np.ptp(means))},
        n_resamples=len(found.maxima),
        seed=found.drawn_by,
    )
