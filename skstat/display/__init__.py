"""Displays: they draw given numbers and compute none."""

from skstat.display._intervals import IntervalsDisplay
from skstat.display._paired_differences import PairedDifferencesDisplay

__all__ = ["IntervalsDisplay", "PairedDifferencesDisplay"]
