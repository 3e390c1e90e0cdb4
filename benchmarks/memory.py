"""Peak memory of a parallel run: workers map X instead of copying it."""

import threading
from collections.abc import Iterator

import numpy as np
import psutil
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import StratifiedShuffleSplit

from skstat import paired_cross_validate

ROWS, COLUMNS = 50_000, 1_000  # 400 MB
MB = 1e6


def run() -> Iterator[str]:
    """Yield the peak of the proportional set sizes of all processes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = (X[:, 0] > 0).astype(int)
    estimators = [
        SGDClassifier(max_iter=max_iter, tol=None, random_state=0) for max_iter in (2, 3)
    ]
    cv = StratifiedShuffleSplit(4, test_size=1 / 3, random_state=0)
    with Peak() as peak:
        paired_cross_validate(estimators, X, y, cv=cv, n_jobs=2)
    folds = 2 * X.nbytes  # the training and test rows of two tasks
    allowed = 2 * X.nbytes + folds + 500 * MB
    yield (
        f"X {X.nbytes / MB:.0f} MB, n_jobs=2: peak {peak.bytes / MB:.0f} MB; two X, the "
        f"folds of two tasks and 500 MB are {allowed / MB:.0f} MB"
    )


class Peak:
    """Watch the memory of this process and its workers."""

    def __enter__(self) -> "Peak":
        self.bytes = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        while not self._done.wait(0.05):
            total = 0
            for process in [me, *me.children(recursive=True)]:
                try:
                    total += process.memory_full_info().pss
                except psutil.Error:  # it ended between the two calls
                    continue
            self.bytes = max(self.bytes, total)
