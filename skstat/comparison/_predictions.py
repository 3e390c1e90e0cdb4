"""Comparison of predictions for one test set, and functions for single tests of them."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat._directions import read_directions
from skstat.comparison import _engine as engine
from skstat.comparison._question import AnyAdjustment, Margin, Procedure, Question, Rope
from skstat.evaluation._data import draw_seed
from skstat.evaluation._jobs import Blocks
from skstat.evaluation._slices import slices_of
from skstat.metrics import ScoreMetric, as_metric
from skstat.metrics._metric import MetricArgumentError, with_direction_of_values
from skstat.report import Report, ReportGrid
from skstat.report._doubts import Facts
from skstat.report._evidence import one_or_per_metric
from skstat.report._report import report_of
from skstat.stats import Predictions
from skstat.stats._chance import DEFAULT_RESAMPLES
from skstat.stats._scores import check_constant


@explains_arguments(verbose="draws that take more than a few seconds tell so by themselves.")
def compare_predictions(
    y_true: Any,
    predictions: Any = None,
    *,
    metric: Any,
    test: str | Procedure = "auto",
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    groups: Any = None,
    sample_weight: Any = None,
    strata: Any = None,
    order: Any = None,
    horizon: int | None = None,
    by: Any = None,
    seeds: Literal["crossed", "average", "means", "per-seed", "pooled"] | None = None,
    paired_seeds: bool = False,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    interval: engine.Interval | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    n_resamples: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> Report | ReportGrid:
    """Compare two or more systems by their predictions for one test set.

    The answer is about these fitted systems, on the population that the test set was drawn
    from. It says nothing about other training data or seeds, unless `seeds` are given.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth: labels, numbers, or references as strings. A pandas index, or the keys of a
        mapping, are labels of the rows, by which predictions, groups, weights, strata and
        times are matched; other labels are refused. Or
        :class:`~skstat.stats.Predictions` alone, truth and predictions with counts of rows:
        :ref:`counted-rows`.
    predictions : mapping or DataFrame of str to array-like
        Predictions of two or more systems in the order of `y_true`: labels, probabilities or
        scores as the metric needs. Probabilities are vectors (of the positive class) or
        matrices in the order of ``predict_proba``. With `seeds` a sequence of such predictions
        for each system, one per seed.
    metric : str, callable or scorer, or a list or dict of these
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included. Several metrics give one report each, from the same seed.
    test : {"auto"}, str or callable, default="auto"
        ``"auto"``: McNemar's mid-p test for the accuracy, DeLong's for the ROC AUC,
        else the permutation test that swaps the systems' outputs, with the interval
        that inverts it. With `groups` the cluster-robust t test for means over rows in 30
        groups or more, else the permutation test by group; with `order` the test of
        Diebold and Mariano for means over rows, else a bootstrap of blocks. Other
        names are those of :mod:`skstat.stats`: ``"paired_permutation"``,
        ``"paired_bootstrap"``, ``"mcnemar"``, ``"delong"``, ``"clustered_t"``,
        ``"sign_flip"``, ``"sign"``, ``"wilcoxon"``, ``"paired_t"``. A function
        takes the sample that its first parameter is annotated with.
    control : str, optional
        Compare each of the others with this one only, of three systems or more.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
        With `interval` ``"auto"`` is ``"holm"``.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units that are
        resampled and swapped; at least six are needed.
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
    by : array-like of shape (n_rows,), DataFrame, mapping, callable or Slices, optional
        Slices of the rows, in each of which systems are compared too: a column whose
        values name them, several columns by their names, masks of True and False by the names
        of slices in a mapping, a function of `y_true` that returns one of these, or what
        :func:`make_slices` returned. p-values and intervals are adjusted for all slices:
        :doc:`/slices`.
    seeds : {"crossed", "average", "means", "per-seed", "pooled"}, optional
        How several seeds of each system are treated. ``"crossed"`` treats seeds and rows as
        random. The others are in common use and ignore some variance; the report says which.
    paired_seeds : bool, default=False
        Whether seed i means the same for every system, because it controls the same thing in
        all of them (the order of the data, the split).
    labels : array-like, optional
        Classes that an average runs over; by default, as in scikit-learn, those in the truth
        or predictions of each resample.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    higher_is_better : bool or mapping of str to bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time. Of several metrics a mapping of
        name to bool. Where the name of a function does not say, higher counts as better, and
        the report says so.
    interval : {"percentile", "basic", "bca"}, optional
        Kind of bootstrap interval. By default that of the test itself: the permutation test
        has the differences that it does not reject, so that p-value and interval agree; the
        bootstrap has percentiles.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`. For several metrics a mapping of metric to margin.
    rope : float or mapping of str to float, optional
        Read the comparison as probabilities too: that one system is better by more than this,
        that the other is, that they are practically the same (:doc:`/probabilities`). In the
        unit of the score, fixed before the scores are seen; 0 is for no such region. For
        several metrics a mapping of metric to rope. Of splits and data sets the test must have
        a law of the difference, as a Student t test has.
    n_resamples : int or None, default=None
        Permutations and bootstrap resamples. None: 9999, and none where a saddlepoint
        approximation of a mean over 500 rows or more needs no draws. Of a
        function of your own that would take more than a minute 1999 or 999 are drawn, and the
        report says so. A bar is shown where they take more than a few seconds.
    n_jobs : int or None, default=None
        Number of processes for slow metrics; None is one, -1 as many as cores. They are started
        only if that saves time, and the result does not depend on them.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    Report or ReportGrid
        One comparison; several systems, all of their pairs; with ``seeds="per-seed"`` one
        comparison per seed; with `by` one per slice, of each pair; or one report per metric.

    Raises
    ------
    ValueError
        If lengths differ, predictions are not of the kind the metric needs, or the test
        does not fit metric, groups, weights or order. The message says what to do.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_predictions
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> systems = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    >>> predictions = {
    ...     name: system.fit(X_train, y_train).predict(X_test)
    ...     for name, system in systems.items()
    ... }
    >>> report = compare_predictions(y_test, predictions, metric="f1_macro", random_state=0)
    >>> report.test
    'paired permutation test, outputs swapped by instance (exact)'
    """
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, test=test, control=control,
        adjustment=adjustment, in_slices=by is not None, n_resamples=n_resamples,
        usual_draws=DEFAULT_RESAMPLES, seed=draw_seed(random_state), interval=interval,
        workers=Blocks(n_jobs), horizon=horizon,
    )  # fmt: skip
    if by is not None and order is not None:
        raise ValueError(
            "by= and order= cannot be combined. Compare the rows of one slice with order=, and "
            "say how many slices were looked at."
        )
    if order is None and horizon is not None:
        raise ValueError(f"horizon={horizon!r} needs order=, the time of every row.")
    metrics = as_metrics(
        metric, labels=labels, pos_label=pos_label, higher_is_better=higher_is_better
    )
    arrays = {"groups": groups, "sample_weight": sample_weight, "strata": strata}
    rows: dict[str, Any] = {**arrays, "order": order}
    draw: Any = "joint" if len(metrics) > 1 else "cells"  # several metrics share draws
    named: dict[str, Any] = {}
    if isinstance(y_true, Predictions):
        _check_counts(y_true, {"predictions": predictions, **rows, "seeds": seeds, "by": by})
        all_rows = y_true.with_(draw=draw)
    else:
        named = engine.named_predictions(predictions)
        metrics = {
            name: with_direction_of_values(value, y_true, named.values())
            for name, value in metrics.items()
        }
    question = question.about(metrics)
    if seeds is not None or paired_seeds:
        options = {"ordered": order is not None, "sliced": by is not None}
        engine.Seeded.check(seeds, question, named, **options)
    if named and seeds is None:
        first = next(iter(metrics.values()))
        all_rows = Predictions(y_true, named, first, **rows, draw=draw)
        if horizon is not None:
            longest = max(1, all_rows.n_rows // 2)
            length = max(all_rows.block_length or 1, min(horizon, longest))
            all_rows = all_rows.with_(block_length=length)
    slices: Any = None
    if by is not None:
        outputs = {} if seeds else {f"predictions[{n!r}]": out for n, out in named.items()}
        by = by(y_true) if callable(by) else by
        slices = slices_of(by, len(y_true), {"y_true": y_true} | outputs)

    def ask(metric: ScoreMetric) -> Any:
        compared: Any
        if seeds is None:
            compared = engine.Predicted.of(all_rows.with_(metric=metric))
        else:
            runs = {"seeds": seeds, "paired_seeds": paired_seeds, "metric": metric, **arrays}
            compared = engine.Seeded.read(y_true, named, **runs)
            if seeds == "per-seed":
                return compared.seed_by_seed(question)
        return engine.compare_in_slices(compared, slices, question)

    return report_of(one_or_per_metric({name: ask(of) for name, of in metrics.items()}))


def _check_counts(counts: Predictions, arrays: Mapping[str, Any]) -> None:
    """Refuse arguments on single rows, which counts of rows cannot use."""
    for argument, value in arrays.items():
        if value is not None:
            raise ValueError(
                f"{argument}= belongs to single rows, and counts hold only how many "
                f"rows there are of each kind: leave {argument}= out, or pass the rows, "
                "compare_predictions(y_true, predictions)."
            )
    if len(counts.names) < 2:
        raise ValueError(f"the counts hold {len(counts.names)} system(s); two are compared.")


def as_metrics(
    metric: Any, *, higher_is_better: Any = None, **options: Any
) -> dict[str, ScoreMetric]:
    """Return metrics by name; `higher_is_better` is one value for all, or by name."""
    if isinstance(metric, dict):
        specified = [(m, {**options, "name": str(name)}) for name, m in metric.items()]
    elif isinstance(metric, list | tuple | set):
        listed = sorted(metric, key=str) if isinstance(metric, set) else list(metric)
        specified = [(m, _where_it_fits(m, options, listed)) for m in listed]
    else:
        specified = [(metric, options)]
    chosen = [as_metric(m, **fitting) for m, fitting in specified]
    if higher_is_better is not None:
        shown = [m.name.removeprefix("neg_") if m.is_loss else m.name for m in chosen]
        higher = read_directions(higher_is_better, shown)
        chosen = [
            as_metric(m, higher_is_better=higher.get(name), **fitting)
            for name, (m, fitting) in zip(shown, specified, strict=True)
        ]
    names = [*map(str, metric)] if isinstance(metric, dict) else [m.name for m in chosen]
    named = dict(zip(names, chosen, strict=True))
    if len(named) < len(chosen):
        raise ValueError(
            f"metric names a metric twice ({names}); pass a dict of name to metric."
        )
    if not named:
        raise ValueError("metric is empty; name at least one.")
    return named


def _where_it_fits(metric: Any, options: dict[str, Any], metrics: Any) -> dict[str, Any]:
    """Return the options without labels and pos_label that only other metrics take."""
    for argument in ("labels", "pos_label"):
        if options.get(argument) is None or _takes(metric, argument, options):
            continue
        if any(_takes(other, argument, options) for other in metrics):
            options = {**options, argument: None}
    return options


def _takes(metric: Any, argument: str, options: dict[str, Any]) -> bool:
    try:
        as_metric(metric, **{argument: options[argument]})
    except ValueError as error:
        return not isinstance(error, MetricArgumentError)
    return True


@explains_arguments(
    cost_matrix="compare_predictions takes metric=cost_sensitive_scorer(cost_matrix).",
    labels="costs have labels: compare_predictions(metric=cost_sensitive_scorer(..., labels)).",
    random_state="nothing is drawn.",
    n_resamples="nothing is drawn.",
)
def mcnemar_test(
    y_true: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    table: Any = None,
    method: Literal["midp", "exact", "chi2", "edwards"] = "midp",
    names: tuple[str, str] | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
) -> Report:
    """McNemar's test of the accuracies of two classifiers on one test set.

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
    method : {"midp", "exact", "chi2", "edwards"}, default="midp"
        ``"midp"``: the mid-p-value, which never exceeded the level in 9 595
        scenarios ([2]_). ``"exact"``: the binomial test, needlessly conservative.
        ``"chi2"``, ``"edwards"``: asymptotic, without and with continuity correction.
    names : tuple of str, optional
        Labels of the two systems.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second, that is, is more often
        right.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`. The interval is Tango's
        (1998), of the difference in accuracy.
    margin : float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`.

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
    test = partial(stats.mcnemar, method=method)
    if table is None:
        if y_true is None or a is None or b is None:
            raise ValueError("give y_true, a and b, or a table of counts.")
        return compare_predictions(  # type: ignore[return-value]
            y_true, _two_by_name(a, b, names), metric="accuracy", test=test,
            alternative=alternative, confidence_level=confidence_level, margin=margin,
            random_state=0,
        )  # fmt: skip
    if any(value is not None for value in (y_true, a, b)):
        raise ValueError("give a table, or y_true, a and b, not both.")
    question = Question.of(alternative, confidence_level, margin=margin)
    counted = engine.Scored(sample=_counts(table), names=names or ("A", "B"), metric="accuracy")
    return report_of(engine.ask(counted, (test, None), question))


@explains_arguments(correct="right (1) and wrong (0) answers are scores: compare_scores.")
def cochran_q_test(
    y_true: Any,
    predictions: Any,
    *,
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
    y_true : array-like of shape (n_rows,)
        True labels.
    predictions : mapping or DataFrame of str to array-like
        Predicted labels of each system.
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
        If there are fewer than two systems, or an argument does not fit.

    References
    ----------
    .. [1] Cochran, W. G. (1950). The comparison of percentages in matched samples.
       Biometrika, 37(3/4), 256-266.

    Examples
    --------
    >>> from skstat import cochran_q_test
    >>> named = {"a": [1, 1, 1, 0, 1, 1], "b": [1, 0, 0, 0, 1, 0], "c": [1, 1, 0, 0, 0, 0]}
    >>> report = cochran_q_test([1, 1, 1, 1, 1, 1], named)
    >>> report.omnibus["statistic_name"], len(report.pairs)
    ('Q', 3)
    """
    question = Question.of(
        "two-sided", confidence_level, control=control, adjustment=adjustment, test="mcnemar",
        n_resamples=n_resamples, seed=draw_seed(random_state),
    )  # fmt: skip
    named = engine.named_predictions(predictions)
    predictions = stats.Predictions(y_true, named, as_metric("accuracy"))
    return report_of(engine.ask_family(engine.Predicted.of(predictions), question))


@explains_arguments()
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
    is_given = tuple(value is not None for value in (y_true, y_pred, successes, n))
    if is_given not in ((True, True, False, False), (False, False, True, True)):
        raise ValueError("give y_true and y_pred, or successes and n.")
    equal = False
    if successes is None:
        # As predictions, so that labels are checked as everywhere else.
        pair = stats.Predictions(y_true, {name: y_pred}, as_metric("accuracy"))
        successes, n = round(float(pair.scores[0]) * pair.n_rows), pair.n_rows
        equal = successes == n
    counted = engine.Scored(
        sample=stats.Successes(successes, n),  # type: ignore[arg-type]
        names=(name, f"constant {constant:g}"), metric="accuracy", constant=constant,
        facts=Facts(equal_to_truth=(name,) * equal),
    )  # fmt: skip
    test = partial(stats.binomial, interval=interval)
    return report_of(engine.ask(counted, (test, None), question))


@explains_arguments()
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
    interval: engine.Interval | None = None,
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
        y_true, _two_by_name(a, b, names), metric=metric,
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
    interval: engine.Interval = "percentile",
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
        y_true, _two_by_name(a, b, names), metric=metric,
        test=partial(stats.paired_bootstrap, pvalue=pvalue), groups=groups,
        sample_weight=sample_weight, strata=strata, order=order, horizon=horizon, labels=labels,
        pos_label=pos_label, higher_is_better=higher_is_better, interval=interval,
        alternative=alternative, confidence_level=confidence_level, margin=margin,
        n_resamples=n_resamples, n_jobs=n_jobs, random_state=random_state,
    )  # fmt: skip


@explains_arguments()
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
        ``report.evidence.outcome.law.auc_intervals()`` gives intervals of the single areas.

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
        y_true, engine.named_predictions(a) if b is None else _two_by_name(a, b, names),
        metric="roc_auc", test="delong", pos_label=pos_label, groups=groups, control=control,
        adjustment=adjustment, alternative=alternative, confidence_level=confidence_level,
        margin=margin, random_state=0,
    )  # fmt: skip


def _counts(table: Any) -> stats.AgreementTable:
    """Return counts from ``[[both, only_a], [only_b, neither]]``, or from a crosstab."""
    counts = table
    if hasattr(counts, "reindex") and hasattr(counts, "columns"):
        labelled = [set(axis) == {True, False} for axis in (counts.index, counts.columns)]
        if all(labelled):  # pandas.crosstab sorts False first
            counts = counts.reindex(index=[True, False], columns=[True, False])
    try:
        cells = np.asarray(counts)
        if cells.shape != (2, 2):
            raise ValueError(f"its shape is {cells.shape}")
        return stats.AgreementTable(*cells.ravel().tolist())
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"table={table!r} must hold 2 x 2 counts, such as [[54, 18], [6, 22]]: rows are "
            f"the first system right and wrong, columns the second ({error})"
        ) from error


def _two_by_name(a: Any, b: Any, names: tuple[str, str] | None) -> dict[str, Any]:
    """Return the predictions of two systems by name; the default names are A and B."""
    by_name = {}
    for value, letter in ((a, "A"), (b, "B")):
        named = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)
        label, values = value if named and not isinstance(value[1], str) else (letter, value)
        by_name[label] = values
    if len(by_name) < 2:
        raise ValueError("a and b have the same name; rename one.")
    if names is not None:
        is_pair = isinstance(names, tuple | list) and len(names) == 2
        if not is_pair or names[0] == names[1]:
            raise ValueError(f"names={names!r} must be two different labels.")
        return dict(zip(names, by_name.values(), strict=True))
    return by_name
