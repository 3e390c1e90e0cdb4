"""Splitters that scikit-learn lacks.

Imports what was handed in.
"""

from skstat.evaluation._splitters.balanced_halves import MOST_COLUMNS, fewest_units
from skstat.evaluation._splitters.base import how_drawn, read_by, works_on
from skstat.evaluation._splitters.blocks import block_table, part_sizes
from skstat.evaluation._splitters.bootstrap import BootstrapOutOfBag
from skstat.evaluation._splitters.by_sample import splitter_making
from skstat.evaluation._splitters.group_folds import RepeatedGroupKFold
from skstat.evaluation._splitters.halves import FiveByTwo, RepeatedHalves
from skstat.evaluation._splitters.leave_two_blocks_out import (
    FEWEST_IN_BLOCKS,
    LeaveTwoBlocksOut,
    blocks_for,
)
from skstat.evaluation._splitters.nested_folds import NestedKFold
