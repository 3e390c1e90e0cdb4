"""Running tasks: in this process while they are short, in parallel when that saves time."""

import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing import TimeoutError as PoolTimeoutError
from multiprocessing import active_children
from numbers import Integral
from pickle import PicklingError
from typing import Any

from joblib import effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel, delayed

from skstat.evaluation._fingerprint import local_modules
from skstat.evaluation._fold import EvaluationError, FoldRecord, FoldTask, run_fold
from skstat.evaluation._running.queue import TaskQueue
from skstat.evaluation._running.work import Work
from skstat.evaluation._store import Store

# Seconds. Starting worker processes takes longer than the first figure (they import
# scikit-learn), but they stay for the next run.
_COLD_START = 0.5
_WARM_START = 0.02
_LOOK_EVERY = 0.2
# Fits on fewer cells of X than this are worth timing here before sending them away.
_PROBE_CELLS = 1_000_000


def n_workers(n_jobs: Any) -> int:
    """Count the workers that `n_jobs` stands for here; refuse other values."""
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise ValueError(
            f"n_jobs={n_jobs!r} must be a whole number of workers, -1 for all cores, or None."
        )
    return int(effective_n_jobs(n_jobs))


def run_tasks(
    queue: TaskQueue,
    *,
    n_jobs: int | None,
    keep: Callable[[list[FoldRecord]], bool],
    store: Store | None = None,
) -> None:
    """Run all tasks of a queue; `keep` takes in records, and says whether to go on.

    The first tasks run here and are timed. As soon as the saving that they predict for
    the rest exceeds the cost of using workers, the rest goes to joblib in one call: long
    tasks first, tiny ones in batches. Every finished record is stored where its task
    ran, at once.
    """
    workers = n_workers(n_jobs)
    try:
        if _run_here(queue, workers, keep, store):
            _run_elsewhere(queue, workers, n_jobs, keep, store)
    except KeyboardInterrupt as stopped:
        stopped.add_note(_how_to_go_on(queue, store))
        raise
    finally:
        queue.close()
    if queue.error is not None:
        raise queue.error


def _run_here(
    queue: TaskQueue,
    workers: int,
    keep: Callable[[list[FoldRecord]], bool],
    store: Store | None,
) -> bool:
    """Run tasks in this process, all or as long as that is quick; True if some are left."""
    queue.open(1)
    # With few tasks per worker, one long fit here would cost a whole round.
    if workers > 1 and queue.is_waiting and queue.n_tasks < 8 * workers:
        return True
    while workers == 1 or queue.remaining() * (1 - 1 / workers) <= start_cost(workers):
        taken = queue.next_here(largest=None if workers == 1 else _PROBE_CELLS)
        if taken is None:
            return _keep_found(queue, keep) and queue.is_waiting
        work, task = taken
        record = _run_task(work.X, work.y, task, store)
        queue.finish(record)
        if not keep([*queue.pop_found(), record]):
            return False
    return True


def _run_elsewhere(
    queue: TaskQueue,
    workers: int,
    n_jobs: int | None,
    keep: Callable[[list[FoldRecord]], bool],
    store: Store | None,
) -> None:
    on_this_host = type(get_active_backend()[0]).__name__ == "LokyBackend"
    batches = queue.batches(workers, share=on_this_host)
    results = _run_parallel(batches, n_jobs, store)
    with warnings.catch_warnings(), closing(results):
        # joblib warns that the generator was closed early; the failure itself is raised later.
        warnings.filterwarnings("ignore", ".*still being processed by the workers")
        try:
            for records in results:
                for record in records:
                    queue.finish(record)
                if not keep([*queue.pop_found(), *records]) or queue.error is not None:
                    return
        except BrokenExecutor as error:
            what = str(error).partition("\n")[0]
            raise EvaluationError(f"{what} {_how_to_go_on(queue, store)}") from error
        except PicklingError as error:
            # loky passes on the text of a traceback in quotes, which ends with the error.
            what = str(error.__cause__ or error).strip('"\n').rpartition("\n")[2]
            raise EvaluationError(
                f"an estimator, metric or data set cannot be sent to other processes ({what}). "
                "Use n_jobs=1, or threads: joblib.parallel_config(backend='threading')."
            ) from error
    _keep_found(queue, keep)


def _how_to_go_on(queue: TaskQueue, store: Store | None) -> str:
    """Say what is kept of a run that ends early, and what to do."""
    # A worker may have finished, and kept, one more of which it could not tell.
    finished = f"at least {queue.n_finished} of {queue.n_records} fits were finished"
    if store is None:
        return f"Stopped: {finished}, and none is kept. With memory='a folder' they would be."
    return f"Stopped: {finished} and are kept. Call again with the same memory= for the rest."


def _keep_found(queue: TaskQueue, keep: Callable[[list[FoldRecord]], bool]) -> bool:
    found = queue.pop_found()
    return not found or keep(found)


def _run_parallel(
    batches: Iterator[tuple[Work, list[FoldTask]]], n_jobs: int | None, store: Store | None
) -> Generator[list[FoldRecord], None, None]:
    # X and y are arguments of their own: engines send them once to every worker, which
    # they cannot do for fields of an object.
    calls = (delayed(_run_batch)(work.X, work.y, tasks, store) for work, tasks in batches)
    try:
        parallel = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
    except (ValueError, NotImplementedError):  # engines that can return lists only
        yield from _with_watched_workers(Parallel(n_jobs=n_jobs, batch_size=1), calls)
        return
    yield from parallel(calls)


def _with_watched_workers(parallel: Parallel, calls: Iterable[Any]) -> Any:
    """Run calls in an engine that would wait for ever for a worker process that is killed.

    `multiprocessing.Pool` puts another in its place, and forgets what it was doing.
    """
    before, over, killed = set(active_children()), threading.Event(), threading.Event()
    with parallel:  # which starts the processes
        started = set(active_children()) - before
        workers = [child for child in started if "PoolWorker" in child.name]

        def watch() -> None:
            while not over.wait(_LOOK_EVERY):
                if not all(worker.is_alive() for worker in workers):
                    killed.set()
                    parallel.timeout = 0  # which joblib looks at while it waits
                    return

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            return parallel(calls)
        except PoolTimeoutError as error:
            if not killed.is_set():
                raise
            words = "A worker process was killed, or ran out of memory."
            raise BrokenExecutor(words) from error
        finally:
            over.set()
            watcher.join()


def _run_batch(
    X: Any, y: Any, tasks: Sequence[FoldTask], store: Store | None
) -> list[FoldRecord]:
    return [_run_task(X, y, task, store) for task in tasks]


def _run_task(X: Any, y: Any, task: FoldTask, store: Store | None) -> FoldRecord:
    modules = local_modules(task.run) if task.run is not None else None
    record = run_fold(X, y, task)
    if store is not None and task.key is not None and record.failure is None:
        used = modules.after_fit() if modules is not None else {}
        store.save(task.key, replace(record, modules=used))
    return record


def start_cost(workers: int) -> float:
    """Seconds until the first result, which depends on whether workers are there."""
    started = [child for child in active_children() if child.name.startswith("Loky")]
    return _WARM_START if len(started) >= workers else _COLD_START
