"""Doubts: coded reasons to trust a conclusion less, each with a remedy."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import numpy as np

from skstat.report._numbers import every, units
from skstat.stats import Outcome, PairedScores, Scores

DOCS = "https://skstat.readthedocs.io/en/stable/doubts.html"


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A reason for doubt that was found, in one sentence."""

    code: str
    title: str
    text: str

    @property
    def url(self) -> str:
        """Page that says what to do about it."""
        return f"{DOCS}#{self.code.lower()}"

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.text}"


@dataclass(frozen=True, kw_only=True)
class Context:
    """What is known beside the numbers; None where nothing is known."""

    procedure: str = ""
    metric: str = "score"
    treated_as_independent: bool = False
    unstable: Collection[str] | None = None
    unseeded: Collection[str] = ()
    splits_groups: bool = False
    min_test_rows: int | None = None
    degenerate: str | None = None
    majority_baseline: bool = False
    majority_share: float | None = None
    n_classes: int | None = None
    n_unadjusted: int = 1
    n_groups: int | None = None
    repeated_splits: int = 0


@dataclass(frozen=True, kw_only=True)
class Case:
    """One comparison, as the doubts look at it."""

    sample: PairedScores | Scores
    outcome: Outcome
    confidence_level: float
    context: Context = field(default_factory=Context)

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def differences(self) -> np.ndarray | None:
        """Differences of a paired sample."""
        return self.sample.differences if isinstance(self.sample, PairedScores) else None


@dataclass(frozen=True, kw_only=True)
class DoubtKind:
    """A kind of doubt: when it is raised, and what to do about it."""

    code: str
    title: str
    when: str
    advice: str
    find: Callable[[Case], str | None]


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
    found = ((kind, kind.find(case)) for kind in DOUBTS)
    return tuple(
        Doubt(code=kind.code, title=kind.title, text=text)
        for kind, text in found
        if text is not None
    )


def _treated_as_independent(case: Case) -> str | None:
    if not case.context.treated_as_independent:
        return None
    return (
        "the splits share training rows, but the test takes them for independent; at a "
        "nominal 0.05 such tests were measured to reject a true null hypothesis 5 to 26 "
        "% of the time for one K-fold, 50 to 89 % for 30 or more splits."
    )


def _single_k_fold(case: Case) -> str | None:
    sample = case.sample
    if sample.n_repeats != 1 or case.context.treated_as_independent:
        return None
    return (
        f"a single {sample.n_folds}-fold cross-validation tested with the correction for "
        "overlapping test sets, which it does not have: the interval is about 1.4 times "
        "as wide as need be."
    )


def _unstable_learner(case: Case) -> str | None:
    sample, unstable = case.sample, case.context.unstable
    if sample.unit != "split" or sample.ordered or (unstable is not None and not unstable):
        return None
    if sample.n_repeats == 5 and sample.n_folds == 2:
        design, rate = "5x2 halves", "4 to 14"
    elif sample.n_repeats is not None and sample.n_repeats > 1:
        design, rate = "repeated K-fold", "11 to 21"
    elif sample.n_repeats is None and (sample.test_train_ratio or 1) <= 0.3:
        design, rate = "small test sets", "9 to 20"
    else:
        return None
    who = "the learners behind these scores are" if unstable is None else _are(unstable)
    return (
        f"{who} not known to be stable; with {design}, learners that select or switch "
        f"(stumps, nearest neighbours, tuning inside) were measured to reject {rate} % of "
        "true null hypotheses at a nominal 0.05."
    )


def _ordered_rows(case: Case) -> str | None:
    if not case.sample.ordered:
        return None
    return (
        "every training set lies before its test set, so that the training sets contain "
        "each other and the test blocks follow each other in time; no correction was "
        "derived for that."
    )


def _split_groups(case: Case) -> str | None:
    if not case.context.splits_groups:
        return None
    return (
        "rows of one group stand on both sides of a split, because the splitter does not "
        "look at groups: scores are too good and splits more alike than they are."
    )


def _few_test_rows(case: Case) -> str | None:
    rows = case.context.min_test_rows
    if rows is None or rows >= 30:
        return None
    return (
        f"some split tests on {rows} row{'s' if rows > 1 else ''} only, too few for its "
        "score to be near normal."
    )


def _few_units(case: Case) -> str | None:
    n = case.sample.n_units
    if n >= 10:
        return None
    found = units(n, case.unit)
    return f"{found} are few: the test has little power and leans on its assumptions."


def _first_fold(case: Case) -> str | None:
    if case.context.procedure != "five_by_two_t":
        return None
    return (
        "estimate, interval and p-value rest on the first of the ten differences; "
        "another order of the halves gives other answers."
    )


def _few_groups(case: Case) -> str | None:
    n = case.context.n_groups
    if n is None or n >= 10:
        return None
    return f"{n} groups are few: a mean over training sets of so few groups is hardly known."


def _repeated_splits(case: Case) -> str | None:
    n = case.context.repeated_splits
    if n == 0:
        return None
    return f"{units(n, 'split')} test on the same rows as another, and add no information."


def _identical(case: Case) -> str | None:
    if case.differences is None or case.differences.any() or case.context.degenerate:
        return None
    return (
        f"both score the same on every {every(case.unit)}: no variance, and nothing to "
        "test. Are they the same model?"
    )


def _no_variance(case: Case) -> str | None:
    if case.context.degenerate:
        return case.context.degenerate
    if np.isnan(case.outcome.pvalue):
        return (
            f"the difference is the same on every {every(case.unit)}, so that no t test "
            "is possible."
        )
    return None


def _opposite_directions(case: Case) -> str | None:
    if case.differences is None:
        return None
    effects = case.outcome.effect_sizes
    mean = float(np.mean(case.differences))
    ranks = effects.get("rank-biserial", 0.0)
    wins = effects.get("common-language", 0.5) - 0.5
    for value, threshold, what in (
        (ranks, 0.3, "the ranks"),
        (wins, 0.2, f"the number of {every(case.unit)}s won"),
    ):
        if mean * value < 0 and abs(value) >= threshold:
            mean_winner, other = ("A", "B") if mean > 0 else ("B", "A")
            return (
                f"the mean difference favours {mean_winner}, but {what} "
                f"{'favour' if what == 'the ranks' else 'favours'} {other}: "
                "a few large differences outweigh many small ones."
            )
    return None


def _many_ties(case: Case) -> str | None:
    differences = case.differences
    if differences is None or not differences.any() or case.sample.unit == "instance":
        return None
    ties = float(np.mean(differences == 0))
    if ties < 0.5:
        return None
    return f"the scores are equal on {100 * ties:.0f} % of the {every(case.unit)}s."


def _empty_interval(case: Case) -> str | None:
    interval = case.outcome.confidence_interval(case.confidence_level)
    if not np.isnan(interval.low) or np.isnan(case.outcome.pvalue):
        return None
    return "no common difference fits the ten differences, so that no interval exists."


def _imbalance(case: Case) -> str | None:
    context = case.context
    share = context.majority_share
    if share is None or share < 0.9 or not context.majority_baseline:
        return None
    if context.metric not in ("accuracy", "accuracy_score", "f1_micro", "f1_weighted"):
        return None
    return (
        f"{100 * share:.0f} % of the rows are of one class, so that guessing it is nearly "
        f"unbeatable in {context.metric}."
    )


def _trivial_baseline(case: Case) -> str | None:
    share, k, metric = case.context.majority_share, case.context.n_classes, case.context.metric
    if share is None or k is None:
        return None
    if metric in ("balanced_accuracy", "matthews_corrcoef") or metric.startswith("roc_auc"):
        return f"a baseline that ignores X scores chance level in {metric} by construction."
    if share <= 1.1 / k:
        return f"the {k} classes are balanced: the majority class is as good as any guess."
    return None


def _cannot_repeat(case: Case) -> str | None:
    unseeded = case.context.unseeded
    return f"{_have(unseeded)} no random_state." if unseeded else None


def _several_unadjusted(case: Case) -> str | None:
    n = case.context.n_unadjusted
    if n < 2:
        return None
    return (
        f"{n} metrics were tested, and the p-values are not adjusted for it: the chance "
        f"that at least one is below 0.05 by luck is up to {1 - 0.95**n:.2f}."
    )


def _are(names: Collection[str]) -> str:
    return " and ".join(sorted(names)) + (" are" if len(names) > 1 else " is")


def _have(names: Collection[str]) -> str:
    return " and ".join(sorted(names)) + (" have" if len(names) > 1 else " has")


DOUBTS = (
    DoubtKind(
        code="SKS101",
        title="overlapping splits tested as independent",
        when="A test for independent units (:func:`~skstat.stats.paired_t`, "
        ":func:`~skstat.stats.wilcoxon`, :func:`~skstat.stats.sign_test`, "
        ":func:`~skstat.stats.sign_flip`) was asked of splits of one data set.",
        advice="Use the corrected t test (the default). Keep the uncorrected one only to "
        "show what a published result would have been.",
        find=_treated_as_independent,
    ),
    DoubtKind(
        code="SKS102",
        title="a single K-fold",
        when="The splits are one complete partition: a K-fold cross-validation without "
        "repeats.",
        advice="Repeat it (``RepeatedStratifiedKFold``), or use the default design of 30 "
        "random splits. The test is valid but weak: a power of 0.16 was measured where "
        "ten repeats had 0.44.",
        find=_single_k_fold,
    ),
    DoubtKind(
        code="SKS103",
        title="learner not known to be stable",
        when="The design is a repeated K-fold, five times two halves, or random splits "
        "with small test sets (test to training size 0.3 or less), and a learner is "
        "not on the list of those known to be stable. For bare scores nothing is "
        "known of the learners, and the doubt is raised too.",
        advice="Use larger test sets, which make the correction stronger: the default "
        "design tests on one third of the rows. Type I error of a decision stump: 0.21 "
        "with 10x10 folds, 0.04 with 30 splits of one third.",
        find=_unstable_learner,
    ),
    DoubtKind(
        code="SKS104",
        title="rows in time order",
        when="Every training set lies before its test set in row order, as "
        "``TimeSeriesSplit`` does.",
        advice="Compare the forecasts on one long test stretch with a test for series "
        "(Diebold & Mariano 1995), or read the interval as a rough guide.",
        find=_ordered_rows,
    ),
    DoubtKind(
        code="SKS105",
        title="groups split between training and test",
        when="``groups`` was given, and ``cv`` puts rows of one group on both sides of a "
        "split.",
        advice="Leave ``cv`` out to get splits by group, or use a group splitter such as "
        "``GroupShuffleSplit`` or ``StratifiedGroupKFold``.",
        find=_split_groups,
    ),
    DoubtKind(
        code="SKS106",
        title="few test rows per split",
        when="Some split tests on fewer than 30 rows.",
        advice="Use fewer folds or a larger test fraction. For leave-one-out, test the "
        "pooled predictions instead.",
        find=_few_test_rows,
    ),
    DoubtKind(
        code="SKS107",
        title="few units",
        when="There are fewer than 10 units.",
        advice="Use more splits (the default has 30), seeds or data sets.",
        find=_few_units,
    ),
    DoubtKind(
        code="SKS108",
        title="the answer depends on the first fold",
        when="The test is :func:`~skstat.stats.five_by_two_t`.",
        advice="Use ``statistic='f'``, which uses all ten differences of the same fits.",
        find=_first_fold,
    ),
    DoubtKind(
        code="SKS109",
        title="few groups",
        when="``groups`` were kept together, and there are fewer than 10 of them.",
        advice="The groups are the independent observations, not their rows. Collect more "
        "groups; with fewer than 10 the corrected t test was measured to reject up to 12 % "
        "of true null hypotheses at a nominal 0.05.",
        find=_few_groups,
    ),
    DoubtKind(
        code="SKS110",
        title="splits that repeat each other",
        when="Random splits of few rows or groups drew the same test set more than once.",
        advice="Use fewer splits, or more rows or groups.",
        find=_repeated_splits,
    ),
    DoubtKind(
        code="SKS201",
        title="identical scores",
        when="A and B score the same on every unit.",
        advice="Check that two different estimators were passed. If they were, they "
        "predict alike on this data.",
        find=_identical,
    ),
    DoubtKind(
        code="SKS202",
        title="no variance",
        when="The difference is the same on every unit, and not zero.",
        advice="Typical of a perfect model against a constant baseline. A t test would "
        "claim certainty (p = 0) from a handful of equal numbers; the test on instances, "
        "given instead where predictions are at hand, counts how many rows were tested. "
        "Its claim is about the fitted models, not the learners.",
        find=_no_variance,
    ),
    DoubtKind(
        code="SKS203",
        title="mean and ranks point in opposite directions",
        when="The mean difference has one sign, and the ranks (rank-biserial at least 0.3) "
        "or the wins (a share of 0.7 or more) point the other way.",
        advice="Plot the differences. Decide which question matters: the average gain "
        "(the mean) or how often one wins (signs, ranks), and report that it matters.",
        find=_opposite_directions,
    ),
    DoubtKind(
        code="SKS204",
        title="many ties",
        when="A and B score the same on at least half of the units, but not on all. "
        "Instances are left out: a tie on an instance between two classifiers is "
        "nothing special.",
        advice="The metric is too coarse for the size of the test sets. Use a finer "
        "metric (log loss, AUC) or larger test sets.",
        find=_many_ties,
    ),
    DoubtKind(
        code="SKS205",
        title="no interval exists",
        when="The F test of a 5x2 cross-validation rejects every shift, so that its "
        "interval is empty.",
        advice="The ten differences vary more between repeats than within them. Use the "
        "corrected t test on the default design.",
        find=_empty_interval,
    ),
    DoubtKind(
        code="SKS301",
        title="baseline nearly unbeatable",
        when="A is compared with a baseline in accuracy, micro-averaged F1 or weighted F1, "
        "and at least 90 % of the rows are of one class.",
        advice="Use a metric that does not reward the majority class: balanced accuracy, "
        "ROC AUC, average precision, or costs.",
        find=_imbalance,
    ),
    DoubtKind(
        code="SKS302",
        title="trivial baseline",
        when="A is compared with a baseline that scores chance level whatever the data "
        "(balanced accuracy, Matthews correlation, ROC AUC), or the classes are "
        "balanced.",
        advice="Beating it shows only that X holds some information. Compare with a "
        "simple model, or with the result in use today, too.",
        find=_trivial_baseline,
    ),
    DoubtKind(
        code="SKS401",
        title="the run cannot be repeated exactly",
        when="An estimator, or a part of it, draws random numbers and has "
        "``random_state=None``, or the splitter given as ``cv`` has.",
        advice="Give the estimator or splitter an integer ``random_state`` to repeat the run. "
        "Left at "
        "None, the randomness of training is part of what is tested, which is fair; "
        "only exact repetition is lost.",
        find=_cannot_repeat,
    ),
    DoubtKind(
        code="SKS501",
        title="several comparisons without adjustment",
        when="Several metrics were asked for in one call.",
        advice="Name one metric beforehand, or adjust: "
        "``skstat.stats.adjust_pvalues([report[m].pvalue for m in report.metrics])``.",
        find=_several_unadjusted,
    ),
)
