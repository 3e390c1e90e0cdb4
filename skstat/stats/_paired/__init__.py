"""Tests of two systems on paired scores, by family.

Imports multiplicity and what is below it.
"""

from skstat.stats._paired.diebold_mariano import (
    MOST_BIAS,
    LongRun,
    bias_of_blocks,
    diebold_mariano,
    first_autocorrelation,
)
from skstat.stats._paired.paired_t import (
    EquivalenceOutcome,
    bouckaert_t,
    check_margin,
    corrected_t,
    equivalence,
    equivalence_tests,
    equivalences,
    one_sample_t,
    paired_t,
)
from skstat.stats._paired.sign import (
    PosteriorFamily,
    SignPosterior,
    Signs,
    own_posterior,
    posterior,
    sign,
    sign_posterior,
    sign_pvalue,
)
from skstat.stats._paired.sign_flip import cost, count_extreme, flipped_outcome, sign_flip
from skstat.stats._paired.signed_ranks import untied_law
from skstat.stats._paired.wilcoxon import (
    SignedRankPosterior,
    SignedRanks,
    signed_rank_posterior,
    wilcoxon,
)
