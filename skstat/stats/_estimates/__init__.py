"""How good one system is: estimates with intervals.

Imports the tests on one test set and what is below them.
"""

from skstat.stats._estimates.cross_validation import (
    Estimate,
    MeanEstimate,
    OutcomeEstimate,
    OutOfBagEstimate,
    ReplicatesEstimate,
    ShareEstimate,
    VarianceShares,
    corrected_t_estimate,
    cross_validation_estimate,
    nested_cv_estimate,
    variance_shares,
)
from skstat.stats._estimates.holdout import (
    counted_estimate,
    holdout_bootstrap_estimate,
    holdout_estimate,
    out_of_bag_estimate,
)
