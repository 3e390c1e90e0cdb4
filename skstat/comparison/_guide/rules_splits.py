"""The guide for splits of one data set: given ones, several systems, constants."""

from dataclasses import replace
from typing import Any

from skstat.comparison._guide.rule import Rule, for_pairs, jointly, other
from skstat.comparison._guide.rules_estimators import halvings
from skstat.comparison._guide.situation import Situation


def _30_fits(s: Situation) -> str:
    if s.holds == "scores":
        return "scores on 30 random splits with one third for testing"
    return "30 fits per estimator for the default design"


_BAYLE = "estimate_performance(method='cross_validation') for the mean of the K fitted models"
_WEAK = (
    "A single K-fold has a power of 0.16 where 10x10 folds have 0.44: the correction allows "
    "for an overlap of test rows that does not exist."
)

_SELECTS = (
    "Not every learner is known to be stable: with a single 10-fold, the test rejected 4 to "
    "10 % of true null hypotheses in simulations with unstable learners, at a nominal 0.05."
)


def _not_known_stable(s: Situation) -> str:
    if s.stable:
        return ""
    return (
        "Not every learner is known to be stable: with one tenth for testing, the test "
        "rejected 21 % of true null hypotheses in simulations with a decision stump, and 11 % "
        "with the nearest neighbour, at a nominal 0.05. check_test counts it for "
        "yours, on your own data."
    )


_GIVEN: dict[str, Any] = {
    "systems": "2",
    "data": "splits of one data set, which are given",
    "ask": "compare_scores(run) or compare_estimators(estimators, X, y, cv=cv)",
}
_CORRECTED: dict[str, Any] = {
    "name": "corrected_t",
    "title": "the corrected resampled t test",
}

_CAREFUL = (
    "It is conservative on 5x2 halves: it rejected 1 to 3 % of true null hypotheses in "
    "simulations, at a nominal 0.05."
)

SEVERAL = (
    Rule(
        **_CORRECTED | {"title": lambda s: f"the corrected resampled t test {for_pairs(s)},"},
        id="several-systems-5x2",
        systems="3 or more; or one and each of the others",
        data="one data set",
        situation="five times two halves, bare scores",
        test="corrected resampled t test of every pair, by their joint distribution (max-T)",
        report="that it is conservative; adjusted p, simultaneous intervals",
        applies=lambda s: (
            s.n_systems > 2 and s.splits == "5x2" and not s.projects and jointly(s)
        ),
        ask="compare_scores(scores, n_train=n_train, n_test=n_test, n_repeats=5)",
        reason="the F test for 5x2 halves has no joint distribution",
        alternatives=(other("compare_scores", "test='five_by_two_f': pair by pair"),),
        cautions=(_CAREFUL,),
        example="guide_many_systems.py",
    ),
    Rule(
        id="several-systems-splits",
        systems="3 or more; or one and each of the others",
        data="one data set",
        situation="splits, drawn or given",
        test="the test of two systems for every pair, by their joint distribution (max-T)",
        report="adjusted p, simultaneous intervals, which may be the best",
        applies=lambda s: s.n_systems > 2 and (s.planned or s.of_splits),
        inner=lambda s: replace(s, n_systems=2),
        title=for_pairs,
        ask="compare_estimators(estimators, X, y) or compare_scores(run)",
        reason="one joint distribution of all differences gives their p-values and intervals",
        alternatives=(
            other(
                "compare_estimators", "adjustment='holm': every pair by its own distribution"
            ),
        ),
        example="guide_many_systems.py",
    ),
)

GIVEN = (
    Rule(
        **_GIVEN,
        id="splits-no-variance",
        situation="the difference is the same on every split",
        test="sign-flip permutation test of the rows of one repeat",
        report="that the rows of one repeat are the units",
        applies=lambda s: s.of_splits and not s.varies,
        name="sign_flip",
        title="the paired permutation test of the rows of one repeat",
        reason="the difference is the same on every split, which leaves no variance to test "
        "it against",
        alternatives=(other("mcnemar", "right and wrong out-of-fold predictions"),),
        example="guide_two_estimators.py",
    ),
    Rule(
        **_GIVEN,
        id="splits-pairs-of-blocks",
        situation="every pair of blocks left out",
        test="block jackknife t test",
        report="number of blocks, n_train, difference and interval",
        applies=lambda s: s.of_splits and s.splits == "pairs of blocks",
        name="block_jackknife_t",
        title="the block jackknife t test",
        reason="every pair of blocks was left out, which is the design it is for",
        alternatives=(other("corrected_t", "accuracy on random splits: more power"),),
        needs=(_30_fits,),
        example="guide_two_estimators.py",
    ),
    Rule(
        **_GIVEN,
        **_CORRECTED,
        id="splits-row-order",
        situation="every training set lies before its test set",
        test="corrected resampled t test, as a rough guide",
        report="that the splits are in row order",
        applies=lambda s: s.of_splits and s.splits == "row order",
        reason="there is no better test over growing training sets; it is a rough guide",
        alternatives=(other("diebold_mariano", "forecasts for one last stretch"),),
        cautions=("No correction is known for splits in row order.",),
        example="guide_groups_time_seeds.py",
    ),
    Rule(
        **_GIVEN,
        id="splits-with-rows",
        situation="a repeated K-fold of a run, three repeats or more",
        test="projection t test",
        report="K, repeats, n_train, difference and interval",
        applies=lambda s: s.of_splits and s.projects,
        name="projection_t",
        title="the projection t test",
        reason="each row was tested once in every repetition, so that its part in the variance "
        "can be measured",
        alternatives=(
            other("corrected_t", "accuracy, to compare with older results"),
            other("block_jackknife_t", "nothing should be assumed about learners and metric"),
        ),
        example="guide_two_estimators.py",
    ),
    Rule(
        **_GIVEN,
        **_CORRECTED,
        id="splits-5x2-one-sided",
        situation="five times two halves, bare scores, one-sided question",
        test="corrected resampled t test",
        report="that it is conservative",
        applies=lambda s: s.of_splits and s.splits == "5x2" and s.one_sided,
        reason="the F test for 5x2 halves is two-sided only",
        alternatives=(
            other("five_by_two_f", "two-sided"),
            other("five_by_two_t", "depends on which half came first"),
        ),
        cautions=(_CAREFUL,),
        example="guide_budget.py",
    ),
    Rule(
        **_GIVEN,
        id="splits-5x2",
        situation="five times two halves, bare scores",
        test="5x2cv F test",
        report="that the learners were trained on half of the rows",
        applies=lambda s: s.of_splits and s.splits == "5x2",
        name="five_by_two_f",
        title="the 5x2cv F test",
        reason="the splits are 5x2 halves, of which it uses all ten differences",
        alternatives=(other("five_by_two_t", "the older test, one-sided too"),),
        needs=(_30_fits,),
        example="guide_budget.py",
    ),
    Rule(
        **_GIVEN,
        **_CORRECTED | {"title": "the corrected K-fold t test"},
        id="splits-k-fold-stable",
        situation="a single K-fold, all learners known to be stable",
        test="corrected K-fold t test",
        report="K, n_train",
        applies=lambda s: s.of_splits and s.splits == "k-fold" and s.stable is True,
        reason="the splits are those of a single K-fold, where it is valid but weak",
        alternatives=(
            other(
                "mcnemar", "right and wrong out-of-fold predictions, for the K fitted models"
            ),
        ),
        needs=(_BAYLE, "repeats of the K-fold for more power"),
        cautions=(_WEAK,),
        example="guide_two_estimators.py",
    ),
    Rule(
        **_GIVEN,
        **_CORRECTED | {"title": "the corrected K-fold t test"},
        id="splits-k-fold",
        situation="a single K-fold",
        test="corrected K-fold t test",
        report="K, n_train",
        applies=lambda s: s.of_splits and s.splits == "k-fold",
        reason="the splits are those of a single K-fold, where it is weak",
        alternatives=(other("five_by_two_f", "scores on 5x2 halves"),),
        needs=(_30_fits,),
        cautions=(_WEAK, _SELECTS),
        example="guide_two_estimators.py",
    ),
    Rule(
        **_GIVEN,
        **_CORRECTED | {"title": "the corrected repeated K-fold t test"},
        id="splits-repeated-k-fold",
        situation="a repeated K-fold, bare scores",
        test="corrected repeated K-fold t test",
        report="K, repeats, n_train",
        applies=lambda s: s.of_splits and s.splits == "repeated k-fold",
        reason="the units are folds of one data set, which share training rows",
        alternatives=(other("bouckaert_t", "10x10 folds: its own calibration"),),
        needs=(
            lambda s: (
                ""
                if s.stable
                else "random splits with one third for testing, for "
                "learners that are not known to be stable"
            ),
        ),
        cautions=(_not_known_stable,),
        example="guide_two_estimators.py",
    ),
    Rule(
        **_GIVEN,
        **_CORRECTED,
        id="splits-random",
        situation="random splits",
        test="corrected resampled t test",
        report="n_train, number of splits, difference and interval",
        applies=lambda s: s.of_splits,
        reason="the units are splits of one data set, which share training rows",
        alternatives=(other("five_by_two_f", "scores on 5x2 halves"),),
        needs=(
            lambda s: "" if s.ratio is not None else "n_train and n_test for its correction",
        ),
        cautions=(
            lambda s: _not_known_stable(s) if s.ratio is not None and s.ratio < 0.25 else "",
        ),
        example="guide_two_estimators.py",
    ),
)


def _on_splits(s: Situation) -> bool:
    return s.holds != "predictions"


_CONSTANT: dict[str, Any] = {
    "systems": "1, and a score known in advance",
    "example": "guide_constant.py",
}

CONSTANT = (
    Rule(
        **_CONSTANT,
        id="constant-rows",
        data="one data set",
        situation="splits to be drawn, or a repeated K-fold of a run",
        test="one-sample projection t test",
        report="score and interval, n_train",
        applies=lambda s: (
            s.n_systems == 1 and s.constant is not None and s.projects and _on_splits(s)
        ),
        name="one_sample_projection_t",
        title="the one-sample projection t test",
        ask="compare_to_baseline(estimator, X, y, strategy=score) or compare_scores(run, "
        "constant=score)",
        reason="the score was known in advance, and each row is tested once per repetition",
        alternatives=(other("projection_t", "the score is that of a dummy on the same data"),),
        cautions=("A score found on the same data is not a constant: compare in pairs.",),
        design=halvings,
    ),
    Rule(
        **_CONSTANT,
        id="constant-splits",
        data="one data set",
        situation="other splits",
        test="corrected one-sample t test",
        report="score and interval, n_train",
        applies=lambda s: (
            s.n_systems == 1
            and (s.of_splits if s.holds == "scores" else s.constant is not None)
            and _on_splits(s)
        ),
        name="one_sample_t",
        title="the corrected one-sample t test",
        ask="compare_to_baseline(estimator, X, y, strategy=score) or compare_scores(run, "
        "constant=score)",
        reason="the score was known in advance, and splits of one data set share rows",
        alternatives=(other("corrected_t", "the score is that of a dummy on the same data"),),
        cautions=("A score found on the same data is not a constant: compare in pairs.",),
        design=halvings,
    ),
    Rule(
        **_CONSTANT | {"systems": "1, and guessing"},
        id="baseline-rows",
        data="one data set",
        situation="splits to be drawn, or a repeated K-fold",
        test="projection t test against a dummy on the same splits",
        report="score of the dummy, difference and interval",
        applies=lambda s: s.n_systems == 1 and s.holds == "estimators" and s.projects,
        name="projection_t",
        title="the projection t test against a dummy",
        ask="compare_to_baseline(estimator, X, y)",
        reason="guessing is scored on the same splits, in which each row is tested once per "
        "repetition",
        alternatives=(other("one_sample_projection_t", "a score known in advance"),),
        design=halvings,
    ),
    Rule(
        **_CONSTANT | {"systems": "1, and guessing"},
        id="baseline-splits",
        data="one data set",
        situation="other splits",
        test="corrected resampled t test against a dummy on the same splits",
        report="score of the dummy, difference and interval",
        applies=lambda s: s.n_systems == 1 and s.holds == "estimators",
        name="corrected_t",
        title="the corrected resampled t test against a dummy",
        ask="compare_to_baseline(estimator, X, y)",
        reason="guessing is scored on the same splits, which share training rows",
        alternatives=(other("one_sample_t", "a score known in advance"),),
        design=halvings,
    ),
)
