"""What to fit where: the tasks of several estimators on one data set, and their failures."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import repeat
from types import FunctionType
from typing import Any

from sklearn.utils import get_tags

from skstat.evaluation import _data as inputs
from skstat.evaluation import _scoring
from skstat.evaluation._design import Design, check_folds, make_design
from skstat.evaluation._fold import FoldRecord, FoldTask
from skstat.evaluation._kept import Keys, Store, StoreWarning
from skstat.evaluation._progress import Verbose
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

    @cached_property
    def data(self) -> inputs.Data:
        """The rows, checked once for all who look at them."""
        return inputs.check_data(self.X, self.y, self.groups, self.named.values(), self.params)


@dataclass(eq=False)
class RunPlan:
    """Estimators, data, splits and scorers, checked before the first fit."""

    named: Mapping[str, Any]
    data: inputs.Data
    scoring: _scoring.Scoring
    design: Design
    tasks: list[FoldTask]
    weights: Any  # as `sample_weight` gave them, in the order of the data
    by_formula: frozenset[str]  # metrics whose rows have contributions
    rows: Mapping[str, RowMetric | OwnMean]  # what tells how much every row contributes
    split_name: str = "split {}"  # in messages
    stored: list[FoldRecord] = field(default_factory=list)  # by an earlier run


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
    named, data = fits.named, fits.data
    params: Mapping[str, Any] = inputs.check_params(data, fits.params)
    pairwise = _pairwise(named, data.X)
    weights = None
    if fits.sample_weight is not None:
        weights, params = _scoring.read_weights(named, data, params, fits.sample_weight)
    weigh = _scoring.WEIGHT in params if inputs.is_routed() else weights is not None
    resolved = _scoring.resolve_scoring(named, scoring, weigh=weigh)
    resolved.check_outputs(named, data.y)
    cv = cv(data) if isinstance(cv, FunctionType | partial) else cv
    (of_fits, of_scores), notes = _scoring.route(named, resolved, params, weights)
    design = make_design(
        cv, data, random_state=random_state, weights=weights, halves=halves, notes=notes
    )
    if halves is not None:
        check_folds(design)
    if accept is not None:
        accept(design)
    _check_spread(design, data.y, resolved, of_scores[0].get(_scoring.WEIGHT))
    rows, formulas = _row_metrics(resolved.sources, None if kept_splits == 0 else data.y)
    by_formula = frozenset(filter(formulas.get, formulas))
    if design.folds is None or len(design.folds) < 2:  # nobody will ask for so many calls
        rows = {name: row for name, row in rows.items() if not isinstance(row, OwnMean)}
    n_kept = design.splits_per_repeat if kept_splits is None else kept_splits
    tasks = []
    for split, (train, test) in enumerate(design.splits):
        for index, estimator in enumerate(named.values()):
            task = FoldTask(
                cell=(split, index),
                estimator=estimator,
                scorer=resolved.scorers[index],
                metric=resolved.metric,
                train=train,
                test=test,
                fit_params=of_fits[index],
                score_params=of_scores[index],
                pairwise=pairwise[index],
                responses=("predict",) if split < n_kept else (),
                row_metrics=rows,
            )
            if design.n_blocks is not None:
                task.parts = tuple(design.n_scored[split].tolist())
            tasks.append(task)
    return RunPlan(named, data, resolved, design, tasks, weights, by_formula, rows)


def _check_spread(design: Design, y: Any, scoring: _scoring.Scoring, weights: Any) -> None:
    """Refuse test rows of one value where a metric is undefined for them."""
    for name in scoring.sources if y is not None else ():
        metric = scoring.metric_of(name)
        for split in range(design.n_splits if metric.facts.needs_spread else 0):
            for rows in design.scored_rows(split):
                weight = None if weights is None else inputs.own_rows(weights, rows)
                if metric.lacks_spread(inputs.own_rows(y, rows), weight):
                    raise ValueError(
                        f"scoring={name} on split {split} is undefined: y is the same for all "
                        f"{len(rows)} test rows. Use larger or shuffled test sets, or "
                        "neg_mean_squared_error."
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
    keys = Keys(plans[0].data.X, plans[0].data.y, store.code_key)
    for plan in plans:
        tasks, plan.tasks, plan.stored = plan.tasks, [], []
        for task in tasks:
            keys.give_to(task)
            if (record := store.load(task)) is None:
                plan.tasks.append(task)
            else:
                record.cell = task.cell
                plan.stored.append(record)


def _row_metrics(
    sources: Mapping[str, Any], y: Any
) -> tuple[dict[str, RowMetric | OwnMean], dict[str, RowMetric | OwnMean | None]]:
    """Find what may tell how much every row contributes, and by metric what will."""
    metrics: dict[str, RowMetric | OwnMean] = {}
    formulas: dict[str, RowMetric | OwnMean | None] = dict.fromkeys(sources)
    for name, source in sources.items() if y is not None else ():
        metric = RowMetric.of(name if source is None else source, y)
        has_formula = metric is not None and metric.has_formula(y)
        formulas[name] = metric if has_formula else OwnMean.of(source, y)
        if (known := formulas[name] or metric) is not None:
            metrics[name] = known
    return metrics, formulas


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
    sources = _scoring.metric_sources(named, scoring)
    guess = any(map(hasattr, named.values(), repeat("expected_score")))
    return _row_metrics(sources, None if guess else y)[1]


def _pairwise(named: Mapping[str, Any], X: Any) -> list[bool]:
    """Say which estimators take a kernel or distances, and refuse X if it holds none."""
    pairwise: list[bool] = []
    shape: tuple[int, ...] = getattr(X, "shape", ())
    for name, estimator in named.items():
        pairwise.append(get_tags(estimator).input_tags.pairwise)
        if pairwise[-1] and (hasattr(X, "columns") or len(shape) != 2 or shape[0] != shape[1]):
            raise ValueError(
                f"X must be a square array for {name}, got {type(X).__name__} of shape {shape}."
            )
    return pairwise


def seed_for(random_state: Any, store: Store | None) -> int:
    """Turn `random_state` into a seed; None takes that of the store, if there is one."""
    seed = inputs.draw_seed(random_state)
    return store.kept_seed(seed) if random_state is None and store is not None else seed
