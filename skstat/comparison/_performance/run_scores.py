"""A run with outputs, read as scores of rows or of splits, of one estimator or of two."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.comparison._performance.splits import is_main_split
from skstat.evaluation import Design
from skstat.evaluation._evaluate import OutputsRun
from skstat.metrics._row_metric import RowMetric
from skstat.stats import FoldScores, PairedFoldScores, Scores
from skstat.stats._splits import FEWEST_REPEATS

Systems = tuple[str, ...]  # an estimator, or the two whose difference is meant


@dataclass(frozen=True, kw_only=True, eq=False)
class RunScores:
    """One metric of a run.

    Attributes
    ----------
    run : OutputsRun
        Scores and outputs.
    metric : str
        Name of the metric in the run.
    rows : RowMetric or None
        What is known about the scores of rows.
    splitter : object
        What made the splits.
    interval : str
        Kind of interval of a share.
    seed : int
        Seed for what is drawn afterwards.
    """

    run: OutputsRun
    metric: str
    rows: RowMetric | None
    splitter: Any
    interval: str
    seed: int

    @property
    def design(self) -> Design:
        return self.run.run.design

    @property
    def training_share(self) -> float:
        """Share of the rows, or groups, in the training sets that an estimate is about."""
        design = self.design
        sizes = [
            size
            for split, size in enumerate(design.sizes[0])
            if is_main_split(self.splitter, split)
        ]
        return float(np.mean(sizes)) / (design.n_groups or design.n_samples)

    @property
    def names(self) -> tuple[str, ...]:
        return self.run.run.names

    @cached_property
    def y(self) -> NDArray[Any]:
        y = np.asarray(self.run.run.y)
        return y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y

    def quantity(self, systems: Systems) -> str:
        """Name what is estimated; of losses the negative value."""
        if len(systems) == 1:
            return self.metric
        return f"{self.metric}(A) - {self.metric}(B)"

    def of_splits(self, systems: Systems) -> Scores:
        """Scores of every split, with the sizes of the design."""
        return Scores(self.columns(systems), **self.design.units())

    @cached_property
    def projects(self) -> bool:
        """Whether the splits are repeated partitions, with known contributions of rows."""
        run = self.run.run if self.run.run.halves is None else self.run.run.halves
        rows = run.rows(metric=self.metric)
        return rows is not None and rows.n_repeats >= FEWEST_REPEATS

    def of_folds(self, systems: Systems) -> FoldScores | PairedFoldScores:
        """Scores of repeated partitions, with what every row contributed to them."""
        run = self.run.run
        one = len(systems) == 1
        sample = (run.scores_of if one else run.sample)(*systems, metric=self.metric)
        assert isinstance(sample, FoldScores | PairedFoldScores)
        return sample

    def columns(self, systems: Systems) -> NDArray[np.float64]:
        """Scores of every split, whatever these are."""
        return _difference([self.run.run.column(name, self.metric) for name in systems])

    def of_rows(self, split: int, systems: Systems, part: slice | None = None) -> Any:
        """Scores of the test rows of a split, or of a part of them."""
        y, outputs = self.tested(split, systems, part)
        return self._scored(y, outputs)

    def of_whole(self, systems: Systems) -> Any:
        """Scores of all rows by the models that were fitted to them."""
        return self._scored(
            self.y, {name: self._output(self.run.whole[name]) for name in systems}
        )

    def tested(
        self, split: int, systems: Systems, part: slice | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Truth and outputs of the test rows of a split, or of a part of them."""
        part = slice(None) if part is None else part
        rows = self.design.splits[split][1][part]
        return self.y[rows], {
            name: self._output(self.run.outputs[name][split])[part] for name in systems
        }

    def whole_output(self, name: str) -> Any:
        """Outputs for all rows by the model that was fitted to them."""
        return self._output(self.run.whole[name])

    def groups_of(self, split: int) -> NDArray[Any] | None:
        """Groups of the test rows of a split."""
        groups = self.design.groups
        return None if groups is None else groups[self.design.splits[split][1]]

    def _output(self, responses: Any) -> NDArray[Any]:
        assert self.rows is not None
        output = np.asarray(responses[self.rows.response])
        return output.ravel() if output.ndim == 2 and output.shape[1] == 1 else output

    def _scored(self, y: NDArray[Any], outputs: dict[str, Any]) -> NDArray[np.float64]:
        assert self.rows is not None
        scores = self.rows.scores(y, outputs)
        if scores is None:
            raise ValueError(
                f"there is no formula for the influence of each row on {self.metric} here. "
                f"Use "
                "method='corrected_t' or 'holdout'."
            )
        return _difference(list(scores.T))

    def agrees(self) -> bool:
        """Whether the rows' metric is the scorer's, on the first split."""
        if self.rows is None:
            return False
        name = self.names[0]
        y, outputs = self.tested(0, (name,))
        found = self.rows.score(y, outputs[name])
        return bool(np.isclose(found, self.run.run.column(name, self.metric)[0], rtol=1e-7))


def _difference(columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return columns[0] if len(columns) == 1 else columns[0] - columns[1]
