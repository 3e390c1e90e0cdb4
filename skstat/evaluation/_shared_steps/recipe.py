"""What an estimator of scikit-learn does, as a value: equal recipes, equal fits."""

import builtins
import inspect
import sys
from collections.abc import Hashable, Iterable
from types import FunctionType
from typing import Any

import numpy as np
import scipy.special

_PLAIN = (type(None), bool, int, float, complex, str, bytes)
# Of whose types and universal functions it is known what they are.
_HOMES = (builtins, np, scipy.special)
# Ways to decompose a matrix that have no start to be drawn.
_EXACT = ("full", "covariance_eigh")


class UnknownStepError(Exception):
    """A part of which it is not known what it does."""


def recipe(step: Any) -> Hashable:
    """Write down class and parameters of a step, of all of its parts too.

    Only classes of scikit-learn are known to do the same again, with all random numbers from
    a seed that is a number, and to leave the rows that they are given as they are.

    Parameters
    ----------
    step : object
        A clone, so that nothing of an earlier fit is in it.

    Returns
    -------
    hashable
        The recipe.

    Raises
    ------
    UnknownStepError
        If some part may draw other numbers in another fit, write into its input, print, or is
        not of scikit-learn.
    """
    return _written(step, repeats=True)


def only_reads(estimator: Any) -> bool:
    """Whether an estimator is known to leave the rows that it is given as they are."""
    try:
        _written(estimator, repeats=False)
    except UnknownStepError:
        return False
    return True


def _written(value: Any, *, repeats: bool) -> Hashable:
    kind = type(value)
    if kind in _PLAIN:
        return kind, repr(value)  # tells 1 from True, 0.0 from -0.0, and has one nan
    if kind in (list, tuple):
        return kind, *_all(value, repeats)
    if kind is dict:
        return kind, *_all(value, repeats), *_all(value.values(), repeats)
    if kind is slice:
        return kind, *_all((value.start, value.stop, value.step), repeats)
    if isinstance(value, np.generic) and not isinstance(value, np.void | np.object_):
        return kind, value.dtype.str, value.tobytes()
    if kind is np.ndarray:
        return _array(value, repeats)
    if isinstance(value, np.dtype) and not value.hasobject:
        return np.dtype, value.str
    if isinstance(value, type | np.ufunc | FunctionType):
        return _named(value)
    return _object(value, repeats)


def _all(values: Iterable[Any], repeats: bool) -> Iterable[Hashable]:
    return (_written(value, repeats=repeats) for value in values)


def _array(array: np.ndarray, repeats: bool) -> Hashable:
    head = np.ndarray, array.dtype.str, array.shape, array.flags.f_contiguous
    if array.dtype == object:
        return *head, *_all(array.ravel().tolist(), repeats)
    if array.dtype.hasobject:
        raise UnknownStepError
    return *head, array.tobytes()


def _named(value: Any) -> Hashable:
    """Write what has a name in a package whose functions draw no numbers unless they say so."""
    name = value.__name__
    if isinstance(value, FunctionType):
        seeds = inspect.signature(value).parameters.keys() & {"random_state"}
        known = _is_of_sklearn(value) and not seeds
    else:
        known = any(getattr(home, name, None) is value for home in _HOMES)
    if not known:
        raise UnknownStepError
    return "named", getattr(value, "__module__", None), name


def _object(value: Any, repeats: bool) -> Hashable:
    kind: Any = type(value)
    # Of what is written in C it cannot be told what it holds.
    if not _is_of_sklearn(kind) or not hasattr(value, "__dict__"):
        raise UnknownStepError
    state = vars(value)
    params = value.get_params(deep=False) if hasattr(value, "get_params") else state
    if any(_writes(name, param) for name, param in params.items()):
        raise UnknownStepError
    if repeats:
        _check_repeats(params)
        # Requests for metadata, callbacks: whatever else a clone has. How outputs are held
        # is a part of the recipe.
        if state.keys() - params.keys() - {"_sklearn_output_config"}:
            raise UnknownStepError
    held = state.get("_sklearn_output_config") if repeats else None
    names = tuple(sorted(params))
    return (
        kind,
        names,
        *_all((params[name] for name in names), repeats),
        _written(held, repeats=repeats),
    )


def _is_of_sklearn(code: Any) -> bool:
    """Whether a class or function is found in scikit-learn under its own name."""
    home = code.__module__
    if not isinstance(home, str) or not home.startswith("sklearn."):
        return False
    return getattr(sys.modules.get(home), code.__name__, None) is code


def _writes(name: str, value: Any) -> bool:
    """Whether a parameter asks for work in place (``copy=False``, ``copy_X=False``)."""
    return name.lower() in ("copy", "copy_x") and value is False


def _check_repeats(params: dict[str, Any]) -> None:
    """Refuse what draws from somewhere else than a seed, prints, or keeps fits of its own."""
    if params.get("verbose") or params.get("memory") is not None:
        raise UnknownStepError
    if params.get("transform_input") is not None:  # rows that are routed to a step
        raise UnknownStepError
    if "random_state" not in params or params.get("svd_solver") in _EXACT:
        return
    seed = params["random_state"]
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise UnknownStepError
