"""Estimation of the performance of an estimator, with an interval."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv
from sklearn.pipeline import Pipeline

from skstat._arguments import explains_arguments
from skstat._spelling import what_to_use
from skstat.comparison._engine import label_facts, run_facts
from skstat.comparison._guide import check_budget, on_own_splits
from skstat.comparison._performance_methods import METHODS, Scored, Systems, tested_rows
from skstat.evaluation import BootstrapOutOfBag, Design, NestedKFold
from skstat.evaluation._data import Data
from skstat.evaluation._design import check_splitter
from skstat.evaluation._evaluate import Partition, evaluate
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import is_known_stable, one_or_more
from skstat.evaluation._plan import Fits, formulas_of, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._scoring import resolve_scoring
from skstat.evaluation._splitters import FITS_OF_FOLDS, repeated_folds
from skstat.metrics._row_metric import RowMetric
from skstat.report import Doubt, Report, ReportGrid
from skstat.report._doubts import Doubts, Facts
from skstat.report._evidence import Performance, PerformanceEvidence, one_or_per_metric
from skstat.report._report import report_of
from skstat.stats import Scores, holdout_estimate
from skstat.stats._mcnemar import INTERVAL_REFERENCES, Right
from skstat.stats._procedure import check_choice
from skstat.stats._words import check_level

_NESTED_FROM, _SPLITS_FROM = 500, 10  # fits


@explains_arguments()
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
          :func:`~skstat.stats.t_estimate`, for metrics for which the contribution of
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
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
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
    check_choice("interval", interval, INTERVAL_REFERENCES)
    nine_tenths = check_budget(budget, train_size, cv)
    if method != "auto" and method not in METHODS:
        raise ValueError(f"method={method!r} is unknown; {what_to_use(method, METHODS)}.")
    if budget is not None and cv is not None:
        raise ValueError(f"budget={budget} chooses the splits, and cv= gives them: drop one.")
    notes = [note for name, choice in named.items() for note in _notes(name, choice)]
    resolve_scoring(named, scoring)
    if nine_tenths and method not in ("auto", "projection"):
        raise ValueError(
            f"train_size={train_size} is for method='projection', the only one whose variance "
            f"is known there: leave one of train_size and method={method!r} out."
        )
    fits = Fits(
        named=named, X=X, y=y, groups=groups, sample_weight=sample_weight, params=params,
        n_jobs=n_jobs, verbose=verbose, store=Store.of(memory),
    )  # fmt: skip
    seed = seed_for(random_state, fits.store)
    data = fits.data
    cv = cv if cv is None or hasattr(cv, "split") or not np.iterable(cv) else list(cv)
    stable = all(map(is_known_stable, named.values()))

    def ask(scoring: Any, metrics: tuple[str, ...]) -> Any:
        resolved = resolve_scoring(named, scoring, weigh=sample_weight is not None)
        row_metrics = {
            name: None if y is None else RowMetric.of(source or name, y)
            for name, source in resolved.sources.items()
        }
        # Row metrics do not support weights.
        row_metrics |= dict.fromkeys(resolved.weighted)
        contribute = None not in formulas_of(named, scoring, y).values()
        name, reason = method, ""
        if nine_tenths:
            name, reason = "projection", "the projection is known for training on nine tenths"
        elif method == "auto":
            rows = [*row_metrics.values()]
            name, reason = _by_budget(budget, data, rows, stable, contribute)
            if cv is not None:
                name, reason = _by_splits(cv, data, rows, named.values())
        chosen = METHODS[name]
        _check_method(name, row_metrics, data, contribute)
        fewest = chosen.min_fits + chosen.fit_whole
        if budget is not None and budget < fewest:
            raise ValueError(f"budget={budget}: method={name!r} needs {fewest} fits at least.")
        n_spent = chosen.fit_whole + (FITS_OF_FOLDS if nine_tenths else 0)
        left = None if budget is None else budget - n_spent
        splitter = chosen.splits(data, seed, left, stable) if cv is None or nine_tenths else cv
        halves = splitter if nine_tenths else None
        if nine_tenths:
            splitter = repeated_folds(data, seed) if cv is None else cv
        by_rows = chosen.by_contributions or (method, name) == ("auto", "corrected_t")

        def accept(design: Design) -> None:
            if not chosen.suits(design, splitter):
                raise ValueError(
                    f"method={name!r} reads {chosen.reads}, and cv={design.splitter} gives "
                    f"{design.kind} ({design.n_splits} splits)."
                )

        # Keep the predictions of one repeat, to see which classes are predicted.
        (run,) = evaluate(
            fits,
            scoring=scoring,
            partitions=[Partition(splitter, halves=halves)],
            kept_splits=None if contribute and by_rows else 0,
            responses={row.response for row in row_metrics.values() if row and chosen.by_rows},
            fit_whole=chosen.fit_whole,
            scores_training=lambda split: chosen.trains(splitter, split),
            accept=accept,
        )
        reports = {}
        for metric in run.metrics:
            scored = Scored(run, metric, row_metrics.get(metric), splitter, interval, seed)
            choice = (name, reason) if method != "auto" else _final_choice(name, reason, scored)
            reports[metric] = _evidence(scored, *choice, confidence_level, notes)
        return one_or_per_metric(reports)

    apart = method == "auto" and cv is None and not nine_tenths
    return report_of(on_own_splits(named, scoring, y, ask, apart=apart))


def _notes(name: str, estimator: Any) -> list[str]:
    """Return notes on searches within an estimator; refuse frozen estimators."""
    step = estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
    if isinstance(step, FrozenEstimator):
        raise ValueError(
            f"{name} is frozen: nothing would be fitted, and it may have seen the test rows. "
            "Score rows that it has not seen, and pass their scores to "
            "skstat.stats.holdout_estimate."
        )
    parts = [value for value in estimator.get_params().values() if hasattr(value, "get_params")]
    searches = [
        part
        for part in (estimator, *parts)
        if not isinstance(part, type)
        and {"estimator", "cv", "refit"} <= set(part.get_params(deep=False))
    ]
    notes = [f"{name} repeats its search in every training set"] if searches else []
    scores = [part.best_score_ for part in searches if hasattr(part, "best_score_")]
    return notes + [
        f"the best_score_ of {name}, {score:.4g}, is not an estimate: the same rows chose the "
        "candidate"
        for score in scores[:1]
    ]


def _by_budget(
    budget: int | None, data: Data, rows: Collection[Any], stable: bool, contribute: bool
) -> tuple[str, str]:
    """Return a method for the number of fits, and the reason.

    `contribute` says whether contributions of rows to the scores are known.
    """
    if budget is not None and budget < _SPLITS_FROM:
        return "holdout", f"a budget of {budget} fits is too small for a spread of splits"
    suits = budget is not None and budget >= _NESTED_FROM and stable and data.groups is None
    # For log loss, nested cross-validation had a coverage of 70 % only.
    suited = (row and row.metric.kind == "labels" and row.has_formula(data.y) for row in rows)
    if suits and all(suited):
        reason = f"{budget} fits are enough for it, and it makes the most of the rows"
        return "nested_cv", reason
    if contribute:
        return "projection", "it measures what rows do in testing and in training"
    why = "the contribution of a row to the metric is not known, and it needs only the scores"
    third = "one third of the rows for testing, because the learner is not known to be stable"
    return "corrected_t", f"{why} of splits{'' if stable else f'; {third}'}"


def _by_splits(
    cv: Any, data: Data, rows: Collection[Any], estimators: Iterable[Any]
) -> tuple[str, str]:
    """Return the method for the caller's splits, and the reason."""
    check_splitter(cv)
    reason = "cv makes the splits that it reads"
    if isinstance(cv, NestedKFold):
        return "nested_cv", reason
    if isinstance(cv, BootstrapOutOfBag):
        if data.groups is None and all(row is not None and row.is_mean for row in rows):
            return "bootstrap632+", reason
        return "corrected_t", "cv makes random splits"
    splitter = check_cv(cv, data.y, classifier=any(map(is_classifier, estimators)))
    if splitter.get_n_splits(data.X, data.y, data.groups) == 1:
        return "holdout", "cv gives one split"
    return "corrected_t", "cv gives several splits"


def _final_choice(name: str, reason: str, scored: Scored) -> tuple[str, str]:
    """Return the method of "auto" after scoring, and the reason: the projection if possible."""
    if scored.projects and name == "projection":
        return name, "; ".join(filter(None, (reason, scored.measured_coverage())))
    if scored.projects and name == "corrected_t":
        return "projection", "cv makes the repeated partitions that it reads"
    if name != "projection":
        return name, reason
    return "corrected_t", (
        "the scores are not made up of single rows, so that the contribution of a row is "
        "not known, and it needs only the scores of splits"
    )


def _check_method(name: str, rows: Mapping[str, Any], data: Data, contribute: bool) -> None:
    """Refuse, before any fit, a method that does not suit the metrics or groups."""
    method = METHODS[name]
    if data.groups is not None and not method.grouped:
        methods = ", ".join(repr(key) for key, other in METHODS.items() if other.grouped)
        raise ValueError(
            f"method={name!r} treats rows as independent, but groups= says that they are not; "
            f"no such interval is known for groups. Use {methods}."
        )
    if method.by_contributions and not contribute:
        raise ValueError(
            f"method={name!r} needs the contribution of every row to the score, which is not "
            f"known for scoring={', '.join(rows)}. Use 'corrected_t', or a metric of "
            "scikit-learn that has a formula."
        )
    for metric, row in rows.items() if method.by_rows else ():
        if row is None:
            raise ValueError(
                f"method={name!r} needs the scores of single rows, which are not known for "
                f"scoring={metric!r}, or weighted by sample_weight. Use 'corrected_t', which "
                f"takes {METHODS['corrected_t'].min_fits} fits or more, or a metric of "
                "scikit-learn without weights."
            )
        bootstrapped = name == "holdout" and not row.is_mean  # a bootstrap calls the metric
        if not bootstrapped and not row.has_formula(data.y):
            raise ValueError(
                f"method={name!r} needs the influence of each row on the score, and there is "
                f"no formula for {metric}. Use 'corrected_t' or 'holdout'."
            )
        if method.means_only and not row.is_mean:
            raise ValueError(
                f"method={name!r} is for means over rows, and {metric} is not one. Use "
                "'corrected_t', 'nested_cv' or 'holdout'."
            )


def _evidence(
    scored: Scored, name: str, reason: str, confidence_level: float, notes: list[str]
) -> PerformanceEvidence:
    """Return the report on the score of every estimator, and on the difference of two."""
    method, run, design, metric = METHODS[name], scored.run, scored.design, scored.metric
    if method.by_rows and not (scored.rows and scored.agrees()):
        raise ValueError(
            f"the scores of the rows do not add up to scoring={metric!r} (are there "
            "weights, or does the scorer look at other outputs?), and "
            f"method={name!r} is based on them. Use 'corrected_t'."
        )
    rows: list[Performance] = []
    doubts: list[Doubt] = []
    systems: list[Systems] = [(names,) for names in run.names]
    for names in [*systems, run.names] if len(systems) == 2 else systems:
        estimate, fell_back = _estimate(name, scored, names)
        if estimate is None:
            continue
        training: Any = None
        if len(names) == 1:
            estimate = estimate.within(*run.bounds[metric])
            whole = [run.whole[names[0]].scores] if run.whole else []
            training = whole or [record.training_scores for record in run.records[names[0]]]
            training = float(np.mean([scores[metric] for scores in training if scores]))
        fixed = [f"the random_state of {n}, held fixed" for n in names if n in run.fixed_seeds]
        estimate = replace(estimate, ignored_variance=(*estimate.ignored_variance, *fixed))
        label = " - ".join(names)
        rows.append(Performance(name=label, estimate=estimate, training_score=training))
        facts = _facts(name, scored, names, rows[-1], fell_back)
        doubts += Doubts(facts)
        if method.by_splits and facts.of_labels and len(names) == 1:
            doubts += Doubts(label_facts(run, names))
    n_trained, n_all = np.mean(design.sizes[0]), design.n_groups or design.n_samples
    by_tenths = method.by_contributions and run.suits_folds(metric)
    return PerformanceEvidence(
        rows=tuple(rows[: len(systems)]),
        difference=rows[-1] if len(rows) > len(systems) else None,
        metric=metric,
        is_loss=metric in run.losses,
        confidence_level=confidence_level,
        method=name,
        reason=reason,
        training_share=float(n_trained) / n_all if method.on_part else None,
        n_fits=run.n_fits * len(systems),
        design=design.describe(notes, nine_tenths=by_tenths),
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _estimate(name: str, scored: Scored, systems: Systems) -> tuple[Any, bool]:
    """Return the estimate, and whether the interval was undefined.

    If all rows are right, or all are wrong, every tested row is counted once.
    """
    estimate = METHODS[name].estimate(scored, systems)
    if estimate is None or isinstance(estimate.law, Right):
        return estimate, False
    if not np.isnan(estimate.confidence_interval().low):
        return estimate, False
    value = float(scored.of_splits(systems)[0])
    is_accuracy = scored.rows is not None and scored.rows.metric.is_accuracy
    if len(systems) > 1 or not is_accuracy or value not in (0.0, 1.0):
        return estimate, True
    tested = np.full(len(tested_rows(scored.design)), value)
    by_rows = holdout_estimate(tested, interval=scored.interval)
    words = f"{estimate.method}; {by_rows.method}"
    return replace(by_rows, estimand=estimate.estimand, method=words), True


def _facts(
    name: str, scored: Scored, systems: Systems, row: Performance, fell_back: bool
) -> Facts:
    """Return the facts for doubts about one estimator, or the difference of two."""
    design, run, metric, method = scored.design, scored.run, scored.metric, METHODS[name]
    if method.by_contributions:
        sample = scored.of_folds(systems)
    else:
        units = {"unit": "split"} if design.only_for else design.units()
        sample = Scores(run.column(run.names[0], metric), **units)
    y, untested = np.asarray(run.y), []  # classes without a tested row
    if run.is_classification and y.ndim == 1:
        untested = np.setdiff1d(y, y[tested_rows(design)]).tolist()
    return replace(
        run_facts(run, systems if len(systems) == 1 else (), metric),
        method=method,
        names=(row.name,),
        metric=metric,
        is_loss=metric in run.losses,
        estimate=row.estimate,
        gap=row.gap,
        unit="split",
        sample=sample,
        untested=tuple(map(str, untested)),
        fell_back=fell_back,
        nested_repeats=scored.splitter.n_repeats if name == "nested_cv" else None,
        of_labels=scored.rows is not None and scored.rows.metric.kind == "labels",
    )
