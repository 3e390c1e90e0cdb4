"""The options of all commands, and the parser built from them.

Nothing heavy is imported, so that --help is fast.
"""

import argparse
import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import skstat
from skstat._command_line.answer import CommandError
from skstat._command_line.gate import CONDITIONS

# Options by part: flag, values ("..." for several, brackets for optional ones, braces for
# choices), and help.
_TABLE = """
[files]
results [RESULTS...]  file or folder with results, or NAME=FILE
--metric NAME...     one metric or more: of results the names of their scores (default all), of
                     predictions accuracy, f1_macro, roc_auc, neg_log_loss, ...
--higher-is-better [METRIC...]  metrics of which higher is better; alone: of all
--lower-is-better [METRIC...]  the same of lower; by default files and names of metrics say it
[columns]
--group COLUMN       topic, user, document, ... of every item: the units then
--systems NAME...    which systems of the files; default all
--system COLUMN      column of a table that names the system
--item COLUMN...     column that names the item: question, row, ..., or several together
--repeat COLUMN      column that counts several results of a system on an item: epoch, sample
--unit {instance,group,split,dataset,seed}  what an item is; default as the files tell
--n-train N          rows that every split trains on; default a column n_train, or folds
--n-test N           rows that every split tests on
--input-format NAME  format of the files, where skstat does not recognise it
--allow WHAT...      what may differ between the files, or be incomplete: version, task,
                     content, items, unfinished, settings
[repeated]
--aggregate HOW      score of an item of several results: mean, median, pass@5, pass^5
[parts]
--task COLUMN        part of the benchmark that an item is of: is the ranking the same without?
[predictions]
--y-true FILE        the truth
--predictions NAME=FILE...  predictions of two systems or more, paired by id or by order
[rows]
--id COLUMN          column of ids in all tables, by which rows are paired; default one with a
                     usual name (id, question_id, ...), or none to pair rows by their order
--labels LABEL...    classes to average over
--pos-label LABEL    the positive class
--groups FILE        document, user, ... of every row: the units then
--sample-weight FILE  weight of every row
--strata FILE        strata whose sizes every resample keeps
--order FILE         time of every row: numbers, or dates as 2024-01-31
--interval {percentile,basic,bca}  of a bootstrap test: how its interval is made
--horizon N          steps ahead of forecasts
--n-jobs N           processes, for slow metrics
[slices]
--by COLUMN...       compare in slices too: columns of results, of predictions FILE:COLUMN
[question]
--test TEST          name of the test; default by metric and units
--baseline NAME      compare the others with this system; a gate on one file needs it
--candidate NAME     the system that is compared with the baseline
--alternative {two-sided,less,greater}  what the candidate is to be, else the first system
--margin SIZE...     the smallest difference that matters, to test for equivalence; for several
                     metrics METRIC=SIZE
--rope SIZE...       read the comparison as probabilities too: the difference that is
                     practically none, 0 for no such region; for several metrics METRIC=SIZE
[draws]
--adjustment METHOD  of p-values: max-t, holm, ...
--confidence-level LEVEL  of the intervals, such as 0.95
--n-resamples N      resamples, for what draws some
--seed N             seed of all that is drawn; default 0: the same files have one answer
[gate]
--fail-if {CONDITIONS}  what must not be true of the candidate; may be given several times
--probability P      how probable, for probably-worse and not-probably-better; default 0.95
--undecided {pass,fail,3}  what to do if the data do not decide; default: exit status 3
--junit FILE         write the gate as a test suite
[form]
--format {FORMS}      what to print
[forms]
--format {FORMS,junit,github}  what to print; of a gate github:
                     annotations for a workflow, and a summary of the job; junit: a test suite
[outputs]
--quiet              print nothing but errors
--json FILE          write the whole report
--html FILE          write a page for a browser
--plot FILE          draw to a .png, .svg or .pdf
[situation]
holds {estimators,predictions,scores}  what you have, or will have
--n-systems N        number of systems; default 2
--unit {split,instance,group,seed,dataset}  what one score is of; needed for scores
--metric NAME        name of a metric (`skstat metrics` lists them), or cost
--n N                number of rows of the test set, or of units
--cv NUMBER          number of folds, or the share of rows that random splits test on
--control            one system is compared with each of the others
--alternative {two-sided,less,greater}  greater: the first system scores higher than the second
--margin NUMBER      the smallest difference that matters: are the two equivalent?
[recommendation]
--groups N           number of groups that rows come in
--ordered            rows stand in time order
--seeds {crossed,average,means}  how several seeds of each system are treated
--paired-seeds       seed i means the same for every system
--budget N           number of fits per estimator that you can afford
--train-size NUMBER  share of the rows that train each model, 0.5 or 0.9; default 0.5
--adjustment METHOD  how p-values of three systems or more are adjusted
--constant NUMBER    compare one system with this score, which was known in advance
--rope NUMBER        read the comparison as probabilities too: what is practically no difference
[plan]
--difference NUMBER  the smallest difference that matters to you
--power NUMBER       probability with which the difference is to be found; default 0.8
--half-width NUMBER  instead of --difference: half of the width of its interval
--discordant NUMBER  for accuracy, share of rows on which exactly one of both systems is right
--error-rates RATE...  instead of it, what you expect of the error rates of both
--sd NUMBER          standard deviation of the difference of one unit
--group-size NUMBER  rows per group
--icc NUMBER         how alike rows of a group are, from 0 to 1
--sd-answers NUMBER  standard deviation of the difference of one answer to the same item
--n-repeats N        repetitions on the same rows: answers to an item, or partitions
--instability NUMBER  share of the variance of a row's difference due to the training rows
--test TEST          wilcoxon, sign, nemenyi, ... over data sets; projection_t, corrected_t
--confidence-level LEVEL  level of the interval; default 0.95
[doubts]
code [CODE...]       code of a doubt: SKS102
"""
_FORMS = "text,full,json,markdown,latex"
_LINE = re.compile(r"^(\S+)(?: (\S+))?  +(.+(?:\n +.+)*)$", re.MULTILINE)
_TABLE = _TABLE.replace("CONDITIONS", ",".join(CONDITIONS)).replace("FORMS", _FORMS)
PARTS = dict(re.findall(r"^\[(\w+)\]\n((?:[^\[].*\n)+)", _TABLE, re.MULTILINE))
_DEFAULTS = {"format": "text", "seed": 0, "probability": 0.95, "undecided": "3"}


def number(text: str) -> float:
    """Return an int for a whole number, else a float: 5 folds are not a share of 5.0."""
    value = float(text)
    return int(value) if text.isdecimal() else value


_TYPES = {"N": int, "NUMBER": number} | dict.fromkeys(("RATE", "LEVEL", "P"), float)


class Command(NamedTuple):
    """A command.

    Attributes
    ----------
    name, summary : str
        Its name, and what it does in one line.
    details : str
        Further description.
    run : str
        Module and function of `skstat._command_line` that run it.
    groups : mapping of str to str
        Parts of the table of options, by the title of their group.
    epilog : str
        Text below the help.
    """

    name: str
    summary: str
    details: str
    run: str
    groups: Mapping[str, str]
    epilog: str = ""


_COMMANDS = (
    Command(
        "compare",
        "compare systems by their results or predictions, and judge a candidate",
        "Results are logs of evaluations or tables of scores (skstat.compare_scores); files of "
        "them stand first, the baseline before the candidate. Predictions are of one test set "
        "(skstat.compare_predictions).",
        "compare.compare",
        {
            "results that are compared": "files columns repeated",
            "or predictions for one test set": "predictions rows",
            "test (defaults as in the function)": "question slices draws",
            "gate (exit status 1 if it fails)": "gate",
            "output (default: text on standard output)": "forms outputs",
        },
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
        "Which may be the best, and which ranks may each have (skstat.rank_systems)?",
        "compare.rank",
        {
            "results that are ranked": "files columns parts slices",
            "ranking (defaults as in the function)": "draws",
            "output (default: text on standard output)": "form outputs",
        },
    ),
    Command(
        "recommend",
        "say which test suits a situation, and why",
        "It is skstat.recommend_test. Nothing is read or tested.",
        "compare.ask",
        {"situation (defaults as in the function)": "situation recommendation form"},
    ),
    Command(
        "plan",
        "say how many rows, groups, splits or data sets it takes",
        "Or which difference can be found with what there is, or with which power: give two of "
        "the three (skstat.plan_comparison). Nothing is read or tested.",
        "compare.ask",
        {"situation (defaults as in the function)": "situation plan form"},
    ),
    Command(
        "metrics",
        "list the names that --metric takes beside --predictions",
        "One per line.",
        "compare.metrics",
        {},
    ),
    Command(
        "explain",
        "say what a doubt of a report means, and what to do about it",
        "Without a code all doubts are listed.",
        "compare.explain",
        {"doubts": "doubts"},
    ),
)


def names_in(*parts: str) -> list[str]:
    """Return the Python names of the options in parts of the table."""
    names: list[str] = []
    for flag, *_ in _LINE.findall("".join(PARTS[part] for part in parts)):
        names.append(flag.strip("-").replace("-", "_"))
    return names


class _Parser(argparse.ArgumentParser):
    """A parser that raises its errors, so that all are shown in the same way."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)")


def _options(flag: str, takes: str, help_text: str) -> dict[str, Any]:
    """Return the arguments of argparse for an option of the table."""
    option: dict[str, Any] = {"help": " ".join(help_text.split()), "action": "store"}
    metavar, dest = takes.strip("[.]"), flag.strip("-").replace("-", "_")
    if not takes:
        option |= {"action": "store_const", "const": True}
    elif takes[0] == "{":
        option["choices"] = takes[1:-1].split(",")
    else:
        option |= {"metavar": metavar, "type": _TYPES.get(metavar, str)}
    if metavar != takes:
        option["nargs"] = "*" if takes[0] == "[" else "+"
        option["action"] = "extend" if flag != dest else "store"
    if flag == "--fail-if":
        option["action"] = "append"
    return option | {"default": _DEFAULTS.get(dest)}


def _codes(**_: Any) -> list[str]:
    """Return the completions that a shell offers for CODE."""
    from skstat.report._doubts import CATALOGUE

    return list(CATALOGUE)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of ``skstat``."""
    top = _Parser(
        prog="skstat",
        description="Is system B really better than system A, or was it lucky?",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"skstat {skstat.__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        description = f"{command.summary[0].upper()}{command.summary[1:]}. {command.details}"
        parser = commands.add_parser(
            command.name,
            help=command.summary,
            description=textwrap.fill(description, 80),
            epilog=command.epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        parser.set_defaults(run=command.run)
        for title, parts in command.groups.items():
            group: Any = parser.add_argument_group(title)
            form_group = group.add_mutually_exclusive_group() if "form" in parts else group
            text = "".join(PARTS[part] for part in parts.split())
            for flag, *line in _LINE.findall(text):
                options = _options(flag, *line)
                one_of = flag in ("--format", "--quiet")
                action = (form_group if one_of else group).add_argument(flag, **options)
                action.completer = _codes if flag == "code" else None
    return top


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse arguments; files with results may come before or after options."""
    parser = make_parser()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks for completions
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
    module, function = arguments.run.split(".")  # it imports what it needs
    arguments.run = getattr(import_module(f"skstat._command_line.{module}"), function)
    return arguments
