"""Displays, which draw numbers that were computed elsewhere."""

from skstat.display._critical_difference import (
    CriticalDifferenceDisplay as CriticalDifferenceDisplay,
)
from skstat.display._curves import CurvesDisplay as CurvesDisplay
from skstat.display._curves import LinesDisplay as LinesDisplay
from skstat.display._differences import DifferencesDisplay as DifferencesDisplay
from skstat.display._heatmap import HeatmapDisplay as HeatmapDisplay
from skstat.display._intervals import IntervalsDisplay as IntervalsDisplay
from skstat.display._posterior import PosteriorDisplay as PosteriorDisplay
from skstat.display._posterior import SimplexDisplay as SimplexDisplay

__all__ = [name for name in dir() if not name.startswith("_")]
