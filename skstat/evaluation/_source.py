"""What a class or a function is made of, as far as it can change a result."""

import dis
import functools
import importlib
import inspect
import re
import sys
import sysconfig
from hashlib import blake2b
from importlib import machinery, metadata
from importlib.util import find_spec, resolve_name
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple

# Code of these kinds is told apart by what `describe` returns.
KINDS = (
    type,
    FunctionType,
    MethodType,
    CodeType,
    CellType,
    ModuleType,
    property,
    classmethod,
    staticmethod,
    BuiltinFunctionType,
    MemberDescriptorType,
    GetSetDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
# Code that is met again and again, and that may refer to itself.
NAMED = (type, FunctionType)
# Known by their version wherever they lie: a development install has thousands of
# functions that call one another.
_VERSIONED = ("joblib", "numpy", "pandas", "polars", "scipy", "sklearn")
_STANDARD = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})
# Entries of a class that say where it stands or what was found out about it.
_INCIDENTAL = {
    "__abstractmethods__",
    "__annotate__",
    "__annotate_func__",
    "__annotations__",
    "__annotations_cache__",
    "__dict__",
    "__doc__",
    "__firstlineno__",
    "__module__",
    "__qualname__",
    "__static_attributes__",
    "__weakref__",
    "_abc_impl",
}


def describe(value: Any) -> tuple:
    """Take code apart, one level deep.

    Installed code is known by its name and version. Of local code (a script, a
    notebook, a module beside them, an editable install) the code in memory counts
    rather than its source: the file may have been edited since it was imported.

    Parameters
    ----------
    value : object
        An instance of one of `KINDS`.

    Returns
    -------
    tuple
        What it consists of: names, constants and further code.
    """
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(value, CodeType):
        return _code(value)
    if isinstance(value, MethodType):
        return (value.__func__, value.__self__)
    if isinstance(value, CellType):
        return _cell(value)
    if isinstance(value, ModuleType):
        return (value.__name__, installed(value.__name__))
    if isinstance(value, property):
        return (value.fget, value.fset, value.fdel)
    if isinstance(value, classmethod | staticmethod):
        return (value.__func__,)
    if isinstance(value, BuiltinFunctionType):
        return _builtin(value)
    return (value.__objclass__, value.__name__)


def installed(module: str | None) -> tuple | None:
    """Say which version of what a module belongs to; None if it is local code.

    Parameters
    ----------
    module : str or None
        Name of the module.

    Returns
    -------
    tuple or None
        Package and version; of a local extension module a digest of its file.
    """
    if module is None or module in ("__main__", "__mp_main__"):
        return None
    package = module.partition(".")[0]
    if package.startswith("_cython_"):  # where the types of compiled functions live
        return (package,)
    return _installed(module, package, getattr(sys.modules.get(module), "__file__", None))


def _installed(module: str, package: str, file: str | None) -> tuple | None:
    if file is None or file.startswith("<"):
        file = None
        if package in sys.stdlib_module_names:
            return ("python",)
    if package in _VERSIONED:
        return (package, _version(package))
    if file is None:
        return None
    if {"site-packages", "dist-packages"} & set(re.split(r"[\\/]", file)):
        return (package, _version(package))
    if file.startswith(_STANDARD):
        return ("python",)
    if file.endswith(tuple(machinery.EXTENSION_SUFFIXES)):
        return (module, blake2b(Path(file).read_bytes()).digest())
    return None


@functools.cache
def _version(package: str) -> str:
    version = getattr(sys.modules.get(package), "__version__", None)
    if isinstance(version, str):
        return version
    distributions = sorted(set(metadata.packages_distributions().get(package, ())))
    return " ".join(f"{name} {metadata.version(name)}" for name in distributions)


def _class(cls: type) -> tuple:
    name = (cls.__module__, cls.__qualname__)
    origin = installed(cls.__module__)
    if origin is not None:
        return (*name, origin)
    members = {key: value for key, value in vars(cls).items() if key not in _INCIDENTAL}
    return (*name, type(cls), cls.__bases__, members)


def _function(function: FunctionType) -> tuple:
    name = (function.__module__, function.__qualname__)
    origin = installed(function.__module__)
    if origin is not None and "<locals>" not in function.__qualname__:
        return (*name, origin)
    # An installed function made by another one may carry anything with it.
    carried = (function.__closure__, function.__defaults__, function.__kwdefaults__)
    if origin is not None:
        return (*name, origin, *carried)
    return (*name, function.__code__, *carried, _reached(function), vars(function))


def _code(code: CodeType) -> tuple:
    return (
        code.co_code,
        code.co_exceptiontable,
        code.co_consts,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
    )


def _cell(cell: CellType) -> tuple:
    try:
        return (cell.cell_contents,)
    except ValueError:  # not filled yet
        return ()


def _builtin(function: BuiltinFunctionType) -> tuple:
    owner = function.__self__
    if owner is None or isinstance(owner, ModuleType):
        return (function.__module__, function.__qualname__, installed(function.__module__))
    return (owner, function.__name__)


def _reached(function: FunctionType) -> dict[str, Any]:
    """Look up the globals that a function uses, and of local modules what it uses there."""
    names = _names(function.__code__)
    found = {
        name: function.__globals__[name]
        for name in names.loaded
        if name in function.__globals__
    }
    for level, name in names.imported:
        module = _imported("." * level + name, function.__globals__.get("__package__"))
        if module is not None:
            found[f"import {name}"] = module
    return {name: _used(value, names.mentioned, ()) for name, value in found.items()}


def _used(value: Any, names: frozenset[str], outer: tuple[str, ...]) -> Any:
    if not isinstance(value, ModuleType) or installed(value.__name__) is not None:
        return value
    if value.__name__ in outer:
        return value.__name__
    outer = (*outer, value.__name__)
    return {name: _used(vars(value)[name], names, outer) for name in names & set(vars(value))}


def _imported(name: str, package: str | None) -> ModuleType | None:
    """Import what a function will import when it runs, if that is local code."""
    try:
        name = resolve_name(name, package)
        spec = find_spec(name.partition(".")[0])
        if spec is None or _installed(name, spec.name, spec.origin) is not None:
            return None
        return importlib.import_module(name)
    except (ImportError, ValueError):
        return None


class _Names(NamedTuple):
    loaded: frozenset[str]
    imported: frozenset[tuple[int, str]]
    mentioned: frozenset[str]


@functools.lru_cache(maxsize=4096)
def _names(code: CodeType) -> _Names:
    """Collect the names in a function and in those defined inside it."""
    loaded, imported, mentioned = set[str](), set[tuple[int, str]](), set(code.co_names)
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for position, step in enumerate(steps):
        if step.opname.startswith("LOAD_") and re.search("GLOBAL|NAME", step.opname):
            loaded.add(step.argval)
        elif step.opname == "IMPORT_NAME":  # the level and the list of names come before
            imported.add((steps[position - 2].argval, step.argval))
    for inner in filter(inspect.iscode, code.co_consts):
        names = _names(inner)
        loaded |= names.loaded
        imported |= names.imported
        mentioned |= names.mentioned
    return _Names(frozenset(loaded), frozenset(imported), frozenset(mentioned))
