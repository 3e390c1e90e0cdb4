"""Two systems of one score that err in unlike ways: outputs that could not change places.

The null hypothesis of equal scores holds on the population, that of exchangeable outputs
does not.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.readings import COVERAGE, NULL, Reading, Readings
from skstat import stats
from skstat.metrics import as_metric

N_RESAMPLES = 999


@dataclass(frozen=True, kw_only=True)
class Unlike:
    """Two systems on one test set, compared in one metric.

    Parameters
    ----------
    metric : str
        The metric.
    n, positives : int
        Rows of the test set, and those of class 1.
    replications : int
        How often.
    """

    metric: str
    n: int
    positives: int = 0
    replications: int = 1000
    power_replications: int = 0
    situation: str = "test_set"

    @property
    def name(self) -> str:
        """Metric and size."""
        rare = f", {self.positives} positive" if self.positives else ""
        return f"unlike in {self.metric}, {self.n} rows{rare}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**asdict(self), "n_resamples": N_RESAMPLES, "systems": SYSTEMS[self.metric]}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw a test set, and ask the tests of any metric.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            There is no alternative.
        """
        rng = np.random.default_rng(stream)
        y, outputs = self.draw(rng)
        # Without one of five positives an area is undefined; their number is fixed here.
        strata = y if self.metric == "roc_auc" else None
        sample = stats.Predictions(y, outputs, as_metric(self.metric), strata=strata)
        seed = int(rng.integers(2**31))
        found = Readings()
        on = {"on": self.metric, "quantity": NULL}
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        for studentize in (False, True):
            found.ask(stats.paired_permutation, sample, studentize=studentize, **draws, **on)
        outcome = stats.paired_bootstrap(sample, **draws)
        found.note("paired_bootstrap", outcome.pvalue, interval="percentile", **on)
        low, high = outcome.confidence_interval(0.95)
        key = Reading("paired_bootstrap", "interval='percentile'", self.metric, COVERAGE)
        found[key] = float(low <= 0 <= high)
        return found

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
        """Draw the truth and the outputs of both systems.

        Parameters
        ----------
        rng : Generator
            Source of randomness.
        """
        n, systems = self.n, SYSTEMS[self.metric]
        if self.metric == "r2":
            y = rng.standard_normal(n)
            df = systems["df"]
            heavy = rng.standard_t(df, n) / np.sqrt(df / (df - 2))
            errors = {"A": rng.standard_normal(n), "B": heavy}
            return y, {name: y + systems["sd"] * error for name, error in errors.items()}
        y = (np.arange(n) < self.positives).astype(int)
        if self.metric == "roc_auc":
            sd = systems["sd"]  # of the positives of B; both areas are Phi(1 / sqrt(2))
            wide = np.where(y == 1, np.sqrt((1 + sd**2) / 2), 0)
            wide = wide + np.where(y == 1, sd, 1) * rng.standard_normal(n)
            return y, {"A": y + rng.standard_normal(n), "B": wide}
        return y, {
            name: (rng.random(n) < np.where(y == 1, *rates)).astype(int)
            for name, rates in systems.items()
        }


# Rates of true and false positives, or what makes the errors unlike.
SYSTEMS: dict[str, dict[str, Any]] = {
    "balanced_accuracy": {"A": [0.5, 0.1], "B": [0.9, 0.5]},
    # With equal numbers of both classes: 2 t / (t + f + 1) is the same.
    "f1": {"A": [0.5, 0.1], "B": [0.9, 0.98]},
    "precision": {"A": [0.2, 0.1], "B": [0.9, 0.45]},
    "r2": {"df": 3, "sd": 0.7},
    "roc_auc": {"sd": 4.0},
}
SETTINGS = (
    Unlike(metric="balanced_accuracy", n=30, positives=3),
    Unlike(metric="balanced_accuracy", n=50, positives=25),
    Unlike(metric="balanced_accuracy", n=200, positives=20),
    Unlike(metric="f1", n=50, positives=25),
    Unlike(metric="precision", n=200, positives=100),
    Unlike(metric="r2", n=50),
    Unlike(metric="r2", n=200),
    Unlike(metric="roc_auc", n=50, positives=5),
    Unlike(metric="roc_auc", n=200, positives=100),
)
