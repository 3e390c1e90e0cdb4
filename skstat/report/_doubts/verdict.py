"""Doubts about differences, verdicts, random draws, and comparisons of several systems."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skstat import stats
from skstat._names import clip, shown_name
from skstat.report import _terms as say
from skstat.report._doubts.facts import Facts, Mask, Numbers
from skstat.report._doubts.kind import Found, Kind
from skstat.report._doubts.splits import FEW_BOOTSTRAPPED
from skstat.report._say_pair import PROBABLE
from skstat.stats._bootstrap import Bootstrap, Replicates
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._pairwise import EquivalenceOutcome, equivalences
from skstat.stats._words import unit_word

_AGAINST_RANKS, _AGAINST_WINS = 0.3 - 1e-9, 0.2 - 1e-9
# Differences in a metric from 0 to 1 that count as large and as small where no margin is given.
_LARGE_DIFFERENCE, _SMALL_DIFFERENCE = 0.05, 0.01
_CLOSE, _MANY_RESAMPLES, _NOISE = 1.25, 99_999, 1e-12
# Largest acceptable ratio of the ranges of scores on two data sets, by how strongly the test
# depends on the sizes of differences. Ranking them weakens the effect of large ones.
_MAX_RATIO: dict[str, float] = {"strongly": 10.0, "weakly": 1000.0}
_BY_COMPARE_SCORES = "ask compare_scores, with test='sign'"

IDENTICAL = Kind("SKS201", "identical scores", of_all_rows=True)


@IDENTICAL.rule("weak", "check that two different systems were passed")
def identical(facts: Facts, alike: Sequence[int]) -> Iterator[Found]:
    """The two systems score the same on every unit.

    If they are different, they predict alike on this data.
    """
    text = f"both score the same on every {unit_word(facts.unit)}. Are they the same model?"
    for pair in alike:
        yield Found(text, pair)


NO_VARIANCE = Kind("SKS202", "no variance, or no interval")


@NO_VARIANCE.rule("weak", "use a finer metric, or more rows")
def no_variance(facts: Facts, untestable: Sequence[int | None]) -> Iterator[Found]:
    """The difference is the same on every unit, and not zero: rows were tested instead of
    splits, or nothing else can be tested.

    A t test would claim certainty from a handful of equal numbers. This is typical of a perfect
    model against a constant baseline, or against one that is always wrong. Where predictions
    are at hand, the rows are tested instead. That test counts how many there are, and its claim
    is about the fitted models, not the learners.
    """
    same, action = f"the difference is the same on every {unit_word(facts.unit)}", ""
    text = f"{same}: no test by its variance is possible."
    if facts.degenerate:
        text, action = facts.degenerate, "use a finer metric"
    for pair in untestable:
        yield Found(text, pair, action)


@NO_VARIANCE.rule("weak", "use compare_estimators with its default splits and test")
def empty_interval(facts: Facts, without_interval: Sequence[int]) -> Iterator[Found]:
    """The F test of a 5x2 cross-validation rejects every shift, so that its interval is empty.

    The ten differences vary more between repeats than within them. Use the default test.
    """
    for pair in without_interval:
        yield Found("no common difference fits the ten differences: no interval exists.", pair)


@NO_VARIANCE.rule("weak", "use the paired permutation test")
def perfect_auc(facts: Facts, aucs: tuple[float, ...]) -> Iterator[Found]:
    """A test of the whole area under the ROC curve, of a system whose AUC is 0 or 1.

    Read ``report.evidence.outcome.law.auc_intervals()``, on the logit scale, or use the
    permutation test (``test='paired_permutation'``, :func:`~skstat.paired_permutation_test`).
    """
    if facts.identical or {0.0, 1.0}.isdisjoint(aucs):
        return
    perfect = "a system orders the classes without error, so that its AUC has no variance"
    missing = facts.outcome is not None and np.isnan(facts.outcome.pvalue)
    but = "neither p nor interval exist" if missing else "the interval is too narrow"
    resampled = isinstance(facts.law, Replicates)
    yield Found(f"{perfect}: {but}.", action="test on more rows" * resampled)


@NO_VARIANCE.rule("weak", "use more rows, or a finer metric")
def nothing_varies(facts: Facts, fell_back: bool) -> Iterator[Found]:
    """The scores that a standard error would come from are all alike, as those of a perfect
    model are.

    Test on more rows, or by a finer metric (log loss in place of accuracy).
    """
    same = f"the scores of {facts.names[0]} do not vary"
    yield Found(f"{same}: an interval, if there is one, counts each tested row once.")


@NO_VARIANCE.rule("note", "look at the data sets that are named")
def without_spread(facts: Facts, posteriors: Sequence[Any]) -> Iterator[Found]:
    """A hierarchical model was asked by ``rope=``, and on a data set all splits have the same
    difference.

    Their mean counts, with the variance of a difference that is uniform in the region, or
    without a region the smallest variance of the others. Where a metric is coarse, or a test
    set small, more splits of the same rows do not help.
    """
    for pair, posterior in enumerate(posteriors):
        names = posterior.without_spread
        if names:
            some = f"{len(names)} data sets" if len(names) > 1 else clip(names[0])
            same = f"all splits of {some} have the same difference"
            yield Found(f"{same}: the model is given a small variance.", pair)


OPPOSITE = Kind("SKS203", "mean and ranks point in opposite directions")


@OPPOSITE.rule("weak", "plot the differences before naming a winner")
def opposite_directions(facts: Facts, scored: Sequence[Any]) -> Iterator[Found]:
    """The mean difference has one sign, and the ranks (rank-biserial at least 0.3) or the wins
    (a share of 0.7 or more) point the other way.

    Decide which question matters: the average gain (the mean) or how often one wins (signs,
    ranks), and report that it matters.
    """
    columns = zip(*((s.mean, s.rank_biserial, s.share_won) for s in scored), strict=True)
    means, ranks, wins = map(np.hstack, columns)
    by_ranks = (means * ranks < 0) & (np.abs(ranks) > _AGAINST_RANKS)
    by_wins = (means * (wins - 0.5) < 0) & (np.abs(wins - 0.5) > _AGAINST_WINS)
    for pair in np.flatnonzero(by_ranks | by_wins).tolist():
        a, b = map(shown_name, facts.pairs.names[pair])
        winner, other = (a, b) if means[pair] > 0 else (b, a)
        against = f"the {'ranks' if by_ranks[pair] else 'wins'} favour {other}"
        favours = f"the mean difference favours {winner}, but {against}"
        yield Found(f"{favours}: a few large differences outweigh many small ones.", pair)


@Kind("SKS206", "test and interval disagree").rule("weak", "call the result borderline")
def interval_disagrees(facts: Facts) -> Iterator[Found]:
    """The test rejects and the interval contains 0, or the reverse. By default a report's
    interval inverts its test, or nearly does; of a permutation test of 20 rows or groups or
    more, the bootstrap interval of the same rows is looked at as a check.

    The permutation test assumes that the systems are exchangeable, the bootstrap that the test
    set is large; over data sets tests and intervals treat equal scores differently. With few
    rows trust the test; with systems that err in different ways, ask ``studentize=True``.
    """
    pairs = facts.pairs
    if not pairs.judged:
        return
    tested = ~pairs.identical & ~np.isnan(facts.pvalues)
    sides, checks = pairs.outcomes.side_of_zero(pairs.levels), {}
    # The interval of a permutation test inverts it, so that it is compared with a bootstrap.
    for pair in pairs.outcomes.representatives:
        outcome = pairs.outcomes[pair]
        if not outcome.joint and getattr(outcome.law, "inverts_test", False):
            low = high = np.nan
            if tested[pair] and facts.n_effective >= FEW_BOOTSTRAPPED:
                level = float(pairs.levels[pair])
                checked = replace(outcome, law=outcome.law.by_replicates)
                low, high = checked.confidence_interval(level)
            defined = not np.isnan(low)  # nan: undefined on too many resamples
            sides[pair] = float(low > _NOISE) - float(high < -_NOISE) if defined else np.nan
            decimals = say.decimals_for([low, high])
            limits = (say.fixed(end, decimals, sign=True) for end in (low, high))
            checks[pair] = f"bootstrap interval of the same rows ({' to '.join(limits)})"
    rejects = facts.pvalues < facts.alpha
    for pair in np.flatnonzero(tested & ~np.isnan(sides) & (rejects != (sides != 0))).tolist():
        does = "rejects" if rejects[pair] else "does not reject"
        holds = "contains" if rejects[pair] else "excludes"
        interval = f"{checks.get(pair, 'interval')} {holds} 0"
        yield Found(f"the test {does}, but the {interval}: their assumptions differ.", pair)


CLOSE = Kind("SKS208", "close to the level")


@CLOSE.rule("weak", f"use more resamples, n_resamples={_MANY_RESAMPLES:_}")
def close_to_the_level(facts: Facts) -> Iterator[Found]:
    """A p-value from random resamples lies within two of its Monte Carlo errors of the level.
    It is a note where any other lies within a factor of 1.25 of the level, on either side (0.04
    to 0.0625 for 0.05).

    With more resamples p varies less from seed to seed. Even so, do not rest the verdict on it:
    difference and interval hardly differ between p = 0.049 and p = 0.051. To know more, collect
    more data, and test those alone.
    """
    p, alpha, near = facts.pvalues, facts.alpha, facts.decided & _near(facts)
    close = facts.decided & (alpha / _CLOSE <= p) & (p <= alpha * _CLOSE) & ~near
    for pair in np.flatnonzero(near).tolist():
        # The joint distribution of tests that draw nothing themselves has no option for more,
        # and nor have the functions that fit on splits.
        drawn = facts.pairs.outcomes[pair].unadjusted.n_resamples
        more = drawn and drawn < _MANY_RESAMPLES and facts.unit != "split"
        within = f"p is within two Monte Carlo errors of the level {alpha:.3g}"
        action = "" if more else "call the result borderline"
        yield Found(f"{within}: another seed may give another verdict.", pair, action)
    for pair in np.flatnonzero(close).tolist():
        start = f"{say.pvalue_text(float(p[pair]))} is close to the level {alpha:.3g}"
        same = f"{0.98 * alpha:.3g} and {1.02 * alpha:.3g} say the same, whatever the verdict"
        action = "report difference and interval, not only the verdict"
        yield Found(f"{start}: {same}.", pair, action, "note")


@Kind("SKS212", "a wide interval").rule("note", 'report the interval, not "no difference"')
def wide_interval(facts: Facts, undecided: Sequence[int]) -> Iterator[Found]:
    """The test does not reject, and the interval reaches beyond the margin; without a margin,
    it reaches further than 0.05 from the estimate in a metric from 0 to 1 (accuracy, balanced
    accuracy, F1, precision, recall, Jaccard, ROC AUC, average precision).

    The doubt states the smallest estimate that would be significant. A true difference of that
    size is found about half of the time; ``report.plan(difference=...)`` says what it takes to
    find it more surely. More splits of the same rows help little. A power computed from the
    observed difference would say nothing new: it only restates p.
    """
    pairs, margin = facts.pairs, facts.margin
    low, high = pairs.outcomes.limits(pairs.levels)
    bounded = np.isfinite(low) & np.isfinite(high)
    width = say.half_width(low, high, pairs.outcomes.numbers("estimate"))
    reach, limit, beyond = width, _LARGE_DIFFERENCE, f"{_LARGE_DIFFERENCE:g}"
    wide = np.isfinite(width)
    if margin is not None:
        reach = np.where(bounded, np.maximum(-low, high), width)
        limit, beyond = margin, f"the margin of {margin:g}"
        wide &= ~equivalences(pairs.outcomes, margin).equivalent(facts.alpha)
    for pair in np.intersect1d(undecided, np.flatnonzero(wide & (reach > limit))).tolist():
        size = float(width[pair])
        digits = max(0, say.decimals_for([size]) - 1)
        needed = f"about {say.fixed(size, digits)} in {facts.shown.name}"
        significant = f"An estimate would have to be {needed} to be significant."
        yield Found(f"differences beyond {beyond} are not excluded. {significant}", pair)


@Kind("SKS213", "significant, but small").rule("note", "say what such a difference is worth")
def significant_but_small(facts: Facts, significant: Sequence[int]) -> Iterator[Found]:
    """The test rejects, and the whole interval lies within the margin; without a margin, within
    0.01 in a metric from 0 to 1.

    That depends on where the system is used, and on what each system costs. With many rows even
    a tiny difference is significant; that does not make it matter.
    """
    margin = _SMALL_DIFFERENCE if facts.margin is None else facts.margin
    low, high = facts.pairs.outcomes.limits(facts.pairs.levels)
    text = f"the whole interval is within {margin:g} of 0: such a difference may not matter."
    for pair in significant:
        if max(-low[pair], high[pair]) <= margin:
            yield Found(text, pair)


BY_DATA = Kind("SKS210", "direction taken from the data")


@BY_DATA.rule("invalid", "use pvalue='shift'", law=Bootstrap)
def direction_from_data(facts: Facts) -> Iterator[Found]:
    """``pvalue='berg-kirkpatrick'`` was asked for without ``alternative``, or
    ``pvalue='sign-reversal'``.

    ``pvalue='shift'`` is two-sided; or say ``alternative`` before you look. To read a published
    one-sided p, double it: at a nominal 0.05 it rejects about 10 % of true null hypotheses.
    """
    if facts.law.sided_by_data and not facts.identical:
        yield Found("p takes its direction from the data: it is half of what it should be.")


def drawing_error(outcome: stats.Comparison, adjusted_pvalue: float | None) -> float:
    """Return the Monte Carlo error of the p-value of a verdict; 0 where nothing was drawn."""
    error = outcome.monte_carlo_error
    if adjusted_pvalue is None or outcome.simultaneous or not error:
        return error
    return error * adjusted_pvalue / outcome.pvalue  # adjustment scales p and its error alike


def is_near(value: Any, level: float, error: Any, n: int = 3) -> Any:
    """Tell whether a number is within `n` Monte Carlo errors of a level."""
    return (error > 0) & (abs(value - level) <= n * error)


def margin_is_near(tests: EquivalenceOutcome | None, alpha: float) -> tuple[bool, bool]:
    """Tell whether equivalence, and A not being worse, depend on the random draws."""
    if tests is None:
        return False, False
    n, (of_a, _, of_both) = tests.outcome.unadjusted.n_drawn, tests.judged_pvalues

    def near(raw: float, pvalue: float) -> bool:
        drawn = n > 0 and raw > 0
        return drawn and is_near(pvalue, alpha, math.sqrt(raw * (1 - raw) / n) * pvalue / raw)

    return near(tests.pvalue, of_both), near(tests.lower_pvalue, of_a)


def _near(facts: Facts) -> Mask:
    """Return a mask of the p-values within two Monte Carlo errors of the level."""
    pairs, alpha, p = facts.pairs, facts.alpha, facts.pvalues
    errors = np.zeros(len(p))
    # Beyond these bounds no p-value is within two of its errors of the level: skip the rest.
    for pair in np.flatnonzero((p > alpha / 6) & (p < alpha * 6)).tolist():
        adjusted = None if pairs.adjusted is None else float(p[pair])
        errors[pair] = drawing_error(pairs.outcomes[pair], adjusted)
    return np.asarray(is_near(p, alpha, errors, n=2))


WEAKER = Kind("SKS126", "weak control of errors")


@WEAKER.rule("invalid", "test pairs by the Wilcoxon test")
def weak_control(facts: Facts, pairwise: stats.PairwiseOutcome) -> Iterator[Found]:
    """Pairs of three systems or more are compared by a procedure that declares so:
    :func:`~skstat.stats.pairwise_mean_ranks` by Conover's t, whose standard error shrinks for
    all pairs when any systems differ.

    Where some systems differ, such a procedure finds differences between equal ones too often.
    Compare pairs by ``'wilcoxon'``, or ``'mean_ranks'`` for mean ranks. With three pairs of
    equal systems, far apart, Conover's test with Holm's method found a difference between equal
    ones in 28 % of simulated tables of 10 data sets and 16 % of 30, at a nominal 0.05.
    """
    if pairwise.weak_control and len(pairwise.names) > 2:
        yield Found(f"the {pairwise.test} holds its level only if no systems differ at all.")


@WEAKER.rule("weak", "test pairs by the Wilcoxon test")
def pool_dependent(facts: Facts, pairwise: stats.PairwiseOutcome) -> Iterator[Found]:
    """Pairs are compared by mean ranks (:func:`~skstat.stats.nemenyi`,
    :func:`~skstat.stats.pairwise_mean_ranks`).

    Among other systems the same two may get another verdict. Draw the diagram with Nemenyi's
    test if readers expect it, and take the verdict on a pair from ``'wilcoxon'``, which
    compares two systems by their own scores (Benavoli, Corani & Mangili, 2016). On 30 data sets
    the same two systems had p = 0.068 alone, 1e-8 in one pool and 0.41 in another.
    """
    if pairwise.pool_dependent and len(pairwise.names) > 2:
        yield Found("the verdict on two systems depends also on the scores of the others.")


@WEAKER.rule("weak", "use adjustment='holm'")
def adjustment_assumes(facts: Facts, pairwise: stats.PairwiseOutcome) -> Iterator[Found]:
    """The p-values are adjusted by a method with an assumption: tests that are independent or
    positively dependent; or that two systems are equal if both equal a third (``shaffer``,
    ``bergmann-hommel``), which holds for means, but need not for medians of differences.

    Holm's method assumes nothing and loses little.
    """
    method = adjustment_facts(pairwise.adjustment)
    # Two means that equal a third equal each other by arithmetic.
    follows = method.logical and pairwise.outcomes[0].law.quantity.transitive
    if method.assumes is not None and not follows:
        name = say.adjustment_name(pairwise.adjustment)
        yield Found(f"{name} holds its level only if {method.assumes}.")


SCALES = Kind("SKS123", "scores on different scales")


@SCALES.rule("weak", "test pairs by the sign test")
def incommensurable(facts: Facts, pairwise: stats.PairwiseOutcome) -> Iterator[Found]:
    """A test that compares sizes of differences across data sets (aligned ranks, Quade,
    repeated-measures ANOVA, t, sign-flip) was used on three systems or more whose scores lie
    far apart on some data sets and close together on others: in the last tenth of the data sets
    more than ten times as far as in the first. For Wilcoxon's test, which ranks the sizes, more
    than a thousand times.

    Friedman's test and the sign test only rank within a data set. Or use a metric that means
    the same everywhere. Squared errors of different targets do not.
    """
    table = facts.sample if facts.table is None else facts.table
    # Two scores lie close together now and then whatever the scale; three hardly ever do.
    if table is None or table.n_units < 4 or table.n_systems < 3:
        return
    tests: dict[str, Any] = {pairwise.outcomes[0].law.quantity.compares_sizes: pairwise}
    if facts.omnibus is not None:  # it is the one named if both depend on sizes alike
        tests[facts.omnibus.compares_sizes] = facts.omnibus
    degree = next((degree for degree in _MAX_RATIO if degree in tests), None)
    ranges = _ranges(table.scores)[_ranges(table.ranks) > 0]  # ranks ignore rounding errors
    if degree is None or not ranges.size:
        return
    small, large = np.quantile(ranges, [0.1, 0.9])
    if large > _MAX_RATIO[degree] * small:
        sizes = f"by {small:.3g} on some data sets and by {large:.3g} on others"
        latter = f"(first and last tenth): the latter decide the {tests[degree].test}"
        action = "" if facts.table is not None else _BY_COMPARE_SCORES
        yield Found(f"scores differ {sizes} {latter}.", action=action)


def _ranges(values: Numbers) -> Numbers:
    """Return the maximum minus the minimum of every row; nan where all are missing."""
    return np.asarray(np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1))


@SCALES.rule("weak", "use a metric that means the same on all data sets")
def other_scales(facts: Facts, posteriors: Sequence[Any]) -> Iterator[Found]:
    """A hierarchical model was asked by ``rope=``, and the differences of splits vary a hundred
    times as much on the last tenth of the data sets as on the first.

    The model draws the difference on a data set towards the others, which must have a unit in
    common. Squared errors of different targets have none, and nor is there one region for all.
    Use a metric such as R² or accuracy, or ``test='sign'``.
    """
    if any(posterior.unequal_scales for posterior in posteriors):
        vary = "splits vary a hundred times as much on some data sets as on others"
        yield Found(f"{vary}: they have no common unit.")


@Kind("SKS124", "data sets that repeat each other").rule("invalid", "keep every data set once")
def repeated_rows(facts: Facts, table: stats.ScoreTable) -> Iterator[Found]:
    """A tenth of the data sets or more have the very scores of another one, for three systems
    or more, and the scores are not so coarse that chance would do it.

    Count every data set once. Versions of one data set (subsamples, binarised targets, other
    names) are not independent either; average them, or take one.
    """
    if table.n_systems < 3:
        return
    rows, numbers = np.unique(table.scores, axis=0, return_inverse=True)
    numbers = numbers.ravel()  # NumPy 2.0 gives it another shape
    n_repeated = table.n_units - len(rows)
    # Coarse scores, of few test rows, may agree by chance.
    coarse = 2 * len(np.unique(rows)) <= rows.size
    if not coarse and n_repeated >= max(2, 0.1 * table.n_units):
        commonest = np.bincount(numbers).argmax()
        named = say.join_items(
            [table.datasets[i] for i in np.flatnonzero(numbers == commonest)], 4
        )
        same = f"{n_repeated} data sets have exactly the scores of another one ({named})"
        yield Found(f"{same}: one data set under several names counts once.")


@Kind("SKS211", "the tests disagree").rule("note", "report the verdicts on the pairs")
def tests_disagree(
    facts: Facts,
    table: stats.ScoreTable,
    pairwise: stats.PairwiseOutcome,
    omnibus: stats.OmnibusOutcome,
) -> Iterator[Found]:
    """The test of all systems at once rejects and no pair does, or the reverse.

    They ask different questions. Where pairs are compared with adjusted p-values, as here,
    their verdicts stand without the other test.
    """
    alpha, pvalues = facts.alpha, [omnibus.pvalue, *pairwise.adjusted_pvalues]
    # No pair can be significant, as the conclusion says, or some p-value is unknown.
    if pairwise.smallest_pvalue >= alpha or np.isnan(pvalues).any():
        return
    in_pairs = bool(pairwise.differs(alpha).any())
    # With a control, or in one direction, the pairs cover less than the test of all at once.
    partial = pairwise.control or pairwise.outcomes[0].alternative != "two-sided"
    if omnibus.pvalue < alpha and not in_pairs and not partial:
        finds = f"the {omnibus.test} finds a difference"
        yield Found(f"{finds}, but no pair differs significantly.")
    elif in_pairs and not omnibus.pvalue < alpha:
        yield Found(f"pairs differ significantly, but the {omnibus.test} finds no difference.")


LUCK = Kind("SKS218", "probable, and not significant after the adjustment")


@LUCK.rule("note", "go by the adjusted p-values")
def probable_by_luck(facts: Facts, posteriors: Sequence[Any]) -> Iterator[Found]:
    """Several systems were compared with ``rope=``, and in a pair whose adjusted p-value is not
    below the level one system is better with a probability of 0.95 or more.

    A probability with a flat prior is not adjusted for the number of pairs. In 85 % of 1000
    simulations of ten systems that were all the same, on 20 independent units, some of the 45
    pairs had 0.95 or more. The verdicts of the report rest on adjusted p-values. The
    probabilities of a single pair are for one that was named beforehand.
    """
    pairs = facts.pairs
    if pairs.adjusted is None or len(pairs.names) < 2:
        return
    text = f"one is better with a probability of {PROBABLE:g} or more, which is not adjusted."
    for pair in np.flatnonzero(~(pairs.adjusted < facts.alpha)).tolist():
        chances = posteriors[pair].probabilities
        if max(chances.better, chances.worse) >= PROBABLE:
            yield Found(text, pair=pair)


@Kind("SKS219", "the prior decides").rule("weak", "use more units")
def prior_decides(facts: Facts, posteriors: Sequence[Any]) -> Iterator[Found]:
    """A Bayesian sign or signed-rank test, or a Dirichlet law of right and wrong answers, was
    asked by ``rope=``, and something has a probability of 0.95 with the prior in one place, and
    less with it in another.

    The prior stands for half a unit to two that were not seen. Where it is put, on no
    difference or on a large one in either direction, should not matter: it does with few units,
    or a probability near 0.95. The details of the report have both ends.
    """
    text = f"where the prior is put decides whether anything has a probability of {PROBABLE:g}."
    for pair, posterior in enumerate(posteriors):
        if posterior.prior_decides:
            yield Found(text, pair)


STRENGTHS = Kind("SKS230", "strengths that do not fit")


@STRENGTHS.rule("weak", "go by the shares of wins")
def no_one_strength(facts: Facts, strengths: stats.BradleyTerryPosterior) -> Iterator[Found]:
    """Three systems or more were compared over data sets with ``rope=``, or by preferences, and
    the Bradley-Terry model predicts less than 80 % of the pairs' wins within its limits of 90
    %, or its chances are outside the limits of their win shares in more than a tenth of the
    pairs.

    The model gives every system one strength, from which follows how often it wins against each
    other one. Where a system beats the strong ones and loses against the weak ones, there is
    none. The columns of win shares assume nothing of the kind.
    """
    model = strengths
    if model.fits:
        return
    text = f"the limits of 90% hold the wins of only {model.inside:.0%} of the pairs."
    if model.outside:
        pairs = say.join_items([say.join_names(pair) for pair in model.outside], 3)
        poorly = f"{len(model.outside)} of {len(model.pairs)} pairs poorly ({pairs})"
        text = f"one strength for each system fits the wins of {poorly}."
    yield Found(text)


@STRENGTHS.rule("weak", "compare it with systems that are closer to it")
def always_preferred(facts: Facts, preferences: stats.Preferences) -> Iterator[Found]:
    """Systems were compared by preferences, and one was always preferred, or never.

    Such a system has no finite strength: how far it is ahead, or behind, comes from the prior
    that keeps strengths finite, and so does its interval.
    """
    sample = preferences
    sides, k = np.r_[sample.first, sample.second], len(sample.names)
    won = np.bincount(sides, np.r_[sample.outcomes, 1 - sample.outcomes], k)
    met = np.bincount(sides, minlength=k)
    extreme = [sample.names[i] for i in np.flatnonzero((won == 0) | (won == met))]
    if extreme:
        names = say.join_names(extreme)
        yield Found(f"{names} won, or lost, every comparison: the prior sets how far ahead.")


SIDES = Kind("SKS234", "which one was shown first is not known")


@SIDES.rule("note", "give first= and second=, in the order that was shown")
def sides_unknown(facts: Facts, preferences: stats.Preferences) -> Iterator[Found]:
    """Systems were compared by preferences of ``winner=`` and ``loser=``.

    Judges often prefer what they see first. Where every pair was shown in both orders equally
    often, that does no harm. Else it favours the systems that were shown first more often, and
    only the order can tell.
    """
    if not preferences.sided:
        yield Found("it is not known which one was shown first, and judges often prefer that.")
