"""Places on a leaderboard: which ranks a system may have, and how stable they are.

Imports comparisons in pairs and what is below them.
"""

from skstat.stats._leaderboard.own_estimates import (
    Draws,
    NoOwnEstimateError,
    needs_draws,
    needs_rows,
    own_estimate,
)
from skstat.stats._leaderboard.rank_stability import (
    RankInterval,
    RankStability,
    can_be_resampled,
    equal_parts,
    interval_of_mean,
    law_of_parts,
    places_of,
    rank_intervals,
    rank_stability,
)
