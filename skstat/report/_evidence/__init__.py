"""What reports rest on: samples and outcomes, in the sign of scores (higher is better)."""

from skstat.report._evidence.evidence import PairEvidence, Performance, PerformanceEvidence
from skstat.report._evidence.several import (
    ByMetric,
    PairInSlices,
    SeedsEvidence,
    SliceEvidence,
    SlicesEvidence,
    SystemsEvidence,
    adjusted_for_pairs,
    evidence_from_dict,
    evidence_to_dict,
    one_or_per_metric,
)
