"""How resamples are drawn and scored, and laws that need no draws.

Plans, sign patterns, kernels, replicates, saddlepoints.

Imports the common ground only.
"""

from skstat.stats._resampling.kernels import (
    COPIES,
    DEFAULT_RESAMPLES,
    CallableKernel,
    Draws,
    Kernel,
    SumKernel,
    Workers,
    bootstrap,
    draw_seed,
    kernel_of_means,
    largest_share,
    mean_of_sums,
    permutations,
    plan_of_rows,
    resampled_sums,
    to_first_order,
    weighted_sums,
)
from skstat.stats._resampling.plans import (
    EXHAUSTIVE_UP_TO,
    CellPlan,
    ResamplingPlan,
    UnitPlan,
    all_flips,
    countable,
    drawn_flips,
    fair_bits,
    many_units,
    stream,
    sums_of_blocks,
)
from skstat.stats._resampling.saddlepoint import (
    FlippedSum,
    atoms,
    flips_are_smooth,
    root_of_rising,
)
