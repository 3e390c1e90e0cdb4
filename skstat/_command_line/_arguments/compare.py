"""The arguments of ``skstat compare``."""

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
from skstat._command_line._gate import CONDITIONS

_EPILOG = """\
results:
  RESULTS is a file or folder that skstat.io.read_results knows: logs of evaluations and
  tables with one row per result, which are paired by item. Systems are compared in the
  order in which they are named. With --baseline, --candidate or --fail-if the difference
  is candidate minus baseline: the first file is the baseline, unless an option names it.
  A gate on one file needs such an option. Three systems or more are compared pair by
  pair, or with the baseline. The name of a system is that in the file; NAME=FILE gives
  another one. Files stand before options that take several words.

gate:
  --fail-if states what must not be. It fails where the data show that, passes where they
  show the opposite, and is undecided where they show neither, also where no p-value is
  valid. worse passes for a candidate that is better or, with --margin, equivalent or not
  inferior. not-better passes for one that is better, unless the difference was shown to be
  smaller than the margin. not-noninferior is worse with a margin, which must be given.
  Where other random draws could give another answer, more is drawn, up to 16 times as many;
  after that the gate is undecided.
  probably-worse fails if the candidate is worse by more than --rope with the probability
  --probability, and passes if that has the rest of it at most; not-probably-better passes
  if it is better with that probability. These are not adjusted for several candidates.
  worse-anywhere and not-noninferior-anywhere ask the same of every slice of --by: one that
  is worse fails the gate, and to pass it none may be open. All systems need scores on the
  same items, unless --allow unfinished.

exit status:
  0 if the gate passes or there is none, 1 if it fails, 2 if arguments are wrong or a file
  cannot be read, 3 if the gate is undecided. --undecided pass or fail makes 0 or 1 of 3.

predictions:
  FILE is a text file (UTF-8; .txt, or no ending) with one item per line, or one or more
  columns of a table: data.csv:label, data.tsv:label, data.parquet:label, data.jsonl:label
  (one object per line), data.json:label (a list of objects, or an object of lists).
  A column of lists is a matrix. Files of other kinds are refused. Several columns, as in
  probs.csv:p0,p1,p2, make a matrix of probabilities, its columns in the sorted order of
  the labels. A lone - is standard input, once. Space around an item is dropped. The items
  of a file are numbers if all of them are, else text; whole numbers with leading zeros
  are text. An empty line is an empty prediction where the others are text, else an error.

metrics:
  Beside predictions names only: `skstat metrics` lists them. For functions of your own,
  corpus-level ones (BLEU and the like) included, call skstat.compare_predictions from
  Python. Beside results they are the scores in the files.

examples:
  skstat compare old.csv new.csv --metric correct --margin 0.01 --fail-if worse
  skstat compare --y-true gold.txt --predictions a=a.txt b=b.txt --metric f1_macro
"""


def add_compare(commands: Any) -> None:
    """Add ``skstat compare``."""
    command = commands.add_parser(
        "compare",
        help="compare systems by their results or predictions, and judge a candidate",
        description="Compare two or more systems by existing results (evaluation logs,\n"
        "tables of scores), or by their predictions for one test set\n"
        "(skstat.compare_scores, skstat.compare_predictions).",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    of_results = _add_inputs(command)
    of_predictions = _add_predictions(command)
    of_predictions += _add_question(command)
    _add_gate(command)
    add_outputs(command, gated=True)
    command.set_defaults(
        run=_compare, of_results=_flags(of_results), of_predictions=_flags(of_predictions)
    )


def _compare(arguments: argparse.Namespace) -> Answer:
    from skstat._command_line._compare import compare

    return compare(arguments)


def _flags(actions: list[argparse.Action]) -> dict[str, str]:
    return {action.dest: action.option_strings[0] for action in actions}


def _add_inputs(command: argparse.ArgumentParser) -> list[argparse.Action]:
    group = command.add_argument_group("results that are compared")
    add_results(
        group,
        "file or folder with results, or NAME=FILE: the baseline, then the candidate",
    )
    add_metric(
        group,
        "one metric or more: of results the names of their scores (default all), of "
        "predictions accuracy, f1_macro, roc_auc, neg_log_loss, ...",
    )
    add_directions(group)
    return [
        add_group(group),
        *add_columns(group),
        group.add_argument(
            "--aggregate",
            metavar="HOW",
            help="score of an item that has several results: mean (default), median, pass@5, "
            "pass^5",
        ),
    ]


def _add_predictions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    group = command.add_argument_group("or predictions for one test set")
    several: dict[str, Any] = {"nargs": "+", "action": "extend"}
    add = group.add_argument
    add("--y-true", metavar="FILE", help="the truth")
    add(
        "--predictions",
        metavar="NAME=FILE",
        help="predictions of two systems or more, paired with the truth by id or by order",
        **several,
    )
    return [
        add(
            "--id",
            metavar="COLUMN",
            help="column of ids in all tables, by which rows are paired; default one with a "
            "usual name (id, question_id, ...), or none to pair rows by their order",
        ),
        add("--labels", metavar="LABEL", help="classes to average over", **several),
        add("--pos-label", metavar="LABEL", help="the positive class"),
        add(
            "--groups", metavar="FILE", help="document, user, ... of every row: the units then"
        ),
        add("--sample-weight", metavar="FILE", help="weight of every row"),
        add("--strata", metavar="FILE", help="strata whose sizes every resample keeps"),
        add(
            "--order",
            metavar="FILE",
            help="time of every row: numbers, or dates as 2024-01-31",
        ),
    ]


def _add_question(command: argparse.ArgumentParser) -> list[argparse.Action]:
    group = command.add_argument_group("test (defaults as in the function)")
    add = group.add_argument
    add("--test", help="name of the test; default by metric and units")
    add(
        "--baseline",
        metavar="NAME",
        help="compare the others with this system; needed by a gate on one file of results",
    )
    add("--control", metavar="NAME", help="the same as --baseline")
    add("--candidate", metavar="NAME", help="the system that is compared with the baseline")
    add("--adjustment", metavar="METHOD", help="of p-values: holm, max-t, ...")
    add(
        "--by",
        metavar="COLUMN",
        nargs="+",
        action="extend",
        help="compare systems in slices too: columns of results, or beside predictions "
        "FILE:COLUMN; the rows with one value are a slice",
    )
    add(
        "--alternative",
        metavar="{two-sided,greater,less}",
        help="what the candidate is to be, or without one the first system",
    )
    add(
        "--confidence-level", type=float, metavar="LEVEL", help="of the intervals, such as 0.95"
    )
    add(
        "--margin",
        metavar="SIZE",
        nargs="+",
        action="extend",
        help="the smallest difference that matters, to test for equivalence; for several "
        "metrics METRIC=SIZE",
    )
    add(
        "--rope",
        metavar="SIZE",
        nargs="+",
        action="extend",
        help="read the comparison as probabilities too: the difference that is practically "
        "none, 0 for no such region; for several metrics METRIC=SIZE",
    )
    add("--n-resamples", type=int, metavar="N", help="resamples, for a test that draws")
    add_seed(group)
    return [
        add(
            "--interval",
            metavar="{percentile,basic,bca}",
            help="of a bootstrap test of predictions: how its interval is made",
        ),
        add("--horizon", type=int, metavar="N", help="steps ahead of forecasts"),
        add("--n-jobs", type=int, metavar="N", help="processes, for slow metrics"),
    ]


def _add_gate(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("gate (exit status 1 if it fails)")
    group.add_argument(
        "--fail-if",
        action="append",
        choices=[condition.name for condition in CONDITIONS],
        help="what must not be true of the candidate; may be given several times",
    )
    group.add_argument(
        "--probability",
        type=float,
        default=0.95,
        metavar="P",
        help="how probable it must be for probably-worse and not-probably-better; "
        "default: 0.95",
    )
    group.add_argument(
        "--undecided",
        choices=["pass", "fail", "3"],
        default="3",
        help="what to do if the data do not decide; default: exit status 3",
    )
