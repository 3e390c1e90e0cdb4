"""Doubts about how good one estimator is said to be."""

from skstat.report._doubts.case import PerformanceCase, rows_of_rarest
from skstat.report._doubts.kind import Found, doubt
from skstat.report._words import units

_FEW_REPEATS = 5
_FAR = 5.0  # standard errors
_NOISY = 0.9  # of a variance
_RARE = 20  # rows of a class
_FEW_ROWS, _FEW_GROUPS, _FEW_SPLITS = 30, 20, 15


@doubt(
    "SKS601",
    "few units for an interval",
    weight="weak",
    when="The standard error of an estimate comes from fewer than 30 rows, 20 groups or "
    "15 splits.",
    action="use more splits, or a larger test set",
    advice="Use more splits, or a larger test set.",
    of=PerformanceCase,
)
def few_independent(case: PerformanceCase) -> str | None:
    n, unit = case.row.estimate.n_units, case.row.estimate.unit
    fewest = {
        "instance": _FEW_ROWS,
        "row": _FEW_ROWS,
        "group": _FEW_GROUPS,
        "split": _FEW_SPLITS,
    }[unit]
    if n >= fewest:
        return None
    return f"{units(n, unit)} are few to estimate a standard error from."


@doubt(
    "SKS602",
    "learner not known to be stable",
    weight="weak",
    when="The estimator is not known to be stable, and the method takes its models for much "
    "alike.",
    action="use method='projection'",
    advice="A learner is unstable if a few training rows change its predictions much: stumps, "
    "nearest neighbours, and whatever selects or tunes inside. The 95 % interval of such a "
    "learner contained the truth in 70 to 90 % of all cases only. ``method='projection'`` "
    "measures how much the models change; ``'corrected_t'`` is careful with one third of the "
    "rows for testing, its default for such learners.",
    page="performance",
    of=PerformanceCase,
)
def learner_selects(case: PerformanceCase) -> str | None:
    unstable = case.learners.unstable or ()
    if case.row.name not in unstable or not case.method.assumes_stability:
        return None
    harmless = case.method.stable_from
    if harmless is not None and (case.test_train_ratio or 0.0) >= harmless:
        return None
    return (
        f"{case.row.name} is not known to be stable: the interval of an unstable learner is "
        "too narrow."
    )


@doubt(
    "SKS603",
    "the models of one cross-validation",
    weight="note",
    when="The method is ``'cross_validation'``.",
    action="use method='projection' for the learner",
    advice="The score of the learner varies with the training rows too. For the learner use "
    "``'projection'``, the default, or ``'nested_cv'``.",
    of=PerformanceCase,
)
def fitted_models_only(case: PerformanceCase) -> str | None:
    if not case.method.of_fitted_models:
        return None
    return (
        "the interval is about the models of this one cross-validation, not about the learner."
    )


@doubt(
    "SKS604",
    "no variance",
    weight="weak",
    when="The scores that a standard error would come from are all alike, as those of "
    "a perfect model are.",
    action="use more rows, or a finer metric",
    advice="Test on more rows, or by a finer metric (log loss in place of accuracy).",
    of=PerformanceCase,
)
def nothing_varies(case: PerformanceCase) -> str | None:
    if not case.fell_back:
        return None
    return (
        f"the scores of {case.row.name} do not vary: the interval, if there is one, counts "
        "every tested row once, as one test set."
    )


@doubt(
    "SKS605",
    "training rows memorised",
    weight="invalid",
    when="The method is ``'bootstrap632'`` or ``'bootstrap632+'``, and the training score is "
    "more than five standard errors better than the estimate.",
    action="use method='bootstrap'",
    advice="Use ``'bootstrap'``, which does not look at the training score, or "
    "``'projection'``. For trees and nearest neighbours the interval contained the truth "
    "never (.632), or in a third to half of all cases (.632+).",
    of=PerformanceCase,
)
def known_by_heart(case: PerformanceCase) -> str | None:
    error, gap = case.row.estimate.standard_error, case.row.gap
    if not case.method.fit_whole or not error or gap is None:
        return None
    if gap <= _FAR * error:
        return None
    return (
        f"{case.row.name} has a training score that is {gap / error:.0f} standard errors "
        f"better: the estimate counts part of that, and is too good."
    )


@doubt(
    "SKS606",
    "a class that is never tested",
    weight="weak",
    when="No test set holds a row of some class, which is too rare for its size.",
    action="use larger test sets, or folds",
    advice="Use larger test sets, or folds, of which every row is in one.",
    of=PerformanceCase,
)
def class_never_tested(case: PerformanceCase) -> str | None:
    if not case.untested:
        return None
    return f"no row of class {', '.join(case.untested)} is ever tested."


@doubt(
    "SKS607",
    "few bootstrap samples",
    weight="weak",
    when="More than nine tenths of the variance behind a bootstrap interval was noise "
    "of the samples.",
    action="raise budget=",
    advice="Take more samples (``budget=``): as many as there are rows, or more. The noise "
    "was taken off, but what is left is hardly known.",
    of=PerformanceCase,
)
def few_samples(case: PerformanceCase) -> str | None:
    noise = getattr(case.row.estimate, "noise", 0.0)
    if noise <= _NOISY:
        return None
    return (
        f"{100 * noise:.0f} % of the variance behind the interval was noise of the bootstrap "
        "samples: another seed gives another width."
    )


@doubt(
    "SKS608",
    "few repeats of nested cross-validation",
    weight="weak",
    when="The method is ``'nested_cv'``, with fewer than five repeats.",
    action="repeat it ten times, the default",
    advice="Repeat it ten times (the default), or more often. The interval of one repeat "
    "contained the truth in 76 to 95 % of all cases, depending on the learner.",
    of=PerformanceCase,
)
def few_repeats(case: PerformanceCase) -> str | None:
    repeats = case.nested_repeats
    if repeats is None or repeats >= _FEW_REPEATS:
        return None
    return (
        f"the nested cross-validation has only {units(repeats, 'repeat')}: its interval may be "
        "too narrow."
    )


@doubt(
    "SKS609",
    "a rare class",
    weight="weak",
    when="The method is ``'projection'``, the metric is not a mean over rows (the area under "
    "the ROC curve, balanced accuracy, F1, ...), and the rarest class has fewer than 20 rows.",
    action="add rows of the rarest class",
    advice="Collect more rows of the class, or use a metric that is a mean over rows (log "
    "loss, Brier score). With 10 of 210 rows in the class the 95 % interval contained the "
    "truth in 91 to 98 % of all cases for the area under the ROC curve, and in 83 to 85 % for "
    "balanced accuracy, macro F1 and Matthews' correlation of 5 nearest neighbours; with 12 of "
    "60 rows in 86 % for their Matthews' correlation.",
    of=PerformanceCase,
)
def rare_class_estimate(case: PerformanceCase) -> Found | None:
    if not case.method.by_contributions or case.is_mean:
        return None
    if case.rarest is None or case.rarest >= _RARE:
        return None
    return Found(
        text=f"the rarest class has {units(case.rarest, 'row')}, and the metric is not a mean "
        "over rows: the interval may be too narrow.",
        action=rows_of_rarest(case),
    )


@doubt(
    "SKS610",
    "a metric that this method may not suit",
    weight="weak",
    when="The method is ``'corrected_t'`` or ``'nested_cv'``, and the metric is not known "
    "to be one of predicted labels.",
    action="use method='projection'",
    advice="For metrics other than those of predicted labels, models of splits of the same "
    "rows can be more alike than models of other rows. ``method='projection'`` is the default "
    "where it is known what every row contributes to the metric: its interval contained the "
    "truth in 92 to 100 % of the same cases. For a scorer of your own use a similar metric of "
    "scikit-learn. The interval of ``'corrected_t'`` contained the truth in 50 to 88 % of all "
    "cases for log loss and Brier score of regularised learners (logistic regression with C = "
    "0.001 and 0.1, kernel ridge), and in 88 to 94 % for the area under the ROC curve of most "
    "learners; that of ``'nested_cv'`` in 70 % for log loss of a regularised learner.",
    of=PerformanceCase,
)
def hidden_between_splits(case: PerformanceCase) -> str | None:
    measured = case.method.coverage_of_other_metrics
    if case.of_labels or not measured:
        return None
    return (
        "the metric is not known to be one of predicted labels: for others the 95 % interval "
        f"contained the truth in {measured} in simulations."
    )
