"""Tables of scores as users hold them: arrays, mappings, wide and long frames."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat._columns import why_no_system
from skstat.stats._common import aligned, is_missing, is_number, labels_of, read_numbers


class NamedScores(NamedTuple):
    """Scores with the names of their columns and, where there are any, of their rows."""

    values: NDArray[np.float64]
    columns: tuple[str, ...]
    rows: tuple[str, ...] | None


def read_wide(scores: Any, columns: Any, rows: Any, *, index: bool) -> NamedScores:
    """Read one column per system; `index` says whether that of a frame names the rows."""
    found: Any = None
    if isinstance(scores, Mapping) or hasattr(scores, "columns"):
        of_frame = not isinstance(scores, Mapping)
        found = list(scores.columns) if of_frame else list(scores)
        _once("scores", found)
        columns_of = {name: scores[name] for name in found}
        labels = None
        if of_frame:
            labels = list(scores.index) if hasattr(scores, "index") else None
        else:
            columns_of, labels = _aligned(columns_of)
        if isinstance(rows, str):
            if rows not in found:
                raise ValueError(f"datasets={rows!r} is not a column; there are {found}.")
            found.remove(rows)
            rows = np.asarray(columns_of.pop(rows)).tolist()
        elif rows is None and index:
            rows = labels
        if of_frame:
            _refuse_no_systems(columns_of)
        values = _columns(columns_of)
    else:
        values = matrix(scores)
    if found is not None and columns is not None:
        raise ValueError("scores are given by name already; leave systems out.")
    if isinstance(rows, str):
        raise ValueError(f"datasets={rows!r} names a column, but scores is not a DataFrame.")
    given = columns if found is None else found
    if given is None:
        given = [f"system {number + 1}" for number in range(values.shape[1])]
    return NamedScores(
        values,
        _names("systems", given, values.shape[1]),
        None if rows is None else _names("datasets", rows, len(values)),
    )


def _refuse_no_systems(columns: Mapping[Any, Any]) -> None:
    """Refuse columns that name or count rows: a fold would win against a model."""
    named = {str(name): column for name, column in columns.items()}
    for name in named:
        why = why_no_system(name, named)
        if why:
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop or "
                f"rename it, or pass ScoreTable(scores, datasets={name!r}) if it names data "
                "sets. A frame with one row per score is turned by its pivot() first, or by "
                "pivot_table() if a system has several on a data set."
            )


def matrix(scores: Any) -> NDArray[np.float64]:
    """Check that scores are a table of numbers; None becomes nan."""
    values = read_numbers("scores", scores)
    if values.ndim != 2 or len(values) == 0 or values.shape[1] < 2:
        raise ValueError(
            "scores must have a row per unit and a column for each of at least two systems, "
            f"got shape {values.shape}."
        )
    return values


def _aligned(columns: dict[Any, Any]) -> tuple[dict[Any, Any], list[Any] | None]:
    """Bring pandas Series into the order of the first one's index, and return that."""
    if any(isinstance(column, Mapping) for column in columns.values()):
        return columns, None
    found = aligned(
        {repr(str(name)): column for name, column in columns.items()},
        unit="score",
        if_lacking="If it does not exist pass pandas.DataFrame(scores), where it becomes a "
        "missing score. ",
    )
    columns = dict(zip(columns, found.values(), strict=True))
    indexes = (labels_of(column) for column in columns.values())
    labels = next((index for index in indexes if index is not None), None)
    return columns, None if labels is None else list(labels)


def _columns(columns: Mapping[str, Any]) -> NDArray[np.float64]:
    read = {str(name): _column(name, column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in read.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(
            f"the systems have unequal numbers of scores ({lengths}): a table needs all "
            "systems scored on the same units."
        )
    return matrix(np.stack(list(read.values()), axis=-1) if read else np.empty((0, 0)))


def _column(name: Any, column: Any) -> NDArray[np.float64]:
    where = f"column {str(name)!r}"
    if isinstance(column, Mapping | Iterator):
        raise ValueError(
            f"scores must hold numbers: {str(name)!r} is a {type(column).__name__}; pass a "
            "list of its scores, in the same order for all systems."
        )
    try:
        scores = read_numbers(where, column)
    except ValueError as error:
        raise ValueError(f"{error}{_hint(name, column)}") from error
    if scores.ndim == 2 and scores.shape[1] == 1:
        return scores[:, 0]
    if scores.ndim != 1:
        raise ValueError(
            f"{where} has shape {scores.shape}; give a list with one score per unit."
        )
    return scores


def _hint(name: Any, column: Any) -> str:
    """Tell what to do with a column of names; a slip in one cell is no such column."""
    cells = np.ravel(np.array(column, dtype=object)).tolist()
    if any(not isinstance(cell, str) or is_number(cell) for cell in cells):
        return ""
    return (
        f". If column {name!r} names the data sets, pass ScoreTable(scores, datasets={name!r})"
    )


def cell_names(argument: str, names: Sequence[Any], place: str = "row") -> list[str]:
    """Names as text: the whole numbers of a float column without their ".0"."""
    if set(map(type, names)) <= {str, int}:  # of which none is missing: a long frame has many
        return [str(name) for name in names]
    for number, name in enumerate(names):
        if is_missing(name):
            raise ValueError(
                f"{argument} has no name in {place} {number}, counted from 0: name it, or "
                f"leave the {place} out."
            )
    if all(isinstance(name, float) and name.is_integer() for name in names):
        return [str(int(name)) for name in names]
    return [str(name) for name in names]


def _once(argument: str, names: Sequence[Any]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{argument} has the column {twice[0]!r} twice; rename one.")


def _names(argument: str, names: Sequence[Any], wanted: int) -> tuple[str, ...]:
    if not isinstance(names, Iterable):
        raise ValueError(f"{argument}={names!r} must be a list of names.")
    found = tuple(
        cell_names(argument, list(names), "column" if argument == "systems" else "row")
    )
    if len(found) != wanted:
        raise ValueError(f"{argument} holds {len(found)} names for {wanted}.")
    twice = [name for name, count in Counter(found).items() if count > 1]
    if twice:
        raise ValueError(f"{argument} holds the name {twice[0]!r} twice; rename one.")
    return found
