"""Several systems in pairs (``post_hoc=``), by family.

Imports all rooms below: it is the top of ``stats``.
"""

from skstat.stats._post_hoc.mean_ranks import (
    CriticalDifferenceOutcome,
    bonferroni_dunn,
    nemenyi,
    pairwise_conover,
    pairwise_mean_ranks,
)
from skstat.stats._post_hoc.pairwise import (
    PairwiseOutcome,
    check_adjustment,
    pairs_of,
    pairwise,
)
