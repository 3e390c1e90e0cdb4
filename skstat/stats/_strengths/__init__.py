"""Strengths of many systems that met on many units, and how often each wins.

Imports samples and what is below them.
"""

from skstat.stats._strengths.bradley_terry import (
    FEWEST_UNITS,
    BradleyTerryPosterior,
    SideChance,
    bradley_terry,
)
from skstat.stats._strengths.preferences import ENOUGH_ITEMS, strength_t, strength_table
from skstat.stats._strengths.sampler import PoorDrawsError
from skstat.stats._strengths.win_chances import LEVEL, PairChances, WinChances
from skstat.stats._strengths.win_shares import win_shares
