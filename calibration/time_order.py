"""Rows in time order: Diebold-Mariano, blocks, and tests that ignore the order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from skstat import stats
from skstat.metrics import as_metric

N_RESAMPLES = 1999
ERROR = as_metric("neg_mean_absolute_error")
BURN_IN = 100


@dataclass(frozen=True, kw_only=True)
class TimeOrder:
    """Differences that follow a moving average, or an autoregression.

    Parameters
    ----------
    n : int
        Steps in time.
    horizon : int
        Given to the test by formula; a moving average of horizon - 1 steps suits it.
    ar : float or None
        Coefficient of an autoregression instead, which no finite horizon suits.
    effect : float
        Mean difference for power, in standard deviations of a difference.
    """

    n: int
    horizon: int
    ar: float | None = None
    effect: float
    replications: int = 2000
    power_replications: int = 500
    situation: str = "groups_time_seeds"

    @property
    def name(self) -> str:
        """Law, length and horizon."""
        law = f"AR({self.ar})" if self.ar is not None else f"MA({self.horizon - 1})"
        return f"{self.n} steps, {law}, horizon {self.horizon}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {
            "n": self.n,
            "horizon": self.horizon,
            "ar": self.ar,
            "effect": self.effect,
            "n_resamples": N_RESAMPLES,
        }

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw a series, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        noise = self._series(rng)
        base = 50 + rng.standard_normal(self.n)
        seed = int(rng.integers(2**31))
        found = Readings()
        self._ask(found, base, noise, NULL, seed)
        if power:
            self._ask(found, base, noise + self.effect, POWER, seed)
        return found

    def _series(self, rng: np.random.Generator) -> NDArray[np.float64]:
        shocks = rng.standard_normal(self.n + BURN_IN)
        if self.ar is None:
            weights = np.full(self.horizon, self.horizon**-0.5)
            series = lfilter(weights, 1, shocks)
        else:
            series = lfilter([np.sqrt(1 - self.ar**2)], [1, -self.ar], shocks)
        return series[BURN_IN:]

    def _ask(self, found: Readings, base: Any, d: Any, quantity: str, seed: int) -> None:
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        on = {"on": "time order", "quantity": quantity}
        errors = {"A": base - d / 2, "B": base + d / 2}
        rows = [-error for error in errors.values()]
        ordered = stats.PairedScores(*rows, unit="instance", ordered=True)
        found.ask(stats.diebold_mariano, ordered, **on)
        found.ask(stats.diebold_mariano, ordered, horizon=self.horizon, **on)
        sample = stats.Predictions(np.zeros(self.n), errors, ERROR, order=np.arange(self.n))
        outcome = stats.paired_bootstrap(sample, **draws)
        found.note("paired_bootstrap", outcome.pvalue, **on)
        if quantity == NULL:
            low, high = outcome.confidence_interval(0.95)
            found[Reading("paired_bootstrap", "", "time order", COVERAGE)] = float(
                low <= 0 <= high
            )
        on["on"] = "rows, order ignored"
        instances = stats.PairedScores(*rows, unit="instance")
        found.ask(stats.paired_t, instances, **on)


SETTINGS = (
    TimeOrder(n=50, horizon=1, effect=0.25),
    TimeOrder(n=50, horizon=3, effect=0.4),
    TimeOrder(n=50, horizon=5, effect=0.6),
    TimeOrder(n=200, horizon=3, effect=0.2),
    TimeOrder(n=50, horizon=1, ar=0.3, effect=0.3),
    TimeOrder(n=200, horizon=1, ar=0.3, effect=0.15),
    TimeOrder(n=50, horizon=1, ar=0.5, effect=0.4),
    TimeOrder(n=200, horizon=1, ar=0.5, effect=0.2),
    TimeOrder(n=200, horizon=5, ar=0.5, effect=0.2),
    TimeOrder(n=50, horizon=1, ar=0.9, effect=1.0),
    TimeOrder(n=200, horizon=1, ar=0.9, effect=0.6),
)
