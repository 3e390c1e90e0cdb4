"""Every metric on the splits that its own test needs, whatever else is asked in one call."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from skstat.comparison._question import Question
from skstat.evaluation._inputs import metric_sources
from skstat.evaluation._plan import by_rows_known


def on_own_splits(
    named: Mapping[str, Any],
    scoring: Any,
    y: Any,
    ask: Callable[[Any, tuple[str, ...]], Any],
) -> Any:
    """Ask by metrics of which the rows' contributions are known, and by the others apart.

    The two need other splits. Of one metric the report is the same as if it were asked alone,
    but for what is said of several metrics.

    Parameters
    ----------
    named : mapping of str to estimator
        The estimators.
    scoring : str, callable, list, tuple or dict
        The metrics.
    y : array-like of shape (n_rows,) or None
        Truth of all rows.
    ask : callable
        From metrics, and the names of all of them where these are only a part, to the report.
    """
    parts = [part for part in by_rows_known(named, scoring, y).values() if part]
    if len(parts) < 2:
        return ask(scoring, ())
    metrics = tuple(metric_sources(named, scoring))
    found: dict[str, Any] = {}
    for part in parts:
        report = ask(part, metrics)
        found |= report if isinstance(report, Mapping) else {next(iter(part)): report}
    return {metric: found[metric] for metric in metrics}


def compare_on_own_splits(
    named: Mapping[str, Any],
    scoring: Any,
    y: Any,
    question: Question,
    ask: Callable[[Any, Question], Any],
) -> Any:
    """Ask a question as `on_own_splits` does; it knows of all metrics."""
    return on_own_splits(
        named, scoring, y, lambda part, all_: ask(part, replace(question, metrics=all_))
    )
