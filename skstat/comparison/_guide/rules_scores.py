"""The guide for scores of units other than splits, and for many data sets."""

from dataclasses import replace
from typing import Any

from skstat.comparison._guide.rule import Rule, for_pairs, for_pairs_alone, jointly, other
from skstat.comparison._guide.rules_groups import FEWEST_FLIPPED
from skstat.comparison._guide.situation import Situation
from skstat.report._words import adjustment_name

FEWEST_DATASETS = 6
_ENOUGH_FOR_T = 30


def _datasets(s: Situation) -> bool:
    return s.n_datasets > 1 or s.unit == "dataset"


def _n_datasets(s: Situation) -> int | None:
    """Number of data sets; None if nothing is known."""
    return s.n_datasets if s.n_datasets > 1 else s.n


def _adjustment(s: Situation) -> str:
    """Name the adjustment over data sets, where no joint distribution is known."""
    return adjustment_name("holm" if jointly(s) else s.adjustment)


def _few_datasets(s: Situation) -> bool:
    n = _n_datasets(s)
    return n is not None and n < FEWEST_DATASETS


def _few_units(s: Situation) -> str:
    if not _few_datasets(s):
        return ""
    return (
        f"{_n_datasets(s)} data sets allow no claim about data sets in general: test each by "
        f"itself, and count with stats.replicability on how many of them a system is better."
    )


def _enough(s: Situation) -> str:
    return (
        f"{FEWEST_DATASETS} data sets for any claim about data sets like these"
        if (_few_datasets(s))
        else ""
    )


_MANY: dict[str, Any] = {
    "data": "many data sets",
    "ask": "compare_over_datasets(estimators, datasets) or compare_scores(scores, "
    "unit='dataset')",
    "example": "guide_many_datasets.py",
}
_T_OF_MANY = other("paired_t", f"{_ENOUGH_FOR_T} data sets or more, on one scale")

DATASETS = (
    Rule(
        **_MANY | {"ask": "compare_scores(scores, unit='dataset', constant=score)"},
        id="constant-datasets",
        systems="1, and a score known in advance",
        situation="any",
        test="Wilcoxon's signed-rank test of score − constant",
        report="median difference",
        applies=lambda s: _datasets(s) and s.n_systems == 1,
        name="wilcoxon",
        title="Wilcoxon's signed-rank test",
        reason="the units are data sets, and the sizes of the differences are ranked",
        alternatives=(
            other("sign_flip", "the mean"),
            other("one_sample_t", f"{_ENOUGH_FOR_T} data sets or more"),
        ),
        needs=(_enough,),
        cautions=(_few_units,),
    ),
    Rule(
        **_MANY,
        id="two-systems-few-datasets",
        systems="2",
        situation=f"fewer than {FEWEST_DATASETS} data sets",
        test="no claim about data sets in general is possible; a test on each, Holm's "
        "adjustment, and on how many a system is better",
        report="difference and interval on each data set; the count",
        applies=lambda s: _datasets(s) and s.n_systems == 2 and _few_datasets(s),
        name="wilcoxon",
        title="Wilcoxon's signed-rank test",
        reason=lambda s: (
            f"the units are data sets, but {_n_datasets(s)} of them allow no claim about data "
            "sets in general"
        ),
        alternatives=(
            other("compare_estimators", "a test on each data set, adjusted by adjust_pvalues"),
            other("replicability", "on how many of them, from their p-values"),
        ),
        needs=(_enough,),
        cautions=(_few_units,),
    ),
    Rule(
        **_MANY,
        id="two-systems-datasets",
        systems="2",
        situation=f"{FEWEST_DATASETS} data sets or more",
        test="Wilcoxon's signed-rank test",
        report="pseudo-median of the differences, wins, ties and losses",
        applies=lambda s: _datasets(s) and s.n_systems == 2,
        name="wilcoxon",
        title="Wilcoxon's signed-rank test",
        reason="the units are data sets: the sizes of their differences are ranked, so that "
        "no single data set decides",
        alternatives=(
            other("sign", "scores on no common scale"),
            _T_OF_MANY,
            other("replicability", "on how many, from a p-value each"),
        ),
    ),
    Rule(
        **_MANY,
        id="several-systems-gaps",
        systems="3 or more; or one and each of the others",
        situation="scores are missing",
        test="Skillings-Mack test, then Wilcoxon's test of every pair on the data sets that "
        "both have scores on, Holm's adjustment",
        report="mean ranks, on how many data sets each pair was compared",
        applies=lambda s: _datasets(s) and s.n_systems > 2 and s.gaps,
        name="skillings_mack",
        title=lambda s: (
            "the Skillings-Mack test, then Wilcoxon's test of "
            f"{'every pair with the control' if s.control else 'every pair'} on the data sets "
            f"that both have scores on, adjusted by {_adjustment(s)},"
        ),
        reason="scores are missing, and two systems should be compared by all scores that "
        "both have",
        alternatives=(other("friedman", "the data sets with every score"),),
        needs=(_enough,),
        cautions=(_few_units,),
    ),
    Rule(
        **_MANY
        | {
            "ask": "compare_over_datasets(estimators, datasets, control=name) or "
            "compare_scores(scores, unit='dataset', control=name)"
        },
        id="control-datasets",
        systems="one and each of 2 others or more",
        situation="against a control",
        test="Friedman's test (Iman-Davenport), then Wilcoxon's test of every pair with the "
        "control, Holm's adjustment",
        report="mean ranks, adjusted p of each pair",
        applies=lambda s: _datasets(s) and s.n_systems > 2 and s.control,
        name="friedman",
        title=lambda s: (
            "Friedman's test (Iman-Davenport), then Wilcoxon's test of every pair with the "
            f"control, adjusted by {_adjustment(s)},"
        ),
        reason="two systems should be compared by their own scores",
        alternatives=(
            other("bonferroni_dunn", "the diagram"),
            other("pairwise_sign", "no common scale"),
        ),
        needs=(_enough,),
        cautions=(_few_units,),
    ),
    Rule(
        **_MANY,
        id="several-systems-datasets",
        systems="3 or more",
        situation="against each other",
        test="Friedman's test (Iman-Davenport), then Wilcoxon's test of every pair, Holm's "
        "adjustment",
        report="mean ranks, letters, critical difference diagram",
        applies=_datasets,
        name="friedman",
        title=lambda s: (
            "Friedman's test (Iman-Davenport), then Wilcoxon's test of every pair, adjusted by "
            f"{_adjustment(s)},"
        ),
        reason="two systems should be compared by their own scores",
        alternatives=(
            other("nemenyi", "the diagram"),
            other("pairwise_sign", "no common scale"),
            other("quade", "2 to 4 systems"),
        ),
        needs=(_enough,),
        cautions=(_few_units,),
    ),
)

_SCORES: dict[str, Any] = {
    "systems": "2",
    "data": "scores of rows, groups or seeds",
    "example": "guide_two_estimators.py",
}
_SEEDS: dict[str, Any] = {"example": "guide_groups_time_seeds.py"}

UNITS = (
    Rule(
        **_SCORES
        | {"systems": "3 or more; or one and each of the others"}
        | {"example": "guide_many_systems.py"},
        id="several-systems-few-groups",
        situation=f"a score per group, fewer than {FEWEST_FLIPPED} groups",
        test="paired t test of every pair, by their joint distribution (max-T)",
        report="number of groups, adjusted p, simultaneous intervals",
        applies=lambda s: (
            s.holds == "scores"
            and s.n_systems > 2
            and s.unit == "group"
            and not s.ordered
            and s.n is not None
            and s.n < FEWEST_FLIPPED
            and jointly(s)
        ),
        name="paired_t",
        title=lambda s: f"the paired t test {for_pairs(s)},",
        ask="compare_scores(scores, unit='group')",
        reason="so few groups have too few patterns of signs",
        alternatives=(
            other("compare_scores", "test='sign_flip', adjustment='holm': exact, no power"),
        ),
        needs=(f"{FEWEST_FLIPPED} groups for a permutation test",),
    ),
    Rule(
        **_SCORES
        | {"systems": "3 or more; or one and each of the others"}
        | {"example": "guide_many_systems.py"},
        id="several-systems-seed-scores",
        situation="a score per seed",
        test="Welch's t test for every pair, Holm's adjustment",
        report="adjusted p, intervals of the pairs",
        applies=lambda s: (
            s.holds == "scores" and s.n_systems > 2 and s.unit == "seed" and not s.paired_seeds
        ),
        inner=lambda s: replace(s, n_systems=2),
        title=for_pairs_alone,
        ask="compare_scores(scores, unit='seed')",
        reason="every pair is compared by its own scores",
        alternatives=(
            other("compare_scores", "control=name: one system and each of the others"),
        ),
    ),
    Rule(
        **_SCORES
        | {"systems": "3 or more; or one and each of the others"}
        | {"example": "guide_many_systems.py"},
        id="several-systems-units",
        situation="a score per row or group; or per seed, paired",
        test="the test of two systems for every pair, by their joint distribution (max-T)",
        report="adjusted p, simultaneous intervals, which may be the best",
        applies=lambda s: s.holds == "scores" and s.n_systems > 2,
        inner=lambda s: replace(s, n_systems=2),
        title=for_pairs,
        ask="compare_scores(scores, unit=unit)",
        reason=lambda s: (
            "one joint distribution of all differences gives their p-values and intervals"
            if jointly(s)
            else "every pair is compared by its own scores"
        ),
        alternatives=(
            other("compare_scores", "adjustment='holm': every pair by its own distribution"),
            other("repeated_measures_anova", "all at once"),
        ),
    ),
    Rule(
        **_SCORES
        | {"systems": "1, and a score known in advance", "example": "guide_constant.py"},
        id="constant-right-or-wrong",
        situation="right (1) or wrong (0) for every row",
        test="exact binomial test, Clopper-Pearson interval",
        report="right answers, interval, the rate they are compared with",
        applies=lambda s: (
            s.holds == "scores"
            and s.n_systems == 1
            and s.unit == "instance"
            and s.metric == "accuracy"
            and s.constant is not None
            and 0 < s.constant < 1
        ),
        name="binomial",
        title="the exact binomial test",
        ask="compare_scores(scores, unit='instance', constant=rate)",
        reason="the rows are right or wrong, and independent",
        alternatives=(
            other("proportion_interval", "Wilson's interval: narrower, right on average"),
        ),
    ),
    Rule(
        **_SCORES
        | {"systems": "1, and a score known in advance", "example": "guide_constant.py"},
        id="constant-units",
        situation="a score per row, group or seed",
        test="one-sample t test",
        report="score and interval",
        applies=lambda s: s.holds == "scores" and s.n_systems == 1,
        name="one_sample_t",
        title="the one-sample t test",
        ask=lambda s: f"compare_scores(scores, unit={s.unit!r}, constant=score)",
        reason="the score was known in advance, and the units are independent",
        alternatives=(other("binomial", "right and wrong answers"),),
    ),
    Rule(
        **_SCORES | _SEEDS,
        id="instances-time-order",
        situation="a score per row or group, which stand in time order",
        test="test of Diebold and Mariano",
        report="autocorrelation, number of rows",
        applies=lambda s: s.holds == "scores" and s.ordered,
        name="diebold_mariano",
        title="the test of Diebold and Mariano",
        ask="compare_scores(PairedScores(a, b, unit='instance', ordered=True))",
        reason="the rows stand in time order, so that neighbours may be alike",
        alternatives=(other("paired_bootstrap", "from predictions: draws blocks"),),
    ),
    Rule(
        **_SCORES | _SEEDS,
        id="seed-scores",
        situation="a score per seed",
        test="Welch's t test",
        report="numbers of seeds; that the test set is held fixed",
        applies=lambda s: s.holds == "scores" and s.unit == "seed" and not s.paired_seeds,
        name="seed_means_t",
        title="Welch's t test",
        ask="compare_scores(scores, unit='seed')",
        reason="the units are independent seeds, which nothing pairs",
        alternatives=(
            other("paired_t", "paired_seeds=True: seed i controls the same in both systems"),
            other("crossed_t", "predictions of every seed: rows are random too"),
        ),
        needs=("predictions of every seed for a claim about new rows",),
    ),
    Rule(
        **_SCORES | _SEEDS,
        id="seed-scores-paired",
        situation="a score per seed; seed i controls the same in both systems",
        test="paired t test",
        report="number of seeds; that the test set is held fixed",
        applies=lambda s: s.holds == "scores" and s.unit == "seed",
        name="paired_t",
        title="the paired t test",
        ask="compare_scores(scores, unit='seed', paired_seeds=True)",
        reason="the units are independent pairs of seeds",
        alternatives=(
            other("wilcoxon", "outliers"),
            other("crossed_t", "predictions of every seed: rows are random too"),
        ),
        needs=("predictions of every seed for a claim about new rows",),
    ),
    Rule(
        **_SCORES | _SEEDS,
        id="group-scores",
        situation="a score per group",
        test="sign-flip permutation test",
        report="number of groups",
        applies=lambda s: s.holds == "scores" and s.unit == "group",
        name="sign_flip",
        title="the paired permutation test",
        ask="compare_scores(PairedScores(a, b, unit='group'))",
        reason="the units are independent groups",
        alternatives=(other("clustered_t", "a score per row, and 30 groups or more"),),
    ),
    Rule(
        **_SCORES | {"example": "guide_hold_out.py"},
        id="instance-scores",
        situation="a score per row of one test set",
        test="sign-flip permutation test",
        report="difference and interval",
        applies=lambda s: s.holds == "scores",
        name="sign_flip",
        title="the paired permutation test",
        ask="compare_scores(scores, unit='instance')",
        reason="the units are independent instances",
        alternatives=(
            other("paired_t", "100 rows or more"),
            other("mcnemar", "right and wrong answers"),
        ),
    ),
)
