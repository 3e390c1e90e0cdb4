"""Seeds crossed with instances: which variance each test counts, and which it ignores."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from skstat import stats
from skstat.metrics import as_metric

N_RESAMPLES = 999
ERROR = as_metric("neg_mean_absolute_error")


@dataclass(frozen=True, kw_only=True)
class Seeds:
    """Scores with effects of the seed, of the instance, and of both; all normal.

    The null hypothesis is about the procedure: all seeds, and all instances.

    Parameters
    ----------
    n_seeds : int
        Seeds of each system.
    paired_seeds : bool
        Whether the systems share their seeds.
    effect : float
        Mean difference for power.
    n_instances : int
        Instances of the test set.
    sd_seed, sd_instance, sd_both : float
        Standard deviations of the effects on one system's score; an instance also has an
        effect that the systems share.
    """

    n_seeds: int
    paired_seeds: bool
    effect: float
    n_instances: int = 200
    sd_seed: float = 0.05
    sd_instance: float = 0.5
    sd_both: float = 0.5
    replications: int = 1000
    power_replications: int = 300
    situation: str = "groups_time_seeds"

    @property
    def name(self) -> str:
        """Number and kind of seeds."""
        kind = "paired" if self.paired_seeds else "unpaired"
        return f"{self.n_seeds} {kind} seeds, {self.n_instances} instances"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        counts = ("replications", "power_replications", "situation")
        state = {key: value for key, value in asdict(self).items() if key not in counts}
        return {**state, "n_resamples": N_RESAMPLES}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw seeds and instances, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        shape = (2, self.n_seeds, self.n_instances)
        scores = self.sd_seed * rng.standard_normal((2, self.n_seeds, 1))
        if self.paired_seeds:  # half of the seed's effect is common to the systems
            scores = np.sqrt(0.5) * (
                scores + self.sd_seed * rng.standard_normal((self.n_seeds, 1))
            )
        scores = scores + self.sd_instance * rng.standard_normal((2, 1, self.n_instances))
        scores = scores + rng.standard_normal(self.n_instances)
        a, b = scores + self.sd_both * rng.standard_normal(shape)
        seed = int(rng.integers(2**31))
        found = Readings()
        self._ask(found, a, b, NULL, seed)
        if power:
            self._ask(found, a + self.effect, b, POWER, seed)
        return found

    def _ask(self, found: Readings, a: Any, b: Any, quantity: str, seed: int) -> None:
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        sample = stats.SeedScores({"a": a, "b": b}, paired_seeds=self.paired_seeds)
        on = {"on": "seeds", "quantity": quantity}
        outcomes = {
            "crossed_t": stats.crossed_t(sample),
            "seed_average_t": stats.crossed_t(sample, random="instances"),
            "seed_means_t": stats.crossed_t(sample, random="seeds"),
            "seeded_bootstrap": stats.seeded_bootstrap(self._runs(a, b), **draws),
        }
        for name, outcome in outcomes.items():
            found.note(name, outcome.pvalue, **on)
            if quantity == NULL:
                low, high = outcome.confidence_interval(0.95)
                found[Reading(name, "", "seeds", COVERAGE)] = float(low <= 0 <= high)
        pooled = stats.PairedScores(a.ravel(), b.ravel(), unit="instance")
        on["on"] = "all seeds and instances pooled"
        found.ask(stats.paired_t, pooled, **on)

    def _runs(self, a: Any, b: Any) -> stats.SeedScores:
        rows = {
            f"{name} {s}": 50 - row
            for name, x in (("A", a), ("B", b))
            for s, row in enumerate(x)
        }
        runs = stats.Predictions(np.zeros(self.n_instances), rows, ERROR)
        n_seeds = dict.fromkeys("AB", self.n_seeds)
        return stats.SeedScores.of_runs(runs, n_seeds, paired_seeds=self.paired_seeds)


SETTINGS = (
    Seeds(n_seeds=5, paired_seeds=False, effect=0.15),
    Seeds(n_seeds=10, paired_seeds=False, effect=0.13),
    Seeds(n_seeds=5, paired_seeds=True, effect=0.14),
    Seeds(n_seeds=10, paired_seeds=True, effect=0.12),
)
