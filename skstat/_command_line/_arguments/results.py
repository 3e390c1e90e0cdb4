"""The arguments of commands that read results."""

import argparse
from typing import Any


def add_results(group: Any, said: str) -> None:
    """Add the files."""
    group.add_argument("results", metavar="RESULTS", nargs="*", help=said)


def add_metric(group: Any, said: str) -> None:
    """Add the scores, or the metrics, that decide."""
    group.add_argument("--metric", metavar="NAME", nargs="+", action="extend", help=said)


def add_group(group: Any) -> argparse.Action:
    """Add the column of groups."""
    found: argparse.Action = group.add_argument(
        "--group",
        metavar="COLUMN",
        help="topic, user, document, ... of every item: the units then",
    )
    return found


def add_directions(group: Any) -> None:
    """Add what says which way metrics are better."""
    for word in ("higher", "lower"):
        group.add_argument(
            f"--{word}-is-better",
            metavar="METRIC",
            nargs="*",
            action="extend",
            help=f"metrics of which {word} is better; alone: of all. Default as the files or "
            "the names of the metrics say",
        )


def add_seed(group: Any) -> None:
    """Add the seed, which has a default: the same files give the same answer."""
    group.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of all that is drawn; default: 0, so that the same files have one answer",
    )


def add_columns(group: Any) -> list[argparse.Action]:
    """Add the options that say what the columns of results mean."""
    add = group.add_argument
    return [
        add(
            "--systems",
            metavar="NAME",
            nargs="+",
            action="extend",
            help="which systems of the files; default all",
        ),
        add("--system", metavar="COLUMN", help="column of a table that names the system"),
        add(
            "--item",
            metavar="COLUMN",
            nargs="+",
            action="extend",
            help="column that names the item: question, row, ..., or several that do together",
        ),
        add(
            "--repeat",
            metavar="COLUMN",
            help="column that counts several results of a system on an item: epoch, sample",
        ),
        add(
            "--unit",
            metavar="{instance,split,dataset,seed}",
            help="what an item is; default as the files tell, or the name of its column",
        ),
        add(
            "--n-train",
            type=int,
            metavar="N",
            help="rows that every split trains on; default a column n_train, or folds",
        ),
        add("--n-test", type=int, metavar="N", help="rows that every split tests on"),
        add(
            "--input-format",
            metavar="NAME",
            help="format of the files, where skstat does not recognise it",
        ),
        add(
            "--allow",
            metavar="WHAT",
            nargs="+",
            action="extend",
            help="what may differ between the files, or be incomplete: version, task, "
            "content, items, unfinished, settings",
        ),
    ]
