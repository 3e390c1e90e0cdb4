"""Several p-values at once: adjustments, letters, replicability.

Imports outcomes and what is below them.
"""

from skstat.stats._multiplicity.adjust import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._multiplicity.letters import (
    compact_letters,
    contiguous_groups,
    groups_by_letter,
    undrawn_pairs,
)
from skstat.stats._multiplicity.replicability import ReplicabilityOutcome, replicability
