"""Tests whose statistic is chi-squared with one degree of freedom, or its signed root."""

import math
from typing import Any

import numpy as np

from skstat.stats._common import tails
from skstat.stats._outcomes import above_zero, check_alpha, check_level


def statistic_name(alternative: str, two_sided: str) -> str:
    """Symbol of the statistic: only its signed root z knows directions."""
    return two_sided if alternative == "two-sided" else "z"


def statistic(chi2: float, sign: float, alternative: str) -> float:
    """Return chi-squared, or its root with `sign` when a direction was asked for."""
    return chi2 if alternative == "two-sided" else sign * math.sqrt(chi2)


def pvalue(chi2: Any, sign: Any, alternative: str) -> Any:
    """p-value of :func:`statistic`, or p-values of many, in the limit of many units."""
    if alternative == "two-sided":
        return above_zero(tails.chi2_sf(chi2, 1))
    z = sign * np.sqrt(chi2)
    return above_zero(tails.normal_sf(z if alternative == "greater" else -z))


def critical_value(alpha: float, alternative: str) -> float:
    """Value of :func:`statistic` from which the test rejects."""
    check_alpha(alpha)
    if alternative == "two-sided":
        return float(tails.chi2_isf(alpha, 1))
    z = float(tails.normal_isf(alpha))
    return z if alternative == "greater" else -z


def normal_quantile(confidence_level: float, alternative: str) -> float:
    """Distance of the limits of an interval in standard errors."""
    check_level(confidence_level)
    alpha = 1 - confidence_level
    return float(tails.normal_isf(alpha / 2 if alternative == "two-sided" else alpha))
