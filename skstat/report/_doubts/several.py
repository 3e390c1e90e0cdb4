"""Doubts about several systems, data sets, probabilities and preferences."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from skstat.report._doubts.facts import Facts, Mask, Numbers
from skstat.report._doubts.kind import Found, Kind, found_in
from skstat.report._words import PROBABLE, adjustment_name, join_items, join_names
from skstat.stats._multiplicity import adjustment_facts

# How many times as far apart scores may lie on one data set as on another, by how much a
# test compares sizes. Where they are only put in order, large ones are blunted, not forgotten.
_SPREAD: dict[str, float] = {"strongly": 10.0, "weakly": 1000.0}
_BY_COMPARE_SCORES = "ask compare_scores, with test='friedman', post_hoc='sign'"

WEAKER = Kind("SKS126", "weak control of errors")


@WEAKER.rule("invalid", "use post_hoc='wilcoxon'")
def weak_control(facts: Facts) -> Iterator[Found]:
    """Pairs of three systems or more are compared by a procedure that declares so:
    :func:`~skstat.stats.pairwise_conover`, whose standard error shrinks for all pairs when any
    systems differ.

    Where some systems differ, such a procedure finds differences between equal ones too often.
    Use ``post_hoc='wilcoxon'``, or ``'mean_ranks'`` for mean ranks. With three pairs of equal
    systems, far apart, Conover's test with Holm's method found a difference between equal ones
    in 28 % of simulated tables of 10 data sets and 16 % of 30, at a nominal 0.05.
    """
    pairwise = facts.pairwise
    if pairwise is not None and pairwise.weak_control and len(pairwise.names) > 2:
        yield Found(f"the {pairwise.test} holds its level only if no systems differ at all.")


@WEAKER.rule("weak", "test pairs by the Wilcoxon test")
def pool_dependent(facts: Facts) -> Iterator[Found]:
    """Pairs are compared by mean ranks (:func:`~skstat.stats.nemenyi`,
    :func:`~skstat.stats.bonferroni_dunn`, :func:`~skstat.stats.pairwise_mean_ranks`,
    :func:`~skstat.stats.pairwise_conover`).

    Among other systems the same two may get another verdict. Draw the diagram with Nemenyi's
    test if readers expect it, and take the verdict on a pair from ``post_hoc='wilcoxon'``
    (:func:`~skstat.compare_over_datasets`), which compares two systems by their own scores
    (Benavoli, Corani & Mangili, 2016). On 30 data sets the same two systems had p = 0.068
    alone, 1e-8 in one pool and 0.41 in another.
    """
    pairwise = facts.pairwise
    if pairwise is not None and pairwise.pool_dependent and len(pairwise.names) > 2:
        yield Found("the verdict on two systems depends also on the scores of the others.")


@WEAKER.rule("weak", "use adjustment='holm'")
def adjustment_assumes(facts: Facts) -> Iterator[Found]:
    """The p-values are adjusted by a method with an assumption: tests that are independent or
    positively dependent; or that two systems are equal if both equal a third (``shaffer``,
    ``bergmann-hommel``), which holds for means, but need not for medians of differences.

    Holm's method assumes nothing and loses little.
    """
    pairwise = facts.pairwise
    if pairwise is None:
        return
    known = adjustment_facts(pairwise.adjustment)
    # Two means that equal a third equal each other by arithmetic.
    follows = known.logical and pairwise.outcomes[0].quantity.transitive
    if known.assumes is not None and not follows:
        name = adjustment_name(pairwise.adjustment)
        yield Found(f"{name} holds its level only if {known.assumes}.")


SCALES = Kind("SKS123", "scores on different scales")


@SCALES.rule("weak", "use test='friedman' and post_hoc='sign'")
def incommensurable(facts: Facts) -> Iterator[Found]:
    """A test that compares sizes of differences across data sets (aligned ranks, Quade,
    repeated-measures ANOVA, t, sign-flip) was used on three systems or more whose scores lie
    far apart on some data sets and close together on others: in the last tenth of the data sets
    more than ten times as far as in the first. For Wilcoxon's test, which ranks the sizes, more
    than a thousand times.

    Friedman's test and the sign test only rank within a data set. Or use a metric that means
    the same everywhere. Squared errors of different targets do not.
    """
    pairwise = facts.pairwise
    table = facts.sample if facts.table is None else facts.table
    # Two scores lie close together now and then whatever the scale; three hardly ever do.
    if pairwise is None or table is None or table.n_units < 4 or table.n_systems < 3:
        return
    by: dict[str, Any] = {pairwise.outcomes[0].quantity.compares_sizes: pairwise}
    if facts.omnibus is not None:  # which is named where both compare sizes alike
        by[facts.omnibus.compares_sizes] = facts.omnibus
    how = next((how for how in _SPREAD if how in by), None)
    spreads = _reach(table.scores, table.missing)
    spreads = spreads[_reach(table.ranks, table.missing) > 0]  # ranks know float noise
    if how is None or not spreads.size:
        return
    small, large = np.quantile(spreads, [0.1, 0.9])
    if large > _SPREAD[how] * small:
        yield Found(
            f"scores differ by {small:.3g} on some data sets and by {large:.3g} on others "
            f"(first and last tenth): the latter decide the {by[how].test}.",
            action="" if facts.table is not None else _BY_COMPARE_SCORES,
        )


def _reach(values: Numbers, missing: Mask) -> Numbers:
    """Return the largest value of every row less the least; below 0 where all are missing."""
    largest = np.max(values, axis=1, where=~missing, initial=-np.inf)
    return np.asarray(largest - np.min(values, axis=1, where=~missing, initial=np.inf))


@SCALES.rule("weak", "use a metric that means the same on all data sets")
def other_scales(facts: Facts) -> Iterator[Found]:
    """A hierarchical model was asked by ``rope=``, and the differences of splits vary a hundred
    times as much on the last tenth of the data sets as on the first.

    The model draws the difference on a data set towards the others, which must have a unit in
    common. Squared errors of different targets have none, and nor is there one region for all.
    Use a metric such as R² or accuracy, or ``test='sign'``.
    """
    if any(posterior.unequal_scales for posterior in facts.pairs.posteriors):
        yield Found(
            "splits vary a hundred times as much on some data sets: they have no common unit."
        )


@Kind("SKS124", "data sets that repeat each other").rule("invalid", "keep every data set once")
def repeated_rows(facts: Facts) -> Iterator[Found]:
    """A tenth of the data sets or more have the very scores of another one, for three systems
    or more, and the scores are not so coarse that chance would do it.

    Count every data set once. Versions of one data set (subsamples, binarised targets, other
    names) are not independent either; average them, or take one.
    """
    table = facts.table
    if table is None or table.n_systems < 3:
        return
    rows, numbers = np.unique(table.scores, axis=0, return_inverse=True)
    numbers = numbers.ravel()  # NumPy 2.0 gives it another shape
    counts = np.bincount(numbers)
    n_repeated = int(table.n_units - len(rows))
    # Coarse scores, of few test rows, may agree by chance.
    coarse = 2 * len(np.unique(rows)) <= rows.size
    if not coarse and n_repeated >= max(2, 0.1 * table.n_units):
        names = [table.datasets[i] for i in np.flatnonzero(numbers == counts.argmax())]
        yield Found(
            f"{n_repeated} data sets have exactly the scores of another one "
            f"({join_items(names, 4)}): one data set under several names counts once."
        )


@Kind("SKS211", "the tests disagree").rule("note", "report the verdicts on the pairs")
def tests_disagree(facts: Facts) -> Iterator[Found]:
    """The test of all systems at once rejects and no pair does, or the reverse.

    They ask different questions. Where pairs are compared with adjusted p-values, as here,
    their verdicts stand without the other test.
    """
    pairwise, omnibus, alpha = facts.pairwise, facts.omnibus, facts.alpha
    if facts.table is None or pairwise is None or omnibus is None or np.isnan(omnibus.pvalue):
        return
    # No pair can differ, as the conclusion says, or less was asked than of all at once.
    if pairwise.smallest_pvalue >= alpha or np.isnan(pairwise.adjusted_pvalues).any():
        return
    in_pairs = bool(pairwise.differs(alpha).any())
    # Of a control, or in one direction, less is asked in pairs than of all at once.
    less = pairwise.control or pairwise.outcomes[0].alternative != "two-sided"
    if omnibus.pvalue < alpha and not in_pairs and not less:
        yield Found(
            f"the {omnibus.test} finds a difference, but no pair differs significantly."
        )
    elif in_pairs and not omnibus.pvalue < alpha:
        yield Found(f"pairs differ significantly, but the {omnibus.test} finds no difference.")


@Kind("SKS218", "probable, and not significant after the adjustment").rule(
    "note", "go by the adjusted p-values"
)
def probable_by_luck(facts: Facts) -> Iterator[Found]:
    """Several systems were compared with ``rope=``, and in a pair whose adjusted p-value is not
    below the level one system is better with a probability of 0.95 or more.

    A probability with a flat prior is not adjusted for the number of pairs. In 85 % of 1000
    simulations of ten systems that were all the same, on 20 independent units, some of the 45
    pairs had 0.95 or more. The verdicts of the report rest on adjusted p-values. The
    probabilities of a single pair are for one that was named beforehand.
    """
    pairs = facts.pairs
    if pairs.adjusted is None or len(pairs.names) < 2 or not pairs.posteriors:
        return
    text = f"one is better with a probability of {PROBABLE:g} or more, which is not adjusted."
    for place in np.flatnonzero(~(pairs.adjusted < facts.alpha)).tolist():
        found = pairs.posteriors[place].probabilities
        if max(found.better, found.worse) >= PROBABLE:
            yield Found(text, pair=place)


@Kind("SKS219", "the prior decides").rule("weak", "use more units")
def prior_decides(facts: Facts) -> Iterator[Found]:
    """A Bayesian sign or signed-rank test, or a Dirichlet law of right and wrong answers, was
    asked by ``rope=``, and something has a probability of 0.95 with the prior in one place, and
    less with it in another.

    The prior stands for half a unit to two that were not seen. Where it is put, on no
    difference or on a large one in either direction, should not matter: it does with few units,
    or a probability near 0.95. The details of the report have both ends.
    """
    text = f"where the prior is put decides whether anything has a probability of {PROBABLE:g}."
    yield from found_in([one.prior_decides for one in facts.pairs.posteriors], text)


STRENGTHS = Kind("SKS230", "strengths that do not fit")


@STRENGTHS.rule("weak", "go by the shares of wins")
def no_one_strength(facts: Facts) -> Iterator[Found]:
    """Three systems or more were compared over data sets with ``rope=``, or by preferences, and
    the Bradley-Terry model predicts less than 80 % of the pairs' wins within its limits of 90
    %, or its chances are outside the limits of their win shares in more than a tenth of the
    pairs.

    The model gives every system one strength, from which follows how often it wins against each
    other one. Where a system beats the strong ones and loses against the weak ones, there is
    none. The columns of win shares assume nothing of the kind.
    """
    found = facts.strengths
    if found is None or found.fits:
        return
    if found.outside:
        pairs = join_items([join_names(pair) for pair in found.outside], 3)
        yield Found(
            f"one strength for each system fits the wins of {len(found.outside)} of "
            f"{len(found.pairs)} pairs poorly ({pairs})."
        )
    else:
        yield Found(f"the limits of 90% hold the wins of only {found.inside:.0%} of the pairs.")


@STRENGTHS.rule("weak", "compare it with systems that are closer to it")
def always_preferred(facts: Facts) -> Iterator[Found]:
    """Systems were compared by preferences, and one was always preferred, or never.

    Such a system has no finite strength: how far it is ahead, or behind, comes from the prior
    that keeps strengths finite, and so does its interval.
    """
    sample = facts.preferences
    if sample is None:
        return
    k = len(sample.names)
    won = np.bincount(sample.first, sample.outcomes, k)
    won += np.bincount(sample.second, 1 - sample.outcomes, k)
    met = np.bincount(sample.first, minlength=k) + np.bincount(sample.second, minlength=k)
    alone = [sample.names[place] for place in np.flatnonzero((won == 0) | (won == met))]
    if alone:
        names = join_names(alone)
        yield Found(f"{names} won, or lost, every comparison: the prior sets how far ahead.")


@Kind("SKS234", "which one was shown first is not known").rule(
    "note", "give first= and second=, in the order that was shown"
)
def sides_unknown(facts: Facts) -> Iterator[Found]:
    """Systems were compared by preferences of ``winner=`` and ``loser=``.

    Judges often prefer what they see first. Where every pair was shown in both orders equally
    often, that does no harm. Else it favours the systems that were shown first more often, and
    only the order can tell.
    """
    if facts.preferences is not None and not facts.preferences.sided:
        yield Found("it is not known which of two was shown first, which judges often prefer.")
