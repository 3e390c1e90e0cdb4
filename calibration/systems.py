"""Four systems on one data set: families of pairs, and who may be the best."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from calibration.designs import THIRD, make_designs
from calibration.families import Families
from calibration.laws import Gauss
from calibration.learners import NaiveBayes
from calibration.readings import COVERAGE, NULL, POWER, Reading, Readings
from skstat import compare_scores, stats

N_RESAMPLES = 999
NAMES = tuple("abcd")
ALIKE = (0.0, 0.0, 0.0, 0.0)
# Of the scores without outliers.
_SPREAD = 0.2
ONE_WORSE = (0.0, 0.0, 0.0, -1.0)


@dataclass(frozen=True, kw_only=True)
class Systems:
    """What all settings have in common.

    Parameters
    ----------
    n : int
        Rows, or groups.
    effect : float
        By how much the last system is worse, for power.
    """

    n: int
    effect: float
    replications: int = 1000
    power_replications: int = 200
    situation: str = "systems"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {"n": self.n, "effect": self.effect, "n_resamples": N_RESAMPLES}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one table of scores under each law, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        seed = int(rng.integers(2**31))
        found = Readings()
        laws = (("all alike", ALIKE), ("one is worse", ONE_WORSE))[: 1 + power]
        for (law, truth), table in zip(laws, self.tables(rng, power), strict=True):
            self.ask(found, Families(found, NAMES, truth, law), table, seed)
        return found

    def tables(self, rng: np.random.Generator, power: bool) -> Sequence[stats.ScoreTable]:
        """Draw the tables: all systems alike, and one of them worse.

        Parameters
        ----------
        rng : Generator
            Source of randomness.
        power : bool
            Whether the second one is wanted.
        """
        raise NotImplementedError

    def ask(
        self, found: Readings, families: Families, table: stats.ScoreTable, seed: int
    ) -> None:
        """Ask every procedure that suits the table.

        Parameters
        ----------
        found : Readings
            Receives what tests of all systems say.
        families : Families
            Receives what pairs and sets say.
        table : ScoreTable
            Scores.
        seed : int
            Seeds what resamples.
        """
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class OnSplits(Systems):
    """Naive Bayes on four exchangeable blocks of features."""

    law: Gauss

    @property
    def name(self) -> str:
        """Design and size."""
        return f"4 systems, {THIRD} splits of {self.n} rows"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**super().parameters(), **asdict(self.law), "estimator": "GaussianNB()"}

    def tables(self, rng: np.random.Generator, power: bool) -> Sequence[stats.ScoreTable]:
        """Draw one data set, fit all splits.

        Parameters
        ----------
        rng, power
            As in `Systems`.
        """
        y, noise = self.law.draw(rng, self.n, len(NAMES))
        design = make_designs(y, rng)[THIRD]
        weights = design.weights
        tests = weights == 0

        def accuracies(block: Any, delta: float) -> Any:
            X = self.law.at(block, y, delta)
            right = NaiveBayes().fit(X, y, weights).predict(X) == (y == 1)
            return (right & tests).sum(axis=1) / tests.sum(axis=1)

        columns = [accuracies(block, self.law.delta) for block in noise]
        make = partial(stats.ScoreTable, systems=NAMES, **design.sizes)
        tables = [make(np.column_stack(columns))]
        if power:
            columns[-1] = accuracies(noise[-1], self.law.delta - self.effect)
            tables.append(make(np.column_stack(columns)))
        return tables

    def ask(
        self, found: Readings, families: Families, table: stats.ScoreTable, seed: int
    ) -> None:
        """Ask what is valid for splits, and the naive pairs.

        Parameters
        ----------
        found, families, table, seed
            As in `Systems`.
        """
        del found  # no test of all systems is valid for splits
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        for adjustment in ("holm", "max-t"):
            report = compare_scores(table, adjustment=adjustment, random_state=seed)
            pvalues = list(report.pairs.column("adjusted"))
            pairs = [pair[:2] for pair in report.pairs]
            families.pairs("compare_scores", pairs, pvalues, f"adjustment={adjustment!r}")
        _best(families, table, draws, ("t",))


@dataclass(frozen=True, kw_only=True)
class OnInstances(Systems):
    """Right and wrong answers of four systems that find the same rows hard."""

    accuracy: float = 0.8

    @property
    def name(self) -> str:
        """Size of the test set."""
        return f"4 systems, {self.n} test rows"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**super().parameters(), "accuracy": self.accuracy}

    def tables(self, rng: np.random.Generator, power: bool) -> Sequence[stats.ScoreTable]:
        """Draw how hard rows are, and who gets them right.

        Parameters
        ----------
        rng, power
            As in `Systems`.
        """
        # Half of the answers are common to all systems, so that they agree often.
        common = rng.random((self.n, 1))
        own = rng.random((self.n, len(NAMES)))
        drawn = np.where(rng.random(own.shape) < 0.5, common, own)
        tables = []
        for truth in (ALIKE, ONE_WORSE)[: 1 + power]:
            right = drawn < self.accuracy + self.effect * np.array(truth)
            tables.append(stats.ScoreTable(right.astype(float), systems=NAMES, unit="instance"))
        return tables

    def ask(
        self, found: Readings, families: Families, table: stats.ScoreTable, seed: int
    ) -> None:
        """Ask tests of all systems, of pairs, and of the best.

        Parameters
        ----------
        found, families, table, seed
            As in `Systems`.
        """
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        on = {"on": "instances", "quantity": POWER if any(families.truth) else NULL}
        found.ask(stats.cochran_q, table, method="chi2", **on)
        if self.n <= 25:  # the exact law of many rows takes long, and chi-squared serves
            found.ask(stats.cochran_q, table, method="permutation", **on)
        found.ask(stats.largest_t, table, **draws, **on)
        for test in (stats.mcnemar, stats.paired_t):
            pairs = stats.pairwise(table, test)
            families.pairs("pairwise", pairs.pairs, pairs.adjusted_pvalues, test.__name__)
        _max_t(families, table, seed)
        _best(families, table, draws, ("t", "bootstrap"))


@dataclass(frozen=True, kw_only=True)
class OnGroups(Systems):
    """Mean scores of four systems on each group, normal."""

    @property
    def name(self) -> str:
        """Number of groups."""
        return f"4 systems, {self.n} groups"

    def tables(self, rng: np.random.Generator, power: bool) -> Sequence[stats.ScoreTable]:
        """Draw levels of groups, and scores.

        Parameters
        ----------
        rng, power
            As in `Systems`.
        """
        scores = rng.standard_normal((self.n, 1)) + rng.standard_normal((self.n, len(NAMES)))
        return [
            stats.ScoreTable(
                scores + self.effect * np.array(truth), systems=NAMES, unit="group"
            )
            for truth in (ALIKE, ONE_WORSE)[: 1 + power]
        ]

    def ask(
        self, found: Readings, families: Families, table: stats.ScoreTable, seed: int
    ) -> None:
        """Ask tests of all systems, of pairs, and of the best.

        Parameters
        ----------
        found, families, table, seed
            As in `Systems`.
        """
        draws = {"n_resamples": N_RESAMPLES, "rng": seed}
        on = {"on": "groups", "quantity": POWER if any(families.truth) else NULL}
        found.ask(stats.largest_t, table, **draws, **on)
        pairs = stats.pairwise(table, stats.paired_t)
        families.pairs("pairwise", pairs.pairs, pairs.adjusted_pvalues, "paired_t")
        _max_t(families, table, seed)
        _best(families, table, draws, ("t", "bootstrap"))


@dataclass(frozen=True, kw_only=True)
class OnSkewedRows(Systems):
    """Rows on which one system has lognormal scores and three have normal ones.

    Parameters
    ----------
    sign : float
        1 for a few high scores, -1 for a few low ones.
    """

    sign: float
    effect: float = 0.0
    power_replications: int = 0

    @property
    def name(self) -> str:
        """Number of rows, and where the outliers lie."""
        return f"4 systems, {self.n} skewed rows, {'high' if self.sign > 0 else 'low'} outliers"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**super().parameters(), "sign": self.sign, "spread": _SPREAD}

    def tables(self, rng: np.random.Generator, power: bool) -> Sequence[stats.ScoreTable]:
        """Draw scores of equal means.

        Parameters
        ----------
        rng, power
            As in `Systems`.
        """
        del power
        scores = _SPREAD * rng.standard_normal((self.n, len(NAMES)))
        skewed = np.exp(rng.standard_normal(self.n)) - np.exp(0.5)
        scores[:, 0] = self.sign * skewed
        return [stats.ScoreTable(scores, systems=NAMES, unit="instance")]

    def ask(
        self, found: Readings, families: Families, table: stats.ScoreTable, seed: int
    ) -> None:
        """Ask who may be the best: the system with outliers, and one without.

        Parameters
        ----------
        found, families, table, seed
            As in `Systems`.
        """
        for method in ("auto", "t", "bootstrap", "studentized"):
            options = {"method": method, "n_resamples": N_RESAMPLES, "rng": seed}
            best = stats.compare_with_best(table, **options).may_be_best(0.05)
            kept = stats.model_confidence_set(table, **options).may_be_best(0.05)
            for on, name in (("one best, with outliers", "a"), ("one best, without", "b")):
                reading = Reading("compare_with_best", f"method={method!r}", on, COVERAGE)
                found[reading] = float(name in best)
            every = Reading(
                "model_confidence_set", f"method={method!r}", "every best", COVERAGE
            )
            found[every] = float(set(kept) == set(NAMES))


def _max_t(families: Families, table: stats.ScoreTable, seed: int) -> None:
    # The joint p-values are the same whatever test is asked of each pair alone.
    report = compare_scores(table, test="paired_t", adjustment="max-t", random_state=seed)
    pvalues = list(report.pairs.column("adjusted"))
    pairs = [pair[:2] for pair in report.pairs]
    families.pairs("compare_scores", pairs, pvalues, "adjustment='max-t'")


def _best(
    families: Families,
    table: stats.ScoreTable,
    draws: dict[str, int],
    methods: Sequence[str],
) -> None:
    for method in methods:
        written = f"method={method!r}"
        best = stats.compare_with_best(table, method=method, **draws)
        families.best("compare_with_best", best.may_be_best(0.05), written, every=False)
        kept = stats.model_confidence_set(table, method=method, **draws).may_be_best(0.05)
        families.best("model_confidence_set", kept, written, every=True)


SETTINGS = (
    OnSplits(n=300, effect=0.15, law=Gauss(n_features=10, delta=0.5)),
    OnInstances(n=25, effect=0.25),
    OnInstances(n=100, effect=0.14),
    OnInstances(n=400, effect=0.07),
    OnGroups(n=12, effect=1.3),
    OnGroups(n=20, effect=0.95),
    OnGroups(n=35, effect=0.7),
    *(OnSkewedRows(n=n, sign=sign) for n in (20, 50, 100) for sign in (1.0, -1.0)),
)
