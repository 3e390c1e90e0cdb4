"""Displays, which draw numbers that were computed elsewhere."""

from skstat.display._critical_difference import CriticalDifferenceDisplay
from skstat.display._curves import CurvesDisplay
from skstat.display._intervals import IntervalsDisplay
from skstat.display._leaderboard import LeaderboardDisplay
from skstat.display._lines import LinesDisplay
from skstat.display._paired_differences import PairedDifferencesDisplay
from skstat.display._performance import PerformanceDisplay
from skstat.display._posterior import PosteriorDisplay
from skstat.display._pvalues import PValuesDisplay
from skstat.display._rank_intervals import RankIntervalsDisplay
from skstat.display._resampling import ResamplingDisplay
from skstat.display._score_heatmap import ScoreHeatmapDisplay
from skstat.display._shrinkage import ShrinkageDisplay
from skstat.display._simplex import SimplexDisplay
from skstat.display._win_tie_loss import WinTieLossDisplay

__all__ = [
    "CriticalDifferenceDisplay",
    "CurvesDisplay",
    "IntervalsDisplay",
    "LeaderboardDisplay",
    "LinesDisplay",
    "PValuesDisplay",
    "PairedDifferencesDisplay",
    "PerformanceDisplay",
    "PosteriorDisplay",
    "RankIntervalsDisplay",
    "ResamplingDisplay",
    "ScoreHeatmapDisplay",
    "ShrinkageDisplay",
    "SimplexDisplay",
    "WinTieLossDisplay",
]
