"""Scores of single rows, for any metric that has a formula."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names

from skstat.metrics._metric import ScoreMetric, as_metric, row_scores
from skstat.metrics._output_kinds import sorted_labels
from skstat.metrics._scorers import ScorerOfOutputs, is_scorer, response_methods
from skstat.stats import Predictions
from skstat.stats._kernels import CallableKernel

# Method of an estimator that gives each kind of predictions.
_RESPONSES = {
    "labels": "predict",
    "numbers": "predict",
    "probabilities": "predict_proba",
    "scores": "scores",
}
_SHIFTS = 200  # of predictions against the truth

Numbers = NDArray[np.float64]

# Rows scored one by one in each trial: few at first, for slow functions.
_TRIED = (5, 15, 40)
# Most calls of a function for one test set.
_MAX_CALLS = 5_000
_RTOL, _ATOL = 1e-9, 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class RowMetric:
    """A metric with a score for every row of a test set.

    Attributes
    ----------
    metric : ScoreMetric
        The metric.
    response : str
        Response method of estimators: "predict", "predict_proba" or "scores".
    is_mean : bool
        Whether the metric is the mean of the rows' scores. If not, those of the influence
        function stand for them: ``score + IF``, whose mean is near the score.
    """

    metric: ScoreMetric
    response: str
    is_mean: bool

    @classmethod
    def of(cls, source: Any, y: Any) -> "RowMetric | None":
        """Return the metric that a scorer computes; None if its rows have no scores.

        Parameters
        ----------
        source : str or scorer
            A scorer's name, or what :func:`sklearn.metrics.make_scorer` gave.
        y : array-like of shape (n_rows,)
            Truth of all rows, which tells the classes.
        """
        by_name = isinstance(source, str) and source in get_scorer_names()
        if not by_name and not is_scorer(source):
            return None
        metric = as_metric(source)
        if metric.kind not in _RESPONSES or hasattr(y, "toarray"):
            return None
        of_scores = metric.kind in ("scores", "probabilities")
        if of_scores and np.ndim(y) == 2 and np.shape(y)[1] > 1:  # multilabel
            return None
        if of_scores:
            classes = sorted_labels(np.asarray(y).ravel())
            if len(classes) == 2:
                metric = as_metric(source, pos_label=classes[1])
            elif metric.facts.is_logarithm:  # some test set may lack a class
                metric = as_metric(source, labels=classes)
        response = _RESPONSES[metric.kind]
        return cls(metric=metric, response=response, is_mean=metric.is_mean)

    def score(self, y_true: Any, output: Any) -> float:
        """Score the outputs for some rows."""
        return float(_predictions(y_true, {"": output}, self.metric).kernel.scores[0])

    def scores(self, y_true: Any, outputs: Mapping[str, Any]) -> NDArray[np.float64] | None:
        """Score every row, by its own score or by its influence.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Truth.
        outputs : mapping of str to array-like
            Outputs of the systems.

        Returns
        -------
        ndarray of shape (n_rows, n_systems), or None
            The scores. Those that stand for influences are in an order of their own, the
            same for all systems. None if there is no formula.

        Raises
        ------
        ValueError
            If the metric is undefined without one of the rows.
        """
        predictions = _predictions(y_true, outputs, self.metric)
        if self.is_mean:
            rows = row_scores(predictions)
            return None if rows is None else np.column_stack(rows)
        kernel = predictions.kernel
        if isinstance(kernel, CallableKernel):
            return None
        left_out, counts = kernel.left_out, kernel.plan.multiplicity
        if not (np.isfinite(left_out).all() and np.isfinite(kernel.scores).all()):
            raise ValueError(f"{self.metric.name} is undefined on a test set: use larger ones.")
        mean = np.average(left_out, axis=0, weights=counts)
        influence = (kernel.plan.n_units - 1) * (mean - left_out)
        return np.repeat(kernel.scores + influence, counts, axis=0)

    def contributions(
        self, y_true: Any, output: Any, sample_weight: Any = None
    ) -> tuple[float, NDArray[np.float64]] | None:
        """Return the score of the outputs for some rows, and the contribution of each row.

        The score is that of the formula: it is for the caller to compare with the metric's
        own, which another release of scikit-learn may define otherwise.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Truth.
        output : array-like of shape (n_rows, ...)
            Outputs of one system.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.

        Returns
        -------
        score : float
            The score.
        rows : ndarray of shape (n_rows,)
            The score plus the influence of every row on it, in the order of the rows. For a
            mean over rows without weights these are the rows' own scores. None if there is
            no formula, or the score is undefined.
        """
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        y, outputs = _raveled(np.asarray(y_true)), {"": _raveled(np.asarray(output))}
        rows = _predictions(y, outputs, self.metric, sample_weight=weight, draw="rows")
        kernel, _, _ = self.metric.by_formula(rows)
        if kernel is None or not np.isfinite(kernel.scores).all():
            return None
        score = float(kernel.scores[0])
        return score, score + kernel.influence()[:, 0]

    def has_formula(self, y_true: Any) -> bool:
        """Whether rows have scores, or influences by a formula.

        It is tried on constant predictions: it depends on the options of the metric and the
        number of classes, not on the values.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            Truth of all rows.
        """
        y = _raveled(np.asarray(y_true))
        try:
            predictions = _predictions(y, {"": self._constant_output(y)}, self.metric)
            if self.is_mean:
                return row_scores(predictions) is not None
            return not isinstance(predictions.kernel, CallableKernel)
        except (TypeError, ValueError):  # undefined for this truth: scoring will say so
            return self.metric.facts.kernel is not None

    def _constant_output(self, y: NDArray[Any]) -> NDArray[Any]:
        """Return outputs of the kind and shape that the metric needs, equal for all rows."""
        if self.metric.kind == "labels":
            return y
        if self.metric.kind == "numbers":
            return np.full(y.shape, y.astype(float).mean(axis=0))
        n_classes = len(sorted_labels(y))
        return np.full(len(y) if n_classes == 2 else (len(y), n_classes), 1 / n_classes)

    def no_information(self, y_true: Any, output: Any) -> float:
        """Expected score if the predictions had nothing to do with the truth.

        The mean over all pairs of a truth and a prediction (Efron & Tibshirani, 1997, eq.
        27), for labels exactly, else over 200 shifts of the predictions against the truth.
        """
        y, predicted = np.asarray(y_true), np.asarray(output)
        if self.metric.kind == "labels" and y.ndim == 1:
            truths, n_true = np.unique(y, return_counts=True)
            labels, n_predicted = np.unique(predicted, return_counts=True)
            pairs = np.repeat(truths, len(labels)), np.tile(labels, len(truths))
            rows = self.scores(pairs[0], {"": pairs[1]})
            shares = np.outer(n_true, n_predicted).ravel() / len(y) ** 2
            return float(shares @ rows[:, 0]) if rows is not None else np.nan
        n = len(y)
        shifts = np.unique(np.linspace(0, n, min(n, _SHIFTS), endpoint=False).astype(int))
        means = [self.score(y, np.roll(predicted, shift, axis=0)) for shift in shifts]
        return float(np.mean(means))


def _raveled(column: NDArray[Any]) -> NDArray[Any]:
    """Return a matrix of one column as a vector, as estimators and scorers do."""
    return column.ravel() if column.ndim == 2 and column.shape[1] == 1 else column


def _predictions(y: Any, outputs: Mapping[str, Any], metric: Any, **facts: Any) -> Predictions:
    arrays = {name: np.asarray(output) for name, output in outputs.items()}
    return Predictions.of_checked(y_true=np.asarray(y), outputs=arrays, metric=metric, **facts)


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnMean:
    """A user's own scorer whose score turned out to be a mean or a sum over rows.

    Attributes
    ----------
    score : callable
        The scorer, of outputs; it knows the labels of all rows.
    response : str
        The only method of an estimator that it calls.
    is_sum : bool
        Whether the score is the sum over rows, not their mean.
    """

    is_mean: ClassVar[bool] = True

    score: ScorerOfOutputs
    response: str
    is_sum: bool

    @classmethod
    def of(cls, scorer: Any, y: Any) -> "OwnMean | None":
        """Try a scorer on random outputs, to see whether its score is a mean over rows.

        Parameters
        ----------
        scorer : scorer
            What :func:`sklearn.metrics.make_scorer` gave. Nothing else is tried.
        y : array-like of shape (n_rows,)
            Truth of all rows.

        Returns
        -------
        OwnMean or None
            None if its score is anything else, it fails on single rows, or asks for more than
            one method of an estimator.
        """
        y = _raveled(np.asarray(y))
        # Other scorers may use X, or have side effects.
        if y.ndim != 1 or len(y) < 2 or not is_scorer(scorer):
            return None
        classes = tuple(sorted_labels(y))
        with warnings.catch_warnings(action="ignore"):  # of what single rows lack
            methods = response_methods(scorer, y, classes)
            if len(methods) != 1:
                return None
            (response,) = methods
            few = response == "predict" and len(classes) ** 2 <= _MAX_CALLS
            if not few and len(y) > 2 * _MAX_CALLS:
                return None
            score, kinds = ScorerOfOutputs(scorer, 1.0, classes), {"mean", "sum"}
            for trial in _trials(y, classes, response):  # as long as it may be one of them
                kinds = kinds and kinds & _matching_kinds(score, *trial)
        if len(kinds) != 1:
            return None
        return cls(score=score, response=response, is_sum="sum" in kinds)

    def contributions(
        self, y_true: Any, output: Any, sample_weight: Any = None
    ) -> tuple[float, Numbers] | None:
        """Score rows one by one: see `RowMetric.contributions`.

        The caller compares the score with the one that the scorer gave for all rows.
        """
        if self.is_sum and sample_weight is not None:
            return None
        y, outputs = _raveled(np.asarray(y_true)), np.asarray(output)
        with warnings.catch_warnings(action="ignore"):  # of what single rows lack
            rows = _row_by_row(self.score, y, outputs)
        if rows is None:
            return None
        if self.is_sum:
            rows = rows * len(rows)
        weight = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight)
        mean = float(np.average(rows, weights=weight))
        return mean, mean + weight / weight.mean() * (rows - mean)

    def has_formula(self, y_true: Any) -> bool:
        """Whether rows have scores; always true."""
        return True


def _trials(
    y: NDArray[Any], classes: tuple[Any, ...], response: str
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield rows of the truth, some of every class, and outputs that may be given for them."""
    rng, k = np.random.default_rng(0), len(classes)
    first = np.unique(y, return_index=True)[1]
    for size in _TRIED:
        rows = np.concatenate([rng.permutation(first)[: size // 2], rng.permutation(len(y))])
        rows = rows[:size]
        shape = (len(rows),) if k == 2 else (len(rows), k)
        outputs = {
            "predict": rng.choice(y[first], len(rows)),
            "predict_proba": rng.dirichlet(np.ones(k), len(rows)),
            "decision_function": rng.normal(size=shape),
        }
        yield y[rows], outputs[response]


def _matching_kinds(score: ScorerOfOutputs, y: NDArray[Any], outputs: NDArray[Any]) -> set[str]:
    """Return "mean" or "sum" if the score of all rows is that of the scores of single rows."""
    rows, total = _row_by_row(score, y, outputs), _value(score, y, outputs)
    if rows is None:
        return set()
    error = _ATOL + _RTOL * float(np.abs(rows).max())
    kinds = {"mean": rows.mean(), "sum": rows.sum()}
    return {kind for kind in kinds if np.isclose(total, kinds[kind], rtol=_RTOL, atol=error)}


def _row_by_row(
    score: ScorerOfOutputs, y: NDArray[Any], outputs: NDArray[Any]
) -> Numbers | None:
    """Return the score of every row alone, equal rows once; None if one has no score."""
    keys = [*zip(y, outputs, strict=True)] if outputs.ndim == 1 else range(len(y))
    scores_by_key: dict[Any, float] = {}
    for row, key in enumerate(keys):
        if key not in scores_by_key:
            if len(scores_by_key) >= _MAX_CALLS:
                return None
            scores_by_key[key] = _value(score, y[row : row + 1], outputs[row : row + 1])
    scores = np.array([scores_by_key[key] for key in keys], dtype=float)
    return scores if np.isfinite(scores).all() else None


def _value(score: ScorerOfOutputs, y: NDArray[Any], outputs: NDArray[Any]) -> float:
    try:
        return score(y, outputs)
    except Exception:  # a function of somebody else's may raise anything
        return np.nan
