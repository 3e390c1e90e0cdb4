"""Tests of two systems on one test set, by family.

Imports the tests on paired scores and what is below them.
"""

from skstat.stats._test_set.bootstrap import (
    Bootstrap,
    bootstrap_outcome,
    check_resampling,
    differences_of,
    paired_bootstrap,
)
from skstat.stats._test_set.bootstrap_posterior import (
    FEW_DIFFERING,
    AgreementPosterior,
    BootstrapPosterior,
    WeightedScores,
    agreement_posterior,
    best_by_right_rows,
    bootstrap_posterior,
    can_be_weighed,
    is_right_or_wrong,
    n_differing,
)
from skstat.stats._test_set.delong import (
    Areas,
    assumptions_of_areas,
    check_enough_groups,
    clustered_t,
    delong,
    delong_wald,
)
from skstat.stats._test_set.mcnemar import (
    INTERVAL_REFERENCES,
    Discordant,
    IntervalMethod,
    anytime_proportion_interval,
    binomial,
    mcnemar,
    proportion_interval,
)
from skstat.stats._test_set.permutation import Swaps, paired_permutation, permutation_outcome
