"""Several systems in pairs (``post_hoc=``), one file each.

Imports all rooms below: it is the top of ``stats``.
"""

from skstat.stats._post_hoc.conover import pairwise_conover
from skstat.stats._post_hoc.mean_ranks import MeanRankOutcome
from skstat.stats._post_hoc.nemenyi import (
    CriticalDifferenceOutcome,
    JointMeanRankOutcome,
    bonferroni_dunn,
    nemenyi,
)
from skstat.stats._post_hoc.pairwise import (
    PairwiseOutcome,
    check_adjustment,
    pairs_of,
    pairwise,
    pairwise_sign,
    pairwise_wilcoxon,
)
from skstat.stats._post_hoc.pairwise_mean_ranks import pairwise_mean_ranks
