"""Rows in groups: tests that know the groups, and what happens to those that do not."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from skstat import stats
from skstat.metrics import as_metric

N_RESAMPLES = 1999
ERROR = as_metric("neg_mean_absolute_error")


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Differences with an effect of the group, normal, on groups of one size or of many.

    The sizes are uniform, or lognormal if `spread` is given.

    Parameters
    ----------
    n_groups : int
        Number of groups.
    icc : float
        Intraclass correlation of the differences.
    sizes : tuple of int
        Smallest and largest size of a group.
    effect : float
        Mean difference for power, in standard deviations of a row's difference.
    spread : float, optional
        Standard deviation of the logarithm of lognormal sizes, of which the smallest of
        `sizes` is the median.
    """

    n_groups: int
    icc: float
    sizes: tuple[int, int] = (8, 8)
    effect: float
    spread: float | None = None
    replications: int = 2000
    power_replications: int = 500
    situation: str = "groups_time_seeds"

    @property
    def name(self) -> str:
        """Number and size of groups, and their correlation."""
        low, high = self.sizes
        rows = f"{low}" if low == high else f"{low} to {high}"
        if self.spread is not None:
            rows = f"lognormal sizes (sd {self.spread}) around {low}"
        return f"{self.n_groups} groups of {rows} rows, ICC {self.icc}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {
            "n_groups": self.n_groups,
            "icc": self.icc,
            "sizes": list(self.sizes),
            "effect": self.effect,
            "n_resamples": N_RESAMPLES,
            **({} if self.spread is None else {"spread": self.spread}),
        }

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw groups, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        groups = np.repeat(np.arange(self.n_groups), self._sizes(rng))
        shared, own = rng.standard_normal(self.n_groups), rng.standard_normal(len(groups))
        noise = np.sqrt(self.icc) * shared[groups] + np.sqrt(1 - self.icc) * own
        # Errors far from 0, so that their absolute values keep the law of the difference.
        base = 50 + rng.standard_normal(len(groups))
        seed = int(rng.integers(2**31))
        found = Readings()
        self._ask(found, base, noise, groups, NULL, seed)
        if power:
            self._ask(found, base, noise + self.effect, groups, POWER, seed)
        return found

    def _sizes(self, rng: np.random.Generator) -> Any:
        low, high = self.sizes
        if self.spread is None:
            return rng.integers(low, high + 1, self.n_groups)
        sizes = np.round(rng.lognormal(np.log(low), self.spread, self.n_groups))
        return np.maximum(1, sizes).astype(int)

    def _ask(
        self, found: Readings, base: Any, d: Any, groups: Any, quantity: str, seed: int
    ) -> None:
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        on = {"on": "groups", "quantity": quantity}
        errors = {"A": base - d / 2, "B": base + d / 2}
        rows = [-error for error in errors.values()]
        clustered = stats.PairedScores(*rows, groups=groups)
        found.ask(stats.clustered_t, clustered, **on)
        found.ask(stats.sign_flip, clustered.per_group(), **draws, **on)
        truth = np.zeros(len(d))
        sample = stats.Predictions(truth, errors, ERROR, groups=groups)
        found.ask(stats.paired_permutation, sample, **draws, **on)
        outcome = stats.paired_bootstrap(sample, **draws)
        found.note("paired_bootstrap", outcome.pvalue, interval="percentile", **on)
        if quantity == NULL:
            low, high = outcome.confidence_interval(0.95)
            key = Reading("paired_bootstrap", "interval='percentile'", "groups", COVERAGE)
            found[key] = float(low <= 0 <= high)
        on["on"] = "rows, groups ignored"
        instances = stats.PairedScores(*rows, unit="instance")
        found.ask(stats.paired_t, instances, **on)
        found.ask(stats.sign_flip, instances, **draws, **on)


SETTINGS = (
    Groups(n_groups=10, icc=0.1, effect=0.3),
    Groups(n_groups=10, icc=0.3, effect=0.4),
    Groups(n_groups=30, icc=0.1, effect=0.16),
    Groups(n_groups=30, icc=0.3, effect=0.22),
    Groups(n_groups=10, icc=0.3, sizes=(1, 15), effect=0.4),
    Groups(n_groups=30, icc=0.3, sizes=(1, 15), effect=0.22),
    Groups(
        n_groups=40,
        icc=0.3,
        sizes=(6, 6),
        spread=1.5,
        effect=0.3,
        replications=1000,
        power_replications=200,
    ),
)
