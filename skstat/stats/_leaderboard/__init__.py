"""Places on a leaderboard: which ranks a system may have, and how stable they are.

Imports comparisons in pairs and what is below them.
"""

from skstat.stats._leaderboard.law_of_parts import equal_parts, law_of_parts
from skstat.stats._leaderboard.own_estimates import (
    Draws,
    NoOwnEstimateError,
    needs_draws,
    needs_rows,
    own_estimate,
)
from skstat.stats._leaderboard.rank_intervals import RankInterval, rank_intervals
from skstat.stats._leaderboard.rank_stability import (
    RankStability,
    can_be_resampled,
    interval_of_mean,
    places_of,
    rank_stability,
)
