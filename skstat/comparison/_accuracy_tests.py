"""Named tests for right and wrong answers on one test set."""

from functools import partial
from typing import Any, Literal

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison._engine import (
    AnyAdjustment,
    ask_family,
    ask_sample,
    equal_to_truth,
    named_predictions,
    resampling_of,
    two_by_name,
)
from skstat.comparison._predictions import compare_predictions
from skstat.comparison._question import Question
from skstat.metrics import as_metric, cost_sensitive_scorer
from skstat.report import Report
from skstat.report._build import report_of
from skstat.report._doubts import Facts
from skstat.stats import AgreementTable, PairedPredictions, Predictions, Successes
from skstat.stats._common import aligned
from skstat.stats._samples import check_constant


@explains_arguments
def mcnemar_test(
    y_true: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    table: Any = None,
    method: Literal["midp", "exact", "chi2", "edwards"] | None = None,
    cost_matrix: Any = None,
    labels: Any = None,
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
    n_resamples: int = 9_999,
    random_state: Any = None,
) -> Report:
    """McNemar's test of the accuracies (or costs) of two classifiers on one test set.

    Only the rows on which exactly one system is right count: on b rows it is the first, on c
    rows the second. Given b + c, b is binomial with chance 1/2 under the null hypothesis
    (McNemar, 1947) [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,), optional
        True labels.
    a, b : array-like of shape (n_rows,), or (name, array-like), optional
        Labels that the two systems predict.
    table : array-like of shape (2, 2), optional
        Instead of labels, counts: first system right or wrong (rows of the table) by second
        system right or wrong (columns).
    method : {"midp", "exact", "chi2", "edwards"}, optional
        ``"midp"`` (default): the mid-p-value, which never exceeded the level in 9 595
        scenarios ([2]_). ``"exact"``: the binomial test, needlessly conservative.
        ``"chi2"``, ``"edwards"``: asymptotic, without and with continuity correction.
        Costs are compared by sign flips, and have no `method`.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        Compare mean costs instead: ``cost_matrix[i, j]`` is the cost of predicting
        class j when class i is true.
    labels : array-like, optional
        Classes in the order of `cost_matrix`; default ascending.
    names : tuple of str, optional
        Labels of the two systems.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second, that is, is more often
        right (or cheaper).
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`. The interval is Tango's
        (1998), of the difference in accuracy.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.
    n_resamples : int, default=9999
        Sign patterns, with costs and too many rows to count all.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported. It is used for sign
        patterns, with costs and too many rows to count all.

    Returns
    -------
    Report
        Conclusion, numbers and doubts; ``report.evidence.outcome`` has the odds ratio.

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
    if table is not None:
        if any(given is not None for given in (y_true, a, b, cost_matrix)):
            raise ValueError("give a table, or y_true, a and b, not both.")
        question = Question.of(alternative, confidence_level, margin=margin)
        found = ask_sample(
            stats.mcnemar, _counts(table), question, names=names or ("A", "B"),
            metric="accuracy", options={"method": method or "midp"},
        )  # fmt: skip
        return report_of(found)
    if y_true is None or a is None or b is None:
        raise ValueError("give y_true, a and b, or a table of counts.")
    metric: Any = "accuracy"
    test: Any = partial(stats.mcnemar, method=method or "midp")
    if cost_matrix is not None:
        if method is not None:
            raise ValueError(
                f"method={method!r} is of McNemar's test of accuracies; costs are compared by "
                "sign flips: leave method out."
            )
        metric = {"neg_cost": cost_sensitive_scorer(cost_matrix, labels=labels)}
        test = stats.cost
    elif labels is not None:
        raise ValueError("labels order the classes of cost_matrix, which is missing.")
    return compare_predictions(  # type: ignore[return-value]
        y_true, two_by_name(a, b, names), metric=metric, test=test, alternative=alternative,
        confidence_level=confidence_level, margin=margin, n_resamples=n_resamples,
        random_state=random_state,
    )  # fmt: skip


@explains_arguments
def cochran_q_test(
    y_true: Any = None,
    predictions: Any = None,
    *,
    correct: Any = None,
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9_999,
    random_state: Any = None,
) -> Report:
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
        Compare each of the others with this one only.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    n_resamples : int, default=9999
        Permutations, with few rows.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported. It is used for
        permutations, with few rows.

    Returns
    -------
    Report
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
    >>> report.omnibus["statistic_name"], len(report.pairs)
    ('Q', 3)
    """
    if correct is not None:
        if y_true is not None or predictions is not None:
            raise ValueError("give y_true and predictions, or correct, not both.")
        predictions = _answers(correct)
        y_true = np.ones(len(next(iter(predictions.values()))), dtype=np.int64)
    elif y_true is None or predictions is None:
        raise ValueError("give y_true and predictions, or correct answers.")
    resampling = resampling_of(n_resamples, random_state)
    question = Question.of(
        "two-sided", confidence_level, control=control,
        adjustment=adjustment, n_resamples=n_resamples, seed=resampling.seed,
    )  # fmt: skip
    named = named_predictions(predictions)
    found = ask_family(
        Predictions(y_true, named, as_metric("accuracy")), "mcnemar", question, resampling,
        facts=Facts(),
    )  # fmt: skip
    return report_of(found)


@explains_arguments
def binomial_test(
    y_true: Any = None,
    y_pred: Any = None,
    *,
    constant: float,
    successes: int | None = None,
    n: int | None = None,
    interval: Literal["clopper-pearson", "wilson", "jeffreys"] = "clopper-pearson",
    name: str = "A",
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
) -> Report:
    """Test whether the accuracy of one classifier differs from a constant.

    The number of right answers is binomial; the two-sided p-value is twice the smaller
    tail. The constant must be known in advance (chance,
    a published figure); to compare with a baseline scored on the same rows, use
    :func:`mcnemar_test`.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,), optional
        True labels.
    y_pred : array-like of shape (n_rows,), optional
        Predicted labels.
    constant : float
        The accuracy to compare with; for an error rate e, ``1 - e``.
    successes, n : int, optional
        Instead of labels, the number of right answers, and of rows.
    interval : {"clopper-pearson", "wilson", "jeffreys"}, default="clopper-pearson"
        ``"clopper-pearson"`` inverts the test: it excludes `constant` exactly when the test
        rejects. The others are narrower on average, and may disagree with the p-value near
        the level.
    name : str, default="A"
        Label of the classifier.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the accuracy is above `constant`.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.

    Returns
    -------
    Report
        Conclusion, numbers and doubts; the estimate is accuracy - `constant`.

    Raises
    ------
    ValueError
        If neither labels nor counts are given, or `constant` lies outside (0, 1).

    References
    ----------
    .. [1] Fay, M. P. (2010). Two-sided exact tests and matching confidence intervals for
       discrete data. The R Journal, 2(1), 53-58.

    Examples
    --------
    >>> from skstat import binomial_test
    >>> report = binomial_test(successes=4, n=10, constant=0.7, alternative="less")
    >>> round(report.pvalue, 4)
    0.0473
    """
    question = Question.of(alternative, confidence_level, margin=margin)
    constant = check_constant(constant)
    given = tuple(value is not None for value in (y_true, y_pred, successes, n))
    if given not in ((True, True, False, False), (False, False, True, True)):
        raise ValueError("give y_true and y_pred, or successes and n.")
    equal: tuple[str, ...] = ()
    if successes is None:
        # A pair, so that labels are checked as those of two systems are.
        twice = {name: y_pred, f"{name} again": y_pred}
        pair = PairedPredictions(y_true, twice, as_metric("accuracy"))
        successes, n = round(float(pair.scores[0]) * pair.n_rows), pair.n_rows
        equal = equal_to_truth(pair.y_true, pair.outputs)[:1]
    found = ask_sample(
        stats.binomial, Successes(successes, n), question,  # type: ignore[arg-type]
        names=(name, f"constant {constant:g}"), metric="accuracy", constant=constant,
        facts=Facts(equal_to_truth=equal), options={"interval": interval},
    )  # fmt: skip
    return report_of(found)


def _counts(table: Any) -> AgreementTable:
    try:
        return AgreementTable.from_array(table)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"table={table!r} must hold 2 x 2 counts, such as [[54, 18], [6, 22]]: rows are "
            f"the first system right and wrong, columns the second ({error})"
        ) from error


def _answers(correct: Any) -> dict[str, Any]:
    if not (hasattr(correct, "items") or hasattr(correct, "columns")):
        table = np.asarray(correct)
        if table.ndim != 2:
            raise ValueError(
                f"correct has shape {table.shape}; give one row per row of the test set and "
                "one column per system."
            )
        letters = [
            chr(ord("A") + i) if i < 26 else f"system {i}" for i in range(table.shape[1])
        ]
        correct = dict(zip(letters, table.T, strict=True))
    columns = named_predictions(correct)
    given = aligned({f"correct[{name!r}]": column for name, column in columns.items()})
    for name, column in given.items():
        if not np.isin(np.asarray(column), (0, 1)).all():
            raise ValueError(f"{name} must hold 0 (wrong) and 1 (right) only.")
    answers = (np.asarray(column).astype(np.int64) for column in given.values())
    return dict(zip(columns, answers, strict=True))
