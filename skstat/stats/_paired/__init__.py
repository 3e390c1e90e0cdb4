"""Tests of two systems on paired scores, one file each.

Imports multiplicity and what is below it.
"""

from skstat.stats._paired.cost import cost
from skstat.stats._paired.diebold_mariano import LongRunOutcome, diebold_mariano
from skstat.stats._paired.equivalence import (
    EquivalenceFamily,
    EquivalenceOutcome,
    check_margin,
    equivalence,
    equivalence_tests,
    equivalences,
)
from skstat.stats._paired.paired_t import bouckaert_t, corrected_t, one_sample_t, paired_t
from skstat.stats._paired.posterior import (
    PosteriorFamily,
    correlated_posterior,
    own_posterior,
    posterior,
)
from skstat.stats._paired.rank_sum_law import untied_law
from skstat.stats._paired.sign import SignOutcome, sign, sign_pvalue
from skstat.stats._paired.sign_flip import (
    SignFlipOutcome,
    count_extreme,
    flipped_outcome,
    sign_flip,
)
from skstat.stats._paired.sign_posterior import SignPosterior, sign_posterior
from skstat.stats._paired.signed_rank_posterior import (
    SignedRankPosterior,
    signed_rank_posterior,
)
from skstat.stats._paired.wilcoxon import SignedRankOutcome, wilcoxon
