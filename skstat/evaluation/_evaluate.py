"""From estimators and data to runs: plan the tasks, fit them, put the records together."""

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor

from skstat._arguments import explains_arguments
from skstat.evaluation._baselines import BaselineMixin
from skstat.evaluation._data import draw_seed
from skstat.evaluation._design import Design
from skstat.evaluation._fold import FoldRecord
from skstat.evaluation._jobs import Jobs
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import known_of, name_estimators
from skstat.evaluation._plan import Fits, RunPlan, look_up, make_plan, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._run import CrossValidationRun
from skstat.evaluation._splitters import check_train_size, repeated_folds, repeated_halves
from skstat.stats._scores import check_count

# Fits of each estimator that the cheapest valid test over splits needs.
CHEAPEST = 10
_NO_SEED = object()


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
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
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


class Partition(NamedTuple):
    """A way to cut the rows: a splitter, or a seed for the default splits.

    `halves` makes the halves on which the variance is found, where `cv` makes folds that do
    not tell it.
    """

    cv: Any
    random_state: Any = None
    halves: Any = None


def partitions_of(
    cv: Any, random_state: Any, stability: int, halves: Any = None
) -> list[Partition]:
    """Return the caller's own partition, and `stability` others of the same design.

    The seeds of the others are derived from the first one, so that a report's seed
    repeats all of them.
    """
    stability = check_count("stability", stability, least=0)
    first = Partition(cv, random_state, halves)
    if stability == 0:
        return [first]
    own = getattr(cv, "random_state", _NO_SEED)
    splits = hasattr(cv, "split")
    if cv is not None and (not splits or own is _NO_SEED or not getattr(cv, "shuffle", True)):
        known = splits or isinstance(cv, int | np.integer)
        shown = repr(cv) if known else f"a {type(cv).__name__} of splits"
        raise ValueError(
            f"stability={stability} repeats the splits with other seeds, and cv={shown} "
            "depends on none. Leave cv out, or pass a splitter that shuffles: "
            "StratifiedShuffleSplit(30, test_size=1/3), KFold(10, shuffle=True)."
        )
    seed = draw_seed(own if isinstance(own, int | np.integer) else random_state)
    if cv is None:
        first = Partition(None, seed)
    others = np.random.SeedSequence(seed).generate_state(stability).tolist()
    return [first, *(Partition(_seeded(cv, s), s, _seeded(halves, s)) for s in others)]


def _seeded(splitter: Any, seed: int) -> Any:
    """Return a copy of a splitter that draws by another seed."""
    splitter = copy(splitter)
    if splitter is not None:
        splitter.random_state = seed
    return splitter


def evaluate(
    fits: Fits,
    *,
    scoring: Any,
    partitions: Sequence[Partition],
    kept_splits: int | None = None,
    accept: Callable[[Design], None] | None = None,
    keep_rows: bool = True,
    responses: Collection[str] = (),
    scores_training: Callable[[int], bool] | None = None,
    fit_whole: bool = False,
) -> list[CrossValidationRun]:
    """Run estimators on several partitions of the same rows, as one list of fits.

    Predictions of the first `kept_splits` splits are kept, default those of the first repeat.
    `accept` may refuse the design before the first fit. With `keep_rows` what every test row
    contributes to the scores is kept. Of the first partition the outputs for test rows may be
    kept by which these can be scored: `responses` are "predict", "predict_proba", or "scores"
    for what ranks rows. `scores_training` tells of a split, by its number, whether models are
    scored on their training rows too. With `fit_whole` each estimator is also fitted to all
    rows.
    """
    plans: list[RunPlan] = []
    for cv, random_state, halves in partitions:
        seed = seed_for(random_state, fits.store) if cv is None else random_state
        options = {"scoring": scoring, "random_state": seed, "keep_rows": keep_rows}
        beside = [] if halves is None else [make_plan(fits, cv=halves, **options)]
        plans.append(
            make_plan(
                fits,
                cv=cv,
                kept_splits=kept_splits,
                accept=accept,
                halves=beside[0].design if beside else None,
                **options,
            )
        )
        plans += beside
    first, n_estimators = plans[0], len(fits.named)
    if responses or scores_training is not None:
        kept, on_training = tuple(sorted(responses)), scores_training or (lambda split: False)
        first.tasks = [
            replace(t, kept_responses=kept, score_training=on_training(t.cell[0]))
            for t in first.tasks
        ]
    if fit_whole:
        rows = np.arange(first.data.n_samples)
        on_all = [
            replace(task, train=rows, test=rows, score_training=False)
            for task in first.tasks[:n_estimators]
        ]
        plans.append(replace(first, tasks=on_all, called="all rows"))
    baselines = BaselineMixin | DummyClassifier | DummyRegressor
    comparable = n_estimators == 2 and scores_training is None
    comparable &= not any(isinstance(e, baselines) for e in fits.named.values())
    hint = _cheaper(first.design, n_estimators, comparable=comparable)
    records = _records(plans, fits, hint)
    whole = dict(zip(fits.named, records.pop() if fit_whole else (), strict=False))
    runs: list[CrossValidationRun] = []
    for plan, found in zip(plans, records, strict=False):
        run = _run(plan, found)
        if runs and runs[-1].design.halves is plan.design:
            runs[-1] = replace(runs[-1], halves=run)
        else:
            runs.append(replace(run, whole=whole))
    return runs


def _records(plans: Sequence[RunPlan], fits: Fits, hint: str) -> list[list[FoldRecord]]:
    """Make the fits of all plans; return the records of each in the order of the splits."""
    found: list[list[FoldRecord]] = [[] for _ in plans]
    look_up(plans, fits.store)
    jobs = Jobs(plans, n_jobs=fits.n_jobs, store=fits.store)
    jobs.run(lambda record: found[record.plan].append(record), verbose=fits.verbose, hint=hint)
    for records in found:
        records.sort(key=lambda record: record.cell)
    return found


def _run(plan: RunPlan, records: list[FoldRecord]) -> CrossValidationRun:
    named, scoring, design, names = plan.named, plan.scoring, plan.design, tuple(plan.named)
    shape = (design.n_splits, len(names))
    by_name = {name: records[place :: len(names)] for place, name in enumerate(names)}
    scores = table_by_metric(((r.cell, r.scores) for r in records), shape)
    of_parts = [
        table_by_metric([(r.cell, r.part_scores[part]) for r in records], shape)
        for part in range(len(design.parts[0]))
    ]
    contributions = {
        metric: {
            name: [record.contributions[metric] for record in own]
            for name, own in by_name.items()
            if all(metric in record.contributions for record in own)
        }
        for metric in scores
    }
    weighted = set(scores) if scoring.metric in plan.weighted else plan.weighted
    fit_times, score_times = np.full((2, *shape), np.nan)
    for record in records:
        fit_times[record.cell], score_times[record.cell] = record.fit_time, record.score_time
    return CrossValidationRun(
        names=names,
        scores=scores,
        part_scores={
            metric: np.stack([part[metric] for part in of_parts], axis=1)
            for metric in (scores if of_parts else ())
        },
        fit_times=fit_times,
        score_times=score_times,
        design=design,
        predictions={
            name: {r.cell[0]: r.predictions for r in own if r.predictions is not None}
            for name, own in by_name.items()
        },
        means=frozenset(metric for metric in scores if plan.is_mean(metric)),
        **scoring.facts(scores),
        weighted=frozenset(weighted).intersection(scores),
        by_formula=plan.by_formula,
        sample_weight=plan.weights,
        **known_of(named),
        is_classification=any(map(is_classifier, named.values())),
        y=deepcopy(plan.data.y),  # the caller may change it before it is read
        n_copies=plan.data.n_copies,
        contributions={metric: known for metric, known in contributions.items() if known},
        outputs={name: [record.outputs for record in own] for name, own in by_name.items()},
        training_scores=table_by_metric(((r.cell, r.training_scores) for r in records), shape),
    )


def table_by_metric(
    scored: Iterable[tuple[tuple[int, int], Mapping[str, Any]]], shape: tuple[int, int]
) -> dict[str, np.ndarray]:
    """Put scores, each beside its split and estimator, in arrays by metric."""
    found: dict[str, np.ndarray] = {}
    for cell, scores in scored:
        for metric, value in scores.items():
            found.setdefault(metric, np.full(shape, np.nan))[cell] = value
    return found


def _cheaper(design: Design, n_estimators: int, *, comparable: bool) -> str:
    """Name a cheaper design that is still valid."""
    if design.halves is not None:
        return "Cheaper: leave train_size out, for training on half of the rows."
    if design.n_splits <= CHEAPEST or not comparable:
        return ""
    needs = f"compare_estimators(budget={CHEAPEST}) needs {CHEAPEST * n_estimators} fits"
    return f"Cheaper and still valid: {needs}."
