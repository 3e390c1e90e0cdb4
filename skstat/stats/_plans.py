"""Plans of tests by a standard error: over rows, groups, seeds or splits, and of one score."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from skstat.stats._chance import laws
from skstat.stats._plan import Errors, Plan, errors_of, planning
from skstat.stats._procedure import works
from skstat.stats._row_contributions import usual_correlation
from skstat.stats._scores import FEWEST_REPEATS, check_count, check_number

USUAL_REPEATS = 15
_FEWEST_ROWS = 16  # of a plan over splits
_POINTS = 4096


@planning
def plan_rows(sd: float, **level: Any) -> Plan:
    """Plan a test set: two systems, any metric.

    The standard error is ``sd / sqrt(n)``. For a metric that is a mean over rows `sd` is the
    standard deviation of the differences of the rows. For any other it follows from the
    standard error on a pilot: ``sd = standard_error * sqrt(n_pilot)``.

    Parameters
    ----------
    sd : float
        Standard deviation of one row's part in the difference, in the unit of the score.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in rows.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_rows
    >>> plan_rows(sd=0.5).size(difference=0.05)
    Size(first=785, stable=785)
    """
    return Plan(
        test="test of the difference by its standard error (normal law)",
        unit="row",
        varied={"sd": "standard deviation per row"},
        assumptions=("rows are independent, and their classes have the shares of the pilot",),
        error=lambda n, difference: sd / math.sqrt(n),
    )


@planning
def plan_splits(sd: float, ratio: float, **level: Any) -> Plan:
    """Plan how many splits of one data set: the corrected t test.

    If any two splits are correlated as Nadeau and Bengio (2003, section 3) assume, the
    statistic is noncentral t of ``n - 1`` degrees of freedom, with noncentrality ``difference /
    (sd sqrt(1 / n + n_test / n_train))``. More splits never get below ``sd sqrt(n_test /
    n_train)``.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences of splits, in the unit of the score.
    ratio : float
        Rows for testing over rows for training of a split.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in splits.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_splits
    >>> plan = plan_splits(sd=0.02, ratio=1 / 9)
    >>> round(plan.detectable(30), 4), round(plan.floor(), 4)
    (0.022, 0.0187)
    """
    return Plan(
        test="corrected t test",
        function="corrected_t",
        unit="split",
        beyond="more data",
        varied={"sd": "standard deviation of splits"},
        assumptions=(
            "any two splits are correlated by n_test / (n_train + n_test); where the true "
            "correlation is larger the test rejects too often, and more so than planned",
        ),
        references=(works.NADEAU_BENGIO_2003,),
        error=lambda n, difference: sd * math.sqrt(1 / n + ratio),
        df=lambda n: n - 1,
    )


@planning
def plan_groups(
    sd: float, icc: float, group_size: float, *, unequal: float = 1.0, **level: Any
) -> Plan:
    """Plan a test set whose rows come in groups, such as questions by topic.

    Rows of one group are alike, so that m of them are worth ``m / (1 + (m - 1) icc)``
    (Kish, 1965, section 5.4): the standard error on n groups is ``sd * sqrt((1 + (m - 1) icc) /
    (m n))``. The test is Student's t of as many degrees of freedom as groups less one. Where
    the squared sizes add up to u times as much as those of groups of one size, the standard
    error is ``sd * sqrt((1 + (u m - 1) icc) / (m n))``, and n groups weigh as n / u.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences of the rows, in the unit of the score.
    icc : float
        Correlation of two differences in one group, from 0 to 1
        (:func:`intraclass_correlation` of a pilot).
    group_size : float
        Rows per group, on average.
    unequal : float, default=1.0
        The sum of the squared sizes over their sum, as a multiple of `group_size`: 1 for groups
        of one size.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in groups.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_groups
    >>> plan = plan_groups(sd=0.5, icc=0.1, group_size=10)
    >>> plan.size(difference=0.05).stable
    152
    """
    inflation = 1 + (group_size * unequal - 1) * icc
    sizes = "all of one size" if unequal == 1 else "as unequal as the sizes given"
    return Plan(
        test="cluster-robust t test",
        function="clustered_t",
        unit="group",
        varied={
            "icc": "intraclass correlation",
            "sd": "standard deviation of the differences of rows",
        },
        assumptions=(
            f"groups are independent, and {sizes}",
            "means of groups are close to normal",
        ),
        error=lambda n, difference: sd * math.sqrt(inflation / (group_size * n)),
        df=lambda n: max(n / unequal - 1, 1.0) if n > 1 else n - 1,
    )


@planning
def plan_answers(
    sd_items: float, sd_answers: float, *, n_answers: int = 1, **level: Any
) -> Plan:
    """Plan a test set of items that each system answers several times.

    The variance of the difference is ``(sd_items^2 + sd_answers^2 / n_answers) / n`` (Miller,
    2024, section 3).

    Parameters
    ----------
    sd_items : float
        Standard deviation over items of the true difference of an item.
    sd_answers : float
        Standard deviation of the difference of one answer each, to one item: the root of the
        sum of the variances of the two systems.
    n_answers : int, default=1
        Answers of each system to an item.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in items.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_answers
    >>> plan = plan_answers(sd_items=1 / 3, sd_answers=3**-0.5)
    >>> plan.size(difference=0.03).stable
    3876
    """
    if sd_items == sd_answers == 0:
        raise ValueError("sd_items and sd_answers are 0: nothing varies.")

    return Plan(
        test="paired test of the means of items (normal law)",
        unit="item",
        varied={
            "sd_answers": "standard deviation of answers to one item",
            "sd_items": "standard deviation over items",
        },
        assumptions=("items are independent, and so are the answers to one item",),
        references=(works.MILLER_2024,),
        error=lambda n, difference: math.sqrt((sd_items**2 + sd_answers**2 / n_answers) / n),
    )


@planning
def plan_seeds(
    sd_rows: float,
    sd_seeds: float,
    sd_rest: float,
    n_rows: int,
    *,
    paired_seeds: bool = False,
    **level: Any,
) -> Plan:
    """Plan how many seeds: systems with several seeds each, on the same test set.

    The variance of the difference is ``sd_rows^2 / n_rows + sd_seeds^2 / n + sd_rest^2 /
    (n_rows n)`` for n seeds. Its degrees of freedom are those of :func:`crossed_t`, by
    Satterthwaite's formula (1946, equation 17) of the expected mean squares. More seeds never
    get below the first part.

    Parameters
    ----------
    sd_rows : float
        Standard deviation over rows of the difference, in the unit of the score.
    sd_seeds : float
        Standard deviation over seeds of the difference of the mean scores: the root of the sum
        of both systems' variances, where seeds are not paired.
    sd_rest : float
        Standard deviation of what rows and seeds do together, in the same way.
    n_rows : int
        Rows of the test set.
    paired_seeds : bool, default=False
        Whether seed i of both systems belongs together.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in seeds.

    Raises
    ------
    ValueError
        If a number makes no sense, or nothing varies.

    Examples
    --------
    >>> from skstat.stats import plan_seeds
    >>> plan = plan_seeds(sd_rows=0.3, sd_seeds=0.01, sd_rest=0.3, n_rows=2000)
    >>> plan.size(difference=0.025).stable
    5
    >>> round(plan.floor(), 3)
    0.019
    """
    if sd_rows == sd_seeds == sd_rest == 0:
        raise ValueError("sd_rows, sd_seeds and sd_rest are 0: nothing varies.")

    def parts(n: float) -> tuple[float, float, float]:
        return sd_rows**2 / n_rows, sd_seeds**2 / n, sd_rest**2 / (n * n_rows)

    def df(n: float) -> float:
        if math.isinf(n):
            return n_rows - 1
        rows, seeds, rest = parts(n)
        free = (n - 1) if paired_seeds else 2 * (n - 1)
        terms = ((rows + rest, n_rows - 1), (seeds + rest, free), (rest, free * (n_rows - 1)))
        return (rows + seeds + rest) ** 2 / sum(term**2 / df_term for term, df_term in terms)

    return Plan(
        test="crossed t test over seeds and rows",
        function="crossed_t",
        unit="seed",
        beyond="a larger test set",
        varied={
            "sd_seeds": "standard deviation over seeds",
            "sd_rows": "standard deviation over rows",
        },
        assumptions=(
            "rows are independent of each other, and so are seeds",
            "effects of seeds and rows are close to normal",
        ),
        references=(works.SATTERTHWAITE_1946,),
        error=lambda n, difference: math.sqrt(sum(parts(n))),
        df=df,
    )


@planning
def plan_projection(
    sd: float,
    *,
    instability: float = 0.0,
    of_mean: bool = True,
    n_repeats: int = USUAL_REPEATS,
    n_rows: int | None = None,
    **level: Any,
) -> Plan:
    """Plan rows, or repetitions: the default test of :func:`skstat.compare_estimators`.

    That is the projection t test over repeated halves (:func:`projection_t`). With a row's
    difference of variance ``sd^2``, of which a share h comes from which rows the learners were
    trained on, the variance of the estimate is ``sd^2 ((1 - h) + h / n_repeats) / n``. The
    power is that of the test itself: with so few repetitions its standard error is noisy, and
    on average larger than the true one.

    More repetitions average out what the choice of the training rows changes, and make the
    standard error steadier. They never get below what the rows decide: with `n_rows`, see
    ``floor()``.

    Parameters
    ----------
    sd : float
        Standard deviation of the difference of one row, for learners that were fitted once, in
        the unit of the score. For right and wrong answers it is ``sqrt(discordant -
        difference^2)``.
    instability : float, default=0.0
        Share of this variance that changes with the training rows, from 0 to below 1. 0 takes
        the most rows: then every repetition says the same of a row.
    of_mean : bool, default=True
        Whether the metric is a mean over rows, as accuracy and log loss are; for all others the
        test assumes more.
    n_repeats : int, default=15
        Repetitions of two halves, where rows are planned.
    n_rows : int, optional
        Number of rows, where repetitions are planned.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in rows, or with `n_rows` in repetitions.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Notes
    -----
    What single rows do in training is left out. In learners that have converged it is small;
    for a smooth loss of strongly regularised ones it is what the row does in testing once
    more, so that `sd` counts twice. What other training rows change is taken to be independent
    from row to row; where they move all rows together, as in a stump that jumps, it takes more.

    Examples
    --------
    >>> from skstat.stats import plan_projection
    >>> plan = plan_projection(sd=0.4)
    >>> n = plan.size(difference=0.05).stable
    >>> 700 < n < 800
    True
    >>> plan_projection(sd=0.4, instability=0.6).size(difference=0.05).stable < n
    True

    With 400 rows no number of repetitions shows a difference of 0.03:

    >>> repeats = plan_projection(sd=0.4, instability=0.6, n_rows=400)
    >>> repeats.size(difference=0.03) is None and repeats.floor() > 0.03
    True
    """
    check_count("n_repeats", n_repeats, least=FEWEST_REPEATS)
    if n_rows is not None:
        check_count("n_rows", n_rows, least=_FEWEST_ROWS)

    def design(n: float) -> tuple[float, float]:
        return (n, n_repeats) if n_rows is None else (n_rows, n)

    def error(n: float, difference: float) -> float:
        rows, repeats = design(n)
        return sd * math.sqrt((1 - instability + instability / repeats) / rows)

    def errors(n: float) -> Errors:
        rows, repeats = design(n)
        if math.isinf(rows):
            return errors_of(repeats)
        return _projected_errors(repeats, instability, usual_correlation(of_mean=of_mean))

    halves = f"{n_repeats} x 2 folds" if n_rows is None else "repeated halves"
    return Plan(
        test=f"projection t test on {halves}",
        function="projection_t",
        unit="row" if n_rows is None else "repetition",
        beyond="" if n_rows is None else "more rows",
        least=_FEWEST_ROWS if n_rows is None else FEWEST_REPEATS,
        varied={
            "sd": "standard deviation of one row's difference",
            "instability": "share of that from the training rows",
        },
        zeros={"instability": 0.5},
        assumptions=(
            "rows are independent, and what one row's difference owes to other training rows "
            "is independent of what another's does",
            "a row matters as a test row more than as a training row; where the loss of "
            "strongly regularised learners is planned, take twice the standard deviation",
            "the difference and the standard deviation stay as they are with more rows",
        ),
        references=(works.HAJEK_1968, works.EVE_ET_AL_2026),
        error=error,
        df=lambda n: design(n)[1],
        errors=errors,
    )


@lru_cache(maxsize=256)
def _projected_errors(n_repeats: float, instability: float, correlation: float) -> Errors:
    """Return the law of the ratio of estimated to true standard errors of the projection test.

    Row i scores ``a_i + e_ri`` in repetition r: a_i is its own, and e_ri changes with the
    training half. Let M be the difference of the means of a over both halves, and g that of e.
    Over repetitions the M are independent, as the g are, and the estimate is independent of
    both. In units of ``var(a) / n``, with ``q = 2 var(e) / var(a)``, M has the variance 4 and g
    2 q, and the test's own formula (:func:`projection_t`) is

        F = 4 - mean((M + g) M) + max(mean((M + g)^2) / 2 - v, 0) / 2
        SE^2 = max(F, 1) + v (kappa + 1 / 2R),    v = q chi2 / (R - 1)

    where only the lengths of M and of g, the angle between them, and v matter: four numbers,
    whose law is averaged over points that fill four dimensions evenly.
    """
    q = 2 * instability / (1 - instability)
    if math.isinf(n_repeats):
        return np.array([math.sqrt(1 + q * correlation)]), np.ones(1)
    # Multiples of the powers of the root of x^5 = x + 1.
    steps = 1.1673039782614187 ** -np.arange(1, 5)
    points = (0.5 + np.outer(np.arange(1, _POINTS + 1), steps)) % 1
    r, chi2 = n_repeats, laws().chi2
    # Sum of M^2, over 4.
    m = chi2.ppf(points[:, 0] if q else (np.arange(_POINTS) + 0.5) / _POINTS, r)
    v = along = g = np.zeros(1)
    if q:
        u = laws().norm.ppf(points[:, 1])
        along = 2 * np.sqrt(2 * q * m) * u  # sum of M g
        g = 2 * q * (u**2 + chi2.ppf(points[:, 2], r - 1))  # sum of g^2
        v = q * chi2.ppf(points[:, 3], r - 1) / (r - 1)
    within = (4 * m + 2 * along + g) / (2 * r)
    first_order = 4 - (4 * m + along) / r + np.maximum(within - v, 0) / 2
    square = np.maximum(first_order, 1) + v * (correlation + 1 / (2 * r))
    return np.sqrt(square / (1 + q / (2 * r))), np.full(_POINTS, 1 / _POINTS)


@planning
def plan_from(
    standard_error: float,
    n: int,
    *,
    stays: float = 0.0,
    df: float | None = None,
    unit: str = "row",
    test: str = "same test",
    beyond: str = "more rows",
    **level: Any,
) -> Plan:
    """Plan from the standard error of a comparison that was made, of any test.

    The variance of the difference on m units is ``standard_error^2 n / m + stays^2``.

    Parameters
    ----------
    standard_error : float
        Standard error in the pilot, as far as it falls with more units; better an upper limit
        of it.
    n : int
        Units of the pilot.
    stays : float, default=0.0
        The rest of it, which more units do not change.
    df : float, optional
        Degrees of freedom of the test, where more units do not change them. By default they
        are one less than the units.
    unit : str, default="row"
        What a unit is.
    test : str, default="same test"
        Name of the test.
    beyond : str, default="more rows"
        What makes `stays` smaller.
    alpha : float, default=0.05
        Level of the test, below 0.5.
    one_sided : bool, default=False
        Whether only one direction counts.

    Returns
    -------
    Plan
        The plan, in these units.

    Raises
    ------
    ValueError
        If a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_from
    >>> plan_from(standard_error=0.0418, n=113, df=1e6).size(difference=0.05).stable
    620
    """
    return Plan(
        test=test,
        unit=unit,
        beyond=beyond,
        varied={"standard_error": "standard error in the pilot"},
        assumptions=(
            f"more {unit}s are like those of the pilot, and vary as much",
            "the difference stays as it is with more of them",
        ),
        references=(works.BROWNE_1995,),
        error=lambda m, difference: math.hypot(standard_error * math.sqrt(n / m), stays),
        df=lambda m: m - 1 if df is None else df,
    )


@planning
def plan_precision(
    *,
    share: float | None = None,
    sd: float | None = None,
    area: float | None = None,
    prevalence: float | None = None,
    placements: tuple[float, float] | None = None,
    **level: Any,
) -> Plan:
    """Plan how precisely the score of one system is known: a share, a mean, or an area.

    The interval of a share is Wilson's (1927). Without a pilot the variance of an area under
    the ROC curve is that of exponential scores (Hanley and McNeil, 1982, equation 1). For
    normal scores of large areas that is up to half too much. With a pilot it is DeLong's:
    `placements` over positive and over negative rows.

    Parameters
    ----------
    share : float, optional
        A share that is expected, such as accuracy, from 0 to 1; 0.5 takes most rows.
    sd : float, optional
        For a mean over rows, their standard deviation; for any other score the standard error
        in a pilot times the root of its number of rows.
    area : float, optional
        The area that is expected, above 0 and below 1.
    prevalence : float, optional
        For an area, the share of positive rows.
    placements : (float, float), optional
        For an area, DeLong's components of the variance in a pilot: the variance over its
        positive rows of the share of negative ones that score lower, and that over its negative
        rows of the share of positive ones that score higher.
    alpha : float, default=0.05
        Level of a test against a fixed score, below 0.5.
    one_sided : bool, default=False
        Whether only one direction of such a test counts.

    Returns
    -------
    Plan
        The plan, in rows: ask ``size_for(half_width)``, or ``half_width(n)``.

    Raises
    ------
    ValueError
        If not exactly one of `share`, `sd` and `area` is given, or a number makes no sense.

    Examples
    --------
    >>> from skstat.stats import plan_precision
    >>> plan_precision(share=0.9).size_for(0.02)
    868
    >>> plan_precision(sd=0.5).size_for(0.05)
    385
    >>> plan_precision(area=0.8, prevalence=0.5).size_for(0.05)
    302
    """
    values = {"share": share, "sd": sd, "area": area}
    chosen, *others = [name for name, value in values.items() if value is not None] or [""]
    if not chosen or others:
        raise ValueError("give one of share=, sd= and area=.")
    for variance in placements or ():
        check_number("placements", variance, least=0, what="two variances of at least 0")
    if area is not None and prevalence is None:
        raise ValueError("area= needs prevalence=, the share of rows of the positive class.")
    cited = {"share": (works.WILSON_1927,), "area": (works.HANLEY_MCNEIL_1982,)}
    per_row = sd or 0.0 if share is None else math.sqrt(share * (1 - share))

    def wilson(n: float, confidence_level: float) -> float:
        z = laws().norm.isf((1 - confidence_level) / 2)
        inner = per_row**2 / n + z * z / (4 * n * n)
        return float(z / (1 + z * z / n) * math.sqrt(inner))

    def error(n: float, difference: float) -> float:
        if area is None or prevalence is None:
            return per_row / math.sqrt(n)
        positive, negative = prevalence * n, (1 - prevalence) * n
        if placements is not None:
            return math.sqrt(placements[0] / positive + placements[1] / negative)
        of_positive = area / (2 - area) - area**2
        of_negative = 2 * area**2 / (1 + area) - area**2
        remainder = (area * (1 - area) - of_positive - of_negative) / positive / negative
        return math.sqrt(of_positive / negative + of_negative / positive + remainder)

    return Plan(
        test="test of one score against a fixed one (normal law)",
        unit="row",
        least=1,
        varied={chosen: "standard deviation per row" if chosen == "sd" else chosen},
        assumptions=("rows are independent",),
        references=cited.get(chosen, ()),
        error=error,
        width=None if share is None else wilson,
    )
