"""Predictions on one test set: the named tests."""

from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from skstat import stats
from skstat.comparison._ask import Procedure, Question, ask_sample
from skstat.comparison._blocks import Blocks
from skstat.comparison._families import ADJUSTMENTS, ask_family
from skstat.comparison._predictions import Interval, compare_predictions
from skstat.comparison._test_set import Resampling, ask_pair, named_predictions
from skstat.evaluation import Verbose, draw_seed
from skstat.metrics import as_metric, row_costs
from skstat.report import ComparisonReport, Context, FamilyReport
from skstat.stats import AgreementTable, PairedPredictions, PairedScores, Predictions, Successes
from skstat.stats._predictions import rows_of


def mcnemar_test(
    y_true: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    table: Any = None,
    method: str | None = None,
    cost_matrix: Any = None,
    labels: Any = None,
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
    n_resamples: int = 9_999,
    random_state: Any = None,
) -> ComparisonReport:
    """McNemar's test of the accuracies (or costs) of two classifiers on one test set.

    Only the rows on which one is right and the other wrong count: b with A right, c with
    B right. Given b + c, b is binomial with chance 1/2 under the null hypothesis
    (McNemar, 1947) [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,), optional
        True labels.
    a, b : array-like of shape (n_rows,), or (name, array-like), optional
        Labels that A and B predict.
    table : array-like of shape (2, 2), optional
        Instead of labels, counts of rows: A right or wrong (rows of the table) by B
        right or wrong (columns).
    method : {"midp", "exact", "chi2", "edwards"}, optional
        ``"midp"`` (default): the mid-p-value, which never exceeded the level in 9 595
        scenarios ([2]_). ``"exact"``: the binomial test, needlessly conservative.
        ``"chi2"``, ``"edwards"``: asymptotic, without and with continuity correction.
        With `cost_matrix` ``"sign-flip"`` (default) or ``"empirical-likelihood"``.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        Compare mean costs instead: ``cost_matrix[i, j]`` is the cost of predicting
        class j when class i is true.
    labels : array-like, optional
        Classes in the order of `cost_matrix`; default ascending.
    names : tuple of str, optional
        Labels of A and B.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A is more often right (or cheaper).
    confidence_level : float, default=0.95
        Level of the interval (Tango, 1998) of the difference in accuracy.
    alpha : float, optional
        Level of the test, instead of `confidence_level`.
    n_resamples : int, default=9999
        Sign patterns, with costs and too many rows to count all.
    random_state : int, RandomState or None, default=None
        Seed of the patterns.

    Returns
    -------
    ComparisonReport
        Conclusion, numbers and doubts; ``report.outcome`` has the odds ratio.

    Raises
    ------
    ValueError
        If neither labels nor a table are given, or an argument does not fit.

    References
    ----------
    .. [1] McNemar, Q. (1947). Note on the sampling error of the difference between
       correlated proportions or percentages. Psychometrika, 12(2), 153-157.
    .. [2] Fagerland, M. W., Lydersen, S. & Laake, P. (2013). The McNemar test for binary
       matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC
       Medical Research Methodology, 13, 91.

    Examples
    --------
    >>> from skstat import mcnemar_test
    >>> report = mcnemar_test(table=[[54, 18], [6, 22]], method="exact")
    >>> round(report.estimate, 2), round(report.pvalue, 4)
    (0.12, 0.0227)
    """
    question = Question.of(alternative, confidence_level, alpha)
    if table is not None:
        if y_true is not None or a is not None or b is not None or cost_matrix is not None:
            raise ValueError("give a table, or y_true, a and b, not both.")
        return ask_sample(
            stats.mcnemar,
            AgreementTable.from_array(table),
            question,
            names=names or ("A", "B"),
            metric="accuracy",
            options={"method": method or "midp"},
        )
    if y_true is None or a is None or b is None:
        raise ValueError("give y_true, a and b, or a table of counts.")
    if labels is not None and cost_matrix is None:
        raise ValueError("labels order the classes of cost_matrix, which is missing.")
    outputs = _two(a, b, names)
    resampling = _resampling(n_resamples, random_state)
    if cost_matrix is not None:
        return _costs(y_true, outputs, cost_matrix, labels, method, question, resampling)
    pair = PairedPredictions(y_true, outputs, as_metric("accuracy"))
    return _ask(pair, stats.mcnemar, question, resampling, method=method or "midp")


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
    greater_is_better: bool | None = None,
    interval: Interval = "percentile",
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
    n_resamples: int = 9_999,
    n_jobs: int | None = -1,
    random_state: Any = None,
    verbose: Verbose = "auto",
) -> ComparisonReport:
    """Test two systems by swapping their outputs, for any metric.

    Also known as approximate randomisation: if A and B were alike, their outputs could
    change places on any row ([1]_). The metric is computed anew for every permutation, so
    that it need be no mean. All permutations are counted where they are few.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth.
    a, b : array-like, or (name, array-like)
        Predictions of A and B, of the kind the metric needs.
    metric : str, callable or scorer
        As in :func:`compare_predictions`.
    studentize : bool, default=False
        Divide the difference by its standard error in every permutation, which makes the
        test robust to systems that err in different ways.
    groups, sample_weight, strata, labels, pos_label, greater_is_better
        As in :func:`compare_predictions`.
    interval : {"percentile", "basic", "studentized", "bca"}, default="percentile"
        Kind of bootstrap interval beside the test.
    names : tuple of str, optional
        Labels of A and B.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    alpha : float, optional
        Level of the test, instead of `confidence_level`.
    n_resamples : int, default=9999
        Permutations, and bootstrap resamples for the interval.
    n_jobs, random_state, verbose
        As in :func:`compare_predictions`.

    Returns
    -------
    ComparisonReport
        Conclusion, numbers and doubts.

    Raises
    ------
    ValueError
        If the predictions do not fit the truth or the metric.

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
    question = Question.of(alternative, confidence_level, alpha)
    pair = PairedPredictions(
        y_true,
        _two(a, b, names),
        as_metric(
            metric, labels=labels, pos_label=pos_label, greater_is_better=greater_is_better
        ),
        groups=groups,
        sample_weight=sample_weight,
        strata=strata,
    )
    resampling = _resampling(n_resamples, random_state, interval, n_jobs, verbose)
    return _ask(pair, stats.paired_permutation, question, resampling, studentize=studentize)


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
    labels: Any = None,
    pos_label: Any = None,
    greater_is_better: bool | None = None,
    block_length: int | None = None,
    interval: Interval = "percentile",
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
    n_resamples: int = 9_999,
    n_jobs: int | None = -1,
    random_state: Any = None,
    verbose: Verbose = "auto",
) -> ComparisonReport:
    """Test two systems by drawing test rows with replacement, for any metric.

    The same rows are drawn for both ([1]_), rows or whole groups, and the metric is
    computed anew.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth.
    a, b : array-like, or (name, array-like)
        Predictions of A and B, of the kind the metric needs.
    metric : str, callable or scorer
        As in :func:`compare_predictions`.
    pvalue : {"shift", "berg-kirkpatrick", "sign-reversal"}, default="shift"
        ``"shift"``: two-sided, replicates moved to a mean difference of 0.
        ``"berg-kirkpatrick"``: the one-sided share of replicates of at least twice the
        observed difference ([2]_), a custom in NLP. ``"sign-reversal"``: the one-sided
        share of replicates without the sign observed.
    groups, sample_weight, strata, order, labels, pos_label, greater_is_better
        As in :func:`compare_predictions`.
    block_length : int, optional
        Length of the blocks that are drawn with `order`; default the cube root of the
        number of rows, rounded up.
    interval : {"percentile", "basic", "studentized", "bca"}, default="percentile"
        Kind of interval.
    names : tuple of str, optional
        Labels of A and B.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    alpha : float, optional
        Level of the test, instead of `confidence_level`.
    n_resamples : int, default=9999
        Resamples to draw.
    n_jobs, random_state, verbose
        As in :func:`compare_predictions`.

    Returns
    -------
    ComparisonReport
        Conclusion, numbers and doubts; ``report.outcome.replicates`` holds the resamples.

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
    'A'
    """
    question = Question.of(alternative, confidence_level, alpha)
    pair = PairedPredictions(
        y_true,
        _two(a, b, names),
        as_metric(
            metric, labels=labels, pos_label=pos_label, greater_is_better=greater_is_better
        ),
        groups=groups,
        sample_weight=sample_weight,
        strata=strata,
        order=order,
        block_length=block_length,
    )
    resampling = _resampling(n_resamples, random_state, interval, n_jobs, verbose)
    return _ask(pair, stats.paired_bootstrap, question, resampling, pvalue=pvalue)


def delong_test(
    y_true: Any,
    a: Any,
    b: Any = None,
    *,
    pos_label: Any = None,
    groups: Any = None,
    control: str | None = None,
    adjustment: Literal["holm", "bonferroni", "max-t"] = "holm",
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
) -> ComparisonReport | FamilyReport:
    """DeLong's test of two or more areas under ROC curves on one test set.

    The areas are means over pairs of a positive and a negative row, and their covariance
    follows from each row's own mean (DeLong et al., 1988) [1]_, computed from mid-ranks in
    O(n log n). Rows in groups use Obuchowski's (1997) extension.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    a : array-like of shape (n_rows,), (name, array-like), or mapping
        Scores or probabilities of A; or a mapping of name to scores of several systems.
    b : array-like of shape (n_rows,) or (name, array-like), optional
        Scores of B.
    pos_label : object, optional
        Positive class; needed unless the labels are 0/1 or -1/1.
    groups : array-like of shape (n_rows,), optional
        Group of every row; groups are then the independent units.
    control : str, optional
        With several systems, compare every other one with this one only.
    adjustment : {"holm", "bonferroni", "max-t"}, default="holm"
        With several systems, how p-values are adjusted.
    names : tuple of str, optional
        Labels of A and B.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A has the larger area.
    confidence_level : float, default=0.95
        Level of the intervals.
    alpha : float, optional
        Level of the tests, instead of `confidence_level`.

    Returns
    -------
    ComparisonReport or FamilyReport
        Two systems; or several, with the Wald test of all areas at once.
        ``report.outcome.auc_intervals()`` gives intervals of the single areas.

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
    'A'
    """
    if b is None and names is not None:
        raise ValueError("names label a and b; a mapping names its systems itself.")
    return compare_predictions(  # type: ignore[return-value]
        y_true,
        named_predictions(a) if b is None else _two(a, b, names),
        metric="roc_auc",
        test="delong",
        pos_label=pos_label,
        groups=groups,
        control=control,
        adjustment=adjustment,
        alternative=alternative,
        confidence_level=confidence_level,
        alpha=alpha,
        random_state=0,
    )


def cochran_q_test(
    y_true: Any = None,
    predictions: Any = None,
    *,
    correct: Any = None,
    control: str | None = None,
    adjustment: Literal["holm", "bonferroni", "max-t"] = "holm",
    confidence_level: float | None = None,
    alpha: float | None = None,
    n_resamples: int = 9_999,
    random_state: Any = None,
) -> FamilyReport:
    """Cochran's Q of the accuracies of several classifiers, and McNemar's test of all pairs.

    ``Q = (k - 1) (k sum G_j^2 - T^2) / (k T - sum L_i^2)`` with k - 1 degrees of freedom, G_j
    the right answers of system j and L_i those on row i (Cochran, 1950) [1]_. With few rows
    the answers are permuted within rows instead.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,), optional
        True labels.
    predictions : mapping or DataFrame of str to array-like, optional
        Predicted labels of each system.
    correct : mapping or array-like of shape (n_rows, n_systems), optional
        Instead of labels, whether each system is right on each row (0 or 1).
    control : str, optional
        Compare every other system with this one only.
    adjustment : {"holm", "bonferroni", "max-t"}, default="holm"
        How the p-values of the pairs are adjusted.
    confidence_level : float, default=0.95
        Level of the intervals.
    alpha : float, optional
        Level of the tests, instead of `confidence_level`.
    n_resamples : int, default=9999
        Permutations, with few rows.
    random_state : int, RandomState or None, default=None
        Seed of the permutations.

    Returns
    -------
    FamilyReport
        The test of all (``report.omnibus``) and of the pairs.

    Raises
    ------
    ValueError
        If neither predictions nor correct answers are given.

    References
    ----------
    .. [1] Cochran, W. G. (1950). The comparison of percentages in matched samples.
       Biometrika, 37(3/4), 256-266.

    Examples
    --------
    >>> from skstat import cochran_q_test
    >>> correct = {"a": [1, 1, 1, 0, 1, 1], "b": [1, 0, 0, 0, 1, 0], "c": [1, 1, 0, 0, 0, 0]}
    >>> report = cochran_q_test(correct=correct)
    >>> report.omnibus.statistic_name, len(report)
    ('Q', 3)
    """
    question = Question.of("two-sided", confidence_level, alpha)
    if adjustment not in ADJUSTMENTS:
        raise ValueError(
            f"adjustment={adjustment!r} is unknown; use one of {', '.join(ADJUSTMENTS)}."
        )
    if correct is not None:
        if y_true is not None or predictions is not None:
            raise ValueError("give y_true and predictions, or correct, not both.")
        predictions = _answers(correct)
        y_true = np.ones(len(next(iter(predictions.values()))), dtype=np.int64)
    elif y_true is None or predictions is None:
        raise ValueError("give y_true and predictions, or correct answers.")
    everything = Predictions(y_true, named_predictions(predictions), as_metric("accuracy"))
    return ask_family(
        everything,
        "mcnemar",
        question,
        _resampling(n_resamples, random_state),
        control=control,
        adjustment=adjustment,
        context=Context(),
    )


def binomial_test(
    y_true: Any = None,
    y_pred: Any = None,
    *,
    constant: float,
    successes: int | None = None,
    n: int | None = None,
    interval: Literal["wilson", "clopper-pearson", "jeffreys"] = "wilson",
    name: str = "A",
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
) -> ComparisonReport:
    """Test whether the accuracy of one classifier differs from a constant.

    The number of right answers is binomial. The constant must be known in advance (chance,
    a published figure); to compare with a baseline scored on the same rows, use
    :func:`mcnemar_test`.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,), optional
        True and predicted labels.
    constant : float
        The accuracy to compare with; for an error rate e, ``1 - e``.
    successes, n : int, optional
        Instead of labels, the number of right answers, and of rows.
    interval : {"wilson", "clopper-pearson", "jeffreys"}, default="wilson"
        ``"clopper-pearson"`` guarantees its coverage and is wider.
    name : str, default="A"
        Label of the classifier.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the accuracy is above `constant`.
    confidence_level : float, default=0.95
        Level of the interval.
    alpha : float, optional
        Level of the test, instead of `confidence_level`.

    Returns
    -------
    ComparisonReport
        Conclusion, numbers and doubts; the estimate is accuracy - `constant`.

    Raises
    ------
    ValueError
        If neither labels nor counts are given, or `constant` lies outside (0, 1).

    References
    ----------
    .. [1] Brown, L. D., Cai, T. T. & DasGupta, A. (2001). Interval estimation for a
       binomial proportion. Statistical Science, 16(2), 101-133.

    Examples
    --------
    >>> from skstat import binomial_test
    >>> report = binomial_test(successes=4, n=10, constant=0.7, alternative="less")
    >>> round(report.pvalue, 4)
    0.0473
    """
    question = Question.of(alternative, confidence_level, alpha)
    counted, labelled = (successes, n), (y_true, y_pred)
    if None not in counted and labelled == (None, None):
        sample = Successes(successes, n)  # type: ignore[arg-type]
    elif counted == (None, None) and y_true is not None and y_pred is not None:
        # A pair, so that labels are checked as those of two systems are.
        pair = PairedPredictions(y_true, {name: y_pred, "": y_pred}, as_metric("accuracy"))
        right = round(float(pair.scores[0]) * pair.n_rows)
        sample = Successes(right, pair.n_rows)
    else:
        raise ValueError("give y_true and y_pred, or successes and n.")
    return ask_sample(
        stats.binomial_test,
        sample,
        question,
        names=(name, f"constant {constant:g}"),
        metric="accuracy",
        constant=constant,
        options={"interval": interval},
    )


def _ask(
    pair: PairedPredictions,
    procedure: Procedure,
    question: Question,
    resampling: Resampling,
    **options: Any,
) -> ComparisonReport:
    """Ask a procedure with options of its own."""
    asked: Any = partial(procedure, **options)
    asked.__name__ = procedure.__name__
    asked.__module__ = procedure.__module__
    return ask_pair(pair, asked, question, resampling, context=Context())


def _costs(
    y_true: Any,
    outputs: dict[str, Any],
    cost_matrix: Any,
    labels: Any,
    method: str | None,
    question: Question,
    resampling: Resampling,
) -> ComparisonReport:
    truth = rows_of("y_true", y_true)
    rows = {
        name: rows_of(f"predictions[{name!r}]", out, len(truth))
        for name, out in outputs.items()
    }
    a, b = row_costs(truth, rows, cost_matrix, labels)
    first, second = outputs
    report = ask_sample(
        stats.cost_test,
        PairedScores(-a, -b, unit="instance"),
        question,
        names=(first, second),
        metric="neg_cost",
        is_loss=True,
        options={
            **resampling.options(stats.cost_test),
            "method": method or "sign-flip",
        },
    )
    return replace(report, design={"kind": "one test set", "notes": [f"{len(truth)} rows"]})


def _two(a: Any, b: Any, names: tuple[str, str] | None) -> dict[str, Any]:
    """Predictions of A and B by label."""
    found = {}
    for given, letter in ((a, "A"), (b, "B")):
        named = isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str)
        label, values = given if named and not isinstance(given[1], str) else (letter, given)
        found[label] = values
    if len(found) < 2:
        raise ValueError("a and b have the same name; rename one.")
    if names is not None:
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"names={names!r} must be two different labels.")
        return dict(zip(names, found.values(), strict=True))
    return found


def _answers(correct: Any) -> dict[str, Any]:
    if hasattr(correct, "items") or hasattr(correct, "columns"):
        columns = named_predictions(correct)
    else:
        table = np.asarray(correct)
        if table.ndim != 2:
            raise ValueError(
                f"correct has shape {table.shape}; give one row per row of the test set and "
                "one column per system."
            )
        letters = [
            chr(ord("A") + i) if i < 26 else f"system {i}" for i in range(table.shape[1])
        ]
        columns = dict(zip(letters, table.T, strict=True))
    for name, column in columns.items():
        if not np.isin(np.asarray(column), (0, 1)).all():
            raise ValueError(f"correct[{name!r}] must hold 0 (wrong) and 1 (right) only.")
    return {name: np.asarray(column).astype(np.int64) for name, column in columns.items()}


def _resampling(
    n_resamples: int,
    random_state: Any,
    interval: str = "percentile",
    n_jobs: int | None = -1,
    verbose: Verbose = "auto",
) -> Resampling:
    return Resampling(
        n_resamples=n_resamples,
        interval=interval,
        seed=draw_seed(random_state),
        workers=Blocks(n_jobs, verbose),
    )
