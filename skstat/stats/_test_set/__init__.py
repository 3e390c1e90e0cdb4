"""Tests of two systems on one test set, one file each.

Imports the tests on paired scores and what is below them.
"""

from skstat.stats._test_set.agreement_posterior import (
    AgreementPosterior,
    agreement_posterior,
    best_by_right_rows,
)
from skstat.stats._test_set.binomial import BinomialOutcome, binomial
from skstat.stats._test_set.bootstrap import (
    BootstrapOutcome,
    Drawn,
    bootstrap_outcome,
    check_resampling,
    paired_bootstrap,
    summarise,
)
from skstat.stats._test_set.bootstrap_beside import DrawnBeside
from skstat.stats._test_set.bootstrap_posterior import (
    FEW_DIFFERING,
    BootstrapPosterior,
    WeightedScores,
    bootstrap_posterior,
    can_be_weighed,
    is_right_or_wrong,
    kernel_of_means,
    n_differing,
)
from skstat.stats._test_set.clustered_t import check_enough_groups, clustered_t
from skstat.stats._test_set.delong import DelongOutcome, delong, delong_wald
from skstat.stats._test_set.mcnemar import McNemarOutcome, mcnemar
from skstat.stats._test_set.permutation import paired_permutation, permutation_outcome
from skstat.stats._test_set.permutation_outcome import PermutationOutcome
from skstat.stats._test_set.proportion_interval import (
    INTERVAL_REFERENCES,
    IntervalMethod,
    anytime_proportion_interval,
    check_method,
    proportion_interval,
)
from skstat.stats._test_set.smooth_means import resampled_mean
