"""What all public procedures share: the sample they take, and scores of any size."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, get_args

from skstat.stats._scaling import InScoreUnits, exponent_of, times

F = TypeVar("F", bound=Callable[..., Any])


def procedure(*also: str, scale: bool = True) -> Callable[[F], F]:
    """Make a function of a sample refuse anything else, and answer about scores of any size.

    The kinds of sample are those of the annotation of its first parameter. Scores far from
    1 are brought there by a power of two, and so are the arguments named in `also`, which
    are in the unit of the score; what is found is brought back. With ``scale=False`` they
    are left as they are: for ranks, and where procedures of every pair are asked.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        first = next(iter(signature.parameters.values()))
        kinds = get_args(first.annotation) or (first.annotation,)

        @wraps(function)
        def asked(*args: Any, **kwargs: Any) -> Any:
            sample = args[0] if args else kwargs.get(first.name, inspect.Parameter.empty)
            if sample is not inspect.Parameter.empty:
                _check_kind(function.__name__, first.name, kinds, sample)
            if not scale:
                return function(*args, **kwargs)
            args, kwargs, exponent = _at_size_1(signature, (first.name, *also), args, kwargs)
            return _given_back(function(*args, **kwargs), exponent)

        return asked  # type: ignore[return-value]

    return decorate


def scale_free(*in_score_units: str) -> Callable[[F], F]:
    """Make a function of arrays answer about scores of any size, as `procedure` does."""

    def decorate(function: F) -> F:
        signature = inspect.signature(function)

        @wraps(function)
        def asked(*args: Any, **kwargs: Any) -> Any:
            args, kwargs, exponent = _at_size_1(signature, in_score_units, args, kwargs)
            return _given_back(function(*args, **kwargs), exponent)

        return asked  # type: ignore[return-value]

    return decorate


def _check_kind(name: str, argument: str, kinds: tuple[Any, ...], sample: Any) -> None:
    if isinstance(sample, kinds):
        return
    kinds = tuple(kind for kind in kinds if hasattr(kind, "made_by"))  # not a summary
    wanted = " or ".join(kind.__name__ for kind in kinds)
    made = " or ".join(f"{name}({kind.made_by})" for kind in kinds)
    # Of scores of a simpler kind it is the value that lacks something.
    simpler = {base for kind in kinds for base in kind.__mro__ if hasattr(base, "made_by")}
    said = f"{argument} must be {wanted}, got {type(sample).__name__}. Write {made}."
    if isinstance(sample, tuple(simpler)):
        lacks = next((kind.lacks for kind in kinds if hasattr(kind, "lacks")), "another sample")
        raise ValueError(f"{name} needs {lacks}: {said}")
    raise TypeError(f"{name} takes a sample: {said}")


def _at_size_1(
    signature: inspect.Signature,
    names: tuple[str, ...],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any], int]:
    """Bring the named arguments to the size of 1, and say by which power of two."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:  # said by the function itself, with its name
        return args, kwargs, 0
    given = [name for name in names if name in bound.arguments]
    exponent = exponent_of(*(bound.arguments[name] for name in given))
    if not exponent:
        return args, kwargs, 0
    for name in given:
        bound.arguments[name] = times(bound.arguments[name], -exponent)
    return bound.args, bound.kwargs, exponent


def _given_back(found: Any, exponent: int) -> Any:
    return times(found, exponent) if exponent and isinstance(found, InScoreUnits) else found
