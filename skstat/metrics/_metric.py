"""Metrics as users pass them, with their scores and resampling kernels."""

import inspect
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names

from skstat._arguments import explains_arguments
from skstat._directions import SAY_OTHERWISE, SCORER_SAYS_OTHERWISE, direction_of
from skstat.metrics import _output_kinds as kinds
from skstat.metrics._known import Chance, KnownMetric, metric_facts
from skstat.metrics._output_kinds import Kind
from skstat.metrics._scorers import ScorerOfOutputs, is_scorer, read_metric
from skstat.metrics._sums import cost_sensitive_error, is_cost, label_codes
from skstat.stats import Predictions, SumKernel
from skstat.stats._kernels import Kernel
from skstat.stats._predictions import Metric, Work, callable_kernel
from skstat.stats._procedure import parameters_of
from skstat.stats._read import score_by
from skstat.stats._scores import indices_of

# The metric is called once on about this many rows, to verify its formula.
_ROWS_TO_CHECK = 2_000


class MetricArgumentError(ValueError):
    """A valid argument does not apply to a metric."""


@dataclass(frozen=True, eq=False)
class ScoreMetric:
    """A metric of predictions, higher is better, that knows how it can be resampled.

    Made by :func:`as_metric`.

    Attributes
    ----------
    name : str
        Name for reports; a negated loss starts with ``neg_``.
    is_loss : bool
        Whether the score is a negated loss.
    function : callable
        ``(y_true, y_pred)`` to a number, of the original sign.
    options : mapping
        Keyword arguments of `function`.
    pos_label : object
        Label of the positive class, for metrics of scores.
    kind : str
        Kind of predictions it needs: labels, numbers, probabilities, scores or anything.
    known : str
        Name of the scikit-learn function whose kernel fits; empty if none does.
    own_kernel : callable or None
        From predictions to a kernel, for a metric with a kernel of its own.
    direction_assumed : str
        How to state the direction of a user's own function, where it was guessed from its name;
        otherwise empty.
    """

    name: str
    is_loss: bool
    function: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    pos_label: Any = None
    kind: Kind = "anything"
    known: str = ""
    own_kernel: Callable[[Predictions], Kernel] | None = None
    direction_assumed: str = ""

    @property
    def facts(self) -> KnownMetric:
        """Facts about the function of the metric."""
        return metric_facts(self.known)

    @property
    def is_accuracy(self) -> bool:
        """Whether the metric counts the rows that are right."""
        return self.facts.counts == "hits"

    @property
    def is_whole_auc(self) -> bool:
        """Whether the metric is the whole area under the ROC curve of two classes."""
        return self.known == "roc_auc_score" and not self.is_loss and not self.options

    @property
    def is_cost(self) -> bool:
        """Whether the metric is the mean cost of predicted labels."""
        return self.known == cost_sensitive_error.__name__

    @property
    def is_mean(self) -> bool:
        """Whether the metric is a mean over rows, unless options or predictions change that."""
        return self.facts.is_mean

    @property
    def averages_one_class(self) -> bool:
        """Whether it is the score of the positive class of two, as scikit-learn averages."""
        parameters = parameters_of(self.function)
        if "average" not in parameters or "pos_label" not in parameters:
            return False
        return bool(self.options.get("average", parameters["average"].default) == "binary")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> float:
        """Score predictions; nan where the metric is undefined."""
        if self.lacks_spread(y_true, sample_weight):
            return np.nan
        weight = {} if sample_weight is None else {"sample_weight": sample_weight}
        with warnings.catch_warnings(action="ignore"):
            # Warnings of scikit-learn (as of a class without predictions in one of ten thousand
            # resamples) are expected in resampling, and undefined values are counted.
            try:
                score = score_by(
                    self.function, y_true, y_pred, self.name, **self.options, **weight
                )
            except (TypeError, ValueError) as error:
                why = kinds.why_failed(self, y_true, y_pred)
                if not why:
                    raise
                raise ValueError(why) from error
        return -score if self.is_loss else score

    def lacks_spread(self, y_true: Any, sample_weight: Any = None) -> bool:
        """Whether it is undefined because the truth is constant, as R² is."""
        # For such a truth scikit-learn returns 0 or 1, to be finite in a search. The option
        # `force_finite` is respected.
        if not self.facts.needs_spread or "force_finite" in self.options:
            return False
        y = np.asarray(y_true)
        if sample_weight is not None:  # rows of weight 0 do not count
            y = y[np.asarray(sample_weight) > 0]
        if not len(y) or y.dtype.kind not in "biuf":
            return False
        constant = (y == y[:1]).all(axis=0)
        # Weighted by their variance, constant outputs have no part in the mean.
        weighted_outputs = self.options.get("multioutput") == "variance_weighted"
        return bool(np.all(constant) if weighted_outputs else np.any(constant))

    def kernel(self, predictions: Predictions) -> Kernel:
        """Return the resampling kernel: of a formula if it agrees, else calling the metric."""
        if self.own_kernel is not None:
            return self.own_kernel(predictions)
        family = predictions.family
        if family is not None and self.kind not in ("labels", "anything"):
            # For labels, two systems have fewer kinds of rows than all, which is faster.
            indices = indices_of(family.names, predictions.names)
            if (own := family.kernel.of_systems(indices)) is not None:
                return own
        kernel, ready, metric = self.by_formula(predictions)
        if kernel is not None and self._agrees(kernel, ready, metric, predictions):
            return kernel
        return callable_kernel(ready, metric)

    def by_formula(self, predictions: Predictions) -> tuple[Kernel | None, Predictions, Any]:
        """Return the kernel of a formula, if any, without checking it against the metric."""
        kinds.check_kind(predictions, self.kind, self.name)
        ready = self.prepared(predictions)
        metric, formula = self._for_rows(predictions, ready), self.facts.kernel
        return None if formula is None else formula(ready, metric=metric), ready, metric

    def _agrees(self, kernel: Kernel, ready: Any, metric: Any, predictions: Any) -> bool:
        """Whether a formula scores every system as the metric does, called once for each.

        Another release of scikit-learn may define a metric otherwise. A system that was
        verified among others is not verified again in each of its pairs.
        """

        @cache
        def trial() -> tuple[Kernel, Predictions]:
            if ready.n_rows > 2 * _ROWS_TO_CHECK:
                sample = ready.on_rows(slice(None, None, ready.n_rows // _ROWS_TO_CHECK))
                with suppress(ValueError):  # a class of the options is not among these rows
                    if (sampled := metric.facts.kernel(sample, metric=metric)) is not None:
                        return sampled, sample
            return kernel, ready

        def same(name: str) -> bool:
            kernel, rows = trial()
            score = kernel.scores[rows.names.index(name)]
            expected = metric(rows.y_true, rows.outputs[name], rows.sample_weight)
            return bool(np.isclose(score, expected, rtol=1e-9, atol=1e-12, equal_nan=True))

        once, y, weight = predictions.cache.once, predictions.y_true, predictions.sample_weight
        return all(
            once(("agrees", self), partial(same, name), y, output, weight)
            for name, output in predictions.outputs.items()
        )

    def _for_rows(self, predictions: Predictions, ready: Predictions) -> "ScoreMetric":
        """Return the metric with the classes of all rows, as resamples may lack some."""
        if self.is_cost and self.options.get("labels") is None:
            classes = _classes_of_all(predictions)
            return replace(self, options={**self.options, "labels": classes})
        if isinstance(self.function, ScorerOfOutputs) and predictions.y_true.ndim == 1:
            known = tuple(kinds.sorted_labels(predictions.y_true))
            return replace(self, function=replace(self.function, classes=known))
        recoded = self.kind != "numbers" and ready.y_true is not predictions.y_true
        labels = self.options.get("labels") if recoded else None
        if labels is not None and sorted(labels) == kinds.sorted_labels(predictions.y_true):
            return replace(self, options={**self.options, "labels": [0, 1]})
        return self

    def prepared(self, predictions: Predictions) -> Predictions:
        """Return predictions in double precision; scores of a positive class with 0/1 truth."""
        ready = predictions
        if self.kind in ("scores", "probabilities"):
            ready = _binary(predictions, self.pos_label, self.name) or predictions
        if self.kind in ("numbers", "probabilities"):
            clip = self.facts.is_logarithm
            ready = _doubled(ready, clip=clip, wholes=self.kind == "numbers")
        return ready


def row_scores(predictions: Predictions) -> list[NDArray[np.float64]] | None:
    """Score every row by itself, if the metric is a mean over rows; else None.

    Parameters
    ----------
    predictions : Predictions
        Predictions with a :class:`ScoreMetric`; weights and groups play no part.

    Returns
    -------
    list of ndarray of shape (n_rows,), or None
        Scores of each system, higher is better.
    """
    metric, family, facts = predictions.metric, predictions.family, predictions.work.facts
    if isinstance(metric, ScoreMetric) and not metric.is_mean:
        return None
    if facts.get("rows", (None,))[0] is not metric:  # cached for one metric at a time
        all_rows = None if family is None else row_scores(family)
        if family is None or all_rows is None or predictions.counts is not None:
            rows = _row_scores(predictions)
        else:
            rows = [all_rows[i] for i in indices_of(family.names, predictions.names)]
        facts["rows"] = metric, rows
    scores: list[NDArray[np.float64]] | None = facts["rows"][1]
    return scores


def _row_scores(predictions: Predictions) -> list[NDArray[np.float64]] | None:
    # Cached results about the rows hold without weights and groups too.
    kernel = Predictions.of_checked(
        y_true=predictions.y_true,
        outputs=predictions.outputs,
        metric=predictions.metric,
        draw="rows",
        work=Work(cache=predictions.cache),
    ).kernel
    if not isinstance(kernel, SumKernel) or not kernel.is_mean:
        return None
    common = np.asarray(kernel.common)[:, 0]
    if np.ptp(common) > 0:  # a ratio of sums: rows weigh unequally, and are no mean
        return None
    rows = [terms[:, 0] / common for terms in kernel.own]
    for row in rows:  # the samples of all pairs share them
        row.setflags(write=False)
    return rows


def bounds_of(metric: Any) -> tuple[float | None, float | None]:
    """Return the lowest and the highest score; None where there is none, or it is unknown.

    Parameters
    ----------
    metric : ScoreMetric or str
        The metric; a name has no known bounds.
    """
    if not isinstance(metric, ScoreMetric):
        return None, None
    low, high = metric.facts.bounds_for(metric.options)
    if not metric.is_loss:
        return low, high
    return (None if high is None else 0.0 - high), (None if low is None else 0.0 - low)


def metric_of_scorer(scoring: Any) -> ScoreMetric:
    """Return the metric of a scorer, without facts if it is unknown.

    Parameters
    ----------
    scoring : str or scorer
        As in the ``scoring`` of scikit-learn.
    """
    try:
        return as_metric(scoring)
    except (TypeError, ValueError):  # a scorer that only scikit-learn, or only the user, knows
        return ScoreMetric(name="", is_loss=False, function=_never_called)


@lru_cache(maxsize=256)
def is_of_labels(name: str) -> bool | None:
    """Whether a metric looks at predicted labels only; None if the name is unknown."""
    name = name if name in get_scorer_names() else name.removeprefix("neg_")
    kind = metric_of_scorer(name).kind
    return None if kind == "anything" else kind == "labels"


@explains_arguments()
def as_metric(
    metric: Any,
    *,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | None = None,
    name: str | None = None,
) -> ScoreMetric:
    """Turn a metric as scikit-learn users write it into one that can be resampled.

    Parameters
    ----------
    metric : str, callable or scorer
        A scorer's name, a function of :mod:`sklearn.metrics`, a ``functools.partial`` of
        one, a ``make_scorer`` object, or any function ``(y_true, y_pred)`` to a number.
    labels : array-like, optional
        Classes that an average runs over, for metrics that take it. By default, as in
        scikit-learn, those in the truth or the predictions of a resample.
    pos_label : object, optional
        Positive class of a binary metric.
    higher_is_better : bool, optional
        Whether high values are good. By default what is known of a function of scikit-learn.
        Of any other function higher counts as better; where it is not named like a score,
        reports say so. :func:`~skstat.compare_predictions` looks at its values too.
    name : str, optional
        Name for reports.

    Returns
    -------
    ScoreMetric
        The metric, to be given to :class:`~skstat.stats.Predictions`.

    Raises
    ------
    ValueError
        If the name is unknown or an argument does not fit the metric.

    Examples
    --------
    >>> from skstat.metrics import as_metric
    >>> from skstat.stats import Predictions
    >>> outputs = {"a": [0, 1, 1, 0], "b": [0, 0, 1, 0]}
    >>> sample = Predictions([0, 1, 1, 1], outputs, as_metric("accuracy"))
    >>> sample.difference, sample.kernel.how
    (0.25, 'counts of 3 kinds of rows')
    """
    if isinstance(metric, ScoreMetric):
        return metric
    if isinstance(metric, Metric):
        return ScoreMetric(
            name=name or metric.name,
            is_loss=metric.is_loss,
            function=_never_called,
            own_kernel=metric.kernel,
        )
    function, options, is_loss, known, label = read_metric(metric)
    if "sample_weight" in options:
        raise ValueError("metric carries a sample_weight; pass sample_weight= beside it.")
    if known == cost_sensitive_error.__name__ and "cost_matrix" not in options:
        raise ValueError("cost_sensitive_error needs costs: use cost_sensitive_scorer(costs).")
    assumed = ""
    if higher_is_better is not None:
        if is_scorer(metric) or (isinstance(metric, str) and metric in get_scorer_names()):
            if not higher_is_better:
                raise MetricArgumentError("higher_is_better= is for functions, not scorers.")
        else:
            is_loss = not higher_is_better
    elif not known and not isinstance(metric, str):
        assumed = _assumed_direction(metric, label, name, is_loss)
    kind, options = metric_facts(known).output_for(options), dict(options)
    of_scores = kind in ("scores", "probabilities")
    if of_scores and pos_label is None:
        pos_label = options.pop("pos_label", None)
    kinds.check_pos_label(pos_label)
    extra = {
        "labels": None if labels is None else kinds.check_labels(labels),
        "pos_label": None if of_scores else pos_label,
    }
    extra = {option: value for option, value in extra.items() if value is not None}
    for option in extra.keys() - parameters_of(function).keys():
        raise MetricArgumentError(f"{option} does not fit metric {label}, which takes none.")
    label = label.removeprefix("neg_") if is_loss else label
    return ScoreMetric(
        name=name or (f"neg_{label}" if is_loss else label),
        is_loss=is_loss,
        function=function,
        options=options | extra,
        pos_label=pos_label if of_scores else None,
        kind=kind,
        known=known,
        direction_assumed=assumed,
    )


def with_direction_of_values(
    metric: ScoreMetric, y_true: Any, outputs: Iterable[Any]
) -> ScoreMetric:
    """Treat a user's own function as a loss if both its name and its values suggest one.

    Parameters
    ----------
    metric : ScoreMetric
        Any metric; others are returned as they are.
    y_true : array-like
        The truth.
    outputs : iterable of array-like
        Outputs of the systems. Only the sign of the metric on them is used.
    """
    is_assumed = metric.direction_assumed == SAY_OTHERWISE
    if not is_assumed or metric.is_loss or direction_of(metric.name) is not False:
        return metric
    for output in outputs:
        try:
            value = metric.function(np.asarray(y_true), np.asarray(output), **metric.options)
            if value > 0:  # a negated loss is never above 0
                return replace(metric, is_loss=True, direction_assumed="")
        except Exception:  # of the user's function; the comparison will say what is wrong
            return metric
    return metric


def _assumed_direction(metric: Any, label: str, name: str | None, is_loss: bool) -> str:
    """Return how to reverse the direction of a user's own function, where it is assumed."""
    by_name = None if name is None else direction_of(name)
    higher = direction_of(label) if by_name is None else by_name
    if is_scorer(metric):
        # Scorers are higher-is-better by definition; here a loss may not have been negated.
        return SCORER_SAYS_OTHERWISE if higher is False and not is_loss else ""
    return "" if higher else SAY_OTHERWISE


def _never_called(y_true: Any, y_pred: Any) -> float:
    raise TypeError("this metric cannot be called")


def _classes_of_all(predictions: Predictions) -> list[Any]:
    """Return the labels of truth and predictions, in ascending order."""
    if predictions.y_true.ndim == 1:
        return list(label_codes(predictions).classes.tolist())
    return kinds.sorted_labels(
        np.concatenate([predictions.y_true, *predictions.outputs.values()])
    )


def _doubled(predictions: Predictions, clip: bool = False, wholes: bool = False) -> Predictions:
    """Return predictions in double precision, as scikit-learn's precision varies by release.

    With `clip`, probabilities are clipped as in their own precision. With `wholes`, integers
    are converted too: differences of unsigned and short ones overflow.
    """
    kinds = "biuf" if wholes else "f"

    def double(column: NDArray[Any], clip: bool) -> NDArray[Any]:
        if column.dtype.kind not in kinds or column.dtype == np.float64:
            return column
        if clip and column.dtype.kind == "f":
            smallest = np.finfo(column.dtype).eps
            column = np.clip(column, smallest, 1 - smallest)
        return column.astype(np.float64)

    once, y, old = predictions.cache.once, predictions.y_true, predictions.outputs
    truth = once(("double", False, kinds), partial(double, y, False), y)
    outputs = {
        name: once(("double", clip, kinds), partial(double, out, clip), out)
        for name, out in old.items()
    }
    if truth is y and all(map(is_, outputs.values(), old.values())):
        return predictions
    return predictions.recoded(truth, outputs)


def _binary(predictions: Predictions, pos_label: Any, metric: str) -> Predictions | None:
    """Return predictions with 0/1 truth and scores; None for several classes."""
    many = any(out.ndim == 2 and out.shape[1] > 2 for out in predictions.outputs.values())
    if many or predictions.y_true.ndim > 1:
        return None
    once, y, key = predictions.cache.once, predictions.y_true, f"binary {pos_label!r}"
    truth = once(key, lambda: kinds.binary_truth(y, pos_label, metric).astype(np.int64), y)
    outputs = {}
    for name, out in predictions.outputs.items():
        column = partial(kinds.positive_column, out, f"predictions[{name!r}]", y, pos_label)
        outputs[name] = once(key, column, out, y)
    return predictions.recoded(truth, outputs)


def chance_of(scoring: Any) -> Chance | None:
    """Return the expected score of guesses under a scorer; None where there is no formula.

    Parameters
    ----------
    scoring : str or scorer
        As in the ``scoring`` of scikit-learn.
    """
    metric = metric_of_scorer(scoring)
    return None if metric.facts.chance is None else metric.facts.chance(metric)


def is_linear_in_labels(scoring: Any) -> bool:
    """Whether a scorer (by name or as an object) is linear in the predicted labels.

    It is then a mean over rows of something that depends on the row's two labels only, with
    weights that depend on the truth alone. The score of a random guess is, in expectation,
    the mean of the scores of the constant predictions.
    """
    metric = metric_of_scorer(scoring)
    return is_cost(scoring) or metric.facts.is_linear(metric.options)


def is_mean_of_labels(scoring: Any) -> bool:
    """Whether a scorer is linear in labels with the same weight for every row."""
    metric = metric_of_scorer(scoring)
    # The columns of a matrix of costs are classes.
    equal = metric.options.get("labels") is not None if metric.is_cost else metric.is_mean
    return is_linear_in_labels(scoring) and equal


def is_proper(scoring: Any) -> bool:
    """Whether it is a proper score of probabilities: log loss, Brier score, or their D2.

    Among all probabilities that are the same for every row, the class shares then score highest
    on the rows that they were counted on.
    """
    metric = metric_of_scorer(scoring)
    return metric.facts.output == "probabilities" and metric.is_loss == metric.facts.is_loss


def counts_right_rows(metric: ScoreMetric) -> bool:
    """Whether it is the share of right rows, or of wrong rows for a loss."""
    if metric.options.get("normalize") is False:
        return False  # it is a number of rows
    if metric.facts.counts:
        return metric.is_loss == (metric.facts.counts == "misses")
    all_labels = "labels" not in metric.options
    average = metric.options.get("average")
    return not metric.is_loss and all_labels and average in metric.facts.accuracy_averages


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer takes ``sample_weight``.

    Parameters
    ----------
    scorer : str or callable
        A scorer's name, what :func:`sklearn.metrics.make_scorer` gave, or a function of
        estimator, X and y.
    """
    if not isinstance(scorer, str) and not is_scorer(scorer):
        return "sample_weight" in parameters_of(scorer)
    metric = as_metric(scorer)
    if inspect.isfunction(metric.function):
        return "sample_weight" in parameters_of(metric.function)
    # The function is hidden in its scorer, which passes its arguments on: try a call.
    labels = np.array([0, 1, 0, 1])

    def refused_in(**options: Any) -> Any:
        try:
            metric.function(labels, labels, **metric.options, **options)
        except Exception as error:  # of another type: the arguments were bound before
            where = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
            return where[-1] if isinstance(error, TypeError) else None

    with warnings.catch_warnings(action="ignore"):
        refused = refused_in(sample_weight=np.ones(4))
        return refused is None or refused == refused_in()
