"""Doubts about the differences themselves."""

from typing import Any

import numpy as np

from skstat._names import shown_name
from skstat.report._doubts.case import Case
from skstat.report._doubts.family import FamilyCase, Mask, Together
from skstat.report._doubts.kind import Found, doubt
from skstat.report._doubts.table_case import TableCase, TablePairCase
from skstat.report._words import units
from skstat.stats import ResampledOutcome, effect_sizes
from skstat.stats._outcomes import unit_word

_MANY_TIES = 0.5
_AGAINST_RANKS = 0.3
_AGAINST_WINS = 0.2


@doubt(
    "SKS201",
    "identical scores",
    weight="weak",
    when="The two systems score the same on every unit.",
    action="check that two different systems were passed",
    advice="Check that two different estimators were passed. If they were, they "
    "predict alike on this data.",
    of=(Case, TablePairCase),
    of_all_rows=True,
)
def identical(case: Case) -> str | None:
    if not case.identical or case.design.degenerate:
        return None
    return (
        f"both score the same on every {unit_word(case.unit)}: there is nothing to test. Are "
        "they the same model?"
    )


@identical.of_pairs
def all_identical(family: Together) -> Mask:
    return family.pairs.identical


@identical.among_cases(TablePairCase)
def identical_in_table(case: TableCase) -> Mask | None:
    return None if case.pairs is None else all_identical(case)


@doubt(
    "SKS202",
    "no variance",
    weight="weak",
    when="The difference is the same on every unit, and not zero.",
    action="use a finer metric, or more rows",
    advice="This is typical of a perfect model against a constant baseline, or against one "
    "that is always wrong. A t test would "
    "claim certainty from a handful of equal numbers. The test on rows, "
    "given instead where predictions are at hand, counts how many rows were tested. "
    "Its claim is about the fitted models, not the learners.",
)
def no_variance(case: Case) -> str | None:
    if case.design.degenerate:
        return case.design.degenerate
    if case.without_pvalue:
        return (
            f"the difference is the same on every {unit_word(case.unit)}: no test by its "
            "variance is possible."
        )
    return None


@no_variance.of_pairs
def all_without_variance(family: FamilyCase) -> Mask:
    return family.untested


@doubt(
    "SKS203",
    "mean and ranks point in opposite directions",
    weight="weak",
    when="The mean difference has one sign, and the ranks (rank-biserial at least 0.3) "
    "or the wins (a share of 0.7 or more) point the other way.",
    action="plot the differences before naming a winner",
    advice="Decide which question matters: the average gain "
    "(the mean) or how often one wins (signs, ranks), and report that it matters.",
    of=(Case, TablePairCase),
)
def opposite_directions(case: Case) -> str | None:
    pairs = case.pairs
    if pairs is None:
        return None
    mean = float(np.mean(pairs.differences))
    if mean == 0 or _of_one_size(pairs.differences):  # ranks and wins cannot differ from it
        return None
    # Not every outcome knows them.
    effects = effect_sizes(pairs)
    ranks = effects["rank-biserial"]
    wins = effects["common-language"] - 0.5
    for value, threshold, what in (
        (ranks, _AGAINST_RANKS, "the ranks favour"),
        (wins, _AGAINST_WINS, f"the number of {unit_word(str(pairs.unit))}s won favours"),
    ):
        if _against(mean, value, threshold):
            first, second = map(shown_name, case.names)
            winner, other = (first, second) if mean > 0 else (second, first)
            return (
                f"the mean difference favours {winner}, but {what} {other}: "
                "a few large differences outweigh many small ones."
            )
    return None


def _of_one_size(differences: np.ndarray) -> bool:
    """Whether all differences but 0 are of one size, as those of right and wrong rows are."""
    sizes = np.abs(differences)
    return bool(((sizes == 0) | (sizes == sizes.max(initial=0.0))).all())


@opposite_directions.of_pairs
def all_opposite(family: Together) -> Mask:
    pairs = family.pairs
    by_ranks = _against(pairs.means, pairs.rank_biserial, _AGAINST_RANKS)
    return by_ranks | _against(pairs.means, pairs.shares_won - 0.5, _AGAINST_WINS)


@opposite_directions.among_cases(TablePairCase)
def opposite_in_table(case: TableCase) -> Mask | None:
    return None if case.pairs is None else all_opposite(case)


def _against(mean: Any, value: Any, threshold: float) -> Any:
    return (mean * value < 0) & (abs(value) >= threshold - 1e-9)


@doubt(
    "SKS204",
    "many ties",
    weight="note",
    when="The two systems score the same on at least half of the units, but not on all. "
    "Rows are left out: two classifiers are both right or both wrong on most rows.",
    action="use a finer metric, or larger test sets",
    advice="The systems are nearly the same, or the metric is coarse for the size of the "
    "test sets. A finer metric (log loss, AUC) or larger test sets tell more. The p-value is "
    "none the worse for it.",
    of=(Case, TablePairCase),
)
def many_ties(case: Case) -> str | None:
    differences = case.differences
    if differences is None or not differences.any() or case.unit == "instance":
        return None
    ties = float(np.mean(differences == 0))
    if ties < _MANY_TIES:
        return None
    return (
        f"the scores are equal on {100 * ties:.0f} % of the {unit_word(case.unit)}s: the "
        "systems are alike, or the metric is coarse for test sets of this size."
    )


@many_ties.of_pairs
def all_with_many_ties(family: Together) -> Mask:
    asked = ~family.pairs.identical & (family.unit != "instance")
    return asked & (family.pairs.shares_equal >= _MANY_TIES)


@many_ties.among_cases(TablePairCase)
def many_ties_in_table(case: TableCase) -> Mask | None:
    return None if case.pairs is None else all_with_many_ties(case)


@doubt(
    "SKS205",
    "no interval exists",
    weight="weak",
    when="The F test of a 5x2 cross-validation rejects every shift, so that its "
    "interval is empty.",
    action="use compare_estimators with its default splits and test",
    advice="The ten differences vary more between repeats than within them. Use the "
    "default test.",
)
def empty_interval(case: Case) -> str | None:
    interval = case.outcome.confidence_interval(case.confidence_level)
    if not np.isnan(interval.low) or case.without_pvalue:
        return None
    return "no common difference fits the ten differences: no interval exists."


@empty_interval.of_pairs
def all_empty(family: FamilyCase) -> Mask:
    return np.isnan(family.low) & ~family.untested


@doubt(
    "SKS207",
    "undefined resamples",
    weight="note",
    when="The metric was undefined on some resamples (a rare class was missing), and "
    "they were drawn anew; more than one in a hundred is an error of a bootstrap.",
    action="pass strata=y_true",
    advice="Pass ``strata=y_true`` to keep the number of rows of every class, or use a "
    "metric that is always defined.",
)
def redrawn(case: Case) -> str | None:
    n = getattr(case.by_itself, "n_redrawn", 0)
    if not n:
        return None
    them = "which was" if n == 1 else "which were"
    return f"the metric was undefined on {units(n, 'resample')}, {them} drawn anew."


@doubt(
    "SKS209",
    "a perfect AUC",
    weight="weak",
    when="A test of the whole area under the ROC curve, of a system whose AUC is 0 or 1.",
    action="use the paired permutation test",
    advice="Read ``report.outcome.auc_intervals()``, on the logit scale, or use the "
    "permutation test (``test='paired_permutation'``, "
    ":func:`~skstat.paired_permutation_test`).",
)
def perfect_auc(case: Case) -> Found | None:
    aucs = getattr(case.by_itself, "aucs", case.rows.aucs)
    if not any(auc in (0.0, 1.0) for auc in aucs) or case.identical:
        return None
    perfect = "a system orders the classes without error, so that its AUC has no variance"
    if case.without_pvalue:
        return Found(text=f"{perfect}, nor has the difference: neither p nor interval exist.")
    return Found(
        text=f"{perfect}: the interval of the difference is too narrow.",
        action="test on more rows" if isinstance(case.by_itself, ResampledOutcome) else "",
    )


@doubt(
    "SKS210",
    "direction taken from the data",
    weight="invalid",
    when="``pvalue='berg-kirkpatrick'`` was asked for without ``alternative``, or "
    "``pvalue='sign-reversal'``.",
    action="use pvalue='shift'",
    advice="``pvalue='shift'`` is two-sided; or say ``alternative`` before you look. To read "
    "a published one-sided p, double it: at a nominal 0.05 it rejects about 10 % of true "
    "null hypotheses.",
)
def direction_from_data(case: Case) -> str | None:
    method = getattr(case.by_itself, "pvalue_method", "shift")
    if method == "shift" or case.identical:
        return None
    if method == "berg-kirkpatrick" and not getattr(case.outcome, "sided_by_data", True):
        return None
    words = (
        "the share of resamples without the observed sign is not a p-value of no difference"
        if method == "sign-reversal"
        else "the one-sided test takes its direction from the data"
    )
    return f"{words}: it rejects twice as often as the level says."
