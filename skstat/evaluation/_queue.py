"""Which task comes next: the longest of the data sets that are open."""

import math
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn import config_context, get_config

from skstat.evaluation._fold import FoldRecord, FoldTask

_SHORTEST_BATCH = 0.01  # sending one off takes a fifth of that
_LONGEST_BATCH = 0.2
_LONG_FIT = 10.0
_LARGE = 1_000_000  # bytes; smaller data are sent along with every batch
_CELLS = 1_000  # so that a fit's time is a little more than proportional to the data


@dataclass(eq=False)
class Work:
    """The tasks on one data set, and the data as long as any of them is left.

    `found` are records that need no fit, from an earlier run.
    """

    dataset: int
    X: Any
    y: Any
    tasks: list[FoldTask]
    found: list[FoldRecord] = field(default_factory=list)
    _folder: Any = None

    @property
    def cells(self) -> int:
        """Size of X, by which fits on different data sets are compared."""
        shape = getattr(self.X, "shape", None)
        return math.prod(shape) if shape else len(self.X)

    def share(self) -> None:
        """Map the data from a file, which worker processes open instead of copying.

        joblib would do so too, but keep all files until the end of the run: the sum of
        the data sets instead of those that are being worked on.
        """
        if self._folder is not None or _nbytes(self.X) + _nbytes(self.y) < _LARGE:
            return
        self._folder = tempfile.TemporaryDirectory(prefix="skstat-", ignore_cleanup_errors=True)
        path = Path(self._folder.name) / "data"
        joblib.dump((self.X, self.y), path)
        self.X, self.y = joblib.load(path, mmap_mode="r")

    def close(self) -> None:
        """Let the data go."""
        self.X = self.y = None
        if self._folder is not None:
            self._folder.cleanup()


class TaskQueue:
    """Tasks on one or more data sets, of which few need to be in memory.

    Parameters
    ----------
    ready : iterable of Work
        Data sets that are in memory anyway.
    later : iterator of Work, optional
        Data sets that are loaded when their turn comes.
    n_later : int, default=0
        How many these are.
    """

    def __init__(
        self, ready: Iterable[Work], later: Iterable[Work] = (), n_later: int = 0
    ) -> None:
        self.error: Exception | None = None
        self._later = iter(later)
        self._n_later = n_later
        self._config = get_config()  # of this thread; workers' threads have their own
        self._lock = threading.RLock()
        self._open: dict[int, Work] = {}
        self._waiting: dict[tuple[int, int], deque[FoldTask]] = {}
        self._unfinished: Counter[int] = Counter()
        self._seconds: dict[tuple[int, int], float] = {}
        self._sizes: dict[int, int] = {}
        self._rates: dict[int, float] = {}  # of an estimator, on its slowest data set
        self._timed: Counter[int] = Counter()
        self._found: list[FoldRecord] = []
        self._n_opened = self._n_tasks = self._n_found = 0
        for work in ready:
            self._take_in(work)

    @property
    def n_tasks(self) -> int:
        """Number of tasks; of data sets that are not loaded yet as many as the others have."""
        mean = self._n_tasks / self._n_opened if self._n_opened else 1
        return self._n_tasks + round(self._n_later * mean)

    @property
    def n_records(self) -> int:
        """Number of records to come, with those that need no fit."""
        return self.n_tasks + self._n_found

    @property
    def is_waiting(self) -> bool:
        """Whether any task waits in an open data set."""
        return bool(self._waiting)

    def next_here(self, *, largest: int | None = None) -> tuple[Work, FoldTask] | None:
        """Take the next task in order, to run it in this process.

        None at the end, or where the next data set has more than `largest` cells.
        """
        self._refill(1)
        with self._lock:
            if not self._waiting:
                return None
            dataset = next(iter(self._waiting))[0]
            if largest is not None and self._open[dataset].cells >= largest:
                return None
            # Estimators take turns, so that all are timed early.
            key = min(
                (key for key in self._waiting if key[0] == dataset),
                key=lambda key: (self._waiting[key][0].split, key[1]),
            )
            return self._open[dataset], self._pop(key, 1)[0]

    def batches(self, workers: int, *, share: bool) -> Iterator[tuple[Work, list[FoldTask]]]:
        """Cut tasks into batches while they run: long ones alone and first.

        An estimator that was not timed yet counts as long, so that nothing waits behind it
        at the end. A batch takes a share of the time that is left (guided
        self-scheduling), so that the workers end together.
        """
        while True:
            self._refill(2 * workers)
            with self._lock:
                if not self._waiting or self.error is not None:
                    return
                longest = max(self._waiting, key=self._expected)
                known = sum(
                    self._expected(key) * len(tasks)
                    for key, tasks in self._waiting.items()
                    if math.isfinite(self._expected(key))
                )
                target = max(_SHORTEST_BATCH, min(_LONGEST_BATCH, known / (3 * workers)))
                size = max(1, int(target / max(self._expected(longest), 1e-9)))
                work, tasks = self._open[longest[0]], self._pop(longest, size)
            if share:
                work.share()
            yield work, tasks

    def finish(self, record: FoldRecord) -> None:
        """Learn from a record how long its like take, and close its data set if it was last."""
        with self._lock:
            key = record.dataset, record.estimator_index
            took = record.fit_time + record.score_time
            # The shortest time counts: the first fit in a process imports.
            self._seconds[key] = min(took, self._seconds.get(key, took))
            self._timed[key[1]] += 1
            rate = self._seconds[key] / self._sizes[key[0]]
            self._rates[key[1]] = max(rate, self._rates.get(key[1], 0.0))
            self._count_off(record.dataset, 1)

    def drop(self, dataset: int, estimator_index: int) -> int:
        """Give up the tasks of one estimator on one data set; return their number."""
        with self._lock:
            dropped = self._waiting.pop((dataset, estimator_index), deque())
            self._count_off(dataset, len(dropped))
            return len(dropped)

    def pop_found(self) -> list[FoldRecord]:
        """Take the records that needed no fit, of the data sets opened since."""
        with self._lock:
            found, self._found = self._found, []
            return found

    def remaining(self) -> float:
        """Seconds of work that is left, as far as known; what is not counts as the mean."""
        with self._lock:
            if not self._seconds:
                return 0.0
            typical = sum(self._seconds.values()) / len(self._seconds)
            per_task = [
                (typical if math.isinf(expected := self._expected(key)) else expected)
                * len(tasks)
                for key, tasks in self._waiting.items()
            ]
            unopened = self.n_tasks - self._n_tasks
            return sum(per_task) + typical * unopened

    @property
    def is_timed(self) -> bool:
        """Whether `remaining` rests on more than first fits, which may be all imports."""
        with self._lock:
            return bool(self._seconds) and all(
                self._timed[index] > 1 or seconds > _LONG_FIT
                for (_, index), seconds in self._seconds.items()
            )

    def close(self) -> None:
        """Let all data go."""
        for work in self._open.values():
            work.close()
        self._open.clear()

    def _refill(self, n_waiting: int) -> None:
        """Open data sets until enough tasks wait."""
        while self.error is None and sum(map(len, self._waiting.values())) < n_waiting:
            # Engines call from threads of their own, where an error would be lost.
            try:
                with config_context(**self._config):
                    work = next(self._later, None)
            except Exception as error:
                self.error = error
                return
            if work is None:
                self._n_later = 0
                return
            self._n_later -= 1
            self._take_in(work)

    def _take_in(self, work: Work) -> None:
        with self._lock:
            self._n_opened += 1
            self._n_tasks += len(work.tasks)
            self._n_found += len(work.found)
            self._found += work.found
            if not work.tasks:
                work.close()
                return
            self._open[work.dataset] = work
            self._sizes[work.dataset] = work.cells + _CELLS
            self._unfinished[work.dataset] = len(work.tasks)
            for task in work.tasks:
                key = work.dataset, task.estimator_index
                self._waiting.setdefault(key, deque()).append(task)

    def _pop(self, key: tuple[int, int], n: int) -> list[FoldTask]:
        queue = self._waiting[key]
        taken = [queue.popleft() for _ in range(min(n, len(queue)))]
        if not queue:
            del self._waiting[key]
        return taken

    def _count_off(self, dataset: int, n: int) -> None:
        self._unfinished[dataset] -= n
        if self._unfinished[dataset] <= 0 and dataset in self._open:
            self._open.pop(dataset).close()

    def _expected(self, key: tuple[int, int]) -> float:
        """Seconds of a fit, from others of its estimator on data sets of other sizes."""
        if key in self._seconds:
            return self._seconds[key]
        rate = self._rates.get(key[1])
        return math.inf if rate is None else rate * self._sizes[key[0]]


def _nbytes(values: Any) -> int:
    """Bytes of an array, a frame or a sparse matrix; 0 where that is not known."""
    if isinstance(values, np.ndarray):
        return 0 if isinstance(values, np.memmap) else values.nbytes
    if hasattr(values, "memory_usage"):  # pandas
        return int(np.sum(values.memory_usage()))
    if hasattr(values, "estimated_size"):  # polars
        return int(values.estimated_size())
    data = getattr(values, "data", None)  # sparse
    return int(getattr(data, "nbytes", 0))
