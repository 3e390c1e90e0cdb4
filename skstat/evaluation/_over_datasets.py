"""From estimators and many data sets to a run: one list of tasks over all of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import Any, Literal

import numpy as np

from skstat._arguments import explains_arguments
from skstat.evaluation._data import is_routed, named_params
from skstat.evaluation._fold import EvaluationError, FoldRecord
from skstat.evaluation._jobs import Jobs
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import known_of, name_estimators
from skstat.evaluation._plan import Fits, RunPlan, look_up, make_plan, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._run import DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._scoring import Scoring, metric_sources, refuse_unweighted
from skstat.evaluation._splitters import folds_within

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
    number = cv is None or isinstance(cv, int | np.integer)
    if not (number or (hasattr(cv, "split") and not isinstance(cv, str))):
        raise TypeError(
            f"cv must be a number of folds or a splitter, got {type(cv).__name__}: the same "
            "rows make no sense on many data sets. Write Dataset(X, y, cv=...) for one of them."
        )
    evaluation = _Evaluation(
        estimators=name_estimators(estimators),
        datasets=named,
        scoring=scoring,
        cv=cv,
        params=named_params(params),
        store=store,
        seed=seed_for(random_state, store),
        collect=error_score == "collect",
    )
    weights = [getattr(value, "sample_weight", None) for value in named.values()]
    if not is_routed() and any(weight is not None for weight in weights):
        refuse_unweighted(evaluation.estimators)
    return evaluation.run(n_jobs, verbose)


@dataclass(kw_only=True)
class _Evaluation:
    """A run while it is going on: what was asked, and what has come in."""

    estimators: Mapping[str, Any]
    datasets: Mapping[str, Any]
    scoring: Any
    cv: Any
    params: Mapping[str, Any]
    store: Store | None
    seed: int
    collect: bool
    parts: dict[int, DatasetScores] = field(default_factory=dict)  # by place in the order
    failed: dict[tuple[int, int], tuple[int, FailedFit]] = field(default_factory=dict)
    unusable: list[FailedFit] = field(default_factory=list)
    draws_splits: bool = False  # anew in every call

    def run(self, n_jobs: int | None, verbose: Verbose) -> DatasetsRun:
        later = [name for name, value in self.datasets.items() if callable(value)]
        # What is in memory anyway is refused before the first fit.
        plans = [*self._plans([name for name in self.datasets if name not in later])]
        jobs = Jobs(plans, self._plans(later), len(later), n_jobs=n_jobs, store=self.store)
        failed = self._failed if self.collect else None
        jobs.run(self._keep, failed, verbose=verbose, hint="cv=5 halves the fits.")
        return self._assemble(jobs.first[0])

    def _plans(self, names: list[str]) -> Iterator[RunPlan]:
        """Load data sets one by one, and plan the fits on each."""
        order = list(self.datasets)
        for name in names:
            try:
                plan = self._plan(name, order.index(name))
            except Exception as error:
                raised = _of_dataset(name, error)
                if not self.collect:
                    raise raised from error
                self.unusable.append(
                    FailedFit(dataset=name, estimator=None, message=_one_line(raised))
                )
            else:
                yield plan

    def _plan(self, name: str, number: int) -> RunPlan:
        dataset = read_dataset(name, self.datasets[name])
        fits = Fits(
            named=self.estimators,
            X=dataset.X,
            y=dataset.y,
            groups=dataset.groups,
            sample_weight=dataset.sample_weight,
            params={**self.params, **named_params(dataset.params)},
        )
        given = self.cv if dataset.cv is None else dataset.cv
        cv = (lambda data: folds_within(data, self.seed)) if given is None else given
        plan = make_plan(fits, scoring=self.scoring, cv=cv, kept_splits=0)
        plan.called = f"split {{}} of data set {name!r}"
        look_up([plan], self.store, number)
        sizes, weighted = plan.data.class_counts, plan.weights is not None or plan.weighted
        fit_times, score_times = np.full((2, plan.design.n_splits, len(fits.named)), np.nan)
        self.parts[number] = DatasetScores(
            scores={},
            fit_times=fit_times,
            score_times=score_times,
            units=plan.design.units(),
            design=plan.design.describe(),
            class_sizes=None if sizes is None or weighted else np.array([*sizes.values()]),
        )
        self.draws_splits |= plan.design.unseeded
        return plan

    def _keep(self, record: FoldRecord) -> None:
        found, cell = self.parts[record.plan], record.cell
        found.fit_times[cell], found.score_times[cell] = record.fit_time, record.score_time
        for metric, value in record.scores.items():
            empty = np.full(found.fit_times.shape, np.nan)
            found.scores.setdefault(metric, empty)[cell] = value

    def _failed(self, record: FoldRecord, error: Exception) -> None:
        split, index = record.cell
        # Of several failures in workers, which come in any order, the first split's counts.
        if split < self.failed.get((record.plan, index), (np.inf,))[0]:
            dataset, name = [*self.datasets][record.plan], [*self.estimators][index]
            failed = FailedFit(dataset=dataset, estimator=name, message=_one_line(error))
            self.failed[record.plan, index] = split, failed

    def _assemble(self, named_scores: tuple[str, ...]) -> DatasetsRun:
        if not self.parts:
            raise EvaluationError(f"no data set could be used; the first: {self.unusable[0]}")
        sources, order = metric_sources(self.estimators, self.scoring), list(self.datasets)
        # A function may name scores of its own, which only a call tells.
        metrics, found = named_scores or tuple(sources), {}
        for number, part in sorted(self.parts.items()):
            none = np.full(part.fit_times.shape, np.nan)
            scores = {metric: part.scores.get(metric, none) for metric in metrics}
            for values in scores.values():  # the mean of some splits is no score
                values[:, [index for own, index in self.failed if own == number]] = np.nan
            found[order[number]] = replace(part, scores=scores)
        failures = self.unusable + [self.failed[key][1] for key in sorted(self.failed)]
        known = known_of(self.estimators)
        return DatasetsRun(
            names=tuple(self.estimators),
            metrics=metrics,
            datasets=found,
            asked=tuple(order),
            failures=tuple(sorted(failures, key=lambda failed: order.index(failed.dataset))),
            **Scoring((), None, sources).facts(metrics),
            unseeded=known["unseeded"] | ({"cv"} if self.draws_splits else set()),
            fixed_seeds=known["fixed_seeds"],
            random_state=self.seed,
        )


def named_datasets(datasets: Any) -> dict[str, Any]:
    """Check that data sets are given by name, and that each could be one."""
    if not isinstance(datasets, Mapping) or _is_bunch(datasets):
        raise TypeError(
            "datasets must be a mapping of name to data set, each (X, y), a Bunch, a Dataset "
            f"or a function that loads one; got {type(datasets).__name__}."
        )
    named = {str(name): value for name, value in datasets.items()}
    if len(named) < len(datasets):
        raise ValueError(f"datasets holds a name twice: {list(datasets)}.")
    if not named:
        raise ValueError("datasets is empty; pass at least one.")
    for name, value in named.items():
        if not callable(value):
            read_dataset(name, value)
    return named


def read_dataset(name: str, value: Any) -> Dataset:
    """Read one data set; a function is called to load it."""
    loaded = value() if _is_loader(value) else value
    if isinstance(loaded, Dataset):
        return loaded
    if isinstance(loaded, Mapping) and _is_bunch(loaded):
        first, second = ("data", "target") if "data" in loaded else ("X", "y")
        extra = {key: loaded[key] for key in _EXTRA if key in loaded}
        return Dataset(loaded[first], loaded.get(second), **extra)
    if isinstance(loaded, tuple) and len(loaded) == 2:
        return Dataset(*loaded)
    what = "the function returned" if _is_loader(value) else "got"
    raise TypeError(
        f"datasets[{name!r}] must be (X, y), a Bunch with data and target, a Dataset, or a "
        f"function that loads one of these; {what} {type(loaded).__name__}."
    )


def _of_dataset(name: str, error: Exception) -> Exception:
    """Return an error that names the data set; what was a wrong argument stays one."""
    for kind in (ValueError, TypeError):
        if isinstance(error, kind):
            return kind(f"data set {name!r}: {error}")
    return EvaluationError(f"data set {name!r}: {type(error).__name__}: {error}")


def _one_line(error: Exception) -> str:
    """Return the beginning of a message; scikit-learn's may have pages."""
    return shorten(str(error), 160, placeholder=" ...")


def _is_loader(value: Any) -> bool:
    return callable(value) and not isinstance(value, Dataset | Mapping)


def _is_bunch(value: Mapping[Any, Any]) -> bool:
    return ("data" in value and "target" in value) or ("X" in value and "y" in value)
