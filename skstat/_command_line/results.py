"""Reading of results of evaluations from files and folders."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skstat._command_line.answer import CommandError, errors_in_options
from skstat._names import listed
from skstat._spelling import meant_by
from skstat.io._read import read_sources
from skstat.io._results import gaps_of


def split_named(text: str) -> tuple[str | None, str]:
    """Return name and file of ``NAME=FILE``; an existing file may have an equals sign."""
    name, equals, path = text.partition("=")
    if equals and name and path and not Path(text).exists():
        return name, path
    if not name:
        raise CommandError(f"{text!r} is neither a file nor NAME=FILE.")
    return None, text


def files_of_results(arguments: Namespace) -> Iterator[str]:
    """Yield the files and folders that are read."""
    for text in arguments.results:
        yield split_named(text)[1]


def results_of(arguments: Namespace, what: str) -> tuple[Any, bool, Callable[[str], str]]:
    """Read the files, and return the chosen systems and metrics.

    Parameters
    ----------
    arguments : Namespace
        The files, and options about them.
    what : str
        What needs the directions of all metrics, such as "a gate"; else empty.

    Returns
    -------
    results : Results
        The results, in which every system has a unique name.
    ordered : bool
        Whether the user chose the order of the systems, by that of the files.
    metric_named : callable
        Function of a user's name of a metric to its name in the results.
    """
    named: dict[str, tuple[str | None, str]] = {}
    for text in arguments.results:
        name, path = split_named(text)
        with errors_in_options(path):
            _, first = named.setdefault(os.path.realpath(path), (name, path))
        if first is not path:
            raise CommandError(f"{path} and {first} are one file.")
    parts, names = [], list[str]()
    for name, path in named.values():
        parts.append(_read(name, path, arguments))
        names += parts[-1].names
    # Systems with the same name in two files, such as one model with two prompts, are named by
    # their files.
    for index, (name, path) in enumerate(named.values()):
        (system, *others), stem = parts[index].names, Path(path).stem
        if name is None and not others and names.count(system) > 1 and stem not in names:
            parts[index] = parts[index].renamed({system: stem})
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    with errors_in_options():
        allow = arguments.allow or ()
        results = parts[0] if len(parts) == 1 else read_sources(parts, None, scores, allow)
    for option in ("group", "by", "task"):
        columns = getattr(arguments, option, None) or []
        for column in [columns] if isinstance(columns, str) else columns:
            results = _with_labels(results, column, f"--{option} {column}")
    metric_named = partial(one_of, results.metrics)
    if arguments.metric is not None:
        chosen = dict.fromkeys(map(metric_named, arguments.metric))
        results = results.take(metrics=list(chosen))
    elif what == "a gate" and len(results.metrics) > 1:
        metrics = ", ".join(results.metrics)
        raise CommandError(f"--fail-if needs --metric: name those that decide, of {metrics}.")
    if arguments.systems is not None:
        chosen = dict.fromkeys(one_of(results.names, n, "--systems") for n in arguments.systems)
        results = results.take(systems=list(chosen))
    directions = directions_of(arguments, results.metrics, metric_named)
    results = replace(results, higher_is_better={**results.higher_is_better, **directions})
    for metric in results.metrics if what else ():
        if metric not in results.higher_is_better:
            raise CommandError(
                f"nothing says which way {metric} is better, and {what} has to know: pass "
                f"--higher-is-better {metric} or --lower-is-better {metric}."
            )
    if what == "a gate" and "unfinished" not in (arguments.allow or ()):
        _check_complete(results)
    if len(results.names) < 2:
        raise CommandError(
            f"the results are of one system ({results.names[0]}); at least two are compared. "
            "Name one more file, or the columns that are systems by --systems."
        )
    first_names = [name for name in parts[0].names if name in results.names]
    return results, len(parts) > 1 and first_names == [results.names[0]], metric_named


def _read(name: str | None, path: str, arguments: Namespace) -> Any:
    """Read one file, with the named systems and scores if it has columns for them."""
    source = path if name is None else {name: path}
    alone = name is None and len(arguments.results) == 1
    input_format, allow = arguments.input_format, arguments.allow or ()
    read = partial(read_sources, source, input_format, allow=allow, alone=alone)
    roles = options_of(arguments, "system", "item", "repeat")
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    wide = [{**scores, "systems": arguments.systems}] if alone and arguments.systems else []
    with errors_in_options(path):
        for columns in [*wide, scores] if scores else wide:
            with suppress(ValueError, TypeError, ImportError, OSError):  # others may fit
                return read(columns=roles | columns)
        return read(columns=roles)


def _with_labels(results: Any, column: str, option: str) -> Any:
    """Return results with a column of labels, which may be numbers so far read as scores."""
    scores, columns = dict(results.scores), dict(results.columns)
    if column in scores and len(scores) > 1:
        columns[column] = [f"{number:.17g}" for number in scores.pop(column).tolist()]
        higher = {name: up for name, up in results.higher_is_better.items() if name != column}
        return replace(results, scores=scores, columns=columns, higher_is_better=higher)
    if column not in columns:
        have = ", ".join(columns) or "no column beside the scores"
        raise CommandError(f"{option} is not a column of the results; they have {have}.")
    return results


def one_of(valid: Iterable[str], name: str, option: str = "--metric", instead: str = "") -> str:
    """Return a name if it is valid; refuse it otherwise."""
    names = list(valid)
    if name in names:
        return name
    matches = " or ".join(meant_by(name, names))
    hint = f"did you mean {matches}?" if matches else instead or f"there are {listed(names)}."
    raise CommandError(f"{option} {name} is unknown; {hint}")


def _check_complete(results: Any) -> None:
    """Refuse systems that lack scores on items on which others have scores.

    Leaving these items out would favour a candidate that could not finish hard ones.
    """
    gaps = gaps_of(results) if results.unit != "seed" else ()  # seeds are not paired
    for metric, system, items, n_items in gaps:
        raise CommandError(
            f"{system} lacks {metric} on {len(items)} of {n_items} items, such as "
            f"{items[0]!r}: a gate needs the same items. To judge by the items that all "
            "have, pass --allow unfinished."
        )


def directions_of(
    arguments: Namespace, metrics: Sequence[str], metric_named: Callable[[str], str]
) -> dict[str, bool]:
    """Return whether higher is better, for the metrics whose direction the user gave.

    Parameters
    ----------
    arguments : Namespace
        The options; without names they apply to all metrics.
    metrics : sequence of str
        All metrics.
    metric_named : callable
        Function of a user's name of a metric to its name.
    """
    both = "--higher-is-better and --lower-is-better"
    for_all, by_metric = dict[str, bool](), dict[str, bool]()
    for up, names in ((True, arguments.higher_is_better), (False, arguments.lower_is_better)):
        if names == [] and for_all:
            raise CommandError(
                f"{both} contradict each other: name the metrics of one of them."
            )
        for_all |= dict.fromkeys(metrics if names == [] else (), up)
        for metric in map(metric_named, names or ()):
            if by_metric.setdefault(metric, up) != up:
                raise CommandError(f"{both} both name {metric}.")
    return for_all | by_metric


def options_of(arguments: Namespace, *names: str) -> dict[str, Any]:
    """Return the given ones of some options; the function has defaults for the others."""
    values = vars(arguments)
    return {name: values[name] for name in names if values.get(name) is not None}
