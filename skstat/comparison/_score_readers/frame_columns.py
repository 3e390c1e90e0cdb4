"""The columns of a frame, or of a mapping of columns, whatever library made it."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import is_system, names_rows, why_no_system
from skstat.stats._common import read_numbers, refuse_masked
from skstat.stats._samples import cell_names

_NUMBERS = "biuf"


class Columns:
    """Columns of a frame or mapping, by name."""

    def __init__(self, frame: Any) -> None:
        self.is_frame = not isinstance(frame, Mapping)
        self._frame = frame
        self._given = {str(name): name for name in (frame.columns if self.is_frame else frame)}
        self.names = list(self._given)
        self._read: dict[str, NDArray[Any]] = {}
        self._cells: dict[str, list[str]] = {}

    def __contains__(self, name: Any) -> bool:
        return str(name) in self._given

    def of(self, name: str) -> NDArray[Any]:
        """Values of a column as an array."""
        if name not in self._read:
            refuse_masked(f"column {name!r}", self._frame[self._given[name]])
            self._read[name] = np.asarray(self._frame[self._given[name]])
        return self._read[name]

    def labels(self, name: str) -> NDArray[Any]:
        """Values of a column as names."""
        names = cell_names(f"column {name!r}", self.of(name).tolist())
        return np.array(names, dtype=object)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Values of a column as numbers; nan where there is none."""
        return read_numbers(f"column {name!r}", self._frame[self._given[name]])

    def check_lengths(self, names: Iterable[str], n_rows: int) -> None:
        """Refuse columns that have no value for every row, or several."""
        for name in names:
            if self.of(name).shape != (n_rows,):
                raise ValueError(
                    f"column {name!r} has shape {self.of(name).shape}, and there are {n_rows} "
                    "rows."
                )

    def facts(self, names: Iterable[str], n_rows: int) -> dict[str, NDArray[Any]]:
        """Return the columns that hold one value per row."""
        return {name: self.of(name) for name in names if self.of(name).shape == (n_rows,)}

    def are_numbers(self, name: str) -> bool:
        """Whether a column holds numbers, and no names."""
        return self.of(name).dtype.kind in _NUMBERS

    def vary(self, name: str) -> bool:
        """Whether a column differs between rows, as one that names units does."""
        return self.of(name).ndim == 1 and len(set(map(str, self.of(name).tolist()))) > 1

    def check(self, argument: str, name: Any) -> str:
        """Refuse a column that is not there."""
        if name not in self:
            raise ValueError(
                f"{argument}={name!r} is not a column; there are {', '.join(self.names)}."
            )
        return str(name)

    def given(self, name: str) -> Any:
        """Return the name of a column as the frame has it."""
        return self._given[name]

    def cells(self, name: str) -> list[str]:
        """Values of a column as texts, one of which may be missing."""
        if name not in self._cells:
            values = self.of(name).tolist()
            try:
                self._cells[name] = cell_names(name, values)
            except ValueError:
                self._cells[name] = [str(value) for value in values]
        return self._cells[name]

    @cached_property
    def systems(self) -> list[str]:
        """Columns of names that are called as those of systems mostly are."""
        found = [name for name in self.names if is_system(name)]
        return [name for name in found if not self.are_numbers(name)]


def refuse_no_systems(columns: Mapping[str, Any]) -> None:
    """Refuse columns of numbers that are not those of a system: one might win against all."""
    for name in columns:
        why = why_no_system(name, columns)
        if why:
            item = (
                f" say that it is what a row is on by item={name!r},"
                if names_rows(name)
                else ""
            )
            raise ValueError(
                f"column {name!r} looks like {why}, not like the scores of a system: drop it,"
                f"{item} or name the systems by systems=."
            )
