"""Reading of files with predictions into arguments of `skstat.compare_predictions`."""

import inspect
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from skstat._command_line.answer import CommandError
from skstat._command_line.columns import Column, matrix, paired_columns, split_source
from skstat._command_line.results import directions_of, one_of, options_of

# Spellings of true and false, in lower case.
_BOOLEANS = {"true": "1", "false": "0"}
# An option that names a file, and the name of the system or column, if there are several.
Use = tuple[str, str]
_TRUTH = ("--y-true", "")


def files_of_predictions(arguments: Namespace) -> list[str]:
    """Return the files that are read, without standard input."""
    return [split_source(source)[0] for source in _sources(arguments).values() if source != "-"]


def _sources(arguments: Namespace) -> dict[Use, str]:
    """Return the sources by their use; the truth comes first."""
    sources = {_TRUTH: arguments.y_true}
    for pair in arguments.predictions:
        name, _, source = pair.partition("=")
        if not (name and source):
            raise CommandError(f"--predictions takes NAME=FILE, got {pair!r}.")
        if ("--predictions", name) in sources:
            raise CommandError(f"--predictions names {name!r} twice.")
        sources["--predictions", name] = source
    if len(sources) < 3:
        raise CommandError(
            f"--predictions names one system ({pair}); at least two are compared."
        )
    rows = options_of(arguments, "groups", "strata", "order", "sample_weight")
    sources |= {(f"--{role.replace('_', '-')}", ""): source for role, source in rows.items()}
    return sources | {("--by", source): source for source in arguments.by or ()}


def predictions_of(arguments: Namespace) -> tuple[dict[str, Any], str]:
    """Return the arguments on data and metrics, and a note on how rows were paired."""
    sources, metrics = _sources(arguments), list(dict.fromkeys(arguments.metric))
    _check_metrics(metrics)
    columns, paired = paired_columns(sources, arguments.id)
    truth = columns.pop(_TRUTH)
    for column in truth:
        column.check_filled()
    predictions: dict[str, list[Column]] = {}
    data: dict[str, Any] = {"y_true": None, "predictions": {}}
    for (option, name), parts in columns.items():
        column = parts[0]
        if len(column.texts) != len(truth[0].texts):
            raise CommandError(
                f"{option}{' ' * bool(name)}{name}: {column.source} has {column.size}, but "
                f"--y-true {truth[0].source} has {truth[0].size}; every row of the test set "
                "needs one."
            )
        if option == "--predictions":
            predictions[name] = parts
            continue
        if len(parts) > 1:
            raise CommandError(f"{option} takes one column, got {len(parts)}.")
        if option == "--by":
            path, header = split_source(name)
            data.setdefault("by", {})[header or Path(path).stem] = column.strings
        elif option == "--sample-weight":
            data["sample_weight"] = column.required_values()
        else:
            column.check_filled()
            as_number = option == "--order" and column.values is not None
            data[option[2:]] = column.values if as_number else column.strings
    spelling = _one_spelling(truth, predictions)
    y_true, as_text = _typed(truth, [own[0] for own in predictions.values() if len(own) == 1])
    data["y_true"] = y_true
    for name, parts in predictions.items():
        if len(parts) > 1:
            data["predictions"][name] = matrix(parts)
        else:
            values = None if as_text else parts[0].values
            data["predictions"][name] = parts[0].strings if values is None else values

    def label(text: str, option: str) -> Any:
        text = spelling.get(text.lower(), text)
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
    if directions := directions_of(arguments, metrics, partial(one_of, metrics)):
        data["higher_is_better"] = directions
    return data | {"metric": metrics if len(metrics) > 1 else metrics[0]}, paired


def _typed(truth: Sequence[Column], vectors: Sequence[Column]) -> tuple[Any, bool]:
    """Return the truth, and whether predictions must stay text to match its labels."""
    if len(truth) > 1:
        return matrix(truth), False
    labels, names = truth[0], set(truth[0].texts)
    if labels.values is None:
        # Numbers may be scores for named classes, or some of the names.
        return labels.strings, any(not names.isdisjoint(column.texts) for column in vectors)
    texts = [column for column in vectors if column.values is None]
    for column in texts:
        # A text may be a label that the truth lacks, such as "unknown", or an error.
        if labels.values.dtype.kind == "f" or names.isdisjoint(column.texts):
            column.required_values()
    return (labels.strings, True) if texts else (labels.values, False)


def _one_spelling(
    truth: list[Column], predictions: Mapping[str, list[Column]]
) -> Mapping[str, str]:
    """Replace true and false by 1 and 0 in all columns, if the truth holds nothing else.

    Return the replacements, by words in lower case; empty if nothing was replaced.
    """
    if len(truth) > 1 or not {text.lower() for text in truth[0].texts} <= set(_BOOLEANS):
        return {}
    for name, columns in {"": truth, **predictions}.items():
        if len(columns) > 1:
            continue
        texts = [_BOOLEANS.get(text.lower(), text) for text in columns[0].texts]
        columns[0] = column = replace(columns[0], texts=texts)
        if column.values is None and not {"0", "1"} & set(texts):
            example = next(filter(None, texts), "")
            raise CommandError(
                f"--predictions {name}: {column.at(example)} is {example!r}, and --y-true "
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
    """Return names of scikit-learn's scorers, and of metrics that need truth and prediction."""
    from sklearn import metrics

    names = set(metrics.get_scorer_names())
    for name in dir(metrics):
        if name.endswith(("_score", "_loss", "_error")):
            parameters = inspect.signature(getattr(metrics, name)).parameters
            needed = [key for key, value in parameters.items() if value.default is value.empty]
            if len(needed) == 2 and needed[0] == "y_true":
                names.add(name)
    return sorted(names)
