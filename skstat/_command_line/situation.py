"""Commands that are asked of a situation, without files: they take what a function takes."""

import argparse
from contextlib import suppress
from typing import Any

import skstat
from skstat._command_line.answer import Answer, CommandError, errors_in_options
from skstat._command_line.signature import Parameter, parameters_of

FORMS = ("text", "json", "markdown", "latex")
_BOOLS = {"true": True, "yes": True, "false": False, "no": False}
# Where the documentation is about objects of Python first.
_SAID = {
    "metric": "name of a metric (`skstat metrics` lists them), or cost",
    "cv": "number of folds, if it is chosen",
    "stable": "whether small changes of the training data change the learners little",
    "power": "probability with which the difference is to be found; default 0.8",
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
    _add_question(command, "comparison/_recommend.py", "recommend_test", FORMS)


def add_plan(commands: Any) -> None:
    """Add ``skstat plan``."""
    command = commands.add_parser(
        "plan",
        help="say how many rows, groups, splits or data sets it takes",
        description="Say how many rows, groups, items, seeds, splits or data sets show a "
        "difference, which difference can be found with what there is, or with which power "
        "(skstat.plan_comparison). Give two of the three. Nothing is read or tested.",
        allow_abbrev=False,
    )
    forms = (*FORMS[:1], "full", *FORMS[1:])
    _add_question(command, "comparison/_plan_comparison.py", "plan_comparison", forms)


def _add_question(
    command: argparse.ArgumentParser, file: str, function: str, forms: tuple[str, ...]
) -> None:
    """Add the parameters of a function, the first of which says what there is."""
    first, *others = parameters_of(file, function)
    command.add_argument(first.name, choices=first.choices, help=first.text)
    group = command.add_argument_group("situation (defaults as in the function)")
    taken = [_add(group, parameter) for parameter in others if is_a_value(parameter)]
    command.add_argument(
        "--format", dest="form", default=forms[0], choices=forms, help="what to print"
    )
    command.set_defaults(run=_ask, taken=[first.name, *taken], function=function)


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
    elif types[0].startswith("tuple[float"):
        count = types[0].count("float")
        options |= {"type": float, "nargs": count, "metavar": ("SIZE",) * count}
    else:
        options["type"] = number or _value
        options["metavar"] = "N" if number is int else "SIZE" if number else "VALUE"
    group.add_argument("--" + parameter.name.replace("_", "-"), **options)
    return parameter.name


def _value(text: str) -> Any:
    """Return a truth value, a number, or the text."""
    if text.lower() in _BOOLS:
        return _BOOLS[text.lower()]
    for number in (int, float):
        with suppress(ValueError):
            return number(text)
    return text


def _ask(arguments: argparse.Namespace) -> Answer:
    """Ask the function."""
    given = {name: getattr(arguments, name) for name in arguments.taken}
    ask = getattr(skstat, arguments.function)
    with errors_in_options():
        found = ask(
            given.pop("holds"), **{name: v for name, v in given.items() if v is not None}
        )
    if arguments.form in ("text", "full"):
        full = arguments.form == "full"
        more = "the same with --format full"
        return Answer(found._text(full, more))
    return Answer(str(getattr(found, f"to_{arguments.form}")()))


def explain(arguments: argparse.Namespace) -> Answer:
    """Say what the doubts that are named mean, or list all codes."""
    from skstat.report._doubts import explained

    try:
        found = [explained(code) for code in arguments.code]
    except ValueError as error:
        raise CommandError(str(error)) from error
    return Answer("\n\n\n".join(found) if found else explained())
