"""What functions and classes are made of, as far as it can change a result."""

import builtins
import dis
from types import (
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any

from skstat.evaluation._fingerprint.installed import MAIN

# Entries of a class that say where it stands or what was found out about it.
_INCIDENTAL = {
    "__annotations_cache__",
    "__dict__",
    "__doc__",
    "__firstlineno__",
    "__slotnames__",
    "__static_attributes__",
    "__weakref__",
    "_abc_impl",
}
_COMPILED = (
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
_GLOBAL = ("_NAME", "_GLOBAL", "_GLOBALS")  # ends of the names of instructions
_LOOK_UP = {builtins.globals, builtins.eval, builtins.exec}


def parts_of_code(value: Any) -> tuple | None:
    """Take code apart, one level deep."""
    if isinstance(value, CodeType):
        # Where it stands (file and line) does not count.
        return (
            value.co_name,
            value.co_code,
            value.co_exceptiontable,
            value.co_consts,
            value.co_names,
            value.co_varnames,
            value.co_freevars,
            value.co_cellvars,
            value.co_flags,
            value.co_argcount,
            value.co_posonlyargcount,
            value.co_kwonlyargcount,
        )
    if isinstance(value, CellType):
        try:
            return (value.cell_contents,)
        except ValueError:  # not filled yet
            return ()
    if isinstance(value, MethodType):
        return (value.__func__, value.__self__)
    if isinstance(value, property):
        return (value.fget, value.fset, value.fdel)
    if isinstance(value, classmethod | staticmethod):
        return (value.__func__,)
    if isinstance(value, _COMPILED):
        return (value.__objclass__, value.__name__)
    return None


def carried_by(function: FunctionType) -> tuple:
    """Return what a function carries with it beside its code."""
    defaults = (function.__defaults__, function.__kwdefaults__)
    return (function.__closure__, *defaults, vars(function))


def annotations_of(function: FunctionType) -> Any:
    """Return what a function is annotated with; on new Pythons the code that says it."""
    return getattr(function, "__annotate__", None) or function.__annotations__


def members_of(cls: type) -> dict[str, Any]:
    """Return the entries of a class that can change what it does."""
    return {name: value for name, value in vars(cls).items() if name not in _INCIDENTAL}


def methods_of(cls: type) -> dict[str, Any]:
    """Return those entries of a class that are Python code, or hold some."""
    return {
        name: value
        for name, value in vars(cls).items()
        if hasattr(type(value), "__get__") and not isinstance(value, (type, *_COMPILED))
    }


def globals_of(function: FunctionType) -> dict[str, Any]:
    """Look up the globals that a function uses, and the functions inside it."""
    found = {}
    for name in sorted(_names_in(function.__code__)):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
        elif getattr(builtins, name, None) in _LOOK_UP:
            raise refusal(f"{function.__qualname__} calls {name}(), which may use anything")
    return found


def refusal(reason: str) -> TypeError:
    """Make the error about what cannot be told from others of its kind."""
    return TypeError(
        f"memory cannot be used: {reason}. If you know when it changes, pass memory_key=, a "
        "text that you change with it."
    )


def _names_in(code: CodeType) -> set[str]:
    names = set()
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME" and step.argval in MAIN:
            raise refusal(f"{code.co_qualname} imports __main__")
        if step.opname.startswith("LOAD_") and step.opname.endswith(_GLOBAL):
            names.add(step.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names
