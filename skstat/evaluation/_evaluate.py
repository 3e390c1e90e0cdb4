"""From estimators and data to runs: plan the tasks, fit them, put the records together."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from textwrap import shorten
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor

from skstat._arguments import explains_arguments
from skstat.evaluation import _splitters as splitters
from skstat.evaluation._baselines import BaselineMixin
from skstat.evaluation._data import draw_seed, is_routed, named_params
from skstat.evaluation._design import Design
from skstat.evaluation._fold import EvaluationError, FoldRecord
from skstat.evaluation._jobs import Jobs
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import name_estimators, traits_of
from skstat.evaluation._plan import Fits, RunPlan, look_up, make_plan, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._run import CrossValidationRun, DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._scoring import Scoring, metric_sources, refuse_unweighted
from skstat.metrics._row_metric import OwnMean
from skstat.stats._scores import check_count

# Fits of each estimator that the cheapest valid test over splits needs.
CHEAPEST = 10
_NO_SEED = object()


@explains_arguments()
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
    if splitters.check_train_size(train_size, cv=cv):
        seed = seed_for(random_state, fits.store)
        folds = partial(splitters.repeated_folds, seed=seed) if cv is None else cv
        partition = Partition(folds, seed, partial(splitters.repeated_halves, seed=seed))
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


def partitions_of(cv: Any, random_state: Any, stability: int, halves: Any) -> list[Partition]:
    """Return the caller's own partition, and `stability` others of the same design.

    The seeds of the others are derived from the first one, so that a report's seed
    repeats all of them.
    """
    stability = check_count("stability", stability, least=0)
    first = Partition(cv, random_state, halves)
    if stability == 0:
        return [first]
    state = getattr(cv, "random_state", _NO_SEED)
    splits = hasattr(cv, "split")
    if cv is not None and (not splits or state is _NO_SEED or not getattr(cv, "shuffle", True)):
        is_short = splits or isinstance(cv, int | np.integer)
        shown = repr(cv) if is_short else f"a {type(cv).__name__} of splits"
        raise ValueError(
            f"stability={stability} repeats the splits with other seeds, and cv={shown} "
            "depends on none. Leave cv out, or pass a splitter that shuffles."
        )
    seed = draw_seed(state if isinstance(state, int | np.integer) else random_state)
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
    responses: Collection[str] = (),
    scores_training: Callable[[int], bool] | None = None,
    fit_whole: bool = False,
) -> list[CrossValidationRun]:
    """Run estimators on several partitions of the same rows, as one list of fits.

    Predictions of the first `kept_splits` splits are kept, default those of the first repeat.
    Unless that is 0, what every test row contributes to the scores is kept too. `accept` may
    refuse the design before the first fit. Of the first partition the outputs for test rows may
    be kept by which these can be scored: `responses` are "predict", "predict_proba", or
    "scores" for what ranks rows. `scores_training` tells of a split, by its number, whether
    models are scored on their training rows too. With `fit_whole` each estimator is also fitted
    to all rows.
    """
    plans: list[RunPlan] = []
    for cv, random_state, halves in partitions:
        seed = seed_for(random_state, fits.store) if cv is None else random_state
        options = {"scoring": scoring, "random_state": seed}
        of_halves = [] if halves is None else [make_plan(fits, cv=halves, **options)]
        options |= {"accept": accept, "halves": of_halves[0].design if of_halves else None}
        plans += [make_plan(fits, cv=cv, kept_splits=kept_splits, **options), *of_halves]
    first, n_estimators = plans[0], len(fits.named)
    if scores_training is not None:
        for task in first.tasks:
            task.responses = tuple(sorted({*task.responses, *responses}))
            task.score_training = scores_training(task.cell[0])
    if fit_whole:
        rows = np.arange(first.data.n_samples)
        on_all: dict[str, Any] = {"train": rows, "test": rows, "score_training": False}
        tasks = [replace(task, **on_all) for task in first.tasks[:n_estimators]]
        plans.append(replace(first, tasks=tasks, split_name="all rows"))
    baselines, hint = BaselineMixin | DummyClassifier | DummyRegressor, ""
    guessing = any(isinstance(estimator, baselines) for estimator in fits.named.values())
    if first.design.halves is not None:
        hint = "Cheaper: leave train_size out, for training on half of the rows."
    comparable = n_estimators == 2 and scores_training is None and not guessing
    if not hint and comparable and first.design.n_splits > CHEAPEST:
        needs = f"compare_estimators(budget={CHEAPEST}) needs {2 * CHEAPEST} fits"
        hint = f"Cheaper and still valid: {needs}."
    look_up(plans, fits.store)
    jobs = Jobs(plans, n_jobs=fits.n_jobs, store=fits.store)
    jobs.run(verbose=fits.verbose, hint=hint)
    records = list(jobs.records.values())
    for of_plan in records:
        of_plan.sort(key=lambda record: record.cell)
    whole = dict(zip(fits.named, records.pop() if fit_whole else (), strict=False))
    runs: list[CrossValidationRun] = []  # backwards: halves come before what they are beside
    for plan, of_plan in reversed([*zip(plans, records, strict=False)]):
        halves = None if plan.design.halves is None else runs.pop(0)
        runs.insert(0, _run(plan, of_plan, halves=halves, whole=whole))
    return runs


def _run(plan: RunPlan, records: list[FoldRecord], **facts: Any) -> CrossValidationRun:
    named, scoring = plan.named, plan.scoring
    scores = dict.fromkeys(chain.from_iterable(record.scores for record in records))
    means = set()
    for metric in scores:
        if isinstance(plan.rows.get(metric), OwnMean) or scoring.metric_of(metric).is_mean:
            means.add(metric)
    weighted = scores if scoring.metric in scoring.weighted else scoring.weighted
    return CrossValidationRun(
        records={name: records[index :: len(named)] for index, name in enumerate(named)},
        design=plan.design,
        means=frozenset(means),
        **scoring.facts(scores),
        weighted=frozenset(weighted).intersection(scores),
        by_formula=plan.by_formula,
        sample_weight=plan.weights,
        **traits_of(named),
        is_classification=any(map(is_classifier, named.values())),
        y=deepcopy(plan.data.y),  # the caller may change it before it is read
        n_copies=plan.data.n_copies,
        **facts,
    )


OnError = Literal["raise", "collect"]
_EXTRA = ("groups", "sample_weight", "params", "cv")  # of a Bunch, if it has them
# What belongs to one data set is said there.
IN_DATASET = {name: f"write Dataset(X, y, {name}=...)." for name in ("groups", "sample_weight")}


@dataclass(frozen=True, eq=False)
class Dataset:
    """One data set, with what belongs to it alone.

    Parameters
    ----------
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; rows of one group stay on one side of a split.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers.
    cv : int, splitter or iterable, optional
        Splits of this data set, instead of those of all.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat import Dataset
    >>> patients = np.repeat(np.arange(10), 3)
    >>> dataset = Dataset(np.zeros((30, 2)), patients % 2, groups=patients)
    """

    X: Any
    y: Any = None
    groups: Any = field(default=None, kw_only=True)
    sample_weight: Any = field(default=None, kw_only=True)
    params: Mapping[str, Any] | None = field(default=None, kw_only=True)
    cv: Any = field(default=None, kw_only=True)


@explains_arguments(**IN_DATASET)
def cross_validate_over_datasets(
    estimators: Any,
    datasets: Mapping[str, Any],
    *,
    scoring: Any = None,
    cv: Any = None,
    params: Mapping[str, Any] | None = None,
    memory: Any = None,
    error_score: OnError = "raise",
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
) -> DatasetsRun:
    """Score several estimators on many data sets, each fitted once per split.

    All fits form one list, so that all cores are busy to the end. Any number of tests can be
    made on the run, with :func:`skstat.compare_scores`.

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
        estimators' ``score``.
    cv : int or splitter, optional
        Splits within every data set that has none of its own. Default: ten shuffled folds,
        stratified for classes, and by group where a :class:`~skstat.Dataset` has groups;
        fewer where there are too few groups, or rows of a class.
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
    DatasetsRun
        Scores and times by data set.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored, or a data set cannot be loaded; it names
        data set, estimator and split.
    ValueError
        If the arguments do not fit together.

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import cross_validate_over_datasets
    >>> run = cross_validate_over_datasets(
    ...     [GaussianNB(), DecisionTreeClassifier(random_state=0)],
    ...     {"iris": load_iris, "wine": load_wine},
    ...     random_state=0,
    ... )
    >>> run.table().scores.shape
    (2, 2)
    """
    if error_score not in ("raise", "collect"):
        raise ValueError(f"error_score={error_score!r} is unknown; use 'raise' or 'collect'.")
    store, named = Store.of(memory), named_datasets(datasets)
    splits = hasattr(cv, "split") and not isinstance(cv, str)
    if not (splits or isinstance(cv, int | np.integer | None)):
        raise TypeError(
            f"cv must be a number of folds or a splitter, got {type(cv).__name__}; for one "
            "data set write Dataset(X, y, cv=...)."
        )
    models, seed = name_estimators(estimators), seed_for(random_state, store)
    same_cv = partial(splitters.folds_within, seed=seed) if cv is None else cv
    shared, collect = named_params(params), error_score == "collect"
    weights = [getattr(value, "sample_weight", None) for value in named.values()]
    if not is_routed() and any(weight is not None for weight in weights):
        refuse_unweighted(models)
    opened: dict[str, dict[str, Any]] = {}  # facts of the splits, by data set
    failures: list[FailedFit] = []
    traits = traits_of(models)

    def failed(dataset: str, estimator: str | None, error: Exception) -> None:
        message = shorten(str(error), 160, placeholder=" ...")  # which may have pages
        failures.append(FailedFit(dataset=dataset, estimator=estimator, message=message))

    def plans(names: list[str]) -> Iterator[RunPlan]:
        """Load data sets one by one, and plan the fits on each."""
        for name in names:
            try:
                parts = dict(vars(read_dataset(name, named[name])))
                cut = parts.pop("cv")
                parts["params"] = {**shared, **named_params(parts["params"])}
                fits, cut = Fits(named=models, **parts), same_cv if cut is None else cut
                plan = make_plan(fits, scoring=scoring, cv=cut, kept_splits=0)
                plan.split_name = f"split {{}} of data set {name!r}"
                look_up([plan], store)
                facts = {"units": plan.design.units(), "design": plan.design.describe()}
            except Exception as error:
                raised = _of_dataset(name, error)
                if not collect:
                    raise raised from error
                failed(name, None, raised)
                continue
            weighted = plan.weights is not None or plan.scoring.weighted
            counts = None if weighted else plan.data.class_counts
            sizes = None if counts is None else np.array([*counts.values()])
            opened[name] = {**facts, "class_sizes": sizes}
            traits["unseeded"] |= {"cv"} if plan.design.unseeded else set()
            yield plan

    later = [name for name, value in named.items() if callable(value)]
    # What is in memory anyway is refused before the first fit.
    ready = [*plans([name for name in named if name not in later])]
    jobs = Jobs(ready, plans(later), len(later), n_jobs=n_jobs, store=store, collect=collect)
    jobs.run(verbose=verbose, hint="cv=5 halves the fits.")
    if not opened:
        raise EvaluationError(f"no data set could be used; the first: {failures[0]}")
    sources, names, order = metric_sources(models, scoring), list(opened), list(named)
    # A function may name scores of its own, which only a call tells.
    metrics = jobs.first[0] or tuple(sources)
    scores = {
        name: _scores(jobs, number, metrics, len(models), opened[name])
        for number, name in enumerate(names)
    }
    for (number, index), (_, error) in sorted(jobs.failed.items()):
        failed(names[number], [*models][index], error)
    return DatasetsRun(
        names=tuple(models),
        metrics=metrics,
        datasets={name: scores[name] for name in order if name in scores},
        all_datasets=tuple(order),
        failures=tuple(sorted(failures, key=lambda failed: order.index(failed.dataset))),
        **Scoring((), None, sources).facts(metrics),
        unseeded=traits["unseeded"],
        fixed_seeds=traits["fixed_seeds"],
        random_state=seed,
    )


def _scores(
    jobs: Jobs, number: int, metrics: Sequence[str], n_systems: int, facts: Mapping[str, Any]
) -> DatasetScores:
    """Put the records of one data set into arrays; nan where a fit failed."""
    shape = (facts["design"]["n_splits"], n_systems)
    scores = {metric: np.full(shape, np.nan) for metric in metrics}
    fit_times, score_times = np.full((2, *shape), np.nan)
    for record in jobs.records[number]:
        cell = record.cell
        fit_times[cell], score_times[cell] = record.fit_time, record.score_time
        for metric, values in scores.items():
            values[cell] = record.scores.get(metric, np.nan)
    for index in (index for plan, index in jobs.failed if plan == number):
        for values in scores.values():
            values[:, index] = np.nan  # the mean of some splits is no score
    return DatasetScores(scores=scores, fit_times=fit_times, score_times=score_times, **facts)


def named_datasets(datasets: Any) -> dict[str, Any]:
    """Check that data sets are given by name, and that each could be one."""
    if not isinstance(datasets, Mapping) or _is_bunch(datasets):
        raise TypeError(f"datasets must map names to data sets, got {type(datasets).__name__}.")
    named = {str(name): value for name, value in datasets.items()}
    if len(named) < len(datasets):
        raise ValueError(f"datasets holds a name twice: {list(datasets)}.")
    if not named:
        raise ValueError("datasets is empty; pass at least one.")
    for name, value in named.items():
        if not callable(value):
            named[name] = read_dataset(name, value)
    return named


def read_dataset(name: str, value: Any) -> Dataset:
    """Read one data set; a function is called to load it."""
    loaded = value() if callable(value) else value
    if isinstance(loaded, Dataset):
        return loaded
    if isinstance(loaded, Mapping) and _is_bunch(loaded):
        first, second = ("data", "target") if "data" in loaded else ("X", "y")
        extra = {key: loaded[key] for key in _EXTRA if key in loaded}
        return Dataset(loaded[first], loaded.get(second), **extra)
    if isinstance(loaded, tuple) and len(loaded) == 2:
        return Dataset(*loaded)
    what = "the function returned" if callable(value) else "got"
    raise TypeError(
        f"datasets[{name!r}] must be (X, y), a Bunch, a Dataset, or a function that loads one; "
        f"{what} {type(loaded).__name__}."
    )


def _of_dataset(name: str, error: Exception) -> Exception:
    """Return an error that names the data set; what was a wrong argument stays one."""
    for kind in (ValueError, TypeError):
        if isinstance(error, kind):
            return kind(f"data set {name!r}: {error}")
    return EvaluationError(f"data set {name!r}: {type(error).__name__}: {error}")


def _is_bunch(value: Mapping[Any, Any]) -> bool:
    return ("data" in value and "target" in value) or ("X" in value and "y" in value)
