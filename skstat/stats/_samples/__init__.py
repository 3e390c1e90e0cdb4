"""Samples, which tests are computed from: frozen and checked.

Imports resampling and the common ground.
"""

from skstat.stats._samples.binary_scores import AUCSummary, BinaryScores
from skstat.stats._samples.block_scores import (
    BlockScoreTable,
    PairedBlockScores,
    independent_blocks,
    off_diagonal,
)
from skstat.stats._samples.clustered_scores import (
    MIN_GROUPS,
    ClusteredScores,
    clustered_variance,
    effective_groups,
    group_codes,
    intraclass_correlation,
)
from skstat.stats._samples.clustered_table import ClusteredScoreTable
from skstat.stats._samples.counted_predictions import (
    CountedPair,
    CountedPredictions,
    counted_predictions,
    rows_where,
)
from skstat.stats._samples.counts import AgreementTable, Successes, zero_one
from skstat.stats._samples.crossed_scores import CrossedScores, paired_differences
from skstat.stats._samples.dataset_splits import DatasetSplits
from skstat.stats._samples.fold_scores import (
    FoldScores,
    FoldScoreTable,
    PairedFoldScores,
    table_of,
    units_of,
)
from skstat.stats._samples.prediction_counts import PredictionCounts
from skstat.stats._samples.predictions import (
    Draw,
    Metric,
    PairedPredictions,
    Predictions,
    PredictionsSummary,
    SinglePredictions,
    SystemsSummary,
    callable_kernel,
)
from skstat.stats._samples.preferences import (
    PairedStrengths,
    Preferences,
    StrengthTable,
    sides_among,
)
from skstat.stats._samples.projection_variance import ProjectionVariance
from skstat.stats._samples.restore import sample_from_dict
from skstat.stats._samples.row_contributions import (
    FEW_IN_FOLD,
    FEW_OF_CLASS,
    RowContributions,
    effective_number,
    usual_correlation,
)
from skstat.stats._samples.score_frames import cell_names
from skstat.stats._samples.score_table import (
    ScoreTable,
    check_complete,
    check_independent,
    levels,
    ranked,
    resolution_of_table,
    with_all_digits,
    without_levels,
)
from skstat.stats._samples.scores import (
    RELATIVE_RESOLUTION,
    UNITS,
    AlternativeError,
    DependenceWarning,
    PairedScores,
    Scores,
    Unit,
    are_exact,
    check_alternative,
    check_constant,
    check_count,
    check_enough_units,
    check_plain_splits,
    numbers,
    resolution_of,
    shown,
    warn_if_dependent,
)
from skstat.stats._samples.seed_scores import SeedScores, SeedScoreTable
from skstat.stats._samples.seeded_predictions import SeededPredictions
from skstat.stats._samples.table_pairs import (
    PairsOfTable,
    SignedRows,
    ends_of,
    pairs_of_table,
    signed_rows,
)
from skstat.stats._samples.turned import turned
from skstat.stats._samples.work import Cells, LabelCodes, Work
