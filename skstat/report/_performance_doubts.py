"""Doubts about estimates of performance."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from skstat.report._case import Doubt
from skstat.report._doubts import DoubtKind
from skstat.report._numbers import units
from skstat.report._performance_report import PerformanceRow

_TAKES_FOR_STABLE = ("corrected_t", "cross_validation", "nested_cv")
_FAR = 5.0  # standard errors
_FEW_ROWS, _FEW_GROUPS, _FEW_SPLITS, _FEW_HALVINGS = 30, 20, 15, 5


@dataclass(frozen=True, kw_only=True)
class PerformanceCase:
    """What the doubts about an estimate look at.

    Attributes
    ----------
    method : str
        Name of the method.
    row : PerformanceRow
        The estimate.
    fell_back : bool
        Whether the scores of the method's own units did not vary.
    unstable : collection of str
        Estimators not known to be stable.
    unseeded : collection of str
        Estimators that no second run can repeat.
    min_test_rows : int
        Rows of the smallest test set.
    test_share : float
        Test size for each training row or group.
    n_groups : int or None
        Groups, where they are kept together.
    splits_groups : bool
        Whether groups lie on both sides of a split.
    ordered : bool
        Whether every training set lies before its test set.
    n_repeats : int or None
        Complete partitions that the splits form; None where they form none.
    """

    method: str
    row: PerformanceRow
    fell_back: bool = False
    unstable: Collection[str] = ()
    unseeded: Collection[str] = ()
    min_test_rows: int = _FEW_ROWS
    test_share: float = 0.5
    n_groups: int | None = None
    splits_groups: bool = False
    ordered: bool = False
    n_repeats: int | None = None


def find_performance_doubts(case: PerformanceCase) -> tuple[Doubt, ...]:
    """Return the doubts that apply to an estimate, in the order of their codes.

    Parameters
    ----------
    case : PerformanceCase
        The estimate, and what is known beside.

    Returns
    -------
    tuple of Doubt
        Those of :data:`PERFORMANCE_DOUBTS` that were found.

    Examples
    --------
    >>> from skstat.report import PerformanceCase, PerformanceRow, find_performance_doubts
    >>> from skstat.stats import holdout_estimate
    >>> row = PerformanceRow(name="tree", estimate=holdout_estimate([1, 1, 0, 1]))
    >>> case = PerformanceCase(method="holdout", row=row)
    >>> [doubt.code for doubt in find_performance_doubts(case)]
    ['SKS601']
    """
    found = ((kind, kind.find(case)) for kind in PERFORMANCE_DOUBTS)
    return tuple(
        Doubt(code=kind.code, title=kind.title, text=text)
        for kind, text in found
        if text is not None
    )


def few_independent(case: PerformanceCase) -> str | None:
    n, unit = case.row.estimate.n_units, case.row.estimate.unit
    fewest = {
        "instance": _FEW_ROWS,
        "group": _FEW_GROUPS,
        "split": _FEW_SPLITS,
        "halving": _FEW_HALVINGS,
    }[unit]
    if n >= fewest:
        return None
    return f"{units(n, unit)} are few to know a spread from; the interval leans on its law."


def learner_selects(case: PerformanceCase) -> str | None:
    if case.row.name not in case.unstable or case.method not in _TAKES_FOR_STABLE:
        return None
    if case.method == "corrected_t" and case.test_share >= 0.3:
        return None
    return (
        f"{case.row.name} may select or switch, as stumps, nearest neighbours and tuning "
        "inside do; the 95 % interval of such a learner was measured to hold the truth in 70 "
        "to 90 % of all cases only."
    )


def fitted_models_only(case: PerformanceCase) -> str | None:
    if case.method != "cross_validation":
        return None
    return (
        "the interval is for the mean score of the models of this one cross-validation; that "
        "of the learner varies with the training rows too."
    )


def nothing_varies(case: PerformanceCase) -> str | None:
    if not case.fell_back:
        return None
    return (
        f"the scores of {case.row.name} do not vary, so that the method has no standard error; "
        "the interval, if there is one, counts every tested row once, as one test set."
    )


def small_test_sets(case: PerformanceCase) -> str | None:
    rows = case.min_test_rows
    if rows >= _FEW_ROWS or case.method not in ("corrected_t", "conservative_z"):
        return None
    return (
        f"some split tests on {rows} row{'s' * (rows > 1)} only, too few for its score to be "
        "near normal."
    )


def groups_on_both_sides(case: PerformanceCase) -> str | None:
    if not case.splits_groups:
        return None
    return (
        "rows of one group stand on both sides of a split, because the splitter does not look "
        "at groups: the scores are too good."
    )


def in_time_order(case: PerformanceCase) -> str | None:
    if not case.ordered:
        return None
    return (
        "every training set lies before its test set: the splits follow each other in time, "
        "and no interval was derived for that."
    )


def not_repeatable(case: PerformanceCase) -> str | None:
    if case.row.name not in case.unseeded:
        return None
    return (
        f"{case.row.name} has no random_state: its own randomness is part of the estimate, and "
        "the run cannot be repeated exactly."
    )


def few_groups_in_all(case: PerformanceCase) -> str | None:
    if case.n_groups is None or case.n_groups >= _FEW_GROUPS or case.method == "holdout":
        return None
    return (
        f"{case.n_groups} groups are few to speak of groups that were not seen, however many "
        "rows they hold."
    )


def single_k_fold(case: PerformanceCase) -> str | None:
    if case.n_repeats != 1 or case.method != "corrected_t":
        return None
    return (
        "a single K-fold cross-validation, whose test sets do not overlap, with the correction "
        "for such as do: the interval is about 1.4 times as wide as need be."
    )


def known_by_heart(case: PerformanceCase) -> str | None:
    error, gap = case.row.estimate.standard_error, case.row.gap
    if case.method not in ("bootstrap632", "bootstrap632+") or not error or gap is None:
        return None
    if gap <= _FAR * error:
        return None
    return (
        f"{case.row.name} scores {gap / error:.0f} standard errors better in training: it "
        "knows much of the training rows by heart, and the estimate takes that for a part of "
        "the answer. Of the nearest neighbour the interval never held the truth (.632), or in "
        "half of all cases (.632+)."
    )


def _kind(
    code: str, title: str, when: str, advice: str, find: Callable[..., str | None]
) -> DoubtKind:
    return DoubtKind(code=code, title=title, when=when, advice=advice, find=find)


PERFORMANCE_DOUBTS = (
    _kind(
        "SKS601",
        "few units for an interval",
        "The standard error of an estimate comes from fewer than 30 rows, 20 groups, 15 splits "
        "or 5 halvings.",
        "Use more splits, or a larger test set.",
        few_independent,
    ),
    _kind(
        "SKS602",
        "learner not known to be stable",
        "The estimator may select or switch on small changes of the training rows, and the "
        "method takes its models for much alike.",
        "Use ``method='corrected_t'`` with one third of the rows for testing, the default for "
        "such learners, or another method; the coverage that was measured is in "
        ":doc:`performance`.",
        learner_selects,
    ),
    _kind(
        "SKS603",
        "the models of one cross-validation",
        "The method is ``'cross_validation'``.",
        "For the learner use ``'corrected_t'`` or ``'nested_cv'``.",
        fitted_models_only,
    ),
    _kind(
        "SKS604",
        "no variance",
        "The scores that a standard error would come from are all alike, as those of a perfect "
        "model are.",
        "Test on more rows, or by a finer metric (log loss in place of accuracy).",
        nothing_varies,
    ),
    _kind(
        "SKS605",
        "small test sets",
        "Some split tests on fewer than 30 rows.",
        "Use a larger test fraction.",
        small_test_sets,
    ),
    _kind(
        "SKS606",
        "groups split between training and test",
        "``groups`` was given, and ``cv`` puts rows of one group on both sides of a split.",
        "Leave ``cv`` out to get splits by group.",
        groups_on_both_sides,
    ),
    _kind(
        "SKS607",
        "rows in time order",
        "Every training set lies before its test set, as ``TimeSeriesSplit`` does.",
        "Hold the last stretch out, and read its interval as one of independent rows.",
        in_time_order,
    ),
    _kind(
        "SKS608",
        "few groups",
        "Groups are kept together, and there are fewer than 20 of them.",
        "Collect more groups; rows of the same groups do not help.",
        few_groups_in_all,
    ),
    _kind(
        "SKS609",
        "the run cannot be repeated exactly",
        "An estimator draws random numbers and has no ``random_state``.",
        "Give it one if exact repetition matters; the estimate then is for this seed.",
        not_repeatable,
    ),
    _kind(
        "SKS610",
        "a single K-fold",
        "The method is ``'corrected_t'``, and ``cv`` is one K-fold cross-validation.",
        "Leave ``cv`` out, or repeat it (``RepeatedStratifiedKFold``). For the fitted models "
        "alone there is ``method='cross_validation'``.",
        single_k_fold,
    ),
    _kind(
        "SKS611",
        "training rows known by heart",
        "The method is ``'bootstrap632'`` or ``'bootstrap632+'``, and the score in training is "
        "more than five standard errors better than the estimate.",
        "Use ``'bootstrap'``, which does not look at the score in training, or "
        "``'corrected_t'``.",
        known_by_heart,
    ),
)
