"""Doubts: coded reasons to trust a conclusion less, each with its sentence and a remedy.

The modules of this package import one another, the words of the reports (numbers, levels,
names of metrics) and ``skstat.stats``; no report and no form of one. Others import from here.
"""

from skstat.report._doubts.case import (
    Case,
    DatasetsOfLargestClass,
    EstimationMethod,
    LargestClassCase,
    NamedRowsCase,
    PerformanceCase,
    PreferencesCase,
    SystemsCase,
)
from skstat.report._doubts.catalogue import CATALOGUE
from skstat.report._doubts.context import (
    BaselineFacts,
    Context,
    DesignFacts,
    LearnerFacts,
    MetricFacts,
    ResultFacts,
    RowFacts,
)
from skstat.report._doubts.explain import explain, explained, listed
from skstat.report._doubts.family import FamilyCase
from skstat.report._doubts.find import (
    AnyCase,
    after_adjustment,
    beside_equivalent,
    by_code,
    doubts_of_family,
    doubts_of_pairs,
    find_doubts,
    invalid_for,
    merged_over_pairs,
    merged_over_slices,
)
from skstat.report._doubts.kind import (
    WEIGHTS,
    Doubt,
    DoubtKind,
    Found,
    Weight,
    by_weight,
    doubt,
)
from skstat.report._doubts.stored import doubts_from_dicts
from skstat.report._doubts.table_case import TableCase
