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
    d_z = _standardised_mean(differences, sample.resolution)
    won = float(np.mean((np.sign(differences) + 1) / 2))
    return _named(d_z, sample.rank_biserial, won, len(differences), sample.unit)


def effect_sizes_at(pairs: PairsOfTable, place: int, unit: str) -> dict[str, float]:
    """Effect sizes of one of many pairs that were looked at together."""
    mean = float(pairs.means[place])
    d_z = mean / float(pairs.spreads[place]) if pairs.varies[place] else math.nan
    if pairs.identical[place]:
        d_z = 0.0
    numbers = (pairs.rank_biserial, pairs.shares_won)
    ranks, won = (float(each[place]) for each in numbers)
    return _named(d_z, ranks, won, pairs.n_units, unit)


def _named(
    d_z: float, rank_biserial: float, won: float, n: int, unit: str | None
) -> dict[str, float]:
    over = f"over {unit_word(unit)}s"
    # The approximate factor is 0 at one degree of freedom, where none exists.
    hedges = 1 - 3 / (4 * (n - 1) - 1) if n > 2 else math.nan
    return {
        f"d_z {over}": d_z,
        f"Hedges g {over}": hedges * d_z if d_z else 0.0,
        "rank-biserial": rank_biserial,
        "common-language": won,
    }


def _standardised_mean(differences: np.ndarray, resolution: float) -> float:
    mean = float(np.mean(differences))
    if not differences.any():
        return 0.0
    sd = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    return mean / sd if sd > resolution else math.nan
