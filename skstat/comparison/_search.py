"""The candidates of a fitted search: was the chosen one really the best?"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from skstat._arguments import explains_arguments
from skstat.comparison._engine import (
    AnyAdjustment,
    ask_systems,
    beside_largest_class,
    check_joint,
)
from skstat.comparison._guide import choose, refuse_model_of_splits, test_asked
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Margin, Question, Rope
from skstat.evaluation._inputs import scorer_of_loss
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._search import read_search
from skstat.report import Alternative, Report, ReportGrid
from skstat.report._build import report_of
from skstat.report._doubts import Facts
from skstat.report._evidence import SystemsEvidence, one_or_per_metric

_MANY_FOLDS = 10
_TOP = 5


@explains_arguments(
    train_size="nothing is fitted. Fit the best candidates on nine tenths of the rows: "
    "compare_estimators(best_candidates(search), X, y, train_size=0.9)."
)
def compare_search_candidates(
    search: Any,
    X: Any = None,
    y: Any = None,
    *,
    groups: Any = None,
    n_train: Any = None,
    n_test: Any = None,
    iteration: int | None = None,
    scoring: str | None = None,
    control: str | None = None,
    test: str | Procedure = "auto",
    adjustment: AnyAdjustment = "auto",
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    random_state: Any = None,
) -> Report | ReportGrid:
    """Compare the candidates of a fitted search: which of them may be the best?

    A search names the candidate with the best mean score. This function says how many others
    could be as good: multiple comparisons with the best (Hsu, 1984) [1]_ and the model
    confidence set on the scores in ``cv_results_``, and the chosen candidate against each of
    the others by the corrected t test. Because it was chosen by the same scores, its p-values
    are adjusted for all pairs of candidates. Nothing is fitted.

    Parameters
    ----------
    search : fitted search
        A fitted ``GridSearchCV``, ``RandomizedSearchCV`` or halving search of
        scikit-learn, or anything with ``cv_results_`` like theirs.
    X, y, groups : array-like, optional
        The data that the search was fitted on. ``cv_results_`` does not keep the sizes of
        the splits, which the correction needs. For K-fold partitions they follow from the
        number of folds; for other splitters give the data, or `n_train` and `n_test`.
    n_train, n_test : int or array-like of shape (n_splits,), optional
        Training and test size of every split, instead of the data.
    iteration : int, optional
        Iteration of a halving search; default the last one with two candidates or more.
        Only candidates of one iteration were fitted on equal resources.
    scoring : str, optional
        One metric of a search with several; default all, one report each.
    control : str, optional
        Compare each of the others with this one only, instead of with the chosen candidate: a
        label such as ``"C=1"``, named beforehand. p-values are then adjusted for these
        comparisons only. Labels name the step of a pipeline only where several have a
        parameter of that name.
    test : {"auto"}, str or callable, default="auto"
        Test of the pairs. ``"auto"`` is the corrected t test. Else the name of a procedure of
        :mod:`skstat.stats`, or a function from a sample to an outcome.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second, which is the chosen
        candidate, or the control.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`. For several metrics a mapping of metric to margin.
    rope : float or mapping of str to float, optional
        Read the comparison as probabilities too: that one system is better by more than this,
        that the other is, that they are practically the same (:doc:`/probabilities`). In the
        unit of the score, fixed before the scores are seen; 0 is for no such region. For
        several metrics a mapping of metric to rope. Of splits and data sets the test must have
        a law of the difference, as a Student t test has.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported. It is used for the joint
        distribution of all candidates.

    Returns
    -------
    Report or ReportGrid
        The candidates by their mean scores, named by the parameters in which they
        differ, and ``may_be_best``; one report per metric if several.

    Raises
    ------
    NotFittedError
        If the search is not fitted.
    ValueError
        If the sizes of the splits are unknown, fewer than two candidates have all of
        their scores, or arguments do not fit together.

    See Also
    --------
    best_candidates : The best of them as estimators, to be compared on more splits.
    compare_estimators : Estimators that are named beforehand.

    Notes
    -----
    A single K-fold, as searches have, can hardly find a difference where it has few folds.
    The report says so, and how to compare the best candidates on more splits. There
    ``train_size=0.9`` compares them as trained on nine tenths of the rows, where the best
    penalty, say, need not be the best one for half of the rows.

    The mean score of the chosen candidate is too optimistic an estimate of its score on new
    data: it is the largest of many. Score it on data that the search did not see.

    References
    ----------
    .. [1] Hsu, J. C. (1984). Constrained simultaneous confidence intervals for multiple
       comparisons with the best. Annals of Statistics, 12(3), 1136-1144.
       :doi:`10.1214/aos/1176346732`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_search_candidates
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> search = GridSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, cv=10).fit(X, y)
    >>> search.best_params_
    {'max_depth': 4}
    >>> sorted(compare_search_candidates(search, random_state=0).may_be_best)
    ['max_depth=1', 'max_depth=2', 'max_depth=3', 'max_depth=4']
    """
    control = None if control is None else str(control)
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, control=control,
        adjustment=adjustment, seed=draw_seed(random_state),
    )  # fmt: skip
    test = test_asked(test, question)
    refuse_model_of_splits(test)
    check_joint(adjustment, control)
    found = read_search(
        search, X, y, groups=groups, n_train=n_train, n_test=n_test, iteration=iteration
    )
    if scoring is not None and scoring not in found.tables:
        raise ValueError(
            f"scoring={scoring!r} is not a metric of the search; it has "
            f"{', '.join(found.tables)}."
        )
    metrics = list(found.tables) if scoring is None else [scoring]
    question.check_metrics(metrics)
    reports: dict[str, SystemsEvidence] = {}
    for metric in metrics:
        table = found.tables[metric]
        chosen = found.selected or table.names[int(table.scores.mean(axis=0).argmax())]
        procedure, choice = choose(
            test, table, question, control=control is not None, adjustment=adjustment
        )
        if choice is not None:
            choice = replace(choice, alternatives=tuple(map(_of_search, choice.alternatives)))
        facts = Facts(
            n_metrics=len(metrics),
            unstable=found.unstable,
            n_candidates=found.n_candidates if control is None else None,
        )
        report = ask_systems(
            table,
            procedure,
            replace(question, control=chosen if control is None else control),
            chosen_by_score=control is None,
            metric=metric,
            is_loss=metric in found.losses,
            design=found.design,
            facts=facts,
            choice=choice,
        )
        report = beside_largest_class(
            report, found.class_sizes if metric in found.hits else None
        )
        reports[metric] = replace(
            report,
            times=found.times,
            parameters=found.parameters,
            direction_assumed=scorer_of_loss(metric, found.losses),
            bounds=found.bounds[metric],
            next_step=_next_step(report, search, several=len(found.tables) > 1, groups=groups)
            if control is None
            else "",
        )
    return report_of(one_or_per_metric(reports))


def _next_step(report: SystemsEvidence, search: Any, *, several: bool, groups: Any) -> str:
    """Say how little a single K-fold can find, and write the call that finds more."""
    table, n_kept = report.sample, len(report.may_be_best)
    if table.n_repeats != 1 or n_kept < 2:
        return ""
    limits = [report[pair].interval for pair in report.pairwise.pairs]
    reach = [(high - low) / 2 for low, high in limits if math.isfinite(high - low)]
    found = ""
    if table.n_units < _MANY_FOLDS and reach:
        found = (
            f"{table.n_units} folds can hardly find a difference: a typical interval reaches "
            f"{np.median(reach):.2g} to both sides. "
        )
    top = min(n_kept, _TOP)
    which = f", scoring={report.metric!r}" if several else ""
    asked = getattr(search, "scoring", None)
    scoring = "" if asked is None else ", scoring=search.scoring"
    if isinstance(asked, str):
        scoring = f", scoring={asked!r}"
    by_group = ", groups=groups" if groups is not None or _splits_by_groups(search) else ""
    return (
        f"{found}To compare on more splits: compare_estimators("
        f"best_candidates(search, {top}{which}), X, y{scoring}{by_group})."
    )


def _splits_by_groups(search: Any) -> bool:
    """Whether the splitter of a search asked for groups, which only its fit was given."""
    cv: Any = getattr(search, "cv", None)
    if not hasattr(cv, "get_metadata_routing"):
        return False
    return bool(cv.get_metadata_routing().consumes("split", ["groups"]))


def _of_search(other: Alternative) -> Alternative:
    """Name the door that a search goes through."""
    return (
        replace(other, name="compare_search_candidates")
        if other.name == "compare_scores"
        else other
    )
