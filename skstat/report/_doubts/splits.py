"""Doubts about the splits of one data set, their learners, and small numbers of units."""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from skstat import stats
from skstat._names import shown_name
from skstat.metrics._known import is_area_under_curve, takes_logarithms
from skstat.report._doubts.facts import FEW, Facts
from skstat.report._doubts.kind import Found, Kind
from skstat.report._terms import join_names, stability_text, units
from skstat.stats._bootstrap import Replicates
from skstat.stats._bradley_terry import ENOUGH_ITEMS, FEWEST_UNITS
from skstat.stats._row_contributions import FEW_IN_FOLD, FEW_OF_CLASS
from skstat.stats._t_tests import FirstDifference, Projection
from skstat.stats._words import unit_word

# Ratio of the variance between splits to the variance that their rows imply. With stable
# learners it was below 0.9 in none of 80 runs for log loss, but in up to 42 % for the area
# under the ROC curve, where the test rejected at most 8 % of true null hypotheses.
_TOO_ALIKE, _TOO_ALIKE_AREAS, _FEW_SPLITS = 0.9, 0.6, 30
_MANY_COPIES = 0.02  # of the rows
_MANY_FOLDS, _FEW_REPEATS = 5, 5
_FAR = 5.0  # standard errors
_NOISY = 0.9  # of a variance
_MOST_AGREE = 0.8
# The largest losses of a probability of 0, in double and in single precision.
_CUT_OFFS = tuple(-math.log(np.finfo(kind).eps) for kind in (np.float64, np.float32))
# A class is predicted rarely if on less than a quarter of its rows, and on some splits only if
# one test set has three times as many predictions of it as another. Fewer than five rows, or a
# difference of fewer than five, are ignored.
_RARELY, _UNEVEN, _FEW_PREDICTED = 4, 3, 5
FEW_BOOTSTRAPPED = 20
_FEW_GROUPS, _FEW_GROUPS_TOGETHER = 20, 25
# From how many a standard error of a performance can be estimated.
_FEW_TO_ESTIMATE = {"instance": 30, "row": 30, "group": 20, "split": 15}
# Skewness that is unlikely to be chance, and skewness left in the mean (over the root of n): at
# 0.6 the best was ruled out in 8 % of simulations at a nominal 0.05.
_SKEWED, _LEFT_IN_A_MEAN = 1.5, 0.2
_BY_DEFAULT = "use compare_estimators with its default splits and test"

DEPENDENT = Kind("SKS101", "overlapping splits tested as independent")


@DEPENDENT.rule("invalid", "use the default test")
def treated_as_independent(facts: Facts, treated_as_independent: bool) -> Iterator[Found]:
    """A test for independent units (:func:`~skstat.stats.paired_t`,
    :func:`~skstat.stats.wilcoxon`, :func:`~skstat.stats.sign`, :func:`~skstat.stats.sign_flip`)
    was used on splits of one data set.

    Keep this one only to show what a published result would have been. At a nominal 0.05 such
    tests rejected 5 to 26 % of true null hypotheses for a single K-fold, and 50 to 89 % for 30
    splits or more.
    """
    shared = "splits share training rows, and this test treats them as independent"
    yield Found(f"{shared}: far too often it finds differences that do not exist.")


LESS_TELLING = Kind("SKS102", "splits that tell less than they could")


@LESS_TELLING.rule("weak", "repeat the folds, or take the default splits")
def single_k_fold(facts: Facts, is_single_k_fold: bool) -> Iterator[Found]:
    """The splits are one complete partition: a K-fold cross-validation without repeats.

    The default design has more power. The test is valid for stable learners, but it corrects
    for overlapping test sets, which a single K-fold does not have: for accuracy a power of 0.16
    was measured where ten repeats had 0.44. For unstable learners it rejected 4 to 10 % of true
    null hypotheses in simulations, at a nominal 0.05, and :ref:`SKS103 <sks103>` is raised too.
    """
    folds = f"a single {facts.n_folds}-fold cross-validation"
    yield Found(f"{folds} gives an interval about 1.4 times as wide as need be.")


@LESS_TELLING.rule("weak", "use fewer folds, or a larger test_size")
def few_test_rows(facts: Facts, min_test_rows: int) -> Iterator[Found]:
    """Some split tests on fewer than 30 rows; of blocks left out in pairs, all blocks but one
    hold fewer. With ``train_size=0.9``, whose variance is found on halves, and for the block
    jackknife, some fold or block has fewer than 10 and the metric is not a mean over rows.

    Where every split tests on half of the rows, as by default, collect more. For leave-one-out,
    test the pooled predictions instead.
    """
    rows, scored, folds = min_test_rows, facts.min_scored_rows, facts.carried
    if not rows or not scored or not facts.method.by_splits:
        return
    by_blocks = getattr(facts.sample, "n_blocks", None) is not None
    if (folds or by_blocks) and not facts.is_mean and scored < FEW_IN_FOLD:
        other = f"{facts.shown.name} of so few is another quantity than that of many"
        action = "leave train_size out" if folds else "collect more rows"
        yield Found(f"some score is of {units(scored, 'row')} only: {other}.", action=action)
    elif rows < 30 and not folds:
        action = "collect more rows" if facts.n_folds == 2 else ""  # halves test most rows
        few = f"some score is of {units(rows, 'row')} only"
        yield Found(f"{few}, too few for it to be close to normal.", action=action)


@LESS_TELLING.rule(
    "weak", "use the F test of the same fits, five_by_two_f", law=FirstDifference
)
def first_fold(facts: Facts) -> Iterator[Found]:
    """The test is :func:`~skstat.stats.five_by_two_t`.

    Use ``statistic='f'`` or ``test='five_by_two_f'``, which uses all ten differences of the
    same fits.
    """
    yield Found("the answer rests on the first of ten differences, and so on their order.")


@LESS_TELLING.rule("weak", "use fewer splits")
def repeated_splits(facts: Facts, repeated_splits: int) -> Iterator[Found]:
    """Random splits of few rows or groups drew the same test set more than once.

    Or collect more rows or groups, of which there are more test sets.
    """
    if facts.method.corrected:
        again = f"{units(repeated_splits, 'split')} had the test set of another one"
        yield Found(f"{again}, which adds no information.")


@LESS_TELLING.rule("weak", "use repeated halves, the default splits", law=Projection)
def many_folds(facts: Facts, n_folds: int) -> Iterator[Found]:
    """The projection t test was used on repetitions of 5 folds or more.

    With many folds the test is noisy: with as many fits it found 1.3 to 5 times as much on 15 x
    2 halves, the default. With 10 x 10 folds it rejected up to 9 % of true null hypotheses in
    simulations, at a nominal 0.05.
    """
    if not facts.carried and n_folds >= _MANY_FOLDS:
        noisy = f"with {n_folds} folds this test is noisy"
        yield Found(f"{noisy}: it has a fifth to three quarters of the power of halves.")


UNSTABLE = Kind("SKS103", "learner not known to be stable", page="performance")


@UNSTABLE.rule("weak", _BY_DEFAULT)
def unstable_learner(facts: Facts, over_splits: bool) -> Iterator[Found]:
    """The design is a repeated K-fold, five times two halves, or random splits with small test
    sets (test to training size 0.3 or less), and a learner is not on the list of those known to
    be stable. For bare scores nothing is known of the learners, and the doubt is a note. For a
    single K-fold it is raised only if a learner is known, and not known to be stable. It is not
    raised for the block jackknife (:func:`~skstat.stats.block_jackknife_t`), which covers any
    learner.

    A learner is unstable if a few training rows change its predictions much: stumps, nearest
    neighbours, and whatever selects or tunes inside. The default test of estimators measures
    this. With scores only, larger test sets make the correction stronger: a decision stump had
    a type I error of 0.21 for accuracy with 10x10 folds, and of 0.04 with 30 splits of one
    third. At a nominal 0.05 tests of unstable learners rejected 11 to 21 % of true null
    hypotheses with repeated K-fold, 9 to 20 % with small test sets, 4 to 14 % with 5x2 halves
    and 4 to 10 % with a single K-fold. :func:`skstat.check_test` counts it for a learner of
    your own.
    """
    unstable, repeats = facts.unstable, getattr(facts.sample, "n_repeats", None)
    if facts.ordered or (unstable is not None and not unstable):
        return
    if repeats is None:
        design = "small test sets" * (_test_train_ratio(facts) <= 0.3)
    elif repeats == 1:
        design = "a single K-fold" * bool(unstable)
    else:
        design = "5x2 halves" if (repeats, facts.n_folds) == (5, 2) else "a repeated K-fold"
    if design:
        who = join_names(sorted(unstable)) if unstable else "the learners behind these scores"
        finds = f"a test of {design} too often finds differences that do not exist"
        text = f"{who} may be unstable: if so, {finds}."
        # Only a note where nothing is known of the learners.
        yield Found(text, weight=None if unstable else "note")


@UNSTABLE.rule("weak", "use method='projection'")
def unstable_and_estimated(facts: Facts, unstable: Collection[str]) -> Iterator[Found]:
    """The estimator is not known to be stable, and the method takes its models for much alike.

    A learner is unstable if a few training rows change its predictions much: stumps, nearest
    neighbours, and whatever selects or tunes inside. The 95 % interval of such a learner
    contained the truth in 70 to 90 % of all cases only. ``method='projection'`` measures how
    much the models change; ``'corrected_t'`` is careful with one third of the rows for testing,
    its default for such learners.
    """
    harmless = _test_train_ratio(facts) >= (facts.method.stable_from or math.inf)
    if unstable and facts.method.assumes_stability and not harmless:
        names = join_names(sorted(unstable))
        yield Found(f"{names} may be unstable: if so, the interval is too narrow.")


def _test_train_ratio(facts: Facts) -> float:
    return getattr(facts.sample, "test_train_ratio", None) or math.nan


SPLIT_GROUPS = Kind("SKS105", "groups split between training and test")


@SPLIT_GROUPS.rule("invalid", "split by group, as the default splits do")
def split_groups(facts: Facts, splits_groups: bool) -> Iterator[Found]:
    """``groups`` was given, and ``cv`` puts rows of one group on both sides of a split.

    The default splits keep groups together where ``groups=`` is given, and so do
    ``GroupShuffleSplit`` or ``StratifiedGroupKFold``. The splitter used does not look at
    groups.
    """
    yield Found("models are tested on groups they were trained on: scores are too good.")


OTHER_METRIC = Kind("SKS130", "a metric that the test may not suit", page="any_metric")


@OTHER_METRIC.rule("invalid", _BY_DEFAULT)
def splits_too_alike(
    facts: Facts, by_split_variance: bool, split_spread: float
) -> Iterator[Found]:
    """A test whose standard error comes from the variance of splits
    (:func:`~skstat.stats.corrected_t`, the 5x2cv tests) was used on a run, and the variance of
    the differences of its splits is less than 0.9 times what test rows drawn without
    replacement would make of it. It is called weak for fewer than 30 splits, which know the
    ratio less, and for areas under curves, where 0.6 is the limit. It is not raised for metrics
    of predicted labels.

    Use the default test (:func:`~skstat.stats.projection_t`), which measures both what rows do
    in testing and what they do in training. Between splits of one data set the two cancel; over
    data sets they add up. In simulations the ratio was 0.4 to 0.8 where the corrected t test
    rejected 11 to 49 % of true null hypotheses, and about 1 or more where it held its level.
    For accuracy and macro F1 it held its level in all of 52 settings of learner and data.
    """
    is_area = is_area_under_curve(facts.metric)
    if not facts.of_labels and split_spread < (_TOO_ALIKE_AREAS if is_area else _TOO_ALIKE):
        times = f"only {split_spread:.2f} times what their test rows imply"
        text = f"the variance between splits is {times}: the standard error is too small."
        yield Found(text, weight="weak" if is_area or facts.n_units < _FEW_SPLITS else None)


@OTHER_METRIC.rule("weak", "use compare_estimators, or keep the scores of the rows")
def unmeasured_metric(facts: Facts, by_split_variance: bool) -> Iterator[Found]:
    """A test whose standard error comes from the variance of splits was used on scores without
    their rows, and the metric is one of probabilities, ranks or numbers (log loss, Brier score,
    AUC, R², mean errors), not of predicted labels. For areas under curves it is a note.

    Compare the estimators themselves, or keep the scores of the rows
    (:meth:`PairedScores.from_row_scores <skstat.stats.PairedScores.from_row_scores>`)
    for :func:`~skstat.stats.projection_t`. For such metrics tests by the variance of splits
    rejected up to 49 % of true null hypotheses in simulations, at a nominal 0.05, for strongly
    regularised learners (ridge, a small C, many neighbours, few boosting rounds): more than 7.5
    % in a quarter of the cases for log loss and Brier score, and in half of those for errors of
    numbers. For the area under the ROC curve it was 8 % at most, on 30 splits of one third.
    """
    if facts.split_spread is None and facts.of_labels is False:
        other = f"{facts.shown.name} is not a metric of predicted labels"
        finds = "the test may find differences that do not exist"
        text = f"{other}: {finds}, and scores of splits alone do not show it."
        yield Found(text, weight="note" if is_area_under_curve(facts.metric) else None)


@OTHER_METRIC.rule("note", "use a metric that is a mean over rows, with make_scorer")
def no_contributions(facts: Facts, rows_unknown: bool) -> Iterator[Found]:
    """The block jackknife t test was used for a metric of which it is not known what every row
    contributes: such as a median.

    The projection t test finds more, and needs what every row contributes: in the median case
    the block jackknife found a quarter of what it finds. What rows contribute is known for most
    metrics of scikit-learn, for costs and gains of outcomes
    (:func:`~skstat.metrics.cost_sensitive_scorer`), and for a scorer of your own that is the
    mean or the sum over rows of what truth and prediction say: write a function of ``y_true``
    and ``y_pred``, and pass ``make_scorer(function)``. A function of estimator, X and y is not
    tried on single rows.
    """
    if getattr(facts.sample, "n_blocks", None) is not None:
        unknown = f"what every row contributes to {facts.shown.name} is not known"
        yield Found(f"{unknown}: the block jackknife does without, and finds less.")


@OTHER_METRIC.rule("weak", "use method='projection'")
def hidden_between_splits(facts: Facts, estimate: stats.Estimate) -> Iterator[Found]:
    """The method is ``'corrected_t'`` or ``'nested_cv'``, and the metric is not known to be one
    of predicted labels.

    For metrics other than those of predicted labels, models of splits of the same rows can be
    more alike than models of other rows. ``method='projection'`` is the default where it is
    known what every row contributes to the metric: its interval contained the truth in 92 to
    100 % of the same cases. For a scorer of your own use a similar metric of scikit-learn. The
    interval of ``'corrected_t'`` contained the truth in 50 to 88 % of all cases for log loss
    and Brier score of regularised learners (logistic regression with C = 0.001 and 0.1, kernel
    ridge), and in 88 to 94 % for the area under the ROC curve of most learners; that of
    ``'nested_cv'`` in 70 % for log loss of a regularised learner.
    """
    coverage = facts.method.coverage_of_other_metrics
    if coverage and not facts.of_labels:
        unknown = "the metric is not known to be one of predicted labels"
        yield Found(f"{unknown}: for others 95 % intervals held the truth in {coverage}.")


@Kind("SKS140", "class shares held fixed", page="any_metric").rule("weak", _BY_DEFAULT)
def fixed_class_shares(facts: Facts, same_class_shares: bool) -> Iterator[Found]:
    """The splits of a run all hold the same share of every class, the metric is one of
    predicted labels, and a test over splits was asked. For accuracy it is a note, and raised
    for the projection t test alone. It is not raised where a class has fewer than 20 rows
    (:ref:`SKS128 <sks128>`).

    Another data set would have other class shares, and a learner that is trained on another
    share names a class more or less often. Splits that all have the same shares do not show
    that, so that the standard error lacks it. In simulations of two unlike learners, such as
    logistic regressions with C = 0.005 and C = 1 on 300 rows of two equal classes, 95 %
    intervals of the difference in F1 missed the truth in half of the data sets, those of
    balanced accuracy in 30 %, those of accuracy in 14 %. Learners that are alike are not
    affected.
    """
    projected = isinstance(facts.law, Projection)
    tested = facts.of_labels and facts.outcome is not None
    few = facts.rarest_class is not None and facts.rarest_class < FEW_OF_CLASS
    excluded = facts.unit != "split" or facts.identical or (few if projected else facts.is_mean)
    if tested and not excluded:
        held = "all splits hold the same share of every class"
        error = f"the standard error of {facts.shown.name}"
        text = f"{held}: what the shares do in training is missing in {error}."
        yield Found(text, weight="note" if facts.is_mean else None)


BY_TURNS = Kind("SKS141", "a class predicted rarely, or on some splits", page="any_metric")


@BY_TURNS.rule("weak", "use a metric of probabilities or ROC AUC, which do not jump")
def rarely_predicted(facts: Facts, n_predicted: Any, n_true: Any) -> Iterator[Found]:
    """The metric is one of predicted labels, and in the first repeat of a run a learner names a
    class on fewer than a quarter of the rows that are of it, or on three times as many rows of
    one test set as of another, and five more.

    Such a learner makes one choice for a whole data set: to name the class or not. Its score
    then has two values rather than a normal law, and a t test is not right for that, whatever
    its standard error. In simulations 95 % intervals of the difference in F1 missed the truth
    in 21 % of the data sets for logistic regression with C = 0.001 against C = 1, in 7 % for C
    = 0.005 and in 8 to 14 % for a guess against C = 0.1; those in Matthews' correlation in 7 %
    for 15 neighbours against C = 1; those of log loss in at most 6 %. Or give the learner more
    freedom, or move its threshold.
    """
    min_true = n_true.min(axis=0, initial=np.iinfo(np.int64).max)
    for name, counts in n_predicted.items():
        low, high = counts.min(axis=0), counts.max(axis=0)
        uneven = (high > _UNEVEN * low) & (high - low >= _FEW_PREDICTED)
        doubtful = (min_true >= _FEW_PREDICTED) & ((low < min_true / _RARELY) | uneven)
        if len(counts) < 2 or not doubtful.any():
            continue
        index = int(np.argmin(np.where(doubtful, low, np.inf)))
        few, many = int(low[index]), int(high[index])
        often = f"{few} to {many} rows" if many > few else f"{few} rows"
        predicts = f"{shown_name(name)} predicts class {shown_name(facts.labels[index])}"
        rarely = f"for {often} of a test set with {min_true[index]} of it"
        yield Found(f"{predicts} {rarely}: scores of labels jump with such a choice.")
        return


CUT_OFF = Kind("SKS144", "infinite losses cut off", page="any_metric")


@CUT_OFF.rule("weak", "use the Brier score, or probabilities that are never 0")
def cut_off_losses(facts: Facts, folds: stats.PairedScores) -> Iterator[Found]:
    """A repeated cross-validation by the log loss, without weights and groups, and a model gave
    the true class of a row the probability 0.

    The logarithm of 0 is infinite. scikit-learn cuts the loss off at 36 (16 in single
    precision), so that the mean depends on the cut-off, and on how often a fit says 0. Trees
    and nearest neighbours do. For nearest neighbours of a tuned number against logistic
    regression, the 95 % interval of the difference missed the truth in 10 % of data sets.
    """
    if not takes_logarithms(facts.metric):
        return
    rows = folds.rows
    # For an estimated difference this rule is applied to each system alone.
    of_two = facts.estimate is not None and not isinstance(facts.sample, stats.Scores)
    if of_two or rows.n_effective is not None:  # the contribution of a group is not one loss
        return
    is_cut = [np.isclose(-rows.values, loss, rtol=1e-6, atol=0) for loss in _CUT_OFFS]
    counts = zip(facts.names, np.any(is_cut, axis=(0, 1)).sum(axis=0), strict=True)
    cut = [f"{shown_name(name)} on {units(n, 'row')}" for name, n in counts if n]
    if cut:
        zero = f"the true class was given a probability of 0 (by {' and '.join(cut)})"
        yield Found(f"{zero}: the loss is infinite there, and its cut-off decides the mean.")


@Kind("SKS145", "identical rows").rule("weak", "pass groups= that keep copies together")
def identical_rows(facts: Facts, n_copies: int) -> Iterator[Found]:
    """More than 2 % of the rows are the same as another row, in X and in y, and no group holds
    both. Rows of features with a few values each, which may be the same by chance, are left
    out, and so is data that cannot be hashed.

    Rows that were copied (by oversampling, by a join, or because the same case was recorded
    twice) train the model that they test, and tell as much as one row. Remove the copies, or
    keep them together, by
    ``groups=pandas.util.hash_pandas_object(pandas.DataFrame(X).assign(y=y), index=False)``.
    """
    if n_copies > _MANY_COPIES * facts.n_rows:
        copies = f"{n_copies} of {units(facts.n_rows, 'row')} repeat another row"
        yield Found(f"{copies}, in X and in y: scores are too good, and intervals too narrow.")


PARTITION = Kind("SKS214", "the verdict depends on the partition")


@PARTITION.rule("weak", "call it undecided, and report the range of the estimates")
def depends_on_partition(facts: Facts, stability: Any) -> Iterator[Found]:
    """With ``stability=``, fewer than 80 % of the other partitions of the same rows gave the
    same verdict.

    Do not pick the partition with the best answer, and do not combine the p-values: all of them
    come from the same rows. More splits per partition, and above all more rows, make the answer
    steadier.
    """
    if stability.share < _MOST_AGREE - 1e-9:
        others = "other partitions of the same rows give other answers"
        yield Found(f"{others}: {stability_text(stability)}.")


@Kind("SKS401", "the run may not repeat exactly").rule("note", "set an integer random_state")
def cannot_repeat(facts: Facts, unseeded: Collection[str]) -> Iterator[Found]:
    """An estimator, or a part of it, has ``random_state=None`` and is not known to draw
    nothing, or to take a fixed seed then, as LightGBM and XGBoost do; or the splitter given as
    ``cv`` draws other splits in every call.

    With an integer ``random_state`` the run can be repeated exactly. Left at None, the
    randomness of training is part of what is tested, which is fair; only exact repetition is
    lost.
    """
    names = join_names(sorted(unseeded))
    yield Found(f"random_state=None in {names}: a second run may give other scores.")


@Kind("SKS605", "training rows memorised").rule("invalid", "use method='bootstrap'")
def known_by_heart(facts: Facts, gap: float) -> Iterator[Found]:
    """The method is ``'bootstrap632'`` or ``'bootstrap632+'``, and the training score is more
    than five standard errors better than the estimate.

    Use ``'bootstrap'``, which does not look at the training score, or ``'projection'``. For
    trees and nearest neighbours the interval contained the truth never (.632), or in a third to
    half of all cases (.632+).
    """
    error = getattr(facts.estimate, "standard_error", 0.0)
    if facts.method.fit_whole and error and gap > _FAR * error:
        better = f"the training score of {facts.names[0]} is {gap / error:.0f} standard errors"
        yield Found(f"{better} better: the estimate counts part of that, and is too good.")


FEW_REPETITIONS = Kind("SKS608", "few repetitions")


@FEW_REPETITIONS.rule("weak", "repeat it ten times, the default")
def few_repeats(facts: Facts, nested_repeats: int) -> Iterator[Found]:
    """The method is ``'nested_cv'``, with fewer than five repeats.

    The interval of one repeat contained the truth in 76 to 95 % of all cases, depending on the
    learner.
    """
    if nested_repeats < _FEW_REPEATS:
        yield Found(f"with {units(nested_repeats, 'repeat')} the interval may be too narrow.")


@FEW_REPETITIONS.rule("weak", "raise budget=")
def few_samples(facts: Facts, estimate: stats.Estimate) -> Iterator[Found]:
    """More than nine tenths of the variance behind a bootstrap interval was noise of the
    samples.

    Take more samples (``budget=``): as many as there are rows, or more. The noise was taken
    off, but what is left is hardly known.
    """
    noise = getattr(estimate, "noise", 0.0)
    if noise > _NOISY:
        drawn = f"{100 * noise:.0f} % of the variance is noise of the samples"
        yield Found(f"{drawn}: another seed gives another width.")


FEW_UNITS = Kind("SKS107", "few units")


@FEW_UNITS.rule("weak", "use more splits, seeds or data sets")
def few_units(facts: Facts, few: bool) -> Iterator[Found]:
    """There are fewer than 10 units, which are neither groups nor the splits of a single K-fold
    (:ref:`SKS102 <sks102>`).

    By default there are 30 splits.
    """
    text = "are few: the test finds only large differences, and its assumptions matter."
    more = f"use more {unit_word(facts.unit)}s"
    yield Found(f"{units(facts.n_units, facts.unit)} {text}", action=more)


@FEW_UNITS.rule("weak", "collect more groups")
def few_groups(facts: Facts) -> Iterator[Found]:
    """``groups`` were kept together, and there are fewer than 10 of them. On a test set, and
    for the projection t test and its interval, fewer than 20, or than 25 for a metric that is
    not a mean over rows and for several comparisons together. Groups of unequal size count
    there as many as groups of one size would weigh: (sum of the sizes)^2 / (sum of their
    squares). Rows of unequal weight count so too.

    The groups are the independent observations, not their rows. With fewer than 10 the
    corrected t test rejected up to 12 % of true null hypotheses in simulations, at a nominal
    0.05. The projection t test allows for their effective number. On a test set the permutation
    test by group is the safest with few groups.
    """
    n, word, enough = facts.n_groups, "group", FEW * facts.method.by_splits
    effective: float | None = n
    if facts.outcome is not None and facts.unit == "group":
        n, effective, enough = facts.n_units, facts.n_effective, _enough(facts, facts.is_mean)
    elif facts.unit == "split" and facts.folds is not None:
        rows, word = facts.folds.rows, facts.folds.size_unit
        n, effective, enough = rows.n_units, rows.n_effective, _enough(facts, rows.of_mean)
        if facts.estimate is not None and facts.estimate.n_units < _FEW_GROUPS:
            return  # few_to_estimate says it
    if n is not None and effective is not None and effective < enough:
        few = f"{_effective_units(n, effective, word)} are few"
        text = f"{few}: the interval may be too narrow for other {word}s."
        yield Found(text, action=f"collect more {word}s")


@FEW_UNITS.rule("weak", "use the paired permutation test and its own interval")
def few_bootstrapped(facts: Facts, resampled: bool) -> Iterator[Found]:
    """Fewer than 20 rows, groups or blocks of rows in time order were resampled for an
    interval; groups of unequal size count as many as they weigh.

    The permutation test with its own interval (``test='paired_permutation'``, and no
    ``interval``) is valid for any number. Else collect more rows or groups. Of 50 steps in
    time, 12 blocks of 4, 95 % intervals contained the truth in 92 % where steps are independent
    and in 84 % where neighbours correlate by 0.5; there is no permutation test for them, but
    for a mean over rows :func:`~skstat.stats.diebold_mariano`.
    """
    length = facts.block_length or 1
    if not facts.law.inverts_test and facts.n_effective // length < FEW_BOOTSTRAPPED:
        few, action = _effective_units(facts.n_units, facts.n_effective, facts.unit), ""
        if length > 1:
            few = f"{facts.n_units // length} blocks of {units(length, facts.unit)}"
            action = "compare on a longer stretch"
        yield Found(f"a bootstrap of {few} tends to give too narrow intervals.", action=action)


@FEW_UNITS.rule("weak", "use more seeds", law=Replicates)
def few_seeds(facts: Facts, n_seeds: int) -> Iterator[Found]:
    """Fewer than 10 seeds of a system were resampled together with the rows.

    Or use a metric that is a mean over rows (accuracy, log loss), for which mean squares and
    Student's t allow for few seeds.
    """
    if n_seeds < FEW:
        few = f"a bootstrap of {units(n_seeds, 'seed')}"
        yield Found(f"{few} tends to give too narrow intervals.")


@FEW_UNITS.rule("weak", "score more rows")
def skewed_for_few(facts: Facts, skewness: float) -> Iterator[Found]:
    """It was asked which of several systems may be the best, and the differences of two of them
    have a skewness above 1.5 and above a fifth of the root of the number of rows, groups or
    seeds, so that their mean is skewed too.

    Or compare scores whose outliers are bounded. With lognormal or minus lognormal scores of
    one system and normal ones of three, a fifth as spread, all means equal, the best was ruled
    out in 7 to 8 % of 400 simulations of 20 rows, 6 % of 50 and 3 to 5 % of 100, at a nominal
    0.05.
    """
    of_units = skewness * math.sqrt(facts.n_units)
    if of_units > _SKEWED and skewness > _LEFT_IN_A_MEAN:
        skewed = f"differences of two systems are skewed ({of_units:.1f})"
        yield Found(f"{skewed}: the best may be ruled out too often.")


@FEW_UNITS.rule("weak", "use more units")
def few_for_a_posterior(facts: Facts, posteriors: Sequence[Any]) -> Iterator[Found]:
    """A Bayesian sign or signed-rank test was asked by ``rope=`` on fewer than six units, a
    signed-rank test with ties on fewer than twelve units that differ, or a hierarchical model
    on fewer than ten data sets. Ties are units without a difference, and differences of one
    size.

    The chances of what happens on other units follow from those that were seen, and from a
    prior that is a large share of so few. Wilcoxon's test and the sign test cannot find a
    difference at the level 0.05 with fewer than six either. With six to eleven units and ties
    the Bayesian signed-rank test gave one of two equal systems a probability of 0.95 or more in
    13 to 23 % of 1000 simulations; 10 % is what a probability without a region promises.
    """
    for pair, posterior in enumerate(posteriors):
        if posterior.n_seen is not None and posterior.n_seen < posterior.fewest:
            seen = units(posterior.n_seen, facts.unit)
            text = f"probabilities of what happens elsewhere rest on {seen} and a prior."
            yield Found(text, pair=pair)


@FEW_UNITS.rule("weak", "use more data sets")
def few_for_strengths(facts: Facts, strengths: stats.BradleyTerryPosterior) -> Iterator[Found]:
    """Three systems or more were compared with ``rope=`` on fewer than ten data sets, or
    systems by preferences on fewer than 30 items.

    Shares of wins rest on the data sets that were seen, by a Bayesian bootstrap, whose
    intervals are too narrow with few of them. The intervals of the model are not, but it
    assumes one strength for each system. How much comparisons on one item depend on each other
    is seen from the items, and from so few of them it is hardly seen. More judges of the same
    items do not help.
    """
    preferences = facts.preferences
    if preferences is not None and preferences.n_items < ENOUGH_ITEMS:
        few = f"{preferences.n_items} items say little of how"
        yield Found(f"{few} their comparisons depend on each other.", action="use more items")
    elif preferences is None and strengths.n_units < FEWEST_UNITS:
        seen = units(strengths.n_units, facts.unit)
        yield Found(f"shares of wins on {seen} are surer of themselves than they should be.")


@FEW_UNITS.rule("weak", "use more splits, or a larger test set")
def few_to_estimate(facts: Facts, estimate: stats.Estimate) -> Iterator[Found]:
    """The standard error of an estimate comes from fewer than 30 rows, 20 groups or 15 splits.

    The standard error is uncertain itself, and with it the width of the interval.
    """
    if estimate.n_units < _FEW_TO_ESTIMATE[estimate.unit]:
        few = units(estimate.n_units, estimate.unit)
        yield Found(f"{few} are few to estimate a standard error from.")


@Kind("SKS117", "seeds pooled").rule("invalid", "use seeds='crossed'")
def pooled_seeds(facts: Facts, pooled_seeds: bool) -> Iterator[Found]:
    """``seeds='pooled'`` was asked for.

    Pooling is there to show what a published result did: with three copies of the same
    predictions it rejected 30 % of true null hypotheses in simulations, at a nominal 0.05.
    """
    yield Found("each row is counted once per seed: p and the interval are too small.")


@Kind("SKS217", "no pair can be significant").rule("weak", "use more units")
def floor_decides(facts: Facts, pairwise: stats.PairwiseOutcome) -> Iterator[Found]:
    """Several systems were compared, and the smallest adjusted p-value that so many units,
    draws and pairs can give is not below the level.

    Score more units, draw more (``n_resamples=``), or compare fewer systems, or all of them
    with a ``control=``. Where one set of resamples judges all pairs (``adjustment='max-t'``),
    its smallest p-value does not depend on their number.
    """
    # Where all systems score the same no pair differs anyway.
    if not pairwise.outcomes.numbers("direction").any():
        return
    smallest, alpha = pairwise.smallest_pvalue, facts.alpha
    if smallest >= alpha:
        fewer = "" if pairwise.adjustment == "max-t" else ", or compare fewer systems"
        floor = f"an adjusted p-value is at least {smallest:.3g}, and the level is {alpha:.3g}"
        text = f"{floor}: no pair can be significant, whatever the scores."
        yield Found(text, action=f"use more {unit_word(facts.unit)}s{fewer}")


def _enough(facts: Facts, of_mean: bool) -> int:
    """Return the effective number of groups from which no doubt is raised."""
    return _FEW_GROUPS if of_mean and not facts.of_family else _FEW_GROUPS_TOGETHER


def _effective_units(n: int, effective: float, unit: str) -> str:
    """Return the number of units as text, with the effective one if sizes are unequal."""
    weigh = "" if effective > n - 0.5 else f" (which weigh as {effective:.1f} of one size)"
    return units(n, unit) + weigh
