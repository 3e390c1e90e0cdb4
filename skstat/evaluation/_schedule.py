"""Running tasks: in this process while they are tiny, in parallel once it pays."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from skstat.evaluation._fold import FoldRecord, FoldTask, run_fold

# Starting worker processes imports scikit-learn in each of them.
_COLD_START = 1.0
_WARM_START = 0.02
# joblib stops idle workers after 300 s; later they have to be started again.
_WARM_FOR = 240.0
# Fits on less data than this are worth timing here before sending them away.
_PROBE_BYTES = 10_000_000
_BATCH_SECONDS = 0.2

_last_parallel: dict[int, float] = {}


def run_tasks(
    X: Any,
    y: Any,
    tasks: Sequence[FoldTask],
    *,
    n_jobs: int | None,
    advance: Callable[[int], None],
) -> list[FoldRecord]:
    """Run all tasks and return their records in the order of the tasks.

    The first tasks run here and are timed. As soon as the saving that they predict
    for the rest exceeds the cost of using workers, the rest goes to joblib in one
    call: long tasks first, tiny ones in batches. A failed task ends the run.
    """
    workers = effective_n_jobs(n_jobs)
    records: list[FoldRecord] = []
    seconds: dict[int, float] = {}
    probing = workers > 1 and _worth_probing(X, len(tasks), workers)
    if workers == 1 or probing:
        for position, task in enumerate(tasks):
            if probing and _saving(tasks[position:], seconds, workers) > _start_cost(workers):
                break
            start = time.perf_counter()
            record = run_fold(X, y, task)
            took = time.perf_counter() - start
            key = task.estimator_index
            seconds[key] = min(took, seconds.get(key, took))  # the first call imports
            records.append(record)
            advance(1)
            if record.failure:
                return records
    rest = tasks[len(records) :]
    if rest:
        for batch in _run_parallel(X, y, rest, seconds, n_jobs, workers):
            records.extend(batch)
            advance(len(batch))
            if any(record.failure for record in batch):
                break
        _last_parallel[workers] = time.monotonic()
    return sorted(records, key=lambda record: (record.split, record.estimator_index))


def _run_parallel(
    X: Any,
    y: Any,
    tasks: Sequence[FoldTask],
    seconds: dict[int, float],
    n_jobs: int | None,
    workers: int,
) -> Iterator[list[FoldRecord]]:
    batches = _batches(tasks, seconds, workers)
    # X and y are arguments of their own: joblib maps large ones into shared memory
    # once, which it cannot do for fields of an object.
    calls = (delayed(_run_batch)(X, y, batch) for batch in batches)
    try:
        parallel = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
    except (ValueError, NotImplementedError):  # engines that can return lists only
        parallel = Parallel(n_jobs=n_jobs, batch_size=1)
    yield from parallel(calls)


def _run_batch(X: Any, y: Any, tasks: Sequence[FoldTask]) -> list[FoldRecord]:
    return [run_fold(X, y, task) for task in tasks]


def _batches(
    tasks: Sequence[FoldTask], seconds: dict[int, float], workers: int
) -> list[list[FoldTask]]:
    """Cut tasks into batches: long tasks alone and first, tiny ones together.

    An estimator that was not timed yet counts as long, so that nothing waits
    behind it at the end.
    """
    ordered = sorted(
        tasks, key=lambda task: seconds.get(task.estimator_index, float("inf")), reverse=True
    )
    total = sum(seconds.get(task.estimator_index, 0.0) for task in tasks)
    target = min(_BATCH_SECONDS, total / (4 * workers))
    batches: list[list[FoldTask]] = []
    filled = float("inf")
    for task in ordered:
        expected = seconds.get(task.estimator_index, float("inf"))
        if filled + expected > target:
            batches.append([])
            filled = 0.0
        batches[-1].append(task)
        filled += expected
    return batches


def _worth_probing(X: Any, n_tasks: int, workers: int) -> bool:
    # With few tasks per worker, one long fit here would cost a whole round.
    size = getattr(X, "nbytes", 0) or getattr(getattr(X, "data", None), "nbytes", 0)
    return size < _PROBE_BYTES and n_tasks >= 8 * workers


def _saving(tasks: Sequence[FoldTask], seconds: dict[int, float], workers: int) -> float:
    """Seconds that `workers` would save; tasks not timed yet count as the mean."""
    if not seconds:
        return 0.0
    typical = sum(seconds.values()) / len(seconds)
    remaining = sum(seconds.get(task.estimator_index, typical) for task in tasks)
    return remaining * (1 - 1 / workers)


def _start_cost(workers: int) -> float:
    last = _last_parallel.get(workers)
    warm = last is not None and time.monotonic() - last < _WARM_FOR
    return _WARM_START if warm else _COLD_START
