"""Precision, recall and F of several confusion matrices, averaged or pooled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import precision_recall_fscore_support


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
    if pos_label is None:
        if k != 2:
            raise ValueError(f"matrices are of {k} classes: name one of them by pos_label.")
        pos_label = classes[1]
    elif pos_label not in classes:
        raise ValueError(f"pos_label={pos_label!r} is not one of the classes {classes}.")
    chosen = classes.index(pos_label)
    each = np.array([_scores(matrix, chosen, beta) for matrix in counts])
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


def _scores(matrix: NDArray[np.float64], chosen: int, beta: float) -> NDArray[np.float64]:
    """Precision, recall and F of one class; nan where undefined."""
    k = len(matrix)
    # One weighted row for each cell stands for all rows of it.
    found = precision_recall_fscore_support(
        np.repeat(np.arange(k), k),
        np.tile(np.arange(k), k),
        labels=[chosen],
        beta=beta,
        average=None,
        sample_weight=matrix.ravel(),
        zero_division=np.nan,
    )
    return np.array([float(score[0]) for score in found[:3]])


def _named(scores: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(_NAMES, map(float, scores), strict=True))
