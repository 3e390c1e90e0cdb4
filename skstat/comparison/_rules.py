"""Rules for the choice of a test, by kind of data and number of systems; the first that fits.

A rule names the test and alternatives. Reasons, needs and cautions come from the texts of its
conditions, from the text of the rule itself, and from the declaration of the test.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from skstat.comparison import _situation as situation
from skstat.comparison._situation import Situation
from skstat.evaluation import _splitters as splitters

# A heading is "= kind of data and number of systems (3: three or more), ... | call". The rules
# below it have the fields
# id | conditions | omnibus test if there is one, and test | alternatives | title | call
# Title and call replace those of the test and of the heading. Without a test, the test of two
# systems is used for every pair. An alternative may be followed by ": " and when to use it, in
# place of its own declaration. Indented lines continue the one above; "-" is an empty field.
_RULES = """
= estimators 1, splits 1
    | compare_to_baseline(estimator, X, y, strategy=score)
    or compare_scores(run, constant=score)
constant-rows | constant not-guessing projects | projection_t
    | compare_to_baseline: the score is that of a dummy on the same data
    | the one-sample projection t test
baseline-rows | guessing projects | projection_t
    | compare_to_baseline: strategy=score, a score known in advance | -
    | compare_to_baseline(estimator, X, y)
baseline-splits | guessing | corrected_t
    | compare_to_baseline: strategy=score, a score known in advance | -
    | compare_to_baseline(estimator, X, y)
constant-splits | not-guessing | corrected_t
    | compare_to_baseline: the score is that of a dummy on the same data
    | the corrected one-sample t test
= estimators 2, estimators 3 | compare_estimators(estimators, X, y)
estimators-few-fits | few-fits | compare_predictions
    | mcnemar; delong; paired_permutation; crossed_t
    | the tests of fitted systems on one test set
    | compare_predictions(y_test, predictions, metric=metric)
= estimators 2
estimators-time-order | ordered | diebold_mariano
    | paired_bootstrap; corrected_t: cv=TimeSeriesSplit(), a rough guide | -
    | compare_predictions(y_test, predictions, metric=metric, order=time)
two-estimators-any-metric | not-by_rows | block_jackknife_t | projection_t; corrected_t
two-estimators-nine-tenths | nine_tenths | projection_t
    | compare_estimators: without train_size, 30 fits, more power; block_jackknife_t
two-estimators-budget | budget | projection_t | block_jackknife_t; five_by_two_f
two-estimators-30-fits | - | projection_t | block_jackknife_t; corrected_t
= splits 2 | compare_scores(run) or compare_estimators(estimators, X, y, cv=cv)
splits-no-variance | not-varies | sign_flip
    | mcnemar: right and wrong out-of-fold predictions
splits-pairs-of-blocks | pairs-of-blocks | block_jackknife_t | corrected_t
splits-row-order | row-order | corrected_t | diebold_mariano
splits-with-rows | projects | projection_t | corrected_t; block_jackknife_t
splits-5x2-one-sided | 5x2 one_sided | corrected_t | five_by_two_f; five_by_two_t
splits-5x2 | 5x2 | five_by_two_f | five_by_two_t
splits-k-fold-stable | k-fold stable | corrected_t
    | mcnemar: right and wrong out-of-fold predictions
splits-k-fold | k-fold | corrected_t | five_by_two_f
splits-repeated-k-fold | repeated-k-fold | corrected_t | bouckaert_t
splits-random | - | corrected_t | five_by_two_f
= splits 3
several-systems-5x2 | 5x2 not-projects joint | corrected_t
    | compare_scores: test='five_by_two_f', pair by pair
= splits 3, estimators 3
several-systems-splits | - | - | holm
= test set 1
constant-groups | grouped mean | clustered_t | sign_flip | -
    | clustered_t(PairedScores(scores, [constant] * n, groups=groups))
constant-time-order | ordered mean | diebold_mariano | - | -
    | diebold_mariano(PairedScores(scores, [constant] * n, unit='instance', ordered=True))
constant-accuracy | accuracy plain | binomial
    | proportion_interval: Wilson's interval, narrower, right on average | -
    | binomial_test(y_true, y_pred, constant=rate)
constant-mean | mean plain | paired_t | sign_flip | the one-sample t test
    | compare_scores(scores, unit='instance', constant=score)
constant-other | - | paired_permutation | paired_bootstrap | -
    | compare_predictions(y_true, {'system': y_pred, 'guess': guesses}, metric=metric)
= test set 2 | compare_predictions(y_true, predictions, metric=metric)
time-order-mean | ordered mean not-weighted | diebold_mariano | paired_bootstrap
time-order-other | ordered | paired_bootstrap | diebold_mariano
    | the bootstrap of blocks of rows
groups-mean | grouped groups-for-t mean not-weighted | clustered_t | paired_permutation
groups-other | grouped | paired_permutation | paired_bootstrap
    | the permutation test that swaps whole groups
hold-out-weighted | weighted | paired_permutation | paired_bootstrap
hold-out-accuracy | accuracy plain | mcnemar
    | mcnemar: method='exact', never above the level, few discordant rows; cost
hold-out-auc | normal-areas | delong | paired_permutation
hold-out-auc-few | auc | paired_permutation
    | paired_bootstrap: strata=y_true keeps the class sizes
hold-out-costs | cost | cost | mcnemar | -
    | compare_predictions(y_true, predictions, metric=cost_sensitive_scorer(costs))
hold-out-mean | mean plain | paired_permutation | paired_bootstrap; paired_t
hold-out-other | plain | paired_permutation | paired_bootstrap
= test set 3
several-systems-accuracy | accuracy plain | cochran_q mcnemar | holm
several-systems-auc | normal-areas | delong_wald delong | holm
several-systems-few-groups-of-rows | few-groups mean joint not-ordered not-weighted
    | clustered_t
several-systems-mean | mean joint not-ordered not-weighted | sign_flip | holm
several-systems-any-metric | joint | paired_bootstrap | holm
several-systems-hold-out
= seeds 2 | compare_predictions(y_true, predictions, metric=metric)
seeds-means | seeds-means mean plain | seed_means_t | crossed_t
seeds-means-other | seeds-means | paired_t | seeded_bootstrap
seeds-average | seeds-average mean plain | seed_average_t | crossed_t
seeds-average-other | seeds-average | seeded_bootstrap | crossed_t
    | the bootstrap of rows, of averages over seeds
seeds-crossed | seeds-crossed not-grouped by_rows | crossed_t
    | seed_means_t; seeded_bootstrap
seeds-crossed-groups | - | seeded_bootstrap | crossed_t
= seeds 3
several-systems-seeds
= units 1 | compare_scores(scores, unit=unit, constant=score)
constant-right-or-wrong | instance accuracy rate | binomial
    | proportion_interval: Wilson's interval, narrower, right on average
constant-units | - | paired_t | binomial | the one-sample t test
= units 2 | compare_scores(scores, unit=unit)
item-scores-in-groups | instance grouped groups-for-t not-ordered | clustered_t | sign_flip
item-scores-in-few-groups | instance grouped not-ordered | sign_flip | -
    | the permutation test that flips the signs of whole groups
instances-time-order | ordered | diebold_mariano | paired_bootstrap | -
    | compare_scores(PairedScores(a, b, unit='instance', ordered=True))
seed-scores | seed not-paired_seeds | seed_means_t
    | paired_t: paired_seeds=True, seed i controls the same in both; crossed_t
seed-scores-paired | seed | paired_t | wilcoxon; crossed_t
group-scores | group | sign_flip | clustered_t
instance-scores | - | sign_flip | paired_t; mcnemar
= units 3
several-systems-few-groups-of-items | instance grouped few-groups joint not-ordered
    | clustered_t
several-systems-items-in-groups | instance grouped not-ordered joint | sign_flip | holm
several-systems-few-groups | group few-groups joint not-ordered | paired_t
    | compare_scores: test='sign_flip', adjustment='holm', exact, no power
several-systems-seed-scores | seed not-paired_seeds | -
    | compare_scores: control=name, one system and each of the others
several-systems-units | - | - | holm; repeated_measures_anova
= data sets 1 | compare_scores(scores, unit='dataset', constant=score)
constant-datasets | - | wilcoxon | sign_flip; paired_t: on one scale
= data sets 2
    | compare_over_datasets(estimators, datasets) or compare_scores(scores, unit='dataset')
two-systems-few-datasets | few-datasets | wilcoxon
    | compare_estimators: a test on each data set, adjusted; replicability: on how many
two-systems-datasets | - | wilcoxon | sign; paired_t; replicability: on how many
= data sets 3
several-systems-gaps | gaps | skillings_mack wilcoxon | friedman
control-datasets | control | friedman wilcoxon | bonferroni_dunn: the diagram; sign
several-systems-datasets | - | friedman wilcoxon | nemenyi; sign; quade: 2 to 4 systems
= beside 2
same | margin | - | equivalence
    | two one-sided tests of the margin, by the test of the situation
probable | rope | - | posterior; agreement_posterior; bootstrap_posterior; bradley_terry
    | probabilities, beside the test of the situation
"""

# Texts by condition or rule: reason (after "because") | need (after "would need") | caution.
# Names in braces are filled in by `filled_in`.
_TEXTS = """
few-fits | with {few_fits} per estimator no test about learners is valid | {FEWEST_FITS} fits
    per estimator for the projection t test, which is about learners | The answer is about
    these fitted systems: two learners that are equally good give fitted systems that are not.
estimators-time-order | no correction is known for splits of such rows
not-by_rows | the contribution of a row to the metric is not known | - | It is conservative:
    in simulations it found a quarter of the differences that the projection t test finds in
    the median case, and about half of them in one case of four.
nine_tenths | scores come from folds that train on nine tenths of the rows, whose variance
    only halves can tell
budget | {budget} fits are enough for {halvings} | {more_fits} | {fits_left}
two-estimators-30-fits | on 15 x 2 halves it kept its level for most of the learners and
    metrics tried | {more_fits}
not-guessing | the score was known in advance | - | A score found on the same data is not a
    constant: compare in pairs.
guessing | guessing is scored on the same splits
projects | each row is tested once in every repetition
not-varies | the difference is the same on every split, so that the rows of one repeat are
    tested
pairs-of-blocks | every pair of blocks was left out | {thirty_fits}
row-order | training sets lie before test sets, for which there is no better test | - | No
    correction is known for splits in row order.
5x2 | the splits are 5x2 halves | {thirty_fits}
one_sided | their F test is two-sided only | - | {careful}
not-projects | their F test has no joint distribution | - | {careful}
k-fold | the splits are those of a single K-fold | {fits_for_unstable} | A single K-fold has a
    power of 0.16 where 10x10 folds have 0.44: the correction allows for an overlap of test
    rows that does not exist.{selects}
stable | all learners are known to be stable | repeats of the K-fold for more power, or
    estimate_performance(method='cross_validation') for the mean of the K fitted models
repeated-k-fold | the splits are those of a repeated K-fold | {splits_for_unstable} |
    {not_known_stable}
splits-random | the units are splits of one data set | {sizes} | {not_known_stable}
grouped | {in_groups}
groups-for-t | {GROUPS_FOR_T} or more by their weight
few-groups | fewer than {FEWEST_FLIPPED} groups have too few patterns of signs |
    {FEWEST_FLIPPED} groups for a permutation test
ordered | the rows stand in time order
weighted | the rows have weights or strata
plain | the rows are independent
accuracy | the score is the accuracy
normal-areas | the score is the area under the ROC curve
auc | {why_not_delong} | {CLASS_FOR_DELONG} rows of each of two classes for DeLong's test
cost | errors cost unequally
mean | the score is a mean over rows
constant-other | a constant score has no test of its own for this metric, so that it is
    compared with guesses
seeds-means | seeds='means' takes the seeds alone as random
seeds-average | seeds='average' takes the rows alone as random
seeds-crossed | seeds and rows are both taken as random
seeds-crossed-groups | seeds and rows are both taken as random{no_shares}
rate | every row is right or wrong
constant-units | the score was known in advance, and the units are independent
seed | the units are independent seeds | predictions of every seed for a claim about new rows
not-paired_seeds | nothing pairs them
seed-scores-paired | they are paired
group | the units are independent groups
instance-scores | the units are independent rows
joint | all pairs are judged together
two-systems-few-datasets | {few_datasets} data sets allow no claim about data sets in general
few-datasets | - | {FEWEST_DATASETS} data sets for any claim about data sets like these |
    {few_datasets} data sets allow no claim about data sets in general: test each by itself, and
    count with stats.replicability on how many of them a system is better.
constant-datasets | the units are data sets
two-systems-datasets | the units are data sets
gaps | scores are missing, and every pair is compared where both have one
control-datasets | two systems should be compared by their own scores
several-systems-datasets | two systems should be compared by their own scores
margin | with the margin, two one-sided tests (the {interval}% interval must lie within
    ±{margin}) | - | The margin must be fixed before the scores are seen.
rope | with rope, it is read as probabilities too{region} | - | The region must be fixed
    before the scores are seen. Probabilities are not adjusted for several comparisons. Of
    splits and data sets a test has them if it compares means by Student's t, or is Wilcoxon's
    or the sign test; of independent rows or groups every test has.
too-few-for-t | - | {GROUPS_FOR_T} groups for the cluster-robust t test
hardly-any-groups | - | - | {n_groups} groups are too few for any test; at least
    {FEWEST_GROUPS} are needed.
few-seeds | - | - | {n_seeds} seeds say little about how much the result depends on the seed.
"""


class Rule(NamedTuple):
    """Conditions on a situation, and the test for it.

    Attributes
    ----------
    id : str
        Stable name of the situation; its anchor in the documentation.
    when : tuple of str
        Words of :attr:`Situation.words` that must be true.
    tests : tuple of str
        The test: a function of :mod:`skstat.stats`, or one that compares. An omnibus test comes
        first, and then the test of every pair. Empty: every pair by the test of two systems.
    others : str
        Alternative tests, separated by semicolons; ``name: when`` replaces what a test declares
        on when to use it.
    title : str
        Replaces the title that the test declares.
    call : str
        Replaces the call of the heading.
    """

    id: str
    when: tuple[str, ...]
    tests: tuple[str, ...]
    others: str = ""
    title: str = ""
    call: str = ""


Key = tuple[str, int]  # kind of data, and number of systems


def _lines(text: str) -> list[list[str]]:
    """Return the fields of every line; indented lines continue the one above."""
    lines = text.strip().replace("\n    ", " ").splitlines()
    return [[field.strip(" -") for field in line.split("|")] for line in lines]


def _read(text: str) -> tuple[dict[Key, list[Rule]], dict[Key, str]]:
    """Return the rules, and the calls, by kind of data and number of systems."""
    rules: dict[Key, list[Rule]] = {}
    calls: dict[Key, str] = {}
    for first, *others in _lines(text):
        if first.startswith("= "):
            headings = (heading.rsplit(" ", 1) for heading in first[2:].split(", "))
            keys = [(data, int(n)) for data, n in headings]
            calls |= {key: call for key in keys for call in others}
            continue
        when, tests, *rest = [*others, "", ""][: max(2, len(others))]
        rule = Rule(first, tuple(when.split()), tuple(tests.split()), *rest)
        for key in keys:
            rules.setdefault(key, []).append(rule)
    return rules, calls


TABLE, CALLS = _read(_RULES)
TEXTS = {word: [*fields, "", ""][:3] for word, *fields in _lines(_TEXTS)}
# Rules that can be added to any other: equivalence by a margin, and probabilities by a rope.
ADDITIONAL = {rule.when[0]: rule for rule in TABLE["beside", 2]}


def filled_in(text: str, s: Situation) -> str:
    """Return a text with numbers of the situation, and thresholds of the rules, filled in."""
    for name in re.findall(r"{(\w+)}", text):
        value = _VALUES.get(name, vars(situation).get(name, getattr(s, name, None)))
        text = text.replace(f"{{{name}}}", str(value(s) if callable(value) else value))
    return text


def _in_groups(s: Situation) -> str:
    """Return words for the number of groups."""
    if s.n_groups is None:
        return "rows come in groups"
    text = f"rows come in {s.n_groups} groups"
    if s.n_groups >= situation.GROUPS_FOR_T and "groups-for-t" not in s.words:
        text += f" of unequal size, which weigh as {s.n_effective_groups:.1f} of one size"
    return text + ", too few for a t test" * ("too-few-for-t" in s.words)


def _why_not_delong(s: Situation) -> str:
    if not s.varies:
        return "the areas show no variance, and DeLong's test has no p-value then"
    if s.smallest_class is None:
        return "a class has fewer than 15 rows, or the areas have no normal law"
    if s.smallest_class:
        return f"the rarer class has {s.smallest_class} rows, too few for DeLong's test"
    return "DeLong's test needs two classes with one score each"


def _thirty_fits(s: Situation) -> str:
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


def design_for(s: Situation, test: str) -> dict[str, Any] | None:
    """Return a description of the splits for a test of estimators; None if it needs none."""
    if s.data != "estimators" or test in ("compare_predictions", "diebold_mariano"):
        return None
    if test == "block_jackknife_t":
        n = splitters.MOST_BLOCKS
        while s.budget is not None and n * (n - 1) // 2 > s.budget:
            n -= 1
        kind = f"{n} blocks, each pair left out"
        return {"kind": kind, "n_splits": n * (n - 1) // 2, "n_blocks": n}
    if test == "corrected_t":
        return {"kind": "30 random splits with one third for testing", "n_splits": 30}
    return _halvings(s, beside_folds=s.nine_tenths)


def _halvings(s: Situation, *, beside_folds: bool = False) -> dict[str, Any]:
    """Return a description of halves of the rows with balanced overlaps.

    With `beside_folds` they estimate the variance of scores on folds.
    """
    n = splitters.affordable_halvings(s.budget, beside_folds=beside_folds)
    kind, size = f"{n} x 2 halves", {"n_splits": 2 * n, "n_halvings": n}
    if beside_folds:
        kind = f"2 x {splitters.DEFAULT_FOLDS} folds, and {kind} for their variance"
        size["n_splits"] += splitters.FITS_OF_FOLDS
        size["n_folds"] = splitters.DEFAULT_FOLDS
    return {"kind": kind, **size}


def _more_fits(s: Situation) -> str:
    """Return words for the fits of the default design, or of training on nine tenths."""
    if s.budget is not None and s.budget < 30:
        return "30 fits per estimator for the default design"
    n = max(_halvings(s, beside_folds=True)["n_splits"], situation.FEWEST_AT_NINE_TENTHS)
    on_folds = splitters.FITS_OF_FOLDS * (1 - 1 / splitters.DEFAULT_FOLDS)
    ratio = (on_folds + (n - splitters.FITS_OF_FOLDS) / 2) / (_halvings(s)["n_splits"] / 2)
    return (
        f"{n} fits per estimator for learners trained on nine tenths of the rows "
        f"(train_size=0.9): {ratio:.1f} times as many training rows in all"
    )


def _fits_left(s: Situation) -> str:
    """Return words for fits of the budget that are not used; empty if there are hardly any."""
    n = splitters.affordable_halvings(s.budget)
    if s.budget is None or s.budget < 2 * n + 2:
        return ""
    return (
        f"{2 * n} of the {s.budget} fits are made: balanced overlaps are known for {n} "
        "halvings, and more would hardly narrow the interval."
    )


_SELECTS = (
    " Not every learner is known to be stable: with a single 10-fold, the test rejected 4 to "
    "10 % of true null hypotheses in simulations with unstable learners, at a nominal 0.05."
)
_THIRDS = (
    "random splits with one third for testing, for learners that are not known to be stable"
)
_VALUES: Mapping[str, Any] = {
    "few_fits": lambda s: f"{s.budget or 'fewer than 10'} fit{'s' * (s.budget != 1)}",
    "halvings": lambda s: _halvings(s)["kind"],
    "more_fits": _more_fits,
    "fits_left": _fits_left,
    "thirty_fits": _thirty_fits,
    "fits_for_unstable": lambda s: "" if s.stable else _thirty_fits(s),
    "selects": lambda s: "" if s.stable else _SELECTS,
    "careful": (
        "It is conservative on 5x2 halves: it rejected 1 to 3 % of true null hypotheses in "
        "simulations, at a nominal 0.05."
    ),
    "splits_for_unstable": lambda s: "" if s.stable else _THIRDS,
    "not_known_stable": _not_known_stable,
    "sizes": lambda s: "" if s.ratio is not None else "n_train and n_test for its correction",
    "in_groups": _in_groups,
    "why_not_delong": _why_not_delong,
    "no_shares": lambda s: "" if s.grouped else ", and the metric has no shares of rows",
    "few_datasets": lambda s: s.n or f"fewer than {situation.FEWEST_DATASETS}",
    "interval": lambda s: f"{round(100 * (2 * s.confidence_level - 1), 6):g}",
    "margin": lambda s: f"{s.margin:g}",
    "region": lambda s: (
        f" (differences within ±{s.rope:g} are practically none)" if s.rope else ""
    ),
}
