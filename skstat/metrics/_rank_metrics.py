"""Two metrics of ranked scores that scikit-learn has no function for."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score, roc_curve

from skstat.metrics._output_kinds import binary_scores_of
from skstat.stats._common import aligned, rows_of, weights_of


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
    given = aligned({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    positive, scores = binary_scores_of(given["y_true"], given["y_score"], pos_label, metric)
    weight = given["sample_weight"]
    if weight is not None:
        weight = weights_of(rows_of("sample_weight", weight, len(positive)))
    return positive, scores, weight


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
    false_positive, true_positive, _ = roc_curve(
        positive, scores, sample_weight=weight, drop_intermediate=False
    )
    total = float(weights[positive].sum())
    hits = true_positive * total
    predicted = hits + false_positive * float(weights[~positive].sum())
    return float(np.interp(total, predicted, hits) / total)
