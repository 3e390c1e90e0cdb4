"""When a doubt about a table is raised: from a case to a sentence or None."""

from typing import Any, get_args

import numpy as np

from skstat.display._names import said
from skstat.report import _rules as rules
from skstat.report._levels import interval_of
from skstat.report._numbers import pvalue_text, units
from skstat.report._table_rows import adjustment_name, some
from skstat.stats._adjust import ASSUMES, FALSE_DISCOVERY_RATE, Adjustment
from skstat.stats._outcomes import alpha_of

_BY_SIZE = ("aligned", "quade", "weighted", "repeated-measures", "paired t", "sign-flip")
_OF_ALL_PAIRS = ("shaffer", "bergmann-hommel")
# How many times as far apart scores may lie on one data set as on another. Ranks of the
# sizes of differences blunt large ones, but do not forget them.
_SPREAD, _SPREAD_OF_RANKS = 10.0, 1000.0
_MOST_NAMED = 6


def few_units(case: Any) -> str | None:
    n = case.table.n_units
    if n >= 10:
        return None
    found = units(n, str(case.table.unit))
    return f"{found} are few: the tests have little power and lean on their assumptions."


def left_out(case: Any) -> str | None:
    table = case.table
    counts = {
        name: int(n)
        for name, n in zip(table.names, table.missing.sum(axis=0), strict=True)
        if n
    }
    if not counts:
        return rules.left_out(case)
    shown = some([f"{n} of {said(name)}" for name, n in counts.items()], _MOST_NAMED)
    are = "score is" if sum(counts.values()) == 1 else "scores are"
    return (
        f"{sum(counts.values())} {are} missing ({shown}): every comparison uses the data sets "
        "with the scores it needs, as if those missing were like the rest."
    )


def interval_disagrees(case: Any, place: int) -> str | None:
    """Compare the verdict on a pair with its interval."""
    outcome = case.pairwise.outcomes[place]
    adjusted = float(case.pairwise.adjusted_pvalues[place])
    low, high = interval_of(outcome, case.confidence_level, adjusted)
    rejects = adjusted < alpha_of(case.confidence_level)
    if np.isnan([adjusted, low]).any() or rejects == (low > 0 or high < 0):
        return None
    return (
        f"the test {'rejects' if rejects else 'does not reject'}, but the interval "
        f"{'contains' if rejects else 'excludes'} 0: they treat equal scores differently, or "
        "rest on different assumptions."
    )


def pool_dependent(case: Any) -> str | None:
    if not case.pairwise.pool_dependent:
        return None
    others = len(case.table.names) - 2
    if others < 1:
        return None
    rest = "those of the third" if others == 1 else f"those of the other {others} systems"
    return (
        f"the verdict on two systems depends on their own scores and on {rest}; with another "
        "pool the same two may get another verdict."
    )


def weak_control(case: Any) -> str | None:
    if not case.pairwise.weak_control or len(case.table.names) < 3:
        return None
    return (
        f"the {case.pairwise.test} keeps to the family-wise level only if no systems differ at "
        "all; where some do, it tells equal ones apart too often."
    )


def adjustment_assumes(case: Any) -> str | None:
    method = case.pairwise.adjustment
    if method not in get_args(Adjustment) or ASSUMES[method] is None:
        return None
    compared = case.pairwise.outcomes[0].estimand.partition(" of ")[0]
    if method in _OF_ALL_PAIRS and "mean" in compared:
        return None  # two means that equal a third equal each other by arithmetic
    return f"{adjustment_name(method)} holds its level only if {ASSUMES[method]}."


def false_discoveries(case: Any) -> str | None:
    if case.pairwise.adjustment not in FALSE_DISCOVERY_RATE:
        return None
    return (
        "the adjusted p-values bound the expected share of false differences among those "
        "found, not the chance of a false one."
    )


def incommensurable(case: Any) -> str | None:
    tests = (case.omnibus.test, case.pairwise.test)
    by_size = [test for test in tests if any(word in test.lower() for word in _BY_SIZE)]
    limit = _SPREAD if by_size else _SPREAD_OF_RANKS
    by_size = by_size or [test for test in tests if "wilcoxon" in test.lower()]
    # Two scores lie close together now and then whatever the scale; three hardly ever do.
    if not by_size or case.table.n_units < 4 or case.table.n_systems < 3:
        return None
    spreads = np.array(
        [
            np.ptp(scores[there])
            for scores, ranks, there in zip(
                case.table.scores, case.table.ranks, ~case.table.missing, strict=True
            )
            if there.any() and np.ptp(ranks[there]) > 0  # ranks know float noise
        ]
    )
    if not spreads.size:
        return None
    small, large = np.quantile(spreads, [0.1, 0.9])
    if large <= limit * small:
        return None
    return (
        f"the systems' scores lie {small:.3g} apart on one data set (the first tenth) and "
        f"{large:.3g} on another (the last tenth): data sets with large differences decide the "
        f"{by_size[0]}."
    )


def repeated_rows(case: Any) -> str | None:
    table = case.table
    rows, numbers = np.unique(table.scores, axis=0, return_inverse=True)
    numbers = numbers.ravel()  # NumPy 2.0 gives it another shape
    counts = np.bincount(numbers)
    n_repeated = int(table.n_units - len(rows))
    # Coarse scores, of few test rows, may agree by chance.
    coarse = 2 * len(np.unique(rows)) <= rows.size
    if table.n_systems < 3 or coarse or n_repeated < max(2, 0.1 * table.n_units):
        return None
    names = [table.datasets[i] for i in np.flatnonzero(numbers == counts.argmax())]
    return (
        f"{n_repeated} data sets have the scores of another one to the last digit "
        f"({some(names, 4)}): one data set under several names is one unit, not several."
    )


def tests_disagree(case: Any) -> str | None:
    alpha = alpha_of(case.confidence_level)
    if case.pairwise.smallest_pvalue >= alpha:  # the conclusion says so, and why
        return None
    if np.isnan(case.pairwise.adjusted_pvalues).any():  # asked less than all at once
        return None
    in_pairs = bool(case.pairwise.differs(alpha).any())
    all_at_once = case.omnibus.pvalue < alpha
    if in_pairs == all_at_once or np.isnan(case.omnibus.pvalue):
        return None
    if all_at_once:
        # Of a control, or in one direction, less is asked in pairs than of all at once.
        if case.pairwise.control or case.pairwise.outcomes[0].alternative != "two-sided":
            return None
        return (
            f"the {case.omnibus.test} finds a difference "
            f"({pvalue_text(case.omnibus.pvalue)}), but no pair is told apart."
        )
    return (
        f"pairs are told apart, but the {case.omnibus.test} finds no difference "
        f"({pvalue_text(case.omnibus.pvalue)})."
    )
