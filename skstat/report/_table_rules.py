"""When a doubt about a table is raised: from a case to a sentence or None."""

from typing import Any, get_args

import numpy as np

from skstat.report._numbers import pvalue_text, units
from skstat.stats._adjust import ASSUMES, FALSE_DISCOVERY_RATE, Adjustment

_BY_SIZE = ("aligned", "quade", "repeated measures", "paired t")
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
    return (
        f"the verdict on a pair depends on the scores of the other "
        f"{others if others > 1 else 'one'}: with another pool of systems the same two may be "
        "told apart or not."
    )


def adjustment_assumes(case: Any) -> str | None:
    method = case.pairwise.adjustment
    if method not in get_args(Adjustment) or ASSUMES[method] is None:
        return None
    return f"{method} holds the level only if {ASSUMES[method]}."


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
    if not by_size or case.table.n_units < 4:
        return None
    spreads = np.nanmax(case.table.scores, axis=1) - np.nanmin(case.table.scores, axis=1)
    small, large = np.quantile(spreads[spreads > 0], [0.1, 0.9]) if spreads.any() else (1, 1)
    if large <= _SPREAD * small:
        return None
    return (
        f"the scores of a data set spread from {small:.3g} to {large:.3g} (tenths), so that "
        f"the {by_size[0]} is decided by the data sets with large differences."
    )


def tests_disagree(case: Any) -> str | None:
    alpha = round(1 - case.confidence_level, 12)
    some = bool(case.pairwise.differs(alpha).any())
    all_at_once = case.omnibus.pvalue < alpha
    if some == all_at_once or np.isnan(case.omnibus.pvalue):
        return None
    if all_at_once:
        return (
            f"the {case.omnibus.test} finds a difference "
            f"({pvalue_text(case.omnibus.pvalue)}), but no pair is told apart."
        )
    return (
        f"pairs are told apart, but the {case.omnibus.test} finds no difference "
        f"({pvalue_text(case.omnibus.pvalue)})."
    )
