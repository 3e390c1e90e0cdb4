"""Units in time order: how much the variance of a mean grows when neighbours are alike.

Arithmetic on arrays; it imports nothing of ``stats``.
"""

from skstat.stats._time_order.long_run_variance import (
    LEAST_COSINES,
    MOST_BIAS,
    bias_of_blocks,
    bias_of_cosines,
    cosine_variance,
    first_autocorrelation,
    number_of_cosines,
)
