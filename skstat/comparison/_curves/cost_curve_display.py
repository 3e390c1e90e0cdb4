"""Cost curves of estimators and of predictions, drawn in one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils import _safe_indexing

from skstat.comparison._curves.cost_curve_comparison import drawn_as
from skstat.display import CurvesDisplay
from skstat.metrics import CostCurve, cost_curve

_METHODS = ("predict_proba", "decision_function", "predict")


@dataclass(eq=False, kw_only=True, repr=False)
class CostCurveDisplay(CurvesDisplay):
    """Cost curves beside those of the two constant classifiers.

    Make one by `from_predictions`, `from_estimator` or `from_cv_results`; they draw it too.
    The parameters are those of :class:`skstat.display.CurvesDisplay`.

    See Also
    --------
    skstat.metrics.cost_curve : The numbers.
    compare_cost_curves : Whether two curves differ by more than chance.

    Examples
    --------
    >>> from skstat import CostCurveDisplay
    >>> display = CostCurveDisplay.from_predictions(
    ...     [0, 0, 1, 1], {"A": [0.1, 0.4, 0.35, 0.8], "B": [0.2, 0.5, 0.4, 0.3]}
    ... )
    >>> display.notes
    {'A': ' (area 0.125)', 'B': ' (area 0.167)'}
    """

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        predictions: Any,
        *,
        pos_label: Any = None,
        cost_matrix: Any = None,
        sample_weight: Any = None,
        name: str = "system",
        ax: Any = None,
    ) -> Self:
        """Draw the curves of scores or predicted labels.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            True labels, of two classes.
        predictions : array-like, or mapping or DataFrame of str to array-like
            Scores, as for :func:`skstat.metrics.cost_curve`; of several systems by name.
        pos_label : object, optional
            Positive class; needed unless the labels are 0/1 or -1/1.
        cost_matrix : array-like of shape (2, 2), optional
            Costs, by which the place of these rows is marked.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.
        name : str, default="system"
            Label, if `predictions` holds one array.
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        CostCurveDisplay
            The display, already drawn.

        Raises
        ------
        ValueError
            If there are not two classes, or the positive one is not known.
        """
        named = predictions if isinstance(predictions, Mapping) else {name: predictions}
        if hasattr(predictions, "columns"):
            named = {column: predictions[column] for column in predictions.columns}
        options = {"pos_label": pos_label, "cost_matrix": cost_matrix}
        curves = {
            str(label): cost_curve(y_true, scores, sample_weight=sample_weight, **options)
            for label, scores in named.items()
        }
        return cls._of(curves).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        cost_matrix: Any = None,
        sample_weight: Any = None,
        ax: Any = None,
    ) -> Self:
        """Draw the curves of fitted classifiers.

        Parameters
        ----------
        estimator : estimator, or mapping of str to estimator
            Fitted classifiers of two classes.
        X : array-like, sparse matrix or DataFrame of shape (n_rows, n_features)
            Rows that they were not fitted on.
        y : array-like of shape (n_rows,)
            True labels.
        response_method : {"auto", "predict_proba", "decision_function", "predict"}
            Where scores come from; by default the first of these that an estimator has.
            Labels of ``predict`` are one threshold, and a straight line.
        pos_label : object, optional
            Positive class; default the second of the estimator's ``classes_``.
        cost_matrix : array-like of shape (2, 2), optional
            Costs, by which the place of these rows is marked.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows.
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        CostCurveDisplay
            The display, already drawn.

        Raises
        ------
        ValueError
            If an estimator is not a fitted classifier of two classes, or lacks the method.
        """
        single = not isinstance(estimator, Mapping)
        named = {type(estimator).__name__: estimator} if single else estimator
        curves = {}
        for name, fitted in named.items():
            chosen = _positive_class(fitted, pos_label)
            curves[str(name)] = cost_curve(
                y,
                _response(fitted, X, chosen, response_method),
                pos_label=chosen,
                cost_matrix=cost_matrix,
                sample_weight=sample_weight,
            )
        return cls._of(curves).plot(ax=ax)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw the curve of every fold on its own test rows, and their mean.

        The mean is that of the costs at each P(+)cost, every fold with thresholds of its own.

        Parameters
        ----------
        cv_results : dict
            What :func:`sklearn.model_selection.cross_validate` returns with
            ``return_estimator=True, return_indices=True``.
        X : array-like, sparse matrix or DataFrame of shape (n_rows, n_features)
            The data that were cross-validated.
        y : array-like of shape (n_rows,)
            Their true labels.
        response_method : {"auto", "predict_proba", "decision_function", "predict"}
            Where scores come from, as in `from_estimator`.
        pos_label : object, optional
            Positive class; default the second of the estimators' ``classes_``.
        name : str, optional
            Label; default the name of the estimators' class.
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        CostCurveDisplay
            The display, already drawn.

        Raises
        ------
        ValueError
            If estimators or indices were not kept.
        """
        lacking = [key for key in ("estimator", "indices") if key not in cv_results]
        if lacking:
            raise ValueError(
                f"cv_results lacks {lacking[0]!r}; call cross_validate with "
                "return_estimator=True, return_indices=True."
            )
        folds = []
        for fitted, rows in zip(
            cv_results["estimator"], cv_results["indices"]["test"], strict=True
        ):
            chosen = _positive_class(fitted, pos_label)
            scores = _response(fitted, _safe_indexing(X, rows), chosen, response_method)
            folds.append(cost_curve(_safe_indexing(y, rows), scores, pos_label=chosen))
        label = type(cv_results["estimator"][0]).__name__ if name is None else name
        places = np.unique(np.concatenate([fold.probability_cost for fold in folds]))
        mean = np.mean([fold.at(places) for fold in folds], axis=0)
        fields = drawn_as({}, folds[0].pos_label)
        area = float(np.trapezoid(mean, places))
        fields["curves"] = {label: (places, mean)}
        fields["notes"] = {label: f" (mean of folds, area {area:.3f})"}
        fields["members"] = [(fold.probability_cost, fold.cost) for fold in folds]
        fields["members_name"] = f"{len(folds)} folds"
        return cls(**fields).plot(ax=ax)

    @classmethod
    def _of(cls, curves: Mapping[str, CostCurve]) -> Self:
        if not curves:
            raise ValueError("there is no system to draw; name at least one.")
        first = next(iter(curves.values()))
        return cls(**drawn_as(curves, first.pos_label), mark=first.operating_point)


def _positive_class(fitted: Any, pos_label: Any) -> Any:
    classes = getattr(fitted, "classes_", None)
    if classes is None or len(classes) != 2:
        found = "none" if classes is None else list(classes)
        raise ValueError(
            f"{type(fitted).__name__} must be a fitted classifier of two classes; its "
            f"classes_ are {found}."
        )
    if pos_label is None:
        return np.asarray(classes).tolist()[1]
    if pos_label not in classes:
        raise ValueError(f"pos_label={pos_label!r} is not one of the classes {list(classes)}.")
    return pos_label


def _response(fitted: Any, X: Any, pos_label: Any, response_method: str) -> Any:
    """Scores of the positive class, or predicted labels."""
    if response_method not in ("auto", *_METHODS):
        raise ValueError(
            f"response_method={response_method!r} is unknown; use 'auto' or one of {_METHODS}."
        )
    wanted = _METHODS if response_method == "auto" else (response_method,)
    method = next((name for name in wanted if hasattr(fitted, name)), None)
    if method is None:
        raise ValueError(f"{type(fitted).__name__} has no {' or '.join(wanted)}.")
    output = getattr(fitted, method)(X)
    column = list(fitted.classes_).index(pos_label)
    if method == "predict_proba":
        return np.asarray(output, dtype=float)[:, column]
    if method == "decision_function":
        scores = np.asarray(output, dtype=float)
        return scores if column == 1 else -scores
    return output
