"""Two fitted models on one test set, under an exact null about models.

One model is fitted to block A and applied to both blocks of the test rows. Its two uses
have the same law, so that every metric has the same expectation: the null hypothesis
about models holds for just these two.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration import unlike
from calibration.laws import Gauss
from calibration.learners import Discriminant, Linear
from calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from skstat import compare_predictions, stats
from skstat.metrics import as_metric

N_TRAIN = 200
N_RESAMPLES = 999
COSTS = np.array([[0.0, 1.0], [8.0, 0.0]])  # a missed positive costs eight false alarms
INTERVALS = ("percentile", "basic", "bca")
METRICS = {name: as_metric(name) for name in ("accuracy", "f1", "roc_auc")}


@dataclass(frozen=True, kw_only=True)
class TestSet:
    """A test set of one size.

    Parameters
    ----------
    n : int
        Rows of the test set.
    law : Gauss
        Law of the rows.
    better : float
        Distance of the class means of the test rows of block B, for power.
    """

    __test__ = False

    n: int
    law: Gauss
    better: float
    replications: int = 2000
    power_replications: int = 300
    situation: str = "test_set"

    @property
    def name(self) -> str:
        """Size of the test set."""
        return f"{self.n} test rows"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {
            **asdict(self.law),
            "n": self.n,
            "better": self.better,
            "n_train": N_TRAIN,
            "n_resamples": N_RESAMPLES,
            "costs": COSTS.tolist(),
            "estimator": repr(Discriminant().estimator()),
        }

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Fit one model, apply it to both blocks of new rows, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        model, y, blocks = self.draw(rng, 3)
        seed = int(rng.integers(2**31))
        score_a, score_b, score_c = (model.decide(self.law.at(block, y))[0] for block in blocks)
        found = Readings()
        _ask_labels(found, y, labels_of(score_a, score_b), NULL, seed)
        _ask_scores(found, y, score_a, score_b, NULL, seed)
        areas = stats.BinaryScores.from_scores(y, {"A": score_a, "B": score_b, "C": score_c})
        found.ask(stats.delong_wald, areas, on="roc_auc of three")
        if power:
            (score_b,) = model.decide(self.law.at(blocks[1], y, self.better))
            _ask_labels(found, y, labels_of(score_a, score_b), POWER, seed)
            _ask_scores(found, y, score_a, score_b, POWER, seed)
        return found

    def draw(
        self, rng: np.random.Generator, n_blocks: int = 2
    ) -> tuple[Linear, NDArray[np.int64], NDArray[np.float64]]:
        """Draw training rows, fit one model to block A, and draw the test rows.

        Parameters
        ----------
        rng : Generator
            Source of randomness.
        n_blocks : int, default=2
            Blocks of the test rows.

        Returns
        -------
        model : Linear
            The model.
        y : ndarray of shape (n,)
            Classes of the test rows.
        noise : ndarray of shape (n_blocks, n, n_features)
            Their features without the class means.
        """
        y_train, (noise,) = self.law.draw(rng, N_TRAIN, 1)
        X = self.law.at(noise, y_train)
        model = Discriminant().fit(X, y_train, np.ones((1, N_TRAIN)))
        return model, *self.law.draw(rng, self.n, n_blocks)


def labels_of(
    score_a: NDArray[np.float64], score_b: NDArray[np.float64]
) -> dict[str, NDArray[np.int64]]:
    """Turn the scores of A and B into predicted classes.

    Parameters
    ----------
    score_a, score_b : ndarray of shape (n,)
        Class 1 is predicted where they are positive.
    """
    return {"A": (score_a > 0).astype(int), "B": (score_b > 0).astype(int)}


def rows_of(y: NDArray[np.int64], labels: dict[str, NDArray[np.int64]]) -> stats.PairedScores:
    """Return 1 for each right and 0 for each wrong prediction.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Classes.
    labels : dict
        Predicted classes of A and B.
    """
    right = ((label == y).astype(float) for label in labels.values())
    return stats.PairedScores(*right, unit="instance")


def _ask_labels(
    found: Readings,
    y: NDArray[np.int64],
    labels: dict[str, NDArray[np.int64]],
    quantity: str,
    seed: int,
) -> None:
    draws = {"n_resamples": N_RESAMPLES, "rng": seed}
    rows = rows_of(y, labels)
    on = {"on": "accuracy", "quantity": quantity}
    for method in ("midp", "exact", "chi2", "edwards"):
        found.ask(stats.mcnemar, rows, method=method, **on)
    found.ask(stats.sign_flip, rows, **draws, **on)
    found.ask(stats.paired_t, rows, **on)
    report = compare_predictions(y, labels, metric="accuracy")
    found.note("compare_predictions", report.pvalue, **on)
    costs = [-COSTS[y, label] for label in labels.values()]
    costly = stats.PairedScores(*costs, unit="instance")
    on["on"] = "cost"
    found.ask(stats.cost, costly, **draws, **on)
    found.ask(stats.paired_t, costly, **on)
    for name in ("accuracy", "f1"):
        sample = stats.Predictions(y, labels, METRICS[name])
        _resample(found, sample, draws, {"on": name, "quantity": quantity})


def _ask_scores(
    found: Readings,
    y: NDArray[np.int64],
    score_a: NDArray[np.float64],
    score_b: NDArray[np.float64],
    quantity: str,
    seed: int,
) -> None:
    scores = {"A": score_a, "B": score_b}
    on = {"on": "roc_auc", "quantity": quantity}
    found.ask(stats.delong, stats.BinaryScores.from_scores(y, scores), **on)
    sample = stats.Predictions(y, scores, METRICS["roc_auc"])
    _resample(found, sample, {"n_resamples": N_RESAMPLES, "rng": seed}, on)


def _resample(
    found: Readings, sample: stats.Predictions, draws: dict[str, int], on: dict[str, str]
) -> None:
    """p-values, and whether the intervals hold 0."""
    for studentize in (False, True):
        found.ask(stats.paired_permutation, sample, studentize=studentize, **draws, **on)
    for interval in INTERVALS:
        outcome = stats.paired_bootstrap(sample, interval=interval, **draws)
        if interval == "percentile":  # the others have its p-value
            found.note("paired_bootstrap", outcome.pvalue, interval=interval, **on)
        if on["quantity"] == NULL:
            low, high = outcome.confidence_interval(0.95)
            key = Reading("paired_bootstrap", f"interval={interval!r}", on["on"], COVERAGE)
            found[key] = float(low <= 0 <= high)
    found.ask(stats.paired_bootstrap, sample, pvalue="berg-kirkpatrick", **draws, **on)


@dataclass(frozen=True, kw_only=True)
class OneModel:
    """One model, whose accuracy is known in closed form.

    Parameters
    ----------
    setting : TestSet
        Where model and rows come from.
    """

    setting: TestSet
    replications: int = 4000
    power_replications: int = 4000
    situation: str = "test_set"

    @property
    def name(self) -> str:
        """Size of the test set."""
        return f"one model, {self.setting.n} test rows"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return self.setting.parameters()

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Count right predictions, and ask about the true accuracy.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether an accuracy that is 0.1 too low is asked about too.
        """
        model, y, blocks = self.setting.draw(np.random.default_rng(stream), 1)
        law = self.setting.law
        truth = 1 - float(law.linear_error(model.coef, model.intercept)[0])
        hits = int(np.sum(model.predict(law.at(blocks[0], y))[0] == y))
        sample = stats.Successes(hits, len(y))
        found = Readings()
        found.ask(stats.binomial, sample, on="accuracy", constant=truth)
        if power:
            false = {"constant": truth - 0.1, "quantity": POWER}
            found.ask(stats.binomial, sample, on="accuracy", **false)
        for method in ("wilson", "clopper-pearson", "jeffreys"):
            low, high = stats.proportion_interval(hits, len(y), 0.95, method=method)
            key = Reading("proportion_interval", f"method={method!r}", "accuracy", COVERAGE)
            found[key] = float(low <= truth <= high)
        return found


LAW = Gauss(n_features=10, delta=0.5)
SETTINGS = (
    TestSet(n=50, law=LAW, better=0.9),
    TestSet(n=200, law=LAW, better=0.7),
    OneModel(setting=TestSet(n=50, law=LAW, better=0.9)),
    OneModel(setting=TestSet(n=200, law=LAW, better=0.7)),
    *unlike.SETTINGS,
)
