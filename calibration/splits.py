"""Two algorithms on splits of one data set, under an exact null about algorithms."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.designs import (
    BOOTSTRAP,
    FIVE_BY_TWO,
    TEN_BY_TEN,
    TEN_FOLD,
    TENTH,
    THIRD,
    Design,
    make_designs,
)
from calibration.laws import Gauss
from calibration.learners import (
    STUMP,
    TREE,
    Centroids,
    Discriminant,
    Learner,
    NaiveBayes,
    Neighbour,
)
from calibration.readings import NULL, POWER, Readings
from skstat import stats

HOLD_OUT = "one 1/3 hold-out"


def bouckaert_t(sample: stats.PairedScores) -> stats.Comparison:
    """Ask the corrected test with the calibration of 10x10 folds."""
    return stats.corrected_t(sample, calibrated=True)


PROCEDURES: Mapping[str, tuple[Any, ...]] = {
    THIRD: (
        stats.corrected_t,
        stats.paired_t,
        stats.wilcoxon,
        stats.sign,
        stats.sign_flip,
    ),
    TENTH: (stats.corrected_t, stats.paired_t),
    TEN_BY_TEN: (stats.corrected_t, bouckaert_t, stats.paired_t),
    TEN_FOLD: (stats.corrected_t, stats.paired_t),
    FIVE_BY_TWO: (stats.five_by_two_f, stats.five_by_two_t, stats.corrected_t),
    BOOTSTRAP: (stats.corrected_t,),
}


@dataclass(frozen=True, kw_only=True)
class Splits:
    """One learner, asked whether it is better on block A or on block B.

    Parameters
    ----------
    learner : Learner
        The learner.
    n : int
        Rows of the data set.
    law : Gauss
        Law of the rows; both blocks alike.
    better : float
        Distance of the class means of block B where B is better, for power.
    replications : int
        Replicates of a full study.
    """

    learner: Learner
    n: int
    law: Gauss
    better: float
    replications: int = 2000
    power_replications: int = 1000
    situation: str = "splits"

    @property
    def name(self) -> str:
        """Learner and size."""
        return f"{self.learner.name}, n = {self.n}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        estimator = repr(self.learner.estimator())
        return {**asdict(self.law), "n": self.n, "better": self.better, "estimator": estimator}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one data set, fit all splits, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        y, (first, second) = self.law.draw(rng, self.n)
        designs = make_designs(y, rng)
        found = Readings()
        # The better B has the noise of the equal one: power differs by delta alone.
        blocks = {NULL: self.law.at(second, y)}
        if power:
            blocks[POWER] = self.law.at(second, y, self.better)
        right_a = self.right(self.law.at(first, y), y, designs)
        for quantity, block in blocks.items():
            right_b = self.right(block, y, designs)
            ask_splits(found, designs, right_a, right_b, quantity)
        return found

    def right(
        self, X: NDArray[np.float64], y: NDArray[np.int64], designs: Mapping[str, Design]
    ) -> NDArray[np.bool_]:
        """Whether each row is predicted correctly by the model of each split.

        Parameters
        ----------
        X : ndarray of shape (n, n_features)
            One block.
        y : ndarray of shape (n,)
            Classes.
        designs : mapping of str to Design
            The splits, whose models are stacked in this order.
        """
        weights = np.concatenate([design.weights for design in designs.values()])
        return self.learner.fit(X, y, weights).predict(X) == (y == 1)


def ask_splits(
    found: Readings,
    designs: Mapping[str, Design],
    right_a: NDArray[np.bool_],
    right_b: NDArray[np.bool_],
    quantity: str,
) -> None:
    """Ask all procedures of all designs.

    Parameters
    ----------
    found : Readings
        Receives what they say.
    designs : mapping of str to Design
        The splits.
    right_a, right_b : ndarray of shape (n_splits, n_rows)
        Correct predictions of A and B, the splits of all designs stacked.
    quantity : str
        ``NULL`` or ``POWER``.
    """
    start = 0
    for name, design in designs.items():
        models = range(start, start + len(design.splits))
        start = models.stop
        pairs = list(zip(models, design.splits, strict=True))
        a, b = (
            np.array([right[model, test].mean() for model, (_, test) in pairs])
            for right in (right_a, right_b)
        )
        _ask(found, name, stats.PairedScores(a, b, **design.sizes), quantity)
        if name == TEN_BY_TEN:
            ten = Design(TEN_FOLD, design.splits[:10], 1)
            sample = stats.PairedScores(a[:10], b[:10], **ten.sizes)
            _ask(found, TEN_FOLD, sample, quantity)
        if name == THIRD:
            model, (_, test) = pairs[0]
            rows = (right[model, test].astype(float) for right in (right_a, right_b))
            held_out = stats.PairedScores(*rows, unit="instance")
            for method in ("midp", "exact"):
                found.ask(
                    stats.mcnemar, held_out, on=HOLD_OUT, quantity=quantity, method=method
                )


def _ask(found: Readings, name: str, sample: stats.PairedScores, quantity: str) -> None:
    for procedure in PROCEDURES[name]:
        rng = {"rng": 0, "n_resamples": 1999} if procedure is stats.sign_flip else {}
        found.ask(procedure, sample, on=name, quantity=quantity, **rng)


TEN = Gauss(n_features=10, delta=0.5)
SETTINGS = (
    Splits(learner=NaiveBayes(), n=300, law=TEN, better=0.63),
    Splits(learner=Centroids(), n=300, law=TEN, better=0.62),
    Splits(learner=Discriminant(), n=300, law=Gauss(n_features=40, delta=0.3), better=0.375),
    Splits(learner=Neighbour(), n=300, law=TEN, better=0.64),
    Splits(learner=NaiveBayes(), n=100, law=TEN, better=0.71),
    Splits(learner=Centroids(), n=100, law=TEN, better=0.72),
    Splits(learner=Discriminant(), n=100, law=Gauss(n_features=20, delta=0.4), better=0.59),
    Splits(learner=STUMP, n=300, law=TEN, better=0.9, power_replications=300),
    Splits(
        learner=TREE,
        n=300,
        law=Gauss(n_features=5, delta=0.7),
        better=0.95,
        power_replications=200,
    ),
)
