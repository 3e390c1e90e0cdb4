"""A folder of finished fits, which remains when the process ends."""

import errno
import os
import pickle
import secrets
import tempfile
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import joblib

from skstat.evaluation._fold import FoldRecord, FoldTask
from skstat.evaluation._keys import digest_of_asked

_CHECKSUM = 32  # bytes
_FULL = {errno.ENOSPC, errno.EDQUOT}
_GRACE = 3600.0  # seconds after which no live process still writes a record


class StoreWarning(UserWarning):
    """A fit could not be kept in the `memory` folder, or not be read from there."""


# Not joblib.Memory itself: it empties the whole folder when it finds the file in which
# it notes the source of the cached function half-written (before joblib 1.6 by another
# process that just started), and it unpickles before a checksum could be looked at.
@dataclass(frozen=True)
class Store:
    """A folder with one file per record, shared by any number of processes.

    Records are pickles, so the folder must be trusted as one given to
    `joblib.Memory`: whoever can write there can run code here.

    Parameters
    ----------
    folder : str
        Absolute path of the folder, which need not exist.
    vouched : str, optional
        The caller's key for all local code.
    process : int
        Where keys are looked for.
    """

    folder: str
    vouched: str | None = None
    process: int = field(default_factory=os.getpid, compare=False)

    @classmethod
    def of(cls, memory: Any) -> "Store | None":
        """Open the store in a folder, or beside what a `joblib.Memory` keeps.

        Parameters
        ----------
        memory : str, path-like, joblib.Memory, tuple or None
            Where to keep records, or a pair of that and a text that stands for all local
            code. Records lie where ``joblib.Memory(memory).clear()`` removes them.

        Returns
        -------
        Store or None
            None if there is nowhere to keep anything.
        """
        is_pair = isinstance(memory, tuple) and len(memory) == 2
        location, vouched = memory if is_pair else (memory, None)
        if is_pair and not (isinstance(vouched, str) and vouched):
            raise TypeError(
                f"memory={memory!r}: the key beside the folder must be a text that is not "
                "empty."
            )
        if isinstance(location, joblib.Memory):
            if location.location is not None and location.backend != "local":
                raise ValueError(
                    f"memory must be a folder; its backend is {location.backend!r}."
                )
            location = location.location
        if location is None:
            return None
        path = os.fspath(location) if isinstance(location, str | os.PathLike) else None
        if not isinstance(path, str) or not path:
            raise TypeError(
                f"memory={memory!r} is neither a path nor a joblib.Memory nor None, nor a pair "
                "(folder, key)."
            )
        folder = Path(path, "joblib", "skstat").absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except (OSError, ValueError) as error:  # a NUL character, say
            if getattr(error, "errno", None) not in _FULL:
                raise ValueError(f"memory={path!r} cannot be written: {error}") from error
            _warn(f"memory={path!r}: the disk is full. No finished fit can be kept.")
        for file in folder.glob("*.tmp"):  # what killed processes were writing
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > _GRACE:
                    file.unlink()
        return cls(str(folder), vouched)

    def load(self, task: FoldTask) -> FoldRecord | None:
        """Read the record of a task.

        Returns
        -------
        FoldRecord or None
            None if there is no record, or, with a `StoreWarning`, none that is whole.
        """
        path = self._path(task)
        try:
            content = path.read_bytes()
            checksum, payload = content[:_CHECKSUM], content[_CHECKSUM:]
            if checksum != _checksum(path, payload):
                raise ValueError("its checksum is wrong.")
            return pickle.loads(payload)
        except FileNotFoundError:
            return None
        except Exception as error:
            _warn(f"the kept record {path.name} cannot be used and is recomputed: {error}")
            return None

    def save(self, task: FoldTask, record: FoldRecord) -> None:
        """Keep the record of a task, unless it failed: the next run shall try again.

        Not being able to (the disk is full) costs a `StoreWarning`, not the run.
        """
        if record.failure is not None:
            return
        path = self._path(task)
        try:
            path.parent.mkdir(exist_ok=True)
            payload = pickle.dumps(record, protocol=5)
            self._place(path, _checksum(path, payload) + payload)
        except Exception as error:
            # The key is left out so that the same warning is shown once.
            reason = getattr(error, "strerror", None) or error
            _warn(f"a finished fit could not be kept in {self.folder}: {reason}")

    def _path(self, task: FoldTask) -> Path:
        assert task.key is not None
        rest, asked = task.key
        if os.getpid() != self.process:  # a worker loads modules anew: by the code there
            asked, _ = digest_of_asked(task, self.vouched)
        key = str(joblib.hash((rest, asked), "sha1"))
        # Some file systems are slow with many files in one folder.
        return Path(self.folder, key[:2], key)

    def kept_seed(self, drawn: int) -> int:
        """Return the seed of this folder, which is the first one that was drawn for it.

        Without a seed of the caller's a second call would draw other splits, and find
        nothing of what the first one finished.

        Parameters
        ----------
        drawn : int
            Seed to keep if there is none yet.

        Returns
        -------
        int
            The same for all calls and processes.

        Raises
        ------
        ValueError
            If the seed is lost, and with it the way to the records.
        """
        path = Path(self.folder, "seed.txt")
        try:
            if not path.exists():
                self._place(path, f"{drawn}\n".encode(), is_seed=True)
            text = path.read_text("ascii", "replace")
        except OSError as error:
            _warn(
                f"the seed of the splits could not be kept ({error.strerror}). Pass "
                f"random_state={drawn} to find again what is kept of this run."
            )
            return drawn
        if not text[:-1].isdigit() or not text.endswith("\n"):
            raise ValueError(
                f"the file {path} is damaged. It held the seed of the splits, without which "
                "the fits in memory= are not found. Pass the random_state that a report of an "
                "earlier call names, or delete the file to draw another."
            )
        return int(text)

    def _place(self, path: Path, content: bytes, *, is_seed: bool = False) -> None:
        # Renaming is atomic: readers see the old file, the new one or none, and of two
        # writers one wins whole. No record is synced to the disk: what was written
        # survives the process in the system's cache, however the process ends, and
        # after a power failure the checksum tells what did not reach the disk.
        temporary = Path(self.folder, f"{path.name}.{secrets.token_hex(8)}.tmp")
        try:
            temporary.write_bytes(content)
            if is_seed:  # all records hang on it, after a power failure too
                with temporary.open("r+b") as file:
                    os.fsync(file.fileno())
                with suppress(OSError):  # which of two processes one only can do
                    os.link(temporary, path)
            if not is_seed or not path.exists():  # or a file system without links
                os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)


def _warn(text: str) -> None:
    warnings.warn(text, StoreWarning, stacklevel=3)


def _checksum(path: Path, payload: bytes) -> bytes:
    # The name counts too: a record in a file of another name is not the one asked for.
    return blake2b(payload, key=path.name.encode(), digest_size=_CHECKSUM).digest()
