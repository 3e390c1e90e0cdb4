"""The commands: they read files, compare, and return the report or the verdict of a gate."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stderr
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import skstat
from skstat._command_line.answer import Answer, CommandError, errors_in_options
from skstat._command_line.gate import Judgement, check_conditions, judge
from skstat._command_line.options import names_in
from skstat._command_line.outputs import check_outputs, in_form, write_files
from skstat._command_line.predictions import files_of_predictions, metric_names, predictions_of
from skstat._command_line.results import (
    files_of_results,
    one_of,
    options_of,
    results_of,
    split_named,
)

_FUNCTIONS = {"recommend": "recommend_test", "plan": "plan_comparison"}
# A gate multiplies its resamples by up to so much, and keeps so many numbers at most.
_MAX_FACTOR, _MAX_NUMBERS = 16, 1 << 28


class Question(NamedTuple):
    """A call of a function of skstat.

    Attributes
    ----------
    function : callable
        `compare_scores` or `compare_predictions`.
    options : mapping of str to object
        Its arguments, without seed and number of resamples.
    systems : sequence of str
        All systems. The report is about the first of every pair.
    baseline : str
        The system that a gate compares the others with.
    note : str
        How rows were paired, for the report.
    """

    function: Callable[..., Any]
    options: Mapping[str, Any]
    systems: Sequence[str]
    baseline: str
    note: str


def compare(arguments: Namespace) -> Answer:
    """Read the files, compare, judge the conditions, and write the outputs.

    The number of resamples is doubled while a check depends on the draws. A resample may keep
    numbers of all pairs of systems, so that there are fewer doublings with many systems.
    """
    from skstat.stats._chance import DEFAULT_RESAMPLES

    predicted = _check_kind(arguments)
    conditions = list(dict.fromkeys(arguments.fail_if or ()))
    to_show = check_conditions(conditions, vars(arguments))
    if not 0.5 < arguments.probability < 1:
        raise CommandError(
            f"--probability {arguments.probability:g} must be between 0.5 and 1, such as 0.95."
        )
    files = files_of_predictions if predicted else files_of_results
    check_outputs(arguments, files(arguments), gated=bool(conditions))
    with errors_in_options():
        question = (_of_predictions if predicted else _of_results)(arguments)
        n, times, rules = arguments.n_resamples, 1, (arguments.undecided, arguments.probability)
        while True:
            report = _ask(question, n, arguments, to_show)
            if not conditions:
                return _answer(report, arguments)
            judgement = judge(report, conditions, question.baseline, *rules)
            n, times = 2 * ((DEFAULT_RESAMPLES if n is None else n) + 1) - 1, 2 * times
            too_many = n * len(question.systems) ** 2 > _MAX_NUMBERS or times > _MAX_FACTOR
            if too_many or not judgement.by_draws:
                return _answer(report, arguments, judgement)


def ask(arguments: Namespace) -> Answer:
    """Call a function with the given options."""
    options = {name: value for name, value in vars(arguments).items() if value is not None}
    form, function = options.pop("format"), getattr(skstat, _FUNCTIONS[options.pop("command")])
    del options["run"]
    with errors_in_options():
        return Answer(in_form(function(**options), None, form))


def explain(arguments: Namespace) -> Answer:
    """Explain the named doubts, or list all codes."""
    from skstat.report._doubts import explained

    with errors_in_options():
        texts = [explained(code) for code in arguments.code]
    return Answer("\n\n\n".join(texts) if texts else explained())


def metrics(_: Namespace) -> Answer:
    """Return the names of metrics, one per line."""
    return Answer("\n".join(metric_names()))


def rank(arguments: Namespace) -> Answer:
    """Read the files, rank the systems, and write the outputs."""
    if not arguments.results:
        raise _nothing_named(arguments, "(skstat rank a.csv b.csv)")
    check_outputs(arguments, files_of_results(arguments), gated=False)
    results, *_ = results_of(arguments, "a ranking")
    options = options_of(
        arguments,
        *("unit", "n_train", "n_test", "group", "task", "by"),
        *("adjustment", "confidence_level", "n_resamples"),
    )
    with errors_in_options():
        report = skstat.rank_systems(results, random_state=arguments.seed, **options)
        return _answer(report, arguments)


def _answer(report: Any, arguments: Namespace, judgement: Judgement | None = None) -> Answer:
    """Write the output files, and return what is printed."""
    write_files(report, judgement, arguments)
    text = "" if arguments.quiet else in_form(report, judgement, arguments.format)
    if judgement is None:
        return Answer(text)
    return Answer(text, judgement.status, "" if arguments.quiet else judgement.line)


def _ask(question: Question, n: int | None, arguments: Namespace, to_show: str) -> Any:
    """Call the function, and return its report with notes of the command line.

    They are how rows were paired, what the gate is to show (for the advice on more data), and
    the option for the direction of a metric.
    """
    from skstat.report._report import report_of

    draws = {} if n is None else {"n_resamples": n}
    with redirect_stderr(StringIO()) if arguments.quiet else nullcontext():  # no progress
        report = question.function(random_state=arguments.seed, **question.options, **draws)

    def note(evidence: Any) -> Any:
        if isinstance(evidence, Mapping):
            return {metric: note(part) for metric, part in evidence.items()}
        if hasattr(evidence, "overall"):
            pairs = [
                replace(pair, parts={name: note(part) for name, part in pair.parts.items()})
                for pair in evidence.pairs
            ]
            return replace(evidence, overall=note(evidence.overall), pairs=tuple(pairs))
        design = evidence.design | ({"to_show": to_show} if to_show else {})
        if question.note:
            design["notes"] = [*design.get("notes", ()), question.note]
        option = "--higher-is-better or --lower-is-better" if evidence.direction_assumed else ""
        return replace(evidence, design=design, direction_assumed=option)

    return report_of(note(report.evidence))


def _check_kind(arguments: Namespace) -> bool:
    """Return whether predictions are compared; refuse options that are for results, or back."""
    has_predictions = arguments.predictions is not None or arguments.y_true is not None
    if not (has_predictions or arguments.results):
        how = "(skstat compare baseline.csv candidate.csv), or --y-true and --predictions"
        raise _nothing_named(arguments, how)
    if has_predictions and arguments.results:
        raise CommandError(
            f"{arguments.results[0]} is not an option: results are compared as they are, "
            "without --y-true and --predictions. Name the one or the other."
        )
    needed = ("y_true", "predictions", "metric")
    if has_predictions and None in map(vars(arguments).get, needed):
        missing = ["--" + n.replace("_", "-") for n in needed if getattr(arguments, n) is None]
        raise CommandError(
            f"the following arguments are required: {', '.join(missing)} (see skstat compare "
            "--help)"
        )
    excluded = ["columns", "repeated"] if has_predictions else ["rows"]
    beside = "files with results" if has_predictions else "--y-true and --predictions"
    for name in options_of(arguments, *names_in(*excluded)):
        flag = name.replace("_", "-")
        raise CommandError(f"--{flag} is an option beside {beside} only.")
    return has_predictions


def _nothing_named(arguments: Namespace, how: str) -> CommandError:
    """Return the error that no files are named, or that an option took them."""
    for name, words in vars(arguments).items():
        for word in words if isinstance(words, list) else []:
            if Path(split_named(word)[1]).exists():
                return CommandError(
                    f"--{name.replace('_', '-')} takes what follows it, so also {word}: name "
                    "the files before the options."
                )
    return CommandError(
        f"there is nothing to {arguments.command}: name files with results {how}."
    )


def _of_results(arguments: Namespace) -> Question:
    """Read results, and return the call that compares their systems."""
    results, ordered, named = results_of(arguments, "a gate" if arguments.fail_if else "")
    names = list(dict.fromkeys(arguments.systems or results.names))
    systems, control, baseline = _sides(names, arguments, ordered=ordered)
    options = options_of(
        arguments,
        *("unit", "n_train", "n_test", "group", "aggregate", "by"),
        *("test", "adjustment", "alternative", "confidence_level"),
    )
    options |= _sizes(arguments, named)
    options |= {"scores": results, "score": list(results.metrics), "systems": systems}
    note = "paired by item" if len(arguments.results) > 1 else ""
    return Question(
        skstat.compare_scores, options | {"control": control}, systems, baseline, note
    )


def _of_predictions(arguments: Namespace) -> Question:
    """Read truth and predictions, and return the call that compares the systems."""
    data, note = predictions_of(arguments)
    systems, control, baseline = _sides(list(data["predictions"]), arguments, ordered=True)
    names = ("test", "adjustment", "alternative", "confidence_level", "interval", "horizon")
    options = options_of(arguments, *names, "n_jobs")
    options |= _sizes(arguments, str) | data
    options["predictions"] = {name: data["predictions"][name] for name in systems}
    options |= {"control": control} if control is not None else {}
    return Question(skstat.compare_predictions, options, systems, baseline, note)


def _sizes(arguments: Namespace, metric_named: Callable[[str], str]) -> dict[str, Any]:
    """Return the given options of margin and rope: one number, or numbers by metric."""
    options: dict[str, Any] = {}
    for option, texts in options_of(arguments, "margin", "rope").items():
        sizes: dict[str, float] = {}
        for text in texts:
            metric, equals, size = text.rpartition("=")
            if not metric and (equals or len(texts) > 1):
                raise CommandError(
                    f"--{option} takes one number, or METRIC=SIZE; got {text!r}."
                )
            if metric in sizes:
                raise CommandError(f"--{option} names {metric!r} twice.")
            try:
                sizes[metric] = float(size)
            except ValueError:
                raise CommandError(f"--{option} {size} is not a number.") from None
        by_metric = {metric_named(of): size for of, size in sizes.items() if of}
        options[option] = by_metric or sizes[""]
    return options


def _sides(
    names: list[str], arguments: Namespace, *, ordered: bool
) -> tuple[list[str], str | None, str]:
    """Return the systems with the baseline last, since the verdict is about the candidate.

    Without a gate and without named roles, systems are compared in their order, as Python's
    functions do.

    Parameters
    ----------
    names : list of str
        The systems.
    arguments : Namespace
        The options.
    ordered : bool
        Whether the user chose their order, with the baseline first, as in ``diff old new``. The
        order of rows of a table has no such meaning.

    Returns
    -------
    systems : list of str
        All systems, in the order in which they are compared.
    control : str or None
        The argument ``control`` of the function.
    baseline : str
        The system that a gate compares the others with.
    """
    roles = options_of(arguments, "candidate", "baseline")
    for role, name in roles.items():
        one_of(names, name, f"--{role}")
    candidate, baseline = roles.get("candidate"), roles.get("baseline")
    if candidate is not None:
        others = [name for name in names if name != candidate]
        if candidate == baseline:
            raise CommandError(f"{candidate} cannot be both candidate and baseline.")
        if baseline is None and len(others) > 1:
            choices = ", ".join(others)
            raise CommandError(f"--candidate {candidate} needs a --baseline: one of {choices}.")
        baseline = baseline or others[0]
        return [candidate, baseline], None, baseline
    if baseline is None and not arguments.fail_if:
        return names, None, names[0]
    if baseline is None and not ordered:
        raise CommandError(
            f"which of {', '.join(names)} is the baseline? Their order in the file says "
            f"nothing: name it, as in --baseline {names[0]}."
        )
    control = baseline is not None or len(names) > 2
    baseline = baseline or names[0]
    candidates = [*names]
    candidates.remove(baseline)
    return [*candidates, baseline], baseline if control else None, baseline
