"""Doubts about the verdict: p near its level, intervals, margins, other partitions."""

import numpy as np

from skstat.metrics._known import lies_between_0_and_1
from skstat.report._doubts.case import Case
from skstat.report._doubts.design_units import FEW_BOOTSTRAPPED
from skstat.report._doubts.family import FamilyCase, Mask
from skstat.report._doubts.kind import Found, doubt
from skstat.report._doubts.table_case import TableCase, TablePairVerdict
from skstat.report._partition_stability import Stability
from skstat.report._words import (
    decimals_for,
    drawing_error,
    fixed,
    pvalue_text,
    stability_text,
)
from skstat.stats import PermutationOutcome, equivalence

# Without a margin, of a metric from 0 to 1: differences that hardly anybody would ignore,
# and those that hardly anybody would notice.
_LARGE_DIFFERENCE = 0.05
_SMALL_DIFFERENCE = 0.01
_CLOSE = 1.25
_MOST_AGREE = 0.8
_MANY_RESAMPLES = 99_999


@doubt(
    "SKS206",
    "test and interval disagree",
    weight="weak",
    when="The test rejects and the interval contains 0, or the reverse. By default a "
    "report's interval inverts its test, or nearly does; of a permutation test of 20 rows "
    "or groups or more, the bootstrap interval of the same rows is looked at as a check.",
    action="call the result borderline",
    advice="The permutation test assumes that the systems are exchangeable, the bootstrap "
    "that the test set is large. With few rows trust the test; with systems that err in "
    "different ways, ask ``studentize=True``.",
    about_verdict=True,
)
def interval_disagrees(case: Case) -> str | None:
    if case.identical or case.without_pvalue:
        return None
    low, high = case.interval
    which = "interval"
    if isinstance(case.outcome, PermutationOutcome) and case.outcome.inverts_test:
        if case.n_effective < FEW_BOOTSTRAPPED:  # no check of anything
            return None
        low, high = case.outcome.bootstrap_interval(case.level)
        if np.isnan(low):  # the metric is undefined on too many resamples
            return None
        decimals = decimals_for([low, high])
        limits = " to ".join(fixed(end, decimals, sign=True) for end in (low, high))
        which = f"bootstrap interval of the same rows ({limits})"
    rejects = case.pvalue < case.alpha
    if rejects == (low > 0 or high < 0) or np.isnan(low):
        return None
    return (
        f"the test {'rejects' if rejects else 'does not reject'}, but the {which} "
        f"{'contains' if rejects else 'excludes'} 0: their assumptions differ."
    )


@interval_disagrees.of_pairs
def intervals_that_disagree(family: FamilyCase) -> Mask:
    low, high = family.low, family.high
    asked = ~family.pairs.identical & ~family.untested & ~np.isnan(low)
    return asked & (family.rejects != ((low > 0) | (high < 0)))


@interval_disagrees.of(TablePairVerdict)
def interval_of_pair_disagrees(case: TablePairVerdict) -> str | None:
    low, high = case.interval
    rejects = case.pvalue < case.alpha
    if np.isnan([case.pvalue, low]).any() or rejects == (low > 0 or high < 0):
        return None
    return (
        f"the test {'rejects' if rejects else 'does not reject'}, but the interval "
        f"{'contains' if rejects else 'excludes'} 0: they treat equal scores differently, or "
        "their assumptions differ."
    )


@interval_disagrees.among_cases(TablePairVerdict)
def intervals_of_pairs_that_disagree(case: TableCase) -> Mask:
    adjusted, sides = case.pairwise.adjusted_pvalues, case.sides
    known = ~np.isnan(adjusted) & ~np.isnan(sides)
    return known & ((adjusted < case.alpha) != (sides != 0))


@doubt(
    "SKS208",
    "p-value near the level",
    weight="weak",
    when="A p-value from random resamples lies within two of its Monte Carlo errors of the "
    "level.",
    action=f"use more resamples, n_resamples={_MANY_RESAMPLES:_}",
    advice="With more resamples p varies less from seed to seed. Even so, do not rest the "
    "verdict on it: 0.049 and 0.051 say the same.",
    about_verdict=True,
)
def near_the_level(case: Case) -> str | Found | None:
    error, alpha = drawing_error(case.outcome, case.adjusted_pvalue), case.alpha
    if not error or not abs(case.pvalue - alpha) <= 2 * error:
        return None
    if case.outcome.smallest_pvalue >= alpha:
        return None
    text = (
        f"p is within two Monte Carlo errors of the level {alpha:.3g}: another seed may give "
        "another verdict."
    )
    # The joint distribution of tests that draw nothing themselves has no option for more, and
    # nor have the functions that fit on splits.
    drawn = getattr(case.outcome.by_itself, "n_resamples", None)
    if drawn and drawn < _MANY_RESAMPLES and case.unit != "split":
        return text
    return Found(text=text, action="call the result borderline")


@near_the_level.of_pairs
def all_near_the_level(family: FamilyCase) -> Mask:
    if family.smallest_pvalue >= family.alpha:
        return np.zeros(len(family.adjusted), dtype=bool)
    errors = family.monte_carlo_errors
    return (errors != 0) & (np.abs(family.adjusted - family.alpha) <= 2 * errors)


@doubt(
    "SKS212",
    "a wide interval",
    weight="note",
    when="The test does not reject, and the interval reaches beyond the margin; without a "
    "margin, it reaches further than 0.05 from the estimate in a metric from 0 to 1 "
    "(accuracy, balanced accuracy, F1, precision, recall, Jaccard, ROC AUC, average "
    "precision).",
    action="report the interval, not that there is no difference",
    advice="Report the interval, and the smallest estimate that would be significant, which "
    "the doubt states. A true difference of that size is found about half of the time; "
    "``report.plan(difference=...)`` says what it takes to find it more surely. More splits "
    "of the same rows help little. A power computed from the observed difference would say "
    "nothing new: it only restates p.",
    about_verdict=True,
)
def wide_interval(case: Case) -> str | None:
    margin, width = case.metric.margin, _half_width(case)
    if case.is_decided is not False or width is None:
        return None
    low, high = case.interval
    one_sided = not np.isfinite(low + high)
    if margin is not None:
        reaches = width > margin if one_sided else max(-low, high) > margin
        reaches = reaches and not equivalence(case.outcome, margin).equivalent(case.alpha)
        beyond = f"the margin of {margin:g}"
    else:
        reaches = lies_between_0_and_1(case.metric.name) and width > _LARGE_DIFFERENCE
        beyond = f"{_LARGE_DIFFERENCE:g}"
    if not reaches:
        return None
    return (
        f"differences beyond {beyond} are not excluded. An estimate of about "
        f"{fixed(width, max(0, decimals_for([width]) - 1))} in {case.metric.shown.name} would "
        "be significant; a true one so large is missed half of the time."
    )


@wide_interval.of_pairs
def all_wide(family: FamilyCase) -> Mask:
    finite_low, finite_high = np.isfinite(family.low), np.isfinite(family.high)
    with np.errstate(invalid="ignore"):
        to_one_side = np.where(
            finite_low, family.estimates - family.low, family.high - family.estimates
        )
        width = np.where(finite_low & finite_high, (family.high - family.low) / 2, to_one_side)
    asked = family.decided & ~family.rejects & np.isfinite(width)
    if family.margin is None or family.equivalent is None:
        return asked & lies_between_0_and_1(family.metric) & (width > _LARGE_DIFFERENCE)
    reach = np.where(finite_low & finite_high, np.maximum(-family.low, family.high), width)
    return asked & (reach > family.margin) & ~family.equivalent


@doubt(
    "SKS213",
    "significant, but small",
    weight="note",
    when="The test rejects, and the whole interval lies within the margin; without a "
    "margin, within 0.01 in a metric from 0 to 1.",
    action="say what a difference of this size is worth",
    advice="Say what a difference of this size is worth where the system is used, and what "
    "the better system costs. With many rows even a tiny difference is significant; that "
    "does not make it matter.",
    about_verdict=True,
)
def significant_but_small(case: Case) -> str | None:
    margin, metric = case.metric.margin, case.metric.name
    if not case.is_decided or case.outcome.scale != "score":
        return None
    if margin is None:
        if not lies_between_0_and_1(metric):
            return None
        margin = _SMALL_DIFFERENCE
    low, high = case.interval
    if not max(-low, high) <= margin:
        return None
    return (
        f"the difference is significant, but its whole interval is within {margin:g} of 0 in "
        f"{case.metric.shown.name}: it may be too small to matter."
    )


@significant_but_small.of_pairs
def all_small(family: FamilyCase) -> Mask:
    asked, margin = family.decided & family.rejects, family.margin
    if margin is None:
        asked, margin = asked & lies_between_0_and_1(family.metric), _SMALL_DIFFERENCE
    return asked & (np.maximum(-family.low, family.high) <= margin)


@doubt(
    "SKS214",
    "the verdict depends on the partition",
    weight="weak",
    when="With ``stability=``, fewer than 80 % of the other partitions of the same rows "
    "gave the same verdict.",
    action="call it undecided, and report the range of the estimates",
    advice="Do not pick the partition with the best answer, and do not combine the p-values: "
    "all of them come from the same rows. More splits per partition, and above all more "
    "rows, make the answer steadier.",
    of=Stability,
)
def depends_on_partition(stability: Stability) -> str | None:
    if stability.share >= _MOST_AGREE - 1e-9:
        return None
    return (
        "other partitions of the same rows give other answers: "
        f"{stability_text(stability.to_dict())}."
    )


@doubt(
    "SKS215",
    "close to the level",
    weight="note",
    when="The p-value lies within a factor of 1.25 of the level, on either side (0.04 to "
    "0.0625 for 0.05), and :ref:`SKS208 <sks208>` does not say so already.",
    action="report difference and interval, not only the verdict",
    advice="Difference and interval hardly differ between p = 0.049 and p = 0.051. To know "
    "more, collect more data, and test those alone.",
    about_verdict=True,
)
def close_to_the_level(case: Case) -> str | None:
    alpha = case.alpha
    if case.is_decided is None or near_the_level(case) is not None:
        return None  # more resamples come first
    if not alpha / _CLOSE <= case.pvalue <= alpha * _CLOSE:
        return None
    return (
        f"{pvalue_text(case.pvalue)} is close to the level {alpha:.3g}: "
        f"{0.98 * alpha:.3g} and {1.02 * alpha:.3g} say the same, whatever the verdict."
    )


@close_to_the_level.of_pairs
def all_close(family: FamilyCase) -> Mask:
    alpha, adjusted = family.alpha, family.adjusted
    close = (alpha / _CLOSE <= adjusted) & (adjusted <= alpha * _CLOSE)
    return family.decided & ~all_near_the_level(family) & close


def _half_width(case: Case) -> float | None:
    """Size of an estimate from which the test would reject: what the interval adds to it."""
    if case.outcome.scale != "score":
        return None
    low, high = case.interval
    if np.isfinite(low) and np.isfinite(high):
        return float(high - low) / 2
    reach = case.outcome.estimate - low if np.isfinite(low) else high - case.outcome.estimate
    return float(reach) if np.isfinite(reach) else None
