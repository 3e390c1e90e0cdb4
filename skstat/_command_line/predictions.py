"""Files of predictions, and what `skstat.compare_predictions` takes of them."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skstat._command_line.answer import CommandError
from skstat._command_line.columns import Column, matrix, paired_columns, split_source
from skstat._command_line.questions import metric_names
from skstat._command_line.results import directions_said, given, one_of

_ROLES = ("groups", "strata", "order", "sample_weight")
# True and false, which every program writes in its own way: True, true, TRUE, 1.
_BOOLEANS = {"true": "1", "false": "0"}
Columns = list[Column]


def files_of_predictions(arguments: Namespace) -> list[str]:
    """Return the files that are read; standard input is not one."""
    return [split_source(source)[0] for source in _sources(arguments).values() if source != "-"]


def _sources(arguments: Namespace) -> dict[str, str]:
    """Return what is read, by option; the truth first."""
    found = {"--y-true": arguments.y_true}
    for pair in arguments.predictions:
        name, equals, source = pair.partition("=")
        if not (name and equals and source):
            raise CommandError(f"--predictions takes NAME=FILE, got {pair!r}.")
        if f"--predictions {name}" in found:
            raise CommandError(f"--predictions names {name!r} twice.")
        found[f"--predictions {name}"] = source
    if len(found) < 3:
        one = arguments.predictions[0]
        raise CommandError(
            f"--predictions names one system ({one}); at least two are compared."
        )
    roles = given(arguments, *_ROLES)
    found |= {f"--{role.replace('_', '-')}": source for role, source in roles.items()}
    return found | {f"--by {source}": source for source in arguments.by or ()}


def predictions_of(arguments: Namespace) -> tuple[dict[str, Any], str]:
    """Return what the function is asked about data and metrics, and how rows are paired."""
    sources, metrics = _sources(arguments), list(dict.fromkeys(arguments.metric))
    _check_metrics(metrics)
    columns, paired = paired_columns(sources, arguments.id)
    truth = columns.pop("--y-true")
    for column in truth:
        column.check_filled()
    for option, (column, *more) in columns.items():
        if len(column.texts) != len(truth[0].texts):
            raise CommandError(
                f"{option}: {column.source} has {column.size}, but --y-true "
                f"{truth[0].source} has {truth[0].size}; every row of the test set needs one."
            )
        if more and not option.startswith("--predictions "):
            option = option.partition(" ")[0]
            raise CommandError(f"{option} takes one column, got {1 + len(more)}.")
    predictions = {
        option.removeprefix("--predictions "): found
        for option, found in columns.items()
        if option.startswith("--predictions ")
    }
    truth, predictions, words = _one_spelling(truth, predictions)
    y_true, as_text = _typed(truth, [own[0] for own in predictions.values() if len(own) == 1])
    data = {
        "y_true": y_true,
        "predictions": {
            name: matrix(own)
            if len(own) > 1
            else own[0].strings
            if as_text or own[0].values is None
            else own[0].values
            for name, own in predictions.items()
        },
    }
    for role in given(arguments, *_ROLES):
        data[role] = _for_role(role, columns[f"--{role.replace('_', '-')}"][0])
    if arguments.by is not None:
        parts = {source: split_source(source) for source in arguments.by}
        data["by"] = {
            column or Path(path).stem: columns[f"--by {source}"][0].strings
            for source, (path, column) in parts.items()
        }

    def label(text: str, option: str) -> Any:
        text = words.get(text.lower(), text)
        if y_true.dtype == object:
            return text
        value = Column("", [text.strip()]).values
        if value is None:
            raise CommandError(
                f"{option} {text} is not a number, and the labels of --y-true are."
            )
        return value[0].item()

    if arguments.labels is not None:
        data["labels"] = [label(text, "--labels") for text in arguments.labels]
    if arguments.pos_label is not None:
        data["pos_label"] = label(arguments.pos_label, "--pos-label")

    said = directions_said(arguments, metrics, partial(one_of, metrics))
    data |= {"metric": metrics if len(metrics) > 1 else metrics[0]}
    return data | ({"higher_is_better": said} if said else {}), paired


def _for_role(role: str, column: Column) -> Any:
    if role == "sample_weight":
        return column.required_values()
    column.check_filled()
    if role == "order" and column.values is not None:
        return column.values
    return column.strings


def _typed(truth: Columns, vectors: Columns) -> tuple[Any, bool]:
    """Return the truth, and whether predictions are text, so that equal labels stay equal."""
    if len(truth) > 1:
        return matrix(truth), False
    labels, names = truth[0], set(truth[0].texts)
    if labels.values is None:
        # Numbers may be scores of classes that have names, or some of the names.
        return labels.strings, any(not names.isdisjoint(column.texts) for column in vectors)
    odd = [column for column in vectors if column.values is None]
    for column in odd:
        # A label that the truth does not know, such as "unknown", or no label at all?
        if labels.values.dtype.kind == "f" or names.isdisjoint(column.texts):
            column.required_values()
    return (labels.strings, True) if odd else (labels.values, False)


def _one_spelling(
    truth: Columns, predictions: dict[str, Columns]
) -> tuple[Columns, dict[str, Columns], Mapping[str, str]]:
    """Write true and false as 1 and 0, so that equal labels stay equal, if the truth is these.

    The last thing that is returned says how words, in small letters, are written now.
    """
    if len(truth) > 1 or not {text.lower() for text in truth[0].texts} <= set(_BOOLEANS):
        return truth, predictions, {}

    def respelled(column: Column) -> Column:
        texts = [_BOOLEANS.get(text.lower(), text) for text in column.texts]
        return replace(column, texts=texts)

    found = {}
    for name, columns in predictions.items():
        column = respelled(columns[0])
        if len(columns) == 1 and column.values is None and not {"0", "1"} & set(column.texts):
            odd = next(filter(None, column.texts), "")
            raise CommandError(
                f"--predictions {name}: {column.at(odd)} is {odd!r}, and --y-true "
                f"{truth[0].source} holds true and false: write both in the same words."
            )
        found[name] = [column] if len(columns) == 1 else columns
    return [respelled(truth[0])], found, _BOOLEANS


def _check_metrics(asked: Sequence[str]) -> None:
    """Refuse unknown names, before any file is read."""
    from skstat.metrics import as_metric

    for name in asked:
        try:
            as_metric(name)
        except ValueError:
            one_of(metric_names(), name, instead="`skstat metrics` lists the names.")
            raise
