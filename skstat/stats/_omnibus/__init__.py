"""Tests of several systems at once (``test=``), by family.

Imports the joint distribution and what is below it.
"""

from skstat.stats._omnibus.friedman import (
    doubled_ranks,
    friedman,
    friedman_aligned,
    least_friedman_pvalue,
    quade,
    ranked_together,
    skillings_mack,
)
from skstat.stats._omnibus.repeated_measures_anova import (
    cochran_q,
    largest_of,
    largest_t,
    repeated_measures_anova,
)
