"""Doubts about the verdicts on several systems, taken together."""

import math

from skstat.report._doubts.case import SystemsCase
from skstat.report._doubts.kind import Found, doubt
from skstat.report._words import units
from skstat.stats._outcomes import unit_word

# Skewness that is hardly an accident of few units, and that the root of their number does not
# average out: at 0.6 the best was ruled out in 8 % of simulations at a nominal 0.05.
_SKEWED, _LEFT_IN_A_MEAN = 1.5, 0.2


@doubt(
    "SKS216",
    "few units for skewed differences",
    weight="weak",
    when="It was asked which of several systems may be the best, and the differences of "
    "two of them have a skewness above 1.5 and above a fifth of the root of the number of "
    "rows, groups or seeds, so that their mean is skewed too.",
    action="score more rows",
    advice="Score more rows, or compare scores whose outliers are bounded. With lognormal "
    "or minus lognormal scores of one system and normal ones of three, a fifth as spread, "
    "all means equal, the best was ruled out in 7 to 8 % of 400 simulations of 20 rows, 6 "
    "% of 50 and 3 to 5 % of 100, at a nominal 0.05.",
    of=SystemsCase,
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
        f"{units(report.n_units, report.unit)}: the best system may be ruled out too often."
    )


@doubt(
    "SKS217",
    "no pair can be significant",
    weight="weak",
    when="Several systems were compared, and the smallest adjusted p-value that so many "
    "units, draws and pairs can give is not below the level.",
    action="use more units",
    advice="Score more units, draw more (``n_resamples=``), or compare fewer systems, or all "
    "of them with a ``control=``. Where one set of resamples judges all pairs "
    "(``adjustment='max-t'``), its smallest p-value does not depend on their number.",
    of=SystemsCase,
)
def floor_decides(case: SystemsCase) -> Found | None:
    report = case.report
    least = report.pairwise.smallest_pvalue
    if not least >= report.alpha or not report.pairwise.family.directions.any():
        return None  # where all systems score the same there is nothing to find
    fewer = "" if report.pairwise.adjustment == "max-t" else ", or compare fewer systems"
    return Found(
        text=f"the smallest possible adjusted p-value is {least:.3g}, and the level is "
        f"{report.alpha:.3g}: no pair can be significant, whatever the scores.",
        action=f"use more {unit_word(report.unit)}s{fewer}",
    )
