"""Comparison of estimators, which are fitted, on one data set or over many."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from skstat import evaluation, stats
from skstat._arguments import explains_arguments
from skstat.comparison import _engine as engine
from skstat.comparison import _guide as guide
from skstat.comparison import _question as questions
from skstat.comparison._question import AnyAdjustment, Margin, Procedure, Question, Rope
from skstat.evaluation._data import check_data
from skstat.evaluation._evaluate import IN_DATASET, evaluate, named_datasets, partitions_of
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import name_estimators, named_arguments
from skstat.evaluation._plan import Fits, formulas_of, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._slices import columns_by_name, slices_of
from skstat.evaluation._splitters import check_train_size
from skstat.report import Report, ReportGrid
from skstat.report._report import report_of
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import pairs_of
from skstat.stats._procedure import check_choice
from skstat.stats._read import labels_of

# The test for each value of ``correction=``.
_CORRECTIONS: dict[str | None, str] = {
    "auto": "auto",
    "projection": "projection_t",
    "nadeau-bengio": "corrected_t",
    "bouckaert": "bouckaert_t",
    None: "paired_t",
}


@explains_arguments()
def paired_cv_ttest(
    estimator_a: Any,
    estimator_b: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    cv: Any = None,
    correction: Literal["auto", "projection", "nadeau-bengio", "bouckaert"] | None = "auto",
    train_size: float | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    stability: int = 0,
    memory: Any = None,
) -> Report | ReportGrid:
    """Compare two estimators by a paired t test over cross-validation splits.

    Both are fitted and scored on the same splits. The default is the projection t test
    (:func:`skstat.stats.projection_t`) on 15 balanced halvings of the rows, 30 fits of
    each: the only test whose type I error stayed at or below its level in simulations, for
    learners and metrics of every kind (:doc:`/any_metric`). The textbook t test treats
    overlapping splits as independent, and finds a difference that does not exist in half of
    all cases. The corrected resampled t test [1]_ does so in up to half of all cases for
    metrics such as the log loss or R² of strongly regularised learners. The conclusion is
    about learners trained on half of the rows.

    Parameters
    ----------
    estimator_a, estimator_b : estimator or (str, estimator)
        The estimators to compare, with a label if the class name is not enough. They are
        cloned, never fitted themselves.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together, and sizes are counted in
        groups.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics give ``report[metric]``. They share one run, but
        for default splits: metrics for which the contribution of a row is not known have their
        own, so that no metric's result depends on the others.
    cv : int, splitter or iterable, optional
        Any scikit-learn splitter, (train, test) pairs, or a number of folds. Default: 15
        balanced halvings, each half training once (:class:`~skstat.evaluation.RepeatedHalves`),
        by group when `groups` is given, and stratified only where a class has fewer than 20
        rows; for ``correction="nadeau-bengio"`` and None 30 random splits with one third for
        testing; and every two of eight blocks left out for metrics for which the contribution
        of a row is not known.
    correction : {"auto", "projection", "nadeau-bengio", "bouckaert"} or None, default="auto"
        How the variance over data sets is estimated from splits. ``"projection"`` measures the
        effect of every row in testing and in training. It needs K-folds with three repeats or
        more, and a metric for which the contribution of every row is known.
        ``"nadeau-bengio"`` adds the ratio of test to training size; ``"bouckaert"`` is the
        test calibrated for 10x10 cross-validation; None is the textbook test, which comes with
        a doubt. ``"auto"`` chooses as :func:`compare_estimators` does: the first where `cv` and
        `scoring` allow it, else the block jackknife on splits of its own, or the second on
        those that you give.
    train_size : {0.5, 0.9}, default=0.5
        Share of the rows that train each model. With 0.9 the scores are those of twice 10
        folds, and their variance is found on 15 halvings (:ref:`nine-tenths`).

        These are 50 fits of each, for the projection t test. `cv` may then be 10
        folds of your own, repeated twice or more.
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
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished.
    stability : int, default=0
        Repeat the whole partition with this many other seeds, and report how many of them give
        the same verdict; 5 means six times as many fits. The p-value, the estimate and the
        interval stay those of the first partition. Needs splits that depend on a seed: the
        default ones, or a splitter that shuffles.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.

    Returns
    -------
    Report or ReportGrid
        Conclusion, numbers, design and doubts; one report per metric if several.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If arguments do not fit together, there are fewer than three splits, or a
        score is undefined.

    See Also
    --------
    five_by_two_cv_test : A cheaper test with ten fits per estimator.
    skstat.stats.corrected_t : The same test on scores that you have.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import paired_cv_ttest
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> report = paired_cv_ttest(
    ...     GaussianNB(), tree, X, y, scoring="roc_auc", random_state=0
    ... )
    >>> report.n_units, report.df
    (30, 15)
    >>> report.verdict
    'better'
    """
    check_choice("correction", correction, _CORRECTIONS)
    if train_size is not None and correction not in ("auto", "projection"):
        raise ValueError(
            f"train_size={train_size} is for correction='projection', the only one whose "
            f"variance is known there: leave one of train_size and correction={correction!r} "
            "out."
        )
    return compare_estimators(
        named_arguments(estimator_a=estimator_a, estimator_b=estimator_b), X, y,
        test=_CORRECTIONS[correction], groups=groups, sample_weight=sample_weight,
        scoring=scoring, cv=cv, train_size=train_size, alternative=alternative,
        confidence_level=confidence_level, margin=margin, rope=rope, params=params,
        n_jobs=n_jobs, verbose=verbose, random_state=random_state, stability=stability,
        memory=memory,
    )  # fmt: skip


@explains_arguments()
def five_by_two_cv_test(
    estimator_a: Any,
    estimator_b: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    statistic: Literal["f", "t"] = "f",
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    stability: int = 0,
    memory: Any = None,
) -> Report | ReportGrid:
    """Compare two estimators by five repeats of twofold cross-validation.

    Ten fits per estimator: five times the rows are shuffled and cut into halves
    (stratified for classifiers), each half training once. The combined F test [1]_
    uses all ten differences; Dietterich's t test [2]_ only the first of them in its
    numerator. The conclusion is about learners trained on half of the rows.

    Parameters
    ----------
    estimator_a, estimator_b : estimator or (str, estimator)
        The estimators to compare, with a label if the class name is not enough. They are
        cloned, never fitted themselves.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics share one run: ``report[metric]``.
    statistic : {"f", "t"}, default="f"
        Alpaydin's F or Dietterich's t, from the same fits.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second. The F test is two-sided
        only.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`. For several metrics a mapping of metric to margin.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished.
    stability : int, default=0
        Repeat the whole partition with this many other seeds, and report how many of them give
        the same verdict; 5 means six times as many fits. The p-value, the estimate and the
        interval stay those of the first partition.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.

    Returns
    -------
    Report or ReportGrid
        Conclusion, numbers, design and doubts; one report per metric if several.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If arguments do not fit together, or `alternative` is one-sided for F.

    References
    ----------
    .. [1] Alpaydin, E. (1999). Combined 5x2 cv F test for comparing supervised
       classification learning algorithms. Neural Computation, 11(8), 1885-1892.
       :doi:`10.1162/089976699300016007`
    .. [2] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation, 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import five_by_two_cv_test
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> report = five_by_two_cv_test(GaussianNB(), tree, X, y, random_state=0)
    >>> report.n_units, report.df
    (10, (10, 5))
    """
    check_choice("statistic", statistic, ("f", "t"))
    named = named_arguments(estimator_a=estimator_a, estimator_b=estimator_b)
    data = check_data(X, y, groups, named.values())
    seed = seed_for(random_state, Store.of(memory))
    return compare_estimators(
        named, X, y, test=f"five_by_two_{statistic}", groups=groups,
        sample_weight=sample_weight, scoring=scoring,
        cv=evaluation.FiveByTwo(stratify=data.stratifiable, random_state=seed),
        alternative=alternative, confidence_level=confidence_level, margin=margin,
        params=params, n_jobs=n_jobs, verbose=verbose, random_state=seed, stability=stability,
        memory=memory,
    )  # fmt: skip


@explains_arguments()
def compare_estimators(
    estimators: Any,
    X: Any,
    y: Any = None,
    *,
    test: str | Procedure = "auto",
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    cv: Any = None,
    budget: int | None = None,
    train_size: float | None = None,
    by: Any = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    stability: int = 0,
    memory: Any = None,
) -> Report | ReportGrid:
    """Compare two or more estimators on one data set: is one really better?

    With three estimators or more, every pair is compared on the shared splits. The joint
    distribution of all differences gives the p-values, the intervals, which hold for all pairs
    at once, and the estimators that may be the best: those that no other one is significantly
    better than ([1]_, section 5.2).

    Parameters
    ----------
    estimators : mapping of str to estimator, or list
        The estimators; a list may hold (name, estimator) pairs or estimators, whose class
        names become labels. They are cloned, never fitted themselves.
        Differences are those of the first minus the second.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    test : {"auto"}, str or callable, default="auto"
        ``"auto"`` is the projection t test, on the default design unless `cv` or `budget`
        say otherwise; the block jackknife for metrics for which the contribution of a row is
        not known, and the corrected t test for splits other than a repeated K-fold.
        ``report.choice`` gives the reason, and so does :func:`recommend_test` without a fit.
        Else the name of a procedure of :mod:`skstat.stats` (``"corrected_t"``,
        ``"five_by_two_f"``, ...) or a function from a :class:`~skstat.stats.PairedScores` to
        an outcome; `cv` must suit it, and ``"block_jackknife_t"``, which assumes nothing about
        learners and metric, makes its own splits if `cv` is left out
        (:doc:`/block_jackknife`). With three estimators or more every pair is tested.
    control : str, optional
        Compare each of the others with this one only.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together, and sizes are counted in
        groups.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics give ``report[metric]``. They share one run, but
        for default splits: metrics for which the contribution of a row is not known have their
        own, so that no metric's result depends on the others.
    cv : int, splitter or iterable, optional
        Any scikit-learn splitter, (train, test) pairs, or a number of folds. Default: 15
        balanced halvings, each half training once (:class:`~skstat.evaluation.RepeatedHalves`),
        by group when `groups` is given, and stratified only where a class has fewer than 20
        rows; a `test` that needs other splits gets those, such as 30 random splits with one
        third for testing for ``"corrected_t"``.
    budget : int, optional
        Number of fits per estimator that you can afford, instead of `cv`. From 10 on, half as
        many balanced halvings of the rows are made, up to 23. With fewer fits no test about
        learners is valid, and an error says so. 30, the default, train on 15 times the rows
        of the data in all. With `train_size` 0.9 the first 20 are on nine tenths of the rows,
        and 20 on halves are needed beside them: 50, its default, train on 33 times the rows.
        Metrics that need splits of another kind have a budget of their own
        (:doc:`/any_metric`).
    train_size : {0.5, 0.9}, default=0.5
        Share of the rows that train each model. With 0.9 the scores are those of twice 10
        folds, and their variance is found on 15 halvings (:ref:`nine-tenths`).

        These are 50 fits of each, for the projection t test. `cv` may then be 10
        folds of your own, repeated twice or more.
    by : str, list of str, array-like of shape (n_samples,), mapping, callable, optional
        Slices of the rows, in each of which estimators are compared too, by the same fits:
        a column whose values name them, several columns, masks, the name of a column of `X` or
        a list of them, a function of `X` that returns one of these, or what
        :func:`make_slices` returned. For metrics that are means over rows: :doc:`/slices`.
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
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished. Tests that draw take the same seed.
    stability : int, default=0
        Repeat the whole partition with this many other seeds, and report how many of them give
        the same verdict; 5 means six times as many fits. The p-value, the estimate and the
        interval stay those of the first partition. Needs splits that depend on a seed: the
        default ones, or a splitter that shuffles.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.

    Returns
    -------
    Report or ReportGrid
        Two estimators; three or more; with `by` two or more in every slice; or one report per
        metric if several.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If there is one estimator only, or arguments do not fit together.

    See Also
    --------
    paired_cross_validate : The run alone, for several tests.
    compare_search_candidates : The candidates of a fitted search.

    References
    ----------
    .. [1] Hsu, J. C. (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> estimators = {"NB": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    >>> report = compare_estimators(estimators, X, y, random_state=0)
    >>> report.names
    ('NB', 'stump')

    Three, of which two may be the best:

    >>> estimators["tree"] = DecisionTreeClassifier(random_state=0)
    >>> compare_estimators(estimators, X, y, random_state=0).may_be_best
    ('NB', 'tree')
    """
    named = name_estimators(estimators)
    if len(named) < 2:
        raise ValueError(f"estimators holds {len(named)}; for one use compare_to_baseline.")
    slices = None
    if by is not None:
        if sample_weight is not None or stability:
            argument = "stability" if sample_weight is None else "sample_weight"
            raise ValueError(f"by= and {argument}= cannot be combined: leave one of them out.")
        formulas = formulas_of(named, scoring, y)
        if others := [n for n, form in formulas.items() if not getattr(form, "is_mean", False)]:
            raise ValueError(
                f"by= needs the scores of single rows, and {others[0]} is not known to be a "
                "mean over rows. Ask for accuracy, a loss or an error; or compare predictions "
                "for one test set, which may have any metric: compare_predictions(y_true, "
                "predictions, by=...)."
            )
        frame = None if labels_of(X) is None else X  # y has the order of an array
        n_rows = int(X.shape[0]) if hasattr(X, "shape") else len(X)
        by = by(X) if callable(by) else columns_by_name(X, by)
        slices = slices_of(by, n_rows, {"X": frame, "y": y})
    fits = Fits(
        named=named, X=X, y=y, groups=groups, sample_weight=sample_weight, params=params,
        n_jobs=n_jobs, verbose=verbose, store=Store.of(memory),
    )  # fmt: skip
    seed = seed_for(random_state, fits.store)
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, test=test, control=control,
        adjustment=adjustment, in_slices=by is not None, seed=seed,
    )  # fmt: skip
    pairs_of(list(named), question.control)  # raises if the control is unknown
    question.check_scoring(named, scoring)
    if question.test != "auto":
        guide.refuse_model_of_splits(question.test)

    def ask(scoring: Any, metrics: tuple[str, ...]) -> Any:
        slice_question = replace(question, metrics=metrics)
        overall_question = engine.on_all_rows(slice_question)
        plan = guide.SplitPlan.of(
            fits, overall_question, scoring=scoring, cv=cv, budget=budget, train_size=train_size
        )

        partitions, reports = partitions_of(plan.cv, seed, stability, plan.halves), []
        for run in evaluate(fits, scoring=scoring, partitions=partitions, accept=plan.check):
            chosen = plan.choose(run.design, rows_known=run.rows_known)
            reports.append(engine.compare_run(run, slice_question, slices, chosen=chosen))
        report, *others = reports
        return engine.with_seeds(report, others, partitions[1:]) if others else report

    apart = cv is None and question.test == "auto" and not check_train_size(train_size)
    return report_of(guide.on_own_splits(named, scoring, y, ask, apart=apart))


@explains_arguments(**IN_DATASET)
def friedman_nemenyi(
    estimators: Any,
    datasets: Mapping[str, Any],
    *,
    scoring: Any = None,
    cv: Any = None,
    statistic: Literal["f", "chi2", "exact"] = "f",
    ties: Literal["corrected", "uncorrected"] = "corrected",
    control: str | None = None,
    confidence_level: float = 0.95,
    params: Mapping[str, Any] | None = None,
    memory: Any = None,
    error_score: Literal["raise", "collect"] = "raise",
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
) -> Report | ReportGrid:
    """Compare several estimators over data sets by Friedman's and Nemenyi's tests.

    The estimators are ranked on every data set. Friedman's test asks whether the mean
    ranks differ at all; Nemenyi's test which pairs do, by one critical difference
    [1]_. With a control the Bonferroni-Dunn test compares it with the others.

    Parameters
    ----------
    estimators : mapping of str to estimator, or list
        The estimators; a list may hold (name, estimator) pairs or estimators, whose class
        names become labels. They are cloned, never fitted themselves.
    datasets : mapping of str to data set
        By name: ``(X, y)``, a Bunch with ``data`` and ``target``, a :class:`~skstat.Dataset`,
        or a function without arguments that loads one of these. Loaded data are released after
        their last fit, so that 200 data sets need not fit in memory. With `n_jobs`, functions
        may be called in another thread of this process.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics share one run: ``report[metric]``.
    cv : int or splitter, optional
        Splits within every data set that has none of its own. Default: ten shuffled folds,
        stratified for classes, and by group where a :class:`~skstat.Dataset` has groups;
        fewer where there are too few groups, or rows of a class.
    statistic : {"f", "chi2", "exact"}, default="f"
        Form of Friedman's test: that of Iman and Davenport, chi-squared, or the exact
        distribution for few data sets.
    ties : {"corrected", "uncorrected"}, default="corrected"
        Whether Friedman's statistic is corrected for ties; [1]_ does not.
    control : str, optional
        Compare each of the others with this one only.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    params : mapping, optional
        Parameters for ``fit`` on all data sets; those for a single data set belong in its
        :class:`~skstat.Dataset`.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.
    error_score : {"raise", "collect"}, default="raise"
        What to do when an estimator cannot be fitted or scored, or a data set cannot be
        loaded: stop, or continue with the rest and list it in ``failures``.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished.

    Returns
    -------
    Report or ReportGrid
        Mean ranks, verdicts, and the critical difference diagram (``report.plot()``);
        one report per metric if several.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names data set and split.
    ValueError
        If arguments do not fit together.

    See Also
    --------
    compare_over_datasets : The recommended tests, which judge a pair by its own scores.

    References
    ----------
    .. [1] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer, load_iris, load_wine
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import friedman_nemenyi
    >>> report = friedman_nemenyi(
    ...     [GaussianNB(), RidgeClassifier(), DecisionTreeClassifier(random_state=0)],
    ...     {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine},
    ...     scoring="accuracy",
    ...     random_state=0,
    ... )
    >>> round(report.critical_difference, 3)
    1.914
    """
    return compare_over_datasets(
        estimators, datasets, test=partial(stats.friedman, statistic=statistic, ties=ties),
        post_hoc="nemenyi" if control is None else "bonferroni_dunn", control=control,
        scoring=scoring, cv=cv, confidence_level=confidence_level, params=params, memory=memory,
        error_score=error_score, n_jobs=n_jobs, verbose=verbose, random_state=random_state,
    )  # fmt: skip


@explains_arguments(**IN_DATASET)
def compare_over_datasets(
    estimators: Any,
    datasets: Mapping[str, Any],
    *,
    test: str | Callable[..., Any] = "auto",
    post_hoc: str | Callable[..., Any] = "wilcoxon",
    adjustment: Adjustment | Literal["auto"] = "auto",
    control: str | None = None,
    scoring: Any = None,
    cv: Any = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    params: Mapping[str, Any] | None = None,
    memory: Any = None,
    error_score: Literal["raise", "collect"] = "raise",
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    n_resamples: int | None = None,
    random_state: Any = None,
) -> Report | ReportGrid:
    """Compare estimators over many data sets: which is better on data like these?

    Every estimator is scored on the same splits of every data set. The mean over the
    splits is one score; the units of the tests are the data sets, never the folds.

    Parameters
    ----------
    estimators : mapping of str to estimator, or list
        The estimators; a list may hold (name, estimator) pairs or estimators, whose class
        names become labels. They are cloned, never fitted themselves.
    datasets : mapping of str to data set
        By name: ``(X, y)``, a Bunch with ``data`` and ``target``, a :class:`~skstat.Dataset`,
        or a function without arguments that loads one of these. Loaded data are released after
        their last fit, so that 200 data sets need not fit in memory. With `n_jobs`, functions
        may be called in another thread of this process.
    test : {"auto"}, str or callable, default="auto"
        For three estimators or more the test of all at once: ``"friedman"`` (the default,
        in the form of Iman and Davenport), ``"quade"``, ``"friedman_aligned"``,
        ``"repeated_measures_anova"``, ``"skillings_mack"`` (the default where scores are
        missing), or a
        function from a :class:`~skstat.stats.ScoreTable` to an
        :class:`~skstat.stats.OmnibusOutcome`. For two estimators the test of the pair:
        ``"wilcoxon"`` (the default), ``"sign"``, ``"paired_t"``, or a function. With `rope`
        also ``"hierarchical"``: the default with the probabilities of a model of all splits,
        :func:`skstat.stats.hierarchical_posterior`. ``"bradley_terry"`` is the default of three
        estimators or more together with `rope`: its report says which one is the best, with
        what probability, by :func:`skstat.stats.bradley_terry`.
    post_hoc : str or callable, default="wilcoxon"
        How pairs are compared: by a test of two systems (``"wilcoxon"``, ``"sign"``,
        ``"sign_flip"``, ``"paired_t"``), by mean ranks (``"mean_ranks"``,
        ``"exact_mean_ranks"``, ``"aligned_ranks"``, ``"quade"``, ``"conover"``,
        ``"conover_quade"``), or by one critical difference of mean ranks (``"nemenyi"``, with
        a control ``"bonferroni_dunn"``). Or a function from a table to a
        :class:`~skstat.stats.PairwiseOutcome`.
    adjustment : str, default="auto"
        How p-values of the pairs are adjusted: by a method of
        :func:`skstat.stats.adjust_pvalues`, such as ``"holm"`` (the default), ``"shaffer"`` or
        ``"bergmann-hommel"``. ``"nemenyi"`` and ``"bonferroni_dunn"`` have an adjustment of
        their own.
    control : str, optional
        Compare each of the others with this one only.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics share one run: ``report[metric]``.
    cv : int or splitter, optional
        Splits within every data set that has none of its own. Default: ten shuffled folds,
        stratified for classes, and by group where a :class:`~skstat.Dataset` has groups;
        fewer where there are too few groups, or rows of a class.
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
    params : mapping, optional
        Parameters for ``fit`` on all data sets; those for a single data set belong in its
        :class:`~skstat.Dataset`.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.
    error_score : {"raise", "collect"}, default="raise"
        What to do when an estimator cannot be fitted or scored, or a data set cannot be
        loaded: stop, or continue with the rest and list it in ``failures``.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    n_resamples : int or None, default=None
        Resamples to draw, for a test that draws, such as ``"sign_flip"``. None leaves the
        number to the test.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished. Tests that draw take the same seed.

    Returns
    -------
    Report or ReportGrid
        For two estimators a comparison, for more the report on a table; one report per
        metric if several.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names data set and split.
    ValueError
        If arguments do not fit together.

    See Also
    --------
    friedman_nemenyi : The classical tests and their diagram.
    compare_scores : The same for a table of scores that exists.

    References
    ----------
    .. [1] Demšar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research, 7, 1-30.
    .. [2] Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc
       tests based on mean-ranks? Journal of Machine Learning Research, 17(5), 1-10.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer, load_iris, load_wine
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_over_datasets
    >>> report = compare_over_datasets(
    ...     [GaussianNB(), RidgeClassifier(), DecisionTreeClassifier(random_state=0)],
    ...     {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine},
    ...     random_state=0,
    ... )
    >>> list(report.names)
    ['GaussianNB', 'RidgeClassifier', 'DecisionTreeClassifier']
    """
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, test=test, control=control,
        n_resamples=n_resamples,
    )  # fmt: skip
    pairs = questions.checked_test(post_hoc, rope)
    tests = engine.TableTests.of(question.test, adjustment, pairs, "post_hoc")
    named = name_estimators(estimators)
    question.check_scoring(named, scoring)
    tests.check([*named], len(named_datasets(datasets)), question)
    run = evaluation.cross_validate_over_datasets(
        named, datasets, scoring=scoring, cv=cv, params=params, memory=memory,
        error_score=error_score, n_jobs=n_jobs, verbose=verbose, random_state=random_state,
    )  # fmt: skip
    try:
        return report_of(engine.ask_datasets_run(run, tests, question))
    except Exception as error:  # keep the fits
        error.run = run  # type: ignore[attr-defined]
        error.add_note(
            "All fits are done: they are in the attribute `run` of this error, which you can "
            "pass to compare_scores for another test."
        )
        raise
