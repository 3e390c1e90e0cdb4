"""Doubts about rows: few decide, some are dependent or missing, or guessing scores as well."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from skstat import stats
from skstat._names import shown_name
from skstat.metrics._known import lies_between_0_and_1
from skstat.report._doubts.facts import Facts
from skstat.report._doubts.kind import Found, Kind
from skstat.report._terms import join_items, join_names, units
from skstat.stats import _chance as tails
from skstat.stats._bootstrap import Bootstrap, Replicates
from skstat.stats._row_contributions import FEW_OF_CLASS
from skstat.stats._sturdiness import Extremes, Search, Sturdiness, can_leave_out, values_of
from skstat.stats._t_tests import MAX_BIAS, LongRun, Projection, bias_of_blocks
from skstat.stats._words import unit_word

_FEW_DIFFERING = 10
_FEWER = 3  # times fewer than with normally distributed differences and the same p-value
_FEW_RESAMPLED, _FEW_FOR_DELONG, _FEW_IN_STRATUM = 10, 15, 10
# Shares of the variance of the difference. With few rows one has a large share by chance: with
# normal errors, scored by R2, the second over the root of their number is exceeded in 5 %.
_LARGE_SHARE, _LUCKY_SHARE = 0.3, 3.2
# Skewness of the mean: that of the rows over the root of their number.
_SKEWED, _SKEWED_FOR_ONE_TAIL = 0.4, 0.2
# A correlation r that at least doubles how often a test at 0.05 rejects: the variance of the
# mean is 1 + 2 r times what the test assumes.
_DOUBLES = 0.2
# Largest share of items left out for which the doubt is only a note.
_FEW_LEFT_OUT = 0.02
# Score of a guess that leaves little room above, in a metric whose maximum is 1.
_UNBEATABLE = 0.9
_TAKEN_FOR_ALL = "which the Bayesian bootstrap takes for all that there are."

IN_TIME = Kind("SKS104", "rows in time order")


@IN_TIME.rule("invalid", "use compare_predictions with order= on one long test stretch")
def ordered_rows(facts: Facts, ordered: bool) -> Iterator[Found]:
    """Every training set lies before its test set in row order, as ``TimeSeriesSplit`` does; or
    a test for independent rows was used on predictions with ``order=``.

    Compare the forecasts on one long test stretch with a test for series (Diebold & Mariano
    1995), or read the interval as a rough guide. The training sets contain each other, and the
    test blocks follow each other in time; no correction was derived for that.
    """
    # With one model, tested on later rows, no training sets overlap.
    if facts.method.one_model:
        return
    if facts.unit == "split":
        before = "every training set lies before its test set and contains those before it"
        unknown = "no test and no interval is known to be valid for such splits"
        action = "" if facts.estimate is None else "estimate on one long test stretch"
        yield Found(f"{before}: {unknown}.", action=action)
    elif facts.independent_units:
        text = "the rows are in time order, and this test treats them as independent."
        yield Found(text, action="use the default test")


AUTOCORRELATED = Kind("SKS115", "autocorrelation beyond the test")


@AUTOCORRELATED.rule("weak", "leave horizon= out")
def autocorrelation(facts: Facts, autocorrelation: float) -> Iterator[Found]:
    """With ``order``, differences of rows further apart than the horizon (of the test of
    Diebold and Mariano) or the block length (of the bootstrap) correlate by more than three
    standard errors. From a correlation of 0.2 on the p-value is called invalid.

    Without ``horizon`` the test of a mean over rows estimates from the data how far differences
    correlate. Or raise it: errors of forecasts h steps ahead correlate up to h - 1 rows, and
    losses that drift do so for longer. With ``horizon=1`` and a correlation of 0.8, tests
    rejected half of true null hypotheses in simulations, at a nominal 0.05.
    """
    alike = "differences that the test treats as independent correlate by"
    text = f"{alike} {autocorrelation:.2f}: p and the interval are too small."
    action = "" if facts.horizon is not None else "compare on a longer stretch"
    yield Found(text, None, action, "invalid" if autocorrelation >= _DOUBLES else None)


@AUTOCORRELATED.rule("invalid", "compare on a longer stretch")
def long_horizon(facts: Facts, horizon: int) -> Iterator[Found]:
    """The horizon of the Diebold-Mariano test exceeds a tenth of the rows.

    Compare forecasts of a shorter horizon, or on a longer stretch. Such tests rejected 9 to 20
    % of true null hypotheses in simulations, at a nominal 0.05.
    """
    n = facts.n_units
    if horizon > n / 10:
        long = f"a horizon of {horizon} is long for {units(n, facts.unit)}"
        yield Found(f"{long}: the test rejects too often.")


@AUTOCORRELATED.rule("weak", "compare on a longer stretch", law=(LongRun, Bootstrap))
def alike_for_long(facts: Facts, neighbours: float) -> Iterator[Found]:
    """With ``order``, neighbouring differences correlate so much for the length of the series
    that the variance of their mean is expected to come out more than a tenth too small: by the
    cosines of :func:`~skstat.stats.diebold_mariano`, or by the blocks of the bootstrap.

    With autoregressions of 0.9, the test of Diebold and Mariano rejected 13 % of true null
    hypotheses on 50 steps, 9 % on 100 and 7 % on 200, at a nominal 0.05; where this doubt was
    not raised it did so in 7 % at most from 12 steps on. Of 95 % bootstrap intervals 84 %
    contained the truth with 0.5 on 50 steps, 90 % on 200.
    """
    bias = getattr(facts.law, "expected_bias", 0.0)
    if facts.block_length and isinstance(facts.law, Bootstrap):
        bias = bias_of_blocks(facts.block_length, neighbours)
    if bias > MAX_BIAS and not facts.identical:
        too_small = "more than half" if bias > 0.5 else f"about {100 * bias:.0f} %"
        why = f"neighbouring differences correlate by {neighbours:.2f}, and the series is short"
        yield Found(f"{why}: the variance of their mean comes out {too_small} too small.")


@Kind("SKS111", "rows may come in groups").rule("weak", "pass groups= or order=")
def grouped_rows(facts: Facts, neighbours_alike: float) -> Iterator[Found]:
    """The differences of neighbouring rows of a test set correlate by more than four standard
    errors within the classes, and neither ``groups`` nor ``order`` was given. Rows that were
    shuffled give no such sign, even if they are grouped.

    Rows of one document, user or article are a group; ``order=`` takes their time. With an
    intraclass correlation of 0.1 or 0.3 in 30 groups, tests that treat rows as independent
    rejected 13 or 27 % of true null hypotheses in simulations, at a nominal 0.05.
    """
    correlate = f"their differences correlate by {neighbours_alike:.2f}"
    alike = f"neighbouring rows are alike ({correlate})"
    yield Found(f"{alike}: rows of one document, user or time are not independent.")


@Kind("SKS125", "few rows on which the systems differ").rule("weak", "use more units")
def few_differing(facts: Facts) -> Iterator[Found]:
    """A bootstrap or permutation test of two systems whose outputs differ on fewer than 10 rows
    or groups; or the Bayesian bootstrap was asked by ``rope=``, and they differ on fewer than
    ten units.

    The p-value of the permutation test is valid for any number of rows; the interval may be too
    narrow. With three rows that differ, equivalence was claimed in 15 % of cases at the border
    of the margin, at a nominal 5 %. The Bayesian bootstrap weighs the units that were seen;
    that others may differ in another way it does not know. Where few differ its interval is too
    short, and two systems that never differ are the same for it, however few the rows are. For
    right and wrong answers ``metric='accuracy'`` has a prior that allows for more.
    """
    if facts.resampled and facts.n_differing < _FEW_DIFFERING:
        few = f"the systems differ on {units(int(facts.n_differing), facts.unit)} only"
        narrow = "the interval may be too narrow, also to show that they are equivalent"
        yield Found(f"{few}: {narrow}.", action="test on more rows")
    for pair, posterior in enumerate(facts.pairs.posteriors):
        n = posterior.n_telling
        if n is not None and n < _FEW_DIFFERING:
            text = f"the systems differ on {units(n, facts.unit)}, {_TAKEN_FOR_ALL}"
            yield Found(text, pair=pair)


def is_decisive(share: float, n: float) -> bool:
    """Tell whether the share of one of n units in the variance is larger than by chance."""
    return share > max(_LARGE_SHARE, _LUCKY_SHARE / math.sqrt(n))


FEW_OF_A_CLASS = Kind("SKS128", "few rows of a class")


@FEW_OF_A_CLASS.rule("weak", "add rows of the rarest class")
def rare_class(facts: Facts, rarest_class: int) -> Iterator[Found]:
    """The metric is one of classes and not a mean over rows (F1, precision, recall, balanced
    accuracy, macro averages, Matthews correlation, kappa, areas under curves, average
    precision; on a test set also log loss and Brier score), and some class has few rows: fewer
    than 10 in a permutation test or bootstrap, fewer than 15 in DeLong's test, and fewer than
    20 for the projection t test or ``method='projection'``.

    Collect more rows of that class. DeLong's test needs areas that are close to normal, the
    permutation test with ``strata=y_true`` does not. In place of the projection t test there is
    ``test='block_jackknife_t'`` in :func:`~skstat.compare_estimators`, and for an estimate a
    metric that is a mean over rows (log loss, Brier score).

    With fewer than 20 the interval of a permutation test or bootstrap is at least as long as
    that of Student's t with the jackknife's error and one degree of freedom less than the class
    has rows; where the test rejects it ends short of 0. With 3 positives among 30 rows the
    permutation test of balanced accuracy rejected 16 % of true null hypotheses in simulations,
    at a nominal 0.05, for systems that err in different ways; the studentised one rejected 25
    %, the bootstrap 22 %. With 10 rows of every class or more the permutation test rejected 1
    to 7 %.

    With 10 positives among 210 rows, or 12 among 60, the projection t test rejected up to 6 %
    of true null hypotheses for five nearest neighbours at a nominal 0.05, and 3 % or fewer for
    logistic regression and naive Bayes. The default splits deal so few rows out evenly, so that
    what class shares do in training is not measured (:ref:`SKS140 <sks140>`). With 10 of 210
    rows in the class the 95 % interval of an estimate contained the truth in 91 to 98 % of all
    cases for the area under the ROC curve, and in 83 to 85 % for balanced accuracy, macro F1
    and Matthews' correlation of 5 nearest neighbours; with 12 of 60 rows in 86 % for their
    Matthews' correlation.
    """
    law, label, few = facts.law, facts.rarest_label, FEW_OF_CLASS
    action = f"add rows of {f'class {shown_name(label)}' if label else 'the rarest class'}"
    if facts.resampled:
        few, why = _FEW_RESAMPLED, "much of the difference in {} depends on them"
    elif hasattr(law, "aucs"):
        few, why = _FEW_FOR_DELONG, "too few for areas that are close to normal"
        action = "use the paired permutation test with strata=y_true"
    elif isinstance(law, Projection):
        why = "{} of a fold rests on half of them or fewer"
        action += ", or use the block jackknife t test"
    elif facts.method.by_contributions:
        why = "{} is not a mean over rows, and the interval may be too narrow"
    else:
        return
    if rarest_class < few:
        has = f"the rarest class has {units(rarest_class, 'row')}"
        yield Found(f"{has}: {why.format(facts.shown.name)}.", action=action)


@FEW_OF_A_CLASS.rule("weak", "join small strata")
def small_strata(facts: Facts, smallest_stratum: int) -> Iterator[Found]:
    """A stratum has fewer than 10 rows.

    Resamples of a stratum of n rows vary too little, by the factor (n - 1) / n. Join strata. If
    rows of a stratum belong together and the test set could have held others, they are
    ``groups``.
    """
    n = smallest_stratum
    if n < _FEW_IN_STRATUM:
        yield Found(f"a stratum has only {units(n, 'row')}: its resamples vary too little.")


@FEW_OF_A_CLASS.rule("weak", "use more rows, of the rare class above all")
def few_rows_weigh(facts: Facts, posteriors: Sequence[Any]) -> Iterator[Found]:
    """The Bayesian bootstrap was asked by ``rope=`` of a metric of classes (F scores,
    precision, recall, averages over classes, correlations, areas under curves, log loss, Brier
    score), and a class has fewer than 20 rows; or a single row or group makes up so much of the
    variance as in :ref:`SKS129 <sks129>`, as heavy tails do to R2.

    Few rows then decide, and the Bayesian bootstrap takes them for all that there are. Its
    interval is too short: with 10 positive rows of 200 that of 95 % for the difference of two
    areas held the truth in 88 % of 1000 simulations, and with 5 of 50 in 75 %.
    """
    for pair, posterior in enumerate(posteriors):
        rarest = getattr(posterior, "smallest_class", None)
        share, word = getattr(posterior, "largest_share", None) or 0.0, unit_word(facts.unit)
        if rarest is not None and rarest < FEW_OF_CLASS:
            yield Found(f"a class has {units(rarest, 'instance')}, {_TAKEN_FOR_ALL}", pair)
        elif is_decisive(share, facts.n_units):
            much = f"a single {word} makes up {100 * share:.0f} % of the variance"
            yield Found(f"{much}: the Bayesian bootstrap knows of no other {word}s.", pair)


@FEW_OF_A_CLASS.rule("weak", "use larger test sets, or folds")
def class_never_tested(facts: Facts, untested: tuple[str, ...]) -> Iterator[Found]:
    """No test set holds a row of some class, which is too rare for its size.

    In a cross-validation every row is tested.
    """
    yield Found(f"no row of class {', '.join(untested)} is ever tested.")


@FEW_OF_A_CLASS.rule("note", "pass strata=y_true", law=Replicates)
def redrawn(facts: Facts) -> Iterator[Found]:
    """The metric was undefined on some resamples (a rare class was missing), and they were
    drawn anew; more than one in a hundred is an error of a bootstrap.

    The resamples then keep the number of rows of every class. Or use a metric that is always
    defined.
    """
    n = facts.law.n_redrawn
    if n:
        yield Found(f"the metric was undefined on {units(n, 'resample')}, drawn anew.")


FEW_DECIDE = Kind("SKS129", "a few units decide", page="reading_pvalues")


@FEW_DECIDE.rule("weak", "look at the row with the largest error")
def few_rows_decide(facts: Facts, resampled: bool, largest_share: float) -> Iterator[Found]:
    """In a permutation test or bootstrap, a single row or group has more than 30 % of the sum
    of squares that the variance of the difference is made of, and more than 3.2 over the root
    of the number of rows, which few rows reach by luck.

    If errors of one system are heavy-tailed, both the p-value and the interval are too small,
    and the same rows give no better: for R2 with errors of Student's t with 3 degrees of
    freedom in one system, permutation tests rejected 15 to 23 % of true null hypotheses in
    simulations, at a nominal 0.05, studentised or not, at 30 to 200 rows. The doubt sees large
    errors only if some are in the test set: it was raised in 3 to 6 of 10 such test sets, and
    in 5 of 100 with normal errors (1 of 100 at 200 rows). A metric less open to large errors
    (the mean absolute error) is more reliable.
    """
    share, word = largest_share, unit_word(facts.unit)
    if facts.n_differing >= _FEW_DIFFERING and is_decisive(share, facts.n_effective):
        much = f"a single {word} makes up {100 * share:.0f} % of the variance of the difference"
        yield Found(f"{much}: a few more such {word}s could change the answer.")


@FEW_DECIDE.rule("weak", "use a metric in which single rows weigh less, or more rows")
def single_rows_decide(facts: Facts, folds: stats.PairedScores) -> Iterator[Found]:
    """The projection t test, or the interval of ``method='projection'``, and what the rows
    contribute is so skewed that its mean is: a skewness above 0.4 of the root of their number,
    or above 0.2 where a margin or a one-sided test looks at one tail. Scores with two bounds
    have intervals on the scale of the logit, and are left out.

    Student's t takes the mean to be symmetric. By an Edgeworth expansion (Hall, 1992, The
    Bootstrap and Edgeworth Expansion, section 2.4) a one-sided test at 0.05 rejects 7.2 % of
    true null hypotheses on one side and 2.8 % on the other with 0.2 of the root, and 9.4 and
    0.6 % with 0.4. Outliers and long tails of the target do that to squared errors: absolute
    errors, or a transformed target, do it less.
    """
    one_tail = facts.margin is not None
    bounded = facts.estimate is not None and None not in facts.estimate.bounds
    if isinstance(facts.law, Projection) and facts.outcome is not None:
        one_tail |= facts.outcome.alternative != "two-sided"
    elif not facts.method.by_contributions:
        return
    if bounded:
        return
    n, word, skewness = folds.rows.n_units, folds.size_unit, folds.rows.skewness_left
    if abs(skewness) > (_SKEWED_FOR_ONE_TAIL if one_tail else _SKEWED):
        skewed = f"is skewed ({skewness * math.sqrt(n):.1f}): a few {word}s decide"
        few = f"what {units(n, word)} contribute {skewed}"
        yield Found(f"{few}, and the interval may miss the truth on one side.")


@FEW_DECIDE.rule("weak", "look at these units before you rely on the verdict")
def rests_on_few_units(
    facts: Facts, retest: Callable[[Any], stats.Comparison], outcome: stats.Comparison
) -> Iterator[Found]:
    """The test rejects, and would not without a third or less of the rows (groups, seeds, data
    sets) that bell-shaped differences with the same p-value would take. Of p-values near the
    level, which always turn without a few rows, it is never raised.

    ``report.sturdiness().places`` says which units these are, if they are 20 or fewer. If they
    are errors of the data, correct them. If they are not, the mean is a matter of few extreme
    units, and another sample may have others: say so, or compare ranks (``test='wilcoxon'``),
    which is another question. Do not leave units out because of what they say. In simulations
    with 20 to 10,000 rows it was never raised where differences were normal, or those of
    squared normal errors; of 10,000 log-normal ones (sd of the logarithm 1.5) with p = 0.01 or
    0.001 nearly always.
    """
    alpha = facts.alpha
    if not outcome.pvalue < alpha:
        return
    result = _rests_on_few(facts.sample, retest, outcome, alpha)
    if result is not None:
        sturdiness, n_usual = result
        few = f"{sturdiness.n_to_undecide} of {units(sturdiness.n_units, sturdiness.unit)}"
        text = f"without {few} the difference would not be significant"
        than = f"With bell-shaped differences and the same p it would take about {n_usual:.0f}"
        yield Found(f"{text}. {than}.")


def _rests_on_few(
    sample: Any,
    procedure: Callable[[Any], stats.Comparison],
    outcome: stats.Comparison,
    alpha: float,
) -> tuple[Sturdiness, float] | None:
    """Return how few units a significant result rests on, if they are unusually few.

    Parameters
    ----------
    sample, procedure, alpha : object
        As for :func:`skstat.stats.sturdiness`.
    outcome : Comparison
        Result of the procedure; its p-value is below `alpha`.

    Returns
    -------
    tuple of Sturdiness and float, or None
        How many units must be left out for the result to lose its significance, and how many
        it would be with normally distributed differences and the same p-value. None where the
        first is not far smaller: this is found fast, without any search near the level.
    """
    # The units of counts all have the same size: none is an outlier.
    if isinstance(sample, stats.AgreementTable) or not can_leave_out(sample):
        return None
    values, sides = values_of(sample), 1 if outcome.alternative == "two-sided" else 2
    n, tail = int(np.count_nonzero(values)), sides * alpha / 2
    n_usual = _fewest_if_normal(n, sides * outcome.pvalue / 2, tail)
    limit = min(math.floor(n_usual / _FEWER), n - 3)
    if limit < 1:
        return None
    rest = np.partition(outcome.direction * values, len(values) - limit)[:-limit]
    mean, spread, m = float(rest.mean()), float(rest.std(ddof=1)), len(rest)
    if spread <= 1e-6 * abs(mean) or tails.t_sf(mean / spread * math.sqrt(m), m - 1) < tail:
        return None
    search = Search(sample, procedure, outcome, alpha)
    if not search.undecides(limit):
        return None
    result = search.result()
    k = result.n_to_undecide
    return None if k is None or k > limit or result.too_few_left else (result, n_usual)


def _fewest_if_normal(n: int, pvalue: float, tail: float) -> float:
    """Return how many of n normally distributed differences a t test with this p rests on.

    Parameters
    ----------
    n : int
        Number of differences that are not 0.
    pvalue, tail : float
        The p-value of one side, and the level of that side, which is larger.

    Returns
    -------
    float
        Approximate number of the largest ones to leave out for p > level; it grows with
        sqrt(n).
    """
    m = min(max(n, 3), 2000)
    bell = tails.normal_isf((np.arange(1, m + 1) - 0.375) / (m + 0.25))
    t = float(tails.t_isf(max(pvalue, 1e-300), m - 1))
    extremes = Extremes(bell / np.std(bell, ddof=1) + t / math.sqrt(m), tail)
    k = extremes.fewest_to_undecide()
    if k >= m - 1:
        return float(n)
    # Interpolate between the whole numbers k - 1 and k.
    after, before = extremes.drop(k)[1], extremes.drop(k - 1)[1]
    share = before / (before - after) if before > after else 1.0
    return float(k - 1 + share) * math.sqrt(n / m)


MISSING = Kind("SKS120", "scores are missing")


@MISSING.rule("weak", "find out why scores are missing")
def datasets_left_out(facts: Facts) -> Iterator[Found]:
    """Some score of a data set is missing, because a fit failed or the table has a gap, so that
    the data set is not part of the tests; or, with ``test='skillings_mack'``, not part of those
    that need the score.

    Data sets on which a system fails are rarely like the others, and leaving them out favours
    it. ``test='skillings_mack'`` uses the scores that there are.
    """
    table, n = facts.table, len(facts.left_out)
    named = []
    if table is not None:
        missing = zip(table.names, table.missing.sum(axis=0), strict=True)
        named = [f"{count} of {shown_name(name)}" for name, count in missing if count]
    if named:
        used = "each comparison uses only data sets that have the scores it needs"
        yield Found(f"{used} (missing: {join_items(named, 6)}).")
    elif n:
        yield Found(f"{units(n, 'dataset')} could not be used: the answer is about the others.")


@MISSING.rule("weak", "score the missing items")
def items_left_out(facts: Facts, n_items_left_out: int) -> Iterator[Found]:
    """Items were left out that a system has no score on. It is a note where they are 2 % of all
    items or fewer.

    The systems are compared on the items that all of them have scores on. Items are seldom
    missing at random: a system fails on hard ones. Score them, give failures the lowest score,
    or compare fewer systems by ``systems=``.
    """
    n, total = n_items_left_out, facts.n_items
    text = f"{n} of {total} items lack the score of a system and are left out."
    yield Found(text, weight="note" if n <= _FEW_LEFT_OUT * total else None)


@Kind("SKS135", "part of the task").rule("weak", "evaluate all items of the task")
def part_of_the_task(facts: Facts, limited: Sequence[Any]) -> Iterator[Found]:
    """The log of a system says that its task has more items than it holds: the evaluation was
    limited to some of them.

    A limit mostly takes the first items, which are not drawn at random: tasks are often sorted
    by topic or source. The test then speaks for items like these, not for the task. Evaluate
    all items, or draw some at random.
    """
    named = [f"{shown_name(name)} on {n} of {total}" for name, n, total in limited]
    yield Found(f"not all items of the task were evaluated: {join_items(named, 3)}.")


@Kind("SKS136", "different evaluations").rule("weak", "evaluate the systems in one way")
def different_evaluations(facts: Facts, evaluations_differ: tuple[str, ...]) -> Iterator[Found]:
    """The logs of the systems differ in what was evaluated (the task, its version, the content
    of an item, the way it was asked), and ``allow=`` said that they may.

    A difference between the systems is then also one between two versions of the task, or
    between two ways of asking. The test cannot separate the two. Evaluate both systems by the
    same version with the same settings.
    """
    what = join_items(evaluations_differ)
    yield Found(f"the systems were not evaluated alike: their logs differ in {what}.")


SAME_FILE = Kind("SKS138", "the same data given twice")


@SAME_FILE.rule("invalid", "give the log of each system")
def one_log_twice(facts: Facts, one_log_twice: tuple[str, ...]) -> Iterator[Found]:
    """Two systems have the same scores on all items, and the results of both are those of one
    system in one file or folder, which was given two names. Systems that a table names itself
    may agree everywhere: :ref:`SKS201 <sks201>`.

    One log was given twice, under two names, so that a system is compared with itself.
    """
    names = join_names(one_log_twice)
    yield Found(f"{names} have the same scores everywhere, and are one system of one file.")


@SAME_FILE.rule("weak", "check that the right column or file was passed")
def equal_to_truth(facts: Facts, equal_to_truth: tuple[str, ...]) -> Iterator[Found]:
    """On one test set, the predictions of a system are the same as ``y_true`` on every row.

    The truth may also have been a feature of the system. If it is perfect on these rows, the
    test set is too easy, or too small, to compare systems as good as that.
    """
    names = " and of ".join(map(shown_name, equal_to_truth))
    yield Found(f"predictions of {names} equal y_true on every row. Was the truth passed?")


@Kind("SKS139", "groups that are not used").rule("weak", "name the column as group=")
def unused_groups(facts: Facts, unused_groups: Sequence[Any]) -> Iterator[Found]:
    """A column of the results is named like a group of items (topic, document, user, ...), is
    not used, and the differences of items of one group are alike: by permutations of its
    labels, at a level of 1 % for all such columns together, and so that the variance of the
    difference is larger by a fifth or more.

    Items of one group are not independent: with ``group=`` (``--group`` on the command line)
    the groups are the units. If the column stands for parts of a fixed set, such as the tasks
    of a benchmark, rank by ``task=``. With an intraclass correlation of 0.1 or 0.3 in 30
    groups, tests that treat items as independent rejected 13 or 27 % of true null hypotheses in
    simulations, at a nominal 0.05.
    """
    column, n_groups, effect = max(unused_groups, key=lambda one: one[2])
    alike = f"items of one {column!r} are alike: with its {n_groups} groups as units the"
    yield Found(f"{alike} variance would be about {effect:.2g} times as large.")


@Kind("SKS502", "the best of many").rule("weak", "score it on rows that did not select it")
def best_of_many(facts: Facts, n_candidates: int) -> Iterator[Found]:
    """One of the two systems was selected as the best of several by the same scores that are
    compared here.

    The best of many is lucky as well as good (the winner's curse), and a p-value that is not
    adjusted for the selection is too small. Score it on rows that had no part in the selection,
    or ask of all candidates at once which may be the best:
    :func:`~skstat.stats.compare_with_best`, whose intervals allow for their number.
    """
    if n_candidates > 1:
        chosen = f"the leader was chosen as the best of {n_candidates} by these very scores"
        yield Found(f"{chosen}: its score and its lead are too good.")


@Kind("SKS303", "a better guess exists", page="baselines").rule("weak", "leave strategy= out")
def beaten_baseline(facts: Facts, better_guess: tuple[str, float]) -> Iterator[Found]:
    """A system is compared with a baseline that was named by ``strategy=``, and the best guess
    for the metric has a higher expected score on the same splits: the majority class has an F1
    of 0, for instance, where the positive class is the rare one.

    The best guess for the metric is then compared. In a list of baselines None stands for it.
    """
    (guess, score), shown = better_guess, facts.shown
    better = f"a {shown.better} {shown.name} ({guess}: {shown.value(score):.4g})"
    yield Found(f"another guess that ignores X is expected to have {better}.")


GUESSING = Kind("SKS304", "about as good as guessing", page="baselines", beside_equivalent=True)


def standard_error(share: float, n_rows: int) -> float:
    """Return the standard error of a share of rows."""
    return math.sqrt(share * (1 - share) / n_rows)


def no_better_than_guessing(shares: Mapping[str, float], share: float, n: int) -> list[str]:
    """Return the systems whose accuracy is at most one standard error above that of a guess."""
    limit = share + standard_error(share, n) + 1e-9
    return [name for name, accuracy in shares.items() if accuracy <= limit]


@GUESSING.rule("weak", "use balanced accuracy, ROC AUC or costs")
def as_good_as_the_largest_class(facts: Facts) -> Iterator[Found]:
    """Systems are compared in accuracy, and one of them is right on no more of the rows than
    are of the largest class, within one standard error of that share. It is a note if the best
    system is right more often, or on some of several data sets.

    A system that always names the largest class scores as much, so a high accuracy shows
    nothing here, and nor do equal ones: two systems that learnt nothing are equivalent. Use a
    metric that leaves room above guessing, and see what guessing scores:
    :func:`~skstat.compare_to_baseline`.
    """
    at_guess, n = facts.at_guess, facts.n_datasets
    if at_guess:
        yield Found(
            f"on {len(at_guess)} of {n} data sets ({join_names(at_guess)}) no system is right "
            "on more rows than are of the largest class, within one standard error.",
            weight="weak" if len(at_guess) == n else "note",
        )
    if facts.accuracies is None:
        return
    accuracies, share, n_rows = facts.accuracies, facts.largest_class, facts.n_rows
    names = no_better_than_guessing(accuracies, share, n_rows)
    if names:
        shares = sorted({f"{100 * accuracies[name]:.1f}" for name in names}, key=float)
        span = " to ".join(dict.fromkeys((shares[0], shares[-1])))
        yield Found(
            f"always naming the largest class is right on {100 * share:.1f} % of the {n_rows} "
            f"rows (standard error {100 * standard_error(share, n_rows):.1f}); "
            f"{join_names(names)} {'is' if len(names) == 1 else 'are'} right on {span} %.",
            weight="weak" if max(accuracies, key=lambda n: accuracies[n]) in names else "note",
        )


@GUESSING.rule("weak", "use balanced accuracy, ROC AUC, average precision or costs")
def unbeatable_baseline(facts: Facts, is_baseline: bool) -> Iterator[Found]:
    """A system is compared with a baseline that ignores X and scores 0.9 or more in a metric
    that ends at 1: in accuracy if nine of ten rows are of one class, in recall by always naming
    the positive class.

    Use a metric that leaves room above guessing: balanced accuracy, ROC AUC, average precision,
    or costs.
    """
    pair = facts.sample if isinstance(facts.sample, stats.PairedScores) else facts.scores
    if pair is None or not lies_between_0_and_1(facts.metric):
        return
    score = float(np.mean(pair.b))
    if round(score, 9) >= _UNBEATABLE:
        guess = f"a guess that ignores X scores {score:.3f} in {facts.metric}"
        yield Found(f"{guess}: little room is left above it.")
