"""Doubts about which of several systems may be the best."""

import math

from skstat.report._case import Doubt
from skstat.report._doubts import DoubtKind
from skstat.report._numbers import units
from skstat.stats import BestOutcome

# Skewness that is hardly an accident of few units, and that the root of their number does not
# average out: at 0.3 the best was ruled out in 9 % of simulations at a nominal 0.05.
_SKEWED, _LEFT_IN_A_MEAN = 1.5, 0.2


def find_systems_doubts(best: BestOutcome | None, unit: str) -> tuple[Doubt, ...]:
    """Return the doubts about who may be the best; none where that was not asked."""
    if best is None:
        return ()
    return tuple(
        Doubt(code=kind.code, title=kind.title, text=text)
        for kind in SYSTEMS_DOUBTS
        if (text := kind.find((best, unit))) is not None
    )


def skewed_for_few(case: tuple[BestOutcome, str]) -> str | None:
    best, unit = case
    if best.skewness is None:
        return None
    skewness = best.skewness * math.sqrt(best.n_units)
    if skewness <= _SKEWED or best.skewness <= _LEFT_IN_A_MEAN:
        return None
    return (
        f"the differences of two systems are skewed ({skewness:.1f}), much for "
        f"{units(best.n_units, unit)}: the best system may be ruled out more often than the "
        "level says."
    )


SYSTEMS_DOUBTS = (
    DoubtKind(
        code="SKS216",
        title="few units for skewed differences",
        when="It was asked which of several systems may be the best, and the differences of "
        "two of them have a skewness above 1.5 and above a fifth of the root of the number of "
        "rows, groups or seeds, so that their mean is skewed too.",
        advice="Score more rows, or compare scores whose outliers are bounded. With lognormal "
        "scores of one system and normal ones of three, a fifth as spread, all means equal, "
        "the best was ruled out in 10 % of simulations of 20 rows, 6 to 8 % of 50 and 7 to 9 % "
        "of 100, at a nominal 0.05; by Student's t alone in 14 to 17, 11 to 13 and 10 to 14 %.",
        find=skewed_for_few,
    ),
)
