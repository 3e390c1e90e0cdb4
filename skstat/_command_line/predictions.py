"""Files of predictions, and what `skstat.compare_predictions` takes of them."""

import inspect
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skstat._command_line.answer import CommandError
from skstat._command_line.columns import Column, matrix, paired_columns, split_source
from skstat._command_line.results import directions_said, given, one_of

# True and false, which every program writes in its own way: True, true, TRUE, 1.
_BOOLEANS = {"true": "1", "false": "0"}
# What a file is read for: an option, and which of several that it takes.
Use = tuple[str, str]
_TRUTH = ("--y-true", "")


def files_of_predictions(arguments: Namespace) -> list[str]:
    """Return the files that are read; standard input is not one."""
    return [split_source(source)[0] for source in _sources(arguments).values() if source != "-"]


def _sources(arguments: Namespace) -> dict[Use, str]:
    """Return what is read, and for what; the truth first."""
    found = {_TRUTH: arguments.y_true}
    for pair in arguments.predictions:
        name, _, source = pair.partition("=")
        if not (name and source):
            raise CommandError(f"--predictions takes NAME=FILE, got {pair!r}.")
        if ("--predictions", name) in found:
            raise CommandError(f"--predictions names {name!r} twice.")
        found["--predictions", name] = source
    if len(found) < 3:
        raise CommandError(
            f"--predictions names one system ({pair}); at least two are compared."
        )
    for role, source in given(arguments, "groups", "strata", "order", "sample_weight").items():
        found[f"--{role.replace('_', '-')}", ""] = source
    return found | {("--by", source): source for source in arguments.by or ()}


def predictions_of(arguments: Namespace) -> tuple[dict[str, Any], str]:
    """Return what the function is asked about data and metrics, and how rows are paired."""
    sources, metrics = _sources(arguments), list(dict.fromkeys(arguments.metric))
    _check_metrics(metrics)
    columns, paired = paired_columns(sources, arguments.id)
    truth = columns.pop(_TRUTH)
    for column in truth:
        column.check_filled()
    predictions: dict[str, list[Column]] = {}
    data: dict[str, Any] = {"y_true": None, "predictions": {}}
    for (option, name), own in columns.items():
        column = own[0]
        if len(column.texts) != len(truth[0].texts):
            raise CommandError(
                f"{option}{' ' * bool(name)}{name}: {column.source} has {column.size}, but "
                f"--y-true {truth[0].source} has {truth[0].size}; every row of the test set "
                "needs one."
            )
        if option == "--predictions":
            predictions[name] = own
            continue
        if len(own) > 1:
            raise CommandError(f"{option} takes one column, got {len(own)}.")
        if option == "--by":
            path, called = split_source(name)
            data.setdefault("by", {})[called or Path(path).stem] = column.strings
        elif option == "--sample-weight":
            data["sample_weight"] = column.required_values()
        else:
            column.check_filled()
            as_number = option == "--order" and column.values is not None
            data[option[2:]] = column.values if as_number else column.strings
    words = _one_spelling(truth, predictions)
    y_true, as_text = _typed(truth, [own[0] for own in predictions.values() if len(own) == 1])
    data["y_true"] = y_true
    for name, own in predictions.items():
        if len(own) > 1:
            data["predictions"][name] = matrix(own)
        else:
            values = None if as_text else own[0].values
            data["predictions"][name] = own[0].strings if values is None else values

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
    if said := directions_said(arguments, metrics, partial(one_of, metrics)):
        data["higher_is_better"] = said
    return data | {"metric": metrics if len(metrics) > 1 else metrics[0]}, paired


def _typed(truth: Sequence[Column], vectors: Sequence[Column]) -> tuple[Any, bool]:
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
    truth: list[Column], predictions: Mapping[str, list[Column]]
) -> Mapping[str, str]:
    """Write true and false as 1 and 0, so that equal labels stay equal, if the truth is these.

    Returned is how words, in small letters, are written now.
    """
    if len(truth) > 1 or not {text.lower() for text in truth[0].texts} <= set(_BOOLEANS):
        return {}
    for name, columns in {"": truth, **predictions}.items():
        if len(columns) > 1:
            continue
        texts = [_BOOLEANS.get(text.lower(), text) for text in columns[0].texts]
        columns[0] = column = replace(columns[0], texts=texts)
        if column.values is None and not {"0", "1"} & set(texts):
            odd = next(filter(None, texts), "")
            raise CommandError(
                f"--predictions {name}: {column.at(odd)} is {odd!r}, and --y-true "
                f"{truth[0].source} holds true and false: write both in the same words."
            )
    return _BOOLEANS


def _check_metrics(names: Sequence[str]) -> None:
    """Refuse unknown names, before any file is read."""
    from skstat.metrics import as_metric

    for name in names:
        try:
            as_metric(name)
        except ValueError:
            one_of(metric_names(), name, instead="`skstat metrics` lists the names.")
            raise


def metric_names() -> list[str]:
    """Return scikit-learn's scorers, and its functions of truth and prediction alone."""
    from sklearn import metrics

    names = set(metrics.get_scorer_names())
    for name in dir(metrics):
        if name.endswith(("_score", "_loss", "_error")):
            parameters = inspect.signature(getattr(metrics, name)).parameters
            needed = [key for key, value in parameters.items() if value.default is value.empty]
            if len(needed) == 2 and needed[0] == "y_true":
                names.add(name)
    return sorted(names)
