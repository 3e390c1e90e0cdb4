"""Bootstrap of seeds crossed with instances."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._literature import OWEN_2007
from skstat.stats._outcomes import (
    ConfidenceInterval,
    Outcome,
    check_alpha,
    check_level,
    effect_sizes,
    limit,
    one_sided,
)
from skstat.stats._resampling import draw_seed
from skstat.stats._samples import (
    CrossedScores,
    check_alternative,
    check_count,
    paired_differences,
)
from skstat.stats._seeds.crossed_t import check_seeds, null_of, unseen_sources

_BLOCK = 1 << 22  # instances drawn at once; fixed, so that results never depend on memory
_OVER = "seeds and instances, for this training set"


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossedBootstrapOutcome(Outcome):
    """Outcome of the crossed bootstrap, with its sorted replicates.

    The p-value is that of the shifted replicates, the interval is that of the
    percentiles: at the border of significance they may disagree.

    The statistic is the mean difference d. Of B replicates d*, ``(1 + #{abs(d* - d) >= abs(d)})
    / (B + 1)`` is the p-value; it is nan when no replicate varies.
    """

    _rising = ("replicates",)

    replicates: Any
    noise: float
    seed: int
    ignored_variance: tuple[str, ...]
    statistic_name: str = "mean difference"

    def __post_init__(self) -> None:
        object.__setattr__(self, "ignored_variance", tuple(self.ignored_variance))
        object.__setattr__(self, "replicates", np.asarray(self.replicates, dtype=float))

    @property
    def statistic(self) -> float:
        return self.estimate

    @property
    def n_resamples(self) -> int:
        """Number of replicates."""
        return len(self.replicates)

    @property
    def n_drawn(self) -> int:
        return self.n_resamples

    @property
    def pvalue(self) -> float:
        if self.estimate == 0 and self.alternative == "two-sided":
            return 1.0
        shifts = self.replicates - self.estimate
        if not np.any(np.abs(shifts) > self.noise):
            return 1.0 if self.estimate == 0 else math.nan
        if self.alternative == "two-sided":
            extreme = np.abs(shifts) >= abs(self.estimate) - self.noise
        elif self.alternative == "greater":
            extreme = shifts >= self.estimate - self.noise
        else:
            extreme = shifts <= self.estimate + self.noise
        return (1 + int(np.sum(extreme))) / (1 + self.n_resamples)

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing replicates."""
        return math.sqrt(self.pvalue * (1 - self.pvalue) / self.n_resamples)

    @property
    def smallest_pvalue(self) -> float:
        return 1 / (1 + self.n_resamples)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        check_level(confidence_level)
        if math.isnan(self.pvalue):
            return ConfidenceInterval(math.nan, math.nan)
        alpha = 1 - confidence_level
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        # Order statistics, not interpolated ones, mirror exactly when A and B swap.
        cut = math.floor(tail * (1 + self.n_resamples) * (1 + 1e-12)) - 1
        if cut < 0:
            return one_sided(self.alternative, -math.inf, math.inf)
        return one_sided(self.alternative, self.replicates[cut], self.replicates[-1 - cut])

    def critical_value(self, alpha: float = 0.05) -> float:
        check_alpha(alpha)
        shifts = self.replicates - self.estimate
        side = -1.0 if self.alternative == "less" else 1.0
        extremes = np.sort(np.abs(shifts) if self.alternative == "two-sided" else side * shifts)
        as_extreme = len(extremes) - np.searchsorted(extremes, extremes - self.noise)
        rejecting = extremes[(1 + as_extreme) / (1 + len(extremes)) <= alpha]
        return side * limit(rejecting, "greater")


@procedure(references=(OWEN_2007,))
def crossed_bootstrap(
    sample: CrossedScores,
    *,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
) -> CrossedBootstrapOutcome:
    """Bootstrap the mean difference by drawing seeds and instances, both with replacement.

    A replicate draws the rows of the table (of each table, when seeds are not paired)
    and, independently, its columns ([1]_, the pigeonhole bootstrap): instances stay
    paired. Its variance is slightly too large in the residual part and, with S seeds,
    by (S - 1)/S too small in the seeds' part; prefer :func:`crossed_t` with few seeds.

    Parameters
    ----------
    sample : CrossedScores
        Scores of A and B for seeds and instances.
    n_resamples : int, default=9999
        Number of replicates.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    CrossedBootstrapOutcome
        The test's numbers: the p-value of the replicates shifted to the null
        hypothesis, ``(1 + #{abs(d* - d) >= abs(d)}) / (B + 1)``, and the percentile
        interval.

    Raises
    ------
    ValueError
        If neither system has two seeds, or `n_resamples` is less than 1.

    References
    ----------
    .. [1] Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics,
       1(2), 386-411. :doi:`10.1214/07-AOAS122`

    Examples
    --------
    >>> from skstat.stats import CrossedScores, crossed_bootstrap
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = crossed_bootstrap(CrossedScores(a, b), n_resamples=999, rng=0)
    >>> outcome.n_resamples, outcome.pvalue < 0.05
    (999, True)
    """
    check_alternative(alternative)
    check_count("n_resamples", n_resamples)
    check_seeds(sample, "crossed_bootstrap")
    seed = draw_seed(rng)
    replicates = np.sort(_replicates(sample, n_resamples, seed))
    return CrossedBootstrapOutcome(
        test="crossed bootstrap of seeds and instances"
        + ("" if sample.paired_seeds else ", seeds nested in systems"),
        estimand=f"mean of score(A) - score(B) over {_OVER}",
        null_hypothesis=null_of(alternative, _OVER),
        alternative=alternative,
        assumptions=(
            "the instances are independent of each other, and so are the seeds",
            "there are enough seeds and instances to represent their populations",
        ),
        effect_sizes=effect_sizes(sample.per_instance()),
        estimate=sample.difference,
        standard_error=float(np.std(replicates)),
        replicates=replicates,
        noise=sample.resolution,
        seed=seed,
        ignored_variance=unseen_sources(sample),
    )


def _replicates(sample: CrossedScores, n_resamples: int, seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    n = sample.n_units
    tables = [paired_differences(sample)] if sample.paired_seeds else [sample.a, -sample.b]
    replicates = np.zeros(n_resamples)
    rows = max(1, _BLOCK // n)
    for start in range(0, n_resamples, rows):
        block = slice(start, min(start + rows, n_resamples))
        instances = _draws(rng, block.stop - start, n)
        for table in tables:
            seeds = _draws(rng, block.stop - start, len(table))
            replicates[block] += np.sum((instances @ table.T) * seeds, axis=1)
    return replicates


def _draws(rng: np.random.Generator, n_draws: int, size: int) -> NDArray[np.float64]:
    """Weights, which sum to 1, of `size` units drawn with replacement."""
    drawn = rng.integers(size, size=(n_draws, size))
    drawn += size * np.arange(n_draws)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=n_draws * size)
    return counts.reshape(n_draws, size) / size
