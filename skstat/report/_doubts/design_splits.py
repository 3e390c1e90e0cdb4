"""Doubts about the design: splits of one data set, and learners."""

import math
from collections.abc import Collection

import numpy as np

from skstat._names import shown_name
from skstat.metrics._known import is_area_under_curve, takes_logarithms
from skstat.report._doubts.case import Case, NamedRowsCase, PerformanceCase, rows_of_rarest
from skstat.report._doubts.kind import Found, doubt
from skstat.report._words import units
from skstat.stats import (
    FirstDifferenceOutcome,
    FoldScores,
    ProjectionOutcome,
)
from skstat.stats._samples import FEW_IN_FOLD, FEW_OF_CLASS

# Ratio of the variance between splits to what their rows imply. With stable learners it was
# below 0.9 in none of 80 runs for log loss, and in up to 42 % for the area under the ROC curve,
# for which the test was measured to reject 8 % of true null hypotheses at most.
_TOO_ALIKE, _TOO_ALIKE_AREAS, _FEW_SPLITS = 0.9, 0.6, 30
_MANY_FOLDS = 5
_MANY_COPIES = 0.02  # of the rows
# Skewness of the rows over the root of their number, which is left in their mean.
_SKEWED, _SKEWED_FOR_ONE_TAIL = 0.4, 0.2
# The largest losses of a probability of 0, in double and in single precision.
_CUT_OFFS = tuple(-math.log(np.finfo(kind).eps) for kind in (np.float64, np.float32))
# A class is named hardly ever below a quarter of its rows, and by turns if one test set has
# three times as many as another; of fewer than five rows nothing is said.
_HARDLY, _BY_TURNS, _FEW_NAMED = 4, 3, 5


@doubt(
    "SKS101",
    "overlapping splits tested as independent",
    weight="invalid",
    when="A test for independent units (:func:`~skstat.stats.paired_t`, "
    ":func:`~skstat.stats.wilcoxon`, :func:`~skstat.stats.sign`, "
    ":func:`~skstat.stats.sign_flip`) was used on splits of one data set.",
    action="use the default test",
    advice="Use the default test. Keep this one only to show what a published result would "
    "have been. At a nominal 0.05 such tests rejected 5 to 26 % of true null hypotheses for a "
    "single K-fold, and 50 to 89 % for 30 splits or more.",
)
def treated_as_independent(case: Case) -> str | None:
    if not case.design.treated_as_independent:
        return None
    return (
        "the splits share training rows, but this test treats them as independent: it finds "
        "differences that do not exist far too often."
    )


@doubt(
    "SKS102",
    "a single K-fold",
    weight="weak",
    when="The splits are one complete partition: a K-fold cross-validation without repeats.",
    action="repeat the folds, or take the default splits",
    advice="The default design has more power. The test is valid for stable learners, but it "
    "corrects for overlapping test sets, which a single K-fold does not have: for accuracy a "
    "power of 0.16 was measured where ten repeats had 0.44. For unstable learners it rejected "
    "4 to 10 % of true null hypotheses in simulations, at a nominal 0.05, and :ref:`SKS103 "
    "<sks103>` is raised too.",
)
def single_k_fold(case: Case) -> str | None:
    if case.n_repeats != 1 or case.design.treated_as_independent:
        return None
    return (
        f"a single {case.n_folds}-fold cross-validation gives an interval about 1.4 times as "
        "wide as it need be."
    )


@single_k_fold.of(PerformanceCase)
def single_k_fold_estimate(case: PerformanceCase) -> str | Found | None:
    return single_k_fold(case) if case.method.corrected else None


@doubt(
    "SKS103",
    "learner not known to be stable",
    weight="weak",
    when="The design is a repeated K-fold, five times two halves, or random splits "
    "with small test sets (test to training size 0.3 or less), and a learner is "
    "not on the list of those known to be stable. For bare scores nothing is known of the "
    "learners, and the doubt is a note. For a single K-fold it is raised only if a learner is "
    "known, and not known to be stable. It is not raised for the block "
    "jackknife (:func:`~skstat.stats.block_jackknife_t`), which covers any learner.",
    action="use compare_estimators with its default splits and test",
    advice="A learner is unstable if a few training rows change its predictions much: stumps, "
    "nearest neighbours, and whatever selects or tunes inside. The default test of estimators "
    "measures this. With scores only, larger test sets make the correction stronger: a "
    "decision stump had a type I error of 0.21 for accuracy with 10x10 folds, and of 0.04 "
    "with 30 splits of one third. At a nominal 0.05 tests of unstable learners rejected 11 to "
    "21 % of true null hypotheses with repeated K-fold, 9 to 20 % with small test sets, 4 to "
    "14 % with 5x2 halves and 4 to 10 % with a single K-fold. "
    ":func:`skstat.check_test` counts it for a learner of your own.",
)
def unstable_learner(case: Case) -> str | Found | None:
    unstable = case.learners.unstable
    if _covers_any_learner(case):
        return None
    if case.unit != "split" or case.ordered or (unstable is not None and not unstable):
        return None
    if case.n_repeats == 5 and case.n_folds == 2:
        design = "5x2 halves"
    elif case.n_repeats is not None and case.n_repeats > 1:
        design = "a repeated K-fold"
    elif case.n_repeats == 1 and unstable:
        design = "a single K-fold"
    elif case.n_repeats is None and (case.test_train_ratio or 1) <= 0.3:
        design = "small test sets"
    else:
        return None
    if unstable is None:
        return Found(
            text="nothing is known of the learners behind these scores: if one is unstable, a "
            f"test of {design} finds differences that do not exist too often.",
            weight="note",  # for all that is known nothing is wrong
        )
    is_not = "are not" if len(unstable) > 1 else "is not"
    return (
        f"{_and(unstable)} {is_not} known to be stable: if unstable, a test of {design} finds "
        "differences that do not exist too often."
    )


@doubt(
    "SKS105",
    "groups split between training and test",
    weight="invalid",
    when="``groups`` was given, and ``cv`` puts rows of one group on both sides of a split.",
    action="split by group, as the default splits do",
    advice="The default splits keep groups together where ``groups=`` is given, and so do "
    "``GroupShuffleSplit`` or ``StratifiedGroupKFold``. The splitter used does not look at "
    "groups.",
    of=(Case, PerformanceCase),
)
def split_groups(case: Case) -> str | None:
    if not case.design.splits_groups:
        return None
    return (
        "rows of one group are in the training set and in the test set of a split: scores are "
        "too good, and splits too much alike."
    )


@doubt(
    "SKS106",
    "few test rows per split",
    weight="weak",
    when="Some split tests on fewer than 30 rows; of blocks left out in pairs, all blocks "
    "but one hold fewer. With ``train_size=0.9``, whose variance is found on halves, and for "
    "the block jackknife, some fold or block has fewer than 10 and the metric is not a mean "
    "over rows.",
    action="use fewer folds, or a larger test_size",
    advice="Use fewer folds or a larger test fraction; where every split tests on half of the "
    "rows, as by default, collect more. For leave-one-out, test the pooled predictions "
    "instead.",
)
def few_test_rows(case: Case) -> Found | None:
    rows, scored = case.design.min_test_rows, case.design.min_scored_rows
    if rows is None:
        return None
    by_part = case.carried or case.leaves_out_blocks
    scored = rows if scored is None else scored
    if by_part and not case.metric.is_mean and scored < FEW_IN_FOLD:
        return Found(
            text=f"some {'fold' if case.carried else 'block'} tests on {units(scored, 'row')} "
            f"only: {case.metric.shown.name} of so few rows is another quantity than that of "
            "many.",
            action="leave train_size out" if case.carried else "collect more rows",
        )
    if rows >= 30 or case.carried:
        return None
    what = "cross-validation" if case.leaves_out_blocks else "split"
    return Found(
        text=f"some {what} tests on {units(rows, 'row')} only: too few for its score to be "
        "close to normal.",
        action="collect more rows" if case.n_folds == 2 else "",  # halves test on most rows
    )


@few_test_rows.of(PerformanceCase)
def few_test_rows_estimate(case: PerformanceCase) -> str | Found | None:
    return few_test_rows(case) if case.method.by_splits else None


@doubt(
    "SKS108",
    "the answer depends on the first fold",
    weight="weak",
    when="The test is :func:`~skstat.stats.five_by_two_t`.",
    action="use the F test of the same fits, five_by_two_f",
    advice="Use ``statistic='f'`` or ``test='five_by_two_f'``, which uses all ten "
    "differences of the same fits.",
)
def first_fold(case: Case) -> str | None:
    if not isinstance(case.by_itself, FirstDifferenceOutcome):
        return None
    return (
        "estimate, interval and p-value rest on the first of the ten differences: another "
        "order of the halves gives another answer."
    )


@doubt(
    "SKS110",
    "splits that repeat each other",
    weight="weak",
    when="Random splits of few rows or groups drew the same test set more than once.",
    action="use fewer splits",
    advice="Use fewer splits, or more rows or groups.",
)
def repeated_splits(case: Case) -> str | None:
    n = case.design.repeated_splits
    if n == 0:
        return None
    them = "tests on the same rows as another, and adds"
    if n > 1:
        them = "test on the same rows as others, and add"
    return f"{units(n, 'split')} {them} no information."


@repeated_splits.of(PerformanceCase)
def repeated_splits_estimate(case: PerformanceCase) -> str | Found | None:
    return repeated_splits(case) if case.method.corrected else None


@doubt(
    "SKS130",
    "splits that vary too little",
    weight="invalid",
    when="A test whose standard error comes from the variance of splits "
    "(:func:`~skstat.stats.corrected_t`, the 5x2cv tests) was used on a run, and the "
    "variance of the differences of its splits is less than 0.9 times what test rows drawn "
    "without replacement would make of it. It is called weak for fewer than 30 splits, which "
    "know the ratio less, and for areas under curves, where 0.6 is the limit. It is not "
    "raised for metrics of predicted labels.",
    action="use compare_estimators with its default splits and test",
    advice="Use the default test (:func:`~skstat.stats.projection_t`), which measures both "
    "what rows do in testing and what they do in training. Between splits of one data set "
    "the two cancel; over data sets they add up. In simulations the ratio was 0.4 to 0.8 "
    "where the corrected t test rejected 11 to 49 % of true null hypotheses, and about 1 "
    "or more where it held its level. For accuracy and macro F1 it held its level in all of "
    "52 settings of learner and data.",
    page="any_metric",
)
def splits_too_alike(case: Case) -> Found | None:
    spread = case.design.split_spread
    if spread is None or case.metric.of_labels or not _rests_on_split_variance(case):
        return None
    is_area = is_area_under_curve(case.metric.name)
    if spread >= (_TOO_ALIKE_AREAS if is_area else _TOO_ALIKE):
        return None
    return Found(
        text=f"the variance between splits is only {spread:.2f} times what their test rows "
        "imply: the standard error is too small.",
        weight="weak" if is_area or case.n_units < _FEW_SPLITS else None,
    )


@doubt(
    "SKS131",
    "a metric for which the correction was not derived",
    weight="weak",
    when="A test whose standard error comes from the variance of splits was used on "
    "scores without their rows, and the metric is one of probabilities, ranks or numbers "
    "(log loss, Brier score, AUC, R², mean errors), not of predicted labels. For areas under "
    "curves it is a note.",
    action="use compare_estimators, or keep the scores of the rows",
    advice="Compare the estimators themselves, or keep the scores of the rows "
    "(:meth:`PairedFoldScores.from_row_scores "
    "<skstat.stats.PairedFoldScores.from_row_scores>`) for "
    ":func:`~skstat.stats.projection_t`. For such metrics tests by the variance of splits "
    "rejected up to 49 % of true null hypotheses in simulations, at a nominal 0.05, for "
    "strongly regularised learners (ridge, a small C, many neighbours, few boosting rounds): "
    "more than 7.5 % in a quarter of the cases for log loss and Brier score, and in half of "
    "those for errors of numbers. For the area under the ROC curve it was 8 % at most, on 30 "
    "splits of one third.",
    page="any_metric",
)
def unmeasured_metric(case: Case) -> Found | None:
    known = case.design.split_spread is not None or case.metric.of_labels is not False
    if known or not _rests_on_split_variance(case):
        return None
    return Found(
        text=f"{case.metric.shown.name} is not a metric of predicted labels: the test may find "
        "differences that do not exist, and scores of splits alone do not show it.",
        weight="note" if is_area_under_curve(case.metric.name) else None,
    )


@doubt(
    "SKS132",
    "many folds for a projection on rows",
    weight="weak",
    when="The projection t test was used on repetitions of 5 folds or more.",
    action="use repeated halves, the default splits",
    advice="With as many fits the same test found 1.3 to 5 times as much on 15 x 2 halves, "
    "the default. With 10 x 10 folds it rejected up to 9 % of true null hypotheses in "
    "simulations, at a nominal 0.05.",
)
def many_folds(case: Case) -> str | None:
    of_rows = isinstance(case.by_itself, ProjectionOutcome)
    if not of_rows or (case.n_folds or 0) < _MANY_FOLDS or case.carried:
        return None
    return (
        f"with {case.n_folds} folds this test is noisy: in simulations it had a fifth to three "
        "quarters of the power that it has with halves."
    )


@doubt(
    "SKS133",
    "few rows of a class",
    weight="weak",
    when="The projection t test, the rarest class has fewer than 20 rows, and the metric is "
    "not a mean over rows (AUC, average precision, balanced accuracy, F1, Matthews' "
    "correlation and the like).",
    action="add rows of the rarest class, or use the block jackknife t test",
    advice="Collect more rows of that class, or take ``test='block_jackknife_t'`` in "
    ":func:`~skstat.compare_estimators`. With 10 "
    "positives among 210 rows, or 12 among 60, the test rejected up to 6 % of true null "
    "hypotheses for five nearest neighbours at a nominal 0.05, and 3 % or fewer for logistic "
    "regression and naive Bayes. The default splits deal so few rows out evenly, so that what "
    "class shares do in training is not measured (:ref:`SKS140 <sks140>`).",
)
def rare_class_in_halves(case: Case) -> Found | None:
    n = case.design.smallest_class
    if n is None or n >= FEW_OF_CLASS or not isinstance(case.by_itself, ProjectionOutcome):
        return None
    return Found(
        text=f"the rarest class has {units(n, 'row')}, and a fold has half of them or fewer: "
        f"{case.metric.shown.name} of a fold rests on very few rows.",
        action=f"{rows_of_rarest(case)}, or use the block jackknife t test",
    )


@doubt(
    "SKS140",
    "class shares held fixed",
    weight="weak",
    when="The splits of a run all hold the same share of every class, the metric is one of "
    "predicted labels, and a test over splits was asked. For accuracy it is a note, and raised "
    "for the projection t test alone. It is not raised where a class has fewer than 20 rows "
    "(:ref:`SKS133 <sks133>`).",
    action="use compare_estimators with its default splits and test",
    advice="Another data set would have other class shares, and a learner that is trained on "
    "another share names a class more or less often. Splits that all have the same shares do "
    "not show that, so that the standard error lacks it. In simulations of two unlike "
    "learners, such as logistic regressions with C = 0.005 and C = 1 on 300 rows of two equal "
    "classes, 95 % intervals of the difference in F1 missed the truth in half of the data "
    "sets, those of balanced accuracy in 30 %, those of accuracy in 14 %. Learners that are "
    "alike are not affected.",
    page="any_metric",
)
def fixed_class_shares(case: Case) -> Found | None:
    if not case.design.same_class_shares or not case.metric.of_labels or case.unit != "split":
        return None
    if case.identical:
        return None
    if case.metric.is_mean and not isinstance(case.by_itself, ProjectionOutcome):
        return None
    if rare_class_in_halves(case) is not None:
        return None
    return Found(
        text=f"all splits hold the same share of every class: what the shares do in training "
        f"is missing in the standard error of {case.metric.shown.name}.",
        weight="note" if case.metric.is_mean else None,
    )


@doubt(
    "SKS141",
    "a class that is rarely predicted, or only on some splits",
    weight="weak",
    when="The metric is one of predicted labels, and in the first repeat of a run a learner "
    "names a class on fewer than a quarter of the rows that are of it, or on three times as "
    "many rows of one test set as of another, and five more.",
    action="use a metric of probabilities or ROC AUC, which do not jump",
    advice="Such a learner makes one choice for a whole data set: to name the class or not. "
    "Its score then has two values rather than a normal law, and a t test is not right for "
    "that, whatever its standard error. In simulations 95 % intervals of the difference in F1 "
    "missed the truth in 21 % of the data sets for logistic regression with C = 0.001 against "
    "C = 1, in 7 % for C = 0.005 and in 8 to 14 % for a guess against C = 0.1; those in "
    "Matthews' correlation in 7 % for 15 neighbours against C = 1; those of log loss in at "
    "most 6 %. Or give the learner more freedom, or move its threshold.",
    page="any_metric",
    of=NamedRowsCase,
)
def named_by_turns(case: NamedRowsCase) -> str | None:
    held = case.held.min(axis=0, initial=np.iinfo(np.int64).max)
    for name, named in case.named.items():
        fewest, most = named.min(axis=0), named.max(axis=0)
        by_turns = (most > _BY_TURNS * fewest) & (most - fewest >= _FEW_NAMED)
        doubtful = (held >= _FEW_NAMED) & ((fewest < held / _HARDLY) | by_turns)
        if len(named) < 2 or not doubtful.any():
            continue
        place = min(np.flatnonzero(doubtful).tolist(), key=lambda each: fewest[each])
        few, many = int(fewest[place]), int(most[place])
        often = f"{few} to {many} rows" if many > few else f"{few} rows"
        return (
            f"{shown_name(name)} predicts class {shown_name(case.labels[place])} for {often} "
            f"of a test set with {held[place]} of it: scores of labels jump with such a choice."
        )
    return None


@doubt(
    "SKS142",
    "no contributions of rows",
    weight="note",
    when="The block jackknife t test was used for a metric of which it is not known what every "
    "row contributes: such as a median.",
    action="use a metric that is a mean over rows, with make_scorer",
    advice="The projection t test finds more, and needs what every row contributes. That is "
    "known for most metrics of scikit-learn, for costs and gains of outcomes "
    "(:func:`~skstat.metrics.cost_sensitive_scorer`), and for a scorer of your own that is the "
    "mean or the sum over rows of what truth and prediction say: write a function of "
    "``y_true`` and ``y_pred``, and pass ``make_scorer(function)``. A function of estimator, X "
    "and y is not tried on single rows.",
    page="any_metric",
)
def no_contributions(case: Case) -> str | None:
    if not case.metric.rows_unknown or not case.leaves_out_blocks:
        return None
    return (
        f"it is not known what every row contributes to {case.metric.shown.name}: in the "
        "median case the block jackknife found a quarter of what the projection t test finds."
    )


@doubt(
    "SKS143",
    "single rows decide",
    weight="weak",
    when="The projection t test, or the interval of ``method='projection'``, and what the rows "
    "contribute is so skewed that its mean is: a skewness above 0.4 of the root of their "
    "number, or above 0.2 where a margin or a one-sided test looks at one tail. Scores with "
    "two bounds have intervals on the scale of the logit, and are left out.",
    action="use a metric in which single rows weigh less, or more rows",
    advice="Student's t takes the mean to be symmetric. By an Edgeworth expansion (Hall, 1992, "
    "The Bootstrap and Edgeworth Expansion, section 2.4) a one-sided test at 0.05 rejects "
    "7.2 % of true null hypotheses on one side and 2.8 % on the other with 0.2 of the root, "
    "and 9.4 and 0.6 % with 0.4. Outliers and long tails of the target do that to squared "
    "errors: absolute errors, or a transformed target, do it less.",
)
def single_rows_decide(case: Case) -> str | None:
    if not isinstance(case.by_itself, ProjectionOutcome):
        return None
    one_tail = case.outcome.alternative != "two-sided" or case.metric.margin is not None
    return _skewed(case, _SKEWED_FOR_ONE_TAIL if one_tail else _SKEWED)


@single_rows_decide.of(PerformanceCase)
def single_rows_decide_estimate(case: PerformanceCase) -> str | None:
    if not case.method.by_contributions or case.row.estimate.has_two_bounds:
        return None
    return _skewed(case, _SKEWED)


def _skewed(case: Case, most: float) -> str | None:
    if case.splits is None:
        return None
    rows, unit = case.splits.rows, case.splits.size_unit
    if abs(rows.skewness_left) <= most:
        return None
    skewness = rows.skewness_left * math.sqrt(rows.n_units)
    return (
        f"what {units(rows.n_units, unit)} contribute is skewed ({skewness:.1f}): a few "
        f"{unit}s decide, and the interval may miss the truth on one side."
    )


@doubt(
    "SKS144",
    "infinite losses cut off",
    weight="weak",
    when="A repeated cross-validation by the log loss, without weights and groups, and a model "
    "gave the true class of a row the probability 0.",
    action="use the Brier score, or probabilities that are never 0",
    advice="The logarithm of 0 is infinite. scikit-learn cuts the loss off at 36 (16 in single "
    "precision), so that the mean depends on the cut-off, and on how often a fit says 0. Trees "
    "and nearest neighbours do. For nearest neighbours of a tuned number against logistic "
    "regression, the 95 % interval of the difference missed the truth in 10 % of data sets.",
    page="any_metric",
)
def cut_off_losses(case: Case) -> str | None:
    return _cut_off(case, case.names)


@cut_off_losses.of(PerformanceCase)
def cut_off_losses_estimate(case: PerformanceCase) -> str | None:
    # Of a difference each of the two has a case of its own.
    return _cut_off(case, (case.row.name,)) if isinstance(case.sample, FoldScores) else None


@doubt(
    "SKS145",
    "identical rows",
    weight="weak",
    when="More than 2 % of the rows are the same as another row, in X and in y, and no group "
    "holds both. Rows of features with a few values each, which may be the same by chance, "
    "are left out, and so is data that cannot be hashed.",
    action="pass groups= that keep copies together",
    advice="Rows that were copied (by oversampling, by a join, or because the same case was "
    "recorded twice) train the model that they test, and tell as much as one row. Remove the "
    "copies, or keep them together, by ``groups=pandas.util.hash_pandas_object("
    "pandas.DataFrame(X).assign(y=y), index=False)``.",
    of=(Case, PerformanceCase),
)
def identical_rows(case: Case) -> str | None:
    n, n_rows = case.design.n_copies, case.design.n_rows
    if n <= _MANY_COPIES * n_rows:
        return None
    return (
        f"{n} of {units(n_rows, 'row')} repeat another row, in X and in y: copies that train "
        "the models which they test make scores too good and intervals too narrow."
    )


def _cut_off(case: Case, names: Collection[str]) -> str | None:
    """Say which system gave the true class of how many rows a probability of 0."""
    if case.splits is None or not takes_logarithms(case.metric.name):
        return None
    rows = case.splits.rows
    if rows.n_effective is not None:  # what a row contributes is no loss of its own
        return None
    at = np.any(
        [np.isclose(-rows.values, loss, rtol=1e-6, atol=0) for loss in _CUT_OFFS], axis=0
    )
    said = [
        f"{shown_name(name)} gave the true class a probability of 0 on {n} of "
        f"{units(rows.n_units, 'row')}"
        for name, n in zip(names, at.any(axis=0).sum(axis=0).tolist(), strict=True)
        if n
    ]
    if not said:
        return None
    who = " and ".join(said)
    return f"{who}: the loss is infinite there, and its cut-off decides the mean."


def _rests_on_split_variance(case: Case) -> bool:
    """Whether the standard error comes from how the scores of splits vary."""
    dependent = case.unit == "split" and not case.design.treated_as_independent
    return dependent and not _covers_any_learner(case)


def _covers_any_learner(case: Case) -> bool:
    """Whether the test measures or bounds what a learner's instability does."""
    blocks = case.leaves_out_blocks
    return blocks or isinstance(case.by_itself, ProjectionOutcome)


def _and(names: Collection[str]) -> str:
    *first, last = map(shown_name, sorted(names))
    return f"{', '.join(first)} and {last}" if first else last
