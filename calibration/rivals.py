"""Other intervals for the difference of two learners, on data on which the corrected t fails.

Data, first systems and halves are those of the situation "losses", so that the rates can be
read beside those of `corrected_t` and `projection_t` there.

- *m x 2*: all scores of the 15 balanced halvings, with the conservative variance of block-
  regularized m x 2 cross-validation [1]_;
- *one K-fold*: a 10-fold cross-validation, with the variance over rows [2]_;
- *nested K-fold*: nested 10-fold cross-validation, ten times [3]_.

The last two are for means over rows. The second is made for the ten fitted models, not for the
learners; what is counted is whether it holds for the learners.

References
----------
.. [1] Wang, R., Wang, Y., Li, J., Yang, X. & Yang, J. (2017). Block-regularized m x 2
   cross-validated estimator of the generalization error. Neural Computation, 29(2), 519-554.
.. [2] Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020). Cross-validation confidence
   intervals for test error. NeurIPS 33, 16339-16350.
.. [3] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it estimate
   and how well does it do it? JASA, 119(546), 1434-1445.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.losses import SETTINGS as OF_LOSSES
from calibration.losses.designs import HALVES
from calibration.losses.samples import Fits
from calibration.losses.scores import Folds, score_folds
from calibration.losses.settings import Alike, Different
from calibration.losses.truths import truths_of
from calibration.readings import COVERAGE, NULL, Reading, Readings
from skstat import stats
from skstat.evaluation import NestedKFold

M_BY_TWO, ONE, NESTED = "m x 2", "one K-fold", "nested K-fold"

Floats = NDArray[np.float64]


def m_by_two(scores: ArrayLike) -> stats.Estimate:
    """Average the scores of m halvings with overlaps that are alike.

    Let a score have the variance s^2, the two of one halving the correlation 0, and others
    r <= 1/2. The mean of all 2m has the variance s^2 (1 + 2 (m - 1) r) / 2m, which is s^2 / 2
    at most. The sum of squares about the mean, over 2m, has the expectation
    s^2 (2m - 1 - 2 (m - 1) r) / 2m, which is s^2 / 2 at least. The t has 2m - 1 degrees of
    freedom.

    Parameters
    ----------
    scores : array-like of shape (2 * m,)
        Differences of all halves.
    """
    found = np.asarray(scores, dtype=float)
    law = stats.Student(
        estimate=float(found.mean()), standard_error=float(found.std()), df=len(found) - 1
    )
    return stats.Estimate(
        method="m x 2", estimand="", unit="split", n_units=len(found), law=law
    )


@dataclass(frozen=True, kw_only=True)
class Rivals:
    """One or two learners, asked for intervals of a difference.

    Parameters
    ----------
    setting : Alike or Different
        The setting of "losses": law, size and learners.
    replications : int
        Replicates of a full study.
    folds, repeats : int
        Of nested cross-validation; its first repeat has the folds of the single one.
    """

    setting: Alike | Different
    replications: int = 500
    folds: int = 10
    repeats: int = 10
    power_replications: int = 0
    situation: str = "rivals"

    @property
    def name(self) -> str:
        """Name of the setting of "losses", and of this situation."""
        return f"{self.setting.name} (rivals)"

    def parameters(self) -> dict[str, Any]:
        """Return what is simulated."""
        return {**self.setting.parameters(), "folds": self.folds, "repeats": self.repeats}

    def draw(self, stream: np.random.SeedSequence) -> tuple[Fits, int]:
        """Draw data and halves as the setting does, and a seed for the folds.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        """
        own = np.random.SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key[-1:], 1))
        return self.setting.draw(stream), int(own.generate_state(1)[0] % 2**31)

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Note which intervals hold the truth.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Not used.
        """
        found, alike = Readings(), isinstance(self.setting, Alike)
        truths = {} if alike else truths_of(self.name, self.parameters())
        for rival, on, estimate in self.intervals(self.draw(stream)):
            low, high = estimate.confidence_interval()
            holds = float(low <= (0.0 if alike else truths[on]) <= high)
            if alike:
                found[Reading(rival, "", on, NULL)] = 1 - holds
            else:
                found[Reading(rival, "", on, COVERAGE)] = holds
        return found

    def intervals(self, drawn: tuple[Fits, int]) -> Iterator[tuple[str, str, stats.Estimate]]:
        """Yield rival, metric and rival, and estimate of A - B.

        Parameters
        ----------
        drawn : tuple of Fits and int
            Data, and the seed of the folds.
        """
        fits, seed = drawn
        y, halves = fits.rows.y, fits.designs[HALVES]
        cv = NestedKFold(self.folds, self.repeats, random_state=seed)
        trains, tests = np.zeros((2, cv.get_n_splits(), len(y)), dtype=bool)
        for split, (train, test) in enumerate(cv.split(np.zeros((len(y), 1)))):
            trains[split, train] = tests[split, test] = True
        a, b = (
            score_folds(
                y,
                learner.outputs(X, y, np.concatenate([halves.trains, trains])),
                np.concatenate([halves.tests, tests]),
                classes=fits.classes,
                metrics=self.setting.metrics,
            )
            for learner, X in self._systems(fits)
        )
        n_halves = len(halves.tests)
        for metric, first in a.items():
            apart = _difference(first, b[metric])
            found = {M_BY_TWO: m_by_two(apart.scores[:n_halves])}
            if apart.of_mean:
                folds = tests[: self.folds].argmax(axis=0)
                rows = apart.rows[n_halves + folds, np.arange(len(y))]
                sorted_out = nested(apart.rows[n_halves:], tests, self.folds)
                found[ONE] = stats.cross_validation_estimate(rows, folds)
                found[NESTED] = stats.nested_cv_estimate(*sorted_out)
            for rival, estimate in found.items():
                yield rival, f"{metric}, {rival}", estimate

    def _systems(self, fits: Fits) -> list[tuple[Any, Floats]]:
        setting, rows = self.setting, fits.rows
        if isinstance(setting, Different):
            return [(setting.learner, rows.first), (setting.other, rows.first)]
        return [(setting.learner, rows.first), (setting.learner, rows.second)]


def nested(
    rows: Floats, tests: NDArray[np.bool_], n_folds: int
) -> tuple[list[list[Floats]], list[list[Floats]]]:
    """Sort the rows' scores of the fits of `NestedKFold` by the fold that no model has seen.

    Parameters
    ----------
    rows : ndarray of shape (n_splits, n_rows)
        Score of every row that a split tests.
    tests : ndarray of bool of shape (n_splits, n_rows)
        The test rows.
    n_folds : int
        Number of folds.

    Returns
    -------
    outer, inner : list of lists of ndarray
        By repeat and fold: the scores of its rows, and those of all others by models without
        both their fold and this one.
    """
    outer, inner = [], []
    size = n_folds * (n_folds + 1) // 2
    for start in range(0, len(tests), size):
        folds, values = tests[start : start + n_folds], rows[start : start + size]
        outer.append([values[k, fold] for k, fold in enumerate(folds)])
        others: list[list[Floats]] = [[] for _ in folds]
        for number, (i, j) in enumerate(combinations(range(n_folds), 2), start=n_folds):
            others[j].append(values[number, folds[i]])
            others[i].append(values[number, folds[j]])
        inner.append([np.concatenate(scores) for scores in others])
    return outer, inner


def _difference(a: Folds, b: Folds) -> Folds:
    return Folds(a.scores - b.scores, a.rows - b.rows, a.of_mean)


_OF = (
    "logistic regression C = 0.001, balanced, n = 100",
    "logistic regression C = 0.1, balanced, n = 100",
    "25-NN, balanced, n = 100",
    "kernel ridge, balanced, n = 100",
    "boosting, 10 rounds, balanced, n = 100",
    "ridge alpha = 1000, normal noise, n = 100",
    "logistic regression C = 0.001 against logistic regression C = 1, balanced, n = 100",
    "logistic regression C = 0.005 against logistic regression C = 1, balanced, n = 300",
    "logistic regression C = 0.02 against logistic regression C = 1, 25 % positives, n = 300",
    "15-NN against logistic regression C = 1, 25 % positives, n = 100",
    "class shares against logistic regression C = 0.1, 20 % positives, n = 150",
    "kernel ridge against boosting, 10 rounds, balanced, n = 300",
)
SETTINGS = tuple(
    Rivals(setting=setting, replications=min(500, setting.replications))
    for setting in OF_LOSSES
    if setting.name in _OF
)
