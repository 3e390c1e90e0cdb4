"""How good an estimator is, with an interval: the front door."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from skstat._arguments import explains_arguments
from skstat._spelling import what_to_use
from skstat.comparison._engine import named_rows, on_own_splits, run_facts
from skstat.comparison._guide import check_budget
from skstat.comparison._performance import choice, methods
from skstat.evaluation import CrossValidationRun, NestedKFold
from skstat.evaluation._data import check_data
from skstat.evaluation._evaluate import Partition, evaluate
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import is_known_stable, one_or_more
from skstat.evaluation._plan import Fits, rows_known, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._scoring import metric_sources, resolve_scoring, weighted_metrics
from skstat.evaluation._splitters import FITS_OF_FOLDS, check_train_size, repeated_folds
from skstat.metrics._row_metric import RowMetric
from skstat.report import Doubt, Report, ReportGrid
from skstat.report._build import report_of
from skstat.report._doubts import Facts, find_doubts
from skstat.report._evidence import Performance, PerformanceEvidence, one_or_per_metric
from skstat.stats import Estimate, Scores, ShareEstimate, holdout_estimate
from skstat.stats._outcomes import check_level
from skstat.stats._test_set import check_method


@explains_arguments
def estimate_performance(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    method: str = "auto",
    cv: Any = None,
    budget: int | None = None,
    train_size: float | None = None,
    interval: str = "wilson",
    confidence_level: float = 0.95,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    memory: Any = None,
) -> Report | ReportGrid:
    """Estimate how good an estimator is, with an interval for a named estimand.

    The standard error of the mean of cross-validation scores is too small, because splits
    share training rows. Each method here says what it estimates, and its coverage was
    measured: :doc:`/performance`. The default is the projection over 15 repeats of two halves,
    whose 95 % interval contained the truth in 92 % of all simulations or more in 401 of 424
    cells of learner, metric and size; the report says what was found on data like yours. The
    interval is for the learner trained on half of the rows.

    Parameters
    ----------
    estimator : estimator or (str, estimator), or a mapping or list of these
        The estimator, with a label if its class name is not enough. It is cloned, never fitted
        itself. Or several, which are scored on the same splits; for
        two there is also an interval of their difference. A search for parameters
        (``GridSearchCV``, or a pipeline that holds one) is estimated as it is: the search is
        repeated in every training set.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together for projection, hold-out
        and corrected t. No interval with groups is known for the other methods,
        and they are refused.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
        Methods that read the scores of single rows are refused where the metric is weighted.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics share one run: ``report[metric]``.
    method : str, default="auto"
        - ``"holdout"``: one split; Wilson or Clopper-Pearson for rows that are right or
          wrong, Student's t for other means over rows, bootstrap percentiles for other
          metrics. Estimand: this fitted model.
        - ``"projection"``: 15 repeats of two balanced halves, with the variance of
          :func:`~skstat.stats.projection_estimate`, for metrics for which the contribution of
          every row is known. Estimand: the learner with half of the rows.
        - ``"corrected_t"``: 25 random splits with one tenth of the rows for testing, or one
          third unless all estimators are known to be stable, with the variance of Nadeau &
          Bengio (2003) [1]_. Estimand: the learner. For the log loss and Brier score of
          strongly regularised learners, its interval contained the truth in only half of all
          simulations.
        - ``"nested_cv"``: nested cross-validation of Bates, Hastie & Tibshirani (2024) [2]_,
          K (K + 1) / 2 fits for each repeat. Estimand: the learner.
        - ``"cross_validation"``: one K-fold with the normal law of Bayle et al. (2020)
          [3]_. Estimand: the K fitted models.
        - ``"bootstrap"``, ``"bootstrap632"``, ``"bootstrap632+"``: bootstrap samples,
          tested on the rows that they lack, for metrics that are means over rows
          (Efron & Tibshirani, 1997) [4]_. Estimand: the learner.
        - ``"auto"``: chosen by `budget` or `cv`; without either the projection, or the
          corrected t for metrics for which the contribution of a row is not known.
    cv : int, splitter or iterable, optional
        Splits instead of those of the method: for ``"projection"`` a K-fold with three
        repeats or more, for ``"nested_cv"`` a :class:`NestedKFold`, for the bootstrap a
        :class:`BootstrapOutOfBag`.
    budget : int, optional
        Number of fits per estimator that you can afford. ``"auto"`` takes nested
        cross-validation from 500 on if all estimators are known to be stable and all metrics
        are of predicted labels, the projection from 10 on (half as many halvings, up to 23),
        or the corrected t, and below 10 one hold-out split. `train_size` 0.9 takes 20 fits on
        nine tenths of the rows, and 20 or more on halves. Metrics that need splits of another
        kind have a budget of their own.
    train_size : {0.5, 0.9}, default=0.5
        Share of the rows that train each model. With 0.9 the scores are those of twice 10
        folds, and their variance is found on 15 halvings (:ref:`nine-tenths`).

        These are 50 fits, for ``method="projection"``. `cv` may then be 10
        folds of your own, repeated twice or more.
    interval : {"wilson", "clopper-pearson", "jeffreys"}, default="wilson"
        Interval of a share of right rows of one test set; Clopper-Pearson guarantees its
        level.
    confidence_level : float, default=0.95
        Level of the interval.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
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
        Estimates, intervals, estimand, training scores and doubts; one report per metric if
        several.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If arguments do not fit together, or the method needs the scores of rows and the
        metric has none.

    See Also
    --------
    compare_estimators : Is one better than the other?

    Notes
    -----
    The best score of a search, ``GridSearchCV(...).best_score_``, is not an estimate: it is
    the luckiest of all candidates' scores, on the same rows that chose the candidate. Pass the
    search itself. Training scores (optimistic) are shown beside the estimates, to show how
    much is learnt by heart; they are not estimates either.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it
       estimate and how well does it do it? Journal of the American Statistical
       Association, 119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`
    .. [3] Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33, 16339-16350.
    .. [4] Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+
       bootstrap method. Journal of the American Statistical Association, 92(438), 548-560.
       :doi:`10.1080/01621459.1997.10474007`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skstat import estimate_performance
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> report = estimate_performance(GaussianNB(), X, y, random_state=0)
    >>> low, high = report.confidence_interval()
    >>> bool(low < report.estimate < high), report.n_fits
    (True, 30)
    """
    named = one_or_more(estimator)
    check_level(confidence_level)
    check_method(interval, "interval")
    nine_tenths = check_train_size(train_size, cv=cv)
    check_budget(budget, nine_tenths=nine_tenths)
    if method != "auto" and method not in methods.METHODS:
        raise ValueError(
            f"method={method!r} is unknown; {what_to_use(method, methods.METHODS)}."
        )
    if budget is not None and cv is not None:
        raise ValueError(f"budget={budget} chooses the splits, and cv= gives them: drop one.")
    _refuse_frozen(named)
    resolve_scoring(named, scoring)
    if nine_tenths and method not in ("auto", "projection"):
        raise ValueError(
            f"train_size={train_size} is for method='projection', the only one whose variance "
            f"is known there: leave one of train_size and method={method!r} out."
        )
    data = check_data(X, y, groups, named.values(), params)
    store = Store.of(memory)
    seed = seed_for(random_state, store)
    fits = Fits(
        named=named,
        X=X,
        y=y,
        groups=groups,
        sample_weight=sample_weight,
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        store=store,
    )
    cv = cv if cv is None or hasattr(cv, "split") or not np.iterable(cv) else list(cv)
    stable = all(map(is_known_stable, named.values()))

    def ask(scoring: Any, metrics: tuple[str, ...]) -> Any:
        sources = metric_sources(named, scoring)
        known = {
            name: None if y is None else RowMetric.of(name if source is None else source, y)
            for name, source in sources.items()
        }
        weighted = weighted_metrics(named, scoring, sample_weight)
        known |= dict.fromkeys(weighted)  # scores of single rows know no weights
        contribute = rows_known(named, scoring, y)
        name, reason = method, ""
        if nine_tenths:
            name, reason = "projection", "the projection is known for training on nine tenths"
        elif method == "auto" and cv is not None:
            name, reason = choice.by_splits(cv, data, known, named)
        elif method == "auto":
            name, reason = choice.by_budget(
                budget, data, known, stable=stable, contribute=contribute
            )
        chosen = methods.METHODS[name]
        if weighted and chosen.by_rows:
            raise ValueError(
                f"method={name!r} reads the scores of single rows, but sample_weight= says "
                "that rows do not count equally. Use 'projection' or 'corrected_t', which read "
                "weighted scores, or leave sample_weight out."
            )
        choice.check_answers(name, chosen, known, data, contribute=contribute)
        affordable = budget
        if budget is not None:
            least = chosen.least + chosen.fit_whole
            if budget < least:
                raise ValueError(
                    f"budget={budget}: method={name!r} needs {least} fits at least."
                )
            affordable = budget - chosen.fit_whole
        if nine_tenths and affordable is not None:
            affordable -= FITS_OF_FOLDS
        splits = methods.SplitRequest(data=data, seed=seed, budget=affordable, stable=stable)
        halves = chosen.splits(splits) if nine_tenths else None
        splitter = cv
        if cv is None:
            splitter = repeated_folds(data, seed) if nine_tenths else chosen.splits(splits)
        responses = {
            row.response for row in known.values() if row is not None and chosen.by_rows
        }
        keep_rows = contribute and (
            chosen.by_contributions or (method, name) == ("auto", "corrected_t")
        )
        # Predictions are kept of one repeat, to see which classes are named.
        (found,) = evaluate(
            fits,
            scoring=scoring,
            partitions=[Partition(splitter, halves=halves)],
            kept_splits=None if keep_rows else 0,
            responses=responses,
            fit_whole=chosen.fit_whole,
            scores_training=lambda split: (
                not chosen.fit_whole and methods.is_main_split(splitter, split)
            ),
            accept=lambda design: chosen.check(design, splitter),
            keep_rows=keep_rows,
        )
        notes = _notes(named)
        reports = {}
        for metric in found.metrics:
            scores = methods.RunScores(
                run=found,
                metric=metric,
                rows=known.get(metric),
                splitter=splitter,
                interval=interval,
                seed=seed,
                method_name=name,
            )
            why = reason
            if method == "auto":
                own, why = choice.by_contributions(name, reason, projects=scores.projects)
                scores = replace(scores, method_name=own)
                if own == name == "projection":
                    measured = choice.measured_coverage(
                        known.get(metric),
                        n_rows=found.design.n_samples,
                        rarest=found.rarest_class,
                        grouped=found.design.groups is not None,
                    )
                    why = "; ".join(filter(None, (why, measured)))
            reports[metric] = _report(scores, why, confidence_level, notes)
        return one_or_per_metric(reports)

    if method == "auto" and cv is None and not nine_tenths:
        return report_of(on_own_splits(named, scoring, y, ask))
    return report_of(ask(scoring, ()))


def _refuse_frozen(named: Mapping[str, Any]) -> None:
    """Refuse what was fitted before, whatever rows it has seen."""
    for name, estimator in named.items():
        last = estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
        if isinstance(last, FrozenEstimator):
            raise ValueError(
                f"{name} is frozen: nothing would be fitted, and it may have seen the test "
                "rows. Score rows that it has not seen, and pass their scores to "
                "skstat.stats.holdout_estimate."
            )


def _report(
    scores: methods.RunScores, reason: str, confidence_level: float, notes: list[str]
) -> PerformanceEvidence:
    method = scores.method
    if method.by_rows and not scores.agrees():
        raise ValueError(
            f"the scores of the rows do not add up to scoring={scores.metric!r} (are there "
            "weights, or does the scorer look at other outputs?), and "
            f"method={scores.method_name!r} is based on them. Use 'corrected_t'."
        )
    run, design = scores.run, scores.design
    rows: list[Performance] = []
    doubts: list[Doubt] = []
    for column, name in enumerate(scores.names):
        found, fell_back = _estimate(scores, (name,))
        assert found is not None
        low, high = run.bounds[scores.metric]
        row = Performance(
            name=name,
            estimate=_with_ignored(found.within(low, high), name, run),
            # Of the models that the estimate is about.
            training_score=float(run.whole[name].scores[scores.metric])
            if run.whole
            else float(np.nanmean(run.training_scores[scores.metric][:, column])),
        )
        rows.append(row)
        facts = _facts(scores, row, (name,), fell_back=fell_back)
        doubts += find_doubts(facts)
        if method.by_splits and facts.of_labels:
            doubts += find_doubts(named_rows(run, (name,)))
    difference = None
    if len(rows) == 2:
        found, still = _estimate(scores, scores.names)
        if found is not None:
            a, b = scores.names
            found = _with_ignored(_with_ignored(found, a, run), b, run)
            difference = Performance(name=f"{a} - {b}", estimate=found)
            doubts += find_doubts(_facts(scores, difference, (), fell_back=still))
    return PerformanceEvidence(
        rows=tuple(rows),
        difference=difference,
        metric=scores.metric,
        is_loss=scores.metric in run.losses,
        confidence_level=confidence_level,
        method=scores.method_name,
        reason=reason,
        training_share=scores.training_share if method.on_part else None,
        n_fits=run.n_fits * len(rows),
        design=design.describe(
            notes,
            nine_tenths=method.by_contributions and run.suits_folds(scores.metric),
        ),
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _estimate(
    scores: methods.RunScores, systems: methods.Systems
) -> tuple[Estimate | None, bool]:
    """Ask the method; where nothing varies, count every tested row once."""
    found = scores.method.read(scores, systems)
    if found is None or isinstance(found, ShareEstimate):
        return found, False
    if not np.isnan(found.confidence_interval().low):
        return found, False
    counted = _counted_once(scores, systems)
    if counted is None:
        return found, True
    counted = replace(
        counted, estimand=found.estimand, method=f"{found.method}; {counted.method}"
    )
    return counted, True


def _counted_once(scores: methods.RunScores, systems: methods.Systems) -> ShareEstimate | None:
    """Judge scores that do not vary by the rows that were tested, if all are right or wrong."""
    value = float(scores.columns(systems)[0])
    counts = scores.rows is not None and scores.rows.metric.is_accuracy
    if len(systems) > 1 or not counts or value not in (0.0, 1.0):
        return None
    tested = np.unique(np.concatenate([test for _, test in scores.design.splits]))
    found = holdout_estimate(
        np.full(len(tested), value),
        interval=scores.interval,  # type: ignore[arg-type]
    )
    assert isinstance(found, ShareEstimate)
    return found


def _with_ignored(found: Estimate, name: str, run: CrossValidationRun) -> Estimate:
    ignored = found.ignored_variance
    if name in run.fixed_seeds:
        ignored = (*ignored, f"the random_state of {name}, held fixed")
    return replace(found, ignored_variance=ignored)


def _facts(
    scores: methods.RunScores, row: Performance, names: methods.Systems, *, fell_back: bool
) -> Facts:
    """Say what the doubts go by, of one estimator or of the difference of two."""
    design, run = scores.design, scores.run
    nested = isinstance(scores.splitter, NestedKFold)
    metric = None if scores.rows is None else scores.rows.metric
    return replace(
        run_facts(run, names, scores.metric),
        method=scores.method,
        names=names or (row.name,),
        metric=scores.metric,
        is_loss=scores.metric in run.losses,
        estimate=row.estimate,
        gap=row.gap,
        unit="split",
        sample=scores.of_folds(names or scores.names)
        if scores.method.by_contributions
        else Scores(
            run.column(scores.names[0], scores.metric),
            **({"unit": "split"} if design.mixed else design.units()),
        ),
        fell_back=fell_back,
        untested=_untested(scores),
        nested_repeats=scores.splitter.n_repeats if nested else None,
        of_labels=metric is not None and metric.kind == "labels",
    )


def _untested(scores: methods.RunScores) -> tuple[str, ...]:
    """Classes of which no row is ever tested."""
    y = scores.y
    if not scores.run.is_classification or y.ndim != 1:
        return ()
    tested = np.unique(np.concatenate([test for _, test in scores.design.splits]))
    return tuple(map(str, np.setdiff1d(y, y[tested]).tolist()))


def _notes(named: Mapping[str, Any]) -> list[str]:
    """Say what happens to searches, and that their own best score is not an estimate."""
    notes = []
    for name, estimator in named.items():
        searches = [part for part in _parts(estimator) if _is_search(part)]
        if searches:
            notes.append(f"{name} repeats its search in every training set")
        scores = [part.best_score_ for part in searches if hasattr(part, "best_score_")]
        if scores:
            notes.append(
                f"the best_score_ of {name}, {scores[0]:.4g}, is not an estimate: the same "
                f"rows chose the candidate"
            )
    return notes


def _parts(estimator: Any) -> list[Any]:
    return [estimator, *estimator.get_params(deep=True).values()]


def _is_search(part: Any) -> bool:
    """Whether something cross-validates candidates within ``fit``, as a GridSearchCV does."""
    if isinstance(part, type) or not hasattr(part, "get_params"):
        return False
    return {"estimator", "cv", "refit"} <= set(part.get_params(deep=False))
