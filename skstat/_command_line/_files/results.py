"""Results of evaluations, from files and folders, by :func:`skstat.io.read_results`."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from skstat._columns import why_no_system
from skstat._command_line._errors import CommandError, in_options
from skstat._command_line._files.scores import score_named

_ROLES = ("system", "item", "repeat")


def split_named(text: str) -> tuple[str | None, str]:
    """Part ``NAME=FILE``; a file whose name holds an equals sign is a file."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return None, text
    if not (name and path):
        raise CommandError(f"{text!r} is neither a file nor NAME=FILE.")
    return name, path


def files_of_results(arguments: Namespace) -> list[str]:
    """Return the files and folders that are read."""
    return [split_named(text)[1] for text in arguments.results]


def refuse_swallowed_files(arguments: Namespace) -> None:
    """Say so where files stand behind an option that takes several words."""
    several = ("metric", "systems", "item", "allow", "higher_is_better", "lower_is_better")
    for name in several:
        flag, words = f"--{name.replace('_', '-')}", getattr(arguments, name)
        files = [word for word in words or () if Path(split_named(word)[1]).exists()]
        if files:
            raise CommandError(
                f"{flag} takes what follows it, so also {files[0]}: name the files before the "
                "options."
            )


def read_files(arguments: Namespace, *labels: str | None) -> Any:
    """Return the results of all files, each system under a name of its own.

    Parameters
    ----------
    arguments : Namespace
        The files, and what is known of them.
    *labels : str or None
        Columns that hold labels, even if they are numbers.
    """
    named = [split_named(text) for text in arguments.results]
    _check_files([path for _, path in named])
    parts = [_read(name, path, arguments) for name, path in named]
    results = _joined(_renamed(named, parts), arguments)
    for column in labels:
        results = _labelled(results, column)
    return results


def _check_files(paths: Sequence[str]) -> None:
    seen: dict[Path, str] = {}
    for path in paths:
        if not path or "\0" in path:
            raise CommandError(f"{path!r} is not a file name.")
        try:
            place = Path(path).resolve(strict=True)
        except FileNotFoundError:
            raise CommandError(f"there is no file or folder {path}.") from None
        except (OSError, RuntimeError) as error:
            raise CommandError(f"cannot read {path}: {error}.") from error
        if place in seen:
            raise CommandError(
                f"{path} and {seen[place]} are one file: it would be compared with itself."
            )
        seen[place] = path


def _read(name: str | None, path: str, arguments: Namespace) -> Any:
    """Read one file; a column that nobody takes for a score is one where --metric names it."""
    columns = {
        role: getattr(arguments, role)
        for role in _ROLES
        if getattr(arguments, role) is not None
    }
    scores = {} if arguments.metric is None else {"score": arguments.metric}
    try:
        found = _read_columns(name, path, arguments, columns)
    except CommandError:
        if not scores:
            raise
        return _read_columns(name, path, arguments, columns | scores)
    systems = _beside_each_other(found, name, arguments)
    if systems:
        return _read_columns(name, path, arguments, columns | scores | {"systems": systems})
    try:
        for metric in arguments.metric or ():
            score_named(metric, found)
    except CommandError:  # another file may have the metric, or an error name what there is
        with suppress(CommandError):
            return _read_columns(name, path, arguments, columns | scores)
    return found


def _beside_each_other(found: Any, name: str | None, arguments: Namespace) -> list[str]:
    """Return the columns that are systems, of a single file without a column that names them.

    They are those that --systems names, or all where none has the name of a metric: there would
    be nothing to compare else.
    """
    if name is not None or len(arguments.results) > 1 or len(found.names) > 1:
        return []
    named = list(arguments.systems or ())
    if named:
        return named if set(named) <= set(found.metrics) else []
    if arguments.metric and set(arguments.metric) & set(found.metrics):
        return []
    systems = [name for name in found.metrics if not why_no_system(name, found.scores)]
    bare = len(systems) > 1 and found.higher_is_better.keys().isdisjoint(systems)
    return systems if bare else []


def _read_columns(
    name: str | None, path: str, arguments: Namespace, columns: Mapping[str, Any]
) -> Any:
    from skstat.io import ResultsError, read_results

    try:
        return read_results(
            path if name is None else {name: path},
            format=arguments.input_format,
            columns=columns or None,
            allow=arguments.allow or (),
        )
    except ResultsError as error:
        said = in_options(str(error))
        raise CommandError(said if path in said else f"{path}: {said}") from error
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}.") from error


def _renamed(named: Sequence[tuple[str | None, str]], parts: Sequence[Any]) -> list[Any]:
    """Name systems by their files where two files hold a system of one name.

    One model with two prompts has one name in both logs.
    """
    _refuse_one_run(parts)
    names = [name for part in parts for name in part.names]
    found = []
    for (given, path), part in zip(named, parts, strict=True):
        stem = Path(path).stem
        clash = len(part.names) == 1 and names.count(part.names[0]) > 1
        found.append(
            part.renamed({part.names[0]: stem})
            if given is None and clash and stem not in names
            else part
        )
    return found


def _refuse_one_run(parts: Sequence[Any]) -> None:
    """Refuse a copy of a log: a run that began in the same moment, with the same facts."""
    seen: dict[str, str] = {}
    for source in (source for part in parts for source in part.sources):
        if not source.created:
            continue
        facts = source.to_dict() | {"path": None}
        first = seen.setdefault(repr(facts), source.path)
        if first != source.path:
            raise CommandError(
                f"{source.path} is a copy of {first} (both were made {source.created}): it "
                "would be compared with itself."
            )


def _joined(parts: Sequence[Any], arguments: Namespace) -> Any:
    from skstat.io import ResultsError, join_results
    from skstat.io._score_left import check_score_is_left

    if len(parts) == 1:
        return parts[0]  # which was checked as it was read
    try:
        found = join_results(parts, allow=arguments.allow or ())
        if arguments.metric is None:
            check_score_is_left(parts, found)
        return found
    except ResultsError as error:
        raise CommandError(in_options(str(error))) from error


def _labelled(results: Any, column: str | None) -> Any:
    """Let a column of numbers be one of labels, if it is said to hold those."""
    if column is None or column not in results.scores or len(results.scores) == 1:
        return results
    scores = dict(results.scores)
    names = [f"{number:.17g}" for number in scores.pop(column).tolist()]
    known = {name: up for name, up in results.higher_is_better.items() if name != column}
    return replace(
        results,
        scores=scores,
        columns={**results.columns, column: names},
        higher_is_better=known,
    )
