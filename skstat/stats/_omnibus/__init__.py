"""Tests of several systems at once (``test=``), one file each.

Imports the joint distribution and what is below it.
"""

from skstat.stats._omnibus.cochran_q import cochran_q
from skstat.stats._omnibus.friedman import doubled_ranks, friedman, least_friedman_pvalue
from skstat.stats._omnibus.friedman_aligned import friedman_aligned
from skstat.stats._omnibus.largest_t import largest_of, largest_t
from skstat.stats._omnibus.quade import quade, ranked_together
from skstat.stats._omnibus.repeated_measures_anova import repeated_measures_anova
from skstat.stats._omnibus.skillings_mack import skillings_mack
