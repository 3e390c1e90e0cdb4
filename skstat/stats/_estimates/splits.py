"""Estimate from the scores of splits: corrected t."""

import math

import numpy as np

from skstat.stats._common import procedure
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
