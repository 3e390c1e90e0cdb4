"""Which task comes next: the longest of the data sets that are open."""

import math
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import takewhile

from sklearn import config_context, get_config

from skstat.evaluation._fold import FoldRecord, FoldTask
from skstat.evaluation._running.work import Work

_SHORTEST_BATCH = 0.01  # sending one off takes a fifth of that
_LONGEST_BATCH = 0.2
_LONG_FIT = 10.0
_LOOK_EVERY = 0.1  # seconds
_CELLS = 1_000  # so that a fit's time is a little more than proportional to the data


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
        self.error: BaseException | None = None
        self._later = iter(later)
        self._n_later = n_later
        # Engines ask for batches from threads of their own, with a configuration of their own.
        self._config = get_config()
        self._caller = threading.get_ident()
        self._lock = threading.RLock()
        self._closed = False
        self._time_left = self._look_again = 0.0
        self._open: dict[int, Work] = {}
        # By data set and estimator.
        self._waiting: dict[tuple[int, int], deque[FoldTask]] = {}
        self._unfinished: Counter[int] = Counter()
        self._seconds: dict[tuple[int, int], float] = {}
        # Number and seconds of all fits but the first, which imports.
        self._after_first: dict[tuple[int, int], tuple[int, float]] = {}
        self._sizes: dict[int, int] = {}
        self._rates: dict[int, float] = {}  # of an estimator, on its slowest data set
        self._timed: Counter[int] = Counter()
        self._found: list[FoldRecord] = []
        self._n_opened = self._n_tasks = self._n_found = self._n_finished = 0
        for work in ready:
            self._take_in(work)

    @property
    def n_tasks(self) -> int:
        """Number of tasks; of data sets that are not loaded yet as many as the others have."""
        with self._lock:
            mean = self._n_tasks / self._n_opened if self._n_opened else 1
            return self._n_tasks + round(self._n_later * mean)

    @property
    def n_records(self) -> int:
        """Number of records to come, with those that need no fit."""
        with self._lock:
            return self.n_tasks + self._n_found

    @property
    def n_finished(self) -> int:
        """Number of records that are there, with those that needed no fit."""
        with self._lock:
            return self._n_finished + self._n_found

    @property
    def is_waiting(self) -> bool:
        """Whether any task waits in an open data set."""
        return bool(self._waiting)

    def open(self, n_waiting: int) -> None:
        """Open data sets until enough tasks wait, or all are open."""
        while self._n_waiting() < n_waiting and not self._closed:
            with config_context(**self._config):
                work = next(self._later, None)
            with self._lock:
                if work is None:
                    self._n_later = 0
                    return
                self._n_later -= 1
                self._take_in(work)

    def next_here(self, *, largest: int | None = None) -> tuple[Work, FoldTask] | None:
        """Take the next task in order, to run it in this process.

        None at the end, or where the next data set has more than `largest` cells.
        """
        self.open(1)
        with self._lock:
            if not self._waiting:
                return None
            dataset = next(iter(self._waiting))[0]
            if largest is not None and self._open[dataset].cells >= largest:
                return None
            # Estimators take turns, so that all are timed early.
            key = min(
                takewhile(lambda key: key[0] == dataset, self._waiting),
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
            try:
                batch = self._next_batch(workers, share)
            except BaseException as error:
                if threading.get_ident() == self._caller:
                    raise
                # In an engine's thread it would be lost, and the engine wait for ever.
                self.error = error
                return
            if batch is None:
                return
            yield batch

    def finish(self, record: FoldRecord) -> None:
        """Learn from a record how long its like take, and close its data set if it was last."""
        with self._lock:
            key = record.dataset, record.estimator_index
            took = record.fit_time + record.score_time
            if key in self._seconds:
                n, seconds = self._after_first.get(key, (0, 0.0))
                self._after_first[key] = n + 1, seconds + took
            # To plan by, the shortest time counts: the first fit in a process imports.
            self._seconds[key] = min(took, self._seconds.get(key, took))
            self._timed[key[1]] += 1
            self._n_finished += 1
            rate = self._seconds[key] / self._sizes[key[0]]
            self._rates[key[1]] = max(rate, self._rates.get(key[1], 0.0))
            self._count_off(record.dataset, 1)

    def drop(self, dataset: int, estimator_index: int) -> int:
        """Give up the tasks of one estimator on one data set; return their number."""
        with self._lock:
            n_dropped = len(self._waiting.pop((dataset, estimator_index), ()))
            self._count_off(dataset, n_dropped)
            return n_dropped

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
                (typical if math.isinf(expected := self._expected(own)) else expected)
                * len(tasks)
                for own, tasks in self._waiting.items()
            ]
            unopened = self.n_tasks - self._n_tasks
            return sum(per_task) + typical * unopened

    def time_left(self, workers: int) -> float:
        """Seconds to the end, to be shown; 0 where too little is known.

        It is looked at now and then: with many data sets that takes as long as a tiny fit.
        """
        now = time.monotonic()
        if now >= self._look_again:
            self._look_again = now + _LOOK_EVERY
            seconds = self.remaining() + self._beyond_shortest()
            self._time_left = seconds / workers if self.is_timed else 0.0
        return self._time_left

    def _beyond_shortest(self) -> float:
        """Seconds that tasks will take beyond the shortest of their like, if they go on so."""
        with self._lock:
            return sum(
                (seconds / n - self._seconds[own]) * len(self._waiting.get(own, ()))
                for own, (n, seconds) in self._after_first.items()
            )

    @property
    def is_timed(self) -> bool:
        """Whether `remaining` rests on more than first fits, which may be all imports."""
        with self._lock:
            return bool(self._seconds) and all(
                self._timed[index] > 1 or seconds > _LONG_FIT
                for (_, index), seconds in self._seconds.items()
            )

    def close(self) -> None:
        """Let all data go, also those that an engine's thread is just loading."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            for work in self._open.values():
                work.close()
            self._open.clear()

    def _n_waiting(self) -> int:
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def _next_batch(self, workers: int, share: bool) -> tuple[Work, list[FoldTask]] | None:
        self.open(2 * workers)
        with self._lock:
            if not self._waiting:
                return None
            expected = {key: self._expected(key) for key in self._waiting}
            longest = max(expected, key=expected.__getitem__)
            known = sum(
                seconds * len(self._waiting[own])
                for own, seconds in expected.items()
                if math.isfinite(seconds)
            )
            target = max(_SHORTEST_BATCH, min(_LONGEST_BATCH, known / (3 * workers)))
            size = max(1, int(target / max(expected[longest], 1e-9)))
            work, tasks = self._open[longest[0]], self._pop(longest, size)
            if share:
                work.share()
            return work, tasks

    def _take_in(self, work: Work) -> None:
        with self._lock:
            self._n_opened += 1
            self._n_tasks += len(work.tasks)
            self._n_found += len(work.found)
            self._found += work.found
            if not work.tasks or self._closed:
                work.close()
                return
            self._open[work.dataset] = work
            self._sizes[work.dataset] = work.cells + _CELLS
            self._unfinished[work.dataset] = len(work.tasks)
            for task in work.tasks:
                own = work.dataset, task.estimator_index
                self._waiting.setdefault(own, deque()).append(task)

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
