"""Two fitted models on one test set, under an exact null about models.

One model is fitted to block A and applied to both blocks of the test rows. Its two uses
have the same law, so that every metric has the same expectation: the null hypothesis
about models holds for just these two.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.laws import Gauss
from benchmarks.calibration.learners import Discriminant
from benchmarks.calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from skstat import compare_predictions, stats
from skstat.metrics import as_metric

N_TRAIN = 200
N_RESAMPLES = 1999
COSTS = np.array([[0.0, 1.0], [8.0, 0.0]])  # a missed positive costs eight false alarms
INTERVALS = ("percentile", "basic", "bca", "studentized")
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
    power_replications: int = 500
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
        y_train, (noise,) = self.law.draw(rng, N_TRAIN, 1)
        X = self.law.at(noise, y_train)
        model = Discriminant().fit(X, y_train, np.ones((1, N_TRAIN)))
        coef, intercept = model.coef[0], model.intercept[0]
        y, (first, second) = self.law.draw(rng, self.n)
        seed = int(rng.integers(2**31))
        found = Readings()
        score_a = self.law.at(first, y) @ coef + intercept
        _ask(found, y, score_a, self.law.at(second, y) @ coef + intercept, NULL, seed)
        truth = 1 - float(self.law.linear_error(model.coef, model.intercept)[0])
        _ask_one(found, int(np.sum((score_a > 0) == y)), self.n, truth, power)
        if power:
            score_b = self.law.at(second, y, self.better) @ coef + intercept
            _ask(found, y, score_a, score_b, POWER, seed)
        return found


def _ask(
    found: Readings,
    y: NDArray[np.int64],
    score_a: NDArray[np.float64],
    score_b: NDArray[np.float64],
    quantity: str,
    seed: int,
) -> None:
    draws = {"n_resamples": N_RESAMPLES, "rng": seed}
    labels = {"A": (score_a > 0).astype(int), "B": (score_b > 0).astype(int)}
    rows = stats.PairedScores(
        *((label == y).astype(float) for label in labels.values()), unit="instance"
    )
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
    found.ask(stats.cost_test, costly, **draws, **on)
    found.ask(stats.cost_test, costly, method="empirical-likelihood", **on)
    found.ask(stats.paired_t, costly, **on)

    scores = {"A": score_a, "B": score_b}
    on["on"] = "roc_auc"
    found.ask(stats.delong, stats.BinaryScores(y, scores), **on)
    for name, metric in METRICS.items():
        on["on"] = name
        outputs = scores if name == "roc_auc" else labels
        sample = stats.PairedPredictions(y, outputs, metric)
        for studentize in (False, True):
            found.ask(stats.paired_permutation, sample, studentize=studentize, **draws, **on)
        _bootstrap(found, sample, draws, on)


def _bootstrap(
    found: Readings, sample: stats.PairedPredictions, draws: dict[str, int], on: dict[str, str]
) -> None:
    """p-values, and whether the intervals leave 0 out."""
    for interval in INTERVALS:
        outcome = stats.paired_bootstrap(sample, interval=interval, **draws)
        if interval in ("percentile", "studentized"):  # the others have p of the first
            found.note("paired_bootstrap", outcome.pvalue, interval=interval, **on)
        if on["quantity"] == NULL:
            low, high = outcome.confidence_interval(0.95)
            key = Reading("paired_bootstrap", f"interval={interval!r}", on["on"], COVERAGE)
            found[key] = float(low <= 0 <= high)
    found.ask(stats.paired_bootstrap, sample, pvalue="berg-kirkpatrick", **draws, **on)


def _ask_one(found: Readings, hits: int, n: int, truth: float, power: bool) -> None:
    """Ask the binomial test of one model whose accuracy is known."""
    sample = stats.Successes(hits, n)
    found.ask(stats.binomial_test, sample, on="accuracy", constant=truth)
    if power:
        found.ask(
            stats.binomial_test, sample, on="accuracy", quantity=POWER, constant=truth - 0.1
        )
    for interval in ("wilson", "clopper-pearson", "jeffreys"):
        outcome = stats.binomial_test(sample, constant=truth, interval=interval)
        low, high = outcome.confidence_interval(0.95)
        key = Reading("binomial_test", f"interval={interval!r}", "accuracy", COVERAGE)
        found[key] = float(low <= truth <= high)


LAW = Gauss(n_features=10, delta=0.5)
SETTINGS = (TestSet(n=50, law=LAW, better=0.9), TestSet(n=200, law=LAW, better=0.7))
