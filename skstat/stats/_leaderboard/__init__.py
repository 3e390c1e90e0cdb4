"""Places on a leaderboard: which ranks a system may have, and how stable they are.

Imports comparisons in pairs and what is below them.
"""

from skstat.stats._leaderboard.equal_parts import equal_parts
from skstat.stats._leaderboard.law_of_parts import law_of_parts
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
    places_of,
    rank_stability,
)
from skstat.stats._leaderboard.score_intervals import interval_of_mean
