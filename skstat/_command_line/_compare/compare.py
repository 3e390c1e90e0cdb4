"""From the arguments to the answer."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from skstat._command_line._answer import Answer
from skstat._command_line._compare.notes import with_aim
from skstat._command_line._compare.predictions import (
    compare_by_predictions,
    files_of_predictions,
)
from skstat._command_line._compare.results import compare_by_results
from skstat._command_line._compare.sides import Ask, Sides
from skstat._command_line._errors import CommandError, errors_in_options
from skstat._command_line._files import files_of_results, refuse_swallowed_files
from skstat._command_line._gate import Condition, Judgement, condition_named, judge
from skstat._command_line._outputs import check_outputs, in_form, write_files

# How many times as many resamples a gate draws at most, and how many numbers they may keep.
_MOST_TIMES, _MOST_NUMBERS = 16, 1 << 28


def compare(arguments: Namespace) -> Answer:
    """Read the files, compare, judge, and write what was asked for."""
    predicted = _check_kind(arguments)
    conditions = _conditions(arguments)
    files = files_of_predictions if predicted else files_of_results
    by_files = compare_by_predictions if predicted else compare_by_results
    check_outputs(arguments, files(arguments), gated=bool(conditions))
    with errors_in_options():
        compare_by, sides = by_files(arguments)
        if conditions:
            report, found = _judged(compare_by, sides, conditions, arguments)
        else:
            report, found = compare_by(arguments.n_resamples), None
        write_files(report, found, arguments)
        text = "" if arguments.quiet else in_form(report, found, arguments.form)
    if found is None:
        return Answer(text)
    return Answer(text, found.status, "" if arguments.quiet else found.line)


def _judged(
    ask: Ask, sides: Sides, conditions: Sequence[Condition], arguments: Namespace
) -> tuple[Any, Judgement]:
    """Compare and judge, by ever more resamples while a check depends on which are drawn.

    What a resample keeps may be as large as all pairs of systems, so that of many systems
    fewer are drawn.
    """
    n, times = arguments.n_resamples, 1
    while True:
        report = with_aim(ask(n), {condition.to_show for condition in conditions})
        found = judge(
            report, conditions, sides.baseline, arguments.undecided, arguments.probability
        )
        from skstat.stats._resampling import DEFAULT_RESAMPLES

        n, times = 2 * ((DEFAULT_RESAMPLES if n is None else n) + 1) - 1, 2 * times
        too_many = n * len(sides.systems) ** 2 > _MOST_NUMBERS
        if not found.by_draws or times > _MOST_TIMES or too_many:
            return report, found


def _check_kind(arguments: Namespace) -> bool:
    """Tell predictions from results; refuse options of the one beside the other."""
    predicted = arguments.predictions is not None or arguments.y_true is not None
    if not (predicted or arguments.results):
        refuse_swallowed_files(arguments)
        raise CommandError(
            "there is nothing to compare: name files with results (skstat compare "
            "baseline.csv candidate.csv), or --y-true and --predictions."
        )
    if predicted and arguments.results:
        raise CommandError(
            f"{arguments.results[0]} is not an option: results are compared as they are, "
            "without --y-true and --predictions. Name the one or the other."
        )
    if predicted:
        needed = {"--y-true": arguments.y_true, "--predictions": arguments.predictions}
        needed["--metric"] = arguments.metric
        missing = [flag for flag, value in needed.items() if value is None]
        if missing:
            raise CommandError(
                f"the following arguments are required: {', '.join(missing)} (see skstat "
                "compare --help)"
            )
    other = arguments.of_results if predicted else arguments.of_predictions
    for name, flag in other.items():
        if getattr(arguments, name) is not None:
            beside = "files with results" if predicted else "--y-true and --predictions"
            raise CommandError(f"{flag} is an option beside {beside} only.")
    return predicted


def _conditions(arguments: Namespace) -> Sequence[Condition]:
    found = [condition_named(name) for name in dict.fromkeys(arguments.fail_if or ())]
    for condition in found:
        condition.check_possible(
            arguments.alternative,
            arguments.margin is not None,
            arguments.by is not None,
            arguments.rope is not None,
        )
    if not 0.5 < arguments.probability < 1:
        raise CommandError(
            f"--probability {arguments.probability:g} must be between 0.5 and 1, such as 0.95."
        )
    return found
