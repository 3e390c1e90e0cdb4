"""Predictions of two systems with several seeds each, on one test set."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Written, rows_differ
from skstat.stats._samples.predictions import Predictions, PredictionsSummary


@dataclass(frozen=True, eq=False)
class SeededPredictions(Written):
    """Predictions of two systems, each trained with several seeds, for one test set.

    Parameters
    ----------
    runs : Predictions
        Outputs of every seed of A, then of every seed of B, with the metric.
    n_seeds : tuple of int
        Number of seeds of A and of B.
    paired_seeds : bool, default=False
        Whether seed number s of A and of B belong together.

    Raises
    ------
    ValueError
        If the numbers do not fit the runs, or paired seeds differ in number.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import Predictions, SeededPredictions
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a 1": [1, 0, 1], "a 2": [1, 1, 1], "b 1": [0, 0, 1], "b 2": [0, 0, 0]}
    >>> runs = Predictions([1, 1, 1], outputs, accuracy)
    >>> round(SeededPredictions(runs, (2, 2)).difference, 3)
    0.667
    """

    made_by: ClassVar[str] = "SeededPredictions(runs, n_seeds)"

    runs: Predictions
    n_seeds: tuple[int, int]
    paired_seeds: bool = False

    ordered: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.runs, Predictions):
            raise TypeError(
                f"runs is {type(self.runs).__name__}; give Predictions with every seed of A, "
                "then every seed of B."
            )
        listed = isinstance(self.n_seeds, tuple | list) and len(self.n_seeds) == 2
        if not listed or not all(isinstance(n, int | np.integer) for n in self.n_seeds):
            raise ValueError(
                f"n_seeds={self.n_seeds!r} must be two numbers: of seeds of A, and of B."
            )
        a, b = self.n_seeds
        if a < 1 or b < 1 or a + b != len(self.runs.names):
            raise ValueError(
                f"n_seeds={self.n_seeds!r} does not fit {len(self.runs.names)} runs."
            )
        if self.paired_seeds and a != b:
            raise ValueError(f"paired seeds need as many of A as of B, got {a} and {b}.")

    @property
    def unit(self) -> str:
        """What is resampled beside the seeds."""
        return self.runs.unit

    @property
    def n_units(self) -> int:
        """Number of rows, or of groups."""
        return self.runs.n_units

    @cached_property
    def scores(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Score of every seed of A, and of B."""
        scores = self.runs.scores
        return scores[: self.n_seeds[0]], scores[self.n_seeds[0] :]

    @property
    def difference(self) -> float:
        """Mean score of A minus mean score of B; float noise is set to zero."""
        a, b = self.scores
        difference = float(a.mean() - b.mean())
        return 0.0 if abs(difference) <= self.noise else difference

    @property
    def noise(self) -> float:
        """Difference below which two scores count as equal."""
        return float(1e-10 * np.abs(self.runs.scores).max())

    @property
    def identical(self) -> bool:
        """Whether all runs predict alike."""
        first, *others = self.runs.outputs.values()
        return not any(rows_differ(first, other).any() for other in others)

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation of the scores over the seeds, of A and of B."""
        return [
            {"mean": float(s.mean()), "sd": float(s.std(ddof=1)) if len(s) > 1 else None}
            for s in self.scores
        ]

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        a, b = self.summaries()
        summary = PredictionsSummary(
            unit=self.unit,
            n_units=self.n_units,
            n_rows=self.runs.n_rows,
            ordered=False,
            identical=self.identical,
            scores=(a["mean"], b["mean"]),  # type: ignore[arg-type]
            sds=(a["sd"], b["sd"]),
        )
        return summary._plain(last)
