"""The arguments of ``skstat recommend``: those of `skstat.recommend_test`."""

import argparse
from typing import Any

from skstat._command_line._answer import Answer
from skstat._command_line._arguments.signature import Parameter, parameters_of
from skstat._command_line._errors import errors_in_options

FILE = "comparison/_recommend.py"
FORMS = ("text", "json", "markdown", "latex")
_BOOLS = {"true": True, "yes": True, "false": False, "no": False}
# Where the documentation is about objects of Python first.
_SAID = {
    "metric": "name of a metric (`skstat metrics` lists them), or cost",
    "cv": "number of folds, if it is chosen",
    "stable": "whether small changes of the training data change the learners little",
}
_NUMBERS: dict[str, type] = {"int": int, "float": float}


def add_recommend(commands: Any) -> None:
    """Add ``skstat recommend``."""
    command = commands.add_parser(
        "recommend",
        help="say which test suits a situation, and why",
        description="Say which test suits a situation, and why (skstat.recommend_test). "
        "Nothing is read or tested.",
        allow_abbrev=False,
    )
    first, *others = parameters_of(FILE, "recommend_test")
    command.add_argument(first.name, choices=first.choices, help=first.text)
    group = command.add_argument_group("situation (defaults as in the function)")
    taken = [_add(group, parameter) for parameter in others if is_a_value(parameter)]
    command.add_argument(
        "--format", dest="form", default=FORMS[0], choices=FORMS, help="what to print"
    )
    command.set_defaults(run=_recommend, taken=[first.name, *taken])


def is_a_value(parameter: Parameter) -> bool:
    """Whether it can be written in one word: rows of data cannot."""
    return not parameter.kind.startswith("array-like")


def _add(group: Any, parameter: Parameter) -> str:
    options: dict[str, Any] = {"help": _SAID.get(parameter.name, parameter.text)}
    types = parameter.annotation.split(" | ")
    number = next((_NUMBERS[name] for name in types if name in _NUMBERS), None)
    if "bool" in types:
        options |= {"action": "store_const", "const": True}
    elif parameter.choices and '"' in parameter.kind and len(parameter.choices) > 1:
        options["choices"] = parameter.choices
    else:
        options["type"] = number or _value
        options["metavar"] = "N" if number is int else "SIZE" if number else "VALUE"
    group.add_argument("--" + parameter.name.replace("_", "-"), **options)
    return parameter.name


def _value(text: str) -> Any:
    """Return a truth value, a number, or the text."""
    if text.lower() in _BOOLS:
        return _BOOLS[text.lower()]
    try:
        return int(text)
    except ValueError:
        return text


def _recommend(arguments: argparse.Namespace) -> Answer:
    """Ask `skstat.recommend_test`."""
    from skstat import recommend_test

    given = {name: getattr(arguments, name) for name in arguments.taken}
    with errors_in_options():
        found = recommend_test(
            given.pop("holds"), **{name: v for name, v in given.items() if v is not None}
        )
    return Answer(str(getattr(found, f"to_{arguments.form}")()))
