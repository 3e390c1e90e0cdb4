"""Estimates from the scores of single rows out of fold: cross-validation, and nested."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._common import aligned, of_usable_size, procedure, read_numbers
from skstat.stats._estimates.estimate import MeanEstimate
from skstat.stats._literature import BATES_ET_AL_2024, BAYLE_ET_AL_2020, NADEAU_BENGIO_2003
from skstat.stats._samples import Scores, check_enough_units, resolution_of

_NORMAL = "the mean over splits is near normal"


@procedure(references=(NADEAU_BENGIO_2003,))
def corrected_t_estimate(sample: Scores, *, quantity: str = "score") -> MeanEstimate:
    """Estimate the expected score of a learner by the corrected resampled t interval.

    ``mean(s) -+ t * sd(s) * sqrt(1/J + n_test/n_train)`` with J - 1 degrees of freedom,
    where s are the scores of J random splits. The second term stands for the covariance of
    splits that share training rows (Nadeau & Bengio, 2003, section 3) [1]_.

    Parameters
    ----------
    sample : Scores
        Scores of the splits, with their training and test sizes. For the difference of two
        learners, their differences.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval.

    Raises
    ------
    ValueError
        If the units are not splits, their sizes are unknown, or there are fewer than three.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from skstat.stats import Scores, corrected_t_estimate
    >>> sample = Scores([0.81, 0.79, 0.84, 0.8, 0.82], n_train=90, n_test=10)
    >>> low, high = corrected_t_estimate(sample).confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.782, 0.842)
    """
    check_enough_units(sample, 3, "corrected_t_estimate")
    ratio = sample.test_train_ratio
    if sample.unit != "split" or ratio is None:
        raise ValueError(
            "corrected_t_estimate needs splits with known sizes: pass Scores(values, "
            "n_train=, n_test=)."
        )
    values = np.asarray(sample.values)
    n = len(values)
    error = float(values.std(ddof=1)) * math.sqrt(1 / n + ratio)
    size = sample.training_size
    of_size = "" if size is None else f" of {size:.4g} {sample.size_unit}s"
    return MeanEstimate(
        method=f"corrected resampled t over {n} splits",
        estimand=f"expected {quantity} of the learner over training sets{of_size}",
        unit="split",
        n_units=n,
        estimate=float(values.mean()),
        standard_error=error if error > resolution_of(values) else 0.0,
        df=n - 1,
        assumptions=(
            _NORMAL,
            "the correlation of two splits is their share of test rows, "
            f"{ratio:.3g} test per training {sample.size_unit}",
        ),
    )


FoldVariance = Literal["all-pairs", "within-fold"]
_STABLE = "a small change in the training rows changes the loss only a little"


def cross_validation_estimate(
    scores: ArrayLike,
    folds: ArrayLike,
    *,
    variance: FoldVariance = "all-pairs",
    quantity: str = "score",
) -> MeanEstimate:
    """Estimate the mean score of the K models of one cross-validation.

    The mean of the rows' scores, each by the model that was trained without its fold, with
    the normal law and ``sd / sqrt(n)``, where the variance is that of all scores
    (``"all-pairs"``) or the mean of those within the folds (Bayle, Bayle, Janson & Mackey,
    2020, eq. 3.1 and 3.2) [1]_. The target is the K models of this cross-validation, not
    the learner: other training rows are not covered.

    Parameters
    ----------
    scores : array-like of shape (n_rows,)
        Score of every row out of fold. For the difference of two learners, the differences.
    folds : array-like of shape (n_rows,)
        The fold that every row is in.
    variance : {"all-pairs", "within-fold"}, default="all-pairs"
        Which variance. The second needs two rows in every fold.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If lengths differ, a score is not finite, or there are too few folds or rows.

    References
    ----------
    .. [1] Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33, 16339-16350.

    Examples
    --------
    >>> from skstat.stats import cross_validation_estimate
    >>> right = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    >>> estimate = cross_validation_estimate(right, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> estimate.estimate, round(estimate.standard_error, 4)
    (0.8, 0.1265)
    """
    given = aligned({"scores": scores, "folds": folds}, unit="score")
    (values,) = of_usable_size("scores", _rows(given["scores"]))
    codes = np.unique(np.asarray(given["folds"]), return_inverse=True)[1]
    if variance not in get_args(FoldVariance):
        raise ValueError(f"variance={variance!r} is unknown; use 'all-pairs' or 'within-fold'.")
    if codes.shape != values.shape:
        raise ValueError(
            f"folds has shape {np.shape(folds)} and scores {values.shape}: every row needs "
            "its fold."
        )
    sizes = np.bincount(codes)
    if len(sizes) < 2:
        raise ValueError("folds holds one fold only; cross-validation has at least two.")
    if variance == "all-pairs":
        spread = float(values.var())
    else:
        if sizes.min() < 2:
            raise ValueError(
                "variance='within-fold' needs two rows in every fold; use 'all-pairs'."
            )
        spread = float(np.mean([values[codes == k].var(ddof=1) for k in range(len(sizes))]))
    n = len(values)
    return MeanEstimate(
        method=f"{len(sizes)}-fold cross-validation, {variance} variance",
        estimand=f"mean {quantity} of the {len(sizes)} fitted models on new rows",
        unit="instance",
        n_units=n,
        estimate=float(values.mean()),
        standard_error=math.sqrt(spread / n),
        assumptions=("the rows are independent of each other", _STABLE),
        ignored_variance=("training rows", "how the rows are split"),
        references=(BAYLE_ET_AL_2020,),
    )


def nested_cv_estimate(
    outer: Sequence[Sequence[ArrayLike]],
    inner: Sequence[Sequence[ArrayLike]],
    *,
    quantity: str = "score",
) -> MeanEstimate:
    """Estimate the expected score of a learner by nested cross-validation.

    Every fold is held out once, and predicted by a cross-validation of the other
    folds: the distance of the held-out fold's mean from that prediction gives the mean squared
    error of cross-validation itself, ``MSE = mean((e_in - e_out)^2) - mean(var_out / n_out)``
    (Bates, Hastie & Tibshirani, 2024, algorithm 1) [1]_. The standard error is the naive one
    times ``sqrt(MSE) / naive``, kept between 1 and sqrt(K); the estimate is that of the inner
    cross-validations, less ``(1 + (K - 2)/K) (e_in - e_cv)`` for their smaller training sets.

    Parameters
    ----------
    outer : sequence of sequences of array-like
        For every repeat and fold the scores of the rows of this fold, by the model that was
        trained on all others. For two learners, the differences.
    inner : sequence of sequences of array-like
        For every repeat and fold the scores of the rows of all other folds, each by the
        model that was trained without this fold and its own.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If the arrays do not fit together, or there are fewer than three folds.

    Notes
    -----
    The models trained without folds i and j serve both as outer folds: K (K + 1) / 2 fits
    for each repeat, where the algorithm as printed needs K^2.

    References
    ----------
    .. [1] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it
       estimate and how well does it do it? Journal of the American Statistical
       Association, 119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import nested_cv_estimate
    >>> rng = np.random.default_rng(0)
    >>> outer = [[rng.normal(size=20) for fold in range(5)] for repeat in range(10)]
    >>> inner = [[rng.normal(size=80) for fold in range(5)] for repeat in range(10)]
    >>> estimate = nested_cv_estimate(outer, inner)
    >>> low, high = estimate.confidence_interval()
    >>> bool(low < 0 < high)
    True
    """
    for name, given in (("outer", outer), ("inner", inner)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise ValueError(
                f"{name} must hold a list of folds for every repeat, and each fold its scores."
            )
    held_out = [[_rows(fold) for fold in repeat] for repeat in outer]
    within = [[_rows(fold) for fold in repeat] for repeat in inner]
    n, n_folds = _check_nested(held_out, within)
    pairs = [
        pair for both in zip(held_out, within, strict=True) for pair in zip(*both, strict=True)
    ]
    errors = np.array([(e_in.mean() - e_out.mean()) ** 2 for e_out, e_in in pairs])
    noise = np.array([e_out.var(ddof=1) / len(e_out) for e_out, _ in pairs])
    squared = max(0.0, float(errors.mean() - noise.mean()))
    e_in = np.concatenate([e_in for _, e_in in pairs])
    e_cv = np.concatenate([e_out for e_out, _ in pairs])
    sd = float(e_in.std(ddof=1))
    inflation = 1.0
    if sd:
        naive = sd / math.sqrt(n * (n_folds - 1) / n_folds)
        inflation = min(max(math.sqrt(squared) / naive, 1.0), math.sqrt(n_folds))
    bias = (1 + (n_folds - 2) / n_folds) * float(e_in.mean() - e_cv.mean())
    return MeanEstimate(
        method=f"nested {n_folds}-fold cross-validation, {len(held_out)} "
        f"repeat{'s' * (len(held_out) > 1)} (standard error {inflation:.2f} times the naive "
        "one)",
        estimand=f"expected {quantity} of the learner over training sets of about all rows",
        unit="instance",
        n_units=n,
        estimate=float(e_in.mean()) - bias,
        standard_error=inflation * sd / math.sqrt(n),
        assumptions=(
            "the rows are independent of each other",
            "the error of cross-validation on all rows is like that on K - 1 folds",
        ),
        references=(BATES_ET_AL_2024,),
    )


def _check_nested(
    outer: list[list[NDArray[np.float64]]], inner: list[list[NDArray[np.float64]]]
) -> tuple[int, int]:
    """Rows and folds of every repeat, which must be the same."""
    if not outer or [len(r) for r in outer] != [len(r) for r in inner]:
        raise ValueError("outer and inner need the same repeats and folds, and at least one.")
    n_folds = len(outer[0])
    if n_folds < 3:
        raise ValueError(f"outer has {n_folds} folds; nested cross-validation needs three.")
    n = sum(map(len, outer[0]))
    for folds, others in zip(outer, inner, strict=True):
        if len(folds) != n_folds or sum(map(len, folds)) != n:
            raise ValueError("outer has repeats of different folds or rows.")
        for fold, rest in zip(folds, others, strict=True):
            if len(fold) < 2 or len(fold) + len(rest) != n:
                raise ValueError(
                    f"a fold of {len(fold)} rows has {len(rest)} inner scores; it needs two "
                    f"rows, and a score for each of the other {n - len(fold)}."
                )
    return n, n_folds


def _rows(scores: ArrayLike) -> NDArray[np.float64]:
    values = read_numbers("scores", scores)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("scores must be one-dimensional and finite.")
    return values
