"""Doubts about comparisons of several systems over data sets."""

from typing import Any

import numpy as np

from skstat.report._doubts.case import SystemsCase
from skstat.report._doubts.family import Mask, Numbers
from skstat.report._doubts.kind import Found, doubt
from skstat.report._doubts.table_case import TableCase
from skstat.report._words import adjustment_name, join_items, pvalue_text
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import alpha_of

# How many times as far apart scores may lie on one data set as on another, by how much a
# test compares sizes. Where they are only put in order, large ones are blunted, not forgotten.
_SPREAD: dict[str, float] = {"strongly": 10.0, "weakly": 1000.0}


@doubt(
    "SKS119",
    "mean ranks depend on the other systems",
    weight="weak",
    when="Pairs are compared by mean ranks (:func:`~skstat.stats.nemenyi`, "
    ":func:`~skstat.stats.bonferroni_dunn`, :func:`~skstat.stats.pairwise_mean_ranks`, "
    ":func:`~skstat.stats.pairwise_conover`).",
    action="test pairs by the Wilcoxon test",
    advice="Draw the diagram with Nemenyi's test if readers expect it, and take the "
    "verdict on a pair from ``post_hoc='wilcoxon'`` "
    "(:func:`~skstat.compare_over_datasets`), which compares two systems by their "
    "own scores (Benavoli, Corani & Mangili, 2016). On 30 data sets the same two systems had "
    "p = 0.068 alone, 1e-8 in one pool and 0.41 in another.",
    of=TableCase,
)
def pool_dependent(case: TableCase) -> str | None:
    if not case.pairwise.pool_dependent:
        return None
    others = len(case.table.names) - 2
    if others < 1:
        return None
    rest = "the third system" if others == 1 else f"the other {others} systems"
    return (
        f"the verdict on two systems depends also on the scores of {rest}: among others the "
        "same two may get another verdict."
    )


@doubt(
    "SKS121",
    "adjustment with assumptions",
    weight="weak",
    when="The p-values are adjusted by a method with an assumption: tests that are "
    "independent or positively dependent; or that two systems are equal if both equal a third "
    "(``shaffer``, ``bergmann-hommel``), which holds for means, but need not for medians of "
    "differences.",
    action="use adjustment='holm'",
    advice="Holm's method assumes nothing and loses little.",
    of=TableCase,
)
def adjustment_assumes(case: TableCase) -> str | None:
    method = case.pairwise.adjustment
    facts = adjustment_facts(method)
    if facts.assumes is None:
        return None
    if facts.logical and case.pairwise.outcomes[0].quantity.transitive:
        return None  # two means that equal a third equal each other by arithmetic
    return f"{adjustment_name(method)} holds its level only if {facts.assumes}."


@doubt(
    "SKS122",
    "false discoveries are allowed",
    weight="note",
    when="``fdr_bh`` or ``fdr_by`` was asked for.",
    action="use adjustment='holm' for claims about single pairs",
    advice="These methods limit the share of false ones among all differences found, not the "
    "chance of any. Use Holm's method for claims about single pairs.",
    of=TableCase,
)
def false_discoveries(case: TableCase) -> str | None:
    if not adjustment_facts(case.pairwise.adjustment).false_discoveries:
        return None
    return (
        "the adjusted p-values limit the expected share of false differences among those "
        "found, not the chance of a false one."
    )


@doubt(
    "SKS123",
    "scores on different scales",
    weight="weak",
    when="A test that compares sizes of differences across data sets (aligned ranks, "
    "Quade, repeated-measures ANOVA, t, sign-flip) was used on three systems or more "
    "whose scores lie far apart on some data sets and close together on others: in the "
    "last tenth of the data sets more than ten times as far as in the first. For "
    "Wilcoxon's test, which ranks the sizes, more than a thousand times.",
    action="use test='friedman' and post_hoc='sign'",
    advice="Friedman's test and the sign test only rank within a data set. Or use a "
    "metric that means the same everywhere. Squared errors of different targets do not.",
    of=SystemsCase,
)
def incommensurable(case: SystemsCase) -> Found | None:
    report, table = case.report, case.report.sample
    # Two scores lie close together now and then whatever the scale; three hardly ever do.
    if report.unit != "dataset" or table.n_units < 4 or table.n_systems < 3:
        return None
    by: dict[str, Any] = {report.pairwise.outcomes[0].quantity.compares_sizes: report.pairwise}
    if report.omnibus is not None:  # which is named where both compare sizes alike
        by[report.omnibus.compares_sizes] = report.omnibus
    how = next((how for how in _SPREAD if how in by), None)
    if how is None:
        return None
    spreads = _reach(table.scores, table.missing)
    spreads = spreads[_reach(table.ranks, table.missing) > 0]  # ranks know float noise
    if not spreads.size:
        return None
    small, large = np.quantile(spreads, [0.1, 0.9])
    if large <= _SPREAD[how] * small:
        return None
    text = (
        f"scores differ by {small:.3g} on some data sets and by {large:.3g} on others (first "
        f"and last tenth): the latter decide the {by[how].test}."
    )
    if report._ranked_by_rank:
        return Found(text=text)
    return Found(text=text, action="ask compare_scores, with test='friedman', post_hoc='sign'")


def _reach(values: Numbers, missing: Mask) -> Numbers:
    """Return the largest value of every row less the least; below 0 where all are missing."""
    largest = np.max(values, axis=1, where=~missing, initial=-np.inf)
    return np.asarray(largest - np.min(values, axis=1, where=~missing, initial=np.inf))


@doubt(
    "SKS124",
    "data sets that repeat each other",
    weight="invalid",
    when="A tenth of the data sets or more have the very scores of another one, for three "
    "systems or more, and the scores are not so coarse that chance would do it.",
    action="keep every data set once",
    advice="Count every data set once. Versions of one data set (subsamples, binarised "
    "targets, other names) are not independent either; average them, or take one.",
    of=TableCase,
)
def repeated_rows(case: TableCase) -> str | None:
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
        f"{n_repeated} data sets have exactly the scores of another one "
        f"({join_items(names, 4)}): one data set under several names counts once."
    )


@doubt(
    "SKS126",
    "level held only if no systems differ",
    weight="invalid",
    when="Pairs of three systems or more are compared by a procedure that declares so: "
    ":func:`~skstat.stats.pairwise_conover`, whose standard error shrinks for all pairs "
    "when any systems differ.",
    action="use post_hoc='wilcoxon'",
    advice="Use ``post_hoc='wilcoxon'``, or ``'mean_ranks'`` for mean ranks. "
    "With three pairs of equal systems, far apart, Conover's test with Holm's method found "
    "a difference between equal ones in 28 % of simulated tables of 10 data sets and 16 % "
    "of 30, at a nominal 0.05.",
    of=TableCase,
)
def weak_control(case: TableCase) -> str | None:
    if not case.pairwise.weak_control or len(case.table.names) < 3:
        return None
    return (
        f"the {case.pairwise.test} holds its level only if no systems differ at all: where "
        "some do, it finds differences between equal ones too often."
    )


@doubt(
    "SKS211",
    "the tests disagree",
    weight="note",
    when="The test of all systems at once rejects and no pair does, or the reverse.",
    action="report the verdicts on the pairs",
    advice="They ask different questions. Where pairs are compared with adjusted p-values, "
    "as here, their verdicts stand without the other test.",
    of=TableCase,
)
def tests_disagree(case: TableCase) -> str | None:
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
            f"({pvalue_text(case.omnibus.pvalue)}), but no pair differs significantly."
        )
    return (
        f"pairs differ significantly, but the {case.omnibus.test} finds no difference "
        f"({pvalue_text(case.omnibus.pvalue)})."
    )
