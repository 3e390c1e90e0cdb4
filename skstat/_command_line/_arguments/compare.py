"""The arguments of ``skstat compare``."""

import argparse
from functools import partial
from typing import Any

from skstat._command_line._answer import Answer

_EPILOG = """\
inputs:
  FILE is a text file (UTF-8; .txt, or no ending) with one item per line, or one or more
  columns of a table: data.csv:label, data.tsv:label, data.parquet:label, data.jsonl:label
  (one object per line), data.json:label (a list of objects, or an object of lists).
  A column of lists is a matrix. Files of other kinds are refused. Several columns, as in
  probs.csv:p0,p1,p2, make a matrix of probabilities, its columns in the sorted order of
  the labels. A lone - is standard input, once. Space around an item is dropped. The items
  of a file are numbers if all of them are, else text; whole numbers with leading zeros
  are text. An empty line is an empty prediction where the others are text, else an error.

metrics:
  Names only: `skstat metrics` lists them. For functions of your own, corpus-level ones
  (BLEU and the like) included, call skstat.compare_predictions from Python.

example:
  skstat compare --y-true gold.txt --predictions a=a.txt b=b.txt --metric f1_macro
"""


def add_compare(commands: Any) -> None:
    """Add ``skstat compare``."""
    command = commands.add_parser(
        "compare",
        help="compare systems by their predictions for one test set",
        description="Compare two or more systems by their predictions for one test set.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_inputs(command.add_argument_group("what is compared"))
    _add_question(command)
    _add_outputs(command)
    command.set_defaults(run=_compare)


def _compare(arguments: argparse.Namespace) -> Answer:
    from skstat._command_line._compare import compare

    return compare(arguments)


def _add_inputs(group: Any) -> None:
    several: dict[str, Any] = {"nargs": "+", "action": "extend"}
    group.add_argument("--y-true", required=True, metavar="FILE", help="the truth")
    group.add_argument(
        "--predictions",
        required=True,
        metavar="NAME=FILE",
        help="predictions of two systems or more, in the order of the truth",
        **several,
    )
    group.add_argument(
        "--metric",
        required=True,
        metavar="NAME",
        help="one metric or more: accuracy, f1_macro, roc_auc, neg_log_loss, ...",
        **several,
    )
    group.add_argument("--labels", metavar="LABEL", help="classes to average over", **several)
    group.add_argument("--pos-label", metavar="LABEL", help="the positive class")
    group.add_argument(
        "--groups", metavar="FILE", help="document, user, ... of every row: the units then"
    )
    group.add_argument("--sample-weight", metavar="FILE", help="weight of every row")
    group.add_argument(
        "--strata", metavar="FILE", help="strata whose sizes every resample keeps"
    )
    group.add_argument(
        "--order", metavar="FILE", help="time of every row: numbers, or dates as 2024-01-31"
    )


def _add_question(compare: argparse.ArgumentParser) -> None:
    group = compare.add_argument_group("test (defaults as in skstat.compare_predictions)")
    group.add_argument("--test", help="name of the test; default by metric and units")
    group.add_argument("--control", metavar="NAME", help="compare the others with this one")
    group.add_argument("--adjustment", metavar="METHOD", help="of p-values: holm, max-t, ...")
    group.add_argument(
        "--alternative",
        metavar="{two-sided,greater,less}",
        help="what the first system is to be",
    )
    level = group.add_mutually_exclusive_group()
    level.add_argument(
        "--confidence-level", type=float, metavar="LEVEL", help="of the intervals, such as 0.95"
    )
    level.add_argument("--alpha", type=float, help="1 - confidence level, instead of it")
    group.add_argument(
        "--margin",
        metavar="SIZE",
        nargs="+",
        action="extend",
        help="the smallest difference that matters, to test for equivalence; for several "
        "metrics METRIC=SIZE",
    )
    group.add_argument(
        "--interval",
        metavar="{percentile,basic,studentized,bca}",
        help="of a bootstrap test: how its interval is made",
    )
    group.add_argument("--horizon", type=int, metavar="N", help="steps ahead of forecasts")
    group.add_argument("--n-resamples", type=int, metavar="N", help="resamples to draw")
    group.add_argument("--n-jobs", type=int, metavar="N", help="processes, for slow metrics")
    group.add_argument("--seed", type=int, metavar="N", help="seed of the resamples")


def _add_outputs(compare: argparse.ArgumentParser) -> None:
    group = compare.add_argument_group("output (default: text on standard output)")
    form = group.add_mutually_exclusive_group()
    add_form = partial(form.add_argument, dest="form", default="text", action="store_const")
    add_form("--markdown", const="markdown", help="print Markdown instead")
    add_form("--latex", const="latex", help="print LaTeX instead")
    add_form("--full", const="full", help="print everything that is known")
    form.add_argument("--quiet", action="store_true", help="print nothing but errors")
    group.add_argument("--json", metavar="FILE", help="write the whole report")
    group.add_argument("--html", metavar="FILE", help="write a page for a browser")
    group.add_argument("--plot", metavar="FILE", help="draw to a .png, .svg or .pdf")
