"""Which system is the candidate and which the baseline, and in which order they are asked."""

from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

from skstat._command_line._errors import CommandError


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


def sides_of(names: Sequence[str], arguments: Namespace) -> Sides:
    """Put the baseline last where there is one: the verdict is about the candidate.

    Users name the baseline first, as in ``diff old new``. Predictions that no gate judges
    are compared in the order in which they are named.
    """
    control, gated = arguments.control, bool(arguments.fail_if)
    if gated and control is not None and control not in names:
        raise CommandError(
            f"--control {control} is not a system; there are {', '.join(names)}."
        )
    baseline = names[0] if control is None else control
    if not gated and (arguments.predictions is not None or len(names) > 2):
        return Sides(list(names), control, baseline)
    candidates = [name for name in names if name != baseline]
    return Sides([*candidates, baseline], baseline if len(names) > 2 else None, baseline)
