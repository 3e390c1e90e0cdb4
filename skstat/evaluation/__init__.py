"""From estimators to scores: designs, folds and runs."""

from skstat.evaluation._bootstrap import BootstrapOutOfBag
from skstat.evaluation._dataset import Dataset
from skstat.evaluation._datasets_run import DatasetScores, DatasetsRun, FailedFit
from skstat.evaluation._design import Design
from skstat.evaluation._evaluate import paired_cross_validate
from skstat.evaluation._fold import EvaluationError
from skstat.evaluation._group_folds import RepeatedGroupKFold
from skstat.evaluation._halves import FiveByTwo, RepeatedHalves
from skstat.evaluation._nested_folds import NestedKFold
from skstat.evaluation._over_datasets import cross_validate_over_datasets
from skstat.evaluation._paired_subsampling import PairedSubsampling
from skstat.evaluation._run import CrossValidationRun
from skstat.evaluation._splitters.leave_two_blocks_out import LeaveTwoBlocksOut
from skstat.evaluation._store import StoreWarning

__all__ = [
    "BootstrapOutOfBag",
    "CrossValidationRun",
    "Dataset",
    "DatasetScores",
    "DatasetsRun",
    "Design",
    "EvaluationError",
    "FailedFit",
    "FiveByTwo",
    "LeaveTwoBlocksOut",
    "NestedKFold",
    "PairedSubsampling",
    "RepeatedGroupKFold",
    "RepeatedHalves",
    "StoreWarning",
    "cross_validate_over_datasets",
    "paired_cross_validate",
]
