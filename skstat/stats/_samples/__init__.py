"""Samples, which tests are computed from: frozen and checked.

Imports resampling and the common ground.
"""

from skstat.stats._samples.counts import AgreementTable, Successes, zero_one
from skstat.stats._samples.noise import (
    RELATIVE_RESOLUTION,
    levels,
    ranked,
    resolution_of,
    resolution_of_table,
    signed_ranks,
    with_all_digits,
    without_levels,
)
from skstat.stats._samples.predictions import (
    Metric,
    Predictions,
    PredictionsSummary,
    Work,
    callable_kernel,
    rows_where,
)
from skstat.stats._samples.preferences import Preferences, sides_among
from skstat.stats._samples.row_contributions import (
    FEW_IN_FOLD,
    FEW_OF_CLASS,
    ProjectionVariance,
    RowContributions,
    effective_number,
    usual_correlation,
)
from skstat.stats._samples.score_table import (
    DatasetSplits,
    ScorePairs,
    ScoreTable,
    check_complete,
    check_independent,
    ends_of,
)
from skstat.stats._samples.scores import (
    MIN_GROUPS,
    UNITS,
    DependenceWarning,
    PairedScores,
    Resampled,
    Scores,
    Unit,
    check_constant,
    check_count,
    check_enough_units,
    check_number,
    check_plain_splits,
    effective_groups,
    intraclass_correlation,
    numbers,
    off_diagonal,
    places_of,
    units_of,
    warn_if_dependent,
)
from skstat.stats._samples.seed_scores import SeededPredictions, SeedScores, turned
