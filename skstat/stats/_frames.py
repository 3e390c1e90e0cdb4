"""Tables of scores as users hold them: arrays, mappings, wide and long frames."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class NamedScores(NamedTuple):
    """Scores with the names of their columns and, where there are any, of their rows."""

    values: NDArray[np.float64]
    columns: tuple[str, ...]
    rows: tuple[str, ...] | None


def read_wide(scores: Any, columns: Any, rows: Any, *, index: bool) -> NamedScores:
    """Read one column per system; `index` says whether that of a frame names the rows."""
    if isinstance(scores, Mapping):
        values = _columns(dict(scores))
        found: Any = tuple(scores)
    elif hasattr(scores, "columns"):
        found = list(scores.columns)
        if isinstance(rows, str):
            if rows not in found:
                raise ValueError(f"datasets={rows!r} is no column; there are {found}.")
            found.remove(rows)
            rows = np.asarray(scores[rows]).tolist()
        elif rows is None and index and hasattr(scores, "index"):
            rows = list(scores.index)
        values = _columns({name: np.asarray(scores[name]) for name in found})
    else:
        values, found = matrix(scores), None
    if found is not None and columns is not None:
        raise ValueError("scores are given by name already; leave algorithms out.")
    if isinstance(rows, str):
        raise ValueError(f"datasets={rows!r} names a column, but scores is no DataFrame.")
    given = columns if found is None else found
    if given is None:
        given = [f"system {number + 1}" for number in range(values.shape[1])]
    return NamedScores(
        values,
        _names("algorithms", given, values.shape[1]),
        None if rows is None else _names("datasets", rows, len(values)),
    )


def read_long(
    frame: Any, rows: str, columns: str, scores: str, aggregate: str | None
) -> NamedScores:
    """Read one row per score."""
    if aggregate not in (None, "mean"):
        raise ValueError(f"aggregate={aggregate!r} is unknown; use 'mean' or None.")
    known = list(frame.columns)
    for argument, column in (("datasets", rows), ("algorithms", columns), ("scores", scores)):
        if column not in known:
            raise ValueError(f"{argument}={column!r} is no column; there are {known}.")
    row_of = [str(name) for name in np.asarray(frame[rows]).tolist()]
    column_of = [str(name) for name in np.asarray(frame[columns]).tolist()]
    values = _numbers(np.asarray(frame[scores]))
    row_names, column_names = list(dict.fromkeys(row_of)), list(dict.fromkeys(column_of))
    repeated = [
        cell for cell, n in Counter(zip(row_of, column_of, strict=True)).items() if n > 1
    ]
    if repeated and aggregate is None:
        row, column = repeated[0]
        raise ValueError(
            f"{column!r} has several scores on data set {row!r}: folds and seeds are no data "
            "sets of their own. Pass aggregate='mean' to average them."
        )
    i, j = _places(row_of, row_names), _places(column_of, column_names)
    shape = (len(row_names), len(column_names))
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (i, j), values)
    np.add.at(counts, (i, j), 1)
    means = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
    return NamedScores(matrix(means), tuple(column_names), tuple(row_names))


def _places(labels: list[str], names: list[str]) -> NDArray[np.intp]:
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[label] for label in labels], dtype=np.intp)


def matrix(scores: Any) -> NDArray[np.float64]:
    """Check that scores are a table of numbers; None becomes nan."""
    if np.ma.is_masked(scores):
        raise ValueError("scores has masked entries; take units that all systems have.")
    values = _numbers(scores)
    if values.ndim != 2 or len(values) == 0 or values.shape[1] < 2:
        raise ValueError(
            "scores must have a row per unit and a column for each of at least two systems, "
            f"got shape {values.shape}."
        )
    return values


def _columns(columns: Mapping[Any, Any]) -> NDArray[np.float64]:
    lengths = {str(name): np.size(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            f"the systems have unequal numbers of scores ({lengths}): a table needs all "
            "systems scored on the same units."
        )
    listed = [np.ravel(_numbers(column, name)) for name, column in columns.items()]
    return matrix(np.stack(listed, axis=-1) if listed else np.empty((0, 0)))


def _numbers(values: Any, column: Any = None) -> NDArray[np.float64]:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        hint = ""
        if column is not None:
            hint = (
                f". If column {column!r} names the data sets, pass ScoreTable(scores, "
                f"datasets={column!r})"
            )
        raise ValueError(f"scores must hold numbers: {error}{hint}") from error


def _names(argument: str, names: Sequence[Any], wanted: int) -> tuple[str, ...]:
    found = tuple(map(str, names))
    if len(found) != wanted:
        raise ValueError(f"{argument} holds {len(found)} names for {wanted}.")
    twice = [name for name, count in Counter(found).items() if count > 1]
    if twice:
        raise ValueError(f"{argument} holds the name {twice[0]!r} twice; rename one.")
    return found
