"""Digests of whatever a fit depends on: equal digests, equal results."""

import copyreg
import platform
import struct
import sys
import threading
import weakref
from collections.abc import Callable, Iterable
from hashlib import blake2b
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy
import sklearn
from sklearn.base import clone

from skstat.evaluation import _source
from skstat.evaluation._parts import parts_of_data

# To be raised when `FoldRecord` changes, or `run_fold` what it fills in.
_RECORD_FORMAT = 3
# Locks and caches that forget: no result depends on what they hold.
_STATELESS = (
    type(threading.Lock()),
    type(threading.RLock()),
    weakref.ref,
    weakref.WeakKeyDictionary,
    weakref.WeakSet,
    weakref.WeakValueDictionary,
)


def fingerprint(*values: Any) -> str:
    """Digest values so that equal digests mean equal results of a fit.

    Digests are equal in all processes and sessions. Of estimators what
    `sklearn.base.clone` keeps counts, of local code (see `_source`) the code itself
    and all that it reaches, of arrays whether they are in Fortran order too, since
    it changes the order of sums. Other objects are taken apart like `pickle` does.

    Parameters
    ----------
    *values : object
        Data, estimators, scorers, parameters.

    Returns
    -------
    str
        Hexadecimal digits.

    Raises
    ------
    TypeError
        If something cannot be told from others of its kind.
    """
    try:
        return blake2b(_Encoder().encode(values), digest_size=20).hexdigest()
    except RecursionError as error:
        raise TypeError("memory cannot be used: a value is nested too deeply.") from error


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
        "config": {k: v for k, v in sklearn.get_config().items() if k not in shown},
    }


class _Encoder:
    """Writes values as bytes that no two different values share.

    Every value becomes a frame: a tag and either a length and that many bytes or,
    if they are many, a digest. Frames can thus be put side by side.
    """

    def __init__(self) -> None:
        self._open: dict[int, int] = {}  # containers that are being written, with depth
        self._code: dict[int, tuple[int, Any]] = {}  # code written before, with a number
        self._inside = False  # an object, so that estimators were cloned already

    def encode(self, value: Any) -> bytes:
        plain = _PLAIN.get(type(value))
        if plain is not None:
            return plain(value)
        if id(value) in self._open:
            return _frame(b"cycle", _integer(self._open[id(value)]))
        self._open[id(value)] = len(self._open)
        try:
            return self._compound(value)
        finally:
            del self._open[id(value)]

    def _compound(self, value: Any) -> bytes:
        container = type(value)
        if container is tuple or container is list:
            return self._sequence(container.__name__.encode(), value)
        if container is dict or container is MappingProxyType:
            return self._mapping(value)
        if container is set or container is frozenset:
            return _frame(container.__name__.encode(), *sorted(map(self._apart, value)))
        if isinstance(value, _source.KINDS):
            return self._within(self._local_or_installed, value)
        parts = parts_of_data(value)
        if parts is not None:
            return self._sequence(b"data", parts)
        if isinstance(value, np.ndarray):
            return self._array(value)
        return self._object(value)

    def _sequence(self, tag: bytes, values: Iterable[Any]) -> bytes:
        return _frame(tag, *map(self.encode, values))

    def _apart(self, value: Any) -> bytes:
        """Encode by an encoder of its own, as the numbers of code depend on the order."""
        encoder = _Encoder()
        encoder._inside = self._inside
        return encoder.encode(value)

    def _mapping(self, mapping: Any) -> bytes:
        keys = sorted(((self._apart(key), key) for key in mapping), key=itemgetter(0))
        parts = [part for code, key in keys for part in (code, self.encode(mapping[key]))]
        return _frame(b"dict", *parts)

    def _array(self, array: np.ndarray) -> bytes:
        kind = type(array)
        shape, dtype = array.shape, array.dtype
        array = np.asarray(array)  # a memory map is its content
        fortran = array.flags.f_contiguous and not array.flags.c_contiguous
        head = self.encode(
            (None if kind in (np.ndarray, np.memmap) else kind, shape, dtype, fortran)
        )
        if dtype.names is not None:  # without the bytes between the fields
            return _frame(b"fields", head, *(self.encode(array[n]) for n in dtype.names))
        if dtype.hasobject or dtype.kind not in "biufcmMSUV":
            return _frame(b"objects", head, *map(self.encode, array.ravel().tolist()))
        flat = (array.T if fortran else np.ascontiguousarray(array)).reshape(-1)
        content = flat.view(np.uint8).data if flat.nbytes else b""
        return _frame(b"array", head, blake2b(content).digest())

    def _local_or_installed(self, code: Any) -> bytes:
        if id(code) in self._code:
            return _frame(b"again", _integer(self._code[id(code)][0]))
        if isinstance(code, _source.NAMED):
            self._code[id(code)] = (len(self._code), code)
        return self._sequence(type(code).__name__.encode(), _source.describe(code))

    def _object(self, value: Any) -> bytes:
        if isinstance(value, _STATELESS):
            return self.encode(type(value))
        try:
            if not self._inside and hasattr(value, "get_params"):
                # What a fit starts from. Inside of objects estimators count as they are.
                value = clone(value)
            reduced = _reduced(value)
        except Exception as error:
            raise TypeError(
                f"memory cannot be used: nothing tells one {type(value).__qualname__} of "
                f"{type(value).__module__} from another ({error})."
            ) from error
        return self._within(self._reduction, value, reduced)

    def _reduction(self, value: Any, reduced: Any) -> bytes:
        if isinstance(reduced, str):  # the name of a global
            module = getattr(value, "__module__", None) or type(value).__module__
            wrapped = getattr(value, "__wrapped__", None)
            parts = (module, reduced, _source.installed(module), wrapped)
            return self._sequence(b"global", (type(value), *parts))
        make, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        items = None if items is None else list(items)
        pairs = None if pairs is None else list(pairs)
        return self._sequence(
            b"object", (type(value), make, arguments, state, items, pairs, *reduced[5:])
        )

    def _within(self, write: Callable[..., bytes], *arguments: Any) -> bytes:
        outer, self._inside = self._inside, True
        try:
            return write(*arguments)
        finally:
            self._inside = outer


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
