"""Doubts about the design: rows of a test set, and the classes among them."""

import math

from skstat._names import shown_name
from skstat.report._doubts.case import Case, rows_of_rarest
from skstat.report._doubts.kind import Found, doubt
from skstat.report._words import units
from skstat.stats import ResampledOutcome
from skstat.stats._outcomes import unit_word

_FEW_DIFFERING = 10
_FEW_IN_CLASS = 10
# Of the variance of the difference. A row of few has much of it by luck: with normal errors,
# scored by R2, this factor over the root of the number of rows is exceeded 5 times in 100.
_LARGE_SHARE, _LUCKY_SHARE = 0.3, 3.2


@doubt(
    "SKS111",
    "rows may come in groups",
    weight="weak",
    when="The differences of neighbouring rows of a test set correlate by more than four "
    "standard errors within the classes, and neither ``groups`` nor ``order`` was given. "
    "Rows that were shuffled give no such sign, even if they are grouped.",
    action="pass groups= or order=",
    advice="Pass ``groups=`` (document, user, article) or ``order=`` (time) if rows belong "
    "together. With an intraclass correlation of 0.1 or 0.3 in 30 groups, tests that treat "
    "rows as independent rejected 13 or 27 % of true null hypotheses in simulations, at a "
    "nominal 0.05.",
)
def grouped_rows(case: Case) -> str | None:
    r = case.rows.neighbours_alike
    if r is None:
        return None
    return (
        f"neighbouring rows are alike (their differences correlate by {r:.2f}): rows of one "
        "document, user or time are not independent."
    )


@doubt(
    "SKS113",
    "few instances of a class",
    weight="weak",
    when="DeLong's test with fewer than 15 instances in the smaller class.",
    action="use the paired permutation test with strata=y_true",
    advice="Use ``test='paired_permutation'`` with ``strata=y_true``, which does not need "
    "the area under the curve to be close to normal.",
)
def few_in_class(case: Case) -> str | None:
    counts = case.rows.class_counts
    if counts is None or min(counts) >= 15:
        return None
    return (
        f"the smaller class has {units(min(counts), 'row')}: too few for the AUC to be close "
        "to normal."
    )


@doubt(
    "SKS118",
    "small strata",
    weight="weak",
    when="A stratum has fewer than 10 rows.",
    action="join small strata",
    advice="Join strata. If rows of a stratum belong together and the test set could have "
    "held others, they are ``groups``.",
)
def small_strata(case: Case) -> str | None:
    n = case.rows.smallest_stratum
    if n is None or n >= 10:
        return None
    return (
        f"the smallest stratum has {units(n, 'row')}: its resamples vary too little, by the "
        f"factor {(n - 1) / n:.2f}."
    )


@doubt(
    "SKS125",
    "few rows on which the systems differ",
    weight="weak",
    when="A bootstrap or permutation test of two systems whose outputs differ on fewer "
    "than 10 rows or groups.",
    action="test on more rows",
    advice="The p-value of the permutation test is valid for any number of rows; the interval "
    "may be too narrow. With three rows that differ, equivalence was claimed in 15 % of cases "
    "at the border of the margin, at a nominal 5 %.",
)
def few_differing(case: Case) -> str | None:
    n = case.rows.n_differing
    if n is None or n >= _FEW_DIFFERING or not isinstance(case.by_itself, ResampledOutcome):
        return None
    if case.identical:
        return None
    return (
        f"the systems differ on {units(n, case.unit)} only: the interval may be too narrow, "
        "also to show that they are equivalent."
    )


@doubt(
    "SKS128",
    "a rare class decides",
    weight="weak",
    when="Fewer than 10 rows of some class, in a permutation test or bootstrap of a metric "
    "of classes: F1, precision, recall, balanced accuracy, macro averages, Matthews "
    "correlation, kappa, areas under curves, average precision, log loss, Brier score.",
    action="add rows of the rarest class",
    advice="Collect more rows of that class. With fewer than 20 the interval is at least as "
    "long as that of Student's t with the jackknife's error and one degree of freedom less "
    "than the class has rows; where the test rejects it ends short of 0. With 3 positives "
    "among 30 rows the permutation test of balanced accuracy rejected 16 % of true null "
    "hypotheses in simulations, at a nominal 0.05, for systems that err in different ways; "
    "the studentised one rejected 25 %, the bootstrap 22 %. With 10 rows of "
    "every class or more the permutation test rejected 1 to 7 %.",
)
def rare_class(case: Case) -> Found | None:
    n = case.rows.rarest_class
    if n is None or n >= _FEW_IN_CLASS or not isinstance(case.by_itself, ResampledOutcome):
        return None
    if case.identical:
        return None
    return Found(
        text=f"the rarest class has {units(n, 'row')}, on which much of the "
        f"difference in {case.metric.shown.name} depends.",
        action=rows_of_rarest(case),
    )


def is_decisive(share: float | None, n: float) -> bool:
    """Whether one of n units has more of the variance than few have by luck."""
    return share is not None and share > max(_LARGE_SHARE, _LUCKY_SHARE / math.sqrt(n))


@doubt(
    "SKS129",
    "a few rows decide",
    weight="weak",
    when="In a permutation test or bootstrap, a single row or group has more than 30 % of "
    "the sum of squares that the variance of the difference is made of, and more than 3.2 "
    "over the root of the number of rows, which few rows reach by luck.",
    action="look at the row with the largest error",
    advice="If errors of one system are heavy-tailed, both the p-value and the interval are "
    "too small, and the same rows give no better: for R2 with errors of Student's t with 3 "
    "degrees of freedom in one system, permutation tests rejected 15 to 23 % of true null "
    "hypotheses in simulations, at a nominal 0.05, studentised or not, at 30 to 200 rows. The "
    "doubt sees large errors only if some are in the test set: it was raised in 3 to 6 of 10 "
    "such test sets, and in 5 of 100 with normal errors (1 of 100 at 200 rows). A metric less "
    "open to large errors (the mean absolute error) is more reliable.",
)
def few_rows_decide(case: Case) -> str | None:
    share = case.rows.largest_share
    if not isinstance(case.by_itself, ResampledOutcome):
        return None
    if share is None or not is_decisive(share, case.n_effective):
        return None
    if case.identical or few_differing(case) is not None:
        return None
    return (
        f"a single {unit_word(case.unit)} makes up {100 * share:.0f} % of the variance of the "
        f"difference: a few more such {unit_word(case.unit)}s could change the answer."
    )


@doubt(
    "SKS134",
    "predictions that equal the truth",
    weight="weak",
    when="On one test set, the predictions of a system are the same as ``y_true`` on every "
    "row.",
    action="check that the right column or file was passed",
    advice="Check that the right column or file was passed, and that the truth was not a "
    "feature of the system. If it is perfect on these rows, the test set is too easy, or too "
    "small, to compare systems as good as that.",
)
def equal_to_truth(case: Case) -> str | None:
    names = case.rows.equal_to_truth
    if not names:
        return None
    return (
        f"the predictions of {' and of '.join(map(shown_name, names))} equal y_true on every "
        "row. Was the truth passed in their place?"
    )
