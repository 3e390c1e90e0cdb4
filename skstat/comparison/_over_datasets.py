"""Estimators over many data sets: the front door, and the classical question."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison._engine import (
    DEFAULT_POST_HOC,
    DatasetsAdjustment,
    PairwiseRequest,
    PostHoc,
    ask_datasets_run,
    check_margin,
    check_model,
    check_posterior,
    is_two_system_question,
    omnibus_named,
)
from skstat.comparison._guide import (
    choose,
    takes_splits_of_datasets,
    test_asked,
    test_beside_model,
)
from skstat.comparison._question import Margin, Question, Rope
from skstat.evaluation import cross_validate_over_datasets
from skstat.evaluation._inputs import name_estimators
from skstat.evaluation._over_datasets import named_datasets
from skstat.evaluation._progress import Verbose
from skstat.report import Report, ReportGrid
from skstat.report._build import report_of
from skstat.stats._common import declared
from skstat.stats._post_hoc import pairs_of
from skstat.stats._samples import check_count


@explains_arguments
def friedman_nemenyi(
    estimators: Any,
    datasets: Mapping[str, Any],
    *,
    scoring: Any = None,
    cv: Any = None,
    groups: Mapping[str, Any] | None = None,
    sample_weight: Mapping[str, Any] | None = None,
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
        Instead of an estimator, a function that makes one for a :class:`~skstat.Dataset` (a
        preprocessing for its columns, say).
    datasets : mapping of str to data set
        By name: ``(X, y)``, a Bunch with ``data`` and ``target``, a :class:`~skstat.Dataset`,
        or a function without arguments that loads one of these. Loaded data are released after
        their last fit, so that 200 data sets need not fit in memory. With `n_jobs`, functions
        may be called in another thread of this process.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics share one run: ``report[metric]``.
    cv : int, splitter or mapping of str to these, optional
        Splits within every data set; a mapping gives them by data set. Default: ten shuffled
        folds, stratified for classes, and by group where groups are given; fewer where there
        are too few groups, or rows of a class.
    groups : mapping of str to array-like, optional
        Groups of the rows of those data sets that have any.
    sample_weight : mapping of str to array-like, optional
        Weights of the rows of those data sets that have any, for every ``fit`` (for a
        pipeline, that of its last step) and for the metrics that take them. An estimator that
        takes no weights is refused. With metadata routing enabled, the requests of estimators
        and scorers decide who gets them.
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
        Progress: ``"auto"`` shows a bar for long runs; a callable gets ``(done, total)``. Very
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
        scoring=scoring, cv=cv, groups=groups, sample_weight=sample_weight,
        confidence_level=confidence_level, params=params, memory=memory,
        error_score=error_score, n_jobs=n_jobs, verbose=verbose, random_state=random_state,
    )  # fmt: skip


@explains_arguments
def compare_over_datasets(
    estimators: Any,
    datasets: Mapping[str, Any],
    *,
    test: str | Callable[..., Any] = "auto",
    post_hoc: str | PostHoc = DEFAULT_POST_HOC,
    adjustment: DatasetsAdjustment = "auto",
    control: str | None = None,
    scoring: Any = None,
    cv: Any = None,
    groups: Mapping[str, Any] | None = None,
    sample_weight: Mapping[str, Any] | None = None,
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
        Instead of an estimator, a function that makes one for a :class:`~skstat.Dataset` (a
        preprocessing for its columns, say).
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
        their own. It may also follow the name of the test: ``post_hoc="wilcoxon-shaffer"``.
    control : str, optional
        Compare each of the others with this one only.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics share one run: ``report[metric]``.
    cv : int, splitter or mapping of str to these, optional
        Splits within every data set; a mapping gives them by data set. Default: ten shuffled
        folds, stratified for classes, and by group where groups are given; fewer where there
        are too few groups, or rows of a class.
    groups : mapping of str to array-like, optional
        Groups of the rows of those data sets that have any.
    sample_weight : mapping of str to array-like, optional
        Weights of the rows of those data sets that have any, for every ``fit`` (for a
        pipeline, that of its last step) and for the metrics that take them. An estimator that
        takes no weights is refused. With metadata routing enabled, the requests of estimators
        and scorers decide who gets them.
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
        Progress: ``"auto"`` shows a bar for long runs; a callable gets ``(done, total)``. Very
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
        alternative, confidence_level, margin=margin, rope=rope, control=control,
        n_resamples=None if n_resamples is None else check_count("n_resamples", n_resamples),
    )  # fmt: skip
    asked = test_asked(test, question)
    pairwise = PairwiseRequest.of(test_asked(post_hoc, question), adjustment)
    # A mapping may also hold functions that make estimators.
    named = estimators if isinstance(estimators, Mapping) else name_estimators(estimators)
    if scoring is not None or not any(map(callable, named.values())):
        question.check_scoring(named, scoring)
    _check_tests(named, datasets, asked, pairwise, question)
    run = cross_validate_over_datasets(
        named, datasets, scoring=scoring, cv=cv, groups=groups, sample_weight=sample_weight,
        params=params, memory=memory, error_score=error_score, n_jobs=n_jobs, verbose=verbose,
        random_state=random_state,
    )  # fmt: skip
    try:
        return report_of(ask_datasets_run(run, asked, pairwise, question))
    except Exception as error:  # it shall not cost the fits
        error.run = run  # type: ignore[attr-defined]
        error.add_note(
            "All fits are done: they are in the attribute `run` of this error, which you can "
            "pass to compare_scores for another test."
        )
        raise


def _check_tests(
    estimators: Mapping[Any, Any],
    datasets: Any,
    test: Any,
    post_hoc: PairwiseRequest,
    question: Question,
) -> None:
    """Ask the tests of scores that rank all systems, so that no fit is wasted on an error."""
    names = [str(name) for name in estimators]
    n_datasets = len(named_datasets(datasets))
    if len(names) < 2:
        raise ValueError(f"estimators holds {len(names)}; there is nothing to compare.")
    pairs_of(names, question.control)
    rng = np.random.default_rng(0)
    scores = rng.permuted(np.tile(np.arange(len(names)), (n_datasets, 1)), axis=1)
    table = stats.ScoreTable(scores, systems=names, unit="dataset")
    if takes_splits_of_datasets(test):
        check_model(test, names, n_datasets, question)
        test = "auto"
    test = test_beside_model(test, names)
    if is_two_system_question(names, test, post_hoc):
        procedure, _ = choose(test, table.pair(*names))
        if not declared(procedure).side_effects:
            check_posterior(
                procedure(table.pair(*names), alternative=question.alternative), question
            )
        return
    omnibus, pairwise = omnibus_named(test), post_hoc.function(question.control, question)
    if not declared(omnibus).side_effects:
        omnibus(table)
    if not declared(pairwise).side_effects:
        pairs = pairwise(table)
        check_margin(question.margin, pairs)
        check_posterior(pairs.outcomes[0], question)
