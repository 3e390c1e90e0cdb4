"""Units in time order: how much the variance of a mean grows when neighbours are alike."""

import math

import numpy as np
from numpy.typing import NDArray

# Fewer cosines would leave Student's t hardly any power.
LEAST_COSINES = 3
# Share by which the variance may be expected to come out too small.
MOST_BIAS = 0.1
# Estimates above this say no more than that the series wanders.
_LARGEST_AUTOCORRELATION = 0.97


def cosine_variance(series: NDArray[np.float64], n_cosines: int) -> float:
    """Estimate n times the variance of the mean by equally weighted cosines.

    The mean of the squares of ``sqrt(2 / n) sum_t d_t cos(pi j (t - 1/2) / n)`` over j =
    1, ..., n_cosines. They are nearly independent and of one variance, so that the mean
    over the root of it has a t distribution with as many degrees of freedom.
    """
    from scipy import fft  # takes longer to load than all that is here

    projections = fft.dct(series - series.mean(), type=2, norm="ortho")
    return float(np.mean(projections[1 : n_cosines + 1] ** 2))


def first_autocorrelation(series: NDArray[np.float64]) -> float:
    """Correlation of neighbours, from 0 to 0.97.

    The estimate of a short series is too small by about (1 + 3 r) / n, which is added
    (Kendall, 1954). A negative one counts as 0: it makes a mean more precise than it
    looks.
    """
    centred = series - series.mean()
    squares = float(centred @ centred)
    if squares == 0:
        return 0.0
    n = len(series)
    found = float(centred[1:] @ centred[:-1]) / squares
    if n > LEAST_COSINES:
        found = (n * found + 1) / (n - 3)
    return min(max(found, 0.0), _LARGEST_AUTOCORRELATION)


def number_of_cosines(n: int, autocorrelation: float) -> int:
    """Choose how many cosines to take for n steps.

    ``0.4 n^(2/3)``, or as many fewer as keep the expected bias within a tenth; no fewer
    than three.
    """
    most = max(LEAST_COSINES, math.floor(0.4 * n ** (2 / 3)))
    if autocorrelation > 0:
        per_square = bias_of_cosines(n, 1, autocorrelation)
        most = min(most, math.floor(math.sqrt(MOST_BIAS / per_square)))
    return min(max(most, LEAST_COSINES), n - 1)


def bias_of_cosines(n: int, n_cosines: int, autocorrelation: float) -> float:
    """Share by which cosines are expected to understate the long-run variance.

    ``(pi^2 / 6) (n_cosines / n)^2 sum_l l^2 gamma_l / sum_l gamma_l`` to the first order,
    with the autocovariances gamma of an autoregression of order one, for which the ratio
    is 2 r / (1 - r)^2.
    """
    curvature = 2 * autocorrelation / (1 - autocorrelation) ** 2
    return math.pi**2 / 6 * (n_cosines / n) ** 2 * curvature


def bias_of_blocks(length: int, autocorrelation: float) -> float:
    """Share by which blocks of that length are expected to understate it.

    ``sum_l |l| gamma_l / (length sum_l gamma_l)``, 2 r / (1 - r^2) over the length for an
    autoregression of order one.
    """
    return 2 * autocorrelation / (1 - autocorrelation**2) / length
