"""Displays: they draw given numbers and compute none."""

from skstat.display._agreement import AgreementDisplay
from skstat.display._intervals import IntervalsDisplay
from skstat.display._paired_differences import PairedDifferencesDisplay
from skstat.display._resampling import ResamplingDisplay

__all__ = [
    "AgreementDisplay",
    "IntervalsDisplay",
    "PairedDifferencesDisplay",
    "ResamplingDisplay",
]
