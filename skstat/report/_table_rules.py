"""When a doubt about a table is raised: from a case to a sentence or None."""

from typing import Any, get_args

import numpy as np

from skstat.report._numbers import pvalue_text, units
from skstat.report._table_rows import adjustment_name
from skstat.stats._adjust import ASSUMES, FALSE_DISCOVERY_RATE, Adjustment

_BY_SIZE = ("aligned", "quade", "weighted", "repeated-measures", "paired t", "sign-flip")
_OF_ALL_PAIRS = ("shaffer", "bergmann-hommel")
_SPREAD = 10.0


def few_units(case: Any) -> str | None:
    n = case.table.n_units
    if n >= 10:
        return None
    found = units(n, str(case.table.unit))
    return f"{found} are few: the tests have little power and lean on their assumptions."


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
    by_size = [
        test
        for test in (case.omnibus.test, case.pairwise.test)
        if any(word in test.lower() for word in _BY_SIZE)
    ]
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
    if large <= _SPREAD * small:
        return None
    return (
        f"the systems' scores lie {small:.3g} apart on one data set (the first tenth) and "
        f"{large:.3g} on another (the last tenth): data sets with large differences decide the "
        f"{by_size[0]}."
    )


def tests_disagree(case: Any) -> str | None:
    alpha = round(1 - case.confidence_level, 12)
    if case.pairwise.smallest_pvalue >= alpha:  # the conclusion says so, and why
        return None
    some = bool(case.pairwise.differs(alpha).any())
    all_at_once = case.omnibus.pvalue < alpha
    if some == all_at_once or np.isnan(case.omnibus.pvalue):
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
