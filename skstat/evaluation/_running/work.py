"""The tasks on one data set, and its data as long as any of them is left."""

import math
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

import joblib
import numpy as np

from skstat.evaluation._fold import FoldRecord, FoldTask

_LARGE = 1_000_000  # bytes; smaller data are sent along with every batch
_MAPPED = "skstat-mapped-"  # begin the names of temporary folders
_GRACE = 3600.0  # seconds that a folder may be unlocked, as it is when it is made


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
    _folder: "_Folder | None" = None

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
        try:
            self._folder = _Folder()
            joblib.dump((self.X, self.y), self._folder.file)
            self.X, self.y = joblib.load(self._folder.file, mmap_mode="r")
        except OSError:  # the disk is full: joblib looks for another place
            self._release_folder()

    def close(self) -> None:
        """Let the data go."""
        self.X = self.y = None
        self._release_folder()

    def _release_folder(self) -> None:
        if self._folder is not None:
            self._folder.remove()
            self._folder = None


class _Folder:
    """A temporary folder for one file, which a later run removes if this one is killed.

    It is locked while it is in use. The system ends the lock with the process, however
    that ends; a process id would be another's on another host or in another container.
    """

    def __init__(self) -> None:
        # Whoever tells joblib where there is space means these data too.
        place = os.environ.get("JOBLIB_TEMP_FOLDER") or tempfile.gettempdir()
        _sweep(place)
        self._path = Path(tempfile.mkdtemp(prefix=_MAPPED, dir=place))
        self._lock = _lock(self._path)
        self.file = self._path / "data"

    def remove(self) -> None:
        shutil.rmtree(self._path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def _lock(folder: Path) -> int | None:
    """Return a descriptor that locks a folder until it is closed, if that is possible."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@cache
def _sweep(place: str) -> None:
    """Remove folders that killed processes left."""
    for folder in Path(place).glob(f"{_MAPPED}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime < _GRACE:
                continue
            lock = _lock(folder)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


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
