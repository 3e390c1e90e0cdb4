"""Tango's score interval for the difference of two paired proportions."""

import math

from skstat.stats._common import root_between


def upper_limit(only_a: int, only_b: int, n: int, z: float) -> float:
    """Largest difference that the score statistic keeps within z standard errors.

    The score statistic of H0: p_A - p_B = delta is (b - c - n delta) over its standard
    error under H0 (Tango, 1998, eq. 7 to 9). The lower limit is minus the upper one
    with A and B swapped.
    """
    if z < 0:  # a one-sided limit below the estimate, at levels under 50 %
        return -upper_limit(only_b, only_a, n, -z)
    if only_a == n:
        return 1.0
    if only_a == only_b == 0:
        # At the estimate, 0, the standard error is 0 as well: a root, but not the limit.
        return z * z / (n + z * z)
    estimate = (only_a - only_b) / n
    if only_b == n:
        return (z * z - n) / (z * z + n)

    def excess(delta: float) -> float:
        error = math.sqrt(_variance(only_a, only_b, n, delta))
        return n * delta - (only_a - only_b) - z * error

    # Negative at the estimate, where only the standard error is left, and positive at
    # 1, where the standard error is 0.
    if excess(estimate) >= 0:  # z = 0
        return estimate
    return root_between(excess, estimate, 1.0, xtol=1e-15)


def _variance(only_a: int, only_b: int, n: int, delta: float) -> float:
    """Variance of b - c, with the probabilities most likely under p_A - p_B = delta."""
    quadratic = 2 * n
    linear = (2 * n - only_a + only_b) * delta - only_a - only_b
    constant = -only_b * delta * (1 - delta)
    root = math.sqrt(max(0.0, linear * linear - 4 * quadratic * constant))
    # The larger root of the likelihood equation is P(only B right); in the form that
    # subtracts no two numbers of nearly the same size.
    if linear > 0:
        share_b = -2 * constant / (linear + root)
    else:
        share_b = (root - linear) / (2 * quadratic)
    return max(0.0, n * (2 * share_b + delta * (1 - delta)))
