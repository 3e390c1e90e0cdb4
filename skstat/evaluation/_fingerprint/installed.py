"""What is installed, and known by its version; all other code is local."""

import functools
import re
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from types import FunctionType
from typing import Any

MAIN = ("__main__", "__mp_main__")
_STANDARD = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})


def installed(module: str | None) -> tuple[str, ...] | None:
    """Say which version of what a module belongs to; None if it is local code.

    Installed are the standard library, what lies in ``site-packages`` or beside the
    metadata of an installed package, and skstat itself.
    """
    if module is None or module in MAIN:
        return None
    package = module.partition(".")[0]
    if package.startswith("_cython_"):  # where the types of compiled functions live
        return (package,)
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if file is not None:
        depth = module.count(".") + hasattr(loaded, "__path__")
        return _owner(package, file, depth)
    if package in sys.stdlib_module_names:
        return ("python",)
    return installed(module.rpartition(".")[0]) if "." in module else None


def home_of(code: Any) -> str | None:
    """Name the module that gives a class or function back under its name."""
    module = getattr(code, "__module__", None)
    return module if found_in(module, code.__qualname__) is code else None


def found_in(module: str | None, qualname: str) -> Any:
    """Look an object up as `pickle` does; None if it is not there."""
    found: Any = sys.modules.get(module or "")
    for name in qualname.split("."):
        try:
            found = vars(found)[name]  # no lazy import, no inherited method
        except Exception:
            return None
    return found


def module_of(function: FunctionType) -> str | None:
    """Name the module whose globals a function sees; None if they are of no module."""
    name = function.__globals__.get("__name__")
    loaded = sys.modules.get(name) if isinstance(name, str) else None
    return name if getattr(loaded, "__dict__", None) is function.__globals__ else None


def written_in(function: FunctionType, module: str | None) -> bool:
    """Whether the code of a function comes from the file of its module."""
    file = function.__code__.co_filename
    own = getattr(sys.modules.get(module or ""), "__file__", None)
    return file == own or file.startswith("<frozen ")


@functools.cache
def _owner(package: str, file: str, depth: int) -> tuple[str, ...] | None:
    if package == "skstat":
        return (package, _version(package))
    if {"site-packages", "dist-packages"} & set(re.split(r"[\\/]", file)):
        return (package, _version(package))
    if file.startswith(_STANDARD):
        return ("python",)
    folders = Path(file).parents
    if depth < len(folders) and _holds_packages(folders[depth]):
        return (package, _version(package))
    return None


@functools.cache
def _holds_packages(folder: Path) -> bool:
    """Whether packages were installed into a folder (``pip install --target``)."""
    return any(folder.glob("*.dist-info"))


@functools.cache
def _version(package: str) -> str:
    # Not asked by getattr: some packages warn of it.
    version = getattr(sys.modules.get(package), "__dict__", {}).get("__version__")
    if isinstance(version, str):
        return version
    distributions = sorted(set(_distributions().get(package, ())))
    return " ".join(f"{name} {metadata.version(name)}" for name in distributions)


# It reads the lists of files of everything that is installed, which takes half a second.
_distributions = functools.cache(metadata.packages_distributions)
