"""What to fit where: the tasks of several estimators on one data set, and their failures."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType
from typing import Any

from sklearn.utils import get_tags

from skstat.evaluation._data import Data, check_data, check_params, draw_seed, is_routed
from skstat.evaluation._design import Design, check_folds, make_design
from skstat.evaluation._fold import FoldRecord, FoldTask
from skstat.evaluation._kept import Store, StoreWarning
from skstat.evaluation._keys import Keys
from skstat.evaluation._progress import Verbose
from skstat.evaluation._scoring import (
    WEIGHT,
    Scoring,
    metric_sources,
    read_weights,
    resolve_scoring,
    route,
)
from skstat.metrics._row_metric import OwnMean, RowMetric


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """Estimators, the rows that they are fitted on, and how the fits are made.

    Attributes
    ----------
    named : mapping of str to estimator
        The estimators.
    X, y, groups, sample_weight, params : object
        The rows, as the caller gave them.
    n_jobs, verbose : object
        As in all functions that fit.
    store : Store or None
        Where finished fits are kept.
    """

    named: Mapping[str, Any]
    X: Any
    y: Any = None
    groups: Any = None
    sample_weight: Any = None
    params: Mapping[str, Any] | None = None
    n_jobs: int | None = None
    verbose: Verbose = "auto"
    store: Store | None = None


@dataclass(kw_only=True, eq=False)
class RunPlan:
    """Estimators, data, splits and scorers, checked before the first fit."""

    named: Mapping[str, Any]
    data: Data
    scoring: Scoring
    design: Design
    tasks: list[FoldTask]
    weights: Any  # as `sample_weight` gave them, in the order of the data
    by_formula: frozenset[str]  # metrics whose rows have contributions
    rows: Mapping[str, RowMetric | OwnMean]  # what tells how much every row contributes
    called: str = "split {}"  # what its splits are called in messages
    found: list[FoldRecord] = field(default_factory=list)  # kept by an earlier run


def make_plan(
    fits: Fits,
    *,
    scoring: Any,
    cv: Any,
    random_state: Any = None,
    kept_splits: int | None = None,
    accept: Callable[[Design], None] | None = None,
    halves: Design | None = None,
) -> RunPlan:
    """Check what was handed in, and fix the splits.

    `cv` may be a function from the data to a splitter. Predictions of the first
    `kept_splits` splits are kept, default those of the first repeat. `accept` may refuse
    the design. What every row contributes is kept of all splits, unless `kept_splits` is 0.
    `halves` are those from which the variance is found.
    """
    named = fits.named
    data = check_data(fits.X, fits.y, fits.groups, named.values(), fits.params)
    params: Mapping[str, Any] = check_params(data, fits.params)
    pairwise = _pairwise(named, data.X)
    weights = None
    if fits.sample_weight is not None:
        weights, params = read_weights(named, data, params, fits.sample_weight)
    resolved = resolve_scoring(
        named, scoring, weigh=WEIGHT in params if is_routed() else weights is not None
    )
    resolved.check_outputs(named, data.y)
    cv = cv(data) if isinstance(cv, FunctionType | partial) else cv
    (of_fits, of_scores), notes = route(named, resolved, params, weights)
    design = make_design(
        cv, data, random_state=random_state, weights=weights, halves=halves, notes=notes
    )
    if halves is not None:
        check_folds(design)
    if accept is not None:
        accept(design)
    y = None if kept_splits == 0 else data.y
    rows, by_formula = _row_metrics(resolved.sources, y)
    if design.folds is None or len(design.folds) < 2:  # nobody will ask for so many calls
        rows = {name: row for name, row in rows.items() if not isinstance(row, OwnMean)}
    kept = design.splits_per_repeat if kept_splits is None else kept_splits
    of_spread = {}  # metrics that are undefined for a constant y
    for name in resolved.sources:
        if (metric := resolved.known(name)).facts.needs_spread:
            of_spread[name] = metric
    tasks = [
        FoldTask(
            cell=(split, index),
            estimator=estimator,
            scorer=resolved.scorers[index],
            metric=resolved.metric,
            train=train,
            test=test,
            fit_params=of_fits[index],
            score_params=of_scores[index],
            pairwise=pairwise[index],
            responses=("predict",) if split < kept else (),
            row_metrics=rows,
            of_spread=of_spread,
            parts=() if design.n_blocks is None else tuple(design.n_scored[split].tolist()),
        )
        for split, (train, test) in enumerate(design.splits)
        for index, estimator in enumerate(named.values())
    ]
    return RunPlan(
        named=named,
        data=data,
        scoring=resolved,
        design=design,
        tasks=tasks,
        weights=weights,
        by_formula=by_formula,
        rows=rows,
    )


def look_up(plans: Sequence[RunPlan], store: Store | None) -> None:
    """Find the records of plans for the same rows that are kept."""
    if store is None:
        return
    if any(plan.design.unseeded for plan in plans):
        warnings.warn(
            "memory cannot reuse anything: cv draws new splits in every call; give it a "
            "random_state.",
            StoreWarning,
            stacklevel=2,
        )
    keys = Keys(plans[0].data.X, plans[0].data.y, store.vouched)
    for plan in plans:
        tasks, plan.tasks, plan.found = plan.tasks, [], []
        for task in tasks:
            keys.give_to(task)
            if (record := store.load(task)) is None:
                plan.tasks.append(task)
            else:
                record.cell = task.cell
                plan.found.append(record)


def _row_metrics(
    sources: Mapping[str, Any], y: Any
) -> tuple[dict[str, RowMetric | OwnMean], frozenset[str]]:
    """Find what tells how much every row contributes, and for which metrics it will."""
    found: dict[str, RowMetric | OwnMean] = {}
    will = set()
    for name, source in sources.items() if y is not None else ():
        metric: RowMetric | OwnMean | None = RowMetric.of(name if source is None else source, y)
        if metric is not None and metric.has_formula(y):
            will.add(name)
        elif (own := OwnMean.of(source, y)) is not None:
            metric = own
            will.add(name)
        if metric is not None:
            found[name] = metric
    return found, frozenset(will)


def formulas_of(
    named: Mapping[str, Any], scoring: Any, y: Any
) -> dict[str, RowMetric | OwnMean | None]:
    """Return by metric what will say how much every row contributes; None if nothing will.

    Parameters
    ----------
    named : mapping of str to estimator
        The estimators.
    scoring : str, callable, list, tuple or dict
        The metrics.
    y : array-like of shape (n_rows,) or None
        Truth of all rows.
    """
    sources = metric_sources(named, scoring)
    formulas: dict[str, RowMetric | OwnMean | None] = dict.fromkeys(sources)
    for estimator in named.values():
        if hasattr(estimator, "expected_score"):
            return formulas
    rows, will = _row_metrics(sources, y)
    for name in will:
        formulas[name] = rows[name]
    return formulas


def rows_known(named: Mapping[str, Any], scoring: Any, y: Any) -> bool:
    """Whether what every row contributes will be known, of all metrics and estimators."""
    return None not in formulas_of(named, scoring, y).values()


def by_rows_known(
    named: Mapping[str, Any], scoring: Any, y: Any
) -> Sequence[Mapping[str, Any]]:
    """Part the metrics, as they were given; first those whose rows' contributions are known."""
    sources, formulas = metric_sources(named, scoring), formulas_of(named, scoring, y)
    parts: tuple[dict[str, Any], ...] = ({}, {})
    for name, source in sources.items():
        parts[formulas[name] is None][name] = source
    return parts


def no_means(named: Mapping[str, Any], scoring: Any, y: Any) -> list[str]:
    """Name the metrics that are not known to be means over rows."""
    formulas = formulas_of(named, scoring, y)
    return [name for name, metric in formulas.items() if metric is None or not metric.is_mean]


def _pairwise(named: Mapping[str, Any], X: Any) -> list[bool]:
    """Say which estimators take a kernel or distances, and refuse X if it holds none."""
    found: list[bool] = []
    shape: tuple[int, ...] = getattr(X, "shape", ())
    for name, estimator in named.items():
        found.append(get_tags(estimator).input_tags.pairwise)
        if found[-1] and (hasattr(X, "columns") or len(shape) != 2 or shape[0] != shape[1]):
            raise ValueError(
                f"X must be a square array of kernel values or distances for {name}, got "
                f"{type(X).__name__} of shape {shape}."
            )
    return found


def seed_for(random_state: Any, store: Store | None) -> int:
    """Turn `random_state` into a seed; None takes that of the store, if there is one."""
    seed = draw_seed(random_state)
    return store.kept_seed(seed) if random_state is None and store is not None else seed
