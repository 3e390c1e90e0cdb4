"""Estimates from the scores of splits: corrected t, and conservative Z."""

import math

import numpy as np
from numpy.typing import ArrayLike

from skstat.stats._common import procedure, read_numbers, scale_free
from skstat.stats._estimates.estimate import MeanEstimate
from skstat.stats._literature import NADEAU_BENGIO_2003
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


@scale_free("scores", "halves")
def conservative_z_estimate(
    scores: ArrayLike,
    halves: ArrayLike,
    *,
    n_train: int | None = None,
    size_unit: str = "row",
    quantity: str = "score",
) -> MeanEstimate:
    """Estimate the expected score of a learner with a variance that is too large if anything.

    The rows are halved M times, and the learner is scored on J splits within each half. The
    two halves are independent of each other, so that ``sum((a_m - b_m)^2) / (2 M)``, with
    the means a_m and b_m of the halves, has the expectation of the variance of such a mean
    of half as many rows, which is larger than that of all rows (Nadeau & Bengio, 2003,
    section 5) [1]_.

    Parameters
    ----------
    scores : array-like of shape (n_splits,)
        Scores of splits of all rows. For the difference of two learners, their differences.
    halves : array-like of shape (n_halvings, 2, n_splits)
        Scores of splits within both halves.
    n_train : int, optional
        Size of the training sets of `scores`, for the words of the estimand.
    size_unit : {"row", "group"}, default="row"
        What `n_train` counts.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    MeanEstimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If a shape does not fit or a score is not finite.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from skstat.stats import conservative_z_estimate
    >>> halves = [[[0.78, 0.8], [0.8, 0.82]], [[0.84, 0.8], [0.76, 0.8]]]
    >>> estimate = conservative_z_estimate([0.81, 0.83], halves)
    >>> round(estimate.estimate, 3), round(estimate.standard_error, 4)
    (0.82, 0.0224)
    """
    values = read_numbers("scores", scores)
    inner = read_numbers("halves", halves)
    if values.ndim != 1 or not values.size:
        raise ValueError(f"scores has shape {values.shape}; give one score per split.")
    if inner.ndim != 3 or inner.shape[1] != 2 or not inner.size:
        raise ValueError(
            f"halves has shape {inner.shape}; it needs (n_halvings, 2, n_splits): the scores "
            "of splits within both halves."
        )
    if not (np.isfinite(values).all() and np.isfinite(inner).all()):
        raise ValueError("scores and halves must be finite.")
    apart = np.diff(inner.mean(axis=2), axis=1)[:, 0]
    n_halvings = len(apart)
    return MeanEstimate(
        method=f"conservative Z of {n_halvings} halvings",
        estimand=f"expected {quantity} of the learner over training sets"
        + ("" if n_train is None else f" of {n_train} {size_unit}s"),
        unit="halving",
        n_units=n_halvings,
        estimate=float(values.mean()),
        standard_error=float(np.sqrt(np.square(apart).sum() / (2 * n_halvings))),
        assumptions=(
            _NORMAL,
            "half of the rows give a mean at least as variable as all of them",
        ),
        references=(NADEAU_BENGIO_2003,),
    )
