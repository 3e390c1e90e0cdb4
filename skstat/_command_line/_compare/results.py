"""Results of evaluations, and `skstat.compare_scores`."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skstat._command_line._compare.margins import sizes_of
from skstat._command_line._compare.notes import changed, with_note
from skstat._command_line._compare.sides import Ask, Sides, sides_of
from skstat._command_line._errors import CommandError
from skstat._command_line._files import (
    check_complete,
    check_directions,
    check_slice_columns,
    directions_said,
    files_of_results,
    in_directions,
    read_files,
    score_named,
    take_metrics,
    take_systems,
)

# Passed on as they are, if given: the defaults are those of the function.
_OPTIONS = (
    "unit",
    "n_train",
    "n_test",
    "group",
    "aggregate",
    "test",
    "adjustment",
    "alternative",
    "confidence_level",
)


def compare_by_results(arguments: Namespace) -> tuple[Ask, Sides]:
    """Read the results; return what compares their systems by so many resamples."""
    results = read_files(arguments, arguments.group, *(arguments.by or ()))
    if arguments.fail_if and arguments.metric is None and len(results.metrics) > 1:
        raise CommandError(
            f"--fail-if needs --metric: the results have {', '.join(results.metrics)}. Name "
            "those that decide."
        )
    results = take_systems(take_metrics(results, arguments.metric), arguments.systems)
    said = directions_said(arguments, results.metrics, partial(score_named, results=results))
    results = in_directions(results, said)
    if arguments.fail_if:
        check_directions(results, "a gate")
    if arguments.fail_if and "unfinished" not in (arguments.allow or ()):
        check_complete(results)
    if len(results.names) < 2:
        raise CommandError(
            f"the results are of one system ({results.names[0]}); at least two are compared. "
            "Name one more file, or the columns that are systems by --systems."
        )
    sides = _sides(results, arguments)
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    options |= {"control": sides.control, "by": arguments.by}
    for name in ("margin", "rope"):
        sizes = sizes_of(getattr(arguments, name), f"--{name}")
        if isinstance(sizes, dict):
            sizes = {score_named(of, results): size for of, size in sizes.items()}
        options[name] = sizes
    note = "paired by item" if len(arguments.results) > 1 else ""

    def ask(n_resamples: int | None) -> Any:
        asked = options | {"n_resamples": n_resamples}
        given = {name: value for name, value in asked.items() if value is not None}
        return with_note(_ask(results, sides, arguments, given), note)

    return ask, sides


def _sides(results: Any, arguments: Namespace) -> Sides:
    if arguments.group is not None and arguments.group not in results.columns:
        have = ", ".join(results.columns) or "no column that groups them"
        raise CommandError(
            f"--group {arguments.group} is not a column of the results; they have {have}."
        )
    check_slice_columns(results, arguments.by)
    names = list(dict.fromkeys(arguments.systems or results.names))
    return sides_of(names, arguments, ordered=_is_first_file_one_system(results, arguments))


def _is_first_file_one_system(results: Any, arguments: Namespace) -> bool:
    """Whether files were named in an order that says which system is the baseline."""
    paths = [Path(path).resolve() for path in files_of_results(arguments)]
    own = {
        source.system
        for source in results.sources
        if paths[0] in (place := Path(source.path).resolve(), *place.parents)
    }
    return len(paths) > 1 and len(own) == 1 and own == {results.names[0]}


def _ask(results: Any, sides: Sides, arguments: Namespace, options: Mapping[str, Any]) -> Any:
    from skstat import compare_scores

    report = compare_scores(
        results,
        score=list(results.metrics),
        systems=sides.systems,
        random_state=arguments.seed,
        **options,
    )
    return changed(report, _in_options)


def _in_options(evidence: Any) -> Any:
    """Let a report say by an option how the direction of its metric is turned."""
    if not evidence.direction_assumed:
        return evidence
    return replace(evidence, direction_assumed="--higher-is-better or --lower-is-better")
