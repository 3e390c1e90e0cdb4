"""``skstat compare``: files in, `skstat.compare_predictions`, report out."""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skstat._command_line._columns import Column, matrix, single_value
from skstat._command_line._errors import CommandError
from skstat._command_line._metrics import check_metrics
from skstat._command_line._sources import Sources, split_source

_PICTURES = (".png", ".svg", ".pdf")
# Passed on as they are, if given: the defaults are those of the function.
_OPTIONS = (
    "test",
    "control",
    "adjustment",
    "alternative",
    "confidence_level",
    "alpha",
    "interval",
    "horizon",
    "n_resamples",
    "n_jobs",
)
_ROLES = ("groups", "strata", "order", "sample_weight")


def compare(arguments: Namespace) -> None:
    """Read the files, compare, and write what was asked for."""
    systems = _named(arguments.predictions)
    _check_outputs(arguments, systems)
    check_metrics(arguments.metric)
    data = _data(arguments, systems)
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    if arguments.margin is not None:
        options["margin"] = _margin(arguments.margin)
    from skstat import compare_predictions

    with _errors_in_words():
        report = compare_predictions(
            data.pop("y_true"),
            data.pop("predictions"),
            metric=_one_or_many(arguments.metric),
            random_state=arguments.seed,
            verbose=False if arguments.quiet else "auto",
            **data,
            **{name: value for name, value in options.items() if value is not None},
        )
        try:
            _write(report, arguments)
        except BrokenPipeError:
            raise
        except OSError as error:
            name = error.filename or "the report"
            raise CommandError(f"cannot write {name}: {error.strerror}.") from error


def _named(pairs: Sequence[str]) -> dict[str, str]:
    """Sources by the name of the system."""
    systems: dict[str, str] = {}
    for pair in pairs:
        name, equals, source = pair.partition("=")
        if not (name and equals and source):
            raise CommandError(f"--predictions takes NAME=FILE, got {pair!r}.")
        if name in systems:
            raise CommandError(f"--predictions names {name!r} twice.")
        systems[name] = source
    if len(systems) < 2:
        raise CommandError(
            f"--predictions names one system ({pairs[0]}); at least two are compared."
        )
    return systems


def _data(arguments: Namespace, systems: Mapping[str, str]) -> dict[str, Any]:
    """Arguments of `compare_predictions` that come from files or are labels."""
    sources = Sources()
    truth = sources.columns(arguments.y_true)
    for column in truth:
        column.check_filled()
    predictions = {name: sources.columns(source) for name, source in systems.items()}
    for name, columns in predictions.items():
        _check_length(columns[0], truth[0], f"--predictions {name}")
    y_true, outputs = _typed(truth, predictions)
    data: dict[str, Any] = {"y_true": y_true, "predictions": outputs}
    for role in _ROLES:
        source = getattr(arguments, role)
        if source is not None:
            option = "--" + role.replace("_", "-")
            column = _only(sources.columns(source), option)
            _check_length(column, truth[0], option)
            data[role] = _for_role(role, column)
    numeric = y_true.dtype != object
    if arguments.labels is not None:
        data["labels"] = [_label(text, numeric, "--labels") for text in arguments.labels]
    if arguments.pos_label is not None:
        data["pos_label"] = _label(arguments.pos_label, numeric, "--pos-label")
    return data


def _only(columns: list[Column], option: str) -> Column:
    if len(columns) != 1:
        raise CommandError(f"{option} takes one column, got {len(columns)}.")
    return columns[0]


def _check_length(column: Column, truth: Column, option: str) -> None:
    if len(column) != len(truth):
        raise CommandError(
            f"{option}: {column.source} has {column.size}, but --y-true {truth.source} has "
            f"{truth.size}; every row of the test set needs one."
        )


def _for_role(role: str, column: Column) -> Any:
    if role == "sample_weight":
        return column.required_values()
    column.check_filled()
    if role == "order" and column.values is not None:
        return column.values
    return column.strings


def _typed(
    truth: list[Column], predictions: Mapping[str, list[Column]]
) -> tuple[Any, dict[str, Any]]:
    """Truth and predictions as numbers or as strings, so that equal labels stay equal."""
    vectors = [columns[0] for columns in predictions.values() if len(columns) == 1]
    if len(truth) > 1:
        y_true, as_text = matrix(truth), False
    elif truth[0].values is None:
        # Numbers may be scores of classes that have names, or some of the names.
        y_true, names = truth[0].strings, set(truth[0].texts)
        as_text = any(not names.isdisjoint(column.texts) for column in vectors)
    else:
        y_true, as_text = truth[0].values, False
        odd = [column for column in vectors if column.values is None]
        for column in odd:
            # A label that the truth does not know, such as "unknown", or no label at all?
            if y_true.dtype.kind == "f" or set(truth[0].texts).isdisjoint(column.texts):
                column.required_values()
        if odd:
            y_true, as_text = truth[0].strings, True
    return y_true, {
        name: _output(columns, as_text=as_text) for name, columns in predictions.items()
    }


def _output(columns: list[Column], *, as_text: bool) -> Any:
    if len(columns) > 1:
        return matrix(columns)
    if as_text or columns[0].values is None:
        return columns[0].strings
    return columns[0].values


def _label(text: str, numeric: bool, option: str) -> Any:
    if not numeric:
        return text
    value = single_value(text)
    if value is None:
        raise CommandError(f"{option} {text} is not a number, and the labels of --y-true are.")
    return value


def _margin(texts: list[str]) -> Any:
    """Return one number, or numbers by metric."""
    if len(texts) == 1 and "=" not in texts[0]:
        return _size(texts[0])
    margins: dict[str, float] = {}
    for text in texts:
        metric, equals, size = text.rpartition("=")
        if not (metric and equals):
            raise CommandError(f"--margin takes one number, or METRIC=SIZE; got {text!r}.")
        if metric in margins:
            raise CommandError(f"--margin names {metric!r} twice.")
        margins[metric] = _size(size)
    return margins


def _size(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CommandError(f"--margin {text} is not a number.") from None


def _one_or_many(names: list[str]) -> Any:
    several = list(dict.fromkeys(names))
    return several if len(several) > 1 else several[0]


@contextmanager
def _errors_in_words() -> Any:
    try:
        yield
    except (ValueError, TypeError, ImportError) as error:
        raise CommandError(str(error)) from error


def _check_outputs(arguments: Namespace, systems: Mapping[str, str]) -> None:
    """Find out before the work, not after it, that there is nowhere to write to."""
    if sys.stdout is None and not arguments.quiet:
        raise CommandError(
            "standard output is closed: nothing could be printed. Open it, or pass --quiet."
        )
    read = [arguments.y_true, *systems.values(), *(getattr(arguments, role) for role in _ROLES)]
    inputs = [split_source(source)[0] for source in read if source not in (None, "-")]
    written: list[str] = []
    for option in ("json", "html", "plot"):
        path = getattr(arguments, option)
        if path is None:
            continue
        if not path or "\0" in path:
            raise CommandError(f"--{option} {path!r} is not a file name.")
        if not Path(path).parent.is_dir():
            raise CommandError(f"cannot write {path}: there is no folder {Path(path).parent}.")
        for other in inputs:
            if _same_file(path, other):
                raise CommandError(
                    f"--{option} {path} is also read ({other}): it would be overwritten. Name "
                    "another file."
                )
        if any(_same_file(path, other) for other in written):
            raise CommandError(f"--{option} {path} is written twice; name another file.")
        written.append(path)
    if arguments.plot is None:
        return
    if Path(arguments.plot).suffix.lower() not in _PICTURES:
        raise CommandError(f"--plot {arguments.plot} must end in {', '.join(_PICTURES)}.")
    if find_spec("matplotlib") is None:
        raise CommandError("--plot needs matplotlib: pip install 'skstat[matplotlib]'.")


def _same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file; a device keeps nothing."""
    a, b = Path(first), Path(second)
    try:
        if a.exists() and b.exists():
            return a.samefile(b) and a.is_file()
        return a.resolve() == b.resolve()
    except (OSError, ValueError):  # the reader or the writer will say what is wrong
        return False


def _write(report: Any, arguments: Namespace) -> None:
    if arguments.json is not None:
        report.to_json(arguments.json)
    if arguments.html is not None:
        report.to_html(arguments.html)
    if arguments.plot is not None:
        from matplotlib import pyplot as plt

        figure = report.plot().figure_
        figure.savefig(arguments.plot, dpi=150)
        plt.close(figure)
    if not arguments.quiet:
        _print(_in_form(report, arguments.form))


def _in_form(report: Any, form: str) -> str:
    """Return what is printed; a terminal is told of an option, not of an attribute."""
    if form == "full":
        return str(report.details)
    if form == "text":
        from skstat.report._forms import render_text

        return render_text(report._contents(), more="the same with --full")
    return str(getattr(report, f"to_{form}")())


def _print(text: str) -> None:
    """Print; what the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
