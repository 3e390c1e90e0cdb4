"""The joint distribution of several scores: max-T, which may be the best, the confidence set.

Imports the tests of two systems and what is below them.
"""

from skstat.stats._joint.compare_with_best import (
    BestOutcome,
    Candidates,
    ConfidenceSetOutcome,
    compare_with_best,
    largest_lead,
    model_confidence_set,
)
from skstat.stats._joint.heterogeneity import (
    Contributions,
    heterogeneity,
    heterogeneity_of_errors,
    shrunken,
)
from skstat.stats._joint.joint_flips import JointFlips
from skstat.stats._joint.joint_law import (
    JointLaw,
    draw_errors,
    law_of_areas,
    law_of_means,
    law_of_replicates,
    ordered_root,
    skewness_left,
    words_about,
)
from skstat.stats._joint.max_t import JointMaxT, JointMinP, MaxT, joint_max_t, smallest_pvalues
