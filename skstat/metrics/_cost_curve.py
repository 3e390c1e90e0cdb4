"""Cost curves: expected cost over all class frequencies and costs of errors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_curve

from skstat.metrics._output_kinds import (
    aligned_rows,
    binary_scores_of,
    binary_truth,
    sorted_labels,
)
from skstat.metrics._ranks import accumulate
from skstat.metrics._sums import cost_array
from skstat.stats._resampling import UnitPlan

# Rates of any test set differ by more than float noise.
_NOISE = 1e-13

# Numbers worked on at a time: they are gone through for every point of the grid.
_IN_CACHE = 1 << 15
_NUMBERS_OF_A_BLOCK = 1 << 21


@dataclass(frozen=True, kw_only=True, eq=False)
class CostCurve:
    """Normalised expected cost of one system over P(+)cost.

    Between the vertices the curve is straight: there one threshold is used, whose rates are
    the ends of the line, FPR at 0 and FNR at 1.

    Attributes
    ----------
    probability_cost : ndarray of shape (n_pieces + 1,)
        P(+)cost of the vertices, from 0 to 1.
    cost : ndarray of shape (n_pieces + 1,)
        Normalised expected cost there.
    thresholds : ndarray of shape (n_pieces,)
        On each piece, the score from which a row is predicted positive; infinite where none
        is. nan for predicted labels.
    fpr, fnr : ndarray of shape (n_pieces,)
        False positive and false negative rate on each piece.
    operating_point : float or None
        P(+)cost of the test set with the costs that were given.
    pos_label : object
        The positive class.
    """

    probability_cost: NDArray[np.float64]
    cost: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    fpr: NDArray[np.float64]
    fnr: NDArray[np.float64]
    operating_point: float | None = None
    pos_label: Any = None

    @property
    def area(self) -> float:
        """Area under the curve: expected cost if every P(+)cost is equally likely."""
        return float(np.trapezoid(self.cost, self.probability_cost))

    def at(self, probability_cost: ArrayLike) -> Any:
        """Normalised expected cost at given P(+)cost.

        Parameters
        ----------
        probability_cost : float or array-like
            Between 0 and 1.

        Returns
        -------
        float or ndarray
            The cost, as a share of what the worst classifier would cost.

        Raises
        ------
        ValueError
            If a value lies outside 0 to 1.
        """
        wanted = _checked(probability_cost)
        found = np.interp(wanted, self.probability_cost, self.cost)
        return found if np.ndim(found) else float(found)

    def __repr__(self) -> str:
        n = len(self.thresholds)
        return f"<CostCurve of {n} piece{'s' * (n != 1)}, area {self.area:.4g}>"


def probability_cost(prior: ArrayLike, cost_matrix: Any = None) -> Any:
    """P(+)cost: the share of the positive class in what could be lost.

    ``p C(-|+) / (p C(-|+) + (1 - p) C(+|-))`` for a share p of positives (Drummond & Holte,
    2006) [1]_. Costs of right answers are subtracted first from those of the
    errors on the same class, which changes no decision (Elkan, 2001) [2]_.

    Parameters
    ----------
    prior : float or array-like
        Share of the positive class where the system will be used, between 0 and 1.
    cost_matrix : array-like of shape (2, 2), optional
        Negative class first: ``cost_matrix[1, 0]`` is the cost of a missed positive,
        ``cost_matrix[0, 1]`` of a false alarm. By default both cost the same, and P(+)cost
        is the share of positives.

    Returns
    -------
    float or ndarray
        P(+)cost, between 0 and 1.

    Raises
    ------
    ValueError
        If a prior lies outside 0 to 1, or an error costs no more than a right answer.

    References
    ----------
    .. [1] Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing
       classifier performance. Machine Learning, 65(1), 95-130.
       :doi:`10.1007/s10994-006-8199-5`
    .. [2] Elkan, C. (2001). The foundations of cost-sensitive learning. Proceedings of the
       17th International Joint Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    >>> from skstat.metrics import probability_cost
    >>> probability_cost(0.1, [[0, 1], [9, 0]])
    0.5
    """
    costs = cost_array([[0, 1], [1, 0]] if cost_matrix is None else cost_matrix, range(2))
    missed, alarm = (float(costs[i, 1 - i] - costs[i, i]) for i in (1, 0))
    if missed <= 0 or alarm <= 0:
        raise ValueError(
            "cost_matrix has an error that costs no more than the right answer for the same "
            "class, so that one prediction is best whatever the scores. Are rows true classes "
            "and columns predicted ones?"
        )
    share = _checked(prior, "prior")
    found = share * missed / (share * missed + (1 - share) * alarm)
    return found if np.ndim(found) else float(found)


def cost_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    cost_matrix: Any = None,
    sample_weight: Any = None,
) -> CostCurve:
    """Cost curve of a classifier of two classes.

    A threshold with rates FPR and FNR has the normalised expected cost
    ``FNR x + FPR (1 - x)`` at P(+)cost x, a straight line. The curve is the lower envelope of
    the lines of all thresholds, the two constant classifiers among them: what the system
    costs with the threshold that is best at each x (Drummond & Holte, 2006) [1]_. It is the
    dual of the convex hull of the ROC curve.

    The thresholds are chosen and evaluated on the same rows, as in the source. That is
    optimistic: expect higher costs with thresholds that were chosen on other rows. Predicted
    labels are one threshold, chosen before, and their curve is a straight line.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    y_score : array-like of shape (n_rows,) or (n_rows, 2)
        Scores of the positive class as floats, higher for more likely positive; or what
        ``predict_proba`` returns. Strings, booleans and whole numbers are predicted labels.
    pos_label : object, optional
        Positive class; needed unless the labels are 0/1 or -1/1.
    cost_matrix : array-like of shape (2, 2), optional
        Costs, from which ``operating_point`` is computed: ``cost_matrix[i, j]`` is that of
        predicting class j when class i is true, classes ascending. So if the second class is
        the positive one, ``cost_matrix[1, 0]`` is the cost of a missed positive. The curve
        itself holds for all costs.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    CostCurve
        The vertices, the threshold of each piece, and the area.

    Raises
    ------
    ValueError
        If there are not two classes, the positive one is not known, or costs do not fit.

    See Also
    --------
    probability_cost : P(+)cost of a share of positives and costs.

    References
    ----------
    .. [1] Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing
       classifier performance. Machine Learning, 65(1), 95-130.
       :doi:`10.1007/s10994-006-8199-5`

    Examples
    --------
    >>> from skstat.metrics import cost_curve
    >>> curve = cost_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.area, curve.at(0.5)
    (0.125, 0.25)
    >>> curve.thresholds
    array([0.8 , 0.35])
    """
    truth, output, weight = aligned_rows(y_true, y_score, sample_weight, "y_score")
    classes = sorted_labels(truth)
    if output.ndim == 1 and output.dtype.kind != "f":  # labels
        positive = binary_truth(truth, pos_label, "a cost curve")
        pos_label = classes[1] if pos_label is None else pos_label
        unknown = [label for label in sorted_labels(output) if label not in classes]
        if unknown:
            raise ValueError(
                f"y_score holds {unknown[0]!r}, which is not in y_true ({classes}). If these "
                "are scores, pass them as floats."
            )
        w = np.ones(len(truth)) if weight is None else weight
        missed = np.asarray(output != pos_label, dtype=float)
        fpr = np.array([np.average(1 - missed[~positive], weights=w[~positive])])
        fnr = np.array([np.average(missed[positive], weights=w[positive])])
        ends, thresholds = np.array([0.0, 1.0]), np.array([np.nan])
    else:
        positive, scores = binary_scores_of(truth, output, pos_label, "a cost curve", "y_score")
        pos_label = classes[1] if pos_label is None else pos_label
        fpr, tpr, thresholds = roc_curve(
            positive, scores, sample_weight=weight, drop_intermediate=False
        )
        kept, ends = _envelope(fpr, 1 - tpr)
        fpr, fnr, thresholds = fpr[kept], 1 - tpr[kept], thresholds[kept]
    point = None
    if cost_matrix is not None:
        costs = cost_array(cost_matrix, classes)
        in_order = costs if pos_label == classes[1] else costs[::-1, ::-1]
        point = probability_cost(np.average(positive, weights=weight), in_order)
    return CostCurve(
        probability_cost=ends,
        cost=np.append(fpr + (fnr - fpr) * ends[:-1], fnr[-1]),
        thresholds=thresholds,
        fpr=fpr,
        fnr=fnr,
        operating_point=point,
        pos_label=pos_label,
    )


def _envelope(
    fpr: NDArray[np.float64], fnr: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Points whose lines are lowest somewhere, and where one takes over from the other.

    The points run from (0, 1) to (1, 0). Their lower convex hull is the set of lines that
    are lowest for some weight of the two rates.
    """
    hull: list[int] = []
    points = np.column_stack([fpr, fnr])
    for i, point in enumerate(points):
        while len(hull) > 1:
            (x, y), (u, v) = points[hull[-1]] - points[hull[-2]], point - points[hull[-2]]
            if x * v - y * u > _NOISE:
                break
            hull.pop()
        hull.append(i)
    # An edge that is vertical or horizontal takes over at the end, where nothing is left.
    steps = np.diff(fpr[hull]), -np.diff(fnr[hull])
    where = steps[0] / (steps[0] + steps[1])
    where[where < _NOISE], where[where > 1 - _NOISE] = 0, 1
    ends = np.concatenate([[0.0], where, [1.0]])
    long = np.diff(ends) > 0
    return np.array(hull)[long], np.append(ends[:-1][long], 1.0)


def _checked(values: ArrayLike, name: str = "probability_cost") -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=float)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(f"{name}={values!r} must lie between 0 and 1.")
    return numbers


class EnvelopeKernel:
    """Cost curves of several systems for any weights of the rows.

    Parameters
    ----------
    plan : UnitPlan
        Units, and how they are drawn.
    positive : ndarray of bool of shape (n_rows,)
        Rows of the positive class.
    scores : sequence of ndarray of shape (n_rows,)
        Scores of each system.
    grid : ndarray of shape (n_points,)
        P(+)cost at which curves are wanted.
    groups : ndarray of int of shape (n_rows,), optional
        Unit of every row; by default a unit is a row.
    """

    def __init__(
        self, plan: UnitPlan, positive: Any, scores: Any, grid: Any, groups: Any = None
    ) -> None:
        self.plan, self.grid, self.groups = plan, grid, groups
        # Costs are not functions of sums: a bootstrap draws from these units.
        self.resampled = self
        # The weights of a block take a bounded space.
        self.block_size = max(1, min(plan.block_size, _NUMBERS_OF_A_BLOCK // len(positive)))
        self._cuts = [_cuts(positive, own) for own in scores]

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Costs of resamples.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_units)
            How often each unit comes.

        Returns
        -------
        ndarray of shape (n_resamples, n_systems * n_points)
            Costs on the grid, one system after the other; nan where a class is missing.
        """
        rows = weights if self.groups is None else weights[:, self.groups]
        return np.hstack([self._envelope(rows, *cuts) for cuts in self._cuts])

    def _envelope(
        self, rows: Any, positives: Any, negatives: Any, n_positive: Any, n_negative: Any
    ) -> NDArray[np.float64]:
        step, costs = max(1, _IN_CACHE // len(n_positive)), []
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            fpr = _shares(part, negatives, n_negative)
            slope = 1 - _shares(part, positives, n_positive) - fpr
            costs.append([(slope * x + fpr).min(axis=1) for x in self.grid.tolist()])
        return np.concatenate(costs, axis=1).T


def _cuts(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> Any:
    """Rows of both classes by falling score, and how many of them each threshold takes.

    Only thresholds between a positive row and a negative one that follows it can be best,
    whatever the rows weigh: elsewhere one step up or down costs no more.
    """
    order = np.argsort(-scores, kind="stable")
    falling, truth = scores[order], positive[order]
    last = np.append(np.flatnonzero(falling[1:] < falling[:-1]), len(order) - 1) + 1
    n_positive = np.concatenate([[0], np.cumsum(truth)[last - 1]])
    n_negative = np.concatenate([[0], np.cumsum(~truth)[last - 1]])
    useful = np.ones(len(n_positive), dtype=bool)
    useful[1:-1] = (np.diff(n_positive)[:-1] > 0) & (np.diff(n_negative)[1:] > 0)
    return order[truth], order[~truth], n_positive[useful], n_negative[useful]


def _shares(
    rows: NDArray[Any], members: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Share of the weight of a class that its first rows have."""
    total = accumulate(rows.take(members, axis=1))
    with np.errstate(invalid="ignore"):
        return total.take(counts, axis=1) / total[:, -1:]
