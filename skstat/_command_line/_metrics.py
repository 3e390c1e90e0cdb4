"""Names of metrics: which there are, and which one was meant."""

import inspect
from collections.abc import Iterable

from skstat._command_line._answer import Answer
from skstat._command_line._errors import CommandError
from skstat._spelling import meant_by


def list_metrics() -> Answer:
    """Give the names, one per line."""
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


def check_metrics(asked: Iterable[str]) -> None:
    """Refuse unknown names, before any file is read."""
    from skstat.metrics import as_metric

    known = metric_names()
    for name in asked:
        if name in known:
            continue
        try:
            as_metric(name)
        except ValueError as error:
            meant = " or ".join(meant_by(name, known))
            hint = f"did you mean {meant}?" if meant else "`skstat metrics` lists the names."
            raise CommandError(f"--metric {name} is unknown; {hint}") from error
