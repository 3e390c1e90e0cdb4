"""Tests over splits of one data set that are laid out for the test, or know every row.

Imports estimates and what is below them.
"""

from skstat.stats._splits.block_jackknife import (
    BlockJackknifeOutcome,
    block_jackknife_estimate,
    block_jackknife_t,
)
from skstat.stats._splits.five_by_two import (
    FirstDifferenceOutcome,
    FiveByTwoOutcome,
    five_by_two_f,
    five_by_two_t,
)
from skstat.stats._splits.projection import (
    FEWEST_REPEATS,
    ProjectionOutcome,
    SizeChange,
    assumptions_about,
    check_rows,
    one_sample_projection_t,
    projection_estimate,
    projection_t,
)
