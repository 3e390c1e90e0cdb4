"""Doubts: coded reasons to trust a conclusion less, each with a remedy."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from skstat.report import _rules as rules
from skstat.report import _verdict_rules as verdict_rules
from skstat.report._case import Case, Doubt
from skstat.report._stability import Stability


@dataclass(frozen=True, kw_only=True)
class DoubtKind:
    """A kind of doubt: when it is raised, and what to do about it."""

    code: str
    title: str
    when: str
    advice: str
    find: Callable[[Any], str | None]


def find_doubts(case: Case) -> tuple[Doubt, ...]:
    """Return the doubts that apply to a comparison, in the order of their codes.

    Parameters
    ----------
    case : Case
        The comparison: sample, outcome and what is known beside.

    Returns
    -------
    tuple of Doubt
        Those of :data:`DOUBTS` that were found.

    Examples
    --------
    >>> from skstat.report import Case, find_doubts
    >>> from skstat.stats import PairedScores, paired_t
    >>> sample = PairedScores([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], unit="seed")
    >>> case = Case(sample=sample, outcome=paired_t(sample), confidence_level=0.95)
    >>> [doubt.code for doubt in find_doubts(case)]
    ['SKS107', 'SKS201']
    """
    return find_among(DOUBTS, case)


DOUBTS = (
    DoubtKind(
        code="SKS101",
        title="overlapping splits tested as independent",
        when="A test for independent units (:func:`~skstat.stats.paired_t`, "
        ":func:`~skstat.stats.wilcoxon`, :func:`~skstat.stats.sign`, "
        ":func:`~skstat.stats.sign_flip`) was asked of splits of one data set.",
        advice="Use the default test. Keep the uncorrected one only to "
        "show what a published result would have been.",
        find=rules.treated_as_independent,
    ),
    DoubtKind(
        code="SKS102",
        title="a single K-fold",
        when="The splits are one complete partition: a K-fold cross-validation without "
        "repeats.",
        advice="Leave ``cv`` out for the default design, or repeat the folds. For accuracy of "
        "stable learners the test is valid but weak: a power of 0.16 was measured where ten "
        "repeats had 0.44. Of learners that select or switch it was measured to reject 4 to 10 "
        "% of true null hypotheses at a nominal 0.05, and raises :ref:`SKS103 <sks103>` too.",
        find=rules.single_k_fold,
    ),
    DoubtKind(
        code="SKS103",
        title="learner not known to be stable",
        when="The design is a repeated K-fold, five times two halves, or random splits "
        "with small test sets (test to training size 0.3 or less), and a learner is "
        "not on the list of those known to be stable. For bare scores nothing is "
        "known of the learners, and the doubt is raised too. For a single K-fold it is raised "
        "if a learner is known, and not known to be stable. Not for the block jackknife "
        "(:func:`~skstat.stats.block_jackknife_t`), which covers any learner.",
        advice="Use the default test, which measures instability, or larger test sets, which "
        "make the correction stronger. Type I error of a decision stump for accuracy: 0.21 "
        "with 10x10 folds, 0.04 with 30 splits of one third. For a learner of your own, "
        ":func:`skstat.measure_learner_stability` measures how it takes to small changes of "
        "the training rows.",
        find=rules.unstable_learner,
    ),
    DoubtKind(
        code="SKS104",
        title="rows in time order",
        when="Every training set lies before its test set in row order, as "
        "``TimeSeriesSplit`` does; or a test for independent rows was asked of predictions "
        "with ``order=``.",
        advice="Compare the forecasts on one long test stretch with a test for series "
        "(Diebold & Mariano 1995), or read the interval as a rough guide.",
        find=rules.ordered_rows,
    ),
    DoubtKind(
        code="SKS105",
        title="groups split between training and test",
        when="``groups`` was given, and ``cv`` puts rows of one group on both sides of a "
        "split.",
        advice="Leave ``cv`` out to get splits by group, or use a group splitter such as "
        "``GroupShuffleSplit`` or ``StratifiedGroupKFold``.",
        find=rules.split_groups,
    ),
    DoubtKind(
        code="SKS106",
        title="few test rows per split",
        when="Some split tests on fewer than 30 rows; of blocks left out in pairs, all blocks "
        "but one hold fewer.",
        advice="Use fewer folds or a larger test fraction. For leave-one-out, test the "
        "pooled predictions instead.",
        find=rules.few_test_rows,
    ),
    DoubtKind(
        code="SKS107",
        title="few units",
        when="There are fewer than 10 units.",
        advice="Use more splits (the default has 30), seeds or data sets.",
        find=rules.few_units,
    ),
    DoubtKind(
        code="SKS108",
        title="the answer depends on the first fold",
        when="The test is :func:`~skstat.stats.five_by_two_t`.",
        advice="Use ``statistic='f'``, which uses all ten differences of the same fits.",
        find=rules.first_fold,
    ),
    DoubtKind(
        code="SKS109",
        title="few groups",
        when="``groups`` were kept together, and there are fewer than 10 of them. On a test "
        "set fewer than 20, where groups of unequal size count as many as groups of one "
        "size would weigh: (sum of the sizes)^2 / (sum of their squares).",
        advice="The groups are the independent observations, not their rows. Collect more "
        "groups; with fewer than 10 the corrected t test was measured to reject up to 12 % "
        "of true null hypotheses at a nominal 0.05. On a test set the permutation test by "
        "group is the safest with few groups.",
        find=rules.few_groups,
    ),
    DoubtKind(
        code="SKS110",
        title="splits that repeat each other",
        when="Random splits of few rows or groups drew the same test set more than once.",
        advice="Use fewer splits, or more rows or groups.",
        find=rules.repeated_splits,
    ),
    DoubtKind(
        code="SKS111",
        title="rows that look grouped",
        when="The differences of neighbouring rows of a test set correlate by more than four "
        "standard errors, and neither ``groups`` nor ``order`` was given. Rows that were "
        "shuffled give no such sign, even if they are grouped.",
        advice="Pass ``groups=`` (document, user, article) or ``order=`` (time). With an "
        "intraclass correlation of 0.1 or 0.3 in 30 groups, tests that take rows for "
        "independent were measured to reject 13 or 27 % of true null hypotheses at a "
        "nominal 0.05.",
        find=rules.grouped_rows,
    ),
    DoubtKind(
        code="SKS112",
        title="few units for a bootstrap",
        when="Fewer than 20 rows, groups or blocks of rows in time order were resampled for an "
        "interval; groups of unequal size count as in :ref:`SKS109 <sks109>`.",
        advice="Use the permutation test with its own interval "
        "(``test='paired_permutation'``, and no ``interval``), which is valid for any number. "
        "Collect more rows or groups. Of 50 steps in time, 12 "
        "blocks of 4, 95 % intervals were measured to hold the truth in 92 % where steps are "
        "independent and in 84 % where neighbours correlate by 0.5; there is no permutation "
        "test for them, but for a mean over rows :func:`~skstat.stats.diebold_mariano`.",
        find=rules.few_bootstrapped,
    ),
    DoubtKind(
        code="SKS113",
        title="few instances of a class",
        when="DeLong's test with fewer than 15 instances in the smaller class.",
        advice="Use ``test='paired_permutation'`` with ``strata=y_true``.",
        find=rules.few_in_class,
    ),
    DoubtKind(
        code="SKS114",
        title="a long horizon",
        when="The horizon of the Diebold-Mariano test exceeds a tenth of the rows.",
        advice="Compare forecasts of a shorter horizon, or on a longer stretch.",
        find=rules.long_horizon,
    ),
    DoubtKind(
        code="SKS115",
        title="autocorrelation beyond the test",
        when="With ``order``, differences of rows further apart than the horizon (of the test "
        "of Diebold and Mariano) or the block length (of the bootstrap) correlate by more than "
        "three standard errors.",
        advice="Leave ``horizon`` out: for a mean over rows the test then estimates from the "
        "data how far differences correlate. Else raise it to the distance at which they stop "
        "to: errors of forecasts h steps ahead correlate up to h - 1 rows, and losses that "
        "drift do so for longer. With ``horizon=1`` and a correlation of 0.8, tests were "
        "measured to reject half of true null hypotheses at a nominal 0.05.",
        find=rules.autocorrelation,
    ),
    DoubtKind(
        code="SKS116",
        title="few seeds for a bootstrap",
        when="Fewer than 10 seeds of a system were resampled together with the rows.",
        advice="Use more seeds, or a metric that is a mean over rows (accuracy, log loss), for "
        "which mean squares and Student's t allow for few seeds.",
        find=rules.few_seeds,
    ),
    DoubtKind(
        code="SKS117",
        title="seeds pooled",
        when="``seeds='pooled'`` was asked for.",
        advice="Use ``seeds='crossed'``. Pooling is there to show what a published result did: "
        "with three copies of the same predictions it was measured to reject 30 % of true null "
        "hypotheses at a nominal 0.05.",
        find=rules.pooled_seeds,
    ),
    DoubtKind(
        code="SKS118",
        title="small strata",
        when="A stratum has fewer than 10 rows.",
        advice="Join strata. If rows of a stratum belong together and the test set could have "
        "held others, they are ``groups``.",
        find=rules.small_strata,
    ),
    DoubtKind(
        code="SKS120",
        title="data sets left out",
        when="Some score of a data set is missing, because a fit failed or the table has a "
        "gap, so that the data set is not part of the tests; or, with "
        "``test='skillings_mack'``, not part of those that need the score.",
        advice="Find out why the fits failed: data sets on which a system fails are rarely "
        "like the others, and leaving them out favours it. ``test='skillings_mack'`` uses "
        "the scores that there are.",
        find=rules.left_out,
    ),
    DoubtKind(
        code="SKS125",
        title="few rows on which the systems differ",
        when="A bootstrap or permutation test of two systems whose outputs differ on fewer "
        "than 10 rows or groups.",
        advice="Read the p-value of the permutation test, which is valid for any number. For a "
        "margin collect more rows: with three that differ, equivalence was measured to be "
        "claimed in 15 % of cases at the border of the margin, at a nominal 5 %.",
        find=rules.few_differing,
    ),
    DoubtKind(
        code="SKS127",
        title="alike for long in a short series",
        when="With ``order``, neighbouring differences correlate so much for the length of "
        "the series that the variance of their mean is expected to come out more than a "
        "tenth too small: by the cosines of :func:`~skstat.stats.diebold_mariano`, or by the "
        "blocks of the bootstrap.",
        advice="Compare on a longer stretch. With autoregressions of 0.9, the test of Diebold "
        "and Mariano was measured to reject 13 % of true null hypotheses on 50 steps, 9 % on "
        "100 and 7 % on 200, at a nominal 0.05; together with the absence of this doubt it "
        "did so in 7 % at most from 12 steps on. Of 95 % bootstrap intervals 84 % held the "
        "truth with 0.5 on 50 steps, 90 % on 200.",
        find=rules.alike_for_long,
    ),
    DoubtKind(
        code="SKS128",
        title="a rare class decides",
        when="Fewer than 10 rows of some class, in a permutation test or bootstrap of a metric "
        "that counts classes alike (balanced accuracy, macro averages, Matthews correlation, "
        "kappa, areas under curves).",
        advice="Collect more rows of that class. With 3 positives among 30 rows the "
        "permutation test of balanced accuracy was measured to reject 16 % of true null "
        "hypotheses at a nominal 0.05, for systems that err in different ways; the "
        "studentised one rejected 25 %, the bootstrap 22 %. With 10 rows of every class or "
        "more the permutation test rejected 1 to 7 %.",
        find=rules.rare_class,
    ),
    DoubtKind(
        code="SKS129",
        title="a few rows decide",
        when="In a permutation test or bootstrap, a single row or group has more than 30 % of "
        "the sum of squares that the variance of the difference is made of.",
        advice="Look at that row. If errors of one system are heavy-tailed, both the p-value "
        "and the interval are too small, and the same rows give no better: for R2 with errors "
        "of Student's t with 3 degrees of freedom in one system, permutation tests were "
        "measured to reject 15 to 23 % of true null hypotheses at a nominal 0.05, studentised "
        "or not, at 30 to 200 rows. The doubt sees large errors only if some are in the test "
        "set: it was raised in 6 of 10 such test sets, and in 1 of 100 with normal errors at "
        "200 rows (a third at 50). A metric less open to large errors (the mean absolute "
        "error) is more reliable.",
        find=rules.few_rows_decide,
    ),
    DoubtKind(
        code="SKS130",
        title="splits more alike than their rows",
        when="A test whose standard error comes from the variance of splits "
        "(:func:`~skstat.stats.corrected_t`, the 5x2cv tests) was asked of a run, and the "
        "differences of its splits vary less than 0.9 times as much as test rows drawn "
        "without replacement would make them vary.",
        advice="Use the default test (:func:`~skstat.stats.projection_t`), which measures both "
        "what rows do in testing and in training. In simulations the ratio was 0.4 to 0.8 "
        "where the corrected t test rejected 11 to 49 % of true null hypotheses, and about 1 "
        "or more where it held its level: :doc:`/any_metric`.",
        find=rules.splits_too_alike,
    ),
    DoubtKind(
        code="SKS131",
        title="a metric for which the correction was not derived",
        when="A test whose standard error comes from the variance of splits was asked of "
        "scores without their rows, and the metric is one of probabilities, ranks or numbers "
        "(log loss, Brier score, AUC, R², mean errors), not of predicted labels.",
        advice="Compare the estimators themselves, or keep the scores of the rows "
        "(:meth:`PairedFoldScores.from_row_scores "
        "<skstat.stats.PairedFoldScores.from_row_scores>`) for "
        ":func:`~skstat.stats.projection_t`. Type I errors by metric and learner: "
        ":doc:`/any_metric`.",
        find=rules.unmeasured_metric,
    ),
    DoubtKind(
        code="SKS132",
        title="many folds for a projection on rows",
        when="The projection t test was asked of repetitions of 5 folds or more.",
        advice="Leave ``cv`` out: on 15 x 2 halves the same test was measured to find 1.3 to 5 "
        "times as much with as many fits. With 10 x 10 folds it was measured to reject up to 9 "
        "% of true null hypotheses.",
        find=rules.many_folds,
    ),
    DoubtKind(
        code="SKS133",
        title="few rows of a class",
        when="The projection t test, the rarest class has fewer than 20 rows, and the metric "
        "is no mean over rows (AUC, balanced accuracy, F1 and the like).",
        advice="Collect more rows of that class, or take ``test='block_jackknife_t'``. With 10 "
        "positives among 210 rows the test was measured to reject 6 to 10 % of true null "
        "hypotheses for five nearest neighbours at a nominal 0.05, and 2 to 5 % for logistic "
        "regression and naive Bayes.",
        find=rules.rare_class_in_halves,
    ),
    DoubtKind(
        code="SKS134",
        title="predictions that equal the truth",
        when="On one test set, the predictions of a system are the same as ``y_true`` on every "
        "row.",
        advice="Check that the right column or file was passed, and that the truth was no "
        "feature of the system. If it is perfect on these rows, the test set is too easy, or "
        "too small, to compare systems as good as that.",
        find=rules.equal_to_truth,
    ),
    DoubtKind(
        code="SKS201",
        title="identical scores",
        when="A and B score the same on every unit.",
        advice="Check that two different estimators were passed. If they were, they "
        "predict alike on this data.",
        find=rules.identical,
    ),
    DoubtKind(
        code="SKS202",
        title="no variance",
        when="The difference is the same on every unit, and not zero.",
        advice="Typical of a perfect model against a constant baseline, or against one that is "
        "always wrong. A t test would "
        "claim certainty (p = 0) from a handful of equal numbers; the test on instances, "
        "given instead where predictions are at hand, counts how many rows were tested. "
        "Its claim is about the fitted models, not the learners.",
        find=rules.no_variance,
    ),
    DoubtKind(
        code="SKS203",
        title="mean and ranks point in opposite directions",
        when="The mean difference has one sign, and the ranks (rank-biserial at least 0.3) "
        "or the wins (a share of 0.7 or more) point the other way.",
        advice="Plot the differences. Decide which question matters: the average gain "
        "(the mean) or how often one wins (signs, ranks), and report that it matters.",
        find=rules.opposite_directions,
    ),
    DoubtKind(
        code="SKS204",
        title="many ties",
        when="A and B score the same on at least half of the units, but not on all. "
        "Instances are left out: a tie on an instance between two classifiers is "
        "nothing special.",
        advice="The metric is too coarse for the size of the test sets. Use a finer "
        "metric (log loss, AUC) or larger test sets.",
        find=rules.many_ties,
    ),
    DoubtKind(
        code="SKS205",
        title="no interval exists",
        when="The F test of a 5x2 cross-validation rejects every shift, so that its "
        "interval is empty.",
        advice="The ten differences vary more between repeats than within them. Use the "
        "default test.",
        find=rules.empty_interval,
    ),
    DoubtKind(
        code="SKS206",
        title="test and interval disagree",
        when="The test rejects and the interval contains 0, or the reverse. By default a "
        "report's interval inverts its test, or nearly does; of a permutation test of 20 rows "
        "or groups or more, the bootstrap interval of the same rows is looked at as a check.",
        advice="The permutation test assumes that the systems could change places, the "
        "bootstrap that the test set is large. With few rows trust the test; with systems "
        "that err in different ways, ask ``studentize=True``. Near the border, say so.",
        find=verdict_rules.interval_disagrees,
    ),
    DoubtKind(
        code="SKS207",
        title="undefined resamples",
        when="The metric was undefined on some resamples (a rare class was missing), and "
        "they were drawn anew; more than one in a hundred is an error of a bootstrap.",
        advice="Pass ``strata=y_true`` to keep the number of rows of every class, or use a "
        "metric that is always defined.",
        find=rules.redrawn,
    ),
    DoubtKind(
        code="SKS208",
        title="p-value near the level",
        when="A drawn p-value lies within two of its Monte Carlo errors of the level.",
        advice="Use more resamples (``n_resamples=99_999``), and do not let the verdict hang "
        "on it: 0.049 and 0.051 say the same.",
        find=verdict_rules.near_the_level,
    ),
    DoubtKind(
        code="SKS209",
        title="a perfect AUC",
        when="DeLong's test of a system whose AUC is 0 or 1.",
        advice="Read ``report.outcome.auc_intervals()``, on the logit scale, or use the "
        "permutation test.",
        find=rules.perfect_auc,
    ),
    DoubtKind(
        code="SKS210",
        title="direction taken from the data",
        when="``pvalue='berg-kirkpatrick'`` was asked for without ``alternative``, or "
        "``pvalue='sign-reversal'``.",
        advice="Use ``pvalue='shift'``, which is two-sided, or say ``alternative`` before you "
        "look. To read a published one-sided p, double it.",
        find=rules.direction_from_data,
    ),
    DoubtKind(
        code="SKS212",
        title="a wide interval",
        when="The test does not reject, and the interval reaches beyond the margin; without a "
        "margin, it reaches further than 0.05 from the estimate in a metric from 0 to 1 "
        "(accuracy, balanced accuracy, F1, precision, recall, Jaccard, ROC AUC, average "
        "precision).",
        advice="Do not report that there is no difference: report the interval, and the size "
        "from which on a difference would have been found, which the doubt states. To know "
        "more, collect more rows; more splits of the same rows help little. A power computed "
        "from the observed difference would say nothing new: it only restates p.",
        find=verdict_rules.wide_interval,
    ),
    DoubtKind(
        code="SKS213",
        title="significant, but small",
        when="The test rejects, and the whole interval lies within the margin; without a "
        "margin, within 0.01 in a metric from 0 to 1.",
        advice="Say what a difference of this size is worth where the system is used, and what "
        "the better system costs. With many rows any difference is found; that it was found "
        "does not make it matter.",
        find=verdict_rules.significant_but_small,
    ),
    DoubtKind(
        code="SKS214",
        title="the verdict depends on the partition",
        when="With ``stability=``, fewer than 80 % of the other partitions of the same rows "
        "gave the same verdict.",
        advice="Report the range of the estimates instead of a verdict, or call it undecided. "
        "Do not pick the partition with the best answer, and do not combine the p-values: "
        "all of them come from the same rows. More splits per partition, and above all more "
        "rows, make the answer steadier.",
        find=verdict_rules.depends_on_partition,
    ),
    DoubtKind(
        code="SKS215",
        title="close to the level",
        when="The p-value lies within a factor of 1.25 of the level, on either side (0.04 to "
        "0.0625 for 0.05), and :ref:`SKS208 <sks208>` does not say so already.",
        advice="Do not let the verdict hang on it. Report difference and interval, which "
        "hardly differ between p = 0.049 and p = 0.051, or collect more data and test "
        "those.",
        find=verdict_rules.close_to_the_level,
    ),
    DoubtKind(
        code="SKS301",
        title="baseline nearly unbeatable",
        when="A is compared with a baseline that ignores X and scores 0.9 or more in a metric "
        "that ends at 1: in accuracy if nine of ten rows are of one class, in recall by always "
        "naming the positive class.",
        advice="Use a metric that leaves room above guessing: balanced accuracy, "
        "ROC AUC, average precision, or costs.",
        find=rules.unbeatable_baseline,
    ),
    DoubtKind(
        code="SKS302",
        title="trivial baseline",
        when="A is compared with a baseline in a metric in which all guesses score chance "
        "level, whatever the data (balanced accuracy, Matthews correlation, kappa, ROC AUC), "
        "or in accuracy with balanced classes.",
        advice="Beating it shows only that X holds some information. Compare with a "
        "simple model, or with the result in use today, too.",
        find=rules.trivial_baseline,
    ),
    DoubtKind(
        code="SKS303",
        title="another guess scores higher",
        when="A is compared with a baseline that was named by ``strategy=``, and the best "
        "guess for the metric has a higher expected score on the same splits: the majority "
        "class has an F1 of 0, for instance, where the positive class is the rare one.",
        advice="Leave ``strategy`` out, or put None in the list of baselines: the best guess "
        "for the metric is then compared (:doc:`/baselines`).",
        find=rules.beaten_baseline,
    ),
    DoubtKind(
        code="SKS401",
        title="the run may not repeat exactly",
        when="An estimator, or a part of it, has ``random_state=None`` and is not known to "
        "draw nothing, or to take a fixed seed then, as LightGBM and XGBoost do; or the "
        "splitter given as ``cv`` draws other splits in every call.",
        advice="Give the estimator or splitter an integer ``random_state`` to repeat the run. "
        "Left at "
        "None, the randomness of training is part of what is tested, which is fair; "
        "only exact repetition is lost.",
        find=rules.cannot_repeat,
    ),
    DoubtKind(
        code="SKS501",
        title="several comparisons without adjustment",
        when="Several metrics were asked for in one call.",
        advice="Name one metric beforehand, or adjust: "
        "``skstat.stats.adjust_pvalues([report[m].pvalue for m in report.metrics])``.",
        find=rules.several_unadjusted,
    ),
    DoubtKind(
        code="SKS502",
        title="the best of many",
        when="One of the two systems was selected as the best of several by the same scores "
        "that are compared here.",
        advice="The best of many is lucky as well as good (the winner's curse). Score it on "
        "rows that had no part in the selection, or ask of all candidates at once which may be "
        "the best: :func:`~skstat.stats.compare_with_best`, whose intervals allow for their "
        "number.",
        find=rules.best_of_many,
    ),
)

# What hangs on the p-value that decides, which a family of comparisons adjusts.
ABOUT_THE_VERDICT = ("SKS206", "SKS208", "SKS212", "SKS213", "SKS215")


def after_adjustment(doubts: tuple[Doubt, ...], case: Case) -> tuple[Doubt, ...]:
    """Look again for the doubts that an adjusted p-value may raise or end; keep the others."""
    kept = [doubt for doubt in doubts if doubt.code not in ABOUT_THE_VERDICT]
    kinds = [kind for kind in DOUBTS if kind.code in ABOUT_THE_VERDICT]
    return tuple(sorted([*kept, *find_among(kinds, case)], key=lambda doubt: doubt.code))


def doubt_of(stability: Stability) -> tuple[Doubt, ...]:
    """Return the doubt that other partitions raise, or nothing."""
    (kind,) = (kind for kind in DOUBTS if kind.code == "SKS214")
    text = verdict_rules.partitions_disagree(stability)
    return () if text is None else (Doubt(code=kind.code, title=kind.title, text=text),)


def find_among(kinds: Iterable[DoubtKind], case: Case) -> tuple[Doubt, ...]:
    """Return the doubts of some kinds that apply."""
    found = ((kind, kind.find(case)) for kind in kinds)
    return tuple(
        Doubt(code=kind.code, title=kind.title, text=text)
        for kind, text in found
        if text is not None
    )
