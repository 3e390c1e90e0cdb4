"""How good one system is: estimates with intervals.

Imports the tests on one test set and what is below them.
"""

from skstat.stats._estimates.cross_validation import (
    corrected_t_estimate,
    cross_validation_estimate,
    nested_cv_estimate,
)
from skstat.stats._estimates.estimate import (
    Estimate,
    MeanEstimate,
    OutcomeEstimate,
    OutOfBagEstimate,
    ReplicatesEstimate,
    ShareEstimate,
)
from skstat.stats._estimates.holdout import (
    counted_estimate,
    holdout_bootstrap_estimate,
    holdout_estimate,
)
from skstat.stats._estimates.out_of_bag import out_of_bag_estimate
from skstat.stats._estimates.variance_shares import VarianceShares, variance_shares
