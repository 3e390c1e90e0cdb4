"""An estimator against guessing: dummy predictions or a constant score."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils.metadata_routing import get_routing_for_object

from skstat.comparison._ask import (
    Margin,
    Question,
    ask_constant,
    ask_metric,
    refuse_early,
)
from skstat.comparison._choice import procedure_of
from skstat.comparison._guide import recommend
from skstat.comparison._situation import Situation
from skstat.evaluation import (
    CheapestClass,
    CrossValidationRun,
    Design,
    RandomGuess,
    Verbose,
    check_data,
    draw_seed,
    evaluate,
    is_loss,
    metric_sources,
    named_arguments,
    random_splits,
    routed_groups,
    rows_known,
)
from skstat.metrics import is_linear_in_labels
from skstat.metrics._costs import Costs, costs_of, is_cost
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
    margin: Margin = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
) -> ComparisonReport | FamilyReport | MetricsReport:
    """Ask whether an estimator is better than guessing, on the same splits.

    The baseline is a dummy that ignores X, fitted and scored on the same splits and
    compared by the projection t test (:func:`skstat.stats.projection_t`), or a constant
    score that was known in advance, compared by the one-sample form. Where the rows'
    shares in the metric are not known, or `cv` is no repeated K-fold, the test is the
    corrected t test (Nadeau & Bengio, 2003).

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
        own settings, or a number, the score to beat. ``"cheapest"`` is for a
        :func:`~skstat.metrics.cost_sensitive_scorer`, and the default there: the
        class that always to predict costs least on the training rows. ``"uniform"`` and
        ``"stratified"`` are scored by their expectation: exactly for metrics linear
        in the predicted labels (accuracy, balanced accuracy, recall, costs), by the mean
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
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the
        scores are seen. The report then says whether the two are equivalent, or one is not
        inferior: :doc:`/equivalence`. For several metrics a mapping of metric to margin.
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
    question = Question.of(alternative, confidence_level, alpha, margin=margin)
    metrics = metric_sources({name: estimator}, scoring)
    question.check_metrics(metrics)
    strategies = strategy if isinstance(strategy, list | tuple) else [strategy]
    if not strategies:
        raise ValueError("strategy is empty; name at least one baseline.")
    by_name = [item for item in strategies if isinstance(item, str | Real)]
    if len(set(by_name)) < len(by_name):
        raise ValueError(f"strategy holds the same baseline twice: {by_name}.")
    several_outputs = np.ndim(y) == 2 and np.shape(y)[1] > 1
    linear = () if several_outputs else _linear(metrics)
    costs = None
    by_default = None in strategies and any(map(is_cost, metrics.values()))
    if by_default or "cheapest" in by_name:
        costs = _costs(metrics, by_default=by_default)
    baselines = _labelled(
        [_baseline(item, estimator, metrics, linear, costs) for item in strategies]
    )
    if params and "sample_weight" in params and get_config()["enable_metadata_routing"]:
        _request_weights(estimator, [dummy for _, dummy in baselines])
    _check_constants(baselines, metrics)
    dummies = {label: dummy for label, dummy in baselines if not isinstance(dummy, Real)}
    everyone = {name: estimator, **dummies}
    known = rows_known(everyone, scoring, y)
    if cv is None and not known:
        data = check_data(X, y, routed_groups(groups, params), [estimator])
        cv = random_splits(data, draw_seed(random_state))

    def situation_of(design: Design, rows_known: bool = True) -> Situation:
        return Situation.of_design(design, n_systems=1, by_rows=known and rows_known)

    def accept(design: Design) -> None:
        refuse_early(procedure_of(recommend(situation_of(design))), question)(design)

    run = evaluate(
        everyone,
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        random_state=random_state,
        accept=accept,
    )
    context = replace(_facts(run, y), n_unadjusted=len(run.metrics))
    situation = situation_of(run.design, run.rows_known)
    choice = recommend(situation)
    by_metric: dict[str, ComparisonReport | FamilyReport] = {}
    for metric in run.metrics:
        reports = [
            ask_constant(
                run,
                question,
                float(baseline),
                name=name,
                metric=metric,
                context=replace(context, majority_share=None),
                choice=recommend(replace(situation, constant=float(baseline))),
            )
            if isinstance(baseline, Real)
            else ask_metric(
                run,
                procedure_of(choice),
                question,
                names=(name, label),
                metric=metric,
                choice=choice,
                context=replace(context, majority_baseline=_guesses_majority(baseline)),
                notes=_notes(label, baseline, metric),
            )
            for label, baseline in baselines
        ]
        by_metric[metric] = reports[0] if len(reports) == 1 else FamilyReport.adjust(reports)
    if len(by_metric) == 1:
        return next(iter(by_metric.values()))
    return MetricsReport(reports=by_metric)


def _labelled(baselines: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Number dummies that share a label."""
    labels, seen = [label for label, _ in baselines], Counter[str]()
    numbered = []
    for label, baseline in baselines:
        seen[label] += 1
        unique = label if labels.count(label) == 1 else f"{label} {seen[label]}"
        numbered.append((unique, baseline))
    return numbered


def _check_constants(baselines: list[tuple[str, Any]], metrics: Mapping[str, Any]) -> None:
    losses = [name for name, source in metrics.items() if is_loss(name, source)]
    for _, baseline in baselines:
        if losses and isinstance(baseline, Real) and float(baseline) > 0:
            raise ValueError(
                f"strategy={baseline!r}: {losses[0]} is a negated error and never above 0; "
                f"write the error to beat as {-float(baseline):g}."
            )


def _request_weights(estimator: Any, baselines: list[Any]) -> None:
    """Let the dummies ask for weights where the estimator does."""
    if not hasattr(estimator, "get_metadata_routing"):
        return
    routing = get_routing_for_object(estimator)
    fit, score = (bool(routing.consumes(m, ["sample_weight"])) for m in ("fit", "score"))
    for baseline in baselines:
        if not isinstance(baseline, Real):
            baseline.set_fit_request(sample_weight=fit).set_score_request(sample_weight=score)


def _linear(metrics: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name for name, source in metrics.items() if _is_linear(name, source))


def _guesses_majority(baseline: Any) -> bool:
    return getattr(baseline, "strategy", "") in ("most_frequent", "prior")


def _baseline(
    strategy: Any,
    estimator: Any,
    metrics: Mapping[str, Any],
    linear: tuple[str, ...],
    costs: Costs | None,
) -> tuple[str, Any]:
    """Label and dummy (or number) of one strategy."""
    if isinstance(strategy, Real) and not isinstance(strategy, bool):
        if not np.isfinite(float(strategy)):
            raise ValueError(f"strategy={strategy!r}: the score to beat must be finite.")
        return f"constant {float(strategy):g}", strategy
    classifier = is_classifier(estimator)
    if strategy is None:
        strategy = "most_frequent" if classifier else "mean"
        strategy = "cheapest" if costs is not None else strategy
    if isinstance(strategy, DummyClassifier | DummyRegressor):
        return f"{strategy.strategy} baseline", clone(strategy)
    if strategy == "cheapest" and costs is not None:
        return "cheapest baseline", CheapestClass(costs.matrix, labels=costs.labels)
    known = ("most_frequent", "prior", *_RANDOM) if classifier else ("mean", "median")
    if strategy not in known:
        raise ValueError(
            f"strategy={strategy!r} is unknown for {type(estimator).__name__}; use one of "
            f"{', '.join(known)}, a number, or a dummy estimator with its own settings."
        )
    label = f"{strategy} baseline"
    if strategy in _RANDOM:
        return label, RandomGuess(
            strategy,
            linear_metrics=linear,
            metrics=tuple(metrics),
            row_metrics=_row_metrics(metrics),
            n_draws=N_DRAWS,
        )
    return label, (DummyClassifier if classifier else DummyRegressor)(strategy=strategy)


def _row_metrics(metrics: Mapping[str, Any]) -> tuple[str, ...]:
    """Metrics that are the same function of a row's labels whichever classes there are."""
    costs = {name: costs_of(source) for name, source in metrics.items()}
    fixed = [name for name, found in costs.items() if found and found.labels is not None]
    return ("accuracy", "accuracy_score", *fixed)


def _costs(metrics: Mapping[str, Any], *, by_default: bool) -> Costs:
    """Costs by which a class is the cheapest; by default no other metric may be asked of."""
    others = [name for name, source in metrics.items() if not is_cost(source)]
    found = {costs_of(source) for source in metrics.values() if is_cost(source)}
    if not found:
        raise ValueError(
            "strategy='cheapest' needs costs: pass scoring=cost_sensitive_scorer(cost_matrix)."
        )
    if len(found) > 1 or (others and by_default):
        raise ValueError(
            f"the cheapest class is a baseline for one cost matrix, and there are the metrics "
            f"{list(metrics)}: ask of them in calls of their own, or name strategy=, "
            "'most_frequent' or 'cheapest' for instance."
        )
    (costs,) = found
    if costs is None:
        raise ValueError(
            "the costs of the scorer cannot be read; make it by "
            "skstat.metrics.cost_sensitive_scorer(cost_matrix)."
        )
    return costs


def _is_linear(name: str, source: Any) -> bool:
    return is_linear_in_labels(name if source is None else source)


def _notes(label: str, baseline: Any, metric: str) -> list[str]:
    if not isinstance(baseline, RandomGuess):
        return []
    if metric in baseline.linear_metrics:
        exact = f"{label}: the exact expectation over its guesses"
        if metric in baseline.row_metrics:
            return [exact]
        return [f"{exact} where the test rows hold every class, else the mean of draws"]
    return [f"{label}: the mean of {baseline.n_draws} draws on every split"]


def _facts(run: CrossValidationRun, y: Any) -> Context:
    """Class shares, on which a baseline's strength depends."""
    labels = np.asarray(y)
    if not run.is_classification or labels.ndim != 1:
        return Context()
    counts = np.unique(labels, return_counts=True)[1]
    return Context(majority_share=float(counts.max() / counts.sum()), n_classes=len(counts))
