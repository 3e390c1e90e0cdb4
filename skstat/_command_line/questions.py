"""Commands without files: they take what a function takes, or list names."""

import inspect
from argparse import Namespace

import skstat
from skstat._command_line.answer import Answer, errors_in_options
from skstat._command_line.outputs import in_form

_FUNCTIONS = {"recommend": "recommend_test", "plan": "plan_comparison"}


def ask(arguments: Namespace) -> Answer:
    """Ask a function by what is given; the other defaults are its own."""
    asked = {name: value for name, value in vars(arguments).items() if value is not None}
    form, function = asked.pop("format"), getattr(skstat, _FUNCTIONS[asked.pop("command")])
    del asked["run"]
    with errors_in_options():
        return Answer(in_form(function(**asked), None, form))


def explain(arguments: Namespace) -> Answer:
    """Say what the doubts that are named mean, or list all codes."""
    from skstat.report._doubts import explained

    with errors_in_options():
        found = [explained(code) for code in arguments.code]
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
