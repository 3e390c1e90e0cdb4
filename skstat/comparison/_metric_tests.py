"""Named tests for any metric on one test set."""

from functools import partial
from typing import Any, Literal

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison._engine import AnyAdjustment, Interval, named_predictions, two_by_name
from skstat.comparison._predictions import compare_predictions
from skstat.report import Report


@explains_arguments
def paired_permutation_test(
    y_true: Any,
    a: Any,
    b: Any,
    *,
    metric: Any,
    studentize: bool = False,
    groups: Any = None,
    sample_weight: Any = None,
    strata: Any = None,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | None = None,
    interval: Interval | None = None,
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
    n_resamples: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> Report:
    """Test two systems by swapping their outputs, for any metric.

    Also known as approximate randomisation: if the two systems were equally good, their
    outputs could be swapped on any row ([1]_). The metric is computed anew for every
    permutation; it need not be a mean. Where there are few permutations, all of them are
    counted.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth: labels, numbers, or references as strings. A pandas index, or the keys of a
        mapping, are labels of the rows, by which predictions, groups, weights, strata and
        times are matched; other labels are refused.
    a, b : array-like, or (name, array-like)
        Predictions of the two systems, in the form that the metric needs.
    metric : str, callable or scorer
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included.
    studentize : bool, default=False
        Divide the difference by its standard error in every permutation, which makes the
        test robust to systems that err in different ways.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units that are
        resampled and swapped; at least six are needed.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows in the metric.
    strata : array-like of shape (n_rows,), optional
        Strata whose sizes every bootstrap resample keeps; ``strata=y_true`` if the numbers of
        each class were fixed when the test set was made.
    labels : array-like, optional
        Classes that an average runs over; by default, as in scikit-learn, those in the truth
        or predictions of each resample.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    higher_is_better : bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time.
    interval : {"percentile", "basic", "bca"}, optional
        Kind of bootstrap interval. By default the interval contains the differences that the
        test does not reject, so that both agree; a bootstrap interval may contradict it.
    names : tuple of str, optional
        Labels of the two systems.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.
    n_resamples : int or None, default=None
        Permutations, and bootstrap resamples for the interval. None: 9999, and none where a
        saddlepoint approximation of a mean over 500 rows or more needs no draws. Of a
        function of your own that would take more than a minute 1999 or 999 are drawn, and the
        report says so.
    n_jobs : int or None, default=None
        Number of processes for slow metrics; None is one, -1 as many as cores. They are started
        only if that saves time, and the result does not depend on them.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    Report
        Conclusion, numbers and doubts.

    Raises
    ------
    ValueError
        If the predictions do not fit the truth or the metric, or the metric is undefined
        when outputs are swapped.

    References
    ----------
    .. [1] Yeh, A. (2000). More accurate tests for the statistical significance of result
       differences. COLING, 947-953.

    Examples
    --------
    >>> from skstat import paired_permutation_test
    >>> truth = [1, 0, 1, 1, 0, 1, 0, 1]
    >>> a, b = [1, 0, 1, 1, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 1, 0]
    >>> report = paired_permutation_test(truth, a, b, metric="f1", random_state=0)
    >>> round(report.estimate, 3), round(report.pvalue, 3)
    (0.603, 0.125)
    """
    return compare_predictions(  # type: ignore[return-value]
        y_true, two_by_name(a, b, names), metric=metric,
        test=partial(stats.paired_permutation, studentize=studentize), groups=groups,
        sample_weight=sample_weight, strata=strata, labels=labels, pos_label=pos_label,
        higher_is_better=higher_is_better, interval=interval, alternative=alternative,
        confidence_level=confidence_level, margin=margin, n_resamples=n_resamples,
        n_jobs=n_jobs, random_state=random_state,
    )  # fmt: skip


@explains_arguments(block_length="blocks are at least horizon= long, with order=.")
def paired_bootstrap_test(
    y_true: Any,
    a: Any,
    b: Any,
    *,
    metric: Any,
    pvalue: Literal["shift", "berg-kirkpatrick", "sign-reversal"] = "shift",
    groups: Any = None,
    sample_weight: Any = None,
    strata: Any = None,
    order: Any = None,
    horizon: int | None = None,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | None = None,
    interval: Interval = "percentile",
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
    n_resamples: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> Report:
    """Test two systems by drawing test rows with replacement, for any metric.

    The same rows are drawn for both ([1]_), rows or whole groups, and the metric is
    computed anew.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth: labels, numbers, or references as strings. A pandas index, or the keys of a
        mapping, are labels of the rows, by which predictions, groups, weights, strata and
        times are matched; other labels are refused.
    a, b : array-like, or (name, array-like)
        Predictions of the two systems, in the form that the metric needs.
    metric : str, callable or scorer
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included.
    pvalue : {"shift", "berg-kirkpatrick", "sign-reversal"}, default="shift"
        ``"shift"``: two-sided, replicates moved to a mean difference of 0.
        ``"berg-kirkpatrick"``: the one-sided share of replicates of at least twice the
        observed difference ([2]_), common in NLP, in the direction of `alternative` or else
        that of the data. ``"sign-reversal"``: the one-sided share of replicates without the
        sign observed. None is below ``2^(1 - k)``, one-sided ``2^-k``, with k rows or groups
        on which the systems differ.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units that are
        resampled; at least six are needed.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows in the metric.
    strata : array-like of shape (n_rows,), optional
        Strata whose sizes every bootstrap resample keeps; ``strata=y_true`` if the numbers of
        each class were fixed when the test set was made.
    order : array-like of shape (n_rows,), optional
        Time of every row, if rows follow each other.
    horizon : int, optional
        Steps ahead of the forecasts, up to which differences may correlate: the test of
        Diebold and Mariano then takes the variance by its formula, and blocks are at least
        that long. By default the test estimates from the data how far they do.
    labels : array-like, optional
        Classes that an average runs over; by default, as in scikit-learn, those in the truth
        or predictions of each resample.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    higher_is_better : bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time.
    interval : {"percentile", "basic", "bca"}, default="percentile"
        Kind of bootstrap interval.
    names : tuple of str, optional
        Labels of the two systems.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.
    n_resamples : int or None, default=None
        Resamples to draw. None: 9999. Of a function of your own that would take more than a
        minute 1999 or 999 are drawn, and the report says so.
    n_jobs : int or None, default=None
        Number of processes for slow metrics; None is one, -1 as many as cores. They are started
        only if that saves time, and the result does not depend on them.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    Report
        Conclusion, numbers and doubts; the resamples are
        ``report.evidence.outcome.law.replicates``.

    Raises
    ------
    ValueError
        If the predictions do not fit the truth or the metric, or the metric is undefined
        on more than 1 % of the resamples.

    References
    ----------
    .. [1] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap.
       Chapman & Hall.
    .. [2] Berg-Kirkpatrick, T., Burkett, D. & Klein, D. (2012). An empirical
       investigation of statistical significance in NLP. EMNLP-CoNLL, 995-1005.

    Examples
    --------
    >>> from skstat import paired_bootstrap_test
    >>> truth = [1, 0, 1, 1, 0, 1, 0, 1] * 5
    >>> a, b = [1, 0, 1, 1, 0, 1, 0, 0] * 5, [1, 0, 0, 0, 0, 0, 1, 0] * 5
    >>> report = paired_bootstrap_test(truth, a, b, metric="f1", random_state=0)
    >>> report.verdict
    'better'
    """
    return compare_predictions(  # type: ignore[return-value]
        y_true, two_by_name(a, b, names), metric=metric,
        test=partial(stats.paired_bootstrap, pvalue=pvalue), groups=groups,
        sample_weight=sample_weight, strata=strata, order=order, horizon=horizon, labels=labels,
        pos_label=pos_label, higher_is_better=higher_is_better, interval=interval,
        alternative=alternative, confidence_level=confidence_level, margin=margin,
        n_resamples=n_resamples, n_jobs=n_jobs, random_state=random_state,
    )  # fmt: skip


@explains_arguments
def delong_test(
    y_true: Any,
    a: Any,
    b: Any = None,
    *,
    pos_label: Any = None,
    groups: Any = None,
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
) -> Report:
    """DeLong's test of two or more areas under ROC curves on one test set.

    The areas are means over pairs of a positive and a negative row, and their covariance
    follows from each row's own mean (DeLong et al., 1988) [1]_, computed from mid-ranks in
    O(n log n). Rows in groups use Obuchowski's (1997) extension.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    a : array-like of shape (n_rows,), (name, array-like), or mapping
        Scores or probabilities of the first system; or a mapping of name to scores of several
        systems.
    b : array-like of shape (n_rows,) or (name, array-like), optional
        Scores of the second system, if `a` holds one.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units.
    control : str, optional
        Compare each of the others with this one only, of three systems or more.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
    names : tuple of str, optional
        Labels of the two systems.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second, that is, has the larger
        area.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.

    Returns
    -------
    Report
        Two systems; or several, with the Wald test of all areas at once.
        ``report.evidence.outcome.auc_intervals()`` gives intervals of the single areas.

    Raises
    ------
    ValueError
        If there are not two classes, or labels were given instead of scores.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas
       under two or more correlated receiver operating characteristic curves. Biometrics,
       44(3), 837-845.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat import delong_test
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> report = delong_test(y, y + rng.normal(size=200), y + 2 * rng.normal(size=200))
    >>> report.verdict
    'better'
    """
    if b is None and names is not None:
        raise ValueError("names label a and b; a mapping names its systems itself.")
    return compare_predictions(  # type: ignore[return-value]
        y_true, named_predictions(a) if b is None else two_by_name(a, b, names),
        metric="roc_auc", test="delong", pos_label=pos_label, groups=groups, control=control,
        adjustment=adjustment, alternative=alternative, confidence_level=confidence_level,
        margin=margin, random_state=0,
    )  # fmt: skip
