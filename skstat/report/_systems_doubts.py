"""Doubts about which of several systems may be the best."""

import math

from skstat.report._case import Doubt
from skstat.report._doubts import DoubtKind
from skstat.report._numbers import units
from skstat.stats import BestOutcome

# Skewness that few units do not average out, and its share that a single outlier has.
_FEW, _SKEWED, _OF_FEW_UNITS = 50, 1.0, 0.5


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
    few = best.n_units < _FEW and skewness > _SKEWED
    if not few and best.skewness <= _OF_FEW_UNITS:
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
        "two of them have a skewness above 1 on fewer than 50 rows, groups or seeds, or above "
        "half the root of their number: one that a handful of them make.",
        advice="Score more rows, or compare scores whose outliers are bounded. With lognormal "
        "scores of one system and normal ones of three, all means equal, the best was ruled "
        "out in 9 to 11 % of simulations of 20 units and in 3 to 7 % of 50 and 100, at a "
        "nominal 0.05; by Student's t alone in 14 to 16 % of 20, 8 to 10 % of 50.",
        find=skewed_for_few,
    ),
)
