"""Local modules as they are in this process, of which a kept fit must find the same."""

import functools
import sys
from collections.abc import Mapping
from hashlib import blake2b
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from skstat.evaluation._fingerprint.fingerprint import examine_module
from skstat.evaluation._fingerprint.installed import MAIN, installed

# What the import system and warnings write into a module.
_INCIDENTAL = {
    "__annotations_cache__",
    "__builtins__",
    "__cached__",
    "__file__",
    "__loader__",
    "__path__",
    "__spec__",
    "__warningregistry__",
}
# Digests of the files that fits in this process have loaded modules from.
_loaded_from: dict[str, str] = {}


class ModuleDigests(NamedTuple):
    """What a module was when a fit used it, or could have."""

    content: str  # its functions, classes and data in memory
    file: str | None  # its file, if that is certain to be what was loaded


class LocalModules:
    """The local modules that are loaded in this process.

    Which local code a fit reaches cannot be told from outside: it may import while it
    runs, or look names up. So all that was loaded when it ended counts: as it is in
    memory, since files are edited after they were loaded, and settings changed. A module
    that the fit itself has loaded counts with its file too, by which a later process
    knows it without loading it.
    """

    def __init__(self) -> None:
        self._before = set(sys.modules)
        self._digests = {
            name: ModuleDigests(_content(module), _loaded_from.get(name))
            for name, module in _local(self._before)
        }
        self._at_start = frozenset(self._digests)

    def after_fit(self) -> dict[str, ModuleDigests]:
        """Return the digests of all modules, with those that the fit has loaded."""
        new = sys.modules.keys() - self._before
        self._before |= new
        for name, module in _local(new):
            file = _file_digest(getattr(module, "__file__", None))
            if file is not None:
                _loaded_from[name] = file
            self._digests[name] = ModuleDigests(_content(module), file)
        return dict(self._digests)

    def agree_with(self, kept: Mapping[str, ModuleDigests]) -> bool:
        """Whether modules are what they were when a fit was kept."""
        return all(self._agrees(name, digests) for name, digests in kept.items())

    def _agrees(self, name: str, kept: ModuleDigests) -> bool:
        if name in self._at_start:
            return self._digests[name].content == kept.content
        if kept.file is None:
            return False
        if name in self._digests:  # which fits may have changed since
            return self._digests[name].file == kept.file
        return _file_digest(_origin(name)) == kept.file


@functools.lru_cache(maxsize=4)
def local_modules(run: str) -> LocalModules:
    """Return the local modules of this process as they were at the start of a run."""
    return LocalModules()


def _local(names: set[str]) -> list[tuple[str, ModuleType]]:
    found = [(name, sys.modules.get(name)) for name in sorted(names)]
    return [
        (name, module)
        for name, module in found
        if isinstance(module, ModuleType) and name not in MAIN and installed(name) is None
    ]


def _content(module: ModuleType) -> str:
    """Digest what a module holds, and the file of compiled code, which holds nothing."""
    content = examine_module(module, without=_INCIDENTAL)
    file = getattr(module, "__file__", None) or ""
    compiled = _file_digest(file) if file.endswith(tuple(EXTENSION_SUFFIXES)) else None
    return f"{content}{compiled or ''}"


def _file_digest(file: str | None) -> str | None:
    if file is None:
        return None
    try:
        return blake2b(Path(file).read_bytes(), digest_size=20).hexdigest()
    except OSError:
        return None


def _origin(name: str) -> str | None:
    """Find the file that a module would be loaded from, without loading anything."""
    spec = _spec(name)
    return spec.origin if spec is not None else None


def _spec(name: str) -> Any:
    parent = name.rpartition(".")[0]
    path = None
    if parent:
        above = sys.modules.get(parent)
        path = above.__path__ if above is not None else None
        if path is None and (spec := _spec(parent)) is not None:
            path = spec.submodule_search_locations
        if path is None:
            return None
    return PathFinder.find_spec(name, path)
