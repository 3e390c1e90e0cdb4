"""From estimators and many data sets to a run: one list of tasks over all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from textwrap import shorten
from typing import Any, Literal

import numpy as np
from sklearn.dummy import DummyClassifier

from skstat._arguments import explains_arguments
from skstat.evaluation._datasets_run import DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._evaluate import by_metric
from skstat.evaluation._fold import EvaluationError, FoldRecord
from skstat.evaluation._inputs import (
    Dataset,
    Scoring,
    check_estimator,
    estimators_for,
    folds,
    has_fixed_seed,
    is_factory,
    is_unseeded,
    name_estimators,
    named_datasets,
    named_params,
    read_dataset,
    refuse_unweighted,
)
from skstat.evaluation._jobs import Jobs, Work
from skstat.evaluation._kept import Store
from skstat.evaluation._metric_names import SameNames
from skstat.evaluation._plan import Fits, RunPlan, failure_of, is_routed, make_plan, seed_for
from skstat.evaluation._progress import Progress, Verbose

OnError = Literal["raise", "collect"]


@explains_arguments
def cross_validate_over_datasets(
    estimators: Any,
    datasets: Mapping[str, Any],
    *,
    scoring: Any = None,
    cv: Any = None,
    groups: Mapping[str, Any] | None = None,
    sample_weight: Mapping[str, Any] | None = None,
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
        Instead of an estimator, a function that makes one for a :class:`~skstat.Dataset` (a
        preprocessing for its columns, say).
    datasets : mapping of str to data set
        By name: ``(X, y)``, a Bunch with ``data`` and ``target``, a :class:`~skstat.Dataset`,
        or a function without arguments that loads one of these. Loaded data are released after
        their last fit, so that 200 data sets need not fit in memory. With `n_jobs`, functions
        may be called in another thread of this process.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``.
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
    store = Store.of(memory)
    evaluation = _Evaluation(
        estimators=_named(estimators),
        datasets=named_datasets(datasets),
        scoring=scoring,
        cv=cv,
        groups=groups,
        sample_weight=sample_weight,
        params=params,
        store=store,
        collect=error_score == "collect",
        seed=seed_for(random_state, store),
    )
    return evaluation.run(n_jobs, verbose)


@dataclass(kw_only=True)
class _Evaluation:
    """A run while it is going on: what was asked, and what has come in."""

    estimators: Mapping[str, Any]
    datasets: Mapping[str, Any]
    scoring: Any
    cv: Any
    groups: Any
    sample_weight: Any
    params: Any
    store: Store | None
    collect: bool
    seed: int
    parts: dict[int, "_Part"] = field(default_factory=dict)
    unusable: list[FailedFit] = field(default_factory=list)
    unseeded: set[str] = field(default_factory=set)
    fixed_seeds: set[str] = field(default_factory=set)
    error: Exception | None = None
    same_names: "SameNames | None" = None

    def __post_init__(self) -> None:
        self.groups = self._by_dataset("groups", self.groups)
        self.sample_weight = self._by_dataset("sample_weight", self.sample_weight)
        own = (getattr(value, "sample_weight", None) for value in self.datasets.values())
        if not is_routed() and any(w is not None for w in (*self.sample_weight.values(), *own)):
            refuse_unweighted(
                {name: e for name, e in self.estimators.items() if not is_factory(e)}
            )
        if isinstance(self.cv, Mapping):
            self.cv = self._by_dataset("cv", self.cv)
        elif not _makes_splits(self.cv):
            raise TypeError(
                "cv must be a number of folds, a splitter, or a mapping of data set to these, "
                f"got {type(self.cv).__name__}: the same rows make no sense on many data sets."
            )
        self.params = named_params(self.params)

    def _by_dataset(self, argument: str, given: Any) -> dict[str, Any]:
        """Check an argument that holds one value per data set."""
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(
                f"{argument} must be a mapping of data set to its {argument}, got "
                f"{type(given).__name__}."
            )
        named = {str(name): value for name, value in (given or {}).items()}
        unknown = [name for name in named if name not in self.datasets]
        if unknown:
            raise ValueError(
                f"{argument} names {unknown[0]!r}, which is not a data set; there are "
                f"{list(self.datasets)}."
            )
        return named

    def run(self, n_jobs: int | None, verbose: Verbose) -> DatasetsRun:
        loaded = [name for name, value in self.datasets.items() if not callable(value)]
        later = [name for name in self.datasets if name not in loaded]
        # What is in memory anyway is refused before the first fit.
        works = chain([*self._work_of(loaded)], self._work_of(later))
        jobs = Jobs(works, len(self.datasets), n_jobs=n_jobs, store=self.store)
        with Progress(jobs.total, verbose, hint="cv=5 halves the fits.") as progress:
            jobs.run(progress, lambda record: self._put(record, jobs))
        if self.error is not None:
            raise self.error
        return self._assemble()

    def _work_of(self, names: list[str]) -> Iterator[Work]:
        """Load data sets one by one, and plan the fits on each."""
        order = list(self.datasets)
        for name in names:
            number = order.index(name)
            try:
                work = self._plan(name, number)
            except Exception as error:
                raised = _of_dataset(name, error)
                if not self.collect:
                    raise raised from error
                self.unusable.append(
                    FailedFit(dataset=name, estimator=None, message=_one_line(raised))
                )
                continue
            yield work

    def _plan(self, name: str, number: int) -> Work:
        dataset = read_dataset(name, self.datasets[name])
        named = estimators_for(self.estimators, dataset)
        for label, estimator in named.items():
            check_estimator(estimator, f"estimators[{label!r}]")
        groups, weights = self.groups.get(name), self.sample_weight.get(name)
        fits = Fits(
            named=named,
            X=dataset.X,
            y=dataset.y,
            groups=groups if dataset.groups is None else dataset.groups,
            sample_weight=weights if dataset.sample_weight is None else dataset.sample_weight,
            params={**self.params, **named_params(dataset.params)},
        )
        plan = make_plan(fits, scoring=self.scoring, cv=self._cv(dataset), kept_splits=0)
        part = _Part.of(plan, name)
        metrics = next((other.metrics for other in self.parts.values()), part.metrics)
        if metrics != part.metrics:
            raise ValueError(
                f"the metric is {', '.join(part.metrics)} here and {', '.join(metrics)} on "
                "other data sets; name one with scoring=."
            )
        work = plan.work(number, self.store)
        self.parts[number] = part
        self.unseeded |= {n for n, e in named.items() if is_unseeded(e)}
        if plan.design.unseeded:
            self.unseeded.add("cv")
        self.fixed_seeds |= {n for n, e in named.items() if has_fixed_seed(e)}
        return work

    def _cv(self, dataset: Dataset) -> Any:
        given = self.cv.get(dataset.name) if isinstance(self.cv, Mapping) else self.cv
        if dataset.cv is not None:
            given = dataset.cv
        return folds(self.seed) if given is None else given

    def _put(self, record: FoldRecord, jobs: Jobs) -> bool:
        """Take in a record; say whether to go on."""
        part = self.parts[record.dataset]
        if record.failure is None:
            if self.same_names is None:
                self.same_names = SameNames(part.scoring.metric)
            self.same_names.check(record, part.names, part.dataset)
            part.put(record)
            return True
        error = failure_of(record, part.names, part.scoring, part.dataset)
        if not self.collect:
            self.error = error
            return False
        index = record.estimator_index
        # Of several failures in workers, which come in any order, the first split's counts.
        if index not in part.failed or record.split < part.failed[index][0]:
            failed = FailedFit(
                dataset=part.dataset, estimator=part.names[index], message=_one_line(error)
            )
            part.failed[index] = record.split, failed
        jobs.drop(record.dataset, index)
        return True

    def _assemble(self) -> DatasetsRun:
        parts = [self.parts[number] for number in sorted(self.parts)]
        if not parts:
            raise EvaluationError(f"no data set could be used; the first: {self.unusable[0]}")
        first = parts[0]
        # A function may name scores of its own, which only a call tells.
        own = None if self.same_names is None else self.same_names.found
        metrics = own or first.metrics
        order = list(self.datasets)
        failed = [part.failed[index][1] for part in parts for index in sorted(part.failed)]
        return DatasetsRun(
            names=tuple(self.estimators),
            metrics=metrics,
            datasets={part.dataset: part.scores(metrics) for part in parts},
            asked=tuple(order),
            failures=tuple(
                sorted(self.unusable + failed, key=lambda f: order.index(f.dataset))
            ),
            losses=frozenset(m for m in metrics if first.scoring.is_loss(m)),
            hits=frozenset(m for m in metrics if first.scoring.counts_hits(m)),
            bounds={m: first.scoring.bounds(m) for m in metrics},
            unseeded=frozenset(self.unseeded),
            fixed_seeds=frozenset(self.fixed_seeds),
            random_state=self.seed,
        )


@dataclass(kw_only=True)
class _Part:
    """What is known about one data set when its rows have been let go."""

    dataset: str
    names: list[str]
    metrics: tuple[str, ...]
    scoring: Scoring
    units: Mapping[str, Any]
    design: Mapping[str, Any]
    class_sizes: np.ndarray | None
    by_metric: dict[str, np.ndarray]
    fit_times: np.ndarray
    score_times: np.ndarray
    failed: dict[int, tuple[int, FailedFit]] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: RunPlan, dataset: str) -> "_Part":
        metrics = (plan.scoring.metric,) if plan.scoring.metric else tuple(plan.scoring.sources)
        shape = (plan.design.n_splits, len(plan.named))
        sizes, weighted = plan.data.class_counts, plan.weights is not None or plan.weighted
        return cls(
            dataset=dataset,
            names=list(plan.named),
            metrics=metrics,
            scoring=plan.scoring,
            units=plan.design.units(),
            design=plan.design.describe(),
            class_sizes=None if sizes is None or weighted else np.array([*sizes.values()]),
            by_metric={},
            fit_times=np.full(shape, np.nan),
            score_times=np.full(shape, np.nan),
        )

    def put(self, record: FoldRecord) -> None:
        key = record.split, record.estimator_index
        self.fit_times[key], self.score_times[key] = record.fit_time, record.score_time
        for metric, value in by_metric(record.scores, self.scoring).items():
            self._values(metric)[key] = value

    def _values(self, metric: str) -> np.ndarray:
        return self.by_metric.setdefault(metric, np.full(self.fit_times.shape, np.nan))

    def scores(self, metrics: Sequence[str]) -> DatasetScores:
        by_metric = {metric: self._values(metric) for metric in metrics}
        for values in by_metric.values():
            values[:, list(self.failed)] = np.nan  # the mean of some splits is no score
        return DatasetScores(
            scores=by_metric,
            fit_times=self.fit_times,
            score_times=self.score_times,
            units=self.units,
            design=self.design,
            class_sizes=self.class_sizes,
        )


def _named(estimators: Any) -> dict[str, Any]:
    """Label estimators and functions that make them."""
    if not isinstance(estimators, Mapping):
        if isinstance(estimators, list | tuple) and any(map(is_factory, estimators)):
            raise TypeError(
                "estimators holds a function without a name; pass a mapping of name to "
                "estimator or function."
            )
        named = name_estimators(estimators)
    else:
        # Names are checked with any estimator in place of the functions.
        named = name_estimators(
            {
                name: DummyClassifier() if is_factory(value) else value
                for name, value in estimators.items()
            }
        )
        named = dict(zip(named, estimators.values(), strict=True))
    if not named:
        raise ValueError("estimators is empty; pass at least one.")
    return named


def _makes_splits(cv: Any) -> bool:
    if isinstance(cv, str):  # has a method of that name
        return False
    return cv is None or isinstance(cv, int | np.integer) or hasattr(cv, "split")


def _of_dataset(name: str, error: Exception) -> Exception:
    """Return an error that names the data set; what was a wrong argument stays one."""
    message = f"data set {name!r}: {error}"
    if isinstance(error, ValueError):
        return ValueError(message)
    if isinstance(error, TypeError):
        return TypeError(message)
    return EvaluationError(f"data set {name!r}: {type(error).__name__}: {error}")


def _one_line(error: Exception) -> str:
    """Return the beginning of a message; scikit-learn's may have pages."""
    return shorten(str(error), 160, placeholder=" ...")
