"""Results of evaluations, from files and folders."""

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
    """Part ``NAME=FILE``; a file whose name holds an equals sign is a file."""
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
    """Read the files; return systems and metrics that were asked for.

    Parameters
    ----------
    arguments : Namespace
        The files, and what is known of them.
    what : str
        What has to know which way metrics are better, such as "a gate"; else empty.

    Returns
    -------
    results : Results
        Each system under a name of its own.
    ordered : bool
        Whether the first system is the one of the first file, whose place the user chose.
    metric_named : callable
        From what a user calls a metric to the name of its score.
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
    # One model with two prompts has one name in both logs: they are named by their files.
    for place, (name, path) in enumerate(named.values()):
        (own, *others), stem = parts[place].names, Path(path).stem
        if name is None and not others and names.count(own) > 1 and stem not in names:
            parts[place] = parts[place].renamed({own: stem})
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    with errors_in_options():
        allow = arguments.allow or ()
        results = parts[0] if len(parts) == 1 else read_sources(parts, None, scores, allow)
    for option in ("group", "by", "task"):
        named_by = getattr(arguments, option, None) or []
        for column in [named_by] if isinstance(named_by, str) else named_by:
            results = _with_labels(results, column, f"--{option} {column}")
    metric_named = partial(one_of, results.metrics)
    if arguments.metric is not None:
        wanted = dict.fromkeys(map(metric_named, arguments.metric))
        results = results.take(metrics=list(wanted))
    elif what == "a gate" and len(results.metrics) > 1:
        known = ", ".join(results.metrics)
        raise CommandError(f"--fail-if needs --metric: name those that decide, of {known}.")
    if arguments.systems is not None:
        wanted = dict.fromkeys(one_of(results.names, n, "--systems") for n in arguments.systems)
        results = results.take(systems=list(wanted))
    said = directions_said(arguments, results.metrics, metric_named)
    results = replace(results, higher_is_better={**results.higher_is_better, **said})
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
    of_first = [name for name in parts[0].names if name in results.names]
    return results, len(parts) > 1 and of_first == [results.names[0]], metric_named


def _read(name: str | None, path: str, arguments: Namespace) -> Any:
    """Read one file: of a table the systems and scores that are named, if it has them."""
    source = path if name is None else {name: path}
    alone = name is None and len(arguments.results) == 1
    form, allow = arguments.input_format, arguments.allow or ()
    read = partial(read_sources, source, form, allow=allow, alone=alone)
    roles = given(arguments, "system", "item", "repeat")
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    named = [{**scores, "systems": arguments.systems}] if alone and arguments.systems else []
    with errors_in_options(path):
        for columns in [*named, scores] if scores else named:
            with suppress(ValueError, TypeError, ImportError, OSError):  # others may have them
                return read(columns=roles | columns)
        return read(columns=roles)


def _with_labels(results: Any, column: str, option: str) -> Any:
    """Return results with a column of labels: numbers are some, if that is said of them."""
    scores, columns = dict(results.scores), dict(results.columns)
    if column in scores and len(scores) > 1:
        columns[column] = [f"{number:.17g}" for number in scores.pop(column).tolist()]
        ways = {name: up for name, up in results.higher_is_better.items() if name != column}
        return replace(results, scores=scores, columns=columns, higher_is_better=ways)
    if column not in columns:
        have = ", ".join(columns) or "no column beside the scores"
        raise CommandError(f"{option} is not a column of the results; they have {have}.")
    return results


def one_of(known: Iterable[str], name: str, option: str = "--metric", instead: str = "") -> str:
    """Return a name; refuse one that is unknown."""
    names = list(known)
    if name in names:
        return name
    meant = " or ".join(meant_by(name, names))
    hint = f"did you mean {meant}?" if meant else instead or f"there are {listed(names)}."
    raise CommandError(f"{option} {name} is unknown; {hint}")


def _check_complete(results: Any) -> None:
    """Refuse systems that lack scores on items that others have scores on.

    Items that were too hard to be finished would count for nobody, and so for the candidate.
    """
    gaps = gaps_of(results) if results.unit != "seed" else ()  # seeds are not paired
    for metric, system, lacking, n_items in gaps:
        raise CommandError(
            f"{system} lacks {metric} on {len(lacking)} of {n_items} items, such as "
            f"{lacking[0]!r}: a gate needs the same items. To judge by the items that all "
            "have, pass --allow unfinished."
        )


def directions_said(
    arguments: Namespace, metrics: Sequence[str], metric_named: Callable[[str], str]
) -> dict[str, bool]:
    """Return whether higher is better, of the metrics that the user says it of.

    Parameters
    ----------
    arguments : Namespace
        The options: one alone is said of all metrics.
    metrics : sequence of str
        The metrics there are.
    metric_named : callable
        From what a user calls a metric to its name.
    """
    both = "--higher-is-better and --lower-is-better"
    of_all, said = dict[str, bool](), dict[str, bool]()
    for up, named in ((True, arguments.higher_is_better), (False, arguments.lower_is_better)):
        if named == [] and of_all:
            raise CommandError(
                f"{both} contradict each other: name the metrics of one of them."
            )
        of_all |= dict.fromkeys(metrics if named == [] else (), up)
        for metric in map(metric_named, named or ()):
            if said.setdefault(metric, up) != up:
                raise CommandError(f"{both} both name {metric}.")
    return of_all | said


def given(arguments: Namespace, *names: str) -> dict[str, Any]:
    """Return options that are given; the defaults of others are those of the function."""
    known = vars(arguments)
    return {name: known[name] for name in names if known.get(name) is not None}
