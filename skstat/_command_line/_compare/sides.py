"""Which system is the candidate and which the baseline, and in which order they are asked."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from skstat._command_line._errors import CommandError

# From a number of resamples, None for the usual one, to the report.
Ask: TypeAlias = Callable[[int | None], Any]

_ROLES = ("candidate", "baseline", "control")


class Sides(NamedTuple):
    """The order in which systems are compared.

    Attributes
    ----------
    systems : list of str
        All of them. The report is about the first of every pair.
    control : str or None
        What the function is told of a control.
    baseline : str
        The system that a gate holds the others against.
    """

    systems: list[str]
    control: str | None
    baseline: str


def sides_of(names: Sequence[str], arguments: Namespace, *, ordered: bool) -> Sides:
    """Put the baseline last where there is one: the verdict is about the candidate.

    Without a gate, and where nobody names a role, systems are compared in their order, as the
    functions of Python do.

    Parameters
    ----------
    names : sequence of str
        The systems, in the order in which the user names them.
    arguments : Namespace
        The options.
    ordered : bool
        Whether that order is the user's own: the baseline first, as in ``diff old new``. The
        order of the rows of a table is nobody's.
    """
    candidate, baseline = _named_roles(names, arguments)
    if candidate is None and baseline is None:
        if not arguments.fail_if:
            return Sides(list(names), None, names[0])
        if not ordered:
            raise CommandError(
                f"which of {', '.join(names)} is the baseline? Their order in the file says "
                f"nothing: name it, as in --baseline {names[0]}."
            )
        return _against(names[0], names, control=len(names) > 2)
    if baseline is None:
        others = [name for name in names if name != candidate]
        if len(others) > 1:
            raise CommandError(
                f"--candidate {candidate} can be held against {', '.join(others)}: name one "
                f"with --baseline."
            )
        baseline = others[0]
    if candidate is not None:
        return Sides([candidate, baseline], None, baseline)
    return _against(baseline, names, control=True)


def _against(baseline: str, names: Sequence[str], *, control: bool) -> Sides:
    candidates = [name for name in names if name != baseline]
    return Sides([*candidates, baseline], baseline if control else None, baseline)


def _named_roles(names: Sequence[str], arguments: Namespace) -> tuple[str | None, str | None]:
    """Return the candidate and the baseline that the user names."""
    given = {role: getattr(arguments, role) for role in _ROLES}
    for role, name in given.items():
        if name is not None and name not in names:
            raise CommandError(
                f"--{role} {name} is not a system; there are {', '.join(names)}."
            )
    if None not in (given["baseline"], given["control"]):
        raise CommandError("--baseline and --control are one option; give one.")
    candidate, baseline = given["candidate"], given["baseline"] or given["control"]
    if candidate is not None and candidate == baseline:
        raise CommandError(f"{candidate} cannot be both candidate and baseline.")
    return candidate, baseline
