"""Results of evaluations, from files and folders."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skstat._command_line.answer import CommandError, errors_in_options
from skstat._names import listed
from skstat._spelling import meant_by


def split_named(text: str) -> tuple[str | None, str]:
    """Part ``NAME=FILE``; a file whose name holds an equals sign is a file."""
    name, equals, path = text.partition("=")
    if equals and name and path and not Path(text).exists():
        return name, path
    if not name:
        raise CommandError(f"{text!r} is neither a file nor NAME=FILE.")
    return None, text


def files_of_results(arguments: Namespace) -> list[str]:
    """Return the files and folders that are read."""
    return [split_named(text)[1] for text in arguments.results]


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
    named = [split_named(text) for text in arguments.results]
    seen: dict[str, str] = {}
    for _, path in named:
        with errors_in_options(path):
            first = seen.setdefault(os.path.realpath(path), path)
        if first is not path:
            raise CommandError(f"{path} and {first} are one file.")
    parts = _renamed(named, [_read(name, path, arguments) for name, path in named])
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    results = parts[0] if len(parts) == 1 else _read_sources(parts, arguments, scores)
    for option in ("group", "by", "task"):
        named_by = getattr(arguments, option, None) or []
        for column in [named_by] if isinstance(named_by, str) else named_by:
            results = _with_labels(results, column, f"--{option} {column}")
    metric_named = partial(one_of, results.metrics)
    if arguments.metric is not None:
        asked = dict.fromkeys(map(metric_named, arguments.metric))
        results = results.take(metrics=list(asked))
    elif what == "a gate" and len(results.metrics) > 1:
        known = ", ".join(results.metrics)
        raise CommandError(f"--fail-if needs --metric: name those that decide, of {known}.")
    if arguments.systems is not None:
        asked = dict.fromkeys(one_of(results.names, n, "--systems") for n in arguments.systems)
        results = results.take(systems=list(asked))
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
    roles = given(arguments, "system", "item", "repeat")
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    named = [{**scores, "systems": arguments.systems}] if alone and arguments.systems else []
    for columns in [*named, scores] if scores else named:
        with suppress(CommandError):  # another file may have them
            return _read_sources(source, arguments, roles | columns, path, alone=alone)
    return _read_sources(source, arguments, roles, path, alone=alone)


def _read_sources(
    source: Any, arguments: Namespace, columns: Mapping[str, Any], path: str = "", **how: Any
) -> Any:
    from skstat.io._read import read_sources

    with errors_in_options(path):
        allow = arguments.allow or ()
        return read_sources(source, arguments.input_format, columns, allow, **how)


def _renamed(named: Sequence[tuple[str | None, str]], parts: Sequence[Any]) -> list[Any]:
    """Name systems by their files where two files hold a system of one name.

    One model with two prompts has one name in both logs.
    """
    names = [name for part in parts for name in part.names]
    found = []
    for (given_name, path), part in zip(named, parts, strict=True):
        stem, clash = Path(path).stem, len(part.names) == 1 and names.count(part.names[0]) > 1
        alone = given_name is None and clash and stem not in names
        found.append(part.renamed({part.names[0]: stem}) if alone else part)
    return found


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
    from skstat.io._join import gaps_of

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
    words = {True: arguments.higher_is_better, False: arguments.lower_is_better}
    of_all = [up for up, named in words.items() if named == []]
    if len(of_all) > 1:
        raise CommandError(f"{both} contradict each other: name the metrics of one of them.")
    said: dict[str, bool] = {}
    for up, named in words.items():
        for metric in map(metric_named, named or ()):
            if said.setdefault(metric, up) != up:
                raise CommandError(f"{both} both name {metric}.")
    return (dict.fromkeys(metrics, of_all[0]) if of_all else {}) | said


def given(arguments: Namespace, *names: str) -> dict[str, Any]:
    """Return options that are given; the defaults of others are those of the function."""
    found = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}
