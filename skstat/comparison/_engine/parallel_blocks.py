"""Blocks of resamples on all cores when that saves time, with a progress bar."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pickle import PicklingError
from typing import Any

from sklearn.utils.parallel import delayed
from threadpoolctl import ThreadpoolController

from skstat.evaluation._jobs import in_parallel, n_workers
from skstat.evaluation._progress import Progress

# Seconds that starting worker processes takes: they import scikit-learn.
_START = 0.5
_libraries = cache(ThreadpoolController)


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
            if results and workers > 1 and saving > _START:
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
        except (BrokenProcessPool, PicklingError):
            # A metric that no other process can have (a cached function of a script).
            for block in blocks[len(results) :]:
                keep(function(block))
        return results


def _size(block: Any) -> int:
    """Resamples of a block: a seed with their number, or the resamples themselves."""
    return int(block[1]) if isinstance(block, tuple) else len(block)
