"""The options of all commands, and the parsers that are made of them.

Nothing heavy is imported, so that --help is fast.
"""

import argparse
import os
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import skstat
from skstat._command_line.answer import Answer, CommandError
from skstat._command_line.gate import CONDITIONS
from skstat._command_line.situation import add_plan, add_recommend

FORMS = ("text", "full", "json", "markdown", "latex")


def _one(metavar: str, said: str, **more: Any) -> dict[str, Any]:
    return {"metavar": metavar, "help": said, **more}


def _several(metavar: str, said: str, nargs: str = "+") -> dict[str, Any]:
    return _one(metavar, said, nargs=nargs, action="extend")


def _form(form: str, said: str) -> dict[str, Any]:
    return {
        "dest": "form",
        "default": "text",
        "action": "store_const",
        "const": form,
        "help": said,
    }


def _codes(**_: Any) -> list[str]:
    """Return what a shell can offer for CODE."""
    from skstat.report._doubts import CATALOGUE

    return list(CATALOGUE)


_DIRECTION = (
    "metrics of which {} is better; alone: of all. Default as the files or the names say"
)
OPTIONS: dict[str, dict[str, Any]] = {
    # What is read in: results.
    "results": _one("RESULTS", "file or folder with results, or NAME=FILE", nargs="*"),
    "metric": _several(
        "NAME",
        "one metric or more: of results the names of their scores (default all), of "
        "predictions accuracy, f1_macro, roc_auc, neg_log_loss, ...",
    ),
    "higher-is-better": _several("METRIC", _DIRECTION.format("higher"), "*"),
    "lower-is-better": _several("METRIC", _DIRECTION.format("lower"), "*"),
    "group": _one("COLUMN", "topic, user, document, ... of every item: the units then"),
    "task": _one(
        "COLUMN",
        "part of the benchmark that an item is of: is the ranking the same without it?",
    ),
    "systems": _several("NAME", "which systems of the files; default all"),
    "system": _one("COLUMN", "column of a table that names the system"),
    "item": _several(
        "COLUMN",
        "column that names the item: question, row, ..., or several that do together",
    ),
    "repeat": _one(
        "COLUMN", "column that counts several results of a system on an item: epoch, sample"
    ),
    "unit": _one(
        "{instance,split,dataset,seed}",
        "what an item is; default as the files tell, or the name of its column",
    ),
    "n-train": _one(
        "N", "rows that every split trains on; default a column n_train, or folds", type=int
    ),
    "n-test": _one("N", "rows that every split tests on", type=int),
    "input-format": _one("NAME", "format of the files, where skstat does not recognise it"),
    "allow": _several(
        "WHAT",
        "what may differ between the files, or be incomplete: version, task, content, items, "
        "unfinished, settings",
    ),
    "aggregate": _one(
        "HOW",
        "score of an item that has several results: mean (default), median, pass@5, pass^5",
    ),
    # What is read in: predictions.
    "y-true": _one("FILE", "the truth"),
    "predictions": _several(
        "NAME=FILE",
        "predictions of two systems or more, paired with the truth by id or by order",
    ),
    "id": _one(
        "COLUMN",
        "column of ids in all tables, by which rows are paired; default one with a usual name "
        "(id, question_id, ...), or none to pair rows by their order",
    ),
    "labels": _several("LABEL", "classes to average over"),
    "pos-label": _one("LABEL", "the positive class"),
    "groups": _one("FILE", "document, user, ... of every row: the units then"),
    "sample-weight": _one("FILE", "weight of every row"),
    "strata": _one("FILE", "strata whose sizes every resample keeps"),
    "order": _one("FILE", "time of every row: numbers, or dates as 2024-01-31"),
    # What is asked.
    "test": _one("TEST", "name of the test; default by metric and units"),
    "baseline": _one(
        "NAME",
        "compare the others with this system; needed by a gate on one file of results",
    ),
    "control": _one("NAME", "the same as --baseline"),
    "candidate": _one("NAME", "the system that is compared with the baseline"),
    "adjustment": _one("METHOD", "of p-values: max-t, holm, ..."),
    "by": _several(
        "COLUMN",
        "compare systems in slices too: columns of results, or beside predictions FILE:COLUMN; "
        "the rows with one value are a slice",
    ),
    "alternative": _one(
        "{two-sided,greater,less}",
        "what the candidate is to be, or without one the first system",
    ),
    "confidence-level": _one("LEVEL", "of the intervals, such as 0.95", type=float),
    "margin": _several(
        "SIZE",
        "the smallest difference that matters, to test for equivalence; for several metrics "
        "METRIC=SIZE",
    ),
    "rope": _several(
        "SIZE",
        "read the comparison as probabilities too: the difference that is practically none, 0 "
        "for no such region; for several metrics METRIC=SIZE",
    ),
    "n-resamples": _one("N", "resamples, for what draws some", type=int),
    "seed": _one(
        "N",
        "seed of all that is drawn; default: 0, so that the same files have one answer",
        type=int,
        default=0,
    ),
    "interval": _one(
        "{percentile,basic,bca}",
        "of a bootstrap test of predictions: how its interval is made",
    ),
    "horizon": _one("N", "steps ahead of forecasts", type=int),
    "n-jobs": _one("N", "processes, for slow metrics", type=int),
    # The gate.
    "fail-if": {
        "action": "append",
        "choices": list(CONDITIONS),
        "help": "what must not be true of the candidate; may be given several times",
    },
    "probability": _one(
        "P",
        "how probable it must be for probably-worse and not-probably-better; default: 0.95",
        type=float,
        default=0.95,
    ),
    "undecided": {
        "choices": ("pass", "fail", "3"),
        "default": "3",
        "help": "what to do if the data do not decide; default: exit status 3",
    },
    # What comes out.
    "format": {
        "dest": "form",
        "default": "text",
        "help": "what to print; of a gate also github: annotations for a workflow, and a "
        "summary of the job, and junit: a test suite for a CI server",
    },
    "markdown": _form("markdown", "print Markdown instead"),
    "latex": _form("latex", "print LaTeX instead"),
    "full": _form("full", "print everything that is known"),
    "quiet": {"action": "store_true", "help": "print nothing but errors"},
    "json": _one("FILE", "write the whole report"),
    "html": _one("FILE", "write a page for a browser"),
    "plot": _one("FILE", "draw to a .png, .svg or .pdf"),
    "junit": _one("FILE", "write the gate as a test suite"),
    "code": _one("CODE", "code of a doubt: SKS102", nargs="*", completer=_codes),
}
_FORM = (*(name for name, option in OPTIONS.items() if option.get("dest") == "form"), "quiet")
# What says what the columns of results mean, and so is said of nothing else.
_OF_RESULTS = (
    "group", "systems", "system", "item", "repeat", "unit", "n-train", "n-test", "input-format",
    "allow", "aggregate",
)  # fmt: skip
_OF_PREDICTIONS = (
    "id", "labels", "pos-label", "groups", "sample-weight", "strata", "order", "interval",
    "horizon", "n-jobs",
)  # fmt: skip
ONLY_RESULTS, ONLY_PREDICTIONS = (
    tuple(name.replace("-", "_") for name in names) for names in (_OF_RESULTS, _OF_PREDICTIONS)
)
_FILES = ("results", "metric", "higher-is-better", "lower-is-better")


class Command(NamedTuple):
    """A command.

    Attributes
    ----------
    name, said : str
        Its name, and what it does in one line.
    description : str
        The same at length.
    run : str
        Module and function of `skstat._command_line` that do it.
    options : mapping of str to sequence of str
        Names in `OPTIONS` by the title of their group.
    forms : sequence of str
        What --format takes.
    """

    name: str
    said: str
    description: str
    run: str
    options: Mapping[str, Sequence[str]]
    forms: Sequence[str] = FORMS
    epilog: str = ""


_OUTPUTS = "output (default: text on standard output)"
_COMMANDS = (
    Command(
        "compare",
        "compare systems by their results or predictions, and judge a candidate",
        "Compare two or more systems by existing results (evaluation logs, tables of scores), "
        "or by their predictions for one test set (skstat.compare_scores, "
        "skstat.compare_predictions). Files of results stand first: the baseline, then the "
        "candidate.",
        "compare:compare",
        {
            "results that are compared": (*_FILES, *_OF_RESULTS),
            "or predictions for one test set": ("y-true", "predictions", *_OF_PREDICTIONS[:-3]),
            "test (defaults as in the function)": (
                *("test", "baseline", "control", "candidate", "adjustment", "by"),
                *("alternative", "confidence-level", "margin", "rope", "n-resamples", "seed"),
                *_OF_PREDICTIONS[-3:],
            ),
            "gate (exit status 1 if it fails)": ("fail-if", "probability", "undecided"),
            _OUTPUTS: (*_FORM, "json", "html", "plot", "junit"),
        },
        (*FORMS, "junit", "github"),
        """\
exit status:
  0 if the gate passes or there is none, 1 if it fails, 2 if arguments are wrong or a file
  cannot be read, 3 if the gate is undecided. --undecided pass or fail makes 0 or 1 of 3.

examples:
  skstat compare old.csv new.csv --metric correct --margin 0.01 --fail-if worse
  skstat compare --y-true gold.txt --predictions a=a.txt b=b.txt --metric f1_macro
""",
    ),
    Command(
        "rank",
        "rank systems, and say what of the ranking is certain",
        "Rank systems by existing results, and say what of the ranking is certain: which may "
        "be the best, and which ranks each may have (skstat.rank_systems).",
        "compare:rank",
        {
            "results that are ranked": (*_FILES, *_OF_RESULTS[:-1], "task", "by"),
            "ranking (defaults as in the function)": (
                *("adjustment", "confidence-level", "n-resamples", "seed"),
            ),
            _OUTPUTS: (*_FORM, "json", "html", "plot"),
        },
    ),
    Command(
        "metrics",
        "list the names that --metric takes",
        "List the names that --metric takes beside --predictions, one per line.",
        "predictions:list_metrics",
        {},
    ),
    Command(
        "explain",
        "say what a doubt of a report means, and what to do about it",
        "Say what a doubt of a report means, when it is raised, and what to do about it. "
        "Without a code all doubts are listed.",
        "situation:explain",
        {"doubts": ("code",)},
    ),
)


class _Parser(argparse.ArgumentParser):
    """Errors are raised, so that all of them are shown in one way."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")


def _runner(place: str) -> Callable[[argparse.Namespace], Answer]:
    """Return what does a command; what that needs is imported as it is called."""
    module, function = place.split(":")

    def run(arguments: argparse.Namespace) -> Answer:
        found: Answer = getattr(import_module(f"skstat._command_line.{module}"), function)(
            arguments
        )
        return found

    return run


def _add(command: Command, commands: Any) -> None:
    parser = commands.add_parser(
        command.name,
        help=command.said,
        description=textwrap.fill(command.description, 80),
        epilog=command.epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=_runner(command.run))
    for title, names in command.options.items():
        group = parser.add_argument_group(title)
        one_form: Any = group.add_mutually_exclusive_group() if "format" in names else group
        for name in names:
            known = dict(OPTIONS[name])
            completer = known.pop("completer", None)
            if name == "format":
                known["choices"] = command.forms
            flag = name if known.get("nargs") == "*" and "action" not in known else f"--{name}"
            action: Any = (one_form if name in _FORM else group).add_argument(flag, **known)
            action.completer = completer


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of ``skstat``."""
    parser = _Parser(
        prog="skstat",
        description="Is system B really better than system A, or was it lucky?",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"skstat {skstat.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS[:2]:
        _add(command, commands)
    add_recommend(commands)
    add_plan(commands)
    for command in _COMMANDS[2:]:
        _add(command, commands)
    return parser


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse; files with results may stand before options and behind them."""
    parser = make_parser()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        with suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(parser)
    arguments, rest = parser.parse_known_args(argv)
    if rest and ("results" not in arguments or any(word[:1] == "-" for word in rest)):
        raise CommandError(
            f"unrecognized arguments: {' '.join(rest)} (see skstat {arguments.command} --help)"
        )
    if rest:
        arguments.results = [*arguments.results, *rest]
    return arguments
