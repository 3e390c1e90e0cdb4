"""Doubts about the verdicts on several systems, taken together."""

import math
from dataclasses import dataclass
from typing import Any

from skstat.report._case import Doubt
from skstat.report._doubts import DoubtKind
from skstat.report._numbers import units

# Skewness that is hardly an accident of few units, and that the root of their number does not
# average out: at 0.6 the best was ruled out in 8 % of simulations at a nominal 0.05.
_SKEWED, _LEFT_IN_A_MEAN = 1.5, 0.2


@dataclass(frozen=True, kw_only=True)
class SystemsCase:
    """A comparison of several systems, as the doubts look at it.

    Attributes
    ----------
    report : SystemsReport
        The comparison.
    skewness : float or None
        Largest absolute skewness of the difference of two systems over the root of the
        number of units; None where the scores are no means.
    """

    report: Any
    skewness: float | None = None


def find_systems_doubts(report: Any, skewness: float | None = None) -> tuple[Doubt, ...]:
    """Return the doubts about the verdicts of a report on several systems."""
    case = SystemsCase(report=report, skewness=skewness)
    return tuple(
        Doubt(code=kind.code, title=kind.title, text=text)
        for kind in SYSTEMS_DOUBTS
        if (text := kind.find(case)) is not None
    )


def skewed_for_few(case: SystemsCase) -> str | None:
    report = case.report
    if case.skewness is None or not report.may_be_best:
        return None
    skewness = case.skewness * math.sqrt(report.n_units)
    if skewness <= _SKEWED or case.skewness <= _LEFT_IN_A_MEAN:
        return None
    return (
        f"the differences of two systems are skewed ({skewness:.1f}), much for "
        f"{units(report.n_units, report.unit)}: the best system may be ruled out more often "
        "than the level says."
    )


def floor_decides(case: SystemsCase) -> str | None:
    report = case.report
    least = report.pairwise.smallest_pvalue
    if not least >= report.alpha:
        return None
    return (
        f"the smallest adjusted p-value that is possible here is {least:.3g}, and the level "
        f"{report.alpha:.3g}: no pair can be told to differ, whatever the scores."
    )


SYSTEMS_DOUBTS = (
    DoubtKind(
        code="SKS216",
        title="few units for skewed differences",
        when="It was asked which of several systems may be the best, and the differences of "
        "two of them have a skewness above 1.5 and above a fifth of the root of the number of "
        "rows, groups or seeds, so that their mean is skewed too.",
        advice="Score more rows, or compare scores whose outliers are bounded. With lognormal "
        "or minus lognormal scores of one system and normal ones of three, a fifth as spread, "
        "all means equal, the best was ruled out in 7 to 8 % of 400 simulations of 20 rows, 6 "
        "% of 50 and 3 to 5 % of 100, at a nominal 0.05.",
        find=skewed_for_few,
    ),
    DoubtKind(
        code="SKS217",
        title="no pair can be significant",
        when="Several systems were compared, and the smallest adjusted p-value that so many "
        "units, draws and pairs can give is not below the level.",
        advice="Leave ``adjustment`` out: one set of draws then judges all pairs, and its "
        "smallest p-value does not depend on their number. Else score more units, draw more "
        "(``n_resamples=``), or compare fewer systems, or all of them with a ``control=``.",
        find=floor_decides,
    ),
)
