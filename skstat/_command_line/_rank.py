"""``skstat rank``: results in, `skstat.rank_systems`, a leaderboard out."""

from argparse import Namespace
from functools import partial

from skstat._command_line._answer import Answer
from skstat._command_line._errors import CommandError, errors_in_options
from skstat._command_line._files import (
    check_directions,
    check_slice_columns,
    directions_said,
    files_of_results,
    in_directions,
    read_files,
    refuse_swallowed_files,
    score_named,
    take_metrics,
    take_systems,
)
from skstat._command_line._outputs import check_outputs, in_form, write_files

# Passed on as they are, if given: the defaults are those of the function.
_OPTIONS = (
    "unit",
    "n_train",
    "n_test",
    "group",
    "task",
    "by",
    "adjustment",
    "confidence_level",
    "n_resamples",
)


def rank(arguments: Namespace) -> Answer:
    """Read the files, rank, and write what was asked for."""
    if not arguments.results:
        refuse_swallowed_files(arguments)
        raise CommandError(
            "there is nothing to rank: name files with results (skstat rank a.csv b.csv)."
        )
    check_outputs(arguments, files_of_results(arguments), gated=False)
    columns = (arguments.task, arguments.group, *(arguments.by or ()))
    results = take_metrics(read_files(arguments, *columns), arguments.metric)
    check_slice_columns(results, arguments.by)
    results = take_systems(results, arguments.systems)
    if len(results.names) < 2:
        raise CommandError(
            f"the results are of one system ({results.names[0]}); at least two are ranked. "
            "Name one more file, or the columns that are systems by --systems."
        )
    said = directions_said(arguments, results.metrics, partial(score_named, results=results))
    results = in_directions(results, said)
    check_directions(results, "a ranking")
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    from skstat import rank_systems

    with errors_in_options():
        report = rank_systems(
            results,
            random_state=arguments.seed,
            **{name: value for name, value in options.items() if value is not None},
        )
        write_files(report, None, arguments)
        return Answer("" if arguments.quiet else in_form(report, None, arguments.form))
