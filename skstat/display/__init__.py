"""Displays, which draw numbers that were computed elsewhere."""

from skstat.display._critical_difference import CriticalDifferenceDisplay
from skstat.display._curves import CurvesDisplay
from skstat.display._differences import DifferencesDisplay
from skstat.display._heatmap import HeatmapDisplay
from skstat.display._intervals import IntervalsDisplay
from skstat.display._lines import LinesDisplay
from skstat.display._posterior import PosteriorDisplay
from skstat.display._simplex import SimplexDisplay

__all__ = [
    "CriticalDifferenceDisplay",
    "CurvesDisplay",
    "DifferencesDisplay",
    "HeatmapDisplay",
    "IntervalsDisplay",
    "LinesDisplay",
    "PosteriorDisplay",
    "SimplexDisplay",
]
