"""Scores that the caller has: a run, a sample, or bare numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison._ask_scores import (
    Request,
    ask_scores,
    ask_slices_of_scores,
    columns_named,
)
from skstat.comparison._engine import AnyAdjustment, check_joint, check_slices_adjustment
from skstat.comparison._guide import test_asked
from skstat.comparison._question import Margin, Question, Rope
from skstat.comparison._score_readers import INSTEAD, Description, read_scores
from skstat.evaluation._random_state import draw_seed
from skstat.report import Report, ReportGrid
from skstat.report._build import report_of
from skstat.stats._samples import check_constant, check_count


@explains_arguments(**INSTEAD)
def compare_scores(
    scores: Any,
    *,
    unit: stats.Unit | None = None,
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
        :func:`skstat.stats.quade`) has Wilcoxon's test of every pair beside it.
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
    constant = None if constant is None else check_constant(constant)
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope,
        control=control,
        adjustment=adjustment if by is None else check_slices_adjustment(adjustment),
        n_resamples=None if n_resamples is None else check_count("n_resamples", n_resamples),
    )  # fmt: skip
    if by is None:
        check_joint(adjustment, control)
    described = Description(
        unit=unit,
        n_train=n_train,
        n_test=n_test,
        n_repeats=n_repeats,
        paired_seeds=paired_seeds,
        systems=systems,
        scoring=scoring,
        higher_is_better=higher_is_better,
        one_system=constant is not None,
        system=system,
        item=item,
        group=group,
        repeat=repeat,
        score=score,
        aggregate=aggregate,
        by=columns_named(scores, by),
    )
    request = Request(
        test=test_asked(test, question),
        constant=constant,
    )
    given = read_scores(scores, described)
    if by is not None:
        question = replace(question, seed=draw_seed(random_state))
        return report_of(ask_slices_of_scores(given, scores, by, question, request))
    return report_of(ask_scores(given, question, request, random_state))
