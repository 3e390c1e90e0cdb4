"""The arguments of ``skstat rank``."""

import argparse
from typing import Any

from skstat._command_line._answer import Answer
from skstat._command_line._arguments.outputs import add_outputs
from skstat._command_line._arguments.results import (
    add_columns,
    add_directions,
    add_group,
    add_metric,
    add_results,
    add_seed,
)


def add_rank(commands: Any) -> None:
    """Add ``skstat rank``."""
    command = commands.add_parser(
        "rank",
        help="rank systems, and say what of the ranking is certain",
        description="Rank systems by existing results, and say what of the ranking is "
        "certain: which may be the best, and which ranks each may have "
        "(skstat.rank_systems).",
        allow_abbrev=False,
    )
    inputs = command.add_argument_group("results that are ranked")
    add_results(inputs, "file or folder with results, or NAME=FILE")
    add_metric(inputs, "one score of the results or more; default all")
    add_directions(inputs)
    add_group(inputs)
    inputs.add_argument(
        "--task",
        metavar="COLUMN",
        help="part of the benchmark that an item is of: is the ranking the same without it?",
    )
    inputs.add_argument(
        "--by",
        metavar="COLUMN",
        nargs="+",
        action="extend",
        help="compare all pairs in slices too: the items with one value are a slice",
    )
    add_columns(inputs)
    group = command.add_argument_group("ranking (defaults as in the function)")
    group.add_argument("--adjustment", metavar="METHOD", help="of p-values: max-t, holm, ...")
    group.add_argument(
        "--confidence-level", type=float, metavar="LEVEL", help="of the ranks, such as 0.95"
    )
    group.add_argument(
        "--n-resamples", type=int, metavar="N", help="resamples, for the stability of the ranks"
    )
    add_seed(group)
    add_outputs(command, gated=False)
    command.set_defaults(run=_rank)


def _rank(arguments: argparse.Namespace) -> Answer:
    from skstat._command_line._rank import rank

    return rank(arguments)
