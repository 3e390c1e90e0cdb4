"""A sample of more than two systems, scored on the same units."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._samples import PairedScores, _Resampled


@dataclass(frozen=True, eq=False)
class ScoreTable(_Resampled):
    """Scores of two or more systems on the same units.

    Parameters
    ----------
    scores : array-like of shape (n_units, n_systems), or mapping of str to array-like
        One row per unit and one column per system, or the scores of each system by
        its name; higher is better.
    names : sequence of str, optional
        Names of the columns of an array; default ``"system 1"`` and so on.
    unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`PairedScores`.

    Raises
    ------
    ValueError
        If there are fewer than two systems, a score is not finite, the names do not
        fit, or `unit` is missing.

    Examples
    --------
    >>> from skstat.stats import ScoreTable
    >>> table = ScoreTable({"tree": [1, 0, 1], "svm": [1, 1, 1]}, unit="instance")
    >>> table.names, table.n_units
    (('tree', 'svm'), 3)
    >>> table.pair("svm", "tree").differences.tolist()
    [0.0, 1.0, 0.0]
    """

    scores: Any
    names: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        scores, names = self.scores, self.names
        if isinstance(scores, Mapping):
            if names is not None:
                raise ValueError("scores are given by name already; leave names out.")
            names = tuple(scores)
            lengths = {name: np.size(column) for name, column in scores.items()}
            if len(set(lengths.values())) > 1:
                raise ValueError(
                    f"the systems have unequal numbers of scores ({lengths}): a table needs "
                    "all systems scored on the same units."
                )
            scores = [np.asarray(column) for column in scores.values()]
            scores = np.stack(scores, axis=-1) if scores else np.empty((0, 0))
        values = _matrix(scores)
        names = _names(names, values.shape[1])
        bad = np.argwhere(~np.isfinite(values))
        if bad.size:
            row, column = bad[0]
            raise ValueError(
                f"the score of {names[column]!r} on unit {row} is {values[row, column]}: every "
                "score must be finite. Find out why it is undefined."
            )
        values.setflags(write=False)
        object.__setattr__(self, "scores", values)
        object.__setattr__(self, "names", names)
        self._check_units()

    @property
    def n_units(self) -> int:
        """Number of rows."""
        return len(self.scores)

    @property
    def n_systems(self) -> int:
        """Number of columns."""
        return len(self.names)

    def scores_of(self, name: str) -> NDArray[np.float64]:
        """Scores of one system.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        ndarray of shape (n_units,)
            The scores.
        """
        if name not in self.names:
            raise ValueError(f"{name!r} is unknown; the table has {', '.join(self.names)}.")
        return self.scores[:, self.names.index(name)]

    def pair(self, a: str, b: str) -> PairedScores:
        """Take two systems out of the table.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        PairedScores
            Their scores on all units.
        """
        units = {
            name: getattr(self, name)
            for name in ("unit", "n_train", "n_test", "n_repeats", "size_unit", "ordered")
        }
        return PairedScores(self.scores_of(a), self.scores_of(b), **units)

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of the scores of every system."""
        spread = np.std(self.scores, axis=0, ddof=1) if self.n_units > 1 else None
        return [
            {
                "mean": float(np.mean(column)),
                "sd": None if spread is None else float(spread[j]),
            }
            for j, column in enumerate(self.scores.T)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain lists and numbers."""
        return {
            "type": "ScoreTable",
            "scores": self.scores.tolist(),
            "names": list(self.names),
            **self._units_to_dict(),
        }


def _matrix(scores: Any) -> NDArray[np.float64]:
    if np.ma.is_masked(scores):
        raise ValueError("scores has masked entries; take units that all systems have.")
    try:
        values = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"scores must hold numbers: {error}") from error
    if values.ndim != 2 or len(values) == 0 or values.shape[1] < 2:
        raise ValueError(
            "scores must have a row per unit and a column for each of at least two systems, "
            f"got shape {values.shape}."
        )
    return values


def _names(names: Any, n_systems: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"system {j + 1}" for j in range(n_systems))
    names = tuple(map(str, names))
    if len(names) != n_systems or len(set(names)) != n_systems:
        raise ValueError(
            f"names={names!r} must be {n_systems} different names, one for each column."
        )
    return names
