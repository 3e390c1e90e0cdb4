"""Doubts about units: too few of them, or of the wrong kind."""

import math
from collections.abc import Iterator

from skstat.report._doubts.facts import Facts
from skstat.report._doubts.kind import Found, Kind
from skstat.report._doubts.splits import is_single_k_fold
from skstat.report._words import units
from skstat.stats import ResampledOutcome, SeededOutcome
from skstat.stats._outcomes import unit_word
from skstat.stats._strengths import ENOUGH_ITEMS, FEWEST_UNITS

FEW_BOOTSTRAPPED = 20
_FEW, _FEW_GROUPS, _FEW_GROUPS_TOGETHER = 10, 20, 25
# From how many a standard error of a performance can be estimated.
_FEW_TO_ESTIMATE = {"instance": 30, "row": 30, "group": 20, "split": 15}
# Skewness that is hardly an accident of few units, and that the root of their number does not
# average out: at 0.6 the best was ruled out in 8 % of simulations at a nominal 0.05.
_SKEWED, _LEFT_IN_A_MEAN = 1.5, 0.2

FEW_UNITS = Kind("SKS107", "few units")


@FEW_UNITS.rule("weak", "use more splits, seeds or data sets")
def few_units(facts: Facts) -> Iterator[Found]:
    """There are fewer than 10 units, which are neither groups nor the splits of a single
    K-fold (:ref:`SKS102 <sks102>`).

    Use more splits (the default has 30), seeds or data sets.
    """
    asked = facts.outcome is not None or facts.table is not None
    if asked and facts.n_units < _FEW and facts.unit != "group" and not is_single_k_fold(facts):
        few = f"{units(facts.n_units, facts.unit)} are few"
        yield Found(
            f"{few}: the test finds only large differences, and its assumptions matter.",
            action=f"use more {unit_word(facts.unit)}s",
        )


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
    few, n_groups = "are few: the interval may be too narrow for", facts.n_groups
    compared = facts.outcome is not None and facts.unit == "group"
    if compared and facts.n_effective < _fewest(facts, facts.is_mean):
        groups = _weighed(facts.n_units, facts.n_effective, "group")
        yield Found(f"{groups} {few} other groups.")
    elif facts.unit == "split" and facts.folds is not None:
        rows, word = facts.folds.rows, facts.folds.size_unit
        told = facts.estimate is not None and facts.estimate.n_units < _FEW_GROUPS
        m = None if told else rows.n_effective
        if m is not None and m < _fewest(facts, rows.of_mean):
            text = f"{_weighed(rows.n_units, m, word)} {few} other {word}s."
            yield Found(text, action=f"collect more {word}s")
    elif n_groups is not None and n_groups < _FEW and facts.method.by_splits:
        yield Found(f"{n_groups} groups {few} training on other groups.")


@FEW_UNITS.rule("weak", "use the paired permutation test and its own interval")
def few_bootstrapped(facts: Facts) -> Iterator[Found]:
    """Fewer than 20 rows, groups or blocks of rows in time order were resampled for an
    interval; groups of unequal size count as many as they weigh.

    The permutation test with its own interval (``test='paired_permutation'``, and no
    ``interval``) is valid for any number. Else collect more rows or groups. Of 50 steps in
    time, 12 blocks of 4, 95 % intervals contained the truth in 92 % where steps are independent
    and in 84 % where neighbours correlate by 0.5; there is no permutation test for them, but
    for a mean over rows :func:`~skstat.stats.diebold_mariano`.
    """
    length, own = facts.block_length or 1, facts.by_itself
    if not isinstance(own, ResampledOutcome) or own.inverts_test or facts.identical:
        return
    if facts.n_effective // length < FEW_BOOTSTRAPPED:
        few, action = _weighed(facts.n_units, facts.n_effective, facts.unit), ""
        if length > 1:
            few = f"{facts.n_units // length} blocks of {units(length, facts.unit)}"
            action = "compare on a longer stretch"
        yield Found(f"a bootstrap of {few} tends to give too narrow intervals.", action=action)


@FEW_UNITS.rule("weak", "use more seeds")
def few_seeds(facts: Facts) -> Iterator[Found]:
    """Fewer than 10 seeds of a system were resampled together with the rows.

    Use more seeds, or a metric that is a mean over rows (accuracy, log loss), for which mean
    squares and Student's t allow for few seeds.
    """
    n = facts.n_seeds
    if n is not None and n < _FEW and isinstance(facts.by_itself, SeededOutcome):
        yield Found(f"a bootstrap of {units(n, 'seed')} tends to give too narrow intervals.")


@FEW_UNITS.rule("weak", "score more rows")
def skewed_for_few(facts: Facts) -> Iterator[Found]:
    """It was asked which of several systems may be the best, and the differences of two of them
    have a skewness above 1.5 and above a fifth of the root of the number of rows, groups or
    seeds, so that their mean is skewed too.

    Score more rows, or compare scores whose outliers are bounded. With lognormal or minus
    lognormal scores of one system and normal ones of three, a fifth as spread, all means equal,
    the best was ruled out in 7 to 8 % of 400 simulations of 20 rows, 6 % of 50 and 3 to 5 % of
    100, at a nominal 0.05.
    """
    left = facts.skewness or 0.0
    skewness = left * math.sqrt(facts.n_units)
    if skewness > _SKEWED and left > _LEFT_IN_A_MEAN:
        yield Found(
            f"differences are skewed ({skewness:.1f}): the best may be ruled out too often."
        )


@FEW_UNITS.rule("weak", "use more units")
def few_for_a_posterior(facts: Facts) -> Iterator[Found]:
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
    for place, posterior in enumerate(facts.pairs.posteriors):
        if posterior.n_seen is not None and posterior.n_seen < posterior.fewest:
            seen = units(posterior.n_seen, facts.unit)
            text = f"probabilities of what happens elsewhere rest on {seen} and a prior."
            yield Found(text, pair=place)


@FEW_UNITS.rule("weak", "use more data sets")
def few_for_strengths(facts: Facts) -> Iterator[Found]:
    """Three systems or more were compared with ``rope=`` on fewer than ten data sets, or
    systems by preferences on fewer than 30 items.

    Shares of wins rest on the data sets that were seen, by a Bayesian bootstrap, whose
    intervals are too narrow with few of them. The intervals of the model are not, but it
    assumes one strength for each system. How much comparisons on one item depend on each other
    is seen from the items, and from so few of them it is hardly seen. More judges of the same
    items do not help.
    """
    found, judged = facts.strengths, facts.preferences
    if judged is not None and judged.n_items < ENOUGH_ITEMS:
        text = (
            f"{judged.n_items} items say little of how their comparisons depend on each other."
        )
        yield Found(text, action="use more items")
    elif judged is None and found is not None and found.n_units < FEWEST_UNITS:
        seen = units(found.n_units, facts.unit)
        yield Found(f"shares of wins on {seen} are surer of themselves than they should be.")


@FEW_UNITS.rule("weak", "use more splits, or a larger test set")
def few_to_estimate(facts: Facts) -> Iterator[Found]:
    """The standard error of an estimate comes from fewer than 30 rows, 20 groups or 15 splits.

    Use more splits, or a larger test set.
    """
    found = facts.estimate
    if found is not None and found.n_units < _FEW_TO_ESTIMATE[found.unit]:
        few = units(found.n_units, found.unit)
        yield Found(f"{few} are few to estimate a standard error from.")


@Kind("SKS117", "seeds pooled").rule("invalid", "use seeds='crossed'")
def pooled_seeds(facts: Facts) -> Iterator[Found]:
    """``seeds='pooled'`` was asked for.

    Pooling is there to show what a published result did: with three copies of the same
    predictions it rejected 30 % of true null hypotheses in simulations, at a nominal 0.05.
    """
    if facts.pooled_seeds:
        yield Found("each row is counted once per seed: p and the interval are too small.")


@Kind("SKS217", "no pair can be significant").rule("weak", "use more units")
def floor_decides(facts: Facts) -> Iterator[Found]:
    """Several systems were compared, and the smallest adjusted p-value that so many units,
    draws and pairs can give is not below the level.

    Score more units, draw more (``n_resamples=``), or compare fewer systems, or all of them
    with a ``control=``. Where one set of resamples judges all pairs (``adjustment='max-t'``),
    its smallest p-value does not depend on their number.
    """
    pairwise = facts.pairwise
    # Where all systems score the same there is nothing to find.
    if pairwise is None or not pairwise.family.directions.any():
        return
    if pairwise.smallest_pvalue >= facts.alpha:
        fewer = "" if pairwise.adjustment == "max-t" else ", or compare fewer systems"
        yield Found(
            f"the smallest possible adjusted p-value is {pairwise.smallest_pvalue:.3g}, and "
            f"the level is {facts.alpha:.3g}: no pair can be significant, whatever the scores.",
            action=f"use more {unit_word(facts.unit)}s{fewer}",
        )


def _fewest(facts: Facts, of_mean: bool) -> int:
    """Effective groups from which no doubt is raised."""
    return _FEW_GROUPS if of_mean and not facts.of_family else _FEW_GROUPS_TOGETHER


def _weighed(n: int, effective: float, unit: str) -> str:
    """Number of units, and what those of unequal size amount to."""
    weigh = "" if effective > n - 0.5 else f" (which weigh as {effective:.1f} of one size)"
    return units(n, unit) + weigh
