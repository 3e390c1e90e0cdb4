"""Predictions on one test set: the front door."""

from collections.abc import Mapping
from typing import Any, Literal

from skstat._arguments import explains_arguments
from skstat._directions import said_of
from skstat.comparison import _engine as engine
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import AnyAdjustment, Margin, Question, Rope
from skstat.evaluation._data import draw_seed
from skstat.evaluation._slices import slices_of
from skstat.metrics import ScoreMetric, as_metric
from skstat.metrics._metric import MetricArgumentError, with_direction_of_values
from skstat.report import Report, ReportGrid
from skstat.report._evidence import one_or_per_metric
from skstat.report._report import report_of
from skstat.stats import Predictions
from skstat.stats._chance import DEFAULT_RESAMPLES


@explains_arguments(verbose="draws that take more than a few seconds tell so by themselves.")
def compare_predictions(
    y_true: Any,
    predictions: Any = None,
    *,
    metric: Any,
    test: str | Procedure = "auto",
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    groups: Any = None,
    sample_weight: Any = None,
    strata: Any = None,
    order: Any = None,
    horizon: int | None = None,
    by: Any = None,
    seeds: Literal["crossed", "average", "means", "per-seed", "pooled"] | None = None,
    paired_seeds: bool = False,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    interval: engine.Interval | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    rope: Rope = None,
    n_resamples: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> Report | ReportGrid:
    """Compare two or more systems by their predictions for one test set.

    The answer is about these fitted systems, on the population that the test set was drawn
    from. It says nothing about other training data or seeds, unless `seeds` are given.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth: labels, numbers, or references as strings. A pandas index, or the keys of a
        mapping, are labels of the rows, by which predictions, groups, weights, strata and
        times are matched; other labels are refused. Or
        :class:`~skstat.stats.Predictions` alone, truth and predictions with counts of rows:
        :ref:`counted-rows`.
    predictions : mapping or DataFrame of str to array-like
        Predictions of two or more systems in the order of `y_true`: labels, probabilities or
        scores as the metric needs. Probabilities are vectors (of the positive class) or
        matrices in the order of ``predict_proba``. With `seeds` a sequence of such predictions
        for each system, one per seed.
    metric : str, callable or scorer, or a list or dict of these
        Name of a scorer, function of :mod:`sklearn.metrics`, ``make_scorer`` object, or any
        function ``(y_true, y_pred)`` to a number, corpus-level ones over lists of strings
        included. Several metrics give one report each, from the same seed.
    test : {"auto"}, str or callable, default="auto"
        ``"auto"``: McNemar's mid-p test for the accuracy, DeLong's for the ROC AUC,
        else the permutation test that swaps the systems' outputs, with the interval
        that inverts it. With `groups` the cluster-robust t test for means over rows in 30
        groups or more, else the permutation test by group; with `order` the test of
        Diebold and Mariano for means over rows, else a bootstrap of blocks. Other
        names are those of :mod:`skstat.stats`: ``"paired_permutation"``,
        ``"paired_bootstrap"``, ``"mcnemar"``, ``"delong"``, ``"clustered_t"``,
        ``"sign_flip"``, ``"sign"``, ``"wilcoxon"``, ``"paired_t"``. A function
        takes the sample that its first parameter is annotated with.
    control : str, optional
        Compare each of the others with this one only, of three systems or more.
    adjustment : str, default="auto"
        How p-values and intervals of three systems or more are adjusted. ``"auto"`` is
        ``"max-t"``, the joint distribution of all comparisons, where the test has one, and
        else ``"holm"``: :doc:`/several`. Or a method of :func:`skstat.stats.adjust_pvalues`.
        With `interval` ``"auto"`` is ``"holm"``.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units that are
        resampled and swapped; at least six are needed.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows in the metric.
    strata : array-like of shape (n_rows,), optional
        Strata whose sizes every bootstrap resample keeps; ``strata=y_true`` if the numbers of
        each class were fixed when the test set was made.
    order : array-like of shape (n_rows,), optional
        Time of every row, if rows follow each other.
    horizon : int, optional
        Steps ahead of the forecasts, up to which differences may correlate: the test of
        Diebold and Mariano then takes the variance by its formula, and blocks are at least
        that long. By default the test estimates from the data how far they do.
    by : array-like of shape (n_rows,), DataFrame, mapping, callable or Slices, optional
        Slices of the rows, in each of which systems are compared too: a column whose
        values name them, several columns by their names, masks of True and False by the names
        of slices in a mapping, a function of `y_true` that returns one of these, or what
        :func:`make_slices` returned. p-values and intervals are adjusted for all slices:
        :doc:`/slices`.
    seeds : {"crossed", "average", "means", "per-seed", "pooled"}, optional
        How several seeds of each system are treated. ``"crossed"`` treats seeds and rows as
        random. The others are in common use and ignore some variance; the report says which.
    paired_seeds : bool, default=False
        Whether seed i means the same for every system, because it controls the same thing in
        all of them (the order of the data, the split).
    labels : array-like, optional
        Classes that an average runs over; by default, as in scikit-learn, those in the truth
        or predictions of each resample.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    higher_is_better : bool or mapping of str to bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time. Of several metrics a mapping of
        name to bool. Where the name of a function does not say, higher counts as better, and
        the report says so.
    interval : {"percentile", "basic", "bca"}, optional
        Kind of bootstrap interval. By default that of the test itself: the permutation test
        has the differences that it does not reject, so that p-value and interval agree; the
        bootstrap has percentiles.
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
        Permutations and bootstrap resamples. None: 9999, and none where a saddlepoint
        approximation of a mean over 500 rows or more needs no draws. Of a
        function of your own that would take more than a minute 1999 or 999 are drawn, and the
        report says so. A bar is shown where they take more than a few seconds.
    n_jobs : int or None, default=None
        Number of processes for slow metrics; None is one, -1 as many as cores. They are started
        only if that saves time, and the result does not depend on them.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.

    Returns
    -------
    Report or ReportGrid
        One comparison; several systems, all of their pairs; with ``seeds="per-seed"`` one
        comparison per seed; with `by` one per slice, of each pair; or one report per metric.

    Raises
    ------
    ValueError
        If lengths differ, predictions are not of the kind the metric needs, or the test
        does not fit metric, groups, weights or order. The message says what to do.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_predictions
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> systems = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    >>> predictions = {
    ...     name: system.fit(X_train, y_train).predict(X_test)
    ...     for name, system in systems.items()
    ... }
    >>> report = compare_predictions(y_test, predictions, metric="f1_macro", random_state=0)
    >>> report.test
    'paired permutation test, outputs swapped by instance (exact)'
    """
    question = Question.of(
        alternative, confidence_level, margin=margin, rope=rope, test=test, control=control,
        adjustment=adjustment, in_slices=by is not None, n_resamples=n_resamples,
        usual_draws=DEFAULT_RESAMPLES, seed=draw_seed(random_state), interval=interval,
        workers=engine.Blocks(n_jobs), horizon=horizon,
    )  # fmt: skip
    if by is not None and order is not None:
        raise ValueError(
            "by= and order= cannot be combined. Compare the rows of one slice with order=, and "
            "say how many slices were looked at."
        )
    if order is None and horizon is not None:
        raise ValueError(f"horizon={horizon!r} needs order=, the time of every row.")
    metrics = as_metrics(
        metric, labels=labels, pos_label=pos_label, higher_is_better=higher_is_better
    )
    beside = {"groups": groups, "sample_weight": sample_weight, "strata": strata}
    rows: dict[str, Any] = {**beside, "order": order}
    draw: Any = "joint" if len(metrics) > 1 else "cells"  # several metrics share draws
    named: dict[str, Any] = {}
    if isinstance(y_true, Predictions):
        _check_counts(y_true, {"predictions": predictions, **rows, "seeds": seeds, "by": by})
        everything = y_true.with_(draw=draw)
    else:
        named = engine.named_predictions(predictions)
        metrics = {
            name: with_direction_of_values(chosen, y_true, named.values())
            for name, chosen in metrics.items()
        }
    question = question.about(metrics)
    if seeds is not None or paired_seeds:
        how = {"ordered": order is not None, "sliced": by is not None}
        engine.check_seeds(seeds, question, named, **how)
    if named and seeds is None:
        of_rows = y_true, named, next(iter(metrics.values()))
        everything = Predictions(*of_rows, **rows, draw=draw)
        if horizon is not None:
            longest = max(1, everything.n_rows // 2)
            length = max(everything.block_length or 1, min(horizon, longest))
            everything = Predictions(*of_rows, **rows, draw=draw, block_length=length)
    slices: Any = None
    if by is not None:
        outputs = {} if seeds else {f"predictions[{n!r}]": own for n, own in named.items()}
        by = by(y_true) if callable(by) else by
        slices = slices_of(by, len(y_true), {"y_true": y_true} | outputs)

    def ask(metric: ScoreMetric) -> Any:
        compared: engine.Compared
        if seeds is None:
            compared = engine.Predicted.of(everything.with_(metric=metric))
        else:
            runs = y_true, named, metric, beside
            compared = engine.Seeded.read(*runs, seeds=seeds, paired_seeds=paired_seeds)
            if seeds == "per-seed":
                return engine.compare_seed_by_seed(compared, question)
        if slices is not None:
            return engine.compare_in_slices(compared, slices, question)
        return engine.compare(compared, question)

    return report_of(one_or_per_metric({name: ask(of) for name, of in metrics.items()}))


def _check_counts(counts: Predictions, beside: Mapping[str, Any]) -> None:
    """Refuse what belongs to single rows, beside counts of them."""
    for argument, value in beside.items():
        if value is not None:
            raise ValueError(
                f"{argument}= belongs to single rows, and counts hold only how many "
                f"rows there are of each kind: leave {argument}= out, or pass the rows, "
                "compare_predictions(y_true, predictions)."
            )
    if len(counts.names) < 2:
        raise ValueError(
            f"the counts hold {len(counts.names)} system(s); at least 2 are compared."
        )


def as_metrics(
    metric: Any, *, higher_is_better: Any = None, **options: Any
) -> dict[str, ScoreMetric]:
    """Return metrics by name; `higher_is_better` is of all of them, or by name."""
    if isinstance(metric, dict):
        written = [(m, {**options, "name": str(name)}) for name, m in metric.items()]
    elif isinstance(metric, list | tuple | set):
        listed = sorted(metric, key=str) if isinstance(metric, set) else list(metric)
        written = [(m, _where_it_fits(m, options, listed)) for m in listed]
    else:
        written = [(metric, options)]
    found = [as_metric(m, **fitting) for m, fitting in written]
    shown = [m.name.removeprefix("neg_") if m.is_loss else m.name for m in found]
    said = said_of(higher_is_better, shown)
    found = [
        as_metric(m, higher_is_better=said[name], **fitting) if name in said else known
        for known, name, (m, fitting) in zip(found, shown, written, strict=True)
    ]
    names = list(map(str, metric)) if isinstance(metric, dict) else [m.name for m in found]
    named = dict(zip(names, found, strict=True))
    if len(named) < len(found):
        raise ValueError(
            f"metric names a metric twice ({names}); pass a dict of name to metric."
        )
    if not named:
        raise ValueError("metric is empty; name at least one.")
    return named


def _where_it_fits(metric: Any, options: dict[str, Any], metrics: Any) -> dict[str, Any]:
    """Leave out labels and pos_label of a metric, if others take them and it does not."""
    for argument in ("labels", "pos_label"):
        if options.get(argument) is None or _takes(metric, argument, options):
            continue
        if any(_takes(other, argument, options) for other in metrics):
            options = {**options, argument: None}
    return options


def _takes(metric: Any, argument: str, options: dict[str, Any]) -> bool:
    try:
        as_metric(metric, **{argument: options[argument]})
    except ValueError as error:
        return not isinstance(error, MetricArgumentError)
    return True
