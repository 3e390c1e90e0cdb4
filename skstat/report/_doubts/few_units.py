"""Doubts about a verdict that few units carry."""

import numpy as np

from skstat.report._doubts.case import Case
from skstat.report._doubts.family import FamilyCase, Mask
from skstat.report._doubts.kind import doubt
from skstat.report._words import units
from skstat.stats._sturdiness import rests_on_few


@doubt(
    "SKS235",
    "a verdict that rests on few units",
    weight="weak",
    when="The test rejects, and would not without a third or less of the rows (groups, seeds, "
    "data sets) that bell-shaped differences with the same p-value would take. Of p-values "
    "near the level, which always turn without a few rows, it is never raised.",
    action="look at these units before you rely on the verdict",
    advice="``report.sturdiness().places`` says which units these are, if they are 20 or "
    "fewer. If they are errors of the data, correct them. If they are not, the mean is a "
    "matter of few extreme units, and another sample may have others: say so, or compare "
    "ranks (``test='wilcoxon'``), which is another question. Do not leave units out because "
    "of what they say. In simulations with 20 to 10,000 rows it was never raised where "
    "differences were normal, or those of squared normal errors; of 10,000 log-normal ones "
    "(sd of the logarithm 1.5) with p = 0.01 or 0.001 nearly always.",
    page="reading_pvalues",
    about_verdict=True,
)
def rests_on_few_units(case: Case) -> str | None:
    if not case.is_decided or case.asked_again is None or case.adjusted_pvalue is not None:
        return None
    found = rests_on_few(case.sample, case.asked_again, case.outcome, case.alpha)
    if found is None:
        return None
    sturdy, usual = found
    few, of_all = sturdy.n_to_undecide, units(sturdy.n_units, sturdy.unit)
    return (
        f"without {few} of {of_all} the difference would not be significant. With bell-shaped "
        f"differences and the same p it would take about {usual:.0f}."
    )


@rests_on_few_units.of_pairs
def none_rests_on_few(family: FamilyCase) -> Mask:
    # Not told of a verdict that is adjusted for others: only the pair would be asked again.
    return np.zeros(len(family.adjusted), dtype=bool)
