"""Standardised effect sizes of paired scores."""

import math

import numpy as np

from skstat.stats._common import procedure
from skstat.stats._outcomes.wording import unit_word
from skstat.stats._samples import PairedScores, PairsOfTable


@procedure()
def effect_sizes(sample: PairedScores) -> dict[str, float]:
    """Effect sizes of the differences A - B.

    Parameters
    ----------
    sample : PairedScores
        Scores of both systems on the same units.

    Returns
    -------
    dict of str to float
        ``d_z`` (mean over standard deviation of the differences) and ``Hedges g``
        (the same times 1 - 3 / (4 df - 1)), both named with their unit because over
        splits they are inflated by design; ``rank-biserial``, (R+ - R-)/(R+ + R-)
        of the signed ranks; ``common-language``, the share of units on which A
        scores higher, ties counted half. A standardised effect without variance
        is nan, or 0 when there is no difference at all.

    References
    ----------
    .. [1] Hedges, L. V. (1981). Distribution theory for Glass's estimator of
       effect size. Journal of Educational Statistics, 6(2), 107-128.
    .. [2] Kerby, D. S. (2014). The simple difference formula. Comprehensive
       Psychology, 3.

    Examples
    --------
    >>> from skstat.stats import PairedScores, effect_sizes
    >>> sample = PairedScores([3.0, 2.0, 4.0], [1.0, 2.0, 1.0], unit="dataset")
    >>> effects = effect_sizes(sample)
    >>> round(effects["common-language"], 3), effects["rank-biserial"]
    (0.833, 1.0)
    """
    differences = sample.differences
    won = float(np.mean((np.sign(differences) + 1) / 2))
    numbers = (float(np.mean(differences)), spread_of(sample), sample.rank_biserial, won)
    return _named(*numbers, sample.identical, sample.n_units, sample.unit)


def effect_sizes_at(pairs: PairsOfTable, place: int, unit: str) -> dict[str, float]:
    """Effect sizes of one of many pairs that were looked at together."""
    found = (pairs.means, pairs.spreads, pairs.rank_biserial, pairs.shares_won)
    mean, spread, ranks, won = (float(each[place]) for each in found)
    spread = spread if pairs.varies[place] else 0.0
    return _named(mean, spread, ranks, won, bool(pairs.identical[place]), pairs.n_units, unit)


def spread_of(sample: PairedScores) -> float:
    """Standard deviation of the differences; 0 where they vary by float noise alone."""
    spread = float(np.std(sample.differences, ddof=1)) if sample.n_units > 1 else 0.0
    return spread if spread > sample.resolution else 0.0


def _named(
    mean: float,
    spread: float,
    rank_biserial: float,
    won: float,
    identical: bool,
    n: int,
    unit: str | None,
) -> dict[str, float]:
    d_z = mean / spread if spread else 0.0 if identical else math.nan
    over = f"over {unit_word(unit)}s"
    # The approximate factor is 0 at one degree of freedom, where none exists.
    hedges = 1 - 3 / (4 * (n - 1) - 1) if n > 2 else math.nan
    return {
        f"d_z {over}": d_z,
        f"Hedges g {over}": hedges * d_z if d_z else 0.0,
        "rank-biserial": rank_biserial,
        "common-language": won,
    }
