"""From estimators and data to a run: plan the tasks, run them, assemble the scores."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor

from skstat._arguments import explains_arguments
from skstat.evaluation._baselines import CheapestClass, RandomGuess
from skstat.evaluation._chosen_guess import ChosenConstant, ChosenGuess
from skstat.evaluation._default_splits import check_train_size, repeated_folds, repeated_halves
from skstat.evaluation._design import Design
from skstat.evaluation._fold import FoldRecord
from skstat.evaluation._inputs import (
    Scoring,
    has_fixed_seed,
    is_known_stable,
    is_unseeded,
    name_estimators,
)
from skstat.evaluation._jobs import Jobs
from skstat.evaluation._kept import Store
from skstat.evaluation._metric_names import SameNames
from skstat.evaluation._partitions import Partition, by_partition, numbered
from skstat.evaluation._plan import Fits, RunPlan, failure_of, make_plan, seed_for
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._run import CrossValidationRun


@explains_arguments
def paired_cross_validate(
    estimators: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    cv: Any = None,
    train_size: float | None = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    return_predictions: bool = False,
    memory: Any = None,
) -> CrossValidationRun:
    """Score several estimators on the same splits, each fitted once per split.

    The splits are fixed before the first fit, so that all estimators get the same ones. Any
    number of tests can be made on the run, with :func:`skstat.compare_scores`.

    Parameters
    ----------
    estimators : mapping of str to estimator, or list
        The estimators; a list may hold (name, estimator) pairs or estimators, whose class
        names become labels. They are cloned, never fitted themselves.
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
        estimators' ``score``.
    cv : int, splitter or iterable, optional
        Any scikit-learn splitter, (train, test) pairs, or a number of folds. Default: 15
        balanced halvings, each half training once (:class:`~skstat.evaluation.RepeatedHalves`),
        by group when `groups` is given, and stratified only where a class has fewer than 20
        rows.
    train_size : {0.5, 0.9}, default=0.5
        Share of the rows that train each model. With 0.9 the scores are those of twice 10
        folds, and their variance is found on 15 halvings (:ref:`nine-tenths`).

        The runs of these are ``run.halves``. `cv` may then be 10
        folds of your own, repeated twice or more.
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
    return_predictions : bool, default=False
        Keep the test-set predictions of every split instead of the first repeat's.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.

    Returns
    -------
    CrossValidationRun
        Scores, times and the design.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If the arguments do not fit together, a class is missing from training rows,
        or a score is undefined.

    See Also
    --------
    skstat.compare_scores : Test the scores of a run.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_scores, paired_cross_validate
    >>> X, y = load_iris(return_X_y=True)
    >>> estimators = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
    >>> run = paired_cross_validate(
    ...     estimators, X, y, scoring=["accuracy", "f1_macro"], random_state=0
    ... )
    >>> run.scores["accuracy"].shape
    (30, 2)
    >>> compare_scores(run, scoring="f1_macro").unit
    'split'
    """
    fits = Fits(
        named=name_estimators(estimators),
        X=X,
        y=y,
        groups=groups,
        sample_weight=sample_weight,
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        store=Store.of(memory),
    )
    kept = sys.maxsize if return_predictions else None
    partition = Partition(cv, random_state)
    if check_train_size(train_size, cv=cv):
        seed = seed_for(random_state, fits.store)
        partition = Partition(
            cv=(lambda data: repeated_folds(data, seed)) if cv is None else cv,
            random_state=seed,
            halves=lambda data: repeated_halves(data, seed),
        )
    (run,) = evaluate(fits, scoring=scoring, partitions=[partition], kept_splits=kept)
    return run


def evaluate(
    fits: Fits,
    *,
    scoring: Any,
    partitions: Sequence[Partition],
    kept_splits: int | None = None,
    accept: Callable[[Design], None] | None = None,
) -> list[CrossValidationRun]:
    """Run estimators on several partitions of the same rows, as one list of fits.

    Predictions of the first `kept_splits` splits are kept, default those of the first repeat.
    `accept` may refuse the design before the first fit.
    """
    named = fits.named
    if not named:
        raise ValueError("estimators is empty; pass at least one.")
    plans: list[RunPlan] = []
    for cv, random_state, halves in partitions:
        seed = seed_for(random_state, fits.store) if cv is None else random_state
        plans += make_plans(
            fits,
            scoring=scoring,
            cv=cv,
            halves=halves,
            random_state=seed,
            kept_splits=kept_splits,
            accept=accept,
            keep_rows=True,
        )
    first = plans[0]
    chosen = ChosenGuess | ChosenConstant
    baselines = DummyClassifier | DummyRegressor | CheapestClass | RandomGuess | chosen
    comparable = len(named) == 2 and not any(isinstance(e, baselines) for e in named.values())
    records = run_plan(
        replace(first, tasks=numbered(plans)),
        fits,
        hint=_cheaper(first.design, len(named), len(partitions), comparable=comparable),
    )
    return assemble_all(plans, by_partition(records, plans))


def make_plans(fits: Fits, *, halves: Any = None, **options: Any) -> list[RunPlan]:
    """Plan the fits of one partition; and behind them those on halves, where there are any."""
    if halves is None:
        return [make_plan(fits, **options)]
    beside = make_plan(fits, **options | {"cv": halves, "accept": None, "kept_splits": None})
    return [make_plan(fits, **options, halves=beside.design), beside]


def assemble_all(
    plans: Sequence[RunPlan], records: Sequence[list[FoldRecord]]
) -> list[CrossValidationRun]:
    """Make a run of every plan; one on halves is part of the run before it."""
    runs: list[CrossValidationRun] = []
    for plan, found in zip(plans, records, strict=True):
        run = assemble(plan, found)
        if runs and runs[-1].design.halves is plan.design:
            runs[-1] = replace(runs[-1], halves=run)
        else:
            runs.append(run)
    return runs


def run_plan(plan: RunPlan, fits: Fits, *, hint: str = "") -> list[FoldRecord]:
    """Run the tasks of a plan, and return their records in the order of their keys."""
    records: list[FoldRecord] = []
    same_names, names = SameNames(plan.scoring.metric), list(plan.named)
    jobs = Jobs([plan.work(0, fits.store)], 1, n_jobs=fits.n_jobs, store=fits.store)

    def keep(record: FoldRecord) -> bool:
        records.append(record)
        same_names.check(record, names)
        return record.failure is None

    with Progress(len(plan.tasks), fits.verbose, hint=hint) as progress:
        jobs.run(progress, keep)
    records.sort(key=lambda record: (record.split, record.estimator_index))
    return records


def assemble(plan: RunPlan, records: list[FoldRecord]) -> CrossValidationRun:
    """Make a run of the records of a plan, unless a fit failed."""
    for record in records:
        if record.failure is not None:
            raise failure_of(record, list(plan.named), plan.scoring)
    named, scoring, design = plan.named, plan.scoring, plan.design
    names = tuple(named)
    shape = (design.n_splits, len(names))
    fit_times, score_times = np.empty(shape), np.empty(shape)
    scores: dict[str, np.ndarray] = {}
    part_scores: dict[str, np.ndarray] = {}
    predictions: dict[str, dict[int, Any]] = {name: {} for name in names}
    for record in records:
        key = record.split, record.estimator_index
        name = names[record.estimator_index]
        fit_times[key], score_times[key] = record.fit_time, record.score_time
        for metric, value in by_metric(record.scores, scoring).items():
            scores.setdefault(metric, np.full(shape, np.nan))[key] = value
        for part, found in enumerate(record.part_scores):
            for metric, value in by_metric(found, scoring).items():
                if metric not in part_scores:
                    part_scores[metric] = np.full((*design.score_shape, len(names)), np.nan)
                part_scores[metric][record.split, part, record.estimator_index] = value
        if record.predictions is not None:
            predictions[name][record.split] = record.predictions
    return CrossValidationRun(
        names=names,
        scores=scores,
        part_scores=part_scores,
        fit_times=fit_times,
        score_times=score_times,
        design=design,
        predictions=predictions,
        losses=frozenset(metric for metric in scores if scoring.is_loss(metric)),
        means=frozenset(metric for metric in scores if plan.is_mean(metric)),
        hits=frozenset(metric for metric in scores if scoring.counts_hits(metric)),
        bounds={metric: scoring.bounds(metric) for metric in scores},
        weighted=_weighted_of(scores, plan),
        by_formula=plan.by_formula,
        sample_weight=plan.weights,
        unstable=frozenset(n for n, e in named.items() if not is_known_stable(e)),
        unseeded=frozenset(n for n, e in named.items() if is_unseeded(e)),
        fixed_seeds=frozenset(n for n, e in named.items() if has_fixed_seed(e)),
        is_classification=any(map(is_classifier, named.values())),
        y=plan.data.y,
        n_copies=plan.data.n_copies,
        contributions={
            metric: rows
            for metric in scores
            if (rows := contributions_of(names, metric, records))
        },
    )


def _weighted_of(metrics: Iterable[str], plan: RunPlan) -> frozenset[str]:
    """Metrics whose scores are weighted; a function may name scores of its own."""
    own = plan.scoring.metric in plan.weighted
    return frozenset(metric for metric in metrics if own or metric in plan.weighted)


def contributions_of(
    names: Sequence[str], metric: str, records: list[FoldRecord]
) -> dict[str, list[np.ndarray]]:
    """Return the rows' contributions by estimator, of those of which all splits are known."""
    found: dict[str, list[Any]] = {name: [] for name in names}
    for record in records:  # in the order of the splits
        found[names[record.estimator_index]].append(record.contributions.get(metric))
    return {
        name: rows for name, rows in found.items() if all(part is not None for part in rows)
    }


# Fits of each estimator that the cheapest valid test over splits needs.
CHEAPEST = 10


def by_metric(scores: Any, scoring: Scoring) -> Mapping[str, Any]:
    """Return a task's scores by metric, also if there is only one."""
    if isinstance(scores, Mapping):
        return scores
    return {scoring.metric or "score": scores}


def _cheaper(
    design: Design, n_estimators: int, n_partitions: int = 1, *, comparable: bool
) -> str:
    """Name a cheaper design that is still valid."""
    if design.halves is not None:
        each = n_estimators * n_partitions
        n_half = design.halves.n_splits * each
        return (
            f"{design.n_splits * each} of them train on nine tenths of the rows, and take "
            f"longer than the {n_half} on half of them. Cheaper: leave train_size out, for "
            f"{n_half} fits on half of the rows."
        )
    if design.n_splits <= CHEAPEST or not comparable:
        return ""
    needs = f"compare_estimators(budget={CHEAPEST}) needs {CHEAPEST * n_estimators} fits"
    return f"Cheaper and still valid: {needs}."
