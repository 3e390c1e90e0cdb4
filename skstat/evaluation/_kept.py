"""A folder of finished fits, which remains when the process ends, and the key of a fit.

A key is of data, parameters, split, metric, versions, and the user's own code. joblib hashes
values by pickling them. Installed code counts by name and version. Code of the user's own
counts by what it is in memory: bytecode, constants, defaults, closures, and the globals that
it names, one by one.
"""

import dis
import errno
import functools
import importlib
import os
import pickle
import platform
import secrets
import sys
import sysconfig
import tempfile
import threading
import time
import types
import warnings
import weakref
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib import metadata
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from joblib.hashing import NumpyHasher
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_random_state

from skstat.evaluation._fold import FoldRecord, FoldTask

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
    code_key : str, optional
        The caller's key for all local code.
    process : int
        Where keys are looked for.
    """

    folder: str
    code_key: str | None = None
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
        location, code_key = memory if is_pair else (memory, None)
        if is_pair and not (isinstance(code_key, str) and code_key):
            raise TypeError(
                f"memory={memory!r}: the key beside the folder must be a text, not empty."
            )
        if isinstance(location, joblib.Memory):
            if location.location is not None and location.backend != "local":
                raise ValueError(f"memory must be a folder, not {location.backend!r}.")
            location = location.location
        if location is None:
            return None
        path = os.fspath(location) if isinstance(location, str | os.PathLike) else None
        if not isinstance(path, str) or not path:
            raise TypeError(f"memory={memory!r} must be a folder, Memory or (folder, key).")
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
        return cls(str(folder), code_key)

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
        rest, digest = task.key
        if os.getpid() != self.process:  # a worker loads modules anew: by the code there
            digest, _ = digest_of_task(task, self.code_key)
        key = str(joblib.hash((rest, digest), "sha1"))
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
                f"the file {path} is damaged. Pass the random_state that an earlier report "
                "names, to find its fits, or delete the file."
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


# To be raised when `FoldRecord` changes, or `run_fold` what it fills in.
_RECORD_FORMAT = 12
_MAIN = ("__main__", "__mp_main__")
_STANDARD = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})
# Entries of a class that say where it stands, or what was found out about it.
_INCIDENTAL = {
    "__dict__", "__doc__", "__firstlineno__", "__slotnames__", "__static_attributes__",
    "__weakref__", "_abc_impl",
}  # fmt: skip
_OF_MODULES = {
    "__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__",
    "__path__", "__spec__", "__warningregistry__",
}  # fmt: skip
_GLOBAL = ("_NAME", "_GLOBAL", "_GLOBALS")  # ends of the names of instructions
_BY_PYTHON = 1 << 9  # a type's flag Py_TPFLAGS_HEAPTYPE
_LOOK_UP = {"globals", "eval", "exec"}
_PICKLES = {"__getstate__", "__reduce__", "__reduce_ex__"}
# What holds functions, and pickles by name or not at all.
_WRAPPERS = (types.MethodType, property, classmethod, staticmethod, functools.cached_property)
# Locks and caches that forget: no result depends on what they hold.
_STATELESS = (
    type(threading.Lock()), type(threading.RLock()), weakref.ref, weakref.WeakKeyDictionary,
    weakref.WeakSet, weakref.WeakValueDictionary,
)  # fmt: skip


class Keys:
    """Keys of the fits on one data set.

    Parameters
    ----------
    X, y : object
        All rows.
    code_key : str or None
        The caller's key for all local code, which is then only named.
    """

    def __init__(self, X: Any, y: Any, code_key: str | None) -> None:
        shown = {"display", "print_changed_only"}
        # Full versions: a bug fix may change a last digit, and half a comparison from before
        # it is worse than a recomputation. A folder may be shared by kinds of machines.
        self._common = _digest(
            (
                (X, y, code_key, _RECORD_FORMAT),
                (platform.python_implementation(), sys.version_info[:2]),
                (sys.platform, platform.machine()),
                (np.__version__, scipy.__version__, sklearn.__version__, _version("skstat")),
                {k: v for k, v in sklearn.get_config().items() if k not in shown},
            ),
            code_key,
        )[0]
        self._code_key = code_key
        self._digests: dict[int, str] = {}  # by estimator
        self._unseen: set[str] = set()

    def give_to(self, task: FoldTask) -> None:
        """Give a task the two parts of its key."""
        index = task.cell[1]
        if index not in self._digests:
            digest, unseen = digest_of_task(task, self._code_key)
            if digest in self._unseen:
                raise TypeError(
                    "memory cannot be used: two estimators differ only in parts that cannot be "
                    "compared. Compare them in two folders."
                )
            self._digests[index] = digest
            self._unseen |= {digest} if unseen else set()
        options = (task.metric, task.responses, task.score_training)
        split = (task.train, task.test, task.parts, sorted(task.row_metrics))
        rest = joblib.hash((self._common, options, split), "sha1")
        task.key = rest, self._digests[index]


def digest_of_task(task: FoldTask, code_key: str | None) -> tuple[str, bool]:
    """Digest the estimator of a task, its metric and parameters by the code of this process."""
    fitted = clone(task.estimator)
    # A pickle may leave a parameter out.
    parts = (fitted, fitted.get_params(), task.scorer, task.fit_params, task.score_params)
    return _digest(parts, code_key)


def _digest(value: Any, code_key: str | None) -> tuple[str, bool]:
    """Return a digest, and whether anything was named only, because the caller has a key."""
    hasher = _Hasher(code_key)
    try:
        return hasher.hash(value), hasher.unseen
    except RecursionError as error:
        raise TypeError("memory cannot be used: a value is nested too deeply.") from error


class _Hasher(NumpyHasher):  # type: ignore[misc]
    """Hash values as joblib does; local functions, classes and modules by what they hold."""

    def __init__(self, code_key: str | None) -> None:
        super().__init__("sha1", coerce_mmap=True)
        self.unseen = False
        self._code_key = code_key
        # What was met: each is taken apart once, behind the rest, so that nothing nests.
        self._codes: list[Any] = []
        self._numbers: dict[int, int] = {}

    def dump(self, value: Any) -> None:
        """Hash a value, and then the code that was met in it."""
        super().dump(value)
        for code in self._codes:  # which grows
            if isinstance(code, types.ModuleType):
                self._dump_module(code)
            else:
                super().dump(self._parts_of_code(code))

    def save(self, value: Any) -> None:
        """Hash a value, taken apart where joblib would go by its name or by too little."""
        if isinstance(value, type | types.FunctionType | types.CodeType | types.ModuleType):
            if id(value) not in self._numbers:
                self._numbers[id(value)] = len(self._codes)
                self._codes.append(value)
            value = ("code", self._numbers[id(value)])
        else:
            value = self._plain(value)
        try:
            super().save(value)
            self._save_left_out(value)
        except (_RefusedError, RecursionError):
            raise
        except Exception as error:
            kind = f"{type(value).__qualname__} of {type(value).__module__}"
            if self._code_key is None:
                raise _RefusedError(
                    f"one {kind} cannot be told from another ({error})"
                ) from error
            self.unseen = True
            super().save(("unseen", kind, getattr(value, "__name__", None)))

    def _save_left_out(self, value: Any) -> None:
        """Hash what an object of local code holds and its own pickle may leave out."""
        kind = type(value)
        if kind.__flags__ & _BY_PYTHON and _is_local(kind.__module__):
            custom = any({*vars(base)} & _PICKLES for base in kind.__mro__[:-1])
            for name, held in sorted(getattr(value, "__dict__", {}).items()) if custom else ():
                try:
                    self.save((name, held))
                except Exception:
                    super().save((name, type(held).__qualname__))

    def memoize(self, value: Any) -> None:
        """Forget tuples: whether two equal ones are one depends on where code came from."""
        if not isinstance(value, tuple):
            super().memoize(value)

    def _plain(self, value: Any) -> Any:
        """Take apart what pickles by too little, or by more than it is."""
        if isinstance(value, _STATELESS):
            return type(value).__qualname__
        if type(value) in (dict, types.MappingProxyType):  # the order may count
            return ("dict", *value.items())
        if isinstance(value, set | frozenset):
            digests = [_digest(item, self._code_key) for item in value]
            self.unseen |= any(unseen for _, unseen in digests)
            return (type(value), sorted(digests))
        if isinstance(value, np.random.RandomState):
            # NumPy's global one, or a copy that `clone` made of it, changes all the time.
            states = [one.get_state(legacy=False) for one in (value, check_random_state(None))]
            return "global" if len({*map(joblib.hash, states)}) == 1 else states[0]
        if isinstance(value, np.ndarray) and type(value) not in (np.ndarray, np.memmap):
            extras = (getattr(value, "__dict__", None), getattr(value, "mask", None))
            return (type(value), np.asarray(value), *extras)
        if sparse.issparse(value):  # whatever was found out about its indices meanwhile
            rows = value.tocsr()
            return (type(value), value.shape, rows.data, rows.indices, rows.indptr)
        pandas = sys.modules.get("pandas")
        if pandas is not None and isinstance(value, pandas.DataFrame):  # in whatever blocks
            columns = [column.array for _, column in value.items()]
            return (type(value), value.attrs, value.columns, value.index, columns)
        if isinstance(value, _WRAPPERS):
            carried = ("__func__", "__self__", "fget", "fset", "fdel", "func")
            return (type(value), *(getattr(value, name, None) for name in carried))
        if isinstance(value, types.CellType):
            return () if value == types.CellType() else (value.cell_contents,)  # not filled yet
        if isinstance(value, types.GetSetDescriptorType | types.MemberDescriptorType):
            return (value.__objclass__, value.__name__)
        if callable(value) and hasattr(value, "__wrapped__"):  # functools.lru_cache
            return (type(value).__name__, value.__wrapped__)
        if isinstance(value, types.BuiltinFunctionType) and _is_local(value.__module__):
            return _named(value.__module__, value.__qualname__)
        return value

    def _parts_of_code(self, value: Any) -> Any:
        """What a class, a function or a piece of code is made of."""
        if isinstance(value, types.CodeType):
            # Where it stands (file and line) does not count.
            counts = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount)
            names = (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
            table = value.co_exceptiontable
            return (value.co_code, value.co_consts, names, value.co_flags, counts, table)
        if isinstance(value, type):
            return self._parts_of_class(value)
        # What it says of itself may be copied from what it wraps.
        module, name = value.__globals__.get("__name__"), value.__code__.co_qualname
        carried = (value.__defaults__, value.__kwdefaults__, value.__closure__, vars(value))
        if not _is_local(module):
            # One that was made by another function may carry anything with it.
            return (*_named(module, name), carried if "<locals>" in name else ())
        if self._code_key is not None:
            return (*_named(module, name), carried)
        return (name, value.__code__, carried, self._reached_by(value))

    def _parts_of_class(self, cls: type) -> Any:
        named = _named(cls.__module__, cls.__qualname__)
        if self._code_key is not None:
            return named
        by_name = _look_up(cls.__module__, cls.__qualname__) is cls
        if not _is_local(cls.__module__) and (by_name or not cls.__flags__ & _BY_PYTHON):
            # A method may have been replaced from elsewhere.
            functions = {k: v for k, v in vars(cls).items() if type(v) is types.FunctionType}
            patched = {
                k: v for k, v in functions.items() if _is_local(v.__globals__.get("__name__"))
            }
            return (*named, cls.__bases__, patched)
        entries = {k: v for k, v in vars(cls).items() if k not in _INCIDENTAL}
        return (*named, type(cls), cls.__bases__, sorted(entries.items()))

    def _reached_by(self, function: types.FunctionType) -> list[Any]:
        """Globals that a function of local code names, and local modules that it imports."""
        named, imported, last = set(), [], ""
        for step in _steps(function.__code__):
            if step.opname == "IMPORT_NAME":
                imported.append(last := step.argval)
            elif step.opname == "IMPORT_FROM":
                imported.append(f"{last}.{step.argval}")
            elif step.opname.startswith("LOAD_") and step.opname.endswith(_GLOBAL):
                named.add(step.argval)
        scope = function.__globals__
        package = scope.get("__package__") or ""
        paths = [path for name in imported for path in (name, f"{package}.{name}")]
        reached: list[Any] = [module for path in paths if (module := _local_module(path))]
        reached += [(name, scope[name]) for name in sorted(named) if name in scope]
        anything = _LOOK_UP & (named - scope.keys())
        if anything or set(imported) & {*_MAIN}:
            reached.append(sys.modules.get(scope.get("__name__", ""), sys.modules["__main__"]))
        return reached

    def _dump_module(self, module: types.ModuleType) -> None:
        """Hash what a module of local code holds, as far as it can be told from others."""
        name = module.__name__
        if name in _MAIN and self._code_key is None:
            raise _RefusedError("a function may use anything of __main__")
        super().dump(_named(name, ""))
        if self._code_key is None and _is_local(name):
            for held, value in sorted(vars(module).items()):
                if held not in _OF_MODULES:
                    try:
                        super().dump((held, value))
                    except Exception:
                        super().dump((held, type(value).__qualname__))


def _local_module(path: str) -> types.ModuleType | None:
    """Import a module of local code that a function imports while it runs."""
    package = path.partition(".")[0]
    try:
        spec = find_spec(package)
        origins = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
        if any(origin and _is_own_file(package, origin) for origin in origins):
            return importlib.import_module(path)
    except Exception:
        return None
    return None


def _named(module: Any, name: str) -> tuple[Any, ...]:
    return ("named", module, name, _version(str(module)))


def _steps(code: types.CodeType) -> Iterator[dis.Instruction]:
    """Return the instructions of a piece of code, and of those inside it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _steps(constant)


class _RefusedError(TypeError):
    """Something cannot be told from others of its kind."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"memory cannot be used: {reason}. If you know when it changes, pass "
            "memory=(folder, key), with a text that you change with it."
        )


def _look_up(module: str, path: str) -> Any:
    """Return what a module has under a name; None if there is nothing."""
    value: Any = sys.modules.get(module)
    for name in path.split("."):
        value = getattr(value, "__dict__", {}).get(name)
    return value


def _is_local(module: Any) -> bool:
    """Whether a module may be edited between two calls: neither built in nor installed."""
    if module in _MAIN or not isinstance(module, str):
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and _is_own_file(module, file)


def _is_own_file(module: str, file: str) -> bool:
    package = module.partition(".")[0]
    if not os.path.isabs(file):  # "built-in", "frozen"
        return False
    if package == "skstat" or {"site-packages", "dist-packages"} & {*Path(file).parts}:
        return False
    return not file.startswith(_STANDARD)


def _version(module: str) -> str | None:
    """Return the version of the package of a module; of compiled local code its file."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    if file.endswith(tuple(EXTENSION_SUFFIXES)) and _is_own_file(module, file):
        return str(joblib.hash(Path(file).read_bytes()))
    return _version_of(module.partition(".")[0])


@functools.cache
def _version_of(package: str) -> str | None:
    # Not asked by getattr: some packages warn of it.
    version = getattr(sys.modules.get(package), "__dict__", {}).get("__version__")
    if isinstance(version, str) or package in (*_MAIN, *sys.stdlib_module_names):
        return version
    return " ".join(map(metadata.version, sorted({*_distributions().get(package, ())})))


# It reads the lists of files of everything that is installed, which takes half a second.
_distributions = functools.cache(metadata.packages_distributions)
