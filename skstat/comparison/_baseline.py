"""An estimator against guessing: dummy predictions or a constant score."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor

from skstat import stats
from skstat.comparison._ask import (
    Question,
    ask_metric,
    ask_sample,
    fixed_seeds,
    refuse_early,
    run_context,
)
from skstat.evaluation import (
    CrossValidationRun,
    RandomGuess,
    Verbose,
    evaluate,
    metric_sources,
    named_arguments,
)
from skstat.metrics import is_linear_in_labels
from skstat.report import ComparisonReport, Context, FamilyReport, MetricsReport

_RANDOM = ("uniform", "stratified")
N_DRAWS = 100


def compare_to_baseline(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    strategy: Any = None,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    alternative: str = "greater",
    confidence_level: float | None = None,
    alpha: float | None = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
) -> ComparisonReport | FamilyReport | MetricsReport:
    """Ask whether an estimator is better than guessing, on the same splits.

    The baseline is a dummy that ignores X, fitted and scored on the same splits and
    compared by the corrected t test (Nadeau & Bengio, 2003), or a constant score
    that was known in advance, compared by the one-sample form.

    Parameters
    ----------
    estimator : estimator or (str, estimator)
        The estimator A, with a label if its class name does not tell enough. It is
        cloned, never fitted itself.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The targets.
    strategy : str, float, dummy estimator, or list of these, optional
        The baseline B: a strategy of :class:`sklearn.dummy.DummyClassifier` (default
        ``"most_frequent"``, the majority class) or
        :class:`sklearn.dummy.DummyRegressor` (default ``"mean"``), a dummy with its
        own settings, or a number, the score to beat. ``"uniform"`` and
        ``"stratified"`` are scored by their expectation: exactly for metrics linear
        in the predicted labels (accuracy, balanced accuracy, recall), by the mean
        of 100 draws for others, so that the luck of a draw adds no noise. A list
        gives one report with p-values adjusted by Holm's method.
    groups, scoring, cv
        As in :func:`paired_cv_ttest`.
    alternative : {"greater", "two-sided", "less"}, default="greater"
        ``"greater"``: the estimator scores higher than the baseline.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    alpha : float, optional
        Level of the test, instead of `confidence_level`.
    params, n_jobs, verbose, random_state
        As in :func:`paired_cv_ttest`.

    Returns
    -------
    ComparisonReport, FamilyReport or MetricsReport
        One comparison; several baselines under one roof; or one report per metric.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If a strategy is unknown or arguments do not fit together.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skstat import compare_to_baseline
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> report = compare_to_baseline(
    ...     GaussianNB(), X, y, strategy=["most_frequent", "uniform", 0.9], random_state=0
    ... )
    >>> [part.verdict for part in report]
    ['A', 'A', 'A']
    """
    (name, estimator), *_ = named_arguments(estimator=estimator).items()
    question = Question.of(alternative, confidence_level, alpha)
    metrics = metric_sources({name: estimator}, scoring)
    strategies = strategy if isinstance(strategy, list | tuple) else [strategy]
    if not strategies:
        raise ValueError("strategy is empty; name at least one baseline.")
    baselines = [_baseline(item, estimator, metrics) for item in strategies]
    labels = [label for label, _ in baselines]
    if len(set(labels)) < len(labels):
        raise ValueError(f"strategy holds the same baseline twice: {labels}.")
    dummies = {label: dummy for label, dummy in baselines if not isinstance(dummy, Real)}
    run = evaluate(
        {name: estimator, **dummies},
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        random_state=random_state,
        accept=refuse_early(stats.corrected_t, question),
    )
    context = replace(_facts(run, y), n_unadjusted=len(run.metrics))
    by_metric: dict[str, ComparisonReport | FamilyReport] = {}
    for metric in run.metrics:
        reports = [
            _against_constant(run, label, float(baseline), metric, question, context)
            if isinstance(baseline, Real)
            else ask_metric(
                run,
                stats.corrected_t,
                question,
                names=(name, label),
                metric=metric,
                context=context,
                notes=_notes(label, baseline, metric),
            )
            for label, baseline in baselines
        ]
        by_metric[metric] = reports[0] if len(reports) == 1 else FamilyReport.adjust(reports)
    if len(by_metric) == 1:
        return next(iter(by_metric.values()))
    return MetricsReport(reports=by_metric)


def _baseline(strategy: Any, estimator: Any, metrics: Mapping[str, Any]) -> tuple[str, Any]:
    """Label and dummy (or number) of one strategy."""
    if isinstance(strategy, Real) and not isinstance(strategy, bool):
        if not np.isfinite(float(strategy)):
            raise ValueError(f"strategy={strategy!r}: the score to beat must be finite.")
        return f"constant {float(strategy):g}", strategy
    classifier = is_classifier(estimator)
    if strategy is None:
        strategy = "most_frequent" if classifier else "mean"
    if isinstance(strategy, DummyClassifier | DummyRegressor):
        return f"{strategy.strategy} baseline", strategy
    known = ("most_frequent", "prior", *_RANDOM) if classifier else ("mean", "median")
    if strategy not in known:
        raise ValueError(
            f"strategy={strategy!r} is unknown for {type(estimator).__name__}; use one of "
            f"{', '.join(known)}, a number, or a dummy estimator with its own settings."
        )
    label = f"{strategy} baseline"
    if strategy in _RANDOM:
        linear = tuple(name for name, source in metrics.items() if _is_linear(name, source))
        return label, RandomGuess(
            strategy, linear_metrics=linear, metrics=tuple(metrics), n_draws=N_DRAWS
        )
    return label, (DummyClassifier if classifier else DummyRegressor)(strategy=strategy)


def _is_linear(name: str, source: Any) -> bool:
    return is_linear_in_labels(name if source is None else source)


def _notes(label: str, baseline: Any, metric: str) -> list[str]:
    if not isinstance(baseline, RandomGuess):
        return []
    if metric in baseline.linear_metrics:
        return [f"{label}: the exact expectation over its guesses"]
    return [f"{label}: the mean of {baseline.n_draws} draws on every split"]


def _facts(run: CrossValidationRun, y: Any) -> Context:
    """Class shares, on which a baseline's strength depends."""
    labels = np.asarray(y)
    if not run.is_classification or labels.ndim != 1:
        return Context()
    counts = np.unique(labels, return_counts=True)[1]
    return Context(majority_share=float(counts.max() / counts.sum()), n_classes=len(counts))


def _against_constant(
    run: CrossValidationRun,
    label: str,
    constant: float,
    metric: str,
    question: Question,
    context: Context,
) -> ComparisonReport:
    name = run.names[0]
    return ask_sample(
        stats.one_sample_t,
        run.scores_of(name, metric=metric),
        question,
        names=(name, label),
        metric=metric,
        is_loss=metric in run.losses,
        design=run.design.describe(),
        constant=constant,
        context=run_context(run, (name,), replace(context, majority_share=None)),
        ignored_variance=fixed_seeds(run, (name,)),
    )
