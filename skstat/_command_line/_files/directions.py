"""Which way metrics are better, as it is written on the command line."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skstat._command_line._errors import CommandError

_FLAGS = (("higher_is_better", True), ("lower_is_better", False))


def directions_said(
    arguments: Namespace, metrics: Sequence[str], metric_named: Callable[[str], str]
) -> dict[str, bool]:
    """Return whether higher is better, of the metrics that the user says it of.

    Parameters
    ----------
    arguments : Namespace
        The options: a flag alone is said of all metrics.
    metrics : sequence of str
        The metrics there are.
    metric_named : callable
        From what a user calls a metric to its name.
    """
    given = [(dest, up) for dest, up in _FLAGS if getattr(arguments, dest) is not None]
    of_all = [up for dest, up in given if not getattr(arguments, dest)]
    if len(of_all) > 1:
        raise CommandError(
            "--higher-is-better and --lower-is-better contradict each other: name the metrics "
            "of one of them."
        )
    said = dict.fromkeys(metrics, of_all[0]) if of_all else {}
    named: dict[str, bool] = {}
    for dest, up in given:
        for word in getattr(arguments, dest):
            metric = metric_named(word)
            if named.setdefault(metric, up) != up:
                raise CommandError(
                    f"--higher-is-better and --lower-is-better both name {metric}."
                )
    return said | named


def in_directions(results: Any, said: dict[str, bool]) -> Any:
    """Return results with the directions that the user says."""
    return replace(results, higher_is_better={**results.higher_is_better, **said})


def check_directions(results: Any, what: str) -> None:
    """Refuse metrics of which nothing says which way they are better.

    Parameters
    ----------
    results : Results
        What was read.
    what : str
        What needs to know it, such as "a gate".
    """
    for metric in results.metrics:
        if metric not in results.higher_is_better:
            raise CommandError(
                f"nothing says which way {metric} is better, and {what} has to know: pass "
                f"--higher-is-better {metric} or --lower-is-better {metric}."
            )
