"""Running tasks: in this process while they are tiny, in parallel once it pays."""

import math
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from multiprocessing import active_children
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from skstat.evaluation._fold import FoldRecord, FoldTask, run_fold

# Seconds. Starting worker processes takes longer than the first figure (they import
# scikit-learn), but they stay for the next run.
_COLD_START = 0.5
_WARM_START = 0.02
# Fits on fewer cells of X than this are worth timing here before sending them away.
_PROBE_CELLS = 1_000_000
_SHORTEST_BATCH = 0.01  # sending one off takes a fifth of that
_LONGEST_BATCH = 0.2
_LONG_FIT = 10.0


def run_tasks(
    X: Any,
    y: Any,
    tasks: Sequence[FoldTask],
    *,
    n_jobs: int | None,
    advance: Callable[[int, float], None],
) -> list[FoldRecord]:
    """Run all tasks and return their records in the order of the tasks.

    The first tasks run here and are timed. As soon as the saving that they predict
    for the rest exceeds the cost of using workers, the rest goes to joblib in one
    call: long tasks first, tiny ones in batches. A failed task ends the run.
    `advance` is told how many tasks came back and how many seconds are left.
    """
    workers = effective_n_jobs(n_jobs)
    seconds: dict[int, float] = {}
    left = Counter(task.estimator_index for task in tasks)
    timed: Counter[int] = Counter()
    records: list[FoldRecord] = []

    def keep(batch: Sequence[FoldRecord]) -> bool:
        """Take in records; True while all is well."""
        records.extend(batch)
        for record in batch:
            key, took = record.estimator_index, record.fit_time + record.score_time
            # The shortest time counts: the first fit in a process imports.
            seconds[key] = min(took, seconds.get(key, took))
            left[key] -= 1
            timed[key] += 1
        # One first fit may be all imports; several, or a long one, are evidence.
        known = all(timed[key] > 1 or seconds[key] > _LONG_FIT for key in seconds)
        advance(len(batch), _remaining(left, seconds) / workers if known else 0.0)
        return not any(record.failure for record in batch)

    probing = workers > 1 and _worth_probing(X, len(tasks), workers)
    if workers == 1 or probing:
        for task in tasks:
            saving = _remaining(left, seconds) * (1 - 1 / workers)
            if probing and saving > start_cost(workers):
                break
            if not keep([run_fold(X, y, task)]):
                return records
    rest = tasks[len(records) :]
    if rest:
        results = _run_parallel(X, y, _batches(rest, seconds, workers), n_jobs)
        with warnings.catch_warnings(), closing(results):
            # joblib's word that we left early; the failure itself is raised later.
            warnings.filterwarnings("ignore", ".*still being processed by the workers")
            for batch in results:
                if not keep(batch):
                    break
    return sorted(records, key=lambda record: (record.split, record.estimator_index))


def _run_parallel(
    X: Any, y: Any, batches: Iterator[list[FoldTask]], n_jobs: int | None
) -> Generator[list[FoldRecord], None, None]:
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
) -> Iterator[list[FoldTask]]:
    """Cut tasks into batches while they run: long ones alone and first, tiny ones together.

    `seconds` learns from the records that come back. An estimator that was not timed
    yet counts as long, so that nothing waits behind it at the end. A batch takes a
    share of the time that is left (guided self-scheduling), so that the workers end
    together.
    """
    waiting: dict[int, deque[FoldTask]] = {}
    for task in tasks:
        waiting.setdefault(task.estimator_index, deque()).append(task)

    def expected(index: int) -> float:
        return seconds.get(index, math.inf)

    while waiting:
        longest = max(waiting, key=expected)
        known = sum(expected(i) * len(queue) for i, queue in waiting.items() if i in seconds)
        target = max(_SHORTEST_BATCH, min(_LONGEST_BATCH, known / (3 * workers)))
        queue = waiting[longest]
        size = max(1, int(target / max(expected(longest), 1e-9)))
        yield [queue.popleft() for _ in range(min(size, len(queue)))]
        if not queue:
            del waiting[longest]


def _worth_probing(X: Any, n_tasks: int, workers: int) -> bool:
    # With few tasks per worker, one long fit here would cost a whole round.
    size = math.prod(X.shape) if hasattr(X, "shape") else len(X)
    return size < _PROBE_CELLS and n_tasks >= 8 * workers


def _remaining(left: Mapping[int, int], seconds: Mapping[int, float]) -> float:
    """Seconds of work that is left; estimators not timed yet count as the mean."""
    if not seconds:
        return 0.0
    typical = sum(seconds.values()) / len(seconds)
    return sum(seconds.get(index, typical) * count for index, count in left.items())


def start_cost(workers: int) -> float:
    """Seconds until the first result, which depends on whether workers are there."""
    started = [child for child in active_children() if child.name.startswith("Loky")]
    return _WARM_START if len(started) >= workers else _COLD_START
