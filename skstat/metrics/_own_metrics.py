"""Metrics that scikit-learn lacks: of ranks, costs, and several confusion matrices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import make_scorer, roc_auc_score, roc_curve

from skstat.metrics import _output_kinds as kinds
from skstat.metrics._ranks import RankedRows, accumulate
from skstat.metrics._sums import cost_array, cost_sensitive_error
from skstat.stats._chance import ResamplingPlan, in_parts
from skstat.stats._ordering import Ordering
from skstat.stats._scores import check_number


def rank_loss(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Share of pairs of a positive and a negative row that the scores put in the wrong order.

    Ties count one half, so that this is 1 - AUC, the area above the ROC curve.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    y_score : array-like of shape (n_rows,) or (n_rows, 2)
        Scores of the positive class as floats, higher for more likely positive; or what
        ``predict_proba`` returns.
    pos_label : object, optional
        Positive class; needed unless the labels are 0/1 or -1/1.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    float
        The loss, between 0 and 1; 0.5 for scores that say nothing.

    Raises
    ------
    ValueError
        If there are not two classes, or labels were given instead of scores.

    See Also
    --------
    sklearn.metrics.roc_auc_score : The rest of the pairs.
    sklearn.metrics.label_ranking_loss : The same within rows of several labels.

    References
    ----------
    .. [1] Hanley, J. A. & McNeil, B. J. (1982). The meaning and use of the area under a
       receiver operating characteristic (ROC) curve. Radiology, 143(1), 29-36.
       :doi:`10.1148/radiology.143.1.7063747`

    Examples
    --------
    >>> from skstat.metrics import rank_loss
    >>> rank_loss([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])  # of 4 pairs one is tied
    0.125
    """
    positive, scores, weight = _read(y_true, y_score, sample_weight, pos_label, "rank_loss")
    return 1 - float(roc_auc_score(positive, scores, sample_weight=weight))


def _read(
    y_true: Any, y_score: Any, sample_weight: Any, pos_label: Any, metric: str
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64] | None]:
    truth, output, weight = kinds.aligned_rows(y_true, y_score, sample_weight, "y_score")
    return *kinds.binary_scores_of(truth, output, pos_label, metric, "y_score"), weight


def precision_recall_break_even(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Precision where it equals recall: where as many are predicted positive as there are.

    Of P positive rows, the P rows with the highest scores are predicted positive. Precision
    and recall then have the same denominator P, and both are the share of positives among
    these rows, also known as R-precision. If the cut falls among tied scores, as many of the
    tied rows as needed are taken in the proportion of their classes: the expected value over
    all orders of the tied rows.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    y_score : array-like of shape (n_rows,) or (n_rows, 2)
        Scores of the positive class as floats, higher for more likely positive; or what
        ``predict_proba`` returns.
    pos_label : object, optional
        Positive class; needed unless the labels are 0/1 or -1/1.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; P is then the weight of the positive ones.

    Returns
    -------
    float
        Precision and recall at the break-even point, between 0 and 1. Scores that are all
        the same give the share of positives.

    Raises
    ------
    ValueError
        If there are not two classes, or labels were given instead of scores.

    See Also
    --------
    sklearn.metrics.precision_recall_curve : Precision and recall at all thresholds.

    References
    ----------
    .. [1] Manning, C. D., Raghavan, P. & Schuetze, H. (2008). Introduction to Information
       Retrieval. Cambridge University Press, section 8.4.

    Examples
    --------
    >>> from skstat.metrics import precision_recall_break_even
    >>> precision_recall_break_even([1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2])
    0.6666666666666666
    """
    positive, scores, weight = _read(
        y_true, y_score, sample_weight, pos_label, "precision_recall_break_even"
    )
    weights = np.ones(len(scores)) if weight is None else weight
    return float(RankedRows(positive, Ordering(scores)).break_even(weights[None])[0])


def cost_sensitive_scorer(cost_matrix: Any, *, labels: Any = None) -> Any:
    """Make a scorer of the mean cost, for every ``scoring=`` and ``metric=``.

    As with all scorers of losses the score is negated, so that higher is better; reports show
    the cost itself.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]``: cost of predicting class j when class i is true.
    labels : array-like of shape (n_classes,), optional
        Classes in the order of the matrix; default all that a test set or its predictions
        hold, ascending. Name them where a test fold may miss a class.

    Returns
    -------
    callable
        What :func:`sklearn.metrics.make_scorer` makes of :func:`cost_sensitive_error`.

    Raises
    ------
    ValueError
        If the costs are not a square matrix of finite numbers, one row for each label.

    See Also
    --------
    cost_sensitive_error : The function that is negated.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skstat.metrics import cost_sensitive_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scorer = cost_sensitive_scorer([[0, 10], [1, 0]])  # class 0 is malignant
    >>> cross_val_score(GaussianNB(), X, y, scoring=scorer).round(2)
    array([-0.39, -0.71, -0.45, -0.37, -0.28])
    """
    names = None if labels is None else kinds.check_labels(labels)
    costs = cost_array(cost_matrix, names)
    # Plain values: the scorer's repr can then be read back.
    options: dict[str, Any] = {"cost_matrix": tuple(map(tuple, costs.tolist()))}
    if names is not None:
        options["labels"] = tuple(names)
    return make_scorer(cost_sensitive_error, greater_is_better=False, **options)


@dataclass(frozen=True, kw_only=True)
class ConfusionScores:
    """Precision, recall and F of one class, from several confusion matrices.

    Attributes
    ----------
    macro : mapping of str to float
        ``"precision"``, ``"recall"`` and ``"f"``: means over the matrices of the score of
        each; nan where the score is undefined in any of them.
    micro : mapping of str to float
        The same scores of the sum of the matrices.
    f_of_means : float
        F of the mean precision and the mean recall, a third number in use.
    each : mapping of str to tuple of float
        The scores of every matrix.
    undefined : tuple of (int, str)
        Number of the matrix, from 0, and name of each undefined score: precision where
        nothing was predicted to be of the class, recall where nothing was.
    pos_label : object
        The class.
    beta : float
        Weight of recall in F.
    """

    macro: Mapping[str, float]
    micro: Mapping[str, float]
    f_of_means: float
    each: Mapping[str, tuple[float, ...]]
    undefined: tuple[tuple[int, str], ...]
    pos_label: Any
    beta: float


def scores_of_confusion_matrices(
    matrices: Any, *, labels: Any = None, pos_label: Any = None, beta: float = 1.0
) -> ConfusionScores:
    """Precision, recall and F of several confusion matrices, both ways to sum them up.

    *Macro* scores are means of the scores of each matrix, *micro* scores are scores of the
    summed matrix. They differ. For folds of one data set the micro F is less biased than the
    macro F where a class is rare, and is defined when a fold has none of it (Forman & Scholz,
    2010) [1]_. For several data sets the macro scores count all of them alike.

    Parameters
    ----------
    matrices : array-like of shape (n_matrices, n_classes, n_classes)
        Counts (or weights) of rows, as :func:`sklearn.metrics.confusion_matrix` has them:
        true classes are rows, predicted ones columns.
    labels : array-like of shape (n_classes,), optional
        Classes in the order of the matrices; default 0, 1, ...
    pos_label : object, optional
        The class whose scores are computed; of two classes by default the second. Several
        classes need it, and all others are negative then.
    beta : float, default=1.0
        Weight of recall in ``F = (1 + beta^2) P R / (beta^2 P + R)``.

    Returns
    -------
    ConfusionScores
        Both kinds of scores side by side, and which are undefined.

    Raises
    ------
    ValueError
        If the matrices are not square or hold negative or missing counts, or the class is
        not named or unknown.

    See Also
    --------
    sklearn.metrics.precision_recall_fscore_support : Scores from labels.

    References
    ----------
    .. [1] Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies:
       pitfalls in classifier performance measurement. ACM SIGKDD Explorations, 12(1), 49-57.
       :doi:`10.1145/1882471.1882479`

    Examples
    --------
    >>> from skstat.metrics import scores_of_confusion_matrices
    >>> scores = scores_of_confusion_matrices([[[8, 2], [1, 9]], [[9, 1], [5, 5]]])
    >>> round(scores.macro["f"], 4), round(scores.micro["f"], 4), round(scores.f_of_means, 4)
    (0.7411, 0.7568, 0.7577)
    """
    counts = np.asarray(matrices, dtype=float)
    if counts.ndim != 3 or counts.shape[1] != counts.shape[2] or not len(counts):
        raise ValueError(f"matrices has shape {counts.shape}, not (n, n_classes, n_classes).")
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError("matrices must hold counts: finite, and none below 0.")
    k = counts.shape[1]
    classes = list(range(k)) if labels is None else np.asarray(labels, dtype=object).tolist()
    if len(classes) != k or len(set(classes)) < k:
        raise ValueError(f"labels={classes} must name the {k} classes of matrices, each once.")
    if pos_label is None and k == 2:
        pos_label = classes[1]
    if pos_label not in classes:
        raise ValueError(f"pos_label={pos_label!r} is not one of the classes {classes}.")
    chosen = classes.index(pos_label)
    check_number("beta", beta, least=0, what="finite, and not below 0")
    by_matrix = _scores(counts, chosen, beta)
    means = by_matrix.mean(axis=0)
    bottom = beta**2 * means[0] + means[1]
    return ConfusionScores(
        macro=_named(means),
        micro=_named(_scores(counts.sum(axis=0), chosen, beta)),
        f_of_means=float((1 + beta**2) * means[0] * means[1] / bottom) if bottom else 0.0,
        each={name: tuple(map(float, by_matrix[:, i])) for i, name in enumerate(_NAMES)},
        undefined=tuple((int(i), _NAMES[j]) for i, j in np.argwhere(np.isnan(by_matrix))),
        pos_label=pos_label,
        beta=float(beta),
    )


_NAMES = ("precision", "recall", "f")


def _scores(counts: NDArray[np.float64], chosen: int, beta: float) -> NDArray[np.float64]:
    """Return precision, recall and F of one class, on the last axis; nan where undefined."""
    hit, true, n_pred = counts[..., chosen, chosen], counts.sum(-1), counts.sum(-2)
    true, n_pred = true[..., chosen], n_pred[..., chosen]
    with np.errstate(invalid="ignore"):
        return np.stack(
            [hit / n_pred, hit / true, (1 + beta**2) * hit / (beta**2 * true + n_pred)], axis=-1
        )


def _named(scores: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(_NAMES, map(float, scores), strict=True))


# Float noise of rates.
_NOISE = 1e-13

# Numbers in a block that stays in cache, as every point of the grid takes a pass over it.
_NUMBERS_IN_CACHE = 1 << 15
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
        x = _check_share(probability_cost)
        cost = np.interp(x, self.probability_cost, self.cost)
        return cost if np.ndim(cost) else float(cost)

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
    share = _check_share(prior, "prior")
    value = share * missed / (share * missed + (1 - share) * alarm)
    return value if np.ndim(value) else float(value)


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
    truth, output, weight = kinds.aligned_rows(y_true, y_score, sample_weight, "y_score")
    classes = kinds.sorted_labels(truth)
    if output.ndim == 1 and output.dtype.kind != "f":  # labels
        positive = kinds.binary_truth(truth, pos_label, "a cost curve")
        pos_label = classes[1] if pos_label is None else pos_label
        unknown = [label for label in kinds.sorted_labels(output) if label not in classes]
        if unknown:
            raise ValueError(f"y_score holds {unknown[0]!r}, no class: pass scores as floats.")
        w = np.ones(len(truth)) if weight is None else weight
        missed = np.asarray(output != pos_label, dtype=float)
        fpr = np.array([np.average(1 - missed[~positive], weights=w[~positive])])
        fnr = np.array([np.average(missed[positive], weights=w[positive])])
        ends, thresholds = np.array([0.0, 1.0]), np.array([np.nan])
    else:
        positive, scores = kinds.binary_scores_of(
            truth, output, pos_label, "a cost curve", "y_score"
        )
        pos_label = classes[1] if pos_label is None else pos_label
        fpr, tpr, thresholds = roc_curve(
            positive, scores, sample_weight=weight, drop_intermediate=False
        )
        indices, ends = _envelope(fpr, 1 - tpr)
        fpr, fnr, thresholds = fpr[indices], 1 - tpr[indices], thresholds[indices]
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
    """Return the points whose lines are lowest somewhere, and the ends of these ranges.

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
    # A vertical or horizontal edge leads to a range of length 0 at an end, which is dropped.
    steps = np.diff(fpr[hull]), -np.diff(fnr[hull])
    where = steps[0] / (steps[0] + steps[1])
    where[where < _NOISE], where[where > 1 - _NOISE] = 0, 1
    ends = np.concatenate([[0.0], where, [1.0]])
    long = np.diff(ends) > 0
    return np.array(hull)[long], np.append(ends[:-1][long], 1.0)


def _check_share(values: ArrayLike, name: str = "probability_cost") -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=float)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(f"{name}={values!r} must lie between 0 and 1.")
    return numbers


class EnvelopeKernel:
    """Cost curves of several systems for any weights of the rows.

    Parameters
    ----------
    plan : ResamplingPlan
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
        self, plan: ResamplingPlan, positive: Any, scores: Any, grid: Any, groups: Any = None
    ) -> None:
        self.plan, self.grid, self.groups = plan, grid, groups
        # Costs are not functions of sums: a bootstrap draws these units themselves.
        self.resampled = self
        # Bounds the memory of the weights of a block.
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
        costs = []
        for here in in_parts(len(rows), len(n_positive), _NUMBERS_IN_CACHE):
            part = rows[here]
            fpr = _shares(part, negatives, n_negative)
            slope = 1 - _shares(part, positives, n_positive) - fpr
            costs.append([(slope * x + fpr).min(axis=1) for x in self.grid.tolist()])
        return np.concatenate(costs, axis=1).T


def _cuts(positive: NDArray[np.bool_], scores: NDArray[np.float64]) -> Any:
    """Return rows of both classes by falling score, and how many are above each threshold.

    Only thresholds between a positive row and a negative one that follows it can be best,
    whatever the weights: elsewhere one step up or down costs no more.
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
    """Return the share of the weight of a class in its first rows."""
    total = accumulate(rows.take(members, axis=1))
    with np.errstate(invalid="ignore"):
        return total.take(counts, axis=1) / total[:, -1:]
