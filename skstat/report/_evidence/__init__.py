"""What reports rest on: samples and outcomes, in the sign of scores (higher is better)."""

from skstat.report._evidence.question import (
    ComparisonEvidence,
    Evidence,
    Performance,
    PerformanceEvidence,
    alone,
)
from skstat.report._evidence.slices import (
    ByMetric,
    PairInSlices,
    SeedsEvidence,
    SliceEvidence,
    SlicesEvidence,
    adjusted_for_pairs,
    one_or_per_metric,
)
