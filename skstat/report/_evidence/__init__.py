"""What reports rest on: samples and outcomes, in the sign of scores (higher is better)."""

from skstat.report._evidence.comparison import ComparisonEvidence
from skstat.report._evidence.evidence import Performance, PerformanceEvidence
from skstat.report._evidence.slices import (
    ByMetric,
    PairInSlices,
    SeedsEvidence,
    SliceEvidence,
    SlicesEvidence,
    adjusted_for_pairs,
    evidence_from_dict,
    evidence_to_dict,
    one_or_per_metric,
)
