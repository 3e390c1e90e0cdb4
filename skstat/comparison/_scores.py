"""Comparison of existing scores, and of the candidates of a fitted search."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.metadata_routing import get_routing_for_object

from skstat._arguments import explains_arguments
from skstat.comparison import _engine as engine
from skstat.comparison import _score_readers as readers
from skstat.comparison._ask_scores import ask_scores, ask_slices_of_scores, columns_named
from skstat.comparison._guide import choose, refuse_model_of_splits
from skstat.comparison._question import AnyAdjustment, Margin, Procedure, Question, Rope
from skstat.evaluation._data import draw_seed
from skstat.evaluation._scoring import scorer_of_loss
from skstat.evaluation._search import read_search
from skstat.report import Report, ReportGrid
from skstat.report import _evidence as evidence
from skstat.report._doubts import Facts
from skstat.report._report import report_of
from skstat.stats._scores import Unit

_MANY_FOLDS = 10
_TOP = 5


@explains_arguments(**readers.INSTEAD)
def compare_scores(
    scores: Any,
    *,
    unit: Unit | None = None,
    n_train: Any = None,
    n_test: Any = None,
    n_repeats: int | None = None,
    paired_seeds: bool = False,
    system: str | None = None,
    item: str | Sequence[str] | None = None,
    repeat: str | None = None,
    group: Any = None,
    score: str | Sequence[str] | None = None,
    aggregate: str = "mean",
    test: str | Callable[..., Any] = "auto",
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    systems: Sequence[str] | None = None,
    scoring: str | list[str] | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    constant: float | None = None,
    by: Any = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    n_resamples: int | None = None,
    random_state: Any = None,
) -> Report | ReportGrid:
    """Compare two systems or more by scores that were computed before.

    Parameters
    ----------
    scores : run, sample, mapping, DataFrame or array-like
        A run of :func:`paired_cross_validate` or :func:`cross_validate_over_datasets`, a
        sample (:class:`~skstat.stats.PairedScores`, :class:`~skstat.stats.Scores`,
        :class:`~skstat.stats.ScoreTable`, :class:`~skstat.stats.SeedScores`), a mapping or
        DataFrame of name to scores, or an array of shape (n_units, n_systems), whose systems
        are called ``"A"``, ``"B"`` and so on. Which way they are better, `higher_is_better`
        says, or the metric's name.

        In a mapping of name to results of :func:`sklearn.model_selection.cross_validate`
        the ``test_`` scores are compared, over splits; with ``return_indices=True`` the
        sizes of the splits are known, and whether all systems had the same ones.

        A DataFrame with one row per score is read by its labels: a column of names
        (``system``, ``model``, ``estimator``, ...), one of scores (``score``, the name of
        `scoring`, or the only column of numbers that is left), and one of what the score is
        on (``dataset``, ``split`` or ``fold``, ``seed``, ``group``, ``instance``), which gives
        the unit. Other columns are named by `system`, `item` and `score`. Files are read by the
        same rules, see :func:`skstat.io.read_results`.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one row of bare numbers is. A table of folds and a table of data sets
        look alike and need different tests.
    n_train, n_test : int or array-like of shape (n_units,), optional
        Training and test size of every split; they imply ``unit="split"``.
    n_repeats : int, optional
        Complete partitions that the splits form: 10 for 10x10 cross-validation.
    paired_seeds : bool, default=False
        Whether seed i means the same for every system, because it controls the same thing in
        all of them (the order of the data, the split). Two programs that merely use the same
        number as a seed are not paired: the order of the seeds then has no meaning, and
        systems may have different numbers of seeds.
    system, item, repeat : str, optional
        Columns of a DataFrame (pandas, polars) or mapping of columns with one row per result:
        whose it is, what it is on, and which of several results of the system on the item it
        is. Items are paired; several columns (repeat and fold) name one as a list. An item
        called fold, split, seed or dataset is one, unless `unit` says otherwise. Of several
        results of an item the mean is compared, see `aggregate`. In a DataFrame with a column
        for each system leave `system` and `repeat` out.
    group : str or array-like of shape (n_rows,), optional
        Document, user or article of every row: the name of a column, also of
        :class:`skstat.io.Results`, or a label for each row. Groups are then the units: rows of
        one group may be alike.
    score : str or list of str, optional
        Its columns of scores, or the metrics of the results. Several give one report with a
        report on each.
    aggregate : {"mean", "median", "pass@k", "pass^k"}, default="mean"
        The score of an item that has several results. ``"pass@5"`` is the chance that any of
        5 samples is right, and ``"pass^5"`` that all are, both without bias [1]_.
    test : {"auto"}, str or callable, default="auto"
        ``"auto"`` goes by the unit: the corrected t test for splits (5x2 designs:
        Alpaydin's F), the sign-flip permutation test for instances and groups (that of
        Diebold and Mariano for instances in time order), Welch's t test for seeds (of
        paired ones the paired t test), Wilcoxon's test for data sets. Else the name of a
        procedure of :mod:`skstat.stats`, or a function from a sample to an outcome. It is
        applied to every pair. Three systems or more over data sets are also compared by mean
        ranks (``"mean_ranks"``, ``"exact_mean_ranks"``, ``"aligned_ranks"``, ``"quade"``,
        ``"conover"``, ``"conover_quade"``), by one critical difference of mean ranks
        (``"nemenyi"``, with a control ``"bonferroni_dunn"``), or by a function from a table to
        a :class:`~skstat.stats.PairwiseOutcome`; Friedman's test of all at once stands beside
        (beside ``"quade"`` Quade's).
        Another test of all at once (``"repeated_measures_anova"``, or a function such as
        :func:`skstat.stats.friedman`) has Wilcoxon's test of every pair beside it.
    control : str, optional
        Compare each of the others with this one only.
    adjustment : str, default="auto"
        How p-values of three systems or more are adjusted. On one data set ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`; over data sets it is ``"holm"``. Or a method of
        :func:`skstat.stats.adjust_pvalues`.
    systems : sequence of str, optional
        Which systems to compare, in this order: estimators of a run, columns of a table.
        Default: all. With `constant`, the one system to compare with it.
    scoring : str or list of str, optional
        The metric. For a run, or results of ``cross_validate``, one or several of its
        metrics, default all; for other scores the metric that they are, default ``"score"``.
    higher_is_better : bool or mapping of str to bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time. Of several metrics a mapping of
        name to bool. Where the name does not say either, higher counts as better, and the
        report says so.
    constant : float, optional
        Compare one system with this score, which was known in advance, by the
        one-sample t test; over data sets by Wilcoxon's test.
    by : str, list of str, array-like of shape (n_units,), mapping or Slices, optional
        Slices of the instances, in each of which systems are compared too: the name of a
        column of a DataFrame or of :class:`skstat.io.Results`, or several; or one value per
        row, several columns by their names, masks, or what :func:`make_slices` returned. Where
        items have several rows, values are labelled by item (the index of a Series).
        p-values and intervals are adjusted for all slices: :doc:`/slices`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second.
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
    n_resamples : int or None, default=None
        Resamples to draw, where a test draws: sign flips, the bootstrap, the joint
        distribution of three systems or more. None leaves the number to the test, which draws
        9999 or more, or none where an answer without draws is as good.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported. It is used for sign
        flips of many instances, and for the joint distribution of three systems or more. For a
        run the default is the seed of its splits.

    Returns
    -------
    Report or ReportGrid
        Two systems; three or more on one data set, or over data sets; with `by` two or more in
        every slice; or one report per metric of a run if several.

    Raises
    ------
    ValueError
        If `unit` is missing, sizes of splits are missing for a corrected test, there are
        fewer than two systems, or what is known of the direction of a metric contradicts
        itself.

    References
    ----------
    .. [1] Chen, M. et al. (2021). Evaluating large language models trained on code.
       arXiv:2107.03374.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"tree": [0.72, 0.70, 0.75, 0.71], "NB": [0.75, 0.74, 0.76, 0.75]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> report.test
    'corrected resampled t test'

    Results of scikit-learn's ``cross_validate``, of the same splits:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import ShuffleSplit, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> cv = ShuffleSplit(10, test_size=0.3, random_state=0)
    >>> results = {
    ...     name: cross_validate(model, *load_iris(return_X_y=True), cv=cv, return_indices=True)
    ...     for name, model in {
    ...         "NB": GaussianNB(),
    ...         "stump": DecisionTreeClassifier(max_depth=1),
    ...     }.items()
    ... }
    >>> report = compare_scores(results, scoring="accuracy")
    >>> report.verdict, report.evidence.sample.n_train[0], report.evidence.sample.n_test[0]
    ('better', np.int64(105), np.int64(45))

    Seeds are not paired, unless you say so:

    >>> seeds = {"new": [0.81, 0.83, 0.80, 0.84, 0.82], "old": [0.79, 0.80, 0.78]}
    >>> compare_scores(seeds, unit="seed").test
    'Welch t test over seeds'

    Rows of a log, paired by item:

    >>> log = {
    ...     "model": ["new", "old"] * 6,
    ...     "question": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
    ...     "correct": [1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0],
    ... }
    >>> report = compare_scores(log, system="model", item="question", score="correct")
    >>> report.n_units, round(report.estimate, 3)
    (6, 0.833)
    """
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, test=test, control=control,
        constant=constant, adjustment=adjustment, in_slices=by is not None,
        n_resamples=n_resamples,
    )  # fmt: skip
    described = readers.Description(
        unit=unit, n_train=n_train, n_test=n_test, n_repeats=n_repeats,
        paired_seeds=paired_seeds, systems=systems, scoring=scoring, constant=question.constant,
        higher_is_better=higher_is_better, system=system, item=item, group=group,
        repeat=repeat, score=score, aggregate=aggregate, by=columns_named(scores, by),
    )  # fmt: skip
    loaded = readers.read_scores(scores, described)
    if by is not None:
        question = replace(question, seed=draw_seed(random_state))
        return report_of(ask_slices_of_scores(loaded, scores, by, question))
    return report_of(ask_scores(loaded, question, random_state))


@explains_arguments(
    n_train="pass X (and y, groups) that the search was fitted on.",
    n_test="pass X (and y, groups) that the search was fitted on.",
    train_size="nothing is fitted. Fit the best candidates on nine tenths of the rows: "
    "compare_estimators(best_candidates(search), X, y, train_size=0.9).",
)
def compare_search_candidates(
    search: Any,
    X: Any = None,
    y: Any = None,
    *,
    groups: Any = None,
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
        number of folds; for other splitters give the data.
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
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, test=test, control=control,
        adjustment=adjustment, seed=draw_seed(random_state),
    )  # fmt: skip
    test, control = question.test, question.control
    refuse_model_of_splits(test)
    read = read_search(search, X, y, groups=groups, iteration=iteration)
    if scoring is not None and scoring not in read.tables:
        raise ValueError(
            f"scoring={scoring!r} is not a metric of the search; it has "
            f"{', '.join(read.tables)}."
        )
    metrics = list(read.tables) if scoring is None else [scoring]
    question = question.about(metrics)
    reports: dict[str, evidence.ComparisonEvidence] = {}
    for metric in metrics:
        table = read.tables[metric]
        chosen = read.selected or table.names[int(table.scores.mean(axis=0).argmax())]
        n_candidates = read.n_candidates if control is None else None
        compared = engine.Scored(
            sample=table,
            names=table.names,
            metric=metric,
            is_loss=metric in read.facts["losses"],
            design=read.design,
            facts=Facts(unstable=read.unstable, n_candidates=n_candidates),
            chosen=choose(test, table, question, door="compare_search_candidates"),
        )
        with_control = replace(question, control=chosen if control is None else control)
        report = engine.ask_family(compared, with_control)
        report = engine.with_guessing_doubts(
            report, read.class_sizes if metric in read.facts["hits"] else None
        )
        reports[metric] = replace(
            report,
            times=read.times,
            parameters=read.parameters,
            direction_assumed=scorer_of_loss(metric, read.facts["losses"]),
            bounds=read.facts["bounds"][metric],
            next_step=_next_step(report, search, several=len(read.tables) > 1, groups=groups)
            if control is None
            else "",
        )
    return report_of(evidence.one_or_per_metric(reports))


def _next_step(
    report: evidence.ComparisonEvidence, search: Any, *, several: bool, groups: Any
) -> str:
    """Return advice after a single K-fold: its low power, and a call with more splits."""
    table, n_kept = report.sample, len(report.may_be_best)
    if table.n_repeats != 1 or n_kept < 2:
        return ""
    low, high = report.pairwise.outcomes.limits(report.levels)
    half_widths = [width / 2 for width in (high - low).tolist() if math.isfinite(width)]
    lead = ""
    if table.n_units < _MANY_FOLDS and half_widths:
        lead = (
            f"{table.n_units} folds can hardly find a difference: a typical interval reaches "
            f"{np.median(half_widths):.2g} to both sides. "
        )
    top = min(n_kept, _TOP)
    scoring_argument = f", scoring={report.metric!r}" if several else ""
    scoring_used = getattr(search, "scoring", None)
    scoring = "" if scoring_used is None else ", scoring=search.scoring"
    if isinstance(scoring_used, str):
        scoring = f", scoring={scoring_used!r}"
    splitter = get_routing_for_object(getattr(search, "cv", None))
    needs_groups = groups is not None or splitter.consumes("split", ["groups"])
    by_group = ", groups=groups" if needs_groups else ""
    return (
        f"{lead}To compare on more splits: compare_estimators("
        f"best_candidates(search, {top}{scoring_argument}), X, y{scoring}{by_group})."
    )
