"""Tables with a row per data set, fold and system: AutoML benchmark, TabArena, TabZilla."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from skstat._directions import direction_of
from skstat.io._formats.folds import by_metric, results_of_folds
from skstat.io._formats.format import Asked, Format, Given
from skstat.io._formats.table_files import Columns, Table, header_of, table_of
from skstat.io._join import ResultsError
from skstat.io._results import Results
from skstat.io._source import Source

_AMLB = frozenset({"task", "framework", "fold", "result", "metric"})
_TABARENA = frozenset({"dataset", "fold", "metric_error", "metric"})
_TABZILLA = frozenset({"dataset_fold_id", "alg_name"})
_TEST = "__test"
_FOLD = re.compile(r"(?:__)?fold_(\d+)$")
_YES = frozenset({"1", "true", "yes"})


def read_amlb(given: Given, asked: Asked) -> Results:
    """Read ``results.csv`` of the AutoML benchmark, in which failed runs have no result."""
    table = table_of(given.what)
    columns = table.columns
    results = _numbers(table, "result")
    metrics = [str(metric) for metric in columns["metric"]]
    # Older tables have errors as they are, newer ones negated ones: neg_logloss.
    failed = [math.isnan(value) for value in results]
    why = columns.get("info", [""] * len(results))
    return results_of_folds(
        system=_qualified(columns["framework"], columns.get("constraint"), asked),
        dataset=_words(columns["task"]),
        fold=_words(columns["fold"]),
        scores=by_metric(*_known(metrics, results)),
        columns={"type": columns["type"]} if "type" in columns else {},
        source=_source(AMLB, given, _failures(columns, "framework", "task", failed, why)),
    )


def read_tabarena(given: Given, asked: Asked) -> Results:
    """Read a table of errors by data set, fold and method; imputed ones are failed runs."""
    table = table_of(given.what)
    columns = table.columns
    names = _first(table, ("method", "framework", "model"))
    errors = _numbers(table, "metric_error")
    imputed = [str(cell).strip().lower() in _YES for cell in columns.get("imputed", ())]
    failed = [math.isnan(value) for value in errors]
    if imputed:
        failed = [bad or made for bad, made in zip(failed, imputed, strict=True)]
        errors = [math.nan if bad else e for bad, e in zip(failed, errors, strict=True)]
    # The table has errors of scores too: 1 - AUC is called roc_auc.
    metrics = [
        str(name) if direction_of(str(name)) is False else f"{name}_error"
        for name in columns["metric"]
    ]
    why = ["imputed" if any(imputed) else ""] * len(errors)
    return results_of_folds(
        system=_qualified(columns[names], None, asked),
        dataset=_words(columns["dataset"]),
        fold=_words(columns["fold"]),
        scores=by_metric(*_known(metrics, errors)),
        columns={name: columns[name] for name in ("problem_type", "repeat") if name in columns},
        source=_source(TABARENA, given, _failures(columns, names, "dataset", failed, why)),
    )


def read_tabzilla(given: Given, asked: Asked) -> Results:
    """Read TabZilla's table of metrics by data set, fold, algorithm and hyperparameters."""
    table = table_of(given.what)
    columns = table.columns
    tested = [name for name in columns if name.endswith(_TEST)]
    if not tested:
        raise ResultsError(f"{given.path} has no column of test scores (Accuracy{_TEST}).")
    ids = _words(columns["dataset_fold_id"])
    folds = [_FOLD.search(text) for text in ids]
    if not all(folds):
        odd = ids[folds.index(None)]
        raise ResultsError(
            f"{given.path} has the dataset_fold_id {odd!r}, which names no fold (..._fold_0)."
        )
    scores = {name.removesuffix(_TEST): _numbers(table, name) for name in tested}
    scores = {name: each for name, each in scores.items() if not all(map(math.isnan, each))}
    failed = [all(math.isnan(each[row]) for each in scores.values()) for row in range(len(ids))]
    return results_of_folds(
        system=_qualified(columns["alg_name"], columns.get("hparam_source"), asked),
        dataset=[_FOLD.sub("", text) for text in ids],
        fold=[found[1] for found in folds if found],
        scores=scores,
        source=_source(
            TABZILLA,
            given,
            _failures(columns, "alg_name", "dataset_fold_id", failed, [""] * len(ids)),
        ),
    )


def _words(cells: Sequence[Any]) -> list[str]:
    return [str(cell) for cell in cells]


def _first(table: Table, names: Sequence[str]) -> str:
    found = next((name for name in names if name in table.columns), None)
    if found is None:
        raise ResultsError(f"{table.path} has no column {' or '.join(names)}.")
    return found


def _numbers(table: Table, name: str) -> list[float]:
    """Read a column of numbers, nan where a cell is empty."""
    found = []
    for row, cell in enumerate(table.columns[name]):
        try:
            found.append(math.nan if cell in (None, "", "None", "NA") else float(cell))
        except (TypeError, ValueError):
            raise ResultsError(
                f"{table.path}, {table.row(row)}: {name} is {cell!r}, which is not a number."
            ) from None
    return found


def _known(
    metrics: Sequence[str], values: Sequence[float]
) -> tuple[list[str], Sequence[float]]:
    """Give a failed run without a metric that of the first run that has one."""
    usual = next((name for name in metrics if name not in ("", "None")), "score")
    return [name if name not in ("", "None") else usual for name in metrics], values


def _qualified(names: Sequence[Any], beside: Sequence[Any] | None, asked: Asked) -> list[str]:
    """Name systems, with what tells two of one name apart."""
    found = _words(names)
    if beside is not None and len(set(_words(beside))) > 1:
        found = [f"{name} ({other})" for name, other in zip(found, beside, strict=True)]
    if asked.system is not None:
        if len(set(found)) > 1:
            raise ResultsError(
                f"the name {asked.system!r} is for one system, and the table has "
                f"{len(set(found))}: pass the file without a name."
            )
        found = [asked.system] * len(found)
    return found


def _failures(
    columns: Columns, system: str, dataset: str, failed: Sequence[bool], why: Sequence[Any]
) -> dict[str, str]:
    """Say how many runs failed, and how the first did."""
    if not any(failed):
        return {}
    row = list(failed).index(True)
    reason = f": {str(why[row])[:200]}" if why[row] else ""
    first = f"{columns[system][row]} on {columns[dataset][row]}{reason}"
    return {"failed_runs": f"{sum(failed)} of {len(failed)}, the first {first}"}


def _source(layout: Format, given: Given, details: Mapping[str, str]) -> Source:
    return Source(system="", format=layout.name, path=str(given.what), details=details)


def _has(needed: frozenset[str]) -> Any:
    return lambda given: needed <= set(header_of(given))


_FOLDS = (
    "Folds of a data set are averaged, and the data sets are the units; of a single data set "
    "the folds are splits."
)
AMLB = Format(
    name="amlb",
    of="results.csv of the AutoML benchmark",
    recognises=_has(_AMLB),
    read=read_amlb,
    reads={
        "system": "``framework``, with ``constraint`` where there are several.",
        "item": f"``task``. {_FOLDS}",
        "repeat": "``fold``.",
        "scores": "``result``, a score for each ``metric``.",
        "missing": "Runs without a result, which failed; the report says how many.",
    },
)
TABARENA = Format(
    name="tabarena",
    of="tables of TabArena (dataset, fold, method, metric_error)",
    recognises=_has(_TABARENA),
    read=read_tabarena,
    reads={
        "system": "``method`` or ``framework``.",
        "item": f"``dataset``. {_FOLDS}",
        "repeat": "``fold``.",
        "scores": "``metric_error``, one for each ``metric``; lower is better.",
        "missing": "Runs that failed, also where an error was imputed for them.",
    },
)
TABZILLA = Format(
    name="tabzilla",
    of="tables of TabZilla (dataset_fold_id, alg_name, Accuracy__test)",
    recognises=_has(_TABZILLA),
    read=read_tabzilla,
    reads={
        "system": "``alg_name``, with ``hparam_source`` where there are several.",
        "item": f"The data set in ``dataset_fold_id``. {_FOLDS}",
        "repeat": "The fold in ``dataset_fold_id``.",
        "scores": "Columns that end in ``__test``.",
        "missing": "Empty cells: runs that failed.",
    },
)
