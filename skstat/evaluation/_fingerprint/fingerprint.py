"""Digests of whatever a fit depends on: equal digests, equal results."""

import copyreg
import platform
import struct
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Set
from hashlib import blake2b
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import scipy
import sklearn
from sklearn.base import clone

from skstat.evaluation._fingerprint.code import (
    annotations_of,
    carried_by,
    globals_of,
    members_of,
    methods_of,
    parts_of_code,
    refusal,
)
from skstat.evaluation._fingerprint.installed import (
    MAIN,
    found_in,
    home_of,
    installed,
    module_of,
    written_in,
)
from skstat.evaluation._fingerprint.parts import parts_of_data

# To be raised when `FoldRecord` changes, or `run_fold` what it fills in.
_RECORD_FORMAT = 6
_MADE_BY_PYTHON = 1 << 9  # a type's flag Py_TPFLAGS_HEAPTYPE
# Locks and caches that forget: no result depends on what they hold.
_STATELESS = (
    type(threading.Lock()),
    type(threading.RLock()),
    weakref.ref,
    weakref.WeakKeyDictionary,
    weakref.WeakSet,
    weakref.WeakValueDictionary,
)


class Fingerprint(NamedTuple):
    """A digest, and what it rests on.

    Attributes
    ----------
    digest : str
        Hexadecimal digits.
    local : bool
        Whether local code is involved, so that local modules count too.
    unseen : bool
        Whether something was named only, because the caller vouches for it.
    """

    digest: str
    local: bool
    unseen: bool


def fingerprint(*values: Any) -> str:
    """Digest values so that equal digests mean equal results of a fit.

    See `examine`.
    """
    return examine(*values).digest


def examine(*values: Any, vouched: str | None = None) -> Fingerprint:
    """Digest values, and say whether local code is among them.

    Digests are equal in all processes and sessions. Estimators count by the parameters
    that `sklearn.base.clone` keeps and by what they are pickled as, arrays with their
    order in memory, since it changes the order of sums. Other objects are taken apart
    like `pickle` does. For installed code, name and version count. Classes and functions of
    local modules are named, as the modules count as a whole (see `_local_modules`), those
    of ``__main__`` are taken apart with all that they reach.

    Parameters
    ----------
    *values : object
        Data, estimators, scorers, parameters.
    vouched : str, optional
        Key that stands for all local code; what cannot be told from others of its kind is
        then named too.

    Returns
    -------
    Fingerprint
        The digest.

    Raises
    ------
    TypeError
        If something cannot be told from others of its kind.
    """
    encoder = _Encoder(vouched)
    try:
        content = encoder.encode((vouched, *values))
    except RecursionError as error:
        raise TypeError("memory cannot be used: a value is nested too deeply.") from error
    return Fingerprint(_digest(content), encoder.local and vouched is None, encoder.unseen)


def examine_module(module: ModuleType, without: Set[str]) -> str:
    """Digest what a module holds, as far as it can be told from others of its kind."""
    encoder, held = _Encoder(None, module.__name__), dict(vars(module))
    parts = [(name, encoder.tried(held[name])) for name in sorted(held.keys() - without)]
    return _digest(encoder.encode(parts))


def versions() -> dict[str, Any]:
    """Return the surroundings that a record depends on, whatever the fit.

    Full versions, since a bug fix may change a last digit, and half a comparison from
    before it is worse than a recomputation; of Python the minor version, with which
    bytecode changes; the kind of machine, as a folder may be shared. joblib only
    carries tasks. All of scikit-learn's configuration but what changes how things are
    shown.

    Returns
    -------
    dict
        To be passed to `fingerprint`.
    """
    shown = {"display", "print_changed_only"}
    return {
        "format": _RECORD_FORMAT,
        "python": (platform.python_implementation(), *sys.version_info[:2]),
        "machine": (sys.platform, platform.machine()),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "sklearn": sklearn.__version__,
        "skstat": installed("skstat"),
        "config": {k: v for k, v in sklearn.get_config().items() if k not in shown},
    }


class _Encoder:
    """Writes values as bytes that no two different values share.

    Every value becomes a frame: a tag and either a length and that many bytes or,
    if they are many, a digest. Frames can thus be put side by side. What is met again is
    written as a number, which also ends the writing of what holds itself.
    """

    def __init__(self, vouched: str | None, module: str | None = None) -> None:
        self.local = self.unseen = False
        self._vouched = vouched
        self._own = (*MAIN, module)  # modules whose code is taken apart
        self._whole = module is None  # whether the methods of installed classes count
        self._inside = False  # an object, so that estimators were cloned already
        self._met: dict[int, tuple[int, Any]] = {}

    def encode(self, value: Any) -> bytes:
        plain = _PLAIN.get(type(value))
        if plain is not None:
            return plain(value)
        container = type(value)
        if container is tuple:
            return self._sequence(b"tuple", value)
        if container is set or container is frozenset:
            return _frame(container.__name__.encode(), *sorted(map(self._apart, value)))
        if isinstance(value, np.ndarray) and type(value) is not np.ma.MaskedArray:
            return self._array(value)
        parts = parts_of_data(value)
        if parts is not None:
            return self._sequence(b"data", (_kind(value), *parts))
        if id(value) in self._met:
            return _frame(b"again", _integer(self._met[id(value)][0]))
        self._met[id(value)] = (len(self._met), value)
        if container is list:
            return self._sequence(b"list", value)
        if container is dict or container is MappingProxyType:  # the order may count
            return self._sequence(b"dict", value.items())
        outer, self._inside = self._inside, True
        try:
            return self._named(value, cloned=outer)
        finally:
            self._inside = outer

    def _named(self, value: Any, *, cloned: bool) -> bytes:
        """Write what has a name, or parts that only its kind knows."""
        if isinstance(value, ModuleType):
            return self._module(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, FunctionType):
            return self._function(value)
        parts = parts_of_code(value)
        if parts is not None:
            return self._sequence(b"code", (type(value), *parts))
        return self._object(value, cloned=cloned)

    def _sequence(self, tag: bytes, values: Iterable[Any]) -> bytes:
        return _frame(tag, *map(self.encode, values))

    def _apart(self, value: Any) -> bytes:
        """Encode by an encoder of its own, as the numbers of what is met depend on order."""
        encoder = _Encoder(self._vouched)
        encoder._own, encoder._whole, encoder._inside = self._own, self._whole, self._inside
        content = encoder.encode(value)
        self.local |= encoder.local
        self.unseen |= encoder.unseen
        return content

    def _array(self, array: np.ndarray) -> bytes:
        kind = type(array)
        own = (
            None
            if kind in (np.ndarray, np.memmap)
            else (_kind(array), getattr(array, "__dict__", {}))
        )
        shape, dtype = array.shape, array.dtype
        array = np.asarray(array)  # a memory map is its content
        fortran = array.flags.f_contiguous and not array.flags.c_contiguous
        head = self.encode((own, shape, dtype, fortran))
        if dtype.names is not None:  # without the bytes between the fields
            return _frame(b"fields", head, *(self.encode(array[n]) for n in dtype.names))
        if dtype.hasobject or dtype.kind not in "biufcmMSUV":
            return _frame(b"objects", head, *map(self.encode, array.ravel().tolist()))
        flat = (array.T if fortran else np.ascontiguousarray(array)).reshape(-1)
        content = flat.view(np.uint8).data if flat.nbytes else b""
        return _frame(b"array", head, blake2b(content).digest())

    def _module(self, module: ModuleType) -> bytes:
        name = module.__name__
        if name in MAIN and self._vouched is None:
            raise refusal("a function may use anything of __main__")
        return self._by_name(b"module", name, "")

    def _class(self, cls: type) -> bytes:
        home = home_of(cls)
        if home is None and not cls.__flags__ & _MADE_BY_PYTHON:
            return self._sequence(b"builtin", (cls.__module__, cls.__qualname__))
        version = installed(home)
        if version is not None:
            methods = {}
            if self._whole:  # one may have been replaced by something from elsewhere
                methods = {name: self.tried(found) for name, found in methods_of(cls).items()}
            return self._sequence(
                b"class", (home, cls.__qualname__, version, cls.__bases__, methods)
            )
        if self._is_named(home):
            return self._by_name(b"class", home, cls.__qualname__)
        self.local = True
        parts = (cls.__module__, cls.__qualname__, type(cls), cls.__bases__, members_of(cls))
        return self._sequence(b"local class", parts)

    def _function(self, function: FunctionType) -> bytes:
        module, code = module_of(function), function.__code__
        version = installed(module)
        if version is not None and written_in(function, module):
            name = (module, code.co_qualname, code.co_firstlineno, version)
            # One that was made by another function may carry anything with it.
            carried = carried_by(function) if "<locals>" in code.co_qualname else ()
            return self._sequence(b"installed", (*name, carried))
        home = home_of(function)
        if version is None and home == module and self._is_named(home):
            return self._by_name(b"function", home, function.__qualname__)
        reached: Any = module
        if version is None:
            self.local = True
            if self._vouched is None and (module is None or module in MAIN):
                reached = globals_of(function)
        parts = (code, carried_by(function), annotations_of(function), reached)
        return self._sequence(b"function", parts)

    def _object(self, value: Any, *, cloned: bool) -> bytes:
        if isinstance(value, _STATELESS):
            return self.encode(type(value))
        try:
            params = None
            if hasattr(value, "get_params"):
                # What a fit starts from. Inside of objects estimators count as they are.
                value = value if cloned else clone(value)
                params = value.get_params(deep=False)
            reduced = _reduced(value)
            if isinstance(reduced, str):
                return self._global(value, reduced)
        except Exception as error:
            kind = f"{type(value).__qualname__} of {type(value).__module__}"
            if self._vouched is None:
                raise refusal(f"one {kind} cannot be told from another ({error})") from error
            self.unseen = True
            return self._sequence(b"unseen", (kind, getattr(value, "__name__", None)))
        make, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        items = None if items is None else list(items)
        pairs = None if pairs is None else list(pairs)
        held = {}
        if installed(home_of(type(value))) is None:  # of which the pickle may leave some out
            inside = getattr(value, "__dict__", {}).items()
            held = {name: self.tried(part) for name, part in inside}
        parts = (type(value), params, held, make, arguments, state, items, pairs, *reduced[5:])
        return self._sequence(b"object", parts)

    def _global(self, value: Any, name: str) -> bytes:
        """Write what pickles as the name of a global, which it must really be."""
        if hasattr(value, "__wrapped__"):
            return self._sequence(b"wrapper", (type(value), vars(value)))
        home = getattr(value, "__module__", None)
        if not isinstance(home, str):  # it does not know, as universal functions
            every = list(sys.modules.items())
            homes = [h for h, m in every if getattr(m, "__dict__", {}).get(name) is value]
            home = min(homes, key=lambda home: (installed(home) is None, home), default=None)
        if found_in(home, name) is not value:
            raise TypeError(f"no module has it under the name {name!r}")
        if installed(home) is not None or self._is_named(home):
            return self._by_name(b"global", home, name)
        self.local = True
        return self._sequence(b"local", (type(value), home, name))

    def _is_named(self, home: str | None) -> bool:
        """Whether local code is known by its name: in modules that count as a whole."""
        return home is not None and (self._vouched is not None or home not in self._own)

    def _by_name(self, tag: bytes, module: str | None, name: str) -> bytes:
        version = installed(module)
        self.local |= version is None
        return self._sequence(b"named " + tag, (module, name, version))

    def tried(self, value: Any) -> Any:
        """Encode a part of something that is known by other parts too, if that is possible."""
        n_met = len(self._met)
        try:
            return self.encode(value)
        except Exception:
            for half_written in list(self._met)[n_met:]:
                del self._met[half_written]
            return type(value).__qualname__


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=20).hexdigest()


def _kind(data: Any) -> Any:
    """Name the type of data; one of local code counts as that does."""
    cls = type(data)
    version = installed(home_of(cls))
    return cls if version is None else (cls.__module__, cls.__qualname__, version)


def _frame(tag: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    if len(content) > 64:
        return b"%b#%b" % (tag, blake2b(content, digest_size=32).digest())
    return b"%b:%d:%b" % (tag, len(content), content)


def _integer(value: int) -> bytes:
    return _frame(b"int", value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True))


_PLAIN: dict[type, Callable[[Any], bytes]] = {
    type(None): lambda value: b"none:0:",
    bool: lambda value: b"bool:1:1" if value else b"bool:1:0",
    int: _integer,
    float: lambda value: _frame(b"float", struct.pack("<d", value)),
    complex: lambda value: _frame(b"complex", struct.pack("<dd", value.real, value.imag)),
    str: lambda value: _frame(b"str", value.encode("utf-8", "surrogatepass")),
    bytes: lambda value: _frame(b"bytes", value),
}


def _reduced(value: Any) -> Any:
    """Take an object apart like `pickle` does."""
    reduce = copyreg.dispatch_table.get(type(value))
    return reduce(value) if reduce is not None else value.__reduce_ex__(4)
