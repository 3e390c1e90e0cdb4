"""Frames of results, long or wide, by the columns that the caller names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat.comparison._score_readers.description import Description
from skstat.comparison._score_readers.given import GivenSamples
from skstat.comparison._score_readers.long_frame import SCORE, SYSTEM, UNIT, plain
from skstat.comparison._score_readers.results import samples_of
from skstat.io import Results
from skstat.stats._common import read_numbers, refuse_masked
from skstat.stats._samples import cell_names

_NUMBERS = "biuf"
_REPEATS = ("sample", "epoch", "attempt", "run")
_ROLES = ("system", "item", "group", "repeat", "score")


def read_items(scores: Any, described: Description) -> GivenSamples | None:
    """Read a frame whose columns are named: a row per result, or a column per system."""
    if not (isinstance(scores, Mapping) or hasattr(scores, "columns")):
        return None
    described = _by_role(described)
    if not described.names_columns:
        return None
    described.refuse_names(scores)
    return samples_of(results_of(scores, described), described)


def _by_role(described: Description) -> Description:
    """Take roles of items out of `columns`, which names them in one mapping."""
    given = described.columns
    if not isinstance(given, Mapping) or not {"item", "group", "repeat"} & set(given):
        return described
    unknown = [role for role in given if role not in _ROLES]
    if unknown:
        raise ValueError(
            f"columns names {unknown[0]!r}; use {', '.join(map(repr, _ROLES))}, such as "
            "columns={'system': 'model', 'item': 'question', 'group': 'topic'}."
        )
    twice = [role for role in given if getattr(described, role) is not None]
    if twice:
        raise ValueError(f"{twice[0]}= is in columns= too; give one.")
    return replace(described, columns=None, **given)


def results_of(frame: Any, described: Description) -> Results:
    """Make results of a frame, or mapping of columns, by the columns that were named."""
    columns = _Columns(frame)
    system = described.system
    if system is None:
        system = columns.usual_names(SYSTEM)
    wide = system is None
    if wide and described.score is not None:
        raise ValueError(
            f"score={described.score!r} names a column of scores, and no column says whose "
            "they are: name it by system=. In a frame with a column for each system the "
            f"metric is scoring={described.score!r}."
        )
    item = columns.named("item", described.item, UNIT["instance"])
    if system is not None:
        columns.check("system", system)
    labels = {
        role: columns.check(role, name)
        for role, name in (
            ("group", described.group),
            ("repeat", described.repeat),
            ("task", described.task),
        )
        if name is not None
    }
    taken = [item, *labels.values(), *([] if system is None else [system])]
    if wide:
        return _of_wide(columns, item, labels, taken, described)
    scored = columns.scores(described, taken)
    repeat = labels.get("repeat")
    scores = {name: columns.numbers(name) for name in scored}
    return Results(
        system=columns.labels(str(system)),
        item=columns.labels(item),
        repeat=None if repeat is None else columns.labels(repeat),
        scores=scores,
        columns={name: columns.of(name) for name in columns.names if name not in scored},
        unit=described.unit or "instance",
    )


def _of_wide(
    columns: "_Columns",
    item: str,
    labels: Mapping[str, str],
    taken: Sequence[str],
    described: Description,
) -> Results:
    """Put the columns of the systems below each other."""
    rest = [name for name in columns.names if name not in taken]
    systems = [name for name in rest if columns.of(name).dtype.kind in _NUMBERS]
    if described.systems is not None:
        systems = [columns.check("systems", name) for name in described.systems]
    else:
        _refuse_labels(systems)
    if not systems:
        raise ValueError(
            f"no column of numbers is left for a system; there are {', '.join(columns.names)}."
        )
    n, k = len(columns.of(item)), len(systems)
    repeat = labels.get("repeat")
    kept = [name for name in columns.names if name not in systems]
    return Results(
        system=np.repeat(np.array(systems, dtype=object), n),
        item=np.tile(columns.labels(item), k),
        repeat=None if repeat is None else np.tile(columns.labels(repeat), k),
        scores={described.metric: np.concatenate([columns.numbers(name) for name in systems])},
        columns={name: np.tile(columns.of(name), k) for name in kept},
        unit=described.unit or "instance",
    )


def _refuse_labels(systems: Sequence[str]) -> None:
    """Refuse columns that name rows, as numbers often do: a fold would win against a model."""
    for name in systems:
        if plain(name) in SYSTEM:
            raise ValueError(
                f"column {name!r} looks like whose score a row is: say system={name!r}, and "
                "score= with the columns of scores."
            )
        if any(plain(name) in names for names in (*UNIT.values(), _REPEATS)):
            raise ValueError(
                f"column {name!r} looks like labels, and no other one says whose score a row "
                f"is, so that columns are systems: drop it, say what it is (repeat={name!r}, "
                f"group={name!r}), or name the systems by systems=."
            )


class _Columns:
    """Columns of a frame or mapping, by name."""

    def __init__(self, frame: Any) -> None:
        named = frame if isinstance(frame, Mapping) else frame.columns
        self.names = [str(name) for name in named]
        self._frame = frame
        self._given = {str(name): name for name in named}
        self._found: dict[str, Any] = {}

    def of(self, name: str) -> Any:
        """Values of a column as an array."""
        if name not in self._found:
            refuse_masked(f"column {name!r}", self._frame[self._given[name]])
            values = np.asarray(self._frame[self._given[name]])
            if values.ndim != 1:
                raise ValueError(
                    f"column {name!r} has shape {values.shape}; a column has one value per row."
                )
            self._found[name] = values
        return self._found[name]

    def labels(self, name: str) -> Any:
        """Values of a column as names."""
        return np.array(cell_names(f"column {name!r}", self.of(name).tolist()), dtype=object)

    def numbers(self, name: str) -> Any:
        """Values of a column as numbers; nan where there is none."""
        return read_numbers(f"column {name!r}", self._frame[self._given[name]])

    def check(self, argument: str, name: Any) -> str:
        """Refuse a column that is not there."""
        if str(name) not in self._given:
            raise ValueError(
                f"{argument}={name!r} is not a column; there are {', '.join(self.names)}."
            )
        return str(name)

    def named(self, argument: str, name: Any, usual: Sequence[str]) -> str:
        """Return the column that was named, or the only one with a usual name."""
        if name is not None:
            return self.check(argument, name)
        found = [column for column in self.names if plain(column) in usual]
        if len(found) != 1:
            what = f"{found} may all be it" if found else f"there are {self.names}"
            raise ValueError(
                f"which column names the {argument} of every row? Say {argument}=name; {what}."
            )
        return found[0]

    def usual_names(self, usual: Sequence[str]) -> str | None:
        """Return the only column of names with a usual name for systems."""
        found = [column for column in self.names if plain(column) in usual]
        found = [column for column in found if self.of(column).dtype.kind not in _NUMBERS]
        return found[0] if len(found) == 1 else None

    def scores(self, described: Description, taken: Sequence[str]) -> list[str]:
        """Return the columns of scores: those named, or the only one with a usual name."""
        if described.score is None:
            scoring = described.scoring
            usual = (*SCORE, *([plain(scoring)] if isinstance(scoring, str) else []))
            return [self.named("score", None, usual)]
        asked = [described.score] if isinstance(described.score, str) else described.score
        scored = [self.check("score", name) for name in asked]
        double = next((name for name in scored if name in taken), None)
        if double is not None:
            raise ValueError(f"column {double!r} cannot hold scores and labels.")
        return scored
