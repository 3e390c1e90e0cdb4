"""When a doubt is raised: one function each, from a case to a sentence or None."""

from collections.abc import Collection

import numpy as np

from skstat.report._case import Case
from skstat.report._numbers import every, units
from skstat.report._scales import lies_between_0_and_1
from skstat.stats import (
    BootstrapOutcome,
    LongRunOutcome,
    PairedBlockScores,
    ProjectionOutcome,
    ResampledOutcome,
    SeededOutcome,
    effect_sizes,
)
from skstat.stats._time_order import MOST_BIAS, bias_of_blocks

_FEW_TEST_GROUPS = 20
FEW_BOOTSTRAPPED = 20
_FEW_DIFFERING = 10
_TOO_ALIKE = 0.9
_MANY_FOLDS = 5
_FEW_OF_CLASS = 20
_FEW_IN_CLASS = 10
_LARGE_SHARE = 0.3


_FOR_INDEPENDENT_ROWS = ("paired_t", "sign_flip", "sign", "wilcoxon", "cost")


def treated_as_independent(case: Case) -> str | None:
    if not case.context.treated_as_independent:
        return None
    return (
        "the splits share training rows, but the test takes them for independent; at a "
        "nominal 0.05 such tests were measured to reject a true null hypothesis 5 to 26 "
        "% of the time for one K-fold, 50 to 89 % for 30 or more splits."
    )


def single_k_fold(case: Case) -> str | None:
    if case.n_repeats != 1 or case.context.treated_as_independent:
        return None
    return (
        f"a single {case.n_folds}-fold cross-validation tested with the correction for "
        "overlapping test sets, which it does not have: the interval is about 1.4 times "
        "as wide as need be."
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


def splits_too_alike(case: Case) -> str | None:
    spread = case.context.split_spread
    if spread is None or spread >= _TOO_ALIKE or not _rests_on_split_variance(case):
        return None
    return (
        f"the differences of the splits vary {spread:.2f} times as much as their test rows "
        "alone would make them. What rows do in training and in testing cancels between "
        "splits of one data set, and adds up over data sets: the standard error is too small."
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


def many_folds(case: Case) -> str | None:
    if not isinstance(case.by_itself, ProjectionOutcome) or (case.n_folds or 0) < _MANY_FOLDS:
        return None
    return (
        f"the projection on rows is noisy with {case.n_folds} folds: a fifth to three "
        "quarters of the power of halves was measured with 5 or 10."
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


def ordered_rows(case: Case) -> str | None:
    if not case.ordered:
        return None
    if case.unit != "split":
        if case.context.procedure not in _FOR_INDEPENDENT_ROWS:
            return None
        return (
            "the rows stand in time order, and the test takes them for independent of each "
            "other."
        )
    return (
        "every training set lies before its test set, so that the training sets contain "
        "each other and the test blocks follow each other in time; no correction was "
        "derived for that."
    )


def split_groups(case: Case) -> str | None:
    if not case.context.splits_groups:
        return None
    return (
        "rows of one group stand on both sides of a split, because the splitter does not "
        "look at groups: scores are too good and splits more alike than they are."
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


def few_units(case: Case) -> str | None:
    n = case.sample.n_units
    if n >= 10 or case.unit == "group":
        return None
    found = units(n, case.unit)
    return f"{found} are few: the test has little power and leans on its assumptions."


def first_fold(case: Case) -> str | None:
    if case.context.procedure != "five_by_two_t":
        return None
    return (
        "estimate, interval and p-value rest on the first of the ten differences; "
        "another order of the halves gives other answers."
    )


def few_groups(case: Case) -> str | None:
    if case.unit == "group" and case.n_effective < _FEW_TEST_GROUPS:
        return (
            f"{_units(case)} are few to speak of groups that were not seen: "
            "intervals are too narrow rather than too wide."
        )
    n = case.context.n_groups
    if n is None or n >= 10:
        return None
    return f"{n} groups are few: a mean over training sets of so few groups is hardly known."


def grouped_rows(case: Case) -> str | None:
    r = case.context.neighbours_alike
    if r is None:
        return None
    return (
        f"neighbouring rows are more alike than chance (correlation {r:.2f} of their "
        "differences): do they come from the same document, user or time? Then they are no "
        "independent rows."
    )


def few_bootstrapped(case: Case) -> str | None:
    length = case.context.block_length or 1
    if not isinstance(case.by_itself, ResampledOutcome) or case.by_itself.inverts_test:
        return None
    if case.n_effective // length >= FEW_BOOTSTRAPPED or case.sample.identical:
        return None
    drawn = _units(case)
    if length > 1:
        drawn = f"{case.sample.n_units // length} blocks of {units(length, case.unit)}"
    return f"a bootstrap of {drawn} tends to give intervals that are too narrow."


def few_differing(case: Case) -> str | None:
    n = case.context.n_differing
    if n is None or n >= _FEW_DIFFERING or not isinstance(case.by_itself, ResampledOutcome):
        return None
    if case.sample.identical:
        return None
    return (
        f"the systems differ on {units(n, case.unit)} only: an interval that rests on "
        "so few may be too narrow, also to show that they are equivalent."
    )


def rare_class(case: Case) -> str | None:
    n = case.context.rarest_class
    if n is None or n >= _FEW_IN_CLASS or not isinstance(case.by_itself, ResampledOutcome):
        return None
    if case.sample.identical:
        return None
    return (
        f"the rarest class has {units(n, 'row')}, and {case.context.shown.name} counts classes "
        "alike, so that these decide much of the difference: such tests were measured to "
        "reject up to 16 % of true null hypotheses at a nominal 0.05."
    )


def few_rows_decide(case: Case) -> str | None:
    share = case.context.largest_share
    if (
        share is None
        or share <= _LARGE_SHARE
        or not isinstance(case.by_itself, ResampledOutcome)
    ):
        return None
    if case.sample.identical or few_differing(case) is not None:
        return None
    return (
        f"a single {every(case.unit)} has {100 * share:.0f} % of the variance of the "
        f"difference: more such {every(case.unit)}s, of either system, would change the answer."
    )


def _units(case: Case) -> str:
    """Number of units, and what groups of unequal size amount to."""
    n = case.sample.n_units
    if case.n_effective > n - 0.5:
        return units(n, case.unit)
    return f"{units(n, case.unit)}, which weigh as {case.n_effective:.1f} of one size,"


def redrawn(case: Case) -> str | None:
    n = getattr(case.by_itself, "n_redrawn", 0)
    if not n:
        return None
    return f"the metric was undefined on {units(n, 'resample')}, drawn anew."


def few_in_class(case: Case) -> str | None:
    counts = case.context.class_counts
    if counts is None or min(counts) >= 15:
        return None
    return (
        f"the smaller class has {min(counts)} instances, too few for the normal law of the AUC."
    )


def perfect_auc(case: Case) -> str | None:
    aucs = getattr(case.by_itself, "aucs", case.context.aucs)
    if not any(auc in (0.0, 1.0) for auc in aucs) or case.sample.identical:
        return None
    perfect = "a system orders the classes without a single error, so that its AUC shows no"
    if np.isnan(case.outcome.pvalue):
        return f"{perfect} variance, nor does the difference: neither p nor interval exist."
    return f"{perfect} variance, and the interval of the difference is too narrow."


def autocorrelation(case: Case) -> str | None:
    r = case.context.autocorrelation
    if r is None:
        return None
    return (
        f"differences too far apart for the test to allow for it still correlate ({r:.2f}): "
        "it takes the rows for more independent than they are."
    )


def alike_for_long(case: Case) -> str | None:
    if case.sample.identical:
        return None
    neighbours, length = case.context.neighbours, case.context.block_length
    if isinstance(case.by_itself, LongRunOutcome):
        neighbours, bias = case.by_itself.autocorrelation, case.by_itself.expected_bias
    elif isinstance(case.by_itself, BootstrapOutcome) and neighbours is not None and length:
        bias = bias_of_blocks(length, neighbours)
    else:
        return None
    if bias <= MOST_BIAS:
        return None
    least = "more than half" if bias > 0.5 else f"about {100 * bias:.0f} %"
    return (
        f"neighbouring differences correlate by {neighbours:.2f}, much for "
        f"{units(case.sample.n_units, case.unit)}: the variance of their mean is expected to "
        f"come out {least} too small, so that the test rejects too often and the interval is "
        "too narrow."
    )


def direction_from_data(case: Case) -> str | None:
    method = getattr(case.by_itself, "pvalue_method", "shift")
    if method == "shift" or case.sample.identical:
        return None
    if method == "berg-kirkpatrick" and not getattr(case.outcome, "sided_by_data", True):
        return None
    words = (
        "the share of resamples without the sign observed is no p-value of a hypothesis of no "
        "difference"
        if method == "sign-reversal"
        else "the one-sided test takes its direction from the data"
    )
    return f"{words}: at a nominal 0.05 it rejects about 10 % of true null hypotheses."


def few_seeds(case: Case) -> str | None:
    n = case.context.n_seeds
    if n is None or n >= 10 or not isinstance(case.by_itself, SeededOutcome):
        return None
    return (
        f"a bootstrap of {n} seeds knows little of seeds that were not drawn: intervals "
        "tend to be too narrow."
    )


def pooled_seeds(case: Case) -> str | None:
    if not case.context.pooled_seeds:
        return None
    return (
        "each row is counted once per seed, as if it were another row: the p-value and the "
        "interval are too small."
    )


def small_strata(case: Case) -> str | None:
    n = case.context.smallest_stratum
    if n is None or n >= 10:
        return None
    return (
        f"the smallest stratum has {n} rows, whose resamples vary by the factor "
        f"{(n - 1) / n:.2f} too little."
    )


def long_horizon(case: Case) -> str | None:
    horizon = case.context.horizon
    if horizon is None or horizon <= case.sample.n_units / 10:
        return None
    return (
        f"a horizon of {horizon} is long for {units(case.sample.n_units, case.unit)}: such "
        "tests were measured to reject 9 to 20 % of true null hypotheses at a nominal 0.05."
    )


def repeated_splits(case: Case) -> str | None:
    n = case.context.repeated_splits
    if n == 0:
        return None
    return f"{units(n, 'split')} test on the same rows as another, and add no information."


def equal_to_truth(case: Case) -> str | None:
    names = case.context.equal_to_truth
    if not names:
        return None
    return (
        f"the predictions of {' and of '.join(names)} equal y_true on every row. Was the truth "
        "passed in their place?"
    )


def left_out(case: Case) -> str | None:
    reasons = case.context.left_out
    if not reasons:
        return None
    return (
        f"{len(reasons)} of the data sets asked for could not be used; the answer is about "
        "those that could."
    )


def identical(case: Case) -> str | None:
    if not case.sample.identical or case.context.degenerate:
        return None
    return (
        f"both score the same on every {every(case.unit)}: no variance, and nothing to "
        "test. Are they the same model?"
    )


def no_variance(case: Case) -> str | None:
    if case.context.degenerate:
        return case.context.degenerate
    if np.isnan(case.outcome.pvalue):
        return (
            f"the difference is the same on every {every(case.unit)}, so that no test "
            "by its variance is possible."
        )
    return None


def opposite_directions(case: Case) -> str | None:
    pairs = case.pairs
    if pairs is None:
        return None
    # Not every outcome knows them.
    effects = effect_sizes(pairs)
    mean = float(np.mean(pairs.differences))
    ranks = effects["rank-biserial"]
    wins = effects["common-language"] - 0.5
    for value, threshold, what in (
        (ranks, 0.3, "the ranks"),
        (wins, 0.2, f"the number of {every(str(pairs.unit))}s won"),
    ):
        if mean * value < 0 and abs(value) >= threshold - 1e-9:
            mean_winner, other = ("A", "B") if mean > 0 else ("B", "A")
            return (
                f"the mean difference favours {mean_winner}, but {what} "
                f"{'favour' if what == 'the ranks' else 'favours'} {other}: "
                "a few large differences outweigh many small ones."
            )
    return None


def many_ties(case: Case) -> str | None:
    differences = case.differences
    if differences is None or not differences.any() or case.sample.unit == "instance":
        return None
    ties = float(np.mean(differences == 0))
    if ties < 0.5:
        return None
    return f"the scores are equal on {100 * ties:.0f} % of the {every(case.unit)}s."


def empty_interval(case: Case) -> str | None:
    interval = case.outcome.confidence_interval(case.confidence_level)
    if not np.isnan(interval.low) or np.isnan(case.outcome.pvalue):
        return None
    return "no common difference fits the ten differences, so that no interval exists."


def unbeatable_baseline(case: Case) -> str | None:
    metric = case.context.metric
    if case.context.majority_share is None or not lies_between_0_and_1(metric):
        return None
    score = float(np.mean(case.pairs.b)) if case.pairs is not None else 0.0
    if round(score, 9) < 0.9:
        return None
    return (
        f"a baseline that ignores X scores {score:.3f} in {metric}, where 1 is the best there "
        "is, so that little is left to beat it by."
    )


def trivial_baseline(case: Case) -> str | None:
    context = case.context
    share, k = context.majority_share, context.n_classes
    if share is None or k is None:
        return None
    if context.guesses_alike:
        metric = context.shown.name
        return f"a baseline that ignores X scores chance level in {metric} by construction."
    if context.share_of_hits and share <= 1.1 / k:
        return f"the {k} classes are balanced: the majority class is as good as any guess."
    return None


def beaten_baseline(case: Case) -> str | None:
    if case.context.better_guess is None:
        return None
    guess, score = case.context.better_guess
    shown = case.context.shown
    return (
        f"another guess that ignores X is expected to have a {shown.better} {shown.name} on "
        f"these splits ({guess}: {shown.value(score):.4g}): to beat this baseline takes no "
        "more than a better guess."
    )


def best_of_many(case: Case) -> str | None:
    n = case.context.n_candidates
    if n is None or n < 2:
        return None
    return (
        f"the candidate that leads was selected as the best of {n} by these very scores: its "
        "score and its lead are too good, and so is a p-value that is not adjusted for the "
        "selection."
    )


def cannot_repeat(case: Case) -> str | None:
    unseeded = case.context.unseeded
    if not unseeded:
        return None
    return (
        f"{_have(unseeded)} random_state=None: where random numbers are drawn, a second run "
        "gives other scores."
    )


def several_unadjusted(case: Case) -> str | None:
    n = case.context.n_unadjusted
    if n < 2:
        return None
    return (
        f"{n} metrics were tested, and the p-values are not adjusted for it: the chance "
        f"that at least one is below 0.05 by luck is up to {1 - 0.95**n:.2f}."
    )


def _and(names: Collection[str]) -> str:
    *first, last = sorted(names)
    return f"{', '.join(first)} and {last}" if first else last


def _have(names: Collection[str]) -> str:
    return " and ".join(sorted(names)) + (" have" if len(names) > 1 else " has")
