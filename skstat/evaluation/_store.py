"""A folder of finished fits, which outlives the process that made them."""

import os
import pickle
import secrets
import tempfile
import warnings
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import joblib

from skstat.evaluation._fold import FoldRecord

_CHECKSUM = 32  # bytes


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
    """

    folder: str

    @classmethod
    def of(cls, memory: str | os.PathLike[str] | joblib.Memory | None) -> "Store | None":
        """Open the store in a folder, or beside what a `joblib.Memory` keeps.

        Parameters
        ----------
        memory : str, path-like, joblib.Memory or None
            Where to keep records. They lie where ``joblib.Memory(memory).clear()``
            removes them.

        Returns
        -------
        Store or None
            None if there is nowhere to keep anything.
        """
        location = memory
        if isinstance(memory, joblib.Memory):
            location = memory.location
            if location is not None and memory.backend != "local":
                raise ValueError(f"memory must be a folder; its backend is {memory.backend!r}.")
        if location is None:
            return None
        if not isinstance(location, str | os.PathLike) or not os.fspath(location):
            raise TypeError(
                f"memory={memory!r} is neither a path nor a joblib.Memory nor None."
            )
        folder = Path(location, "joblib", "skstat").absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise ValueError(f"memory={str(location)!r} cannot be written: {error}") from error
        return cls(str(folder))

    def load(self, key: str) -> FoldRecord | None:
        """Read a record.

        Parameters
        ----------
        key : str
            Hexadecimal digest of all that the record depends on.

        Returns
        -------
        FoldRecord or None
            None if there is no record, or, with a `StoreWarning`, none that is whole.
        """
        try:
            return self._read(key)
        except FileNotFoundError:
            return None
        except Exception as error:
            warnings.warn(
                f"the kept record {key} cannot be used and is recomputed: {error}",
                StoreWarning,
                stacklevel=2,
            )
            return None

    def save(self, key: str, record: FoldRecord) -> None:
        """Keep a record, unless it failed: the next run shall try again.

        Not being able to (the disk is full) costs a `StoreWarning`, not the run.

        Parameters
        ----------
        key : str
            Hexadecimal digest of all that the record depends on.
        record : FoldRecord
            What came out of the task.
        """
        if record.failure is not None:
            return
        try:
            self._write(key, record)
        except Exception as error:
            # The key is left out so that the same warning is shown once.
            warnings.warn(
                f"a finished fit could not be kept in {self.folder}: {error}",
                StoreWarning,
                stacklevel=2,
            )

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
        """
        path = Path(self.folder, "seed")
        place: Any = os.link  # which of two processes one only can do
        try:
            return int(path.read_text("ascii"))
        except FileNotFoundError:
            pass
        except ValueError:
            place = os.replace
        temporary = Path(f"{path}.{secrets.token_hex(8)}.tmp")
        temporary.write_text(str(drawn), "ascii")
        try:
            place(temporary, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        return int(path.read_text("ascii"))

    def _path(self, key: str) -> str:
        # Some file systems are slow with many files in one folder.
        return os.path.join(self.folder, key[:2], key)

    def _read(self, key: str) -> FoldRecord:
        content = Path(self._path(key)).read_bytes()
        checksum, payload = content[:_CHECKSUM], content[_CHECKSUM:]
        if checksum != _checksum(key, payload):
            raise ValueError("its checksum is wrong.")
        return pickle.loads(payload)

    def _write(self, key: str, record: FoldRecord) -> None:
        payload = pickle.dumps(record, protocol=5)
        path = self._path(key)
        # Renaming is atomic: readers see the old file, the new one or none, and of two
        # writers one wins whole. Nothing is synced to the disk: what was written
        # survives the process in the system's cache, however the process ends, and
        # after a power failure the checksum tells what did not reach the disk.
        temporary = f"{path}.{secrets.token_hex(8)}.tmp"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            Path(temporary).write_bytes(_checksum(key, payload) + payload)
            os.replace(temporary, path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise


def _checksum(key: str, payload: bytes) -> bytes:
    # The key counts too: a file under another's name is none.
    digest = blake2b(key.encode(), digest_size=_CHECKSUM)
    digest.update(payload)
    return digest.digest()
