"""Tables of scores as users hold them, arrays, mappings and frames, and names."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import no_systems
from skstat.stats._read import aligned, is_missing, is_number, labels_of, read_numbers


def read_wide(
    scores: Any, systems: Any, datasets: Any, *, index: bool
) -> tuple[NDArray[np.float64], tuple[str, ...], tuple[str, ...] | None]:
    """Read one column per system; return it, and names of the columns and maybe of the rows.

    `index` says whether that of a frame names the rows.
    """
    of_frame = hasattr(scores, "columns") and not isinstance(scores, Mapping)
    if of_frame or isinstance(scores, Mapping):
        if systems is not None:
            raise ValueError("scores are given by name already; leave systems out.")
        systems = list(scores.columns if of_frame else scores)
        twice = [name for name, count in Counter(systems).items() if count > 1]
        if twice:
            raise ValueError(f"scores has the column {twice[0]!r} twice; rename one.")
        columns = {name: scores[name] for name in systems}
        labels = [getattr(scores, "index", None), *map(labels_of, columns.values())]
        if not of_frame:
            columns = _paired(columns)
        if isinstance(datasets, str):
            if datasets not in columns:
                raise ValueError(f"datasets={datasets!r} is not a column; there are {systems}.")
            datasets = np.asarray(columns.pop(datasets)).tolist()
        elif datasets is None and index:
            datasets = next((own for own in labels if own is not None), None)
        systems, named = list(columns), {str(name): own for name, own in columns.items()}
        # Whoever writes a mapping has chosen the names; a fold would win against a model.
        for name, why in no_systems(named if of_frame else {}).items():
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop or "
                f"rename it, or pass ScoreTable(scores, datasets={name!r}) if it names data "
                "sets. A frame with one row per score is turned by its pivot() first, or by "
                "pivot_table() if a system has several on a data set."
            )
        read = {name: _column(name, own) for name, own in named.items()}
        if len(set(map(len, read.values()))) > 1:
            lengths = {name: len(own) for name, own in read.items()}
            raise ValueError(
                f"the systems have unequal numbers of scores ({lengths}): a table needs all "
                "systems scored on the same units."
            )
        values = np.stack(list(read.values()), axis=-1) if read else np.empty((0, 0))
    elif isinstance(datasets, str):
        raise ValueError(
            f"datasets={datasets!r} names a column, but scores is not a DataFrame."
        )
    else:
        values = read_numbers("scores", scores)
    if values.ndim != 2 or len(values) == 0 or values.shape[1] < 2:
        raise ValueError(
            "scores must have a row per unit and a column for each of at least two systems, "
            f"got shape {values.shape}."
        )
    n, k = values.shape
    if systems is None:
        systems = [f"system {number + 1}" for number in range(k)]
    rows = None if datasets is None else _names("datasets", datasets, n)
    return values, _names("systems", systems, k), rows


def _paired(columns: dict[Any, Any]) -> dict[Any, Any]:
    """Bring pandas Series and mappings into the order of the first one's labels."""
    found = aligned(
        {repr(str(name)): column for name, column in columns.items()},
        unit="score",
        if_lacking="If it does not exist pass pandas.DataFrame(scores), where it becomes a "
        "missing score. ",
    )
    return dict(zip(columns, found.values(), strict=True))


def _column(name: str, column: Any) -> NDArray[np.float64]:
    try:
        scores = read_numbers(f"column {name!r}", column)
    except ValueError as error:
        cells = np.ravel(np.array(column, dtype=object)).tolist()
        if any(not isinstance(cell, str) or is_number(cell) for cell in cells):
            raise  # a slip in one cell
        raise ValueError(
            f"{error}. If column {name!r} names the data sets, pass ScoreTable(scores, "
            f"datasets={name!r})"
        ) from error
    scores = scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores
    if scores.ndim != 1:
        raise ValueError(
            f"column {name!r} has shape {scores.shape}; give a list with one score per unit."
        )
    return scores


def _names(argument: str, names: Any, wanted: int) -> tuple[str, ...]:
    if not isinstance(names, Iterable):
        raise ValueError(f"{argument}={names!r} must be a list of names.")
    found = tuple(names_of(argument, names, "column" if argument == "systems" else "row"))
    if len(found) != wanted:
        raise ValueError(f"{argument} holds {len(found)} names for {wanted}.")
    twice = [name for name, count in Counter(found).items() if count > 1]
    if twice:
        raise ValueError(f"{argument} holds the name {twice[0]!r} twice; rename one.")
    return found


def names_of(argument: str, names: Iterable[Any], place: str = "row") -> list[str]:
    """Names as text: the whole numbers of a float column without their ".0"."""
    names = list(names)
    for number, name in enumerate(names):
        if type(name) is not str and is_missing(name):
            raise ValueError(
                f"{argument} has no name in {place} {number}, counted from 0: name it, or "
                f"leave the {place} out."
            )
    whole = all(name.is_integer() for name in names if isinstance(name, float))
    return [str(int(name) if whole and isinstance(name, float) else name) for name in names]
