"""Errors for calls with wrong arguments that say what to write."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from skstat._spelling import meant_by

P = ParamSpec("P")
R = TypeVar("R")

# Names of arguments for the same thing, here and in other packages. Errors suggest the one
# that the function has.
_TABLE = """
scoring metric metrics scorer scorers score scorings / cv n_splits n_folds folds splitter k
n_repeats / random_state seed random_seed rng / sample_weight sample_weights weights weight /
confidence_level level conf_level confidence ci / alpha significance significance_level
sig_level / alternative alternatives tail side hypothesis / params fit_params metadata /
adjustment p_adjust correction_method method / estimators models classifiers regressors clfs
learners / estimator model classifier regressor clf learner / estimator_a estimator1 model_a
model1 clf1 / estimator_b estimator2 model_b model2 clf2 / predictions y_pred y_preds outputs
/ y_true y truth labels_true / margin rope equivalence_margin / control baseline reference /
n_jobs n_workers num_workers jobs / verbose progress progress_bar / memory cache cache_dir
cachedir / n_resamples n_bootstrap n_boot n_permutations n_iterations n_draws / groups group
clusters cluster / higher_is_better greater_is_better lower_is_better maximize minimize
"""
_SAME = [frozenset(words.split()) for words in _TABLE.split("/")]

# Arguments that hold all systems at once, where other packages take them one by one.
_OF_ALL_SYSTEMS = ("estimator", "estimators", "predictions", "scores", "results")


def explains_arguments(**elsewhere: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for helpful errors when a function is called with wrong arguments.

    Parameters
    ----------
    **elsewhere
        Arguments that the function does not have, with what to write instead.
    """

    def explained(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                wrong = _wrong(signature.parameters, args, kwargs, elsewhere) or f": {error}."
                raise TypeError(f"{function.__name__}{wrong}") from None
            for name, value in kwargs.items():
                parameter, shape = signature.parameters.get(name), getattr(value, "shape", ())
                if shape and parameter is not None and isinstance(parameter.default, str):
                    raise ValueError(f"{name} must be one value, not an array of {shape}.")
            return function(*args, **kwargs)

        return call

    return explained


def _wrong(
    parameters: Mapping[str, inspect.Parameter],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    elsewhere: Mapping[str, str],
) -> str:
    """Return what is wrong with a call; empty if Python's own message is as good."""
    for keyword in kwargs:
        if keyword in elsewhere:
            return f" takes no {keyword}=: {elsewhere[keyword]}"
        if keyword not in parameters:
            return f" takes no {keyword}=.{_meant(keyword, parameters)}"
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    usable = [name for name, value in parameters.items() if value.kind in by_position]
    named, n = [name for name in usable if name != "self"], len(args) - ("self" in usable)
    if not named and n:
        return f" takes no arguments by position and got {n}; write them by name."
    if n > len(named):
        hint = ""
        for name in (name for name in named if name in _OF_ALL_SYSTEMS):
            hint += f" give {name} of all systems in one mapping, {{'name': ...}}, and"
        return (
            f" takes {len(named)} argument{'s' * (len(named) > 1)} by position "
            f"({', '.join(named)}) and got {n};{hint} write the others by name."
        )
    needed = [name for name in named[n:] if parameters[name].default is inspect.Parameter.empty]
    missing = [name for name in needed if name not in kwargs]
    return f" lacks {' and '.join(missing)}." if missing else ""


def _meant(keyword: str, parameters: Mapping[str, Any]) -> str:
    synonyms = next((words for words in _SAME if keyword in words), frozenset[str]())
    matching = [name for name in parameters if name in synonyms]
    for level, other in (("confidence_level", "alpha"), ("alpha", "confidence_level")):
        if not matching and other in synonyms and level in parameters:
            return f" Use {level}=, which is 1 - {keyword}."
    matching = matching or meant_by(keyword, parameters, n=2)
    if matching:
        return f" Use {' or '.join(f'{name}=' for name in matching)}."
    return f" It takes {', '.join(parameters)}."
