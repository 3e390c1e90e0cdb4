"""Algorithms over many data sets: the data set is the unit."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.families import Families
from calibration.readings import ALPHA, NULL, POWER, Reading, Readings
from skstat import compare_scores, stats

N_RESAMPLES = 1999
SPREAD = 0.5  # of the logarithm of a data set's scale
MARGIN = 3.0
ADJUSTMENTS = (
    "bonferroni",
    "holm",
    "hochberg",
    "hommel",
    "shaffer",
    "bergmann-hommel",
)


@dataclass(frozen=True, kw_only=True)
class DataSets:
    """Scores that are normal on every data set, whose level and scale are its own.

    Parameters
    ----------
    n : int
        Number of data sets.
    effect : float
        By how many scales the better algorithms are better, for power.
    """

    n: int
    effect: float
    replications: int = 2000
    power_replications: int = 1000
    situation: str = "datasets"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {
            "n": self.n,
            "effect": self.effect,
            "spread": SPREAD,
            "margin": MARGIN,
            "n_resamples": N_RESAMPLES,
        }

    def draw(
        self, rng: np.random.Generator, k: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw exchangeable scores.

        Parameters
        ----------
        rng : Generator
            Source of randomness.
        k : int
            Number of algorithms.

        Returns
        -------
        scores : ndarray of shape (n, k)
            Scores of algorithms that are all alike.
        scales : ndarray of shape (n, 1)
            Scale of every data set.
        """
        scales = np.exp(SPREAD * rng.standard_normal((self.n, 1)))
        levels = 10 * rng.standard_normal((self.n, 1))
        return levels + scales * rng.standard_normal((self.n, k)), scales


class TwoAlgorithms(DataSets):
    """Two algorithms."""

    @property
    def name(self) -> str:
        """Number of data sets."""
        return f"2 algorithms, {self.n} data sets"

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw a table of scores, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        scores, scales = self.draw(rng, 2)
        seed = int(rng.integers(2**31))
        found = Readings()
        for quantity, effect in ((NULL, 0.0), (POWER, self.effect))[: 1 + power]:
            a, b = (scores + scales * [effect, 0.0]).T
            sample = stats.PairedScores(a, b, unit="dataset")
            on = {"on": "data sets", "quantity": quantity}
            found.ask(stats.wilcoxon, sample, **on)
            found.ask(stats.sign, sample, **on)
            found.ask(stats.sign_flip, sample, n_resamples=N_RESAMPLES, rng=seed, **on)
            found.ask(stats.paired_t, sample, **on)
            if self.n >= 10:
                found.note("compare_scores", compare_scores(sample).pvalue, **on)
            coarse = stats.PairedScores(np.round(a), np.round(b), unit="dataset")
            on["on"] = "scores in whole numbers"
            for zero_method in ("pratt", "wilcox", "zsplit"):
                found.ask(stats.wilcoxon, coarse, zero_method=zero_method, **on)
            found.ask(stats.sign, coarse, **on)
        # The means differ by just the margin, which "equivalent" must not overlook.
        edge = stats.PairedScores(scores[:, 0] + MARGIN, scores[:, 1], unit="dataset")
        same = stats.equivalence(stats.paired_t(edge), MARGIN).equivalent(ALPHA)
        found[Reading("equivalence", "", "paired_t at the margin", NULL)] = float(same)
        return found


class ManyAlgorithms(DataSets):
    """Five algorithms; for power, the last two are better."""

    @property
    def name(self) -> str:
        """Number of data sets."""
        return f"5 algorithms, {self.n} data sets"

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw a table of scores, ask every procedure.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        rng = np.random.default_rng(stream)
        scores, scales = self.draw(rng, 5)
        seed = int(rng.integers(2**31))
        gaps = rng.random(scores.shape) < 0.1
        gaps[:, 0] &= ~gaps[:, 1:].all(axis=1)
        found = Readings()
        _ask_all(found, scores, gaps, np.zeros(5), seed)
        if power:
            better = np.array([0.0, 0.0, 0.0, 1.0, 1.0])
            _ask_all(found, scores + scales * self.effect * better, gaps, better, seed)
        return found


@dataclass(frozen=True, kw_only=True)
class PartlyEqual(DataSets):
    """Algorithms of which some differ far, and others not at all.

    Parameters
    ----------
    levels : tuple of float
        True level of every algorithm, in scales of a data set times `effect`.
    what : str
        What tables call this truth.
    """

    levels: tuple[float, ...]
    what: str
    effect: float = 4.0
    replications: int = 1000
    power_replications: int = 0

    @property
    def name(self) -> str:
        """Truth, and number of data sets."""
        return f"{len(self.levels)} algorithms, {self.what}, {self.n} data sets"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**super().parameters(), "levels": list(self.levels)}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw a table of scores, ask every procedure for pairs.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Not used: some algorithms differ in any case.
        """
        del power
        scores, scales = self.draw(np.random.default_rng(stream), len(self.levels))
        names = tuple("abcdef"[: len(self.levels)])
        table = stats.ScoreTable(
            scores + scales * self.effect * np.array(self.levels),
            systems=names,
            unit="dataset",
        )
        found = Readings()
        _ask_pairs(Families(found, names, self.levels, self.what), table, exact=False)
        return found


def _ask_all(found: Readings, scores: Any, gaps: Any, truth: Any, seed: int) -> None:
    names = tuple("abcde")
    table = stats.ScoreTable(scores, systems=names, unit="dataset")
    equal = not truth.any()
    on = {"on": "data sets", "quantity": NULL if equal else POWER}
    for statistic in ("f", "chi2"):
        found.ask(stats.friedman, table, statistic=statistic, **on)
    if len(scores) <= 6:  # the exact law of many data sets takes long
        found.ask(stats.friedman, table, statistic="exact", **on)
    found.ask(stats.friedman, table, ranking="aligned", **on)
    found.ask(stats.friedman, table, ranking="quade", **on)
    for correction in (None, "greenhouse-geisser", "huynh-feldt"):
        found.ask(stats.repeated_measures_anova, table, correction=correction, **on)
    found.ask(stats.largest_t, table, n_resamples=N_RESAMPLES, rng=seed, **on)
    found.ask(stats.skillings_mack, table, **on)
    holes = stats.ScoreTable(np.where(gaps, np.nan, scores), systems=names, unit="dataset")
    on["on"] = "data sets, a tenth of the scores missing"
    found.ask(stats.skillings_mack, holes, **on)
    families = Families(
        found, names, truth.tolist(), "all alike" if equal else "two are better"
    )
    _ask_pairs(families, table)


def _ask_pairs(families: Families, table: stats.ScoreTable, *, exact: bool = True) -> None:
    by_wilcoxon = stats.pairwise(table, stats.wilcoxon)
    for method in ADJUSTMENTS:
        adjusted = stats.adjust_pvalues(by_wilcoxon.pvalues, method)
        families.pairs(
            "adjust_pvalues", by_wilcoxon.pairs, adjusted, f"{method!r} of pairwise_wilcoxon"
        )
    asked = [
        ("pairwise_wilcoxon", "", by_wilcoxon),
        ("pairwise_sign", "", stats.pairwise(table, stats.sign)),
        ("pairwise", "paired_t", stats.pairwise(table, stats.paired_t)),
        ("nemenyi", "", stats.nemenyi(table)),
        ("nemenyi", "control='a'", stats.nemenyi(table, control="a")),
        *(
            (
                "pairwise_mean_ranks",
                f"ranking={r!r}, method='t'",
                stats.pairwise_mean_ranks(table, ranking=r, method="t"),
            )
            for r in ("friedman", "quade")
        ),
        *(
            (
                "pairwise_mean_ranks",
                f"ranking={r!r}",
                stats.pairwise_mean_ranks(table, ranking=r),
            )
            for r in ("friedman", "aligned", "quade")
        ),
    ]
    if exact:
        outcome = stats.pairwise_mean_ranks(table, method="exact")
        asked.append(("pairwise_mean_ranks", "method='exact'", outcome))
    for procedure, written, outcome in asked:
        families.pairs(procedure, outcome.pairs, outcome.adjusted_pvalues, written)


@dataclass(frozen=True, kw_only=True)
class Replicable:
    """On how many data sets is there an effect? One z test on each, some with an effect.

    Parameters
    ----------
    n, n_effects : int
        Data sets, and those with an effect.
    effect : float
        Mean of z where there is one.
    """

    n: int
    n_effects: int
    effect: float = 2.5
    replications: int = 2000
    power_replications: int = 0
    situation: str = "datasets"

    @property
    def name(self) -> str:
        """Numbers of data sets."""
        return f"{self.n} tested data sets, {self.n_effects} with an effect"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        counts = ("replications", "power_replications", "situation")
        return {key: value for key, value in asdict(self).items() if key not in counts}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw p-values, count data sets.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Not used: both quantities come from one law.
        """
        del power
        z = np.random.default_rng(stream).standard_normal(self.n)
        z[: self.n_effects] += self.effect
        found = Readings()
        for method in ("fisher", "bonferroni"):
            outcome = stats.replicability(ndtr(-z), method=method)
            key = partial(Reading, "replicability", f"method={method!r}", "count too high")
            found[key(NULL)] = float(outcome.count > self.n_effects)
            naive = float(np.sum(ndtr(-z) < ALPHA) > self.n_effects)
        found[Reading("counting p < 0.05", "", "count too high", NULL)] = naive
        return found


_COUNTS = ((6, 2.0), (10, 1.2), (30, 0.6))
SETTINGS = (
    *(TwoAlgorithms(n=n, effect=effect) for n, effect in _COUNTS),
    *(ManyAlgorithms(n=n, effect=effect) for n, effect in _COUNTS),
    *(
        PartlyEqual(n=n, levels=levels, what=what)
        for n in (10, 30)
        for levels, what in (
            ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), "all equal"),
            ((0.0, 0.0, 1.0, 1.0, 2.0, 2.0), "three equal pairs"),
            ((0.0, 0.0, 0.0, 0.0, 0.0, 1.0), "one better"),
        )
    ),
    Replicable(n=8, n_effects=0),
    Replicable(n=8, n_effects=3),
)
