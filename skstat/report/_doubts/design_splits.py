"""Doubts about the design: splits of one data set, and learners."""

from collections.abc import Collection

from skstat.report._doubts.case import Case, PerformanceCase
from skstat.report._doubts.kind import doubt
from skstat.report._words import units
from skstat.stats import FirstDifferenceOutcome, PairedBlockScores, ProjectionOutcome

_TOO_ALIKE = 0.9
_MANY_FOLDS = 5
_FEW_OF_CLASS = 20


@doubt(
    "SKS101",
    "overlapping splits tested as independent",
    when="A test for independent units (:func:`~skstat.stats.paired_t`, "
    ":func:`~skstat.stats.wilcoxon`, :func:`~skstat.stats.sign`, "
    ":func:`~skstat.stats.sign_flip`) was asked of splits of one data set.",
    advice="Use the default test. Keep the uncorrected one only to "
    "show what a published result would have been.",
)
def treated_as_independent(case: Case) -> str | None:
    if not case.context.treated_as_independent:
        return None
    return (
        "the splits share training rows, but the test takes them for independent; at a "
        "nominal 0.05 such tests were measured to reject a true null hypothesis 5 to 26 "
        "% of the time for one K-fold, 50 to 89 % for 30 or more splits."
    )


@doubt(
    "SKS102",
    "a single K-fold",
    when="The splits are one complete partition: a K-fold cross-validation without repeats.",
    advice="Leave ``cv`` out for the default design, or repeat the folds. For accuracy of "
    "stable learners the test is valid but weak: a power of 0.16 was measured where ten "
    "repeats had 0.44. Of learners that select or switch it was measured to reject 4 to 10 "
    "% of true null hypotheses at a nominal 0.05, and raises :ref:`SKS103 <sks103>` too.",
)
def single_k_fold(case: Case) -> str | None:
    if case.n_repeats != 1 or case.context.treated_as_independent:
        return None
    return (
        f"a single {case.n_folds}-fold cross-validation tested with the correction for "
        "overlapping test sets, which it does not have: the interval is about 1.4 times "
        "as wide as need be."
    )


@single_k_fold.of(PerformanceCase)
def single_k_fold_estimate(case: PerformanceCase) -> str | None:
    return single_k_fold(case) if case.method.corrected else None


@doubt(
    "SKS103",
    "learner not known to be stable",
    when="The design is a repeated K-fold, five times two halves, or random splits "
    "with small test sets (test to training size 0.3 or less), and a learner is "
    "not on the list of those known to be stable. For bare scores nothing is "
    "known of the learners, and the doubt is raised too. For a single K-fold it is raised "
    "if a learner is known, and not known to be stable. Not for the block jackknife "
    "(:func:`~skstat.stats.block_jackknife_t`), which covers any learner.",
    advice="Use the default test, which measures instability, or larger test sets, which "
    "make the correction stronger. Type I error of a decision stump for accuracy: 0.21 "
    "with 10x10 folds, 0.04 with 30 splits of one third. For a learner of your own, "
    ":func:`skstat.measure_learner_stability` measures how it takes to small changes of "
    "the training rows.",
)
def unstable_learner(case: Case) -> str | None:
    sample, unstable = case.sample, case.context.unstable
    if _covers_any_learner(case):
        return None
    if sample.unit != "split" or sample.ordered or (unstable is not None and not unstable):
        return None
    if sample.n_repeats == 5 and sample.n_folds == 2:
        design, rate = "5x2 halves", "4 to 14"
    elif sample.n_repeats is not None and sample.n_repeats > 1:
        design, rate = "repeated K-fold", "11 to 21"
    elif sample.n_repeats == 1 and unstable:
        design, rate = "a single K-fold", "4 to 10"
    elif sample.n_repeats is None and (sample.test_train_ratio or 1) <= 0.3:
        design, rate = "small test sets", "9 to 20"
    else:
        return None
    who = "the learners behind these scores" if unstable is None else _and(unstable)
    return (
        f"{who} may select or switch, as stumps, nearest neighbours and tuning inside do; with "
        f"{design} such learners were measured to reject {rate} % of true null hypotheses at a "
        "nominal 0.05."
    )


@doubt(
    "SKS105",
    "groups split between training and test",
    when="``groups`` was given, and ``cv`` puts rows of one group on both sides of a split.",
    advice="Leave ``cv`` out to get splits by group, or use a group splitter such as "
    "``GroupShuffleSplit`` or ``StratifiedGroupKFold``.",
    of=(Case, PerformanceCase),
)
def split_groups(case: Case) -> str | None:
    if not case.context.splits_groups:
        return None
    return (
        "rows of one group stand on both sides of a split, because the splitter does not "
        "look at groups: scores are too good and splits more alike than they are."
    )


@doubt(
    "SKS106",
    "few test rows per split",
    when="Some split tests on fewer than 30 rows; of blocks left out in pairs, all blocks "
    "but one hold fewer.",
    advice="Use fewer folds or a larger test fraction. For leave-one-out, test the "
    "pooled predictions instead.",
)
def few_test_rows(case: Case) -> str | None:
    rows = case.context.min_test_rows
    if rows is None or rows >= 30:
        return None
    what = "cross-validation" if isinstance(case.sample, PairedBlockScores) else "split"
    return (
        f"some {what} tests on {rows} row{'s' if rows > 1 else ''} only, too few for its "
        "score to be near normal."
    )


@few_test_rows.of(PerformanceCase)
def few_test_rows_estimate(case: PerformanceCase) -> str | None:
    return few_test_rows(case) if case.method.by_splits else None


@doubt(
    "SKS108",
    "the answer depends on the first fold",
    when="The test is :func:`~skstat.stats.five_by_two_t`.",
    advice="Use ``statistic='f'``, which uses all ten differences of the same fits.",
)
def first_fold(case: Case) -> str | None:
    if not isinstance(case.by_itself, FirstDifferenceOutcome):
        return None
    return (
        "estimate, interval and p-value rest on the first of the ten differences; "
        "another order of the halves gives other answers."
    )


@doubt(
    "SKS110",
    "splits that repeat each other",
    when="Random splits of few rows or groups drew the same test set more than once.",
    advice="Use fewer splits, or more rows or groups.",
)
def repeated_splits(case: Case) -> str | None:
    n = case.context.repeated_splits
    if n == 0:
        return None
    return f"{units(n, 'split')} test on the same rows as another, and add no information."


@repeated_splits.of(PerformanceCase)
def repeated_splits_estimate(case: PerformanceCase) -> str | None:
    return repeated_splits(case) if case.method.corrected else None


@doubt(
    "SKS130",
    "splits more alike than their rows",
    when="A test whose standard error comes from the variance of splits "
    "(:func:`~skstat.stats.corrected_t`, the 5x2cv tests) was asked of a run, and the "
    "differences of its splits vary less than 0.9 times as much as test rows drawn "
    "without replacement would make them vary.",
    advice="Use the default test (:func:`~skstat.stats.projection_t`), which measures both "
    "what rows do in testing and in training. In simulations the ratio was 0.4 to 0.8 "
    "where the corrected t test rejected 11 to 49 % of true null hypotheses, and about 1 "
    "or more where it held its level: :doc:`/any_metric`.",
)
def splits_too_alike(case: Case) -> str | None:
    spread = case.context.split_spread
    if spread is None or spread >= _TOO_ALIKE or not _rests_on_split_variance(case):
        return None
    return (
        f"the differences of the splits vary {spread:.2f} times as much as their test rows "
        "alone would make them. What rows do in training and in testing cancels between "
        "splits of one data set, and adds up over data sets: the standard error is too small."
    )


@doubt(
    "SKS131",
    "a metric for which the correction was not derived",
    when="A test whose standard error comes from the variance of splits was asked of "
    "scores without their rows, and the metric is one of probabilities, ranks or numbers "
    "(log loss, Brier score, AUC, R², mean errors), not of predicted labels.",
    advice="Compare the estimators themselves, or keep the scores of the rows "
    "(:meth:`PairedFoldScores.from_row_scores "
    "<skstat.stats.PairedFoldScores.from_row_scores>`) for "
    ":func:`~skstat.stats.projection_t`. Type I errors by metric and learner: "
    ":doc:`/any_metric`.",
)
def unmeasured_metric(case: Case) -> str | None:
    context = case.context
    known = context.split_spread is not None or context.of_labels is not False
    if known or not _rests_on_split_variance(case):
        return None
    return (
        f"{context.shown.name} is no metric of predicted labels, and what the rows "
        "contributed is not known. For such metrics tests by the variance of splits were "
        "measured to reject up to 49 % of true null hypotheses at a nominal 0.05, where "
        "learners shrink (ridge, a small C, many neighbours, few boosting rounds)."
    )


@doubt(
    "SKS132",
    "many folds for a projection on rows",
    when="The projection t test was asked of repetitions of 5 folds or more.",
    advice="Leave ``cv`` out: on 15 x 2 halves the same test was measured to find 1.3 to 5 "
    "times as much with as many fits. With 10 x 10 folds it was measured to reject up to 9 "
    "% of true null hypotheses.",
)
def many_folds(case: Case) -> str | None:
    if not isinstance(case.by_itself, ProjectionOutcome) or (case.n_folds or 0) < _MANY_FOLDS:
        return None
    return (
        f"the projection on rows is noisy with {case.n_folds} folds: a fifth to three "
        "quarters of the power of halves was measured with 5 or 10."
    )


@doubt(
    "SKS133",
    "few rows of a class",
    when="The projection t test, the rarest class has fewer than 20 rows, and the metric "
    "is no mean over rows (AUC, balanced accuracy, F1 and the like).",
    advice="Collect more rows of that class, or take ``test='block_jackknife_t'``. With 10 "
    "positives among 210 rows the test was measured to reject 6 to 10 % of true null "
    "hypotheses for five nearest neighbours at a nominal 0.05, and 2 to 5 % for logistic "
    "regression and naive Bayes.",
)
def rare_class_in_halves(case: Case) -> str | None:
    n = case.context.smallest_class
    if n is None or n >= _FEW_OF_CLASS or not isinstance(case.by_itself, ProjectionOutcome):
        return None
    return (
        f"the rarest class has {n} row{'s' if n > 1 else ''}, and a fold has half of them or "
        f"fewer: {case.context.shown.name} of a fold then rests on a handful of rows, whose "
        "influence is not near linear."
    )


def _rests_on_split_variance(case: Case) -> bool:
    """Whether the standard error comes from how the scores of splits vary."""
    dependent = case.unit == "split" and not case.context.treated_as_independent
    return dependent and not _covers_any_learner(case)


def _covers_any_learner(case: Case) -> bool:
    """Whether the test measures or bounds what a learner's instability does."""
    blocks = isinstance(case.sample, PairedBlockScores)
    return blocks or isinstance(case.by_itself, ProjectionOutcome)


def _and(names: Collection[str]) -> str:
    *first, last = sorted(names)
    return f"{', '.join(first)} and {last}" if first else last
