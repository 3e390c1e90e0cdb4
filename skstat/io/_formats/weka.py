"""Results of Weka's Experimenter: ARFF or CSV with columns called Key_Dataset and so on."""

import csv
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from skstat.io._formats.folds import results_of_folds
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.records import FILE_LIMIT
from skstat.io._formats.table_files import header_of, table_of
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_KEYS = ("Key_Dataset", "Key_Run", "Key_Scheme")
_FOLD = "Key_Fold"
_SIZES = {
    "n_train": "Number_of_training_instances",
    "n_test": "Number_of_testing_instances",
}
# Counts, bounds and texts are not scores.
_NO_SCORE = re.compile(r"Key_|Date_time|Number_|Num_|Size_|measure|Summary|.*_(min|max)$")
_ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\S+)\s", re.IGNORECASE)
_SHORT = re.compile(r"^.*\.(?=[^.]+$)")


def read_weka(given: Given, asked: Asked) -> Results:
    """Read what the Experimenter wrote: a row per data set, run, fold and scheme."""
    columns = _arff(given) if given.suffix == ".arff" else table_of(given.what).columns
    missing = [name for name in _KEYS if name not in columns]
    if missing:
        raise ResultsError(f"{given.path} has no column {missing[0]}.")
    scores = {}
    for name, cells in columns.items():
        if not _NO_SCORE.match(name):
            numbers = [_number(cell) for cell in cells]
            known = [value for value in numbers if value is not None]
            if len(known) == len(cells) and not all(map(math.isnan, known)):
                scores[name] = known
    if not scores:
        raise ResultsError(f"{given.path} has no column of scores, such as Percent_correct.")
    folds = columns.get(_FOLD)
    runs = [str(run) for run in columns["Key_Run"]]
    return results_of_folds(
        system=_schemes(columns, asked),
        dataset=[str(name) for name in columns["Key_Dataset"]],
        fold=runs
        if folds is None
        else [f"{run}.{fold}" for run, fold in zip(runs, folds, strict=True)],
        scores=scores,
        sizes=_sizes(columns),
        source=Source(system="", format=WEKA.name, path=str(given.what)),
    )


def _sizes(columns: Mapping[str, Sequence[Any]]) -> dict[str, list[int]]:
    found = {}
    for size, name in _SIZES.items():
        numbers = [_number(cell) for cell in columns.get(name, ())]
        whole = [int(value) for value in numbers if value is not None and value > 0]
        if not numbers or len(whole) < len(numbers):
            return {}
        found[size] = whole
    return found


def _schemes(columns: Mapping[str, Sequence[Any]], asked: Asked) -> list[str]:
    """Name a scheme by its class, and by its options where several have one class."""
    classes = [_SHORT.sub("", str(name)) for name in columns["Key_Scheme"]]
    options = [
        str(text).strip() for text in columns.get("Key_Scheme_options", [""] * len(classes))
    ]
    alike: dict[str, set[str]] = {}
    for name, option in zip(classes, options, strict=True):
        alike.setdefault(name, set()).add(option)
    found = [
        f"{name} {option}".strip() if len(alike[name]) > 1 else name
        for name, option in zip(classes, options, strict=True)
    ]
    if asked.system is None:
        return found
    if len(set(found)) > 1:
        raise ResultsError(
            f"the name {asked.system!r} is for one system, and the results have "
            f"{len(set(found))}: pass the file without a name."
        )
    return [asked.system] * len(found)


def _number(cell: Any) -> float | None:
    """Return a number, nan where there is none; None of anything else."""
    if cell in (None, "", "?", "NaN", "null"):
        return math.nan
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def _arff(given: Given) -> dict[str, list[str]]:
    """Read the attributes and rows of an ARFF file, whose texts are quoted singly."""
    path = given.path
    assert path is not None
    if path.stat().st_size > FILE_LIMIT:
        raise ResultsError(f"{path} is larger than {FILE_LIMIT:,} bytes.")
    names: list[str] = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip().lower() == "@data":
                break
            if found := _ATTRIBUTE.match(line.strip()):
                names.append(found[1].strip("'"))
        else:
            raise ResultsError(f"{path} has no @data.")
        lines = (line for line in file if line.strip() and not line.lstrip().startswith("%"))
        reader = csv.reader(lines, quotechar="'", escapechar="\\", skipinitialspace=True)
        rows = list(reader)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise ResultsError(
                f"{path}, row {number} has {len(row)} values for {len(names)} attributes."
            )
    if not rows:
        raise ResultsError(f"{path} holds no rows.")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _looks_like(given: Given) -> bool:
    if given.suffix == ".arff":
        return b"Key_Scheme" in given.head
    return set(_KEYS) <= set(header_of(given))


WEKA = Format(
    name="weka",
    of="results of Weka's Experimenter (ARFF, CSV)",
    recognises=_looks_like,
    read=read_weka,
    reads={
        "system": "The class in ``Key_Scheme``, with its options where they differ.",
        "item": "``Key_Dataset``. Runs and folds of a data set are averaged, and the data sets "
        "are the units; of a single data set they are splits, whose sizes are read.",
        "repeat": "``Key_Run`` and ``Key_Fold``.",
        "scores": "Columns of numbers; lower is better in those called error, incorrect, time.",
    },
)
