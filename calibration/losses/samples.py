"""Samples of skstat from the scores of one replicate."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.losses.designs import (
    BLOCKS,
    FIVE,
    HALVES,
    N_BLOCKS,
    N_FOLDS,
    NINE,
    RANDOM,
    Design,
)
from calibration.losses.laws import Rows
from calibration.losses.learners import Learner
from calibration.losses.scores import USUAL, Folds, score_folds
from skstat import stats

Floats = NDArray[np.float64]
_USED = {FIVE: 10}  # test sets; all of them of the other designs


@dataclass(frozen=True, eq=False)
class Fits:
    """Data of one replicate and its splits, to which learners are fitted.

    Parameters
    ----------
    rows : Rows
        The data.
    designs : mapping of str to Design
        The splits.
    """

    rows: Rows
    designs: Mapping[str, Design]

    @property
    def classes(self) -> bool:
        """Whether the target is a class."""
        return bool(self.rows.y.dtype.kind == "i")

    def strata(self, design: str) -> NDArray[np.int64] | None:
        """Classes of which all folds of a design hold the same share.

        Parameters
        ----------
        design : str
            Name of the design.
        """
        return self.rows.y if self.designs[_source(design)].stratified else None

    def score(
        self, learner: Learner, X: Floats, metrics: Collection[str] = USUAL
    ) -> dict[str, dict[str, Folds]]:
        """Fit a learner to all training sets together, and score all test sets.

        Parameters
        ----------
        learner : Learner
            The learner.
        X : ndarray of shape (n, n_features)
            One block of features.
        metrics : collection of str
            The metrics; those that do not suit the target are left out.

        Returns
        -------
        mapping of str to mapping of str to Folds
            By metric and design.
        """
        y, designs = self.rows.y, self.designs
        outputs = learner.outputs(X, y, np.concatenate([d.trains for d in designs.values()]))
        found: dict[str, dict[str, Folds]] = {}
        start = 0
        for name, design in designs.items():
            models = outputs[start : start + len(design.trains)][design.models]
            start += len(design.trains)
            for metric, folds in score_folds(
                y, models, design.tests, classes=self.classes, metrics=metrics
            ).items():
                found.setdefault(metric, {})[name] = folds
        return found

    def defined(self, design: str, *systems: Mapping[str, Folds]) -> bool:
        """Whether all test sets have a score: of groups, one may lack a class.

        Parameters
        ----------
        design : str
            Name of the design.
        *systems : mapping of str to Folds
            Scores by one metric, by design.
        """
        return all(np.isfinite(self._on(design, one).scores).all() for one in systems)

    def pair(
        self, design: str, a: Mapping[str, Folds], b: Mapping[str, Folds]
    ) -> stats.PairedScores:
        """Make the sample of two systems on one design.

        Parameters
        ----------
        design : str
            Name of the design; "5 x 2" are the first ten of "15 x 2".
        a, b : mapping of str to Folds
            Scores by one metric, by design.
        """
        if design == BLOCKS:
            return stats.PairedScores.from_matrices(
                _matrix(a[BLOCKS].scores), _matrix(b[BLOCKS].scores)
            )
        first, second = (self._on(design, folds) for folds in (a, b))
        units = self._units(design)
        if design == RANDOM:
            return stats.PairedScores(first.scores, second.scores, **units)
        rows = self._contributions(design, first, second)
        if design == NINE:
            rows = replace(rows, halves=self.pair(HALVES, a, b).rows)
        return stats.PairedScores(first.scores, second.scores, rows=rows, **units)

    def single(self, design: str, folds: Mapping[str, Folds]) -> stats.Scores:
        """Make the sample of one system on one design.

        Parameters
        ----------
        design : str
            Name of the design.
        folds : mapping of str to Folds
            Its scores by one metric, by design.
        """
        own, units = self._on(design, folds), self._units(design)
        if design == RANDOM:
            return stats.Scores(own.scores, **units)
        rows = self._contributions(design, own)
        if design == NINE:
            rows = replace(rows, halves=self.single(HALVES, folds).rows)
        return stats.Scores(own.scores, rows=rows, **units)

    def _units(self, design: str) -> dict[str, Any]:
        """Say what a sample must know of the splits, counted in groups where there are any."""
        part = self.designs[_source(design)]
        trains, tests = part.trains[: _USED.get(design)], part.tests[: _USED.get(design)]
        groups, unit = self.rows.groups, "row"
        if groups is not None:
            first = np.unique(groups, return_index=True)[1]
            trains, tests, unit = trains[:, first], tests[:, first], "group"
        repeats = {} if design == RANDOM else {"n_repeats": len(tests) // N_FOLDS[design]}
        sizes = {"n_train": trains.sum(axis=1), "n_test": tests.sum(axis=1)}
        return {"unit": "split", "size_unit": unit, **sizes, **repeats}

    def _on(self, design: str, folds: Mapping[str, Folds]) -> Folds:
        whole, used = folds[_source(design)], _USED.get(design)
        return Folds(whole.scores[:used], whole.rows[:used], whole.of_mean)

    def _contributions(self, design: str, *systems: Folds) -> stats.RowContributions:
        k = N_FOLDS[design]
        tests = self.designs[_source(design)].tests[: _USED.get(design)]
        tests = tests.reshape(-1, k, tests.shape[1])
        values = [
            np.where(tests, one.rows.reshape(tests.shape), 0.0).sum(axis=1) for one in systems
        ]
        rows = stats.RowContributions(
            np.stack(values, axis=-1),
            tests.argmax(axis=1),
            self.strata(design),
            of_mean=systems[0].of_mean,
        )
        return rows if self.rows.groups is None else rows.by_group(self.rows.groups)


def _source(design: str) -> str:
    return HALVES if design == FIVE else design


def _matrix(scores: Floats) -> Floats:
    """Put the scores of all pairs of blocks into a matrix, as blocks take it."""
    matrix = np.full((N_BLOCKS, N_BLOCKS), np.nan)
    for number, (g, h) in enumerate(combinations(range(N_BLOCKS), 2)):
        # The model without g and h, tested on g, is one that has never seen h.
        matrix[h, g], matrix[g, h] = scores[2 * number : 2 * number + 2]
    return matrix
