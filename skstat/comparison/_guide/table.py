"""The table of situations: by what is held and the number of systems, the first rule that fits.

A rule names the test, and other tests. The reason, what more it would take and what must not be
overlooked are said by the words of its condition, and by the test.
"""

from collections.abc import Mapping
from typing import NamedTuple

BY_HOLM = "adjustment='holm': every pair by its own distribution"


class Rule(NamedTuple):
    """A situation, and the test for it.

    Attributes
    ----------
    id : str
        Stable name of the situation; its anchor in the documentation.
    when : str
        Words of :attr:`Situation.facts` that must be true.
    name : str
        The test, of :mod:`skstat.stats`, or a front door; empty for the test of two systems, of
        every pair.
    others : str
        Tests to take instead, between semicolons, with ``name: when`` in place of what a test
        declares.
    title : str
        In place of that which the test declares.
    then : str
        Test of every pair, after one of all systems.
    """

    id: str
    when: str
    name: str
    others: str = ""
    title: str = ""
    then: str = ""


# --- by what is held, and how many systems there are (3 for more) ---

_ONE_ON_SPLITS = (
    Rule(
        "constant-rows",
        "constant known projects",
        "one_sample_projection_t",
        "projection_t: the score is that of a dummy on the same data",
    ),
    Rule("baseline-rows", "guessing projects", "projection_t", "one_sample_projection_t"),
    Rule("baseline-splits", "guessing", "corrected_t", "one_sample_t"),
    Rule(
        "constant-splits",
        "known",
        "one_sample_t",
        "corrected_t: the score is that of a dummy on the same data",
        title="the corrected one-sample t test",
    ),
)
_FEW_FITS = Rule(
    "estimators-few-fits",
    "few-fits",
    "compare_predictions",
    "mcnemar; delong; paired_permutation; crossed_t",
    title="the tests of fitted systems on one test set",
)
_TWO_ESTIMATORS = (
    _FEW_FITS,
    Rule(
        "estimators-time-order",
        "ordered",
        "diebold_mariano",
        "paired_bootstrap; corrected_t: cv=TimeSeriesSplit(), a rough guide",
    ),
    Rule(
        "two-estimators-any-metric",
        "rows-unknown",
        "block_jackknife_t",
        "projection_t; corrected_t",
    ),
    Rule(
        "two-estimators-nine-tenths",
        "nine-tenths",
        "projection_t",
        "compare_estimators: without train_size, 30 fits, more power; block_jackknife_t",
    ),
    Rule("two-estimators-budget", "budget", "projection_t", "block_jackknife_t; five_by_two_f"),
    Rule("two-estimators-30-fits", "", "projection_t", "block_jackknife_t; corrected_t"),
)
_SEVERAL_ON_SPLITS = Rule("several-systems-splits", "", "", BY_HOLM)
_TWO_ON_SPLITS = (
    Rule(
        "splits-no-variance",
        "no-variance",
        "sign_flip",
        "mcnemar: right and wrong out-of-fold predictions",
    ),
    Rule("splits-pairs-of-blocks", "pairs-of-blocks", "block_jackknife_t", "corrected_t"),
    Rule("splits-row-order", "row-order", "corrected_t", "diebold_mariano"),
    Rule("splits-with-rows", "projects", "projection_t", "corrected_t; block_jackknife_t"),
    Rule(
        "splits-5x2-one-sided", "5x2 one-sided", "corrected_t", "five_by_two_f; five_by_two_t"
    ),
    Rule("splits-5x2", "5x2", "five_by_two_f", "five_by_two_t"),
    Rule(
        "splits-k-fold-stable",
        "k-fold stable",
        "corrected_t",
        "mcnemar: right and wrong out-of-fold predictions",
    ),
    Rule("splits-k-fold", "k-fold", "corrected_t", "five_by_two_f"),
    Rule("splits-repeated-k-fold", "repeated-k-fold", "corrected_t", "bouckaert_t"),
    Rule("splits-random", "splits", "corrected_t", "five_by_two_f"),
)
_SEVERAL_SPLITS = (
    Rule(
        "several-systems-5x2",
        "5x2 bare joint",
        "corrected_t",
        "compare_scores: test='five_by_two_f', pair by pair",
    ),
    _SEVERAL_ON_SPLITS,
)
_ONE_ON_TEST_SET = (
    Rule("constant-groups", "grouped mean", "clustered_t", "sign_flip"),
    Rule("constant-time-order", "ordered mean", "diebold_mariano"),
    Rule(
        "constant-accuracy",
        "accuracy plain",
        "binomial",
        "proportion_interval: Wilson's interval, narrower, right on average",
    ),
    Rule("constant-mean", "mean plain", "one_sample_t", "sign_flip"),
    Rule("constant-other", "", "paired_permutation", "paired_bootstrap"),
)
_TWO_ON_TEST_SET = (
    Rule("time-order-mean", "ordered mean unweighted", "diebold_mariano", "paired_bootstrap"),
    Rule(
        "time-order-other",
        "ordered",
        "paired_bootstrap",
        "diebold_mariano",
        title="the bootstrap of blocks of rows",
    ),
    Rule(
        "groups-mean",
        "grouped groups-for-t mean unweighted",
        "clustered_t",
        "paired_permutation",
    ),
    Rule(
        "groups-other",
        "grouped",
        "paired_permutation",
        "paired_bootstrap",
        title="the permutation test that swaps whole groups",
    ),
    Rule("hold-out-weighted", "weighted", "paired_permutation", "paired_bootstrap"),
    Rule(
        "hold-out-accuracy",
        "accuracy plain",
        "mcnemar",
        "mcnemar: method='exact', never above the level, few discordant rows; cost",
    ),
    Rule("hold-out-auc", "normal-areas", "delong", "paired_permutation"),
    Rule(
        "hold-out-auc-few",
        "auc",
        "paired_permutation",
        "paired_bootstrap: strata=y_true keeps the class sizes",
    ),
    Rule("hold-out-costs", "costs", "cost", "mcnemar"),
    Rule("hold-out-mean", "mean plain", "paired_permutation", "paired_bootstrap; paired_t"),
    Rule("hold-out-other", "plain", "paired_permutation", "paired_bootstrap"),
)
_SEVERAL_ON_TEST_SET = (
    Rule("several-systems-accuracy", "accuracy plain", "cochran_q", BY_HOLM, then="mcnemar"),
    Rule("several-systems-auc", "normal-areas", "delong_wald", BY_HOLM, then="delong"),
    Rule(
        "several-systems-few-groups-of-rows",
        "few-groups mean joint unordered unweighted",
        "clustered_t",
    ),
    Rule("several-systems-mean", "mean joint unordered unweighted", "sign_flip", BY_HOLM),
    Rule("several-systems-any-metric", "joint", "paired_bootstrap", BY_HOLM),
    Rule("several-systems-hold-out", "", ""),
)
_TWO_WITH_SEEDS = (
    Rule("seeds-means", "seeds-means mean plain", "seed_means_t", "crossed_t"),
    Rule("seeds-means-other", "seeds-means", "paired_t", "seeded_bootstrap"),
    Rule("seeds-average", "seeds-average mean plain", "seed_average_t", "crossed_t"),
    Rule(
        "seeds-average-other",
        "seeds-average",
        "seeded_bootstrap",
        "crossed_t",
        title="the bootstrap of rows, of averages over seeds",
    ),
    Rule(
        "seeds-crossed",
        "seeds-crossed ungrouped rows-known",
        "crossed_t",
        "seed_means_t; seeded_bootstrap",
    ),
    Rule("seeds-crossed-groups", "", "seeded_bootstrap", "crossed_t"),
)
_TWO_BY_UNIT = (
    Rule(
        "item-scores-in-groups",
        "instance grouped groups-for-t unordered",
        "clustered_t",
        "sign_flip",
    ),
    Rule(
        "item-scores-in-few-groups",
        "instance grouped unordered",
        "sign_flip",
        title="the permutation test that flips the signs of whole groups",
    ),
    Rule("instances-time-order", "ordered", "diebold_mariano", "paired_bootstrap"),
    Rule(
        "seed-scores",
        "seed unpaired",
        "seed_means_t",
        "paired_t: paired_seeds=True, seed i controls the same in both; crossed_t",
    ),
    Rule("seed-scores-paired", "seed", "paired_t", "wilcoxon; crossed_t"),
    Rule("group-scores", "group", "sign_flip", "clustered_t"),
    Rule("instance-scores", "", "sign_flip", "paired_t; mcnemar"),
)
_SEVERAL_BY_UNIT = (
    Rule(
        "several-systems-few-groups-of-items",
        "instance grouped few-groups joint unordered",
        "clustered_t",
    ),
    Rule(
        "several-systems-items-in-groups",
        "instance grouped unordered joint",
        "sign_flip",
        BY_HOLM,
    ),
    Rule(
        "several-systems-few-groups",
        "group few-groups joint unordered",
        "paired_t",
        "compare_scores: test='sign_flip', adjustment='holm', exact, no power",
    ),
    Rule(
        "several-systems-seed-scores",
        "seed unpaired",
        "",
        "compare_scores: control=name, one system and each of the others",
    ),
    Rule("several-systems-units", "", "", f"{BY_HOLM}; repeated_measures_anova"),
)
TABLE: Mapping[tuple[str, int], tuple[Rule, ...]] = {
    ("estimators", 1): _ONE_ON_SPLITS,
    ("estimators", 2): _TWO_ESTIMATORS,
    ("estimators", 3): (_FEW_FITS, _SEVERAL_ON_SPLITS),
    ("splits", 1): _ONE_ON_SPLITS,
    ("splits", 2): _TWO_ON_SPLITS,
    ("splits", 3): _SEVERAL_SPLITS,
    ("test set", 1): _ONE_ON_TEST_SET,
    ("test set", 2): _TWO_ON_TEST_SET,
    ("test set", 3): _SEVERAL_ON_TEST_SET,
    ("seeds", 2): _TWO_WITH_SEEDS,
    ("seeds", 3): (Rule("several-systems-seeds", "", ""),),
    ("units", 1): (
        Rule(
            "constant-right-or-wrong",
            "instance accuracy rate",
            "binomial",
            "proportion_interval: Wilson's interval, narrower, right on average",
        ),
        Rule("constant-units", "", "one_sample_t", "binomial"),
    ),
    ("units", 2): _TWO_BY_UNIT,
    ("units", 3): _SEVERAL_BY_UNIT,
    ("data sets", 1): (Rule("constant-datasets", "", "wilcoxon", "sign_flip; one_sample_t"),),
    ("data sets", 2): (
        Rule(
            "two-systems-few-datasets",
            "few-datasets",
            "wilcoxon",
            "compare_estimators: a test on each data set, adjusted; replicability: on how many",
        ),
        Rule(
            "two-systems-datasets", "", "wilcoxon", "sign; paired_t; replicability: on how many"
        ),
    ),
    ("data sets", 3): (
        Rule("several-systems-gaps", "gaps", "skillings_mack", "friedman", then="wilcoxon"),
        Rule(
            "control-datasets",
            "control",
            "friedman",
            "bonferroni_dunn; pairwise_sign",
            then="wilcoxon",
        ),
        Rule(
            "several-systems-datasets",
            "",
            "friedman",
            "nemenyi; pairwise_sign; quade",
            then="wilcoxon",
        ),
    ),
}
# What can be asked of any comparison, beside whether there is a difference.
BESIDE = {
    "margin": Rule(
        "same",
        "margin",
        "",
        "equivalence",
        title="two one-sided tests of the margin, by the test of the situation",
    ),
    "rope": Rule(
        "probable",
        "rope",
        "",
        "posterior; agreement_posterior; bootstrap_posterior; bradley_terry",
        title="probabilities, beside the test of the situation",
    ),
}

# --- the calls that ask ---

CALLS: Mapping[tuple[str, int] | str, str] = {
    ("estimators", 1): "compare_to_baseline(estimator, X, y, strategy=score) or "
    "compare_scores(run, constant=score)",
    ("estimators", 2): "compare_estimators(estimators, X, y)",
    ("splits", 1): "compare_to_baseline(estimator, X, y, strategy=score) or "
    "compare_scores(run, constant=score)",
    ("splits", 2): "compare_scores(run) or compare_estimators(estimators, X, y, cv=cv)",
    ("test set", 2): "compare_predictions(y_true, predictions, metric=metric)",
    ("seeds", 2): "compare_predictions(y_true, predictions, metric=metric)",
    ("units", 1): "compare_scores(scores, unit=unit, constant=score)",
    ("units", 2): "compare_scores(scores, unit=unit)",
    ("data sets", 1): "compare_scores(scores, unit='dataset', constant=score)",
    ("data sets", 2): "compare_over_datasets(estimators, datasets) or "
    "compare_scores(scores, unit='dataset')",
    "baseline-rows": "compare_to_baseline(estimator, X, y)",
    "baseline-splits": "compare_to_baseline(estimator, X, y)",
    "estimators-few-fits": "compare_predictions(y_test, predictions, metric=metric)",
    "estimators-time-order": "compare_predictions(y_test, predictions, metric=metric, "
    "order=time)",
    "constant-groups": "clustered_t(ClusteredScores(scores, [constant] * n, groups=groups))",
    "constant-time-order": "diebold_mariano(PairedScores(scores, [constant] * n, "
    "unit='instance', ordered=True))",
    "constant-accuracy": "binomial_test(y_true, y_pred, constant=rate)",
    "constant-mean": "compare_scores(scores, unit='instance', constant=score)",
    "constant-other": "compare_predictions(y_true, {'system': y_pred, 'guess': guesses}, "
    "metric=metric)",
    "hold-out-costs": "compare_predictions(y_true, predictions, "
    "metric=cost_sensitive_scorer(costs))",
    "instances-time-order": "compare_scores(PairedScores(a, b, unit='instance', ordered=True))",
}
