"""Commands without files: they take what a function takes, or list names."""

import inspect
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from skstat._command_line.answer import Answer, CommandError, errors_in_options


def recommend(arguments: Namespace) -> Answer:
    """Say which test suits a situation."""
    from skstat import recommend_test

    return _ask(recommend_test, arguments)


def plan(arguments: Namespace) -> Answer:
    """Say how much a comparison takes."""
    from skstat import plan_comparison

    return _ask(plan_comparison, arguments)


def _ask(function: Callable[..., Any], arguments: Namespace) -> Answer:
    """Ask a function by what is given; the other defaults are its own."""
    asked = {name: value for name, value in vars(arguments).items() if value is not None}
    form = asked.pop("form")
    with errors_in_options():
        found = function(**{n: v for n, v in asked.items() if n not in ("command", "run")})
    if form in ("text", "full"):
        return Answer(found._text(form == "full", "the same with --format full"))
    return Answer(str(getattr(found, f"to_{form}")()))


def explain(arguments: Namespace) -> Answer:
    """Say what the doubts that are named mean, or list all codes."""
    from skstat.report._doubts import explained

    try:
        found = [explained(code) for code in arguments.code]
    except ValueError as error:
        raise CommandError(str(error)) from error
    return Answer("\n\n\n".join(found) if found else explained())


def metrics(_: Namespace) -> Answer:
    """Give the names of metrics, one per line."""
    return Answer("\n".join(metric_names()))


def metric_names() -> list[str]:
    """Return scikit-learn's scorers, and its functions of truth and prediction alone."""
    from sklearn import metrics

    names = set(metrics.get_scorer_names())
    for name in dir(metrics):
        if name.endswith(("_score", "_loss", "_error")):
            parameters = inspect.signature(getattr(metrics, name)).parameters
            needed = [key for key, value in parameters.items() if value.default is value.empty]
            if len(needed) == 2 and needed[0] == "y_true":
                names.add(name)
    return sorted(names)
