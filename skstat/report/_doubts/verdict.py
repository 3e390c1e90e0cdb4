"""Doubts about differences and the verdicts on them, of one pair or of all."""

from collections.abc import Iterator

import numpy as np

from skstat._names import clip, shown_name
from skstat.metrics._known import lies_between_0_and_1
from skstat.report._doubts.facts import Facts, Mask, Numbers
from skstat.report._doubts.kind import Found, Kind, found_in
from skstat.report._doubts.units import FEW_BOOTSTRAPPED
from skstat.report._words import decimals_for, drawing_error, fixed, pvalue_text
from skstat.stats import PermutationOutcome, ResampledOutcome
from skstat.stats._outcomes import unit_word
from skstat.stats._paired import equivalences

_AGAINST_RANKS, _AGAINST_WINS = 0.3, 0.2
# Without a margin, of a metric from 0 to 1: differences that hardly anybody would ignore,
# and those that hardly anybody would notice.
_LARGE_DIFFERENCE, _SMALL_DIFFERENCE = 0.05, 0.01
_CLOSE, _MANY_RESAMPLES = 1.25, 99_999


@Kind("SKS201", "identical scores", of_all_rows=True).rule(
    "weak", "check that two different systems were passed"
)
def identical(facts: Facts) -> Iterator[Found]:
    """The two systems score the same on every unit.

    Check that two different estimators were passed. If they were, they predict alike on this
    data.
    """
    if not (facts.pairs.seen or facts.degenerate):
        text = f"both score the same on every {unit_word(facts.unit)}. Are they the same model?"
        yield from found_in(facts.pairs.identical, text)


NO_VARIANCE = Kind("SKS202", "no variance, or no interval")


@NO_VARIANCE.rule("weak", "use a finer metric, or more rows")
def no_variance(facts: Facts) -> Iterator[Found]:
    """The difference is the same on every unit, and not zero: rows were tested instead of
    splits, or nothing else can be tested.

    A t test would claim certainty from a handful of equal numbers. This is typical of a perfect
    model against a constant baseline, or against one that is always wrong. Where predictions
    are at hand, the rows are tested instead. That test counts how many there are, and its claim
    is about the fitted models, not the learners.
    """
    pairs = facts.pairs
    if facts.degenerate:
        yield Found(facts.degenerate, action="use a finer metric")
    elif not pairs.seen and facts.table is None:
        unit = unit_word(facts.unit)
        text = f"the difference is the same on every {unit}: no variance to be tested by."
        yield from found_in(np.isnan(pairs.outcomes.pvalues), text)


@NO_VARIANCE.rule("weak", "use compare_estimators with its default splits and test")
def empty_interval(facts: Facts) -> Iterator[Found]:
    """The F test of a 5x2 cross-validation rejects every shift, so that its interval is empty.

    The ten differences vary more between repeats than within them. Use the default test.
    """
    pairs = facts.pairs
    if pairs.seen or facts.table is not None:
        return
    low, _ = pairs.outcomes.limits(facts.confidence_level)
    text = "no common difference fits the ten differences: no interval exists."
    yield from found_in(np.isnan(low) & ~np.isnan(pairs.outcomes.pvalues), text)


@NO_VARIANCE.rule("weak", "use the paired permutation test")
def perfect_auc(facts: Facts) -> Iterator[Found]:
    """A test of the whole area under the ROC curve, of a system whose AUC is 0 or 1.

    Read ``report.evidence.outcome.auc_intervals()``, on the logit scale, or use the
    permutation test (``test='paired_permutation'``, :func:`~skstat.paired_permutation_test`).
    """
    aucs = getattr(facts.by_itself, "aucs", facts.aucs)
    if facts.identical or not any(auc in (0.0, 1.0) for auc in aucs):
        return
    perfect = "a system orders the classes without error, so that its AUC has no variance"
    missing = facts.outcome is not None and np.isnan(facts.outcome.pvalue)
    but = "neither p nor interval exist" if missing else "the interval is too narrow"
    resampled = isinstance(facts.by_itself, ResampledOutcome)
    yield Found(f"{perfect}: {but}.", action="test on more rows" * resampled)


@NO_VARIANCE.rule("weak", "use more rows, or a finer metric")
def nothing_varies(facts: Facts) -> Iterator[Found]:
    """The scores that a standard error would come from are all alike, as those of a perfect
    model are.

    Test on more rows, or by a finer metric (log loss in place of accuracy).
    """
    if facts.fell_back:
        yield Found(
            f"scores of {facts.names[0]} do not vary: an interval counts each tested row once."
        )


@NO_VARIANCE.rule("note", "look at the data sets that are named")
def without_spread(facts: Facts) -> Iterator[Found]:
    """A hierarchical model was asked by ``rope=``, and on a data set all splits have the same
    difference.

    Their mean counts, with the variance of a difference that is uniform in the region, or
    without a region the smallest variance of the others. Where a metric is coarse, or a test
    set small, more splits of the same rows do not help.
    """
    for place, posterior in enumerate(facts.pairs.posteriors):
        names = posterior.without_spread
        if names:
            some = f"{len(names)} data sets" if len(names) > 1 else clip(names[0])
            text = f"splits of {some} do not differ: the model is given a small variance."
            yield Found(text, pair=place)


@Kind("SKS203", "mean and ranks point in opposite directions").rule(
    "weak", "plot the differences before naming a winner"
)
def opposite_directions(facts: Facts) -> Iterator[Found]:
    """The mean difference has one sign, and the ranks (rank-biserial at least 0.3) or the wins
    (a share of 0.7 or more) point the other way.

    Decide which question matters: the average gain (the mean) or how often one wins (signs,
    ranks), and report that it matters.
    """
    scored = facts.pairs.scored
    if scored is None:
        return
    by_ranks = _against(scored.means, scored.rank_biserial, _AGAINST_RANKS)
    by_wins = _against(scored.means, scored.shares_won - 0.5, _AGAINST_WINS)
    for place in np.flatnonzero(by_ranks | by_wins).tolist():
        winner, other = map(shown_name, facts.pairs.names[place])
        if scored.means[place] < 0:
            winner, other = other, winner
        yield Found(
            f"the mean difference favours {winner}, but the "
            f"{'ranks' if by_ranks[place] else 'wins'} favour {other}: a few large differences "
            "outweigh many small ones.",
            pair=place,
        )


def _against(means: Numbers, values: Numbers, threshold: float) -> Mask:
    return np.asarray((means * values < 0) & (np.abs(values) >= threshold - 1e-9))


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
    asked = ~pairs.identical & ~np.isnan(pairs.pvalues)
    sides = pairs.outcomes.beside_zero(pairs.levels)
    checks = {}
    # The interval of a permutation test inverts it: another one of the same rows is asked.
    for place in pairs.outcomes.representatives:
        outcome = pairs.outcomes[place]
        if not isinstance(outcome, PermutationOutcome) or not outcome.inverts_test:
            continue
        sides[place] = np.nan
        if asked[place] and facts.n_effective >= FEW_BOOTSTRAPPED:
            low, high = outcome.bootstrap_interval(float(pairs.levels[place]))
            if not np.isnan(low):  # as where the metric is undefined on too many resamples
                sides[place] = float(low > 0) - float(high < 0)
                limits = (
                    fixed(end, decimals_for([low, high]), sign=True) for end in (low, high)
                )
                checks[place] = f"bootstrap interval of the same rows ({' to '.join(limits)})"
    rejects = pairs.pvalues < facts.alpha
    for place in np.flatnonzero(asked & ~np.isnan(sides) & (rejects != (sides != 0))).tolist():
        does, holds = (
            ("rejects", "contains") if rejects[place] else ("does not reject", "excludes")
        )
        yield Found(
            f"the test {does}, but the {checks.get(place, 'interval')} {holds} 0: their "
            "assumptions differ.",
            pair=place,
        )


@Kind("SKS208", "close to the level").rule(
    "weak", f"use more resamples, n_resamples={_MANY_RESAMPLES:_}"
)
def close_to_the_level(facts: Facts) -> Iterator[Found]:
    """A p-value from random resamples lies within two of its Monte Carlo errors of the level.
    It is a note where any other lies within a factor of 1.25 of the level, on either side (0.04
    to 0.0625 for 0.05).

    With more resamples p varies less from seed to seed. Even so, do not rest the verdict on it:
    difference and interval hardly differ between p = 0.049 and p = 0.051. To know more, collect
    more data, and test those alone.
    """
    pairs, alpha, decided = facts.pairs, facts.alpha, _decided(facts)
    p, near = pairs.pvalues, decided & _near(facts)
    close = decided & (alpha / _CLOSE <= p) & (p <= alpha * _CLOSE) & ~near
    for place in np.flatnonzero(near).tolist():
        # The joint distribution of tests that draw nothing themselves has no option for more,
        # and nor have the functions that fit on splits.
        drawn = getattr(pairs.outcomes[place].by_itself, "n_resamples", None)
        more = drawn and drawn < _MANY_RESAMPLES and facts.unit != "split"
        yield Found(
            f"p is within two Monte Carlo errors of the level {alpha:.3g}: another seed may "
            "give another verdict.",
            pair=place,
            action="" if more else "call the result borderline",
        )
    for place in np.flatnonzero(close).tolist():
        yield Found(
            f"{pvalue_text(float(p[place]))} is close to the level {alpha:.3g}: "
            f"{0.98 * alpha:.3g} and {1.02 * alpha:.3g} say the same, whatever the verdict.",
            pair=place,
            action="report difference and interval, not only the verdict",
            weight="note",
        )


@Kind("SKS212", "a wide interval").rule("note", 'report the interval, not "no difference"')
def wide_interval(facts: Facts) -> Iterator[Found]:
    """The test does not reject, and the interval reaches beyond the margin; without a margin,
    it reaches further than 0.05 from the estimate in a metric from 0 to 1 (accuracy, balanced
    accuracy, F1, precision, recall, Jaccard, ROC AUC, average precision).

    Report the interval, and the smallest estimate that would be significant, which the doubt
    states. A true difference of that size is found about half of the time;
    ``report.plan(difference=...)`` says what it takes to find it more surely. More splits of
    the same rows help little. A power computed from the observed difference would say nothing
    new: it only restates p.
    """
    pairs, margin = facts.pairs, facts.margin
    asked = _decided(facts) & ~(pairs.pvalues < facts.alpha)
    if not asked.any() or not _on_a_scale(facts):
        return
    low, high = pairs.intervals
    estimates, bounded = pairs.outcomes.estimates, np.isfinite(low) & np.isfinite(high)
    to_one_side = np.fmin(estimates - low, high - estimates)
    width = np.where(bounded, (high - low) / 2, to_one_side)
    reach, most, beyond = width, _LARGE_DIFFERENCE, f"{_LARGE_DIFFERENCE:g}"
    if margin is not None:
        reach = np.where(bounded, np.maximum(-low, high), width)
        most, beyond = margin, f"the margin of {margin:g}"
        asked &= ~equivalences(pairs.outcomes, margin).equivalent(facts.alpha)
    for place in np.flatnonzero(asked & np.isfinite(width) & (reach > most)).tolist():
        size = float(width[place])
        yield Found(
            f"differences beyond {beyond} are not excluded. An estimate of about "
            f"{fixed(size, max(0, decimals_for([size]) - 1))} in {facts.shown.name} would be "
            "significant; a true one so large is missed half of the time.",
            pair=place,
        )


@Kind("SKS213", "significant, but small").rule("note", "say what such a difference is worth")
def significant_but_small(facts: Facts) -> Iterator[Found]:
    """The test rejects, and the whole interval lies within the margin; without a margin, within
    0.01 in a metric from 0 to 1.

    Say what a difference of this size is worth where the system is used, and what each
    system costs. With many rows even a tiny difference is significant; that does not make it
    matter.
    """
    pairs = facts.pairs
    asked = _decided(facts) & (pairs.pvalues < facts.alpha)
    if not asked.any() or not _on_a_scale(facts):
        return
    margin = _SMALL_DIFFERENCE if facts.margin is None else facts.margin
    low, high = pairs.intervals
    text = f"the whole interval is within {margin:g} of 0: such a difference may not matter."
    yield from found_in(asked & (np.maximum(-low, high) <= margin), text)


@Kind("SKS210", "direction taken from the data").rule("invalid", "use pvalue='shift'")
def direction_from_data(facts: Facts) -> Iterator[Found]:
    """``pvalue='berg-kirkpatrick'`` was asked for without ``alternative``, or
    ``pvalue='sign-reversal'``.

    ``pvalue='shift'`` is two-sided; or say ``alternative`` before you look. To read a published
    one-sided p, double it: at a nominal 0.05 it rejects about 10 % of true null hypotheses.
    """
    method = getattr(facts.by_itself, "pvalue_method", "shift")
    by_data = method == "sign-reversal" or getattr(facts.outcome, "sided_by_data", True)
    if method != "shift" and by_data and not facts.identical:
        yield Found("p takes its direction from the data: it is half of what it should be.")


def _decided(facts: Facts) -> Mask:
    """Tell for which pairs the test could reject, for some scores."""
    pairs = facts.pairs
    if not pairs.judged or facts.table is not None:  # over data sets it is told of no pair
        return np.zeros(len(pairs.names), dtype=bool)
    possible = pairs.outcomes.smallest_pvalues < facts.alpha
    return ~pairs.identical & ~np.isnan(pairs.pvalues) & possible


def _near(facts: Facts) -> Mask:
    """Tell which p-values other draws may well bring to the other side of the level."""
    pairs, alpha, p = facts.pairs, facts.alpha, facts.pairs.pvalues
    errors = np.zeros(len(p))
    if len(p) > 1 and len(pairs.outcomes.representatives) == 1:  # all as the first
        n = getattr(pairs.outcomes[0], "n_resamples", 0)
        if n and pairs.outcomes[0].simultaneous:
            errors = np.sqrt(p * (1 - p) / n)
    else:
        # Two errors of a p beyond these bounds do not reach the level, if draws can reach it.
        for place in np.flatnonzero((p > alpha / 6) & (p < alpha * 6)).tolist():
            adjusted = None if pairs.adjusted is None else float(p[place])
            errors[place] = drawing_error(pairs.outcomes[place], adjusted)
    return np.asarray((errors > 0) & (np.abs(p - alpha) <= 2 * errors))


def _on_a_scale(facts: Facts) -> bool:
    """Whether it is known which differences are large, and these are differences of scores."""
    known = facts.margin is not None or lies_between_0_and_1(facts.metric)
    return known and facts.pairs.outcomes.distinct("scale") == ("score",)
