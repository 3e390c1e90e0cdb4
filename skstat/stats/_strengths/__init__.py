"""Strengths of many systems that met on many units, and how often each wins.

Imports samples and what is below them.
"""

from skstat.stats._strengths.bradley_terry import (
    FEWEST_UNITS,
    BradleyTerryPosterior,
    PoorDrawsError,
    SideChance,
    bradley_terry,
)
from skstat.stats._strengths.preferences import (
    ENOUGH_ITEMS,
    LEVEL,
    PairChances,
    WinChances,
    strength_t,
    strength_table,
    win_shares,
)
