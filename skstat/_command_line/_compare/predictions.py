"""Files of predictions in, `skstat.compare_predictions`, report out."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from skstat._command_line._compare.booleans import one_spelling
from skstat._command_line._compare.margins import sizes_of
from skstat._command_line._compare.notes import with_note
from skstat._command_line._compare.sides import Ask, Sides, sides_of
from skstat._command_line._errors import CommandError
from skstat._command_line._files import (
    Column,
    Sources,
    directions_said,
    matrix,
    pair_rows,
    single_value,
    split_source,
)
from skstat._command_line._metrics import check_metrics

# Passed on as they are, if given: the defaults are those of the function.
_OPTIONS = (
    "test",
    "adjustment",
    "alternative",
    "confidence_level",
    "interval",
    "horizon",
    "n_jobs",
)
_ROLES = ("groups", "strata", "order", "sample_weight")


def files_of_predictions(arguments: Namespace) -> list[str]:
    """Return the files that are read; standard input is not one."""
    sources = [
        arguments.y_true,
        *_named(arguments.predictions).values(),
        *(getattr(arguments, role) for role in _ROLES),
        *(arguments.by or ()),
    ]
    return [split_source(source)[0] for source in sources if source not in (None, "-")]


def compare_by_predictions(arguments: Namespace) -> tuple[Ask, Sides]:
    """Read truth and predictions; return what compares them by so many resamples."""
    systems = _named(arguments.predictions)
    check_metrics(arguments.metric)
    data, paired = _data(arguments, systems)
    sides = sides_of(list(systems), arguments, ordered=True)
    predictions = data.pop("predictions")
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    options |= {"control": sides.control, "margin": sizes_of(arguments.margin)}
    options["rope"] = sizes_of(arguments.rope, "--rope")
    said = directions_said(arguments, arguments.metric, _metric_named(arguments.metric))
    options["higher_is_better"] = said or None
    from skstat import compare_predictions

    def ask(n_resamples: int | None) -> Any:
        asked = options | {"n_resamples": n_resamples}
        report = compare_predictions(
            predictions={name: predictions[name] for name in sides.systems},
            metric=_one_or_many(arguments.metric),
            random_state=arguments.seed,
            verbose=False if arguments.quiet else "auto",
            **data,
            **{name: value for name, value in asked.items() if value is not None},
        )
        return with_note(report, paired)

    return ask, sides


def _metric_named(metrics: Sequence[str]) -> Callable[[str], str]:
    def named(word: str) -> str:
        if word not in metrics:
            raise CommandError(f"{word} is not among the metrics {', '.join(metrics)}.")
        return word

    return named


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


def _data(arguments: Namespace, systems: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    """Arguments of `compare_predictions` that come from files, and how rows were paired."""
    sources = Sources()
    roles = {
        role: getattr(arguments, role)
        for role in _ROLES
        if getattr(arguments, role) is not None
    }
    given = {"--y-true": arguments.y_true}
    given |= {f"--predictions {name}": source for name, source in systems.items()}
    given |= {"--" + role.replace("_", "-"): source for role, source in roles.items()}
    given |= {f"--by {source}": source for source in arguments.by or ()}
    pairing = pair_rows(sources, given, arguments.id)
    columns = {
        option: pairing.of(sources.columns(source), sources.path_of(source))
        for option, source in given.items()
    }
    truth = columns.pop("--y-true")
    for column in truth:
        column.check_filled()
    for option, (first, *_) in columns.items():
        _check_length(first, truth[0], option)
    predictions = {name: columns[f"--predictions {name}"] for name in systems}
    truth, predictions, booleans = one_spelling(truth, predictions)
    y_true, outputs = _typed(truth, predictions)
    data: dict[str, Any] = {"y_true": y_true, "predictions": outputs}
    for role in roles:
        option = "--" + role.replace("_", "-")
        data[role] = _for_role(role, _only(columns[option], option))
    if arguments.by is not None:
        data["by"] = {
            _name_of(source): _only(columns[f"--by {source}"], "--by").strings
            for source in arguments.by
        }
    numeric = y_true.dtype != object
    if arguments.labels is not None:
        data["labels"] = [
            _label(booleans.get(text.lower(), text), numeric, "--labels")
            for text in arguments.labels
        ]
    if arguments.pos_label is not None:
        positive = booleans.get(arguments.pos_label.lower(), arguments.pos_label)
        data["pos_label"] = _label(positive, numeric, "--pos-label")
    return data, pairing.words


def _name_of(source: str) -> str:
    """Name a column of slices as its table does, and a text file by its own name."""
    path, column = split_source(source)
    return column or Path(path).stem


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


def _one_or_many(names: list[str]) -> Any:
    several = list(dict.fromkeys(names))
    return several if len(several) > 1 else several[0]
