"""What is said of a situation: why a test, what more it would take, and what to beware of.

By the words of the conditions of the table, or by a rule.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from skstat.comparison._guide.situation import (
    CLASS_FOR_DELONG,
    FEWEST_DATASETS,
    FEWEST_FITS,
    FEWEST_FLIPPED,
    FEWEST_GROUPS,
    GROUPS_FOR_T,
    Situation,
)
from skstat.comparison._guide.splits import fits_left, halvings, more_fits

Words = str | Callable[[Situation], str]


class Said(NamedTuple):
    """What is said where a condition is true.

    `reason` is what follows "because", `need` what follows "would need", `caution` a sentence.
    Empty ones are left out.
    """

    reason: Words = ""
    need: Words = ""
    caution: Words = ""


def filled_in(words: Words, situation: Situation) -> str:
    """Fill in the numbers of a situation."""
    return words if isinstance(words, str) else words(situation)


def in_groups(s: Situation) -> str:
    """Say how many groups rows come in."""
    if s.n_groups is None:
        return "rows come in groups"
    said = f"rows come in {s.n_groups} groups"
    if s.n_groups >= GROUPS_FOR_T and not s.enough_for_t:
        said += f" of unequal size, which weigh as {s.n_effective_groups:.1f} of one size"
    return said + ", too few for a t test" * ("too-few-for-t" in s.facts)


def _why_not_delong(s: Situation) -> str:
    if not s.varies:
        return "the areas show no variance, and DeLong's test has no p-value then"
    if s.smallest_class is None:
        return "a class has fewer than 15 rows, or the areas have no normal law"
    if s.smallest_class:
        return f"the rarer class has {s.smallest_class} rows, too few for DeLong's test"
    return "DeLong's test needs two classes with one score each"


def _30_fits(s: Situation) -> str:
    if s.holds == "scores":
        return "scores on 30 random splits with one third for testing"
    return "30 fits per estimator for the default design"


def _not_known_stable(s: Situation) -> str:
    if s.stable or (s.splits != "repeated k-fold" and (s.ratio is None or s.ratio >= 0.25)):
        return ""
    return (
        "Not every learner is known to be stable: with one tenth for testing, the test "
        "rejected 21 % of true null hypotheses in simulations with a decision stump, and 11 % "
        "with the nearest neighbour, at a nominal 0.05. check_test counts it for yours, on "
        "your own data."
    )


_WEAK = (
    "A single K-fold has a power of 0.16 where 10x10 folds have 0.44: the correction allows "
    "for an overlap of test rows that does not exist."
)
_SELECTS = (
    "Not every learner is known to be stable: with a single 10-fold, the test rejected 4 to "
    "10 % of true null hypotheses in simulations with unstable learners, at a nominal 0.05."
)
_CAREFUL = (
    "It is conservative on 5x2 halves: it rejected 1 to 3 % of true null hypotheses in "
    "simulations, at a nominal 0.05."
)


SAID: Mapping[str, Said] = {
    "few-fits": Said(
        lambda s: (
            f"with {s.budget or 'fewer than 10'} fit{'s' * (s.budget != 1)} per estimator no "
            "test about learners is valid"
        ),
        f"{FEWEST_FITS} fits per estimator for the projection t test, which is about learners",
        "The answer is about these fitted systems: two learners that are equally good give "
        "fitted systems that are not.",
    ),
    "estimators-time-order": Said("no correction is known for splits of such rows"),
    "rows-unknown": Said(
        "the contribution of a row to the metric is not known",
        caution="It is conservative: in simulations it found a quarter of the differences that "
        "the projection t test finds in the median case, and about half of them in one case of "
        "four.",
    ),
    "nine-tenths": Said(
        "scores come from folds that train on nine tenths of the rows, whose variance only "
        "halves can tell"
    ),
    "budget": Said(
        lambda s: f"{s.budget or FEWEST_FITS} fits are enough for {halvings(s)['kind']}",
        more_fits,
        fits_left,
    ),
    "two-estimators-30-fits": Said(
        "on 15 x 2 halves it kept its level for most of the learners and metrics tried",
        more_fits,
    ),
    "known": Said(
        "the score was known in advance",
        caution="A score found on the same data is not a constant: compare in pairs.",
    ),
    "constant-splits": Said("splits of one data set share rows"),
    "guessing": Said("guessing is scored on the same splits"),
    "projects": Said("each row is tested once in every repetition"),
    "no-variance": Said(
        "the difference is the same on every split, so that the rows of one repeat are tested"
    ),
    "pairs-of-blocks": Said("every pair of blocks was left out", _30_fits),
    "row-order": Said(
        "training sets lie before test sets, for which there is no better test",
        caution="No correction is known for splits in row order.",
    ),
    "5x2": Said("the splits are 5x2 halves", _30_fits),
    "one-sided": Said("their F test is two-sided only", caution=_CAREFUL),
    "bare": Said("their F test has no joint distribution", caution=_CAREFUL),
    "k-fold": Said(
        "the splits are those of a single K-fold",
        lambda s: "" if s.stable else _30_fits(s),
        lambda s: _WEAK if s.stable else f"{_WEAK} {_SELECTS}",
    ),
    "stable": Said(
        "all learners are known to be stable",
        "repeats of the K-fold for more power, or estimate_performance(method="
        "'cross_validation') for the mean of the K fitted models",
    ),
    "repeated-k-fold": Said(
        "the splits are those of a repeated K-fold",
        lambda s: (
            "random splits with one third for testing, for learners that are not known to be "
            "stable"
            if not s.stable
            else ""
        ),
        _not_known_stable,
    ),
    "splits": Said(
        "the units are splits of one data set",
        lambda s: "" if s.ratio is not None else "n_train and n_test for its correction",
        _not_known_stable,
    ),
    "grouped": Said(in_groups),
    "groups-for-t": Said(f"{GROUPS_FOR_T} or more by their weight"),
    "few-groups": Said(
        f"fewer than {FEWEST_FLIPPED} groups have too few patterns of signs",
        f"{FEWEST_FLIPPED} groups for a permutation test",
    ),
    "ordered": Said("the rows stand in time order"),
    "weighted": Said("the rows have weights or strata"),
    "plain": Said("the rows are independent"),
    "accuracy": Said("the score is the accuracy"),
    "normal-areas": Said("the score is the area under the ROC curve"),
    "auc": Said(
        _why_not_delong, f"{CLASS_FOR_DELONG} rows of each of two classes for DeLong's test"
    ),
    "costs": Said("errors cost unequally"),
    "mean": Said("the score is a mean over rows"),
    "constant-other": Said(
        "a constant score has no test of its own for this metric, so that it is compared with "
        "guesses"
    ),
    "seeds-means": Said("seeds='means' takes the seeds alone as random"),
    "seeds-average": Said("seeds='average' takes the rows alone as random"),
    "seeds-crossed": Said("seeds and rows are both taken as random"),
    "seeds-crossed-groups": Said(
        lambda s: (
            "seeds and rows are both taken as random"
            + ("" if s.grouped else ", and the metric has no shares of rows")
        )
    ),
    "rate": Said("every row is right or wrong"),
    "constant-units": Said("the score was known in advance, and the units are independent"),
    "seed": Said(
        "the units are independent seeds",
        "predictions of every seed for a claim about new rows",
    ),
    "unpaired": Said("nothing pairs them"),
    "seed-scores-paired": Said("they are paired"),
    "group": Said("the units are independent groups"),
    "instance-scores": Said("the units are independent rows"),
    "joint": Said("all pairs are judged together"),
    "few-datasets": Said(
        lambda s: (
            f"{s.number_of_datasets or f'fewer than {FEWEST_DATASETS}'} data sets allow no "
            "claim about data sets in general"
        ),
        f"{FEWEST_DATASETS} data sets for any claim about data sets like these",
        lambda s: (
            f"{s.number_of_datasets} data sets allow no claim about data sets in general: test "
            "each by itself, and count with stats.replicability on how many of them a system "
            "is better."
        ),
    ),
    "constant-datasets": Said("the units are data sets"),
    "two-systems-datasets": Said("the units are data sets"),
    "gaps": Said("scores are missing, and every pair is compared where both have one"),
    "control-datasets": Said("two systems should be compared by their own scores"),
    "several-systems-datasets": Said("two systems should be compared by their own scores"),
    "margin": Said(
        lambda s: (
            "with the margin, two one-sided tests (the "
            f"{round(100 * (2 * s.confidence_level - 1), 6):g}% interval must lie within "
            f"±{s.margin:g})"
        ),
        caution="The margin must be fixed before the scores are seen.",
    ),
    "rope": Said(
        lambda s: (
            "with rope, it is read as probabilities too"
            + (f" (differences within ±{s.rope:g} are practically none)" if s.rope else "")
        ),
        caution="The region must be fixed before the scores are seen. Probabilities are not "
        "adjusted for several comparisons. Of splits and data sets a test has them if it "
        "compares means by Student's t, or is Wilcoxon's or the sign test; of independent rows "
        "or groups every test has.",
    ),
    # Whatever the rule.
    "too-few-for-t": Said("", f"{GROUPS_FOR_T} groups for the cluster-robust t test"),
    "hardly-any-groups": Said(
        "",
        caution=lambda s: (
            f"{s.n_groups} groups are too few for any test; at least {FEWEST_GROUPS} are "
            "needed."
        ),
    ),
    "few-seeds": Said(
        "",
        caution=lambda s: (
            f"{s.n_seeds} seeds say little about how much the result depends on the seed."
        ),
    ),
}
