"""Results that exist, and `skstat.compare_scores`."""

from argparse import Namespace
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from skstat._command_line._compare.margins import margin_of
from skstat._command_line._compare.sides import Sides, sides_of
from skstat._command_line._errors import CommandError
from skstat._command_line._files import read_files, split_named

# Passed on as they are, if given: the defaults are those of the function.
_OPTIONS = ("test", "adjustment", "alternative", "confidence_level", "alpha")


def files_of_results(arguments: Namespace) -> list[str]:
    """Return the files and folders that are read."""
    return [split_named(text)[1] for text in arguments.results]


def compare_by_results(arguments: Namespace) -> tuple[Any, Sides]:
    """Read the results and compare their systems."""
    results = _selected(read_files(arguments), arguments)
    if len(results.names) < 2:
        raise CommandError(
            f"the results are of one system ({results.names[0]}); at least two are compared. "
            "Name one more file."
        )
    sides = _sides(results, arguments)
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    margin = margin_of(arguments.margin)
    if isinstance(margin, dict):
        margin = {_score_named(name, results): size for name, size in margin.items()}
    options |= {"control": sides.control, "margin": margin}
    given = {name: value for name, value in options.items() if value is not None}
    return _ask(results, sides, arguments, given), sides


def refuse_swallowed_files(arguments: Namespace) -> None:
    """Say so where files stand behind an option that takes several words."""
    for flag, words in (("--metric", arguments.metric), ("--allow", arguments.allow)):
        files = [word for word in words or () if Path(split_named(word)[1]).exists()]
        if files:
            raise CommandError(
                f"{flag} takes what follows it, so also {files[0]}: name the files before the "
                "options."
            )


def _selected(results: Any, arguments: Namespace) -> Any:
    """Leave the metrics that were asked for; a gate needs to know which they are."""
    known = results.metrics
    if arguments.metric is None:
        if arguments.fail_if and len(known) > 1:
            raise CommandError(
                f"--fail-if needs --metric: the results have {', '.join(known)}. Name those "
                "that decide."
            )
        return results
    asked = [_score_named(name, results) for name in arguments.metric]
    return results.take(metrics=list(dict.fromkeys(asked)))


def _score_named(name: str, results: Any) -> str:
    """Return the score that a metric is, by its own name or that of its mean in the logs."""
    known = results.metrics
    if name in known:
        return name
    means = {score for source in results.sources for score in source.means.get(name, ())}
    found = [score for score in known if score in means]
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(
            f"--metric {name} is the mean of several scores: name {' or '.join(found)}."
        )
    meant = " or ".join(get_close_matches(name, known))
    meant = f"did you mean {meant}? " if meant else ""
    raise CommandError(
        f"--metric {name} is unknown; {meant}The results have {', '.join(known)}."
    )


def _sides(results: Any, arguments: Namespace) -> Sides:
    control = arguments.control
    if control is not None and control not in results.names:
        raise CommandError(
            f"--control {control} is not a system; there are {', '.join(results.names)}."
        )
    if arguments.group is not None and arguments.group not in results.columns:
        have = ", ".join(results.columns) or "no column that groups them"
        raise CommandError(
            f"--group {arguments.group} is not a column of the results; they have {have}."
        )
    return sides_of(results.names, arguments)


def _ask(results: Any, sides: Sides, arguments: Namespace, options: Mapping[str, Any]) -> Any:
    from skstat import compare_scores
    from skstat._command_line._compare.bridge import tables_of
    from skstat.report import MetricsReport

    reports: dict[str, Any] = {}
    margins = options.get("margin")
    for metric, table in tables_of(results, sides.systems, arguments.group).items():
        own = dict(options)
        if isinstance(margins, dict):
            own["margin"] = margins.get(metric)
        reports[metric] = compare_scores(
            table, scoring=metric, random_state=arguments.seed, **own
        )
    if len(reports) == 1:
        return next(iter(reports.values()))
    return MetricsReport(reports=reports)
