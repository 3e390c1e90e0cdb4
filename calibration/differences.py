"""Intervals for the difference of two learners that are equally good, as tests."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from calibration.laws import Gauss
from calibration.learners import STUMP, TREE, Centroids, Discriminant, NaiveBayes, Neighbour
from calibration.performance import FIVE, TEN, Fits, Performance, Rows, asked
from calibration.readings import NULL, POWER, WIDTH, Reading, Readings


@dataclass(frozen=True, kw_only=True)
class Differences(Performance):
    """One learner on two blocks of features, A and B, that may change places.

    Parameters
    ----------
    learner, n, law, replications
        As in `Performance`.
    better : float
        Distance of the class means of block B where B is better, for power.
    """

    better: float
    power_replications: int = 300
    situation: str = "differences"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**super().parameters(), "better": self.better}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one data set, fit both to all splits, ask every method of the difference.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        y, (first, second) = self.law.draw(rng, self.n)
        seed = int(rng.integers(2**31))
        blocks = {NULL: self.law.at(second, y)}
        if power:
            blocks[POWER] = self.law.at(second, y, self.better)
        found = Readings()
        for quantity, other in blocks.items():
            splits = np.random.default_rng(seed)  # the same for both
            fits = Pairs(self.learner, self.law, self.law.at(first, y), y, splits, other)
            for name, options, design, estimate, _ in asked(fits):
                low, high = estimate.confidence_interval()
                excludes = float(low > 0 or high < 0) if low == low else np.nan
                found[Reading(name, options, design, quantity)] = excludes
                if quantity == NULL:
                    found[Reading(name, options, design, WIDTH)] = float(high - low)
        return found


@dataclass(frozen=True)
class Pairs(Fits):
    """Models of both blocks; what is said of a row is the difference of A and B."""

    intervals: ClassVar[tuple[str, ...]] = ("t",)
    kinds: ClassVar[tuple[str, ...]] = ("oob", "632")
    bounds: ClassVar[tuple[float | None, float | None]] = (None, None)

    other: Rows

    def right(self, splits: list[Any]) -> tuple[Any, Rows]:
        """Fit every split in both blocks; return the differences of correct predictions."""
        weights = self.weights(splits)
        a, b = (
            self.learner.fit(X, self.y, weights).predict(X) == (self.y == 1)
            for X in (self.X, self.other)
        )
        return None, a.astype(float) - b

    def accuracy(self, n_train: int, *, resampled: bool = False) -> float:
        """Return the difference of the learners, which is none."""
        return 0.0

    def of(self, models: Any) -> float:
        """Return nothing: only the learners are asked about."""
        return np.nan


SETTINGS = (
    Differences(learner=NaiveBayes(), n=300, law=TEN, better=0.63, replications=1000),
    Differences(learner=Centroids(), n=300, law=TEN, better=0.62, replications=1000),
    Differences(
        learner=Discriminant(), n=300, law=Gauss(n_features=40, delta=0.3), better=0.375
    ),
    Differences(learner=STUMP, n=300, law=TEN, better=0.9),
    Differences(learner=TREE, n=300, law=FIVE, better=0.95, power_replications=100),
    Differences(learner=Neighbour(), n=300, law=TEN, better=0.64, power_replications=100),
)
