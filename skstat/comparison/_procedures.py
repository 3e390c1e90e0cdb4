"""Procedures of ``skstat.stats``: found by name, and by the samples that they take."""

import inspect
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, get_args

from skstat import stats
from skstat._spelling import did_you_mean
from skstat.stats._procedure import declared, signature_of, variants_of

Procedure = Callable[..., stats.Comparison]


def procedure_named(
    test: str | Procedure,
    *samples: type,
    known: Mapping[str, Procedure] | None = None,
    why: str = "is unknown",
) -> Procedure:
    """Find a procedure of `skstat.stats`, or of those `known`, by name; a callable is one."""
    if callable(test):
        if inspect.isclass(test):
            raise TypeError(f"test={test.__name__} is a class; pass a function or a name.")
        return test
    found = procedures_by_name(*samples) if known is None else known
    if not isinstance(test, str) or test not in found:
        raise ValueError(
            f"test={test!r} {why}; use 'auto', a function, or one of "
            f"{', '.join(sorted(found))}.{did_you_mean(test, found)}"
        )
    return found[test]


def procedures_by_name(
    *samples: type, result: type = stats.Comparison
) -> dict[str, Callable[..., Any]]:
    """Return the procedures of `skstat.stats` that compare two systems, or several.

    A procedure is a public function whose first parameter is a sample (one of `samples`, by
    default paired scores) and whose result is an outcome (`result`); the
    annotations say so, and there is no other list. What it declares as variants has a name too.
    """
    wanted = set(samples or (stats.PairedScores,))
    found: dict[str, Callable[..., Any]] = {}
    for name, function, taken, returned in _procedures(tuple(stats.__all__)):
        if wanted & taken and issubclass(returned, result):
            found[name] = function
    return found


def named(test: str) -> Any:
    """Return the function of `skstat.stats` of a name, or the variant of one; or None."""
    found = [own for name, own, *_ in _procedures(tuple(stats.__all__)) if name == test]
    return found[0] if found else getattr(stats, test, None)


@cache
def _procedures(names: tuple[str, ...]) -> list[tuple[str, Any, set[Any], type]]:
    """Those whose result is a class: name, function, samples that it takes, and result."""
    found: list[tuple[str, Any, set[Any], type]] = []
    for name in names:
        function = getattr(stats, name)
        if inspect.isfunction(function):
            returned = inspect.signature(function).return_annotation
            if inspect.isclass(returned):
                of = sample_types(function), returned
                every = {name: function} | variants_of(function)
                found += [(own, call, *of) for own, call in every.items()]
    return found


def sample_types(procedure: Procedure) -> set[Any]:
    """Types of sample that a procedure takes, by the annotation of its first parameter."""
    parameters = signature_of(procedure).parameters.values()
    annotation = next(iter(parameters)).annotation if parameters else None
    return set(get_args(annotation)) or {annotation}


def sample_taken(procedure: Procedure, sample: Any) -> Any:
    """Return a sample or table as a procedure takes it: of groups, where it knows no rows."""
    clustered = getattr(sample, "groups", None) is not None
    needed = not clustered or declared(procedure).needs == "groups"
    return sample if needed else sample.per_group()


def procedure_name(procedure: Procedure) -> str:
    """Name of a procedure, or of what it is a partial of, for messages."""
    while isinstance(procedure, partial):
        procedure = procedure.func
    return str(getattr(procedure, "__name__", "this test"))


def models_splits(function: Any) -> bool:
    """Whether a function models the scores on every split of many data sets."""
    return callable(function) and stats.DatasetSplits in sample_types(function)


def models_systems(function: Any) -> bool:
    """Whether a function models the strengths of several systems over data sets."""
    returned = signature_of(function).return_annotation if callable(function) else None
    return returned is stats.BradleyTerryPosterior


def reads_rows(procedure: Procedure) -> bool:
    """Whether a procedure reads what every row contributed to the scores."""
    return declared(procedure).needs == "rows"


SAMPLES = (stats.Predictions, stats.PairedScores, stats.BinaryScores, stats.AgreementTable)
