"""Fits by joblib: the tasks on one data set or many, each kept as soon as it is finished."""

import math
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from functools import cache
from itertools import chain
from numbers import Integral
from pickle import PicklingError
from textwrap import shorten
from typing import Any

from joblib import effective_n_jobs
from sklearn import config_context, get_config
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController

from skstat.evaluation._fold import EvaluationError, Failure, FoldRecord, FoldTask, run_fold
from skstat.evaluation._kept import Store
from skstat.evaluation._plan import RunPlan
from skstat.evaluation._progress import Progress, Verbose

# Seconds that starting worker processes takes: they import scikit-learn.
_STARTING = 0.5
# Bytes of data after which a call of joblib ends, which keeps the files that workers map.
_MAPPED = 1e9
_LONGEST = 300  # characters of an estimator's own message; scikit-learn prints arrays
_LONG = 10.0  # seconds after which even a first fit, which imports, tells how long others take
_libraries = cache(ThreadpoolController)


def n_workers(n_jobs: Any) -> int:
    """Count the workers that `n_jobs` stands for here; refuse other values."""
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise ValueError(f"n_jobs={n_jobs!r} must be a whole number, -1 for all cores or None.")
    return int(effective_n_jobs(n_jobs))


def in_parallel(calls: Iterable[Any], n_jobs: Any, return_as: str) -> Iterator[Any]:
    """Yield what delayed calls return, by joblib's `return_as` where its engine can do so."""
    try:
        parallel = Parallel(n_jobs=n_jobs, return_as=return_as)
    except (ValueError, NotImplementedError):  # engines that can return lists only
        parallel = Parallel(n_jobs=n_jobs)
    with warnings.catch_warnings():
        # Where a failure ends it early, joblib warns of what its workers still do.
        about = "worker stopped while some jobs|still being processed by the workers"
        warnings.filterwarnings("ignore", f".*({about})")
        yield from parallel(calls)


class Blocks:
    """A map over blocks of resamples: here while it is quick, else in worker processes.

    The results come in order and do not depend on where they were computed.

    Parameters
    ----------
    n_jobs : int or None
        Number of processes at most, as in joblib.
    """

    def __init__(self, n_jobs: int | None) -> None:
        self._n_jobs = n_jobs
        n_workers(n_jobs)  # refuses what is unknown before anything is computed

    def __call__(self, function: Callable[[Any], Any], blocks: Iterable[Any]) -> list[Any]:
        blocks = list(blocks)
        total = sum(map(_size, blocks))
        hint = "A metric of skstat.metrics with a formula takes milliseconds."
        # Products of thin matrices only lose by threads, which wait for each other.
        with (
            Progress(total, "auto", hint=hint, what="resamples") as progress,
            _libraries().limit(limits=1, user_api="blas"),
        ):
            return self._run(function, blocks, progress)

    def _run(self, function: Any, blocks: list[Any], progress: Progress) -> list[Any]:
        workers, results = n_workers(self._n_jobs), list[Any]()
        shortest = float("inf")  # the first call may import what it needs

        def keep(result: Any, workers: int = 1) -> None:
            results.append(result)
            left = shortest * (len(blocks) - len(results)) / workers
            progress.advance(_size(blocks[len(results) - 1]), left)

        for block in blocks:
            saving = shortest * (len(blocks) - len(results)) * (1 - 1 / workers)
            if results and workers > 1 and saving > _STARTING:
                break
            begun = time.perf_counter()
            result = function(block)
            shortest = min(shortest, time.perf_counter() - begun)
            keep(result)
        rest = blocks[len(results) :]
        if not rest:
            return results
        calls = (delayed(function)(block) for block in rest)
        try:
            for result in in_parallel(calls, self._n_jobs, "generator"):
                keep(result, workers)
        except (BrokenExecutor, PicklingError):
            # A metric that no other process can have (a cached function of a script).
            for block in blocks[len(results) :]:
                keep(function(block))
        return results


def _size(block: Any) -> int:
    """Resamples of a block: a seed with their number, or the resamples themselves."""
    return int(block[1]) if isinstance(block, tuple) else len(block)


class Jobs:
    """All fits of one call.

    Parameters
    ----------
    plans : sequence of RunPlan
        What is ready.
    later : iterable of RunPlan, optional
        Those of data sets, each of which is opened when its turn comes.
    n_later : int, default=0
        How many these are; fewer may come.
    n_jobs : int or None
        Number of workers, as in joblib.
    store : Store or None
        Where records are kept, by the process that made them.
    collect : bool, default=False
        Whether errors are collected, and the other fits of an estimator that failed given up
        in that plan; else the first is raised.

    Attributes
    ----------
    records : dict of int to list of FoldRecord
        By number of the plan, what was finished.
    failed : dict of tuple of int to tuple of int and Exception
        By numbers of plan and estimator, the first split that failed, and its error.
    """

    def __init__(
        self,
        plans: Sequence[RunPlan],
        later: Iterable[RunPlan] = (),
        n_later: int = 0,
        *,
        n_jobs: int | None,
        store: Store | None,
        collect: bool = False,
    ) -> None:
        self.records: dict[int, list[FoldRecord]] = {}
        self.failed: dict[tuple[int, int], tuple[int, Exception]] = {}
        self.n_done = 0
        # What a function named its scores first, and where.
        self.first: tuple[tuple[str, ...], str] = (), ""
        # By plan; its rows are let go.
        self._facts: dict[int, tuple[list[str], Any, str]] = {}
        self._plans: Iterator[RunPlan | None] = chain(plans, later, [None])
        self._n_ready, self._n_later = len(plans), n_later
        self._n_records = sum(len(plan.tasks) + len(plan.stored) for plan in plans)
        self._n_jobs = n_jobs
        self._workers = n_workers(n_jobs)
        self._store = store
        self._config = get_config()  # engines open data sets in threads with one of their own
        self._collect = collect
        self._stored: list[FoldRecord] = []
        self._ended = False
        self._error: BaseException | None = None

    @property
    def total(self) -> int:
        """Number of records; of data sets that are not open yet as many as the others have."""
        n_open = max(self._n_ready, len(self.records))
        waiting = 0 if self._ended else self._n_ready + self._n_later - n_open
        return round(self._n_records * (1 + waiting / n_open)) if n_open else waiting

    def run(self, *, verbose: Verbose, hint: str = "") -> None:
        """Make all fits."""
        begun, n_fitted = time.monotonic(), 0
        try:
            with (
                Progress(self.total, verbose, hint=hint) as progress,
                closing(self._records()) as records,
            ):
                for record, is_new in records:
                    self.n_done += 1
                    n_fitted += is_new
                    self._keep(record)
                    progress.total = max(self.total, self.n_done)
                    seconds = time.monotonic() - begun
                    is_reliable = n_fitted > 2 * self._workers or seconds > _LONG
                    left = seconds * (progress.total - self.n_done) / max(n_fitted, 1)
                    progress.advance(1, left if is_reliable else 0.0)
                if self._error is not None:
                    raise self._error
                if self.n_done < progress.total:  # the last data sets could not be loaded
                    progress.total = self.n_done
                    progress.advance(0, 0.0)
        except KeyboardInterrupt as stopped:
            stopped.add_note(self._how_to_go_on())
            raise
        except BrokenExecutor as error:
            what = str(error).partition("\n")[0]
            raise EvaluationError(f"{what} {self._how_to_go_on()}") from error
        except PicklingError as error:
            # loky passes on the text of a traceback in quotes, which ends with the error.
            what = str(error.__cause__ or error).strip('"\n').rpartition("\n")[2]
            raise EvaluationError(
                f"estimator, metric or data set cannot be sent to processes ({what}). Use "
                "n_jobs=1, or threads: joblib.parallel_config(backend='threading')."
            ) from error

    def _keep(self, record: FoldRecord) -> None:
        error, (split, index) = self._error_of(record), record.cell
        if error is None:
            self.records[record.plan].append(record)
        elif not self._collect:
            raise error
        # Of several failures in workers, which come in any order, the first split's counts.
        elif split < self.failed.get((record.plan, index), (math.inf,))[0]:
            self.failed[record.plan, index] = split, error

    def _error_of(self, record: FoldRecord) -> Exception | None:
        """Return what is wrong with a record: it failed, or its scores have other names."""
        names, scoring, split_name = self._facts[record.plan]
        name, split = names[record.cell[1]], split_name.replace("{}", str(record.cell[0]), 1)
        where, metric = f"{name} on {split}", scoring.metric or ", ".join(scoring.sources)
        if record.failure is not None:
            return _raised(record.failure, name, split, metric)
        if scoring.metric is None:  # scorers are named by the caller
            return None
        self.first = self.first if self.first[0] else (tuple(record.scores), where)
        first, first_where = self.first
        for scores in (record.scores, record.training_scores, *record.part_scores):
            if scores and set(scores) != set(first):
                return ValueError(
                    f"scoring={scoring.metric} returned the scores {list(scores)} for {where}, "
                    f"and {list(first)} for {first_where}: a function must name the same "
                    "scores every time. Return a number for each of them, whatever the split."
                )
        return None

    def _how_to_go_on(self) -> str:
        """Say what is kept of a run that ends early, and what to do."""
        # A worker may have finished, and kept, one more of which it could not tell.
        finished = f"at least {self.n_done} of {self.total} fits were finished"
        kept = " and are kept. Call again with the same memory= for the rest."
        if self._store is None:
            kept = ", and none is kept. With memory='a folder' they would be."
        return f"Stopped: {finished}{kept}"

    def _records(self) -> Generator[tuple[FoldRecord, bool], None, None]:
        """Yield records, and whether they are new."""
        while not self._ended and self._error is None:
            for record in chain(self._fitted(), [None]):
                while self._stored:
                    yield self._stored.pop(), False
                if record is not None:
                    yield record, True

    def _fitted(self) -> Iterator[FoldRecord]:
        if self._workers == 1:
            for X, y, task in self._tasks():
                yield _fit(X, y, task, self._store)
            return
        # X and y are arguments of their own: engines send them once to every worker.
        calls = (delayed(_fit)(X, y, task, self._store) for X, y, task in self._tasks())
        yield from in_parallel(calls, self._n_jobs, "generator_unordered")

    def _tasks(self) -> Iterator[tuple[Any, Any, FoldTask]]:
        """Open data sets one by one, and give out their tasks."""
        size, X = 0.0, None
        while size < _MAPPED:
            try:
                with config_context(**self._config):
                    plan = next(self._plans)
            except BaseException as error:  # in an engine's thread it would be lost
                self._error = error
                return
            if plan is None:
                self._ended = True
                return
            number = len(self.records)
            self.records[number] = []
            self._facts[number] = [*plan.named], plan.scoring, plan.split_name
            if len(self.records) > self._n_ready:
                self._n_records += len(plan.tasks) + len(plan.stored)
            for record in plan.stored:
                record.plan = number
            self._stored += plan.stored
            if plan.data.X is not X:
                X = plan.data.X
                size += 8.0 * math.prod(getattr(X, "shape", None) or (len(X),))
            for task in plan.tasks:
                task.plan = number
                if (number, task.cell[1]) in self.failed:
                    self._n_records -= 1
                else:
                    yield X, plan.data.y, task


def _fit(X: Any, y: Any, task: FoldTask, store: Store | None) -> FoldRecord:
    record = run_fold(X, y, task)
    if store is not None:
        store.save(task, record)
    return record


def _raised(failure: Failure, name: str, split: str, metric: str) -> Exception:
    """Return the error to raise for what an estimator of that name failed at on a split."""
    error = failure.exception
    if failure.step == "check":
        return ValueError(f"scoring={metric}: {name} on {split}: {error}")
    doing = {"fit": "be fitted", "score": "be scored", "predict": "predict"}[failure.step]
    kind, error_text = type(error).__name__, shorten(str(error), _LONGEST, placeholder=" ...")
    message = f"{name} could not {doing} on {split}: {kind}: {error_text}"
    if failure.step == "score":
        message += f" (scoring: {metric})"
        if isinstance(error, AttributeError):
            message += (
                ". If the metric needs probabilities or scores that the estimator lacks, "
                "choose a metric of its predictions or wrap it in CalibratedClassifierCV."
            )
    if error.__traceback__ is None:  # it came from a worker process
        error.add_note(failure.trace)
    raised = EvaluationError(message)
    raised.__cause__ = error
    return raised
