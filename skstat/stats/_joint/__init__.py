"""The joint distribution of several scores: max-T, which may be the best, the confidence set.

Imports the tests of two systems and what is below them.
"""

from skstat.stats._joint.compare_with_best import BestOutcome, compare_with_best
from skstat.stats._joint.heterogeneity import (
    Contributions,
    heterogeneity,
    heterogeneity_of_errors,
    shrunken,
)
from skstat.stats._joint.joint_flips import JointFlips
from skstat.stats._joint.joint_law import JointLaw, law_of_replicates, root_of
from skstat.stats._joint.largest_lead import LeadOutcome, largest_lead
from skstat.stats._joint.law_of_means import law_of_areas, law_of_means, skewness_left
from skstat.stats._joint.max_t import MaxT, SimultaneousOutcome, joint_max_t
from skstat.stats._joint.min_p import MinPOutcome, smallest_pvalues
from skstat.stats._joint.model_confidence_set import ConfidenceSetOutcome, model_confidence_set
