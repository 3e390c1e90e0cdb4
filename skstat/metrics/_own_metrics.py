"""Metrics that scikit-learn has not: of ranks, of costs, of several confusion matrices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import make_scorer, roc_auc_score

from skstat.metrics._output_kinds import aligned_rows, binary_scores_of, check_labels
from skstat.metrics._ranks import RankedRows
from skstat.metrics._sums import cost_array, cost_sensitive_error
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
    truth, output, weight = aligned_rows(y_true, y_score, sample_weight, "y_score")
    return *binary_scores_of(truth, output, pos_label, metric, "y_score"), weight


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
    names = None if labels is None else check_labels(labels)
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
        raise ValueError(
            f"matrices has shape {counts.shape}; give one square matrix or more, shape "
            "(n_matrices, n_classes, n_classes)."
        )
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError("matrices must hold counts: finite, and none below 0.")
    k = counts.shape[1]
    classes = list(range(k)) if labels is None else np.asarray(labels, dtype=object).tolist()
    if len(classes) != k or len(set(classes)) < k:
        raise ValueError(f"labels={classes} must name the {k} classes of matrices, each once.")
    if pos_label is None and k == 2:
        pos_label = classes[1]
    if pos_label not in classes:
        raise ValueError(
            f"pos_label={pos_label!r} is not one of the classes {classes}: name one of them."
        )
    chosen = classes.index(pos_label)
    check_number("beta", beta, least=0, what="finite, and not below 0")
    each = _scores(counts, chosen, beta)
    means = each.mean(axis=0)
    micro = _scores(counts.sum(axis=0), chosen, beta)
    bottom = beta**2 * means[0] + means[1]
    return ConfusionScores(
        macro=_named(means),
        micro=_named(micro),
        f_of_means=float((1 + beta**2) * means[0] * means[1] / bottom) if bottom else 0.0,
        each={name: tuple(map(float, each[:, i])) for i, name in enumerate(_NAMES)},
        undefined=tuple((int(i), _NAMES[j]) for i, j in np.argwhere(np.isnan(each))),
        pos_label=pos_label,
        beta=float(beta),
    )


_NAMES = ("precision", "recall", "f")


def _scores(counts: NDArray[np.float64], chosen: int, beta: float) -> NDArray[np.float64]:
    """Precision, recall and F of one class, along the first axis; nan where undefined."""
    hit, true, said = counts[..., chosen, chosen], counts.sum(-1), counts.sum(-2)
    true, said = true[..., chosen], said[..., chosen]
    weight = beta**2
    with np.errstate(invalid="ignore"):
        return np.stack(
            [hit / said, hit / true, (1 + weight) * hit / (weight * true + said)], axis=-1
        )


def _named(scores: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(_NAMES, map(float, scores), strict=True))
