"""Doubts about the verdict: p near its level, intervals, margins, other partitions."""

import numpy as np

from skstat.report._case import Case
from skstat.report._numbers import decimals_for, fixed, pvalue_text
from skstat.report._rules import FEW_BOOTSTRAPPED
from skstat.report._scales import lies_between_0_and_1
from skstat.report._stability import Stability, stability_text
from skstat.stats import PermutationOutcome, equivalence

# Without a margin, of a metric from 0 to 1: differences that hardly anybody would ignore,
# and those that hardly anybody would notice.
_LARGE_DIFFERENCE = 0.05
_SMALL_DIFFERENCE = 0.01
_CLOSE = 1.25
_MOST_AGREE = 0.8


def near_the_level(case: Case) -> str | None:
    error = getattr(case.outcome, "monte_carlo_error", 0.0)
    alpha = case.alpha
    if case.adjusted_pvalue is not None and not case.outcome.simultaneous:
        error *= case.adjusted_pvalue / case.outcome.pvalue  # it is multiplied as well
    if not error or not abs(case.pvalue - alpha) <= 2 * error:
        return None
    if case.outcome.smallest_pvalue >= alpha:
        return None
    return (
        f"p lies within two Monte Carlo errors of {alpha:.3g}: another seed may decide "
        "otherwise."
    )


def interval_disagrees(case: Case) -> str | None:
    if case.sample.identical or np.isnan(case.outcome.pvalue):
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
        f"{'contains' if rejects else 'excludes'} 0: they rest on different assumptions."
    )


def wide_interval(case: Case) -> str | None:
    margin, width = case.context.margin, _half_width(case)
    if case.is_decided is not False or width is None:
        return None
    low, high = case.interval
    one_sided = not np.isfinite(low + high)
    if margin is not None:
        reaches = width > margin if one_sided else max(-low, high) > margin
        reaches = reaches and not equivalence(case.outcome, margin).equivalent(case.alpha)
        beyond = f"the margin of {margin:g}"
    else:
        reaches = lies_between_0_and_1(case.context.metric) and width > _LARGE_DIFFERENCE
        beyond = f"{_LARGE_DIFFERENCE:g}"
    if not reaches:
        return None
    return (
        f"no difference was found, and differences of more than {beyond} are not excluded; "
        "this design tells no estimate from 0 that is less than about "
        f"{fixed(width, max(0, decimals_for([width]) - 1))} in {case.context.shown.name}."
    )


def significant_but_small(case: Case) -> str | None:
    margin, metric = case.context.margin, case.context.metric
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
        f"a difference was found, but all of its interval lies within {margin:g} of 0 in "
        f"{case.context.shown.name}: it is real, and may be too small to matter."
    )


def depends_on_partition(case: Case) -> str | None:
    stability = case.context.stability
    return None if stability is None else partitions_disagree(stability)


def partitions_disagree(stability: Stability) -> str | None:
    if stability.share >= _MOST_AGREE - 1e-9:
        return None
    return (
        "cut in other ways, the same data give other answers: of the other partitions "
        f"{stability_text(stability.to_dict())}."
    )


def close_to_the_level(case: Case) -> str | None:
    alpha = case.alpha
    if case.is_decided is None or near_the_level(case) is not None:
        return None  # more resamples come first
    if not alpha / _CLOSE <= case.pvalue <= alpha * _CLOSE:
        return None
    return (
        f"{pvalue_text(case.pvalue)} lies close to the level of {alpha:.3g}: "
        f"{0.98 * alpha:.3g} and {1.02 * alpha:.3g} say the same, whatever the verdict."
    )


def _half_width(case: Case) -> float | None:
    """Size of an estimate from which the test would reject: what the interval adds to it."""
    if case.outcome.scale != "score":
        return None
    low, high = case.interval
    if np.isfinite(low) and np.isfinite(high):
        return float(high - low) / 2
    reach = case.outcome.estimate - low if np.isfinite(low) else high - case.outcome.estimate
    return float(reach) if np.isfinite(reach) else None
