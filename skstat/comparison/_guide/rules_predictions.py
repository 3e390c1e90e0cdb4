"""The guide for predictions on one test set."""

from dataclasses import replace
from typing import Any

from skstat.comparison._guide.rule import Rule, for_pairs, for_pairs_alone, jointly, other
from skstat.comparison._guide.rules_groups import (
    FEWEST_FLIPPED,
    GROUPS_FOR_T,
    enough_for_t,
    in_groups,
    too_few_groups,
)
from skstat.comparison._guide.situation import Situation

_CLASS_FOR_DELONG = 15


def _two(s: Situation) -> bool:
    return s.holds == "predictions" and s.n_systems == 2


def _one(s: Situation) -> bool:
    return s.holds == "predictions" and s.n_systems == 1


def _many(s: Situation) -> bool:
    return s.holds == "predictions" and s.n_systems > 2


def _joint_mean(s: Situation) -> bool:
    return _many(s) and jointly(s) and s.is_mean and not (s.ordered or s.weighted)


def has_normal_areas(s: Situation) -> bool:
    """Whether the score is an area under the ROC curve that DeLong's law serves."""
    enough = s.smallest_class is None or s.smallest_class >= _CLASS_FOR_DELONG
    return s.metric == "auc" and s.plain and enough and s.varies


def _why_not_delong(s: Situation) -> str:
    if not s.varies:
        return "the areas show no variance, and DeLong's test has no p-value then"
    if s.smallest_class:
        return f"the rarer class has {s.smallest_class} rows, too few for DeLong's test"
    return "DeLong's test needs two classes with one score each"


_ASK = "compare_predictions(y_true, predictions, metric=metric)"
_ONE_SET = {"data": "one test set"}
_CONSTANT: dict[str, Any] = {
    **_ONE_SET,
    "systems": "1, and a score known in advance",
    "example": "guide_constant.py",
}
_SEVERAL: dict[str, Any] = {
    **_ONE_SET,
    "systems": "3 or more; or one and each of the others",
    "ask": lambda s: f"{_ASK[:-1]}, control=name)" if s.control else _ASK,
    "example": "guide_many_systems.py",
}
_TWO: dict[str, Any] = {**_ONE_SET, "systems": "2", "ask": _ASK, "example": "guide_hold_out.py"}
_SPECIAL: dict[str, Any] = _TWO | {"example": "guide_groups_time_seeds.py"}
_PERMUTATION: dict[str, Any] = {
    "name": "paired_permutation",
    "title": "the permutation test that swaps the systems' outputs",
}
_BOOTSTRAP = other("paired_bootstrap", "the interval is from its resamples")
_BY_HOLM = (
    other("compare_predictions", "adjustment='holm': every pair by its own distribution"),
)

CONSTANT = (
    Rule(
        **_CONSTANT,
        id="constant-groups",
        situation="rows in groups, a mean over rows",
        test="cluster-robust t test",
        report="number of groups, score and interval",
        applies=lambda s: _one(s) and s.grouped and s.is_mean,
        name="clustered_t",
        title="the cluster-robust t test",
        ask="clustered_t(ClusteredScores(scores, [constant] * n, groups=groups))",
        reason="rows come in groups, and the score is a mean over rows",
        alternatives=(other("sign_flip", f"fewer than {GROUPS_FOR_T} groups: their means"),),
        needs=("one row per group for the binomial test",),
        cautions=(too_few_groups,),
    ),
    Rule(
        **_CONSTANT,
        id="constant-time-order",
        situation="rows in time order, a mean over rows",
        test="test of Diebold and Mariano",
        report="autocorrelation, score and interval",
        applies=lambda s: _one(s) and s.ordered and s.is_mean,
        name="diebold_mariano",
        title="the test of Diebold and Mariano",
        ask="diebold_mariano(PairedScores(scores, [constant] * n, unit='instance', "
        "ordered=True))",
        reason="the rows stand in time order, so that neighbours may be alike",
    ),
    Rule(
        **_CONSTANT,
        id="constant-accuracy",
        situation="accuracy or error rate",
        test="exact binomial test, Clopper-Pearson interval",
        report="errors, interval, the rate it is compared with",
        applies=lambda s: _one(s) and s.plain and s.metric == "accuracy",
        name="binomial",
        title="the exact binomial test",
        ask="binomial_test(y_true, y_pred, constant=rate)",
        reason="the rows are right or wrong, and independent",
        alternatives=(
            other("proportion_interval", "Wilson's interval: narrower, right on average"),
        ),
    ),
    Rule(
        **_CONSTANT,
        id="constant-mean",
        situation="another mean over rows",
        test="one-sample t test",
        report="score and interval",
        applies=lambda s: _one(s) and s.plain and s.metric in ("mean", "cost"),
        name="one_sample_t",
        title="the one-sample t test",
        ask="compare_scores(scores, unit='instance', constant=score)",
        reason="the score is a mean over independent rows",
        alternatives=(other("sign_flip", "few rows, pairs with the constant"),),
    ),
    Rule(
        **_CONSTANT | {"systems": "1, and guessing"},
        **_PERMUTATION,
        id="constant-other",
        situation="a score that is not a mean over rows",
        test="permutation test against the predictions of a baseline",
        report="score of the baseline, difference and interval",
        applies=_one,
        ask="compare_predictions(y_true, {'system': y_pred, 'guess': guesses}, metric=metric)",
        reason="the score is not a mean over independent rows, so that it is compared with "
        "the predictions of a baseline",
        alternatives=(_BOOTSTRAP,),
        cautions=("A constant score has no test of its own for this metric.",),
    ),
)

SEVERAL = (
    Rule(
        **_SEVERAL | {"example": "guide_groups_time_seeds.py"},
        id="several-systems-seeds",
        situation="several seeds of each",
        test="the test of two systems for every pair, Holm's adjustment",
        report="numbers of seeds and rows, adjusted p",
        applies=lambda s: _many(s) and s.n_seeds > 1,
        inner=lambda s: replace(s, n_systems=2),
        title=for_pairs_alone,
        reason="every pair is compared by its own predictions",
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-accuracy",
        situation="accuracy",
        test="Cochran's Q; McNemar's mid-p test of every pair, by their joint distribution "
        "(max-T)",
        report="Q, adjusted p of each pair",
        applies=lambda s: _many(s) and s.metric == "accuracy" and s.plain,
        name="cochran_q",
        title=lambda s: f"Cochran's Q, then McNemar's mid-p test {for_pairs(s)},",
        reason="the score is the accuracy on independent rows",
        alternatives=_BY_HOLM,
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-auc",
        situation="ROC AUC of two classes",
        test="Wald test of all areas; DeLong's test of every pair, by their joint "
        "distribution (max-T)",
        report="the areas, adjusted p of each pair",
        applies=lambda s: _many(s) and has_normal_areas(s),
        name="delong_wald",
        title=lambda s: f"the Wald test of all areas, then DeLong's test {for_pairs(s)},",
        reason="the score is the area under the ROC curve on independent rows",
        alternatives=_BY_HOLM,
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-few-groups-of-rows",
        situation=f"fewer than {FEWEST_FLIPPED} groups, a mean over rows",
        test="cluster-robust t test of every pair, by their joint distribution (max-T)",
        report="number of groups, adjusted p, simultaneous intervals",
        applies=lambda s: (
            _joint_mean(s) and s.n_groups is not None and s.n_groups < FEWEST_FLIPPED
        ),
        name="clustered_t",
        title=lambda s: f"the cluster-robust t test {for_pairs(s)},",
        reason=lambda s: f"{in_groups(s)}, which have too few patterns of signs",
        needs=(f"{FEWEST_FLIPPED} groups for a permutation test",),
        cautions=(too_few_groups,),
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-mean",
        situation="another mean over rows, or rows in groups",
        test="sign flips of whole rows or groups, of all pairs together (max-T)",
        report="adjusted p, simultaneous intervals, which may be the best",
        applies=lambda s: _joint_mean(s),
        name="sign_flip",
        title=lambda s: f"the paired permutation test {for_pairs(s)},",
        reason=lambda s: (
            "the score is a mean over rows, whose signs are flipped together for all systems"
            if not s.grouped
            else f"{in_groups(s)}, whose signs are flipped together for all systems"
        ),
        alternatives=_BY_HOLM,
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-any-metric",
        situation="any other metric; time order, weights",
        test="bootstrap of all systems on the same resamples (max-T)",
        report="adjusted p, simultaneous intervals, which may be the best",
        applies=lambda s: _many(s) and jointly(s),
        name="paired_bootstrap",
        title=lambda s: f"the bootstrap {for_pairs(s)},",
        reason="the same resamples of all systems give the joint distribution of any metric",
        alternatives=_BY_HOLM,
        cautions=(too_few_groups,),
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-hold-out",
        situation="adjusted pair by pair, as by adjustment='holm'",
        test="the test of two systems for every pair",
        report="adjusted p, adjusted intervals of the pairs",
        applies=_many,
        inner=lambda s: replace(s, n_systems=2),
        title=for_pairs,
        reason="every pair is compared by its own predictions",
    ),
)

TWO = (
    Rule(
        **_SPECIAL | {"ask": f"{_ASK[:-1]}, order=time)"},
        id="time-order-mean",
        situation="rows in time order, a mean over rows",
        test="test of Diebold and Mariano, long-run variance by cosines",
        report="autocorrelation, number of rows",
        applies=lambda s: _two(s) and s.ordered and s.is_mean and not s.weighted,
        name="diebold_mariano",
        title="the test of Diebold and Mariano",
        reason="the rows stand in time order and the score is a mean over rows",
        alternatives=(other("paired_bootstrap", "draws blocks of rows"),),
    ),
    Rule(
        **_SPECIAL | {"ask": f"{_ASK[:-1]}, order=time)"},
        id="time-order-other",
        situation="rows in time order, any other metric",
        test="bootstrap of blocks of rows",
        report="length of the blocks",
        applies=lambda s: _two(s) and s.ordered,
        name="paired_bootstrap",
        title="the bootstrap of blocks of rows",
        reason="the rows stand in time order and the score is not a plain mean over rows",
        alternatives=(other("diebold_mariano", "means over rows"),),
    ),
    Rule(
        **_SPECIAL | {"ask": f"{_ASK[:-1]}, groups=groups)"},
        id="groups-mean",
        situation=f"{GROUPS_FOR_T} groups or more (by their weight), a mean over rows",
        test="cluster-robust t test",
        report="number of groups, correlation within groups",
        applies=lambda s: (
            _two(s) and s.grouped and s.is_mean and not s.weighted and enough_for_t(s)
        ),
        name="clustered_t",
        title="the cluster-robust t test",
        reason=lambda s: f"{in_groups(s)} and the score is a mean over rows",
        alternatives=(other("paired_permutation", "swaps whole groups"),),
    ),
    Rule(
        **_SPECIAL | {"ask": f"{_ASK[:-1]}, groups=groups)"},
        **_PERMUTATION | {"title": "the permutation test that swaps whole groups"},
        id="groups-other",
        situation=f"fewer than {GROUPS_FOR_T} groups, or any other metric",
        test="permutation test that swaps whole groups, with its own interval",
        report="number of groups, correlation within groups",
        applies=lambda s: _two(s) and s.grouped,
        reason=lambda s: (
            in_groups(s) + (", too few for a t test" if s.is_mean and not s.weighted else "")
        ),
        alternatives=(other("paired_bootstrap", "draws whole groups"),),
        needs=(
            lambda s: (
                f"{GROUPS_FOR_T} groups for the cluster-robust t test"
                if s.is_mean and not s.weighted
                else ""
            ),
        ),
        cautions=(too_few_groups,),
    ),
    Rule(
        **_TWO,
        **_PERMUTATION,
        id="hold-out-weighted",
        situation="rows with weights or in strata",
        test="permutation test that swaps the systems' outputs, with its own interval",
        report="difference and interval, what the weights are",
        applies=lambda s: _two(s) and s.weighted,
        reason="rows have weights or strata, and it needs no formula for the metric",
        alternatives=(other("paired_bootstrap", "keeps the sizes of strata"),),
    ),
    Rule(
        **_TWO,
        id="hold-out-accuracy",
        situation="accuracy",
        test="McNemar's mid-p test, Tango's interval",
        report="counts of rows that one system alone has right, difference and interval",
        applies=lambda s: _two(s) and s.metric == "accuracy",
        name="mcnemar",
        title="McNemar's mid-p test",
        reason="the score is the accuracy on independent rows",
        alternatives=(
            other("mcnemar", "method='exact': never above the level, few discordant rows"),
            other("cost", "errors that cost unequally"),
        ),
    ),
    Rule(
        **_TWO,
        id="hold-out-auc",
        situation=f"ROC AUC, {_CLASS_FOR_DELONG} rows or more of each class",
        test="DeLong's test",
        report="both areas, difference and interval",
        applies=lambda s: _two(s) and has_normal_areas(s),
        name="delong",
        title="DeLong's test",
        reason="the score is the area under the ROC curve",
        alternatives=(other("paired_permutation", "no normal approximation"),),
    ),
    Rule(
        **_TWO,
        **_PERMUTATION,
        id="hold-out-auc-few",
        situation=f"ROC AUC, fewer than {_CLASS_FOR_DELONG} rows of a class; several classes; "
        "areas without variance",
        test="permutation test that swaps the systems' outputs, with its own interval",
        report="rows of each class, difference and interval",
        applies=lambda s: _two(s) and s.metric == "auc",
        reason=_why_not_delong,
        alternatives=(other("paired_bootstrap", "strata=y_true keeps the class sizes"),),
        needs=(f"{_CLASS_FOR_DELONG} rows of each of two classes for DeLong's test",),
    ),
    Rule(
        **_TWO
        | {
            "ask": "compare_predictions(y_true, predictions, "
            "metric=cost_sensitive_scorer(costs))"
        },
        id="hold-out-costs",
        situation="costs of errors",
        test="permutation of signs of the cost differences, studentised",
        report="mean costs, difference and interval",
        applies=lambda s: _two(s) and s.metric == "cost",
        name="cost",
        title="the studentised permutation test of the cost differences",
        reason="errors cost unequally, and it holds its level with few costly rows",
        alternatives=(other("mcnemar", "every error costs the same"),),
    ),
    Rule(
        **_TWO,
        **_PERMUTATION,
        id="hold-out-mean",
        situation="another mean over rows: squared error, log loss",
        test="permutation test that swaps the systems' outputs, with its own interval",
        report="difference and interval; whether the bootstrap agrees",
        applies=lambda s: _two(s) and s.metric == "mean",
        reason="the rows are independent and it needs no formula for the metric",
        alternatives=(_BOOTSTRAP, other("paired_t", "100 rows or more")),
    ),
    Rule(
        **_TWO,
        **_PERMUTATION,
        id="hold-out-other",
        situation="any other metric: F1, BLEU, a function of yours",
        test="permutation test that swaps the systems' outputs, with its own interval",
        report="difference and interval; whether the bootstrap agrees",
        applies=_two,
        reason="the rows are independent and it needs no formula for the metric",
        alternatives=(_BOOTSTRAP,),
    ),
)
